//! [`Reader`]: the applier's way through the relay log's files. It waits for what the receiver appends; a place that it
//! has been at can be gone to again.

use crate::relay::{At, Relay, bad};
use crate::telling::TellingFile;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::MAGIC;
use binlog::event::{HEADER_LEN, Header};
use probe::files::FileUse;
use session::replica::EachEvent;
use std::fs::OpenOptions;
use std::io;
use std::time::Duration;

/// So much is read at a time.
const CHUNK: u64 = 256 << 10;

/// Reads the relay log in order.
pub struct Reader<'a> {
    relay: &'a Relay,
    file: Option<TellingFile>,
    /// Where the next event is.
    pub at: At,
    /// Bytes of the file from `from` on.
    buffer: Vec<u8>,
    from: u64,
}

impl<'a> Reader<'a> {
    /// From the first file on.
    pub fn new(relay: &'a Relay) -> Reader<'a> {
        Reader { relay, file: None, at: At::default(), buffer: Vec::new(), from: 0 }
    }

    /// Goes to a place.
    pub fn seek(&mut self, to: At) {
        if to.number != self.at.number {
            self.file = None;
            self.buffer.clear();
        }
        self.at = to;
    }

    /// The next event, if there is one yet.
    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if let Some(length) = self.buffered() {
            return Ok(self.take(length));
        }
        loop {
            let Some((place, last, size)) = self.relay.wait_for(self.at, Duration::ZERO) else { return Ok(None) };
            self.seek(place);
            if self.file.is_none() {
                self.file = Some(open(self.relay, self.at.number)?);
            }
            let Some(file) = &self.file else { return Ok(None) };
            let size = if last { size } else { file.len()? };
            if self.at.offset >= size {
                if last {
                    return Ok(None);
                }
                self.seek(At { number: self.at.number + 1, offset: MAGIC.len() as u64 });
                continue;
            }
            self.fill(CHUNK.min(size - self.at.offset))?;
            let Some(header) = self.header() else { return Err(bad("an event that ends behind its file")) };
            let length = u64::from(header.size);
            if self.at.offset + length > size {
                return Err(bad("an event that ends behind its file"));
            }
            if length > self.buffer.len() as u64 {
                self.fill(length)?;
            }
            return Ok(self.take(length as usize));
        }
    }

    /// Waits until there is something to read, not longer than `long`.
    pub fn wait(&self, long: Duration) {
        self.relay.wait_for(self.at, long);
    }

    /// What is in memory from the next event on.
    fn ahead(&self) -> Option<&[u8]> {
        let at = self.at.offset.checked_sub(self.from)?;
        self.buffer.get(at as usize..)
    }

    fn header(&self) -> Option<Header> {
        Header::read(self.ahead()?).ok()
    }

    /// Length of the next event, if all of it is in memory.
    fn buffered(&self) -> Option<usize> {
        let length = self.header()?.size as usize;
        (self.ahead()?.len() >= length).then_some(length)
    }

    /// Reads so many bytes from the next event on.
    fn fill(&mut self, length: u64) -> io::Result<()> {
        let Some(file) = &self.file else { return Err(bad("no file")) };
        self.buffer.resize(length as usize, 0);
        self.from = self.at.offset;
        let done = file.read_exact_at(&mut self.buffer, self.from);
        if done.is_err() {
            self.buffer.clear();
        }
        done
    }

    fn take(&mut self, length: usize) -> Option<&[u8]> {
        let at = self.at.offset.checked_sub(self.from)? as usize;
        self.at.offset += length as u64;
        self.buffer.get(at..at + length)
    }
}

fn open(relay: &Relay, number: u64) -> io::Result<TellingFile> {
    TellingFile::open(&relay.path(number), FileUse::RelayLog, OpenOptions::new().read(true))
}

/// Lends the events of a file of the relay log, the first where none is named, with their places, until `each` says
/// false. The file's name; `None`: there is none.
///
/// # Errors
/// Of `each`, and of reading the file.
pub fn events(relay: &Relay, name: &str, each: &mut EachEvent<'_>) -> SqlResult<Option<String>> {
    let Some((number, size)) = relay.find(name) else { return Ok(None) };
    let failed = |e: io::Error| SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("relay log: {e}"));
    let file = open(relay, number).map_err(failed)?;
    let size = size.map_or_else(|| file.len(), Ok).map_err(failed)?;
    let mut at = MAGIC.len() as u64;
    while at < size {
        let event = event_at(&file, at, size).map_err(failed)?;
        if !each(at, &event)? {
            break;
        }
        at += event.len() as u64;
    }
    Ok(Some(relay.file_name(number)))
}

/// The event that begins at a place of a file that is `size` bytes long.
fn event_at(file: &TellingFile, at: u64, size: u64) -> io::Result<Vec<u8>> {
    let mut head = [0u8; HEADER_LEN];
    file.read_exact_at(&mut head, at)?;
    let header = Header::read(&head).map_err(bad)?;
    if at + u64::from(header.size) > size {
        return Err(bad("an event that ends behind its file"));
    }
    let mut event = vec![0; header.size as usize];
    file.read_exact_at(&mut event, at)?;
    Ok(event)
}
