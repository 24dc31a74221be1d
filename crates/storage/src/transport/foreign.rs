//! A tablespace's file of another server, read page by page without the buffer pool. Nothing of it is trusted.
//!
//! Each page must have the checksum, number and tablespace that it should, be no newer than the `.cfg` file says (a
//! copy that was taken without the lock has pages of several moments), and is read **once**: a page that two others
//! lead to is an error, so nothing goes in a circle and the work is bounded by the file's length. Rows are read along
//! the leaves of the clustered index from its left end; keys must rise strictly and lie between the pages' bounds.
//! Secondary indexes are not looked at: they are built anew. No latch, no lock; a crash leaves nothing.
//!
//! Tested by `engine/tests/transport.rs`: every kind of page damaged, with wrong and with right checksums.

use super::cfg::Cfg;
use crate::error::{Result, StorageError};
use crate::file::{DataFile, FileKind, FileSystem, OpenMode};
use crate::overflow::PER_PAGE;
use crate::page::{HEADER_SIZE, PAGE_SIZE, PageBuf, PageType};
use crate::row::BlobRef;
use crate::space::overflow_owner;
use base::{IndexId, Lsn, PageId, PageNo, SpaceId};
use bumpalo::Bump;
use std::sync::Arc;

/// No tree is higher: each level has at least two pages for one above it, and pages have 32-bit numbers.
const MAX_LEVEL: u8 = 32;

/// The file.
pub(super) struct ForeignFile {
    file: Arc<dyn DataFile>,
    name: Box<str>,
    space: SpaceId,
    pages: u32,
    newest: Lsn,
    /// One bit for each page that has been read.
    read: Vec<u64>,
    /// Of long columns.
    chain: Box<PageBuf>,
}

impl ForeignFile {
    /// Opens the file that `cfg` is of and looks at its first page.
    ///
    /// # Errors
    /// `Foreign`, I/O errors.
    pub(super) fn open(fs: &dyn FileSystem, name: &str, cfg: &Cfg) -> Result<ForeignFile> {
        let file = fs.open(name, OpenMode::ReadOnly, FileKind::Log)?;
        let len = file.len()?;
        let pages = u32::try_from(len / PAGE_SIZE as u64).unwrap_or(u32::MAX);
        let mut f = ForeignFile {
            file,
            name: name.into(),
            space: cfg.space,
            pages,
            newest: cfg.newest,
            read: vec![0; (pages as usize).div_ceil(64)],
            chain: PageBuf::zeroed(),
        };
        let mut first = PageBuf::zeroed();
        if len >= PAGE_SIZE as u64 {
            f.file.read_at(0, first.bytes_mut())?;
            if is_innodb(&first) {
                return Err(
                    f.whole("a tablespace of MySQL or MariaDB, which cannot be read: bring its rows over with a dump")
                );
            }
        }
        if len != cfg.bytes {
            return Err(
                f.whole("not as long as FOR EXPORT says: it was not copied whole, or the .cfg file is another's")
            );
        }
        f.load(PageNo(0), &mut first)?;
        if first.page_type() != PageType::SpaceHeader || first.u32_at(HEADER_SIZE) != 1 {
            return Err(f.bad(PageNo(0), "not the first page of a tablespace"));
        }
        Ok(f)
    }

    /// What is wrong with a page.
    pub(super) fn bad(&self, page: PageNo, why: &'static str) -> StorageError {
        StorageError::Foreign { file: self.name.clone(), page: Some(page), why }
    }

    fn whole(&self, why: &'static str) -> StorageError {
        StorageError::Foreign { file: self.name.clone(), page: None, why }
    }

    /// Reads a page that has not been read before.
    fn load(&mut self, no: PageNo, to: &mut PageBuf) -> Result<()> {
        if no.0 >= self.pages {
            return Err(self.bad(no, "a page behind the file's end"));
        }
        let (word, bit) = (no.0 as usize / 64, 1u64 << (no.0 % 64));
        if self.read.get(word).is_none_or(|w| w & bit != 0) {
            return Err(self.bad(no, "two pages lead to this one"));
        }
        if let Some(w) = self.read.get_mut(word) {
            *w |= bit;
        }
        self.file.read_at(u64::from(no.0) * PAGE_SIZE as u64, to.bytes_mut())?;
        match to.check(PageId::new(self.space, no)) {
            Err(StorageError::CorruptPage { why, .. }) => return Err(self.bad(no, why)),
            other => other?,
        }
        if to.lsn() > self.newest {
            return Err(self.bad(
                no,
                "newer than the .cfg file: the two files are not of one FOR EXPORT, or were copied without it",
            ));
        }
        Ok(())
    }

