//! EXPLAIN: rows of the traditional format, and expressions as text. [`tree`]: the TREE format and EXPLAIN ANALYZE; [`json`]: the JSON format;
//! [`names`]: what columns of intermediate results are called.

mod change;
mod fulltext;
mod index_merge;
mod json;
mod names;
mod semi;
mod tree;

pub use json::json;
pub use tree::{Measure, tree};

use hashbrown::HashMap;

use storage::dict::TableDef;

use crate::expr::{Expr, ExprKind, SlotId, SubqueryUse};
use crate::func::FuncId;
use crate::plan::{
    Access, Body, InsertSource, JoinKind, Keep, Node, OnDuplicate, PartCond, Plan, QueryPlan, Scan, SetOpKind, Shared,
};
use value::{OwnedValue, TypeKind};

/// The cells of a table that is read as a whole, of which nothing more is known.
fn all_rows(extra: Option<String>) -> Cells {
    vec![Some("ALL".into()), None, None, None, None, None, None, extra]
}

/// An expression as messages show it; columns appear by position.
pub fn print(e: &Expr) -> String {
    print_with(e, &|_, column| format!("column{column}"))
}

/// As [`print`], with the columns' names from `name` (slot, column).
pub(crate) fn print_with(e: &Expr, name: &dyn Fn(u16, u16) -> String) -> String {
    let s = |x: &Expr| print_with(x, name);
    let list = |l: &[Expr]| l.iter().map(s).collect::<Vec<_>>().join(",");
    match &e.kind {
        ExprKind::Const(v) => constant(v, e),
        ExprKind::Param(i) => format!("?{i}"),
        ExprKind::Column { slot, column } => name(*slot, *column),
        ExprKind::Agg { n, .. } => format!("<aggregate {n}>"),
        ExprKind::Win(i) => format!("<window {i}>"),
        ExprKind::UserVar(n) => format!("@{n}"),
        ExprKind::AssignUserVar(n, x) => format!("(@{n}:={})", s(x)),
        ExprKind::SysVar(_, n) => format!("@@{n}"),
        ExprKind::Compare { op, args, .. } => {
            let [a, b] = args.as_ref();
            format!("({} {} {})", s(a), op.symbol(), s(b))
        }
        ExprKind::CompareRow { op, left, right, .. } => format!("(({}) {} ({}))", list(left), op.symbol(), list(right)),
        ExprKind::Between { negated, args, .. } => {
            let [x, a, b] = args.as_ref();
            format!("({} {}between {} and {})", s(x), if *negated { "not " } else { "" }, s(a), s(b))
        }
        ExprKind::InList { negated, left, list: l, .. } => {
            format!("({} {}in ({}))", list(left), if *negated { "not " } else { "" }, list(l))
        }
        ExprKind::And(l) => format!("({})", l.iter().map(s).collect::<Vec<_>>().join(" and ")),
        ExprKind::Or(l) => format!("({})", l.iter().map(s).collect::<Vec<_>>().join(" or ")),
        ExprKind::Not(x) => format!("(not({}))", s(x)),
        ExprKind::Xor(l) => format!("({})", l.iter().map(s).collect::<Vec<_>>().join(" xor ")),
        ExprKind::IsNull(x, n) => format!("({} is {}null)", s(x), if *n { "not " } else { "" }),
        ExprKind::IsTruth(x, t, n) => {
            format!("({} is {}{})", s(x), if *n { "not " } else { "" }, if *t { "true" } else { "false" })
        }
        ExprKind::Like { args, negated, .. } => {
            let [a, b] = args.as_ref();
            format!("({} {}like {})", s(a), if *negated { "not " } else { "" }, s(b))
        }
        ExprKind::Case { operand, branches, otherwise, .. } => {
            print_case(operand.as_deref(), branches, otherwise.as_deref(), name)
        }
        ExprKind::Cast(x) if e.ty.kind == value::TypeKind::BigInt => {
            format!("cast({} as {})", s(x), if e.ty.unsigned { "unsigned" } else { "signed" })
        }
        ExprKind::Cast(x) if e.ty.is_character() && e.ty.kind.is_string() => {
            format!("cast({} as char charset {})", s(x), e.ty.charset().name())
        }
        ExprKind::Cast(x) => format!("cast({} as {:?})", s(x), e.ty.kind).to_lowercase(),
        ExprKind::Call(f, a) => print_call(*f, a, e, name),
        ExprKind::Subquery(id, SubqueryUse::Exists) => format!("exists(select #{})", id + 2),
        ExprKind::Subquery(id, SubqueryUse::In { left, .. }) => format!("({} in (select #{}))", list(left), id + 2),
        ExprKind::Subquery(id, _) => format!("(select #{})", id + 2),
        ExprKind::InsertedValue(c) => format!("values({c})"),
        ExprKind::Once(_, x) => s(x),
        ExprKind::Row(l) => format!("({})", list(l)),
        ExprKind::DefaultValue => "default".into(),
    }
}

