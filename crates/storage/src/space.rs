//! Page allocation inside a tablespace.
//!
//! The file is cut into extents of 64 pages. Every 65,024 pages (1,016 extents) begin with a *descriptor page*; page 0 is the
//! first one and also holds the space's header. A descriptor is 16 bytes: the extent's owner and a bit map of its free pages.
//! Owners are index ids (an index's leaves lie together, so scans read the file in order), [`SHARED`] for extents out of which
//! small indexes get single pages, 0 for extents nobody has.
//!
//! ```text
//! descriptor page: 64 format u32 | 68 flags u32 | 72 extents used in the group u32 | 80.. zero | 128 descriptors
//! descriptor: owner u64, free u64 (bit i = page i of the extent is free)
//! ```
//! Bytes 64..72 mean something on page 0 only.
//!
//! Access: through an mtr, which latches the descriptor page exclusively until it commits. Latch order: descriptor pages come after
//! all other pages of the space (callers hold tree or undo pages), so nothing else may be latched after an allocation except the
//! new page, which nobody else can know. The latch is held for the few microseconds until the mtr commits; which extent to try
//! first is remembered outside the page ([`HINTS`]), so an allocation looks at one descriptor.
//!
//! The file grows ahead of use, before any op is applied: a full disk is an error without a change. It begins with 128 KiB and grows by as much up to one
//! extent, then by 64 pages, and by four times as many from 32 MiB on; so only the first extent may be longer than the file. A crash undoes nothing
//! here: pages belong to the mtr that allocated them. Tested by everything that allocates; sizes of files in `engine/tests/files.rs`.

use std::sync::atomic::{AtomicU64, Ordering};

use base::{PageId, PageNo, SpaceId};

use crate::buffer::BufferPool;
use crate::error::{Result, StorageError};
use crate::file::step;
use crate::mtr::{Mtr, XRef};
use crate::page::{PAGE_SIZE, PageBuf, PageOp, PageType};
use crate::redo::ForcedBy;
use crate::store::Store;

/// Pages of an extent.
pub const EXTENT: u32 = 64;
/// Extents described by one descriptor page.
const GROUP_EXTENTS: u32 = 1016;
/// Pages from one descriptor page to the next.
const GROUP: u32 = EXTENT * GROUP_EXTENTS;
/// Owner of extents from which anybody gets single pages.
pub const SHARED: u64 = u64::MAX;

const FORMAT_AT: usize = 64;
const USED_AT: usize = 72;
const DESC_AT: usize = 128;
const DESC_SIZE: usize = 16;
const SPACE_FORMAT: u32 = 1;

/// Extent last allocated from, by a hash of (space, owner): extent number + 1, upper half of the hash beside it. Only a
/// hint: the descriptor decides.
static HINTS: [AtomicU64; 4096] = [const { AtomicU64::new(0) }; 4096];

