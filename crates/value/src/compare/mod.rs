//! Comparison of two values, and hashing that agrees with it.
//!
//! [`comparison_kind`] decides once per expression how two static types compare (manual, "Type Conversion in Expression
//! Evaluation"); [`Comparator`] then compares values without looking at types again.

use std::cmp::Ordering;
use std::hash::Hasher;

use base::{SqlError, SqlResult};

use crate::collation::CollationId;
use crate::context::ConvCtx;
use crate::types::SqlType;
use crate::value::Value;

/// The domain in which two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ComparisonKind {
    /// Integers of either sign.
    Int,
    /// Exact decimals (also integer with decimal).
    Decimal,
    /// Doubles.
    Double,
    /// Strings under a collation.
    String(CollationId),
    /// Dates and times of day with dates.
    DateTime,
    /// TIME with TIME.
    Time,
}

/// How operands of these static types compare. Error 1267 for collations that do not mix.
pub fn comparison_kind(_a: &SqlType, _b: &SqlType) -> SqlResult<ComparisonKind> {
    Err(SqlError::unsupported("comparison"))
}

/// Compares values of two static types.
#[derive(Clone, Debug)]
pub struct Comparator {
    /// Domain.
    pub kind: ComparisonKind,
    /// Left operand's type.
    pub left: SqlType,
    /// Right operand's type.
    pub right: SqlType,
}

impl Comparator {
    /// For operands of these types.
    pub fn new(left: &SqlType, right: &SqlType) -> SqlResult<Comparator> {
        Ok(Comparator { kind: comparison_kind(left, right)?, left: left.clone(), right: right.clone() })
    }
    /// `None` when either operand is NULL (or text that is no date where a date is needed).
    pub fn compare(&self, _a: Value<'_>, _b: Value<'_>, _ctx: &mut ConvCtx) -> Option<Ordering> {
        None
    }
}

/// Order of two values of the *same* static type, NULL first: ORDER BY, GROUP BY, MIN/MAX.
pub fn order_same_type(_a: Value<'_>, _b: Value<'_>, _ty: &SqlType) -> Ordering {
    Ordering::Equal
}

/// Feeds `v` to a hasher so that values of this static type that compare equal hash equal (NULL has a hash of its own).
pub fn hash_same_type<H: Hasher>(_v: Value<'_>, _ty: &SqlType, _h: &mut H) {}
