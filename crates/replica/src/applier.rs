//! The thread `replica_sql`: reads the relay log and applies it, transaction by transaction, in the session that
//! [`session::Server::with_applier`] gives it.
//!
//! A transaction that was applied before is passed over: by its GTID, or by its place in the source's log, which is
//! kept in the engine with each commit ([`crate::state`]). One that meets a deadlock or waits too long for a lock is
//! rolled back and read again, `replica_transaction_retries` times. Any other error ends the thread and is shown.
//!
//! Crash: the transaction in the middle is gone in the engine and comes again. Tested: `tests/binlog/test_replica.py`.

mod change;

use crate::control::{Shared, Until};
use crate::events;
use crate::filters::Filters;
use crate::reader::{Next, Reader};
use crate::relay::{At, Position};
use crate::settings::Settings;
use crate::thread::Told;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::boundary::{Boundary, Step};
use binlog::event::Event;
use binlog::transaction::GtidEvent;
use binlog::{EventType, FormatDescription, Gtid, Malformed, control};
use catalog::sysvar::Var;
use session::{ApplierSession, Server, SkippedErrors, SourceTransaction};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long it waits for events before it looks around.
const LOOK: Duration = Duration::from_millis(500);
/// So many transactions become durable with one sync while there are more to apply: nobody waits for one of them, and
/// after a crash those that are lost come again.
const TOGETHER: u32 = 64;
/// A compressed transaction may be so large.
const LARGEST_PAYLOAD: usize = 1 << 30;

/// Why a transaction was not applied: the error, and how it is shown.
pub struct Trouble {
    pub error: SqlError,
    pub text: String,
}

impl From<SqlError> for Trouble {
    fn from(error: SqlError) -> Trouble {
        Trouble { text: error.message().to_owned(), error }
    }
}

impl From<Malformed> for Trouble {
    fn from(m: Malformed) -> Trouble {
        let text = format!("Relay log read failure: {m}");
        Trouble { error: SqlError::with_message(ErrorCode::UNKNOWN_ERROR, text.clone()), text }
    }
}

impl From<std::io::Error> for Trouble {
    fn from(e: std::io::Error) -> Trouble {
        let text = format!("Relay log read failure: {e}");
        Trouble { error: SqlError::with_message(ErrorCode::UNKNOWN_ERROR, text.clone()), text }
    }
}

/// The thread.
pub fn run(x: &Shared, server: &Arc<Server>, settings: &Settings) {
    let done = server.with_applier("replica_sql", |s| {
        *x.applier.connection.lock() = Some(s.connection());
        let mut a = Applier::new(x, s, settings);
        let done = a.run();
        *x.applier.connection.lock() = None;
        done
    });
    let told = match done {
        Ok(Ok(())) => return,
        Ok(Err(t)) => t,
        Err(e) => e.into(),
    };
    if !x.applier.stops() {
        x.applier.fail(u32::from(told.error.code()), told.text);
    }
}

/// Where a transaction began.
#[derive(Clone, Default)]
struct Start {
    relay: At,
    source: Position,
}

/// See the module.
struct Applier<'a> {
    x: &'a Shared,
    s: &'a mut ApplierSession,
    settings: &'a Settings,
    reader: Reader<'a>,
    boundary: Boundary,
    /// In the source's log, behind the last event.
    at: Position,
    start: Start,
    /// The transaction was applied before.
    skips: bool,
    gtid: Option<Gtid>,
    tries: u64,
    /// Transactions that are committed and may not be durable yet.
    unflushed: u32,
    /// Files of the relay log before this one are removed.
    released: u64,
    context: events::Context,
    filters: Arc<Filters>,
    /// `replica_skip_errors`
    skipped: SkippedErrors,
    /// A restore: this server's own past is applied, and the thread ends with the relay log.
    replays: bool,
    /// As it was begun here.
    transaction: Option<SourceTransaction>,
}

