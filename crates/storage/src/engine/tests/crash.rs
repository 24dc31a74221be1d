//! Power cuts in the middle of anything: several threads with random transactions, a crash that keeps, loses or tears what was
//! not synced, recovery. Every acknowledged commit must be there, nothing else may be half there, and CHECK TABLE is clean.
//!
//! Some transactions are prepared first (XA): what of them was acknowledged must be found again, to be committed or rolled back.
//!
//! Each thread works on its own ids (so that it knows what must be there), all share the indexes. `EVENKEEL_CRASH_SEEDS` sets the
//! number of seeds, `EVENKEEL_CRASH_FIRST` the first one.

use super::support::*;
use crate::dict::TableDef;
use crate::engine::{Engine, EngineConfig};
use crate::file::sim::{Rng, SimFs};
use crate::table::{Inserted, Table};
use crate::txn::{Isolation, Trx, Xid};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use value::Value;

type Model = BTreeMap<i64, (R, u8)>;

const THREADS: i64 = 3;

fn open_small(fs: &Arc<SimFs>, seed: u64) -> crate::Result<Arc<Engine>> {
    let mut config = EngineConfig::on(fs.boot());
    config.buffer_pool_size = if seed.is_multiple_of(3) { 2 << 20 } else { 16 << 20 };
    config.redo_capacity = 4 << 20;
    config.lock_wait_timeout = Duration::from_secs(2);
    Engine::open(config)
}

fn blob(tag: u8) -> Option<Vec<u8>> {
    (tag > 0).then(|| vec![tag; 3000 + tag as usize * 100])
}

/// One change; tells the model what it did.
fn step(t: &mut Trx, tab: &Arc<Table>, me: i64, rng: &mut Rng, m: &mut Model) -> crate::Result<()> {
    let id = rng.below(25) as i64 * THREADS + me;
    let (k, s) = (rng.below(6) as i64, "s".repeat(rng.below(150) as usize));
    let u = Some(id * 4 + rng.below(4) as i64).filter(|_| rng.below(3) > 0);
    let tag = if rng.below(4) == 0 { rng.below(120) as u8 } else { 0 };
    match rng.below(10) {
        0..4 => {
            let done = insert_blob(t, tab, &r(id, k, u, &s), blob(tag).as_deref())?;
            assert_eq!(done == Inserted::Done, !m.contains_key(&id), "{done:?}");
            m.entry(id).or_insert((r(id, k, u, &s), tag));
        }
        4..6 => {
            assert_eq!(delete(t, tab, id)?, m.remove(&id).is_some());
        }
        6 if !m.contains_key(&(id + 1000 * THREADS)) => {
            // moves the row
            let to = id + 1000 * THREADS;
            let mut changes = vec![(0, Value::Int(to)), (2, Value::Null)];
            if tab.def.columns.len() > 5 {
                changes.push((5, Value::Null));
            }
            if update(t, tab, id, &changes)?.is_some() {
                let mut row = m.remove(&id).unwrap();
                (row.0.0, row.0.2) = (to, None);
                m.insert(to, row);
            }
        }
        _ => {
            let u_value = u.map_or(Value::Null, Value::Int);
            let bytes = blob(tag);
            let mut changes = vec![(1, Value::Int(k)), (2, u_value), (3, Value::Str(s.as_bytes()))];
            if tag % 2 == 1 {
                changes.push((4, bytes.as_deref().map_or(Value::Null, Value::Str)));
            }
            let elements = array_of(&r(id, k, u, &s));
            if tab.def.columns.len() > 5 {
                changes.push((5, json(&elements)));
            }
            if let Some(done) = update(t, tab, id, &changes)? {
                assert_eq!(done, Inserted::Done);
                let row = m.get_mut(&id).unwrap();
                row.0 = r(id, k, u, &s);
                if tag % 2 == 1 {
                    row.1 = tag;
                }
            }
        }
    }
    Ok(())
}

/// What a thread knows when the disk has died.
#[derive(Default)]
struct Seen {
    /// What was acknowledged.
    sure: Model,
    /// What it would be with the transaction whose commit was under way.
    perhaps: Model,
    /// With the transaction that was prepared, or was about to be.
    prepared: Option<Model>,
    /// XA PREPARE was acknowledged and nothing was asked for after it.
    must_be_prepared: bool,
}

