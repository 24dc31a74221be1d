//! Sizes and cardinalities as the optimizer and information_schema see them.
//!
//! Sampled from the trees ([`Table::refresh_stats`]) when the table is opened, by ANALYZE TABLE, and by the purge thread when
//! a tenth of the rows has changed since (`innodb_stats_auto_recalc`). The row count is kept up to date in between. Nothing here
//! is persistent: a restart samples again.

use super::Table;
use crate::btree::TreeStats;
use crate::engine::Engine;
use crate::error::Result;
use crate::page::PAGE_SIZE;
use std::sync::atomic::Ordering;

/// `innodb_stats_persistent_sample_pages`.
const SAMPLES: usize = 20;

impl Table {
    /// Samples every index and publishes the figures.
    ///
    /// # Errors
    /// I/O and corruption.
    pub fn refresh_stats(&self, engine: &Engine) -> Result<()> {
        let pool = engine.store.pool();
        let mut all = Vec::with_capacity(self.indexes.len());
        for (n, info) in self.indexes.iter().enumerate() {
            let parts = info.columns.len();
            let stats = self.tree(n)?.sample(pool, SAMPLES, |key, ends| {
                for p in 1..=parts {
                    // a key that cannot be read counts as its whole length; CHECK TABLE is for finding it
                    ends.push(info.encoder.prefix_len(key, p).unwrap_or(key.len()));
                }
            })?;
            all.push(stats);
        }
        if let Some(clustered) = all.first() {
            self.rows.store(clustered.records, Ordering::Relaxed);
        }
        self.changed.store(0, Ordering::Relaxed);
        *self.stats.write() = all;
        Ok(())
    }

    /// Whether so much has changed that the figures should be taken again.
    pub(crate) fn stats_are_old(&self) -> bool {
        let changed = self.changed.load(Ordering::Relaxed);
        changed > 100 && changed > self.row_estimate() / 10
    }

    /// A row came (1) or went (-1).
    pub(crate) fn count(&self, by: i64) {
        self.changed.fetch_add(1, Ordering::Relaxed);
        if by > 0 {
            self.rows.fetch_add(1, Ordering::Relaxed);
        } else {
            let _ = self.rows.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |r| r.checked_sub(1));
        }
    }

    fn with_stats<R>(&self, index: usize, f: impl FnOnce(&TreeStats) -> R) -> Option<R> {
        self.stats.read().get(index).map(f)
    }

    /// Bytes of the clustered index and of all secondary ones, approximately.
    pub fn size_bytes(&self) -> (u64, u64) {
        let stats = self.stats.read();
        let mut pages = stats.iter().map(|s| s.pages * PAGE_SIZE as u64);
        (pages.next().unwrap_or(0), pages.sum())
    }

    /// Estimated number of distinct values of the first `parts` parts of index number `index`.
    pub fn cardinality(&self, index: usize, parts: usize) -> u64 {
        let rows = self.row_estimate();
        match self.def.indexes.get(index) {
            Some(i) if i.unique() && parts >= i.parts.len() => rows,
            Some(_) => {
                let sampled = self.with_stats(index, |s| s.n_diff.get(parts.saturating_sub(1)).copied()).flatten();
                sampled.unwrap_or(rows).min(rows).max(u64::from(rows > 0))
            }
            None => 0,
        }
    }

    /// Estimated number of entries of an index from `low` (inclusive) to `high` (exclusive; empty = unbounded). `None`: no
    /// estimate can be had.
    pub fn rows_in_range(&self, index: usize, low: &[u8], high: &[u8]) -> Option<f64> {
        let high = (!high.is_empty()).then_some(high);
        let rows = self.tree(index).ok()?.estimate_range_rows(self.store.pool(), low, high).ok()?;
        Some(rows as f64)
    }
}
