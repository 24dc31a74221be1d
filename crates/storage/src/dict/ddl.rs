//! [`Ddl`]: one atomic DDL statement. See the module's prose for the protocol of the DDL log.

use super::cache::Dict;
use super::change::Change;
use super::codec;
use super::def::*;
use super::objects::{self, KIND_TABLE, KIND_VIEW, LogRow, OP_SPACE, OP_TREE, Object, ObjectClass};
use super::programs::ProgramDefinition;
use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::table::Table;
use crate::txn::Trx;
use base::{IndexId, PageNo, SpaceId, TableId};
use std::sync::Arc;
use value::CollationId;

/// The files and trees under the dictionary; implemented by [`Engine`].
pub trait Physical {
    /// Creates and initialises the file of a tablespace, durably.
    fn create_space(&self, space: SpaceId) -> Result<()>;
    /// Drops the tablespace's pages from the pool and removes its file; fine if it is not there.
    fn drop_space(&self, space: SpaceId) -> Result<()>;
    /// Creates an empty index tree and returns its root.
    fn create_tree(&self, space: SpaceId, index: IndexId) -> Result<PageNo>;
    /// Gives the pages of a tree back; fine if the space is gone or the root is no longer that tree's.
    fn free_tree(&self, space: SpaceId, root: PageNo) -> Result<()>;
}

/// Ids are reserved on disk in runs of this length; a crash wastes the rest of one.
const ID_RUN: u64 = 64;
/// Id of the row that holds the counter.
const COUNTER_ROW: u64 = 1;

/// One DDL statement in progress. Dropped without [`Ddl::commit`] it is rolled back.
#[derive(Debug)]
pub struct Ddl {
    engine: Arc<Engine>,
    trx: Trx,
    changes: Vec<Change>,
    /// Log rows of this statement: while it is under way nobody else may replay them.
    logged: Vec<u64>,
    ended: bool,
}

impl Ddl {
    /// Starts; `session` is the connection id. The caller holds exclusive metadata locks on every name it will touch.
    pub fn begin(engine: &Arc<Engine>, session: u64) -> Result<Ddl> {
        let mut trx = engine.new_trx(session)?;
        trx.start();
        Ok(Ddl { engine: engine.clone(), trx, changes: Vec::new(), logged: Vec::new(), ended: false })
    }

    fn dict(&self) -> &Dict {
        self.engine.dict()
    }

    /// Bytes that are durable exactly if the statement is ([`Trx::attach`]).
    pub fn attach(&mut self, bytes: Vec<u8>) {
        self.trx.attach(bytes);
    }

    /// The transaction, for statements that also write other dictionary-like rows.
    pub fn trx(&mut self) -> &mut Trx {
        &mut self.trx
    }

    /// A fresh id for a table, index, space or other object.
    pub fn new_id(&mut self) -> Result<u64> {
        let engine = self.engine.clone();
        let dict = engine.dict();
        let mut ids = dict.ids.lock();
        let (next, limit) = *ids;
        if next >= limit {
            let mut trx = engine.new_trx(0)?;
            trx.start();
            let row = Object {
                id: COUNTER_ROW,
                class: ObjectClass::Counter as u8,
                kind: 0,
                parent: String::new(),
                name: "next_id".into(),
                def: (next + ID_RUN).to_le_bytes().to_vec(),
            };
            match objects::replace(&mut trx, &dict.objects, &row) {
                Err(StorageError::NotFound) => objects::insert(&mut trx, &dict.objects, &row)?,
                other => other?,
            }
            trx.commit()?;
            ids.1 = next + ID_RUN;
        }
        ids.0 = next + 1;
        Ok(next)
    }

