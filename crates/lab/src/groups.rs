//! Control groups: a CPU quota, and a slow disk. Versions 1 and 2 of the kernel's interface; which one has the
//! controller is looked up. A group that cannot be made says why, and the experiment is left out.
//!
//! The group is removed with its owner, after the processes in it have ended (a `Server` ends them first).

use crate::{Result, failed};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Microseconds of a period of the CPU quota: the kernel's default, and the articles'.
const PERIOD: u64 = 100_000;

/// What a group limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Controller {
    Cpu,
    Disk,
}

/// A hierarchy with a controller.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Mount {
    path: PathBuf,
    two: bool,
}

/// A control group.
pub(crate) struct Group {
    path: PathBuf,
    two: bool,
}

/// How often and how long the kernel has stopped a group.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Throttled {
    pub(crate) times: f64,
    pub(crate) seconds: f64,
}

impl Group {
    /// Makes a group.
    pub(crate) fn new(controller: Controller) -> Result<Group> {
        if !sys::process::is_root() {
            return failed("only root may make control groups");
        }
        Group::below(Path::new("/"), controller)
    }

    fn below(root: &Path, controller: Controller) -> Result<Group> {
        let mount = find(root, controller)?;
        if mount.two {
            let (file, name) = (mount.path.join("cgroup.subtree_control"), name(controller, true));
            let on = fs::read_to_string(&file).unwrap_or_default();
            if !on.split_whitespace().any(|c| c == name) {
                fs::write(&file, format!("+{name}"))
                    .or_else(|e| failed(format!("the controller {name} cannot be given to groups ({e})")))?;
            }
        }
        let path = mount.path.join(format!("evenkeel-lab-{:08x}", sys::process::random_u64() as u32));
        fs::create_dir(&path).or_else(|e| failed(format!("no control group can be made ({}: {e})", path.display())))?;
        Ok(Group { path, two: mount.two })
    }

    fn set(&self, file: &str, value: &str) -> Result<()> {
        let path = self.path.join(file);
        fs::write(&path, value).or_else(|e| failed(format!("{}: {e}", path.display())))
    }

    /// Moves a process into it, with all its threads.
    pub(crate) fn enter(&self, pid: u32) -> Result<()> {
        self.set("cgroup.procs", &pid.to_string())
    }

    /// Sets the quota in percent of one CPU; `None`: there is none.
    pub(crate) fn limit_cpu(&self, percent: Option<u32>) -> Result<()> {
        let quota = percent.map(|p| u64::from(p) * PERIOD / 100);
        if self.two {
            let quota = quota.map_or_else(|| "max".to_owned(), |q| q.to_string());
            return self.set("cpu.max", &format!("{quota} {PERIOD}"));
        }
        self.set("cpu.cfs_period_us", &PERIOD.to_string())?;
        self.set("cpu.cfs_quota_us", &quota.map_or_else(|| "-1".to_owned(), |q| q.to_string()))
    }

    /// Limits reads and writes of a device (`8:0`): each to so many operations and bytes a second.
    pub(crate) fn limit_disk(&self, device: &str, iops: u64, bytes: u64) -> Result<()> {
        if self.two {
            return self.set("io.max", &format!("{device} riops={iops} wiops={iops} rbps={bytes} wbps={bytes}"));
        }
        for (what, value) in [("iops", iops), ("bps", bytes)] {
            for way in ["read", "write"] {
                self.set(&format!("blkio.throttle.{way}_{what}_device"), &format!("{device} {value}"))?;
            }
        }
        Ok(())
    }

    /// Takes the limit of a device away.
    pub(crate) fn free_disk(&self, device: &str) -> Result<()> {
        if self.two {
            return self.set("io.max", &format!("{device} riops=max wiops=max rbps=max wbps=max"));
        }
        self.limit_disk(device, 0, 0)
    }

