//! Arithmetic and rounding.

use std::cmp::Ordering;

use super::wide::{self, MAX_DIGITS, POW10};
use super::{Decimal, MAX_SCALE};

/// The result has more digits than a DECIMAL can hold (error 1690 for the caller).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow;

/// Most digits a result may have; above this the fraction is shortened, then it overflows.
const LIMIT: usize = MAX_DIGITS - 1;

pub(super) fn cmp_magnitude(a: &Decimal, b: &Decimal) -> Ordering {
    if a.scale == b.scale {
        return wide::cmp(&a.mag, &b.mag);
    }
    let (a_up, b_up) = (b.scale.saturating_sub(a.scale) as usize, a.scale.saturating_sub(b.scale) as usize);
    if let (Some(x), Some(y)) = (wide::mul_pow10(&a.mag, a_up), wide::mul_pow10(&b.mag, b_up)) {
        return wide::cmp(&x, &y);
    }
    let one = [1, 0, 0, 0];
    let x = wide::mul_wide(&a.mag, POW10.get(a_up).unwrap_or(&one));
    let y = wide::mul_wide(&b.mag, POW10.get(b_up).unwrap_or(&one));
    wide::cmp_wide(&x, &y)
}

impl Decimal {
    /// Sum; scale is the larger of both. When the digits do not fit, fraction digits are cut off as MySQL does.
    #[inline]
    pub fn add(&self, o: &Decimal) -> Result<Decimal, Overflow> {
        match self.add_small(o) {
            Some(d) => Ok(d),
            None => self.add_wide(o),
        }
    }

    /// The sum of numbers whose coefficients at the larger scale stay below 2^127, as nearly all do.
    #[inline]
    fn add_small(&self, o: &Decimal) -> Option<Decimal> {
        let scale = self.scale.max(o.scale);
        let at = |d: &Decimal| -> Option<i128> {
            let m = wide::as_u128(&d.mag)?;
            let m = match scale - d.scale {
                0 => m,
                up => m.checked_mul(u128::from(*wide::POW10_U64.get(up as usize)?))?,
            };
            // both below 2^126: their sum has no overflow, and 38 digits at most
            let m = if m >> 126 == 0 { m as i128 } else { return None };
            Some(if d.neg { -m } else { m })
        };
        let sum = at(self)? + at(o)?;
        Some(Decimal::raw(wide::from_u128(sum.unsigned_abs()), scale as usize, sum < 0))
    }

    fn add_wide(&self, o: &Decimal) -> Result<Decimal, Overflow> {
        let mut scale = self.scale.max(o.scale) as usize;
        loop {
            if let (Some(x), Some(y)) = (self.mag_at(scale), o.mag_at(scale)) {
                let sum = if self.neg == o.neg {
                    wide::add(&x, &y).map(|m| (m, self.neg))
                } else if wide::cmp(&x, &y) == Ordering::Less {
                    Some((wide::sub(&y, &x), o.neg))
                } else {
                    Some((wide::sub(&x, &y), self.neg))
                };
                if let Some((m, neg)) = sum
                    && wide::digits(&m) <= LIMIT
                {
                    return Ok(Decimal::raw(m, scale, neg));
                }
            }
            if scale == 0 {
                return Err(Overflow);
            }
            scale -= 1;
        }
    }

    /// Difference; as [`Decimal::add`].
    pub fn sub(&self, o: &Decimal) -> Result<Decimal, Overflow> {
        self.add(&o.neg())
    }

    /// Product; scale is the sum, at most 31 (cut off), fewer when the digits do not fit.
    pub fn mul(&self, o: &Decimal) -> Result<Decimal, Overflow> {
        let scale = self.scale as usize + o.scale as usize;
        let neg = self.neg != o.neg;
        if let ([x, 0, 0, 0], [y, 0, 0, 0], true) = (self.mag, o.mag, scale <= 31) {
            return Ok(Decimal::raw(wide::from_u128(u128::from(x) * u128::from(y)), scale, neg));
        }
        if let (Some(x), Some(y)) = (wide::as_u128(&self.mag), wide::as_u128(&o.mag))
            && scale <= 31
            && let Some(p) = x.checked_mul(y)
        {
            return Ok(Decimal::raw(wide::from_u128(p), scale, neg));
        }
        let product = wide::mul_wide(&self.mag, &o.mag);
        let mut drop = scale.saturating_sub(31);
        loop {
            let (q, _) = div_wide_pow10(&product, drop);
            if let Some(m) = wide::narrow(&q)
                && wide::digits(&m) <= LIMIT
            {
                return Ok(Decimal::raw(m, scale - drop, neg));
            }
            if drop >= scale {
                return Err(Overflow);
            }
            drop += 1;
        }
    }

