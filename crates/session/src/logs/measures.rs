//! Measures of statements for performance_schema: by digest and the session's last one ([`probe::statements`]).
//!
//! A statement pays one clock reading (its begin is the command's, and the command's end is its), a look at those of its own counters that it has counted in, and stores
//! to lines of its own session; it takes no lock and allocates only when its thread meets a digest for the first time. Off with `performance_schema = OFF`. Statements that could not be
//! parsed have no digest, as in MySQL; a prepared statement counts for the digest of its text, at its executions only.
//!
//! Tested: `tests/clients/test_performance_schema.py`.

use crate::logs::SessionLog;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlResult};
use catalog::connections::PreparedInstance;
use catalog::sysvar::{GlobalVars, Var};
use executor::Env;
use probe::Counter;
use probe::events::{INSTRUMENTED, KEEPS_HISTORY, STATEMENTS_LONG, StatementEvent};
use probe::instruments::{self, Consumer, Instrument as Kind};
use probe::statements::{self, Measure, One, Place, Slot, Stats};
use probe::summaries::Own;
use std::cell::Cell;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Counters of which a statement's share is taken.
const COUNTERS: [Counter; 18] = [
    Counter::HandlerReadKey,
    Counter::HandlerReadNext,
    Counter::HandlerReadPrev,
    Counter::HandlerReadRndNext,
    Counter::RowsNotFound,
    Counter::InnodbRowLockTime,
    Counter::MdlWaitTime,
    Counter::CreatedTmpDiskTables,
    Counter::CreatedTmpTables,
    Counter::SelectFullJoin,
    Counter::SelectFullRangeJoin,
    Counter::SelectRange,
    Counter::SelectRangeCheck,
    Counter::SelectScan,
    Counter::SortMergePasses,
    Counter::SortRange,
    Counter::SortRows,
    Counter::SortScan,
];
/// Which of them is taken off the rows examined.
const MISSED: usize = 4;
/// Where they stand.
static PLACES: probe::Eighths = probe::by_eighth(&COUNTERS);
/// What each of them counts for.
const MEASURES: [Measure; COUNTERS.len()] = [
    Measure::RowsExamined,
    Measure::RowsExamined,
    Measure::RowsExamined,
    Measure::RowsExamined,
    Measure::RowsExamined,
    Measure::LockNs,
    Measure::LockNs,
    Measure::TmpDiskTables,
    Measure::TmpTables,
    Measure::FullJoin,
    Measure::FullRangeJoin,
    Measure::Range,
    Measure::RangeCheck,
    Measure::Scan,
    Measure::SortMergePasses,
    Measure::SortRange,
    Measure::SortRows,
    Measure::SortScan,
];

/// The consumers that keep statements which have ended.
const HISTORIES: u32 = Consumer::StatementsHistory.bit() | Consumer::StatementsHistoryLong.bit();

