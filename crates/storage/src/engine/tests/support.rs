//! A small engine, a table, and short names for row operations.

use crate::dict::{ColumnDef, Ddl, IndexDef, IndexKind, IndexPart, TableDef};
use crate::engine::{Engine, EngineConfig};
use crate::error::Result;
use crate::file::sim::SimFs;
use crate::table::{Direction, Inserted, KeyRange, OnDuplicate, ReadMode, Row, Table, TableCursor};
use crate::txn::Trx;
use base::{IndexId, PageNo, SpaceId, TableId};
use bumpalo::Bump;
use std::sync::Arc;
use std::time::Duration;
use value::{CollationId, SqlType, TypeKind, Value};

/// A disk and an engine on it.
pub(super) fn engine() -> (Arc<SimFs>, Arc<Engine>) {
    let fs = Arc::new(SimFs::new());
    let e = open(&fs);
    (fs, e)
}

pub(super) fn open(fs: &Arc<SimFs>) -> Arc<Engine> {
    let mut config = EngineConfig::on(fs.boot());
    config.lock_wait_timeout = Duration::from_secs(10);
    Engine::open(config).unwrap()
}

pub(super) fn column(name: &str, ty: SqlType) -> ColumnDef {
    ColumnDef::new(name, ty)
}

pub(super) fn index(name: &str, kind: IndexKind, columns: &[u16]) -> IndexDef {
    let parts = columns.iter().map(|&column| IndexPart { column, prefix: 0, desc: false }).collect();
    IndexDef {
        id: IndexId(0),
        name: name.into(),
        kind,
        parts,
        root: PageNo::NONE,
        visible: true,
        comment: String::new(),
        implied: false,
        using_btree: false,
    }
}

pub(super) fn def(name: &str, columns: Vec<ColumnDef>, indexes: Vec<IndexDef>) -> TableDef {
    TableDef {
        id: TableId(0),
        version: 1,
        schema: "t".into(),
        name: name.into(),
        space: SpaceId(0),
        columns,
        indexes,
        foreign_keys: Vec::new(),
        referenced_by: Vec::new(),
        triggers: Vec::new(),
        checks: Vec::new(),
        collation: CollationId::UTF8MB4_0900_AI_CI,
        comment: String::new(),
        options: Vec::new(),
        auto_increment: 0,
        created: 0,
        fulltext: Vec::new(),
        former: Vec::new(),
        discarded: false,
    }
}

/// `t(id BIGINT PRIMARY KEY, k BIGINT, u BIGINT NULL, s VARCHAR(200), b LONGBLOB NULL, KEY(k), UNIQUE(u), KEY(s, k))`
pub(super) fn standard(name: &str) -> TableDef {
    let big = || SqlType::new(TypeKind::BigInt);
    def(
        name,
        vec![
            column("id", big().nullable(false)),
            column("k", big().nullable(false)),
            column("u", big().nullable(true)),
            column("s", SqlType::varchar(200, CollationId::UTF8MB4_0900_AI_CI).nullable(false)),
            column("b", SqlType::new(TypeKind::LongBlob).nullable(true)),
        ],
        vec![
            index("PRIMARY", IndexKind::Primary, &[0]),
            index("k", IndexKind::Plain, &[1]),
            index("u", IndexKind::Unique, &[2]),
            index("s", IndexKind::Plain, &[3, 1]),
        ],
    )
}

/// The standard table with `a`, arrays of BIGINT, and `KEY m (a), UNIQUE um (a), KEY km (k, a, s)` on its elements.
pub(super) fn multi(name: &str) -> TableDef {
    let mut d = standard(name);
    let mut a = column("a", SqlType::new(TypeKind::Json).nullable(true));
    a.elements = Some(SqlType::bigint().nullable(true));
    d.columns.push(a);
    d.indexes.push(index("m", IndexKind::Plain, &[5]));
    d.indexes.push(index("um", IndexKind::Unique, &[5]));
    d.indexes.push(index("km", IndexKind::Plain, &[1, 5, 3]));
    d
}

/// A document with these elements; `None`: NULL.
pub(super) fn array(elements: Option<Vec<i64>>) -> Option<Vec<u8>> {
    let elements: std::collections::BTreeSet<i64> = elements?.into_iter().collect();
    let elements = elements.into_iter().map(value::json::Dom::Int).collect();
    Some(value::json::Dom::Array(elements).to_document().unwrap())
}

/// The array that the crash test gives a row: of numbers that no other row has, sometimes none, sometimes more than an undo record holds.
pub(super) fn array_of(row: &R) -> Option<Vec<u8>> {
    let n = match row.3.len() {
        l if l % 7 == 3 => return None,
        l if l % 40 == 1 => 900,
        l => l % 6,
    };
    array(Some((0..n as i64).map(|j| row.0 * 2000 + (row.1 * 31 + j * 2) % 2000).collect()))
}

pub(super) fn json(doc: &Option<Vec<u8>>) -> Value<'_> {
    doc.as_deref().map_or(Value::Null, Value::Json)
}

