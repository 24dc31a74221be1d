//! What statements did: by digest (events_statements_summary_by_digest) and the last one of each session (events_statements_current).
//!
//! A thread owns a map from the key of a statement's tokens to a [`Slot`], which it alone writes, with plain loads and stores: a statement runs on one
//! thread from begin to end. The slot also hangs at its [`Digest`], where readers find it and sum: a statement writes no line that another thread
//! writes and takes no lock. (Slots were the sessions' own; a thousand sessions with fifty statements each had 30 MB of them, met cold at every statement.)
//! The registry's lock is taken when a thread meets a digest for the first time, and when it ends (its slots are added to what the
//! digest keeps). TRUNCATE raises the epoch; each thread sees that with its next statement and starts over.
//!
//! Bounds: [`configure`] sets how many digests are kept; what is beyond counts for one digest without text, as in MySQL. A thread's map
//! holds [`OWN`] keys; when it is full the slots are given back and it starts over.
//!
//! Locks: the registry, then one digest's lists; both cold std locks, nothing is taken under the latter. Tested below and by
//! `tests/clients/test_performance_schema.py`.

use crate::histogram::{BUCKETS, bucket};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};

macro_rules! measures {
    ($($id:ident $doc:literal;)*) => {
        /// What is measured of a statement. Sums, but for the last five.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Measure { $(#[doc = $doc] $id,)* }
        impl Measure {
            /// How many there are.
            pub const COUNT: usize = [$(Measure::$id),*].len();
            /// All of them.
            pub const ALL: &[Measure] = &[$(Measure::$id),*];
        }
    };
}

measures! {
    Count "Statements";
    TimeNs "Time from text to answer, ns";
    LockNs "Time waited for locks, ns";
    Errors "Those that failed";
    Warnings "Warnings";
    RowsAffected "Rows changed";
    RowsSent "Rows sent";
    RowsExamined "Rows read";
    TmpDiskTables "Internal temporary tables that went to disk";
    TmpTables "Internal temporary tables";
    FullJoin "As Select_full_join";
    FullRangeJoin "As Select_full_range_join";
    Range "As Select_range";
    RangeCheck "As Select_range_check";
    Scan "As Select_scan";
    SortMergePasses "As Sort_merge_passes";
    SortRange "As Sort_range";
    SortRows "As Sort_rows";
    SortScan "As Sort_scan";
    NoIndexUsed "Statements that scanned";
    CpuNs "Processor time, ns";
    MinNs "Shortest, ns";
    MaxNs "Longest, ns";
    FirstSeen "Microseconds since 1970 of the first";
    LastSeen "And of the last";
    MaxMemory "The most bytes that one held";
}

/// The measures of one or many statements.
#[derive(Clone, Copy, Debug)]
pub struct Totals([u64; Measure::COUNT]);

impl Default for Totals {
    fn default() -> Totals {
        Totals([0; Measure::COUNT])
    }
}

impl Totals {
    /// A value.
    pub fn get(&self, m: Measure) -> u64 {
        self.0.get(m as usize).copied().unwrap_or(0)
    }
    /// One statement's.
    pub fn only(&mut self, one: &One) {
        self.0 = [0; Measure::COUNT];
        let mut put = |m: usize, n| self.0.get_mut(m).into_iter().for_each(|v| *v = n);
        one.each(&mut put);
        put(Measure::Count as usize, 1);
        put(Measure::TimeNs as usize, one.ns);
        put(Measure::MaxMemory as usize, one.memory);
    }
    /// Adds another's statements to these.
    pub fn merge(&mut self, other: &Totals) {
        if other.get(Measure::Count) == 0 {
            return;
        }
        let first = self.get(Measure::Count) == 0;
        for (i, (a, b)) in self.0.iter_mut().zip(&other.0).enumerate() {
            *a = combine(i, first, *a, *b);
        }
    }
}

#[inline]
fn combine(i: usize, first: bool, a: u64, b: u64) -> u64 {
    const MIN: usize = Measure::MinNs as usize;
    const MAX: usize = Measure::MaxNs as usize;
    const FIRST: usize = Measure::FirstSeen as usize;
    const LAST: usize = Measure::LastSeen as usize;
    const MEMORY: usize = Measure::MaxMemory as usize;
    match i {
        MIN | FIRST => {
            if first {
                b
            } else {
                a.min(b)
            }
        }
        MAX | LAST | MEMORY => a.max(b),
        _ => a.wrapping_add(b),
    }
}