/// CASE, as [`print_with`].
fn print_case(
    operand: Option<&Expr>,
    branches: &[(Expr, Expr)],
    otherwise: Option<&Expr>,
    name: &dyn Fn(u16, u16) -> String,
) -> String {
    let s = |x: &Expr| print_with(x, name);
    let mut out = String::from("(case");
    if let Some(o) = operand {
        out.push_str(&format!(" {}", s(o)));
    }
    for (w, t) in branches.iter() {
        out.push_str(&format!(" when {} then {}", s(w), s(t)));
    }
    if let Some(o) = otherwise {
        out.push_str(&format!(" else {}", s(o)));
    }
    out.push_str(" end)");
    out
}

/// The call `e` of a function or operator, as [`print_with`].
fn print_call(f: FuncId, a: &[Expr], e: &Expr, name: &dyn Fn(u16, u16) -> String) -> String {
    let s = |x: &Expr| print_with(x, name);
    let list = |l: &[Expr]| l.iter().map(s).collect::<Vec<_>>().join(",");
    match (f, a) {
        (FuncId::Neg | FuncId::BitNot, [x]) => format!("{}({})", f.name(), s(x)),
        (
            FuncId::Add
            | FuncId::Sub
            | FuncId::Mul
            | FuncId::Div
            | FuncId::IntDiv
            | FuncId::Mod
            | FuncId::BitAnd
            | FuncId::BitOr
            | FuncId::BitXor
            | FuncId::Shl
            | FuncId::Shr,
            [x, y],
        ) => format!("({} {} {})", s(x), f.name(), s(y)),
        (FuncId::InElements | FuncId::GroupItem(_), [x, ..]) => s(x),
        (FuncId::JsonMemberOf, [x, y]) => format!("{} member of ({})", s(x), s(y)),
        (FuncId::Widened, [x]) => format!("cast({} as char charset {})", s(x), e.ty.charset().name()),
        (FuncId::CastDate(_), [x]) => format!("cast({} as {:?})", s(x), e.ty.kind).to_lowercase(),
        (
            FuncId::CastSized(_) | FuncId::Collate | FuncId::InCharset | FuncId::TemporalNumber | FuncId::YearConstant,
            [x, ..],
        ) => s(x),
        (FuncId::NullIf, [Expr { kind: ExprKind::Compare { args, .. }, .. }]) => {
            format!("nullif({})", list(args.as_ref()))
        }
        _ => format!("{}({})", f.name(), list(a)),
    }
}

fn constant(v: &OwnedValue, e: &Expr) -> String {
    match v {
        OwnedValue::Null => "NULL".into(),
        OwnedValue::Str(b) => format!("'{}'", value::context::printable(b)),
        v => {
            let mut out = Vec::new();
            value::convert::to_text(v.as_value(), &e.ty, &mut out);
            let text = String::from_utf8_lossy(&out).into_owned();
            if e.ty.kind.is_temporal() { format!("'{text}'") } else { text }
        }
    }
}

