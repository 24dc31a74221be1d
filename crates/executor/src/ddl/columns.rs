//! From a column as written to a [`ColumnDef`]: type, NULL-ability, default, attributes; and the keys its attributes imply.

use super::DdlContext;
use super::types::column_type;
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use parser::ast::{self, ColumnAttr, ExprKind, FuncCall, LitValue, TypeName, UnaryOp};
use storage::dict::{ColumnDef, ColumnDefault, Generated};
use value::convert::convert_for_column;
use value::{CollationId, ConvCtx, Decimal, OwnedValue, SqlMode, SqlType, TypeKind, Value, Warning};

/// A column and what its attributes say beyond it.
#[derive(Debug)]
pub struct Column<'a> {
    /// The definition.
    pub def: ColumnDef,
    /// `[PRIMARY] KEY`.
    pub primary: bool,
    /// `UNIQUE`, `SERIAL`.
    pub unique: bool,
    /// `CHECK (..)` written at the column.
    pub checks: Vec<ast::CheckDef<'a>>,
    /// NULL or DEFAULT NULL written explicitly (an error together with PRIMARY KEY).
    pub explicit_null: bool,
}

/// Checks an identifier: 1059 too long, or the given error when empty or ending with a space.
pub fn check_name(name: &str, wrong: ErrorCode) -> SqlResult<()> {
    base::names::short(name)?;
    if name.is_empty() || name.ends_with(' ') || name.contains('\0') {
        return Err(SqlError::new(wrong, &[&name]));
    }
    Ok(())
}

/// What a generated column may not have besides: 1221.
fn check_generated(attributes: &[ColumnAttr<'_>]) -> SqlResult<()> {
    if !attributes.iter().any(|a| matches!(a, ColumnAttr::Generated { .. })) {
        return Ok(());
    }
    let refused = attributes.iter().find_map(|a| match a {
        ColumnAttr::Default(_) => Some("DEFAULT"),
        ColumnAttr::OnUpdateNow(_) => Some("ON UPDATE"),
        ColumnAttr::AutoIncrement => Some("AUTO_INCREMENT"),
        ColumnAttr::SerialDefaultValue => Some("SERIAL DEFAULT VALUE"),
        _ => None,
    });
    match refused {
        Some(word) => Err(SqlError::new(ErrorCode::WRONG_USAGE, &[&word, &"generated column"])),
        None => Ok(()),
    }
}

/// Builds a column. `table_collation` is what character columns without their own get.
pub fn define_column<'a>(
    ctx: &mut DdlContext<'_>,
    c: &ast::ColumnDef<'a>,
    table_collation: CollationId,
) -> SqlResult<Column<'a>> {
    check_name(c.name, ErrorCode::WRONG_COLUMN_NAME)?;
    check_generated(c.attributes)?;
    let collate = c.attributes.iter().find_map(|a| if let ColumnAttr::Collate(n) = a { Some(*n) } else { None });
    let ty = column_type(&c.ty, c.name, collate, table_collation, ctx)?;
    let mut out = bare_column(c, ty, collate.is_some());
    let mut not_null = c.ty.kind == TypeName::Serial;
    let mut default = None;
    for a in c.attributes {
        match a {
            ColumnAttr::Null => out.explicit_null = true,
            ColumnAttr::NotNull => not_null = true,
            ColumnAttr::Default(e) => default = Some(*e),
            ColumnAttr::OnUpdateNow(fsp) => on_update(&mut out.def, *fsp)?,
            ColumnAttr::AutoIncrement => out.def.auto_increment = true,
            ColumnAttr::PrimaryKey => out.primary = true,
            ColumnAttr::Unique => out.unique = true,
            ColumnAttr::SerialDefaultValue => {
                (not_null, out.unique, out.def.auto_increment) = (true, true, true);
            }
            ColumnAttr::Comment(b) => {
                out.def.comment = comment(ctx, b, 1024, c.name, ErrorCode::TOO_LONG_FIELD_COMMENT)?
            }
            ColumnAttr::Generated { expr, stored } => {
                out.def.generated = Some(Generated { expr: ctx.stored_text(expr), stored: *stored });
            }
            ColumnAttr::Check(check) => out.checks.push(*check),
            ColumnAttr::Visible(v) => out.def.invisible = !v,
            ColumnAttr::EngineAttribute(b) => super::define::engine_attribute(b, true)?,
            ColumnAttr::SecondaryEngineAttribute(b) => super::define::engine_attribute(b, false)?,
            ColumnAttr::Srid(_) => return Err(SqlError::unsupported("SRID")),
            // hints for engines we are not, and REFERENCES that MySQL itself ignores here
            ColumnAttr::Collate(_)
            | ColumnAttr::References(_)
            | ColumnAttr::ColumnFormat(_)
            | ColumnAttr::Storage(_)
            | ColumnAttr::NotSecondary => {}
        }
    }
    if not_null && out.explicit_null {
        out.explicit_null = false;
    }
    out.def.ty.nullable = !not_null && !out.primary;
    check_auto_increment(&out.def, default.is_some())?;
    match default {
        Some(e) => {
            out.def.default = define_default(ctx, &out.def, &e)?;
            // DEFAULT NULL says NULL too
            let null = matches!(out.def.default, ColumnDefault::Value(OwnedValue::Null));
            out.explicit_null |= null && out.def.ty.nullable;
        }
        // a nullable column without DEFAULT has DEFAULT NULL
        None if out.def.ty.nullable && out.def.generated.is_none() => {
            out.def.default = ColumnDefault::Value(OwnedValue::Null);
        }
        None => {}
    }
    Ok(out)
}