/// What one statement did: rows, and those of the other sums that are not 0, so that a statement clears few words of
/// one that is used again.
#[derive(Clone, Debug, Default)]
pub struct One {
    /// How long, ns.
    pub ns: u64,
    /// When it began, microseconds since 1970.
    pub wall_us: u64,
    /// Rows changed, sent and read.
    pub rows: [u64; 3],
    /// The most bytes that it held.
    pub memory: u64,
    /// Which sums there are besides.
    there: u32,
    values: [u64; Measure::COUNT],
}

/// Where [`One::rows`] belong.
const ROWS: [usize; 3] = [Measure::RowsAffected as usize, Measure::RowsSent as usize, Measure::RowsExamined as usize];

impl One {
    /// A new statement.
    #[inline]
    pub fn begin(&mut self, ns: u64, wall_us: u64, rows: [u64; 3]) {
        (self.ns, self.wall_us, self.rows, self.there) = (ns, wall_us, rows, 0);
    }
    /// Adds to a sum other than rows.
    pub fn add(&mut self, m: Measure, n: u64) {
        if n == 0 {
            return;
        }
        let fresh = !self.has(m);
        if let Some(v) = self.values.get_mut(m as usize) {
            *v = if fresh { n } else { *v + n };
        }
        self.there |= 1 << (m as u32);
    }
    /// Takes off a sum other than rows.
    pub fn take_off(&mut self, m: Measure, n: u64) {
        if self.has(m)
            && let Some(v) = self.values.get_mut(m as usize)
        {
            *v = v.saturating_sub(n);
            if *v == 0 {
                self.there &= !(1 << (m as u32));
            }
        }
    }
    /// Calls `f` with each sum other than rows that is there.
    pub fn each_sum(&self, mut f: impl FnMut(Measure, u64)) {
        for m in Measure::ALL.iter().filter(|m| self.has(**m)) {
            self.values.get(*m as usize).into_iter().for_each(|n| f(*m, *n));
        }
    }
    /// Whether a sum other than rows is there.
    #[inline]
    pub fn has(&self, m: Measure) -> bool {
        self.there >> (m as u32) & 1 == 1
    }
    /// Calls `f` with the place and the value of each sum that is there.
    #[inline(always)]
    fn each(&self, mut f: impl FnMut(usize, u64)) {
        ROWS.iter().zip(&self.rows).for_each(|(i, n)| f(*i, *n));
        let mut left = self.there;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            self.values.get(i).into_iter().for_each(|n| f(i, *n));
        }
    }
}

/// [`Totals`] that one thread writes and any may read.
#[derive(Debug)]
pub struct Stats([AtomicU64; Measure::COUNT]);

impl Default for Stats {
    fn default() -> Stats {
        Stats([const { AtomicU64::new(0) }; Measure::COUNT])
    }
}

