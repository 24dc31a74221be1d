//! RESET, SET gtid_purged and PURGE with a power cut after every operation of the disk; files that are not the log's.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use super::read::Walk;
use super::tests::{STAMP, body, gtid_event, names, open, open_as, options, sid};
use super::{Log, Names, Options};
use crate::event::{Event, EventType};
use crate::gtid::{Gtid, GtidSet, Sid};
use crate::query::Query;
use crate::service::BinaryLog;
use std::sync::Arc;
use storage::engine::Engine;
use storage::file::sim::SimFs;
use storage::file::{FileKind, FileSystem, OpenMode};
use storage::{Result, StorageError};

const OTHER: &str = "22222222-2222-2222-2222-222222222222:1-5";

/// One transaction.
fn commit(e: &Arc<Engine>, log: &Log, k: i64) -> Result<()> {
    let (checksum, mut out) = (log.checksum(), Vec::new());
    gtid_event(Some(Gtid { sid: Sid::default(), gno: 0 }), 0).write(STAMP, checksum, &mut out);
    out.extend_from_slice(&body(checksum, k, k, 10));
    let lsn = e.attach(&out)?;
    e.wait_for_commit(lsn, e.durability())
}

/// The transactions in the files.
fn logged(fs: &Arc<SimFs>, log: &Log) -> Vec<i64> {
    let mut all = Vec::new();
    for (name, size) in log.list().unwrap() {
        let mut walk = Walk::open(&**fs, &name, size).unwrap();
        let checksum = walk.format().0.checksum;
        while let Some(bytes) = walk.next(size).unwrap().map(<[u8]>::to_vec) {
            let e = Event::read(&bytes, checksum).unwrap_or_else(|e| panic!("{name}: {e}"));
            if e.kind() == Some(EventType::Query) {
                let text = Query::read(0, e.body).unwrap().text.to_vec();
                all.extend(String::from_utf8(text).unwrap().split(' ').next().and_then(|k| k.parse::<i64>().ok()));
            }
        }
    }
    all
}

/// `gtid_executed`, `gtid_purged`, the transactions in the files.
type State = (String, String, Vec<i64>);

fn state(fs: &Arc<SimFs>, log: &Log) -> State {
    (
        log.gtid_executed().to_string().replace('\n', ""),
        log.gtid_purged().to_string().replace('\n', ""),
        logged(fs, log),
    )
}

/// What happens, step by step.
fn step(n: usize, e: &Arc<Engine>, log: &Log) -> Result<()> {
    match n {
        0 | 2 | 5 | 7 | 10 => commit(e, log, n as i64),
        1 | 6 => log.rotate(),
        3 => log.reset(None),
        4 => log.add_purged(&GtidSet::parse(OTHER).unwrap()).map_err(|_| StorageError::NotFound),
        8 => log.purge_to("bin.000002").map(|p| assert!(p.is_some())),
        9 => log.reset(Some(2)),
        _ => Err(StorageError::Interrupted),
    }
}

/// The log before each step, and after the last.
fn states() -> Vec<State> {
    let own = |n: &str| format!("{OTHER},{}:{n}", sid());
    let first = |n: &str| format!("{}:{n}", sid());
    let state = |executed: &str, purged: &str, all: &[i64]| (executed.to_owned(), purged.to_owned(), all.to_vec());
    vec![
        state("", "", &[]),
        state(&first("1"), "", &[0]),
        state(&first("1"), "", &[0]),
        state(&first("1-2"), "", &[0, 2]),
        state("", "", &[]),
        state(OTHER, OTHER, &[]),
        state(&own("1"), OTHER, &[5]),
        state(&own("1"), OTHER, &[5]),
        state(&own("1-2"), OTHER, &[5, 7]),
        state(&own("1-2"), &own("1"), &[7]),
        state("", "", &[]),
        state(&first("1"), "", &[10]),
    ]
}

