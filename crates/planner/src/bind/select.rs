//! A query block: FROM and WHERE, the select list and the clauses behind it, then the plan, from the joined tables up to LIMIT.
//!
//! A block is bound a second time where conditions can move into its FROM ([`super::pushdown`]). The items themselves and the keys of
//! ORDER BY are bound in [`super::items`].

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, LitValue, SelectItem};
use value::TypeKind;

use super::functional_dependency::Grouped;
use super::items::position;
use super::pushdown::{Clauses, Step};
use super::query::{BoundQuery, OrderKey};
use super::scope::Clause;
use super::semi::SemiPart;
use super::through_temporary::Moved;
use super::window::{BoundCall, BoundWindow, Over};
use super::{Binder, Scope};
use crate::block::OutColumn;
use crate::block::needed_columns;
use crate::block::{Job, Joined, Wanted};
use crate::block::{JoinTree, Leaf, LeafKind, Locks};
use crate::expr::{AggCall, AggFunc, Expr, ExprKind};
use crate::plan::{LockMode, Node, QueryPlan};

/// What a block is bound with besides its text.
struct Entry {
    moot: bool,
    member: bool,
    hidden: (Vec<super::duplicate::Name>, Vec<super::duplicate::Name>),
    split: bool,
    probe: Option<super::probe::Wanted>,
    asked: Option<super::pushdown::Asked>,
    /// It has been bound before.
    again: bool,
}

impl Entry {
    /// Whether the block may be bound a second time.
    fn is_plain(&self) -> bool {
        self.hidden.0.is_empty() && self.hidden.1.is_empty() && !self.split && self.probe.is_none()
    }
}

/// FROM and the subqueries of WHERE that became joins, with the locks of the tables.
struct From {
    tree: Option<JoinTree>,
    leaves: Vec<Leaf>,
    semi: Vec<SemiPart>,
    locks: Locks,
    straight: bool,
}

/// The clauses of a block, bound.
struct Block {
    items: Vec<Expr>,
    columns: Vec<OutColumn>,
    group: Vec<Expr>,
    having: Option<Expr>,
    order: Vec<OrderKey>,
    aggs: Vec<AggCall>,
    windows: Vec<BoundWindow>,
    calls: Vec<BoundCall>,
    conds: Vec<Expr>,
    /// How many items tell rows of DISTINCT apart.
    listed: usize,
    /// Groups or DISTINCT rows are wanted in the order of ORDER BY ([`super::early`]).
    early: bool,
    /// Items that are sent as YEAR.
    years: Vec<bool>,
    aggregated: bool,
    any_values: bool,
}

impl Block {
    fn over(&self) -> Over<'_> {
        Over { windows: &self.windows, calls: &self.calls }
    }

    /// Expressions that are evaluated on the groups' rows.
    fn upper(&mut self) -> Vec<&mut Expr> {
        let mut upper: Vec<&mut Expr> = self.items.iter_mut().chain(self.having.as_mut()).collect();
        upper.extend(self.order.iter_mut().map(|k| &mut k.expr));
        upper.extend(self.calls.iter_mut().flat_map(|c| c.args.iter_mut()));
        for w in &mut self.windows {
            upper.extend(w.partition.iter_mut().chain(w.order.iter_mut().map(|o| &mut o.0)));
        }
        upper
    }

    /// Everything that reads columns.
    fn roots(&self) -> Vec<&Expr> {
        let mut roots: Vec<&Expr> = self.items.iter().collect();
        roots.extend(self.having.iter());
        roots.extend(self.order.iter().map(|k| &k.expr));
        roots.extend(self.group.iter());
        roots.extend(self.aggs.iter().flat_map(|a| a.args.iter().chain(a.order.iter().map(|o| &o.0))));
        roots.extend(self.conds.iter());
        roots.extend(self.over().exprs());
        roots
    }
}

