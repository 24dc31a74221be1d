//! DECIMAL: exact numbers of up to 65 digits with 0-30 of them after the point.
//!
//! A [`Decimal`] is a 256-bit coefficient with a scale; almost all arithmetic happens in its lower 128 bits. Results are
//! exact, or rounded where the function says so; overflow is an `Err`, never a wrong number. Like MySQL's, intermediate
//! results may have more digits than a column can (76 here, 81 there) and division keeps its fraction in groups of nine
//! digits: `1/3*3` is 1.0000 because rounding to the expression's scale happens when the result is shown or stored
//! (`to_text` and `convert_for_column` round to the type's scale).
//!
//! * `arith`: add, subtract, multiply, divide, remainder, rounding; `text`: parsing and formatting; `binary`: MySQL's
//!   order-preserving binary format for keys and rows; `wide`: 256-bit integers.
//!
//! Tested in `tests.rs` against fastnum and i128 arithmetic.

mod arith;
mod binary;
mod text;
mod wide;

#[cfg(test)]
mod tests;

pub use arith::Overflow;
pub use binary::{binary_size, decode as decode_binary, encode as encode_binary, sort_key};
pub use text::Parsed;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use wide::U256;

/// Most digits of a DECIMAL column.
pub const MAX_PRECISION: u8 = 65;
/// Most digits after the point of a DECIMAL column.
pub const MAX_SCALE: u8 = 30;

/// A DECIMAL value. The scale is part of the value's text (1.50 has scale 2) but not of its comparison (1.5 = 1.50).
/// Zero is never negative.
#[derive(Clone, Copy)]
pub struct Decimal {
    mag: U256,
    scale: u8,
    neg: bool,
}

impl Decimal {
    /// 0 with scale 0.
    pub const ZERO: Decimal = Decimal { mag: [0; 4], scale: 0, neg: false };
    /// 1 with scale 0.
    pub const ONE: Decimal = Decimal { mag: [1, 0, 0, 0], scale: 0, neg: false };

    fn raw(mag: U256, scale: usize, neg: bool) -> Decimal {
        Decimal { neg: neg && !wide::is_zero(&mag), mag, scale: scale as u8 }
    }
    /// From an integer, scale 0.
    #[inline]
    pub const fn from_i64(v: i64) -> Decimal {
        Decimal { mag: [v.unsigned_abs(), 0, 0, 0], scale: 0, neg: v < 0 }
    }
    /// From an integer, scale 0.
    #[inline]
    pub const fn from_u64(v: u64) -> Decimal {
        Decimal { mag: [v, 0, 0, 0], scale: 0, neg: false }
    }
    /// `coefficient * 10^-scale`; the scale is at most [`MAX_SCALE`].
    #[inline]
    pub fn from_i128(coefficient: i128, scale: u8) -> Decimal {
        Decimal::raw(wide::from_u128(coefficient.unsigned_abs()), scale.min(MAX_SCALE) as usize, coefficient < 0)
    }
    /// The coefficient if it fits: the value is `coefficient * 10^-scale`.
    #[inline]
    pub fn to_i128(&self) -> Option<i128> {
        let v = i128::try_from(wide::as_u128(&self.mag)?).ok()?;
        Some(if self.neg { -v } else { v })
    }
    /// Digits after the point.
    #[inline]
    pub const fn scale(&self) -> u8 {
        self.scale
    }
    /// Below zero.
    #[inline]
    pub const fn is_negative(&self) -> bool {
        self.neg
    }
    /// Equal to 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        wide::is_zero(&self.mag)
    }
    /// Digits before the point without leading zeros (0 for 0.5).
    pub fn int_digits(&self) -> usize {
        wide::digits(&self.mag).saturating_sub(self.scale as usize)
    }
    /// Digits a column needs for this value: integer digits plus scale, at least 1.
    pub fn precision(&self) -> u8 {
        (self.int_digits() + self.scale as usize).max(1) as u8
    }
    /// The largest value of DECIMAL(precision, scale): 99...9, with the sign asked for.
    pub fn max_value(precision: u8, scale: u8, negative: bool) -> Decimal {
        let p = wide::POW10.get(precision.min(MAX_PRECISION) as usize).copied().unwrap_or([1, 0, 0, 0]);
        Decimal::raw(wide::sub(&p, &[1, 0, 0, 0]), scale as usize, negative)
    }
}

impl PartialEq for Decimal {
    fn eq(&self, o: &Decimal) -> bool {
        self.cmp(o) == Ordering::Equal
    }
}
impl Eq for Decimal {}
impl PartialOrd for Decimal {
    fn partial_cmp(&self, o: &Decimal) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for Decimal {
    fn cmp(&self, o: &Decimal) -> Ordering {
        match (self.neg, o.neg) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (n, _) => {
                let r = arith::cmp_magnitude(self, o);
                if n { r.reverse() } else { r }
            }
        }
    }
}
impl Hash for Decimal {
    /// Equal values hash equal whatever their scale.
    fn hash<H: Hasher>(&self, h: &mut H) {
        let n = self.normalized();
        n.mag.hash(h);
        h.write_u8(n.scale);
        h.write_u8(u8::from(n.neg));
    }
}
impl Default for Decimal {
    fn default() -> Decimal {
        Decimal::ZERO
    }
}
impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = Vec::with_capacity(80);
        self.format(&mut out);
        f.write_str(&String::from_utf8_lossy(&out))
    }
}
impl std::fmt::Debug for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
