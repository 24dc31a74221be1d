//! The instruments by name and which of them are on: `setup_instruments` and `setup_consumers` of performance_schema.
//!
//! An [`Instrument`] is a number; its name, class and defaults stand in one table that is made once. Whether it is
//! enabled and timed is a byte, changed by UPDATE at once and read with one relaxed load. A [`Consumer`] is a bit of
//! one word. A consumer counts only if those above it are on too (manual, "Performance Schema Consumer Filtering"):
//! [`active`] gives the word with that already taken into account, so the path of a statement loads one word.
//!
//! What is switched acts from the next event on; an event that has begun ends as it began. Nothing here is durable.
//! Tested below and by `tests/clients/test_setup_tables.py`.

pub use crate::areas::Memory;
use crate::classes::WaitClass;
use crate::commands::OTHER;
pub use crate::consumers::{BUILT, Consumer, active, stop, switch_consumers};
use crate::counters::Counter;
use crate::files::FileUse;
use crate::programs::Step;
use crate::stage::Stage;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

/// What an instrument measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Waits of a thread.
    Wait,
    /// A connection without a statement.
    Idle,
    /// What a statement is at.
    Stage,
    /// Statements.
    Statement,
    /// Transactions.
    Transaction,
    /// Errors and warnings; has no time.
    Error,
    /// Memory; has no time.
    Memory,
}

impl Class {
    /// Whether TIMED says anything of it.
    pub const fn has_time(self) -> bool {
        !matches!(self, Class::Error | Class::Memory)
    }
}

/// An instrument's number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Instrument(u16);

/// Files, by what they are for.
const FILES: usize = WaitClass::ALL.len();
/// Other waits: [`WAITS`].
const MORE: usize = FILES + FileUse::ALL.len();
/// Latches, by the place of their class.
const LATCHES: usize = MORE + WAITS.len();
/// Room for classes of latches.
const MOST_LATCHES: usize = 48;
const STAGES: usize = LATCHES + MOST_LATCHES;
/// Statements by the number of their `Com_` counter.
const STATEMENTS: usize = STAGES + Stage::ALL.len();
const OTHERS: usize = STATEMENTS + Counter::COUNT;
/// Of these the first that is a command whose statements are no events of their own.
const COMMANDS: usize = OTHERS + 4;
/// The first that has no digest: COM_STMT_CLOSE has that of what it closes.
const BARE: usize = COMMANDS + 1;
const STEPS: usize = OTHERS + OTHER.len();
const MEMORY: usize = STEPS + Step::ALL.len();
const COUNT: usize = MEMORY + Memory::ALL.len();

impl Memory {
    /// Its instrument.
    pub const fn instrument(self) -> Instrument {
        Instrument(MEMORY as u16 + self as u16)
    }
}

/// Waits that no table of names has: name, whether it is on without being asked for.
const WAITS: [(&str, bool); 3] = [
    ("wait/io/table/sql/handler", true),
    ("wait/io/socket/sql/server_tcpip_socket", false),
    ("wait/io/socket/sql/server_unix_socket", false),
];

/// The classes of latches, as `latch` has told them ([`name_latches`]).
static LATCH_NAMES: OnceLock<Vec<String>> = OnceLock::new();

/// Tells the names of the classes of latches (`wait/synch/...`), once and before anybody asks for instruments.
pub fn name_latches(names: Vec<String>) {
    debug_assert!(names.len() <= MOST_LATCHES);
    LATCH_NAMES.get_or_init(|| names);
}

const ENABLED: u8 = 1;
const TIMED: u8 = 2;
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
static FLAGS: [AtomicU8; COUNT] = {
    let mut flags = [const { AtomicU8::new(ENABLED | TIMED) }; COUNT];
    flags[WaitClass::Client as usize] = AtomicU8::new(0);
    let mut n = MORE;
    while n < STATEMENTS {
        if n >= MORE && n < LATCHES && WAITS[n - MORE].1 {
            n += 1;
            continue;
        }
        if n < STAGES || !Stage::ALL[n - STAGES].is_long() {
            flags[n] = AtomicU8::new(0);
        }
        n += 1;
    }
    flags[Instrument::ERRORS.0 as usize] = AtomicU8::new(ENABLED);
    // statements of programs are events, their other steps are not unless asked for
    n = STEPS + 1;
    while n < MEMORY {
        flags[n] = AtomicU8::new(0);
        n += 1;
    }
    while n < COUNT {
        flags[n] = AtomicU8::new(ENABLED);
        n += 1;
    }
    flags
};

/// What does not change of an instrument.
#[derive(Clone, Debug)]
pub struct Def {
    /// MySQL's name.
    pub name: String,
    /// What it measures.
    pub class: Class,
    /// Words of the column PROPERTIES.
    pub properties: &'static str,
    /// One line, where the name does not say it.
    pub doc: Option<&'static str>,
    /// On without being asked for.
    pub default_on: bool,
}

