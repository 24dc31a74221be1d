//! Measures of statements for performance_schema: by digest and the session's last one ([`probe::statements`]).
//!
//! A statement pays one clock reading (its begin is the command's, and the command's end is its), a look at those of
//! its own counters that it has counted in, and stores to lines of its own session and thread; it takes the lock of its
//! session's events, which only readers take besides, and allocates only when its thread meets a digest for the first
//! time. What it measured goes from its entry into sums later, some together ([`probe::counting`]). What is recorded it
//! asks once at its begin ([`probe::usual`]) and its end ([`On`]). Off with
//! `performance_schema = OFF`. Statements that could not be parsed have no digest, as in MySQL; a prepared statement
//! counts for the digest of its text, at its executions only.
//!
//! Tested: `tests/clients/test_performance_schema.py`.

use crate::logs::SessionLog;
use crate::logs::digests::Recent;
use crate::logs::named::Named;
use crate::logs::recorded::On;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlResult};
use catalog::connections::PreparedInstance;
use catalog::sysvar::{GlobalVars, Var};
use executor::Env;
use probe::Counter;
use probe::counting::{BY_DIGEST, BY_KIND, OWN};
use probe::events::{INSTRUMENTED, KEEPS_HISTORY, Nesting, StatementEvent, history_size};
use probe::instruments::{self, Consumer, Instrument as Kind};
use probe::statements::{Measure, One};
use probe::summaries::Own;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A session's part.
pub(crate) struct Instrument {
    on: bool,
    /// When the running statement began, everything of it was recorded as it is without being asked for otherwise.
    pub(super) usual: bool,
    /// The digests that it has met last.
    pub(super) recent: Recent,
    /// Its errors and warnings.
    pub(super) errors: Own<probe::errors::Stats>,
    /// The running statement came as COM_STMT_EXECUTE.
    pub(crate) by_command: bool,
    /// Kind of the running statement.
    pub(crate) kind: Option<Counter>,
    /// What the running EXECUTE runs.
    pub(crate) executed: Option<Arc<PreparedInstance>>,
    /// PREPARE, EXECUTE or DEALLOCATE runs.
    pub(crate) named: Option<Named>,
    /// The counters when the last statement ended.
    counted: probe::counted::Before,
    /// A default schema and what it adds to the keys of statements.
    pub(super) schema: (Option<Arc<str>>, u128),
    pub(super) max_digest: usize,
    pub(super) max_text: usize,
}

impl Instrument {
    pub(crate) fn new(globals: &GlobalVars) -> Instrument {
        Instrument {
            on: globals.bool(Var::performance_schema),
            usual: false,
            recent: Recent::default(),
            errors: Own::default(),
            by_command: false,
            kind: None,
            executed: None,
            named: None,
            counted: Default::default(),
            schema: (None, 0),
            max_digest: globals.num(Var::performance_schema_max_digest_length).min(globals.num(Var::max_digest_length))
                as usize,
            max_text: globals.num(Var::performance_schema_max_sql_text_length) as usize,
        }
    }
}

impl Instrument {
    /// What the statement that ends is counted as.
    #[inline(always)]
    fn kind_of(&mut self, result: &SqlResult<Outcome>) -> Kind {
        let by_command = std::mem::take(&mut self.by_command);
        match self.kind {
            _ if by_command => Kind::EXECUTE,
            Some(counter) => Kind::statement(counter),
            None if result.as_ref().is_err_and(|e| e.is(ErrorCode::PARSE_ERROR)) => Kind::ERROR_STATEMENT,
            None => Kind::QUERY,
        }
    }
}

/// A statement that is being measured.
#[derive(Clone, Copy)]
pub(crate) struct Begun {
    at: u64,
    /// Its tokens and the default schema at its beginning.
    pub(super) key: u128,
    /// There was one: [`Instrument::schema`], even if the statement has changed it.
    pub(super) in_schema: bool,
    /// Bytes that the thread held.
    held: i64,
    /// Its processor time, if that is wanted.
    cpu_ns: Option<u64>,
    /// The transaction that it begins in; 0: none.
    within: u64,
}

/// A statement that has ended.
struct Told<'s> {
    begun: &'s Begun,
    sql: &'s [u8],
    result: &'s SqlResult<Outcome>,
    now: u64,
    kind: Kind,
    /// It is a command without a statement: what is left of the statement before is none of its own.
    bare: bool,
}

