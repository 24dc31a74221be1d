//! UPDATE.

use base::{SqlError, SqlResult};
use bumpalo::Bump;
use planner::plan::{Target, UpdatePlan};
use storage::StorageError;
use storage::table::Inserted;
use value::Value;

use super::change::{complete, duplicate, same, stored_value};
use super::found::{self, Found};
use super::insert::{assign, on_update_now};
use super::{foreign, swallow};
use crate::DmlResult;
use crate::context::Cx;
use crate::ops::build;
use crate::spill::set::KeySet;

#[derive(Default)]
struct Counts {
    matched: u64,
    changed: u64,
}

/// Runs the statement.
pub(super) fn run<'e>(plan: &'e UpdatePlan, cx: &mut Cx<'e>) -> SqlResult<DmlResult> {
    let mut op = build(&plan.source, cx);
    let mut counts = Counts::default();
    if plan.buffered {
        let mut rows = Found::read(&mut op, plan.slots.clone(), &plan.order, plan.limit.as_ref(), cx)?;
        let mut done: Vec<KeySet> = plan.targets.iter().map(|_| KeySet::default()).collect();
        let several = plan.targets.len() > 1 || plan.slots.len() > 1;
        let mut arena = Bump::new();
        let mut n = 0;
        while rows.next(cx)? {
            n += 1;
            for (t, done) in plan.targets.iter().zip(&mut done) {
                if found::is_missing(t.slot, cx) || (several && !found::first_time(t.slot, done, cx)?) {
                    continue;
                }
                change(t, n, plan.ignore, &mut counts, cx, &arena)?;
                arena.reset();
            }
            cx.tick()?;
        }
    } else {
        let mut arena = Bump::new();
        op.open(cx)?;
        while op.next(cx)? {
            for t in &plan.targets {
                let n = counts.matched + 1;
                change(t, n, plan.ignore, &mut counts, cx, &arena)?;
                arena.reset();
            }
            cx.tick()?;
        }
    }
    let info = format!(
        "Rows matched: {}  Changed: {}  Warnings: {}",
        counts.matched, counts.changed, cx.env.conv.warning_count
    );
    // what FOUND_ROWS() says next
    cx.env.found_rows = if plan.multi { 0 } else { counts.matched };
    let affected = if cx.env.client_found_rows { counts.matched } else { counts.changed };
    Ok(DmlResult { affected, last_insert_id: cx.env.given_insert_id(), info })
}

/// Changes the current row of a target.
fn change<'e, 'a>(
    t: &'e Target,
    n: u64,
    ignore: bool,
    counts: &mut Counts,
    cx: &mut Cx<'e>,
    arena: &'a Bump,
) -> SqlResult<()>
where
    'e: 'a,
{
    let Some(table) = cx.tables.get(t.table as usize).cloned() else { return Err(SqlError::unsupported("table")) };
    let def = table.def.clone();
    let mut old: Vec<Value<'a>> = Vec::with_capacity(def.columns.len());
    for c in 0..def.columns.len() {
        old.push(cx.column(t.slot, c as u16, arena)?);
    }
    let mut row = old.clone();
    counts.matched += 1;
    if t.sets.len() > 1 {
        cx.slot(t.new_slot)?.set_values(&row);
    }
    let later = match assign(&t.sets, &def, (t.slot, t.new_slot), &mut row, (n, !cx.env.conv.strict), cx, arena) {
        Ok(later) => later,
        Err(e) => return swallow(e, ignore, cx),
    };
    if !later.is_empty()
        && let Err(e) = complete(&t.stored, &def, t.new_slot, &mut row, &later, n, cx, arena)
    {
        return swallow(e, ignore, cx);
    }
    let changed = old.iter().zip(&row).any(|(a, b)| !same(*a, *b));
    if !changed {
        return Ok(());
    }
    let explicit: smallvec::SmallVec<[u16; 8]> = t.sets.iter().map(|a| a.column).collect();
    on_update_now(&def, &explicit, &mut row, cx);
    if let Err(e) = complete(&t.stored, &def, t.new_slot, &mut row, &[], n, cx, arena) {
        return swallow(e, ignore, cx);
    }
    let mut changes: smallvec::SmallVec<[(usize, Value<'a>); 8]> = smallvec::SmallVec::new();
    for (i, (a, b)) in old.iter().zip(&row).enumerate() {
        if !same(*a, *b)
            && let Some(c) = def.columns.get(i)
        {
            changes.push((i, stored_value(*b, &c.ty, cx)));
        }
    }
    let key = cx.slots.get(t.slot as usize).map(|s| s.key.clone()).unwrap_or_default();
    // with foreign keys: where to go back to, and both rows as they are stored
    let linked = foreign::concerns(&table, cx).then(|| {
        let stored = |row: &[Value<'a>], cx: &Cx<'_>| -> Vec<Value<'a>> {
            row.iter().zip(&def.columns).map(|(v, c)| stored_value(*v, &c.ty, cx)).collect()
        };
        (cx.env.trx.savepoint(), stored(&old, cx), stored(&row, cx))
    });
    probe::inc(probe::Counter::HandlerUpdate);
    match cx.env.trx.update(&table, &key, &changes) {
        Ok(Inserted::Done) => counts.changed += 1,
        Ok(Inserted::Duplicate { index, .. }) => {
            let mut e = duplicate(&table, index, &row);
            if let Some((_, old, new)) = &linked {
                e = foreign::forbidden(&table, old, new, cx).err().unwrap_or(e);
            }
            return swallow(e, ignore, cx);
        }
        // a cascade of this statement deleted it
        Err(StorageError::NotFound) if !def.foreign_keys.is_empty() => return Ok(()),
        Err(e) => return Err(e.into()),
    }
    if let Some((before, old, new)) = linked
        && let Err(e) = foreign::updated(&table, &old, &new, cx)
    {
        swallow(e, ignore, cx)?;
        cx.env.trx.rollback_to(before)?;
        counts.changed -= 1;
    }
    Ok(())
}
