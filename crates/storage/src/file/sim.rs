//! [`FileSystem`] in memory that behaves like a disk with a volatile cache.
//!
//! A write is visible to reads at once and durable after `sync_data`. [`SimFs::crash`] decides with a seed what became of
//! every write since: kept, lost, or torn at 512-byte sectors, each on its own (so a later write may survive an earlier
//! one). Directory operations are durable when they return, as [`FileSystem`] demands. Faults: [`SimFs::fail_after`] (an
//! error once or for ever after n writes or syncs), [`SimFs::power_cut_after`] (every operation after the n-th write or
//! sync fails and has no effect: the crash in the middle of anything), [`SimFs::set_sync_delay`].
//! One mutex around everything; it is a test tool.

use super::{DataFile, FileKind, FileSystem, OpenMode};
use crate::error::{Result, StorageError};
use hashbrown::HashMap;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

const SECTOR: usize = 512;
const BLOCK: usize = 4096;

/// What an injected fault looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// ENOSPC, nothing written.
    NoSpace,
    /// EIO, nothing written.
    Io,
    /// EIO after half of the bytes were written.
    ShortWrite,
}

/// Bytes kept in blocks that exist only where something was written: a redo file of 1 GiB costs what is in use.
#[derive(Clone, Default)]
struct Sparse {
    len: usize,
    blocks: HashMap<usize, Box<[u8; BLOCK]>, foldhash::fast::FixedState>,
}

impl Sparse {
    fn put(&mut self, mut at: usize, mut bytes: &[u8]) {
        self.len = self.len.max(at + bytes.len());
        while !bytes.is_empty() {
            let block = self.blocks.entry(at / BLOCK).or_insert_with(|| Box::new([0; BLOCK]));
            let n = bytes.len().min(BLOCK - at % BLOCK);
            let (now, rest) = bytes.split_at_checked(n).unwrap_or((bytes, &[]));
            if let Some(to) = block.get_mut(at % BLOCK..at % BLOCK + n) {
                to.copy_from_slice(now);
            }
            at += n;
            bytes = rest;
        }
    }

    fn get(&self, mut at: usize, buf: &mut [u8]) -> usize {
        let len = self.len.saturating_sub(at).min(buf.len());
        let mut rest = buf.get_mut(..len).unwrap_or(&mut []);
        while !rest.is_empty() {
            let n = rest.len().min(BLOCK - at % BLOCK);
            let (to, more) = rest.split_at_mut(n);
            match self.blocks.get(&(at / BLOCK)).and_then(|b| b.get(at % BLOCK..at % BLOCK + n)) {
                Some(from) => to.copy_from_slice(from),
                None => to.fill(0),
            }
            at += n;
            rest = more;
        }
        len
    }

    fn set_len(&mut self, len: usize) {
        if len < self.len {
            self.blocks.retain(|b, _| b * BLOCK < len);
            let tail = len % BLOCK;
            if let Some(b) = self.blocks.get_mut(&(len / BLOCK)) {
                b.iter_mut().skip(tail).for_each(|v| *v = 0);
            }
        }
        self.len = len;
    }

    fn flip(&mut self, at: usize, mask: u8) {
        let mut b = [0];
        self.get(at, &mut b);
        self.put(at, &b.map(|v| v ^ mask));
    }
}

#[derive(Clone, Default)]
struct Node {
    now: Sparse,
    durable: Sparse,
    /// Writes since the last sync: offset and length (bytes are copied: a later write may overwrite them).
    pending: Vec<(u64, Vec<u8>)>,
}

struct State {
    files: BTreeMap<String, Arc<Mutex<Node>>>,
    epoch: u64,
    ops: u64,
    cut_at: u64,
    fault: Option<(u64, Fault, bool, String)>,
    sync_delay: Duration,
    writes: u64,
    syncs: u64,
    /// Data files that are open, and how many may be.
    open: usize,
    open_limit: usize,
}

