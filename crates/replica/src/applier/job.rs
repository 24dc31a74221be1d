//! [`Job`]: a whole transaction of the relay log, and [`Collector`], which reads them in order.
//!
//! A transaction that was cut off (the source's connection broke) is no job: it follows again whole. Events of a large
//! one stay in the relay log, from which whoever applies it reads them again. Used by the thread `replica_sql` alone.

use super::branches::Branch;
use super::{Trouble, header_kind};
use crate::reader::Reader;
use crate::relay::{At, Position, Relay};
use base::SqlError;
use binlog::boundary::{Boundary, Step};
use binlog::event::{Event, Stamp};
use binlog::transaction::{GtidEvent, read_xa_prepare};
use binlog::{EventType, FormatDescription, control, query::Query};

/// A larger transaction's events are not kept in memory.
const MAX_KEPT: usize = 8 << 20;

/// A transaction, without the event that names it.
pub struct Job {
    /// Its number among all that are applied, from 0 on, in their order.
    pub n: u64,
    /// Where it begins in the relay log.
    pub start: At,
    /// Where it ends there.
    pub end: At,
    /// Where it begins in the source's log.
    pub from: Position,
    /// Where it ends there.
    pub to: Position,
    pub gtid: GtidEvent,
    /// Of its first event.
    pub stamp: Stamp,
    /// How many events it has, the one that names it included.
    pub count: u64,
    /// What it does with an XA branch.
    pub branch: Option<Branch>,
    /// It ends in XA COMMIT ... ONE PHASE.
    pub one_phase: bool,
    /// Nothing of it is applied (`sql_replica_skip_counter`).
    pub skipped: bool,
    /// Its events; `None`: they are read from the relay log.
    pub events: Option<Vec<u8>>,
    /// Nothing is applied beside it.
    pub alone: bool,
    /// Everything before must be over: its numbers do not go on from theirs.
    pub anew: bool,
}

impl Job {
    /// What it is called in messages.
    pub fn name(&self) -> String {
        self.gtid.gtid.map_or_else(|| "ANONYMOUS".to_owned(), |g| g.to_string())
    }

    /// The number up to which all must be over before it begins. Without numbers that is everything.
    pub fn after(&self) -> u64 {
        let (after, own) = (self.gtid.last_committed, self.gtid.sequence_number);
        if after < own { after } else { u64::MAX }
    }

    /// What an event of it says of an XA branch.
    fn take_branch(&mut self, kind: EventType, e: &Event<'_>) {
        match kind {
            EventType::Query if self.count == 2 => {
                self.branch = Query::read(e.header.flags, e.body).ok().and_then(|q| Branch::of(q.text));
            }
            EventType::XaPrepare => {
                self.one_phase = read_xa_prepare(e.body).is_ok_and(|(_, one_phase)| one_phase);
                self.branch = self.branch.take().filter(|_| !self.one_phase);
            }
            _ => {}
        }
    }

    /// Bytes that it has in memory.
    pub fn size(&self) -> usize {
        self.events.as_ref().map_or(0, Vec::len)
    }

    /// Shows its events.
    pub fn each(&self, relay: &Relay, mut f: impl FnMut(&Event<'_>) -> Result<(), Trouble>) -> Result<(), Trouble> {
        if let Some(events) = &self.events {
            for e in binlog::event::Events::new(events, true) {
                f(&e?)?;
            }
            return Ok(());
        }
        let mut reader = Reader::new(relay);
        reader.seek(self.start);
        while reader.at.offset < self.end.offset {
            let Some(bytes) = reader.next()? else { break };
            let e = Event::read(bytes, true)?;
            if !matches!(e.kind(), Some(EventType::Gtid | EventType::AnonymousGtid)) {
                f(&e)?;
            }
        }
        Ok(())
    }
}

/// One without events, for tests: its number, up to where all must be over before it, and its place among the source's.
#[cfg(test)]
pub fn job(n: u64, after: u64, sequence: u64) -> Job {
    let gtid = GtidEvent {
        gtid: None,
        may_have_statements: false,
        last_committed: after,
        sequence_number: sequence,
        immediate_commit: 0,
        original_commit: 0,
        transaction_length: 0,
        immediate_version: 0,
        original_version: 0,
    };
    let at = At::default();
    Job {
        n,
        start: at,
        end: at,
        from: Position::default(),
        to: Position::default(),
        gtid,
        stamp: Stamp::default(),
        count: 1,
        branch: None,
        one_phase: false,
        skipped: false,
        events: Some(Vec::new()),
        alone: false,
        anew: false,
    }
}

/// See the module.
pub struct Collector<'a> {
    pub reader: Reader<'a>,
    boundary: Boundary,
    /// In the source's log, behind the last event.
    pub at: Position,
    /// Another file of the source's begins.
    anew: bool,
    open: Option<Job>,
}

