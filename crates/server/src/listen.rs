//! Listeners and connection threads.
//!
//! One thread accepts per listening socket; each connection gets a thread for its greeting and login, with a small stack (memory is used only as
//! it is touched). From then on `sched::pool` says which thread serves it.
//! The administrative interface (`admin_address`, `admin_port`) is a socket of its own, whose connections need SERVICE_CONNECTION_ADMIN and are not
//! counted by `max_connections`. `max_connections` + 1 connections are let as far as authentication: the last one is for an administrator.
//!
//! Stopping: [`Listeners::stop`] sets a flag and wakes the accepting threads by connecting to them.

use crate::log;
use base::{ErrorCode, SqlError};
use catalog::accounts::ClientAddr;
use catalog::sysvar::Var;
use probe::sockets::{Kind, OpenSocket};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use wire::{Socket, WireServer};

/// All listening sockets.
pub struct Listeners {
    stop: Arc<AtomicBool>,
    tcp: Vec<SocketAddr>,
    admin: Option<SocketAddr>,
    unix: Option<PathBuf>,
    threads: Vec<std::thread::JoinHandle<()>>,
    /// As performance_schema shows them, for as long as there are listeners.
    _sockets: Vec<OpenSocket>,
}

/// Sockets that are bound but not yet served: binding comes early in the start, so that a port in use is found before anything else.
pub struct Bound {
    tcp: Vec<TcpListener>,
    admin: Option<TcpListener>,
    unix: Option<(UnixListener, PathBuf)>,
}

/// Binds TCP addresses, the administrative one and the Unix socket.
pub fn bind(addresses: &[SocketAddr], admin: Option<SocketAddr>, socket: Option<&Path>) -> Result<Bound, String> {
    let mut tcp = Vec::new();
    for a in addresses {
        let bound = TcpListener::bind(a).or_else(|e| match a.ip() {
            // `*` without IPv6 on this machine.
            IpAddr::V6(ip) if ip.is_unspecified() && e.kind() != std::io::ErrorKind::AddrInUse => {
                TcpListener::bind((Ipv4Addr::UNSPECIFIED, a.port()))
            }
            _ => Err(e),
        });
        tcp.push(bound.map_err(|e| {
            format!("Can't start server: bind on TCP/IP port {a}: {e}. {}", crate::advice::port(a.port(), &e))
        })?);
    }
    let admin = match admin {
        None => None,
        Some(a) => {
            let fail = |e: std::io::Error| {
                let what = crate::advice::port(a.port(), &e);
                format!("Can't start server: bind on the administrative interface {a}: {e}. {what}")
            };
            Some(TcpListener::bind(a).map_err(fail)?)
        }
    };
    let unix = match socket {
        None => None,
        Some(path) => {
            if UnixStream::connect(path).is_ok() {
                return Err(format!("Can't start server: another server is listening on socket '{}'", path.display()));
            }
            use std::os::unix::fs::FileTypeExt;
            match std::fs::symlink_metadata(path) {
                // left behind by a crash
                Ok(m) if m.file_type().is_socket() => {
                    let _ = std::fs::remove_file(path);
                }
                Ok(_) => {
                    let why = "the file exists and is not a socket; it is left as it is";
                    return Err(format!("Can't start server: bind on unix socket '{}': {why}", path.display()));
                }
                Err(_) => {}
            }
            let fail = |e: std::io::Error| {
                let what = crate::advice::socket(path, &e);
                format!("Can't start server: bind on unix socket '{}': {e}. {what}", path.display())
            };
            let l = UnixListener::bind(path).map_err(fail)?;
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).map_err(fail)?;
            Some((l, path.to_owned()))
        }
    };
    Ok(Bound { tcp, admin, unix })
}

