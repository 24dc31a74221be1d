//! Files by position, and the directory operations that a crash-safe engine needs.
//!
//! [`File`] has no cursor and may be shared by threads. Reads and writes are complete or an error: a short read at the end of the
//! file is [`io::ErrorKind::UnexpectedEof`], except with [`File::read_up_to`]. After a failed `sync` the caller must not retry
//! and believe it (the kernel may have dropped the pages): storage treats it as fatal.
//!
//! Durability: a new or renamed file is safe only when its directory has been synced too ([`Dir::sync`]).

#![allow(unsafe_code)]

use std::fs;
use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// How to open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenMode {
    /// Must exist; reading only.
    ReadOnly,
    /// Must exist; reading and writing.
    ReadWrite,
    /// Must not exist.
    CreateNew,
    /// Created when missing, kept when there.
    OpenOrCreate,
    /// Created when missing, emptied when there.
    Truncate,
}

/// A file used by position.
#[derive(Debug)]
pub struct File {
    inner: fs::File,
    direct: bool,
}

impl File {
    /// Opens through the page cache. New files get mode 0640 (less the umask), as mysqld's.
    pub fn open(path: &Path, mode: OpenMode) -> io::Result<File> {
        Ok(File { inner: Self::options(mode, 0).open(path)?, direct: false })
    }

    /// Opens with O_DIRECT; where the file system refuses (tmpfs, some overlays) opens buffered instead:
    /// [`File::is_direct`] tells. Transfers must then be aligned to [`crate::mem::DIRECT_ALIGN`] in address, length
    /// and offset.
    pub fn open_direct(path: &Path, mode: OpenMode) -> io::Result<File> {
        match Self::options(mode, libc::O_DIRECT).open(path) {
            Ok(inner) => Ok(File { inner, direct: true }),
            Err(e) if e.raw_os_error() == Some(libc::EINVAL) => {
                // open(2) may have created the file before it refused; CreateNew must not then fail on our own file.
                let mode = if mode == OpenMode::CreateNew && path.exists() { OpenMode::ReadWrite } else { mode };
                File::open(path, mode)
            }
            Err(e) => Err(e),
        }
    }

    fn options(mode: OpenMode, flags: libc::c_int) -> fs::OpenOptions {
        let mut o = fs::OpenOptions::new();
        o.read(true).write(mode != OpenMode::ReadOnly).mode(0o640).custom_flags(flags | libc::O_CLOEXEC);
        match mode {
            OpenMode::ReadOnly | OpenMode::ReadWrite => {}
            OpenMode::CreateNew => {
                o.create_new(true);
            }
            OpenMode::OpenOrCreate => {
                o.create(true).truncate(false);
            }
            OpenMode::Truncate => {
                o.create(true).truncate(true);
            }
        }
        o
    }

    /// A new file of the directory without a name: it is gone when it is closed, whatever happens. Mode 0600.
    pub fn temporary(dir: &Path) -> io::Result<File> {
        let unnamed = fs::OpenOptions::new()
            .read(true)
            .write(true)
            .mode(0o600)
            .custom_flags(libc::O_TMPFILE | libc::O_CLOEXEC)
            .open(dir);
        match unnamed {
            Ok(inner) => return Ok(File { inner, direct: false }),
            // file systems without O_TMPFILE
            Err(e) if matches!(e.raw_os_error(), Some(libc::EOPNOTSUPP | libc::EISDIR | libc::EINVAL)) => {}
            Err(e) => return Err(e),
        }
        static N: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let n = N.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = dir.join(format!("MY{}_{n}", std::process::id()));
        let inner = fs::OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .custom_flags(libc::O_CLOEXEC)
            .open(&path)?;
        fs::remove_file(&path)?;
        Ok(File { inner, direct: false })
    }

