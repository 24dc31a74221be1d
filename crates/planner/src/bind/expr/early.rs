//! Which constants of comparisons MySQL reads before any row: [`crate::plan::EarlyConstant`].

use value::TypeKind;
use value::compare::{Comparator, ComparisonKind};

use super::super::Binder;
use super::super::scope::Clause;
use super::compare::is_text;
use crate::expr::{Expr, ExprKind, date_name};
use crate::plan::{EarlyConstant, EarlyRole};

impl Binder<'_, '_> {
    /// The operands of a comparison by an operator.
    pub(super) fn compared_early(&mut self, l: &Expr, r: &Expr, cmp: &Comparator) {
        for (column, e) in [(l, r), (r, l)] {
            if column.ty.kind.has_date() || column.ty.kind == TypeKind::Time {
                self.stored_early(column, e);
            } else if column.ty.kind.is_numeric() {
                self.folded_early(column, e, cmp.kind);
            }
        }
    }

    /// The limits of BETWEEN beside a date or time. Text beside a date is read for each row instead.
    pub(super) fn between_early(&mut self, x: &Expr, limits: [&Expr; 2]) {
        for e in limits {
            if x.ty.kind == TypeKind::Time || x.ty.kind.has_date() && e.ty.kind.is_numeric() {
                self.stored_early(x, e);
            }
            self.named(x, e);
        }
    }

    /// Text beside a column of dates that is read for each row: what is said of it names the column.
    pub(super) fn named(&mut self, column: &Expr, e: &Expr) {
        if is_column(column) && column.ty.kind.has_date() && is_cast_text(e) {
            self.early(column, e, EarlyRole::Named);
        }
    }

    /// The members of a list of IN, if they are constants that are all compared alike.
    pub(super) fn listed_early(&mut self, left: &[Expr], list: &[Expr], cmp: &[Comparator]) {
        let ([x], Some(first)) = (left, cmp.first()) else { return };
        let alike = cmp.iter().all(|c| c.kind == first.kind);
        let number = |e: &Expr| e.ty.kind.is_numeric();
        let null = |e: &Expr| e.ty.kind == TypeKind::Null;
        let temporal = x.ty.kind.is_temporal();
        let mixed = temporal && list.iter().any(number) && !list.iter().all(|e| number(e) || null(e));
        if !alike || mixed || x.is_const() || !list.iter().all(|e| self.is_early(e)) {
            list.iter().for_each(|e| self.named(x, e));
            return;
        }
        for e in list.iter().filter(|e| !null(e)) {
            if temporal || number(x) && is_text(&e.ty) && first.kind == ComparisonKind::Double {
                self.early(x, e, EarlyRole::Listed);
            }
        }
    }

    /// A constant that is stored into the column that it is compared with; text beside another date must be one, too.
    fn stored_early(&mut self, column: &Expr, e: &Expr) {
        let date = column.ty.kind.has_date() && (is_date_constant(e) || is_column(column) && e.ty.kind.is_numeric());
        let time = column.ty.kind == TypeKind::Time && is_column(column) && (is_text(&e.ty) || e.ty.kind.is_numeric());
        if (date || time) && self.is_early(e) {
            self.early(column, e, EarlyRole::Compared);
        }
    }

    /// Text beside a number column in a condition.
    fn folded_early(&mut self, column: &Expr, e: &Expr, kind: ComparisonKind) {
        let condition = matches!(self.clause(), Clause::Where | Clause::On | Clause::Having);
        // what is computed is folded for a DECIMAL alone
        let literal = matches!(e.kind, ExprKind::Const(_) | ExprKind::Param(_));
        let number = kind == ComparisonKind::Decimal || kind == ComparisonKind::Double && literal;
        if condition && number && is_column(column) && e.ty.kind.is_string() && self.is_early(e) {
            self.early(column, e, EarlyRole::Folded(kind));
        }
    }

    /// A constant, none of what is sent for it is a parameter of a prepared statement.
    fn is_early(&self, e: &Expr) -> bool {
        e.is_const() && (self.param_types.is_empty() || !e.has_param())
    }

    /// What is folded in the condition of an outer join, whose constants from the `from`th on these are, is read with the rows.
    pub(in crate::bind) fn not_folded(&mut self, from: usize) {
        let constants = &mut self.draft.notes.constants;
        let on = constants.split_off(from.min(constants.len()));
        constants.extend(on.into_iter().filter(|c| !matches!(c.role, EarlyRole::Folded(_))));
    }

    fn early(&mut self, beside: &Expr, e: &Expr, role: EarlyRole) {
        let column = is_column(beside).then(|| self.plain_name(beside).into());
        self.draft.notes.constants.push(EarlyConstant { value: e.clone(), beside: beside.ty.clone(), column, role });
    }
}

fn is_column(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Column { .. })
}

/// Text that is cast to a date because it is compared with one.
fn is_date_constant(e: &Expr) -> bool {
    is_cast_text(e) && date_name(e.coer).is_some()
}

fn is_cast_text(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Cast(of) if e.ty.kind == TypeKind::DateTime && of.ty.kind.is_string())
}
