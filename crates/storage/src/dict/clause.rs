//! The clause that defines a foreign key, as SHOW CREATE TABLE and the errors 1451 and 1452 print it.
//!
//! Tested: `tests/sql/golden/foreign_keys.sql`.

use super::def::{FkAction, ForeignKeyDef, TableDef};

/// A name in backticks.
pub fn quote(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

fn list<'s>(names: impl Iterator<Item = &'s str>) -> String {
    names.map(quote).collect::<Vec<_>>().join(", ")
}

impl ForeignKeyDef {
    /// `CONSTRAINT .. FOREIGN KEY .. REFERENCES .. ON ..`, of a key of the table `t`; the parent's schema only where it
    /// is another one.
    pub fn clause(&self, t: &TableDef) -> String {
        let own = self.columns.iter().filter_map(|c| t.columns.get(*c as usize)).map(|c| c.name.as_str());
        let parent = if self.parent.0 == t.schema {
            quote(&self.parent.1)
        } else {
            format!("{}.{}", quote(&self.parent.0), quote(&self.parent.1))
        };
        let action = |event: &str, a: FkAction| match a {
            FkAction::NoAction => String::new(),
            FkAction::Restrict => format!(" ON {event} RESTRICT"),
            FkAction::Cascade => format!(" ON {event} CASCADE"),
            FkAction::SetNull => format!(" ON {event} SET NULL"),
            FkAction::SetDefault => format!(" ON {event} SET DEFAULT"),
        };
        format!(
            "CONSTRAINT {} FOREIGN KEY ({}) REFERENCES {parent} ({}){}{}",
            quote(&self.name),
            list(own),
            list(self.parent_columns.iter().map(String::as_str)),
            action("DELETE", self.on_delete),
            action("UPDATE", self.on_update)
        )
    }

    /// What 1451 and 1452 say in their parentheses.
    pub fn describe(&self, t: &TableDef) -> String {
        format!("{}.{}, {}", quote(&t.schema), quote(&t.name), self.clause(t))
    }
}
