//! Statements that make, change and drop stored programs. What they have in common: names, metadata locks, definers.
//!
//! Each is one atomic [`storage::dict::Ddl`] under exclusive metadata locks on the program (namespaces PROCEDURE,
//! FUNCTION, TRIGGER, EVENT) and, for a trigger, on its table, so that nobody runs what changes; it commits the open
//! transaction before, as all data definition does. Names of programs are compared without case. A crash leaves the
//! program as before or as after.
//!
//! Tested: golden `program_ddl`, `program_privileges`, `program_triggers`, `program_events`, `tests/crash`, `tests/access`.

mod drop;

use crate::accounts::rules::Act;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use mdl::{Duration, MdlKey, MdlType, Namespace};
use parser::ast::TableName;
use storage::dict::programs::folded;
use storage::dict::{ProgramDefinition, ProgramKind};

/// The metadata lock of a program.
pub(crate) fn program_key(kind: ProgramKind, schema: &str, name: &str) -> MdlKey {
    let namespace = match kind {
        ProgramKind::Procedure => Namespace::Procedure,
        ProgramKind::Function => Namespace::Function,
        ProgramKind::Trigger => Namespace::Trigger,
        ProgramKind::Event => Namespace::Event,
    };
    MdlKey::new(namespace, schema, &folded(name))
}

impl Session {
    /// Ends the transaction; 1290 on a server that only reads, 1223 under the global read lock.
    fn begin_program_ddl(&mut self) -> SqlResult<()> {
        self.commit_for_ddl()?;
        self.check_read_only()?;
        self.check_global_read_lock()
    }

    /// The schema of a program as written or by default: 1046.
    fn schema_of_program(&self, name: &TableName<'_>) -> SqlResult<String> {
        let schema = self.schema_of(name);
        if schema.is_empty() { Err(SqlError::new(ErrorCode::NO_DB_ERROR, &[])) } else { Ok(schema) }
    }

    /// 1192 under LOCK TABLES, which no program can be made, changed or dropped under that is no trigger.
    fn no_locked_tables(&self) -> SqlResult<()> {
        match self.tables.locked.is_empty() {
            true => Ok(()),
            false => Err(SqlError::new(ErrorCode::LOCK_OR_ACTIVE_TRANSACTION, &[])),
        }
    }

    /// Exclusive on the program, intention on what is above it.
    fn lock_program(&mut self, kind: ProgramKind, schema: &str, name: &str) -> SqlResult<()> {
        let deadline = self.ddl_deadline();
        let mdl = &mut self.env.mdl;
        mdl.acquire(&MdlKey::backup(), MdlType::Ix, Duration::Statement, deadline)?;
        mdl.acquire(&MdlKey::global(), MdlType::Ix, Duration::Statement, deadline)?;
        mdl.acquire(&MdlKey::schema(schema), MdlType::Ix, Duration::Transaction, deadline)?;
        mdl.acquire(&program_key(kind, schema, name), MdlType::X, Duration::Transaction, deadline)?;
        Ok(())
    }

    /// What belongs to a system user is changed by system users only: 1227.
    fn may_touch_definer(&self, p: &ProgramDefinition) -> SqlResult<()> {
        self.may(&Act::Define(std::slice::from_ref(&p.definer)))
    }

    /// Adds a note.
    fn program_note(&mut self, e: SqlError) {
        self.env.conv.push(value::Level::Note, e);
    }
}
