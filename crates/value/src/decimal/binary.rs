//! MySQL's order-preserving binary format of DECIMAL(precision, scale): groups of nine digits in four bytes, shorter
//! groups at the outer ends, sign in the flipped first bit, negative numbers inverted. memcmp order = numeric order.
//! Source: MySQL internals manual, "DECIMAL" ("Data Type Storage Requirements" in the manual gives the sizes).

use super::wide;
use super::{Decimal, MAX_PRECISION, MAX_SCALE};

/// Bytes that hold 0 ... 9 digits.
const BYTES_FOR: [usize; 10] = [0, 1, 1, 2, 2, 3, 3, 4, 4, 4];

fn bytes_for(digits: usize) -> usize {
    BYTES_FOR.get(digits).copied().unwrap_or(4)
}

/// Bytes of DECIMAL(precision, scale), at most 30.
pub fn binary_size(precision: u8, scale: u8) -> usize {
    let (int, frac) = (precision.saturating_sub(scale) as usize, scale as usize);
    int / 9 * 4 + bytes_for(int % 9) + frac / 9 * 4 + bytes_for(frac % 9)
}

/// Appends the binary form. The value is rounded to `scale`; a value that does not fit `precision` is an error that
/// holds the nearest value that does (nothing is appended).
pub fn encode(d: &Decimal, precision: u8, scale: u8, out: &mut Vec<u8>) -> Result<(), Decimal> {
    let d = d.fit(precision.min(MAX_PRECISION), scale.min(MAX_SCALE))?;
    let mut mag = d.mag_at(scale as usize).unwrap_or(d.mag);
    let start = out.len();
    let size = binary_size(precision, scale);
    out.resize(start + size, 0);
    let Some(buf) = out.get_mut(start..) else { return Ok(()) };
    let mut end = size;
    let mut group = |mag: &mut wide::U256, digits: usize| {
        let n = bytes_for(digits);
        let (q, r) = wide::div_rem_small(mag, wide::POW10_U64.get(digits).copied().unwrap_or(1));
        *mag = q;
        let bytes = (r as u32).to_be_bytes();
        if let (Some(to), Some(from)) = (buf.get_mut(end - n..end), bytes.get(4 - n..)) {
            to.copy_from_slice(from);
        }
        end -= n;
    };
    let (int, frac) = (precision.saturating_sub(scale) as usize, scale as usize);
    if frac % 9 > 0 {
        group(&mut mag, frac % 9);
    }
    for _ in 0..frac / 9 + int / 9 {
        group(&mut mag, 9);
    }
    if int % 9 > 0 {
        group(&mut mag, int % 9);
    }
    if d.is_negative() {
        for b in buf.iter_mut() {
            *b = !*b;
        }
    }
    if let Some(b) = buf.first_mut() {
        *b ^= 0x80;
    }
    Ok(())
}

/// 10^0 ... 10^30.
#[allow(clippy::indexing_slicing)] // computed by the compiler, which would see it
static POW10_U128: [u128; MAX_SCALE as usize + 1] = {
    let mut all = [1u128; MAX_SCALE as usize + 1];
    let mut i = 1;
    while i <= MAX_SCALE as usize {
        all[i] = all[i - 1] * 10;
        i += 1;
    }
    all
};

/// Bytes of a fraction below 10^30.
const FRACTION: usize = 13;

/// Appends bytes in whose memcmp order numbers of any scale come, the same ones for equal numbers; none is the beginning of another's. More than
/// 30 digits after the point are rounded. Made for sorting: the sign with the length of the integer part, the integer part, the fraction times
/// 10^30, all inverted below zero.
pub fn sort_key(d: &Decimal, out: &mut Vec<u8>) {
    let rounded;
    let d = if d.scale > MAX_SCALE {
        rounded = d.round(i32::from(MAX_SCALE));
        &rounded
    } else {
        d
    };
    let scale = d.scale as usize;
    let unit = POW10_U128.get(scale).copied().unwrap_or(1);
    let rest = POW10_U128.get(MAX_SCALE as usize - scale).copied().unwrap_or(1);
    let (int, fraction) = match (d.mag, u64::try_from(unit)) {
        ([c, 0, 0, 0], Ok(unit)) => ([c / unit, 0, 0, 0], u128::from(c % unit)),
        (mag, _) => {
            let (q, r) = wide::div_rem_pow10(&mag, scale);
            (q, wide::as_u128(&r).unwrap_or(0))
        }
    };
    let start = out.len();
    let mut bytes = [0u8; 32];
    for (to, from) in bytes.chunks_exact_mut(8).zip(int.iter().rev()) {
        to.copy_from_slice(&from.to_be_bytes());
    }
    let zeros = bytes.iter().take_while(|b| **b == 0).count();
    out.push(0x80 | (bytes.len() - zeros) as u8);
    out.extend(bytes.iter().skip(zeros));
    out.extend((fraction * rest).to_be_bytes().iter().skip(16 - FRACTION));
    if d.neg {
        out.iter_mut().skip(start).for_each(|b| *b = !*b);
    }
}

/// Reads the binary form; `None` when `bytes` is too short or not one (as far as that is seen). Uses `binary_size(precision, scale)` bytes.
pub fn decode(bytes: &[u8], precision: u8, scale: u8) -> Option<Decimal> {
    let size = binary_size(precision, scale);
    let mut rest = bytes.get(..size)?;
    let neg = rest.first()? & 0x80 == 0;
    let flip = if neg { 0xffu8 } else { 0 };
    let mut first = 0x80u8;
    let mut mag = [0u64; 4];
    let mut acc = 0u64;
    let mut acc_digits = 0usize;
    let mut group = |digits: usize| -> Option<()> {
        let (head, tail) = rest.split_at_checked(bytes_for(digits))?;
        rest = tail;
        let v = head.iter().fold(0u64, |a, b| {
            let b = b ^ flip ^ first;
            first = 0;
            a << 8 | u64::from(b)
        });
        // two groups of nine at a time
        if acc_digits + digits > 18 {
            mag = wide::mul_add_small(&mag, *wide::POW10_U64.get(acc_digits)?, acc)?;
            acc = 0;
            acc_digits = 0;
        }
        // groups of damaged bytes may be more than their digits can say
        acc = acc.checked_mul(*wide::POW10_U64.get(digits)?)?.checked_add(v)?;
        acc_digits += digits;
        Some(())
    };
    let (int, frac) = (precision.saturating_sub(scale) as usize, scale as usize);
    if int % 9 > 0 {
        group(int % 9)?;
    }
    for _ in 0..int / 9 + frac / 9 {
        group(9)?;
    }
    if frac % 9 > 0 {
        group(frac % 9)?;
    }
    // up to 18 digits are all in the accumulator
    mag = match wide::is_zero(&mag) {
        true => [acc, 0, 0, 0],
        false => wide::mul_add_small(&mag, *wide::POW10_U64.get(acc_digits)?, acc)?,
    };
    Some(Decimal::raw(mag, frac, neg))
}
