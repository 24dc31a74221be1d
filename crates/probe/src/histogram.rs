//! The buckets of statements' histograms: MySQL's 450, the first below 10 microseconds, each of the others 4.7 % wider
//! than the one before (the tenth power of the growth of fifty buckets is ten), the last without end.
//!
//! Where a duration belongs is looked up by its highest five bits and then in steps of a bucket, one or two.

/// How many there are.
pub const BUCKETS: usize = 450;

/// Where each begins, picoseconds; the last entry is the end of the last one.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
static LOWS: [u64; BUCKETS + 1] = {
    let mut lows = [0; BUCKETS + 1];
    let (mut at, mut n) = (10_000_000.0, 1);
    while n < BUCKETS {
        lows[n] = at as u64;
        #[allow(clippy::excessive_precision)] // ten to the power of a fiftieth
        {
            at *= 1.0471285480508996;
        }
        n += 1;
    }
    lows[BUCKETS] = u64::MAX;
    lows
};

/// The bucket of the least number with these five highest bits, by [`prefix`].
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
static FIRST: [u16; 16 * 64] = {
    let mut first = [0; 16 * 64];
    let (mut n, mut bucket) = (0, 0);
    while n < first.len() {
        let (octave, part) = (n / 16, (n % 16) as u64);
        let low = if octave >= 4 { (16 + part) << (octave - 4) } else { 1 << octave };
        while LOWS[bucket + 1] <= low {
            bucket += 1;
        }
        first[n] = bucket as u16;
        n += 1;
    }
    first
};

/// Sixteen for each octave. `n` is at least 16.
#[inline]
fn prefix(n: u64) -> usize {
    let octave = (n | 16).ilog2() as usize;
    16 * octave + ((n >> (octave - 4)) & 15) as usize
}

/// The bucket of a duration in nanoseconds.
#[inline]
pub fn bucket(ns: u64) -> usize {
    if ns < 10_000 {
        return 0;
    }
    let ps = ns.saturating_mul(1000);
    let mut at = usize::from(FIRST.get(prefix(ps)).copied().unwrap_or(0));
    while LOWS.get(at + 1).is_some_and(|end| *end <= ps) {
        at += 1;
    }
    at.min(BUCKETS - 1)
}

/// Where a bucket begins, picoseconds; a bucket ends where the next begins.
pub fn low(bucket: usize) -> u64 {
    LOWS.get(bucket).copied().unwrap_or(u64::MAX)
}

/// Where a quantile lies: the end of the bucket that holds it, picoseconds.
pub fn quantile(histogram: &[u64], part: f64) -> u64 {
    let all: u64 = histogram.iter().sum();
    let wanted = (all as f64 * part).ceil() as u64;
    let mut below = 0;
    for (i, n) in histogram.iter().enumerate() {
        below += n;
        if all > 0 && below >= wanted {
            return low(i + 1);
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_mysqls() {
        // as MySQL 9.7 shows them
        assert_eq!(
            [0, 1, 2, 3, 448, 449, 450].map(low),
            [0, 10_000_000, 10_471_285, 10_964_781, 8_709_635_899_561_102, 9_120_108_393_559_408, u64::MAX]
        );
        for i in 0..BUCKETS {
            let ns = low(i).div_ceil(1000);
            assert_eq!(bucket(ns), i, "the first whole nanosecond in it");
            if i > 0 {
                assert_eq!(bucket((low(i) - 1) / 1000), i - 1);
            }
        }
        assert_eq!((bucket(0), bucket(9_999), bucket(u64::MAX)), (0, 0, BUCKETS - 1));
    }

    #[test]
    fn quantiles() {
        let mut h = vec![0; BUCKETS];
        assert_eq!(quantile(&h, 0.95), 0);
        (h[0], h[3]) = (95, 5);
        assert_eq!([0.5, 0.95, 0.99].map(|q| quantile(&h, q)), [10_000_000, 10_000_000, low(4)]);
    }
}
