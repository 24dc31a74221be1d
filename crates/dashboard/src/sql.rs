//! Rows of statements that the service runs for the account that has logged in.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::{Capabilities, ResultMeta, ResultSink, RowFormat};
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
    let mut sink = Sink::default();
    session.query(sql, &mut sink)?;
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
        self.rows.push(cells(&self.row));
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

/// The columns of a row of the text protocol: each a length and bytes, 0xfb for NULL.
fn cells(mut row: &[u8]) -> Row {
    let mut out = Vec::new();
    while let Some((first, rest)) = row.split_first() {
        let width = match first {
            0xfb => {
                out.push(None);
                row = rest;
                continue;
            }
            0xfc => 2,
            0xfd => 3,
            0xfe => 8,
            _ => 0,
        };
        let Some((len, rest)) = rest.split_at_checked(width) else { break };
        let len =
            if width == 0 { usize::from(*first) } else { len.iter().rev().fold(0, |n, b| n << 8 | usize::from(*b)) };
        let Some((cell, rest)) = rest.split_at_checked(len) else { break };
        out.push(Some(String::from_utf8_lossy(cell).into_owned()));
        row = rest;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::cells;
    use catalog::client::row::{put_lenenc_str, put_text_null};

    #[test]
    fn rows_of_the_text_protocol() {
        let (mut row, long) = (Vec::new(), "x".repeat(70_000));
        put_lenenc_str(&mut row, b"");
        put_text_null(&mut row);
        put_lenenc_str(&mut row, "é".repeat(126).as_bytes());
        put_lenenc_str(&mut row, long.as_bytes());
        assert_eq!(cells(&row), [Some(String::new()), None, Some("é".repeat(126)), Some(long)]);
    }
}
