//! What the engine calls: [`CommitSink`] for [`Log`].
//!
//! In the order of commits a piece gets its place; what the order decides is filled in, then positions and checksums.
//! Then it waits in the [`super::queue`], as a copy, until the redo log is durable up to its end. Recovery brings the
//! same records again.

use super::files::{Files, RESET};
use super::queue::{Chunk, Waiting};
use super::spills::split_spill;
use super::{Log, MANY, Order};
use crate::event::{self, EventType, HEADER_LEN, Header};
use crate::gtid::{Gtid, Sid};
use crate::service::BinaryLog;
use crate::{compression, dependency};
use base::Lsn;
use std::sync::atomic::Ordering;
use storage::attached::{CommitSink, Place};
use storage::error::{Result, StorageError};

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
            order.waiting.push(place, bytes, end);
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

    fn found(&self, place: Place, bytes: &[u8], lsn: Lsn) -> Result<()> {
        let mut files = self.files.lock();
        if lsn <= files.note.reset {
            return Ok(());
        }
        let mut found = self.found.lock();
        let end = files.write(place, bytes, lsn)?;
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
        let at = self.durable_end()?;
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
        let mut memory = Chunk::default();
        loop {
            let taken = self.order.lock().waiting.take(durable, memory);
            let Some(mut chunk) = taken else { return Ok(()) };
            self.waiting_bytes.fetch_sub(chunk.len(), Ordering::Relaxed);
            if let Err((done, e)) = self.write_chunk(&mut files, &chunk) {
                chunk.drop_front(done);
                self.waiting_bytes.fetch_add(chunk.len(), Ordering::Relaxed);
                let skipped = {
                    let waiting = &mut self.order.lock().waiting;
                    waiting.put_back(chunk);
                    // a RESET makes room, and nobody reads what stood before it
                    let full = matches!(e, StorageError::DiskFull { .. });
                    full.then(|| waiting.skip_to(RESET, durable)).flatten().filter(|bytes| *bytes > 0)
                };
                let Some(bytes) = skipped else { return Err(e) };
                self.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
                chunk = Chunk::default();
            }
            memory = chunk.cleared();
        }
    }

    /// Writes pieces that follow one another in a file with one call each time. Readers see them then. Fails with how
    /// many were written.
    fn write_chunk(&self, files: &mut Files, chunk: &Chunk) -> std::result::Result<(), (usize, StorageError)> {
        let mut done = 0;
        let mut pieces = chunk.pieces().peekable();
        while let Some((first, bytes)) = pieces.next() {
            let (mut len, mut end, mut n) = (first.len, first.end, 1);
            let alone = |file: u32, bytes: &[u8]| file == RESET || split_spill(bytes).is_some();
            if !alone(first.place.file, bytes.get(..len).unwrap_or_default()) {
                let follows = |len: usize, (w, bytes): &(Waiting, &[u8])| {
                    let behind = Place { offset: first.place.offset + len as u64, ..first.place };
                    w.place == behind && !alone(w.place.file, bytes.get(..w.len).unwrap_or_default())
                };
                while let Some((w, _)) = pieces.next_if(|next| follows(len, next)) {
                    (len, end, n) = (len + w.len, w.end, n + 1);
                }
            }
            let written = files.write(first.place, bytes.get(..len).unwrap_or_default(), end);
            self.publish(first.place.file, written.map_err(|e| (done, e))?);
            done += n;
        }
        Ok(())
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