impl<'a> Applier<'a> {
    fn new(x: &'a Shared, s: &'a mut ApplierSession, settings: &'a Settings) -> Applier<'a> {
        Applier {
            x,
            s,
            settings,
            reader: Reader::new(&x.relay),
            boundary: Boundary::default(),
            at: Position::default(),
            start: Start::default(),
            skips: false,
            gtid: None,
            tries: 0,
            unflushed: 0,
            released: 0,
            context: events::Context::default(),
            filters: x.filters.lock().clone(),
            skipped: events::skipped_errors(&x.globals.string(Var::replica_skip_errors)),
            replays: *x.until.lock() == Until::Received,
            transaction: None,
        }
    }

    fn run(&mut self) -> Result<(), Trouble> {
        self.s.set_checksums(true);
        self.s.skip_errors(self.skipped.clone());
        self.s.keep_events(self.replays);
        loop {
            if self.x.applier.stops() || self.boundary.is_outside() && self.is_at_end() {
                return Ok(());
            }
            let place = self.reader.at;
            let event = match self.reader.next(Duration::ZERO)? {
                Next::Event(e) => e,
                Next::Nothing if self.unflushed > 0 => {
                    self.flush()?;
                    continue;
                }
                Next::Nothing if self.replays => return Ok(()),
                Next::Nothing => {
                    self.x.applier.idle.store(true, Ordering::Release);
                    self.x.applier.set_state("Replica has read all relay log; waiting for more updates");
                    self.s.check_running()?;
                    self.reader.wait(LOOK);
                    continue;
                }
            };
            self.x.applier.idle.store(false, Ordering::Release);
            match self.event(&event, place) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(t) if self.x.applier.stops() => return Err(t),
                Err(t) => self.again(t)?,
            }
        }
    }

    /// After an error: the transaction is tried again, if that may help.
    fn again(&mut self, t: Trouble) -> Result<(), Trouble> {
        let temporary = t.error.is(ErrorCode::LOCK_DEADLOCK) || t.error.is(ErrorCode::LOCK_WAIT_TIMEOUT);
        self.s.rollback()?;
        if !temporary || self.tries >= self.x.globals.num(Var::replica_transaction_retries) {
            return Err(t);
        }
        self.tries += 1;
        let told = Told { code: u32::from(t.error.code()), text: t.text, at: sys::clock::wall_seconds() };
        self.x.applier.progress.again(told);
        self.reader.seek(self.start.relay);
        self.at = self.start.source.clone();
        self.boundary = Boundary::default();
        self.x.applier.sleep(Duration::from_millis(50 * self.tries.min(20)));
        Ok(())
    }

    /// START REPLICA UNTIL.
    fn is_at_end(&self) -> bool {
        match &*self.x.until.lock() {
            Until::None | Until::Before(_) | Until::Received => false,
            Until::After(set) => set.is_subset(&self.x.executed()),
            Until::Source(p) => !self.at.file.is_empty() && !self.at.is_before(p),
        }
    }

    /// One event of the relay log, which stands at `place`. False: the thread ends here.
    fn event(&mut self, bytes: &[u8], place: At) -> Result<bool, Trouble> {
        let header = binlog::Header::read(bytes)?;
        let Some(kind) = header_kind(header)? else { return Ok(true) };
        if kind == EventType::FormatDescription {
            FormatDescription::read(bytes)?;
            return Ok(true);
        }
        let e = Event::read(bytes, true)?;
        match kind {
            EventType::Rotate => {
                let (file, offset) = control::read_rotate(e.body)?;
                self.at = Position { file: String::from_utf8_lossy(file).into_owned(), offset };
                return Ok(true);
            }
            EventType::PreviousGtids | EventType::Heartbeat | EventType::HeartbeatV2 | EventType::Stop => {
                return Ok(true);
            }
            EventType::GtidTagged => return Err(SqlError::unsupported("GTIDs with tags").into()),
            _ => {}
        }
        let step = self.boundary.step(kind, header.flags, e.body);
        if step == Step::Begins {
            let start = Start { relay: place, source: self.at.clone() };
            if start.relay != self.start.relay {
                self.tries = 0;
            }
            self.start = start;
        }
        if header.end != 0 {
            self.at.offset = u64::from(header.end);
        }
        self.x.applier.last_event.store(u64::from(header.stamp.timestamp), Ordering::Relaxed);
        if step == Step::Begins {
            return self.begins(kind, &e);
        }
        if !self.skips {
            self.apply(kind, &e)?;
        }
        if step == Step::Ends {
            self.ended()?;
        }
        Ok(true)
    }

