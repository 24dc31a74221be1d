//! A file that MySQL 9.7 wrote is read, and written again byte by byte. `testdata/mysql-9.7.binlog` holds every type
//! that columns can have, all kinds of row events, DDL, XA, a compressed transaction and statements as text
//! (`binlog_row_metadata=FULL`, GTIDs on).

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::expect_used)]

use crate::event::{Event, Events};
use crate::query::Query;
use crate::statement as s;
use crate::table_map::TableMap;
use crate::transaction::{self as t, GtidEvent};
use crate::{EventType, FormatDescription, GtidSet, MAGIC, control, event, payload, rows};
use std::collections::BTreeMap;
use value::Value;

const FILE: &[u8] = include_bytes!("../testdata/mysql-9.7.binlog");

fn events() -> Vec<Event<'static>> {
    // the file was not closed when it was copied: its first event's checksum is one of a closed file
    let first = event::Header::read(&FILE[MAGIC.len()..]).unwrap().size as usize + MAGIC.len();
    let rest = Events::new(&FILE[first..], true).map(Result::unwrap).collect::<Vec<_>>();
    assert!(rest.len() > 100, "{}", rest.len());
    rest
}

#[test]
fn format_description() {
    let size = event::Header::read(&FILE[MAGIC.len()..]).unwrap().size as usize;
    let bytes = &FILE[MAGIC.len()..MAGIC.len() + size];
    let d = FormatDescription::read(bytes).unwrap();
    assert_eq!((d.server_version.as_str(), d.checksum), ("9.7.4-2", true));
    let mut again = Vec::new();
    d.write(event::Header::read(bytes).unwrap().stamp, &mut again);
    assert_eq!(again, bytes);
}

/// Writes the event anew from what was read of it; the tables that events before have mapped are in `maps`.
fn again(e: &Event<'_>, maps: &mut BTreeMap<u64, TableMap>) -> Vec<u8> {
    let (stamp, mut out) = (e.header.stamp, Vec::new());
    let kind = e.kind().unwrap_or_else(|| panic!("type {}", e.header.kind));
    match kind {
        EventType::Gtid | EventType::AnonymousGtid => {
            GtidEvent::read(kind, e.body).unwrap().write(stamp, true, &mut out);
        }
        EventType::PreviousGtids => control::previous_gtids(&GtidSet::decode(e.body).unwrap(), stamp, true, &mut out),
        EventType::Query => Query::read(e.header.flags, e.body).unwrap().write(stamp, true, &mut out),
        EventType::Xid => t::xid(t::read_xid(e.body).unwrap(), stamp, true, &mut out),
        EventType::RowsQuery => t::rows_query(t::read_rows_query(e.body).unwrap(), stamp, true, &mut out),
        EventType::XaPrepare => {
            let (id, one) = t::read_xa_prepare(e.body).unwrap();
            t::xa_prepare(id, one, stamp, true, &mut out);
        }
        EventType::Rotate => {
            let (file, at) = control::read_rotate(e.body).unwrap();
            control::rotate(file, at, false, stamp, true, &mut out);
        }
        EventType::Intvar => s::intvar(s::read_intvar(e.body).unwrap(), stamp, true, &mut out),
        EventType::Rand => s::rand(s::read_rand(e.body).unwrap(), stamp, true, &mut out),
        EventType::UserVar => s::user_var(&s::read_user_var(e.body).unwrap(), stamp, true, &mut out),
        EventType::TableMap => {
            let map = TableMap::read(e.body).unwrap();
            map.write(true, stamp, true, &mut out);
            maps.insert(map.id, map);
        }
        EventType::WriteRows | EventType::UpdateRows | EventType::DeleteRows => {
            let map = &maps[&rows::read_table_id(e.body).unwrap()];
            let mut read = rows::Rows::read(kind, e.body, map).unwrap();
            let (before, after) = (read.before.clone(), read.after.clone());
            let mut w = rows::begin(kind, map.id, read.flags, (&before, after.as_ref()), stamp, &mut out);
            let flags = read.flags;
            for row in read.by_ref() {
                let row = row.unwrap();
                for (image, columns) in [(Some(row.before), Some(&before)), (row.after, after.as_ref())] {
                    let (Some(image), Some(columns)) = (image, columns) else { continue };
                    let of = |i| image.iter().find(|(n, _)| *n == i).map_or(Value::Null, |(_, v)| v.as_value());
                    w.image(map, columns, of, &mut out);
                }
            }
            w.end(flags & rows::STMT_END != 0, true, &mut out);
        }
        EventType::TransactionPayload => {
            let inside = payload::read(e.body, 1 << 30).unwrap();
            let mut packed = Vec::new();
            assert!(payload::write(&inside, 3, stamp, true, &mut packed));
            let whole = Event::read(&packed, false).unwrap();
            let body = &whole.body[..whole.body.len() - event::CHECKSUM_LEN];
            assert_eq!(payload::read(body, 1 << 30).unwrap(), inside);
            for e in Events::new(&inside, false) {
                let e = e.unwrap();
                let mut b = again(&e, maps);
                b.truncate(b.len() - event::CHECKSUM_LEN);
                assert_eq!(b[event::HEADER_LEN..], *e.body);
            }
            out = e.bytes.to_vec();
        }
        k => panic!("no way to write {k:?}"),
    }
    out
}

