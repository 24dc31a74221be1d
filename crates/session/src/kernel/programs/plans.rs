//! Plans of a program's expressions and statements: made under the types of its slots, kept with the compiled program
//! for one set of settings ([`crate::kernel::session::settings_key`]), good as long as its tables' definitions and the
//! types of the user variables that it names are what they were. Rights are asked for at each run.

use crate::kernel::plans::CachedPlan;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::set_var::Hinted;
use crate::kernel::statement_kinds::names_tables;
use base::{SqlResult, TableId};
use executor::Env;
use parser::ast::Expr;
use planner::Request;
use planner::expr::VarScope;
use planner::plan::{Body, Plan};
use planner::resolve::{Resolved, Resolver, TableStats, Wish};
use program::host::{Host, Place};
use program::quick::Quick;
use std::cell::RefCell;
use std::sync::Arc;
use storage::dict::TableDef;
use value::{CollationId, SqlMode, SqlType};

/// A plan, and what else decided it.
pub(crate) struct Made {
    pub(crate) plan: CachedPlan,
    /// User variables, with the types that they had.
    variables: Vec<(Box<str>, Option<SqlType>)>,
    /// It reads nothing but slots and variables.
    pub(crate) plain: bool,
    /// It is an expression of whole numbers.
    pub(crate) quick: Option<(Quick, SqlType)>,
}

impl Made {
    pub(crate) fn new(mut plan: Plan, variables: Vec<(Box<str>, Option<SqlType>)>, env: &Env) -> Made {
        plan.notes.of_program = true;
        let nothing =
            plan.functions.is_empty() && plan.tables.is_empty() && plan.views.is_empty() && plan.virtuals.is_empty();
        let plain = nothing && plan.subqueries.is_empty() && plan.notes.constants.is_empty();
        let quick = match &plan.body {
            Body::Select(q) if plain => q.items.first().and_then(|e| Some((Quick::of(e)?, e.ty.clone()))),
            _ => None,
        };
        Made { plan: CachedPlan::new(plan, env), variables, plain, quick }
    }

    /// The plan of an expression.
    pub(crate) fn of_expression(env: &Env, place: &Place<'_>, tree: &Expr<'_>) -> SqlResult<Made> {
        let resolver = ProgramResolver::new(env, place.types);
        let plan = planner::plan_scalars(std::slice::from_ref(tree), &request(place, tree.span, &resolver))?;
        let variables = resolver.variables.take();
        Ok(Made::new(plan, variables, env))
    }

    /// Whether the user variables that it names have the types that they had.
    #[inline]
    pub(crate) fn fits(&self, env: &Env) -> bool {
        self.variables.iter().all(|(name, was)| env.user_vars.get(name).map(|v| &v.ty) == was.as_ref())
    }

    /// Whether it may be run again: not when hints set variables for one run.
    pub(crate) fn keeps(&self) -> bool {
        self.plan.plan.notes.set_vars.is_empty()
    }
}

/// Tables that expressions of one statement read, which are planned one by one: of a list with more than one.
pub(crate) fn tables_of(env: &Env, place: &Place<'_>, list: &[Expr<'_>]) -> SqlResult<Vec<TableId>> {
    let mut tables = Vec::new();
    for e in list.iter().filter(|e| list.len() > 1 && names_tables(e)) {
        let made = Made::of_expression(env, place, e)?;
        made.plan.cleared(env)?;
        tables.extend(made.plan.plan.tables.iter().map(|t| t.def.id));
    }
    Ok(tables)
}

/// All of the program's text.
pub(crate) fn whole(place: &Place<'_>) -> parser::Span {
    parser::Span::new(0, place.source.len() as u32)
}

/// What the planner is asked: with the text of the statement or expression alone, for hints of other statements of the
/// program do not count for it.
pub(crate) fn request<'q>(place: &Place<'q>, of: parser::Span, resolver: &'q dyn Resolver) -> Request<'q> {
    let span = place.span.unwrap_or(of);
    let sql = place.source.get(..span.end as usize).unwrap_or(place.source);
    Request { from: span.start as usize, ..Request::plain(sql, resolver) }
}

