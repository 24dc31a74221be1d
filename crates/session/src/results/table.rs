//! Small results that no plan produces: a few columns of text and integers.

use base::SqlResult;
use catalog::client::row;
use catalog::client::{ColumnDef, ColumnFlags, FieldType, ResultMeta, ResultSink, RowFormat, in_charset};
use value::{Charset, CollationId};

/// Collation that text columns have at first.
const UTF8MB4: u16 = CollationId::UTF8MB4_0900_AI_CI.0;

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Null,
    UInt(u64),
    Text(String),
    /// Shown as they are, whatever the character set of results.
    Bytes(Vec<u8>),
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
    /// MEDIUMTEXT of so many characters.
    Medium(u32),
    /// LONGTEXT.
    Long,
    /// BIGINT UNSIGNED.
    UInt,
    /// BIGINT that is never NULL, of so many characters; its cells are not negative.
    Int(u32),
    /// DOUBLE with two digits after the point; its cells are text.
    Double,
    /// TIMESTAMP; its cells are text with hundredths of a second.
    Timestamp,
}

impl Kind {
    fn is_text(self) -> bool {
        !matches!(self, Kind::UInt | Kind::Int(_) | Kind::Double | Kind::Timestamp)
    }
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
            let (ty, length, flags, decimals) = match kind {
                Kind::Text(n) => (FieldType::VarString, n * 4, 0, 31),
                Kind::Medium(n) => (FieldType::MediumBlob, n * 4, 0, 31),
                Kind::Long => (FieldType::Blob, u32::MAX, ColumnFlags::BLOB, 31),
                Kind::UInt => (FieldType::LongLong, 21, ColumnFlags::UNSIGNED | ColumnFlags::BINARY, 0),
                Kind::Int(n) => (FieldType::LongLong, *n, ColumnFlags::NOT_NULL | ColumnFlags::BINARY, 0),
                Kind::Double => (FieldType::Double, 4, ColumnFlags::BINARY, 2),
                // so MySQL sends it
                Kind::Timestamp => (FieldType::Timestamp, 0, ColumnFlags::BINARY, 0),
            };
            let charset = if kind.is_text() { UTF8MB4 } else { 63 };
            let mut d = ColumnDef::expression(*name, ty, charset, length);
            d.flags = ColumnFlags(flags);
            d.decimals = decimals;
            d
        };
        Table {
            meta: ResultMeta::new(columns.iter().map(def).collect()),
            kinds: columns.iter().map(|(_, k)| *k).collect(),
            rows: Vec::new(),
        }
    }

    /// The columns of these names are never NULL.
    pub(crate) fn not_null(mut self, names: &[&str]) -> Table {
        let mut columns = self.meta.columns().to_vec();
        for c in columns.iter_mut().filter(|c| names.contains(&c.name.as_str())) {
            c.flags.0 |= ColumnFlags::NOT_NULL;
        }
        self.meta = ResultMeta::new(columns);
        self
    }

    pub(crate) fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// Definitions and rows; the caller ends the result. `results`: `character_set_results`.
    pub(crate) fn send(&self, results: CollationId, out: &mut dyn ResultSink) -> SqlResult<()> {
        // NULL or binary: UTF-8, as it is
        let set = if results.0 == 0 { Charset::Binary } else { results.charset() };
        if set == Charset::Binary || results.0 == UTF8MB4 {
            out.begin(&self.meta)?;
        } else if set.takes_utf8() {
            let mut columns = self.meta.columns().to_vec();
            for c in columns.iter_mut().filter(|c| c.charset == UTF8MB4) {
                c.charset = results.0;
                if set == Charset::Utf8mb3 && c.length < u32::MAX {
                    c.length = c.length / 4 * 3;
                }
            }
            out.begin(&ResultMeta::new(columns))?;
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
            Cell::Bytes(b) => row::put_lenenc_str(buf, b),
        }
    }
}

fn binary_row(buf: &mut Vec<u8>, cells: &[Cell], kinds: &[Kind], set: Charset) {
    let bitmap = row::begin_binary(buf, cells.len());
    for (i, (c, kind)) in cells.iter().zip(kinds).enumerate() {
        match (c, kind) {
            (Cell::Null, _) => row::set_binary_null(buf, bitmap, i),
            (Cell::UInt(v), Kind::UInt | Kind::Int(_)) => row::put_bin_i64(buf, *v as i64),
            // numbers that came as text (EXPLAIN's id)
            (Cell::Text(s), Kind::UInt) => row::put_bin_i64(buf, s.parse::<u64>().unwrap_or(0) as i64),
            (Cell::Text(s), Kind::Double) => row::put_bin_f64(buf, s.parse().unwrap_or(0.0)),
            (Cell::UInt(v), Kind::Double) => row::put_bin_f64(buf, *v as f64),
            (Cell::UInt(v), _) => row::put_lenenc_str(buf, v.to_string().as_bytes()),
            (Cell::Text(s), Kind::Timestamp) => binary_moment(buf, s),
            (Cell::Text(s), _) => row::put_lenenc_str(buf, &in_charset(s, set)),
            (Cell::Bytes(b), _) => row::put_lenenc_str(buf, b),
        }
    }
}

/// `2026-11-29 08:30:00.25` as the binary protocol has it.
fn binary_moment(buf: &mut Vec<u8>, shown: &str) {
    let mut parts = shown.split(|c: char| !c.is_ascii_digit()).map(|n| n.parse::<u32>().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    let (year, month, day) = (next(), next(), next());
    let (hour, minute, second, hundredths) = (next(), next(), next(), next());
    let time = (hour as u8, minute as u8, second as u8, hundredths * 10_000);
    row::put_bin_datetime(buf, (year as u16, month as u8, day as u8), time);
}
