//! Marks: damage told from a torn tail.
//!
//! Recovery reads frames up to the first invalid one. That is the end of the log when the machine stopped in the middle of a write: what
//! is there was never durable, so nobody was told of a commit in it. It is not the end when a durable frame was damaged afterwards: then
//! acknowledged commits lie behind it. Both look the same from the front; what tells them apart are statements, written later, that the
//! log was durable beyond that place:
//!
//! * every flush appends a *mark* to the stream, a frame that says how far the log was durable before it;
//! * the header has the same in its checkpoints and, renewed once a second, in the durable marks (`logfile`).
//!
//! [`look_ahead`] searches the stream behind the invalid place for marks. They are found without knowing where frames begin: by
//! their first 8 bytes of body, at a multiple of 8, and verified by the frame's checksum, which holds for one LSN only.
//!
//! A mark never claims too much (it holds what `flushed` was before the mark was appended), so a torn, cut or reordered unsynced tail is
//! never taken for damage. What is not found: damage to frames of the last flush before a crash when nothing was written after it (the
//! server writes the header's mark within a second); such a log ends before the damage, as a torn one does.

use super::logfile::{BLOCK, LogFile, frame_crc};
use super::{MAX_MTR_BYTES, MAX_UNSYNCED};
use crate::error::Result;
use base::Lsn;

/// First bytes of a mark's body; the very first is the record's kind.
pub const MAGIC: [u8; 8] = *b"\x22DURABLE";

/// Length of a mark's frame.
const LEN: usize = 24;

/// How far the search goes at least; whole files up to this size. A sync happens at least every [`MAX_UNSYNCED`] bytes, so the mark that
/// tells of a damaged place is within two of those and one log buffer behind it, unless the damage is that large itself.
const WINDOW: u64 = 2 * MAX_UNSYNCED + (64 << 20);

/// Recovery continues the log this far behind the last frame or mark found: beyond all that was ever written unsynced.
pub const JUMP: u64 = MAX_UNSYNCED + (8 << 20) + 2 * MAX_MTR_BYTES;

/// Body of the mark that says "durable up to `flushed`".
pub fn body(flushed: Lsn) -> [u8; 16] {
    let mut b = [0; 16];
    let (magic, lsn) = b.split_at_mut(8);
    magic.copy_from_slice(&MAGIC);
    lsn.copy_from_slice(&flushed.0.to_le_bytes());
    b
}

/// What the marks behind a place say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// The log was durable up to here; 0: there is no mark.
    pub durable: Lsn,
    /// End of the last mark.
    pub end: Lsn,
}

/// If there is a valid mark at `lsn` in `bytes` (of at least [`LEN`]), what it claims.
fn claim(bytes: &[u8], lsn: u64) -> Option<u64> {
    let (head, _) = bytes.split_first_chunk::<LEN>()?;
    let (len, rest) = head.split_first_chunk::<4>()?;
    let (crc, body) = rest.split_first_chunk::<4>()?;
    let ok = u32::from_le_bytes(*len) == LEN as u32
        && frame_crc(crc32c::crc32c(body), LEN as u32, lsn) == u32::from_le_bytes(*crc);
    let (_, flushed) = body.split_first_chunk::<8>()?;
    ok.then_some(u64::from_le_bytes(*flushed.first_chunk()?))
}

/// Searches for marks from `from` on, where the log from `checkpoint` on has its first invalid frame; `whole`: in all of the file.
pub fn look_ahead(file: &LogFile, checkpoint: Lsn, from: Lsn, whole: bool) -> Result<Found> {
    let size = file.data_size();
    let end = checkpoint.0 + size;
    let stop = if whole || file.has_damaged_copy() { end } else { end.min(from.0 + WINDOW) };
    let mut found = Found::default();
    let mut buf = vec![0u8; 4 << 20];
    let mut at = from.0;
    while at + (LEN as u64) <= stop {
        let n = ((stop - at) as usize).min(buf.len());
        let chunk = buf.get_mut(..n).unwrap_or(&mut []);
        file.read(Lsn(at), chunk)?;
        for (i, word) in chunk.as_chunks::<8>().0.iter().enumerate().skip(1) {
            if *word != MAGIC {
                continue;
            }
            let start = 8 * (i - 1);
            let lsn = at + start as u64;
            // Of later laps too: the checkpoint that was found may be an old one, because the last is damaged.
            for lap in 0..4 {
                let lsn = lsn + lap * size;
                if let Some(flushed) = claim(chunk.get(start..).unwrap_or(&[]), lsn) {
                    found.durable = found.durable.max(Lsn(flushed));
                    found.end = found.end.max(Lsn(lsn + LEN as u64));
                }
            }
        }
        if n < buf.len() {
            break;
        }
        // A mark may straddle two pieces.
        at += (n as u64) - BLOCK;
    }
    Ok(found)
}
