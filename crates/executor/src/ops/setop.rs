//! UNION, INTERSECT, EXCEPT: evaluated from left to right, as their SQL text stands.

use base::SqlResult;
use hashbrown::HashMap;
use planner::plan::{QueryPlan, SetOpKind};
use value::SqlType;

use super::{Op, build, each_row};
use crate::context::Cx;
use crate::{keys, tuple};

/// See the module.
pub struct SetOpOp<'e> {
    slot: u16,
    first: (&'e QueryPlan, Op<'e>),
    rest: Vec<(SetOpKind, &'e QueryPlan, Op<'e>)>,
    rows: Rows,
    at: usize,
    /// Only UNION ALL: nothing is kept, the branches are read one after the other.
    streaming: bool,
    branch: usize,
    opened: bool,
    arena: bumpalo::Bump,
}

/// Rows with their comparison keys; removed ones stay as holes.
#[derive(Default)]
struct Rows {
    bytes: Vec<u8>,
    items: Vec<(usize, usize, bool)>,
}

type Seen = HashMap<Box<[u8]>, i64, foldhash::fast::RandomState>;

impl<'e> SetOpOp<'e> {
    /// From its parts.
    pub fn new(slot: u16, first: &'e QueryPlan, rest: &'e [(SetOpKind, QueryPlan)], cx: &Cx<'e>) -> Self {
        let streaming = rest.iter().all(|r| r.0 == SetOpKind::UnionAll);
        SetOpOp {
            slot,
            first: (first, build(&first.root, cx)),
            rest: rest.iter().map(|(k, q)| (*k, q, build(&q.root, cx))).collect(),
            rows: Rows::default(),
            at: 0,
            streaming,
            branch: 0,
            opened: false,
            arena: bumpalo::Bump::new(),
        }
    }

    /// Computes the result.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.at = 0;
        self.branch = 0;
        self.opened = false;
        if self.streaming {
            return Ok(());
        }
        let mut types: Vec<SqlType> = self.first.0.items.iter().map(|e| e.ty.clone()).collect();
        if let Some(planner::plan::SlotDef::Tuple(t)) = cx.plan.slots.get(self.slot as usize) {
            types = t.clone();
        }
        let mut current = Rows::default();
        collect(&mut self.first.1, self.first.0, cx, &mut current)?;
        for (kind, q, op) in &mut self.rest {
            let mut other = Rows::default();
            collect(op, q, cx, &mut other)?;
            current = combine(*kind, current, other, &types);
        }
        self.rows = current;
        Ok(())
    }

    /// Next row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        if self.streaming {
            return self.next_streaming(cx);
        }
        while let Some((s, e, live)) = self.rows.items.get(self.at) {
            self.at += 1;
            if *live {
                cx.slot(self.slot)?.set_tuple(self.rows.bytes.get(*s..*e).unwrap_or(&[]));
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn next_streaming(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        loop {
            let (q, op) = match self.branch.checked_sub(1) {
                None => (self.first.0, &mut self.first.1),
                Some(i) => match self.rest.get_mut(i) {
                    Some((_, q, op)) => (*q, op),
                    None => return Ok(false),
                },
            };
            if !self.opened {
                op.open(cx)?;
                self.opened = true;
            }
            if !op.next(cx)? {
                self.branch += 1;
                self.opened = false;
                continue;
            }
            self.arena.reset();
            let mut row = smallvec::SmallVec::<[value::Value<'_>; 16]>::new();
            for e in &q.items {
                row.push(crate::eval::eval(e, cx, &self.arena)?);
            }
            cx.slot(self.slot)?.set_values(&row);
            return Ok(true);
        }
    }
}

fn collect<'e>(op: &mut Op<'e>, q: &'e QueryPlan, cx: &mut Cx<'e>, rows: &mut Rows) -> SqlResult<()> {
    each_row(op, q, cx, &mut |cx, row| {
        let start = rows.bytes.len();
        tuple::encode(row, &mut rows.bytes);
        rows.items.push((start, rows.bytes.len(), true));
        cx.keep(rows.bytes.len() - start + 24)?;
        Ok(true)
    })
}

fn key(rows: &Rows, item: &(usize, usize, bool), types: &[SqlType], out: &mut Vec<u8>) {
    let arena = bumpalo::Bump::new();
    let t = rows.bytes.get(item.0..item.1).unwrap_or(&[]);
    out.clear();
    for (i, ty) in types.iter().enumerate() {
        keys::put(tuple::get(t, types.len(), i, &arena), ty, false, out);
    }
}

fn combine(kind: SetOpKind, mut a: Rows, b: Rows, types: &[SqlType]) -> Rows {
    let mut k = Vec::new();
    let append = |a: &mut Rows, b: Rows| {
        let shift = a.bytes.len();
        a.bytes.extend_from_slice(&b.bytes);
        a.items.extend(b.items.iter().map(|(s, e, l)| (s + shift, e + shift, *l)));
    };
    match kind {
        SetOpKind::UnionAll => append(&mut a, b),
        SetOpKind::UnionDistinct => {
            append(&mut a, b);
            distinct(&mut a, types);
        }
        SetOpKind::Intersect | SetOpKind::IntersectAll | SetOpKind::Except | SetOpKind::ExceptAll => {
            let mut seen = Seen::default();
            for item in b.items.iter().filter(|i| i.2) {
                key(&b, item, types, &mut k);
                *seen.entry(k.as_slice().into()).or_insert(0) += 1;
            }
            let items = std::mem::take(&mut a.items);
            let kept = items
                .into_iter()
                .filter(|i| i.2)
                .filter(|i| {
                    key(&a, i, types, &mut k);
                    let left = seen.get_mut(k.as_slice());
                    match kind {
                        SetOpKind::Intersect => left.is_some(),
                        SetOpKind::Except => left.is_none(),
                        _ => {
                            let hit = left.is_some_and(|n| {
                                *n -= 1;
                                *n >= 0
                            });
                            hit == (kind == SetOpKind::IntersectAll)
                        }
                    }
                })
                .collect();
            a.items = kept;
            if matches!(kind, SetOpKind::Intersect | SetOpKind::Except) {
                distinct(&mut a, types);
            }
        }
    }
    a
}

fn distinct(rows: &mut Rows, types: &[SqlType]) {
    let mut seen = Seen::default();
    let mut k = Vec::new();
    for n in 0..rows.items.len() {
        let Some(item) = rows.items.get(n).copied() else { continue };
        if !item.2 {
            continue;
        }
        key(rows, &item, types, &mut k);
        if seen.contains_key(k.as_slice()) {
            if let Some(i) = rows.items.get_mut(n) {
                i.2 = false;
            }
        } else {
            seen.insert(k.as_slice().into(), 1);
        }
    }
}
