//! Frames that come to the lists or leave them other than by replacement: the pool's size changes, a table is dropped.

use super::super::frame::Frames;
use super::{FREE, Lists, RETIRED, Rings};
use std::sync::atomic::Ordering;

/// A walk of the rings for emptied frames is worth its time if it finds one in so many.
const COLLECT_FROM: usize = 64;

impl Rings {
    /// Makes the pool larger by frames that are in no list.
    pub(in super::super) fn raise_limit(&self, frames: &Frames, limit: u32) {
        let mut l = self.lists.lock();
        for f in (self.limit()..limit).rev() {
            frames.get(f).ring.store(FREE, Ordering::Relaxed);
            l.free.push(f);
        }
        self.limit.store(limit, Ordering::Release);
    }

    /// Makes the pool smaller: free frames above retire at once, [`Rings::above_limit`] gives the others.
    pub(in super::super) fn lower_limit(&self, frames: &Frames, limit: u32) {
        let mut l = self.lists.lock();
        self.limit.store(limit, Ordering::Release);
        l.free.retain(|f| {
            if *f >= limit {
                frames.get(*f).ring.store(RETIRED, Ordering::Relaxed);
            }
            *f < limit
        });
    }

    /// Undoes [`Rings::lower_limit`]: what has retired is free again.
    pub(in super::super) fn restore_limit(&self, frames: &Frames, limit: u32) {
        let mut l = self.lists.lock();
        for f in self.limit()..limit {
            let ring = &frames.get(f).ring;
            if ring.load(Ordering::Relaxed) == RETIRED {
                ring.store(FREE, Ordering::Relaxed);
                l.free.push(f);
            }
        }
        self.limit.store(limit, Ordering::Release);
    }

    /// Takes the frames above the limit out of both rings; they are the caller's until pushed back or retired.
    pub(in super::super) fn above_limit(&self) -> Vec<u32> {
        let mut l = self.lists.lock();
        let limit = self.limit();
        let mut out = Vec::new();
        let Lists { probation, main, .. } = &mut *l;
        for ring in [probation, main] {
            ring.retain(|f| {
                if *f >= limit {
                    out.push(*f);
                }
                *f < limit
            });
        }
        l.unproven = l.unproven.min(l.main.len());
        out
    }

    /// `emptied` pages were taken out of frames that are still in their rings (DROP, TRUNCATE). Where that is a good part
    /// of the rings those frames are free from now on: memory that was used is used again before memory that the
    /// system has yet to give. Few are left to the hand: the walk holds the mutex.
    pub(in super::super) fn collect_empty(&self, frames: &Frames, emptied: usize) {
        let mut l = self.lists.lock();
        if emptied == 0 || emptied.saturating_mul(COLLECT_FROM) < l.probation.len() + l.main.len() {
            return;
        }
        let Lists { free, probation, main, unproven, .. } = &mut *l;
        let (limit, had) = (self.limit(), free.len());
        let mut stays = |f: &u32| {
            let frame = frames.get(*f);
            if frame.id().to_u64() != 0 {
                return true;
            }
            self.leave(frame);
            if *f < limit {
                free.push(*f);
            } else {
                frame.ring.store(RETIRED, Ordering::Relaxed);
            }
            false
        };
        probation.retain(&mut stays);
        let (mut at, mut gone) = (0, 0);
        main.retain(|f| {
            let stays = stays(f);
            gone += usize::from(!stays && at < *unproven);
            at += 1;
            stays
        });
        *unproven = unproven.saturating_sub(gone);
        let freed = free.len() - had;
        drop(l);
        for _ in 0..freed.min(self.sleepers()) {
            self.wake_one();
        }
    }
}
