//! Sending the binary log: COM_REGISTER_SLAVE, COM_BINLOG_DUMP, COM_BINLOG_DUMP_GTID.
//!
//! The session's thread reads files itself ([`binlog::log::Follower`]) and waits at the end of the log without holding
//! anything: a replica that reads slowly, or not at all, delays no commit. What is read is durable. The order of
//! packets and the errors (1236, sent as they are) are MySQL's: an artificial ROTATE names the file, then comes its
//! format description, then events; at the end heartbeats, or, if the client does not want to wait, the end. After a
//! dump the connection ends. Tested: `tests/clients/test_binlog_dump.py` with MySQL's mysqlbinlog.

use super::dump_replies::{SemiSyncReplica, is_of_file};
use super::dump_request::{Fields, Request};
use crate::kernel::binary_log::Replica;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::event::{EventType, Header, Stamp};
use binlog::log::follow::End;
use binlog::log::{Follower, Log};
use binlog::service::BinaryLog;
use binlog::transaction::GtidEvent;
use binlog::{FormatDescription, GtidSet, MAGIC, control, semi_sync};
use catalog::accounts::Privs;
use catalog::client::PacketSink;
use catalog::connections::Kill;
use catalog::sysvar::Var;
use probe::Stage;
use sched::Waited;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use storage::StorageError;
use sys::clock::Deadline;
use value::OwnedValue;

/// Flag of a dump: do not wait at the end of the log.
const NON_BLOCKING: u16 = 1;
/// Flag: heartbeats may have a position beyond 4 GiB.
const HEARTBEAT_V2: u16 = 2;
const FIRST: u64 = MAGIC.len() as u64;
/// How long a dump waits at once when there are no heartbeats.
const LONG: Duration = Duration::from_secs(3600);

/// 1236 with this text.
pub(super) fn fatal(why: impl Into<String>) -> SqlError {
    SqlError::with_message(ErrorCode::SOURCE_FATAL_ERROR_READING_BINLOG, why.into())
}

impl Session {
    /// COM_REGISTER_SLAVE.
    pub(super) fn register_replica(&mut self, body: &[u8]) -> SqlResult<()> {
        if !self.env.security.account.privileges.has_global(Privs::REPLICATION_SLAVE) {
            let a = &self.env.security.account;
            return Err(SqlError::new(ErrorCode::ACCESS_DENIED_ERROR, &[&a.user, &a.host, &"YES"]));
        }
        let mut f = Fields(body);
        let server_id = f.uint(4)? as u32;
        let (host, _user, _password) = (f.short()?, f.short()?, f.short()?);
        let port = f.uint(2)? as u16;
        let uuid = self.text_variable(&["replica_uuid", "slave_uuid"]).unwrap_or_default();
        let id = self.env.client.connection.id();
        self.server.source.register(id, Replica { server_id, host, port, uuid });
        Ok(())
    }

