//! Many threads on one tree, and crashes at any write.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::test_support::{config, store, tree};
use super::tests::contents;
use super::*;
use crate::file::sim::{Rng, SimFs};
use crate::mtr::Mtr;
use crate::redo::ForcedBy;
use crate::store::Store;

const THREADS: u64 = 8;

fn payload(rng: &mut Rng, n: u64) -> Vec<u8> {
    let len = match rng.below(100) {
        0 => 4000 + rng.below(3000),
        1..5 => rng.below(1500),
        _ => rng.below(120),
    };
    let mut v = vec![n as u8; len as usize];
    v.extend_from_slice(&n.to_be_bytes());
    v
}

fn key_of(n: u64) -> Vec<u8> {
    let mut k = (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44).to_be_bytes()[5..].to_vec();
    if n.is_multiple_of(500) {
        k.resize(2500, n as u8);
    }
    k.extend_from_slice(&n.to_be_bytes());
    k
}

/// One thread's life: keys `n` with `n % THREADS == me` are its own, so its model is exact; neighbours' keys lie in between.
fn worker(s: &Store, t: BTree, me: u64, rounds: u64, ascending: &AtomicU64) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut rng = Rng(me * 77 + 1);
    split::tests::FORGET.set(if me.is_multiple_of(2) { 3 } else { 0 });
    let mut model = BTreeMap::new();
    let mut cursor = Cursor::new(t);
    for round in 0..rounds {
        // Waves of growth and of deletion, so that leaves become empty while others split them.
        let deleting = (round / 1500) % 3 == 2;
        let n = rng.below(20_000) * THREADS + me;
        let k = key_of(n);
        match rng.below(20) {
            0..8 if !deleting => {
                let v = payload(&mut rng, n);
                assert_eq!(t.put(s, &k, &v).unwrap(), model.insert(k, v).is_none());
            }
            8..10 if !deleting => {
                // Everybody appends at the end of the index.
                let mut k = vec![0xff; 4];
                k.extend_from_slice(&ascending.fetch_add(1, Ordering::Relaxed).to_be_bytes());
                assert!(t.insert(s, &k, b"appended").unwrap());
                model.insert(k, b"appended".to_vec());
            }
            10 => assert_eq!(t.get(s.pool(), &k, |v| v.to_vec()).unwrap(), model.get(&k).cloned()),
            11 => {
                let mut got = b"before".to_vec();
                let found = t.copy(s.pool(), &k, &mut got).unwrap();
                assert_eq!(found.then(|| got[6..].to_vec()), model.get(&k).cloned());
                assert!(got.starts_with(b"before") && (found || got.len() == 6));
            }
            12 => {
                // A scan meets its own keys in order, whatever the others do.
                let want: Vec<Vec<u8>> = model.range(k.clone()..).take(20).map(|e| e.0.clone()).collect();
                cursor.forward(&k, None);
                let mut got = Vec::new();
                let mut last = Vec::new();
                while got.len() < want.len()
                    && let Some((k, _)) = cursor.next(s.pool()).unwrap()
                {
                    assert!(last.as_slice() < k);
                    last = k.to_vec();
                    if model.contains_key(k) {
                        got.push(last.clone());
                    }
                }
                assert_eq!(got, want);
            }
            13 => {
                let want: Vec<Vec<u8>> = model.range(..k.clone()).rev().take(20).map(|e| e.0.clone()).collect();
                cursor.backward(Some(&k), b"");
                let mut got = Vec::new();
                while got.len() < want.len()
                    && let Some((k, _)) = cursor.next(s.pool()).unwrap()
                {
                    if model.contains_key(k) {
                        got.push(k.to_vec());
                    }
                }
                assert_eq!(got, want);
            }
            14 => {
                // Nothing of ours lies between the key and the successor that is shown.
                let own = model.range(k.clone()..).next().map(|e| e.0.clone());
                let got = t.next_at(s.pool(), &k, |r| r.map(|r| r.0.to_vec())).unwrap();
                assert!(own.is_none() || got.is_some_and(|g| g <= own.unwrap_or_default()));
            }
            _ => {
                let Some(k) = model.range(k..).next().map(|e| e.0.clone()) else { continue };
                let mut mtr = Mtr::start(s).unwrap();
                let empty = t
                    .write(&mut mtr, &k, 0, |p| {
                        assert!(p.found());
                        let next = p.successor()?.map(|r| r.0.to_vec());
                        assert!(next.is_none_or(|n| n > k));
                        p.delete()?;
                        Ok(p.worth_a_merge())
                    })
                    .unwrap();
                mtr.commit();
                model.remove(&k);
                if empty {
                    t.merge(s, &k).unwrap();
                }
            }
        }
    }
    model
}