/// Steps until the disk dies: how many were acknowledged.
fn steps(fs: &Arc<SimFs>, cut: u64) -> (usize, bool) {
    let (e, log) = open(fs, true).unwrap();
    fs.power_cut_after(cut);
    let all = states().len() - 1;
    let done = (0..all).take_while(|n| step(*n, &e, &log).is_ok()).count();
    std::mem::forget((e, log));
    fs.crash(cut);
    (done, done == all)
}

/// Opens twice, with another crash between: the log is as before or after the step that was cut off, and stays so.
fn check(fs: &Arc<SimFs>, done: usize, what: &str) {
    let all = states();
    let may_be = &all[done..(done + 2).min(all.len())];
    let mut before: Option<State> = None;
    for n in 0..2 {
        let (e, log) = open(fs, true).unwrap_or_else(|e| panic!("{what}: {e}"));
        let now = state(fs, &log);
        assert!(may_be.contains(&now), "{what}, start {n}, {done} steps: {now:?}");
        assert!(before.is_none_or(|b| b == now), "{what}, start {n}");
        before = Some(now);
        std::mem::forget((e, log));
        fs.crash(n);
    }
}

#[test]
fn power_cut_after_every_operation() {
    for cut in 0.. {
        let fs = Arc::new(SimFs::new());
        let (done, whole) = steps(&fs, cut);
        if cut % 16 == 5 || whole {
            // recovery, and the start after it, are cut off too
            for again in 0.. {
                let disk = Arc::new(fs.fork());
                disk.power_cut_after(again);
                let opened = open(&disk, true).map(std::mem::forget).is_ok();
                disk.crash(again);
                check(&disk, done, &format!("cut after {cut}, then after {again}"));
                if opened {
                    break;
                }
            }
        }
        check(&fs, done, &format!("cut after {cut}"));
        if whole {
            assert!(cut > 50, "{cut}");
            break;
        }
    }
}

fn put(fs: &Arc<SimFs>, name: &str, text: &[u8]) {
    let file = fs.open(name, OpenMode::Truncate, FileKind::Log).unwrap();
    file.write_at(0, text).unwrap();
    file.sync_data().unwrap();
}

fn get(fs: &Arc<SimFs>, name: &str) -> Vec<u8> {
    let file = fs.open(name, OpenMode::ReadOnly, FileKind::Log).unwrap();
    let mut bytes = vec![0; file.len().unwrap() as usize];
    file.read_at(0, &mut bytes).unwrap();
    bytes
}

/// Files of others are passed over, and neither PURGE nor RESET removes them.
#[test]
fn files_beside_the_log_stay() {
    let fs = Arc::new(SimFs::new());
    put(&fs, "bin.000003", b"mine");
    let (e, log) = open(&fs, true).unwrap();
    assert_eq!(names(&log), ["bin.000004"]);
    put(&fs, "bin.000006", b"mine too");
    log.rotate().unwrap();
    assert_eq!(names(&log), ["bin.000004", "bin.000007"]);
    log.purge_to("bin.000007").unwrap();
    // a number that is asked for is taken, unless a file is in the way
    log.reset(Some(6)).unwrap();
    assert_eq!(names(&log), ["bin.000007"]);
    log.reset(Some(5)).unwrap();
    assert_eq!(names(&log), ["bin.000005"]);
    log.reset(None).unwrap();
    assert_eq!(names(&log), ["bin.000007"]);
    commit(&e, &log, 1).unwrap();
    std::mem::forget((e, log));
    fs.crash(1);
    let (e, log) = open(&fs, true).unwrap();
    assert_eq!(names(&log), ["bin.000007", "bin.000008"]);
    assert_eq!((get(&fs, "bin.000003"), get(&fs, "bin.000006")), (b"mine".to_vec(), b"mine too".to_vec()));
    e.shutdown(true).unwrap();
}

