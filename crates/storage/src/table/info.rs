//! [`Table`]: what is computed once per table version, and the conversions between values, keys and row bytes.

use crate::btree::BTree;
use crate::dict::{FormerRow, IndexKind, TableDef};
use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::row::{KeyEncoder, KeyPart, RowError, RowLayout, RowView, reversible};
use crate::store::Store;
use crate::table::computed::{ComputedColumns, Computer};
use crate::table::online::Changes;
use crate::table::stats::{PaddedCounts, Stats};
use crate::table::words::KeptWords;
use base::{IndexId, PageId, TableId, TrxNo};
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use sys::prefetch::Lines;
use value::Value;

/// Where an index entry has a column's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// Part of the index's own key.
    Part(u16),
    /// Part of the clustered key that follows.
    PkPart(u16),
    /// Column of the entry's payload.
    Payload(u16),
}

/// One index of an opened table.
#[derive(Debug)]
pub(crate) struct IndexInfo {
    pub(crate) id: IndexId,
    pub(crate) unique: bool,
    /// Encoder of the declared parts.
    pub(crate) encoder: KeyEncoder,
    /// Columns of the declared parts.
    pub(crate) columns: Box<[u16]>,
    /// Columns whose values entries carry because the key does not give them back.
    pub(crate) payload_columns: Box<[u16]>,
    /// Layout of those.
    pub(crate) payload_layout: RowLayout,
    /// For each column of the table: where an entry has it.
    pub(crate) sources: Box<[Option<Source>]>,
    /// The part of a multi-valued index that has an entry for each element of an array ([`crate::table::multi`]).
    pub(crate) array: Option<usize>,
}

/// An opened table: definition, row layout, B+tree handles, AUTO_INCREMENT counter, statistics. Shared by all sessions; a
/// changed definition is another `Table`.
pub struct Table {
    /// Definition.
    pub def: Arc<TableDef>,
    /// For rows that fetch their long columns.
    pub(crate) store: Arc<Store>,
    /// Who binds what is in `computed`.
    pub(crate) computer: Computer,
    pub(crate) layout: RowLayout,
    /// Layouts of rows that instant changes left as they were, by version.
    former: Box<[RowLayout]>,
    /// What VIRTUAL columns are computed with that such rows lack.
    pub(crate) computed: std::sync::OnceLock<Box<dyn ComputedColumns>>,
    pub(crate) indexes: Box<[IndexInfo]>,
    /// The clustered key is the hidden row id.
    pub(crate) hidden_key: bool,
    /// Next AUTO_INCREMENT value to hand out; 0 while not known yet.
    pub(crate) autoinc: AtomicU64,
    /// Holders of the AUTO-INC lock and those who wait for it; shared with the transactions that count themselves in it.
    pub(crate) autoinc_lockers: Arc<AtomicU32>,
    /// Persisted AUTO_INCREMENT hint as far as known.
    pub(crate) hint: AtomicU64,
    /// Set when DDL has published another definition or dropped the table: cached plans must be made anew.
    obsolete: AtomicBool,
    /// Number of the oldest snapshot that may read it; 0: any.
    visible_from: AtomicU64,
    /// Next hidden row id; 0 while not known yet.
    pub(crate) next_row_id: AtomicU64,
    /// Rows and changes, written by commits.
    pub(crate) counts: PaddedCounts,
    /// What DDL that lets others write wants to know.
    pub(crate) changes: Changes,
    /// What full-text searches keep.
    pub(crate) words: KeptWords,
    /// Newest sample.
    pub(crate) stats: arc_swap::ArcSwap<Stats>,
    /// Set under the gate's write side when DDL has dropped or replaced it; purge and rollback hold the read side while they work on the table.
    retired: AtomicBool,
    gate: RwLock<()>,
    /// What a crate above keeps with the opened definition (the binary log's picture of it).
    pub beside: std::sync::OnceLock<Arc<dyn std::any::Any + Send + Sync>>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({}.{}, {})", self.def.schema, self.def.name, self.def.id)
    }
}

/// Flags byte of clustered and secondary payloads: the record is delete-marked.
pub(crate) const DELETE_MARK: u8 = 1;
/// Bytes before the row in a clustered payload: trx_id 6, roll_ptr 7, flags, layout version.
pub(crate) const SYSTEM_BYTES: usize = 15;
/// Offset of the flags byte in a clustered payload.
pub(crate) const FLAGS_AT: usize = 13;
/// Offset of the layout version in a clustered payload.
pub(crate) const VERSION_AT: usize = 14;
/// Bytes before the row in a secondary payload: flags, trx_id of the last transaction that changed the entry.
pub(crate) const ENTRY_SYSTEM: usize = 7;
/// Longest key + payload of a clustered record; longer rows have their longest columns moved out.
pub(crate) const MAX_INLINE: usize = 8000;

