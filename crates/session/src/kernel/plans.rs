//! The plan cache: statement hash -> plan.
//!
//! The key is the hash of the normalised tokens (128 bits, seeded per process by the lexer) mixed with what else decides a plan: default
//! schema, sql_mode, connection collation. A plan whose shape depends on some literals' text (`Notes::pinned`) is one of several
//! candidates under its key and is taken only if those literals are the same.
//!
//! Two levels: a thread's own map, which needs no lock, in front of the server's, so that a new connection finds what others have
//! planned and a thread that serves a thousand of them has one map in its caches. A session whose temporary tables give names another meaning has
//! a map of its own in front of both. All are bounded by their number and by what making them took from the allocator ([`base::memory::live`]). A plan is valid as long as its tables have the definitions it was made for, which [`crate::kernel::locks`] checks under the
//! metadata locks before every execution; a stale one is replaced.

use crate::kernel::foreign_key_tables::{self, Related};
use executor::Env;
use executor::gate::Cleared;
use hashbrown::HashMap;
use mdl::{MdlKey, MdlType};
use parking_lot::RwLock;
use parser::Lexed;
use planner::plan::Plan;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use value::SqlType;

/// Candidates under one key; more than this with different pinned literals replace each other.
const CANDIDATES: usize = 4;
const SESSION_ENTRIES: usize = 256;
const THREAD_ENTRIES: usize = 2048;
const SHARED_ENTRIES: usize = 8192;
/// Bytes of the plans of a session's map, of a thread's, and of each of the server's.
const SESSION_BYTES: usize = 4 << 20;
const THREAD_BYTES: usize = 16 << 20;
const SHARED_BYTES: usize = 48 << 20;

/// A plan with its metadata lock keys.
pub(crate) struct CachedPlan {
    pub(crate) plan: Plan,
    /// What names meant when it was made (`TempTables::epoch`).
    pub(crate) epoch: u64,
    /// Whether it changes a table that is not temporary.
    pub(crate) writes: bool,
    /// Whether it is refused and waits where a change would be, since it locks rows (see [`locks_rows`]).
    pub(crate) locking: bool,
    /// One per table of the plan that is not temporary and per view, then those that foreign keys lead to.
    pub(crate) locks: Vec<(MdlKey, MdlType)>,
    /// Tables that foreign keys lead to.
    pub(crate) related: Vec<Related>,
    /// The dictionary's version at which the tables were last seen to have the definitions of the plan.
    pub(crate) checked: AtomicU64,
    /// What it reaches through programs, as of its last run (see [`crate::kernel::programs::closure`]).
    pub(crate) reached: parking_lot::Mutex<Option<Arc<crate::kernel::programs::closure::Closed>>>,
    /// Bytes that making it took.
    bytes: usize,
    /// What running it goes over (see [`crate::kernel::plan_lines`]); empty until it has run.
    lines: OnceLock<Box<[usize]>>,
}

/// Whether FOR UPDATE names a table that is not temporary, or a view of such; what the query of a view says itself does not count.
fn locks_rows(plan: &Plan) -> bool {
    let mut tables = plan.tables.iter();
    tables.clone().any(|t| t.for_update && t.via.is_none() && !t.def.is_temporary())
        || plan.views.iter().any(|v| v.for_update) && tables.any(|t| t.via.is_some())
}

/// The metadata lock of a stored function.
pub(crate) fn function_key(schema: &str, name: &str) -> MdlKey {
    MdlKey::new(mdl::Namespace::Function, schema, &storage::dict::programs::folded(name))
}

impl CachedPlan {
    pub(crate) fn new(plan: Plan, env: &Env) -> CachedPlan {
        let epoch = env.temp.epoch();
        let (more, related) = foreign_key_tables::of(&plan, env);
        let mut locks: Vec<(MdlKey, MdlType)> = plan
            .tables
            .iter()
            .filter(|t| !t.def.is_temporary())
            .map(|t| {
                // FOR SHARE reads, as far as others' LOCK TABLES ... READ goes
                let kind = if t.write || t.for_update { MdlType::Sw } else { MdlType::Sr };
                (MdlKey::table(&t.def.schema, &t.def.name), kind)
            })
            .chain(plan.views.iter().map(|v| (MdlKey::table(&v.def.schema, &v.def.name), MdlType::Sr)))
            .chain(plan.functions.iter().map(|f| (function_key(&f.def.schema, &f.def.name), MdlType::S)))
            .collect();
        let writes = plan.tables.iter().any(|t| t.write && !t.def.is_temporary());
        locks.extend(more);
        let locking = locks_rows(&plan);
        CachedPlan {
            plan,
            epoch,
            writes,
            locking,
            locks,
            related,
            checked: AtomicU64::new(u64::MAX),
            reached: Default::default(),
            bytes: 0,
            lines: OnceLock::new(),
        }
    }

