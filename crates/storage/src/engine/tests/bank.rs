//! Transfers between accounts from several threads: the sum never changes, whatever the isolation level.

use super::support::*;
use crate::engine::{Engine, EngineConfig};
use crate::error::StorageError;
use crate::file::sim::{Rng, SimFs};
use crate::table::{Direction, ReadMode, Table};
use crate::txn::{Durability, Isolation, Trx};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use value::Value;

const ACCOUNTS: i64 = 40;
const EACH: i64 = 1000;

fn transfer(t: &mut Trx, tab: &Arc<Table>, rng: &mut Rng) -> crate::Result<()> {
    let (a, b) = (rng.below(ACCOUNTS as u64) as i64, rng.below(ACCOUNTS as u64) as i64);
    let amount = rng.below(50) as i64;
    let sp = t.begin_statement();
    for (id, by) in [(a, -amount), (b, amount)] {
        let Some(row) = point(t, tab, id, ReadMode::FOR_UPDATE)? else { return Err(StorageError::NotFound) };
        t.update(tab, &key(tab, id), &[(1, Value::Int(row.1 + by))])?;
    }
    if rng.below(8) == 0 {
        t.rollback_to(sp)?;
    }
    t.end_statement();
    Ok(())
}

fn bank(level: Isolation, seed: u64) {
    let mut config = EngineConfig::on(Arc::new(SimFs::new()));
    config.background = true;
    config.durability = Durability::Lazy;
    let e: Arc<Engine> = Engine::open(config).unwrap();
    let tab = create(&e, standard("bank"));
    let mut t = e.new_trx(1).unwrap();
    for i in 0..ACCOUNTS {
        insert(&mut t, &tab, &r(i, EACH, Some(i), "account")).unwrap();
    }
    t.commit().unwrap();
    let stop = &AtomicBool::new(false);
    std::thread::scope(|s| {
        let writers: Vec<_> = (0..4u64)
            .map(|n| {
                let (e, tab) = (&e, &tab);
                s.spawn(move || {
                    let mut rng = Rng(seed * 100 + n);
                    let mut t = e.new_trx(n + 10).unwrap();
                    t.set_isolation(level);
                    for _ in 0..150 {
                        t.start();
                        let done = (0..1 + rng.below(3)).try_for_each(|_| transfer(&mut t, tab, &mut rng));
                        match done {
                            Ok(()) if rng.below(10) == 0 => t.rollback().unwrap(),
                            Ok(()) => drop(t.commit().unwrap()),
                            Err(StorageError::Deadlock) => assert!(!t.is_open()),
                            Err(e) => panic!("{e}"),
                        }
                    }
                })
            })
            .collect();
        let (e, tab) = (&e, &tab);
        s.spawn(move || {
            let mut t = e.new_trx(99).unwrap();
            t.set_isolation(level);
            let mut n = 0usize;
            while !stop.load(Ordering::Relaxed) {
                t.start();
                t.begin_statement();
                let (index, dir) = (n % 3, if n.is_multiple_of(2) { Direction::Forward } else { Direction::Backward });
                match scan(&mut t, tab, index, ReadMode::Consistent, dir) {
                    Ok(rows) => {
                        if level != Isolation::ReadUncommitted {
                            assert_eq!(rows.len() as i64, ACCOUNTS, "index {index}");
                            assert_eq!(rows.iter().map(|r| r.1).sum::<i64>(), ACCOUNTS * EACH, "index {index}");
                        }
                        t.end_statement();
                        t.commit().unwrap();
                    }
                    Err(StorageError::Deadlock) => {}
                    Err(e) => panic!("{e}"),
                }
                n += 1;
            }
        });
        let joined: Vec<_> = writers.into_iter().map(|w| w.join()).collect();
        stop.store(true, Ordering::Relaxed);
        assert!(joined.iter().all(|j| j.is_ok()));
    });
    let rows = all(&mut t, &tab);
    assert_eq!(rows.iter().map(|r| r.1).sum::<i64>(), ACCOUNTS * EACH);
    t.commit().unwrap();
    check(&e, &tab);
    drop(t);
    e.shutdown(false).unwrap();
    check(&e, &tab);
}

#[test]
fn read_uncommitted() {
    bank(Isolation::ReadUncommitted, 1);
}

#[test]
fn read_committed() {
    bank(Isolation::ReadCommitted, 2);
}

#[test]
fn repeatable_read() {
    bank(Isolation::RepeatableRead, 3);
}

#[test]
fn serializable() {
    bank(Isolation::Serializable, 4);
}
