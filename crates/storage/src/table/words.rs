//! The words of a table's FULLTEXT indexes in memory: what searches use instead of reading the table
//! (docs/decisions/0018-fulltext.md).
//!
//! Nothing of it is on disk. The first search of an index reads the table as of its snapshot and makes a [`Words`] of
//! the rows; searches of younger snapshots go on with it. A `Words` never changes. The clustered keys of rows that
//! somebody changes, or is changing while it is made, are noted beside it (if the texts change): a search takes those
//! rows out of the documents and reads them from the table, in its own snapshot. So it sees what it would see without:
//! the transaction's own changes, nothing that is uncommitted or younger, rows as they are after a rollback.
//!
//! Why no change is missed: a key is noted after its record was changed and before that can be committed, the search
//! takes the noted keys after its snapshot, and the table is read after noting has begun. A change that was made before
//! that and is not committed yet is met by the read: it is not visible, and its key is noted then. That a key is noted
//! though its row is as it was costs time only.
//!
//! When more is noted than a part of the documents, all of it is dropped and made anew; where it was hardly used
//! meanwhile, only after some searches that read the table. Memory: all of them together stay below a limit that the
//! searcher names, the one that was used longest ago goes first; what is too large is not kept. It is the server's
//! memory, not the statement's.
//!
//! # Locks
//! [`KeptWords`]'s list, then a [`Noted`], each for some instructions, with no latch held; the list of all under none
//! of these.
//!
//! # Crash
//! It is gone, and made anew.
//!
//! Tests: `engine/tests/words.rs`, `tests/sql/fulltext_kept_random.py`.

mod make;

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
use std::sync::{Arc, Weak};

use bumpalo::Bump;
use hashbrown::HashSet;
use parking_lot::Mutex;
use value::Value;
use value::fulltext::{Inverted, InvertedBuilder};

use crate::error::Result;
use crate::mvcc;
use crate::row::RowError;
use crate::table::Table;
use crate::txn::{Isolation, Trx};

/// Keys that may be noted while a table is read, and afterwards at least.
const WHILE_READ: usize = 100_000;
const AT_LEAST: usize = 64;
/// Of so many documents one may be changed, and so many of all: each search reads them.
const SHARE: usize = 16;
const MOST: usize = 10_000;
/// Searches that read the table before another try, at most; and after one that was too large.
const LONGEST_PAUSE: u32 = 63;
const TOO_LARGE: u32 = 255;

/// Keys of rows that are not, or may not be, what the documents say.
#[derive(Debug)]
struct Noted {
    keys: HashSet<Box<[u8]>>,
    limit: usize,
    /// There were more.
    over: bool,
}

impl Noted {
    fn add(&mut self, key: &[u8]) {
        if self.over || self.keys.contains(key) {
            return;
        }
        if self.keys.len() >= self.limit {
            self.over = true;
            self.keys = HashSet::new();
        } else {
            self.keys.insert(key.into());
        }
    }
}

type Changed = Arc<Mutex<Noted>>;

/// Clustered keys one after the other.
#[derive(Debug, Default)]
struct Keys {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Keys {
    fn push(&mut self, key: &[u8]) {
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len());
    }

    fn get(&self, n: usize) -> &[u8] {
        let from = n.checked_sub(1).and_then(|p| self.ends.get(p)).copied().unwrap_or(0);
        self.ends.get(n).and_then(|to| self.bytes.get(from..*to)).unwrap_or(&[])
    }

    fn size(&self) -> usize {
        self.bytes.len() + self.ends.len() * size_of::<usize>()
    }
}

/// The rows of a table as documents of one of its FULLTEXT indexes, as of a snapshot.
#[derive(Debug)]
pub struct Words {
    /// The documents, in the order of the clustered index.
    pub index: Inverted,
    keys: Keys,
    /// Number of the snapshot.
    from: u64,
    /// Position of the index in the definition.
    n: usize,
    table: Weak<Table>,
    bytes: usize,
    /// The same as the allocator counted them, by which the statement that made it was relieved.
    told: i64,
    served: AtomicU32,
    used: AtomicU64,
}

