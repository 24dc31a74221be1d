//! Small results that no plan produces: a few columns of text and integers.

use base::SqlResult;
use catalog::client::row;
use catalog::client::{ColumnDef, ColumnFlags, FieldType, ResultMeta, ResultSink, RowFormat, in_charset};
use value::Charset;

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Null,
    UInt(u64),
    Text(String),
}

impl From<&str> for Cell {
    fn from(s: &str) -> Cell {
        Cell::Text(s.to_owned())
    }
}
impl From<String> for Cell {
    fn from(s: String) -> Cell {
        Cell::Text(s)
    }
}
impl From<u64> for Cell {
    fn from(v: u64) -> Cell {
        Cell::UInt(v)
    }
}

/// Column types of a small result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// VARCHAR(n) in utf8mb4.
    Text(u32),
    /// LONGTEXT.
    Long,
    /// BIGINT UNSIGNED.
    UInt,
}

/// A result in memory.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) meta: ResultMeta,
    kinds: Vec<Kind>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&str, Kind)]) -> Table {
        let def = |(name, kind): &(&str, Kind)| {
            let (ty, length, flags) = match kind {
                Kind::Text(n) => (FieldType::VarString, n * 4, 0),
                Kind::Long => (FieldType::Blob, u32::MAX, ColumnFlags::BLOB),
                Kind::UInt => (FieldType::LongLong, 21, ColumnFlags::UNSIGNED | ColumnFlags::BINARY | ColumnFlags::NUM),
            };
            let charset = if *kind == Kind::UInt { 63 } else { 255 };
            let mut d = ColumnDef::expression(*name, ty, charset, length);
            d.flags = ColumnFlags(flags);
            d
        };
        Table {
            meta: ResultMeta::new(columns.iter().map(def).collect()),
            kinds: columns.iter().map(|(_, k)| *k).collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// Definitions and rows; the caller ends the result.
    pub(crate) fn send(&self, set: Charset, out: &mut dyn ResultSink) -> SqlResult<()> {
        if set.takes_utf8() {
            out.begin(&self.meta)?;
        } else {
            out.begin(&ResultMeta::in_charset(self.meta.columns().to_vec(), set))?;
        }
        let format = out.format();
        for r in &self.rows {
            let buf = out.row();
            match format {
                RowFormat::Text => text_row(buf, r, set),
                RowFormat::Binary => binary_row(buf, r, &self.kinds, set),
            }
            out.end_row()?;
        }
        Ok(())
    }
}

fn text_row(buf: &mut Vec<u8>, cells: &[Cell], set: Charset) {
    for c in cells {
        match c {
            Cell::Null => row::put_text_null(buf),
            Cell::UInt(v) => row::put_text_u64(buf, *v),
            Cell::Text(s) => row::put_lenenc_str(buf, &in_charset(s, set)),
        }
    }
}

fn binary_row(buf: &mut Vec<u8>, cells: &[Cell], kinds: &[Kind], set: Charset) {
    let bitmap = row::begin_binary(buf, cells.len());
    for (i, (c, kind)) in cells.iter().zip(kinds).enumerate() {
        match (c, kind) {
            (Cell::Null, _) => row::set_binary_null(buf, bitmap, i),
            (Cell::UInt(v), Kind::UInt) => row::put_bin_i64(buf, *v as i64),
            // numbers that came as text (EXPLAIN's id)
            (Cell::Text(s), Kind::UInt) => row::put_bin_i64(buf, s.parse::<u64>().unwrap_or(0) as i64),
            (Cell::UInt(v), _) => row::put_lenenc_str(buf, v.to_string().as_bytes()),
            (Cell::Text(s), _) => row::put_lenenc_str(buf, &in_charset(s, set)),
        }
    }
}
