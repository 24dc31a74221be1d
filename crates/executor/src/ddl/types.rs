//! From a column type as written to a [`SqlType`], with MySQL's limits and their errors (manual, "Data Types").

use super::DdlContext;
use super::charset::default_of;
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{DataType, TypeName};
use std::sync::Arc;
use value::collation::by_name as collation_by_name;
use value::{Charset, CollationId, SqlMode, SqlType, TypeKind, charset};

/// Longest CHAR and BINARY.
const MAX_CHAR: u64 = 255;
/// Longest member of ENUM and SET in characters.
const MAX_MEMBER: usize = 255;
/// Longest VARCHAR in bytes (a row is at most 65,535).
const MAX_VARCHAR: u64 = 65_535;

/// The character set and collation of a character column.
///
/// `charset` and `collate` as written on the column; `default` is the table's. Errors 1115, 1273, 1253.
pub fn column_collation(
    charset: Option<&str>,
    collate: Option<&str>,
    binary: bool,
    default: CollationId,
    utf8mb4: CollationId,
) -> SqlResult<CollationId> {
    let cs = match charset {
        Some(name) => {
            Some(Charset::by_name(name).ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_CHARACTER_SET, &[&name]))?)
        }
        None => None,
    };
    if let Some(name) = collate {
        let c = collation_by_name(name).ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_COLLATION, &[&name]))?;
        if let Some(cs) = cs
            && c.charset != cs
        {
            return Err(SqlError::new(ErrorCode::COLLATION_CHARSET_MISMATCH, &[&c.name, &cs.name()]));
        }
        return Ok(c.id);
    }
    Ok(match (cs, binary) {
        (Some(cs), true) => cs.bin_collation(),
        (Some(cs), false) => default_of(cs, utf8mb4),
        (None, true) => default.charset().bin_collation(),
        (None, false) => default,
    })
}

/// The type of a column as written. `collate`: the column's COLLATE attribute; `default`: the table's collation.
///
/// NULL-ability is left `true`; the caller decides it from the attributes. Errors 1074, 1425, 1426, 1427, 1439, 1291, 1063.
pub fn column_type(
    t: &DataType<'_>,
    column: &str,
    collate: Option<&str>,
    default: CollationId,
    ctx: &mut DdlContext<'_>,
) -> SqlResult<SqlType> {
    let mut ty = numeric(t, column, ctx.sql_mode)?;
    match ty.kind {
        TypeKind::Enum | TypeKind::Set => members(&mut ty, t, column, collate, default, ctx)?,
        k if k.is_string() => string(&mut ty, t, column, collate, default, ctx)?,
        TypeKind::Json if collate.is_some() => {
            column_collation(Some("binary"), collate, false, default, ctx.utf8mb4_collation)?;
        }
        _ => {}
    }
    Ok(ty)
}

/// The part of a type that is known without a character set: its kind, sign and width. Errors as [`column_type`]'s, but for 1074 and 1291.
pub fn numeric(t: &DataType<'_>, column: &str, mode: SqlMode) -> SqlResult<SqlType> {
    let kind = kind_of(t, mode)?;
    let mut ty = SqlType::new(kind);
    ty.unsigned = t.unsigned || t.zerofill || ty.unsigned || t.kind == TypeName::Serial;
    ty.zerofill = t.zerofill || ty.zerofill;
    match kind {
        k if k.is_integer() => integer(&mut ty, t, column)?,
        TypeKind::Decimal => decimal(&mut ty, t, column)?,
        TypeKind::Float | TypeKind::Double => float(&mut ty, t, column)?,
        TypeKind::Bit => {
            ty.length = small(t.length.unwrap_or(1), 64, column)?;
            if ty.length == 0 {
                return Err(SqlError::new(ErrorCode::INVALID_FIELD_SIZE, &[&column]));
            }
        }
        TypeKind::Time | TypeKind::DateTime | TypeKind::Timestamp => {
            let fsp = t.length.unwrap_or(0);
            if fsp > 6 {
                return Err(SqlError::new(ErrorCode::TOO_BIG_PRECISION, &[&fsp, &column, &6]));
            }
            ty = SqlType::temporal(kind, fsp as u8);
        }
        TypeKind::Year if t.length.is_some_and(|n| n != 4) => {
            return Err(SqlError::new(ErrorCode::INVALID_YEAR_COLUMN_LENGTH, &[]));
        }
        _ => {}
    }
    Ok(ty)
}

