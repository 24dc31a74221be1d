//! The queue of one key: entries in arrival order, the rules of conflict, granting.

use super::owner::LockOwner;
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

    /// As a table's lock: whether it conflicts with the intention locks, which stand in no queue as long as nobody has such a one.
    pub(super) fn is_strong(self) -> bool {
        matches!(self, LockMode::S | LockMode::X)
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

/// What a queue is on: short keys inline, so that the queue of one row lock is 56 bytes.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Length and bytes.
    Short(u8, [u8; INLINE]),
    Long(Box<[u8]>),
    Supremum,
    Table,
}

const INLINE: usize = 22;

/// Identity of a queue.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct QueueKey {
    /// Index id, or table id for table locks.
    pub(super) object: u64,
    pub(super) place: Place,
}

impl QueueKey {
    /// Of an index's record or supremum, or of a table.
    pub(super) fn new(object: u64, key: RecKey<'_>, table: bool) -> QueueKey {
        let place = match key {
            RecKey::Supremum if table => Place::Table,
            RecKey::Supremum => Place::Supremum,
            RecKey::Key(k) => {
                let mut bytes = [0; INLINE];
                match bytes.get_mut(..k.len()) {
                    Some(to) => {
                        to.copy_from_slice(k);
                        Place::Short(k.len() as u8, bytes)
                    }
                    None => Place::Long(k.into()),
                }
            }
        };
        QueueKey { object, place }
    }

    /// The record's key.
    pub(super) fn key(&self) -> Option<&[u8]> {
        match &self.place {
            Place::Short(len, bytes) => bytes.get(..usize::from(*len)),
            Place::Long(k) => Some(k),
            Place::Supremum | Place::Table => None,
        }
    }

    /// Whether it is a table's.
    pub(super) fn table(&self) -> bool {
        self.place == Place::Table
    }

    pub(super) fn is(&self, object: u64, key: RecKey<'_>, table: bool) -> bool {
        self.object == object
            && match key {
                RecKey::Key(a) => self.key() == Some(a),
                RecKey::Supremum => self.place == if table { Place::Table } else { Place::Supremum },
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
    /// A table lock that IS and IX holders must publish themselves for. They are compatible with AUTO-INC.
    pub(super) fn is_strong(&self) -> bool {
        self.kind == LockKind::Table && self.mode.is_strong()
    }
}

/// The entries of a queue: nearly always one, without memory of its own.
#[derive(Debug)]
pub(super) enum Entries {
    None,
    One(Entry),
    #[allow(clippy::box_collection)] // two words would make every queue larger
    Many(Box<Vec<Entry>>),
}

impl Entries {
    pub(super) fn push(&mut self, e: Entry) {
        *self = match std::mem::replace(self, Entries::None) {
            Entries::None => Entries::One(e),
            Entries::One(first) => Entries::Many(Box::new(vec![first, e])),
            Entries::Many(mut all) => {
                all.push(e);
                Entries::Many(all)
            }
        };
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&Entry) -> bool) {
        match self {
            Entries::None => {}
            Entries::One(e) if keep(e) => {}
            Entries::One(_) => *self = Entries::None,
            Entries::Many(all) => all.retain(keep),
        }
    }
}

impl std::ops::Deref for Entries {
    type Target = [Entry];
    fn deref(&self) -> &[Entry] {
        match self {
            Entries::None => &[],
            Entries::One(e) => std::slice::from_ref(e),
            Entries::Many(all) => all,
        }
    }
}

impl std::ops::DerefMut for Entries {
    fn deref_mut(&mut self) -> &mut [Entry] {
        match self {
            Entries::None => &mut [],
            Entries::One(e) => std::slice::from_mut(e),
            Entries::Many(all) => all,
        }
    }
}

/// Locks and requests on one key in arrival order.
#[derive(Debug)]
pub(super) struct Queue {
    pub(super) id: QueueKey,
    pub(super) hash: u64,
    pub(super) entries: Entries,
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
        matches!(self.id.place, Place::Supremum | Place::Table)
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

    /// Takes the owner's record lock of this mode away, or makes it shared again if it was (`shared`). Others of its locks stay.
    pub(super) fn give_back(&mut self, owner: &Arc<LockOwner>, mode: LockMode, shared: bool) -> bool {
        let given =
            |e: &Entry| Arc::ptr_eq(&e.owner, owner) && !e.waiting && e.kind == LockKind::Record && e.mode == mode;
        if shared && let Some(e) = self.entries.iter_mut().find(|e| given(e)) {
            e.mode = LockMode::S;
            return true;
        }
        self.remove(owner, given)
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
