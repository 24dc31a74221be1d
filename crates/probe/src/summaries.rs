//! Sums of events by session and what they amount to by account, user, host and in all: the
//! `..._summary_by_thread_by_event_name` tables and their kin.
//!
//! A session counts into slots of its own, one for each kind of event that it has met ([`Own::slot`]): no lock, and no
//! line that another session writes. What a session has counted is added to its account, user and host when it ends
//! ([`Summary::end`]) and to nothing before: readers add what they find in the sessions that live.
//!
//! TRUNCATE moves sums up, as in MySQL: those of sessions to their accounts, those of accounts to their users and
//! hosts. The sessions' slots are taken from them then, and the next event makes new ones (a slot says that it has been
//! taken). An event that is being counted at that moment may be lost.
//!
//! Bounds: accounts beyond [`MOST`] count only for the server as a whole. Locks: a session's list of slots, then the
//! sums of ended ones; both cold.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

/// Accounts, users and hosts that are kept.
pub const MOST: usize = 10_000;

/// Sums of one kind that one session writes and anybody reads.
pub trait Counts: Default + Send + Sync + 'static {
    /// What they come to.
    type Totals: Clone + Default + Send;
    /// The values now.
    fn totals(&self) -> Self::Totals;
    /// Adds others.
    fn merge(to: &mut Self::Totals, from: &Self::Totals);
}

/// The sums of one kind.
#[derive(Debug, Default)]
#[repr(C)] // who counts looks at the mark and finds the sums beside it
struct Slot<C> {
    /// TRUNCATE has taken it away.
    taken: AtomicBool,
    counts: C,
}

type Slots<C> = Vec<(u32, Arc<Slot<C>>)>;

/// What one session has counted, by kind.
#[derive(Debug)]
pub struct Sums<C> {
    slots: Mutex<Slots<C>>,
}

impl<C> Default for Sums<C> {
    fn default() -> Self {
        Sums { slots: Mutex::default() }
    }
}

/// Kinds that a session finds without looking through its slots.
const NEAR: usize = 8;

/// The slots as their session knows them.
#[derive(Debug)]
pub struct Own<C> {
    /// By the low bits of the kind.
    near: [(u32, Option<Arc<Slot<C>>>); NEAR],
    slots: Slots<C>,
}

impl<C> Default for Own<C> {
    fn default() -> Self {
        Own { near: [const { (u32::MAX, None) }; NEAR], slots: Vec::new() }
    }
}

impl<C> Slot<C> {
    #[inline(always)]
    fn is_there(&self) -> bool {
        !self.taken.load(Relaxed)
    }
}

impl<C: Counts> Own<C> {
    /// The slot of a kind; there is always one.
    #[inline(always)]
    pub fn slot(&mut self, kind: u32, sums: &Sums<C>) -> Option<&C> {
        let at = kind as usize % NEAR;
        let is_known =
            |(k, slot): &(u32, Option<Arc<Slot<C>>>)| *k == kind && slot.as_ref().is_some_and(|s| s.is_there());
        if !self.near.get(at).is_some_and(is_known) {
            self.find(at, kind, sums);
        }
        self.near.get(at)?.1.as_ref().map(|slot| &slot.counts)
    }

    /// Where the sums of a kind stand, if they are known.
    pub fn lines(&self, kind: u32, to: &mut sys::prefetch::Lines) {
        if let Some((k, Some(slot))) = self.near.get(kind as usize % NEAR)
            && *k == kind
        {
            to.add(&**slot);
        }
    }

    #[inline(never)]
    fn find(&mut self, at: usize, kind: u32, sums: &Sums<C>) {
        self.slots.retain(|(_, slot)| slot.is_there());
        let known = self.slots.iter().find(|(k, _)| *k == kind).map(|(_, slot)| slot.clone());
        let slot = known.unwrap_or_else(|| self.enter(kind, sums));
        if let Some(near) = self.near.get_mut(at) {
            *near = (kind, Some(slot));
        }
    }

    #[cold]
    fn enter(&mut self, kind: u32, sums: &Sums<C>) -> Arc<Slot<C>> {
        let slot = Arc::new(Slot::default());
        locked(&sums.slots).push((kind, slot.clone()));
        self.slots.push((kind, slot.clone()));
        slot
    }
}

/// Sums by kind.
pub type ByKind<C> = HashMap<u32, <C as Counts>::Totals>;

impl<C: Counts> Sums<C> {
    /// The sums now.
    pub fn all(&self) -> ByKind<C> {
        let mut out = HashMap::new();
        for (kind, c) in locked(&self.slots).iter() {
            C::merge(out.entry(*kind).or_default(), &c.counts.totals());
        }
        out
    }

