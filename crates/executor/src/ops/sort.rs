//! Sort (with top-N) and DISTINCT.
//!
//! A row is its sort key (memcmp order) and its payload tuple, both in one growing buffer; sorting moves only numbers.

use base::SqlResult;
use bumpalo::Bump;
use hashbrown::HashSet;
use planner::expr::Expr;
use planner::plan::{Node, SortKey};

use super::{Op, limit_value};
use crate::context::Cx;
use crate::eval::eval;
use crate::{keys, tuple};

#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    key: u32,
    tuple: u32,
    /// Order of arrival: the sort is stable.
    n: u32,
}

/// Sort.
pub struct SortOp<'e> {
    input: Op<'e>,
    source: &'e Node,
    slot: u16,
    payload: &'e [Expr],
    keys: &'e [SortKey],
    limit: Option<&'e (Option<Expr>, Expr)>,
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    at: usize,
    kept: usize,
}

impl<'e> SortOp<'e> {
    /// From its parts.
    pub fn new(
        (input, source): (Op<'e>, &'e Node),
        slot: u16,
        payload: &'e [Expr],
        keys: &'e [SortKey],
        limit: Option<&'e (Option<Expr>, Expr)>,
    ) -> Self {
        SortOp { input, source, slot, payload, keys, limit, bytes: Vec::new(), entries: Vec::new(), at: 0, kept: 0 }
    }

    fn key(bytes: &[u8], e: &Entry) -> (usize, usize) {
        let _ = bytes;
        (e.start, e.start + e.key as usize)
    }

    fn order(&mut self) {
        let b = &self.bytes;
        let k = |e: &Entry| {
            let (s, t) = Self::key(b, e);
            b.get(s..t).unwrap_or(&[])
        };
        self.entries.sort_unstable_by(|x, y| k(x).cmp(k(y)).then(x.n.cmp(&y.n)));
    }

    /// Keeps the first `n` rows only.
    fn shrink(&mut self, n: usize) {
        self.order();
        self.entries.truncate(n);
        let mut fresh = Vec::with_capacity(self.bytes.len() / 2);
        for e in &mut self.entries {
            let start = fresh.len();
            fresh.extend_from_slice(self.bytes.get(e.start..e.start + (e.key + e.tuple) as usize).unwrap_or(&[]));
            e.start = start;
        }
        self.bytes = fresh;
    }

    /// Reads and sorts the input.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        cx.memory = cx.memory.saturating_sub(self.kept);
        self.bytes.clear();
        self.entries.clear();
        self.at = 0;
        self.kept = 0;
        let wanted = match self.limit {
            Some((offset, count)) if !cx.counting => {
                let o = match offset {
                    Some(e) => limit_value(e, cx)?,
                    None => 0,
                };
                usize::try_from(limit_value(count, cx)?.saturating_add(o)).unwrap_or(usize::MAX)
            }
            _ => usize::MAX,
        };
        self.input.open(cx)?;
        let mut arena = Bump::new();
        let mut tup = Vec::new();
        let mut n = 0u32;
        while self.input.next(cx)? {
            arena.reset();
            let start = self.bytes.len();
            tup.clear();
            let at = tuple::begin(self.payload.len(), &mut tup);
            for (i, e) in self.payload.iter().enumerate() {
                let v = eval(e, cx, &arena)?;
                tuple::put(at, self.payload.len(), i, v, &mut tup);
            }
            let slot = cx.slot(self.slot)?;
            slot.set_tuple(&tup);
            for (i, k) in self.keys.iter().enumerate() {
                let v = eval(&k.expr, cx, &arena)?;
                if i + 1 == self.keys.len() {
                    keys::put_last(v, &k.expr.ty, k.desc, &mut self.bytes);
                } else {
                    keys::put(v, &k.expr.ty, k.desc, &mut self.bytes);
                }
            }
            let key = (self.bytes.len() - start) as u32;
            self.bytes.extend_from_slice(&tup);
            self.entries.push(Entry { start, key, tuple: tup.len() as u32, n });
            n = n.wrapping_add(1);
            if self.entries.len() > wanted.saturating_mul(2).saturating_add(64) {
                self.shrink(wanted);
            }
            let size = self.bytes.len() + self.entries.len() * size_of::<Entry>();
            if size > self.kept + (1 << 16) {
                cx.keep(size - self.kept)?;
                self.kept = size;
            }
            cx.tick()?;
        }
        self.order();
        self.entries.truncate(wanted);
        crate::status::sorted(self.source, self.entries.len() as u64);
        Ok(())
    }

    /// Next row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        let Some(e) = self.entries.get(self.at) else { return Ok(false) };
        self.at += 1;
        let from = e.start + e.key as usize;
        let t = self.bytes.get(from..from + e.tuple as usize).unwrap_or(&[]);
        cx.slot(self.slot)?.set_tuple(t);
        Ok(true)
    }
}

/// DISTINCT.
pub struct DistinctOp<'e> {
    input: Op<'e>,
    exprs: &'e [Expr],
    seen: HashSet<Box<[u8]>, foldhash::fast::RandomState>,
    key: Vec<u8>,
    arena: Bump,
    kept: usize,
}

impl<'e> DistinctOp<'e> {
    /// From its parts.
    pub fn new(input: Op<'e>, exprs: &'e [Expr]) -> Self {
        DistinctOp { input, exprs, seen: HashSet::default(), key: Vec::new(), arena: Bump::new(), kept: 0 }
    }
    /// Starts from the beginning.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        cx.memory = cx.memory.saturating_sub(self.kept);
        self.kept = 0;
        self.seen.clear();
        self.input.open(cx)
    }
    /// Next new row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        while self.input.next(cx)? {
            self.arena.reset();
            self.key.clear();
            for (i, e) in self.exprs.iter().enumerate() {
                let v = eval(e, cx, &self.arena)?;
                if i + 1 == self.exprs.len() {
                    keys::put_last(v, &e.ty, false, &mut self.key);
                } else {
                    keys::put(v, &e.ty, false, &mut self.key);
                }
            }
            if !self.seen.contains(self.key.as_slice()) {
                self.kept += self.key.len() + 48;
                cx.keep(self.key.len() + 48)?;
                self.seen.insert(self.key.as_slice().into());
                return Ok(true);
            }
            cx.tick()?;
        }
        Ok(false)
    }
}
