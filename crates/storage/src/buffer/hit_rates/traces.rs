//! Generated traces, and every parameter of the comparison (those of the recorded ones stand here too).
//!
//! * Pool: 1,024 frames for generated traces, 640 for recorded ones (InnoDB has an old part from 512 pages on);
//!   `EVENKEEL_HIT_RATES=large` takes 8 and 4 times as many, of data as many times larger.
//! * Time: a pool's worth of accesses is a second. A pool of the default 128 MB (8,192 pages) is then asked for 8,192
//!   pages a second, which is two to three thousand point reads from a disk of some thousand reads a second. So
//!   `innodb_old_blocks_time` (a second) has the same meaning relative to the pool's turnover as there.
//! * The first quarter of a trace warms the pool and is not counted.
//! * Zipf: exponent 0.99 (YCSB's) over 8 pools.

use crate::file::sim::Rng;

/// The first 1/n of a trace is not counted.
pub(crate) const WARM_UP: usize = 4;
const ZIPF: f64 = 0.99;
/// Pages of the zipf traces, of the scan, and of the cold part beside the hot set, in pools.
const SPREAD: usize = 8;
/// Length of the generated traces, in pools.
const LENGTH: usize = 300;
/// How many times in a row a scan touches a page: once per row.
const ROWS: usize = 8;
/// The hot set: half a pool, that gets 9 accesses of 10, and moves on by half of itself each 20 pools of accesses.
const HOT_OF_POOL: f64 = 0.5;
const HOT_SHARE: f64 = 0.9;
const HOT_PERIOD: usize = 20;
/// A loop a little larger than the pool, and one of two pools.
const LOOPS: [(&str, f64); 2] = [("loop over 1.1 pools", 1.1), ("loop over 2 pools", 2.0)];

/// The recorded traces: rows, statements in each, rows of a range, length of a row's text (7 rows are a page).
pub(crate) const RECORDED_FRAMES: usize = 640;
pub(crate) const RECORDED_ROWS: usize = 30_000;
pub(crate) const RECORDED_STATEMENTS: usize = 30_000;
pub(crate) const RANGE_ROWS: usize = 100;
pub(crate) const ROW_BYTES: usize = 2000;

/// One access. `counts` is false for the touches of a scan after a page's first, which hit under any policy.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    pub(crate) page: u32,
    pub(crate) counts: bool,
}

pub(crate) struct Trace {
    pub(crate) name: &'static str,
    pub(crate) frames: usize,
    pub(crate) accesses: Vec<Access>,
}

impl Trace {
    /// When the access of this number happens. Starts at 1 s: 0 is "never" to InnoDB.
    pub(crate) fn time_ms(&self, i: usize) -> u32 {
        (1000 + i * 1000 / self.frames) as u32
    }
}

/// Whether the long form is asked for.
pub(crate) fn large() -> bool {
    std::env::var_os("EVENKEEL_HIT_RATES").is_some_and(|v| v == "large")
}

/// Numbers below `n`, the k-th with a probability of 1 / k^0.99.
pub(crate) struct Zipf(Vec<f64>);

impl Zipf {
    pub(crate) fn new(n: usize) -> Zipf {
        let mut sum = 0.0;
        Zipf((1..=n).map(|k| (sum += (k as f64).powf(-ZIPF), sum).1).collect())
    }
    pub(crate) fn next(&self, rng: &mut Rng) -> usize {
        let at = unit(rng) * self.0.last().unwrap();
        self.0.partition_point(|sum| *sum <= at).min(self.0.len() - 1)
    }
}

/// In 0..1.
fn unit(rng: &mut Rng) -> f64 {
    (rng.next() >> 11) as f64 / (1u64 << 53) as f64
}

/// The generated traces.
pub(crate) fn generated() -> Vec<Trace> {
    let frames = if large() { 8192 } else { 1024 };
    let n = LENGTH * frames;
    let trace = |name, accesses| Trace { name, frames, accesses };
    let plain = |page: usize| Access { page: page as u32, counts: true };
    let zipf = Zipf::new(SPREAD * frames);
    let mut rng = Rng(1);
    let mut all = vec![trace("zipf", (0..n).map(|_| plain(zipf.next(&mut rng))).collect())];
    // One session reads by zipf, another scans 8 pools of other pages, over and over; they take turns.
    let scanned = |i: usize| {
        let page = SPREAD * frames + i / ROWS % (SPREAD * frames);
        Access { page: page as u32, counts: i.is_multiple_of(ROWS) }
    };
    let mut rng = Rng(2);
    let turns = (0..n / 2).flat_map(|i| [plain(zipf.next(&mut rng)), scanned(i)]);
    all.push(trace("scan + zipf", turns.collect()));
    for (name, pools) in LOOPS {
        let len = (pools * frames as f64) as usize;
        all.push(trace(name, (0..n).map(|i| plain(i % len)).collect()));
    }
    let (hot, cold, mut rng) = ((HOT_OF_POOL * frames as f64) as usize, SPREAD * frames, Rng(3));
    let shifting = (0..n).map(|i| {
        let from = i / (HOT_PERIOD * frames) * (hot / 2);
        let page = if unit(&mut rng) < HOT_SHARE {
            from + rng.below(hot as u64) as usize
        } else {
            rng.below(cold as u64) as usize
        };
        plain(page % cold)
    });
    all.push(trace("shifting hot set", shifting.collect()));
    all
}
