//! WITH RECURSIVE: rounds of queries, each reading the rows of the round before.
//!
//! The rows of all rounds are one list (in a file beyond `tmp_table_size`), to which a round's are appended while those of the round before are
//! read ([`WorkingOp`]). The members' operators are built anew for each round: nothing that they have kept from the last one may be used again.
//! A single member that does nothing but filter the rows of the round before keeps nothing: its operators go from
//! round to round ([`Streak`]).

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::sysvar::Var;
use planner::expr::{Expr, ExprKind};
use planner::plan::{Node, QueryPlan, RecursivePlan};
use value::convert::convert_for_column;

use super::{Op, Operators, each_row, limit_value};
use crate::eval::Cx;
use crate::rows::spill::set::KeySet;
use crate::rows::spill::tuples::{Cursor, Tuples};
use crate::rows::{keys, tuple};

/// The rows of a round: some of a list.
#[derive(Clone, Debug, Default)]
pub struct Round {
    rows: Rc<RefCell<Tuples>>,
    from: usize,
    to: usize,
    /// Whoever has read its rows goes on with the next round's.
    streak: Option<Streak>,
}

/// Rounds that follow each other without an end of their reader's rows.
#[derive(Clone, Copy, Debug)]
struct Streak {
    /// Rounds begun, and how many there may be.
    count: u64,
    most: u64,
    /// Rows after which no round begins.
    wanted: u64,
}

impl Round {
    /// Begins the next round of a streak that has rows; whether there is one.
    fn advance(&mut self) -> SqlResult<bool> {
        let Some(streak) = &mut self.streak else { return Ok(false) };
        let rows = self.rows.borrow().len();
        if rows <= self.to || rows as u64 >= streak.wanted {
            return Ok(false);
        }
        self.to = rows;
        streak.begin()?;
        Ok(true)
    }
}

impl Streak {
    /// Counts a round; 3636 if it is one too many.
    fn begin(&mut self) -> SqlResult<()> {
        self.count += 1;
        if self.count > self.most {
            return Err(SqlError::new(ErrorCode::CTE_MAX_RECURSION_DEPTH, &[&self.count]));
        }
        Ok(())
    }
}

/// The operators of a member that keeps nothing from one row to the next: it filters the rows of the round before,
/// which are not copied.
fn stream<'e>(n: &'e Node, ops: &Operators<'e>) -> Option<Op<'e>> {
    let filtered = |op, cond: &'e Expr| plain(cond).then(|| Op::Filter(Box::new(op), cond, Bump::new()));
    match n {
        Node::Working { slot, id } => Some(Op::Working(Box::new(WorkingOp::new(*slot, *id, ops)))),
        Node::Filter { input, cond, once: false } => filtered(stream(input, ops)?, cond),
        Node::Derived { slot, query, filter, .. } => {
            let Node::Working { slot: of, id } = query.root else { return None };
            let same = |(i, e): (usize, &Expr)| matches!(e.kind, ExprKind::Column { slot, column } if slot == of && usize::from(column) == i);
            if !query.items.iter().enumerate().all(same) {
                return None;
            }
            let op = Op::Working(Box::new(WorkingOp::new(*slot, id, ops)));
            match filter {
                Some(cond) => filtered(op, cond),
                None => Some(op),
            }
        }
        _ => None,
    }
}

fn plain(e: &Expr) -> bool {
    !e.any(&mut |x| matches!(x.kind, ExprKind::Subquery(..)))
}

/// The rows of the round before, inside a recursive member.
pub struct WorkingOp<'e> {
    ops: Weak<Operators<'e>>,
    slot: u16,
    id: u16,
    round: Round,
    cursor: Cursor,
}

impl<'e> WorkingOp<'e> {
    /// From its parts.
    pub fn new(slot: u16, id: u16, ops: &Operators<'e>) -> Self {
        WorkingOp { ops: ops.weak(), slot, id, round: Round::default(), cursor: Cursor::default() }
    }
    /// Starts with the present round.
    pub fn open(&mut self) {
        let round = self.ops.upgrade().and_then(|ops| ops.working.borrow().get(self.id as usize).cloned());
        self.round = round.unwrap_or_default();
        self.cursor = Cursor::default();
    }
    /// Next row.
    pub fn next(&mut self, cx: &mut Cx<'_>) -> SqlResult<bool> {
        if self.round.from >= self.round.to && !self.round.advance()? {
            return Ok(false);
        }
        let rows = self.round.rows.borrow();
        let Some(t) = rows.get(self.round.from, &mut self.cursor)? else { return Ok(false) };
        cx.slot(self.slot)?.set_tuple(t);
        self.round.from += 1;
        Ok(true)
    }
}

