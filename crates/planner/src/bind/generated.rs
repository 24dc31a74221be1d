//! Conditions on the expression of an indexed generated column become conditions on the column, so that its index serves (manual,
//! "Optimizer Use of Generated Column Indexes"; functional key parts are such columns, hidden ones).
//!
//! Operands of comparisons, BETWEEN and IN are looked at, and what ORDER BY sorts by where nothing is grouped.
//! Expression and column have the same
//! type. Their collations may differ where everything else is constant (`payload->>'$.city'` is utf8mb4_bin, the
//! column has the table's):
//! then the column's counts from now on, as in MySQL, where an index changes the answer so too. Not for `<>` and
//! `<=>`, and not in the ON of outer joins.
//!
//! The column of a multi-valued index holds the elements of its expression, converted; it is no operand. A condition that looks for elements in
//! the expression (MEMBER OF, JSON_CONTAINS, JSON_OVERLAPS) stays as it is, wrapped into [`FuncId::InElements`] with the column and what
//! is looked for, in which the optimizer reads the equality (`opt::sarg`). The condition itself is checked on every row that the index
//! gives, so the index never changes an answer. Literals must be constants to be compared: a statement on such a table does not share its
//! plan ([`has_expressions`]).

use std::sync::Arc;

use base::SqlResult;
use storage::dict::TableDef;
use value::compare::{Comparator, ComparisonKind};

use super::Binder;
use crate::bind::query::OrderKey;
use crate::block::{Leaf, LeafKind};
use crate::expr::{CmpOp, Coercibility, Expr, ExprKind, SlotId};
use crate::func::FuncId;

/// Whether the table has an index on a generated column.
pub(crate) fn has_expressions(def: &TableDef) -> bool {
    let generated = |c: u16| def.columns.get(c as usize).is_some_and(|c| c.generated.is_some());
    def.indexes.iter().any(|i| i.visible && i.parts.iter().any(|p| generated(p.column)))
}

impl Binder<'_, '_> {
    /// Replaces expressions of generated columns of the leaves' tables in conditions.
    pub(crate) fn use_generated(&mut self, cond: &mut Expr, leaves: &[Leaf]) -> SqlResult<()> {
        self.use_generated_in(cond, leaves, true)
    }

    /// The same; `loose`: collations may differ.
    pub(crate) fn use_generated_in(&mut self, cond: &mut Expr, leaves: &[Leaf], loose: bool) -> SqlResult<()> {
        self.with_expressions(leaves, |slot, known, def| replace(cond, &Known { slot, known, def, loose }))
    }

    /// Replaces them in what is sorted by.
    pub(super) fn sort_by_generated(&mut self, order: &mut [OrderKey], leaves: &[Leaf]) -> SqlResult<()> {
        if order.is_empty() {
            return Ok(());
        }
        self.with_expressions(leaves, |slot, known, def| {
            let known = Known { slot, known, def, loose: true };
            for k in order.iter_mut() {
                if let Some(c) = known.column_of(&k.expr, true) {
                    (k.expr, k.item) = (c, None);
                }
            }
        })
    }

    /// Calls `f` for each table with an index on a generated column, with the expressions of these columns.
    fn with_expressions(
        &mut self,
        leaves: &[Leaf],
        mut f: impl FnMut(SlotId, &[(u16, Expr)], &TableDef),
    ) -> SqlResult<()> {
        for leaf in leaves {
            let LeafKind::Base { def, .. } = &leaf.kind else { continue };
            if !has_expressions(def) {
                continue;
            }
            let known = self.indexed_expressions(def, leaf.slot)?;
            f(leaf.slot, &known, def);
        }
        Ok(())
    }

    /// The expressions of the table's generated columns over `slot`; none if they cannot be bound.
    pub(crate) fn generated_exprs(&mut self, def: &Arc<TableDef>, slot: SlotId) -> Vec<(u16, Expr)> {
        let mut bare = TableDef::clone(def);
        bare.checks.clear();
        bare.columns.iter_mut().for_each(|c| c.default = storage::dict::ColumnDefault::None);
        self.table_exprs(&bare, slot).map(|t| t.generated).unwrap_or_default()
    }

    fn indexed_expressions(&mut self, def: &Arc<TableDef>, slot: SlotId) -> SqlResult<Vec<(u16, Expr)>> {
        let mut bare = TableDef::clone(def);
        bare.checks.clear();
        let indexed = |c: u16| def.indexes.iter().any(|i| i.visible && i.parts.iter().any(|p| p.column == c));
        for (i, c) in bare.columns.iter_mut().enumerate() {
            c.default = storage::dict::ColumnDefault::None;
            if !indexed(i as u16) {
                c.generated = None;
            }
        }
        Ok(self.table_exprs(&bare, slot)?.generated)
    }
}

