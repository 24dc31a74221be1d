//! [`Log`]: the files of the binary log, written behind the redo log (docs/binary-log.md, decision 38).
//!
//! * [`names`]: names, index, the note. [`files`]: files on disk. [`set`]: which there are. [`read`]: a file event by
//!   event.
//! * [`spills`]: events of large transactions.
//! * [`sink`]: what the engine calls: places in the order of commits, checkpoints, recovery. [`queue`]: what is not in
//!   its file yet.
//! * [`change`]: rotation, STOP, RESET, purge. [`gtids`]: sets and owners of GTIDs ([`crate::service`]).
//! * [`follow`]: readers that wait for what comes.
//!
//! # Locks
//!
//! `order` (latch class BINLOG, taken under the engine's order of commits) guards where the log ends, the sets of
//! GTIDs and the queue; held for a few instructions. `files` is held during I/O and taken before `order`, never with a
//! latch of the engine but the flusher's (a checkpoint). `written` guards how far readers may read, and who waits
//! there; a leaf. Before all of these: `changes`, held by RESET, a purge and SET gtid_purged, so that each finds the
//! other's record written and not waiting, and `switching`, held while a next file is begun.
//!
//! # Who writes
//!
//! The thread `binlog` takes from the queue what is durable in the redo log. While somebody reads at the end of the
//! log each sync of the redo log wakes it; otherwise it looks every 50 ms, so that a commit costs no system call for
//! it. A checkpoint, and a statement that shows the log, write the same way themselves. If there is no room for a
//! file, the queue keeps what is to be written, checkpoints do not move, and when the redo log is full commits wait and
//! fail. If a file cannot be written for another reason the server ends (`binlog_error_action=ABORT_SERVER`;
//! [`Log::when_it_fails`]), and the next start completes the file from the redo log. Either way nothing is lost.
//!
//! Crash: see docs/binary-log.md. Tested in `log/tests.rs` by power cuts on the simulated disk, by
//! `tests/crash/test_kill_binlog.py` with `kill -9`.

pub mod change;
mod files;
pub mod follow;
mod gtids;
pub mod names;
mod queue;
pub mod read;
mod set;
#[cfg(test)]
mod set_tests;
mod sink;
mod spills;
#[cfg(test)]
mod tests;

pub use follow::Follower;
pub use names::Names;

use crate::dependency::History;
use crate::gtid::{Gtid, GtidSet, Sid};
use crate::semi_sync::SemiSync;
use base::Lsn;
use files::Files;
use hashbrown::HashMap;
use latch::{Mutex, classes};
use names::Note;
use parking_lot::Mutex as Sleeping;
use queue::Queue;
use sched::WaitCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;
use storage::attached::Place;
use storage::engine::Engine;
use storage::error::{Result, StorageError};
use storage::file::FileSystem;

/// How often the queue is looked at while it is not empty and nobody reads.
const LOOK: Duration = Duration::from_millis(50);
/// Bytes in the queue at which a sync of the redo log wakes the writer.
const MANY: usize = 64 << 10;
/// How often expired files are looked for.
const EXPIRY: Duration = Duration::from_secs(60);

/// What the log is opened with.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names of the files and the index.
    pub names: Names,
    /// `server_uuid`.
    pub uuid: Sid,
    /// The server's version, for each file's first event.
    pub version: String,
    /// `server_id`.
    pub server_id: u32,
    /// `max_binlog_size`.
    pub max_size: u64,
    /// `binlog_checksum` is CRC32.
    pub checksum: bool,
}

/// Settings that change at run time.
#[derive(Debug, Default)]
pub struct Settings {
    /// `server_id`.
    pub server_id: AtomicU32,
    /// `max_binlog_size`.
    pub max_size: AtomicU64,
    /// `binlog_expire_logs_seconds`, 0: never; also 0 while `binlog_expire_logs_auto_purge` is off.
    pub expire_seconds: AtomicU64,
    /// `binlog_transaction_dependency_history_size`.
    pub history: AtomicUsize,
}

/// What the order of commits decides.
struct Order {
    /// Where the next event goes.
    at: Place,
    /// Whether events of this file have checksums.
    checksum: bool,
    /// Number of the last transaction in this file.
    sequence: u64,
    /// Who changed what last in this file.
    history: History,
    executed: GtidSet,
    purged: GtidSet,
    /// No number below is free.
    next_gno: u64,
    /// GTIDs of sessions that have not committed yet, with their connections.
    owned: HashMap<Gtid, u64>,
    waiting: Queue,
    /// End of the last record in the redo log.
    last: Lsn,
}

