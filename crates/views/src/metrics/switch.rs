//! The switches of the metrics: what SET names, and what a metric's row shows.

use super::{Item, Kind, Metric, metrics, status};
use crate::metrics::table::ITEMS;
use std::sync::{Mutex, MutexGuard, PoisonError};
use storage::engine::{Engine, EngineStatus};
use sys::clock::wall_seconds;

/// What SET names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// One metric or module, by MySQL's spelling of its name.
    One(&'static str),
    /// All metrics whose name fits a pattern with `%`.
    Pattern(String),
    /// A name that MySQL knows and that means nothing (`module_start`): as DEFAULT.
    Nothing,
}

/// What is to be done with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// innodb_monitor_enable
    Enable,
    /// innodb_monitor_disable
    Disable,
    /// innodb_monitor_reset
    Reset,
    /// innodb_monitor_reset_all
    ResetAll,
}

/// Names of the list that are no metrics and begin no module.
const OTHERS: [&str; 3] = ["module_start", "latch", "all"];

/// A metric's switch and what it has counted. Times are seconds since 1970, 0: never.
#[derive(Clone, Copy, Default, Debug)]
struct Switch {
    on: bool,
    /// The source's value from which it counts.
    base: i64,
    /// Counted before it was switched off last.
    kept: i64,
    /// Of that and of what it counts, what was there at the last reset.
    reset: i64,
    /// Of the values since the last reset.
    low: Option<i64>,
    high: Option<i64>,
    /// Of the values before it.
    low_before: Option<i64>,
    high_before: Option<i64>,
    started: u64,
    stopped: u64,
    reset_at: u64,
}

/// What a row shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) on: bool,
    pub(crate) count: i64,
    pub(crate) high: Option<i64>,
    pub(crate) low: Option<i64>,
    pub(crate) count_reset: i64,
    pub(crate) high_reset: Option<i64>,
    pub(crate) low_reset: Option<i64>,
    pub(crate) started: u64,
    pub(crate) stopped: u64,
    pub(crate) reset_at: u64,
}

impl Reading {
    /// Seconds since `from` until now or until it was switched off.
    pub(crate) fn since(&self, from: u64) -> Option<u64> {
        let to = if self.on { wall_seconds() } else { self.stopped };
        (from != 0).then(|| to.saturating_sub(from))
    }
}

impl Switch {
    fn total(&self, m: &Metric, e: &EngineStatus) -> i64 {
        if !self.on {
            self.kept
        } else if m.is_level() {
            m.raw(e)
        } else {
            self.kept.saturating_add(m.raw(e).saturating_sub(self.base))
        }
    }

    /// Looks at the value: the count since the last reset, with which the extremes are brought up to date.
    fn look(&mut self, m: &Metric, e: &EngineStatus) -> i64 {
        let now = self.total(m, e) - self.reset;
        if self.on && (m.is_level() || m.kind == Kind::Status || now != 0) {
            self.high = Some(self.high.map_or(now, |h| h.max(now)));
            if m.is_level() {
                self.low = Some(self.low.map_or(now, |l| l.min(now)));
            }
        }
        now
    }

    fn read(&mut self, m: &Metric, e: &EngineStatus) -> Reading {
        let now = self.look(m, e);
        let beyond = |v: Option<i64>| v.map(|v| v.saturating_add(self.reset));
        Reading {
            on: self.on,
            count: now.saturating_add(self.reset),
            high: self.high_before.max(beyond(self.high)),
            low: [self.low_before, beyond(self.low)].into_iter().flatten().min(),
            count_reset: now,
            high_reset: self.high,
            low_reset: self.low,
            started: self.started,
            stopped: self.stopped,
            reset_at: self.reset_at,
        }
    }

    fn change(&mut self, m: &Metric, e: &EngineStatus, change: Change) {
        match change {
            Change::Enable if !self.on && m.is_counted() => {
                (self.on, self.base, self.started) = (true, m.raw(e), wall_seconds());
            }
            Change::Enable => {}
            Change::Disable => {
                self.look(m, e);
                let total = self.total(m, e);
                (self.kept, self.on, self.stopped) = (total, false, wall_seconds());
            }
            Change::Reset => {
                let seen = self.read(m, e);
                (self.high_before, self.low_before) = (seen.high, seen.low);
                // what is now has no baseline
                self.reset = if m.is_level() { 0 } else { seen.count };
                if m.is_level() && !self.on {
                    self.kept = 0;
                }
                (self.high, self.low, self.reset_at) = (None, None, wall_seconds());
            }
            // MySQL wants a metric switched off before it forgets everything
            Change::ResetAll if !self.on => *self = Switch::default(),
            Change::ResetAll => {}
        }
    }
}

fn switches() -> MutexGuard<'static, Vec<Switch>> {
    static SWITCHES: Mutex<Vec<Switch>> = Mutex::new(Vec::new());
    SWITCHES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// As at the start: what is on by default counts from there.
