//! The gate: the one place that decides whether an account may do what a plan does, and the proof that it was asked.
//!
//! * [`Gate::admit`]: is asked by the planner's resolver before a statement is told anything of a relation that it names
//!   (that it exists, its columns, its statistics). The account, or the definer of the view on the way to the relation,
//!   must have the privilege on the relation or on one of its columns.
//! * [`Cleared`]: a plan whose tables, views and columns have been looked at. Only [`Cleared::check`] makes one, and
//!   without one nothing opens a plan's tables or runs its operators ([`crate::ops::select`], [`crate::dml`],
//!   [`crate::ops::dives`] ...), so code that reads rows and forgets to ask does not compile.
//! * [`ClearedDdl`]: the same for statements of data definition, which [`crate::ddl`] takes.
//! * [`MayKnow`]: the same for definitions that a statement without a plan asks for by name.
//!
//! Privileges are those that the session has when it asks: a plan of the cache is cleared for each execution. Views decide
//! whose privileges count: below a view with SQL SECURITY DEFINER its definer's, below one with INVOKER those of whoever
//! asks (`planner::bind::view`). Nothing here locks or waits. Decision: `docs/decisions/0032-one-gate.md`. Tested:
//! `tests/clients/test_gate.py`.

mod by_name;
mod columns;
mod ddl;
pub mod programs;

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::roles::{self, RoleName};
use catalog::accounts::{Account, Privs};
use catalog::sysvar::Var;
use planner::plan::{Plan, Via, ViewUse, VirtualUse};
use planner::resolve::{Verb, Wish};

use crate::rows::env::Env;
pub use by_name::{Identity, Inside, MayKnow};
use columns::Named;
pub use ddl::ClearedDdl;

/// A plan that the session's account may run now.
#[derive(Clone, Copy, Debug)]
pub struct Cleared<'p> {
    plan: &'p Plan,
}

impl<'p> Cleared<'p> {
    /// Looks at everything a plan uses: 1142, 1143, through a view 1356, 1449.
    ///
    /// # Errors
    /// The first thing that the account may not.
    #[inline]
    pub fn check(plan: &'p Plan, env: &Env) -> SqlResult<Cleared<'p>> {
        let p = &env.security.account.privileges;
        let all = Privs::SELECT.with(Privs::INSERT).with(Privs::UPDATE).with(Privs::DELETE);
        let called = !plan.notes.routines.is_empty() || !plan.functions.is_empty();
        let plain = plan.views.is_empty() && !called;
        if !(p.global.has(all) && p.restrictions.is_empty() && plain) {
            Gate::new(env).plan(plan)?;
        }
        Ok(Cleared { plan })
    }

    /// The plan.
    pub fn plan(self) -> &'p Plan {
        self.plan
    }
}

/// A plan of expressions alone (a table's defaults, generated columns, checks), which reads nothing.
#[derive(Debug)]
pub(crate) struct Expressions(Plan);

impl Expressions {
    /// 1235 for a plan that reads anything.
    pub(crate) fn new(plan: Plan) -> SqlResult<Expressions> {
        if plan.tables.is_empty() && plan.views.is_empty() && plan.virtuals.is_empty() {
            return Ok(Expressions(plan));
        }
        Err(SqlError::unsupported("tables in an expression of a table"))
    }

    pub(crate) fn cleared(&self) -> Cleared<'_> {
        Cleared { plan: &self.0 }
    }
}

/// Asks for the session's account, and for definers.
#[derive(Clone, Copy, Debug)]
pub struct Gate<'e> {
    env: &'e Env,
}

