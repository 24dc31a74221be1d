//! DECIMAL: exact numbers of up to 65 digits with 0-30 of them after the point.
//!
//! A [`Decimal`] is a 256-bit coefficient with a scale; almost all arithmetic happens in its lower 128 bits. Functions
//! return results exactly or rounded half away from zero, never silently wrong: overflow is an `Err`.
//!
//! * [`arith`](self): add, subtract, multiply, divide, remainder; * text in and out; * MySQL's order-preserving binary
//!   format for keys and rows.


/// Most digits of a DECIMAL.
pub const MAX_PRECISION: u8 = 65;
/// Most digits after the point.
pub const MAX_SCALE: u8 = 30;

/// A DECIMAL value. The scale is part of the value's text (1.50 has scale 2) but not of its comparison (1.5 = 1.50).
#[derive(Clone, Copy)]
pub struct Decimal {
    pub(crate) mag: [u64; 4],
    pub(crate) scale: u8,
    pub(crate) neg: bool,
}

impl Decimal {
    /// 0 with scale 0.
    pub const ZERO: Decimal = Decimal { mag: [0; 4], scale: 0, neg: false };

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
}

impl std::fmt::Debug for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{:?}e-{}", if self.neg { "-" } else { "" }, self.mag, self.scale)
    }
}