pub(super) fn create(e: &Arc<Engine>, def: TableDef) -> Arc<Table> {
    let name = def.name.clone();
    let mut ddl = Ddl::begin(e, 1).unwrap();
    if e.dict().schema("t").is_none() {
        ddl.create_schema("t", CollationId::UTF8MB4_0900_AI_CI).unwrap();
    }
    let def = ddl.create_files(def).unwrap();
    ddl.add_table(def).unwrap();
    ddl.commit().unwrap();
    table(e, &name)
}

pub(super) fn table(e: &Arc<Engine>, name: &str) -> Arc<Table> {
    e.dict().open_table(e, "t", name).unwrap().unwrap()
}

/// (id, k, u, s)
pub(super) type R = (i64, i64, Option<i64>, String);

pub(super) fn r(id: i64, k: i64, u: Option<i64>, s: &str) -> R {
    (id, k, u, s.to_owned())
}

fn int(v: Option<i64>) -> Value<'static> {
    v.map_or(Value::Null, Value::Int)
}

pub(super) fn insert_blob(t: &mut Trx, tab: &Arc<Table>, row: &R, blob: Option<&[u8]>) -> Result<Inserted> {
    let b = blob.map_or(Value::Null, Value::Str);
    let mut values = vec![Value::Int(row.0), Value::Int(row.1), int(row.2), Value::Str(row.3.as_bytes()), b];
    let elements = array_of(row);
    if tab.def.columns.len() > values.len() {
        values.push(json(&elements));
    }
    t.insert(tab, &values, OnDuplicate::Error)
}

pub(super) fn insert(t: &mut Trx, tab: &Arc<Table>, row: &R) -> Result<Inserted> {
    insert_blob(t, tab, row, None)
}

pub(super) fn key(tab: &Table, id: i64) -> Vec<u8> {
    index_key(tab, 0, &[Value::Int(id)])
}

pub(super) fn index_key(tab: &Table, n: usize, values: &[Value<'_>]) -> Vec<u8> {
    let mut k = Vec::new();
    tab.key_encoder(n).unwrap().encode(values, &mut k).unwrap();
    k
}

pub(super) fn get_i64(row: &Row<'_>, c: usize) -> Option<i64> {
    match row.column(c, &Bump::new()).unwrap() {
        Value::Int(v) => Some(v),
        Value::Null => None,
        other => panic!("{other:?}"),
    }
}

pub(super) fn get_str(row: &Row<'_>, c: usize) -> Option<Vec<u8>> {
    let arena = Bump::new();
    row.column(c, &arena).unwrap().as_bytes().map(<[u8]>::to_vec)
}

pub(super) fn to_r(row: &Row<'_>) -> R {
    let s = String::from_utf8(get_str(row, 3).unwrap()).unwrap();
    (get_i64(row, 0).unwrap(), get_i64(row, 1).unwrap(), get_i64(row, 2), s)
}

/// Reads a row by id under a mode.
pub(super) fn point(t: &mut Trx, tab: &Arc<Table>, id: i64, mode: ReadMode) -> Result<Option<R>> {
    let mut c = TableCursor::open(tab, 0, mode, false);
    Ok(c.point(t, &key(tab, id))?.map(|r| to_r(&r)))
}

pub(super) fn read(t: &mut Trx, tab: &Arc<Table>, id: i64) -> Option<R> {
    point(t, tab, id, ReadMode::Consistent).unwrap()
}

/// Scans an index completely.
pub(super) fn scan(t: &mut Trx, tab: &Arc<Table>, n: usize, mode: ReadMode, dir: Direction) -> Result<Vec<R>> {
    scan_range(t, tab, n, mode, dir, KeyRange::ALL)
}

pub(super) fn scan_range(
    t: &mut Trx,
    tab: &Arc<Table>,
    n: usize,
    mode: ReadMode,
    dir: Direction,
    range: KeyRange<'_>,
) -> Result<Vec<R>> {
    let mut c = TableCursor::open(tab, n, mode, false);
    c.seek(t, range, dir)?;
    let mut all = Vec::new();
    while let Some(row) = c.next(t)? {
        all.push(to_r(&row));
    }
    Ok(all)
}

pub(super) fn all(t: &mut Trx, tab: &Arc<Table>) -> Vec<R> {
    scan(t, tab, 0, ReadMode::Consistent, Direction::Forward).unwrap()
}

/// Locks the row and changes columns; false if it is not there.
pub(super) fn update(
    t: &mut Trx,
    tab: &Arc<Table>,
    id: i64,
    changes: &[(usize, Value<'_>)],
) -> Result<Option<Inserted>> {
    if point(t, tab, id, ReadMode::FOR_UPDATE)?.is_none() {
        return Ok(None);
    }
    t.update(tab, &key(tab, id), changes).map(Some)
}

pub(super) fn delete(t: &mut Trx, tab: &Arc<Table>, id: i64) -> Result<bool> {
    if point(t, tab, id, ReadMode::FOR_UPDATE)?.is_none() {
        return Ok(false);
    }
    t.delete(tab, &key(tab, id)).map(|()| true)
}

pub(super) fn drain_purge(e: &Engine) {
    while e.purge_batch().unwrap() > 0 {}
}

/// CHECK TABLE must find nothing.
pub(super) fn check(e: &Arc<Engine>, tab: &Arc<Table>) {
    let report = tab.check(e).unwrap();
    assert!(report.is_ok(), "{report:?}");
}
