//! 256-bit unsigned integers, just as much as DECIMAL needs: four little-endian 64-bit limbs.
//!
//! Loops index fixed arrays with counters bounded by the arrays' own lengths; that is why indexing is allowed here.
#![allow(clippy::indexing_slicing)]

use std::cmp::Ordering;

/// Little-endian limbs.
pub(crate) type U256 = [u64; 4];
/// Little-endian limbs of a product.
pub(crate) type U512 = [u64; 8];

/// Most decimal digits that always fit.
pub(crate) const MAX_DIGITS: usize = 77;

/// 10^0 ... 10^77.
pub(crate) static POW10: [U256; MAX_DIGITS + 1] = {
    let mut t = [[0u64; 4]; MAX_DIGITS + 1];
    t[0][0] = 1;
    let mut i = 1;
    while i <= MAX_DIGITS {
        let mut carry = 0u128;
        let mut j = 0;
        while j < 4 {
            let v = t[i - 1][j] as u128 * 10 + carry;
            t[i][j] = v as u64;
            carry = v >> 64;
            j += 1;
        }
        i += 1;
    }
    t
};

/// 10^0 ... 10^19.
pub(crate) static POW10_U64: [u64; 20] = {
    let mut t = [1u64; 20];
    let mut i = 1;
    while i < 20 {
        t[i] = t[i - 1] * 10;
        i += 1;
    }
    t
};

#[inline]
pub(crate) fn from_u128(v: u128) -> U256 {
    [v as u64, (v >> 64) as u64, 0, 0]
}

/// The lower half if the upper is zero.
#[inline]
pub(crate) fn as_u128(a: &U256) -> Option<u128> {
    if a[2] | a[3] == 0 { Some(u128::from(a[1]) << 64 | u128::from(a[0])) } else { None }
}

#[inline]
pub(crate) fn is_zero(a: &U256) -> bool {
    a[0] | a[1] | a[2] | a[3] == 0
}

pub(crate) fn cmp(a: &U256, b: &U256) -> Ordering {
    (a[3], a[2], a[1], a[0]).cmp(&(b[3], b[2], b[1], b[0]))
}

pub(crate) fn add(a: &U256, b: &U256) -> Option<U256> {
    let mut r = [0; 4];
    let mut carry = false;
    for i in 0..4 {
        let (s, c1) = a[i].overflowing_add(b[i]);
        let (s, c2) = s.overflowing_add(u64::from(carry));
        r[i] = s;
        carry = c1 | c2;
    }
    (!carry).then_some(r)
}

/// a - b; a must not be below b.
pub(crate) fn sub(a: &U256, b: &U256) -> U256 {
    let mut r = [0; 4];
    let mut borrow = false;
    for i in 0..4 {
        let (s, c1) = a[i].overflowing_sub(b[i]);
        let (s, c2) = s.overflowing_sub(u64::from(borrow));
        r[i] = s;
        borrow = c1 | c2;
    }
    r
}

/// a * m + c, `None` on overflow.
pub(crate) fn mul_add_small(a: &U256, m: u64, c: u64) -> Option<U256> {
    let mut r = [0; 4];
    let mut carry = u128::from(c);
    for i in 0..4 {
        let v = u128::from(a[i]) * u128::from(m) + carry;
        r[i] = v as u64;
        carry = v >> 64;
    }
    (carry == 0).then_some(r)
}

pub(crate) fn mul_wide(a: &U256, b: &U256) -> U512 {
    let mut r = [0u64; 8];
    for i in 0..4 {
        if a[i] == 0 {
            continue;
        }
        let mut carry = 0u128;
        for j in 0..4 {
            let v = u128::from(a[i]) * u128::from(b[j]) + u128::from(r[i + j]) + carry;
            r[i + j] = v as u64;
            carry = v >> 64;
        }
        r[i + 4] = carry as u64;
    }
    r
}

/// The lower half if the upper is zero.
pub(crate) fn narrow(a: &U512) -> Option<U256> {
    if a[4] | a[5] | a[6] | a[7] == 0 { Some([a[0], a[1], a[2], a[3]]) } else { None }
}

pub(crate) fn widen(a: &U256) -> U512 {
    [a[0], a[1], a[2], a[3], 0, 0, 0, 0]
}

pub(crate) fn cmp_wide(a: &U512, b: &U512) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

/// a * 10^n, `None` on overflow.
pub(crate) fn mul_pow10(a: &U256, n: usize) -> Option<U256> {
    if n == 0 {
        return Some(*a);
    }
    if n < 20 {
        if a[1] | a[2] | a[3] == 0 {
            return Some(from_u128(u128::from(a[0]) * u128::from(POW10_U64[n])));
        }
        return mul_add_small(a, POW10_U64[n], 0);
    }
    if is_zero(a) {
        return Some(*a);
    }
    if n > MAX_DIGITS {
        return None;
    }
    narrow(&mul_wide(a, &POW10[n]))
}