/// A session's part.
pub(crate) struct Instrument {
    on: bool,
    /// The session's sums by kind of statement.
    sums: Own<Stats>,
    /// Its errors and warnings.
    errors: Own<probe::errors::Stats>,
    /// The running statement came as COM_STMT_EXECUTE.
    pub(crate) by_command: bool,
    /// Kind of the running statement.
    pub(crate) kind: Option<Counter>,
    /// What the running EXECUTE runs.
    pub(crate) executed: Option<Arc<PreparedInstance>>,
    /// The counters when the last statement ended.
    counted: [u64; COUNTERS.len()],
    /// Which sums there were of the last statement.
    there: u32,
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
            counted: Default::default(),
            there: 0,
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
pub(crate) struct Begun {
    at: u64,
    /// Its tokens and the default schema at its beginning.
    key: u128,
    /// Where the thread's slot is.
    slot: Option<Place>,
    /// The default schema, if the slot must be made.
    schema: Option<Box<str>>,
}

/// The first bytes of a text, whole characters.
fn cut(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}

thread_local! {
    /// Measures of the statement that ends, the thread's: they follow one another, so there is no other one meanwhile.
    static ONE: Cell<Option<Box<One>>> = const { Cell::new(None) };
}

impl SessionLog {
    /// Key of a digest: tokens in a default schema.
    fn digest_key(env: &Env, tokens: u128) -> u128 {
        let Some(schema) = env.schema.as_deref() else { return tokens };
        let mut h = foldhash::fast::FixedState::with_seed(tokens as u64).build_hasher();
        h.write(schema.as_bytes());
        tokens ^ (u128::from(h.finish()) << 64 | u128::from(h.finish()))
    }

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
        let key = SessionLog::digest_key(env, tokens);
        let a = &env.client.connection.activity;
        // the clock was read when the command came, if this is its first statement
        let came = a.command_ns.load(Relaxed);
        let at = if came == 0 { sys::clock::now_ns() } else { came };
        a.command_ns.store(0, Relaxed);
        let (slot, digest) = statements::mine(|m| m.find(key)).unzip();
        let digest = digest.unwrap_or(0);
        a.event.store(a.recorder.begin_statement(), Relaxed);
        a.digest.store(digest, Relaxed);
        let [start, end] = &a.times;
        start.store(at, Relaxed);
        end.store(0, Relaxed);
        probe::stage::set(probe::Stage::Starting);
        // the statement may change the default schema; its digest is of the one before
        let schema = if slot.is_none() { env.schema.as_deref().map(Into::into) } else { None };
        Some(Begun { at, key, slot, schema })
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
        let now = sys::clock::now_ns();
        self.transaction_told(env, now);
        probe::stage::over(now);
        self.slow = now.saturating_sub(begun.at) as f64 / 1e9 > env.vars.double(Var::long_query_time);
        if self.slow && !env.shared.globals.bool(Var::slow_query_log) {
            // the slow log counts what it sees itself
            probe::inc(probe::Counter::SlowQueries);
        }
        let mut one = ONE.take().unwrap_or_default();
        self.take_measures(env, &mut one, now.saturating_sub(begun.at), result);
        let i = &mut self.instrument;
        let before = std::mem::replace(&mut i.there, one.there());
        let kind = i.kind_of(result);
        let a = &env.client.connection.activity;
        let [_, end] = &a.times;
        end.store(now, Relaxed);
        a.ended_ns.store(now, Relaxed);
        a.stats.only(&one, before);
        a.kind.store(kind.number() + 1, Relaxed);
        a.error.store(result.as_ref().err().map_or(0, |e| u32::from(e.code())), Relaxed);
        let active = instruments::active();
        let flags = a.recorder.flags();
        let executed = i.executed.take();
        if active & Consumer::Global.bit() != 0 && flags & INSTRUMENTED != 0 && kind.enabled() {
            if !kind.timed() {
                one.ns = 0;
            }
            if let Some(p) = executed {
                p.stats.add(&one);
            }
            if active & Consumer::Thread.bit() != 0
                && let Some(sums) = i.sums.slot(kind.number(), &a.recorder.sums)
            {
                sums.add(&one);
            }
            if active & Consumer::StatementsDigest.bit() != 0 {
                self.record_digest(env, &begun, (sql, &one), result, digest);
            }
            if active & HISTORIES != 0 && flags & KEEPS_HISTORY != 0 {
                let times = kind.timed().then_some((begun.at, now));
                self.record_history(env, active, (kind, times), (sql, &one), result);
            }
        }
        ONE.set(Some(one));
    }

    /// Keeps it in the histories that are on.
    #[inline]
    fn record_history(
        &self,
        env: &Env,
        active: u32,
        (kind, times): (Kind, Option<(u64, u64)>),
        (sql, one): (&[u8], &One),
        result: &SqlResult<Outcome>,
    ) {
        let a = &env.client.connection.activity;
        let fill = |e: &mut StatementEvent| {
            e.thread = env.client.connection.id();
            e.events = (a.event.load(Relaxed), a.recorder.last_event());
            (e.instrument, e.times, e.digest) = (kind.number(), times, a.digest.load(Relaxed));
            e.one.take(one);
            let text = crate::text::trimmed(sql);
            e.text.clear();
            if self.without_secrets {
                e.text.extend_from_slice(text.get(..self.instrument.max_text).unwrap_or(text));
            } else {
                let text = crate::text::showable(env, text);
                let text = text.bytes();
                e.text.extend_from_slice(text.get(..self.instrument.max_text).unwrap_or(text));
            }
            e.schema.clear();
            e.schema.push_str(env.schema.as_deref().unwrap_or_default());
            e.error = result.as_ref().err().map_or(0, base::SqlError::code);
            e.set_message(match result {
                Ok(o) => &o.info,
                Err(e) => e.message(),
            });
        };
        if active & Consumer::StatementsHistory.bit() != 0 {
            a.recorder.record(fill);
        }
        if active & Consumer::StatementsHistoryLong.bit() != 0 {
            STATEMENTS_LONG.record(fill);
        }
    }

