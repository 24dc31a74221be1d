use super::*;
use crate::file::sim::{Rng, SimFs};
use crate::page::{PageOp, PageType, write_record};
use crate::stop_on_drop::StopOnDrop;
use crate::{Store, StoreConfig};
use base::PageNo;
use std::time::Duration;

fn id(i: u32) -> PageId {
    PageId::new(SpaceId(2), PageNo(i))
}

fn store(frames: u64, pages: u32) -> Store {
    let mut c = StoreConfig::default();
    c.pool.bytes = frames * PAGE_SIZE as u64;
    c.log.capacity = 16 << 20;
    let (store, _) = Store::open(Arc::new(SimFs::new()), &c).unwrap();
    store.create_space(SpaceId(2)).unwrap();
    for i in 0..pages {
        let mut m = store.mtr().unwrap();
        let x = m.new_page(id(i)).unwrap();
        m.apply(x, PageOp::Init { ty: PageType::Index, level: 0, index_id: i as u64 }).unwrap();
        m.commit();
    }
    store.flush_and_checkpoint().unwrap();
    store
}

#[test]
fn more_pages_than_frames() {
    let s = store(64, 500);
    for round in 0..3 {
        for i in 0..500 {
            assert_eq!(s.pool().read(id(i)).unwrap().index_id(), i as u64, "round {round}");
        }
    }
    let st = s.pool().status();
    assert!(st.free + st.old + st.young == 64, "{st:?}");
}

/// As after DROP TABLE in MySQL; the frames are used before others that never were.
#[test]
fn frames_of_a_dropped_space_are_free() {
    let s = store(1024, 300);
    s.create_space(SpaceId(3)).unwrap();
    let make = |n: u32| {
        let mut m = s.mtr().unwrap();
        m.new_page(PageId::new(SpaceId(3), PageNo(n))).unwrap();
        m.commit();
    };
    (0..400).for_each(make);
    let before = s.pool().status();
    s.pool().discard_space(SpaceId(3));
    let after = s.pool().status();
    assert_eq!((after.free, after.old + after.young), (before.free + 400, before.old + before.young - 400));
    let highest = || (0..1024).rev().find(|f| s.pool().frame(*f).id().to_u64() != 0);
    (0..400).for_each(make);
    assert!(highest() < Some(1024 - before.free as u32), "{:?}, {before:?}", highest());
    for i in 0..300 {
        assert_eq!(s.pool().read(id(i)).unwrap().index_id(), i as u64);
    }
    // few pages of many stay where they are, and the hand frees them
    s.pool().discard_from(PageId::new(SpaceId(3), PageNo(397)));
    assert_eq!(s.pool().status().free, before.free);
    s.pool().discard_space(SpaceId(3));
    assert_eq!(s.pool().status().free, before.free + 400);
}

#[test]
fn a_scan_does_not_wash_the_hot_pages_out() {
    let s = store(128, 2000);
    let pool = s.pool();
    pool.set_old_blocks_time(30);
    // Hot pages: touched again after the time, while the pool turns over.
    for round in 0..4 {
        for i in 0..40 {
            pool.read(id(i)).unwrap();
        }
        std::thread::sleep(Duration::from_millis(40));
        pool.tick();
        for i in 0..40 {
            pool.read(id(i)).unwrap();
        }
        for i in 100 + round * 40..140 + round * 40 {
            pool.read(id(i)).unwrap();
        }
    }
    // A long scan touches every page many times within moments (however long a busy machine keeps it between two of them).
    pool.set_old_blocks_time(600_000);
    for i in 500..2000 {
        for _ in 0..20 {
            pool.read(id(i)).unwrap();
        }
    }
    let kept = (0..40).filter(|i| pool.contains(id(*i))).count();
    assert!(kept >= 38, "the scan left {kept} of 40 hot pages");
    assert!(pool.status().young >= 38);
}

#[test]
fn dirty_pages_are_written_before_their_frames_are_reused() {
    let s = store(64, 400);
    let mut rec = Vec::new();
    for round in 0..3u32 {
        for i in 0..400 {
            let mut m = s.mtr().unwrap();
            let x = m.x(id(i)).unwrap();
            rec.clear();
            write_record(&mut rec, &round.to_be_bytes(), &i.to_le_bytes());
            let slot = m.page(x).slot_count() as u16;
            m.apply(x, PageOp::InsertAt { slot, rec: &rec }).unwrap();
            m.commit();
        }
    }
    for i in 0..400 {
        let p = s.pool().read(id(i)).unwrap();
        assert_eq!((p.slot_count(), p.payload(2)), (3, &i.to_le_bytes()[..]));
    }
}

#[test]
fn errors_of_single_flight_reads_reach_all_and_leave_no_frame_behind() {
    let s = store(64, 4);
    std::thread::scope(|sc| {
        for _ in 0..4 {
            sc.spawn(|| {
                for i in 1000..1100 {
                    assert!(s.pool().read(id(i)).is_err());
                }
            });
        }
    });
    for i in 0..4 {
        s.pool().read(id(i)).unwrap();
    }
}

