//! Joins.

use std::collections::HashMap;

use base::SqlResult;
use bumpalo::Bump;
use catalog::sysvar::Var;
use planner::expr::Expr;
use planner::plan::JoinKind;
use probe::held::Held;
use probe::instruments::Memory;
use value::compare::Comparator;

use super::Op;
use super::grace::{Grace, Parts};
use crate::eval::Cx;
use crate::eval::{eval, truth};
use crate::rows::keys;
use crate::rows::slot::{RowState, Saved};
use crate::rows::spill::rows;

/// Nested loop.
pub struct LoopOp<'e> {
    kind: JoinKind,
    outer: Op<'e>,
    inner: Op<'e>,
    on: Option<&'e Expr>,
    slots: &'e [u16],
    inside: bool,
    matched: bool,
    arena: Bump,
}

pub(super) fn set_null(slots: &[u16], cx: &mut Cx<'_>) {
    for s in slots {
        if let Some(s) = cx.slots.get_mut(*s as usize) {
            s.state = RowState::Null;
        }
    }
}

impl<'e> LoopOp<'e> {
    /// From its parts.
    pub fn new(kind: JoinKind, outer: Op<'e>, inner: Op<'e>, on: Option<&'e Expr>, slots: &'e [u16]) -> Self {
        LoopOp { kind, outer, inner, on, slots, inside: false, matched: false, arena: Bump::new() }
    }
    /// Starts from the beginning.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.inside = false;
        self.outer.open(cx)
    }
    /// See [`Op::leave_inner`].
    pub fn leave_inner(&mut self) {
        self.inside = false;
        self.outer.leave_inner();
    }
    /// See [`Op::unlock_row`]. Rows of a semijoin's or antijoin's outer side come once.
    pub fn unlock_row(&mut self, cx: &mut Cx<'e>) {
        if matches!(self.kind, JoinKind::Semi | JoinKind::Anti) {
            self.outer.unlock_row(cx);
        }
    }
    /// Next joined row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        loop {
            if !self.inside {
                if !self.outer.next(cx)? {
                    return Ok(false);
                }
                self.inner.open(cx)?;
                self.inside = true;
                self.matched = false;
            }
            while self.inner.next(cx)? {
                if let Some(on) = self.on {
                    self.arena.reset();
                    if truth(on, cx, &self.arena)? != Some(true) {
                        cx.tick()?;
                        continue;
                    }
                }
                self.matched = true;
                match self.kind {
                    JoinKind::Inner | JoinKind::Left => return Ok(true),
                    JoinKind::Semi => {
                        self.inside = false;
                        return Ok(true);
                    }
                    JoinKind::Anti => break,
                }
            }
            self.inside = false;
            match self.kind {
                JoinKind::Left if !self.matched => {
                    set_null(self.slots, cx);
                    return Ok(true);
                }
                JoinKind::Anti if !self.matched => return Ok(true),
                JoinKind::Semi | JoinKind::Anti => {
                    self.outer.unlock_row(cx);
                    cx.tick()?;
                }
                _ => cx.tick()?,
            }
        }
    }
}

/// Hash join: in memory here, beyond `join_buffer_size` through [`Grace`].
pub struct HashOp<'e> {
    parts: Parts<'e>,
    outer: Op<'e>,
    inner: Op<'e>,
    keys: &'e [(Expr, Expr, Comparator)],
    grace: Option<Box<Grace>>,
    table: HashMap<Vec<u8>, Vec<u32>, foldhash::fast::RandomState>,
    rows: Vec<Vec<Saved>>,
    kept: usize,
    /// For performance_schema: the same.
    held: Held,
    built: bool,
    hits: Vec<u32>,
    at: usize,
    inside: bool,
    matched: bool,
    key: Vec<u8>,
    arena: Bump,
}

impl<'e> HashOp<'e> {
    /// From its parts; the outer side with its slots and whether the order of its rows counts.
    pub fn new(
        kind: JoinKind,
        outer: (Op<'e>, Vec<u16>, bool),
        inner: Op<'e>,
        keys: &'e [(Expr, Expr, Comparator)],
        on: Option<&'e Expr>,
        slots: &'e [u16],
    ) -> Self {
        HashOp {
            parts: Parts { kind, on, outer: outer.1, inner: slots, ordered: outer.2 },
            outer: outer.0,
            inner,
            keys,
            grace: None,
            table: HashMap::default(),
            rows: Vec::new(),
            kept: 0,
            held: Held::new(Memory::HashJoins),
            built: false,
            hits: Vec::new(),
            at: 0,
            inside: false,
            matched: false,
            key: Vec::new(),
            arena: Bump::new(),
        }
    }

    /// Starts from the beginning: the inner side is read when the first outer row is there.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.inside = false;
        self.built = false;
        self.grace = None;
        self.outer.open(cx)
    }

    /// See [`Op::leave_inner`]; rows that come from a file are all there already.
    pub fn leave_inner(&mut self) {
        if self.grace.is_none() {
            self.inside = false;
            self.outer.leave_inner();
        }
    }

