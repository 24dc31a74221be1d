//! The tables that a session has used last, as it holds them.
//!
//! Plans are shared by all sessions, and so are the tables that they have opened: cloning their `Arc` writes a line
//! that every session writes. A session clones a [`TableHandle`] of its own instead, found here by the table's address.
//! A table that is obsolete (dropped, altered) stays until another comes, as in the plans.
//!
//! No locks. Measured by `scripts/shared_lines.py`.

use std::cell::RefCell;
use std::sync::Arc;

use storage::table::{Table, TableHandle};

/// So many are kept: a statement's few tables are found at the beginning.
const MOST: usize = 16;

/// See the module's text.
#[derive(Debug, Default)]
pub struct Handles(RefCell<Vec<TableHandle>>);

impl Handles {
    /// The session's handle of a table.
    #[inline]
    pub fn of(&self, table: &Arc<Table>) -> TableHandle {
        let known = self.0.borrow();
        match known.iter().find(|h| Arc::ptr_eq(h, table)) {
            Some(h) => h.clone(),
            None => {
                drop(known);
                self.add(table)
            }
        }
    }

    #[cold]
    fn add(&self, table: &Arc<Table>) -> TableHandle {
        let handle = TableHandle::from(table);
        let mut known = self.0.borrow_mut();
        known.retain(|h| !h.is_obsolete());
        known.truncate(MOST - 1);
        known.insert(0, handle.clone());
        handle
    }
}
