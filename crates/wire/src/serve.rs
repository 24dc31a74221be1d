//! One connection, from accept to close. [`greet`] does greeting, TLS and authentication, on a thread of its own.
//! Then [`Served`] runs the client's commands, on whichever thread `sched::pool` gives it.
//!
//! What a client can cost before it has logged in is bounded: packets of at most 64 KiB, `connect_timeout` for all
//! of it together, a few KiB of memory.

use crate::auth::{AuthContext, AuthError, PasswordCache, authenticate};
use crate::channel::{Channel, NetError};
use crate::command::{Commands, Next};
use crate::handshake::{self, FirstPacket, Response};
use crate::keys::RsaKey;
use crate::sink::{put_error, put_ok};
use crate::transport::{Socket, Transport};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::policy::Blocked;
use catalog::accounts::{Account, Accounts, ClientAddr, Privs, Resource, TlsPeer};
use catalog::client::{Capabilities, OkInfo, SessionContext, SessionFactory, SessionHandler};
use catalog::connections::{Connection, Connections};
use catalog::sysvar::{GlobalVars, Var};
use parking_lot::RwLock;
use probe::Counter;
use std::os::fd::{AsRawFd, RawFd};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What all connections of the server share.
pub struct WireServer {
    /// The server's version, as the greeting tells it.
    pub version: String,
    /// Global variables.
    pub globals: Arc<GlobalVars>,
    /// Accounts.
    pub accounts: Arc<Accounts>,
    /// Registry.
    pub connections: Arc<Connections>,
    /// Opens sessions.
    pub factory: Arc<dyn SessionFactory>,
    /// The TLS settings; `None` without TLS. ALTER INSTANCE RELOAD TLS replaces them.
    pub tls: RwLock<Option<Arc<rustls::ServerConfig>>>,
    /// The key pair with which clients of caching_sha2_password encrypt their password if there is no TLS.
    pub rsa: Option<RsaKey>,
    /// Hashes of passwords that were right before: caching_sha2_password then needs no full check.
    pub passwords: PasswordCache,
}

/// How a connection ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// COM_QUIT.
    Quit,
    /// Refused during the handshake.
    Refused,
    /// By KILL or a timeout, or the client was gone.
    Aborted,
    /// The session panicked.
    Panicked,
}

/// What is known of the client since the handshake; COM_CHANGE_USER needs it again.
pub(crate) struct Peer {
    pub(crate) capabilities: Capabilities,
    pub(crate) scramble: [u8; 20],
    pub(crate) addr: ClientAddr,
    pub(crate) host_port: String,
}

/// Tells a client before any handshake that it is not served (1040: too many connections; 1053: shutdown), and
/// closes.
pub fn refuse(socket: Socket, e: &SqlError) {
    let mut channel = Channel::new(Transport::new(socket));
    channel.set_write_timeout(Duration::from_secs(1));
    put_error(&mut channel, e, false);
    let _ = channel.flush();
    channel.transport.close();
}

/// A connection that stands in the registry (SHOW PROCESSLIST). Dropping this removes it.
pub(crate) struct Registered {
    pub(crate) server: Arc<WireServer>,
    pub(crate) conn: Arc<Connection>,
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.conn.set_closer(None);
        self.conn.set_waker(None);
        self.server.connections.unregister(self.conn.id());
    }
}

/// A connection that has logged in. Dropping it closes the connection.
pub struct Served {
    // Fields are dropped in this order: the session first, which rolls back, then the entry in the registry.
    commands: Commands,
    registered: Registered,
}

impl Served {
    /// One command.
    fn one(&mut self) -> Next {
        let next = self.commands.one();
        self.noted(next)
    }

    fn noted(&self, next: Next) -> Next {
        if matches!(next, Next::End(End::Aborted | End::Panicked)) {
            probe::inc(Counter::AbortedClients);
        }
        next
    }

    /// Serves commands on this thread until the connection ends, for a server without `sched::pool`.
    pub fn run(mut self) -> End {
        loop {
            match self.one() {
                Next::End(end) => return end,
                Next::Command => {}
                // only on threads of the pool
                Next::Later => return End::Aborted,
            }
        }
    }

    fn served(&mut self, next: Next) -> sched::pool::Served {
        match next {
            Next::Command if self.commands.channel.has_input() => sched::pool::Served::More,
            Next::Command => sched::pool::Served::Idle,
            Next::Later => sched::pool::Served::Later,
            Next::End(_) => sched::pool::Served::End,
        }
    }
}

