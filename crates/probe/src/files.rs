//! Files that the server has open or has had: file_instances, and what was read and written by file and by instrument.
//!
//! Whoever opens a file ([`opened`]) tells of each operation, with the time that it took: a clock reading before and
//! after is small beside a system call. An entry stays when the file is closed and goes when it is removed, as in
//! MySQL; what it counted stays with its instrument. At most `performance_schema_max_file_instances` have entries,
//! those beyond count for their instrument alone and are told by the status variable
//! `Performance_schema_file_instances_lost`.
//!
//! Lock: the registry's, cold; operations are atomic additions. Tested below and by
//! `tests/clients/test_file_events.py`.

use crate::instruments::Instrument;
use crate::timing::{Times, merge};
use crate::waits::{About, Object, Part, Shared, record, wanted};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

macro_rules! files {
    ($($id:ident $name:literal $doc:literal;)*) => {
        /// What a file is for.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum FileUse { $(#[doc = $doc] $id,)* }
        impl FileUse {
            /// All of them.
            pub const ALL: &[FileUse] = &[$(FileUse::$id),*];
            /// MySQL's name of the instrument.
            pub const fn name(self) -> &'static str { match self { $(FileUse::$id => $name,)* } }
        }
    };
}

files! {
    Data "wait/io/file/innodb/innodb_data_file" "A tablespace.";
    Log "wait/io/file/innodb/innodb_log_file" "The redo log.";
    Doublewrite "wait/io/file/innodb/innodb_dblwr_file" "The doublewrite buffer.";
    Temporary "wait/io/file/sql/io_cache" "Temporary files of sorts, joins and results.";
    Misc "wait/io/file/sql/misc" "Other files of the data directory.";
    QueryLog "wait/io/file/sql/query_log" "The general log.";
    SlowLog "wait/io/file/sql/slow_log" "The slow log.";
    Load "wait/io/file/sql/load" "What LOAD DATA reads.";
    LoadFile "wait/io/file/sql/LOAD_FILE" "What LOAD_FILE() reads.";
    HashJoin "wait/io/file/sql/hash_join" "Both sides of hash joins that do not fit into memory.";
    Binlog "wait/io/file/sql/binlog" "The binary log.";
    BinlogCache "wait/io/file/sql/binlog_cache" "Large transactions on their way into the binary log.";
    BinlogIndex "wait/io/file/sql/binlog_index" "The list of the binary log's files.";
    RelayLog "wait/io/file/sql/relaylog" "What has come from the source.";
    RelayLogIndex "wait/io/file/sql/relaylog_index" "The list of these files.";
    IntoFile "wait/io/file/sql/select_to_file" "What SELECT ... INTO OUTFILE writes.";
}

/// What is done with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// Reads bytes.
    Read = 0,
    /// Writes bytes.
    Write = 1,
    /// Anything else: open, sync, change of its size.
    Misc = 2,
}

/// Sums of operations: times, then bytes, of reads, writes and others.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    times: [Shared; 3],
    bytes: [AtomicU64; 2],
}

/// [`Counts`] as they are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileTotals {
    /// Of reads, writes, others.
    pub times: [Times; 3],
    /// Read and written.
    pub bytes: [u64; 2],
}

impl FileTotals {
    /// All operations together.
    pub fn all(&self) -> Times {
        let mut sum = Times::default();
        self.times.iter().for_each(|t| merge(&mut sum, t));
        sum
    }
}

impl Counts {
    pub(crate) fn add(&self, op: Op, ns: u64, bytes: u64) {
        self.times.get(op as usize).into_iter().for_each(|t| t.add(ns));
        self.bytes.get(op as usize).into_iter().for_each(|b| _ = b.fetch_add(bytes, Relaxed));
    }
    pub(crate) fn totals(&self) -> FileTotals {
        FileTotals {
            times: self.times.each_ref().map(Shared::times),
            bytes: self.bytes.each_ref().map(|b| b.load(Relaxed)),
        }
    }
    pub(crate) fn reset(&self) {
        self.times.iter().for_each(Shared::reset);
        self.bytes.iter().for_each(|b| b.store(0, Relaxed));
    }
}

/// One file.
#[derive(Debug)]
pub struct FileInstance {
    used: FileUse,
    object: Arc<Object>,
    open: AtomicI64,
    counts: Counts,
}

/// By instrument, those without an entry included.
static BY_USE: Mutex<Option<BTreeMap<FileUse, Arc<Counts>>>> = Mutex::new(None);
static FILES: Mutex<BTreeMap<String, Arc<FileInstance>>> = Mutex::new(BTreeMap::new());
static MOST: AtomicUsize = AtomicUsize::new(10_000);
static LOST: AtomicU64 = AtomicU64::new(0);

fn locked<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(|e| e.into_inner())
}

/// Sets how many files have entries.
pub fn configure(most: usize) {
    MOST.store(most, Relaxed);
}

/// Files that found no room.
pub fn lost() -> u64 {
    LOST.load(Relaxed)
}

fn counts_of(used: FileUse) -> Arc<Counts> {
    locked(&BY_USE).get_or_insert_default().entry(used).or_default().clone()
}

/// A file that is open.
#[derive(Debug)]
pub struct OpenFile {
    file: Arc<FileInstance>,
    sums: Arc<Counts>,
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        self.file.open.fetch_sub(1, Relaxed);
    }
}

