//! Tables as row events know them: made once for each opened definition, kept with it
//! ([`storage::table::Table::beside`]) and shared by all sessions.

use binlog::dependency::Keys;
use binlog::event::{self, Stamp};
use binlog::rows::Columns;
use binlog::table_map::{Column, Full, HAS_GENERATED_KEY, TableMap};
use binlog::wire_type::WireType;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use storage::dict::{ColumnDef, GENERATED_KEY, IndexDef, IndexKind, TableDef};
use storage::table::Table;
use value::{CollationId, TypeKind, Value};

/// Tables of `mysql` whose rows no log has, as in MySQL.
const NEVER: &[&str] = &[
    "general_log",
    "slow_log",
    "gtid_executed",
    "slave_master_info",
    "slave_relay_log_info",
    "slave_worker_info",
    "evenkeel_replica",
    "innodb_index_stats",
    "innodb_table_stats",
    "innodb_dynamic_metadata",
];

/// Flags of TABLE_MAP.
const LENGTHS_ARE_EXACT: u16 = 1;
/// The statement changes a table that others refer to: readers that work side by side keep it apart.
pub(super) const HAS_CHILDREN: u16 = 2;

/// The next number of a table. Numbers are never used again: a definition that has changed has another one.
static NEXT: AtomicU64 = AtomicU64::new(100);

/// How the bytes of a column's value differ from what the table stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pad {
    Nothing,
    /// CHAR: without spaces at the end.
    Spaces,
    /// CHAR of a character set of two or four bytes: the same.
    Wide(u8),
    /// BINARY: without zero bytes at the end.
    Zeros,
}

/// A table whose rows are logged.
#[derive(Debug)]
pub struct LoggedTable {
    /// As events show it.
    pub map: TableMap,
    /// TABLE_MAP as bytes with room for a checksum: short, and with everything (`binlog_row_metadata`).
    events: [OnceLock<Vec<u8>>; 2],
    /// Columns of the definition that are in the map.
    columns: Vec<u16>,
    pads: Vec<Pad>,
    /// All columns.
    pub all: Columns,
    /// Positions in the map of the key that a row is found by; empty: there is none.
    pub key: Vec<u16>,
    /// Foreign keys refer to it.
    pub parent: bool,
    /// Positions in the map of TEXT, BLOB and JSON.
    long: Vec<u16>,
    /// Unique keys: number of the index, positions of its columns in the map.
    uniques: Vec<(usize, Vec<u16>)>,
    /// What keys do not tell: it has a unique key of something else than columns in the map, or foreign keys refer to
    /// it.
    unknown: bool,
}

impl LoggedTable {
    /// Of an opened table; `None` for one whose rows no log has. `wanted`: `binlog_do_db` and `binlog_ignore_db` of its
    /// schema.
    pub fn of(table: &Table, wanted: impl FnOnce(&str) -> bool) -> Option<&LoggedTable> {
        let made = table.beside.get_or_init(|| {
            let def = &*table.def;
            let never = def.is_temporary()
                || (def.schema == "mysql" && NEVER.contains(&def.name.as_str()))
                || !wanted(&def.schema);
            Arc::new((!never).then(|| LoggedTable::new(def)))
        });
        made.downcast_ref::<Option<LoggedTable>>()?.as_ref()
    }

