//! Values into the connection's output buffer, in the text or the binary row format.

use catalog::client::RowFormat;
use catalog::client::row::{
    put_bin_datetime, put_bin_f32, put_bin_f64, put_bin_i8, put_bin_i16, put_bin_i32, put_bin_i64, put_bin_time,
    put_lenenc_str, put_text_i64, put_text_null, put_text_u64, set_binary_null,
};
use smallvec::SmallVec;
use value::{Charset, CollationId, SqlType, TypeKind, Value, charset, convert};

/// How one result column is sent.
#[derive(Clone, Debug)]
pub struct Column<'e> {
    ty: &'e SqlType,
    /// Plain integer: digits only.
    plain_int: bool,
    /// Character data of another character set than the result's.
    from: Option<Charset>,
}

/// Writer for the rows of one result.
#[derive(Debug)]
pub struct Writer<'e> {
    /// On the stack for most statements: a lookup by key gets no memory for them.
    columns: SmallVec<[Column<'e>; 4]>,
    to: Charset,
    binary: bool,
    scratch: Vec<u8>,
    converted: Vec<u8>,
}

impl<'e> Writer<'e> {
    /// For columns of these types; `results` is character_set_results (binary: no conversion).
    pub fn new(types: impl Iterator<Item = &'e SqlType>, results: CollationId, format: RowFormat) -> Writer<'e> {
        let to = results.charset();
        let columns = types
            .map(|ty| {
                let text = ty.is_character();
                let convert = text && results != CollationId::BINARY && results.0 != 0 && ty.charset() != to;
                let convert =
                    convert && !(ty.charset().is_utf8() && to.is_utf8() && to.max_len() >= ty.charset().max_len());
                Column { ty, plain_int: ty.kind.is_integer() && !ty.zerofill, from: convert.then(|| ty.charset()) }
            })
            .collect();
        Writer { columns, to, binary: format == RowFormat::Binary, scratch: Vec::new(), converted: Vec::new() }
    }

    /// Starts a row; what [`Writer::put`] needs to know.
    #[inline]
    pub fn begin(&self, out: &mut Vec<u8>) -> usize {
        if self.binary { catalog::client::row::begin_binary(out, self.columns.len()) } else { 0 }
    }

    /// Appends column `i`.
    #[inline]
    pub fn put(&mut self, row: usize, i: usize, v: Value<'_>, out: &mut Vec<u8>) {
        let Some(c) = self.columns.get(i) else { return };
        if self.binary {
            return self.put_binary(row, i, v, out);
        }
        match v {
            Value::Null => put_text_null(out),
            Value::Int(n) if c.plain_int => put_text_i64(out, n),
            Value::UInt(n) if c.plain_int => put_text_u64(out, n),
            Value::Str(s) if c.from.is_none() && c.ty.kind.is_string() => put_lenenc_str(out, s),
            v => self.put_string(i, v, out),
        }
    }

    fn put_string(&mut self, i: usize, v: Value<'_>, out: &mut Vec<u8>) {
        let Some(c) = self.columns.get(i) else { return };
        let text = match v {
            Value::Str(s) if c.ty.kind.is_string() => s,
            v => {
                self.scratch.clear();
                convert::to_text(v, c.ty, &mut self.scratch);
                &self.scratch
            }
        };
        match c.from {
            Some(from) => {
                self.converted.clear();
                let _ = charset::convert(text, from, self.to, &mut self.converted);
                put_lenenc_str(out, &self.converted);
            }
            None => put_lenenc_str(out, text),
        }
    }

    fn put_binary(&mut self, row: usize, i: usize, v: Value<'_>, out: &mut Vec<u8>) {
        let Some(c) = self.columns.get(i) else { return };
        let integer = match v {
            Value::Int(n) => Some(n),
            Value::UInt(n) => Some(n as i64),
            _ => None,
        };
        match (v, c.ty.kind) {
            (Value::Null, _) => set_binary_null(out, row, i),
            (_, TypeKind::TinyInt) => put_bin_i8(out, integer.unwrap_or(0) as i8),
            (_, TypeKind::SmallInt | TypeKind::Year) => put_bin_i16(out, integer.unwrap_or(0) as i16),
            (_, TypeKind::MediumInt | TypeKind::Int) => put_bin_i32(out, integer.unwrap_or(0) as i32),
            (_, TypeKind::BigInt) => put_bin_i64(out, integer.unwrap_or(0)),
            (Value::Double(d), TypeKind::Float) => put_bin_f32(out, d as f32),
            (Value::Double(d), TypeKind::Double) => put_bin_f64(out, d),
            (Value::Date(d), TypeKind::Date) => {
                put_bin_datetime(out, (d.year() as u16, d.month() as u8, d.day() as u8), (0, 0, 0, 0));
            }
            (Value::DateTime(d), TypeKind::DateTime | TypeKind::Timestamp) => {
                let time = (d.hour() as u8, d.minute() as u8, d.second() as u8, d.micro());
                put_bin_datetime(out, (d.year() as u16, d.month() as u8, d.day() as u8), time);
            }
            (Value::Time(t), TypeKind::Time) => {
                put_bin_time(out, t.is_negative(), t.hour(), t.minute() as u8, t.second() as u8, t.micro());
            }
            (Value::Str(s), k) if c.from.is_none() && k.is_string() => put_lenenc_str(out, s),
            (v, _) => self.put_string(i, v, out),
        }
    }
}
