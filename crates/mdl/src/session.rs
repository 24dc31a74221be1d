//! [`MdlSession`]: the locks of one session. Used by the session's own thread; what others may see is in `Shared`.

use crate::fast::{self, Published};
use crate::key::name_or_unnamed;
use crate::lock::{GRANTED, Lock, Waiter};
use crate::manager::{MdlManager, SLOTS, Shard, Shared, moved_ticket};
use crate::search;
use crate::types::{Duration, MdlType};
use crate::{MdlKey, Namespace};
use base::{ErrorCode, SqlError};
use probe::{Counter, WaitClass};
use sched::{Deadline, Kill, WaitCell, Waited};
use std::sync::Arc;

/// Why a lock was not granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MdlError {
    /// `lock_wait_timeout` (or GET_LOCK's timeout) is over; also what a request without waiting answers.
    Timeout,
    /// Chosen to end a deadlock: the statement fails, the transaction is to be rolled back.
    Deadlock,
    /// The same for a user-level lock, which is no reason to roll back.
    UserLockDeadlock,
    /// KILL or shutdown.
    Interrupted(Kill),
    /// A type the namespace does not have (IX of a table, SR of a schema): a programming error of the caller.
    WrongType,
}

impl From<MdlError> for SqlError {
    fn from(e: MdlError) -> SqlError {
        let code = match e {
            MdlError::Timeout => ErrorCode::LOCK_WAIT_TIMEOUT,
            MdlError::Deadlock => ErrorCode::LOCK_DEADLOCK,
            MdlError::UserLockDeadlock => ErrorCode::USER_LOCK_DEADLOCK,
            MdlError::Interrupted(k) => return k.into(),
            MdlError::WrongType => {
                return SqlError::with_message(ErrorCode::UNKNOWN_ERROR, "metadata lock: wrong type");
            }
        };
        SqlError::new(code, &[])
    }
}

/// Names a lock of a session, for release and upgrade.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ticket(u64);

/// A moment in a session's acquisitions, for ROLLBACK TO SAVEPOINT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Savepoint(u64);

#[derive(Clone, Copy, Debug)]
struct Held {
    ticket: u64,
    /// Slot it was granted in; the lock may have been moved since, which the slot itself says.
    slot: Option<usize>,
    hash: u64,
    namespace: Namespace,
    kind: MdlType,
    duration: Duration,
}

impl Held {
    /// Its number in the table, if it is there.
    fn table_ticket(&self) -> u64 {
        self.slot.map_or(self.ticket, moved_ticket)
    }
    fn is_strong(&self) -> bool {
        strong(self.namespace, self.kind)
    }
}

fn strong(ns: Namespace, kind: MdlType) -> bool {
    ns.has_weak() && kind.is_strong(ns.is_scoped())
}

/// What a request may do where it is not granted at once.
#[derive(Clone, Copy)]
enum May {
    /// Nothing.
    Try,
    /// Wait.
    Wait(Deadline),
    /// The same, and pass those by who wait.
    Overtake(Deadline),
}

impl May {
    fn deadline(self) -> Deadline {
        match self {
            May::Try => Deadline::NEVER,
            May::Wait(d) | May::Overtake(d) => d,
        }
    }
}

/// What became of a request at the table.
enum Request {
    /// The table has the ticket.
    Granted,
    /// Others stand against it, and it was not to wait.
    Busy,
    /// It waits in the lock's queue. `search`: the wait may have closed a cycle.
    Queued { cell: Arc<WaitCell>, search: bool },
}

/// See the module. Dropping it releases everything.
pub struct MdlSession {
    manager: Arc<MdlManager>,
    shared: Arc<Shared>,
    held: Vec<Held>,
    /// Bit set = slot free.
    free_slots: u32,
    next_ticket: u64,
}

/// What a wait for a lock is about, for performance_schema.
fn about(key: &MdlKey) -> probe::waits::About {
    let name = |n: &str| (!n.is_empty()).then(|| n.to_owned());
    let object = probe::waits::Object {
        kind: key.namespace().name(),
        schema: name(key.db()),
        name: name(key.object()),
        index: None,
    };
    probe::waits::About {
        operation: "metadata lock",
        object: Some(std::sync::Arc::new(object)),
        address: key.hash() as usize,
        ..probe::waits::About::default()
    }
}