    /// Writes a log row; on its own (committed at once) or as part of this statement.
    fn log(&mut self, op: u8, space: SpaceId, page: u32, on_its_own: bool) -> Result<u64> {
        let row = LogRow { id: self.new_id()?, op, space: space.0, page };
        self.logged.push(row.id);
        self.dict().busy_log_rows.lock().insert(row.id);
        if on_its_own {
            let mut trx = self.engine.new_trx(0)?;
            trx.start();
            objects::log_insert(&mut trx, &self.engine.dict().log, row)?;
            trx.commit()?;
        } else {
            let engine = self.engine.clone();
            objects::log_insert(&mut self.trx, &engine.dict().log, row)?;
        }
        row.tell(&self.engine, "insert", 12_472);
        Ok(row.id)
    }

    /// "Remove it" is off once this statement commits.
    fn unlog(&mut self, id: u64) -> Result<()> {
        let engine = self.engine.clone();
        objects::remove(&mut self.trx, &engine.dict().log, id)
    }

    fn insert(&mut self, o: &Object) -> Result<()> {
        let engine = self.engine.clone();
        objects::insert(&mut self.trx, &engine.dict().objects, o)
    }

    fn replace(&mut self, o: &Object) -> Result<()> {
        let engine = self.engine.clone();
        objects::replace(&mut self.trx, &engine.dict().objects, o)
    }

    fn remove(&mut self, id: u64) -> Result<()> {
        let engine = self.engine.clone();
        objects::remove(&mut self.trx, &engine.dict().objects, id)
    }

    // ---- schemas -----------------------------------------------------------------------------------------------------

    /// CREATE DATABASE. `DuplicateKey` if the name is taken.
    pub fn create_schema(&mut self, name: &str, collation: CollationId) -> Result<()> {
        let def = SchemaDef { id: self.new_id()?, name: name.to_owned(), collation };
        self.insert(&schema_object(&def))?;
        self.changes.push(Change::PutSchema(def));
        Ok(())
    }

    /// ALTER DATABASE.
    pub fn alter_schema(&mut self, def: SchemaDef) -> Result<()> {
        self.replace(&schema_object(&def))?;
        self.changes.push(Change::PutSchema(def));
        Ok(())
    }

    /// DROP DATABASE, after its relations were dropped in the same statement. Its programs go along.
    pub fn drop_schema(&mut self, def: &SchemaDef) -> Result<()> {
        for p in self.dict().programs(&def.name) {
            // triggers went with their tables
            self.remove(p.id)?;
            self.changes.push(Change::DropProgram(p.kind, p.schema.clone(), p.name.clone()));
        }
        self.remove(def.id)?;
        self.changes.push(Change::DropSchema(def.name.clone()));
        Ok(())
    }

    // ---- tables ------------------------------------------------------------------------------------------------------

    /// Gives the definition its ids and version, creates its tablespace and empty trees. The table is not in the dictionary
    /// yet: [`Ddl::add_table`] or [`Ddl::replace_table`] does that.
    pub fn create_files(&mut self, def: TableDef) -> Result<TableDef> {
        let (def, log) = self.create_logged_files(def)?;
        self.unlog(log)?;
        Ok(def)
    }

    /// An id that no file has. (A dictionary that was put back from an older copy would give out ids of existing files: those are left alone.)
    fn new_space(&mut self) -> Result<SpaceId> {
        loop {
            let space = SpaceId(u32::try_from(self.new_id()?).map_err(|_| StorageError::TooManyTrx)?);
            let files = self.engine.store().files();
            if !files.exists(space) {
                return Ok(space);
            }
            let name = crate::file::Files::name_of(space);
            let text = format!(
                "File '{name}' belongs to no table that the dictionary knows; its id is passed over, the file is left as it is"
            );
            probe::errorlog::say("Warning", "InnoDB", 12_224, &text);
        }
    }

    /// Takes a committed log row back before it does anything.
    fn forget_log_row(&mut self, id: u64) -> Result<()> {
        let mut trx = self.engine.new_trx(0)?;
        trx.start();
        objects::remove(&mut trx, &self.dict().log, id)?;
        trx.commit()?;
        self.logged.retain(|n| *n != id);
        self.dict().busy_log_rows.lock().remove(&id);
        Ok(())
    }

