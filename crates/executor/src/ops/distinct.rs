//! DISTINCT: the first row of each set of equal ones, in the order of arrival.
//!
//! Keys seen are kept in memory. When they pass `tmp_table_size` the set stays as it is: later rows that are not in it go to a temporary
//! file, sorted by key and arrival, of which the first of each key are sorted again by arrival.

use base::SqlResult;
use bumpalo::Bump;
use catalog::sysvar::Var;
use hashbrown::HashSet;
use planner::expr::Expr;

use super::Op;
use crate::context::Cx;
use crate::eval::eval;
use crate::keys;
use crate::spill::rows;
use crate::spill::sorter::Sorter;

/// See the module.
pub struct DistinctOp<'e> {
    input: Op<'e>,
    exprs: &'e [Expr],
    /// Slots of the input.
    slots: Vec<u16>,
    seen: HashSet<Box<[u8]>, foldhash::fast::RandomState>,
    key: Vec<u8>,
    arena: Bump,
    kept: usize,
    memory: usize,
    /// Rows that came when `seen` was full.
    late: Option<Box<Late>>,
    draining: bool,
}

#[derive(Default)]
struct Late {
    rows: Sorter,
    n: u64,
    record: Vec<u8>,
}

impl<'e> DistinctOp<'e> {
    /// From its parts; `slots` are those that the input sets.
    pub fn new(input: Op<'e>, exprs: &'e [Expr], slots: Vec<u16>) -> Self {
        DistinctOp {
            input,
            exprs,
            slots,
            seen: HashSet::default(),
            key: Vec::new(),
            arena: Bump::new(),
            kept: 0,
            memory: 0,
            late: None,
            draining: false,
        }
    }

    /// Starts from the beginning.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.kept = 0;
        self.late = None;
        self.draining = false;
        self.memory = cx.spill_limit(Var::tmp_table_size);
        self.seen.clear();
        self.input.open(cx)
    }

    fn key(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
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
        Ok(())
    }

    /// Next new row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        while !self.draining {
            if !self.input.next(cx)? {
                self.draining = true;
                self.first_of_each(cx)?;
                break;
            }
            self.key(cx)?;
            if self.seen.contains(self.key.as_slice()) {
                cx.tick()?;
                continue;
            }
            if self.late.is_none() && self.kept > self.memory {
                probe::inc(probe::Counter::CreatedTmpDiskTables);
                self.late = Some(Box::default());
            }
            match &mut self.late {
                Some(l) => {
                    l.record.clear();
                    l.record.extend_from_slice(&l.n.to_be_bytes());
                    l.n += 1;
                    rows::save(&self.slots, cx, &mut l.record);
                    l.rows.push(&self.key, &l.record, self.memory, cx.env)?;
                    cx.tick()?;
                }
                None => {
                    self.kept += self.key.len() + 48;
                    self.seen.insert(self.key.as_slice().into());
                    return Ok(true);
                }
            }
        }
        let Some(l) = &mut self.late else { return Ok(false) };
        let Some((_, row)) = l.rows.next()? else { return Ok(false) };
        rows::restore(&self.slots, row, cx);
        Ok(true)
    }

    /// Leaves in `late` one row of each key, by arrival.
    fn first_of_each(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        let Some(l) = &mut self.late else { return Ok(()) };
        l.rows.finish(usize::MAX, cx)?;
        let mut kept = Sorter::default();
        let mut last: Option<Vec<u8>> = None;
        while let Some((key, record)) = l.rows.next()? {
            cx.tick()?;
            match &mut last {
                Some(k) if k == key => continue,
                Some(k) => {
                    k.clear();
                    k.extend_from_slice(key);
                }
                None => last = Some(key.to_vec()),
            }
            let (n, row) = record.split_at_checked(8).unwrap_or((record, &[]));
            kept.push(n, row, self.memory, cx.env)?;
        }
        kept.finish(usize::MAX, cx)?;
        l.rows = kept;
        Ok(())
    }
}
