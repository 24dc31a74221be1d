//! Pages come back: whatever the order in which records go, with separators missing, beside readers, after power cuts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::test_support::{config, store, tree};
use super::tests::contents;
use super::*;
use crate::file::sim::{Rng, SimFs};
use crate::redo::ForcedBy;
use crate::store::Store;

/// The tree has no record and no page but its root, and the space no other page but its descriptor page.
pub(super) fn only_the_root_is_left(t: &BTree, s: &Store) {
    let sum = t.check(s.pool()).unwrap();
    assert_eq!((sum.records, sum.pages, sum.without_separator), (0, 1, 0), "{sum:?}");
    assert_eq!(space::usage(s.pool(), t.space).unwrap().0, 2);
}

fn key(n: u64) -> Vec<u8> {
    n.to_be_bytes().to_vec()
}

/// Keys long enough for several levels with few records.
fn long(n: u64) -> Vec<u8> {
    [key(n), vec![7; 700]].concat()
}

fn shuffled(n: u64, seed: u64) -> Vec<u64> {
    let (mut rng, mut all) = (Rng(seed), (0..n).collect::<Vec<_>>());
    for i in (1..n as usize).rev() {
        all.swap(i, rng.below(i as u64 + 1) as usize);
    }
    all
}

/// Orders in which records come and go.
fn orders(n: u64) -> Vec<Vec<u64>> {
    vec![(0..n).collect(), (0..n).rev().collect(), shuffled(n, 1), (0..n).map(|i| i / 2 + i % 2 * (n / 2)).collect()]
}

#[test]
fn whatever_goes_gives_its_pages_back() {
    for (keys, n) in [(key as fn(u64) -> Vec<u8>, 6000u64), (long, 3000)] {
        for come in orders(n) {
            for go in orders(n) {
                let s = store(3000);
                let t = tree(&s);
                for i in &come {
                    assert!(t.insert(&s, &keys(*i), &[7; 100]).unwrap());
                }
                let full = t.check(s.pool()).unwrap();
                for (done, i) in go.iter().enumerate() {
                    assert!(t.remove(&s, &keys(*i)).unwrap());
                    if done as u64 == n / 10 * 9 {
                        // a tenth is left: neighbours that could be one page are
                        let now = t.check(s.pool()).unwrap();
                        assert!(now.leaves <= full.leaves / 3 + 2, "{now:?} {full:?}");
                        assert_eq!(contents(&t, &s).len() as u64, now.records);
                    }
                }
                only_the_root_is_left(&t, &s);
                assert!(t.insert(&s, b"again", b"1").unwrap());
                assert_eq!(contents(&t, &s).len(), 1);
            }
        }
    }
}

/// What a tree gave back another one gets, and a tree that has been merged is freed as a whole.
#[test]
fn pages_go_to_other_trees_and_with_the_tree() {
    let s = store(2000);
    let t = tree(&s);
    let other = {
        let mut mtr = Mtr::start(&s).unwrap();
        let t = BTree::create(&mut mtr, t.space, base::IndexId(43)).unwrap();
        mtr.commit();
        t
    };
    let empty = space::usage(s.pool(), t.space).unwrap();
    for i in 0..30_000 {
        t.insert(&s, &key(i * 0x9e37_79b9 % 30_011), &[7; 60]).unwrap();
    }
    let file = space::usage(s.pool(), t.space).unwrap().1;
    for i in shuffled(30_011, 3) {
        t.remove(&s, &key(i)).unwrap();
    }
    assert_eq!(space::usage(s.pool(), t.space).unwrap().0, empty.0);
    for i in 0..30_000 {
        other.insert(&s, &key(i * 0x9e37_79b9 % 30_011), &[7; 60]).unwrap();
        t.insert(&s, &key(i % 300), &[1; 900]).unwrap();
    }
    assert!(space::usage(s.pool(), t.space).unwrap().1 <= file + 256, "the file has grown although pages were free");
    for i in 0..150 {
        t.remove(&s, &key(i * 2)).unwrap();
    }
    free_tree(&s, t.space, t.root).unwrap();
    free_tree(&s, t.space, t.root).unwrap();
    let left = other.check(s.pool()).unwrap();
    assert_eq!(space::usage(s.pool(), t.space).unwrap().0, empty.0 - 2 + left.pages);
}

