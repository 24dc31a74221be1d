//! Statements of stored functions and triggers, in the middle of the statement that calls them: the kernel's
//! [`NestedStatements`]. The contract is written there and in `docs/nested-statements.md`.
//!
//! The session is lent to the executor meanwhile; everything here works on its [`Env`] alone. What the session itself
//! decides (autocommit, savepoints of the client, the answer) is not reached from here, which is why nothing nested can
//! end a transaction.
//!
//! Tested: `nested_tests.rs`.

use crate::kernel::forbidding_settings;
use crate::kernel::locks::{is_current, take_locks};
use crate::kernel::plans::CachedPlan;
use crate::kernel::programs::caller::Caller;
use crate::kernel::programs::inner::InnerHost;
use crate::kernel::programs::load;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::server::Server;
use crate::kernel::session::Session;
use crate::kernel::statement_kinds::changes_definitions;
use crate::text;
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::accounts::roles::RoleName;
use catalog::client::ResultSink;
use catalog::sysvar::{Raw, Var};
use executor::Env;
use executor::gate::Gate;
use executor::programs::{NestedEnd, NestedStatements, NewRow, Program, RunningProgram};
use parking_lot::Mutex;
use parser::ast::{SetItem, Statement, VarScope};
use planner::Request;
use planner::plan::{Body, FunctionUse, Plan};
use program::Areas;
use sched::Deadline;
use std::sync::Arc;
use storage::dict::ProgramDefinition;
use value::{OwnedValue, SqlType};

/// Variables that a program has from its creation.
const CREATED_WITH: [Var; 3] = [Var::sql_mode, Var::character_set_client, Var::collation_connection];

/// The kernel's way to run them.
pub(crate) struct Nested {
    server: Arc<Server>,
    /// One session for statements without a plan that nobody uses now (`programs/lent.rs`).
    spare: Mutex<Option<Box<Session>>>,
}

impl Nested {
    pub(crate) fn new(server: &Arc<Server>) -> Nested {
        Nested { server: server.clone(), spare: Mutex::new(None) }
    }

    /// A session to be put around the environment.
    ///
    /// # Errors
    /// Those of opening a transaction.
    pub(crate) fn take_spare(&self) -> SqlResult<Box<Session>> {
        let kept = self.spare.lock().take();
        match kept {
            Some(s) => Ok(s),
            None => Ok(Box::new(Session::internal(&self.server)?)),
        }
    }

    pub(crate) fn give_spare(&self, s: Box<Session>) {
        *self.spare.lock() = Some(s);
    }
}

/// What [`NestedStatements::within`] changes besides, for a program that is none of the dictionary's.
struct Outside {
    vars: [u64; 3],
    schema: Option<Arc<str>>,
    account: Arc<catalog::accounts::Account>,
    active_roles: Vec<RoleName>,
    conversion: (value::SqlMode, bool),
}

impl Outside {
    fn save(env: &Env) -> Outside {
        Outside {
            vars: CREATED_WITH.map(|v| env.vars.num(v)),
            schema: env.schema.clone(),
            account: env.security.account.clone(),
            active_roles: env.security.active_roles.clone(),
            conversion: (env.conv.sql_mode, env.conv.strict),
        }
    }

    fn restore(self, env: &mut Env) {
        for (v, n) in CREATED_WITH.into_iter().zip(self.vars) {
            env.vars.store(v, Raw::Num(n));
        }
        (env.schema, env.security.account, env.security.active_roles) = (self.schema, self.account, self.active_roles);
        (env.conv.sql_mode, env.conv.strict) = self.conversion;
    }
}

