//! Changes of the set of files: rotation, the end, RESET, purge.
//!
//! The next file's first events are logged like all others, so a crash leaves either a log that goes on in the old
//! file or one that has the new one. All callers may come at once: each switch happens in the order of commits.

use super::files::RESET;
use super::names::MAX_NUMBER;
use super::{Log, Order};
use crate::MAGIC;
use crate::control::{self, FormatDescription};
use crate::event::{self, EventType, Stamp};
use crate::gtid::GtidSet;
use std::sync::atomic::Ordering;
use storage::attached::Place;
use storage::error::{Result, StorageError};

/// Why a new file begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Switch {
    /// The server has started.
    First,
    /// The file is full; unless somebody else has been here.
    Full,
    /// FLUSH BINARY LOGS, another `binlog_checksum`, other purged GTIDs.
    Asked,
    /// RESET: the number of the first file; `None`: the first above all that lie beside.
    Reset(Option<u32>),
}

/// Why nothing, or not everything, was purged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Purged {
    /// So many files were removed.
    Done(usize),
    /// So many; this file is being read by so many replicas.
    InUse(usize, String, usize),
}

impl Log {
    fn stamp(&self) -> Stamp {
        let timestamp = sys::clock::wall_micros() / 1_000_000;
        Stamp { timestamp: timestamp as u32, server_id: self.settings.server_id.load(Ordering::Relaxed) }
    }

    /// The first bytes of a file.
    fn head(&self, order: &Order, files_only: &GtidSet, created: bool, checksum: bool) -> Vec<u8> {
        let stamp = self.stamp();
        let mut bytes = MAGIC.to_vec();
        let created = if created { stamp.timestamp } else { 0 };
        let version = self.options.version.clone();
        FormatDescription { server_version: version, created, checksum, in_use: true }.write(stamp, &mut bytes);
        let at = bytes.len();
        let mut set = order.executed.clone();
        set.remove_all(files_only);
        control::previous_gtids(&set, stamp, checksum, &mut bytes);
        if let Some(e) = bytes.get_mut(at..) {
            event::place(e, at as u64, checksum);
        }
        bytes
    }