/// Quotient and remainder by a 64-bit divisor (not 0).
pub(crate) fn div_rem_small(a: &U256, d: u64) -> (U256, u64) {
    if a[1] | a[2] | a[3] == 0 {
        return ([a[0] / d, 0, 0, 0], a[0] % d);
    }
    let mut q = [0; 4];
    let mut rem = 0u128;
    for i in (0..4).rev() {
        let cur = rem << 64 | u128::from(a[i]);
        if cur == 0 {
            continue;
        }
        q[i] = (cur / u128::from(d)) as u64;
        rem = cur % u128::from(d);
    }
    (q, rem as u64)
}

/// Quotient and remainder by 10^n.
pub(crate) fn div_rem_pow10(a: &U256, n: usize) -> (U256, U256) {
    if n == 0 {
        return (*a, [0; 4]);
    }
    if n < 20 {
        let (q, r) = div_rem_small(a, POW10_U64[n]);
        return (q, [r, 0, 0, 0]);
    }
    if n > MAX_DIGITS {
        return ([0; 4], *a);
    }
    let (q, r) = div_rem(&widen(a), &POW10[n]);
    ([q[0], q[1], q[2], q[3]], r)
}

/// Quotient and remainder by a divisor that is not 0 (Knuth, TAOCP 4.3.1, algorithm D).
pub(crate) fn div_rem(a: &U512, d: &U256) -> (U512, U256) {
    let n = 4 - d.iter().rev().take_while(|&&x| x == 0).count();
    let m = 8 - a.iter().rev().take_while(|&&x| x == 0).count();
    if n <= 2 && m <= 2 {
        let x = u128::from(a[1]) << 64 | u128::from(a[0]);
        let y = u128::from(d[1]) << 64 | u128::from(d[0]);
        if y == 0 {
            return ([0; 8], [0; 4]);
        }
        return (widen(&from_u128(x / y)), from_u128(x % y));
    }
    let mut q = [0u64; 8];
    if n <= 1 {
        let d = u128::from(d[0].max(1));
        let mut rem = 0u128;
        for i in (0..m).rev() {
            let cur = rem << 64 | u128::from(a[i]);
            q[i] = (cur / d) as u64;
            rem = cur % d;
        }
        return (q, from_u128(rem));
    }
    if m < n {
        return (q, [a[0], a[1], a[2], a[3]]);
    }
    let shift = d[n - 1].leading_zeros();
    let mut v = [0u64; 4];
    let mut u = [0u64; 9];
    for i in 0..n {
        v[i] = d[i] << shift | if shift > 0 && i > 0 { d[i - 1] >> (64 - shift) } else { 0 };
    }
    for i in 0..=m.min(8) {
        let hi = if i < 8 { a[i] << shift } else { 0 };
        u[i] = hi | if shift > 0 && i > 0 { a[i - 1] >> (64 - shift) } else { 0 };
    }
    for j in (0..=m - n).rev() {
        let top = u128::from(u[j + n]) << 64 | u128::from(u[j + n - 1]);
        let mut qhat = top / u128::from(v[n - 1]);
        let mut rhat = top % u128::from(v[n - 1]);
        while qhat >> 64 != 0 || qhat * u128::from(v[n - 2]) > (rhat << 64 | u128::from(u[j + n - 2])) {
            qhat -= 1;
            rhat += u128::from(v[n - 1]);
            if rhat >> 64 != 0 {
                break;
            }
        }
        let mut borrow = 0i128;
        let mut carry = 0u128;
        for i in 0..n {
            let p = qhat * u128::from(v[i]) + carry;
            carry = p >> 64;
            let t = i128::from(u[i + j]) - borrow - i128::from(p as u64);
            u[i + j] = t as u64;
            borrow = i128::from(t < 0);
        }
        let t = i128::from(u[j + n]) - borrow - carry as i128;
        u[j + n] = t as u64;
        if t < 0 {
            qhat -= 1;
            let mut carry = 0u128;
            for i in 0..n {
                let s = u128::from(u[i + j]) + u128::from(v[i]) + carry;
                u[i + j] = s as u64;
                carry = s >> 64;
            }
            u[j + n] = u[j + n].wrapping_add(carry as u64);
        }
        q[j] = qhat as u64;
    }
    let mut r = [0u64; 4];
    for i in 0..n {
        r[i] = u[i] >> shift | if shift > 0 && i + 1 < 9 { u[i + 1] << (64 - shift) } else { 0 };
    }
    (q, r)
}

/// Number of decimal digits (0 for 0).
pub(crate) fn digits(a: &U256) -> usize {
    if a[1] | a[2] | a[3] == 0 {
        return a[0].checked_ilog10().map_or(0, |n| n as usize + 1);
    }
    if let Some(v) = as_u128(a) {
        return if v == 0 { 0 } else { v.ilog10() as usize + 1 };
    }
    // 10^38 < 2^128: start there
    let mut n = 38;
    while n <= MAX_DIGITS && cmp(a, &POW10[n]) != Ordering::Less {
        n += 1;
    }
    n
}
