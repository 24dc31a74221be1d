//! UUIDs.
//!
//! Source: manual, "Miscellaneous Functions". Tested below and in `tests/sql/golden/functions.sql`.

use std::sync::atomic::{AtomicU64, Ordering};

use base::{ErrorCode, SqlError, SqlResult};
use planner::func::family::Uuid;
use value::Value;

use super::Args;
use super::codes::lower_hex;
use crate::eval::Cx;

/// Counter behind UUID_SHORT and the clock sequence of UUID.
static COUNTER: AtomicU64 = AtomicU64::new(1);

/// The functions of this family.
pub(super) fn call<'a>(f: Uuid, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    match f {
        Uuid::Uuid => Ok(a.str(&uuid())),
        Uuid::UuidShort => {
            let start = crate::rows::env::wall_clock_us() as u64 / 1_000_000;
            let n = COUNTER.fetch_add(1, Ordering::Relaxed);
            Ok(Value::UInt((start & 0xffff_ffff) << 24 | n & 0xff_ffff))
        }
        Uuid::RandomBytes => super::crypto::random_bytes(a, cx),
        Uuid::IsUuid => Ok(a.text(0, cx)?.map_or(Value::Null, |s| Value::from_bool(parse_uuid(s).is_some()))),
        Uuid::UuidToBin => {
            let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
            let swap = a.len() > 1 && a.int(1, cx)?.unwrap_or(0) != 0;
            match parse_uuid(s) {
                Some(b) => Ok(a.str(&if swap { swapped(&b) } else { b })),
                None => Err(SqlError::with_message(
                    ErrorCode::WRONG_VALUE_FOR_TYPE,
                    format!("Incorrect string value: '{}' for function uuid_to_bin", String::from_utf8_lossy(s)),
                )),
            }
        }
        Uuid::BinToUuid => {
            let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
            let Ok(b) = <[u8; 16]>::try_from(s) else {
                return Err(SqlError::with_message(
                    ErrorCode::WRONG_VALUE_FOR_TYPE,
                    format!("Incorrect string value: '{}' for function bin_to_uuid", bytes_shown(s)),
                ));
            };
            let b = if a.len() > 1 && a.int(1, cx)?.unwrap_or(0) != 0 { unswapped(&b) } else { b };
            Ok(a.str(&dashed(&b)))
        }
    }
}

/// Bytes as messages show them.
fn bytes_shown(s: &[u8]) -> String {
    let one = |b: &u8| if (0x20..0x7f).contains(b) { char::from(*b).to_string() } else { format!("\\x{b:02X}") };
    s.iter().map(one).collect()
}

fn uuid() -> Vec<u8> {
    // version 1: 100 ns since 1582-10-15, clock sequence, a random node with the multicast bit
    let t = (crate::rows::env::wall_clock_us() as u64) * 10
        + 0x01B2_1DD2_1381_4000
        + COUNTER.fetch_add(1, Ordering::Relaxed) % 10;
    let mut rest = [0u8; 8];
    let _ = aws_lc_rs::rand::fill(&mut rest);
    let mut b = [0u8; 16];
    let hi = ((t >> 48) & 0x0fff) as u16 | 0x1000;
    let parts = (t as u32)
        .to_be_bytes()
        .into_iter()
        .chain((((t >> 32) & 0xffff) as u16).to_be_bytes())
        .chain(hi.to_be_bytes())
        .chain(rest);
    for (to, from) in b.iter_mut().zip(parts) {
        *to = from;
    }
    b[8] = b[8] & 0x3f | 0x80;
    b[10] |= 1;
    dashed(&b)
}

fn dashed(b: &[u8; 16]) -> Vec<u8> {
    let h = lower_hex(b);
    let mut out = Vec::with_capacity(36);
    for (i, c) in h.iter().enumerate() {
        if matches!(i, 8 | 12 | 16 | 20) {
            out.push(b'-');
        }
        out.push(*c);
    }
    out
}

