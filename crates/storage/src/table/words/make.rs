//! Making the words of a table: one read of it ([`super`] says why no change is missed, and whose memory it is).

use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use bumpalo::Bump;
use value::Value;
use value::fulltext::InvertedBuilder;

use super::{ALL, CLOCK, Changed, Keys, Words, make_room};
use crate::error::Result;
use crate::table::{Direction, KeyRange, ReadMode, Table, TableCursor};
use crate::txn::Trx;

/// Reads a table.
pub(super) struct Maker<'t> {
    table: &'t Arc<Table>,
    n: usize,
    limit: usize,
    /// Bytes taken so far that were made the server's, and what the statement held before.
    told: i64,
    before: i64,
    /// Estimated bytes when that was done last.
    told_at: usize,
}

impl<'t> Maker<'t> {
    pub(super) fn new(table: &'t Arc<Table>, n: usize, limit: usize) -> Maker<'t> {
        Maker { table, n, limit, told: 0, before: base::memory::live(), told_at: 0 }
    }

    /// `None`: too large.
    pub(super) fn make(
        &mut self,
        trx: &mut Trx,
        mut builder: InvertedBuilder,
        changed: &Changed,
    ) -> Result<Option<Arc<Words>>> {
        let table = self.table;
        let from = trx.snapshot().no.0;
        let mut keys = Keys::default();
        let mut unsettled = Vec::new();
        let columns = table.def.fulltext.get(self.n).map_or(&[][..], |i| i.columns.as_slice());
        let mut cursor = TableCursor::open(table, 0, ReadMode::Consistent, false).wanting(columns);
        let all = KeyRange { lower: Bound::Unbounded, upper: Bound::Unbounded };
        cursor.seek(trx, all, Direction::Forward)?;
        cursor.expect_rows(1024);
        let mut arena = Bump::new();
        loop {
            arena.reset();
            let row = cursor.next_settled(trx, &mut unsettled)?;
            if !unsettled.is_empty() {
                let mut noted = changed.lock();
                unsettled.drain(..).for_each(|k| noted.add(&k));
                if noted.over {
                    return Ok(None);
                }
            }
            let Some(row) = row else { break };
            let mut texts: smallvec::SmallVec<[Option<&[u8]>; 4]> = smallvec::SmallVec::new();
            for c in columns {
                texts.push(match row.column(*c as usize, &arena)? {
                    Value::Str(s) => Some(s),
                    _ => None,
                });
            }
            let fits = builder.add(texts.into_iter());
            keys.push(row.key());
            let bytes = builder.bytes() + keys.size();
            if !fits || bytes > self.limit {
                return Ok(None);
            }
            if bytes > self.told_at + (64 << 10) {
                self.told_at = bytes;
                self.tell();
            }
        }
        let index = builder.finish();
        keys.bytes.shrink_to_fit();
        keys.ends.shrink_to_fit();
        let bytes = index.bytes() + keys.size();
        if !make_room(bytes, self.limit) {
            return Ok(None);
        }
        drop((cursor, arena));
        self.tell();
        let words = Arc::new(Words {
            index,
            keys,
            from,
            n: self.n,
            table: Arc::downgrade(table),
            bytes,
            told: self.told,
            served: AtomicU32::new(0),
            used: AtomicU64::new(CLOCK.fetch_add(1, Ordering::Relaxed) + 1),
        });
        ALL.lock().push(Arc::downgrade(&words));
        Ok(Some(words))
    }

    /// What was taken since the last time is the server's, not the statement's; what was freed since was the server's.
    pub(super) fn tell(&mut self) {
        let taken = base::memory::live().wrapping_sub(self.before);
        hand_over(taken);
        self.told += taken;
    }
}

/// The statement of this thread holds so many bytes less.
pub(super) fn hand_over(bytes: i64) {
    let n = usize::try_from(bytes.unsigned_abs()).unwrap_or(usize::MAX);
    if bytes > 0 { base::memory::freed(n) } else { base::memory::allocated(n) }
}
