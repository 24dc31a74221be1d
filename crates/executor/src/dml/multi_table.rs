//! UPDATE and DELETE of several tables, or of one that is joined with others: the order in which rows change is MySQL's.
//!
//! While the join is read, the rows of the table that it reads first are changed (`at_once`: the plan says where that may be), so the rest of the
//! join reads what cascades from them, and other targets' values see the row as it is now. For the other tables what is to be done is kept: for
//! UPDATE the assigned values, computed then, for DELETE the keys. After the last row they are changed table by table in the order of FROM: UPDATE
//! in the order of the joined rows, DELETE in that of the keys. So a value that cannot be computed is an error before the first of these changes,
//! and which of several errors comes first is MySQL's.
//!
//! The column of a table that an outer join may lack takes a NULL at first: it is refused when the row is changed, as data truncated (1265, not
//! 1048). Tested: goldens `multi_table`, `changed_at_once`, `tests/sql/changes_random.py`.

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::sysvar::Var;
use planner::plan::{DeletePlan, Target, UpdatePlan};
use storage::dict::{TableDef, TriggerEvent};
use storage::table::{ReadMode, Table, TableCursor};
use value::{Level, Value, convert};

use super::collected::{self, Found};
use super::foreign::Neighbours;
use super::insert::assign;
use super::update::{Counts, Place, assigned, change, store};
use super::{delete, fail_strictly, swallow, triggers};
use crate::eval::Cx;
use crate::ops::Op;
use crate::rows::spill::set::KeySet;
use crate::rows::spill::sorter::Sorter;
use crate::rows::spill::tuples::{Cursor, Tuples};
use crate::rows::tuple;

/// A row whose values could not be computed and IGNORE left out.
const LEFT_OUT: &[u8] = &[];

/// Changes the rows of `op`.
pub(super) fn update<'e>(plan: &'e UpdatePlan, op: &mut Op<'e>, counts: &mut Counts, cx: &mut Cx<'e>) -> SqlResult<()> {
    let later = |t: &Target| plan.at_once != Some(t.slot);
    // WITH CHECK OPTION of a join reads the rows that were joined, also of tables that are not changed
    let checked = |t: &Target| t.stored.view_checks.iter().any(|c| c.through.is_some());
    let slots = match plan.targets.iter().any(|t| later(t) && checked(t)) {
        true => plan.slots.clone(),
        false => plan.targets.iter().filter(|t| later(t)).map(|t| t.slot).collect(),
    };
    let mut rows = Found::new(slots);
    let mut done: Vec<KeySet> = plan.targets.iter().map(|_| KeySet::default()).collect();
    let mut kept: Vec<Tuples> = plan.targets.iter().map(|_| Tuples::default()).collect();
    let mut arena = Bump::new();
    let mut n = 0;
    op.open(cx)?;
    while op.next(cx)? {
        n += 1;
        fail_strictly(&mut counts.said, cx)?;
        rows.add(cx)?;
        for ((t, done), kept) in plan.targets.iter().zip(&mut done).zip(&mut kept) {
            if collected::is_missing(t.slot, cx) {
                continue;
            }
            let first = collected::first_time(t.slot, done, cx)?;
            if later(t) {
                counts.matched += u64::from(first);
                keep(t, plan, n, first.then_some(kept), cx, &arena)?;
            } else if first {
                let row = change(t, n, plan.ignore, counts, cx, &arena)?;
                if plan.targets.len() > 1 {
                    cx.slot(t.slot)?.set_values(&row);
                }
            }
            arena.reset();
        }
        cx.tick()?;
    }
    for (t, kept) in plan.targets.iter().zip(&kept).filter(|(t, _)| later(t)) {
        let (mut done, mut cursor, mut at) = (KeySet::default(), Cursor::default(), 0);
        rows.rewind();
        while rows.next(cx)? {
            if collected::is_missing(t.slot, cx) || !collected::first_time(t.slot, &mut done, cx)? {
                continue;
            }
            let Some(values) = kept.get(at, &mut cursor)? else { break };
            at += 1;
            if values != LEFT_OUT {
                change_kept(t, plan, n + 1, values, counts, cx, &arena)?;
            }
            arena.reset();
            cx.tick()?;
        }
    }
    Ok(())
}

/// The table as its row's values are computed for: columns that an outer join may lack take NULL.
fn nullable(def: &TableDef, outer: bool) -> Option<TableDef> {
    outer.then(|| {
        let mut def = def.clone();
        def.columns.iter_mut().for_each(|c| c.ty.nullable = true);
        def
    })
}

