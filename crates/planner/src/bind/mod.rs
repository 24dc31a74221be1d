//! Name resolution and typing: syntax trees become bound expressions and plans.
//!
//! A [`Binder`] lives for one statement. Query blocks push a [`Scope`]; a name that the innermost scope does not know
//! is looked for in the enclosing ones, which marks the blocks in between as correlated. All blocks add to one
//! [`Draft`] of the statement's plan and share what is known while it is bound ([`State`]). The joins of a block are
//! planned by `opt`, which this module does not know: it is given as [`Optimize`].
//!
//! Tested in `planner/tests/plans` with definitions in memory and through the SQL tests.

mod change_order;
mod columns;
mod cte;
mod delete;
mod dml;
mod duplicate;
mod early;
mod expr;
mod functional_dependency;
mod min_max;
mod using_columns;
pub(crate) use expr::fulltext;
mod changed_and_read;
pub(crate) mod column_names;
mod from;
mod funcs;
mod generated;
mod group;
pub(crate) mod hints;
mod insert;
mod items;
mod json;
mod json_default;
mod keyed_subquery;
mod locking;
mod lookup;
mod loose_scan;
pub(crate) mod merge_derived;
mod multi_delete;
mod probe;
pub(crate) mod pushdown;
mod query;
mod recursive;
mod refused;
mod resolved_names;
mod rollup;
mod scope;
mod select;
pub(crate) mod semi;
mod setop;
mod stored;
mod sys_function;
mod target;
mod through_temporary;
mod uncalled;
mod update;
pub(crate) mod view;
mod window;
mod window_call;
mod window_nodes;
mod zero_dates;

use std::sync::{Arc, OnceLock};

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use storage::dict::TableDef;
use value::{CollationId, SqlMode, SqlType};

use crate::block::hints::Order;
use crate::block::{Context, Draft, Job, Joined, Optimize};
use crate::expr::{AggCall, Expr, SlotId};
use crate::plan::{SlotDef, TableUse, Via};
use crate::resolve::{Resolver, Verb};
use crate::types::TypeCtx;

pub use dml::GRANT_TABLES;
pub(crate) use dml::SELECT;
pub use expr::temporal_literal;
pub(crate) use query::{BoundQuery, outermost};
pub(crate) use scope::Scope;
pub use scope::same_name;
pub(crate) use through_temporary::table_columns;

