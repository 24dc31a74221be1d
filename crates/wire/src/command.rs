//! The command phase: reads a command, calls the session, sends the answer.

use crate::auth::AuthError;
use crate::channel::{Channel, NetError, Packet};
use crate::codec::{Reader, malformed};
use crate::handshake;
use crate::params::{self, Attributes, Params, Statement};
use crate::serve::{End, Peer, WireServer, log_in};
use crate::sink::{Sink, is_network_error, put_eof, put_error, put_error_in, put_ok};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::{Capabilities, Command, CursorType, OkInfo, PacketSink, RowFormat, SessionHandler};
use catalog::connections::{Connection, Kill};
use hashbrown::HashMap;
use probe::Counter;
use sched::pool::{Completer, Sending};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A connection in the command phase. Whoever holds it may serve its next command, on any thread.
pub(crate) struct Commands {
    server: Arc<WireServer>,
    pub(crate) channel: Channel,
    handler: Box<dyn SessionHandler>,
    peer: Peer,
    conn: Arc<Connection>,
    statements: HashMap<u32, Statement>,
    /// Scratch for session state changes.
    state: Vec<u8>,
    read_timeout: Duration,
    /// How long it was without a command, for performance_schema.
    idle: probe::summaries::Own<probe::phases::Stats>,
    /// What the answer in the channel waits for.
    pub(crate) unflushed: Option<(Arc<dyn Completer>, u64)>,
}

/// Packets of a dump.
struct Packets<'a> {
    channel: &'a mut Channel,
    conn: &'a Connection,
}

impl PacketSink for Packets<'_> {
    fn packet(&mut self, parts: &[&[u8]]) -> SqlResult<()> {
        let at = self.channel.begin();
        parts.iter().for_each(|p| self.channel.out.extend_from_slice(p));
        self.channel.end(at);
        if self.channel.is_full() { self.flush() } else { Ok(()) }
    }
    fn flush(&mut self) -> SqlResult<()> {
        let sent = self.channel.flush().map_err(crate::sink::gone);
        self.conn.set_bytes(self.channel.received, self.channel.sent);
        sent
    }
    fn end(&mut self) -> SqlResult<()> {
        put_eof(self.channel, 0, 0);
        Ok(())
    }
    fn killed(&self) -> bool {
        self.conn.killed() == Kill::Connection
    }
    fn ask(&mut self) -> SqlResult<()> {
        self.flush()?;
        self.channel.ask();
        Ok(())
    }
    fn reply(&mut self, wait: Duration) -> SqlResult<Option<Vec<u8>>> {
        match sched::blocking_wait(probe::WaitClass::Client, || self.channel.read_reply(wait)) {
            Ok(packet) => {
                let reply = packet.payload().to_vec();
                self.channel.recycle(packet);
                Ok(Some(reply))
            }
            Err(NetError::Timeout) => Ok(None),
            Err(e) => Err(crate::sink::gone(e)),
        }
    }
}

/// What follows a command.
pub(crate) enum Next {
    Command,
    /// [`Commands::finish`], when what `unflushed` names has happened.
    Later,
    End(End),
}

impl Commands {
    pub(crate) fn new(
        server: Arc<WireServer>,
        mut channel: Channel,
        handler: Box<dyn SessionHandler>,
        peer: Peer,
        conn: Arc<Connection>,
    ) -> Commands {
        let statements = HashMap::new();
        let read_timeout = Duration::from_secs(30);
        let (state, idle) = (Vec::new(), Default::default());
        channel.belongs_to(&conn.activity.recorder);
        Commands { server, channel, handler, peer, conn, statements, state, read_timeout, idle, unflushed: None }
    }

    /// What the next command needs: the session, the counters of the connection.
    pub(crate) fn lines(&self, to: &mut sys::prefetch::Lines) {
        self.conn.lines(to);
        self.channel.transport.socket().lines(to);
        self.handler.lines(to);
        self.idle.lines(probe::instruments::Instrument::IDLE.number(), to);
    }

