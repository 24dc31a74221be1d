//! Where counts are kept: one block of plain numbers per thread or session, written by one thread at a time with a load and a store
//! (about 1 ns, no locked instruction, no shared line), summed by whoever asks.
//!
//! A session owns a block and *attaches* it to the thread that runs it; counts made meanwhile go there and nowhere else. Threads
//! without a session count in a block of their own. The server's value of a counter = what ended sessions left + the sum over all
//! blocks. Blocks are never freed but reused, so a reader may look at any of them at any time.
//!
//! Lock: the registry (a cold std mutex, outside the order of latches because nothing is taken under it).

use crate::counters::{Counter, Scope};
use crate::events::Recorder;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

/// What a statement counts in its session, or looks at when it ends (performance_schema): first in a block, side by side. With a thousand sessions in turn
/// each line of a block is a miss.
const HOT: [Counter; 34] = [
    Counter::Questions,
    Counter::ComSelect,
    Counter::ComStmtExecute,
    Counter::InnodbBufferPoolReadRequests,
    Counter::MdlFastPath,
    Counter::HandlerReadKey,
    Counter::TableOpenCacheHits,
    Counter::HandlerCommit,
    Counter::HandlerReadNext,
    Counter::HandlerReadFirst,
    Counter::HandlerReadLast,
    Counter::HandlerReadPrev,
    Counter::HandlerReadRndNext,
    Counter::InnodbRowLockTime,
    Counter::MdlWaitTime,
    Counter::CreatedTmpDiskTables,
    Counter::CreatedTmpTables,
    Counter::SelectFullJoin,
    Counter::SelectFullRangeJoin,
    Counter::SelectRange,
    Counter::SelectRangeCheck,
    Counter::SelectScan,
    Counter::SortMergePasses,
    Counter::SortRange,
    Counter::SortRows,
    Counter::SortScan,
    Counter::ComBegin,
    Counter::ComCommit,
    Counter::ComInsert,
    Counter::ComUpdate,
    Counter::ComDelete,
    Counter::HandlerUpdate,
    Counter::HandlerWrite,
    Counter::RowsNotFound,
];

/// Where each counter stands in a block: those of [`HOT`], then the others in the order of their table.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
const PLACES: [u16; Counter::COUNT] = {
    let mut out = [u16::MAX; Counter::COUNT];
    let (mut i, mut next) = (0, 0);
    while i < HOT.len() {
        assert!(out[HOT[i] as usize] == u16::MAX);
        out[HOT[i] as usize] = next;
        (i, next) = (i + 1, next + 1);
    }
    i = 0;
    while i < out.len() {
        if out[i] == u16::MAX {
            out[i] = next;
            next += 1;
        }
        i += 1;
    }
    out
};

/// The numbers of one thread or session. Aligned so that two blocks never share a cache line (or its prefetched neighbour).
#[repr(align(128))]
struct Block {
    /// By [`PLACES`].
    values: [AtomicU64; Counter::COUNT],
    /// What the session is at ([`crate::stage`]).
    stage: AtomicU64,
    /// The stage is an event, which the next one ends.
    staged: AtomicBool,
    /// Where the session's events go.
    recorder: parking_lot::Mutex<Option<Arc<Recorder>>>,
}

impl Block {
    fn new() -> Block {
        Block {
            values: [const { AtomicU64::new(0) }; Counter::COUNT],
            stage: AtomicU64::new(0),
            staged: AtomicBool::new(false),
            recorder: parking_lot::Mutex::new(None),
        }
    }
    #[inline]
    fn value(&self, c: Counter) -> Option<&AtomicU64> {
        // Both compile to nothing where the counter is known: the enum has exactly COUNT variants.
        self.values.get(usize::from(*PLACES.get(c as usize)?))
    }
    #[inline]
    fn add(&self, c: Counter, n: u64) {
        if let Some(v) = self.value(c) {
            v.store(v.load(Relaxed).wrapping_add(n), Relaxed);
        }
    }
    #[inline]
    fn get(&self, c: Counter) -> u64 {
        self.value(c).map_or(0, |v| v.load(Relaxed))
    }
    /// All in the order of [`Counter::ALL`].
    fn all(&self) -> impl Iterator<Item = u64> + '_ {
        Counter::ALL.iter().map(|c| self.get(*c))
    }
}

struct Registry {
    all: Vec<&'static Block>,
    free: Vec<&'static Block>,
    /// Counts of blocks that were given back.
    retired: Vec<u64>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { all: Vec::new(), free: Vec::new(), retired: Vec::new() });

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(|e| e.into_inner())
}