impl Instrument {
    /// A statement whose kind is not known (yet).
    pub const QUERY: Instrument = Instrument(OTHERS as u16);
    /// COM_STMT_EXECUTE.
    pub const EXECUTE: Instrument = Instrument(OTHERS as u16 + 1);
    /// COM_STMT_PREPARE.
    pub const PREPARE: Instrument = Instrument(OTHERS as u16 + 2);
    /// A text that is no statement.
    pub const ERROR_STATEMENT: Instrument = Instrument(OTHERS as u16 + 3);
    /// A transaction.
    pub const TRANSACTION: Instrument = Instrument(OTHERS as u16 + 8);
    /// A connection without a command.
    pub const IDLE: Instrument = Instrument(OTHERS as u16 + 9);
    /// Errors.
    pub const ERRORS: Instrument = Instrument(OTHERS as u16 + 10);
    /// A run of an event.
    pub const SCHEDULER_EVENT: Instrument = Instrument(OTHERS as u16 + 11);
    /// Of a command of the protocol by its name in the process list; `None`: its statements are events.
    pub fn command(name: &str) -> Option<Instrument> {
        let of = |(known, _): &(&str, Class)| known.strip_prefix("statement/com/") == Some(name);
        OTHER.iter().position(of).map(|at| Instrument((OTHERS + at) as u16)).filter(|i| i.0 >= COMMANDS as u16)
    }

    /// Whether statements of this kind have a digest: runs of events and commands without a text have none.
    #[inline(always)]
    pub fn has_digest(self) -> bool {
        self.0 < BARE as u16 || self.0 >= STEPS as u16
    }

    /// Of a step of a program.
    pub const fn step(s: Step) -> Instrument {
        Instrument(STEPS as u16 + s as u16)
    }

    /// How many of the first are waits.
    pub const WAITS: usize = STAGES;
    /// Rows of tables.
    pub const TABLE_IO: Instrument = Instrument(MORE as u16);
    /// The server's socket for TCP, that in the file system, and those of clients.
    pub const SOCKETS: [Instrument; 3] =
        [Instrument(MORE as u16 + 1), Instrument(MORE as u16 + 2), Instrument(WaitClass::Client as u16)];

    /// Of a use of files.
    pub const fn file(used: FileUse) -> Instrument {
        Instrument((FILES + used as usize) as u16)
    }

    /// Of a class of latches, by its place in their table.
    pub fn latch(place: usize) -> Instrument {
        Instrument((LATCHES + place.min(MOST_LATCHES - 1)) as u16)
    }

    /// Of a class of waits.
    pub const fn wait(c: WaitClass) -> Instrument {
        Instrument(c as u16)
    }

    /// Of a stage.
    pub const fn stage(s: Stage) -> Instrument {
        Instrument(STAGES as u16 + s as u16)
    }

    /// Of a kind of statement, by its counter (`Com_select`).
    pub const fn statement(c: Counter) -> Instrument {
        Instrument(STATEMENTS as u16 + c as u16)
    }

    /// The instrument with this number.
    pub fn of(n: u32) -> Option<Instrument> {
        let i = Instrument(u16::try_from(n).ok()?);
        i.def().map(|_| i)
    }

    /// Its number.
    pub const fn number(self) -> u32 {
        self.0 as u32
    }

    /// All that exist, in the order of their names' classes.
    pub fn all() -> impl Iterator<Item = (Instrument, &'static Def)> {
        defs().iter().enumerate().filter_map(|(n, d)| Some((Instrument(n as u16), d.as_ref()?)))
    }

    /// Its definition; `None` for numbers in the gaps.
    pub fn def(self) -> Option<&'static Def> {
        defs().get(usize::from(self.0))?.as_ref()
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.def().map_or("statement/abstract/Query", |d| &d.name)
    }

    #[inline]
    fn flags(self) -> u8 {
        FLAGS.get(usize::from(self.0)).map_or(0, |f| f.load(Relaxed))
    }

    /// Whether its events are recorded.
    #[inline]
    pub fn enabled(self) -> bool {
        BUILT && self.flags() & ENABLED != 0
    }

    /// Whether they have times.
    #[inline]
    pub fn timed(self) -> bool {
        self.flags() & TIMED != 0
    }

    /// Switches it.
    pub fn set(self, enabled: bool, timed: bool) {
        if let Some(f) = FLAGS.get(usize::from(self.0)) {
            f.store(if enabled { ENABLED } else { 0 } | if timed { TIMED } else { 0 }, Relaxed);
        }
        let stages = FLAGS.get(STAGES..STATEMENTS).unwrap_or_default();
        // those that are on without being asked for are no stages that statements begin with
        let asked = stages.iter().zip(Stage::ALL).any(|(f, s)| !s.is_long() && f.load(Relaxed) & ENABLED != 0);
        ANY_STAGE.store(asked, Relaxed);
        crate::usual::switched();
    }
}

