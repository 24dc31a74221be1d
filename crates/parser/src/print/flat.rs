//! FROM and WHERE as EXPLAIN's note shows them: inner joins are a plain list, and their conditions stand in WHERE before what was written there.
//!
//! Tested in `tests/sql/golden/explain.sql`.

use super::{Printer, join_key};
use crate::ast::*;

impl Printer<'_, '_> {
    /// FROM's tables and WHERE; joins are printed as they were written unless the text is EXPLAIN's.
    pub(super) fn tables_where(&mut self, from: &[TableRef<'_>], condition: Option<&Expr<'_>>) {
        if self.style.select_ids {
            let mut parts = self.flat_tables(from);
            return self.flat_where(condition, &mut parts);
        }
        if !from.is_empty() {
            self.from(from);
        }
        if let Some(w) = condition {
            self.put(" where ");
            self.condition(w);
        }
    }

    /// Prints tables; the conditions of their inner joins.
    pub(super) fn flat_tables(&mut self, from: &[TableRef<'_>]) -> Vec<String> {
        let mut parts = Vec::new();
        for (i, r) in from.iter().enumerate() {
            if i > 0 {
                self.put(" join ");
            }
            self.flat(r, &mut parts);
        }
        parts
    }

    /// WHERE with the conditions in `parts` before its own.
    pub(super) fn flat_where(&mut self, condition: Option<&Expr<'_>>, parts: &mut Vec<String>) {
        if let Some(w) = condition {
            self.conjuncts(w, parts);
        }
        if !parts.is_empty() {
            self.put(" where ");
            self.conjunction(parts);
        }
    }

    /// Prints one table of FROM; the conditions of its inner joins are added to `parts`.
    fn flat(&mut self, r: &TableRef<'_>, parts: &mut Vec<String>) {
        match r {
            TableRef::Join(j) if matches!(j.kind, JoinKind::Inner | JoinKind::Straight) => {
                self.flat(&j.left, parts);
                self.put(if j.kind == JoinKind::Inner { " join " } else { " straight_join " });
                self.flat(&j.right, parts);
                self.join_parts(j, parts);
            }
            TableRef::Join(j) => {
                let right = j.kind == JoinKind::Right;
                let (left, inner) = if right { (&j.right, &j.left) } else { (&j.left, &j.right) };
                self.flat(left, parts);
                self.put(" left join ");
                let mut on = Vec::new();
                let several = matches!(inner, TableRef::Join(_)) || matches!(inner, TableRef::Paren(l) if l.len() > 1);
                let text = self.apart(|p| p.flat(inner, &mut on));
                self.put(&if several { format!("({text})") } else { text });
                self.join_parts(j, &mut on);
                self.put(" on(");
                if on.is_empty() {
                    self.put("true");
                }
                self.conjunction(&on);
                self.put(")");
            }
            TableRef::Paren(list) => {
                for (i, r) in list.iter().enumerate() {
                    if i > 0 {
                        self.put(" join ");
                    }
                    self.flat(r, parts);
                }
            }
            r => self.table_ref(r),
        }
    }

    /// What a join compares.
    fn join_parts(&mut self, j: &Join<'_>, parts: &mut Vec<String>) {
        for pair in self.names.joins.get(&join_key(j.span)).cloned().unwrap_or_default() {
            parts.push(self.apart(|p| p.equalities(std::slice::from_ref(&pair))));
        }
        if let JoinCondition::On(e) = j.condition {
            self.conjuncts(e, parts);
        }
    }

    fn conjuncts(&mut self, e: &Expr<'_>, parts: &mut Vec<String>) {
        match e.unparen().kind {
            ExprKind::And(list) => list.iter().for_each(|e| self.conjuncts(e, parts)),
            _ => parts.push(self.apart(|p| p.condition(e))),
        }
    }

    fn conjunction(&mut self, parts: &[String]) {
        match parts {
            [one] => self.put(one),
            [] => {}
            many => self.put(&format!("({})", many.join(" and "))),
        }
    }
}
