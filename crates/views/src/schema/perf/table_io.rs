//! table_io_waits_summary_by_index_usage, table_io_waits_summary_by_table, table_lock_waits_summary_by_table,
//! objects_summary_global_by_type, table_handles.
//!
//! Counts are [`probe::tables`]'; no clock is read, so times are 0. A table has rows once a statement has used it,
//! those of `setup_objects` alone. Changes of rows count for the primary key (MySQL: for the index that found the
//! row), rows read are those found. Statements use tables by what MySQL calls the external lock; other kinds of table
//! locks there are none. table_handles has a row for each table in use, with whoever has locked it by LOCK TABLES.
//! Tested: `tests/clients/test_table_io.py`.

use super::super::{Hints, NULL, Row, SessionView, Spec, s, u};
use super::io_columns::{OBJECTS, TABLE_HANDLES, TABLE_IO, TABLE_LOCKS};
use super::sums::{Column, tail};
use super::{PS, is_on};
use base::SqlResult;
use probe::objects::{Kind, decided};
use probe::tables::{Counts, What};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use storage::dict::{Relation, TableDef};
use value::OwnedValue;

/// Without INDEX_NAME.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
const BY_TABLE: [Column; 38] = {
    let mut all: [Column; 38] = tail(TABLE_IO);
    (all[0], all[1], all[2]) = (TABLE_IO[0], TABLE_IO[1], TABLE_IO[2]);
    all
};

pub(in super::super) const TABLES: &[Spec] = &[
    Spec { schema: PS, name: "table_io_waits_summary_by_index_usage", columns: TABLE_IO, rows: by_index },
    Spec { schema: PS, name: "table_io_waits_summary_by_table", columns: &BY_TABLE, rows: by_table },
    Spec { schema: PS, name: "table_lock_waits_summary_by_table", columns: TABLE_LOCKS, rows: locks },
    Spec { schema: PS, name: "objects_summary_global_by_type", columns: OBJECTS, rows: objects },
    Spec { schema: PS, name: "table_handles", columns: TABLE_HANDLES, rows: handles },
];

/// A table's counts by place of the index; without one last.
type OfTable = (Arc<TableDef>, BTreeMap<Option<u16>, Counts>);

/// The tables that are counted or open and that the account may know, by their names. Of an open one nobody may have
/// read a row: then its counts are 0, which tells which indexes nobody needs.
fn counted(v: &SessionView) -> Vec<OfTable> {
    if !is_on(v) {
        return Vec::new();
    }
    let mut by_number: HashMap<u64, BTreeMap<Option<u16>, Counts>> = HashMap::new();
    for ((table, index), counts) in probe::tables::all() {
        by_number.entry(table).or_default().insert(index, counts);
    }
    let dict = v.engine.dict();
    let open = |def: &TableDef| {
        dict.if_open(&def.schema, &def.name).is_some() && decided(Kind::Table, &def.schema, &def.name).0
    };
    let found = |def: Arc<TableDef>| match by_number.remove(&def.id.0) {
        Some(indexes) => Some((def, indexes)),
        None => open(&def).then(|| (def, BTreeMap::new())),
    };
    let out: Vec<OfTable> = tables(v).into_iter().filter_map(found).collect();
    if !by_number.is_empty() {
        probe::tables::keep(|number| !by_number.contains_key(&number));
    }
    out
}

/// All tables by their names.
fn tables(v: &SessionView) -> Vec<Arc<TableDef>> {
    let dict = v.engine.dict();
    let relations = dict.schemas().into_iter().flat_map(|schema| dict.relations(&schema.name));
    let table = |r| if let Relation::Table(def) = r { Some(def) } else { None };
    let mut out: Vec<Arc<TableDef>> = relations.filter_map(table).collect();
    out.sort_by(|a, b| (&a.schema, &a.name).cmp(&(&b.schema, &b.name)));
    out
}

fn names(def: &TableDef) -> [OwnedValue; 3] {
    [s("TABLE"), s(&def.schema), s(&def.name)]
}

fn of(c: &Counts, what: What) -> u64 {
    c.get(what as usize).copied().unwrap_or(0)
}

/// A count whose times are not measured.
fn untimed(n: u64) -> [OwnedValue; 5] {
    [u(n), u(0), u(0), u(0), u(0)]
}

