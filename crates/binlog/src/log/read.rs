//! Reading a file event by event, from any position on.
//!
//! [`Walk`] reads ahead in blocks and gives whole events as bytes; a file that grows is read on. It trusts nothing: an
//! event that claims to be longer than what may be there is [`StorageError::WrongFormat`].

use crate::control::FormatDescription;
use crate::event::{Event, EventType, HEADER_LEN, Header};
use crate::gtid::GtidSet;
use crate::transaction::GtidEvent;
use crate::{MAGIC, Malformed};
use std::sync::Arc;
use storage::error::{Result, StorageError};
use storage::file::{DataFile, FileKind, FileSystem, OpenMode};

/// Bytes that are read at once.
const BLOCK: usize = 256 << 10;
/// Longest event: MySQL's `max_allowed_packet` of replicas.
const MAX_EVENT: u64 = 1 << 30;

/// Reads the events of one file in order.
pub struct Walk {
    file: Arc<dyn DataFile>,
    /// Where the next event begins.
    at: u64,
    buf: Vec<u8>,
    /// Where in the file the buffer begins.
    from: u64,
    /// Its first event.
    format: FormatDescription,
    format_bytes: Vec<u8>,
}

/// A file that is not what it should be.
fn wrong(file: &dyn DataFile, why: &'static str) -> StorageError {
    StorageError::WrongFormat { file: file.name().into(), why }
}

impl Walk {
    /// Opens a file, of which `limit` bytes may be read, and reads its format description.
    ///
    /// # Errors
    /// Of the file system; `WrongFormat`: it is no file of a binary log.
    pub fn open(fs: &dyn FileSystem, name: &str, limit: u64) -> Result<Walk> {
        let file = fs.open(name, OpenMode::ReadOnly, FileKind::Log)?;
        let mut magic = [0; MAGIC.len()];
        if limit < MAGIC.len() as u64 || file.read_up_to(0, &mut magic)? < magic.len() || magic != MAGIC {
            return Err(wrong(&*file, "not a file of a binary log: its first bytes are others"));
        }
        let format = FormatDescription { server_version: String::new(), created: 0, checksum: false, in_use: false };
        let at = MAGIC.len() as u64;
        let mut walk = Walk { file, at, buf: Vec::new(), from: at, format, format_bytes: Vec::new() };
        let first = walk.next(limit)?.map(<[u8]>::to_vec).unwrap_or_default();
        walk.format = FormatDescription::read(&first).map_err(|e| wrong(&*walk.file, e.0))?;
        walk.format_bytes = first;
        Ok(walk)
    }

    /// Its format description, and the bytes of that event.
    pub fn format(&self) -> (&FormatDescription, &[u8]) {
        (&self.format, &self.format_bytes)
    }

    /// Where the next event begins.
    pub fn position(&self) -> u64 {
        self.at
    }

    /// Goes on at byte `at`, at which an event must begin.
    pub fn seek(&mut self, at: u64) {
        self.at = at;
    }

    /// The next event, if all of it lies before byte `limit`.
    ///
    /// # Errors
    /// Of the file system; `WrongFormat` where there is no event.
    pub fn next(&mut self, limit: u64) -> Result<Option<&[u8]>> {
        if self.at + HEADER_LEN as u64 > limit {
            return Ok(None);
        }
        let header = self.bytes(HEADER_LEN, limit)?.ok_or(Malformed("it ends too early"));
        let header = header.and_then(Header::read).map_err(|e| wrong(&*self.file, e.0))?;
        let size = u64::from(header.size);
        if size > MAX_EVENT {
            return Err(wrong(&*self.file, "an event longer than 1 GiB"));
        }
        if self.at + size > limit {
            return Ok(None);
        }
        let at = self.at;
        if self.bytes(header.size as usize, limit)?.is_none() {
            return Err(wrong(&*self.file, "it ends inside an event"));
        }
        self.at = at + size;
        let start = (at - self.from) as usize;
        Ok(self.buf.get(start..start + header.size as usize))
    }

    /// So many bytes at the position.
    fn bytes(&mut self, len: usize, limit: u64) -> Result<Option<&[u8]>> {
        let have = self.at.checked_sub(self.from).is_some_and(|skip| skip as usize + len <= self.buf.len());
        if !have {
            let room = usize::try_from(limit - self.at).unwrap_or(usize::MAX);
            self.buf.resize(len.max(BLOCK).min(room), 0);
            let n = self.file.read_up_to(self.at, &mut self.buf)?;
            self.buf.truncate(n);
            self.from = self.at;
        }
        let start = (self.at - self.from) as usize;
        Ok(self.buf.get(start..start + len))
    }

    /// An event of this file, taken apart.
    ///
    /// # Errors
    /// It is damaged.
    pub fn parse<'a>(&self, bytes: &'a [u8]) -> std::result::Result<Event<'a>, Malformed> {
        Event::read(bytes, self.format.checksum)
    }
}

/// The GTIDs of a file: those of all files before it, and its own; and where its last whole event ends.
pub(super) fn gtids_of(fs: &dyn FileSystem, name: &str, limit: u64, own: bool) -> Result<(GtidSet, GtidSet, u64)> {
    let mut walk = Walk::open(fs, name, limit)?;
    let (mut before, mut in_it) = (GtidSet::default(), GtidSet::default());
    let checksum = walk.format.checksum;
    loop {
        let damaged = |e: Malformed| StorageError::WrongFormat { file: name.into(), why: e.0 };
        let at = walk.position();
        let Some(bytes) = walk.next(limit)? else { return Ok((before, in_it, at)) };
        let kind = bytes.get(4).copied().and_then(EventType::from_u8);
        match kind {
            Some(EventType::PreviousGtids) => {
                let event = Event::read(bytes, checksum).map_err(damaged)?;
                before = GtidSet::decode(event.body).map_err(damaged)?;
                if !own {
                    return Ok((before, in_it, at));
                }
            }
            Some(kind @ EventType::Gtid) => {
                let event = Event::read(bytes, checksum).map_err(damaged)?;
                in_it.extend(GtidEvent::read(kind, event.body).map_err(damaged)?.gtid);
            }
            _ => {}
        }
    }
}