/// A column of its name and type alone, before its attributes are looked at.
fn bare_column<'a>(c: &ast::ColumnDef<'a>, ty: SqlType, collated: bool) -> Column<'a> {
    let written = collated || c.ty.charset.is_some();
    let serial = c.ty.kind == TypeName::Serial;
    Column {
        def: ColumnDef {
            name: c.name.to_owned(),
            ty,
            default: ColumnDefault::None,
            on_update_now: false,
            auto_increment: serial,
            invisible: false,
            generated: None,
            comment: String::new(),
            charset_written: written && !matches!(c.ty.kind, TypeName::Json),
            histogram: None,
            elements: None,
        },
        primary: false,
        unique: serial,
        checks: Vec::new(),
        explicit_null: false,
    }
}

fn on_update(def: &mut ColumnDef, fsp: u32) -> SqlResult<()> {
    let ok = matches!(def.ty.kind, TypeKind::DateTime | TypeKind::Timestamp) && fsp == u32::from(def.ty.decimals);
    if !ok {
        return Err(SqlError::new(ErrorCode::INVALID_ON_UPDATE, &[&def.name]));
    }
    def.on_update_now = true;
    Ok(())
}

fn check_auto_increment(def: &ColumnDef, has_default: bool) -> SqlResult<()> {
    if !def.auto_increment {
        return Ok(());
    }
    // not FLOAT and DOUBLE: removed in MySQL 8.4
    if !def.ty.kind.is_integer() {
        return Err(SqlError::new(ErrorCode::WRONG_FIELD_SPEC, &[&def.name]));
    }
    if has_default {
        return Err(SqlError::new(ErrorCode::INVALID_DEFAULT, &[&def.name]));
    }
    Ok(())
}

/// A COMMENT as UTF-8, of a table (1628), a column (1629) or an index (1688).
pub fn comment(ctx: &mut DdlContext<'_>, b: &[u8], max: usize, name: &str, too_long: ErrorCode) -> SqlResult<String> {
    let s = ctx.text(b);
    short_comment(ctx, s, max, name, too_long)
}

