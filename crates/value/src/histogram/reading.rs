//! Reading the JSON form of a histogram: what the dictionary stores, or what a user gives with USING DATA. Of the latter each part is checked,
//! and the message says where it is wrong. `last-updated` need not be there.

use std::cmp::Ordering;

use super::{Bucket, DataType, Histogram, MAX_BUCKETS};
use crate::collation::CollationId;
use crate::context::ConvCtx;
use crate::convert::{to_datetime, to_time};
use crate::decimal::Decimal;
use crate::json::convert::text_type;
use crate::json::{Kind, Ref};
use crate::temporal::DateTime;
use crate::types::{SqlType, TypeKind};
use crate::value::{OwnedValue, Value};

const STRING_PREFIX: &[u8] = b"base64:type254:";

/// Why a document is refused, for people.
type Read<T> = Result<T, String>;

impl Histogram {
    /// From a document: what [`Histogram::to_document`] made, or a user gave. `ty` is the column's type; `None` for a stored one, whose column is
    /// known to fit.
    ///
    /// # Errors
    /// What is wrong with it, for people.
    pub fn from_document(root: Ref<'_>, ty: Option<&SqlType>) -> Read<Histogram> {
        if !root.is_object() {
            return Err("JSON data is not an object".into());
        }
        let singleton = match text(root, "histogram-type")? {
            b"singleton" => true,
            b"equi-height" => false,
            _ => return Err("Unsupported histogram type at '$.\"histogram-type\"'.".into()),
        };
        let name = text(root, "data-type")?;
        let data_type = DataType::ALL.iter().find(|(_, n)| n.as_bytes() == name).map(|(t, _)| *t);
        let Some(data_type) = data_type.filter(|d| ty.is_none_or(|t| DataType::of(t) == Some(*d))) else {
            return Err("Histogram data type does not match column data type at '$.\"data-type\"'.".into());
        };
        let mut ctx = ConvCtx::default();
        let mut h = Histogram {
            buckets: Vec::new(),
            singleton,
            null_values: share(part(root, "null-values")?, "$.\"null-values\"", FREQUENCY)?,
            last_updated: last_updated(root, &mut ctx)?,
            sampling_rate: share(part(root, "sampling-rate")?, "$.\"sampling-rate\"", "The sampling rate")?,
            specified: specified(root)?,
            auto_update: auto_update(root, ty.is_some())?,
            data_type,
            collation: collation(root)?,
        };
        h.read_buckets(root, ty, &mut ctx)?;
        Ok(h)
    }

    fn read_buckets(&mut self, root: Ref<'_>, ty: Option<&SqlType>, ctx: &mut ConvCtx) -> Read<()> {
        let list = root.member(b"buckets").ok_or("Missing attribute at '$.buckets'.")?;
        if !list.is_array() {
            return Err("Wrong attribute type at '$.buckets'.".into());
        }
        for (i, b) in list.elements().enumerate() {
            let b = self.bucket(b, i, ty, ctx)?;
            self.buckets.push(b);
        }
        if list.len() as u64 > self.specified {
            return Err(
                "The number of real buckets must be less than or equal to the number specified by attribute number-of-buckets-specified."
                    .into(),
            );
        }
        match self.buckets.last() {
            None if !self.singleton && ty.is_some() => {
                Err("Equi-height histogram must have at least one bucket".into())
            }
            None if self.null_values != 0.0 && self.null_values != 1.0 => {
                Err("The null values fraction should be 0 or 1.".into())
            }
            Some(last) if (last.cumulative + self.null_values - 1.0).abs() > 1e-3 => {
                Err("The sum of the null values fraction and the cumulative frequency of the last bucket should be 1.'"
                    .into())
            }
            _ => Ok(()),
        }
    }

