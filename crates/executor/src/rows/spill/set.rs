//! A set of byte strings that may be larger than memory: WITH RECURSIVE ... UNION DISTINCT asks it for every row of every round.
//!
//! New members go to a hash set. When that passes the limit its members are written, sorted, as a *run* with the first member of each block
//! kept in memory; a question looks into the hash set and then by binary search into each run, newest last, which reads one block each. More than
//! [`RUNS`] runs are merged into one, in a new file.
//!
//! Block of a run: `[length u32 le][member]`, sorted.

use base::SqlResult;
use hashbrown::HashSet;

use super::{Room, TempFile};
use probe::held::Held;

/// Runs before they are merged.
const RUNS: usize = 8;
/// Bytes of a block.
const BLOCK: usize = 8 << 10;

/// See the module.
#[derive(Debug, Default)]
pub struct KeySet {
    seen: HashSet<Box<[u8]>, foldhash::fast::RandomState>,
    size: usize,
    /// For performance_schema.
    held: Held,
    runs: Vec<Run>,
    file: Option<TempFile>,
}

/// Sorted members in the file.
#[derive(Debug, Default)]
struct Run {
    /// First member, place and length of each block.
    blocks: Vec<(Box<[u8]>, u64, u32)>,
    /// The block that was read last, and its number plus one.
    buf: Vec<u8>,
    held: usize,
}

impl KeySet {
    /// Forgets all.
    pub fn clear(&mut self) {
        *self = KeySet::default();
    }

    /// Bytes in memory.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Adds a member; whether it is new.
    ///
    /// # Errors
    /// Those of [`super`].
    pub fn insert(&mut self, key: &[u8], limit: usize, env: &impl Room) -> SqlResult<bool> {
        if self.seen.contains(key) {
            return Ok(false);
        }
        if let Some(f) = &self.file {
            for r in &mut self.runs {
                if r.contains(key, f)? {
                    return Ok(false);
                }
            }
        }
        self.size += key.len() + 48;
        self.seen.insert(key.into());
        self.held.set(self.size);
        if self.size > limit {
            self.spill(env)?;
        }
        Ok(true)
    }

    fn spill(&mut self, env: &impl Room) -> SqlResult<()> {
        let file = match &mut self.file {
            Some(f) => f,
            None => {
                probe::inc(probe::Counter::CreatedTmpDiskTables);
                self.file.insert(env.file()?)
            }
        };
        let mut members: Vec<Box<[u8]>> = self.seen.drain().collect();
        self.size = 0;
        self.held.set(0);
        members.sort_unstable();
        let mut w = Writer::default();
        for m in &members {
            w.put(m, file)?;
        }
        self.runs.push(w.finish(file)?);
        if self.runs.len() > RUNS { self.merge(env) } else { Ok(()) }
    }

    /// One run out of all.
    fn merge(&mut self, env: &impl Room) -> SqlResult<()> {
        let Some(old) = self.file.take() else { return Ok(()) };
        let mut fresh = env.file()?;
        let mut w = Writer::default();
        let mut readers = Vec::new();
        for run in std::mem::take(&mut self.runs) {
            let mut r = Reader { run, block: 0, at: 0, end: 0 };
            if r.step(&old)? {
                readers.push(r);
            }
        }
        let mut steps = 0u32;
        while let Some(i) = (0..readers.len()).min_by_key(|i| readers.get(*i).map(Reader::member)) {
            let Some(r) = readers.get_mut(i) else { break };
            w.put(r.member(), &mut fresh)?;
            if !r.step(&old)? {
                readers.swap_remove(i);
            }
            steps = steps.wrapping_add(1);
            if steps & 1023 == 0 {
                env.check()?;
            }
        }
        self.runs.push(w.finish(&mut fresh)?);
        self.file = Some(fresh);
        Ok(())
    }
}

