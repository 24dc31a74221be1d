//! The data directory: created at first start, one process at a time, its identity (`auto.cnf`: the UUID, and how names are kept).
//!
//! **Rule: a start touches only what is ours, and never goes on without a part that is missing.** A folder is ours when a first start of
//! Evenkeel made it; every other one that is not empty is refused before the first write ([`Contents`]). The first start leaves the file
//! [`MARKER`] until it is complete: only while that is there may parts be made. Without it each part in [`PARTS`] must exist.
//!
//! A crash during the first start leaves the marker; the next start completes what is missing. Tested: `tests/clients/test_first_start.py`,
//! `tests/crash/test_damaged_files.py`.

use crate::log;
use catalog::sysvar::{GlobalVars, Raw, Var};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use sys::file::{Dir, LockError, LockFile};

/// Is there while a first start is not complete.
const MARKER: &str = "evenkeel.new";
/// The marker before it has its name.
const MARKER_BEFORE: &str = "evenkeel.new.tmp";
/// Written by the lock; with it a folder is ours.
const LOCK: &str = "evenkeel.lock";
/// The accounts.
pub const ACCOUNTS: &str = "accounts.json";
/// The folder of the tablespaces.
const SPACES: &str = "#spaces";

/// What a data directory cannot do without, and what each is.
const PARTS: [(&str, &str); 4] = [
    ("#spaces/00000001.ibd", "the data dictionary"),
    ("#spaces/00000002.ibd", "the undo tablespace"),
    ("#innodb_redo/#ib_redo0", "the redo log"),
    (ACCOUNTS, "the accounts and their passwords"),
];

/// Names in a data directory of MySQL or MariaDB; a `*` stands for the rest.
const FOREIGN: &[&str] = &[
    "mysql.ibd",
    "ibdata*",
    "ibtmp*",
    "undo_0*",
    "undo001",
    "ib_logfile*",
    "#innodb_temp",
    "#ib_16384_1.dblwr",
    "aria_log*",
    "mysql_upgrade_*",
    "mariadb_upgrade_*",
    "ddl_recovery.log",
    "tc.log",
    "multi-master.info",
];

/// An opened data directory; dropping it releases the lock.
pub struct DataDir {
    /// Absolute path.
    pub path: PathBuf,
    /// Whether this start creates it, or completes what one that was cut short began.
    pub is_new: bool,
    /// What is known of the last clone that took the data's place, and whether this start has put it there.
    pub cloned: Option<(serde_json::Value, bool)>,
    _lock: LockFile,
}

/// What is in a folder that is to be the data directory.
#[derive(Debug, PartialEq, Eq)]
enum Contents {
    /// Nothing, or what a first start leaves that is killed before it has the [`MARKER`].
    Empty,
    Ours,
    /// Files of a MySQL or MariaDB server.
    Server(Vec<String>),
    /// Something else.
    Other(Vec<String>),
}

fn contents(mut names: Vec<String>) -> Contents {
    // a file system's own folder, and what is hidden, is nobody's data
    names.retain(|n| n != "lost+found" && !n.starts_with('.'));
    names.sort();
    let is = |n: &str, pattern: &str| pattern.strip_suffix('*').map_or(n == pattern, |head| n.starts_with(head));
    let foreign: Vec<_> = names.iter().filter(|n| FOREIGN.iter().any(|p| is(n, p))).cloned().collect();
    if !foreign.is_empty() {
        return Contents::Server(foreign);
    }
    let begun = [LOCK, MARKER_BEFORE];
    if names.iter().all(|n| begun.contains(&n.as_str())) {
        return Contents::Empty;
    }
    match names.iter().any(|n| [LOCK, MARKER, SPACES, ACCOUNTS, backup::restore::MARKER].contains(&n.as_str())) {
        true => Contents::Ours,
        false => Contents::Other(names),
    }
}

