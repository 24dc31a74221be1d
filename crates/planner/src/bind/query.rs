//! Query blocks; set operations are in `setop.rs`.

use std::rc::Rc;

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, LitValue, QueryBody, SelectItem};
use value::{OwnedValue, SqlType, TypeKind};

use super::depend::{Grouped, Within};
use super::expr::convert_branch;
use super::pushdown::{Clauses, Step};
use super::scope::Clause;
use super::window::Over;
use super::{Binder, Leaf, LeafKind, Locks, Scope, unsupported};
use crate::expr::{AggFunc, Expr, ExprKind};
use crate::opt::joins::Wanted;
use crate::plan::{LockMode, Node, QueryPlan, SlotDef, SortKey};
use crate::types;

/// Where a result column comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    pub(crate) schema: String,
    pub(crate) table: String,
    pub(crate) org_table: String,
    pub(crate) org_name: String,
    pub(crate) flags: u16,
    /// An expression's column of a view: it has a table and a name, but a column's properties it has not.
    pub(crate) computed: bool,
    /// A column of a derived table, set operation or table function: the rows went through a table, so it is one whatever made it.
    pub(crate) stored: bool,
}

impl Origin {
    /// That of a set operation's column.
    pub(crate) fn of_table() -> Self {
        Self { stored: true, ..Self::default() }
    }
}

/// A result column.
#[derive(Clone, Debug)]
pub(crate) struct OutColumn {
    pub(crate) name: String,
    pub(crate) ty: SqlType,
    pub(crate) origin: Option<Origin>,
}

/// Digits from which an integer expression is stored as a BIGINT.
const BIGINT_DIGITS: u32 = 10;

impl OutColumn {
    /// Its type in a table that holds the rows: an integer expression of few digits is an INT there.
    pub(crate) fn stored_type(&self) -> SqlType {
        let mut ty = self.ty.clone();
        if self.origin.is_none() && ty.kind == TypeKind::BigInt && ty.length < BIGINT_DIGITS {
            ty.kind = TypeKind::Int;
        }
        ty
    }
}

/// A planned query with its columns.
pub(crate) struct BoundQuery {
    pub(crate) plan: QueryPlan,
    pub(crate) columns: Vec<OutColumn>,
    pub(crate) correlated: bool,
    pub(crate) calc_found_rows: bool,
    /// A block: which of its columns determine which.
    pub(crate) within: Option<Rc<Within>>,
}

/// An ORDER BY element.
pub(crate) struct OrderKey {
    pub(crate) expr: Expr,
    pub(crate) desc: bool,
    /// It is this select list item.
    pub(crate) item: Option<usize>,
    /// Select list items that it names by their aliases.
    pub(crate) named: Vec<Expr>,
}

