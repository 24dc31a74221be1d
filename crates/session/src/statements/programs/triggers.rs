//! CREATE TRIGGER.
//!
//! A trigger is in its table's schema. Its table's metadata lock is exclusive meanwhile, so no statement that
//! changes the table runs with the old list of triggers; the table's new version makes plans anew.

use super::texts;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use executor::gate::Inside;
use mdl::{Duration, MdlKey, MdlType};
use parser::ast::{self, CreateProgram, TriggerHead};
use std::sync::Arc;
use storage::dict::{Ddl, ProgramDefinition, ProgramKind, Relation, TableDef, TriggerEvent, TriggerOf};

impl Session {
    pub(super) fn create_trigger(&mut self, sql: &[u8], c: &CreateProgram<'_>, schema: &str) -> SqlResult<()> {
        let Some(head) = c.trigger else { return Err(SqlError::unsupported("a trigger without a table")) };
        let (name, of) = (c.name.name, head.table.schema.unwrap_or(schema));
        let table = head.table.name;
        if views::VIRTUAL_SCHEMAS.iter().any(|v| v.eq_ignore_ascii_case(of)) {
            return Err(self.database_denied(of));
        }
        let may = self.require_on_table(Privs::TRIGGER, of, table)?;
        for s in [schema, of] {
            if self.env.shared.engine.dict().schema(s).is_none() {
                return Err(SqlError::new(ErrorCode::BAD_DB_ERROR, &[&s]));
            }
        }
        if of == "mysql" {
            return Err(SqlError::new(ErrorCode::NO_TRIGGERS_ON_SYSTEM_SCHEMA, &[]));
        }
        self.check_binlog_rules(&ProgramDefinition::new(ProgramKind::Trigger, schema, name))?;
        let definer = self.program_definer(c.definer.as_ref())?;
        if schema != of {
            return Err(SqlError::new(ErrorCode::TRG_IN_WRONG_SCHEMA, &[]));
        }
        if self.env.temp.find(of, table).is_some() {
            return Err(SqlError::new(ErrorCode::TRG_ON_VIEW_OR_TEMP_TABLE, &[&table]));
        }
        self.check_looked_at(of, table, true)?;
        self.lock_program(ProgramKind::Trigger, schema, name)?;
        let key = MdlKey::table(of, table);
        self.env.mdl.acquire(&key, MdlType::X, Duration::Transaction, self.ddl_deadline())?;
        let def = match self.env.shared_relation(may) {
            Some(Relation::Table(t)) => t,
            Some(Relation::View(_)) => {
                return Err(SqlError::new(ErrorCode::WRONG_OBJECT, &[&of, &table, &"BASE TABLE"]));
            }
            None => return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&of, &table])),
        };
        self.log_program(sql, c, &definer);
        if let Some(old) = self.env.program(ProgramKind::Trigger, schema, name, Inside::Program) {
            return self.trigger_there(c, &old, &def);
        }
        let mut p = self.program_settings(ProgramKind::Trigger, schema, name);
        p.definer = definer;
        p.body = texts::body(sql, &c.body, true);
        self.store_trigger(p, head, &def)
    }

    /// The name is taken: with IF NOT EXISTS a note, if it is this table's.
    fn trigger_there(&mut self, c: &CreateProgram<'_>, old: &ProgramDefinition, t: &TableDef) -> SqlResult<()> {
        let name = c.name.name;
        if !c.if_not_exists {
            return Err(SqlError::new(ErrorCode::TRG_ALREADY_EXISTS, &[]));
        }
        if old.trigger.as_ref().is_none_or(|o| o.table_id != t.id) {
            let code = ErrorCode::IF_NOT_EXISTS_UNSUPPORTED_TRG_EXISTS_ON_DIFFERENT_TABLE;
            return Err(SqlError::new(code, &[&t.schema, &name]));
        }
        let code = ErrorCode::TRG_ALREADY_EXISTS_ON_TABLE;
        self.program_note(SqlError::new(code, &[&name, &t.schema, &t.name]));
        Ok(())
    }

    /// Gives it its place; those that come behind move on.
    fn store_trigger(&mut self, mut p: ProgramDefinition, head: &TriggerHead<'_>, t: &TableDef) -> SqlResult<()> {
        let event = match head.event {
            ast::TriggerEvent::Insert => TriggerEvent::Insert,
            ast::TriggerEvent::Update => TriggerEvent::Update,
            ast::TriggerEvent::Delete => TriggerEvent::Delete,
        };
        let same = |x: &&Arc<ProgramDefinition>| {
            x.trigger.as_ref().is_some_and(|o| (o.before, o.event) == (!head.after, event))
        };
        let place = |x: &Arc<ProgramDefinition>| x.trigger.as_ref().map_or(0, |o| o.order);
        let others: Vec<_> = t.triggers.iter().filter(same).cloned().collect();
        let order = match &head.order {
            None => others.iter().map(place).max().unwrap_or(0) + 1,
            Some(o) => {
                let named = |x: &&Arc<ProgramDefinition>| planner::same_name(&x.name, o.other);
                let other = others
                    .iter()
                    .find(named)
                    .ok_or_else(|| SqlError::new(ErrorCode::REFERENCED_TRG_DOES_NOT_EXIST, &[&o.other]))?;
                place(other) + u32::from(!o.precedes)
            }
        };
        p.trigger = Some(TriggerOf { table_id: t.id, table: t.name.clone(), before: !head.after, event, order });
        let p = self.compiles(p)?;
        let mut ddl = Ddl::begin(&self.env.shared.engine, self.env.client.connection.id())?;
        for other in others.iter().filter(|x| place(x) >= order) {
            let mut new = ProgramDefinition::clone(other);
            new.trigger.iter_mut().for_each(|t| t.order += 1);
            ddl.keep_program(other, new)?;
        }
        ddl.create_program(p)?;
        self.commit_logged(ddl)
    }
}