    /// The same; the log's row that removes the files stays and is returned.
    pub(super) fn create_logged_files(&mut self, mut def: TableDef) -> Result<(TableDef, u64)> {
        def.former.clear();
        if def.indexes.is_empty() {
            def.indexes.insert(0, hidden_index());
        }
        if def.id.0 == 0 {
            def.id = TableId(self.new_id()?);
        }
        let space = self.new_space()?;
        let log = self.log(OP_SPACE, space, 0, true)?;
        if let Err(e) = self.engine.create_space(space) {
            if matches!(e, StorageError::Io { op: "open", .. }) {
                // nothing was created: what has this name is not this statement's to remove
                self.forget_log_row(log)?;
            }
            return Err(e);
        }
        def.space = space;
        for i in 0..def.indexes.len() {
            let id = IndexId(self.new_id()?);
            let root = self.engine.create_tree(space, id)?;
            if let Some(index) = def.indexes.get_mut(i) {
                (index.id, index.root) = (id, root);
            }
        }
        def.version = self.dict().version() + 1;
        Ok((def, log))
    }

    /// A log row survives this statement, busy until somebody else lets go of it.
    pub(super) fn leave_logged(&mut self, id: u64) {
        self.logged.retain(|n| *n != id);
    }

    /// Opens a new table that only this statement knows, to fill it before publication. (One that shall replace another has that one's id
    /// and must not be known by it: [`Table::new`].)
    pub fn open_unpublished(&self, def: &TableDef) -> Result<Arc<Table>> {
        Table::open(&self.engine, Arc::new(def.clone()))
    }

    /// CREATE TABLE, after [`Ddl::create_files`]. `DuplicateKey` if the name is taken.
    pub fn add_table(&mut self, def: TableDef) -> Result<()> {
        self.insert(&table_object(&def))?;
        self.changes.push(Change::PutRelation(Relation::Table(Arc::new(def))));
        Ok(())
    }

    /// ALTER, TRUNCATE, RENAME: `new` takes the place of `old` (same id; its schema or name may differ). The old
    /// tablespace goes if `new` has another.
    pub fn replace_table(&mut self, old: &TableDef, mut new: TableDef) -> Result<()> {
        new.id = old.id;
        new.version = self.dict().version() + 1;
        self.replace(&table_object(&new))?;
        if new.space != old.space {
            self.log(OP_SPACE, old.space, 0, false)?;
        }
        if (&old.schema, &old.name) != (&new.schema, &new.name) {
            self.changes.push(Change::DropRelation(old.schema.clone(), old.name.clone()));
        }
        self.changes.push(Change::PutRelation(Relation::Table(Arc::new(new))));
        Ok(())
    }

    /// DROP TABLE; its triggers go along.
    pub fn drop_table(&mut self, def: &TableDef) -> Result<()> {
        for t in &def.triggers {
            self.drop_program(t)?;
        }
        self.remove(def.id.0)?;
        self.log(OP_SPACE, def.space, 0, false)?;
        self.changes.push(Change::DropRelation(def.schema.clone(), def.name.clone()));
        Ok(())
    }

    /// A new empty tree in an existing table's space (CREATE INDEX), removed again unless this statement commits.
    pub fn create_index_tree(&mut self, space: SpaceId) -> Result<(IndexId, PageNo)> {
        let id = IndexId(self.new_id()?);
        let root = self.engine.create_tree(space, id)?;
        // the tree is logged after it exists because the row needs its root; a crash in between leaks its one page
        let log = self.log(OP_TREE, space, root.0, true)?;
        self.unlog(log)?;
        Ok((id, root))
    }

    /// The tree goes when this statement has committed (DROP INDEX).
    pub fn drop_index_tree(&mut self, space: SpaceId, root: PageNo) -> Result<()> {
        self.log(OP_TREE, space, root.0, false).map(drop)
    }

    // ---- views and other objects -------------------------------------------------------------------------------------

