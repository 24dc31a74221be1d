//! [`Told`]: a file system whose errors are told in the error log, whoever meets them and whatever becomes of them: the one place through which all
//! the engine's I/O passes. So it is counted here too, whatever file it is of: data, undo, doublewrite and redo log
//! are in `Innodb_data_reads`, `_writes`, `_fsyncs`, `_read`, `_written` and `_pending_*`, as in InnoDB (manual,
//! "Server Status Variables"), and each operation with its time is performance_schema's ([`probe::files`]).
//!
//! Not told here: that a file is missing or already there when it is opened (somebody was looking), that a second
//! name cannot be given (the client is told), and that there is no descriptor left ([`super::Files`] closes some and
//! tries again). What is told, and how often, see [`crate::told`]. No locks.

use super::{DataFile, FileKind, FileSystem, OpenMode};
use crate::error::{Result, StorageError};
use crate::told::Reporter;
use probe::files::{FileUse, Op, OpenFile};
use probe::{Counter, Gauge};
use std::sync::Arc;

/// Around another file system.
pub struct Told {
    fs: Arc<dyn FileSystem>,
    reporter: Arc<Reporter>,
}

struct ToldFile {
    file: Arc<dyn DataFile>,
    reporter: Arc<Reporter>,
    instance: OpenFile,
}

/// What a file is for, by its name in the data directory.
fn use_of(name: &str, kind: FileKind) -> FileUse {
    match name {
        n if n.ends_with(".dblwr") => FileUse::Doublewrite,
        n if n.starts_with("#innodb_redo/") => FileUse::Log,
        n if n.starts_with("#tmp/") => FileUse::Temporary,
        _ if kind == FileKind::Data => FileUse::Data,
        n if n.starts_with("#binlog_spill/") => FileUse::BinlogCache,
        // the binary log has a name that the administrator chose
        n if n.ends_with(".index") || n.ends_with(".index.new") => FileUse::BinlogIndex,
        n if is_numbered(n) => FileUse::Binlog,
        _ => FileUse::Misc,
    }
}

/// `NAME.000001`
fn is_numbered(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, n)| n.len() >= 6 && n.bytes().all(|b| b.is_ascii_digit()))
}

impl Told {
    /// Around `fs`, telling `reporter`.
    pub fn new(fs: Arc<dyn FileSystem>, reporter: Arc<Reporter>) -> Told {
        Told { fs, reporter }
    }
}

impl FileSystem for Told {
    fn open(&self, name: &str, mode: OpenMode, kind: FileKind) -> Result<Arc<dyn DataFile>> {
        let began = sys::clock::now_ns();
        match self.fs.open(name, mode, kind) {
            Ok(file) => {
                let took = sys::clock::now_ns().saturating_sub(began);
                let instance = probe::files::opened(&self.fs.whole_name(name), use_of(name, kind), took);
                Ok(Arc::new(ToldFile { file, reporter: self.reporter.clone(), instance }))
            }
            Err(e) => {
                let there = mode == OpenMode::CreateNew && matches!(e, StorageError::Io { errno: 17, .. });
                if !e.is_file_missing() && !e.is_out_of_descriptors() && !there {
                    self.reporter.tell(&e);
                }
                Err(e)
            }
        }
    }
    fn exists(&self, name: &str) -> bool {
        self.fs.exists(name)
    }
    fn remove(&self, name: &str) -> Result<()> {
        probe::files::removed(&self.fs.whole_name(name));
        self.reporter.see(self.fs.remove(name))
    }
    fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.reporter.see(self.fs.rename(from, to))?;
        probe::files::renamed(&self.fs.whole_name(from), &self.fs.whole_name(to));
        Ok(())
    }
    fn list(&self, dir: &str) -> Result<Vec<String>> {
        self.reporter.see(self.fs.list(dir))
    }
    fn create_dir(&self, dir: &str) -> Result<()> {
        self.reporter.see(self.fs.create_dir(dir))
    }
    fn link(&self, from: &str, to: &str) -> Result<()> {
        self.fs.link(from, to)
    }
    fn number(&self, name: &str) -> Option<(u64, u64)> {
        self.fs.number(name)
    }
    fn whole_name(&self, name: &str) -> String {
        self.fs.whole_name(name)
    }
}

/// An operation under way, which a gauge shows.
fn under_way<T>(gauge: Gauge, operation: impl FnOnce() -> Result<T>) -> Result<T> {
    gauge.add(1);
    let done = operation();
    gauge.add(-1);
    done
}

impl DataFile for ToldFile {
    fn read_up_to(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        let read = || under_way(Gauge::DataPendingReads, || self.file.read_up_to(offset, buf));
        let bytes = |done: &Result<usize>| done.as_ref().map_or(0, |n| *n as u64);
        let n = self.reporter.see(self.instance.run(Op::Read, "read", bytes, read))?;
        probe::inc(Counter::InnodbDataReads);
        probe::add(Counter::InnodbDataRead, n as u64);
        Ok(n)
    }
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let write = || under_way(Gauge::DataPendingWrites, || self.file.write_at(offset, bytes));
        let count = |done: &Result<()>| if done.is_ok() { bytes.len() as u64 } else { 0 };
        self.reporter.see(self.instance.run(Op::Write, "write", count, write))?;
        probe::inc(Counter::InnodbDataWrites);
        probe::add(Counter::InnodbDataWritten, bytes.len() as u64);
        Ok(())
    }
    fn sync_data(&self) -> Result<()> {
        let sync = || under_way(Gauge::DataPendingFsyncs, || self.file.sync_data());
        self.reporter.see(self.instance.run(Op::Misc, "sync", |_| 0, sync))?;
        probe::inc(Counter::InnodbDataFsyncs);
        Ok(())
    }
    fn preallocate(&self, len: u64) -> Result<()> {
        self.reporter.see(self.instance.run(Op::Misc, "chsize", |_| 0, || self.file.preallocate(len)))
    }
    fn unwritten(&self, from: u64, len: u64) -> Result<Option<(u64, u64)>> {
        self.reporter.see(self.file.unwritten(from, len))
    }
    fn len(&self) -> Result<u64> {
        self.reporter.see(self.instance.run(Op::Misc, "fstat", |_| 0, || self.file.len()))
    }
    fn set_len(&self, len: u64) -> Result<()> {
        self.reporter.see(self.instance.run(Op::Misc, "chsize", |_| 0, || self.file.set_len(len)))
    }
    fn name(&self) -> &str {
        self.file.name()
    }
}