impl<'a> Collector<'a> {
    pub fn new(relay: &'a Relay) -> Collector<'a> {
        Collector {
            reader: Reader::new(relay),
            boundary: Boundary::default(),
            at: Position::default(),
            anew: true,
            open: None,
        }
    }

    /// Whether no transaction has been read in part.
    pub fn is_between(&self) -> bool {
        self.boundary.is_outside()
    }

    /// The next whole transaction, if there is one yet. `begins` is told of each that begins.
    pub fn next(&mut self, mut begins: impl FnMut(&GtidEvent)) -> Result<Option<Job>, Trouble> {
        loop {
            let Some(bytes) = self.reader.next()? else { return Ok(None) };
            let header = binlog::Header::read(bytes)?;
            let Some(kind) = header_kind(header)? else { continue };
            if kind == EventType::FormatDescription {
                FormatDescription::read(bytes)?;
                continue;
            }
            let e = Event::read(bytes, true)?;
            match kind {
                EventType::Rotate => {
                    let (file, offset) = control::read_rotate(e.body)?;
                    let file = String::from_utf8_lossy(file).into_owned();
                    self.anew |= file != self.at.file;
                    self.at = Position { file, offset };
                    continue;
                }
                EventType::PreviousGtids | EventType::Heartbeat | EventType::HeartbeatV2 | EventType::Stop => continue,
                EventType::GtidTagged => return Err(SqlError::unsupported("GTIDs with tags").into()),
                _ => {}
            }
            let step = self.boundary.step(kind, header.flags, e.body);
            let begins_at = self.at.clone();
            if header.end != 0 {
                self.at.offset = u64::from(header.end);
            }
            if step == Step::Begins {
                let gtid = GtidEvent::read(kind, e.body)?;
                begins(&gtid);
                let start = At { offset: self.reader.at.offset - u64::from(header.size), ..self.reader.at };
                self.open = Some(Job {
                    n: 0,
                    start,
                    end: start,
                    from: begins_at,
                    to: Position::default(),
                    gtid,
                    stamp: header.stamp,
                    count: 1,
                    branch: None,
                    one_phase: false,
                    skipped: false,
                    events: Some(Vec::new()),
                    alone: false,
                    anew: self.anew,
                });
                continue;
            }
            let Some(job) = &mut self.open else { continue };
            job.alone |= is_wall(kind, &e);
            job.count += 1;
            job.take_branch(kind, &e);
            if let Some(events) = &mut job.events {
                match events.len() + bytes.len() > MAX_KEPT {
                    true => job.events = None,
                    false => events.extend_from_slice(bytes),
                }
            }
            if step == Step::Ends
                && let Some(mut job) = self.open.take()
            {
                (job.end, job.to) = (self.reader.at, self.at.clone());
                self.anew = false;
                return Ok(Some(job));
            }
        }
    }
}

/// Whether nothing may be applied beside a transaction with this event: what runs as text may need what other texts
/// have left in their session, and DDL and XA end transactions by themselves.
fn is_wall(kind: EventType, e: &Event<'_>) -> bool {
    match kind {
        EventType::Query => {
            let text = Query::read(e.header.flags, e.body).map_or(&b""[..], |q| q.text);
            text != b"BEGIN" && text != b"COMMIT"
        }
        EventType::TableMap
        | EventType::WriteRows
        | EventType::UpdateRows
        | EventType::DeleteRows
        | EventType::PartialUpdateRows
        | EventType::RowsQuery
        | EventType::Xid
        | EventType::TransactionPayload => false,
        _ => true,
    }
}
