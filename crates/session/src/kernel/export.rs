//! FLUSH TABLES t FOR EXPORT: locks, then the engine's part ([`storage::transport`]).
//!
//! Locks as MySQL's: those of FLUSH TABLES t WITH READ LOCK, SHARED_NO_WRITE, which another export of the table waits
//! for.
//! They are held until UNLOCK TABLES, another LOCK TABLES or START TRANSACTION, or the end of the session; whatever
//! ends them drops the [`Export`] first, and with it its files. Nothing is logged. Tested: golden `transport`,
//! `tests/backup/test_transport.py`.

use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::TableName;
use std::collections::BTreeSet;
use storage::StorageError;
use storage::transport::Export;

impl Session {
    /// FLUSH TABLES a, b FOR EXPORT. 1347 for a view, 1814 for a table without rows of its own.
    pub(crate) fn flush_for_export(&mut self, tables: &[TableName<'_>]) -> SqlResult<()> {
        for t in tables {
            // nobody else could use its file
            let schema = self.schema_of(t);
            if self.env.temp.find(&schema, t.name).is_some() {
                return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &t.name]));
            }
        }
        self.flush_and_lock(tables)?;
        let done = self.export(tables);
        if done.is_err() {
            self.release_table_locks();
        }
        done
    }

    fn export(&mut self, tables: &[TableName<'_>]) -> SqlResult<()> {
        let named: BTreeSet<(String, String)> = tables.iter().map(|t| (self.schema_of(t), t.name.to_owned())).collect();
        let mut opened = Vec::with_capacity(named.len());
        for (schema, name) in &named {
            let may = self.require_on_table(catalog::accounts::Privs::SELECT, schema, name)?;
            let missing = || SqlError::new(ErrorCode::NO_SUCH_TABLE, &[schema, name]);
            let table = self.env.open_named(may)?.ok_or_else(missing)?;
            table.has_tablespace()?;
            opened.push(table);
        }
        let version = self.env.shared.globals.string(catalog::sysvar::Var::version);
        let done = Export::begin(&self.env.shared.engine, &opened, &version);
        self.tables.exported = Some(done.map_err(in_the_way)?);
        Ok(())
    }
}

/// 1811 where a file cannot be made, in the words of the system.
fn in_the_way(e: StorageError) -> SqlError {
    match &e {
        StorageError::Io { op, file, errno } => {
            let os = std::io::Error::from_raw_os_error(*errno).to_string();
            let os = os.split(" (os error").next().unwrap_or_default().to_owned();
            SqlError::new(ErrorCode::IO_WRITE_ERROR, &[errno, &os, &format!("{op} of './{file}'")])
        }
        _ => e.into(),
    }
}
