//! The way to a source: its name looked up, its addresses tried, from the address that SOURCE_BIND names, in the
//! namespace that NETWORK_NAMESPACE names.
//!
//! Only a thread of its own enters a namespace, and it ends with the attempt: the socket stays where it was made, and
//! no thread has to find its way back. Locks nothing. Tested: `tests/binlog/test_replica_networks.py`.

use crate::packets::Failed;
use crate::settings::Settings;
use std::fmt::Display;
use std::net::{IpAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

/// `CR_CONN_HOST_ERROR`
const CANNOT_CONNECT: u32 = 2003;
/// `CR_UNKNOWN_HOST`
const UNKNOWN_HOST: u32 = 2005;
/// `ER_REPLICA_FATAL_ERROR`
const REPLICA_FATAL: u32 = 13_117;

/// 2003.
pub fn cannot(s: &Settings, e: &dyn Display) -> Failed {
    Failed::new(CANNOT_CONNECT, format!("Can't connect to MySQL server on '{}:{}' ({e})", s.host, s.port))
}

/// A connection to the source; each of its addresses is waited for so long.
///
/// # Errors
/// 2003, 2005, 13117.
pub fn dial(s: &Settings, long: Duration) -> Result<TcpStream, Failed> {
    if s.namespace.is_empty() {
        return here(s, long);
    }
    let there = || {
        let text = || format!("Fatal error: failed to set network namespace '{}'", s.namespace);
        sys::net::enter_namespace(&s.namespace).map_err(|_| Failed::new(REPLICA_FATAL, text()))?;
        here(s, long)
    };
    let ended = || Failed::new(REPLICA_FATAL, "Fatal error: the thread that connects has failed");
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("replica_dial".to_owned()).spawn_scoped(scope, there);
        thread.map_err(|e| cannot(s, &e))?.join().unwrap_or_else(|_| Err(ended()))
    })
}

/// In the namespace of this thread.
fn here(s: &Settings, long: Duration) -> Result<TcpStream, Failed> {
    let to = (s.host.as_str(), s.port).to_socket_addrs().map_err(|e| cannot(s, &e))?;
    let from: Option<Vec<IpAddr>> = match s.bind.as_str() {
        "" => None,
        name => {
            let unknown = |e| Failed::new(UNKNOWN_HOST, format!("Unknown MySQL server host '{name}' ({e})"));
            let found = (name, 0).to_socket_addrs().map_err(unknown)?;
            Some(found.map(|a| a.ip()).collect())
        }
    };
    let mut failed = cannot(s, &"no address");
    for a in to {
        let attempt = match &from {
            None => TcpStream::connect_timeout(&a, long),
            // addresses of the other kind lead nowhere
            Some(from) => match from.iter().find(|ip| ip.is_ipv4() == a.is_ipv4()).or(from.first()) {
                Some(ip) => sys::net::connect_from(*ip, &a, long),
                None => continue,
            },
        };
        match attempt {
            Ok(c) => return Ok(c),
            Err(e) => failed = cannot(s, &e),
        }
    }
    Err(failed)
}