/// From COUNT_STAR on.
fn io(c: &Counts) -> Vec<OwnedValue> {
    let [fetch, insert, update, delete] =
        [What::Fetch, What::Insert, What::Update, What::Delete].map(|what| of(c, what));
    let write = insert + update + delete;
    [fetch + write, fetch, write, fetch, insert, update, delete].into_iter().flat_map(untimed).collect()
}

fn sum<'c>(all: impl IntoIterator<Item = &'c Counts>) -> Counts {
    let mut sum = Counts::default();
    all.into_iter().for_each(|c| sum.iter_mut().zip(c).for_each(|(to, n)| *to += n));
    sum
}

fn by_index(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for (def, counts) in counted(v) {
        let mut row = |index: OwnedValue, c: Option<&Counts>| {
            let mut row: Row = names(&def).into_iter().chain([index]).collect();
            row.extend(io(c.unwrap_or(&Counts::default())));
            out.push(row);
        };
        let keyed = |n: usize| !(n == 0 && def.has_no_key());
        for (n, index) in def.indexes.iter().enumerate().filter(|(n, _)| keyed(*n)) {
            row(s(&index.name), counts.get(&Some(n as u16)));
        }
        row(NULL, counts.get(&None));
    }
    Ok(out)
}

fn by_table(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(def, counts): OfTable| names(&def).into_iter().chain(io(&sum(counts.values()))).collect();
    Ok(counted(v).into_iter().map(row).collect())
}

fn locks(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(def, counts): OfTable| {
        let c = sum(counts.values());
        let (read, write) = (of(&c, What::ReadLock), of(&c, What::WriteLock));
        // normal, with shared locks, high priority, no insert, external; then what writes
        let reads = [0, 0, 0, 0, read];
        let writes = [0, 0, 0, 0, write];
        let all = [read + write, read, write].into_iter().chain(reads).chain(writes);
        names(&def).into_iter().chain(all.flat_map(untimed)).collect()
    };
    Ok(counted(v).into_iter().map(row).collect())
}

fn objects(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(def, counts): OfTable| {
        let all: u64 = sum(counts.values()).iter().sum();
        names(&def).into_iter().chain(untimed(all)).collect()
    };
    Ok(counted(v).into_iter().map(row).collect())
}

/// Each table that statements have used or that is locked by LOCK TABLES, with whoever has locked it so.
fn handles(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    if !is_on(v) {
        return Ok(Vec::new());
    }
    let external = |l: &mdl::LockInfo| match l.kind {
        _ if l.status != mdl::LockStatus::Granted || l.namespace != mdl::Namespace::Table => None,
        mdl::MdlType::Snrw => Some("WRITE EXTERNAL"),
        mdl::MdlType::Sro => Some("READ EXTERNAL"),
        _ => None,
    };
    let held: Vec<_> = v.mdl.list().into_iter().filter_map(|l| Some((external(&l)?, l))).collect();
    let used: HashSet<u64> = probe::tables::all().into_keys().map(|(table, _)| table).collect();
    let mut out = Vec::new();
    for def in tables(v) {
        let mut row = |owner: [OwnedValue; 4]| {
            let handle = u(Arc::as_ptr(&def).addr() as u64);
            out.push(names(&def).into_iter().chain([handle]).chain(owner).collect());
        };
        let mut free = used.contains(&def.id.0);
        for (lock, l) in held.iter().filter(|(_, l)| l.db == def.schema && l.object == def.name) {
            let event = v.connections.get(l.connection).map_or(0, |c| c.activity.recorder.statement());
            row([u(l.connection), u(event), NULL, s(lock)]);
            free = false;
        }
        if free {
            row([NULL, NULL, NULL, NULL]);
        }
    }
    Ok(out)
}

/// TRUNCATE TABLE of one of these tables; false: it is none of them.
pub(super) fn truncate(table: &str) -> bool {
    let all = [
        "table_io_waits_summary_by_index_usage",
        "table_io_waits_summary_by_table",
        "table_lock_waits_summary_by_table",
        "objects_summary_global_by_type",
    ];
    if all.contains(&table) {
        probe::tables::truncate();
    }
    all.contains(&table)
}