    /// Made since [`base::memory::live`] said `before`.
    pub(crate) fn made_since(mut self, before: i64) -> CachedPlan {
        self.bytes = base::memory::taken_since(before);
        self
    }

    /// The proof that the account may run it now.
    #[inline]
    pub(crate) fn cleared(&self, env: &Env) -> base::SqlResult<Cleared<'_>> {
        Cleared::check(&self.plan, env)
    }

    /// Asks for the memory that running it will need.
    #[inline]
    pub(crate) fn prefetch(&self) {
        if let Some(l) = self.lines.get() {
            sys::prefetch::prefetch(l);
        }
    }

    /// After a run: what the next one asks for.
    pub(crate) fn has_run(&self) {
        if self.lines.get().is_none()
            && let Some(l) = crate::kernel::plan_lines::lines(self)
        {
            let _ = self.lines.set(l);
        }
    }

    fn fits(&self, lexed: &Lexed, sql: &[u8]) -> bool {
        self.plan.notes.fits(|n| lexed.literal_text(sql, n))
    }
}

/// Plans by key, within bounds: rarely reached, and all entries are worth the same, so it starts over then rather than keep an order on every hit.
struct Bounded<P> {
    map: HashMap<u128, SmallVec<[P; 1]>>,
    bytes: usize,
}

impl<P> Default for Bounded<P> {
    fn default() -> Self {
        Bounded { map: HashMap::new(), bytes: 0 }
    }
}

impl<P: Weighed> Bounded<P> {
    fn find(&self, key: u128, fits: impl Fn(&P) -> bool) -> Option<&P> {
        self.map.get(&key)?.iter().find(|p| fits(p))
    }

    /// Adds one in place of those that it `replaces`; at most `candidates` under a key, the oldest goes.
    fn put(&mut self, bounds: (usize, usize), candidates: usize, key: u128, plan: P, replaces: impl Fn(&P) -> bool) {
        let (entries, bytes) = bounds;
        if (self.map.len() >= entries && !self.map.contains_key(&key)) || self.bytes + plan.bytes() > bytes {
            self.clear();
        }
        self.bytes += plan.bytes();
        let mut gone = 0;
        let entry = self.map.entry(key).or_default();
        entry.retain(|p| {
            let goes = replaces(p);
            gone += if goes { p.bytes() } else { 0 };
            !goes
        });
        if entry.len() >= candidates {
            gone += entry.remove(0).bytes();
        }
        entry.push(plan);
        self.bytes -= gone;
    }

    fn clear(&mut self) {
        self.map.clear();
        self.bytes = 0;
    }
}

/// What takes memory.
trait Weighed {
    fn bytes(&self) -> usize;
}

impl Weighed for CachedPlan {
    fn bytes(&self) -> usize {
        self.bytes
    }
}

impl<T: Weighed> Weighed for Arc<T> {
    fn bytes(&self) -> usize {
        (**self).bytes()
    }
}

impl<T: Weighed> Weighed for Rc<T> {
    fn bytes(&self) -> usize {
        (**self).bytes()
    }
}

impl Weighed for PreparedPlan {
    fn bytes(&self) -> usize {
        self.plan.bytes
    }
}

/// The server's plans.
#[derive(Default)]
pub(crate) struct SharedPlans(RwLock<Bounded<Arc<CachedPlan>>>);

impl SharedPlans {
    /// How many there are, and their bytes.
    pub(crate) fn size(&self) -> (u64, u64) {
        let all = self.0.read();
        (all.map.values().map(|v| v.len()).sum::<usize>() as u64, all.bytes as u64)
    }
}

/// A prepared statement's plan, shared by all sessions that prepare the same text with the same types: drivers prepare the
/// same few statements on every connection.
pub(crate) struct PreparedPlan {
    pub(crate) sql: Arc<[u8]>,
    /// Parameter types it was made for.
    pub(crate) types: Vec<SqlType>,
    /// `character_set_results` it was made for: its column definitions name it.
    pub(crate) results: u64,
    /// `sql_select_limit` and `optimizer_switch` it was made with: those of the execution count.
    pub(crate) settings: [u64; 2],
    pub(crate) plan: CachedPlan,
}

