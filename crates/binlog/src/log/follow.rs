//! [`Follower`]: reads the log over all its files and waits at its end.
//!
//! It reads what [`Log`] has published: bytes that are durable in the redo log and in their file. It holds no lock
//! while it reads or waits, so a slow one delays nobody. The file that it is in is not purged.

use super::Log;
use super::read::Walk;
use crate::gtid::GtidSet;
use sched::{WaitCell, Waited};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use storage::attached::Place;
use storage::error::{Result, StorageError};
use sys::clock::Deadline;

/// Why there is no next event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// This is the end of the log.
    OfLog,
    /// The file ends; the log goes on in the next one.
    OfFile,
}

/// A reader of the log.
pub struct Follower {
    log: Arc<Log>,
    id: u64,
    file: u32,
    series: u64,
    walk: Walk,
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.log.reading.lock().remove(&self.id);
    }
}

/// The files were removed by RESET, or this one by somebody else.
fn gone() -> StorageError {
    StorageError::NotFound
}

impl Log {
    /// A reader at the beginning of a file; empty: of the first one. `None`: the index does not name it.
    ///
    /// # Errors
    /// Of the redo log or the files.
    pub fn follow(self: &Arc<Log>, name: &str) -> Result<Option<Follower>> {
        self.write_as_far_as_room()?;
        let number = if name.is_empty() { self.files.lock().first() } else { self.names().number(name) };
        let Some(file) = number else { return Ok(None) };
        let id = self.next_reader.fetch_add(1, Ordering::Relaxed);
        let (series, fs, path) = {
            // under the files' lock: nobody purges it meanwhile
            let files = self.files.lock();
            if files.size(file).is_none() {
                return Ok(None);
            }
            self.reading.lock().insert(id, file);
            (self.written.lock().series, files.fs.clone(), files.names().file(file))
        };
        let limit = self.readable(file, series)?.0;
        match Walk::open(&*fs, &path, limit) {
            Ok(walk) => Ok(Some(Follower { log: self.clone(), id, file, series, walk })),
            Err(e) => {
                self.reading.lock().remove(&id);
                Err(e)
            }
        }
    }

    /// The last file before which nothing is that a reader with these GTIDs lacks.
    ///
    /// # Errors
    /// Of the files.
    pub fn file_for(&self, has: &GtidSet) -> Result<Option<String>> {
        self.write_as_far_as_room()?;
        let (fs, files, names) = {
            let files = self.files.lock();
            (files.fs.clone(), files.sizes(), files.names().clone())
        };
        for (n, size) in files.into_iter().rev() {
            if super::read::gtids_of(&*fs, &names.file(n), size, false)?.0.is_subset(has) {
                return Ok(Some(names.shown(n)));
            }
        }
        Ok(None)
    }

    /// How much of a file may be read, and whether it is the last one.
    fn readable(&self, file: u32, series: u64) -> Result<(u64, bool)> {
        {
            let written = self.written.lock();
            if written.series != series {
                return Err(gone());
            }
            if written.place.file == file {
                return Ok((written.place.offset, true));
            }
        }
        let size = self.files.lock().size(file).ok_or_else(gone)?;
        Ok((size, false))
    }
}

impl Follower {
    /// Name of the file that it is in, without folder.
    pub fn file(&self) -> String {
        self.log.names().shown(self.file)
    }

    /// Where the next event begins.
    pub fn position(&self) -> u64 {
        self.walk.position()
    }

    /// The same with the file's number.
    pub fn place(&self) -> Place {
        Place { file: self.file, offset: self.walk.position() }
    }

    /// The file that it is in.
    pub fn walk(&mut self) -> &mut Walk {
        &mut self.walk
    }

    /// Size of the file as far as it may be read.
    ///
    /// # Errors
    /// The file is gone.
    pub fn readable(&self) -> Result<u64> {
        Ok(self.log.readable(self.file, self.series)?.0)
    }

    /// The next event of this file.
    ///
    /// # Errors
    /// Of the file system; `WrongFormat`: damage; `NotFound`: the file is gone.
    pub fn read(&mut self) -> Result<std::result::Result<&[u8], End>> {
        let (limit, last) = self.log.readable(self.file, self.series)?;
        let at = self.walk.position();
        match self.walk.next(limit)? {
            Some(event) => Ok(Ok(event)),
            None if last => Ok(Err(End::OfLog)),
            None if at < limit => Err(StorageError::WrongFormat {
                file: self.log.names().shown(self.file).into(),
                why: "it ends inside an event",
            }),
            None => Ok(Err(End::OfFile)),
        }
    }

    /// Goes on at the beginning of the next file.
    ///
    /// # Errors
    /// As [`Follower::read`].
    pub fn next_file(&mut self) -> Result<()> {
        let (fs, path, file) = {
            let files = self.log.files.lock();
            let next = files.sizes().into_iter().map(|(n, _)| n).find(|n| *n > self.file).ok_or_else(gone)?;
            self.log.reading.lock().insert(self.id, next);
            (files.fs.clone(), files.names().file(next), next)
        };
        self.file = file;
        let limit = self.log.readable(file, self.series)?.0;
        self.walk = Walk::open(&*fs, &path, limit)?;
        Ok(())
    }

    /// Waits at the end of the log until there is more, the deadline, or KILL.
    ///
    /// # Errors
    /// Of the files.
    pub fn wait(&self, deadline: Deadline) -> Result<Waited> {
        let log = &self.log;
        log.readers.fetch_add(1, Ordering::SeqCst);
        let waited = self.wait_counted(deadline);
        log.readers.fetch_sub(1, Ordering::SeqCst);
        waited
    }

    fn wait_counted(&self, deadline: Deadline) -> Result<Waited> {
        let log = &self.log;
        // what became durable while nobody was waiting
        log.write_up_to(base::Lsn(log.durable.load(Ordering::Acquire)))?;
        let cell = Arc::new(WaitCell::new());
        {
            let mut written = log.written.lock();
            let same = written.series == self.series && written.place.file == self.file;
            if !same || written.place.offset > self.walk.position() {
                return Ok(Waited::Woken(0));
            }
            written.cells.push(cell.clone());
        }
        let waited = cell.wait(probe::WaitClass::Client, deadline);
        log.written.lock().cells.retain(|c| !Arc::ptr_eq(c, &cell));
        Ok(waited)
    }
}