    /// How often its CPU quota has stopped it so far.
    pub(crate) fn throttled(&self) -> Throttled {
        throttled(&fs::read_to_string(self.path.join("cpu.stat")).unwrap_or_default())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // the kernel takes a moment to forget ended processes
        for _ in 0..100 {
            match fs::remove_dir(&self.path) {
                Ok(()) => return,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => return,
                Err(_) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
        eprintln!("evenkeel lab: the control group {} could not be removed", self.path.display());
    }
}

fn throttled(stat: &str) -> Throttled {
    let of = |name: &str| stat.lines().find_map(|l| l.strip_prefix(name)?.trim().parse::<f64>().ok());
    // microseconds in version 2, nanoseconds in version 1
    let seconds = of("throttled_usec ").map(|v| v / 1e6).or_else(|| of("throttled_time ").map(|v| v / 1e9));
    Throttled { times: of("nr_throttled ").unwrap_or_default(), seconds: seconds.unwrap_or_default() }
}

fn name(controller: Controller, two: bool) -> &'static str {
    match (controller, two) {
        (Controller::Cpu, _) => "cpu",
        (Controller::Disk, true) => "io",
        (Controller::Disk, false) => "blkio",
    }
}

/// Where the hierarchy with a controller is mounted. A controller belongs to one of them only.
fn find(root: &Path, controller: Controller) -> Result<Mount> {
    let info = fs::read_to_string(root.join("proc/self/mountinfo")).unwrap_or_default();
    for line in info.lines() {
        let Some((place, kind)) = line.split_once(" - ") else { continue };
        let Some(path) = place.split(' ').nth(4) else { continue };
        let path = root.join(path.trim_start_matches('/'));
        let mut kind = kind.split(' ');
        let (system, options) = (kind.next().unwrap_or_default(), kind.nth(1).unwrap_or_default());
        if system == "cgroup" && options.split(',').any(|o| o == name(controller, false)) {
            return Ok(Mount { path, two: false });
        }
        let has = || fs::read_to_string(path.join("cgroup.controllers")).unwrap_or_default();
        if system == "cgroup2" && has().split_whitespace().any(|c| c == name(controller, true)) {
            return Ok(Mount { path, two: true });
        }
    }
    failed(format!("this machine has no control groups with the controller {}", name(controller, true)))
}

/// The whole device under a folder, as control groups name it.
pub(crate) fn device_of(folder: &Path) -> Result<String> {
    use std::os::unix::fs::MetadataExt;
    let dev = fs::metadata(folder)?.dev();
    let (major, minor) = ((dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xf_ff00));
    let place = PathBuf::from(format!("/sys/dev/block/{major}:{minor}"));
    if major == 0 || !place.exists() {
        return failed(format!("{} lies on no block device of its own", folder.display()));
    }
    // a partition's limits are those of its disk
    if !place.join("partition").exists() {
        return Ok(format!("{major}:{minor}"));
    }
    let disk = fs::canonicalize(&place)?.join("../dev");
    Ok(fs::read_to_string(disk)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Folder;

    fn machine(mounts: &str) -> Folder {
        let f = Folder::new(&std::env::temp_dir()).unwrap();
        fs::create_dir_all(f.path().join("proc/self")).unwrap();
        fs::write(f.path().join("proc/self/mountinfo"), mounts).unwrap();
        f
    }

    const ONE: &str = "\
30 23 0:26 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct
31 23 0:27 / /sys/fs/cgroup/blkio rw,nosuid shared:10 - cgroup cgroup rw,blkio
32 23 0:28 / /sys/fs/cgroup/unified rw shared:11 - cgroup2 cgroup2 rw
";

    #[test]
    fn version_one() {
        let f = machine(ONE);
        for d in ["cpu,cpuacct", "blkio", "unified"] {
            fs::create_dir_all(f.path().join("sys/fs/cgroup").join(d)).unwrap();
        }
        fs::write(f.path().join("sys/fs/cgroup/unified/cgroup.controllers"), "").unwrap();
        let g = Group::below(f.path(), Controller::Cpu).unwrap();
        assert!(!g.two && g.path.starts_with(f.path().join("sys/fs/cgroup/cpu,cpuacct")));
        g.limit_cpu(Some(50)).unwrap();
        let said = |g: &Group, file: &str| fs::read_to_string(g.path.join(file)).unwrap();
        assert_eq!(
            (said(&g, "cpu.cfs_quota_us").as_str(), said(&g, "cpu.cfs_period_us").as_str()),
            ("50000", "100000")
        );
        g.limit_cpu(None).unwrap();
        assert_eq!(said(&g, "cpu.cfs_quota_us"), "-1");
        fs::write(g.path.join("cpu.stat"), "nr_periods 9\nnr_throttled 4\nthrottled_time 1500000000\n").unwrap();
        assert_eq!(g.throttled(), Throttled { times: 4.0, seconds: 1.5 });
        let d = Group::below(f.path(), Controller::Disk).unwrap();
        d.limit_disk("8:0", 500, 1000).unwrap();
        assert_eq!(said(&d, "blkio.throttle.read_iops_device"), "8:0 500");
        assert_eq!(said(&d, "blkio.throttle.write_bps_device"), "8:0 1000");
        // a real group has no files that stand in the way of its removal
        let (a, b) = (g.path.clone(), d.path.clone());
        for dir in [&a, &b] {
            fs::read_dir(dir).unwrap().for_each(|f| fs::remove_file(f.unwrap().path()).unwrap());
        }
        drop((g, d));
        assert!(!a.exists() && !b.exists());
    }

    #[test]
    fn version_two() {
        let f = machine("32 23 0:28 / /sys/fs/cgroup rw shared:11 - cgroup2 cgroup2 rw\n");
        let top = f.path().join("sys/fs/cgroup");
        fs::create_dir_all(&top).unwrap();
        fs::write(top.join("cgroup.controllers"), "cpuset cpu io memory\n").unwrap();
        fs::write(top.join("cgroup.subtree_control"), "memory").unwrap();
        let g = Group::below(f.path(), Controller::Cpu).unwrap();
        assert_eq!(fs::read_to_string(top.join("cgroup.subtree_control")).unwrap(), "+cpu");
        g.limit_cpu(Some(100)).unwrap();
        let said = |file: &str| fs::read_to_string(g.path.join(file)).unwrap();
        assert_eq!(said("cpu.max"), "100000 100000");
        g.limit_cpu(None).unwrap();
        assert_eq!(said("cpu.max"), "max 100000");
        g.limit_disk("8:16", 500, 20).unwrap();
        assert_eq!(said("io.max"), "8:16 riops=500 wiops=500 rbps=20 wbps=20");
        g.free_disk("8:16").unwrap();
        assert_eq!(said("io.max"), "8:16 riops=max wiops=max rbps=max wbps=max");
        fs::write(g.path.join("cpu.stat"), "usage_usec 5\nnr_throttled 2\nthrottled_usec 2500000\n").unwrap();
        assert_eq!(g.throttled(), Throttled { times: 2.0, seconds: 2.5 });
        fs::read_dir(&g.path).unwrap().for_each(|f| fs::remove_file(f.unwrap().path()).unwrap());
    }

    #[test]
    fn none() {
        let f = machine("1 1 0:1 / / rw - ext4 /dev/vda rw\n");
        assert!(Group::below(f.path(), Controller::Cpu).is_err());
        assert!(device_of(Path::new("/proc")).is_err());
    }
}
