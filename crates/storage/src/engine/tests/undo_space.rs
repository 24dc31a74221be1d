//! The undo tablespace's file gets shorter again after a huge transaction, at every power cut between before and after.

use super::support::*;
use crate::engine::{Engine, EngineConfig};
use crate::file::sim::SimFs;
use crate::table::Table;
use crate::undo::UNDO_SPACE;
use std::sync::Arc;
use value::Value;

const ROWS: i64 = 400;

fn open_small(fs: &Arc<SimFs>) -> crate::Result<Arc<Engine>> {
    let mut config = EngineConfig::on(fs.boot());
    config.redo_capacity = 8 << 20;
    let e = Engine::open(config)?;
    e.set_undo_truncation(true, 4 << 20, 1);
    Ok(e)
}

fn undo_bytes(e: &Engine) -> u64 {
    e.store().files().size(UNDO_SPACE).unwrap()
}

/// Each row gets `round` as its number, `times` over, with a long text each time.
fn churn(e: &Arc<Engine>, tab: &Arc<Table>, times: i64, commit: bool) {
    let mut t = e.new_trx(1).unwrap();
    for n in 0..times {
        let s = format!("{n}{}", ["a", "b"][n as usize % 2].repeat(190));
        for id in 0..ROWS {
            update(&mut t, tab, id, &[(1, Value::Int(n)), (3, Value::Str(s.as_bytes()))]).unwrap();
        }
    }
    if commit {
        t.commit().unwrap();
    } else {
        t.rollback().unwrap();
    }
}

fn start() -> (Arc<SimFs>, Arc<Engine>, Arc<Table>) {
    let fs = Arc::new(SimFs::new());
    let e = open_small(&fs).unwrap();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    (0..ROWS).for_each(|i| drop(insert(&mut t, &tab, &r(i, 0, Some(i), "")).unwrap()));
    t.commit().unwrap();
    (fs, e, tab)
}

fn until_short(e: &Engine, most: u64) {
    for _ in 0..200 {
        drain_purge(e);
        if undo_bytes(e) <= most {
            return;
        }
    }
    panic!("{} bytes of undo", undo_bytes(e));
}

#[test]
fn it_shrinks_while_the_server_runs() {
    let (fs, e, tab) = start();
    for commit in [true, false] {
        // several slots, all with pages at the end
        let mut held: Vec<_> = (0..5).map(|n| e.new_trx(10 + n).unwrap()).collect();
        churn(&e, &tab, 40, commit);
        for (n, t) in held.iter_mut().enumerate() {
            insert(t, &tab, &r(10_000 + n as i64, 0, None, "held")).unwrap();
        }
        assert!(undo_bytes(&e) > 6 << 20, "{}", undo_bytes(&e));
        drain_purge(&e);
        held.iter_mut().for_each(|t| t.rollback().unwrap());
        until_short(&e, 4 << 20);
        let k = 39;
        let mut t = e.new_trx(1).unwrap();
        assert!(all(&mut t, &tab).iter().all(|r| r.1 == k));
        assert_eq!(all(&mut t, &tab).len(), ROWS as usize);
        t.commit().unwrap();
        check(&e, &tab);
    }
    e.store().flush_and_checkpoint().unwrap();
    drop((tab, e));
    fs.crash(1);
    let e = open_small(&fs).unwrap();
    assert!(undo_bytes(&e) <= 5 << 20);
    churn(&e, &table(&e, "a"), 2, true);
}

#[test]
fn a_snapshot_and_a_running_transaction_keep_what_they_need() {
    let (_fs, e, tab) = start();
    let mut reader = e.new_trx(7).unwrap();
    assert!(all(&mut reader, &tab).iter().all(|r| r.1 == 0));
    churn(&e, &tab, 40, true);
    let mut writer = e.new_trx(8).unwrap();
    insert(&mut writer, &tab, &r(20_000, 5, None, "w")).unwrap();
    for _ in 0..10 {
        drain_purge(&e);
    }
    assert!(undo_bytes(&e) > 6 << 20);
    assert!(all(&mut reader, &tab).iter().all(|r| r.1 == 0));
    reader.commit().unwrap();
    for _ in 0..10 {
        drain_purge(&e);
    }
    writer.rollback().unwrap();
    until_short(&e, 4 << 20);
    check(&e, &tab);
}

#[test]
fn power_cuts_leave_before_or_after() {
    let (fs, e, tab) = start();
    e.set_undo_truncation(false, 4 << 20, 1);
    let mut held: Vec<_> = (0..5).map(|n| e.new_trx(10 + n).unwrap()).collect();
    churn(&e, &tab, 40, true);
    for (n, t) in held.iter_mut().enumerate() {
        insert(t, &tab, &r(10_000 + n as i64, 0, None, "held")).unwrap();
        t.rollback().unwrap();
    }
    drop(held);
    // what is left to do is to move slots and to cut the file
    drain_purge(&e);
    assert!(undo_bytes(&e) > 6 << 20);
    e.store().flush_and_checkpoint().unwrap();
    drop((tab, e));
    fs.crash(0);
    let (mut cuts, mut shorter) = (0, 0);
    // closer together where the file is cut
    for ops in (0..24).chain((25..200).step_by(11)) {
        let disk = Arc::new(fs.fork());
        let Ok(e) = open_small(&disk) else { panic!("cannot open") };
        let before = undo_bytes(&e);
        disk.power_cut_after(ops);
        for _ in 0..60 {
            if e.purge_batch().is_err() {
                cuts += 1;
                break;
            }
        }
        drop(e);
        disk.crash(ops + 1);
        let e = open_small(&disk).unwrap_or_else(|e| panic!("after a power cut at {ops}: {e}"));
        shorter += usize::from(undo_bytes(&e) < before);
        let tab = table(&e, "a");
        let mut t = e.new_trx(1).unwrap();
        let rows = all(&mut t, &tab);
        assert!(rows.len() == ROWS as usize && rows.iter().all(|r| r.1 == 39), "power cut at {ops}");
        t.commit().unwrap();
        check(&e, &tab);
        churn(&e, &tab, 1, true);
        until_short(&e, 4 << 20);
        check(&e, &tab);
    }
    assert!(cuts > 5 && shorter > 0, "{cuts} cuts, {shorter} times shorter");
}
