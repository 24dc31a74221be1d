//! metadata_locks, data_locks, data_lock_waits.

use super::super::{Columns, Hints, NULL, Row, SessionView, Spec, T, look, s, u};
use super::PS;
use base::{SqlResult, hex};
use mdl::LockStatus;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use storage::dict::{Relation, TableDef};
use storage::engine::Engine;
use storage::rowlock::{LockInfo, LockKind, LockMode};
use value::{Charset, OwnedValue, TypeKind};

/// Bytes of a hidden row id.
const ROW_ID: usize = 6;

pub(in super::super) const TABLES: &[Spec] = &[
    Spec {
        schema: PS,
        name: "metadata_locks",
        columns: &[
            ("OBJECT_TYPE", T::S(64), false),
            ("OBJECT_SCHEMA", T::S(64), true),
            ("OBJECT_NAME", T::S(64), true),
            ("COLUMN_NAME", T::S(64), true),
            ("OBJECT_INSTANCE_BEGIN", T::U, false),
            ("LOCK_TYPE", T::S(32), false),
            ("LOCK_DURATION", T::S(32), false),
            ("LOCK_STATUS", T::S(32), false),
            ("SOURCE", T::S(64), true),
            ("OWNER_THREAD_ID", T::U, true),
            ("OWNER_EVENT_ID", T::U, true),
        ],
        rows: metadata_locks,
    },
    Spec { schema: PS, name: "data_locks", columns: DATA_LOCKS, rows: data_locks },
    Spec { schema: PS, name: "data_lock_waits", columns: DATA_LOCK_WAITS, rows: data_lock_waits },
];

const DATA_LOCKS: Columns = &[
    ("ENGINE", T::S(32), false),
    ("ENGINE_LOCK_ID", T::S(128), false),
    ("ENGINE_TRANSACTION_ID", T::U, true),
    ("THREAD_ID", T::U, true),
    ("EVENT_ID", T::U, true),
    ("OBJECT_SCHEMA", T::S(64), true),
    ("OBJECT_NAME", T::S(64), true),
    ("PARTITION_NAME", T::S(64), true),
    ("SUBPARTITION_NAME", T::S(64), true),
    ("INDEX_NAME", T::S(64), true),
    ("OBJECT_INSTANCE_BEGIN", T::U, false),
    ("LOCK_TYPE", T::S(32), false),
    ("LOCK_MODE", T::S(32), false),
    ("LOCK_STATUS", T::S(32), false),
    ("LOCK_DATA", T::S(8192), true),
];

const DATA_LOCK_WAITS: Columns = &[
    ("ENGINE", T::S(32), false),
    ("REQUESTING_ENGINE_LOCK_ID", T::S(128), false),
    ("REQUESTING_ENGINE_TRANSACTION_ID", T::U, true),
    ("REQUESTING_THREAD_ID", T::U, true),
    ("REQUESTING_EVENT_ID", T::U, true),
    ("REQUESTING_OBJECT_INSTANCE_BEGIN", T::U, false),
    ("BLOCKING_ENGINE_LOCK_ID", T::S(128), false),
    ("BLOCKING_ENGINE_TRANSACTION_ID", T::U, true),
    ("BLOCKING_THREAD_ID", T::U, true),
    ("BLOCKING_EVENT_ID", T::U, true),
    ("BLOCKING_OBJECT_INSTANCE_BEGIN", T::U, false),
];

fn metadata_locks(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let name = |n: &str| if n.is_empty() { NULL } else { s(n) };
    // what somebody waits for the running statement has asked for; of what is held nobody keeps who did
    let event = |l: &mdl::LockInfo| {
        let owner = v.connections.get(l.connection).filter(|_| l.status == LockStatus::Pending);
        owner.map(|c| c.activity.event.load(Relaxed)).filter(|n| *n > 0).map_or(NULL, u)
    };
    let row = |(at, l): (usize, mdl::LockInfo)| {
        vec![
            s(l.namespace.name()),
            name(&l.db),
            name(&l.object),
            NULL,
            u(at as u64 + 1),
            s(l.kind.name()),
            s(l.duration.name()),
            s(if l.status == LockStatus::Granted { "GRANTED" } else { "PENDING" }),
            NULL,
            if l.connection > 0 { u(l.connection) } else { NULL },
            event(&l),
        ]
    };
    Ok(v.mdl.list().into_iter().enumerate().map(row).collect())
}

fn mode_text(l: &LockInfo) -> String {
    let mode = match l.mode {
        LockMode::S => "S",
        LockMode::X => "X",
        LockMode::IS => "IS",
        LockMode::IX => "IX",
        LockMode::AutoInc => "AUTO_INC",
    };
    let kind = match l.kind {
        LockKind::Record => ",REC_NOT_GAP",
        LockKind::Gap => ",GAP",
        LockKind::InsertIntention => ",INSERT_INTENTION",
        LockKind::NextKey | LockKind::Table => "",
    };
    format!("{mode}{kind}")
}

/// What names a lock: owner, object, place and mode.
pub(in super::super) fn lock_id(l: &LockInfo) -> String {
    let place = match &l.key {
        None => "-".to_owned(),
        Some(k) => hex::encode(k),
    };
    let mut id = format!("{}:{}:{}:{place}", l.owner, l.object, mode_text(l));
    id.truncate(id.floor_char_boundary(128));
    id
}

