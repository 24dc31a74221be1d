//! A clone in the place of a server's own data (CLONE INSTANCE without DATA DIRECTORY): either the old or the new,
//! whatever moment a crash takes.
//!
//! The clone is made whole in `#clone/new`, beside the data ([`begin`]). [`commit`] writes `#clone/ready.json`: from
//! that rename on the new data counts. The server then stops, and its next start swaps ([`complete`]), before anything
//! else reads the directory: what is old goes to `#clone/old`, what is new takes its name, file by file. Each step is a
//! rename that is done or not, and can be told from the files, so a start that is killed in the middle goes on in the
//! next one; nothing is opened before all is done. `ready.json` becomes `status.json` as the last step. The old data is
//! removed when the server has opened the new ([`finish`]).
//!
//! A start that finds no `ready.json` removes a clone that was cut short. The server keeps what is its own: its UUID,
//! its settings (SET PERSIST), keys and logs of text. Its binary log and relay log are of the old data and go.
//!
//! Who calls holds the data directory's lock, or is the server on it. Tested: below, and
//! `tests/backup/test_clone_in_place.py`.

use crate::error::{Error, Result};
use crate::restore::MARKER;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use sys::file::Dir;

/// Its place in the data directory.
pub const FOLDER: &str = "#clone";
/// What a data directory may have and the clone need not: it is of the old data.
const OLD: [&str; 10] = [
    "#spaces",
    "#innodb_redo",
    "#innodb_temp",
    "#ib_16384_0.dblwr",
    "#ib_16384_1.dblwr",
    "#log_bin",
    "#binlog_spill",
    "ib_buffer_pool",
    "accounts.json",
    crate::taken::FILE,
];
/// What the clone has and the server keeps.
const KEPT: [&str; 2] = ["auto.cnf", MARKER];

struct Places {
    ready: PathBuf,
    status: PathBuf,
    new: PathBuf,
    old: PathBuf,
}

fn places(datadir: &Path) -> Places {
    let at = |name: &str| datadir.join(FOLDER).join(name);
    Places { ready: at("ready.json"), status: at("status.json"), new: at("new"), old: at("old") }
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io(path.display(), e)),
        _ => Ok(()),
    }
}

/// Makes room for a clone: the folder in which it is to be made.
///
/// # Errors
/// I/O errors.
pub fn begin(datadir: &Path) -> Result<PathBuf> {
    let p = places(datadir);
    remove(&p.new)?;
    Dir::create(&p.new).map_err(|e| Error::io(p.new.display(), e))?;
    Ok(p.new)
}

/// It has failed.
pub fn abandon(datadir: &Path) {
    let _ = remove(&places(datadir).new);
}

/// The clone is complete: the next start puts it in the data's place. `indexes`: the indexes of the logs that end with
/// the old data. `status`: what [`complete`] is to answer.
///
/// # Errors
/// I/O errors; then it is not to be.
pub fn commit(datadir: &Path, indexes: &[String], status: &Value) -> Result<()> {
    let p = places(datadir);
    let names = Dir::list(&p.new).map_err(|e| Error::io(p.new.display(), e))?;
    let names: Vec<_> = names.into_iter().filter(|n| !KEPT.contains(&n.as_str())).collect();
    let text = json!({"format": 1, "names": names, "indexes": indexes, "status": status}).to_string();
    Dir::write_atomic(&p.ready, text.as_bytes()).map_err(|e| Error::io(p.ready.display(), e))
}

fn texts(v: &Value, name: &str) -> Option<Vec<String>> {
    v.get(name)?.as_array()?.iter().map(|t| Some(t.as_str()?.to_owned())).collect()
}

fn read(path: &Path) -> Result<Option<Value>> {
    match fs::read(path) {
        Ok(b) => {
            let v = serde_json::from_slice(&b).map_err(|e| Error::damaged(path.display(), e))?;
            Ok(Some(v))
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::io(path.display(), e)),
    }
}

/// At a start: puts a clone that is complete in the data's place. What was to be kept of the last one that was, and
/// whether it was this start.
///
/// # Errors
/// `Damaged`, I/O errors: the server must not start.
pub fn complete(datadir: &Path) -> Result<Option<(Value, bool)>> {
    let p = places(datadir);
    let Some(ready) = read(&p.ready)? else {
        remove(&p.new)?;
        let status = read(&p.status)?.and_then(|v| v.get("status").cloned());
        return Ok(status.map(|s| (s, false)));
    };
    let wrong = || Error::damaged(p.ready.display(), "not a list of files");
    let names = texts(&ready, "names").ok_or_else(wrong)?;
    Dir::create(&p.old).map_err(|e| Error::io(p.old.display(), e))?;
    let rename = |from: &Path, to: &Path| Dir::rename(from, to).map_err(|e| Error::io(from.display(), e));
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    for name in OLD.iter().copied().chain(names.iter().map(String::as_str)) {
        let (here, new, old) = (datadir.join(name), p.new.join(name), p.old.join(name));
        let arrives = names.iter().any(|n| n == name);
        if arrives && !is_there(&new) {
            // its name is taken already
            continue;
        }
        if is_there(&here) {
            rename(&here, &old)?;
        }
        if arrives {
            rename(&new, &here)?;
        }
    }
    for index in texts(&ready, "indexes").ok_or_else(wrong)? {
        remove_log(datadir, Path::new(&index))?;
    }
    rename(&p.ready, &p.status)?;
    Ok(Some((ready.get("status").cloned().unwrap_or_default(), true)))
}