static ANY_STAGE: AtomicBool = AtomicBool::new(false);
/// Whether a stage is on that statements may begin with.
#[inline]
pub fn any_stage() -> bool {
    BUILT && ANY_STAGE.load(Relaxed)
}

/// Whether statements of all kinds, transactions and idle sessions are recorded with times.
pub(crate) fn all_statements() -> bool {
    let errors = usize::from(Instrument::ERRORS.0);
    let others = FLAGS.iter().enumerate().take(STEPS).skip(STATEMENTS).filter(|(n, _)| *n != errors);
    others.map(|(_, f)| f.load(Relaxed)).all(|f| f == ENABLED | TIMED)
}

fn defs() -> &'static [Option<Def>] {
    static DEFS: OnceLock<Vec<Option<Def>>> = OnceLock::new();
    DEFS.get_or_init(|| {
        let made = |name: String, class, default_on| {
            let properties = match class {
                Class::Idle => "user",
                Class::Stage if default_on => "progress",
                _ => "",
            };
            Some(Def { name, class, properties, doc: None, default_on })
        };
        let wait = |c: &WaitClass| {
            if c.is_file() {
                return None;
            }
            let class = if c.name().starts_with("idle") { Class::Idle } else { Class::Wait };
            // waits that block are few and cost more than recording them: those that are counted always are on
            made(c.name().to_owned(), class, *c != WaitClass::Client).map(|d| Def { doc: Some(c.doc()), ..d })
        };
        let latches = LATCH_NAMES.get().map_or(&[][..], |names| names);
        let latch = |n: usize| made(latches.get(n)?.clone(), Class::Wait, false);
        let stage = |s: &Stage| match s {
            Stage::Idle => None,
            s => made(s.instrument_name(), Class::Stage, s.is_long()),
        };
        let statement = |c: &Counter| {
            let kind = c.name().strip_prefix("Com_")?;
            let spoken = kind != "admin_commands" && !kind.starts_with("stmt_");
            spoken.then(|| made(format!("statement/sql/{kind}"), Class::Statement, true))?
        };
        let mut all: Vec<Option<Def>> = WaitClass::ALL.iter().map(wait).collect();
        all.extend(FileUse::ALL.iter().map(|u| made(u.name().to_owned(), Class::Wait, true)));
        all.extend(WAITS.iter().map(|(name, on)| made((*name).to_owned(), Class::Wait, *on)));
        all.extend((0..MOST_LATCHES).map(latch));
        all.extend(Stage::ALL.iter().map(stage));
        all.extend(Counter::ALL.iter().map(statement));
        all.extend(OTHER.iter().map(|(name, class)| made((*name).to_owned(), *class, true)));
        let step = |s: &Step| made(s.name().to_owned(), Class::Statement, *s == Step::Statement);
        all.extend(Step::ALL.iter().map(step));
        all.extend(Memory::ALL.iter().map(|m| made(m.name().to_owned(), Class::Memory, true)));
        all
    })
}

/// What an option `performance_schema_instrument='pattern=value'` says: ON, OFF or COUNTED (enabled without times),
/// also TRUE, YES, 1 and so on. `%` stands for any characters. False: not understood.
pub fn set_by_option(text: &str) -> bool {
    let Some((pattern, (enabled, timed))) = setting(text) else { return false };
    for (i, d) in Instrument::all().filter(|(_, d)| like(pattern.trim().as_bytes(), d.name.as_bytes())) {
        i.set(enabled, timed && d.class.has_time());
    }
    true
}

/// Whether [`set_by_option`] would understand it.
pub fn is_setting(text: &str) -> bool {
    setting(text).is_some()
}

/// Pattern, and enabled and timed.
fn setting(text: &str) -> Option<(&str, (bool, bool))> {
    let (pattern, value) = text.split_once('=')?;
    let flags = match value.trim().to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" | "1" => (true, true),
        "off" | "false" | "no" | "0" => (false, false),
        "counted" => (true, false),
        _ => return None,
    };
    Some((pattern, flags))
}

/// `%` is any characters, everything else itself in any case.
pub(crate) fn like(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some((b'%', rest)) => (0..=name.len()).any(|n| like(rest, name.get(n..).unwrap_or_default())),
        Some((p, rest)) => name.split_first().is_some_and(|(n, more)| n.eq_ignore_ascii_case(p) && like(rest, more)),
    }
}

/// Taken by tests that switch something, or look at what nobody has switched: the switches are the process's.
#[cfg(test)]
pub(crate) fn switching() -> std::sync::MutexGuard<'static, ()> {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ONE.lock().unwrap_or_else(|e| e.into_inner())
}
