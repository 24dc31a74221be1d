//! Blocks into a folder, or into one stream.
//!
//! A folder has a file for each tablespace (`spaces/<id as 8 hex>.ekb`), `redo.ekb`, `files.ekb`, `ends.ekb` (first and
//! last block), and `backup.json`, which comes last and names them all with the number of their blocks: without it the
//! folder is no backup. Every file is synced before. A stream is its blocks one after the other.

use crate::block::{Block, Codec, Kind};
use crate::error::{Error, Result};
use crate::manifest::{Begin, End};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Rights of its files, and nobody else's: there are rows and hashes of passwords in them.
const MODE: u32 = 0o640;

/// The file that makes a folder a backup.
pub const MANIFEST: &str = "backup.json";

/// Takes blocks.
pub trait Keeper {
    /// Keeps a block.
    ///
    /// # Errors
    /// I/O errors.
    fn keep(&mut self, block: &Block) -> Result<()>;
    /// The last block has come: makes all of it durable. Returns the bytes kept.
    ///
    /// # Errors
    /// I/O errors.
    fn finish(&mut self) -> Result<u64>;
}

/// The file of a folder in which a block is.
pub fn file_of(block: &Block) -> String {
    match block.kind {
        Kind::Length | Kind::Pages => format!("spaces/{:08x}.ekb", block.space().0.0),
        Kind::Redo => "redo.ekb".into(),
        Kind::File => "files.ekb".into(),
        Kind::Begin | Kind::End => "ends.ekb".into(),
    }
}

/// A folder that is not there yet, or is empty. One that has `sign`, and is no backup, was left by `what`, which was
/// cut short: the text says that it may go.
///
/// # Errors
/// `Refused`: it has something; I/O errors.
pub(crate) fn unused(path: &Path, sign: &str, what: &str) -> Result<()> {
    let has = match std::fs::read_dir(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => false,
        dir => dir.map_err(|e| Error::io(path.display(), e))?.next().is_some(),
    };
    if !has {
        return Ok(());
    }
    let left = path.join(sign).exists() && !path.join(MANIFEST).exists();
    let why = if left { format!(": {what} to it was not completed; remove it first") } else { String::new() };
    Err(Error::Refused(format!("'{}' is not empty{why}", path.display())))
}

/// A folder.
pub struct Folder {
    path: PathBuf,
    codec: Codec,
    open: Option<(String, BufWriter<File>)>,
    /// Blocks and bytes of each file.
    files: BTreeMap<String, (u64, u64)>,
    begin: Option<Begin>,
    end: Option<End>,
}

impl Folder {
    /// In a folder that is not there yet, or is empty.
    ///
    /// # Errors
    /// `Refused`: it has something; I/O errors.
    pub fn create(path: &Path, codec: Codec) -> Result<Folder> {
        let fail = |e| Error::io(path.display(), e);
        Folder::unused(path)?;
        sys::file::Dir::create(path).map_err(fail)?;
        sys::file::Dir::create(&path.join("spaces")).map_err(fail)?;
        let path = path.to_owned();
        Ok(Folder { path, codec, open: None, files: BTreeMap::new(), begin: None, end: None })
    }

    /// Whether a backup can be made there; makes nothing.
    ///
    /// # Errors
    /// `Refused`: it has something; I/O errors.
    pub fn unused(path: &Path) -> Result<()> {
        unused(path, "spaces", "a backup")
    }

    fn close(&mut self) -> Result<()> {
        let Some((name, mut file)) = self.open.take() else { return Ok(()) };
        file.flush().and_then(|()| file.get_ref().sync_data()).map_err(|e| Error::io(&name, e))
    }
}

impl Keeper for Folder {
    fn keep(&mut self, block: &Block) -> Result<()> {
        let name = file_of(block);
        match block.kind {
            Kind::Begin => self.begin = Some(Begin::parse(&block.bytes, &name)?),
            Kind::End => self.end = Some(End::parse(&block.bytes, &name)?),
            _ => {}
        }
        if self.open.as_ref().is_none_or(|(n, _)| *n != name) {
            self.close()?;
            let path = self.path.join(&name);
            let file =
                File::options().append(true).create(true).mode(MODE).open(&path).map_err(|e| Error::io(&name, e))?;
            self.open = Some((name.clone(), BufWriter::with_capacity(1 << 20, file)));
        }
        let bytes = block.encode(self.codec)?;
        if let Some((_, file)) = &mut self.open {
            file.write_all(&bytes).map_err(|e| Error::io(&name, e))?;
        }
        let counts = self.files.entry(name).or_default();
        *counts = (counts.0 + 1, counts.1 + bytes.len() as u64);
        Ok(())
    }

    fn finish(&mut self) -> Result<u64> {
        self.close()?;
        let (Some(begin), Some(end)) = (&self.begin, &self.end) else {
            return Err(Error::Refused("the backup has no end".into()));
        };
        let part = |bytes: Vec<u8>| serde_json::from_slice::<Value>(&bytes).unwrap_or_default();
        let files: Vec<Value> = self
            .files
            .iter()
            .map(|(name, (blocks, bytes))| json!({"name": name, "blocks": blocks, "bytes": bytes}))
            .collect();
        let body = json!({"begin": part(begin.to_bytes()), "end": part(end.to_bytes()), "files": files});
        let crc = crc32c::crc32c(body.to_string().as_bytes());
        let text = format!("{:#}\n", json!({"backup": body, "crc32c": crc}));
        let dir = sys::file::Dir::sync(&self.path.join("spaces")).and_then(|()| sys::file::Dir::sync(&self.path));
        dir.and_then(|()| sys::file::Dir::write_atomic(&self.path.join(MANIFEST), text.as_bytes()))
            .map_err(|e| Error::io(self.path.join(MANIFEST).display(), e))?;
        Ok(self.files.values().map(|f| f.1).sum())
    }
}

/// A stream.
pub struct Stream<W: Write> {
    to: W,
    name: String,
    codec: Codec,
    bytes: u64,
}

impl<W: Write> Stream<W> {
    /// To this writer; `name` is for messages.
    pub fn new(to: W, name: &str, codec: Codec) -> Stream<W> {
        Stream { to, name: name.to_owned(), codec, bytes: 0 }
    }
}

impl<W: Write> Keeper for Stream<W> {
    fn keep(&mut self, block: &Block) -> Result<()> {
        let bytes = block.encode(self.codec)?;
        self.bytes += bytes.len() as u64;
        self.to.write_all(&bytes).map_err(|e| Error::io(&self.name, e))
    }

    fn finish(&mut self) -> Result<u64> {
        self.to.flush().map_err(|e| Error::io(&self.name, e))?;
        Ok(self.bytes)
    }
}
