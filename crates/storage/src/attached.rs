//! Bytes that travel in the redo log with a commit, and where they go: the binary log's side of the engine.
//!
//! A mini-transaction can carry bytes ([`crate::mtr::Mtr::attach`]); with a transaction's COMMIT marker they are
//! durable exactly if the transaction is. Who gets them is a [`CommitSink`]: it names the file and the offset at which
//! they belong, and writes them there after the log is durable. The engine knows nothing of what they mean.
//!
//! # Order
//!
//! [`CommitOrder`] is the mutex under which a place is given, the LSN is reserved and the transaction becomes visible:
//! all three in the same order. It may be taken with page latches held. Under it no page is latched or read; the one
//! wait is for room in the log's buffer, which needs no latch of anybody.
//!
//! # Crash
//!
//! A record names its place, so recovery repeats it: it gives every record since the checkpoint to
//! [`CommitSink::found`], in order, after it has synced the log that it reads from (what is found was then durable,
//! whatever comes next), and calls [`CommitSink::recovered`] before the checkpoint moves. In a running engine no
//! checkpoint passes a record before [`CommitSink::before_checkpoint`] has brought it to its file. What a record needs
//! beside its bytes must stay until [`CommitSink::after_checkpoint`]: recovery may bring the record again, and again if
//! it is itself cut off.
//!
//! A record of a file change stands first in its mini-transaction's body, and so does this one: recovery's scan looks
//! there.
//!
//! Tested in `engine/tests/attached.rs` by power cuts. The decision: docs/decisions/0038.

use crate::error::Result;
use base::Lsn;
use latch::{Mutex, MutexGuard, classes};
use std::sync::{Arc, OnceLock};

/// Most bytes that one mini-transaction carries; it has a COMMIT marker and its frame beside them.
pub const MAX_ATTACHED: usize = 400 << 10;

/// Where attached bytes belong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Number of the file.
    pub file: u32,
    /// Byte in it.
    pub offset: u64,
}

/// Who takes attached bytes to their files.
pub trait CommitSink: Send + Sync {
    /// Gives the bytes their place and completes them: what only the order decides is filled in here. Called under
    /// [`CommitOrder`].
    fn place(&self, bytes: &mut [u8]) -> Place;

    /// The bytes are in the log's buffer: they are durable once the log is up to `end`, and may be written to their
    /// file then, not before. Called under [`CommitOrder`], in order.
    fn logged(&self, place: Place, bytes: &[u8], end: Lsn);

    /// The log is durable up to `lsn`. Called by whoever has synced it, who holds the log's file: nothing is waited
    /// for here.
    fn durable(&self, lsn: Lsn) {
        let _ = lsn;
    }

    /// Everything that was logged below `lsn` gets into its file, synced. The log is durable up to there.
    ///
    /// # Errors
    /// Of the file. The checkpoint does not move then.
    fn before_checkpoint(&self, lsn: Lsn) -> Result<()>;

    /// The checkpoint at `lsn` is durable: no recovery brings records that end there or before again. After recovery
    /// too, whose checkpoint lies behind everything that was found.
    fn after_checkpoint(&self, lsn: Lsn) {
        let _ = lsn;
    }

    /// Recovery found a record that is durable and may not have got into its file. It ends at `end`, as it did when it
    /// was logged: what has been done for good is known by it.
    ///
    /// # Errors
    /// Of the file; the start fails.
    fn found(&self, place: Place, bytes: &[u8], end: Lsn) -> Result<()>;

    /// For views: the file that is being written, the position in it, and the transactions that are in the log, as
    /// MySQL writes them. `None`: bytes go nowhere now.
    ///
    /// # Errors
    /// Of the file.
    fn status(&self) -> Result<Option<(String, u64, String)>> {
        Ok(None)
    }

    /// Recovery has found everything: it gets synced.
    ///
    /// # Errors
    /// Of the file; the start fails.
    fn recovered(&self) -> Result<()>;
}

/// The order of commits, and the sink, if there is one.
pub struct CommitOrder {
    order: Mutex<()>,
    sink: OnceLock<Arc<dyn CommitSink>>,
}

impl Default for CommitOrder {
    fn default() -> CommitOrder {
        CommitOrder { order: Mutex::new(&classes::COMMIT_ORDER, ()), sink: OnceLock::new() }
    }
}

impl CommitOrder {
    /// For a log whose sink is known from the start.
    pub(crate) fn new(sink: Option<Arc<dyn CommitSink>>) -> CommitOrder {
        let order = CommitOrder::default();
        if let Some(sink) = sink {
            let _ = order.sink.set(sink);
        }
        order
    }

    /// The sink.
    pub fn sink(&self) -> Option<&Arc<dyn CommitSink>> {
        self.sink.get()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, ()> {
        self.order.lock()
    }

    /// Everything that had a place or an LSN before this call has been given to [`CommitSink::logged`] and is visible
    /// when it returns.
    pub fn settle(&self) {
        drop(self.order.lock());
    }
}
