//! [`Dict`]: the maps every statement looks names up in.
//!
//! One `ArcSwap` holds the whole picture; a schema's entry is shared with the previous picture unless the DDL touched it.
//! Names are compared as they are: with `lower_case_table_names=1` they arrive in lower case ([`base::names`]).

use super::builtin::Builtin;
use super::change::Change;
use super::codec;
use super::def::*;
use super::objects::{self, KIND_TABLE, KIND_VIEW, Object, ObjectClass};
use super::program_bytes;
use super::programs::{ProgramKind, folded};
use super::programs_by_name::{Programs, of_kind};
use super::{references, triggers};
use crate::error::{Result, StorageError};
use crate::table::Table;
use crate::txn::Trx;
use arc_swap::ArcSwap;
use base::TrxNo;
use hashbrown::HashMap;
use parking_lot::{Mutex, RwLock};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A name in a schema, with the opened table once somebody used it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) relation: Relation,
    pub(super) opened: Arc<OnceLock<Arc<Table>>>,
    /// Snapshots below this number must not read the table: it was rebuilt, or got an index, afterwards.
    pub(super) visible_from: TrxNo,
    /// Where AUTO_INCREMENT stood when this definition took the place of another one of the same rows; 0: not known.
    pub(super) autoinc: u64,
}

#[derive(Debug, Clone)]
pub(super) struct SchemaEntry {
    pub(super) def: Arc<SchemaDef>,
    pub(super) relations: HashMap<String, Entry>,
    /// By kind and folded name.
    pub(super) programs: Programs,
}

pub(super) type Maps = HashMap<String, Arc<SchemaEntry>>;

/// The dictionary of an engine.
pub struct Dict {
    pub(super) maps: ArcSwap<Maps>,
    /// Serialises publication.
    publish: Mutex<()>,
    /// Held for reading by DDL between its commit, which gives it a GTID, and its publication.
    pub(super) committing: RwLock<()>,
    version: AtomicU64,
    /// Rises when a program is made, changed or dropped.
    pub(super) programs_version: AtomicU64,
    /// Rows of programs whose schema or table an older server dropped.
    pub(super) orphans: Vec<u64>,
    pub(super) objects: Arc<Table>,
    pub(super) log: Arc<Table>,
    /// DDL log rows of statements under way.
    pub(super) busy_log_rows: Mutex<hashbrown::HashSet<u64>>,
    /// Next id and the end of the range that is reserved on disk.
    pub(super) ids: Mutex<(u64, u64)>,
    /// Views that are not stored.
    pub(super) builtin: OnceLock<Builtin>,
}

impl std::fmt::Debug for Dict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dict({} schemas)", self.maps.load().len())
    }
}

fn corrupt(_: codec::Corrupt) -> StorageError {
    StorageError::WrongFormat { file: "mysql.ibd".into(), why: "a dictionary definition that cannot be decoded" }
}

impl Relation {
    /// Version of the definition.
    pub fn version(&self) -> u64 {
        match self {
            Relation::Table(t) => t.version,
            Relation::View(v) => v.version,
        }
    }

    /// Schema and name.
    pub fn name(&self) -> (&str, &str) {
        match self {
            Relation::Table(t) => (&t.schema, &t.name),
            Relation::View(v) => (&v.schema, &v.name),
        }
    }
}

