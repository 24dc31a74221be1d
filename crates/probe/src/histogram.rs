//! The buckets of statements' histograms: MySQL's 450, the first below 10 microseconds, each of the others 4.7 % wider
//! than the one before (the tenth power of the growth of fifty buckets is ten), the last without end.
//!
//! Where a duration belongs is looked up by its highest six bits; the bucket found is its own or the one before.

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

/// The first whole nanosecond of each, and of what follows the last one.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
static LOWS_NS: [u64; BUCKETS + 1] = {
    let mut lows = [u64::MAX; BUCKETS + 1];
    let mut n = 0;
    while n < BUCKETS {
        lows[n] = LOWS[n].div_ceil(1000);
        n += 1;
    }
    lows
};

/// Parts of an octave: each is narrower than a bucket, so it holds the end of one at most.
const PARTS: usize = 32;
const OCTAVES: usize = 64 - PARTS.ilog2() as usize;

/// The bucket of the least nanosecond of each part, by [`part`].
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
static FIRST: [u16; PARTS * OCTAVES] = {
    let mut first = [0; PARTS * OCTAVES];
    let (mut n, mut bucket) = (0, 0);
    while n < first.len() {
        // what is below the first octave shares its parts: all of it belongs to the first bucket
        let low = (PARTS as u64 + (n % PARTS) as u64) << (n / PARTS);
        while LOWS_NS[bucket + 1] <= low {
            bucket += 1;
        }
        first[n] = bucket as u16;
        n += 1;
    }
    first
};

/// Where a duration is looked up.
#[inline(always)]
fn part(ns: u64) -> usize {
    let octave = (ns | PARTS as u64).ilog2() - PARTS.ilog2();
    PARTS * octave as usize + (ns >> octave) as usize % PARTS
}

/// The bucket of a duration in nanoseconds, which is no `u64::MAX`.
#[inline(always)]
pub fn bucket(ns: u64) -> usize {
    let at = usize::from(FIRST.get(part(ns)).copied().unwrap_or(0));
    at + usize::from(LOWS_NS.get(at + 1).is_some_and(|end| *end <= ns))
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
        assert_eq!((bucket(0), bucket(9_999), bucket(u64::MAX - 1)), (0, 0, BUCKETS - 1));
    }

    #[test]
    fn quantiles() {
        let mut h = vec![0; BUCKETS];
        assert_eq!(quantile(&h, 0.95), 0);
        (h[0], h[3]) = (95, 5);
        assert_eq!([0.5, 0.95, 0.99].map(|q| quantile(&h, q)), [10_000_000, 10_000_000, low(4)]);
    }
}