    /// The value of the first of these user variables that is set.
    fn text_variable(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|n| match &self.env.user_vars.get(*n)?.value {
            OwnedValue::Str(s) => Some(String::from_utf8_lossy(s).into_owned()),
            OwnedValue::Int(v) => Some(v.to_string()),
            OwnedValue::UInt(v) => Some(v.to_string()),
            OwnedValue::Decimal(d) => Some(d.to_string()),
            _ => None,
        })
    }

    /// COM_BINLOG_DUMP and COM_BINLOG_DUMP_GTID: until the client or the server goes, or the log ends and the client
    /// does not wait.
    pub(super) fn dump(&mut self, with_gtids: bool, body: &[u8], out: &mut dyn PacketSink) -> SqlResult<()> {
        self.require(Privs::REPLICATION_SLAVE, "REPLICATION SLAVE")?;
        let request = Request::read(with_gtids, body)?;
        let log = self.server.source.log().cloned().ok_or_else(|| fatal("Binary log is not open"))?;
        if self.env.shared.globals.num(Var::server_id) == 0 {
            return Err(fatal("Misconfigured source - server_id was not set"));
        }
        let uuid = self.text_variable(&["replica_uuid", "slave_uuid"]).unwrap_or_default();
        let me = self.env.client.connection.id();
        for other in self.server.source.begin_dump(me, uuid, request.server_id) {
            // a replica that has come again: its old connection may not have noticed
            let _ = self.server.connections.kill(other, Kill::Connection);
        }
        let names = ["source_heartbeat_period", "master_heartbeat_period"];
        let period = self.text_variable(&names).and_then(|t| t.parse().ok()).unwrap_or(0);
        let client = match self.text_variable(&["source_binlog_checksum", "master_binlog_checksum"]) {
            None => ClientChecksum::Unknown,
            Some(t) if t.eq_ignore_ascii_case("CRC32") => ClientChecksum::Crc32,
            Some(_) => ClientChecksum::None,
        };
        let asks = ["rpl_semi_sync_replica", "rpl_semi_sync_slave"].map(|n| self.text_variable(&[n]));
        let semi = asks.iter().flatten().any(|v| v == "1").then(|| SemiSyncReplica {
            log: log.clone(),
            connection: me,
            owed: 0,
        });
        if semi.is_some() && self.client.is_compressed() {
            return Err(fatal("Semi-synchronous replication over a compressed connection is not supported"));
        }
        if semi.is_some() {
            log.semi_sync.begin_replica(me);
        }
        let mut sender = Sender {
            out,
            semi,
            request,
            server_id: log.settings.server_id.load(Ordering::Relaxed),
            client,
            checksum: client == ClientChecksum::Crc32,
            heartbeat: (period > 0).then(|| Duration::from_nanos(period)),
            verify: self.env.shared.globals.bool(Var::source_verify_checksum),
            sent: Instant::now(),
        };
        let mode = self.env.shared.globals.num(Var::gtid_mode);
        let done = sender.start(&log, mode).and_then(|f| sender.run(f));
        log.semi_sync.end_replica(me);
        self.server.source.end_dump(me);
        done
    }
}

/// What the client has said of checksums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClientChecksum {
    Unknown,
    None,
    Crc32,
}

pub(super) struct Sender<'a> {
    pub(super) out: &'a mut dyn PacketSink,
    pub(super) semi: Option<SemiSyncReplica>,
    request: Request,
    server_id: u32,
    client: ClientChecksum,
    /// Whether events that are made for the client get checksums: as the last format description said.
    checksum: bool,
    pub(super) heartbeat: Option<Duration>,
    /// Damaged events are not sent (`source_verify_checksum`).
    verify: bool,
    /// When the last packet went.
    pub(super) sent: Instant,
}

/// An error of reading the log.
fn unreadable(e: StorageError) -> SqlError {
    match e {
        StorageError::NotFound => fatal("could not find next log"),
        StorageError::WrongFormat { why, .. } => fatal(format!("bogus data in log event; the event is damaged: {why}")),
        e => fatal(format!("I/O error reading log event: {e}")),
    }
}

