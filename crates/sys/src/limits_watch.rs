//! [`Watch`]: the files that say what is granted, kept open. Reading them again costs a read each, no path is walked.

use super::{Controller, Groups, Limits, Throttled, bytes, quota_v1, quota_v2, stopped, tighten};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// After so many reads the groups are looked for anew: a hierarchy may have been mounted meanwhile.
const RESOLVE_EVERY: u32 = 60;

/// A small file of a control group. One that is not there (its controller is not enabled) is tried again at each read.
struct Kept {
    path: PathBuf,
    file: Option<File>,
}

impl Kept {
    fn new(path: PathBuf) -> Kept {
        Kept { path, file: None }
    }

    /// What it says now.
    fn text(&mut self) -> Option<String> {
        if self.file.is_none() {
            self.file = File::open(&self.path).ok();
        }
        let mut text = Vec::new();
        let mut piece = [0; 1024];
        loop {
            match self.file.as_ref()?.read_at(&mut piece, text.len() as u64) {
                Ok(0) => return String::from_utf8(text).ok(),
                Ok(n) => text.extend_from_slice(piece.get(..n)?),
                // the group is gone
                Err(_) => {
                    self.file = None;
                    return None;
                }
            }
        }
    }
}

/// A directory with the CPU controller.
struct Cpu {
    max: Kept,
    quota: Kept,
    period: Kept,
}

/// A directory with the memory controller.
struct Memory {
    max: Kept,
    limit: Kept,
    high: Kept,
}

/// The limits of this process, to be read again and again.
pub struct Watch {
    root: PathBuf,
    own: Kept,
    /// `/proc/self/cgroup` when the directories were found: the process may be moved.
    own_text: Option<String>,
    cpu: Vec<Cpu>,
    memory: Vec<Memory>,
    /// `cpu.stat`, the own group's first.
    stat: Vec<Kept>,
    reads: u32,
}

impl Watch {
    /// On the file system under `root` (`proc/self/cgroup`, `proc/self/mountinfo`, the mounts).
    pub fn new(root: &Path) -> Watch {
        Watch {
            root: root.to_path_buf(),
            own: Kept::new(root.join("proc/self/cgroup")),
            own_text: None,
            cpu: Vec::new(),
            memory: Vec::new(),
            stat: Vec::new(),
            reads: 0,
        }
    }

    /// What is granted now to a process that may run on `affinity` CPUs, and how often its group has been stopped so far.
    pub fn read(&mut self, affinity: u32) -> (Limits, Throttled) {
        let own = self.own.text();
        if self.reads.is_multiple_of(RESOLVE_EVERY) || own != self.own_text {
            self.own_text = own;
            self.resolve();
        }
        self.reads = self.reads.wrapping_add(1);
        let mut l = Limits { affinity: affinity.max(1), quota: None, memory_max: None, memory_high: None };
        for d in &mut self.cpu {
            let v2 = d.max.text().as_deref().and_then(quota_v2);
            tighten(&mut l.quota, v2.or_else(|| quota_v1(&d.quota.text()?, &d.period.text()?)));
        }
        for d in &mut self.memory {
            let v2 = d.max.text().as_deref().and_then(bytes);
            tighten(&mut l.memory_max, v2.or_else(|| bytes(&d.limit.text()?)));
            tighten(&mut l.memory_high, d.high.text().as_deref().and_then(bytes));
        }
        let stopped = self.stat.iter_mut().find_map(|f| stopped(&f.text()?)).unwrap_or_default();
        (l, stopped)
    }

    fn resolve(&mut self) {
        let groups = Groups::read(&self.root);
        let chain = |all: &[Controller]| -> Vec<PathBuf> { all.iter().flat_map(|c| groups.chain(*c)).collect() };
        let file = |dir: &Path, name: &str| Kept::new(dir.join(name));
        let cpu = |d: &PathBuf| Cpu {
            max: file(d, "cpu.max"),
            quota: file(d, "cpu.cfs_quota_us"),
            period: file(d, "cpu.cfs_period_us"),
        };
        let memory = |d: &PathBuf| Memory {
            max: file(d, "memory.max"),
            limit: file(d, "memory.limit_in_bytes"),
            high: file(d, "memory.high"),
        };
        self.cpu = chain(&[Controller::Cpu, Controller::Unified]).iter().map(cpu).collect();
        self.memory = chain(&[Controller::Memory, Controller::Unified]).iter().map(memory).collect();
        self.stat = chain(&[Controller::Unified, Controller::Cpu]).iter().map(|d| file(d, "cpu.stat")).collect();
    }
}
