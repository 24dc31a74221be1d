//! Result types of operators and functions: kind, signedness, length, decimals, collation.
//!
//! Lengths and decimals are those that MySQL 8.4 reports in result set metadata (manual, the description of each
//! function); a length is never too small for a value.

mod arith;
mod call;
mod collation;
mod unify;

pub use arith::arithmetic;
pub use call::{fsp_of, function, null_if};
pub use collation::{mix_collations, result_collation};
pub use unify::unify;
use value::{CollationId, SqlType, TypeKind};

use crate::expr::Expr;
use crate::func::FuncId;

/// Largest length MySQL reports for a string expression before it becomes a LONGTEXT.
const MAX_VARCHAR_BYTES: u64 = 65_535;

/// Settings that decide types.
#[derive(Clone, Copy, Debug)]
pub struct TypeCtx {
    /// collation_connection; of one of ucs2, utf16, utf16le, utf32 the nearest of utf8mb4.
    pub connection: CollationId,
    /// collation_connection if it is of ucs2, utf16, utf16le or utf32: literals and texts are made in `connection` and
    /// converted to it.
    pub wide: Option<CollationId>,
    /// character_set_client: of the bytes of literals with an introducer.
    pub client: value::Charset,
    /// div_precision_increment.
    pub div_increment: u8,
    /// NO_UNSIGNED_SUBTRACTION.
    pub no_unsigned_subtraction: bool,
    /// Strict mode, in which the text that a function makes may always be NULL: it could be ill-formed.
    pub strict: bool,
}

impl TypeCtx {
    /// Sets collation_connection.
    pub fn connect(&mut self, c: CollationId) {
        (self.connection, self.wide) = if c.charset().is_wide() { (nearest(c), Some(c)) } else { (c, None) };
    }
}

/// The collation of utf8mb4 that is nearest to one of a set that does not contain ASCII as it is.
pub fn nearest(c: CollationId) -> CollationId {
    use value::collation::{Algorithm, WideOrder};
    match c.get().algorithm {
        Algorithm::Wide(_, WideOrder::As(id)) => CollationId(id),
        Algorithm::Wide(_, WideOrder::Code) | Algorithm::Bytes => CollationId::UTF8MB4_BIN,
        _ => CollationId::UTF8MB4_GENERAL_CI,
    }
}

/// Integer type of `digits` digits.
pub fn int_type(digits: u32) -> SqlType {
    let mut t = SqlType::bigint();
    t.length = digits;
    if digits <= 10 {
        t.kind = TypeKind::Int;
        t.length = digits;
    }
    t
}

/// BIGINT as most functions that count return it (metadata length 21 for signed 64 bits).
pub fn longlong(length: u32) -> SqlType {
    let mut t = SqlType::bigint();
    t.length = length;
    t
}

/// BIGINT UNSIGNED, the same.
pub(crate) fn ulonglong(length: u32) -> SqlType {
    let mut t = SqlType::bigint_unsigned();
    t.length = length;
    t
}

/// A number of rows: BIGINT UNSIGNED that is never NULL.
pub fn row_count() -> SqlType {
    let mut t = SqlType::bigint_unsigned().nullable(false);
    t.length = 21;
    t
}

/// A string of at most `chars` characters: VARCHAR, or LONGTEXT when that is too long.
pub fn string_type(chars: u64, collation: CollationId) -> SqlType {
    let bytes = chars.saturating_mul(collation.charset().max_len().max(1) as u64);
    if bytes <= MAX_VARCHAR_BYTES {
        return SqlType::varchar(chars as u32, collation);
    }
    let binary = collation == CollationId::BINARY;
    let kind = if binary { TypeKind::LongBlob } else { TypeKind::LongText };
    let mut t = SqlType::new(kind);
    t.collation = collation;
    t.length = bytes.min(u32::MAX as u64) as u32;
    t
}

/// TEXT or BLOB of at most `chars` characters, of the smallest kind that holds the bytes they may take. Its length counts
/// characters, but bytes if it is a LONGTEXT.
pub fn lob_type(chars: u64, collation: CollationId) -> SqlType {
    let bytes = chars.saturating_mul(collation.charset().max_len().max(1) as u64);
    let kinds = if collation == CollationId::BINARY {
        [TypeKind::TinyBlob, TypeKind::Blob, TypeKind::MediumBlob, TypeKind::LongBlob]
    } else {
        [TypeKind::TinyText, TypeKind::Text, TypeKind::MediumText, TypeKind::LongText]
    };
    let [.., widest] = kinds;
    let kind = kinds.into_iter().find(|k| k.lob_limit().is_some_and(|n| bytes <= u64::from(n))).unwrap_or(widest);
    let length = if kind == widest { bytes } else { chars };
    SqlType { collation, length: length.min(u64::from(u32::MAX)) as u32, ..SqlType::new(kind) }
}

