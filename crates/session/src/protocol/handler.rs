//! The commands of a connection ([`catalog::client::SessionHandler`]), each attached to the thread that serves it.

use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::{
    ColumnDef, Command, CursorType, NetParams, PacketSink, Param, Prepared, QueryAttribute, ResultSink, SessionHandler,
    StatusFlags,
};
use catalog::sysvar::Var;
use executor::gate::Gate;
use planner::resolve::{Verb, Wish};
use probe::Stage;
use sched::pool::Completer;
use std::sync::Arc;
use storage::dict::{Relation, TableDef};

impl SessionHandler for Session {
    fn lines(&self, to: &mut sys::prefetch::Lines) {
        to.add(self);
        to.leave_out(&self.env.vars);
        self.env.vars.lines(to);
        to.add(&*self.sched);
        let (counters, size) = self.sched.counters().hot();
        to.add_range(counters, size);
        to.add(self.env.schema.as_deref().unwrap_or_default());
        to.add(&*self.env.security.account);
        self.env.mdl.lines(to);
        self.env.trx.lines(to);
    }

    fn holds_locks(&self) -> bool {
        self.env.trx.may_hold_locks()
    }

    fn query(&mut self, sql: &[u8], _attrs: &[QueryAttribute<'_>], out: &mut dyn ResultSink) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        let text = crate::text::arrived(&self.env, sql);
        let shown = crate::text::showable(&self.env, &text);
        self.env.client.connection.set_text(&shown);
        self.log.without_secrets = shown.is_whole();
        self.run_text(&text, out)
    }

    fn take_unflushed(&mut self) -> Option<(Arc<dyn Completer>, u64)> {
        self.client.unflushed.take().inspect(|_| {
            let _attached = self.sched.counters().attach();
            probe::stage::set(Stage::WaitingForHandlerCommit);
        })
    }

    fn results_charset(&self) -> value::Charset {
        Session::results_charset(self)
    }

    fn sends_metadata(&self) -> bool {
        self.env.vars.num(Var::resultset_metadata) != 0
    }

    fn init_db(&mut self, database: &[u8]) -> SqlResult<()> {
        let database = &*crate::text::arrived(&self.env, database).into_owned();
        let name = std::str::from_utf8(database)
            .map_err(|_| SqlError::new(ErrorCode::BAD_DB_ERROR, &[&String::from_utf8_lossy(database)]))?;
        self.check_sandbox_command()?;
        self.check_filling_command()?;
        self.log.general(&self.env, "Init DB", database);
        self.use_schema(name)
    }

    fn prepare(&mut self, sql: &[u8]) -> SqlResult<Prepared> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        let text = crate::text::arrived(&self.env, sql);
        let shown = crate::text::showable(&self.env, &text);
        self.env.client.connection.set_text(&shown);
        self.log.without_secrets = shown.is_whole();
        self.prepare_binary(&text)
    }

    fn execute(
        &mut self,
        id: u32,
        params: &[Param<'_>],
        _attrs: &[QueryAttribute<'_>],
        cursor: CursorType,
        out: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        self.client.may_finish_later = sched::pool::may_finish_later() && !self.waits_for_replicas();
        self.execute_binary(id, params, cursor, out)
    }

    fn fetch(&mut self, id: u32, rows: u32, out: &mut dyn ResultSink) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        probe::inc(probe::Counter::ComStmtFetch);
        self.fetch_cursor(id, rows, out)
    }

    fn close_statement(&mut self, id: u32) {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        probe::inc(probe::Counter::ComStmtClose);
        if let Some(kind) = probe::instruments::Instrument::command(Command::StmtClose.name()) {
            self.tells_of(id, kind, crate::logs::named::Verb::Deallocate);
        }
        self.statements.close(id, &self.server);
    }

    fn reset_statement(&mut self, id: u32) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        probe::inc(probe::Counter::ComStmtReset);
        self.statements.reset(id)
    }

    fn field_list(&mut self, table: &[u8], wildcard: &[u8]) -> SqlResult<Vec<(ColumnDef, Option<Vec<u8>>)>> {
        let (table, wildcard) = (
            crate::text::arrived(&self.env, table).into_owned(),
            crate::text::arrived(&self.env, wildcard).into_owned(),
        );
        self.check_sandbox_command()?;
        self.list_fields(&table, &wildcard)
    }

    fn statistics(&mut self) -> String {
        let up = self.server.started.elapsed().as_secs();
        let questions = probe::global(probe::Counter::Questions);
        let per_second = questions as f64 / (up.max(1)) as f64;
        format!(
            "Uptime: {up}  Threads: {}  Questions: {questions}  Slow queries: {}  Opens: {}  Flush tables: {}  Open tables: {}  Queries per second avg: {per_second:.3}",
            self.server.connections.len(),
            probe::global(probe::Counter::SlowQueries),
            probe::global(probe::Counter::OpenedTables),
            probe::global(probe::Counter::FlushCommands),
            self.env.shared.engine.dict().counts().1,
        )
    }

