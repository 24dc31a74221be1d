//! How long a name may be, and whether names of schemas, tables and aliases are kept and compared in lower case: `lower_case_table_names=1` (manual, "Identifier Case
//! Sensitivity").
//!
//! The setting is one of the whole process, made before the first statement and never changed: the data directory remembers it, and a start
//! with another one is refused. The parser folds every such name that it reads, so nothing behind it need know; what reaches a
//! session by another way (the database of a connection) is folded where it arrives. Tested by `tests/clients/test_lower_case_names.py`.

use crate::{ErrorCode, SqlError, SqlResult};
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

static FOLDED: AtomicBool = AtomicBool::new(false);

/// Longest name in characters (manual, "Identifier Length Limits").
const MAX_NAME: usize = 64;

/// 1059 for a name that is too long.
pub fn short(name: &str) -> SqlResult<()> {
    if name.chars().count() > MAX_NAME {
        return Err(SqlError::new(ErrorCode::TOO_LONG_IDENT, &[&name]));
    }
    Ok(())
}

/// 1102 and 1059 for the name of a routine that is called.
pub fn routine(schema: Option<&str>, name: &str) -> SqlResult<()> {
    match schema {
        Some(s) if s.chars().count() > MAX_NAME => Err(SqlError::new(ErrorCode::WRONG_DB_NAME, &[&s])),
        _ => short(name),
    }
}

/// Makes the setting. Only at the start.
pub fn set_folded(on: bool) {
    FOLDED.store(on, Ordering::Relaxed);
}

/// Whether names are kept in lower case.
#[inline]
pub fn are_folded() -> bool {
    FOLDED.load(Ordering::Relaxed)
}

/// A name as it is kept.
#[inline]
pub fn fold(name: &str) -> Cow<'_, str> {
    if !are_folded() || !name.chars().any(|c| c != lower(c)) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.chars().map(lower).collect())
}

/// One character for one, as MySQL's tables of utf8mb3 have it.
fn lower(c: char) -> char {
    let mut low = c.to_lowercase();
    match (low.next(), low.next()) {
        (Some(l), None) => l,
        _ => c,
    }
}
