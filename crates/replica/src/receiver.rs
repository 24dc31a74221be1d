//! The thread `replica_io`: connects to the source, asks for its log from where the relay log ends, and appends what
//! comes. A broken connection is made again every SOURCE_CONNECT_RETRY seconds, SOURCE_RETRY_COUNT times; what the
//! source refuses for good (1236) ends the thread.
//!
//! Holds no lock while it waits for the source. Stopped by its flag and by shutting down its socket. Tested:
//! `tests/binlog/test_replica.py`.

use crate::client::{Client, LOST};
use crate::events::with_checksum;
use crate::packets::Failed;
use crate::relay::Position;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::thread::Thread;
use binlog::event::{Event, FLAG_ARTIFICIAL, Header};
use binlog::transaction::GtidEvent;
use binlog::{EventType, FormatDescription, Stamp, control};
use catalog::sysvar::Var;
use std::borrow::Cow;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// `ER_SOURCE_FATAL_ERROR_READING_BINLOG`
const FATAL: u32 = 1236;
/// How it is shown: `ER_SERVER_SOURCE_FATAL_ERROR_READING_BINLOG`.
const FATAL_SHOWN: u32 = 13_114;
/// `ER_REPLICA_FATAL_ERROR`
const REPLICA_FATAL: u32 = 13_117;
/// `ER_REPLICA_RELAY_LOG_WRITE_FAILURE`
const RELAY_LOG: u32 = 13_122;

/// `ER_NET_PACKET_TOO_LARGE`, of the source or of [`Client`].
const TOO_LARGE: u32 = 1153;
/// How it is shown: `ER_SERVER_NET_PACKET_TOO_LARGE`.
const TOO_LARGE_SHOWN: u32 = 13_125;
/// `ER_UNKNOWN_SYSTEM_VARIABLE`
const UNKNOWN_VARIABLE: u32 = 1193;

/// Its state where a connection that was lost is made again.
const RECONNECTING: &str = "Reconnecting after a failed source event read";

/// How long it waits for room in the relay log before it looks again.
const ROOM: Duration = Duration::from_millis(50);

/// Why a connection ended.
enum End {
    /// Told to stop.
    Stopped,
    /// Worth another try.
    Again(Failed),
    /// For good.
    Fatal(Failed),
}

impl From<Failed> for End {
    fn from(f: Failed) -> End {
        match f.code {
            TOO_LARGE => {
                let text = "Got a packet bigger than 'replica_max_allowed_packet' bytes";
                End::Fatal(Failed::new(TOO_LARGE_SHOWN, text))
            }
            FATAL => {
                let text = format!("Got fatal error 1236 from source when reading data from binary log: '{}'", f.text);
                End::Fatal(Failed::new(FATAL_SHOWN, text))
            }
            // of this server's own, not of the network: another attempt ends the same
            REPLICA_FATAL => End::Fatal(f),
            _ => End::Again(f),
        }
    }
}

/// The thread.
pub fn run(x: &Shared, s: &Settings) {
    let me = &x.receiver;
    let mut attempts = 0u64;
    // it was connected, and the connection is gone
    let mut lost = false;
    loop {
        me.set_state(if lost { RECONNECTING } else { "Connecting to source" });
        let end = connection(x, s, &mut attempts);
        lost |= me.connected.swap(false, Ordering::AcqRel);
        x.relay.interrupted();
        if let Some(socket) = me.socket.lock().take() {
            let _ = socket.shutdown(std::net::Shutdown::Both);
        }
        match end {
            _ if me.stops() => break,
            End::Stopped => break,
            End::Fatal(f) => {
                me.fail(f.code, f.text);
                break;
            }
            End::Again(f) => {
                attempts += 1;
                let text = format!(
                    "Error {} to source '{}@{}:{}'. This was attempt {attempts}/{}, with a delay of {} seconds between attempts. Message: {}",
                    if lost { "reconnecting" } else { "connecting" },
                    s.user,
                    s.host,
                    s.port,
                    s.retry_count,
                    s.connect_retry,
                    f.text
                );
                me.fail(f.code, text);
                if s.retry_count > 0 && attempts >= s.retry_count {
                    break;
                }
                if lost {
                    me.set_state("Waiting to reconnect after a failed source event read");
                }
                me.sleep(Duration::from_secs(s.connect_retry));
            }
        }
    }
    me.set_state("");
}

