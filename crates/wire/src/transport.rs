//! Bytes to and from a client: a TCP or Unix socket, plain or inside TLS.
//!
//! The socket is shared (`Arc`) with whoever may have to shut it down (KILL CONNECTION, server shutdown); all reads and writes are done by
//! the connection's thread.

use catalog::accounts::TlsPeer;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

/// A connected socket.
#[derive(Clone, Debug)]
pub enum Socket {
    /// TCP.
    Tcp(Arc<TcpStream>),
    /// Unix socket.
    Unix(Arc<UnixStream>),
}

impl Socket {
    /// Where its descriptor is found.
    pub(crate) fn lines(&self, to: &mut sys::prefetch::Lines) {
        match self {
            Socket::Tcp(s) => to.add(&**s),
            Socket::Unix(s) => to.add(&**s),
        }
    }
    /// Ends both directions: a blocked read or write of the owner returns at once.
    pub fn shutdown(&self) {
        let _ = match self {
            Socket::Tcp(s) => s.shutdown(Shutdown::Both),
            Socket::Unix(s) => s.shutdown(Shutdown::Both),
        };
    }
    /// Longest time a read may block; `None` = for ever.
    pub fn set_read_timeout(&self, t: Option<Duration>) -> io::Result<()> {
        match self {
            Socket::Tcp(s) => s.set_read_timeout(t),
            Socket::Unix(s) => s.set_read_timeout(t),
        }
    }
    /// Longest time a write may block.
    pub fn set_write_timeout(&self, t: Option<Duration>) -> io::Result<()> {
        match self {
            Socket::Tcp(s) => s.set_write_timeout(t),
            Socket::Unix(s) => s.set_write_timeout(t),
        }
    }
    /// Whether the client is on this machine's Unix socket.
    pub fn is_unix(&self) -> bool {
        matches!(self, Socket::Unix(_))
    }
}

impl AsRawFd for Socket {
    fn as_raw_fd(&self) -> RawFd {
        match self {
            Socket::Tcp(s) => s.as_raw_fd(),
            Socket::Unix(s) => s.as_raw_fd(),
        }
    }
}

impl Read for Socket {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(s) => (&mut &**s).read(buf),
            Socket::Unix(s) => (&mut &**s).read(buf),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(s) => (&mut &**s).write(buf),
            Socket::Unix(s) => (&mut &**s).write(buf),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The cipher suite in OpenSSL's words: those of TLS 1.3 as they are registered, older ones without `TLS` and `WITH`.
fn cipher_name(tls: &rustls::ServerConnection) -> Option<String> {
    let name = format!("{:?}", tls.negotiated_cipher_suite()?.suite());
    if let Some(rest) = name.strip_prefix("TLS13_") {
        return Some(format!("TLS_{rest}"));
    }
    let name = name.trim_start_matches("TLS_").replace("_WITH_", "_").replace("AES_", "AES");
    let name = name.replace("POLY1305_SHA256", "POLY1305");
    Some(name.replace('_', "-"))
}

/// A socket with TLS around it, perhaps.
pub struct Transport {
    socket: Socket,
    tls: Option<Box<rustls::ServerConnection>>,
}

impl Transport {
    /// Plain.
    pub fn new(socket: Socket) -> Transport {
        Transport { socket, tls: None }
    }
    /// The socket.
    pub fn socket(&self) -> &Socket {
        &self.socket
    }
    /// Whether TLS protects it.
    pub fn is_tls(&self) -> bool {
        self.tls.is_some()
    }
    /// Whether a password may be sent as it is.
    pub fn is_secure(&self) -> bool {
        self.is_tls() || self.socket.is_unix()
    }
    /// TLS version and cipher suite, in MySQL's (OpenSSL's) spelling of the version, and the server's name in the client's hello.
    pub fn tls_info(&self) -> Option<(String, String, String)> {
        let tls = self.tls.as_ref()?;
        let version = match tls.protocol_version()? {
            rustls::ProtocolVersion::TLSv1_3 => "TLSv1.3".to_owned(),
            rustls::ProtocolVersion::TLSv1_2 => "TLSv1.2".to_owned(),
            other => format!("{other:?}"),
        };
        Some((version, cipher_name(tls)?, tls.server_name().unwrap_or_default().to_owned()))
    }

    /// What REQUIRE of an account looks at.
    pub fn tls_peer(&self) -> Option<TlsPeer> {
        let tls = self.tls.as_ref()?;
        let certificate = tls.peer_certificates().and_then(|c| crate::certificate::names(c.first()?));
        Some(TlsPeer { cipher: cipher_name(tls)?, certificate })
    }

    /// Turns TLS on. `received` are bytes already read that belong to the client's hello.
    pub fn start_tls(&mut self, config: Arc<rustls::ServerConfig>, received: &[u8]) -> io::Result<()> {
        let mut conn = rustls::ServerConnection::new(config).map_err(io::Error::other)?;
        let mut received = received;
        while !received.is_empty() {
            conn.read_tls(&mut received)?;
            conn.process_new_packets().map_err(io::Error::other)?;
        }
        while conn.is_handshaking() {
            if conn.complete_io(&mut self.socket)? == (0, 0) {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
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
                None => self.socket.read(buf),
                Some(tls) => rustls::Stream::new(&mut **tls, &mut self.socket).read(buf),
            };
            match r {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(0),
                r => return r,
            }
        }
    }

    /// Writes everything.
    pub fn write_all(&mut self, buf: &[u8]) -> io::Result<()> {
        match &mut self.tls {
            None => self.socket.write_all(buf),
            Some(tls) => {
                let mut s = rustls::Stream::new(&mut **tls, &mut self.socket);
                s.write_all(buf)?;
                s.flush()
            }
        }
    }

    /// Says goodbye in TLS and closes.
    pub fn close(&mut self) {
        if let Some(tls) = &mut self.tls {
            tls.send_close_notify();
            let _ = tls.write_tls(&mut self.socket);
        }
        self.socket.shutdown();
    }
}
