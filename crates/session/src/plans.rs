//! The plan cache: statement hash -> plan.
//!
//! The key is the hash of the normalised tokens (128 bits, seeded per process by the lexer) mixed with what else decides a plan: default
//! schema, sql_mode, connection collation. A plan whose shape depends on some literals' text (`Notes::pinned`) is one of several
//! candidates under its key and is taken only if those literals are the same.
//!
//! Two levels: a session's own map, which needs no lock, in front of the server's, so that a new connection finds what others have
//! planned. A plan is valid as long as its tables have the definitions it was made for, which [`crate::locks`] checks under the
//! metadata locks before every execution; a stale one is replaced.

use crate::related::{self, Related};
use executor::Env;
use hashbrown::HashMap;
use mdl::{MdlKey, MdlType};
use parking_lot::RwLock;
use parser::Lexed;
use planner::plan::Plan;
use smallvec::SmallVec;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use value::SqlType;

/// Candidates under one key; more than this with different pinned literals replace each other.
const CANDIDATES: usize = 4;
const SESSION_ENTRIES: usize = 256;
const SHARED_ENTRIES: usize = 8192;

/// A plan with its metadata lock keys.
pub(crate) struct CachedPlan {
    pub(crate) plan: Plan,
    /// What names meant when it was made (`TempTables::epoch`).
    pub(crate) epoch: u64,
    /// Whether it changes a table that is not temporary.
    pub(crate) writes: bool,
    /// One per table of the plan that is not temporary and per view, then those that foreign keys lead to.
    pub(crate) locks: Vec<(MdlKey, MdlType)>,
    /// Tables that foreign keys lead to.
    pub(crate) related: Vec<Related>,
    /// The dictionary's version at which the tables were last seen to have the definitions of the plan.
    pub(crate) checked: AtomicU64,
    /// What running it goes over (see [`crate::warm`]); empty until it has run.
    lines: OnceLock<Box<[usize]>>,
}

impl CachedPlan {
    pub(crate) fn new(plan: Plan, env: &Env) -> CachedPlan {
        let epoch = env.temp.epoch();
        let (more, related) = related::of(&plan, env.engine.dict());
        let mut locks: Vec<(MdlKey, MdlType)> = plan
            .tables
            .iter()
            .filter(|t| !t.def.is_temporary())
            .map(|t| {
                let kind = if t.write || t.locking { MdlType::Sw } else { MdlType::Sr };
                (MdlKey::table(&t.def.schema, &t.def.name), kind)
            })
            .chain(plan.views.iter().map(|v| (MdlKey::table(&v.def.schema, &v.def.name), MdlType::Sr)))
            .collect();
        let writes = plan.tables.iter().any(|t| t.write && !t.def.is_temporary());
        locks.extend(more);
        CachedPlan { plan, epoch, writes, locks, related, checked: AtomicU64::new(u64::MAX), lines: OnceLock::new() }
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
            && let Some(l) = crate::warm::lines(self)
        {
            let _ = self.lines.set(l);
        }
    }

    fn fits(&self, lexed: &Lexed, sql: &[u8]) -> bool {
        self.plan.notes.pinned.iter().all(|(n, text)| lexed.literal_text(sql, *n) == &**text)
    }
}

type Entry = SmallVec<[Arc<CachedPlan>; 1]>;

/// The server's plans.
#[derive(Default)]
pub(crate) struct SharedPlans(RwLock<HashMap<u128, Entry>>);

/// A prepared statement's plan, shared by all sessions that prepare the same text with the same types: drivers prepare the
/// same few statements on every connection.
pub(crate) struct PreparedPlan {
    pub(crate) sql: Arc<[u8]>,
    /// Parameter types it was made for.
    pub(crate) types: Vec<SqlType>,
    /// `character_set_results` it was made for: its column definitions name it.
    pub(crate) results: u64,
    pub(crate) plan: CachedPlan,
}

/// The server's plans of prepared statements, under the same kind of key.
#[derive(Default)]
pub(crate) struct SharedPrepared(RwLock<HashMap<u128, SmallVec<[Arc<PreparedPlan>; 1]>>>);

impl SharedPrepared {
    pub(crate) fn find(&self, key: u128, sql: &[u8], types: &[SqlType]) -> Option<Arc<PreparedPlan>> {
        self.0.read().get(&key)?.iter().find(|p| *p.sql == *sql && p.types == types).cloned()
    }

    /// Replaces one for the same text and types.
    pub(crate) fn insert(&self, key: u128, plan: &Arc<PreparedPlan>) {
        let mut map = self.0.write();
        if map.len() >= SHARED_ENTRIES && !map.contains_key(&key) {
            map.clear();
        }
        let entry = map.entry(key).or_default();
        entry.retain(|p| p.sql != plan.sql || p.types != plan.types);
        if entry.len() >= 2 * CANDIDATES {
            entry.remove(0);
        }
        entry.push(plan.clone());
    }
}

/// A session's plans.
#[derive(Default)]
pub(crate) struct SessionPlans(HashMap<u128, Entry>);

fn put(map: &mut HashMap<u128, Entry>, limit: usize, key: u128, plan: Arc<CachedPlan>) {
    if map.len() >= limit && !map.contains_key(&key) {
        // rare, and all entries are worth the same: start over rather than keep an order on every hit
        map.clear();
    }
    let entry = map.entry(key).or_default();
    entry.retain(|p| p.plan.notes.pinned != plan.plan.notes.pinned);
    if entry.len() >= CANDIDATES {
        entry.remove(0);
    }
    entry.push(plan);
}

impl SessionPlans {
    pub(crate) fn find(
        &mut self,
        shared: &SharedPlans,
        key: u128,
        lexed: &Lexed,
        sql: &[u8],
    ) -> Option<Arc<CachedPlan>> {
        if let Some(p) = self.0.get(&key).and_then(|e| e.iter().find(|p| p.fits(lexed, sql))) {
            return Some(p.clone());
        }
        let found = shared.0.read().get(&key).and_then(|e| e.iter().find(|p| p.fits(lexed, sql)).cloned())?;
        put(&mut self.0, SESSION_ENTRIES, key, found.clone());
        Some(found)
    }

    pub(crate) fn insert(&mut self, shared: &SharedPlans, key: u128, plan: &Arc<CachedPlan>) {
        put(&mut self.0, SESSION_ENTRIES, key, plan.clone());
        if plan.epoch == 0 {
            put(&mut shared.0.write(), SHARED_ENTRIES, key, plan.clone());
        }
    }

    /// Forgets all (settings that are not part of the key have changed).
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