/// The order in which the clauses behind WHERE would like to get their rows.
fn wanted_order(s: &ast::Select<'_>, q: &ast::QueryExpr<'_>, leaves: &[Leaf], no_semi: bool, b: &mut Block) -> Wanted {
    if !b.calls.is_empty() && !b.aggregated {
        return Wanted::default();
    }
    if b.aggregated || s.options.distinct {
        let loose = if no_semi && b.listed == b.items.len() {
            super::loose_scan::wanted(s, leaves, &b.conds, &b.items, &b.group, &b.aggs, &b.order)
        } else {
            None
        };
        let keys = if b.aggregated { b.group.as_slice() } else { b.items.get(..b.listed).unwrap_or_default() };
        let plain = !s.rollup && b.calls.is_empty() && !(b.aggregated && s.options.distinct);
        let early = if plain { super::early::order(keys, &b.order, q.limit.is_some()) } else { None };
        if let Some(order) = early {
            b.early = true;
            // of groups; HAVING turns some of them down
            let limit = q.limit.is_some().then(|| limit_rows(q.limit) * if b.having.is_some() { 4.0 } else { 1.0 });
            return Wanted { order, limit, loose, ..Wanted::default() };
        }
        let by: Vec<(Expr, bool)> = match &loose {
            Some(l) if !b.aggregated && b.conds.is_empty() => l.group.iter().map(|g| (g.clone(), false)).collect(),
            _ if b.aggregated => b.group.iter().map(|g| (g.clone(), false)).collect(),
            _ => Vec::new(),
        };
        return Wanted { order: by, grouping: true, loose, ..Wanted::default() };
    }
    let by = b.order.iter().map(|k| (k.expr.clone(), k.desc)).collect();
    let limit = q.limit.is_some().then(|| limit_rows(q.limit));
    Wanted { order: by, limit, ..Wanted::default() }
}

