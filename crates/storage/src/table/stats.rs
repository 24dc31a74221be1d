//! Optimizer statistics of an opened table: number of rows, distinct key prefixes, sizes.
//!
//! * The **number of rows** is sampled when the table is opened and kept up by commits: a transaction adds up what it does to a table
//!   and adds the sum when it commits, so that no shared line is written per row ([`Trx::note_rows`]). What a partial rollback takes
//!   back is not taken off; the next sample puts that right.
//! * **Everything else** is a [`Stats`], published as a whole: a small sample when the table is opened ([`QUICK`]), a larger one at
//!   ANALYZE TABLE and, in the background, when more than 10 % of the rows have changed since the last or only the small one is there
//!   (`innodb_stats_auto_recalc`, [`Engine::refresh_statistics`]).
//!
//! Not kept in the dictionary: the sample at opening reads about as many pages as reading them back would.
//!
//! Locks: sampling holds the table's gate, so DROP waits for it; readers load one `ArcSwap`. Tests: `engine/tests/stats.rs`.

use super::Table;
use crate::btree::{Nulls, SampleLimits, SampleView};
use crate::dict::TableDef;
use crate::engine::Engine;
use crate::error::Result;
use crate::page::PAGE_SIZE;
use crate::table::info::IndexInfo;
use crate::table::secondary::entry_deleted;
use crate::txn::Trx;
use crossbeam_utils::CachePadded;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

/// At the first opening: a few pages, so that the first statement does not wait.
const QUICK: SampleLimits = SampleLimits { inner: 3, leaves: 6 };
/// Pages above the leaves for ANALYZE TABLE and the background, at least.
const INNER: usize = 1000;
/// Changes below which a table is not sampled again, as in InnoDB.
const MIN_CHANGES: u64 = 16;
/// Least time between two automatic samples of a table that has not doubled, microseconds.
const PAUSE_US: u64 = 10_000_000;
/// Tables whose sums a session keeps room for from one transaction to the next.
const KEPT: usize = 8;

/// What the global variables say of samples; read when one is taken.
#[derive(Debug)]
pub(crate) struct StatsSettings {
    /// `innodb_stats_auto_recalc`.
    auto_recalc: AtomicBool,
    /// `innodb_stats_persistent`: which of the two numbers counts.
    persistent: AtomicBool,
    /// `innodb_stats_persistent_sample_pages` and `innodb_stats_transient_sample_pages`: leaves per prefix.
    pages: [AtomicU64; 2],
    /// `innodb_stats_include_delete_marked`.
    with_deleted: AtomicBool,
    /// `innodb_stats_method`, by its number.
    nulls: AtomicU64,
}

impl Default for StatsSettings {
    fn default() -> StatsSettings {
        StatsSettings {
            auto_recalc: AtomicBool::new(true),
            persistent: AtomicBool::new(true),
            pages: [AtomicU64::new(20), AtomicU64::new(8)],
            with_deleted: AtomicBool::new(false),
            nulls: AtomicU64::new(0),
        }
    }
}

/// A setting of [`StatsSettings`].
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum StatsSetting {
    AutoRecalc,
    Persistent,
    PersistentPages,
    TransientPages,
    IncludeDeleteMarked,
    Method,
}

/// One sample.
#[derive(Debug, Default)]
pub(crate) struct Stats {
    /// Rows when it was taken.
    pub(super) rows: f64,
    /// For each index: entries per row. 1 but for multi-valued ones.
    pub(super) per_row: Vec<f64>,
    /// For each index: distinct values of its first 1, 2, ... parts. Empty: not known.
    pub(super) distinct: Vec<Vec<f64>>,
    /// Pages of the clustered index with its long columns, and of the others.
    pub(super) pages: (f64, f64),
    /// For each index: leaves, all pages, leaves that were read for each prefix.
    pub(super) trees: Vec<(f64, f64, f64)>,
    /// [`QUICK`] and not everything was read.
    rough: bool,
    /// When, microseconds since 1970.
    pub(super) at_us: u64,
}

/// What commits write.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Rows. Below zero for a moment when a delete's commit comes before the insert's.
    rows: AtomicI64,
    /// Rows changed since the last sample.
    changed: AtomicU64,
    /// When a transaction that changed rows committed last, seconds since 1970; 0: none since the table was opened.
    updated: AtomicU64,
}

