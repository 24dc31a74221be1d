//! Metadata locks of statements, and what of them a session holds beyond statements.

use crate::kernel::global_intention::enter_change;
use crate::kernel::plans::CachedPlan;
use crate::kernel::programs::closure;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use executor::Env;
use mdl::Duration;
use sched::Deadline;
use std::sync::atomic::Ordering;
use std::time::Duration as Time;

/// Whether a plan's tables are what it was made for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Locked {
    Current,
    Stale,
}

/// A table of LOCK TABLES.
#[derive(Clone, Debug)]
pub(crate) struct LockedTable {
    pub(crate) schema: String,
    pub(crate) name: String,
    pub(crate) write: bool,
    /// The name that statements must use: the alias, or the table's own.
    pub(crate) alias: String,
}

/// Tables that a session holds beyond statements and transactions. Their metadata locks are in `env.mdl`.
#[derive(Default)]
pub(crate) struct HeldTables {
    /// LOCK TABLES: no other table may be used.
    pub(crate) locked: Vec<LockedTable>,
    /// FLUSH TABLES WITH READ LOCK is in force.
    pub(crate) global_read_lock: bool,
    /// FLUSH TABLES ... FOR EXPORT of tables that are locked: dropped before their locks are released.
    pub(crate) exported: Option<storage::transport::Export>,
    /// Tables opened by HANDLER.
    pub(crate) handlers: Vec<crate::kernel::handlers::Open>,
    /// Tables of `mysql` that are made when they are read and that the session has dropped, as a dump does before it
    /// makes and fills its own ([`crate::statements::dumped`]).
    pub(crate) dumped: Vec<String>,
}

impl LockedTable {
    /// It is a lock of this table.
    pub(crate) fn is(&self, schema: &str, name: &str) -> bool {
        self.schema == schema && self.name == name
    }

    /// A statement may call it so.
    pub(crate) fn called(&self, alias: &str) -> bool {
        planner::same_name(&self.alias, alias)
    }
}

/// Takes a plan's metadata locks, first the one that keeps the global read lock out of a change.
#[inline]
pub(crate) fn take_locks(plan: &CachedPlan, env: &mut Env, deadline: Deadline) -> SqlResult<()> {
    if plan.writes || plan.locking {
        enter_change(env, deadline)?;
    }
    for (key, kind) in &plan.locks {
        env.mdl.acquire(key, *kind, Duration::Transaction, deadline)?;
    }
    Ok(())
}

impl Session {
    pub(crate) fn deadline(&self) -> Deadline {
        Deadline::after(Time::from_secs(self.env.vars.num(Var::lock_wait_timeout)))
    }

    /// Takes the metadata locks of a plan's tables and checks that the plan is current under them.
    pub(crate) fn lock_plan(&mut self, plan: &CachedPlan) -> SqlResult<Locked> {
        let mut direct = Ok(());
        if !self.tables.locked.is_empty() {
            direct = self.check_lock_tables(plan);
            // a table that programs reach and that is not locked at all comes before one that is locked for reading
            let later = |e: &SqlError| e.is(ErrorCode::TABLE_NOT_LOCKED_FOR_WRITE) && closure::reaches(&plan.plan);
            if direct.as_ref().is_err_and(|e| !later(e)) {
                return direct.map(|()| Locked::Current);
            }
        }
        if self.txn.xa.is_some() && !plan.plan.tables.is_empty() {
            let temporary = plan.plan.tables.iter().any(|t| t.def.is_temporary());
            self.check_branch_access(temporary)?;
        }
        if plan.epoch != self.env.temp.epoch() {
            return Ok(Locked::Stale);
        }
        if plan.locks.is_empty() && plan.plan.virtuals.is_empty() {
            return Ok(Locked::Current);
        }
        let deadline = self.deadline();
        if plan.writes || plan.locking {
            self.check_global_read_lock()?;
        }
        take_locks(plan, &mut self.env, deadline)?;
        if !self.is_current(plan) {
            return Ok(Locked::Stale);
        }
        if closure::reaches(&plan.plan) {
            let held = &self.tables.locked;
            let of = |schema: &str, name: &str| held.iter().filter(|l| l.is(schema, name)).map(|l| l.write).max();
            let locked: Option<&dyn Fn(&str, &str) -> Option<bool>> = if held.is_empty() { None } else { Some(&of) };
            closure::lock(&mut self.env, &plan.plan, &plan.reached, deadline, locked)?;
        }
        direct?;
        probe::add(probe::Counter::TableOpenCacheHits, plan.locks.len() as u64);
        Ok(Locked::Current)
    }

    /// Whether the plan's tables have the definitions it was made for.
    pub(crate) fn is_current(&self, plan: &CachedPlan) -> bool {
        is_current(&self.env, plan)
    }

