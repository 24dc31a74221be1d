//! CAST and CONVERT.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self};
use value::collation::{Algorithm, Special};
use value::{CollationId, OwnedValue, SqlType, TypeKind};

use super::super::{Binder, unsupported};
use super::*;
use crate::expr::{Coercibility, Expr, ExprKind};
use crate::func::FuncId;
use crate::types;

impl<'a> Binder<'a, '_> {
    pub(in crate::bind) fn cast(&mut self, c: &ast::Cast<'a>) -> SqlResult<Expr> {
        use ast::CastType as T;
        if c.array {
            return unsupported(
                "Use of CAST( .. AS .. ARRAY) outside of functional index in CREATE(non-SELECT)/ALTER TABLE or in general \
                 expressions",
            );
        }
        let numeric =
            matches!(c.ty, T::Signed | T::Unsigned | T::Year | T::Decimal { .. } | T::Float(_) | T::Double | T::Real);
        let mut x = if numeric { self.numeric_operand(&c.expr)? } else { self.scalar(&c.expr)? };
        match c.ty {
            T::Signed | T::Unsigned => self.derive_as(&mut x, &SqlType::bigint().nullable(true)),
            T::Decimal { .. } => self.derive_as(&mut x, &SqlType::decimal(65, 30).nullable(true)),
            T::Float(_) | T::Double | T::Real => self.derive_as(&mut x, &SqlType::double().nullable(true)),
            _ => {}
        }
        let x = if matches!(c.ty, T::Json) { self.json_operand(&c.expr, x) } else { x };
        let x = match c.at_time_zone {
            Some((zone, interval)) => self.at_time_zone(&c.expr, x, zone, interval)?,
            None => x,
        };
        if let T::Binary(Some(n)) | T::Char { length: Some(n), .. } = c.ty
            && n > u64::from(u32::MAX)
        {
            let code = ErrorCode::TOO_BIG_DISPLAYWIDTH;
            return Err(SqlError::new(code, &[&"cast as char", &u32::MAX]));
        }
        let to_text = matches!(c.ty, T::Char { .. } | T::Binary(_));
        let x = if !to_text && wide::is(&x) { self.in_charset_or_marks(x, CollationId::UTF8MB4_BIN) } else { x };
        let text = self.room(&x, types::text_chars(&x.ty));
        let bytes = self.room(&x, types::text_bytes(&x.ty));
        let written = match c.ty {
            T::Char { length, .. } | T::Binary(length) => length,
            _ => None,
        };
        let (mut ty, coer) = self.cast_type(c, text, bytes)?;
        ty.nullable = x.ty.nullable
            || (self.tcx.strict && ty.kind.is_string())
            || ty.kind.is_temporal()
            || x.ty.kind == TypeKind::Json
            || ty.kind == TypeKind::Year;
        if matches!(ty.kind, TypeKind::Date | TypeKind::DateTime) {
            let digits = (ty.kind == TypeKind::DateTime).then_some(ty.decimals);
            return Ok(Expr { kind: ExprKind::Call(FuncId::CastDate(digits), Box::new([x])), ty, coer });
        }
        // a length that a column may have is for the conversion to see to
        if let Some(n) = written.filter(|n| *n == 0 || ty.kind.is_lob()) {
            return Ok(sized(x, ty, coer, n));
        }
        let cast = Expr { kind: ExprKind::Cast(Box::new(x)), ty, coer };
        Ok(cast)
    }

    /// The type that is written; `text` and `bytes` are the longest text of the operand.
    fn cast_type(&self, c: &ast::Cast<'a>, text: u64, bytes: u64) -> SqlResult<(SqlType, Coercibility)> {
        use ast::CastType as T;
        let mut coer = Coercibility::Numeric;
        let ty = match c.ty {
            T::Signed => types::longlong(21),
            T::Unsigned => SqlType { unsigned: true, ..types::longlong(21) },
            T::Binary(len) => {
                coer = Coercibility::Implicit;
                let mut t = types::string_type(len.unwrap_or(bytes), CollationId::BINARY);
                if len.is_some() && t.kind == TypeKind::VarBinary {
                    t.kind = TypeKind::Binary;
                }
                t
            }
            T::Char { length, charset, binary } => {
                coer = Coercibility::Implicit;
                self.char_type(length, charset, binary, (text, bytes))?
            }
            T::Date => SqlType::new(TypeKind::Date),
            T::Time(f) => SqlType::temporal(TypeKind::Time, check_fsp(f)?),
            T::DateTime(f) => SqlType::temporal(TypeKind::DateTime, check_fsp(f)?),
            T::Year => SqlType { own_digits: true, ..SqlType::new(TypeKind::Year) },
            T::Decimal { length, decimals } => self.decimal_type(c, length, decimals)?,
            T::Float(Some(p)) if p > 53 => {
                return Err(SqlError::new(ErrorCode::TOO_BIG_PRECISION, &[&p, &"CAST", &53]));
            }
            T::Float(Some(p)) if p > 24 => SqlType::double(),
            T::Float(_) => SqlType::new(TypeKind::Float),
            T::Double => SqlType::double(),
            T::Real if self.mode.has(value::SqlMode::REAL_AS_FLOAT) => SqlType::new(TypeKind::Float),
            T::Real => SqlType::double(),
            T::Json => crate::bind::json::json_type(),
            T::Geometry(_) => return unsupported("spatial types"),
        };
        Ok((ty, coer))
    }

    /// CHAR(length) CHARACTER SET name BINARY; without a length it is as long as the operand (in characters, in bytes).
    fn char_type(
        &self,
        length: Option<u64>,
        name: Option<&str>,
        binary: bool,
        (text, bytes): (u64, u64),
    ) -> SqlResult<SqlType> {
        let mut collation = match name {
            Some(n) if n.eq_ignore_ascii_case("binary") => CollationId::BINARY,
            Some(n) => charset(n)?.default_collation(),
            None => self.tcx.wide.unwrap_or(self.tcx.connection),
        };
        if binary {
            collation = collation.charset().bin_collation();
        }
        let widest = u64::from(u32::MAX) / u64::from(collation.charset().max_len());
        if length.is_some_and(|n| n > widest) {
            return Err(SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&"char(n)", &"cast_as_char"]));
        }
        let whole = if collation == CollationId::BINARY { bytes } else { text };
        let mut t = types::string_type(length.unwrap_or(whole), collation);
        if length.is_some() && t.kind == TypeKind::VarBinary {
            // as CAST AS BINARY(n): filled with zero bytes
            t.kind = TypeKind::Binary;
        }
        Ok(t)
    }

    /// DECIMAL(length, decimals) within MySQL's limits.
    fn decimal_type(&self, c: &ast::Cast<'a>, length: Option<u64>, decimals: Option<u32>) -> SqlResult<SqlType> {
        let scale = decimals.unwrap_or(0);
        let precision = length.unwrap_or(10);
        if scale > 30 {
            return Err(SqlError::new(ErrorCode::TOO_BIG_SCALE, &[&scale, &self.text(c.expr.span), &30]));
        }
        if precision > 65 {
            return Err(SqlError::new(ErrorCode::TOO_BIG_PRECISION, &[&precision, &self.text(c.expr.span), &65]));
        }
        // DECIMAL(0) is DECIMAL(10), DECIMAL(0, 4) none
        if u64::from(scale) > precision {
            return Err(SqlError::new(ErrorCode::M_BIGGER_THAN_D, &[&""]));
        }
        Ok(SqlType::decimal(if precision == 0 { 10 } else { precision as u8 }, scale as u8))
    }
}