fn take_block() -> &'static Block {
    let mut r = registry();
    r.free.pop().unwrap_or_else(|| {
        let b: &'static Block = Box::leak(Box::new(Block::new()));
        r.all.push(b);
        b
    })
}

fn give_back(b: &'static Block) {
    let mut r = registry();
    r.retired.resize(Counter::COUNT, 0);
    for (sum, v) in r.retired.iter_mut().zip(b.all()) {
        *sum = sum.wrapping_add(v);
    }
    b.values.iter().for_each(|v| v.store(0, Relaxed));
    b.stage.store(0, Relaxed);
    b.staged.store(false, Relaxed);
    *b.recorder.lock() = None;
    r.free.push(b);
}

/// A thread's own block, given back when the thread ends.
struct Own(&'static Block);

impl Drop for Own {
    fn drop(&mut self) {
        // Destructors that run after this one count into a fresh block that nobody gives back: harmless.
        CURRENT.with(|c| c.set(None));
        give_back(self.0);
    }
}

thread_local! {
    /// Which eights of [`HOT`] this thread has counted in since [`forget_counted`], a bit each.
    static COUNTED: Cell<u32> = const { Cell::new(0) };
    static CURRENT: Cell<Option<&'static Block>> = const { Cell::new(None) };
    static OWN: RefCell<Option<Own>> = const { RefCell::new(None) };
}

#[cold]
fn own_block() -> &'static Block {
    let own = OWN.try_with(|o| o.borrow_mut().get_or_insert_with(|| Own(take_block())).0);
    // A thread that is ending has no own block any more.
    let b = own.unwrap_or_else(|_| take_block());
    CURRENT.with(|c| c.set(Some(b)));
    b
}

/// The bit of a counter in [`COUNTED`]; known to the compiler where the counter is.
#[inline]
fn eight(c: Counter) -> u32 {
    match PLACES.get(c as usize) {
        Some(at) if usize::from(*at) < HOT.len() => 1 << (at / 8),
        _ => 0,
    }
}

const EIGHTHS: usize = HOT.len() / 8 + 1;

/// For each set of eighths of [`HOT`], a bit each, which counters of a list stand in them, a bit for each place in the
/// list. The last eighth is in each if counters of the list stand in none: those count as its.
pub(crate) type Eighths = [u32; 1 << EIGHTHS];

/// See [`Eighths`]; for lists of at most 32.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
pub(crate) const fn by_eighth<const N: usize>(which: &[Counter; N]) -> Eighths {
    let mut out = [0; 1 << EIGHTHS];
    let (mut elsewhere, mut n) = (0, 0);
    while n < N {
        if PLACES[which[n] as usize] as usize >= HOT.len() {
            elsewhere = 1 << (EIGHTHS - 1);
        }
        n += 1;
    }
    let mut set = 0;
    while set < out.len() {
        let with_last = set | elsewhere;
        let mut i = 0;
        while i < N {
            let at = PLACES[which[i] as usize] as usize;
            let eighth = if at < HOT.len() { at / 8 } else { EIGHTHS - 1 };
            if with_last >> eighth & 1 == 1 {
                out[set] |= 1 << i;
            }
            i += 1;
        }
        set += 1;
    }
    out
}

/// Which of a list the attached session may have counted in since [`forget_counted`], a bit each.
#[inline(always)]
pub(crate) fn touched(places: &Eighths) -> u32 {
    let counted = COUNTED.get() as usize % places.len();
    places.get(counted).copied().unwrap_or(0)
}

/// By how much the attached session has counted on since `before`, which follows.
#[inline(always)]
pub(crate) fn grown(c: Counter, before: &mut u64) -> u64 {
    let Some(block) = CURRENT.get() else { return 0 };
    let now = block.get(c);
    now.wrapping_sub(std::mem::replace(before, now))
}

/// Tells what the attached session has counted of these since `before`, which follows: (place in the list, by how
/// much). No lock, no resets. Of those in [`HOT`] it looks only at neighbours of what this thread has counted since
/// [`forget_counted`]: a reader of rows leaves four of five lines alone. `places`: [`by_eighth`] of the list.
#[inline]
pub(crate) fn changed<const N: usize>(
    which: &[Counter; N],
    places: &Eighths,
    before: &mut [u64; N],
    mut each: impl FnMut(usize, u64),
) {
    let Some(block) = CURRENT.get() else { return };
    let mut left = touched(places);
    while left != 0 {
        let i = left.trailing_zeros() as usize;
        left &= left - 1;
        if let (Some(c), Some(old)) = (which.get(i), before.get_mut(i)) {
            let now = block.get(*c);
            if now != *old {
                each(i, now.wrapping_sub(*old));
                *old = now;
            }
        }
    }
}