type Cells = Vec<Option<String>>;

struct Explainer<'p> {
    plan: &'p Plan,
    out: Vec<Cells>,
    next_id: u32,
    pending: Vec<(&'p Node, &'static str, u32)>,
    /// Numbers of subqueries that semijoins materialize, and the slots of their tables.
    selects: Vec<u32>,
    made: HashMap<u16, u32>,
    /// Slots of the tables that rows show.
    row_slots: HashMap<usize, u16>,
    /// Rows of tables inside semijoins and antijoins.
    matched: Vec<usize>,
    /// Numbers of the first references of common table expressions, which show what these are made of.
    shared: HashMap<u32, u32>,
    /// Names of the base tables by slot, as far as they have been met.
    aliases: HashMap<u16, &'p str>,
    /// Slots of the tables that UPDATE or DELETE changes; its others are only read.
    targets: Vec<u16>,
    /// The statement changes one table that is read alone.
    lone: Option<change::Lone>,
    main: &'static str,
}

/// Rows of the traditional format, twelve cells each.
pub fn rows(plan: &Plan) -> Vec<Vec<Option<String>>> {
    let main = if plan.subqueries.is_empty() { "SIMPLE" } else { "PRIMARY" };
    let mut x = Explainer {
        plan,
        out: Vec::new(),
        next_id: 1,
        pending: Vec::new(),
        selects: Vec::new(),
        made: HashMap::new(),
        row_slots: HashMap::new(),
        matched: Vec::new(),
        shared: HashMap::new(),
        aliases: HashMap::new(),
        targets: Vec::new(),
        lone: change::lone(plan),
        main,
    };
    match &plan.body {
        Body::Select(q) => x.query(q, main, 1),
        Body::Insert(i) => {
            let name = plan.tables.get(i.table as usize).map(|t| t.def.name.clone());
            let mut c: Cells = vec![Some("1".into()), Some("INSERT".into()), name, None, Some("ALL".into())];
            c.resize(12, None);
            if i.on_duplicate == OnDuplicate::Replace
                && let Some(k) = c.get_mut(1)
            {
                *k = Some("REPLACE".into());
            }
            x.out.push(c);
            if let InsertSource::Select(q) = &i.source
                && !matches!(q.root, Node::Dual)
            {
                x.query(q, "SIMPLE", 1);
            }
        }
        Body::Update(u) => {
            x.targets = u.targets.iter().map(|t| t.slot).collect();
            x.node(&u.source, "UPDATE", 1, if u.order.is_empty() { "" } else { "Using filesort" });
        }
        Body::Delete(d) => {
            x.targets = d.targets.iter().map(|t| t.slot).collect();
            x.node(&d.source, "DELETE", 1, if d.order.is_empty() { "" } else { "Using filesort" });
        }
    }
    x.blocks();
    for s in &plan.subqueries {
        let id = x.next_select();
        let kind = match (s.correlated, s.volatile) {
            (true, _) => "DEPENDENT SUBQUERY",
            (false, true) => "UNCACHEABLE SUBQUERY",
            (false, false) => "SUBQUERY",
        };
        x.query(&s.query, kind, id);
        x.blocks();
    }
    x.out
}

impl<'p> Explainer<'p> {
    /// The blocks that tables of earlier ones are made of.
    fn blocks(&mut self) {
        while let Some((n, kind, id)) = self.pending.pop() {
            self.node(n, kind, id, "");
        }
    }

    fn query(&mut self, q: &'p QueryPlan, kind: &'static str, id: u32) {
        let kind = if has_derived(&q.root) && kind == "SIMPLE" { "PRIMARY" } else { kind };
        self.node(&q.root, kind, id, "");
    }

    fn push(&mut self, id: u32, kind: &str, table: Option<String>, rest: Cells) {
        let mut c = vec![Some(id.to_string()), Some(kind.to_owned()), table, None];
        c.extend(rest);
        c.resize(12, None);
        self.out.push(c);
    }