impl SessionLog {
    /// A statement begins. `tokens`: the lexer's key of its text.
    #[inline]
    pub(crate) fn measure(&mut self, env: &Env, tokens: u128) -> Option<Begun> {
        self.instrument.kind = None;
        self.slow = false;
        let a = &env.client.connection.activity;
        if env.vars.bool(Var::profiling) && !self.unlogged {
            self.profiled = true;
            probe::stage::profile(&a.recorder);
        }
        if !self.instrument.on || self.unlogged {
            self.instrument.usual = false;
            return None;
        }
        probe::forget_counted();
        let key = tokens ^ self.instrument.key_of(env.schema.as_ref());
        // the clock was read when the command came, if this is its first statement
        let came = a.command_ns.load(Relaxed);
        let at = if came == 0 { sys::clock::now_ns() } else { came };
        a.command_ns.store(0, Relaxed);
        a.event.store(a.recorder.begin_statement(), Relaxed);
        a.set_key(key);
        a.kind.store(Kind::QUERY.number(), Relaxed);
        let [start, end] = &a.times;
        start.store(at, Relaxed);
        end.store(0, Relaxed);
        self.instrument.usual = probe::usual() && a.recorder.flags() == INSTRUMENTED | KEEPS_HISTORY;
        let mut cpu_ns = None;
        if !self.instrument.usual {
            if instruments::any_stage() {
                probe::stage::begin(&a.recorder, at);
            }
            let wanted = instruments::active() & Consumer::StatementsCpu.bit() != 0;
            cpu_ns = wanted.then(sys::clock::thread_cpu_ns);
        }
        let within = a.recorder.transaction.event();
        Some(Begun { at, key, in_schema: env.schema.is_some(), held: base::memory::begin_peak(), cpu_ns, within })
    }

    /// What the statement that runs counts as.
    #[inline]
    pub(crate) fn kind_is(&mut self, env: &Env, kind: Counter) {
        self.instrument.kind = Some(kind);
        if env.kernel.steps.is_idle() {
            env.client.connection.activity.kind.store(Kind::statement(kind).number(), Relaxed);
        }
    }

    /// It has ended. `digest`: its normalised text, if nobody knows it yet.
    #[inline]
    pub(crate) fn measured(
        &mut self,
        env: &Env,
        begun: Option<Begun>,
        sql: &[u8],
        result: &SqlResult<Outcome>,
        digest: impl FnOnce() -> String,
    ) {
        if result.is_err() || env.conv.warning_count > 0 {
            self.record_errors(env, result);
        }
        if self.profiled {
            self.end_profile(env, sql);
        }
        let Some(begun) = begun else { return };
        if self.instrument.named.is_some()
            && let Some(named) = self.instrument.named.take()
        {
            return self.ended_named(env, begun, named, result);
        }
        self.ended(env, &begun, None, sql, result, digest);
    }

    /// It has ended. `kind`: what it counts as, if that is not what ran.
    #[inline]
    pub(super) fn ended(
        &mut self,
        env: &Env,
        begun: &Begun,
        kind: Option<Kind>,
        sql: &[u8],
        result: &SqlResult<Outcome>,
        digest: impl FnOnce() -> String,
    ) {
        let now = sys::clock::now_ns();
        self.note_slow(env, now.saturating_sub(begun.at));
        let a = &env.client.connection.activity;
        let [_, end] = &a.times;
        end.store(now, Relaxed);
        a.ended_ns.store(now, Relaxed);
        let ran = self.instrument.kind_of(result);
        let kind = kind.unwrap_or(ran);
        let told = Told { begun, sql, result, now, kind, bare: false };
        self.keep_told(env, &told, digest);
    }

    #[inline(always)]
    fn keep_told(&mut self, env: &Env, told: &Told<'_>, digest: impl FnOnce() -> String) {
        if self.instrument.usual && told.kind.is_timed() {
            self.keep(env, told, On::USUAL, digest);
        } else {
            self.keep_asked(env, told, digest);
        }
    }

    /// A command that is no statement has ended (COM_PING ...): in MySQL it is a statement event all the same.
    #[cold]
    pub(crate) fn command_ended(&mut self, env: &Env, kind: Kind, result: &SqlResult<Outcome>) {
        if !self.instrument.on || self.unlogged {
            return;
        }
        let a = &env.client.connection.activity;
        let now = sys::clock::now_ns();
        let came = a.command_ns.swap(0, Relaxed);
        let at = if came == 0 { now } else { came };
        a.event.store(a.recorder.begin_statement(), Relaxed);
        a.set_key(0);
        a.kind.store(kind.number(), Relaxed);
        let [start, end] = &a.times;
        start.store(at, Relaxed);
        end.store(now, Relaxed);
        a.ended_ns.store(now, Relaxed);
        self.instrument.usual = probe::usual() && a.recorder.flags() == INSTRUMENTED | KEEPS_HISTORY;
        let (held, within) = (base::memory::begin_peak(), a.recorder.transaction.event());
        let begun = Begun { at, key: 0, in_schema: false, held, cpu_ns: None, within };
        self.keep_told(env, &Told { begun: &begun, sql: b"", result, now, kind, bare: true }, String::new);
    }

    /// Keeps what settings say that are not the usual ones.
    #[inline(never)]
    fn keep_asked(&mut self, env: &Env, told: &Told<'_>, digest: impl FnOnce() -> String) {
        let recorder = &env.client.connection.activity.recorder;
        let on = On::asked(recorder, told.kind);
        if on.is(Consumer::Global) && recorder.flags() & INSTRUMENTED != 0 && told.kind.enabled() {
            return self.keep(env, told, on, digest);
        }
        self.instrument.executed = None;
        let mut kept = recorder.kept();
        probe::stage::over(recorder, &mut kept, told.now);
        self.transaction_told(recorder, &mut kept, (told.begun.at, told.now));
        self.take_measures(env, &mut One::default(), told.now.saturating_sub(told.begun.at), told);
    }