impl Seen {
    fn only(sure: Model) -> Seen {
        Seen { perhaps: sure.clone(), sure, ..Seen::default() }
    }
}

fn xid(me: i64) -> Xid {
    Xid { format_id: me as u64, gtrid: vec![me as u8; 1 + me as usize * 31], bqual: Vec::new() }
}

/// Prepares; then perhaps nothing more, COMMIT or ROLLBACK. `Ok(committed)`, or what is known when the disk dies.
fn two_phases(t: &mut Trx, me: i64, rng: &mut Rng, sure: &Model, next: &Model) -> Result<bool, Seen> {
    let seen = |must_be_prepared, perhaps: &Model| Seen {
        sure: sure.clone(),
        perhaps: perhaps.clone(),
        prepared: Some(next.clone()),
        must_be_prepared,
    };
    let wrote = next != sure;
    t.prepare(&xid(me)).map_err(|_| seen(false, sure))?;
    match rng.below(20) {
        0 => Err(seen(wrote, sure)),
        1..8 => t.rollback().map(|()| false).map_err(|_| seen(false, sure)),
        _ => t.commit().map(|_| true).map_err(|_| seen(false, next)),
    }
}

/// Runs until the disk dies.
fn worker(e: &Arc<Engine>, tab: &Arc<Table>, me: i64, seed: u64) -> Seen {
    let mut rng = Rng(seed * 31 + me as u64);
    let mut sure = Model::new();
    let mut t = e.new_trx(me as u64).unwrap();
    // gap locks of one thread would block the others' inserts for good reasons; the model wants progress
    t.set_isolation(Isolation::ReadCommitted);
    for _ in 0..400 {
        let mut next = sure.clone();
        t.start();
        let mut saved = None;
        for _ in 0..1 + rng.below(6) {
            if rng.below(6) == 0 {
                saved = Some((t.savepoint(), next.clone()));
            }
            if step(&mut t, tab, me, &mut rng, &mut next).is_err() {
                // not acknowledged and not committed: if the disk lives on, it is rolled back
                std::mem::forget(t);
                return Seen::only(sure);
            }
            if let Some((sp, model)) = saved.take_if(|_| rng.below(4) == 0) {
                if t.rollback_to(sp).is_err() {
                    std::mem::forget(t);
                    return Seen::only(sure);
                }
                next = model;
            }
        }
        if rng.below(8) == 0 {
            if t.rollback().is_err() {
                std::mem::forget(t);
                return Seen::only(sure);
            }
            continue;
        }
        if rng.below(5) == 0 {
            match two_phases(&mut t, me, &mut rng, &sure, &next) {
                Ok(true) => sure = next,
                Ok(false) => {}
                Err(seen) => {
                    std::mem::forget(t);
                    return seen;
                }
            }
            continue;
        }
        if t.commit().is_err() {
            return Seen { sure, perhaps: next, ..Seen::default() };
        }
        sure = next;
        if me == 0 && rng.below(10) == 0 && (e.purge_batch().is_err() || e.store().clean_step().is_err()) {
            return Seen::only(sure);
        }
    }
    Seen::only(sure)
}

fn read_model(e: &Arc<Engine>, tab: &Arc<Table>) -> Model {
    let mut t = e.new_trx(9).unwrap();
    let mut m = Model::new();
    let mut c = crate::table::TableCursor::open(tab, 0, crate::table::ReadMode::Consistent, false);
    c.seek(&mut t, crate::table::KeyRange::ALL, crate::table::Direction::Forward).unwrap();
    while let Some(row) = c.next(&mut t).unwrap() {
        let tag = get_str(&row, 4).map_or(0, |b| b[0]);
        assert_eq!(get_str(&row, 4), blob(tag));
        let row = to_r(&row);
        m.insert(row.0, (row, tag));
    }
    m
}

