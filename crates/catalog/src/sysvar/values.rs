//! Values of system variables: the server's and a session's.
//!
//! Locks: only the strings of [`GlobalVars`] are behind a lock, never held while anything else is taken. A crash loses nothing:
//! values come from options at each start, and from what SET PERSIST kept (`persist.rs`).

use super::def::{Def, Kind};
use super::persist::Persisted;
use super::set;
use super::table::{TABLE, Var};
use base::{ErrorCode, SqlError, SqlResult};
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use value::{CollationId, SqlMode};

/// A value as stored.
#[derive(Clone, PartialEq, Debug)]
pub enum Raw {
    /// Number, switch, enum index, bit map, collation id, or the bits of a double.
    Num(u64),
    /// Text or NULL.
    Text(Option<Arc<str>>),
}

/// A value as `SELECT @@x` gives it.
#[derive(Clone, PartialEq, Debug)]
pub enum VarValue {
    /// NULL.
    Null,
    /// A switch: an integer for SELECT, ON/OFF for SHOW.
    Bool(bool),
    /// Signed integer.
    Int(i64),
    /// Unsigned integer.
    UInt(u64),
    /// Floating point.
    Double(f64),
    /// Text.
    Str(Arc<str>),
}

impl VarValue {
    /// As SHOW VARIABLES prints it (NULL is an empty string there).
    pub fn show(&self) -> String {
        match self {
            VarValue::Null => String::new(),
            VarValue::Bool(b) => if *b { "ON" } else { "OFF" }.to_owned(),
            VarValue::Int(v) => v.to_string(),
            VarValue::UInt(v) => v.to_string(),
            VarValue::Double(v) => format!("{v:.6}"),
            VarValue::Str(s) => s.to_string(),
        }
    }
}

/// A stored value as an option file would give it.
pub fn option_text(v: Var, raw: &Raw) -> String {
    match raw {
        Raw::Num(n) => value_of(v.def(), *n).show(),
        Raw::Text(Some(s)) => s.to_string(),
        Raw::Text(None) => "NULL".to_owned(),
    }
}

/// Turns a stored word into a value.
fn value_of(def: &Def, raw: u64) -> VarValue {
    match def.kind {
        Kind::Bool => VarValue::Bool(raw != 0),
        Kind::UInt(..) => VarValue::UInt(raw),
        Kind::Int(..) => VarValue::Int(raw as i64),
        Kind::Double(..) => VarValue::Double(f64::from_bits(raw)),
        Kind::Enum(names) => VarValue::Str(names.get(raw as usize).copied().unwrap_or("").into()),
        Kind::Set(names) => VarValue::Str(set::set_text(names, raw).into()),
        Kind::FlagSet(names) => VarValue::Str(set::flag_set_text(names, raw).into()),
        Kind::Charset if raw == 0 => VarValue::Null,
        Kind::Charset => VarValue::Str(CollationId(raw as u16).charset().name().into()),
        Kind::Collation => VarValue::Str(CollationId(raw as u16).name().into()),
        Kind::Str(_) => VarValue::Null,
    }
}

const fn count(session: bool, text: bool) -> usize {
    let (mut i, mut n) = (0, 0);
    while i < TABLE.len() {
        #[allow(clippy::indexing_slicing)] // evaluated by the compiler
        let d = &TABLE[i];
        if d.kind.is_text() == text && (!session || d.in_session()) {
            n += 1;
        }
        i += 1;
    }
    n
}

/// What nearly every statement reads of its session: first among the words, side by side. With a thousand sessions in turn each line is a miss.
const HOT: &[Var] = &[
    Var::sql_mode,
    Var::character_set_client,
    Var::character_set_results,
    Var::collation_connection,
    Var::autocommit,
    Var::wait_timeout,
    Var::net_read_timeout,
    Var::net_write_timeout,
    Var::resultset_metadata,
    Var::connection_memory_limit,
    Var::global_connection_memory_tracking,
    Var::sql_select_limit,
    Var::optimizer_switch,
    Var::optimizer_search_depth,
    Var::div_precision_increment,
    Var::group_concat_max_len,
    Var::max_error_count,
    Var::lock_wait_timeout,
    Var::sql_big_selects,
    Var::session_track_transaction_info,
    Var::session_track_gtids,
    Var::binlog_format,
    Var::max_execution_time,
    Var::max_heap_table_size,
    Var::long_query_time,
    Var::sql_notes,
    Var::transaction_read_only,
];

