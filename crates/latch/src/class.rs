//! The table of latch classes. To add a latch: one line here, at the place its rank demands, and one in `docs/lock-order.md`
//! (a test compares the two).
//!
//! Rank = order of taking: a thread that holds a latch may only take latches of a higher rank (of the same rank only where the class
//! says `nested`, and then the owner defines an order of its own, as pages do by their place in the tree). `try_` calls are exempt.

use probe::WaitStats;
use probe::instruments::Instrument;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// A kind of latch: name, rank, and what contention cost. Counters are touched only when an acquisition met contention.
#[derive(Debug)]
pub struct LatchClass {
    /// Name as performance_schema shows it after `wait/synch/`.
    pub name: &'static str,
    /// Place in the order; 0 is outside the order (tests, leaf latches of other crates' unit tests).
    pub rank: u8,
    /// Whether a thread may hold several of this class.
    pub nested: bool,
    /// Waits that parked.
    pub waits: WaitStats,
    /// Acquisitions that met contention where spinning was allowed.
    pub contended: AtomicU64,
    /// Time spent spinning, nanoseconds.
    pub spin_ns: AtomicU64,
    /// After how long sampled waits ended, as `spin` keeps them.
    pub(crate) samples: [AtomicU32; crate::spin::BOUNDS.len() + 1],
    /// Acquisitions that began to spin.
    pub spins: AtomicU64,
    /// Spins that got the latch without parking.
    pub spin_successes: AtomicU64,
    /// Looks at a latch while spinning, all spins together (InnoDB's "rounds").
    pub rounds: AtomicU64,
    /// Of the spins, rounds and waits that parked: those for a shared hold.
    pub shared: Shared,
    /// Times the latch was handed to an old waiter.
    pub handoffs: AtomicU64,
    /// Current spin budget in nanoseconds; `spin` adapts it.
    pub(crate) budget_ns: AtomicU32,
}

/// What of a class's contention was for shared holds; the rest was for exclusive ones.
#[derive(Debug)]
pub struct Shared {
    /// Acquisitions that began to spin.
    pub spins: AtomicU64,
    /// Looks at the latch while spinning.
    pub rounds: AtomicU64,
    /// Waits that parked.
    pub os_waits: AtomicU64,
}

impl LatchClass {
    /// For the table below and for tests (`rank` 0).
    pub const fn new(name: &'static str, rank: u8, nested: bool) -> LatchClass {
        LatchClass {
            name,
            rank,
            nested,
            waits: WaitStats::new(),
            contended: AtomicU64::new(0),
            spin_ns: AtomicU64::new(0),
            samples: [const { AtomicU32::new(0) }; crate::spin::BOUNDS.len() + 1],
            spins: AtomicU64::new(0),
            spin_successes: AtomicU64::new(0),
            rounds: AtomicU64::new(0),
            shared: Shared { spins: AtomicU64::new(0), rounds: AtomicU64::new(0), os_waits: AtomicU64::new(0) },
            handoffs: AtomicU64::new(0),
            budget_ns: AtomicU32::new(500),
        }
    }
    /// What its latches are in performance_schema: `mutex`, `rwlock` or, where the word is a page's, `sxlock`.
    fn kind(&self) -> &'static str {
        match self.name {
            "innodb/page" => "sxlock",
            "mdl/sessions" | "catalog/sysvars" | "catalog/acl" => "rwlock",
            _ => "mutex",
        }
    }
    /// The name of its instrument. The metadata locks' partitions have the name that MySQL 5.6 gave to its own.
    fn event_name(&self) -> String {
        match self.name {
            "mdl/shard" => "wait/synch/mutex/sql/MDL_map::mutex".to_owned(),
            name => format!("wait/synch/{}/{name}", self.kind()),
        }
    }
    /// Its instrument.
    pub fn instrument(&'static self) -> Instrument {
        Instrument::latch(ALL.iter().position(|c| std::ptr::eq(*c, self)).unwrap_or(0))
    }
    /// Somebody has waited `ns` for the latch at this address. Those of metadata locks are told of by `mdl`.
    #[cold]
    pub(crate) fn waited(&'static self, address: usize, ns: u64) {
        self.waits.record(ns);
        if !std::ptr::eq(self, &classes::MDL) && self.rank > 0 {
            probe::instances::waited(self.instrument(), address, ns);
        }
    }
    /// The spin budget now, nanoseconds.
    pub fn spin_budget_ns(&self) -> u32 {
        self.budget_ns.load(Relaxed)
    }
}