impl Stats {
    #[inline]
    fn bump(&self, m: usize, n: u64) {
        if let Some(v) = self.0.get(m) {
            v.store(v.load(Relaxed).wrapping_add(n), Relaxed);
        }
    }
    #[inline]
    fn put(&self, m: Measure, n: u64) {
        if let Some(v) = self.0.get(m as usize) {
            v.store(n, Relaxed);
        }
    }
    #[inline]
    fn get(&self, m: Measure) -> u64 {
        self.0.get(m as usize).map_or(0, |v| v.load(Relaxed))
    }
    /// Adds one statement; only the owner may.
    #[inline]
    pub fn add(&self, one: &One) {
        let before = self.get(Measure::Count);
        let least = if before == 0 { u64::MAX } else { self.get(Measure::MinNs) };
        if before == 0 {
            self.put(Measure::FirstSeen, one.wall_us);
        }
        self.put(Measure::Count, before + 1);
        self.bump(Measure::TimeNs as usize, one.ns);
        if one.ns < least {
            self.put(Measure::MinNs, one.ns);
        }
        if one.ns > self.get(Measure::MaxNs) {
            self.put(Measure::MaxNs, one.ns);
        }
        self.put(Measure::LastSeen, one.wall_us);
        if one.memory > self.get(Measure::MaxMemory) {
            self.put(Measure::MaxMemory, one.memory);
        }
        one.each(|i, n| self.bump(i, n));
    }
    /// Adds `n` of `ns` each that did nothing but take their time; only the owner may.
    pub fn add_plain(&self, n: u64, ns: u64, wall_us: u64) {
        let before = self.get(Measure::Count);
        if before == 0 {
            self.put(Measure::FirstSeen, wall_us);
        }
        if before == 0 || ns < self.get(Measure::MinNs) {
            self.put(Measure::MinNs, ns);
        }
        if ns > self.get(Measure::MaxNs) {
            self.put(Measure::MaxNs, ns);
        }
        self.put(Measure::Count, before + n);
        self.bump(Measure::TimeNs as usize, ns * n);
        self.put(Measure::LastSeen, wall_us);
    }
    /// The values now.
    pub fn totals(&self) -> Totals {
        let mut t = Totals::default();
        t.0.iter_mut().zip(&self.0).for_each(|(to, from)| *to = from.load(Relaxed));
        t
    }
}

/// One thread's statements of one digest.
pub struct Slot {
    digest: Arc<Digest>,
    stats: Stats,
    buckets: [AtomicU32; BUCKETS],
}

impl Slot {
    /// Counts a statement; only the owner may. True: its text should replace the sample ([`Digest::sample`]).
    #[inline]
    pub fn record(&self, one: &One, sample_age_us: u64) -> bool {
        self.stats.add(one);
        if let Some(b) = self.buckets.get(bucket(one.ns)) {
            b.store(b.load(Relaxed).wrapping_add(1), Relaxed);
        }
        let d = &self.digest;
        one.ns > d.sample_ns.load(Relaxed) || one.wall_us > d.sample_us.load(Relaxed).saturating_add(sample_age_us)
    }
    /// What it counts for.
    pub fn digest(&self) -> &Arc<Digest> {
        &self.digest
    }
}

#[derive(Default)]
struct Kept {
    live: Vec<Arc<Slot>>,
    totals: Totals,
    buckets: Vec<u64>,
    sample: Vec<u8>,
}

/// A kind of statement: its normalised text in one default schema.
pub struct Digest {
    /// Number, from 1.
    pub id: u64,
    /// Default schema.
    pub schema: Option<String>,
    /// SHA-256 of the text in hex, and the text; `None` for what the table had no room for.
    pub text: Option<(String, String)>,
    sample_ns: AtomicU64,
    sample_us: AtomicU64,
    kept: Mutex<Kept>,
}

impl Digest {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// Keeps this text as the sample.
    #[cold]
    pub fn sample(&self, text: &[u8], one: &One) {
        self.sample_ns.store(one.ns, Relaxed);
        self.sample_us.store(one.wall_us, Relaxed);
        let kept = &mut self.kept().sample;
        kept.clear();
        kept.extend_from_slice(text);
    }
    /// Sums of all threads, those gone included.
    pub fn totals(&self) -> Totals {
        let kept = self.kept();
        let mut t = kept.totals;
        kept.live.iter().for_each(|s| t.merge(&s.stats.totals()));
        t
    }
    /// Statements per bucket.
    pub fn histogram(&self) -> Vec<u64> {
        let kept = self.kept();
        let mut h = kept.buckets.clone();
        h.resize(BUCKETS, 0);
        for s in &kept.live {
            h.iter_mut().zip(&s.buckets).for_each(|(to, from)| *to += u64::from(from.load(Relaxed)));
        }
        h
    }
    /// The sample: text, microseconds since 1970, duration in ns.
    pub fn sampled(&self) -> (Vec<u8>, u64, u64) {
        let text = self.kept().sample.clone();
        (text, self.sample_us.load(Relaxed), self.sample_ns.load(Relaxed))
    }
}

type Schemas = HashMap<(Option<String>, String), Arc<Digest>>;

#[derive(Default)]
struct Registry {
    by_hash: Schemas,
    by_key: HashMap<u128, Arc<Digest>>,
    /// For what the table has no room for.
    other: Option<Arc<Digest>>,
}