/// Slot of each variable among those of its storage class (text or word) that are in scope.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
const fn slots(session: bool) -> [u16; TABLE.len()] {
    let mut out = [u16::MAX; TABLE.len()];
    let (mut i, mut words, mut texts) = (0, 0, 0);
    while i < HOT.len() {
        let d = &TABLE[HOT[i] as usize];
        assert!(d.in_session() && !d.kind.is_text() && out[HOT[i] as usize] == u16::MAX);
        out[HOT[i] as usize] = words;
        words += 1;
        i += 1;
    }
    i = 0;
    while i < TABLE.len() {
        let d = &TABLE[i];
        if out[i] == u16::MAX && (!session || d.in_session()) {
            if d.kind.is_text() {
                out[i] = texts;
                texts += 1;
            } else {
                out[i] = words;
                words += 1;
            }
        }
        i += 1;
    }
    out
}

const GLOBAL_SLOT: [u16; TABLE.len()] = slots(false);
const SESSION_SLOT: [u16; TABLE.len()] = slots(true);
const GLOBAL_WORDS: usize = count(false, false);
const GLOBAL_TEXTS: usize = count(false, true);
const SESSION_WORDS: usize = count(true, false);
const SESSION_TEXTS: usize = count(true, true);

#[inline]
fn global_slot(v: Var) -> usize {
    GLOBAL_SLOT.get(v as usize).map_or(usize::MAX, |s| usize::from(*s))
}
#[inline]
fn session_slot(v: Var) -> usize {
    SESSION_SLOT.get(v as usize).map_or(usize::MAX, |s| usize::from(*s))
}

/// Where a global value comes from: what variables_info shows.
#[derive(Clone, Debug)]
pub struct Origin {
    /// VARIABLE_SOURCE.
    pub source: &'static str,
    /// The file, for values from one.
    pub path: String,
    /// When it was set, microseconds since 1970; 0 = with the start.
    pub time_us: u64,
    /// Who set it.
    pub user: String,
    /// From where.
    pub host: String,
}

impl Default for Origin {
    fn default() -> Origin {
        Origin { source: "COMPILED", path: String::new(), time_us: 0, user: String::new(), host: String::new() }
    }
}

/// The global values.
pub struct GlobalVars {
    words: Box<[AtomicU64]>,
    texts: RwLock<Vec<Option<Arc<str>>>>,
    /// Counts changes, so that others can cache derived settings.
    generation: AtomicU64,
    /// By the variables' numbers; not those that nobody has set.
    origins: RwLock<std::collections::HashMap<usize, Origin>>,
    /// Defaults that the start has computed, by the variables' numbers.
    computed: RwLock<std::collections::HashMap<usize, Raw>>,
    /// What SET PERSIST keeps.
    pub persisted: Persisted,
    /// Values of variables that somebody else holds.
    provider: std::sync::OnceLock<Provider>,
}

/// Gives the value of a text variable that is not kept here; `None`: it is.
pub type Provider = Box<dyn Fn(Var) -> Option<String> + Send + Sync>;

impl Default for GlobalVars {
    fn default() -> Self {
        GlobalVars::new()
    }
}

impl GlobalVars {
    /// All defaults.
    pub fn new() -> GlobalVars {
        let g = GlobalVars {
            words: (0..GLOBAL_WORDS).map(|_| AtomicU64::new(0)).collect(),
            texts: RwLock::new(vec![None; GLOBAL_TEXTS]),
            generation: AtomicU64::new(0),
            origins: RwLock::default(),
            computed: RwLock::default(),
            persisted: Persisted::default(),
            provider: Default::default(),
        };
        for v in Var::all() {
            g.store(v, set::default_of(v.def()));
        }
        g
    }

