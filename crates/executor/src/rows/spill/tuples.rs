//! Rows that are read again, in order or by their number: an internal temporary table without keys.
//!
//! The first rows stay in memory. When they pass the limit of the table (`tmp_table_size`), or all tables together pass
//! `temptable_max_ram`, the rows that follow go to a temporary file, in blocks of which one is kept until it is full. Readers have
//! their own [`Cursor`], with one block in it.
//!
//! Block in the file: the rows one after the other, then where each ends (u32 le). A long row has a block of its own.

use base::SqlResult;

use super::ram::Claim;
use super::{Room, TempFile};
use probe::held::Held;

/// Bytes of a block.
const BLOCK: usize = 64 << 10;

/// See the module.
#[derive(Debug, Default)]
pub struct Tuples {
    /// Those in memory, one after the other, and where each ends.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    claim: Claim,
    /// For performance_schema: what they take.
    held: Held,
    late: Option<Box<Late>>,
}

/// Rows that came when memory was full.
#[derive(Debug)]
struct Late {
    file: TempFile,
    blocks: Vec<Block>,
    /// The block that is being filled, and the number of its first row.
    tail: Vec<u8>,
    ends: Vec<u32>,
    first: usize,
}

#[derive(Debug)]
struct Block {
    /// Number of its first row.
    first: usize,
    /// Where it lies in the file, its rows' bytes, the bytes of their ends.
    at: u64,
    rows: u32,
    ends: u32,
}

/// A reader's place: the block it reads.
#[derive(Debug, Default)]
pub struct Cursor {
    /// Number of the block, plus one.
    block: usize,
    first: usize,
    /// Bytes of the rows, before their ends.
    rows: usize,
    buf: Vec<u8>,
}

