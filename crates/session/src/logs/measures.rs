//! Measures of statements for performance_schema: by digest and the session's last one ([`probe::statements`]).
//!
//! A statement pays one clock reading (its begin is the command's, and the command's end is its), a look at those of
//! its own counters that it has counted in, and stores to lines of its own session and thread; it takes the lock of its
//! session's events, which only readers take besides, and allocates only when its thread meets a digest for the first
//! time. Off with `performance_schema = OFF`. Statements that could not be parsed have no digest, as in MySQL; a
//! prepared statement counts for the digest of its text, at its executions only.
//!
//! Tested: `tests/clients/test_performance_schema.py`.

use crate::logs::SessionLog;
use crate::logs::named::Named;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlResult};
use catalog::connections::PreparedInstance;
use catalog::sysvar::{GlobalVars, Var};
use executor::Env;
use probe::Counter;
use probe::events::{INSTRUMENTED, KEEPS_HISTORY, Nesting, STATEMENTS_LONG, StatementEvent, history_size};
use probe::instruments::{self, Consumer, Instrument as Kind};
use probe::statements::{self, Measure, One, Slot, Stats};
use probe::summaries::Own;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A session's part.
pub(crate) struct Instrument {
    on: bool,
    /// The session's sums by kind of statement.
    sums: Own<Stats>,
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
    /// Where the last statement counted for its digest.
    last: statements::LastSlot,
    /// The counters when the last statement ended.
    counted: probe::counted::Before,
    /// A default schema and what it adds to the keys of statements.
    pub(super) schema: (Option<Arc<str>>, u128),
    max_digest: usize,
    max_text: usize,
}