/// A cast to text or bytes of `n`, where the conversion itself has no limit.
fn sized(x: Expr, ty: SqlType, coer: Coercibility, n: u64) -> Expr {
    let binary = ty.collation == CollationId::BINARY;
    let mut free = ty.clone();
    free.kind = if binary { TypeKind::LongBlob } else { TypeKind::LongText };
    free.length = u32::MAX;
    let cast = Expr { kind: ExprKind::Cast(Box::new(x)), ty: free, coer };
    let length = Expr {
        kind: ExprKind::Const(OwnedValue::Int(i64::try_from(n).unwrap_or(i64::MAX))),
        ty: types::longlong(11).nullable(false),
        coer: Coercibility::Coercible,
    };
    let kind = ExprKind::Call(FuncId::CastSized(binary), Box::new([cast, length]));
    Expr { kind, ty: ty.nullable(true), coer }
}

impl<'a> Binder<'a, '_> {
    /// `x AT TIME ZONE zone`: MySQL takes a TIMESTAMP, a literal of one and NULL (3998), and no zone but UTC (1298).
    fn at_time_zone(&mut self, e: &ast::Expr<'a>, x: Expr, zone: &[u8], interval: bool) -> SqlResult<Expr> {
        let literal = matches!(&e.kind, ast::ExprKind::Literal(l) if matches!(l.value, ast::LitValue::Timestamp(_)));
        if !literal && !matches!(x.ty.kind, TypeKind::Timestamp | TypeKind::Null) {
            return Err(SqlError::new(ErrorCode::INVALID_CAST, &[&"TIMESTAMP WITH TIME ZONE"]));
        }
        if zone != b"+00:00" && (interval || zone != b"UTC") {
            return Err(SqlError::new(ErrorCode::UNKNOWN_TIME_ZONE, &[&String::from_utf8_lossy(zone)]));
        }
        self.call(FuncId::AtUtc, vec![x])
    }

    /// WEIGHT_STRING(x [AS CHAR(n) | AS BINARY(n)]): x is cut, or filled with spaces or zero bytes, to n characters or bytes first.
    pub(super) fn weight_string(&mut self, e: &ast::Expr<'a>, cast: Option<(ast::WeightCast, u64)>) -> SqlResult<Expr> {
        let x = self.scalar(e)?;
        if !x.ty.kind.is_string() && x.ty.kind != TypeKind::Json && !matches!(cast, Some((ast::WeightCast::Binary, _)))
        {
            // numbers and times have weights of eight bytes, however many characters are asked for
            return self.call(FuncId::WeightString, vec![x]);
        }
        let x = match cast {
            None => x,
            Some((ast::WeightCast::Binary, n)) => {
                let ty = types::string_type(n, CollationId::BINARY).nullable(x.ty.nullable);
                let kind = if ty.kind == TypeKind::VarBinary { TypeKind::Binary } else { ty.kind };
                let bytes = Expr {
                    ty: types::string_type(types::text_bytes(&x.ty), CollationId::BINARY).nullable(x.ty.nullable),
                    coer: Coercibility::Implicit,
                    kind: ExprKind::Cast(Box::new(x)),
                };
                Expr { kind: ExprKind::Cast(Box::new(bytes)), ty: SqlType { kind, ..ty }, coer: Coercibility::Implicit }
            }
            Some((ast::WeightCast::Char, n)) => {
                let x = if x.ty.kind.is_string() { x } else { self.call(FuncId::Concat, vec![x])? };
                let characters = n.min(u32::MAX.into());
                let n = Expr { kind: ExprKind::Const(OwnedValue::Int(characters as i64)), ..Expr::int(0) };
                let c = if x.ty.kind.is_binary_string() { CollationId::BINARY } else { x.ty.collation };
                // the room is that of the whole argument, or of the characters that are asked for
                let most = c.get().most_weights(types::text_bytes(&x.ty).max(characters)).max(8);
                let room = |mut e: Expr| {
                    e.ty = types::string_type(most, CollationId::BINARY).nullable(e.ty.nullable);
                    e
                };
                // spaces at the end count there, or make no weights: there are none to fill with
                let filled = c.get().pad_space && !matches!(c.get().algorithm, Algorithm::Special(Special::Cp1250));
                if !x.ty.kind.is_binary_string() && !filled {
                    let x = self.call(FuncId::Left, vec![x, n])?;
                    return self.call(FuncId::WeightString, vec![x]).map(room);
                }
                let space = Expr::constant(OwnedValue::Str(b" "[..].into()), types::string_type(1, c).nullable(false));
                let x = self.call(FuncId::Rpad, vec![x, n, space])?;
                return self.call(FuncId::WeightString, vec![x]).map(room);
            }
        };
        self.call(FuncId::WeightString, vec![x])
    }

    /// WEIGHT_STRING(x, length, points, flags): the weights of the first characters, not more than `length` bytes (0: no limit). Flag 0x40
    /// fills up with spaces to `points` characters, 0x80 to the length. Collations that do not pad fill up with zeros, to the length only;
    /// the two Czech ones of single bytes do so too.
    pub(super) fn raw_weight_string(&mut self, e: &ast::Expr<'a>, raw: (u64, u64, u64)) -> SqlResult<Expr> {
        let (length, points, flags) = raw;
        let number =
            |n: u64| Expr { kind: ExprKind::Const(OwnedValue::Int(n.min(u32::MAX.into()) as i64)), ..Expr::int(0) };
        let x = self.scalar(e)?;
        let mut x = if x.ty.kind.is_string() { x } else { self.call(FuncId::Concat, vec![x])? };
        let c = if x.ty.kind.is_binary_string() { CollationId::BINARY } else { x.ty.collation };
        let pads = c.get().pad_space && !matches!(c.name(), "latin2_czech_cs" | "cp1250_czech_cs");
        let space = Expr::constant(OwnedValue::Str(b" "[..].into()), types::string_type(1, c).nullable(false));
        if points > 0 {
            let f = if flags & 0x40 != 0 && pads { FuncId::Rpad } else { FuncId::Left };
            let args = if f == FuncId::Rpad { vec![x, number(points), space.clone()] } else { vec![x, number(points)] };
            x = self.call(f, args)?;
        }
        let weights = self.call(FuncId::WeightString, vec![x])?;
        match (length, flags & 0x80) {
            (0, _) => Ok(weights),
            (n, 0) => self.call(FuncId::Left, vec![weights, number(n)]),
            (n, _) => {
                let fill = if pads {
                    self.call(FuncId::WeightString, vec![space])?
                } else {
                    let zero = types::string_type(1, CollationId::BINARY).nullable(false);
                    Expr::constant(OwnedValue::Str(b"\0"[..].into()), zero)
                };
                self.call(FuncId::Rpad, vec![weights, number(n), fill])
            }
        }
    }
}

fn check_fsp(f: Option<u32>) -> SqlResult<u8> {
    match f {
        None => Ok(0),
        Some(n) if n <= 6 => Ok(n as u8),
        Some(n) => Err(SqlError::new(ErrorCode::TOO_BIG_PRECISION, &[&n, &"CAST", &6])),
    }
}