    /// The stored word of a variable that is not text.
    #[inline]
    pub fn num(&self, v: Var) -> u64 {
        self.words.get(global_slot(v)).map_or(0, |w| w.load(Ordering::Relaxed))
    }
    /// A switch.
    #[inline]
    pub fn bool(&self, v: Var) -> bool {
        self.num(v) != 0
    }
    /// A floating-point variable.
    pub fn double(&self, v: Var) -> f64 {
        f64::from_bits(self.num(v))
    }
    /// A text variable; `None` = NULL.
    pub fn text(&self, v: Var) -> Option<Arc<str>> {
        if matches!(v, Var::gtid_executed | Var::gtid_purged | Var::gtid_owned)
            && let Some(value) = self.provider.get().and_then(|p| p(v))
        {
            return Some(value.into());
        }
        self.texts.read().get(global_slot(v)).cloned().flatten()
    }
    /// A text variable, empty for NULL.
    pub fn string(&self, v: Var) -> String {
        self.text(v).map(|s| s.to_string()).unwrap_or_default()
    }
    /// Variables whose values are not kept here are asked of this from now on.
    pub fn set_provider(&self, p: Provider) {
        let _ = self.provider.set(p);
    }
    /// As stored.
    pub fn raw(&self, v: Var) -> Raw {
        if v.def().kind.is_text() { Raw::Text(self.text(v)) } else { Raw::Num(self.num(v)) }
    }
    /// As `SELECT @@GLOBAL.x` gives it.
    pub fn get(&self, v: Var) -> VarValue {
        match self.raw(v) {
            Raw::Num(n) => value_of(v.def(), n),
            Raw::Text(Some(s)) => VarValue::Str(s),
            Raw::Text(None) => VarValue::Null,
        }
    }
    /// Stores a checked value ([`super::convert`]). Coupled variables (character set and collation of the connection) follow, and so does
    /// the variable's other name.
    pub fn store(&self, v: Var, raw: Raw) {
        let v = super::deprecated::newer(v);
        if let Some(older) = super::deprecated::older(v) {
            self.store_plain(older, raw.clone());
        }
        self.store_plain(v, raw);
        self.generation.fetch_add(1, Ordering::Release);
    }
    fn store_plain(&self, v: Var, raw: Raw) {
        match raw {
            Raw::Num(n) => {
                if let Some(w) = self.words.get(global_slot(v)) {
                    w.store(n, Ordering::Relaxed);
                }
                if let Some(other) = coupled(v)
                    && let Some(w) = self.words.get(global_slot(other))
                {
                    w.store(couple(other, n), Ordering::Relaxed);
                }
            }
            Raw::Text(t) => {
                if let Some(slot) = self.texts.write().get_mut(global_slot(v)) {
                    *slot = t;
                }
            }
        }
    }
    /// Notes who set a variable.
    pub fn note(&self, v: Var, origin: Origin) {
        self.origins.write().insert(v as usize, origin);
    }
    /// Who did.
    pub fn origin(&self, v: Var) -> Origin {
        self.origins.read().get(&(v as usize)).cloned().unwrap_or_default()
    }
    /// What `SET GLOBAL x = DEFAULT` gives from now on, in place of the default in the table.
    pub fn set_default(&self, v: Var, default: Raw) {
        self.computed.write().insert(v as usize, default);
    }
    /// The same, and the value if nobody has set one.
    pub fn settle(&self, v: Var, default: Raw) {
        self.set_default(v, default.clone());
        if self.origin(v).source == "COMPILED" {
            self.store(v, default);
        }
    }
    /// What `SET GLOBAL x = DEFAULT` gives: 1230 for what has none.
    pub fn default_of(&self, v: Var) -> SqlResult<Raw> {
        let none = || SqlError::new(ErrorCode::NO_DEFAULT, &[&v.name()]);
        if v.has_no_default() {
            return Err(none());
        }
        let computed = self.computed.read().get(&(v as usize)).cloned();
        computed.map_or_else(|| set::from_option(v.def(), v.def().default).map_err(|_| none()), Ok)
    }
    /// Changes with every [`GlobalVars::store`].
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }
}

/// The variable that changes with `v`: a character set and its collation.
fn coupled(v: Var) -> Option<Var> {
    Some(match v {
        Var::character_set_connection => Var::collation_connection,
        Var::collation_connection => Var::character_set_connection,
        Var::character_set_database => Var::collation_database,
        Var::collation_database => Var::character_set_database,
        Var::character_set_server => Var::collation_server,
        Var::collation_server => Var::character_set_server,
        _ => return None,
    })
}

