//! Triggers of the row that is being inserted, changed or deleted: the one place where the executor comes to them.
//!
//! A table's definition has its triggers in the order in which they run ([`storage::dict::TableDef::triggers`]); the
//! plan of the statement holds the definition, so no list changes while it runs. Whoever runs one stands above
//! ([`crate::programs::NestedStatements::trigger`]). OLD and NEW are values as expressions see them (TIMESTAMP in the
//! session's time zone). Columns that are NOT NULL may be NULL in NEW of a BEFORE trigger and are looked at behind it.
//! Cascades of foreign keys come by no trigger, as in MySQL. A trigger's error is the statement's, also with IGNORE.
//!
//! Tested: golden `program_triggers`.

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use storage::dict::{ProgramDefinition, TableDef, TriggerEvent};
use storage::table::Table;
use value::{OwnedValue, Value};

use super::new_row::convert_value;
use crate::eval::Cx;
use crate::rows::programs::NewRow;

/// The triggers of a table for an event, before or after it.
fn of(def: &TableDef, event: TriggerEvent, before: bool) -> impl Iterator<Item = &Arc<ProgramDefinition>> {
    let fits =
        move |p: &&Arc<ProgramDefinition>| p.trigger.as_ref().is_some_and(|t| (t.event, t.before) == (event, before));
    def.triggers.iter().filter(fits)
}

/// Whether there is one.
#[inline]
pub(super) fn any(def: &TableDef, event: TriggerEvent, before: bool) -> bool {
    !def.triggers.is_empty() && of(def, event, before).next().is_some()
}

/// The table as a statement assigns to it whose BEFORE triggers may still put values into columns that are NOT NULL.
pub(super) fn widened(def: &TableDef) -> TableDef {
    let mut wide = def.clone();
    wide.columns.iter_mut().for_each(|c| c.ty.nullable = true);
    wide
}

fn owned(row: &[Value<'_>]) -> Vec<OwnedValue> {
    row.iter().map(|v| v.to_owned()).collect()
}

fn fire(
    list: &[Arc<ProgramDefinition>],
    old: Option<&[OwnedValue]>,
    mut new: Option<&mut NewRow>,
    cx: &mut Cx<'_>,
) -> SqlResult<()> {
    if cx.env.kernel.applies_rows {
        return Ok(());
    }
    if !list.is_empty() {
        cx.env.fail_before_program()?;
    }
    let (nested, plan) = (cx.env.kernel.nested.clone(), cx.plan);
    list.iter().try_for_each(|t| nested.trigger(t, old, new.as_deref_mut(), plan, cx.env))
}

/// Those before the event; NEW is `row`, which they may change: the columns that they have given a value.
pub(super) fn before<'a>(
    table: &Table,
    event: TriggerEvent,
    old: Option<&[Value<'_>]>,
    row: &mut [Value<'a>],
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Vec<u16>> {
    let list: Vec<_> = of(&table.def, event, true).cloned().collect();
    let (old, mut new) = (old.map(owned), NewRow { values: owned(row), assigned: Vec::new() });
    fire(&list, old.as_deref(), Some(&mut new), cx)?;
    for (to, v) in row.iter_mut().zip(&new.values) {
        *to = v.as_value().copy_into(arena);
    }
    Ok(new.assigned)
}

/// Those after the event, if there are any.
pub(super) fn after(
    table: &Table,
    event: TriggerEvent,
    old: Option<&[Value<'_>]>,
    new: Option<&[Value<'_>]>,
    cx: &mut Cx<'_>,
) -> SqlResult<()> {
    if !any(&table.def, event, false) {
        return Ok(());
    }
    let list: Vec<_> = of(&table.def, event, false).cloned().collect();
    let (old, mut new) = (old.map(owned), new.map(|row| NewRow { values: owned(row), assigned: Vec::new() }));
    fire(&list, old.as_deref(), new.as_mut(), cx)
}

/// BEFORE DELETE of a row.
pub(super) fn before_delete(table: &Table, old: &[Value<'_>], cx: &mut Cx<'_>) -> SqlResult<()> {
    let list: Vec<_> = of(&table.def, TriggerEvent::Delete, true).cloned().collect();
    let old = owned(old);
    fire(&list, Some(&old), None, cx)
}

/// 1048 for a NULL that a BEFORE trigger has given a column that is NOT NULL, whatever the mode.
pub(super) fn refuse_assigned_nulls(def: &TableDef, row: &[Value<'_>], assigned: &[u16]) -> SqlResult<()> {
    let null = |c: &u16| row.get(*c as usize).is_some_and(|v| v.is_null());
    let needed = |c: &u16| def.columns.get(*c as usize).is_some_and(|c| !c.ty.nullable && !c.auto_increment);
    let refused = |c: &&u16| null(c) && needed(c);
    match assigned.iter().filter(refused).min().and_then(|c| def.columns.get(*c as usize)) {
        Some(c) => Err(SqlError::new(ErrorCode::BAD_NULL_ERROR, &[&c.name])),
        None => Ok(()),
    }
}

/// NULL in columns that are NOT NULL, once BEFORE triggers have had their say: 1048, or the type's zero with a
/// warning. `skip`: the AUTO_INCREMENT column, whose value comes later.
pub(super) fn refuse_nulls<'a>(
    def: &TableDef,
    row: &mut [Value<'a>],
    skip: Option<usize>,
    (n, single): (u64, bool),
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<()> {
    for (c, v) in row.iter_mut().enumerate() {
        let Some(column) = def.columns.get(c) else { continue };
        if v.is_null() && !column.ty.nullable && column.generated.is_none() && Some(c) != skip {
            *v = convert_value(Value::Null, &column.ty, def, c, n, single, cx, arena)?;
        }
    }
    Ok(())
}
