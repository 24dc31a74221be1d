//! The text format of LOAD DATA and SELECT ... INTO OUTFILE: FIELDS and LINES.
//!
//! [`Format`] is what both clauses say; [`read`] cuts a file into lines and fields, [`write`] makes them; [`xml`] reads the files of LOAD XML. Pure code on bytes: character sets
//! are the callers' business (separators are ASCII in practice, as the manual advises). Source: manual, "LOAD DATA Statement", "Field
//! and Line Handling".

pub mod read;
pub mod write;
pub mod xml;

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::FileFormat;
use value::{Charset, SqlType, TypeKind};

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
    /// Both separators of fields are empty: fields have a fixed width ([`fixed_width`]) and are padded with spaces.
    pub fixed: bool,
    /// The terminator's first character is not escaped, as the escape would be a sequence of its own (`\\n`) or part of a number.
    pub ambiguous: bool,
    /// ucs2, utf16, utf16le or utf32, which the fields are in: separators stay single bytes, as MySQL has it (so a file that is in such a set as a
    /// whole cannot be read: manual, "LOAD DATA Statement"), and nothing is escaped within fields.
    pub wide: Option<Charset>,
}

fn members(t: &SqlType) -> impl Iterator<Item = usize> + '_ {
    t.members.iter().flat_map(|m| m.iter()).map(|m| m.len())
}

/// Bytes of a field of the fixed-width format: what holds every value of the type (manual, "Field and Line Handling").
pub fn fixed_width(t: &SqlType) -> usize {
    let fraction = |n: u8| if n > 0 { usize::from(n) + 1 } else { 0 };
    let length = t.length as usize;
    match t.kind {
        TypeKind::TinyInt => 4,
        TypeKind::SmallInt => 6,
        TypeKind::MediumInt => 8,
        TypeKind::Int => 11,
        TypeKind::BigInt => 20,
        TypeKind::Year => 4,
        TypeKind::Decimal => length + usize::from(t.decimals > 0) + usize::from(!t.unsigned),
        TypeKind::Date => 10,
        TypeKind::Time => 10 + fraction(t.decimals),
        TypeKind::DateTime | TypeKind::Timestamp => 19 + fraction(t.decimals),
        TypeKind::Enum => members(t).max().unwrap_or(0),
        TypeKind::Set => members(t).map(|n| n + 1).sum::<usize>().saturating_sub(1),
        _ if t.is_character() => length * t.charset().max_len().max(1) as usize,
        _ => length,
    }
}

impl Format {
    /// `backslash`: it escapes unless the statement says otherwise (not so under NO_BACKSLASH_ESCAPES).
    ///
    /// # Errors
    /// 1083 for ENCLOSED BY or ESCAPED BY of more than one character.
    pub fn new(f: &FileFormat<'_>, backslash: bool) -> SqlResult<Format> {
        let one = |b: Option<&[u8]>| match b {
            None | Some([]) => Ok(None),
            Some([c]) => Ok(Some(*c)),
            Some(_) => Err(SqlError::new(ErrorCode::WRONG_FIELD_TERMINATORS, &[])),
        };
        let field_end = f.fields_terminated.unwrap_or(b"\t").to_vec();
        let mut line_end = f.lines_terminated.unwrap_or(b"\n").to_vec();
        let enclosed = one(f.enclosed)?;
        let fixed = field_end.is_empty() && enclosed.is_none();
        if line_end == field_end {
            line_end.clear();
        }
        Ok(Format {
            field_end,
            enclosed,
            optionally: f.optionally_enclosed,
            escaped: match f.escaped {
                None => backslash.then_some(b'\\'),
                e => one(e)?,
            },
            line_start: f.lines_starting.unwrap_or(b"").to_vec(),
            line_end,
            fixed,
            ambiguous: false,
            wide: None,
        })
    }

    /// Whether a separator is outside ASCII: warning 1638, as separators are not converted.
    pub fn has_foreign_separator(&self) -> bool {
        let one = [self.enclosed, self.escaped];
        let texts = [&self.field_end, &self.line_start, &self.line_end];
        one.iter().flatten().any(|b| !b.is_ascii()) || texts.iter().any(|t| !t.is_ascii())
    }

    /// Whether what is written cannot be told from the terminator (warning 1475). `text`: some column is a string, `number`: some is none.
    pub fn mark_ambiguous(&mut self, text: bool, number: bool) -> bool {
        let first = self.field_end.first().copied();
        let within = |set: &[u8], c: Option<u8>| c.is_some_and(|c| set.contains(&c));
        let (escapes, numbers) = (b"ntrb0ZN", b".0123456789e+-");
        let optional = self.enclosed.is_none() || (self.optionally && first.is_some());
        let bare = self.enclosed.is_none() && within(escapes, first) && (text || within(numbers, first));
        self.ambiguous = bare || (optional && number && within(numbers, first));
        self.ambiguous
    }
}
