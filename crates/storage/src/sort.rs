//! External merge sort of (key, payload) records by key: index builds and bulk loads.
//!
//! Records are collected in memory up to a budget; a full buffer is sorted and appended to one temporary file in
//! [`TMP_DIR`] as a run; at the end the runs are merged. The file is not synced and goes when the sorter is dropped; what a
//! crash leaves behind, the next start removes ([`clean`]). One thread uses a sorter; no locks. Tests: here.

use crate::error::{Result, StorageError};
use crate::file::{DataFile, FileKind, FileSystem, OpenMode};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Folder of temporary files inside the data directory.
pub const TMP_DIR: &str = "#tmp";
/// Bytes written to the file at a time.
const WRITE: usize = 1 << 20;
/// Bytes of a run read at a time.
const READ: usize = 256 << 10;

static NEXT_FILE: AtomicU64 = AtomicU64::new(1);

/// Removes what a crash left of temporary files.
///
/// # Errors
/// I/O.
pub fn clean(fs: &dyn FileSystem) -> Result<()> {
    crate::file::empty_dir(fs, TMP_DIR)
}

#[derive(Clone, Copy)]
struct Item {
    /// First eight key bytes, big-endian: decides most comparisons without touching the bytes.
    head: u64,
    at: u64,
    key: u32,
    payload: u32,
}

fn head(key: &[u8]) -> u64 {
    key.iter().chain(std::iter::repeat(&0)).take(8).fold(0, |h, b| h << 8 | u64::from(*b))
}

struct TmpFile {
    fs: Arc<dyn FileSystem>,
    name: String,
    file: Arc<dyn DataFile>,
    len: u64,
}

impl Drop for TmpFile {
    fn drop(&mut self) {
        // what cannot be removed now is removed at the next start
        let _ = self.fs.remove(&self.name);
    }
}

/// Collects records; [`Sorter::sorted`] gives them back in order.
pub struct Sorter {
    fs: Arc<dyn FileSystem>,
    budget: usize,
    bytes: Vec<u8>,
    items: Vec<Item>,
    runs: Vec<(u64, u64)>,
    file: Option<TmpFile>,
}

impl Sorter {
    /// With at most about `budget` bytes in memory.
    pub fn new(fs: Arc<dyn FileSystem>, budget: usize) -> Sorter {
        Sorter { fs, budget: budget.max(64 << 10), bytes: Vec::new(), items: Vec::new(), runs: Vec::new(), file: None }
    }

    /// Takes a record.
    ///
    /// # Errors
    /// `DiskFull` and other I/O errors when a run must be written.
    pub fn push(&mut self, key: &[u8], payload: &[u8]) -> Result<()> {
        let held = self.bytes.len() + self.items.len() * size_of::<Item>();
        if held + key.len() + payload.len() > self.budget && !self.items.is_empty() {
            self.spill()?;
        }
        let at = self.bytes.len() as u64;
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(payload);
        self.items.push(Item { head: head(key), at, key: key.len() as u32, payload: payload.len() as u32 });
        Ok(())
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        let key = |i: &Item| bytes.get(i.at as usize..(i.at + u64::from(i.key)) as usize).unwrap_or(&[]);
        self.items.sort_unstable_by(|a, b| a.head.cmp(&b.head).then_with(|| key(a).cmp(key(b))));
    }

    /// Writes the buffer as a run.
    fn spill(&mut self) -> Result<()> {
        self.sort();
        let mut tmp = match self.file.take() {
            Some(f) => f,
            None => {
                self.fs.create_dir(TMP_DIR)?;
                let name = format!("{TMP_DIR}/sort-{}", NEXT_FILE.fetch_add(1, Ordering::Relaxed));
                let file = self.fs.open(&name, OpenMode::Truncate, FileKind::Log)?;
                TmpFile { fs: self.fs.clone(), name, file, len: 0 }
            }
        };
        let start = tmp.len;
        let mut out: Vec<u8> = Vec::with_capacity(WRITE + (16 << 10));
        for i in &self.items {
            out.extend_from_slice(&i.key.to_le_bytes());
            out.extend_from_slice(&i.payload.to_le_bytes());
            let end = i.at as usize + (i.key + i.payload) as usize;
            out.extend_from_slice(self.bytes.get(i.at as usize..end).unwrap_or(&[]));
            if out.len() >= WRITE {
                tmp.file.write_at(tmp.len, &out)?;
                tmp.len += out.len() as u64;
                out.clear();
            }
        }
        tmp.file.write_at(tmp.len, &out)?;
        tmp.len += out.len() as u64;
        self.runs.push((start, tmp.len));
        self.file = Some(tmp);
        self.bytes.clear();
        self.items.clear();
        Ok(())
    }

    /// The records in order of their keys.
    ///
    /// # Errors
    /// I/O.
    pub fn sorted(mut self) -> Result<Sorted> {
        if self.runs.is_empty() {
            self.sort();
        } else if !self.items.is_empty() {
            self.spill()?;
            (self.bytes, self.items) = (Vec::new(), Vec::new());
        }
        let mut readers = Vec::new();
        if let Some(f) = &self.file {
            for (at, end) in &self.runs {
                let mut r =
                    Reader { file: f.file.clone(), at: *at, end: *end, buf: Vec::new(), pos: 0, key: 0, len: 0 };
                if r.advance()? {
                    readers.push(r);
                }
            }
        }
        let mut sorted = Sorted { heap: (0..readers.len()).collect(), readers, sorter: self, next: 0, started: false };
        for i in (0..sorted.heap.len() / 2).rev() {
            sorted.sift(i);
        }
        Ok(sorted)
    }
}