    /// Whether others may wait for what the session does next.
    pub(crate) fn holds_locks(&self) -> bool {
        self.handler.holds_locks()
    }

    /// How long the client may be silent.
    pub(crate) fn wait_timeout(&self) -> Duration {
        Duration::from_secs(u64::from(self.handler.net_params().wait_timeout.max(1)))
    }

    /// Waits for a command and serves it.
    pub(crate) fn one(&mut self) -> Next {
        let net = self.handler.net_params();
        self.read_timeout = Duration::from_secs(u64::from(net.net_read_timeout.max(1)));
        self.channel.reset_sequence();
        let wait = Duration::from_secs(u64::from(net.wait_timeout.max(1)));
        let packet = match self.channel.read_packet(wait, self.read_timeout) {
            Ok(p) => p,
            Err(e) => return Next::End(self.lost(e)),
        };
        if self.conn.killed() == Kill::Connection {
            return Next::End(End::Aborted);
        }
        let write = Duration::from_secs(u64::from(net.net_write_timeout.max(1)));
        self.channel.set_write_timeout(write);
        // A panic ends this session only. Nothing of it is used afterwards except the socket, so unwind safety is no question.
        let next = match catch_unwind(AssertUnwindSafe(|| self.dispatch(&packet))) {
            Ok(next) => next,
            Err(_) => self.panicked(),
        };
        self.channel.recycle(packet);
        if matches!(next, Next::Command) {
            self.unflushed = self.handler.take_unflushed();
            if self.unflushed.is_some() {
                return Next::Later;
            }
        }
        self.answered(next)
    }

    /// The answer of a command that waited goes out; `happened`: what it waited for has not failed.
    pub(crate) fn finish(&mut self, happened: bool) -> Next {
        if !happened {
            self.channel.discard_output();
            put_error(
                &mut self.channel,
                &SqlError::new(ErrorCode::ERROR_DURING_COMMIT, &[&5, &"redo log failed"]),
                true,
            );
        }
        self.answered(Next::Command)
    }

    fn answered(&mut self, next: Next) -> Next {
        self.conn.end_command();
        if matches!(next, Next::Command) && self.channel.may_wait() && sched::pool::may_wait() {
            return next;
        }
        self.flushed(next)
    }

    /// Sends what is left of the answer, waiting for the client.
    pub(crate) fn flushed(&mut self, next: Next) -> Next {
        // a failure shows in what is asked next: one in the middle of the answer does, too
        let _ = self.channel.flush();
        self.conn.set_bytes(self.channel.received, self.channel.sent);
        if self.tell_broken() {
            return Next::End(End::Aborted);
        }
        match next {
            Next::Command if self.conn.killed() == Kill::Connection => Next::End(End::Aborted),
            next => next,
        }
    }

    /// So much of the answer has left the server with those of others.
    pub(crate) fn sent(&mut self, outcome: std::io::Result<usize>) -> Sending {
        let sending = self.channel.sent_elsewhere(outcome);
        self.conn.set_bytes(self.channel.received, self.channel.sent);
        self.tell_broken();
        if self.conn.killed() == Kill::Connection { Sending::Lost } else { sending }
    }

    fn panicked(&mut self) -> Next {
        probe::inc(Counter::SessionPanics);
        self.channel.discard_output();
        let e = SqlError::with_message(
            ErrorCode::UNKNOWN_ERROR,
            "Internal error; the connection is closed, see the error log",
        );
        put_error(&mut self.channel, &e, true);
        Next::End(End::Panicked)
    }

    /// No further command can be read: tells the client why where it can hear it.
    pub(crate) fn lost(&mut self, e: NetError) -> End {
        let sql = match e {
            NetError::Timeout if self.conn.killed() == Kill::No => {
                Some(SqlError::new(ErrorCode::CLIENT_INTERACTION_TIMEOUT, &[]))
            }
            NetError::Timeout => None,
            ref e => e.to_sql(),
        };
        if let Some(e) = sql {
            put_error(&mut self.channel, &e, true);
            // who has not sent in time is not waited for a second time, to hear why
            self.channel.set_write_timeout(Duration::from_secs(1));
            let _ = self.channel.flush();
        }
        let why = if matches!(e, NetError::Timeout) { "Got timeout reading" } else { "Got an error reading" };
        self.tell_aborted(why);
        End::Aborted
    }

