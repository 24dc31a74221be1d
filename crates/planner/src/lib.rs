//! The planner makes a plan from the syntax tree of a statement. [`plan()`] is its entry.
//!
//! Two steps: `bind` looks up names and types (`SELECT a FROM t` becomes "column 0 of the row in slot 0"), `opt`
//! chooses how each table is read (access path) and in which order tables are joined, by estimated cost.
//!
//! * [`expr`]: expressions with names resolved. [`func`]: the list of SQL functions. [`types`]: the type of a
//!   result.
//! * [`plan`]: the plan, which is what the executor runs. [`explain`] prints it as EXPLAIN does.
//! * [`resolve`]: the trait through which the planner asks the session for table definitions and settings.
//! * [`meta`]: what the client is told of the result's columns. [`view`]: how CREATE VIEW stores a query.
//!
//! A plan never changes after it is made; all sessions that run the same statement share it
//! (`session::kernel::plans`). The planner reads table definitions and statistics; it takes no lock and does no
//! I/O.

mod bind;
mod block;
pub mod column_origin;
pub mod error_expr;
pub mod explain;
pub mod expr;
pub mod func;
pub mod load;
pub mod meta;
mod opt;
pub mod plan;
pub mod resolve;
pub mod search;
pub mod trace;
pub mod types;
pub mod view;
pub mod visit;
pub mod window;

use std::sync::Arc;

use base::SqlResult;
use catalog::client::ResultMeta;
use parser::ast;
use value::SqlType;

pub use bind::column_names::{decode_name, from_client, sent_by};
pub use bind::hints::blocks::set_vars;
use bind::{Binder, BoundQuery};
pub use bind::{GRANT_TABLES, same_name, temporal_literal};
use block::OutColumn;
use plan::{Body, Node, Plan, QueryPlan};
pub use plan::{Dive, RangeKey};
use resolve::Resolver;
pub use types::nearest;

/// What [`plan()`] needs besides the syntax tree.
pub struct Request<'q> {
    /// The text that spans of the syntax tree point into.
    pub sql: &'q [u8],
    /// Offset in `sql` at which the statement begins. Optimizer hints before it belong to other statements: a
    /// statement of a stored program is planned with the whole body as `sql`.
    pub from: usize,
    /// Answers the planner's questions about tables, views, functions and settings.
    pub resolver: &'q dyn Resolver,
    /// Whether literals become parameters, so that `WHERE id = 1` and `WHERE id = 2` share one cached plan.
    /// Parameter `n` is then the literal with ordinal `n`. Otherwise literals stay constants, and parameters are
    /// the statement's `?`.
    pub lift: bool,
    /// The types of the values that were sent for the statement's `?`.
    pub param_types: &'q [SqlType],
    /// How many parameters each execution passes: one per literal if `lift`, otherwise one per `?`.
    pub params: u32,
    /// Literals that may not become parameters because their text decides the plan, such as the 2 of `ORDER BY 2`:
    /// ordinal and text. From the parser.
    pub fixed: Vec<(u32, Box<[u8]>)>,
    /// The values that the lifted literals have this time. The optimizer may look at them to estimate with a
    /// histogram; then the plan fits only these values and is not shared.
    pub peek: &'q [value::OwnedValue],
    /// Row counts of index ranges that an earlier attempt to plan this statement asked for (index dives).
    pub counted: &'q [(RangeKey, f64)],
}

impl<'q> Request<'q> {
    /// For a plan of this text alone: literals stay constants, there are no parameters.
    pub fn plain(sql: &'q [u8], resolver: &'q dyn Resolver) -> Request<'q> {
        Request {
            sql,
            from: 0,
            resolver,
            lift: false,
            param_types: &[],
            params: 0,
            fixed: Vec::new(),
            peek: &[],
            counted: &[],
        }
    }

    fn text(&self) -> (&'q [u8], usize) {
        (self.sql, self.from)
    }

    /// With parameters (`?`) of these types.
    pub fn with(self, types: &'q [SqlType]) -> Request<'q> {
        Request { param_types: types, params: types.len() as u32, ..self }
    }
}

/// Plans SELECT, INSERT, REPLACE, UPDATE, DELETE and DO. Other statements give 1235.
pub fn plan<'q>(statement: &ast::Statement<'q>, rq: &Request<'q>) -> SqlResult<Plan> {
    planned(statement, rq, Binder::new(rq.resolver, rq.text(), rq.lift, rq.param_types, opt::plan))
}

