//! What a client is told of the columns of a SHOW that is a query here: MySQL runs it over a derived table, whose columns have the names that are
//! shown. Drivers that go by the original name of a column (Connector/J's `getColumnName()`) see those.
//!
//! Tested: `tests/clients/test_show_metadata.py`.

use base::SqlResult;
use catalog::client::{Capabilities, EndRows, OkInfo, ResultMeta, ResultSink, RowFormat};
use parser::ast::Show;
use value::charset::Charset;

/// Passes a result on with the metadata of a SHOW.
pub(crate) struct ShowNames<'s> {
    out: &'s mut dyn ResultSink,
    origin: Origin,
    charset: Charset,
}

/// Where MySQL says the columns are from.
#[derive(Clone, Copy)]
enum Origin {
    /// A query over the dictionary: no schema, and the dictionary's own tables.
    Dictionary,
    /// A table of one of the two schemas.
    Schema,
    /// No table.
    Nowhere,
}

impl<'s> ShowNames<'s> {
    /// `charset`: that of `character_set_results`.
    pub(crate) fn new(show: &Show<'_>, charset: Charset, out: &'s mut dyn ResultSink) -> Self {
        let origin = match show {
            Show::Databases(_)
            | Show::Tables { .. }
            | Show::TableStatus { .. }
            | Show::Columns { .. }
            | Show::Indexes { .. }
            | Show::Triggers { .. } => Origin::Dictionary,
            Show::Processlist { .. } => Origin::Nowhere,
            _ => Origin::Schema,
        };
        Self { out, origin, charset }
    }
}

impl ResultSink for ShowNames<'_> {
    fn format(&self) -> RowFormat {
        self.out.format()
    }
    fn capabilities(&self) -> Capabilities {
        self.out.capabilities()
    }
    fn bytes(&self) -> u64 {
        self.out.bytes()
    }
    fn out_parameters(&mut self, on: bool) {
        self.out.out_parameters(on);
    }
    fn more_follows(&mut self, more: bool) {
        self.out.more_follows(more);
    }
    fn begin(&mut self, meta: &ResultMeta) -> SqlResult<()> {
        let mut columns = meta.columns().to_vec();
        for c in &mut columns {
            c.org_name.clone_from(&c.name);
            match self.origin {
                Origin::Schema => {}
                Origin::Dictionary => {
                    c.schema.clear();
                    c.org_table.make_ascii_lowercase();
                }
                Origin::Nowhere => {
                    for s in [&mut c.schema, &mut c.table, &mut c.org_table, &mut c.org_name] {
                        s.clear();
                    }
                }
            }
        }
        self.out.begin(&ResultMeta::in_charset(columns, self.charset))
    }
    fn row(&mut self) -> &mut Vec<u8> {
        self.out.row()
    }
    fn end_row(&mut self) -> SqlResult<()> {
        self.out.end_row()
    }
    fn abandon_row(&mut self) {
        self.out.abandon_row();
    }
    fn end_rows(&mut self, end: &EndRows<'_>) -> SqlResult<()> {
        self.out.end_rows(end)
    }
    fn end_cursor_open(&mut self, end: &EndRows<'_>) -> SqlResult<()> {
        self.out.end_cursor_open(end)
    }
    fn begin_fetch(&mut self, columns: usize) -> SqlResult<()> {
        self.out.begin_fetch(columns)
    }
    fn ok(&mut self, info: &OkInfo<'_>) -> SqlResult<()> {
        self.out.ok(info)
    }
    fn local_infile(&mut self, file_name: &[u8], each: &mut dyn FnMut(&[u8]) -> SqlResult<()>) -> SqlResult<()> {
        self.out.local_infile(file_name, each)
    }
    fn flush(&mut self) -> SqlResult<()> {
        self.out.flush()
    }
}