    /// Whether a write has failed; notes it in the error log.
    fn tell_broken(&self) -> bool {
        let Some(kind) = self.channel.transport.broken() else { return false };
        let timeout = matches!(NetError::from(std::io::Error::from(kind)), NetError::Timeout);
        self.tell_aborted(if timeout { "Got timeout writing" } else { "Got an error writing" });
        true
    }

    /// A note in the error log: the client is gone, or was silent too long. Whoever was killed is not gone by itself.
    fn tell_aborted(&self, why: &str) {
        if self.conn.killed() != Kill::No {
            return;
        }
        let who = self.conn.who();
        let host = who.host.rsplit_once(':').map_or(who.host.as_str(), |(host, _)| host);
        let db = who.db.as_deref().unwrap_or("unconnected");
        let text = format!(
            "Aborted connection {} to db: '{db}' user: '{}' host: '{host}' ({why} communication packets).",
            self.conn.id(),
            who.user
        );
        probe::errorlog::say_of(self.conn.id(), "Note", "Server", 10_914, &text);
    }

    /// How long the client was silent before the command that begins.
    #[inline]
    fn tell_idle(&mut self) {
        if !probe::instruments::BUILT {
            return;
        }
        let a = &self.conn.activity;
        let since = a.idle_since.load(Ordering::Relaxed);
        if since != 0 {
            a.recorder.was_idle((since, a.command_ns.load(Ordering::Relaxed)), &mut self.idle);
        }
    }

    fn dispatch(&mut self, packet: &Packet) -> Next {
        let (code, body) = packet.payload().split_first().map_or((0, &[][..]), |(c, b)| (*c, b));
        // COM_SHUTDOWN with the default level: gone from MySQL 8.4, but how MariaDB's mysqladmin says it.
        let (code, body) =
            if (code, body) == (8, &[0][..]) { (Command::Query as u8, &b"SHUTDOWN"[..]) } else { (code, body) };
        let old_shutdown = body == b"SHUTDOWN" && packet.payload().first() == Some(&8);
        let command = Command::from_u8(code);
        match command {
            Command::Ping
            | Command::Refresh
            | Command::Statistics
            | Command::Debug
            | Command::ChangeUser
            | Command::ResetConnection => {
                probe::inc(Counter::ComAdminCommands);
            }
            Command::StmtSendLongData => probe::inc(Counter::ComStmtSendLongData),
            _ => {}
        }
        self.conn.begin_command(command);
        self.tell_idle();
        let result = match command {
            Command::Query => self.query(body, !old_shutdown),
            Command::StmtExecute => self.execute(body),
            Command::StmtPrepare => self.prepare(body),
            Command::StmtClose => self.close_statement(body),
            Command::StmtReset => self.reset_statement(body),
            Command::StmtSendLongData => {
                // No answer, whatever happens; errors surface at the execution.
                self.long_data(body).or(Ok(()))
            }
            Command::StmtFetch => self.fetch(body),
            Command::BinlogDump | Command::BinlogDumpGtid | Command::Clone => return self.dump(command, body),
            Command::ChangeUser => return self.change_user(body),
            Command::Quit => {
                self.handler.command_ended(command, None);
                return Next::End(End::Quit);
            }
            _ => self.without_statement(command, body),
        };
        if !matches!(command, Command::Query | Command::StmtExecute | Command::StmtPrepare) {
            self.handler.command_ended(command, result.as_ref().err());
        }
        match result {
            Ok(()) => Next::Command,
            Err(e) if is_network_error(&e) => Next::End(End::Aborted),
            Err(e) => {
                put_error_in(&mut self.channel, &e, true, self.handler.results_charset());
                if e.is(ErrorCode::SERVER_SHUTDOWN) { Next::End(End::Aborted) } else { Next::Command }
            }
        }
    }

