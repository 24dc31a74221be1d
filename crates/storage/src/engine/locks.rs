//! The row locks of all transactions by name, for views.

use super::Engine;
use crate::btree::Cursor;
use crate::dict::{IndexPart, TableDef};
use crate::error::Result;
use crate::rowlock::{LockInfo, LockKind, LockMode};
use crate::table::{Row, Table};
use base::{IndexId, TableId};
use bumpalo::Bump;
use hashbrown::HashSet;
use std::sync::Arc;
use value::OwnedValue;

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

    /// The columns of the record with this key in index `n` of a table, as far as the index has them: those of the index, then those of the clustered key that
    /// are not among them, each with its position in the definition. `None`: there is no such record any more, or it cannot be told of the entry alone (an
    /// index on prefixes or on elements).
    ///
    /// # Errors
    /// I/O, corruption.
    pub fn record_columns(&self, table: TableId, n: usize, key: &[u8]) -> Result<Option<Vec<(usize, OwnedValue)>>> {
        let Some(table) = self.table_by_id(table)? else { return Ok(None) };
        let Some(payload) = table.tree(n)?.get(self.store.pool(), key, <[u8]>::to_vec)? else { return Ok(None) };
        let (mut present, mut beside) = (Vec::new(), Vec::new());
        let row = match n {
            0 if table.former_version(&payload).is_some() => {
                table.present(&payload, None, &mut present, &mut beside)?;
                Row::presented(&table, key, &present, &beside)?
            }
            0 => Row::clustered(&table, key, &payload)?,
            _ => Row::entry(&table, n, key, &payload)?,
        };
        let parts = |n: usize| table.def.indexes.get(n).map_or(&[][..], |i| &i.parts);
        let whole = |p: &&IndexPart| {
            p.prefix == 0 && table.def.columns.get(p.column as usize).is_some_and(|c| c.elements.is_none())
        };
        if !parts(n).iter().all(|p| whole(&p)) {
            return Ok(None);
        }
        let arena = Bump::new();
        let mut out: Vec<(usize, OwnedValue)> = Vec::new();
        let clustered = if table.hidden_key { &[] } else { parts(0) };
        for p in parts(n).iter().chain(clustered) {
            let c = p.column as usize;
            if out.iter().all(|(seen, _)| *seen != c) {
                out.push((c, OwnedValue::from(row.column(c, &arena)?)));
            }
        }
        Ok(Some(out))
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
