//! Information, cryptographic, lock and network functions: result types. One of the families that [`super::call`] asks in turn.

use base::SqlResult;
use value::{CollationId, SqlType};

use super::call::{Call, Typed};
use super::*;
use crate::expr::Coercibility;
use crate::func::FuncId as F;

/// Type and coercibility, `None` for functions of other families.
pub(super) fn types(f: F, c: &Call<'_>) -> SqlResult<Option<(SqlType, Coercibility)>> {
    let t: Typed = match f {
        F::Grouping => Ok((longlong(21).nullable(false), Coercibility::Numeric)),
        F::Version => c.sys_text(60, false),
        F::Database | F::CurrentRole => c.sys_text(34, true),
        F::User | F::CurrentUser => c.sys_text(288, false),
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
        F::Sleep | F::Benchmark => c.null_num(longlong(21)),
        F::Md5 => c.null_text(32),
        F::Sha1 => c.null_text(40),
        F::Sha2 => c.null_text(128),
        F::RandomBytes => c.binary(1024),
        F::Uuid => Ok((string_type(36, CollationId::UTF8MB3_GENERAL_CI).nullable(false), Coercibility::Coercible)),
        F::UuidToBin => c.binary(16),
        F::BinToUuid => c.null_text(36),
        F::IsUuid | F::IsIpv4 | F::IsIpv6 => c.null_num(longlong(1)),
        F::GetLock | F::ReleaseLock | F::IsFreeLock => c.null_num(longlong(1)),
        F::ReleaseAllLocks | F::IsUsedLock => c.null_num({
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }),
        F::InetAton => c.null_num({
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }),
        F::InetNtoa => c.text(31),
        F::Collate => Ok((c.a0(), Coercibility::Explicit)),
        _ => return Ok(None),
    };
    t.map(Some)
}
