//! The relay log: files in the format of the binary log with what the source has sent.
//!
//! `NAME.000001 ...` and `NAME.index` in the data directory. A file begins with a format description of this server's,
//! PREVIOUS_GTIDS and an artificial ROTATE that names the source's file and position; the source's events follow with
//! their own header. All events have checksums, whether the source's have or not.
//!
//! One receiver appends, one applier reads; the mutex is held while an event is written. It is synced when
//! the receiver asks for it (`sync_relay_log`, semi-synchronous sources), and no commit waits for that: after a crash
//! [`Relay::open`] keeps what is whole up to the last transaction's end, and what is behind it is received again. Files
//! that have been applied are removed.
//!
//! Where a transaction was cut off (the connection broke), its beginning stays in the file and it follows again whole:
//! the applier takes back what it had begun.

use crate::telling::{TellingFile, remove, told_name};
use binlog::boundary::{Boundary, Step};
use binlog::event::{Event, Header};
use binlog::transaction::GtidEvent;
use binlog::{EventType, FormatDescription, Gtid, GtidSet, MAGIC, Stamp, control};
use parking_lot::{Condvar, Mutex};
use probe::files::FileUse;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A place in the source's log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Position {
    pub file: String,
    pub offset: u64,
}

impl Position {
    /// Whether it stands before `other` in a log whose files are numbered.
    pub fn is_before(&self, other: &Position) -> bool {
        (self.file.len(), &self.file, self.offset) < (other.file.len(), &other.file, other.offset)
    }
}

/// A place in the relay log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct At {
    pub number: u64,
    pub offset: u64,
}

#[derive(Default)]
struct State {
    file: Option<Arc<TellingFile>>,
    /// Numbers of the files, in order.
    numbers: Vec<u64>,
    /// Bytes of the last file.
    size: u64,
    /// Bytes of the others.
    before: u64,
    boundary: Boundary,
    /// Where the source's log was received to.
    read: Position,
    /// The same at the end of the last whole transaction.
    whole: Position,
    /// GTID of the transaction that is being received.
    open: Option<Gtid>,
    /// Whole transactions that were received.
    retrieved: GtidSet,
    /// The file whose name was made durable last.
    durable: Option<u64>,
    /// FLUSH RELAY LOGS came in the middle of a transaction: another file follows behind it.
    flush: bool,
}

/// See the module.
pub struct Relay {
    folder: PathBuf,
    name: String,
    state: Mutex<State>,
    more: Condvar,
    server: String,
}

pub(crate) fn bad(what: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_string())
}

impl Relay {
    /// Opens what there is. With `anew` it is thrown away.
    pub fn open(folder: PathBuf, name: String, server: String, anew: bool) -> io::Result<Relay> {
        let relay = Relay { folder, name, state: Mutex::default(), more: Condvar::new(), server };
        let numbers = relay.listed();
        {
            let mut s = relay.state.lock();
            if anew {
                for n in &numbers {
                    let _ = fs::remove_file(relay.path(*n));
                }
                relay.write_index(&s)?;
            } else {
                relay.recover(&mut s, &numbers)?;
            }
        }
        Ok(relay)
    }

    pub(crate) fn path(&self, number: u64) -> PathBuf {
        self.folder.join(self.file_name(number))
    }

    /// `NAME.000001`
    pub fn file_name(&self, number: u64) -> String {
        format!("{}.{number:06}", self.name)
    }

    fn index(&self) -> PathBuf {
        self.folder.join(format!("{}.index", self.name))
    }

    fn listed(&self) -> Vec<u64> {
        let text = fs::read_to_string(self.index()).unwrap_or_default();
        text.lines().filter_map(|l| l.rsplit_once('.')?.1.parse().ok()).collect()
    }

    fn write_index(&self, s: &State) -> io::Result<()> {
        if s.numbers.is_empty() {
            remove(&self.index());
            return Ok(());
        }
        let text: String = s.numbers.iter().map(|n| format!("./{}\n", self.file_name(*n))).collect();
        let new = self.folder.join(format!("{}.index_new", self.name));
        TellingFile::create(&new, FileUse::RelayLogIndex)?.write_all_at(text.as_bytes(), 0)?;
        fs::rename(&new, self.index())?;
        probe::files::renamed(&told_name(&new), &told_name(&self.index()));
        Ok(())
    }

