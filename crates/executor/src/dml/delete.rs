//! DELETE.

use base::{SqlError, SqlResult};
use bumpalo::Bump;
use planner::plan::{DeletePlan, Target};
use std::sync::Arc;
use storage::StorageError;
use storage::dict::TriggerEvent;
use storage::table::{ReadMode, Table, TableCursor};
use value::{TypeKind, Value};

use super::collected::{self, Found};
use super::foreign::Neighbours;
use super::{fail_strictly, foreign, logged, multi_table, swallow, triggers};
use crate::dml::DmlResult;
use crate::eval::Cx;
use crate::ops::Operators;
use crate::rows::spill::set::KeySet;

/// Runs the statement.
pub(super) fn run<'e>(plan: &'e DeletePlan, ops: &Operators<'e>, cx: &mut Cx<'e>) -> SqlResult<DmlResult> {
    let mut op = ops.build(&plan.source, cx);
    let (mut affected, mut said) = (0, 0);
    let mut neighbours = Neighbours::default();
    if plan.multi {
        affected = multi_table::delete(plan, &mut op, cx)?;
    } else if plan.buffered {
        let slots: Vec<u16> = plan.targets.iter().map(|t| t.slot).collect();
        let mut rows = Found::read(&mut op, slots, &plan.order, plan.limit.as_ref(), cx)?;
        let mut done = KeySet::default();
        fail_strictly(&mut said, cx)?;
        while rows.next(cx)? {
            for t in &plan.targets {
                if !collected::first_time(t.slot, &mut done, cx)? {
                    continue;
                }
                affected += delete(t, plan.ignore, cx, &mut neighbours)?;
            }
            cx.tick()?;
        }
    } else {
        op.open(cx)?;
        while op.next(cx)? {
            fail_strictly(&mut said, cx)?;
            for t in &plan.targets {
                affected += delete(t, plan.ignore, cx, &mut neighbours)?;
            }
            cx.tick()?;
        }
    }
    if plan.multi {
        cx.env.counts.found_rows = 0;
    }
    Ok(DmlResult { affected, last_insert_id: 0, info: String::new() })
}

/// Deletes the row of a target whose key its slot holds; 1, or 0 if it is gone.
pub(super) fn delete(t: &Target, ignore: bool, cx: &mut Cx<'_>, neighbours: &mut Neighbours) -> SqlResult<u64> {
    let Some(table) = cx.tables.get(t.table as usize).cloned() else { return Err(SqlError::unsupported("table")) };
    let key = cx.slots.get(t.slot as usize).map(|s| s.key.clone()).unwrap_or_default();
    let arena = Bump::new();
    let fires =
        triggers::any(&table.def, TriggerEvent::Delete, true) || triggers::any(&table.def, TriggerEvent::Delete, false);
    if fires {
        let Some(old) = shown(&table, &key, cx, &arena)? else { return Ok(0) };
        triggers::before_delete(&table, &old, cx)?;
        let gone = remove(&table, &key, ignore, cx, neighbours)?;
        if gone > 0 {
            triggers::after(&table, TriggerEvent::Delete, Some(&old), None, cx)?;
        }
        return Ok(gone);
    }
    remove(&table, &key, ignore, cx, neighbours)
}

/// The row with this key as expressions see it, locked.
fn shown<'a>(table: &Arc<Table>, key: &[u8], cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Option<Vec<Value<'a>>>> {
    let mut cursor = TableCursor::open(table, 0, ReadMode::FOR_UPDATE, false);
    let Some(row) = cursor.point(&mut cx.env.trx, key)? else { return Ok(None) };
    let mut values = foreign::values(&row, arena)?;
    let zone = &cx.env.conv.time_zone;
    for (v, c) in values.iter_mut().zip(&table.def.columns) {
        match v {
            Value::DateTime(d) if c.ty.kind == TypeKind::Timestamp && !d.is_zero() => *d = zone.utc_to_local(*d),
            _ => {}
        }
    }
    Ok(Some(values))
}

/// 1, or 0 if the row is gone.
fn remove(
    table: &Arc<Table>,
    key: &[u8],
    ignore: bool,
    cx: &mut Cx<'_>,
    neighbours: &mut Neighbours,
) -> SqlResult<u64> {
    probe::inc(probe::Counter::HandlerDelete);
    storage::table::count_change(table, probe::tables::What::Delete);
    let referenced = foreign::referenced(table, cx);
    let logs = logged::concerns(table, cx);
    if !referenced && !logs {
        return removed(table, key, cx);
    }
    let arena = Bump::new();
    let old = {
        let mut cursor = TableCursor::open(table, 0, ReadMode::FOR_UPDATE, false);
        match cursor.point(&mut cx.env.trx, key)? {
            Some(row) => foreign::values(&row, &arena)?,
            None => return Ok(0),
        }
    };
    let gone = if referenced {
        match foreign::delete(table, key, &old, cx, neighbours) {
            Ok(there) => u64::from(there),
            Err(e) => swallow(e, ignore, cx).map(|()| 0)?,
        }
    } else {
        removed(table, key, cx)?
    };
    if logs && gone > 0 {
        logged::deleted(table, &old, cx)?;
    }
    Ok(gone)
}

/// Deletes a row that no other refers to.
fn removed(table: &Arc<Table>, key: &[u8], cx: &mut Cx<'_>) -> SqlResult<u64> {
    match cx.env.trx.delete(table, key) {
        Ok(()) => Ok(1),
        // a cascade of this statement was faster, or the row is that of another target too
        Err(StorageError::NotFound) => Ok(0),
        Err(e) => Err(e.of_table(&table.def.name).into()),
    }
}
