//! Events that have ended: `events_*_history` and `_history_long`, and the last one of each session (`_current`).
//!
//! A [`Ring`] keeps the last event of one session and those before it. An event is written once, into an entry that is
//! used again, and stays there: as the session's last one, in its history and, where a long history is on, in that.
//! Then the entries are a [`chunk`](CHUNK) that goes to the [`Long`] history as a whole when it is full, so that a
//! session takes a lock that others take once in [`CHUNK`] events; the history goes on reading the last chunk. Who
//! reads a long history adds what stands in the chunks that sessions still fill.
//!
//! A ring stands behind a mutex that its session takes on a statement's path, and a reader for as long as it copies
//! entries. What the end of a session leaves: its ring goes with it, its unfilled chunk to the long history
//! ([`Ring::leave`]). Tested below and by `tests/clients/test_statement_events.py`.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The entry belongs to its session's history.
pub const KEPT: u8 = 1;
/// It belongs to the long history.
pub const LONG: u8 = 2;

/// Events that go to the long history together.
pub const CHUNK: usize = 64;

/// What a ring holds: something whose memory can be used again.
pub trait Event: Clone + Default + Send + Sync + 'static {
    /// [`KEPT`] and [`LONG`], as the ring has set them.
    fn marks(&mut self) -> &mut u8;
    /// The same, to look at.
    fn marked(&self) -> u8;
    /// Connection id and number.
    fn number(&self) -> (u64, u64);
    /// When it ended; 0: nobody looked at the clock.
    fn ended(&self) -> u64;
    /// It has begun and not ended.
    fn runs(&self) -> bool {
        false
    }
}

/// The last event of a session, and those before that belong to its history. The last one is what the tables of current
/// events show; whether it belongs to the history the consumer decided that was on when it came.
#[derive(Debug)]
#[repr(C)] // what each event needs stands in the first 32 bytes ([`crate::events::Recorder`])
pub struct Ring<E> {
    entries: Vec<E>,
    /// Where the last one is.
    place: u32,
    /// What it belongs to; nothing: the next one takes its place.
    last: u8,
    /// There is a last one, and TRUNCATE has not taken it from the current ones.
    shown: bool,
    /// The entries are a chunk for the long history: those behind the last one are blank.
    chunked: bool,
    /// How many the history keeps.
    size: usize,
    /// The chunk before.
    before: Option<Arc<Vec<E>>>,
}

/// How many entries a ring has at most.
fn most(size: usize, chunked: bool) -> usize {
    if chunked { CHUNK.max(size) } else { size + 1 }
}

impl<E> Default for Ring<E> {
    fn default() -> Ring<E> {
        Ring { entries: Vec::new(), place: 0, last: 0, shown: false, chunked: false, size: 0, before: None }
    }
}

impl<E: Event> Ring<E> {
    /// The entry of the next event, with what an old one has left in it. `size`: of the history; `marks`: what it
    /// belongs to.
    #[inline(always)]
    pub fn next(&mut self, size: usize, marks: u8, long: &Long<E>) -> &mut E {
        self.next_after(size, marks, long, |_| ())
    }

    /// The same; `turning` gets all entries before they are moved or used again.
    #[inline(always)]
    pub(crate) fn next_after(
        &mut self,
        size: usize,
        marks: u8,
        long: &Long<E>,
        turning: impl FnOnce(&mut [E]),
    ) -> &mut E {
        self.place = self.following() as u32;
        if self.last_at() >= self.entries.len() || self.chunked != (marks & LONG != 0) || self.size != size {
            // a chunk that grows keeps what it has
            if !self.chunked || marks & LONG == 0 || self.size != size || self.entries.len() >= most(size, true) {
                turning(&mut self.entries);
            }
            self.turn(size, marks & LONG != 0, long);
        }
        (self.last, self.shown) = (marks, true);
        // there always is one: a place beyond the last has just been filled
        let e = self.at(self.last_at());
        *e.marks() = marks;
        e
    }

    /// Where the next event goes, unless all are used again.
    #[inline(always)]
    pub(crate) fn following(&self) -> usize {
        self.last_at() + usize::from(self.last != 0)
    }

    /// Where the last one is.
    #[inline(always)]
    fn last_at(&self) -> usize {
        self.place as usize
    }

    /// The same of an event that belongs to the history alone, if there is an entry.
    #[inline(always)]
    pub(crate) fn room(&self) -> Option<usize> {
        let at = self.following();
        (at < self.entries.len() && !self.chunked).then_some(at)
    }

