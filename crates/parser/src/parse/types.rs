//! Column types, CAST types, character set names.

use super::deprecated::Old;
use super::{PResult, Parser};
use crate::ast::{CastType, DataType, Span, TypeName};
use crate::lexer::{Kw, Tk};

/// Whether `_name` before a literal is an introducer (any case).
pub(super) fn is_charset_name(name: &[u8]) -> bool {
    const NAMES: &[&str] = &[
        "utf8mb4", "latin1", "binary", "utf8mb3", "utf8", "ascii", "ucs2", "utf16", "utf16le", "utf32", "armscii8",
        "big5", "cp1250", "cp1251", "cp1256", "cp1257", "cp850", "cp852", "cp866", "cp932", "dec8", "eucjpms", "euckr",
        "gb18030", "gb2312", "gbk", "geostd8", "greek", "hebrew", "hp8", "keybcs2", "koi8r", "koi8u", "latin2",
        "latin5", "latin7", "macce", "macroman", "sjis", "swe7", "tis620", "ujis",
    ];
    NAMES.iter().any(|n| n.as_bytes().eq_ignore_ascii_case(name))
}

/// What the grammar calls NUM.
const SMALL: u64 = 0x7fff_ffff;

impl<'a> Parser<'a, '_> {
    /// A character set's name, lower case; `binary` and strings too.
    pub(super) fn charset_name(&mut self) -> PResult<&'a str> {
        if self.accept_kw(Kw::BINARY) {
            return Ok("binary");
        }
        let name = self.charset_word()?;
        self.old_charset(name);
        Ok(name)
    }

    /// The same where MySQL does not say that the set is deprecated.
    pub(super) fn charset_word(&mut self) -> PResult<&'a str> {
        if self.accept_kw(Kw::BINARY) {
            return Ok("binary");
        }
        let name = self.ident_or_text()?;
        Ok(self.lower_str(name))
    }

    pub(super) fn lower_str(&self, s: &'a str) -> &'a str {
        if s.bytes().any(|b| b.is_ascii_uppercase()) {
            let copy = self.arena.alloc_str(s);
            copy.make_ascii_lowercase();
            copy
        } else {
            s
        }
    }

    /// `(n)`: a length.
    fn paren_number(&mut self) -> PResult<Option<u64>> {
        if !self.accept(Tk::LParen) {
            return Ok(None);
        }
        if !matches!(self.cur.kind, Tk::Int | Tk::Decimal) {
            return self.fail();
        }
        let n = self.number(true)?;
        self.expect(Tk::RParen)?;
        Ok(Some(n))
    }

    /// `(n)`: the fractional digits of a temporal type.
    fn paren_digits(&mut self) -> PResult<Option<u64>> {
        if !self.accept(Tk::LParen) {
            return Ok(None);
        }
        let n = self.small_number()?;
        self.expect(Tk::RParen)?;
        Ok(Some(n))
    }

    /// A number of at most 31 bits, in decimal digits.
    pub(super) fn small_number(&mut self) -> PResult<u64> {
        let t = self.cur;
        let n = if t.kind == Tk::Int { self.number(true)? } else { SMALL + 1 };
        if n > SMALL { Err(super::Fail::Syntax(t.start)) } else { Ok(n) }
    }

    /// `(m)`, `(m, d)`
    fn precision(&mut self) -> PResult<(Option<u64>, Option<u32>)> {
        if !self.accept(Tk::LParen) {
            return Ok((None, None));
        }
        if !matches!(self.cur.kind, Tk::Int | Tk::Decimal) {
            return self.fail();
        }
        let m = self.number(true)?;
        let mut d = None;
        if self.is(Tk::Comma) {
            // of a pair both are small numbers in the grammar
            if m > SMALL {
                return self.fail();
            }
            self.advance();
            d = Some(self.small_number()? as u32);
        }
        self.expect(Tk::RParen)?;
        Ok((Some(m), d))
    }

    pub(super) fn data_type(&mut self) -> PResult<DataType<'a>> {
        use TypeName as T;
        let start = self.cur.start;
        let mut t = DataType {
            span: Span::new(start, start),
            kind: T::Int,
            length: None,
            decimals: None,
            unsigned: false,
            zerofill: false,
            charset: None,
            collation: None,
            binary: false,
            byte: false,
            values: &[],
        };
        let kw = self.kw();
        let simple = simple_type(kw);
        if simple.is_some() {
            self.advance();
        }
        if let Some((kind, shape)) = simple {
            t.kind = kind;
            match shape {
                Shape::Integer => {
                    t.length = self.paren_number()?;
                    let unsigned = self.number_attributes(&mut t);
                    self.old_number(&t, unsigned);
                }
                Shape::Real => {
                    if kind == T::Double && kw == Kw::DOUBLE {
                        self.accept_kw(Kw::PRECISION);
                    }
                    (t.length, t.decimals) = self.precision()?;
                    if matches!(kind, T::Double | T::Real) && t.length.is_some() && t.decimals.is_none() {
                        return self.fail();
                    }
                    let unsigned = self.number_attributes(&mut t);
                    self.old_number(&t, unsigned);
                }
                Shape::Plain => {}
                Shape::Length => {
                    t.length = self.paren_number()?;
                    if kind == T::VarBinary && t.length.is_none() {
                        return self.fail();
                    }
                }
                Shape::Digits => t.length = self.paren_digits()?,
                Shape::Text => {
                    if kind == T::Text {
                        t.length = self.paren_number()?;
                    }
                    self.charset_attributes(&mut t)?;
                }
                Shape::Members => {
                    t.values = self.paren_list(|p| p.string_or_hex())?;
                    self.charset_attributes(&mut t)?;
                }
            }
        } else {
            self.character_type(&mut t)?;
        }
        t.span = self.span_from(start);
        Ok(t)
    }

    /// UNSIGNED, ZEROFILL; whether UNSIGNED was there.
    fn number_attributes(&mut self, t: &mut DataType<'a>) -> bool {
        let mut word = false;
        loop {
            match self.kw() {
                Kw::UNSIGNED => {
                    word = true;
                    t.unsigned = true;
                }
                Kw::SIGNED => {}
                Kw::ZEROFILL => {
                    self.old(Old::Zerofill);
                    t.zerofill = true;
                    t.unsigned = true;
                }
                _ => return word,
            }
            self.advance();
        }
    }

    /// CHAR, VARCHAR and their many spellings, LONG, NATIONAL.
    fn character_type(&mut self, t: &mut DataType<'a>) -> PResult<()> {
        use TypeName as T;
        let kw = self.kw();
        let mut national = false;
        let varying;
        match kw {
            Kw::LONG => {
                self.advance();
                if self.accept_kw(Kw::VARBINARY) {
                    t.kind = T::MediumBlob;
                    return Ok(());
                }
                t.kind = T::MediumText;
                if !self.accept_kw(Kw::VARCHAR)
                    && !self.accept_kw(Kw::VARCHARACTER)
                    && !self.accept_kws(&[Kw::CHAR, Kw::VARYING])
                {
                    self.accept_kws(&[Kw::CHARACTER, Kw::VARYING]);
                }
                return self.charset_attributes(t);
            }
            Kw::CHAR | Kw::CHARACTER => {
                self.advance();
                varying = self.accept_kw(Kw::VARYING);
            }
            Kw::VARCHAR | Kw::VARCHARACTER => {
                self.advance();
                varying = true;
            }
            Kw::NVARCHAR => {
                self.advance();
                varying = true;
                national = true;
            }
            Kw::NCHAR => {
                self.advance();
                varying =
                    self.accept_kw(Kw::VARYING) || self.accept_kw(Kw::VARCHAR) || self.accept_kw(Kw::VARCHARACTER);
                national = true;
            }
            Kw::NATIONAL => {
                self.advance();
                national = true;
                varying = if self.accept_kw(Kw::VARCHAR) || self.accept_kw(Kw::VARCHARACTER) {
                    true
                } else {
                    if !self.accept_kw(Kw::CHAR) {
                        self.expect_kw(Kw::CHARACTER)?;
                    }
                    self.accept_kw(Kw::VARYING)
                };
            }
            _ => return self.fail(),
        }
        t.kind = if varying { T::VarChar } else { T::Char };
        t.length = self.paren_number()?;
        if varying && t.length.is_none() {
            return self.fail();
        }
        if national {
            t.charset = Some("utf8mb3");
            t.binary = self.binary_attribute();
            self.old(Old::National);
            return Ok(());
        }
        self.charset_attributes(t)
    }

    fn charset_attributes(&mut self, t: &mut DataType<'a>) -> PResult<()> {
        if self.accept_kw(Kw::BYTE) {
            t.byte = true;
            t.charset = Some("binary");
            return Ok(());
        }
        t.binary = self.binary_attribute();
        if self.accept_kw(Kw::ASCII) {
            self.old(Old::Ascii);
            t.charset = Some("latin1");
        } else if self.accept_kw(Kw::UNICODE) {
            self.old(Old::Unicode);
            t.charset = Some("ucs2");
        } else {
            t.charset = self.optional_charset()?;
        }
        if !t.binary {
            t.binary = self.binary_attribute();
        }
        Ok(())
    }

    fn binary_attribute(&mut self) -> bool {
        let there = self.accept_kw(Kw::BINARY);
        if there {
            self.old(Old::BinaryAttribute);
        }
        there
    }

    /// The type of CAST, CONVERT, JSON_VALUE RETURNING.
    pub(super) fn cast_type(&mut self) -> PResult<CastType<'a>> {
        let kw = self.kw();
        let fsp = |n: Option<u64>| n.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        match kw {
            Kw::BINARY => {
                self.advance();
                Ok(CastType::Binary(self.paren_number()?))
            }
            Kw::CHAR | Kw::CHARACTER | Kw::NCHAR | Kw::NATIONAL => self.cast_char(),
            Kw::SIGNED | Kw::UNSIGNED => {
                self.advance();
                if !self.accept_kw(Kw::INT) {
                    self.accept_kw(Kw::INTEGER);
                }
                Ok(if kw == Kw::SIGNED { CastType::Signed } else { CastType::Unsigned })
            }
            Kw::DATE => self.cast_word(CastType::Date),
            Kw::YEAR => self.cast_word(CastType::Year),
            Kw::JSON => self.cast_word(CastType::Json),
            Kw::REAL => self.cast_word(CastType::Real),
            Kw::TIME => {
                self.advance();
                Ok(CastType::Time(fsp(self.paren_digits()?)))
            }
            Kw::DATETIME => {
                self.advance();
                Ok(CastType::DateTime(fsp(self.paren_digits()?)))
            }
            Kw::DECIMAL | Kw::DEC => {
                self.advance();
                let (length, decimals) = self.precision()?;
                Ok(CastType::Decimal { length, decimals })
            }
            Kw::FLOAT => {
                self.advance();
                Ok(CastType::Float(self.paren_number()?))
            }
            Kw::DOUBLE => {
                self.advance();
                self.accept_kw(Kw::PRECISION);
                Ok(CastType::Double)
            }
            Kw::POINT
            | Kw::LINESTRING
            | Kw::POLYGON
            | Kw::MULTIPOINT
            | Kw::MULTILINESTRING
            | Kw::MULTIPOLYGON
            | Kw::GEOMETRYCOLLECTION
            | Kw::GEOMCOLLECTION => {
                let name = self.lower(self.cur)?;
                self.advance();
                Ok(CastType::Geometry(name))
            }
            _ => self.fail(),
        }
    }

    /// CHAR and its kin, with length and character set.
    fn cast_char(&mut self) -> PResult<CastType<'a>> {
        let kw = self.kw();
        self.advance();
        let mut national = kw == Kw::NCHAR;
        if kw == Kw::NATIONAL {
            national = true;
            if !self.accept_kw(Kw::CHAR) {
                self.expect_kw(Kw::CHARACTER)?;
            }
        }
        let length = self.paren_number()?;
        let mut t = DataType {
            span: Span::default(),
            kind: TypeName::Char,
            length,
            decimals: None,
            unsigned: false,
            zerofill: false,
            charset: None,
            collation: None,
            binary: false,
            byte: false,
            values: &[],
        };
        if national {
            self.old(Old::National);
            t.charset = Some("utf8mb3");
        } else {
            self.charset_attributes(&mut t)?;
        }
        Ok(CastType::Char { length, charset: t.charset, binary: t.binary })
    }

    fn cast_word(&mut self, ty: CastType<'a>) -> PResult<CastType<'a>> {
        self.advance();
        Ok(ty)
    }
}