impl Words {
    /// Clustered key of a document.
    pub fn key(&self, document: u32) -> &[u8] {
        self.keys.get(document as usize)
    }

    /// The document with this clustered key.
    pub fn find(&self, key: &[u8]) -> Option<u32> {
        let (mut from, mut to) = (0, self.keys.ends.len());
        while from < to {
            let mid = from + (to - from) / 2;
            match self.keys.get(mid).cmp(key) {
                std::cmp::Ordering::Less => from = mid + 1,
                std::cmp::Ordering::Equal => return Some(mid as u32),
                std::cmp::Ordering::Greater => to = mid,
            }
        }
        None
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        // whoever happens to free it does not get room for it
        make::hand_over(-self.told);
    }
}

/// Of one FULLTEXT index.
#[derive(Debug, Default)]
struct Place {
    n: usize,
    changed: Option<Changed>,
    /// None: it is being made.
    words: Option<Arc<Words>>,
    /// Searches until the next try, and how many they were the last time.
    pause: u32,
    last_pause: u32,
}

impl Place {
    /// It is of no use any more.
    fn drop_words(&mut self) {
        self.changed = None;
        let Some(w) = self.words.take() else { return };
        if w.served.load(Ordering::Relaxed) < 2 {
            self.pause_longer();
        } else {
            (self.pause, self.last_pause) = (0, 0);
        }
    }

    fn pause_longer(&mut self) {
        self.last_pause = (self.last_pause * 2 + 1).min(LONGEST_PAUSE);
        self.pause = self.last_pause;
    }
}

/// Part of an opened [`Table`].
#[derive(Debug, Default)]
pub(crate) struct KeptWords {
    on: AtomicBool,
    places: Mutex<Vec<Place>>,
}

impl KeptWords {
    /// Whether anybody wants to know of changes.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.on.load(Ordering::Relaxed)
    }

    /// The record with this clustered key was changed.
    #[inline]
    pub(crate) fn note(&self, key: &[u8]) {
        if self.is_on() {
            self.note_key(key);
        }
    }

    /// The table has another definition now, or is gone.
    pub(crate) fn clear(&self) {
        self.places.lock().clear();
    }

    #[cold]
    fn note_key(&self, key: &[u8]) {
        for p in self.places.lock().iter_mut() {
            let over = p.changed.as_ref().is_some_and(|c| {
                let mut noted = c.lock();
                noted.add(key);
                noted.over
            });
            if over && p.words.is_some() {
                p.drop_words();
            }
        }
    }
}

/// What a search goes on with: the words, and the clustered keys (in order) of the rows that it has to read itself.
pub type Usable = (Arc<Words>, Vec<Box<[u8]>>);

/// All that are kept.
static ALL: Mutex<Vec<Weak<Words>>> = Mutex::new(Vec::new());
static CLOCK: AtomicU64 = AtomicU64::new(0);

/// Whether there is room for so many bytes, after what was used longest ago has gone.
fn make_room(bytes: usize, limit: usize) -> bool {
    loop {
        let mut all: Vec<Arc<Words>> = Vec::new();
        ALL.lock().retain(|w| w.upgrade().map(|w| all.push(w)).is_some());
        let taken: usize = all.iter().map(|w| w.bytes).sum();
        if taken + bytes <= limit {
            return true;
        }
        let oldest = all.iter().min_by_key(|w| w.used.load(Ordering::Relaxed)).cloned();
        drop(all);
        let Some(oldest) = oldest else { return false };
        if let Some(t) = oldest.table.upgrade()
            && let Some(p) = t.words.places.lock().iter_mut().find(|p| p.n == oldest.n)
            && p.words.as_ref().is_some_and(|w| Arc::ptr_eq(w, &oldest))
        {
            p.words = None;
            p.changed = None;
        }
        // a search may still use it, but nobody finds it any more
        ALL.lock().retain(|w| !std::ptr::eq(w.as_ptr(), Arc::as_ptr(&oldest)));
    }
}

impl Trx {
    /// Whether its consistent reads take no locks.
    pub fn reads_unlocked(&self) -> bool {
        self.isolation() != Isolation::Serializable || !self.explicit
    }
}

