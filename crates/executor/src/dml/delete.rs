//! DELETE.

use std::collections::HashSet;

use base::{SqlError, SqlResult};
use planner::plan::{DeletePlan, Target};

use super::update::find_rows;
use super::{foreign, swallow};
use crate::DmlResult;
use crate::context::{Cx, RowState};
use crate::ops::build;

/// Runs the statement.
pub(super) fn run<'e>(plan: &'e DeletePlan, cx: &mut Cx<'e>) -> SqlResult<DmlResult> {
    let mut op = build(&plan.source, cx);
    let mut affected = 0;
    if plan.buffered {
        let slots: Vec<u16> = plan.targets.iter().map(|t| t.slot).collect();
        let rows = find_rows(&mut op, &slots, &plan.order, plan.limit.as_ref(), cx)?;
        let mut done: Vec<HashSet<Box<[u8]>>> = plan.targets.iter().map(|_| HashSet::new()).collect();
        for row in &rows {
            for ((t, saved), seen) in plan.targets.iter().zip(row).zip(&mut done) {
                cx.restore(t.slot, saved);
                let null =
                    cx.slots.get(t.slot as usize).is_none_or(|s| matches!(s.state, RowState::Null | RowState::Empty));
                if null || !seen.insert(saved.key.clone()) {
                    continue;
                }
                affected += delete(t, plan.ignore, cx)?;
            }
            cx.tick()?;
        }
    } else {
        op.open(cx)?;
        while op.next(cx)? {
            for t in &plan.targets {
                affected += delete(t, plan.ignore, cx)?;
            }
            cx.tick()?;
        }
    }
    Ok(DmlResult { affected, last_insert_id: 0, info: String::new() })
}

fn delete(t: &Target, ignore: bool, cx: &mut Cx<'_>) -> SqlResult<u64> {
    let Some(table) = cx.tables.get(t.table as usize).cloned() else { return Err(SqlError::unsupported("table")) };
    if let Err(e) = foreign::before_delete(&table, t.slot, cx) {
        swallow(e, ignore, cx)?;
        return Ok(0);
    }
    let key = cx.slots.get(t.slot as usize).map(|s| s.key.clone()).unwrap_or_default();
    cx.env.trx.delete(&table, &key)?;
    Ok(1)
}
