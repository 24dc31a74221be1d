//! Sizes and cardinalities as the optimizer and information_schema see them.

use super::Table;

impl Table {
    /// Bytes of the clustered index and of all secondary ones, approximately.
    pub fn size_bytes(&self) -> (u64, u64) {
        let rows = self.row_estimate();
        let width = 64 * self.def.columns.len() as u64;
        (rows * width, rows * 16 * self.def.indexes.len().saturating_sub(1) as u64)
    }

    /// Estimated number of distinct values of the first `parts` parts of index number `index`.
    pub fn cardinality(&self, index: usize, parts: usize) -> u64 {
        let rows = self.row_estimate();
        match self.def.indexes.get(index) {
            Some(i) if i.unique() && parts >= i.parts.len() => rows,
            Some(i) => rows.checked_div(2 * (i.parts.len() as u64 + 1 - parts.min(i.parts.len()) as u64)).unwrap_or(0),
            None => 0,
        }
    }
}

impl Table {
    /// Estimated number of entries of an index from `low` (inclusive) to `high` (exclusive; empty = unbounded). `None`: no
    /// estimate can be had.
    pub fn rows_in_range(&self, _index: usize, _low: &[u8], _high: &[u8]) -> Option<f64> {
        None
    }
}
