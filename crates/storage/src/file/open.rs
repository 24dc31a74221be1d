//! [`Files`]: the tablespace files that are open, at most `innodb_open_files` of them.
//!
//! A file is opened when a page of it is read or written, and closed when it has not been used for longer than the others and another one is
//! to be opened (`docs/decisions/0034-open-files-and-undo.md`). Who does I/O holds the file by an `Arc`, so closing waits for nobody and takes nothing
//! away. Nothing is lost by closing: whoever has written syncs by the same handle before he lets go of it. The system's own tablespaces stay open.
//!
//! How recently a file was used is counted in files opened: as long as nothing is opened nobody writes anything shared. Locks: one read-write lock around
//! each map; the operating system's `open` is called under that of the open files. Tested here and by `tests/clients/test_open_files.py`.

use super::told::Told;
use super::{DataFile, FileKind, FileSystem, OpenMode, SPACES_DIR};
use crate::error::{Result, StorageError};
use crate::reserved::FIRST_USER_ID;
use crate::told::Reporter;
use base::SpaceId;
use hashbrown::HashMap;
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

type Map<V> = HashMap<u32, V, foldhash::fast::FixedState>;

struct Open {
    file: Arc<dyn DataFile>,
    /// [`Files::opened`] when it was used last.
    used: AtomicU64,
}

/// The tablespace files.
pub struct Files {
    fs: Arc<dyn FileSystem>,
    reporter: Arc<Reporter>,
    open: RwLock<Map<Open>>,
    /// How far each file is known to have disk space.
    grown: RwLock<Map<u64>>,
    limit: AtomicUsize,
    /// Files opened so far.
    opened: AtomicU64,
}

impl Files {
    /// On the given file system, without a limit. What fails there is told in the error log.
    pub fn new(fs: Arc<dyn FileSystem>) -> Files {
        let reporter = Arc::<Reporter>::default();
        Files {
            fs: Arc::new(Told::new(fs, reporter.clone())),
            reporter,
            open: RwLock::default(),
            grown: RwLock::default(),
            limit: AtomicUsize::new(usize::MAX),
            opened: AtomicU64::new(0),
        }
    }

    /// `innodb_open_files`; 0: no limit.
    pub fn set_limit(&self, most: usize) {
        self.limit.store(if most == 0 { usize::MAX } else { most }, Ordering::Relaxed);
    }

    /// Who tells the error log.
    pub fn reporter(&self) -> &Reporter {
        &self.reporter
    }

    /// The file system below.
    pub fn fs(&self) -> &Arc<dyn FileSystem> {
        &self.fs
    }

    /// File name of a tablespace.
    pub fn name_of(space: SpaceId) -> String {
        format!("{SPACES_DIR}/{:08x}.ibd", space.0)
    }

    /// The tablespace whose file has this name.
    pub fn space_of(name: &str) -> Option<SpaceId> {
        let name = name.strip_prefix(SPACES_DIR)?.strip_prefix('/')?.strip_suffix(".ibd")?;
        u32::from_str_radix(name, 16).ok().map(SpaceId)
    }

    /// The space's file, opened if it is not.
    pub fn get(&self, space: SpaceId) -> Result<Arc<dyn DataFile>> {
        if let Some(f) = self.open.read().get(&space.0) {
            let now = self.opened.load(Ordering::Relaxed);
            if f.used.load(Ordering::Relaxed) != now {
                f.used.store(now, Ordering::Relaxed);
            }
            return Ok(f.file.clone());
        }
        let mut closed = Vec::new();
        let mut open = self.open.write();
        if let Some(f) = open.get(&space.0) {
            return Ok(f.file.clone());
        }
        let f = self
            .open_file(&mut open, space, OpenMode::ReadWrite, &mut closed)
            .map_err(|e| if e.is_file_missing() { StorageError::NoSuchSpace { space } } else { e })?;
        drop(open);
        drop(closed);
        Ok(f)
    }

    /// Opens a file and puts it among the others. `closed` takes what had to go, to be closed when the lock is free again.
    fn open_file(
        &self,
        open: &mut Map<Open>,
        space: SpaceId,
        mode: OpenMode,
        closed: &mut Vec<Open>,
    ) -> Result<Arc<dyn DataFile>> {
        let limit = self.limit.load(Ordering::Relaxed);
        if open.len() >= limit {
            // a sixteenth more than needed, so that not every file that is opened has to look for one
            close_oldest(open, open.len() + 1 - limit + limit / 16, closed);
        }
        let name = Files::name_of(space);
        let mut file = self.fs.open(&name, mode, FileKind::Data);
        if file.as_ref().is_err_and(StorageError::is_out_of_descriptors) {
            // somebody else needed more than was left for him
            close_oldest(open, open.len() / 2 + 1, closed);
            closed.clear();
            file = self.fs.open(&name, mode, FileKind::Data);
            if let Err(e) = &file {
                self.reporter.tell(e);
            }
        }
        let file = file?;
        let used = AtomicU64::new(self.opened.fetch_add(1, Ordering::Relaxed) + 1);
        open.insert(space.0, Open { file: file.clone(), used });
        Ok(file)
    }

    /// How many files are open.
    pub fn open_count(&self) -> usize {
        self.open.read().len()
    }