    fn new(def: &TableDef) -> LoggedTable {
        let columns: Vec<u16> = (0u16..).zip(&def.columns).filter(|(_, c)| !c.is_hidden()).map(|(n, _)| n).collect();
        let of = |n: &u16| def.columns.get(*n as usize);
        let position = |c: u16| columns.iter().position(|n| *n == c).unwrap_or(0) as u16;
        let parts = key_parts(def);
        let primary = def.indexes.first().filter(|i| i.kind == IndexKind::Primary);
        let primary_key = primary.map_or_else(Vec::new, |i| {
            i.parts.iter().map(|p| (u64::from(position(p.column)), u64::from(p.prefix))).collect()
        });
        let generated = columns.iter().filter_map(of).any(|c| c.name == GENERATED_KEY && c.invisible);
        LoggedTable {
            map: TableMap {
                id: NEXT.fetch_add(1, Ordering::Relaxed),
                flags: LENGTHS_ARE_EXACT | if generated { HAS_GENERATED_KEY } else { 0 },
                schema: def.schema.as_bytes().into(),
                table: def.name.as_bytes().into(),
                columns: columns.iter().filter_map(of).map(column).collect(),
                primary_key,
            },
            events: Default::default(),
            pads: columns.iter().filter_map(of).map(pad).collect(),
            all: Columns::all(columns.len()),
            parent: !def.referenced_by.is_empty(),
            key: parts.into_iter().map(position).collect(),
            long: (0u16..).zip(columns.iter().filter_map(of)).filter(|(_, c)| is_long(c)).map(|(n, _)| n).collect(),
            uniques: uniques(def, &columns),
            unknown: !def.referenced_by.is_empty()
                || def.indexes.iter().any(|i| i.unique() && !is_of(def, i, &columns)),
            columns,
        }
    }

    /// Appends its TABLE_MAP.
    pub(super) fn write_map(&self, full: bool, stamp: Stamp, out: &mut Vec<u8>) {
        let [short, long] = &self.events;
        let made = if full { long } else { short };
        let bytes = made.get_or_init(|| {
            let mut bytes = Vec::new();
            self.map.write(full, stamp, super::CHECKSUM_ROOM, &mut bytes);
            bytes
        });
        let at = out.len();
        out.extend_from_slice(bytes);
        event::restamp(out, at, stamp);
    }

    /// Column of the definition at this place of the map.
    #[inline]
    pub fn column(&self, place: usize) -> usize {
        self.columns.get(place).map_or(usize::MAX, |c| *c as usize)
    }

    /// Whether the column at this place is part of the key that a row is found by.
    pub fn is_key(&self, place: usize) -> bool {
        self.key.contains(&(place as u16))
    }

    /// Whether NOBLOB leaves it out: TEXT or BLOB, not JSON.
    pub fn is_long(&self, place: usize) -> bool {
        self.long.contains(&(place as u16))
    }

    /// Notes in `keys` what a row that `value` shows is known by, or a row that was changed from `old`.
    pub fn note_keys<'v>(
        &self,
        table: &Table,
        (value, old): (impl Fn(usize) -> Value<'v>, Option<&dyn Fn(usize) -> Value<'v>>),
        (keys, limit, scratch): (&mut Keys, usize, &mut [Vec<u8>; 2]),
    ) {
        if self.unknown {
            keys.add_unknown();
            return;
        }
        let mut any = false;
        for (index, places) in &self.uniques {
            let Some(encoder) = table.key_encoder(*index) else { continue };
            // which key of which table: neither number is ever used again
            let number = table.def.indexes.get(*index).map_or(0, |i| i.id.0 << 1 | 1);
            let encode = |value: &dyn Fn(usize) -> Value<'v>, out: &mut Vec<u8>| {
                out.clear();
                for (n, place) in places.iter().enumerate() {
                    let v = value(*place as usize);
                    if v.is_null() {
                        return Some(false);
                    }
                    encoder.encode_part(n, v, out).ok()?;
                }
                Some(true)
            };
            let [new, before] = &mut *scratch;
            let is = encode(&value, new);
            let was = old.map_or(Some(false), |old| encode(old, before));
            let (Some(is), Some(was)) = (is, was) else {
                keys.add_unknown();
                return;
            };
            any |= is || was;
            if is {
                keys.add(number, new, limit);
            }
            if was && !(is && new == before) {
                keys.add(number, before, limit);
            }
        }
        if !any || self.key.is_empty() {
            keys.add_missing();
        }
    }

    /// The value of the column at this place as an image has it.
    #[inline]
    pub fn value<'v>(&self, place: usize, v: Value<'v>) -> Value<'v> {
        match (self.pads.get(place), v) {
            (Some(Pad::Spaces), Value::Str(s)) => Value::Str(s.trim_suffix_bytes(b' ')),
            (Some(Pad::Zeros), Value::Str(s)) => Value::Str(s.trim_suffix_bytes(0)),
            (Some(Pad::Wide(n)), Value::Str(s)) => Value::Str(without_wide_spaces(s, *n as usize)),
            _ => v,
        }
    }
}

