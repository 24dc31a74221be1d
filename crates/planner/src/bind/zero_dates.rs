//! `d IS NULL` in WHERE finds the zero date in a DATE or DATETIME column that is NOT NULL (manual, "Comparison Functions and Operators": IS NULL,
//! for the sake of ODBC programs, which have no zero dates).
//!
//! The condition becomes `d = 0`, and `d IS NULL OR d = 0` on the inner side of an outer join. Only conditions that decide alone or through AND
//! and OR are changed, as in MySQL; `NOT (d IS NULL)`, the select list and HAVING are not.
//!
//! Tested by `tests/sql/golden/zero_dates.sql`.

use value::compare::Comparator;
use value::{OwnedValue, SqlType, TypeKind};

use super::Binder;
use crate::expr::{CmpOp, Coercibility, Expr, ExprKind};
use crate::plan::SlotDef;

impl Binder<'_, '_> {
    /// A WHERE condition with its IS NULL replaced where they mean zero dates too.
    pub(crate) fn find_zero_dates(&self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::And(list) | ExprKind::Or(list) => list.iter_mut().for_each(|x| self.find_zero_dates(x)),
            ExprKind::IsNull(x, false) => {
                let Some(zero) = self.is_zero_date(x) else { return };
                let outer = x.ty.nullable;
                let ty = e.ty.clone();
                let null = std::mem::replace(e, zero);
                if outer {
                    let zero = std::mem::replace(e, Expr::null());
                    *e = Expr { kind: ExprKind::Or(Box::new([null, zero])), ty, coer: Coercibility::Numeric };
                }
            }
            _ => {}
        }
    }

    /// `x = 0` for a column that has zero dates and no NULL.
    fn is_zero_date(&self, x: &Expr) -> Option<Expr> {
        let ExprKind::Column { slot, column } = x.kind else { return None };
        let SlotDef::Table(t) = self.draft.slots.get(slot as usize)? else { return None };
        let c = self.draft.tables.get(*t as usize)?.def.columns.get(column as usize)?;
        let zero = match c.ty.kind {
            TypeKind::Date => OwnedValue::Date(value::Date::ZERO),
            TypeKind::DateTime => OwnedValue::DateTime(value::DateTime::ZERO),
            _ => return None,
        };
        if c.ty.nullable {
            return None;
        }
        let constant = Expr::constant(zero, c.ty.clone());
        let cmp = Box::new(Comparator::new(&x.ty, &constant.ty).ok()?);
        let kind = ExprKind::Compare { op: CmpOp::Eq, args: Box::new([x.clone(), constant]), cmp };
        let ty = SqlType { length: 1, nullable: x.ty.nullable, ..crate::types::longlong(1) };
        Some(Expr { kind, ty, coer: Coercibility::Numeric })
    }
}
