//! ALTER PROCEDURE and ALTER FUNCTION: characteristics only. ALTER EVENT: `events.rs`.

use super::built_in;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use executor::gate::Inside;
use parser::ast::{AlterRoutine, ProgramKind as Kind};
use storage::dict::{Ddl, ProgramDefinition, ProgramKind};

impl Session {
    /// ALTER PROCEDURE, ALTER FUNCTION.
    pub(crate) fn alter_routine(&mut self, a: &AlterRoutine<'_>) -> SqlResult<()> {
        let schema = self.schema_of_program(&a.name)?;
        self.begin_program_ddl()?;
        let kind = if a.kind == Kind::Function { ProgramKind::Function } else { ProgramKind::Procedure };
        let done = self.alter_stored_routine(kind, &schema, a);
        self.end_definition(done)
    }

    fn alter_stored_routine(&mut self, kind: ProgramKind, schema: &str, a: &AlterRoutine<'_>) -> SqlResult<()> {
        let name = a.name.name;
        let have = self.env.security.account.privileges.on_routine(schema, name, kind == ProgramKind::Function);
        if !have.has(Privs::ALTER_ROUTINE) {
            return Err(self.routine_denied("alter routine", schema, name));
        }
        self.no_locked_tables()?;
        self.lock_program(kind, schema, name)?;
        let Some(old) = self.env.program(kind, schema, name, Inside::Program) else {
            let full = format!("{schema}.{name}");
            return Err(SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&kind.name(), &full]));
        };
        if old.is_builtin() {
            return Err(built_in(&old));
        }
        self.may_touch_definer(&old)?;
        let mut new = ProgramDefinition::clone(&old);
        self.apply_characteristics(&mut new, &a.characteristics);
        self.check_binlog_rules(&new)?;
        new.altered = self.env.clock.now_us;
        let mut ddl = Ddl::begin(&self.env.shared.engine, self.env.client.connection.id())?;
        ddl.replace_program(&old, new)?;
        self.commit_logged(ddl)
    }
}
