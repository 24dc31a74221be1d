//! Static types of columns and expressions.
//!
//! A [`SqlType`] is cheap to clone (member lists of ENUM and SET are shared). Source: manual, "Data Types".

use std::sync::Arc;

use crate::charset::Charset;
use crate::collation::CollationId;

/// What kind of type; sizes, scale and signedness are in [`SqlType`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum TypeKind {
    /// The type of the literal NULL.
    Null = 0,
    TinyInt = 1,
    SmallInt = 2,
    MediumInt = 3,
    Int = 4,
    BigInt = 5,
    Float = 6,
    Double = 7,
    Decimal = 8,
    Date = 9,
    Time = 10,
    DateTime = 11,
    Timestamp = 12,
    Year = 13,
    Char = 14,
    VarChar = 15,
    Binary = 16,
    VarBinary = 17,
    TinyText = 18,
    Text = 19,
    MediumText = 20,
    LongText = 21,
    TinyBlob = 22,
    Blob = 23,
    MediumBlob = 24,
    LongBlob = 25,
    Bit = 26,
    Enum = 27,
    Set = 28,
    Json = 29,
}

impl TypeKind {
    /// TINYINT ... BIGINT (not YEAR, BIT).
    pub const fn is_integer(self) -> bool {
        matches!(self, TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::MediumInt | TypeKind::Int | TypeKind::BigInt)
    }
    /// FLOAT or DOUBLE.
    pub const fn is_float(self) -> bool {
        matches!(self, TypeKind::Float | TypeKind::Double)
    }
    /// Integers, floats, DECIMAL, YEAR, BIT.
    pub const fn is_numeric(self) -> bool {
        self.is_integer() || self.is_float() || matches!(self, TypeKind::Decimal | TypeKind::Year | TypeKind::Bit)
    }
    /// DATE, TIME, DATETIME, TIMESTAMP.
    pub const fn is_temporal(self) -> bool {
        matches!(self, TypeKind::Date | TypeKind::Time | TypeKind::DateTime | TypeKind::Timestamp)
    }
    /// DATE, DATETIME, TIMESTAMP.
    pub const fn has_date(self) -> bool {
        matches!(self, TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp)
    }
    /// Kinds whose value is `Value::Str`: CHAR ... LONGBLOB (not ENUM, SET, JSON).
    pub const fn is_string(self) -> bool {
        (self as u8) >= (TypeKind::Char as u8) && (self as u8) <= (TypeKind::LongBlob as u8)
    }
    /// TEXT and BLOB kinds.
    pub const fn is_lob(self) -> bool {
        (self as u8) >= (TypeKind::TinyText as u8) && (self as u8) <= (TypeKind::LongBlob as u8)
    }
    /// BINARY, VARBINARY and BLOB kinds: always collation `binary`.
    pub const fn is_binary_string(self) -> bool {
        matches!(
            self,
            TypeKind::Binary
                | TypeKind::VarBinary
                | TypeKind::TinyBlob
                | TypeKind::Blob
                | TypeKind::MediumBlob
                | TypeKind::LongBlob
        )
    }
    /// Byte limit of a TEXT/BLOB kind; `None` for others.
    pub const fn lob_limit(self) -> Option<u32> {
        match self {
            TypeKind::TinyText | TypeKind::TinyBlob => Some(255),
            TypeKind::Text | TypeKind::Blob => Some(65_535),
            TypeKind::MediumText | TypeKind::MediumBlob => Some(16_777_215),
            TypeKind::LongText | TypeKind::LongBlob => Some(u32::MAX),
            _ => None,
        }
    }
    /// MySQL's protocol type number (`enum_field_types`): what column definitions and binary parameters carry.
    pub const fn protocol_type(self) -> u8 {
        match self {
            TypeKind::Null => 6,
            TypeKind::TinyInt => 1,
            TypeKind::SmallInt => 2,
            TypeKind::MediumInt => 9,
            TypeKind::Int => 3,
            TypeKind::BigInt => 8,
            TypeKind::Float => 4,
            TypeKind::Double => 5,
            TypeKind::Decimal => 246,
            TypeKind::Date => 10,
            TypeKind::Time => 11,
            TypeKind::DateTime => 12,
            TypeKind::Timestamp => 7,
            TypeKind::Year => 13,
            TypeKind::VarChar | TypeKind::VarBinary => 253,
            TypeKind::Char | TypeKind::Binary | TypeKind::Enum | TypeKind::Set => 254,
            TypeKind::TinyText
            | TypeKind::Text
            | TypeKind::MediumText
            | TypeKind::LongText
            | TypeKind::TinyBlob
            | TypeKind::Blob
            | TypeKind::MediumBlob
            | TypeKind::LongBlob => 252,
            TypeKind::Bit => 16,
            TypeKind::Json => 245,
        }
    }
    /// The kind with this discriminant (for the dictionary's on-disk form).
    pub fn from_u8(n: u8) -> Option<TypeKind> {
        const ALL: [TypeKind; 30] = [
            TypeKind::Null,
            TypeKind::TinyInt,
            TypeKind::SmallInt,
            TypeKind::MediumInt,
            TypeKind::Int,
            TypeKind::BigInt,
            TypeKind::Float,
            TypeKind::Double,
            TypeKind::Decimal,
            TypeKind::Date,
            TypeKind::Time,
            TypeKind::DateTime,
            TypeKind::Timestamp,
            TypeKind::Year,
            TypeKind::Char,
            TypeKind::VarChar,
            TypeKind::Binary,
            TypeKind::VarBinary,
            TypeKind::TinyText,
            TypeKind::Text,
            TypeKind::MediumText,
            TypeKind::LongText,
            TypeKind::TinyBlob,
            TypeKind::Blob,
            TypeKind::MediumBlob,
            TypeKind::LongBlob,
            TypeKind::Bit,
            TypeKind::Enum,
            TypeKind::Set,
            TypeKind::Json,
        ];
        ALL.get(n as usize).copied()
    }
}

