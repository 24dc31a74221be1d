//! Names of files, the index, and the note that says which log the data directory has.
//!
//! `base.000001`, `base.000002` ...; the index has a line for each file that exists, in order. Both are MySQL's. The
//! note (`#log_bin`) is Evenkeel's: recovery must bring events to the files for which they were logged, whatever the
//! options of this start say. It is written before anything is logged for another base name, and it keeps what is in
//! no file: GTIDs that SET gtid_purged gave, which files a purge or a RESET was about to remove, and up to which place
//! in the redo log the last RESET has done away with everything: recovery may meet it again, and it must not undo what
//! came after it.
//!
//! Index and note are replaced by renaming: a crash leaves the old or the new one.

use crate::gtid::GtidSet;
use base::Lsn;
use std::collections::BTreeSet;
use storage::error::{Result, StorageError};
use storage::file::{FileKind, FileSystem, OpenMode};

/// Largest number of a file.
pub const MAX_NUMBER: u32 = i32::MAX as u32;
const NOTE: &str = "#log_bin";

/// Where a log is: both relative to the data directory, or absolute.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// Name of the files without their number.
    pub base: String,
    /// Name of the index.
    pub index: String,
}

/// The last part of a path.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

impl Names {
    /// As the options `log-bin` and `log-bin-index` say: what stands behind the last point of a name is left out.
    pub fn new(base: &str, index: Option<&str>) -> Names {
        let cut = |path: &str| {
            let name = last(path);
            let keep = name.rfind('.').filter(|i| *i > 0).unwrap_or(name.len());
            let folder = path.len() - name.len();
            path.get(..folder + keep).unwrap_or(path).to_owned()
        };
        let base = cut(base);
        let index = index.map_or_else(|| base.clone(), cut);
        Names { index: format!("{index}.index"), base }
    }

    /// The file with this number, for the file system.
    pub fn file(&self, number: u32) -> String {
        format!("{}.{number:06}", self.base)
    }

    /// As SHOW BINARY LOGS and events name it: without folder.
    pub fn shown(&self, number: u32) -> String {
        last(&self.file(number)).to_owned()
    }

    /// The number of a file that somebody names, with or without folder.
    pub fn number(&self, name: &str) -> Option<u32> {
        let (front, digits) = last(name).rsplit_once('.')?;
        let whole = digits.len() >= 6 && digits.bytes().all(|b| b.is_ascii_digit());
        let number = digits.parse().ok().filter(|n| whole && (1..=MAX_NUMBER).contains(n))?;
        (front == last(&self.base) && digits == format!("{number:06}")).then_some(number)
    }

    /// The highest number that a file of this name has, whether the index names it or not, of those that `counts`.
    pub(super) fn highest(&self, fs: &dyn FileSystem, counts: impl Fn(u32) -> bool) -> Result<u32> {
        let folder = self.base.rsplit_once('/').map_or("", |(folder, _)| if folder.is_empty() { "/" } else { folder });
        let all = fs.list(folder)?;
        Ok(all.iter().filter_map(|n| self.number(n)).filter(|n| counts(*n)).max().unwrap_or(0))
    }

    /// The files that the index names. What it says of files of another base name is not understood.
    pub(super) fn read_index(&self, fs: &dyn FileSystem) -> Result<BTreeSet<u32>> {
        let Some(text) = read(fs, &self.index)? else { return Ok(BTreeSet::new()) };
        let lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
        let wrong = || StorageError::NotOurs {
            file: self.index.as_str().into(),
            why: "it names a file that is not one of this binary log. Give the name of its log (log-bin), name another \
                  index (log-bin-index), or take the line out",
        };
        lines.map(|l| self.number(l).ok_or_else(wrong)).collect()
    }

    pub(super) fn write_index(&self, fs: &dyn FileSystem, files: impl Iterator<Item = u32>) -> Result<()> {
        let here = if self.base.contains('/') { "" } else { "./" };
        let text: String = files.map(|n| format!("{here}{}\n", self.file(n))).collect();
        replace(fs, &self.index, &text)
    }
}

