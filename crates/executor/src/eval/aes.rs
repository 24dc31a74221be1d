//! AES_ENCRYPT and AES_DECRYPT.
//!
//! The key is folded by XOR to the cipher's length, or derived by HKDF or PBKDF2 with SHA-512 where a KDF is named; padding is PKCS#7. Source:
//! manual, "Encryption and Compression Functions". Tested: `tests/sql/golden/functions.sql`.

use aws_lc_rs::cipher::{
    AES_128, AES_192, AES_256, Algorithm, DecryptionContext, EncryptionContext, PaddedBlockDecryptingKey,
    PaddedBlockEncryptingKey, UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;
use aws_lc_rs::{hkdf, pbkdf2};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::{Var, VarValue};
use planner::func::FuncId;
use std::num::NonZeroU32;
use value::{Level, Value};

use super::Args;
use crate::context::Cx;

/// Bytes of a block and of an initialization vector.
const BLOCK: usize = 16;

/// Cipher and chaining of `block_encryption_mode`.
fn mode(cx: &Cx<'_>) -> SqlResult<(&'static Algorithm, usize, bool)> {
    let text = match cx.env.system_variable(false, Var::block_encryption_mode) {
        VarValue::Str(s) => s.to_string(),
        v => v.show(),
    };
    Ok(match text.as_str() {
        "aes-128-ecb" => (&AES_128, 16, false),
        "aes-192-ecb" => (&AES_192, 24, false),
        "aes-256-ecb" => (&AES_256, 32, false),
        "aes-128-cbc" => (&AES_128, 16, true),
        "aes-192-cbc" => (&AES_192, 24, true),
        "aes-256-cbc" => (&AES_256, 32, true),
        _ => return Err(SqlError::unsupported(format!("block_encryption_mode {text}"))),
    })
}

struct KeyLen(usize);

impl hkdf::KeyType for KeyLen {
    fn len(&self) -> usize {
        self.0
    }
}

fn broken<E>(_: E) -> SqlError {
    SqlError::unsupported("AES without a source of it")
}

/// The cipher's key from the arguments from the third on.
fn key(a: &Args<'_>, secret: &[u8], len: usize, cx: &mut Cx<'_>) -> SqlResult<Vec<u8>> {
    if a.len() <= 3 {
        let mut out = vec![0; len];
        for (i, b) in secret.iter().enumerate() {
            if let Some(o) = out.get_mut(i % len) {
                *o ^= b;
            }
        }
        return Ok(out);
    }
    let kdf = a.text(3, cx)?.unwrap_or(b"").to_ascii_lowercase();
    let salt = if a.len() > 4 { a.text(4, cx)?.unwrap_or(b"") } else { b"" };
    let mut out = vec![0; len];
    match kdf.as_slice() {
        b"hkdf" => {
            let info = if a.len() > 5 { a.text(5, cx)?.unwrap_or(b"") } else { b"" };
            let prk = hkdf::Salt::new(hkdf::HKDF_SHA512, salt).extract(secret);
            let info = [info];
            prk.expand(&info, KeyLen(len)).map_err(broken)?.fill(&mut out).map_err(broken)?;
        }
        b"pbkdf2_hmac" => {
            let rounds = if a.len() > 5 { a.int(5, cx)?.unwrap_or(0) } else { 1000 };
            let rounds = u32::try_from(rounds).ok().filter(|n| (1000..=65_535).contains(n)).and_then(NonZeroU32::new);
            let Some(rounds) = rounds else {
                return Err(SqlError::new(ErrorCode::AES_INVALID_KDF_ITERATIONS, &[]));
            };
            pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA512, rounds, salt, secret, &mut out);
        }
        _ => {
            return Err(SqlError::new(ErrorCode::AES_INVALID_KDF_NAME, &[]));
        }
    }
    Ok(out)
}

/// AES_ENCRYPT(text, key [, iv [, kdf [, salt [, info or iterations]]]]) and AES_DECRYPT.
pub(super) fn call<'a>(f: FuncId, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let name = f.name();
    let (algorithm, len, chained) = mode(cx)?;
    let iv = if a.len() > 2 { a.text(2, cx)? } else { None };
    if chained && a.len() < 3 {
        return Err(SqlError::new(ErrorCode::WRONG_PARAMCOUNT_TO_NATIVE_FCT, &[&name]));
    }
    let (text, secret) = (a.text(0, cx)?, a.text(1, cx)?);
    let (Some(text), Some(secret)) = (text, secret) else { return Ok(Value::Null) };
    let mut vector = [0; BLOCK];
    if chained {
        let Some(given) = iv.and_then(|v| v.get(..BLOCK)) else {
            return Err(SqlError::with_message(
                ErrorCode::AES_INVALID_IV,
                format!("The initialization vector supplied to {name} is too short. Must be at least 16 bytes long"),
            ));
        };
        vector.copy_from_slice(given);
    } else if a.len() > 2 {
        let e = SqlError::new(ErrorCode::WARN_OPTION_IGNORED, &[&"IV"]);
        cx.env.conv.push(Level::Warning, e);
    }
    let key = key(a, secret, len, cx)?;
    let key = UnboundCipherKey::new(algorithm, &key).map_err(broken)?;
    let mut bytes = text.to_vec();
    if f == FuncId::AesEncrypt {
        if chained {
            let k = PaddedBlockEncryptingKey::cbc_pkcs7(key).map_err(broken)?;
            let context = EncryptionContext::Iv128(FixedLength::from(vector));
            k.less_safe_encrypt(&mut bytes, context).map_err(broken)?;
        } else {
            let k = PaddedBlockEncryptingKey::ecb_pkcs7(key).map_err(broken)?;
            k.encrypt(&mut bytes).map_err(broken)?;
        }
        return Ok(a.str(&bytes));
    }
    // what is not the output of AES_ENCRYPT with this key gives NULL
    let plain = if chained {
        let k = PaddedBlockDecryptingKey::cbc_pkcs7(key).map_err(broken)?;
        k.decrypt(&mut bytes, DecryptionContext::Iv128(FixedLength::from(vector))).map(|p| a.str(p))
    } else {
        let k = PaddedBlockDecryptingKey::ecb_pkcs7(key).map_err(broken)?;
        k.decrypt(&mut bytes, DecryptionContext::None).map(|p| a.str(p))
    };
    Ok(plain.unwrap_or(Value::Null))
}
