//! Taking a copy of a running engine, and making a data directory of one (docs/backup.md).
//!
//! [`Backup`] reads: [`Backup::begin`] makes a checkpoint, [`Backup::copy_space`] reads a tablespace's file past the
//! buffer pool, [`Backup::finish`] fixes the end. Meanwhile [`tail`] keeps what the redo log gets. [`target`] writes
//! the same pieces into a new directory, where the engine's own recovery brings them to the end.
//!
//! Why the copy is right: it is what a power cut at the end would have left. A page that is read while it is written
//! does not verify and is read again; one that is read has an LSN below the end, because pages reach their file after
//! their log. Recovery starts at the checkpoint of the beginning, so every change that a page on disk did not have
//! then is in the redo. Files that are made, and go, meanwhile do so in the redo as well.
//!
//! Locks: none of tables, no latch; the flusher's mutex for the checkpoint, the order of commits for a moment at the
//! end. While a backup runs no file is cut ([`Store::backups`]): recovery would look for pages behind its end. A crash
//! leaves the spool file, which the next start removes.
//!
//! Tested: `engine/tests/backup.rs` (copies of an engine at work, on the simulated disk), `tests/backup`.

pub mod pages;
mod tail;
pub mod target;

use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::store::Store;
use base::{Lsn, SpaceId};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use tail::Tail;

/// How long the thread that keeps the redo sleeps when there is none.
const IDLE: Duration = Duration::from_millis(10);

/// Where the copy's recovery starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Start {
    /// The checkpoint: redo is kept from here on.
    pub checkpoint: Lsn,
    /// Where the log of this start of the server begins: older system pages are of another time.
    pub run: Lsn,
}

/// A backup that is being taken. Dropping it ends it and removes its spool.
pub struct Backup {
    engine: Arc<Engine>,
    start: Start,
    tail: Arc<Mutex<Tail>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for Backup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Backup({:?})", self.start)
    }
}

impl Backup {
    /// Makes a checkpoint and keeps the redo from there on.
    ///
    /// # Errors
    /// I/O errors.
    pub fn begin(engine: &Arc<Engine>) -> Result<Backup> {
        let store = engine.store().clone();
        *store.backups().write() += 1;
        let begun = (|| {
            store.pool().flush_older(Lsn(store.log().checkpoint_lsn().0 + store.log().checkpoint_age() / 2), 4096)?;
            let checkpoint = store.checkpoint()?;
            let tail = Arc::new(Mutex::new(Tail::new(&store, checkpoint)?));
            let start = Start { checkpoint, run: store.log().file().run() };
            let stop = Arc::new(AtomicBool::new(false));
            let (mine, told, of) = (tail.clone(), stop.clone(), store.clone());
            let thread = std::thread::Builder::new()
                .name("ib_backup_redo".into())
                .spawn(move || keep(&of, &mine, &told))
                .map_err(|e| StorageError::from_io("start", "ib_backup_redo", &e))?;
            Ok(Backup { engine: engine.clone(), start, tail, stop, thread: Some(thread) })
        })();
        if begun.is_err() {
            *store.backups().write() -= 1;
        }
        begun
    }

    /// Where recovery of the copy starts.
    pub fn start(&self) -> Start {
        self.start
    }

    fn store(&self) -> &Store {
        self.engine.store()
    }

    /// The tablespaces that there are now. One that comes later is made by the redo.
    ///
    /// # Errors
    /// I/O errors.
    pub fn spaces(&self) -> Result<Vec<SpaceId>> {
        self.store().files().spaces()
    }

    /// Reads a tablespace's file: see [`pages::copy`]. Nothing is given of one that is gone meanwhile.
    ///
    /// # Errors
    /// A page that stays damaged, I/O errors, the redo log lost to this backup, what `piece` says.
    pub fn copy_space(
        &self,
        space: SpaceId,
        since: Lsn,
        piece: &mut dyn FnMut(pages::Piece<'_>) -> Result<()>,
    ) -> Result<()> {
        pages::copy(self.store(), space, since, &mut |p| {
            self.tail.lock().check()?;
            piece(p)
        })
    }

    /// Fixes the end and keeps the redo up to there. What `at` reads belongs to that end exactly: it is called under
    /// the order of commits and must wait for nothing.
    ///
    /// # Errors
    /// I/O errors, the redo log lost to this backup.
    pub fn finish<T>(&mut self, at: impl FnOnce() -> T) -> Result<(Lsn, T)> {
        let log = self.store().log().clone();
        let (end, read) = {
            let _order = log.order().lock();
            (log.current_lsn(), at())
        };
        log.flush_to(end, crate::redo::ForcedBy::Explicit)?;
        self.stop_thread();
        let mut tail = self.tail.lock();
        while tail.at() < end {
            tail.step(self.store())?;
        }
        tail.cut(end);
        Ok((end, read))
    }

    /// The redo that was kept, from the checkpoint to the end, in pieces: their LSN and their bytes.
    ///
    /// # Errors
    /// I/O errors, what `piece` says.
    pub fn redo(&self, piece: &mut dyn FnMut(Lsn, &[u8]) -> Result<()>) -> Result<()> {
        self.tail.lock().read(piece)
    }

    fn stop_thread(&mut self) {
        self.stop.store(true, Ordering::Release);
        if let Some(t) = self.thread.take() {
            t.thread().unpark();
            let _ = t.join();
        }
    }
}

impl Drop for Backup {
    fn drop(&mut self) {
        self.stop_thread();
        self.tail.lock().remove(self.store().files().fs().as_ref());
        *self.store().backups().write() -= 1;
    }
}

/// The thread that keeps the redo.
fn keep(store: &Store, tail: &Mutex<Tail>, stop: &AtomicBool) {
    while !stop.load(Ordering::Acquire) {
        let step = tail.lock().step(store);
        match step {
            Ok(true) => {}
            Ok(false) => std::thread::park_timeout(IDLE),
            // the backup looks there before its next piece
            Err(e) => {
                tail.lock().fail(e);
                return;
            }
        }
    }
}