fn run(frames: u64, rounds: u64) {
    let s = Arc::new(store(frames));
    let t = tree(&s);
    let ascending = AtomicU64::new(0);
    let mut model = BTreeMap::new();
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..THREADS)
            .map(|me| {
                let (s, ascending) = (&s, &ascending);
                scope.spawn(move || worker(s, t, me, rounds, ascending))
            })
            .collect();
        for h in handles {
            model.extend(h.join().unwrap());
        }
    });
    let sum = t.check(s.pool()).unwrap();
    assert_eq!(sum.records, model.len() as u64, "{sum:?}");
    // Every third split of half the threads was left without its separator; writers that passed by added nearly all.
    assert!(sum.without_separator < 1 + sum.pages / 10, "{sum:?}");
    assert!(contents(&t, &s) == model.clone().into_iter().collect::<Vec<_>>());
    // Every page of the space is either the tree's, or the descriptor page.
    assert_eq!(space::usage(s.pool(), t.space).unwrap().0, sum.pages + 1);
    for k in model.keys() {
        assert!(t.remove(&s, k).unwrap());
    }
    super::merge_tests::only_the_root_is_left(&t, &s);
}

#[test]
fn threads_in_a_large_pool() {
    run(4000, 12_000);
}

#[test]
fn threads_in_a_small_pool() {
    run(300, 6_000);
}

#[test]
fn crash_anywhere() {
    let mut lags = 0;
    for seed in 0..12u64 {
        let mut rng = Rng(seed);
        let fs = SimFs::new();
        let mut cfg = config(100);
        cfg.log.capacity = 8 << 20;
        let t = {
            let (s, _) = Store::open(fs.boot(), &cfg).unwrap();
            let t = tree(&s);
            s.flush_and_checkpoint().unwrap();
            t
        };
        let mut model: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        split::tests::FORGET.set(2);
        for _life in 0..4 {
            let (s, _) = Store::open(fs.boot(), &cfg).unwrap();
            t.check(s.pool()).unwrap();
            assert!(contents(&t, &s) == model.clone().into_iter().collect::<Vec<_>>(), "seed {seed}");
            fs.power_cut_after(5 + rng.below(300));
            // States after each acknowledged-or-later operation; the recovered one must be among them.
            let mut states: Vec<Vec<(Vec<u8>, Option<Vec<u8>>)>> = vec![vec![]];
            let dead = AtomicBool::new(false);
            for i in 0..4000 {
                let n = rng.below(3000);
                let k = key_of(n);
                let v = (rng.below(4) > 0).then(|| payload(&mut rng, n));
                let r = match &v {
                    Some(v) => t.put(&s, &k, v).map(|_| ()),
                    None => t.remove(&s, &k).map(|_| ()),
                };
                states.push(vec![(k, v)]);
                let flushed = i % 50 != 49 || s.log().flush_to(s.log().current_lsn(), ForcedBy::Commit).is_ok();
                if r.is_err() || !flushed {
                    dead.store(true, Ordering::Relaxed);
                    break;
                }
                if i % 50 == 49 {
                    // Acknowledged: what is recovered may not be older than this.
                    let all: Vec<_> = states.drain(..).flatten().collect();
                    states.push(all);
                }
            }
            drop(s);
            fs.crash(rng.next());
            let (s, _) = Store::open(fs.boot(), &cfg).unwrap();
            let have: BTreeMap<_, _> = contents(&t, &s).into_iter().collect();
            let mut found = false;
            for step in states {
                for (k, v) in step {
                    match v {
                        Some(v) => model.insert(k, v),
                        None => model.remove(&k),
                    };
                }
                if have == model {
                    found = true;
                    break;
                }
            }
            assert!(found, "seed {seed}: recovered state is none that ever was");
            let broken = t.check(s.pool()).unwrap().without_separator;
            lags += broken;
            split::tests::FORGET.set(0);
            // Splits that the crash cut short are completed by later writers.
            for n in 0..3000 {
                let k = key_of(n);
                if model.contains_key(&k) {
                    t.put(&s, &k, model.get(&k).unwrap()).unwrap();
                }
            }
            assert!(t.check(s.pool()).unwrap().without_separator <= broken / 2);
            split::tests::FORGET.set(2);
            s.flush_and_checkpoint().unwrap();
        }
        split::tests::FORGET.set(0);
    }
    assert!(lags > 0, "no split was cut short");
}

