//! Readers of the slotted page, and the private editing steps that [`super::op`] builds its operations from.
//!
//! ```text
//! 64      64+8n                 heap_top                      16384
//! | slots  | contiguous free      | records, newest lowest       |
//! slot = { offset u16, len u16, head u32 }   head = first 4 key bytes as a big-endian number, missing bytes 0
//! record = [key_len u16][key][payload]
//! ```
//! Slots are in key order; the page itself does not know the order (the B+tree inserts at the right slot), but
//! [`PageBuf::lower_bound`] relies on it. Freed record bytes are only counted (`garbage`); when an insert finds too little
//! contiguous space but enough in total, the heap is compacted first. Compaction is a function of the page's bytes alone,
//! so redo repeats it exactly.

use super::{HEADER_SIZE, MAX_RECORD, PAGE_SIZE, PageBuf, PageType, field};

/// Bytes of one slot.
pub const SLOT_SIZE: usize = 8;

/// Length of a record with this key and payload length.
#[inline]
pub const fn record_len(key: usize, payload: usize) -> usize {
    2 + key + payload
}

/// The first 4 key bytes as a number that orders as the bytes do.
#[inline]
pub fn key_head(key: &[u8]) -> u32 {
    match key.first_chunk::<4>() {
        Some(b) => u32::from_be_bytes(*b),
        None => {
            let mut b = [0u8; 4];
            for (to, from) in b.iter_mut().zip(key) {
                *to = *from;
            }
            u32::from_be_bytes(b)
        }
    }
}

/// Splits record bytes into key and payload; a record that contradicts itself gives an empty key or payload.
#[inline]
pub fn split_record(rec: &[u8]) -> (&[u8], &[u8]) {
    let Some((len, rest)) = rec.split_first_chunk::<2>() else { return (&[], &[]) };
    rest.split_at_checked(u16::from_le_bytes(*len) as usize).unwrap_or((rest, &[]))
}

impl PageBuf {
    /// Number of records; 0 for pages that are not slotted. Never more than slots fit on the page.
    #[inline]
    pub fn slot_count(&self) -> usize {
        (self.u16_at(field::N_SLOTS) as usize).min((PAGE_SIZE - HEADER_SIZE) / SLOT_SIZE)
    }

    #[inline]
    fn slot(&self, slot: usize) -> Option<(usize, usize, u32)> {
        let b = self.get(HEADER_SIZE + slot * SLOT_SIZE, SLOT_SIZE)?;
        let b: &[u8; 8] = b.first_chunk()?;
        let v = u64::from_le_bytes(*b);
        Some((v as u16 as usize, (v >> 16) as u16 as usize, (v >> 32) as u32))
    }

    /// Record bytes at `slot`; empty when there is no such slot or it points outside.
    #[inline]
    pub fn record(&self, slot: usize) -> &[u8] {
        if slot >= self.slot_count() {
            return &[];
        }
        self.slot(slot).and_then(|(o, l, _)| self.get(o, l)).unwrap_or(&[])
    }

    /// Key at `slot`; empty when there is no such slot.
    #[inline]
    pub fn key(&self, slot: usize) -> &[u8] {
        split_record(self.record(slot)).0
    }

    /// Payload at `slot`; empty when there is no such slot.
    #[inline]
    pub fn payload(&self, slot: usize) -> &[u8] {
        split_record(self.record(slot)).1
    }

    /// Offset of the payload's first byte on the page, for `PageOp::Patch`; `None` when there is no such slot.
    pub fn payload_offset(&self, slot: usize) -> Option<usize> {
        if slot >= self.slot_count() {
            return None;
        }
        let (o, l, _) = self.slot(slot)?;
        let (key, payload) = split_record(self.get(o, l)?);
        (payload.len() + key.len() + 2 == l).then_some(o + 2 + key.len())
    }

