//! INSERT ... SELECT ... ON DUPLICATE KEY UPDATE: the assignments may name columns of the SELECT's tables (manual, "INSERT ... ON
//! DUPLICATE KEY UPDATE Statement"). They are bound twice: once to learn which names the target table does not know, then, with
//! the SELECT bound and those columns appended to its list as hidden items, for good. At run time the hidden values of each row lie in a
//! tuple slot of their own ([`crate::plan::InsertPlan::source_slot`]). A SELECT that groups or is a set operation has no such columns: 1054.
//! DISTINCT looks at the select list alone: the others have the values of the first of equal rows.
//!
//! Tested: `tests/sql/golden/suites.sql`.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;

use super::scope::{Clause, ScopeColumn, ScopeTable, same_name};
use super::{Binder, Scope};
use crate::block::OutColumn;
use crate::expr::{Expr, ExprKind, SlotId};

/// `t.c` or `c`, as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    table: Option<String>,
    column: String,
}

/// State of the two passes.
#[derive(Default, Debug)]
pub(crate) struct SourceNames {
    /// First pass: names that were not found.
    missing: Option<Vec<Name>>,
    /// First pass: names of the target's columns in values.
    found: Vec<Name>,
    /// Columns that the next query block appends to its select list.
    hidden: Vec<Name>,
}

impl SourceNames {
    /// A name that was not found; whether the first pass is under way.
    pub(crate) fn note(&mut self, c: &ast::ColumnRef<'_>) -> bool {
        let Some(list) = &mut self.missing else { return false };
        let name = Name { table: c.table.map(str::to_owned), column: c.column.to_owned() };
        if !list.contains(&name) {
            list.push(name);
        }
        true
    }

    /// A name of the target's column in a value of the first pass.
    pub(crate) fn note_found(&mut self, c: &ast::ColumnRef<'_>) {
        if self.missing.is_some() {
            self.found.push(Name { table: c.table.map(str::to_owned), column: c.column.to_owned() });
        }
    }

    /// VALUES(c) names the target's column whatever the SELECT has.
    pub(crate) fn forget_found(&mut self) {
        self.found.pop();
    }

    /// What the next block appends, and names that it must not know.
    pub(crate) fn take_hidden(&mut self) -> (Vec<Name>, Vec<Name>) {
        (std::mem::take(&mut self.hidden), std::mem::take(&mut self.found))
    }
}

impl<'a> Binder<'a, '_> {
    /// First pass: `bind` binds the assignments; the names it does not find are asked of `q`, which must be a plain SELECT.
    pub(crate) fn source_names(&mut self, q: &ast::QueryExpr<'a>, bind: impl FnOnce(&mut Self)) -> Vec<Name> {
        let ast::QueryBody::Select(_) = q.body else { return Vec::new() };
        self.source.missing = Some(Vec::new());
        bind(self);
        let names = self.source.missing.take().unwrap_or_default();
        // a name of the SELECT's tables too is ambiguous there (`hidden_items`)
        self.source.hidden.clone_from(&names);
        names
    }

    /// 1054 for an assignment to what is no column of the target.
    pub(crate) fn check_assigned(&mut self, list: &[ast::Assignment<'a>], slot: SlotId) -> SqlResult<()> {
        for a in list {
            let target = self.assigned_column(&a.column)?;
            let other = matches!(target.kind, ExprKind::Column { slot: s, .. } if s != slot);
            if other && self.source.missing.is_none() {
                let name = super::scope::written(&a.column);
                return Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&name, &"field list"]));
            }
        }
        Ok(())
    }

    /// Appends the hidden columns to a select list.
    pub(crate) fn hidden_items(
        &mut self,
        (names, found): &(Vec<Name>, Vec<Name>),
        grouped: bool,
        items: &mut Vec<Expr>,
        columns: &mut Vec<OutColumn>,
    ) -> SqlResult<()> {
        if let Some(n) = found.iter().filter(|_| !grouped).find(|n| {
            let c = ast::ColumnRef {
                span: ast::Span::default(),
                schema: None,
                table: n.table.as_deref(),
                column: &n.column,
            };
            self.scopes.last().is_some_and(|s| !matches!(s.find(&c), Ok(None)))
        }) {
            let name = n.table.as_ref().map_or_else(|| n.column.clone(), |t| format!("{t}.{}", n.column));
            return Err(SqlError::new(ErrorCode::NON_UNIQ_ERROR, &[&name, &"field list"]));
        }
        if !names.is_empty() {
            self.scope()?.clause = Some(Clause::Fields);
        }
        for n in names {
            if grouped {
                let name = n.table.as_ref().map_or_else(|| n.column.clone(), |t| format!("{t}.{}", n.column));
                return Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&name, &"field list"]));
            }
            let span = ast::Span::default();
            let e =
                self.column(&ast::ColumnRef { span, schema: None, table: n.table.as_deref(), column: &n.column })?;
            columns.push(OutColumn { name: String::new(), ty: e.ty.clone(), origin: None });
            items.push(e);
        }
        Ok(())
    }
}

/// Second pass: the hidden columns as tables of the assignments' scope, one for each qualifier.
pub(crate) fn add_source(scope: &mut Scope, names: &[Name], slot: SlotId, hidden: &[Expr]) {
    let mut qualifiers: Vec<&Option<String>> = Vec::new();
    for n in names {
        let known = |q: &&Option<String>| match (*q, &n.table) {
            (Some(a), Some(b)) => same_name(a, b),
            (None, None) => true,
            _ => false,
        };
        if !qualifiers.iter().any(known) {
            qualifiers.push(&n.table);
        }
    }
    for q in qualifiers {
        let columns = names
            .iter()
            .zip(hidden)
            .map(|(n, e)| ScopeColumn {
                name: if n.table == *q { n.column.clone() } else { String::new() },
                ty: e.ty.clone(),
                invisible: false,
                coer: e.coer,
                origin: None,
            })
            .collect();
        let at = scope.tables.len();
        if q.is_none() {
            scope.visible.extend(names.iter().enumerate().filter(|(_, n)| n.table.is_none()).map(|(i, _)| (at, i)));
        }
        let alias = q.clone().unwrap_or_default();
        scope.tables.push(ScopeTable {
            schema: None,
            alias,
            aliased: true,
            slot,
            columns,
            nullable: false,
            merged: None,
            view: None,
        });
    }
}
