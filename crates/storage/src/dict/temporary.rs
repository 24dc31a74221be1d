//! Temporary tables: tables that only one session knows.
//!
//! A temporary table is an ordinary table of the engine (tablespace, trees, undo) that has no row in the dictionary. Its id has the
//! bit [`TEMPORARY`], by which plans and locks tell it from others. The session keeps it in its [`TempTables`]; the engine finds it by
//! id for rollback and purge through the registry of opened tables, as long as the session has it.
//!
//! Crash: the DDL log's row "remove this space", committed before the file was made, stays for the whole life of the table, marked as
//! busy in memory so that nobody replays it. The next start replays it like any other, so nothing is left of the table. Undo records of
//! a table that is gone have nothing to undo.
//!
//! Rules of access: one session, one thread; no metadata locks. Tested: `tests/sql/golden/temporary.sql`.

use super::ddl::Ddl;
use super::def::TableDef;
use crate::engine::Engine;
use crate::error::Result;
use crate::table::Table;
use base::TableId;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bit of [`TableId`] that temporary tables have.
const TEMPORARY: u64 = 1 << 62;

/// Numbers states of name spaces, so that no plan made in one is found in another.
static EPOCH: AtomicU64 = AtomicU64::new(1);

impl TableDef {
    /// Whether the table is temporary.
    pub fn is_temporary(&self) -> bool {
        self.id.0 & TEMPORARY != 0
    }
}

/// A temporary table and the log row that removes its file.
#[derive(Debug)]
pub struct TempTable {
    /// The opened table.
    pub table: Arc<Table>,
    log: u64,
}

impl TempTable {
    /// Makes the table's files. `def` has no ids yet.
    ///
    /// # Errors
    /// I/O; nothing is left behind.
    pub fn create(engine: &Arc<Engine>, session: u64, mut def: TableDef) -> Result<TempTable> {
        let mut ddl = Ddl::begin(engine, session)?;
        def.id = TableId(ddl.new_id()? | TEMPORARY);
        let (def, log) = ddl.create_logged_files(def)?;
        let table = ddl.open_unpublished(&def)?;
        ddl.leave_logged(log);
        ddl.rollback()?;
        Ok(TempTable { table, log })
    }

    /// The same rows under a definition that differs in names, defaults, comments or visibility only.
    ///
    /// # Errors
    /// I/O.
    pub fn redefine(self, engine: &Arc<Engine>, mut def: TableDef) -> Result<TempTable> {
        def.version += 1;
        let counts = self.table.def.counts_as(&def);
        let table = Table::open(engine, Arc::new(def))?;
        if counts {
            table.go_on_from(self.table.autoinc_next());
        }
        self.table.retire();
        Ok(TempTable { table, log: self.log })
    }

    /// Removes the table and its file.
    ///
    /// # Errors
    /// I/O; the file then goes at the next start.
    pub fn remove(self, engine: &Arc<Engine>) -> Result<()> {
        self.table.retire();
        engine.dict().busy_log_rows.lock().remove(&self.log);
        Ddl::replay_log(engine)
    }
}

/// Whose tables they are: `server_id` of a replica's source (0: a client's session), and the number of a session there.
pub type Owner = (u64, u64);

/// A session's temporary tables; also the one that a running CREATE TABLE ... SELECT fills.
#[derive(Debug, Default)]
pub struct TempTables {
    /// Of the one that is shown.
    tables: Vec<TempTable>,
    /// Of the others for which the session stands: it applies a binary log with statements of several.
    others: Vec<(Owner, Vec<TempTable>)>,
    owner: Owner,
    /// Known by id only; the innermost statement's is the last.
    pending: Vec<Arc<Table>>,
    /// Of CREATE TABLE ... START TRANSACTION, until that commits.
    filled: Option<Arc<Table>>,
    epoch: u64,
}

