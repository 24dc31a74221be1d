//! Conditions on the expression of an indexed generated column become conditions on the column, so that its index serves (manual,
//! "Optimizer Use of Generated Column Indexes"; functional key parts are such columns, hidden ones).
//!
//! Only operands of comparisons, BETWEEN and IN are looked at, and only where expression and column have the same type, so that the
//! condition means the same.
//!
//! The column of a multi-valued index holds the elements of its expression, converted; it is no operand. A condition that looks for elements in
//! the expression (MEMBER OF, JSON_CONTAINS, JSON_OVERLAPS) stays as it is, wrapped into [`FuncId::InElements`] with the column and what
//! is looked for, in which the optimizer reads the equality (`opt::sarg`). The condition itself is checked on every row that the index
//! gives, so the index never changes an answer. Literals must be constants to be compared: a statement on such a table does not share its
//! plan ([`has_expressions`]).

use std::sync::Arc;

use base::SqlResult;
use storage::dict::TableDef;

use super::Binder;
use crate::block::{Leaf, LeafKind};
use crate::expr::{Expr, ExprKind, SlotId};
use crate::func::FuncId;

/// Whether the table has an index on a generated column.
pub(crate) fn has_expressions(def: &TableDef) -> bool {
    let generated = |c: u16| def.columns.get(c as usize).is_some_and(|c| c.generated.is_some());
    def.indexes.iter().any(|i| i.visible && i.parts.iter().any(|p| generated(p.column)))
}

impl Binder<'_, '_> {
    /// Replaces expressions of generated columns of the leaves' tables in conditions.
    pub(crate) fn use_generated(&mut self, cond: &mut Expr, leaves: &[Leaf]) -> SqlResult<()> {
        for leaf in leaves {
            let LeafKind::Base { def, .. } = &leaf.kind else { continue };
            if !has_expressions(def) {
                continue;
            }
            let known = self.indexed_expressions(def, leaf.slot)?;
            replace(cond, leaf.slot, &known, def);
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

/// The column whose expression this is.
fn column_of(e: &Expr, slot: SlotId, known: &[(u16, Expr)], def: &TableDef) -> Option<Expr> {
    if matches!(e.kind, ExprKind::Column { .. } | ExprKind::Const(_) | ExprKind::Param(_)) {
        return None;
    }
    let (column, _) = known.iter().find(|(_, k)| k.same(e))?;
    let c = def.columns.get(*column as usize).filter(|c| c.elements.is_none())?;
    let same_type = c.ty.kind == e.ty.kind
        || (c.ty.kind.is_integer() && e.ty.kind.is_integer() && c.ty.unsigned == e.ty.unsigned)
        || (c.ty.kind.is_string() && e.ty.kind.is_string() && !c.ty.kind.is_lob());
    let fits = !c.ty.kind.is_string() || (c.ty.collation == e.ty.collation && c.ty.length >= e.ty.length);
    (same_type && fits).then(|| Expr {
        kind: ExprKind::Column { slot, column: *column },
        ty: c.ty.clone(),
        coer: e.coer,
    })
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

fn replace(e: &mut Expr, slot: SlotId, known: &[(u16, Expr)], def: &TableDef) {
    look_up_elements(e, slot, known, def);
    let mut operand = |x: &mut Expr| {
        if let Some(c) = column_of(x, slot, known, def) {
            *x = c;
        }
    };
    match &mut e.kind {
        ExprKind::Compare { args, .. } => args.iter_mut().for_each(&mut operand),
        ExprKind::Between { args, .. } => args.iter_mut().take(1).for_each(&mut operand),
        ExprKind::InList { left, .. } if left.len() == 1 => left.iter_mut().for_each(&mut operand),
        ExprKind::And(list) | ExprKind::Or(list) => list.iter_mut().for_each(|x| replace(x, slot, known, def)),
        _ => {}
    }
}
