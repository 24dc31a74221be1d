//! The JSON form of a histogram.
//!
//! Values that JSON has no type for are written as MySQL does: strings as opaque values (`base64:type254:...` in text), dates and times as
//! JSON's own temporal values, ENUM and SET by number. Reading takes those and their texts, so that what COLUMN_STATISTICS shows can be
//! given back with USING DATA (`reading.rs`).

use std::borrow::Cow;

use base::SqlResult;

use super::{Bucket, Histogram};
use crate::json::Dom;
use crate::temporal::format::format_datetime;
use crate::value::OwnedValue;

/// Type of opaque strings, MYSQL_TYPE_STRING.
const STRING: u8 = 254;

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
}