/// Splits that ended without their separator are no obstacle: merging adds it.
#[test]
fn missing_separators_are_no_obstacle() {
    for seed in 1..6 {
        let s = store(3000);
        let t = tree(&s);
        split::tests::FORGET.set(2);
        for i in shuffled(2000, seed) {
            t.insert(&s, &long(i), &[7; 100]).unwrap();
        }
        split::tests::FORGET.set(0);
        assert!(t.check(s.pool()).unwrap().without_separator > 0);
        for i in shuffled(2000, seed + 10) {
            assert!(t.remove(&s, &long(i)).unwrap());
        }
        only_the_root_is_left(&t, &s);
    }
}

/// Scans in both directions, point reads and looks at neighbours, without a writer's knowledge of them, beside waves of growth and
/// deletion: every key that is always there is met once and in order, whatever is merged below the reader.
#[test]
fn readers_beside_merges() {
    let s = Arc::new(store(1200));
    let t = tree(&s);
    let other = {
        // takes the pages that merges give back, so that a reader who stood on one would notice
        let mut mtr = Mtr::start(&s).unwrap();
        let t = BTree::create(&mut mtr, t.space, base::IndexId(43)).unwrap();
        mtr.commit();
        t
    };
    const STAY: u64 = 97;
    const N: u64 = 20_000;
    let stays: Vec<u64> = (0..N).filter(|n| n.is_multiple_of(STAY)).collect();
    for n in &stays {
        t.insert(&s, &key(*n), &[1; 80]).unwrap();
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for me in 0..2u64 {
            let (s, stays, done) = (&s, &stays, &done);
            scope.spawn(move || {
                let mut rng = Rng(me + 5);
                let mut c = Cursor::new(t);
                let mut rounds = 0;
                while !done.load(Ordering::Relaxed) || rounds == 0 {
                    rounds += 1;
                    let (a, b) = (rng.below(N), rng.below(N));
                    let (a, b) = (a.min(b), a.max(b));
                    let want: Vec<u64> = stays.iter().copied().filter(|n| *n >= a && *n < b).collect();
                    let mut got = Vec::new();
                    let mut last = None;
                    if rounds % 2 == 0 {
                        c.forward(&key(a), Some(&key(b)))
                    } else {
                        c.backward(Some(&key(b)), &key(a))
                    }
                    while let Some((k, _)) = c.next(s.pool()).unwrap() {
                        let n = u64::from_be_bytes(k.try_into().unwrap());
                        assert!(last.is_none_or(|l| if rounds % 2 == 0 { l < n } else { n < l }), "{n} after {last:?}");
                        last = Some(n);
                        if n.is_multiple_of(STAY) {
                            got.push(n);
                        }
                    }
                    if rounds % 2 == 1 {
                        got.reverse();
                    }
                    assert_eq!(got, want);
                    let n = rng.below(N - STAY);
                    let next = n.div_ceil(STAY) * STAY;
                    assert!(t.get(s.pool(), &key(next), |_| ()).unwrap().is_some());
                    t.next_at(s.pool(), &key(n), |r| assert!(r.is_some_and(|r| r.0 <= &key(next)[..]))).unwrap();
                    let before = n / STAY * STAY;
                    t.prev_below(s.pool(), Some(&key(n + 1)), |r| assert!(r.is_some_and(|r| r.0 >= &key(before)[..])))
                        .unwrap();
                }
            });
        }
        let writers: Vec<_> = (0..2u64)
            .map(|me| {
                let s = &s;
                scope.spawn(move || {
                    for wave in 0..6u64 {
                        let mine = |n: &u64| !n.is_multiple_of(STAY) && n % 2 == me;
                        for n in shuffled(N, wave * 2 + me).into_iter().filter(mine) {
                            t.put(s, &key(n), &vec![n as u8; n as usize % 150]).unwrap();
                        }
                        for n in 0..300 {
                            other.put(s, &key(wave << 32 | n << 1 | me), &[3; 2000]).unwrap();
                        }
                        for n in shuffled(N, wave * 2 + me + 100).into_iter().filter(mine) {
                            assert!(t.remove(s, &key(n)).unwrap());
                        }
                        for n in 0..300 {
                            assert!(other.remove(s, &key(wave << 32 | n << 1 | me)).unwrap());
                        }
                    }
                })
            })
            .collect();
        for w in writers {
            w.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    let sum = t.check(s.pool()).unwrap();
    assert_eq!((sum.records, sum.without_separator), (stays.len() as u64, 0));
    // 207 records of 98 bytes: two pages full, at most three
    assert!(sum.pages <= 5, "{sum:?}");
    for n in &stays {
        assert!(t.remove(&s, &key(*n)).unwrap());
    }
    assert_eq!(t.check(s.pool()).unwrap().pages + other.check(s.pool()).unwrap().pages, 2);
    assert_eq!(space::usage(s.pool(), t.space).unwrap().0, 3);
}

/// A power cut at any write while everything is being removed: the tree that recovery finds is sound and has no page too many.
#[test]
fn power_cuts_while_pages_go() {
    let mut merged = 0;
    for seed in 0..40u64 {
        let mut rng = Rng(seed + 1);
        let fs = SimFs::new();
        let mut cfg = config(100);
        cfg.log.capacity = 8 << 20;
        let keys = shuffled(600, seed);
        let t = {
            let (s, _) = Store::open(fs.boot(), &cfg).unwrap();
            let t = tree(&s);
            split::tests::FORGET.set(if seed % 3 == 0 { 3 } else { 0 });
            for n in &keys {
                t.insert(&s, &long(*n), &[*n as u8; 100]).unwrap();
            }
            split::tests::FORGET.set(0);
            s.flush_and_checkpoint().unwrap();
            t
        };
        let (s, _) = Store::open(fs.boot(), &cfg).unwrap();
        let full = t.check(s.pool()).unwrap().pages;
        fs.power_cut_after(rng.below(150));
        let mut acknowledged = 0;
        for (i, n) in keys.iter().enumerate() {
            if t.remove(&s, &long(*n)).is_err() {
                break;
            }
            if rng.below(4) == 0 {
                if s.log().flush_to(s.log().current_lsn(), ForcedBy::Commit).is_err() {
                    break;
                }
                acknowledged = i + 1;
            }
            if rng.below(60) == 0 && s.flush_and_checkpoint().is_err() {
                break;
            }
        }
        drop(s);
        fs.crash(rng.next());
        let (s, _) = Store::open(fs.boot(), &cfg).unwrap();
        let have: BTreeMap<_, _> = contents(&t, &s).into_iter().collect();
        let gone = keys.len() - have.len();
        assert!(gone >= acknowledged, "seed {seed}: {gone} of {acknowledged}");
        let want: BTreeMap<_, _> = keys.iter().skip(gone).map(|n| (long(*n), vec![*n as u8; 100])).collect();
        assert!(have == want, "seed {seed}");
        let sum = t.check(s.pool()).unwrap();
        merged += u32::from(sum.pages < full);
        assert_eq!(space::usage(s.pool(), t.space).unwrap().0, sum.pages + 1, "seed {seed}: a page belongs to nobody");
        for n in keys.iter().skip(gone) {
            assert!(t.remove(&s, &long(*n)).unwrap());
        }
        only_the_root_is_left(&t, &s);
    }
    assert!(merged > 10, "no power cut came behind a merge");
}
