//! What sessions hold of memory by area while a statement runs: rows of internal temporary tables, buffers of sorts and
//! joins, buffers of connections. The tables `memory_summary_*` show it.
//!
//! Who holds memory has a [`Held`] and tells it from time to time how many bytes there are ([`Held::set`], a
//! comparison). Only what has grown by [`STEP`] or has shrunk is told to the session that was attached when the first
//! bytes were told, and to the sums of the server; what stays below that is not shown. Dropping a `Held` gives its
//! bytes back, so that an error on the way leaves nothing.
//!
//! Shared are the sums of the server, written once in [`STEP`] bytes of growth; no lock but that of a session's slots,
//! which readers take too. TRUNCATE follows [`crate::summaries`]: only what was given back is counted, since what was
//! taken is that and what is held now.
//!
//! Tested below and by `tests/clients/test_memory_events.py`.

use crate::areas::Memory;
use crate::block;
use crate::events::Recorder;
use crate::instruments::BUILT;
use crate::summaries::{Counts, Summary, Sums};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// Growth that is told.
pub const STEP: usize = 16 << 10;

/// What a connection has besides what it tells itself while a command runs: a buffer for the command and one for its
/// answer, of this many bytes each, lent by the thread that serves it.
pub const LENT: usize = 4 << 10;

/// Pieces or bytes: now, and the least and the most since the beginning or a TRUNCATE.
#[derive(Debug, Default)]
struct Level {
    now: AtomicI64,
    least: AtomicI64,
    most: AtomicI64,
}

impl Level {
    fn add(&self, n: i64) {
        let now = self.now.fetch_add(n, Relaxed) + n;
        if now > self.most.load(Relaxed) {
            self.most.fetch_max(now, Relaxed);
        } else if now < self.least.load(Relaxed) {
            self.least.fetch_min(now, Relaxed);
        }
    }
    /// Now, least, most.
    fn read(&self) -> [i64; 3] {
        // another thread may be between its two steps
        let now = self.now.load(Relaxed);
        [now, self.least.load(Relaxed).min(now), self.most.load(Relaxed).max(now)].map(|n| n.max(0))
    }
    fn begin(&self) {
        let now = self.now.load(Relaxed);
        self.least.store(now, Relaxed);
        self.most.store(now, Relaxed);
    }
}

/// What was given back of an area.
#[derive(Debug, Default)]
pub struct Freed {
    pieces: AtomicU64,
    bytes: AtomicU64,
}

impl Counts for Freed {
    type Totals = [u64; 2];
    fn totals(&self) -> [u64; 2] {
        [self.pieces.load(Relaxed), self.bytes.load(Relaxed)]
    }
    fn merge(to: &mut [u64; 2], from: &[u64; 2]) {
        to.iter_mut().zip(from).for_each(|(a, b)| *a += b);
    }
}

/// Of one session, or of the server: pieces and bytes of each area that is told, and what was given back.
#[derive(Debug, Default)]
pub struct Levels {
    areas: [[Level; 2]; Memory::TOLD.len()],
    /// By [`Memory`]'s number.
    pub freed: Sums<Freed>,
}

/// Pieces and bytes of an area: [now, least, most] of each.
pub type Now = [[i64; 3]; 2];

impl Levels {
    /// Of an area; `None`: it is none that is told.
    pub fn of(&self, area: Memory) -> Option<Now> {
        Some(self.areas.get(area.told()?)?.each_ref().map(Level::read))
    }

    /// TRUNCATE: the least and the most begin with what is now.
    pub fn begin(&self) {
        self.areas.iter().flatten().for_each(Level::begin);
    }

    /// TRUNCATE of the server's sums.
    pub fn begin_anew(&self) {
        self.begin();
        self.freed.forget();
    }

    fn add(&self, area: Memory, pieces: i64, bytes: i64) {
        let Some([p, b]) = area.told().and_then(|at| self.areas.get(at)) else { return };
        if pieces != 0 {
            p.add(pieces);
        }
        b.add(bytes);
    }