/// A file has been opened by its whole name, which took `ns`.
pub fn opened(name: &str, used: FileUse, ns: u64) -> OpenFile {
    let new = || {
        let object = Object { kind: "FILE", name: Some(name.to_owned()), ..Object::default() };
        Arc::new(FileInstance { used, object: Arc::new(object), open: AtomicI64::new(0), counts: Counts::default() })
    };
    let mut files = locked(&FILES);
    let file = match files.get(name).filter(|f| f.used == used) {
        Some(known) => known.clone(),
        None if files.len() >= MOST.load(Relaxed) && !files.contains_key(name) => {
            LOST.fetch_add(1, Relaxed);
            new()
        }
        None => {
            let file = new();
            files.insert(name.to_owned(), file.clone());
            file
        }
    };
    drop(files);
    file.open.fetch_add(1, Relaxed);
    let open = OpenFile { file, sums: counts_of(used) };
    open.done(Op::Misc, "open", ns, None);
    open
}

/// A file has been removed.
pub fn removed(name: &str) {
    locked(&FILES).remove(name);
}

/// A file has another name.
pub fn renamed(from: &str, to: &str) {
    let mut files = locked(&FILES);
    let Some(old) = files.remove(from) else { return };
    // who has it open goes on counting for the old entry's instrument
    let object = Object { kind: "FILE", name: Some(to.to_owned()), ..Object::default() };
    let (used, open) = (old.used, AtomicI64::new(0));
    files.insert(
        to.to_owned(),
        Arc::new(FileInstance { used, object: Arc::new(object), open, counts: Counts::default() }),
    );
}

impl OpenFile {
    /// Runs an operation and counts it. `bytes` tells how many it has moved, of reads and writes.
    pub fn run<R>(&self, op: Op, operation: &'static str, bytes: impl FnOnce(&R) -> u64, f: impl FnOnce() -> R) -> R {
        if !wanted(Instrument::file(self.file.used)) {
            return f();
        }
        let began = sys::clock::now_ns();
        let done = f();
        let bytes = if op == Op::Misc { None } else { Some(bytes(&done)) };
        self.done(op, operation, sys::clock::now_ns().saturating_sub(began), bytes);
        done
    }

    /// An operation that has ended.
    fn done(&self, op: Op, operation: &'static str, ns: u64, bytes: Option<u64>) {
        let i = Instrument::file(self.file.used);
        let about = || About {
            operation,
            object: Some(self.file.object.clone()),
            address: Arc::as_ptr(&self.file).addr(),
            part: bytes.map_or(Part::None, Part::Bytes),
        };
        if record(i, ns, about) {
            let ns = if i.timed() { ns } else { 0 };
            for counts in [&self.file.counts, &*self.sums] {
                counts.add(op, ns, bytes.unwrap_or(0));
            }
        }
    }
}

/// A row of the tables about files.
#[derive(Clone, Debug)]
pub struct FileRow {
    /// Whole name.
    pub name: String,
    /// What it is for.
    pub used: FileUse,
    /// How often it is open.
    pub open: i64,
    /// OBJECT_INSTANCE_BEGIN.
    pub address: usize,
    /// What was done.
    pub totals: FileTotals,
}

/// All files, by name.
pub fn all() -> Vec<FileRow> {
    let row = |(name, f): (&String, &Arc<FileInstance>)| FileRow {
        name: name.clone(),
        used: f.used,
        open: f.open.load(Relaxed),
        address: Arc::as_ptr(f).addr(),
        totals: f.counts.totals(),
    };
    locked(&FILES).iter().map(row).collect()
}

/// What was done by instrument.
pub fn totals(used: FileUse) -> FileTotals {
    counts_of(used).totals()
}

/// TRUNCATE of the sums by instrument or by file.
pub fn reset(instances: bool) {
    if instances {
        locked(&FILES).values().for_each(|f| f.counts.reset());
    } else {
        FileUse::ALL.iter().for_each(|u| counts_of(*u).reset());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_from_open_to_removal() {
        let _alone = crate::instruments::switching();
        let before = totals(FileUse::Misc);
        let f = opened("/x/a", FileUse::Misc, 5);
        let n: usize = f.run(Op::Write, "write", |n| *n as u64, || 100);
        f.run(Op::Read, "read", |_| 30, || ());
        f.run(Op::Misc, "sync", |_| 0, || ());
        assert_eq!(n, 100);
        let row = || all().into_iter().find(|r| r.name == "/x/a");
        let r = row().unwrap();
        assert_eq!((r.open, r.totals.bytes, r.totals.times.map(|t| t[0])), (1, [30, 100], [1, 1, 2]));
        assert_eq!(r.totals.all()[0], 4);
        assert!(r.totals.times[2][1] >= 5, "the time of the open");
        let after = totals(FileUse::Misc);
        assert_eq!([0, 1].map(|i: usize| after.bytes[i] - before.bytes[i]), [30, 100]);
        let i = Instrument::file(FileUse::Misc);
        i.set(false, false);
        f.run(Op::Write, "write", |_| 7, || ());
        i.set(true, true);
        assert_eq!(row().unwrap().totals.bytes, [30, 100], "an instrument that is off");
        drop(f);
        assert_eq!(row().unwrap().open, 0);
        renamed("/x/a", "/x/b");
        assert!(row().is_none() && all().iter().any(|r| r.name == "/x/b"));
        removed("/x/b");
        assert!(!all().iter().any(|r| r.name == "/x/b"));
    }
}
