//! Runs of next-key locks: what they refuse and let through is what single entries would, and whoever waits for one is woken.

use super::*;
use base::IndexId;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const INDEX: IndexId = IndexId(7);

fn owner(sys: &LockSys, trx: u64) -> Arc<LockOwner> {
    let o = sys.new_owner();
    o.begin(trx);
    o
}

fn bytes(n: u16) -> [u8; 2] {
    n.to_be_bytes()
}

fn granted(a: &Acquired) -> bool {
    matches!(a, Acquired::Granted)
}

/// Locks `from..to` as a run.
fn run(sys: &LockSys, o: &Arc<LockOwner>, mode: LockMode, from: u16, to: u16) {
    for k in from..to {
        let got = sys.lock_next(o, INDEX, &bytes(k.saturating_sub(1)), &bytes(k), mode, WaitPolicy::NoWait);
        assert!(granted(&got), "{k}: {got:?}");
    }
}

fn nowait(sys: &LockSys, o: &Arc<LockOwner>, k: u16, mode: LockMode, kind: LockKind) -> bool {
    granted(&sys.lock_record(o, INDEX, RecKey::Key(&bytes(k)), mode, kind, WaitPolicy::NoWait))
}

#[test]
fn a_long_run_is_one_lock_that_stops_others() {
    let sys = LockSys::new();
    let (a, b) = (owner(&sys, 1), owner(&sys, 2));
    run(&sys, &a, LockMode::X, 100, 1100);
    let all = sys.list();
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].key.as_deref(), all[0].to.as_deref()), (Some(&bytes(100)[..]), Some(&bytes(1099)[..])));
    assert_eq!((all[0].count, a.weight()), (1000, 1000));
    assert!(a.has_locks());
    for kind in [LockKind::Record, LockKind::NextKey, LockKind::InsertIntention] {
        assert!(!nowait(&sys, &b, 500, LockMode::X, kind), "{kind:?}");
        assert!(nowait(&sys, &b, 99, LockMode::X, kind) && nowait(&sys, &b, 1100, LockMode::X, kind), "{kind:?}");
    }
    assert!(nowait(&sys, &b, 500, LockMode::X, LockKind::Gap), "gap locks wait for nobody");
    assert!(sys.would_wait(&b, INDEX, RecKey::Key(&bytes(700)), LockMode::X, LockKind::Record));
    assert!(sys.holds(&a, INDEX, RecKey::Key(&bytes(700)), LockMode::S, LockKind::NextKey));
    // a second scan of the same records adds nothing
    run(&sys, &a, LockMode::S, 100, 1100);
    assert_eq!(sys.list().iter().filter(|l| l.to.is_some()).count(), 1);
    sys.release_all(&a);
    assert!(nowait(&sys, &b, 500, LockMode::X, LockKind::NextKey));
    sys.release_all(&b);
    assert!(sys.list().is_empty() && !a.has_locks());
}

#[test]
fn a_run_backwards_and_shared_runs_over_each_other() {
    let sys = LockSys::new();
    let (a, b, c) = (owner(&sys, 1), owner(&sys, 2), owner(&sys, 3));
    for k in (100..200).rev() {
        let got = sys.lock_next(&a, INDEX, &bytes(k + 1), &bytes(k), LockMode::S, WaitPolicy::NoWait);
        assert!(granted(&got));
    }
    run(&sys, &b, LockMode::S, 50, 150);
    assert_eq!(sys.list().len(), 2, "nobody is in anybody's way");
    assert!(
        !nowait(&sys, &c, 100, LockMode::X, LockKind::Record) && !nowait(&sys, &c, 199, LockMode::X, LockKind::Record)
    );
    assert!(!nowait(&sys, &a, 120, LockMode::X, LockKind::Record), "b reads it");
    assert!(nowait(&sys, &a, 170, LockMode::X, LockKind::Record));
    sys.release_all(&b);
    assert!(nowait(&sys, &a, 120, LockMode::X, LockKind::Record));
    sys.release_all(&a);
    assert!(nowait(&sys, &c, 100, LockMode::X, LockKind::NextKey));
}

