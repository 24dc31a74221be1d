//! Settings that forbid statements: `read_only` and `super_read_only` (1290), `sql_safe_updates` (1175), `max_join_size` with
//! `sql_big_selects` off (1104), `require_row_format` (3944).
//!
//! Checked on a plan before it runs, or at DDL and COMMIT; a plan stays in the cache whatever the settings are. Tested: `tests/sql`
//! (`guards.sql`).

use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use executor::Env;
use parser::ast::Statement;
use planner::plan::{Access, Body, InsertSource, LockMode, Node, Plan, QueryPlan};

/// End of 1175's text; MySQL puts the range optimizer's warnings there.
const NO_KEY: &str = "";

impl Session {
    /// 1290 if the server is read-only for this account.
    pub(crate) fn check_read_only(&self) -> SqlResult<()> {
        check_read_only(&self.env)
    }

    /// The same of a statement without a plan: LOAD DATA, temporary tables.
    pub(crate) fn check_row_format(&self, s: &Statement<'_>) -> SqlResult<()> {
        match s {
            Statement::LoadData(_) => check_row_format(&self.env),
            Statement::CreateTable(c) if c.temporary => check_row_format(&self.env),
            Statement::DropTable(d) if d.temporary => check_row_format(&self.env),
            _ => Ok(()),
        }
    }

    /// What the settings forbid about a plan that is about to run.
    pub(crate) fn check_guards(&self, plan: &Plan) -> SqlResult<()> {
        check(&self.env, plan)
    }
}

/// 1290 if the server is read-only for this account.
fn check_read_only(env: &Env) -> SqlResult<()> {
    if env.binlog.origin().is_some() {
        // what a source has changed is changed here, too
        return Ok(());
    }
    let g = &env.shared.globals;
    let option = if g.bool(Var::super_read_only) {
        "--super-read-only"
    } else if g.bool(Var::read_only) && !env.security.account.privileges.has_dynamic("CONNECTION_ADMIN") {
        "--read-only"
    } else {
        return Ok(());
    };
    Err(SqlError::new(ErrorCode::OPTION_PREVENTS_STATEMENT, &[&option]))
}

/// What the settings forbid about a plan that is about to run.
pub(crate) fn check(env: &Env, plan: &Plan) -> SqlResult<()> {
    // temporary tables may be changed on a read-only server
    if plan.tables.iter().any(|t| t.write && !t.def.is_temporary()) {
        check_read_only(env)?;
    }
    if !matches!(plan.body, Body::Select(_)) {
        check_row_format(env)?;
    }
    match &plan.body {
        Body::Select(q) => check_join_size(env, q),
        Body::Insert(i) => match &i.source {
            InsertSource::Select(q) => check_join_size(env, q),
            InsertSource::Values(_) => Ok(()),
        },
        Body::Update(u) => check_safe_update(env, &u.source, u.limit.is_some()),
        Body::Delete(d) => check_safe_update(env, &d.source, d.limit.is_some()),
    }
}

/// 3944 for changes that are no events of rows, in a session that takes only those.
fn check_row_format(env: &Env) -> SqlResult<()> {
    let only = env.kernel.rows_only || env.vars.bool(Var::require_row_format);
    match only && !env.kernel.applies_rows {
        true => Err(SqlError::new(ErrorCode::CLIENT_QUERY_FAILURE_INVALID_NON_ROW_FORMAT, &[])),
        false => Ok(()),
    }
}

fn check_join_size(env: &Env, q: &QueryPlan) -> SqlResult<()> {
    if env.vars.bool(Var::sql_big_selects) || combinations(&q.root) <= env.vars.num(Var::max_join_size) as f64 {
        return Ok(());
    }
    Err(SqlError::new(ErrorCode::TOO_BIG_SELECT, &[]))
}

fn check_safe_update(env: &Env, source: &Node, limit: bool) -> SqlResult<()> {
    if !limit && env.vars.bool(Var::sql_safe_updates) && reads_without_key(source) {
        return Err(SqlError::new(ErrorCode::UPDATE_WITHOUT_KEY_IN_SAFE_MODE, &[&NO_KEY]));
    }
    Ok(())
}

/// Whether a table whose rows are changed is read although no index was usable for it, and no LIMIT stands above.
fn reads_without_key(n: &Node) -> bool {
    match n {
        Node::Scan(s) => s.lock == LockMode::Update && matches!(s.access, Access::Full) && s.possible.is_empty(),
        Node::NestedLoop { outer, inner, .. } | Node::HashJoin { outer, inner, .. } => {
            reads_without_key(outer) || reads_without_key(inner)
        }
        Node::Filter { input, .. }
        | Node::Sort { input, .. }
        | Node::Window { input, .. }
        | Node::Aggregate { input, .. }
        | Node::Unique { input, .. }
        | Node::Distinct { input, .. } => reads_without_key(input),
        Node::Limit { .. }
        | Node::Dual
        | Node::Empty
        | Node::Virtual { .. }
        | Node::JsonTable(_)
        | Node::Ends(_)
        | Node::Derived { .. }
        | Node::Values { .. }
        | Node::Recursive { .. }
        | Node::Working { .. }
        | Node::SetOp { .. } => false,
    }
}

/// Estimated row combinations that are examined.
fn combinations(n: &Node) -> f64 {
    match n {
        Node::Scan(s) => s.rows.max(1.0),
        Node::NestedLoop { outer, inner, .. } | Node::HashJoin { outer, inner, .. } => {
            combinations(outer) * combinations(inner)
        }
        Node::Filter { input, .. }
        | Node::Sort { input, .. }
        | Node::Window { input, .. }
        | Node::Aggregate { input, .. }
        | Node::Distinct { input, .. }
        | Node::Unique { input, .. }
        | Node::Limit { input, .. } => combinations(input),
        Node::Derived { query, .. } => combinations(&query.root),
        Node::SetOp { first, rest, .. } => {
            rest.iter().map(|(_, q)| combinations(&q.root)).fold(combinations(&first.root), f64::max)
        }
        Node::Recursive { plan, .. } => combinations(&plan.seed.root),
        Node::Dual
        | Node::Empty
        | Node::Virtual { .. }
        | Node::JsonTable(_)
        | Node::Ends(_)
        | Node::Values { .. }
        | Node::Working { .. } => 1.0,
    }
}
