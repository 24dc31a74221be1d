//! What the next connection needs is asked for while the one before it is served.
//!
//! Between two commands of a connection thousands of others may have their turn: its session, its buffers and its counters have gone from the caches by then, and
//! a statement of a few microseconds waits for a dozen lines one after the other. Who serves connections knows which one comes next. So each leaves
//! here, once, where its lines are ([`note`]), and they are asked for one command ahead ([`warm`]), the list itself when the connection is found readable ([`warm_list`]).
//!
//! Hints only: lists are found by the connection's number modulo [`LISTS`] and may be those of another one, and an address whose memory
//! has been freed since is as harmless as any other (`sys::prefetch`). No locks. Measured in `docs/decisions/0021-warm-sessions.md`.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use sys::prefetch::{self, Lines};

/// Lists; of more connections some share one.
const LISTS: usize = 4096;
/// Runs of lines in a list.
const RUNS: usize = 32;
/// Bits of a run's length, in lines.
const LEN_BITS: u32 = 6;

/// Number of the first line of each run, and its length in the lowest bits; 0: none.
#[repr(align(64))]
struct List([AtomicU64; RUNS]);

static ALL: [List; LISTS] = [const { List([const { AtomicU64::new(0) }; RUNS]) }; LISTS];

fn list(id: u64) -> Option<&'static List> {
    ALL.get(id as usize % LISTS)
}

/// Leaves the lines of a connection.
pub(crate) fn note(id: u64, lines: Lines) {
    let Some(list) = list(id) else { return };
    let mut runs = lines.runs(1 << LEN_BITS).map(|(first, n)| (first as u64) << LEN_BITS | (n as u64 - 1));
    for place in &list.0 {
        place.store(runs.next().unwrap_or(0), Relaxed);
    }
}

/// Asks for the list of a connection.
#[inline]
pub(crate) fn warm_list(id: u64) {
    if let Some(list) = list(id) {
        prefetch::of(list);
    }
}

/// Asks for the lines of a connection.
#[inline]
pub(crate) fn warm(id: u64) {
    runs(id).for_each(|(first, n)| prefetch::run(first, n));
}

/// First line and number of lines of each run in a connection's list.
fn runs(id: u64) -> impl Iterator<Item = (usize, usize)> {
    let packed = list(id).into_iter().flat_map(|l| &l.0).map(|run| run.load(Relaxed)).take_while(|run| *run != 0);
    packed.map(|run| ((run >> LEN_BITS) as usize, (run & ((1 << LEN_BITS) - 1)) as usize + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_as_noted() {
        let id = 4095;
        let mut lines = Lines::default();
        // one long run, which becomes two, and one at the end of the address space that processes have
        lines.add_range(64 * 1000, 64 * 100);
        lines.add_range((1 << 47) - 64, 64);
        note(id, lines);
        let all = [(1000, 64), (1064, 36), ((1 << 41) - 1, 1)];
        assert_eq!(runs(id).collect::<Vec<_>>(), all);
        assert_eq!(runs(id + LISTS as u64).collect::<Vec<_>>(), all, "shared");
        warm_list(id);
        warm(id);
        let mut lines = Lines::default();
        (0..100).for_each(|i| lines.add_range(64 * 2 * i + 64, 1));
        note(id, lines);
        assert_eq!(runs(id).count(), RUNS, "what does not fit is left out");
        note(id, Lines::default());
        assert_eq!(runs(id).count(), 0);
    }
}