enum Shape {
    Integer,
    Real,
    Plain,
    Length,
    Digits,
    Text,
    Members,
}

/// Types of one word.
fn simple_type(kw: Kw) -> Option<(TypeName, Shape)> {
    use TypeName as T;
    Some(match kw {
        Kw::TINYINT | Kw::INT1 => (T::TinyInt, Shape::Integer),
        Kw::SMALLINT | Kw::INT2 => (T::SmallInt, Shape::Integer),
        Kw::MEDIUMINT | Kw::INT3 | Kw::MIDDLEINT => (T::MediumInt, Shape::Integer),
        Kw::INT | Kw::INTEGER | Kw::INT4 => (T::Int, Shape::Integer),
        Kw::BIGINT | Kw::INT8 => (T::BigInt, Shape::Integer),
        Kw::BOOL | Kw::BOOLEAN => (T::Bool, Shape::Plain),
        Kw::SERIAL => (T::Serial, Shape::Plain),
        Kw::DECIMAL | Kw::DEC | Kw::NUMERIC | Kw::FIXED => (T::Decimal, Shape::Real),
        Kw::FLOAT | Kw::FLOAT4 => (T::Float, Shape::Real),
        Kw::DOUBLE | Kw::FLOAT8 => (T::Double, Shape::Real),
        Kw::REAL => (T::Real, Shape::Real),
        Kw::BIT => (T::Bit, Shape::Length),
        Kw::DATE => (T::Date, Shape::Plain),
        Kw::TIME => (T::Time, Shape::Digits),
        Kw::DATETIME => (T::DateTime, Shape::Digits),
        Kw::TIMESTAMP => (T::Timestamp, Shape::Digits),
        Kw::YEAR => (T::Year, Shape::Integer),
        Kw::BINARY => (T::Binary, Shape::Length),
        Kw::VARBINARY => (T::VarBinary, Shape::Length),
        Kw::TINYTEXT => (T::TinyText, Shape::Text),
        Kw::TEXT => (T::Text, Shape::Text),
        Kw::MEDIUMTEXT => (T::MediumText, Shape::Text),
        Kw::LONGTEXT => (T::LongText, Shape::Text),
        Kw::TINYBLOB => (T::TinyBlob, Shape::Plain),
        Kw::BLOB => (T::Blob, Shape::Length),
        Kw::MEDIUMBLOB => (T::MediumBlob, Shape::Plain),
        Kw::LONGBLOB => (T::LongBlob, Shape::Plain),
        Kw::ENUM => (T::Enum, Shape::Members),
        Kw::SET => (T::Set, Shape::Members),
        Kw::JSON => (T::Json, Shape::Plain),
        Kw::GEOMETRY => (T::Geometry, Shape::Plain),
        Kw::POINT => (T::Point, Shape::Plain),
        Kw::LINESTRING => (T::LineString, Shape::Plain),
        Kw::POLYGON => (T::Polygon, Shape::Plain),
        Kw::MULTIPOINT => (T::MultiPoint, Shape::Plain),
        Kw::MULTILINESTRING => (T::MultiLineString, Shape::Plain),
        Kw::MULTIPOLYGON => (T::MultiPolygon, Shape::Plain),
        Kw::GEOMETRYCOLLECTION | Kw::GEOMCOLLECTION => (T::GeometryCollection, Shape::Plain),
        _ => return None,
    })
}