/// One connection, from its beginning to its end.
fn connection(x: &Shared, s: &Settings, attempts: &mut u64) -> End {
    match connected(x, s, attempts) {
        Ok(()) => End::Stopped,
        Err(e) => e,
    }
}

fn connected(x: &Shared, s: &Settings, attempts: &mut u64) -> Result<(), End> {
    if s.user.is_empty() {
        let text = "Fatal error: Invalid (empty) username when attempting to connect to the source server. Connection \
                    attempt terminated.";
        return Err(End::Fatal(Failed::new(REPLICA_FATAL, text)));
    }
    let timeout = Duration::from_secs(x.globals.num(Var::replica_net_timeout).max(1));
    let mut c = Client::connect(&as_compressed(x, s), timeout)?;
    *x.receiver.socket.lock() = c.socket.as_ref().and_then(|s| s.try_clone().ok());
    if x.receiver.stops() {
        return Err(End::Stopped);
    }
    introduce(x, s, &mut c, timeout)?;
    let semi = x.globals.bool(Var::rpl_semi_sync_replica_enabled) && ask_for_semi_sync(&mut c)?;
    let id = x.globals.num(Var::server_id) as u32;
    let told = [Var::report_host, Var::report_user, Var::report_password].map(|v| x.globals.string(v));
    let port = match x.globals.num(Var::report_port) {
        0 => x.globals.num(Var::port),
        n => n,
    };
    c.register(id, told.each_ref().map(String::as_str), port as u16)?;
    if s.auto_position {
        let mut has = x.executed();
        has.add_all(&x.relay.retrieved());
        c.dump_gtids(id, &has)?;
    } else {
        let from = x.receive_from(s);
        if u32::try_from(from.offset).is_err() {
            // the command has 32 bits for it, and the source would send what stands elsewhere
            let text = format!(
                "Fatal error: position {} of '{}' is beyond 4 GiB, which cannot be asked for without SOURCE_AUTO_POSITION",
                from.offset, from.file
            );
            return Err(End::Fatal(Failed::new(REPLICA_FATAL, text)));
        }
        c.dump(id, &from.file, from.offset)?;
    }
    *attempts = 0;
    x.receiver.connected.store(true, Ordering::Release);
    x.receiver.clear_error();
    x.receiver.set_state("Waiting for source to send event");
    x.receiver.semi_sync.store(semi, Ordering::Release);
    let end = receive(x, s, &mut c, semi);
    x.receiver.semi_sync.store(false, Ordering::Release);
    end
}

/// `replica_compressed_protocol` goes before what the channel says: zlib, where the source has it.
fn as_compressed<'a>(x: &Shared, s: &'a Settings) -> Cow<'a, Settings> {
    if x.globals.bool(Var::replica_compressed_protocol) {
        return Cow::Owned(Settings { compression: "zlib,uncompressed".to_owned(), ..s.clone() });
    }
    Cow::Borrowed(s)
}

/// Asks the source to wait for what is received; false: it cannot, and sends its log all the same.
fn ask_for_semi_sync(c: &mut Client) -> Result<bool, End> {
    match c.value("SELECT @@GLOBAL.rpl_semi_sync_source_enabled") {
        Ok(_) => {}
        Err(f) if f.code == UNKNOWN_VARIABLE => return Ok(false),
        Err(f) => return Err(f.into()),
    }
    c.query("SET @rpl_semi_sync_replica = 1, @rpl_semi_sync_slave = 1")?;
    Ok(true)
}