    fn register_replica(&mut self, body: &[u8]) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        self.check_sandbox_command()?;
        Session::register_replica(self, body)
    }

    fn dump(&mut self, with_gtids: bool, body: &[u8], out: &mut dyn PacketSink) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        self.check_sandbox_command()?;
        Session::dump(self, with_gtids, body, out)
    }

    fn send_backup(&mut self, body: &[u8], out: &mut dyn PacketSink) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        self.check_sandbox_command()?;
        Session::send_backup(self, body, out)
    }

    fn kill(&mut self, id: u64) -> SqlResult<()> {
        self.check_sandbox_command()?;
        self.kill_connection(id, false)
    }

    fn debug(&mut self) -> SqlResult<()> {
        self.check_sandbox_command()?;
        self.require(catalog::accounts::Privs::SUPER, "SUPER")
    }

    fn refresh(&mut self, bits: u8) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        self.check_sandbox_command()?;
        self.refresh_items(bits)
    }

    fn set_multi_statements(&mut self, on: bool) {
        self.client.multi_statements = on;
    }

    fn reset(&mut self) -> SqlResult<()> {
        self.begin_anew()
    }

    fn status(&self) -> StatusFlags {
        self.status_flags()
    }

    fn take_state(&mut self, into: &mut Vec<u8>) {
        into.extend_from_slice(self.tracked.changes.bytes());
        self.tracked.changes.clear();
    }

    fn command_ended(&mut self, command: Command, error: Option<&SqlError>) {
        let Some(kind) = probe::instruments::Instrument::command(command.name()) else { return };
        let sched = self.sched.clone();
        let _attached = sched.attach();
        let result = error.map_or_else(|| Ok(Outcome::ok()), |e| Err(e.clone()));
        self.log.command_ended(&self.env, kind, &result);
    }

    fn net_params(&self) -> NetParams {
        NetParams {
            wait_timeout: self.env.vars.num(Var::wait_timeout) as u32,
            net_read_timeout: self.env.vars.num(Var::net_read_timeout) as u32,
            net_write_timeout: self.env.vars.num(Var::net_write_timeout) as u32,
        }
    }
}

impl Session {
    /// COM_FIELD_LIST.
    pub(crate) fn list_fields(
        &mut self,
        table: &[u8],
        wildcard: &[u8],
    ) -> SqlResult<Vec<(ColumnDef, Option<Vec<u8>>)>> {
        let name = String::from_utf8_lossy(table).into_owned();
        let schema = self.env.schema.clone().ok_or_else(|| SqlError::new(ErrorCode::NO_DB_ERROR, &[]))?;
        let computed = crate::kernel::computed::computed(&self.env, &schema, &name);
        let gate = Gate::new(&self.env);
        let admitted = || match gate.own(&schema, &name) {
            Some(own) => Ok(own),
            None => gate.admitted(&schema, &name, &Wish { verb: Verb::Select, via: None }),
        };
        let def: std::sync::Arc<TableDef> = match computed {
            Some(v) => {
                if v.guarded() {
                    admitted()?;
                }
                v.def().clone()
            }
            None => match self.env.relation(admitted()?) {
                Some(Relation::Table(t)) => t,
                Some(Relation::View(v)) => {
                    self.check_opens(&v.schema, &v.name)?;
                    std::sync::Arc::new(self.described(&v)?.def)
                }
                None => return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name])),
            },
        };
        let results = value::CollationId(255);
        let mut out = Vec::new();
        for (i, c) in def.columns.iter().enumerate() {
            if !wildcard.is_empty() && !catalog::accounts::host::like(wildcard, c.name.as_bytes()) {
                continue;
            }
            let column = planner::meta::table_column(&def, i, results);
            out.push((column, views::create::default_text(c).map(String::into_bytes)));
        }
        Ok(out)
    }

    /// A client's command opens a view as a query does, where a description only reads its text: 1356 if who it is
    /// (the caller, or the definer) may not read what it names. What of the view itself may be read is the gate's.
    fn check_opens(&self, schema: &str, name: &str) -> SqlResult<()> {
        let quote = storage::dict::quote;
        match self.plan_text(&format!("SELECT * FROM {}.{}", quote(schema), quote(name))) {
            Err(e) if e.is(ErrorCode::VIEW_INVALID) => Err(e),
            _ => Ok(()),
        }
    }
}
