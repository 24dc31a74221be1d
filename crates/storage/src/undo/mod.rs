//! Undo: how to take back what a transaction wrote, and how to rebuild what a row was before.
//!
//! * [`record`]: undo records as bytes.
//! * [`log`]: [`UndoLog`], the slot of one writing transaction.
//! * [`pool`]: [`UndoPool`], the slots, the undo tablespace's directory, purge's queue.
//! * `shrink`: the file gets shorter again after large transactions.
//!
//! # Slots
//!
//! The undo tablespace (space 2) holds *slots*: chains of undo pages linked by their NEXT and PREV fields. A transaction
//! takes a slot at its first write (last in, first out, so that few slots stay warm), appends its records to the slot's
//! last page, ends with a COMMIT or ROLLED_BACK marker and gives the slot back; the next transaction goes on behind the
//! marker. Purge consumes each slot from its head and gives whole pages back. A record never moves and its bytes are not
//! used again before purge has passed it: **whoever holds a snapshot, or the cut, can follow roll pointers without a latch
//! on the clustered page.** So a statement rollback does not give space back either; it marks records as undone.
//!
//! Undo page: `free u16` at 40, `last u16` at 42 (offset of the last record, 0: none), records from 64 on.
//! Directory page ([`crate::page::PageType::UndoSlot`], pages 1..=4 of the space): 16 bytes per slot from 64 on: head page u32,
//! tail page u32, 8 free. The first directory page also has, at 40, the high-water mark of transaction ids (u64).
//!
//! # Latch order
//!
//! Undo pages before index pages; inside the undo space: tail page, directory page, then what the space allocator takes.
//!
//! # Crash
//!
//! A slot's tail page says by its last record whether the slot's transaction was over; if not, the engine adopts its id and rolls
//! it back. Purge may do work again that it had done before the crash: every step looks whether it is still to be done,
//! and the freeing of long columns is noted in the record before it is done (a crash in between loses pages, never frees
//! twice).
//!
//! Tested here, in `mvcc` and by the crash tests.

pub mod log;
pub mod pool;
mod queue;
pub mod record;
mod shrink;
mod xid;

pub use crate::reserved::UNDO_SPACE;
pub use log::{Pos, UndoLog};
pub use pool::UndoPool;
pub use record::{EntryChange, Kind, RollPtr, UndoRecord};
pub use xid::Xid;

/// Offset of an undo page's first record.
pub const FIRST_RECORD: usize = 64;

/// Fields of undo and directory pages.
pub mod field {
    /// u16 on undo pages: first free byte.
    pub const FREE: usize = 40;
    /// u16 on undo pages: offset of the last record, 0 if none.
    pub const LAST: usize = 42;
    /// u64 on the first directory page: transaction ids below have perhaps been handed out.
    pub const ID_LIMIT: usize = 40;
    /// First slot entry of a directory page.
    pub const ENTRIES: usize = 64;
    /// Bytes of a slot entry.
    pub const ENTRY: usize = 16;
}