/// Starts accepting.
pub fn start(bound: Bound, server: &Arc<WireServer>) -> Result<Listeners, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let mut out = Listeners {
        stop: stop.clone(),
        tcp: Vec::new(),
        admin: None,
        unix: None,
        threads: Vec::new(),
        _sockets: Vec::new(),
    };
    let socket = |kind, fd, at: Option<std::net::SocketAddr>| {
        let (ip, port) = at.map_or_else(Default::default, |a| (a.ip().to_string(), a.port()));
        probe::sockets::opened(kind, fd, ip, port, None)
    };
    let fail = |e: std::io::Error| format!("Can't start a listener: {e}");
    for l in bound.tcp {
        let at = l.local_addr().map_err(fail)?;
        out.tcp.push(at);
        out._sockets.push(socket(Kind::Tcp, l.as_raw_fd(), Some(at)));
        let (server, stop) = (server.clone(), stop.clone());
        let t = std::thread::Builder::new().name("listen-tcp".into()).spawn(move || accept(&l, &server, &stop, false));
        out.threads.push(t.map_err(fail)?);
    }
    if let Some(l) = bound.admin {
        let at = l.local_addr().map_err(fail)?;
        out.admin = Some(at);
        out._sockets.push(socket(Kind::Tcp, l.as_raw_fd(), Some(at)));
        let (server, stop) = (server.clone(), stop.clone());
        let serve = move || accept(&l, &server, &stop, true);
        out.threads.push(std::thread::Builder::new().name("listen-admin".into()).spawn(serve).map_err(fail)?);
    }
    if let Some((l, path)) = bound.unix {
        out.unix = Some(path);
        out._sockets.push(socket(Kind::Unix, l.as_raw_fd(), None));
        let (server, stop) = (server.clone(), stop.clone());
        let t = std::thread::Builder::new().name("listen-unix".into()).spawn(move || accept(&l, &server, &stop, false));
        out.threads.push(t.map_err(fail)?);
    }
    Ok(out)
}

impl Listeners {
    /// The port actually bound (for `--port=0`), 0 without TCP.
    pub fn port(&self) -> u16 {
        self.tcp.first().map_or(0, SocketAddr::port)
    }

    /// The administrative interface's port actually bound.
    pub fn admin_port(&self) -> Option<u16> {
        self.admin.map(|a| a.port())
    }