impl sched::pool::Task for Served {
    fn id(&self) -> u64 {
        self.registered.conn.id()
    }
    fn fd(&self) -> RawFd {
        self.commands.channel.transport.socket().as_raw_fd()
    }
    fn has_input(&mut self) -> bool {
        self.commands.channel.has_input()
    }
    fn serve(&mut self) -> sched::pool::Served {
        let next = self.one();
        self.served(next)
    }
    fn hand_over(&mut self) -> Option<(Arc<dyn sched::pool::Completer>, u64)> {
        self.commands.unflushed.take()
    }
    fn finish(&mut self, happened: bool) -> sched::pool::Served {
        let next = self.commands.finish(happened);
        let next = self.noted(next);
        self.served(next)
    }
    fn unsent(&self) -> &[u8] {
        self.commands.channel.unsent()
    }
    fn sent(&mut self, outcome: std::io::Result<usize>) -> sched::pool::Sending {
        let sending = self.commands.sent(outcome);
        if sending == sched::pool::Sending::Lost {
            probe::inc(Counter::AbortedClients);
        }
        sending
    }
    fn send_rest(&mut self) -> sched::pool::Served {
        let next = self.commands.flushed(Next::Command);
        let next = self.noted(next);
        self.served(next)
    }
    fn lines(&self, to: &mut sys::prefetch::Lines) {
        to.add(self);
        self.commands.lines(to);
    }
    fn holds_locks(&self) -> bool {
        self.commands.holds_locks()
    }
    fn idle_limit(&self) -> Duration {
        self.commands.wait_timeout()
    }
    fn expire(mut self: Box<Self>) {
        self.commands.lost(NetError::Timeout);
        probe::inc(Counter::AbortedClients);
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let channel = &mut self.commands.channel;
        // the bytes move from the connection's counts to the server's
        self.registered.conn.set_bytes(0, 0);
        count_bytes(channel);
        channel.transport.close();
    }
}

/// Greeting, TLS and authentication. `conn` stands in the registry already, and leaves it when the result is
/// dropped. `None`: the client was refused, and has been told why.
pub fn greet(
    server: &Arc<WireServer>,
    socket: Socket,
    addr: ClientAddr,
    host_port: String,
    conn: Arc<Connection>,
) -> Option<Served> {
    let registered = Registered { server: server.clone(), conn };
    let mut channel = Channel::new(Transport::new(socket));
    channel.transport.serves(registered.conn.id());
    match connect(server, &mut channel, addr, host_port, &registered.conn) {
        Ok((handler, peer)) => {
            let commands = Commands::new(server.clone(), channel, handler, peer, registered.conn.clone());
            Some(Served { commands, registered })
        }
        Err(()) => {
            probe::inc(Counter::AbortedConnects);
            count_bytes(&channel);
            channel.transport.close();
            None
        }
    }
}

fn count_bytes(channel: &Channel) {
    probe::add(Counter::BytesReceived, channel.received);
    probe::add(Counter::BytesSent, channel.sent);
}

/// From the greeting to the first OK packet. On `Err` the client has been told why.
fn connect(
    server: &WireServer,
    channel: &mut Channel,
    addr: ClientAddr,
    host_port: String,
    conn: &Arc<Connection>,
) -> Result<(Box<dyn SessionHandler>, Peer), ()> {
    match try_connect(server, channel, addr, host_port, conn) {
        Ok(x) => Ok(x),
        Err(AuthError::Refused(e)) => {
            if e.is(ErrorCode::ACCESS_DENIED_ERROR) {
                probe::errorlog::say_of(conn.id(), "Note", "Server", 10_926, e.message());
            }
            put_error(channel, &e, true);
            let _ = channel.flush();
            Err(())
        }
        Err(AuthError::Net(NetError::TooLarge | NetError::OutOfOrder)) => {
            put_error(channel, &SqlError::new(ErrorCode::HANDSHAKE_ERROR, &[]), true);
            let _ = channel.flush();
            Err(())
        }
        Err(AuthError::Net(_)) => Err(()),
    }
}

