//! Definitions: which privileges each statement needs that makes, changes or drops something (manual, "Privileges Required" of each), and the proof that
//! [`crate::ddl`] asks for.
//!
//! MySQL asks before it looks whether what is named exists: 1142 for tables and views, 1044 for databases. A session's own temporary tables need nothing.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use parser::ast::{AlterAction, Statement, TableElement, TableName};

use super::Gate;

/// What makes something, as far as performance_schema goes.
const MAKING: Privs = Privs(Privs::CREATE.0 | Privs::INDEX.0);

/// A statement of data definition that the session's account may run now.
#[derive(Clone, Copy, Debug)]
pub struct ClearedDdl<'s, 'a> {
    statement: &'s Statement<'a>,
}

impl<'s, 'a> ClearedDdl<'s, 'a> {
    /// The statement.
    pub fn statement(self) -> &'s Statement<'a> {
        self.statement
    }
}

impl Gate<'_> {
    /// Looks at what a statement of data definition names.
    ///
    /// # Errors
    /// 1142, 1044.
    pub fn ddl<'s, 'a>(&self, statement: &'s Statement<'a>) -> SqlResult<ClearedDdl<'s, 'a>> {
        if !self.only_temporary(statement) {
            self.definition(statement)?;
        } else if let Statement::AlterTable(a) = statement {
            // its new name needs what a new table needs
            a.actions.iter().try_for_each(|action| match action {
                AlterAction::RenameTable(to) => self.on_table(Privs::CREATE.with(Privs::INSERT), to),
                _ => Ok(()),
            })?;
        }
        Ok(ClearedDdl { statement })
    }

    /// The ALTER TABLE ... FORCE that OPTIMIZE TABLE is, which needs SELECT and INSERT; with LOCAL (`unlogged`) OPTIMIZE_LOCAL_TABLE alone.
    ///
    /// # Errors
    /// 1142, 1227; 1235 for any other statement.
    pub fn rebuild<'s, 'a>(&self, statement: &'s Statement<'a>, unlogged: bool) -> SqlResult<ClearedDdl<'s, 'a>> {
        let Statement::AlterTable(a) = statement else { return Err(SqlError::unsupported("rebuilding this")) };
        if !matches!(a.actions, [AlterAction::Force]) {
            return Err(SqlError::unsupported("rebuilding a table in this way"));
        }
        if !unlogged {
            self.on_table(Privs::SELECT.with(Privs::INSERT), &a.table)?;
        } else if !self.env.security.account.privileges.holds_dynamic("OPTIMIZE_LOCAL_TABLE") {
            return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"OPTIMIZE_LOCAL_TABLE"]));
        }
        Ok(ClearedDdl { statement })
    }

    fn schema_of(&self, t: &TableName<'_>) -> String {
        t.schema.or(self.env.schema.as_deref()).unwrap_or("").to_owned()
    }

    fn is_temporary(&self, t: &TableName<'_>) -> bool {
        self.env.temp.find(&self.schema_of(t), t.name).is_some()
    }

    /// Whether a statement changes temporary tables only.
    pub fn only_temporary(&self, s: &Statement<'_>) -> bool {
        let temp = |t: &TableName<'_>| self.is_temporary(t);
        match s {
            // under another name it is still the session's own
            Statement::AlterTable(a) => temp(&a.table),
            Statement::DropTable(d) => d.tables.iter().all(temp),
            Statement::TruncateTable(t) => temp(t),
            Statement::CreateIndex(c) => temp(&c.table),
            Statement::DropIndex(d) => temp(&d.table),
            _ => false,
        }
    }

    /// 1142 unless the account has all of these privileges on a table; 1046 without a database.
    fn on_table(&self, need: Privs, t: &TableName<'_>) -> SqlResult<()> {
        if t.schema.is_none() && self.env.schema.is_none() {
            return Err(SqlError::new(ErrorCode::NO_DB_ERROR, &[]));
        }
        let schema = self.schema_of(t);
        // nothing is made or changed there by anybody
        let computed = schema.eq_ignore_ascii_case("performance_schema") && !need.and(MAKING).is_none();
        if computed || schema.eq_ignore_ascii_case("information_schema") {
            let a = &self.env.security.account;
            return Err(SqlError::new(ErrorCode::DBACCESS_DENIED_ERROR, &[&a.user, &a.host, &schema]));
        }
        let missing = need.without(self.env.security.account.privileges.on_table(&schema, t.name));
        if missing.is_none() { Ok(()) } else { Err(self.denied(missing, t.name)) }
    }

    /// 1044 unless the account has these privileges on a database.
    fn on_schema(&self, need: Privs, schema: &str) -> SqlResult<()> {
        let a = &self.env.security.account;
        if a.privileges.on_database(schema).has(need) {
            return Ok(());
        }
        Err(SqlError::new(ErrorCode::DBACCESS_DENIED_ERROR, &[&a.user, &a.host, &schema]))
    }

    /// The table whose definition CREATE TABLE ... LIKE shows.
    fn model(&self, like: &TableName<'_>) -> SqlResult<()> {
        if self.is_temporary(like) { Ok(()) } else { self.on_table(Privs::SELECT, like) }
    }

    /// The parent of a foreign key; without a schema it is in the child's.
    fn parent(&self, parent: &TableName<'_>, child: &TableName<'_>) -> SqlResult<()> {
        let schema = self.schema_of(child);
        self.on_table(Privs::REFERENCES, &TableName { schema: parent.schema.or(Some(&schema)), ..*parent })
    }

    fn moved(&self, from: &TableName<'_>, to: &TableName<'_>) -> SqlResult<()> {
        self.on_table(Privs::ALTER.with(Privs::DROP), from)?;
        self.on_table(Privs::CREATE.with(Privs::INSERT), to)
    }

    fn definition(&self, s: &Statement<'_>) -> SqlResult<()> {
        match s {
            Statement::CreateTable(c) => {
                if c.temporary {
                    self.on_schema(Privs::CREATE_TEMPORARY_TABLES, &self.schema_of(&c.table))?;
                } else {
                    let filled = if c.select.is_some() { Privs::INSERT } else { Privs::NONE };
                    self.on_table(Privs::CREATE.with(filled), &c.table)?;
                    c.elements.iter().filter_map(parent_of).try_for_each(|p| self.parent(p, &c.table))?;
                }
                c.like.iter().try_for_each(|l| self.model(l))
            }
            Statement::AlterTable(a) => {
                self.on_table(Privs::ALTER, &a.table)?;
                a.actions.iter().try_for_each(|action| match action {
                    AlterAction::RenameTable(to) => self.moved(&a.table, to),
                    AlterAction::AddForeignKey(f) => self.parent(&f.references.table, &a.table),
                    AlterAction::AddElements(list) => {
                        list.iter().filter_map(parent_of).try_for_each(|p| self.parent(p, &a.table))
                    }
                    _ => Ok(()),
                })
            }
            Statement::DropTable(d) if d.temporary => Ok(()),
            Statement::DropTable(d) => {
                let kept = d.tables.iter().filter(|t| !self.is_temporary(t));
                kept.into_iter().try_for_each(|t| self.on_table(Privs::DROP, t))
            }
            Statement::TruncateTable(t) => self.on_table(Privs::DROP, t),
            Statement::RenameTable(pairs) => pairs.iter().try_for_each(|(from, to)| self.moved(from, to)),
            Statement::CreateIndex(c) => self.on_table(Privs::INDEX, &c.table),
            Statement::DropIndex(d) => self.on_table(Privs::INDEX, &d.table),
            Statement::DropView(v) => v.views.iter().try_for_each(|t| self.on_table(Privs::DROP, t)),
            Statement::CreateDatabase(c) => self.on_schema(Privs::CREATE, c.name),
            Statement::AlterDatabase(a) => {
                self.on_schema(Privs::ALTER, a.name.or(self.env.schema.as_deref()).unwrap_or(""))
            }
            Statement::DropDatabase { name, .. } => self.on_schema(Privs::DROP, name),
            _ => Err(SqlError::unsupported("this statement as data definition")),
        }
    }
}

/// The parent that a table element refers to.
fn parent_of<'a>(e: &'a TableElement<'a>) -> Option<&'a TableName<'a>> {
    match e {
        TableElement::ForeignKey(f) => Some(&f.references.table),
        _ => None,
    }
}