/// Readers (shared and optimistic), writers, the cleaner and checkpoints over more pages than frames. Each page holds the same
/// number twice; a torn read would see them differ.
#[test]
fn concurrent_readers_and_writers_see_whole_pages() {
    let pages = 300u32;
    let s = store(96, pages);
    for i in 0..pages {
        let mut m = s.mtr().unwrap();
        let x = m.x(id(i)).unwrap();
        let mut rec = Vec::new();
        write_record(&mut rec, b"k", &[0; 64]);
        m.apply(x, PageOp::InsertAt { slot: 0, rec: &rec }).unwrap();
        m.commit();
    }
    let stop = std::sync::atomic::AtomicBool::new(false);
    let writes = AtomicU32::new(0);
    let (mut optimistic_ok, mut restarts) = (0u64, 0u64);
    std::thread::scope(|sc| {
        for t in 0..3 {
            let (s, stop, writes) = (&s, &stop, &writes);
            sc.spawn(move || {
                let mut rng = Rng(t);
                while !stop.load(Ordering::Relaxed) {
                    let mut m = s.mtr().unwrap();
                    let x = m.x(id(rng.below(pages as u64) as u32)).unwrap();
                    let v = rng.next().to_le_bytes().repeat(8);
                    let offset = m.page(x).payload_offset(0).unwrap() as u16;
                    m.apply(x, PageOp::Patch { offset, bytes: &v }).unwrap();
                    m.commit();
                    writes.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for t in 10..12 {
            let (s, stop) = (&s, &stop);
            sc.spawn(move || {
                let mut rng = Rng(t);
                while !stop.load(Ordering::Relaxed) {
                    let p = s.pool().read(id(rng.below(pages as u64) as u32)).unwrap();
                    let v = p.payload(0);
                    assert!(v.chunks(8).all(|c| c == &v[..8]));
                }
            });
        }
        let (s2, stop2) = (&s, &stop);
        sc.spawn(move || {
            while !stop2.load(Ordering::Relaxed) {
                s2.clean_step().unwrap();
                s2.checkpoint().unwrap();
            }
        });
        let _ended = StopOnDrop(&stop);
        let mut rng = Rng(99);
        let end = std::time::Instant::now() + Duration::from_millis(1500);
        while std::time::Instant::now() < end || optimistic_ok <= 100 {
            let at = id(rng.below(pages as u64) as u32);
            let p = s.pool().optimistic(at).unwrap();
            let mut v = Vec::new();
            let read = p.racy().parts(0).and_then(|(_, (o, l))| {
                if l == 64 { p.racy().append(o, l, &mut v) } else { Err(crate::page::racy::Restart) }
            });
            if p.validate() {
                read.unwrap();
                assert!(v.chunks(8).all(|c| c == &v[..8]), "validated but torn");
                optimistic_ok += 1;
            } else {
                restarts += 1;
            }
        }
    });
    println!("{} writes, {optimistic_ok} optimistic reads, {restarts} restarts", writes.load(Ordering::Relaxed));
    assert!(optimistic_ok > 100);
    s.flush_and_checkpoint().unwrap();
    assert_eq!(s.pool().status().dirty, 0);
}

#[test]
fn dropping_a_space_forgets_its_pages() {
    let s = store(64, 20);
    let mut m = s.mtr().unwrap();
    let x = m.x(id(3)).unwrap();
    m.apply(x, PageOp::Patch { offset: 52, bytes: &[1] }).unwrap();
    m.commit();
    s.drop_space(SpaceId(2)).unwrap();
    assert!(!s.pool().contains(id(3)));
    assert_eq!(s.pool().read(id(3)).err(), Some(StorageError::NoSuchSpace { space: SpaceId(2) }));
    assert_eq!(s.pool().status().dirty, 0);
    s.flush_and_checkpoint().unwrap();
}

#[test]
fn the_pool_grows_and_shrinks_while_it_is_used() {
    let mut c = StoreConfig::default();
    c.pool.bytes = 256 * PAGE_SIZE as u64;
    c.pool.max_bytes = 2048 * PAGE_SIZE as u64;
    c.log.capacity = 16 << 20;
    let (s, _) = Store::open(Arc::new(SimFs::new()), &c).unwrap();
    s.create_space(SpaceId(2)).unwrap();
    for i in 0..1500 {
        let mut m = s.mtr().unwrap();
        let x = m.new_page(id(i)).unwrap();
        m.apply(x, PageOp::Init { ty: PageType::Undo, level: 0, index_id: i as u64 }).unwrap();
        m.commit();
    }
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|sc| {
        let threads: Vec<_> = (0..3u64)
            .map(|t| {
                let (s, stop) = (&s, &stop);
                sc.spawn(move || {
                    let mut rng = Rng(t);
                    let mut counts = vec![0u64; 1500];
                    while !stop.load(Ordering::Relaxed) {
                        let i = rng.below(500) as u32 * 3 + t as u32;
                        if rng.below(3) == 0 {
                            let mut m = s.mtr().unwrap();
                            let x = m.x(id(i)).unwrap();
                            counts[i as usize] += 1;
                            m.apply(x, PageOp::Patch { offset: 100, bytes: &counts[i as usize].to_le_bytes() })
                                .unwrap();
                            m.commit();
                        } else {
                            let p = s.pool().read(id(i)).unwrap();
                            assert_eq!((p.index_id(), p.u64_at(100)), (i as u64, counts[i as usize]));
                        }
                    }
                    counts
                })
            })
            .collect();
        let ended = StopOnDrop(&stop);
        for frames in [1024u64, 100, 2048, 300, 64, 1700, 256] {
            s.pool().resize(frames * PAGE_SIZE as u64).unwrap();
            assert_eq!(s.pool().frame_count(), frames as usize);
            std::thread::sleep(Duration::from_millis(30));
        }
        drop(ended);
        for (t, thread) in threads.into_iter().enumerate() {
            let counts = thread.join().unwrap();
            for i in (t..1500).step_by(3) {
                assert_eq!(s.pool().read(id(i as u32)).unwrap().u64_at(100), counts[i]);
            }
        }
    });
    let st = s.pool().status();
    assert!(st.free + st.old + st.young == 256, "{st:?}");
    assert!(matches!(s.pool().resize(1 << 40), Err(StorageError::Unsupported { .. })));
    assert_eq!(s.pool().frame_count(), 256);
}

#[test]
fn a_shrink_that_cannot_write_changes_nothing() {
    let fs = SimFs::new();
    let mut c = StoreConfig::default();
    c.pool.bytes = 512 * PAGE_SIZE as u64;
    let (s, _) = Store::open(Arc::new(fs.clone()), &c).unwrap();
    s.create_space(SpaceId(2)).unwrap();
    for i in 0..400 {
        let mut m = s.mtr().unwrap();
        let x = m.new_page(id(i)).unwrap();
        m.apply(x, PageOp::Init { ty: PageType::Undo, level: 0, index_id: i as u64 }).unwrap();
        m.commit();
    }
    fs.fail_after(0, crate::file::sim::Fault::Io, true, ".ibd");
    assert!(s.pool().resize(100 * PAGE_SIZE as u64).is_err());
    let st = s.pool().status();
    assert!(st.frames == 512 && st.free + st.old + st.young == 512 && st.dirty == 400, "{st:?}");
    fs.heal();
    s.pool().resize(100 * PAGE_SIZE as u64).unwrap();
    assert!((0..400).all(|i| s.pool().read(id(i)).unwrap().index_id() == i as u64));
}

#[test]
fn the_cleaner_keeps_the_share_of_dirty_pages() {
    let s = store(256, 0);
    for i in 0..200 {
        let mut m = s.mtr().unwrap();
        let x = m.new_page(id(i)).unwrap();
        m.apply(x, PageOp::Init { ty: PageType::Undo, level: 0, index_id: 1 }).unwrap();
        m.commit();
    }
    // It looks at the share twice a second.
    let later = || {
        std::thread::sleep(Duration::from_millis(600));
        s.clean_step().unwrap();
        s.pool().status().dirty
    };
    assert_eq!(later(), 200); // 78 %, allowed: 90 %
    s.tuning().set_max_dirty_pages_pct(50.0);
    s.tuning().set_io_capacity(100, 150);
    assert_eq!(later(), 128);
    s.tuning().set_max_dirty_pages_pct(0.0);
    assert_eq!(later(), 128 - 75); // half of innodb_io_capacity_max
    assert_eq!(later(), 0);
}

#[test]
fn frames_tell_what_lies_in_them() {
    let s = store(64, 10);
    let pool = s.pool();
    let pages = || (0..64).filter_map(|f| pool.page_info(f)).collect::<Vec<_>>();
    let find = |i: u32| pages().into_iter().find(|p| p.id == id(i)).unwrap();
    let page = find(7);
    let content = page.content.unwrap();
    assert_eq!((content.kind, content.index.0, content.records, content.data), (PageType::Index, 7, 0, 0));
    assert_eq!((page.oldest_modification, page.holders, page.flushing), (base::Lsn(0), 0, false));
    let mut order = pool.replacement_order();
    assert_eq!(order.len(), pages().len());
    order.sort_unstable();
    order.dedup();
    assert_eq!(order.len(), pages().len());
    let mut m = s.mtr().unwrap();
    let x = m.x(id(7)).unwrap();
    let mut record = Vec::new();
    write_record(&mut record, b"key", b"payload");
    m.apply(x, PageOp::InsertAt { slot: 0, rec: &record }).unwrap();
    // being changed: no content, and nobody waits
    assert!(find(7).content.is_none());
    assert_eq!(find(7).holders, 1);
    m.commit();
    let page = find(7);
    let content = page.content.unwrap();
    assert_eq!((content.records, content.data as usize), (1, record.len()));
    assert!(page.oldest_modification.0 > 0 && page.oldest_modification < content.lsn);
}
