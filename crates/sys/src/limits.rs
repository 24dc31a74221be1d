//! What this process may use: effective CPUs as a fraction, and memory.
//!
//! Effective CPUs = min(affinity mask, tightest CPU quota of the process's own control group and all its ancestors, v1 or v2).
//! A quota of 150 ms per 100 ms is 1.5 CPUs. Inside a container the path in `/proc/self/cgroup` may not exist below the mount
//! (the mount shows only the container's own subtree): then the walk starts at the deepest directory that does exist,
//! in the end the mount's root, which carries the container's limits.
//!
//! Everything works on a file system root, so that the tests run on recorded files. `sched` reads once a second, from files that stay open ([`Watch`]).

use std::path::{Path, PathBuf};

/// Limits as read at one moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// CPUs by the affinity mask.
    pub affinity: u32,
    /// Tightest quota in CPUs, if there is one.
    pub quota: Option<f64>,
    /// Tightest hard memory limit in bytes (memory.max, memory.limit_in_bytes), if there is one.
    pub memory_max: Option<u64>,
    /// Tightest soft limit (memory.high), if there is one: beyond it the kernel slows the process down.
    pub memory_high: Option<u64>,
}

impl Limits {
    /// `min(affinity, quota)`, never below 0.01.
    pub fn effective_cpus(&self) -> f64 {
        let a = f64::from(self.affinity);
        self.quota.map_or(a, |q| q.min(a)).max(0.01)
    }
    /// Whether a quota is tighter than the affinity mask: the kernel may then stop the whole process inside a period.
    pub fn quota_binds(&self) -> bool {
        self.quota.is_some_and(|q| q < f64::from(self.affinity))
    }
}

/// How often and how long the group was stopped for its quota (sum over nothing: own group only).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Throttled {
    /// Enforcement periods in which the group was stopped.
    pub periods: u64,
    /// Time stopped, microseconds, summed over CPUs.
    pub micros: u64,
}

/// Limits of this process now. A dozen small files are opened and read; who asks again and again keeps a [`Watch`].
pub fn current() -> Limits {
    Watch::new(Path::new("/")).read(crate::thread::affinity_cpus()).0
}

fn tighten<T: PartialOrd + Copy>(to: &mut Option<T>, v: Option<T>) {
    if let Some(v) = v
        && to.is_none_or(|t| v < t)
    {
        *to = Some(v);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Controller {
    Unified,
    Cpu,
    Memory,
}

/// Where the process sits in each hierarchy: (mount directory, path below it).
#[derive(Default)]
struct Groups {
    unified: Option<(PathBuf, String)>,
    cpu: Option<(PathBuf, String)>,
    memory: Option<(PathBuf, String)>,
}

impl Groups {
    fn read(root: &Path) -> Groups {
        let mut g = Groups::default();
        let mounts = std::fs::read_to_string(root.join("proc/self/mountinfo")).unwrap_or_default();
        let own = std::fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
        for m in mounts.lines().filter_map(Mount::parse) {
            let dir = under(root, &m.point);
            // v1: a line "4:cpu,cpuacct:/a/b"; v2: "0::/a/b".
            let path_of = |want: &str| {
                own.lines().find_map(|l| {
                    let mut f = l.splitn(3, ':');
                    let (_, names, path) = (f.next()?, f.next()?, f.next()?);
                    let hit = if want.is_empty() { names.is_empty() } else { names.split(',').any(|n| n == want) };
                    // The mount may show only a subtree of the hierarchy (containers without a cgroup namespace).
                    hit.then(|| path.strip_prefix(m.root.trim_end_matches('/')).unwrap_or(path).to_string())
                })
            };
            if m.kind == "cgroup2" {
                g.unified = g.unified.or_else(|| Some((dir, path_of("")?)));
            } else if m.has("cpu") {
                g.cpu = g.cpu.or_else(|| Some((dir, path_of("cpu")?)));
            } else if m.has("memory") {
                g.memory = g.memory.or_else(|| Some((dir, path_of("memory")?)));
            }
        }
        g
    }

    /// Directories from the own group up to the mount's root, those that exist.
    fn chain(&self, c: Controller) -> Vec<PathBuf> {
        let at = match c {
            Controller::Unified => &self.unified,
            Controller::Cpu => &self.cpu,
            Controller::Memory => &self.memory,
        };
        let Some((mount, path)) = at else { return Vec::new() };
        let mut dirs = vec![mount.clone()];
        let mut d = mount.clone();
        // ".." appears when the process was moved above its namespace's root: nothing below is then ours.
        for part in path.split('/').filter(|p| !p.is_empty()).take_while(|p| *p != "..") {
            d.push(part);
            if d.is_dir() {
                dirs.push(d.clone());
            }
        }
        dirs.reverse();
        dirs
    }
}

struct Mount<'a> {
    root: &'a str,
    point: String,
    kind: &'a str,
    options: &'a str,
}

impl<'a> Mount<'a> {
    /// `36 35 98:0 /root /mount/point rw,... shared:1 - type source super-options` (proc(5)).
    fn parse(line: &'a str) -> Option<Mount<'a>> {
        let (left, right) = line.split_once(" - ")?;
        let mut l = left.split(' ').skip(3);
        let mut r = right.split(' ');
        let (root, point) = (l.next()?, l.next()?);
        let (kind, _, options) = (r.next()?, r.next()?, r.next().unwrap_or(""));
        kind.starts_with("cgroup").then(|| Mount { root, point: point.replace("\\040", " "), kind, options })
    }
    fn has(&self, controller: &str) -> bool {
        self.kind == "cgroup" && self.options.split(',').any(|o| o == controller)
    }
}

fn under(root: &Path, absolute: &str) -> PathBuf {
    root.join(absolute.trim_start_matches('/'))
}

/// `cpu.max`: "max 100000" or "150000 100000".
fn quota_v2(text: &str) -> Option<f64> {
    let mut f = text.split_ascii_whitespace();
    let quota: f64 = f.next()?.parse().ok()?;
    let period: f64 = f.next().map_or(Some(100_000.0), |p| p.parse().ok())?;
    (quota > 0.0 && period > 0.0).then(|| quota / period)
}

/// `cpu.cfs_quota_us` (-1 = none) over `cpu.cfs_period_us`.
fn quota_v1(quota: &str, period: &str) -> Option<f64> {
    let (quota, period): (i64, i64) = (quota.trim().parse().ok()?, period.trim().parse().ok()?);
    (quota > 0 && period > 0).then(|| quota as f64 / period as f64)
}

/// A limit in bytes; "max" and v1's "no limit" (near 2^63) are none.
fn bytes(text: &str) -> Option<u64> {
    let v: u64 = text.trim().parse().ok()?;
    (v < 1 << 60).then_some(v)
}

/// `cpu.stat`: how often the group was stopped.
fn stopped(text: &str) -> Option<Throttled> {
    let field = |name: &str| text.lines().find_map(|l| l.strip_prefix(name)?.trim().parse::<u64>().ok());
    let micros = field("throttled_usec ").or_else(|| field("throttled_time ").map(|ns| ns / 1000))?;
    Some(Throttled { periods: field("nr_throttled ").unwrap_or(0), micros })
}

#[path = "limits_watch.rs"]
mod watch;
pub use watch::Watch;

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