    /// A transaction begins. False: the thread ends before it.
    fn begins(&mut self, kind: EventType, e: &Event<'_>) -> Result<bool, Trouble> {
        if self.s.in_transaction() {
            // its end never came: the source's connection broke, and it follows whole
            self.s.rollback()?;
        }
        let g = GtidEvent::read(kind, e.body)?;
        if let (Until::Before(set), Some(gtid)) = (&*self.x.until.lock(), g.gtid)
            && set.contains(gtid)
        {
            return Ok(false);
        }
        let applied = self.x.applied.lock().clone();
        self.skips = !self.settings.auto_position && self.start.source.is_before(&applied);
        self.gtid = g.gtid;
        if self.skips {
            return Ok(true);
        }
        self.x.applier.progress.begins(&g);
        self.wait_for_delay(g.immediate_commit);
        if self.x.applier.stops() {
            return Ok(false);
        }
        self.x.applier.set_state("Applying batch of row changes");
        let transaction = SourceTransaction {
            server_id: e.header.stamp.server_id,
            timestamp: e.header.stamp.timestamp,
            gtid: g.gtid,
            original_commit: g.original_commit,
            original_version: g.original_version,
        };
        self.skips = !self.s.begin_source(&transaction)?;
        self.transaction = Some(transaction);
        Ok(true)
    }

    /// SOURCE_DELAY.
    fn wait_for_delay(&self, committed_us: u64) {
        if self.settings.delay == 0 {
            return;
        }
        let due = committed_us / 1_000_000 + self.settings.delay;
        while !self.x.applier.stops() {
            let now = sys::clock::wall_seconds();
            self.x.applier.delay.store(if now >= due { 0 } else { due - now + 1 }, Ordering::Relaxed);
            if now >= due {
                return;
            }
            self.x.applier.set_state("Waiting until SOURCE_DELAY seconds after source executed event");
            self.x.applier.sleep(Duration::from_secs(1));
        }
        self.x.applier.delay.store(0, Ordering::Relaxed);
    }

    /// A transaction is over: the next one may have any GTID.
    fn ended(&mut self) -> Result<(), Trouble> {
        if !self.skips || self.settings.auto_position {
            self.x.applied_to(self.at.clone());
        }
        self.skips = false;
        self.x.applier.progress.ends();
        self.s.end_source()?;
        self.unflushed += 1;
        if self.unflushed >= TOGETHER {
            self.flush()?;
        }
        if self.reader.at.number != self.released {
            self.released = self.reader.at.number;
            self.reader.release();
        }
        Ok(())
    }

    /// What is committed becomes durable.
    fn flush(&mut self) -> SqlResult<()> {
        self.unflushed = 0;
        self.s.flush()
    }

    /// COMMIT, with the position.
    fn commit(&mut self) -> SqlResult<()> {
        self.say_position();
        let done = self.s.commit();
        self.s.forget_position();
        done
    }

    /// Without GTIDs: what commits next takes the position behind it along.
    fn say_position(&mut self) {
        if !self.settings.auto_position {
            self.s.set_position(&self.at.file, self.at.offset);
        }
    }

    /// The position behind what has committed itself and could not take it along.
    fn advance(&mut self) -> SqlResult<()> {
        if self.settings.auto_position {
            return Ok(());
        }
        self.s.end_source()?;
        self.s.begin()?;
        self.commit()
    }
}

/// The type, if it is known; one that is not may be passed over if it says so.
fn header_kind(h: binlog::Header) -> Result<Option<EventType>, Trouble> {
    match EventType::from_u8(h.kind) {
        None if h.flags & binlog::event::FLAG_IGNORABLE == 0 => {
            Err(SqlError::unsupported(format!("replication of events of type {}", h.kind)).into())
        }
        kind => Ok(kind),
    }
}