impl Table {
    /// Whether both versions of a row are there, with the same texts in the columns of FULLTEXT indexes: then it is the
    /// same document. Not if in doubt.
    #[cold]
    pub(crate) fn has_same_texts(&self, old: &[u8], new: &[u8]) -> bool {
        let known = |p: &[u8]| !mvcc::is_deleted(p) && self.former_version(p).is_none();
        let (true, true, Ok(a), Ok(b)) = (known(old), known(new), self.row_of(old), self.row_of(new)) else {
            return false;
        };
        let arena = Bump::new();
        self.def.fulltext.iter().flat_map(|i| &i.columns).all(|c| {
            let c = *c as usize;
            match (a.value(c, &arena), b.value(c, &arena)) {
                (Ok(Value::Null), Ok(Value::Null)) => true,
                (Ok(Value::Str(a)), Ok(Value::Str(b))) => a == b,
                (Err(RowError::External), Err(RowError::External)) => {
                    a.external(c).is_some_and(|x| b.external(c) == Some(x))
                }
                _ => false,
            }
        })
    }

    /// The words of FULLTEXT index `n` for a search by this transaction, if there are some that its snapshot can use.
    pub fn kept_words(&self, n: usize, trx: &mut Trx) -> Option<Usable> {
        if !trx.reads_unlocked() {
            return None;
        }
        let snapshot = trx.snapshot();
        let mut places = self.words.places.lock();
        let p = places.iter_mut().find(|p| p.n == n)?;
        let words = p.words.clone().filter(|w| w.from <= snapshot.no.0)?;
        let mut keys: Vec<Box<[u8]>> = p.changed.as_ref()?.lock().keys.iter().cloned().collect();
        drop(places);
        keys.sort_unstable();
        words.served.fetch_add(1, Ordering::Relaxed);
        words.used.store(CLOCK.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        Some((words, keys))
    }

    /// Makes the words of FULLTEXT index `n` for [`Table::kept_words`], unless that does not pay now or another is at
    /// it. They take `limit` bytes together with those of all tables.
    ///
    /// # Errors
    /// As [`TableCursor::next`].
    pub fn make_words(
        self: &Arc<Self>,
        n: usize,
        trx: &mut Trx,
        builder: impl FnOnce() -> InvertedBuilder,
        limit: usize,
    ) -> Result<()> {
        if !trx.reads_unlocked() {
            return Ok(());
        }
        let Some(changed) = self.begin_words(n) else { return Ok(()) };
        let mut maker = make::Maker::new(self, n, limit);
        let made = maker.make(trx, builder(), &changed);
        if !matches!(made, Ok(Some(_))) {
            maker.tell();
        }
        let mut places = self.words.places.lock();
        let Some(p) = places.iter_mut().find(|p| p.n == n) else { return made.map(drop) };
        let mut noted = changed.lock();
        match made {
            Ok(Some(words)) if !noted.over => {
                noted.limit = AT_LEAST + (words.keys.ends.len() / SHARE).min(MOST);
                p.words = Some(words);
                Ok(())
            }
            made => {
                p.changed = None;
                match made {
                    Ok(None) if !noted.over => p.pause = TOO_LARGE,
                    // others write more than can be noted
                    Ok(_) => p.pause_longer(),
                    Err(_) => {}
                }
                made.map(drop)
            }
        }
    }

    /// Begins to note keys. `None`: it is not the time for it.
    fn begin_words(&self, n: usize) -> Option<Changed> {
        let mut places = self.words.places.lock();
        let at = places.iter().position(|p| p.n == n).unwrap_or_else(|| {
            places.push(Place { n, ..Place::default() });
            places.len() - 1
        });
        let p = places.get_mut(at)?;
        if p.changed.is_some() {
            return None; // another makes them, or they are younger than the snapshot
        }
        if p.pause > 0 {
            p.pause -= 1;
            return None;
        }
        let noted = Noted { keys: HashSet::new(), limit: WHILE_READ, over: false };
        let changed = Arc::new(Mutex::new(noted));
        p.changed = Some(changed.clone());
        self.words.on.store(true, Ordering::SeqCst);
        drop(places);
        // the table is read after this is seen by all
        fence(Ordering::SeqCst);
        Some(changed)
    }
}
