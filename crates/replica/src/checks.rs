//! PRIVILEGE_CHECKS_USER: the account of this server without whose rights a channel applies nothing (manual,
//! "Replication Privilege Checks").
//!
//! The applier's threads work in sessions of that account ([`session::ApplierSession`]), so what is not asked for here
//! is asked as for any client. Here: whether the account is there and may apply at all, before each transaction, so
//! that what is revoked counts from the next one on (MySQL looks when the threads begin). An account that is gone stops
//! the channel, and the channel keeps its name: it is never without one because of that.
//!
//! Locks nothing. Tested: `tests/binlog/test_privilege_checks.py`.

use crate::applier::Trouble;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::values::PrimaryKeys;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::EventType;
use binlog::query::Query;
use session::{ApplierSession, MayApply};

/// What the status variables hold of a QUERY where the source has no other default than MySQL.
const DEFAULT_COLLATION: u16 = 255;

/// How it is shown.
pub fn shown((user, host): &(String, String)) -> String {
    format!("'{}'@'{}'", user.replace('\'', "\\'"), host.replace('\'', "\\'"))
}

fn error(code: ErrorCode, x: &Shared, (user, host): &(String, String)) -> SqlError {
    SqlError::new(code, &[&x.channel, user, host])
}

/// CHANGE REPLICATION SOURCE TO: 3926 for an account that is not there.
pub fn check_exists(x: &Shared, s: &Settings) -> SqlResult<()> {
    let Some(a) = &s.checks_user else { return Ok(()) };
    match x.server()?.accounts.get(&a.0, &a.1) {
        Some(_) => Ok(()),
        None => Err(error(ErrorCode::CLIENT_PRIVILEGE_CHECKS_USER_DOES_NOT_EXIST, x, a)),
    }
}

/// Whether a transaction may be applied.
///
/// # Errors
/// 13494, 13496, 1820.
pub fn may_apply(x: &Shared, s: &mut ApplierSession, settings: &Settings) -> Result<(), Trouble> {
    let Some(a) = &settings.checks_user else { return Ok(()) };
    let (code, when) = match s.may_apply() {
        MayApply::Yes => return Ok(()),
        MayApply::Expired => return Err(SqlError::new(ErrorCode::MUST_CHANGE_PASSWORD, &[]).into()),
        MayApply::Missing => (ErrorCode::CLIENT_PRIVILEGE_CHECKS_USER_DOES_NOT_EXIST, "replication threads"),
        MayApply::Refused => {
            (ErrorCode::CLIENT_PRIVILEGE_CHECKS_USER_NEEDS_RPL_APPLIER_PRIV, "the replication threads")
        }
    };
    let error = error(code, x, a);
    Err(Trouble { text: format!("{} Correct this before starting {when}.", error.message()), error })
}

/// Whether the settings of a source that go with a QUERY may be taken over: `sql_require_primary_key` and
/// `default_collation_for_utf8mb4` need what setting them needs. 1227.
pub fn may_take_settings(s: &ApplierSession, settings: &Settings, q: &Query<'_>) -> SqlResult<()> {
    let stream = settings.primary_keys == PrimaryKeys::Stream;
    let keys = stream && q.vars.require_primary_key.is_some();
    // MySQL 9.7 asks for it wherever a source says the collation; with ON and OFF the manual of 8.4 does without
    let collation = q.vars.default_collation.is_some_and(|n| stream || n != DEFAULT_COLLATION);
    match settings.checks_user.is_some() && (keys || collation) {
        true => s.may_set_restricted(),
        false => Ok(()),
    }
}

/// Whether an event that is neither rows nor a QUERY may be applied: what comes before statements as text (3944), the
/// files of LOAD DATA (4117).
pub fn may_prepare(x: &Shared, s: &ApplierSession, settings: &Settings, kind: EventType) -> SqlResult<()> {
    let file = matches!(
        kind,
        EventType::BeginLoadQuery | EventType::AppendBlock | EventType::DeleteFile | EventType::ExecuteLoadQuery
    );
    let text = matches!(kind, EventType::Intvar | EventType::Rand | EventType::UserVar);
    if settings.row_format && (file || text) {
        return Err(SqlError::new(ErrorCode::CLIENT_QUERY_FAILURE_INVALID_NON_ROW_FORMAT, &[]));
    }
    if file && settings.checks_user.is_some() && !s.may_use_files() {
        return Err(SqlError::new(ErrorCode::CLIENT_FILE_PRIVILEGE_FOR_REPLICATION_CHECKS, &[&x.channel]));
    }
    Ok(())
}