/// What source and replica say of each other before the dump.
fn introduce(x: &Shared, s: &Settings, c: &mut Client, timeout: Duration) -> Result<(), End> {
    let fatal = |text: String| End::Fatal(Failed::new(REPLICA_FATAL, format!("Fatal error: {text}")));
    let id = c.value("SELECT @@GLOBAL.SERVER_ID")?.unwrap_or_default();
    if id == x.globals.num(Var::server_id).to_string() {
        return Err(fatal(
            "The replica I/O thread stops because source and replica have equal MySQL server ids; these ids must be different for \
             replication to work (or the --replicate-same-server-id option must be used on replica but this does not \
             always make sense; please check the manual before using it)."
                .to_owned(),
        ));
    }
    let uuid = c.value("SELECT @@GLOBAL.SERVER_UUID")?.unwrap_or_default();
    let own = x.own_uuid();
    if uuid == own {
        return Err(fatal(
            "The replica I/O thread stops because source and replica have equal MySQL server UUIDs; these UUIDs must be different for \
             replication to work."
                .to_owned(),
        ));
    }
    x.source_is(id.parse().unwrap_or(0), uuid);
    let beat = s.heartbeat.map_or(timeout.as_nanos() as u64 / 2, |ms| ms.saturating_mul(1_000_000));
    c.query(&format!("SET @master_heartbeat_period = {beat}, @source_heartbeat_period = {beat}"))?;
    c.query("SET @master_binlog_checksum = 'CRC32', @source_binlog_checksum = 'CRC32'")?;
    let mode = c.value("SELECT @@GLOBAL.GTID_MODE")?.unwrap_or_default();
    if s.auto_position && mode == "OFF" {
        return Err(fatal(
            "The replica IO thread stops because the source has @@GLOBAL.GTID_MODE OFF and this server has SOURCE_AUTO_POSITION \
             enabled."
                .to_owned(),
        ));
    }
    c.query(&format!("SET @replica_uuid = '{own}', @slave_uuid = '{own}'"))?;
    Ok(())
}

/// Appends what comes.
fn receive(x: &Shared, s: &Settings, c: &mut Client, semi: bool) -> Result<(), End> {
    let own = x.globals.num(Var::server_id) as u32;
    let stamp = Stamp { timestamp: 0, server_id: own };
    let relay = |e: std::io::Error| End::Fatal(Failed::new(RELAY_LOG, format!("Relay log write failure: {e}")));
    // before the format description there is only the ROTATE that tells where the dump begins
    let mut checksum: Option<bool> = None;
    let mut ignoring = false;
    let mut unsynced = 0;
    loop {
        c.limit(x.globals.num(Var::replica_max_allowed_packet));
        let (bytes, waits) = c.event(semi)?;
        if x.receiver.stops() {
            return Ok(());
        }
        let broken = |e: binlog::Malformed| End::Again(Failed::new(LOST, e.to_string()));
        let header = Header::read(&bytes).map_err(broken)?;
        let kind = EventType::from_u8(header.kind);
        match kind {
            Some(EventType::FormatDescription) => {
                let format = FormatDescription::read(&bytes).map_err(broken)?;
                checksum = Some(format.checksum);
                let mut own = Vec::new();
                FormatDescription { checksum: true, in_use: false, ..format }.write(header.stamp, &mut own);
                // an end position of the source's file would be taken for this event's
                x.relay.append(&own).map_err(relay)?;
            }
            Some(EventType::Rotate) => {
                // the artificial one at the beginning has a checksum if the source's log has: both are tried
                let sum = checksum.unwrap_or_else(|| binlog::event::Event::read(&bytes, true).is_ok());
                let event = with_checksum(&bytes, sum).map_err(relay)?;
                let e = binlog::event::Event::read(&event, true).map_err(broken)?;
                let (file, offset) = control::read_rotate(e.body).map_err(broken)?;
                let to = Position { file: String::from_utf8_lossy(file).into_owned(), offset };
                if header.flags & FLAG_ARTIFICIAL != 0 || header.stamp.timestamp == 0 {
                    begin_file(x, &to, stamp).map_err(relay)?;
                } else {
                    x.relay.append(&event).map_err(relay)?;
                }
            }
            Some(EventType::Heartbeat) => {
                x.receiver.progress.heartbeat();
                let event = with_checksum(&bytes, checksum.unwrap_or(true)).map_err(relay)?;
                passed(x, &event, stamp).map_err(relay)?;
            }
            Some(EventType::HeartbeatV2) => x.receiver.progress.heartbeat(),
            Some(EventType::Stop | EventType::PreviousGtids) => moved(x, &header, stamp).map_err(relay)?,
            _ => {
                let event = with_checksum(&bytes, checksum.unwrap_or(true)).map_err(relay)?;
                if !keep(x, s, &header, &event, &mut ignoring).map_err(relay)? {
                    return Ok(());
                }
            }
        }
        unsynced += 1;
        let each = x.globals.num(Var::sync_relay_log);
        if waits || each > 0 && unsynced >= each {
            x.relay.sync().map_err(relay)?;
            unsynced = 0;
        }
        if waits {
            // the source's clients hear of the transaction: it must outlive a crash of this server, too
            let at = x.relay.read_to();
            c.received(&at.file, at.offset)?;
        }
        x.receiver.received(header.stamp.timestamp);
    }
}