static REGISTRY: RwLock<Option<Registry>> = RwLock::new(None);
/// Raised by TRUNCATE.
static EPOCH: AtomicU64 = AtomicU64::new(1);
static LIMIT: AtomicUsize = AtomicUsize::new(10_000);
static LOST: AtomicU64 = AtomicU64::new(0);
static LAST_ID: AtomicU64 = AtomicU64::new(0);

/// Sets how many digests are kept (`performance_schema_digests_size`).
pub fn configure(digests: usize) {
    LIMIT.store(digests, Relaxed);
}

/// Statements that found no room (status Performance_schema_digest_lost).
pub fn lost() -> u64 {
    LOST.load(Relaxed)
}

/// All digests, in the order in which they were first seen.
pub fn all() -> Vec<Arc<Digest>> {
    let r = REGISTRY.read().unwrap_or_else(|e| e.into_inner());
    let Some(r) = r.as_ref() else { return Vec::new() };
    let mut out: Vec<_> = r.by_hash.values().chain(&r.other).cloned().collect();
    out.sort_by_key(|d| d.id);
    out
}

/// The digest of a statement's key, if anybody has met it since the last TRUNCATE.
pub fn by_key(key: u128) -> Option<Arc<Digest>> {
    let r = REGISTRY.read().unwrap_or_else(|e| e.into_inner());
    r.as_ref()?.by_key.get(&key).cloned()
}

/// The digest with this number, if it is still kept.
pub fn by_id(id: u64) -> Option<Arc<Digest>> {
    let r = REGISTRY.read().unwrap_or_else(|e| e.into_inner());
    let r = r.as_ref()?;
    r.by_hash.values().chain(&r.other).find(|d| d.id == id).cloned()
}

/// Slots of all threads, and the bytes of digests and slots.
pub fn memory() -> (u64, u64) {
    let text = |d: &Digest| d.text.as_ref().map_or(0, |(hash, text)| hash.len() + text.len());
    all().iter().fold((0, 0), |(n, bytes), d| {
        let slots = d.kept().live.len();
        (n + slots as u64, bytes + (size_of::<Digest>() + text(d) + slots * size_of::<Slot>()) as u64)
    })
}

/// Forgets all (TRUNCATE).
pub fn truncate() {
    *REGISTRY.write().unwrap_or_else(|e| e.into_inner()) = None;
    LOST.store(0, Relaxed);
    EPOCH.fetch_add(1, Relaxed);
}

fn new_digest(schema: Option<&str>, text: Option<(String, String)>) -> Arc<Digest> {
    Arc::new(Digest {
        id: LAST_ID.fetch_add(1, Relaxed) + 1,
        schema: schema.map(str::to_owned),
        text,
        sample_ns: AtomicU64::new(0),
        sample_us: AtomicU64::new(0),
        kept: Mutex::default(),
    })
}

/// The digest of a key, made by `make` (hash, text) if nobody had it.
fn digest(key: u128, schema: Option<&str>, make: impl FnOnce() -> (String, String)) -> Arc<Digest> {
    if let Some(r) = REGISTRY.read().unwrap_or_else(|e| e.into_inner()).as_ref()
        && let Some(d) = r.by_key.get(&key)
    {
        return d.clone();
    }
    let (hash, text) = make();
    let mut guard = REGISTRY.write().unwrap_or_else(|e| e.into_inner());
    let r = guard.get_or_insert_default();
    let limit = LIMIT.load(Relaxed);
    let name = (schema.map(str::to_owned), hash);
    let d = match r.by_hash.get(&name) {
        Some(d) => d.clone(),
        None if r.by_hash.len() >= limit => {
            LOST.fetch_add(1, Relaxed);
            let d = r.other.clone().unwrap_or_else(|| new_digest(None, None));
            return r.other.insert(d).clone();
        }
        None => {
            let d = new_digest(schema, Some((name.1.clone(), text)));
            r.by_hash.insert(name, d.clone());
            d
        }
    };
    // many keys may lead to one digest (lists of different lengths)
    if r.by_key.len() >= limit.saturating_mul(4) {
        r.by_key.clear();
    }
    r.by_key.insert(key, d.clone());
    d
}