impl Dict {
    /// Reads everything. `objects` and `log` are the opened tables of [`super::system::system_tables`]. Call after the redo
    /// pass and the rollback of unfinished transactions, then [`super::Ddl::replay_log`].
    pub fn load(trx: &mut Trx, objects: Arc<Table>, log: Arc<Table>) -> Result<Dict> {
        let mut maps = Maps::new();
        let mut relations = Vec::new();
        let mut programs = Vec::new();
        let mut next = crate::reserved::FIRST_USER_ID;
        for o in objects::read_all(trx, &objects)? {
            if o.class == ObjectClass::Counter as u8 {
                next = next.max(u64::from_le_bytes(o.def.as_slice().try_into().map_err(|_| corrupt(codec::Corrupt))?));
            } else if o.class == ObjectClass::Schema as u8 {
                let def = Arc::new(codec::decode_schema(&o.def).map_err(corrupt)?);
                maps.insert(
                    def.name.clone(),
                    Arc::new(SchemaEntry { def, relations: HashMap::new(), programs: Programs::default() }),
                );
            } else if o.class == ObjectClass::Relation as u8 {
                relations.push(match o.kind {
                    KIND_TABLE => Relation::Table(Arc::new(codec::decode_table(&o.def).map_err(corrupt)?)),
                    KIND_VIEW => Relation::View(Arc::new(codec::decode_view(&o.def).map_err(corrupt)?)),
                    _ => return Err(corrupt(codec::Corrupt)),
                });
            } else if let Some(kind) = ProgramKind::of_class(o.class) {
                programs.push(program_bytes::decode(kind, &o.def).map_err(corrupt)?);
            }
        }
        let newest = relations.iter().map(|r| r.version()).chain(programs.iter().map(|p| p.version));
        let newest = newest.max().unwrap_or(0);
        for r in relations {
            put_relation(&mut maps, r, TrxNo(0), 0);
        }
        references::derive_all(&mut maps);
        let orphans = triggers::load(&mut maps, programs);
        Ok(Dict {
            maps: ArcSwap::from_pointee(maps),
            publish: Mutex::new(()),
            committing: RwLock::new(()),
            // above every version that a definition has already, so that the next one differs from it
            version: AtomicU64::new(newest + 1),
            programs_version: AtomicU64::new(1),
            orphans,
            objects,
            log,
            busy_log_rows: Mutex::default(),
            ids: Mutex::new((next, next)),
            builtin: OnceLock::new(),
        })
    }

    /// Rises with every DDL on anything.
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// A schema by name.
    pub fn schema(&self, name: &str) -> Option<Arc<SchemaDef>> {
        self.maps.load().get(name).map(|s| s.def.clone())
    }

