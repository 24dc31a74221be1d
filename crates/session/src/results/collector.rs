//! A sink that keeps rows: those of cursors, and of statements that the server runs for itself.

use base::{SqlError, SqlResult};
use catalog::client::{Capabilities, ResultMeta, ResultSink, RowFormat};

/// A sink that keeps the rows.
pub(crate) struct Collector {
    pub(crate) format: RowFormat,
    pub(crate) capabilities: Capabilities,
    pub(crate) meta: ResultMeta,
    pub(crate) rows: Vec<Box<[u8]>>,
    pub(crate) row: Vec<u8>,
}

impl Default for Collector {
    fn default() -> Collector {
        Collector {
            format: RowFormat::Binary,
            capabilities: Capabilities::default(),
            meta: ResultMeta::default(),
            rows: Vec::new(),
            row: Vec::new(),
        }
    }
}

impl ResultSink for Collector {
    fn format(&self) -> RowFormat {
        self.format
    }
    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }
    fn begin(&mut self, meta: &ResultMeta) -> SqlResult<()> {
        self.meta = meta.clone();
        Ok(())
    }
    fn row(&mut self) -> &mut Vec<u8> {
        self.row.clear();
        &mut self.row
    }
    fn end_row(&mut self) -> SqlResult<()> {
        self.rows.push(self.row.as_slice().into());
        self.row.clear();
        Ok(())
    }
    fn abandon_row(&mut self) {
        self.row.clear();
    }
    fn local_infile(&mut self, _: &[u8], _: &mut dyn FnMut(&[u8]) -> SqlResult<()>) -> SqlResult<()> {
        Err(SqlError::unsupported("LOAD DATA LOCAL under a cursor"))
    }
}
