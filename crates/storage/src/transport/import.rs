//! ALTER TABLE ... IMPORT TABLESPACE: rows out of another server's file, into a table that nobody else knows yet.
//!
//! [`Source::find`] reads the `.cfg` file; whether its definition is the table's is asked above (1808 names the
//! difference). [`Source::load`] decodes the rows with the *table's own* types and what only the file knows: where its
//! clustered index is, and the layouts of rows from before instant changes of columns. Delete-marked records are left
//! out; there are no uncommitted ones, FOR EXPORT waits for writers. Indexes are built by [`TableLoader`], so a unique
//! key that the file breaks is 1062.
//!
//! A crash leaves the new tablespace to the DDL log and the two files where they are.

use super::cfg::Cfg;
use super::fits::fits;
use super::foreign::ForeignFile;
use super::names;
use crate::dict::{FormerRow, TableDef};
use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::mvcc;
use crate::row::RowError;
use crate::table::info::SYSTEM_BYTES;
use crate::table::{BuildOptions, Table, TableLoader, external};
use base::{IndexId, PageNo};
use bumpalo::Bump;
use std::sync::Arc;
use value::{SqlType, TypeKind, Value};

/// Rows have their layout's number in a byte.
const MAX_LAYOUTS: usize = 255;
/// Columns that rows of a former layout can have.
const MAX_COLUMNS: usize = 4096;

/// The two files of a table that is to be imported.
#[derive(Debug)]
pub struct Source {
    cfg: Cfg,
    files: names::Pair,
}

/// Which file is not there.
#[derive(Debug)]
pub enum Absent {
    /// `<table>.ibd`.
    Tablespace,
    /// `<table>.cfg`.
    Definition,
    /// It is there, and cannot be what FOR EXPORT wrote; or could not be read.
    Unfit(StorageError),
}

impl Source {
    /// Looks for the files of a table.
    ///
    /// # Errors
    /// [`Absent`].
    pub fn find(engine: &Engine, def: &TableDef) -> std::result::Result<Source, Absent> {
        let fs = engine.store().files().fs().clone();
        let files = names::Pair::of(&def.schema, &def.name);
        for (name, absent) in [(&files.ibd, Absent::Tablespace), (&files.cfg, Absent::Definition)] {
            if fs.number(name).is_some() {
                continue;
            }
            if !fs.exists(name) {
                return Err(absent);
            }
            let why = "not a regular file";
            return Err(Absent::Unfit(StorageError::Foreign { file: name.as_str().into(), page: None, why }));
        }
        let cfg = Cfg::read(fs.as_ref(), &files.cfg).map_err(Absent::Unfit)?;
        Ok(Source { cfg, files })
    }

    /// The definition that the file's rows have.
    pub fn definition(&self) -> &TableDef {
        &self.cfg.def
    }

    /// Next AUTO_INCREMENT value there; 0: none.
    pub fn counter(&self) -> u64 {
        self.cfg.counter
    }

    fn unfit(&self, why: &'static str) -> StorageError {
        StorageError::Foreign { file: self.files.cfg.as_str().into(), page: None, why }
    }

    /// The table as rows of the file are read.
    fn foreign_table(&self, engine: &Engine, target: &TableDef) -> Result<(Table, PageNo, IndexId)> {
        let theirs = self.cfg.def.indexes.first().ok_or_else(|| self.unfit("a table without a clustered index"))?;
        let mut def = target.clone();
        def.space = self.cfg.space;
        def.former.clone_from(&self.cfg.def.former);
        if def.former.len() > MAX_LAYOUTS || !def.former.iter().all(|f| sound(f, def.columns.len())) {
            return Err(self.unfit("a layout of rows that cannot be"));
        }
        if let Some(own) = def.indexes.first_mut() {
            (own.id, own.root) = (theirs.id, theirs.root);
        }
        Ok((Table::new(engine, Arc::new(def)), theirs.root, theirs.id))
    }

