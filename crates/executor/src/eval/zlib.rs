//! COMPRESS, UNCOMPRESS, UNCOMPRESSED_LENGTH: four bytes of length (little-endian), then zlib's format.
//!
//! Tested: `tests/sql/golden/functions.sql` and below.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use planner::func::family::Zlib;
use std::io::{Read, Write};
use value::{Level, Value};

use super::Args;
use crate::eval::Cx;

/// Bits of the length that count.
const LENGTH: u32 = 0x3fff_ffff;

fn compress(s: &[u8]) -> Option<Vec<u8>> {
    let mut z = ZlibEncoder::new((s.len() as u32 & LENGTH).to_le_bytes().to_vec(), Compression::default());
    z.write_all(s).ok()?;
    let mut out = z.finish().ok()?;
    // a CHAR column would lose a trailing space
    if out.last() == Some(&b' ') {
        out.push(b'.');
    }
    Some(out)
}

fn length(s: &[u8]) -> Option<u32> {
    s.first_chunk::<4>().map(|b| u32::from_le_bytes(*b) & LENGTH)
}

fn uncompress(s: &[u8], limit: u64) -> Result<Vec<u8>, ErrorCode> {
    let n = length(s).ok_or(ErrorCode::ZLIB_Z_DATA_ERROR)?;
    if u64::from(n) > limit {
        return Err(ErrorCode::TOO_BIG_FOR_UNCOMPRESS);
    }
    let mut out = Vec::with_capacity(n as usize);
    let body = s.get(4..).unwrap_or(&[]);
    let mut z = ZlibDecoder::new(body).take(u64::from(n) + 1);
    z.read_to_end(&mut out).map_err(|_| ErrorCode::ZLIB_Z_DATA_ERROR)?;
    if out.len() > n as usize { Err(ErrorCode::ZLIB_Z_BUF_ERROR) } else { Ok(out) }
}

/// The functions of this family.
pub(super) fn call<'a>(f: Zlib, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
    if s.is_empty() {
        return Ok(if f == Zlib::UncompressedLength { Value::Int(0) } else { a.str(b"") });
    }
    let limit = cx.env.vars.num(Var::max_allowed_packet);
    let warn = |cx: &mut Cx<'_>, code: ErrorCode| {
        let e = SqlError::new(code, &[&limit]);
        cx.env.conv.push(Level::Warning, e);
        Value::Null
    };
    Ok(match f {
        Zlib::Compress => compress(s).map_or(Value::Null, |b| a.str(&b)),
        Zlib::UncompressedLength => match length(s).filter(|_| s.len() > 4) {
            Some(n) => Value::Int(i64::from(n)),
            None => {
                warn(cx, ErrorCode::ZLIB_Z_DATA_ERROR);
                Value::Int(0)
            }
        },
        Zlib::Uncompress if s.len() <= 4 => warn(cx, ErrorCode::ZLIB_Z_DATA_ERROR),
        Zlib::Uncompress => match uncompress(s, limit) {
            Ok(b) => a.str(&b),
            Err(code) => warn(cx, code),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip_and_damage() {
        let text = b"abc".repeat(1000);
        let packed = compress(&text).expect("compresses");
        assert!(packed.len() < 100);
        assert_eq!(length(&packed), Some(3000));
        assert_eq!(uncompress(&packed, 10_000), Ok(text));
        assert_eq!(uncompress(&packed, 2999), Err(ErrorCode::TOO_BIG_FOR_UNCOMPRESS));
        assert!(uncompress(&packed[..packed.len() / 2], 10_000).is_err());
    }
}