/// The server's plans of prepared statements, under the same kind of key.
#[derive(Default)]
pub(crate) struct SharedPrepared(RwLock<Bounded<Arc<PreparedPlan>>>);

impl SharedPrepared {
    pub(crate) fn find(&self, key: u128, sql: &[u8], types: &[SqlType]) -> Option<Arc<PreparedPlan>> {
        self.0.read().find(key, |p| *p.sql == *sql && p.types == types).cloned()
    }

    /// Replaces one for the same text and types.
    pub(crate) fn insert(&self, key: u128, plan: &Arc<PreparedPlan>) {
        let same = |p: &Arc<PreparedPlan>| p.sql == plan.sql && p.types == plan.types;
        self.0.write().put((SHARED_ENTRIES, SHARED_BYTES), 2 * CANDIDATES, key, plan.clone(), same);
    }
}

/// A plan as a thread uses it: counted by the thread alone, so that running it writes no count that others write.
pub(crate) type Lent = Rc<Arc<CachedPlan>>;

thread_local! {
    /// Plans that this thread has met, of statements that mean the same in all sessions.
    static MINE: RefCell<Bounded<Lent>> = RefCell::default();
}

/// A session's way to plans: of its own are those that its temporary tables decide.
#[derive(Default)]
pub(crate) struct SessionPlans(Bounded<Arc<CachedPlan>>);

impl SessionPlans {
    /// `epoch`: what names mean in the session now.
    pub(crate) fn find(&self, shared: &SharedPlans, epoch: u64, key: u128, lexed: &Lexed, sql: &[u8]) -> Option<Lent> {
        if epoch != 0 {
            return self.0.find(key, |p| p.fits(lexed, sql)).map(|p| Rc::new(p.clone()));
        }
        MINE.with_borrow_mut(|mine| {
            if let Some(p) = mine.find(key, |p| p.fits(lexed, sql)) {
                return Some(p.clone());
            }
            let found = Rc::new(shared.0.read().find(key, |p| p.fits(lexed, sql)).cloned()?);
            put_mine(mine, key, found.clone());
            Some(found)
        })
    }

    pub(crate) fn insert(&mut self, shared: &SharedPlans, key: u128, plan: &Arc<CachedPlan>) {
        let same = |p: &Arc<CachedPlan>| p.plan.notes.fit_the_same(&plan.plan.notes);
        if plan.epoch != 0 {
            self.0.put((SESSION_ENTRIES, SESSION_BYTES), CANDIDATES, key, plan.clone(), same);
            return;
        }
        MINE.with_borrow_mut(|mine| put_mine(mine, key, Rc::new(plan.clone())));
        shared.0.write().put((SHARED_ENTRIES, SHARED_BYTES), CANDIDATES, key, plan.clone(), same);
    }

    /// Forgets its own (settings that are not part of the key have changed).
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

fn put_mine(mine: &mut Bounded<Lent>, key: u128, plan: Lent) {
    let pinned = plan.clone();
    let same = |p: &Lent| p.plan.notes.fit_the_same(&pinned.plan.notes);
    mine.put((THREAD_ENTRIES, THREAD_BYTES), CANDIDATES, key, plan, same);
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Item(u32, usize);

    impl Weighed for Item {
        fn bytes(&self) -> usize {
            self.1
        }
    }

    fn put(b: &mut Bounded<Arc<Item>>, key: u128, name: u32, bytes: usize) {
        b.put((4, 100), 2, key, Arc::new(Item(name, bytes)), |i| i.0 == name);
        assert_eq!(b.bytes, b.map.values().flatten().map(|i| i.1).sum::<usize>());
    }

    #[test]
    fn number_and_bytes_are_bounded() {
        let mut b: Bounded<Arc<Item>> = Bounded::default();
        (0..4).for_each(|k| put(&mut b, k, 0, 15));
        assert!(b.find(0, |_| true).is_some());
        put(&mut b, 3, 0, 30);
        put(&mut b, 3, 1, 10);
        assert_eq!((b.map.len(), b.bytes), (4, 85), "one replaced, one more under its key");
        put(&mut b, 2, 7, 0);
        put(&mut b, 2, 8, 0);
        assert!(b.find(2, |i| i.0 == 0).is_none(), "the oldest of three under a key goes");
        put(&mut b, 4, 0, 0);
        assert_eq!((b.map.len(), b.bytes), (1, 0), "a fifth key");
        put(&mut b, 5, 0, 60);
        put(&mut b, 6, 0, 60);
        assert_eq!((b.map.len(), b.bytes), (1, 60), "too many bytes");
    }
}