    /// Forgets them.
    pub(crate) fn forget(&self) {
        self.take();
    }

    /// The slot of a kind, by whoever is not the session: takes the lock of the slots.
    pub(crate) fn with<R>(&self, kind: u32, f: impl FnOnce(&C) -> R) -> R {
        let mut slots = locked(&self.slots);
        if let Some((_, slot)) = slots.iter().find(|(k, _)| *k == kind) {
            return f(&slot.counts);
        }
        let slot = Arc::new(Slot::default());
        let r = f(&slot.counts);
        slots.push((kind, slot));
        r
    }

    /// Slots and their bytes.
    pub fn memory(&self) -> (u64, u64) {
        let n = locked(&self.slots).len() as u64;
        (n, n * size_of::<Slot<C>>() as u64)
    }

    /// Takes them away; the session begins anew.
    fn take(&self) -> ByKind<C> {
        let mut slots = locked(&self.slots);
        let mut out = HashMap::new();
        for (kind, c) in slots.drain(..) {
            c.taken.store(true, Relaxed);
            C::merge(out.entry(kind).or_default(), &c.counts.totals());
        }
        out
    }
}

/// Which sums a table shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Of each session.
    Thread,
    /// Of each user and host together.
    Account,
    /// Of each user.
    User,
    /// Of each host.
    Host,
    /// Of all.
    Global,
}

/// User and host; `None` for background threads.
pub type Account = (Option<String>, Option<String>);

struct Kept<C: Counts> {
    accounts: HashMap<Account, ByKind<C>>,
    users: HashMap<Option<String>, ByKind<C>>,
    hosts: HashMap<Option<String>, ByKind<C>>,
    /// What accounts have lost by TRUNCATE or had no room for.
    all: ByKind<C>,
}

/// What sessions that have ended, and TRUNCATE, leave.
pub struct Summary<C: Counts>(Mutex<Option<Kept<C>>>);

impl<C: Counts> std::fmt::Debug for Summary<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Summary")
    }
}

impl<C: Counts> Default for Summary<C> {
    fn default() -> Self {
        Summary::new()
    }
}

fn add<C: Counts>(to: &mut ByKind<C>, from: &ByKind<C>) {
    from.iter().for_each(|(kind, t)| C::merge(to.entry(*kind).or_default(), t));
}

/// Adds to the sums of a key, unless there are too many.
fn add_to<K: std::hash::Hash + Eq, C: Counts>(map: &mut HashMap<K, ByKind<C>>, key: K, from: &ByKind<C>) -> bool {
    if map.len() >= MOST && !map.contains_key(&key) {
        return false;
    }
    add::<C>(map.entry(key).or_default(), from);
    true
}

impl<C: Counts> Kept<C> {
    fn add_account(&mut self, who: Account, from: &ByKind<C>) {
        if !add_to::<_, C>(&mut self.accounts, who, from) {
            add::<C>(&mut self.all, from);
        }
    }
}

impl<C: Counts> Summary<C> {
    /// Nothing counted.
    pub const fn new() -> Summary<C> {
        Summary(Mutex::new(None))
    }

    fn with<R>(&self, f: impl FnOnce(&mut Kept<C>) -> R) -> R {
        let mut kept = locked(&self.0);
        f(kept.get_or_insert_with(|| Kept {
            accounts: HashMap::new(),
            users: HashMap::new(),
            hosts: HashMap::new(),
            all: HashMap::new(),
        }))
    }

    /// Sums of a level that are kept of sessions that have ended, and their bytes.
    pub fn memory(&self, level: Level) -> (u64, u64) {
        fn kinds<K, C: Counts>(map: &HashMap<K, ByKind<C>>) -> usize {
            map.values().map(HashMap::len).sum()
        }
        let n = self.with(|k| match level {
            Level::Thread => 0,
            Level::Account => kinds::<_, C>(&k.accounts),
            Level::User => kinds::<_, C>(&k.users),
            Level::Host => kinds::<_, C>(&k.hosts),
            Level::Global => k.all.len(),
        });
        (n as u64, (n * size_of::<C::Totals>()) as u64)
    }

    /// A session ends, or becomes another account's.
    pub fn end(&self, who: Account, sums: &Sums<C>) {
        let counted = sums.take();
        if !counted.is_empty() {
            self.with(|k| k.add_account(who, &counted));
        }
    }