    /// A command that has nothing to do with a statement.
    fn without_statement(&mut self, command: Command, body: &[u8]) -> SqlResult<()> {
        match command {
            Command::Ping => self.ok(),
            Command::InitDb => self.handler.init_db(body).and_then(|()| self.ok()),
            Command::FieldList => self.field_list(body),
            Command::Statistics => {
                let line = self.handler.statistics();
                self.channel.put(line.as_bytes());
                Ok(())
            }
            Command::ProcessKill => self.kill(body),
            Command::Refresh => {
                Reader::new(body).u8().and_then(|bits| self.handler.refresh(bits)).and_then(|()| self.ok())
            }
            Command::SetOption => self.set_option(body),
            Command::Debug => self.handler.debug().map(|()| put_eof(&mut self.channel, self.handler.status().0, 0)),
            Command::ResetConnection => self.handler.reset().and_then(|()| {
                self.statements.clear();
                self.ok()
            }),
            Command::RegisterReplica => self.handler.register_replica(body).and_then(|()| self.ok()),
            _ => Err(SqlError::new(ErrorCode::UNKNOWN_COM_ERROR, &[])),
        }
    }

    /// An OK packet with the session's status and state changes.
    fn ok(&mut self) -> SqlResult<()> {
        self.state.clear();
        self.handler.take_state(&mut self.state);
        let ok = OkInfo { status: self.handler.status(), state: &self.state, ..OkInfo::default() };
        put_ok(&mut self.channel, 0, &ok, self.peer.capabilities);
        Ok(())
    }

    /// Sends the binary log, or a backup. Whatever happens, the connection ends with it.
    fn dump(&mut self, command: Command, body: &[u8]) -> Next {
        let mut out = Packets { channel: &mut self.channel, conn: &self.conn };
        let done = match command {
            Command::Clone => self.handler.send_backup(body, &mut out),
            _ => self.handler.dump(command == Command::BinlogDumpGtid, body, &mut out),
        };
        self.handler.command_ended(command, done.as_ref().err());
        match done {
            Err(e) if is_network_error(&e) => {}
            Err(e) => put_error_in(&mut self.channel, &e, true, self.handler.results_charset()),
            Ok(()) => {}
        }
        Next::End(End::Quit)
    }

    /// COM_QUERY; `with_attributes`: query attributes come first where that was agreed on.
    fn query(&mut self, body: &[u8], with_attributes: bool) -> SqlResult<()> {
        let mut attributes = Attributes::new();
        let mut sql = body;
        if with_attributes && self.peer.capabilities.has(Capabilities::QUERY_ATTRIBUTES) {
            let mut r = Reader::new(body);
            params::query_attributes(&mut r, &mut attributes)?;
            sql = r.rest();
        }
        let status = self.handler.status();
        let metadata = self.sends_metadata();
        let mut sink = Sink::new(&mut self.channel, RowFormat::Text, self.peer.capabilities, status, self.read_timeout);
        sink.metadata = metadata;
        let result = self.handler.query(sql, &attributes, &mut sink).inspect_err(|_| sink.before_error());
        finish(result, sink.answered)
    }

    /// Whether results have definitions of their columns: where the client can do without, as the session says.
    fn sends_metadata(&self) -> bool {
        !self.peer.capabilities.has(Capabilities::OPTIONAL_RESULTSET_METADATA) || self.handler.sends_metadata()
    }

