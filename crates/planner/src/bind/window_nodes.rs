//! From bound window calls to plan nodes: one node for each partitioning and ordering.
//!
//! What is evaluated above the nodes reads the last node's slot: sub-expressions without a window function are computed below and kept
//! in the payload, the calls are the columns behind it.

use hashbrown::HashSet;

use base::SqlResult;
use value::SqlType;
use value::compare::Comparator;

use super::Binder;
use super::query::OrderKey;
use super::window::{BoundCall, BoundEnd, BoundWindow};
use crate::expr::{Coercibility, Expr, ExprKind, SlotId};
use crate::func::FuncId;
use crate::plan::{Node, SlotDef, SortKey};
use crate::types::{NumClass, num_class};
use crate::visit;
use crate::window::{Bound, Frame, RangeLimit, WindowCall, WindowFunc, WindowPlan};

/// Values kept for above.
struct Payload {
    exprs: Vec<Expr>,
    /// The last node's slot, and the columns that the calls have behind the payload.
    slot: SlotId,
    columns: Vec<u16>,
    /// Slots of the input.
    own: HashSet<SlotId>,
    /// Subqueries of expressions that hold window calls themselves.
    subs: Vec<u16>,
}

impl Payload {
    fn keep(&mut self, e: &Expr) -> u16 {
        let at = match self.exprs.iter().position(|k| k.same(e)) {
            Some(i) => i,
            None => {
                self.exprs.push(e.clone());
                self.exprs.len() - 1
            }
        };
        at as u16
    }

    /// Replaces the largest parts without calls by columns of the payload (first pass: numbers of calls are not known yet).
    fn collect(&mut self, e: &mut Expr) {
        if !e.any(&mut |x| matches!(x.kind, ExprKind::Win(_))) {
            if !e.is_const() {
                let column = self.keep(e);
                e.kind = ExprKind::Column { slot: self.slot, column };
                e.ty.own_digits = false;
            }
            return;
        }
        if let ExprKind::Subquery(id, _) = &e.kind {
            self.subs.push(*id);
        }
        if !matches!(e.kind, ExprKind::Win(_)) {
            e.children_mut(&mut |c| self.collect(c));
        }
    }

    /// Columns of the input inside a subquery.
    fn collect_columns(&mut self, e: &mut Expr) {
        match &e.kind {
            ExprKind::Column { slot, .. } if self.own.contains(slot) => {
                let column = self.keep(e);
                e.kind = ExprKind::Column { slot: self.slot, column };
            }
            ExprKind::Subquery(id, _) => self.subs.push(*id),
            _ => {}
        }
        e.children_mut(&mut |c| self.collect_columns(c));
    }

    /// Second pass: calls become columns.
    fn place(&self, e: &mut Expr) {
        if let ExprKind::Win(n) = e.kind {
            let at = self.columns.get(n as usize).copied().unwrap_or(0);
            e.kind = ExprKind::Column { slot: self.slot, column: self.exprs.len() as u16 + at };
            return;
        }
        e.children_mut(&mut |c| self.place(c));
    }
}

impl Binder<'_, '_> {
    /// Puts the window nodes on top of `input` and rewrites what is evaluated above them.
    pub(crate) fn window_nodes(
        &mut self,
        input: Node,
        windows: &[BoundWindow],
        calls: Vec<BoundCall>,
        items: &mut [Expr],
        order: &mut [OrderKey],
    ) -> SqlResult<Node> {
        // calls by window, windows with the same keys together
        let mut groups: Vec<(&BoundWindow, Vec<usize>)> = Vec::new();
        for (i, c) in calls.iter().enumerate() {
            let Some(w) = windows.get(c.window) else { continue };
            match groups.iter_mut().find(|(g, _)| g.same_keys(w)) {
                Some(g) => g.1.push(i),
                None => groups.push((w, vec![i])),
            }
        }
        let slots = groups.iter().map(|_| self.new_slot(SlotDef::Tuple(Vec::new()))).collect::<SqlResult<Vec<_>>>()?;
        let mut own = Vec::new();
        visit::slots_of(&input, &mut own);
        let mut p = Payload {
            exprs: Vec::new(),
            slot: slots.last().copied().unwrap_or(0),
            columns: vec![0; calls.len()],
            own: own.into_iter().collect(),
            subs: Vec::new(),
        };
        for (n, i) in groups.iter().flat_map(|g| g.1.iter()).enumerate() {
            if let Some(c) = p.columns.get_mut(*i) {
                *c = n as u16;
            }
        }
        for e in items.iter_mut().chain(order.iter_mut().map(|k| &mut k.expr)) {
            p.collect(e);
        }
        self.collect_subqueries(&mut p);
        // keys and arguments
        let keys: Vec<Vec<(u16, Expr, bool)>> = groups
            .iter()
            .map(|(w, _)| {
                let partition = w.partition.iter().map(|e| (e, false));
                let order = w.order.iter().map(|(e, d)| (e, *d));
                partition.chain(order).map(|(e, d)| (p.keep(e), e.clone(), d)).collect()
            })
            .collect();
        let args: Vec<Vec<Option<u16>>> = calls
            .iter()
            .map(|c| c.args.iter().map(|e| (!e.is_const() && !is_number(c, e)).then(|| p.keep(e))).collect())
            .collect();
        for e in items.iter_mut().chain(order.iter_mut().map(|k| &mut k.expr)) {
            p.place(e);
        }
        let mut payload = p.exprs;
        payload.iter_mut().for_each(|e| self.draft.hoist(e));
        let mut types: Vec<SqlType> = payload.iter().map(|e| e.ty.clone()).collect();
        let mut node = input;
        for (((w, members), keys), slot) in groups.iter().zip(&keys).zip(&slots) {
            let sort = keys
                .iter()
                .map(|(c, e, desc)| SortKey {
                    expr: Expr { coer: e.coer, ..Expr::column(*slot, *c, e.ty.clone()) },
                    desc: *desc,
                })
                .collect();
            let mut out = Vec::new();
            for i in members {
                let (Some(c), Some(cols)) = (calls.get(*i), args.get(*i)) else { continue };
                let order = keys.get(w.partition.len());
                out.push(self.window_call(c, cols, windows, *slot, order)?);
            }
            types.extend(out.iter().map(|c| c.ty.clone()));
            if let Some(s) = self.draft.slots.get_mut(*slot as usize) {
                *s = SlotDef::Tuple(types.clone());
            }
            let plan = WindowPlan { payload, keys: sort, partition: w.partition.len(), calls: out };
            node = Node::Window { input: Box::new(node), slot: *slot, plan: Box::new(plan) };
            // the next node keeps what this one gives
            payload = types.iter().enumerate().map(|(i, t)| Expr::column(*slot, i as u16, t.clone())).collect();
        }
        Ok(node)
    }

