//! Rows kept to be read again: virtual tables, derived tables, VALUES. Those of derived tables go to a file beyond `tmp_table_size`.

use std::sync::Arc;

use base::SqlResult;
use bumpalo::Bump;
use planner::expr::Expr;
use planner::plan::{Ctes, JsonTable, Keep, Node, QueryPlan};
use planner::resolve::VirtualTable;
use value::{OwnedValue, Value};

use super::{Op, Operators, each_row};
use crate::eval::{Cx, SharedRows};
use crate::eval::{eval, holds};
use crate::rows::spill::tuples::{Cursor, Tuples};
use crate::rows::tuple;

/// Whether MySQL stores this derived table in a temporary table, whose columns round decimals to their scale; it merges
/// the others into the query around them.
fn is_stored(root: &Node) -> bool {
    !matches!(root, Node::Scan(_) | Node::Filter { .. } | Node::NestedLoop { .. } | Node::HashJoin { .. })
}

/// Whether two lists of hints ask for the same rows. Names are text; what else they may be is taken to differ.
fn same_hints(a: &[(u16, OwnedValue)], b: &[(u16, OwnedValue)]) -> bool {
    let same = |(x, y): (&(u16, OwnedValue), &(u16, OwnedValue))| {
        x.0 == y.0
            && match (&x.1, &y.1) {
                (OwnedValue::Str(x), OwnedValue::Str(y)) => x == y,
                (OwnedValue::Int(x), OwnedValue::Int(y)) => x == y,
                (OwnedValue::UInt(x), OwnedValue::UInt(y)) => x == y,
                _ => false,
            }
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

struct Computed<'e> {
    table: &'e Arc<dyn VirtualTable>,
    /// The values that columns of it must have.
    hints: &'e [(u16, Expr)],
    /// Columns that are read.
    columns: &'e [u16],
    /// The hints of the rows that are kept.
    found: Option<Vec<(u16, OwnedValue)>>,
}

enum Source<'e> {
    Virtual(Computed<'e>),
    Derived(&'e QueryPlan, Box<Op<'e>>, Keep),
    Values(&'e [Vec<Expr>]),
    Json(&'e JsonTable),
}

/// See the module.
pub struct RowsOp<'e> {
    slot: u16,
    source: Source<'e>,
    filter: Option<&'e Expr>,
    rows: Tuples,
    /// Number of the common table expression whose rows these are, and the rows, which all its references read.
    shared: Option<u32>,
    common: Option<Arc<Tuples>>,
    /// Common table expressions inside.
    inside: Ctes,
    cursor: Cursor,
    /// Bytes accounted for.
    kept: usize,
    filled: bool,
    /// [`Cx::round`] when they were computed.
    round: u64,
    at: usize,
    arena: Bump,
}

impl<'e> RowsOp<'e> {
    fn new(slot: u16, source: Source<'e>, filter: Option<&'e Expr>) -> Self {
        RowsOp {
            slot,
            source,
            filter,
            rows: Tuples::default(),
            shared: None,
            common: None,
            inside: (0, 0),
            cursor: Cursor::default(),
            kept: 0,
            filled: false,
            round: 0,
            at: 0,
            arena: Bump::new(),
        }
    }
    /// A virtual table.
    pub fn virtual_table(
        slot: u16,
        t: &'e Arc<dyn VirtualTable>,
        (hints, columns): (&'e [(u16, Expr)], &'e [u16]),
        filter: Option<&'e Expr>,
    ) -> Self {
        RowsOp::new(slot, Source::Virtual(Computed { table: t, hints, columns, found: None }), filter)
    }
    /// A derived table.
    pub fn derived(
        slot: u16,
        q: &'e QueryPlan,
        filter: Option<&'e Expr>,
        (keep, shared, inside): (Keep, Option<u32>, Ctes),
        (ops, cx): (&Operators<'e>, &Cx<'e>),
    ) -> Self {
        let source = Source::Derived(q, Box::new(ops.build(&q.root, cx)), keep);
        RowsOp { shared, inside, ..RowsOp::new(slot, source, filter) }
    }
    /// VALUES.
    pub fn values(slot: u16, rows: &'e [Vec<Expr>]) -> Self {
        RowsOp::new(slot, Source::Values(rows), None)
    }

    /// JSON_TABLE.
    pub fn json_table(t: &'e JsonTable) -> Self {
        RowsOp::new(t.slot, Source::Json(t), None)
    }

    /// Starts from the beginning; computes the rows unless they are kept.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.at = 0;
        let keep = match &self.source {
            Source::Derived(_, _, keep) => *keep,
            // the same values as before find the same rows
            Source::Virtual(..) => Keep::Never,
            _ => Keep::Never,
        };
        if let Some(id) = self.shared {
            return self.open_shared(id, keep != Keep::Statement, cx);
        }
        if self.filled && (keep == Keep::Statement || keep == Keep::Subquery && self.round == cx.round.now) {
            return Ok(());
        }
        // what is inside and kept for a round may read this row of a table to the left
        let lateral = keep == Keep::Never && matches!(self.source, Source::Derived(..));
        let around = lateral.then(|| cx.begin_round(self.inside));
        let r = self.fill(cx);
        if let Some(around) = around {
            cx.round.now = around;
        }
        self.filled = r.is_ok();
        self.round = cx.round.now;
        r
    }

    /// As [`RowsOp::open`], for a common table expression: the first of its references computes the rows for all.
    fn open_shared(&mut self, id: u32, correlated: bool, cx: &mut Cx<'e>) -> SqlResult<()> {
        if let Some(s) = cx.shared.get(&id) {
            if !self.common.as_ref().is_some_and(|c| Arc::ptr_eq(c, &s.rows)) {
                self.common = Some(s.rows.clone());
                self.cursor = Cursor::default();
            }
            return Ok(());
        }
        self.common = None;
        self.fill(cx)?;
        let rows = Arc::new(std::mem::take(&mut self.rows));
        self.common = Some(rows.clone());
        cx.shared.insert(id, SharedRows { rows, kept: std::mem::take(&mut self.kept), correlated });
        Ok(())
    }

    /// Computes the rows.
    fn fill(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        let mut wanted = None;
        if let Source::Virtual(Computed { hints, found, .. }) = &mut self.source {
            let arena = Bump::new();
            let mut known = Vec::with_capacity(hints.len());
            for (c, e) in hints.iter() {
                let v = eval(e, cx, &arena)?;
                if !v.is_null() {
                    known.push((*c, v.to_owned()));
                }
            }
            if found.as_ref().is_some_and(|f| same_hints(f, &known)) {
                self.cursor = Cursor::default();
                return Ok(());
            }
            *found = None;
            wanted = Some(known);
        }
        cx.memory = cx.memory.saturating_sub(std::mem::take(&mut self.kept));
        self.rows.clear();
        self.cursor = Cursor::default();
        match &mut self.source {
            Source::Virtual(Computed { table, columns, found, .. }) => {
                let (bytes, ends) = self.rows.parts();
                let known = wanted.unwrap_or_default();
                let tables = cx.env.kernel.virtual_tables.clone();
                for row in tables.rows(table.def(), (&known, columns), cx.env)? {
                    let values: Vec<Value<'_>> = row.iter().map(OwnedValue::as_value).collect();
                    tuple::encode(&values, bytes);
                    ends.push(bytes.len());
                }
                self.rows.tell();
                *found = Some(known);
            }
            Source::Derived(q, op, _) => {
                let stored = is_stored(&q.root);
                let (rows, kept) = (&mut self.rows, &mut self.kept);
                each_row(op, q, cx, &mut |cx, row| {
                    let bytes = rows.begin();
                    let at = tuple::begin(row.len(), bytes);
                    for (i, (v, e)) in row.iter().zip(&q.items).enumerate() {
                        match v {
                            Value::Decimal(d) if stored && d.scale() > e.ty.decimals => {
                                let d = d.round(i32::from(e.ty.decimals));
                                tuple::put(at, row.len(), i, Value::Decimal(&d), bytes);
                            }
                            v => tuple::put(at, row.len(), i, *v, bytes),
                        }
                    }
                    rows.end(cx.table_limit(*kept), cx.env)?;
                    let more = rows.size() - *kept;
                    *kept += more;
                    cx.keep(more)?;
                    Ok(true)
                })?;
            }
            Source::Json(t) => {
                let (bytes, ends) = self.rows.parts();
                super::json_table::fill(t, bytes, ends, cx)?;
                self.kept = bytes.len();
                self.rows.tell();
            }
            Source::Values(rows) => {
                let (bytes, ends) = self.rows.parts();
                let mut arena = Bump::new();
                for r in rows.iter() {
                    let at = tuple::begin(r.len(), bytes);
                    for (i, e) in r.iter().enumerate() {
                        let v = eval(e, cx, &arena)?;
                        tuple::put(at, r.len(), i, v, bytes);
                    }
                    ends.push(bytes.len());
                    arena.reset();
                }
            }
        }
        Ok(())
    }

    /// Next row that passes the filter.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        loop {
            let rows = self.common.as_deref().unwrap_or(&self.rows);
            let Some(t) = rows.get(self.at, &mut self.cursor)? else { return Ok(false) };
            self.at += 1;
            cx.slot(self.slot)?.set_tuple(t);
            let Some(f) = self.filter else { return Ok(true) };
            self.arena.reset();
            if holds(f, cx, &self.arena)? {
                return Ok(true);
            }
            cx.tick()?;
        }
    }
}
