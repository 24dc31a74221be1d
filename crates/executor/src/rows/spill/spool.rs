//! Records one after the other, in blocks of a temporary file. Several spools share one file.
//!
//! A record is `[length u32 le][bytes]` and never crosses a block; a long one makes its block as long as it is.

use base::SqlResult;

use super::TempFile;

/// A row of records: blocks in the file, and the last one still in memory.
#[derive(Debug, Default)]
pub struct Spool {
    blocks: Vec<(u64, u32)>,
    buf: Vec<u8>,
    records: u64,
}

impl Spool {
    /// Appends a record made of two pieces; a block of more than `block` bytes goes to the file, the tail of a long record without a copy.
    pub fn put(&mut self, head: &[u8], tail: &[u8], block: usize, file: &mut TempFile) -> SqlResult<()> {
        self.buf.extend_from_slice(&((head.len() + tail.len()) as u32).to_le_bytes());
        self.buf.extend_from_slice(head);
        self.records += 1;
        if tail.len() >= block {
            let at = file.append(&self.buf)?;
            file.append(tail)?;
            self.blocks.push((at, (self.buf.len() + tail.len()) as u32));
            self.buf.clear();
            return Ok(());
        }
        self.buf.extend_from_slice(tail);
        if self.buf.len() >= block { self.flush(file) } else { Ok(()) }
    }

    /// Writes what is still in memory: call it before reading.
    pub fn flush(&mut self, file: &mut TempFile) -> SqlResult<()> {
        if !self.buf.is_empty() {
            let at = file.append(&self.buf)?;
            self.blocks.push((at, self.buf.len() as u32));
            self.buf.clear();
        }
        Ok(())
    }

    /// [`Spool::flush`], and gives the memory back.
    pub fn seal(&mut self, file: &mut TempFile) -> SqlResult<()> {
        self.flush(file)?;
        self.buf = Vec::new();
        Ok(())
    }

    /// Records put.
    pub fn len(&self) -> u64 {
        self.records
    }

    /// Whether nothing was put.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }
}

/// Reads a flushed spool from its beginning.
#[derive(Debug, Default)]
pub struct Reader {
    next_block: usize,
    buf: Vec<u8>,
    /// The present record.
    start: usize,
    end: usize,
}

impl Reader {
    /// Moves to the next record.
    pub fn next(&mut self, spool: &Spool, file: &TempFile) -> SqlResult<bool> {
        if self.end >= self.buf.len() {
            let Some((at, len)) = spool.blocks.get(self.next_block) else {
                self.start = self.end;
                return Ok(false);
            };
            self.next_block += 1;
            self.buf.resize(*len as usize, 0);
            file.read(&mut self.buf, *at)?;
            self.end = 0;
        }
        let len = self.buf.get(self.end..self.end + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes);
        self.start = self.end + 4;
        self.end = self.start + len as usize;
        Ok(true)
    }

    /// Bytes of its block in memory.
    pub fn taken(&self) -> usize {
        self.buf.capacity()
    }

    /// The present record.
    pub fn record(&self) -> &[u8] {
        self.buf.get(self.start..self.end).unwrap_or(&[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_two_spools_come_back() {
        let mut f = TempFile::create_in("/tmp", probe::files::FileUse::Temporary).unwrap();
        let mut spools = [Spool::default(), Spool::default()];
        for i in 0..1000u32 {
            // some longer than a block
            let long = vec![i as u8; (i % 37) as usize * 11];
            spools[i as usize % 2].put(&i.to_le_bytes(), &long, 256, &mut f).unwrap();
        }
        for (n, s) in spools.iter_mut().enumerate() {
            s.seal(&mut f).unwrap();
            let mut r = Reader::default();
            let mut i = n as u32;
            while r.next(s, &f).unwrap() {
                let (head, tail) = r.record().split_at(4);
                assert_eq!(head, i.to_le_bytes());
                assert_eq!(tail, vec![i as u8; (i % 37) as usize * 11]);
                i += 2;
            }
            assert_eq!(i, 1000 + n as u32);
            assert!(!r.next(s, &f).unwrap());
        }
    }
}