    /// Stops accepting, closes the sockets and removes the socket file.
    pub fn stop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        for a in self.tcp.iter().chain(&self.admin) {
            let ip = match a.ip() {
                IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
                IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
                ip => ip,
            };
            let _ = TcpStream::connect_timeout(&SocketAddr::new(ip, a.port()), Duration::from_secs(1));
        }
        if let Some(path) = &self.unix {
            let _ = UnixStream::connect(path);
        }
        for t in self.threads.drain(..) {
            let _ = t.join();
        }
        if let Some(path) = self.unix.take() {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A socket that accepts.
trait Accepting {
    /// The next client: its socket, where it comes from, and the name of that.
    fn next(&self) -> io::Result<(Socket, ClientAddr, String)>;
    fn set_nonblocking(&self, on: bool) -> io::Result<()>;
}

impl Accepting for TcpListener {
    fn next(&self) -> io::Result<(Socket, ClientAddr, String)> {
        let (s, from) = self.accept()?;
        let _ = s.set_nodelay(true);
        let addr = ClientAddr::Ip(from.ip());
        let host = format!("{}:{}", addr.host_name(), from.port());
        Ok((Socket::Tcp(Arc::new(s)), addr, host))
    }
    fn set_nonblocking(&self, on: bool) -> io::Result<()> {
        TcpListener::set_nonblocking(self, on)
    }
}

impl Accepting for UnixListener {
    fn next(&self) -> io::Result<(Socket, ClientAddr, String)> {
        let (s, _) = self.accept()?;
        Ok((Socket::Unix(Arc::new(s)), ClientAddr::Local, "localhost".into()))
    }
    fn set_nonblocking(&self, on: bool) -> io::Result<()> {
        UnixListener::set_nonblocking(self, on)
    }
}

fn accept(l: &impl Accepting, server: &Arc<WireServer>, stop: &AtomicBool, admin: bool) {
    let mut spare = Spare::new();
    loop {
        let accepted = l.next();
        if stop.load(Ordering::SeqCst) {
            return;
        }
        match accepted {
            Ok((socket, addr, host)) => start_connection(server, socket, addr, host, admin),
            Err(e) => accept_failed(l, &e, &mut spare),
        }
    }
}

/// A descriptor kept for the moment when there is no other: with it a client can be told instead of waiting for ever in the queue of the socket.
struct Spare {
    file: Option<std::fs::File>,
    /// When the log heard of it last.
    told: Option<Instant>,
}

impl Spare {
    fn new() -> Spare {
        Spare { file: std::fs::File::open("/dev/null").ok(), told: None }
    }
}

/// Errno without a free descriptor in this process, and in the system.
const EMFILE: i32 = 24;
const ENFILE: i32 = 23;

/// No descriptor for the client: it is told (1040) and sent away. Or it is gone already. In any case the thread waits a little: without descriptors
/// `accept` fails at once, whether somebody is there or not.
fn accept_failed(l: &impl Accepting, e: &io::Error, spare: &mut Spare) {
    if spare.told.is_none_or(|t| t.elapsed() > Duration::from_secs(60)) {
        spare.told = Some(Instant::now());
        let what = "Raise open_files_limit (ulimit -n, LimitNOFILE=), or lower max_connections or innodb_open_files.";
        let what = if matches!(e.raw_os_error(), Some(EMFILE | ENFILE)) { what } else { "" };
        log::error(10_283, &format!("Error in accept: {e} {what}"));
    }
    let mut served = false;
    if matches!(e.raw_os_error(), Some(EMFILE | ENFILE))
        && spare.file.take().is_some()
        && l.set_nonblocking(true).is_ok()
    {
        if let Ok((socket, _, _)) = l.next() {
            probe::inc(probe::Counter::AbortedConnects);
            probe::inc(probe::Counter::ConnectionErrorsMaxConnections);
            wire::refuse(socket, &SqlError::new(ErrorCode::CON_COUNT_ERROR, &[]));
            served = true;
        }
        let _ = l.set_nonblocking(false);
    }
    if spare.file.is_none() {
        spare.file = std::fs::File::open("/dev/null").ok();
    }
    std::thread::sleep(Duration::from_millis(if served { 5 } else { 50 }));
}

fn start_connection(server: &Arc<WireServer>, socket: Socket, addr: ClientAddr, host: String, admin: bool) {
    if !admin && server.connections.ordinary() as u64 > server.globals.num(Var::max_connections) {
        probe::inc(probe::Counter::AbortedConnects);
        probe::inc(probe::Counter::ConnectionErrorsMaxConnections);
        wire::refuse(socket, &SqlError::new(ErrorCode::CON_COUNT_ERROR, &[]));
        return;
    }
    let conn = server.connections.register(&host);
    if admin {
        server.connections.set_administrative(&conn);
    }
    let closer = socket.clone();
    conn.set_closer(Some(Arc::new(move || closer.shutdown())));
    let id = conn.id();
    let stack = server.globals.num(Var::thread_stack) as usize;
    let (s, refused) = (server.clone(), socket.clone());
    let asked = std::time::Instant::now();
    let body = move || {
        if asked.elapsed() >= Duration::from_secs(s.globals.num(Var::slow_launch_time)) {
            probe::inc(probe::Counter::SlowLaunchThreads);
        }
        sched::stack::begin(stack);
        let greet = || wire::greet(&s, socket, addr, host, conn);
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(greet)) {
            Ok(Some(served)) => sched::pool::run(Box::new(served)),
            Ok(None) => {}
            Err(_) => probe::inc(probe::Counter::SessionPanics),
        }
    };
    sched::pool::set_stack_size(stack as u64);
    probe::inc(probe::Counter::ThreadsCreated);
    if let Err(e) =
        std::thread::Builder::new().name(format!("conn-{id}")).stack_size(stack + sched::stack::SLACK).spawn(body)
    {
        log::error(10_249, &format!("Can't create thread to handle new connection (errno= {e})"));
        server.connections.unregister(id);
        wire::refuse(refused, &SqlError::new(ErrorCode::OUTOFMEMORY, &[&stack]));
    }
}
