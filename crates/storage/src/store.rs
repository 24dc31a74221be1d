//! [`Store`]: files, log and buffer pool of one data directory, opened together, with the background work on them.
//!
//! Opening recovers (the redo pass; undo is the transaction layer's). [`Store::start_background`] runs the page cleaner and, the log flush every
//! `innodb_flush_log_at_timeout` seconds; tests on the simulated disk run without and call the
//! same steps themselves.

use crate::attached::CommitSink;
use crate::buffer::{BufferPool, PoolConfig, PoolStatus};
use crate::error::{Result, StorageError};
use crate::file::{FileSystem, Files};
use crate::mtr::Mtr;
use crate::page::{FileRec, PAGE_SIZE};
use crate::recovery::{self, RecoveryReport};
use crate::redo::{ForcedBy, Log, LogConfig, Ticket};
use base::{Lsn, SpaceId};
use probe::{Counter, Gauge};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// How to open a store.
#[derive(Clone, Default)]
pub struct StoreConfig {
    /// Buffer pool.
    pub pool: PoolConfig,
    /// Redo log.
    pub log: LogConfig,
    /// `innodb_force_recovery`: from 1 on a damaged log is cut at the damage instead of refused.
    pub force_recovery: u8,
    /// `innodb_open_files`; 0: no limit.
    pub open_files: usize,
    /// Who takes the bytes that travel with commits.
    pub sink: Option<Arc<dyn CommitSink>>,
}

/// Files, log and pool of one data directory.
pub struct Store {
    files: Arc<Files>,
    log: Arc<Log>,
    pool: BufferPool,
    tuning: Tuning,
    pace: parking_lot::Mutex<Pace>,
    backups: parking_lot::RwLock<u32>,
}

/// Settings of the background work that change at run time. Takes effect within a second.
pub struct Tuning {
    flush_timeout_s: AtomicU32,
    max_dirty_millipct: AtomicU32,
    io_capacity: AtomicU64,
    io_capacity_max: AtomicU64,
    fill_factor: AtomicU32,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            flush_timeout_s: AtomicU32::new(1),
            max_dirty_millipct: AtomicU32::new(90_000),
            io_capacity: AtomicU64::new(10_000),
            io_capacity_max: AtomicU64::new(20_000),
            fill_factor: AtomicU32::new(100),
        }
    }
}

impl Tuning {
    /// `innodb_flush_log_at_timeout`, seconds.
    pub fn set_flush_log_at_timeout(&self, seconds: u32) {
        self.flush_timeout_s.store(seconds.max(1), Ordering::Relaxed);
    }

    /// `innodb_max_dirty_pages_pct`: above this share of dirty pages the cleaner writes up to `innodb_io_capacity_max` pages a second.
    pub fn set_max_dirty_pages_pct(&self, pct: f64) {
        self.max_dirty_millipct.store((pct.clamp(0.0, 100.0) * 1000.0) as u32, Ordering::Relaxed);
    }

    /// `innodb_fill_factor`: percent of a leaf that building an index fills.
    pub fn set_fill_factor(&self, pct: u32) {
        self.fill_factor.store(pct.clamp(10, 100), Ordering::Relaxed);
    }

    pub(crate) fn fill_factor(&self) -> usize {
        self.fill_factor.load(Ordering::Relaxed) as usize
    }

    /// `innodb_io_capacity`, pages a second that the cleaner writes at most unless the log or the dirty pages force more, and
    /// `innodb_io_capacity_max`.
    pub fn set_io_capacity(&self, pages: u64, max: u64) {
        self.io_capacity.store(pages, Ordering::Relaxed);
        self.io_capacity_max.store(max.max(pages), Ordering::Relaxed);
    }
}

/// What the cleaner may write by `innodb_io_capacity`, and when it last looked at the share of dirty pages.
#[derive(Default)]
struct Pace {
    filled_ns: u64,
    pages: u64,
    looked_ns: u64,
}