pub(crate) type PaddedCounts = CachePadded<Counts>;

/// Keys of one index as the sampler sees them.
struct View<'t> {
    index: &'t IndexInfo,
    clustered: bool,
    with_deleted: bool,
    nulls: Nulls,
}

impl SampleView for View<'_> {
    fn parts(&self) -> usize {
        self.index.columns.len()
    }
    fn prefix(&self, key: &[u8], n: usize) -> Option<usize> {
        self.index.encoder.prefix_len(key, n).ok()
    }
    fn nulls(&self) -> Nulls {
        self.nulls
    }
    fn is_null(&self, key: &[u8], n: usize) -> bool {
        self.index.encoder.is_null(key, n)
    }
    fn counts(&self, payload: &[u8]) -> bool {
        if self.with_deleted {
            true
        } else if self.clustered {
            !crate::mvcc::is_deleted(payload)
        } else {
            !entry_deleted(payload)
        }
    }
}

/// Whether a table is among those whose statistics InnoDB keeps on disk: STATS_PERSISTENT of the table, or the
/// variable.
pub fn keeps_statistics(def: &TableDef, engine: &Engine) -> bool {
    match option(def, "STATS_PERSISTENT") {
        Some(v) => v != "0",
        None => engine.stats.persistent.load(Ordering::Relaxed),
    }
}

fn option<'d>(def: &'d TableDef, name: &str) -> Option<&'d str> {
    def.options.iter().find(|(k, _)| k == name).map(|(_, v)| v.as_str())
}

impl Table {
    /// Approximate number of rows.
    #[inline]
    pub fn row_estimate(&self) -> u64 {
        self.counts.rows.load(Ordering::Relaxed).max(0) as u64
    }

    /// Bytes of the clustered index (with long columns) and of all secondary ones.
    pub fn size_bytes(&self) -> (u64, u64) {
        let stats = self.stats.load();
        let grown = (self.row_estimate() as f64 / stats.rows.max(1.0)).max(1.0);
        let secondary = self.indexes.len().saturating_sub(1) as f64;
        let (data, index) = (stats.pages.0.max(1.0) * grown, stats.pages.1.max(secondary) * grown);
        // what was sampled while a page held little says nothing of how many there are now: no more than the file has
        let most = (grown > 2.0).then(|| self.used_pages().ok().flatten()).flatten().unwrap_or(f64::INFINITY);
        let fits = (most / (data + index)).min(1.0);
        let bytes = |pages: f64| (pages * fits).round().max(1.0) as u64 * PAGE_SIZE as u64;
        (bytes(data), if secondary > 0.0 { bytes(index) } else { 0 })
    }

    /// Pages in use in the table's own space but for the space's header; `None` in the system tablespace.
    fn used_pages(&self) -> Result<Option<f64>> {
        if self.def.space == crate::engine::SYSTEM_SPACE {
            return Ok(None);
        }
        let (used, _) = crate::space::usage(self.store.pool(), self.def.space)?;
        Ok(Some(used as f64 - 1.0))
    }

    /// Estimated number of entries of an index: that of rows, unless it is a multi-valued one.
    pub fn entry_estimate(&self, index: usize) -> u64 {
        let rows = self.row_estimate();
        match self.indexes.get(index).is_some_and(|i| i.array.is_some()) {
            true => (rows as f64 * self.stats.load().per_row.get(index).copied().unwrap_or(1.0)).round() as u64,
            false => rows,
        }
    }

    /// Estimated number of distinct values of the first `parts` parts of index number `index`.
    pub fn cardinality(&self, index: usize, parts: usize) -> u64 {
        let rows = self.entry_estimate(index);
        let Some(info) = self.indexes.get(index) else { return 0 };
        if info.unique && parts >= info.columns.len() {
            return rows;
        }
        let stats = self.stats.load();
        let Some(distinct) = parts.checked_sub(1).and_then(|p| stats.distinct.get(index)?.get(p)) else { return 0 };
        if stats.rows < 1.0 {
            // sampled while it was empty: a guess, until the background has looked again
            return rows.checked_div(2 * (info.columns.len() as u64 + 1 - parts as u64)).unwrap_or(0);
        }
        // more rows bring new values as often as the rows so far did
        let grown = (self.row_estimate() as f64 / stats.rows).max(1.0);
        ((distinct * grown).round() as u64).clamp(rows.min(1), rows)
    }

