//! Statements that make, change and drop stored programs. What they have in common: names, metadata locks, definers.
//!
//! Each is one atomic [`storage::dict::Ddl`] under exclusive metadata locks on the program (namespaces PROCEDURE,
//! FUNCTION, TRIGGER, EVENT) and, for a trigger, on its table, so that nobody runs what changes; it commits the open
//! transaction before, as all data definition does. Names of programs are compared without case. A crash leaves the
//! program as before or as after.
//!
//! Tested: golden `program_ddl`, `program_privileges`, `program_triggers`, `program_events`, `tests/crash`,
//! `tests/access`.

mod alter;
mod binlog_rules;
mod create;
mod drop;
mod event_times;
mod events;
mod routine_grants;
mod scheduler;
mod texts;
mod triggers;
mod types;
mod worker;

use crate::accounts::rules::Act;
use crate::kernel::ddl::program_key;
use crate::kernel::global_intention::enter_definition;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use mdl::{Duration, MdlKey, MdlType};
use parser::ast::TableName;
use storage::dict::{ProgramDefinition, ProgramKind};

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
        enter_definition(mdl, Duration::Statement, deadline)?;
        mdl.acquire(&MdlKey::schema(schema), MdlType::Ix, Duration::Transaction, deadline)?;
        mdl.acquire(&program_key(kind, schema, name), MdlType::X, Duration::Transaction, deadline)?;
        Ok(())
    }

    /// What belongs to a system user is changed by system users only: 1227.
    fn may_touch_definer(&self, p: &ProgramDefinition) -> SqlResult<()> {
        self.may(&Act::Define(std::slice::from_ref(&p.definer)))
    }

    /// What a program is made with beside its text: `sql_mode`, character sets, the moment.
    fn program_settings(&self, kind: ProgramKind, schema: &str, name: &str) -> ProgramDefinition {
        let mut p = ProgramDefinition::new(kind, schema, name);
        p.sql_mode = self.env.vars.sql_mode().0;
        p.client = self.env.vars.collation(Var::character_set_client);
        p.connection = self.env.vars.collation(Var::collation_connection);
        p.database = self.env.shared.engine.dict().schema(schema).map_or(p.database, |s| s.collation);
        (p.created, p.altered) = (self.env.clock.now_us, self.env.clock.now_us);
        p
    }

    /// What a client wrote between quotes, in UTF-8.
    fn program_text(&self, bytes: &[u8]) -> String {
        crate::text::in_utf8(&self.env, bytes)
    }

    /// 1044 for a schema that is computed, 1049 for one that is not there.
    fn program_schema_there(&self, schema: &str) -> SqlResult<()> {
        if views::VIRTUAL_SCHEMAS.iter().any(|v| v.eq_ignore_ascii_case(schema)) {
            return Err(self.database_denied(schema));
        }
        match self.env.shared.engine.dict().schema(schema) {
            Some(_) => Ok(()),
            None => Err(SqlError::new(ErrorCode::BAD_DB_ERROR, &[&schema])),
        }
    }

    /// Adds a note.
    fn program_note(&mut self, e: SqlError) {
        self.env.conv.push(value::Level::Note, e);
    }
}

/// 3554 for a routine that the server brings along: no statement changes or drops it.
fn built_in(p: &ProgramDefinition) -> SqlError {
    let what = format!("system {}", p.kind.name().to_lowercase());
    SqlError::new(ErrorCode::NO_SYSTEM_TABLE_ACCESS, &[&what, &p.schema, &p.name])
}
