//! Purge: removes what no snapshot can see any more.
//!
//! A batch: the coordinator advances the cut ([`crate::txn::TrxSys::advance_cut`]), takes transactions whose number the cut has
//! reached, goes through their undo records, and gives undo pages back at the end. For each record of an update or
//! delete that was not undone:
//!
//! * entries of secondary indexes that it delete-marked go, unless a version still wanted has them;
//! * a record that is still the delete-marked version this transaction made goes, and its long columns with it;
//! * long columns that only the older version had are freed (noted in the record first: after a crash they are not freed
//!   again).
//!
//! Every step looks whether it is still to be done, so a batch that a crash cut short is simply done again. Purge takes no row
//! locks: a delete-marked record's locks are passed on to the gap behind it. It waits for nothing but latches and pages, and
//! uses a table only under its gate ([`Table::retire`]), so that DDL can wait for it, and goes on by the definition that DDL has published.
//!
//! Tested by the purge tests of `engine/tests` (history drains, trees become empty) and by the crash tests.

use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::mvcc;
use crate::page::PageType;
use crate::rowlock::RecKey;
use crate::table::info::DELETE_MARK;
use crate::table::insert::free_all;
use crate::table::{Table, external};
use crate::undo::log::set_flag;
use crate::undo::pool::PurgeItem;
use crate::undo::record::{self, FREED, Kind, UndoRecord};
use crate::undo::{Pos, UNDO_SPACE};
use base::{PageId, TrxNo};
use crossbeam_utils::CachePadded;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// A general message of InnoDB's in MySQL's error log (ER_IB_MSG).
const PURGE_FAILED: u32 = 12_592;
/// Transactions per batch.
const BATCH: usize = 256;

/// `innodb_max_purge_lag`: how long each change of a row waits while the history is too long. Set once a second, read by writers.
#[derive(Debug, Default)]
pub(crate) struct Lag {
    delay_us: CachePadded<AtomicU32>,
    most: AtomicU64,
    longest_us: AtomicU64,
}

impl Lag {
    /// The history's length now.
    pub(crate) fn look(&self, history: u64) {
        let (most, longest) = (self.most.load(Ordering::Relaxed), self.longest_us.load(Ordering::Relaxed));
        self.delay_us.store(delay_us(history, most, longest), Ordering::Relaxed);
    }

    /// A writer, before it changes a row; nothing is latched.
    #[inline]
    pub(crate) fn delay(&self) {
        let us = self.delay_us.load(Ordering::Relaxed);
        if us > 0 {
            // who is killed meanwhile is told at the next look
            let _ = sched::sleep(Duration::from_micros(u64::from(us)));
        }
    }
}

/// (lag / most - 0.9995) * 10000 microseconds, 5,000 of them when the lag is one and a half times what it may be; `longest` 0: no bound.
fn delay_us(history: u64, most: u64, longest: u64) -> u32 {
    if most == 0 || history <= most {
        return 0;
    }
    let us = ((history as f64 / most as f64 - 0.9995) * 10_000.0).round() as u64;
    let us = if longest > 0 { us.min(longest) } else { us };
    u32::try_from(us).unwrap_or(u32::MAX)
}

impl Engine {
    /// `innodb_max_purge_lag` and `innodb_max_purge_lag_delay` (microseconds).
    pub fn set_max_purge_lag(&self, most: u64, longest_us: u64) {
        self.lag.most.store(most, Ordering::Relaxed);
        self.lag.longest_us.store(longest_us, Ordering::Relaxed);
        self.lag.look(self.undo.history_len());
    }
}

impl Engine {
    /// `innodb_undo_log_truncate`, `innodb_max_undo_log_size` and `innodb_purge_rseg_truncate_frequency`.
    pub fn set_undo_truncation(&self, on: bool, most: u64, frequency: u32) {
        self.undo.set_shrink(on, most, frequency);
    }
}

/// The coordinator's memory between batches.
#[derive(Debug, Default)]
pub(crate) struct Purger {
    items: Vec<PurgeItem>,
    tables: HashMap<u64, Option<Arc<Table>>>,
    /// The error that the log was told of last.
    told: Option<StorageError>,
}

impl Purger {
    /// One batch; how many transactions were purged. Only one thread may call this at a time.
    pub(crate) fn batch(&mut self, engine: &Engine) -> Result<usize> {
        let cut = engine.trx_sys.advance_cut();
        self.items.clear();
        let kept = engine.free_kept(cut);
        engine.undo.take_purgeable(cut, BATCH, &mut self.items);
        if self.items.is_empty() {
            return kept.and_then(|()| self.give_back(engine)).map(|()| 0);
        }
        self.tables.clear();
        // it looks at the newest versions, whose writers may roll them back meanwhile
        engine.uncommitted.enter();
        let items = std::mem::take(&mut self.items);
        let mut failed = None;
        for item in &items {
            sched::pace();
            let done = engine.undo.walk(item.first, item.end, |pos, bytes| match record::decode(bytes) {
                Some(rec) => self.record(engine, cut, pos, &rec),
                None => Ok(()),
            });
            // a page that cannot be read must not stop everything else; what it leaves behind is found by CHECK TABLE
            failed = failed.or(done.err());
        }
        engine.uncommitted.leave();
        let failed = failed.or(kept.err());
        let mut keep: HashMap<u32, Pos> = HashMap::new();
        for item in &items {
            keep.insert(item.slot, item.end);
        }
        for (slot, end) in keep {
            engine.undo.truncate(slot, end.page)?;
        }
        let n = items.len();
        engine.undo.count_purged(n as u64);
        self.items = items;
        let failed = failed.or(self.give_back(engine).err());
        match failed {
            Some(e) => {
                self.tell(&e);
                Err(e)
            }
            None => Ok(n),
        }
    }