impl<'a> Binder<'a, '_> {
    /// 1234 for an option of the whole statement at another block than its first.
    fn check_options(&self, s: &ast::Select<'a>) -> SqlResult<()> {
        let o = &s.options;
        // the text of a view is a statement of its own
        if self.st.outermost == 0 || self.view_schema.is_some() || self.st.outermost == std::ptr::from_ref(s).addr() {
            return Ok(());
        }
        let options = [
            (o.high_priority, "HIGH_PRIORITY"),
            (o.buffer_result, "SQL_BUFFER_RESULT"),
            (o.calc_found_rows, "SQL_CALC_FOUND_ROWS"),
        ];
        match options.iter().find(|(on, _)| *on) {
            Some((_, name)) => Err(SqlError::new(ErrorCode::CANT_USE_OPTION_HERE, &[name])),
            None => Ok(()),
        }
    }

    pub(super) fn select(&mut self, s: &ast::Select<'a>, q: &ast::QueryExpr<'a>) -> SqlResult<BoundQuery> {
        self.check_options(s)?;
        let _traced = crate::trace::enter(self.sql, s.span.start as usize);
        let entry = Entry {
            moot: std::mem::take(&mut self.st.moot_order) && q.limit.is_none(),
            member: std::mem::take(&mut self.st.member) && q.limit.is_none(),
            hidden: self.source.take_hidden(),
            split: matches!(std::mem::take(&mut self.split), super::keyed_subquery::Split::Wanted),
            probe: self.probing.take(),
            asked: self.st.asked.take(),
            again: false,
        };
        let outside = (std::mem::take(&mut self.requests), std::mem::take(&mut self.answers));
        let any_list = std::mem::take(&mut self.st.exists) && s.having.is_none();
        self.scopes.push(Scope { any_list, ..Scope::block() });
        let bound = self.select_steps(s, q, entry);
        let correlated = self.scopes.pop().is_some_and(|s| s.correlated);
        (self.requests, self.answers) = outside;
        let mut bound = bound?;
        if s.qualify.is_some() {
            return Err(SqlError::new(ErrorCode::SUPPORTED_ONLY_WITH_HYPERGRAPH, &[&"QUALIFY clause"]));
        }
        if s.secondary {
            let why = "Reason: \"No secondary engine defined for at least one of the query tables\"";
            return Err(SqlError::new(ErrorCode::SECONDARY_ENGINE, &[&why]));
        }
        bound.correlated = correlated;
        Ok(bound)
    }

    /// Binds a block in the scope that was made for it, a second time if conditions can move into its FROM.
    fn select_steps(&mut self, s: &ast::Select<'a>, q: &ast::QueryExpr<'a>, mut entry: Entry) -> SqlResult<BoundQuery> {
        let mark = super::merge_derived::Mark::of(self);
        let hints = self.draft.table_hints.clone();
        match self.select_in_scope(s, q, &entry)? {
            Step::Bound(b) => return Ok(*b),
            Step::Again(requests) => {
                mark.restore(self);
                self.draft.table_hints = hints;
                let scope = self.scope()?;
                *scope = Scope { correlated: scope.correlated, ..Scope::block() };
                self.requests = requests;
            }
        }
        entry.again = true;
        match self.select_in_scope(s, q, &entry)? {
            Step::Bound(b) => Ok(*b),
            Step::Again(_) => Err(SqlError::unsupported("a block that is bound a third time")),
        }
    }

    fn select_in_scope(&mut self, s: &ast::Select<'a>, q: &ast::QueryExpr<'a>, entry: &Entry) -> SqlResult<Step> {
        self.draft.check_interrupt()?;
        self.answers.clear();
        let (mut locks, mut leaves) = (Locks::new(q.locking), Vec::new());
        let tree = self.tables(s, q, &mut locks, &mut leaves)?;
        let (fixed, hinted) = self.hints(s.span.start as usize, s.hints, &mut leaves)?;
        let (mut conds, mut semi) = (Vec::new(), Vec::new());
        if let Some(w) = s.where_clause {
            self.scope()?.clause = Some(Clause::Where);
            semi = self.where_clause(w, &leaves, !entry.split, &mut conds)?;
            if !semi.is_empty() {
                locks.confine(&leaves);
            }
        }
        let mut b = self.block(s, q, conds)?;
        // groups that nothing is said of are their rows, as MySQL has it
        if entry.member && b.having.is_none() && b.aggs.is_empty() && b.calls.is_empty() && !s.rollup {
            b.group.clear();
        }
        self.settle_any_values(s, entry, &mut b)?;
        if let Some(wanted) = entry.probe.clone() {
            let aggregated = b.aggregated || !b.calls.is_empty();
            self.add_probe(wanted, &b.items, aggregated, &mut b.conds);
        }
        self.settle_items(s, q, entry, &mut b)?;
        self.check_full_group(s, entry, &b, &leaves, tree.as_ref())?;
        let nested = !self.scopes.is_empty() && self.st.outermost != std::ptr::from_ref(s).addr();
        let within = (nested && !s.rollup).then(|| {
            let grouped = Grouped { items: &b.items, over: &b.over(), group: &b.group, aggregated: b.aggregated };
            self.within(&grouped, &b.conds, &leaves, tree.as_ref())
        });
        let mut answer = Vec::new();
        if let Some(asked) = &entry.asked {
            let clauses = Clauses {
                items: &b.items,
                group: &b.group,
                aggregated: b.aggregated,
                rollup: s.rollup,
                distinct: s.options.distinct,
                windows: &b.windows,
                calls: &b.calls,
            };
            answer = self.take_asked(asked, &clauses, &leaves, &mut b.conds, &mut b.having)?;
        }
        if entry.again {
            self.remove_moved(tree.as_ref(), &leaves, &mut b.conds);
        } else if entry.is_plain()
            && let Some(requests) = self.requests(tree.as_ref(), &leaves, &b.conds)
        {
            return Ok(Step::Again(requests));
        }
        if !b.aggregated && b.group.is_empty() && b.calls.is_empty() && !s.options.distinct {
            self.sort_by_generated(&mut b.order, &leaves)?;
        }
        self.hinted = hinted;
        let from = From { tree, leaves, semi, locks, straight: s.options.straight_join || fixed };
        let joined = self.join_block(s, q, from, &mut b)?;
        let (plan, columns, through) = self.finish(s, q, joined, b)?;
        self.st.answer = answer;
        Ok(Step::Bound(Box::new(BoundQuery {
            plan,
            columns,
            correlated: false,
            calc_found_rows: s.options.calc_found_rows,
            through,
            within,
        })))
    }

    /// FROM, with the rights and locks of its tables.
    fn tables(
        &mut self,
        s: &ast::Select<'a>,
        q: &ast::QueryExpr<'a>,
        locks: &mut Locks,
        leaves: &mut Vec<Leaf>,
    ) -> SqlResult<Option<JoinTree>> {
        let was_locking = std::mem::replace(&mut self.st.locking, !q.locking.is_empty());
        self.scope()?.merges = self.merges(s.span.start as usize, s.hints);
        let tree = self.from(s.from, leaves);
        self.st.locking = was_locking;
        self.requests.clear();
        let tree = tree?;
        locks.resolve(self.scope()?, leaves)?;
        self.no_locked_views(locks, leaves)?;
        self.note_updates(locks, leaves)?;
        self.grant_tables(locks, leaves);
        Ok(tree)
    }

    /// Notes the tables and views of FOR UPDATE, whose locks need a privilege.
    fn note_updates(&mut self, locks: &Locks, leaves: &[Leaf]) -> SqlResult<()> {
        let mut views = Vec::new();
        for c in locks.clauses.iter().filter(|c| c.mode == LockMode::Update) {
            let meant = |alias: &String| c.of.as_ref().is_none_or(|of| of.contains(alias));
            views.extend(self.scope()?.tables.iter().filter(|t| meant(&t.alias)).filter_map(|t| t.view));
        }
        for at in views {
            if let Some(v) = self.draft.views.get_mut(at) {
                v.for_update = true;
            }
        }
        for l in leaves.iter().filter(|l| locks.of(l.slot).0 == LockMode::Update) {
            if let LeafKind::Base { table, .. } = l.kind
                && let Some(u) = self.draft.tables.get_mut(table as usize)
            {
                u.for_update = true;
            }
        }
        Ok(())
    }

    /// The select list and the clauses behind it. Expressions of those must be recognised as those of the select list, literals included.
    fn block(&mut self, s: &ast::Select<'a>, q: &ast::QueryExpr<'a>, conds: Vec<Expr>) -> SqlResult<Block> {
        {
            let scope = self.scope()?;
            scope.clause = Some(Clause::Fields);
            scope.agg_ok = true;
        }
        let pinning = std::mem::replace(&mut self.pinning, true);
        self.scope()?.written = written_aliases(s.items);
        let list = self.define_windows(s.windows).and_then(|()| {
            self.scope()?.win_ok = true;
            let list = self.select_list(s.items);
            self.scope()?.win_ok = false;
            list
        });
        let (mut items, columns) = match list {
            Ok(l) => l,
            Err(e) => {
                self.pinning = pinning;
                return Err(e);
            }
        };
        self.part_rolled_up(s, &mut items, &columns)?;
        let aliases = items.iter().zip(&columns).map(|(e, c)| (c.name.clone(), e.clone())).collect();
        self.scope()?.aliases = aliases;
        let clauses = self.bind_clauses(s, q, &items, &columns);
        self.pinning = pinning;
        let (group, having, order) = clauses?;
        let scope = self.scope()?;
        let aggs = std::mem::take(&mut scope.aggs);
        let (windows, calls) = (std::mem::take(&mut scope.windows), std::mem::take(&mut scope.wins));
        let listed = items.len();
        Ok(Block {
            items,
            columns,
            group,
            having,
            order,
            aggs,
            windows,
            calls,
            conds,
            listed,
            early: false,
            aggregated: false,
            any_values: false,
            years: Vec::new(),
        })
    }

    /// ANY_VALUE() without groups and other aggregates is the row's own value. Afterwards it is known whether the block aggregates.
    fn settle_any_values(&mut self, s: &ast::Select<'a>, entry: &Entry, b: &mut Block) -> SqlResult<()> {
        let full_group = self.mode.has(value::SqlMode::ONLY_FULL_GROUP_BY);
        b.any_values = b.group.is_empty() && !b.aggs.is_empty() && b.aggs.iter().all(|a| a.func == AggFunc::AnyValue);
        if b.any_values {
            if s.options.distinct && full_group && !entry.moot {
                self.check_distinct(&b.items, &b.over(), &b.order, &b.aggs)?;
            }
            let aggs = std::mem::take(&mut b.aggs);
            self.plain_any_values(&aggs, b.upper());
        }
        let upper = b.items.iter().chain(b.having.iter()).chain(b.order.iter().map(|k| &k.expr));
        super::group::check_grouping(upper, &b.group, s.rollup)?;
        b.aggregated = !b.group.is_empty() || !b.aggs.is_empty();
        Ok(())
    }

    /// Digits of the items, items that others asked for, and the order that is left to make.
    fn settle_items(
        &mut self,
        s: &ast::Select<'a>,
        q: &ast::QueryExpr<'a>,
        entry: &Entry,
        b: &mut Block,
    ) -> SqlResult<()> {
        let table = s.options.distinct || s.options.buffer_result || !b.calls.is_empty();
        let grouped = !b.group.is_empty();
        for e in b.items.iter_mut().filter(|e| table || grouped && !has_aggregate(e)) {
            e.ty.own_digits = false;
        }
        // a YEAR is sent as a number unless it comes from a table
        let year = |e: &Expr| e.ty.kind == TypeKind::Year && !matches!(e.kind, ExprKind::Column { .. });
        b.years = b.items.iter().map(|e| !table && !grouped && year(e)).collect();
        if entry.split
            && b.aggregated
            && !grouped
            && let Some(inner) = self.split_conditions(&mut b.conds)
        {
            for e in inner {
                b.columns.push(OutColumn { name: String::new(), ty: e.ty.clone(), origin: None });
                b.items.push(e.clone());
                b.group.push(e);
            }
        }
        // hidden items tell no rows apart: they have the values of the first one
        b.listed = b.items.len();
        self.hidden_items(&entry.hidden, b.aggregated, &mut b.items, &mut b.columns)?;
        if b.aggregated && b.group.is_empty() {
            b.order.clear(); // one row
        }
        if q.order_by.is_empty() && !b.aggregated && !s.options.distinct && b.having.is_none() {
            b.order = self.scope()?.inherited_keys(&b.items);
            if b.order.is_empty() {
                let by_rank = |expr| OrderKey { expr, desc: true, item: None, named: Vec::new() };
                b.order.extend(self.ranking(&b.conds).map(by_rank));
            }
        }
        Ok(())
    }

    /// ONLY_FULL_GROUP_BY.
    fn check_full_group(
        &mut self,
        s: &ast::Select<'a>,
        entry: &Entry,
        b: &Block,
        leaves: &[Leaf],
        tree: Option<&JoinTree>,
    ) -> SqlResult<()> {
        if !self.mode.has(value::SqlMode::ONLY_FULL_GROUP_BY) {
            return Ok(());
        }
        let over = b.over();
        // groups that the select list tells apart are distinct as they are
        let needless = b.aggregated && !s.rollup && b.group.iter().all(|g| b.items.iter().any(|i| i.alike(g)));
        if s.options.distinct && !needless && !b.any_values && !entry.moot {
            self.check_distinct(&b.items, &over, &b.order, &b.aggs)?;
        }
        if b.aggregated {
            let order = if entry.moot { &[] } else { b.order.as_slice() };
            // the groups of ROLLUP's totals determine nothing
            let conds = (!s.rollup).then_some(b.conds.as_slice());
            self.check_group(&b.items, &over, b.having.as_ref(), order, &b.group, conds, leaves, tree)?;
        }
        Ok(())
    }

    /// The joined tables, in an order that serves the clauses behind WHERE where one does. What a merged query has in its WHERE is said of
    /// the whole block, also where its table is the only one.
    fn join_block(
        &mut self,
        s: &ast::Select<'a>,
        q: &ast::QueryExpr<'a>,
        from: From,
        b: &mut Block,
    ) -> SqlResult<Joined> {
        let From { tree, mut leaves, semi, locks, straight } = from;
        let tree = tree.map(|t| super::from::hoisted(t, &mut b.conds));
        let lone = b.aggregated && b.group.is_empty() && semi.is_empty();
        let mut wanted = wanted_order(s, q, &leaves, semi.is_empty(), b);
        if b.early && wanted.limit.is_some() {
            let rows = self.rows_of_group(&leaves, &wanted.order);
            wanted.limit = wanted.limit.map(|groups| groups * rows);
        }
        let tree = tree.map(|t| super::semi::joined(t, semi, &mut leaves));
        let needed = needed_columns::columns(&self.draft, &b.roots(), tree.as_ref());
        let ends = if lone { self.ends(&leaves, &b.conds, &b.aggs, &locks, &needed)? } else { None };
        if let Some(joined) = ends {
            return Ok(joined);
        }
        let mut at_end = false;
        if lone
            && !s.options.distinct
            && let Some(w) = super::min_max::wanted(&leaves, &mut b.conds, &b.aggs)
        {
            (wanted, at_end) = (w, true);
        }
        let conds = std::mem::take(&mut b.conds);
        let hinted = std::mem::take(&mut self.hinted);
        let mut joined = self.plan_joins(Job {
            tree,
            leaves,
            conds,
            wanted: &wanted,
            locks: &locks,
            needed: &needed,
            straight,
            hinted,
        })?;
        if at_end && joined.ordered {
            // MIN or MAX: the first row in the index's order has it
            joined.node = Node::Limit { input: Box::new(joined.node), offset: None, count: super::min_max::one() };
            joined.rows = 1.0;
        }
        joined.ordered &= !at_end;
        Ok(joined)
    }

    /// What is done with the rows of the joined tables: groups, HAVING, windows, DISTINCT, ORDER BY, LIMIT.
    fn finish(
        &mut self,
        s: &ast::Select<'a>,
        q: &ast::QueryExpr<'a>,
        joined: Joined,
        mut b: Block,
    ) -> SqlResult<(QueryPlan, Vec<OutColumn>, Vec<Moved>)> {
        let Joined { node: mut root, mut rows, cost, mut ordered } = joined;
        let behind = super::through_temporary::Behind {
            select: s,
            items: &b.items,
            group: &b.group,
            order: &b.order,
            aggregated: b.aggregated,
            windows: !b.calls.is_empty(),
            ordered,
        };
        let through = self.moved_columns(&root, &behind);
        if b.aggregated {
            (root, rows) = self.aggregate_block(s, root, rows, ordered, &mut b)?;
            ordered &= b.early;
        }
        let plain = !b.aggregated && b.calls.is_empty() && !s.options.distinct;
        let Block { mut items, mut columns, having, mut order, mut windows, calls, listed, years, early, .. } = b;
        if let Some(mut h) = having {
            self.draft.hoist(&mut h);
            root = Node::Filter { input: Box::new(root), cond: h, once: false };
        }
        if !calls.is_empty() {
            for e in windows.iter_mut().flat_map(|w| w.partition.iter_mut().chain(w.order.iter_mut().map(|o| &mut o.0)))
            {
                *e = self.kept(e.clone());
            }
            root = self.window_nodes(root, &windows, calls, &mut items, &mut order)?;
            ordered = false;
        }
        for ((c, e), year) in columns.iter_mut().zip(&mut items).zip(years) {
            c.ty.own_digits = if c.ty.kind == TypeKind::Year { year } else { e.ty.own_digits };
            self.draft.hoist_value(e);
        }
        if s.options.distinct && order.iter().all(|k| k.item.is_some()) && !items.iter().all(|e| self.is_steady(e)) {
            // what is another value each time is computed once: MySQL compares the rows of a temporary table
            (root, items) = self.sort(root, &items, Vec::new(), None, false)?;
        }
        if s.options.distinct {
            let exprs = items.iter().take(listed).map(|e| self.kept(e.clone())).collect();
            ordered &= early;
            root = Node::Distinct { input: Box::new(root), exprs, streaming: ordered };
        }
        if !order.is_empty() && !ordered {
            (root, items) = self.sort(root, &items, order, q.limit, plain)?;
        }
        root = self.limit(root, q.limit)?;
        let direct = direct_columns(&root, &items);
        Ok((QueryPlan { root, items, into_vars: vec![], direct, rows, cost }, columns, through))
    }

    /// Groups and aggregates over the joined tables; what stands above reads their slot afterwards.
    fn aggregate_block(
        &mut self,
        s: &ast::Select<'a>,
        root: Node,
        rows: f64,
        ordered: bool,
        b: &mut Block,
    ) -> SqlResult<(Node, f64)> {
        let (group, aggs) = (std::mem::take(&mut b.group), std::mem::take(&mut b.aggs));
        let (node, rows) = self.aggregate_node(root, group, aggs, b.upper(), ordered, s.rollup, rows)?;
        if s.rollup {
            // an aggregate that is never NULL is none in the super-aggregate rows either
            let total = |e: &Expr| {
                matches!((&node, &e.kind), (Node::Aggregate { slot: of, group, aggs, .. }, ExprKind::Column { slot, column })
                if of == slot && (group.len()..group.len() + aggs.len()).contains(&(*column as usize)))
            };
            // a group's value is an expression's: NULL in some rows
            let value = |e: &Expr| {
                matches!((&node, &e.kind), (Node::Aggregate { slot: of, group, .. }, ExprKind::Column { slot, column })
                if of == slot && (*column as usize) < group.len())
            };
            for (c, e) in b.columns.iter_mut().zip(&b.items).filter(|(_, e)| !total(e)) {
                c.ty.nullable = true;
                if value(e) {
                    c.origin = None;
                }
            }
        }
        Ok((node, rows))
    }

    /// GROUP BY, HAVING and ORDER BY of a block.
    #[allow(clippy::type_complexity)]
    fn bind_clauses(
        &mut self,
        s: &ast::Select<'a>,
        q: &ast::QueryExpr<'a>,
        items: &[Expr],
        columns: &[OutColumn],
    ) -> SqlResult<(Vec<Expr>, Option<Expr>, Vec<OrderKey>)> {
        let mut group = Vec::new();
        {
            let scope = self.scope()?;
            scope.clause = Some(Clause::Group);
            scope.agg_ok = false;
        }
        for g in s.group_by {
            let e = match position(&g.expr) {
                Some(n) => items
                    .get((n as usize).wrapping_sub(1))
                    .cloned()
                    .ok_or_else(|| SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&n, &"group statement"]))?,
                None => match self.rolled_up_item(&g.expr, items, columns)? {
                    Some(item) => item,
                    None => self.group_expr(&g.expr, s, items)?,
                },
            };
            let key = self.plain_any_key(e.clone())?;
            self.check_group_key(&g.expr, &key)?;
            self.warn_ambiguous_group(&g.expr, &e)?;
            group.push(key);
        }
        self.scope()?.agg_ok = true;
        let having = match s.having {
            Some(h) => {
                let scope = self.scope()?;
                scope.groups.clone_from(&group);
                scope.clause = Some(Clause::Having);
                let mut h = super::expr::temporal_text::number(self.scalar(h)?);
                self.derive_truth(&mut h);
                self.warn_json_condition(&h);
                self.no_window_alias(&h)?;
                Some(h)
            }
            None => None,
        };
        let scope = self.scope()?;
        scope.clause = Some(Clause::Order);
        scope.win_ok = true;
        let aggregated = |s: &Scope| s.aggs.iter().any(|a| a.func != AggFunc::AnyValue);
        let before = !group.is_empty() || aggregated(scope);
        let order = self.order_keys(q.order_by, items)?;
        if !before && aggregated(self.scope()?) {
            return Err(self.aggregate_in_order(&order, ErrorCode::AGGREGATE_ORDER_NON_AGG_QUERY));
        }
        Ok((group, having, order))
    }
}

