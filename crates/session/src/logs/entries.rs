//! The entry that a statement leaves in its session's ring when it has ended ([`probe::events::Kept`]).
//!
//! Most statements are like one before of their session: the same text but for its literals, of which the same came,
//! without a message. What entries of such statements have in common is their shape ([`Shape`]), and an entry that has
//! it already, from eleven statements ago, gets only what is its own: times, numbers, measures, text. Who writes
//! anything else into an entry takes its shape away ([`probe::events::Kept::next_statement`]).
//!
//! What is recorded is what settings say: as without being asked for otherwise ([`SessionLog::keep_usual`]), or
//! whatever is asked for ([`On`]). Both leave the same in an entry.
//!
//! Tested: `tests/clients/test_statement_events.py`, `test_instrument_levels.py`.

use crate::logs::SessionLog;
use crate::logs::digests::Shape;
use crate::logs::measures::{Begun, Instrument};
use crate::logs::recorded::On;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlResult};
use executor::Env;
use probe::Counter;
use probe::counting::{BY_DIGEST, BY_KIND};
use probe::events::{INSTRUMENTED, Nesting, OwnTransaction, StatementEvent, history_size};
use probe::history::KEPT;
use probe::instruments::{Consumer, Instrument as Kind};
use probe::statements::{Measure, One};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A statement that has ended.
pub(super) struct Told<'s> {
    pub(super) begun: &'s Begun,
    pub(super) sql: &'s [u8],
    pub(super) result: &'s SqlResult<Outcome>,
    pub(super) now: u64,
    pub(super) kind: Kind,
    /// It is a command without a statement: what is left of the statement before is none of its own.
    pub(super) bare: bool,
}

impl Instrument {
    /// What the statement that ends is counted as.
    #[inline(always)]
    pub(super) fn kind_of(&self, by_command: bool, result: &SqlResult<Outcome>) -> Kind {
        match self.kind {
            _ if by_command => Kind::EXECUTE,
            Some(counter) => Kind::statement(counter),
            None if result.as_ref().is_err_and(|e| e.is(ErrorCode::PARSE_ERROR)) => Kind::ERROR_STATEMENT,
            None => Kind::QUERY,
        }
    }
}

/// The number of a kind; one more than all of them: none.
#[inline(always)]
fn number_of(kind: Option<Counter>) -> u16 {
    kind.map_or(Counter::COUNT as u16, |c| c as u16)
}

/// Whether a statement of this kind may leave another default schema than it found: USE, DROP DATABASE and programs
/// with that.
fn changes_schema(kind: Option<Counter>) -> bool {
    matches!(kind, None | Some(Counter::ComChangeDb | Counter::ComDropDb | Counter::ComCallProcedure))
}