/// Plans HANDLER ... READ as the query that it stands for. An unknown column in its WHERE is reported as MySQL
/// does: "Unknown column 'x' in 'field list'".
pub fn plan_handler<'q>(statement: &ast::Statement<'q>, rq: &Request<'q>) -> SqlResult<Plan> {
    let mut b = Binder::new(rq.resolver, rq.text(), rq.lift, rq.param_types, opt::plan);
    b.draft.handler = true;
    planned(statement, rq, b)
}

fn planned<'q>(statement: &ast::Statement<'q>, rq: &Request<'q>, mut b: Binder<'q, 'q>) -> SqlResult<Plan> {
    b.peek = rq.peek;
    b.draft.locks_reads = reads(statement) != plan::Reads::Consistent || rq.resolver.locks_reads();
    b.draft.dives.counted = rq.counted.to_vec();
    b.draft.dives.limit = rq.resolver.setting("eq_range_index_dive_limit");
    let (body, columns, calc) = match statement {
        ast::Statement::Query(q) => {
            b.draft.interrupt.limit = rq.resolver.setting("max_execution_time");
            b.st.outermost = bind::outermost(&q.body);
            let BoundQuery { mut plan, mut columns, calc_found_rows, through, .. } = b.query(q)?;
            bind::table_columns(&mut columns, &through);
            let made = columns.iter_mut().zip(&plan.items).filter(|(c, e)| c.origin.is_none() && is_year(e));
            for (c, _) in made {
                c.ty =
                    value::SqlType { own_digits: true, zerofill: false, ..value::SqlType::new(value::TypeKind::Year) }
                        .nullable(true);
            }
            let most = rq.resolver.select_limit();
            if q.limit.is_none() && most != u64::MAX {
                let input = Box::new(std::mem::replace(&mut plan.root, Node::Empty));
                let count =
                    expr::Expr { kind: expr::ExprKind::Const(value::OwnedValue::UInt(most)), ..expr::Expr::int(0) };
                plan.root = Node::Limit { input, offset: None, count };
                plan.direct.clear();
            }
            (Body::Select(Box::new(plan)), columns, calc_found_rows)
        }
        ast::Statement::Insert(i) => {
            let body = b.insert(i)?;
            let calc = b.st.calc_found_rows;
            (body, Vec::new(), calc)
        }
        ast::Statement::Update(u) => (b.update(u)?, Vec::new(), false),
        ast::Statement::Delete(d) => (b.delete(d)?, Vec::new(), false),
        ast::Statement::Do(list) => (Body::Select(Box::new(scalars(&mut b, list)?)), Vec::new(), false),
        _ => return bind::unsupported("this statement as a plan"),
    };
    Ok(Plan { reads: reads(statement), ..finish(b, body, columns, calc, rq) })
}

/// Whether an expression is YEAR(x): the client is told that its type is YEAR, although expressions compute with an
/// integer.
fn is_year(e: &expr::Expr) -> bool {
    match &e.kind {
        expr::ExprKind::Once(_, inner) => is_year(inner),
        kind => matches!(kind, expr::ExprKind::Call(func::FuncId::Year, _)),
    }
}

/// Which rows the statement sees in tables that it only reads: those of its snapshot, or the latest committed ones,
/// locked.
fn reads(statement: &ast::Statement<'_>) -> plan::Reads {
    match statement {
        ast::Statement::Query(_) => plan::Reads::Consistent,
        ast::Statement::Insert(i) if matches!(i.source, ast::InsertSource::Query(_)) => plan::Reads::Source,
        ast::Statement::Update(u) if matches!(u.tables, [ast::TableRef::Table(_)]) => plan::Reads::Source,
        _ => plan::Reads::Locked,
    }
}

/// Starts the optimizer trace for the statement with this text; ends with [`trace::finish`] on the same thread.
pub fn start_trace(options: trace::Options, sql: &[u8]) {
    trace::begin(options, explain::print_with, sql);
}

/// Plans expressions that stand outside a query, such as the right sides of SET or the number in KILL.
pub fn plan_scalars<'q>(list: &[ast::Expr<'q>], rq: &Request<'q>) -> SqlResult<Plan> {
    let mut b = Binder::new(rq.resolver, rq.text(), rq.lift, rq.param_types, opt::plan);
    b.draft.locks_reads = true;
    let q = scalars(&mut b, list)?;
    let columns = q.items.iter().map(|e| OutColumn { name: String::new(), ty: e.ty.clone(), origin: None }).collect();
    let plan = finish(b, Body::Select(Box::new(q)), columns, false, rq);
    Ok(Plan { reads: plan::Reads::Locked, ..plan })
}