/// The simulated disk. Clones share it.
#[derive(Clone)]
pub struct SimFs {
    state: Arc<Mutex<State>>,
    /// The crash that ends this handle is the next after so many; `None`: none does.
    epoch: Option<u64>,
}

/// Small deterministic generator (splitmix64).
#[derive(Clone, Debug)]
pub struct Rng(pub u64);

impl Rng {
    /// Next 64 bits.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// Uniform below `n` (n > 0).
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }
}

impl Default for SimFs {
    fn default() -> SimFs {
        SimFs::new()
    }
}

impl SimFs {
    /// An empty disk.
    pub fn new() -> SimFs {
        let state = State {
            files: BTreeMap::new(),
            epoch: 0,
            ops: 0,
            cut_at: u64::MAX,
            fault: None,
            sync_delay: Duration::ZERO,
            writes: 0,
            syncs: 0,
            open: 0,
            open_limit: usize::MAX,
        };
        SimFs { state: Arc::new(Mutex::new(state)), epoch: None }
    }

    /// The disk for one start of an engine: the next crash ends this handle as it ends the files that are open. An
    /// engine that a test has forgotten still has threads, and without this they would make and remove files under
    /// the engine that comes after.
    pub fn boot(&self) -> Arc<SimFs> {
        let epoch = Some(self.state.lock().epoch);
        Arc::new(SimFs { state: self.state.clone(), epoch })
    }

    /// Power is lost: what was not synced is kept, lost or torn as `seed` decides; files opened before are dead.
    /// Faults and power cuts are cleared.
    pub fn crash(&self, seed: u64) {
        let mut rng = Rng(seed);
        let mut s = self.state.lock();
        s.epoch += 1;
        s.cut_at = u64::MAX;
        s.fault = None;
        // How much survives differs from crash to crash: from nearly nothing to nearly everything.
        let keep_pct = [0, 10, 50, 90, 100].get(rng.below(5) as usize).copied().unwrap_or(50);
        for node in s.files.values() {
            let mut n = node.lock();
            let pending = std::mem::take(&mut n.pending);
            for (at, bytes) in pending {
                let whole = rng.below(100) < keep_pct;
                for (i, sector) in bytes.chunks(SECTOR).enumerate() {
                    if whole || (keep_pct > 0 && keep_pct < 100 && rng.below(3) == 0) {
                        n.durable.put(at as usize + i * SECTOR, sector);
                    }
                }
            }
            n.now = n.durable.clone();
        }
    }

    /// After `ops` more writes or syncs on files whose name contains `name`: `fault`; for ever, or just once.
    pub fn fail_after(&self, ops: u64, fault: Fault, forever: bool, name: &str) {
        self.state.lock().fault = Some((ops, fault, forever, name.to_owned()));
    }

    /// Clears what [`SimFs::fail_after`] set.
    pub fn heal(&self) {
        self.state.lock().fault = None;
    }

    /// After `ops` more writes or syncs nothing works any more until [`SimFs::crash`].
    pub fn power_cut_after(&self, ops: u64) {
        let mut s = self.state.lock();
        s.cut_at = s.ops + ops;
    }

    /// Every sync takes at least this long from now on.
    pub fn set_sync_delay(&self, d: Duration) {
        self.state.lock().sync_delay = d;
    }

    /// From now on opening one more file than `most` fails with EMFILE.
    pub fn set_open_limit(&self, most: usize) {
        self.state.lock().open_limit = most;
    }

    /// Files that are open.
    pub fn open_now(&self) -> usize {
        self.state.lock().open
    }

    /// (writes, syncs) so far.
    pub fn counts(&self) -> (u64, u64) {
        let s = self.state.lock();
        (s.writes, s.syncs)
    }

