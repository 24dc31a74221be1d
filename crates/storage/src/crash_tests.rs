//! Crash tests of the lower half on the simulated disk: mini-transactions against a model.
use crate::file::sim::{Fault, Rng, SimFs};
use crate::page::{PageOp, PageType, write_record};
use crate::redo::ForcedBy;
use crate::{Store, StoreConfig};
use base::{Lsn, PageId, PageNo, SpaceId};

fn config() -> StoreConfig {
    let mut c = StoreConfig::default();
    c.pool.bytes = 1 << 20; // 64 frames
    c.log.capacity = 1 << 20;
    c.log.buffer = 1 << 20;
    c
}

#[test]
fn create_write_reopen() {
    let fs = SimFs::new();
    let space = SpaceId(7);
    let id = PageId::new(space, PageNo(3));
    {
        let (store, report) = Store::open(fs.boot(), &config()).unwrap();
        assert!(report.created);
        store.create_space(space).unwrap();
        let mut m = store.mtr().unwrap();
        let x = m.new_page(id).unwrap();
        m.apply(x, PageOp::Init { ty: PageType::Index, level: 0, index_id: 5 }).unwrap();
        let mut rec = Vec::new();
        write_record(&mut rec, b"key", b"payload");
        m.apply(x, PageOp::InsertAt { slot: 0, rec: &rec }).unwrap();
        let lsn = m.commit();
        store.log().flush_to(lsn, ForcedBy::Commit).unwrap();
    }
    fs.crash(1);
    for round in 0..3 {
        let (store, report) = Store::open(fs.boot(), &config()).unwrap();
        assert_eq!(report.applied, if round == 0 { 2 } else { 0 });
        let p = store.pool().read(id).unwrap();
        assert_eq!(p.payload(0), b"payload");
        p.check_slots().unwrap();
        drop(p);
        if round == 1 {
            store.flush_and_checkpoint().unwrap();
        }
    }
}

/// The model of one page: its records in order.
type Model = Vec<(Vec<u8>, Vec<u8>)>;

const PAGES: usize = 100;

fn page_id(i: usize) -> PageId {
    PageId::new(SpaceId(7), PageNo(i as u32))
}

/// One random change of a page that keeps the model in step.
fn change(rng: &mut Rng, m: &mut crate::mtr::Mtr<'_>, x: crate::mtr::XRef, model: &mut Model) {
    let key = format!("k{:04}", rng.below(400)).into_bytes();
    let payload = vec![rng.next() as u8; rng.below(120) as usize];
    let mut rec = Vec::new();
    write_record(&mut rec, &key, &payload);
    let at = model.partition_point(|(k, _)| *k < key);
    let exists = model.get(at).is_some_and(|(k, _)| *k == key);
    match rng.below(10) {
        0 | 1 if exists => {
            m.apply(x, PageOp::DeleteAt { slot: at as u16 }).unwrap();
            model.remove(at);
        }
        2 if exists && !model[at].1.is_empty() => {
            let offset = m.page(x).payload_offset(at).unwrap() as u16;
            m.apply(x, PageOp::Patch { offset, bytes: &[9] }).unwrap();
            model[at].1[0] = 9;
        }
        3 if rng.below(20) == 0 => {
            m.apply(x, PageOp::TruncateFrom { slot: at as u16 }).unwrap();
            model.truncate(at);
        }
        _ if exists => {
            if m.page(x).fits_replace(at, rec.len()) {
                m.apply(x, PageOp::ReplaceAt { slot: at as u16, rec: &rec }).unwrap();
                model[at].1 = payload;
            }
        }
        _ => {
            if m.page(x).fits(rec.len()) {
                m.apply(x, PageOp::InsertAt { slot: at as u16, rec: &rec }).unwrap();
                model.insert(at, (key, payload));
            }
        }
    }
}

