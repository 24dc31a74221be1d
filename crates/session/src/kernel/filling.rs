//! CREATE TABLE ... START TRANSACTION: what the binary log has of CREATE TABLE ... SELECT.
//!
//! Table and rows are one transaction. The table's files exist, its name does not: BINLOG (or a replica's applier) fills
//! it through the session's transaction, nobody else sees it, and until COMMIT or ROLLBACK nothing else may be said
//! (3977). COMMIT commits the rows, then the name, with the transaction's events; ROLLBACK and the end of the connection
//! remove the files.
//!
//! Locks: the table's exclusive metadata lock, to the end of the transaction. Crash before the name is committed: the
//! DDL log removes the files, so a table without its rows never stays. Tested: `tests/binlog/test_create_select.py`.

use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use executor::binlog::Ending;
use executor::ddl::select::Target;
use mdl::{Duration, MdlKey, MdlType};
use parser::ast::{AccessMode, StartTransaction, Statement};

/// The open transaction has made a table.
#[derive(Debug)]
pub(crate) struct Filling {
    /// `None`: it was there already, and IF NOT EXISTS was said.
    target: Option<Target>,
}

impl Session {
    /// Whether the transaction has made a table, which is not known yet.
    #[inline]
    pub(crate) fn is_filling(&self) -> bool {
        self.txn.filling.is_some()
    }

    /// 3977 for what is neither BINLOG nor ends that transaction.
    pub(crate) fn check_filling(&self, s: &Statement<'_>) -> SqlResult<()> {
        match s {
            // the comments that mysqlbinlog writes come as statements of their own
            Statement::Binlog(_) | Statement::Commit(_) | Statement::Rollback(_) | Statement::Empty => Ok(()),
            _ => self.check_filling_command(),
        }
    }

    /// The same of a command or a kind of statement that is none of these.
    pub(crate) fn check_filling_command(&self) -> SqlResult<()> {
        match self.is_filling() {
            true => Err(SqlError::new(ErrorCode::STATEMENT_NOT_ALLOWED_AFTER_START_TRANSACTION, &[])),
            false => Ok(()),
        }
    }

    /// The transaction begins that fills a table; `text`: what the binary log has of the statement.
    pub(crate) fn begin_filling(&mut self, target: Option<Target>, text: Option<Vec<u8>>) -> SqlResult<()> {
        // as long as the table is being made there is no backup
        let deadline = self.deadline();
        self.env.mdl.acquire(MdlKey::backup(), MdlType::Ix, Duration::Transaction, deadline)?;
        self.begin(&StartTransaction { consistent_snapshot: false, access: Some(AccessMode::ReadWrite) })?;
        self.env.binlog.begin_statement();
        self.env.trx.begin_statement();
        if let Some(text) = text {
            self.env.log_table(&text);
        }
        self.env.binlog.end_statement();
        self.env.trx.end_statement();
        self.env.temp.set_filled(target.as_ref().map(|t| t.table.clone()));
        self.txn.filling = Some(Filling { target });
        Ok(())
    }

    /// The transaction ends. The table that it has made, if it has.
    pub(crate) fn end_filling(&mut self) -> Option<Target> {
        let filling = self.txn.filling.take()?;
        self.env.temp.set_filled(None);
        filling.target
    }

    /// It ends without a commit.
    pub(crate) fn discard_filled(&mut self) {
        if let Some(target) = self.end_filling() {
            target.discard(&self.server.engine);
        }
    }

    /// It commits.
    pub(crate) fn commit_filled(&mut self, target: Target) -> SqlResult<()> {
        let rows = self.enter_commit().and_then(|()| self.commit_rows());
        match rows {
            Ok(events) => target.publish(&mut self.env, events),
            Err(e) => {
                let _ = self.env.trx.rollback();
                target.discard(&self.server.engine);
                Err(e)
            }
        }
    }

    /// Commits the rows of a table whose name is not known yet; metadata locks stay until it is. The events of the
    /// binary log wait for that.
    pub(crate) fn commit_rows(&mut self) -> SqlResult<Option<Vec<u8>>> {
        if !self.env.binlog.is_empty() {
            self.lock_commit()?;
        }
        let events = self.env.take_piece(Ending::Commit)?;
        if self.env.trx.is_open() {
            self.env.trx.commit()?;
        }
        Ok(events.map(|p| p.bytes))
    }
}
