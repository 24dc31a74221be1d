//! The JSON form of a histogram.
//!
//! Values that JSON has no type for are written as MySQL does: strings as opaque values (`base64:type254:...` in text), dates and times as
//! JSON's own temporal values, ENUM and SET by number. Reading takes those and their texts, so that what COLUMN_STATISTICS shows can be
//! given back with USING DATA.

use std::borrow::Cow;

use base::SqlResult;

use super::{Bucket, DataType, Histogram, MAX_BUCKETS};
use crate::collation::CollationId;
use crate::context::ConvCtx;
use crate::convert::{to_datetime, to_time};
use crate::decimal::Decimal;
use crate::json::convert::text_type;
use crate::json::{Dom, Kind, Ref};
use crate::temporal::format::format_datetime;
use crate::types::SqlType;
use crate::value::{OwnedValue, Value};

/// Type of opaque strings, MYSQL_TYPE_STRING.
const STRING: u8 = 254;
const STRING_PREFIX: &[u8] = b"base64:type254:";

fn dom(v: &OwnedValue) -> Dom<'_> {
    match v {
        OwnedValue::Int(n) => Dom::Int(*n),
        OwnedValue::UInt(n) => Dom::UInt(*n),
        OwnedValue::Double(f) => Dom::Double(*f),
        OwnedValue::Decimal(d) => Dom::Decimal(**d),
        OwnedValue::Str(s) => Dom::Opaque(STRING, Cow::Borrowed(s)),
        OwnedValue::Date(d) => Dom::Date(*d),
        OwnedValue::DateTime(d) => Dom::DateTime(*d),
        OwnedValue::Time(t) => Dom::Time(*t),
        OwnedValue::Null | OwnedValue::Json(_) => Dom::Null,
    }
}

impl Histogram {
    /// As an encoded JSON document.
    ///
    /// # Errors
    /// None for what [`Histogram::build`] makes.
    pub fn to_document(&self) -> SqlResult<Vec<u8>> {
        fn bucket(b: &Bucket, singleton: bool) -> Dom<'_> {
            let mut parts = vec![dom(&b.upper), Dom::Double(b.cumulative)];
            if !singleton {
                parts.insert(0, dom(&b.lower));
                parts.push(Dom::UInt(b.distinct));
            }
            Dom::Array(parts)
        }
        let text = |s: &'static str| Dom::str(s.as_bytes());
        let member = |k: &'static str, v| (Cow::Borrowed(k.as_bytes()), v);
        let mut when = Vec::new();
        format_datetime(self.last_updated, 6, &mut when);
        Dom::object(vec![
            member("buckets", Dom::Array(self.buckets.iter().map(|b| bucket(b, self.singleton)).collect())),
            member("data-type", text(self.data_type.name())),
            member("auto-update", Dom::Bool(self.auto_update)),
            member("null-values", Dom::Double(self.null_values)),
            member("collation-id", Dom::UInt(self.collation.0.into())),
            member("last-updated", Dom::Str(Cow::Owned(when))),
            member("sampling-rate", Dom::Double(self.sampling_rate)),
            member("histogram-type", text(if self.singleton { "singleton" } else { "equi-height" })),
            member("number-of-buckets-specified", Dom::UInt(self.specified)),
        ])
        .to_document()
    }

    /// From a document: what [`Histogram::to_document`] made, or a user gave. `ty` is the column's type; `None` for a stored one, whose column is
    /// known to fit.
    ///
    /// # Errors
    /// What is wrong with it, for people.
    pub fn from_document(root: Ref<'_>, ty: Option<&SqlType>) -> Result<Histogram, String> {
        if !root.is_object() {
            return Err("JSON data is not an object".into());
        }
        text(root, "histogram-type")?;
        let data_type = text(root, "data-type")?;
        let named = DataType::ALL.iter().find(|(_, n)| n.as_bytes() == data_type);
        let data_type = named.map(|(t, _)| *t).ok_or_else(|| wrong("data-type"))?;
        if ty.is_some_and(|t| DataType::of(t) != Some(data_type)) {
            return Err("Histogram data type does not match column data type at '$.\"data-type\"'.".into());
        }
        let collation = CollationId(u16::try_from(count(root, "collation-id")?).map_err(|_| wrong("collation-id"))?);
        if ty.is_some_and(|t| data_type == DataType::String && t.collation != collation) {
            return Err("the collation is not the column's".into());
        }
        let singleton = match text(root, "histogram-type")? {
            b"singleton" => true,
            b"equi-height" => false,
            _ => return Err(wrong("histogram-type")),
        };
        let specified = count(root, "number-of-buckets-specified")?;
        if !(1..=MAX_BUCKETS).contains(&specified) {
            return Err(wrong("number-of-buckets-specified"));
        }
        if ty.is_some() {
            part(root, "auto-update")?;
        }
        let mut ctx = ConvCtx::default();
        let last_updated = to_datetime(Value::Str(text(root, "last-updated")?), &text_type(), &mut ctx);
        let mut h = Histogram {
            buckets: Vec::new(),
            singleton,
            null_values: share(root, "null-values")?,
            last_updated: last_updated.ok_or_else(|| wrong("last-updated"))?,
            sampling_rate: share(root, "sampling-rate")?,
            specified,
            auto_update: matches!(root.member(b"auto-update").map(Ref::kind), Some(Kind::Bool(true))),
            data_type,
            collation,
        };
        let list = part(root, "buckets")?;
        if !list.is_array() || list.len() as u64 > specified {
            return Err(wrong("buckets"));
        }
        let mut before = 0.0;
        for b in list.elements() {
            let b = h.bucket(b, &mut ctx).ok_or_else(|| wrong("buckets"))?;
            if b.cumulative <= before || b.cumulative > 1.0 {
                return Err("the cumulative frequencies do not rise from 0 to 1".into());
            }
            before = b.cumulative;
            h.buckets.push(b);
        }
        if (before + h.null_values - 1.0).abs() > 1e-3 && before + h.null_values > 0.0 {
            return Err("the frequencies of buckets and NULL values do not make up 1".into());
        }
        Ok(h)
    }

    fn bucket(&self, b: Ref<'_>, ctx: &mut ConvCtx) -> Option<Bucket> {
        if b.len() != if self.singleton { 2 } else { 4 } || !b.is_array() {
            return None;
        }
        let lower = value(b.element(0)?, self.data_type, ctx)?;
        if self.singleton {
            return Some(Bucket { upper: lower.clone(), lower, cumulative: real(b.element(1)?)?, distinct: 1 });
        }
        let upper = value(b.element(1)?, self.data_type, ctx)?;
        let distinct = match b.element(3)?.kind() {
            Kind::Int(n) => u64::try_from(n).ok()?,
            Kind::UInt(n) => n,
            _ => return None,
        };
        Some(Bucket { lower, upper, cumulative: real(b.element(2)?)?, distinct: distinct.max(1) })
    }
}