/// The generated columns of a table that have indexes.
struct Known<'k> {
    slot: SlotId,
    known: &'k [(u16, Expr)],
    def: &'k TableDef,
    loose: bool,
}

impl Known<'_> {
    /// The column whose expression this is; `loose`: its collation may be another one.
    fn column_of(&self, e: &Expr, loose: bool) -> Option<Expr> {
        if matches!(e.kind, ExprKind::Column { .. } | ExprKind::Const(_) | ExprKind::Param(_)) {
            return None;
        }
        let (column, _) = self.known.iter().find(|(_, k)| k.same(e))?;
        let c = self.def.columns.get(*column as usize).filter(|c| c.elements.is_none())?;
        let same_type = c.ty.kind == e.ty.kind
            || (c.ty.kind.is_integer() && e.ty.kind.is_integer() && c.ty.unsigned == e.ty.unsigned)
            || (c.ty.kind.is_string() && e.ty.kind.is_string() && !c.ty.kind.is_lob());
        let same = c.ty.collation == e.ty.collation && c.ty.length >= e.ty.length;
        let similar = loose && c.ty.is_character() && e.ty.is_character() && c.ty.charset() == e.ty.charset();
        let fits = !c.ty.kind.is_string() || same || similar;
        let coer = if same { e.coer } else { Coercibility::Implicit };
        (same_type && fits).then(|| Expr {
            kind: ExprKind::Column { slot: self.slot, column: *column },
            ty: c.ty.clone(),
            coer,
        })
    }

    /// Replaces an operand that is compared with constants.
    fn operand(&self, x: &mut Expr, others: &[&Expr], cmp: &mut [&mut Comparator]) {
        let constant = |e: &&Expr| {
            !matches!(e.coer, Coercibility::Explicit)
                && !e.any(&mut |x| matches!(x.kind, ExprKind::Column { .. } | ExprKind::Subquery(..)))
        };
        let texts = cmp.iter().all(|c| matches!(c.kind, ComparisonKind::String(_)));
        let loose = self.loose && texts && others.iter().all(constant);
        let Some(c) = self.column_of(x, loose) else { return };
        if c.ty.kind.is_string() && c.ty.collation != x.ty.collation {
            for (k, o) in cmp.iter_mut().zip(others) {
                **k = Comparator::with_kind(ComparisonKind::String(c.ty.collation), &c.ty, &o.ty);
            }
        }
        *x = c;
    }
}

/// Wraps a condition that looks for elements in the expressions of multi-valued indexes.
fn look_up_elements(e: &mut Expr, slot: SlotId, known: &[(u16, Expr)], def: &TableDef) {
    let ExprKind::Call(f, args) = &e.kind else { return };
    let (list, value) = match (f, args.as_ref()) {
        (FuncId::JsonMemberOf, [value, list]) => (list, value),
        (FuncId::JsonContains, [list, value]) => (list, value),
        (FuncId::JsonOverlaps, [a, b]) if known.iter().any(|(_, k)| k.same(a)) => (a, b),
        (FuncId::JsonOverlaps, [a, b]) => (b, a),
        _ => return,
    };
    let array = |c: u16| def.columns.get(c as usize).filter(|c| c.elements.is_some());
    let columns = known.iter().filter(|(_, k)| k.same(list)).filter_map(|(c, _)| Some((*c, array(*c)?.ty.clone())));
    let columns: Vec<Expr> = columns.map(|(c, ty)| Expr::column(slot, c, ty)).collect();
    let value = value.clone();
    // several indexes may have the same elements, of different types
    for column in columns {
        let (ty, coer) = (e.ty.clone(), e.coer);
        let condition = std::mem::replace(e, Expr::null());
        *e = Expr { kind: ExprKind::Call(FuncId::InElements, Box::new([condition, column, value.clone()])), ty, coer };
    }
}

fn replace(e: &mut Expr, known: &Known<'_>) {
    look_up_elements(e, known.slot, known.known, known.def);
    match &mut e.kind {
        ExprKind::Compare { op, args, cmp } => {
            let strict = Known { loose: known.loose && !matches!(op, CmpOp::Ne | CmpOp::NullSafeEq), ..*known };
            let [a, b] = args.as_mut();
            strict.operand(a, &[b], &mut [cmp]);
            strict.operand(b, &[a], &mut [cmp]);
        }
        ExprKind::Between { args, cmp, .. } => {
            let ([x, low, high], [c, d]) = (args.as_mut(), cmp.as_mut());
            known.operand(x, &[low, high], &mut [c, d]);
        }
        ExprKind::InList { left, list, cmp, .. } => {
            if let [x] = left.as_mut() {
                let others: Vec<&Expr> = list.iter().collect();
                known.operand(x, &others, &mut cmp.iter_mut().collect::<Vec<_>>());
            }
        }
        ExprKind::And(list) | ExprKind::Or(list) => list.iter_mut().for_each(|x| replace(x, known)),
        _ => {}
    }
}