impl Sender<'_> {
    /// Where the client is to be served from.
    fn start(&mut self, log: &Arc<Log>, gtid_mode: u64) -> SqlResult<Follower> {
        if self.request.position < FIRST {
            return Err(fatal("Client requested source to start replication from position < 4"));
        }
        let name = match &self.request.has {
            None => self.request.file.clone(),
            Some(_) if gtid_mode != GTID_MODE_ON => {
                let mode = ["OFF", "OFF_PERMISSIVE", "ON_PERMISSIVE"].get(gtid_mode as usize).unwrap_or(&"OFF");
                return Err(fatal(format!(
                    "The replication sender thread cannot start in AUTO_POSITION mode: this server has GTID_MODE = {mode} instead of ON."
                )));
            }
            // who names a file with the GTIDs wants none before it (mysqlbinlog --read-from-remote-source)
            Some(_) if !self.request.file.is_empty() => self.request.file.clone(),
            Some(has) => first_file_for(log, has)?,
        };
        let missing = || fatal("Could not find first log file name in binary log index file");
        let mut follower = log.follow(&name).map_err(unreadable)?.ok_or_else(missing)?;
        if self.request.position > follower.readable().map_err(unreadable)? {
            return Err(fatal("Client requested source to start replication from position > file size"));
        }
        if self.request.position > FIRST {
            follower.walk().seek(self.request.position);
        }
        Ok(follower)
    }

    /// File after file. Errors say where the client was.
    fn run(&mut self, mut follower: Follower) -> SqlResult<()> {
        let first = follower.file();
        let (from, mut start) = (self.request.position, self.request.position);
        loop {
            let done = self.begin_file(&mut follower, start).and_then(|()| self.send_file(&mut follower));
            let done = match done {
                Ok(true) => return Ok(()),
                Ok(false) => follower.next_file().map_err(unreadable),
                Err(e) => Err(e),
            };
            if let Err(e) = done {
                if !e.is(ErrorCode::SOURCE_FATAL_ERROR_READING_BINLOG) {
                    return Err(e);
                }
                let (last, at) = (follower.file(), follower.position());
                return Err(fatal(format!(
                    "{}; the first event '{first}' at {from}, the last event read from './{last}' at {at}, the last byte read from './{last}' at {at}.",
                    e.message()
                )));
            }
            start = FIRST;
        }
    }

    fn packet(&mut self, event: &[u8]) -> SqlResult<()> {
        self.send(event, false)
    }

    /// Sends an event; `asks`: the replica is to say that it has it.
    fn send(&mut self, event: &[u8], asks: bool) -> SqlResult<()> {
        self.sent = Instant::now();
        match &mut self.semi {
            None => self.out.packet(&[&[0], event]),
            Some(semi) => {
                self.out.packet(&[&[0, semi_sync::MAGIC, u8::from(asks)], event])?;
                if !asks {
                    return Ok(());
                }
                semi.owed += 1;
                self.out.ask()
            }
        }
    }

    /// The artificial ROTATE, and the format description.
    fn begin_file(&mut self, follower: &mut Follower, start: u64) -> SqlResult<()> {
        let stamp = Stamp { timestamp: 0, server_id: self.server_id };
        let mut rotate = Vec::new();
        control::rotate(follower.file().as_bytes(), start, true, stamp, self.checksum, &mut rotate);
        if self.checksum {
            binlog::event::seal(&mut rotate);
        }
        self.packet(&rotate)?;
        let (format, bytes) = follower.walk().format();
        self.checksum = format.checksum;
        if self.checksum && self.client == ClientChecksum::Unknown {
            return Err(fatal(
                "Replica can not handle replication events with the checksum that source is configured to log",
            ));
        }
        let mut bytes = bytes.to_vec();
        FormatDescription::for_client(&mut bytes, start > FIRST);
        self.packet(&bytes)
    }

    /// The events of a file; true: the dump is at its end.
    fn send_file(&mut self, follower: &mut Follower) -> SqlResult<bool> {
        // of what the client has nothing is sent but the file's own events
        let mut passing_over = false;
        loop {
            probe::stage::set(Stage::SendingBinlogEvent);
            let at = follower.position();
            let file = follower.file();
            let asking = self.semi.as_ref().is_some_and(|s| s.log.semi_sync.is_enabled());
            let limit = if asking { follower.readable().map_err(unreadable)? } else { u64::MAX };
            match follower.read().map_err(unreadable)? {
                Ok(event) => {
                    if self.verify && binlog::event::Event::read(event, self.checksum).is_err() {
                        return Err(fatal("event read from binlog did not pass crc check"));
                    }
                    let before = passing_over;
                    passing_over = self.is_passed_over(event, before, (&file, at))?;
                    if !passing_over {
                        if before {
                            self.send_heartbeat(&file, at)?;
                        }
                        let asks = at + event.len() as u64 >= limit && !is_of_file(event);
                        self.send(event, asks)?;
                        if asks && !self.take_replies((&file, at))? {
                            return Ok(true);
                        }
                    } else if self.heartbeat.is_some_and(|p| self.sent.elapsed() >= p) {
                        self.send_heartbeat(&file, at)?;
                    }
                    if self.out.killed() {
                        return Ok(true);
                    }
                }
                Err(end) => {
                    if std::mem::take(&mut passing_over) {
                        self.send_heartbeat(&file, at)?;
                    }
                    if end == End::OfFile {
                        return Ok(false);
                    }
                    if self.request.flags & NON_BLOCKING != 0 {
                        return self.out.end().map(|()| true);
                    }
                    if !self.wait(follower)? {
                        return Ok(true);
                    }
                }
            }
        }
    }

    /// Whether an event, which is at a position of a file, is of a transaction that the client has.
    fn is_passed_over(&self, event: &[u8], now: bool, (file, at): (&str, u64)) -> SqlResult<bool> {
        let Some(has) = &self.request.has else { return Ok(false) };
        let kind = Header::read(event).ok().and_then(|h| EventType::from_u8(h.kind));
        match kind {
            Some(kind @ EventType::Gtid) => {
                let parsed = binlog::event::Event::read(event, self.checksum);
                let gtid = parsed.and_then(|e| GtidEvent::read(kind, e.body)).map_err(|e| fatal(e.to_string()))?.gtid;
                Ok(gtid.is_some_and(|g| has.contains(g)))
            }
            // nobody could tell whether the client has it
            Some(EventType::AnonymousGtid) => Err(fatal(format!(
                "Cannot replicate anonymous transaction when AUTO_POSITION = 1, at file ./{file}, position {at}."
            ))),
            Some(EventType::Rotate | EventType::Stop | EventType::PreviousGtids) => Ok(false),
            _ => Ok(now),
        }
    }

    /// Waits for more; false: the connection is to end.
    fn wait(&mut self, follower: &Follower) -> SqlResult<bool> {
        self.out.flush()?;
        if let Some(semi) = self.semi.as_ref().filter(|s| s.owed == 0) {
            // it has all that there is: it was asked after the last event, or came with it
            semi.log.semi_sync.acknowledged(semi.connection, follower.place(), false);
        }
        loop {
            let _at = probe::stage::enter(Stage::SourceHasSentAll);
            let long = self.heartbeat.unwrap_or(LONG);
            match follower.wait(Deadline::after(long)).map_err(unreadable)? {
                Waited::Woken(_) => return Ok(true),
                Waited::Interrupted(_) => return Ok(false),
                Waited::TimedOut if self.heartbeat.is_some() => {
                    self.send_heartbeat(&follower.file(), follower.position())?;
                    self.out.flush()?;
                }
                Waited::TimedOut => {}
            }
        }
    }

    pub(super) fn send_heartbeat(&mut self, file: &str, position: u64) -> SqlResult<()> {
        let stamp = Stamp { timestamp: 0, server_id: self.server_id };
        let mut event = Vec::new();
        if position > u64::from(u32::MAX) && self.request.flags & HEARTBEAT_V2 != 0 {
            control::heartbeat_v2(file.as_bytes(), position, stamp, self.checksum, &mut event);
        } else {
            control::heartbeat(file.as_bytes(), position, stamp, self.checksum, &mut event);
        }
        self.packet(&event)
    }
}

