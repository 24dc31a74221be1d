//! What the engine calls: [`CommitSink`] for [`Log`].
//!
//! In the order of commits a piece gets its place; what the order decides is filled in, then positions and checksums.
//! Then it waits in the queue, as a copy, until the redo log is durable up to its end. Recovery brings the same
//! records again.

use super::files::RESET;
use super::spills::split_spill;
use super::{Log, MANY, Order, Waiting};
use crate::event::{self, EventType, HEADER_LEN, Header};
use crate::gtid::{Gtid, Sid};
use crate::service::BinaryLog;
use crate::{compression, dependency};
use base::Lsn;
use std::sync::atomic::Ordering;
use storage::attached::{CommitSink, Place};
use storage::error::{Result, StorageError};

/// Most bytes that are taken from the queue at once.
const BATCH: usize = 4 << 20;
/// Where in a GTID event's body the fields are that the order decides: UUID, number, the two numbers of dependency.
const SID: usize = HEADER_LEN + 1;
const GNO: usize = SID + 16;
const LAST_COMMITTED: usize = GNO + 9;

impl Order {
    /// Fills in what this commit gets by coming now.
    fn number(&mut self, piece: &mut [u8], own: Sid, history: usize) {
        let Ok(header) = Header::read(piece) else { return };
        let with_gtid = header.kind == EventType::Gtid as u8;
        if !with_gtid && header.kind != EventType::AnonymousGtid as u8 {
            return;
        }
        let Some(fields) = piece.get_mut(SID..LAST_COMMITTED + 16) else { return };
        let (sid, rest) = fields.split_at_mut(GNO - SID);
        let (gno, rest) = rest.split_at_mut(8);
        if with_gtid {
            let mut gtid = Gtid {
                sid: sid.first_chunk().copied().map_or(own, Sid),
                gno: gno.first_chunk().copied().map_or(0, u64::from_le_bytes),
            };
            if gtid.gno == 0 {
                gtid = self.next_gtid(own);
                sid.copy_from_slice(&gtid.sid.0);
                gno.copy_from_slice(&gtid.gno.to_le_bytes());
            } else if !self.owned.is_empty() {
                self.owned.remove(&gtid);
            }
            self.executed.add(gtid);
            dependency::got_gtid(gtid);
        }
        self.sequence += 1;
        let depends_on = dependency::taken(|keys| self.history.last_committed(keys, self.sequence, history));
        if let Some(numbers) = rest.get_mut(1..17) {
            let (last_committed, sequence) = numbers.split_at_mut(8);
            last_committed.copy_from_slice(&depends_on.to_le_bytes());
            sequence.copy_from_slice(&self.sequence.to_le_bytes());
        }
    }

    /// The least number of this server that is free.
    fn next_gtid(&mut self, sid: Sid) -> Gtid {
        let mut gno = self.next_gno;
        loop {
            gno = self.executed.first_free(sid, gno);
            let gtid = Gtid { sid, gno };
            if !self.owned.contains_key(&gtid) {
                if self.owned.is_empty() {
                    self.next_gno = gno;
                }
                return gtid;
            }
            gno += 1;
        }
    }
}

impl CommitSink for Log {
    fn place(&self, bytes: &mut [u8]) -> Place {
        let spill = split_spill(bytes).map(|(front, _, length)| (front.len(), length));
        let (front, length) = spill.unwrap_or((bytes.len(), 0));
        let history = self.settings.history.load(Ordering::Relaxed);
        let (at, checksum) = {
            let mut order = self.order.lock();
            order.number(bytes, self.options.uuid, history);
            let at = order.at;
            order.at.offset += front as u64 + length;
            if order.at.offset >= self.settings.max_size.load(Ordering::Relaxed) {
                self.full.store(true, Ordering::Relaxed);
            }
            (at, order.checksum)
        };
        if let Some(events) = bytes.get_mut(..front) {
            event::place(events, at.offset, checksum);
        }
        compression::note(bytes.get(..front).unwrap_or_default(), length, checksum);
        if self.semi_sync.is_enabled() {
            dependency::got_end(Place { offset: at.offset + front as u64 + length, ..at });
        }
        at
    }

    fn logged(&self, place: Place, bytes: &[u8], end: Lsn) {
        let was_empty = {
            let mut order = self.order.lock();
            let was_empty = order.waiting.is_empty();
            order.waiting.push_back(Waiting { place, bytes: bytes.to_vec(), end });
            self.waiting_bytes.fetch_add(bytes.len(), Ordering::Relaxed);
            order.last = end;
            was_empty
        };
        if was_empty || self.full.load(Ordering::Relaxed) {
            self.wake_writer();
        }
        self.tell_executed();
    }

