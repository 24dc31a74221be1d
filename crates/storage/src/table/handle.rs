//! [`TableHandle`]: a table as one session holds it.
//!
//! An `Arc<Table>` counts its clones in the table, in a cache line that all sessions share: a point select cloned it
//! four times and gave it back four times, and on many cores sessions would have waited for that line. A session's
//! handle counts at a place of its own (`executor::rows::handles`). Measured by `scripts/shared_lines.py`;
//! docs/scaling.md.

use super::Table;
use std::ops::Deref;
use std::sync::Arc;

/// Cheap to clone without writing to what other sessions' handles of the table use.
#[derive(Clone, Debug)]
#[allow(clippy::redundant_allocation)] // the second count is what it is for
pub struct TableHandle(Arc<Arc<Table>>);

impl Deref for TableHandle {
    type Target = Arc<Table>;

    #[inline]
    fn deref(&self) -> &Arc<Table> {
        &self.0
    }
}

/// A handle of its own: for who opens the table once, or keeps the handle.
impl From<Arc<Table>> for TableHandle {
    fn from(table: Arc<Table>) -> TableHandle {
        TableHandle(Arc::new(table))
    }
}

impl From<&Arc<Table>> for TableHandle {
    fn from(table: &Arc<Table>) -> TableHandle {
        table.clone().into()
    }
}

impl From<&TableHandle> for TableHandle {
    #[inline]
    fn from(table: &TableHandle) -> TableHandle {
        table.clone()
    }
}