/// The mapping of codec errors.
pub(crate) fn row_error(e: RowError, at: PageId) -> StorageError {
    match e {
        RowError::TooLong => StorageError::RecordTooLong,
        RowError::WrongType => StorageError::Unsupported { what: "a value of another type than its column's" },
        RowError::OutOfRange => StorageError::Unsupported { what: "a value outside its column's range" },
        RowError::Corrupt => StorageError::CorruptPage { page: at, why: "row or key bytes do not fit the table" },
        RowError::External => StorageError::Unsupported { what: "an externally stored column here" },
    }
}

impl Table {
    /// Prepares a definition for use. Reads nothing: counters are found out at first use.
    pub fn new(engine: &Engine, def: Arc<TableDef>) -> Table {
        let layout = RowLayout::new(def.columns.iter().map(|c| &c.ty));
        let former = |f: &FormerRow| {
            RowLayout::former(f.stored.iter().map(|(ty, now)| (ty, *now)), &f.filled, def.columns.len())
        };
        let former = def.former.iter().map(former).collect();
        let hidden_key = def.primary_key().is_none();
        let pk: Vec<(u16, bool)> = def
            .primary_key()
            .unwrap_or(&[])
            .iter()
            .map(|p| {
                let whole = def.columns.get(p.column as usize).is_some_and(|c| p.prefix == 0 && reversible(&c.ty));
                (p.column, whole)
            })
            .collect();
        let indexes = def.indexes.iter().enumerate().map(|(n, _)| index_info(&def, n, &pk)).collect();
        Table {
            store: engine.store.clone(),
            computer: engine.computer.clone(),
            layout,
            former,
            computed: Default::default(),
            indexes,
            hidden_key,
            autoinc: AtomicU64::new(0),
            autoinc_lockers: Arc::default(),
            hint: AtomicU64::new(0),
            obsolete: AtomicBool::new(false),
            visible_from: AtomicU64::new(u64::from(def.discarded)),
            next_row_id: AtomicU64::new(0),
            counts: PaddedCounts::default(),
            changes: Changes::default(),
            words: KeptWords::default(),
            stats: arc_swap::ArcSwap::default(),
            retired: AtomicBool::new(false),
            gate: RwLock::new(()),
            beside: Default::default(),
            def,
        }
    }

    /// What needs rows asks first whether there are any.
    ///
    /// # Errors
    /// `Discarded`.
    #[inline]
    pub fn has_tablespace(&self) -> Result<()> {
        if self.def.discarded { Err(StorageError::Discarded { table: self.def.name.as_str().into() }) } else { Ok(()) }
    }

    /// Table id.
    pub fn id(&self) -> TableId {
        self.def.id
    }

    /// Row layout of the current version.
    pub fn layout(&self) -> &RowLayout {
        &self.layout
    }

    /// Encoder of an index's declared parts: for search keys and ranges.
    pub fn key_encoder(&self, index: usize) -> Option<&KeyEncoder> {
        self.indexes.get(index).map(|i| &i.encoder)
    }

    /// The cache lines that a read of these columns through an index goes over before it comes to pages.
    pub fn lines(&self, index: usize, columns: &[u16], out: &mut Lines) {
        let def = &*self.def;
        if let Some(i) = def.indexes.get(index) {
            self.store.pool().lines(PageId::new(def.space, i.root), out);
        }
        out.add(&self.obsolete);
        out.add(&self.def);
        out.add(&self.visible_from);
        out.add(&self.former);
        out.add(&self.indexes);
        out.add(&def.space);
        out.add(&def.columns);
        out.add(&def.indexes);
        if let (Some(i), Some(info)) = (def.indexes.get(index), self.indexes.get(index)) {
            out.add(i);
            out.add(i.parts.as_slice());
            info.encoder.lines(out);
            i.parts.iter().filter_map(|p| def.columns.get(p.column as usize)).for_each(|c| out.add(&c.ty));
        }
        out.add(&self.layout);
        self.layout.lines(columns, out);
    }

    /// Whether entries of this index have the value of this column, so that an index-only cursor can return it.
    pub fn covers(&self, index: usize, column: usize) -> bool {
        index == 0 || self.indexes.get(index).and_then(|i| *i.sources.get(column)?).is_some()
    }

    /// Whether DDL has replaced or dropped this table.
    #[inline]
    pub fn is_obsolete(&self) -> bool {
        self.obsolete.load(Ordering::Acquire)
    }

    pub(crate) fn mark_obsolete(&self) {
        self.obsolete.store(true, Ordering::Release);
        self.words.clear();
    }

    pub(crate) fn set_visible_from(&self, no: TrxNo) {
        self.visible_from.store(no.0.max(u64::from(self.def.discarded)), Ordering::Release);
    }