/// A comment of more than `max` characters is an error in strict mode, and otherwise cut with a warning.
pub fn short_comment(
    ctx: &mut DdlContext<'_>,
    mut s: String,
    max: usize,
    name: &str,
    too_long: ErrorCode,
) -> SqlResult<String> {
    if let Some((end, _)) = s.char_indices().nth(max) {
        if ctx.sql_mode.is_strict() {
            return Err(SqlError::new(too_long, &[&name, &max]));
        }
        ctx.warn(too_long, &[&name, &max]);
        s.truncate(end);
    }
    Ok(s)
}

/// `DEFAULT ...` of a column, checked against its type.
pub fn define_default(ctx: &mut DdlContext<'_>, def: &ColumnDef, e: &ast::Expr<'_>) -> SqlResult<ColumnDefault> {
    let invalid = || SqlError::new(ErrorCode::INVALID_DEFAULT, &[&def.name]);
    if let Some(fsp) = current_timestamp(e) {
        let ok = matches!(def.ty.kind, TypeKind::DateTime | TypeKind::Timestamp) && fsp == u64::from(def.ty.decimals);
        return if ok { Ok(ColumnDefault::Now) } else { Err(invalid()) };
    }
    if let ExprKind::Paren(inner) = e.kind {
        return Ok(ColumnDefault::Expr(ctx.stored_text(inner)));
    }
    if let ExprKind::Literal(l) = e.kind
        && let Some((text, kind)) = temporal(&l.value)
    {
        // no constant to MySQL, but a function, of which only NOW() may stand there
        planner::temporal_literal(text, kind, ctx.sql_mode)?;
        return Err(invalid());
    }
    let arena = Bump::new();
    let (value, ty) = literal(e, (ctx.client, ctx.connection_collation), &arena).ok_or_else(invalid)?;
    let (value, ty) = match bits(e).filter(|_| numeric(&def.ty)) {
        Some(bytes) => (whole_number(bytes).ok_or_else(invalid)?, SqlType::bigint_unsigned()),
        None => (value, ty),
    };
    if value.is_null() {
        return if def.ty.nullable { Ok(ColumnDefault::Value(OwnedValue::Null)) } else { Err(invalid()) };
    }
    if def.ty.kind.is_lob() || def.ty.kind == TypeKind::Json {
        // an empty text is no default, but allowed when not strict
        if !matches!(value, Value::Str(b"")) || ctx.sql_mode.is_strict() || def.ty.kind == TypeKind::Json {
            return Err(SqlError::new(ErrorCode::BLOB_CANT_HAVE_DEFAULT, &[&def.name]));
        }
        ctx.warn(ErrorCode::BLOB_CANT_HAVE_DEFAULT, &[&def.name]);
        return Ok(if def.ty.nullable { ColumnDefault::Value(OwnedValue::Null) } else { ColumnDefault::None });
    }
    if matches!(def.ty.kind, TypeKind::Enum | TypeKind::Set) {
        // a number is no member's place here, but its text
        let mut text = Vec::new();
        value::convert::to_text(value, &ty, &mut text);
        if !text.is_empty() && text.iter().all(u8::is_ascii_digit) {
            return member(&def.ty, &text).map(ColumnDefault::Value).ok_or_else(invalid);
        }
    }
    checked_default(ctx, def, (value, &ty), &arena)
}