/// Appends an event of a transaction, unless this server is not to have it (`ignoring`). False: the thread is to end.
fn keep(x: &Shared, s: &Settings, header: &Header, event: &[u8], ignoring: &mut bool) -> std::io::Result<bool> {
    let own = x.globals.num(Var::server_id) as u32;
    let stamp = Stamp { timestamp: 0, server_id: own };
    // a transaction is of one server: its first event decides
    if matches!(EventType::from_u8(header.kind), Some(EventType::Gtid | EventType::AnonymousGtid)) {
        *ignoring = header.stamp.server_id == own || s.ignored_ids.contains(&u64::from(header.stamp.server_id));
        wait_for_room(x, stamp)?;
        if x.receiver.stops() {
            return Ok(false);
        }
        if let Some(g) = transaction(event).filter(|_| !*ignoring) {
            x.receiver.progress.begins(&g);
        }
    }
    if !*ignoring {
        x.relay.append(event)?;
        if x.relay.is_between() {
            x.receiver.progress.ends();
        }
    }
    rotate(x, stamp)?;
    Ok(true)
}

/// STOP and PREVIOUS_GTIDS are not kept. Behind the latter is where the source says that its log ends: that is.
fn moved(x: &Shared, header: &Header, stamp: Stamp) -> std::io::Result<()> {
    if EventType::from_u8(header.kind) != Some(EventType::PreviousGtids) || header.end == 0 || !x.relay.is_between() {
        return Ok(());
    }
    let mut event = Vec::new();
    control::rotate(x.relay.read_to().file.as_bytes(), u64::from(header.end), true, stamp, true, &mut event);
    binlog::event::seal(&mut event);
    x.relay.append(&event)
}

/// A heartbeat says up to where the source has read its log: what it has passed over, as this replica has it, is read.
fn passed(x: &Shared, event: &[u8], stamp: Stamp) -> std::io::Result<()> {
    let Ok(e) = Event::read(event, true) else { return Ok(()) };
    let at = Position { file: String::from_utf8_lossy(e.body).into_owned(), offset: u64::from(e.header.end) };
    let read = x.relay.read_to();
    if !x.relay.is_between() || at.file != read.file || at.offset <= read.offset {
        return Ok(());
    }
    let mut event = Vec::new();
    control::rotate(at.file.as_bytes(), at.offset, true, stamp, true, &mut event);
    binlog::event::seal(&mut event);
    x.relay.append(&event)
}

/// Another file follows one that is large enough.
fn rotate(x: &Shared, stamp: Stamp) -> std::io::Result<()> {
    let max = match x.globals.num(Var::max_relay_log_size) {
        0 => x.globals.num(Var::max_binlog_size),
        n => n,
    };
    if x.relay.wants_file(max) {
        begin_file(x, &x.relay.read_to(), stamp)?;
    }
    Ok(())
}

/// A new file begins. With `sync_relay_log` the one before is durable then: nobody syncs it later.
fn begin_file(x: &Shared, from: &Position, stamp: Stamp) -> std::io::Result<u64> {
    if x.globals.num(Var::sync_relay_log) > 0 {
        x.relay.sync()?;
    }
    x.relay.begin_file(from, stamp)
}

/// `relay_log_space_limit`: before a transaction, waits until the applier has freed enough. Another file begins, so
/// that all before it can go; one transaction may be larger than the limit.
fn wait_for_room(x: &Shared, stamp: Stamp) -> std::io::Result<()> {
    let limit = x.globals.num(Var::relay_log_space_limit);
    if limit == 0 || x.relay.space() <= limit || !x.relay.is_between() {
        return Ok(());
    }
    let new = begin_file(x, &x.relay.read_to(), stamp)?;
    x.receiver.set_state("Waiting for the replica SQL thread to free relay log space");
    while x.relay.space() > limit && x.relay.first().number < new && !x.receiver.stops() {
        x.receiver.sleep(ROOM);
    }
    x.receiver.set_state("Waiting for source to send event");
    Ok(())
}

/// What an event says that begins a transaction.
fn transaction(event: &[u8]) -> Option<GtidEvent> {
    let e = Event::read(event, true).ok()?;
    GtidEvent::read(e.kind()?, e.body).ok()
}

impl Thread {
    fn received(&self, timestamp: u32) {
        if timestamp > 0 {
            self.last_event.store(u64::from(timestamp), Ordering::Relaxed);
        }
    }
}