    fn extra_only(&mut self, id: u32, kind: &str, extra: &str) {
        self.push(id, kind, None, vec![None, None, None, None, None, None, None, Some(extra.to_owned())]);
    }

    fn node(&mut self, n: &'p Node, kind: &'static str, id: u32, above: &str) {
        let with = |s: &str| if above.is_empty() { s.to_owned() } else { format!("{above}; {s}") };
        match n {
            Node::Dual => self.extra_only(id, kind, "No tables used"),
            Node::Empty => self.extra_only(id, kind, "Impossible WHERE"),
            Node::Scan(s) => self.scan(s, kind, id, above, false),
            Node::Ends(_) => self.extra_only(id, kind, "Select tables optimized away"),
            Node::JsonTable(t) => {
                let extra = with("Table function: json_table");
                self.push(id, kind, Some(t.alias.to_string()), all_rows(Some(extra)));
            }
            Node::Virtual { alias, filter, .. } => {
                let extra = if filter.is_some() { with("Using where") } else { above.to_owned() };
                self.push(id, kind, Some(alias.to_string()), all_rows((!extra.is_empty()).then_some(extra)));
            }
            Node::Derived { slot, query, filter, shared, keep, .. } => {
                let sub = self.derived_select(*slot, query, shared.as_deref(), *keep);
                let extra = if filter.is_some() { with("Using where") } else { above.to_owned() };
                let rows = format!("{:.0}", query.rows.max(1.0));
                let mut cells = vec![Some("ALL".into()), None, None, None, None, Some(rows), Some("100.00".into())];
                cells.push((!extra.is_empty()).then_some(extra));
                self.push(id, kind, Some(format!("<derived{sub}>")), cells);
            }
            Node::Recursive { plan, .. } => {
                self.query(&plan.seed, kind, id);
                for q in &plan.members {
                    let id = self.next_select();
                    self.query(q, "UNION", id);
                }
            }
            Node::Working { .. } => self.extra_only(id, kind, "Recursive"),
            Node::Values { .. } => self.extra_only(id, kind, "No tables used"),
            Node::Filter { input, once: true, .. } => self.node(input, kind, id, above),
            Node::Filter { input, .. } => {
                let where_here = !matches!(input.as_ref(), Node::Aggregate { .. });
                let e = if where_here { with("Using where") } else { above.to_owned() };
                self.node(input, kind, id, &e);
            }
            Node::NestedLoop { kind: join, outer, inner, .. } | Node::HashJoin { kind: join, outer, inner, .. } => {
                self.node(outer, kind, id, above);
                self.inner_side(*join, inner, matches!(n, Node::HashJoin { .. }), kind, id);
            }
            Node::Unique { input, by, .. } => self.unique(input, by, kind, id, above),
            Node::Aggregate { input, group, streaming, .. } => {
                let e = if group.is_empty() || *streaming { above.to_owned() } else { with("Using temporary") };
                self.node(input, kind, id, &e);
            }
            Node::Sort { input, keys, .. } => {
                let ranked = !keys.is_empty() && fulltext::is_ranking(keys, input);
                let sort = if keys.is_empty() { "Using temporary" } else { "Using filesort" };
                let e = with(if ranked { "Ft_hints: sorted" } else { sort });
                self.node(input, kind, id, &e);
            }
            Node::Window { input, plan, .. } => {
                let mut e = if above.contains("Using temporary") { above.to_owned() } else { with("Using temporary") };
                if !plan.keys.is_empty() && !e.contains("Using filesort") {
                    e.push_str("; Using filesort");
                }
                self.node(input, kind, id, &e);
            }
            Node::Distinct { input, .. } => {
                let e = with("Using temporary");
                self.node(input, kind, id, &e);
            }
            Node::Limit { input, .. } => self.node(input, kind, id, above),
            Node::SetOp { first, rest, .. } => self.set_operation(first, rest, kind, id, above),
        }
    }

