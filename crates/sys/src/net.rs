//! Connections that leave from a given address of this machine, and network namespaces (`network_namespaces(7)`).
//! Tested: here, `tests/binlog/test_replica_networks.py`.

#![allow(unsafe_code)]

use crate::check;
use std::io;
use std::mem::size_of;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

/// Where `ip netns add` puts the names.
const NAMESPACES: &str = "/var/run/netns";

/// A call that takes an address: `bind(2)`, `connect(2)`.
type Call = unsafe extern "C" fn(libc::c_int, *const libc::sockaddr, libc::socklen_t) -> libc::c_int;

/// One of them.
fn with_address(call: Call, socket: &OwnedFd, to: &SocketAddr) -> io::Result<()> {
    let fd = socket.as_raw_fd();
    let done = match to {
        SocketAddr::V4(a) => {
            let raw = libc::sockaddr_in {
                sin_family: libc::AF_INET as libc::sa_family_t,
                sin_port: a.port().to_be(),
                sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes(a.ip().octets()) },
                sin_zero: [0; 8],
            };
            // SAFETY: `raw` lives for the call, and has the length that is said.
            unsafe { call(fd, (&raw const raw).cast(), size_of::<libc::sockaddr_in>() as libc::socklen_t) }
        }
        SocketAddr::V6(a) => {
            let raw = libc::sockaddr_in6 {
                sin6_family: libc::AF_INET6 as libc::sa_family_t,
                sin6_port: a.port().to_be(),
                sin6_flowinfo: a.flowinfo(),
                sin6_addr: libc::in6_addr { s6_addr: a.ip().octets() },
                sin6_scope_id: a.scope_id(),
            };
            // SAFETY: `raw` lives for the call, and has the length that is said.
            unsafe { call(fd, (&raw const raw).cast(), size_of::<libc::sockaddr_in6>() as libc::socklen_t) }
        }
    };
    check(done).map(|_| ())
}

/// Connects from an address of this machine, waiting no longer than this.
///
/// # Errors
/// Of the kernel: `AddrNotAvailable` for an address that is none of this machine, `EAFNOSUPPORT` for addresses of two
/// kinds.
pub fn connect_from(from: IpAddr, to: &SocketAddr, long: Duration) -> io::Result<TcpStream> {
    if from.is_ipv4() != to.is_ipv4() {
        return Err(io::Error::from_raw_os_error(libc::EAFNOSUPPORT));
    }
    let domain = if to.is_ipv4() { libc::AF_INET } else { libc::AF_INET6 };
    let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: takes numbers only.
    let fd = check(unsafe { libc::socket(domain, kind, 0) })?;
    // SAFETY: it was made above, and nobody else has it.
    let socket = unsafe { OwnedFd::from_raw_fd(fd) };
    with_address(libc::bind, &socket, &SocketAddr::new(from, 0))?;
    if let Err(e) = with_address(libc::connect, &socket, to) {
        if e.raw_os_error() != Some(libc::EINPROGRESS) {
            return Err(e);
        }
        writable(&socket, long)?;
    }
    let stream = TcpStream::from(socket);
    if let Some(e) = stream.take_error()? {
        return Err(e);
    }
    stream.set_nonblocking(false)?;
    Ok(stream)
}

/// Waits until a socket can be written to.
fn writable(socket: &OwnedFd, long: Duration) -> io::Result<()> {
    let until = Instant::now() + long;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let mut waited = libc::pollfd { fd: socket.as_raw_fd(), events: libc::POLLOUT, revents: 0 };
        let ms = libc::c_int::try_from(left.as_millis()).unwrap_or(libc::c_int::MAX);
        // SAFETY: one structure, which lives for the call.
        match check(unsafe { libc::poll(&raw mut waited, 1, ms) }) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) => return Ok(()),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// The calling thread makes its sockets in this namespace from now on, and looks names up there. It never comes back:
/// it is to end.
///
/// # Errors
/// There is no namespace of this name (a path is none), or the process may not enter it (`CAP_SYS_ADMIN`).
pub fn enter_namespace(name: &str) -> io::Result<()> {
    if name.contains('/') {
        return Err(io::ErrorKind::NotFound.into());
    }
    let file = std::fs::File::open(Path::new(NAMESPACES).join(name))?;
    // SAFETY: takes numbers only, of a file that lives for the call.
    check(unsafe { libc::setns(file.as_raw_fd(), libc::CLONE_NEWNET) }).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, TcpListener};

    const LONG: Duration = Duration::from_secs(5);

    #[test]
    fn comes_from_there() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let to = listener.local_addr().unwrap();
        let from = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 7));
        let client = connect_from(from, &to, LONG).unwrap();
        let (server, peer) = listener.accept().unwrap();
        assert_eq!((peer.ip(), client.local_addr().unwrap().ip()), (from, from));
        // it waits for what comes
        client.set_read_timeout(Some(LONG)).unwrap();
        let writer = std::thread::spawn(move || io::Write::write_all(&mut &server, b"x").unwrap());
        assert_eq!(io::Read::read(&mut &client, &mut [0; 4]).unwrap(), 1);
        writer.join().unwrap();
        drop(listener);
        assert_eq!(connect_from(from, &to, LONG).unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
    }

    #[test]
    fn cannot() {
        let to: SocketAddr = "127.0.0.1:9".parse().unwrap();
        let error = |from: &str| connect_from(from.parse().unwrap(), &to, LONG).unwrap_err();
        assert_eq!(error("192.0.2.1").kind(), io::ErrorKind::AddrNotAvailable);
        assert_eq!(error("::1").raw_os_error(), Some(libc::EAFNOSUPPORT));
        for none in ["no-such-namespace", "/proc/self/ns/net", "../../proc/self/ns/net"] {
            assert_eq!(enter_namespace(none).unwrap_err().kind(), io::ErrorKind::NotFound);
        }
    }
}
