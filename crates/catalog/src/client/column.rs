//! Column definitions of result sets (protocol 4.1, "Column Definition") and their encoded form.
//!
//! A cached plan keeps one [`ResultMeta`]; sending it is a copy of its bytes with the sequence ids patched.

use super::row::{put_lenenc_int, put_lenenc_str};
use std::borrow::Cow;
use value::Charset;

/// Column types of the protocol (`enum_field_types`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum FieldType {
    Decimal = 0,
    Tiny = 1,
    Short = 2,
    Long = 3,
    Float = 4,
    Double = 5,
    Null = 6,
    Timestamp = 7,
    LongLong = 8,
    Int24 = 9,
    Date = 10,
    Time = 11,
    DateTime = 12,
    Year = 13,
    VarChar = 15,
    Bit = 16,
    Json = 245,
    NewDecimal = 246,
    Enum = 247,
    Set = 248,
    TinyBlob = 249,
    MediumBlob = 250,
    LongBlob = 251,
    Blob = 252,
    VarString = 253,
    String = 254,
    Geometry = 255,
}

impl FieldType {
    /// The type with this number; types a client may not send (`NEWDATE`, internal ones) give `None`.
    pub const fn from_u8(n: u8) -> Option<FieldType> {
        use FieldType::*;
        Some(match n {
            0 => Decimal,
            1 => Tiny,
            2 => Short,
            3 => Long,
            4 => Float,
            5 => Double,
            6 => Null,
            7 => Timestamp,
            8 => LongLong,
            9 => Int24,
            10 => Date,
            11 => Time,
            12 => DateTime,
            13 => Year,
            15 => VarChar,
            16 => Bit,
            245 => Json,
            246 => NewDecimal,
            247 => Enum,
            248 => Set,
            249 => TinyBlob,
            250 => MediumBlob,
            251 => LongBlob,
            252 => Blob,
            253 => VarString,
            254 => String,
            255 => Geometry,
            _ => return None,
        })
    }
}

/// Flags of a column definition (`NOT_NULL_FLAG` and so on).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ColumnFlags(pub u16);

#[allow(missing_docs)]
impl ColumnFlags {
    pub const NOT_NULL: u16 = 1;
    pub const PRI_KEY: u16 = 2;
    pub const UNIQUE_KEY: u16 = 4;
    pub const MULTIPLE_KEY: u16 = 8;
    pub const BLOB: u16 = 16;
    pub const UNSIGNED: u16 = 32;
    pub const ZEROFILL: u16 = 64;
    pub const BINARY: u16 = 128;
    pub const ENUM: u16 = 256;
    pub const AUTO_INCREMENT: u16 = 512;
    pub const TIMESTAMP: u16 = 1024;
    pub const SET: u16 = 2048;
    pub const NO_DEFAULT_VALUE: u16 = 4096;
    pub const ON_UPDATE_NOW: u16 = 8192;
    pub const PART_KEY: u16 = 16384;
    pub const NUM: u16 = 32768;
}

/// One column of a result set (or one parameter of a prepared statement) as the client sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnDef {
    /// Database of the table; empty for expressions.
    pub schema: String,
    /// Alias of the table.
    pub table: String,
    /// Name of the table.
    pub org_table: String,
    /// Alias of the column, or the text of the expression.
    pub name: String,
    /// Name of the column in its table; empty for expressions.
    pub org_name: String,
    /// Collation id: `character_set_results`' default collation for character columns, 63 (binary) for numbers, temporals and bytes.
    pub charset: u16,
    /// Display length in bytes of that character set.
    pub length: u32,
    /// Protocol type.
    pub ty: FieldType,
    /// `ColumnFlags::*` bits.
    pub flags: ColumnFlags,
    /// Digits after the point; 31 = not fixed.
    pub decimals: u8,
}

impl ColumnDef {
    /// A column of an expression: no table, no flags.
    pub fn expression(name: impl Into<String>, ty: FieldType, charset: u16, length: u32) -> ColumnDef {
        ColumnDef {
            schema: String::new(),
            table: String::new(),
            org_table: String::new(),
            name: name.into(),
            org_name: String::new(),
            charset,
            length,
            ty,
            flags: ColumnFlags::default(),
            decimals: 0,
        }
    }

    /// Appends the packet's payload. `default` is only sent in answer to COM_FIELD_LIST.
    pub fn encode(&self, out: &mut Vec<u8>, default: Option<Option<&[u8]>>) {
        self.encode_in(Charset::Utf8mb4, out, default);
    }

    /// The same with the names in a character set.
    fn encode_in(&self, set: Charset, out: &mut Vec<u8>, default: Option<Option<&[u8]>>) {
        put_lenenc_str(out, b"def");
        for s in [&self.schema, &self.table, &self.org_table, &self.name, &self.org_name] {
            put_lenenc_str(out, &in_charset(s, set));
        }
        put_lenenc_int(out, 12);
        out.extend_from_slice(&self.charset.to_le_bytes());
        out.extend_from_slice(&self.length.to_le_bytes());
        out.push(self.ty as u8);
        out.extend_from_slice(&self.flags.0.to_le_bytes());
        out.push(self.decimals);
        out.extend_from_slice(&[0, 0]);
        match default {
            None => {}
            Some(None) => out.push(0xfb),
            Some(Some(d)) => put_lenenc_str(out, d),
        }
    }
}

/// The columns of a result set with their packets encoded once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ResultMeta {
    columns: Vec<ColumnDef>,
    /// Column definition packets, each with a header whose sequence id is 0.
    encoded: Vec<u8>,
}

impl ResultMeta {
    /// Encodes the columns.
    pub fn new(columns: Vec<ColumnDef>) -> ResultMeta {
        ResultMeta::in_charset(columns, Charset::Utf8mb4)
    }

    /// Encodes the columns with their names in `character_set_results` (binary: as they are).
    pub fn in_charset(columns: Vec<ColumnDef>, set: Charset) -> ResultMeta {
        let mut encoded = Vec::with_capacity(columns.len() * 64);
        let mut payload = Vec::with_capacity(128);
        for c in &columns {
            payload.clear();
            c.encode_in(set, &mut payload, None);
            let len = (payload.len() as u32).to_le_bytes();
            let [a, b, c, _] = len;
            encoded.extend_from_slice(&[a, b, c, 0]);
            encoded.extend_from_slice(&payload);
        }
        ResultMeta { columns, encoded }
    }

    /// The columns.
    pub fn columns(&self) -> &[ColumnDef] {
        &self.columns
    }
    /// Number of columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }
    /// Whether there is no column (a statement without a result set).
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }
    /// The packets: `[length 3][0][payload]` per column.
    pub fn encoded(&self) -> &[u8] {
        &self.encoded
    }
}

/// A text of the server (UTF-8) in a client's character set.
pub fn in_charset(text: &str, set: Charset) -> Cow<'_, [u8]> {
    if (text.is_ascii() && set.has_ascii()) || set.takes_utf8() {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut out = Vec::with_capacity(text.len());
    value::charset::convert(text.as_bytes(), Charset::Utf8mb4, set, &mut out);
    Cow::Owned(out)
}