fn begin(all: &mut Vec<Switch>, uptime: u64) {
    if all.is_empty() {
        let started = wall_seconds().saturating_sub(uptime);
        all.extend(metrics().map(|m| {
            let on = m.on && m.is_counted();
            Switch { on, started: if on { started } else { 0 }, ..Switch::default() }
        }));
    }
}

/// The metrics with what their rows show; `uptime`: seconds since the server started.
pub(crate) fn read(engine: &Engine, uptime: u64) -> Vec<(&'static Metric, Reading)> {
    let e = status(engine);
    let mut all = switches();
    begin(&mut all, uptime);
    metrics().zip(all.iter_mut()).map(|(m, s)| (m, s.read(m, &e))).collect()
}

/// What a value of innodb_monitor_enable and its siblings names; `None`: MySQL does not take it (1231).
pub fn find(name: &str) -> Option<Target> {
    if name.contains('%') {
        let names = ITEMS.iter().map(name_of).chain(OTHERS);
        return names.into_iter().any(|n| fits(name, n)).then(|| Target::Pattern(name.to_owned()));
    }
    if name.eq_ignore_ascii_case("module_start") {
        return Some(Target::Nothing);
    }
    let alone = |i: &&Item| !matches!(i, Item::Metric(m) if m.only_grouped());
    let known = ITEMS.iter().filter(alone).map(name_of).chain(OTHERS);
    known.into_iter().find(|n| n.eq_ignore_ascii_case(name)).map(Target::One)
}

fn name_of(i: &Item) -> &'static str {
    match i {
        Item::Module(name) => name,
        Item::Metric(m) => m.name,
    }
}

/// LIKE without case: `%` stands for any text, `_` for one character.
fn fits(pattern: &str, name: &str) -> bool {
    fn rest(p: &[u8], n: &[u8]) -> bool {
        match (p.split_first(), n.split_first()) {
            (None, n) => n.is_none(),
            (Some((b'%', p)), _) => (0..=n.len()).any(|i| n.get(i..).is_some_and(|n| rest(p, n))),
            (Some((b'_', p)), Some((_, n))) => rest(p, n),
            (Some((a, p)), Some((b, n))) => a.eq_ignore_ascii_case(b) && rest(p, n),
            (Some(_), None) => false,
        }
    }
    // a run of % is one
    let mut short: Vec<u8> = pattern.bytes().collect();
    short.dedup_by(|a, b| *a == b'%' && *b == b'%');
    rest(&short, name.as_bytes())
}

/// Which metrics a target means.
fn chosen(target: &Target) -> Vec<bool> {
    let (mut module, mut out) = ("", Vec::new());
    let grouped = |pattern: &str| metrics().any(|m| m.only_grouped() && fits(pattern, m.name));
    let buffer_pages = matches!(target, Target::Pattern(p) if fits(p, "module_buffer_page") || grouped(p));
    for i in ITEMS {
        match i {
            Item::Module(name) => module = name,
            Item::Metric(m) => out.push(match target {
                Target::One("all") => true,
                Target::One(name) => *name == m.name || *name == module,
                Target::Pattern(_) if m.only_grouped() => buffer_pages,
                Target::Pattern(p) => fits(p, m.name),
                Target::Nothing => false,
            }),
        }
    }
    out
}

/// Whether anything counts what the target names, so that it can be switched on.
pub fn is_counted(target: &Target) -> bool {
    let chosen = chosen(target);
    let mut wanted = metrics().zip(&chosen).filter(|(_, c)| **c).map(|(m, _)| m).peekable();
    wanted.peek().is_none() || wanted.any(Metric::is_counted)
}

/// Does it; `uptime`: seconds since the server started.
pub fn apply(engine: &Engine, uptime: u64, target: &Target, change: Change) {
    let e = status(engine);
    let mut all = switches();
    begin(&mut all, uptime);
    let chosen = chosen(target);
    for ((m, s), c) in metrics().zip(all.iter_mut()).zip(&chosen) {
        if *c {
            s.change(m, &e, change);
        }
    }
}

/// Whether the metric of exactly this name is on: enabling it again leaves the variable as it was.
pub fn is_on(name: &str) -> bool {
    metrics().zip(switches().iter()).any(|(m, s)| m.name == name && s.on)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_patterns() {
        assert_eq!(metrics().count(), 314);
        assert_eq!(find("TRX_rollbacks"), Some(Target::One("trx_rollbacks")));
        assert_eq!(find("module_start"), Some(Target::Nothing));
        assert_eq!(find("buffer_page_read_blob"), None, "only as a module");
        assert!(find("module_buffer_page").is_some() && find("All").is_some() && find("latch").is_some());
        for wrong in ["", "_", "aaa", "%lock*", "nonsense"] {
            assert_eq!(find(wrong), None, "{wrong}");
        }
        let named = |t: &str| chosen(&find(t).unwrap()).iter().filter(|c| **c).count();
        assert_eq!([named("%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%"), named("%_%"), named("all")], [314; 3]);
        assert_eq!([named("module_metadata"), named("os_%a_fs_ncs"), named("dml_reads")], [3, 1, 1]);
        assert_eq!(named("%page_read_blob%"), named("module_buffer_page"), "one of them brings all");
    }
}
