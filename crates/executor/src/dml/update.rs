//! UPDATE.

use std::sync::Arc;

use base::{SqlError, SqlResult};
use bumpalo::Bump;
use planner::plan::{Target, UpdatePlan};
use storage::StorageError;
use storage::dict::{TableDef, TriggerEvent};
use storage::table::{Inserted, Table, TableHandle};
use value::Value;

use super::collected::{self, Found};
use super::foreign::Neighbours;
use super::insert::{assign, on_update_now};
use super::new_row::{Computing, Nulls, check, duplicate, same, stored_value};
use super::{fail_strictly, foreign, logged, multi_table, swallow, triggers};
use crate::dml::DmlResult;
use crate::eval::Cx;
use crate::ops::Operators;
use crate::rows::spill::set::KeySet;

/// Rows that a statement has met and changed, and what it has opened for that.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) neighbours: Neighbours,
    pub(super) matched: u64,
    pub(super) changed: u64,
    /// How many warnings have been looked at.
    pub(super) said: usize,
    /// Tables with BEFORE UPDATE triggers as values are converted for them.
    wide: Vec<Arc<TableDef>>,
}

impl Counts {
    /// The definition that values are converted for.
    pub(super) fn takes(&mut self, table: &Table) -> Arc<TableDef> {
        if !triggers::any(&table.def, TriggerEvent::Update, true) {
            return table.def.clone();
        }
        if let Some(known) = self.wide.iter().find(|d| d.id == table.def.id) {
            return known.clone();
        }
        let wide = Arc::new(triggers::widened(&table.def));
        self.wide.push(wide.clone());
        wide
    }
}

/// Runs the statement.
pub(super) fn run<'e>(plan: &'e UpdatePlan, ops: &Operators<'e>, cx: &mut Cx<'e>) -> SqlResult<DmlResult> {
    cx.semi_consistent = !plan.multi && plan.order.is_empty(); // as MySQL, which sorts rows that it has locked
    let mut op = ops.build(&plan.source, cx);
    let mut counts = Counts::default();
    if plan.multi {
        multi_table::update(plan, &mut op, &mut counts, cx)?;
    } else if plan.buffered {
        let mut rows = Found::read(&mut op, plan.slots.clone(), &plan.order, plan.limit.as_ref(), cx)?;
        let mut arena = Bump::new();
        let (mut n, mut done) = (0, KeySet::default());
        while rows.next(cx)? {
            n += 1;
            for t in &plan.targets {
                // a subquery's tables may give a row several times
                if plan.slots.len() > 1 && !collected::first_time(t.slot, &mut done, cx)? {
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
                change(t, counts.matched + 1, plan.ignore, &mut counts, cx, &arena)?;
                arena.reset();
            }
            cx.tick()?;
        }
    }
    // FOUND_ROWS() tells of it; a multi-table statement is a query there that sent nothing
    cx.env.counts.found_rows = if plan.multi { 0 } else { counts.matched };
    let info = format!(
        "Rows matched: {}  Changed: {}  Warnings: {}",
        counts.matched, counts.changed, cx.env.conv.warning_count
    );
    let affected = if cx.env.client.found_rows { counts.matched } else { counts.changed };
    Ok(DmlResult { affected, last_insert_id: cx.env.given_insert_id(), info })
}

/// Which row is changed.
pub(super) struct Place {
    /// Its number, for messages.
    pub(super) n: u64,
    /// IGNORE.
    pub(super) ignore: bool,
}

/// The table of a target and its present row, ready for its assignments, which begin with this row.
pub(super) fn assigned<'a>(t: &Target, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<(TableHandle, Vec<Value<'a>>)> {
    let Some(table) = cx.tables.get(t.table as usize).cloned() else { return Err(SqlError::unsupported("table")) };
    let row: Vec<Value<'a>> =
        (0..table.def.columns.len()).map(|c| cx.kept(t.slot, c as u16, arena)).collect::<SqlResult<_>>()?;
    if t.sets.len() > 1 {
        cx.slot(t.new_slot)?.set_values(&row);
    }
    Ok((table, row))
}

/// Changes the current row of a target; what it was to become.
pub(super) fn change<'e, 'a>(
    t: &'e Target,
    n: u64,
    ignore: bool,
    counts: &mut Counts,
    cx: &mut Cx<'e>,
    arena: &'a Bump,
) -> SqlResult<Vec<Value<'a>>>
where
    'e: 'a,
{
    fail_strictly(&mut counts.said, cx)?;
    let (table, old) = assigned(t, cx, arena)?;
    let mut row = old.clone();
    counts.matched += 1;
    let (slots, own) = ((t.slot, t.new_slot), (&t.stored, t.new_slot));
    let takes = counts.takes(&table);
    cx.json_changes.begin_row(logged::wants_differences(&table, cx));
    if let Err(e) = assign(&t.sets, &takes, slots, own, &mut row, (n, !cx.env.conv.strict), cx, arena) {
        swallow(e, ignore, cx)?;
        return Ok(row);
    }
    store(t, &table, (&old, &mut row), Place { n, ignore }, counts, cx, arena)?;
    Ok(row)
}