fn same_schema(a: Option<&Arc<str>>, b: Option<&Arc<str>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

impl SessionLog {
    /// Writes the entry of a statement where everything is recorded as it is without being asked for otherwise.
    #[inline(always)]
    pub(super) fn keep_usual(
        &mut self,
        env: &Env,
        begun: &Begun,
        by_command: bool,
        sql: &[u8],
        (result, now): (&SqlResult<Outcome>, u64),
        digest: impl FnOnce() -> String,
    ) {
        let recorder = &*env.client.connection.activity.recorder;
        let mut kept = recorder.kept();
        probe::stage::over(recorder, &mut kept, now);
        let times = (self.began, now);
        let own = self.transaction_ended(recorder, &mut kept, times);
        let shape = self.shape_of(env, begun, (by_command, own), result);
        if shape == 0 {
            let e = kept.next_statement(recorder, (history_size(), KEPT), own);
            return self.fill_first(env, e, (begun, (by_command, own), times), sql, result, digest);
        }
        kept.next_shaped(recorder, (shape, own), |e, is_alike| {
            e.set_begin(Some(times.0));
            self.fill(env, e, (begun, now.saturating_sub(times.0)), (result, false), sql);
            if !is_alike {
                let kind = self.instrument.kind_of(by_command, result);
                self.fill_shape(env, e, (begun, kind), result, Some(digest));
                (e.shape, e.counts) = (shape, 0);
            }
        });
        self.instrument.upcoming = kept.upcoming();
    }

    /// The same of one that is like none before it, or may be like none after it.
    #[inline(never)]
    fn fill_first(
        &mut self,
        env: &Env,
        e: &mut StatementEvent,
        (begun, (by_command, own), times): (&Begun, (bool, OwnTransaction), (u64, u64)),
        sql: &[u8],
        result: &SqlResult<Outcome>,
        digest: impl FnOnce() -> String,
    ) {
        e.set_begin(Some(times.0));
        self.fill(env, e, (begun, times.1.saturating_sub(times.0)), (result, false), sql);
        e.counts = BY_KIND | BY_DIGEST | own.counts();
        let kind = self.instrument.kind_of(by_command, result);
        self.fill_shape(env, e, (begun, kind), result, Some(digest));
        e.shape = self.shape_is(env, begun, (by_command, own), result, e.digest);
    }

    /// Keeps what settings say that are not the usual ones.
    #[inline(never)]
    pub(super) fn keep_asked(&mut self, env: &Env, told: &Told<'_>, digest: impl FnOnce() -> String) {
        let (begun, result, kind) = (told.begun, told.result, told.kind);
        let recorder = &*env.client.connection.activity.recorder;
        let on = On::asked(recorder, kind);
        let mut kept = recorder.kept();
        probe::stage::over(recorder, &mut kept, told.now);
        self.transaction_told(recorder, &mut kept, (self.began, told.now));
        if !on.is(Consumer::Global) || recorder.flags() & INSTRUMENTED == 0 || !kind.enabled() {
            self.instrument.executed = None;
            let (ns, event) = (told.now.saturating_sub(self.began), env.client.connection.activity.event.load(Relaxed));
            self.take_measures(env, &mut One::default(), (ns, event), (result, told.bare));
            return;
        }
        let mut nowhere = None;
        let event = if on.is(Consumer::StatementsCurrent) {
            kept.next_statement(recorder, (history_size(), on.marks()), OwnTransaction::default())
        } else {
            nowhere.insert(StatementEvent::default())
        };
        event.set_begin(on.timed.then_some(self.began));
        let ns = if on.timed { told.now.saturating_sub(self.began) } else { 0 };
        let executed = self.instrument.executed.take();
        self.fill(env, event, (begun, ns), (result, told.bare), told.sql);
        if let Some(before) = self.instrument.cpu_ns {
            let cpu = sys::cpu_time::thread_cpu_at(told.now).saturating_sub(before);
            // may have been read a little later than the time, and no thread works for longer than that
            event.one.add(Measure::CpuNs, if on.timed { cpu.min(ns) } else { cpu });
        }
        executed.into_iter().for_each(|p| p.stats.add(&event.one));
        let has_text = !told.bare || begun.key != 0;
        let digest = (has_text && on.is(Consumer::StatementsDigest)).then_some(digest);
        event.counts = BY_DIGEST | if on.is(Consumer::Thread) { BY_KIND } else { 0 };
        self.fill_shape(env, event, (begun, kind), result, digest);
        if let Some(e) = &mut nowhere {
            kept.count_one(e, recorder);
        } else if on.marks() == 0 {
            // the next one takes its place
            kept.count(recorder);
        }
    }

    /// What a statement has for itself. `bare`: [`Told::bare`].
    #[inline(always)]
    fn fill(
        &mut self,
        env: &Env,
        e: &mut StatementEvent,
        (begun, ns): (&Begun, u64),
        (result, bare): (&SqlResult<Outcome>, bool),
        sql: &[u8],
    ) {
        let a = &env.client.connection.activity;
        let event = a.event.load(Relaxed);
        self.take_measures(env, &mut e.one, (ns, event), (result, bare));
        e.one.memory = base::memory::peak().wrapping_sub(begun.held).max(0) as u64;
        if self.instrument.executed.is_some() {
            self.instrument.executed.take().into_iter().for_each(|p| p.stats.add(&e.one));
        }
        e.events = [event, a.recorder.last_event()];
        e.set_nesting(Nesting::Transaction(begun.within));
        // white space around it is cut off by who reads it
        let most = self.instrument.max_text;
        if self.without_secrets {
            e.set_text(sql.get(..most).unwrap_or(sql));
        } else {
            let text = crate::text::showable(env, sql);
            let text = text.bytes();
            e.set_text(text.get(..most).unwrap_or(text));
        }
    }

    /// The shape of the statement's entry if it is like one before; else 0.
    #[inline(always)]
    fn shape_of(
        &self,
        env: &Env,
        begun: &Begun,
        (by_command, own): (bool, OwnTransaction),
        result: &SqlResult<Outcome>,
    ) -> u64 {
        let i = &self.instrument;
        let (Ok(o), Some(shape)) = (result, i.recent.shape(begun.key)) else { return 0 };
        let same = shape.own == own.mark()
            && shape.kind == number_of(i.kind)
            && shape.by_command == by_command
            && shape.rows == o.rows
            && o.info.is_empty();
        let same = same && shape.schema.as_ref().is_none_or(|s| same_schema((**s).as_ref(), env.schema.as_ref()));
        if same { shape.number } else { 0 }
    }

    /// The shape of an entry that has been filled with it; 0: it has none that others may have.
    #[inline(never)]
    fn shape_is(
        &mut self,
        env: &Env,
        begun: &Begun,
        (by_command, own): (bool, OwnTransaction),
        result: &SqlResult<Outcome>,
        digest: u64,
    ) -> u64 {
        let known = self.shape_of(env, begun, (by_command, own), result);
        let (0, Ok(o)) = (known, result) else { return known };
        if digest == 0 || !o.info.is_empty() {
            return 0;
        }
        let number = env.client.connection.activity.recorder.new_shape();
        let kind = number_of(self.instrument.kind);
        let schema = changes_schema(self.instrument.kind).then(|| Box::new(env.schema.clone()));
        let shape = Shape { number, kind, by_command, rows: o.rows, own: own.mark(), schema };
        if self.instrument.recent.set_shape(begun.key, shape) { number } else { 0 }
    }

    /// What others may have in common with it. `digest`: its text, if that is wanted.
    #[inline(never)]
    fn fill_shape(
        &mut self,
        env: &Env,
        e: &mut StatementEvent,
        (begun, kind): (&Begun, Kind),
        result: &SqlResult<Outcome>,
        digest: Option<impl FnOnce() -> String>,
    ) {
        e.thread = env.client.connection.activity.recorder.thread();
        e.instrument = kind.number();
        (e.digest, e.key) = (0, begun.key);
        if let Some(digest) = digest
            && kind.has_digest()
        {
            e.digest = self.digest_of(begun, result, digest);
        }
        if e.digest == 0 {
            e.counts &= !BY_DIGEST;
        }
        (e.level, e.result_set) = (0, matches!(result, Ok(o) if o.rows));
        e.program = None;
        // mostly that of the event which stood there
        if !same_schema(e.schema.as_ref(), env.schema.as_ref()) {
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

    /// What a statement has counted besides rows that it has found by their keys, or with programs; how many rows it
    /// has read in all.
    #[inline(never)]
    fn take_others(&mut self, env: &Env, one: &mut One, event: u64) -> u64 {
        let mut examined = probe::counted::take(&mut self.instrument.counted, one);
        if env.kernel.steps.has_counted(event) {
            let call = self.instrument.kind == Some(Counter::ComCallProcedure);
            env.kernel.steps.take_off(one, &mut examined, call);
        }
        if one.has(Measure::Scan) || one.has(Measure::FullJoin) {
            one.add(Measure::NoIndexUsed, 1);
        }
        examined
    }

    /// Fills `one`.
    #[inline(always)]
    fn take_measures(
        &mut self,
        env: &Env,
        one: &mut One,
        (ns, event): (u64, u64),
        (result, bare): (&SqlResult<Outcome>, bool),
    ) {
        one.begin(ns, env.clock.now_us as u64);
        let examined = if probe::counted::is_by_key() && !env.kernel.steps.has_counted(event) {
            probe::counted::take_by_key(&mut self.instrument.counted)
        } else {
            self.take_others(env, one, event)
        };
        if env.conv.warning_count > 0 && !bare {
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
