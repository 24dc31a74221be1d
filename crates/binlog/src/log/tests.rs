//! The engine and the real files on a disk that loses power: the files hold exactly the committed transactions, whole,
//! in the order in which they became visible; and every file is one that MySQL's tools would read.
//!
//! Every transaction raises the counter of one row, which it locks, and inserts a row of its own; its events name
//! both. Some events travel in a spill, some transactions are rolled back, files rotate, are purged and reset
//! meanwhile. More seeds: `EVENKEEL_BINLOG_SEEDS=1000 cargo test --release -p binlog power_cuts`.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use super::names::Names;
use super::read::Walk;
use super::spills::spill_name;
use super::{Log, Options};
use crate::event::{self, EventType, Stamp};
use crate::gtid::{Gtid, GtidSet, Sid};
use crate::query::Query;
use crate::service::{BinaryLog, Own};
use crate::transaction::{self, GtidEvent};
use base::{IndexId, PageNo, SpaceId, TableId};
use bumpalo::Bump;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use storage::Result;
use storage::dict::{ColumnDef, Ddl, IndexDef, IndexKind, IndexPart, TableDef};
use storage::engine::{Engine, EngineConfig};
use storage::file::sim::{Rng, SimFs};
use storage::file::{FileKind, FileSystem, OpenMode};
use storage::table::{Direction, KeyRange, OnDuplicate, ReadMode, Row, Table, TableCursor};
use storage::txn::{Isolation, Trx};
use value::{CollationId, SqlType, TypeKind, Value};

const HOT: i64 = 1_000_000;
pub(super) const STAMP: Stamp = Stamp { timestamp: 1_700_000_000, server_id: 7 };

pub(super) fn sid() -> Sid {
    Sid::parse("3e11fa47-71ca-11e1-9e33-c80aa9429562").unwrap()
}

pub(super) fn options(checksum: bool) -> Options {
    Options {
        names: Names::new("bin", None),
        uuid: sid(),
        version: "8.4.0".into(),
        server_id: 7,
        max_size: 2000,
        checksum,
    }
}

pub(super) fn open(fs: &Arc<SimFs>, checksum: bool) -> Result<(Arc<Engine>, Arc<Log>)> {
    open_as(fs, options(checksum))
}

pub(super) fn open_as(fs: &Arc<SimFs>, options: Options) -> Result<(Arc<Engine>, Arc<Log>)> {
    let disk = fs.boot();
    let log = Log::open(disk.clone(), options)?;
    let mut config = EngineConfig::on(disk);
    config.redo_capacity = 4 << 20;
    config.lock_wait_timeout = Duration::from_millis(300);
    config.sink = Some(log.clone());
    let engine = Engine::open(config)?;
    log.begin(&engine)?;
    Ok((engine, log))
}

