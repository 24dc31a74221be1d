//! WITH RECURSIVE: rounds of queries, each reading the rows of the round before.
//!
//! All rows stay in memory, a list for each round; the rows of the last one are what [`WorkingOp`] reads. The members' operators are built
//! anew for each round: nothing that they have kept from the last one may be used again.

use std::rc::Rc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::sysvar::Var;
use hashbrown::HashSet;
use planner::plan::{QueryPlan, RecursivePlan};
use value::convert::convert_for_column;

use super::{build, each_row, limit_value};
use crate::context::Cx;
use crate::{keys, tuple};

/// Tuples one after the other, and where each ends.
#[derive(Debug, Default)]
pub struct Tuples {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Tuples {
    fn get(&self, i: usize) -> Option<&[u8]> {
        let end = *self.ends.get(i)?;
        let start = i.checked_sub(1).and_then(|i| self.ends.get(i)).copied().unwrap_or(0);
        self.bytes.get(start..end)
    }
}

/// The rows of the round before, inside a recursive member.
pub struct WorkingOp {
    slot: u16,
    id: u16,
    rows: Option<Rc<Tuples>>,
    at: usize,
}

impl WorkingOp {
    /// From its parts.
    pub fn new(slot: u16, id: u16) -> Self {
        WorkingOp { slot, id, rows: None, at: 0 }
    }
    /// Starts with the present round.
    pub fn open(&mut self, cx: &mut Cx<'_>) {
        self.rows = cx.working.get(self.id as usize).cloned();
        self.at = 0;
    }
    /// Next row.
    pub fn next(&mut self, cx: &mut Cx<'_>) -> SqlResult<bool> {
        let Some(t) = self.rows.as_ref().and_then(|r| r.get(self.at)) else { return Ok(false) };
        cx.slot(self.slot)?.set_tuple(t);
        self.at += 1;
        Ok(true)
    }
}

/// See the module.
pub struct RecursiveOp<'e> {
    slot: u16,
    plan: &'e RecursivePlan,
    rounds: Vec<Rc<Tuples>>,
    seen: HashSet<Box<[u8]>, foldhash::fast::RandomState>,
    round: usize,
    at: usize,
    kept: usize,
    rows: u64,
}

impl<'e> RecursiveOp<'e> {
    /// From its parts.
    pub fn new(slot: u16, plan: &'e RecursivePlan) -> Self {
        RecursiveOp { slot, plan, rounds: Vec::new(), seen: HashSet::default(), round: 0, at: 0, kept: 0, rows: 0 }
    }

    /// Computes all rows: 3636 when there are more rounds than `cte_max_recursion_depth`.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        cx.memory = cx.memory.saturating_sub(self.kept);
        self.kept = 0;
        self.rows = 0;
        self.rounds.clear();
        self.seen.clear();
        self.round = 0;
        self.at = 0;
        // values are stored as INSERT stores them
        let mode = cx.env.conv.sql_mode;
        let before = std::mem::replace(&mut cx.env.conv.strict, mode.is_strict());
        let done = self.compute(cx);
        cx.env.conv.strict = before;
        self.seen.clear();
        done
    }

    fn compute(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        let plan = self.plan;
        let most = cx.env.vars.num(Var::cte_max_recursion_depth);
        let wanted = match plan.limit.as_deref() {
            None => u64::MAX,
            Some((offset, count)) => {
                let skip = offset.as_ref().map_or(Ok(0), |o| limit_value(o, cx))?;
                limit_value(count, cx)?.saturating_add(skip)
            }
        };
        let mut current = Tuples::default();
        self.collect(&plan.seed, &mut current, cx)?;
        let mut count = 0u64;
        while !current.ends.is_empty() {
            let rows = Rc::new(std::mem::take(&mut current));
            self.rounds.push(rows.clone());
            if self.rows >= wanted {
                break;
            }
            count += 1;
            if count > most {
                return Err(SqlError::new(ErrorCode::CTE_MAX_RECURSION_DEPTH, &[&count]));
            }
            let id = plan.id as usize;
            if cx.working.len() <= id {
                cx.working.resize_with(id + 1, Rc::default);
            }
            for m in &plan.members {
                if let Some(w) = cx.working.get_mut(id) {
                    *w = rows.clone();
                }
                self.collect(m, &mut current, cx)?;
            }
        }
        Ok(())
    }

    /// Appends a query's rows as tuples of the table's types.
    fn collect(&mut self, q: &'e QueryPlan, out: &mut Tuples, cx: &mut Cx<'e>) -> SqlResult<()> {
        let mut op = build(&q.root, cx);
        let columns = &self.plan.columns;
        let distinct = self.plan.distinct;
        let (seen, kept, rows) = (&mut self.seen, &mut self.kept, &mut self.rows);
        let mut arena = Bump::new();
        let mut key = Vec::new();
        each_row(&mut op, q, cx, &mut |cx, row| {
            arena.reset();
            key.clear();
            let before = out.bytes.len();
            let at = tuple::begin(row.len(), &mut out.bytes);
            for (i, ((v, e), (name, ty))) in row.iter().zip(&q.items).zip(columns).enumerate() {
                let v = v.copy_into(&arena);
                let v = convert_for_column(v, &e.ty, ty, &mut cx.env.conv, name, *rows + 1, &arena)?;
                if distinct {
                    keys::put(v, ty, false, &mut key);
                }
                tuple::put(at, row.len(), i, v, &mut out.bytes);
            }
            if distinct && seen.contains(key.as_slice()) {
                out.bytes.truncate(before);
                return Ok(true);
            }
            let mut size = out.bytes.len() - before;
            if distinct {
                size += key.len() + 48;
                seen.insert(key.as_slice().into());
            }
            out.ends.push(out.bytes.len());
            *rows += 1;
            *kept += size;
            cx.keep(size)?;
            Ok(true)
        })
    }

    /// Next row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        while let Some(r) = self.rounds.get(self.round) {
            if let Some(t) = r.get(self.at) {
                cx.slot(self.slot)?.set_tuple(t);
                self.at += 1;
                return Ok(true);
            }
            self.round += 1;
            self.at = 0;
        }
        Ok(false)
    }
}