impl<'a> Binder<'a, '_> {
    /// Plans a query expression.
    pub(crate) fn query(&mut self, q: &ast::QueryExpr<'a>) -> SqlResult<BoundQuery> {
        let ctes = self.ctes.len();
        self.push_ctes(q.with, q)?;
        let r = self.query_body(q);
        self.ctes.truncate(ctes);
        let mut bound = r?;
        match q.into {
            None => {}
            Some(ast::Into::Vars(vars)) => {
                if vars.len() != bound.columns.len() {
                    return Err(SqlError::with_message(
                        ErrorCode::WRONG_NUMBER_OF_COLUMNS_IN_SELECT,
                        "The used SELECT statements have a different number of columns",
                    ));
                }
                for v in *vars {
                    match v {
                        ast::IntoVar::User(n) => bound.plan.into_vars.push(n.to_lowercase().into()),
                        ast::IntoVar::Local(n) => return Err(SqlError::new(ErrorCode::SP_UNDECLARED_VAR, &[n])),
                    }
                }
                self.st.notes.uncacheable = true;
            }
            Some(ast::Into::Outfile { .. } | ast::Into::Dumpfile(_)) => return unsupported("SELECT ... INTO OUTFILE"),
        }
        Ok(bound)
    }

    pub(super) fn query_body(&mut self, q: &ast::QueryExpr<'a>) -> SqlResult<BoundQuery> {
        match q.body {
            QueryBody::Select(s) => self.select(s, q),
            QueryBody::Paren(inner) if q.order_by.is_empty() && q.limit.is_none() => {
                self.query(&with_locking(inner, q.locking))
            }
            // they belong to the query in the parentheses where it has none itself
            QueryBody::Paren(inner) if inner.order_by.is_empty() && inner.limit.is_none() && inner.into.is_none() => {
                self.query(&ast::QueryExpr { order_by: q.order_by, limit: q.limit, ..with_locking(inner, q.locking) })
            }
            QueryBody::Paren(inner) => {
                let b = self.query(&with_locking(inner, q.locking))?;
                self.set_tail(b.columns.clone(), b, Vec::new(), q)
            }
            QueryBody::SetOp(s) => self.set_operation(s, q),
            QueryBody::Values(rows) => self.values(rows, q),
            // the parser makes a SELECT of it
            QueryBody::Table(_) => unsupported("TABLE statement"),
        }
    }

    fn values(&mut self, rows: &[&'a [ast::Expr<'a>]], q: &ast::QueryExpr<'a>) -> SqlResult<BoundQuery> {
        self.scopes.push(Scope::block());
        let bound = rows
            .iter()
            .map(|r| r.iter().map(|e| self.scalar(e)).collect::<SqlResult<Vec<_>>>())
            .collect::<SqlResult<Vec<_>>>();
        let correlated = self.scopes.pop().is_some_and(|s| s.correlated);
        let mut bound = bound?;
        let width = bound.first().map_or(0, Vec::len);
        if bound.iter().any(Vec::is_empty) {
            return Err(SqlError::new(ErrorCode::TABLE_VALUE_CONSTRUCTOR_MUST_HAVE_COLUMNS, &[]));
        }
        if bound.iter().flatten().any(|e| matches!(e.kind, ExprKind::DefaultValue)) {
            return Err(SqlError::new(ErrorCode::TABLE_VALUE_CONSTRUCTOR_CANNOT_HAVE_DEFAULT, &[]));
        }
        let mut columns = Vec::new();
        for i in 0..width {
            let exprs: Vec<&Expr> = bound.iter().filter_map(|r| r.get(i)).collect();
            if exprs.len() != bound.len() || bound.iter().any(|r| r.len() != width) {
                return Err(SqlError::new(ErrorCode::WRONG_VALUE_COUNT_ON_ROW, &[&2]));
            }
            let (ty, _) = types::unify(&exprs, &self.tcx, "VALUES")?;
            columns.push(OutColumn { name: format!("column_{i}"), ty, origin: Some(Origin::default()) });
        }
        for r in &mut bound {
            let old = std::mem::take(r);
            *r = old.into_iter().zip(&columns).map(|(e, c)| convert_branch(e, &c.ty)).collect();
        }
        let slot = self.new_slot(SlotDef::Tuple(columns.iter().map(|c| c.ty.clone()).collect()))?;
        let items = columns.iter().enumerate().map(|(i, c)| Expr::column(slot, i as u16, c.ty.clone())).collect();
        let n = bound.len() as f64;
        let plan = QueryPlan {
            root: Node::Values { slot, rows: bound },
            items,
            into_vars: vec![],
            direct: vec![],
            rows: n,
            cost: n,
        };
        let b = BoundQuery { plan, columns, correlated, calc_found_rows: false, within: None };
        if q.order_by.is_empty() && q.limit.is_none() {
            return Ok(b);
        }
        self.set_tail(b.columns.clone(), b, Vec::new(), q)
    }

    /// Notes reads of the grant tables that cannot lock them: 4009 is told of with FOR SHARE, and else under SERIALIZABLE.
    fn grant_tables(&mut self, locks: &Locks, leaves: &[Leaf]) {
        for l in leaves {
            let LeafKind::Virtual(table) = &l.kind else { continue };
            if table.def().schema != "mysql" {
                continue;
            }
            match locks.of(l.slot).0 {
                LockMode::Share => {
                    let e = SqlError::new(ErrorCode::WARN_UNSUPPORTED_ACL_TABLES_READ, &[]);
                    let message = e.message().to_owned();
                    self.st.notes.warnings.push(value::Warning {
                        level: value::Level::Warning,
                        code: e.code(),
                        message,
                    });
                }
                LockMode::None => self.st.notes.grant_tables += 1,
                _ => {}
            }
        }
    }

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

    fn select(&mut self, s: &ast::Select<'a>, q: &ast::QueryExpr<'a>) -> SqlResult<BoundQuery> {
        self.check_options(s)?;
        let entry = Entry {
            moot: std::mem::take(&mut self.st.moot_order) && q.limit.is_none(),
            hidden: self.source.take_hidden(),
            split: matches!(std::mem::take(&mut self.split), super::keyed::Split::Wanted),
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
        let mark = super::merge::Mark::of(&self.st);
        let hints = self.st.table_hints.clone();
        match self.select_in_scope(s, q, &entry)? {
            Step::Bound(b) => return Ok(*b),
            Step::Again(requests) => {
                mark.restore(&mut self.st);
                self.st.table_hints = hints;
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
        self.check_interrupt()?;
        let (moot, split) = (entry.moot, entry.split);
        self.answers.clear();
        let mut locks = Locks::new(q.locking);
        let was_locking = std::mem::replace(&mut self.st.locking, !q.locking.is_empty());
        let mut leaves = Vec::new();
        self.scope()?.merges = self.merges(s.span.start as usize, s.hints);
        let tree = self.from(s.from, &mut leaves);
        self.st.locking = was_locking;
        self.requests.clear();
        let tree = tree?;
        locks.resolve(self.scope()?, &leaves)?;
        self.grant_tables(&locks, &leaves);
        let (fixed, hinted) = self.hints(s.span.start as usize, s.hints, &mut leaves)?;
        // WHERE
        let mut conds = Vec::new();
        let mut semi = Vec::new();
        if let Some(w) = s.where_clause {
            self.scope()?.clause = Some(Clause::Where);
            semi = self.where_clause(w, &leaves, !split, &mut conds)?;
            if !semi.is_empty() {
                locks.confine(&leaves);
            }
        }
        // select list
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
        let (mut items, mut columns) = match list {
            Ok(l) => l,
            Err(e) => {
                self.pinning = pinning;
                return Err(e);
            }
        };
        // expressions of the clauses below must be recognised as those of the select list, literals included
        let aliases = items.iter().zip(&columns).map(|(e, c)| (c.name.clone(), e.clone())).collect();
        self.scope()?.aliases = aliases;
        let clauses = self.bind_clauses(s, q, &items);
        self.pinning = pinning;
        let (mut group, mut having, mut order) = clauses?;

        let mut aggs = std::mem::take(&mut self.scope()?.aggs);
        let (mut windows, mut calls) = {
            let scope = self.scope()?;
            (std::mem::take(&mut scope.windows), std::mem::take(&mut scope.wins))
        };
        let distinct = s.options.distinct;
        let full_group = self.mode.has(value::SqlMode::ONLY_FULL_GROUP_BY);
        let any_values = group.is_empty() && !aggs.is_empty() && aggs.iter().all(|a| a.func == AggFunc::AnyValue);
        if any_values {
            if distinct && full_group && !moot {
                self.check_distinct(&items, &Over { windows: &windows, calls: &calls }, &order, &aggs)?;
            }
            let mut upper: Vec<&mut Expr> = items.iter_mut().chain(having.as_mut()).collect();
            upper.extend(order.iter_mut().map(|k| &mut k.expr));
            upper.extend(calls.iter_mut().flat_map(|c| c.args.iter_mut()));
            for w in &mut windows {
                upper.extend(w.partition.iter_mut().chain(w.order.iter_mut().map(|o| &mut o.0)));
            }
            self.plain_any_values(&aggs, upper);
            aggs.clear();
        }
        let upper = items.iter().chain(having.iter()).chain(order.iter().map(|k| &k.expr));
        super::group::check_grouping(upper, &group, s.rollup)?;
        let aggregated = !group.is_empty() || !aggs.is_empty();
        let table = distinct || s.options.buffer_result || !calls.is_empty();
        for e in items.iter_mut().filter(|e| table || !group.is_empty() && !has_aggregate(e)) {
            e.ty.own_digits = false;
        }
        // a YEAR is sent as a number unless it comes from a table
        let year = |e: &Expr| e.ty.kind == TypeKind::Year && !matches!(e.kind, ExprKind::Column { .. });
        let years: Vec<bool> = items.iter().map(|e| !table && group.is_empty() && year(e)).collect();
        if split
            && aggregated
            && group.is_empty()
            && let Some(inner) = self.split_conditions(&mut conds)
        {
            for e in inner {
                columns.push(OutColumn { name: String::new(), ty: e.ty.clone(), origin: None });
                items.push(e.clone());
                group.push(e);
            }
        }
        // hidden items tell no rows apart: they have the values of the first one
        let listed = items.len();
        self.hidden_items(&entry.hidden, aggregated, &mut items, &mut columns)?;
        if aggregated && group.is_empty() {
            order.clear(); // one row
        }
        if q.order_by.is_empty() && !aggregated && !distinct && having.is_none() {
            order = self.scope()?.inherited_keys(&items);
            if order.is_empty() {
                order.extend(self.ranking(&conds).map(|expr| OrderKey {
                    expr,
                    desc: true,
                    item: None,
                    named: Vec::new(),
                }));
            }
        }
        if full_group {
            let over = Over { windows: &windows, calls: &calls };
            // groups that the select list tells apart are distinct as they are
            let needless = aggregated && !s.rollup && group.iter().all(|g| items.iter().any(|i| i.same(g)));
            if distinct && !needless && !any_values && !moot {
                self.check_distinct(&items, &over, &order, &aggs)?;
            }
            if aggregated {
                self.check_group(&items, &over, having.as_ref(), &order, &group, &conds, &leaves, tree.as_ref())?;
            }
        }
        let nested = !self.scopes.is_empty() && self.st.outermost != std::ptr::from_ref(s).addr();
        let within = (nested && !s.rollup).then(|| {
            let over = Over { windows: &windows, calls: &calls };
            let grouped = Grouped { items: &items, over: &over, group: &group, aggregated };
            self.within(&grouped, &conds, &leaves, tree.as_ref())
        });
        let mut answer = Vec::new();
        if let Some(asked) = &entry.asked {
            let (windows, calls, rollup) = (&windows, &calls, s.rollup);
            let clauses = Clauses { items: &items, group: &group, aggregated, rollup, distinct, windows, calls };
            answer = self.take_asked(asked, &clauses, &leaves, &mut conds, &mut having)?;
        }
        if entry.again {
            self.remove_moved(tree.as_ref(), &leaves, &mut conds);
        } else if entry.is_plain()
            && let Some(requests) = self.requests(tree.as_ref(), &leaves, &conds)
        {
            return Ok(Step::Again(requests));
        }
        // joins; what a merged query has in its WHERE is said of the whole block, also where its table is the only one
        let tree = tree.map(|t| super::from::hoisted(t, &mut conds));
        let lone = aggregated && group.is_empty() && semi.is_empty();
        let no_limit_order = q.limit.is_none();
        let mut wanted = if !calls.is_empty() && !aggregated {
            Wanted::default()
        } else if aggregated || distinct {
            let loose = if semi.is_empty() && listed == items.len() {
                super::loose::wanted(s, &leaves, &conds, &items, &group, &aggs, &order)
            } else {
                None
            };
            let by: Vec<(Expr, bool)> = match &loose {
                Some(l) if !aggregated && conds.is_empty() => l.group.iter().map(|g| (g.clone(), false)).collect(),
                _ if aggregated => group.iter().map(|g| (g.clone(), false)).collect(),
                _ => Vec::new(),
            };
            Wanted { order: by, grouping: true, loose, ..Wanted::default() }
        } else {
            let by = order.iter().map(|k| (k.expr.clone(), k.desc)).collect();
            let limit = if no_limit_order { None } else { Some(limit_rows(q.limit)) };
            Wanted { order: by, limit, ..Wanted::default() }
        };
        let tree = tree.map(|t| super::semi::joined(t, semi, &mut leaves));
        let needed = {
            let mut roots: Vec<&Expr> = items.iter().collect();
            roots.extend(having.iter());
            roots.extend(order.iter().map(|k| &k.expr));
            roots.extend(group.iter());
            roots.extend(aggs.iter().flat_map(|a| a.args.iter().chain(a.order.iter().map(|o| &o.0))));
            roots.extend(conds.iter());
            roots.extend(Over { windows: &windows, calls: &calls }.exprs());
            crate::opt::needed::columns(self, &roots, tree.as_ref())
        };
        // COUNT(*)-like statements without tables still give one row
        self.hinted = hinted;
        let straight = s.options.straight_join || fixed;
        let ends = if lone { self.ends(&leaves, &conds, &aggs, &locks, &needed)? } else { None };
        let mut at_end = false;
        if lone
            && !distinct
            && ends.is_none()
            && let Some(w) = super::ends::wanted(&leaves, &mut conds, &aggs)
        {
            (wanted, at_end) = (w, true);
        }
        let joined = match ends {
            Some(j) => j,
            None => self.plan_joins(tree, leaves, conds, &wanted, &locks, &needed, straight)?,
        };
        let (mut root, mut rows, cost, mut ordered) = (joined.node, joined.rows, joined.cost, joined.ordered);
        if at_end && ordered {
            // MIN or MAX: the first row in the index's order has it
            root = Node::Limit { input: Box::new(root), offset: None, count: super::ends::one() };
            rows = 1.0;
        }
        if aggregated {
            let had_order = ordered && !at_end;
            let mut upper: Vec<&mut Expr> = items.iter_mut().chain(having.as_mut()).collect();
            upper.extend(order.iter_mut().map(|k| &mut k.expr));
            upper.extend(calls.iter_mut().flat_map(|c| c.args.iter_mut()));
            for w in &mut windows {
                upper.extend(w.partition.iter_mut());
                upper.extend(w.order.iter_mut().map(|o| &mut o.0));
            }
            let (node, out_rows) = self.aggregate_node(root, group, aggs, upper, had_order, s.rollup, rows)?;
            if s.rollup {
                // an aggregate that is never NULL is none in the super-aggregate rows either
                let total = |e: &Expr| {
                    matches!((&node, &e.kind), (Node::Aggregate { slot: of, group, aggs, .. }, ExprKind::Column { slot, column })
                    if of == slot && (group.len()..group.len() + aggs.len()).contains(&(*column as usize)))
                };
                let shown = columns.iter_mut().zip(&items).filter(|(_, e)| !total(e));
                shown.for_each(|(c, _)| c.ty.nullable = true);
            }
            root = node;
            rows = out_rows;
            ordered = false;
        }
        if let Some(mut h) = having {
            self.hoist(&mut h);
            root = Node::Filter { input: Box::new(root), cond: h, once: false };
        }
        if !calls.is_empty() {
            root = self.window_nodes(root, &windows, calls, &mut items, &mut order)?;
            ordered = false;
        }
        for ((c, e), year) in columns.iter_mut().zip(&mut items).zip(years) {
            c.ty.own_digits = if c.ty.kind == TypeKind::Year { year } else { e.ty.own_digits };
            self.hoist(e);
        }
        if distinct {
            root = Node::Distinct { input: Box::new(root), exprs: items.iter().take(listed).cloned().collect() };
            ordered = false;
        }
        if !order.is_empty() && !ordered {
            let (node, new_items) = self.sort(root, &items, order, q.limit)?;
            root = node;
            items = new_items;
        }
        root = self.limit(root, q.limit)?;
        let direct = direct_columns(&root, &items);
        self.st.answer = answer;
        Ok(Step::Bound(Box::new(BoundQuery {
            plan: QueryPlan { root, items, into_vars: vec![], direct, rows, cost },
            columns,
            correlated: false,
            calc_found_rows: s.options.calc_found_rows,
            within,
        })))
    }

    /// GROUP BY, HAVING and ORDER BY of a block.
    #[allow(clippy::type_complexity)]
    fn bind_clauses(
        &mut self,
        s: &ast::Select<'a>,
        q: &ast::QueryExpr<'a>,
        items: &[Expr],
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
                None => {
                    self.one_group_item(&g.expr)?;
                    self.group_expr(&g.expr, s, items)?
                }
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
                let h = super::expr::temporal_text::number(self.scalar(h)?);
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

    pub(crate) fn select_list(&mut self, list: &[SelectItem<'a>]) -> SqlResult<(Vec<Expr>, Vec<OutColumn>)> {
        let (mut items, mut columns): (Vec<Expr>, Vec<OutColumn>) = (Vec::new(), Vec::new());
        for item in list {
            // subqueries of the items that follow may name those before
            if let (Some(e), Some(c)) = (items.last(), columns.last()) {
                let known = (c.name.clone(), e.clone());
                self.scope()?.aliases.push(known);
            }
            match item {
                SelectItem::Wildcard(span) => {
                    let scope = self.scope()?;
                    if scope.tables.is_empty() && scope.any_list {
                        let one = Expr::int(1);
                        columns.push(OutColumn { name: "1".to_owned(), ty: one.ty.clone(), origin: None });
                        items.push(one);
                        continue;
                    }
                    if scope.tables.is_empty() {
                        return Err(SqlError::new(ErrorCode::NO_TABLES_USED, &[]));
                    }
                    let list = scope.visible.clone();
                    let first = columns.len();
                    for &(t, i) in &list {
                        push_column(scope, t, i, &mut items, &mut columns);
                    }
                    self.use_columns(&list, true);
                    self.record_wildcard(*span, &list, columns.get(first..).unwrap_or_default());
                }
                SelectItem::TableWildcard { span, schema, table } => {
                    let scope = self.scope()?;
                    let mut any = false;
                    let mut list = Vec::new();
                    for (t, st) in scope.tables.iter().enumerate() {
                        let named = st.alias == *table;
                        if named && schema.is_none_or(|s| st.schema.as_deref() == Some(s)) {
                            any = true;
                            list.extend(
                                (0..st.columns.len())
                                    .filter(|i| !st.columns.get(*i).is_some_and(|c| c.invisible))
                                    .map(|i| (t, i)),
                            );
                        }
                    }
                    let first = columns.len();
                    for &(t, i) in &list {
                        push_column(scope, t, i, &mut items, &mut columns);
                    }
                    self.use_columns(&list, true);
                    self.record_wildcard(*span, &list, columns.get(first..).unwrap_or_default());
                    if !any {
                        return Err(SqlError::with_message(
                            ErrorCode::BAD_TABLE_ERROR,
                            format!("Unknown table '{table}'"),
                        ));
                    }
                }
                SelectItem::Expr { expr, alias } => {
                    let e = self.scalar(expr)?;
                    let name = match alias {
                        Some(a) => self.alias_name(a),
                        None => self.item_name(expr),
                    };
                    self.record_item(expr.span, &name);
                    let origin = self.origin_of(&e, expr);
                    let ty = SqlType { length: self.shown_length(&e), ..e.ty.clone() };
                    columns.push(OutColumn { name, ty, origin });
                    items.push(e);
                }
            }
        }
        Ok((items, columns))
    }

    /// An alias without its leading spaces: warning 1466, or 1474 where nothing is left.
    fn alias_name(&mut self, alias: &str) -> String {
        let name = alias.trim_start_matches([' ', '\t', '\n', '\r']);
        if name.len() < alias.len() {
            let code = if name.is_empty() { ErrorCode::NAME_BECOMES_EMPTY } else { ErrorCode::REMOVED_SPACES };
            self.warn(&SqlError::new(code, &[&alias]));
        }
        name.to_owned()
    }

    /// A name in GROUP BY that two different columns of the select list have is none (1052), even where a table has it.
    fn one_group_item(&mut self, written: &ast::Expr<'_>) -> SqlResult<()> {
        match written.unparen().kind {
            ast::ExprKind::Column(c) if c.table.is_none() && super::scope::several_items(self.scope()?, c.column) => {
                Err(SqlError::new(ErrorCode::NON_UNIQ_ERROR, &[&c.column, &Clause::Group.name()]))
            }
            _ => Ok(()),
        }
    }

    /// Warning 1052: a name in GROUP BY is a column of FROM, though another item of the select list has it as its alias.
    fn warn_ambiguous_group(&mut self, written: &ast::Expr<'_>, bound: &Expr) -> SqlResult<()> {
        let ast::ExprKind::Column(c) = written.unparen().kind else { return Ok(()) };
        if super::scope::other_item(self.scope()?, c, bound) {
            self.warn_ambiguous(c, Clause::Group);
        }
        Ok(())
    }

    /// Warning 1052 about a name that this clause takes for one thing and that means another too.
    pub(super) fn warn_ambiguous(&mut self, c: &ast::ColumnRef<'_>, clause: Clause) {
        self.warn(&SqlError::new(ErrorCode::NON_UNIQ_ERROR, &[&c.column, &clause.name()]));
    }

    /// A warning of the statement, repeated on every execution.
    pub(crate) fn warn(&mut self, e: &SqlError) {
        let w = value::Warning { level: value::Level::Warning, code: e.code(), message: e.message().to_owned() };
        self.st.notes.warnings.push(w);
    }

    /// The length that a column of the result has: a plain column's is the one it was defined with.
    fn shown_length(&self, e: &Expr) -> u32 {
        let ExprKind::Column { slot, column } = e.kind else { return e.ty.length };
        let table = self.scopes.iter().rev().flat_map(|s| &s.tables).find(|t| t.slot == slot && t.merged.is_none());
        let defined = table.and_then(|t| t.columns.get(column as usize)).filter(|c| c.ty.kind == e.ty.kind);
        defined.map_or(e.ty.length, |c| c.ty.length)
    }

    /// Origin of a plain column reference.
    fn origin_of(&self, e: &Expr, written: &ast::Expr<'_>) -> Option<Origin> {
        // a column of a merged query is whatever expression it stands for: go by the name
        if let ast::ExprKind::Column(c) = written.unparen().kind
            && let Some((s, (t, i))) = self.scopes.iter().rev().find_map(|s| s.find(c).ok().flatten().map(|x| (s, x)))
            && let Some(table) = s.tables.get(t).filter(|t| t.merged.is_some())
            && s.column_expr(t, i).is_some_and(|x| x.same(e))
        {
            return table.columns.get(i).and_then(|c| c.origin.clone());
        }
        let ExprKind::Column { slot, column } = e.kind else { return None };
        for s in self.scopes.iter().rev() {
            for t in &s.tables {
                if t.slot == slot {
                    return t.columns.get(column as usize).and_then(|c| c.origin.clone());
                }
            }
        }
        None
    }

    /// 3594: GROUP BY and HAVING come before the window functions.
    pub(super) fn no_window_alias(&mut self, e: &Expr) -> SqlResult<()> {
        let win = |e: &Expr| e.any(&mut |x| matches!(x.kind, ExprKind::Win(_)));
        if !win(e) {
            return Ok(());
        }
        let name = self.scope()?.aliases.iter().find(|a| win(&a.1)).map(|a| a.0.clone()).unwrap_or_default();
        Err(SqlError::new(ErrorCode::WINDOW_INVALID_WINDOW_FUNC_ALIAS_USE, &[&name]))
    }

    pub(crate) fn order_keys(&mut self, list: &[ast::OrderItem<'a>], items: &[Expr]) -> SqlResult<Vec<OrderKey>> {
        let mut keys = Vec::new();
        for o in list {
            if let Some(n) = position(&o.expr) {
                let at = (n as usize).wrapping_sub(1);
                let e =
                    items.get(at).ok_or_else(|| SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&n, &"order clause"]))?;
                keys.push(OrderKey { expr: e.clone(), desc: o.desc, item: Some(at), named: vec![e.clone()] });
                continue;
            }
            // a name that stands alone is the select list's first of all
            if let ast::ExprKind::Column(c) = o.expr.unparen().kind
                && c.table.is_none()
                && let Some(s) = self.scopes.last()
                && let Some(item) = super::scope::alias_at(s, c.column)
            {
                let e = item.and_then(|i| s.aliases.get(i)).map(|a| a.1.clone());
                let ambiguous = || SqlError::new(ErrorCode::NON_UNIQ_ERROR, &[&c.column, &Clause::Order.name()]);
                let e = e.ok_or_else(ambiguous)?;
                self.record_alias(c, self.scopes.len() - 1, &e);
                keys.push(OrderKey { named: vec![e.clone()], expr: e, desc: o.desc, item });
                continue;
            }
            self.scope()?.named.clear();
            let e = self.scalar(&o.expr)?;
            let named = std::mem::take(&mut self.scope()?.named);
            let item = items.iter().position(|i| i.same(&e));
            if e.is_const() && item.is_none() {
                continue; // a constant does not order anything
            }
            keys.push(OrderKey { expr: e, desc: o.desc, item, named });
        }
        Ok(keys)
    }

    /// A sort whose payload are `items`; the node and the items as columns of its slot.
    pub(crate) fn sort(
        &mut self,
        input: Node,
        items: &[Expr],
        keys: Vec<OrderKey>,
        limit: Option<&ast::Limit<'a>>,
    ) -> SqlResult<(Node, Vec<Expr>)> {
        let slot = self.new_slot(SlotDef::Tuple(items.iter().map(|e| e.ty.clone()).collect()))?;
        let out: Vec<Expr> = items
            .iter()
            .enumerate()
            .map(|(i, e)| Expr { coer: e.coer, ..Expr::column(slot, i as u16, e.ty.clone()) })
            .collect();
        let early = limit.is_some() && items.iter().all(|e| self.is_steady(e));
        let source = if early { items } else { &out };
        let keys = keys
            .into_iter()
            .map(|k| SortKey { expr: k.item.and_then(|i| source.get(i)).cloned().unwrap_or(k.expr), desc: k.desc })
            .collect();
        let limit = match limit {
            None => None,
            Some(l) => {
                let offset = l.offset.as_ref().map(|o| self.scalar(o)).transpose()?;
                Some(Box::new((offset, self.scalar(&l.count)?)))
            }
        };
        Ok((Node::Sort { input: Box::new(input), slot, payload: items.to_vec(), keys, limit, early }, out))
    }

    /// Whether nobody can tell how often an expression is evaluated: nothing in it or in its subqueries assigns variables, waits or gives
    /// another value each time.
    pub(crate) fn is_steady(&mut self, e: &Expr) -> bool {
        let (mut steady, mut subs, mut seen) = (!super::semi::unsteady(e), Vec::new(), 0);
        let below = |e: &Expr, subs: &mut Vec<u16>| {
            e.walk(&mut |x| {
                if let ExprKind::Subquery(id, _) = x.kind
                    && !subs.contains(&id)
                {
                    subs.push(id);
                }
            });
        };
        below(e, &mut subs);
        while let Some(id) = subs.get(seen).copied().filter(|_| steady) {
            seen += 1;
            let Some(sub) = self.st.subs.get_mut(id as usize) else { return false };
            crate::visit::query_exprs_mut(&mut sub.query, &mut |e| {
                steady &= !super::semi::unsteady(e);
                below(e, &mut subs);
            });
        }
        steady
    }

    pub(crate) fn limit(&mut self, input: Node, limit: Option<&ast::Limit<'a>>) -> SqlResult<Node> {
        let Some(l) = limit else { return Ok(input) };
        let offset = l.offset.as_ref().map(|o| self.scalar(o)).transpose()?;
        let count = self.scalar(&l.count)?;
        Ok(Node::Limit { input: Box::new(input), offset, count })
    }
}

/// What a block is bound with besides its text.
struct Entry {
    moot: bool,
    hidden: (Vec<super::duplicate::Name>, Vec<super::duplicate::Name>),
    split: bool,
    asked: Option<super::pushdown::Asked>,
    /// It has been bound before.
    again: bool,
}

impl Entry {
    /// Whether the block may be bound a second time.
    fn is_plain(&self) -> bool {
        self.hidden.0.is_empty() && self.hidden.1.is_empty() && !self.split
    }
}

/// Where the first block of a query stands; 0 for VALUES.
pub(crate) fn outermost(body: &ast::QueryBody<'_>) -> usize {
    match body {
        ast::QueryBody::Select(s) => std::ptr::from_ref::<ast::Select<'_>>(s).addr(),
        ast::QueryBody::Paren(q) => outermost(&q.body),
        ast::QueryBody::SetOp(s) => outermost(&s.first),
        _ => 0,
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

fn push_column(scope: &Scope, t: usize, i: usize, items: &mut Vec<Expr>, columns: &mut Vec<OutColumn>) {
    if let (Some(e), Some(c)) = (scope.column_expr(t, i), scope.tables.get(t).and_then(|t| t.columns.get(i))) {
        let mut ty = e.ty.clone();
        if matches!(e.kind, ExprKind::Column { .. }) && c.ty.kind == ty.kind {
            ty.length = c.ty.length;
        }
        columns.push(OutColumn { name: c.name.clone(), ty, origin: c.origin.clone() });
        items.push(e);
    }
}

/// An integer literal written as a position.
pub(super) fn position(e: &ast::Expr<'_>) -> Option<u64> {
    match e.kind {
        ast::ExprKind::Literal(ast::Literal { value: LitValue::Int(n), .. }) => Some(*n),
        _ => None,
    }
}

/// Rows a LIMIT asks for, if it is a literal.
fn limit_rows(l: Option<&ast::Limit<'_>>) -> f64 {
    let n = |e: &ast::Expr<'_>| match e.unparen().kind {
        ast::ExprKind::Literal(ast::Literal { value: LitValue::Int(n), .. }) => *n as f64,
        _ => 100.0,
    };
    l.map_or(f64::MAX, |l| n(&l.count) + l.offset.as_ref().map_or(0.0, n))
}

/// A parenthesised query with the locking clause that stands behind the parentheses, unless it has its own.
pub(super) fn with_locking<'a>(q: &ast::QueryExpr<'a>, locking: &'a [ast::Locking<'a>]) -> ast::QueryExpr<'a> {
    if q.locking.is_empty() { ast::QueryExpr { locking, ..*q } } else { *q }
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

/// A constant NULL of a type.
#[allow(dead_code)]
pub(crate) fn typed_null(ty: &SqlType) -> Expr {
    Expr::constant(OwnedValue::Null, ty.clone().nullable(true))
}