/// Whether [`changed`] would tell anything.
#[inline]
pub(crate) fn any_changed<const N: usize>(which: &[Counter; N], places: &Eighths, before: &[u64; N]) -> bool {
    let Some(block) = CURRENT.get() else { return false };
    let mut left = touched(places);
    while left != 0 {
        let i = left.trailing_zeros() as usize;
        left &= left - 1;
        if let (Some(c), Some(old)) = (which.get(i), before.get(i))
            && block.get(*c) != *old
        {
            return true;
        }
    }
    false
}

/// What the attached session has counted of these.
pub(crate) fn counts<const N: usize>(which: &[Counter; N]) -> [u64; N] {
    which.map(|c| CURRENT.get().map_or(0, |b| b.get(c)))
}

/// A statement begins: [`changed`] need not look at what nobody counts in from here on.
#[inline]
pub fn forget_counted() {
    COUNTED.set(0);
}

/// Where the stage of the running session lies.
#[inline]
pub(crate) fn stage() -> &'static AtomicU64 {
    &CURRENT.get().unwrap_or_else(own_block).stage
}

/// Whether the stage of the running session is an event.
#[inline]
pub(crate) fn staged() -> bool {
    CURRENT.get().is_some_and(|b| b.staged.load(Relaxed))
}

/// The stage of the running session is an event from here on, or none.
#[inline]
pub(crate) fn set_staged(is: bool) {
    CURRENT.get().into_iter().for_each(|b| b.staged.store(is, Relaxed));
}

/// The running session's stage becomes another one, and at least one of the two is an event.
#[inline(never)]
pub(crate) fn stage_changes(stage: crate::Stage) {
    let now = sys::clock::now_ns();
    set_staged(recorder_or(|r| r.changes_to(stage, now), || false));
}

/// Calls `f` with the recorder of the attached session, if there is one, else `other`. `f` must neither wait nor change
/// the stage.
#[inline]
pub(crate) fn recorder_or<R>(f: impl FnOnce(&Recorder) -> R, other: impl FnOnce() -> R) -> R {
    if let Some(b) = CURRENT.try_with(Cell::get).ok().flatten()
        && let Some(r) = &*b.recorder.lock()
    {
        return f(r);
    }
    other()
}

/// The recorder of the attached session.
pub(crate) fn recorder() -> Option<Arc<Recorder>> {
    CURRENT.try_with(Cell::get).ok().flatten()?.recorder.lock().clone()
}

/// Adds `n`. For [`Scope::Level`] counters see [`sub`].
#[inline]
pub fn add(c: Counter, n: u64) {
    let bit = eight(c);
    if crate::instruments::BUILT && bit != 0 {
        COUNTED.set(COUNTED.get() | bit);
    }
    CURRENT.with(|cur| match cur.get() {
        Some(b) => b.add(c, n),
        None => own_block().add(c, n),
    });
}

/// Adds 1.
#[inline]
pub fn inc(c: Counter) {
    add(c, 1);
}

/// Takes `n` from a [`Scope::Level`] counter (also by another thread than the one that added).
#[inline]
pub fn sub(c: Counter, n: u64) {
    debug_assert!(c.scope() == Scope::Level, "{} only goes up", c.name());
    add(c, n.wrapping_neg());
}

/// The server's value. Levels that are being changed may be off by those changes, never below 0.
pub fn global(c: Counter) -> u64 {
    let r = registry();
    let old = r.retired.get(c as usize).copied().unwrap_or(0);
    clean(c, r.all.iter().fold(old, |sum, b| sum.wrapping_add(b.get(c))))
}

/// All values of the server in the order of [`Counter::ALL`].
pub fn global_all() -> Vec<u64> {
    let r = registry();
    let mut sums = r.retired.clone();
    sums.resize(Counter::COUNT, 0);
    for b in &r.all {
        for (sum, v) in sums.iter_mut().zip(b.all()) {
            *sum = sum.wrapping_add(v);
        }
    }
    drop(r);
    Counter::ALL.iter().zip(sums).map(|(c, v)| clean(*c, v)).collect()
}