/// One run while it is merged.
struct Reader {
    file: Arc<dyn DataFile>,
    /// Where the file is read next, and the run's end.
    at: u64,
    end: u64,
    buf: Vec<u8>,
    /// The current record's key starts here in `buf`.
    pos: usize,
    key: usize,
    len: usize,
}

impl Reader {
    /// Makes `n` bytes from `pos` on available.
    fn need(&mut self, n: usize) -> Result<()> {
        if self.buf.len() - self.pos >= n {
            return Ok(());
        }
        self.buf.drain(..self.pos);
        self.pos = 0;
        let have = self.buf.len();
        let take = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(READ.max(n));
        self.buf.resize(have + take, 0);
        self.file.read_at(self.at, self.buf.get_mut(have..).unwrap_or(&mut []))?;
        self.at += take as u64;
        if self.buf.len() < n {
            return Err(StorageError::WrongFormat { file: self.file.name().into(), why: "a sort run cut short" });
        }
        Ok(())
    }

    /// To the next record; `false` at the end of the run.
    fn advance(&mut self) -> Result<bool> {
        self.pos += self.len;
        self.len = 0;
        if self.pos == self.buf.len() && self.at == self.end {
            return Ok(false);
        }
        self.need(8)?;
        let word = |at: usize| {
            let b: Option<[u8; 4]> = self.buf.get(at..at + 4).and_then(|b| b.try_into().ok());
            b.map_or(0, |b| u32::from_le_bytes(b) as usize)
        };
        let (key, payload) = (word(self.pos), word(self.pos + 4));
        self.pos += 8;
        self.need(key + payload)?;
        (self.key, self.len) = (key, key + payload);
        Ok(true)
    }

    fn record(&self) -> (&[u8], &[u8]) {
        let all = self.buf.get(self.pos..self.pos + self.len).unwrap_or(&[]);
        all.split_at_checked(self.key).unwrap_or((all, &[]))
    }
}

/// The sorted records.
pub struct Sorted {
    readers: Vec<Reader>,
    /// Readers by their current key, smallest first.
    heap: Vec<usize>,
    sorter: Sorter,
    /// Without runs: next item.
    next: usize,
    started: bool,
}

impl Sorted {
    /// The next record.
    ///
    /// # Errors
    /// I/O.
    #[allow(clippy::should_implement_trait)] // it fails, and it lends
    pub fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        if self.readers.is_empty() {
            let Some(i) = self.sorter.items.get(self.next) else { return Ok(None) };
            self.next += 1;
            let end = i.at as usize + (i.key + i.payload) as usize;
            let all = self.sorter.bytes.get(i.at as usize..end).unwrap_or(&[]);
            return Ok(all.split_at_checked(i.key as usize));
        }
        if std::mem::replace(&mut self.started, true)
            && let Some(&first) = self.heap.first()
        {
            if let Some(r) = self.readers.get_mut(first)
                && !r.advance()?
            {
                self.heap.swap_remove(0);
            }
            self.sift(0);
        }
        Ok(self.heap.first().and_then(|r| self.readers.get(*r)).map(Reader::record))
    }

    fn key(&self, at: usize) -> Option<&[u8]> {
        self.heap.get(at).and_then(|r| self.readers.get(*r)).map(|r| r.record().0)
    }

    fn sift(&mut self, mut at: usize) {
        loop {
            let mut least = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if let (Some(c), Some(l)) = (self.key(child), self.key(least))
                    && c < l
                {
                    least = child;
                }
            }
            if least == at {
                return;
            }
            self.heap.swap(at, least);
            at = least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::sim::SimFs;

    fn check(records: usize, budget: usize) {
        let fs = Arc::new(SimFs::new());
        let mut sorter = Sorter::new(fs.clone(), budget);
        let mut want = Vec::new();
        let mut x = 88_172_645_463_325_252u64;
        for i in 0..records {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            let mut key = (x % 5000).to_string().into_bytes();
            key.extend_from_slice(&(i as u32).to_be_bytes());
            let payload = vec![i as u8; (x % 90) as usize];
            sorter.push(&key, &payload).unwrap();
            want.push((key, payload));
        }
        want.sort();
        let spilled = !sorter.runs.is_empty();
        assert_eq!(spilled, budget < records * 40);
        let mut sorted = sorter.sorted().unwrap();
        for (k, p) in &want {
            assert_eq!(sorted.next().unwrap().unwrap(), (k.as_slice(), p.as_slice()));
        }
        assert!(sorted.next().unwrap().is_none());
        assert_eq!(fs.list(TMP_DIR).unwrap().len(), spilled as usize);
        drop(sorted);
        assert!(fs.list(TMP_DIR).unwrap().is_empty());
    }

    #[test]
    fn sorts_in_memory_and_in_runs() {
        check(0, 1 << 20);
        check(1000, 1 << 20);
        check(30_000, 128 << 10);
    }
}
