//! The events of a transaction until it commits: in memory up to `binlog_cache_size`, then in a file of the log's own
//! (a spill, [`binlog::service`]), which the log takes over at the commit if the transaction is too large for the redo
//! log.
//!
//! Bytes are named by their distance from the transaction's first event. At the front of the memory there is room for
//! the GTID event, which is written last, so that what is committed is one piece without a copy.

use base::{ErrorCode, SqlError, SqlResult};
use binlog::event::{CHECKSUM_LEN, HEADER_LEN, Header, Stamp, without_checksums};
use binlog::payload;
use binlog::service::BinaryLog;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Room for the GTID event: header, body with its longest length, checksum.
const GTID_ROOM: usize = 100;
/// Longer transactions are not compressed.
const MAX_COMPRESSED: u64 = 256 << 20;
/// Memory that a session keeps from one transaction to the next.
const KEPT: usize = 64 << 10;

/// A file with the front of a large transaction's events.
#[derive(Debug)]
struct Spill {
    number: u64,
    file: File,
    /// Bytes in it.
    length: u64,
}

impl Spill {
    /// How many events are in it.
    fn events(&self) -> SqlResult<u64> {
        let (mut at, mut n) = (0, 0);
        while at < self.length {
            let mut header = [0; HEADER_LEN];
            self.file.read_exact_at(&mut header, at).map_err(|e| cannot_write(&e))?;
            at += Header::read(&header).map_or(self.length, |h| u64::from(h.size));
            n += 1;
        }
        Ok(n)
    }
}

/// What a commit takes along.
#[derive(Debug, Default)]
pub struct Piece {
    /// Whole events.
    pub bytes: Vec<u8>,
    /// The spill that it names: the log's, once the piece is committed.
    pub spill: Option<u64>,
}

/// The events.
#[derive(Debug, Default)]
pub(super) struct Cache {
    /// Room for the GTID event, then what is not in the file.
    memory: Vec<u8>,
    spill: Option<Spill>,
    /// A file was used, for Binlog_cache_disk_use.
    pub(super) spilled: bool,
}

impl Cache {
    /// With these events.
    pub(super) fn of(events: Vec<u8>) -> Cache {
        let mut memory = vec![0; GTID_ROOM];
        memory.extend(events);
        Cache { memory, ..Cache::default() }
    }

    fn on_disk(&self) -> u64 {
        self.spill.as_ref().map_or(0, |s| s.length)
    }

