//! The source's part of semi-synchronous replication: how far replicas have the log, and who waits for that.
//!
//! A commit that is durable waits until as many replicas as wanted have acknowledged its last event, at most
//! `rpl_semi_sync_source_timeout`. Then replication goes on asynchronously (status OFF) until a replica has caught up.
//! The events have been given their place, and the transaction is visible to others, before: as everything in this log
//! they are sent once they are durable. So `rpl_semi_sync_source_wait_point` AFTER_SYNC and AFTER_COMMIT mean the same
//! here: the client hears nothing of its commit before (docs/binary-log.md).
//!
//! Who calls: sessions that commit ([`SemiSync::wait`]), the threads that send the log (the others). Lock: one, a leaf;
//! nobody waits under it. Crash: nothing of it is kept. Tested: below, `tests/binlog/test_semi_sync.py`.

use parking_lot::Mutex;
use sched::{WaitCell, Waited};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use storage::attached::Place;
use sys::clock::Deadline;

/// First byte of what semi-synchronous servers say to each other.
pub const MAGIC: u8 = 0xef;

/// The variables `rpl_semi_sync_source_*`.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// `_enabled`
    pub enabled: bool,
    /// `_timeout`
    pub timeout: Duration,
    /// `_wait_for_replica_count`
    pub replicas: usize,
    /// `_wait_no_replica`: commits wait, until the timeout, even where there are fewer replicas.
    pub without: bool,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted { enabled: false, timeout: Duration::from_secs(10), replicas: 1, without: true }
    }
}

/// For the status variables.
#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    replies: u64,
    switched_off: u64,
    without: u64,
    with: u64,
    waits: u64,
    waited: Duration,
    behind: u64,
}

type At = (u32, u64);

#[derive(Default)]
struct State {
    wanted: Wanted,
    /// Replication is semi-synchronous now.
    on: bool,
    /// Connections of replicas that acknowledge, and how far each has.
    replicas: BTreeMap<u64, At>,
    /// As many replicas as wanted have the log up to here.
    reached: At,
    /// End of the last commit that came by.
    committed: At,
    waiting: Vec<(At, Arc<WaitCell>)>,
    counts: Counts,
}

/// See the module.
#[derive(Default)]
pub struct SemiSync {
    enabled: AtomicBool,
    installed: AtomicBool,
    state: Mutex<State>,
}

fn at(p: Place) -> At {
    (p.file, p.offset)
}

impl State {
    /// Whether there are as many replicas as commits wait for.
    fn enough(&self) -> bool {
        self.wanted.without || self.replicas.len() >= self.wanted.replicas
    }

    /// Those that wait no longer.
    fn woken(&mut self) -> Vec<Arc<WaitCell>> {
        let (on, reached) = (self.on, self.reached);
        let (done, rest) = std::mem::take(&mut self.waiting).into_iter().partition(|(at, _)| !on || *at <= reached);
        self.waiting = rest;
        let done: Vec<(At, Arc<WaitCell>)> = done;
        done.into_iter().map(|(_, cell)| cell).collect()
    }

    /// Replication is asynchronous from now on.
    fn switch_off(&mut self) {
        if std::mem::replace(&mut self.on, false) {
            self.counts.switched_off += 1;
        }
    }

    fn count_reached(&mut self) {
        let mut all: Vec<At> = self.replicas.values().copied().collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        if let Some(n) = all.get(self.wanted.replicas.saturating_sub(1)) {
            self.reached = self.reached.max(*n);
        }
        if self.wanted.enabled && self.reached >= self.committed && self.replicas.len() >= self.wanted.replicas {
            self.on = true;
        }
    }
}

fn wake(cells: Vec<Arc<WaitCell>>) {
    for cell in cells {
        cell.wake(0);
    }
}

impl SemiSync {
    /// Whether commits may have to wait.
    #[inline]
    pub fn is_enabled(&self) -> bool {
        self.enabled.load(Ordering::Relaxed)
    }

    /// INSTALL PLUGIN, UNINSTALL PLUGIN; what it was.
    pub fn install(&self, on: bool) -> bool {
        self.installed.swap(on, Ordering::Relaxed)
    }