/// A lost index: after a stop the log goes on behind the files; after a crash that needs them the start is refused,
/// and nothing has changed.
#[test]
fn a_lost_index() {
    for stop in [true, false] {
        let fs = Arc::new(SimFs::new());
        let (e, log) = open(&fs, true).unwrap();
        for k in 0..3 {
            commit(&e, &log, k).unwrap();
            log.rotate().unwrap();
        }
        e.store().flush_and_checkpoint().unwrap();
        commit(&e, &log, 3).unwrap();
        let (executed, all) = (log.gtid_executed(), names(&log));
        if stop {
            log.stop().unwrap();
            e.shutdown(true).unwrap();
            drop((e, log));
        } else {
            std::mem::forget((e, log));
            fs.crash(0);
        }
        let (before, index): (Vec<_>, _) = (all.iter().map(|n| get(&fs, n)).collect(), get(&fs, "bin.index"));
        fs.remove("bin.index").unwrap();
        if !stop {
            let text = open(&fs, true).map(|_| ()).unwrap_err().to_string();
            assert!(text.contains("bin.000004") && text.contains("put the index back"), "{text}");
            assert_eq!(before, all.iter().map(|n| get(&fs, n)).collect::<Vec<_>>());
            assert!(!fs.exists("bin.index"));
            put(&fs, "bin.index", &index);
        }
        let (e, log) = open(&fs, true).unwrap();
        assert_eq!(log.gtid_executed(), executed);
        if stop {
            assert_eq!(names(&log), ["bin.000005"]);
            assert_eq!(before, all.iter().map(|n| get(&fs, n)).collect::<Vec<_>>());
        } else {
            assert_eq!(names(&log).len(), 5);
            assert_eq!(logged(&fs, &log), [0, 1, 2, 3]);
        }
        log.stop().unwrap();
        e.shutdown(true).unwrap();
    }
}

/// The same files under another index.
#[test]
fn another_index() {
    let fs = Arc::new(SimFs::new());
    let (e, log) = open(&fs, true).unwrap();
    commit(&e, &log, 1).unwrap();
    log.stop().unwrap();
    e.shutdown(true).unwrap();
    let (executed, old) = (log.gtid_executed(), get(&fs, "bin.000001"));
    drop((e, log));
    let (e, log) = open_as(&fs, Options { names: Names::new("bin", Some("ix")), ..options(true) }).unwrap();
    assert_eq!((names(&log), log.gtid_executed()), (vec!["bin.000002".to_owned()], executed));
    assert_eq!(get(&fs, "bin.000001"), old);
    e.shutdown(true).unwrap();
}

/// Three transactions, each in a file of its own, and an empty file behind them.
fn three_files(fs: &Arc<SimFs>) -> (Arc<Engine>, Arc<Log>) {
    let (e, log) = open(fs, true).unwrap();
    for k in 0..3 {
        commit(&e, &log, k).unwrap();
        log.rotate().unwrap();
    }
    (e, log)
}

/// The same, and a stop in order: what was executed.
fn three_files_closed(fs: &Arc<SimFs>) -> GtidSet {
    let (e, log) = three_files(fs);
    log.stop().unwrap();
    e.shutdown(true).unwrap();
    log.gtid_executed()
}

/// Files that somebody has removed: the oldest is as purged, the last is told.
#[test]
fn files_that_were_removed() {
    let fs = Arc::new(SimFs::new());
    let executed = three_files_closed(&fs);
    fs.remove("bin.000001").unwrap();
    fs.remove("bin.000004").unwrap();
    let (e, log) = open(&fs, true).unwrap();
    assert_eq!(names(&log), ["bin.000002", "bin.000003", "bin.000004", "bin.000005"]);
    assert_eq!((log.gtid_executed(), log.gtid_purged().to_string()), (executed, format!("{}:1", sid())));
    assert!(probe::errorlog::lines().iter().any(|l| l.text.contains("bin.000001, which the index names, is missing")));
    e.shutdown(true).unwrap();
}

/// What a crash inside the trial of the log's place leaves is removed; a file with bytes is somebody's.
#[test]
fn a_trial_that_was_cut_off() {
    for text in [&b""[..], b"mine"] {
        let fs = Arc::new(SimFs::new());
        put(&fs, "bin.000000", text);
        let (e, log) = open(&fs, true).unwrap();
        assert_eq!((names(&log), fs.exists("bin.000000")), (vec!["bin.000001".to_owned()], !text.is_empty()));
        e.shutdown(true).unwrap();
    }
}

