//! EXPLAIN FORMAT=JSON, version 1 (manual, "EXPLAIN Output Format": the JSON names beside the columns; and its examples).
//!
//! A query block is an object; sorting, grouping, DISTINCT and windows are objects around the tables, joined tables an array `nested_loop`.

use storage::dict::ColumnDef;

use super::names::Names;
use super::{access_type, part_len};
use crate::expr::{Expr, ExprKind};
use crate::plan::{
    Access, Body, InsertSource, JoinKind, Keep, Node, OnDuplicate, PartCond, Plan, QueryPlan, Scan, Unique,
};

/// A JSON value; objects keep their order.
enum J {
    Text(String),
    Number(u64),
    Bool(bool),
    List(Vec<J>),
    Object(Vec<(&'static str, J)>),
}

fn text(s: impl Into<String>) -> J {
    J::Text(s.into())
}

fn cost(n: f64) -> J {
    J::Text(format!("{n:.2}"))
}

type Fields = Vec<(&'static str, J)>;

/// The document.
pub fn json(plan: &Plan) -> String {
    let mut x = Maker {
        plan,
        names: Names::new(plan, true),
        next_id: 1,
        shared: Default::default(),
        condition: None,
        prefix: (0.0, 1.0),
    };
    let mut block = vec![("select_id", J::Number(1))];
    match &plan.body {
        Body::Select(q) => block = x.block_fields(q, 1),
        Body::Insert(i) => {
            let name = plan.tables.get(i.table as usize).map_or("", |t| t.def.name.as_str());
            let verb = if i.on_duplicate == OnDuplicate::Replace { "replace" } else { "insert" };
            block.push((
                "table",
                J::Object(vec![(verb, J::Bool(true)), ("table_name", text(name)), ("access_type", text("ALL"))]),
            ));
            if let InsertSource::Select(q) = &i.source {
                block.push(("insert_from", J::Object(x.node(&q.root))));
            }
        }
        Body::Update(u) => block.extend(x.changed("update", &u.source, &u.targets, !u.order.is_empty())),
        Body::Delete(d) => block.extend(x.changed("delete", &d.source, &d.targets, !d.order.is_empty())),
    }
    let subs: Vec<J> = plan
        .subqueries
        .iter()
        .map(|s| {
            x.next_id += 1;
            let id = x.next_id;
            let inner = x.block_fields(&s.query, id);
            J::Object(vec![
                ("dependent", J::Bool(s.correlated)),
                ("cacheable", J::Bool(!s.repeated())),
                ("query_block", J::Object(inner)),
            ])
        })
        .collect();
    if !subs.is_empty() {
        block.push(("attached_subqueries", J::List(subs)));
    }
    let mut out = String::new();
    write(&J::Object(vec![("query_block", J::Object(block))]), 0, &mut out);
    out
}

struct Maker<'p> {
    plan: &'p Plan,
    names: Names,
    next_id: u64,
    /// Numbers of the first references of common table expressions.
    shared: hashbrown::HashMap<u32, u64>,
    /// Condition of a node above that the next table shows.
    condition: Option<String>,
    /// Cost and rows of the tables before in the join.
    prefix: (f64, f64),
}

impl Maker<'_> {
    fn block_fields(&mut self, q: &QueryPlan, id: u64) -> Fields {
        if let Node::SetOp { first, rest, .. } = set_op(&q.root) {
            return self.union(first, rest.iter().map(|r| &r.1), id);
        }
        let saved = std::mem::replace(&mut self.prefix, (0.0, 1.0));
        let mut out = vec![("select_id", J::Number(id))];
        if !matches!(q.root, Node::Dual | Node::Empty) && !at_ends(&q.root) {
            out.push(("cost_info", J::Object(vec![("query_cost", cost(q.cost))])));
        }
        out.extend(self.node(&q.root));
        self.prefix = saved;
        out
    }

    fn union<'q>(&mut self, first: &'q QueryPlan, rest: impl Iterator<Item = &'q QueryPlan>, id: u64) -> Fields {
        let (mut blocks, mut ids) = (Vec::new(), Vec::new());
        for (n, q) in std::iter::once(first).chain(rest).enumerate() {
            let id = if n == 0 {
                id
            } else {
                self.next_id += 1;
                self.next_id
            };
            ids.push(id.to_string());
            let inner = self.block_fields(q, id);
            blocks.push(J::Object(vec![
                ("dependent", J::Bool(false)),
                ("cacheable", J::Bool(true)),
                ("query_block", J::Object(inner)),
            ]));
        }
        let result = vec![
            ("using_temporary_table", J::Bool(true)),
            ("table_name", text(format!("<union{}>", ids.join(",")))),
            ("access_type", text("ALL")),
            ("query_specifications", J::List(blocks)),
        ];
        vec![("union_result", J::Object(result))]
    }