    /// The number of a derived table's block, which is explained later, once if it is shared.
    fn derived_select(&mut self, slot: SlotId, query: &'p QueryPlan, shared: Option<&'p Shared>, keep: Keep) -> u32 {
        let mut sub = self.next_select();
        self.row_slots.insert(self.out.len(), slot);
        let first = shared.map(|s| *self.shared.entry(s.id).or_insert(sub));
        match first {
            Some(first) if first != sub => sub = first,
            _ => {
                let kind = if keep == Keep::Statement { "DERIVED" } else { "DEPENDENT DERIVED" };
                self.pending.push((&query.root, kind, sub));
            }
        }
        sub
    }

    /// The second side of a join.
    fn inner_side(&mut self, join: JoinKind, inner: &'p Node, hash: bool, kind: &'static str, id: u32) {
        let (last, from) = (self.last_table(), self.out.len());
        match inner {
            Node::Scan(s) => self.scan(s, kind, id, "", hash),
            n => self.node(n, kind, id, ""),
        }
        match (join, last) {
            (JoinKind::Semi, Some(t)) => {
                self.add_extra(self.out.len().saturating_sub(1), &format!("FirstMatch({t})"));
            }
            (JoinKind::Anti, _) => self.add_extra(from, "Not exists"),
            _ => {}
        }
        if matches!(join, JoinKind::Semi | JoinKind::Anti) {
            self.matched.extend(from..self.out.len());
        }
    }

    /// UNION, INTERSECT and EXCEPT: the blocks, and the temporary table of the result.
    fn set_operation(
        &mut self,
        first: &'p QueryPlan,
        rest: &'p [(SetOpKind, QueryPlan)],
        kind: &'static str,
        id: u32,
        above: &str,
    ) {
        let first_kind = if kind == "SIMPLE" { "PRIMARY" } else { kind };
        self.query(first, first_kind, id);
        let mut ids = vec![id];
        for (_, q) in rest {
            let id = self.next_select();
            ids.push(id);
            self.query(q, "UNION", id);
        }
        if rest.iter().any(|r| r.0 != SetOpKind::UnionAll) || !above.is_empty() {
            let name = ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            let mut c: Cells =
                vec![None, Some("UNION RESULT".into()), Some(format!("<union{name}>")), None, Some("ALL".into())];
            c.resize(11, None);
            c.push(Some(if above.is_empty() { "Using temporary".into() } else { format!("{above}; Using temporary") }));
            self.out.push(c);
        }
    }

    fn scan(&mut self, s: &'p Scan, kind: &str, id: u32, above: &str, hash: bool) {
        let Some(def) = self.plan.tables.get(s.table as usize).map(|t| &t.def) else { return };
        self.aliases.insert(s.slot, &s.alias);
        self.row_slots.insert(self.out.len(), s.slot);
        let changed = id > 1 || self.targets.is_empty() || self.targets.contains(&s.slot);
        let kind = if changed { kind } else { self.main };
        let ix = def.indexes.get(s.index as usize);
        let access = access_type(s);
        let used: usize = match &s.access {
            Access::Full => ix.map_or(0, |i| if access == "index" { i.parts.len() } else { 0 }),
            Access::Point(k) => k.len(),
            Access::Ranges(a) => a.iter().map(Vec::len).max().unwrap_or(0),
            Access::Merge { .. } => 0,
        };
        let used = if s.loose > 0 { ix.map_or(0, |i| i.parts.len()) } else { used };
        let key_len: u32 = ix.iter().flat_map(|i| i.parts.iter().take(used)).map(|p| part_len(def, p)).sum();
        let name = |i: usize| def.indexes.get(i).map_or(String::new(), |i| i.name.clone());
        let possible = s.possible.iter().map(|i| name(*i as usize)).collect::<Vec<_>>().join(",");
        let mut key = (used > 0).then(|| name(s.index as usize));
        let mut key_len = (used > 0).then(|| key_len.to_string());
        let merged = self::index_merge::text(s, def);
        if let Some(m) = &merged {
            key = Some(m.keys.clone());
            key_len = Some(m.lengths.clone());
        }
        let refs = self.refs(s, access, id);
        let mut row = fulltext::Cells { access: access.into(), possible, key, key_len, refs, rows: s.rows };
        fulltext::change(s, self.plan, &mut row);
        let lone = self.lone.take();
        if let Some(l) = &lone {
            l.cells(s, def, used, &mut row);
        }
        let fulltext::Cells { access, possible, key, key_len, refs, rows } = row;
        let row_access = access.clone();
        let mut extra: Vec<&str> = merged.iter().map(|m| m.extra.as_str()).collect();
        extra.extend(how_read(s, &row_access, hash));
        if let Some(l) = &lone {
            l.extra(s, &row_access, &mut extra);
        }
        let mut text = extra.join("; ");
        if !above.is_empty() {
            let rest: Vec<&str> = above.split("; ").filter(|a| !extra.contains(a)).collect();
            if !rest.is_empty() {
                text = if text.is_empty() { rest.join("; ") } else { format!("{text}; {}", rest.join("; ")) };
            }
        }
        let text = in_order(&text);
        let selectivity = if lone.is_some() { 1.0 } else { s.selectivity };
        let filtered = format!("{:.2}", (selectivity * 100.0).clamp(0.01, 100.0));
        self.push(
            id,
            kind,
            Some(s.alias.to_string()),
            vec![
                Some(access),
                (!possible.is_empty()).then_some(possible),
                key,
                key_len,
                refs,
                Some(format!("{:.0}", rows.max(1.0))),
                Some(filtered),
                (!text.is_empty()).then_some(text),
            ],
        );
    }

