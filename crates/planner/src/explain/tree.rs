//! EXPLAIN FORMAT=TREE and EXPLAIN ANALYZE: the plan as indented lines (manual, "EXPLAIN Output Format", "Obtaining Information with EXPLAIN ANALYZE").
//!
//! A [`Branch`] is a line with what is below it. Costs and rows are the planner's estimates, added up from the leaves. What was measured
//! comes from the executor, by the address of the plan's node.

use storage::dict::ColumnDef;

use super::names::Names;
use crate::expr::{Expr, ExprKind};
use crate::plan::{
    Access, Body, InsertSource, JoinKind, Keep, Node, OnDuplicate, PartCond, Plan, QueryPlan, Scan, SetOpKind, Unique,
};

/// What was measured of an operator. Times in nanoseconds, of all its executions together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure {
    /// How often it was started.
    pub loops: u64,
    /// Rows it gave.
    pub rows: u64,
    /// Until the first row.
    pub first: u64,
    /// Until the last.
    pub total: u64,
}

/// Estimates: cost so far, rows.
#[derive(Clone, Copy)]
struct Guess {
    cost: f64,
    rows: f64,
}

/// What EXPLAIN ANALYZE found out about the node at an address.
type Measured<'m> = Option<&'m dyn Fn(usize) -> Option<Measure>>;

/// A line.
struct Branch {
    text: String,
    guess: Option<Guess>,
    /// Address of the plan's node that is measured; 0: none.
    node: usize,
    /// The rows of this common table expression.
    shared: Option<u32>,
    below: Vec<Branch>,
}

impl Branch {
    fn new(text: impl Into<String>, guess: Option<Guess>, below: Vec<Branch>) -> Branch {
        Branch { text: text.into(), guess, node: 0, shared: None, below }
    }
    /// The condition at or below this line that has `text` in it.
    fn condition_with(&mut self, text: &str) -> Option<&mut Branch> {
        if self.text.starts_with("Filter: ") && self.text.contains(text) {
            return Some(self);
        }
        self.below.iter_mut().find_map(|b| b.condition_with(text))
    }
    /// The references of common table expressions, and whether it is here that one was computed.
    fn references(&self, measured: Measured<'_>, out: &mut Vec<(u32, bool)>) {
        if let Some(id) = self.shared {
            out.push((id, measured.is_some_and(|f| self.was_run(f))));
        }
        self.below.iter().for_each(|b| b.references(measured, out));
    }
    fn was_run(&self, f: &dyn Fn(usize) -> Option<Measure>) -> bool {
        self.node != 0 && f(self.node).is_some_and(|m| m.loops > 0) || self.below.iter().any(|b| b.was_run(f))
    }
    /// What common table expressions are made of stays with one reference: where it was computed, else the first.
    fn elsewhere(&mut self, all: &[(u32, bool)], at: &mut usize, done: &mut Vec<u32>) {
        if let Some(id) = self.shared {
            let mine = all.get(*at).is_some_and(|a| a.1);
            *at += 1;
            if all.iter().filter(|a| a.0 == id).count() > 1 {
                let other = done.contains(&id) || !mine && all.iter().any(|a| a.0 == id && a.1);
                self.text.push_str(if self.text.contains("recursive") { "" } else { " if needed" });
                if other {
                    let mut inside = Vec::new();
                    self.below.iter().for_each(|b| b.references(None, &mut inside));
                    *at += inside.len();
                    self.text.push_str(if self.text.contains("recursive") {
                        ""
                    } else {
                        " (query plan printed elsewhere)"
                    });
                    self.below.clear();
                } else {
                    done.push(id);
                }
            }
        }
        self.below.iter_mut().for_each(|b| b.elsewhere(all, at, done));
    }
    fn rows(&self) -> f64 {
        self.guess.map_or(1.0, |g| g.rows)
    }
    fn cost(&self) -> f64 {
        self.guess.map_or(0.0, |g| g.cost)
    }
}

