//! UPDATE.

use base::{SqlError, SqlResult};
use bumpalo::Bump;
use planner::plan::{Target, UpdatePlan};
use storage::StorageError;
use storage::table::{Inserted, ReadMode, TableCursor};
use value::Value;

use super::change::{Computing, Nulls, check, duplicate, same, stored_value};
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
        // each pass changes the rows of these targets
        let passes: Vec<std::ops::Range<usize>> = match shared(plan, cx) {
            true => (0..plan.targets.len()).map(|i| i..i + 1).collect(),
            false => std::iter::once(0..plan.targets.len()).collect(),
        };
        for pass in passes {
            rows.rewind();
            let mut n = 0;
            while rows.next(cx)? {
                n += 1;
                for (i, (t, done)) in plan.targets.iter().zip(&mut done).enumerate() {
                    let ours = pass.contains(&i) && !found::is_missing(t.slot, cx);
                    if !ours || (several && !found::first_time(t.slot, done, cx)?) {
                        continue;
                    }
                    let at = Place { n, again: i > 0 };
                    change(t, at, plan.ignore, &mut counts, cx, &arena)?;
                    arena.reset();
                }
                cx.tick()?;
            }
        }
    } else {
        let mut arena = Bump::new();
        op.open(cx)?;
        while op.next(cx)? {
            for t in &plan.targets {
                let at = Place { n: counts.matched + 1, again: false };
                change(t, at, plan.ignore, &mut counts, cx, &arena)?;
                arena.reset();
            }
            cx.tick()?;
        }
    }
    // FOUND_ROWS() tells of it; a multi-table statement is a query there that sent nothing
    cx.env.found_rows = if plan.multi { 0 } else { counts.matched };
    let info = format!(
        "Rows matched: {}  Changed: {}  Warnings: {}",
        counts.matched, counts.changed, cx.env.conv.warning_count
    );
    let affected = if cx.env.client_found_rows { counts.matched } else { counts.changed };
    Ok(DmlResult { affected, last_insert_id: cx.env.given_insert_id(), info })
}

/// Whether two targets are one table, so that a row may be changed as that of the one and then of the other: target by target then, as MySQL
/// does it.
fn shared(plan: &UpdatePlan, cx: &Cx<'_>) -> bool {
    let table = |t: &Target| cx.tables.get(t.table as usize).map(|t| t.def.id);
    plan.targets.iter().enumerate().any(|(i, t)| plan.targets.iter().take(i).any(|o| table(o) == table(t)))
}

/// Which row is changed.
struct Place {
    /// Its number, for messages.
    n: u64,
    /// The statement has earlier targets: they, or what cascaded from them, may have changed the row since it was read.
    again: bool,
}

/// The row of a target as it is now; `None`: a cascade of this statement deleted it. Its slot keeps what was read.
fn current<'a>(t: &Target, read: &[Value<'a>], cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Option<Vec<Value<'a>>>> {
    let Some(table) = cx.tables.get(t.table as usize).cloned() else { return Ok(None) };
    let key = cx.slots.get(t.slot as usize).map(|s| s.key.clone()).unwrap_or_default();
    let all: Vec<u16> = (0..table.def.columns.len() as u16).collect();
    {
        let mut cursor = TableCursor::open(&table, 0, ReadMode::FOR_UPDATE, false);
        let Some(row) = cursor.point(&mut cx.env.trx, &key)? else { return Ok(None) };
        cx.slot(t.slot)?.set_row(&row, &all, arena)?;
    }
    let now = all.iter().map(|c| cx.column(t.slot, *c, arena)).collect::<SqlResult<_>>()?;
    cx.slot(t.slot)?.set_values(read);
    Ok(Some(now))
}

/// Changes the current row of a target.
fn change<'e, 'a>(
    t: &'e Target,
    Place { n, again }: Place,
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
    let (slots, own) = ((t.slot, t.new_slot), (&t.stored, t.new_slot));
    if let Err(e) = assign(&t.sets, &def, slots, own, &mut row, (n, !cx.env.conv.strict), cx, arena) {
        return swallow(e, ignore, cx);
    }
    let explicit: smallvec::SmallVec<[u16; 8]> = t.sets.iter().map(|a| a.column).collect();
    if again {
        // what is assigned was computed from the rows as they were read; the rest is as it is now
        let Some(mut now) = current(t, &old, cx, arena)? else { return Ok(()) };
        old.clone_from(&now);
        for c in &explicit {
            if let (Some(to), Some(v)) = (now.get_mut(*c as usize), row.get(*c as usize)) {
                *to = *v;
            }
        }
        row = now;
    }
    let computing = Computing { stored: &t.stored, def: &def, slot: t.new_slot, n, nulls: Nulls::Told };
    let changed = old.iter().zip(&row).any(|(a, b)| !same(*a, *b));
    let mut assigned = explicit.clone();
    if changed {
        on_update_now(&def, &explicit, &mut row, cx);
        if !t.stored.generated.is_empty() {
            assigned.extend((0u16..).zip(&def.columns).filter(|(_, c)| c.on_update_now).map(|(c, _)| c));
        }
    }
    // of a row that stays as it is too: what they refuse or warn of is told
    if let Err(e) = computing.generate(&mut row, Some(&assigned), cx, arena) {
        return swallow(e, ignore, cx);
    }
    if !changed {
        return Ok(());
    }
    if let Err(e) = check(&t.stored, &row, cx, arena) {
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
    probe::inc(probe::Counter::HandlerUpdate);
    let done = if foreign::concerns(&table, cx) {
        let stored = |row: &[Value<'a>], cx: &Cx<'_>| -> Vec<Value<'a>> {
            row.iter().zip(&def.columns).map(|(v, c)| stored_value(*v, &c.ty, cx)).collect()
        };
        let rows = (stored(&old, cx), stored(&row, cx));
        match foreign::update(&table, &key, &changes, (&rows.0, &rows.1), cx) {
            Ok(done) => done,
            Err(e) => return swallow(e, ignore, cx),
        }
    } else {
        match cx.env.trx.update(&table, &key, &changes) {
            Err(StorageError::NotFound) if !def.foreign_keys.is_empty() => None,
            other => Some(other?),
        }
    };
    match done {
        Some(Inserted::Done) => counts.changed += 1,
        Some(Inserted::Duplicate { index, .. }) => return swallow(duplicate(&table, index, &row), ignore, cx),
        // a cascade of this statement deleted it
        None => {}
    }
    Ok(())
}