/// How far readers may read.
#[derive(Default)]
struct Written {
    place: Place,
    /// RESET raises it.
    series: u64,
    cells: Vec<Arc<WaitCell>>,
}

/// The binary log of a server.
pub struct Log {
    options: Options,
    /// See [`Settings`].
    pub settings: Settings,
    /// Who waits for replicas.
    pub semi_sync: SemiSync,
    order: Mutex<Order>,
    files: Sleeping<Files>,
    changes: Sleeping<()>,
    switching: Sleeping<()>,
    written: Sleeping<Written>,
    /// Recovery: how far the records of each file reach.
    found: Sleeping<BTreeMap<u32, u64>>,
    /// Whether events of the file that is written have checksums: as `Order::checksum`, for those who need not know
    /// when.
    checksum: AtomicBool,
    /// `binlog_checksum` for the next file.
    next_checksum: AtomicBool,
    /// The redo log is durable up to here, as far as it has said.
    durable: AtomicU64,
    /// Bytes in the queue.
    waiting_bytes: AtomicUsize,
    /// The file is as long as it may be.
    full: AtomicBool,
    /// Readers that wait at the end.
    readers: AtomicUsize,
    /// Which files readers are in, by the reader's number.
    reading: Sleeping<HashMap<u64, u32>>,
    next_reader: AtomicU64,
    next_spill: AtomicU64,
    engine: OnceLock<Weak<Engine>>,
    writer: OnceLock<sched::TaskHandle>,
    /// See [`Log::when_it_fails`].
    fails: OnceLock<Box<dyn Fn() + Send + Sync>>,
    /// STOP is written.
    stopped: AtomicBool,
    /// Waits for GTIDs.
    executed_waits: parking_lot::Condvar,
    executed_mutex: Sleeping<()>,
    executed_waiting: AtomicUsize,
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "binlog::Log({})", self.options.names.base)
    }
}

impl Log {
    /// Before the engine is opened, to be its sink. What a crash has left is brought to the log that was written then,
    /// even if this start's names are others.
    ///
    /// # Errors
    /// Of the file system.
    pub fn open(fs: Arc<dyn FileSystem>, options: Options) -> Result<Arc<Log>> {
        fs.create_dir(spills::SPILLS)?;
        let here = Note { names: options.names.clone(), ..Note::default() };
        let files = Files::open(fs.clone(), Note::read(&*fs)?.unwrap_or(here));
        let order = Order {
            at: Place::default(),
            checksum: options.checksum,
            sequence: 0,
            history: History::default(),
            executed: GtidSet::default(),
            purged: GtidSet::default(),
            next_gno: 1,
            owned: HashMap::new(),
            waiting: Queue::default(),
            last: Lsn(0),
        };
        let settings = Settings {
            server_id: AtomicU32::new(options.server_id),
            max_size: AtomicU64::new(options.max_size),
            expire_seconds: AtomicU64::new(0),
            history: AtomicUsize::new(25_000),
        };
        Ok(Arc::new(Log {
            next_checksum: AtomicBool::new(options.checksum),
            checksum: AtomicBool::new(options.checksum),
            options,
            settings,
            semi_sync: SemiSync::default(),
            order: Mutex::new(&classes::BINLOG, order),
            files: Sleeping::new(files),
            changes: Sleeping::default(),
            switching: Sleeping::default(),
            written: Sleeping::default(),
            found: Sleeping::default(),
            durable: AtomicU64::new(0),
            waiting_bytes: AtomicUsize::new(0),
            full: AtomicBool::new(false),
            readers: AtomicUsize::new(0),
            reading: Sleeping::default(),
            next_reader: AtomicU64::new(1),
            next_spill: AtomicU64::new(1),
            engine: OnceLock::new(),
            writer: OnceLock::new(),
            fails: OnceLock::new(),
            stopped: AtomicBool::new(false),
            executed_waits: parking_lot::Condvar::new(),
            executed_mutex: Sleeping::new(()),
            executed_waiting: AtomicUsize::new(0),
        }))
    }

    /// Whether the data directory has had a log: then it is opened for recovery even where this start has none.
    ///
    /// # Errors
    /// Of the file system.
    pub fn was_there(fs: &dyn FileSystem) -> Result<Option<Names>> {
        Ok(Note::read(fs)?.map(|n| n.names))
    }