/// Connections of lock owners.
fn owners(v: &SessionView) -> HashMap<u64, u64> {
    v.engine.transactions().into_iter().map(|t| (t.lock_owner, t.session)).collect()
}

/// What a lock's object is: a table by its id, or an index of one. A transaction may hold millions of locks, so it is looked up.
pub(crate) type Objects = HashMap<(bool, u64), (Arc<TableDef>, Option<usize>)>;

/// Tables and indexes of the dictionary and of temporary tables.
pub(crate) fn objects(engine: &Engine) -> Objects {
    let dict = engine.dict();
    let mut out = Objects::new();
    let relations = dict.schemas().into_iter().flat_map(|s| dict.relations(&s.name));
    let tables = relations.filter_map(|r| if let Relation::Table(t) = r { Some(t) } else { None });
    for t in tables.chain(engine.temporary_tables()) {
        for (n, i) in t.indexes.iter().enumerate() {
            out.insert((false, i.id.0), (t.clone(), Some(n)));
        }
        out.insert((true, t.id.0), (t, None));
    }
    out
}

/// The columns of a locked record as MySQL shows them (`LOCK_DATA`), but dates, times and numbers with a fraction as such; its key in hexadecimal
/// digits where it cannot be told.
fn lock_data(engine: &Engine, place: Option<&(Arc<TableDef>, Option<usize>)>, key: &[u8]) -> String {
    let known = place.and_then(|(t, n)| {
        let n = (*n)?;
        let columns = engine.record_columns(t.id, n, key).ok()??;
        let mut texts: Vec<String> = columns.iter().map(|(c, v)| column_text(t, *c, v)).collect::<Option<_>>()?;
        if t.primary_key().is_none() {
            texts.push(format!("0x{}", hex::encode(key.get(key.len().saturating_sub(ROW_ID)..)?).to_uppercase()));
        }
        Some(texts.join(", "))
    });
    known.unwrap_or_else(|| hex::encode(key))
}

fn column_text(t: &TableDef, column: usize, v: &OwnedValue) -> Option<String> {
    let ty = &t.columns.get(column)?.ty;
    let mut b = Vec::new();
    match v {
        OwnedValue::Null => return Some("NULL".to_owned()),
        OwnedValue::Int(n) => return Some(n.to_string()),
        OwnedValue::UInt(n) if ty.kind != TypeKind::Bit => return Some(n.to_string()),
        OwnedValue::Double(_) | OwnedValue::Decimal(_) => {
            value::convert::to_text(v.as_value(), ty, &mut b);
            return String::from_utf8(b).ok();
        }
        _ => value::convert::to_text(v.as_value(), ty, &mut b),
    }
    let bytes = matches!(v, OwnedValue::Str(_)) && !(ty.is_character() && ty.charset() != Charset::Binary);
    if bytes || ty.kind == TypeKind::Bit {
        return Some(format!("0x{}", hex::encode(&b).to_uppercase()));
    }
    if ty.is_character() {
        let mut utf8 = Vec::with_capacity(b.len());
        value::charset::convert(&b, ty.charset(), Charset::Utf8mb4, &mut utf8);
        b = utf8;
    }
    Some(format!("'{}'", String::from_utf8_lossy(&b).replace('\\', "\\\\").replace('\'', "''")))
}

fn data_locks(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let objects = objects(&v.engine);
    let owners = owners(v);
    let mut out = Vec::new();
    for l in v.engine.row_locks()? {
        look(out.len())?;
        let (schema, name, index) = match objects.get(&(l.table, l.object)) {
            Some((t, n)) => {
                let index = n.and_then(|n| t.indexes.get(n)).map_or(NULL, |i| s(&i.name));
                (s(&t.schema), s(&t.name), index)
            }
            None => (NULL, NULL, NULL),
        };
        let data = match &l.key {
            _ if l.table => NULL,
            None => s("supremum pseudo-record"),
            Some(k) => s(lock_data(&v.engine, objects.get(&(false, l.object)), k)),
        };
        out.push(vec![
            s("INNODB"),
            s(lock_id(&l)),
            u(l.trx_id),
            owners.get(&l.owner).map_or(NULL, |c| u(*c)),
            NULL,
            schema,
            name,
            NULL,
            NULL,
            index,
            u(l.object),
            s(if l.table { "TABLE" } else { "RECORD" }),
            s(mode_text(&l)),
            s(if l.waiting { "WAITING" } else { "GRANTED" }),
            data,
        ]);
    }
    Ok(out)
}

fn data_lock_waits(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let (owners, locks) = (owners(v), v.engine.locks().list());
    let mut out = Vec::new();
    for (n, (waiter, blocker)) in v.engine.locks().waits().into_iter().enumerate() {
        look(n)?;
        let Some(wanted) = locks.iter().find(|l| l.owner == waiter && l.waiting) else { continue };
        // the blocker's lock on the same place; one on the gap beside it where there is none
        let same = |l: &&LockInfo| l.owner == blocker && l.object == wanted.object;
        let exact = locks.iter().filter(same).find(|l| l.key == wanted.key && !l.waiting);
        let Some(held) = exact.or_else(|| locks.iter().find(same)) else { continue };
        let mut row = vec![s("INNODB")];
        for l in [wanted, held] {
            row.extend([s(lock_id(l)), u(l.trx_id), owners.get(&l.owner).map_or(NULL, |c| u(*c)), NULL, u(l.object)]);
        }
        out.push(row);
    }
    Ok(out)
}