fn parse_uuid(s: &[u8]) -> Option<[u8; 16]> {
    let s = s.strip_prefix(b"{").and_then(|s| s.strip_suffix(b"}")).unwrap_or(s);
    let dashes = s.iter().filter(|b| **b == b'-').count();
    let placed = [8usize, 13, 18, 23].iter().all(|i| s.get(*i) == Some(&b'-'));
    if !(dashes == 0 && s.len() == 32 || dashes == 4 && placed && s.len() == 36) {
        return None;
    }
    let digits: Vec<u8> =
        s.iter().filter(|b| **b != b'-').map(|b| (*b as char).to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    let mut out = [0u8; 16];
    for (to, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
        *to = pair.iter().fold(0, |v, d| v << 4 | d);
    }
    Some(out)
}

/// time_hi, time_mid, time_low first (UUID_TO_BIN(x, 1)).
fn swapped(b: &[u8; 16]) -> [u8; 16] {
    let [a0, a1, a2, a3, b0, b1, c0, c1, rest @ ..] = *b;
    let [r0, r1, r2, r3, r4, r5, r6, r7] = rest;
    [c0, c1, b0, b1, a0, a1, a2, a3, r0, r1, r2, r3, r4, r5, r6, r7]
}

fn unswapped(b: &[u8; 16]) -> [u8; 16] {
    let [c0, c1, b0, b1, a0, a1, a2, a3, rest @ ..] = *b;
    let [r0, r1, r2, r3, r4, r5, r6, r7] = rest;
    [a0, a1, a2, a3, b0, b1, c0, c1, r0, r1, r2, r3, r4, r5, r6, r7]
}

/// MD5 (RFC 1321); only for the SQL function of that name.
pub(super) fn md5(data: &[u8]) -> [u8; 16] {
    const S: [u32; 64] = [
        7, 12, 17, 22, 7, 12, 17, 22, 7, 12, 17, 22, 7, 12, 17, 22, 5, 9, 14, 20, 5, 9, 14, 20, 5, 9, 14, 20, 5, 9, 14,
        20, 4, 11, 16, 23, 4, 11, 16, 23, 4, 11, 16, 23, 4, 11, 16, 23, 6, 10, 15, 21, 6, 10, 15, 21, 6, 10, 15, 21, 6,
        10, 15, 21,
    ];
    let mut msg = data.to_vec();
    msg.push(0x80);
    while msg.len() % 64 != 56 {
        msg.push(0);
    }
    msg.extend_from_slice(&(data.len() as u64 * 8).to_le_bytes());
    let mut st = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in msg.chunks_exact(64) {
        let w: Vec<u32> = block.chunks_exact(4).map(|c| c.try_into().map_or(0, u32::from_le_bytes)).collect();
        let [mut a, mut b, mut c, mut d] = st;
        for (i, s) in S.iter().enumerate() {
            let (f, g) = match i / 16 {
                0 => ((b & c) | (!b & d), i),
                1 => ((d & b) | (!d & c), (5 * i + 1) % 16),
                2 => (b ^ c ^ d, (3 * i + 5) % 16),
                _ => (c ^ (b | !d), (7 * i) % 16),
            };
            let k = (((i + 1) as f64).sin().abs() * 4_294_967_296.0) as u32;
            let x = a.wrapping_add(f).wrapping_add(k).wrapping_add(w.get(g).copied().unwrap_or(0));
            (a, d, c, b) = (d, c, b, b.wrapping_add(x.rotate_left(*s)));
        }
        let [p, q, r, t] = st;
        st = [p.wrapping_add(a), q.wrapping_add(b), r.wrapping_add(c), t.wrapping_add(d)];
    }
    let mut out = [0u8; 16];
    for (to, from) in out.iter_mut().zip(st.iter().flat_map(|v| v.to_le_bytes())) {
        *to = from;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn md5_of_rfc_examples() {
        assert_eq!(lower_hex(&md5(b"")), b"d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(lower_hex(&md5(b"abc")), b"900150983cd24fb0d6963f7d28e17f72");
    }

    #[test]
    fn uuids_parse() {
        let b = parse_uuid(b"6ccd780c-baba-1026-9564-5b8c656024db").unwrap();
        assert_eq!(dashed(&b), b"6ccd780c-baba-1026-9564-5b8c656024db");
        assert_eq!(unswapped(&swapped(&b)), b);
        assert!(parse_uuid(b"6ccd780c-baba-1026-9564-5b8c656024d").is_none());
        assert!(parse_uuid(&uuid()).is_some());
    }
}
