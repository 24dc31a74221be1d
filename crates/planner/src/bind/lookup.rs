//! Which subqueries may be bound a second time as lookups ([`super::keyed_subquery`], [`super::probe`]): one plain
//! block, of which nothing is written that a second binding would say twice.

use parser::ast;

use super::Binder;
use super::merge_derived::mentions_over;

/// The block of a subquery, in whatever parentheses, if it has no clauses but its select list, FROM and WHERE. What
/// else is asked of the query at each level of parentheses says `level`.
pub(super) fn block<'q, 'a>(
    q: &'q ast::QueryExpr<'a>,
    level: fn(&ast::QueryExpr<'a>) -> bool,
) -> Option<(&'q ast::QueryExpr<'a>, &'a ast::Select<'a>)> {
    if q.with.is_some() || q.limit.is_some() || q.into.is_some() || !q.locking.is_empty() || !level(q) {
        return None;
    }
    let s = match q.body {
        ast::QueryBody::Paren(inner) => return block(inner, level),
        ast::QueryBody::Select(s) => s,
        _ => return None,
    };
    let plain = s.options == ast::SelectOptions::default()
        && s.group_by.is_empty()
        && s.having.is_none()
        && s.windows.is_empty()
        && s.hints.is_none()
        && !s.from.is_empty();
    plain.then_some((q, s))
}

impl Binder<'_, '_> {
    /// Whether a block may be bound a second time here.
    pub(super) fn may_look_up(&self, s: &ast::Select<'_>) -> bool {
        !mentions_over(s.span.text(self.sql))
            && !self.st.locking
            && !self.st.dml
            && self.rec.is_none()
            && !self.st.splitting
    }
}