#[test]
fn who_waits_for_a_run_is_woken_and_found_in_cycles() {
    let sys = Arc::new(LockSys::new());
    let (a, b) = (owner(&sys, 1), owner(&sys, 2));
    run(&sys, &a, LockMode::X, 0, 100);
    assert!(nowait(&sys, &b, 500, LockMode::X, LockKind::Record));
    let ask = |o: &Arc<LockOwner>, k: u16| match sys.lock_record(
        o,
        INDEX,
        RecKey::Key(&bytes(k)),
        LockMode::X,
        LockKind::Record,
        WaitPolicy::Wait,
    ) {
        Acquired::Wait(t) => t,
        other => panic!("{other:?}"),
    };
    let waits = ask(&b, 50);
    let (s2, b2) = (sys.clone(), b.clone());
    let h = std::thread::spawn(move || s2.wait(&b2, waits, Duration::from_secs(20), &|| false));
    // a holds a hundred rows, so b goes, though a closes the cycle
    let cycle = ask(&a, 500);
    assert_eq!(h.join().unwrap(), Err(WaitError::Deadlock));
    sys.release_all(&b);
    assert_eq!(sys.wait(&a, cycle, Duration::from_secs(20), &|| false), Ok(()));
    b.begin(4);
    let waits = ask(&b, 60);
    sys.release_all(&a);
    assert_eq!(sys.wait(&b, waits, Duration::from_secs(20), &|| false), Ok(()));
    assert!(sys.holds(&b, INDEX, RecKey::Key(&bytes(60)), LockMode::X, LockKind::Record));
    sys.release_all(&b);
    assert!(sys.list().is_empty());
    assert_eq!((sys.deadlocks(), sys.waiting()), (1, 0));
}

#[test]
fn a_run_waits_where_others_are_and_goes_on_behind() {
    let sys = LockSys::new();
    let (a, b) = (owner(&sys, 1), owner(&sys, 2));
    assert!(nowait(&sys, &b, 50, LockMode::S, LockKind::Record));
    run(&sys, &a, LockMode::S, 0, 100);
    assert!(
        sys.list().iter().any(|l| l.key.as_deref() == Some(&bytes(50)) && l.owner == a.id()),
        "an entry at a queue"
    );
    assert_eq!(sys.list().iter().filter(|l| l.to.is_some()).map(|l| l.count).sum::<u64>(), 100);
    sys.release_all(&a);
    a.begin(3);
    let got = sys.lock_next(&a, INDEX, &bytes(49), &bytes(50), LockMode::X, WaitPolicy::NoWait);
    assert!(matches!(got, Acquired::Busy));
    sys.release_all(&a);
    sys.release_all(&b);
    assert!(sys.list().is_empty());
}

/// An index in memory and a lock table that follows the protocol of the engine's callers.
struct Model {
    sys: LockSys,
    owners: Vec<Arc<LockOwner>>,
    keys: BTreeSet<u16>,
    /// Writers of uncommitted records.
    writers: BTreeMap<u16, usize>,
    runs: bool,
}

#[derive(Clone, Copy, Debug)]
enum Op {
    /// Scan from a key over some records, forwards or backwards.
    Scan {
        who: usize,
        from: u16,
        len: usize,
        x: bool,
        back: bool,
    },
    Point {
        who: usize,
        at: u16,
        x: bool,
    },
    Insert {
        who: usize,
        key: u16,
    },
    /// Rollback of an insert, or purge.
    Remove {
        key: u16,
    },
    End {
        who: usize,
    },
}

impl Model {
    fn new(runs: bool) -> Model {
        let sys = LockSys::new();
        let owners = (0..3).map(|n| owner(&sys, n + 1)).collect();
        Model { sys, owners, keys: (0..60).map(|k| k * 3).collect(), writers: BTreeMap::new(), runs }
    }