/// Keys are hashes already.
#[derive(Default)]
pub struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.0 = self.0.rotate_left(8) ^ u64::from(*b));
    }
    fn write_u128(&mut self, i: u128) {
        self.0 = i as u64;
    }
}

/// Keys of a thread's map.
pub const OWN: usize = 4096;

/// Keys that a thread finds without its map.
const RECENT: usize = 32;

/// A thread's slots. Dropping it hands the counts over.
pub struct ThreadDigests {
    /// Keys met last, by their low bits, with their places in `slots`.
    recent: [(u128, usize); RECENT],
    /// Places in `slots`.
    map: HashMap<u128, usize, BuildHasherDefault<Identity>>,
    /// The same by [`Digest::id`]: many keys may lead to one.
    by_digest: HashMap<u64, usize>,
    slots: Vec<Arc<Slot>>,
    epoch: u64,
}

impl Default for ThreadDigests {
    fn default() -> ThreadDigests {
        ThreadDigests {
            recent: [(0, usize::MAX); RECENT],
            map: HashMap::default(),
            by_digest: HashMap::new(),
            slots: Vec::new(),
            epoch: 0,
        }
    }
}

thread_local! {
    static MINE: RefCell<ThreadDigests> = RefCell::default();
    /// Another one for each thread, and whenever it gives its slots back.
    static GENERATION: Cell<u64> = const { Cell::new(0) };
}

/// The slot that a session counted in last, which it finds without its thread's map.
#[derive(Default)]
pub struct LastSlot {
    key: u128,
    /// The thread's slots then, and the epoch: [`LastSlot::get`].
    generation: u64,
    epoch: u64,
    slot: Option<Arc<Slot>>,
}

impl LastSlot {
    /// The slot of a key, if it was the last one and is the running thread's.
    #[inline]
    pub fn get(&self, key: u128) -> Option<&Arc<Slot>> {
        let same = self.key == key && self.generation == GENERATION.get() && self.epoch == EPOCH.load(Relaxed);
        self.slot.as_ref().filter(|_| same)
    }

    /// The slot that the running thread has found for a key.
    pub fn set(&mut self, key: u128, slot: &Arc<Slot>) {
        (self.key, self.slot) = (key, Some(slot.clone()));
        (self.generation, self.epoch) = (GENERATION.get(), EPOCH.load(Relaxed));
    }
}

/// With this thread's slots. `f` must not call it again.
#[inline]
pub fn mine<R>(f: impl FnOnce(&mut ThreadDigests) -> R) -> R {
    MINE.with_borrow_mut(f)
}

impl ThreadDigests {
    /// The slot of a statement by its key, if this thread has met it.
    #[inline]
    pub fn find(&mut self, key: u128) -> Option<&Arc<Slot>> {
        let now = EPOCH.load(Relaxed);
        if self.epoch != now {
            self.start_over();
            self.epoch = now;
        }
        let (known, at) = *self.recent.get(key as usize % RECENT)?;
        let at = if known == key { at } else { self.find_in_map(key)? };
        self.slots.get(at)
    }

    fn find_in_map(&mut self, key: u128) -> Option<usize> {
        let at = *self.map.get(&key)?;
        self.recent.get_mut(key as usize % RECENT).into_iter().for_each(|r| *r = (key, at));
        Some(at)
    }

    /// The slot of one that it has not: `make` gives hash and text.
    #[cold]
    pub fn enter(&mut self, key: u128, schema: Option<&str>, make: impl FnOnce() -> (String, String)) -> Arc<Slot> {
        if self.map.len() >= OWN {
            self.give_back();
        }
        let digest = digest(key, schema, make);
        // another key of this thread may lead to the same digest
        if let Some((at, slot)) = self.by_digest.get(&digest.id).and_then(|at| Some((*at, self.slots.get(*at)?))) {
            self.map.insert(key, at);
            return slot.clone();
        }
        let buckets = [const { AtomicU32::new(0) }; BUCKETS];
        let slot = Arc::new(Slot { digest: digest.clone(), stats: Stats::default(), buckets });
        digest.kept().live.push(slot.clone());
        self.map.insert(key, self.slots.len());
        self.by_digest.insert(digest.id, self.slots.len());
        self.slots.push(slot.clone());
        slot
    }