#[test]
fn every_event_is_written_as_mysql_wrote_it() {
    let mut maps = BTreeMap::new();
    let mut at = event::Header::read(&FILE[MAGIC.len()..]).unwrap().end as u64;
    let mut seen = BTreeMap::<u8, usize>::new();
    for e in events() {
        let mut mine = again(&e, &mut maps);
        event::place(&mut mine, at, true);
        assert_eq!(mine, e.bytes, "{:?} at {at}", e.kind());
        at += e.bytes.len() as u64;
        *seen.entry(e.header.kind).or_default() += 1;
    }
    assert_eq!(at as usize, FILE.len());
    for kind in [2, 4, 5, 13, 14, 16, 19, 29, 30, 31, 32, 33, 35, 38, 40] {
        assert!(seen.contains_key(&kind), "type {kind} is not in the file");
    }
}

/// Damaged events are refused or read as something else; nothing panics or runs away.
#[test]
fn flipped_bytes() {
    let all = events();
    let mut maps = BTreeMap::new();
    for e in &all {
        if e.kind() == Some(EventType::TableMap) {
            let m = TableMap::read(e.body).unwrap();
            maps.insert(m.id, m);
        }
    }
    let mut n = 1u64;
    for e in all.iter().filter(|e| e.body.len() < 2000) {
        for _ in 0..200 {
            n = n.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mut body = e.body.to_vec();
            let Some(i) = (n >> 33).checked_rem(body.len() as u64) else { continue };
            body[i as usize] = (n >> 20) as u8;
            body.truncate(body.len() - if n & 0x1000 == 0 { (i / 3) as usize } else { 0 });
            read_anything(e, &body, &maps);
        }
    }
}

fn read_anything(e: &Event<'_>, body: &[u8], maps: &BTreeMap<u64, TableMap>) {
    let kind = e.kind().unwrap();
    let _ = GtidEvent::read(kind, body);
    let _ = GtidSet::decode(body);
    let _ = Query::read(0, body);
    let _ = t::read_xa_prepare(body);
    let _ = s::read_user_var(body);
    let _ = TableMap::read(body);
    let _ = payload::read(body, 1 << 20);
    if let Some(rows) = rows::read_table_id(body).ok().and_then(|id| maps.get(&id))
        && let Ok(rows) = rows::Rows::read(kind, body, rows)
    {
        assert!(rows.take(1_000_000).count() < 1_000_000);
    }
}
