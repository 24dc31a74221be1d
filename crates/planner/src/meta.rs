//! Result set metadata: what `wire` sends as column definitions.
//!
//! Lengths and flags as MySQL 8.4 reports them (`mysql --column-type-info`).

use catalog::client::{ColumnDef, ColumnFlags, FieldType, ResultMeta};
use storage::dict::{ColumnDefault, IndexKind, TableDef};
use value::{CollationId, SqlType, TypeKind};

use crate::block::OutColumn;

/// Flags of a base table's column (key membership, AUTO_INCREMENT and so on), without those that follow from the type.
pub fn column_flags(def: &TableDef, column: usize) -> u16 {
    let mut f = 0;
    let Some(c) = def.columns.get(column) else { return 0 };
    let primary = def.candidate_key();
    for (n, i) in def.indexes.iter().enumerate() {
        let Some(at) = i.parts.iter().position(|p| p.column as usize == column) else { continue };
        match i.kind {
            _ if primary == Some(n) => f |= ColumnFlags::PRI_KEY | ColumnFlags::PART_KEY,
            IndexKind::Unique if i.parts.len() == 1 => f |= ColumnFlags::UNIQUE_KEY | ColumnFlags::PART_KEY,
            _ if at == 0 => f |= ColumnFlags::MULTIPLE_KEY | ColumnFlags::PART_KEY,
            _ => f |= ColumnFlags::PART_KEY,
        }
    }
    for i in &def.fulltext {
        match i.columns.iter().position(|c| *c as usize == column) {
            Some(0) => f |= ColumnFlags::MULTIPLE_KEY | ColumnFlags::PART_KEY,
            Some(_) => f |= ColumnFlags::PART_KEY,
            None => {}
        }
    }
    if c.auto_increment {
        f |= ColumnFlags::AUTO_INCREMENT;
    }
    if matches!(c.default, ColumnDefault::None) && !c.ty.nullable && !c.auto_increment {
        f |= ColumnFlags::NO_DEFAULT_VALUE;
    }
    if c.on_update_now {
        f |= ColumnFlags::ON_UPDATE_NOW | ColumnFlags::TIMESTAMP;
    } else if c.ty.kind == TypeKind::Timestamp && matches!(c.default, ColumnDefault::Now) {
        f |= ColumnFlags::TIMESTAMP;
    }
    f
}

fn type_flags(t: &SqlType, is_column: bool) -> u16 {
    let mut f = 0;
    if !t.nullable {
        f |= ColumnFlags::NOT_NULL;
    }
    if t.unsigned && !(is_column && t.kind.is_string()) {
        f |= ColumnFlags::UNSIGNED;
    }
    if t.zerofill {
        f |= ColumnFlags::ZEROFILL;
    }
    match t.kind {
        TypeKind::Enum => f |= ColumnFlags::ENUM,
        TypeKind::Set => f |= ColumnFlags::SET,
        // of columns only: an expression is no BLOB, whatever its type
        k if is_column && (k.is_lob() || k == TypeKind::Json) => f |= ColumnFlags::BLOB,
        _ => {}
    }
    let bin = t.is_character() && t.collation.get().is_binary();
    let numeric_column = is_column && (t.kind.is_numeric() && t.kind != TypeKind::Bit);
    if bin || (!t.is_character() && !numeric_column && t.kind != TypeKind::Bit) || t.kind == TypeKind::Null {
        f |= ColumnFlags::BINARY;
    }
    f
}

/// Display length in bytes of the result character set.
pub fn display_length(t: &SqlType, results: CollationId) -> u32 {
    let max = results.charset().max_len().max(1) as u64;
    // characters that the bytes of a TEXT can hold at most
    let least = u64::from(t.charset().min_len().max(1));
    let n: u64 = match t.kind {
        TypeKind::Null => 0,
        TypeKind::Decimal => t.length as u64 + u64::from(t.decimals > 0) + u64::from(!t.unsigned),
        TypeKind::Char | TypeKind::VarChar => t.length as u64 * max,
        TypeKind::TinyText | TypeKind::Text | TypeKind::MediumText => t.length as u64 / least * max,
        TypeKind::Enum => {
            let longest =
                t.members.iter().flat_map(|m| m.iter()).map(|m| crate::types::char_count(t.charset(), m)).max();
            longest.unwrap_or(0) as u64 * max
        }
        TypeKind::Set => {
            let members = t.members.iter().flat_map(|m| m.iter());
            let n: usize = members.map(|m| crate::types::char_count(t.charset(), m) + 1).sum();
            n.saturating_sub(1) as u64 * max
        }
        _ => t.length as u64,
    };
    n.min(u32::MAX as u64) as u32
}

/// Display length of an expression, or (`stored`) of a column that a temporary table has for one.
///
/// A stored DOUBLE has room for the longest text. What is longer than a VARCHAR is told of as bytes that may each be a character.
fn expression_length(t: &SqlType, stored: bool, results: CollationId) -> u32 {
    let max = results.charset().max_len().max(1) as u64;
    let own = t.charset().max_len().max(1) as u64;
    let least = u64::from(t.charset().min_len().max(1));
    let text = |bytes: u64| (bytes / least).saturating_mul(max).min(u64::from(u32::MAX)) as u32;
    match t.kind {
        TypeKind::Double if stored && t.decimals == value::types::NOT_FIXED_DEC => FLOAT_CHARS,
        TypeKind::Json if !stored => (u64::from(u32::MAX) / max * max) as u32,
        TypeKind::Text | TypeKind::MediumText => text(u64::from(t.length).saturating_mul(own)),
        TypeKind::LongText => text(u64::from(t.length)),
        _ => display_length(t, results),
    }
}