/// The word `other` gets when its partner becomes `n`: a collation takes the id as it is, a character set its default collation's.
fn couple(other: Var, n: u64) -> u64 {
    match other.def().kind {
        Kind::Charset => u64::from(CollationId(n as u16).charset().default_collation().0),
        _ => n,
    }
}

/// A session's own values.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct SessionVars {
    words: [u64; SESSION_WORDS],
    texts: [Option<Arc<str>>; SESSION_TEXTS],
}

impl SessionVars {
    /// Where the values are that nearly every statement reads.
    pub fn lines(&self, to: &mut sys::prefetch::Lines) {
        to.add(self.words.get(..HOT.len()).unwrap_or_default());
    }

    /// Copies the global values.
    pub fn new(global: &GlobalVars) -> SessionVars {
        let mut s = SessionVars { words: [0; SESSION_WORDS], texts: [const { None }; SESSION_TEXTS] };
        s.reset(global);
        s
    }

    /// Back to the global values (COM_RESET_CONNECTION).
    pub fn reset(&mut self, global: &GlobalVars) {
        for v in Var::all().filter(|v| v.def().in_session()) {
            self.store_plain(v, global.raw(v));
        }
    }

    /// The stored word of a variable that is not text; global-only variables give 0.
    #[inline]
    pub fn num(&self, v: Var) -> u64 {
        self.words.get(session_slot(v)).copied().unwrap_or(0)
    }
    /// A switch.
    #[inline]
    pub fn bool(&self, v: Var) -> bool {
        self.num(v) != 0
    }
    /// A floating-point variable.
    pub fn double(&self, v: Var) -> f64 {
        f64::from_bits(self.num(v))
    }
    /// A text variable; `None` = NULL.
    pub fn text(&self, v: Var) -> Option<&Arc<str>> {
        self.texts.get(session_slot(v)).and_then(Option::as_ref)
    }
    /// sql_mode.
    #[inline]
    pub fn sql_mode(&self) -> SqlMode {
        SqlMode(self.num(Var::sql_mode))
    }
    /// A collation or character-set variable's collation id.
    #[inline]
    pub fn collation(&self, v: Var) -> CollationId {
        CollationId(self.num(v) as u16)
    }
    /// As stored.
    pub fn raw(&self, v: Var) -> Raw {
        if v.def().kind.is_text() { Raw::Text(self.text(v).cloned()) } else { Raw::Num(self.num(v)) }
    }
    /// As `SELECT @@x` gives it; a variable without session value gives the global one. Variables with [`super::Flags::COMPUTED`] are
    /// the session's own state: ask it first.
    pub fn get(&self, v: Var, global: &GlobalVars) -> VarValue {
        let d = v.def();
        if !d.in_session() {
            return global.get(v);
        }
        match self.raw(v) {
            Raw::Num(n) => value_of(d, n),
            Raw::Text(Some(s)) => VarValue::Str(s),
            Raw::Text(None) => VarValue::Null,
        }
    }
    /// Stores a checked value ([`super::convert`]). Coupled variables follow, and the only one that has an older name.
    pub fn store(&mut self, v: Var, raw: Raw) {
        if matches!(v, Var::pseudo_replica_mode | Var::pseudo_slave_mode) {
            self.store_plain(Var::pseudo_slave_mode, raw.clone());
            return self.store_plain(Var::pseudo_replica_mode, raw);
        }
        if let (Some(other), Raw::Num(n)) = (coupled(v), &raw) {
            self.store_plain(other, Raw::Num(couple(other, *n)));
        }
        self.store_plain(v, raw);
    }
    fn store_plain(&mut self, v: Var, raw: Raw) {
        match raw {
            Raw::Num(n) => {
                if let Some(w) = self.words.get_mut(session_slot(v)) {
                    *w = n;
                }
            }
            Raw::Text(t) => {
                if let Some(s) = self.texts.get_mut(session_slot(v)) {
                    *s = t;
                }
            }
        }
    }
}