impl Run {
    /// Reads a block unless it is the one held.
    fn load(&mut self, n: usize, file: &TempFile) -> SqlResult<bool> {
        let Some((_, at, len)) = self.blocks.get(n) else { return Ok(false) };
        if self.held != n + 1 {
            self.held = 0;
            self.buf.resize(*len as usize, 0);
            file.read(&mut self.buf, *at)?;
            self.held = n + 1;
        }
        Ok(true)
    }

    fn contains(&mut self, key: &[u8], file: &TempFile) -> SqlResult<bool> {
        let Some(n) = self.blocks.partition_point(|b| *b.0 <= *key).checked_sub(1) else { return Ok(false) };
        if !self.load(n, file)? {
            return Ok(false);
        }
        let mut at = 0;
        while let Some((start, end)) = member(&self.buf, at) {
            match self.buf.get(start..end).unwrap_or(&[]).cmp(key) {
                std::cmp::Ordering::Less => at = end,
                o => return Ok(o.is_eq()),
            }
        }
        Ok(false)
    }
}

/// Where the member whose length stands at `at` begins and ends.
fn member(buf: &[u8], at: usize) -> Option<(usize, usize)> {
    let len = buf.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes)?;
    Some((at + 4, at + 4 + len as usize))
}

/// Reads a run from its beginning.
struct Reader {
    run: Run,
    block: usize,
    at: usize,
    end: usize,
}

impl Reader {
    fn member(&self) -> &[u8] {
        self.run.buf.get(self.at..self.end).unwrap_or(&[])
    }
    fn step(&mut self, file: &TempFile) -> SqlResult<bool> {
        if self.block == 0 || self.end >= self.run.buf.len() {
            if !self.run.load(self.block, file)? {
                return Ok(false);
            }
            self.block += 1;
            self.end = 0;
        }
        let Some((start, end)) = member(&self.run.buf, self.end) else { return Ok(false) };
        (self.at, self.end) = (start, end);
        Ok(true)
    }
}

/// Writes a run.
#[derive(Default)]
struct Writer {
    run: Run,
    buf: Vec<u8>,
    first: Box<[u8]>,
}

impl Writer {
    fn put(&mut self, m: &[u8], file: &mut TempFile) -> SqlResult<()> {
        if self.buf.is_empty() {
            self.first = m.into();
        }
        self.buf.extend_from_slice(&(m.len() as u32).to_le_bytes());
        self.buf.extend_from_slice(m);
        if self.buf.len() >= BLOCK { self.flush(file) } else { Ok(()) }
    }
    fn flush(&mut self, file: &mut TempFile) -> SqlResult<()> {
        if !self.buf.is_empty() {
            let at = file.append(&self.buf)?;
            self.run.blocks.push((std::mem::take(&mut self.first), at, self.buf.len() as u32));
            self.buf.clear();
        }
        Ok(())
    }
    fn finish(mut self, file: &mut TempFile) -> SqlResult<Run> {
        self.flush(file)?;
        Ok(self.run)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Anywhere;
    use super::*;

    #[test]
    fn members_are_new_once() {
        let key = |i: u32| {
            let mut k = i.wrapping_mul(2_654_435_761).to_le_bytes().to_vec();
            k.resize(4 + (i % 90) as usize, 7);
            k
        };
        let mut s = KeySet::default();
        for i in 0..20_000u32 {
            assert!(s.insert(&key(i), 20_000, &Anywhere).unwrap(), "{i}");
            let j = i.wrapping_mul(31) % (i + 1);
            assert!(!s.insert(&key(j), 20_000, &Anywhere).unwrap(), "{j}");
        }
        assert!(s.runs.len() > 1 && s.size() <= 20_000);
        for i in 0..20_000 {
            assert!(!s.insert(&key(i), 20_000, &Anywhere).unwrap(), "{i}");
        }
        assert!(s.insert(b"", 20_000, &Anywhere).unwrap());
        assert!(!s.insert(b"", 20_000, &Anywhere).unwrap());
    }
}
