//! Page bytes and the header fields that all page types share. All integers are little-endian.
//!
//! The checksum is crc32c over bytes 4..16384; it is set when the page is written to disk and checked when it is read; in
//! memory it is stale. `lsn` is the end LSN of the last mini-transaction that changed the page.

use super::{HEADER_SIZE, PAGE_FORMAT, PAGE_SIZE};
use crate::error::{Result, StorageError};
use base::{Lsn, PageId, PageNo, SpaceId};

/// Byte offsets of the header's fields. 40..64 belong to the page's type; index pages use 40..52 (see `slotted`),
/// 52..64 are free for the B+tree (changed by `PageOp::Patch`).
pub mod field {
    /// u32: crc32c of bytes 4..16384.
    pub const CRC: usize = 0;
    /// u32.
    pub const PAGE_NO: usize = 4;
    /// u32.
    pub const SPACE: usize = 8;
    /// u8: [`super::PageType`].
    pub const TYPE: usize = 12;
    /// u8: height above the leaves.
    pub const LEVEL: usize = 13;
    /// u16: format version.
    pub const FORMAT: usize = 14;
    /// u64: end LSN of the last change.
    pub const LSN: usize = 16;
    /// u32: left sibling; `u32::MAX` = none.
    pub const PREV: usize = 24;
    /// u32: right sibling; `u32::MAX` = none.
    pub const NEXT: usize = 28;
    /// u64: index the page belongs to.
    pub const INDEX_ID: usize = 32;
    /// u16: number of slots (index pages).
    pub const N_SLOTS: usize = 40;
    /// u16: lowest used byte of the heap, which grows downwards from the page's end (index pages).
    pub const HEAP_TOP: usize = 42;
    /// u16: bytes inside the heap that no slot refers to (index pages).
    pub const GARBAGE: usize = 44;
    /// u16: 1 = the page has a high key (index pages).
    pub const FLAGS: usize = 46;
    /// u16: offset of the high key (index pages).
    pub const HIGH_KEY_OFFSET: usize = 48;
    /// u16: length of the high key (index pages).
    pub const HIGH_KEY_LEN: usize = 50;
    /// First of 12 bytes that the B+tree may use as it likes, by `PageOp::Patch` (index pages).
    pub const USER: usize = 52;
}

/// What a page is for. The number is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum PageType {
    /// Never used or freed.
    Free = 0,
    /// Page 0 of a tablespace.
    SpaceHeader = 1,
    /// B+tree page, slotted.
    Index = 2,
    /// Part of a long column.
    Overflow = 3,
    /// Undo records.
    Undo = 4,
    /// Directory of undo slots.
    UndoSlot = 5,
    /// Engine-wide page.
    System = 6,
}

impl PageType {
    /// The type with this stored number.
    pub const fn from_u8(v: u8) -> Option<PageType> {
        Some(match v {
            0 => PageType::Free,
            1 => PageType::SpaceHeader,
            2 => PageType::Index,
            3 => PageType::Overflow,
            4 => PageType::Undo,
            5 => PageType::UndoSlot,
            6 => PageType::System,
            _ => return None,
        })
    }
}

/// The bytes of one page, aligned for direct I/O.
#[derive(Clone)]
#[repr(C, align(4096))]
pub struct PageBuf([u8; PAGE_SIZE]);

// The accessors index an array of PAGE_SIZE bytes at constant offsets or after a check; all are in range.
#[allow(clippy::indexing_slicing)]
impl PageBuf {
    /// A page of zeros on the heap.
    pub fn zeroed() -> Box<PageBuf> {
        Box::new(PageBuf([0; PAGE_SIZE]))
    }

