//! The text format of LOAD DATA and SELECT ... INTO OUTFILE: FIELDS and LINES.
//!
//! [`Format`] is what both clauses say; [`read`] cuts a file into lines and fields, [`write`] makes them. Pure code on bytes: character sets
//! are the callers' business (separators are ASCII in practice, as the manual advises). Source: manual, "LOAD DATA Statement", "Field
//! and Line Handling".

pub mod path;
pub mod read;
pub mod write;

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::FileFormat;

/// FIELDS and LINES clauses with their defaults filled in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Format {
    /// FIELDS TERMINATED BY.
    pub field_end: Vec<u8>,
    /// ENCLOSED BY.
    pub enclosed: Option<u8>,
    /// OPTIONALLY: only strings.
    pub optionally: bool,
    /// ESCAPED BY.
    pub escaped: Option<u8>,
    /// LINES STARTING BY.
    pub line_start: Vec<u8>,
    /// LINES TERMINATED BY; empty: lines end with their last field.
    pub line_end: Vec<u8>,
}

impl Format {
    /// # Errors
    /// 1083 for ENCLOSED BY or ESCAPED BY of more than one character; 1235 for the fixed-width format (both separators empty).
    pub fn new(f: &FileFormat<'_>) -> SqlResult<Format> {
        let one = |b: Option<&[u8]>| match b {
            None | Some([]) => Ok(None),
            Some([c]) => Ok(Some(*c)),
            Some(_) => Err(SqlError::new(ErrorCode::WRONG_FIELD_TERMINATORS, &[])),
        };
        let field_end = f.fields_terminated.unwrap_or(b"\t").to_vec();
        let mut line_end = f.lines_terminated.unwrap_or(b"\n").to_vec();
        let enclosed = one(f.enclosed)?;
        if field_end.is_empty() && enclosed.is_none() {
            return Err(SqlError::unsupported("files with fields of fixed width"));
        }
        if line_end == field_end {
            line_end.clear();
        }
        Ok(Format {
            field_end,
            enclosed,
            optionally: f.optionally_enclosed,
            escaped: match f.escaped {
                None => Some(b'\\'),
                e => one(e)?,
            },
            line_start: f.lines_starting.unwrap_or(b"").to_vec(),
            line_end,
        })
    }
}