/// Address of something of a plan, as the executor's measurements name it.
fn address<T>(x: &T) -> usize {
    std::ptr::from_ref(x) as usize
}

/// The text; `measured` gives what EXPLAIN ANALYZE found out about the node at an address.
pub fn tree(plan: &Plan, measured: Measured<'_>) -> String {
    let t = Tree { plan, names: Names::new(plan, false) };
    // a subquery stands below the condition that asks it, or behind everything when it is in the select list
    let mut parts: Vec<Vec<Branch>> = vec![t.body()];
    parts.extend(plan.subqueries.iter().map(|s| vec![t.query(&s.query)]));
    for i in (1..parts.len()).rev() {
        let how = match plan.subqueries.get(i - 1) {
            Some(s) if s.correlated => "dependent",
            Some(s) if s.volatile => "uncacheable",
            _ => "run only once",
        };
        let mut branch = Branch::new("", None, parts.pop().unwrap_or_default());
        let title = |place| format!("Select #{} (subquery in {place}; {how})", i + 1);
        let asked = format!("select #{})", i + 1);
        // the subqueries are placed from the last to the first, so each goes right behind the first branch
        if let Some(filter) = parts.iter_mut().flatten().find_map(|b| b.condition_with(&asked)) {
            branch.text = title("condition");
            filter.below.insert(1.min(filter.below.len()), branch);
        } else if let Some(top) = parts.first_mut() {
            branch.text = title("projection");
            top.insert(1.min(top.len()), branch);
        }
    }
    let mut top = parts.pop().unwrap_or_default();
    let mut found = Vec::new();
    top.iter().for_each(|b| b.references(measured, &mut found));
    let (mut at, mut done) = (0, Vec::new());
    top.iter_mut().for_each(|b| b.elsewhere(&found, &mut at, &mut done));
    let mut out = String::new();
    for b in &top {
        print(b, 0, measured, &mut out);
    }
    out
}

fn print(b: &Branch, depth: usize, measured: Measured<'_>, out: &mut String) {
    out.push_str(&"    ".repeat(depth));
    out.push_str("-> ");
    out.push_str(&b.text);
    if let Some(g) = b.guess {
        out.push_str(&format!("  (cost={} rows={})", number(g.cost), number(g.rows)));
    }
    if let Some(f) = measured
        && b.node != 0
    {
        let space = if b.guess.is_some() { " " } else { "  " };
        match f(b.node).filter(|m| m.loops > 0) {
            None => out.push_str(&format!("{space}(never executed)")),
            Some(m) => {
                let per = |n: u64| n as f64 / m.loops as f64;
                let (first, last) = (number(per(m.first) / 1e6), number(per(m.total) / 1e6));
                let rows = number(per(m.rows));
                out.push_str(&format!("{space}(actual time={first}..{last} rows={rows} loops={})", m.loops));
            }
        }
    }
    out.push('\n');
    b.below.iter().for_each(|c| print(c, depth + 1, measured, out));
}

/// Three significant digits, or all of a whole number below a million.
pub(super) fn number(n: f64) -> String {
    if !n.is_finite() || n < 1e-6 {
        return "0".into();
    }
    if n >= 999_999.5 {
        let e = n.log10().floor() as i32;
        let m = trim(format!("{:.2}", n / 10f64.powi(e)));
        return format!("{m}e+{e}");
    }
    if n >= 999.5 || n.fract() == 0.0 {
        return format!("{n:.0}");
    }
    let digits = (2 - n.log10().floor() as i32).clamp(0, 9) as usize;
    if n < 1e-4 {
        let e = n.log10().floor() as i32;
        return format!("{}e-{}", trim(format!("{:.2}", n / 10f64.powi(e))), -e);
    }
    trim(format!("{n:.digits$}"))
}

fn trim(s: String) -> String {
    if s.contains('.') { s.trim_end_matches('0').trim_end_matches('.').to_owned() } else { s }
}

struct Tree<'p> {
    plan: &'p Plan,
    names: Names,
}