impl Pace {
    /// Pages that may be written now: what a second allows at most, refilled with time.
    fn allowance(&mut self, per_second: u64) -> u64 {
        let now = sys::clock::coarse_ns();
        let more = (now.saturating_sub(self.filled_ns) as u128 * per_second as u128 / 1_000_000_000) as u64;
        if more > 0 {
            self.pages = self.pages.saturating_add(more).min(per_second);
            self.filled_ns = now;
        }
        self.pages
    }

    /// Whether half a second has gone since this last said yes.
    fn is_time_to_look(&mut self) -> bool {
        let now = sys::clock::coarse_ns().max(1);
        let yes = self.looked_ns == 0 || now.saturating_sub(self.looked_ns) > 500_000_000;
        if yes {
            self.looked_ns = now;
        }
        yes
    }
}

impl Store {
    /// Opens (and recovers) or creates.
    pub fn open(fs: Arc<dyn FileSystem>, config: &StoreConfig) -> Result<(Store, RecoveryReport)> {
        recovery::open(fs, config)
    }

    pub(crate) fn from_parts(files: Arc<Files>, log: Arc<Log>, pool: BufferPool) -> Store {
        Store { files, log, pool, tuning: Tuning::default(), pace: Default::default(), backups: Default::default() }
    }

    /// How many backups run: meanwhile no file is cut. Held for reading by who cuts one.
    pub fn backups(&self) -> &parking_lot::RwLock<u32> {
        &self.backups
    }

    /// Settings of the background work.
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// The buffer pool.
    #[inline]
    pub fn pool(&self) -> &BufferPool {
        &self.pool
    }

    /// The log.
    #[inline]
    pub fn log(&self) -> &Arc<Log> {
        &self.log
    }

    /// The tablespace files.
    pub fn files(&self) -> &Arc<Files> {
        &self.files
    }