/// The value of DEFAULT as the column stores it.
fn checked_default(
    ctx: &mut DdlContext<'_>,
    def: &ColumnDef,
    (value, ty): (Value<'_>, &SqlType),
    arena: &Bump,
) -> SqlResult<ColumnDefault> {
    let invalid = || SqlError::new(ErrorCode::INVALID_DEFAULT, &[&def.name]);
    // bad defaults are errors whatever the mode; zero dates only where the mode forbids them
    let mut conv = ConvCtx::new(ctx.sql_mode | SqlMode::STRICT_ALL_TABLES);
    conv.strict = true;
    conv.time_zone = ctx.time_zone.clone();
    conv.now = ctx.now;
    let mut stored = convert_for_column(value, ty, &def.ty, &mut conv, &def.name, 1, arena);
    if stored.is_err()
        && !ctx.sql_mode.is_strict()
        && let Some(zero) = zero_date(def, (value, ty), &mut conv, arena)
    {
        ctx.warn(ErrorCode::WARN_DATA_OUT_OF_RANGE, &[&def.name, &1]);
        return Ok(ColumnDefault::Value(zero));
    }
    if stored.is_err() && def.ty.kind == TypeKind::Timestamp && !ctx.sql_mode.is_strict() {
        // a time that the clocks never showed is allowed then, with a warning
        conv.strict = false;
        stored = convert_for_column(value, ty, &def.ty, &mut conv, &def.name, 1, arena);
        let gap = |w: &value::Warning| w.code == ErrorCode::WARN_INVALID_TIMESTAMP.number();
        if stored.is_ok() && conv.warnings.iter().all(gap) {
            ctx.warnings.append(&mut conv.warnings);
        }
    }
    let odd = [ErrorCode::WARN_DEPRECATED_DATETIME_DELIMITER, ErrorCode::WARN_DEPRECATED_SUPERFLUOUS_DELIMITER];
    let bad = |w: &value::Warning| w.level != value::Level::Note && odd.iter().all(|c| c.number() != w.code);
    let stored = match stored {
        Ok(v) if !conv.warnings.iter().any(bad) => v,
        other => {
            why_invalid(ctx, def, (value, ty), &mut conv, other.err());
            return Err(invalid());
        }
    };
    if !conv.warnings.is_empty() && !ctx.sql_mode.is_strict() {
        // what is noted has another text then
        conv.warnings.clear();
        conv.strict = false;
        convert_for_column(value, ty, &def.ty, &mut conv, &def.name, 1, arena)?;
    }
    ctx.warnings.append(&mut conv.warnings);
    Ok(match stored {
        Value::DateTime(text) if def.ty.kind == TypeKind::Timestamp && !text.is_zero() => {
            ColumnDefault::Moment { utc: ctx.time_zone.local_to_utc(text), text: text.shown() }
        }
        v => ColumnDefault::Value(v.to_owned()),
    })
}

/// What stands before 1067 among the conditions: what the conversion says, as an error where the mode is strict, and of
/// texts that are no member nothing.
fn why_invalid(
    ctx: &mut DdlContext<'_>,
    def: &ColumnDef,
    (value, ty): (Value<'_>, &SqlType),
    conv: &mut ConvCtx,
    error: Option<SqlError>,
) {
    let level = if ctx.sql_mode.is_strict() { value::Level::Error } else { value::Level::Warning };
    let condition = |e: &SqlError| Warning { level, code: e.code(), message: e.message().to_owned() };
    if matches!(def.ty.kind, TypeKind::Enum | TypeKind::Set) {
        return;
    }
    let cut = error.as_ref().is_some_and(|e| e.code() == ErrorCode::WARN_DATA_TRUNCATED.number());
    if let (true, Value::Str(text)) = (cut && def.ty.kind.is_float(), value) {
        // in other words than where a row is stored
        let kind = if def.ty.kind == TypeKind::Float { "FLOAT" } else { "DOUBLE" };
        let wrong = [&kind as &dyn std::fmt::Display, &String::from_utf8_lossy(text), &def.name, &1];
        ctx.warnings.push(condition(&SqlError::new(ErrorCode::TRUNCATED_WRONG_VALUE_FOR_FIELD, &wrong)));
    } else if level == value::Level::Error {
        ctx.warnings.extend(error.as_ref().map(condition));
    } else {
        conv.warnings.clear();
        conv.strict = false;
        // the same value in the words of a mode that is not strict
        let _ = convert_for_column(value, ty, &def.ty, conv, &def.name, 1, &Bump::new());
        ctx.warnings.append(&mut conv.warnings);
    }
}

/// Whether a hexadecimal or bit literal is a number in a column of this type.
fn numeric(ty: &SqlType) -> bool {
    ty.kind.is_integer() || ty.kind.is_float() || matches!(ty.kind, TypeKind::Decimal | TypeKind::Year)
}

/// The bytes of a hexadecimal or bit literal that names no character set.
fn bits<'b>(e: &ast::Expr<'b>) -> Option<&'b [u8]> {
    match e.kind {
        ExprKind::Literal(l) => match l.value {
            LitValue::Hex { bytes, charset: None } | LitValue::Bit { bytes, charset: None } => Some(bytes),
            _ => None,
        },
        _ => None,
    }
}