impl<'e> Gate<'e> {
    /// Of a session.
    pub fn new(env: &'e Env) -> Gate<'e> {
        Gate { env }
    }

    /// 1142 naming the missing privileges.
    pub fn denied(&self, missing: Privs, table: &str) -> SqlError {
        let what = if missing.is_none() { "SELECT".into() } else { missing.names().collect::<Vec<_>>().join(", ") };
        self.denied_as(&what, table)
    }

    /// 1142.
    pub fn denied_as(&self, what: &str, table: &str) -> SqlError {
        let (user, host) = self.env.security.refused();
        SqlError::new(ErrorCode::TABLEACCESS_DENIED_ERROR, &[&what, &user, &host, &table])
    }

    /// What the definer of a view may do: the account with its default roles, whichever roles the session has, and whoever asks.
    pub fn definer(&self, user: &str, host: &str) -> Option<Arc<Account>> {
        let table = self.env.shared.accounts.table();
        let a = table.get(user, host)?;
        if a.privileges.default_roles.is_empty() {
            return Some(a.clone());
        }
        let mandatory = roles::parse_list(&self.env.shared.globals.string(Var::mandatory_roles)).unwrap_or_default();
        let mut active: Vec<RoleName> = roles::granted(&table, a, &mandatory).into_iter().collect();
        active.retain(|r| a.privileges.default_roles.contains(r));
        Some(Arc::new(roles::effective(&table, a, &active)))
    }

    /// Whose privileges count: 1449 for a definer that is no more, 1045 where SUPER is missing, without which nobody is told of accounts.
    fn asks(&self, via: Option<&Via>) -> SqlResult<Arc<Account>> {
        let own = &self.env.security.account;
        let Some((user, host)) = via.and_then(|v| v.definer.as_ref()) else { return Ok(own.clone()) };
        self.definer(user, host).ok_or_else(|| self.no_definer(user, host))
    }

    /// 1449, or 1045.
    fn no_definer(&self, user: &str, host: &str) -> SqlError {
        let own = &self.env.security.account;
        if own.privileges.has_global(Privs::SUPER) {
            return SqlError::new(ErrorCode::NO_SUCH_USER, &[&user, &host]);
        }
        let password = if own.auth_string.is_empty() { "NO" } else { "YES" };
        SqlError::new(ErrorCode::ACCESS_DENIED_ERROR, &[&own.user, &own.host, &password])
    }

    /// A view with its definer's rights needs the definer, also where it reads nothing: 1449, 1045.
    fn has_definer(&self, v: &ViewUse) -> SqlResult<()> {
        let property = |name| v.def.options.iter().find(|o| o.0 == name).map(|o| o.1.as_str());
        let own = property("DEFINER").filter(|_| property("SECURITY") != Some("INVOKER"));
        let Some((user, host)) = own.and_then(|d| d.rsplit_once('@')) else { return Ok(()) };
        match self.env.shared.accounts.table().get(user, host) {
            Some(_) => Ok(()),
            None => Err(self.no_definer(user, host)),
        }
    }

    /// Whether a statement may be told of a relation it names, be there one or not: its account has what it wants on the relation or on one of its columns.
    ///
    /// # Errors
    /// 1142; through a view 1356, 1449, 1045.
    pub fn admit(&self, schema: &str, name: &str, wish: &Wish<'_>) -> SqlResult<()> {
        let account = self.asks(wish.via)?;
        let p = &account.privileges;
        let table = p.on_table(schema, name);
        let have = table.with(p.on_any_column(schema, name));
        let changes = Privs::INSERT.with(Privs::UPDATE).with(Privs::DELETE);
        let missing = match wish.verb {
            Verb::Select => Privs::SELECT.without(have),
            Verb::Insert => Privs::INSERT.without(have),
            Verb::InsertOrUpdate => Privs::INSERT.with(Privs::UPDATE).without(have),
            Verb::Replace => Privs::INSERT.with(Privs::DELETE).without(have),
            Verb::Update => Privs::UPDATE.without(have),
            Verb::Delete => Privs::DELETE.without(have),
            Verb::UpdateOrSelect if have.has(Privs::UPDATE) => Privs::NONE,
            Verb::UpdateOrSelect => Privs::SELECT.without(have),
            Verb::Any if have.and(changes.with(Privs::SELECT)).is_none() => Privs::ALL,
            Verb::Any => Privs::NONE,
        };
        match wish.via {
            _ if missing.is_none() => Ok(()),
            Some(v) => Err(SqlError::new(ErrorCode::VIEW_INVALID, &[&v.schema, &v.name])),
            None if wish.verb == Verb::Any => Err(self.denied_as("ANY", name)),
            None => Err(self.denied(missing, name)),
        }
    }

    /// EXPLAIN of a view shows what is behind it and how many rows that has: whoever asks needs SHOW VIEW on each view on the way and SELECT on
    /// everything below (manual, "EXPLAIN Statement"). False: 1345.
    pub fn sees_below(&self, plan: &Plan) -> bool {
        let p = &self.env.security.account.privileges;
        let reads = |s: &str, n: &str| p.on_table(s, n).with(p.on_any_column(s, n)).has(Privs::SELECT);
        let view = |v: &planner::plan::ViewUse| {
            let (schema, name) = (&v.def.schema, &v.def.name);
            p.on_table(schema, name).has(Privs::SHOW_VIEW) && (v.via.is_none() || reads(schema, name))
        };
        plan.views.iter().all(view)
            && plan.tables.iter().filter(|t| t.via.is_some()).all(|t| reads(&t.def.schema, &t.def.name))
            && plan.virtuals.iter().filter(|v| v.via.is_some()).all(|v| reads(&v.def.schema, &v.def.name))
    }

    /// LOCK TABLES of a view locks what is behind it: whose privileges count there needs SELECT and LOCK TABLES on it: 1356.
    ///
    /// # Errors
    /// 1356, 1449.
    pub fn locks_below(&self, plan: &Plan) -> SqlResult<()> {
        for t in &plan.tables {
            let Some(via) = t.via.as_deref() else { continue };
            let account = self.asks(Some(via))?;
            if !account.privileges.on_database(&t.def.schema).has(Privs::LOCK_TABLES) {
                return Err(SqlError::new(ErrorCode::VIEW_INVALID, &[&via.schema, &via.name]));
            }
        }
        Ok(())
    }

    #[cold]
    fn plan(&self, plan: &Plan) -> SqlResult<()> {
        // the views that are named come first: what is behind one is told to nobody who may not use it
        for v in plan.views.iter().filter(|v| v.via.is_none()) {
            self.used(None, v.privileges, &v.def.schema, &v.def.name, || Named::view(v))?;
        }
        for v in &plan.views {
            self.has_definer(v)?;
        }
        // that rows are locked is asked for with the tables, before columns are looked at
        for t in plan.tables.iter().filter(|t| t.for_update && !t.def.is_temporary()) {
            self.locking_read(t.via.as_deref(), &t.def.schema, &t.def.name)?;
        }
        for v in plan.views.iter().filter(|v| v.for_update) {
            self.locking_read(v.via.as_deref(), &v.def.schema, &v.def.name)?;
        }
        for t in plan.tables.iter().filter(|t| !t.def.is_temporary()) {
            self.used(t.via.as_deref(), t.privileges, &t.def.schema, &t.def.name, || Named::table(t))?;
        }
        for v in &plan.views {
            self.used(v.via.as_deref(), v.privileges, &v.def.schema, &v.def.name, || Named::view(v))?;
        }
        for v in &plan.virtuals {
            self.computed(v)?;
        }
        for r in &plan.notes.routines {
            let has = self.asks(r.via.as_deref())?.privileges.on_routine(&r.schema, &r.name, true);
            self.may_call(has, r.via.as_deref(), &r.schema, &r.name)?;
        }
        for f in &plan.functions {
            let has = self.asks(f.via.as_deref())?.privileges.on_routine(&f.def.schema, &f.def.name, true);
            self.may_call(has, f.via.as_deref(), &f.def.schema, &f.def.name)?;
        }
        Ok(())
    }

    /// EXECUTE on a function, of `sys` or stored: 1370; through a view 1356.
    fn may_call(&self, has: Privs, via: Option<&Via>, schema: &str, name: &str) -> SqlResult<()> {
        if has.has(Privs::EXECUTE) {
            return Ok(());
        }
        if let Some(v) = via {
            return Err(SqlError::new(ErrorCode::VIEW_INVALID, &[&v.schema, &v.name]));
        }
        let account = self.asks(None)?;
        let full = format!("{schema}.{name}");
        Err(SqlError::new(ErrorCode::PROCACCESS_DENIED_ERROR, &[&"execute", &account.user, &account.host, &full]))
    }

    /// Tables that are computed show everything or nothing: SELECT on the whole of one is needed.
    fn computed(&self, v: &VirtualUse) -> SqlResult<()> {
        let (schema, name) = (&v.def.schema, &v.def.name);
        match (self.asks(v.via.as_deref())?.privileges.on_table(schema, name).has(Privs::SELECT), &v.via) {
            (true, _) => Ok(()),
            (false, Some(v)) => Err(SqlError::new(ErrorCode::VIEW_INVALID, &[&v.schema, &v.name])),
            (false, None) => Err(self.denied(Privs::SELECT, name)),
        }
    }

    /// FOR UPDATE asks for one of UPDATE, DELETE and LOCK TABLES (manual, "Locking Reads"): of who asks, or of the view's definer.
    fn locking_read(&self, via: Option<&Via>, schema: &str, name: &str) -> SqlResult<()> {
        let account = self.asks(via)?;
        let p = &account.privileges;
        let have = p.on_table(schema, name).with(p.on_any_column(schema, name));
        let may = have.has(Privs::UPDATE) || have.has(Privs::DELETE) || p.on_database(schema).has(Privs::LOCK_TABLES);
        if may || schema == "mysql" { Ok(()) } else { Err(self.denied_as("SELECT with locking clause", name)) }
    }

    /// Privileges on a table or view: the session's, or through a view its definer's. 1142; through a view 1356; 1449 when there is no such
    /// definer.
    fn used<'p>(
        &self,
        via: Option<&Via>,
        need: u32,
        schema: &str,
        name: &str,
        columns: impl FnOnce() -> Named<'p>,
    ) -> SqlResult<()> {
        let need = Privs(u64::from(need));
        let account = self.asks(via)?;
        let have = account.privileges.on_table(schema, name);
        if have.has(need) {
            return Ok(());
        }
        let by_columns = self.columns(&account.privileges, &columns(), need.without(have));
        match via {
            Some(v) if by_columns.is_err() => Err(SqlError::new(ErrorCode::VIEW_INVALID, &[&v.schema, &v.name])),
            _ => by_columns,
        }
    }
}