    fn bucket(&self, b: Ref<'_>, i: usize, ty: Option<&SqlType>, ctx: &mut ConvCtx) -> Read<Bucket> {
        let at = |j: usize| format!("$.buckets[{i}][{j}]");
        if !b.is_array() {
            return Err(format!("Wrong attribute type at '$.buckets[{i}]'."));
        }
        let (length, word) = if self.singleton { (2, "Two") } else { (4, "Four") };
        if b.len() != length {
            return Err(format!("{word} elements required for bucket at '$.buckets[{i}]'."));
        }
        let element = |j: usize| b.element(j).ok_or_else(|| wrong(&at(j)));
        let lower = value(element(0)?, self.data_type, ty, &at(0), ctx)?;
        let upper = if self.singleton { lower.clone() } else { value(element(1)?, self.data_type, ty, &at(1), ctx)? };
        let frequency = length.min(3) - 1;
        let cumulative = share(element(frequency)?, &at(frequency), FREQUENCY)?;
        let distinct = if self.singleton { 1 } else { distinct(element(3)?, &at(3))? };
        let bucket = Bucket { lower, upper, cumulative, distinct };
        self.follows(&bucket, i)?;
        if self.buckets.last().is_some_and(|before| cumulative <= before.cumulative) {
            return Err(format!(
                "The cumulative frequency of bucket at '{}' must be greater than that of previous bucket.",
                at(frequency)
            ));
        }
        Ok(bucket)
    }

    fn order(&self, x: &OwnedValue, y: &OwnedValue) -> Option<Ordering> {
        Some(match (x, y) {
            (OwnedValue::Int(x), OwnedValue::Int(y)) => x.cmp(y),
            (OwnedValue::UInt(x), OwnedValue::UInt(y)) => x.cmp(y),
            (OwnedValue::Double(x), OwnedValue::Double(y)) => x.total_cmp(y),
            (OwnedValue::Decimal(x), OwnedValue::Decimal(y)) => x.cmp(y),
            (OwnedValue::Str(x), OwnedValue::Str(y)) => self.collation.get().compare(x, y),
            (OwnedValue::Date(x), OwnedValue::Date(y)) => x.cmp(y),
            (OwnedValue::DateTime(x), OwnedValue::DateTime(y)) => x.cmp(y),
            (OwnedValue::Time(x), OwnedValue::Time(y)) => x.cmp(y),
            _ => return None,
        })
    }

    /// Whether a bucket's values come after those of the last one.
    fn follows(&self, b: &Bucket, i: usize) -> Read<()> {
        let before = |x: &OwnedValue, y: &OwnedValue| self.order(x, y) == Some(Ordering::Less);
        if before(&b.upper, &b.lower) {
            return Err(format!(
                "The lower inclusive value of bucket at '$.buckets[{i}][0]' must be less than or equal to upper inclusive value."
            ));
        }
        match self.buckets.last() {
            Some(last) if !before(&last.upper, &b.lower) => Err(if self.singleton {
                format!("The value at '$.buckets[{i}][0]' must be greater than that of previous bucket.")
            } else {
                format!(
                    "The lower inclusive value of bucket at '$.buckets[{i}][0]' must be greater than the upper inclusive value of previous bucket."
                )
            }),
            _ => Ok(()),
        }
    }
}

const FREQUENCY: &str = "The frequency";

fn wrong(place: &str) -> String {
    format!("Wrong attribute type at '{place}'.")
}

fn out_of_range(place: &str) -> String {
    format!("Out of range value for column at '{place}'.")
}

fn part<'a>(root: Ref<'a>, key: &str) -> Read<Ref<'a>> {
    root.member(key.as_bytes()).ok_or_else(|| format!("Missing attribute at '$.\"{key}\"'."))
}

fn text<'a>(root: Ref<'a>, key: &str) -> Read<&'a [u8]> {
    part(root, key)?.as_str().ok_or_else(|| wrong(&format!("$.\"{key}\"")))
}

fn last_updated(root: Ref<'_>, ctx: &mut ConvCtx) -> Read<DateTime> {
    let Some(at) = root.member(b"last-updated").and_then(|r| r.as_str()) else { return Ok(DateTime::ZERO) };
    to_datetime(Value::Str(at), &text_type(), ctx).ok_or_else(|| wrong("$.\"last-updated\""))
}

