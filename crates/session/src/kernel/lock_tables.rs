//! LOCK TABLES, which other tables it locks, and UNLOCK TABLES.
//!
//! The metadata locks last until LOCK TABLES ends ([`Duration::Tables`]), whatever statements and transactions do
//! meanwhile. Tested: golden `locks`, `tests/clients/test_metadata_locks.py`.

use crate::kernel::foreign_key_tables;
use crate::kernel::locks::LockedTable;
use crate::kernel::programs::closure;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use executor::gate::{Gate, Inside, MayKnow};
use mdl::{Duration, MdlKey, MdlType, Namespace};
use parser::ast::{LockTable, TableLockMode};
use std::collections::BTreeMap;

impl Session {
    /// LOCK TABLES: ends the open transaction, then takes all locks in the order of their names.
    /// 1066 for a name given twice. `flushed`: for FLUSH TABLES t WITH READ LOCK, which nobody else may do then, and no
    /// backup begins.
    pub(crate) fn lock_tables(&mut self, list: &[LockTable<'_>], flushed: bool) -> SqlResult<()> {
        let called = |l: &LockTable<'_>| (self.schema_of(&l.table), l.alias.unwrap_or(l.table.name).to_lowercase());
        let mut names = std::collections::HashSet::new();
        if let Some(twice) = list.iter().find(|l| !names.insert(called(l))) {
            return Err(SqlError::new(ErrorCode::NONUNIQ_TABLE, &[&twice.alias.unwrap_or(twice.table.name)]));
        }
        self.release_table_locks();
        self.commit_before_locks()?;
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
            let shown =
                locked.schema == "mysql" && super::computed::computed(&self.env, "mysql", &locked.name).is_some();
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
        self.lock_all(&wanted, flushed)?;
        self.tables.locked.append(&mut temporary);
        Ok(())
    }

    /// Locks these and what they reach. Again, if what they reach has changed meanwhile.
    fn lock_all(&mut self, wanted: &[LockedTable], flushed: bool) -> SqlResult<()> {
        for _ in 0..8 {
            let (usable, all) = self.closed(wanted);
            if let Err(e) = self.take_all(wanted, &all, flushed) {
                self.release_table_locks();
                return Err(e);
            }
            if self.closed(wanted).1 == all {
                self.tables.locked = usable;
                return Ok(());
            }
            self.release_table_locks();
        }
        Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[]))
    }

    fn take_all(
        &mut self,
        wanted: &[LockedTable],
        all: &BTreeMap<(String, String), bool>,
        flushed: bool,
    ) -> SqlResult<()> {
        let (deadline, mdl) = (self.deadline(), &mut self.env.mdl);
        if all.values().any(|write| *write) && !self.tables.global_read_lock {
            // who locks for writing is a writer for all that time: FLUSH TABLES WITH READ LOCK waits for it
            mdl.acquire(MdlKey::global(), MdlType::Ix, Duration::TablesScope, deadline)?;
        }
        if flushed {
            mdl.acquire(MdlKey::backup(), MdlType::Ix, Duration::Tables, deadline)?;
        }
        let mut schemas: Vec<&str> = all.iter().filter(|t| *t.1).map(|((schema, _), _)| schema.as_str()).collect();
        schemas.dedup();
        for schema in schemas {
            mdl.acquire(&MdlKey::schema(schema), MdlType::Ix, Duration::Tables, deadline)?;
        }
        for ((schema, name), write) in all {
            let kind = match write {
                true => MdlType::Snrw,
                false if flushed && wanted.iter().any(|l| l.is(schema, name)) => MdlType::Snw,
                false => MdlType::Sro,
            };
            mdl.acquire(&MdlKey::table(schema, name), kind, Duration::Tables, deadline)?;
        }
        Ok(())
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
        self.env.mdl.release_tables();
        self.env.mdl.release_explicit(|ns| matches!(ns, Namespace::Global | Namespace::Commit));
        self.tables.global_read_lock = false;
        self.tables.locked.clear();
    }

    /// Ends LOCK TABLES only.
    pub(crate) fn release_table_locks(&mut self) {
        self.tables.exported = None;
        self.env.mdl.release_tables();
        self.tables.locked.clear();
    }
}
