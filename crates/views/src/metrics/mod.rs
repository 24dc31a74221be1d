//! INNODB_METRICS: which metrics there are ([`table`]), which are switched on, and what SET innodb_monitor_enable and its siblings do.
//!
//! Counters of `probe` count always; a metric that is switched on remembers what its counter was and shows the difference, so that switching
//! costs the counting nothing. Maxima and minima are of the values that somebody looked at. A metric whose event cannot happen here stays 0; one
//! whose event happens but is not counted stays disabled and cannot be switched on (1235): docs/compat.md says which.
//!
//! One std lock over the switches, taken by SET and by readers of the table; nothing is taken under it. Lost with the process, as in MySQL.
//! Tested below and by golden `innodb_metrics`.

mod switch;
mod table;

pub(crate) use switch::read;
pub use switch::{Change, Target, apply, find, is_counted, is_on};

use probe::{Counter, Gauge};
use storage::engine::{Engine, EngineStatus};
use table::ITEMS;

/// What column TYPE says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// `counter`
    Counter,
    /// `status_counter`: MySQL takes it from a status variable.
    Status,
    /// `value`: what is now.
    Value,
    /// `set_owner`
    Owner,
    /// `set_member`
    Member,
}

impl Kind {
    /// The column's text.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Counter => "counter",
            Kind::Status => "status_counter",
            Kind::Value => "value",
            Kind::Owner => "set_owner",
            Kind::Member => "set_member",
        }
    }
}

/// Where a metric's value comes from.
#[derive(Clone, Copy)]
enum Source {
    /// Counted since the start.
    Count(Counter),
    /// Likewise, computed from the engine.
    Since(fn(&EngineStatus) -> u64),
    /// What is now.
    Level(Gauge),
    /// Likewise, computed from the engine.
    Now(fn(&EngineStatus) -> u64),
    /// Such an event cannot happen here.
    Never,
    /// It happens, and nothing counts it.
    Uncounted,
}

/// A metric.
pub(crate) struct Metric {
    pub(crate) name: &'static str,
    pub(crate) subsystem: &'static str,
    pub(crate) kind: Kind,
    on: bool,
    source: Source,
    pub(crate) comment: &'static str,
}

impl Metric {
    /// Whether it shows what is now rather than what was counted.
    fn is_level(&self) -> bool {
        matches!(self.source, Source::Level(_) | Source::Now(_)) || self.kind == Kind::Value
    }
    fn is_counted(&self) -> bool {
        !matches!(self.source, Source::Uncounted)
    }
    /// MySQL can switch these only together, as `module_buffer_page`.
    fn only_grouped(&self) -> bool {
        self.subsystem == "buffer_page_io"
    }
    fn raw(&self, e: &EngineStatus) -> i64 {
        let v = match self.source {
            Source::Count(c) => shown(c),
            Source::Since(f) | Source::Now(f) => f(e),
            Source::Level(g) => g.get().max(0) as u64,
            Source::Never | Source::Uncounted => 0,
        };
        i64::try_from(v).unwrap_or(i64::MAX)
    }
}

/// A line of the table.
enum Item {
    /// Begins a module.
    Module(&'static str),
    Metric(Metric),
}

/// All metrics in the table's order.
fn metrics() -> impl Iterator<Item = &'static Metric> {
    ITEMS.iter().filter_map(|i| match i {
        Item::Metric(m) => Some(m),
        Item::Module(_) => None,
    })
}

/// What SHOW STATUS shows of a counter.
fn shown(c: Counter) -> u64 {
    probe::shown_of(c, &probe::global_all())
}

/// What the engine says of itself now.
fn status(engine: &Engine) -> EngineStatus {
    engine.status()
}
