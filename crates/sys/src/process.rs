//! Process-wide odds and ends: umask, pid file, open-file limit, random bytes, disk space, host name.

#![allow(unsafe_code)]

use std::ffi::CString;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Sets the file-creation mask and returns the old one. MySQL's default is 0o027 for directories' world bits.
pub fn umask(mask: u32) -> u32 {
    // SAFETY: cannot fail.
    unsafe { libc::umask(mask as libc::mode_t) as u32 }
}

/// Lets others on the machine go first: `nice` (0 to 19) of the calling thread and of those that it starts. What cannot
/// be had is left.
pub fn stand_back(nice: u8) {
    if nice == 0 {
        return;
    }
    // SAFETY: plain numbers; 0 is the caller.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, i32::from(nice.min(19))) };
}

/// Process id.
pub fn pid() -> u32 {
    std::process::id()
}

/// Whether somebody starts this process again when it ends with [`RESTART`]: mysqld's sign, the variable
/// MYSQLD_PARENT_PID with the number of the process above this one (mysqld_safe and units of systemd set it).
pub fn is_supervised() -> bool {
    let parent = std::env::var("MYSQLD_PARENT_PID").ok().and_then(|p| p.trim().parse().ok());
    parent == Some(std::os::unix::process::parent_id())
}

/// The exit code by which mysqld asks for that.
pub const RESTART: u8 = 16;

/// Whether this process runs as root (then the server insists on `--user=root` as mysqld does).
pub fn is_root() -> bool {
    // SAFETY: cannot fail.
    unsafe { libc::geteuid() == 0 }
}

/// A user of this machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct User {
    /// Its number.
    pub uid: u32,
    /// Number of its own group.
    pub gid: u32,
}

/// The user of this name or, if no name is like that, with this number.
pub fn user_by_name(name: &str) -> Option<User> {
    let find = |c: Option<&CString>, uid: libc::uid_t| {
        let mut buf = vec![0u8; 16 << 10];
        // SAFETY: passwd is plain data; `buf` is writable for its length and outlives the entry that points into it; `c` is NUL-terminated.
        unsafe {
            let mut entry: libc::passwd = std::mem::zeroed();
            let mut found: *mut libc::passwd = std::ptr::null_mut();
            let (to, len) = (buf.as_mut_ptr().cast(), buf.len());
            match c {
                Some(c) => libc::getpwnam_r(c.as_ptr(), &mut entry, to, len, &mut found),
                None => libc::getpwuid_r(uid, &mut entry, to, len, &mut found),
            };
            (!found.is_null()).then_some(User { uid: entry.pw_uid, gid: entry.pw_gid })
        }
    };
    let c = CString::new(name).ok()?;
    find(Some(&c), 0).or_else(|| {
        // a number that has no entry has no groups either: as in a container that knows no names
        let uid = name.parse().ok()?;
        find(None, uid).or(Some(User { uid, gid: uid }))
    })
}

/// This process's user.
pub fn effective_uid() -> u32 {
    // SAFETY: cannot fail.
    unsafe { libc::geteuid() }
}

/// Makes this process that user's, with its groups and for good. Only root may; there must be no other thread yet.
pub fn become_user(name: &str, user: User) -> io::Result<()> {
    let c = CString::new(name)?;
    // SAFETY: `c` is NUL-terminated. Groups first, then the user: afterwards the right to change groups is gone.
    unsafe {
        crate::check(libc::initgroups(c.as_ptr(), user.gid))?;
        crate::check(libc::setgid(user.gid))?;
        crate::check(libc::setuid(user.uid))?;
    }
    Ok(())
}

/// Raises the soft limit of open files towards `wanted` (never above the hard limit) and returns what holds now.
pub fn raise_open_files(wanted: u64) -> u64 {
    // SAFETY: rlimit is plain data and valid to read from and write to.
    unsafe {
        let mut r: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_NOFILE, &mut r) != 0 {
            return 1024;
        }
        if r.rlim_cur < wanted {
            let new = libc::rlimit { rlim_cur: wanted.min(r.rlim_max), rlim_max: r.rlim_max };
            if libc::setrlimit(libc::RLIMIT_NOFILE, &new) == 0 {
                r = new;
            }
        }
        r.rlim_cur
    }
}

/// Lets the process write a core file as large as it gets (`core_file`); where to is the kernel's setting. Returns the limit that holds now.
pub fn allow_core() -> u64 {
    // SAFETY: rlimit is plain data and valid to read from and write to.
    unsafe {
        let mut r: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_CORE, &mut r) != 0 {
            return 0;
        }
        let new = libc::rlimit { rlim_cur: r.rlim_max, rlim_max: r.rlim_max };
        if libc::setrlimit(libc::RLIMIT_CORE, &new) == 0 {
            r = new;
        }
        r.rlim_cur
    }
}

