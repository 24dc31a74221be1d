//! What a virtual table's columns are declared as, and how a row's plain values take that form.
//!
//! The functions that make rows give text for ENUM and SET columns; [`coded`] turns it into the number such a column holds. A text that is no
//! member becomes 0, the empty value.

use storage::dict::ColumnDef;
use value::{CollationId, OwnedValue, SqlType, TypeKind};

/// Type of a virtual column.
#[derive(Clone, Copy)]
pub(crate) enum T {
    /// VARCHAR(n), utf8mb3.
    S(u32),
    /// CHAR(n), utf8mb3.
    Char(u32),
    /// ENUM.
    Enum(&'static [&'static str]),
    /// SET.
    Set(&'static [&'static str]),
    /// TEXT.
    Short,
    /// MEDIUMTEXT.
    Medium,
    /// LONGTEXT.
    Text,
    /// BLOB.
    Blob,
    /// VARBINARY(0): always NULL or empty.
    Nothing,
    /// VARBINARY(n).
    Bytes(u32),
    /// JSON.
    Json,
    /// BIGINT UNSIGNED.
    U,
    /// BIGINT.
    I,
    /// INT.
    Int,
    /// INT UNSIGNED.
    UInt,
    /// SMALLINT.
    Small,
    /// TINYINT(1).
    Bool,
    /// FLOAT(12,0).
    Float,
    /// DOUBLE.
    Double,
    /// DOUBLE(m,d).
    Fixed(u32, u8),
    /// DECIMAL(p,s).
    Decimal(u8, u8),
    /// DATETIME.
    Time,
    /// TIMESTAMP with so many digits.
    Stamp(u8),
}

/// ENUM('NO','YES').
pub(crate) const NO_YES: T = T::Enum(&["NO", "YES"]);
/// ENUM('YES','NO').
pub(crate) const YES_NO: T = T::Enum(&["YES", "NO"]);
/// ENUM('1','0').
pub(crate) const ONE_ZERO: T = T::Enum(&["1", "0"]);
/// What an EXECUTION_ENGINE column says.
pub(crate) const EXECUTION: T = T::Enum(&["PRIMARY", "SECONDARY"]);
/// Kinds of a stored routine.
pub(crate) const ROUTINE: T = T::Enum(&["FUNCTION", "PROCEDURE"]);
/// A foreign key's action.
pub(crate) const RULE: T = T::Enum(&["NO ACTION", "RESTRICT", "CASCADE", "SET NULL", "SET DEFAULT"]);
/// Privileges on a column, as the grant tables name them.
pub(crate) const COLUMN_PRIVILEGES: T = T::Set(&["Select", "Insert", "Update", "References"]);
/// Privileges on a table, likewise.
pub(crate) const TABLE_PRIVILEGES: T = T::Set(&[
    "Select",
    "Insert",
    "Update",
    "Delete",
    "Create",
    "Drop",
    "Grant",
    "References",
    "Index",
    "Alter",
    "Create View",
    "Show view",
    "Trigger",
]);
/// An interval's unit.
pub(crate) const INTERVAL: T = T::Enum(&[
    "YEAR",
    "QUARTER",
    "MONTH",
    "DAY",
    "HOUR",
    "MINUTE",
    "WEEK",
    "SECOND",
    "MICROSECOND",
    "YEAR_MONTH",
    "DAY_HOUR",
    "DAY_MINUTE",
    "DAY_SECOND",
    "HOUR_MINUTE",
    "HOUR_SECOND",
    "MINUTE_SECOND",
    "DAY_MICROSECOND",
    "HOUR_MICROSECOND",
    "MINUTE_MICROSECOND",
    "SECOND_MICROSECOND",
]);
/// The SQL modes by their bits; bits that are no longer used have names too.
pub(crate) const SQL_MODES: T = T::Set(&[
    "REAL_AS_FLOAT",
    "PIPES_AS_CONCAT",
    "ANSI_QUOTES",
    "IGNORE_SPACE",
    "NOT_USED",
    "ONLY_FULL_GROUP_BY",
    "NO_UNSIGNED_SUBTRACTION",
    "NO_DIR_IN_CREATE",
    "NOT_USED_9",
    "NOT_USED_10",
    "NOT_USED_11",
    "NOT_USED_12",
    "NOT_USED_13",
    "NOT_USED_14",
    "NOT_USED_15",
    "NOT_USED_16",
    "NOT_USED_17",
    "NOT_USED_18",
    "ANSI",
    "NO_AUTO_VALUE_ON_ZERO",
    "NO_BACKSLASH_ESCAPES",
    "STRICT_TRANS_TABLES",
    "STRICT_ALL_TABLES",
    "NO_ZERO_IN_DATE",
    "NO_ZERO_DATE",
    "ALLOW_INVALID_DATES",
    "ERROR_FOR_DIVISION_BY_ZERO",
    "TRADITIONAL",
    "NOT_USED_29",
    "HIGH_NOT_PRECEDENCE",
    "NO_ENGINE_SUBSTITUTION",
    "PAD_CHAR_TO_FULL_LENGTH",
    "TIME_TRUNCATE_FRACTIONAL",
]);

