//! Entries of secondary indexes: insert, delete-mark, the unique check, and the question whether an entry may go.
//!
//! An entry is `[parts][clustered key]` -> `[flags][trx_id of its last change][columns the key does not give back]`. Only the
//! transaction that has the clustered row locked changes a row's entries (and rollback and purge). The trx_id makes two things
//! cheap: an index-only read needs the clustered record only where that writer is not visible, and an entry whose
//! writer is active is locked implicitly.
//!
//! An entry is wanted as long as any version of its row that a snapshot may still see has its key
//! ([`Engine::entry_wanted`]). Purge and rollback ask that under the leaf's exclusive latch: who brings the key back changes the
//! clustered record first and the entry, under this latch, afterwards.

use crate::engine::Engine;
use crate::error::Result;
use crate::mvcc;
use crate::rowlock::{Acquired, LockKind, LockMode, RecKey, WaitPolicy, WaitTicket};
use crate::table::info::{DELETE_MARK, ENTRY_SYSTEM, FLAGS_AT};
use crate::table::{OnDuplicate, Table};
use crate::txn::{IdState, Trx};
use base::{TrxId, TrxNo};
use smallvec::SmallVec;

/// Flags of an entry's payload.
pub(crate) fn entry_deleted(payload: &[u8]) -> bool {
    payload.first().is_some_and(|f| f & DELETE_MARK != 0)
}

/// trx_id of an entry's payload.
pub(crate) fn entry_trx(payload: &[u8]) -> TrxId {
    payload.get(1..).map_or(TrxId(0), mvcc::trx_id)
}

/// Flags byte and trx_id.
pub(crate) fn entry_head(flags: u8, trx: TrxId) -> [u8; ENTRY_SYSTEM] {
    let [a, b, c, d, e, f, _, _] = trx.0.to_le_bytes();
    [flags, a, b, c, d, e, f]
}

enum Unique {
    Free,
    Wait(WaitTicket),
    Taken(Box<[u8]>),
}

impl Trx {
    /// Inserts an entry, or takes the delete mark from the one that is there. `Some(clustered key)`: another row has the
    /// same key of this unique index; it is locked.
    pub(crate) fn insert_entry(
        &mut self,
        engine: &Engine,
        table: &Table,
        n: usize,
        key: &[u8],
        payload: &[u8],
        dup: OnDuplicate,
    ) -> Result<Option<Box<[u8]>>> {
        let info = table.index(n)?;
        let check = info.unique && !table.key_has_null(n, key)?;
        let parts = if check { key.get(..table.parts_len(n, key)?).unwrap_or(key) } else { key };
        loop {
            // nobody else checks and inserts the same unique value meanwhile
            let guard = check.then(|| engine.unique_guard(info.id, parts).lock());
            if check {
                match self.check_unique(engine, table, n, key, dup)? {
                    Unique::Free => {}
                    Unique::Taken(by) => return Ok(Some(by)),
                    Unique::Wait(t) => {
                        drop(guard);
                        self.wait_for(t)?;
                        continue;
                    }
                }
            }
            let wait = self.put_entry(engine, table, n, key, payload)?;
            drop(guard);
            match wait {
                None => return Ok(None),
                Some(t) => self.wait_for(t)?,
            }
        }
    }

    /// One try: `Some`: queued for a lock, nothing changed.
    fn put_entry(
        &mut self,
        engine: &Engine,
        table: &Table,
        n: usize,
        key: &[u8],
        payload: &[u8],
    ) -> Result<Option<WaitTicket>> {
        let index = table.index(n)?.id;
        let mut new: SmallVec<[u8; 64]> = SmallVec::from_slice(payload);
        if let Some(to) = new.get_mut(..ENTRY_SYSTEM) {
            to.copy_from_slice(&entry_head(0, self.id));
        }
        let mut mtr = engine.store.mtr()?;
        let wait = table.tree(n)?.write(&mut mtr, key, new.len(), |pos| {
            if pos.found() {
                if let Acquired::Wait(t) = self.request_change(index, key) {
                    return Ok(Some(t));
                }
                pos.replace(&new)?;
                return Ok(None);
            }
            let succ = pos.successor()?.map_or(RecKey::Supremum, |(k, _)| RecKey::Key(k));
            if let Acquired::Wait(t) = engine.locks.lock_insert(self.shared.owner(), index, succ) {
                return Ok(Some(t));
            }
            engine.locks.inherit_on_insert(index, succ, key);
            pos.insert(&new)?;
            Ok(None)
        })?;
        if wait.is_none() {
            self.last_lsn = mtr.commit();
        }
        Ok(wait)
    }