/// Runs mini-transactions over two or three pages each until the power is cut; recovers; the pages must be the model after
/// some prefix of the mini-transactions that contains everything acknowledged.
fn one_seed(seed: u64) {
    let mut rng = Rng(seed);
    let fs = SimFs::new();
    let mut model: Vec<Model> = vec![Model::new(); PAGES];
    {
        let (store, _) = Store::open(fs.boot(), &config()).unwrap();
        store.create_space(SpaceId(7)).unwrap();
        for i in 0..PAGES {
            let mut m = store.mtr().unwrap();
            let x = m.new_page(page_id(i)).unwrap();
            m.apply(x, PageOp::Init { ty: PageType::Index, level: 0, index_id: 5 }).unwrap();
            m.commit();
        }
        store.log().flush_to(store.log().current_lsn(), ForcedBy::Explicit).unwrap();
    }
    for _life in 0..3 {
        let (store, _) = Store::open(fs.boot(), &config()).unwrap();
        for (i, m) in model.iter().enumerate() {
            let p = store.pool().read(page_id(i)).unwrap();
            p.check_slots().unwrap();
            let have: Model = (0..p.slot_count()).map(|s| (p.key(s).to_vec(), p.payload(s).to_vec())).collect();
            assert!(&have == m, "seed {seed} page {i}: {} records, expected {}", have.len(), m.len());
        }
        fs.power_cut_after(rng.below(400));
        // Every state since the last acknowledgement, as undo steps: (pages touched, their models before).
        let mut unacked: Vec<(Lsn, Vec<(usize, Model)>)> = Vec::new();
        let mut acked = Lsn(0);
        'life: for _ in 0..3000 {
            let Ok(mut m) = store.mtr() else { break };
            let mut before = Vec::new();
            for _ in 0..1 + rng.below(3) {
                let i = rng.below(PAGES as u64) as usize;
                let Ok(x) = m.x(page_id(i)) else {
                    // The disk is gone; what is in the mtr is committed (never acknowledged).
                    let lsn = m.commit();
                    unacked.push((lsn, before));
                    break 'life;
                };
                before.push((i, model[i].clone()));
                for _ in 0..1 + rng.below(4) {
                    change(&mut rng, &mut m, x, &mut model[i]);
                }
            }
            let lsn = m.commit();
            unacked.push((lsn, before));
            let r = match rng.below(13) {
                0 => store.log().flush_to(lsn, ForcedBy::Commit).map(|()| acked = lsn),
                1 => store.log().write_to(lsn),
                2 => store.pool().flush_older(lsn, 1 + rng.below(40) as usize).map(|_| ()),
                3 => store.checkpoint().map(|_| ()),
                4 => store.clean_step().map(|_| ()),
                5 => store.log().note_durable(),
                _ => Ok(()),
            };
            if r.is_err() {
                break;
            }
        }
        drop(store);
        fs.crash(rng.next());
        // The end of the log as the crash left it (a finished recovery moves on from there).
        let end = {
            let (file, ckpt) = crate::redo::LogFile::open(&fs).unwrap().unwrap();
            let mut reader = crate::redo::frames::Reader::new(&file, ckpt.lsn);
            while reader.next().unwrap().is_some() {}
            reader.lsn()
        };
        // Recovery itself may be cut short, any number of times.
        while rng.below(2) == 0 {
            fs.power_cut_after(rng.below(60));
            let _ = Store::open(fs.boot(), &config());
            fs.crash(rng.next());
        }
        // Find the prefix that survived: undo from the end until the pages agree.
        let (store, _) = Store::open(fs.boot(), &config()).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert!(end >= acked, "seed {seed}: an acknowledged mtr is lost");
        while let Some((lsn, before)) = unacked.last() {
            if *lsn <= end {
                break;
            }
            for (i, old) in before.iter().rev() {
                model[*i] = old.clone();
            }
            unacked.pop();
        }
        drop(store);
    }
}

/// Enough log for several batches and several replay threads.
#[test]
fn many_changes_are_replayed_by_threads_in_order() {
    let mut big = config();
    big.pool.bytes = 16 << 20;
    big.log.capacity = 64 << 20;
    let fs = SimFs::new();
    let (store, _) = Store::open(fs.boot(), &big).unwrap();
    store.create_space(SpaceId(7)).unwrap();
    let mut model: Vec<Model> = vec![Model::new(); 700];
    for i in 0..model.len() {
        let mut m = store.mtr().unwrap();
        let x = m.new_page(page_id(i)).unwrap();
        m.apply(x, PageOp::Init { ty: PageType::Index, level: 0, index_id: 5 }).unwrap();
        m.commit();
    }
    let mut rng = Rng(77);
    while store.log().checkpoint_age() < 14 << 20 {
        let mut m = store.mtr().unwrap();
        for _ in 0..1 + rng.below(3) {
            let i = rng.below(model.len() as u64) as usize;
            let x = m.x(page_id(i)).unwrap();
            for _ in 0..1 + rng.below(4) {
                change(&mut rng, &mut m, x, &mut model[i]);
            }
        }
        let lsn = m.commit();
        if rng.below(20_000) == 0 {
            store.pool().flush_older(lsn, 100).unwrap();
        }
    }
    store.log().flush_to(store.log().current_lsn(), ForcedBy::Explicit).unwrap();
    drop(store);
    fs.crash(5);
    // A pool that holds all, and one that must write while it replays.
    for pool in [16 << 20, 8 << 20] {
        let fs = fs.fork();
        let mut c = big.clone();
        c.pool.bytes = pool;
        let (store, report) = Store::open(fs.boot(), &c).unwrap();
        assert!(report.applied > 100_000, "{}", report.applied);
        for (i, m) in model.iter().enumerate() {
            let p = store.pool().read(page_id(i)).unwrap();
            p.check_slots().unwrap();
            let have: Model = (0..p.slot_count()).map(|s| (p.key(s).to_vec(), p.payload(s).to_vec())).collect();
            assert!(&have == m, "page {i}: {} records, expected {}", have.len(), m.len());
        }
    }
}

