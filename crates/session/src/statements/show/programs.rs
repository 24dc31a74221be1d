//! SHOW CREATE PROCEDURE, FUNCTION, TRIGGER and EVENT, and SHOW ... CODE, which no build has.
//!
//! Who may see a program, and who its body, is the gate's rule (`executor::gate::programs`); of a routine that may not
//! be seen it is said that there is none. A routine's and a trigger's names are quoted as their own sql_mode wants it,
//! an event's as the session's does, as MySQL does. The definition is that of the moment; no lock is taken. Tested:
//! golden `program_show`, `program_privileges`, `tests/access`.

use super::identifier_quotes::quoted;
use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::table::{Cell, Table};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::Var;
use executor::gate::Inside;
use executor::gate::programs::{Sees, sees};
use parser::ast::{Show, TableName};
use std::sync::Arc;
use storage::dict::{ProgramDefinition, ProgramKind};
use value::SqlMode;
use views::create_program as text;
use views::schema::programs::{collations, shown, sql_mode};

impl Session {
    pub(super) fn show_program(&mut self, show: &Show<'_>) -> SqlResult<Table> {
        match show {
            Show::ProcedureCode(_) | Show::FunctionCode(_) => {
                let what = "SHOW PROCEDURE|FUNCTION CODE";
                Err(SqlError::new(ErrorCode::FEATURE_DISABLED, &[&what, &"--with-debug"]))
            }
            Show::CreateProcedure(t) => self.show_routine(ProgramKind::Procedure, t),
            Show::CreateFunction(t) => self.show_routine(ProgramKind::Function, t),
            Show::CreateTrigger(t) => self.show_trigger(t),
            Show::CreateEvent(t) => self.show_event(t),
            _ => Err(SqlError::unsupported("this SHOW statement")),
        }
    }

    /// 1046 without a database.
    fn program_schema(&self, t: &TableName<'_>) -> SqlResult<String> {
        let schema = self.schema_of(t);
        if schema.is_empty() { Err(SqlError::new(ErrorCode::NO_DB_ERROR, &[])) } else { Ok(schema) }
    }

    /// Names as `sql_quote_show_create` and this sql_mode want them.
    fn quoting(&self, mode: SqlMode) -> impl Fn(&str) -> String {
        let quote = if mode.has(SqlMode::ANSI_QUOTES) { '"' } else { '`' };
        let always = self.env.vars.bool(Var::sql_quote_show_create);
        move |name| quoted(name, quote, always)
    }

    fn show_routine(&mut self, kind: ProgramKind, t: &TableName<'_>) -> SqlResult<Table> {
        let schema = self.program_schema(t)?;
        let found = self.env.program(kind, &schema, t.name, Inside::Program);
        let seen = found.map(|p| (sees(&self.env.security.account, &p), p)).filter(|(s, _)| *s != Sees::Nothing);
        let Some((seen, p)) = seen else {
            return Err(SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&kind.name(), &t.name]));
        };
        let mut out = Table::new(match kind {
            ProgramKind::Function => columns::CREATE_FUNCTION,
            _ => columns::CREATE_PROCEDURE,
        });
        let body = if seen == Sees::Everything {
            text::routine(&p, &self.quoting(SqlMode(p.sql_mode))).into()
        } else {
            Cell::Null
        };
        let mut row = vec![p.name.clone().into(), sql_mode(&p).into(), body];
        row.extend(collations(&p).map(Cell::from));
        out.push(row);
        Ok(out)
    }

    fn show_trigger(&mut self, t: &TableName<'_>) -> SqlResult<Table> {
        let schema = self.program_schema(t)?;
        let Some(p) = self.env.program(ProgramKind::Trigger, &schema, t.name, Inside::Program) else {
            // of a schema that is not there it is told
            if self.env.shared.engine.dict().schema(&schema).is_none() {
                return Err(SqlError::new(ErrorCode::BAD_DB_ERROR, &[&schema]));
            }
            return Err(SqlError::new(ErrorCode::TRG_DOES_NOT_EXIST, &[]));
        };
        if sees(&self.env.security.account, &p) != Sees::Everything {
            return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"TRIGGER"]));
        }
        let mut out = Table::new(columns::CREATE_TRIGGER);
        let mut row = vec![
            p.name.clone().into(),
            sql_mode(&p).into(),
            text::trigger(&p, &self.quoting(SqlMode(p.sql_mode))).into(),
        ];
        row.extend(collations(&p).map(Cell::from));
        row.push(self.hundredths(&p).into());
        out.push(row);
        Ok(out)
    }

    /// When it was made, with two digits of a second.
    fn hundredths(&self, p: &Arc<ProgramDefinition>) -> String {
        let us = p.created.max(0);
        shown(self.env.time_zone().from_unix(us / 1_000_000, (us % 1_000_000) as u32), 2)
    }

    fn show_event(&mut self, t: &TableName<'_>) -> SqlResult<Table> {
        let schema = self.program_schema(t)?;
        self.require_on_schema(Privs::EVENT, &schema)?;
        let Some(p) = self.env.program(ProgramKind::Event, &schema, t.name, Inside::Program) else {
            return Err(SqlError::new(ErrorCode::EVENT_DOES_NOT_EXIST, &[&t.name]));
        };
        let mut out = Table::new(columns::CREATE_EVENT);
        let zone = p.event.as_ref().map_or("", |e| e.time_zone.as_str());
        let mut row = vec![
            p.name.clone().into(),
            sql_mode(&p).into(),
            zone.into(),
            text::event(&p, &self.quoting(self.env.vars.sql_mode())).into(),
        ];
        row.extend(collations(&p).map(Cell::from));
        out.push(row);
        Ok(out)
    }
}
