//! Long columns outside their row: chains of overflow pages.
//!
//! ```text
//! 64 bytes on this page u32 | 68 zero u32 | 72.. bytes        header: next = next page of the chain, index id = owner
//! ```
//! A chain is written before the record that refers to it, page by page, each page an mtr of its own (the value may be 4 GiB,
//! an mtr may not). It is written from its end, so that every page, once written, points to pages that are there. A chain
//! belongs to one version of one row; who frees it (rollback of the insert, purge of the delete or of the update) is decided by the
//! transaction layer. A crash between the chain and the record leaves the chain unreferenced: the space is lost until
//! the table is rebuilt, unless rollback knows of it.
//!
//! Access: a chain is immutable once it is referenced; readers latch one page at a time. Freeing is only legal when no
//! reader can reach the reference any more. Latch order: nothing else is latched with an overflow page but the descriptor
//! page of the space. Tests: below.

use base::{IndexId, PageId, PageNo, SpaceId};

use crate::buffer::BufferPool;
use crate::error::{Result, StorageError};
use crate::mtr::Mtr;
use crate::page::{HEADER_SIZE, PAGE_SIZE, PageOp, PageType, field};
use crate::row::BlobRef;
use crate::space::{self, Want, overflow_owner};
use crate::store::Store;
use bumpalo::Bump;

const LEN_AT: usize = HEADER_SIZE;
const DATA_AT: usize = HEADER_SIZE + 8;
/// Bytes of a value on one page.
pub const PER_PAGE: usize = PAGE_SIZE - DATA_AT;
/// Bytes for which [`read`] makes room before it has seen them.
const READ_AT_ONCE: u64 = 64 << 20;

/// Writes a value as a chain in the table's space; `owner` is the clustered index. No latch may be held. On an error
/// everything written is freed again, as far as that is possible.
pub fn write(store: &Store, space: SpaceId, owner: IndexId, bytes: &[u8]) -> Result<BlobRef> {
    let mut next = PageNo::NONE;
    // From the end: a full file is noticed with nothing referenced.
    for chunk in bytes.chunks(PER_PAGE).rev() {
        match write_page(store, space, owner, chunk, next) {
            Ok(no) => next = no,
            Err(e) => {
                let _ = free_chain(store, space, next);
                return Err(e);
            }
        }
    }
    Ok(BlobRef { first: next, length: bytes.len() as u64, owner: u64::from(space.0) })
}

fn write_page(store: &Store, space: SpaceId, owner: IndexId, chunk: &[u8], next: PageNo) -> Result<PageNo> {
    let mut mtr = Mtr::start(store)?;
    let owner = overflow_owner(owner);
    // Values of a page or two come from shared extents, so that a small table stays small.
    let small = !next.is_some();
    let (no, x) = space::alloc_page(&mut mtr, space, Want { owner, near: PageNo::NONE, small })?;
    mtr.apply(x, PageOp::Init { ty: PageType::Overflow, level: 0, index_id: owner })?;
    mtr.apply(x, PageOp::Patch { offset: field::NEXT as u16, bytes: &next.0.to_le_bytes() })?;
    mtr.apply(x, PageOp::Patch { offset: LEN_AT as u16, bytes: &(chunk.len() as u32).to_le_bytes() })?;
    mtr.apply(x, PageOp::Patch { offset: DATA_AT as u16, bytes: chunk })?;
    mtr.commit();
    Ok(no)
}

/// The whole value, in the arena. `CorruptPage` when the chain does not hold `length` bytes.
pub fn read<'a>(pool: &BufferPool, space: SpaceId, blob: BlobRef, arena: &'a Bump) -> Result<&'a [u8]> {
    // a damaged length is no reason to ask for all the memory there is: what is longer grows as its pages come
    let room = blob.length.min(READ_AT_ONCE) as usize;
    let mut to = bumpalo::collections::Vec::with_capacity_in(room, arena);
    read_prefix(pool, space, blob, blob.length, |bytes| to.extend_from_slice_copy(bytes))?;
    Ok(to.into_bump_slice())
}

/// Hands out the first `len` bytes of the value (all when it is shorter), page by page.
pub fn read_prefix(
    pool: &BufferPool,
    space: SpaceId,
    blob: BlobRef,
    len: u64,
    mut to: impl FnMut(&[u8]),
) -> Result<()> {
    let mut left = len.min(blob.length) as usize;
    let mut no = blob.first;
    while left > 0 {
        let id = PageId::new(space, no);
        let bad = |why| StorageError::CorruptPage { page: id, why };
        if !no.is_some() {
            return Err(bad("overflow chain ends early"));
        }
        let page = pool.read(id)?;
        if page.page_type() != PageType::Overflow {
            return Err(bad("not an overflow page"));
        }
        let n = page.u32_at(LEN_AT) as usize;
        let bytes = page.get(DATA_AT, n).filter(|b| !b.is_empty()).ok_or(bad("overflow page without bytes"))?;
        to(bytes.get(..left).unwrap_or(bytes));
        left = left.saturating_sub(n);
        no = page.next();
    }
    Ok(())
}

/// Frees the chain. Pages that are not overflow pages any more (freed before a crash) end it.
pub fn free(store: &Store, space: SpaceId, blob: BlobRef) -> Result<()> {
    free_chain(store, space, blob.first)
}

fn free_chain(store: &Store, space: SpaceId, mut no: PageNo) -> Result<()> {
    while no.is_some() {
        let mut mtr = Mtr::start(store)?;
        let x = mtr.x(PageId::new(space, no))?;
        let page = mtr.page(x);
        if page.page_type() != PageType::Overflow {
            return Ok(());
        }
        let next = page.next();
        space::prepare_free(&mut mtr, space, no)?;
        mtr.apply(x, PageOp::Init { ty: PageType::Free, level: 0, index_id: 0 })?;
        space::free_page(&mut mtr, space, no)?;
        mtr.commit();
        no = next;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btree::test_support::{store, tree};

    #[test]
    fn write_read_free() {
        let s = store(800);
        let t = tree(&s);
        let before = space::usage(s.pool(), t.space).unwrap().0;
        let mut blobs = Vec::new();
        for len in [1usize, 8000, PER_PAGE, PER_PAGE + 1, 1 << 20] {
            let v: Vec<u8> = (0..len).map(|i| (i * 31 % 251) as u8).collect();
            let blob = write(&s, t.space, t.index, &v).unwrap();
            assert_eq!(blob.length, len as u64);
            blobs.push((blob, v));
        }
        for (blob, v) in &blobs {
            let arena = Bump::new();
            assert!(read(s.pool(), t.space, *blob, &arena).unwrap() == &v[..]);
            let mut got = Vec::new();
            read_prefix(s.pool(), t.space, *blob, 100, |b| got.extend_from_slice(b)).unwrap();
            assert!(got == v[..v.len().min(100)]);
        }
        assert!(space::usage(s.pool(), t.space).unwrap().0 >= before + 70);
        let long = BlobRef { length: blobs[0].0.length + 1, ..blobs[0].0 };
        assert!(read(s.pool(), t.space, long, &Bump::new()).is_err());
        for (blob, _) in &blobs {
            free(&s, t.space, *blob).unwrap();
        }
        assert_eq!(space::usage(s.pool(), t.space).unwrap().0, before);
        assert!(read(s.pool(), t.space, blobs[1].0, &Bump::new()).is_err());
    }
}