fn def() -> TableDef {
    let big = || SqlType::new(TypeKind::BigInt).nullable(false);
    TableDef {
        id: TableId(0),
        version: 1,
        schema: "t".into(),
        name: "a".into(),
        space: SpaceId(0),
        columns: vec![ColumnDef::new("id", big()), ColumnDef::new("k", big())],
        indexes: vec![IndexDef {
            id: IndexId(0),
            name: "PRIMARY".into(),
            kind: IndexKind::Primary,
            parts: vec![IndexPart { column: 0, prefix: 0, desc: false }],
            root: PageNo::NONE,
            visible: true,
            comment: String::new(),
            implied: false,
            using_btree: false,
        }],
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

fn create(e: &Arc<Engine>) -> Arc<Table> {
    let mut ddl = Ddl::begin(e, 1).unwrap();
    ddl.create_schema("t", CollationId::UTF8MB4_0900_AI_CI).unwrap();
    let def = ddl.create_files(def()).unwrap();
    ddl.add_table(def).unwrap();
    ddl.commit().unwrap();
    table(e)
}

fn table(e: &Arc<Engine>) -> Arc<Table> {
    e.dict().open_table(e, "t", "a").unwrap().unwrap()
}

fn key(table: &Table, id: i64) -> Vec<u8> {
    let mut k = Vec::new();
    table.key_encoder(0).unwrap().encode(&[Value::Int(id)], &mut k).unwrap();
    k
}

fn number(row: &Row<'_>, column: usize) -> i64 {
    match row.column(column, &Bump::new()).unwrap() {
        Value::Int(v) => v,
        other => panic!("{other:?}"),
    }
}

fn insert(t: &mut Trx, table: &Arc<Table>, id: i64, k: i64) -> Result<()> {
    t.insert(table, &[Value::Int(id), Value::Int(k)], OnDuplicate::Error).map(|_| ())
}

/// Raises the hot row's counter; its new value.
fn raise(t: &mut Trx, table: &Arc<Table>) -> Result<i64> {
    let k = {
        let mut c = TableCursor::open(table, 0, ReadMode::FOR_UPDATE, false);
        1 + number(&c.point(t, &key(table, HOT))?.unwrap(), 1)
    };
    t.update(table, &key(table, HOT), &[(1, Value::Int(k))])?;
    Ok(k)
}

/// The committed transactions: counter and id, in the order of the counters.
fn rows(e: &Arc<Engine>) -> Vec<(i64, i64)> {
    let table = table(e);
    let mut t = e.new_trx(9).unwrap();
    let mut c = TableCursor::open(&table, 0, ReadMode::Consistent, false);
    c.seek(&mut t, KeyRange::ALL, Direction::Forward).unwrap();
    let mut all = Vec::new();
    while let Some(row) = c.next(&mut t).unwrap() {
        all.push((number(&row, 1), number(&row, 0)));
    }
    all.retain(|(_, id)| *id != HOT);
    all.sort_unstable();
    all
}

/// Events that name a transaction; `len`: so long, about.
pub(super) fn body(checksum: bool, k: i64, id: i64, len: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut text = format!("{k} {id} ").into_bytes();
    text.resize(text.len() + len, b'x');
    for text in [b"BEGIN".as_slice(), &text] {
        Query { text, schema: b"t", ..Query::default() }.write(STAMP, checksum, &mut out);
    }
    transaction::xid(id as u64, STAMP, checksum, &mut out);
    out
}

pub(super) fn gtid_event(gtid: Option<Gtid>, length: u64) -> GtidEvent {
    GtidEvent {
        gtid,
        may_have_statements: false,
        last_committed: 0,
        sequence_number: 0,
        immediate_commit: 1,
        original_commit: 1,
        transaction_length: length,
        immediate_version: 80_400,
        original_version: 80_400,
    }
}

/// A piece as sessions attach it; some of them with a spill.
fn piece(fs: &SimFs, log: &Log, rng: &mut Rng, k: i64, id: i64) -> Result<Vec<u8>> {
    let checksum = log.checksum();
    let gtid = match rng.below(8) {
        0 => None,
        1 => {
            let gtid = Gtid { sid: Sid([9; 16]), gno: id as u64 + 1 };
            assert_eq!(log.own(gtid, id as u64), Own::Owned);
            Some(gtid)
        }
        _ => Some(Gtid { sid: Sid::default(), gno: 0 }),
    };
    let mut out = Vec::new();
    let len = rng.below(300) as usize;
    if rng.below(8) > 0 {
        let body = body(checksum, k, id, len);
        gtid_event(gtid, 0).write(STAMP, checksum, &mut out);
        out.extend_from_slice(&body);
        return Ok(out);
    }
    spilled(log, fs, gtid, k, id, len)
}

/// The piece of a transaction whose events are in a spill.
fn spilled(log: &Log, fs: &SimFs, gtid: Option<Gtid>, k: i64, id: i64, len: usize) -> Result<Vec<u8>> {
    let (checksum, mut out) = (log.checksum(), Vec::new());
    // the number only: the file is the simulated disk's
    let spill = log.next_spill.fetch_add(1, Ordering::Relaxed);
    let file = fs.open(&spill_name(spill), OpenMode::Truncate, FileKind::Log)?;
    file.write_at(0, &body(true, k, id, len))?;
    file.sync_data()?;
    gtid_event(gtid, 0).write(STAMP, checksum, &mut out);
    transaction::spilled(spill, body(checksum, k, id, len).len() as u64, &mut out);
    Ok(out)
}

/// What a test did that takes transactions out of the log.
#[derive(Default)]
struct Cut(AtomicBool);

/// Transactions until the disk dies; the ids of those that were acknowledged.
fn worker(e: &Arc<Engine>, log: &Arc<Log>, fs: &SimFs, cut: &Cut, me: i64, round: i64, seed: u64) -> BTreeSet<i64> {
    let (mut rng, mut sure) = (Rng(seed * 31 + me as u64), BTreeSet::new());
    let table = table(e);
    let mut t = e.new_trx(me as u64).unwrap();
    t.set_isolation(Isolation::ReadCommitted);
    for n in 0..120 {
        let id = (round * 3 + me) * 1000 + n;
        t.start();
        let mut run = || -> Result<()> {
            let k = raise(&mut t, &table)?;
            insert(&mut t, &table, id, k)?;
            if rng.below(10) == 0 {
                return t.rollback();
            }
            t.attach(piece(fs, log, &mut rng, k, id)?);
            t.commit()?;
            sure.insert(id);
            match rng.below(60) {
                0..10 => drop(log.work()),
                10..13 => drop(e.store().flush_and_checkpoint()?),
                13 => log.rotate()?,
                14 => {
                    cut.0.store(true, Ordering::Relaxed);
                    let all = log.list()?;
                    let name = &all[all.len() / 2].0;
                    // another thread may have purged it meanwhile
                    assert!(log.purge_to(name)?.is_some() || log.list()?.iter().all(|f| f.0 != *name));
                }
                15 if seed.is_multiple_of(3) => {
                    cut.0.store(true, Ordering::Relaxed);
                    log.reset(Some(1 + rng.below(3) as u32))?;
                }
                _ => {}
            }
            Ok(())
        };
        if run().is_err() {
            std::mem::forget(t);
            return sure;
        }
    }
    sure
}

/// Reads all files as a tool would: every event must be whole, in its place and with its checksum. Counters and ids of
/// the transactions.
fn read_files(fs: &Arc<SimFs>, log: &Arc<Log>) -> Vec<(i64, i64)> {
    let (mut all, mut executed): (Vec<(i64, i64)>, Option<GtidSet>) = (Vec::new(), None);
    for (name, size) in log.list().unwrap() {
        let mut walk = Walk::open(&**fs, &name, size).unwrap();
        assert_eq!(fs.open(&name, OpenMode::ReadOnly, FileKind::Log).unwrap().len().unwrap(), size, "{name}");
        let (checksum, mut sequence) = (walk.format().0.checksum, 0);
        while let Some(bytes) = walk.next(size).unwrap().map(<[u8]>::to_vec) {
            let e = event::Event::read(&bytes, checksum).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(u64::from(e.header.end), walk.position(), "{name}");
            match e.kind().unwrap() {
                EventType::PreviousGtids => {
                    let set = GtidSet::decode(e.body).unwrap();
                    assert_eq!(*executed.get_or_insert_with(|| set.clone()), set, "{name}");
                }
                kind @ (EventType::Gtid | EventType::AnonymousGtid) => {
                    sequence += 1;
                    let g = GtidEvent::read(kind, e.body).unwrap();
                    assert_eq!((g.sequence_number, g.last_committed), (sequence, sequence - 1), "{name}");
                    if let Some(gtid) = g.gtid {
                        let executed = executed.as_mut().unwrap();
                        assert!(!executed.contains(gtid), "{name}: {gtid} twice");
                        executed.add(gtid);
                    }
                }
                EventType::Query => {
                    let q = Query::read(0, e.body).unwrap();
                    if q.text != b"BEGIN" {
                        let text = std::str::from_utf8(q.text).unwrap();
                        let mut n = text.split(' ').map(str::parse);
                        all.push((n.next().unwrap().unwrap(), n.next().unwrap().unwrap()));
                    }
                }
                EventType::Xid => {
                    let xid = transaction::read_xid(e.body).unwrap();
                    assert_eq!(all.last().unwrap().1 as u64, xid, "{name}");
                }
                EventType::Rotate | EventType::Stop => assert_eq!(walk.position(), size, "{name}"),
                other => panic!("{name}: {other:?}"),
            }
        }
        assert_eq!(walk.position(), size, "{name}");
    }
    assert_eq!(log.gtid_executed(), executed.unwrap());
    all
}

fn verify(fs: &Arc<SimFs>, e: &Arc<Engine>, log: &Arc<Log>, cut: &Cut, sure: &BTreeSet<i64>, seed: u64) {
    let rows = rows(e);
    let logged = read_files(fs, log);
    let counters: Vec<i64> = rows.iter().map(|r| r.0).collect();
    assert_eq!(counters, (1..=rows.len() as i64).collect::<Vec<_>>(), "seed {seed}");
    if cut.0.load(Ordering::Relaxed) {
        assert!(rows.ends_with(&logged), "seed {seed}: {logged:?} of {rows:?}");
    } else {
        assert_eq!(logged, rows, "seed {seed}");
    }
    let ids: BTreeSet<i64> = rows.iter().map(|r| r.1).collect();
    assert!(sure.is_subset(&ids), "seed {seed}: {:?} are gone", sure.difference(&ids));
}

fn one_seed(seed: u64) {
    let fs = Arc::new(SimFs::new());
    let mut rng = Rng(seed + 77);
    let cut = Cut::default();
    {
        let (e, log) = open(&fs, true).unwrap();
        let table = create(&e);
        let mut t = e.new_trx(1).unwrap();
        insert(&mut t, &table, HOT, 0).unwrap();
        t.commit().unwrap();
        drop((t, table));
        log.stop().unwrap();
        e.shutdown(true).unwrap();
    }
    let mut sure = BTreeSet::new();
    for round in 0..3 {
        // sometimes the power fails during recovery
        if rng.below(3) == 0 {
            fs.power_cut_after(rng.below(60));
            if let Ok((e, _)) = open(&fs, true) {
                std::mem::forget(e);
            }
            fs.crash(rng.next());
        }
        let (e, log) = open(&fs, rng.below(3) > 0).unwrap();
        verify(&fs, &e, &log, &cut, &sure, seed);
        fs.power_cut_after(rng.below(700) + 5);
        let seen: Vec<_> = std::thread::scope(|s| {
            let start = |me| {
                let (e, log, fs, cut) = (&e, &log, &fs, &cut);
                s.spawn(move || worker(e, log, fs, cut, me, round, seed))
            };
            (0..3).map(start).collect::<Vec<_>>().into_iter().map(|w| w.join().unwrap()).collect()
        });
        sure.extend(seen.into_iter().flatten());
        std::mem::forget(e);
        fs.crash(rng.next());
    }
    let (e, log) = open(&fs, true).unwrap();
    verify(&fs, &e, &log, &cut, &sure, seed);
    assert!(fs.list("#binlog_spill").unwrap().is_empty());
    log.stop().unwrap();
    e.shutdown(true).unwrap();
}

#[test]
fn power_cuts() {
    let seeds = std::env::var("EVENKEEL_BINLOG_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(15);
    for seed in 0..seeds {
        one_seed(seed);
    }
}

/// One transaction with automatic GTID.
fn commit(e: &Arc<Engine>, log: &Log, k: i64) {
    let checksum = log.checksum();
    let mut out = Vec::new();
    gtid_event(Some(Gtid { sid: Sid::default(), gno: 0 }), 0).write(STAMP, checksum, &mut out);
    out.extend_from_slice(&body(checksum, k, k, 10));
    let lsn = e.attach(&out).unwrap();
    e.wait_for_commit(lsn, e.durability()).unwrap();
}

pub(super) fn names(log: &Log) -> Vec<String> {
    log.list().unwrap().into_iter().map(|f| f.0).collect()
}

#[test]
fn another_name_and_no_log() {
    let fs = Arc::new(SimFs::new());
    let (e, log) = open(&fs, true).unwrap();
    (1..4).for_each(|k| commit(&e, &log, k));
    std::mem::forget((e, log));
    fs.crash(3);
    // the events go to the log for which they were made
    let other = Options { names: Names::new("other", None), ..options(true) };
    let (e, log) = open_as(&fs, other.clone()).unwrap();
    assert_eq!(names(&log), ["other.000001"]);
    let three = GtidSet::parse(&format!("{}:1-3", sid())).unwrap();
    assert_eq!((log.gtid_executed(), log.gtid_purged()), (three.clone(), three.clone()));
    let old = fs.open("bin.000001", OpenMode::ReadOnly, FileKind::Log).unwrap().len().unwrap();
    assert_eq!(super::read::gtids_of(&*fs, "bin.000001", old, true).unwrap().1, three);
    commit(&e, &log, 4);
    std::mem::forget((e, log));
    fs.crash(4);
    let (e, log) = open_as(&fs, other).unwrap();
    assert_eq!(names(&log), ["other.000001", "other.000002"]);
    assert_eq!(log.gtid_executed().to_string(), format!("{}:1-4", sid()));
    assert_eq!(log.gtid_purged(), three);
    e.shutdown(true).unwrap();
}

/// A large transaction's events lie in a spill and, copied, in a file that a RESET before it makes recovery remove.
/// Wherever recovery is cut off, the next one has them; behind its checkpoint the spill is gone.
#[test]
fn a_spill_stays_until_a_checkpoint_has_passed_its_record() {
    let fs = Arc::new(SimFs::new());
    let (e, log) = open(&fs, true).unwrap();
    let table = create(&e);
    let mut t = e.new_trx(1).unwrap();
    insert(&mut t, &table, HOT, 0).unwrap();
    t.commit().unwrap();
    e.store().flush_and_checkpoint().unwrap();
    log.reset(None).unwrap();
    t.start();
    let k = raise(&mut t, &table).unwrap();
    insert(&mut t, &table, 1, k).unwrap();
    let gtid = Gtid { sid: Sid::default(), gno: 0 };
    t.attach(spilled(&log, &fs, Some(gtid), k, 1, 300).unwrap());
    t.commit().unwrap();
    // copied and synced, as by a checkpoint that is cut off then
    log.list().unwrap();
    log.files.lock().sync().unwrap();
    assert_eq!(fs.list("#binlog_spill").unwrap().len(), 1);
    std::mem::forget((e, log, t));
    fs.crash(0);
    for ops in 0.. {
        let disk = Arc::new(fs.fork());
        disk.power_cut_after(ops);
        let whole = open(&disk, true).map(std::mem::forget).is_ok();
        disk.crash(ops);
        let (e, log) = open(&disk, true).unwrap();
        verify(&disk, &e, &log, &Cut::default(), &BTreeSet::from([1]), ops);
        assert!(disk.list("#binlog_spill").unwrap().is_empty());
        e.shutdown(true).unwrap();
        if whole {
            break;
        }
    }
}

#[test]
fn a_follower_meets_every_event_and_keeps_its_file() {
    let fs = Arc::new(SimFs::new());
    let (e, log) = open(&fs, true).unwrap();
    commit(&e, &log, 1);
    let mut f = log.follow("bin.000001").unwrap().unwrap();
    assert!(log.follow("bin.000007").unwrap().is_none() && log.follow("x").unwrap().is_none());
    log.rotate().unwrap();
    commit(&e, &log, 2);
    assert_eq!(log.purge_to("bin.000002").unwrap(), Some(super::change::Purged::InUse(0, "bin.000001".into(), 1)));
    assert_eq!(log.purge_to("bin.000009").unwrap(), None);
    let mut kinds = Vec::new();
    loop {
        match f.read().unwrap() {
            Ok(event) => kinds.push(event[4]),
            Err(super::follow::End::OfFile) => f.next_file().unwrap(),
            Err(super::follow::End::OfLog) => break,
        }
    }
    assert_eq!(kinds, [35, 33, 2, 2, 16, 4, 35, 33, 2, 2, 16]);
    assert_eq!(f.wait(sys::clock::Deadline::after(Duration::from_millis(1))).unwrap(), sched::Waited::TimedOut);
    let waiting = std::thread::spawn(move || f.wait(sys::clock::Deadline::NEVER).map(|w| (w, f.file())));
    commit(&e, &log, 3);
    while !waiting.is_finished() {
        log.work();
        std::thread::yield_now();
    }
    assert_eq!(waiting.join().unwrap().unwrap(), (sched::Waited::Woken(0), "bin.000002".into()));
    assert_eq!(log.purge_to("bin.000002").unwrap(), Some(super::change::Purged::Done(1)));
    assert_eq!(names(&log), ["bin.000002"]);
    assert_eq!(log.gtid_purged().to_string(), format!("{}:1", sid()));
    log.reset(Some(5)).unwrap();
    assert_eq!((names(&log), log.gtid_executed()), (vec!["bin.000005".to_owned()], GtidSet::default()));
    e.shutdown(true).unwrap();
}

/// What somebody has cut off, or taken away, is told, and its GTIDs are not given again.
#[test]
fn files_that_are_cut_or_gone() {
    let fs = Arc::new(SimFs::new());
    let all = |log: &Log| log.gtid_executed().to_string();
    let wanted = |n: u64| format!("{}:1-{n}", sid());
    for round in 0..3u64 {
        let (e, log) = open(&fs, true).unwrap();
        if round > 0 {
            assert_eq!(all(&log), wanted(3 * round), "round {round}");
        }
        (0..3).for_each(|k| commit(&e, &log, k));
        assert_eq!(all(&log), wanted(3 * round + 3));
        let last = names(&log).pop().unwrap();
        log.stop().unwrap();
        e.shutdown(true).unwrap();
        drop((e, log));
        let file = fs.open(&last, OpenMode::ReadWrite, FileKind::Log).unwrap();
        match round {
            // inside an event
            0 => file.set_len(file.len().unwrap() - 100).unwrap(),
            // index and files
            1 => {
                fs.remove("bin.index").unwrap();
                fs.remove(&last).unwrap();
            }
            _ => {}
        }
    }
    let (e, log) = open(&fs, true).unwrap();
    assert_eq!(all(&log), wanted(9));
    let told = probe::errorlog::lines();
    for part in ["ends inside an event", "Events are missing now"] {
        assert!(told.iter().any(|l| l.text.contains(part)), "{part}");
    }
    e.shutdown(true).unwrap();
}

/// A disk that takes nothing more: commits go on as long as the redo log has room, and nothing is lost.
#[test]
fn a_full_disk_keeps_events_in_the_redo_log() {
    let fs = Arc::new(SimFs::new());
    let (e, log) = open(&fs, true).unwrap();
    fs.fail_after(0, storage::file::sim::Fault::NoSpace, true, "bin.");
    (1..30).for_each(|k| commit(&e, &log, k));
    assert!(log.catch_up().is_err() && e.store().flush_and_checkpoint().is_err());
    fs.heal();
    e.store().flush_and_checkpoint().unwrap();
    assert_eq!(read_files(&fs, &log).len(), 29);
    e.shutdown(true).unwrap();
}