    /// Counts it and writes its event. The compiler makes this twice: for [`On::USUAL`] nothing is asked.
    #[inline(always)]
    fn keep(&mut self, env: &Env, told: &Told<'_>, on: On, digest: impl FnOnce() -> String) {
        let (begun, result, kind) = (told.begun, told.result, told.kind);
        let recorder = &*env.client.connection.activity.recorder;
        let ns = if on.timed { told.now.saturating_sub(begun.at) } else { 0 };
        let mut kept = recorder.kept();
        probe::stage::over(recorder, &mut kept, told.now);
        let own = self.transaction_ended(recorder, &mut kept, on.usual, (begun.at, told.now));
        let mut nowhere = None;
        let event = if on.is(Consumer::StatementsCurrent) {
            kept.next_statement(recorder, (history_size(), on.marks()), own)
        } else {
            nowhere.insert(StatementEvent::default())
        };
        self.take_measures(env, &mut event.one, ns, told);
        event.one.memory = base::memory::peak().saturating_sub(begun.held).max(0) as u64;
        if !on.usual
            && let Some(before) = begun.cpu_ns
        {
            event.one.add(Measure::CpuNs, sys::clock::thread_cpu_ns().saturating_sub(before));
        }
        if self.instrument.executed.is_some() {
            self.instrument.executed.take().into_iter().for_each(|p| p.stats.add(&event.one));
        }
        (event.digest, event.key) = (0, begun.key);
        if on.is(Consumer::StatementsDigest) && kind.has_digest() {
            event.digest = self.digest_of(begun, result, digest);
        }
        let counts = |is, what| if is { what } else { 0 };
        event.counts = counts(on.is(Consumer::Thread), BY_KIND)
            | counts(event.digest != 0, BY_DIGEST)
            | counts(own.event != 0, OWN);
        event.instrument = kind.number();
        event.times = on.timed.then_some((begun.at, told.now));
        self.fill(env, event, begun.within, told.sql, result);
        if !on.usual {
            if let Some(e) = &mut nowhere {
                kept.count_one(e, recorder);
            } else if on.marks() == 0 {
                // the next one takes its place
                kept.count(recorder);
            }
        }
    }

    /// Whether it was slow.
    #[inline]
    fn note_slow(&mut self, env: &Env, ns: u64) {
        self.slow = ns as i64 as f64 > env.vars.double(Var::long_query_time) * 1e9;
        if self.slow && !env.shared.globals.bool(Var::slow_query_log) {
            // the slow log counts what it sees itself
            probe::inc(probe::Counter::SlowQueries);
        }
    }

    /// Fills what no sum has.
    #[inline(always)]
    fn fill(&self, env: &Env, e: &mut StatementEvent, within: u64, sql: &[u8], result: &SqlResult<Outcome>) {
        let a = &env.client.connection.activity;
        e.thread = a.recorder.thread();
        e.events = (a.event.load(Relaxed), a.recorder.last_event());
        (e.level, e.result_set) = (0, matches!(result, Ok(o) if o.rows));
        e.nesting = if within == 0 { Nesting::None } else { Nesting::Transaction(within) };
        if e.program.is_some() {
            e.program = None;
        }
        // white space around it is cut off by who reads it
        e.text.clear();
        let most = self.instrument.max_text;
        if self.without_secrets {
            e.text.extend_from_slice(sql.get(..most).unwrap_or(sql));
        } else {
            let text = crate::text::showable(env, sql);
            let text = text.bytes();
            e.text.extend_from_slice(text.get(..most).unwrap_or(text));
        }
        // mostly that of the event which stood there
        let same = match (&e.schema, &env.schema) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (None, None) => true,
            _ => false,
        };
        if !same {
            e.schema.clone_from(&env.schema);
        }
        match result {
            Ok(o) => {
                e.error = 0;
                e.set_message(&o.info);
            }
            Err(failed) => {
                e.error = failed.code();
                e.set_message(failed.message());
            }
        }
    }

    /// Fills `one`.
    #[inline(always)]
    fn take_measures(&mut self, env: &Env, one: &mut One, ns: u64, told: &Told<'_>) {
        one.begin(ns, env.clock.now_us.max(0) as u64);
        let mut examined = probe::counted::take(&mut self.instrument.counted, one);
        let event = env.client.connection.activity.event.load(Relaxed);
        if env.kernel.steps.has_counted(event) {
            let call = self.instrument.kind == Some(Counter::ComCallProcedure);
            env.kernel.steps.take_off(one, &mut examined, call);
        }
        if one.has(Measure::Scan) || one.has(Measure::FullJoin) {
            one.add(Measure::NoIndexUsed, 1);
        }
        if env.conv.warning_count > 0 && !told.bare {
            one.add(Measure::Warnings, env.conv.warning_count);
        }
        one.rows = match told.result {
            Ok(o) if o.rows => [0, env.counts.rows_sent, examined],
            Ok(o) => [o.affected, 0, examined],
            Err(_) => {
                one.add(Measure::Errors, 1);
                [0, 0, examined]
            }
        };
    }
}