    /// Under LOCK TABLES only the locked tables may be used, under the names they are locked by, and each lock only
    /// once in a statement: 1100, 1099 (manual, "LOCK TABLES and UNLOCK TABLES Statements").
    fn check_lock_tables(&self, plan: &CachedPlan) -> SqlResult<()> {
        let mut free: Vec<&LockedTable> = self.tables.locked.iter().collect();
        let mut seen = Vec::new();
        // of two locks of one name the stronger one is for what writes
        let changes = |t: &planner::plan::TableUse| t.write || (plan.locking && t.for_update);
        let (writes, reads): (Vec<_>, Vec<_>) = plan.plan.tables.iter().partition(|t| changes(t));
        for t in writes.into_iter().chain(reads).filter(|t| t.via.is_none() && !t.def.is_temporary()) {
            let reference = (t.at, &t.alias);
            if seen.contains(&reference) {
                continue;
            }
            seen.push(reference);
            let fits = |l: &&&LockedTable| l.is(&t.def.schema, &t.def.name) && l.called(&t.alias);
            let Some(write) = free.iter().filter(fits).map(|l| l.write).max_by_key(|w| *w == changes(t)) else {
                return Err(SqlError::new(ErrorCode::TABLE_NOT_LOCKED, &[&t.alias]));
            };
            if changes(t) && !write {
                return Err(SqlError::new(ErrorCode::TABLE_NOT_LOCKED_FOR_WRITE, &[&t.alias]));
            }
            if let Some(at) = free.iter().position(|l| fits(&l) && l.write == write) {
                free.remove(at);
            }
        }
        // LOCK TABLES of a view locks what it reads, and it may be called by any name
        for v in plan.plan.views.iter().filter(|v| v.via.is_none()) {
            if !self.tables.locked.iter().any(|l| l.is(&v.def.schema, &v.def.name)) {
                return Err(SqlError::new(ErrorCode::TABLE_NOT_LOCKED, &[&v.def.name]));
            }
        }
        Ok(())
    }

    /// Under LOCK TABLES: 1100 for a table that is not locked under its own name, 1099 for one that is to be changed
    /// and locked for reading.
    pub(crate) fn check_looked_at(&self, schema: &str, name: &str, write: bool) -> SqlResult<()> {
        if self.tables.locked.is_empty() || self.env.temp.find(schema, name).is_some() {
            return Ok(());
        }
        let hit = self.tables.locked.iter().filter(|l| l.is(schema, name) && l.called(name));
        match hit.map(|l| l.write).max() {
            None => Err(SqlError::new(ErrorCode::TABLE_NOT_LOCKED, &[&name])),
            Some(false) if write => Err(SqlError::new(ErrorCode::TABLE_NOT_LOCKED_FOR_WRITE, &[&name])),
            Some(_) => Ok(()),
        }
    }

    /// Plans, asks whether the account may, and takes the metadata locks, in this order: nobody waits for a table that
    /// it may not use, and nobody waits for who may not. For all statements whose plan is not kept.
    pub(crate) fn ready(
        &mut self,
        mut make: impl FnMut(&mut Session) -> SqlResult<CachedPlan>,
    ) -> SqlResult<CachedPlan> {
        for _ in 0..8 {
            let plan = make(self)?;
            plan.cleared(&self.env)?;
            if self.lock_plan(&plan)? == Locked::Current {
                return Ok(plan);
            }
        }
        Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[]))
    }
}

/// Whether the plan's tables have the definitions it was made for.
pub(crate) fn is_current(env: &Env, plan: &CachedPlan) -> bool {
    if plan.epoch != env.temp.epoch() {
        return false;
    }
    let dict = env.shared.engine.dict();
    // Under the metadata locks no DDL of these tables is between what it publishes and the version it counts up.
    let version = dict.version();
    if plan.checked.load(Ordering::Relaxed) == version {
        return true;
    }
    let now = |schema: &str, name: &str| env.shared_identity(schema, name).map(|i| (i.id, i.version));
    // tables of the session's own: names mean what they meant, so they are still there
    let current = plan.plan.tables.iter().all(|t| {
            let own = t.def.is_temporary() || env.temp.is_filled(t.def.id);
            own || now(&t.def.schema, &t.def.name) == Some((t.def.id.0, t.def.version))
        }) && plan.plan.views.iter().all(|v| now(&v.def.schema, &v.def.name) == Some((v.def.id, v.def.version)))
            && plan.plan.functions.iter().all(|f| {
                let now = env.program_identity(storage::dict::ProgramKind::Function, &f.def.schema, &f.def.name);
                now == Some((f.def.id, f.def.version))
            })
            // a dump may put its own in place of a table that is made when it is read
            && plan.plan.virtuals.iter().all(|v| now(&v.def.schema, &v.def.name).is_none())
            && plan.related.iter().all(|r| now(&r.schema, &r.name) == r.was);
    if current {
        plan.checked.store(version, Ordering::Relaxed);
    }
    current
}