    /// Estimated number of entries of an index from `low` (inclusive) to `high` (exclusive; empty = unbounded), by two descents;
    /// exact for ranges of a few pages. `None`: no estimate can be had.
    pub fn rows_in_range(&self, index: usize, low: &[u8], high: &[u8]) -> Option<f64> {
        let high = if high.is_empty() { None } else { Some(high) };
        self.tree(index).ok()?.estimate_range_rows(self.store.pool(), low, high).ok()?
    }

    #[cfg(test)]
    pub(crate) fn distinct_for_test(&self, index: usize, parts: usize) -> f64 {
        self.stats.load().distinct[index][parts - 1]
    }

    /// When its rows were last changed, seconds since 1970; `None`: not since the start, or since DDL made a new
    /// definition of it.
    pub fn update_time(&self) -> Option<u64> {
        Some(self.counts.updated.load(Ordering::Relaxed)).filter(|t| *t != 0)
    }

    /// Adds what a transaction did.
    fn apply_counts(&self, rows: i64, changed: u64) {
        let now = sys::clock::wall_seconds();
        // the line is written for the sums anyway
        if self.counts.updated.load(Ordering::Relaxed) != now {
            self.counts.updated.store(now, Ordering::Relaxed);
        }
        if rows != 0 {
            self.counts.rows.fetch_add(rows, Ordering::Relaxed);
        }
        self.counts.changed.fetch_add(changed, Ordering::Relaxed);
    }

    /// The small sample, when the table is opened.
    pub(crate) fn sample_quickly(&self, engine: &Engine) -> Result<()> {
        self.sample(engine, QUICK, true)
    }

    /// The large sample.
    pub(crate) fn sample_fully(&self, engine: &Engine) -> Result<()> {
        let leaves = self.sample_pages(engine);
        let limits = SampleLimits { inner: leaves.max(INNER), leaves };
        self.while_alive(|| self.sample(engine, limits, false)).map(drop)
    }

    fn option(&self, name: &str) -> Option<&str> {
        option(&self.def, name)
    }

    /// Leaves per prefix: STATS_SAMPLE_PAGES of the table, or the variable for tables whose statistics are kept, or not.
    fn sample_pages(&self, engine: &Engine) -> usize {
        let kept = keeps_statistics(&self.def, engine);
        let [persistent, transient] = &engine.stats.pages;
        let pages = if kept { persistent } else { transient }.load(Ordering::Relaxed);
        let own = self.option("STATS_SAMPLE_PAGES").and_then(|n| n.parse().ok());
        own.unwrap_or(usize::try_from(pages).unwrap_or(usize::MAX)).max(1)
    }

    /// Whether the background looks after it: STATS_AUTO_RECALC of the table, or the variable.
    fn recalculates(&self, engine: &Engine) -> bool {
        match self.option("STATS_AUTO_RECALC") {
            Some(v) => v != "0",
            None => engine.stats.auto_recalc.load(Ordering::Relaxed),
        }
    }