    /// Correlated subqueries above the nodes read the payload.
    fn collect_subqueries(&mut self, p: &mut Payload) {
        let mut done = HashSet::new();
        while let Some(id) = p.subs.pop() {
            if !done.insert(id) {
                continue;
            }
            let Some(sub) = self.draft.subs.get_mut(id as usize) else { continue };
            if sub.correlated {
                visit::query_exprs_mut(&mut sub.query, &mut |e| p.collect_columns(e));
                sub.query.direct.clear();
                sub.keyed = None;
            }
        }
    }

    fn window_call(
        &mut self,
        c: &BoundCall,
        columns: &[Option<u16>],
        windows: &[BoundWindow],
        slot: SlotId,
        order: Option<&(u16, Expr, bool)>,
    ) -> SqlResult<WindowCall> {
        let args: Vec<Expr> = c
            .args
            .iter()
            .zip(columns)
            .map(|(e, c)| match c {
                Some(c) => Expr { coer: e.coer, ..Expr::column(slot, *c, e.ty.clone()) },
                None => e.clone(),
            })
            .collect();
        let mut func = c.func.clone();
        if let WindowFunc::Aggregate(a) = &mut func {
            a.args = args.clone().into();
        }
        let framed = matches!(
            func,
            WindowFunc::Aggregate(_) | WindowFunc::FirstValue | WindowFunc::LastValue | WindowFunc::NthValue
        );
        let window = windows.get(c.window);
        let frame = match window {
            Some(w) if framed => self.plan_frame(w, slot, order)?,
            _ => Frame::partition(),
        };
        Ok(WindowCall { func, args, frame, ty: c.ty.clone() })
    }

    fn plan_frame(&mut self, w: &BoundWindow, slot: SlotId, order: Option<&(u16, Expr, bool)>) -> SqlResult<Frame> {
        let Some(f) = &w.frame else {
            return Ok(if w.order.is_empty() { Frame::partition() } else { Frame::running() });
        };
        let start = self.plan_bound(&f.start, f.rows, slot, order)?;
        let end = self.plan_bound(&f.end, f.rows, slot, order)?;
        Ok(Frame { rows: f.rows, start, end, window: w.name.as_str().into() })
    }

    fn plan_bound(
        &mut self,
        b: &BoundEnd,
        rows: bool,
        slot: SlotId,
        order: Option<&(u16, Expr, bool)>,
    ) -> SqlResult<Bound> {
        let (preceding, value, unit) = match b {
            BoundEnd::Unbounded => return Ok(Bound::Unbounded),
            BoundEnd::Current => return Ok(Bound::Current),
            BoundEnd::Offset { preceding, value, unit } => (*preceding, value.clone(), *unit),
        };
        let (false, Some((column, e, desc))) = (rows, order) else {
            return Ok(Bound::Offset { preceding, value, limit: None });
        };
        let column = Expr { coer: e.coer, ..Expr::column(slot, *column, e.ty.clone()) };
        let back = preceding != *desc;
        let bound = match unit {
            Some(u) => {
                let f = if back { FuncId::DateSub(u) } else { FuncId::DateAdd(u) };
                self.call(f, vec![column.clone(), value.clone()])?
            }
            None => {
                let f = if back { FuncId::Sub } else { FuncId::Add };
                // integers become decimals: the difference of unsigned ones may be negative
                let base = if num_class(&e.ty) == NumClass::Int {
                    let ty = SqlType::decimal(21, 0).nullable(e.ty.nullable);
                    Expr { ty, coer: Coercibility::Numeric, kind: ExprKind::Cast(Box::new(column.clone())) }
                } else {
                    column.clone()
                };
                self.call(f, vec![base, value.clone()])?
            }
        };
        let cmp = Comparator::new(&column.ty, &bound.ty)?;
        let limit = RangeLimit { order: column, desc: *desc, bound, cmp };
        Ok(Bound::Offset { preceding, value, limit: Some(Box::new(limit)) })
    }
}

/// The constant number argument (NTILE's, NTH_VALUE's and LAG's), user variables included.
fn is_number(c: &BoundCall, e: &Expr) -> bool {
    let at = match c.func {
        WindowFunc::Ntile => 0,
        WindowFunc::NthValue | WindowFunc::Lead(_) => 1,
        _ => return false,
    };
    c.args.get(at).is_some_and(|a| std::ptr::eq(a, e))
}