    /// Quotient cut off (not rounded) after at least `scale + scale_inc` digits, `scale_inc` being
    /// div_precision_increment; the fraction has a whole number of nine-digit groups as in MySQL. `None` for a zero
    /// divisor.
    pub fn div(&self, o: &Decimal, scale_inc: u8) -> Result<Option<Decimal>, Overflow> {
        let groups = |s: u8| (s as usize).div_ceil(9) * 9;
        let (ga, gb) = (groups(self.scale), groups(o.scale));
        let spare = (ga - self.scale as usize) + (gb - o.scale as usize);
        let scale = (ga + gb + (scale_inc as usize).saturating_sub(spare)).div_ceil(9) * 9;
        // more than 30 digits cannot be kept
        self.div_to_scale(o, scale.min(30))
    }

    /// Quotient cut off after `scale` digits. `None` for a zero divisor.
    pub fn div_to_scale(&self, o: &Decimal, scale: usize) -> Result<Option<Decimal>, Overflow> {
        if o.is_zero() {
            return Ok(None);
        }
        let neg = self.neg != o.neg;
        // (a / 10^sa) / (b / 10^sb) * 10^scale = a * 10^(scale - sa + sb) / b
        let mut scale = scale;
        loop {
            let up = scale as i64 - self.scale as i64 + o.scale as i64;
            let q = if up >= 0 && up as usize <= MAX_DIGITS {
                let one = [1, 0, 0, 0];
                let n = wide::mul_wide(&self.mag, POW10.get(up as usize).unwrap_or(&one));
                Some(wide::div_rem(&n, &o.mag).0)
            } else if up < 0 {
                match wide::mul_pow10(&o.mag, up.unsigned_abs() as usize) {
                    Some(d) => Some(wide::div_rem(&wide::widen(&self.mag), &d).0),
                    None => Some([0; 8]),
                }
            } else {
                None
            };
            if let Some(m) = q.as_ref().and_then(wide::narrow)
                && wide::digits(&m) <= LIMIT
            {
                return Ok(Some(Decimal::raw(m, scale, neg)));
            }
            if scale == 0 {
                return Err(Overflow);
            }
            scale -= 1;
        }
    }

    /// Integer quotient towards zero (operator DIV). `None` for a zero divisor.
    pub fn div_int(&self, o: &Decimal) -> Result<Option<Decimal>, Overflow> {
        self.div_to_scale(o, 0)
    }

    /// Remainder with the sign of the dividend; scale is the larger of both. `None` for a zero divisor.
    pub fn rem(&self, o: &Decimal) -> Result<Option<Decimal>, Overflow> {
        if o.is_zero() {
            return Ok(None);
        }
        let scale = self.scale.max(o.scale) as usize;
        let one = [1, 0, 0, 0];
        let Some(d) = wide::mul_pow10(&o.mag, scale - o.scale as usize) else {
            // the divisor is larger than the dividend can be at this scale
            return match self.mag_at(scale) {
                Some(m) => Ok(Some(Decimal::raw(m, scale, self.neg))),
                None => Err(Overflow),
            };
        };
        let n = wide::mul_wide(&self.mag, POW10.get(scale - self.scale as usize).unwrap_or(&one));
        let (_, r) = wide::div_rem(&n, &d);
        Ok(Some(Decimal::raw(r, scale, self.neg)))
    }

    /// Negated.
    #[inline]
    pub fn neg(&self) -> Decimal {
        Decimal { neg: !self.neg && !self.is_zero(), ..*self }
    }

    /// Without its sign.
    #[inline]
    pub fn abs(&self) -> Decimal {
        Decimal { neg: false, ..*self }
    }

    /// Rounded half away from zero to `scale` digits (negative: to tens, hundreds ...). The result's scale is `scale`,
    /// not below 0; a scale above the present one appends zeros (at most [`MAX_SCALE`], fewer if they do not fit).
    pub fn round(&self, scale: i32) -> Decimal {
        self.rescale(scale, Rounding::HalfUp)
    }
    /// Cut off towards zero; otherwise as [`Decimal::round`].
    pub fn truncate(&self, scale: i32) -> Decimal {
        self.rescale(scale, Rounding::Down)
    }
    /// Smallest integer not below the value, scale 0.
    pub fn ceil(&self) -> Decimal {
        self.rescale(0, if self.neg { Rounding::Down } else { Rounding::Up })
    }
    /// Largest integer not above the value, scale 0.
    pub fn floor(&self) -> Decimal {
        self.rescale(0, if self.neg { Rounding::Up } else { Rounding::Down })
    }

