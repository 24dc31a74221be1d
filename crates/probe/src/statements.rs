//! What statements did, by digest: events_statements_summary_by_digest and its histograms.
//!
//! A thread owns a map from the key of a statement's tokens to a [`Slot`], which it alone writes, with plain loads and
//! stores: a statement runs on one thread from begin to end. The slot also hangs at its [`Digest`], where readers find
//! it and sum: a statement writes no line that another thread writes and takes no lock. (Slots were the sessions' own; a
//! thousand sessions with fifty statements each had 30 MB of them, met cold at every statement.) The registry's lock is
//! taken when a thread meets a digest for the first time, and when it ends (its slots are added to what the digest
//! keeps). TRUNCATE raises the epoch; each thread sees that with its next statement and starts over.
//!
//! Bounds: [`configure`] sets how many digests are kept; what is beyond counts for one digest without text, as in MySQL.
//! A thread's map holds [`OWN`] keys; when it is full the slots are given back and it starts over.
//!
//! Locks: the registry, then one digest's lists; both cold std locks, nothing is taken under the latter. Tested below
//! and by `tests/clients/test_performance_schema.py`.

pub use crate::activity::Activity;
use crate::histogram::{BUCKETS, bucket};
use crate::measures::Run;
pub use crate::measures::{Measure, One, Stats, Totals};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};

/// One thread's statements of one digest.
pub struct Slot {
    digest: Arc<Digest>,
    stats: Stats,
    buckets: [AtomicU32; BUCKETS],
}

impl Slot {
    /// Counts some statements; only the owner may. True: the text of the longest should replace the sample
    /// ([`Digest::sample`]).
    pub(crate) fn add_run(&self, run: &Run, sample_age_us: u64) -> bool {
        self.stats.add_run(run);
        let d = &self.digest;
        run.most > d.sample_ns.load(Relaxed) || run.last_us > d.sample_us.load(Relaxed).saturating_add(sample_age_us)
    }
    /// Their sums other than rows, one by one.
    pub(crate) fn add_rest(&self, one: &One) {
        self.stats.add_rest(one);
    }
    /// And their places in the histogram.
    #[inline(always)]
    pub(crate) fn place(&self, one: &One) {
        if let Some(b) = self.buckets.get(bucket(one.ns)) {
            b.store(b.load(Relaxed).wrapping_add(1), Relaxed);
        }
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

/// Age of a sample that is replaced, microseconds (`performance_schema_max_digest_sample_age`).
static SAMPLE_AGE: AtomicU64 = AtomicU64::new(60_000_000);

/// Sets it, in seconds.
pub fn set_sample_age(seconds: u64) {
    SAMPLE_AGE.store(seconds.saturating_mul(1_000_000), Relaxed);
}

pub(crate) fn sample_age() -> u64 {
    SAMPLE_AGE.load(Relaxed)
}

/// Another number after each TRUNCATE.
#[inline(always)]
pub fn epoch() -> u64 {
    EPOCH.load(Relaxed)
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
const RECENT: usize = 64;

/// A thread's slots. Dropping it hands the counts over.
pub struct ThreadDigests {
    /// Keys met last, by their low bits, with their slots.
    recent: [(u128, Option<Arc<Slot>>); RECENT],
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
            recent: [const { (0, None) }; RECENT],
            map: HashMap::default(),
            by_digest: HashMap::new(),
            slots: Vec::new(),
            epoch: 0,
        }
    }
}

thread_local! {
    static MINE: RefCell<ThreadDigests> = RefCell::default();
}

/// With this thread's slots. `f` must not call it again.
#[inline(always)]
pub fn mine<R>(f: impl FnOnce(&mut ThreadDigests) -> R) -> R {
    MINE.with_borrow_mut(f)
}

impl ThreadDigests {
    /// The slot of a statement by its key, if this thread has met it.
    #[inline(always)]
    pub fn find(&mut self, key: u128) -> Option<&Arc<Slot>> {
        let now = EPOCH.load(Relaxed);
        if self.epoch != now {
            self.start_over();
            self.epoch = now;
        }
        let near = key as usize % RECENT;
        if self.recent.get(near).is_none_or(|(k, _)| *k != key) {
            self.find_in_map(near, key);
        }
        match self.recent.get(near)? {
            (k, slot) if *k == key => slot.as_ref(),
            _ => None,
        }
    }

    #[inline(never)]
    fn find_in_map(&mut self, near: usize, key: u128) {
        if let Some(slot) = self.map.get(&key).and_then(|at| self.slots.get(*at))
            && let Some(r) = self.recent.get_mut(near)
        {
            *r = (key, Some(slot.clone()));
        }
    }

    /// The slot of one that it has not: `make` gives hash and text.
    #[cold]
    pub fn enter(&mut self, key: u128, schema: Option<&str>, make: impl FnOnce() -> (String, String)) -> Arc<Slot> {
        self.place(key, digest(key, schema, make))
    }

    /// The slot of a digest, which the key means from here on.
    fn place(&mut self, key: u128, digest: Arc<Digest>) -> Arc<Slot> {
        if self.map.len() >= OWN {
            self.give_back();
        }
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

    /// The slot of a statement that has ended, perhaps on another thread; `None`: TRUNCATE has taken its digest away.
    pub(crate) fn slot_of(&mut self, key: u128, id: u64) -> Option<Arc<Slot>> {
        if let Some(slot) = self.find(key) {
            return Some(slot.clone());
        }
        let digest = by_key(key).filter(|d| d.id == id).or_else(|| by_id(id))?;
        Some(self.place(key, digest))
    }

    /// Forgets all: the slots that are taken out, for whoever wants their counts.
    fn start_over(&mut self) -> Vec<Arc<Slot>> {
        self.recent = [const { (0, None) }; RECENT];
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