    /// The tables of UPDATE and DELETE; those changed say so.
    fn changed(&mut self, verb: &'static str, source: &Node, targets: &[crate::plan::Target], sort: bool) -> Fields {
        let slots: Vec<u16> = targets.iter().map(|t| t.slot).collect();
        let mut list = Vec::new();
        self.tables(source, Some((verb, &slots)), &mut list);
        let inner = joined(list);
        if !sort {
            return inner;
        }
        let mut o = vec![("using_filesort", J::Bool(true))];
        o.extend(inner);
        vec![("ordering_operation", J::Object(o))]
    }

    /// What stands in the object of the block for this node.
    fn node(&mut self, n: &Node) -> Fields {
        let wrap = |name, mut head: Fields, inner: Fields| {
            head.extend(inner);
            vec![(name, J::Object(head))]
        };
        match n {
            Node::Dual | Node::Values { .. } => vec![("message", text("No tables used"))],
            Node::Empty => vec![("message", text("Impossible WHERE"))],
            Node::Ends(_) => vec![("message", text("Select tables optimized away"))],
            Node::Working { .. } => vec![("recursive", J::Bool(true))],
            Node::Limit { input, .. } => self.node(input),
            Node::Filter { input, cond, once } => {
                if !once && !matches!(input.as_ref(), Node::Aggregate { .. } | Node::Window { .. }) {
                    self.condition = Some(self.names.text(cond));
                }
                self.node(input)
            }
            Node::Sort { input, keys, .. } if keys.is_empty() => self.node(input),
            Node::Sort { input, .. } => {
                let inner = self.node(input);
                wrap("ordering_operation", vec![("using_filesort", J::Bool(true))], inner)
            }
            Node::Distinct { input, .. } => {
                let inner = self.node(input);
                wrap("duplicates_removal", vec![("using_temporary_table", J::Bool(true))], inner)
            }
            Node::Aggregate { input, group, .. } if group.is_empty() => self.node(input),
            Node::Aggregate { input, streaming, .. } => {
                let inner = self.node(input);
                let head = if *streaming {
                    vec![("using_filesort", J::Bool(false))]
                } else {
                    vec![("using_temporary_table", J::Bool(true)), ("using_filesort", J::Bool(false))]
                };
                wrap("grouping_operation", head, inner)
            }
            Node::Window { input, plan, .. } => {
                let functions = plan.calls.iter().map(|c| text(c.func.name())).collect();
                let mut w = vec![("name", text("<unnamed window>"))];
                if !plan.keys.is_empty() {
                    w.push(("using_filesort", J::Bool(true)));
                }
                w.push(("functions", J::List(functions)));
                let inner = self.node(input);
                wrap("windowing", vec![("windows", J::List(vec![J::Object(w)]))], inner)
            }
            Node::SetOp { first, rest, .. } => {
                self.next_id += 1;
                let id = self.next_id;
                self.union(first, rest.iter().map(|r| &r.1), id)
            }
            Node::Recursive { plan, .. } => {
                self.next_id += 1;
                let id = self.next_id;
                self.union(&plan.seed, plan.members.iter(), id)
            }
            n => {
                let mut list = Vec::new();
                self.tables(n, None, &mut list);
                joined(list)
            }
        }
    }

