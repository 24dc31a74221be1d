//! What the columns of slots are called in EXPLAIN's TREE and JSON formats.
//!
//! A column of a base table is `alias.column`; a column of a sort's, a group's or a window's tuple is the expression it holds.

use std::cell::Cell;

use hashbrown::HashMap;

use super::print_with;
use crate::expr::{AggCall, AggFunc, Expr};
use crate::plan::{Body, InsertSource, Node, Plan, QueryPlan, Unique};

/// Names by slot and column.
pub(super) struct Names {
    slots: HashMap<u16, Vec<String>>,
    /// Names of the tables of a materialized semijoin inside its block.
    inside: HashMap<u16, Vec<String>>,
    depth: Cell<u32>,
    /// Schema, alias and columns in backquotes (JSON).
    full: bool,
}

impl Names {
    /// The names of a plan.
    pub(super) fn new(plan: &Plan, full: bool) -> Names {
        let mut n = Names { slots: HashMap::new(), inside: HashMap::new(), depth: Cell::new(0), full };
        for s in &plan.subqueries {
            n.query(&s.query, plan);
        }
        match &plan.body {
            Body::Select(q) => n.query(q, plan),
            Body::Insert(i) => {
                if let InsertSource::Select(q) = &i.source {
                    n.query(q, plan);
                }
            }
            Body::Update(u) => n.node(&u.source, plan),
            Body::Delete(d) => n.node(&d.source, plan),
        }
        n
    }

    /// An expression.
    pub(super) fn text(&self, e: &Expr) -> String {
        print_with(e, &|slot, column| {
            let own = if self.depth.get() > 0 { self.inside.get(&slot) } else { None };
            own.or_else(|| self.slots.get(&slot))
                .and_then(|c| c.get(column as usize))
                .cloned()
                .unwrap_or_else(|| format!("<temporary>.column{column}"))
        })
    }

    /// Calls `f`, with the names that hold in the block of a materialized semijoin.
    pub(super) fn within<T>(&self, f: impl FnOnce() -> T) -> T {
        self.enter();
        let out = f();
        self.leave();
        out
    }
    pub(super) fn enter(&self) {
        self.depth.set(self.depth.get() + 1);
    }
    pub(super) fn leave(&self) {
        self.depth.set(self.depth.get().saturating_sub(1));
    }

    /// Several, with commas.
    pub(super) fn list(&self, l: &[Expr]) -> String {
        l.iter().map(|e| self.text(e)).collect::<Vec<_>>().join(", ")
    }

    /// An aggregate call.
    pub(super) fn aggregate(&self, a: &AggCall) -> String {
        let args = if a.func == AggFunc::CountStar { "0".to_owned() } else { self.list(&a.args) };
        format!("{}({}{args})", a.func.name(), if a.distinct { "distinct " } else { "" })
    }

    fn query(&mut self, q: &QueryPlan, plan: &Plan) {
        self.node(&q.root, plan);
    }

    fn put(&mut self, slot: u16, names: Vec<String>) {
        self.slots.insert(slot, names);
    }

    /// A derived table's columns, by what they are made of.
    fn derived(&mut self, slot: u16, alias: &str, q: &QueryPlan) {
        let names = q.items.iter().map(|e| {
            let text = self.text(e);
            // `p.a` is `d.a` outside; of an expression the whole text
            let last = if text.contains('(') { &*text } else { text.rsplit('.').next().unwrap_or(&text) }.to_owned();
            match e.kind {
                crate::expr::ExprKind::Column { .. } if self.full => format!("`{alias}`.{last}"),
                crate::expr::ExprKind::Column { .. } => format!("{alias}.{last}"),
                _ => text,
            }
        });
        let names = names.collect();
        self.put(slot, names);
    }

    fn node(&mut self, n: &Node, plan: &Plan) {
        match n {
            Node::Dual | Node::Empty | Node::Values { .. } | Node::Working { .. } => {}
            Node::Scan(s) => {
                let Some(t) = plan.tables.get(s.table as usize) else { return };
                let columns = t.def.columns.iter();
                let names = if self.full {
                    columns.map(|c| format!("`{}`.`{}`.`{}`", t.def.schema, s.alias, c.name)).collect()
                } else {
                    columns.map(|c| format!("{}.{}", s.alias, c.name)).collect()
                };
                self.put(s.slot, names);
            }
            Node::Virtual { slot, table, alias, .. } => {
                let names = table.def().columns.iter().map(|c| format!("{alias}.{}", c.name)).collect();
                self.put(*slot, names);
            }
            Node::JsonTable(t) => {
                let names = t.columns.iter().map(|c| format!("{}.{}", t.alias, c.0)).collect();
                self.put(t.slot, names);
            }
            Node::Derived { slot, query, alias, .. } => {
                self.query(query, plan);
                self.derived(*slot, alias, query);
            }
            Node::Recursive { slot, plan: r } => {
                let names = r.columns.iter().map(|c| c.0.to_string()).collect();
                self.put(*slot, names);
                self.query(&r.seed, plan);
                r.members.iter().for_each(|q| self.query(q, plan));
            }
            Node::Filter { input, .. } | Node::Distinct { input, .. } | Node::Limit { input, .. } => {
                self.node(input, plan);
            }
            Node::Unique { input, by, .. } => {
                self.node(input, plan);
                let Unique::Values { select, .. } = by else { return };
                let mut slots = Vec::new();
                crate::visit::slots_of(input, &mut slots);
                for s in slots {
                    let Some(names) = self.slots.remove(&s) else { continue };
                    let last = |n: &String| n.rsplit('.').next().unwrap_or(n).to_owned();
                    self.put(s, names.iter().map(|n| format!("`<subquery{select}>`.{}", last(n))).collect());
                    self.inside.insert(s, names);
                }
            }
            Node::Ends(inputs) => inputs.iter().for_each(|n| self.node(n, plan)),
            Node::NestedLoop { outer, inner, .. } | Node::HashJoin { outer, inner, .. } => {
                self.node(outer, plan);
                self.node(inner, plan);
            }
            Node::Aggregate { input, slot, group, aggs, carry, rollup, .. } => {
                self.node(input, plan);
                let mut names: Vec<String> = group.iter().map(|e| self.text(e)).collect();
                names.extend(aggs.iter().map(|a| self.aggregate(a)));
                if *rollup {
                    names.push("grouping".into());
                }
                names.extend(carry.iter().map(|e| self.text(e)));
                self.put(*slot, names);
            }
            Node::Sort { input, slot, payload, .. } => {
                self.node(input, plan);
                let names = payload.iter().map(|e| self.text(e)).collect();
                self.put(*slot, names);
            }
            Node::Window { input, slot, plan: w } => {
                self.node(input, plan);
                let mut names: Vec<String> = w.payload.iter().map(|e| self.text(e)).collect();
                names.extend(w.calls.iter().map(|c| format!("{}() OVER ()", c.func.name())));
                self.put(*slot, names);
            }
            Node::SetOp { slot, first, rest } => {
                self.query(first, plan);
                rest.iter().for_each(|q| self.query(&q.1, plan));
                self.derived(*slot, "<union temporary>", first);
            }
        }
    }
}