/// See the module.
pub struct RecursiveOp<'e> {
    ops: Weak<Operators<'e>>,
    slot: u16,
    plan: &'e RecursivePlan,
    rows: Rc<RefCell<Tuples>>,
    seen: KeySet,
    at: usize,
    cursor: Cursor,
    kept: usize,
}

impl<'e> RecursiveOp<'e> {
    /// From its parts.
    pub fn new(slot: u16, plan: &'e RecursivePlan, ops: &Operators<'e>) -> Self {
        RecursiveOp {
            ops: ops.weak(),
            slot,
            plan,
            rows: Rc::default(),
            seen: KeySet::default(),
            at: 0,
            cursor: Cursor::default(),
            kept: 0,
        }
    }

    /// Computes all rows: 3636 when there are more rounds than `cte_max_recursion_depth`.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        cx.memory = cx.memory.saturating_sub(std::mem::take(&mut self.kept));
        self.rows = Rc::default();
        self.seen.clear();
        self.at = 0;
        self.cursor = Cursor::default();
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
        let Some(ops) = self.ops.upgrade() else { return Err(SqlError::unsupported("a recursive table here")) };
        let most = cx.env.vars.num(Var::cte_max_recursion_depth);
        let wanted = match plan.limit.as_deref() {
            None => u64::MAX,
            Some((offset, count)) => {
                let skip = offset.as_ref().map_or(Ok(0), |o| limit_value(o, cx))?;
                limit_value(count, cx)?.saturating_add(skip)
            }
        };
        self.collect(&plan.seed, &ops, cx)?;
        let (mut from, mut to) = (0, self.rows.borrow().len());
        let mut streak = Streak { count: 0, most, wanted };
        let id = plan.id as usize;
        let mut single = match plan.members.as_slice() {
            // what EXPLAIN ANALYZE measures are rounds
            [m] if ops.measures.is_none() && m.items.iter().all(plain) => stream(&m.root, &ops).map(|op| (m, op)),
            _ => None,
        };
        while from < to && (to as u64) < wanted {
            streak.begin()?;
            if let Some((m, op)) = single.take() {
                ops.set_round(id, Round { rows: self.rows.clone(), from, to, streak: Some(streak) });
                return self.collect_from(op, m, cx);
            }
            for m in &plan.members {
                ops.set_round(id, Round { rows: self.rows.clone(), from, to, streak: None });
                self.collect(m, &ops, cx)?;
            }
            (from, to) = (to, self.rows.borrow().len());
        }
        Ok(())
    }

    /// Appends a query's rows as tuples of the table's types.
    fn collect(&mut self, q: &'e QueryPlan, ops: &Operators<'e>, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.collect_from(ops.build(&q.root, cx), q, cx)
    }

    /// The same from operators that are there.
    fn collect_from(&mut self, mut op: Op<'e>, q: &'e QueryPlan, cx: &mut Cx<'e>) -> SqlResult<()> {
        let others = cx.memory.saturating_sub(self.kept);
        let columns = &self.plan.columns;
        let distinct = self.plan.distinct;
        let (rows, seen, kept) = (&self.rows, &mut self.seen, &mut self.kept);
        let mut arena = Bump::new();
        let mut key = Vec::new();
        each_row(&mut op, q, cx, &mut |cx, row| {
            arena.reset();
            key.clear();
            let mut out = rows.borrow_mut();
            let number = out.len() as u64 + 1;
            let bytes = out.begin();
            let at = tuple::begin(row.len(), bytes);
            for (i, ((v, e), (name, ty))) in row.iter().zip(&q.items).zip(columns).enumerate() {
                let v = v.copy_into(&arena);
                let v = convert_for_column(v, &e.ty, ty, &mut cx.env.conv, name, number, &arena)?.shown();
                if distinct {
                    keys::put(v, ty, false, &mut key);
                }
                tuple::put(at, row.len(), i, v, bytes);
            }
            let limit = cx.table_limit(*kept);
            if distinct && !seen.insert(&key, limit, cx.env)? {
                out.forget();
                return Ok(true);
            }
            out.end(limit, cx.env)?;
            let now = out.size() + seen.size();
            cx.memory = cx.memory.saturating_sub(*kept);
            *kept = now;
            cx.keep(now)?;
            Ok(true)
        })?;
        // the member's operators go, with what they kept
        drop(op);
        cx.memory = others + self.kept;
        Ok(())
    }

    /// Next row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        let rows = self.rows.borrow();
        let Some(t) = rows.get(self.at, &mut self.cursor)? else { return Ok(false) };
        cx.slot(self.slot)?.set_tuple(t);
        self.at += 1;
        Ok(true)
    }
}