fn try_connect(
    server: &WireServer,
    channel: &mut Channel,
    addr: ClientAddr,
    host_port: String,
    conn: &Arc<Connection>,
) -> Result<(Box<dyn SessionHandler>, Peer), AuthError> {
    let timeout = Duration::from_secs(server.globals.num(Var::connect_timeout));
    channel.until(Some(Instant::now() + timeout));
    channel.set_write_timeout(timeout);
    let scramble = handshake::scramble().map_err(NetError::Io)?;
    let tls = server.tls.read().clone();
    let offered = offered(server, tls.is_some());
    let at = channel.begin();
    let collation = server.globals.num(Var::collation_server) as u16;
    let plugin = catalog::accounts::AuthPlugin::CachingSha2.name();
    handshake::greeting(&mut channel.out, &server.version, conn.id(), &scramble, offered, collation, plugin);
    channel.end(at);
    channel.flush()?;
    let handshake_error = || AuthError::Refused(SqlError::new(ErrorCode::HANDSHAKE_ERROR, &[]));
    let bad = |_: SqlError| handshake_error();
    let mut packet = channel.read_packet(timeout, timeout)?;
    let mut first = handshake::parse(packet.payload(), offered).map_err(bad)?;
    if matches!(first, FirstPacket::StartTls) {
        let config = tls.ok_or_else(|| SqlError::new(ErrorCode::HANDSHAKE_ERROR, &[]))?;
        let hello = channel.take_unread();
        probe::inc(Counter::SslAccepts);
        channel.start_tls(config, &hello, timeout)?;
        probe::inc(Counter::SslFinishedAccepts);
        channel.recycle(packet);
        packet = channel.read_packet(timeout, timeout)?;
        first = handshake::parse(packet.payload(), offered).map_err(bad)?;
    }
    channel.recycle(packet);
    let FirstPacket::Response(response) = first else { return Err(handshake_error()) };
    let peer = Peer { capabilities: response.capabilities, scramble, addr, host_port };
    let handler = log_in(server, channel, &peer, *response, conn, timeout)?;
    channel.max_packet = server.globals.num(Var::max_allowed_packet) as usize;
    Ok((handler, peer))
}

fn offered(server: &WireServer, tls: bool) -> Capabilities {
    let mut caps = handshake::OFFERED;
    if tls {
        caps |= Capabilities::SSL;
    }
    let algorithms = server.globals.num(Var::protocol_compression_algorithms);
    if algorithms & 1 != 0 {
        caps |= Capabilities::COMPRESS;
    }
    if algorithms & 2 != 0 {
        caps |= Capabilities::ZSTD_COMPRESSION_ALGORITHM;
    }
    Capabilities(caps)
}

/// Authenticates (at connect or COM_CHANGE_USER), opens a session and answers OK.
pub(crate) fn log_in(
    server: &WireServer,
    channel: &mut Channel,
    peer: &Peer,
    response: Response,
    conn: &Arc<Connection>,
    timeout: Duration,
) -> Result<Box<dyn SessionHandler>, AuthError> {
    let catalog::accounts::Candidate { account, proof } = server.accounts.candidate(&response.user, &peer.addr);
    let cx = AuthContext { cache: &server.passwords, rsa: server.rsa.as_ref(), addr: &peer.addr, timeout };
    let proven = if proof { authenticate(channel, &cx, account.as_ref(), &response, &peer.scramble) } else { Ok(()) };
    check_blocked(server, account.as_deref(), &proven)?;
    proven?;
    let Some(account) = account else { return Err(SqlError::new(ErrorCode::HANDSHAKE_ERROR, &[]).into()) };
    let link = Link { secure: channel.transport.is_secure(), tls: channel.transport.tls_peer() };
    check_account(server, &link, &account, (&response.user, response.capabilities), conn)?;
    // the client has done its part; `init_connect` may take its time
    channel.until(None);
    let set = value::CollationId(response.collation).charset();
    if set.is_wide() {
        // UTF-16 and its like: statements cannot be read in them (manual, "Connection Character Sets and
        // Collations", impermissible client character sets)
        return Err(SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&"character_set_client", &set.name()]).into());
    }
    let zstd_level = response.zstd_level;
    let capabilities = response.capabilities;
    conn.set_who(&response.user, &peer.host_port);
    conn.set_db(response.database.as_deref());
    let most = server.globals.num(Var::performance_schema_session_connect_attrs_size) as i64;
    conn.set_attributes(&response.attributes, most);
    let known = value::CollationId(response.collation).is_known() && response.collation != 0;
    let ctx = SessionContext {
        conn: conn.clone(),
        account: (account.user.clone(), account.host.clone()),
        user: response.user,
        host: peer.addr.host_name(),
        database: response.database,
        collation: if known { response.collation } else { server.globals.num(Var::collation_server) as u16 },
        capabilities,
        attributes: response.attributes,
        tls: channel.transport.tls_info(),
        unix_socket: channel.transport.socket().is_unix(),
    };
    let mut handler = server.factory.open(ctx)?;
    let mut state = Vec::new();
    handler.take_state(&mut state);
    let ok = OkInfo { status: handler.status(), state: &state, ..OkInfo::default() };
    put_ok(channel, 0, &ok, capabilities);
    channel.flush()?;
    conn.end_command();
    channel.start_compression(capabilities, zstd_level);
    Ok(handler)
}