fn hint_cell(space: SpaceId, owner: u64) -> (&'static AtomicU64, u64) {
    let h = (owner ^ (space.0 as u64) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let [first, ..] = &HINTS;
    (HINTS.get((h >> 52) as usize).unwrap_or(first), h & !0xffff_ffff)
}

fn hint(space: SpaceId, owner: u64) -> Option<u32> {
    let (cell, tag) = hint_cell(space, owner);
    let v = cell.load(Ordering::Relaxed);
    if v & !0xffff_ffff == tag { (v as u32).checked_sub(1) } else { None }
}

fn set_hint(space: SpaceId, owner: u64, extent: u32) {
    let (cell, tag) = hint_cell(space, owner);
    cell.store(tag | (extent as u64 + 1), Ordering::Relaxed);
}

/// What a new page is for.
#[derive(Clone, Copy, Debug)]
pub struct Want {
    /// Owner of the extent to take it from: an index id, or another number that no index has.
    pub owner: u64,
    /// Preferably behind this page.
    pub near: PageNo,
    /// Take a single page of a shared extent (small indexes).
    pub small: bool,
}

/// Owner number of an index's overflow pages, which get extents of their own.
pub const fn overflow_owner(index: base::IndexId) -> u64 {
    index.0 | 1 << 62
}

/// Descriptor page of an extent, and the descriptor's offset on it.
fn place(extent: u32) -> (PageNo, usize) {
    (PageNo(extent / GROUP_EXTENTS * GROUP), DESC_AT + (extent % GROUP_EXTENTS) as usize * DESC_SIZE)
}

fn descriptor(page: &PageBuf, at: usize) -> (u64, u64) {
    (page.u64_at(at), page.u64_at(at + 8))
}

fn put_descriptor(mtr: &mut Mtr<'_>, x: XRef, at: usize, owner: u64, free: u64) -> Result<()> {
    let mut b = [0u8; DESC_SIZE];
    for (to, from) in b.iter_mut().zip(owner.to_le_bytes().into_iter().chain(free.to_le_bytes())) {
        *to = from;
    }
    mtr.apply(x, PageOp::Patch { offset: at as u16, bytes: &b })
}

/// Writes page 0 of a new space; its file exists and is empty. Part of `mtr`.
pub fn create(mtr: &mut Mtr<'_>, space: SpaceId) -> Result<()> {
    extend_file(mtr.pool(), space, 1)?;
    let x = new_descriptor_page(mtr, space, PageNo(0))?;
    mtr.apply(x, PageOp::Patch { offset: FORMAT_AT as u16, bytes: &SPACE_FORMAT.to_le_bytes() })
}

fn new_descriptor_page(mtr: &mut Mtr<'_>, space: SpaceId, page: PageNo) -> Result<XRef> {
    let x = mtr.new_page(PageId::new(space, page))?;
    mtr.apply(x, PageOp::Init { ty: PageType::SpaceHeader, level: 0, index_id: 0 })?;
    mtr.apply(x, PageOp::Patch { offset: USED_AT as u16, bytes: &1u32.to_le_bytes() })?;
    // The descriptor page itself is page 0 of the group's first extent.
    put_descriptor(mtr, x, DESC_AT, SHARED, !1)?;
    Ok(x)
}

/// Latches a descriptor page and checks that it is one.
fn latch_group(mtr: &mut Mtr<'_>, space: SpaceId, page: PageNo) -> Result<XRef> {
    let id = PageId::new(space, page);
    let x = mtr.x(id)?;
    if mtr.page(x).page_type() != PageType::SpaceHeader {
        return Err(StorageError::CorruptPage { page: id, why: "not a space header" });
    }
    Ok(x)
}

/// Allocates a page and latches it; the caller initialises it in the same mtr. On an error no op has been applied.
pub fn alloc_page(mtr: &mut Mtr<'_>, space: SpaceId, want: Want) -> Result<(PageNo, XRef)> {
    let owner = if want.small { SHARED } else { want.owner };
    let near = if want.near.is_some() { want.near.0 / EXTENT } else { 0 };
    // The extent of the neighbour, then the one that served last: nearly always one of them has a page.
    for extent in [Some(near), hint(space, owner)].into_iter().flatten() {
        let (group, at) = place(extent);
        if extent > near && !group_exists(mtr.pool(), space, group)? {
            continue;
        }
        let x = latch_group(mtr, space, group)?;
        let (o, free) = descriptor(mtr.page(x), at);
        // A small space has single pages only: an extent of its own for two leaves would be a megabyte.
        let o_fits = o == owner || (o == SHARED && extent == 0 && free.count_ones() > EXTENT / 2);
        if o_fits && free != 0 && extent % GROUP_EXTENTS < mtr.page(x).u32_at(USED_AT) {
            return take(mtr, x, space, o, extent, free, want.near, None);
        }
    }
    let mut group = near / GROUP_EXTENTS;
    let mut from_start = group > 0;
    loop {
        if let Some(page) = alloc_in_group(mtr, space, owner, group)? {
            return Ok(page);
        }
        // This group is full: the next one; a group behind the last is made. Before growing, look from the start once.
        group += 1;
        if from_start && !group_exists(mtr.pool(), space, PageNo(group * GROUP))? {
            (from_start, group) = (false, 0);
        }
    }
}

/// Whether the group's descriptor page has been made: the previous group is used up to its end.
fn group_exists(pool: &BufferPool, space: SpaceId, group: PageNo) -> Result<bool> {
    if group.0 == 0 {
        return Ok(true);
    }
    Ok(file_pages(pool, space)? > group.0)
}

fn alloc_in_group(mtr: &mut Mtr<'_>, space: SpaceId, owner: u64, group: u32) -> Result<Option<(PageNo, XRef)>> {
    let first = PageNo(group * GROUP);
    let found = if group_exists(mtr.pool(), space, first)? { Some(latch_group(mtr, space, first)) } else { None };
    let x = match found {
        // The file grew, but the crash came before the descriptor page was written.
        Some(Err(StorageError::CorruptPage { why: "never written", .. })) if group > 0 => None,
        Some(x) => Some(x?),
        None => {
            extend_file(mtr.pool(), space, first.0 + EXTENT)?;
            None
        }
    };
    let x = match x {
        Some(x) => x,
        None => new_descriptor_page(mtr, space, first)?,
    };
    let used = mtr.page(x).u32_at(USED_AT);
    let mut empty = None;
    for i in 0..used.min(GROUP_EXTENTS) {
        let (o, free) = descriptor(mtr.page(x), DESC_AT + i as usize * DESC_SIZE);
        if o == owner && free != 0 {
            return take(mtr, x, space, owner, group * GROUP_EXTENTS + i, free, PageNo::NONE, None).map(Some);
        }
        if o == 0 && empty.is_none() {
            empty = Some(i);
        }
    }
    let (i, now_used) = match empty {
        Some(i) => (i, None),
        None if used < GROUP_EXTENTS => {
            let end = (group * GROUP_EXTENTS + used + 1) * EXTENT;
            extend_file(mtr.pool(), space, end)?;
            (used, Some(used + 1))
        }
        None => return Ok(None),
    };
    take(mtr, x, space, owner, group * GROUP_EXTENTS + i, u64::MAX, PageNo::NONE, now_used).map(Some)
}

/// Takes a page out of an extent's free ones: the first behind `near` if that is inside, else the first. `used`: new value
/// of the group's number of used extents.
#[allow(clippy::too_many_arguments)]
fn take(
    mtr: &mut Mtr<'_>,
    x: XRef,
    space: SpaceId,
    owner: u64,
    extent: u32,
    free: u64,
    near: PageNo,
    used: Option<u32>,
) -> Result<(PageNo, XRef)> {
    let behind = match near.0.checked_sub(extent * EXTENT) {
        Some(i) if i < EXTENT && near.is_some() => free & (u64::MAX << i),
        _ => 0,
    };
    let bit = if behind != 0 { behind.trailing_zeros() } else { free.trailing_zeros() };
    let page = PageNo(extent * EXTENT + bit);
    if extent == 0 {
        extend_file(mtr.pool(), space, page.0 + 1)?;
    }
    // The frame first: when there is none, nothing has been changed yet.
    let new = mtr.new_page(PageId::new(space, page))?;
    if let Some(used) = used {
        mtr.apply(x, PageOp::Patch { offset: USED_AT as u16, bytes: &used.to_le_bytes() })?;
    }
    put_descriptor(mtr, x, place(extent).1, owner, free & !(1 << bit))?;
    set_hint(space, owner, extent);
    Ok((page, new))
}

/// Latches what [`free_page`] will change, so that it cannot fail for want of a frame or a read after the mtr has changed
/// something. To be called before the first op of an mtr that frees `page`, after its other pages are latched.
pub fn prepare_free(mtr: &mut Mtr<'_>, space: SpaceId, page: PageNo) -> Result<()> {
    latch_group(mtr, space, place(page.0 / EXTENT).0).map(|_| ())
}

/// Frees a page. The caller has initialised it as `Free` in the same mtr (so that a stale reader sees that it is gone).
/// Freeing a free page is an error.
pub fn free_page(mtr: &mut Mtr<'_>, space: SpaceId, page: PageNo) -> Result<()> {
    let (group, at) = place(page.0 / EXTENT);
    let x = latch_group(mtr, space, group)?;
    let (owner, free) = descriptor(mtr.page(x), at);
    let free_after = free | 1 << (page.0 % EXTENT);
    if owner == 0 || free_after == free || page == group {
        return Err(StorageError::CorruptPage { page: PageId::new(space, page), why: "freed twice" });
    }
    let owner = if free_after == u64::MAX { 0 } else { owner };
    put_descriptor(mtr, x, at, owner, free_after)
}

/// Forgets which extent served an owner last: the next page comes from the lowest one that has some.
pub(crate) fn forget_hint(space: SpaceId, owner: u64) {
    hint_cell(space, owner).0.store(0, Ordering::Relaxed);
}

/// What a group's descriptor page says of extent `i`: whether a page of it is in use, apart from the descriptor page itself.
fn in_use(page: &PageBuf, group: u32, i: u32) -> bool {
    let (owner, free) = descriptor(page, DESC_AT + i as usize * DESC_SIZE);
    let own = if i == 0 && group > 0 { 1 } else { 0 };
    owner != 0 && free | own != u64::MAX
}

/// A group's descriptor page that was never written: the file grew, and then came a crash.
fn never_written(e: &StorageError) -> bool {
    matches!(e, StorageError::CorruptPage { why: "never written", .. })
}

/// Pages up to the end of the last extent in use; the file may go on behind.
pub(crate) fn end_of_use(pool: &BufferPool, space: SpaceId) -> Result<u32> {
    for group in (0..file_pages(pool, space)?.div_ceil(GROUP)).rev() {
        let page = match pool.read(PageId::new(space, PageNo(group * GROUP))) {
            Ok(p) => p,
            Err(e) if group > 0 && never_written(&e) => continue,
            Err(e) => return Err(e),
        };
        let used = page.u32_at(USED_AT).min(GROUP_EXTENTS);
        if let Some(i) = (0..used).rev().find(|i| in_use(&page, group, *i)) {
            return Ok((group * GROUP_EXTENTS + i + 1) * EXTENT);
        }
    }
    Ok(EXTENT)
}

/// Cuts the space's file to `to` pages, a multiple of [`EXTENT`] at which [`end_of_use`] has been. `false`: something behind is in use, or was changed
/// since the last checkpoint, and nothing was done. Nobody may allocate or free pages of the space meanwhile.
///
/// The checkpoint must lie behind the last change of pages there: the log then has nothing that replay would look for in the file, except what begins
/// with `Init`. The shorter number of extents is durable before the file is cut; a crash in between leaves the file longer than it says, which is what a
/// file that grows ahead looks like, too.
pub(crate) fn cut(store: &Store, space: SpaceId, to: u32) -> Result<bool> {
    let (pool, log) = (store.pool(), store.log());
    let kept = (to - 1) / GROUP;
    let mut mtr = store.mtr()?;
    let mut shorter = None;
    for group in kept..file_pages(pool, space)?.div_ceil(GROUP) {
        let x = match latch_group(&mut mtr, space, PageNo(group * GROUP)) {
            Ok(x) => x,
            Err(e) if group > kept && never_written(&e) => continue,
            Err(e) => return Err(e),
        };
        let page = mtr.page(x);
        let used = page.u32_at(USED_AT).min(GROUP_EXTENTS);
        let first = if group == kept { to / EXTENT - group * GROUP_EXTENTS } else { 0 };
        let changed = group > kept && page.lsn() > log.checkpoint_lsn();
        if changed || (first..used).any(|i| in_use(page, group, i)) {
            return Ok(false);
        }
        if group == kept && used > first {
            shorter = Some((x, first));
        }
    }
    if let Some((x, extents)) = shorter {
        mtr.apply(x, PageOp::Patch { offset: USED_AT as u16, bytes: &extents.to_le_bytes() })?;
        log.flush_to(mtr.commit(), ForcedBy::Explicit)?;
    } else {
        drop(mtr);
    }
    pool.discard_from(PageId::new(space, PageNo(to)));
    pool.files().cut(space, u64::from(to) * PAGE_SIZE as u64)?;
    Ok(true)
}

/// Whether a page is allocated (for checks).
pub fn is_allocated(pool: &BufferPool, space: SpaceId, page: PageNo) -> Result<bool> {
    let (group, at) = place(page.0 / EXTENT);
    let g = pool.read(PageId::new(space, group))?;
    let (owner, free) = descriptor(&g, at);
    Ok(owner != 0 && free >> (page.0 % EXTENT) & 1 == 0)
}

/// Pages of the space: (in use, in the file).
pub fn usage(pool: &BufferPool, space: SpaceId) -> Result<(u64, u64)> {
    let in_file = file_pages(pool, space)?;
    let mut used = 0u64;
    for group in (0..in_file.max(1)).step_by(GROUP as usize) {
        let g = pool.read(PageId::new(space, PageNo(group)))?;
        for i in 0..g.u32_at(USED_AT).min(GROUP_EXTENTS) as usize {
            let (owner, free) = descriptor(&g, DESC_AT + i * DESC_SIZE);
            used += if owner == 0 { 0 } else { free.count_zeros() as u64 };
        }
    }
    Ok((used, in_file as u64))
}

/// Pages in the file.
pub(crate) fn file_pages(pool: &BufferPool, space: SpaceId) -> Result<u32> {
    let pages = pool.files().size(space)? / PAGE_SIZE as u64;
    Ok(u32::try_from(pages).unwrap_or(u32::MAX))
}

/// Makes the file at least `pages` long, with some to spare.
fn extend_file(pool: &BufferPool, space: SpaceId, pages: u32) -> Result<()> {
    let have = file_pages(pool, space)?;
    if have >= pages {
        return Ok(());
    }
    let bytes = pages as u64 * PAGE_SIZE as u64;
    let to = (bytes.next_multiple_of(step(bytes)) / PAGE_SIZE as u64).min(u32::MAX as u64) as u32;
    // Never across a group's start (its existence is read off the size).
    let group_end = (pages - 1) / GROUP * GROUP + GROUP;
    let to = to.min(group_end).max(pages);
    pool.files().get(space)?.preallocate(to as u64 * PAGE_SIZE as u64)
}
