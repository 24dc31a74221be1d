//! [`FileSystem`] on a directory.

use super::{DataFile, FileKind, FileSystem, OpenMode};
use crate::error::{Result, StorageError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use sys::file::{Dir, File};

/// The data directory.
pub struct RealFs {
    root: PathBuf,
    direct: bool,
}

impl RealFs {
    /// Uses (and creates) `root`. `direct`: `innodb_flush_method=O_DIRECT`, data files bypass the page cache.
    pub fn new(root: &Path, direct: bool) -> Result<RealFs> {
        Dir::create(root).map_err(|e| StorageError::from_io("create", &root.to_string_lossy(), &e))?;
        Ok(RealFs { root: root.to_owned(), direct })
    }

    fn sync_parent(&self, name: &str) -> Result<()> {
        let path = self.root.join(name);
        let dir = path.parent().unwrap_or(&self.root);
        Dir::sync(dir).map_err(|e| StorageError::from_io("sync", name, &e))
    }
}

struct RealFile {
    file: File,
    name: Box<str>,
}

impl RealFile {
    fn err(&self, op: &'static str) -> impl Fn(std::io::Error) -> StorageError + '_ {
        move |e| StorageError::from_io(op, &self.name, &e)
    }
}

impl DataFile for RealFile {
    fn read_up_to(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        self.file.read_up_to(buf, offset).map_err(self.err("read"))
    }
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_at(bytes, offset).map_err(self.err("write"))
    }
    fn sync_data(&self) -> Result<()> {
        self.file.sync_data().map_err(self.err("sync"))
    }
    fn preallocate(&self, len: u64) -> Result<()> {
        self.file.allocate(0, len).map_err(self.err("extend"))
    }
    fn unwritten(&self, from: u64, len: u64) -> Result<Option<(u64, u64)>> {
        self.file.unwritten(from, len).map_err(self.err("look for holes of"))
    }
    fn len(&self) -> Result<u64> {
        self.file.len().map_err(self.err("stat"))
    }
    fn set_len(&self, len: u64) -> Result<()> {
        self.file.set_len(len).map_err(self.err("truncate"))
    }
    fn name(&self) -> &str {
        &self.name
    }
}

impl FileSystem for RealFs {
    fn open(&self, name: &str, mode: OpenMode, kind: FileKind) -> Result<Arc<dyn DataFile>> {
        let path = self.root.join(name);
        let creates = !matches!(mode, OpenMode::ReadOnly | OpenMode::ReadWrite);
        let new = creates && !path.exists();
        let file = if self.direct && kind == FileKind::Data {
            File::open_direct(&path, mode)
        } else {
            File::open(&path, mode)
        };
        let file = file.map_err(|e| StorageError::from_io("open", name, &e))?;
        if new {
            self.sync_parent(name)?;
        }
        Ok(Arc::new(RealFile { file, name: name.into() }))
    }

    fn exists(&self, name: &str) -> bool {
        self.root.join(name).exists()
    }

    fn whole_name(&self, name: &str) -> String {
        self.root.join(name).to_string_lossy().into_owned()
    }

    fn remove(&self, name: &str) -> Result<()> {
        Dir::remove_file(&self.root.join(name)).map_err(|e| StorageError::from_io("remove", name, &e))?;
        if self.root.join(name).parent().is_some_and(Path::exists) { self.sync_parent(name) } else { Ok(()) }
    }

    fn rename(&self, from: &str, to: &str) -> Result<()> {
        Dir::rename(&self.root.join(from), &self.root.join(to)).map_err(|e| StorageError::from_io("rename", from, &e))
    }

    fn list(&self, dir: &str) -> Result<Vec<String>> {
        match Dir::list(&self.root.join(dir)) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            r => r.map_err(|e| StorageError::from_io("list", dir, &e)),
        }
    }

    fn create_dir(&self, dir: &str) -> Result<()> {
        let path = self.root.join(dir);
        if path.is_dir() {
            return Ok(());
        }
        Dir::create(&path).map_err(|e| StorageError::from_io("create", dir, &e))?;
        self.sync_parent(dir)
    }

    fn link(&self, from: &str, to: &str) -> Result<()> {
        Dir::link(&self.root.join(from), &self.root.join(to)).map_err(|e| StorageError::from_io("link", to, &e))
    }

    fn number(&self, name: &str) -> Option<(u64, u64)> {
        Dir::regular(&self.root.join(name)).ok()
    }
}
