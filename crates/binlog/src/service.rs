//! What sessions ask of the log, beside the bytes that travel with their commits ([`transaction`](crate::transaction)).
//!
//! A *piece* is what a commit takes along: whole events without positions and checksums. Its first event is GTID or
//! ANONYMOUS_GTID. The log fills in what only the order of commits decides: the number of a GTID event whose number is
//! 0, `last_committed`, `sequence_number`, positions, checksums. A transaction too large for the redo log is written
//! into a file of its own first (a spill): its piece is the GTID event and [`crate::transaction::spilled`].
//!
//! Rule: the methods may be called with metadata locks held, never with a latch. A session reads `checksum` and
//! `gtid_mode` while it holds the metadata lock COMMIT shared, and until its piece has a place; who changes one of them
//! holds that lock exclusively.

use crate::gtid::{Gtid, GtidSet, Sid};
use std::fs::File;
use std::time::Instant;

/// Answer to a session that wants to commit under a certain GTID.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Own {
    /// It is the session's until it commits or releases it.
    Owned,
    /// A transaction has had it: what follows is passed over.
    Executed,
    /// Another session holds it.
    Busy,
}

/// The log as sessions see it.
pub trait BinaryLog: Send + Sync {
    /// Whether events of the file that is being written have checksums (`binlog_checksum`).
    fn checksum(&self) -> bool;

    /// A new, empty file for the events of a large transaction, and its number.
    ///
    /// # Errors
    /// Of the file system.
    fn create_spill(&self) -> std::io::Result<(u64, File)>;

    /// The transaction that has written this file is rolled back, or was small after all.
    fn remove_spill(&self, number: u64);

    /// `gtid_executed`.
    fn gtid_executed(&self) -> GtidSet;

    /// `gtid_purged`.
    fn gtid_purged(&self) -> GtidSet;

    /// `gtid_owned`: GTIDs with the connections that hold them.
    fn gtid_owned(&self) -> Vec<(Gtid, u64)>;

    /// `SET gtid_next = 'UUID:NUMBER'`.
    fn own(&self, gtid: Gtid, connection: u64) -> Own;

    /// The first GTID with this UUID that nobody has, for this connection.
    fn own_next(&self, sid: Sid, connection: u64) -> Gtid {
        let executed = self.gtid_executed();
        let mut from = 1;
        loop {
            let gtid = Gtid { sid, gno: executed.first_free(sid, from) };
            match self.own(gtid, connection) {
                Own::Owned => return gtid,
                Own::Executed | Own::Busy => from = gtid.gno + 1,
            }
        }
    }

    /// The session does not commit under it after all.
    fn release(&self, gtid: Gtid);

    /// Waits until all of `set` is executed; false: the deadline came first, or `stop` said so.
    fn wait_executed(&self, set: &GtidSet, deadline: Option<Instant>, stop: &dyn Fn() -> bool) -> bool;

    /// `SET GLOBAL gtid_purged`: these count as executed and purged; the rest of `gtid_purged` stays.
    ///
    /// # Errors
    /// Of the file system.
    fn add_purged(&self, set: &GtidSet) -> std::io::Result<()>;
}