    /// Whether the plugin counts as installed.
    pub fn is_installed(&self) -> bool {
        self.installed.load(Ordering::Relaxed)
    }

    /// The variables have these values now.
    pub fn set(&self, wanted: Wanted) {
        let mut s = self.state.lock();
        let before = std::mem::replace(&mut s.wanted, wanted).enabled;
        if !wanted.enabled {
            s.on = false;
        } else if !before {
            s.on = s.enough();
        }
        s.count_reached();
        self.enabled.store(wanted.enabled, Ordering::Relaxed);
        let cells = s.woken();
        drop(s);
        wake(cells);
    }

    /// The log begins anew: no place in it means what it did.
    pub fn reset(&self) {
        let mut s = self.state.lock();
        (s.reached, s.committed) = Default::default();
        s.replicas.values_mut().for_each(|at| *at = At::default());
        let cells: Vec<Arc<WaitCell>> = std::mem::take(&mut s.waiting).into_iter().map(|(_, cell)| cell).collect();
        drop(s);
        wake(cells);
    }

    /// A replica that acknowledges is sent the log by this connection.
    pub fn begin_replica(&self, connection: u64) {
        self.state.lock().replicas.insert(connection, At::default());
    }

    /// It has everything up to here. `replied`: it has said so itself.
    pub fn acknowledged(&self, connection: u64, place: Place, replied: bool) {
        let mut s = self.state.lock();
        let Some(has) = s.replicas.get_mut(&connection) else { return };
        *has = (*has).max(at(place));
        s.counts.replies += u64::from(replied);
        s.count_reached();
        let cells = s.woken();
        drop(s);
        wake(cells);
    }

    /// It is gone.
    pub fn end_replica(&self, connection: u64) {
        let mut s = self.state.lock();
        s.replicas.remove(&connection);
        if s.on && !s.enough() {
            s.switch_off();
        }
        let cells = s.woken();
        drop(s);
        wake(cells);
    }

    /// A commit whose last event ends here, and which is durable, waits for the replicas.
    pub fn wait(&self, end: Place) {
        let (cell, deadline) = {
            let mut s = self.state.lock();
            if !s.wanted.enabled {
                return;
            }
            s.committed = s.committed.max(at(end));
            if s.on && !s.enough() {
                s.switch_off();
            }
            if s.on && s.reached >= at(end) {
                s.counts.with += 1;
                return;
            }
            if !s.on {
                s.counts.without += 1;
                return;
            }
            let cell = Arc::new(WaitCell::new());
            s.counts.behind += u64::from(s.waiting.iter().any(|(other, _)| *other > at(end)));
            s.waiting.push((at(end), cell.clone()));
            (cell, Deadline::after(s.wanted.timeout))
        };
        let began = Instant::now();
        let waited = cell.wait(probe::WaitClass::Client, deadline);
        let mut s = self.state.lock();
        s.waiting.retain(|(_, c)| !Arc::ptr_eq(c, &cell));
        if s.on && s.reached >= at(end) {
            s.counts.with += 1;
            s.counts.waits += 1;
            s.counts.waited += began.elapsed();
            return;
        }
        s.counts.without += 1;
        if matches!(waited, Waited::TimedOut) {
            s.switch_off();
        }
        let cells = s.woken();
        drop(s);
        wake(cells);
    }

    /// FLUSH STATUS.
    pub fn forget_counts(&self) {
        self.state.lock().counts = Counts::default();
    }

