//! Blocks out of a folder or a stream, in order, each verified: none is missing, none comes twice, none is damaged.

use crate::block::{Block, Kind, Order};
use crate::error::{Error, Result};
use crate::keep::MANIFEST;
use crate::manifest::{Begin, End};
use serde_json::Value;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// Where blocks come from.
pub struct Reader {
    folder: Option<PathBuf>,
    /// Files that are still to be read, with the number of their blocks.
    files: VecDeque<(String, u64)>,
    open: Option<(String, Box<dyn Read + Send>, u64)>,
    /// A folder's last block is beside its first.
    last: Option<Block>,
    order: Order,
    ended: bool,
}

/// What a folder's manifest says.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The first block.
    pub begin: Begin,
    /// The last block.
    pub end: End,
    /// Files, their blocks and bytes.
    pub files: Vec<(String, u64, u64)>,
}

/// Reads a folder's manifest.
///
/// # Errors
/// `Refused`: it has none; `Damaged`; I/O errors.
pub fn manifest(folder: &Path) -> Result<Manifest> {
    let path = folder.join(MANIFEST);
    let shown = path.display().to_string();
    let text = match std::fs::read(&path) {
        Ok(t) => t,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            let text = format!(
                "'{}' is no complete backup: it has no '{MANIFEST}', which is written when everything else is there",
                folder.display()
            );
            return Err(Error::Refused(text));
        }
        Err(e) => return Err(Error::io(shown, e)),
    };
    let wrong = |why: &str| Error::damaged(&shown, why);
    let all: Value = serde_json::from_slice(&text).map_err(|_| wrong("not JSON"))?;
    let body = all.get("backup").ok_or_else(|| wrong("no 'backup'"))?;
    let crc = u64::from(crc32c::crc32c(body.to_string().as_bytes()));
    if all.get("crc32c").and_then(Value::as_u64) != Some(crc) {
        return Err(wrong("its checksum is wrong"));
    }
    let part = |name: &str| body.get(name).map(|v| v.to_string().into_bytes()).unwrap_or_default();
    let mut files = Vec::new();
    for f in body.get("files").and_then(Value::as_array).into_iter().flatten() {
        let n = |name: &str| f.get(name).and_then(Value::as_u64);
        match (f.get("name").and_then(Value::as_str), n("blocks"), n("bytes")) {
            (Some(name), Some(blocks), Some(bytes)) => files.push((name.to_owned(), blocks, bytes)),
            _ => return Err(wrong("a file without a name")),
        }
    }
    Ok(Manifest { begin: Begin::parse(&part("begin"), &shown)?, end: End::parse(&part("end"), &shown)?, files })
}

impl Reader {
    /// Of a folder.
    ///
    /// # Errors
    /// As [`manifest`]; `Damaged`: a file has another length.
    pub fn folder(path: &Path) -> Result<Reader> {
        let m = manifest(path)?;
        let mut files = VecDeque::new();
        for (name, blocks, bytes) in &m.files {
            let whole = path.join(name);
            let have = std::fs::metadata(&whole).map_err(|e| Error::io(whole.display(), e))?.len();
            if have != *bytes {
                return Err(Error::damaged(whole.display(), format!("it has {have} bytes instead of {bytes}")));
            }
            files.push_back((name.clone(), *blocks));
        }
        // in the order in which blocks were made
        let rank = |name: &str| match name {
            "ends.ekb" => 0,
            "redo.ekb" => 2,
            "files.ekb" => 3,
            _ => 1,
        };
        files.make_contiguous().sort_by_key(|(name, _)| (rank(name), name.clone()));
        let folder = Some(path.to_owned());
        Ok(Reader { folder, files, open: None, last: None, order: Order::default(), ended: false })
    }

    /// Of a stream.
    pub fn stream(from: Box<dyn Read + Send>, name: &str) -> Reader {
        let open = Some((name.to_owned(), from, u64::MAX));
        Reader { folder: None, files: VecDeque::new(), open, last: None, order: Order::default(), ended: false }
    }

    /// The next block; `None` behind the last.
    ///
    /// # Errors
    /// `Damaged`; I/O errors.
    #[allow(clippy::should_implement_trait)] // it may fail
    pub fn next(&mut self) -> Result<Option<Block>> {
        if self.ended {
            return Ok(None);
        }
        loop {
            let Some((block, name)) = self.raw()? else {
                return match self.last.take() {
                    Some(last) => self.checked(last, "ends.ekb").map(Some),
                    None => Err(Error::damaged(self.name(), "it ends before the backup does")),
                };
            };
            if block.kind == Kind::End && self.folder.is_some() {
                self.last = Some(block);
                continue;
            }
            return self.checked(block, &name).map(Some);
        }
    }

    fn name(&self) -> String {
        match (&self.folder, &self.open) {
            (_, Some((name, ..))) => name.clone(),
            (Some(f), None) => f.display().to_string(),
            _ => "the backup".into(),
        }
    }

    fn checked(&mut self, block: Block, name: &str) -> Result<Block> {
        self.order.check(&block, name)?;
        self.ended = block.kind == Kind::End;
        Ok(block)
    }

    /// The next block as it stands, and in which file.
    fn raw(&mut self) -> Result<Option<(Block, String)>> {
        loop {
            if let Some((name, from, left)) = &mut self.open {
                if *left > 0
                    && let Some(block) = Block::read(from.as_mut(), name)?
                {
                    *left -= 1;
                    return Ok(Some((block, name.clone())));
                }
                if *left > 0 && self.folder.is_some() {
                    return Err(Error::damaged(name, "blocks are missing at its end"));
                }
                self.open = None;
            }
            let (Some(folder), Some((name, blocks))) = (&self.folder, self.files.pop_front()) else { return Ok(None) };
            let path = folder.join(&name);
            let file = File::open(&path).map_err(|e| Error::io(path.display(), e))?;
            let from = Box::new(BufReader::with_capacity(1 << 20, file));
            self.open = Some((path.display().to_string(), from, blocks));
        }
    }
}