fn scalars<'q>(b: &mut Binder<'q, '_>, list: &[ast::Expr<'q>]) -> SqlResult<QueryPlan> {
    b.scopes.push(bind::Scope::default());
    let items = list.iter().map(|e| b.scalar(e)).collect::<SqlResult<Vec<_>>>();
    b.scopes.pop();
    Ok(QueryPlan { root: Node::Dual, items: items?, into_vars: vec![], direct: vec![], rows: 1.0, cost: 0.1 })
}

/// Plans the expressions that belong to a table (generated columns, CHECK constraints, expression defaults) without
/// a statement, for rows that are changed by a foreign key's cascade or by ALTER TABLE. The plan reads nothing; the
/// expressions take the row from slot 0, a tuple of the table's columns.
pub fn plan_stored(def: &storage::dict::TableDef, resolver: &dyn Resolver) -> SqlResult<(Plan, plan::TableExprs)> {
    let mut b = Binder::new(resolver, (b"", 0), false, &[], opt::plan);
    let slot = b.new_slot(plan::SlotDef::Tuple(def.columns.iter().map(|c| c.ty.clone()).collect()))?;
    let exprs = b.table_exprs(def, slot)?;
    let rq = Request {
        sql: b"",
        from: 0,
        resolver,
        lift: false,
        param_types: &[],
        params: 0,
        fixed: Vec::new(),
        peek: &[],
        counted: &[],
    };
    let nothing =
        QueryPlan { root: Node::Dual, items: vec![], into_vars: vec![], direct: vec![], rows: 1.0, cost: 0.1 };
    Ok((finish(b, Body::Select(Box::new(nothing)), Vec::new(), false, &rq), exprs))
}

fn finish(
    mut b: Binder<'_, '_>,
    mut body: Body,
    columns: Vec<OutColumn>,
    calc_found_rows: bool,
    rq: &Request<'_>,
) -> Plan {
    let warnings = b.hint_warnings();
    let mut notes = b.draft.notes;
    notes.warnings.extend(warnings);
    notes.uncacheable |= b.peeked.get();
    for (n, t) in &rq.fixed {
        notes.pin(*n, t);
    }
    if !b.blocks.is_empty() {
        notes.set_vars = set_vars(rq.sql.get(rq.from..).unwrap_or_default());
    }
    notes.read_only = matches!(body, Body::Select(_)) && !b.draft.tables.iter().any(|t| t.write || t.locking);
    let into = matches!(&body, Body::Select(q) if !q.into_vars.is_empty());
    let results = rq.resolver.results_collation();
    if let Body::Select(q) = &mut body
        && b.draft.subs.is_empty()
    {
        search::note_alone(q, &mut b.draft.matches);
    }
    let meta = match &body {
        _ if into => ResultMeta::default(),
        Body::Select(q) if !rq.param_types.is_empty() => meta::result(&open_as_text(&columns, q, results), results),
        _ => meta::result(&columns, results),
    };
    Plan {
        body,
        tables: b.draft.tables,
        views: b.draft.views,
        virtuals: b.draft.virtuals,
        functions: b.draft.functions,
        slots: b.draft.slots,
        built: b.draft.built,
        subqueries: b.draft.subs,
        matches: b.draft.matches,
        dives: b.draft.dives.asked.into_inner(),
        once: b.draft.once,
        params: rq.params,
        columns: Arc::new(meta),
        column_types: columns.into_iter().map(|c| c.ty).collect(),
        calc_found_rows,
        reads: plan::Reads::default(),
        notes,
    }
}

/// Columns whose type no context decides, as in `SELECT ?`, are described to the client as text, also if NULL was
/// sent.
fn open_as_text(columns: &[OutColumn], q: &plan::QueryPlan, results: value::CollationId) -> Vec<OutColumn> {
    let mut columns = columns.to_vec();
    for (c, e) in columns.iter_mut().zip(&q.items) {
        if c.ty.kind == value::TypeKind::Null && e.has_param() {
            c.ty = meta::open_parameter(results);
        }
    }
    columns
}
