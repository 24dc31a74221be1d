//! Digests and random bytes.

use base::{ErrorCode, SqlError, SqlResult};
use planner::func::family::Crypto;
use value::{Level, Value};

use super::Args;
use super::codes::lower_hex;
use crate::eval::Cx;

/// The functions of this family.
pub(super) fn call<'a>(f: Crypto, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
    use aws_lc_rs::digest as d;
    Ok(match f {
        Crypto::Md5 => a.str(&lower_hex(&super::md5::md5(s)?)),
        Crypto::Sha1 => a.str(&lower_hex(digest(&d::SHA1_FOR_LEGACY_USE_ONLY, s)?.as_ref())),
        Crypto::Sha2 => {
            let Some(bits) = a.int(1, cx)? else { return Ok(Value::Null) };
            let alg = match bits {
                224 => &d::SHA224,
                256 | 0 => &d::SHA256,
                384 => &d::SHA384,
                512 => &d::SHA512,
                _ => {
                    let e = SqlError::new(ErrorCode::WRONG_PARAMETERS_TO_NATIVE_FCT, &[&"sha2"]);
                    cx.env.conv.push(Level::Warning, e);
                    return Ok(Value::Null);
                }
            };
            a.str(&lower_hex(digest(alg, s)?.as_ref()))
        }
        Crypto::Crc32 => {
            let mut sum = crc32fast::Hasher::new();
            for piece in s.chunks(base::interrupt::SHARE) {
                base::interrupt::worked(piece.len())?;
                sum.update(piece);
            }
            Value::UInt(sum.finalize().into())
        }
    })
}

pub(super) fn digest(alg: &'static aws_lc_rs::digest::Algorithm, s: &[u8]) -> SqlResult<aws_lc_rs::digest::Digest> {
    let mut sum = aws_lc_rs::digest::Context::new(alg);
    for piece in s.chunks(base::interrupt::SHARE) {
        base::interrupt::worked(piece.len())?;
        sum.update(piece);
    }
    Ok(sum.finish())
}

/// RANDOM_BYTES.
pub(super) fn random_bytes<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(n) = a.int(0, cx)? else { return Ok(Value::Null) };
    if !(1..=1024).contains(&n) {
        return Err(SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&"length", &"random_bytes"]));
    }
    let mut b = vec![0u8; n as usize];
    aws_lc_rs::rand::fill(&mut b).map_err(|_| SqlError::unsupported("random bytes without a source"))?;
    Ok(a.str(&b))
}
