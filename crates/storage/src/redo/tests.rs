use super::frames::Reader;
use super::logfile::frame_crc;
use super::*;
use crate::file::FileSystem;
use crate::file::sim::SimFs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn log(fs: &SimFs, capacity: u64) -> Log {
    let file = LogFile::create(fs, capacity, Lsn(logfile::FIRST_LSN)).unwrap();
    Log::new(&LogConfig { capacity, buffer: 1 << 20, flush_at_commit: 1 }, file, Lsn(logfile::FIRST_LSN), None)
}

fn frames(fs: &SimFs) -> Vec<Vec<u8>> {
    let (file, ckpt) = LogFile::open(fs).unwrap().unwrap();
    let mut r = Reader::new(&file, ckpt.lsn);
    let mut out = Vec::new();
    while let Some(f) = r.next().unwrap() {
        if !f.body.starts_with(&mark::MAGIC) {
            out.push(f.body.to_vec());
        }
    }
    out
}

#[test]
fn frames_are_valid_at_their_lsn_only() {
    let body = [1u8; 24];
    let c = crc32c::crc32c(&body);
    assert_ne!(frame_crc(c, 32, 16384), frame_crc(c, 32, 16392));
    assert_ne!(frame_crc(c, 32, 16384), frame_crc(c, 40, 16384));
}

#[test]
fn what_is_flushed_is_read_back_and_one_commit_is_one_write_and_one_sync() {
    let fs = SimFs::new();
    let log = log(&fs, 4 << 20);
    for i in 0..50u8 {
        let lsn = log.append(&vec![i + 1; 8 * (1 + i as usize)]);
        let before = fs.counts();
        log.flush_to(lsn, ForcedBy::Commit).unwrap();
        let after = fs.counts();
        assert_eq!((after.0 - before.0, after.1 - before.1), (1, 1));
        log.flush_to(lsn, ForcedBy::Commit).unwrap();
        assert_eq!(fs.counts(), after);
    }
    fs.crash(3);
    let got = frames(&fs);
    assert_eq!(got.len(), 50);
    assert!(got.iter().enumerate().all(|(i, b)| b.len() == 8 * (1 + i) && b[0] == i as u8 + 1));
}

#[test]
fn the_circle_closes_and_old_laps_do_not_show() {
    let fs = SimFs::new();
    let log = log(&fs, 1 << 20);
    let body = vec![7u8; 10_000];
    for _ in 0..500 {
        let lsn = log.append(&body);
        log.flush_to(lsn, ForcedBy::Commit).unwrap();
        if log.checkpoint_age() > 700_000 {
            // The stream is 1 MiB; the checkpoint follows.
            log.write_checkpoint(lsn).unwrap();
        }
    }
    let age = log.checkpoint_age();
    fs.crash(9);
    // Every flush has a mark of 24 bytes, too.
    assert_eq!(frames(&fs).len() as u64, age / (10_008 + 24));
}

#[test]
fn many_threads_commit_and_share_syncs() {
    let fs = SimFs::new();
    let log = Arc::new(log(&fs, 64 << 20));
    fs.set_sync_delay(Duration::from_micros(300));
    let before = fs.counts();
    let threads: Vec<_> = (0..8u8)
        .map(|t| {
            let log = log.clone();
            std::thread::spawn(move || {
                for i in 0..100u8 {
                    let mut body = vec![t; 16];
                    body[1] = i;
                    body.resize(16 + 8 * (i as usize % 20), t);
                    let lsn = log.append(&body);
                    log.flush_to(lsn, ForcedBy::Commit).unwrap();
                    assert!(log.flushed_lsn() >= lsn);
                }
            })
        })
        .collect();
    for t in threads {
        t.join().unwrap();
    }
    let syncs = fs.counts().1 - before.1;
    assert!(syncs < 500, "800 commits of 8 threads took {syncs} syncs");
    // the one that was under way, its own, and now and then one that began before its frame was complete
    let most = probe::Gauge::LogMostSyncsWaited.get();
    assert!((1..=3).contains(&most), "a commit waited for {most} syncs");
    fs.crash(0);
    let got = frames(&fs);
    assert_eq!(got.len(), 800);
    for t in 0..8u8 {
        let order: Vec<u8> = got.iter().filter(|b| b[0] == t).map(|b| b[1]).collect();
        assert_eq!(order, (0..100).collect::<Vec<u8>>());
    }
}

/// Threads that serve many connections: one that finds the log busy goes on (`None`), and whoever was told `true` is durable.
#[test]
fn who_finds_the_log_busy_does_not_wait() {
    use sched::pool::Completer;
    let fs = SimFs::new();
    let log = Arc::new(log(&fs, 64 << 20));
    fs.set_sync_delay(Duration::from_micros(300));
    let threads: Vec<_> = (0..4u8)
        .map(|t| {
            let log = log.clone();
            std::thread::spawn(move || {
                let mut busy = 0;
                for _ in 0..200 {
                    let lsn = log.append(&[t + 1; 16]);
                    match log.wait(lsn.0) {
                        Some(durable) => assert!(durable && log.flushed_lsn() >= lsn),
                        None => busy += 1,
                    }
                }
                busy
            })
        })
        .collect();
    let busy: i32 = threads.into_iter().map(|t| t.join().unwrap()).sum();
    assert!((1..800).contains(&busy), "{busy} of 800 found it busy");
    assert_eq!(log.wait(log.current_lsn().0), Some(true));
    fs.crash(0);
    assert_eq!(frames(&fs).len(), 800);
    fs.fail_after(0, crate::file::sim::Fault::Io, true, "#ib_redo");
    let lsn = log.append(&[9; 16]);
    assert_eq!(log.wait(lsn.0), Some(false));
    assert_eq!(log.wait(lsn.0), Some(false), "and for ever");
}