/// "No fixed number of decimals", as MySQL reports for DOUBLE without (M,D) and for string expressions.
pub const NOT_FIXED_DEC: u8 = 31;

/// Static type of a column or expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SqlType {
    /// Kind.
    pub kind: TypeKind,
    /// UNSIGNED (integers, DECIMAL, floats).
    pub unsigned: bool,
    /// ZEROFILL (implies unsigned).
    pub zerofill: bool,
    /// Whether NULL can occur.
    pub nullable: bool,
    /// DECIMAL: scale. FLOAT/DOUBLE: D or [`NOT_FIXED_DEC`]. Temporal kinds: fsp 0-6. Others 0.
    pub decimals: u8,
    /// CHAR/VARCHAR: characters. BINARY/VARBINARY: bytes. TEXT/BLOB: limit in bytes. Integers: display width
    /// (see [`SqlType::int_display_width`]). DECIMAL: precision (digits). BIT: bits. Others: display width.
    pub length: u32,
    /// Of an expression, until its values go through a table. DECIMAL of IF or CASE: a value is shown with the digits of the branch that it comes
    /// from, not with `decimals` of them. YEAR: 0 is shown as 0, not as 0000. A parameter that goes into a column of text: TIME without zeros at the
    /// fraction's end, DATETIME without fraction.
    pub own_digits: bool,
    /// Character set and collation; `BINARY` (63) for everything that is not character data.
    pub collation: CollationId,
    /// ENUM and SET members in the type's character set; `None` otherwise.
    pub members: Option<Arc<[Box<[u8]>]>>,
}