    fn sample(&self, engine: &Engine, limits: SampleLimits, quick: bool) -> Result<()> {
        let pool = engine.store.pool();
        let (rows_before, changed_before) =
            (self.counts.rows.load(Ordering::Relaxed), self.counts.changed.load(Ordering::Relaxed));
        let mut stats = Stats { at_us: engine.now_us(), ..Stats::default() };
        let mut of_trees = 0.0;
        let nulls = match engine.stats.nulls.load(Ordering::Relaxed) {
            1 => Nulls::Unequal,
            2 => Nulls::Ignored,
            _ => Nulls::Equal,
        };
        let with_deleted = engine.stats.with_deleted.load(Ordering::Relaxed);
        for (n, index) in self.indexes.iter().enumerate() {
            let sample = self.tree(n)?.sample(pool, &View { index, clustered: n == 0, with_deleted, nulls }, limits)?;
            if n == 0 {
                stats.rows = sample.records.round();
                of_trees = sample.pages;
            } else {
                stats.pages.1 += sample.pages;
            }
            stats.rough |= quick && !sample.complete;
            let counts = index.array.is_some() && stats.rows >= 1.0;
            stats.per_row.push(if counts { sample.records / stats.rows } else { 1.0 });
            let read = if sample.complete { sample.leaves } else { sample.leaves.min(limits.leaves as f64) };
            stats.trees.push((sample.leaves, sample.pages, read));
            stats.distinct.push(sample.distinct);
        }
        // long columns lie in the same space: whatever is in use and no index page (nor the header) is theirs
        let used = self.used_pages()?.unwrap_or(0.0);
        stats.pages.0 = of_trees.max(used - stats.pages.1);
        // commits that came meanwhile stay counted
        self.counts.rows.fetch_add(stats.rows as i64 - rows_before, Ordering::Relaxed);
        self.counts.changed.fetch_sub(changed_before, Ordering::Relaxed);
        self.stats.store(Arc::new(stats));
        Ok(())
    }

    /// Whether the background should sample this table now.
    fn wants_sample(&self, now_us: u64) -> bool {
        let changed = self.counts.changed.load(Ordering::Relaxed);
        let stats = self.stats.load();
        if stats.rough {
            return true;
        }
        let rows = stats.rows as u64;
        let doubled = changed > rows.max(MIN_CHANGES);
        doubled || (changed > MIN_CHANGES && changed > rows / 10 && now_us.saturating_sub(stats.at_us) > PAUSE_US)
    }
}

impl Engine {
    /// ANALYZE TABLE: samples the indexes and publishes new statistics.
    ///
    /// # Errors
    /// I/O and corruption.
    pub fn analyze_table(&self, table: &Table) -> Result<()> {
        table.sample_fully(self)
    }

    /// A global variable about statistics has this value now.
    pub fn set_statistics(&self, setting: StatsSetting, n: u64) {
        let [persistent, transient] = &self.stats.pages;
        match setting {
            StatsSetting::AutoRecalc => self.stats.auto_recalc.store(n != 0, Ordering::Relaxed),
            StatsSetting::Persistent => self.stats.persistent.store(n != 0, Ordering::Relaxed),
            StatsSetting::IncludeDeleteMarked => self.stats.with_deleted.store(n != 0, Ordering::Relaxed),
            StatsSetting::Method => self.stats.nulls.store(n, Ordering::Relaxed),
            StatsSetting::PersistentPages => persistent.store(n, Ordering::Relaxed),
            StatsSetting::TransientPages => transient.store(n, Ordering::Relaxed),
        }
    }

    /// Samples opened tables that changed by more than 10 % or were only sampled roughly; how many. The statistics thread's
    /// step, callable by tests.
    pub fn refresh_statistics(&self) -> usize {
        let now = self.now_us();
        let due = self.opened_tables(|t| t.recalculates(self) && t.wants_sample(now));
        // a table that cannot be read keeps what it has; statements will report the error
        due.iter().filter(|t| t.sample_fully(self).is_ok()).count()
    }
}

/// Sums of one transaction for one table.
#[derive(Debug)]
pub(crate) struct RowSums {
    table: Arc<Table>,
    rows: i64,
    changed: u64,
}

impl Trx {
    /// A row came (1), went (-1) or changed (0).
    #[inline]
    pub(crate) fn note_rows(&mut self, table: &Arc<Table>, by: i64) {
        match self.row_sums.iter_mut().find(|s| Arc::ptr_eq(&s.table, table)) {
            Some(s) => {
                s.rows += by;
                s.changed += 1;
            }
            None => self.row_sums.push(RowSums { table: table.clone(), rows: by, changed: 1 }),
        }
    }

    /// End of the transaction: its sums count if it was committed.
    pub(crate) fn settle_rows(&mut self, committed: bool) {
        for s in self.row_sums.iter_mut().filter(|s| s.changed > 0) {
            if committed {
                s.table.apply_counts(s.rows, s.changed);
            }
            (s.rows, s.changed) = (0, 0);
        }
        if self.row_sums.len() > KEPT {
            self.row_sums.clear();
        } else {
            self.row_sums.retain(|s| !s.table.is_obsolete());
        }
    }
}