/// Tells performance_schema the names of the classes; before it is asked for instruments.
pub fn name_instruments() {
    probe::instruments::name_latches(ALL.iter().map(|c| c.event_name()).collect());
}

macro_rules! table {
    ($($(#[$doc:meta])* $id:ident $rank:literal $name:literal $nested:literal;)*) => {
        /// One static per class, named as in `docs/lock-order.md`.
        pub mod classes {
            use super::LatchClass;
            $($(#[$doc])* pub static $id: LatchClass = LatchClass::new($name, $rank, $nested);)*
        }
        /// All classes in the order of the table.
        pub static ALL: &[&LatchClass] = &[$(&classes::$id),*];
    };
}

table! {
    /// Outside the order: tests and throw-away tools.
    UNRANKED 0 "unranked" true;
    /// Server: list of sessions, listener state.
    SERVER 5 "server/registry" false;
    /// One session's shared state (what SHOW PROCESSLIST reads).
    SESSION 8 "session/state" false;
    /// System variables' global values.
    SYSVARS 10 "catalog/sysvars" false;
    /// Account and privilege cache.
    ACL 12 "catalog/acl" false;
    /// Plan cache shard.
    PLAN_CACHE 14 "planner/cache" false;
    /// Catalog cache: names to table definitions.
    CATALOG 16 "catalog/tables" false;
    /// Shard of the metadata-lock table; the deadlock search takes all, in order of their numbers.
    MDL 20 "mdl/shard" true;
    /// List of sessions with metadata-lock slots.
    MDL_SESSIONS 22 "mdl/sessions" false;
    /// Data dictionary cache of the engine.
    DICT 26 "innodb/dict" false;
    /// Per-index state (statistics, AUTO_INCREMENT).
    INDEX 28 "innodb/index" false;
    /// Purge queue and coordination.
    PURGE 30 "innodb/purge" false;
    /// Checkpoint and page-cleaner coordination.
    FLUSHER 32 "innodb/flusher" false;
    /// Page latches; a thread may hold several (order: see btree).
    PAGE 40 "innodb/page" true;
    /// Undo slot pool.
    UNDO 46 "innodb/undo_slots" false;
    /// Order of the commits whose bytes travel in the log.
    COMMIT_ORDER 47 "innodb/commit_order" false;
    /// List of active transactions.
    TRX 48 "innodb/trx_sys" false;
    /// Shard of the row-lock table.
    ROWLOCK 50 "innodb/lock_shard" false;
    /// Wait-for graph of row locks.
    ROWLOCK_GRAPH 52 "innodb/lock_waits" false;
    /// Bucket group of the page table (page id to frame).
    PAGE_TABLE 60 "innodb/page_table" false;
    /// Free list and replacement rings.
    BUF_RINGS 62 "innodb/buf_rings" false;
    /// Doublewrite buffer.
    DBLWR 64 "innodb/dblwr" false;
    /// Tablespace registry and space allocation.
    SPACES 66 "innodb/fil_system" false;
    /// One open file.
    FILE 68 "innodb/file" false;
    /// Binary log: where it ends, and what is not in its files yet.
    BINLOG 70 "sql/binlog" false;
    /// Redo log: buffer and flush role.
    LOG 72 "innodb/log" false;
    /// Redo log files.
    LOG_FILES 74 "innodb/log_files" false;
    /// Scheduler queues and wait queues.
    SCHED 90 "sched/queue" false;
    /// Registries of instruments.
    PROBE 95 "probe/registry" false;
    /// Error log.
    ERRLOG 98 "server/error_log" false;
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn ranks_ascend_and_the_document_agrees() {
        assert!(ALL.windows(2).all(|w| w[0].rank < w[1].rank), "ranks must ascend without repeats");
        let doc = include_str!("../../../docs/lock-order.md");
        let rows: Vec<(String, u8)> = doc
            .lines()
            .filter_map(|l| {
                let mut f = l.strip_prefix('|')?.split('|').map(str::trim);
                let rank = f.next()?.parse().ok()?;
                Some((f.next()?.trim_matches('`').to_string(), rank))
            })
            .collect();
        let table: Vec<(String, u8)> = ALL.iter().map(|c| (c.name.to_string(), c.rank)).collect();
        assert_eq!(rows, table);
    }
}