    /// All schemas by name.
    pub fn schemas(&self) -> Vec<Arc<SchemaDef>> {
        let mut all: Vec<_> = self.maps.load().values().map(|s| s.def.clone()).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// A table or view by name.
    pub fn relation(&self, schema: &str, name: &str) -> Option<Relation> {
        let stored = self.maps.load().get(schema)?.relations.get(name).map(|e| e.relation.clone());
        stored.or_else(|| self.built_in(schema, name))
    }

    /// All tables and views of a schema by name.
    pub fn relations(&self, schema: &str) -> Vec<Relation> {
        self.relations_where(schema, |_| true)
    }

    /// Those whose name is wanted. What is asked of a name is asked of every name of the schema.
    pub fn relations_where(&self, schema: &str, wanted: impl Fn(&str) -> bool) -> Vec<Relation> {
        let maps = self.maps.load();
        let Some(s) = maps.get(schema) else { return Vec::new() };
        let named = s.relations.iter().filter(|(name, _)| wanted(name));
        let mut all: Vec<_> = named.map(|(_, e)| e.relation.clone()).collect();
        all.extend(self.built_in_where(schema, |name| wanted(name) && !s.relations.contains_key(name)));
        all.sort_by(|a, b| a.name().cmp(&b.name()));
        all
    }

    /// `schema.table` of the table that has this tablespace, for messages. Looks at every table; takes no lock.
    pub fn table_of_space(&self, space: base::SpaceId) -> Option<String> {
        let maps = self.maps.load();
        let of = |e: &Entry| match &e.relation {
            Relation::Table(t) if t.space == space => Some(format!("{}.{}", t.schema, t.name)),
            _ => None,
        };
        maps.values().flat_map(|s| s.relations.values()).find_map(of)
    }

    /// How many definitions are here, of tables and views, and how many tables somebody has opened. Looks at every
    /// one; takes no lock.
    pub fn counts(&self) -> (u64, u64) {
        let maps = self.maps.load();
        let opened = |s: &Arc<SchemaEntry>| s.relations.values().filter(|e| e.opened.get().is_some()).count();
        maps.values().fold((0, 0), |(all, open), s| (all + s.relations.len() as u64, open + opened(s) as u64))
    }

    /// Bytes of the definitions of tables, about: what lies in them and the lengths of their names. Looks at every
    /// table.
    pub fn memory(&self) -> u64 {
        let maps = self.maps.load();
        let table = |t: &TableDef| {
            let columns = t.columns.iter().map(|c| size_of_val(c) + c.name.len() + c.comment.len());
            let indexes = t.indexes.iter().map(|i| size_of_val(i) + i.name.len() + size_of_val(i.parts.as_slice()));
            size_of_val(t) + t.schema.len() + t.name.len() + columns.sum::<usize>() + indexes.sum::<usize>()
        };
        let entry = |e: &Entry| match &e.relation {
            Relation::Table(t) => table(t),
            Relation::View(v) => size_of_val(&**v),
        };
        maps.values().flat_map(|s| s.relations.values()).map(|e| (size_of::<Entry>() + entry(e)) as u64).sum()
    }

    /// Opens a base table; the opened one is shared. `Ok(None)`: no such base table.
    ///
    /// Who has no metadata lock (statistics for a plan, purge) may meet DDL that takes the file away. DDL
    /// publishes what is now before a file goes, so a table that cannot be opened is looked up again, and an error means
    /// that the definition of this moment has no file.
    pub fn open_table(
        &self,
        engine: &Arc<crate::engine::Engine>,
        schema: &str,
        name: &str,
    ) -> Result<Option<Arc<Table>>> {
        loop {
            let maps = self.maps.load();
            let Some(entry) = maps.get(schema).and_then(|s| s.relations.get(name)) else { return Ok(None) };
            let Relation::Table(def) = &entry.relation else { return Ok(None) };
            if let Some(t) = entry.opened.get() {
                return Ok(Some(t.clone()));
            }
            let opened = match Table::open_unknown(engine, def.clone()) {
                Ok(t) => t,
                Err(e) if self.is_entry(schema, name, entry) => return Err(e),
                Err(_) => continue,
            };
            opened.set_visible_from(entry.visible_from);
            opened.go_on_from(entry.autoinc);
            // two sessions may open at once; all go on with the same one
            let open = || {
                probe::inc(probe::Counter::OpenedTables);
                Arc::new(opened)
            };
            let table = entry.opened.get_or_init(open).clone();
            engine.register_table(&table);
            // purge opens without a metadata lock: DDL that came meanwhile may have looked for the opened table too
            // early to find it
            if !self.is_entry(schema, name, entry) {
                table.retire();
            }
            return Ok(Some(table));
        }
    }

    /// A base table, if somebody has opened it.
    pub fn if_open(&self, schema: &str, name: &str) -> Option<Arc<Table>> {
        self.maps.load().get(schema)?.relations.get(name)?.opened.get().cloned()
    }

    /// Whether a name still means this entry.
    fn is_entry(&self, schema: &str, name: &str, entry: &Entry) -> bool {
        let now = self.maps.load();
        let same = now.get(schema).and_then(|s| s.relations.get(name)).map(|e| Arc::ptr_eq(&e.opened, &entry.opened));
        same == Some(true)
    }

    /// Tables that somebody has opened: purge and rollback look tables up by id here.
    pub fn table_by_id(&self, engine: &Arc<crate::engine::Engine>, id: base::TableId) -> Result<Option<Arc<Table>>> {
        for system in [&self.objects, &self.log] {
            if system.def.id == id {
                return Ok(Some(system.clone()));
            }
        }
        let name = {
            let maps = self.maps.load();
            maps.values().flat_map(|s| s.relations.values()).find_map(|e| match &e.relation {
                Relation::Table(t) if t.id == id => Some((t.schema.clone(), t.name.clone())),
                _ => None,
            })
        };
        match name {
            Some((schema, name)) => self.open_table(engine, &schema, &name),
            None => Ok(None),
        }
    }

    /// Makes committed changes visible and marks what they replace obsolete. `now`: a snapshot taken from now on has at
    /// least this number. Afterwards purge, which knows no metadata locks, is not at work any more on what was replaced: trees and files may
    /// go, rows may get another layout. What it has to do there it does by the new definition ([`crate::engine::Engine::with_table`]).
    pub(super) fn publish(&self, changes: Vec<Change>, now: TrxNo) {
        let one = self.publish.lock();
        let before = self.maps.load_full();
        let mut maps = Maps::clone(&before);
        let touched = references::touched(&changes);
        let programs = changes.iter().any(|c| matches!(c, Change::PutProgram(_) | Change::DropProgram(..)));
        for c in changes {
            match c {
                Change::PutSchema(def) => {
                    let old = maps.get(&def.name);
                    let (relations, programs) =
                        old.map(|s| (s.relations.clone(), s.programs.clone())).unwrap_or_default();
                    maps.insert(def.name.clone(), Arc::new(SchemaEntry { def: Arc::new(def), relations, programs }));
                }
                Change::PutProgram(def) => triggers::put(&mut maps, *def),
                Change::DropProgram(kind, schema, name) => {
                    if let Some(s) = maps.get_mut(&schema) {
                        of_kind(&mut Arc::make_mut(s).programs, kind).remove(&folded(&name));
                    }
                }
                Change::DropSchema(name) => {
                    maps.remove(&name);
                }
                Change::PutRelation(r) => {
                    let (from, autoinc) = handed_on(&before, &r, now);
                    put_relation(&mut maps, r, from, autoinc);
                }
                Change::DropRelation(schema, name) => {
                    if let Some(s) = maps.get_mut(&schema)
                        && let Some(old) = Arc::make_mut(s).relations.remove(&name)
                    {
                        old.retire();
                    }
                }
            }
        }
        references::derive(&before, &mut maps, &touched, self.version() + 1);
        triggers::derive(&before, &mut maps, &touched, programs, self.version() + 1);
        self.maps.store(Arc::new(maps));
        if programs {
            self.programs_version.fetch_add(1, Ordering::Release);
        }
        self.version.fetch_add(1, Ordering::Release);
        let after = self.maps.load_full();
        drop(one);
        for (schema, s) in before.iter() {
            let now = after.get(schema);
            if now.is_some_and(|now| Arc::ptr_eq(now, s)) {
                continue;
            }
            for (name, old) in &s.relations {
                let kept =
                    now.and_then(|now| now.relations.get(name)).is_some_and(|e| Arc::ptr_eq(&e.opened, &old.opened));
                if let Some(t) = old.opened.get().filter(|_| !kept) {
                    t.retire();
                }
            }
        }
    }

    /// Tables of other definitions whose foreign keys name this table as parent, whether or not it exists.
    pub fn children_of(&self, schema: &str, name: &str) -> Vec<ReferencedBy> {
        references::children_of(&self.maps.load(), schema, name)
    }

    /// Reads an object's definition that is not cached here (accounts, statistics, settings).
    pub fn read_objects(&self, trx: &mut Trx, class: ObjectClass) -> Result<Vec<Object>> {
        Ok(objects::read_all(trx, &self.objects)?.into_iter().filter(|o| o.class == class as u8).collect())
    }
}

impl Entry {
    pub(super) fn retire(&self) {
        if let Some(t) = self.opened.get() {
            t.mark_obsolete();
        }
    }
}

/// What a relation has of the definition of the same rows whose place it takes: from which snapshot on it can be read, and where AUTO_INCREMENT goes on
/// (0: to be found out). Nobody uses the table now: its metadata lock is exclusive.
fn handed_on(before: &Maps, relation: &Relation, now: TrxNo) -> (TrxNo, u64) {
    let Relation::Table(new) = relation else { return (TrxNo(0), 0) };
    let former = before.values().flat_map(|s| s.relations.values()).find_map(|e| match &e.relation {
        Relation::Table(t) if t.id == new.id => Some((t, e)),
        _ => None,
    });
    let Some((old, entry)) = former else { return (TrxNo(0), 0) };
    let known = |i: &IndexDef| old.indexes.iter().any(|o| o.id == i.id && o.root == i.root);
    let from = if old.space == new.space && new.indexes.iter().all(known) { entry.visible_from } else { now };
    let counter = || entry.opened.get().map_or(entry.autoinc, |t| t.autoinc_next());
    (from, if old.counts_as(new) { counter() } else { 0 })
}

fn put_relation(maps: &mut Maps, relation: Relation, visible_from: TrxNo, autoinc: u64) {
    let (schema, name) = relation.name();
    let (schema, name) = (schema.to_owned(), name.to_owned());
    if let Some(s) = maps.get_mut(&schema) {
        let entry = Entry { relation, opened: Arc::default(), visible_from, autoinc };
        probe::inc(probe::Counter::OpenedTableDefinitions);
        if let Some(old) = Arc::make_mut(s).relations.insert(name, entry) {
            old.retire();
        }
    }
}