/// A random UUID (version 4) as text.
pub fn random_uuid() -> io::Result<String> {
    let mut b = [0u8; 16];
    random_bytes(&mut b)?;
    let n = u128::from_be_bytes(b) & !(0xf << 76) | 4 << 76;
    let hex = format!("{:032x}", n & !(3 << 62) | 2 << 62);
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    Ok([part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-"))
}

/// Fills `buf` with random bytes fit for keys and salts (`getrandom(2)`).
pub fn random_bytes(buf: &mut [u8]) -> io::Result<()> {
    let mut rest = buf;
    while !rest.is_empty() {
        // SAFETY: `rest` is writable for its length.
        let n = match crate::check_len(unsafe { libc::getrandom(rest.as_mut_ptr().cast(), rest.len(), 0) }) {
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        rest = rest.get_mut(n..).unwrap_or_default();
    }
    Ok(())
}

/// A random number, for seeds and identifiers.
pub fn random_u64() -> u64 {
    let mut b = [0u8; 8];
    match random_bytes(&mut b) {
        Ok(()) => u64::from_ne_bytes(b),
        // Only possible on kernels without getrandom; a seed from the clock is then good enough (keys use random_bytes).
        Err(_) => crate::clock::now_ns().wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(pid()),
    }
}

/// Free and total bytes of the file system that holds `path`.
#[derive(Clone, Copy, Debug)]
pub struct DiskSpace {
    /// Bytes an unprivileged process may still use.
    pub available: u64,
    /// Size of the file system.
    pub total: u64,
}

/// `statvfs(3)`.
pub fn disk_space(path: &Path) -> io::Result<DiskSpace> {
    let c = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: `c` is NUL-terminated; statvfs is plain data and valid to write to.
    let s = unsafe {
        let mut s: libc::statvfs = std::mem::zeroed();
        crate::check(libc::statvfs(c.as_ptr(), &mut s))?;
        s
    };
    let unit = s.f_frsize as u64;
    Ok(DiskSpace { available: s.f_bavail as u64 * unit, total: s.f_blocks as u64 * unit })
}

/// The host's name (`@@hostname`).
pub fn hostname() -> String {
    let mut buf = [0u8; 256];
    // SAFETY: writable for its length, of which the last byte stays 0.
    if unsafe { libc::gethostname(buf.as_mut_ptr().cast(), buf.len() - 1) } != 0 {
        return "localhost".to_string();
    }
    let name = buf.split(|&b| b == 0).next().unwrap_or_default();
    String::from_utf8_lossy(name).into_owned()
}

/// A file with this process's number, removed when dropped (unless another process has replaced it).
#[derive(Debug)]
pub struct PidFile {
    path: PathBuf,
}

impl PidFile {
    /// Writes the file (through a temporary name, so that a reader never sees half of it). A file that holds anything but a process's number is
    /// not ours to replace.
    pub fn create(path: &Path) -> io::Result<PidFile> {
        match std::fs::read(path) {
            Ok(old) if !old.iter().all(|b| b.is_ascii_digit() || b.is_ascii_whitespace()) => {
                return Err(io::Error::other("the file exists and is not a pid file; it is left as it is"));
            }
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
        let mut tmp = path.as_os_str().to_owned();
        tmp.push(".tmp");
        let mut f = std::fs::File::create(&tmp)?;
        writeln!(f, "{}", pid())?;
        drop(f);
        std::fs::rename(&tmp, path)?;
        Ok(PidFile { path: path.to_path_buf() })
    }
}

impl Drop for PidFile {
    fn drop(&mut self) {
        let ours = std::fs::read_to_string(&self.path).is_ok_and(|s| s.trim() == pid().to_string());
        if ours {
            // Best effort: a pid file left behind is replaced at the next start.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_is_random() {
        let (mut a, mut b) = ([0u8; 300], [0u8; 300]);
        random_bytes(&mut a).unwrap();
        random_bytes(&mut b).unwrap();
        assert_ne!(a, b);
        assert_ne!(random_u64(), random_u64());
    }

    #[test]
    fn pid_file_comes_and_goes() {
        let path = std::env::temp_dir().join(format!("evk_pid_{}", random_u64()));
        let f = PidFile::create(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{}\n", pid()));
        drop(f);
        assert!(!path.exists());
        std::fs::write(&path, "12\n").unwrap();
        drop(PidFile::create(&path).unwrap());
        std::fs::write(&path, "letters to a friend").unwrap();
        assert!(PidFile::create(&path).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"letters to a friend");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn users_are_found() {
        assert_eq!(user_by_name("root"), Some(User { uid: 0, gid: 0 }));
        assert_eq!(user_by_name("0"), Some(User { uid: 0, gid: 0 }));
        assert_eq!(user_by_name("4123456"), Some(User { uid: 4_123_456, gid: 4_123_456 }));
        assert_eq!(user_by_name("no such user"), None);
    }

    #[test]
    fn disk_and_files() {
        let d = disk_space(&std::env::temp_dir()).unwrap();
        assert!(d.total >= d.available && d.total > 0);
        assert!(disk_space(Path::new("/no/such/place")).is_err());
        assert!(raise_open_files(256) >= 256);
        assert!(!hostname().is_empty());
    }
}
