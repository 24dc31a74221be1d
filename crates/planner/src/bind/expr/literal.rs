//! Literals: constants of the plan, or parameters of a shared one.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, ExprKind as A, LitValue};
use value::{CollationId, Decimal, OwnedValue, SqlType, TypeKind};

use super::super::Binder;
use super::super::column_names::from_client;
use super::*;
use crate::expr::{Coercibility, Expr, ExprKind};
use crate::func::FuncId;
use crate::types;

/// Where the displacement from UTC of a literal's text begins, if it has one.
fn displaced(text: &[u8]) -> Option<usize> {
    let before = text.len() - text.trim_ascii_start().len();
    let time = text.iter().skip(before).position(|c| matches!(c, b' ' | b'T'))? + before;
    text.iter().rposition(|c| matches!(c, b'+' | b'-')).filter(|at| *at > time)
}

impl<'a> Binder<'a, '_> {
    pub(in crate::bind) fn literal(&mut self, l: &ast::Literal<'a>) -> SqlResult<Expr> {
        let lifted = self.lift && l.lit != ast::NOT_LIFTED;
        let long = matches!(l.value, LitValue::Decimal(s) if Decimal::parse(s.as_bytes()).is_none());
        let doubt = match l.value {
            LitValue::Decimal(_) if long => Some(SqlError::new(ErrorCode::TRUNCATED_WRONG_VALUE, &[&"DECIMAL", &""])),
            ref l => wide::doubt(l, self.tcx.client),
        };
        if let Some(e) = doubt {
            self.draft.notes.warnings.push(value::Warning {
                level: value::Level::Warning,
                code: e.code(),
                message: e.message().to_owned(),
            });
        }
        let (v, ty, coer) = match (self.literal_value(&l.value), l.value) {
            // {d '..'}, {t '..'}, {ts '..'} of ODBC whose text is no such literal stay texts
            (Err(_), LitValue::Date(bytes) | LitValue::Time(bytes) | LitValue::Timestamp(bytes))
                if l.span.text(self.sql).starts_with(b"{") =>
            {
                self.literal_value(&LitValue::Str { bytes, charset: None })?
            }
            (found, _) => found?,
        };
        if let Some(odd) = odd_delimiter(&l.value).filter(|_| ty.kind.is_temporal()) {
            let mut ctx = value::ConvCtx::new(self.mode);
            let (LitValue::Date(b) | LitValue::Time(b) | LitValue::Timestamp(b)) = l.value else {
                return Err(SqlError::unsupported("a literal"));
            };
            ctx.odd_delimiter(odd, b);
            self.draft.notes.warnings.append(&mut ctx.warnings);
        }
        let parameter = lifted
            && !self.pinning
            && !long
            && !ty.own_digits
            && matches!(
                l.value,
                LitValue::Int(_) | LitValue::Decimal(_) | LitValue::Float(_) | LitValue::Str { charset: None, .. }
            );
        if parameter {
            if ty.kind == TypeKind::Decimal {
                self.draft.notes.scales.push((l.lit, ty.decimals));
            }
            return Ok(Expr { kind: ExprKind::Param(l.lit), ty, coer });
        }
        if lifted {
            let text = l.span.text(self.sql);
            self.draft.notes.pin(l.lit, text);
        }
        let constant = Expr { kind: ExprKind::Const(v), ty, coer };
        match l.value {
            // read in UTC above; the session's zone is known when it runs
            LitValue::Timestamp(b) if displaced(b).is_some() && constant.ty.kind == TypeKind::DateTime => {
                self.call(FuncId::FromUtc, vec![constant])
            }
            _ => Ok(constant),
        }
    }

    /// The bytes of a literal in its character set, which it names (`cs`) or not; `None`: they are.
    fn literal_bytes(&self, b: &[u8], cs: Option<&str>, set: value::Charset) -> Option<Vec<u8>> {
        match cs {
            // a view's text is UTF-8, and has bytes of other sets in hexadecimal
            None => from_client(b, self.text_charset(), set),
            Some(_) if self.view_schema.is_some() => None,
            // with an introducer the bytes that the client sent
            Some(_) => Some(value::charset::client::depart(self.tcx.client, b).into_owned()),
        }
    }

    /// Value and static type of a literal.
    pub(crate) fn literal_value(&self, l: &LitValue<'_>) -> SqlResult<(OwnedValue, SqlType, Coercibility)> {
        let num = Coercibility::Ignorable;
        let string =
            |b: &[u8], cs: Option<&str>, hexadecimal: bool| -> SqlResult<(OwnedValue, SqlType, Coercibility)> {
                let collation = match cs {
                    None => self.tcx.connection,
                    Some("binary") => CollationId::BINARY,
                    Some(n) => charset(n)?.default_collation(),
                };
                let converted = self.literal_bytes(b, cs, collation.charset());
                let b = converted.as_deref().unwrap_or(b);
                let cs = collation.charset();
                let whole = wide::whole(cs, b, hexadecimal)?;
                let b = whole.as_deref().unwrap_or(b);
                let chars = if collation == CollationId::BINARY { b.len() } else { types::char_count(cs, b) };
                let ty = types::string_type(chars as u64, collation).nullable(false);
                Ok((OwnedValue::Str(b.into()), ty, Coercibility::Coercible))
            };
        let temporal = |b: &[u8], kind: TypeKind| temporal_literal(b, kind, self.mode).map(|(v, ty)| (v, ty, num));
        Ok(match *l {
            LitValue::Null => (OwnedValue::Null, SqlType::new(TypeKind::Null), Coercibility::Ignorable),
            LitValue::Bool(b) => {
                let mut t = types::longlong(1);
                t.nullable = false;
                (OwnedValue::Int(i64::from(b)), t, num)
            }
            LitValue::Int(n) => {
                let v = i64::try_from(n).map_or(OwnedValue::UInt(n), OwnedValue::Int);
                (v, types::int_literal(n), num)
            }
            LitValue::Decimal(s) => {
                // more digits than DECIMAL has: the largest value (`literal` warns)
                let largest = || Decimal::parse(&[b'9'; 65]);
                let d = Decimal::parse(s.as_bytes())
                    .or_else(largest)
                    .ok_or_else(|| SqlError::new(ErrorCode::ILLEGAL_VALUE_FOR_TYPE, &[&"decimal", &s]))?;
                // the type has the digits as written, a zero before the point included
                let whole = s.bytes().take_while(u8::is_ascii_digit).count().min(65) as u8;
                let scale = d.scale().min(30);
                let digits = d.precision().max(d.scale()) - (d.scale() - scale);
                let precision = digits.max(whole.saturating_add(scale)).min(65);
                let mut t = SqlType::decimal(precision, scale).nullable(false);
                // more of them than a column has are shown
                t.own_digits = d.scale() > scale;
                (OwnedValue::Decimal(Box::new(d)), t, num)
            }
            LitValue::Float(s) => {
                let v: f64 = s
                    .parse()
                    .ok()
                    .filter(|v: &f64| v.is_finite())
                    .ok_or_else(|| SqlError::new(ErrorCode::ILLEGAL_VALUE_FOR_TYPE, &[&"double", &s]))?;
                (OwnedValue::Double(v), SqlType::double().nullable(false), num)
            }
            LitValue::Str { bytes, charset } => string(bytes, charset, false)?,
            LitValue::Hex { bytes, charset } | LitValue::Bit { bytes, charset } => {
                let (v, mut ty, coer) = string(bytes, Some(charset.unwrap_or("binary")), true)?;
                ty.unsigned = charset.is_none(); // see `hex_number`
                (v, ty, coer)
            }
            LitValue::Date(b) => temporal(b, TypeKind::Date)?,
            LitValue::Time(b) => temporal(b, TypeKind::Time)?,
            LitValue::Timestamp(b) => temporal(b, TypeKind::DateTime)?,
        })
    }

    /// A value for a column: hexadecimal and bit literals are numbers for columns of numbers.
    pub(in crate::bind) fn stored_operand(
        &mut self,
        e: &ast::Expr<'a>,
        def: &storage::dict::TableDef,
        column: u16,
    ) -> SqlResult<Expr> {
        let kind = def.columns.get(column as usize).map_or(TypeKind::Null, |c| c.ty.kind);
        if !kind.is_integer() && !kind.is_float() && !matches!(kind, TypeKind::Decimal | TypeKind::Year) {
            let value = self.scalar(e)?;
            let value = if kind.is_string() { self.time_as_text(own_digits(value)) } else { value };
            return Ok(self.stored_decimal(value));
        }
        if let A::Literal(l) = e.unparen().kind
            && let LitValue::Hex { bytes, charset: None } | LitValue::Bit { bytes, charset: None } = l.value
            && bytes.len() > 8
        {
            // too long for BIGINT: out of range for every column of integers
            self.literal(l)?;
            let d = Decimal::from_i128(1 << 64, 0);
            let ty = SqlType::decimal(d.precision(), 0).nullable(false);
            return Ok(Expr {
                kind: ExprKind::Const(OwnedValue::Decimal(Box::new(d))),
                ty,
                coer: Coercibility::Ignorable,
            });
        }
        self.numeric_operand(e).map(|e| self.stored_decimal(e))
    }

    /// A TIME or DATETIME that was sent and becomes text in a table loses the zeros at its fraction's end, or the fraction.
    pub(in crate::bind) fn time_as_text(&self, mut e: Expr) -> Expr {
        e.ty.own_digits |= self.is_sent(&e) && matches!(e.ty.kind, TypeKind::Time | TypeKind::DateTime);
        e
    }

    /// A DECIMAL literal that is stored as it stands may have other digits behind the point the next time: it is written with its own.
    fn stored_decimal(&mut self, mut e: Expr) -> Expr {
        if let ExprKind::Param(n) = e.kind
            && e.ty.kind == TypeKind::Decimal
        {
            if let Some(at) = self.draft.notes.scales.iter().rposition(|s| s.0 == n) {
                self.draft.notes.scales.remove(at);
            }
            e.ty.own_digits = true;
        }
        e
    }

    /// Hexadecimal and bit literals are numbers where a number is wanted.
    pub(super) fn numeric_operand(&mut self, e: &ast::Expr<'a>) -> SqlResult<Expr> {
        if let A::Literal(l) = e.unparen().kind
            && let LitValue::Hex { bytes, charset: None } | LitValue::Bit { bytes, charset: None } = l.value
            && bytes.len() <= 8
        {
            self.literal(l)?; // pins it
            let n = bytes.iter().fold(0u64, |n, b| n << 8 | *b as u64);
            let mut ty = types::int_literal(n);
            ty.unsigned = true;
            return Ok(Expr { kind: ExprKind::Const(OwnedValue::UInt(n)), ty, coer: Coercibility::Ignorable });
        }
        self.scalar(e)
    }
}