fn kind_of(t: &DataType<'_>, mode: SqlMode) -> SqlResult<TypeKind> {
    let binary = t.byte || t.charset == Some("binary");
    Ok(match t.kind {
        TypeName::TinyInt | TypeName::Bool => TypeKind::TinyInt,
        TypeName::SmallInt => TypeKind::SmallInt,
        TypeName::MediumInt => TypeKind::MediumInt,
        TypeName::Int => TypeKind::Int,
        TypeName::BigInt | TypeName::Serial => TypeKind::BigInt,
        TypeName::Decimal => TypeKind::Decimal,
        // FLOAT(p): single precision up to 24 bits
        TypeName::Float if t.decimals.is_none() && t.length.is_some_and(|p| p > 24) => TypeKind::Double,
        TypeName::Float => TypeKind::Float,
        TypeName::Double => TypeKind::Double,
        TypeName::Real if mode.has(SqlMode::REAL_AS_FLOAT) => TypeKind::Float,
        TypeName::Real => TypeKind::Double,
        TypeName::Bit => TypeKind::Bit,
        TypeName::Date => TypeKind::Date,
        TypeName::Time => TypeKind::Time,
        TypeName::DateTime => TypeKind::DateTime,
        TypeName::Timestamp => TypeKind::Timestamp,
        TypeName::Year => TypeKind::Year,
        TypeName::Char if binary => TypeKind::Binary,
        TypeName::Char => TypeKind::Char,
        TypeName::VarChar if binary => TypeKind::VarBinary,
        TypeName::VarChar => TypeKind::VarChar,
        TypeName::Binary => TypeKind::Binary,
        TypeName::VarBinary => TypeKind::VarBinary,
        TypeName::TinyText if binary => TypeKind::TinyBlob,
        TypeName::Text if binary => TypeKind::Blob,
        TypeName::MediumText if binary => TypeKind::MediumBlob,
        TypeName::LongText if binary => TypeKind::LongBlob,
        TypeName::TinyText => TypeKind::TinyText,
        TypeName::Text => TypeKind::Text,
        TypeName::MediumText => TypeKind::MediumText,
        TypeName::LongText => TypeKind::LongText,
        TypeName::TinyBlob => TypeKind::TinyBlob,
        TypeName::Blob => TypeKind::Blob,
        TypeName::MediumBlob => TypeKind::MediumBlob,
        TypeName::LongBlob => TypeKind::LongBlob,
        TypeName::Enum => TypeKind::Enum,
        TypeName::Set => TypeKind::Set,
        TypeName::Json => TypeKind::Json,
        TypeName::Geometry
        | TypeName::Point
        | TypeName::LineString
        | TypeName::Polygon
        | TypeName::MultiPoint
        | TypeName::MultiLineString
        | TypeName::MultiPolygon
        | TypeName::GeometryCollection => return Err(SqlError::unsupported("spatial types")),
    })
}

fn small(n: u64, max: u64, column: &str) -> SqlResult<u32> {
    if n > max {
        return Err(SqlError::new(ErrorCode::TOO_BIG_DISPLAYWIDTH, &[&column, &max]));
    }
    Ok(n as u32)
}

fn integer(ty: &mut SqlType, t: &DataType<'_>, column: &str) -> SqlResult<()> {
    if t.kind == TypeName::Bool {
        ty.length = 1;
    } else if let Some(width) = t.length {
        ty.length = small(width, 255, column)?;
    } else if ty.unsigned {
        // MySQL's default widths: one less without a sign
        ty.length = match ty.kind {
            TypeKind::TinyInt => 3,
            TypeKind::SmallInt => 5,
            TypeKind::MediumInt => 8,
            TypeKind::Int => 10,
            _ => 20,
        };
    }
    Ok(())
}

fn decimal(ty: &mut SqlType, t: &DataType<'_>, column: &str) -> SqlResult<()> {
    // DECIMAL(0) means the default precision
    let precision = match t.length {
        None | Some(0) => 10,
        Some(p) => p,
    };
    let scale = t.decimals.unwrap_or(0);
    if scale > 30 {
        return Err(SqlError::new(ErrorCode::TOO_BIG_SCALE, &[&scale, &column, &30]));
    }
    if precision > 65 {
        return Err(SqlError::new(ErrorCode::TOO_BIG_PRECISION, &[&precision, &column, &65]));
    }
    // 0 as written digits is none
    if u64::from(scale) > t.length.unwrap_or(precision) {
        return Err(SqlError::new(ErrorCode::M_BIGGER_THAN_D, &[&column]));
    }
    (ty.length, ty.decimals) = (precision as u32, scale as u8);
    Ok(())
}

