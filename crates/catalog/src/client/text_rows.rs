//! [`TextRows`]: the answer of a statement that the server runs for itself (`init_file`, the dashboard): its rows
//! as text, one by one. There is no client that could send a file.

use super::row::text_cells;
use super::{Capabilities, ResultMeta, ResultSink, RowFormat};
use base::{SqlError, SqlResult};

/// Passes each row to `takes`: its columns as text, `None` for NULL. An error of `takes` ends the statement.
pub struct TextRows<F> {
    row: Vec<u8>,
    capabilities: Capabilities,
    /// Names of the columns of the result that began last.
    names: Vec<String>,
    takes: F,
}

impl<F: FnMut(Vec<Option<String>>) -> SqlResult<()>> TextRows<F> {
    /// `capabilities`: what the statements may count on, such as several of them in one text.
    pub fn new(capabilities: Capabilities, takes: F) -> TextRows<F> {
        TextRows { row: Vec::new(), capabilities, names: Vec::new(), takes }
    }

    /// Names of the columns of the last result.
    pub fn into_names(self) -> Vec<String> {
        self.names
    }
}

impl<F: FnMut(Vec<Option<String>>) -> SqlResult<()>> ResultSink for TextRows<F> {
    fn format(&self) -> RowFormat {
        RowFormat::Text
    }
    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }
    fn begin(&mut self, meta: &ResultMeta) -> SqlResult<()> {
        self.names = meta.columns().iter().map(|c| c.name.clone()).collect();
        Ok(())
    }
    fn row(&mut self) -> &mut Vec<u8> {
        self.row.clear();
        &mut self.row
    }
    fn end_row(&mut self) -> SqlResult<()> {
        let cells = text_cells(&self.row);
        self.row.clear();
        (self.takes)(cells)
    }
    fn abandon_row(&mut self) {
        self.row.clear();
    }
    fn local_infile(&mut self, _: &[u8], _: &mut dyn FnMut(&[u8]) -> SqlResult<()>) -> SqlResult<()> {
        Err(SqlError::unsupported("LOAD DATA LOCAL in a statement of the server itself"))
    }
}
