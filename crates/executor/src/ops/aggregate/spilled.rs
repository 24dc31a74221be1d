//! What aggregation puts into temporary files when its groups pass `tmp_table_size`.
//!
//! * **Rows of new groups.** The groups in memory stay and go on counting; a row whose group is not among them is kept as
//!   the rows of the input's slots. When the input ends these rows are sorted by group and arrival, aggregated one group after the other, and the
//!   groups sorted by the arrival of their first row: they follow those in memory, as they would have without a limit. (ROLLUP's groups come
//!   out in the order of their keys, those in memory among them.)
//! * **Values of DISTINCT aggregates**: those not seen before go to a sorter by (group, aggregate, value) and are added when the group ends. Not for
//!   GROUP_CONCAT and the JSON aggregates, whose values depend on the row.

use base::SqlResult;
use catalog::sysvar::Var;
use planner::expr::{AggCall, AggFunc};
use value::Value;

use super::{AggOp, Group, add, emit, update};
use crate::eval::Cx;
use crate::rows::spill::rows;
use crate::rows::spill::sorter::Sorter;
use crate::rows::tuple;

/// See the module.
#[derive(Default)]
pub(super) struct Late {
    /// Bytes that may be kept in memory.
    pub(super) memory: usize,
    /// They are used up.
    pub(super) full: bool,
    rows: Option<Box<Sorter>>,
    arrived: u64,
    distinct: Option<Box<Sorter>>,
    record: Vec<u8>,
    /// Finished groups, as tuples.
    out: Option<Box<Sorter>>,
}

/// Whether a DISTINCT aggregate can take its values later, without their rows.
pub(super) fn can_wait(a: &AggCall) -> bool {
    !matches!(a.func, AggFunc::GroupConcat | AggFunc::JsonArrayagg | AggFunc::JsonObjectagg)
}

impl Late {
    /// Nothing kept yet.
    pub(super) fn new(cx: &Cx<'_>) -> Late {
        Late { memory: cx.spill_limit(Var::tmp_table_size), ..Late::default() }
    }

    /// Whether new groups must wait; `kept`: bytes of those there are.
    pub(super) fn is_full(&mut self, kept: usize) -> bool {
        self.full |= kept > self.memory;
        self.full
    }

    fn first(is_new: bool) {
        if is_new {
            probe::inc(probe::Counter::CreatedTmpDiskTables);
        }
    }

    /// Keeps the present row for a group with `live` group values.
    pub(super) fn keep_row(&mut self, key: &[u8], live: usize, slots: &[u16], cx: &Cx<'_>) -> SqlResult<()> {
        Self::first(self.rows.is_none());
        self.record.clear();
        self.record.extend_from_slice(&self.arrived.to_be_bytes());
        self.record.push(live as u8);
        self.arrived += 1;
        rows::save(slots, &cx.slots, &mut self.record);
        self.rows.get_or_insert_default().push(key, &self.record, self.memory, cx.env)
    }