impl Tree<'_> {
    fn body(&self) -> Vec<Branch> {
        let table = |i: u16| self.plan.tables.get(i as usize).map_or("", |t| t.def.name.as_str());
        let name = |t: &crate::plan::Target, now: bool| {
            let name = self.plan.tables.get(t.table as usize).map_or("", |t| &t.alias);
            format!("{name} ({})", if now { "immediate" } else { "buffered" })
        };
        match &self.plan.body {
            Body::Select(q) => vec![self.query(q)],
            Body::Insert(i) => {
                let verb = if i.on_duplicate == OnDuplicate::Replace { "Replace" } else { "Insert" };
                let below = match &i.source {
                    InsertSource::Select(q) => vec![self.query(q)],
                    InsertSource::Values(_) => vec![],
                };
                vec![Branch::new(format!("{verb} into {}", table(i.table)), None, below)]
            }
            Body::Update(u) => {
                let now = |t: &crate::plan::Target| if u.multi { u.at_once == Some(t.slot) } else { !u.buffered };
                let names: Vec<String> = u.targets.iter().map(|t| name(t, now(t))).collect();
                vec![Branch::new(format!("Update {}", names.join(", ")), None, vec![self.changed(&u.source, &u.order)])]
            }
            Body::Delete(d) => {
                let now = |t: &crate::plan::Target| if d.multi { d.at_once.contains(&t.slot) } else { !d.buffered };
                let names: Vec<String> = d.targets.iter().map(|t| name(t, now(t))).collect();
                vec![Branch::new(
                    format!("Delete from {}", names.join(", ")),
                    None,
                    vec![self.changed(&d.source, &d.order)],
                )]
            }
        }
    }

    /// Rows that UPDATE or DELETE changes.
    fn changed(&self, source: &Node, order: &[crate::plan::SortKey]) -> Branch {
        let below = self.node(source);
        if order.is_empty() {
            return below;
        }
        Branch::new(format!("Sort: {}", self.keys(order)), below.guess, vec![below])
    }

    fn query(&self, q: &QueryPlan) -> Branch {
        self.node(&q.root)
    }

    fn keys(&self, keys: &[crate::plan::SortKey]) -> String {
        keys.iter()
            .map(|k| format!("{}{}", self.names.text(&k.expr), if k.desc { " DESC" } else { "" }))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// A node's lines; the measured one is the topmost.
    fn node(&self, n: &Node) -> Branch {
        let mut b = self.lines(n);
        b.node = address(n);
        b
    }

    fn filter(&self, cond: Option<&Expr>, share: f64, mut below: Branch, inner: usize) -> Branch {
        let Some(c) = cond else { return below };
        let guess = below.guess.map(|g| Guess { cost: g.cost, rows: g.rows * share });
        if below.node == 0 {
            below.node = inner;
        }
        Branch::new(format!("Filter: {}", self.names.text(c)), guess, vec![below])
    }

    fn lines(&self, n: &Node) -> Branch {
        match n {
            Node::Dual => Branch::new("Rows fetched before execution", Some(Guess { cost: 0.0, rows: 1.0 }), vec![]),
            Node::Ends(_) => Branch::new("Rows fetched before execution", Some(Guess { cost: 0.0, rows: 1.0 }), vec![]),
            Node::Empty => Branch::new("Zero rows (Impossible WHERE)", Some(Guess { cost: 0.0, rows: 0.0 }), vec![]),
            Node::Scan(s) => {
                let guess = Guess { cost: s.cost, rows: s.rows.max(1.0) };
                let mut title = self.scan(s);
                if let Some(c) = &s.pushed {
                    title = format!("{title}, with index condition: {}", self.names.text(c));
                }
                let scan = Branch::new(title, Some(guess), vec![]);
                self.filter(s.filter.as_ref(), s.selectivity, scan, address(s.as_ref()))
            }
            Node::Virtual { alias, filter, .. } => {
                self.filter(filter.as_ref(), 0.1, Branch::new(format!("Table scan on {alias}"), None, vec![]), 0)
            }
            Node::JsonTable(t) => Branch::new(format!("Materialize table function {}", t.alias), None, vec![]),
            Node::Derived { .. } => self.derived(n),
            Node::Recursive { plan, .. } => {
                let mut below = vec![self.query(&plan.seed)];
                let repeat = plan.members.iter().map(|q| self.query(q)).collect();
                below.push(Branch::new("Repeat until convergence", None, repeat));
                Branch::new("Materialize recursive CTE", None, below)
            }
            Node::Working { .. } => Branch::new("Scan new records of the recursive CTE", None, vec![]),
            Node::Values { rows, .. } => {
                let guess = Guess { cost: 0.0, rows: rows.len() as f64 };
                Branch::new("Rows fetched before execution", Some(guess), vec![])
            }
            Node::Filter { input, once: true, .. } => self.node(input),
            Node::Filter { input, cond, .. } => self.filter(Some(cond), 0.33, self.node(input), 0),
            Node::NestedLoop { kind, outer, inner, on, .. } => self.nested(*kind, outer, inner, on.as_ref()),
            Node::HashJoin { kind, outer, inner, keys, on, .. } => self.hash(*kind, outer, inner, keys, on.as_ref()),
            Node::Aggregate { input, .. } if matches!(input.as_ref(), Node::Ends(_)) => self.lines(input),
            Node::Aggregate { .. } => self.aggregate(n),
            Node::Sort { input, keys, .. } if keys.is_empty() => self.node(input),
            Node::Sort { input, keys, limit, .. } => {
                let rows = limit.as_ref().and_then(|l| most(l.0.as_ref(), &l.1));
                self.sort(input, keys, rows)
            }
            Node::Window { input, plan, .. } => self.window(input, plan),
            Node::Distinct { input, .. } => {
                let below = self.node(input);
                let guess = below.guess;
                let table = Branch::new("Temporary table with deduplication", guess, vec![below]);
                Branch::new("Table scan on <temporary>", guess, vec![table])
            }
            Node::Unique { input, by, rows } => self.unique(input, by, *rows),
            Node::Limit { input, offset, count } => {
                let below = self.node(input);
                let n = self.names.text(count);
                let text = match offset {
                    Some(o) => format!("Limit/Offset: {n}/{} row(s)", self.names.text(o)),
                    None => format!("Limit: {n} row(s)"),
                };
                let rows = most(None, count).map_or(below.rows(), |n| below.rows().min(n as f64));
                let guess = below.guess.map(|g| Guess { rows, ..g });
                Branch::new(text, guess, vec![below])
            }
            Node::SetOp { first, rest, .. } => {
                let mut below = vec![self.query(first)];
                below.extend(rest.iter().map(|r| self.query(&r.1)));
                set_operation(below, &rest.iter().map(|r| r.0).collect::<Vec<_>>())
            }
        }
    }

    /// A derived table or CTE: a scan of the rows that its query has made.
    fn derived(&self, n: &Node) -> Branch {
        let Node::Derived { query, alias, filter, keep, shared, .. } = n else { return self.lines(n) };
        if matches!(query.root, Node::Working { .. }) {
            let scan = Branch::new(format!("Scan new records on {alias}"), None, vec![]);
            return self.filter(filter.as_ref(), 0.33, scan, 0);
        }
        let mut made = self.query(query);
        if matches!(query.root, Node::Recursive { .. }) {
            made.text = format!("{} {}", made.text, shared.as_ref().map_or(alias, |s| &s.name));
        } else {
            let text = match (keep, shared) {
                (Keep::Never, _) => "Materialize (invalidate on row from the left)".to_owned(),
                (Keep::Statement | Keep::Subquery, Some(s)) => format!("Materialize CTE {}", s.name),
                (Keep::Statement | Keep::Subquery, None) => "Materialize".to_owned(),
            };
            made = Branch::new(text, None, vec![made]);
        }
        made.shared = shared.as_ref().map(|s| s.id);
        let guess = Some(Guess { cost: query.cost, rows: query.rows.max(1.0) });
        let scan = Branch::new(format!("Table scan on {alias}"), guess, vec![made]);
        self.filter(filter.as_ref(), 0.33, scan, 0)
    }

    fn aggregate(&self, n: &Node) -> Branch {
        let Node::Aggregate { input, group, aggs, streaming, rollup, .. } = n else { return self.lines(n) };
        let below = self.node(input);
        let guess = |rows: f64| Some(Guess { cost: below.cost() + 0.1 * below.rows(), rows });
        let list = aggs.iter().map(|a| self.names.aggregate(a)).collect::<Vec<_>>().join(", ");
        if group.is_empty() {
            return Branch::new(format!("Aggregate: {list}"), guess(1.0), vec![below]);
        }
        let rows = guess((below.rows() / 10.0).max(1.0));
        if *streaming || *rollup {
            let text = match (aggs.is_empty(), *rollup) {
                (true, _) => "Group (no aggregates)".to_owned(),
                (_, true) => format!("Group aggregate with rollup: {list}"),
                _ => format!("Group aggregate: {list}"),
            };
            return Branch::new(text, rows, vec![below]);
        }
        let table =
            if aggs.is_empty() { "Temporary table with deduplication" } else { "Aggregate using temporary table" };
        Branch::new("Table scan on <temporary>", rows, vec![Branch::new(table, None, vec![below])])
    }

    /// `rows`: how many of the sorted rows are wanted at most.
    fn sort(&self, input: &Node, keys: &[crate::plan::SortKey], rows: Option<u64>) -> Branch {
        let below = self.node(input);
        let mut text = format!("Sort: {}", self.keys(keys));
        let mut guess = below.guess;
        if let Some(n) = rows {
            text.push_str(&format!(", limit input to {n} row(s) per chunk"));
            guess = guess.map(|g| Guess { rows: g.rows.min(n as f64), ..g });
        }
        Branch::new(text, guess, vec![below])
    }

    fn nested(&self, kind: JoinKind, outer: &Node, inner: &Node, on: Option<&Expr>) -> Branch {
        let (o, i) = (self.node(outer), self.node(inner));
        let cost = o.cost() + o.rows() * i.cost();
        let rows = match kind {
            JoinKind::Inner => o.rows() * i.rows(),
            JoinKind::Left => o.rows() * i.rows().max(1.0),
            JoinKind::Semi | JoinKind::Anti => o.rows(),
        };
        let i = match on {
            Some(c) => self.filter(Some(c), 1.0, i, 0),
            None => i,
        };
        Branch::new(format!("Nested loop {}", join_name(kind)), Some(Guess { cost, rows }), vec![o, i])
    }

    /// A semijoin without its duplicates.
    fn unique(&self, input: &Node, by: &Unique, rows: f64) -> Branch {
        let left = |g: Guess| Guess { rows: g.rows.min(rows.max(1.0)), ..g };
        match by {
            Unique::Values { keys, select } => {
                let below = self.names.within(|| self.node(input));
                let guess = below.guess.map(|g| left(Guess { cost: g.cost + 1.0 + 0.2 * g.rows, rows: g.rows }));
                let table = Branch::new("Materialize with deduplication", guess, vec![below]);
                let scan = Branch::new(format!("Table scan on <subquery{select}>"), guess, vec![table]);
                let nullable = keys.iter().filter(|k| k.ty.nullable);
                let conds: Vec<String> = nullable.map(|k| format!("({} is not null)", self.names.text(k))).collect();
                match conds.as_slice() {
                    [] => scan,
                    [c] => Branch::new(format!("Filter: {c}"), guess, vec![scan]),
                    l => Branch::new(format!("Filter: ({})", l.join(" and ")), guess, vec![scan]),
                }
            }
            Unique::Runs(_) => {
                let index = super::semi::index_of(self.plan, input);
                let below = self.node(input);
                Branch::new(
                    format!("Remove duplicates from input sorted on {index}"),
                    below.guess.map(left),
                    vec![below],
                )
            }
            Unique::Rows { slots, .. } => {
                let below = self.node(input);
                let names: Vec<&str> = slots.iter().map(|s| super::semi::alias(self.plan, *s)).collect();
                let text = match names.as_slice() {
                    [] => "Limit: 1 row(s)".to_owned(),
                    [t] => format!("Remove duplicate {t} rows using temporary table (weedout)"),
                    l => format!("Remove duplicate ({}) rows using temporary table (weedout)", l.join(", ")),
                };
                Branch::new(text, below.guess.map(left), vec![below])
            }
        }
    }

    fn hash(
        &self,
        kind: JoinKind,
        outer: &Node,
        inner: &Node,
        keys: &[(Expr, Expr, value::compare::Comparator)],
        on: Option<&Expr>,
    ) -> Branch {
        let (o, i) = (self.node(outer), self.node(inner));
        let cost = o.cost() + i.cost() + 0.1 * (o.rows() + i.rows());
        let rows = match kind {
            JoinKind::Inner => (o.rows() * i.rows() * 0.1).max(1.0),
            JoinKind::Left => (o.rows() * i.rows() * 0.1).max(o.rows()),
            JoinKind::Semi | JoinKind::Anti => o.rows(),
        };
        let keys =
            keys.iter().map(|k| format!("({} = {})", self.names.text(&k.0), self.names.text(&k.1))).collect::<Vec<_>>();
        let name = match kind {
            JoinKind::Inner => "Inner hash join",
            JoinKind::Left => "Left hash join",
            JoinKind::Semi => "Hash semijoin",
            JoinKind::Anti => "Hash antijoin",
        };
        let extra = on.map_or(String::new(), |c| format!(", extra conditions: {}", self.names.text(c)));
        let text = format!("{name} {}{extra}", keys.join(", "));
        Branch::new(text, Some(Guess { cost, rows }), vec![o, Branch::new("Hash", None, vec![i])])
    }

    fn window(&self, input: &Node, plan: &crate::window::WindowPlan) -> Branch {
        let mut below = self.node(input);
        if !plan.keys.is_empty() {
            below = Branch::new(format!("Sort: {}", self.keys(&plan.keys)), below.guess, vec![below]);
        }
        let over = |part: &str, k: &[crate::plan::SortKey]| {
            // MySQL ends each list with a space
            if k.is_empty() { String::new() } else { format!("{part} BY {} ", self.keys(k)) }
        };
        let (partition, order) = plan.keys.split_at_checked(plan.partition).unwrap_or((&plan.keys, &[]));
        let spec = [over("PARTITION", partition), over("ORDER", order)];
        let spec = spec.concat();
        let call =
            |c: &crate::window::WindowCall| format!("{}({}) OVER ({spec})", c.func.name(), self.names.list(&c.args));
        let calls = plan.calls.iter().map(call).collect::<Vec<_>>().join(", ");
        // these look at no later row
        let plain = plan.calls.iter().all(|c| matches!(c.func.name(), "row_number" | "rank" | "dense_rank"));
        let how = if plain { "" } else { " with buffering" };
        Branch::new(format!("Window aggregate{how}: {calls}"), below.guess, vec![below])
    }

    fn scan(&self, s: &Scan) -> String {
        let index = self.plan.tables.get(s.table as usize).and_then(|t| t.def.indexes.get(s.index as usize));
        let name = index.map_or("", |i| i.name.as_str());
        let on = format!("on {} using {name}", s.alias);
        let column = |i: usize| {
            let part = index.and_then(|x| x.parts.get(i)).map(|p| p.column as usize);
            let def = self.plan.tables.get(s.table as usize).map(|t| &t.def);
            let column = part.and_then(|c| def.and_then(|d| d.columns.get(c)));
            // a functional part is its expression
            let text = |c: &'_ ColumnDef| match &c.generated {
                Some(g) if c.is_hidden() => g.expr.replace('`', ""),
                _ => c.name.clone(),
            };
            column.map_or(String::new(), text)
        };
        let covering = |a: &str, b: &str| if s.covering { a.to_owned() } else { b.to_owned() };
        let reverse = if s.reverse { " (reverse)" } else { "" };
        match &s.access {
            Access::Full if s.loose > 0 => {
                format!(
                    "{} {on}{reverse}",
                    covering("Covering index skip scan for grouping", "Index skip scan for grouping")
                )
            }
            Access::Merge { parts, all } => {
                let names = parts.iter().filter_map(|p| {
                    let def = self.plan.tables.get(s.table as usize).map(|t| &t.def);
                    def.and_then(|d| d.indexes.get(p.0 as usize)).map(|i| i.name.as_str())
                });
                let how = if *all { "Intersect rows" } else { "Deduplicate rows" };
                format!("{how} sorted by row ID on {} using {}", s.alias, names.collect::<Vec<_>>().join(", "))
            }
            Access::Full if s.index == 0 && !s.ordered => format!("Table scan on {}", s.alias),
            Access::Full => format!("{} {on}{reverse}", covering("Covering index scan", "Index scan")),
            Access::Point(k) => {
                let eq = k.iter().enumerate().map(|(i, e)| format!("{}={}", column(i), self.names.text(e)));
                let what = covering("Single-row covering index lookup", "Single-row index lookup");
                format!("{what} {on} ({})", eq.collect::<Vec<_>>().join(", "))
            }
            Access::Ranges(alts) => match alts.as_slice() {
                [conds] if s.loose == 0 && conds.iter().all(|c| matches!(c, PartCond::Eq { .. })) => {
                    let eq = conds.iter().enumerate().filter_map(|(i, c)| match c {
                        PartCond::Eq { value, .. } => Some(format!("{}={}", column(i), self.names.text(value))),
                        _ => None,
                    });
                    let what = covering("Covering index lookup", "Index lookup");
                    format!("{what} {on} ({}){reverse}", eq.collect::<Vec<_>>().join(", "))
                }
                [conds] if s.access.skipped().is_some() => {
                    let what = covering("Covering index skip scan", "Index skip scan");
                    let last = conds.last().map(|c| self.part(&column(conds.len() - 1), c));
                    format!("{what} {on} over {}", last.unwrap_or_default())
                }
                alts => {
                    let what = match s.loose {
                        0 => covering("Covering index range scan", "Index range scan"),
                        _ => covering("Covering index skip scan for grouping", "Index skip scan for grouping"),
                    };
                    let array = index.and_then(|x| x.array_part(&self.plan.tables.get(s.table as usize)?.def.columns));
                    format!("{what} {on} over {}{reverse}", self.range_list(alts, array, &column))
                }
            },
        }
    }

    /// `(a = 1) OR (5 < a < 7)`: the ranges that are read. `array`: the part of the index that has an array's
    /// elements.
    fn range_list(&self, alts: &[Vec<PartCond>], array: Option<usize>, column: &dyn Fn(usize) -> String) -> String {
        let all = alts.iter().flat_map(|conds| match conds.as_slice() {
            [PartCond::In(l)] if array.is_none() => {
                l.iter().map(|e| format!("{} = {}", column(0), self.names.text(e))).collect()
            }
            [first @ .., PartCond::NotIn(l)] => self.between(first, l, column),
            conds => {
                let part = |(i, c): (usize, &PartCond)| match c {
                    PartCond::In(l) if array == Some(i) => {
                        format!("elements of {} in {}", self.names.list(l), column(i))
                    }
                    c => self.part(&column(i), c),
                };
                vec![conds.iter().enumerate().map(part).collect::<Vec<_>>().join(" AND ")]
            }
        });
        let all: Vec<String> = all.map(|range| format!("({range})")).collect();
        // beyond three MySQL shows two and how many more there are
        let (list, more) = match all.split_at_checked(2) {
            Some((two, rest)) if rest.len() > 1 => (two, format!(" OR ({} more)", rest.len())),
            _ => (all.as_slice(), String::new()),
        };
        format!("{}{more}", list.join(" OR "))
    }

    /// The ranges between values that are left out, behind conditions on the parts before.
    fn between(&self, first: &[PartCond], values: &[Expr], column: &dyn Fn(usize) -> String) -> Vec<String> {
        let before: String =
            first.iter().enumerate().map(|(i, c)| format!("{} AND ", self.part(&column(i), c))).collect();
        let column = column(first.len());
        let lows = std::iter::once("NULL".to_owned()).chain(values.iter().map(|e| self.names.text(e)));
        let highs = values.iter().map(|e| format!(" < {}", self.names.text(e))).chain(std::iter::once(String::new()));
        lows.zip(highs).map(|(low, high)| format!("{before}{low} < {column}{high}")).collect()
    }

    /// A condition on an index part, as a range.
    fn part(&self, column: &str, c: &PartCond) -> String {
        let text = |e: &Expr| self.names.text(e);
        match c {
            PartCond::Eq { value, .. } => format!("{column} = {}", text(value)),
            PartCond::In(l) => {
                let values = l.iter().take(20).map(|e| format!("{column} = {}", text(e))).collect::<Vec<_>>();
                let more = if l.len() > 20 { " OR ..." } else { "" };
                format!("{}{more}", values.join(" OR "))
            }
            PartCond::Any => String::new(),
            PartCond::NotNull => format!("NULL < {column}"),
            PartCond::NotIn(l) => format!("{column} not in {}", self.names.list(l)),
            PartCond::Like { pattern, .. } => format!("{column} like {}", text(pattern)),
            PartCond::Range { low, high } => {
                let sign = |inclusive: bool| if inclusive { "<=" } else { "<" };
                let low = match (low, high) {
                    (Some((e, i)), _) => format!("{} {} ", text(e), sign(*i)),
                    (None, _) => "NULL < ".to_owned(),
                };
                let high = high.as_ref().map_or(String::new(), |(e, i)| format!(" {} {}", sign(*i), text(e)));
                format!("{low}{column}{high}")
            }
        }
    }
}