    /// Creates the space's file, empty; an error when there is one.
    pub fn create(&self, space: SpaceId) -> Result<()> {
        self.fs.create_dir(SPACES_DIR)?;
        let mut closed = Vec::new();
        self.open_file(&mut self.open.write(), space, OpenMode::CreateNew, &mut closed).map(drop)
    }

    /// Makes sure that the space's file has disk space up to `end`, growing it in steps ([`step`]) so that page writes seldom change the file's size.
    /// `DiskFull` only when not even `end` fits.
    pub fn grow(&self, space: SpaceId, file: &dyn DataFile, end: u64) -> Result<()> {
        if self.grown.read().get(&space.0).is_some_and(|g| *g >= end) {
            return Ok(());
        }
        let mut have = file.len()?;
        if have < end {
            have = end.next_multiple_of(step(end));
            if let Err(StorageError::DiskFull { .. }) = file.preallocate(have) {
                have = end;
                file.preallocate(have)?;
            }
        }
        self.grown.write().insert(space.0, have);
        Ok(())
    }

    /// Cuts the space's file to `len` bytes, durably. The pool's pages behind must have been discarded.
    pub fn cut(&self, space: SpaceId, len: u64) -> Result<()> {
        let file = self.get(space)?;
        self.grown.write().remove(&space.0);
        file.set_len(len)?;
        file.sync_data()
    }

    /// Removes the space's file durably. The pool's pages of it must have been discarded.
    pub fn remove(&self, space: SpaceId) -> Result<()> {
        self.open.write().remove(&space.0);
        self.grown.write().remove(&space.0);
        self.fs.remove(&Files::name_of(space))
    }

    /// Whether the space has a file.
    pub fn exists(&self, space: SpaceId) -> bool {
        self.open.read().contains_key(&space.0) || self.fs.exists(&Files::name_of(space))
    }

    /// Size of the space's file in bytes.
    pub fn size(&self, space: SpaceId) -> Result<u64> {
        self.get(space)?.len()
    }

    /// All spaces that have a file.
    pub fn spaces(&self) -> Result<Vec<SpaceId>> {
        let names = self.fs.list(SPACES_DIR)?;
        let ids = names.iter().filter_map(|n| u32::from_str_radix(n.strip_suffix(".ibd")?, 16).ok());
        Ok(ids.map(SpaceId).collect())
    }
}

/// By how much a file grows that needs `end` bytes: 128 KiB at first (a table without rows has no more), an extent from 1 MiB on, four from 32 MiB on.
pub fn step(end: u64) -> u64 {
    match end {
        e if e <= 1 << 20 => 128 << 10,
        e if e < 32 << 20 => 1 << 20,
        _ => 4 << 20,
    }
}

/// Takes out the `n` files that have not been used for longest.
fn close_oldest(open: &mut Map<Open>, n: usize, closed: &mut Vec<Open>) {
    let mut all: Vec<(u64, u32)> = open
        .iter()
        .filter(|(space, _)| u64::from(**space) >= FIRST_USER_ID)
        .map(|(space, f)| (f.used.load(Ordering::Relaxed), *space))
        .collect();
    let n = n.min(all.len());
    if n < all.len() {
        all.select_nth_unstable(n);
        all.truncate(n);
    }
    closed.extend(all.iter().filter_map(|(_, space)| open.remove(space)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::sim::SimFs;

    fn files(n: u32) -> Files {
        let files = Files::new(Arc::new(SimFs::new()));
        (100..100 + n).for_each(|s| files.create(SpaceId(s)).unwrap());
        files
    }

    #[test]
    fn the_least_recently_used_are_closed() {
        let files = files(0);
        files.create(SpaceId(1)).unwrap();
        files.set_limit(20);
        (100..150).for_each(|s| files.create(SpaceId(s)).unwrap());
        let held = files.get(SpaceId(100)).unwrap();
        for round in 0..3 {
            for s in 100..150 {
                files.get(SpaceId(s)).unwrap();
                files.get(SpaceId(140)).unwrap();
                assert!(files.open.read().contains_key(&140) && files.open.read().contains_key(&1), "{round} {s}");
                assert!(files.open_count() <= 20);
            }
        }
        // closed here, still good for who has it
        assert!(!files.open.read().contains_key(&100));
        held.write_at(0, b"x").unwrap();
        held.sync_data().unwrap();
        assert_eq!(files.size(SpaceId(100)).unwrap(), 1);
    }

    #[test]
    fn a_process_without_descriptors_closes_what_it_can() {
        let fs = SimFs::new();
        let files = Files::new(Arc::new(fs.clone()));
        (100..110).for_each(|s| files.create(SpaceId(s)).unwrap());
        fs.set_open_limit(5);
        for s in (100..110).cycle().take(30) {
            files.get(SpaceId(s)).unwrap();
        }
        files.create(SpaceId(110)).unwrap();
        assert!(fs.open_now() <= 5);
        fs.set_open_limit(0);
        let e = files.get(SpaceId(100)).err().unwrap();
        assert!(e.is_out_of_descriptors(), "{e}");
    }

    #[test]
    fn names_and_steps() {
        for s in [1, 100, 0xabc_def0] {
            assert_eq!(Files::space_of(&Files::name_of(SpaceId(s))), Some(SpaceId(s)));
        }
        assert_eq!(Files::space_of("#innodb_redo/#ib_redo0"), None);
        assert_eq!([1, 1 << 20, (1 << 20) + 1, 40 << 20].map(step), [128 << 10, 128 << 10, 1 << 20, 4 << 20]);
    }
}