    /// Looks for a live entry of another row with the same parts, locking every entry it meets (S, or X for REPLACE),
    /// next-key, as InnoDB does at every isolation level.
    fn check_unique(
        &mut self,
        engine: &Engine,
        table: &Table,
        n: usize,
        key: &[u8],
        dup: OnDuplicate,
    ) -> Result<Unique> {
        let index = table.index(n)?.id;
        let tree = table.tree(n)?;
        let parts = key.get(..table.parts_len(n, key)?).unwrap_or(key);
        let mode = if dup == OnDuplicate::Error { LockMode::S } else { LockMode::X };
        let mut from = parts.to_vec();
        loop {
            let mut met = Vec::new();
            let step = tree.next_at(engine.store.pool(), &from, |rec| {
                let (k, payload) = rec.filter(|(k, _)| k.starts_with(parts))?;
                met.extend_from_slice(k);
                if k == key {
                    return Some((Acquired::Granted, true)); // the row's own entry
                }
                let got = self.request_written(index, k, entry_trx(payload), mode, LockKind::NextKey, WaitPolicy::Wait);
                Some((got, entry_deleted(payload)))
            })?;
            match step {
                None => return Ok(Unique::Free),
                Some((Acquired::Wait(t), _)) => return Ok(Unique::Wait(t)),
                Some((_, false)) => return Ok(Unique::Taken(table.clustered_key_of(n, &met)?.into())),
                Some((_, true)) => {
                    from = met;
                    from.push(0);
                }
            }
        }
    }

    /// Delete-marks an entry.
    pub(crate) fn mark_entry(&mut self, engine: &Engine, table: &Table, n: usize, key: &[u8]) -> Result<()> {
        let index = table.index(n)?.id;
        loop {
            let mut mtr = engine.store.mtr()?;
            let wait = table.tree(n)?.write(&mut mtr, key, 0, |pos| {
                if !pos.found() {
                    let at = table.error_page();
                    return Err(crate::StorageError::CorruptPage { page: at, why: "a row's index entry is missing" });
                }
                if let Acquired::Wait(t) = self.request_change(index, key) {
                    return Ok(Some(t));
                }
                pos.patch(0, &entry_head(DELETE_MARK, self.id))?;
                Ok(None)
            })?;
            match wait {
                None => {
                    self.last_lsn = mtr.commit();
                    return Ok(());
                }
                Some(t) => {
                    drop(mtr);
                    self.wait_for(t)?;
                }
            }
        }
    }

    /// Replaces the payload of an entry whose key stays the same (the columns that the key does not give back changed).
    pub(crate) fn replace_entry(
        &mut self,
        engine: &Engine,
        table: &Table,
        n: usize,
        key: &[u8],
        payload: &[u8],
    ) -> Result<()> {
        match self.put_entry(engine, table, n, key, payload)? {
            None => Ok(()),
            Some(t) => {
                self.wait_for(t)?;
                self.replace_entry(engine, table, n, key, payload)
            }
        }
    }
}