    /// Begins the first file of this start, in the engine that has been opened with this sink.
    ///
    /// # Errors
    /// Of files and the redo log.
    pub fn begin(self: &Arc<Log>, engine: &Arc<Engine>) -> Result<()> {
        let _ = self.engine.set(Arc::downgrade(engine));
        {
            let mut files = self.files.lock();
            files.prove(&self.options.names)?;
            let (mut executed, mut purged) = files.gtids()?;
            files.look_for_losses(&mut executed, &mut purged);
            if *files.names() != self.options.names {
                // what the old log has executed is in no file of the new one
                let before = executed;
                files.rename(self.options.names.clone(), before.clone())?;
                files.note.only_here = GtidSet::default();
                (executed, purged) = files.gtids()?;
                let mut only_here = before;
                only_here.remove_all(&executed);
                executed.add_all(&only_here);
                purged.add_all(&only_here);
                files.note.only_here = only_here;
            }
            files.note.write(&*files.fs)?;
            let mut order = self.order.lock();
            order.executed = executed;
            order.purged = purged;
            order.at = Place { file: files.last().unwrap_or(0), offset: 0 };
        }
        self.switch_file(change::Switch::First)?;
        self.catch_up()?;
        Ok(())
    }

    /// Starts the thread that writes.
    ///
    /// # Errors
    /// There can be no thread.
    pub fn start_writer(self: &Arc<Log>, tasks: &sched::Tasks) -> std::io::Result<()> {
        let weak = Arc::downgrade(self);
        let handle = tasks.spawn("binlog", move |ctx| {
            let mut looked = std::time::Instant::now();
            loop {
                let Some(log) = weak.upgrade() else { return };
                let pause = log.work();
                if looked.elapsed() >= EXPIRY {
                    looked = std::time::Instant::now();
                    log.purge_expired();
                }
                drop(log);
                if !ctx.sleep(pause) {
                    return;
                }
            }
        })?;
        let _ = self.writer.set(handle);
        Ok(())
    }

    /// The writer thread's step: how long it may sleep.
    fn work(&self) -> Duration {
        let rotated = self.rotate_if_full();
        let wrote = self.write_up_to(Lsn(self.durable.load(Ordering::Acquire)));
        if let Err(e) = rotated.and(wrote) {
            if !self.failed(&e) {
                let text = format!("Binary log: {e}. What is committed stays in the redo log until it can be written");
                probe::errorlog::say("ERROR", "Server", 10_000, &text);
            }
            return Duration::from_secs(1);
        }
        if self.order.lock().waiting.is_empty() { EXPIRY } else { LOOK }
    }

    /// What ends the server once the files cannot be written any more.
    pub fn when_it_fails(&self, f: impl Fn() + Send + Sync + 'static) {
        let _ = self.fails.set(Box::new(f));
    }

    /// The thread cannot write: whether that ends the server. Without room, or with too many files open, it waits.
    fn failed(&self, e: &StorageError) -> bool {
        let lasts = matches!(e, StorageError::Io { .. }) && !e.is_out_of_descriptors();
        let Some(ends) = self.fails.get().filter(|_| lasts) else { return false };
        let text = format!(
            "Binary logging not possible. Message: An error occurred while writing the binary log: {e}. \
             'binlog_error_action' is set to 'ABORT_SERVER'. Server is being stopped. What is committed is in the redo log \
             and comes into the file at the next start"
        );
        probe::errorlog::say("ERROR", "Server", 10_000, &text);
        ends();
        true
    }

    fn wake_writer(&self) {
        if let Some(w) = self.writer.get() {
            w.wake();
        }
    }

    fn engine(&self) -> Result<Arc<Engine>> {
        self.engine.get().and_then(Weak::upgrade).ok_or(StorageError::NotFound)
    }

    /// Waits until everything that has a place is durable and in its file; where the log ends.
    ///
    /// # Errors
    /// Of the redo log or the files.
    pub fn catch_up(&self) -> Result<Place> {
        self.rotate_if_full()?;
        let (at, last) = self.end();
        self.engine()?.wait_durable(last)?;
        self.write_up_to(last)?;
        Ok(at)
    }

    /// Where the log ends, and where its last record ends in the redo log.
    fn end(&self) -> (Place, Lsn) {
        let order = self.order.lock();
        (order.at, order.last)
    }

    /// Names and sizes of all files, in order.
    ///
    /// # Errors
    /// Of the redo log or the files.
    pub fn list(&self) -> Result<Vec<(String, u64)>> {
        self.write_as_far_as_room()?;
        let files = self.files.lock();
        Ok(files.sizes().into_iter().map(|(n, size)| (files.names().shown(n), size)).collect())
    }

    /// Names of this log.
    pub fn names(&self) -> &Names {
        &self.options.names
    }

    /// The server's UUID in GTIDs.
    pub fn uuid(&self) -> Sid {
        self.options.uuid
    }

    /// The file system that it is on.
    pub fn file_system(&self) -> Arc<dyn FileSystem> {
        self.files.lock().fs.clone()
    }
}
