//! Older versions of clustered records, rebuilt from undo.
//!
//! A clustered payload begins with the trx_id of its writer and the roll_ptr to the undo record that says what was there before.
//! [`Version`] holds one version's payload in a reusable buffer and steps back from version to version.
//!
//! # Rules of access
//!
//! The caller holds a snapshot, or the cut ([`crate::txn::TrxSys::hold_cut`]), or is purge itself: then the undo records of every
//! version it may step through stay where they are. No latch on the clustered page is needed: a roll_ptr in a copied
//! payload stays valid, because undo records never move and their space is not used again before purge has passed
//! them (also not after a rollback). The record found must have been written by the version's own writer; anything else is
//! corruption and reported as such.
//!
//! Tested by the long-reader test and the crash tests.

use crate::error::{Result, StorageError};
use crate::store::Store;
use crate::table::info::{DELETE_MARK, FLAGS_AT, SYSTEM_BYTES};
use crate::txn::{Snapshot, TrxSys};
use crate::undo::pool::record_on;
use crate::undo::{RollPtr, UNDO_SPACE};
use base::{PageId, TrxId};

/// trx_id of a clustered payload.
#[inline]
pub(crate) fn trx_id(payload: &[u8]) -> TrxId {
    match payload {
        [a, b, c, d, e, f, ..] => TrxId(u64::from_le_bytes([*a, *b, *c, *d, *e, *f, 0, 0])),
        _ => TrxId(0),
    }
}

/// roll_ptr of a clustered payload.
#[inline]
pub(crate) fn roll_ptr(payload: &[u8]) -> RollPtr {
    let b = payload.get(6..13).and_then(|b| b.try_into().ok()).unwrap_or([0x80; 7]);
    RollPtr::from_bytes(b)
}

/// Whether a payload (clustered) is delete-marked.
#[inline]
pub(crate) fn is_deleted(payload: &[u8]) -> bool {
    payload.get(FLAGS_AT).is_some_and(|f| f & DELETE_MARK != 0)
}

/// Writes the 13 system bytes at the start of a clustered payload.
pub(crate) fn set_system(payload: &mut [u8], trx: TrxId, roll: RollPtr) {
    if let Some(to) = payload.get_mut(..6)
        && let Some(from) = trx.0.to_le_bytes().get(..6)
    {
        to.copy_from_slice(from);
    }
    if let Some(to) = payload.get_mut(6..13) {
        to.copy_from_slice(&roll.to_bytes());
    }
}

/// Steps `payload` back to the version before it. `false`: there is none, the record was inserted by this version.
pub(crate) fn step_back(store: &Store, payload: &mut Vec<u8>) -> Result<bool> {
    let roll = roll_ptr(payload);
    if roll.insert {
        return Ok(false);
    }
    let at = PageId::new(UNDO_SPACE, roll.page);
    let page = store.pool().read(at)?;
    let rec = record_on(&page, roll.offset)?;
    let bad = |why| StorageError::CorruptPage { page: at, why };
    let undo = rec.update.ok_or(bad("roll pointer to another kind of record"))?;
    if rec.trx != trx_id(payload) {
        return Err(bad("undo record of another transaction"));
    }
    let len = payload.len().checked_sub(FLAGS_AT).ok_or(bad("short payload"))?;
    let range = undo.replaced(len).ok_or(bad("undo record does not fit its version"))?;
    let range = range.start + FLAGS_AT..range.end + FLAGS_AT;
    replace_range(payload, range, undo.middle).ok_or(bad("undo record does not fit its version"))?;
    set_system(payload, undo.old_trx, undo.old_roll);
    if payload.len() < SYSTEM_BYTES {
        return Err(bad("undo record does not fit its version"));
    }
    Ok(true)
}

/// `payload[range] = with`, without an allocation where the capacity suffices.
pub(crate) fn replace_range(payload: &mut Vec<u8>, range: std::ops::Range<usize>, with: &[u8]) -> Option<()> {
    let (start, old_end, old_len) = (range.start, range.end, payload.len());
    if start > old_end || old_end > old_len {
        return None;
    }
    let new_end = start + with.len();
    let tail = old_len - old_end;
    if new_end > old_end {
        payload.resize(new_end + tail, 0);
    }
    payload.copy_within(old_end..old_len, new_end);
    payload.truncate(new_end + tail);
    payload.get_mut(start..new_end)?.copy_from_slice(with);
    Some(())
}

/// Turns the newest version in `payload` into the one the snapshot sees. `false`: it sees no such row (not inserted yet, or
/// already deleted).
pub(crate) fn to_visible(
    store: &Store,
    sys: &TrxSys,
    snapshot: &Snapshot,
    own: TrxId,
    payload: &mut Vec<u8>,
) -> Result<bool> {
    loop {
        let writer = trx_id(payload);
        if writer == own || sys.sees(snapshot, writer) {
            return Ok(!is_deleted(payload));
        }
        if !step_back(store, payload)? {
            return Ok(false);
        }
    }
}

/// Whether the newest version is the one the snapshot sees (so that nothing has to be rebuilt).
#[inline]
pub(crate) fn newest_is_visible(sys: &TrxSys, snapshot: &Snapshot, own: TrxId, payload: &[u8]) -> bool {
    let writer = trx_id(payload);
    writer == own || sys.sees(snapshot, writer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replace_range_is_splice() {
        for (start, end, with) in
            [(0, 0, "xy"), (1, 3, ""), (1, 3, "abcdef"), (2, 6, "zz"), (6, 6, "tail"), (0, 6, "q")]
        {
            let mut a = b"012345".to_vec();
            let mut b = a.clone();
            b.splice(start..end, with.bytes());
            replace_range(&mut a, start..end, with.as_bytes()).unwrap();
            assert_eq!(a, b);
        }
        assert!(replace_range(&mut vec![1, 2], 1..3, b"").is_none());
    }

    #[test]
    fn system_bytes_round_trip() {
        let mut p = vec![0; SYSTEM_BYTES];
        let roll = RollPtr { insert: true, page: base::PageNo(77), offset: 500 };
        set_system(&mut p, TrxId(0xABCD_1234_5678), roll);
        assert_eq!((trx_id(&p), roll_ptr(&p), is_deleted(&p)), (TrxId(0xABCD_1234_5678), roll, false));
        p[FLAGS_AT] |= DELETE_MARK;
        assert!(is_deleted(&p));
    }
}