/// Stores a row that has been assigned to: computes and checks what follows from that.
pub(super) fn store<'e, 'a>(
    t: &'e Target,
    table: &Arc<Table>,
    (old, row): (&[Value<'a>], &mut Vec<Value<'a>>),
    at: Place,
    counts: &mut Counts,
    cx: &mut Cx<'e>,
    arena: &'a Bump,
) -> SqlResult<()>
where
    'e: 'a,
{
    let def = table.def.clone();
    let explicit: smallvec::SmallVec<[u16; 8]> = t.sets.iter().map(|a| a.column).collect();
    let computing = Computing { stored: &t.stored, def: &def, slot: t.new_slot, n: at.n, nulls: Nulls::Told };
    let mut changed = old.iter().zip(&*row).any(|(a, b)| !same(*a, *b));
    let mut assigned = explicit.clone();
    if changed {
        on_update_now(&def, &explicit, row, cx);
        if !t.stored.generated.is_empty() {
            assigned.extend((0u16..).zip(&def.columns).filter(|(_, c)| c.on_update_now).map(|(c, _)| c));
        }
    }
    if triggers::any(&def, TriggerEvent::Update, true) {
        let takes = counts.takes(table);
        let computing = Computing { stored: &t.stored, def: &takes, slot: t.new_slot, n: at.n, nulls: Nulls::Told };
        if let Err(e) = computing.generate(row, None, cx, arena) {
            return swallow(e, at.ignore, cx);
        }
        let given = triggers::before(table, TriggerEvent::Update, Some(old), row, cx, arena)?;
        let refused = triggers::refuse_assigned_nulls(&def, row, &given);
        let strict = cx.env.conv.strict;
        if let Err(e) = refused.and_then(|()| triggers::refuse_nulls(&def, row, None, (at.n, strict), cx, arena)) {
            return swallow(e, at.ignore, cx);
        }
        let before = std::mem::replace(&mut changed, old.iter().zip(&*row).any(|(a, b)| !same(*a, *b)));
        if changed && !before {
            on_update_now(&def, &explicit, row, cx);
        }
        // any column may be another one now
        assigned = (0..def.columns.len() as u16).collect();
    }
    // of a row that stays as it is too: what they refuse or warn of is told
    if let Err(e) = computing.generate(row, Some(&assigned), cx, arena) {
        return swallow(e, at.ignore, cx);
    }
    if !changed {
        return triggers::after(table, TriggerEvent::Update, Some(old), Some(row), cx);
    }
    if let Err(e) = check(&t.stored, row, cx, arena) {
        return swallow(e, at.ignore, cx);
    }
    let done = match write((t.slot, &explicit), table, (old, row), cx, &mut counts.neighbours) {
        Ok(done) => done,
        Err(e) => return swallow(e, at.ignore, cx),
    };
    match done {
        Some(Inserted::Done) => {
            counts.changed += 1;
            triggers::after(table, TriggerEvent::Update, Some(old), Some(row), cx)?;
        }
        Some(Inserted::Duplicate { index, .. }) => return swallow(duplicate(table, index, row), at.ignore, cx),
        // a cascade of this statement deleted it
        None => {}
    }
    Ok(())
}

/// Writes what differs of the row in this slot: all that a row has been assigned, which has been computed and checked;
/// the statement assigns the columns `assigned`. `None`: a cascade of this
/// statement has deleted it.
pub(super) fn write<'v>(
    (slot, assigned): (u16, &[u16]),
    table: &Arc<Table>,
    (old, new): (&[Value<'v>], &[Value<'v>]),
    cx: &mut Cx<'_>,
    neighbours: &mut Neighbours,
) -> SqlResult<Option<Inserted>> {
    let def = &table.def;
    let mut changes: smallvec::SmallVec<[(usize, Value<'v>); 8]> = smallvec::SmallVec::new();
    for (i, ((a, b), c)) in old.iter().zip(new).zip(&def.columns).enumerate() {
        if !same(*a, *b) {
            changes.push((i, stored_value(*b, &c.ty, cx)));
        }
    }
    let key = cx.slots.get(slot as usize).map(|s| s.key.clone()).unwrap_or_default();
    probe::inc(probe::Counter::HandlerUpdate);
    storage::table::count_change(table, probe::tables::What::Update);
    let done = if foreign::concerns(table, cx) {
        let stored = |row: &[Value<'v>]| -> Vec<Value<'v>> {
            row.iter().zip(&def.columns).map(|(v, c)| stored_value(*v, &c.ty, cx)).collect()
        };
        let rows = (stored(old), stored(new));
        foreign::update(table, &key, &changes, (&rows.0, &rows.1), cx, neighbours)?
    } else {
        match cx.env.trx.update(table, &key, &changes) {
            Err(StorageError::NotFound) if !def.foreign_keys.is_empty() => None,
            other => Some(other.map_err(|e| e.of_table(&def.name))?),
        }
    };
    if logged::any(cx) && matches!(done, Some(Inserted::Done)) {
        logged::updated(table, (old, new), (logged::As::Expressions, assigned), cx)?;
    }
    Ok(done)
}