    /// An event that ends a file, for its end.
    fn last_event(&self, order: &Order, write: impl FnOnce(Stamp, bool, &mut Vec<u8>)) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(self.stamp(), order.checksum, &mut bytes);
        event::place(&mut bytes, order.at.offset, order.checksum);
        bytes
    }

    /// The log goes on in the next file.
    pub(super) fn switch_file(&self, why: Switch) -> Result<()> {
        let engine = self.engine()?;
        let _one = self.switching.lock();
        let (only_here, taken, first) = {
            let files = self.files.lock();
            let asked = if let Switch::Reset(first) = why { first } else { None };
            // a number that somebody asks for is taken as it is, unless a file would be in its way
            (files.note.only_here.clone(), files.highest_beside()?, asked.filter(|n| !files.is_beside(*n)))
        };
        engine.in_commit_order(|log| {
            let checksum = self.next_checksum.load(Ordering::Relaxed);
            let (at, next, ending, head) = {
                let mut order = self.order.lock();
                let max = self.settings.max_size.load(Ordering::Relaxed);
                if why == Switch::Full && order.at.offset < max {
                    return Ok(());
                }
                let at = order.at;
                // above what lies beside, as in MySQL; files of the log that a RESET is about to remove do not count
                let next = match why {
                    Switch::Reset(_) => first.unwrap_or(taken.saturating_add(1)),
                    _ => at.file.max(taken).saturating_add(1),
                };
                if next > MAX_NUMBER {
                    return Err(StorageError::Unsupported { what: "more files" });
                }
                let ending = match why {
                    Switch::First => Vec::new(),
                    Switch::Reset(_) => reset_record(),
                    _ => {
                        let name = self.names().shown(next);
                        self.last_event(&order, |stamp, checksum, out| {
                            control::rotate(name.as_bytes(), MAGIC.len() as u64, false, stamp, checksum, out);
                        })
                    }
                };
                let nothing = GtidSet::default();
                if let Switch::Reset(_) = why {
                    order.executed = GtidSet::default();
                    order.purged = GtidSet::default();
                    order.next_gno = 1;
                }
                let outside = if let Switch::Reset(_) = why { &nothing } else { &only_here };
                let created = matches!(why, Switch::First | Switch::Reset(_));
                (at, next, ending, self.head(&order, outside, created, checksum))
            };
            if head.len() > storage::attached::MAX_ATTACHED {
                return Err(StorageError::Unsupported { what: "gtid_executed with so many intervals" });
            }
            if !ending.is_empty() {
                let place = if let Switch::Reset(_) = why { Place { file: RESET, offset: 0 } } else { at };
                log(place, &ending)?;
            }
            log(Place { file: next, offset: 0 }, &head)?;
            let mut order = self.order.lock();
            order.at = Place { file: next, offset: head.len() as u64 };
            order.checksum = checksum;
            self.checksum.store(checksum, Ordering::Release);
            order.sequence = 0;
            order.history.forget(0);
            self.full.store(false, Ordering::Relaxed);
            Ok(())
        })
    }

    pub(super) fn rotate_if_full(&self) -> Result<()> {
        if self.full.load(Ordering::Relaxed) && !self.stopped.load(Ordering::Relaxed) {
            self.switch_file(Switch::Full)?;
        }
        Ok(())
    }

    /// [`Log::catch_up`] for who shows or removes files: where the disk has no room for what waits, as far as it has.
    ///
    /// # Errors
    /// Of the redo log or the files.
    pub fn write_as_far_as_room(&self) -> Result<()> {
        unless_full(self.catch_up().map(|_| ()))
    }

    /// Where the log ends, for who notes it beside the data: all before it is durable, although the files may have to
    /// wait for room to hold it.
    ///
    /// # Errors
    /// Of the redo log or the files.
    pub fn durable_end(&self) -> Result<Place> {
        unless_full(self.rotate_if_full())?;
        let (at, last) = self.end();
        self.engine()?.wait_durable(last)?;
        unless_full(self.write_up_to(last))?;
        Ok(at)
    }

    /// FLUSH BINARY LOGS.
    ///
    /// # Errors
    /// Of the redo log or the files.
    pub fn rotate(&self) -> Result<()> {
        self.switch_file(Switch::Asked)?;
        self.catch_up()?;
        self.purge_expired();
        Ok(())
    }

    /// SET GLOBAL binlog_checksum: a new file begins. The caller holds the metadata lock COMMIT exclusively.
    ///
    /// # Errors
    /// Of the redo log or the files.
    pub fn set_checksum(&self, on: bool) -> Result<()> {
        if self.next_checksum.swap(on, Ordering::Relaxed) != on {
            self.switch_file(Switch::Asked)?;
            self.catch_up()?;
        }
        Ok(())
    }

    /// RESET BINARY LOGS AND GTIDS [TO n]: all files go, the first one has number `first`, or is the first above those
    /// that are not the log's.
    ///
    /// # Errors
    /// Of the redo log or the files.
    pub fn reset(&self, first: Option<u32>) -> Result<()> {
        let _alone = self.changes.lock();
        self.switch_file(Switch::Reset(first))?;
        self.catch_up()?;
        Ok(())
    }

    /// The server stops in order; nothing is committed any more.
    ///
    /// # Errors
    /// Of the redo log or the files.
    pub fn stop(&self) -> Result<()> {
        if self.stopped.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        self.engine()?.in_commit_order(|log| {
            let (at, bytes) = {
                let mut order = self.order.lock();
                let bytes = self.last_event(&order, control::stop);
                let at = order.at;
                order.at.offset += bytes.len() as u64;
                (at, bytes)
            };
            log(at, &bytes)
        })?;
        let at = self.catch_up()?;
        let mut files = self.files.lock();
        files.close(at.file)?;
        files.sync()?;
        let executed = self.order.lock().executed.clone();
        files.note_stop(at, executed)
    }

    /// The log ends here, and its files take nothing more; for a start that has no log but found one to recover.
    ///
    /// # Errors
    /// Of the files.
    pub fn leave(&self) -> Result<()> {
        self.stopped.store(true, Ordering::Relaxed);
        self.files.lock().sync()
    }

    /// PURGE BINARY LOGS TO: removes the files before this one. `None`: the index does not name it.
    ///
    /// # Errors
    /// Of the files.
    pub fn purge_to(&self, name: &str) -> Result<Option<Purged>> {
        let _alone = self.changes.lock();
        self.write_as_far_as_room()?;
        let number = self.names().number(name);
        let Some(keep) = number.filter(|n| self.files.lock().size(*n).is_some()) else { return Ok(None) };
        self.purge_below(keep).map(Some)
    }

    /// PURGE BINARY LOGS BEFORE: removes the files whose last change was before this second.
    ///
    /// # Errors
    /// Of the files.
    pub fn purge_before(&self, second: u64) -> Result<Purged> {
        let _alone = self.changes.lock();
        self.write_as_far_as_room()?;
        let keep = {
            let files = self.files.lock();
            let numbers: Vec<u32> = files.sizes().into_iter().filter(|(_, size)| *size > 0).map(|(n, _)| n).collect();
            // a file's last change is when the next one was begun
            let follows = numbers.windows(2).filter_map(|w| Some((*w.first()?, *w.last()?)));
            let stays = |(_, next): &(u32, u32)| files.begun(*next).is_none_or(|t| u64::from(t) >= second);
            let kept = follows.into_iter().find(stays).map(|(n, _)| n);
            kept.or(files.last()).unwrap_or(0)
        };
        self.purge_below(keep)
    }

    fn purge_below(&self, keep: u32) -> Result<Purged> {
        let mut files = self.files.lock();
        let keep = keep.min(self.written.lock().place.file);
        let reading = self.reading.lock();
        let lowest = reading.values().copied().filter(|n| *n < keep).min();
        let removed = files.purge(lowest.unwrap_or(keep))?;
        let purged = files.gtids_before()?;
        self.order.lock().purged = purged;
        Ok(match lowest {
            Some(n) => Purged::InUse(removed, files.names().shown(n), reading.values().filter(|r| **r == n).count()),
            None => Purged::Done(removed),
        })
    }

    /// Removes what `binlog_expire_logs_seconds` does not keep.
    pub fn purge_expired(&self) {
        let keep = self.settings.expire_seconds.load(Ordering::Relaxed);
        if keep == 0 {
            return;
        }
        let now = sys::clock::wall_micros() / 1_000_000;
        if let Err(e) = self.purge_before(now.saturating_sub(keep)) {
            let text = format!("Binary log: expired files cannot be removed: {e}");
            probe::errorlog::say("Warning", "Server", 10_000, &text);
        }
    }
}

/// No room is no error for those who show what there is, or make room.
fn unless_full(done: Result<()>) -> Result<()> {
    match done {
        Err(StorageError::DiskFull { .. }) => Ok(()),
        done => done,
    }
}

/// What is logged for a RESET. No file ever holds it.
fn reset_record() -> Vec<u8> {
    let mut bytes = Vec::new();
    let begun = event::begin(&mut bytes, EventType::Stop, Stamp::default(), 0);
    event::end(&mut bytes, begun, false);
    bytes
}