    /// Offset of the record's first byte on the page; `None` when there is no such slot.
    pub fn record_offset(&self, slot: usize) -> Option<usize> {
        if slot >= self.slot_count() { None } else { self.slot(slot).map(|s| s.0) }
    }

    /// First slot whose key is >= `key`, and whether it is equal. The slot count when all keys are smaller.
    #[inline]
    pub fn lower_bound(&self, key: &[u8]) -> (usize, bool) {
        let head = key_head(key);
        let (mut lo, mut hi) = (0usize, self.slot_count());
        while lo < hi {
            let mid = (lo + hi) / 2;
            let Some((o, l, h)) = self.slot(mid) else { return (lo, false) };
            let ord = match h.cmp(&head) {
                std::cmp::Ordering::Equal => split_record(self.get(o, l).unwrap_or(&[])).0.cmp(key),
                other => other,
            };
            match ord {
                std::cmp::Ordering::Less => lo = mid + 1,
                std::cmp::Ordering::Greater => hi = mid,
                std::cmp::Ordering::Equal => return (mid, true),
            }
        }
        (lo, false)
    }

    /// First slot whose key is > `key`.
    #[inline]
    pub fn upper_bound(&self, key: &[u8]) -> usize {
        let (slot, equal) = self.lower_bound(key);
        slot + equal as usize
    }

    /// The page's high key: keys >= it live to the right (B-link). `None` = no bound (the right-most page).
    #[inline]
    pub fn high_key(&self) -> Option<&[u8]> {
        if self.u16_at(field::FLAGS) & 1 == 0 {
            return None;
        }
        self.get(self.u16_at(field::HIGH_KEY_OFFSET) as usize, self.u16_at(field::HIGH_KEY_LEN) as usize)
    }

    /// Bytes between the slots and the heap.
    #[inline]
    pub fn contiguous_free(&self) -> usize {
        (self.u16_at(field::HEAP_TOP) as usize).saturating_sub(HEADER_SIZE + self.slot_count() * SLOT_SIZE)
    }

    /// Bytes free in all, counting what compaction would give back.
    #[inline]
    pub fn total_free(&self) -> usize {
        self.contiguous_free() + self.u16_at(field::GARBAGE) as usize
    }

    /// Whether a new record of `len` bytes (see [`record_len`]) fits, slot included.
    #[inline]
    pub fn fits(&self, len: usize) -> bool {
        len <= MAX_RECORD && self.total_free() >= len + SLOT_SIZE
    }

    /// Whether the record at `slot` can be replaced by one of `len` bytes.
    pub fn fits_replace(&self, slot: usize, len: usize) -> bool {
        len <= MAX_RECORD && self.total_free() + self.record(slot).len() >= len
    }

    /// Bytes used by records and slots (not the header, not garbage).
    pub fn used(&self) -> usize {
        PAGE_SIZE - HEADER_SIZE - self.total_free().min(PAGE_SIZE - HEADER_SIZE)
    }