fn auto_update(root: Ref<'_>, given: bool) -> Read<bool> {
    match root.member(b"auto-update").map(Ref::kind) {
        Some(Kind::Bool(b)) => Ok(b),
        None if !given => Ok(false),
        None => part(root, "auto-update").map(|_| false),
        Some(_) => Err(wrong("$.\"auto-update\"")),
    }
}

fn collation(root: Ref<'_>) -> Read<CollationId> {
    let id = match part(root, "collation-id")?.kind() {
        Kind::Int(n) => u16::try_from(n).ok(),
        Kind::UInt(n) => u16::try_from(n).ok(),
        _ => return Err(wrong("$.\"collation-id\"")),
    };
    let known = id.map(CollationId).filter(|c| c.is_known());
    known.ok_or_else(|| "The charset ID does not exist at '$.\"collation-id\"'.".into())
}

fn specified(root: Ref<'_>) -> Read<u64> {
    let n = match part(root, "number-of-buckets-specified")?.kind() {
        Kind::Int(n) => u64::try_from(n).unwrap_or(0),
        Kind::UInt(n) => n,
        _ => return Err(wrong("$.\"number-of-buckets-specified\"")),
    };
    if (1..=MAX_BUCKETS).contains(&n) {
        return Ok(n);
    }
    Err(format!(
        "The value of attribute number-of-buckets-specified must be an integer in the range from 1 to {MAX_BUCKETS} at '$.\"number-of-buckets-specified\"'."
    ))
}

fn distinct(r: Ref<'_>, place: &str) -> Read<u64> {
    let n = match r.kind() {
        Kind::Int(n) => u64::try_from(n).unwrap_or(0),
        Kind::UInt(n) => n,
        _ => return Err(wrong(place)),
    };
    if n > 0 { Ok(n) } else { Err(format!("The number of distinct values must be a positive integer at '{place}'.")) }
}

fn share(r: Ref<'_>, place: &str, what: &str) -> Read<f64> {
    let f = r.number().ok_or_else(|| wrong(place))?;
    if (0.0..=1.0).contains(&f) {
        return Ok(f);
    }
    Err(format!("{what} must be greater than or equal to 0 and less than or equal to 1 at '{place}'."))
}

/// A value of a bucket.
fn value(r: Ref<'_>, t: DataType, ty: Option<&SqlType>, place: &str, ctx: &mut ConvCtx) -> Read<OwnedValue> {
    let format = || format!("Value format error at '{place}'.");
    let range = || out_of_range(place);
    let decimal = |d: Option<Decimal>| d.map(|d| OwnedValue::Decimal(Box::new(d))).ok_or_else(format);
    let found = match (t, r.kind()) {
        (DataType::Int, Kind::Int(n)) => OwnedValue::Int(n),
        (DataType::Int, Kind::UInt(n)) => OwnedValue::Int(i64::try_from(n).map_err(|_| range())?),
        (DataType::UInt | DataType::Enum | DataType::Set, Kind::Int(n)) => {
            OwnedValue::UInt(u64::try_from(n).map_err(|_| range())?)
        }
        (DataType::UInt | DataType::Enum | DataType::Set, Kind::UInt(n)) => OwnedValue::UInt(n),
        (DataType::Double, Kind::Double(f)) => OwnedValue::Double(f),
        (DataType::Double, Kind::Decimal(d)) => OwnedValue::Double(d.to_f64()),
        (DataType::Decimal, Kind::Decimal(d)) => OwnedValue::Decimal(Box::new(d)),
        (DataType::Decimal, Kind::Int(n)) => decimal(Some(Decimal::from_i64(n)))?,
        (DataType::Decimal, Kind::UInt(n)) => decimal(Some(Decimal::from_u64(n)))?,
        (DataType::Decimal, Kind::Double(f)) => decimal(Decimal::parse(f.to_string().as_bytes()))?,
        (DataType::String, Kind::Opaque(_, s)) => OwnedValue::Str(s.into()),
        (DataType::String, Kind::Str(s)) => {
            OwnedValue::Str(s.strip_prefix(STRING_PREFIX).and_then(decoded).ok_or_else(format)?.into())
        }
        (DataType::Date, Kind::Date(d)) => OwnedValue::Date(d),
        (DataType::DateTime, Kind::DateTime(d)) => OwnedValue::DateTime(d),
        (DataType::Time, Kind::Time(d)) => OwnedValue::Time(d),
        (DataType::Date | DataType::DateTime | DataType::Time, Kind::Str(s)) => {
            moment(s, t, ctx).ok_or_else(format)?.ok_or_else(range)?
        }
        _ => return Err(wrong(place)),
    };
    if ty.is_some_and(|ty| !fits(&found, ty)) { Err(range()) } else { Ok(found) }
}

