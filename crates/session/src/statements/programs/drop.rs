//! DROP PROCEDURE, FUNCTION, TRIGGER, EVENT.
//!
//! What is granted on a routine goes with it (`automatic_sp_privileges`; [`super::routine_grants`]).

use super::built_in;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use executor::gate::Inside;
use mdl::{Duration, MdlKey, MdlType};
use parser::ast::{ProgramKind as Kind, TableName};
use std::sync::Arc;
use storage::dict::{Ddl, ProgramDefinition, ProgramKind};

/// The dictionary's word for the parser's.
fn kind_of(kind: Kind) -> ProgramKind {
    match kind {
        Kind::Procedure => ProgramKind::Procedure,
        Kind::Function => ProgramKind::Function,
        Kind::Trigger => ProgramKind::Trigger,
        Kind::Event => ProgramKind::Event,
    }
}

impl Session {
    /// DROP of a stored program.
    pub(crate) fn drop_program(&mut self, kind: Kind, if_exists: bool, name: &TableName<'_>) -> SqlResult<()> {
        let kind = kind_of(kind);
        if self.schema_of(name).is_empty() && kind == ProgramKind::Function {
            // a function without a database is one of a library
            let e = SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&"FUNCTION (UDF)", &name.name]);
            return self.missing_program(if_exists, e.clone(), e);
        }
        let schema = self.schema_of_program(name)?;
        self.begin_program_ddl()?;
        let done = match kind {
            ProgramKind::Procedure | ProgramKind::Function => self.drop_routine(kind, if_exists, &schema, name.name),
            ProgramKind::Trigger => self.drop_trigger(if_exists, &schema, name.name),
            ProgramKind::Event => self.drop_event(if_exists, &schema, name.name),
        };
        self.end_definition(done)
    }

    fn drop_routine(&mut self, kind: ProgramKind, if_exists: bool, schema: &str, name: &str) -> SqlResult<()> {
        let function = kind == ProgramKind::Function;
        let have = self.env.security.account.privileges.on_routine(schema, name, function);
        if !have.has(Privs::ALTER_ROUTINE) {
            return Err(self.routine_denied("alter routine", schema, name));
        }
        self.no_locked_tables()?;
        self.lock_program(kind, schema, name)?;
        let Some(p) = self.env.program(kind, schema, name, Inside::Program) else {
            let full = format!("{schema}.{name}");
            let e = SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&kind.name(), &full]);
            return self.missing_program(if_exists, e.clone(), e);
        };
        if p.is_builtin() {
            if !if_exists {
                return Err(built_in(&p));
            }
            // what a dump says before it makes the routine: that stays as it is
            self.env.conv.push(value::Level::Warning, built_in(&p));
            self.env.binlog.forget_text();
            return Ok(());
        }
        self.may_touch_definer(&p)?;
        let mut ddl = Ddl::begin(&self.env.shared.engine, self.env.client.connection.id())?;
        ddl.drop_program(&p)?;
        self.commit_without_grants(ddl, &p, function)
    }

    /// One program and nothing else.
    fn drop_stored(&mut self, p: &Arc<ProgramDefinition>) -> SqlResult<()> {
        let mut ddl = Ddl::begin(&self.env.shared.engine, self.env.client.connection.id())?;
        ddl.drop_program(p)?;
        self.commit_logged(ddl)
    }

    /// With IF EXISTS a note.
    fn missing_program(&mut self, if_exists: bool, note: SqlError, error: SqlError) -> SqlResult<()> {
        if !if_exists {
            return Err(error);
        }
        self.program_note(note);
        Ok(())
    }

    fn drop_trigger(&mut self, if_exists: bool, schema: &str, name: &str) -> SqlResult<()> {
        let missing = || SqlError::new(ErrorCode::TRG_DOES_NOT_EXIST, &[]);
        if self.env.shared.engine.dict().schema(schema).is_none() {
            let unknown = SqlError::new(ErrorCode::BAD_DB_ERROR, &[&schema]);
            return self.missing_program(if_exists, missing(), unknown);
        }
        // the table is known by the trigger, and may get another name before it is locked
        for _ in 0..8 {
            let Some(p) = self.env.program(ProgramKind::Trigger, schema, name, Inside::Program) else {
                // it stays missing until that is logged
                self.lock_program(ProgramKind::Trigger, schema, name)?;
                match self.env.program_identity(ProgramKind::Trigger, schema, name) {
                    None => return self.missing_program(if_exists, missing(), missing()),
                    Some(_) => self.env.mdl.release_transaction(),
                }
                continue;
            };
            let Some(t) = &p.trigger else { break };
            self.require_on_table(Privs::TRIGGER, schema, &t.table)?;
            self.check_looked_at(schema, &t.table, true)?;
            self.lock_program(ProgramKind::Trigger, schema, name)?;
            let key = MdlKey::table(schema, &t.table);
            self.env.mdl.acquire(&key, MdlType::X, Duration::Transaction, self.ddl_deadline())?;
            match self.env.program(ProgramKind::Trigger, schema, name, Inside::Program) {
                Some(now) if Arc::ptr_eq(&now, &p) => return self.drop_trigger_of(&p),
                _ => self.env.mdl.release_transaction(),
            }
        }
        Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[]))
    }

    /// Those that come behind it move up.
    fn drop_trigger_of(&mut self, p: &Arc<ProgramDefinition>) -> SqlResult<()> {
        let Some(t) = &p.trigger else { return Ok(()) };
        let mut ddl = Ddl::begin(&self.env.shared.engine, self.env.client.connection.id())?;
        ddl.drop_program(p)?;
        for other in self.env.programs(&p.schema, Inside::Program) {
            let Some(o) = &other.trigger else { continue };
            if (o.table_id, o.before, o.event) == (t.table_id, t.before, t.event) && o.order > t.order {
                let mut new = ProgramDefinition::clone(&other);
                new.trigger.iter_mut().for_each(|t| t.order -= 1);
                ddl.keep_program(&other, new)?;
            }
        }
        self.commit_logged(ddl)
    }

    fn drop_event(&mut self, if_exists: bool, schema: &str, name: &str) -> SqlResult<()> {
        self.require_on_schema(Privs::EVENT, schema)?;
        self.no_locked_tables()?;
        self.lock_program(ProgramKind::Event, schema, name)?;
        let Some(p) = self.env.program(ProgramKind::Event, schema, name, Inside::Program) else {
            let note = SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&"Event", &name]);
            return self.missing_program(if_exists, note, SqlError::new(ErrorCode::EVENT_DOES_NOT_EXIST, &[&name]));
        };
        self.may_touch_definer(&p)?;
        self.drop_stored(&p)
    }
}
