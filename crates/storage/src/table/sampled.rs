//! [`Statistics`]: the last sample of a table ([`super::stats`]) as `mysql.innodb_table_stats` and `innodb_index_stats`
//! show it. Reads what was published; no locks. Tested: golden `mysql_tables`.

use super::Table;

/// The last sample, as `mysql.innodb_table_stats` shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// When, microseconds since 1970.
    pub at_us: u64,
    /// Rows.
    pub rows: u64,
    /// Pages of the clustered index, with its long columns.
    pub clustered_pages: u64,
    /// Pages of the other indexes.
    pub other_pages: u64,
    /// Each index, in the order of the definition.
    pub indexes: Vec<IndexStatistics>,
}

/// One index, as `mysql.innodb_index_stats` shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IndexStatistics {
    /// Entries.
    pub entries: u64,
    /// Distinct values of its first 1, 2, ... parts.
    pub distinct: Vec<u64>,
    /// Leaf pages.
    pub leaves: u64,
    /// All pages.
    pub pages: u64,
    /// Leaf pages that were read to estimate the values of one prefix.
    pub sampled: u64,
}

impl Table {
    /// The last sample.
    pub fn statistics(&self) -> Statistics {
        let stats = self.stats.load();
        let whole = |n: f64| n.round().max(0.0) as u64;
        let index = |(n, (leaves, pages, read)): (usize, &(f64, f64, f64))| IndexStatistics {
            entries: whole(stats.rows * stats.per_row.get(n).copied().unwrap_or(1.0)),
            distinct: stats.distinct.get(n).map_or_else(Vec::new, |d| d.iter().map(|v| whole(*v)).collect()),
            leaves: whole(*leaves),
            pages: whole(*pages),
            sampled: whole(*read),
        };
        Statistics {
            at_us: stats.at_us,
            rows: whole(stats.rows),
            clustered_pages: whole(stats.pages.0),
            other_pages: whole(stats.pages.1),
            indexes: stats.trees.iter().enumerate().map(index).collect(),
        }
    }
}
