//! Rows that do not fit into the memory a statement may use: temporary files, and what is built on them.
//!
//! * [`TempFile`]: a file in `tmpdir` without a name (unlinked when it is made: nothing is left behind by a crash), to which blocks are appended.
//! * [`spool`]: records in a row, several rows of them in one file; [`sorter`]: external merge sort; [`rows`]: the rows of slots as bytes;
//!   [`tuples`]: rows read again and by number; [`distinct`]: the first of equal rows; [`set`]: a set of byte strings;
//!   [`kept`]: the rows of a program's cursor.
//!
//! Who uses them: `ops::sort` (`sort_buffer_size`), DISTINCT, GROUP BY, derived tables, UNION, INTERSECT, EXCEPT, recursive tables and windows
//! (`tmp_table_size`, and `temptable_max_ram` for all in the server: [`ram`]), hash joins (`join_buffer_size`). Each keeps its rows
//! in memory until the limit is passed; only then a file is made. The order of what comes out is that of the way in memory, so that a
//! statement answers the same whatever the limits are.
//!
//! Files belong to one statement and one thread; no locks. Errors are MySQL's: 1 (cannot create), 2 (reading), 3 (writing, a full disk among
//! the causes). KILL is seen between records: whoever loops over them calls [`Ticks::next`].
//!
//! Tested in the modules and by `tests/sql/spill_random.py` (the same statements with small and large limits).

pub mod distinct;
pub mod kept;
pub mod ram;
pub mod rows;
pub mod set;
pub mod sorter;
pub mod spool;
pub mod tuples;

use probe::files::{FileUse, Op, OpenFile};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;

use crate::rows::env::Env;

/// What a table that may spill needs from the session.
pub trait Room {
    /// A file for it.
    fn file(&self) -> SqlResult<TempFile>;
    /// `temptable_max_ram`.
    fn ram(&self) -> u64;
    /// KILL.
    fn check(&self) -> SqlResult<()>;
}

impl Room for Env {
    fn file(&self) -> SqlResult<TempFile> {
        TempFile::create(self)
    }
    fn ram(&self) -> u64 {
        self.shared.globals.num(Var::temptable_max_ram)
    }
    fn check(&self) -> SqlResult<()> {
        self.check_killed()?;
        sched::check_interrupt()
    }
}

/// Counts records, so that a loop over many looks now and then whether it is to go on.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ticks(u32);

impl Ticks {
    /// Call once per record: looks whether the statement holds too much (4081, 4082) and, each 64th time, for KILL and
    /// timeouts (1317, 3024).
    #[inline]
    pub fn next(&mut self, env: &Env) -> SqlResult<()> {
        let due = self.due();
        base::memory::check()?;
        if due { env.check() } else { Ok(()) }
    }

    /// Whether it is time to look for KILL.
    #[inline]
    pub fn due(&mut self) -> bool {
        self.0 = self.0.wrapping_add(1);
        self.0 & 63 == 0
    }

    /// The next call looks for KILL.
    pub fn hurry(&mut self) {
        self.0 = u32::MAX;
    }
}

/// A temporary file. Blocks are appended, and read at the offsets that [`TempFile::append`] gave.
#[derive(Debug)]
pub struct TempFile {
    file: sys::file::File,
    /// For messages: the file itself has no name.
    name: PathBuf,
    end: u64,
    /// For performance_schema.
    instance: OpenFile,
}

impl Drop for TempFile {
    fn drop(&mut self) {
        probe::files::removed(&self.name.to_string_lossy());
    }
}

/// Which of the directories of `tmpdir` comes next.
static NEXT_DIR: AtomicUsize = AtomicUsize::new(0);

impl TempFile {
    /// Makes a file in `tmpdir`.
    ///
    /// # Errors
    /// 1 with the operating system's reason.
    pub fn create(env: &Env) -> SqlResult<TempFile> {
        Self::create_in_any(&env.shared.globals.string(Var::tmpdir), FileUse::Temporary)
    }

    /// The same, for a hash join.
    ///
    /// # Errors
    /// As [`TempFile::create`].
    pub fn create_for_join(env: &Env) -> SqlResult<TempFile> {
        Self::create_in_any(&env.shared.globals.string(Var::tmpdir), FileUse::HashJoin)
    }

