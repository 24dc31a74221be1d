//! [`Thread`]: the receiver or the applier as others see it: whether it runs, what it is at, its last error, and how it
//! is stopped. Its mutexes are held for moments.

use crate::progress::Progress;
use crate::relay::Relay;
use catalog::connections::{Connection, Kill};
use parking_lot::{Condvar, Mutex};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// An error as SHOW REPLICA STATUS shows it.
#[derive(Clone, Default, Debug)]
pub struct Told {
    pub code: u32,
    pub text: String,
    /// Seconds since 1970.
    pub at: u64,
}

/// A thread as others see it.
#[derive(Default)]
pub struct Thread {
    running: AtomicBool,
    stop: AtomicBool,
    /// Of the receiver: its connection to the source stands.
    pub connected: AtomicBool,
    /// Of the receiver: the source waits for what it acknowledges.
    pub semi_sync: AtomicBool,
    /// Of the receiver: to break the connection.
    pub socket: Mutex<Option<TcpStream>>,
    /// Of the applier: to interrupt a wait for a lock.
    pub connection: Mutex<Option<Arc<Connection>>>,
    state: Mutex<&'static str>,
    error: Mutex<Told>,
    handle: Mutex<Option<JoinHandle<()>>>,
    sleep: Mutex<()>,
    woken: Condvar,
    /// When the last event was made on the source; seconds since 1970.
    pub last_event: AtomicU64,
    /// Of the applier: all that was received is read, and all is applied.
    pub read_all: AtomicBool,
    /// See `read_all`.
    pub idle: AtomicBool,
    /// Of the applier: one more than the seconds that a transaction still waits; 0: none waits.
    pub delay: AtomicU64,
    pub progress: Progress,
    /// Of which channel it is.
    channel: Arc<str>,
}

impl Thread {
    /// One of this channel, which does not run.
    pub fn of(channel: &Arc<str>) -> Thread {
        Thread { channel: channel.clone(), ..Thread::default() }
    }

    /// Whether it is told to stop.
    pub fn stops(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }
    pub fn runs(&self) -> bool {
        self.running.load(Ordering::Acquire)
    }
    pub fn set_state(&self, to: &'static str) {
        *self.state.lock() = to;
    }
    pub fn state(&self) -> &'static str {
        *self.state.lock()
    }
    /// Keeps an error and tells it in the error log.
    pub fn fail(&self, code: u32, text: String) {
        match &*self.channel {
            "" => probe::errorlog::say("Error", "Repl", code, &text),
            channel => probe::errorlog::say("Error", "Repl", code, &format!("Replica for channel '{channel}': {text}")),
        }
        *self.error.lock() = Told { code, text, at: sys::clock::wall_seconds() };
    }
    pub fn clear_error(&self) {
        *self.error.lock() = Told::default();
    }
    pub fn error(&self) -> Told {
        self.error.lock().clone()
    }
    /// Sleeps so long, or until it is told to stop.
    pub fn sleep(&self, long: Duration) {
        let until = Instant::now() + long;
        let mut guard = self.sleep.lock();
        while !self.stops() && !self.woken.wait_until(&mut guard, until).timed_out() {}
    }

    /// Starts it.
    pub fn start(self: &Arc<Self>, name: &str, f: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        if let Some(old) = self.handle.lock().take() {
            let _ = old.join();
        }
        self.stop.store(false, Ordering::Release);
        self.running.store(true, Ordering::Release);
        let me = self.clone();
        let body = move || {
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
            if done.is_err() {
                probe::inc(probe::Counter::SessionPanics);
                me.fail(13_117, "Fatal error: the thread has failed (see the error log)".to_owned());
            }
            me.set_state("");
            // what it has failed at stays to be seen
            if me.error().code == 0 {
                me.progress.gives_up();
            }
            me.running.store(false, Ordering::Release);
        };
        let spawned = std::thread::Builder::new().name(name.to_owned()).stack_size(8 << 20).spawn(body);
        match spawned {
            Ok(h) => {
                *self.handle.lock() = Some(h);
                Ok(())
            }
            Err(e) => {
                self.running.store(false, Ordering::Release);
                Err(e)
            }
        }
    }

    /// Waits until it has ended by itself.
    pub fn join(&self) {
        if let Some(h) = self.handle.lock().take() {
            let _ = h.join();
        }
    }

    /// Tells it to stop.
    pub fn tell(&self) {
        self.stop.store(true, Ordering::Release);
        let _guard = self.sleep.lock();
        self.woken.notify_all();
    }

    /// Tells it to stop and waits until it has.
    pub fn end(&self, relay: &Relay) {
        self.end_within(relay, Duration::MAX);
    }

    /// The same, not longer than this. Whether it has; if not, it will.
    pub fn end_within(&self, relay: &Relay, long: Duration) -> bool {
        let until = Instant::now().checked_add(long);
        self.tell();
        while self.runs() {
            if until.is_some_and(|u| u <= Instant::now()) {
                return false;
            }
            if let Some(s) = &*self.socket.lock() {
                let _ = s.shutdown(std::net::Shutdown::Both);
            }
            if let Some(c) = &*self.connection.lock() {
                c.kill(Kill::Query);
            }
            relay.wake();
            std::thread::sleep(Duration::from_millis(5));
        }
        self.join();
        true
    }
}