    /// Full structural check of a slotted page: slots inside the heap, no overlap (by sum), heads right, keys strictly
    /// ascending and below the high key. The message says what is wrong.
    pub fn check_slots(&self) -> std::result::Result<(), &'static str> {
        if self.page_type() != PageType::Index {
            return Err("not an index page");
        }
        let n = self.u16_at(field::N_SLOTS) as usize;
        let top = self.u16_at(field::HEAP_TOP) as usize;
        if n != self.slot_count() || top > PAGE_SIZE || top < HEADER_SIZE + n * SLOT_SIZE {
            return Err("slot directory and heap overlap");
        }
        let mut live = self.high_key().map_or(0, |k| k.len());
        if self.u16_at(field::FLAGS) & 1 == 1 && self.high_key().is_none() {
            return Err("high key outside the page");
        }
        let mut prev: Option<&[u8]> = None;
        for i in 0..n {
            let Some((o, l, h)) = self.slot(i) else { return Err("slot outside the page") };
            if o < top || o + l > PAGE_SIZE || l < 2 {
                return Err("record outside the heap");
            }
            let rec = self.record(i);
            let (key, payload) = split_record(rec);
            if 2 + key.len() + payload.len() != l || self.u16_at(o) as usize != key.len() {
                return Err("key longer than its record");
            }
            if h != key_head(key) {
                return Err("key head differs from the key");
            }
            if prev.is_some_and(|p| p >= key) {
                return Err("keys out of order");
            }
            prev = Some(key);
            live += l;
        }
        if live + self.u16_at(field::GARBAGE) as usize != PAGE_SIZE - top {
            return Err("heap accounting is wrong");
        }
        if let (Some(high), Some(last)) = (self.high_key(), prev)
            && last >= high
        {
            return Err("key not below the high key");
        }
        Ok(())
    }

    // ---- editing, used by op.rs only ----

    fn put_slot(&mut self, slot: usize, offset: usize, len: usize, head: u32) {
        let v = offset as u64 | (len as u64) << 16 | (head as u64) << 32;
        self.put_u64(HEADER_SIZE + slot * SLOT_SIZE, v);
    }

    fn add_garbage(&mut self, bytes: usize) {
        let g = self.u16_at(field::GARBAGE) as usize + bytes;
        self.put_u16(field::GARBAGE, g.min(PAGE_SIZE) as u16);
    }

    /// Moves all live records to the page's end, in slot order, high key first. `None` when the page contradicts itself.
    fn compact(&mut self) -> Option<()> {
        let old = self.clone_box();
        let mut top = PAGE_SIZE;
        if let Some(high) = old.high_key() {
            top = top.checked_sub(high.len())?;
            self.put(top, high)?;
            self.put_u16(field::HIGH_KEY_OFFSET, top as u16);
        }
        for i in 0..old.slot_count() {
            let (o, l, h) = old.slot(i)?;
            let rec = old.get(o, l)?;
            top = top.checked_sub(l)?;
            if top < HEADER_SIZE + old.slot_count() * SLOT_SIZE {
                return None;
            }
            self.put(top, rec)?;
            self.put_slot(i, top, l, h);
        }
        self.put_u16(field::HEAP_TOP, top as u16);
        self.put_u16(field::GARBAGE, 0);
        Some(())
    }

    fn clone_box(&self) -> Box<PageBuf> {
        let mut b = PageBuf::zeroed();
        b.bytes_mut().copy_from_slice(self.bytes());
        b
    }

    /// Takes `len` bytes from the heap while keeping `slots` slots' room; compacts when needed.
    fn heap_alloc(&mut self, len: usize, slots: usize) -> Option<usize> {
        let low = HEADER_SIZE + slots * SLOT_SIZE;
        let top = self.u16_at(field::HEAP_TOP) as usize;
        if top > PAGE_SIZE {
            return None;
        }
        if top.checked_sub(len).is_none_or(|t| t < low) {
            if top + self.u16_at(field::GARBAGE) as usize <= low + len.saturating_sub(1) {
                return None;
            }
            self.compact()?;
        }
        let top = (self.u16_at(field::HEAP_TOP) as usize).checked_sub(len).filter(|t| *t >= low)?;
        self.put_u16(field::HEAP_TOP, top as u16);
        Some(top)
    }

    /// Inserts a whole record before `slot`. `None` (page unchanged) when it does not fit.
    pub(super) fn slot_insert(&mut self, slot: usize, rec: &[u8]) -> Option<()> {
        let n = self.slot_count();
        let key = valid_record(rec)?;
        if slot > n || self.page_type() != PageType::Index || !self.fits(rec.len()) {
            return None;
        }
        let head = key_head(key);
        let at = self.heap_alloc(rec.len(), n + 1)?;
        self.put(at, rec)?;
        let from = HEADER_SIZE + slot * SLOT_SIZE;
        self.bytes_mut().copy_within(from..HEADER_SIZE + n * SLOT_SIZE, from + SLOT_SIZE);
        self.put_slot(slot, at, rec.len(), head);
        self.put_u16(field::N_SLOTS, (n + 1) as u16);
        Some(())
    }

    pub(super) fn slot_delete(&mut self, slot: usize) -> Option<()> {
        let n = self.slot_count();
        if slot >= n {
            return None;
        }
        let (offset, len, _) = self.slot(slot)?;
        let from = HEADER_SIZE + (slot + 1) * SLOT_SIZE;
        self.bytes_mut().copy_within(from..HEADER_SIZE + n * SLOT_SIZE, from - SLOT_SIZE);
        self.put_u16(field::N_SLOTS, (n - 1) as u16);
        self.give_back(offset, len);
        Some(())
    }

    /// Frees record bytes: at once when they are the lowest of the heap, else as garbage.
    fn give_back(&mut self, offset: usize, len: usize) {
        if offset == self.u16_at(field::HEAP_TOP) as usize && offset + len <= PAGE_SIZE {
            self.put_u16(field::HEAP_TOP, (offset + len) as u16);
        } else {
            self.add_garbage(len);
        }
    }

    pub(super) fn slot_replace(&mut self, slot: usize, rec: &[u8]) -> Option<()> {
        let key = valid_record(rec)?;
        if slot >= self.slot_count() {
            return None;
        }
        let (o, l, _) = self.slot(slot)?;
        self.get(o, l)?;
        let head = key_head(key);
        if rec.len() <= l {
            self.put(o, rec)?;
            self.add_garbage(l - rec.len());
            self.put_slot(slot, o, rec.len(), head);
            return Some(());
        }
        if !self.fits_replace(slot, rec.len()) {
            return None;
        }
        // Free the old copy first: it counts as empty while the heap makes room.
        self.put_slot(slot, o, 0, head);
        self.give_back(o, l);
        let at = self.heap_alloc(rec.len(), self.slot_count())?;
        self.put(at, rec)?;
        self.put_slot(slot, at, rec.len(), head);
        Some(())
    }

    pub(super) fn slots_truncate(&mut self, slot: usize) -> Option<()> {
        let n = self.slot_count();
        if slot > n {
            return None;
        }
        let mut freed = 0;
        for i in slot..n {
            freed += self.slot(i)?.1;
        }
        self.put_u16(field::N_SLOTS, slot as u16);
        self.add_garbage(freed);
        self.compact()
    }

    pub(super) fn set_high_key(&mut self, key: Option<&[u8]>) -> Option<()> {
        if self.page_type() != PageType::Index {
            return None;
        }
        let old = self.high_key().map_or(0, <[u8]>::len);
        if let Some(k) = key
            && (k.len() > MAX_RECORD || self.total_free() + old < k.len())
        {
            return None;
        }
        if self.high_key().is_some() {
            let o = self.u16_at(field::HIGH_KEY_OFFSET) as usize;
            self.put_u16(field::FLAGS, self.u16_at(field::FLAGS) & !1);
            self.put_u32(field::HIGH_KEY_OFFSET, 0);
            self.give_back(o, old);
        }
        if let Some(k) = key {
            let at = self.heap_alloc(k.len(), self.slot_count())?;
            self.put(at, k)?;
            self.put_u16(field::FLAGS, self.u16_at(field::FLAGS) | 1);
            self.put_u16(field::HIGH_KEY_OFFSET, at as u16);
            self.put_u16(field::HIGH_KEY_LEN, k.len() as u16);
        }
        Some(())
    }
}

/// The key of a record that is well formed.
pub(super) fn valid_record(rec: &[u8]) -> Option<&[u8]> {
    let (len, rest) = rec.split_first_chunk::<2>()?;
    if rec.len() > MAX_RECORD {
        return None;
    }
    rest.get(..u16::from_le_bytes(*len) as usize)
}
