//! What a virtual table's columns are declared as, and how a row's plain values take that form.
//!
//! MySQL has three sorts of such tables, and each has collations of its own. The tables of information_schema that are views over its dictionary
//! have names that compare by bytes (`utf8mb3_bin`), or by their lower case where names of that kind do not mind the case (`utf8mb3_tolower_ci`:
//! columns, indexes, constraints, partitions); words that the view makes itself are `utf8mb3_general_ci`, and where they cannot be NULL they
//! have a default. The tables that the server or InnoDB fills when they are read ([`is_filled`]) are all `utf8mb3_general_ci` with a default
//! for everything. performance_schema is `utf8mb4_0900_ai_ci`. What each column has is the record of MySQL 8.4.8's own test
//! (`suite/funcs_1/r/is_columns_is_cs.result`) and, where that is silent, what a MySQL 9.7 shows; golden `information_schema_columns`.
//!
//! The functions that make rows give text for ENUM and SET columns; [`coded`] turns it into the number such a column holds. A text that is no
//! member becomes 0, the empty value.

use storage::dict::{ColumnDef, ColumnDefault};
use value::{CollationId, OwnedValue, SqlType, TypeKind};

/// Type of a virtual column.
#[derive(Clone, Copy)]
pub(crate) enum T {
    /// VARCHAR(n) in the schema's collation: `utf8mb3_general_ci`; `utf8mb4_0900_ai_ci` in performance_schema.
    S(u32),
    /// VARCHAR(n) that compares by bytes: `utf8mb3_bin`; `utf8mb4_bin` in performance_schema.
    Bin(u32),
    /// VARCHAR(n), `utf8mb3_tolower_ci`.
    Lower(u32),
    /// VARCHAR(n), `utf8mb4_0900_ai_ci`.
    Wide(u32),
    /// VARCHAR(n) like [`T::S`] with the empty text as default.
    Word(u32),
    /// CHAR(n). Like ENUM, SET and the TEXTs `utf8mb3_bin` in information_schema, else the schema's collation.
    Char(u32),
    /// A type with another collation.
    In(&'static T, CollationId),
    /// A type with a default.
    Or(&'static T, &'static str),
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
    /// LONGBLOB.
    LongBlob,
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
    /// SMALLINT UNSIGNED.
    USmall,
    /// TINYINT(1).
    Bool,
    /// FLOAT(12,0).
    Float,
    /// FLOAT.
    Real,
    /// TINYINT.
    Tiny,
    /// TINYINT UNSIGNED.
    UTiny,
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

/// Collations for [`T::In`].
pub(crate) const GENERAL: CollationId = CollationId::UTF8MB3_GENERAL_CI;
/// By bytes.
pub(crate) const BIN: CollationId = CollationId::UTF8MB3_BIN;
/// By bytes, any character.
pub(crate) const BIN4: CollationId = CollationId::UTF8MB4_BIN;
/// Any character, without case.
pub(crate) const WIDE: CollationId = CollationId::UTF8MB4_0900_AI_CI;
/// Western European.
pub(crate) const LATIN: CollationId = CollationId::LATIN1_SWEDISH_CI;
/// Hosts.
pub(crate) const ASCII: CollationId = CollationId::ASCII_GENERAL_CI;

/// A schema's collations: of words, by bytes, of CHAR, ENUM, SET and the TEXTs.
#[derive(Clone, Copy)]
struct Family {
    words: CollationId,
    bytes: CollationId,
    other: CollationId,
}

fn family(schema: &str) -> Family {
    match schema {
        "information_schema" => Family { words: GENERAL, bytes: BIN, other: BIN },
        "performance_schema" => {
            let words = CollationId::UTF8MB4_0900_AI_CI;
            Family { words, bytes: BIN4, other: words }
        }
        _ => Family { words: GENERAL, bytes: BIN, other: GENERAL },
    }
}

/// Whether MySQL fills a table of information_schema when it is read; the others are views over its dictionary. For COLUMNS it shows of the former
/// a default for every column, lengths that are divided by three and no precision of numbers.
pub(crate) fn is_filled(schema: &str, table: &str) -> bool {
    const VIEWS: [&str; 5] =
        ["INNODB_DATAFILES", "INNODB_FIELDS", "INNODB_FOREIGN", "INNODB_FOREIGN_COLS", "INNODB_TABLESPACES_BRIEF"];
    const FILLED: [&str; 9] = [
        "COLUMN_PRIVILEGES",
        "ENGINES",
        "OPTIMIZER_TRACE",
        "PLUGINS",
        "PROCESSLIST",
        "PROFILING",
        "SCHEMA_PRIVILEGES",
        "TABLE_PRIVILEGES",
        "USER_PRIVILEGES",
    ];
    schema == "information_schema"
        && (FILLED.contains(&table) || table.starts_with("INNODB_") && !VIEWS.contains(&table))
}

fn text(kind: TypeKind, collation: CollationId) -> SqlType {
    let mut ty = SqlType::new(kind);
    ty.collation = collation;
    ty
}

fn members(kind: TypeKind, names: &[&str], collation: CollationId) -> SqlType {
    let mut ty = text(kind, collation);
    // MySQL's length of an ENUM is that of its longest member, of a SET that of all of them
    let lengths = names.iter().map(|n| n.len() as u32);
    ty.length = match kind {
        TypeKind::Enum => lengths.max().unwrap_or(0),
        _ => lengths.sum::<u32>() + names.len().saturating_sub(1) as u32,
    };
    ty.members = Some(names.iter().map(|n| n.as_bytes().into()).collect());
    ty
}

fn sized(kind: TypeKind, length: u32) -> SqlType {
    let mut ty = SqlType::new(kind);
    ty.length = length;
    ty
}

fn sql_type(t: T, of: Family) -> SqlType {
    match t {
        T::S(n) | T::Word(n) => SqlType::varchar(n, of.words),
        // names of schemas and tables
        T::Bin(64) if base::names::are_folded() && of.bytes == CollationId::UTF8MB3_BIN => {
            SqlType::varchar(64, CollationId::UTF8MB3_TOLOWER_CI)
        }
        T::Bin(n) => SqlType::varchar(n, of.bytes),
        T::Lower(n) => SqlType::varchar(n, CollationId::UTF8MB3_TOLOWER_CI),
        T::Wide(n) => SqlType::varchar(n, CollationId::UTF8MB4_0900_AI_CI),
        T::In(t, collation) => sql_type(*t, Family { words: collation, bytes: collation, other: collation }),
        T::Or(t, _) => sql_type(*t, of),
        T::Char(n) => {
            let mut ty = sized(TypeKind::Char, n);
            ty.collation = of.other;
            ty
        }
        T::Enum(names) => members(TypeKind::Enum, names, of.other),
        T::Set(names) => members(TypeKind::Set, names, of.other),
        T::Short => text(TypeKind::Text, of.other),
        T::Medium => text(TypeKind::MediumText, of.other),
        T::Text => text(TypeKind::LongText, of.other),
        T::Blob => SqlType::new(TypeKind::Blob),
        T::LongBlob => SqlType::new(TypeKind::LongBlob),
        T::Nothing => sized(TypeKind::VarBinary, 0),
        T::Bytes(n) => sized(TypeKind::VarBinary, n),
        T::Json => SqlType::new(TypeKind::Json),
        T::U => SqlType::bigint_unsigned(),
        T::I => SqlType::bigint(),
        T::Int => SqlType::new(TypeKind::Int),
        T::Small => SqlType::new(TypeKind::SmallInt),
        T::UInt | T::USmall | T::UTiny => {
            let mut ty = SqlType::new(match t {
                T::UInt => TypeKind::Int,
                T::USmall => TypeKind::SmallInt,
                _ => TypeKind::TinyInt,
            });
            ty.unsigned = true;
            ty
        }
        T::Bool => sized(TypeKind::TinyInt, 1),
        T::Real => SqlType::new(TypeKind::Float),
        T::Tiny => SqlType::new(TypeKind::TinyInt),
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
pub(super) fn column(schema: &str, table: &str, name: &str, t: T, nullable: bool) -> ColumnDef {
    let filled = is_filled(schema, table);
    let mut of = family(schema);
    if filled {
        of.other = of.words;
    }
    let ty = sql_type(t, of).nullable(nullable);
    let empty = if ty.kind.is_string() { "" } else { "0" };
    let mut def = ColumnDef::new(name, ty);
    def.default = match t {
        T::Or(t, text) => default(*t, text),
        T::Word(_) => default(t, ""),
        _ if filled && !nullable => default(t, empty),
        _ => ColumnDefault::None,
    };
    def
}

/// A default as the column holds it.
fn default(t: T, text: &str) -> ColumnDefault {
    ColumnDefault::Value(match (coded(t, OwnedValue::Str(text.as_bytes().into())), base_of(t)) {
        (OwnedValue::Str(s), T::S(_) | T::Bin(_) | T::Word(_) | T::Char(_) | T::Lower(_) | T::Wide(_)) => {
            OwnedValue::Str(s)
        }
        (OwnedValue::Str(_), _) => OwnedValue::Int(text.parse().unwrap_or(0)),
        (number, _) => number,
    })
}

/// What a type is without its wrappers.
fn base_of(t: T) -> T {
    match t {
        T::In(t, _) | T::Or(t, _) => base_of(*t),
        _ => t,
    }
}

/// Positions and types of the columns whose values [`coded`] must turn.
pub(super) fn coded_columns(columns: super::Columns) -> Vec<(usize, T)> {
    let is_coded = |t: &T| matches!(t, T::Enum(_) | T::Set(_));
    columns.iter().map(|c| base_of(c.1)).enumerate().filter(|(_, t)| is_coded(t)).collect()
}

/// The number an ENUM or SET column holds for a text; other values and types stay.
pub(super) fn coded(t: T, value: OwnedValue) -> OwnedValue {
    let OwnedValue::Str(text) = &value else { return value };
    let place = |names: &[&str], word: &[u8]| names.iter().position(|n| n.as_bytes().eq_ignore_ascii_case(word));
    match base_of(t) {
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
