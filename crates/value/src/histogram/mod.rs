//! Histograms of a column's values: `ANALYZE TABLE ... UPDATE HISTOGRAM`.
//!
//! * [`Histogram::build`] makes one from sorted values (`build.rs`): *singleton* (a bucket per value) when there are no more values than buckets,
//!   *equi-height* otherwise.
//! * [`Histogram::share`] says what share of the rows a comparison with a constant leaves.
//! * [`Histogram::to_document`] (`document.rs`) and [`Histogram::from_document`] (`reading.rs`) are the JSON form of the manual ("Optimizer Statistics"): what
//!   `information_schema.COLUMN_STATISTICS` shows, `USING DATA` takes and the dictionary stores.
//!
//! Pure data, immutable once made: a table's definition holds it, readers share it. Tests: `tests.rs`.

mod build;
mod document;
mod reading;

pub use build::{Circumstances, kept};

use std::cmp::Ordering;

use base::{ErrorCode, SqlError};

use crate::collation::CollationId;
use crate::temporal::DateTime;
use crate::types::{SqlType, TypeKind};
use crate::value::{OwnedValue, Value};

#[cfg(test)]
mod tests;

/// Buckets when the statement does not say.
pub const DEFAULT_BUCKETS: u64 = 100;
/// Most buckets.
pub const MAX_BUCKETS: u64 = 1024;
/// Characters of a string that count.
pub const STRING_CHARS: usize = 42;
/// A histogram may be old: no condition is taken to leave less than this.
const LEAST_SHARE: f64 = 0.001;

/// What values a histogram has, as its `data-type` names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum DataType {
    Int,
    UInt,
    Double,
    Decimal,
    Date,
    Time,
    DateTime,
    String,
    Enum,
    Set,
}

impl DataType {
    const ALL: [(DataType, &'static str); 10] = [
        (DataType::Int, "int"),
        (DataType::UInt, "uint"),
        (DataType::Double, "double"),
        (DataType::Decimal, "decimal"),
        (DataType::Date, "date"),
        (DataType::Time, "time"),
        (DataType::DateTime, "datetime"),
        (DataType::String, "string"),
        (DataType::Enum, "enum"),
        (DataType::Set, "set"),
    ];

    /// Of a column; `None` for types that have no histograms (JSON).
    pub fn of(ty: &SqlType) -> Option<DataType> {
        Some(match ty.kind {
            TypeKind::Json | TypeKind::Null => return None,
            TypeKind::Float | TypeKind::Double => DataType::Double,
            TypeKind::Decimal => DataType::Decimal,
            TypeKind::Date => DataType::Date,
            TypeKind::Time => DataType::Time,
            TypeKind::DateTime | TypeKind::Timestamp => DataType::DateTime,
            TypeKind::Enum => DataType::Enum,
            TypeKind::Set => DataType::Set,
            TypeKind::Year => DataType::Int,
            TypeKind::Bit => DataType::UInt,
            k if k.is_integer() => {
                if ty.unsigned {
                    DataType::UInt
                } else {
                    DataType::Int
                }
            }
            _ => DataType::String,
        })
    }

    /// As the JSON form names it.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(t, _)| *t == self).map_or("", |(_, n)| n)
    }
}

/// A run of values in order.
#[derive(Clone, Debug)]
pub struct Bucket {
    /// Least value; of a singleton histogram the same as `upper`.
    pub lower: OwnedValue,
    /// Greatest value.
    pub upper: OwnedValue,
    /// Share of all rows (with NULLs) that are in this bucket or one before it.
    pub cumulative: f64,
    /// Estimated number of distinct values.
    pub distinct: u64,
}

/// A column's histogram.
#[derive(Clone, Debug)]
pub struct Histogram {
    /// Buckets in the column's order; none when all values are NULL.
    pub buckets: Vec<Bucket>,
    /// One value per bucket.
    pub singleton: bool,
    /// Share of rows that are NULL.
    pub null_values: f64,
    /// When it was made, UTC.
    pub last_updated: DateTime,
    /// Share of the rows that were looked at.
    pub sampling_rate: f64,
    /// `WITH n BUCKETS`.
    pub specified: u64,
    /// `AUTO UPDATE`.
    pub auto_update: bool,
    /// Kind of the values.
    pub data_type: DataType,
    /// Collation of strings; of everything else latin1_swedish_ci (8), as MySQL has it.
    pub collation: CollationId,
}

/// A comparison with a constant; `holds` of the order of a column's value to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Test {
    Eq,
    Lt,
    Le,
}

/// 1690 for a number of buckets that is not in 1 to 1,024.
///
/// # Errors
/// That.
pub fn check_buckets(n: u64) -> Result<(), SqlError> {
    if (1..=MAX_BUCKETS).contains(&n) {
        return Ok(());
    }
    Err(SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&"Number of buckets", &"ANALYZE TABLE"]))
}

/// Values as numbers, for interpolation.
fn number(v: Value<'_>) -> Option<f64> {
    Some(match v {
        Value::Int(n) => n as f64,
        Value::UInt(n) => n as f64,
        Value::Double(f) => f,
        Value::Decimal(d) => d.to_f64(),
        Value::Date(d) => f64::from(d.0),
        Value::DateTime(d) => d.0 as f64,
        Value::Time(t) => t.0 as f64,
        _ => return None,
    })
}

impl Histogram {
    /// Estimated number of distinct values that are not NULL.
    pub fn distinct(&self) -> f64 {
        self.buckets.iter().map(|b| b.distinct as f64).sum()
    }

    /// Share of rows that are NULL.
    pub fn nulls(&self) -> f64 {
        self.null_values
    }

    /// Share of rows that are not NULL.
    pub fn not_null(&self) -> f64 {
        (1.0 - self.null_values).max(0.0)
    }

    /// Share of the rows whose value is equal to, less than, or not greater than a constant. `order` is the order of a value of the column
    /// to the constant; `constant` is the constant where it can be a number of the column's type.
    pub fn share(
        &self,
        test: Test,
        constant: Option<Value<'_>>,
        order: &mut dyn FnMut(Value<'_>) -> Option<Ordering>,
    ) -> f64 {
        let (mut sum, mut before) = (0.0, 0.0);
        for b in &self.buckets {
            let own = (b.cumulative - before).max(0.0);
            before = b.cumulative;
            let (Some(low), Some(high)) = (order(b.lower.as_value()), order(b.upper.as_value())) else { continue };
            sum += own
                * match test {
                    Test::Eq if low.is_le() && high.is_ge() => 1.0 / b.distinct.max(1) as f64,
                    Test::Eq => 0.0,
                    Test::Lt if high.is_lt() => 1.0,
                    Test::Le if high.is_le() => 1.0,
                    Test::Lt if low.is_ge() => 0.0,
                    Test::Le if low.is_gt() => 0.0,
                    // the constant lies inside
                    _ => inside(b, constant),
                };
        }
        sum
    }

    /// Share for a constant of which only its type is known.
    pub fn average(&self) -> f64 {
        self.not_null() / self.distinct().max(1.0)
    }

    /// What an estimate is taken for: never less than one row in a thousand.
    pub fn bounded(share: f64) -> f64 {
        share.clamp(LEAST_SHARE, 1.0)
    }
}

/// How far into a bucket a constant lies.
fn inside(b: &Bucket, constant: Option<Value<'_>>) -> f64 {
    let at = (|| {
        let (low, high) = (number(b.lower.as_value())?, number(b.upper.as_value())?);
        let c = number(constant?)?;
        (high > low).then(|| ((c - low) / (high - low)).clamp(0.0, 1.0))
    })();
    at.unwrap_or(0.5)
}