impl TempTables {
    /// There are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// How many there are, of everybody for whom the session stands.
    pub fn count(&self) -> usize {
        self.tables.len() + self.others.iter().map(|(_, tables)| tables.len()).sum::<usize>()
    }

    /// Changes whenever a name may mean another table; 0 while there are no temporary tables.
    #[inline]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    fn step(&mut self) {
        let own = !self.tables.is_empty() || self.filled.is_some();
        self.epoch = if own { EPOCH.fetch_add(1, Ordering::Relaxed) } else { 0 };
    }

    /// From now on names mean this one's tables; those of the others stay.
    pub fn show_those_of(&mut self, owner: Owner) {
        let before = std::mem::replace(&mut self.owner, owner);
        if before == owner || self.tables.is_empty() && self.others.is_empty() {
            return;
        }
        let at = self.others.iter().position(|(o, _)| *o == owner);
        let own = at.map(|at| self.others.swap_remove(at).1).unwrap_or_default();
        let left = std::mem::replace(&mut self.tables, own);
        if !left.is_empty() {
            self.others.push((before, left));
        }
        self.step();
    }

    /// By name.
    pub fn find(&self, schema: &str, name: &str) -> Option<&Arc<Table>> {
        self.tables.iter().map(|t| &t.table).find(|t| t.def.schema == schema && t.def.name == name)
    }

    /// By name; finds the table that the transaction has made, too.
    pub fn named(&self, schema: &str, name: &str) -> Option<&Arc<Table>> {
        let filled = || self.filled.as_ref().filter(|t| t.def.schema == schema && t.def.name == name);
        self.find(schema, name).or_else(filled)
    }

    /// By id; finds the pending table and the one that the transaction has made, too, and those of all owners: a
    /// statement that uses one may change whose are shown.
    #[inline]
    pub fn by_id(&self, id: TableId) -> Option<&Arc<Table>> {
        if self.tables.is_empty() && self.pending.is_empty() && self.filled.is_none() && self.others.is_empty() {
            return None;
        }
        let others = self.others.iter().flat_map(|(_, tables)| tables);
        let tables = self.tables.iter().chain(others).map(|t| &t.table);
        tables.chain(&self.pending).chain(&self.filled).find(|t| t.def.id == id)
    }

    /// The table that the open transaction has made and fills, or that there is none any more.
    pub fn set_filled(&mut self, t: Option<Arc<Table>>) {
        self.filled = t;
        self.step();
    }

    /// Whether it is that one.
    pub fn is_filled(&self, id: TableId) -> bool {
        self.filled.as_ref().is_some_and(|t| t.def.id == id)
    }

    /// All definitions.
    pub fn definitions(&self) -> Vec<Arc<TableDef>> {
        self.tables.iter().map(|t| t.table.def.clone()).collect()
    }

    /// Adds a table whose name is free.
    pub fn insert(&mut self, t: TempTable) {
        self.tables.push(t);
        self.step();
    }

    /// Takes a table out.
    pub fn take(&mut self, schema: &str, name: &str) -> Option<TempTable> {
        let at = self.tables.iter().position(|t| t.table.def.schema == schema && t.table.def.name == name)?;
        let t = self.tables.remove(at);
        self.step();
        Some(t)
    }

    /// Whether CREATE TABLE ... SELECT fills its table.
    pub fn is_filling(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The table that the running statement fills, or that it no longer does. A function that the statement calls may
    /// fill one of its own meanwhile.
    pub fn set_pending(&mut self, t: Option<Arc<Table>>) {
        match t {
            Some(t) => self.pending.push(t),
            None => drop(self.pending.pop()),
        }
    }

    /// Removes all (end of the connection). Errors leave files that go at the next start.
    pub fn remove_all(&mut self, engine: &Arc<Engine>) {
        let others = self.others.drain(..).flat_map(|(_, tables)| tables);
        for t in self.tables.drain(..).chain(others) {
            let _ = t.remove(engine);
        }
        self.epoch = 0;
    }
}