    /// Sums by account, user or host, or of all (one entry). `live`: the sessions there are.
    pub fn read<'s>(
        &self,
        level: Level,
        live: impl Iterator<Item = (Account, &'s Sums<C>)>,
    ) -> Vec<(Account, ByKind<C>)> {
        let named = |(user, host): Account| match level {
            Level::Thread | Level::Account => (user, host),
            Level::User => (user, None),
            Level::Host => (None, host),
            Level::Global => (None, None),
        };
        let mut out: HashMap<Account, ByKind<C>> = HashMap::new();
        for (who, sums) in live {
            add::<C>(out.entry(named(who)).or_default(), &sums.all());
        }
        self.with(|k| {
            for (who, t) in &k.accounts {
                add::<C>(out.entry(named(who.clone())).or_default(), t);
            }
            match level {
                Level::User => {
                    for (u, t) in &k.users {
                        add::<C>(out.entry((u.clone(), None)).or_default(), t);
                    }
                }
                Level::Host => {
                    for (h, t) in &k.hosts {
                        add::<C>(out.entry((None, h.clone())).or_default(), t);
                    }
                }
                Level::Global => add::<C>(out.entry((None, None)).or_default(), &k.all),
                Level::Thread | Level::Account => {}
            }
        });
        let mut out: Vec<_> = out.into_iter().collect();
        out.sort_by(|a, b| a.0.cmp(&b.0));
        out
    }

    /// TRUNCATE of the table of a level.
    pub fn truncate<'s>(&self, level: Level, live: impl Iterator<Item = (Account, &'s Sums<C>)>) {
        let taken: Vec<_> = live.map(|(who, sums)| (who, sums.take())).collect();
        self.with(|k| {
            for (who, t) in taken {
                k.add_account(who, &t);
            }
            if level == Level::Thread {
                return;
            }
            // users and hosts are made of accounts: what these lose they keep
            for ((user, host), t) in std::mem::take(&mut k.accounts) {
                add_to::<_, C>(&mut k.users, user, &t);
                add_to::<_, C>(&mut k.hosts, host, &t);
                add::<C>(&mut k.all, &t);
            }
            match level {
                Level::User => k.users.clear(),
                Level::Host => k.hosts.clear(),
                Level::Global => {
                    k.users.clear();
                    k.hosts.clear();
                    k.all.clear();
                }
                Level::Thread | Level::Account => {}
            }
        });
    }
}

fn locked<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(|e| e.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[derive(Default)]
    struct N(AtomicU64);
    impl Counts for N {
        type Totals = u64;
        fn totals(&self) -> u64 {
            self.0.load(Relaxed)
        }
        fn merge(to: &mut u64, from: &u64) {
            *to += from;
        }
    }

    fn who(user: &str, host: &str) -> Account {
        (Some(user.to_owned()), Some(host.to_owned()))
    }

    #[test]
    fn sums_go_up_when_sessions_end_and_at_truncate() {
        let all: Summary<N> = Summary::new();
        let (a, b) = (Sums::<N>::default(), Sums::<N>::default());
        let (mut mine, mut other) = (Own::<N>::default(), Own::<N>::default());
        let put = |own: &mut Own<N>, kind, sums, n| own.slot(kind, sums).unwrap().0.store(n, Relaxed);
        put(&mut mine, 1, &a, 5);
        put(&mut mine, 2, &a, 7);
        put(&mut other, 1, &b, 10);
        let read = |level, live: &[(Account, &Sums<N>)]| -> Vec<u64> {
            all.read(level, live.iter().cloned()).iter().map(|(_, k)| k.values().sum()).collect()
        };
        let live = [(who("u", "h"), &a), (who("u", "g"), &b)];
        assert_eq!(read(Level::Account, &live), [10, 12]);
        assert_eq!((read(Level::User, &live), read(Level::Global, &live)), (vec![22], vec![22]));
        all.end(who("u", "h"), &a);
        let live = [(who("u", "g"), &b)];
        assert_eq!(read(Level::Account, &live), [10, 12]);
        all.truncate(Level::Thread, live.iter().cloned());
        assert_eq!(b.all().len(), 0);
        assert_eq!(read(Level::Account, &live), [10, 12]);
        put(&mut other, 1, &b, 1);
        all.truncate(Level::Account, live.iter().cloned());
        assert_eq!(read(Level::Account, &live), [0], "the session lives, its account has lost what it had");
        assert_eq!((read(Level::User, &live), read(Level::Host, &live)), (vec![23], vec![11, 12]));
        assert_eq!(read(Level::Global, &live), [23]);
        all.truncate(Level::Global, live.iter().cloned());
        assert_eq!((read(Level::User, &live), read(Level::Global, &live)), (vec![0], vec![0]));
        put(&mut other, 1, &b, 2);
        assert_eq!(read(Level::Global, &live), [2]);
    }
}
