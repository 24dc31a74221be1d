//! What the optimizer tells of a block to the trace ([`crate::trace`]): conditions, dependencies, keys that equalities
//! use, the ways to read
//! each table, the join orders that were tried, and what is left to be checked where.
//!
//! Called only while a statement is traced. Costs and rows are this planner's, so they are not MySQL's; what MySQL
//! tells of its own
//! (buffers of block nested loops, dives, `in_memory`) is absent.

use super::access::{Choice, Question, is_ref};
use super::joins::{Placed, Planner, Unit, UnitKind};
use super::sarg::{Test, sargs};
use super::traced_ranges::range_analysis;
use crate::block::{JoinTree, LeafKind};
use crate::expr::{Expr, SlotId};
use crate::plan::{Access, Node, Scan};
use crate::trace::{self, Json};
use crate::trace_object;

fn quote(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// Slots, aliases and names of columns of a block's tables.
pub(super) struct Names(Vec<(SlotId, String, Vec<String>)>);

impl Names {
    fn column(&self, slot: SlotId, column: u16) -> String {
        match self.0.iter().find(|t| t.0 == slot) {
            Some((_, alias, columns)) => match columns.get(usize::from(column)) {
                Some(name) => format!("{}.{}", quote(alias), quote(name)),
                None => format!("{}.{}", quote(alias), quote(&format!("column{}", column + 1))),
            },
            None => format!("<outer reference {slot}.{column}>"),
        }
    }

    pub(super) fn text(&self, e: &Expr) -> String {
        trace::text(e, &|slot, column| self.column(slot, column))
    }

    fn all(&self, list: &[&Expr]) -> String {
        let texts: Vec<String> = list.iter().map(|e| self.text(e)).collect();
        match texts.as_slice() {
            [] => "true".to_owned(),
            [one] => one.clone(),
            many => format!("({})", many.join(" and ")),
        }
    }
}

/// Each way once, and the chosen one among them.
pub(super) fn distinct(list: Vec<Choice>, chosen: &Choice) -> Vec<Choice> {
    let mut out: Vec<Choice> = Vec::new();
    if trace::on() {
        let same = |a: &Choice, b: &Choice| {
            a.index == b.index && a.rows == b.rows && (a.cost - b.cost).abs() < 1e-9 && a.ordered == b.ordered
        };
        for c in list.into_iter().chain([chosen.clone()]) {
            if !out.iter().any(|o| same(o, &c)) {
                out.push(c);
            }
        }
    }
    out
}

/// The ways that a table may be read, as `access::best` weighed them.
pub(super) fn weighed(q: &Question<'_>, list: &[Choice], chosen: &Choice) {
    if !trace::on() {
        return;
    }
    let name = |i: usize| q.def.indexes.get(i).map_or("", |x| x.name.as_str());
    for c in list {
        let is_it = c.index == chosen.index && (c.cost - chosen.cost).abs() < 1e-9 && c.rows == chosen.rows;
        let mut m: Vec<(&'static str, Json)> = Vec::new();
        match (&c.access, c.dependent || is_ref(&c.access)) {
            (Access::Point(_), _) => m.push(("access_type", "eq_ref".into())),
            (Access::Ranges(_), true) => m.push(("access_type", "ref".into())),
            (Access::Ranges(_), false) => {
                m.push(("rows_to_scan", c.rows.into()));
                m.push(("access_type", "range".into()));
                m.push(("range_details", trace_object! {"used_index": name(c.index)}));
            }
            (Access::Merge { all, .. }, _) => {
                m.push(("access_type", "range".into()));
                m.push(("range_details", trace_object! {"index_merge": if *all { "intersection" } else { "union" }}));
            }
            (Access::Full, _) => {
                m.push(("rows_to_scan", c.rows.into()));
                m.push(("access_type", if c.index == 0 { "scan" } else { "index_scan" }.into()));
            }
        }
        match c.access {
            Access::Point(_) | Access::Ranges(_) if c.dependent || is_ref(&c.access) => {
                m.push(("index", name(c.index).into()));
                m.push(("rows", c.rows.into()));
            }
            Access::Full if c.index != 0 => {
                m.push(("index", name(c.index).into()));
                m.push(("resulting_rows", c.rows.into()));
            }
            _ => m.push(("resulting_rows", c.rows.into())),
        }
        m.extend([("cost", c.cost.into()), ("chosen", is_it.into())]);
        if !is_it {
            m.push(("cause", "cost".into()));
        }
        trace::path(m.into());
    }
}

/// Join orders that begin with one table.
pub(super) struct Order<'t> {
    units: &'t [Unit],
    prefix: Vec<String>,
    /// From the outside in: what was told at each place, and which of it goes on.
    places: Vec<(Vec<Json>, usize)>,
}

impl Order<'_> {
    /// Tables in front.
    pub(super) fn prefix(&self) -> &[String] {
        &self.prefix
    }
}