/// DATE'...', TIME'...' and TIMESTAMP'...': 1525 for what is no such value.
pub fn temporal_literal(b: &[u8], kind: TypeKind, mode: value::SqlMode) -> SqlResult<(OwnedValue, SqlType)> {
    let mut ctx = value::ConvCtx::new(mode);
    let s = types::string_type(b.len() as u64, CollationId::UTF8MB4_0900_AI_CI);
    let v = value::Value::Str(b);
    let (name, out) = match kind {
        TypeKind::Date => ("DATE", value::convert::to_date(v, &s, &mut ctx).map(OwnedValue::Date)),
        TypeKind::Time => {
            // the seventh digit rounds whatever TIME_TRUNCATE_FRACTIONAL says
            ctx.sql_mode = value::SqlMode(mode.0 & !value::SqlMode::TIME_TRUNCATE_FRACTIONAL.0);
            ("TIME", value::convert::to_time(v, &s, &mut ctx).map(OwnedValue::Time))
        }
        _ => ("DATETIME", value::convert::to_datetime(v, &s, &mut ctx).map(OwnedValue::DateTime)),
    };
    match out {
        Some(o) if only_odd(&ctx) && is_literal_of(b, kind, mode) => {
            Ok((o, SqlType::temporal(kind, fraction_digits(b, kind)).nullable(false)))
        }
        _ => Err(SqlError::new(ErrorCode::WRONG_VALUE, &[&name, &String::from_utf8_lossy(b)])),
    }
}