/// Their number; `None` for more than 64 bits, and for none at all.
fn whole_number(bytes: &[u8]) -> Option<Value<'static>> {
    let zeros = bytes.iter().take_while(|b| **b == 0).count();
    (!bytes.is_empty() && bytes.len() - zeros <= 8).then(|| Value::UInt(value::number::bytes_to_u64(bytes)))
}

/// What a date is that only NO_ZERO_DATE and NO_ZERO_IN_DATE forbid, where the mode is not strict: zero.
fn zero_date(
    def: &ColumnDef,
    (value, ty): (Value<'_>, &SqlType),
    conv: &mut ConvCtx,
    arena: &Bump,
) -> Option<OwnedValue> {
    if !matches!(def.ty.kind, TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp) {
        return None;
    }
    let mode = conv.sql_mode;
    conv.sql_mode = SqlMode(mode.0 & !(SqlMode::NO_ZERO_IN_DATE | SqlMode::NO_ZERO_DATE).0);
    // a TIMESTAMP has no zero months and days, whatever the mode
    let free = SqlType::temporal(TypeKind::DateTime, def.ty.decimals);
    let mut taken = |v, to: &SqlType| {
        let stored = convert_for_column(v, ty, to, conv, &def.name, 1, arena).ok()?;
        conv.warnings.is_empty().then_some(stored)
    };
    let forbidden = match (taken(value, &free), value) {
        (Some(Value::DateTime(d)), _) => d.is_zero() || d.date().has_zero_part(),
        // zeros that are too few for a date ('0', '0.0')
        (None, Value::Str(s)) => s.first() == Some(&b'0') && s.iter().all(|b| *b == b'0' || b.is_ascii_punctuation()),
        _ => false,
    };
    let zero = match value {
        Value::Str(_) => Value::Str(b"0000-00-00"),
        _ => Value::Int(0),
    };
    let found = if forbidden { taken(zero, &def.ty).map(|v| v.to_owned()) } else { None };
    conv.sql_mode = mode;
    conv.warnings.clear();
    found
}

/// DATE'...', TIME'...' or TIMESTAMP'...'.
fn temporal<'l>(l: &LitValue<'l>) -> Option<(&'l [u8], TypeKind)> {
    match *l {
        LitValue::Date(t) => Some((t, TypeKind::Date)),
        LitValue::Time(t) => Some((t, TypeKind::Time)),
        LitValue::Timestamp(t) => Some((t, TypeKind::DateTime)),
        _ => None,
    }
}

/// The value of an ENUM or SET that is this one member, written in ASCII.
fn member(ty: &SqlType, text: &[u8]) -> Option<OwnedValue> {
    let (cs, c) = (ty.charset(), ty.collation.get());
    let mut wanted = Vec::new();
    value::charset::convert(text, value::Charset::Utf8mb4, cs, &mut wanted);
    let at = ty.members.as_ref()?.iter().position(|m| c.compare(m, &wanted).is_eq())?;
    Some(OwnedValue::UInt(if ty.kind == TypeKind::Set { 1u64.checked_shl(at as u32)? } else { at as u64 + 1 }))
}

