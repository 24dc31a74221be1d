//! Making a histogram of values.

use super::{Bucket, DataType, Histogram, STRING_CHARS};
use crate::charset::Charset;
use crate::collation::CollationId;
use crate::compare::order_same_type;
use crate::temporal::DateTime;
use crate::types::SqlType;
use crate::value::{OwnedValue, Value};

/// Collation that stands in the histograms of numbers.
const OF_NUMBERS: CollationId = CollationId(8);

/// What is known besides the values.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances {
    /// Buckets at most.
    pub buckets: u64,
    /// Share of the rows that `values` and `nulls` come from.
    pub sampling_rate: f64,
    /// Now, UTC.
    pub now: DateTime,
    /// AUTO UPDATE.
    pub auto_update: bool,
}

/// Copies what of a value counts: a string's first characters.
pub fn kept(v: Value<'_>, ty: &SqlType) -> OwnedValue {
    match v {
        Value::Str(s) => OwnedValue::Str(prefix(s, ty.charset()).into()),
        v => v.to_owned(),
    }
}

fn prefix(s: &[u8], cs: Charset) -> &[u8] {
    if s.len() <= STRING_CHARS {
        return s;
    }
    let (mut at, mut chars) = (0, 0);
    while chars < STRING_CHARS && at < s.len() {
        at += cs.char_len(s.get(at..).unwrap_or(&[])).max(1);
        chars += 1;
    }
    s.get(..at).unwrap_or(s)
}

impl Histogram {
    /// Of the values that were read (not NULL, any order) and the number of NULLs. `None` for a type without histograms.
    pub fn build(mut values: Vec<OwnedValue>, nulls: u64, ty: &SqlType, c: Circumstances) -> Option<Histogram> {
        let data_type = DataType::of(ty)?;
        values.sort_by(|a, b| order_same_type(a.as_value(), b.as_value(), ty));
        let total = (values.len() as u64 + nulls) as f64;
        let mut runs: Vec<(OwnedValue, u64)> = Vec::new();
        for v in values {
            match runs.last_mut() {
                Some((last, n)) if order_same_type(last.as_value(), v.as_value(), ty).is_eq() => *n += 1,
                _ => runs.push((v, 1)),
            }
        }
        let singleton = runs.len() as u64 <= c.buckets;
        let buckets =
            if singleton { singletons(runs, total) } else { equal_heights(runs, total, c.buckets, c.sampling_rate) };
        let collation = match data_type {
            DataType::String | DataType::Enum | DataType::Set => ty.collation,
            _ if ty.kind == crate::TypeKind::Bit => CollationId::BINARY,
            _ => OF_NUMBERS,
        };
        Some(Histogram {
            buckets,
            singleton,
            null_values: if total > 0.0 { nulls as f64 / total } else { 0.0 },
            last_updated: c.now,
            sampling_rate: c.sampling_rate,
            specified: c.buckets,
            auto_update: c.auto_update,
            data_type,
            collation,
        })
    }
}

fn singletons(runs: Vec<(OwnedValue, u64)>, total: f64) -> Vec<Bucket> {
    let mut seen = 0;
    runs.into_iter()
        .map(|(v, n)| {
            seen += n;
            Bucket { lower: v.clone(), upper: v, cumulative: seen as f64 / total, distinct: 1 }
        })
        .collect()
}

/// Buckets needed when none but those of a single value may hold more than `most` rows.
fn needed(runs: &[(OwnedValue, u64)], most: u64) -> u64 {
    let (mut n, mut held) = (0, u64::MAX);
    for (_, count) in runs {
        held = held.saturating_add(*count);
        if held > most {
            n += 1;
            held = *count;
        }
    }
    n
}

/// The smallest height at which the buckets suffice; a value that is more frequent has a bucket of its own, and so has each of the last values
/// when there are buckets enough for them.
fn equal_heights(runs: Vec<(OwnedValue, u64)>, total: f64, buckets: u64, rate: f64) -> Vec<Bucket> {
    let all: u64 = runs.iter().map(|r| r.1).sum();
    let (mut low, mut high) = (1, all.max(1));
    while low < high {
        let middle = low + (high - low) / 2;
        if needed(&runs, middle) <= buckets { high = middle } else { low = middle + 1 }
    }
    let mut out: Vec<Bucket> = Vec::new();
    let (mut held, mut seen, mut once, mut of_bucket) = (u64::MAX, 0u64, 0u64, 0u64);
    let values = runs.len() as u64;
    for (i, (v, n)) in runs.into_iter().enumerate() {
        held = held.saturating_add(n);
        if held > low || values - i as u64 + out.len() as u64 <= buckets {
            (held, once, of_bucket) = (n, 0, 0);
            out.push(Bucket { lower: v.clone(), upper: v.clone(), cumulative: 0.0, distinct: 0 });
        }
        seen += n;
        of_bucket += 1;
        once += u64::from(n == 1);
        if let Some(b) = out.last_mut() {
            b.upper = v;
            b.cumulative = seen as f64 / total;
            b.distinct = distinct_of_all(of_bucket, once, held, rate);
        }
    }
    out
}

/// Distinct values of all rows, when a sample has `seen` of them among `rows`, `once` of which are there once (the first-order jackknife).
fn distinct_of_all(seen: u64, once: u64, rows: u64, rate: f64) -> u64 {
    if rate >= 1.0 || rows == 0 {
        return seen;
    }
    let missing = (1.0 - rate) * once as f64 / rows as f64;
    let most = rows as f64 / rate;
    (seen as f64 / (1.0 - missing).max(1e-6)).min(most).round().max(seen as f64) as u64
}
