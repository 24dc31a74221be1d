//! Which backups were taken of this data directory: those on which an incremental one may build.
//!
//! An incremental backup leaves out the pages that are older than the one before. That is right only of the same
//! history: another server, a directory that was put back from a copy or a backup, or one that a clone has replaced,
//! may hold older pages that say something else, and a restore would mix the two without a word. So the directory keeps
//! the numbers of its backups in the file [`FILE`]. A copy of the directory has those up to the copy, which is right:
//! what it holds builds on them. A restored directory, and a clone, have none.
//!
//! Lock: one mutex around reading and writing the file; nothing else is taken under it. A crash before the line is
//! written leaves a backup on which no other builds. Tested: below, `tests/backup/test_backup.py`.

use crate::manifest::Begin;
use base::Lsn;
use parking_lot::Mutex;
use std::path::Path;
use sys::file::Dir;

/// In the data directory: a line for each backup, its number and its checkpoint, the newest last.
pub const FILE: &str = "#backups_taken";
/// How many of them are kept.
const MOST: usize = 1000;

static ORDER: Mutex<()> = Mutex::new(());

fn line(id: &str, checkpoint: Lsn) -> String {
    format!("{id} {}", checkpoint.0)
}

fn lines(datadir: &Path) -> Vec<String> {
    std::fs::read_to_string(datadir.join(FILE)).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Whether that backup was taken of this directory.
pub fn knows(datadir: &Path, id: &str, checkpoint: Lsn) -> bool {
    let _order = ORDER.lock();
    lines(datadir).contains(&line(id, checkpoint))
}

/// It is complete but for its last block. If that cannot be kept (a full disk), the backup is good all the same, and
/// only the next one has to be a whole one, which [`knows`] then says.
pub fn keep(datadir: &Path, begin: &Begin) {
    let _order = ORDER.lock();
    let mut all = lines(datadir);
    all.push(line(&begin.id, begin.start.checkpoint));
    let newest = all.len().saturating_sub(MOST);
    let text: String = all.iter().skip(newest).map(|l| format!("{l}\n")).collect();
    let _ = Dir::write_atomic(&datadir.join(FILE), text.as_bytes());
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept() {
        let dir = std::env::temp_dir().join(format!("ek-taken-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        for n in 0..MOST as u64 + 3 {
            let mut begin = Begin { id: format!("{n:032x}"), ..Begin::default() };
            begin.start.checkpoint = Lsn(n * 10);
            keep(&dir, &begin);
        }
        let known = |n: u64, at: u64| knows(&dir, &format!("{n:032x}"), Lsn(at));
        assert!(!known(2, 20) && known(3, 30) && known(1002, 10020));
        assert!(!known(3, 31) && !known(5000, 50000), "another checkpoint, another backup");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