impl NestedStatements for Nested {
    fn within(
        &self,
        program: &Program<'_>,
        env: &mut Env,
        body: &mut dyn FnMut(&mut Env) -> SqlResult<()>,
    ) -> SqlResult<()> {
        sched::stack::check()?;
        let definer = match program.definer {
            None => None,
            Some((user, host)) => {
                let missing = || SqlError::new(ErrorCode::NO_SUCH_USER, &[&user, &host]);
                Some(Gate::new(env).definer(user, host).ok_or_else(missing)?)
            }
        };
        let (caller, outside) = (Caller::save(env), Outside::save(env));
        if let Some(a) = definer {
            env.security.active_roles = a.privileges.default_roles.iter().cloned().collect();
            env.security.account = a;
        }
        let [client, connection] = program.collations;
        for (v, n) in CREATED_WITH.into_iter().zip([program.sql_mode.0, client.0.into(), connection.0.into()]) {
            env.vars.store(v, Raw::Num(n));
        }
        env.schema = Some(program.schema.into());
        let used = program.caller.tables.iter().map(|t| t.def.id).collect();
        env.kernel.programs.push(RunningProgram { kind: program.kind, id: 0, used });
        let done = body(env);
        env.kernel.programs.pop();
        outside.restore(env);
        caller.restore(env);
        done
    }

    fn function(
        &self,
        function: &FunctionUse,
        arguments: &[(OwnedValue, SqlType)],
        plan: &Plan,
        env: &mut Env,
    ) -> SqlResult<OwnedValue> {
        sched::stack::check()?;
        let d = &function.def;
        if env.kernel.programs.iter().any(|p| p.id == d.id) {
            return Err(SqlError::new(ErrorCode::SP_NO_RECURSION, &[]));
        }
        let unit = load::load(env, d)?;
        let used = used_around(plan, env);
        let caller = Caller::save(env);
        // an INVOKER's function in a view runs as whoever the view runs as
        let definer = function.via.as_ref().and_then(|v| v.definer.as_ref());
        let definer = definer.and_then(|(user, host)| Gate::new(env).definer(user, host));
        let outside = definer.map(|a| {
            let roles = a.privileges.default_roles.iter().cloned().collect();
            let roles = std::mem::replace(&mut env.security.active_roles, roles);
            (std::mem::replace(&mut env.security.account, a), roles)
        });
        env.statement.strictness = env.statement.strictness.of_called();
        env.kernel.programs.push(RunningProgram { kind: "FUNCTION", id: d.id, used });
        let mut areas = Areas { seen: caller.seen(&unit.code), ..Areas::default() };
        let done = program::run::function(&unit, arguments, &function.text, &mut InnerHost::new(env, self), &mut areas);
        env.kernel.programs.pop();
        if let Some(outside) = outside {
            (env.security.account, env.security.active_roles) = outside;
        }
        let row_count = env.counts.row_count;
        caller.restore(env);
        // SET v = f() in a program leaves what the function's last statement has; other statements have their own count
        env.counts.row_count = row_count;
        // what converting its value has warned of is the caller's to tell; of an error, what stands before it
        tell(if done.is_ok() { &areas.present } else { &areas.ahead }, env);
        done.inspect_err(|e| env.statement.keep_items(e, areas.raised.take()))
    }

    fn trigger(
        &self,
        d: &Arc<ProgramDefinition>,
        old: Option<&[OwnedValue]>,
        new: Option<&mut NewRow>,
        plan: &Plan,
        env: &mut Env,
    ) -> SqlResult<()> {
        sched::stack::check()?;
        if env.kernel.programs.iter().any(|p| p.id == d.id) {
            return Err(SqlError::new(ErrorCode::SP_NO_RECURSION, &[]));
        }
        let own = |t: &&planner::plan::TableUse| t.write && t.def.triggers.iter().any(|p| Arc::ptr_eq(p, d));
        let unit = match plan.tables.iter().find(own) {
            Some(t) => load::load_of(env, d, Some(&t.def))?,
            None => load::load(env, d)?,
        };
        let mut slots = unit.empty.clone();
        for (slot, is_new, column) in &unit.rows {
            let values = if *is_new { new.as_deref().map(|n| n.values.as_slice()) } else { old };
            let value = values.and_then(|v| v.get(*column as usize)).cloned();
            if let (Some(s), Some(v)) = (slots.get_mut(*slot as usize), value) {
                *s = v;
            }
        }
        let caller = Caller::save(env);
        let used = plan.tables.iter().map(|t| t.def.id).collect();
        env.kernel.programs.push(RunningProgram { kind: "TRIGGER", id: d.id, used });
        let mut areas = Areas { seen: caller.seen(&unit.code), ..Areas::default() };
        let done = program::run::trigger(&unit, &mut slots, &mut InnerHost::new(env, self), &mut areas);
        env.kernel.programs.pop();
        let row_count = env.counts.row_count;
        caller.restore(env);
        // ROW_COUNT() in the row behind this one is that of the trigger's last statement
        env.counts.row_count = row_count;
        if let Err(e) = &done {
            tell(&areas.ahead, env);
            env.statement.keep_items(e, areas.raised.take());
        }
        let assigned = done?;
        if let Some(new) = new {
            for (slot, _, column) in unit.rows.iter().filter(|r| r.1) {
                if assigned.contains(slot) {
                    new.assigned.push(*column);
                }
                if let (Some(to), Some(v)) = (new.values.get_mut(*column as usize), slots.get_mut(*slot as usize)) {
                    *to = std::mem::take(v);
                }
            }
        }
        Ok(())
    }

