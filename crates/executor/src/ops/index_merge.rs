//! Index merge: the clustered keys that several indexes give are collected and sorted (through [`Sorter`], so that they
//! may be many), and each row is read once.
//!
//! An index may give a key more than once; an intersection counts the indexes, not the keys. Tested:
//! `tests/sql/golden/locking_reads.sql` and `tests/sql/plan_random.py`.

use std::ops::Bound;

use base::SqlResult;
use bumpalo::Bump;
use catalog::sysvar::Var;
use planner::plan::Access;
use storage::table::{Direction, ReadMode, TableCursor, TableHandle};

use crate::eval::Cx;
use crate::ops::ranges::{self, Range};
use crate::rows::spill::sorter::Sorter;

/// Clustered keys in order.
pub(super) struct Merged {
    keys: Sorter,
    /// A bit for each index that must give a key; 0: any will do.
    need: u64,
    /// The key being looked at, and the indexes that gave it.
    last: Option<(Vec<u8>, u64)>,
    done: bool,
}

impl Merged {
    /// Reads the indexes. Locking reads lock what they meet; READ COMMITTED gives that back, and the row is locked when it is read itself.
    pub(super) fn collect(
        parts: &[(u16, Access)],
        all: bool,
        t: &TableHandle,
        mode: ReadMode,
        cx: &mut Cx<'_>,
        arena: &Bump,
    ) -> SqlResult<Merged> {
        let memory = cx.spill_limit(Var::sort_buffer_size);
        let mut keys = Sorter::default();
        for (n, (index, access)) in parts.iter().enumerate() {
            let index = *index as usize;
            let (index, list) = match ranges::ranges(access, t, index, cx, arena)? {
                Some(list) => (index, list),
                None => (0, vec![Range::ALL]),
            };
            let mut cursor = TableCursor::open(t, index, mode, true);
            for r in &list {
                if r.point {
                    if let Bound::Included(k) = &r.lower
                        && let Some(row) = cursor.point(&mut cx.env.trx, k)?
                    {
                        keys.push(row.key(), &[n as u8], memory, cx.env)?;
                        cursor.unlock_row(&mut cx.env.trx);
                    }
                    continue;
                }
                cursor.seek(&mut cx.env.trx, r.key_range(), Direction::Forward)?;
                while let Some(row) = cursor.next(&mut cx.env.trx)? {
                    keys.push(row.key(), &[n as u8], memory, cx.env)?;
                    cursor.unlock_row(&mut cx.env.trx);
                    cx.tick()?;
                }
            }
        }
        keys.finish(usize::MAX, cx.env)?;
        let need = if all { (1u64 << parts.len().min(63)) - 1 } else { 0 };
        Ok(Merged { keys, need, last: None, done: false })
    }

    /// The next key of the result.
    pub(super) fn next(&mut self, out: &mut Vec<u8>) -> SqlResult<bool> {
        loop {
            let next = if self.done { None } else { self.keys.next()? };
            self.done |= next.is_none();
            let bit = |tag: &[u8]| 1u64 << tag.first().copied().unwrap_or(0).min(63);
            match (&mut self.last, next) {
                (Some((k, seen)), Some((key, tag))) if k.as_slice() == key => *seen |= bit(tag),
                (last, next) => {
                    let fresh = next.map(|(key, tag)| (key.to_vec(), bit(tag)));
                    let ended = fresh.is_none();
                    let before = std::mem::replace(last, fresh);
                    if let Some((k, seen)) = before
                        && seen & self.need == self.need
                    {
                        *out = k;
                        return Ok(true);
                    }
                    if ended {
                        return Ok(false);
                    }
                }
            }
        }
    }
}