    fn durable(&self, lsn: Lsn) {
        self.durable.fetch_max(lsn.0, Ordering::AcqRel);
        if self.readers.load(Ordering::Relaxed) > 0 || self.waiting_bytes.load(Ordering::Relaxed) >= MANY {
            self.wake_writer();
        }
    }

    fn before_checkpoint(&self, lsn: Lsn) -> Result<()> {
        self.write_up_to(lsn)?;
        self.files.lock().sync()
    }

    fn after_checkpoint(&self, lsn: Lsn) {
        self.files.lock().after_checkpoint(lsn);
    }

    fn found(&self, place: Place, bytes: &[u8]) -> Result<()> {
        let mut files = self.files.lock();
        let mut found = self.found.lock();
        // recovery's checkpoint comes behind all that is found
        let end = files.write(place, bytes, Lsn(0))?;
        if place.file == RESET {
            found.clear();
        } else {
            found.insert(place.file, end);
        }
        Ok(())
    }

    fn status(&self) -> Result<Option<(String, u64, String)>> {
        if self.stopped.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let at = self.catch_up()?;
        Ok(Some((self.names().shown(at.file), at.offset, self.gtid_executed().to_string())))
    }

    fn recovered(&self) -> Result<()> {
        let found = std::mem::take(&mut *self.found.lock());
        self.files.lock().recovered(&found)
    }
}

impl Log {
    /// Writes what waits, up to a place in the redo log up to which that is durable.
    pub(super) fn write_up_to(&self, durable: Lsn) -> Result<()> {
        let mut files = self.files.lock();
        loop {
            let mut batch = self.take_batch(durable);
            if batch.is_empty() {
                return Ok(());
            }
            let mut done = 0;
            while done < batch.len() {
                match self.write_run(&mut files, batch.get(done..).unwrap_or_default()) {
                    Ok(n) => done += n,
                    Err(e) => {
                        self.put_back(batch.split_off(done));
                        return Err(e);
                    }
                }
            }
        }
    }

    fn take_batch(&self, durable: Lsn) -> Vec<Waiting> {
        let mut order = self.order.lock();
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while bytes < BATCH && order.waiting.front().is_some_and(|w| w.end <= durable) {
            let Some(w) = order.waiting.pop_front() else { break };
            bytes += w.bytes.len();
            batch.push(w);
        }
        self.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
        batch
    }

    fn put_back(&self, batch: Vec<Waiting>) {
        let mut order = self.order.lock();
        for w in batch.into_iter().rev() {
            self.waiting_bytes.fetch_add(w.bytes.len(), Ordering::Relaxed);
            order.waiting.push_front(w);
        }
    }

    /// Writes records that follow one another with one call; how many. Readers see them then.
    fn write_run(&self, files: &mut super::files::Files, batch: &[Waiting]) -> Result<usize> {
        let (first, rest) = batch.split_first().ok_or(StorageError::NotFound)?;
        let (place, lsn, mut n) = (first.place, first.end, 1);
        let mut joined = Vec::new();
        let follows = |len: usize, w: &Waiting| {
            w.place.file == place.file && w.place.offset == place.offset + len as u64 && split_spill(&w.bytes).is_none()
        };
        if place.file != RESET && split_spill(&first.bytes).is_none() {
            for w in rest {
                let so_far = joined.len().max(first.bytes.len());
                if !follows(so_far, w) {
                    break;
                }
                if joined.is_empty() {
                    joined.extend_from_slice(&first.bytes);
                }
                joined.extend_from_slice(&w.bytes);
                n += 1;
            }
        }
        let bytes = if joined.is_empty() { &first.bytes } else { &joined };
        let end = files.write(place, bytes, lsn)?;
        self.publish(place.file, end);
        Ok(n)
    }

    /// Readers may read so far.
    fn publish(&self, file: u32, offset: u64) {
        let cells = {
            let mut written = self.written.lock();
            if file == RESET {
                written.series += 1;
                self.semi_sync.reset();
                written.place = Place::default();
            } else {
                written.place = Place { file, offset };
            }
            std::mem::take(&mut written.cells)
        };
        for cell in cells {
            cell.wake(0);
        }
    }
}