fn float(ty: &mut SqlType, t: &DataType<'_>, column: &str) -> SqlResult<()> {
    match (t.length, t.decimals) {
        (Some(m), Some(d)) => {
            if d > 30 {
                return Err(SqlError::new(ErrorCode::TOO_BIG_SCALE, &[&d, &column, &30]));
            }
            if m == 0 || m > 255 {
                return Err(SqlError::new(ErrorCode::TOO_BIG_DISPLAYWIDTH, &[&column, &255]));
            }
            if u64::from(d) > m {
                return Err(SqlError::new(ErrorCode::M_BIGGER_THAN_D, &[&column]));
            }
            (ty.length, ty.decimals) = (m as u32, d as u8);
        }
        (Some(p), None) if p > 53 => return Err(SqlError::new(ErrorCode::WRONG_FIELD_SPEC, &[&column])),
        _ => {}
    }
    Ok(())
}

fn string(
    ty: &mut SqlType,
    t: &DataType<'_>,
    column: &str,
    collate: Option<&str>,
    default: CollationId,
    ctx: &mut DdlContext<'_>,
) -> SqlResult<()> {
    if !ty.kind.is_binary_string() {
        ty.collation = column_collation(t.charset, collate, t.binary, default, ctx.utf8mb4_collation)?;
        if ty.collation == CollationId::BINARY {
            ty.kind = binary_twin(ty.kind);
        }
    } else if collate.is_some() {
        column_collation(Some("binary"), collate, false, default, ctx.utf8mb4_collation)?;
    }
    let width = u64::from(ty.charset().max_len());
    let too_long = |max: u64| Err(SqlError::new(ErrorCode::TOO_BIG_FIELDLENGTH, &[&column, &max]));
    match ty.kind {
        TypeKind::Char | TypeKind::Binary => {
            let n = t.length.unwrap_or(1);
            if n > MAX_CHAR {
                return too_long(MAX_CHAR);
            }
            ty.length = n as u32;
        }
        TypeKind::VarChar | TypeKind::VarBinary => {
            let n = t.length.unwrap_or(0);
            if n > MAX_VARCHAR / width {
                if ctx.sql_mode.is_strict() {
                    return too_long(MAX_VARCHAR / width);
                }
                // without strict mode a long VARCHAR becomes a TEXT
                let binary = ty.kind == TypeKind::VarBinary;
                lob_for(ty, n.saturating_mul(width), binary, column)?;
                let (from, to) = if binary { ("VARBINARY", "BLOB") } else { ("VARCHAR", "TEXT") };
                ctx.note(ErrorCode::AUTO_CONVERT, &[&column, &from, &to]);
                return Ok(());
            }
            ty.length = n as u32;
        }
        // TEXT(n), BLOB(n): the smallest kind that holds n characters
        TypeKind::Text | TypeKind::Blob => {
            if let Some(n) = t.length.filter(|n| *n > 0) {
                // the largest kind takes as many characters as a number may say, whatever they need
                let bytes = n.saturating_mul(width).min(n.max(u64::from(u32::MAX)));
                return lob_for(ty, bytes, ty.kind == TypeKind::Blob, column);
            }
        }
        _ => {}
    }
    Ok(())
}

fn binary_twin(kind: TypeKind) -> TypeKind {
    match kind {
        TypeKind::Char => TypeKind::Binary,
        TypeKind::VarChar => TypeKind::VarBinary,
        TypeKind::TinyText => TypeKind::TinyBlob,
        TypeKind::Text => TypeKind::Blob,
        TypeKind::MediumText => TypeKind::MediumBlob,
        TypeKind::LongText => TypeKind::LongBlob,
        k => k,
    }
}

fn lob_for(ty: &mut SqlType, bytes: u64, binary: bool, column: &str) -> SqlResult<()> {
    let kinds = if binary {
        [TypeKind::TinyBlob, TypeKind::Blob, TypeKind::MediumBlob, TypeKind::LongBlob]
    } else {
        [TypeKind::TinyText, TypeKind::Text, TypeKind::MediumText, TypeKind::LongText]
    };
    let fits = |k: &TypeKind| u64::from(k.lob_limit().unwrap_or(0)) >= bytes;
    let Some(kind) = kinds.into_iter().find(fits) else {
        return Err(SqlError::new(ErrorCode::TOO_BIG_DISPLAYWIDTH, &[&column, &u32::MAX]));
    };
    let collation = ty.collation;
    *ty = SqlType::new(kind);
    ty.collation = collation;
    Ok(())
}