/// `gtid_mode` ON.
const GTID_MODE_ON: u64 = 3;

/// The file from which a client is served that has these GTIDs: the last one before which is nothing that it lacks.
fn first_file_for(log: &Arc<Log>, has: &GtidSet) -> SqlResult<String> {
    let purged = log.gtid_purged();
    let mut missing = purged.clone();
    missing.remove_all(has);
    if !missing.is_empty() {
        return Err(fatal(format!(
            "Cannot replicate because the source purged required binary logs. Replicate the missing transactions from elsewhere, or provision a \
             new replica from backup. Consider increasing the source's binary log expiration period. The GTID set sent by the replica is '{}', \
             and the missing transactions are '{}'",
            one_line(has),
            one_line(&missing)
        )));
    }
    let own = log.uuid();
    let ours = |set: &GtidSet| {
        let mut only = GtidSet::default();
        for (sid, intervals) in set.iter().filter(|(sid, _)| *sid == own) {
            intervals.iter().for_each(|(a, b)| only.add_range(sid, *a, *b));
        }
        only
    };
    if !ours(has).is_subset(&log.gtid_executed()) {
        return Err(fatal(
            "Replica has more GTIDs than the source has, using the source's SERVER_UUID. This may indicate that the the last binary log file was \
             truncated or lost, e.g., after a power failure when sync_binlog != 1. The source may have rolled back transactions that were already \
             replicated to the replica. Replicate any transactions that source has rolled back from replica to source, and/or commit empty \
             transactions on source to account for transactions that have been committed on source but are not included in GTID_EXECUTED.",
        ));
    }
    log.file_for(has)
        .map_err(unreadable)?
        .ok_or_else(|| fatal("Could not find first log file name in binary log index file"))
}

fn one_line(set: &GtidSet) -> String {
    set.to_string().replace('\n', "")
}