    /// Number of the oldest snapshot that may read the table; 0: any may. Never 0 of one whose rows are discarded.
    #[inline]
    pub(crate) fn visible_from(&self) -> u64 {
        self.visible_from.load(Ordering::Relaxed)
    }

    /// Opens a table and makes it known to purge and rollback. The dictionary shares the result
    /// ([`crate::dict::Dict::open_table`]).
    pub fn open(engine: &Arc<Engine>, def: Arc<TableDef>) -> Result<Arc<Table>> {
        let table = Arc::new(Table::open_unknown(engine, def)?);
        engine.register_table(&table);
        Ok(table)
    }

    /// The same, and purge and rollback do not know it yet.
    pub(crate) fn open_unknown(engine: &Arc<Engine>, def: Arc<TableDef>) -> Result<Table> {
        let table = Table::new(engine, def);
        table.sample_quickly(engine)?;
        Ok(table)
    }

    /// Whether an index or its entries' payloads need the column.
    pub(crate) fn indexed(&self, column: usize) -> bool {
        let c = column as u16;
        self.indexes.iter().any(|i| i.columns.contains(&c) || i.payload_columns.contains(&c))
    }

    /// Whether the column is part of the declared primary key.
    pub(crate) fn in_clustered_key(&self, column: usize) -> bool {
        self.indexes.first().is_some_and(|i| i.columns.contains(&(column as u16)))
    }

    /// Tells purge and rollback to leave this table alone from now on, and waits until they do. For DDL, before files or trees go, or rows are
    /// written as another definition says.
    pub fn retire(&self) {
        self.mark_obsolete();
        let _wait = self.gate.write();
        self.retired.store(true, Ordering::SeqCst);
    }

    /// Runs `f` while neither purge nor rollback is at work on the table.
    pub(crate) fn while_still<R>(&self, f: impl FnOnce() -> Result<R>) -> Result<R> {
        let _still = self.gate.write();
        f()
    }

    /// Runs `f` unless the table is retired.
    pub(crate) fn while_alive<R>(&self, f: impl FnOnce() -> Result<R>) -> Result<Option<R>> {
        let _in_use = self.gate.read();
        if self.retired.load(Ordering::SeqCst) { Ok(None) } else { f().map(Some) }
    }

    /// The tree of index `n`.
    pub(crate) fn tree(&self, n: usize) -> Result<BTree> {
        match self.def.indexes.get(n) {
            Some(def) => Ok(BTree { space: self.def.space, root: def.root, index: def.id }),
            None => Err(StorageError::NotFound),
        }
    }

    pub(crate) fn index(&self, n: usize) -> Result<&IndexInfo> {
        // (`ok_or` would drop an error each time)
        match self.indexes.get(n) {
            Some(index) => Ok(index),
            None => Err(StorageError::NotFound),
        }
    }

    pub(crate) fn index_by_id(&self, id: IndexId) -> Option<(usize, &IndexInfo)> {
        self.indexes.iter().enumerate().find(|(_, i)| i.id == id)
    }

    /// Secondary indexes with their positions.
    pub(crate) fn secondary(&self) -> impl Iterator<Item = (usize, &IndexInfo)> {
        self.indexes.iter().enumerate().skip(1)
    }

    pub(crate) fn error_page(&self) -> PageId {
        let root = self.def.indexes.first().map_or(base::PageNo::NONE, |i| i.root);
        PageId::new(self.def.space, root)
    }

    pub(crate) fn bad(&self, e: RowError) -> StorageError {
        row_error(e, self.error_page())
    }