impl Engine {
    /// Whether a version of the row that somebody may still see has this entry. Versions by transactions that ended at or below
    /// `cut` are seen by everybody, so the walk ends at the first of those. The caller keeps the cut from advancing.
    /// `skip_newest`: only older versions than the newest count (rollback of that one).
    pub(crate) fn entry_wanted(
        &self,
        table: &Table,
        n: usize,
        entry: &[u8],
        cut: TrxNo,
        skip_newest: bool,
    ) -> Result<bool> {
        let key = table.clustered_key_of(n, entry)?;
        let mut version = Vec::new();
        if !self.read_clustered(table, key, &mut version)? {
            return Ok(false);
        }
        let mut skip = skip_newest;
        // changes of many elements make several versions of the same content (`Trx::change_clustered`): one look is enough
        let array = table.index(n)?.array.is_some();
        let mut looked = Vec::new();
        loop {
            if !skip && !mvcc::is_deleted(&version) {
                let content = version.get(FLAGS_AT..).unwrap_or(&[]);
                if !array || content != looked.as_slice() {
                    if self.entry_matches(table, n, &version, key, entry)? {
                        return Ok(true);
                    }
                    if array {
                        looked.clear();
                        looked.extend_from_slice(content);
                    }
                }
            }
            let old_enough = match self.trx_sys.state(mvcc::trx_id(&version)) {
                IdState::Active => false,
                IdState::Ended(no) => no <= cut,
                IdState::Old => true,
            };
            if (old_enough && !skip) || !mvcc::step_back(&self.store, &mut version)? {
                return Ok(false);
            }
            skip = false;
        }
    }

    /// Purge: removes a delete-marked entry that nobody wants.
    pub(crate) fn purge_entry(&self, table: &Table, n: usize, key: &[u8], cut: TrxNo) -> Result<bool> {
        // first without a latch: most are not wanted and marked, and the pages are in the pool for the second look
        let marked = table.tree(n)?.get(self.store.pool(), key, entry_deleted)?;
        if marked != Some(true) || self.entry_wanted(table, n, key, cut, false)? {
            return Ok(false);
        }
        self.remove_entry(table, n, key, cut, None)
    }

    /// Under the leaf's exclusive latch: removes the entry if nobody wants it. `rollback_of`: the newest version's writer
    /// is being rolled back; an entry that older versions want is delete-marked then.
    pub(crate) fn remove_entry(
        &self,
        table: &Table,
        n: usize,
        key: &[u8],
        cut: TrxNo,
        rollback_of: Option<TrxId>,
    ) -> Result<bool> {
        let index = table.index(n)?.id;
        let tree = table.tree(n)?;
        let mut mtr = self.store.mtr()?;
        let mut emptied = false;
        let removed = tree.write(&mut mtr, key, 0, |pos| {
            if !pos.found() || (rollback_of.is_none() && !entry_deleted(pos.payload())) {
                return Ok(false);
            }
            if self.entry_wanted(table, n, key, cut, rollback_of.is_some())? {
                if let Some(trx) = rollback_of {
                    pos.patch(0, &entry_head(DELETE_MARK, trx))?;
                }
                return Ok(false);
            }
            let succ = pos.successor()?.map_or(RecKey::Supremum, |(k, _)| RecKey::Key(k));
            self.locks.inherit_on_remove(index, key, succ);
            pos.delete()?;
            emptied = pos.worth_a_merge();
            Ok(true)
        })?;
        mtr.commit();
        if emptied {
            tree.merge(&self.store, key)?;
        }
        Ok(removed)
    }

    /// Rollback: brings an entry back that the transaction delete-marked or whose payload it changed. Missing ones (a crash
    /// came before they were touched, so they cannot be missing) are put in again all the same.
    pub(crate) fn restore_entry(&self, table: &Table, n: usize, key: &[u8], payload: &[u8], trx: TrxId) -> Result<()> {
        let mut new: SmallVec<[u8; 64]> = SmallVec::from_slice(payload);
        if let Some(to) = new.get_mut(..ENTRY_SYSTEM) {
            to.copy_from_slice(&entry_head(0, trx));
        }
        let mut mtr = self.store.mtr()?;
        table
            .tree(n)?
            .write(&mut mtr, key, new.len(), |pos| if pos.found() { pos.replace(&new) } else { pos.insert(&new) })?;
        mtr.commit();
        Ok(())
    }
}