    fn rescale(&self, scale: i32, rounding: Rounding) -> Decimal {
        if scale == i32::from(self.scale) {
            return *self;
        }
        if scale > i32::from(self.scale) {
            let mut to = (scale as usize).min(MAX_SCALE as usize).max(self.scale as usize);
            while to > self.scale as usize {
                if let Some(m) = self.mag_at(to)
                    && wide::digits(&m) <= LIMIT
                {
                    return Decimal::raw(m, to, self.neg);
                }
                to -= 1;
            }
            return *self;
        }
        let drop = (i64::from(self.scale) - i64::from(scale)).min(200) as usize;
        let (mut q, r) = wide::div_rem_pow10(&self.mag, drop);
        let up = match rounding {
            Rounding::Down => false,
            Rounding::Up => !wide::is_zero(&r),
            Rounding::HalfUp => {
                // drop > 77: the coefficient is far below half
                drop <= MAX_DIGITS
                    && wide::mul_add_small(&r, 2, 0)
                        .is_none_or(|twice| POW10.get(drop).is_some_and(|p| wide::cmp(&twice, p) != Ordering::Less))
            }
        };
        if up {
            q = wide::add(&q, &[1, 0, 0, 0]).unwrap_or(q);
        }
        if scale >= 0 {
            return Decimal::raw(q, scale as usize, self.neg);
        }
        // at most 77 digits remain: multiplying back cannot exceed the original by more than one digit
        let back = scale.unsigned_abs().min(200) as usize;
        Decimal::raw(wide::mul_pow10(&q, back).unwrap_or([0; 4]), 0, self.neg)
    }

    /// Without trailing zeros after the point.
    pub fn normalized(&self) -> Decimal {
        let mut d = *self;
        while d.scale > 0 {
            let (q, r) = wide::div_rem_small(&d.mag, 10);
            if r != 0 {
                break;
            }
            d.mag = q;
            d.scale -= 1;
        }
        if d.is_zero() {
            d.scale = 0;
        }
        d
    }

    /// Rounded to `scale` and limited to `precision` digits: `Err` holds the nearest limit (99...9).
    pub fn fit(&self, precision: u8, scale: u8) -> Result<Decimal, Decimal> {
        let d = self.round(i32::from(scale));
        if d.int_digits() > precision.saturating_sub(scale) as usize {
            return Err(Decimal::max_value(precision, scale, self.neg));
        }
        Ok(d)
    }

    /// Coefficient at another scale (digits cut off when smaller), `None` on overflow.
    pub(super) fn mag_at(&self, scale: usize) -> Option<wide::U256> {
        let own = self.scale as usize;
        if scale >= own {
            wide::mul_pow10(&self.mag, scale - own)
        } else {
            Some(wide::div_rem_pow10(&self.mag, own - scale).0)
        }
    }

    /// Rounded half away from zero to an integer; `Err` holds the nearest limit.
    pub fn to_i64(&self) -> Result<i64, i64> {
        let d = self.round(0);
        match wide::as_u128(&d.mag) {
            Some(v) if d.neg && v <= 1 << 63 => Ok((v as i128).wrapping_neg() as i64),
            Some(v) if !d.neg && v <= i64::MAX as u128 => Ok(v as i64),
            _ => Err(if d.neg { i64::MIN } else { i64::MAX }),
        }
    }

    /// Rounded half away from zero to an unsigned integer; `Err` holds the nearest limit (0 for negative values).
    pub fn to_u64(&self) -> Result<u64, u64> {
        let d = self.round(0);
        match wide::as_u128(&d.mag) {
            _ if d.neg => Err(0),
            Some(v) if v <= u64::MAX as u128 => Ok(v as u64),
            _ => Err(u64::MAX),
        }
    }

    /// Nearest double.
    pub fn to_f64(&self) -> f64 {
        if let Some(v) = wide::as_u128(&self.mag)
            && v < 1 << 53
            && let Some(p) = [
                1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
                1e19, 1e20, 1e21, 1e22,
            ]
            .get(self.scale as usize)
        {
            // both operands are exact, so the quotient is correctly rounded
            let f = v as u64 as f64 / p;
            return if self.neg { -f } else { f };
        }
        let mut buf = Vec::with_capacity(80);
        self.format(&mut buf);
        std::str::from_utf8(&buf).ok().and_then(|s| s.parse().ok()).unwrap_or(0.0)
    }

    /// The decimal of the double's shortest text; `Err` for infinities, NaN and values of too many digits.
    pub fn from_f64(v: f64) -> Result<Decimal, Overflow> {
        if v == 0.0 {
            return Ok(Decimal::ZERO);
        }
        if !v.is_finite() || v.abs() >= 1e66 {
            return Err(Overflow);
        }
        let text = format!("{v:e}");
        let p = Decimal::parse_prefix(text.as_bytes());
        if p.overflow { Err(Overflow) } else { Ok(p.value) }
    }
}

enum Rounding {
    HalfUp,
    Down,
    Up,
}

fn div_wide_pow10(a: &wide::U512, n: usize) -> (wide::U512, wide::U256) {
    if n == 0 {
        return (*a, [0; 4]);
    }
    match POW10.get(n) {
        Some(p) => wide::div_rem(a, p),
        None => {
            // two steps; only the quotient is used
            let (q, _) = div_wide_pow10(a, MAX_DIGITS);
            div_wide_pow10(&q, n - MAX_DIGITS)
        }
    }
}