    /// Begins a mini-transaction: [`Mtr::start`].
    pub fn mtr(&self) -> Result<Mtr<'_>> {
        Mtr::start(self)
    }

    /// Waits until a mini-transaction may start, making room in the log itself when nobody else does.
    pub(crate) fn admit(&self) -> Result<Ticket<'_>> {
        if let Some(t) = self.log.try_admit()? {
            return Ok(t);
        }
        self.admit_slow()
    }

    #[cold]
    fn admit_slow(&self) -> Result<Ticket<'_>> {
        sched::blocking_wait(probe::WaitClass::LogSpace, || self.admit_waiting())
    }

    fn admit_waiting(&self) -> Result<Ticket<'_>> {
        loop {
            if self.log.is_short_of_space() {
                self.make_log_space()?;
            } else {
                // All tickets are out; they come back without waiting for us.
                self.log.wait_for_ticket();
            }
            if let Some(t) = self.log.try_admit()? {
                return Ok(t);
            }
        }
    }

    /// Writes the pages that hold the checkpoint back and moves it on.
    fn make_log_space(&self) -> Result<()> {
        let mut st = self.pool.flusher.lock();
        if !self.log.is_short_of_space() {
            return Ok(()); // somebody else did it while this thread waited for the flusher
        }
        let below = Lsn(self.log.checkpoint_lsn().0 + self.log.capacity() / 4);
        let before = self.log.checkpoint_lsn();
        self.pool.flush_older_in(&mut st, below, usize::MAX)?;
        if self.checkpoint_locked()? == before {
            // the oldest page is latched
            std::thread::sleep(Duration::from_micros(200));
        }
        Ok(())
    }

    /// Moves the checkpoint to the oldest change that is not in the files yet (fuzzy checkpoint). Returns its LSN.
    pub fn checkpoint(&self) -> Result<Lsn> {
        let _one = self.pool.flusher.lock();
        self.checkpoint_locked()
    }

    /// The end of the log is read first, then the frames: a change reserved before that had its bound set before, a later one
    /// lies above. See `docs/format.md`.
    fn checkpoint_locked(&self) -> Result<Lsn> {
        self.log.check_alive()?;
        let end = self.log.current_lsn();
        let lsn = self.pool.oldest_dirty(end);
        self.log.write_checkpoint(lsn)?;
        Ok(self.log.checkpoint_lsn())
    }

    /// Writes everything out and moves the checkpoint to the end: a clean shutdown, or FLUSH TABLES ... FOR EXPORT.
    pub fn flush_and_checkpoint(&self) -> Result<Lsn> {
        self.log.flush_to(self.log.current_lsn(), ForcedBy::Explicit)?;
        self.pool.flush_all()?;
        self.checkpoint()
    }

    /// Creates a tablespace's file and logs that it exists. Returns the LSN to make durable before relying on it.
    pub fn create_space(&self, space: SpaceId) -> Result<Lsn> {
        let mut mtr = Mtr::start(self)?;
        self.files.create(space)?;
        mtr.file_rec(FileRec::Create { space });
        Ok(mtr.commit())
    }

    /// Drops a tablespace: logged, durable, pages forgotten, file removed. Nobody may use it any more. A missing file is no error
    /// (the drop is being repeated after a crash).
    pub fn drop_space(&self, space: SpaceId) -> Result<()> {
        let mut mtr = Mtr::start(self)?;
        mtr.file_rec(FileRec::Delete { space });
        let lsn = mtr.commit();
        self.log.flush_to(lsn, ForcedBy::Explicit)?;
        self.pool.discard_space(space);
        self.files.remove(space)
    }

    /// One step of the page cleaner; `false`: nothing was to do.
    pub fn clean_step(&self) -> Result<bool> {
        self.pool.tick();
        let mut busy = false;
        let want_free = self.pool.wanted_free();
        busy |= self.pool.refill_free(want_free) > 0;
        if self.pool.free_count() < want_free {
            busy |= self.pool.flush_victims(want_free)? > 0;
            self.pool.refill_free(want_free);
        }
        // Flush by age so that the log never fills: nothing below 1/8 of the limit, then a share that grows with the age.
        let (age, max) = (self.log.checkpoint_age(), self.log.max_age());
        if age > max / 8 {
            let allowed = self.pace.lock().allowance(self.tuning.io_capacity.load(Ordering::Relaxed));
            let pages = if age > max / 4 * 3 { u64::MAX } else { (64 + age * 1024 / max).min(allowed) };
            let below = Lsn(self.log.checkpoint_lsn().0 + age / 4 * 3);
            let done = self.pool.flush_older(below, pages.min(usize::MAX as u64) as usize)?;
            self.pace.lock().pages = allowed.saturating_sub(done as u64);
            busy |= done > 0;
            self.checkpoint()?;
        }
        if self.pace.lock().is_time_to_look() {
            busy |= self.clean_by_share()? > 0;
        }
        Ok(busy)
    }

    /// Status variables of pool and log; the cleaner sets them twice a second.
    fn set_gauges(&self, st: &PoolStatus) {
        let (data, log) = (st.frames.saturating_sub(st.free), &self.log);
        let pages = |n: usize| n as i64;
        let bytes = |n: usize| n as i64 * PAGE_SIZE as i64;
        for (gauge, value) in [
            (Gauge::PoolPagesTotal, pages(st.frames)),
            (Gauge::PoolPagesFree, pages(st.free)),
            (Gauge::PoolPagesData, pages(data)),
            (Gauge::PoolPagesDirty, pages(st.dirty)),
            (Gauge::PoolPagesOld, pages(st.old)),
            (Gauge::PoolBytesData, bytes(data)),
            (Gauge::PoolBytesDirty, bytes(st.dirty)),
            (Gauge::PageSize, PAGE_SIZE as i64),
            (Gauge::RedoCapacity, log.capacity() as i64),
            (Gauge::RedoCurrentLsn, log.current_lsn().0 as i64),
            (Gauge::RedoFlushedLsn, log.flushed_lsn().0 as i64),
            (Gauge::RedoCheckpointLsn, log.checkpoint_lsn().0 as i64),
            (Gauge::RedoLogicalSize, log.checkpoint_age() as i64),
            (Gauge::RedoPhysicalSize, log.capacity() as i64),
        ] {
            gauge.set(value);
        }
    }

    /// Writes pages while more are dirty than `innodb_max_dirty_pages_pct` allows. Looks at every frame.
    fn clean_by_share(&self) -> Result<usize> {
        let st = self.pool.status();
        self.set_gauges(&st);
        let allowed = st.frames as u64 * u64::from(self.tuning.max_dirty_millipct.load(Ordering::Relaxed)) / 100_000;
        let over = (st.dirty as u64).saturating_sub(allowed);
        if over == 0 {
            return Ok(0);
        }
        let max = self.tuning.io_capacity_max.load(Ordering::Relaxed) / 2; // called twice a second
        self.pool.flush_older(Lsn(self.log.current_lsn().0.saturating_add(1)), over.min(max.max(1)) as usize)
    }

    /// Starts the background threads; they stop when the handle is dropped.
    pub fn start_background(self: &Arc<Self>) -> Result<Background> {
        self.set_gauges(&self.pool.status());
        let stop = Arc::new(AtomicBool::new(false));
        let mut threads = Vec::new();
        let spawn = |name: &str, f: Box<dyn FnOnce() + Send>| {
            std::thread::Builder::new().name(name.into()).spawn(f).map_err(|e| StorageError::from_io("start", name, &e))
        };
        let (s, q) = (self.clone(), stop.clone());
        threads.push(spawn("ib_pg_flush", Box::new(move || cleaner(&s, &q)))?);
        let (s, q) = (self.clone(), stop.clone());
        threads.push(spawn("ib_log_flush", Box::new(move || log_timer(&s, &q)))?);
        let (s, q) = (self.clone(), stop.clone());
        threads.push(spawn("ib_log_flusher", Box::new(move || s.log.serve_tasks(&q)))?);
        let (s, q) = (self.clone(), stop.clone());
        let ahead = move || s.log.write_zeros_ahead(s.log.file().stream(), &q);
        threads.push(spawn("ib_log_files_g", Box::new(ahead))?);
        Ok(Background { stop, threads })
    }
}