fn clean(c: Counter, v: u64) -> u64 {
    if c.scope() == Scope::Level && v > i64::MAX as u64 { 0 } else { v }
}

/// A session's block. Dropping it adds its counts to the server's.
pub struct SessionCounters {
    block: &'static Block,
    /// What the session had counted at FLUSH STATUS or a connection reset.
    base: Mutex<Vec<u64>>,
}

impl Default for SessionCounters {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for SessionCounters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionCounters")
    }
}

impl SessionCounters {
    /// Where those are that nearly every statement counts: address and size.
    pub fn hot(&self) -> (usize, usize) {
        (self.block.values.as_ptr().addr(), HOT.len() * size_of::<AtomicU64>())
    }

    /// All zero.
    pub fn new() -> SessionCounters {
        SessionCounters { block: take_block(), base: Mutex::new(Vec::new()) }
    }

    /// Makes this thread count here until the guard is dropped. A session runs on one thread at a time: two threads attached to the
    /// same block would lose counts.
    pub fn attach(&self) -> Attached {
        Attached { before: CURRENT.with(|c| c.replace(Some(self.block))), _not_send: std::marker::PhantomData }
    }

    /// The session's own value since its start or the last reset; for other than [`Scope::Both`] the server's.
    pub fn get(&self, c: Counter) -> u64 {
        if c.scope() != Scope::Both {
            return global(c);
        }
        let base = self.base.lock().unwrap_or_else(|e| e.into_inner());
        self.block.get(c).wrapping_sub(base.get(c as usize).copied().unwrap_or(0))
    }

    /// Events of whoever is attached go there from now on.
    pub fn set_recorder(&self, recorder: Arc<Recorder>) {
        *self.block.recorder.lock() = Some(recorder);
    }

    /// What the session is at.
    pub fn stage(&self) -> crate::Stage {
        crate::Stage::of(self.block.stage.load(Relaxed))
    }

    /// All of them in the order of [`Counter::ALL`], since the session began.
    pub fn values(&self) -> Vec<u64> {
        self.block.all().collect()
    }

    /// `FLUSH STATUS`: the session begins again at zero; the server's values keep what was counted.
    pub fn reset(&self) {
        let now = self.block.all().collect();
        *self.base.lock().unwrap_or_else(|e| e.into_inner()) = now;
    }
}

impl Drop for SessionCounters {
    fn drop(&mut self) {
        give_back(self.block);
    }
}

/// See [`SessionCounters::attach`].
pub struct Attached {
    before: Option<&'static Block>,
    _not_send: std::marker::PhantomData<*const ()>,
}

impl Drop for Attached {
    fn drop(&mut self) {
        CURRENT.with(|c| c.set(self.before));
    }
}

