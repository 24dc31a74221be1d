//! Result types of digests, encryption, compression, UUIDs and random bytes.

use value::CollationId;

use super::super::{const_int, longlong, string_type, text_bytes, ulonglong};
use super::{Call, Typed};
use crate::expr::Coercibility;
use crate::func::family::{Aes, Crypto, Uuid, Zlib};

/// Type and coercibility of a digest.
pub(super) fn crypto(f: Crypto, c: &Call<'_>) -> Typed {
    use Crypto as F;
    match f {
        F::Md5 => c.null_text(32),
        F::Sha1 => c.null_text(40),
        // two digits for each byte of the length that is named, the longest where it is not known
        F::Sha2 => c.null_text(match const_int(c.args.get(1)) {
            None | Some(512) => 128,
            Some(224) => 56,
            Some(384) => 96,
            Some(_) => 64,
        }),
        F::Crc32 => c.num(ulonglong(10)),
    }
}

/// Type and coercibility of what is encrypted or decrypted: of whole blocks of 16 bytes.
pub(super) fn aes(f: Aes, c: &Call<'_>) -> Typed {
    use Aes as F;
    match f {
        F::AesEncrypt => c.binary((text_bytes(&c.a0()) / 16 + 1) * 16),
        F::AesDecrypt => c.binary(c.chars(0)),
    }
}

/// Type and coercibility of what is compressed or uncompressed.
pub(super) fn zlib(f: Zlib, c: &Call<'_>) -> Typed {
    use Zlib as F;
    match f {
        F::Compress => {
            // what zlib reserves, and the length before it
            let n = text_bytes(&c.a0());
            c.binary(n + (n >> 12) + (n >> 14) + (n >> 25) + 18)
        }
        F::Uncompress => c.binary(1 << 26),
        F::UncompressedLength => c.null_num(longlong(11)),
    }
}

/// Type and coercibility of UUIDs and random bytes.
pub(super) fn uuid(f: Uuid, c: &Call<'_>) -> Typed {
    use Uuid as F;
    match f {
        F::RandomBytes => c.binary(1024),
        F::Uuid => {
            Ok((string_type(36, CollationId::UTF8MB3_GENERAL_CI).nullable(c.cx.strict), Coercibility::Coercible))
        }
        F::UuidShort => c.num(ulonglong(21)),
        F::UuidToBin => c.binary(16),
        F::BinToUuid => c.null_text(36),
        F::IsUuid => c.null_num(longlong(1)),
    }
}