    /// Counts the error and the warnings by their numbers.
    #[cold]
    fn record_errors(&mut self, env: &Env, result: &SqlResult<Outcome>) {
        let recorder = &env.client.connection.activity.recorder;
        let on = instruments::active() & Consumer::Global.bit() != 0 && Kind::ERRORS.enabled();
        // SHOW WARNINGS and the like show what was counted before
        if !on || recorder.flags() & INSTRUMENTED == 0 || matches!(result, Ok(o) if o.keep_diagnostics) {
            return;
        }
        let now = sys::clock::wall_micros();
        let error = result.as_ref().err().map(base::SqlError::code);
        let warnings = env.conv.warnings.iter().map(|w| w.code).filter(|c| Some(*c) != error);
        for code in error.into_iter().chain(warnings) {
            probe::errors::record(&mut self.instrument.errors, &recorder.errors, code, now);
        }
    }

    /// Counts for the statement's digest.
    #[inline]
    fn record_digest(
        &mut self,
        env: &Env,
        begun: &Begun,
        (sql, one): (&[u8], &One),
        result: &SqlResult<Outcome>,
        digest: impl FnOnce() -> String,
    ) {
        let age = env.shared.globals.num(Var::performance_schema_max_digest_sample_age).saturating_mul(1_000_000);
        let known = begun
            .slot
            .and_then(|at| statements::mine(|m| m.slot(at).map(|slot| slot.record(one, age).then(|| slot.clone()))));
        let sample = match known {
            Some(sample) => sample,
            None => self.new_slot(env, begun, result, digest).filter(|slot| slot.record(one, age)),
        };
        if let Some(slot) = sample {
            let text = crate::text::showable(env, crate::text::trimmed(sql));
            let text = text.bytes();
            slot.digest().sample(text.get(..self.instrument.max_text).unwrap_or(text), one);
        }
    }

    /// The slot of a statement that the thread has not met; none for what was no statement.
    #[cold]
    fn new_slot(
        &mut self,
        env: &Env,
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
        let slot = statements::mine(|m| m.enter(begun.key, begun.schema.as_deref(), make));
        env.client.connection.activity.digest.store(slot.digest().id, Relaxed);
        Some(slot)
    }

    /// Fills `one`.
    #[inline]
    fn take_measures(&mut self, env: &Env, one: &mut One, ns: u64, result: &SqlResult<Outcome>) {
        let counted = &mut self.instrument.counted;
        one.begin(ns, env.clock.now_us.max(0) as u64);
        let (mut scans, mut missed) = (false, 0);
        self.sched.counters().changed(&COUNTERS, &PLACES, counted, |i, n| {
            if i == MISSED {
                missed = n;
                return;
            }
            let m = MEASURES.get(i).copied().unwrap_or(Measure::RowsExamined);
            scans |= matches!(m, Measure::Scan | Measure::FullJoin);
            if m == Measure::SortRows {
                // what was sorted is read once more
                one.add(Measure::RowsExamined, n);
            }
            one.add(m, if m == Measure::LockNs { n * 1000 } else { n });
        });
        one.less(Measure::RowsExamined, missed);
        one.add(Measure::NoIndexUsed, u64::from(scans));
        one.add(Measure::Warnings, env.conv.warning_count);
        match result {
            Ok(o) if o.rows => one.add(Measure::RowsSent, env.counts.rows_sent),
            Ok(o) => one.add(Measure::RowsAffected, o.affected),
            Err(_) => one.add(Measure::Errors, 1),
        }
    }
}