/// Status names and values for `SHOW GLOBAL STATUS`, counters then gauges.
pub fn status() -> Vec<(&'static str, i64)> {
    let all = global_all();
    let of = |c: Counter| all.get(c as usize).copied().unwrap_or(0);
    let mut rows: Vec<(&'static str, i64)> = Counter::ALL.iter().map(|c| (c.name(), shown(*c, &of) as i64)).collect();
    rows.extend(crate::Gauge::ALL.iter().map(|g| (g.name(), g.get())));
    rows
}

/// What `SHOW SESSION STATUS` shows instead: the session's own counts of what is counted by session.
pub fn session_status(session: &SessionCounters) -> Vec<(&'static str, i64)> {
    let own = Counter::ALL.iter().filter(|c| c.scope() == Scope::Both);
    own.map(|c| (c.name(), shown(*c, &|c| session.get(c)) as i64)).collect()
}

/// A counter's value as it is shown, from sums in the order of [`Counter::ALL`].
pub fn shown_of(c: Counter, sums: &[u64]) -> u64 {
    shown(c, &|c| sums.get(c as usize).copied().unwrap_or(0))
}

/// A counter's value as it is shown. Some are sums of others, so that a statement need not count twice: every command but PING and
/// STATISTICS is a query; every row that a handler reads, writes, changes or deletes is one of InnoDB's, the only engine.
fn shown(c: Counter, of: &dyn Fn(Counter) -> u64) -> u64 {
    use Counter::*;
    let sum = |list: &[Counter]| list.iter().map(|c| of(*c)).sum();
    match c {
        Queries => sum(&[Questions, ComStmtPrepare, ComStmtClose, ComStmtReset, ComStmtSendLongData]),
        InnodbRowsRead => sum(&[
            HandlerReadFirst,
            HandlerReadKey,
            HandlerReadLast,
            HandlerReadNext,
            HandlerReadPrev,
            HandlerReadRndNext,
        ]),
        // Each use of a table by a statement counts as a hit; those that found it closed are no hits. A statement
        // locks what it uses at its beginning and unlocks it at its end.
        TableOpenCacheHits => of(c).saturating_sub(of(OpenedTables)),
        TableOpenCacheMisses => of(OpenedTables),
        HandlerExternalLock => 2 * of(TableOpenCacheHits),
        InnodbRowsInserted => of(HandlerWrite),
        InnodbRowsUpdated => of(HandlerUpdate),
        InnodbRowsDeleted => of(HandlerDelete),
        // counted in microseconds
        InnodbRowLockTime => of(c) / 1000,
        _ => of(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_and_sessions_add_up() {
        let c = Counter::ComDo;
        let start = global(c);
        let threads: Vec<_> = (0..4)
            .map(|_| {
                std::thread::spawn(move || {
                    (0..1000).for_each(|_| inc(c));
                    let s = SessionCounters::new();
                    {
                        let _a = s.attach();
                        add(c, 5);
                        add(Counter::InnodbRowsRead, 3);
                    }
                    inc(c); // not the session's
                    assert_eq!(s.get(c), 5);
                    s.reset();
                    assert_eq!(s.get(c), 0);
                    {
                        let _a = s.attach();
                        inc(c);
                    }
                    assert_eq!(s.get(c), 1);
                    assert!(s.get(Counter::InnodbRowsRead) >= 3, "global scope");
                })
            })
            .collect();
        threads.into_iter().for_each(|t| t.join().unwrap());
        assert_eq!(global(c) - start, 4 * 1007, "what ended threads and sessions counted stays");
    }

    #[test]
    fn what_has_changed_is_found_and_the_rest_left_alone() {
        let which = [Counter::HandlerReadKey, Counter::SelectScan, Counter::SortRows, Counter::InnodbPagesRead];
        let (s, mut before) = (SessionCounters::new(), [0; 4]);
        let _a = s.attach();
        let mut changed = || {
            let mut found = Vec::new();
            super::changed(&which, &by_eighth(&which), &mut before, |i, n| found.push((i, n)));
            forget_counted();
            found
        };
        add(Counter::HandlerReadKey, 2);
        add(Counter::InnodbPagesRead, 1);
        assert_eq!(changed(), [(0, 2), (3, 1)]);
        inc(Counter::SelectScan);
        assert_eq!(changed(), [(1, 1)]);
        add(Counter::SortRows, 7);
        forget_counted();
        assert_eq!(changed(), [], "another thread's, or before the statement: found with the next one there");
        add(Counter::SortRows, 1);
        assert_eq!(changed(), [(2, 8)]);
    }

    #[test]
    fn levels_go_down_elsewhere() {
        let c = Counter::InnodbNumOpenFiles;
        add(c, 3);
        std::thread::spawn(move || sub(c, 2)).join().unwrap();
        assert_eq!(global(c), 1);
        sub(c, 1);
        assert_eq!(global(c), 0);
        sub(c, 1); // a reader between the two halves of a change never sees a huge number
        assert_eq!(global(c), 0);
        add(c, 1);
    }

    #[test]
    fn rows_for_show_status() {
        let s = SessionCounters::new();
        {
            let _a = s.attach();
            [Counter::Questions, Counter::ComStmtPrepare, Counter::InnodbRowLockTime].into_iter().for_each(inc);
        }
        let rows = session_status(&s);
        let value = |name: &str| rows.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
        assert_eq!([value("Com_select"), value("Questions"), value("Queries")], [Some(0), Some(1), Some(2)]);
        assert_eq!([value("Threads_connected"), value("Innodb_row_lock_time")], [None, None], "the server's");
        assert!(status().iter().any(|(n, _)| *n == "Innodb_page_size"));
    }

    /// `cargo test -p probe -- --ignored --nocapture price`
    #[test]
    #[ignore = "a measurement"]
    fn price() {
        let s = SessionCounters::new();
        let _a = s.attach();
        let t = std::time::Instant::now();
        for _ in 0..100_000_000u32 {
            inc(std::hint::black_box(Counter::HandlerReadNext));
        }
        println!("inc: {:.2} ns", t.elapsed().as_nanos() as f64 / 1e8);
    }
}