    /// CREATE VIEW. `DuplicateKey` if the name is taken.
    pub fn create_view(&mut self, mut def: ViewDef) -> Result<()> {
        def.id = self.new_id()?;
        def.version = self.dict().version() + 1;
        self.insert(&view_object(&def))?;
        self.changes.push(Change::PutRelation(Relation::View(Arc::new(def))));
        Ok(())
    }

    /// ALTER VIEW, CREATE OR REPLACE VIEW, RENAME TABLE of a view.
    pub fn replace_view(&mut self, old: &ViewDef, mut new: ViewDef) -> Result<()> {
        new.id = old.id;
        new.version = self.dict().version() + 1;
        self.replace(&view_object(&new))?;
        if (&old.schema, &old.name) != (&new.schema, &new.name) {
            self.changes.push(Change::DropRelation(old.schema.clone(), old.name.clone()));
        }
        self.changes.push(Change::PutRelation(Relation::View(Arc::new(new))));
        Ok(())
    }

    /// DROP VIEW.
    pub fn drop_view(&mut self, def: &ViewDef) -> Result<()> {
        self.remove(def.id)?;
        self.changes.push(Change::DropRelation(def.schema.clone(), def.name.clone()));
        Ok(())
    }

    // ---- stored programs
    // ---------------------------------------------------------------------------------------------

    /// CREATE PROCEDURE and its kind; its id. `DuplicateKey` if the name is taken.
    pub fn create_program(&mut self, mut def: ProgramDefinition) -> Result<u64> {
        let id = self.new_id()?;
        def.id = id;
        def.version = self.dict().version() + 1;
        self.insert(&def.object())?;
        self.changes.push(Change::PutProgram(Box::new(def)));
        Ok(id)
    }

    /// ALTER; a new name may be taken (`DuplicateKey`).
    pub fn replace_program(&mut self, old: &ProgramDefinition, mut new: ProgramDefinition) -> Result<()> {
        new.version = self.dict().version() + 1;
        self.keep_program(old, new)
    }

    /// A change that leaves the text what it was, and with it its version: when an event ran, a trigger's place.
    pub fn keep_program(&mut self, old: &ProgramDefinition, mut new: ProgramDefinition) -> Result<()> {
        new.id = old.id;
        self.replace(&new.object())?;
        if (&old.schema, &old.name) != (&new.schema, &new.name) {
            self.changes.push(Change::DropProgram(old.kind, old.schema.clone(), old.name.clone()));
        }
        self.changes.push(Change::PutProgram(Box::new(new)));
        Ok(())
    }

    /// DROP PROCEDURE and its kind.
    pub fn drop_program(&mut self, def: &ProgramDefinition) -> Result<()> {
        self.remove(def.id)?;
        self.changes.push(Change::DropProgram(def.kind, def.schema.clone(), def.name.clone()));
        Ok(())
    }

    /// Removes programs whose schema or table an older server dropped, which knew nothing of them.
    pub(crate) fn remove_orphans(engine: &Arc<Engine>) -> Result<()> {
        let orphans = engine.dict().orphans.clone();
        if orphans.is_empty() {
            return Ok(());
        }
        let mut ddl = Ddl::begin(engine, 0)?;
        orphans.into_iter().try_for_each(|id| ddl.remove(id))?;
        ddl.commit()
    }

    /// Inserts or replaces an uncached object (account, statistics, setting); `id` 0 makes a new one. Returns its id.
    pub fn put_object(&mut self, mut o: Object) -> Result<u64> {
        if o.id != 0 {
            self.replace(&o)?;
        } else {
            o.id = self.new_id()?;
            self.insert(&o)?;
        }
        Ok(o.id)
    }

    /// Removes an uncached object.
    pub fn drop_object(&mut self, id: u64) -> Result<()> {
        self.remove(id)
    }

    // ---- end ---------------------------------------------------------------------------------------------------------

