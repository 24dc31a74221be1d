//! Stored programs: which have run how often (events_statements_summary_by_program), and the kinds of their steps
//! (`statement/sp/...`). What becomes of the steps is [`crate::steps`].
//!
//! A thread counts into a [`Slot`] of its own that hangs at the compiled program; the slots also hang at their
//! [`Program`], where readers sum. So a run takes no lock but the first time that a thread meets a program, or after
//! TRUNCATE. What slots have counted whose threads have given them up is kept. Programs that the dictionary has no more
//! are forgotten by who reads ([`keep`]).
//!
//! Locks: the registry, then one program's slots; both cold. Tested: below, `tests/clients/test_program_events.py`.

use crate::objects::{Kind, decided, version};
use crate::statements::{Stats, Totals};
use crate::summaries::Counts;
use crate::timing::{Times, Timing, merge};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

macro_rules! steps {
    ($($id:ident $name:literal $doc:literal;)*) => {
        /// A kind of step of a program.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Step { $(#[doc = $doc] $id,)* }

        impl Step {
            /// All of them.
            pub const ALL: &[Step] = &[$(Step::$id),*];
            /// MySQL's instrument.
            pub const fn name(self) -> &'static str {
                match self { $(Step::$id => concat!("statement/sp/", $name),)* }
            }
        }
    };
}

steps! {
    Statement "stmt" "An SQL statement";
    Set "set" "A variable becomes a value";
    SetTriggerField "set_trigger_field" "A column of NEW becomes a value";
    Jump "jump" "The program goes on elsewhere";
    JumpIfNot "jump_if_not" "It goes on elsewhere unless a condition holds";
    Return "freturn" "RETURN";
    HandlerPush "hpush_jump" "A handler is declared";
    HandlerPop "hpop" "A block with handlers ends";
    HandlerReturn "hreturn" "A handler ends";
    CursorPush "cpush" "A cursor is declared";
    CursorPop "cpop" "A block with cursors ends";
    CursorOpen "copen" "OPEN";
    CursorClose "cclose" "CLOSE";
    CursorFetch "cfetch" "FETCH";
    Error "error" "CASE without a branch that holds";
    SetCase "set_case_expr" "The operand of CASE";
}

/// A program, as events name it.
#[derive(Debug)]
pub struct Program {
    /// OBJECT_TYPE.
    pub kind: Kind,
    /// OBJECT_SCHEMA.
    pub schema: String,
    /// OBJECT_NAME.
    pub name: String,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    live: Vec<Arc<Slot>>,
    gone: Sums,
}

/// Its runs, and the statements in them.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// How often it ran and how long.
    pub runs: Times,
    /// Its steps.
    pub statements: Totals,
}

impl Sums {
    fn add(&mut self, slot: &Slot) {
        merge(&mut self.runs, &slot.runs.totals());
        self.statements.merge(&slot.statements.totals());
    }
}

/// What one thread has counted of a program; written by it alone.
#[derive(Debug)]
pub struct Slot {
    /// Whose it is.
    pub program: Arc<Program>,
    /// Its runs.
    pub runs: Timing,
    /// Its steps.
    pub statements: Stats,
    /// Whether it is recorded, and with times (setup_objects).
    pub decided: (bool, bool),
    /// What [`Slot::is_good`] compares.
    made: (u64, u64),
}

impl Slot {
    /// Whether TRUNCATE and setup_objects have left it as it was.
    #[inline]
    pub fn is_good(&self) -> bool {
        self.made == (EPOCH.load(Relaxed), version())
    }
}

impl Program {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// What all threads have counted.
    pub fn sums(&self) -> Sums {
        let kept = self.kept();
        let mut sums = kept.gone.clone();
        kept.live.iter().for_each(|s| sums.add(s));
        sums
    }
}

/// What a compiled program has taken of memory, as long as there is one.
#[derive(Debug)]
pub struct Footprint(u64);

/// Compiled programs and their bytes.
static COMPILED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

impl Footprint {
    /// Of `bytes`.
    pub fn new(bytes: usize) -> Footprint {
        let [count, sum] = &COMPILED;
        count.fetch_add(1, Relaxed);
        sum.fetch_add(bytes as u64, Relaxed);
        Footprint(bytes as u64)
    }
}

