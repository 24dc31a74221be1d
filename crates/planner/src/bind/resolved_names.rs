//! Noting what names turn out to mean, for [`parser::print`]: only while a view is being made ([`Binder::rec`] is there).

use parser::ast;
use parser::print::{Name, join_key};

use super::Binder;
use super::scope::{Scope, ScopeTable};
use crate::block::OutColumn;
use crate::expr::Expr;

/// How a column of a table in scope is printed: with the schema only if the table goes by its own name, or `schemas`.
pub(crate) fn column_name(t: &ScopeTable, i: usize, schemas: bool) -> Name {
    let schema = t.schema.clone().filter(|_| schemas || !t.aliased);
    // the rows of a set operation have no name
    let table = Some(t.alias.clone()).filter(|a| !a.is_empty());
    Name { schema, table, column: t.columns.get(i).map_or(String::new(), |c| c.name.clone()) }
}

impl Binder<'_, '_> {
    /// A column reference is column `i` of table `t` of the scope at `depth`.
    pub(crate) fn record_column(&mut self, c: &ast::ColumnRef<'_>, depth: usize, t: usize, i: usize) {
        if let Some(rec) = &mut self.rec
            && let Some(table) = self.scopes.get(depth).and_then(|s| s.tables.get(t))
        {
            let name = column_name(table, i, rec.schemas);
            rec.columns.insert(c.span.start, name);
        }
    }

    /// A column reference is an alias of the select list. One that only repeats its column's name is that column.
    pub(crate) fn record_alias(&mut self, c: &ast::ColumnRef<'_>, depth: usize, e: &Expr) {
        if self.rec.is_none() {
            return;
        }
        if let Some((t, i)) = self.scopes.get(depth).and_then(|s| plain(s, c, e)) {
            self.record_column(c, depth, t, i);
        } else if let Some(rec) = &mut self.rec {
            let name = Name { schema: None, table: None, column: c.column.to_owned() };
            rec.columns.insert(c.span.start, name);
        }
    }

    /// A table of FROM; `None` for a common table expression.
    pub(crate) fn record_table(&mut self, span: ast::Span, schema: Option<String>) {
        if let Some(rec) = &mut self.rec {
            rec.tables.insert(span.start, schema);
        }
    }

    /// One pair of columns of USING or NATURAL. `swapped`: the join is a RIGHT JOIN, printed as a LEFT JOIN.
    pub(crate) fn record_using(&mut self, span: ast::Span, l: (usize, usize), r: (usize, usize), swapped: bool) {
        let Some(rec) = &mut self.rec else { return };
        let Some(scope) = self.scopes.last() else { return };
        let schemas = rec.schemas;
        let name = |(t, i): (usize, usize)| scope.tables.get(t).map(|t| column_name(t, i, schemas));
        if let (Some(a), Some(b)) = (name(l), name(r)) {
            let pair = if swapped { (b, a) } else { (a, b) };
            rec.joins.entry(join_key(span)).or_default().push(pair);
        }
    }

    /// A USING or NATURAL join begins: forget what an earlier attempt noted.
    pub(crate) fn record_join(&mut self, span: ast::Span) {
        if let Some(rec) = &mut self.rec {
            rec.joins.insert(join_key(span), Vec::new());
        }
    }

    /// `*` or `t.*` stands for these columns (table, column) with these names.
    pub(crate) fn record_wildcard(&mut self, span: ast::Span, list: &[(usize, usize)], columns: &[OutColumn]) {
        let Some(rec) = &mut self.rec else { return };
        let Some(scope) = self.scopes.last() else { return };
        let schemas = rec.schemas;
        let found = list.iter().zip(columns).filter_map(|(&(t, i), c)| {
            let table = scope.tables.get(t)?;
            Some((column_name(table, i, schemas), c.name.clone()))
        });
        rec.wildcards.insert(span.start, found.collect());
    }

    /// The name of a result column.
    pub(crate) fn record_item(&mut self, span: ast::Span, name: &str) {
        if let Some(rec) = &mut self.rec {
            rec.items.insert(span.start, name.to_owned());
        }
    }
}

/// The column of this name, if it is what the alias stands for.
fn plain(s: &Scope, c: &ast::ColumnRef<'_>, e: &Expr) -> Option<(usize, usize)> {
    let (t, i) = s.find(c).ok().flatten()?;
    s.column_expr(t, i).is_some_and(|x| x.alike(e)).then_some((t, i))
}