    /// Keeps a value of a DISTINCT aggregate (`at`: numbers of group and aggregate).
    pub(super) fn keep_value(
        &mut self,
        at: (u32, u32),
        key: &[u8],
        values: &[Value<'_>],
        cx: &Cx<'_>,
    ) -> SqlResult<()> {
        Self::first(self.distinct.is_none());
        let mut full = Vec::with_capacity(key.len() + 8);
        full.extend_from_slice(&at.0.to_be_bytes());
        full.extend_from_slice(&at.1.to_be_bytes());
        full.extend_from_slice(key);
        self.record.clear();
        tuple::encode(values, &mut self.record);
        self.distinct.get_or_insert_default().push(&full, &self.record, self.memory, cx.env)
    }

    /// Whether rows of further groups wait.
    pub(super) fn has_rows(&self) -> bool {
        self.rows.is_some()
    }

    /// The next of the finished groups.
    pub(super) fn next(&mut self, slot: u16, cx: &mut Cx<'_>) -> SqlResult<bool> {
        let Some(out) = &mut self.out else { return Ok(false) };
        let Some((_, t)) = out.next()? else { return Ok(false) };
        cx.slot(slot)?.set_tuple(t);
        Ok(true)
    }
}

impl<'e> AggOp<'e> {
    /// Adds the values that wait to the groups.
    pub(super) fn finish_distinct(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        let Some(mut sorter) = self.late.distinct.take() else { return Ok(()) };
        sorter.finish(usize::MAX, cx.env)?;
        let mut last: Vec<u8> = Vec::new();
        let mut arena = bumpalo::Bump::new();
        while let Some((key, t)) = sorter.next()? {
            cx.tick()?;
            if last == key {
                continue;
            }
            last.clear();
            last.extend_from_slice(key);
            let Some((at, _)) = key.split_first_chunk::<8>() else { continue };
            let at = u64::from_be_bytes(*at);
            let (group, n) = ((at >> 32) as usize, (at & 0xffff_ffff) as usize);
            let (Some(g), Some(a)) = (self.groups.get_mut(group), self.aggs.get(n)) else { continue };
            let Some(acc) = g.accs.get_mut(n) else { continue };
            arena.reset();
            let values: smallvec::SmallVec<[Value<'_>; 4]> =
                (0..a.args.len()).map(|i| tuple::get(t, a.args.len(), i, &arena)).collect();
            if let (Some(v), Some(e)) = (values.first().copied(), a.args.first()) {
                add(a, acc, v, e, &values, cx, &arena)?;
            }
        }
        Ok(())
    }

    /// Aggregates the rows that wait and puts their groups in order.
    pub(super) fn late_groups(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        let Some(mut waiting) = self.late.rows.take() else { return Ok(()) };
        let memory = self.late.memory;
        let mut out = Box::<Sorter>::default();
        if self.rollup {
            // all groups in the order of their keys
            let mut order: Vec<(Box<[u8]>, u32)> = self.index.drain().collect();
            order.sort_unstable_by_key(|o| o.1);
            for ((key, _), mut g) in order.into_iter().zip(std::mem::take(&mut self.groups)) {
                self.put_group(&mut g, &key, memory, &mut out, cx)?;
            }
        }
        waiting.finish(usize::MAX, cx.env)?;
        let held = std::mem::take(&mut self.groups);
        let (mut key, mut arrival) = (Vec::new(), Vec::new());
        let mut present = false;
        let before = self.kept;
        while let Some((k, record)) = waiting.next()? {
            cx.tick()?;
            let Some((at, rest)) = record.split_first_chunk::<8>() else { continue };
            let Some((live, row)) = rest.split_first() else { continue };
            if !present || key != k {
                if present {
                    self.end_late_group(if self.rollup { &key } else { &arrival }, memory, &mut out, cx)?;
                    cx.memory = cx.memory.saturating_sub(self.kept - before);
                    self.kept = before;
                }
                present = true;
                key.clear();
                key.extend_from_slice(k);
                arrival.clear();
                arrival.extend_from_slice(at);
                rows::restore(&self.slots, row, &mut cx.slots);
                self.arena.reset();
                let g = self.new_group(cx, false, *live as usize)?;
                self.groups.push(g);
            } else {
                rows::restore(&self.slots, row, &mut cx.slots);
                self.arena.reset();
            }
            let n = (self.groups.len() - 1) as u32;
            if let Some(g) = self.groups.last_mut() {
                self.late.full = self.kept - before > memory;
                self.kept += update(g, n, (self.aggs, &self.repeated), &mut self.late, cx, &self.arena)?;
            }
        }
        if present {
            self.end_late_group(if self.rollup { &key } else { &arrival }, memory, &mut out, cx)?;
        }
        self.groups = held;
        out.finish(usize::MAX, cx.env)?;
        self.late.out = Some(out);
        Ok(())
    }

    fn end_late_group(&mut self, order: &[u8], memory: usize, out: &mut Sorter, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.finish_distinct(cx)?;
        match self.groups.pop() {
            Some(mut g) => self.put_group(&mut g, order, memory, out, cx),
            None => Ok(()),
        }
    }

    fn put_group(
        &self,
        g: &mut Group,
        order: &[u8],
        memory: usize,
        out: &mut Sorter,
        cx: &mut Cx<'e>,
    ) -> SqlResult<()> {
        emit(g, self.slot, self.group.len(), self.carry.len(), self.aggs, self.rollup, cx)?;
        let t = std::mem::take(&mut cx.slot(self.slot)?.row);
        out.push(order, &t, memory, cx.env)?;
        cx.slot(self.slot)?.row = t;
        Ok(())
    }
}