    fn build(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        cx.memory = cx.memory.saturating_sub(self.kept);
        self.kept = 0;
        self.held.clear();
        self.table.clear();
        self.rows.clear();
        self.grace = None;
        let memory = cx.spill_limit(Var::join_buffer_size);
        let mut record = Vec::new();
        // one row of each key tells a semijoin or antijoin all
        let once = self.parts.on.is_none() && matches!(self.parts.kind, JoinKind::Semi | JoinKind::Anti);
        self.inner.open(cx)?;
        while self.inner.next(cx)? {
            self.arena.reset();
            self.key.clear();
            let mut null = false;
            for (_, e, cmp) in self.keys {
                let v = eval(e, cx, &self.arena)?;
                null |= !keys::put_compared(v, &cmp.right, cmp.kind, &mut cx.env.conv, &mut self.key);
                if null {
                    break;
                }
            }
            cx.tick()?;
            if null || (once && self.table.contains_key(self.key.as_slice())) {
                continue;
            }
            if let Some(g) = &mut self.grace {
                record.clear();
                rows::save(self.parts.inner, &cx.slots, &mut record);
                g.add_inner(&self.key, &record)?;
                continue;
            }
            let row: Vec<Saved> = self.parts.inner.iter().map(|s| cx.save(*s)).collect();
            let size = self.key.len() + 64 + row.iter().map(Saved::size).sum::<usize>();
            self.kept += size;
            self.held.set(self.kept);
            cx.keep(size)?;
            let n = self.rows.len() as u32;
            self.rows.push(row);
            match self.table.get_mut(self.key.as_slice()) {
                Some(l) => l.push(n),
                None => {
                    self.table.insert(self.key.clone(), vec![n]);
                }
            }
            if self.kept > memory {
                self.spill_inner(memory, cx)?;
            }
        }
        if let Some(g) = &mut self.grace {
            g.divide(cx)?;
        }
        self.built = true;
        Ok(())
    }

    /// Moves the rows read so far into a temporary file.
    fn spill_inner(&mut self, memory: usize, cx: &mut Cx<'e>) -> SqlResult<()> {
        let mut g = Box::new(Grace::new(memory, cx)?);
        let mut record = Vec::new();
        // rows of one key stay in their order
        for (key, list) in self.table.drain() {
            for n in list {
                let Some(row) = self.rows.get(n as usize) else { continue };
                for (s, r) in self.parts.inner.iter().zip(row) {
                    cx.restore(*s, r);
                }
                record.clear();
                rows::save(self.parts.inner, &cx.slots, &mut record);
                g.add_inner(&key, &record)?;
            }
        }
        self.rows = Vec::new();
        cx.memory = cx.memory.saturating_sub(self.kept);
        self.kept = 0;
        self.held.clear();
        self.grace = Some(g);
        Ok(())
    }

    /// The key of the present outer row in `self.key`; whether it has no NULL.
    fn outer_key(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        self.arena.reset();
        self.key.clear();
        for (e, _, cmp) in self.keys {
            let v = eval(e, cx, &self.arena)?;
            if !keys::put_compared(v, &cmp.left, cmp.kind, &mut cx.env.conv, &mut self.key) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The outer side into the temporary file, from its present row on.
    fn spill_outer(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        loop {
            let keyed = self.outer_key(cx)?;
            if let Some(g) = &mut self.grace {
                g.add_outer(keyed.then_some(self.key.as_slice()), &self.parts, cx)?;
            }
            cx.tick()?;
            if !self.outer.next(cx)? {
                break;
            }
        }
        match &mut self.grace {
            Some(g) => g.finish(&self.parts, cx),
            None => Ok(()),
        }
    }

    /// Next joined row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        loop {
            if let Some(g) = &mut self.grace
                && self.built
            {
                return g.next(&self.parts, cx);
            }
            if !self.inside {
                if !self.outer.next(cx)? {
                    return Ok(false);
                }
                if !self.built {
                    // building moves the inner slots only
                    self.build(cx)?;
                    if self.grace.is_some() {
                        self.spill_outer(cx)?;
                        continue;
                    }
                }
                let keyed = self.outer_key(cx)?;
                self.hits.clear();
                if keyed && let Some(l) = self.table.get(self.key.as_slice()) {
                    self.hits.extend_from_slice(l);
                }
                self.at = 0;
                self.inside = true;
                self.matched = false;
            }
            while let Some(n) = self.hits.get(self.at) {
                self.at += 1;
                if let Some(row) = self.rows.get(*n as usize) {
                    for (s, r) in self.parts.inner.iter().zip(row) {
                        cx.restore(*s, r);
                    }
                }
                if let Some(on) = self.parts.on {
                    self.arena.reset();
                    if truth(on, cx, &self.arena)? != Some(true) {
                        cx.tick()?;
                        continue;
                    }
                }
                self.matched = true;
                match self.parts.kind {
                    JoinKind::Inner | JoinKind::Left => return Ok(true),
                    JoinKind::Semi => {
                        self.inside = false;
                        return Ok(true);
                    }
                    JoinKind::Anti => break,
                }
            }
            self.inside = false;
            match self.parts.kind {
                JoinKind::Left if !self.matched => {
                    set_null(self.parts.inner, cx);
                    return Ok(true);
                }
                JoinKind::Anti if !self.matched => return Ok(true),
                JoinKind::Semi | JoinKind::Anti => {
                    self.outer.unlock_row(cx);
                    cx.tick()?;
                }
                _ => cx.tick()?,
            }
        }
    }
}
