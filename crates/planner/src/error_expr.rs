//! Expressions as error messages show them (1690 and its like): with the names of columns, `\`schema\`.\`table\`.\`column\``; those of a row that is
//! built (generated columns, functional key parts, defaults) by themselves.
//!
//! Pure functions of the plan. Tested by `tests/sql/golden/mtr.sql`.

use value::OwnedValue;

use crate::expr::{Expr, ExprKind};
use crate::plan::{Plan, SlotDef};

/// The text of an expression of `plan`, executed with `params`.
pub fn expression(e: &Expr, plan: &Plan, params: &[OwnedValue]) -> String {
    let mut e = e.clone();
    fill(&mut e, params);
    crate::explain::print_with(&e, &|slot, column| column_name(plan, slot, column))
}

/// Puts the literals back that were taken out of the statement.
fn fill(e: &mut Expr, params: &[OwnedValue]) {
    match &e.kind {
        ExprKind::Param(i) => {
            if let Some(v) = params.get(*i as usize) {
                e.kind = ExprKind::Const(v.clone());
            }
        }
        ExprKind::UserVar(n) => e.kind = ExprKind::UserVar(format!("`{n}`").into()),
        _ => e.children_mut(&mut |c| fill(c, params)),
    }
}

fn column_name(plan: &Plan, slot: u16, column: u16) -> String {
    if let Some(SlotDef::Table(t)) = plan.slots.get(slot as usize)
        && let Some(def) = plan.tables.get(*t as usize).map(|t| &t.def)
        && let Some(c) = def.columns.get(column as usize)
    {
        return format!("`{}`.`{}`.`{}`", def.schema, def.name, c.name);
    }
    let built = plan.built.iter().find(|(s, _)| *s == slot).and_then(|(_, names)| names.get(column as usize));
    built.map_or_else(|| format!("column{column}"), |name| format!("`{name}`"))
}