    fn run(
        &self,
        sql: &[u8],
        values: &[(OwnedValue, SqlType)],
        env: &mut Env,
        rows: Option<&mut dyn ResultSink>,
    ) -> SqlResult<NestedEnd> {
        env.check_killed()?;
        env.begin_nested_statement();
        let (arena, mut lexed) = (Bump::new(), parser::Lexed::new());
        text::tokenize(env, &mut lexed, sql, 0);
        let parsed = parser::parse(&arena, sql, &mut lexed)?;
        may_be_nested(&parsed.statement, env, rows.is_some())?;
        let (types, params): (Vec<SqlType>, Vec<OwnedValue>) =
            values.iter().map(|(v, t)| (t.clone(), v.clone())).unzip();
        let plan = planned(env, |env| {
            let resolver = SessionResolver(env);
            planner::plan(&parsed.statement, &Request::plain(sql, &resolver).with(&types))
        })?;
        if plan.writes || plan.locking {
            may_change(&plan, env)?;
        }
        forbidding_settings::check(env, &plan.plan)?;
        probe::inc(crate::kernel::com_counters::of_plan(&plan.plan.body));
        // the caller's snapshot goes on, also under READ COMMITTED
        let start = env.trx.savepoint();
        let mark = env.binlog.begin_nested();
        match run_plan(&plan, &params, env, rows) {
            Ok(row_count) => {
                env.binlog.end_nested(mark, true);
                env.counts.row_count = row_count;
                Ok(NestedEnd { row_count, conditions: env.conv.warnings.clone() })
            }
            Err(e) => {
                // a deadlock has no savepoint any more: the calling statement rolls everything back
                if !e.is(ErrorCode::LOCK_DEADLOCK) {
                    env.trx.rollback_to(start)?;
                }
                env.binlog.end_nested(mark, false);
                env.counts.row_count = -1;
                Err(e)
            }
        }
    }
}

/// Conditions that a function or trigger has left to the statement that called it. Before an error they are what a
/// handler had when it raised that error by RESIGNAL: SHOW WARNINGS has both.
fn tell(list: &[program::Condition], env: &mut Env) {
    for c in list {
        if env.conv.warnings.len() < env.conv.max_warnings {
            env.conv.warnings.push(c.row());
        }
        env.conv.warning_count += 1;
    }
}

