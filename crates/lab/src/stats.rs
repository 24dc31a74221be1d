//! Medians and their intervals. Nothing is assumed about how measurements are spread.

/// The median; `None` of nothing.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let sorted = sorted(values);
    let n = sorted.len();
    let at = |i: usize| sorted.get(i).copied();
    if n.is_multiple_of(2) { Some((at((n / 2).checked_sub(1)?)? + at(n / 2)?) / 2.0) } else { at(n / 2) }
}

/// Values between which the median of what was sampled lies with at least 95 % (order statistics of the binomial
/// distribution); with fewer than six values there is no such interval, and the smallest and largest are given.
pub(crate) fn interval(values: &[f64]) -> Option<(f64, f64)> {
    let sorted = sorted(values);
    let n = sorted.len();
    // the largest k with P(fewer than k of n lie below the median) <= 2.5 %
    let (mut below, mut term, mut k) = (0.0, 0.5f64.powi(i32::try_from(n).ok()?), 0usize);
    while k < n / 2 {
        below += term;
        if below > 0.025 {
            break;
        }
        term *= (n - k) as f64 / (k + 1) as f64;
        k += 1;
    }
    let low = k.saturating_sub(1);
    Some((*sorted.get(low)?, *sorted.get(n.checked_sub(1 + low)?)?))
}

/// Whether [`interval`] of so many values is one of 95 %.
pub(crate) fn is_interval(n: usize) -> bool {
    n >= 6
}

/// The value below which `share` of a histogram's counts lie (upper bounds and counts, ascending).
pub(crate) fn quantile(histogram: &[(f64, u64)], share: f64) -> Option<f64> {
    let all: u64 = histogram.iter().map(|b| b.1).sum();
    let wanted = share * all as f64;
    let mut seen = 0u64;
    histogram
        .iter()
        .find(|(_, n)| {
            seen += n;
            *n > 0 && seen as f64 >= wanted
        })
        .map(|b| b.0)
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut v: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    v.sort_by(f64::total_cmp);
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0, f64::NAN]), Some(2.5));
    }

    /// Ranks of the sign test's table: 6 values: 1 and 6; 9: 2 and 8; 15: 4 and 12; 20: 6 and 15.
    #[test]
    fn intervals_are_those_of_the_sign_test() {
        for (n, low, high) in [(6, 1, 6), (8, 1, 8), (9, 2, 8), (15, 4, 12), (20, 6, 15), (25, 8, 18)] {
            let values: Vec<f64> = (1..=n).rev().map(f64::from).collect();
            assert_eq!(interval(&values), Some((f64::from(low), f64::from(high))), "{n}");
        }
        assert_eq!(interval(&[2.0, 1.0, 5.0]), Some((1.0, 5.0)));
        assert_eq!(interval(&[]), None);
        assert!(!is_interval(5) && is_interval(6));
    }

    #[test]
    fn quantiles() {
        let h = [(1.0, 90), (2.0, 0), (3.0, 9), (10.0, 1)];
        assert_eq!(quantile(&h, 0.5), Some(1.0));
        assert_eq!(quantile(&h, 0.95), Some(3.0));
        assert_eq!(quantile(&h, 0.99), Some(3.0));
        assert_eq!(quantile(&h, 1.0), Some(10.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