fn has_aggregate(e: &Expr) -> bool {
    e.any(&mut |x| matches!(x.kind, ExprKind::Agg { .. }))
}

/// The aliases written in a select list.
fn written_aliases(items: &[SelectItem<'_>]) -> Vec<String> {
    let alias = |i: &SelectItem<'_>| match i {
        SelectItem::Expr { alias, .. } => alias.map(str::to_owned),
        _ => None,
    };
    items.iter().filter_map(alias).collect()
}

/// Rows a LIMIT asks for, if it is a literal.
fn limit_rows(l: Option<&ast::Limit<'_>>) -> f64 {
    let n = |e: &ast::Expr<'_>| match e.unparen().kind {
        ast::ExprKind::Literal(ast::Literal { value: LitValue::Int(n), .. }) => *n as f64,
        _ => 100.0,
    };
    l.map_or(f64::MAX, |l| n(&l.count) + l.offset.as_ref().map_or(0.0, n))
}

/// Column numbers when all items are plain columns of the only scan.
fn direct_columns(root: &Node, items: &[Expr]) -> Vec<u16> {
    let scan = match root {
        Node::Scan(s) => s,
        Node::Limit { input, .. } => match input.as_ref() {
            Node::Scan(s) => s,
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let mut out = Vec::with_capacity(items.len());
    for e in items {
        match e.kind {
            ExprKind::Column { slot, column } if slot == scan.slot => out.push(column),
            _ => return Vec::new(),
        }
    }
    out
}