impl Drop for Footprint {
    fn drop(&mut self) {
        let [count, sum] = &COMPILED;
        count.fetch_sub(1, Relaxed);
        sum.fetch_sub(self.0, Relaxed);
    }
}

/// Compiled programs of all threads, and their bytes without plans.
pub fn memory() -> (u64, u64) {
    let [count, sum] = COMPILED.each_ref().map(|n| n.load(Relaxed));
    (count, sum)
}

type Key = (u8, String, String);

static REGISTRY: Mutex<Option<HashMap<Key, Arc<Program>>>> = Mutex::new(None);
/// Raised by TRUNCATE.
static EPOCH: AtomicU64 = AtomicU64::new(1);
/// Programs that are kept; of more nothing is counted.
const MOST: usize = 10_000;
static LOST: AtomicU64 = AtomicU64::new(0);

fn registry() -> MutexGuard<'static, Option<HashMap<Key, Arc<Program>>>> {
    REGISTRY.lock().unwrap_or_else(|e| e.into_inner())
}

/// Programs that found no room (Performance_schema_program_lost).
pub fn lost() -> u64 {
    LOST.load(Relaxed)
}

/// A slot for a thread that meets a program.
#[cold]
pub fn slot(kind: Kind, schema: &str, name: &str) -> Option<Arc<Slot>> {
    let key = (kind as u8, schema.to_owned(), name.to_lowercase());
    let mut all = registry();
    let all = all.get_or_insert_default();
    if all.len() >= MOST && !all.contains_key(&key) {
        LOST.fetch_add(1, Relaxed);
        return None;
    }
    let new = || Program { kind, schema: schema.to_owned(), name: name.to_owned(), kept: Mutex::default() };
    let program = all.entry(key).or_insert_with(|| Arc::new(new())).clone();
    let slot = Arc::new(Slot {
        program: program.clone(),
        runs: Timing::default(),
        statements: Stats::default(),
        decided: decided(kind, schema, name),
        made: (EPOCH.load(Relaxed), version()),
    });
    let kept = &mut *program.kept();
    // those that no thread has any more
    let gone = &mut kept.gone;
    kept.live.retain(|s| {
        let lives = Arc::strong_count(s) > 1;
        if !lives {
            gone.add(s);
        }
        lives
    });
    kept.live.push(slot.clone());
    Some(slot)
}

/// All programs that have run and that setup_objects records.
pub fn all() -> Vec<Arc<Program>> {
    registry().iter().flatten().map(|(_, p)| p.clone()).filter(|p| decided(p.kind, &p.schema, &p.name).0).collect()
}

/// Forgets those that are gone.
pub fn keep(is_there: impl Fn(&Program) -> bool) {
    registry().iter_mut().for_each(|all| all.retain(|_, p| is_there(p)));
}

/// TRUNCATE: the programs stay, with nothing counted.
pub fn truncate() {
    registry().iter().flatten().for_each(|(_, p)| *p.kept() = Kept::default());
    EPOCH.fetch_add(1, Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_of_threads_add_up_and_truncate_takes_them() {
        let of = || all().into_iter().find(|p| p.name == "Prog").unwrap();
        let a = slot(Kind::Procedure, "shop", "Prog").unwrap();
        std::thread::spawn(|| slot(Kind::Procedure, "shop", "PROG").unwrap().runs.add(7)).join().unwrap();
        a.runs.add(5);
        assert_eq!(of().sums().runs, [2, 12, 5, 7]);
        let b = slot(Kind::Procedure, "shop", "Prog").unwrap();
        b.runs.add(1);
        assert_eq!(of().sums().runs, [3, 13, 1, 7], "a slot that nobody has is kept");
        truncate();
        assert_eq!(of().sums().runs, [0; 4]);
        assert!(!a.is_good() && !b.is_good());
        a.runs.add(1);
        assert_eq!(of().sums().runs, [0; 4]);
        keep(|p| p.name != "Prog");
        assert!(!all().iter().any(|p| p.name == "Prog"));
    }
}
