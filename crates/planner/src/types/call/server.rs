//! Result types of functions about the session and the server, and of user-level locks.

use super::super::{longlong, ulonglong};
use super::{Call, Typed};
use crate::expr::Coercibility;
use crate::func::family::{Gtids, Locks, Server, Session};

/// Type and coercibility of what the session knows, and of waiting.
pub(super) fn session(f: Session, c: &Call<'_>) -> Typed {
    use Session as F;
    match f {
        F::Version => c.sys_text(60, false),
        F::Database => c.sys_text(64, true),
        F::CurrentRole => c.sys_text(34, true),
        F::User | F::CurrentUser => c.sys_text(288, c.cx.strict),
        F::ConnectionId => c.not_null(ulonglong(21)),
        F::LastInsertId => c.num(ulonglong(21)),
        F::RowCount | F::FoundRows => c.not_null(longlong(21)),
        F::Sleep => c.num(longlong(21)),
        F::Benchmark => c.null_num(longlong(1)),
    }
}

/// Type and coercibility of what the server knows, and of texts made for people.
pub(super) fn server(f: Server, c: &Call<'_>) -> Typed {
    use Server as F;
    match f {
        F::FormatBytes | F::FormatPicoTime => {
            let (t, _) = c.sys_text(11, true)?;
            Ok((t, Coercibility::Coercible))
        }
        F::PsCurrentThreadId | F::PsThreadId => c.null_num(ulonglong(21)),
        F::IcuVersion => c.sys_text(10, false),
        F::RolesGraphml => c.sys_text(1 << 24, true),
        F::StatementDigest => c.text(64),
        F::StatementDigestText => c.null_text(u64::from(u32::MAX) / 4),
        F::LoadFile => c.binary(1 << 26),
        F::GetFormat(_) => c.null_text(17),
        F::ValidatePasswordStrength => c.null_num(longlong(10)),
    }
}

/// Type and coercibility of a function about sets of GTIDs.
pub(super) fn gtids(f: Gtids, c: &Call<'_>) -> Typed {
    match f {
        Gtids::GtidSubset => c.null_num(longlong(1)),
        Gtids::GtidSubtract => c.null_text(65_535),
        Gtids::WaitForExecutedGtidSet | Gtids::SourcePosWait | Gtids::MasterPosWait => c.null_num(longlong(21)),
    }
}

/// Type and coercibility of a function about user-level locks.
pub(super) fn locks(f: Locks, c: &Call<'_>) -> Typed {
    use Locks as F;
    match f {
        F::GetLock | F::ReleaseLock | F::IsFreeLock => c.null_num(longlong(1)),
        F::ReleaseAllLocks => c.not_null(ulonglong(21)),
        F::IsUsedLock => c.null_num(ulonglong(21)),
    }
}