impl MdlSession {
    pub(crate) fn new(manager: Arc<MdlManager>, shared: Arc<Shared>) -> MdlSession {
        MdlSession { manager, shared, held: Vec::with_capacity(SLOTS), free_slots: (1 << SLOTS) - 1, next_ticket: 1 }
    }
    /// What taking and giving back a lock touches of the session's own.
    pub fn lines(&self, to: &mut sys::prefetch::Lines) {
        to.add(&*self.shared);
        to.add_range(self.held.as_ptr().addr(), size_of::<Held>());
    }
    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }
    /// The table these locks belong to.
    pub fn manager(&self) -> &Arc<MdlManager> {
        &self.manager
    }

    // ---- acquire ----

    /// Takes a lock, waiting until `deadline`. A lock the session already holds that is as strong and lasts as long is used again (the
    /// ticket is then the old one), but never one that outlives transactions.
    pub fn acquire(
        &mut self,
        key: &MdlKey,
        kind: MdlType,
        duration: Duration,
        deadline: Deadline,
    ) -> Result<Ticket, MdlError> {
        self.acquire_with(key, kind, duration, May::Wait(deadline))
    }

    /// As [`MdlSession::acquire`], but nobody who only waits for the lock keeps the request out. For a session that
    /// others wait for: it must come to an end before what waits can begin.
    pub fn acquire_ahead(
        &mut self,
        key: &MdlKey,
        kind: MdlType,
        duration: Duration,
        deadline: Deadline,
    ) -> Result<Ticket, MdlError> {
        self.acquire_with(key, kind, duration, May::Overtake(deadline))
    }

    /// As [`MdlSession::acquire`] without waiting: [`MdlError::Timeout`] if it would have to.
    pub fn try_acquire(&mut self, key: &MdlKey, kind: MdlType, duration: Duration) -> Result<Ticket, MdlError> {
        self.acquire_with(key, kind, duration, May::Try)
    }

    fn acquire_with(&mut self, key: &MdlKey, kind: MdlType, duration: Duration, may: May) -> Result<Ticket, MdlError> {
        let scoped = key.namespace().is_scoped();
        let known = if scoped { matches!(kind, MdlType::Ix | MdlType::S | MdlType::X) } else { kind != MdlType::Ix };
        if !known {
            return Err(MdlError::WrongType);
        }
        if !duration.is_lasting()
            && let Some(h) = self.find(key.hash(), kind, scoped, duration)
        {
            return Ok(Ticket(h.ticket));
        }
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let mut held = Held { ticket, slot: None, hash: key.hash(), namespace: key.namespace(), kind, duration };
        if kind.is_weak(scoped) && key.namespace().has_weak() && self.free_slots != 0 {
            let slot = self.free_slots.trailing_zeros() as usize;
            key.make_known();
            let word = fast::word(key.hash(), kind as u8, duration as u8);
            if self.shared.slots.publish(slot, word, self.manager.strong(key.hash())) != Published::Withdrawn {
                self.free_slots &= !(1 << slot);
                held.slot = Some(slot);
                self.held.push(held);
                probe::inc(Counter::MdlFastPath);
                return Ok(Ticket(ticket));
            }
        }
        probe::inc(Counter::MdlSlowPath);
        self.acquire_slow(key, &held, may)?;
        self.held.push(held);
        Ok(Ticket(ticket))
    }

    fn find(&self, hash: u64, kind: MdlType, scoped: bool, duration: Duration) -> Option<&Held> {
        self.held.iter().find(|h| {
            h.hash == hash && h.kind.covers(kind, scoped) && !h.duration.is_lasting() && h.duration >= duration
        })
    }

    #[cold]
    fn acquire_slow(&self, key: &MdlKey, want: &Held, may: May) -> Result<(), MdlError> {
        match self.request(key, want, may) {
            Request::Granted => Ok(()),
            Request::Busy => Err(MdlError::Timeout),
            Request::Queued { cell, search } => {
                if search {
                    search::break_cycles(&self.manager, &self.shared);
                }
                self.wait_in_queue(key, want, &cell, may.deadline())
            }
        }
    }

    /// Takes the lock if nobody stands against it. Otherwise the request joins the queue, if it may wait, or leaves
    /// no trace.
    fn request(&self, key: &MdlKey, want: &Held, may: May) -> Request {
        let m = &self.manager;
        let me = &self.shared;
        if want.is_strong() {
            fast::raise(m.strong(want.hash));
        }
        let mut shard = m.shard(want.hash);
        let lock = shard.entry(want.hash).or_insert_with(|| Lock::new(key.name().clone()));
        if want.is_strong() {
            m.sweep(want.hash, lock);
        }
        // A second ticket beside one as strong must not queue behind those who wait for the first.
        let overtakes = matches!(may, May::Overtake(_)) && lock.suits_granted(me.id, want.kind);
        if overtakes || lock.covered(me.id, want.kind) || lock.can_grant(me.id, want.kind, false) {
            lock.add(me, want.ticket, want.kind, want.duration);
            return Request::Granted;
        }
        if matches!(may, May::Try) {
            self.abandon(&mut shard, want);
            return Request::Busy;
        }
        let cell = Arc::new(WaitCell::new());
        lock.enqueue(Waiter {
            owner: me.clone(),
            ticket: want.ticket,
            kind: want.kind,
            duration: want.duration,
            cell: cell.clone(),
        });
        me.set_waiting(want.hash);
        // A session that holds nothing blocks nobody but those who queue behind the request itself: then there is
        // no cycle to look for.
        let search = !self.held.is_empty() || lock.keeps_others_waiting(want.kind);
        Request::Queued { cell, search }
    }

    /// Sleeps until the queued request is granted or ends otherwise; in the second case it leaves the queue.
    fn wait_in_queue(&self, key: &MdlKey, want: &Held, cell: &WaitCell, deadline: Deadline) -> Result<(), MdlError> {
        let user = want.namespace == Namespace::UserLevelLock;
        let class = if user { WaitClass::UserLock } else { WaitClass::MetadataLock };
        let began = std::time::Instant::now();
        let at = probe::stage::enter(want.namespace.wait_stage());
        let _about = probe::waits::about(about(key));
        let waited = cell.wait(class, deadline);
        drop(at);
        probe::add(Counter::MdlWaitTime, began.elapsed().as_micros() as u64);
        let error = match waited {
            Waited::Woken(GRANTED) => {
                // The lock may have come free between KILL and the moment in which this thread saw it. The client
                // has been told that its statement is over, so that it must not go on: a RENAME would still rename.
                let Some(k) = cell.session().killed() else { return Ok(()) };
                self.drop_slow(want);
                return Err(MdlError::Interrupted(k));
            }
            Waited::Woken(_) if user => MdlError::UserLockDeadlock,
            Waited::Woken(_) => MdlError::Deadlock,
            Waited::TimedOut => MdlError::Timeout,
            Waited::Interrupted(k) => MdlError::Interrupted(k),
        };
        let mut shard = self.manager.shard(want.hash);
        self.shared.set_waiting(0);
        if let Some(lock) = shard.get_mut(&want.hash) {
            lock.dequeue((self.shared.id, want.ticket));
        }
        self.abandon(&mut shard, want);
        Err(error)
    }

    /// After a request or ticket is gone from its lock: lower the counter, grant others, drop an unused lock.
    fn abandon(&self, shard: &mut Shard, gone: &Held) {
        if gone.is_strong() {
            // Under the latch, so that a weak newcomer that still saw the counter finds the table as it is now.
            fast::lower(self.manager.strong(gone.hash));
        }
        if let Some(lock) = shard.get_mut(&gone.hash) {
            lock.reschedule(self.manager.write_limit());
            if lock.is_unused() {
                shard.remove(&gone.hash);
            }
        }
    }

    /// Makes a lock stronger (SU to SNW or X, SNW or SNRW to X). On an error it stays as it was.
    pub fn upgrade(&mut self, key: &MdlKey, ticket: Ticket, to: MdlType, deadline: Deadline) -> Result<(), MdlError> {
        let Some(at) = self.held.iter().position(|h| h.ticket == ticket.0) else { return Err(MdlError::WrongType) };
        let Some(old) = self.held.get(at).copied() else { return Err(MdlError::WrongType) };
        if old.hash != key.hash() {
            return Err(MdlError::WrongType);
        }
        if old.kind.covers(to, key.namespace().is_scoped()) {
            return Ok(());
        }
        // The stronger lock is a second ticket, to which the first is no obstacle; then the first goes.
        let number = self.next_ticket;
        self.next_ticket += 1;
        let new = Held { ticket: number, slot: None, kind: to, ..old };
        self.acquire_slow(key, &new, May::Wait(deadline))?;
        self.drop_lock(&old);
        if let Some(h) = self.held.get_mut(at) {
            // The caller's handle stays valid: the table's ticket takes the old number.
            let mut shard = self.manager.shard(new.hash);
            if let Some(lock) = shard.get_mut(&new.hash)
                && let Some(g) = lock.remove((self.shared.id, number))
            {
                lock.add(&g.owner, old.ticket, g.kind, g.duration);
            }
            *h = Held { ticket: old.ticket, ..new };
        }
        Ok(())
    }

    /// Makes a lock weaker (X to SNW when ALTER TABLE lets readers in again; X to SU ...). Does nothing to one that is not stronger.
    pub fn downgrade(&mut self, ticket: Ticket, to: MdlType) {
        let Some(h) = self.held.iter_mut().find(|h| h.ticket == ticket.0) else { return };
        if h.slot.is_some() || !h.kind.covers(to, h.namespace.is_scoped()) {
            return;
        }
        let before = *h;
        h.kind = to;
        let after = *h;
        let mut shard = self.manager.shard(before.hash);
        if let Some(lock) = shard.get_mut(&before.hash) {
            lock.change_type((self.shared.id, before.ticket), to);
            if before.is_strong() && !after.is_strong() {
                fast::lower(self.manager.strong(before.hash));
            }
            lock.reschedule(self.manager.write_limit());
        }
    }

    // ---- release ----

    /// Releases one lock.
    pub fn release(&mut self, ticket: Ticket) {
        if let Some(i) = self.held.iter().position(|h| h.ticket == ticket.0) {
            let h = self.held.remove(i);
            self.drop_lock(&h);
        }
    }

    /// Releases one `Explicit` lock of this name, the latest (`RELEASE_LOCK`); false if the session holds none.
    pub fn release_named(&mut self, key: &MdlKey) -> bool {
        let mine = |h: &Held| h.hash == key.hash() && h.duration == Duration::Explicit;
        let Some(i) = self.held.iter().rposition(mine) else { return false };
        let h = self.held.remove(i);
        self.drop_lock(&h);
        true
    }

    /// Releases all locks of duration `Statement`.
    pub fn release_statement(&mut self) {
        self.release_if(|h| h.duration == Duration::Statement);
    }
    /// Releases all locks that do not outlive transactions: end of the transaction.
    pub fn release_transaction(&mut self) {
        self.release_if(|h| !h.duration.is_lasting());
    }
    /// Releases the locks of LOCK TABLES.
    pub fn release_tables(&mut self) {
        self.release_if(|h| matches!(h.duration, Duration::Tables | Duration::TablesScope));
    }
    /// Releases all `Explicit` locks of these namespaces (UNLOCK TABLES, RELEASE_ALL_LOCKS); returns how many.
    pub fn release_explicit(&mut self, which: impl Fn(Namespace) -> bool) -> usize {
        self.release_if(|h| h.duration == Duration::Explicit && which(h.namespace))
    }
    /// Releases everything.
    pub fn release_all(&mut self) {
        self.release_if(|_| true);
    }

    /// What [`MdlSession::rollback_to`] goes back to.
    pub fn savepoint(&self) -> Savepoint {
        Savepoint(self.next_ticket)
    }
    /// Releases the locks taken since, but not those that outlive transactions.
    pub fn rollback_to(&mut self, s: Savepoint) {
        self.release_if(|h| h.ticket >= s.0 && !h.duration.is_lasting());
    }

    fn release_if(&mut self, which: impl Fn(&Held) -> bool) -> usize {
        let mut held = std::mem::take(&mut self.held);
        let before = held.len();
        held.retain(|h| {
            let go = which(h);
            if go {
                self.drop_lock(h);
            }
            !go
        });
        let gone = before - held.len();
        self.held = held; // keeps its capacity: no allocation per transaction
        gone
    }

    /// Gives all locks of objects but those that outlive transactions to another session of the same table of locks, without a moment in which nobody has them: a prepared XA
    /// transaction leaves the session it began in. They last until that one releases its transaction's locks.
    pub fn hand_over(&mut self, to: &mut MdlSession) {
        let stays = |h: &&Held| h.duration.is_lasting() || h.namespace.is_scoped();
        let (keep, go): (Vec<Held>, Vec<Held>) = self.held.iter().partition(stays);
        self.held = keep;
        for h in go {
            let ticket = to.next_ticket;
            to.next_ticket += 1;
            fast::raise(self.manager.strong(h.hash));
            {
                let mut shard = self.manager.shard(h.hash);
                let lock = shard.entry(h.hash).or_insert_with(|| Lock::new(name_or_unnamed(h.hash, h.namespace)));
                self.manager.sweep(h.hash, lock);
                lock.remove((self.shared.id, h.table_ticket()));
                lock.add(&to.shared, ticket, h.kind, Duration::Transaction);
            }
            fast::lower(self.manager.strong(h.hash));
            if let Some(slot) = h.slot {
                self.free_slots |= 1 << slot;
                self.shared.slots.retract(slot);
            }
            to.held.push(Held { ticket, slot: None, duration: Duration::Transaction, ..h });
        }
    }

    fn drop_lock(&mut self, h: &Held) {
        if let Some(slot) = h.slot {
            self.free_slots |= 1 << slot;
            if !self.shared.slots.retract(slot) {
                return;
            }
        }
        self.drop_slow(h);
    }

    #[cold]
    fn drop_slow(&self, h: &Held) {
        let mut shard = self.manager.shard(h.hash);
        if let Some(lock) = shard.get_mut(&h.hash) {
            lock.remove((self.shared.id, h.table_ticket()));
        }
        self.abandon(&mut shard, h);
    }

    // ---- questions ----

    /// Whether the session holds a lock of this name that is at least as strong.
    pub fn owns(&self, key: &MdlKey, kind: MdlType) -> bool {
        let scoped = key.namespace().is_scoped();
        self.held.iter().any(|h| h.hash == key.hash() && h.kind.covers(kind, scoped))
    }
    /// Whether another session waits for the end of this lock.
    pub fn is_in_the_way(&self, ticket: Ticket) -> bool {
        let Some(h) = self.held.iter().find(|h| h.ticket == ticket.0) else { return false };
        self.manager.shard(h.hash).get(&h.hash).is_some_and(|l| l.is_waited_for(self.shared.id, h.kind))
    }
    /// How many locks it holds.
    pub fn len(&self) -> usize {
        self.held.len()
    }
    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }
}