    fn prepare(&mut self, body: &[u8]) -> SqlResult<()> {
        let p = self.handler.prepare(body)?;
        let metadata = self.sends_metadata();
        let caps = self.peer.capabilities;
        let at = self.channel.begin();
        let out = &mut self.channel.out;
        out.push(0);
        out.extend_from_slice(&p.id.to_le_bytes());
        out.extend_from_slice(&(p.columns.len() as u16).to_le_bytes());
        out.extend_from_slice(&(p.params.len() as u16).to_le_bytes());
        out.push(0);
        out.extend_from_slice(&p.warnings.to_le_bytes());
        if caps.has(Capabilities::OPTIONAL_RESULTSET_METADATA) {
            out.push(u8::from(metadata));
        }
        self.channel.end(at);
        let eof = !caps.has(Capabilities::DEPRECATE_EOF);
        let status = self.handler.status().0;
        for c in p.params.iter().filter(|_| metadata) {
            let at = self.channel.begin();
            c.encode(&mut self.channel.out, None);
            self.channel.end(at);
        }
        if eof && !p.params.is_empty() {
            put_eof(&mut self.channel, status, 0);
        }
        if !p.columns.is_empty() {
            if metadata {
                self.channel.put_encoded(p.columns.encoded());
            }
            if eof {
                put_eof(&mut self.channel, status, 0);
            }
        }
        self.statements.insert(p.id, Statement { params: p.params.len(), ..Statement::default() });
        Ok(())
    }

    fn execute(&mut self, body: &[u8]) -> SqlResult<()> {
        let mut r = Reader::new(body);
        let (id, flags, _iterations) = (r.u32()?, r.u8()?, r.u32()?);
        let metadata = self.sends_metadata();
        let statement = self.statements.get_mut(&id).ok_or_else(|| unknown_statement(id, "mysqld_stmt_execute"))?;
        let cursor = match flags & 0x07 {
            0 => CursorType::None,
            1 => CursorType::ReadOnly,
            _ => return Err(SqlError::unsupported("cursors FOR UPDATE and scrollable cursors")),
        };
        let (mut values, mut attributes) = (Params::new(), Attributes::new());
        let attrs = self.peer.capabilities.has(Capabilities::QUERY_ATTRIBUTES);
        let with_count = attrs && (statement.params > 0 || flags & 0x08 != 0);
        params::execute(&mut r, statement, with_count, &mut values, &mut attributes)?;
        let status = self.handler.status();
        let mut sink =
            Sink::new(&mut self.channel, RowFormat::Binary, self.peer.capabilities, status, self.read_timeout);
        sink.metadata = metadata;
        let result =
            self.handler.execute(id, &values, &attributes, cursor, &mut sink).inspect_err(|_| sink.before_error());
        let answered = sink.answered;
        drop((values, attributes));
        if let Some(s) = self.statements.get_mut(&id) {
            s.forget_long();
        }
        finish(result, answered)
    }

    fn fetch(&mut self, body: &[u8]) -> SqlResult<()> {
        let mut r = Reader::new(body);
        let (id, rows) = (r.u32()?, r.u32()?);
        if !self.statements.contains_key(&id) {
            return Err(unknown_statement(id, "mysqld_stmt_fetch"));
        }
        let status = self.handler.status();
        let mut sink =
            Sink::new(&mut self.channel, RowFormat::Binary, self.peer.capabilities, status, self.read_timeout);
        let result = self.handler.fetch(id, rows, &mut sink);
        finish(result, sink.answered)
    }

    fn long_data(&mut self, body: &[u8]) -> SqlResult<()> {
        let mut r = Reader::new(body);
        let (id, param) = (r.u32()?, usize::from(r.u16()?));
        let limit = self.channel.max_packet;
        let s = self.statements.get_mut(&id).ok_or_else(malformed)?;
        if param >= s.params {
            return Err(malformed());
        }
        if s.too_long || s.long_bytes + r.rest().len() > limit.max(1 << 20) {
            // it has no answer: the execution tells
            s.too_long = true;
            s.long_bytes = 0;
            s.long.clear();
            s.long.resize(s.params, Some(Vec::new()));
            return Ok(());
        }
        if s.long.len() <= param {
            s.long.resize(param + 1, None);
        }
        s.long_bytes += r.rest().len();
        if let Some(slot) = s.long.get_mut(param) {
            slot.get_or_insert_default().extend_from_slice(r.rest());
        }
        Ok(())
    }

    fn close_statement(&mut self, body: &[u8]) -> SqlResult<()> {
        if let Ok(id) = Reader::new(body).u32()
            && self.statements.remove(&id).is_some()
        {
            self.handler.close_statement(id);
        }
        Ok(())
    }

