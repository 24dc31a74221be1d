#![allow(unsafe_code)]
//! Readers over page bytes that another thread may be changing: optimistic reads.
//!
//! No `&[u8]` is ever formed on such bytes. Every access is a bounds-checked volatile copy of a few bytes; what is read may
//! be torn nonsense, so callers must validate the frame's version before they act on any of it. All offsets found on the
//! page are masked or checked, so nonsense leads to nonsense results or [`Restart`], never outside the page. The frames
//! are type-stable: the memory stays a page for the life of the pool.

use super::slotted::{SLOT_SIZE, key_head};
use super::{HEADER_SIZE, PAGE_SIZE, PageBuf, field};
use std::cmp::Ordering;
use std::marker::PhantomData;

/// The bytes changed under the reader or contradict each other: validate and try again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Restart;

/// A page that may change while it is read.
#[derive(Clone, Copy)]
pub struct RacyPage<'a> {
    at: *const u8,
    life: PhantomData<&'a PageBuf>,
}

#[repr(C, packed)]
#[derive(Clone, Copy)]
struct Un<T: Copy>(T);

impl<'a> RacyPage<'a> {
    /// Wraps the page at `at`.
    ///
    /// # Safety
    /// `at` must point to `PAGE_SIZE` readable, initialised bytes for the whole of `'a`.
    pub unsafe fn new(at: *const PageBuf) -> RacyPage<'a> {
        RacyPage { at: at.cast(), life: PhantomData }
    }

    #[inline]
    fn load<T: Copy>(&self, offset: usize) -> Result<T, Restart> {
        if offset > PAGE_SIZE - size_of::<T>() {
            return Err(Restart);
        }
        // SAFETY: the range was checked, T is a plain integer (private callers), alignment is 1 through `Un`; the value
        // may be torn, which every caller tolerates.
        Ok(unsafe { std::ptr::read_volatile(self.at.add(offset).cast::<Un<T>>()) }.0)
    }

    /// u8 at `offset`.
    #[inline]
    pub fn u8_at(&self, offset: usize) -> Result<u8, Restart> {
        self.load::<u8>(offset)
    }
    /// u16 at `offset`.
    #[inline]
    pub fn u16_at(&self, offset: usize) -> Result<u16, Restart> {
        self.load::<u16>(offset).map(u16::from_le)
    }
    /// u32 at `offset`.
    #[inline]
    pub fn u32_at(&self, offset: usize) -> Result<u32, Restart> {
        self.load::<u32>(offset).map(u32::from_le)
    }
    /// u64 at `offset`.
    #[inline]
    pub fn u64_at(&self, offset: usize) -> Result<u64, Restart> {
        self.load::<u64>(offset).map(u64::from_le)
    }

    /// Appends `len` bytes from `offset` to `to`.
    #[inline]
    pub fn append(&self, offset: usize, len: usize, to: &mut Vec<u8>) -> Result<(), Restart> {
        if offset > PAGE_SIZE || len > PAGE_SIZE - offset {
            return Err(Restart);
        }
        to.reserve(len);
        // SAFETY: the range lies within the page and there is room for it behind the vector's end; every byte of that
        // is written before it counts. The bytes are copied in pieces that may be torn, which every caller tolerates.
        unsafe {
            let (mut from, mut at) = (self.at.add(offset), to.as_mut_ptr().add(to.len()));
            let end = from.add(len);
            while end.offset_from(from) >= 32 {
                let piece = std::ptr::read_volatile(from.cast::<Un<[u64; 4]>>());
                at.cast::<Un<[u64; 4]>>().write(piece);
                (from, at) = (from.add(32), at.add(32));
            }
            while from < end {
                at.write(std::ptr::read_volatile(from));
                (from, at) = (from.add(1), at.add(1));
            }
            to.set_len(to.len() + len);
        }
        Ok(())
    }

    /// Compares the bytes at `offset..offset+len` with `key` as memcmp would.
    #[inline]
    pub fn compare(&self, offset: usize, len: usize, key: &[u8]) -> Result<Ordering, Restart> {
        if offset > PAGE_SIZE || len > PAGE_SIZE - offset {
            return Err(Restart);
        }
        let common = len.min(key.len());
        let mut at = 0;
        let (head, _) = key.split_at_checked(common).ok_or(Restart)?;
        let (words, rest) = head.as_chunks::<8>();
        for w in words {
            let (a, b) = (u64::from_be(self.load::<u64>(offset + at)?), u64::from_be_bytes(*w));
            if a != b {
                return Ok(a.cmp(&b));
            }
            at += 8;
        }
        for b in rest {
            let a = self.load::<u8>(offset + at)?;
            if a != *b {
                return Ok(a.cmp(b));
            }
            at += 1;
        }
        Ok(len.cmp(&key.len()))
    }

    /// Number of slots.
    #[inline]
    pub fn slot_count(&self) -> Result<usize, Restart> {
        let n = self.u16_at(field::N_SLOTS)? as usize;
        if n > (PAGE_SIZE - HEADER_SIZE) / SLOT_SIZE { Err(Restart) } else { Ok(n) }
    }

    /// Height above the leaves.
    #[inline]
    pub fn level(&self) -> Result<u8, Restart> {
        self.u8_at(field::LEVEL)
    }

    /// Right sibling's page number; `u32::MAX` = none.
    #[inline]
    pub fn next(&self) -> Result<base::PageNo, Restart> {
        self.u32_at(field::NEXT).map(base::PageNo)
    }

    /// (offset, length, head) of a slot.
    #[inline]
    fn slot(&self, slot: usize) -> Result<(usize, usize, u32), Restart> {
        let v = self.u64_at(HEADER_SIZE + slot * SLOT_SIZE)?;
        Ok((v as u16 as usize, (v >> 16) as u16 as usize, (v >> 32) as u32))
    }

    /// (offset, length) of the key and of the payload at `slot`.
    #[inline]
    pub fn parts(&self, slot: usize) -> Result<((usize, usize), (usize, usize)), Restart> {
        if slot >= self.slot_count()? {
            return Err(Restart);
        }
        let (o, l, _) = self.slot(slot)?;
        let k = self.u16_at(o)? as usize;
        if l < 2 + k || o + l > PAGE_SIZE {
            return Err(Restart);
        }
        Ok(((o + 2, k), (o + 2 + k, l - 2 - k)))
    }

    /// First slot whose key is >= `key`, and whether it is equal.
    #[inline]
    pub fn lower_bound(&self, key: &[u8]) -> Result<(usize, bool), Restart> {
        let head = key_head(key);
        let (mut lo, mut hi) = (0usize, self.slot_count()?);
        while lo < hi {
            let mid = (lo + hi) / 2;
            let (o, l, h) = self.slot(mid)?;
            let ord = if h == head {
                let k = self.u16_at(o)? as usize;
                if l < 2 + k {
                    return Err(Restart);
                }
                self.compare(o + 2, k, key)?
            } else {
                h.cmp(&head)
            };
            match ord {
                Ordering::Less => lo = mid + 1,
                Ordering::Greater => hi = mid,
                Ordering::Equal => return Ok((mid, true)),
            }
        }
        Ok((lo, false))
    }

    /// Whether `key` lies at or beyond the high key, i.e. must be looked for to the right.
    #[inline]
    pub fn beyond_high_key(&self, key: &[u8]) -> Result<bool, Restart> {
        if self.u16_at(field::FLAGS)? & 1 == 0 {
            return Ok(false);
        }
        let (o, l) = (self.u16_at(field::HIGH_KEY_OFFSET)? as usize, self.u16_at(field::HIGH_KEY_LEN)? as usize);
        Ok(self.compare(o, l, key)? != Ordering::Greater)
    }
}