    /// Keeps whole transactions; what is behind the last of them is cut off.
    fn recover(&self, s: &mut State, numbers: &[u64]) -> io::Result<()> {
        // last place behind a whole transaction: file, offset
        let mut keep: Option<At> = None;
        'files: for n in numbers {
            let Ok(bytes) = fs::read(self.path(*n)) else { break };
            if bytes.get(..4) != Some(&MAGIC[..]) {
                break;
            }
            let mut at = 4;
            while let Some(rest) = bytes.get(at..).filter(|r| !r.is_empty()) {
                let event = Header::read(rest).ok().and_then(|h| rest.get(..h.size as usize));
                let Some(event) = event.filter(|e| note(s, e).is_ok()) else { break 'files };
                at += event.len();
                if s.boundary.is_outside() {
                    keep = Some(At { number: *n, offset: at as u64 });
                }
            }
        }
        s.boundary = Boundary::default();
        s.open = None;
        s.read = s.whole.clone();
        for n in numbers {
            match keep {
                Some(k) if *n < k.number => s.numbers.push(*n),
                Some(k) if *n == k.number => {
                    s.numbers.push(*n);
                    OpenOptions::new().write(true).open(self.path(*n))?.set_len(k.offset)?;
                }
                _ => {
                    remove(&self.path(*n));
                }
            }
        }
        let length = |n: &u64| fs::metadata(self.path(*n)).map_or(0, |m| m.len());
        s.size = s.numbers.last().map_or(0, length);
        s.before = s.numbers.iter().map(length).sum::<u64>() - s.size;
        self.write_index(s)
    }

    /// A new file begins, for events of the source from there on. Its number.
    pub fn begin_file(&self, from: &Position, stamp: Stamp) -> io::Result<u64> {
        self.begin(&mut self.state.lock(), from, stamp)
    }

    /// FLUSH RELAY LOGS: a new file begins, as soon as no transaction is being received.
    pub fn flush(&self, stamp: Stamp) -> io::Result<()> {
        let mut s = self.state.lock();
        if s.numbers.is_empty() {
            return Ok(());
        }
        if !s.boundary.is_outside() {
            s.flush = true;
            return Ok(());
        }
        let from = s.read.clone();
        self.begin(&mut s, &from, stamp).map(drop)
    }

    fn begin(&self, s: &mut State, from: &Position, stamp: Stamp) -> io::Result<u64> {
        let number = s.numbers.last().map_or_else(|| 1, |n| n + 1);
        let mut head = MAGIC.to_vec();
        let format =
            FormatDescription { server_version: self.server.clone(), created: 0, checksum: true, in_use: false };
        format.write(stamp, &mut head);
        let at = head.len();
        control::previous_gtids(&s.retrieved, stamp, true, &mut head);
        control::rotate(from.file.as_bytes(), from.offset, true, stamp, true, &mut head);
        if let Some(events) = head.get_mut(at..) {
            binlog::event::place(events, at as u64, true);
        }
        let file = TellingFile::create(&self.path(number), FileUse::RelayLog)?;
        file.write_all_at(&head, 0)?;
        s.before += s.size;
        s.size = head.len() as u64;
        s.file = Some(Arc::new(file));
        s.flush = false;
        s.numbers.push(number);
        s.read = from.clone();
        if s.boundary.is_outside() {
            s.whole = from.clone();
        }
        self.write_index(s)?;
        self.more.notify_all();
        Ok(number)
    }

    /// Appends an event with a checksum.
    ///
    /// # Errors
    /// It is as if the event had not come: no position and no set of GTIDs has it, and nothing of it stays in the file,
    /// which may not be the last one for long.
    pub fn append(&self, event: &[u8]) -> io::Result<()> {
        let mut s = self.state.lock();
        let Some(file) = s.file.take() else { return Err(bad("the relay log is not open")) };
        let done = file.write_all_at(event, s.size).and_then(|()| note(&mut s, event));
        match done {
            Ok(()) => s.size += event.len() as u64,
            Err(_) => {
                let _ = file.set_len(s.size);
            }
        }
        s.file = Some(file);
        self.more.notify_all();
        done
    }

    /// What was appended is durable. Without semi-synchronous replication nobody asks for that.
    pub fn sync(&self) -> io::Result<()> {
        let (file, number, known) = {
            let s = self.state.lock();
            (s.file.clone(), s.numbers.last().copied(), s.durable)
        };
        let Some(file) = file else { return Ok(()) };
        file.sync_data()?;
        if number != known {
            // the file's name and the index
            File::open(self.index())?.sync_all()?;
            File::open(&self.folder)?.sync_all()?;
            self.state.lock().durable = number;
        }
        Ok(())
    }

    /// What the receiver does when its connection is gone: the transaction that was begun comes again.
    pub fn interrupted(&self) {
        let mut s = self.state.lock();
        s.boundary = Boundary::default();
        s.open = None;
        s.read = s.whole.clone();
    }