    /// Flips bits in a file, durably: corruption for tests. False when the file is shorter.
    pub fn flip(&self, name: &str, offset: u64, mask: u8) -> bool {
        let s = self.state.lock();
        let Some(node) = s.files.get(name) else { return false };
        let mut n = node.lock();
        let at = offset as usize;
        if at >= n.now.len || at >= n.durable.len {
            return false;
        }
        n.now.flip(at, mask);
        n.durable.flip(at, mask);
        true
    }

    /// Another disk with the same durable contents, which from now on goes its own way: many damages of one state for tests.
    pub fn fork(&self) -> SimFs {
        let new = SimFs::new();
        {
            let (s, mut n) = (self.state.lock(), new.state.lock());
            for (name, node) in &s.files {
                let durable = node.lock().durable.clone();
                let node = Node { now: durable.clone(), durable, pending: Vec::new() };
                n.files.insert(name.clone(), Arc::new(Mutex::new(node)));
            }
        }
        new
    }

    /// Counts one write or sync and says what happens to it.
    fn step(&self, name: &str, epoch: u64) -> Result<Option<Fault>> {
        let mut s = self.state.lock();
        let dead = StorageError::Io { op: "write", file: name.into(), errno: 5 };
        if s.epoch != epoch || s.ops >= s.cut_at {
            return Err(dead);
        }
        s.ops += 1;
        if let Some((left, fault, forever, part)) = &mut s.fault
            && name.contains(part.as_str())
        {
            if *left > 0 {
                *left -= 1;
            } else {
                let f = *fault;
                if !*forever {
                    s.fault = None;
                }
                return Ok(Some(f));
            }
        }
        Ok(None)
    }

    /// Whether an operation on the directory may have an effect.
    fn has_power(&self, s: &State) -> bool {
        s.ops < s.cut_at && self.epoch.is_none_or(|e| e == s.epoch)
    }

    fn alive(&self, name: &str, epoch: u64) -> Result<()> {
        let s = self.state.lock();
        if s.epoch != epoch || s.ops >= s.cut_at {
            return Err(StorageError::Io { op: "read", file: name.into(), errno: 5 });
        }
        Ok(())
    }
}

struct SimFile {
    fs: SimFs,
    node: Arc<Mutex<Node>>,
    name: Box<str>,
    epoch: u64,
}

impl Drop for SimFile {
    fn drop(&mut self) {
        self.fs.state.lock().open -= 1;
    }
}

impl SimFile {
    fn fault(&self, f: Fault, op: &'static str) -> StorageError {
        match f {
            Fault::NoSpace => StorageError::DiskFull { file: self.name.clone() },
            Fault::Io | Fault::ShortWrite => StorageError::Io { op, file: self.name.clone(), errno: 5 },
        }
    }
}

impl DataFile for SimFile {
    fn read_up_to(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        self.fs.alive(&self.name, self.epoch)?;
        Ok(self.node.lock().now.get(offset as usize, buf))
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let fault = self.fs.step(&self.name, self.epoch)?;
        let bytes = match fault {
            None => bytes,
            Some(Fault::ShortWrite) => bytes.get(..bytes.len() / 2).unwrap_or(&[]),
            Some(_) => &[],
        };
        self.fs.state.lock().writes += 1;
        let mut n = self.node.lock();
        n.now.put(offset as usize, bytes);
        n.pending.push((offset, bytes.to_vec()));
        match fault {
            None => Ok(()),
            Some(f) => Err(self.fault(f, "write")),
        }
    }

    fn sync_data(&self) -> Result<()> {
        let fault = self.fs.step(&self.name, self.epoch)?;
        let delay = self.fs.state.lock().sync_delay;
        // What is synced is what was written before the call, not during it.
        let upto = self.node.lock().pending.len();
        if !delay.is_zero() {
            std::thread::sleep(delay);
        }
        if let Some(f) = fault {
            return Err(self.fault(f, "sync"));
        }
        self.fs.state.lock().syncs += 1;
        let mut n = self.node.lock();
        let upto = upto.min(n.pending.len());
        let done: Vec<_> = n.pending.drain(..upto).collect();
        for (at, bytes) in done {
            n.durable.put(at as usize, &bytes);
        }
        Ok(())
    }