/// Runs a statement under the variables that its hints set for its length. Only one whose tree is there has any: plans
/// of the others are not kept.
pub(crate) fn under_hints<H: Host>(
    host: &mut H,
    place: &Place<'_>,
    has_tree: bool,
    run: impl FnOnce(&mut H) -> SqlResult<bool>,
) -> SqlResult<bool> {
    if !has_tree {
        return run(host);
    }
    let text = place.span.and_then(|s| place.source.get(s.start as usize..s.end as usize));
    let vars = planner::set_vars(text.unwrap_or_default());
    if vars.is_empty() {
        return run(host);
    }
    let set = Hinted::set_silently(&vars, host.env());
    let done = run(host);
    set.set_back(host.env());
    done
}

/// The session, and the slots of a program.
pub(crate) struct ProgramResolver<'e> {
    session: SessionResolver<'e>,
    types: &'e [SqlType],
    /// User variables that were asked for.
    pub(crate) variables: RefCell<Vec<(Box<str>, Option<SqlType>)>>,
}

impl<'e> ProgramResolver<'e> {
    pub(crate) fn new(env: &'e Env, types: &'e [SqlType]) -> ProgramResolver<'e> {
        ProgramResolver { session: SessionResolver(env), types, variables: RefCell::default() }
    }
}

impl Resolver for ProgramResolver<'_> {
    fn local(&self, slot: u32) -> Option<SqlType> {
        self.types.get(slot as usize).cloned()
    }
    fn user_variable(&self, name: &str) -> Option<SqlType> {
        let ty = self.session.user_variable(name);
        self.variables.borrow_mut().push((name.into(), ty.clone()));
        ty
    }
    fn table(&self, schema: &str, name: &str, wish: &Wish<'_>) -> SqlResult<Resolved> {
        self.session.table(schema, name, wish)
    }
    fn stored_function(
        &self,
        schema: Option<&str>,
        name: &str,
    ) -> SqlResult<Option<Arc<storage::dict::ProgramDefinition>>> {
        self.session.stored_function(schema, name)
    }
    fn behind(&self, schema: &str, name: &str) -> Option<Arc<TableDef>> {
        self.session.behind(schema, name)
    }
    fn user(&self) -> (&str, &str) {
        self.session.user()
    }
    fn account(&self) -> (&str, &str) {
        self.session.account()
    }
    fn current_schema(&self) -> Option<&str> {
        self.session.current_schema()
    }
    fn stats(&self, table: &TableDef) -> TableStats {
        self.session.stats(table)
    }
    fn sql_mode(&self) -> SqlMode {
        self.session.sql_mode()
    }
    fn connection_collation(&self) -> CollationId {
        self.session.connection_collation()
    }
    fn client_collation(&self) -> CollationId {
        self.session.client_collation()
    }
    fn client_charset(&self) -> value::Charset {
        self.session.client_charset()
    }
    fn results_collation(&self) -> CollationId {
        self.session.results_collation()
    }
    fn system_variable(&self, scope: VarScope, name: &str) -> SqlResult<SqlType> {
        self.session.system_variable(scope, name)
    }
    fn locks_reads(&self) -> bool {
        self.session.locks_reads()
    }
    fn select_limit(&self) -> u64 {
        self.session.select_limit()
    }
    fn hidden_function(&self, schema: &str, name: &str) -> Option<base::SqlError> {
        self.session.hidden_function(schema, name)
    }
    fn hidden_column(&self, schema: &str, table: &str, column: &str, update: bool) -> Option<base::SqlError> {
        self.session.hidden_column(schema, table, column, update)
    }
    fn names_hidden(&self) -> bool {
        self.session.names_hidden()
    }
    fn setting(&self, name: &str) -> u64 {
        self.session.setting(name)
    }
}
