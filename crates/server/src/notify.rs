//! Talking to the service manager: what systemd's `Type=notify` wants to hear (manual page sd_notify(3)).
//!
//! The environment variable `NOTIFY_SOCKET` names a datagram socket: a path, or with `@` in front a name in Linux's
//! abstract name space. Each message is one datagram of lines `NAME=value`: `READY=1` when clients are served,
//! `STOPPING=1` when the end begins, `STATUS=` in words, and while recovery or the end takes its time
//! `EXTEND_TIMEOUT_USEC=`, so that the manager does not kill a server that works. Without the variable nothing
//! happens and no thread is started.
//!
//! A server that hangs must still be killed: the time is extended only while the process uses the processor, which
//! recovery does between any two reads. Errors of sending are ignored: nobody could be told. No lock. Tested:
//! `tests/clients/test_service.py`.

use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// How much time each extension asks for, from its own moment on.
const EXTENSION: Duration = Duration::from_secs(60);
/// How often it is looked whether the process works.
const TICK: Duration = Duration::from_secs(2);
/// Processor time within a tick that counts as work; looking alone takes a hundredth of it.
const WORK_NS: u64 = 1_000_000;

/// Where messages go: the address in `NOTIFY_SOCKET`, if there is one.
fn address() -> Option<SocketAddr> {
    let name = std::env::var_os("NOTIFY_SOCKET")?;
    let bytes = name.as_encoded_bytes();
    match bytes.split_first()? {
        (b'@', rest) => SocketAddr::from_abstract_name(rest).ok(),
        (b'/', _) => SocketAddr::from_pathname(&name).ok(),
        _ => None,
    }
}

/// Sends lines; nothing where nobody listens.
fn send(lines: &str) {
    let Some(to) = address() else { return };
    let Ok(socket) = UnixDatagram::unbound() else { return };
    // a manager that does not read must not stop the server
    let _ = socket.set_write_timeout(Some(Duration::from_secs(1)));
    let _ = socket.send_to_addr(lines.as_bytes(), &to);
}

/// A status is one line.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Clients are served.
pub fn ready(status: &str) {
    send(&format!("READY=1\nSTATUS={}\nMAINPID={}", one_line(status), std::process::id()));
}

/// The end begins.
pub fn stopping() {
    send("STOPPING=1\nSTATUS=Shutting down: waiting for sessions, writing pages");
}

/// The start has failed.
pub fn failed(why: &str) {
    send(&format!("STATUS=Cannot start: {}", one_line(why)));
}

/// A stretch of work that may take longer than the manager waits; it ends when this is dropped.
pub struct Working(Option<(Arc<AtomicBool>, JoinHandle<()>)>);

/// The work begins. `status` says how far it is.
pub fn working(status: impl Fn() -> String + Send + 'static) -> Working {
    if address().is_none() {
        return Working(None);
    }
    let tell = move || {
        send(&format!("STATUS={}\nEXTEND_TIMEOUT_USEC={}", one_line(&status()), EXTENSION.as_micros()));
    };
    tell();
    let over = Arc::new(AtomicBool::new(false));
    let seen = over.clone();
    let watch = move || {
        let mut used = sys::usage::process_cpu_ns();
        loop {
            std::thread::park_timeout(TICK);
            if seen.load(Ordering::Relaxed) {
                return;
            }
            let now = sys::usage::process_cpu_ns();
            if now.saturating_sub(used) >= WORK_NS {
                tell();
            }
            used = now;
        }
    };
    let thread = std::thread::Builder::new().name("srv_notify".into()).spawn(watch);
    Working(thread.ok().map(|t| (over, t)))
}

impl Drop for Working {
    fn drop(&mut self) {
        if let Some((over, thread)) = self.0.take() {
            over.store(true, Ordering::Relaxed);
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}