/// Removes the files that an index names, and then the index.
fn remove_log(datadir: &Path, index: &Path) -> Result<()> {
    let index = datadir.join(index);
    let text = match fs::read_to_string(&index) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        text => text.map_err(|e| Error::io(index.display(), e))?,
    };
    for file in text.lines().map(str::trim).filter(|l| !l.is_empty()).map(|l| datadir.join(l)).chain([index]) {
        Dir::remove_file(&file).map_err(|e| Error::io(file.display(), e))?;
    }
    Dir::sync(datadir).map_err(|e| Error::io(datadir.display(), e))
}

/// The server has opened the new data: `status` is what later starts are told, and the old data goes.
///
/// # Errors
/// I/O errors.
pub fn finish(datadir: &Path, status: &Value) -> Result<()> {
    let p = places(datadir);
    let text = json!({"format": 1, "status": status}).to_string();
    Dir::write_atomic(&p.status, text.as_bytes()).map_err(|e| Error::io(p.status.display(), e))?;
    remove(&p.old)?;
    remove(&p.new)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Contents of a folder's files by their names.
    fn all(dir: &Path) -> BTreeMap<String, String> {
        let mut out = BTreeMap::new();
        for e in fs::read_dir(dir).unwrap() {
            let (path, name) = (e.as_ref().unwrap().path(), e.unwrap().file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                out.extend(all(&path).into_iter().map(|(n, t)| (format!("{name}/{n}"), t)));
            } else {
                out.insert(name, fs::read_to_string(path).unwrap());
            }
        }
        out
    }

    fn write(dir: &Path, name: &str, text: &str) {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A directory with a clone that is complete.
    fn case(dir: &Path) {
        let _ = fs::remove_dir_all(dir);
        let old =
            ["#spaces/1", "#spaces/2", "#innodb_redo/0", "#log_bin", "accounts.json", "ib_buffer_pool", "auto.cnf"];
        for name in old.into_iter().chain(["mysqld-auto.cnf", "server-key.pem", "bin.000001", "bin.000002"]) {
            write(dir, name, "old");
        }
        write(dir, "bin.index", "./bin.000001\n./bin.000002\n");
        let new = begin(dir).unwrap();
        for name in ["#spaces/1", "#innodb_redo/0", "accounts.json", "auto.cnf", "mysql/x"] {
            write(&new, name, "new");
        }
        commit(dir, &["bin.index".to_owned()], &json!({"a": 1})).unwrap();
    }

    #[test]
    fn the_new_data_takes_the_place() {
        let dir = std::env::temp_dir().join(format!("evk_replace_{}", sys::process::random_u64()));
        case(&dir);
        assert_eq!(complete(&dir).unwrap(), Some((json!({"a": 1}), true)));
        finish(&dir, &json!({"a": 2})).unwrap();
        let got = all(&dir);
        let is = |text: &str| got.iter().filter(|(_, t)| *t == text).map(|(n, _)| n.as_str()).collect::<Vec<_>>();
        assert_eq!(is("new"), ["#innodb_redo/0", "#spaces/1", "accounts.json", "mysql/x"]);
        assert_eq!(is("old"), ["auto.cnf", "mysqld-auto.cnf", "server-key.pem"]);
        assert_eq!(got.len(), 8, "{got:?}");
        assert_eq!(complete(&dir).unwrap(), Some((json!({"a": 2}), false)));
        // one that was cut short goes, and nothing else
        write(&begin(&dir).unwrap(), "#spaces/1", "half");
        assert_eq!(complete(&dir).unwrap(), Some((json!({"a": 2}), false)));
        assert_eq!(all(&dir), got);
        fs::remove_dir_all(&dir).unwrap();
    }

    /// After any of its steps the same call goes on: here every state that renames can leave.
    #[test]
    fn a_swap_that_is_cut_short_goes_on() {
        let dir = std::env::temp_dir().join(format!("evk_replace_{}", sys::process::random_u64()));
        case(&dir);
        complete(&dir).unwrap();
        let whole = all(&dir);
        let names = ["#spaces", "#innodb_redo", "accounts.json"];
        for cut in 0..=names.len() * 2 {
            case(&dir);
            fs::create_dir_all(dir.join("#clone/old")).unwrap();
            for step in 0..cut {
                let name = names.get(step / 2).unwrap();
                let (new, old) = (dir.join("#clone/new").join(name), dir.join("#clone/old").join(name));
                match step % 2 {
                    0 => fs::rename(dir.join(name), old).unwrap(),
                    _ => fs::rename(new, dir.join(name)).unwrap(),
                }
            }
            assert!(complete(&dir).unwrap().unwrap().1, "{cut}");
            assert_eq!(all(&dir), whole, "{cut}");
        }
        fs::remove_dir_all(&dir).unwrap();
    }
}