    /// Whether transfers bypass the page cache.
    pub fn is_direct(&self) -> bool {
        self.direct
    }
    /// Reads exactly `buf.len()` bytes.
    pub fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.inner.read_exact_at(buf, offset)
    }
    /// Reads until `buf` is full or the file ends; returns the number of bytes.
    pub fn read_up_to(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut done = 0;
        while let Some(rest) = buf.get_mut(done..).filter(|r| !r.is_empty()) {
            match self.inner.read_at(rest, offset + done as u64) {
                Ok(0) => break,
                Ok(n) => done += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(done)
    }
    /// Writes all of `buf`.
    pub fn write_at(&self, buf: &[u8], offset: u64) -> io::Result<()> {
        self.inner.write_all_at(buf, offset)
    }

    /// Writes the buffers one after another from `offset` with as few system calls as the kernel allows.
    pub fn write_vectored_at(&self, bufs: &mut [IoSlice<'_>], mut offset: u64) -> io::Result<()> {
        let mut bufs = bufs;
        IoSlice::advance_slices(&mut bufs, 0); // drops empty leading buffers
        while !bufs.is_empty() {
            let n = bufs.len().min(1024) as libc::c_int; // IOV_MAX
            // SAFETY: IoSlice has the layout of iovec (documented by std); the buffers are borrowed for the call.
            let r = unsafe { libc::pwritev(self.inner.as_raw_fd(), bufs.as_ptr().cast(), n, offset as libc::off_t) };
            match crate::check_len(r) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => {
                    offset += n as u64;
                    IoSlice::advance_slices(&mut bufs, n);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// Fills the buffers one after another from `offset`; the file ending before that is an error.
    pub fn read_vectored_at(&self, bufs: &mut [IoSliceMut<'_>], mut offset: u64) -> io::Result<()> {
        let mut bufs = bufs;
        IoSliceMut::advance_slices(&mut bufs, 0);
        while !bufs.is_empty() {
            let n = bufs.len().min(1024) as libc::c_int;
            // SAFETY: IoSliceMut has the layout of iovec (documented by std); uniquely borrowed for the call.
            let r = unsafe { libc::preadv(self.inner.as_raw_fd(), bufs.as_ptr().cast(), n, offset as libc::off_t) };
            match crate::check_len(r) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n) => {
                    offset += n as u64;
                    IoSliceMut::advance_slices(&mut bufs, n);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// Makes the contents (and the size, if it grew) durable: `fdatasync(2)`.
    pub fn sync_data(&self) -> io::Result<()> {
        self.inner.sync_data()
    }
    /// Makes contents and metadata durable: `fsync(2)`.
    pub fn sync_all(&self) -> io::Result<()> {
        self.inner.sync_all()
    }
    /// Size in bytes.
    pub fn len(&self) -> io::Result<u64> {
        Ok(self.inner.metadata()?.len())
    }
    /// Number of the file in its file system: whether a name still means this file.
    pub fn inode(&self) -> io::Result<u64> {
        Ok(self.inner.metadata()?.ino())
    }
    /// Whether the file has no bytes.
    pub fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }
    /// Bytes of disk really in use (less than the size for sparse files).
    pub fn allocated(&self) -> io::Result<u64> {
        Ok(self.inner.metadata()?.blocks() * 512)
    }
    /// Cuts or extends with zeros (sparse).
    pub fn set_len(&self, len: u64) -> io::Result<()> {
        self.inner.set_len(len)
    }

    /// Makes sure that `[offset, offset + len)` has disk space behind it, extending the file: later writes there cannot fail
    /// for lack of space and change no metadata. On file systems without fallocate the file is only extended (sparse).
    pub fn allocate(&self, offset: u64, len: u64) -> io::Result<()> {
        if len == 0 {
            return Ok(());
        }
        loop {
            // SAFETY: our own descriptor.
            let r = unsafe { libc::fallocate(self.inner.as_raw_fd(), 0, offset as libc::off_t, len as libc::off_t) };
            let Err(e) = crate::check(r) else { return Ok(()) };
            match e.raw_os_error() {
                Some(libc::EINTR) => {}
                Some(libc::EOPNOTSUPP) => {
                    let end = offset + len;
                    return if self.len()? < end { self.set_len(end) } else { Ok(()) };
                }
                _ => return Err(e),
            }
        }
    }

    /// The first range in `[offset, offset + len)` that has no data: a hole, or disk space that [`File::allocate`] gave
    /// and nobody has written. `None`: there is none, or the file system does not tell.
    pub fn unwritten(&self, offset: u64, len: u64) -> io::Result<Option<(u64, u64)>> {
        let seek = |at: u64, whence| {
            // SAFETY: our own descriptor; reads and writes are by position, so its own position means nothing.
            let r = unsafe { libc::lseek(self.inner.as_raw_fd(), at as libc::off_t, whence) };
            if r >= 0 { Ok(Some(r as u64)) } else { Err(io::Error::last_os_error()) }
        };
        let found = |r: io::Result<Option<u64>>| match r {
            Err(e) if matches!(e.raw_os_error(), Some(libc::ENXIO | libc::EINVAL | libc::EOPNOTSUPP)) => Ok(None),
            r => r,
        };
        let end = offset + len;
        let Some(hole) = found(seek(offset, libc::SEEK_HOLE))?.filter(|h| *h < end) else { return Ok(None) };
        let data = found(seek(hole, libc::SEEK_DATA))?.unwrap_or(end);
        Ok(Some((hole, data.min(end))))
    }

    /// Gives the disk space of a range back; it then reads as zeros. An error where the file system cannot.
    pub fn punch_hole(&self, offset: u64, len: u64) -> io::Result<()> {
        let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: our own descriptor.
        crate::check(unsafe {
            libc::fallocate(self.inner.as_raw_fd(), mode, offset as libc::off_t, len as libc::off_t)
        })?;
        Ok(())
    }

    /// Tells the kernel that the page cache of a range is not needed (after a bulk copy).
    pub fn advise_dont_need(&self, offset: u64, len: u64) {
        // SAFETY: a hint about our own descriptor.
        unsafe {
            libc::posix_fadvise(
                self.inner.as_raw_fd(),
                offset as libc::off_t,
                len as libc::off_t,
                libc::POSIX_FADV_DONTNEED,
            )
        };
    }

    /// The descriptor, for event loops.
    pub fn fd(&self) -> RawFd {
        self.inner.as_raw_fd()
    }
}

/// Directory operations, made durable where the name says so.
#[derive(Debug)]
pub struct Dir;

impl Dir {
    /// Makes creations, renames and removals inside the directory durable.
    pub fn sync(path: &Path) -> io::Result<()> {
        fs::File::open(path)?.sync_all()
    }
    /// Creates a directory (parents too) with mode 0750.
    pub fn create(path: &Path) -> io::Result<()> {
        use std::os::unix::fs::DirBuilderExt;
        fs::DirBuilder::new().recursive(true).mode(0o750).create(path)
    }
    /// Renames (replacing `to`) and makes it durable in both directories.
    pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)?;
        let (a, b) = (from.parent(), to.parent());
        for p in [b, a.filter(|_| a != b)].into_iter().flatten() {
            Dir::sync(if p.as_os_str().is_empty() { Path::new(".") } else { p })?;
        }
        Ok(())
    }
    /// Removes a file; a missing one is no error. Not synced: the caller decides when.
    pub fn remove_file(path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            r => r,
        }
    }
    /// Gives a file a second name; an error if that is taken. Not synced.
    pub fn link(from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }
    /// Whether there is a regular file of this name, and its device and number. What is a link leads on.
    pub fn regular(path: &Path) -> io::Result<(u64, u64)> {
        use std::os::unix::fs::MetadataExt;
        let m = fs::metadata(path)?;
        if m.is_file() { Ok((m.dev(), m.ino())) } else { Err(io::Error::from_raw_os_error(libc::EINVAL)) }
    }
    /// Names of the entries, sorted, without `.` and `..`; names that are not UTF-8 are left out (the engine writes none).
    pub fn list(path: &Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for e in fs::read_dir(path)? {
            if let Ok(n) = e?.file_name().into_string() {
                names.push(n);
            }
        }
        names.sort();
        Ok(names)
    }
    /// Replaces a small file atomically and durably: temporary file, sync, rename, directory sync.
    pub fn write_atomic(path: &Path, contents: &[u8]) -> io::Result<()> {
        let mut tmp = path.as_os_str().to_owned();
        tmp.push(".tmp");
        let tmp = PathBuf::from(tmp);
        let f = File::open(&tmp, OpenMode::Truncate)?;
        f.write_at(contents, 0)?;
        f.sync_all()?;
        drop(f);
        Dir::rename(&tmp, path)
    }
}

/// An advisory lock on a whole file that holds this process's number: at most one process per data directory.
/// The lock ends with the process, however it ends; the file stays.
#[derive(Debug)]
pub struct LockFile {
    _file: File,
}

/// Why [`LockFile::acquire`] failed.
#[derive(Debug)]
pub enum LockError {
    /// Another process holds it; its number if the file could be read.
    HeldBy(Option<u32>),
    /// The file could not be opened, locked or written.
    Io(io::Error),
}

impl std::fmt::Display for LockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LockError::HeldBy(Some(pid)) => write!(f, "held by process {pid}"),
            LockError::HeldBy(None) => write!(f, "held by another process"),
            LockError::Io(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for LockError {}

impl LockFile {
    /// Takes the lock without waiting and writes the pid into the file.
    pub fn acquire(path: &Path) -> Result<LockFile, LockError> {
        let file = File::open(path, OpenMode::OpenOrCreate).map_err(LockError::Io)?;
        // SAFETY: our own descriptor. flock belongs to the open file description: it also excludes a second server inside
        // one process (tests), which a POSIX lock would not.
        let r = crate::check(unsafe { libc::flock(file.fd(), libc::LOCK_EX | libc::LOCK_NB) });
        if let Err(e) = r {
            if e.raw_os_error() != Some(libc::EWOULDBLOCK) {
                return Err(LockError::Io(e));
            }
            let mut buf = [0u8; 16];
            let n = file.read_up_to(&mut buf, 0).unwrap_or(0);
            let text = String::from_utf8_lossy(buf.get(..n).unwrap_or_default()).trim().parse().ok();
            return Err(LockError::HeldBy(text));
        }
        let write = || {
            file.set_len(0)?;
            file.write_at(format!("{}\n", std::process::id()).as_bytes(), 0)
        };
        write().map_err(LockError::Io)?;
        Ok(LockFile { _file: file })
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
