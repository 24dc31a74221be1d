//! What is kept of statements that have ended ([`StatementEvent`]), where it goes, and which sessions are recorded
//! (`setup_actors`).
//!
//! A session's [`Recorder`] hangs at its connection's entry, where others read it. Only the session writes it.

pub use crate::entry::{Nesting, StatementEvent};
use crate::history::Long;
pub use crate::kept::{Kept, OwnTransaction};
use crate::programs::Program;
use crate::statements::{Stats, Totals};
use crate::summaries::{Counts, Summary, Sums};
use parking_lot::MutexGuard as KeptGuard;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

impl Counts for Stats {
    type Totals = Totals;
    fn totals(&self) -> Totals {
        Stats::totals(self)
    }
    fn merge(to: &mut Totals, from: &Totals) {
        to.merge(from);
    }
}

/// events_statements_history_long.
pub static STATEMENTS_LONG: Long<StatementEvent> = Long::new();
/// Statements of sessions that have ended, by kind.
pub static STATEMENT_SUMS: Summary<Stats> = Summary::new();
/// Events of a session's history (`performance_schema_events_statements_history_size`).
static HISTORY: AtomicUsize = AtomicUsize::new(10);

/// How deep statements may be in each other; deeper ones become no events (`performance_schema_max_statement_stack`).
pub const STACK: u32 = 10;
static LOST_NESTED: AtomicU64 = AtomicU64::new(0);

/// Statements that were deeper (Performance_schema_nested_statement_lost).
pub fn lost_nested() -> u64 {
    LOST_NESTED.load(Relaxed)
}

pub(crate) fn lose_nested() {
    LOST_NESTED.fetch_add(1, Relaxed);
}

/// Sets how many events the histories of statements keep; before the first session.
pub fn configure(history: usize, long: usize) {
    HISTORY.store(history, Relaxed);
    STATEMENTS_LONG.set_size(long);
}

/// The session is recorded (INSTRUMENTED of table threads).
pub const INSTRUMENTED: u8 = 1;
/// Its histories are kept (HISTORY).
pub const KEEPS_HISTORY: u8 = 2;

/// A statement of a program that runs, for others to look at.
#[derive(Clone, Debug)]
pub struct RunningStep {
    /// Its number.
    pub event: u64,
    /// [`Instrument::number`].
    pub instrument: u32,
    /// What may be seen of its text; `None`: it is no statement of SQL.
    pub text: Option<Arc<[u8]>>,
    /// When it began.
    pub began: u64,
    /// Default schema.
    pub schema: Option<Arc<str>>,
    /// The event that it is in, and how deep.
    pub nesting: (Nesting, u32),
    /// The program.
    pub program: Option<Arc<Program>>,
    /// It becomes an event.
    pub recorded: bool,
}

/// A session's events.
///
/// What each statement needs stands in the first two cache lines.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct Recorder {
    /// The running statement's number.
    statement: AtomicU64,
    /// The last event's number.
    event: AtomicU64,
    flags: AtomicU8,
    /// The running transaction.
    pub transaction: crate::transactions::Current,
    kept: parking_lot::Mutex<Kept>,
    thread: u64,
    /// The last shape's number.
    shape: AtomicU64,
    /// Statements of programs that run now, the outermost first.
    running: Mutex<Vec<RunningStep>>,
    /// Sums by kind of statement.
    pub sums: Sums<Stats>,
    /// Stages and waits.
    pub phases: crate::phases::Phases,
    /// Errors and warnings.
    pub errors: Sums<crate::errors::Stats>,
    /// SHOW PROFILES.
    pub(crate) profiles: crate::profile::Kept,
    /// Memory that it holds.
    pub held: crate::held::Levels,
    /// Sums of transactions.
    pub transaction_sums: Sums<crate::transactions::Stats>,
}

/// Bytes of a [`Recorder`] that each statement needs.
const HOT: usize = 128;
const _: () = assert!(std::mem::offset_of!(Recorder, kept) == 64);

impl Recorder {
    /// What each statement needs of it.
    pub fn lines(&self, to: &mut sys::prefetch::Lines) {
        to.add_range(std::ptr::from_ref(self).addr(), HOT);
    }

    /// Of a connection.
    pub fn new(thread: u64) -> Recorder {
        Recorder { thread, ..Recorder::default() }
    }

    /// The connection's id.
    pub fn thread(&self) -> u64 {
        self.thread
    }