    fn give_back(&self, area: Memory, pieces: u64, bytes: u64) {
        self.freed.with(area as u32, |f| {
            f.pieces.fetch_add(pieces, Relaxed);
            f.bytes.fetch_add(bytes, Relaxed);
        });
    }
}

/// Sessions that have ended.
pub static SUMS: Summary<Freed> = Summary::new();

/// All sessions and what belongs to none.
pub fn server() -> &'static Levels {
    static SERVER: std::sync::LazyLock<Levels> = std::sync::LazyLock::new(Levels::default);
    &SERVER
}

/// Memory of one area that somebody holds.
#[derive(Debug)]
pub struct Held {
    area: Memory,
    told: usize,
    /// The session that holds it; `None`: none does.
    home: Option<Arc<Recorder>>,
}

impl Default for Held {
    /// Of an internal temporary table.
    fn default() -> Held {
        Held::new(Memory::TemporaryTables)
    }
}

impl Held {
    /// Nothing yet.
    pub const fn new(area: Memory) -> Held {
        Held { area, told: 0, home: None }
    }

    /// Nothing yet, by a session that is not attached when its bytes are told.
    pub fn by(area: Memory, home: Arc<Recorder>) -> Held {
        Held { area, told: 0, home: Some(home) }
    }

    /// So many bytes are held now.
    #[inline(always)]
    pub fn set(&mut self, bytes: usize) {
        if BUILT && (bytes < self.told || bytes - self.told >= STEP) {
            self.tell(bytes);
        }
    }

    /// Nothing is held any more.
    #[inline(always)]
    pub fn clear(&mut self) {
        if self.told > 0 {
            self.tell(0);
        }
    }

    /// Bytes that were told last.
    pub fn told(&self) -> usize {
        self.told
    }

    #[cold]
    #[inline(never)]
    fn tell(&mut self, bytes: usize) {
        if self.told == 0 {
            if !self.area.instrument().enabled() {
                return;
            }
            if self.home.is_none() {
                self.home = block::recorder();
            }
        }
        let pieces = i64::from(bytes > 0) - i64::from(self.told > 0);
        let more = bytes as i64 - self.told as i64;
        for levels in [self.home.as_ref().map(|r| &r.held), Some(server())].into_iter().flatten() {
            levels.add(self.area, pieces, more);
        }
        if more < 0 {
            let home = match &self.home {
                Some(r) => &r.held,
                None => server(),
            };
            home.give_back(self.area, u64::from(pieces < 0), more.unsigned_abs());
        }
        self.told = bytes;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SessionCounters;

    #[test]
    fn what_is_held_belongs_to_the_session_until_it_is_given_back() {
        let _alone = crate::instruments::switching();
        let area = Memory::HashJoins;
        let (session, r) = (SessionCounters::new(), Arc::new(Recorder::new(7)));
        session.set_recorder(r.clone());
        let all = || server().of(area).unwrap()[1][0];
        let before = all();
        let attached = session.attach();
        let (mut a, mut b) = (Held::new(area), Held::new(area));
        a.set(STEP - 1);
        assert_eq!(r.held.of(area), Some([[0; 3]; 2]), "too little to tell");
        a.set(STEP);
        b.set(10 * STEP);
        a.set(STEP + 5);
        assert_eq!(r.held.of(area), Some([[2, 0, 2], [11 * STEP as i64, 0, 11 * STEP as i64]]));
        drop(attached);
        b.set(3 * STEP);
        assert_eq!(all() - before, 4 * STEP as i64);
        r.held.begin();
        drop((a, b));
        let [pieces, bytes] = r.held.of(area).unwrap();
        assert_eq!((pieces, bytes), ([0, 0, 2], [0, 0, 4 * STEP as i64]));
        assert_eq!(all(), before);
        assert_eq!(r.held.freed.all().get(&(area as u32)), Some(&[2, 11 * STEP as u64]));
        area.instrument().set(false, false);
        let mut off = Held::by(area, r.clone());
        off.set(100 * STEP);
        assert_eq!(off.told(), 0);
        area.instrument().set(true, false);
    }
}