/// A date or time from its text: `None` if it is none, `Some(None)` if the column could not hold it.
fn moment(s: &[u8], t: DataType, ctx: &mut ConvCtx) -> Option<Option<OwnedValue>> {
    let ty = text_type();
    if t == DataType::Time {
        let first = s.split(|b| *b == b':').next()?;
        if s.contains(&b' ') && to_datetime(Value::Str(s), &ty, ctx).is_some() {
            return Some(None);
        }
        let hours: u32 = std::str::from_utf8(first.strip_prefix(b"-").unwrap_or(first)).ok()?.parse().ok()?;
        if first.len() == s.len() || hours > crate::temporal::MAX_TIME_HOURS {
            return None;
        }
        return Some(Some(OwnedValue::Time(to_time(Value::Str(s), &ty, ctx)?)));
    }
    if s.split(|b| *b == b'-').count() != 3 {
        return None;
    }
    if s.starts_with(b"0000-00-00") {
        return Some(None);
    }
    let d = to_datetime(Value::Str(s), &ty, ctx)?;
    if t == DataType::DateTime {
        return Some(Some(OwnedValue::DateTime(d)));
    }
    let whole = d.date().to_datetime() == d;
    Some(whole.then(|| OwnedValue::Date(d.date())))
}

/// Whether a column of this type can hold the value.
fn fits(v: &OwnedValue, ty: &SqlType) -> bool {
    let bits = match ty.kind {
        TypeKind::TinyInt => 8,
        TypeKind::SmallInt => 16,
        TypeKind::MediumInt => 24,
        TypeKind::Int => 32,
        _ => 64,
    };
    match v {
        OwnedValue::Int(n) => bits == 64 || (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(n),
        OwnedValue::UInt(n) => bits == 64 || *n < 1u64 << bits,
        OwnedValue::Decimal(d) => ty.kind != TypeKind::Decimal || d.fit(ty.length as u8, ty.decimals).is_ok(),
        OwnedValue::Str(s) if matches!(ty.kind, TypeKind::Char | TypeKind::VarChar) => {
            ty.charset().char_count(s) <= ty.length as usize
        }
        OwnedValue::Str(s) if ty.kind.is_binary_string() => s.len() <= ty.length as usize,
        _ => true,
    }
}

/// Base 64 with padding.
fn decoded(s: &[u8]) -> Option<Vec<u8>> {
    let digit = |b: u8| {
        Some(u32::from(match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        }))
    };
    let body = s.strip_suffix(b"==").or_else(|| s.strip_suffix(b"=")).unwrap_or(s);
    if !s.len().is_multiple_of(4) {
        return None;
    }
    let mut out = Vec::with_capacity(body.len() / 4 * 3 + 2);
    for group in body.chunks(4) {
        let mut bits = 0u32;
        for b in group {
            bits = bits << 6 | digit(*b)?;
        }
        bits <<= 6 * (4 - group.len());
        let bytes = bits.to_be_bytes();
        out.extend_from_slice(bytes.get(1..group.len())?);
    }
    Some(out)
}
