//! The row locks of all transactions by name, for views.

use super::Engine;
use crate::btree::Cursor;
use crate::dict::TableDef;
use crate::error::Result;
use crate::rowlock::{LockInfo, LockKind, LockMode};
use crate::table::Table;
use base::IndexId;
use hashbrown::HashSet;
use std::sync::Arc;

impl Engine {
    /// All locks as [`LockSys::list`](crate::rowlock::LockSys::list) has them, the locks of a run named one by one: those on the records that its stretch of the index has now.
    ///
    /// # Errors
    /// I/O, corruption.
    pub fn row_locks(&self) -> Result<Vec<LockInfo>> {
        let (runs, mut all): (Vec<LockInfo>, Vec<LockInfo>) =
            self.locks.list().into_iter().partition(|l| l.to.is_some());
        if runs.is_empty() {
            return Ok(all);
        }
        // somebody has met these: they have an entry of their own
        let met: HashSet<(u64, u64, Vec<u8>, LockMode)> = all
            .iter()
            .filter(|l| l.kind == LockKind::NextKey && !l.waiting)
            .filter_map(|l| Some((l.owner, l.object, l.key.clone()?, l.mode)))
            .collect();
        for run in runs {
            self.name_run(run, &mut all, |l| {
                !l.key.clone().is_some_and(|k| met.contains(&(l.owner, l.object, k, l.mode)))
            })?;
        }
        Ok(all)
    }

    /// The open table that a lock is on, and the number of the index for the lock of a record.
    pub fn lock_place(&self, lock: &LockInfo) -> Option<(Arc<TableDef>, Option<usize>)> {
        let index = |t: &Table| t.def.indexes.iter().position(|i| i.id == IndexId(lock.object));
        let tables = self.opened_tables(|t| if lock.table { t.id().0 == lock.object } else { index(t).is_some() });
        tables.first().map(|t| (t.def.clone(), if lock.table { None } else { index(t) }))
    }

    fn name_run(&self, run: LockInfo, all: &mut Vec<LockInfo>, wanted: impl Fn(&LockInfo) -> bool) -> Result<()> {
        let index = IndexId(run.object);
        let tables = self.opened_tables(|t| t.def.indexes.iter().any(|i| i.id == index));
        let (Some(table), Some(lo), Some(mut end)) = (tables.first(), &run.key, run.to.clone()) else { return Ok(()) };
        let Some(n) = table.def.indexes.iter().position(|i| i.id == index) else { return Ok(()) };
        end.push(0);
        let mut cursor = Cursor::new(table.tree(n)?);
        cursor.forward(lo, Some(&end));
        while let Some((key, _)) = cursor.next(self.store.pool())? {
            let lock = LockInfo { key: Some(key.to_vec()), to: None, count: 1, ..run.clone() };
            if wanted(&lock) {
                all.push(lock);
            }
        }
        Ok(())
    }
}