/// Three transactions, each in a file of its own, and one for which there is no room.
fn full() -> (Arc<SimFs>, Arc<Engine>, Arc<Log>) {
    let fs = Arc::new(SimFs::new());
    let (e, log) = three_files(&fs);
    fs.fail_after(0, storage::file::sim::Fault::NoSpace, true, "bin.0");
    commit(&e, &log, 3).unwrap();
    assert!(log.catch_up().is_err());
    (fs, e, log)
}

/// A full disk: what is written is shown, where the log ends is known all the same, and purging makes room.
#[test]
fn purging_makes_room() {
    let (fs, e, log) = full();
    let written = log.list().unwrap();
    let end = log.durable_end().unwrap();
    assert_eq!((written.len(), end.file), (4, 4));
    assert!(end.offset > written[3].1, "{end:?}");
    assert!(log.purge_to("bin.000003").unwrap().is_some());
    assert_eq!(names(&log), ["bin.000003", "bin.000004"]);
    fs.heal();
    assert_eq!(logged(&fs, &log), [2, 3]);
    assert_eq!(log.list().unwrap()[1].1, end.offset);
    e.shutdown(true).unwrap();
}

/// So does RESET, which needs nothing of what waits; recovery comes to the same.
#[test]
fn a_reset_makes_room() {
    let (fs, e, log) = full();
    // the first file that it makes finds no room yet
    assert!(log.reset(None).is_err());
    assert!(!["bin.000002", "bin.000003", "bin.000004"].iter().any(|f| fs.exists(f)));
    fs.heal();
    commit(&e, &log, 4).unwrap();
    assert_eq!((names(&log), logged(&fs, &log)), (vec!["bin.000001".to_owned()], vec![4]));
    std::mem::forget((e, log));
    fs.crash(1);
    let (e, log) = open(&fs, true).unwrap();
    assert_eq!((logged(&fs, &log), log.gtid_executed().to_string()), (vec![4], format!("{}:1", sid())));
    e.shutdown(true).unwrap();
}

/// Damaged files at either end do not stop a start after a stop in order, and no GTID is given twice. After a crash a
/// damaged last file does, unless recovery writes the bytes again.
#[test]
fn damaged_files() {
    let (whole, first) = (format!("{}:1-3", sid()), format!("{}:1", sid()));
    for damage in [&b"garbage"[..], b"\xfebingarbage garbage garbage garbage"] {
        let fs = Arc::new(SimFs::new());
        three_files_closed(&fs);
        for name in ["bin.000001", "bin.000003", "bin.000004"] {
            put(&fs, name, damage);
        }
        let (e, log) = open(&fs, true).unwrap();
        let (executed, purged) = (log.gtid_executed().to_string(), log.gtid_purged().to_string());
        // what was only in the files at the end is lost to replicas
        assert_eq!((executed, purged), (whole.clone(), format!("{}:1:3", sid())));
        assert_eq!(names(&log).last().map(String::as_str), Some("bin.000005"));
        assert_eq!(get(&fs, "bin.000004"), damage);
        commit(&e, &log, 4).unwrap();
        assert_eq!(log.gtid_executed().to_string(), format!("{}:1-4", sid()));
        assert!(log.purge_to("bin.000002").unwrap().is_some() && names(&log)[0] == "bin.000002");
        assert!(log.gtid_purged().to_string().starts_with(&first));
        // all is in its file and the redo log needs nothing of it; then the last one is damaged, as if by a crash
        log.catch_up().unwrap();
        e.store().flush_and_checkpoint().unwrap();
        std::mem::forget((e, log));
        fs.crash(1);
        put(&fs, "bin.000005", damage);
        let error = open(&fs, true).err().unwrap().to_string();
        assert!(error.contains("bin.000005") && error.contains("move it away"), "{error}");
        for name in ["bin.000003", "bin.000004", "bin.000005"] {
            fs.remove(name).unwrap();
        }
        let (e, log) = open(&fs, true).unwrap();
        assert_eq!(names(&log).first().map(String::as_str), Some("bin.000002"));
        e.shutdown(true).unwrap();
    }
}
