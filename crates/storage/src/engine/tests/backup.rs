//! Copies of an engine at work: each is a state between two commits, and nothing acknowledged before its end is
//! missing.
//!
//! Writers move money between accounts, which never changes the sum, and insert a row of their own with each transfer,
//! numbered without gaps. Another one makes and drops tables. The copy must have the sum, of each writer the first rows
//! without a gap, at least as many as were acknowledged before the end, and none that was begun behind it.

use super::support::*;
use crate::backup::Backup;
use crate::backup::pages::Piece;
use crate::backup::target::{Target, prepare};
use crate::engine::{Engine, EngineConfig};
use crate::error::StorageError;
use crate::file::sim::{Rng, SimFs};
use crate::file::{FileKind, FileSystem, OpenMode};
use crate::stop_on_drop::StopOnDrop;
use crate::table::{ReadMode, Table};
use crate::txn::Durability;
use base::{Lsn, PageNo, SpaceId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;
use value::Value;

const ACCOUNTS: i64 = 30;
const EACH: i64 = 1000;
const WRITERS: i64 = 3;
const STEP: i64 = 1_000_000;

/// What each writer has begun, and what was acknowledged.
#[derive(Default)]
struct Counts {
    begun: [AtomicI64; WRITERS as usize],
    acked: [AtomicI64; WRITERS as usize],
}

fn values(a: &[AtomicI64]) -> Vec<i64> {
    a.iter().map(|v| v.load(Ordering::SeqCst)).collect()
}

fn write(e: &Arc<Engine>, tab: &Arc<Table>, counts: &Counts, n: i64, stop: &AtomicBool) {
    let (mut rng, mut done) = (Rng(n as u64 + 7), 0);
    let (begun, acked) = (&counts.begun[n as usize], &counts.acked[n as usize]);
    let mut t = e.new_trx(n as u64 + 10).unwrap();
    while !stop.load(Ordering::Relaxed) {
        t.start();
        t.begin_statement();
        let (a, b, by) = (rng.below(ACCOUNTS as u64) as i64, rng.below(ACCOUNTS as u64) as i64, rng.below(50) as i64);
        let mine = (n + 1) * STEP + done;
        begun.store(done + 1, Ordering::SeqCst);
        let moved = [(a, -by), (b, by)].into_iter().try_for_each(|(id, by)| {
            let row = point(&mut t, tab, id, ReadMode::FOR_UPDATE)?.ok_or(StorageError::NotFound)?;
            t.update(tab, &key(tab, id), &[(1, Value::Int(row.1 + by))]).map(drop)
        });
        let text = "x".repeat(rng.below(180) as usize);
        let blob = vec![done as u8; rng.below(30_000) as usize];
        let done_all = moved.and_then(|()| insert_blob(&mut t, tab, &r(mine, 0, Some(mine), &text), Some(&blob)));
        match done_all {
            Ok(_) if rng.below(10) == 0 => {
                t.end_statement();
                t.rollback().unwrap();
            }
            Ok(_) => {
                t.end_statement();
                t.commit().unwrap();
                done += 1;
                acked.store(done, Ordering::SeqCst);
            }
            Err(StorageError::Deadlock) => assert!(!t.is_open()),
            Err(e) => panic!("{e}"),
        }
    }
}

/// Makes tables, fills them and drops every second one.
fn make_tables(e: &Arc<Engine>, stop: &AtomicBool) {
    for n in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let name = format!("more{n}");
        let tab = create(e, standard(&name));
        let mut t = e.new_trx(99).unwrap();
        (0..20).for_each(|i| drop(insert(&mut t, &tab, &r(i, i, Some(i), "row")).unwrap()));
        t.commit().unwrap();
        drop(t);
        if n % 2 == 0 {
            let mut ddl = crate::dict::Ddl::begin(e, 99).unwrap();
            ddl.drop_table(&tab.def).unwrap();
            ddl.commit().unwrap();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn config(fs: &Arc<SimFs>) -> EngineConfig {
    let mut config = EngineConfig::on(fs.boot());
    config.background = true;
    config.durability = Durability::Lazy;
    config.buffer_pool_size = 8 << 20;
    config
}

/// Takes a backup into `target`; `meanwhile` is called while pages are read. What `at` gives belongs to the end.
fn take<T>(e: &Arc<Engine>, target: &mut Target, since: Lsn, at: impl FnOnce() -> T) -> (crate::backup::Start, Lsn, T) {
    let mut b = Backup::begin(e).unwrap();
    for space in b.spaces().unwrap() {
        b.copy_space(space, since, &mut |p| {
            std::thread::sleep(Duration::from_micros(200));
            target.piece(space, p)
        })
        .unwrap();
    }
    let (end, got) = b.finish(at).unwrap();
    b.redo(&mut |lsn, bytes| target.redo(lsn, bytes)).unwrap();
    (b.start(), end, got)
}

fn look(fs: &Arc<SimFs>, acked: &[i64], begun: &[i64]) {
    prepare(config(fs)).unwrap();
    let e = Engine::open(config(fs)).unwrap();
    let tab = table(&e, "bank");
    check(&e, &tab);
    let mut t = e.new_trx(1).unwrap();
    let rows = all(&mut t, &tab);
    assert_eq!(rows.iter().map(|r| r.1).sum::<i64>(), ACCOUNTS * EACH);
    for n in 0..WRITERS {
        let mine: Vec<i64> = rows.iter().map(|r| r.0 - (n + 1) * STEP).filter(|r| (0..STEP).contains(r)).collect();
        assert_eq!(mine, (0..mine.len() as i64).collect::<Vec<_>>(), "writer {n}: a gap");
        let (least, most) = (acked[n as usize], begun[n as usize]);
        assert!((least..=most).contains(&(mine.len() as i64)), "writer {n}: {} of {least}..{most}", mine.len());
    }
    t.commit().unwrap();
    for one in e.dict().relations("t") {
        check(&e, &table(&e, one.name().1));
    }
    drop(t);
    e.shutdown(true).unwrap();
}

#[test]
fn copies_of_an_engine_at_work() {
    let fs = Arc::new(SimFs::new());
    let e = Engine::open(config(&fs)).unwrap();
    let tab = create(&e, standard("bank"));
    let mut t = e.new_trx(1).unwrap();
    (0..ACCOUNTS).for_each(|i| drop(insert(&mut t, &tab, &r(i, EACH, Some(i), "account")).unwrap()));
    t.commit().unwrap();
    let (stop, counts) = (&AtomicBool::new(false), &Counts::default());
    std::thread::scope(|s| {
        let _ended = StopOnDrop(stop);
        let (e, tab) = (&e, &tab);
        let mut threads: Vec<_> = (0..WRITERS).map(|n| s.spawn(move || write(e, tab, counts, n, stop))).collect();
        threads.push(s.spawn(move || make_tables(e, stop)));
        std::thread::sleep(Duration::from_millis(100));
        let full = Arc::new(SimFs::new());
        let mut whole = Target::new(full.clone()).unwrap();
        let (start, end, acked) = take(e, &mut whole, Lsn(0), || values(&counts.acked));
        whole.finish(start, end).unwrap();
        look(&full, &acked, &values(&counts.begun));
        // a chain of three, laid over one another
        let layers = Arc::new(SimFs::new());
        let mut chain = Target::new(layers.clone()).unwrap();
        let mut last = take(e, &mut chain, Lsn(0), || values(&counts.acked));
        for _ in 0..2 {
            std::thread::sleep(Duration::from_millis(100));
            chain.begin_layer().unwrap();
            last = take(e, &mut chain, last.0.checkpoint, || values(&counts.acked));
        }
        chain.finish(last.0, last.1).unwrap();
        look(&layers, &last.2, &values(&counts.begun));
        stop.store(true, Ordering::Relaxed);
        threads.into_iter().for_each(|t| t.join().unwrap());
    });
    assert_eq!(fs.list("#backup").unwrap(), Vec::<String>::new());
    assert_eq!(*e.store().backups().read(), 0);
}

/// What is damaged or missing is refused: at the copy's making, or by each start on it.
#[test]
fn a_partial_copy_never_starts() {
    let (fs, e) = engine();
    let tab = create(&e, standard("bank"));
    let mut t = e.new_trx(1).unwrap();
    (0..200).for_each(|i| drop(insert(&mut t, &tab, &r(i, 1, Some(i), "row")).unwrap()));
    t.commit().unwrap();
    let mut pieces = Vec::new();
    let mut redo = Vec::new();
    let mut b = Backup::begin(&e).unwrap();
    for space in b.spaces().unwrap() {
        let mut keep = |p: Piece<'_>| {
            if let Piece::Pages(first, bytes) = p {
                pieces.push((space, first, bytes.to_vec()));
            }
            Ok(())
        };
        b.copy_space(space, Lsn(0), &mut keep).unwrap();
    }
    let (end, ()) = b.finish(|| ()).unwrap();
    b.redo(&mut |lsn, bytes| {
        redo.push((lsn, bytes.to_vec()));
        Ok(())
    })
    .unwrap();
    let start = b.start();
    drop(b);
    let make = |upto: usize, with_redo: bool| {
        let fs = Arc::new(SimFs::new());
        let mut target = Target::new(fs.clone()).unwrap();
        for (space, first, bytes) in &pieces[..upto] {
            target.piece(*space, Piece::Length(first.0 + 64)).unwrap();
            target.piece(*space, Piece::Pages(*first, bytes)).unwrap();
        }
        redo.iter().filter(|_| with_redo).for_each(|(lsn, b)| target.redo(*lsn, b).unwrap());
        (fs, target)
    };
    // not brought to its end
    let (partial, target) = make(pieces.len(), true);
    drop(target);
    assert!(Engine::open(EngineConfig::on(partial)).is_err());
    // the redo, or the end of it, is missing
    let (_, target) = make(pieces.len(), false);
    assert!(matches!(target.finish(start, end), Err(StorageError::CorruptLog { .. })) || end == start.checkpoint);
    // a page with another byte
    let (_, mut target) = make(0, false);
    let (space, first, mut bytes) = pieces[0].clone();
    bytes[5000] ^= 1;
    assert!(matches!(target.piece(space, Piece::Pages(first, &bytes)), Err(StorageError::CorruptPage { .. })));
    // a page of another file
    let at = Piece::Pages(PageNo(first.0 + 1), &pieces[0].2);
    assert!(matches!(target.piece(SpaceId(space.0), at), Err(StorageError::CorruptPage { .. })));
    // a folder that has something
    let (full, target) = make(pieces.len(), true);
    target.finish(start, end).unwrap();
    assert!(Target::new(full.clone()).is_err());
    prepare(EngineConfig::on(full.clone())).unwrap();
    let copy = open(&full);
    let mut t = copy.new_trx(1).unwrap();
    assert_eq!(all(&mut t, &table(&copy, "bank")).len(), 200);
    t.commit().unwrap();
    drop(t);
    // a page of the source that is damaged is named
    e.store().flush_and_checkpoint().unwrap();
    let name = crate::file::Files::name_of(tab.def.space);
    let file = fs.open(&name, OpenMode::ReadWrite, FileKind::Data).unwrap();
    file.write_at(3 * crate::page::PAGE_SIZE as u64 + 900, b"damage").unwrap();
    let b = Backup::begin(&e).unwrap();
    let page = base::PageId::new(tab.def.space, PageNo(3));
    let got = b.copy_space(tab.def.space, Lsn(0), &mut |_| Ok(()));
    assert!(matches!(got, Err(StorageError::CorruptPage { page: p, .. }) if p == page), "{got:?}");
}
