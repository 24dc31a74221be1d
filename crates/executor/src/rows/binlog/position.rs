//! How far a replica has applied its source's log, written by the transaction that it applies: into the row of
//! `mysql.evenkeel_replica` (crate `replica`, `state.rs`), which no log has.
//!
//! The applier says the position before it runs what commits; whatever commits takes it along: a transaction of rows
//! ([`Env::write_position`]), the dictionary's ([`Env::attach_statement`]). A statement that commits nothing leaves it,
//! and the applier writes it afterwards.
//!
//! Locks: the metadata lock of that table to the end of the transaction, and the row's. Crash: change, its events and
//! the position are there, or none of them. Tested: `tests/binlog/test_replica.py`.

use crate::rows::env::Env;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use mdl::{Duration, MdlKey, MdlType};
use sched::Deadline;
use std::sync::Arc;
use storage::dict::Ddl;
use storage::table::{ReadMode, Table, TableCursor};
use storage::txn::Trx;
use value::Value;

/// The table's schema and name.
const TABLE: (&str, &str) = ("mysql", "evenkeel_replica");
/// Its columns `log_file` and `log_pos`.
const COLUMNS: (usize, usize) = (2, 3);

/// A place in the source's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePosition {
    /// The replica's channel, which is a row of the table.
    pub channel: Arc<str>,
    /// Name of its file.
    pub file: String,
    /// Bytes from that file's beginning.
    pub offset: u64,
}

impl Env {
    /// What a statement that commits a transaction of the dictionary takes along: its event for the binary log, and a
    /// replica's position.
    ///
    /// # Errors
    /// Of the row's lock and of the spill that a long text needs: the statement cannot commit.
    pub fn attach_statement(&mut self, ddl: &mut Ddl) -> SqlResult<()> {
        if let Some((table, at)) = self.take_position()? {
            write(&table, &at, ddl.trx())?;
        }
        if let Some(piece) = self.take_statement_piece(true)? {
            ddl.attach(piece.bytes);
        }
        Ok(())
    }

    /// Writes the position, if one was said, in the transaction that is open.
    ///
    /// # Errors
    /// Of the row's lock: the transaction must be rolled back.
    pub fn write_position(&mut self) -> SqlResult<()> {
        match self.take_position()? {
            Some((table, at)) => write(&table, &at, &mut self.trx),
            None => Ok(()),
        }
    }

    fn take_position(&mut self) -> SqlResult<Option<(Arc<Table>, SourcePosition)>> {
        let Some(at) = self.binlog.position.take() else { return Ok(None) };
        let deadline = Deadline::after(std::time::Duration::from_secs(self.vars.num(Var::lock_wait_timeout)));
        let key = MdlKey::table(TABLE.0, TABLE.1);
        self.mdl.acquire(&key, MdlType::Sw, Duration::Transaction, deadline)?;
        let engine = &self.shared.engine;
        let table = engine.dict().open_table(engine, TABLE.0, TABLE.1)?;
        let table = table.ok_or_else(|| SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&TABLE.0, &TABLE.1]))?;
        Ok(Some((table, at)))
    }
}

fn write(table: &Arc<Table>, at: &SourcePosition, trx: &mut Trx) -> SqlResult<()> {
    let lost = || SqlError::new(ErrorCode::KEY_NOT_FOUND, &[&TABLE.1]);
    let mut key = Vec::new();
    table
        .key_encoder(0)
        .ok_or_else(lost)?
        .encode(&[Value::Str(at.channel.as_bytes())], &mut key)
        .map_err(|_| lost())?;
    TableCursor::open(table, 0, ReadMode::FOR_UPDATE, false).point(trx, &key)?.ok_or_else(lost)?;
    let to = [(COLUMNS.0, Value::Str(at.file.as_bytes())), (COLUMNS.1, Value::UInt(at.offset))];
    trx.update(table, &key, &to)?;
    Ok(())
}
