//! Sockets: socket_instances, and how often and how much was read and written by socket and by instrument.
//!
//! The instruments are off unless asked for, as in MySQL; a socket has its row anyway. Reads have no time: most of a
//! read's is the client's silence. Lock: the registry's, cold; operations are atomic additions to lines of the socket's
//! own and of its instrument. Tested: `tests/clients/test_socket_events.py`.

use crate::files::{Counts, FileTotals, Op};
use crate::instruments::Instrument;
use crate::waits::{About, Object, Part, record_at, wanted};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

/// What a socket is for; its place in [`Instrument::SOCKETS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The server's, TCP.
    Tcp = 0,
    /// The server's, in the file system.
    Unix = 1,
    /// A client's.
    Client = 2,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Tcp, Kind::Unix, Kind::Client];

    /// Its instrument.
    pub const fn instrument(self) -> Instrument {
        let [tcp, unix, client] = Instrument::SOCKETS;
        match self {
            Kind::Tcp => tcp,
            Kind::Unix => unix,
            Kind::Client => client,
        }
    }
}

/// One socket.
#[derive(Debug)]
struct Socket {
    kind: Kind,
    fd: i32,
    ip: String,
    port: u16,
    /// Connection id of a client.
    thread: Option<u64>,
    object: Arc<Object>,
    counts: Counts,
}

static ALL: Mutex<BTreeMap<u64, Arc<Socket>>> = Mutex::new(BTreeMap::new());
static SUMS: Mutex<Option<[Arc<Counts>; 3]>> = Mutex::new(None);
static NEXT: AtomicU64 = AtomicU64::new(1);

fn all_of() -> MutexGuard<'static, BTreeMap<u64, Arc<Socket>>> {
    ALL.lock().unwrap_or_else(|e| e.into_inner())
}

fn sums_of(kind: Kind) -> Arc<Counts> {
    let mut all = SUMS.lock().unwrap_or_else(|e| e.into_inner());
    let [tcp, unix, client] = all.get_or_insert_with(Default::default);
    match kind {
        Kind::Tcp => tcp.clone(),
        Kind::Unix => unix.clone(),
        Kind::Client => client.clone(),
    }
}

/// A socket that is open; gone from the tables when it is dropped.
#[derive(Debug)]
pub struct OpenSocket {
    number: u64,
    socket: Arc<Socket>,
    sums: Arc<Counts>,
}

impl Drop for OpenSocket {
    fn drop(&mut self) {
        all_of().remove(&self.number);
    }
}

/// A socket has been opened: its descriptor, address and port (empty and 0 in the file system), and the connection.
pub fn opened(kind: Kind, fd: i32, ip: String, port: u16, thread: Option<u64>) -> OpenSocket {
    let name = if ip.is_empty() { None } else { Some(format!("{ip}:{port}")) };
    let object = Arc::new(Object { kind: "SOCKET", name, ..Object::default() });
    let socket = Arc::new(Socket { kind, fd, ip, port, thread, object, counts: Counts::default() });
    let number = NEXT.fetch_add(1, Relaxed);
    all_of().insert(number, socket.clone());
    OpenSocket { number, socket, sums: sums_of(kind) }
}

impl OpenSocket {
    /// Whether operations are recorded.
    #[inline]
    pub fn is_wanted(&self) -> bool {
        wanted(self.socket.kind.instrument())
    }

    /// An operation has ended, at `end` if somebody knows.
    #[inline(never)]
    pub fn used(&self, op: Op, (ns, end): (u64, Option<u64>), bytes: u64) {
        let s = &self.socket;
        let about = |a: &mut About| {
            a.operation = if op == Op::Read { "recv" } else { "send" };
            if a.object.as_ref().is_none_or(|o| !Arc::ptr_eq(o, &s.object)) {
                a.object = Some(s.object.clone());
            }
            (a.address, a.part) = (Arc::as_ptr(s).addr(), Part::Bytes(bytes));
        };
        let i = s.kind.instrument();
        if record_at(i, (ns, end), about) {
            let ns = if i.timed() { ns } else { 0 };
            s.counts.add(op, ns, bytes);
            self.sums.add(op, ns, bytes);
        }
    }
}

/// A row of the tables about sockets.
#[derive(Clone, Debug)]
pub struct SocketRow {
    /// What it is for.
    pub kind: Kind,
    /// OBJECT_INSTANCE_BEGIN.
    pub address: usize,
    /// Descriptor.
    pub fd: i32,
    /// Address and port.
    pub at: (String, u16),
    /// Connection id.
    pub thread: Option<u64>,
    /// What was done.
    pub totals: FileTotals,
}

/// All sockets.
pub fn all() -> Vec<SocketRow> {
    let row = |s: &Arc<Socket>| SocketRow {
        kind: s.kind,
        address: Arc::as_ptr(s).addr(),
        fd: s.fd,
        at: (s.ip.clone(), s.port),
        thread: s.thread,
        totals: s.counts.totals(),
    };
    all_of().values().map(row).collect()
}

/// What was done by instrument.
pub fn totals(kind: Kind) -> FileTotals {
    sums_of(kind).totals()
}

/// TRUNCATE of the sums by instrument or by socket.
pub fn reset(instances: bool) {
    if instances {
        all_of().values().for_each(|s| s.counts.reset());
    } else {
        Kind::ALL.iter().for_each(|k| sums_of(*k).reset());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_counts_while_its_instrument_is_on() {
        let _alone = crate::instruments::switching();
        let s = opened(Kind::Client, 77, "10.0.0.1".to_owned(), 5, Some(9));
        let row = || all().into_iter().find(|r| r.fd == 77);
        assert!(!s.is_wanted() && row().is_some_and(|r| r.thread == Some(9)));
        Kind::Client.instrument().set(true, true);
        s.used(Op::Read, (0, None), 10);
        s.used(Op::Write, (5, None), 30);
        Kind::Client.instrument().set(false, false);
        s.used(Op::Write, (5, None), 30);
        let t = row().unwrap().totals;
        assert_eq!((t.bytes, t.times.map(|t| t[0])), ([10, 30], [1, 1, 0]));
        drop(s);
        assert!(row().is_none());
    }
}