fn cleaner(store: &Store, stop: &AtomicBool) {
    store.pool().set_cleaner(std::thread::current());
    let mut idle_rounds = 0u32;
    while !stop.load(Ordering::Acquire) {
        sched::pace();
        match store.clean_step() {
            Ok(true) => {
                idle_rounds = 0;
                continue;
            }
            Ok(false) => {}
            Err(e) => {
                crate::told::tell(&e);
                std::thread::park_timeout(Duration::from_millis(500));
            }
        }
        idle_rounds += 1;
        if idle_rounds.is_multiple_of(100) {
            // Idle: move the checkpoint along so that a restart has little to do.
            let _ = store.pool().flush_older(store.log().current_lsn(), 256).and_then(|_| store.checkpoint());
        }
        std::thread::park_timeout(Duration::from_millis(50));
    }
}

/// Flushes the log every `innodb_flush_log_at_timeout` seconds; notes every second how far it is durable.
fn log_timer(store: &Store, stop: &AtomicBool) {
    let (mut seconds, mut active) = (0, 0);
    while !stop.load(Ordering::Acquire) {
        std::thread::park_timeout(Duration::from_secs(1));
        seconds += 1;
        // what InnoDB's master thread does is done here and in the cleaner
        let now = probe::global(Counter::InnodbActivity);
        probe::inc(if now == active { Counter::InnodbMasterIdleLoops } else { Counter::InnodbMasterActiveLoops });
        active = now;
        store.pool.end_second();
        if seconds >= store.tuning.flush_timeout_s.load(Ordering::Relaxed) {
            seconds = 0;
            if store.log().flushed_lsn() < store.log().current_lsn() {
                let _ = store.log().flush_to(store.log().current_lsn(), ForcedBy::Background);
            }
        }
        let _ = store.log().note_durable();
    }
}

/// The running background threads of a store.
pub struct Background {
    stop: Arc<AtomicBool>,
    threads: Vec<std::thread::JoinHandle<()>>,
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        for t in self.threads.drain(..) {
            t.thread().unpark();
            let _ = t.join();
        }
    }
}