/// Characters of a DOUBLE that is shown with as many digits as it takes.
pub(crate) const FLOAT_CHARS: u32 = 23;

fn field_type(t: &SqlType) -> FieldType {
    match t.kind {
        // the protocol has one BLOB type for all lengths, and strings of expressions are VAR_STRING
        TypeKind::Json => FieldType::Json,
        k => FieldType::from_u8(k.protocol_type()).unwrap_or(FieldType::VarString),
    }
}

/// The type of an expression that is no column: texts that functions make have two types by the bytes they may take.
fn expression_type(t: &SqlType) -> FieldType {
    match t.kind {
        // CAST(... AS BINARY(n)) pads, and is a VARBINARY to the client
        TypeKind::Binary => FieldType::VarString,
        TypeKind::LongText | TypeKind::LongBlob if t.length <= MEDIUM_BLOB => FieldType::MediumBlob,
        TypeKind::LongText | TypeKind::LongBlob => FieldType::LongBlob,
        _ => field_type(t),
    }
}

/// Bytes of the longest MEDIUMBLOB.
const MEDIUM_BLOB: u32 = 16_777_215;

/// The definition of one result column.
pub(crate) fn column(c: &OutColumn, results: CollationId) -> ColumnDef {
    let o = c.origin.clone().unwrap_or_default();
    let is_column = o.stored || (!o.org_name.is_empty() && !o.computed);
    // a JSON expression is text, a JSON column bytes
    let charset = match c.ty.kind {
        _ if c.ty.is_character() && results == CollationId::BINARY => c.ty.collation.0,
        TypeKind::Json if !is_column && results == CollationId::BINARY => CollationId::UTF8MB4_BIN.0,
        k if c.ty.is_character() || (k == TypeKind::Json && !is_column) => results.0,
        _ => 63,
    };
    let mut flags = type_flags(&c.ty, is_column) | o.flags;
    if !is_column {
        flags &= !(ColumnFlags::ENUM | ColumnFlags::SET | ColumnFlags::ZEROFILL);
    }
    let decimals = match c.ty.kind {
        k if k.is_string() => {
            if is_column {
                0
            } else {
                31
            }
        }
        TypeKind::Null => 0,
        TypeKind::Enum | TypeKind::Set | TypeKind::Json if !is_column => 31,
        TypeKind::Enum | TypeKind::Set | TypeKind::Json | TypeKind::Bit => 0,
        _ => c.ty.decimals,
    };
    let length = match c.ty.is_character() && results == CollationId::BINARY {
        // not converted: TEXT is as long as its bytes
        true if c.ty.kind.is_lob() => c.ty.length,
        true => display_length(&c.ty, c.ty.collation),
        false if o.org_name.is_empty() || o.computed => expression_length(&c.ty, o.stored, results),
        false => display_length(&c.ty, results),
    };
    ColumnDef {
        schema: o.schema,
        table: o.table,
        org_table: o.org_table,
        name: c.name.clone(),
        length,
        org_name: if o.given.is_empty() { o.org_name } else { o.given },
        charset,
        ty: if is_column { field_type(&c.ty) } else { expression_type(&c.ty) },
        flags: ColumnFlags(flags),
        decimals,
    }
}

/// The text that a parameter is about which nothing decides: of 65,532 bytes.
pub(crate) fn open_parameter(results: CollationId) -> SqlType {
    let bytes = results.charset().max_len().max(1) as u32;
    SqlType::varchar(65_532 / bytes, results).nullable(true)
}

/// The definition of a parameter whose type is this one; where nothing decides about it, it is text as long as MySQL says.
pub fn parameter(ty: &SqlType, results: CollationId) -> ColumnDef {
    let ty = match ty.kind {
        TypeKind::Null => open_parameter(results),
        // of LIMIT and of frames
        TypeKind::VarBinary => SqlType { length: 21, ..SqlType::bigint_unsigned() },
        // as wide as expressions of them
        k if k.is_integer() => SqlType { length: 21, ..ty.clone() },
        TypeKind::Double => SqlType { length: 23, ..ty.clone() },
        TypeKind::Bit => SqlType { length: 64, ..ty.clone() },
        _ => ty.clone(),
    };
    column(&OutColumn { name: "?".into(), ty: ty.nullable(true), origin: None }, results)
}

/// Definitions of all result columns.
pub(crate) fn result(columns: &[OutColumn], results: CollationId) -> ResultMeta {
    ResultMeta::in_charset(columns.iter().map(|c| column(c, results)).collect(), results.charset())
}

/// An OUT parameter of a procedure, which a client is told of as a column of that name and type.
pub fn out_parameter(schema: &str, procedure: &str, name: &str, ty: &SqlType, results: CollationId) -> ColumnDef {
    let origin = crate::block::Origin {
        schema: schema.to_owned(),
        table: procedure.to_owned(),
        org_name: name.to_owned(),
        ..crate::block::Origin::default()
    };
    column(&OutColumn { name: name.to_owned(), ty: ty.clone(), origin: Some(origin) }, results)
}

/// The definition of a base table's column (COM_FIELD_LIST).
pub fn table_column(def: &TableDef, i: usize, results: CollationId) -> ColumnDef {
    let (name, ty) = match def.columns.get(i) {
        Some(c) => (c.name.clone(), c.ty.clone()),
        None => (String::new(), SqlType::new(TypeKind::Null)),
    };
    let origin = crate::block::Origin {
        schema: def.schema.clone(),
        table: def.name.clone(),
        org_table: def.name.clone(),
        org_name: name.clone(),
        given: String::new(),
        flags: column_flags(def, i),
        computed: false,
        stored: false,
    };
    column(&OutColumn { name, ty, origin: Some(origin) }, results)
}
