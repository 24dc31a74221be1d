//! The undo tablespace gets shorter again (`innodb_undo_log_truncate`).
//!
//! Purge gives pages back to the tablespace, not to the file system, and a slot's last page stays wherever it was made, perhaps at the end of what
//! a huge transaction has written. When the file is longer than `innodb_max_undo_log_size`, purge's thread looks every
//! `innodb_purge_rseg_truncate_frequency` batches ([`UndoPool::give_back`]):
//!
//! 1. slots that nobody has and of which nothing is left to purge, and whose page lies behind [`KEPT`], move to the lowest page that is free, one
//!    mini-transaction each. Nobody follows a roll pointer to what purge has passed, so nobody misses the old page;
//! 2. what lies behind the last extent in use is to go, as soon as the checkpoint has passed this moment: until then the log has changes of those pages
//!    that replay would look for in the file. The log's own checkpoints come there, helped along a little;
//! 3. [`space::cut`]: under the gate, so that nobody takes pages meanwhile, it looks again and cuts. If somebody has taken pages there since, it all begins anew.
//!
//! So nobody waits for more than step 3, a few milliseconds, and nothing is written that a checkpoint would not write. Transactions that run, are prepared or
//! have not been purged keep their pages; the file is cut behind them.
//!
//! Locks: the gate (shared by who takes pages) before page latches, taken with nothing latched. Crash: each step leaves before or after.
//! Tests: `engine/tests/undo_space.rs` (with power cuts), `tests/clients/test_undo_space.py`.

use super::pool::{SlotState, UNDO_OWNER, UndoPool, dir_page, entry_at, undo_page};
use super::{FIRST_RECORD, UNDO_SPACE};
use crate::error::Result;
use crate::page::{PAGE_SIZE, PageOp, PageType};
use crate::space::{self, EXTENT};
use base::{Lsn, PageNo};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Slots' pages below here stay where they are (4 MiB).
const KEPT: PageNo = PageNo(4 * EXTENT);
/// Pages written at a time to help the checkpoint.
const HELP: usize = 256;
/// A general message of InnoDB's.
const TRUNCATED: u32 = 12_592;

/// Settings, and how far it is.
#[derive(Debug)]
pub(super) struct Shrink {
    on: AtomicBool,
    most: AtomicU64,
    frequency: AtomicU32,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    batches: u32,
    /// Pages to be kept, and what the checkpoint must have passed before the others go.
    pending: Option<(u32, Lsn)>,
}

impl Default for Shrink {
    fn default() -> Shrink {
        Shrink {
            on: AtomicBool::new(true),
            most: AtomicU64::new(1 << 30),
            frequency: AtomicU32::new(128),
            state: Mutex::default(),
        }
    }
}

impl UndoPool {
    /// `innodb_undo_log_truncate`, `innodb_max_undo_log_size`, `innodb_purge_rseg_truncate_frequency`.
    pub(crate) fn set_shrink(&self, on: bool, most: u64, frequency: u32) {
        self.shrink.on.store(on, Ordering::Relaxed);
        self.shrink.most.store(most, Ordering::Relaxed);
        self.shrink.frequency.store(frequency, Ordering::Relaxed);
    }

    /// The next step, if one is due. Purge's thread, between two batches.
    pub(crate) fn give_back(&self) -> Result<()> {
        let s = &self.shrink;
        let mut state = s.state.lock();
        if !s.on.load(Ordering::Relaxed) {
            state.pending = None;
            return Ok(());
        }
        if let Some((pages, safe)) = state.pending {
            let done = self.finish(pages, safe);
            if !matches!(done, Ok(false)) {
                state.pending = None;
            }
            return done.map(drop);
        }
        state.batches += 1;
        if state.batches < s.frequency.load(Ordering::Relaxed) {
            return Ok(());
        }
        state.batches = 0;
        let have = self.store.files().size(UNDO_SPACE)?;
        if have <= s.most.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.move_idle()?;
        let pages = space::end_of_use(self.store.pool(), UNDO_SPACE)?;
        if u64::from(pages + EXTENT) * PAGE_SIZE as u64 <= have {
            state.pending = Some((pages, self.store.log().current_lsn()));
        }
        Ok(())
    }

    /// Cuts the file if the checkpoint has passed `safe`; `false`: not yet.
    fn finish(&self, pages: u32, safe: Lsn) -> Result<bool> {
        let store = &self.store;
        if store.log().checkpoint_lsn() < safe {
            store.pool().flush_older(safe, HELP)?;
            store.checkpoint()?;
            if store.log().checkpoint_lsn() < safe {
                return Ok(false);
            }
        }
        let have = store.files().size(UNDO_SPACE)?;
        let backups = store.backups().read();
        if *backups > 0 {
            // the copy's recovery would look for what lies behind the end
            return Ok(false);
        }
        let gate = self.gate.write();
        let done = space::cut(store, UNDO_SPACE, pages)?;
        drop(gate);
        drop(backups);
        if done {
            let mib = |bytes: u64| bytes >> 20;
            let text = format!(
                "Truncated the undo tablespace from {} to {} MiB.",
                mib(have),
                mib(u64::from(pages) * PAGE_SIZE as u64)
            );
            probe::errorlog::say("Note", "InnoDB", TRUNCATED, &text);
        }
        Ok(true)
    }

    /// Moves idle slots to the front of the file.
    fn move_idle(&self) -> Result<()> {
        while let Some(slot) = self.take_idle(|tail| tail.0 >= KEPT.0) {
            match self.move_slot(slot) {
                Ok(moved) => {
                    self.put_idle(moved);
                    if moved.tail.0 >= slot.tail.0.min(KEPT.0) {
                        break; // the front is full
                    }
                }
                Err(e) => {
                    self.put_idle(slot);
                    return Err(e);
                }
            }
        }
        Ok(())
    }

    /// Gives an idle slot a new first and last page and frees what it had.
    fn move_slot(&self, slot: SlotState) -> Result<SlotState> {
        self.truncate(slot.slot, slot.tail)?;
        let _gate = self.gate.write();
        space::forget_hint(UNDO_SPACE, UNDO_OWNER);
        let mut mtr = self.store.mtr()?;
        let old = mtr.x(undo_page(slot.tail))?;
        let dir = mtr.x(dir_page(slot.slot))?;
        space::prepare_free(&mut mtr, UNDO_SPACE, slot.tail)?;
        let new = self.new_undo_page(&mut mtr, PageNo::NONE)?;
        let bytes: Vec<u8> = [new, new].iter().flat_map(|p| p.0.to_le_bytes()).collect();
        mtr.apply(dir, PageOp::Patch { offset: entry_at(slot.slot) as u16, bytes: &bytes })?;
        mtr.apply(old, PageOp::Init { ty: PageType::Free, level: 0, index_id: 0 })?;
        space::free_page(&mut mtr, UNDO_SPACE, slot.tail)?;
        mtr.commit();
        Ok(SlotState { slot: slot.slot, tail: new, free: FIRST_RECORD as u16, last: 0 })
    }
}
