//! The queue of one key: entries in arrival order, the rules of conflict, granting.

use super::owner::LockOwner;
use smallvec::SmallVec;
use std::sync::Arc;

/// Shared or exclusive, and for tables the intention and AUTO-INC modes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum LockMode {
    /// Shared.
    S,
    /// Exclusive.
    X,
    /// Table: intention shared.
    IS,
    /// Table: intention exclusive.
    IX,
    /// Table: AUTO-INC (held to the end of the statement under `innodb_autoinc_lock_mode` 0 and 1).
    AutoInc,
}

impl LockMode {
    /// InnoDB's compatibility matrix.
    pub fn compatible(self, other: LockMode) -> bool {
        use LockMode::*;
        match (self, other) {
            (IS, X) | (X, IS) => false,
            (IS, _) | (_, IS) => true,
            (IX, IX | AutoInc) | (AutoInc, IX) => true,
            (S, S) => true,
            _ => false,
        }
    }

    /// Whether holding `self` makes a request for `other` superfluous.
    pub fn covers(self, other: LockMode) -> bool {
        use LockMode::*;
        self == other
            || match self {
                X => true,
                S => other == IS,
                IX => other == IS,
                _ => false,
            }
    }
}

/// Which part of the record a lock is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum LockKind {
    /// The record without its gap (`REC_NOT_GAP`).
    Record,
    /// The gap before the record.
    Gap,
    /// Record and gap before it.
    NextKey,
    /// The wish to insert into the gap before the record.
    InsertIntention,
    /// A whole table.
    Table,
}

/// What a lock is on: a normalized key, or the end of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecKey<'a> {
    /// An index entry by its whole normalized key.
    Key(&'a [u8]),
    /// After the last entry.
    Supremum,
}

/// Key bytes kept with a queue; short ones inline.
pub(super) type KeyBytes = SmallVec<[u8; 24]>;

/// Identity of a queue.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct QueueKey {
    /// Index id, or table id for table locks.
    pub(super) object: u64,
    /// `None`: supremum.
    pub(super) key: Option<KeyBytes>,
    /// Table lock.
    pub(super) table: bool,
}

impl QueueKey {
    pub(super) fn is(&self, object: u64, key: RecKey<'_>, table: bool) -> bool {
        self.object == object
            && self.table == table
            && match (key, &self.key) {
                (RecKey::Key(a), Some(b)) => a == b.as_slice(),
                (RecKey::Supremum, None) => true,
                _ => false,
            }
    }
}

/// One lock or one request.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) owner: Arc<LockOwner>,
    pub(super) mode: LockMode,
    pub(super) kind: LockKind,
    pub(super) waiting: bool,
}

impl Entry {
    /// A table lock that IS and IX holders must publish themselves for.
    pub(super) fn is_strong(&self) -> bool {
        self.kind == LockKind::Table && !matches!(self.mode, LockMode::IS | LockMode::IX)
    }
}

/// Locks and requests on one key in arrival order.
#[derive(Debug)]
pub(super) struct Queue {
    pub(super) id: QueueKey,
    pub(super) hash: u64,
    pub(super) entries: SmallVec<[Entry; 2]>,
}

/// Whether a request (`mode`, `kind`) of one owner has to wait for an entry of another.
pub(super) fn conflicts(mode: LockMode, kind: LockKind, held: &Entry, supremum: bool) -> bool {
    if mode.compatible(held.mode) {
        return false;
    }
    if kind == LockKind::Table {
        return true;
    }
    match kind {
        LockKind::Gap | LockKind::Table => false,
        LockKind::InsertIntention => matches!(held.kind, LockKind::Gap | LockKind::NextKey),
        LockKind::Record | LockKind::NextKey => {
            !supremum && !matches!(held.kind, LockKind::Gap | LockKind::InsertIntention)
        }
    }
}

/// Whether an already granted entry makes the request superfluous.
fn covers(held: &Entry, mode: LockMode, kind: LockKind) -> bool {
    !held.waiting
        && held.mode.covers(mode)
        && match kind {
            LockKind::Record => matches!(held.kind, LockKind::Record | LockKind::NextKey),
            LockKind::Gap => matches!(held.kind, LockKind::Gap | LockKind::NextKey),
            LockKind::NextKey => held.kind == LockKind::NextKey,
            LockKind::InsertIntention => false,
            LockKind::Table => true,
        }
}

impl Queue {
    fn supremum(&self) -> bool {
        self.id.key.is_none()
    }

    /// Whether `owner` already holds what it asks for.
    pub(super) fn holds(&self, owner: &Arc<LockOwner>, mode: LockMode, kind: LockKind) -> bool {
        let mine = |e: &&Entry| Arc::ptr_eq(&e.owner, owner);
        if self.entries.iter().filter(mine).any(|e| covers(e, mode, kind)) {
            return true;
        }
        // record + gap held apart are a next-key lock together
        kind == LockKind::NextKey
            && self.entries.iter().filter(mine).any(|e| covers(e, mode, LockKind::Record))
            && self.entries.iter().filter(mine).any(|e| covers(e, mode, LockKind::Gap))
    }

    /// First entry of another owner, among the first `before` ones if waiting, that the request must wait for.
    pub(super) fn blocker(
        &self,
        owner: &Arc<LockOwner>,
        mode: LockMode,
        kind: LockKind,
        before: usize,
    ) -> Option<Arc<LockOwner>> {
        let supremum = self.supremum();
        self.entries
            .iter()
            .enumerate()
            .find(|(i, e)| {
                !Arc::ptr_eq(&e.owner, owner) && (!e.waiting || *i < before) && conflicts(mode, kind, e, supremum)
            })
            .map(|(_, e)| e.owner.clone())
    }

    /// Adds a granted lock for `owner`, merging with what it has.
    pub(super) fn add_granted(&mut self, owner: &Arc<LockOwner>, mode: LockMode, kind: LockKind) {
        if self.holds(owner, mode, kind) {
            return;
        }
        let same = self.entries.iter_mut().find(|e| Arc::ptr_eq(&e.owner, owner) && !e.waiting && e.kind == kind);
        match same {
            // S -> X: the wider mode replaces the narrower one (table locks stay apart: each strong one is counted)
            Some(e) if kind != LockKind::Table && mode.covers(e.mode) => e.mode = mode,
            _ => self.entries.push(Entry { owner: owner.clone(), mode, kind, waiting: false }),
        }
    }

    /// Removes all entries of `owner` that satisfy `which`; true if any was there.
    pub(super) fn remove(&mut self, owner: &Arc<LockOwner>, which: impl Fn(&Entry) -> bool) -> bool {
        let before = self.entries.len();
        self.entries.retain(|e| !(Arc::ptr_eq(&e.owner, owner) && which(e)));
        self.entries.len() != before
    }

    /// After something left the queue: grants every waiter that no longer conflicts (telling it, after `waits_for` has heard `None`), and
    /// reports for the others who blocks them now.
    pub(super) fn regrant(&mut self, mut waits_for: impl FnMut(&Arc<LockOwner>, Option<&Arc<LockOwner>>)) {
        let mut i = 0;
        while let Some(e) = self.entries.get(i) {
            if e.waiting {
                let (owner, mode, kind) = (e.owner.clone(), e.mode, e.kind);
                match self.blocker(&owner, mode, kind, i) {
                    Some(by) => waits_for(&owner, Some(&by)),
                    None => {
                        waits_for(&owner, None);
                        if owner.grant()
                            && let Some(e) = self.entries.get_mut(i)
                        {
                            e.waiting = false;
                        }
                    }
                }
            }
            i += 1;
        }
    }
}