    /// The undo tablespace gives space back to the file system now and then.
    fn give_back(&self, engine: &Engine) -> Result<()> {
        if engine.check_writable().is_err() { Ok(()) } else { engine.undo.give_back() }
    }

    /// What could not be purged stays where it is, so somebody should know; the same error again is no news.
    fn tell(&mut self, e: &StorageError) {
        if self.told.as_ref() != Some(e) {
            let text =
                format!("Purge failed: {e}. Delete-marked rows or long columns may be left; CHECK TABLE tells where.");
            probe::errorlog::say("Error", "InnoDB", PURGE_FAILED, &text);
            self.told = Some(e.clone());
        }
    }

    fn record(&mut self, engine: &Engine, cut: TrxNo, pos: Pos, rec: &UndoRecord<'_>) -> Result<()> {
        if rec.kind != Kind::Update || rec.undone {
            return Ok(());
        }
        let known = match self.tables.entry(rec.table.0) {
            Entry::Occupied(e) => e.into_mut(),
            Entry::Vacant(e) => e.insert(engine.table_by_id(rec.table)?),
        };
        engine.with_table(rec.table, known, |table| engine.purge_record(table, cut, pos, rec)).map(drop)
    }
}

impl Engine {
    fn purge_record(&self, table: &Table, cut: TrxNo, pos: Pos, rec: &UndoRecord<'_>) -> Result<()> {
        let Some(u) = &rec.update else { return Ok(()) };
        for e in u.entries() {
            if let Some(old) = e.old.filter(|_| e.old != e.new)
                && let Some((n, _)) = table.index_by_id(e.index)
            {
                self.purge_entry(table, n, old, cut)?;
            }
        }
        // only a delete changes the flags byte of a live row
        if u.prefix == 0 && u.middle.first().is_some_and(|f| f & DELETE_MARK == 0) {
            self.purge_clustered(table, pos, rec)?;
        }
        if !rec.freed && u.blobs().next().is_some() {
            let mut mtr = self.store.mtr()?;
            let page = mtr.x(PageId::new(UNDO_SPACE, pos.page))?;
            debug_assert_eq!(mtr.page(page).page_type(), PageType::Undo);
            set_flag(&mut mtr, page, pos.offset, FREED)?;
            mtr.commit();
            for b in u.blobs() {
                external::free(&self.store, table, b)?;
            }
        }
        Ok(())
    }

    /// Removes the record if it is still the delete-marked version that `rec` made.
    fn purge_clustered(&self, table: &Table, pos: Pos, rec: &UndoRecord<'_>) -> Result<()> {
        let still = |p: &[u8]| {
            let roll = mvcc::roll_ptr(p);
            mvcc::is_deleted(p) && mvcc::trx_id(p) == rec.trx && (roll.page, roll.offset) == (pos.page, pos.offset)
        };
        let tree = table.tree(0)?;
        let index = table.index(0)?.id;
        let mut payload = Vec::new();
        let copy = |p: &[u8]| {
            if still(p) {
                payload.extend_from_slice(p);
            }
        };
        tree.get(self.store.pool(), rec.key, copy)?;
        if payload.is_empty() {
            return Ok(());
        }
        table.note_removed(self, &payload)?;
        let blobs = external::references(table, &payload)?;
        let mut mtr = self.store.mtr()?;
        let (gone, empty) = tree.write(&mut mtr, rec.key, 0, |at| {
            if !at.found() || !still(at.payload()) {
                return Ok((false, false));
            }
            let succ = at.successor()?.map_or(RecKey::Supremum, |(k, _)| RecKey::Key(k));
            self.locks.inherit_on_remove(index, rec.key, succ);
            at.delete()?;
            Ok((true, at.worth_a_merge()))
        })?;
        mtr.commit();
        if gone {
            free_all(self, table, &blobs)?;
        }
        if empty {
            tree.merge(&self.store, rec.key)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod lag_tests {
    #[test]
    fn delays_grow_with_the_lag() {
        let d = super::delay_us;
        assert_eq!((d(10, 0, 0), d(100, 100, 0), d(150, 100, 0)), (0, 0, 5005));
        assert_eq!((d(1000, 100, 0), d(1000, 100, 7000)), (90_005, 7000));
    }
}
