//! Sessions without an engine: every statement is refused with 1235, the commands that need no SQL work.

use super::Engine;
use base::{SqlError, SqlResult};
use catalog::client::{
    ColumnDef, CursorType, NetParams, Param, Prepared, QueryAttribute, ResultSink, SessionContext, SessionFactory,
    SessionHandler, StatusFlags,
};
use catalog::connections::{Connections, Kill};
use std::sync::Arc;

pub(super) struct NoEngine {
    pub(super) connections: Arc<Connections>,
}

struct Factory(Arc<Connections>);

impl Engine for NoEngine {
    fn sessions(&self) -> Arc<dyn SessionFactory> {
        Arc::new(Factory(self.connections.clone()))
    }
    fn shutdown(&self) -> Result<(), String> {
        Ok(())
    }
}

impl SessionFactory for Factory {
    fn open(&self, ctx: SessionContext) -> SqlResult<Box<dyn SessionHandler>> {
        match ctx.database {
            Some(_) => Err(no_sql()),
            None => Ok(Box::new(Session(self.0.clone()))),
        }
    }
}

struct Session(Arc<Connections>);

fn no_sql() -> SqlError {
    SqlError::unsupported("SQL statements (this build has no engine)")
}

impl SessionHandler for Session {
    fn query(&mut self, _: &[u8], _: &[QueryAttribute<'_>], _: &mut dyn ResultSink) -> SqlResult<()> {
        Err(no_sql())
    }
    fn init_db(&mut self, _: &[u8]) -> SqlResult<()> {
        Err(no_sql())
    }
    fn prepare(&mut self, _: &[u8]) -> SqlResult<Prepared> {
        Err(no_sql())
    }
    fn execute(
        &mut self,
        _: u32,
        _: &[Param<'_>],
        _: &[QueryAttribute<'_>],
        _: CursorType,
        _: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        Err(no_sql())
    }
    fn fetch(&mut self, _: u32, _: u32, _: &mut dyn ResultSink) -> SqlResult<()> {
        Err(no_sql())
    }
    fn close_statement(&mut self, _: u32) {}
    fn reset_statement(&mut self, _: u32) -> SqlResult<()> {
        Err(no_sql())
    }
    fn field_list(&mut self, _: &[u8], _: &[u8]) -> SqlResult<Vec<(ColumnDef, Option<Vec<u8>>)>> {
        Err(no_sql())
    }
    fn statistics(&mut self) -> String {
        format!("Threads: {}", self.0.len())
    }
    fn kill(&mut self, id: u64) -> SqlResult<()> {
        self.0.kill(id, Kill::Connection)
    }
    fn set_multi_statements(&mut self, _: bool) {}
    fn reset(&mut self) -> SqlResult<()> {
        Ok(())
    }
    fn status(&self) -> StatusFlags {
        StatusFlags(StatusFlags::AUTOCOMMIT)
    }
    fn take_state(&mut self, _: &mut Vec<u8>) {}
    fn net_params(&self) -> NetParams {
        NetParams { wait_timeout: 28_800, net_read_timeout: 30, net_write_timeout: 60 }
    }
}
