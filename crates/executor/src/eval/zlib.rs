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
/// Bytes that are given to the library, or taken from it, at once.
const PIECE: usize = 1 << 16;
/// Compressing takes as long as other work on so many times the bytes.
const WEIGHT: usize = 8;

/// `None`: the library fails.
pub(super) fn compress(s: &[u8]) -> SqlResult<Option<Vec<u8>>> {
    let mut z = ZlibEncoder::new((s.len() as u32 & LENGTH).to_le_bytes().to_vec(), Compression::default());
    for piece in s.chunks(PIECE) {
        base::interrupt::worked(WEIGHT * piece.len())?;
        if z.write_all(piece).is_err() {
            return Ok(None);
        }
    }
    let Ok(mut out) = z.finish() else { return Ok(None) };
    // a CHAR column would lose a trailing space
    if out.last() == Some(&b' ') {
        out.push(b'.');
    }
    Ok(Some(out))
}

fn length(s: &[u8]) -> Option<u32> {
    s.first_chunk::<4>().map(|b| u32::from_le_bytes(*b) & LENGTH)
}

/// The text, or why there is none.
pub(super) fn uncompress(s: &[u8], limit: u64) -> SqlResult<Result<Vec<u8>, ErrorCode>> {
    let Some(n) = length(s) else { return Ok(Err(ErrorCode::ZLIB_Z_DATA_ERROR)) };
    if u64::from(n) > limit {
        return Ok(Err(ErrorCode::TOO_BIG_FOR_UNCOMPRESS));
    }
    let mut out = Vec::with_capacity(n as usize);
    let mut z = ZlibDecoder::new(s.get(4..).unwrap_or(&[]));
    // one byte more than there may be
    let mut left = u64::from(n) + 1;
    while left > 0 {
        base::interrupt::worked(PIECE)?;
        match z.by_ref().take(left.min(PIECE as u64)).read_to_end(&mut out) {
            Ok(0) => break,
            Ok(more) => left -= more as u64,
            Err(_) => return Ok(Err(ErrorCode::ZLIB_Z_DATA_ERROR)),
        }
    }
    Ok(if out.len() > n as usize { Err(ErrorCode::ZLIB_Z_BUF_ERROR) } else { Ok(out) })
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
        Zlib::Compress => compress(s)?.map_or(Ok(Value::Null), |b| a.long(&b))?,
        Zlib::UncompressedLength => match length(s).filter(|_| s.len() > 4) {
            Some(n) => Value::Int(i64::from(n)),
            None => {
                warn(cx, ErrorCode::ZLIB_Z_DATA_ERROR);
                Value::Int(0)
            }
        },
        Zlib::Uncompress if s.len() <= 4 => warn(cx, ErrorCode::ZLIB_Z_DATA_ERROR),
        Zlib::Uncompress => match uncompress(s, limit)? {
            Ok(b) => a.long(&b)?,
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
        let packed = compress(&text).unwrap().expect("compresses");
        assert!(packed.len() < 100);
        assert_eq!(length(&packed), Some(3000));
        assert_eq!(uncompress(&packed, 10_000).unwrap(), Ok(text));
        assert_eq!(uncompress(&packed, 2999).unwrap(), Err(ErrorCode::TOO_BIG_FOR_UNCOMPRESS));
        assert!(uncompress(&packed[..packed.len() / 2], 10_000).unwrap().is_err());
    }
}
