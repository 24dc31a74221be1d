//! Memory that is not the allocator's business: [`AlignedBuf`] for direct I/O and [`Region`], the reserved address range in which
//! the buffer pool commits frames chunk by chunk.
//!
//! A `Region` hands out raw addresses only: who may read or write which part, and when, is the owner's protocol (page latches).
//! Committed memory starts as zeros. `decommit` gives pages back but keeps the addresses readable (as zeros), so an optimistic
//! reader that is late reads rubbish and fails its validation instead of faulting.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::io;
use std::ptr::NonNull;

/// Alignment of [`AlignedBuf`] and of O_DIRECT transfers.
pub const DIRECT_ALIGN: usize = 4096;

/// An owned, zero-initialised byte buffer whose address is a multiple of 4 KiB.
pub struct AlignedBuf {
    ptr: NonNull<u8>,
    len: usize,
}

// SAFETY: plain owned memory, as Box<[u8]>.
unsafe impl Send for AlignedBuf {}
// SAFETY: shared access only reads.
unsafe impl Sync for AlignedBuf {}

impl AlignedBuf {
    fn layout(len: usize) -> Layout {
        // A length near usize::MAX cannot be laid out; it is treated as the failed allocation it would be.
        Layout::from_size_align(len.max(1), DIRECT_ALIGN).unwrap_or_else(|_| handle_alloc_error(Layout::new::<u8>()))
    }

    /// `len` zero bytes. Aborts when memory is exhausted, as `Vec` does.
    pub fn new(len: usize) -> AlignedBuf {
        let layout = Self::layout(len);
        // SAFETY: the layout has a non-zero size.
        let p = unsafe { alloc_zeroed(layout) };
        let Some(ptr) = NonNull::new(p) else { handle_alloc_error(layout) };
        AlignedBuf { ptr, len }
    }

    /// A copy of `bytes`.
    pub fn from_slice(bytes: &[u8]) -> AlignedBuf {
        let mut b = AlignedBuf::new(bytes.len());
        b.copy_from_slice(bytes);
        b
    }
}

impl Drop for AlignedBuf {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with the same layout.
        unsafe { dealloc(self.ptr.as_ptr(), Self::layout(self.len)) }
    }
}

impl std::ops::Deref for AlignedBuf {
    type Target = [u8];
    #[inline]
    fn deref(&self) -> &[u8] {
        // SAFETY: `len` initialised bytes, borrowed with `self`.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
    }
}

impl std::ops::DerefMut for AlignedBuf {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, uniquely borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len) }
    }
}

impl Clone for AlignedBuf {
    fn clone(&self) -> AlignedBuf {
        AlignedBuf::from_slice(self)
    }
}

impl std::fmt::Debug for AlignedBuf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AlignedBuf({} bytes)", self.len)
    }
}

/// A reserved range of addresses, of which parts are committed. Unmapped when dropped.
#[derive(Debug)]
pub struct Region {
    base: NonNull<u8>,
    len: usize,
}

// SAFETY: only addresses are kept; access to the bytes is the owner's unsafe business.
unsafe impl Send for Region {}
// SAFETY: as above; commit and decommit are kernel calls safe to run concurrently.
unsafe impl Sync for Region {}

impl Region {
    /// Reserves `len` bytes (rounded up to the page size) of address space without memory behind it.
    pub fn reserve(len: usize) -> io::Result<Region> {
        let page = crate::usage::page_size() as usize;
        let len = len.max(1).checked_next_multiple_of(page).ok_or(io::ErrorKind::OutOfMemory)?;
        // SAFETY: a new private mapping anywhere; nothing existing is touched.
        let p = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if p == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(p.cast::<u8>()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Region { base, len })
    }

    /// Reserves and commits in one step.
    pub fn new(len: usize) -> io::Result<Region> {
        let r = Region::reserve(len)?;
        r.commit(0, r.len)?;
        Ok(r)
    }

    /// First address.
    #[inline]
    pub fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }
    /// Reserved bytes.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }
    /// Never: a region has at least one page.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn part(&self, offset: usize, len: usize) -> io::Result<*mut libc::c_void> {
        let end = offset.checked_add(len).ok_or(io::ErrorKind::InvalidInput)?;
        if end > self.len {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        Ok(self.base.as_ptr().wrapping_add(offset).cast())
    }

    /// Makes a page-aligned part readable and writable (zeros at first; memory is taken when touched).
    pub fn commit(&self, offset: usize, len: usize) -> io::Result<()> {
        let p = self.part(offset, len)?;
        // SAFETY: the range lies inside our own mapping.
        crate::check(unsafe { libc::mprotect(p, len, libc::PROT_READ | libc::PROT_WRITE) })?;
        Ok(())
    }

    /// Gives a page-aligned part's memory back to the kernel; its addresses stay readable and read as zeros.
    pub fn decommit(&self, offset: usize, len: usize) -> io::Result<()> {
        let p = self.part(offset, len)?;
        // SAFETY: the range lies inside our own private anonymous mapping; its owner has given up the contents.
        crate::check(unsafe { libc::madvise(p, len, libc::MADV_DONTNEED) })?;
        Ok(())
    }

    /// Asks for transparent huge pages; returns whether the kernel takes the hint.
    pub fn advise_huge(&self) -> bool {
        // SAFETY: a hint about our own mapping.
        unsafe { libc::madvise(self.base.as_ptr().cast(), self.len, libc::MADV_HUGEPAGE) == 0 }
    }

    /// Keeps the region out of core dumps (a buffer pool would make them as large as the machine).
    pub fn advise_no_dump(&self) -> bool {
        // SAFETY: a hint about our own mapping.
        unsafe { libc::madvise(self.base.as_ptr().cast(), self.len, libc::MADV_DONTDUMP) == 0 }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: our own mapping; users of its addresses must be gone, which is the owner's protocol.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_buffers() {
        for len in [0, 1, 4096, 16384, 100_000] {
            let mut b = AlignedBuf::new(len);
            assert_eq!(b.len(), len);
            assert_eq!(b.as_ptr() as usize % DIRECT_ALIGN, 0);
            assert!(b.iter().all(|&x| x == 0));
            b.fill(7);
            assert_eq!(b.clone()[..], b[..]);
        }
    }

    #[test]
    fn region_commits_and_forgets() {
        let r = Region::reserve(1 << 40).unwrap(); // 1 TiB of addresses costs nothing
        r.commit(1 << 20, 1 << 20).unwrap();
        let p = r.base().wrapping_add(1 << 20);
        // SAFETY: committed above, only this thread uses it.
        unsafe {
            assert_eq!(p.read(), 0);
            p.write(9);
            assert_eq!(p.read(), 9);
        }
        r.decommit(1 << 20, 1 << 20).unwrap();
        // SAFETY: decommitted memory stays readable.
        assert_eq!(unsafe { p.read() }, 0);
        assert!(r.commit(1 << 40, 4096).is_err());
        r.advise_huge();
    }
}
