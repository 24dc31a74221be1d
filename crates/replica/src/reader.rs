//! [`Reader`]: the applier's way through the relay log's files. It waits for what the receiver appends; a place that it
//! has been at can be gone to again.

use crate::relay::{At, Relay, bad};
use base::{ErrorCode, SqlError, SqlResult};
use binlog::MAGIC;
use binlog::event::{HEADER_LEN, Header};
use session::replica::EachEvent;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// Reads the relay log in order.
pub struct Reader<'a> {
    relay: &'a Relay,
    file: Option<File>,
    /// Where the next event is.
    pub at: At,
}

/// What a reader finds.
pub enum Next {
    Event(Vec<u8>),
    /// Nothing yet.
    Nothing,
}

impl<'a> Reader<'a> {
    /// From the first file on.
    pub fn new(relay: &'a Relay) -> Reader<'a> {
        Reader { relay, file: None, at: At::default() }
    }

    /// Goes to a place that it has been at.
    pub fn seek(&mut self, to: At) {
        if to.number != self.at.number {
            self.file = None;
        }
        self.at = to;
    }

    /// The next event; waits for one, not longer than `wait`.
    pub fn next(&mut self, wait: Duration) -> io::Result<Next> {
        loop {
            let Some((place, last, size)) = self.relay.wait_for(self.at, wait) else { return Ok(Next::Nothing) };
            self.seek(place);
            if self.file.is_none() {
                self.file = Some(File::open(self.relay.path(self.at.number))?);
            }
            let Some(file) = &self.file else { return Ok(Next::Nothing) };
            let size = if last { size } else { file.metadata()?.len() };
            if self.at.offset >= size {
                if last {
                    return Ok(Next::Nothing);
                }
                (self.at, self.file) = (At { number: self.at.number + 1, offset: 4 }, None);
                continue;
            }
            return self.event(size).map(Next::Event);
        }
    }

    /// Waits until there is something to read, not longer than `long`.
    pub fn wait(&self, long: Duration) {
        self.relay.wait_for(self.at, long);
    }

    fn event(&mut self, size: u64) -> io::Result<Vec<u8>> {
        let Some(file) = &self.file else { return Err(bad("no file")) };
        let event = event_at(file, self.at.offset, size)?;
        self.at.offset += event.len() as u64;
        Ok(event)
    }

    /// Files before the one that it reads can go.
    pub fn release(&self) {
        self.relay.remove_before(self.at.number);
    }
}

/// Lends the events of a file of the relay log, the first where none is named, with their places, until `each` says
/// false. The file's name; `None`: there is none.
///
/// # Errors
/// Of `each`, and of reading the file.
pub fn events(relay: &Relay, name: &str, each: &mut EachEvent<'_>) -> SqlResult<Option<String>> {
    let Some((number, size)) = relay.find(name) else { return Ok(None) };
    let failed = |e: io::Error| SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("relay log: {e}"));
    let file = File::open(relay.path(number)).map_err(failed)?;
    let size = size.map_or_else(|| file.metadata().map(|m| m.len()), Ok).map_err(failed)?;
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
fn event_at(file: &File, at: u64, size: u64) -> io::Result<Vec<u8>> {
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
