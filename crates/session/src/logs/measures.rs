//! Measures of statements for performance_schema: by digest and the session's last one ([`probe::statements`]).
//!
//! A statement pays one clock reading (its begin is the command's, and the command's end is its; without
//! performance_schema, too: whether it was slow is always asked), a look at those of
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
use crate::logs::entries::Told;
use crate::logs::named::Named;
use crate::results::outcome::Outcome;
use base::SqlResult;
use catalog::connections::PreparedInstance;
use catalog::sysvar::{GlobalVars, Var};
use executor::Env;
use probe::Counter;
use probe::events::{INSTRUMENTED, KEEPS_HISTORY};
use probe::instruments::{self, Consumer, Instrument as Kind};
use probe::summaries::Own;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A session's part. What each statement needs stands first, in a little more than a cache line.
#[repr(C, align(64))]
pub(crate) struct Instrument {
    on: bool,
    /// When the running statement began, everything of it was recorded as it is without being asked for otherwise.
    pub(super) usual: bool,
    /// The running statement came as COM_STMT_EXECUTE.
    pub(crate) by_command: bool,
    /// The running statement has a default schema: [`Instrument::schema`], even if it has changed it since.
    pub(super) in_schema: bool,
    /// Kind of the running statement.
    pub(crate) kind: Option<Counter>,
    pub(super) max_text: usize,
    /// Where the entry of the next statement will stand.
    pub(super) upcoming: usize,
    /// What the running EXECUTE runs.
    pub(crate) executed: Option<Arc<PreparedInstance>>,
    /// A default schema and what it adds to the keys of statements.
    pub(super) schema: (Option<Arc<str>>, u128),
    /// The counters when the last statement ended.
    pub(super) counted: probe::counted::Before,
    /// The digests that it has met last.
    pub(super) recent: Recent,
    /// Its errors and warnings.
    pub(super) errors: Own<probe::errors::Stats>,
    /// Processor time when it began, if that is wanted.
    pub(super) cpu_ns: Option<u64>,
    /// PREPARE, EXECUTE or DEALLOCATE runs ([`Instrument::is_about`]).
    named: Option<Named>,
    pub(super) max_digest: usize,
}

impl Instrument {
    #[inline(always)]
    fn is_on(&self) -> bool {
        instruments::BUILT && self.on
    }

    pub(crate) fn new(globals: &GlobalVars) -> Instrument {
        Instrument {
            on: globals.bool(Var::performance_schema),
            usual: false,
            by_command: false,
            in_schema: false,
            kind: None,
            max_text: globals.num(Var::performance_schema_max_sql_text_length) as usize,
            upcoming: 0,
            executed: None,
            schema: (None, 0),
            counted: Default::default(),
            recent: Recent::default(),
            errors: Own::default(),
            cpu_ns: None,
            named: None,
            max_digest: globals.num(Var::performance_schema_max_digest_length).min(globals.num(Var::max_digest_length))
                as usize,
        }
    }

    /// What runs is about another statement, so it is none of the usual ones.
    pub(crate) fn is_about(&mut self, named: Option<Named>) {
        (self.named, self.usual) = (named, false);
    }

    /// The same is asked once, and forgotten.
    pub(crate) fn about(&mut self) -> Option<Named> {
        self.named.take()
    }
}