/// What all blocks of a statement share.
#[derive(Default)]
pub(crate) struct State {
    /// What a statement does to the tables of its FROM, if it does not only read them, and the depth of scopes of that
    /// FROM (a subquery's tables are only read).
    pub(crate) verb: Option<(Verb, usize)>,
    /// A user variable is assigned in an expression.
    pub(crate) assigns: bool,
    pub(crate) select_no: u32,
    /// What is bound is the query of CREATE VIEW.
    pub(crate) view_text: bool,
    /// What is bound is an expression of a table: a default, a generated column, a check.
    pub(crate) table_expr: bool,
    /// Address of the first block of the statement's own query, the one that may have options for the whole; 0 if it is
    /// not looked for.
    pub(crate) outermost: usize,
    pub(crate) depth: u32,
    /// Nodes of expressions that the plan contains a second time ([`Binder::copied`]).
    pub(crate) copies: usize,
    pub(crate) locking: bool,
    /// The view being bound.
    pub(crate) via: Option<Arc<Via>>,
    /// The view that the statement names on the way to it, and how many it has named.
    pub(crate) top_view: Option<changed_and_read::TopView>,
    pub(crate) view_instances: u32,
    /// Whether [`State::uses`] is filled.
    pub(crate) keep_uses: bool,
    /// Tables and views that the outermost view names.
    pub(crate) uses: Vec<crate::plan::Used>,
    /// Stored functions that the view itself calls, as its text names them.
    pub(crate) called: Vec<(std::sync::Arc<storage::dict::ProgramDefinition>, String)>,
    /// Names of the views being bound.
    pub(crate) view_stack: Vec<(String, String)>,
    /// Recursive tables so far.
    pub(crate) working: u16,
    /// How many subqueries of expressions enclose what is bound now, counted from the innermost derived table.
    pub(crate) sub_depth: u32,
    /// Inside the assignments of ON DUPLICATE KEY UPDATE.
    pub(crate) in_duplicates: bool,
    /// Base tables that are read while the statement changes others.
    pub(crate) reads: Vec<changed_and_read::Read>,
    /// Names of the tables that hints may name, by the number of their block.
    pub(crate) hinted_tables: Vec<(u32, Vec<(String, Option<Arc<storage::dict::TableDef>>)>)>,
    /// Warnings of hints about the order of joins, which MySQL gives when it orders them.
    pub(crate) late_warnings: Vec<value::Warning>,
    /// The statement is no query.
    pub(crate) dml: bool,
    /// The query of an INSERT has SQL_CALC_FOUND_ROWS.
    pub(crate) calc_found_rows: bool,
    /// Inside the query of a common table expression: how deep. MySQL opens its tables once, however often the
    /// expression is named.
    pub(crate) in_cte: u32,
    /// Inside the second binding of a correlated subquery (`bind/keyed_subquery.rs`).
    pub(crate) splitting: bool,
    /// The name being resolved is what an assignment sets.
    pub(crate) assigning: bool,
    /// Blocks (by text and place) that could not be merged or turned into a join. They are not tried again when an
    /// enclosing block is bound a second time; otherwise the work would double at every level of nesting.
    pub(crate) refused: hashbrown::HashSet<(usize, u32)>,
    /// Tables to the left of the query in FROM that is bound next.
    pub(crate) beside: usize,
    /// Parameters whose type the expression around them may still change (`? + 1.5`).
    pub(crate) unsettled: hashbrown::HashSet<u32>,
    /// Parameters in select lists that are bound: expressions that read those columns no longer change their types.
    pub(crate) closed: hashbrown::HashSet<u32>,
    /// The order of the rows of the block that is bound next does not matter: its ORDER BY can be left out.
    pub(crate) moot_order: bool,
    /// Only the set of rows of the block that is bound next matters, not how often each occurs (EXISTS, IN, ANY, ALL):
    /// its DISTINCT can be left out.
    pub(crate) member: bool,
    /// The block that is bound next is the subquery of EXISTS, where `SELECT *` may stand without a table.
    pub(crate) exists: bool,
    /// Conditions for the rows of the block that is bound next.
    pub(crate) asked: Option<pushdown::Asked>,
    /// For each of these conditions whether the block bound last took it.
    pub(crate) answer: Vec<bool>,
    /// The query in FROM that was bound last can take conditions from outside.
    pub(crate) receptive: bool,
    /// Blocks bound a second time for conditions that move.
    pub(crate) again: u32,
    /// Common table expressions that have come in sight.
    pub(crate) ctes: u32,
    /// Where the call that is being bound stands.
    pub(crate) call: ast::Span,
    /// The item of a select list that was bound last, and its alias.
    pub(crate) item: (ast::Span, Option<Box<str>>),
}