    /// A page of the tree, with its structure verified.
    fn load_index(&mut self, no: PageNo, index: IndexId, to: &mut PageBuf) -> Result<()> {
        self.load(no, to)?;
        if to.page_type() != PageType::Index || to.index_id() != index.0 {
            return Err(self.bad(no, "page of another index"));
        }
        to.check_slots().map_err(|why| self.bad(no, why))?;
        if to.high_key().is_some() != to.next().is_some() {
            return Err(self.bad(no, "high key and right link disagree"));
        }
        Ok(())
    }

    /// The first leaf of a tree is read into `page`; its number.
    fn first_leaf(&mut self, root: PageNo, index: IndexId, page: &mut PageBuf) -> Result<PageNo> {
        let (mut no, mut level) = (root, None);
        loop {
            self.load_index(no, index, page)?;
            let here = page.level();
            if here > MAX_LEVEL || level.is_some_and(|l| l != here) {
                return Err(self.bad(no, "page of another level"));
            }
            if here == 0 {
                return Ok(no);
            }
            let child = page.payload(0).try_into().map(|b| PageNo(u32::from_le_bytes(b)));
            no = child.map_err(|_| self.bad(no, "inner record without a child"))?;
            level = Some(here - 1);
        }
    }

    /// Gives all records of a tree in the order of their keys, with the page that each is on.
    ///
    /// # Errors
    /// `Foreign`, I/O errors, what `each` says.
    pub(super) fn records(
        &mut self,
        root: PageNo,
        index: IndexId,
        each: &mut dyn FnMut(&mut ForeignFile, PageNo, &[u8], &[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut page = PageBuf::zeroed();
        let mut no = self.first_leaf(root, index, &mut page)?;
        let mut low: Vec<u8> = Vec::new();
        loop {
            if page.level() != 0 {
                return Err(self.bad(no, "page of another level"));
            }
            if page.slot_count() > 0 && page.key(0) < low.as_slice() {
                return Err(self.bad(no, "first key does not fit the lower bound"));
            }
            for slot in 0..page.slot_count() {
                each(self, no, page.key(slot), page.payload(slot))?;
            }
            match page.high_key() {
                None => return Ok(()),
                Some(high) if high <= low.as_slice() => {
                    return Err(self.bad(no, "high key not above the lower bound"));
                }
                Some(high) => low = high.to_vec(),
            }
            no = page.next();
            self.load_index(no, index, &mut page)?;
        }
    }

    /// A long column of the clustered index. `at`: the page that refers to it.
    pub(super) fn long<'a>(
        &mut self,
        at: PageNo,
        blob: BlobRef,
        clustered: IndexId,
        arena: &'a Bump,
    ) -> Result<&'a [u8]> {
        let room = u64::from(self.pages) * PER_PAGE as u64;
        if blob.owner != u64::from(self.space.0) || blob.length > room {
            return Err(self.bad(at, "a long column that cannot be"));
        }
        let mut left = usize::try_from(blob.length).map_err(|_| self.bad(at, "a long column that cannot be"))?;
        // the length is only believed as its pages come
        let mut to = bumpalo::collections::Vec::new_in(arena);
        let mut no = blob.first;
        let mut page = std::mem::replace(&mut self.chain, PageBuf::zeroed());
        while left > 0 {
            self.load(no, &mut page)?;
            if page.page_type() != PageType::Overflow || page.index_id() != overflow_owner(clustered) {
                return Err(self.bad(no, "not an overflow page of this table"));
            }
            // all but the last are full
            let n = page.u32_at(HEADER_SIZE) as usize;
            let bytes = page.get(HEADER_SIZE + 8, n).filter(|_| n == left.min(PER_PAGE));
            to.extend_from_slice_copy(bytes.ok_or_else(|| self.bad(no, "a wrong number of bytes"))?);
            left -= n;
            let next = page.next();
            if next.is_some() != (left > 0) {
                return Err(self.bad(no, "overflow chain of another length"));
            }
            no = next;
        }
        self.chain = page;
        Ok(to.into_bump_slice())
    }
}

/// Whether this is page 0 of a tablespace of InnoDB: its header has its number and type, big-endian, elsewhere.
fn is_innodb(page: &PageBuf) -> bool {
    const FSP_HDR: [u8; 2] = [0, 8];
    page.get(4, 4) == Some(&[0; 4][..]) && page.get(24, 2) == Some(&FSP_HDR[..]) && page.page_type() == PageType::Free
}