    /// The tables of a join, from left to right.
    fn tables(&mut self, n: &Node, changed: Option<(&'static str, &[u16])>, out: &mut Vec<J>) {
        match n {
            Node::Unique { input, by, .. } => self.unique(input, by, changed, out),
            Node::NestedLoop { kind, outer, inner, on, .. } => {
                self.tables(outer, changed, out);
                self.condition = on.as_ref().map(|c| self.names.text(c));
                let before = out.len();
                self.tables(inner, changed, out);
                matched(*kind, before, out);
            }
            Node::HashJoin { kind, outer, inner, keys, on, .. } => {
                self.tables(outer, changed, out);
                let mut c: Vec<String> =
                    keys.iter().map(|k| format!("({} = {})", self.names.text(&k.1), self.names.text(&k.0))).collect();
                c.extend(on.iter().map(|c| self.names.text(c)));
                self.condition = Some(and(c));
                let before = out.len();
                self.tables(inner, changed, out);
                if let Some(J::Object(t)) = out.get_mut(before)
                    && let Some((_, J::Object(t))) = t.first_mut()
                {
                    insert(t, ("using_join_buffer", text("hash join")));
                }
                matched(*kind, before, out);
            }
            Node::Filter { input, once: true, .. } => self.tables(input, changed, out),
            Node::Filter { input, cond, .. } => {
                self.condition = Some(self.names.text(cond));
                self.tables(input, changed, out);
            }
            Node::Limit { input, .. } => self.tables(input, changed, out),
            Node::Scan(s) => {
                let mut t = Vec::new();
                if let Some((verb, slots)) = changed
                    && slots.contains(&s.slot)
                {
                    t.push((verb, J::Bool(true)));
                }
                self.scan(s, &mut t);
                out.push(J::Object(vec![("table", J::Object(t))]));
            }
            Node::Virtual { alias, filter, .. } => {
                let mut t = vec![("table_name", text(&**alias)), ("access_type", text("ALL"))];
                self.attach(filter.as_ref(), &mut t);
                out.push(J::Object(vec![("table", J::Object(t))]));
            }
            Node::JsonTable(j) => {
                let t = vec![
                    ("table_name", text(&*j.alias)),
                    ("access_type", text("ALL")),
                    ("table_function", text("json_table")),
                ];
                out.push(J::Object(vec![("table", J::Object(t))]));
            }
            Node::Derived { query, alias, filter, keep, shared, .. } => {
                self.next_id += 1;
                let id = self.next_id;
                let mut t = vec![
                    ("table_name", text(&**alias)),
                    ("access_type", text("ALL")),
                    ("rows_examined_per_scan", J::Number(query.rows.max(1.0) as u64)),
                ];
                self.attach(filter.as_ref(), &mut t);
                let first = shared.as_ref().map_or(id, |s| *self.shared.entry(s.id).or_insert(id));
                let from = if first == id {
                    let inner = self.block_fields(query, id);
                    vec![
                        ("using_temporary_table", J::Bool(true)),
                        ("dependent", J::Bool(*keep != Keep::Statement)),
                        ("cacheable", J::Bool(*keep == Keep::Statement)),
                        ("query_block", J::Object(inner)),
                    ]
                } else {
                    let other = J::Object(vec![("select_id", J::Number(first))]);
                    vec![("sharing_temporary_table_with", other)]
                };
                t.push(("materialized_from_subquery", J::Object(from)));
                out.push(J::Object(vec![("table", J::Object(t))]));
            }
            n => {
                let inner = self.node(n);
                out.push(J::Object(inner));
            }
        }
    }

    /// A semijoin without its duplicates.
    fn unique(&mut self, input: &Node, by: &Unique, changed: Option<(&'static str, &[u16])>, out: &mut Vec<J>) {
        let from = out.len();
        match by {
            Unique::Values { keys, select } => {
                let nullable = keys.iter().filter(|k| k.ty.nullable);
                let mut conds: Vec<String> =
                    nullable.map(|k| format!("({} is not null)", self.names.text(k))).collect();
                conds.extend(self.condition.take());
                let above = (!conds.is_empty()).then(|| and(conds));
                self.names.enter();
                let saved = std::mem::replace(&mut self.prefix, (0.0, 1.0));
                let inner = self.node(input);
                self.prefix = (saved.0 + self.prefix.0, saved.1 * self.prefix.1);
                self.names.leave();
                let mut t = vec![("table_name", text(format!("<subquery{select}>"))), ("access_type", text("ALL"))];
                t.extend(above.map(|c| ("attached_condition", text(c))));
                let made = vec![("using_temporary_table", J::Bool(true)), ("query_block", J::Object(inner))];
                t.push(("materialized_from_subquery", J::Object(made)));
                out.push(J::Object(vec![("table", J::Object(t))]));
            }
            Unique::Runs(_) => {
                self.tables(input, changed, out);
                if let Some(t) = table(out, from) {
                    insert(t, ("loosescan", J::Bool(true)));
                }
            }
            Unique::Rows { .. } => {
                let mut list = Vec::new();
                self.tables(input, changed, &mut list);
                let mut o = vec![("using_temporary_table", J::Bool(true))];
                o.extend(joined(list));
                out.push(J::Object(vec![("duplicates_removal", J::Object(o))]));
            }
        }
    }

    /// The condition of a table, with the one that waits from above.
    fn attach(&mut self, filter: Option<&Expr>, t: &mut Fields) {
        let above = self.condition.take();
        let own = filter.map(|f| self.names.text(f));
        match (above, own) {
            (Some(a), Some(b)) => t.push(("attached_condition", text(format!("({a} and {b})")))),
            (Some(a), None) | (None, Some(a)) => t.push(("attached_condition", text(a))),
            (None, None) => {}
        }
    }

    fn scan(&mut self, s: &Scan, t: &mut Fields) {
        let Some(def) = self.plan.tables.get(s.table as usize).map(|t| t.def.clone()) else { return };
        let index = def.indexes.get(s.index as usize);
        let access = access_type(s);
        t.push(("table_name", text(&*s.alias)));
        t.push(("access_type", text(access)));
        let name = |i: &u16| def.indexes.get(*i as usize).map_or("", |i| i.name.as_str());
        if !s.possible.is_empty() {
            t.push(("possible_keys", J::List(s.possible.iter().map(|i| text(name(i))).collect())));
        }
        let used = match &s.access {
            _ if access == "index" || s.loose > 0 => index.map_or(0, |i| i.parts.len()),
            Access::Full => 0,
            Access::Point(k) => k.len(),
            Access::Ranges(a) => a.iter().map(Vec::len).max().unwrap_or(0),
            Access::Merge { .. } => 0,
        };
        if let Some(m) = super::index_merge::text(s, &def) {
            t.push(("key", text(m.extra.trim_start_matches("Using "))));
            t.push(("key_length", text(m.lengths)));
        }
        if let Some(i) = index.filter(|_| used > 0) {
            t.push(("key", text(&*i.name)));
            let parts = i.parts.iter().take(used);
            let columns = parts.clone().filter_map(|p| def.columns.get(p.column as usize));
            // a functional part is its expression
            let name = |c: &ColumnDef| match &c.generated {
                Some(g) if c.is_hidden() => text(&*g.expr),
                _ => text(&*c.name),
            };
            t.push(("used_key_parts", J::List(columns.map(name).collect())));
            t.push(("key_length", text(parts.map(|p| part_len(&def, p)).sum::<u32>().to_string())));
        }
        let refs: Vec<&Expr> = match &s.access {
            Access::Point(k) => k.iter().collect(),
            Access::Ranges(a) if access == "ref" => a
                .iter()
                .flatten()
                .filter_map(|c| if let PartCond::Eq { value, .. } = c { Some(value) } else { None })
                .collect(),
            _ => Vec::new(),
        };
        if !refs.is_empty() {
            let name = |e: &&Expr| match &e.kind {
                ExprKind::Column { .. } => text(self.names.text(e).replace('`', "")),
                _ if e.is_const() => text("const"),
                _ => text("func"),
            };
            t.push(("ref", J::List(refs.iter().map(name).collect())));
        }
        let rows = s.rows.max(1.0);
        let produced = self.prefix.1 * rows * s.selectivity;
        t.push(("rows_examined_per_scan", J::Number(rows as u64)));
        t.push(("rows_produced_per_join", J::Number(produced.max(1.0) as u64)));
        t.push(("filtered", text(format!("{:.2}", (s.selectivity * 100.0).clamp(0.01, 100.0)))));
        if s.reverse && !matches!(s.access, Access::Point(_)) {
            t.push(("backward_index_scan", J::Bool(true)));
        }
        if s.loose > 0 {
            t.push(("using_index_for_group_by", J::Bool(true)));
        } else if s.covering {
            t.push(("using_index", J::Bool(true)));
        }
        let total = self.prefix.1 * s.cost;
        let eval = 0.1 * produced;
        self.prefix = (self.prefix.0 + total, produced.max(0.01));
        t.push((
            "cost_info",
            J::Object(vec![
                ("read_cost", cost((total - eval).max(0.0))),
                ("eval_cost", cost(eval)),
                ("prefix_cost", cost(self.prefix.0)),
            ]),
        ));
        let columns = s.columns.iter().filter_map(|c| def.columns.get(*c as usize));
        t.push(("used_columns", J::List(columns.map(|c| text(&*c.name)).collect())));
        self.attach(s.filter.as_ref(), t);
    }
}

/// Conditions as one.
fn and(c: Vec<String>) -> String {
    if c.len() > 1 { format!("({})", c.join(" and ")) } else { c.concat() }
}

/// The fields of a table in a list.
fn table(list: &mut [J], at: usize) -> Option<&mut Fields> {
    match list.get_mut(at) {
        Some(J::Object(t)) => match t.first_mut() {
            Some(("table", J::Object(t))) => Some(t),
            _ => None,
        },
        _ => None,
    }
}

/// Puts a field before the costs.
fn insert(t: &mut Fields, field: (&'static str, J)) {
    let late = |n: &str| matches!(n, "using_join_buffer" | "cost_info" | "attached_condition");
    let at = t.iter().position(|f| late(f.0)).unwrap_or(t.len());
    t.insert(at, field);
}

/// What a semijoin or antijoin says about its tables, which begin at `from`.
fn matched(kind: JoinKind, from: usize, out: &mut [J]) {
    let mut name = None;
    for i in (0..from).rev() {
        let Some(t) = table(out, i) else { continue };
        if t.iter().any(|f| matches!(f.0, "first_match" | "not_exists")) {
            continue;
        }
        if let Some((_, J::Text(n))) = t.iter().find(|f| f.0 == "table_name") {
            name = Some(n.clone());
            break;
        }
    }
    match (kind, name) {
        (JoinKind::Semi, Some(name)) => {
            if let Some(t) = out.len().checked_sub(1).and_then(|i| table(out, i)) {
                insert(t, ("first_match", text(name)));
            }
        }
        (JoinKind::Anti, _) => {
            if let Some(t) = table(out, from) {
                insert(t, ("not_exists", J::Bool(true)));
            }
        }
        _ => {}
    }
}

/// Whether a block reads the ends of indexes alone.
fn at_ends(n: &Node) -> bool {
    match n {
        Node::Ends(_) => true,
        Node::Aggregate { input, .. } | Node::Filter { input, .. } | Node::Limit { input, .. } => at_ends(input),
        _ => false,
    }
}

/// The set operation under ORDER BY and LIMIT, or the node itself.
fn set_op(n: &Node) -> &Node {
    match n {
        Node::Limit { input, .. } | Node::Sort { input, .. } if matches!(set_op(input), Node::SetOp { .. }) => {
            set_op(input)
        }
        n => n,
    }
}

/// One table stands alone, several in `nested_loop`.
fn joined(mut list: Vec<J>) -> Fields {
    if list.len() == 1
        && let Some(J::Object(_)) = list.first()
        && let Some(J::Object(o)) = list.pop()
    {
        return o;
    }
    vec![("nested_loop", J::List(list))]
}

fn quote(s: &str, out: &mut String) {
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn write(j: &J, depth: usize, out: &mut String) {
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    match j {
        J::Text(s) => quote(s, out),
        J::Number(n) => out.push_str(&n.to_string()),
        J::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        J::List(l) => {
            out.push('[');
            for (i, x) in l.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                line(out, depth + 1);
                write(x, depth + 1, out);
            }
            if !l.is_empty() {
                line(out, depth);
            }
            out.push(']');
        }
        J::Object(o) => {
            out.push('{');
            for (i, (k, x)) in o.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                line(out, depth + 1);
                quote(k, out);
                out.push_str(": ");
                write(x, depth + 1, out);
            }
            if !o.is_empty() {
                line(out, depth);
            }
            out.push('}');
        }
    }
}