    /// Status variables: name, value.
    pub fn status(&self) -> Vec<(&'static str, String)> {
        let s = self.state.lock();
        let (c, on) = (s.counts, if s.on { "ON" } else { "OFF" });
        let micros = c.waited.as_micros() as u64;
        let number = |n: u64| n.to_string();
        vec![
            ("Rpl_semi_sync_source_clients", number(s.replicas.len() as u64)),
            ("Rpl_semi_sync_source_net_avg_wait_time", number(0)),
            ("Rpl_semi_sync_source_net_wait_time", number(0)),
            ("Rpl_semi_sync_source_net_waits", number(c.replies)),
            ("Rpl_semi_sync_source_no_times", number(c.switched_off)),
            ("Rpl_semi_sync_source_no_tx", number(c.without)),
            ("Rpl_semi_sync_source_status", on.to_owned()),
            ("Rpl_semi_sync_source_timefunc_failures", number(0)),
            ("Rpl_semi_sync_source_tx_avg_wait_time", number(micros.checked_div(c.waits).unwrap_or(0))),
            ("Rpl_semi_sync_source_tx_wait_time", number(micros)),
            ("Rpl_semi_sync_source_tx_waits", number(c.waits)),
            ("Rpl_semi_sync_source_wait_pos_backtraverse", number(c.behind)),
            ("Rpl_semi_sync_source_wait_sessions", number(s.waiting.len() as u64)),
            ("Rpl_semi_sync_source_yes_tx", number(c.with)),
        ]
    }
}

/// What a replica acknowledges: name of the file and position.
pub fn read_reply(packet: &[u8]) -> Option<(String, u64)> {
    let rest = packet.strip_prefix(&[MAGIC])?;
    let (position, name) = rest.split_first_chunk::<8>()?;
    Some((String::from_utf8_lossy(name).trim_end_matches('\0').to_owned(), u64::from_le_bytes(*position)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: u32, offset: u64) -> Place {
        Place { file, offset }
    }

    fn status(s: &SemiSync, name: &str) -> String {
        s.status().into_iter().find(|(n, _)| n.ends_with(name)).map(|(_, v)| v).unwrap_or_default()
    }

    #[test]
    fn waits_for_as_many_as_wanted() {
        let s = Arc::new(SemiSync::default());
        let wanted = Wanted { enabled: true, timeout: Duration::from_secs(60), replicas: 2, without: true };
        s.set(wanted);
        s.begin_replica(1);
        s.begin_replica(2);
        s.acknowledged(1, place(1, 500), true);
        s.acknowledged(2, place(1, 100), true);
        s.wait(place(1, 100));
        assert_eq!((status(&s, "_yes_tx"), status(&s, "_tx_waits")), ("1".to_owned(), "0".to_owned()));
        let other = s.clone();
        let t = std::thread::spawn(move || other.wait(place(1, 500)));
        while status(&s, "_wait_sessions") != "1" {
            std::thread::yield_now();
        }
        // a later file counts, too
        s.acknowledged(2, place(2, 4), true);
        assert!(t.join().is_ok());
        assert_eq!((status(&s, "_yes_tx"), status(&s, "_tx_waits")), ("2".to_owned(), "1".to_owned()));
    }

    #[test]
    fn goes_on_asynchronously_and_comes_back() {
        let s = SemiSync::default();
        s.set(Wanted { enabled: true, timeout: Duration::from_millis(1), replicas: 1, without: true });
        assert_eq!(status(&s, "_status"), "ON");
        s.begin_replica(7);
        s.wait(place(1, 100));
        assert_eq!(
            (status(&s, "_status"), status(&s, "_no_times"), status(&s, "_no_tx")),
            ("OFF".into(), "1".into(), "1".into())
        );
        s.wait(place(1, 200));
        s.acknowledged(7, place(1, 100), true);
        assert_eq!(status(&s, "_status"), "OFF", "it lacks what was committed last");
        s.acknowledged(7, place(1, 200), true);
        assert_eq!(status(&s, "_status"), "ON");
        s.set(Wanted { without: false, enabled: true, ..Wanted::default() });
        s.end_replica(7);
        s.wait(place(1, 300));
        assert_eq!(
            (status(&s, "_status"), status(&s, "_no_times"), status(&s, "_no_tx")),
            ("OFF".into(), "2".into(), "3".into())
        );
    }

    #[test]
    fn replies() {
        let mut p = vec![MAGIC];
        p.extend_from_slice(&157_u64.to_le_bytes());
        p.extend_from_slice(b"bin.000002");
        assert_eq!(read_reply(&p), Some(("bin.000002".to_owned(), 157)));
        assert_eq!(read_reply(&p[1..]), None);
        assert_eq!(read_reply(&p[..5]), None);
    }
}