/// A member as the client wrote it in the column's character set. What should be UTF-8 and is not is taken for text of the set already.
fn in_charset(m: Box<[u8]>, client: Charset, cs: Charset) -> Box<[u8]> {
    if !client.is_utf8() && client != Charset::Binary && cs != Charset::Binary && !m.is_ascii() {
        return planner::from_client(&m, client, cs).map_or(m, Into::into);
    }
    if cs.is_wide() && std::str::from_utf8(&m).is_err() {
        return charset::aligned(cs, &m).into();
    }
    if (m.is_ascii() && cs.has_ascii()) || cs == Charset::Binary || cs.is_utf8() || std::str::from_utf8(&m).is_err() {
        return m;
    }
    let mut out = Vec::with_capacity(m.len());
    charset::convert(&m, Charset::Utf8mb4, cs, &mut out);
    out.into()
}

fn shown_member(m: &[u8], cs: Charset) -> String {
    let mut out = Vec::with_capacity(m.len());
    charset::convert(m, cs, Charset::Utf8mb4, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The members of an ENUM or SET whose character set changes (CONVERT TO CHARACTER SET).
pub(super) fn convert_members(ty: &mut SqlType, before: Charset) {
    let to = ty.charset();
    if let Some(list) = ty.members.as_ref().filter(|_| to != before && before != Charset::Binary) {
        ty.members = Some(
            list.iter()
                .map(|m| in_charset(shown_member(m, before).into_bytes().into(), Charset::Utf8mb4, to))
                .collect(),
        );
    }
}

fn members(
    ty: &mut SqlType,
    t: &DataType<'_>,
    column: &str,
    collate: Option<&str>,
    default: CollationId,
    ctx: &mut DdlContext<'_>,
) -> SqlResult<()> {
    let set = ty.kind == TypeKind::Set;
    ty.collation = column_collation(t.charset, collate, t.binary, default, ctx.utf8mb4_collation)?;
    let strip = |m: &[u8]| -> Box<[u8]> {
        // trailing spaces of members vanish (manual, "The ENUM Type"), but not where spaces are bytes like others
        let end = m.iter().rposition(|b| *b != b' ').map_or(0, |i| i + 1);
        m.get(..end).unwrap_or(m).into()
    };
    let cs = ty.charset();
    let member = |m: &&[u8]| if cs == Charset::Binary { Box::from(*m) } else { in_charset(strip(m), ctx.client, cs) };
    let list: Vec<Box<[u8]>> = t.values.iter().map(member).collect();
    if list.iter().any(|m| cs.char_count(m) > MAX_MEMBER) {
        return Err(SqlError::new(ErrorCode::TOO_LONG_SET_ENUM_VALUE, &[&column]));
    }
    if list.len() > if set { 64 } else { 65_535 } {
        let code = if set { ErrorCode::TOO_BIG_SET } else { ErrorCode::TOO_BIG_ENUM };
        return Err(SqlError::new(code, &[&column]));
    }
    let c = ty.collation.get();
    // members with the same weights, found by their hash
    let mut seen: hashbrown::HashMap<u64, Vec<usize>> = hashbrown::HashMap::new();
    let mut repeated = Vec::new();
    for (i, m) in list.iter().enumerate() {
        if set && t.values.get(i).is_some_and(|v| v.contains(&b',')) {
            let shown = shown_member(m, cs);
            return Err(SqlError::new(ErrorCode::ILLEGAL_VALUE_FOR_TYPE, &[&"set", &shown]));
        }
        let mut hash = std::hash::DefaultHasher::new();
        c.hash(m, &mut hash);
        let same = seen.entry(std::hash::Hasher::finish(&hash)).or_default();
        let mut before = same.iter().rev().filter_map(|j| list.get(*j).map(|o| (*j, o)));
        if let Some((j, _)) = before.find(|(_, o)| c.compare(o, m).is_eq()) {
            repeated.push(j);
        }
        same.push(i);
    }
    // one that comes again is named as it stands first
    repeated.sort_unstable();
    for m in repeated.iter().filter_map(|j| list.get(*j)) {
        let (shown, what) = (shown_member(m, cs), if set { "SET" } else { "ENUM" });
        if ctx.sql_mode.is_strict() {
            return Err(SqlError::new(ErrorCode::DUPLICATED_VALUE_IN_TYPE, &[&column, &shown, &what]));
        }
        ctx.note(ErrorCode::DUPLICATED_VALUE_IN_TYPE, &[&column, &shown, &what]);
    }
    let lengths = list.iter().map(|m| cs.char_count(m));
    ty.length =
        if set { lengths.sum::<usize>() + list.len().saturating_sub(1) } else { lengths.max().unwrap_or(0) } as u32;
    ty.members = Some(Arc::from(list));
    Ok(())
}