    fn met(&self, who: usize, key: u16) {
        if let Some(w) = self.writers.get(&key).filter(|w| **w != who) {
            self.sys.make_explicit(&self.owners[*w], INDEX, RecKey::Key(&bytes(key)), || true);
        }
    }

    fn successor(&self, key: u16) -> Option<u16> {
        self.keys.range(key + 1..).next().copied()
    }

    fn scan(&self, who: usize, from: u16, len: usize, mode: LockMode, back: bool) -> Vec<bool> {
        let (mut last, mut got) = (None, Vec::new());
        let range: Vec<u16> = match back {
            false => self.keys.range(from..).take(len).copied().collect(),
            true => self.keys.range(..from).rev().take(len).copied().collect(),
        };
        for k in range {
            self.met(who, k);
            let ok = match last.filter(|_| self.runs) {
                Some(last) => granted(&self.sys.lock_next(
                    &self.owners[who],
                    INDEX,
                    &bytes(last),
                    &bytes(k),
                    mode,
                    WaitPolicy::NoWait,
                )),
                None => nowait(&self.sys, &self.owners[who], k, mode, LockKind::NextKey),
            };
            got.push(ok);
            if !ok {
                break;
            }
            last = Some(k);
        }
        got
    }

    fn insert(&mut self, who: usize, key: u16) -> Vec<bool> {
        if self.keys.contains(&key) {
            return Vec::new();
        }
        let (succ, new) = (self.successor(key).map(bytes), bytes(key));
        let at = succ.as_ref().map_or(RecKey::Supremum, |k| RecKey::Key(k));
        let (x, wish) = (LockMode::X, LockKind::InsertIntention);
        let ok = granted(&self.sys.lock_record(&self.owners[who], INDEX, at, x, wish, WaitPolicy::NoWait));
        if ok {
            self.sys.inherit_on_insert(INDEX, at, &new);
            self.keys.insert(key);
            self.writers.insert(key, who);
        }
        vec![ok]
    }

    fn step(&mut self, op: Op) -> Vec<bool> {
        let mode = |x| if x { LockMode::X } else { LockMode::S };
        match op {
            Op::Scan { who, from, len, x, back } => self.scan(who, from, len, mode(x), back),
            Op::Point { who, at, x } => match self.keys.contains(&at) {
                true => {
                    self.met(who, at);
                    let wait = self.sys.would_wait(
                        &self.owners[who],
                        INDEX,
                        RecKey::Key(&bytes(at)),
                        mode(x),
                        LockKind::Record,
                    );
                    vec![wait, nowait(&self.sys, &self.owners[who], at, mode(x), LockKind::Record)]
                }
                false => Vec::new(),
            },
            Op::Insert { who, key } => self.insert(who, key),
            Op::Remove { key } => {
                if self.keys.remove(&key) {
                    self.writers.remove(&key);
                    let succ = self.successor(key).map(bytes);
                    let at = succ.as_ref().map_or(RecKey::Supremum, |k| RecKey::Key(k));
                    self.sys.inherit_on_remove(INDEX, &bytes(key), at);
                }
                Vec::new()
            }
            Op::End { who } => {
                self.sys.release_all(&self.owners[who]);
                self.writers.retain(|_, w| *w != who);
                self.owners[who].begin(9);
                Vec::new()
            }
        }
    }

    /// Which records and gaps are free for whom. Records that their writers lock anyway are left out: a run over its owner's own insert
    /// has it next-key, single entries have the gap, and the record implicitly.
    fn picture(&self) -> Vec<bool> {
        let mut out = Vec::new();
        for o in &self.owners {
            for k in &self.keys {
                for kind in [LockKind::Record, LockKind::InsertIntention] {
                    if kind == LockKind::Record && self.writers.contains_key(k) {
                        continue;
                    }
                    for mode in [LockMode::S, LockMode::X] {
                        out.push(self.sys.would_wait(o, INDEX, RecKey::Key(&bytes(*k)), mode, kind));
                    }
                }
            }
            out.push(self.sys.would_wait(o, INDEX, RecKey::Supremum, LockMode::X, LockKind::InsertIntention));
        }
        out
    }
}

