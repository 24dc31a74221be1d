//! What a dump of MySQL's schema `mysql` says of tables that are made here when they are read.
//!
//! `mysqldump --all-databases` drops each table, makes it anew, switches its keys off and on, and fills it. Grant
//! tables are really made and filled, and wait for FLUSH PRIVILEGES ([`crate::statements::loaded`]). The others
//! (`help_topic`, `engine_cost`, `component`, `gtid_executed` ...) stay what the server says they are: behind a
//! DROP TABLE IF EXISTS of the same session CREATE TABLE, ENABLE and DISABLE KEYS and INSERT of such a table change
//! nothing and say so (warning 3554). Without that DROP they are refused as ever, but for the keys and INSERT
//! IGNORE (`innodb_table_stats`). Tested: `tests/clients/test_dump_of_accounts.py`.

use crate::kernel::computed::computed;
use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use parser::ast::{AlterAction, CreateTable, DropTable, Statement, TableName};
use planner::GRANT_TABLES;
use value::Level;

impl Session {
    /// The session has dropped these.
    pub(crate) fn note_dumped(&mut self, d: &DropTable<'_>) {
        let made = d.tables.iter().filter(|t| !d.temporary && self.is_made_when_read(t));
        let names: Vec<String> = made.map(|t| t.name.to_ascii_lowercase()).collect();
        for name in names {
            if !self.tables.dumped.contains(&name) {
                self.tables.dumped.push(name);
            }
        }
    }

    fn is_made_when_read(&self, t: &TableName<'_>) -> bool {
        self.schema_of(t) == "mysql" && computed(&self.env, "mysql", t.name).is_some()
    }

    /// Whether a dump is speaking of such a table: the session has dropped it. (A replica's workers divide its
    /// statements among them.)
    fn is_dumped(&self, t: &TableName<'_>) -> bool {
        let dropped = self.tables.dumped.iter().any(|n| n.eq_ignore_ascii_case(t.name));
        (dropped || self.env.binlog.has_position()) && self.is_made_when_read(t)
    }

    /// Whether CREATE TABLE names a table of `mysql` that is made when it is read, which is no table of the dictionary:
    /// 1050, with IF NOT EXISTS as a note. Who may not make one is told that instead. A dump's grant table is made.
    pub(crate) fn is_there_already(&mut self, c: &CreateTable<'_>) -> SqlResult<bool> {
        let name = c.table.name;
        let there = !c.temporary
            && self.is_made_when_read(&c.table)
            && self.require_on_table(Privs::CREATE, "mysql", name).is_ok();
        if !there {
            return Ok(false);
        }
        if self.is_dumped(&c.table) {
            if GRANT_TABLES.contains(&name) {
                return Ok(false);
            }
            self.commit_for_ddl()?;
            self.stays(name);
            return Ok(true);
        }
        let e = SqlError::new(ErrorCode::TABLE_EXISTS_ERROR, &[&name]);
        if !c.if_not_exists {
            return Err(e);
        }
        self.commit_for_ddl()?;
        self.env.conv.push(Level::Note, e);
        Ok(true)
    }

    fn stays(&mut self, name: &str) {
        let e = SqlError::new(ErrorCode::NO_SYSTEM_TABLE_ACCESS, &[&"system table", &"mysql", &name]);
        self.env.conv.push(Level::Warning, e);
        self.env.binlog.forget_text();
    }

    /// Whether a statement fills such a table, or switches its keys.
    fn dumped_in<'a>(&self, s: &Statement<'a>) -> Option<TableName<'a>> {
        let keys = |x: &AlterAction<'_>| matches!(x, AlterAction::EnableKeys | AlterAction::DisableKeys);
        let (table, harmless) = match s {
            Statement::Insert(i) => (i.table, i.ignore),
            Statement::AlterTable(a) if !a.actions.is_empty() && a.actions.iter().all(keys) => (a.table, true),
            _ => return None,
        };
        let spoken_of = self.is_dumped(&table) || (harmless && self.is_made_when_read(&table));
        (spoken_of && !GRANT_TABLES.contains(&table.name)).then_some(table)
    }

    /// Whether such a statement has no plan.
    pub(crate) fn leaves_dumped(&self, s: &Statement<'_>) -> bool {
        self.dumped_in(s).is_some()
    }

    /// Runs such a statement: nothing changes. `None`: it is another one.
    pub(crate) fn leave_dumped(&mut self, s: &Statement<'_>) -> Option<SqlResult<Outcome>> {
        let table = self.dumped_in(s)?;
        let need = if matches!(s, Statement::Insert(_)) { Privs::INSERT } else { Privs::ALTER };
        let may = self.require_on_table(need, "mysql", table.name).map(drop);
        Some(may.map(|()| {
            self.stays(table.name);
            Outcome::ok()
        }))
    }
}