impl SqlType {
    /// A type of `kind` with the kind's default length and scale, nullable, signed, binary collation.
    pub const fn new(kind: TypeKind) -> SqlType {
        let (length, decimals) = match kind {
            TypeKind::Null => (0, 0),
            TypeKind::TinyInt => (4, 0),
            TypeKind::SmallInt => (6, 0),
            TypeKind::MediumInt => (9, 0),
            TypeKind::Int => (11, 0),
            TypeKind::BigInt => (20, 0),
            TypeKind::Float => (12, NOT_FIXED_DEC),
            TypeKind::Double => (22, NOT_FIXED_DEC),
            TypeKind::Decimal => (10, 0),
            TypeKind::Date => (10, 0),
            TypeKind::Time => (10, 0),
            TypeKind::DateTime | TypeKind::Timestamp => (19, 0),
            TypeKind::Year => (4, 0),
            TypeKind::Char | TypeKind::Binary | TypeKind::Bit => (1, 0),
            TypeKind::VarChar | TypeKind::VarBinary | TypeKind::Enum | TypeKind::Set => (0, 0),
            TypeKind::Json => (u32::MAX, 0),
            k => match k.lob_limit() {
                Some(n) => (n, 0),
                None => (0, 0),
            },
        };
        SqlType {
            kind,
            unsigned: matches!(kind, TypeKind::Year | TypeKind::Bit),
            zerofill: matches!(kind, TypeKind::Year),
            nullable: true,
            decimals,
            length,
            own_digits: false,
            collation: CollationId::BINARY,
            members: None,
        }
    }
    /// BIGINT.
    pub const fn bigint() -> SqlType {
        SqlType::new(TypeKind::BigInt)
    }
    /// BIGINT UNSIGNED.
    pub const fn bigint_unsigned() -> SqlType {
        let mut t = SqlType::new(TypeKind::BigInt);
        t.unsigned = true;
        t
    }
    /// DOUBLE.
    pub const fn double() -> SqlType {
        SqlType::new(TypeKind::Double)
    }
    /// DECIMAL(precision, scale).
    pub const fn decimal(precision: u8, scale: u8) -> SqlType {
        let mut t = SqlType::new(TypeKind::Decimal);
        t.length = precision as u32;
        t.decimals = scale;
        t
    }
    /// VARCHAR(chars) in the given collation (VARBINARY if that is `binary`).
    pub const fn varchar(chars: u32, collation: CollationId) -> SqlType {
        let kind = if collation.0 == CollationId::BINARY.0 { TypeKind::VarBinary } else { TypeKind::VarChar };
        let mut t = SqlType::new(kind);
        t.length = chars;
        t.collation = collation;
        t
    }
    /// A temporal kind with `fsp` digits of fraction.
    pub const fn temporal(kind: TypeKind, fsp: u8) -> SqlType {
        let mut t = SqlType::new(kind);
        t.decimals = fsp;
        if fsp > 0 && !matches!(kind, TypeKind::Date) {
            t.length += 1 + fsp as u32;
        }
        t
    }
    /// The same type with another nullability.
    pub const fn nullable(mut self, yes: bool) -> SqlType {
        self.nullable = yes;
        self
    }
    /// The same type of values that have been in a table.
    pub const fn settled(mut self) -> SqlType {
        self.own_digits = false;
        self
    }
    /// Character set of the collation.
    pub fn charset(&self) -> Charset {
        self.collation.charset()
    }
    /// Character data: CHAR, VARCHAR, TEXT kinds, ENUM, SET with a collation other than `binary`.
    pub fn is_character(&self) -> bool {
        (self.kind.is_string() || matches!(self.kind, TypeKind::Enum | TypeKind::Set))
            && self.collation != CollationId::BINARY
    }
    /// Collation of its values as text: a JSON document's is utf8mb4_bin; `binary` where bytes are counted, or numbers.
    pub fn text_collation(&self) -> CollationId {
        match self.kind {
            TypeKind::Json => CollationId::UTF8MB4_BIN,
            _ if self.is_character() => self.collation,
            _ => CollationId::BINARY,
        }
    }
    /// Display width that ZEROFILL pads to: `length` if given, otherwise the kind's default.
    pub const fn int_display_width(&self) -> u32 {
        self.length
    }
    /// Longest value in bytes in this type's character set (strings), or the display width.
    pub fn max_bytes(&self) -> u64 {
        match self.kind {
            TypeKind::Char | TypeKind::VarChar => self.length as u64 * self.charset().max_len() as u64,
            _ => self.length as u64,
        }
    }
    /// Inclusive range of an integer kind or YEAR/BIT as (min, max).
    pub fn int_range(&self) -> (i128, i128) {
        let bits = match self.kind {
            TypeKind::TinyInt => 8,
            TypeKind::SmallInt => 16,
            TypeKind::MediumInt => 24,
            TypeKind::Int => 32,
            TypeKind::Year => return (0, 2155),
            TypeKind::Bit => return (0, (1i128 << self.length.clamp(1, 64)) - 1),
            _ => 64,
        };
        if self.unsigned { (0, (1i128 << bits) - 1) } else { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) }
    }
}
