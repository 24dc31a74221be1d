//! DELETE.

use base::{SqlError, SqlResult};
use bumpalo::Bump;
use planner::plan::{DeletePlan, Target};
use storage::StorageError;
use storage::table::{ReadMode, TableCursor};

use super::collected::{self, Found};
use super::foreign::Neighbours;
use super::{foreign, multi_table, swallow};
use crate::dml::DmlResult;
use crate::eval::Cx;
use crate::ops::Operators;
use crate::rows::spill::set::KeySet;

/// Runs the statement.
pub(super) fn run<'e>(plan: &'e DeletePlan, ops: &Operators<'e>, cx: &mut Cx<'e>) -> SqlResult<DmlResult> {
    let mut op = ops.build(&plan.source, cx);
    let mut affected = 0;
    let mut neighbours = Neighbours::default();
    if plan.multi {
        affected = multi_table::delete(plan, &mut op, cx)?;
    } else if plan.buffered {
        let slots: Vec<u16> = plan.targets.iter().map(|t| t.slot).collect();
        let mut rows = Found::read(&mut op, slots, &plan.order, plan.limit.as_ref(), cx)?;
        let mut done = KeySet::default();
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
    probe::inc(probe::Counter::HandlerDelete);
    storage::table::count_change(&table, probe::tables::What::Delete);
    if !foreign::referenced(&table, cx) {
        return match cx.env.trx.delete(&table, &key) {
            Ok(()) => Ok(1),
            // a cascade of this statement was faster, or the row is that of another target too
            Err(StorageError::NotFound) => Ok(0),
            Err(e) => Err(e.of_table(&table.def.name).into()),
        };
    }
    let arena = Bump::new();
    let old = {
        let mut cursor = TableCursor::open(&table, 0, ReadMode::FOR_UPDATE, false);
        match cursor.point(&mut cx.env.trx, &key)? {
            Some(row) => foreign::values(&row, &arena)?,
            None => return Ok(0),
        }
    };
    match foreign::delete(&table, &key, &old, cx, neighbours) {
        Ok(there) => Ok(u64::from(there)),
        Err(e) => swallow(e, ignore, cx).map(|()| 0),
    }
}