    fn preallocate(&self, len: u64) -> Result<()> {
        if let Some(f) = self.fs.step(&self.name, self.epoch)? {
            return Err(self.fault(f, "extend"));
        }
        let mut n = self.node.lock();
        let len = (len as usize).max(n.now.len);
        n.now.set_len(len);
        let durable = len.max(n.durable.len);
        n.durable.set_len(durable);
        Ok(())
    }

    fn len(&self) -> Result<u64> {
        self.fs.alive(&self.name, self.epoch)?;
        Ok(self.node.lock().now.len as u64)
    }

    fn set_len(&self, len: u64) -> Result<()> {
        if let Some(f) = self.fs.step(&self.name, self.epoch)? {
            return Err(self.fault(f, "truncate"));
        }
        let mut n = self.node.lock();
        n.now.set_len(len as usize);
        n.durable.set_len(len as usize);
        Ok(())
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl FileSystem for SimFs {
    fn open(&self, name: &str, mode: OpenMode, _kind: FileKind) -> Result<Arc<dyn DataFile>> {
        let mut s = self.state.lock();
        let err = |errno| Err(StorageError::Io { op: "open", file: name.into(), errno });
        if !self.has_power(&s) {
            return err(5);
        }
        if s.open >= s.open_limit {
            return err(24);
        }
        let node = match (s.files.get(name), mode) {
            (Some(_), OpenMode::CreateNew) => return err(17),
            (None, OpenMode::ReadOnly | OpenMode::ReadWrite) => return err(2),
            (Some(n), OpenMode::Truncate) => {
                *n.lock() = Node::default();
                n.clone()
            }
            (Some(n), _) => n.clone(),
            (None, _) => {
                let n = Arc::new(Mutex::new(Node::default()));
                s.files.insert(name.to_owned(), n.clone());
                n
            }
        };
        s.open += 1;
        Ok(Arc::new(SimFile { fs: self.clone(), node, name: name.into(), epoch: s.epoch }))
    }

    fn exists(&self, name: &str) -> bool {
        self.state.lock().files.contains_key(name)
    }

    fn remove(&self, name: &str) -> Result<()> {
        let mut s = self.state.lock();
        if !self.has_power(&s) {
            return Err(StorageError::Io { op: "remove", file: name.into(), errno: 5 });
        }
        s.files.remove(name);
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> Result<()> {
        let mut s = self.state.lock();
        if !self.has_power(&s) {
            return Err(StorageError::Io { op: "rename", file: from.into(), errno: 5 });
        }
        match s.files.remove(from) {
            Some(n) => {
                s.files.insert(to.to_owned(), n);
                Ok(())
            }
            None => Err(StorageError::Io { op: "rename", file: from.into(), errno: 2 }),
        }
    }

    fn list(&self, dir: &str) -> Result<Vec<String>> {
        let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
        let s = self.state.lock();
        Ok(s.files
            .keys()
            .filter_map(|k| k.strip_prefix(&prefix))
            .filter(|k| !k.contains('/'))
            .map(str::to_owned)
            .collect())
    }

    fn create_dir(&self, _dir: &str) -> Result<()> {
        Ok(())
    }

    fn link(&self, from: &str, to: &str) -> Result<()> {
        let mut s = self.state.lock();
        let err = |errno| Err(StorageError::Io { op: "link", file: to.into(), errno });
        match s.files.get(from).cloned() {
            _ if !self.has_power(&s) => err(5),
            _ if s.files.contains_key(to) => err(17),
            None => err(2),
            Some(n) => {
                s.files.insert(to.to_owned(), n);
                Ok(())
            }
        }
    }

    fn number(&self, name: &str) -> Option<(u64, u64)> {
        self.state.lock().files.get(name).map(|n| (0, Arc::as_ptr(n) as usize as u64))
    }
}
