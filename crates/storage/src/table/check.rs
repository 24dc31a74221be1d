//! CHECK TABLE: every index is a sound tree and every secondary index says the same as the clustered one.
//!
//! Needs the table for itself as far as writers go (the caller has an S lock on it). Purge, which takes leaves out of the trees, waits while
//! their structure is looked at ([`Table::while_still`]), and may run beside the rest. Live rows are compared:
//! each clustered record that is not delete-marked must have exactly its entries in each index (one; in a multi-valued one as many as its
//! array has elements), and each entry without mark must belong to such a record.

use crate::btree::Cursor;
use crate::engine::Engine;
use crate::error::Result;
use crate::mvcc;
use crate::table::Table;
use crate::table::secondary::entry_deleted;
use crate::table::write::Entries;
use bumpalo::Bump;

/// Findings of a check; the texts are for CHECK TABLE's result.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// Live rows.
    pub rows: u64,
    /// What is wrong.
    pub problems: Vec<String>,
}

/// More than this is not reported.
const MAX_PROBLEMS: usize = 20;

impl CheckReport {
    /// Nothing is wrong.
    pub fn is_ok(&self) -> bool {
        self.problems.is_empty()
    }

    fn add(&mut self, text: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(text);
        }
    }
}

impl Table {
    /// Checks the table; see the module.
    ///
    /// # Errors
    /// I/O. Corruption that stops the reading of an index is a finding.
    pub fn check(&self, engine: &Engine) -> Result<CheckReport> {
        let mut report = CheckReport::default();
        self.while_still(|| {
            for n in 0..self.indexes.len() {
                let name = self.def.indexes.get(n).map_or("", |i| i.name.as_str());
                if let Err(e) = self.tree(n)?.check(engine.store.pool()) {
                    report.add(format!("index '{name}': {e}"));
                }
            }
            Ok(())
        })?;
        if !report.is_ok() {
            return Ok(report);
        }
        let mut wanted = vec![0; self.indexes.len()];
        let live = self.check_rows(engine, &mut wanted, &mut report)?;
        for (n, wanted) in wanted.into_iter().enumerate().skip(1) {
            let entries = self.check_entries(engine, n, &mut report)?;
            if entries != wanted {
                let name = self.def.indexes.get(n).map_or("", |i| i.name.as_str());
                report.add(format!("index '{name}' has {entries} entries, the table's {live} rows want {wanted}"));
            }
        }
        report.rows = live;
        Ok(report)
    }

    /// The number of live rows; `wanted` counts the entries that they want, by index.
    fn check_rows(&self, engine: &Engine, wanted: &mut [u64], report: &mut CheckReport) -> Result<u64> {
        let pool = engine.store.pool();
        let mut cursor = Cursor::new(self.tree(0)?);
        cursor.forward(&[], None);
        let (mut live, mut arena, mut entries) = (0, Bump::new(), Entries::default());
        while let Some((key, payload)) = cursor.next(pool)? {
            if mvcc::is_deleted(payload) {
                continue;
            }
            live += 1;
            entries.clear();
            {
                let row = engine.row_values(self, payload, &arena, |_| true)?;
                for (n, _) in self.secondary() {
                    entries.add(self, n, None, Some(&row.values), key)?;
                }
            }
            arena.reset();
            for e in entries.iter() {
                let Some(k) = e.new else { continue };
                if let Some(n) = wanted.get_mut(e.index) {
                    *n += 1;
                }
                let same = |p: &[u8]| !entry_deleted(p) && p.get(7..) == e.payload.get(7..);
                if self.tree(e.index)?.get(pool, k, same)? != Some(true) {
                    let name = self.def.indexes.get(e.index).map_or("", |i| i.name.as_str());
                    report.add(format!("a row has no entry in index '{name}': key {key:02x?}"));
                }
            }
        }
        Ok(live)
    }

    fn check_entries(&self, engine: &Engine, n: usize, report: &mut CheckReport) -> Result<u64> {
        let mut cursor = Cursor::new(self.tree(n)?);
        cursor.forward(&[], None);
        let (mut entries, mut payload) = (0, Vec::new());
        while let Some((entry, p)) = cursor.next(engine.store.pool())? {
            if entry_deleted(p) {
                continue;
            }
            entries += 1;
            let key = self.clustered_key_of(n, entry)?;
            let there = engine.read_clustered(self, key, &mut payload)? && !mvcc::is_deleted(&payload);
            if !there || !engine.entry_matches(self, n, &payload, key, entry)? {
                let name = self.def.indexes.get(n).map_or("", |i| i.name.as_str());
                report.add(format!("an entry of index '{name}' has no row: {entry:02x?}"));
            }
        }
        Ok(entries)
    }
}
