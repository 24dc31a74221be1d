//! Bytes to and from a client: a TCP or Unix socket, plain or inside TLS.
//!
//! The socket is shared (`Arc`) with whoever may have to shut it down (KILL CONNECTION, server shutdown); all reads and writes are done by
//! the connection's thread.
//!
//! Timeouts are those of the socket's single reads and writes ([`Waits`]), the same with and without TLS: what TLS does in one call may be
//! many of them, so each asks anew, and during the handshake all of them end at one deadline. TLS is driven by hand for that:
//! `rustls::Stream` begins to read when a write has timed out, and a client that takes no answer would be waited for as if it were idle.
//!
//! A write waits in `poll(2)`, each time for as long as nothing moves: a timeout of the socket (`SO_SNDTIMEO`) ends
//! with a part written, whatever moved meanwhile, and who then goes on writing waits a second time. What a write has
//! broken stays broken: nothing is sent any more and nobody waits again, not for the error's packet, not for a goodbye.
//! Tested: `tests/clients/test_timeouts.py`.

pub use crate::socket::Socket;
use catalog::accounts::TlsPeer;
use probe::files::Op;
use probe::sockets::{self, OpenSocket};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::Arc;
use std::time::{Duration, Instant};
use sys::ring::{send_now, wait_writable};

/// The cipher suite in OpenSSL's words: those of TLS 1.3 as they are registered, older ones without `TLS` and `WITH`.
/// TLS version and cipher suite, in MySQL's (OpenSSL's) spelling, and the server's name in the client's hello.
pub(crate) fn tls_info(tls: &rustls::ServerConnection) -> Option<(String, String, String)> {
    let version = match tls.protocol_version()? {
        rustls::ProtocolVersion::TLSv1_3 => "TLSv1.3".to_owned(),
        rustls::ProtocolVersion::TLSv1_2 => "TLSv1.2".to_owned(),
        other => format!("{other:?}"),
    };
    Some((version, cipher_name(tls)?, tls.server_name().unwrap_or_default().to_owned()))
}

/// What REQUIRE of an account looks at.
pub(crate) fn tls_peer(tls: &rustls::ServerConnection) -> Option<TlsPeer> {
    let certificate = tls.peer_certificates().and_then(|c| crate::certificate::names(c.first()?));
    Some(TlsPeer { cipher: cipher_name(tls)?, certificate })
}

fn cipher_name(tls: &rustls::ServerConnection) -> Option<String> {
    let name = format!("{:?}", tls.negotiated_cipher_suite()?.suite());
    if let Some(rest) = name.strip_prefix("TLS13_") {
        return Some(format!("TLS_{rest}"));
    }
    let name = name.trim_start_matches("TLS_").replace("_WITH_", "_").replace("AES_", "AES");
    let name = name.replace("POLY1305_SHA256", "POLY1305");
    Some(name.replace('_', "-"))
}

/// How long the socket is waited for.
#[derive(Clone, Copy, Debug, Default)]
struct Waits {
    /// For the first bytes of what is expected.
    first: Duration,
    /// For each further piece.
    within: Duration,
    /// For each piece that is sent.
    write: Duration,
    /// When everything must be done.
    deadline: Option<Instant>,
}

impl Waits {
    /// `t`, or what is left until the deadline.
    fn left(&self, t: Duration) -> io::Result<Duration> {
        let Some(d) = self.deadline else { return Ok(t) };
        let left = d.checked_duration_since(Instant::now()).filter(|d| !d.is_zero());
        left.map(|l| l.min(t)).ok_or_else(|| io::ErrorKind::TimedOut.into())
    }
}

/// The socket with its timeouts. That of reads costs a system call only when it changes.
struct Link {
    socket: Socket,
    waits: Waits,
    /// Something of what is expected has come.
    begun: bool,
    /// What the socket was told for reads.
    told: Duration,
    /// For performance_schema.
    instance: Option<OpenSocket>,
}

impl Link {
    /// Runs a read or a write of the socket and counts it, if that is wanted.
    #[inline]
    fn counted(&mut self, op: Op, call: impl FnOnce(&mut Link) -> io::Result<usize>) -> io::Result<usize> {
        let wanted = self.instance.as_ref().is_some_and(OpenSocket::is_wanted);
        let began = if wanted && op == Op::Write { sys::clock::now_ns() } else { 0 };
        let n = call(self)?;
        if wanted && let Some(i) = &self.instance {
            let end = (began != 0).then(sys::clock::now_ns);
            i.used(op, (end.map_or(0, |end| end.saturating_sub(began)), end), n as u64);
        }
        Ok(n)
    }
}