impl Tuples {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.late = None;
        self.claim = Claim::default();
    }

    /// Where the next row is to be appended; [`Tuples::end`] ends it.
    pub fn begin(&mut self) -> &mut Vec<u8> {
        match &mut self.late {
            Some(l) => &mut l.tail,
            None => &mut self.bytes,
        }
    }

    /// Takes back what was appended since the last [`Tuples::end`].
    pub fn forget(&mut self) {
        match &mut self.late {
            Some(l) => l.tail.truncate(l.ends.last().map_or(0, |e| *e as usize)),
            None => self.bytes.truncate(self.ends.last().copied().unwrap_or(0)),
        }
    }

    /// Ends a row. With more than `limit` bytes in memory those that follow go to a file.
    ///
    /// # Errors
    /// Those of [`super`].
    pub fn end(&mut self, limit: usize, env: &impl Room) -> SqlResult<()> {
        if let Some(l) = &mut self.late {
            l.ends.push(l.tail.len() as u32);
            return if l.tail.len() >= BLOCK { l.flush() } else { Ok(()) };
        }
        self.ends.push(self.bytes.len());
        self.tell();
        let size = self.bytes.len() + self.ends.len() * size_of::<usize>();
        if size > limit || !self.claim.covers(size, env.ram()) {
            probe::inc(probe::Counter::CreatedTmpDiskTables);
            self.late = Some(Box::new(Late {
                file: env.file()?,
                blocks: Vec::new(),
                tail: Vec::new(),
                ends: Vec::new(),
                first: self.ends.len(),
            }));
        }
        Ok(())
    }

    /// A whole row.
    pub fn push(&mut self, row: &[u8], limit: usize, env: &impl Room) -> SqlResult<()> {
        self.begin().extend_from_slice(row);
        self.end(limit, env)
    }

    /// Tells performance_schema what they take in memory; for who has filled [`Tuples::parts`].
    #[inline]
    pub fn tell(&mut self) {
        self.held.set(self.bytes.capacity() + self.ends.capacity() * size_of::<usize>());
    }

    /// The rows in memory, for sources that are never long.
    pub fn parts(&mut self) -> (&mut Vec<u8>, &mut Vec<usize>) {
        (&mut self.bytes, &mut self.ends)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.late.as_ref().map_or(self.ends.len(), |l| l.first + l.ends.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes in memory.
    pub fn size(&self) -> usize {
        self.bytes.len() + self.ends.len() * size_of::<usize>()
    }

    /// Row `i`, if it is in memory.
    #[inline]
    pub fn in_memory(&self, i: usize) -> Option<&[u8]> {
        let end = *self.ends.get(i)?;
        let start = i.checked_sub(1).and_then(|i| self.ends.get(i)).copied().unwrap_or(0);
        self.bytes.get(start..end)
    }

    /// Row `i`; nothing behind the last.
    ///
    /// # Errors
    /// 2: the file cannot be read.
    #[inline]
    pub fn get<'a>(&'a self, i: usize, cursor: &'a mut Cursor) -> SqlResult<Option<&'a [u8]>> {
        match (self.in_memory(i), &self.late) {
            (Some(t), _) => Ok(Some(t)),
            (None, None) => Ok(None),
            (None, Some(l)) => l.get(i, cursor),
        }
    }
}

impl Late {
    /// Writes the block that is being filled.
    fn flush(&mut self) -> SqlResult<()> {
        let rows = self.tail.len() as u32;
        for e in &self.ends {
            self.tail.extend_from_slice(&e.to_le_bytes());
        }
        let at = self.file.append(&self.tail)?;
        self.blocks.push(Block { first: self.first, at, rows, ends: self.tail.len() as u32 - rows });
        self.first += self.ends.len();
        self.tail.clear();
        self.ends.clear();
        Ok(())
    }

    fn get<'a>(&'a self, i: usize, cursor: &'a mut Cursor) -> SqlResult<Option<&'a [u8]>> {
        if let Some(n) = i.checked_sub(self.first) {
            let Some(end) = self.ends.get(n) else { return Ok(None) };
            let start = n.checked_sub(1).and_then(|n| self.ends.get(n)).copied().unwrap_or(0);
            return Ok(self.tail.get(start as usize..*end as usize));
        }
        if !cursor.holds(i) {
            let at = self.blocks.partition_point(|b| b.first <= i);
            let Some(b) = at.checked_sub(1).and_then(|at| self.blocks.get(at)) else { return Ok(None) };
            cursor.block = 0;
            cursor.buf.resize((b.rows + b.ends) as usize, 0);
            self.file.read(&mut cursor.buf, b.at)?;
            (cursor.block, cursor.first, cursor.rows) = (at, b.first, b.rows as usize);
        }
        Ok(cursor.row(i))
    }
}

impl Cursor {
    /// Whether row `i` is in the present block.
    pub fn holds(&self, i: usize) -> bool {
        self.block > 0 && i >= self.first && i - self.first < (self.buf.len() - self.rows) / 4
    }

    fn end(&self, n: usize) -> Option<usize> {
        let at = self.rows + 4 * n;
        self.buf.get(at..at + 4).and_then(|b| b.try_into().ok()).map(|b| u32::from_le_bytes(b) as usize)
    }

    /// Row `i` of the present block.
    pub fn row(&self, i: usize) -> Option<&[u8]> {
        let n = i.checked_sub(self.first)?;
        let start = n.checked_sub(1).and_then(|n| self.end(n)).unwrap_or(0);
        self.buf.get(start..self.end(n)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Anywhere;
    use super::*;

    fn row(i: usize) -> Vec<u8> {
        vec![i as u8; if i.is_multiple_of(500) { 100_000 } else { i % 300 }]
    }

    #[test]
    fn rows_come_back_by_number() {
        for limit in [0, 1000, usize::MAX] {
            let mut t = Tuples::default();
            let n = 3000;
            let mut behind = Cursor::default();
            for i in 0..n {
                t.begin().extend_from_slice(b"taken back");
                t.forget();
                t.push(&row(i), limit, &Anywhere).unwrap();
                // a reader follows the writer
                let j = i * 7 % (i + 1);
                assert_eq!(t.get(j, &mut behind).unwrap().unwrap(), row(j));
            }
            assert_eq!(t.len(), n);
            assert!(limit == usize::MAX || t.size() < 200_000, "{}", t.size());
            let mut c = Cursor::default();
            for i in (0..n).chain((0..n).rev()) {
                assert_eq!(t.get(i, &mut c).unwrap().unwrap(), row(i), "{i}");
            }
            assert!(t.get(n, &mut c).unwrap().is_none());
        }
    }
}
