//! Rows of statements that the service runs for the account that has logged in.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::{Capabilities, TextRows};
use wire::Inside;

/// A row: its columns as text; `None` is NULL.
pub(crate) type Row = Vec<Option<String>>;

/// Rows of one statement at most, so that no table of a user's makes the page grow without limit.
pub(crate) const MOST_ROWS: usize = 200_000;

/// Runs a statement and gives its rows.
///
/// # Errors
/// The statement's.
pub(crate) fn rows(session: &mut Inside, sql: &str) -> SqlResult<Vec<Row>> {
    let mut rows = Vec::new();
    let keep = |row| {
        if rows.len() >= MOST_ROWS {
            return Err(SqlError::new(ErrorCode::TOO_BIG_SELECT, &[]));
        }
        rows.push(row);
        Ok(())
    };
    session.query(sql, &mut TextRows::new(Capabilities(Capabilities::PROTOCOL_41), keep))?;
    Ok(rows)
}