#[test]
fn hundred_crashes() {
    for seed in 0..100 {
        one_seed(seed);
    }
}

#[test]
#[ignore = "minutes; run by hand and nightly"]
fn thousand_crashes() {
    for seed in 1000..2000 {
        one_seed(seed);
    }
}

#[test]
fn log_write_error_refuses_further_writes() {
    for fault in [Fault::NoSpace, Fault::Io, Fault::ShortWrite] {
        let fs = SimFs::new();
        let (store, _) = Store::open(fs.boot(), &config()).unwrap();
        store.create_space(SpaceId(7)).unwrap();
        fs.fail_after(0, fault, true, "#ib_redo");
        let mut m = store.mtr().unwrap();
        let x = m.new_page(page_id(0)).unwrap();
        m.apply(x, PageOp::Init { ty: PageType::Index, level: 0, index_id: 5 }).unwrap();
        let lsn = m.commit();
        let e = store.log().flush_to(lsn, ForcedBy::Commit).unwrap_err();
        assert!(matches!(e, crate::StorageError::ReadOnly { .. }), "{e:?}");
        fs.heal();
        assert!(store.mtr().is_err());
        assert!(store.log().flush_to(lsn, ForcedBy::Commit).is_err());
        // Reading goes on.
        assert_eq!(store.pool().read(page_id(0)).unwrap().index_id(), 5);
    }
}

#[test]
fn page_write_error_keeps_the_page_dirty() {
    let fs = SimFs::new();
    let (store, _) = Store::open(fs.boot(), &config()).unwrap();
    store.create_space(SpaceId(7)).unwrap();
    let mut m = store.mtr().unwrap();
    let x = m.new_page(page_id(0)).unwrap();
    m.apply(x, PageOp::Init { ty: PageType::Index, level: 0, index_id: 5 }).unwrap();
    let lsn = m.commit();
    fs.fail_after(0, Fault::NoSpace, true, ".ibd");
    assert!(store.flush_and_checkpoint().is_err());
    assert_eq!(store.pool().status().dirty, 1);
    assert!(store.log().checkpoint_lsn() < lsn);
    fs.heal();
    store.flush_and_checkpoint().unwrap();
    assert_eq!(store.pool().status().dirty, 0);
    assert!(store.log().checkpoint_lsn() >= lsn);
}

#[test]
fn corruption_is_named() {
    let fs = SimFs::new();
    let (store, _) = Store::open(fs.boot(), &config()).unwrap();
    store.create_space(SpaceId(7)).unwrap();
    for i in 0..3 {
        let mut m = store.mtr().unwrap();
        let x = m.new_page(page_id(i)).unwrap();
        m.apply(x, PageOp::Init { ty: PageType::Index, level: 0, index_id: 5 }).unwrap();
        m.commit();
    }
    store.flush_and_checkpoint().unwrap();
    drop(store);
    let name = crate::file::Files::name_of(SpaceId(7));
    assert!(fs.flip(&name, 16384 + 100, 4));
    fs.crash(0);
    // The doublewrite file has a copy, but nobody knows whether it is the last one: it is older than the checkpoint.
    let (store, _) = Store::open(fs.boot(), &config()).unwrap();
    assert!(store.pool().read(page_id(0)).is_ok());
    let e = store.pool().read(page_id(1)).err().unwrap();
    assert_eq!(e, crate::StorageError::CorruptPage { page: page_id(1), why: "checksum mismatch" });
    let e = store.pool().read(page_id(9)).err().unwrap();
    assert!(matches!(e, crate::StorageError::CorruptPage { .. }));
}

#[test]
fn damage_inside_the_durable_log_refuses_to_start() {
    let fs = SimFs::new();
    let (store, report) = Store::open(fs.boot(), &config()).unwrap();
    store.create_space(SpaceId(7)).unwrap();
    let mut first = Lsn(0);
    for i in 0..30 {
        let mut m = store.mtr().unwrap();
        let x = m.new_page(page_id(i)).unwrap();
        m.apply(x, PageOp::Init { ty: PageType::Index, level: 0, index_id: 5 }).unwrap();
        let end = m.commit();
        if i == 3 {
            first = end;
        }
    }
    // Move the checkpoint a little, so that it records how far the log was durable.
    store.log().flush_to(store.log().current_lsn(), ForcedBy::Explicit).unwrap();
    store.pool().flush_older(first, usize::MAX).unwrap();
    let ckpt = store.checkpoint().unwrap();
    assert!(ckpt < store.log().current_lsn() && ckpt > report.start);
    drop(store);
    // A flipped bit in the last frame's place, far behind the checkpoint, before the durable end.
    let at = 16384 + (ckpt.0 + 200) % (1 << 20);
    assert!(fs.flip(crate::redo::logfile::REDO_FILE, at, 1));
    fs.crash(0);
    let e = Store::open(fs.boot(), &config()).err().unwrap();
    assert!(matches!(e, crate::StorageError::LogDamaged { .. }), "{e:?}");
}

