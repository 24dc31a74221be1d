//! Storing a complete row: as a new one, in place of those with its key (REPLACE), or merged into the one that is there (ON DUPLICATE KEY UPDATE).
//!
//! The statement's savepoint takes back what an error leaves half done. Tested: golden `insert`, `autoinc*`, `views_inserted`, `foreign_order`; `tests/sql/changes_random.py`.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::plan::{InsertSource, OnDuplicate};
use storage::dict::{TableDef, TriggerEvent};
use storage::table::{self, Inserted, ReadMode, TableCursor};
use value::{Level, Value};

use super::super::foreign;
use super::super::new_row::{Computing, Nulls, check, duplicate, same, stored_value};
use super::super::update::write;
use super::super::{logged, triggers};
use super::{Insert, assign, on_update_now};
use crate::eval::Cx;

/// What REPLACE has done with a row that was in the way.
enum Replaced<'a> {
    /// The row is the new one now, or was it before.
    Stored,
    /// It is deleted; no other can be in the way if that was the last key (`last`). `old`: it is to be logged together
    /// with the new one.
    Gone { last: bool, old: Option<Vec<Value<'a>>> },
}

impl<'e> Insert<'e> {
    /// Whether a row with a generated value met that value: REPLACE then replaces nothing, for the values are used up.
    fn used_up(&self, generated: u64, index: usize) -> bool {
        let leads = |i: &storage::dict::IndexDef| i.parts.first().map(|p| p.column as usize) == self.auto;
        generated != 0 && self.table.def.indexes.get(index).is_some_and(leads)
    }

    /// Stores a complete row; whether it was inserted (not merged into another or left out). With the row's number goes the value generated for it.
    pub(super) fn store<'a>(
        &mut self,
        row: &[Value<'a>],
        (n, generated): (u64, u64),
        cx: &mut Cx<'e>,
        arena: &'a Bump,
    ) -> SqlResult<bool>
    where
        'e: 'a,
    {
        let mut bytes: smallvec::SmallVec<[Value<'a>; 16]> = smallvec::SmallVec::with_capacity(row.len());
        for (v, t) in row.iter().zip(&self.types) {
            bytes.push(stored_value(*v, t, cx));
        }
        let mode = match self.plan.on_duplicate {
            OnDuplicate::Error | OnDuplicate::Ignore => table::OnDuplicate::Error,
            OnDuplicate::Replace | OnDuplicate::Update => table::OnDuplicate::LockExclusive,
        };
        // MySQL replaces a row in place where no other key can stand in the way: that is one attempt for its runs of AUTO_INCREMENT values
        let mut in_place = false;
        // the row that is replaced so, if it is logged
        let mut replaced: Option<Vec<Value<'a>>> = None;
        loop {
            probe::inc(probe::Counter::HandlerWrite);
            storage::table::count_change(&self.table, probe::tables::What::Insert);
            if !std::mem::take(&mut in_place) {
                self.run.tried();
            }
            let done = if foreign::concerns(&self.table, cx) {
                foreign::insert(&self.table, &bytes, mode, cx, &mut self.neighbours)?
            } else {
                cx.env.trx.insert(&self.table, &bytes, mode).map_err(|e| e.of_table(&self.table.def.name))?
            };
            if done != Inserted::Done {
                replaced.take().map_or(Ok(()), |old| logged::deleted(&self.table, &old, cx))?;
                self.refused(row, cx)?;
            }
            match done {
                Inserted::Done => {
                    self.counts.affected += 1;
                    return self.log_stored(replaced, &bytes, cx).map(|()| true);
                }
                Inserted::Duplicate { index, key } => match self.plan.on_duplicate {
                    OnDuplicate::Replace if self.used_up(generated, index) => {
                        return Err(duplicate(&self.table, index, row));
                    }
                    OnDuplicate::Error => return Err(duplicate(&self.table, index, row)),
                    OnDuplicate::Ignore => {
                        let e = duplicate(&self.table, index, row);
                        cx.env.conv.push(Level::Warning, e);
                        return Ok(false);
                    }
                    OnDuplicate::Replace => match self.replace(&key, index, (row, &bytes), cx, arena)? {
                        Replaced::Stored => return Ok(true),
                        Replaced::Gone { last, old } => (in_place, replaced) = (last, old),
                    },
                    OnDuplicate::Update => {
                        self.merge(&key, row, n, cx, arena)?;
                        return Ok(false);
                    }
                },
            }
        }
    }

    /// The row is stored: into the binary log, with the one that it has replaced.
    fn log_stored(&self, replaced: Option<Vec<Value<'_>>>, row: &[Value<'_>], cx: &mut Cx<'_>) -> SqlResult<()> {
        if !logged::any(cx) {
            return Ok(());
        }
        match replaced {
            // MySQL has changed it in place
            Some(old) => logged::updated(&self.table, (&old, row), (logged::As::Stored, &[]), cx),
            None => logged::inserted(&self.table, row, self.given.as_deref(), cx),
        }
    }