fn op() -> impl Strategy<Value = Op> {
    let who = 0..3usize;
    prop_oneof![
        4 => (who.clone(), 0..200u16, 1..40usize, any::<bool>(), any::<bool>())
            .prop_map(|(who, from, len, x, back)| Op::Scan { who, from, len, x, back }),
        3 => (who.clone(), 0..200u16, any::<bool>()).prop_map(|(who, at, x)| Op::Point { who, at, x }),
        4 => (who.clone(), 0..200u16).prop_map(|(who, key)| Op::Insert { who, key }),
        3 => (0..200u16).prop_map(|key| Op::Remove { key }),
        1 => who.prop_map(|who| Op::End { who }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// The same requests, with runs and with an entry for each lock, get the same answers, and leave the same places free.
    #[test]
    fn runs_answer_as_single_entries_do(ops in prop::collection::vec(op(), 1..60)) {
        let (mut runs, mut single) = (Model::new(true), Model::new(false));
        for (n, op) in ops.into_iter().enumerate() {
            prop_assert_eq!(runs.step(op), single.step(op), "step {}: {:?}", n, op);
            prop_assert_eq!(runs.picture(), single.picture(), "after step {}: {:?}", n, op);
        }
        for who in 0..3 {
            runs.step(Op::End { who });
        }
        prop_assert!(runs.sys.list().is_empty());
    }
}

/// Scans that lock everything one after the other and changes of single records, with waits and deadlocks.
#[test]
fn runs_exclude_under_load() {
    const KEYS: usize = 40;
    let sys = Arc::new(LockSys::new());
    let cells: Arc<Vec<AtomicU64>> = Arc::new((0..KEYS).map(|_| AtomicU64::new(0)).collect());
    let total = Arc::new(AtomicU64::new(0));
    let threads: Vec<_> = (0..6u64)
        .map(|n| {
            let (sys, cells, total) = (sys.clone(), cells.clone(), total.clone());
            std::thread::spawn(move || {
                let o = sys.new_owner();
                let mut rng = n * 7919 + 1;
                for i in 0..200 {
                    o.begin(n * 1000 + i + 1);
                    rng = rng.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let from = (rng >> 33) as usize % KEYS;
                    let to = if n % 2 == 0 { KEYS } else { from + 1 };
                    for c in from..to {
                        let (k, last) = ([c as u8], [(c as u8).wrapping_sub(1)]);
                        let got = match c == from {
                            true => sys.lock_record(
                                &o,
                                INDEX,
                                RecKey::Key(&k),
                                LockMode::X,
                                LockKind::Record,
                                WaitPolicy::Wait,
                            ),
                            false => sys.lock_next(&o, INDEX, &last, &k, LockMode::X, WaitPolicy::Wait),
                        };
                        let got = match got {
                            Acquired::Granted => true,
                            Acquired::Busy => false,
                            Acquired::Wait(t) => match sys.wait(&o, t, Duration::from_secs(20), &|| false) {
                                Ok(()) => true,
                                Err(WaitError::Deadlock) => false,
                                Err(e) => panic!("{e:?}"),
                            },
                        };
                        if !got {
                            break;
                        }
                        let before = cells[c].load(Ordering::Relaxed);
                        if c % 8 == 0 {
                            std::thread::yield_now();
                        }
                        cells[c].store(before + 1, Ordering::Relaxed);
                        total.fetch_add(1, Ordering::Relaxed);
                    }
                    sys.release_all(&o);
                }
            })
        })
        .collect();
    for t in threads {
        t.join().unwrap();
    }
    assert!(sys.list().is_empty());
    assert_eq!(sys.waiting(), 0);
    assert_eq!(cells.iter().map(|c| c.load(Ordering::Relaxed)).sum::<u64>(), total.load(Ordering::Relaxed));
}
