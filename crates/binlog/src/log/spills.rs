//! Events of large transactions: files of their own, from which they are copied into the log.
//!
//! A session writes its events into `#binlog_spill/N` and syncs that; the record in the redo log names it
//! ([`split_spill`]). Whoever writes the record to its place copies the spill there, with positions and checksums. The
//! spill stays until a checkpoint has passed the record: until then a recovery may bring the record again, and bring a
//! RESET before it, which removes the file that has the copy. Recovery's own checkpoint ends all spills.
//!
//! A crash in the middle of a copy leaves the spill, and the copy is done again. Called with the mutex of
//! [`super::files`] held. Tested in `log/tests.rs` (`a_spill_stays...`, `power_cuts`).

use super::files::Files;
use crate::Malformed;
use crate::event::{self, EventType, HEADER_LEN, Header};
use crate::transaction::{SPILLED, read_spilled};
use base::Lsn;
use std::sync::Arc;
use storage::error::{Result, StorageError};
use storage::file::{DataFile, FileKind, OpenMode};

/// Folder of large transactions' events.
pub(super) const SPILLS: &str = "#binlog_spill";
/// Bytes of a spill that are copied at once, about.
const CHUNK: usize = 1 << 20;

impl Files {
    /// Copies a large transaction's events to byte `at`, where they are `length` bytes long; false: they are there.
    pub(super) fn copy_spill(
        &mut self,
        to: &Arc<dyn DataFile>,
        file: u32,
        at: u64,
        number: u64,
        length: u64,
    ) -> Result<bool> {
        let name = spill_name(number);
        if !self.fs.exists(&name) {
            // the newest checkpoint was damaged, or another version has removed it with the sync
            if to.len()? < at + length {
                self.gaps.push(format!("the events of a large transaction ('{name}') are missing"));
            }
            return Ok(false);
        }
        let checksum = match self.checksum(file) {
            Ok(checksum) => checksum,
            Err(StorageError::WrongFormat { .. }) => {
                // a recovery that was cut off has removed the file by a RESET that will be met again
                let shown = self.names().shown(file);
                self.gaps.push(format!("file {shown} has no beginning where a large transaction belongs into it"));
                return Ok(false);
            }
            Err(e) => return Err(e),
        };
        let spill = self.fs.open(&name, OpenMode::ReadOnly, FileKind::Log)?;
        let wrong = |e: Malformed| StorageError::WrongFormat { file: name.as_str().into(), why: e.0 };
        let (mut from, total, mut to_at) = (0, spill.len()?, at);
        let mut buf = Vec::new();
        let mut want = CHUNK;
        while from < total {
            buf.resize(usize::try_from(total - from).unwrap_or(usize::MAX).min(want), 0);
            spill.read_at(from, &mut buf)?;
            let whole = event::whole(&buf);
            if whole == 0 {
                // an event longer than the buffer
                want = Header::read(&buf).map_err(wrong)?.size as usize;
                if want <= buf.len() || want as u64 > total - from {
                    return Err(wrong(Malformed("it ends inside an event")));
                }
                continue;
            }
            want = CHUNK;
            buf.truncate(whole);
            from += whole as u64;
            if !checksum {
                event::strip(&mut buf);
            }
            event::place(&mut buf, to_at, checksum);
            to.write_at(to_at, &buf)?;
            to_at += buf.len() as u64;
        }
        if to_at != at + length {
            return Err(wrong(Malformed("another size than was logged")));
        }
        Ok(true)
    }

    /// The checkpoint at `lsn` is durable, and what lies before it synced. A spill that cannot be removed is tried
    /// again.
    pub(super) fn after_checkpoint(&mut self, lsn: Lsn) {
        let fs = self.fs.clone();
        self.copied.retain(|(number, end)| *end > lsn || fs.remove(&spill_name(*number)).is_err());
        if std::mem::take(&mut self.only_leftovers) {
            for name in fs.list(SPILLS).unwrap_or_default() {
                // one that stays is tried again at the next start
                let _ = fs.remove(&format!("{SPILLS}/{name}"));
            }
        }
    }
}

/// File of a large transaction's events.
pub(super) fn spill_name(number: u64) -> String {
    format!("{SPILLS}/{number:016x}")
}

/// A piece whose events are in a spill: its GTID event, the spill's number, how many bytes the events take in the log.
pub(super) fn split_spill(bytes: &[u8]) -> Option<(&[u8], u64, u64)> {
    let first = Header::read(bytes).ok()?;
    if first.kind != EventType::Gtid as u8 && first.kind != EventType::AnonymousGtid as u8 {
        return None;
    }
    let (front, rest) = bytes.split_at_checked(first.size as usize)?;
    let second = Header::read(rest).ok().filter(|h| h.kind == SPILLED && h.size as usize == rest.len())?;
    let body = rest.get(HEADER_LEN..second.size as usize)?;
    let (number, length) = read_spilled(body).ok()?;
    Some((front, number, length))
}