/// Binds one statement.
pub(crate) struct Binder<'a, 'r> {
    pub(crate) r: &'r dyn Resolver,
    /// `optimizer_switch`: looked at for every table that is tried at a place of the join order.
    pub(crate) switch: u64,
    pub(crate) sql: &'a [u8],
    pub(crate) tcx: TypeCtx,
    pub(crate) mode: SqlMode,
    /// Literals become parameters of a shared plan.
    pub(crate) lift: bool,
    /// Types of `?`.
    pub(crate) param_types: &'r [SqlType],
    /// Values of this execution's lifted literals: for estimates only.
    pub(crate) peek: &'r [value::OwnedValue],
    /// Some of them have decided something.
    pub(crate) peeked: std::cell::Cell<bool>,
    pub(crate) st: State,
    /// The plan as far as it is there.
    pub(crate) draft: Draft,
    /// What plans the joins of a block that is bound.
    pub(crate) optimize: Optimize,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) ctes: Vec<cte::CteDef<'a>>,
    /// Recursive tables whose members are being bound.
    pub(crate) working: Vec<recursive::Working>,
    /// Table order that hints of the present block ask for.
    pub(crate) hinted: Order,
    /// The statement's query blocks, if it has hints.
    pub(crate) blocks: Vec<hints::blocks::Block>,
    /// What their hints say.
    pub(crate) told: hints::tree::Tree,
    /// What the aggregates whose arguments are being bound name, the innermost last.
    pub(crate) below: Vec<expr::Below>,
    /// Literals met now decide metadata: they are pinned.
    pub(crate) pinning: bool,
    /// How many of the scopes are outside of the derived table that is being bound: their select lists' aliases mean
    /// nothing in it.
    pub(crate) fence: usize,
    /// Texts of conjuncts that all branches of the disjunction being bound share.
    pub(crate) shared: Vec<&'a [u8]>,
    /// VALUES(c) is allowed and means this slot.
    pub(crate) values_slot: Option<(SlotId, SlotId)>,
    /// Tuples that stand for rows of the first table (INSERT).
    pub(crate) insert_slots: Vec<SlotId>,
    /// Schema for unqualified names inside a view.
    pub(crate) view_schema: Option<String>,
    /// What is bound now is on the inner side of an outer join.
    pub(crate) nullable_side: bool,
    /// What names turn out to mean, for the canonical text of a view.
    pub(crate) rec: Option<Box<parser::print::Resolution>>,
    /// Names of INSERT ... SELECT ... ON DUPLICATE KEY UPDATE (see `bind/duplicate.rs`).
    pub(crate) source: duplicate::SourceNames,
    /// Whether the next block is bound as a lookup (`bind/keyed_subquery.rs`).
    pub(crate) split: keyed_subquery::Split,
    /// What the items of the next block are to be equal to (`bind/probe.rs`).
    pub(crate) probing: Option<probe::Wanted>,
    /// Conditions that are to move into the queries of the FROM being bound, and their answers (`bind/pushdown.rs`).
    pub(crate) requests: pushdown::Requests,
    pub(crate) answers: Vec<(usize, Vec<bool>)>,
}

impl<'a, 'r> Binder<'a, 'r> {
    pub(crate) fn new(
        r: &'r dyn Resolver,
        (sql, from): (&'a [u8], usize),
        lift: bool,
        param_types: &'r [SqlType],
        optimize: Optimize,
    ) -> Self {
        let mode = r.sql_mode();
        let mut tcx = TypeCtx {
            connection: CollationId::UTF8MB4_BIN,
            wide: None,
            client: r.client_charset(),
            div_increment: r.setting("div_precision_increment").min(30) as u8,
            no_unsigned_subtraction: mode.has(SqlMode::NO_UNSIGNED_SUBTRACTION),
            strict: mode.has(SqlMode::STRICT_TRANS_TABLES) || mode.has(SqlMode::STRICT_ALL_TABLES),
        };
        tcx.connect(r.connection_collation());
        let mut binder = Binder::empty(r, r.setting("optimizer_switch"), sql, tcx, mode, optimize);
        (binder.lift, binder.param_types) = (lift, param_types);
        binder.blocks = hints::blocks::blocks(sql, from, mode.has(SqlMode::ANSI_QUOTES));
        binder.settle_hints();
        binder
    }

    /// For a text that is part of what is bound, as a view's or a stored expression's: its names are of `schema`, and
    /// nothing of the blocks around it is in sight. To be given back to [`Binder::resume`].
    pub(crate) fn for_text<'t>(&mut self, sql: &'t [u8], schema: &str) -> Binder<'t, 'r> {
        let mut inner = Binder::empty(self.r, self.switch, sql, self.tcx, self.mode, self.optimize);
        (inner.st, inner.draft) = (std::mem::take(&mut self.st), std::mem::take(&mut self.draft));
        inner.view_schema = Some(schema.to_owned());
        inner
    }

    /// Goes on behind such a text.
    pub(crate) fn resume(&mut self, inner: Binder<'_, '_>) {
        (self.st, self.draft) = (inner.st, inner.draft);
    }

