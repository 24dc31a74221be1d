//! Window functions.
//!
//! `open` reads the input: of each row the payload (a tuple as wide as the slot, whose last columns are still missing) and its sort key. The
//! rows are sorted by partition and order ([`rows`], in temporary files when they are many). `next` walks them; at a partition's first row its
//! end is looked for, at the first row of a peer group the group's end. Each call then computes its value for the row from rows of the partition:
//! frames only move forward, so a call looks at each row a bounded number of times ([`frame`], [`agg`]; exceptions are named there).
//!
//! Tested in `tests/sql/golden/window*.sql` and `tests/sql/differential/windows.py`.

mod agg;
mod frame;
mod func;
mod rows;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::{Expr, ExprKind};
use planner::window::{WindowCall, WindowFunc, WindowPlan};
use value::{OwnedValue, Value};

use self::rows::Rows;
use super::Op;
use crate::eval::Cx;
use crate::eval::{eval, order_value};
use crate::rows::{keys, tuple};

/// Where the current row is. Ends are exclusive.
#[derive(Clone, Copy, Default)]
struct Place {
    row: usize,
    /// Its partition.
    first: usize,
    end: usize,
    /// Its peers.
    peers: usize,
    peers_end: usize,
    /// Peer groups of the partition up to its own.
    groups: u64,
    /// The first row of a partition, of a peer group.
    new_partition: bool,
    new_peers: bool,
}

/// A call with what it remembers within a partition.
struct Call<'e> {
    plan: &'e WindowCall,
    /// Values of constant arguments.
    fixed: Vec<Option<OwnedValue>>,
    /// The number argument: offset, bucket count, row of the frame. `None`: NULL.
    number: Option<u64>,
    frame: frame::FrameState,
    agg: Option<agg::AggState>,
}

/// See the module.
pub struct WindowOp<'e> {
    input: Op<'e>,
    slot: u16,
    plan: &'e WindowPlan,
    rows: Rows,
    calls: Vec<Call<'e>>,
    place: Place,
    next: usize,
    key: Vec<u8>,
    out: Vec<u8>,
    arena: Bump,
}

impl<'e> WindowOp<'e> {
    /// From its parts.
    pub fn new(input: Op<'e>, slot: u16, plan: &'e WindowPlan) -> Self {
        let width = plan.payload.len() + plan.calls.len();
        WindowOp {
            input,
            slot,
            plan,
            rows: Rows::new(width),
            calls: Vec::new(),
            place: Place::default(),
            next: 0,
            key: Vec::new(),
            out: Vec::new(),
            arena: Bump::new(),
        }
    }

    /// Reads and sorts the input.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.rows.clear(cx);
        self.next = 0;
        self.place = Place::default();
        self.calls = self.plan.calls.iter().map(|c| prepare(c, cx)).collect::<SqlResult<Vec<_>>>()?;
        self.input.open(cx)?;
        let mut arena = Bump::new();
        let mut tup = Vec::new();
        while self.input.next(cx)? {
            arena.reset();
            self.read(cx, &arena, &mut tup)?;
            cx.tick()?;
        }
        self.rows.finish(!self.plan.keys.is_empty(), cx)
    }

    /// Keeps the input's current row.
    fn read(&mut self, cx: &mut Cx<'e>, arena: &Bump, tup: &mut Vec<u8>) -> SqlResult<()> {
        tup.clear();
        let width = self.rows.width;
        let at = tuple::begin(width, tup);
        for (i, e) in self.plan.payload.iter().enumerate() {
            let v = eval(e, cx, arena)?;
            tuple::put(at, width, i, v, tup);
        }
        cx.slot(self.slot)?.set_tuple(tup);
        let bytes = &mut self.key;
        bytes.clear();
        let mut partition = 0;
        for (i, k) in self.plan.keys.iter().enumerate() {
            let v = order_value(&k.expr, (self.slot, &self.plan.payload), cx, arena)?;
            cx.sorts(v);
            keys::put_part((i, self.plan.keys.len()), v, &k.expr.ty, k.desc, bytes);
            if i + 1 == self.plan.partition {
                partition = bytes.len() as u32;
            }
        }
        self.rows.push(&self.key, partition, tup, cx)
    }

    /// Finds the partition and the peers of row `i`.
    fn locate(&mut self, i: usize, cx: &mut Cx<'e>) -> SqlResult<()> {
        let rows = &self.rows;
        let p = &mut self.place;
        p.row = i;
        p.new_partition = i == 0 || i >= p.end;
        if p.new_partition {
            p.first = i;
            p.end = rows.partition_end(i, self.plan.partition, cx)?;
            p.groups = 0;
        }
        p.new_peers = p.new_partition || i >= p.peers_end;
        if p.new_peers {
            p.peers = i;
            p.peers_end =
                if self.plan.keys.len() == self.plan.partition { p.end } else { rows.peers_end(i, p.end, cx)? };
            p.groups += 1;
        }
        Ok(())
    }

    /// Next row with the calls' values.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        if !self.rows.has(self.next, cx)? {
            return Ok(false);
        }
        let i = self.next;
        self.next += 1;
        self.locate(i, cx)?;
        self.arena.reset();
        let tup = self.rows.tuple(i, &self.arena);
        cx.slot(self.slot)?.set_tuple(tup);
        self.out.clear();
        self.out.extend_from_slice(tup);
        let first = self.plan.payload.len();
        for (n, c) in self.calls.iter_mut().enumerate() {
            let v = func::value(c, &self.rows, &self.place, cx, &self.arena)?;
            tuple::put(0, self.rows.width, first + n, v, &mut self.out);
        }
        self.rows.check()?;
        cx.slot(self.slot)?.set_tuple(&self.out);
        Ok(true)
    }
}

/// Constant arguments and frame offsets of a call, checked.
fn prepare<'e>(plan: &'e WindowCall, cx: &mut Cx<'e>) -> SqlResult<Call<'e>> {
    let arena = Bump::new();
    let mut fixed = Vec::with_capacity(plan.args.len());
    for e in &plan.args {
        fixed.push(match e.kind {
            ExprKind::Column { .. } => None,
            _ => Some(eval(e, cx, &arena)?.to_owned()),
        });
    }
    let at = match plan.func {
        WindowFunc::Ntile => Some(0),
        WindowFunc::NthValue | WindowFunc::Lead(_) => Some(1),
        _ => None,
    };
    let mut number = None;
    if let Some((Some(v), Some(e))) = at.map(|i| (fixed.get(i).cloned().flatten(), plan.args.get(i))) {
        let least = u64::from(!matches!(plan.func, WindowFunc::Lead(_)));
        number = whole(v.as_value(), e).filter(|n| *n >= least);
        if number.is_none() {
            return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&plan.func.name()]));
        }
    }
    let frame = frame::FrameState::new(&plan.frame, cx, &arena)?;
    let agg = match &plan.func {
        WindowFunc::Aggregate(a) => Some(agg::AggState::new(a, &plan.frame)),
        _ => None,
    };
    Ok(Call { plan, fixed, number, frame, agg })
}

/// A count given as argument: not NULL, not negative, an integer.
fn whole(v: Value<'_>, _e: &Expr) -> Option<u64> {
    match v {
        Value::Int(n) => u64::try_from(n).ok(),
        Value::UInt(n) => Some(n),
        _ => None,
    }
}