    /// REPLACE: takes the row with this key, which has the same value in `index`, out of the way of a new one.
    fn replace<'a>(
        &mut self,
        key: &[u8],
        index: usize,
        (row, bytes): (&[Value<'a>], &[Value<'a>]),
        cx: &mut Cx<'e>,
        arena: &'a Bump,
    ) -> SqlResult<Replaced<'a>>
    where
        'e: 'a,
    {
        self.load(key, cx, arena)?;
        // the same row again: nothing to do, if no other key could stand in the way (MySQL updates in place)
        self.check_visible(cx, arena)?;
        let fires = triggers::any(&self.table.def, TriggerEvent::Delete, true)
            || triggers::any(&self.table.def, TriggerEvent::Delete, false);
        let last = self.table.def.referenced_by.is_empty()
            && !fires
            && !self.table.def.indexes.iter().skip(index + 1).any(|i| i.kind == storage::dict::IndexKind::Unique);
        let mut equal = last;
        for (c, v) in row.iter().enumerate() {
            equal = equal && same(cx.kept(self.plan.slot, c as u16, arena)?, *v);
        }
        if equal {
            self.counts.affected += 1;
            return Ok(Replaced::Stored);
        }
        let shown = if fires { self.shown_row(cx, arena)? } else { Vec::new() };
        if fires {
            let done = triggers::before_delete(&self.table, &shown, cx);
            self.of_trigger(done)?;
        }
        let old = self.stored_row(cx, arena)?;
        probe::inc(probe::Counter::HandlerDelete);
        storage::table::count_change(&self.table, probe::tables::What::Delete);
        // only what changes is checked then: parents of foreign keys that stay may be missing
        if last
            && foreign::concerns(&self.table, cx)
            && let Some(done) = self.replace_in_place(key, (&old, bytes), cx)?
        {
            return done.map_err(|index| duplicate(&self.table, index, row)).map(|()| Replaced::Stored);
        }
        if foreign::referenced(&self.table, cx) {
            foreign::delete(&self.table, key, &old, cx, &mut self.neighbours)?;
        } else {
            cx.env.trx.delete(&self.table, key)?;
        }
        self.counts.affected += 1;
        self.counts.duplicates += 1;
        if logged::any(cx) && !last {
            logged::deleted(&self.table, &old, cx)?;
        }
        if fires {
            let done = triggers::after(&self.table, TriggerEvent::Delete, Some(&shown), None, cx);
            self.of_trigger(done)?;
        }
        Ok(Replaced::Gone { last, old: last.then_some(old) })
    }

    /// Notes that an error is a trigger's.
    fn of_trigger<T>(&mut self, done: SqlResult<T>) -> SqlResult<T> {
        self.trigger_failed |= done.is_err();
        done
    }

    /// The row in the plan's slot as expressions see it.
    fn shown_row<'a>(&self, cx: &mut Cx<'e>, arena: &'a Bump) -> SqlResult<Vec<Value<'a>>> {
        (0..self.types.len()).map(|c| cx.kept(self.plan.slot, c as u16, arena)).collect()
    }

    /// Puts the row with this clustered key into the plan's slot.
    fn load(&mut self, key: &[u8], cx: &mut Cx<'e>, arena: &Bump) -> SqlResult<()> {
        let mut cursor = TableCursor::open(&self.table, 0, ReadMode::FOR_UPDATE, false);
        let Some(r) = cursor.point(&mut cx.env.trx, key)? else {
            return Err(SqlError::new(ErrorCode::KEY_NOT_FOUND, &[&self.table.def.name]));
        };
        let all: Vec<u16> = (0..self.table.def.columns.len() as u16).collect();
        let Some(slot) = cx.slots.get_mut(self.plan.slot as usize) else { return Ok(()) };
        slot.set_row(&r, &all, arena)
    }

    /// 3059 if the view that REPLACE names does not show the row in the plan's slot.
    fn check_visible(&self, cx: &mut Cx<'e>, arena: &Bump) -> SqlResult<()> {
        for c in &self.plan.visible {
            if crate::eval::truth(c, cx, arena)? != Some(true) {
                return Err(SqlError::new(ErrorCode::REPLACE_INACCESSIBLE_ROWS, &[]));
            }
        }
        Ok(())
    }

    /// REPLACE of a row that no other can stand in the way of, as an update; `Some(Err(index))`: one does all the same. `None`: the row is gone.
    fn replace_in_place(
        &mut self,
        key: &[u8],
        (old, new): (&[Value<'_>], &[Value<'_>]),
        cx: &mut Cx<'e>,
    ) -> SqlResult<Option<Result<(), usize>>> {
        let changes: Vec<(usize, Value<'_>)> =
            old.iter().zip(new).enumerate().filter(|(_, (a, b))| !same(**a, **b)).map(|(i, (_, b))| (i, *b)).collect();
        Ok(match foreign::update(&self.table, key, &changes, (old, new), cx, &mut self.neighbours)? {
            None => None,
            Some(Inserted::Duplicate { index, .. }) => Some(Err(index)),
            Some(Inserted::Done) => {
                self.counts.affected += 2;
                self.counts.duplicates += 1;
                logged::updated(&self.table, (old, new), (logged::As::Stored, &[]), cx)?;
                Some(Ok(()))
            }
        })
    }

    /// The row in the plan's slot as it is stored.
    fn stored_row<'a>(&self, cx: &mut Cx<'e>, arena: &'a Bump) -> SqlResult<Vec<Value<'a>>> {
        let mut out = Vec::with_capacity(self.types.len());
        for (c, t) in self.types.iter().enumerate() {
            let v = cx.kept(self.plan.slot, c as u16, arena)?;
            out.push(stored_value(v, t, cx));
        }
        Ok(out)
    }

    /// The assignments of ON DUPLICATE KEY UPDATE and what is computed of them. Whether they change anything.
    fn reassign<'a>(
        &mut self,
        def: &TableDef,
        old: &[Value<'a>],
        row: &mut Vec<Value<'a>>,
        n: u64,
        cx: &mut Cx<'e>,
        arena: &'a Bump,
    ) -> SqlResult<bool>
    where
        'e: 'a,
    {
        let plan = self.plan;
        // of several rows a NULL is made the type's zero, as in their VALUES; not for those of a query
        let alone = self.single || !matches!(plan.source, InsertSource::Values(_));
        let nulls = cx.env.conv.strict || (alone && !plan.ignore);
        let computed = if nulls { Nulls::Refused } else { Nulls::Told };
        let own = (&plan.stored, plan.new_slot);
        let fires = triggers::any(def, TriggerEvent::Update, true);
        let wide = if fires { Some(triggers::widened(def)) } else { None };
        let takes = wide.as_ref().unwrap_or(def);
        assign(&plan.updates, takes, (plan.slot, plan.updated_slot), own, row, (n, !nulls), cx, arena)?;
        let explicit: Vec<u16> = plan.updates.iter().map(|a| a.column).collect();
        let mut changed = old.iter().zip(&*row).any(|(a, b)| !same(*a, *b));
        if changed {
            on_update_now(def, &explicit, row, cx);
        }
        if fires {
            Computing { stored: &plan.stored, def: takes, slot: plan.new_slot, n, nulls: computed }
                .generate(row, None, cx, arena)?;
            let done = triggers::before(&self.table, TriggerEvent::Update, Some(old), row, cx, arena);
            let assigned = self.of_trigger(done)?;
            triggers::refuse_assigned_nulls(def, row, &assigned)?;
            triggers::refuse_nulls(def, row, None, (n, nulls), cx, arena)?;
            let before = std::mem::replace(&mut changed, old.iter().zip(&*row).any(|(a, b)| !same(*a, *b)));
            if changed && !before {
                on_update_now(def, &explicit, row, cx);
            }
        }
        // bound to the new row's slot; of a row that stays as it is too: what they refuse or warn of is told
        Computing { stored: &plan.stored, def, slot: plan.new_slot, n, nulls: computed }
            .generate(row, None, cx, arena)?;
        Ok(changed)
    }

    /// ON DUPLICATE KEY UPDATE.
    fn merge<'a>(&mut self, key: &[u8], new: &[Value<'a>], n: u64, cx: &mut Cx<'e>, arena: &'a Bump) -> SqlResult<()>
    where
        'e: 'a,
    {
        self.load(key, cx, arena)?;
        cx.slot(self.plan.new_slot)?.set_values(new);
        let def = self.table.def.clone();
        let mut old = Vec::with_capacity(def.columns.len());
        for c in 0..def.columns.len() {
            old.push(cx.kept(self.plan.slot, c as u16, arena)?);
        }
        let mut row = old.clone();
        cx.slot(self.plan.updated_slot)?.set_values(&row);
        let plan = self.plan;
        // beside the rows of a query their NULLs (1048) are told of row by row
        let told = match plan.source {
            InsertSource::Values(_) => None,
            _ => cx.told_nulls.take(),
        };
        let changed = self.reassign(&def, &old, &mut row, n, cx, arena);
        cx.told_nulls = told.or(cx.told_nulls.take());
        let changed = changed?;
        if changed {
            check(&plan.stored, &row, cx, arena)?;
            let assigned: smallvec::SmallVec<[u16; 8]> = plan.updates.iter().map(|a| a.column).collect();
            let done = write((plan.slot, &assigned), &self.table, (&old, &row), cx, &mut self.neighbours)?;
            if let Some(Inserted::Duplicate { index, .. }) = done {
                return Err(duplicate(&self.table, index, &row));
            }
            self.counts.affected += 2;
            self.counts.duplicates += 1;
        } else if cx.env.client.found_rows {
            self.counts.affected += 1;
            self.counts.found += 1;
        }
        let fired = triggers::after(&self.table, TriggerEvent::Update, Some(&old), Some(&row), cx);
        self.of_trigger(fired)?;
        if let Some(c) = self.auto {
            // LAST_INSERT_ID() of the row that was there
            match row.get(c) {
                Some(Value::Int(v)) => self.counts.last_explicit = *v as u64,
                Some(Value::UInt(v)) => self.counts.last_explicit = *v,
                _ => {}
            }
        }
        self.observe(&row, cx)
    }
}
