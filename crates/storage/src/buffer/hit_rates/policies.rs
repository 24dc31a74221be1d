//! The policies that the pool's replacement is measured against, each plainly after its source.
//!
//! * LRU: the page used longest ago goes.
//! * Midpoint: InnoDB's list with an old part, as in MySQL 8.4 (`buf0lru.cc`: old_adjust_len, add_block_low,
//!   remove_block; `buf0buf.ic`: peek_if_young, peek_if_too_old; manual, "Making the Buffer Pool Scan Resistant"): a page
//!   comes to the head of the old part; it is young once it is touched `innodb_old_blocks_time` after its first touch; a
//!   young page moves to the front only when as many pages as a quarter of the young part have been evicted since it was
//!   put there; nothing moves before the first eviction. No other instance, no read-ahead.
//! * CLOCK: Corbató 1968, one bit, set when a page comes and at each touch.
//! * S3-FIFO: Yang, Zhang, Qiu, Yue, Rashmi, "FIFO queues are all you need for cache eviction", SOSP 2023, Algorithm 1:
//!   small 10 %, main, and a ghost queue as long as main; counters up to 3.

use std::collections::{HashMap, HashSet, VecDeque};

/// A pool that says whether a page was there, and has it afterwards.
pub(crate) trait Policy {
    fn access(&mut self, page: u32, now_ms: u32) -> bool;
}

/// A doubly linked list of the slots `0..n`; number `n` is its end on both sides.
struct List {
    prev: Vec<usize>,
    next: Vec<usize>,
    len: usize,
}

impl List {
    fn new(n: usize) -> List {
        List { prev: vec![n; n + 1], next: vec![n; n + 1], len: 0 }
    }
    fn end(&self) -> usize {
        self.prev.len() - 1
    }
    fn first(&self) -> usize {
        self.next[self.end()]
    }
    fn last(&self) -> usize {
        self.prev[self.end()]
    }
    /// `at` may be the end: then it comes first.
    fn insert_after(&mut self, at: usize, slot: usize) {
        let next = self.next[at];
        (self.prev[slot], self.next[slot]) = (at, next);
        (self.next[at], self.prev[next]) = (slot, slot);
        self.len += 1;
    }
    fn push_front(&mut self, slot: usize) {
        self.insert_after(self.end(), slot);
    }
    fn remove(&mut self, slot: usize) {
        let (prev, next) = (self.prev[slot], self.next[slot]);
        (self.next[prev], self.prev[next]) = (next, prev);
        self.len -= 1;
    }
}

/// Which slot a page is in, and slots that are free.
struct Slots {
    map: HashMap<u32, usize>,
    pages: Vec<u32>,
    size: usize,
}

impl Slots {
    fn new(size: usize) -> Slots {
        Slots { map: HashMap::new(), pages: Vec::new(), size }
    }
    fn find(&self, page: u32) -> Option<usize> {
        self.map.get(&page).copied()
    }
    /// A slot that was never used.
    fn free(&mut self, page: u32) -> Option<usize> {
        let slot = self.pages.len();
        (slot < self.size).then(|| {
            self.pages.push(page);
            self.map.insert(page, slot);
            slot
        })
    }
    /// The slot has this page from now on.
    fn reuse(&mut self, slot: usize, page: u32) {
        self.map.remove(&std::mem::replace(&mut self.pages[slot], page));
        self.map.insert(page, slot);
    }
}

pub(crate) struct Lru {
    slots: Slots,
    list: List,
}

impl Lru {
    pub(crate) fn new(n: usize) -> Lru {
        Lru { slots: Slots::new(n), list: List::new(n) }
    }
}

impl Policy for Lru {
    fn access(&mut self, page: u32, _: u32) -> bool {
        let found = self.slots.find(page);
        let slot = found.or_else(|| self.slots.free(page).inspect(|s| self.list.push_front(*s)));
        let slot = slot.unwrap_or_else(|| {
            let last = self.list.last();
            self.slots.reuse(last, page);
            last
        });
        self.list.remove(slot);
        self.list.push_front(slot);
        found.is_some()
    }
}

const OLD_PCT: usize = 37;
const OLD_TIME_MS: u32 = 1000;
/// BUF_LRU_OLD_RATIO_DIV, and `innodb_old_blocks_pct` in it.
const RATIO_DIV: usize = 1024;
const RATIO: usize = OLD_PCT * RATIO_DIV / 100;
/// BUF_LRU_OLD_TOLERANCE, BUF_LRU_NON_OLD_MIN_LEN, BUF_LRU_OLD_MIN_LEN.
const TOLERANCE: usize = 20;
const NON_OLD_MIN: usize = 5;
const OLD_MIN: usize = 512;

pub(crate) struct Midpoint {
    slots: Slots,
    list: List,
    old: Vec<bool>,
    first_touch: Vec<u32>,
    /// `evicted` when the slot was last put at the front.
    put: Vec<usize>,
    evicted: usize,
    /// First slot of the old part, once the list is long enough to have one.
    mid: Option<usize>,
    old_len: usize,
}

impl Midpoint {
    pub(crate) fn new(n: usize) -> Midpoint {
        assert!(n > OLD_MIN, "InnoDB has no old part then");
        Midpoint {
            slots: Slots::new(n),
            list: List::new(n),
            old: vec![false; n],
            first_touch: vec![0; n],
            put: vec![0; n],
            evicted: 0,
            mid: None,
            old_len: 0,
        }
    }

    /// Young and old pages.
    pub(crate) fn lengths(&self) -> (usize, usize) {
        (self.list.len - self.old_len, self.old_len)
    }