    /// Everything is forgotten.
    pub fn reset(&self) -> io::Result<()> {
        let mut s = self.state.lock();
        for n in &s.numbers {
            remove(&self.path(*n));
        }
        *s = State::default();
        self.write_index(&s)
    }

    /// Where the source's log was received to; the file is empty where nothing was.
    pub fn read_to(&self) -> Position {
        self.state.lock().read.clone()
    }

    /// Behind the last whole transaction.
    pub fn whole_to(&self) -> Position {
        self.state.lock().whole.clone()
    }

    /// `Retrieved_Gtid_Set`
    pub fn retrieved(&self) -> GtidSet {
        self.state.lock().retrieved.clone()
    }

    /// `Relay_Log_Space`
    pub fn space(&self) -> u64 {
        let s = self.state.lock();
        s.before + s.size
    }

    /// Whether another file is to follow the one that is written, which may be so large.
    pub fn wants_file(&self, max: u64) -> bool {
        let s = self.state.lock();
        (s.size > max || s.flush) && s.boundary.is_outside()
    }

    /// The first file's beginning, or where it would be.
    pub fn first(&self) -> At {
        let number = self.state.lock().numbers.first().copied().unwrap_or(1);
        At { number, offset: MAGIC.len() as u64 }
    }

    /// Whether a transaction is being received.
    pub fn is_between(&self) -> bool {
        self.state.lock().boundary.is_outside()
    }

    /// Waits, not longer than `wait`, until there is something at a place or behind it. Where that is, whether in the
    /// last file, and that file's length.
    pub(crate) fn wait_for(&self, at: At, wait: Duration) -> Option<(At, bool, u64)> {
        let mut s = self.state.lock();
        let has = |s: &State| s.numbers.last().is_some_and(|l| *l > at.number || s.size > at.offset);
        if !has(&s) && !wait.is_zero() {
            self.more.wait_for(&mut s, wait);
        }
        let first = s.numbers.iter().find(|n| **n >= at.number).copied().filter(|_| has(&s))?;
        let place = if first == at.number { at } else { At { number: first, offset: MAGIC.len() as u64 } };
        Some((place, s.numbers.last() == Some(&first), s.size))
    }

    /// A file by its name, the first where none is named: its number, and its length if it is being written.
    pub(crate) fn find(&self, name: &str) -> Option<(u64, Option<u64>)> {
        let s = self.state.lock();
        let is = |n: &&u64| name.is_empty() || self.file_name(**n) == name;
        s.numbers.iter().find(is).map(|n| (*n, (s.numbers.last() == Some(n)).then_some(s.size)))
    }

    /// Wakes the applier.
    pub fn wake(&self) {
        self.more.notify_all();
    }

    /// Files before this one are applied.
    pub(crate) fn remove_before(&self, number: u64) {
        let mut s = self.state.lock();
        if s.numbers.first().is_none_or(|first| *first >= number) {
            return;
        }
        let (gone, keep): (Vec<u64>, Vec<u64>) = s.numbers.iter().partition(|n| **n < number);
        for n in gone {
            let length = fs::metadata(self.path(n)).map_or(0, |m| m.len());
            s.before = s.before.saturating_sub(length);
            remove(&self.path(n));
        }
        s.numbers = keep;
        let _ = self.write_index(&s);
    }
}

/// Keeps what an event says of positions, transactions and GTIDs. After an error nothing is changed.
fn note(s: &mut State, event: &[u8]) -> io::Result<()> {
    let e = Event::read(event, true);
    let header = Header::read(event).map_err(bad)?;
    let Some(kind) = EventType::from_u8(header.kind) else { return e.map(drop).map_err(bad) };
    if kind == EventType::FormatDescription {
        return FormatDescription::read(event).map(drop).map_err(bad);
    }
    let e = e.map_err(bad)?;
    match kind {
        EventType::Rotate => {
            let (file, offset) = control::read_rotate(e.body).map_err(bad)?;
            s.read = Position { file: String::from_utf8_lossy(file).into_owned(), offset };
            if s.boundary.is_outside() {
                s.whole = s.read.clone();
            }
            return Ok(());
        }
        EventType::PreviousGtids => return Ok(()),
        EventType::Gtid | EventType::AnonymousGtid => {
            s.open = GtidEvent::read(kind, e.body).map_err(bad)?.gtid;
        }
        _ => {}
    }
    let step = s.boundary.step(kind, header.flags, e.body);
    if header.end != 0 {
        s.read.offset = u64::from(header.end);
    }
    if step == Step::Ends
        && let Some(g) = s.open.take()
    {
        s.retrieved.add(g);
    }
    if s.boundary.is_outside() {
        s.whole = s.read.clone();
    }
    Ok(())
}

#[cfg(test)]
#[path = "relay_tests.rs"]
mod tests;