/// Computes what a target's present row is assigned, and keeps it; where the row has been met before it is `kept` no more, but what cannot be
/// computed is an error all the same.
fn keep<'e, 'a>(
    t: &'e Target,
    plan: &UpdatePlan,
    n: u64,
    kept: Option<&mut Tuples>,
    cx: &mut Cx<'e>,
    arena: &'a Bump,
) -> SqlResult<()>
where
    'e: 'a,
{
    let (table, mut row) = assigned(t, cx, arena)?;
    let fires = triggers::any(&table.def, TriggerEvent::Update, true);
    let wider = nullable(&table.def, plan.outer.contains(&t.slot) || fires);
    let def = wider.as_ref().unwrap_or(&table.def);
    let (slots, own) = ((t.slot, t.new_slot), (&t.stored, t.new_slot));
    let told = (n, !cx.env.conv.strict);
    let done = match assign(&t.sets, def, slots, own, &mut row, told, cx, arena) {
        Ok(()) => true,
        Err(e) => swallow(e, plan.ignore, cx).map(|()| false)?,
    };
    let Some(kept) = kept else { return Ok(()) };
    let to = kept.begin();
    if done {
        let values: Vec<Value<'_>> =
            t.sets.iter().map(|a| row.get(a.column as usize).copied().unwrap_or_default()).collect();
        tuple::encode(&values, to);
    }
    kept.end(cx.table_limit(kept.size()), cx.env)
}

/// Changes the row of a target, which is in its slot as it was read, to kept values. What is not assigned is as it is now: earlier targets, or what
/// cascaded from them, may have changed it.
fn change_kept<'e, 'a>(
    t: &'e Target,
    plan: &UpdatePlan,
    n: u64,
    values: &[u8],
    counts: &mut Counts,
    cx: &mut Cx<'e>,
    arena: &'a Bump,
) -> SqlResult<()>
where
    'e: 'a,
{
    let (table, read) = assigned(t, cx, arena)?;
    let def = &table.def;
    let Some(old) = current(t, &table, &read, cx, arena)? else { return Ok(()) };
    let mut row = old.clone();
    let values = arena.alloc_slice_copy(values);
    for (i, a) in t.sets.iter().enumerate() {
        let Some(column) = def.columns.get(a.column as usize) else { continue };
        let mut v = tuple::get(values, t.sets.len(), i, arena);
        // with BEFORE triggers it is looked at behind them
        if v.is_null() && !column.ty.nullable && plan.outer.contains(&t.slot) {
            let e = SqlError::new(ErrorCode::WARN_DATA_TRUNCATED, &[&column.name, &n]);
            if cx.env.conv.strict {
                return Err(e);
            }
            cx.env.conv.push(Level::Warning, e);
            v = convert::null_replacement(&column.ty).copy_into(arena);
        }
        if let Some(to) = row.get_mut(a.column as usize) {
            *to = v;
        }
    }
    store(t, &table, (&old, &mut row), Place { n, ignore: plan.ignore }, counts, cx, arena)
}

/// The row of a target as it is now; `None`: a cascade of this statement deleted it. Its slot keeps what was read.
fn current<'a>(
    t: &Target,
    table: &Arc<Table>,
    read: &[Value<'a>],
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Option<Vec<Value<'a>>>> {
    let key = cx.slots.get(t.slot as usize).map(|s| s.key.clone()).unwrap_or_default();
    let all: Vec<u16> = (0..table.def.columns.len() as u16).collect();
    {
        let mut cursor = TableCursor::open(table, 0, ReadMode::FOR_UPDATE, false);
        let Some(row) = cursor.point(&mut cx.env.trx, &key)? else { return Ok(None) };
        cx.slot(t.slot)?.set_row(&row, &all, arena)?;
    }
    let now = all.iter().map(|c| cx.kept(t.slot, *c, arena)).collect::<SqlResult<_>>()?;
    cx.slot(t.slot)?.set_values(read);
    Ok(Some(now))
}

/// Deletes rows of `op`; how many.
pub(super) fn delete<'e>(plan: &'e DeletePlan, op: &mut Op<'e>, cx: &mut Cx<'e>) -> SqlResult<u64> {
    let mut done: Vec<KeySet> = plan.targets.iter().map(|_| KeySet::default()).collect();
    let mut kept: Vec<Sorter> = plan.targets.iter().map(|_| Sorter::default()).collect();
    let memory = cx.spill_limit(Var::sort_buffer_size);
    let (mut affected, mut said) = (0, 0);
    let mut neighbours = Neighbours::default();
    op.open(cx)?;
    while op.next(cx)? {
        fail_strictly(&mut said, cx)?;
        for ((t, done), kept) in plan.targets.iter().zip(&mut done).zip(&mut kept) {
            if collected::is_missing(t.slot, cx) || !collected::first_time(t.slot, done, cx)? {
                continue;
            }
            if plan.at_once.contains(&t.slot) {
                affected += delete::delete(t, plan.ignore, cx, &mut neighbours)?;
                continue;
            }
            let key = cx.slots.get(t.slot as usize).map_or(&[][..], |s| &s.key);
            kept.push(key, &[], memory, cx.env)?;
        }
        cx.tick()?;
    }
    for (t, kept) in plan.targets.iter().zip(&mut kept) {
        kept.finish(usize::MAX, cx.env)?;
        while let Some((key, _)) = kept.next()? {
            let slot = cx.slot(t.slot)?;
            slot.key.clear();
            slot.key.extend_from_slice(key);
            affected += delete::delete(t, plan.ignore, cx, &mut neighbours)?;
            cx.tick()?;
        }
    }
    Ok(affected)
}