/// What the note says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Note {
    /// Which log the redo log's records are for.
    pub(super) names: Names,
    /// GTIDs that are executed and stand in no file: those of SET gtid_purged.
    pub(super) only_here: GtidSet,
    /// These files are to be removed.
    pub(super) purging: BTreeSet<u32>,
    /// The last RESET's end in the redo log: it and everything before it are done, and are not done again.
    pub(super) reset: Lsn,
    /// Where the log ended when the server stopped in order, and `gtid_executed` then: files that were cut or taken
    /// away since are noticed, and no GTID is given twice.
    pub(super) stopped: Option<(u32, u64)>,
    pub(super) executed: GtidSet,
}

impl Note {
    pub(super) fn read(fs: &dyn FileSystem) -> Result<Option<Note>> {
        let Some(text) = read(fs, NOTE)? else { return Ok(None) };
        let mut note = Note::default();
        let wrong = || StorageError::NotOurs {
            file: NOTE.into(),
            why: "it is not a note of the binary log. Put back what was there; if the server had stopped in order, it may \
                  be removed, and GTIDs of SET gtid_purged are lost with it",
        };
        for line in text.lines() {
            match line.split_once('=').ok_or_else(wrong)? {
                ("base", v) => note.names.base = v.to_owned(),
                ("index", v) => note.names.index = v.to_owned(),
                ("gtids", v) => note.only_here = GtidSet::parse(v).ok_or_else(wrong)?,
                ("executed", v) => note.executed = GtidSet::parse(v).ok_or_else(wrong)?,
                ("purging", v) => {
                    for range in v.split(',') {
                        let (from, to) = range.split_once('-').ok_or_else(wrong)?;
                        let number = |s: &str| s.parse::<u32>().map_err(|_| wrong());
                        note.purging.extend(number(from)?..number(to)?);
                    }
                }
                ("reset", v) => note.reset = Lsn(v.parse().map_err(|_| wrong())?),
                ("stopped", v) => {
                    let (file, at) = v.split_once('-').ok_or_else(wrong)?;
                    note.stopped = Some((file.parse().map_err(|_| wrong())?, at.parse().map_err(|_| wrong())?));
                }
                _ => return Err(wrong()),
            }
        }
        if note.names.base.is_empty() || note.names.index.is_empty() { Err(wrong()) } else { Ok(Some(note)) }
    }

    pub(super) fn write(&self, fs: &dyn FileSystem) -> Result<()> {
        let set = |s: &GtidSet| s.to_string().replace('\n', "");
        let Names { base, index } = &self.names;
        let mut text = format!("base={base}\nindex={index}\ngtids={}\n", set(&self.only_here));
        if !self.purging.is_empty() {
            text.push_str(&format!("purging={}\n", ranges(&self.purging)));
        }
        if self.reset > Lsn(0) {
            text.push_str(&format!("reset={}\n", self.reset.0));
        }
        if let Some((file, at)) = self.stopped {
            text.push_str(&format!("stopped={file}-{at}\nexecuted={}\n", set(&self.executed)));
        }
        replace(fs, NOTE, &text)
    }
}

/// Numbers as ranges, the end of each not included: `1-4,7-8`.
fn ranges(numbers: &BTreeSet<u32>) -> String {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for n in numbers {
        match all.last_mut() {
            Some((_, end)) if *end == *n => *end += 1,
            _ => all.push((*n, n + 1)),
        }
    }
    all.iter().map(|(from, to)| format!("{from}-{to}")).collect::<Vec<_>>().join(",")
}

/// Notes in a copy of a server's data that these transactions are executed and stand in no file: the copy begins a log
/// of its own. `base`: the name of the original's files.
///
/// # Errors
/// I/O errors.
pub fn note_of_copy(fs: &dyn FileSystem, base: &str, executed: &GtidSet) -> Result<()> {
    Note { names: Names::new(last(base), None), only_here: executed.clone(), ..Note::default() }.write(fs)
}

