//! Effective CPUs, read once a second and published: run tokens, spin limit of `latch`, gauges. A change of a cpuset or a quota while
//! the server runs takes effect within a second.

use crate::{Tasks, pace, pool};
use latch::Mutex;
use probe::Gauge;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;
use sys::limits::{Limits, Watch};

static CPUS: AtomicU64 = AtomicU64::new(0); // bits of an f64; 0 = not read yet
static WATCH: Mutex<Option<Watch>> = Mutex::new(&latch::classes::PROBE, None);
static CONCURRENCY: AtomicU32 = AtomicU32::new(0);

/// CPUs this server may use by affinity and quota, for example 1.5.
pub fn effective_cpus() -> f64 {
    match CPUS.load(Ordering::Relaxed) {
        0 => refresh().effective_cpus(),
        bits => f64::from_bits(bits),
    }
}

/// `innodb_thread_concurrency`: upper bound of run tokens; 0 = none.
pub fn set_thread_concurrency(n: u32) {
    CONCURRENCY.store(n, Ordering::Relaxed);
    refresh();
}

/// Run tokens for so many CPUs under an upper bound (0 = none): one for each, rounded up.
pub fn tokens_for(cpus: f64, bound: u32) -> u32 {
    let wanted = cpus.ceil().clamp(1.0, 65_536.0) as u32;
    if bound == 0 { wanted } else { wanted.min(bound) }
}

/// Spin limit for these limits: none below 2 CPUs or where a quota is charged for spinning, nor where the kernel has taken CPUs away
/// from this process so often in the last second that more must have been runnable than there are CPUs: who is spun for may not be
/// running.
pub fn spin_limit_for(l: &Limits, preempted: u64) -> u32 {
    let crowded = preempted as f64 > CROWDED * l.effective_cpus();
    if l.effective_cpus() < 2.0 || l.quota_binds() || crowded { 0 } else { latch::DEFAULT_SPIN_NS }
}

/// Involuntary context switches per second and CPU that say so: a slice of the scheduler lasts a few milliseconds.
const CROWDED: f64 = 100.0;
static PREEMPTED: AtomicU64 = AtomicU64::new(0);

/// Reads the limits and applies them. What the monitor thread does every second.
pub fn refresh() -> Limits {
    let (l, t) = WATCH.lock().get_or_insert_with(|| Watch::new(Path::new("/"))).read(sys::thread::affinity_cpus());
    let cpus = l.effective_cpus();
    CPUS.store(cpus.to_bits(), Ordering::Relaxed);
    latch::set_spin_limit(spin_limit_for(&l, PREEMPTED.load(Ordering::Relaxed)));
    pool::set_tokens(tokens_for(cpus, CONCURRENCY.load(Ordering::Relaxed)));
    pace::set_quota(l.quota_binds().then_some(cpus), t.periods);
    Gauge::EffectiveCpusMilli.set((cpus * 1000.0) as i64);
    Gauge::QuotaCpusMilli.set(l.quota.map_or(0, |q| (q * 1000.0) as i64));
    Gauge::SpinLimitNs.set(i64::from(latch::spin_limit()));
    Gauge::ThrottledPeriods.set(t.periods as i64);
    Gauge::ThrottledMicros.set(t.micros as i64);
    Gauge::MemoryLimit.set(l.memory_max.map_or(0, |m| m as i64));
    Gauge::ResidentMemory.set(sys::usage::rss() as i64);
    l
}

/// Processor time used up to a moment, and what part of the CPUs that was since the moment before: MySQL's `srv_cpu_usage`, against
/// what is granted instead of what the machine has.
#[derive(Clone, Copy)]
struct CpuUsage {
    at_ns: u64,
    user: Duration,
    system: Duration,
    preempted: u64,
}

static LAST: Mutex<Option<CpuUsage>> = Mutex::new(&latch::classes::PROBE, None);

/// Percent of one CPU, and of all that are granted.
fn shares(used: Duration, wall_ns: u64, cpus: f64) -> (i64, i64) {
    let abs = used.as_nanos() as f64 * 100.0 / wall_ns.max(1) as f64;
    (abs.round() as i64, (abs / cpus).round() as i64)
}

fn note_cpu_usage(cpus: f64) {
    let now = sys::usage::process();
    let now = CpuUsage {
        at_ns: sys::clock::now_ns(),
        user: now.user,
        system: now.system,
        preempted: now.involuntary_switches,
    };
    Gauge::CpuN.set(cpus.ceil() as i64);
    let Some(before) = LAST.lock().replace(now) else { return };
    let wall = now.at_ns.saturating_sub(before.at_ns);
    PREEMPTED.store((now.preempted - before.preempted) * 1_000_000_000 / wall.max(1), Ordering::Relaxed);
    let (abs, pct) = shares(now.user.saturating_sub(before.user), wall, cpus);
    Gauge::CpuUtimeAbs.set(abs);
    Gauge::CpuUtimePct.set(pct);
    let (abs, pct) = shares(now.system.saturating_sub(before.system), wall, cpus);
    Gauge::CpuStimeAbs.set(abs);
    Gauge::CpuStimePct.set(pct);
}

/// Starts the monitor thread. The server does this once at start.
pub fn start(tasks: &Tasks) -> std::io::Result<()> {
    note_cpu_usage(refresh().effective_cpus());
    tasks.spawn("evk_monitor", |ctx| {
        while ctx.sleep(Duration::from_secs(1)) {
            note_cpu_usage(refresh().effective_cpus());
            pool::reap();
        }
    })?;
    tasks.spawn("evk_sched", |ctx| {
        // with few sessions there is nothing to look after
        while ctx.sleep(Duration::from_millis(if pool::is_shared() { 10 } else { 100 })) {
            pool::tick();
        }
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_what_is_granted() {
        let ms = Duration::from_millis;
        assert_eq!(shares(ms(500), 1_000_000_000, 2.0), (50, 25));
        assert_eq!(shares(ms(490), 1_000_000_000, 0.5), (49, 98));
        assert!(shares(ms(3), 0, 1.0).0 > 0);
    }

    #[test]
    fn tokens_and_spinning_follow_the_cpus() {
        assert_eq!([0.5, 1.0, 1.5, 2.0, 64.0].map(|c| tokens_for(c, 0)), [1, 1, 2, 2, 64]);
        assert_eq!((tokens_for(64.0, 10), tokens_for(1.0, 10), tokens_for(8.0, 1)), (10, 1, 1));
        let l = |affinity, quota| Limits { affinity, quota, memory_max: None, memory_high: None };
        assert_eq!(spin_limit_for(&l(1, None), 0), 0);
        assert_eq!(spin_limit_for(&l(8, None), 700), latch::DEFAULT_SPIN_NS);
        assert_eq!(spin_limit_for(&l(8, Some(4.0)), 0), 0, "a quota that binds");
        assert_eq!(spin_limit_for(&l(8, None), 900), 0, "more is runnable than there are CPUs");
        assert_eq!(spin_limit_for(&l(8, Some(16.0)), 0), latch::DEFAULT_SPIN_NS);
    }
}