    /// The column `ref`: what the parts of the key are compared with.
    fn refs(&self, s: &Scan, access: &str, id: u32) -> Option<String> {
        match &s.access {
            Access::Point(k) => Some(k.iter().map(|e| self.ref_name(e, id)).collect::<Vec<_>>().join(",")),
            Access::Ranges(a) if access == "ref" => a.first().map(|c| {
                let name = |c: &PartCond| match c {
                    PartCond::Eq { value, .. } => self.ref_name(value, id),
                    _ => String::new(),
                };
                c.iter().map(name).collect::<Vec<_>>().join(",")
            }),
            _ => None,
        }
    }

    /// What stands in `ref` of a table of block `id`.
    fn ref_name(&self, e: &Expr, id: u32) -> String {
        match &e.kind {
            ExprKind::Column { slot, column } => match self.plan.slots.get(*slot as usize) {
                Some(crate::plan::SlotDef::Table(t)) => {
                    let t = self.plan.tables.get(*t as usize);
                    let c = t.and_then(|t| t.def.columns.get(*column as usize));
                    match (t, c) {
                        (Some(_), Some(c)) if self.made.get(slot).is_some_and(|n| *n != id) => {
                            format!("<subquery{}>.{}", self.made.get(slot).copied().unwrap_or_default(), c.name)
                        }
                        (Some(t), Some(c)) => {
                            let name = self.aliases.get(slot).copied().unwrap_or(t.def.name.as_str());
                            format!("{}.{name}.{}", t.def.schema, c.name)
                        }
                        _ => "func".into(),
                    }
                }
                _ => "func".into(),
            },
            _ if e.is_const() => "const".into(),
            _ => "func".into(),
        }
    }
}

/// What stands in Extra, in MySQL's order.
fn in_order(extra: &str) -> String {
    const LAST: [&str; 7] = [
        "Using temporary",
        "Using filesort",
        "LooseScan",
        "Start temporary",
        "End temporary",
        "FirstMatch(",
        "Using join buffer (hash join)",
    ];
    let mut words: Vec<&str> = extra.split("; ").collect();
    words.sort_by_key(|w| LAST.iter().position(|l| w.starts_with(l)).map_or(0, |i| i + 1));
    words.join("; ")
}