/// The same of a directory that had a log for the time in which it was made: its files go.
///
/// # Errors
/// I/O errors.
pub fn end_log_of_copy(fs: &dyn FileSystem, base: &str, executed: &GtidSet) -> Result<()> {
    let names = Names::new(last(base), None);
    for file in fs.list("")?.iter().filter(|n| names.number(n).is_some()) {
        fs.remove(file)?;
    }
    fs.remove(&names.index)?;
    note_of_copy(fs, base, executed)
}

fn read(fs: &dyn FileSystem, name: &str) -> Result<Option<String>> {
    if !fs.exists(name) {
        return Ok(None);
    }
    let file = fs.open(name, OpenMode::ReadOnly, FileKind::Log)?;
    let mut bytes = vec![0; usize::try_from(file.len()?).unwrap_or(0)];
    file.read_at(0, &mut bytes)?;
    let why = "it is not text. Put back what was there";
    String::from_utf8(bytes).map(Some).map_err(|_| StorageError::NotOurs { file: name.into(), why })
}

/// Puts a new file in the place of one: durably, the old or the new one.
fn replace(fs: &dyn FileSystem, name: &str, text: &str) -> Result<()> {
    let new = format!("{name}.new");
    let file = fs.open(&new, OpenMode::Truncate, FileKind::Log)?;
    file.write_at(0, text.as_bytes())?;
    file.sync_data()?;
    drop(file);
    fs.rename(&new, name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use storage::file::sim::SimFs;

    #[test]
    fn names() {
        let n = Names::new("bin.log", None);
        assert_eq!((n.base.as_str(), n.index.as_str()), ("bin", "bin.index"));
        assert_eq!((n.file(7), n.shown(1_234_567)), ("bin.000007".into(), "bin.1234567".into()));
        for (name, number) in
            [("bin.000007", Some(7)), ("./bin.000007", Some(7)), ("bin.7", None), ("bin.0000007", None)]
        {
            assert_eq!(n.number(name), number, "{name}");
        }
        for wrong in ["bin", "bin.index", "other.000001", "bin.000000", "bin.00000x", ""] {
            assert_eq!(n.number(wrong), None, "{wrong}");
        }
        let n = Names::new("/var/log.d/bin", Some("/x/list.txt"));
        assert_eq!((n.file(1), n.shown(1)), ("/var/log.d/bin.000001".into(), "bin.000001".into()));
        assert_eq!(n.index, "/x/list.index");
    }

    #[test]
    fn index_and_note() {
        let fs = SimFs::new();
        let n = Names::new("bin", None);
        assert!(n.read_index(&fs).unwrap().is_empty());
        n.write_index(&fs, [3, 4, 12].into_iter()).unwrap();
        assert_eq!(n.read_index(&fs).unwrap().into_iter().collect::<Vec<_>>(), [3, 4, 12]);
        assert!(Names::new("other", Some("bin")).read_index(&fs).is_err());
        assert_eq!(Note::read(&fs).unwrap(), None);
        let only_here = GtidSet::parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-7:9").unwrap();
        for (purging, stopped) in [(vec![], None), (vec![3, 4, 5, 8, 10, 11], Some((4, 5_000_000_000)))] {
            let executed = if stopped.is_some() { only_here.clone() } else { GtidSet::default() };
            let (purging, reset) = (purging.into_iter().collect::<BTreeSet<_>>(), Lsn(stopped.map_or(0, |s| s.1)));
            assert_eq!(ranges(&purging), if stopped.is_some() { "3-6,8-9,10-12" } else { "" });
            let note = Note { names: n.clone(), only_here: only_here.clone(), purging, reset, stopped, executed };
            note.write(&fs).unwrap();
            assert_eq!(Note::read(&fs).unwrap(), Some(note));
        }
    }
}