/// Counts failed logins. 3955 for an account that too many of them have locked, whatever its password.
pub(crate) fn check_blocked(
    server: &WireServer,
    account: Option<&Account>,
    proven: &Result<(), AuthError>,
) -> SqlResult<()> {
    let Some(a) = account else { return Ok(()) };
    let usage = server.accounts.usage();
    let blocked = match (usage.blocked(a), proven) {
        (None, Err(AuthError::Refused(e))) if e.is(ErrorCode::ACCESS_DENIED_ERROR) => usage.login_failed(a),
        (found, _) => found,
    };
    if proven.is_ok() && blocked.is_none() {
        usage.login_succeeded(a);
    }
    let Some(Blocked(days)) = blocked else { return Ok(()) };
    let (all, left) = days.map_or(("unlimited".into(), "unlimited".into()), |d| (d.0.to_string(), d.1.to_string()));
    Err(SqlError::new(
        ErrorCode::USER_ACCESS_DENIED_FOR_USER_ACCOUNT_BLOCKED_BY_PASSWORD_LOCK,
        &[&a.user, &a.host, &all, &left, &a.password.failed_attempts],
    ))
}

/// What checks of an account look at besides its password.
pub(crate) struct Link {
    /// Nobody on the way can listen.
    pub(crate) secure: bool,
    /// The client's end of TLS, if there is any.
    pub(crate) tls: Option<TlsPeer>,
}

/// What forbids an account with the right password to log in. Then the user's name as the client gave it, and what the
/// client can do.
pub(crate) fn check_account(
    server: &WireServer,
    link: &Link,
    a: &Account,
    (user, capabilities): (&str, Capabilities),
    conn: &Connection,
) -> SqlResult<()> {
    let err = |code, args: &[&dyn std::fmt::Display]| Err(SqlError::new(code, args));
    if a.locked {
        probe::inc(probe::Counter::LockedConnects);
        return err(ErrorCode::ACCOUNT_HAS_BEEN_LOCKED, &[&a.user, &a.host]);
    }
    if server.globals.bool(Var::require_secure_transport) && !link.secure {
        return err(ErrorCode::SECURE_TRANSPORT_REQUIRED, &[]);
    }
    if !a.require.is_met(link.tls.as_ref()) {
        return err(ErrorCode::ACCESS_DENIED_ERROR, &[&a.user, &a.host, &"YES"]);
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64);
    if a.password_expired(now, server.globals.num(Var::default_password_lifetime))
        && !capabilities.has(Capabilities::CAN_HANDLE_EXPIRED_PASSWORDS)
        && server.globals.bool(Var::disconnect_on_expired_password)
    {
        return err(ErrorCode::MUST_CHANGE_PASSWORD_LOGIN, &[]);
    }
    let admin = a.privileges.has_global(Privs::SUPER) || a.privileges.has_dynamic("CONNECTION_ADMIN");
    if conn.is_administrative() && !a.privileges.has_dynamic("SERVICE_CONNECTION_ADMIN") {
        return err(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"SERVICE_CONNECTION_ADMIN"]);
    }
    let admin = admin || conn.is_administrative();
    if server.connections.ordinary() as u64 > server.globals.num(Var::max_connections) && !admin {
        return err(ErrorCode::CON_COUNT_ERROR, &[]);
    }
    conn.set_privileged(admin);
    let limit = match a.max_user_connections {
        0 => server.globals.num(Var::max_user_connections),
        n => u64::from(n),
    };
    if limit > 0 && !admin {
        let same = server.connections.all().iter().filter(|c| c.id() != conn.id() && c.who().user == user).count();
        if same as u64 >= limit && a.max_user_connections > 0 {
            return err(ErrorCode::USER_LIMIT_REACHED, &[&a.user, &"max_user_connections", &limit]);
        }
        if same as u64 >= limit {
            return err(ErrorCode::TOO_MANY_USER_CONNECTIONS, &[&a.user]);
        }
    }
    let what = Resource::Connections;
    match server.accounts.usage().count(a, what) {
        Ok(()) => Ok(()),
        Err(limit) => err(ErrorCode::USER_LIMIT_REACHED, &[&a.user, &what.name(), &limit]),
    }
}