impl Drop for MdlSession {
    fn drop(&mut self) {
        self.release_all();
        self.manager.forget(self.shared.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LockStatus;

    /// What a request waits for comes free, and KILL has arrived before the thread looks: on one thread, so that
    /// the order is certain. For each kind of lock that is waited for, and for an upgrade, where the first lock
    /// stays.
    #[test]
    fn a_lock_that_comes_free_after_kill_is_given_back() {
        let table = MdlKey::table("d", "t");
        let (schema, backup, user) = (MdlKey::schema("d"), MdlKey::backup(), MdlKey::user_lock("u"));
        let cases = [
            (&table, MdlType::Sr, MdlType::X),
            (&table, MdlType::X, MdlType::Sr),
            (&schema, MdlType::Ix, MdlType::X),
            (backup, MdlType::S, MdlType::Ix),
            (&user, MdlType::X, MdlType::X),
        ];
        for (key, held, wanted) in cases {
            for kill in [Kill::Timeout, Kill::Query, Kill::Connection] {
                let me = sched::Session::new(0);
                let _working = me.attach();
                let m = MdlManager::new();
                let (mut a, mut b) = (m.session(1), m.session(2));
                let upgraded = (wanted == MdlType::X && held == MdlType::Sr)
                    .then(|| b.try_acquire(key, MdlType::Su, Duration::Transaction).unwrap());
                let granted = a.try_acquire(key, held, Duration::Transaction).unwrap();
                let want = Held {
                    ticket: 77,
                    slot: None,
                    hash: key.hash(),
                    namespace: key.namespace(),
                    kind: wanted,
                    duration: Duration::Transaction,
                };
                let Request::Queued { cell, .. } = b.request(key, &want, May::Wait(Deadline::NEVER)) else {
                    panic!("{key:?} does not wait")
                };
                a.release(granted);
                assert!(!cell.is_waiting(), "granted");
                me.kill(kill);
                let got = b.wait_in_queue(key, &want, &cell, Deadline::NEVER);
                assert_eq!(got, Err(MdlError::Interrupted(kill)), "{key:?} {wanted:?}");
                let left: Vec<_> = m.list().into_iter().map(|l| (l.kind, l.status)).collect();
                let stays = upgraded.map(|_| (MdlType::Su, LockStatus::Granted));
                assert_eq!(left, Vec::from_iter(stays), "{key:?}");
                drop(b);
                // nothing keeps the next one from the strongest lock
                assert!(m.session(4).try_acquire(key, MdlType::X, Duration::Transaction).is_ok(), "{key:?}");
            }
        }
    }
}