/// What `Extra` says of how a table is read.
fn how_read(s: &Scan, access: &str, hash: bool) -> Vec<&'static str> {
    let mut extra = Vec::new();
    if s.pushed.is_some() || (s.icp && access == "range") {
        extra.push("Using index condition");
    }
    if s.filter.is_some() || (access == "range" && !s.icp) {
        extra.push("Using where");
    }
    if s.loose > 0 {
        extra.push("Using index for group-by");
    } else if s.access.skipped().is_some() {
        extra.push("Using index for skip scan");
    } else if s.covering {
        extra.push("Using index");
    }
    if hash {
        extra.push("Using join buffer (hash join)");
    }
    if s.reverse && !matches!(s.access, Access::Point(_)) {
        extra.push("Backward index scan");
    }
    extra
}

/// EXPLAIN's `type` of a scan.
fn access_type(s: &Scan) -> &'static str {
    match &s.access {
        Access::Full | Access::Ranges(_) if s.loose > 0 => "range",
        Access::Full if s.index != 0 || s.ordered => "index",
        Access::Full => "ALL",
        Access::Merge { .. } => "index_merge",
        Access::Point(_) if s.dependent => "eq_ref",
        Access::Point(_) => "const",
        Access::Ranges(alts) => match alts.as_slice() {
            [conds] if conds.iter().all(|c| matches!(c, PartCond::Eq { .. })) => "ref",
            _ => "range",
        },
    }
}

/// Bytes of an index's keys as EXPLAIN's key_len counts them.
pub fn index_bytes(def: &TableDef, ix: &storage::dict::IndexDef) -> u32 {
    ix.parts.iter().map(|p| part_len(def, p)).sum()
}

/// Bytes of a key part as EXPLAIN's key_len counts them.
fn part_len(def: &TableDef, p: &storage::dict::IndexPart) -> u32 {
    let Some(c) = def.columns.get(p.column as usize) else { return 0 };
    let t = c.elements.as_ref().unwrap_or(&c.ty);
    let length = if t.kind.is_string() && !matches!(t.kind, TypeKind::Char | TypeKind::Binary) { 2 } else { 0 };
    let n = key_bytes(t, p.prefix.into()).saturating_add(length);
    // whole columns of a FULLTEXT index have no such limit
    n.min(u32::from(u16::MAX)) + u32::from(t.nullable)
}

/// Bytes of a value of this type in MySQL's keys; of so many characters if `prefix` is not 0.
pub fn key_bytes(t: &value::SqlType, prefix: u32) -> u32 {
    match t.kind {
        TypeKind::TinyInt | TypeKind::Year => 1,
        TypeKind::SmallInt => 2,
        TypeKind::MediumInt | TypeKind::Date => 3,
        TypeKind::Int | TypeKind::Float => 4,
        TypeKind::BigInt | TypeKind::Double => 8,
        TypeKind::Timestamp => 4 + t.decimals.div_ceil(2) as u32,
        TypeKind::DateTime => 5 + t.decimals.div_ceil(2) as u32,
        TypeKind::Time => 3 + t.decimals.div_ceil(2) as u32,
        TypeKind::Decimal => value::decimal::binary_size(t.length as u8, t.decimals) as u32,
        TypeKind::Enum | TypeKind::Set => 1,
        TypeKind::Bit => t.length.div_ceil(8),
        k if k.is_string() => {
            let chars = if prefix > 0 { prefix } else { t.length };
            if t.is_character() { chars.saturating_mul(t.charset().max_len() as u32) } else { chars }
        }
        _ => 0,
    }
}

fn has_derived(n: &Node) -> bool {
    match n {
        Node::Derived { .. } => true,
        Node::Filter { input, .. }
        | Node::Sort { input, .. }
        | Node::Distinct { input, .. }
        | Node::Unique { input, .. }
        | Node::Limit { input, .. }
        | Node::Window { input, .. }
        | Node::Aggregate { input, .. } => has_derived(input),
        Node::NestedLoop { outer, inner, .. } | Node::HashJoin { outer, inner, .. } => {
            has_derived(outer) || has_derived(inner)
        }
        _ => false,
    }
}