/// `CURRENT_TIMESTAMP`, `NOW(n)` and their synonyms: the fractional digits.
fn current_timestamp(e: &ast::Expr<'_>) -> Option<u64> {
    let ExprKind::Func(FuncCall { name, args, .. }) = e.kind else { return None };
    let now = ["now", "current_timestamp", "localtime", "localtimestamp"];
    if !now.iter().any(|n| n.eq_ignore_ascii_case(name)) {
        return None;
    }
    match args {
        [] => Some(0),
        [ast::Expr { kind: ExprKind::Literal(ast::Literal { value: LitValue::Int(n), .. }), .. }] => Some(*n),
        _ => None,
    }
}

/// A literal with its type, signs included.
pub fn literal<'b>(
    e: &ast::Expr<'_>,
    sets: (value::Charset, CollationId),
    arena: &'b Bump,
) -> Option<(Value<'b>, SqlType)> {
    match e.kind {
        ExprKind::Literal(l) => literal_value(&l.value, sets, arena),
        ExprKind::Unary { op: UnaryOp::Neg, expr } => {
            let (v, ty) = literal(expr, sets, arena)?;
            let v = match v {
                Value::Int(i) => Value::Int(i.checked_neg()?),
                Value::UInt(u) if u == 1 << 63 => Value::Int(i64::MIN),
                Value::Double(d) => Value::Double(-d),
                Value::Decimal(d) => Value::Decimal(arena.alloc(d.neg())),
                _ => return None,
            };
            Some((v, if matches!(v, Value::Int(_)) { SqlType::bigint() } else { ty }))
        }
        ExprKind::Unary { op: UnaryOp::Plus, expr } => literal(expr, sets, arena),
        _ => None,
    }
}

fn literal_value<'b>(
    l: &LitValue<'_>,
    (client, collation): (value::Charset, CollationId),
    arena: &'b Bump,
) -> Option<(Value<'b>, SqlType)> {
    Some(match *l {
        LitValue::Null => (Value::Null, SqlType::new(TypeKind::Null)),
        LitValue::Bool(b) => (Value::Int(i64::from(b)), SqlType::bigint()),
        LitValue::Int(n) => match i64::try_from(n) {
            Ok(i) => (Value::Int(i), SqlType::bigint()),
            Err(_) => (Value::UInt(n), SqlType::bigint_unsigned()),
        },
        LitValue::Decimal(s) => {
            let d = Decimal::parse(s.as_bytes())?;
            (Value::Decimal(arena.alloc(d)), SqlType::decimal(d.precision(), d.scale()))
        }
        LitValue::Float(s) => (Value::Double(s.parse().ok()?), SqlType::double()),
        LitValue::Str { bytes, charset } => {
            let Some(name) = charset else {
                let converted = planner::from_client(bytes, client, collation.charset());
                let bytes = converted.as_deref().unwrap_or(bytes);
                return Some((
                    Value::Str(arena.alloc_slice_copy(bytes)),
                    SqlType::varchar(bytes.len() as u32, collation),
                ));
            };
            let c = value::Charset::by_name(name)?.default_collation();
            (Value::Str(arena.alloc_slice_copy(bytes)), SqlType::varchar(bytes.len() as u32, c))
        }
        LitValue::Hex { bytes, charset } | LitValue::Bit { bytes, charset } => {
            let c = match charset {
                Some(name) => value::Charset::by_name(name)?.default_collation(),
                None => CollationId::BINARY,
            };
            (Value::Str(arena.alloc_slice_copy(bytes)), SqlType::varchar(bytes.len() as u32, c))
        }
        LitValue::Date(t) | LitValue::Time(t) | LitValue::Timestamp(t) => {
            (Value::Str(arena.alloc_slice_copy(t)), SqlType::varchar(t.len() as u32, collation))
        }
    })
}