const UTF8: CollationId = CollationId(33);

fn text(kind: TypeKind) -> SqlType {
    let mut ty = SqlType::new(kind);
    ty.collation = UTF8;
    ty
}

fn members(kind: TypeKind, names: &[&str]) -> SqlType {
    let mut ty = text(kind);
    ty.members = Some(names.iter().map(|n| n.as_bytes().into()).collect());
    ty
}

fn sized(kind: TypeKind, length: u32) -> SqlType {
    let mut ty = SqlType::new(kind);
    ty.length = length;
    ty
}

fn sql_type(t: T) -> SqlType {
    match t {
        T::S(n) => SqlType::varchar(n, UTF8),
        T::Char(n) => {
            let mut ty = sized(TypeKind::Char, n);
            ty.collation = UTF8;
            ty
        }
        T::Enum(names) => members(TypeKind::Enum, names),
        T::Set(names) => members(TypeKind::Set, names),
        T::Short => text(TypeKind::Text),
        T::Medium => text(TypeKind::MediumText),
        T::Text => text(TypeKind::LongText),
        T::Blob => SqlType::new(TypeKind::Blob),
        T::Nothing => sized(TypeKind::VarBinary, 0),
        T::Bytes(n) => sized(TypeKind::VarBinary, n),
        T::Json => SqlType::new(TypeKind::Json),
        T::U => SqlType::bigint_unsigned(),
        T::I => SqlType::bigint(),
        T::Int => SqlType::new(TypeKind::Int),
        T::Small => SqlType::new(TypeKind::SmallInt),
        T::UInt => {
            let mut ty = SqlType::new(TypeKind::Int);
            ty.unsigned = true;
            ty
        }
        T::Bool => sized(TypeKind::TinyInt, 1),
        T::Float => {
            let mut ty = sized(TypeKind::Float, 12);
            ty.decimals = 0;
            ty
        }
        T::Double => SqlType::double(),
        T::Fixed(m, d) => {
            let mut ty = sized(TypeKind::Double, m);
            ty.decimals = d;
            ty
        }
        T::Decimal(p, s) => SqlType::decimal(p, s),
        T::Stamp(digits) => SqlType::temporal(TypeKind::Timestamp, digits),
        T::Time => SqlType::temporal(TypeKind::DateTime, 0),
    }
}

/// A column's definition.
pub(super) fn column(name: &str, t: T, nullable: bool) -> ColumnDef {
    ColumnDef::new(name, sql_type(t).nullable(nullable))
}

/// Positions and types of the columns whose values [`coded`] must turn.
pub(super) fn coded_columns(columns: super::Columns) -> Vec<(usize, T)> {
    let is_coded = |t: &T| matches!(t, T::Enum(_) | T::Set(_));
    columns.iter().map(|c| c.1).enumerate().filter(|(_, t)| is_coded(t)).collect()
}

/// The number an ENUM or SET column holds for a text; other values and types stay.
pub(super) fn coded(t: T, value: OwnedValue) -> OwnedValue {
    let OwnedValue::Str(text) = &value else { return value };
    let place = |names: &[&str], word: &[u8]| names.iter().position(|n| n.as_bytes().eq_ignore_ascii_case(word));
    match t {
        T::Enum(names) => OwnedValue::UInt(place(names, text).map_or(0, |p| p as u64 + 1)),
        T::Set(names) => {
            let bits = text.split(|b| *b == b',').filter_map(|word| place(names, word));
            OwnedValue::UInt(bits.fold(0, |set, bit| set | 1 << bit))
        }
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_members() {
        let coded = |t, text: &str| coded(t, OwnedValue::Str(text.as_bytes().into()));
        assert!(matches!(coded(NO_YES, "YES"), OwnedValue::UInt(2)));
        assert!(matches!(coded(NO_YES, "PERHAPS"), OwnedValue::UInt(0)));
        assert!(matches!(coded(COLUMN_PRIVILEGES, "Insert,References"), OwnedValue::UInt(0b1010)));
        assert!(matches!(coded(T::S(3), "YES"), OwnedValue::Str(s) if *s == *b"YES"));
    }
}