trait TrimSuffix {
    fn trim_suffix_bytes(&self, b: u8) -> &[u8];
}

impl TrimSuffix for [u8] {
    #[inline]
    fn trim_suffix_bytes(&self, b: u8) -> &[u8] {
        let end = self.iter().rposition(|x| *x != b).map_or(0, |i| i + 1);
        self.get(..end).unwrap_or_default()
    }
}

fn without_wide_spaces(mut s: &[u8], width: usize) -> &[u8] {
    while let Some((front, last)) = s.split_at_checked(s.len().saturating_sub(width)).filter(|(_, l)| l.len() == width)
    {
        let space = last.split_last().is_some_and(|(l, rest)| *l == b' ' && rest.iter().all(|b| *b == 0));
        let little = last.split_first().is_some_and(|(f, rest)| *f == b' ' && rest.iter().all(|b| *b == 0));
        if !space && !little {
            break;
        }
        s = front;
    }
    s
}

/// The columns that a row is found by: the primary key, else the first unique key without NULLs.
fn key_parts(def: &TableDef) -> Vec<u16> {
    let whole = |i: &&storage::dict::IndexDef| {
        i.parts.iter().all(|p| p.prefix == 0 && def.columns.get(p.column as usize).is_some_and(|c| !c.ty.nullable))
    };
    let primary = def.indexes.iter().find(|i| i.kind == IndexKind::Primary);
    let key = primary.or_else(|| def.indexes.iter().filter(|i| i.kind == IndexKind::Unique).find(whole));
    key.map_or_else(Vec::new, |i| i.parts.iter().map(|p| p.column).collect())
}

/// Whether the parts of an index are columns with these numbers, and none of them is computed.
fn is_of(def: &TableDef, index: &IndexDef, columns: &[u16]) -> bool {
    let stored = |c: &u16| def.columns.get(*c as usize).is_some_and(|c| c.generated.is_none());
    index.parts.iter().all(|p| columns.contains(&p.column) && stored(&p.column))
}

fn uniques(def: &TableDef, columns: &[u16]) -> Vec<(usize, Vec<u16>)> {
    let position = |c: u16| columns.iter().position(|n| *n == c).unwrap_or(0) as u16;
    let own = def.indexes.iter().enumerate().filter(|(_, i)| i.unique() && is_of(def, i, columns));
    own.map(|(n, i)| (n, i.parts.iter().map(|p| position(p.column)).collect())).collect()
}

fn is_long(c: &ColumnDef) -> bool {
    matches!(WireType::of(&c.ty), WireType::Blob(_))
}

fn pad(c: &ColumnDef) -> Pad {
    match c.ty.kind {
        TypeKind::Binary => Pad::Zeros,
        TypeKind::Char if c.ty.charset().is_wide() => {
            Pad::Wide(if c.ty.charset() == value::Charset::Utf32 { 4 } else { 2 })
        }
        TypeKind::Char => Pad::Spaces,
        _ => Pad::Nothing,
    }
}

fn column(c: &ColumnDef) -> Column {
    let ty = &c.ty;
    let text = ty.is_character() || matches!(ty.kind, TypeKind::Enum | TypeKind::Set);
    let members = ty.members.as_ref().map_or_else(Vec::new, |m| m.iter().cloned().collect());
    Column {
        wire: WireType::of(ty),
        nullable: ty.nullable,
        unsigned: ty.unsigned || ty.kind == TypeKind::Year,
        collation: if text { ty.collation.0 } else { CollationId::BINARY.0 },
        full: Some(Full { name: c.name.as_bytes().into(), members, visible: !c.invisible }),
    }
}