    fn empty(r: &'r dyn Resolver, switch: u64, sql: &'a [u8], tcx: TypeCtx, mode: SqlMode, optimize: Optimize) -> Self {
        Binder {
            r,
            switch,
            sql,
            tcx,
            mode,
            lift: false,
            param_types: &[],
            peek: &[],
            peeked: Default::default(),
            st: State::default(),
            draft: Draft::default(),
            optimize,
            scopes: Vec::new(),
            ctes: Vec::new(),
            working: Vec::new(),
            hinted: Vec::new(),
            blocks: Vec::new(),
            told: Default::default(),
            below: Vec::new(),
            pinning: false,
            fence: 0,
            shared: Vec::new(),
            source: duplicate::SourceNames::default(),
            split: keyed_subquery::Split::No,
            probing: None,
            requests: Vec::new(),
            answers: Vec::new(),
            values_slot: None,
            insert_slots: Vec::new(),
            view_schema: None,
            nullable_side: false,
            rec: None,
        }
    }

    /// A block's key in [`State::refused`].
    pub(crate) fn block_key(&self, s: &ast::Select<'_>) -> (usize, u32) {
        (self.sql.as_ptr() as usize, s.span.start)
    }

    /// Plans the joined rows of a block.
    pub(crate) fn plan_joins(&mut self, job: Job<'_>) -> SqlResult<Joined> {
        let (r, switch, peek) = (self.r, self.switch, self.peek);
        (self.optimize)(Context { r, switch, peek, peeked: &self.peeked, draft: &mut self.draft }, job)
    }

    /// A new row slot.
    pub(crate) fn new_slot(&mut self, def: SlotDef) -> SqlResult<SlotId> {
        let id =
            u16::try_from(self.draft.slots.len()).map_err(|_| SqlError::new(ErrorCode::TOO_MANY_TABLES, &[&61]))?;
        self.draft.slots.push(def);
        Ok(id)
    }

    /// Notes the use of a base table; the same definition used twice is two entries (each has its own slot).
    pub(crate) fn use_table(&mut self, def: &Arc<TableDef>, alias: &str, at: ast::Span) -> u16 {
        let via = self.st.via.clone();
        self.draft.tables.push(TableUse {
            def: def.clone(),
            alias: alias.into(),
            at: at.start,
            write: false,
            privileges: 0,
            columns: Default::default(),
            locking: self.st.locking,
            for_update: false,
            via,
            opened: OnceLock::new(),
        });
        (self.draft.tables.len() - 1) as u16
    }

    /// 1137 for a temporary table that the statement names twice.
    pub(crate) fn check_reopened(&self, def: &TableDef) -> SqlResult<()> {
        if def.is_temporary()
            && self.st.in_cte == 0
            && let Some(open) = self.draft.tables.iter().find(|t| t.def.id == def.id)
        {
            return Err(SqlError::new(ErrorCode::CANT_REOPEN_TABLE, &[&open.alias]));
        }
        Ok(())
    }

    /// The schema a name belongs to.
    pub(crate) fn schema_of(&self, schema: Option<&str>) -> SqlResult<String> {
        schema
            .map(str::to_owned)
            .or_else(|| self.view_schema.clone())
            .or_else(|| self.r.current_schema().map(str::to_owned))
            .ok_or_else(|| SqlError::new(ErrorCode::NO_DB_ERROR, &[]))
    }

    /// An expression is put into the plan once more. What contains itself twice at each level of nesting would need
    /// exponential memory: an error beyond [`MAX_COPIES`].
    pub(crate) fn copied(&mut self, e: &Expr) -> SqlResult<()> {
        self.st.copies += e.nodes();
        if self.st.copies > MAX_COPIES { Err(sched::stack::overrun()) } else { Ok(()) }
    }
}

/// Nodes of expressions that a statement's plan may have twice.
const MAX_COPIES: usize = 1 << 18;

/// 1235 for a feature.
pub(crate) fn unsupported<T>(what: impl std::fmt::Display) -> SqlResult<T> {
    Err(SqlError::unsupported(what))
}

/// Adds an aggregate to a list, reusing an equal one; its number.
pub(crate) fn add_agg(aggs: &mut Vec<AggCall>, a: AggCall) -> u16 {
    let same = |b: &AggCall| {
        a.func == b.func
            && a.distinct == b.distinct
            && a.args.len() == b.args.len()
            && a.args.iter().zip(b.args.iter()).all(|(x, y)| x.same(y))
            && a.order.is_empty()
            && b.order.is_empty()
            && a.separator == b.separator
    };
    if let Some(i) = aggs.iter().position(same) {
        return i as u16;
    }
    aggs.push(a);
    (aggs.len() - 1) as u16
}