    /// Puts the file's rows into `target`, which is empty and not published; how many.
    ///
    /// # Errors
    /// `Foreign` names file and page; `DuplicateKey` of [`TableLoader::finish`]; `Interrupted`; I/O errors.
    pub fn load(&self, engine: &Arc<Engine>, target: &Arc<Table>, opts: BuildOptions<'_>) -> Result<u64> {
        let fs = engine.store().files().fs().clone();
        let mut file = ForeignFile::open(fs.as_ref(), &self.files.ibd, &self.cfg)?;
        let (table, root, clustered) = self.foreign_table(engine, &target.def)?;
        let mut loader = TableLoader::new(engine, target, true, opts)?;
        let mut arena = Bump::new();
        let mut own = Vec::new();
        file.records(root, clustered, &mut |file, at, key, payload| {
            if payload.len() < SYSTEM_BYTES {
                return Err(file.bad(at, "a row shorter than its head"));
            }
            if mvcc::is_deleted(payload) {
                return Ok(());
            }
            {
                let values = row(&table, file, at, payload, clustered, &arena)?;
                // the row's own key is what it lies under
                own.clear();
                if table.hidden_key {
                    own.extend_from_slice(key.get(..6).unwrap_or_default());
                } else {
                    target.encode_parts(0, &values, &mut own).map_err(|e| named(file, at, e))?;
                }
                if own != key {
                    return Err(file.bad(at, "a row that does not lie under its key"));
                }
                loader.add(&values, table.hidden_key.then_some(key)).map_err(|e| named(file, at, e))?;
            }
            arena.reset();
            Ok(())
        })?;
        loader.finish()
    }

    /// The files have done their work.
    pub fn remove(&self, engine: &Engine) {
        let fs = engine.store().files().fs();
        for name in [&self.files.ibd, &self.files.cfg] {
            // one that cannot be removed is in nobody's way but the next import's
            let _ = fs.remove(name);
        }
    }
}

/// A row's values.
fn row<'a>(
    table: &'a Table,
    file: &mut ForeignFile,
    at: PageNo,
    payload: &'a [u8],
    clustered: IndexId,
    arena: &'a Bump,
) -> Result<Vec<Value<'a>>> {
    let view = table.row_of(payload).map_err(|e| named(file, at, e))?;
    let lacking = table.lacking(payload);
    let mut values = Vec::with_capacity(table.def.columns.len());
    for (i, c) in table.def.columns.iter().enumerate() {
        if lacking.contains(&(i as u16)) {
            values.push(Value::Null);
            continue;
        }
        let v = match view.value(i, arena) {
            Ok(v) => v,
            Err(RowError::External) => {
                let blob = view.external(i).ok_or_else(|| file.bad(at, "a long column that cannot be"))?;
                let bytes = file.long(at, blob, clustered, arena)?;
                external::value_of(table, i, bytes).map_err(|e| named(file, at, e))?
            }
            Err(_) => return Err(file.bad(at, "row bytes do not fit the table")),
        };
        if !fits(&c.ty, &v) {
            return Err(file.bad(at, "a value that its column cannot have"));
        }
        values.push(v);
    }
    table.complete(payload, &mut values, arena)?;
    Ok(values)
}

/// What is said of a row is said of the page that it came from.
fn named(file: &ForeignFile, at: PageNo, e: StorageError) -> StorageError {
    match e {
        StorageError::CorruptPage { why, .. } => file.bad(at, why),
        StorageError::Unsupported { what } => file.bad(at, what),
        StorageError::RecordTooLong => file.bad(at, "a row that is too long"),
        e => e,
    }
}

/// Whether a layout is one that instant changes make: what reads rows by it computes places from these types.
fn sound(f: &FormerRow, columns: usize) -> bool {
    let there = |at: u16| usize::from(at) < columns;
    let number = |ty: &SqlType| match ty.kind {
        TypeKind::Null => false,
        TypeKind::Decimal => (1..=65).contains(&ty.length) && ty.decimals <= 30 && u32::from(ty.decimals) <= ty.length,
        _ => true,
    };
    f.stored.len() <= MAX_COLUMNS
        && f.stored.iter().all(|(ty, now)| number(ty) && now.is_none_or(there))
        && f.filled.iter().all(|(at, _)| there(*at))
        && f.computed.iter().all(|at| there(*at))
        && f.computed.is_sorted()
}
