//! Information, cryptographic, lock and network functions: result types. One of the families that [`super::call`] asks in turn.

use base::SqlResult;
use value::{CollationId, SqlType};

use super::super::*;
use super::{Call, Typed};
use crate::expr::Coercibility;
use crate::func::FuncId as F;

/// Type and coercibility, `None` for functions of other families.
pub(super) fn types(f: F, c: &Call<'_>) -> SqlResult<Option<(SqlType, Coercibility)>> {
    let t: Typed = match f {
        F::Grouping => Ok((longlong(21).nullable(false), Coercibility::Numeric)),
        F::Version => c.sys_text(60, false),
        F::Database => c.sys_text(64, true),
        F::CurrentRole => c.sys_text(34, true),
        F::User | F::CurrentUser => c.sys_text(288, c.cx.strict),
        F::ConnectionId => Ok((
            {
                let mut t = SqlType::bigint_unsigned().nullable(false);
                t.length = 21;
                t
            },
            Coercibility::Numeric,
        )),
        F::LastInsertId | F::UuidShort => c.num({
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }),
        F::RowCount | F::FoundRows => Ok((longlong(21).nullable(false), Coercibility::Numeric)),
        F::Sleep => c.num(longlong(21)),
        F::Benchmark => c.null_num(longlong(1)),
        F::Md5 => c.null_text(32),
        F::Sha1 => c.null_text(40),
        // two digits for each byte of the length that is named, the longest where it is not known
        F::Sha2 => c.null_text(match const_int(c.args.get(1)) {
            None | Some(512) => 128,
            Some(224) => 56,
            Some(384) => 96,
            Some(_) => 64,
        }),
        F::RandomBytes => c.binary(1024),
        F::Uuid => {
            Ok((string_type(36, CollationId::UTF8MB3_GENERAL_CI).nullable(c.cx.strict), Coercibility::Coercible))
        }
        F::UuidToBin => c.binary(16),
        F::BinToUuid => c.null_text(36),
        F::IsUuid | F::IsIpv4 | F::IsIpv6 => c.null_num(longlong(1)),
        F::GetLock | F::ReleaseLock | F::IsFreeLock => c.null_num(longlong(1)),
        F::ReleaseAllLocks => Ok((
            {
                let mut t = SqlType::bigint_unsigned().nullable(false);
                t.length = 21;
                t
            },
            Coercibility::Numeric,
        )),
        F::IsUsedLock => c.null_num({
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }),
        F::InetAton => c.null_num({
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }),
        F::AesEncrypt => c.binary((text_bytes(&c.a0()) / 16 + 1) * 16),
        F::AesDecrypt => c.binary(c.chars(0)),
        F::Compress => {
            // what zlib reserves, and the length before it
            let n = text_bytes(&c.a0());
            c.binary(n + (n >> 12) + (n >> 14) + (n >> 25) + 18)
        }
        F::Uncompress => c.binary(1 << 26),
        F::UncompressedLength => c.null_num(longlong(11)),
        F::Inet6Aton => c.binary(16),
        F::Inet6Ntoa => c.null_text(39),
        F::IsIpv4Compat | F::IsIpv4Mapped => c.num(longlong(1)),
        F::FormatBytes | F::FormatPicoTime => c.null_text(11),
        F::PsCurrentThreadId | F::PsThreadId => c.null_num({
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }),
        F::IcuVersion => c.sys_text(10, false),
        F::RolesGraphml => c.sys_text(1 << 24, true),
        F::StatementDigest => c.text(64),
        F::StatementDigestText => c.null_text(u64::from(u32::MAX) / 4),
        F::LoadFile => c.binary(1 << 26),
        F::ValidatePasswordStrength => c.null_num(longlong(10)),
        F::InetNtoa => c.null_text(31),
        F::GetFormat(_) => c.null_text(17),
        F::InCharset | F::Widened => Ok((c.a0(), Coercibility::Coercible)),
        F::Collate => {
            let t = c.a0();
            let nullable = t.nullable || c.cx.strict;
            Ok((t.nullable(nullable), Coercibility::Explicit))
        }
        _ => return Ok(None),
    };
    t.map(Some)
}