/// Ends the prepared transactions that recovery found, one way or the other, and says what is there then.
fn settle(e: &Arc<Engine>, seen: &mut [Seen], rng: &mut Rng, seed: u64) {
    let mut found: Vec<(Xid, Trx)> = e.take_prepared().unwrap();
    for (me, s) in seen.iter_mut().enumerate() {
        let at = found.iter().position(|(x, _)| *x == xid(me as i64));
        let Some((_, mut t)) = at.map(|at| found.remove(at)) else {
            assert!(!s.must_be_prepared, "seed {seed}: thread {me}'s prepared transaction is gone");
            continue;
        };
        let with = s.prepared.take().unwrap_or_else(|| panic!("seed {seed}: thread {me} prepared nothing"));
        if rng.below(2) == 0 {
            t.commit().unwrap();
            s.sure = with;
        } else {
            t.rollback().unwrap();
        }
        s.perhaps = s.sure.clone();
        s.must_be_prepared = false;
    }
    assert!(found.is_empty(), "seed {seed}: {found:?}");
}

fn one_seed(seed: u64, def: TableDef) {
    let fs = Arc::new(SimFs::new());
    let mut rng = Rng(seed);
    {
        let e = open_small(&fs, seed).unwrap();
        create(&e, def);
        e.shutdown(true).unwrap();
    }
    let mut sure: Vec<Seen> = (0..THREADS).map(|_| Seen::default()).collect();
    // two crashes one after the other: the second finds what the first recovery left
    for _round in 0..2 {
        let e = open_small(&fs, seed).unwrap();
        let tab = table(&e, "a");
        if _round == 1 {
            settle(&e, &mut sure, &mut rng, seed);
            // go on with a clean slate that is known to be there
            let mut t = e.new_trx(1).unwrap();
            for id in read_model(&e, &tab).keys() {
                delete(&mut t, &tab, *id).unwrap();
            }
            t.commit().unwrap();
        }
        fs.power_cut_after(rng.below(600) + 5);
        sure = std::thread::scope(|s| {
            let all: Vec<_> = (0..THREADS)
                .map(|me| {
                    let (e, tab) = (&e, &tab);
                    s.spawn(move || worker(e, tab, me, seed))
                })
                .collect();
            all.into_iter().map(|w| w.join().unwrap()).collect()
        });
        drop(tab);
        std::mem::forget(e); // as a process that is gone: nothing more is written
        fs.crash(rng.next());
    }
    let mut tries = 0;
    let e = loop {
        // a crash in the middle of recovery
        if tries < 2 && rng.below(2) == 0 {
            tries += 1;
            fs.power_cut_after(rng.below(60));
            if let Ok(e) = open_small(&fs, seed) {
                std::mem::forget(e);
            }
            fs.crash(rng.next());
            continue;
        }
        break open_small(&fs, seed).unwrap();
    };
    let tab = table(&e, "a");
    settle(&e, &mut sure, &mut rng, seed);
    let verify = |when: &str| {
        let now = read_model(&e, &tab);
        for (me, Seen { sure: acknowledged, perhaps, .. }) in sure.iter().enumerate() {
            let mine: Model =
                now.iter().filter(|(id, _)| **id % THREADS == me as i64).map(|(i, r)| (*i, r.clone())).collect();
            if mine != *acknowledged && mine != *perhaps {
                panic!("seed {seed}, {when}, thread {me}:\n{mine:?}\nacknowledged\n{acknowledged:?}\nor\n{perhaps:?}");
            }
        }
        let report = tab.check(&e).unwrap();
        assert!(report.is_ok(), "seed {seed}, {when}: {report:?}");
    };
    verify("after recovery");
    while e.purge_batch().unwrap() > 0 {}
    verify("after purge");
    e.shutdown(false).unwrap();
}

/// The seeds of a test that takes each `part`-th of them. A process keeps what it "crashed" (some 20 MB a seed): long
/// runs go in several processes, each from another first seed.
fn seeds(part: u64) -> std::ops::Range<u64> {
    let number = |name, or| std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(or);
    let first = number("EVENKEEL_CRASH_FIRST", 0);
    first / part..(first + number("EVENKEEL_CRASH_SEEDS", 100)) / part
}

#[test]
fn crashes() {
    for seed in seeds(1) {
        one_seed(seed, standard("a"));
    }
}

/// The same with multi-valued indexes, whose rows have none, some or very many entries.
#[test]
fn crashes_with_arrays() {
    for seed in seeds(4) {
        one_seed(seed + 5000, multi("a"));
    }
}