/// Repeats a call that a signal interrupted, for no longer than its time. A process that is stopped and continued again
/// and again (a container that is frozen, a debugger) would otherwise begin its wait anew each time. The clock is
/// looked at after a signal only.
fn uninterrupted<T>(t: Duration, mut call: impl FnMut(Duration) -> io::Result<T>) -> io::Result<T> {
    let (mut left, mut end) = (t, None);
    loop {
        match call(left) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {
                let now = Instant::now();
                let end = *end.get_or_insert_with(|| now.checked_add(t).unwrap_or(now));
                left = end.saturating_duration_since(now);
                if left.is_zero() {
                    return Err(io::ErrorKind::TimedOut.into());
                }
            }
            r => return r,
        }
    }
}

fn is_later(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// Sends some of it as soon as the socket takes something, within `t`.
#[cold]
fn send_later(fd: RawFd, buf: &[u8], t: Duration) -> io::Result<usize> {
    let began = Instant::now();
    loop {
        let left = t.saturating_sub(began.elapsed());
        if left.is_zero() || !uninterrupted(left, |t| wait_writable(fd, t))? {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match send_now(fd, buf) {
            // it has room and the kernel has none: that does not wake anybody
            Err(e) if is_later(&e) => std::thread::sleep(left.min(Duration::from_millis(10))),
            r => return r,
        }
    }
}

impl Read for Link {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let t = self.waits.left(if self.begun { self.waits.within } else { self.waits.first })?;
        let n = self.counted(Op::Read, |link| {
            uninterrupted(t, |t| {
                if link.told != t {
                    link.socket.set_read_timeout(Some(t))?;
                    link.told = t;
                }
                link.socket.read(buf)
            })
        })?;
        self.begun = true;
        Ok(n)
    }
}

impl Write for Link {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let t = self.waits.left(self.waits.write)?;
        self.counted(Op::Write, |link| {
            let fd = link.socket.as_raw_fd();
            match send_now(fd, buf) {
                Err(e) if is_later(&e) => send_later(fd, buf, t),
                r => r,
            }
        })
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A socket with TLS around it, perhaps.
pub struct Transport {
    link: Link,
    tls: Option<Box<rustls::ServerConnection>>,
    /// How a write failed: nothing more is sent, not even a goodbye.
    broken: Option<io::ErrorKind>,
}

/// Sends what TLS has to send.
fn send(tls: &mut rustls::ServerConnection, link: &mut Link) -> io::Result<()> {
    while tls.wants_write() {
        match tls.write_tls(link) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(_) => {}
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// Receives for TLS once; 0 = closed. What it then has to answer (an alert too) is sent.
fn receive(tls: &mut rustls::ServerConnection, link: &mut Link) -> io::Result<usize> {
    let n = tls.read_tls(link)?;
    if let Err(e) = tls.process_new_packets() {
        let _ = send(tls, link);
        return Err(io::Error::new(io::ErrorKind::InvalidData, e));
    }
    Ok(n)
}

impl Transport {
    /// Plain.
    pub fn new(socket: Socket) -> Transport {
        let minute = Duration::from_secs(60);
        let waits = Waits { first: minute, within: minute, write: minute, deadline: None };
        let link = Link { socket, waits, begun: false, told: Duration::ZERO, instance: None };
        Transport { link, tls: None, broken: None }
    }
    /// It serves this connection.
    pub fn serves(&mut self, connection: u64) {
        let (ip, port) = self.link.socket.peer();
        let fd = self.link.socket.as_raw_fd();
        self.link.instance = Some(sockets::opened(sockets::Kind::Client, fd, ip, port, Some(connection)));
    }
    /// So many bytes have been sent without it.
    pub fn sent_elsewhere(&self, bytes: usize) {
        if let Some(i) = self.link.instance.as_ref().filter(|i| i.is_wanted()) {
            i.used(Op::Write, (0, None), bytes as u64);
        }
    }
    /// The socket.
    pub fn socket(&self) -> &Socket {
        &self.link.socket
    }
    /// From now on: `first` for the first bytes, `within` for each further piece, all of it until `deadline`.
    pub fn expect(&mut self, first: Duration, within: Duration, deadline: Option<Instant>) {
        self.link.begun = false;
        self.link.waits = Waits { first, within, deadline, ..self.link.waits };
    }
    /// From now on everything must be done by then.
    pub fn until(&mut self, deadline: Option<Instant>) {
        self.link.waits.deadline = deadline;
    }
    /// Longest time one write may block.
    pub fn set_write_timeout(&mut self, t: Duration) {
        self.link.waits.write = t;
    }
    /// Whether TLS protects it.
    pub fn is_tls(&self) -> bool {
        self.tls.is_some()
    }
    /// Whether a password may be sent as it is.
    pub fn is_secure(&self) -> bool {
        self.is_tls() || self.link.socket.is_unix()
    }
    /// TLS version and cipher suite, in MySQL's (OpenSSL's) spelling of the version, and the server's name in the client's hello.
    pub fn tls_info(&self) -> Option<(String, String, String)> {
        tls_info(self.tls.as_ref()?)
    }

    /// What REQUIRE of an account looks at.
    pub fn tls_peer(&self) -> Option<TlsPeer> {
        tls_peer(self.tls.as_ref()?)
    }

    /// Turns TLS on, until the deadline of [`Transport::expect`]. `received` are bytes already read that belong to the client's hello.
    pub fn start_tls(&mut self, config: Arc<rustls::ServerConfig>, received: &[u8]) -> io::Result<()> {
        let mut conn = rustls::ServerConnection::new(config).map_err(io::Error::other)?;
        let mut received = received;
        while !received.is_empty() {
            conn.read_tls(&mut received)?;
            conn.process_new_packets().map_err(io::Error::other)?;
        }
        let link = &mut self.link;
        while conn.is_handshaking() {
            send(&mut conn, link)?;
            if !conn.is_handshaking() {
                break;
            }
            match receive(&mut conn, link) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(_) => {}
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        send(&mut conn, link)?;
        self.tls = Some(Box::new(conn));
        Ok(())
    }

    /// Whether decrypted bytes wait to be read: the socket does not become readable for them again.
    pub fn has_input(&mut self) -> bool {
        self.tls.as_mut().is_some_and(|t| t.process_new_packets().is_ok_and(|s| s.plaintext_bytes_to_read() > 0))
    }

    /// Reads what is there, waiting for the first byte; 0 = closed.
    pub fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            let r = match &mut self.tls {
                None => self.link.read(buf),
                Some(tls) => match tls.reader().read(buf) {
                    Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                        send(tls, &mut self.link).inspect_err(|e| self.broken = Some(e.kind()))?;
                        match receive(tls, &mut self.link) {
                            // gone without a goodbye
                            Ok(0) => return Ok(0),
                            Ok(_) => continue,
                            Err(e) => Err(e),
                        }
                    }
                    r => r,
                },
            };
            match r {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(0),
                r => return r,
            }
        }
    }

    /// How a write has failed, after which none is tried again.
    pub fn broken(&self) -> Option<io::ErrorKind> {
        self.broken
    }

    /// A write elsewhere has failed.
    pub fn broke(&mut self, e: &io::Error) {
        self.broken.get_or_insert(e.kind());
    }

    /// Writes everything, or fails as the first write that failed.
    pub fn write_all(&mut self, buf: &[u8]) -> io::Result<()> {
        if let Some(kind) = self.broken {
            return Err(kind.into());
        }
        let wrote = match &mut self.tls {
            None => self.link.write_all(buf),
            Some(tls) => {
                let mut rest = buf;
                loop {
                    let taken = match tls.writer().write(rest) {
                        Ok(n) => n,
                        Err(e) => break Err(e),
                    };
                    rest = rest.get(taken..).unwrap_or_default();
                    if let Err(e) = send(tls, &mut self.link) {
                        break Err(e);
                    }
                    if rest.is_empty() {
                        break Ok(());
                    }
                }
            }
        };
        wrote.inspect_err(|e| self.broken = Some(e.kind()))
    }

    /// Says goodbye in TLS and closes.
    pub fn close(&mut self) {
        if let Some(tls) = &mut self.tls
            && self.broken.is_none()
        {
            tls.send_close_notify();
            self.link.waits.write = Duration::from_secs(1);
            let _ = tls.write_tls(&mut self.link);
        }
        self.link.socket.shutdown();
    }
}