impl Planner<'_> {
    /// What the block's tables are called.
    pub(super) fn names(&self) -> Names {
        let names = self.leaves.iter().flatten().map(|l| {
            if matches!(&l.kind, LeafKind::Virtual(v) if v.def().name == "OPTIMIZER_TRACE") {
                trace::discard();
            }
            let def = match &l.kind {
                LeafKind::Base { def, .. } => Some(def.clone()),
                LeafKind::Virtual(v) => Some(v.def().clone()),
                _ => None,
            };
            let columns = def.map_or(Vec::new(), |d| d.columns.iter().map(|c| c.name.clone()).collect());
            (l.slot, l.alias.clone(), columns)
        });
        Names(names.collect())
    }

    fn unit_name(&self, u: &Unit) -> String {
        match &u.kind {
            UnitKind::Leaf(i) => self.leaf(*i).map_or(String::new(), |l| quote(&l.alias)),
            UnitKind::Group(tree, ..) => {
                let mut inside = Vec::new();
                tree.leaves(&mut inside);
                let all = inside.iter().filter_map(|i| self.leaf(*i)).map(|l| quote(&l.alias));
                format!("({})", all.collect::<Vec<_>>().join(","))
            }
            UnitKind::Drive(_) => "<subquery>".to_owned(),
        }
    }

    /// A table was put at the next place of an order, or was only weighed for it.
    pub(super) fn told_place(
        &self,
        prefix: &[String],
        u: &Unit,
        p: &Placed,
        totals: (f64, f64),
    ) -> Vec<(&'static str, Json)> {
        let mut paths = trace::paths();
        if p.hash {
            paths.push(trace_object! {
                "access_type": "scan", "using_join_cache": true, "join_cache": "hash", "resulting_rows": p.rows,
                "cost": p.cost, "chosen": true
            });
        }
        let prefix: Vec<Json> = prefix.iter().map(|n| n.as_str().into()).collect();
        let read = p.choice.as_ref().map_or(p.rows, |c| c.rows);
        let share = if read > 0.0 { (100.0 * p.rows / read).min(100.0) } else { 100.0 };
        vec![
            ("plan_prefix", prefix.into()),
            ("table", self.unit_name(u).into()),
            ("best_access_path", trace_object! {"considered_access_paths": paths}),
            ("condition_filtering_pct", share.into()),
            ("rows_for_plan", totals.0.into()),
            ("cost_for_plan", totals.1.into()),
        ]
    }

    /// Orders from `first` on.
    pub(super) fn told_first<'t>(&self, units: &'t [Unit], first: usize, p: &Placed, cost: f64) -> Order<'t> {
        let mut o = Order { units, prefix: Vec::new(), places: Vec::new() };
        if let Some(u) = units.get(first) {
            let told = self.told_place(&o.prefix, u, p, (p.rows, cost));
            o.places.push((vec![told.into()], 0));
            o.prefix.push(self.unit_name(u));
        }
        o
    }

    /// What was weighed for the next place, and which of these was taken.
    pub(super) fn told_next(&self, o: &mut Order<'_>, weighed: Vec<(usize, Json)>, taken: usize) {
        let at = weighed.iter().position(|w| w.0 == taken).unwrap_or(0);
        o.places.push((weighed.into_iter().map(|w| w.1).collect(), at));
        if let Some(u) = o.units.get(taken) {
            let name = self.unit_name(u);
            o.prefix.push(name);
        }
    }

    /// The order is complete: its JSON, nested as MySQL's. `best`: it is the cheapest so far.
    pub(super) fn told_order(o: Order<'_>, best: bool) -> Json {
        let mut rest: Option<Vec<Json>> = None;
        for (mut list, at) in o.places.into_iter().rev() {
            for (n, j) in list.iter_mut().enumerate() {
                let Json::Object(m) = j else { continue };
                match (n == at, rest.take_if(|_| n == at)) {
                    (true, Some(inner)) => m.push(("rest_of_plan", inner.into())),
                    (true, None) if best => m.push(("chosen", true.into())),
                    (true, None) => m.push(("pruned_by_cost", true.into())),
                    (false, _) => m.push(("pruned_by_heuristic", true.into())),
                }
            }
            rest = Some(list);
        }
        rest.and_then(|mut l| (!l.is_empty()).then(|| l.swap_remove(0))).unwrap_or(Json::Object(Vec::new()))
    }

    /// The order that was found by looking at all.
    pub(super) fn told_searched(&self, units: &[Unit], (order, rows, cost): &(Vec<usize>, f64, f64)) -> Json {
        let mut names: Vec<String> = order.iter().filter_map(|i| units.get(*i)).map(|u| self.unit_name(u)).collect();
        let last = names.pop().unwrap_or_default();
        let prefix: Vec<Json> = names.into_iter().map(Json::from).collect();
        trace_object! {
            "plan_prefix": prefix, "table": last, "rows_for_plan": *rows, "cost_for_plan": *cost, "chosen": true,
            "cause": "cheapest_of_all_orders"
        }
    }

    /// Everything but the orders, of a block before it is planned.
    pub(super) fn told_before_planning(&mut self, tree: &JoinTree, conds: &[Expr], original: &str) -> Vec<Json> {
        let names = self.names();
        let (mut units, mut all, mut straight) = (Vec::new(), conds.to_vec(), false);
        self.flatten(tree.clone(), &mut units, &mut all, &mut straight);
        let list: Vec<&Expr> = all.iter().collect();
        let now = names.all(&list);
        let mut steps = Vec::new();
        if !list.is_empty() {
            let step = |what: &str, text: &str| trace_object! {"transformation": what, "resulting_condition": text};
            let done = vec![
                step("equality_propagation", original),
                step("constant_propagation", original),
                step("trivial_condition_removal", &now),
            ];
            steps.push(trace_object! {"condition_processing": trace_object! {
                "condition": "WHERE", "original_condition": original, "steps": done
            }});
        }
        steps.push(trace_object! {"substitute_generated_columns": Vec::<(&'static str, Json)>::new()});
        steps.push(trace_object! {"table_dependencies": self.told_dependencies(&units)});
        steps.push(trace_object! {"ref_optimizer_key_uses": self.told_key_uses(&list, &names)});
        steps.push(trace_object! {"rows_estimation": self.told_rows(&list, &names)});
        steps
    }

    fn told_dependencies(&self, units: &[Unit]) -> Vec<Json> {
        let bit = |s: &SlotId| self.leaves.iter().flatten().position(|l| l.slot == *s);
        let mut out = Vec::new();
        for (n, l) in self.leaves.iter().flatten().enumerate() {
            let unit = units.iter().find(|u| u.slots.contains(&l.slot));
            let mut on: Vec<usize> = unit.map_or(Vec::new(), |u| u.deps.iter().filter_map(bit).collect());
            on.sort_unstable();
            let on: Vec<Json> = on.into_iter().map(|b| Json::Number(b as f64)).collect();
            out.push(trace_object! {
                "table": quote(&l.alias), "row_may_be_null": unit.is_some_and(|u| u.outer.is_some()),
                "map_bit": n as f64, "depends_on_map_bits": on
            });
        }
        out
    }

    fn told_key_uses(&self, conds: &[&Expr], names: &Names) -> Vec<Json> {
        let mut out = Vec::new();
        for l in self.leaves.iter().flatten() {
            let LeafKind::Base { def, .. } = &l.kind else { continue };
            let other = |e: &Expr| !self.cx.draft.expr_slots(e).contains(&l.slot);
            for s in conds.iter().flat_map(|c| sargs(c, l.slot, &other)) {
                let Test::Eq { value, null_safe } = &s.test else { continue };
                if !def.indexes.iter().any(|x| x.parts.iter().any(|p| p.column == s.column)) {
                    continue;
                }
                let field = def.columns.get(usize::from(s.column)).map_or("", |c| c.name.as_str());
                out.push(trace_object! {
                    "table": quote(&l.alias), "field": field, "equals": names.text(value), "null_rejecting": !null_safe
                });
            }
        }
        out
    }

    fn told_rows(&mut self, conds: &[&Expr], names: &Names) -> Vec<Json> {
        let mut out = Vec::new();
        for i in 0..self.leaves.len() {
            let Some(l) = self.leaf(i) else { continue };
            let (slot, alias) = (l.slot, quote(&l.alias));
            let LeafKind::Base { def, .. } = &l.kind else {
                out.push(trace_object! {"table": alias});
                continue;
            };
            let def = def.clone();
            let alone = |e: &&&Expr| self.cx.draft.expr_slots(e).iter().all(|s| *s == slot || !self.own.contains(s));
            let own: Vec<&Expr> = conds.iter().filter(|c| alone(c)).copied().collect();
            let rows = self.stats.get(&slot).map_or(1.0, |s| s.rows).max(1.0);
            let _ = trace::paths();
            let options = self.told_options(i, &own);
            let _ = trace::paths();
            let scan = options.iter().find(|c| matches!(c.access, Access::Full) && c.index == 0);
            let scan = trace_object! {"rows": rows, "cost": scan.map_or(rows * super::access::ROW, |c| c.cost)};
            let usable: Vec<&Choice> = options.iter().filter(|c| !matches!(c.access, Access::Full)).collect();
            if usable.is_empty() {
                out.push(trace_object! {"table": alias, "table_scan": scan});
                continue;
            }
            if let Some(c) = usable.iter().find(|c| matches!(c.access, Access::Point(_))) {
                out.push(trace_object! {
                    "table": alias, "rows": 1.0, "cost": c.cost, "table_type": "const", "empty": false
                });
                continue;
            }
            let analysis = if trace::options().range_optimizer {
                range_analysis(&def, &own, slot, scan, &usable, names)
            } else {
                Json::from("...")
            };
            out.push(trace_object! {"table": alias, "range_analysis": analysis});
        }
        out
    }

    /// What a block was planned to.
    pub(super) fn told_after_planning(&self, names: &Names, original: &str, node: &Node) -> Vec<Json> {
        let mut scans = Vec::new();
        tables(node, &mut scans);
        let mut attached = Vec::new();
        let mut finalizing = Vec::new();
        let mut refined = Vec::new();
        for s in &scans {
            let table = quote(&s.alias);
            refined.push(trace_object! {"table": table.clone()});
            let own: Vec<&Expr> = s.pushed.iter().chain(&s.filter).collect();
            if own.is_empty() {
                attached.push(trace_object! {"table": table, "attached": Json::Text("null".to_owned())});
                continue;
            }
            let text = names.all(&own);
            attached.push(trace_object! {"table": table.clone(), "attached": text.clone()});
            let left = s.filter.as_ref().map_or("null".to_owned(), |f| names.text(f));
            finalizing.push(trace_object! {
                "table": table, "original_table_condition": text, "final_table_condition   ": left
            });
        }
        vec![
            trace_object! {"attaching_conditions_to_tables": trace_object! {
                "original_condition": original, "attached_conditions_computation": Vec::<Json>::new(),
                "attached_conditions_summary": attached
            }},
            trace_object! {"finalizing_table_conditions": finalizing},
            trace_object! {"refine_plan": refined},
        ]
    }

    /// The WHERE of a block with the conditions of its inner joins.
    pub(super) fn told_condition(&mut self, tree: &JoinTree, conds: &[Expr]) -> String {
        let (mut units, mut all, mut straight) = (Vec::new(), conds.to_vec(), false);
        self.flatten(tree.clone(), &mut units, &mut all, &mut straight);
        self.names().all(&all.iter().collect::<Vec<_>>())
    }
}

/// Scans of a plan in the order in which they are opened.
fn tables<'n>(node: &'n Node, out: &mut Vec<&'n Scan>) {
    if let Node::Scan(s) = node {
        out.push(s);
    }
    match node {
        Node::Filter { input, .. }
        | Node::Distinct { input, .. }
        | Node::Unique { input, .. }
        | Node::Limit { input, .. }
        | Node::Aggregate { input, .. }
        | Node::Sort { input, .. }
        | Node::Window { input, .. } => tables(input, out),
        Node::NestedLoop { outer, inner, .. } | Node::HashJoin { outer, inner, .. } => {
            tables(outer, out);
            tables(inner, out);
        }
        _ => {}
    }
}
