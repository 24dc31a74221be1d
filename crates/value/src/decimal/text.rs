//! Decimal text in and out.

use super::wide::{self, MAX_DIGITS};
use super::{Decimal, MAX_PRECISION, MAX_SCALE};

/// Result of [`Decimal::parse_prefix`].
#[derive(Clone, Copy, Debug)]
pub struct Parsed {
    /// The number; 0 when there is none; the largest DECIMAL(65,0) on overflow.
    pub value: Decimal,
    /// Bytes used, without trailing spaces; 0 when the text does not start with a number.
    pub consumed: usize,
    /// Digits after the point were dropped because they do not fit.
    pub truncated: bool,
    /// Too many digits before the point.
    pub overflow: bool,
}

impl Decimal {
    /// Reads the number at the start of `s` (leading spaces, sign, digits, point, exponent), as MySQL's str2decimal.
    pub fn parse_prefix(s: &[u8]) -> Parsed {
        let mut i = s.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let mut neg = false;
        match s.get(i) {
            Some(b'-') => {
                neg = true;
                i += 1;
            }
            Some(b'+') => i += 1,
            _ => {}
        }
        let mut acc = Accumulator::default();
        let mut any = false;
        while let Some(d) = digit(s, i) {
            acc.push(d, false);
            any = true;
            i += 1;
        }
        if s.get(i) == Some(&b'.') {
            let mut j = i + 1;
            while let Some(d) = digit(s, j) {
                acc.push(d, true);
                any = true;
                j += 1;
            }
            if any {
                i = j;
            }
        }
        if !any {
            return Parsed { value: Decimal::ZERO, consumed: 0, truncated: false, overflow: false };
        }
        let mut exponent = 0i64;
        if matches!(s.get(i), Some(b'e' | b'E')) {
            let (mut j, mut eneg) = (i + 1, false);
            match s.get(j) {
                Some(b'-') => {
                    eneg = true;
                    j += 1;
                }
                Some(b'+') => j += 1,
                _ => {}
            }
            if digit(s, j).is_some() {
                while let Some(d) = digit(s, j) {
                    exponent = (exponent * 10 + i64::from(d)).min(100_000);
                    j += 1;
                }
                i = j;
                if eneg {
                    exponent = -exponent;
                }
            }
        }
        acc.finish(neg, exponent, i)
    }

    /// The whole text (surrounding spaces allowed) as a number; `None` if it is none or does not fit.
    pub fn parse(s: &[u8]) -> Option<Decimal> {
        let p = Decimal::parse_prefix(s);
        let rest = s.get(p.consumed..)?;
        (p.consumed > 0 && !p.overflow && rest.iter().all(u8::is_ascii_whitespace)).then_some(p.value)
    }

    /// Appends the text: `-12.340`, `0.05`.
    pub fn format(&self, out: &mut Vec<u8>) {
        // least significant digit first
        let mut digits = [0u8; 96];
        let mut n = 0;
        let mut m = self.mag;
        while !wide::is_zero(&m) {
            let (q, r) = wide::div_rem_small(&m, 10_000_000_000_000_000_000);
            let last = wide::is_zero(&q);
            let mut r = r;
            let mut k = 0;
            while k < 19 && !(last && r == 0) {
                if let Some(slot) = digits.get_mut(n) {
                    *slot = (r % 10) as u8 + b'0';
                }
                r /= 10;
                n += 1;
                k += 1;
            }
            m = q;
        }
        let scale = self.scale as usize;
        if self.neg {
            out.push(b'-');
        }
        let at = |i: usize| if i < n { digits.get(i).copied().unwrap_or(b'0') } else { b'0' };
        if n <= scale {
            out.push(b'0');
        }
        for i in (scale..n).rev() {
            out.push(at(i));
        }
        if scale > 0 {
            out.push(b'.');
            for i in (0..scale).rev() {
                out.push(at(i));
            }
        }
    }

    /// Appends the text rounded to exactly `scale` digits after the point.
    pub fn format_scaled(&self, scale: u8, out: &mut Vec<u8>) {
        if self.scale == scale {
            self.format(out);
            return;
        }
        let d = self.round(i32::from(scale));
        d.format(out);
        // zeros that the coefficient had no room for
        if d.scale < scale {
            if d.scale == 0 {
                out.push(b'.');
            }
            out.extend(std::iter::repeat_n(b'0', (scale - d.scale) as usize));
        }
    }
}

fn digit(s: &[u8], i: usize) -> Option<u8> {
    s.get(i).filter(|b| b.is_ascii_digit()).map(|b| b - b'0')
}

#[derive(Default)]
struct Accumulator {
    mag: wide::U256,
    small: u64,
    small_digits: u32,
    digits: usize,
    /// digits after the point that are in the coefficient
    scale: usize,
    /// digits before the point that did not fit
    skipped_int: usize,
    dropped: bool,
}

impl Accumulator {
    fn push(&mut self, d: u8, fraction: bool) {
        if self.digits + 1 >= MAX_DIGITS {
            self.dropped |= d != 0;
            if !fraction {
                self.skipped_int += 1;
            }
            return;
        }
        self.small = self.small * 10 + u64::from(d);
        self.small_digits += 1;
        if self.digits > 0 || d != 0 {
            self.digits += 1;
        }
        if fraction {
            self.scale += 1;
        }
        if self.small_digits == 18 {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.small_digits > 0 {
            let p = wide::POW10_U64.get(self.small_digits as usize).copied().unwrap_or(1);
            self.mag = wide::mul_add_small(&self.mag, p, self.small).unwrap_or(self.mag);
            self.small = 0;
            self.small_digits = 0;
        }
    }

    fn finish(mut self, neg: bool, exponent: i64, consumed: usize) -> Parsed {
        self.flush();
        let over =
            Parsed { value: Decimal::max_value(MAX_PRECISION, 0, neg), consumed, truncated: false, overflow: true };
        if wide::is_zero(&self.mag) {
            let scale = (self.scale as i64 - exponent).clamp(0, i64::from(MAX_SCALE));
            let value = Decimal::raw([0; 4], scale as usize, false);
            return Parsed { value, consumed, truncated: self.dropped, overflow: false };
        }
        let mut scale = self.scale as i64 - exponent - self.skipped_int as i64;
        let mut truncated = self.dropped;
        let mut mag = self.mag;
        if scale < 0 {
            match wide::mul_pow10(&mag, scale.unsigned_abs() as usize) {
                Some(m) if wide::digits(&m) < MAX_DIGITS => mag = m,
                _ => return over,
            }
            scale = 0;
        }
        // more fraction digits than a coefficient of this size may have
        let most = (MAX_DIGITS - 1) as i64;
        if scale > most {
            let (q, r) = wide::div_rem_pow10(&mag, (scale - most) as usize);
            truncated |= !wide::is_zero(&r);
            mag = q;
            scale = most;
        }
        let value = Decimal::raw(mag, scale as usize, neg);
        if value.int_digits() > MAX_DIGITS - 1 {
            return over;
        }
        Parsed { value, consumed, truncated, overflow: false }
    }
}