/// Whether a program may run such a statement in the middle of another one (manual, "Restrictions on Stored Programs").
pub(crate) fn may_be_nested(s: &Statement<'_>, env: &Env, rows: bool) -> SqlResult<()> {
    let kind = env.kernel.programs.last().map_or("function", |p| p.kind).to_ascii_lowercase();
    let never = |what: &str| Err(SqlError::new(ErrorCode::STMT_NOT_ALLOWED_IN_SF_OR_TRG, &[&what]));
    match s {
        Statement::Query(q) if rows || q.into.is_some() => Ok(()),
        Statement::Query(_) => Err(SqlError::new(ErrorCode::SP_NO_RETSET, &[&kind])),
        Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) => Ok(()),
        Statement::CreateTable(c) if c.temporary => Ok(()),
        Statement::DropTable(d) if d.temporary => Ok(()),
        Statement::Savepoint(_) | Statement::RollbackTo(_) | Statement::ReleaseSavepoint(_) => Ok(()),
        Statement::SetTransaction(_) | Statement::SetRole(_) | Statement::Kill(_) | Statement::Do(_) => Ok(()),
        Statement::Set(items) => items.iter().try_for_each(|i| match i {
            SetItem::Password { .. } => Err(SqlError::new(ErrorCode::SP_CANT_SET_AUTOCOMMIT, &[])),
            SetItem::Var { scope: VarScope::Default | VarScope::Session, name, .. }
                if name.base.is_none() && name.name.eq_ignore_ascii_case("autocommit") =>
            {
                Err(SqlError::new(ErrorCode::SP_CANT_SET_AUTOCOMMIT, &[]))
            }
            _ => Ok(()),
        }),
        Statement::Prepare(_) | Statement::Execute { .. } | Statement::Deallocate(_) => never("Dynamic SQL"),
        Statement::Flush(_) => never("FLUSH"),
        Statement::ResetPersist { .. } | Statement::Reset { .. } => never("RESET"),
        Statement::LockTables(_) | Statement::UnlockTables => never("LOCK"),
        Statement::Begin(_) | Statement::Commit(_) | Statement::Rollback(_) | Statement::Xa(_) => {
            Err(SqlError::new(ErrorCode::COMMIT_NOT_ALLOWED_IN_SF_OR_TRG, &[]))
        }
        s if changes_definitions(s) => Err(SqlError::new(ErrorCode::COMMIT_NOT_ALLOWED_IN_SF_OR_TRG, &[])),
        _ => Err(SqlError::unsupported("this statement in a stored program")),
    }
}

/// Tables that the statement which calls a function uses.
fn used_around(plan: &Plan, env: &Env) -> smallvec::SmallVec<[base::TableId; 4]> {
    plan.tables.iter().map(|t| t.def.id).chain(env.statement.beside.iter().copied()).collect()
}

/// 1442 for a table that a calling statement uses, 1792 where changes are refused.
pub(crate) fn may_change(plan: &CachedPlan, env: &Env) -> SqlResult<()> {
    for t in plan.plan.tables.iter().filter(|t| t.write) {
        if env.kernel.programs.iter().any(|p| p.used.contains(&t.def.id)) {
            return Err(SqlError::new(ErrorCode::CANT_UPDATE_USED_TABLE_IN_SF_OR_TRG, &[&t.def.name]));
        }
    }
    if env.trx.refuses_changes(env.vars.bool(Var::transaction_read_only)) {
        return Err(SqlError::new(ErrorCode::CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, &[]));
    }
    Ok(())
}

/// A plan that the account may run, under its metadata locks: asked before waited, as for every statement.
fn planned(env: &mut Env, make: impl Fn(&Env) -> SqlResult<planner::plan::Plan>) -> SqlResult<CachedPlan> {
    let deadline = Deadline::after(std::time::Duration::from_secs(env.vars.num(Var::lock_wait_timeout)));
    for _ in 0..8 {
        let plan = CachedPlan::new(make(env)?, env);
        plan.cleared(env)?;
        take_locks(&plan, env, deadline)?;
        if is_current(env, &plan) {
            return Ok(plan);
        }
    }
    Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[]))
}

/// Runs it; ROW_COUNT() afterwards.
fn run_plan(
    plan: &CachedPlan,
    params: &[OwnedValue],
    env: &mut Env,
    rows: Option<&mut dyn ResultSink>,
) -> SqlResult<i64> {
    let cleared = plan.cleared(env)?;
    match (&plan.plan.body, rows) {
        (Body::Select(q), _) if !q.into_vars.is_empty() => Ok(executor::select_into(cleared, params, env)? as i64),
        (Body::Select(_), Some(out)) => executor::select(cleared, params, env, out).map(|_| -1),
        (Body::Select(_), None) => Err(SqlError::new(ErrorCode::SP_NO_RETSET, &[&"function"])),
        _ => Ok(executor::dml(cleared, params, env)?.affected as i64),
    }
}
