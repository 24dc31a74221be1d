//! AES_ENCRYPT and AES_DECRYPT.
//!
//! The key is folded by XOR to the cipher's length, or derived by HKDF or PBKDF2 with SHA-512 where a KDF is named; padding is PKCS#7 in ECB and CBC, none in CFB and OFB. Source:
//! manual, "Encryption and Compression Functions". Tested: `tests/sql/golden/functions.sql`.

use aws_lc_rs::cipher::{
    AES_128, AES_192, AES_256, Algorithm, DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext,
    PaddedBlockDecryptingKey, PaddedBlockEncryptingKey, UnboundCipherKey,
};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::iv::FixedLength;
use aws_lc_rs::{hkdf, pbkdf2};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::{Var, VarValue};
use planner::func::FuncId;
use std::num::NonZeroU32;
use value::{Level, Value};

use super::Args;
use crate::eval::Cx;

/// Bytes of a block and of an initialization vector.
const BLOCK: usize = 16;

/// Bytes that no option of a KDF reaches.
const MAX_OPTION: usize = 256;

/// How the blocks of a text hang together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chaining {
    Ecb,
    Cbc,
    /// Modes that make a stream of the cipher: nothing is padded, so any bytes can be decrypted.
    Cfb1,
    Cfb8,
    Cfb128,
    Ofb,
}

/// Cipher, bytes of its key, and chaining of `block_encryption_mode`.
fn mode(cx: &Cx<'_>) -> SqlResult<(&'static Algorithm, usize, Chaining)> {
    let text = match cx.env.system_variable(false, Var::block_encryption_mode) {
        VarValue::Str(s) => s.to_string(),
        v => v.show(),
    };
    let unknown = || SqlError::unsupported(format!("block_encryption_mode {text}"));
    let mut parts = text.split('-').skip(1);
    let (algorithm, len): (&'static Algorithm, usize) = match parts.next() {
        Some("128") => (&AES_128, 16),
        Some("192") => (&AES_192, 24),
        Some("256") => (&AES_256, 32),
        _ => return Err(unknown()),
    };
    let chaining = match parts.next() {
        Some("ecb") => Chaining::Ecb,
        Some("cbc") => Chaining::Cbc,
        Some("cfb1") => Chaining::Cfb1,
        Some("cfb8") => Chaining::Cfb8,
        Some("cfb128") => Chaining::Cfb128,
        Some("ofb") => Chaining::Ofb,
        _ => return Err(unknown()),
    };
    Ok((algorithm, len, chaining))
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
        if secret.len() > len {
            let e = SqlError::new(ErrorCode::WARN_AES_KEY_SIZE, &[&len]);
            cx.env.conv.push(Level::Warning, e);
        }
        let mut out = vec![0; len];
        for (i, b) in secret.iter().enumerate() {
            if let Some(o) = out.get_mut(i % len) {
                *o ^= b;
            }
        }
        return Ok(out);
    }
    let salt = if a.len() > 4 { a.text(4, cx)?.unwrap_or(b"") } else { b"" };
    let kdf = a.text(3, cx)?.unwrap_or(b"");
    for i in 3..a.len() {
        // the number of iterations has five digits at most
        let limit = if i == 5 && kdf == b"pbkdf2_hmac" { 6 } else { MAX_OPTION };
        let fits = a.text(i, cx)?.is_some_and(|t| t.len() < limit);
        if !fits {
            return Err(SqlError::new(ErrorCode::AES_INVALID_KDF_OPTION_SIZE, &[&limit]));
        }
    }
    let mut out = vec![0; len];
    match kdf {
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
    let (algorithm, len, chaining) = mode(cx)?;
    let chained = chaining != Chaining::Ecb;
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
    } else if a.len() == 3 {
        let e = SqlError::new(ErrorCode::WARN_OPTION_IGNORED, &[&"IV"]);
        cx.env.conv.push(Level::Warning, e);
    }
    let key = key(a, secret, len, cx)?;
    let key = UnboundCipherKey::new(algorithm, &key).map_err(broken)?;
    let mut bytes = text.to_vec();
    let context = FixedLength::from(vector);
    if f == FuncId::AesEncrypt {
        encrypt(chaining, key, context, &mut bytes).map_err(broken)?;
        return Ok(a.str(&bytes));
    }
    // what is not the output of AES_ENCRYPT with this key gives NULL
    Ok(decrypt(chaining, key, context, &mut bytes).map_or(Value::Null, |plain| a.str(plain)))
}

/// Encrypts in place; ECB and CBC add their padding.
fn encrypt(c: Chaining, key: UnboundCipherKey, iv: FixedLength<BLOCK>, bytes: &mut Vec<u8>) -> Result<(), Unspecified> {
    let stream = match c {
        Chaining::Ecb => return PaddedBlockEncryptingKey::ecb_pkcs7(key)?.encrypt(bytes).map(drop),
        Chaining::Cbc => {
            let k = PaddedBlockEncryptingKey::cbc_pkcs7(key)?;
            return k.less_safe_encrypt(bytes, EncryptionContext::Iv128(iv)).map(drop);
        }
        Chaining::Cfb1 => EncryptingKey::cfb1(key)?,
        Chaining::Cfb8 => EncryptingKey::cfb8(key)?,
        Chaining::Cfb128 => EncryptingKey::cfb128(key)?,
        Chaining::Ofb => EncryptingKey::ofb(key)?,
    };
    stream.less_safe_encrypt(bytes, EncryptionContext::Iv128(iv)).map(drop)
}

/// Decrypts in place; an error where the padding is wrong.
fn decrypt(
    c: Chaining,
    key: UnboundCipherKey,
    iv: FixedLength<BLOCK>,
    bytes: &mut [u8],
) -> Result<&mut [u8], Unspecified> {
    let stream = match c {
        Chaining::Ecb => return PaddedBlockDecryptingKey::ecb_pkcs7(key)?.decrypt(bytes, DecryptionContext::None),
        Chaining::Cbc => {
            return PaddedBlockDecryptingKey::cbc_pkcs7(key)?.decrypt(bytes, DecryptionContext::Iv128(iv));
        }
        Chaining::Cfb1 => DecryptingKey::cfb1(key)?,
        Chaining::Cfb8 => DecryptingKey::cfb8(key)?,
        Chaining::Cfb128 => DecryptingKey::cfb128(key)?,
        Chaining::Ofb => DecryptingKey::ofb(key)?,
    };
    stream.decrypt(bytes, DecryptionContext::Iv128(iv))
}