    /// Appends the declared parts of index `n` for a whole row of values.
    pub(crate) fn encode_parts(&self, n: usize, row: &[Value<'_>], out: &mut Vec<u8>) -> Result<()> {
        let info = self.index(n)?;
        for (i, &col) in info.columns.iter().enumerate() {
            let v = row.get(col as usize).copied().unwrap_or_default();
            info.encoder.encode_part(i, v, out).map_err(|e| self.bad(e))?;
        }
        Ok(())
    }

    /// Appends the payload of an entry of secondary index `n`: flags byte (not delete-marked), trx_id (0: whoever writes the
    /// entry sets it) and the row of the columns that the key does not give back.
    pub(crate) fn encode_entry_payload(&self, n: usize, row: &[Value<'_>], out: &mut Vec<u8>) -> Result<()> {
        let info = self.index(n)?;
        out.extend_from_slice(&[0; ENTRY_SYSTEM]);
        if info.payload_columns.is_empty() {
            return Ok(());
        }
        let values: smallvec::SmallVec<[Value<'_>; 8]> =
            info.payload_columns.iter().map(|c| row.get(*c as usize).copied().unwrap_or_default()).collect();
        info.payload_layout.encode(&values, &[], out).map_err(|e| self.bad(e))
    }

    /// The row part of a clustered payload.
    pub(crate) fn row_of<'a>(&'a self, payload: &'a [u8]) -> Result<RowView<'a>> {
        let bytes = payload.get(SYSTEM_BYTES..).ok_or_else(|| self.bad(RowError::Corrupt))?;
        let layout = match self.former_version(payload) {
            None => &self.layout,
            Some(v) => self.former.get(v as usize).ok_or_else(|| self.bad(RowError::Corrupt))?,
        };
        RowView::new(layout, bytes).map_err(|e| self.bad(e))
    }

    /// Version byte of rows written now.
    #[inline]
    pub(crate) fn row_version(&self) -> u8 {
        self.former.len() as u8
    }

    /// The row's version, if it was written before an instant change of the columns.
    #[inline]
    pub(crate) fn former_version(&self, payload: &[u8]) -> Option<u8> {
        payload.get(VERSION_AT).copied().filter(|v| *v != self.row_version())
    }

    /// Whether the declared parts at the start of this key of index `n` contain a NULL (then the entry is unique anyway).
    pub(crate) fn key_has_null(&self, n: usize, key: &[u8]) -> Result<bool> {
        let info = self.index(n)?;
        info.encoder.any_null(key, info.columns.len()).map_err(|e| self.bad(e))
    }

    /// Length of the declared parts in a secondary key: the clustered key follows.
    pub(crate) fn parts_len(&self, n: usize, key: &[u8]) -> Result<usize> {
        let info = self.index(n)?;
        info.encoder.prefix_len(key, info.columns.len()).map_err(|e| self.bad(e))
    }

    /// The clustered key inside a secondary key.
    pub(crate) fn clustered_key_of<'a>(&self, n: usize, key: &'a [u8]) -> Result<&'a [u8]> {
        let at = self.parts_len(n, key)?;
        key.get(at..).ok_or_else(|| self.bad(RowError::Corrupt))
    }
}

fn index_info(def: &TableDef, n: usize, pk: &[(u16, bool)]) -> IndexInfo {
    let empty = Vec::new();
    let idx = def.indexes.get(n);
    let parts = idx.map_or(&empty, |i| &i.parts);
    let ty = |c: u16| def.columns.get(c as usize).map(|c| c.ty.clone());
    let array = idx.and_then(|i| i.array_part(&def.columns));
    let element = |c: u16| def.columns.get(c as usize)?.elements.clone();
    let key_type = |c: u16| element(c).or_else(|| ty(c));
    let encoder = KeyEncoder::new(
        parts
            .iter()
            .filter_map(|p| Some(KeyPart { ty: key_type(p.column)?, prefix: u32::from(p.prefix), desc: p.desc })),
    );
    let mut sources: Vec<Option<Source>> = vec![None; def.columns.len()];
    let mut payload_columns: Vec<u16> = Vec::new();
    let mut give = |column: u16, source: Option<Source>, payload: &mut Vec<u16>| {
        let Some(to) = sources.get_mut(column as usize) else { return };
        match (source, &to) {
            (Some(s), None | Some(Source::Payload(_))) => *to = Some(s),
            (None, None) => {
                *to = Some(Source::Payload(payload.len() as u16));
                payload.push(column);
            }
            _ => {}
        }
    };
    // columns the key gives back first, so that none of them is stored twice
    // no read of a multi-valued index is an index-only one: it gives nothing back
    for (i, p) in parts.iter().enumerate().filter(|(i, _)| array.is_none() && encoder.is_reversible(*i)) {
        give(p.column, Some(Source::Part(i as u16)), &mut payload_columns);
    }
    for (i, (column, back)) in pk.iter().enumerate().filter(|_| n != 0 && array.is_none()) {
        if *back {
            give(*column, Some(Source::PkPart(i as u16)), &mut payload_columns);
        }
    }
    if n != 0 && array.is_none() {
        for p in parts.iter().filter(|p| p.prefix == 0) {
            give(p.column, None, &mut payload_columns);
        }
        let whole = def.primary_key().unwrap_or(&[]).iter().filter(|p| p.prefix == 0);
        for p in whole {
            give(p.column, None, &mut payload_columns);
        }
    }
    let types: Vec<_> = payload_columns.iter().filter_map(|c| ty(*c)).collect();
    IndexInfo {
        id: idx.map_or(IndexId(0), |i| i.id),
        unique: idx.is_some_and(|i| i.kind != IndexKind::Plain),
        encoder,
        columns: parts.iter().map(|p| p.column).collect(),
        payload_layout: RowLayout::new(types.iter()),
        payload_columns: payload_columns.into(),
        sources: sources.into(),
        array,
    }
}
