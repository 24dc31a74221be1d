//! CHECK TABLE: every index is a sound tree and every secondary index says the same as the clustered one.
//!
//! Writers may go on. Purge and rollback, which take leaves out of the trees, wait while their structure is looked at
//! ([`Table::while_still`]). The rest is compared as of a snapshot, in which everything fits together: each row that it sees must have exactly its
//! entries in each index (one; in a multi-valued one as many as its array has elements), marked or not where somebody changed them since, and each entry
//! without mark that nobody has changed since must belong to such a row. Without writers that is everything there is.
//!
//! Tested: `engine/tests/check.rs`, `tests/isolation/test_long_columns.py`.

use crate::btree::Cursor;
use crate::engine::Engine;
use crate::error::Result;
use crate::mvcc;
use crate::table::Table;
use crate::table::secondary::{entry_deleted, entry_trx};
use crate::table::write::Entries;
use crate::txn::Snapshot;
use base::TrxId;
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
        for n in 0..self.indexes.len() {
            // one after the other: rollbacks wait as long as that
            if let Err(e) = self.while_still(|| self.tree(n)?.check(engine.store.pool())) {
                let name = self.def.indexes.get(n).map_or("", |i| i.name.as_str());
                report.add(format!("index '{name}': {e}"));
            }
        }
        if !report.is_ok() {
            return Ok(report);
        }
        let Some(shared) = engine.me.upgrade() else { return Ok(report) };
        let mut reader = shared.new_trx(0)?;
        let check = Check { engine, table: self, snapshot: reader.snapshot() };
        let mut wanted = vec![0; self.indexes.len()];
        let live = check.rows(&mut wanted, &mut report)?;
        for (n, wanted) in wanted.into_iter().enumerate().skip(1) {
            let entries = check.entries(n, &mut report)?;
            if entries != wanted {
                let name = self.def.indexes.get(n).map_or("", |i| i.name.as_str());
                report.add(format!("index '{name}' has {entries} entries, the table's {live} rows want {wanted}"));
            }
        }
        report.rows = live;
        Ok(report)
    }
}

/// The part of a check that goes by a snapshot, which its reader keeps.
struct Check<'c> {
    engine: &'c Engine,
    table: &'c Table,
    snapshot: Snapshot,
}

impl Check<'_> {
    fn sees(&self, writer: TrxId) -> bool {
        self.engine.trx_sys.sees(&self.snapshot, writer)
    }

    /// Makes the version of a clustered record that the snapshot sees; `false`: no row.
    fn visible(&self, payload: &mut Vec<u8>) -> Result<bool> {
        mvcc::to_visible(&self.engine.store, &self.engine.trx_sys, &self.snapshot, TrxId(0), payload)
    }

    fn name(&self, n: usize) -> &str {
        self.table.def.indexes.get(n).map_or("", |i| i.name.as_str())
    }

    /// The number of rows; `wanted` counts the entries that they want, by index.
    fn rows(&self, wanted: &mut [u64], report: &mut CheckReport) -> Result<u64> {
        let (table, pool) = (self.table, self.engine.store.pool());
        let mut cursor = Cursor::new(table.tree(0)?);
        cursor.forward(&[], None);
        let (mut live, mut arena, mut entries, mut version) = (0, Bump::new(), Entries::default(), Vec::new());
        while let Some((key, payload)) = cursor.next(pool)? {
            version.clear();
            version.extend_from_slice(payload);
            if !self.visible(&mut version)? {
                continue;
            }
            live += 1;
            entries.clear();
            {
                let row = self.engine.row_values(table, &version, &arena, |_| true)?;
                for (n, _) in table.secondary() {
                    entries.add(table, n, None, Some(&row.values), key)?;
                }
            }
            arena.reset();
            for e in entries.iter() {
                let Some(k) = e.new else { continue };
                if let Some(n) = wanted.get_mut(e.index) {
                    *n += 1;
                }
                let changed = |p: &[u8]| !self.sees(entry_trx(p));
                let right = |p: &[u8]| changed(p) || (!entry_deleted(p) && p.get(7..) == e.payload.get(7..));
                if table.tree(e.index)?.get(pool, k, right)? != Some(true) {
                    report.add(format!("a row has no entry in index '{}': key {key:02x?}", self.name(e.index)));
                }
            }
        }
        Ok(live)
    }

    /// The number of entries of index `n` that belong to rows.
    fn entries(&self, n: usize, report: &mut CheckReport) -> Result<u64> {
        let (table, engine) = (self.table, self.engine);
        let mut cursor = Cursor::new(table.tree(n)?);
        cursor.forward(&[], None);
        let (mut entries, mut version) = (0, Vec::new());
        while let Some((entry, p)) = cursor.next(engine.store.pool())? {
            let seen = self.sees(entry_trx(p));
            if seen && entry_deleted(p) {
                continue;
            }
            let key = table.clustered_key_of(n, entry)?;
            let there = engine.read_clustered(table, key, &mut version)? && self.visible(&mut version)?;
            if there && engine.entry_matches(table, n, &version, key, entry)? {
                entries += 1;
            } else if seen {
                report.add(format!("an entry of index '{}' has no row: {entry:02x?}", self.name(n)));
            }
        }
        Ok(entries)
    }
}
