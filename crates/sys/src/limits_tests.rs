use super::*;

/// A file system root with the given files.
struct Root(PathBuf);

impl Root {
    fn new(files: &[(&str, &str)]) -> Root {
        let d = std::env::temp_dir().join(format!("evk_cg_{}", crate::process::random_u64()));
        for (p, text) in files {
            let p = d.join(p);
            std::fs::create_dir_all(p.parent().unwrap()).unwrap();
            std::fs::write(p, text).unwrap();
        }
        Root(d)
    }
    fn limits(&self, affinity: u32) -> Limits {
        Watch::new(&self.0).read(affinity).0
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const V2_MOUNT: &str = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
const V1_MOUNTS: &str = "33 25 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n\
                         34 25 0:30 / /sys/fs/cgroup/memory rw shared:10 - cgroup cgroup rw,memory\n";

#[test]
fn v2_takes_the_tightest_ancestor() {
    let r = Root::new(&[
        ("proc/self/mountinfo", V2_MOUNT),
        ("proc/self/cgroup", "0::/a.slice/b.service\n"),
        ("sys/fs/cgroup/a.slice/cpu.max", "150000 100000\n"),
        ("sys/fs/cgroup/a.slice/b.service/cpu.max", "max 100000\n"),
        ("sys/fs/cgroup/a.slice/memory.max", "max\n"),
        ("sys/fs/cgroup/a.slice/b.service/memory.max", "1073741824\n"),
        ("sys/fs/cgroup/a.slice/memory.high", "536870912\n"),
        (
            "sys/fs/cgroup/a.slice/b.service/cpu.stat",
            "usage_usec 5\nnr_periods 9\nnr_throttled 3\nthrottled_usec 1234\n",
        ),
    ]);
    let l = r.limits(6);
    assert_eq!(l.quota, Some(1.5));
    assert_eq!(l.effective_cpus(), 1.5);
    assert!(l.quota_binds());
    assert_eq!((l.memory_max, l.memory_high), (Some(1 << 30), Some(1 << 29)));
    assert_eq!(Watch::new(&r.0).read(1).1, Throttled { periods: 3, micros: 1234 });
    assert_eq!(r.limits(1).effective_cpus(), 1.0, "affinity is tighter");
}

#[test]
fn v2_inside_a_container_with_its_own_namespace() {
    let r = Root::new(&[
        ("proc/self/mountinfo", V2_MOUNT),
        ("proc/self/cgroup", "0::/\n"),
        ("sys/fs/cgroup/cpu.max", "50000 100000\n"),
    ]);
    assert_eq!(r.limits(8).effective_cpus(), 0.5);
}

#[test]
fn v1_quota_and_memory() {
    let r = Root::new(&[
        ("proc/self/mountinfo", V1_MOUNTS),
        ("proc/self/cgroup", "5:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n1:name=systemd:/docker/x\n"),
        ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"),
        ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
        ("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "250000\n"),
        ("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n"),
        ("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.stat", "nr_periods 1\nnr_throttled 7\nthrottled_time 5000000\n"),
        ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "2147483648\n"),
    ]);
    let l = r.limits(16);
    assert_eq!(l.quota, Some(2.5));
    assert_eq!(l.memory_max, Some(2 << 30));
    assert_eq!(Watch::new(&r.0).read(1).1, Throttled { periods: 7, micros: 5000 });
}

#[test]
fn v1_container_that_sees_only_its_subtree() {
    // Host path in /proc/self/cgroup, mount whose root is that very group.
    let mounts = "33 25 0:29 /docker/x /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n";
    let r = Root::new(&[
        ("proc/self/mountinfo", mounts),
        ("proc/self/cgroup", "4:cpu:/docker/x\n"),
        ("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n"),
        ("sys/fs/cgroup/cpu/cpu.cfs_period_us", "50000\n"),
    ]);
    assert_eq!(r.limits(16).quota, Some(2.0));
}

#[test]
fn hybrid_and_nothing() {
    // Hybrid: v2 mounted without controllers beside v1.
    let r = Root::new(&[
        ("proc/self/mountinfo", &format!("{V1_MOUNTS}31 25 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n")),
        ("proc/self/cgroup", "4:cpu,cpuacct:/\n0::/init.scope\n"),
        ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "300000\n"),
        ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
    ]);
    assert_eq!(r.limits(4).effective_cpus(), 3.0);
    let none = Root::new(&[]).limits(4);
    assert_eq!((none.quota, none.memory_max, none.effective_cpus()), (None, None, 4.0));
    assert!(!none.quota_binds());
}

#[test]
fn rubbish_is_no_limit() {
    let r = Root::new(&[
        ("proc/self/mountinfo", V2_MOUNT),
        ("proc/self/cgroup", "0::/../x\nnonsense\n"),
        ("sys/fs/cgroup/cpu.max", "zero point\n"),
        ("sys/fs/cgroup/memory.max", "-4\n"),
    ]);
    let l = r.limits(4);
    assert_eq!((l.quota, l.memory_max), (None, None));
}

#[test]
fn this_machine() {
    let l = current();
    assert!(l.effective_cpus() > 0.0 && l.affinity >= 1);
    let _ = Watch::new(Path::new("/")).read(1);
}

#[test]
fn a_watch_sees_what_changes() {
    let r = Root::new(&[
        ("proc/self/mountinfo", V2_MOUNT),
        ("proc/self/cgroup", "0::/a\n"),
        ("sys/fs/cgroup/a/cpu.max", "150000 100000\n"),
        ("sys/fs/cgroup/a/cpu.stat", "nr_throttled 3\nthrottled_usec 1234\n"),
        ("sys/fs/cgroup/b/cpu.max", "25000 100000\n"),
        ("sys/fs/cgroup/b/cpu.stat", "nr_throttled 0\nthrottled_usec 0\n"),
    ]);
    let put = |p: &str, text: &str| std::fs::write(r.0.join(p), text).unwrap();
    let mut w = Watch::new(&r.0);
    let (l, t) = w.read(8);
    assert_eq!((l.quota, l.memory_max, t), (Some(1.5), None, Throttled { periods: 3, micros: 1234 }));
    // the files stay open, their contents change
    put("sys/fs/cgroup/a/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/a/cpu.stat", "nr_throttled 4\nthrottled_usec 2000\n");
    let (l, t) = w.read(8);
    assert_eq!((l.quota, t.periods), (None, 4));
    // a controller is enabled
    put("sys/fs/cgroup/a/memory.max", "1048576\n");
    assert_eq!(w.read(8).0.memory_max, Some(1 << 20));
    // the process is moved
    put("proc/self/cgroup", "0::/b\n");
    let (l, t) = w.read(8);
    assert_eq!((l.quota, l.memory_max, t), (Some(0.25), None, Throttled::default()));
}