/// The type of the column that holds an expression's values in a temporary table. An integer of ten digits and more
/// becomes BIGINT, a shorter one INT, YEAR an unsigned INT, CHAR VARCHAR, a long text TEXT; ZEROFILL is lost.
pub fn stored(t: &SqlType) -> SqlType {
    let mut out = t.clone();
    match t.kind {
        TypeKind::Year => {
            out = SqlType { length: 4, unsigned: true, nullable: t.nullable, ..SqlType::new(TypeKind::Int) };
        }
        k if k.is_integer() => {
            out.length = if t.zerofill { int_chars(t) } else { t.length };
            out.kind = if out.length >= BIGINT_DIGITS { TypeKind::BigInt } else { TypeKind::Int };
            out.zerofill = false;
        }
        k if k.is_string() => {
            let chars = text_chars(t);
            let made =
                if chars > LONGEST_VARCHAR { lob_type(chars, t.collation) } else { string_type(chars, t.collation) };
            (out.kind, out.length) = (made.kind, made.length);
        }
        _ => {}
    }
    out
}

/// Digits and sign from which an integer expression is stored as a BIGINT.
const BIGINT_DIGITS: u32 = 10;
/// Longer texts of expressions are stored as TEXT (characters).
pub(crate) const LONGEST_VARCHAR: u64 = 512;

/// The type of a user variable to which a value of type `t` was assigned: the widest of its kind. A DECIMAL shows the
/// digits of its value.
pub fn variable(t: SqlType) -> SqlType {
    let mut to = match t.kind {
        TypeKind::Decimal => {
            let mut to = SqlType::decimal(65, 30);
            to.own_digits = true;
            to
        }
        k if k.is_float() => SqlType::double(),
        k if k.is_integer() || matches!(k, TypeKind::Year | TypeKind::Bit) => {
            let mut to = longlong(21);
            to.unsigned = t.unsigned;
            to
        }
        k if k.is_string() => string_type(VARIABLE_CHARS, t.collation),
        _ => return t,
    };
    to.nullable = t.nullable;
    to
}

/// Characters of a user variable's text.
const VARIABLE_CHARS: u64 = 16_777_216;

/// Digits and sign of the longest integer of the type. A display width does not limit them: INT(1) holds 150. For BIGINT
/// `length` is right, of expressions and of columns ([`widened`]).
pub fn int_chars(t: &SqlType) -> u32 {
    let digits = match t.kind {
        TypeKind::TinyInt => 3,
        TypeKind::SmallInt => 5,
        TypeKind::MediumInt => 8 - u32::from(!t.unsigned),
        TypeKind::Int => 10,
        TypeKind::BigInt if t.zerofill => 20,
        _ => return t.length.max(1),
    };
    t.length.max(digits + u32::from(!t.unsigned))
}

/// The type of a column as an expression: a value of BIGINT(3) may have twenty characters. ZEROFILL keeps the width.
pub fn widened(mut t: SqlType) -> SqlType {
    if t.kind == TypeKind::BigInt && !t.zerofill {
        t.length = t.length.max(20);
    }
    t
}

/// Longest text of a value of the type, in characters.
pub fn text_chars(t: &SqlType) -> u64 {
    match t.kind {
        TypeKind::Null => 0,
        TypeKind::Decimal => t.length as u64 + 1 + u64::from(t.decimals > 0) + u64::from(t.length == t.decimals as u32),
        TypeKind::Float => 12,
        TypeKind::Double => 22,
        k if k.is_integer() => u64::from(int_chars(t)),
        // as many digits as bits
        TypeKind::Bit => t.length as u64,
        // each of the bytes may be a character
        TypeKind::TinyText | TypeKind::Text | TypeKind::MediumText => t.length as u64,
        k if k.is_lob() => t.length as u64 / t.charset().max_len().max(1) as u64,
        _ => t.length as u64,
    }
}

