//! Rows of statements that the service runs for the account that has logged in.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::row::text_cells;
use catalog::client::{Capabilities, ResultMeta, ResultSink, RowFormat};
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
    let mut sink = Sink::default();
    session.ask(sql, &mut sink)?;
    Ok(sink.rows)
}

#[derive(Default)]
struct Sink {
    row: Vec<u8>,
    rows: Vec<Row>,
}

impl ResultSink for Sink {
    fn format(&self) -> RowFormat {
        RowFormat::Text
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities(Capabilities::PROTOCOL_41)
    }
    fn begin(&mut self, _: &ResultMeta) -> SqlResult<()> {
        Ok(())
    }
    fn row(&mut self) -> &mut Vec<u8> {
        self.row.clear();
        &mut self.row
    }
    fn end_row(&mut self) -> SqlResult<()> {
        if self.rows.len() >= MOST_ROWS {
            return Err(SqlError::new(ErrorCode::TOO_BIG_SELECT, &[]));
        }
        self.rows.push(text_cells(&self.row));
        self.row.clear();
        Ok(())
    }
    fn abandon_row(&mut self) {
        self.row.clear();
    }
    fn local_infile(&mut self, _: &[u8], _: &mut dyn FnMut(&[u8]) -> SqlResult<()>) -> SqlResult<()> {
        Err(SqlError::unsupported("LOAD DATA LOCAL"))
    }
}