/// What stands above the queries of a set operation.
fn set_operation(below: Vec<Branch>, kinds: &[SetOpKind]) -> Branch {
    let text = match kinds.first() {
        _ if kinds.iter().all(|k| *k == SetOpKind::UnionAll) => return Branch::new("Append", None, below),
        Some(SetOpKind::Intersect | SetOpKind::IntersectAll) => "Intersect materialize with deduplication",
        Some(SetOpKind::Except | SetOpKind::ExceptAll) => "Except materialize with deduplication",
        _ => "Union materialize with deduplication",
    };
    Branch::new("Table scan on <union temporary>", None, vec![Branch::new(text, None, below)])
}

/// Rows that a constant LIMIT and OFFSET ask for.
fn most(offset: Option<&Expr>, count: &Expr) -> Option<u64> {
    let n = |e: &Expr| match &e.kind {
        ExprKind::Const(v) => match v.as_value() {
            value::Value::Int(n) => u64::try_from(n).ok(),
            value::Value::UInt(n) => Some(n),
            _ => None,
        },
        _ => None,
    };
    Some(n(count)?.saturating_add(offset.map_or(Some(0), n)?))
}

fn join_name(k: JoinKind) -> &'static str {
    match k {
        JoinKind::Inner => "inner join",
        JoinKind::Left => "left join",
        JoinKind::Semi => "semijoin",
        JoinKind::Anti => "antijoin",
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_three_digits() {
        let all = [(0.0, "0"), (0.05123, "0.0512"), (1.05, "1.05"), (12.345, "12.3"), (299_514.0, "299514")];
        for (n, text) in all {
            assert_eq!(number(n), text);
        }
        assert_eq!(number(1_234_567.0), "1.23e+6");
        assert_eq!(number(1234.7), "1235");
    }
}
