//! The first row of each set of equal ones, in the order of arrival.
//!
//! Keys seen are kept in memory. When they pass the limit the set stays as it is: later rows that are not in it go to a temporary
//! file, sorted by key and arrival, of which the first of each key are sorted again by arrival.

use base::SqlResult;
use hashbrown::HashSet;

use super::Ticks;
use super::sorter::Sorter;
use crate::rows::env::Env;
use probe::held::Held;

/// See the module.
#[derive(Default)]
pub struct DistinctRows {
    seen: HashSet<Box<[u8]>, foldhash::fast::RandomState>,
    kept: usize,
    /// For performance_schema.
    held: Held,
    limit: usize,
    late: Option<Box<Late>>,
}

#[derive(Default)]
struct Late {
    rows: Sorter,
    n: u64,
    record: Vec<u8>,
}

impl DistinctRows {
    /// Starts anew, with at most `limit` bytes of keys in memory.
    pub fn open(&mut self, limit: usize) {
        self.seen.clear();
        self.kept = 0;
        self.held.clear();
        self.limit = limit;
        self.late = None;
    }

    /// Whether the row of this key is new. One that is not known yet to be new is kept as what `row` appends, and comes after
    /// [`DistinctRows::finish`].
    pub fn offer(&mut self, key: &[u8], env: &Env, row: impl FnOnce(&mut Vec<u8>)) -> SqlResult<bool> {
        if self.seen.contains(key) {
            return Ok(false);
        }
        if self.late.is_none() && self.kept > self.limit {
            probe::inc(probe::Counter::CreatedTmpDiskTables);
            self.late = Some(Box::default());
        }
        let Some(l) = &mut self.late else {
            self.kept += key.len() + 48;
            self.held.set(self.kept);
            self.seen.insert(key.into());
            return Ok(true);
        };
        l.record.clear();
        l.record.extend_from_slice(&l.n.to_be_bytes());
        l.n += 1;
        row(&mut l.record);
        l.rows.push(key, &l.record, self.limit, env)?;
        Ok(false)
    }

    /// All rows were offered.
    pub fn finish(&mut self, env: &Env) -> SqlResult<()> {
        let Some(l) = &mut self.late else { return Ok(()) };
        l.rows.finish(usize::MAX, env)?;
        let mut kept = Sorter::default();
        let mut last: Option<Vec<u8>> = None;
        let mut ticks = Ticks::default();
        while let Some((key, record)) = l.rows.next()? {
            ticks.next(env)?;
            match &mut last {
                Some(k) if k == key => continue,
                Some(k) => {
                    k.clear();
                    k.extend_from_slice(key);
                }
                None => last = Some(key.to_vec()),
            }
            let (n, row) = record.split_at_checked(8).unwrap_or((record, &[]));
            kept.push(n, row, self.limit, env)?;
        }
        kept.finish(usize::MAX, env)?;
        l.rows = kept;
        Ok(())
    }

    /// The next of the rows that were kept and are new.
    pub fn next(&mut self) -> SqlResult<Option<&[u8]>> {
        match &mut self.late {
            Some(l) => Ok(l.rows.next()?.map(|r| r.1)),
            None => Ok(None),
        }
    }
}
