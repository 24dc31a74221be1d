//! Which error a change in a read-only transaction has: MySQL refuses to open a table for it (1792) before it looks whether the table is there, and
//! long before it looks at columns. Temporary tables may be changed, so that what is wrong with such a statement is told of.
//!
//! Tested: `tests/sql/golden/order_of_errors.sql`.

use base::{ErrorCode, SqlError};
use executor::gate::Gate;
use parser::ast::{DeleteTarget, QueryBody, Statement, TableName, TableRef};
use planner::resolve::{Verb, Wish};

use crate::kernel::session::Session;

/// What is found out about names, columns and values once the tables are open.
const LATER: [ErrorCode; 8] = [
    ErrorCode::BAD_DB_ERROR,
    ErrorCode::NO_SUCH_TABLE,
    ErrorCode::BAD_FIELD_ERROR,
    ErrorCode::NON_UNIQ_ERROR,
    ErrorCode::WRONG_VALUE_COUNT_ON_ROW,
    ErrorCode::FIELD_SPECIFIED_TWICE,
    ErrorCode::NON_UPDATABLE_TABLE,
    ErrorCode::INVALID_GROUP_FUNC_USE,
];

impl Session {
    /// The error of a statement that could not be planned: 1792, or 1142 for a table that may not be changed, where those come first.
    pub(crate) fn barred(&self, s: &Statement<'_>, e: SqlError) -> SqlError {
        if !LATER.iter().any(|c| e.is(*c)) || self.check_transaction_access().is_ok() {
            return e;
        }
        let mut tables = Vec::new();
        let verb = opened(s, &mut tables);
        let temporary = |t: &&TableName<'_>| self.env.temp.find(&self.schema_of(t), t.name).is_some();
        let Some(first) = tables.iter().find(|t| !temporary(t)) else { return e };
        let denied = Gate::new(&self.env).admit(&self.schema_of(first), first.name, &Wish { verb, via: None });
        denied.err().unwrap_or_else(|| SqlError::new(ErrorCode::CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, &[]))
    }
}

/// The tables that a statement opens for changes or FOR UPDATE, as far as it begins with them, and what it does to them.
fn opened<'a>(s: &Statement<'a>, out: &mut Vec<TableName<'a>>) -> Verb {
    match s {
        Statement::Insert(i) => {
            out.push(i.table);
            if i.replace { Verb::Replace } else { Verb::Insert }
        }
        Statement::Update(u) => {
            u.tables.iter().for_each(|t| names(t, out));
            Verb::Update
        }
        Statement::Delete(d) => {
            match d.target {
                DeleteTarget::Single { table, .. } => out.push(table),
                DeleteTarget::Multi { from, .. } => from.iter().for_each(|t| names(t, out)),
            }
            Verb::Delete
        }
        Statement::Query(q) => {
            let locked = q.locking.iter().any(|l| matches!(l.strength, parser::ast::LockStrength::Update));
            if let (true, QueryBody::Select(s)) = (locked, &q.body) {
                s.from.iter().for_each(|t| names(t, out));
            }
            Verb::Select
        }
        _ => Verb::Select,
    }
}

fn names<'a>(t: &TableRef<'a>, out: &mut Vec<TableName<'a>>) {
    match t {
        TableRef::Table(f) => out.push(f.name),
        TableRef::Join(j) => {
            names(&j.left, out);
            names(&j.right, out);
        }
        TableRef::Paren(list) => list.iter().for_each(|t| names(t, out)),
        TableRef::Derived(_) | TableRef::JsonTable(_) => {}
    }
}