    /// Makes a file in the next of the directories of `tmpdir`.
    fn create_in_any(list: &str, used: FileUse) -> SqlResult<TempFile> {
        let dirs: Vec<&str> = list.split(':').filter(|d| !d.is_empty()).collect();
        let at = NEXT_DIR.fetch_add(1, Ordering::Relaxed).checked_rem(dirs.len()).unwrap_or(0);
        Self::create_in(dirs.get(at).copied().unwrap_or("/tmp"), used)
    }

    /// Makes a file in a directory.
    pub fn create_in(dir: &str, used: FileUse) -> SqlResult<TempFile> {
        let path = PathBuf::from(dir);
        let began = sys::clock::now_ns();
        let file = sys::file::File::temporary(&path)
            .map_err(|e| failed(ErrorCode::EE_CANTCREATEFILE, &path.join("MYXXXXXX"), &e))?;
        probe::inc(probe::Counter::CreatedTmpFiles);
        let name = path.join(format!("MYfd={}", file.fd()));
        let took = sys::clock::now_ns().saturating_sub(began);
        let instance = probe::files::opened(&name.to_string_lossy(), used, took);
        Ok(TempFile { file, name, end: 0, instance })
    }

    /// Appends a block; where it starts.
    pub fn append(&mut self, block: &[u8]) -> SqlResult<u64> {
        let at = self.end;
        let bytes = |_: &io::Result<()>| block.len() as u64;
        let done = self.instance.run(Op::Write, "write", bytes, || self.file.write_at(block, at));
        done.map_err(|e| failed(ErrorCode::EE_WRITE, &self.name, &e))?;
        self.end += block.len() as u64;
        Ok(at)
    }

    /// Bytes in it.
    pub fn size(&self) -> u64 {
        self.end
    }

    /// Reads a block.
    pub fn read(&self, buf: &mut [u8], at: u64) -> SqlResult<()> {
        let length = buf.len() as u64;
        let done = self.instance.run(Op::Read, "read", |_| length, || self.file.read_at(buf, at));
        done.map_err(|e| failed(ErrorCode::EE_READ, &self.name, &e))
    }
}

/// The statement's error; the error log is told of the folder, too: when it is full, every large statement fails.
fn failed(code: ErrorCode, name: &Path, e: &io::Error) -> SqlError {
    let op = match code {
        ErrorCode::EE_CANTCREATEFILE => "create",
        ErrorCode::EE_READ => "read",
        _ => "write",
    };
    let errno = e.raw_os_error().unwrap_or(0);
    storage::told::temporary(op, &name.parent().unwrap_or(name).to_string_lossy(), errno);
    let text = e.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    SqlError::new(code, &[&name.display(), &errno, &text])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files in /tmp, all the memory.
    pub(super) struct Anywhere;

    impl Room for Anywhere {
        fn file(&self) -> SqlResult<TempFile> {
            TempFile::create_in("/tmp", probe::files::FileUse::Temporary)
        }
        fn ram(&self) -> u64 {
            u64::MAX
        }
        fn check(&self) -> SqlResult<()> {
            Ok(())
        }
    }

    #[test]
    fn a_missing_directory_is_error_1() {
        let e = TempFile::create_in("/nonexistent/dir", probe::files::FileUse::Temporary).unwrap_err();
        assert_eq!(e.code(), 1);
        assert!(e.message().contains("OS errno 2 - No such file or directory"), "{}", e.message());
    }

    #[test]
    fn blocks_come_back() {
        let mut f = TempFile::create_in("/tmp", probe::files::FileUse::Temporary).unwrap();
        let a = f.append(b"one").unwrap();
        let b = f.append(b"three").unwrap();
        let mut buf = [0; 5];
        f.read(&mut buf, b).unwrap();
        assert_eq!(&buf, b"three");
        f.read(&mut buf[..3], a).unwrap();
        assert_eq!(&buf[..3], b"one");
        assert_eq!(f.read(&mut buf, b + 1).unwrap_err().code(), 2);
    }
}