impl Instrument {
    pub(crate) fn new(globals: &GlobalVars) -> Instrument {
        Instrument {
            on: globals.bool(Var::performance_schema),
            sums: Own::default(),
            errors: Own::default(),
            by_command: false,
            kind: None,
            executed: None,
            named: None,
            last: Default::default(),
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

/// The first bytes of a text, whole characters.
fn cut(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}

impl Instrument {
    /// What a default schema adds to the key of a statement's tokens: that makes the key of its digest.
    #[inline]
    fn key_of(&mut self, schema: Option<&Arc<str>>) -> u128 {
        let Some(schema) = schema else { return 0 };
        if !self.schema.0.as_ref().is_some_and(|s| Arc::ptr_eq(s, schema)) {
            let mut h = foldhash::fast::FixedState::with_seed(1).build_hasher();
            h.write(schema.as_bytes());
            self.schema = (Some(schema.clone()), u128::from(h.finish()) << 64 | u128::from(h.finish()));
        }
        self.schema.1
    }
}

impl SessionLog {
    /// A statement begins. `tokens`: the lexer's key of its text.
    #[inline]
    pub(crate) fn measure(&mut self, env: &Env, tokens: u128) -> Option<Begun> {
        self.instrument.kind = None;
        self.slow = false;
        if env.vars.bool(Var::profiling) && !self.unlogged {
            self.profiled = true;
            probe::stage::profile();
        }
        if !self.instrument.on || self.unlogged {
            return None;
        }
        probe::forget_counted();
        let key = tokens ^ self.instrument.key_of(env.schema.as_ref());
        let a = &env.client.connection.activity;
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
        if instruments::any_stage() {
            probe::stage::set(probe::Stage::Starting);
        }
        let within = a.recorder.transaction.event();
        let cpu = instruments::active() & Consumer::StatementsCpu.bit() != 0;
        let cpu_ns = cpu.then(sys::clock::thread_cpu_ns);
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
        let named = self.instrument.named.take();
        let Some(begun) = begun else { return };
        match named {
            None => self.ended(env, begun, None, sql, result, digest),
            Some(named) => self.ended_named(env, begun, named, result),
        }
    }

    /// It has ended. `kind`: what it counts as, if that is not what ran.
    #[inline]
    pub(super) fn ended(
        &mut self,
        env: &Env,
        begun: Begun,
        kind: Option<Kind>,
        sql: &[u8],
        result: &SqlResult<Outcome>,
        digest: impl FnOnce() -> String,
    ) {
        let now = sys::clock::now_ns();
        let ns = now.saturating_sub(begun.at);
        self.note_slow(env, ns);
        let a = &env.client.connection.activity;
        let recorder = &a.recorder;
        let mut kept = recorder.kept();
        probe::stage::over(now);
        let [_, end] = &a.times;
        end.store(now, Relaxed);
        a.ended_ns.store(now, Relaxed);
        let active = instruments::active();
        let flags = recorder.flags();
        let ran = self.instrument.kind_of(result);
        let kind = kind.unwrap_or(ran);
        let executed = self.instrument.executed.take();
        if active & Consumer::Global.bit() == 0 || flags & INSTRUMENTED == 0 || !kind.enabled() {
            self.transaction_told(recorder, kept.all_transactions(), now);
            return self.take_measures(env, &mut One::default(), ns, result);
        }
        let own = self.transaction_ended(recorder, &mut kept, (active, flags), now);
        let mut nowhere;
        let (is_on, keeps) = (|c: Consumer| active & c.bit() != 0, flags & KEEPS_HISTORY != 0);
        let event = if is_on(Consumer::StatementsCurrent) {
            kept.next_statement(history_size(), keeps && is_on(Consumer::StatementsHistory))
        } else {
            nowhere = StatementEvent::default();
            &mut nowhere
        };
        let timed = kind.timed();
        self.take_measures(env, &mut event.one, if timed { ns } else { 0 }, result);
        event.one.memory = base::memory::peak().saturating_sub(begun.held).max(0) as u64;
        if let Some(before) = begun.cpu_ns {
            event.one.add(Measure::CpuNs, sys::clock::thread_cpu_ns().saturating_sub(before));
        }
        let one = &event.one;
        if let Some(p) = executed {
            p.stats.add(one);
        }
        if is_on(Consumer::Thread)
            && let Some(sums) = self.instrument.sums.slot(kind.number(), &recorder.sums)
        {
            sums.add(one);
        }
        event.digest = 0;
        if is_on(Consumer::StatementsDigest) && kind != Kind::SCHEDULER_EVENT {
            event.digest = self.record_digest(env, &begun, (sql, &event.one), result, digest);
        }
        if is_on(Consumer::StatementsCurrent) {
            event.instrument = kind.number();
            event.times = timed.then_some((begun.at, now));
            self.fill(env, event, begun.within, sql, result);
            if keeps && is_on(Consumer::StatementsHistoryLong) {
                STATEMENTS_LONG.record(|to| to.clone_from(event));
            }
        }
        if own.event != 0 {
            kept.own(own);
        }
    }

    /// Whether it was slow.
    #[inline]
    fn note_slow(&mut self, env: &Env, ns: u64) {
        self.slow = ns as f64 > env.vars.double(Var::long_query_time) * 1e9;
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
        let text = sql;
        e.text.clear();
        if self.without_secrets {
            e.text.extend_from_slice(text.get(..self.instrument.max_text).unwrap_or(text));
        } else {
            let text = crate::text::showable(env, text);
            let text = text.bytes();
            e.text.extend_from_slice(text.get(..self.instrument.max_text).unwrap_or(text));
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

    /// Counts for the statement's digest, whose number it returns; 0: it has none.
    #[inline(always)]
    fn record_digest(
        &mut self,
        env: &Env,
        begun: &Begun,
        (sql, one): (&[u8], &One),
        result: &SqlResult<Outcome>,
        digest: impl FnOnce() -> String,
    ) -> u64 {
        let age = env.shared.globals.num(Var::performance_schema_max_digest_sample_age).saturating_mul(1_000_000);
        let count = |slot: &Arc<Slot>| (slot.digest().id, slot.record(one, age).then(|| slot.clone()));
        let last = &mut self.instrument.last;
        let known = last.get(begun.key).map(count).or_else(|| {
            statements::mine(|m| {
                let slot = m.find(begun.key)?;
                last.set(begun.key, slot);
                Some(count(slot))
            })
        });
        let (id, sample) = known.unwrap_or_else(|| {
            let slot = self.new_slot(begun, result, digest);
            (slot.as_ref().map_or(0, |s| s.digest().id), slot.filter(|slot| slot.record(one, age)))
        });
        if let Some(slot) = sample {
            let text = crate::text::showable(env, crate::text::trimmed(sql));
            let text = text.bytes();
            slot.digest().sample(text.get(..self.instrument.max_text).unwrap_or(text), one);
        }
        id
    }

    /// The slot of a statement that the thread has not met; none for what was no statement.
    #[cold]
    fn new_slot(
        &mut self,
        begun: &Begun,
        result: &SqlResult<Outcome>,
        digest: impl FnOnce() -> String,
    ) -> Option<Arc<Slot>> {
        let unparsed = [ErrorCode::PARSE_ERROR, ErrorCode::EMPTY_QUERY];
        if result.as_ref().is_err_and(|e| unparsed.into_iter().any(|c| e.is(c))) {
            return None;
        }
        let limit = self.instrument.max_digest;
        let make = || {
            let mut text = digest();
            if text.len() > limit {
                text = format!("{}...", cut(&text, limit));
            }
            (catalog::digest::hex(&text), text)
        };
        let schema = self.instrument.schema.0.as_deref().filter(|_| begun.in_schema);
        Some(statements::mine(|m| m.enter(begun.key, schema, make)))
    }

    /// Fills `one`.
    #[inline(always)]
    fn take_measures(&mut self, env: &Env, one: &mut One, ns: u64, result: &SqlResult<Outcome>) {
        one.begin(ns, env.clock.now_us.max(0) as u64, [0; 3]);
        let mut examined = probe::counted::take(&mut self.instrument.counted, one);
        let event = env.client.connection.activity.event.load(Relaxed);
        let call = self.instrument.kind == Some(Counter::ComCallProcedure);
        env.kernel.steps.take_off(event, one, &mut examined, call);
        if one.has(Measure::Scan) || one.has(Measure::FullJoin) {
            one.add(Measure::NoIndexUsed, 1);
        }
        if env.conv.warning_count > 0 {
            one.add(Measure::Warnings, env.conv.warning_count);
        }
        one.rows = match result {
            Ok(o) if o.rows => [0, env.counts.rows_sent, examined],
            Ok(o) => [o.affected, 0, examined],
            Err(_) => {
                one.add(Measure::Errors, 1);
                [0, 0, examined]
            }
        };
    }
}
