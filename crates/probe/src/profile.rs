//! SHOW PROFILE: the stages of a session's last statements with what the thread used in each (manual, "SHOW PROFILE
//! Statement").
//!
//! A statement is profiled while its session has `profiling` on: each change of its stage ([`crate::stage::set`]) reads
//! the clock and
//! `getrusage`. Off it costs nothing but the look at the variable. A statement that changes threads in its middle (it
//! waits without
//! one) shows of both what they had used, never less than nothing. Behind one mutex of the session's [`Recorder`].
//!
//! Tested: `tests/clients/test_profile.py`.

use crate::events::Recorder;
use crate::stage::Stage;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use sys::usage::ThreadUsage;

/// A stage of a profiled statement.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its name.
    pub stage: &'static str,
    /// When it began, `sys::clock::now_ns`.
    pub at: u64,
    /// What the thread had used then.
    pub usage: ThreadUsage,
}

/// A profiled statement.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Its number in the session, from 1.
    pub id: u64,
    /// Its text, without secrets.
    pub text: Vec<u8>,
    /// Its stages, and last its end.
    pub steps: Vec<Step>,
}

impl Profile {
    /// Each stage with its end.
    pub fn stages(&self) -> impl Iterator<Item = (&Step, &Step)> {
        self.steps.iter().zip(self.steps.iter().skip(1))
    }

    /// How long it took, ns.
    pub fn duration(&self) -> u64 {
        let at = |s: Option<&Step>| s.map_or(0, |s| s.at);
        at(self.steps.last()).saturating_sub(at(self.steps.first()))
    }
}

/// A session's profiles.
#[derive(Debug, Default)]
pub(crate) struct Profiles {
    running: Option<Vec<Step>>,
    last: u64,
    kept: VecDeque<Arc<Profile>>,
}

fn step(stage: &'static str) -> Step {
    Step { stage, at: sys::clock::now_ns(), usage: sys::usage::thread() }
}

impl Recorder {
    fn profiles(&self) -> MutexGuard<'_, Profiles> {
        self.profiles.all.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// A statement that is profiled begins.
    pub(crate) fn begin_profile(&self) {
        self.profiles().running = Some(vec![step(Stage::Starting.text())]);
        self.profiles.runs.store(true, Relaxed);
    }

    /// Whether one runs.
    #[inline]
    pub(crate) fn is_profiled(&self) -> bool {
        self.profiles.runs.load(Relaxed)
    }

    /// At `now` the session's stage becomes another one. Whether who changes it next has to tell.
    pub(crate) fn changes_to(&self, stage: Stage, now: u64) -> bool {
        let profiled = self.is_profiled();
        if profiled {
            self.profile_stage(stage);
        }
        self.stage_changes(stage, now) | profiled
    }

    /// Its stage is another one.
    pub(crate) fn profile_stage(&self, stage: Stage) {
        if let Some(steps) = self.profiles().running.as_mut()
            && stage != Stage::Idle
            && steps.last().is_none_or(|s| s.stage != stage.text())
        {
            steps.push(step(stage.text()));
        }
    }

    /// It has ended; `text`: it is kept, with so many others at most.
    pub fn end_profile(&self, text: Option<Vec<u8>>, most: usize) {
        self.profiles.runs.store(false, Relaxed);
        let mut p = self.profiles();
        let (Some(mut steps), Some(text)) = (p.running.take(), text) else { return };
        steps.push(step(""));
        p.last += 1;
        let id = p.last;
        p.kept.push_back(Arc::new(Profile { id, text, steps }));
        while p.kept.len() > most {
            p.kept.pop_front();
        }
    }

    /// The session begins anew, perhaps for somebody else: what was profiled is nothing it may see.
    pub fn forget_profiles(&self) {
        self.profiles.runs.store(false, Relaxed);
        let mut p = self.profiles();
        // numbers go on, as in MySQL
        *p = Profiles { last: p.last, ..Profiles::default() };
    }

    /// The session's last profiles, the oldest first.
    pub fn kept_profiles(&self) -> Vec<Arc<Profile>> {
        self.profiles().kept.iter().cloned().collect()
    }
}

#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// One runs; written by the session.
    runs: AtomicBool,
    all: Mutex<Profiles>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_of_a_statement() {
        let r = Recorder::new(7);
        r.profile_stage(Stage::Executing);
        assert!(!r.is_profiled() && r.kept_profiles().is_empty());
        for n in 1..=3u64 {
            r.begin_profile();
            r.profile_stage(Stage::Starting);
            r.profile_stage(Stage::Executing);
            assert!(r.is_profiled());
            r.end_profile(Some(vec![b'0' + n as u8]), 2);
        }
        r.begin_profile();
        r.end_profile(None, 2);
        let kept = r.kept_profiles();
        assert_eq!(kept.iter().map(|p| p.id).collect::<Vec<_>>(), [2, 3]);
        let stages: Vec<_> = kept[1].stages().map(|(s, _)| s.stage).collect();
        assert_eq!(stages, ["starting", "executing"]);
        assert_eq!(kept[1].stages().map(|(a, b)| b.at - a.at).sum::<u64>(), kept[1].duration());
        // for whoever comes next on the connection: nothing, but the numbers go on
        r.begin_profile();
        r.forget_profiles();
        assert!(!r.is_profiled() && r.kept_profiles().is_empty());
        r.begin_profile();
        r.end_profile(Some(Vec::new()), 2);
        assert_eq!(r.kept_profiles().iter().map(|p| p.id).collect::<Vec<_>>(), [4]);
    }
}