    /// The address of the entry of the next event, if none has to be made; of one that is there otherwise.
    #[inline(always)]
    pub(crate) fn upcoming(&self) -> usize {
        let next = self.following();
        let next = if next < self.entries.len() { next } else { 0 };
        self.entries.as_ptr().addr() + next * size_of::<E>()
    }

    /// Makes an entry or uses the oldest again, where [`Ring::room`] has found none: which one.
    pub(crate) fn make_room(&mut self, size: usize, long: &Long<E>) -> usize {
        self.place = self.following() as u32;
        self.turn(size, false, long);
        self.last_at()
    }

    /// The entry at a place that one of these has given is the next event's, which belongs to the history.
    #[inline(always)]
    pub(crate) fn take(&mut self, at: usize) -> &mut E {
        (self.place, self.last, self.shown) = (at as u32, KEPT, true);
        let e = self.at(at);
        *e.marks() = KEPT;
        e
    }

    /// The entry at a place where there is one.
    #[inline(always)]
    #[allow(clippy::indexing_slicing)]
    fn at(&mut self, at: usize) -> &mut E {
        &mut self.entries[at]
    }

    /// The place of the next event is another one than that behind the last.
    #[inline(never)]
    fn turn(&mut self, size: usize, chunked: bool, long: &Long<E>) {
        self.size = size;
        if self.chunked != chunked {
            self.change_over(chunked, long);
        }
        let most = most(size, chunked);
        if self.last_at() < self.entries.len() {
            return;
        }
        if self.entries.len() >= most {
            if !chunked {
                (self.place, self.before) = (0, None);
                return;
            }
            self.hand_over(long);
        }
        let at = self.last_at().min(self.entries.len());
        self.place = at as u32;
        if at == self.entries.len() {
            // a chunk will be full, a short history perhaps
            self.entries.reserve_exact(if chunked { most - at } else { 1 });
            self.entries.push(E::default());
        }
    }

    /// The long history is switched on or off. The place of the next event is known.
    #[cold]
    fn change_over(&mut self, chunked: bool, long: &Long<E>) {
        let written = if self.last == 0 { self.last_at() + 1 } else { self.last_at() };
        if self.chunked {
            self.give_up(written, long);
        } else {
            let first = written.min(self.entries.len());
            self.entries.rotate_left(first);
            // those of a chunk before are still there if the session has left it, or it was switched on and off
            let before = self.before.take();
            let older = before.iter().flat_map(|b| b.iter()).chain(&self.entries);
            let mut all: Vec<E> = older.filter(|e| e.marked() & KEPT != 0).cloned().collect();
            all.drain(..all.len().saturating_sub(self.size));
            self.entries.clear();
            self.before = Some(Arc::new(all));
        }
        (self.place, self.chunked) = (0, chunked);
    }

    /// A full chunk goes to the long history.
    fn hand_over(&mut self, long: &Long<E>) {
        let full = Arc::new(std::mem::take(&mut self.entries));
        self.entries = long.push(full.clone()).unwrap_or_default();
        self.before = Some(full);
        self.place = 0;
    }

    /// A chunk of which so many entries are written goes there. The history goes on with it.
    fn give_up(&mut self, written: usize, long: &Long<E>) {
        self.entries.truncate(written);
        let mut all: Vec<E> = self.before.iter().flat_map(|b| b.iter()).cloned().collect();
        all.drain(..all.len().saturating_sub(self.size));
        all.iter_mut().for_each(|e| *e.marks() &= KEPT);
        all.append(&mut self.entries);
        self.entries = all;
        self.hand_over(long);
        self.entries.clear();
    }

    /// The session ends or becomes another account's: what it has for the long history goes there. A copy of the last
    /// event stays to be shown until the next one.
    pub fn leave(&mut self, long: &Long<E>) {
        if self.chunked {
            let last = self.last().cloned();
            self.give_up(self.last_at() + 1, long);
            (self.last, self.shown, self.chunked) = (0, last.is_some(), false);
            self.entries.extend(last.map(|mut e| {
                *e.marks() = 0;
                e
            }));
        }
    }

    /// The entry that [`Ring::next`] gave last.
    #[inline]
    pub(crate) fn latest(&mut self) -> Option<&mut E> {
        self.entries.get_mut(self.place as usize)
    }

    /// Entries, and the bytes that they have: `of` says what hangs at one.
    pub fn memory(&self, of: impl Fn(&E) -> usize) -> (u64, u64) {
        let hanging: usize = self.entries.iter().map(of).sum();
        (self.entries.len() as u64, (self.entries.capacity() * size_of::<E>() + hanging) as u64)
    }

