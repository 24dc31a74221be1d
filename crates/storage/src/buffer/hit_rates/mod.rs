//! Hit rates: the pool's replacement ([`super::replace`]) beside four others on the same traces, without I/O.
//!
//! * [`policies`]: LRU, InnoDB's midpoint list, CLOCK, S3-FIFO, each after its source.
//! * [`rings`]: [`super::replace::Rings`] itself, driven as the pool drives it.
//! * [`traces`]: generated traces and every parameter of the comparison.
//! * [`recorder`]: the pages that the pool is asked for on this thread, as the replacement sees them.
//!
//! `engine/tests/hit_rates.rs` records traces of a real engine, and holds the test. Parameters were fixed before any
//! trace was replayed, and are not to be tuned to the result. What is compared is which page goes: none is dirty or
//! latched, and nobody keeps frames free ahead (the page cleaner does, for this pool; InnoDB's too).

pub(crate) mod policies;
pub(crate) mod recorder;
mod rings;
pub(crate) mod traces;

use policies::{Clock, Lru, Midpoint, Policy, S3Fifo};
use traces::Trace;

/// The order of the columns.
pub(crate) const POLICIES: [&str; 5] = ["Evenkeel", "LRU", "midpoint", "CLOCK", "S3-FIFO"];

/// Share of the counted accesses that hit, in percent, for each of [`POLICIES`].
pub(crate) type Rates = [f64; POLICIES.len()];

/// Replays a trace through every policy.
pub(crate) fn replay(trace: &Trace) -> Rates {
    let n = trace.frames;
    [
        rate(&mut rings::Pool::new(n), trace),
        rate(&mut Lru::new(n), trace),
        rate(&mut Midpoint::new(n), trace),
        rate(&mut Clock::new(n), trace),
        rate(&mut S3Fifo::new(n), trace),
    ]
}

fn rate(policy: &mut dyn Policy, trace: &Trace) -> f64 {
    let warm = trace.accesses.len() / traces::WARM_UP;
    let (mut hits, mut counted) = (0u64, 0u64);
    for (i, access) in trace.accesses.iter().enumerate() {
        let hit = policy.access(access.page, trace.time_ms(i));
        if i >= warm && access.counts {
            counted += 1;
            hits += u64::from(hit);
        }
    }
    hits as f64 * 100.0 / counted as f64
}

/// Each on a few accesses where its source says what goes.
#[test]
fn simple_policies_do_what_their_sources_say() {
    let run = |p: &mut dyn Policy, pages: &[u32]| pages.iter().map(|x| p.access(*x, 0)).collect::<Vec<_>>();
    // LRU: 1 was used last, so 2 goes.
    assert_eq!(run(&mut Lru::new(3), &[1, 2, 3, 1, 4, 1, 2]), [false, false, false, true, false, true, false]);
    // CLOCK: all are referenced, the hand clears them and takes the first, though that was used last.
    assert_eq!(run(&mut Clock::new(3), &[1, 2, 3, 1, 4, 2, 1]), [false, false, false, true, false, true, false]);
    // S3-FIFO: 2 and 3 leave through the small queue; 2 comes back as a ghost and goes to main, where a scan leaves it.
    let mut s = S3Fifo::new(10);
    let scan = |s: &mut S3Fifo, from: u32| (from..from + 12).for_each(|x| assert!(!s.access(x, 0)));
    s.access(1, 0);
    scan(&mut s, 100);
    assert!(!s.access(1, 0));
    scan(&mut s, 200);
    scan(&mut s, 300);
    assert!(s.access(1, 0));
    // LRU does not.
    let mut l = Lru::new(10);
    for x in [1, 1].into_iter().chain(100..120) {
        l.access(x, 0);
    }
    assert!(!l.access(1, 0));
}

/// A page is young once it is touched `innodb_old_blocks_time` after it came, and then outlives a scan.
#[test]
fn the_midpoint_list_keeps_its_rules() {
    for (wait, kept) in [(999, false), (1000, true)] {
        let mut m = Midpoint::new(640);
        (0..700).for_each(|x| assert!(!m.access(x, 1)));
        assert!(!m.access(5000, 1));
        assert!(m.access(5000, 1 + wait));
        (10_000..11_000).for_each(|x| assert!(!m.access(x, 1 + wait)));
        assert_eq!(m.access(5000, 1 + wait), kept, "{wait}");
        let (young, old) = m.lengths();
        assert!(young + old == 640 && old.abs_diff(640 * 37 / 100) <= 21, "{young} {old}");
    }
}

/// What lay in main when the pool was full for the first time stays as long as it is used, also beside an endless scan;
/// the rest makes room though no page is ever promoted.
#[test]
fn what_filled_the_pool_first_has_to_be_used() {
    let mut p = rings::Pool::new(640);
    let used = 0..50;
    (0..640).for_each(|x| assert!(!p.access(x, 1)));
    let mut kept = 0;
    for x in 1000..81_000 {
        assert!(!p.access(x, 1));
        if x % 200 == 0 {
            kept = used.clone().filter(|u| p.access(*u, 1)).count();
        }
    }
    assert!(kept >= 30, "{kept} of 50");
    assert_eq!((50..640).filter(|x| p.access(*x, 1)).count(), 0);
}

/// Rings that are longer than a search has steps, and used throughout: somebody has to go, and nobody has to wait.
#[test]
fn a_victim_is_found_though_every_page_was_used() {
    let mut p = rings::Pool::new(5000);
    (0..5001).for_each(|x| assert!(!p.access(x, 1)));
    for round in 1..4u32 {
        let now = 2000 * round;
        let there = (0..5000).filter(|x| p.access(*x, now)).count();
        assert!(there > 1000, "{there}");
    }
}
