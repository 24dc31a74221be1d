//! The pool's own replacement under a map from pages to frames: what `BufferPool` does on a hit and on a miss, less
//! latches and reading.

use super::policies::Policy;
use crate::buffer::PoolConfig;
use crate::buffer::frame::Frames;
use crate::buffer::replace::{Rings, Taken};
use base::{PageId, PageNo, SpaceId};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

/// How often the background reads the clock for the pool (`engine::threads`); a miss does so too.
const TICK_MS: u32 = 100;

pub(super) struct Pool {
    frames: Frames,
    rings: Rings,
    map: HashMap<u32, u32>,
    now_ms: AtomicU32,
}

impl Pool {
    pub(super) fn new(frames: usize) -> Pool {
        let (n, config) = (frames as u32, PoolConfig::default());
        Pool {
            frames: Frames::new(n, n).unwrap(),
            rings: Rings::new(n, config.old_blocks_pct, config.old_blocks_time),
            map: HashMap::new(),
            now_ms: AtomicU32::new(0),
        }
    }
}

impl Policy for Pool {
    fn access(&mut self, page: u32, now_ms: u32) -> bool {
        if now_ms.wrapping_sub(self.now_ms.load(Ordering::Relaxed)) >= TICK_MS {
            self.now_ms.store(now_ms, Ordering::Relaxed);
        }
        if let Some(f) = self.map.get(&page) {
            self.rings.touch(self.frames.get(*f), &self.now_ms);
            return true;
        }
        self.now_ms.store(now_ms, Ordering::Relaxed);
        let f = match self.rings.take(&self.frames, true).expect("nothing is dirty or latched") {
            Taken::Free(f) => f,
            Taken::Victim(f) => {
                let frame = self.frames.get(f);
                assert_eq!(self.map.remove(&frame.id().page.0), Some(f));
                self.rings.leave(frame);
                f
            }
        };
        let frame = self.frames.get(f);
        frame.set_id(PageId::new(SpaceId(2), PageNo(page)));
        assert_eq!(self.map.insert(page, f), None);
        self.rings.enter(frame, f, now_ms);
        false
    }
}