    /// Bytes of events.
    pub(super) fn len(&self) -> u64 {
        self.on_disk() + self.memory.len().saturating_sub(GTID_ROOM) as u64
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory, to append to. What stands in it before is not to be touched.
    pub(super) fn end(&mut self) -> &mut Vec<u8> {
        if self.memory.len() < GTID_ROOM {
            self.memory.resize(GTID_ROOM, 0);
        }
        &mut self.memory
    }

    /// Where byte `at` is in the memory; `None`: it is in the file.
    pub(super) fn in_memory(&self, at: u64) -> Option<usize> {
        Some(at.checked_sub(self.on_disk())? as usize + GTID_ROOM)
    }

    /// Drops everything from byte `to` on.
    pub(super) fn cut(&mut self, to: u64) {
        match self.in_memory(to) {
            Some(at) => self.memory.truncate(at),
            None => {
                self.memory.truncate(GTID_ROOM);
                if let Some(s) = &mut self.spill {
                    s.length = to;
                }
            }
        }
    }

    /// Drops everything.
    pub(super) fn clear(&mut self, log: Option<&dyn BinaryLog>) {
        if let (Some(s), Some(log)) = (self.spill.take(), log) {
            log.remove_spill(s.number);
        }
        self.spilled = false;
        self.memory.clear();
        if self.memory.capacity() > KEPT {
            self.memory = Vec::new();
        }
    }

    /// Writes what stands before byte `below` into the file, if the memory holds more than `limit`.
    ///
    /// # Errors
    /// 3 where the file cannot be written.
    pub(super) fn settle(&mut self, below: u64, limit: u64, log: &dyn BinaryLog) -> SqlResult<()> {
        if (self.memory.len() as u64) < limit {
            return Ok(());
        }
        let Some(to) = self.in_memory(below).filter(|to| *to > GTID_ROOM && *to <= self.memory.len()) else {
            return Ok(());
        };
        let spill = match &mut self.spill {
            Some(s) => s,
            none => {
                let (number, file) = log.create_spill().map_err(|e| cannot_write(&e))?;
                none.insert(Spill { number, file, length: 0 })
            }
        };
        self.spilled = true;
        let bytes = self.memory.get(GTID_ROOM..to).unwrap_or_default();
        spill.file.write_all_at(bytes, spill.length).map_err(|e| cannot_write(&e))?;
        spill.length += bytes.len() as u64;
        self.memory.drain(GTID_ROOM..to);
        Ok(())
    }

    /// What a commit takes along: the GTID event that `gtid` makes for so many bytes of events, and the events, which
    /// have checksums in the log or not. The cache is empty then; above `limit` bytes the piece names a spill, which is
    /// synced. (The events in a spill have room for checksums in any case.)
    ///
    /// # Errors
    /// Of the file; the events are still there.
    pub(super) fn take(
        &mut self,
        gtid: impl FnOnce(u64) -> Vec<u8>,
        (limit, checksum): (usize, bool),
        log: &dyn BinaryLog,
    ) -> SqlResult<Piece> {
        if self.len() > limit as u64 {
            let below = self.len();
            self.settle(below, 0, log)?;
            let Some(s) = &self.spill else { return Ok(Piece::default()) };
            s.file.set_len(s.length).and_then(|()| s.file.sync_data()).map_err(|e| cannot_write(&e))?;
            let length = if checksum { s.length } else { s.length - CHECKSUM_LEN as u64 * s.events()? };
            let mut bytes = gtid(length);
            binlog::transaction::spilled(s.number, length, &mut bytes);
            let spill = self.spill.take().map(|s| s.number);
            self.memory.clear();
            return Ok(Piece { bytes, spill });
        }
        self.end();
        if let Some(s) = &self.spill {
            let mut front = vec![0; s.length as usize];
            s.file.read_exact_at(&mut front, 0).map_err(|e| cannot_write(&e))?;
            self.memory.splice(GTID_ROOM..GTID_ROOM, front);
        }
        if let Some(s) = self.spill.take() {
            log.remove_spill(s.number);
        }
        if !checksum {
            let events = without_checksums(self.memory.get(GTID_ROOM..).unwrap_or_default());
            self.memory.truncate(GTID_ROOM);
            self.memory.extend(events);
        }
        let gtid = gtid(self.len());
        let start = GTID_ROOM.saturating_sub(gtid.len());
        if let Some(room) = self.memory.get_mut(start..GTID_ROOM) {
            room.copy_from_slice(&gtid);
        }
        let mut bytes = std::mem::take(&mut self.memory);
        bytes.drain(..start);
        Ok(Piece { bytes, spill: None })
    }

    /// Makes one compressed event of all, if that is shorter.
    ///
    /// # Errors
    /// Of the file.
    pub(super) fn compress(&mut self, level: i32, stamp: Stamp, log: &dyn BinaryLog) -> SqlResult<()> {
        if self.len() > MAX_COMPRESSED {
            return Ok(());
        }
        let mut events = vec![0; self.on_disk() as usize];
        if let Some(s) = &self.spill {
            s.file.read_exact_at(&mut events, 0).map_err(|e| cannot_write(&e))?;
        }
        events.extend_from_slice(self.memory.get(GTID_ROOM..).unwrap_or_default());
        events = without_checksums(&events);
        let mut packed = vec![0; GTID_ROOM];
        if payload::write(&events, level, stamp, true, &mut packed) {
            if let Some(s) = self.spill.take() {
                log.remove_spill(s.number);
            }
            self.memory = packed;
        }
        Ok(())
    }

    /// Memory that a commit has given back.
    pub(super) fn reuse(&mut self, bytes: Vec<u8>) {
        if self.memory.capacity() == 0 && bytes.capacity() <= KEPT {
            self.memory = bytes;
            self.memory.clear();
        }
    }
}

fn cannot_write(e: &std::io::Error) -> SqlError {
    let (n, text) = (e.raw_os_error().unwrap_or(0), e.to_string());
    SqlError::new(ErrorCode::EE_WRITE, &[&"binary log cache", &n, &text])
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rows::binlog::tests::Files;

    /// Appending, cutting and settling in any order leaves what a plain vector holds.
    #[test]
    fn as_a_vector() {
        let log = Files::default();
        let mut n = 7u64;
        let mut next = |below: u64| {
            n = n.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (n >> 33) % below
        };
        for _ in 0..200 {
            let (mut cache, mut plain) = (Cache::default(), Vec::new());
            for _ in 0..next(20) {
                match next(4) {
                    0 => {
                        let to = next(plain.len() as u64 + 1);
                        plain.truncate(to as usize);
                        cache.cut(to);
                    }
                    1 => cache.settle(next(plain.len() as u64 + 1), next(200), &log).unwrap(),
                    _ => {
                        let more: Vec<u8> = (0..next(100)).map(|i| i as u8).collect();
                        cache.end().extend_from_slice(&more);
                        plain.extend_from_slice(&more);
                    }
                }
                assert_eq!(cache.len(), plain.len() as u64);
            }
            let piece = cache.take(|_| b"GTID".to_vec(), (146, true), &log).unwrap();
            assert_eq!(piece.bytes.get(..4), Some(&b"GTID"[..]));
            match piece.spill {
                Some(number) => {
                    assert!(plain.len() > 146);
                    assert_eq!(log.read(number), plain);
                }
                None => assert_eq!(piece.bytes.get(4..), Some(plain.as_slice())),
            }
        }
        // only those that pieces named are left
        assert_eq!(log.count(), log.named());
    }
}