    /// All entries, in no order.
    pub(crate) fn entries(&mut self) -> &mut [E] {
        &mut self.entries
    }

    /// The last one.
    pub fn last(&self) -> Option<&E> {
        if self.shown { self.entries.get(self.last_at()) } else { None }
    }

    /// The entries that mean something, the oldest first.
    fn in_order(&self) -> impl Iterator<Item = &E> {
        let (new, old) = self.entries.split_at((self.last_at() + 1).min(self.entries.len()));
        let old = if self.chunked { &[][..] } else { old };
        old.iter().chain(new)
    }

    /// The history, the oldest first.
    pub fn all(&self) -> Vec<E> {
        let before = self.before.iter().flat_map(|b| b.iter());
        let all = before.chain(self.in_order()).filter(|e| e.marked() & KEPT != 0 && !e.runs());
        let mut all: Vec<&E> = all.collect();
        all.drain(..all.len().saturating_sub(self.size));
        all.into_iter().cloned().collect()
    }

    /// What belongs to the long history and is not there yet.
    pub fn unfilled(&self) -> Vec<E> {
        self.in_order().filter(|e| self.chunked && e.marked() & LONG != 0 && !e.runs()).cloned().collect()
    }

    /// TRUNCATE of the current events.
    pub fn hide(&mut self) {
        self.shown = false;
    }

    /// TRUNCATE of the history.
    pub fn clear(&mut self) {
        self.forget(KEPT);
        self.before = None;
    }

    /// TRUNCATE of the long history, as far as it stands here.
    pub fn clear_unfilled(&mut self) {
        self.forget(LONG);
    }

    fn forget(&mut self, what: u8) {
        self.entries.iter_mut().for_each(|e| *e.marks() &= !what);
    }
}

/// The last events of all sessions, as far as they have filled chunks.
#[derive(Debug)]
pub struct Long<E> {
    chunks: Mutex<Chunks<E>>,
    size: AtomicUsize,
}

#[derive(Debug)]
struct Chunks<E> {
    /// The oldest first.
    filled: VecDeque<Arc<Vec<E>>>,
    entries: usize,
}

impl<E: Event> Long<E> {
    /// Empty.
    pub const fn new() -> Long<E> {
        let chunks = Chunks { filled: VecDeque::new(), entries: 0 };
        Long { chunks: Mutex::new(chunks), size: AtomicUsize::new(10_000) }
    }

    /// How many it keeps; before the first event.
    pub fn set_size(&self, size: usize) {
        self.size.store(size, Relaxed);
    }

    /// Takes a chunk; gives back one that nobody reads any more, for its memory.
    fn push(&self, chunk: Arc<Vec<E>>) -> Option<Vec<E>> {
        let size = self.size.load(Relaxed);
        let mut all = self.chunks.lock();
        all.entries += chunk.len();
        all.filled.push_back(chunk);
        let mut blank = None;
        while all.filled.front().is_some_and(|oldest| all.entries - oldest.len() >= size) {
            let Some(oldest) = all.filled.pop_front() else { break };
            all.entries -= oldest.len();
            blank = Arc::try_unwrap(oldest).ok().filter(|c| c.len() >= CHUNK).or(blank);
        }
        blank
    }

    /// Entries, and their bytes without what hangs at them.
    pub fn memory(&self) -> (u64, u64) {
        let n = self.chunks.lock().entries;
        (n as u64, (n * size_of::<E>()) as u64)
    }

    /// All, the oldest first, with what sessions have that is not there yet ([`Ring::unfilled`]); events that come
    /// meanwhile may be among them.
    pub fn all(&self, unfilled: impl Iterator<Item = Vec<E>>) -> Vec<E> {
        // what is handed over meanwhile is found twice rather than not at all
        let mut all: Vec<E> = unfilled.flatten().collect();
        let filled = self.chunks.lock().filled.clone();
        let wanted = |e: &&E| e.marked() & LONG != 0 && !e.runs();
        all.extend(filled.iter().flat_map(|c| c.iter()).filter(wanted).cloned());
        all.sort_by_key(E::number);
        all.dedup_by_key(|e| e.number());
        all.sort_by_key(E::ended);
        all.drain(..all.len().saturating_sub(self.size.load(Relaxed)));
        all
    }

    /// TRUNCATE; see [`Ring::clear_unfilled`].
    pub fn clear(&self) {
        *self.chunks.lock() = Chunks { filled: VecDeque::new(), entries: 0 };
    }
}

impl<E: Event> Default for Long<E> {
    fn default() -> Self {
        Long::new()
    }
}