    /// The number of a statement that begins.
    #[inline]
    pub fn begin_statement(&self) -> u64 {
        let n = self.next_event();
        self.statement.store(n, Relaxed);
        n
    }

    /// What begins from here on is in this statement.
    #[inline]
    pub fn set_statement(&self, event: u64) {
        self.statement.store(event, Relaxed);
    }

    /// Statements of programs that run.
    pub fn running(&self) -> MutexGuard<'_, Vec<RunningStep>> {
        self.running.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// The text of the innermost statement of a program that runs.
    pub fn inner_text(&self) -> Option<Arc<[u8]>> {
        self.running().iter().rev().find_map(|r| r.text.clone())
    }

    /// The running or last statement's number.
    #[inline]
    pub fn statement(&self) -> u64 {
        self.statement.load(Relaxed)
    }

    /// [`INSTRUMENTED`] and [`KEEPS_HISTORY`].
    #[inline]
    pub fn flags(&self) -> u8 {
        self.flags.load(Relaxed)
    }

    /// Sets them.
    pub fn set_flags(&self, flags: u8) {
        self.flags.store(flags, Relaxed);
    }

    /// The number of a new event.
    #[inline]
    pub fn next_event(&self) -> u64 {
        let n = self.event.load(Relaxed) + 1;
        self.event.store(n, Relaxed);
        n
    }

    /// The number of the last one.
    pub fn last_event(&self) -> u64 {
        self.event.load(Relaxed)
    }

    /// A number for what entries of statements have in common, which the session writes once for all of them: all but
    /// measures, times, event numbers, nesting, their own transactions and texts.
    pub fn new_shape(&self) -> u64 {
        let n = self.shape.load(Relaxed) + 1;
        self.shape.store(n, Relaxed);
        n
    }

    /// What its statements have left to be counted is.
    pub fn count(&self) {
        self.kept().count(self);
    }

    /// The last events; a reader keeps the session waiting at its statement's end.
    #[inline(always)]
    pub fn kept(&self) -> KeptGuard<'_, Kept> {
        self.kept.lock()
    }
}

/// Events of a session's history of statements.
#[inline]
pub fn history_size() -> usize {
    HISTORY.load(Relaxed)
}

/// A row of setup_actors: whose sessions are recorded. `%` is anybody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Actor {
    /// Host, user, role (which is not looked at, as in MySQL).
    pub who: [String; 3],
    /// Whether they are recorded.
    pub enabled: bool,
    /// Whether their histories are kept.
    pub history: bool,
}

static ACTORS: Mutex<Option<Vec<Actor>>> = Mutex::new(None);

/// Looks at or changes setup_actors.
pub fn actors<R>(f: impl FnOnce(&mut Vec<Actor>) -> R) -> R {
    let mut all = ACTORS.lock().unwrap_or_else(|e| e.into_inner());
    f(all.get_or_insert_with(|| vec![Actor { who: ["%"; 3].map(str::to_owned), enabled: true, history: true }]))
}

/// The flags of a session that begins: the most specific row decides, a user's before a host's; none: not recorded.
pub fn flags_of(user: &str, host: &str) -> u8 {
    let rank = |a: &Actor| {
        let [h, u, _] = &a.who;
        let fits = (h == "%" || h.eq_ignore_ascii_case(host)) && (u == "%" || u == user);
        fits.then(|| 2 * u8::from(u != "%") + u8::from(h != "%"))
    };
    actors(|all| {
        let best = all.iter().filter_map(|a| Some((rank(a)?, a))).max_by_key(|(rank, _)| *rank);
        best.map_or(0, |(_, a)| u8::from(a.enabled) * INSTRUMENTED + u8::from(a.history) * KEEPS_HISTORY)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_specific_actor_decides() {
        let actor =
            |h: &str, u: &str, enabled, history| Actor { who: [h, u, "%"].map(str::to_owned), enabled, history };
        assert_eq!(flags_of("u", "h"), INSTRUMENTED | KEEPS_HISTORY);
        let before = actors(std::mem::take);
        assert_eq!(flags_of("u", "h"), 0);
        actors(|a| {
            a.extend([actor("%", "u", true, false), actor("h", "%", false, true), actor("g", "u", false, false)])
        });
        assert_eq!([flags_of("u", "h"), flags_of("v", "H"), flags_of("u", "g")], [INSTRUMENTED, KEEPS_HISTORY, 0]);
        actors(|a| *a = before);
    }
}