    fn reset_statement(&mut self, body: &[u8]) -> SqlResult<()> {
        let id = Reader::new(body).u32()?;
        let s = self.statements.get_mut(&id).ok_or_else(|| unknown_statement(id, "mysqld_stmt_reset"))?;
        s.forget_long();
        self.handler.reset_statement(id)?;
        self.ok()
    }

    fn field_list(&mut self, body: &[u8]) -> SqlResult<()> {
        let mut r = Reader::new(body);
        let table = r.nul_str()?;
        let columns = self.handler.field_list(table, r.nul_str_or_rest())?;
        for (c, default) in &columns {
            let at = self.channel.begin();
            c.encode(&mut self.channel.out, Some(default.as_deref()));
            self.channel.end(at);
        }
        let status = self.handler.status();
        if self.peer.capabilities.has(Capabilities::DEPRECATE_EOF) {
            put_ok(&mut self.channel, 0xfe, &OkInfo { status, ..OkInfo::default() }, self.peer.capabilities);
        } else {
            put_eof(&mut self.channel, status.0, 0);
        }
        Ok(())
    }

    fn kill(&mut self, body: &[u8]) -> SqlResult<()> {
        let id = Reader::new(body).u32()?;
        self.handler.kill(u64::from(id))?;
        self.ok()
    }

    fn set_option(&mut self, body: &[u8]) -> SqlResult<()> {
        match Reader::new(body).u16()? {
            0 => self.handler.set_multi_statements(true),
            1 => self.handler.set_multi_statements(false),
            _ => return Err(SqlError::new(ErrorCode::UNKNOWN_COM_ERROR, &[])),
        }
        let status = self.handler.status();
        if self.peer.capabilities.has(Capabilities::DEPRECATE_EOF) {
            put_ok(&mut self.channel, 0xfe, &OkInfo { status, ..OkInfo::default() }, self.peer.capabilities);
        } else {
            put_eof(&mut self.channel, status.0, 0);
        }
        Ok(())
    }

    /// COM_CHANGE_USER: a failure ends the connection, as in MySQL.
    fn change_user(&mut self, body: &[u8]) -> Next {
        let response = match handshake::parse_change_user(body, self.peer.capabilities) {
            Ok(mut r) => {
                // Compression and TLS stay as they are: `log_in` must not start them again.
                r.capabilities.0 &= !(Capabilities::COMPRESS | Capabilities::ZSTD_COMPRESSION_ALGORITHM);
                // as MySQL: the plugin always begins anew, with a scramble of its own (libmysqlclient sends no proof before it)
                if r.capabilities.has(Capabilities::PLUGIN_AUTH) {
                    r.plugin = None;
                }
                r
            }
            Err(e) => {
                put_error(&mut self.channel, &e, true);
                return Next::End(End::Aborted);
            }
        };
        // as at the beginning: however the client cuts its packets
        let timeout = Duration::from_secs(self.server.globals.num(catalog::sysvar::Var::connect_timeout));
        self.channel.until(Some(Instant::now() + timeout));
        let done = log_in(&self.server, &mut self.channel, &self.peer, response, &self.conn, timeout);
        self.channel.until(None);
        match done {
            Ok(handler) => {
                self.handler = handler;
                self.statements.clear();
                self.handler.command_ended(Command::ChangeUser, None);
                Next::Command
            }
            Err(AuthError::Refused(e)) => {
                put_error(&mut self.channel, &e, true);
                let _ = self.channel.flush();
                Next::End(End::Aborted)
            }
            Err(AuthError::Net(_)) => Next::End(End::Aborted),
        }
    }
}

/// A handler that neither answered nor failed would leave the client waiting.
fn finish(result: SqlResult<()>, answered: bool) -> SqlResult<()> {
    match result {
        Ok(()) if !answered => Err(SqlError::with_message(ErrorCode::UNKNOWN_ERROR, "the statement gave no result")),
        r => r,
    }
}

fn unknown_statement(id: u32, by: &str) -> SqlError {
    SqlError::new(ErrorCode::UNKNOWN_STMT_HANDLER, &[&id, &by])
}