/// Figures for the report; `cargo test --release -p storage -- --ignored btree_figures --nocapture`.
#[test]
#[ignore = "a measurement"]
fn btree_figures() {
    let s = Arc::new(store(40_000));
    let t = tree(&s);
    let n = 1_000_000u64;
    let ns = |from: std::time::Instant, ops: u64| from.elapsed().as_nanos() as u64 / ops;
    let from = std::time::Instant::now();
    for i in 0..n {
        t.insert(&s, &i.to_be_bytes(), &[7; 180]).unwrap();
    }
    eprintln!("ascending inserts: {} ns each, {:?}", ns(from, n), t.check(s.pool()).unwrap());
    let mut rng = Rng(1);
    for _ in 0..3 {
        let from = std::time::Instant::now();
        let mut sum = 0usize;
        for _ in 0..n {
            sum += t.get(s.pool(), &rng.below(n).to_be_bytes(), |v| v.len()).unwrap().unwrap();
        }
        eprintln!("random point search: {} ns (height {}, {sum})", ns(from, n), t.height(s.pool()).unwrap());
        let from = std::time::Instant::now();
        for _ in 0..n {
            sum += t.get(s.pool(), &rng.below(1000).to_be_bytes(), |v| v.len()).unwrap().unwrap();
        }
        eprintln!("hot point search: {} ns ({sum})", ns(from, n));
        let (from, mut out) = (std::time::Instant::now(), Vec::new());
        for _ in 0..n {
            out.clear();
            t.copy(s.pool(), &rng.below(1000).to_be_bytes(), &mut out).unwrap();
            sum += out.len();
        }
        eprintln!("the same, copied: {} ns ({sum})", ns(from, n));
    }
    let from = std::time::Instant::now();
    let mut c = Cursor::new(t);
    c.forward(b"", None);
    let mut rows = 0;
    while c.next(s.pool()).unwrap().is_some() {
        rows += 1;
    }
    eprintln!("scan: {} ns per row ({rows})", ns(from, n));
    let t2 = {
        let mut mtr = Mtr::start(&s).unwrap();
        let t = BTree::create(&mut mtr, t.space, base::IndexId(50)).unwrap();
        mtr.commit();
        t
    };
    let from = std::time::Instant::now();
    for i in 0..n / 2 {
        t2.insert(&s, &(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).to_be_bytes(), &[7; 60]).unwrap();
    }
    eprintln!("random inserts: {} ns each, {:?}", ns(from, n / 2), t2.check(s.pool()).unwrap());
    let from = std::time::Instant::now();
    std::thread::scope(|scope| {
        for me in 0..2u64 {
            let s = &s;
            scope.spawn(move || {
                for i in 0..n / 4 {
                    let k = (i * 2 + me + (1 << 40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    t2.insert(s, &k.to_be_bytes(), &[7; 60]).unwrap();
                }
            });
        }
    });
    eprintln!("random inserts, 2 threads: {} ns each", ns(from, n / 2));
}