/// Threads that each count up in a page of their own; after the power cut every acknowledged number must be there, and
/// no page may show a number whose partner page (changed in the same mini-transaction) does not.
fn concurrent_seed(seed: u64) {
    const THREADS: usize = 4;
    let fs = SimFs::new();
    let mut acked = [0u64; THREADS];
    for life in 0..2 {
        let (store, _) = Store::open(fs.boot(), &config()).unwrap();
        if life == 0 {
            store.create_space(SpaceId(7)).unwrap();
            for i in 0..2 * THREADS {
                let mut m = store.mtr().unwrap();
                let x = m.new_page(page_id(i)).unwrap();
                m.apply(x, PageOp::Init { ty: PageType::Undo, level: 0, index_id: 5 }).unwrap();
                let lsn = m.commit();
                store.log().flush_to(lsn, ForcedBy::Explicit).unwrap();
            }
        }
        let value = |i: usize| store.pool().read(page_id(i)).map(|p| p.u64_at(100)).unwrap();
        for (t, acked) in acked.iter_mut().enumerate() {
            let (a, b) = (value(2 * t), value(2 * t + 1));
            assert_eq!(a, b, "seed {seed}: half a mini-transaction");
            assert!(a >= *acked, "seed {seed}: {a} < acknowledged {acked}");
            *acked = a;
        }
        fs.power_cut_after(Rng(seed + life).below(300));
        std::thread::scope(|sc| {
            for (t, acked) in acked.iter_mut().enumerate() {
                let store = &store;
                sc.spawn(move || {
                    for v in *acked + 1..*acked + 300 {
                        let Ok(mut m) = store.mtr() else { return };
                        let (Ok(a), Ok(b)) = (m.x(page_id(2 * t)), m.x(page_id(2 * t + 1))) else { return };
                        m.apply(a, PageOp::Patch { offset: 100, bytes: &v.to_le_bytes() }).unwrap();
                        m.apply(b, PageOp::Patch { offset: 100, bytes: &v.to_le_bytes() }).unwrap();
                        let lsn = m.commit();
                        if v % 3 == 0 && store.log().flush_to(lsn, ForcedBy::Commit).is_ok() {
                            *acked = v;
                        }
                        if v % 50 == 7 {
                            let _ = store.pool().flush_older(lsn, 3).and_then(|_| store.checkpoint());
                        }
                    }
                });
            }
        });
        drop(store);
        fs.crash(seed);
    }
}

#[test]
fn crashes_under_concurrency() {
    for seed in 0..40 {
        concurrent_seed(seed);
    }
}

/// The tests above must be able to fail: without the doublewrite file torn pages stay torn.
#[test]
fn without_doublewrite_torn_pages_are_found() {
    let torn = (0..60).any(|seed| {
        let fs = SimFs::new();
        let mut c = config();
        c.pool.doublewrite = false;
        let (store, _) = Store::open(fs.boot(), &c).unwrap();
        store.create_space(SpaceId(7)).unwrap();
        for round in 0..2u64 {
            for i in 0..40 {
                let mut m = store.mtr().unwrap();
                let x = m.new_page(page_id(i)).unwrap();
                if round == 0 {
                    m.apply(x, PageOp::Init { ty: PageType::Undo, level: 0, index_id: 5 }).unwrap();
                }
                // Both ends of the page, so that half of it is not the same.
                m.apply(x, PageOp::Patch { offset: 100, bytes: &round.to_le_bytes() }).unwrap();
                m.apply(x, PageOp::Patch { offset: 16000, bytes: &(round + 7).to_le_bytes() }).unwrap();
                m.commit();
            }
            if round == 0 {
                store.flush_and_checkpoint().unwrap();
            }
        }
        // The pages are one write, the sync of which the cut must hit.
        fs.power_cut_after(1 + seed % 12);
        let _ = store.flush_and_checkpoint();
        drop(store);
        fs.crash(seed);
        matches!(Store::open(fs.boot(), &c), Err(crate::StorageError::CorruptPage { .. }))
    });
    assert!(torn);
}
