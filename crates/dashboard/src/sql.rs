//! Rows of statements that the service runs for the account that has logged in.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::{Capabilities, ResultSink, TextRows};
use wire::{Inside, Watching};

/// A row: its columns as text; `None` is NULL.
pub(crate) type Row = Vec<Option<String>>;

/// Rows of one statement at most, so that no table of a user's makes the page grow without limit.
pub(crate) const MOST_ROWS: usize = 200_000;

/// A session that runs statements.
pub(crate) trait Asks {
    /// Runs one.
    ///
    /// # Errors
    /// The statement's.
    fn ask(&mut self, sql: &str, out: &mut dyn ResultSink) -> SqlResult<()>;
}

impl Asks for Inside {
    fn ask(&mut self, sql: &str, out: &mut dyn ResultSink) -> SqlResult<()> {
        self.query(sql, out)
    }
}

impl Asks for Watching {
    fn ask(&mut self, sql: &str, out: &mut dyn ResultSink) -> SqlResult<()> {
        self.query(sql, out)
    }
}

/// Runs a statement and gives its rows.
///
/// # Errors
/// The statement's.
pub(crate) fn rows(session: &mut impl Asks, sql: &str) -> SqlResult<Vec<Row>> {
    Ok(named_rows(session, sql)?.1)
}

/// Runs a statement and gives the names of its columns and its rows.
///
/// # Errors
/// The statement's.
pub(crate) fn named_rows(session: &mut impl Asks, sql: &str) -> SqlResult<(Vec<String>, Vec<Row>)> {
    let mut rows = Vec::new();
    let keep = |row| {
        if rows.len() >= MOST_ROWS {
            return Err(SqlError::new(ErrorCode::TOO_BIG_SELECT, &[]));
        }
        rows.push(row);
        Ok(())
    };
    let mut sink = TextRows::new(Capabilities(Capabilities::PROTOCOL_41), keep);
    session.ask(sql, &mut sink)?;
    let names = sink.into_names();
    Ok((names, rows))
}