/// A statement that is being recorded.
#[derive(Clone, Copy)]
pub(crate) struct Begun {
    /// Its tokens and the default schema at its beginning.
    pub(super) key: u128,
    /// Bytes that the thread held.
    pub(super) held: i64,
    /// The transaction that it begins in; 0: none.
    pub(super) within: u64,
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
        // the clock was read when the command came, if this is its first statement
        let came = a.command_ns.load(Relaxed);
        let at = if came == 0 { sys::clock::now_ns() } else { came };
        a.command_ns.store(0, Relaxed);
        self.began = at;
        if !self.instrument.is_on() || self.unlogged {
            self.instrument.usual = false;
            return None;
        }
        probe::forget_counted();
        let key = tokens ^ self.instrument.key_of(env.schema.as_ref());
        a.event.store(a.recorder.begin_statement(), Relaxed);
        a.set_key(key);
        a.kind.store(Kind::QUERY.number(), Relaxed);
        let [start, end] = &a.times;
        start.store(at, Relaxed);
        end.store(0, Relaxed);
        self.instrument.usual = probe::usual() && a.recorder.flags() == INSTRUMENTED | KEEPS_HISTORY;
        if self.instrument.usual {
            sys::prefetch::run(self.instrument.upcoming / 64, 3);
        } else {
            if instruments::any_stage() {
                probe::stage::begin(&a.recorder, at);
            }
            let wanted = instruments::active() & Consumer::StatementsCpu.bit() != 0;
            self.instrument.cpu_ns = wanted.then(|| sys::cpu_time::thread_cpu_at(at));
        }
        Some(Begun { key, held: base::memory::begin_peak(), within: a.recorder.transaction.event() })
    }

    /// What the statement that runs counts as.
    #[inline]
    pub(crate) fn kind_is(&mut self, env: &Env, kind: Counter) {
        self.instrument.kind = Some(kind);
        if instruments::BUILT && env.kernel.steps.is_idle() {
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
        let now = self.end(env);
        let Some(begun) = begun.as_ref().filter(|_| instruments::BUILT) else { return };
        if self.instrument.usual {
            let [_, end] = &env.client.connection.activity.times;
            end.store(now, Relaxed);
            let by_command = std::mem::take(&mut self.instrument.by_command);
            return self.keep_usual(env, begun, by_command, sql, (result, now), digest);
        }
        match self.instrument.about() {
            Some(named) => self.ended_named(env, *begun, named, (result, now)),
            None => self.ended(env, begun, None, sql, (result, now), digest),
        }
    }

    /// When the statement that ends does. Whether it was slow is told whatever else is recorded.
    #[inline(always)]
    pub(super) fn end(&mut self, env: &Env) -> u64 {
        let now = sys::clock::now_ns();
        if !self.unlogged {
            self.note_slow(env, now.saturating_sub(self.began));
        }
        // the command's end is the statement's
        env.client.connection.activity.ended_ns.store(now, Relaxed);
        now
    }

    /// One that is asked what of it is recorded has ended. `kind`: what it counts as, if that is not what ran.
    #[inline(never)]
    pub(super) fn ended(
        &mut self,
        env: &Env,
        begun: &Begun,
        kind: Option<Kind>,
        sql: &[u8],
        (result, now): (&SqlResult<Outcome>, u64),
        digest: impl FnOnce() -> String,
    ) {
        let [_, end] = &env.client.connection.activity.times;
        end.store(now, Relaxed);
        let by_command = std::mem::take(&mut self.instrument.by_command);
        let kind = kind.unwrap_or_else(|| self.instrument.kind_of(by_command, result));
        self.keep_asked(env, &Told { begun, sql, result, now, kind, bare: false }, digest);
    }

    /// A command that is no statement has ended (COM_PING ...): in MySQL it is a statement event all the same.
    #[cold]
    pub(crate) fn command_ended(&mut self, env: &Env, kind: Kind, result: &SqlResult<Outcome>) {
        // what COM_STMT_CLOSE has closed
        let named = self.instrument.about();
        if !self.instrument.is_on() || self.unlogged {
            return;
        }
        let a = &env.client.connection.activity;
        let now = sys::clock::now_ns();
        let came = a.command_ns.swap(0, Relaxed);
        let at = if came == 0 { now } else { came };
        a.event.store(a.recorder.begin_statement(), Relaxed);
        let key = named.as_ref().map_or(0, |n| {
            self.instrument.key_of(env.schema.as_ref());
            self.key_of_named(env, n)
        });
        a.set_key(key);
        a.kind.store(kind.number(), Relaxed);
        let [start, end] = &a.times;
        start.store(at, Relaxed);
        end.store(now, Relaxed);
        a.ended_ns.store(now, Relaxed);
        self.instrument.usual = probe::usual() && a.recorder.flags() == INSTRUMENTED | KEEPS_HISTORY;
        (self.began, self.instrument.cpu_ns) = (at, None);
        let begun = Begun { key, held: base::memory::begin_peak(), within: a.recorder.transaction.event() };
        let sql = named.as_ref().map_or(&b""[..], |n| &n.text);
        self.without_secrets = false;
        let digest = || named.as_ref().map_or_else(String::new, |n| n.digest(env));
        self.keep_asked(env, &Told { begun: &begun, sql, result, now, kind, bare: true }, digest);
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
}