/// The digits of a literal's fraction, at most six. A point elsewhere (`TIMESTAMP'2021-07-15 23.01:02'`) is a deprecated delimiter.
fn fraction_digits(text: &[u8], kind: TypeKind) -> u8 {
    use value::temporal::parse::{DateFlags, parse_datetime};
    match kind {
        TypeKind::Date => 0,
        TypeKind::Time => text.iter().position(|c| *c == b'.').map_or(0, |p| (text.len() - p - 1).min(6) as u8),
        _ => parse_datetime(text, DateFlags::LAX).map_or(0, |d| d.fraction_digits),
    }
}

/// Whether nothing was wrong with a literal but deprecated delimiters.
fn only_odd(ctx: &value::ConvCtx) -> bool {
    let odd = [ErrorCode::WARN_DEPRECATED_DATETIME_DELIMITER, ErrorCode::WARN_DEPRECATED_SUPERFLUOUS_DELIMITER];
    ctx.warnings.iter().all(|w| odd.iter().any(|c| c.number() == w.code))
}

/// The deprecated delimiter of a temporal literal.
fn odd_delimiter(l: &LitValue<'_>) -> Option<value::temporal::parse::OddDelimiter> {
    use value::temporal::parse::{DateFlags, parse_datetime, parse_time};
    match l {
        LitValue::Date(b) | LitValue::Timestamp(b) => parse_datetime(b, DateFlags::LAX)?.odd,
        LitValue::Time(b) => parse_time(b)?.odd,
        _ => None,
    }
}

/// Whether the text of a temporal literal has the parts of its type and no others: `DATE'2001-01-01 00:00:00'`, `TIMESTAMP'2001-01-01'` and
/// `TIME'2001-01-01 00:00:00'` are refused, and what NO_ZERO_DATE and NO_ZERO_IN_DATE refuse in a column.
fn is_literal_of(text: &[u8], kind: TypeKind, mode: value::SqlMode) -> bool {
    use value::temporal::parse::{DateFlags, parse_datetime, parse_time};
    if kind == TypeKind::Time {
        return parse_time(text).is_some_and(|t| !t.had_date);
    }
    parse_datetime(text, DateFlags::for_column(mode)).is_some_and(|d| d.date_only == (kind == TypeKind::Date))
}

/// A DECIMAL that becomes text in a table as it is computed: with the digits that it has, where its type has as many as there can be because of a
/// parameter, or the number of them is one.
pub(crate) fn own_digits(mut e: Expr) -> Expr {
    let computed = match &e.kind {
        ExprKind::Once(_, inner) => &inner.kind,
        kind => kind,
    };
    let rounded = matches!(computed, ExprKind::Call(FuncId::Round | FuncId::Truncate, _));
    let widest = matches!(computed, ExprKind::Call(..)) && e.ty.decimals == 30;
    e.ty.own_digits |= e.ty.kind == TypeKind::Decimal && (rounded || widest) && e.has_param();
    e
}
