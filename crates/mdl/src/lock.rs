//! One lock of the table: granted tickets, waiting requests, and when a request can be granted. Lives under its shard's latch.

use crate::key::Name;
use crate::manager::Shared;
use crate::types::{Duration, MdlType, TYPES, TypeSet};
use sched::WaitCell;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Code a waiter is woken with: the lock is granted.
pub(crate) const GRANTED: u32 = 0;
/// Code a waiter is woken with: chosen as a deadlock's victim.
pub(crate) const VICTIM: u32 = 1;

#[derive(Debug)]
pub(crate) struct Granted {
    pub(crate) owner: Arc<Shared>,
    pub(crate) kind: MdlType,
    pub(crate) duration: Duration,
}

#[derive(Debug)]
pub(crate) struct Waiter {
    pub(crate) owner: Arc<Shared>,
    pub(crate) ticket: u64,
    pub(crate) kind: MdlType,
    pub(crate) duration: Duration,
    pub(crate) cell: Arc<WaitCell>,
}

/// Key of a granted ticket: owner's id, ticket's number within the owner. Ordered, so that an owner's tickets lie together.
pub(crate) type TicketKey = (u64, u64);

#[derive(Debug)]
pub(crate) struct Lock {
    pub(crate) name: Arc<Name>,
    scoped: bool,
    pub(crate) granted: BTreeMap<TicketKey, Granted>,
    pub(crate) waiting: VecDeque<Waiter>,
    granted_counts: [u32; TYPES],
    waiting_counts: [u32; TYPES],
    /// Strong requests (SW) granted while weaker ones (SRO) waited; at `max_write_lock_count` those no longer queue behind them.
    strong_passed: u64,
    writes_passed: u64,
    /// The types that keep nobody waiting now.
    overtaken: TypeSet,
}

fn adjust(counts: &mut [u32; TYPES], t: MdlType, up: bool) {
    if let Some(c) = counts.get_mut(t as usize) {
        *c = if up { *c + 1 } else { c.saturating_sub(1) };
    }
}

/// Types with a count, after `own` has been taken off.
fn present(counts: &[u32; TYPES], own: &[u32; TYPES]) -> TypeSet {
    counts.iter().zip(own).enumerate().fold(0, |s, (i, (all, own))| if all > own { s | 1 << i } else { s })
}

impl Lock {
    pub(crate) fn new(name: Arc<Name>) -> Lock {
        let scoped = name.namespace.is_scoped();
        Lock {
            name,
            scoped,
            granted: BTreeMap::new(),
            waiting: VecDeque::new(),
            granted_counts: [0; TYPES],
            waiting_counts: [0; TYPES],
            strong_passed: 0,
            writes_passed: 0,
            overtaken: 0,
        }
    }

    pub(crate) fn is_unused(&self) -> bool {
        self.granted.is_empty() && self.waiting.is_empty()
    }

    pub(crate) fn add(&mut self, owner: &Arc<Shared>, ticket: u64, kind: MdlType, duration: Duration) {
        adjust(&mut self.granted_counts, kind, true);
        self.granted.insert((owner.id, ticket), Granted { owner: owner.clone(), kind, duration });
    }

    pub(crate) fn remove(&mut self, key: TicketKey) -> Option<Granted> {
        let g = self.granted.remove(&key)?;
        adjust(&mut self.granted_counts, g.kind, false);
        Some(g)
    }

    pub(crate) fn change_type(&mut self, key: TicketKey, to: MdlType) {
        if let Some(g) = self.granted.get_mut(&key) {
            adjust(&mut self.granted_counts, g.kind, false);
            adjust(&mut self.granted_counts, to, true);
            g.kind = to;
        }
    }

    fn own(&self, owner: u64) -> impl Iterator<Item = &Granted> {
        self.granted.range((owner, 0)..=(owner, u64::MAX)).map(|(_, g)| g)
    }

    /// Whether the owner has a granted ticket that is as good.
    pub(crate) fn covered(&self, owner: u64, kind: MdlType) -> bool {
        self.own(owner).any(|g| g.kind.covers(kind, self.scoped))
    }

    /// Types that some granted ticket stands against, whoever holds it.
    pub(crate) fn excluded_by_granted(&self) -> TypeSet {
        let granted = present(&self.granted_counts, &[0; TYPES]);
        let excluded = |t: &&MdlType| t.blocked_by_granted(self.scoped) & granted != 0;
        MdlType::ALL.iter().filter(excluded).fold(0, |s, t| s | t.bit())
    }

    /// Whether nothing that others have been granted stands against the request.
    pub(crate) fn suits_granted(&self, owner: u64, kind: MdlType) -> bool {
        let mut own = [0; TYPES];
        let against = kind.blocked_by_granted(self.scoped);
        if present(&self.granted_counts, &own) & against == 0 {
            return true;
        }
        self.own(owner).for_each(|g| adjust(&mut own, g.kind, true));
        present(&self.granted_counts, &own) & against == 0
    }