/// The first of some names, quoted.
fn some(names: &[String]) -> String {
    let first: Vec<_> = names.iter().take(5).map(|n| format!("'{n}'")).collect();
    let more = names.len().saturating_sub(first.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", first.join(", "))
}

fn refuse(path: &Path, what: &Contents) -> Option<String> {
    let path = path.display();
    match what {
        Contents::Empty | Contents::Ours => None,
        Contents::Server(names) => Some(format!(
            "Data directory '{path}' has files of a MySQL or MariaDB server: {}. Evenkeel cannot read them and has changed nothing. \
             Name an empty directory with --datadir=..., and bring the data over with a dump (mysqldump --all-databases) that the \
             other server makes",
            some(names)
        )),
        Contents::Other(names) => Some(format!(
            "Data directory '{path}' is not empty, and what is in it was not made by Evenkeel: {}. Nothing has been changed. Name an \
             empty directory (or one that does not exist yet) with --datadir=..., or move these files away",
            some(names)
        )),
    }
}

/// Names in a folder; `None`: there is no such folder.
fn names(path: &Path) -> std::io::Result<Option<Vec<String>>> {
    match fs::read_dir(path) {
        Ok(entries) => {
            entries.map(|e| Ok(e?.file_name().to_string_lossy().into_owned())).collect::<std::io::Result<_>>().map(Some)
        }
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

/// `--initialize`: whether there is something in the folder already.
pub fn has_files(path: &str) -> bool {
    names(Path::new(path)).ok().flatten().is_some_and(|n| contents(n) != Contents::Empty)
}

/// Creates the directory if need be and takes its lock. The message for a second server names the process that holds it.
pub fn open(path: &str) -> Result<DataDir, String> {
    let path = Path::new(path);
    let fail = |e: &dyn std::fmt::Display| format!("Can't use data directory '{}': {e}", path.display());
    let what = match names(path).map_err(|e| fail(&e))? {
        Some(names) => contents(names),
        None => {
            Dir::create(path).map_err(|e| fail(&e))?;
            Contents::Empty
        }
    };
    let path = fs::canonicalize(path).map_err(|e| fail(&e))?;
    if let Some(e) = refuse(&path, &what) {
        return Err(e);
    }
    let lock = match LockFile::acquire(&path.join(LOCK)) {
        Ok(l) => l,
        Err(LockError::HeldBy(pid)) => {
            let who = pid.map_or("another process".to_owned(), |p| format!("process {p}"));
            return Err(format!(
                "Data directory '{}' is in use by {who}; is a server already running?",
                path.display()
            ));
        }
        Err(e) => return Err(fail(&e)),
    };
    let cloned = backup::replace::complete(&path).map_err(|e| fail(&e))?;
    let marker = path.join(MARKER);
    // looked at again: another process may have made and left it before the lock was ours
    if names(&path).map_err(|e| fail(&e))?.is_none_or(|n| contents(n) == Contents::Empty) {
        Dir::write_atomic(&marker, b"This file goes when the first start is complete.\n").map_err(|e| fail(&e))?;
    }
    Ok(DataDir { is_new: marker.exists(), path, cloned, _lock: lock })
}

impl DataDir {
    /// The parts that must be there. `accounts`: the accounts too (`--skip-grant-tables` does without).
    pub fn check_parts(&self, accounts: bool) -> Result<(), String> {
        let marker = self.path.join(backup::restore::MARKER);
        if marker.exists() {
            return Err(format!(
                "Data directory '{}' is not complete: the restore that made it was cut short or has failed. Remove the directory and \
                 restore again",
                self.path.display()
            ));
        }
        if self.is_new {
            return Ok(());
        }
        let wanted = |name: &str| accounts || name != ACCOUNTS;
        let gone: Vec<_> =
            PARTS.iter().filter(|(name, _)| wanted(name) && !self.path.join(name).exists()).copied().collect();
        let Some((first, _)) = gone.first() else { return Ok(()) };
        let list: Vec<_> = gone.iter().map(|(name, what)| format!("'{name}' ({what})")).collect();
        let more = if *first == ACCOUNTS {
            ". Starting without it would forget all accounts and open root@localhost to everybody. Restore the file from a backup; or \
             start with --skip-grant-tables, then FLUSH PRIVILEGES, and create the accounts anew"
        } else {
            ". The server does not start as if the directory were new. Restore the whole data directory from a backup"
        };
        Err(format!("Data directory '{}' is not complete; missing: {}{more}", self.path.display(), list.join(", ")))
    }

    /// The first start is complete: from now on nothing may be missing.
    pub fn complete(&self) -> Result<(), String> {
        if !self.is_new {
            return Ok(());
        }
        let gone = Dir::remove_file(&self.path.join(MARKER)).and_then(|()| Dir::sync(&self.path));
        gone.map_err(|e| format!("cannot remove '{}': {e}", self.path.join(MARKER).display()))
    }
}

/// The server's UUID, from `auto.cnf`, which is created when missing. It also says whether names are kept in lower case: what the first
/// start had stays (manual, "Identifier Case Sensitivity"), as names that exist could not be found otherwise.
pub fn identity(dir: &Path, folded: bool, is_new: bool) -> Result<String, String> {
    let file = dir.join("auto.cnf");
    let text = match fs::read_to_string(&file) {
        Ok(t) => Some(t),
        Err(e) if e.kind() == ErrorKind::NotFound => None,
        Err(e) => return Err(format!("cannot read '{}': {e}", file.display())),
    };
    let existed = text.is_some();
    let text = text.unwrap_or_default();
    let value = |key: &str| text.lines().find_map(|l| l.trim().strip_prefix(key)).map(|v| v.trim().to_owned());
    if let Some(uuid) = value("server-uuid=") {
        let before = value("lower_case_table_names=").is_some_and(|v| v == "1");
        if before != folded {
            let (now, before) = (u8::from(folded), u8::from(before));
            return Err(format!(
                "Different lower_case_table_names settings for server ('{now}') and data dictionary ('{before}')."
            ));
        }
        let plain = |c: char| c.is_ascii_hexdigit() || c == '-';
        if uuid.len() != 36 || !uuid.chars().all(plain) {
            return Err(format!("'{}': '{uuid}' is not a server UUID; restore the file, or remove it", file.display()));
        }
        return Ok(uuid);
    }
    if existed {
        return Err(format!("'{}' has no server-uuid; restore the file, or remove it", file.display()));
    }
    if !is_new {
        log::warning(
            10_075,
            "No existing UUID has been found ('auto.cnf' is missing), so this server gets a new one; names are kept as \
             lower_case_table_names says now, which must be what it was before.",
        );
    }
    let uuid = sys::process::random_uuid().map_err(|e| format!("no random bytes: {e}"))?;
    let names = if folded { "lower_case_table_names=1\n" } else { "" };
    Dir::write_atomic(&file, format!("[auto]\nserver-uuid={uuid}\n{names}").as_bytes())
        .map_err(|e| format!("cannot write '{}': {e}", file.display()))?;
    Ok(uuid)
}

/// Facts about this machine and directory into the variables that show them.
pub fn fill_facts(dir: &DataDir, globals: &GlobalVars) -> Result<(), String> {
    let text = |v: Var, s: &str| globals.store(v, Raw::Text(Some(s.into())));
    text(Var::datadir, &format!("{}/", dir.path.display()));
    text(Var::version, crate::VERSION);
    text(Var::version_comment, crate::VERSION_COMMENT);
    text(Var::version_compile_machine, std::env::consts::ARCH);
    if globals.num(Var::lower_case_table_names) == 2 {
        // MySQL does the same on such file systems
        log::warning(
            10_159,
            "lower_case_table_names was set to 2, even though your the file system is case sensitive. Now setting lower_case_table_names to 0 to avoid future problems.",
        );
        globals.store(Var::lower_case_table_names, Raw::Num(0));
    }
    let folded = globals.num(Var::lower_case_table_names) == 1;
    base::names::set_folded(folded);
    text(Var::server_uuid, &identity(&dir.path, folded, dir.is_new)?);
    let now = (sys::clock::wall_micros() / 1_000_000) as i64;
    text(Var::system_time_zone, &value::TimeZone::system_abbreviation(now));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_told_apart() {
        let of = |names: &[&str]| contents(names.iter().map(|n| (*n).to_owned()).collect());
        assert_eq!(of(&[]), Contents::Empty);
        assert_eq!(of(&["lost+found", ".snapshot"]), Contents::Empty);
        assert_eq!(of(&["evenkeel.lock", "x"]), Contents::Ours);
        // killed before, while and after it wrote the marker
        assert_eq!(of(&["evenkeel.lock"]), Contents::Empty);
        assert_eq!(of(&["evenkeel.lock", "evenkeel.new.tmp"]), Contents::Empty);
        assert_eq!(of(&["evenkeel.lock", "evenkeel.new"]), Contents::Ours);
        assert_eq!(of(&["accounts.json", "mysql"]), Contents::Ours);
        for alien in
            ["mysql.ibd", "ibdata1", "aria_log.00000001", "aria_log_control", "ib_logfile0", "undo_001", "#innodb_temp"]
        {
            assert_eq!(of(&["evenkeel.lock", alien]), Contents::Server(vec![alien.into()]), "{alien}");
        }
        assert!(matches!(of(&["#innodb_redo"]), Contents::Other(_)));
        let e = refuse(Path::new("/d"), &of(&["a", "b", "c", "d", "e", "f", "g"])).unwrap();
        assert!(e.contains("'a', 'b', 'c', 'd', 'e' and 2 more") && e.contains("--datadir"), "{e}");
    }
}