    fn adjust(&mut self) {
        let Some(mut mid) = self.mid else { return };
        let want = (self.list.len * RATIO / RATIO_DIV).min(self.list.len - (TOLERANCE + NON_OLD_MIN));
        loop {
            if self.old_len + TOLERANCE < want {
                mid = self.list.prev[mid];
                self.old[mid] = true;
                self.old_len += 1;
            } else if self.old_len > want + TOLERANCE {
                self.old[mid] = false;
                mid = self.list.next[mid];
                self.old_len -= 1;
            } else {
                break;
            }
        }
        self.mid = Some(mid);
    }

    fn remove(&mut self, slot: usize) {
        if self.mid == Some(slot) {
            let prev = self.list.prev[slot];
            if !self.old[prev] {
                self.old[prev] = true;
                self.old_len += 1;
            }
            self.mid = Some(prev);
        }
        self.list.remove(slot);
        if self.old[slot] {
            self.old_len -= 1;
        }
        self.adjust();
    }

    fn add(&mut self, slot: usize, old: bool) {
        match self.mid {
            Some(mid) if old => {
                self.list.insert_after(mid, slot);
                self.old_len += 1;
            }
            _ => {
                self.list.push_front(slot);
                self.put[slot] = self.evicted;
            }
        }
        self.old[slot] = old && self.mid.is_some();
        if self.mid.is_none() && self.list.len == OLD_MIN {
            self.old.fill(true);
            self.mid = Some(self.list.first());
            self.old_len = self.list.len;
        }
        self.adjust();
    }

    fn becomes_young(&self, slot: usize, now_ms: u32) -> bool {
        if self.evicted == 0 {
            return false;
        }
        if self.old[slot] {
            return now_ms - self.first_touch[slot] >= OLD_TIME_MS;
        }
        let quarter = self.slots.size * (RATIO_DIV - RATIO) / (RATIO_DIV * 4);
        self.evicted >= self.put[slot] + quarter
    }
}

impl Policy for Midpoint {
    fn access(&mut self, page: u32, now_ms: u32) -> bool {
        if let Some(slot) = self.slots.find(page) {
            if self.becomes_young(slot, now_ms) {
                self.remove(slot);
                self.add(slot, false);
            }
            return true;
        }
        let slot = self.slots.free(page).unwrap_or_else(|| {
            let last = self.list.last();
            self.remove(last);
            self.evicted += 1;
            self.slots.reuse(last, page);
            last
        });
        self.first_touch[slot] = now_ms;
        self.add(slot, true);
        false
    }
}

pub(crate) struct Clock {
    slots: Slots,
    referenced: Vec<bool>,
    hand: usize,
}

impl Clock {
    pub(crate) fn new(n: usize) -> Clock {
        Clock { slots: Slots::new(n), referenced: vec![false; n], hand: 0 }
    }
}

impl Policy for Clock {
    fn access(&mut self, page: u32, _: u32) -> bool {
        let found = self.slots.find(page);
        let slot = found.or_else(|| self.slots.free(page)).unwrap_or_else(|| {
            loop {
                let at = self.hand;
                self.hand = (at + 1) % self.referenced.len();
                if !std::mem::replace(&mut self.referenced[at], false) {
                    self.slots.reuse(at, page);
                    return at;
                }
            }
        });
        self.referenced[slot] = true;
        found.is_some()
    }
}

pub(crate) struct S3Fifo {
    /// Counter of each page that is there.
    freq: HashMap<u32, u8>,
    small: VecDeque<u32>,
    main: VecDeque<u32>,
    ghost: VecDeque<u32>,
    /// Pages of `ghost` that have not come back; what is in the queue only has.
    ghosts: HashSet<u32>,
    size: usize,
    small_size: usize,
}

impl S3Fifo {
    pub(crate) fn new(n: usize) -> S3Fifo {
        S3Fifo {
            freq: HashMap::new(),
            small: VecDeque::new(),
            main: VecDeque::new(),
            ghost: VecDeque::new(),
            ghosts: HashSet::new(),
            size: n,
            small_size: (n / 10).max(1),
        }
    }

    fn main_size(&self) -> usize {
        self.size - self.small_size
    }

    fn evict(&mut self) {
        if self.small.len() >= self.small_size { self.evict_small() } else { self.evict_main() }
    }

    fn evict_small(&mut self) {
        while let Some(page) = self.small.pop_front() {
            if self.freq[&page] > 1 {
                self.freq.insert(page, 0);
                self.main.push_back(page);
                if self.main.len() > self.main_size() {
                    self.evict_main();
                    return;
                }
            } else {
                self.freq.remove(&page);
                if self.ghosts.insert(page) {
                    self.ghost.push_back(page);
                }
                if self.ghost.len() > self.main_size()
                    && let Some(gone) = self.ghost.pop_front()
                {
                    self.ghosts.remove(&gone);
                }
                return;
            }
        }
    }

    fn evict_main(&mut self) {
        while let Some(page) = self.main.pop_front() {
            match self.freq[&page] {
                0 => {
                    self.freq.remove(&page);
                    return;
                }
                n => {
                    self.freq.insert(page, n - 1);
                    self.main.push_back(page);
                }
            }
        }
    }
}

impl Policy for S3Fifo {
    fn access(&mut self, page: u32, _: u32) -> bool {
        if let Some(n) = self.freq.get_mut(&page) {
            *n = (*n + 1).min(3);
            return true;
        }
        while self.freq.len() >= self.size {
            self.evict();
        }
        if self.ghosts.remove(&page) {
            self.ghost.retain(|p| *p != page);
            self.main.push_back(page);
        } else {
            self.small.push_back(page);
        }
        self.freq.insert(page, 0);
        false
    }
}