#[test]
fn a_full_ring_is_written_by_whoever_needs_it() {
    let fs = SimFs::new();
    let log = log(&fs, 64 << 20);
    for _ in 0..200 {
        log.append(&vec![1u8; 100_000]); // 20 MB through a ring of 1 MiB, nobody flushes
    }
    assert!(log.written_lsn() > Lsn(18 << 20));
    log.flush_to(log.current_lsn(), ForcedBy::Explicit).unwrap();
    assert_eq!(frames(&fs).len(), 200);
}

#[test]
fn a_failed_sync_fails_every_waiter() {
    let fs = SimFs::new();
    let log = Arc::new(log(&fs, 4 << 20));
    fs.set_sync_delay(Duration::from_millis(20));
    // The first write and sync pass, everything after fails.
    fs.fail_after(2, crate::file::sim::Fault::Io, true, "#ib_redo");
    let failed = Arc::new(AtomicBool::new(false));
    let threads: Vec<_> = (0..6)
        .map(|_| {
            let (log, failed) = (log.clone(), failed.clone());
            std::thread::spawn(move || {
                for _ in 0..5 {
                    let lsn = log.append(&[1; 16]);
                    match log.flush_to(lsn, ForcedBy::Commit) {
                        Ok(()) => assert!(log.flushed_lsn() >= lsn),
                        Err(_) => failed.store(true, Ordering::Relaxed),
                    }
                }
            })
        })
        .collect();
    for t in threads {
        t.join().unwrap();
    }
    assert!(failed.load(Ordering::Relaxed));
    assert!(matches!(log.failure(), Some(StorageError::ReadOnly { .. })));
}

#[test]
fn admission_bounds_what_runs() {
    let fs = SimFs::new();
    let log = log(&fs, 16 << 20); // 4 tickets
    let t: Vec<_> = (0..4).map(|_| log.try_admit().unwrap().unwrap()).collect();
    assert!(log.try_admit().unwrap().is_none());
    drop(t);
    while log.checkpoint_age() <= log.max_age() {
        let ticket = log.try_admit().unwrap();
        assert!(ticket.is_some());
        log.append(&vec![0u8; MAX_MTR_BYTES as usize - 8]);
    }
    assert!(log.try_admit().unwrap().is_none());
    assert!(log.checkpoint_age() < log.capacity());
    // Four tickets, each with one mini-transaction and one nested, and the file still does not close on itself.
    assert!(log.max_age() + 8 * MAX_MTR_BYTES < log.capacity());
}

/// What a large change leaves in the buffer is written beside it, not by its own thread.
#[test]
fn the_buffer_is_written_beside_who_fills_it() {
    let fs = SimFs::new();
    let log = Arc::new(log(&fs, 16 << 20));
    let stop = Arc::new(AtomicBool::new(false));
    let (l, s) = (log.clone(), stop.clone());
    let thread = std::thread::spawn(move || l.serve_tasks(&s));
    let end = Instant::now() + Duration::from_secs(30);
    for round in 0..8 {
        let before = log.role.written();
        while log.role.written() == before {
            assert!(Instant::now() < end, "round {round}");
            let (used, all) = log.ring.used();
            // the buffer is never so full that this thread would write
            if used < all / 4 {
                drop(log.try_admit().unwrap().unwrap());
                log.append(&[1; 8 << 10]);
            } else {
                std::thread::yield_now();
            }
        }
    }
    stop.store(true, Ordering::Release);
    thread.thread().unpark();
    thread.join().unwrap();
}

#[test]
fn a_file_of_another_kind_is_refused() {
    let fs = SimFs::new();
    drop(log(&fs, 1 << 20));
    fs.flip(logfile::REDO_FILE, 3, 1);
    assert!(matches!(LogFile::open(&fs).err().unwrap(), StorageError::WrongFormat { .. }));
    fs.flip(logfile::REDO_FILE, 3, 1);
    assert!(LogFile::open(&fs).unwrap().is_some());
    fs.remove(logfile::REDO_FILE).unwrap();
    assert!(LogFile::open(&fs).unwrap().is_none());
}

/// A checkpoint stays before what a reader has not read; without it, or behind it, the log goes on.
#[test]
fn the_checkpoint_waits_for_readers() {
    let fs = SimFs::new();
    let log = log(&fs, 16 << 20);
    let start = log.checkpoint_lsn();
    let (slow, fast) = (log.reader(start), log.reader(start));
    while !log.is_short_of_space() {
        log.append(&vec![0u8; 100 << 10]);
    }
    let end = log.current_lsn();
    let middle = Lsn(start.0 + (end.0 - start.0) / 16 * 8);
    fast.move_to(end);
    log.write_checkpoint(end).unwrap();
    assert_eq!(log.checkpoint_lsn(), start);
    assert!(log.try_admit().unwrap().is_none());
    slow.move_to(middle);
    log.write_checkpoint(end).unwrap();
    assert_eq!(log.checkpoint_lsn(), middle);
    assert!(log.try_admit().unwrap().is_some());
    drop(slow);
    log.write_checkpoint(end).unwrap();
    assert_eq!(log.checkpoint_lsn(), end);
}
