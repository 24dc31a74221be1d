//! Effective CPUs, read once a second and published: run tokens, spin limit of `latch`, gauges. A change of a cpuset or a quota while
//! the server runs takes effect within a second.

use crate::{Tasks, pool};
use probe::Gauge;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;
use sys::limits::{self, Limits};

static CPUS: AtomicU64 = AtomicU64::new(0); // bits of an f64; 0 = not read yet
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

/// Spin limit for these limits: none below 2 CPUs or where a quota is charged for spinning.
pub fn spin_limit_for(l: &Limits) -> u32 {
    if l.effective_cpus() < 2.0 || l.quota_binds() { 0 } else { latch::DEFAULT_SPIN_NS }
}

/// Reads the limits and applies them. What the monitor thread does every second.
pub fn refresh() -> Limits {
    let l = limits::current();
    let cpus = l.effective_cpus();
    CPUS.store(cpus.to_bits(), Ordering::Relaxed);
    latch::set_spin_limit(spin_limit_for(&l));
    pool::set_tokens(tokens_for(cpus, CONCURRENCY.load(Ordering::Relaxed)));
    let t = limits::throttled();
    Gauge::EffectiveCpusMilli.set((cpus * 1000.0) as i64);
    Gauge::QuotaCpusMilli.set(l.quota.map_or(0, |q| (q * 1000.0) as i64));
    Gauge::SpinLimitNs.set(i64::from(latch::spin_limit()));
    Gauge::ThrottledPeriods.set(t.periods as i64);
    Gauge::ThrottledMicros.set(t.micros as i64);
    Gauge::MemoryLimit.set(l.memory_max.map_or(0, |m| m as i64));
    Gauge::ResidentMemory.set(sys::usage::rss() as i64);
    l
}

/// Starts the monitor thread. The server does this once at start.
pub fn start(tasks: &Tasks) -> std::io::Result<()> {
    refresh();
    tasks.spawn("evk_monitor", |ctx| {
        while ctx.sleep(Duration::from_secs(1)) {
            refresh();
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
    fn tokens_and_spinning_follow_the_cpus() {
        assert_eq!([0.5, 1.0, 1.5, 2.0, 64.0].map(|c| tokens_for(c, 0)), [1, 1, 2, 2, 64]);
        assert_eq!((tokens_for(64.0, 10), tokens_for(1.0, 10), tokens_for(8.0, 1)), (10, 1, 1));
        let l = |affinity, quota| Limits { affinity, quota, memory_max: None, memory_high: None };
        assert_eq!(spin_limit_for(&l(1, None)), 0);
        assert_eq!(spin_limit_for(&l(8, None)), latch::DEFAULT_SPIN_NS);
        assert_eq!(spin_limit_for(&l(8, Some(4.0))), 0, "a quota that binds");
        assert_eq!(spin_limit_for(&l(8, Some(16.0))), latch::DEFAULT_SPIN_NS);
    }
}