/// Longest text of a value of the type, in bytes.
pub fn text_bytes(t: &SqlType) -> u64 {
    let width = if t.is_character() { t.charset().max_len().max(1) } else { 1 };
    text_chars(t).saturating_mul(width as u64).min(u64::from(u32::MAX))
}

/// Longest text of a value of the type, in characters of a string with the collation that it goes into.
pub fn chars_in(t: &SqlType, collation: CollationId) -> u64 {
    if collation == CollationId::BINARY { text_bytes(t) } else { text_chars(t) }
}

/// Decimal digits a value of the type needs: (digits before the point, scale).
pub fn decimal_parts(t: &SqlType) -> (u8, u8) {
    match t.kind {
        TypeKind::Decimal => ((t.length as u8).saturating_sub(t.decimals), t.decimals),
        TypeKind::TinyInt => (3, 0),
        TypeKind::SmallInt => (5, 0),
        TypeKind::MediumInt => (8, 0),
        TypeKind::Int => (10, 0),
        // the length counts the sign
        TypeKind::BigInt => (int_chars(t).saturating_sub(u32::from(!t.unsigned)).clamp(1, 21) as u8, 0),
        TypeKind::Year => (4, 0),
        TypeKind::Date => (8, 0),
        TypeKind::Time => (7, t.decimals),
        TypeKind::DateTime | TypeKind::Timestamp => (14, t.decimals),
        TypeKind::Bit => (t.length as u8, 0),
        TypeKind::Null => (0, 0),
        _ => (35, 30),
    }
}

/// DECIMAL with at most 65 digits, cutting the integer part last.
pub fn decimal_type(int_digits: u32, scale: u32) -> SqlType {
    let scale = scale.min(30);
    let precision = (int_digits + scale).clamp(1, 65);
    SqlType::decimal(precision as u8, scale.min(precision) as u8)
}

/// How a type takes part in arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NumClass {
    /// 64-bit integers.
    Int,
    /// DECIMAL.
    Decimal,
    /// DOUBLE (also strings).
    Double,
}

/// Numeric class of a type: dates and times count as integers, with a fraction as decimals; strings count as doubles.
pub fn num_class(t: &SqlType) -> NumClass {
    match t.kind {
        TypeKind::Decimal => NumClass::Decimal,
        TypeKind::Time | TypeKind::DateTime | TypeKind::Timestamp if t.decimals > 0 => NumClass::Decimal,
        k if k.is_temporal() || k.is_integer() => NumClass::Int,
        TypeKind::Year | TypeKind::Bit | TypeKind::Null => NumClass::Int,
        _ => NumClass::Double,
    }
}

fn double(nullable: bool) -> SqlType {
    SqlType::double().nullable(nullable)
}

/// Type of an integer literal.
pub fn int_literal(v: u64) -> SqlType {
    let digits = v.checked_ilog10().unwrap_or(0) + 1;
    let unsigned = v > i64::MAX as u64;
    // room for a sign, as in every integer's length
    let mut t = longlong(digits + u32::from(!unsigned));
    t.unsigned = unsigned;
    t.nullable = false;
    t
}

/// Type of a temporal function of a value: fsp from an argument's type or a constant precision.
fn with_fsp(kind: TypeKind, fsp: u8) -> SqlType {
    SqlType::temporal(kind, fsp.min(6))
}

fn const_u8(e: Option<&Expr>) -> u8 {
    match e.map(|e| &e.kind) {
        Some(crate::expr::ExprKind::Const(value::OwnedValue::Int(n))) => (*n).clamp(0, 255) as u8,
        Some(crate::expr::ExprKind::Const(value::OwnedValue::UInt(n))) => (*n).min(255) as u8,
        _ => 0,
    }
}

/// A constant integer argument, if it is one.
pub fn const_int(e: Option<&Expr>) -> Option<i64> {
    match e.map(|e| &e.kind) {
        Some(crate::expr::ExprKind::Const(value::OwnedValue::Int(n))) => Some(*n),
        Some(crate::expr::ExprKind::Const(value::OwnedValue::UInt(n))) => i64::try_from(*n).ok(),
        Some(crate::expr::ExprKind::Call(FuncId::Neg, a)) => const_int(a.first()).and_then(i64::checked_neg),
        _ => None,
    }
}

/// Characters of `b` in the character set.
pub fn char_count(cs: value::Charset, b: &[u8]) -> usize {
    if cs.is_utf8() { b.iter().filter(|c| **c & 0xc0 != 0x80).count() } else { cs.char_count(b) }
}