    /// Commits, publishes, and removes what was dropped.
    pub fn commit(mut self) -> Result<()> {
        self.ended = true;
        let engine = self.engine.clone();
        let committing = engine.dict().committing.read();
        if let Err(e) = self.trx.commit() {
            drop(committing);
            let _ = self.trx.rollback();
            let _ = self.replay_own();
            return Err(e);
        }
        let changes = std::mem::take(&mut self.changes);
        let now = self.engine.trx_sys.published();
        self.dict().publish(changes, now);
        drop(committing);
        // the statement has succeeded; what cannot be removed now is removed at the next DDL or start
        let _ = self.replay_own();
        Ok(())
    }

    /// Lets go of this statement's log rows and replays what is left of them.
    fn replay_own(&mut self) -> Result<()> {
        if self.logged.is_empty() {
            return Ok(());
        }
        let mut busy = self.dict().busy_log_rows.lock();
        for id in &self.logged {
            busy.remove(id);
        }
        drop(busy);
        self.logged.clear();
        Ddl::replay_log(&self.engine)
    }

    /// Undoes everything, files included.
    pub fn rollback(mut self) -> Result<()> {
        self.end_badly()
    }

    fn end_badly(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.ended, true) {
            return Ok(());
        }
        self.trx.rollback()?;
        self.replay_own()
    }

    /// Removes everything that committed log rows name, then the rows. Rows of DDL statements still under way are skipped.
    pub fn replay_log(engine: &Arc<Engine>) -> Result<()> {
        let dict = engine.dict();
        let mut trx = engine.new_trx(0)?;
        let rows = objects::log_read(&mut trx, &dict.log)?;
        trx.commit()?;
        for r in rows {
            let exported = engine.exports.read();
            // a tree of a table that is exported waits for the next DDL
            if dict.busy_log_rows.lock().contains(&r.id) || exported.contains(&SpaceId(r.space)) {
                continue;
            }
            trx.start();
            if !objects::try_remove(&mut trx, &dict.log, r.id)? {
                trx.rollback()?;
                continue;
            }
            r.tell(engine, "replay", 12_485);
            match r.op {
                OP_SPACE => engine.drop_space(SpaceId(r.space))?,
                OP_TREE => engine.free_tree(SpaceId(r.space), PageNo(r.page))?,
                _ => {}
            }
            trx.commit()?;
        }
        Ok(())
    }
}

impl Dict {
    /// Waits until all DDL that has committed is published: who has been told of its GTID finds what it made.
    pub fn settle(&self) {
        drop(self.committing.write());
    }
}

impl Drop for Ddl {
    fn drop(&mut self) {
        // an error here leaves log rows that the next start replays
        let _ = self.end_badly();
    }
}

/// The clustered index of a table without primary key: no parts, ordered by DB_ROW_ID.
pub fn hidden_index() -> IndexDef {
    IndexDef {
        id: IndexId(0),
        name: "GEN_CLUST_INDEX".into(),
        kind: IndexKind::Plain,
        parts: Vec::new(),
        root: PageNo::NONE,
        visible: true,
        comment: String::new(),
        implied: false,
        using_btree: false,
    }
}

fn schema_object(def: &SchemaDef) -> Object {
    let (class, def_bytes) = (ObjectClass::Schema as u8, codec::encode_schema(def));
    Object { id: def.id, class, kind: 0, parent: String::new(), name: def.name.clone(), def: def_bytes }
}

fn table_object(def: &TableDef) -> Object {
    Object {
        id: def.id.0,
        class: ObjectClass::Relation as u8,
        kind: KIND_TABLE,
        parent: def.schema.clone(),
        name: def.name.clone(),
        def: codec::encode_table(def),
    }
}

fn view_object(def: &ViewDef) -> Object {
    Object {
        id: def.id,
        class: ObjectClass::Relation as u8,
        kind: KIND_VIEW,
        parent: def.schema.clone(),
        name: def.name.clone(),
        def: codec::encode_view(def),
    }
}