    /// All bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8; PAGE_SIZE] {
        &self.0
    }

    /// All bytes, to fill from a file. Pages in the pool change only by [`super::apply`].
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8; PAGE_SIZE] {
        &mut self.0
    }

    /// `len` bytes from `offset`; `None` when that leaves the page.
    #[inline]
    pub fn get(&self, offset: usize, len: usize) -> Option<&[u8]> {
        self.0.get(offset..offset.checked_add(len)?)
    }

    /// u16 at `offset`; 0 when outside.
    #[inline]
    pub fn u16_at(&self, offset: usize) -> u16 {
        match self.0.get(offset..offset.wrapping_add(2)) {
            Some(b) => u16::from_le_bytes([b[0], b[1]]),
            None => 0,
        }
    }

    /// u32 at `offset`; 0 when outside.
    #[inline]
    pub fn u32_at(&self, offset: usize) -> u32 {
        match self.0.get(offset..offset.wrapping_add(4)) {
            Some(b) => u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
            None => 0,
        }
    }

    /// u64 at `offset`; 0 when outside.
    #[inline]
    pub fn u64_at(&self, offset: usize) -> u64 {
        match self.0.get(offset..offset.wrapping_add(8)) {
            Some(b) => u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]),
            None => 0,
        }
    }

    pub(crate) fn put(&mut self, offset: usize, bytes: &[u8]) -> Option<()> {
        self.0.get_mut(offset..offset.checked_add(bytes.len())?)?.copy_from_slice(bytes);
        Some(())
    }

    pub(crate) fn put_u16(&mut self, offset: usize, v: u16) {
        let _ = self.put(offset, &v.to_le_bytes());
    }

    pub(crate) fn put_u32(&mut self, offset: usize, v: u32) {
        let _ = self.put(offset, &v.to_le_bytes());
    }

    pub(crate) fn put_u64(&mut self, offset: usize, v: u64) {
        let _ = self.put(offset, &v.to_le_bytes());
    }

    /// Which page the header says this is.
    #[inline]
    pub fn id(&self) -> PageId {
        PageId::new(SpaceId(self.u32_at(field::SPACE)), PageNo(self.u32_at(field::PAGE_NO)))
    }

    /// The page's type; an unknown number counts as [`PageType::Free`] (and fails [`PageBuf::check`]).
    #[inline]
    pub fn page_type(&self) -> PageType {
        PageType::from_u8(self.0[field::TYPE]).unwrap_or(PageType::Free)
    }

    /// Height above the leaves: 0 = leaf.
    #[inline]
    pub fn level(&self) -> u8 {
        self.0[field::LEVEL]
    }

    /// End LSN of the last change.
    #[inline]
    pub fn lsn(&self) -> Lsn {
        Lsn(self.u64_at(field::LSN))
    }

    /// Sets the LSN (mtr commit and redo only).
    pub(crate) fn set_lsn(&mut self, lsn: Lsn) {
        self.put_u64(field::LSN, lsn.0);
    }

    /// Sets the identity (a new frame only).
    pub(crate) fn set_id(&mut self, id: PageId) {
        self.put_u32(field::SPACE, id.space.0);
        self.put_u32(field::PAGE_NO, id.page.0);
    }

    /// Left sibling or [`PageNo::NONE`].
    #[inline]
    pub fn prev(&self) -> PageNo {
        PageNo(self.u32_at(field::PREV))
    }

    /// Right sibling or [`PageNo::NONE`].
    #[inline]
    pub fn next(&self) -> PageNo {
        PageNo(self.u32_at(field::NEXT))
    }

    /// Index id.
    #[inline]
    pub fn index_id(&self) -> u64 {
        self.u64_at(field::INDEX_ID)
    }

    /// crc32c over everything behind the checksum field.
    pub fn checksum(&self) -> u32 {
        crc32c::crc32c(&self.0[4..])
    }

    /// Writes the checksum: the last step before a page goes to disk.
    pub fn seal(&mut self) {
        let crc = self.checksum();
        self.put_u32(field::CRC, crc);
    }

    /// Whether every byte is 0: a page of a file that was extended and never written.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|b| *b == 0)
    }

    /// Verifies a page just read from disk: checksum, identity, type, format.
    pub fn check(&self, id: PageId) -> Result<()> {
        let bad = |why| Err(StorageError::CorruptPage { page: id, why });
        if self.u32_at(field::CRC) != self.checksum() {
            return bad(if self.is_zero() { "never written" } else { "checksum mismatch" });
        }
        if self.id() != id {
            return bad("the page belongs to another place");
        }
        if PageType::from_u8(self.0[field::TYPE]).is_none() {
            return bad("unknown page type");
        }
        if self.u16_at(field::FORMAT) != PAGE_FORMAT {
            return bad("unknown page format");
        }
        Ok(())
    }

    /// Empties the page for a new use: everything but the identity and the LSN is reset.
    pub(crate) fn init(&mut self, ty: PageType, level: u8, index_id: u64) {
        let (id, lsn) = (self.id(), self.lsn());
        self.0.fill(0);
        self.set_id(id);
        self.set_lsn(lsn);
        self.0[field::TYPE] = ty as u8;
        self.0[field::LEVEL] = level;
        self.put_u16(field::FORMAT, PAGE_FORMAT);
        self.put_u32(field::PREV, u32::MAX);
        self.put_u32(field::NEXT, u32::MAX);
        self.put_u64(field::INDEX_ID, index_id);
        if ty == PageType::Index {
            self.put_u16(field::HEAP_TOP, PAGE_SIZE as u16);
        }
        const { assert!(HEADER_SIZE == 64) };
    }
}