fn wrong(key: &str) -> String {
    format!("wrong value of '{key}'")
}

fn part<'a>(root: Ref<'a>, key: &str) -> Result<Ref<'a>, String> {
    root.member(key.as_bytes()).ok_or_else(|| format!("Missing attribute at '$.\"{key}\"'."))
}

fn text<'a>(root: Ref<'a>, key: &str) -> Result<&'a [u8], String> {
    part(root, key)?.as_str().ok_or_else(|| wrong(key))
}

fn count(root: Ref<'_>, key: &str) -> Result<u64, String> {
    match part(root, key)?.kind() {
        Kind::Int(n) => u64::try_from(n).map_err(|_| wrong(key)),
        Kind::UInt(n) => Ok(n),
        _ => Err(wrong(key)),
    }
}

fn share(root: Ref<'_>, key: &str) -> Result<f64, String> {
    real(part(root, key)?).filter(|f| (0.0..=1.0).contains(f)).ok_or_else(|| wrong(key))
}

fn real(r: Ref<'_>) -> Option<f64> {
    match r.kind() {
        Kind::Int(n) => Some(n as f64),
        Kind::UInt(n) => Some(n as f64),
        Kind::Double(f) => Some(f),
        Kind::Decimal(d) => Some(d.to_f64()),
        _ => None,
    }
}

/// A value of a bucket; `None`: not of that type.
fn value(r: Ref<'_>, t: DataType, ctx: &mut ConvCtx) -> Option<OwnedValue> {
    let ty = text_type();
    Some(match (t, r.kind()) {
        (DataType::Int, Kind::Int(n)) => OwnedValue::Int(n),
        (DataType::Int, Kind::UInt(n)) => OwnedValue::Int(i64::try_from(n).ok()?),
        (DataType::UInt | DataType::Enum | DataType::Set, Kind::Int(n)) => OwnedValue::UInt(u64::try_from(n).ok()?),
        (DataType::UInt | DataType::Enum | DataType::Set, Kind::UInt(n)) => OwnedValue::UInt(n),
        (DataType::Double, _) => OwnedValue::Double(real(r)?),
        (DataType::Decimal, Kind::Decimal(d)) => OwnedValue::Decimal(Box::new(d)),
        (DataType::Decimal, Kind::Int(n)) => OwnedValue::Decimal(Box::new(Decimal::from_i64(n))),
        (DataType::Decimal, Kind::UInt(n)) => OwnedValue::Decimal(Box::new(Decimal::from_u64(n))),
        (DataType::Decimal, Kind::Double(f)) => {
            OwnedValue::Decimal(Box::new(Decimal::parse(f.to_string().as_bytes())?))
        }
        (DataType::String, Kind::Opaque(_, s)) => OwnedValue::Str(s.into()),
        (DataType::String, Kind::Str(s)) => OwnedValue::Str(decoded(s.strip_prefix(STRING_PREFIX)?)?.into()),
        (DataType::Date, Kind::Date(d)) => OwnedValue::Date(d),
        (DataType::Date, Kind::Str(s)) => OwnedValue::Date(to_datetime(Value::Str(s), &ty, ctx)?.date()),
        (DataType::DateTime, Kind::DateTime(d)) => OwnedValue::DateTime(d),
        (DataType::DateTime, Kind::Str(s)) => OwnedValue::DateTime(to_datetime(Value::Str(s), &ty, ctx)?),
        (DataType::Time, Kind::Time(d)) => OwnedValue::Time(d),
        (DataType::Time, Kind::Str(s)) => OwnedValue::Time(to_time(Value::Str(s), &ty, ctx)?),
        _ => return None,
    })
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