    /// Forgets all: the slots that are taken out, for whoever wants their counts.
    fn start_over(&mut self) -> Vec<Arc<Slot>> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        GENERATION.set(LAST.fetch_add(1, Relaxed) + 1);
        self.recent = [(0, usize::MAX); RECENT];
        self.map.clear();
        self.by_digest.clear();
        std::mem::take(&mut self.slots)
    }

    fn give_back(&mut self) {
        for slot in self.start_over() {
            let kept = &mut *slot.digest.kept();
            kept.live.retain(|s| !Arc::ptr_eq(s, &slot));
            kept.totals.merge(&slot.stats.totals());
            kept.buckets.resize(BUCKETS, 0);
            kept.buckets.iter_mut().zip(&slot.buckets).for_each(|(to, n)| *to += u64::from(n.load(Relaxed)));
        }
    }
}

impl Drop for ThreadDigests {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// The running or last statement of a session, for others to look at. Each value is true, together they may be of two statements.
#[derive(Debug, Default)]
pub struct Activity {
    /// The number of the running or last statement; 0 = none ran.
    pub event: AtomicU64,
    /// Its instrument ([`crate::instruments::Instrument::number`]) as far as it is known.
    pub kind: AtomicU32,
    /// The key of its digest, both halves ([`by_key`]).
    pub key: [AtomicU64; 2],
    /// Begin and end on `sys::clock::now_ns`'s scale; end 0 while it runs.
    pub times: [AtomicU64; 2],
    /// When the running command began, until a statement has taken it; 0 = nobody needs to read a clock for it.
    pub command_ns: AtomicU64,
    /// When the last statement of the running command ended; 0 = none did.
    pub ended_ns: AtomicU64,
    /// Since when it waits for a command.
    pub idle_since: AtomicU64,
    /// What is kept of it once it has ended, and of those before.
    pub recorder: Arc<crate::events::Recorder>,
}

impl Activity {
    /// The digest of the running or last statement, if it is known.
    pub fn digest(&self) -> Option<Arc<Digest>> {
        let [high, low] = self.key.each_ref().map(|k| u128::from(k.load(Relaxed)));
        by_key(high << 64 | low)
    }

    /// A statement of this key begins.
    #[inline]
    pub fn set_key(&self, key: u128) {
        let [high, low] = &self.key;
        high.store((key >> 64) as u64, Relaxed);
        low.store(key as u64, Relaxed);
    }

    /// Of a connection.
    pub fn new(connection: u64) -> Activity {
        Activity { recorder: Arc::new(crate::events::Recorder::new(connection)), ..Activity::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(ns: u64) -> One {
        let mut one = One::default();
        one.begin(ns, 1, [0, 2, 0]);
        one
    }

    #[test]
    fn counts_survive_their_thread_and_not_truncate() {
        let make = || ("h".to_owned(), "SELECT ?".to_owned());
        let (mut a, mut b) = (ThreadDigests::default(), ThreadDigests::default());
        assert!(a.find(1).is_none());
        a.enter(1, Some("d"), make).record(&one(5000), 0);
        a.enter(2, Some("d"), make).record(&one(1000), 0);
        b.enter(1, Some("d"), || unreachable!()).record(&one(9000), 0);
        let sum = || {
            let d = all().into_iter().find(|d| d.text.as_ref().is_some_and(|t| t.0 == "h")).unwrap();
            let t = d.totals();
            (t.get(Measure::Count), t.get(Measure::TimeNs), t.get(Measure::MinNs), t.get(Measure::MaxNs))
        };
        assert_eq!(sum(), (3, 15000, 1000, 9000));
        let mut last = LastSlot::default();
        assert!(last.get(0).is_none());
        last.set(1, a.find(1).unwrap());
        assert!(last.get(1).is_some() && last.get(2).is_none());
        assert!(std::thread::scope(|s| s.spawn(|| last.get(1).is_none()).join().unwrap()), "another thread's");
        drop(a);
        assert!(last.get(1).is_none(), "given back");
        assert_eq!(sum(), (3, 15000, 1000, 9000));
        truncate();
        assert!(all().is_empty() && b.find(1).is_none());
    }
}