    /// Whether nothing of others, granted or waiting, stands against the request. `queued`: it is itself in the queue.
    pub(crate) fn can_grant(&self, owner: u64, kind: MdlType, queued: bool) -> bool {
        if !self.suits_granted(owner, kind) {
            return false;
        }
        let mut own = [0; TYPES];
        if queued {
            adjust(&mut own, kind, true);
        }
        present(&self.waiting_counts, &own) & self.blocked_by_waiting(kind) == 0
    }

    /// Waiting types that a request queues behind at the moment. Strong requests still queue behind X.
    fn blocked_by_waiting(&self, kind: MdlType) -> TypeSet {
        let all = kind.blocked_by_waiting(self.scoped);
        if kind.bit() & MdlType::hogs(self.scoped) != 0 { all } else { all & !self.overtaken }
    }

    /// Counts a grant from the queue that passed weaker requests by (MySQL: piglets and hogs, WL#4284); true if those come first from now on.
    fn passes(&mut self, kind: MdlType, limit: u64) -> bool {
        let (hogs, waiting) = (MdlType::hogs(self.scoped), present(&self.waiting_counts, &[0; TYPES]));
        let before = self.overtaken;
        if kind.bit() & hogs != 0 && waiting & !hogs != 0 {
            self.strong_passed += 1;
            if self.strong_passed >= limit {
                self.overtaken |= hogs;
            }
        } else if kind == MdlType::Sw && waiting & MdlType::Sro.bit() != 0 {
            self.writes_passed += 1;
            if self.writes_passed >= limit {
                self.overtaken |= MdlType::Sw.bit();
            }
        }
        self.overtaken != before
    }

    /// Where no weaker request waits any more the count begins anew.
    fn count_anew(&mut self) {
        let (hogs, waiting) = (MdlType::hogs(self.scoped), present(&self.waiting_counts, &[0; TYPES]));
        if waiting & !hogs == 0 {
            self.strong_passed = 0;
            self.overtaken &= !hogs;
        }
        if waiting & MdlType::Sro.bit() == 0 {
            self.writes_passed = 0;
            self.overtaken &= !MdlType::Sw.bit();
        }
    }

    pub(crate) fn enqueue(&mut self, w: Waiter) {
        adjust(&mut self.waiting_counts, w.kind, true);
        self.waiting.push_back(w);
    }

    /// Removes a waiter that gave up; false if it is not (or no longer) in the queue.
    pub(crate) fn dequeue(&mut self, key: TicketKey) -> bool {
        let at = self.waiting.iter().position(|w| (w.owner.id, w.ticket) == key);
        match at.and_then(|i| self.waiting.remove(i)) {
            Some(w) => {
                adjust(&mut self.waiting_counts, w.kind, false);
                true
            }
            None => false,
        }
    }

    /// Whether a waiting request of this type may keep another waiting one out.
    pub(crate) fn keeps_others_waiting(&self, kind: MdlType) -> bool {
        self.waiting.iter().any(|w| self.blocked_by_waiting(w.kind) & kind.bit() != 0)
    }

    /// Whether others than the owner wait for something that a granted lock of this type stands against.
    pub(crate) fn is_waited_for(&self, owner: u64, kind: MdlType) -> bool {
        self.waiting.iter().any(|w| w.owner.id != owner && w.kind.blocked_by_granted(self.scoped) & kind.bit() != 0)
    }

    /// Grants what has become possible, in order of arrival. `limit`: `max_write_lock_count`.
    pub(crate) fn reschedule(&mut self, limit: u64) {
        let mut i = 0;
        while let Some(w) = self.waiting.get(i) {
            let (owner, kind) = (w.owner.id, w.kind);
            // A waiter that has just given up stays until it removes itself: its wake-up fails.
            if !self.can_grant(owner, kind, true) || !w.cell.is_waiting() {
                i += 1;
                continue;
            }
            let Some(w) = self.waiting.remove(i) else { return };
            // Before the wake-up: the waiter may soon wait elsewhere. (If it has given up it does this itself, under our latch.)
            w.owner.set_waiting(0);
            if w.cell.wake(GRANTED) {
                adjust(&mut self.waiting_counts, kind, false);
                // The waiter may run already, but to release it needs the latch that we hold.
                self.add(&w.owner, w.ticket, kind, w.duration);
                if self.passes(kind, limit) {
                    i = 0;
                }
            } else {
                self.waiting.insert(i, w);
                i += 1;
            }
        }
        if self.overtaken | (self.strong_passed | self.writes_passed != 0) as TypeSet != 0 {
            self.count_anew();
        }
    }

    /// Those a waiting request of `owner` waits for.
    pub(crate) fn blockers(&self, owner: u64, kind: MdlType) -> Vec<Arc<Shared>> {
        let (granted, waiting) = (kind.blocked_by_granted(self.scoped), self.blocked_by_waiting(kind));
        let mut out: Vec<Arc<Shared>> = Vec::new();
        let holders = self.granted.values().filter(|g| g.owner.id != owner && granted & g.kind.bit() != 0);
        out.extend(holders.map(|g| g.owner.clone()));
        let ahead = self.waiting.iter().filter(|w| w.owner.id != owner && waiting & w.kind.bit() != 0);
        out.extend(ahead.filter(|w| w.cell.is_waiting()).map(|w| w.owner.clone()));
        out
    }
}
