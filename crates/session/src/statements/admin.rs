//! KILL and FLUSH.

use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::connections::Kill;
use parser::ast::{self, FlushItem};
use value::OwnedValue;

impl Session {
    /// KILL [QUERY | CONNECTION] id.
    pub(crate) fn kill_statement(&mut self, sql: &[u8], k: &ast::Kill<'_>) -> SqlResult<()> {
        if crate::kernel::statement_kinds::names_tables(&k.id) {
            return Err(SqlError::unsupported(
                "Usage of subqueries or stored function calls as part of this statement",
            ));
        }
        let id = match self.scalars(sql, std::slice::from_ref(&k.id))?.pop() {
            Some((OwnedValue::Int(n), _)) if n >= 0 => n as u64,
            Some((OwnedValue::UInt(n), _)) => n,
            _ => return Err(SqlError::new(ErrorCode::NO_SUCH_THREAD, &[&0])),
        };
        self.statement_succeeded()?;
        self.kill_connection(id, k.query)
    }

    /// Kills a connection or its statement: 1094 unknown, 1095 not yours, 1317 when it was one's own (which still
    /// reaches the client).
    pub(crate) fn kill_connection(&mut self, id: u64, query: bool) -> SqlResult<()> {
        let target = self.server.connections.get(id).ok_or_else(|| SqlError::new(ErrorCode::NO_SUCH_THREAD, &[&id]))?;
        let own = target.who().user == self.env.security.user.0;
        let p = &self.env.security.account.privileges;
        let may = own || p.has_global(Privs::SUPER) || p.has_dynamic("CONNECTION_ADMIN");
        if !may || (target.is_system_user() && !self.env.client.connection.is_system_user()) {
            return Err(SqlError::new(ErrorCode::KILL_DENIED_ERROR, &[&id]));
        }
        if id != self.env.client.connection.id() {
            return self.server.connections.kill(id, if query { Kill::Query } else { Kill::Connection });
        }
        if !query {
            self.env.client.connection.end_after_answer();
        }
        Err(SqlError::new(ErrorCode::QUERY_INTERRUPTED, &[]))
    }

    /// FLUSH.
    pub(crate) fn flush(&mut self, f: &ast::Flush<'_>) -> SqlResult<()> {
        for item in f.items {
            self.may_flush(item)?;
        }
        for item in f.items {
            if matches!(item, FlushItem::Tables { tables: [], .. }) {
                probe::inc(probe::Counter::FlushCommands);
            }
            match item {
                FlushItem::Tables { tables: [], with_read_lock: true, .. } => return self.lock_globally(),
                FlushItem::Tables { tables, with_read_lock: true, .. } => return self.flush_and_lock(tables),
                FlushItem::Tables { tables, for_export: true, .. } => return self.flush_for_export(tables),
                FlushItem::Tables { tables, .. } => self.check_flushed(tables)?,
                FlushItem::Status => {
                    self.commit_transaction()?;
                    self.sched.counters().reset();
                }
                FlushItem::Logs => {
                    self.flush_logs(true, true, true)?;
                    self.flush_binary_logs()?;
                    self.flush_relay_logs(None)?;
                }
                FlushItem::BinaryLogs => self.flush_binary_logs()?,
                FlushItem::RelayLogs { channel } => self.flush_relay_logs(*channel)?,
                FlushItem::ErrorLogs => self.flush_logs(true, false, false)?,
                FlushItem::GeneralLogs => self.flush_logs(false, true, false)?,
                FlushItem::SlowLogs => self.flush_logs(false, false, true)?,
                FlushItem::UserResources => self.server.accounts.usage().reset_counts(),
                FlushItem::Privileges => {
                    self.take_loaded_grants()?;
                    self.server.accounts.heed_grants();
                    self.server.accounts.usage().unlock_all();
                }
                // tables are always what the dictionary says, privileges always what the accounts say, logs unbuffered
                _ => {}
            }
        }
        self.commit_transaction()
    }

    /// 1290 for statements about accounts under `--skip-grant-tables`.
    pub(crate) fn check_grants_count(&self) -> SqlResult<()> {
        if self.server.accounts.grants_skipped() {
            return Err(SqlError::new(ErrorCode::OPTION_PREVENTS_STATEMENT, &[&"--skip-grant-tables"]));
        }
        Ok(())
    }

    /// Opens these logs anew.
    fn flush_logs(&self, error: bool, general: bool, slow: bool) -> SqlResult<()> {
        if error {
            let failed = |file: String| SqlError::new(ErrorCode::DA_CANT_OPEN_ERROR_LOG, &[&file, &"", &""]);
            probe::errorlog::reopen().map_err(failed)?;
        }
        self.server.log.reopen(&self.env.shared.globals, general, slow)
    }

    /// COM_REFRESH: the FLUSH that its bits stand for. Hosts and threads are not cached, and there are no replication logs to forget.
    pub(crate) fn refresh_items(&mut self, bits: u8) -> SqlResult<()> {
        const GRANT: u8 = 1;
        const LOG: u8 = 2;
        const TABLES: u8 = 4;
        const STATUS: u8 = 16;
        let tables = FlushItem::Tables { tables: &[], with_read_lock: false, for_export: false };
        let all =
            [(GRANT, FlushItem::Privileges), (LOG, FlushItem::Logs), (TABLES, tables), (STATUS, FlushItem::Status)];
        self.require(Privs::RELOAD, "RELOAD")?;
        let items: Vec<FlushItem<'_>> = all.into_iter().filter(|(bit, _)| bits & bit != 0).map(|(_, i)| i).collect();
        self.flush(&ast::Flush { local: false, items: &items })
    }

    /// RELOAD, or the dynamic privilege for this item alone: 1227.
    fn may_flush(&self, item: &FlushItem<'_>) -> SqlResult<()> {
        let p = &self.env.security.account.privileges;
        let own = match item {
            FlushItem::Tables { .. } => "FLUSH_TABLES",
            FlushItem::Status => "FLUSH_STATUS",
            FlushItem::UserResources => "FLUSH_USER_RESOURCES",
            FlushItem::OptimizerCosts => "FLUSH_OPTIMIZER_COSTS",
            FlushItem::Privileges => "FLUSH_PRIVILEGES",
            _ => return self.require(Privs::RELOAD, "RELOAD"),
        };
        if p.has_global(Privs::RELOAD) || p.holds_dynamic(own) {
            return Ok(());
        }
        Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&format_args!("RELOAD or {own}")]))
    }

    /// Under LOCK TABLES only tables that are locked for writing can be flushed: 1100, 1099. An empty list means all.
    fn check_flushed(&self, tables: &[ast::TableName<'_>]) -> SqlResult<()> {
        if self.tables.locked.is_empty() {
            return Ok(());
        }
        let read_only = |name: &str| SqlError::new(ErrorCode::TABLE_NOT_LOCKED_FOR_WRITE, &[&name]);
        if tables.is_empty() {
            return match self.tables.locked.iter().find(|l| !l.write) {
                Some(l) => Err(read_only(&l.name)),
                None => Ok(()),
            };
        }
        for t in tables {
            let schema = self.schema_of(t);
            let hit = self.tables.locked.iter().filter(|l| l.is(&schema, t.name));
            match hit.map(|l| l.write).max() {
                None => return Err(SqlError::new(ErrorCode::TABLE_NOT_LOCKED, &[&t.name])),
                Some(false) => return Err(read_only(t.name)),
                Some(true) => {}
            }
        }
        Ok(())
    }
}
