//! Metadata locks of statements, LOCK TABLES.

use crate::kernel::foreign_key_tables;
use crate::kernel::global_intention::enter_change;
use crate::kernel::plans::CachedPlan;
use crate::kernel::programs::closure;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::Var;
use executor::Env;
use executor::gate::{Gate, Inside, MayKnow};
use mdl::{Duration, MdlKey, MdlType, Namespace};
use parser::ast::{LockTable, TableLockMode};
use sched::Deadline;
use std::collections::BTreeMap;
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

/// Tables that a session holds beyond statements and transactions. Their metadata locks are in `env.mdl`, of explicit
/// duration.
#[derive(Default)]
pub(crate) struct HeldTables {
    /// LOCK TABLES: no other table may be used.
    pub(crate) locked: Vec<LockedTable>,
    /// FLUSH TABLES WITH READ LOCK is in force.
    pub(crate) global_read_lock: bool,
    /// FLUSH TABLES ... FOR EXPORT of tables that are locked: dropped before their locks are released.
    pub(crate) exported: Option<storage::transport::Export>,
    /// Tables opened by HANDLER; nothing is locked for them between statements.
    pub(crate) handlers: Vec<crate::kernel::handlers::Open>,
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
        if plan.locks.is_empty() {
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

    /// LOCK TABLES: ends the open transaction, then takes all locks in the order of their names.
    /// 1066 for a name given twice.
    pub(crate) fn lock_tables(&mut self, list: &[LockTable<'_>]) -> SqlResult<()> {
        let called = |l: &LockTable<'_>| (self.schema_of(&l.table), l.alias.unwrap_or(l.table.name).to_lowercase());
        let mut names = std::collections::HashSet::new();
        if let Some(twice) = list.iter().find(|l| !names.insert(called(l))) {
            return Err(SqlError::new(ErrorCode::NONUNIQ_TABLE, &[&twice.alias.unwrap_or(twice.table.name)]));
        }
        self.release_table_locks();
        self.commit_transaction()?;
        list.iter().try_for_each(|l| self.may_lock(l))?;
        if self.tables.global_read_lock && list.iter().any(|l| l.mode == TableLockMode::Write) {
            return Err(SqlError::new(ErrorCode::CANT_UPDATE_WITH_READLOCK, &[]));
        }
        let (mut wanted, mut temporary): (Vec<LockedTable>, Vec<LockedTable>) = (Vec::new(), Vec::new());
        for l in list {
            let schema = match l.table.schema.or(self.env.schema.as_deref()) {
                Some(s) => s.to_owned(),
                None => return Err(SqlError::new(ErrorCode::NO_DB_ERROR, &[])),
            };
            let write = l.mode == TableLockMode::Write;
            let alias = l.alias.unwrap_or(l.table.name).to_owned();
            let locked = LockedTable { schema, name: l.table.name.to_owned(), write, alias };
            // nobody else sees a temporary table: there is nothing to lock
            if self.env.temp.find(&locked.schema, &locked.name).is_some() {
                temporary.push(locked);
                continue;
            }
            // the tables of accounts have no rows of their own: their lock is a name that others wait for
            let shown = locked.schema == "mysql" && views::virtual_table("mysql", &locked.name).is_some();
            if !shown && self.env.shared_identity(&locked.schema, &locked.name).is_none() {
                if self.env.shared.engine.dict().schema(&locked.schema).is_none() {
                    return Err(SqlError::new(ErrorCode::BAD_DB_ERROR, &[&locked.schema]));
                }
                return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&locked.schema, &locked.name]));
            }
            if write {
                self.check_read_only()?;
            }
            wanted.push(locked);
        }
        self.lock_all(&wanted)?;
        self.tables.locked.append(&mut temporary);
        Ok(())
    }

    /// Locks these and what they reach. Again, if what they reach has changed meanwhile.
    fn lock_all(&mut self, wanted: &[LockedTable]) -> SqlResult<()> {
        let deadline = self.deadline();
        for _ in 0..8 {
            let (usable, all) = self.closed(wanted);
            if all.values().any(|write| *write) && !self.tables.global_read_lock {
                // who locks for writing is a writer for all that time: FLUSH TABLES WITH READ LOCK waits for it
                self.env.mdl.acquire(MdlKey::global(), MdlType::Ix, Duration::Explicit, deadline)?;
            }
            for ((schema, name), write) in &all {
                let kind = if *write { MdlType::Snrw } else { MdlType::Sro };
                let got = self.env.mdl.acquire(&MdlKey::table(schema, name), kind, Duration::Explicit, deadline);
                if let Err(e) = got {
                    self.release_table_locks();
                    return Err(e.into());
                }
            }
            if self.closed(wanted).1 == all {
                self.tables.locked = usable;
                return Ok(());
            }
            self.release_table_locks();
        }
        Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[]))
    }

    /// What statements may use under the locks of these tables and views, and the locks: one for each table, the
    /// strongest wanted, in the order of their names.
    fn closed(&mut self, wanted: &[LockedTable]) -> (Vec<LockedTable>, BTreeMap<(String, String), bool>) {
        let mut usable = wanted.to_vec();
        for l in wanted {
            self.add_view_tables(&l.schema, &l.name, l.write, &mut usable);
        }
        let mut all = BTreeMap::new();
        for l in &usable {
            *all.entry((l.schema.clone(), l.name.clone())).or_insert(false) |= l.write;
        }
        self.add_relatives(&mut all);
        // what triggers and functions of views reach, which can be used then, too
        let named: Vec<_> = wanted.iter().chain(&usable).map(|l| (l.schema.clone(), l.name.clone(), l.write)).collect();
        let reached = closure::of_locked(&mut self.env, named.iter().map(|(s, n, w)| (s.as_str(), n.as_str(), *w)));
        for t in &reached.tables {
            *all.entry((t.schema.clone(), t.name.clone())).or_insert(false) |= t.changed;
            let (schema, name, alias) = (t.schema.clone(), t.name.clone(), t.name.clone());
            if !usable.iter().any(|l| l.is(&schema, &name) && l.called(&alias) && l.write >= t.changed) {
                usable.push(LockedTable { schema, name, write: t.changed, alias });
            }
        }
        (usable, all)
    }

    /// LOCK TABLES needs LOCK TABLES on the database (1044) and SELECT on the table (1142), whether there is one or
    /// not; a temporary table is the session's own.
    fn may_lock(&self, l: &LockTable<'_>) -> SqlResult<()> {
        let schema = self.schema_of(&l.table);
        if schema.is_empty() || self.env.temp.find(&schema, l.table.name).is_some() {
            return Ok(());
        }
        self.require_on_schema(Privs::LOCK_TABLES, &schema)?;
        if schema.eq_ignore_ascii_case("information_schema") {
            return Err(self.database_denied("information_schema"));
        }
        match self.env.shared_relation(self.require_on_table(Privs::SELECT, &schema, l.table.name)?) {
            Some(storage::dict::Relation::View(v)) => self.may_lock_below(&v),
            _ => Ok(()),
        }
    }

    /// What a view reads is locked in its definer's name, or in that of who asks: 1356. One that is invalid for
    /// everybody locks nothing more.
    fn may_lock_below(&self, v: &storage::dict::ViewDef) -> SqlResult<()> {
        let quote = views::create::quote;
        let text = format!("SELECT * FROM {}.{}", quote(&v.schema), quote(&v.name));
        let p = &self.env.security.account.privileges;
        let anything = p.has_global(Privs::SELECT.with(Privs::LOCK_TABLES)) && p.restrictions.is_empty();
        match self.plan_text(&text) {
            Ok(plan) => Gate::new(&self.env).locks_below(&plan),
            Err(e) if !anything && e.is(ErrorCode::VIEW_INVALID) => Err(e),
            Err(_) => Ok(()),
        }
    }

    /// What a view reads, for LOCK TABLES: it can be used under the name that the view gives it too, for writing where
    /// the view is locked so and its own FROM names it, not a subquery. An invalid view locks nothing more.
    fn add_view_tables(&self, schema: &str, name: &str, write: bool, all: &mut Vec<LockedTable>) {
        let may = MayKnow::inside(schema, name, Inside::Locks);
        let Some(storage::dict::Relation::View(v)) = self.env.shared_relation(may) else { return };
        let Ok(d) = self.described(&v) else { return };
        for u in d.uses {
            let (s, n, write) = (u.schema, u.name, write && !u.in_subquery);
            if self.env.shared_identity(&s, &n).is_none() {
                continue;
            }
            match all.iter_mut().find(|l| l.is(&s, &n) && l.called(&u.alias)) {
                Some(l) if l.write || !write => continue,
                Some(l) => l.write = true,
                None => all.push(LockedTable { schema: s.clone(), name: n.clone(), write, alias: u.alias }),
            }
            self.add_view_tables(&s, &n, write, all);
        }
    }

    /// What changes of the tables locked for writing reach through foreign keys (manual, "LOCK TABLES and Triggers",
    /// "FOREIGN KEY Constraints"): tables that are looked into are locked for reading, those that cascades change for
    /// writing. They cannot be named.
    fn add_relatives(&self, all: &mut BTreeMap<(String, String), bool>) {
        for ((schema, name), _) in all.clone().iter().filter(|l| *l.1) {
            let may = MayKnow::inside(schema, name, Inside::Locks);
            let Some(storage::dict::Relation::Table(t)) = self.env.shared_relation(may) else { continue };
            for (key, kind) in foreign_key_tables::of_table(&t, &self.env) {
                if self.env.shared_identity(key.db(), key.object()).is_some() {
                    *all.entry((key.db().to_owned(), key.object().to_owned())).or_insert(false) |= kind == MdlType::Sw;
                }
            }
        }
    }

    /// UNLOCK TABLES: locks on tables and the global read lock.
    pub(crate) fn unlock_tables(&mut self) {
        self.tables.exported = None;
        self.env.mdl.release_explicit(|ns| matches!(ns, Namespace::Table | Namespace::Global | Namespace::Commit));
        self.tables.global_read_lock = false;
        self.tables.locked.clear();
    }

    /// Ends LOCK TABLES only.
    pub(crate) fn release_table_locks(&mut self) {
        self.tables.exported = None;
        let reading = self.tables.global_read_lock;
        self.env.mdl.release_explicit(|ns| ns == Namespace::Table || ns == Namespace::Global && !reading);
        self.tables.locked.clear();
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
    let current =
        plan.plan.tables.iter().all(|t| {
            let own = t.def.is_temporary() || env.temp.is_filled(t.def.id);
            own || now(&t.def.schema, &t.def.name) == Some((t.def.id.0, t.def.version))
        }) && plan.plan.views.iter().all(|v| now(&v.def.schema, &v.def.name) == Some((v.def.id, v.def.version)))
            && plan.plan.functions.iter().all(|f| {
                let now = env.program_identity(storage::dict::ProgramKind::Function, &f.def.schema, &f.def.name);
                now == Some((f.def.id, f.def.version))
            })
            && plan.related.iter().all(|r| now(&r.schema, &r.name) == r.was);
    if current {
        plan.checked.store(version, Ordering::Relaxed);
    }
    current
}
