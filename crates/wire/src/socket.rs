//! A client's socket: TCP or Unix, shared with whoever may have to shut it down. Tested with [`crate::transport`].

use std::io::{self, Read};
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
    /// The client's address and port; empty and 0 on a Unix socket.
    pub(crate) fn peer(&self) -> (String, u16) {
        match self {
            Socket::Tcp(s) => s.peer_addr().map_or_else(|_| Default::default(), |a| (a.ip().to_string(), a.port())),
            Socket::Unix(_) => Default::default(),
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
