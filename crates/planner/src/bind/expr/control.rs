//! LIKE and CASE.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, ExprKind as A, LitValue};
use value::{CollationId, SqlType, TypeKind};

use super::super::Binder;
use super::compare::{is_forced, may_lose};
use super::*;
use crate::expr::{Expr, ExprKind};
use crate::func::FuncId;
use crate::types;

impl<'a> Binder<'a, '_> {
    pub(super) fn like(
        &mut self,
        expr: &ast::Expr<'a>,
        pattern: &ast::Expr<'a>,
        escape: Option<&ast::Expr<'a>>,
        negated: bool,
    ) -> SqlResult<Expr> {
        let (x, p) = (self.scalar(expr)?, self.scalar(pattern)?);
        let nullable = x.ty.nullable || p.ty.nullable;
        let (collation, _) = types::mix_collations(&[&x, &p], &self.tcx, "like")?;
        let (x, p) = (self.as_text_of(x, collation), self.as_text_of(p, collation));
        let no_backslash = self.mode.has(value::SqlMode::NO_BACKSLASH_ESCAPES);
        let escape = match escape {
            None if no_backslash => 0,
            None => b'\\' as u32,
            Some(e) => {
                let A::Literal(l) = e.unparen().kind else { return self.like_escape(x, p, e, collation, negated) };
                let pin = std::mem::replace(&mut self.pinning, true);
                self.literal(l)?;
                self.pinning = pin;
                let (bytes, charset) = match l.value {
                    LitValue::Str { bytes, charset } | LitValue::Hex { bytes, charset } => (bytes, charset),
                    LitValue::Null => (&b"\\"[..], None),
                    // a number is the text that it is written as
                    _ => return self.like_escape(x, p, e, collation, negated),
                };
                let set = charset.and_then(value::Charset::by_name).unwrap_or_else(|| self.text_charset());
                let decoded = super::super::column_names::from_client(bytes, set, value::Charset::Utf8mb4);
                let mut chars = std::str::from_utf8(decoded.as_deref().unwrap_or(bytes)).unwrap_or("??").chars();
                match (chars.next(), chars.next()) {
                    (None, _) if no_backslash => return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"ESCAPE"])),
                    (None, _) => 0,
                    (Some(c), None) => c as u32,
                    _ => return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"ESCAPE"])),
                }
            }
        };
        Ok(boolean(ExprKind::Like { args: Box::new([x, p]), escape, negated, collation }, nullable))
    }

    /// LIKE whose escape character is not written as a literal: it must be constant (1210).
    fn like_escape(
        &mut self,
        x: Expr,
        p: Expr,
        escape: &ast::Expr<'a>,
        collation: CollationId,
        negated: bool,
    ) -> SqlResult<Expr> {
        let e = self.scalar(escape)?;
        let subs = &self.draft.subs;
        let variable = e.any(&mut |x| match x.kind {
            ExprKind::Column { .. } | ExprKind::Agg { .. } => true,
            ExprKind::Subquery(id, _) => subs.get(id as usize).is_none_or(|s| s.repeated()),
            _ => false,
        });
        if variable {
            return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"ESCAPE"]));
        }
        let nullable = x.ty.nullable || p.ty.nullable;
        let mut x = x;
        if x.ty.kind.is_string() {
            x.ty.collation = collation;
        }
        let args = [x, p, e];
        let (ty, coer) = types::function(FuncId::LikeEscape, &args, &self.tcx)?;
        let e = Expr { kind: ExprKind::Call(FuncId::LikeEscape, Box::new(args)), ty, coer };
        Ok(if negated { boolean(ExprKind::Not(Box::new(e)), nullable) } else { e })
    }

    /// `operand = when` of a CASE whose operand is JSON, or a constant that is converted for some of the comparisons.
    fn when_apart(&mut self, operand: &Expr, when: Expr) -> SqlResult<Expr> {
        self.copied(operand)?;
        let (left, right) = (json_operand(operand.clone(), &when.ty), json_operand(when, &operand.ty));
        self.compare(crate::expr::CmpOp::Eq, left, right)
    }

    pub(super) fn case(&mut self, c: &ast::Case<'a>) -> SqlResult<Expr> {
        let mut operand = c.operand.as_ref().map(|o| self.scalar(o)).transpose()?;
        let (mut branches, mut cmps, mut bound) = (Vec::new(), Vec::new(), Vec::new());
        for (when, then) in c.whens {
            bound.push((self.scalar(when)?, self.scalar(then)?));
        }
        self.derive(&mut operand.iter_mut().chain(bound.iter_mut().map(|b| &mut b.0)).collect::<Vec<_>>());
        if let Some(o) = &operand {
            bound = bound.into_iter().map(|(w, t)| (date_text(w, o), t)).collect();
        }
        // each of its comparisons has its own conversion
        let whens = bound.iter().map(|b| &b.0);
        let apart = operand.take_if(|o| o.ty.kind == TypeKind::Json || super::compare::is_converted_for_some(o, whens));
        let common = match &operand {
            Some(o) => {
                let all: Vec<&Expr> = std::iter::once(o).chain(bound.iter().map(|b| &b.0)).collect();
                self.common_collation(&all, "case")?
            }
            None => None,
        };
        for (mut w, then) in bound {
            if let Some(o) = &apart {
                w = self.when_apart(o, w)?;
            } else if let Some(o) = operand.take() {
                w = json_operand(w, &o.ty);
                let (o2, w2, cmp) = self.comparable_as(o, w, "case", common)?;
                self.named(&o2, &w2);
                operand = Some(o2);
                w = w2;
                cmps.push(cmp);
            } else {
                w = json_number(w);
            }
            branches.push((w, then));
        }
        let mut otherwise = c.otherwise.as_ref().map(|o| self.scalar(o)).transpose()?;
        self.derive(&mut branches.iter_mut().map(|b| &mut b.1).chain(&mut otherwise).collect::<Vec<_>>());
        let results: Vec<&Expr> = branches.iter().map(|b| &b.1).chain(otherwise.iter()).collect();
        let (mut ty, coer) = types::unify(&results, &self.tcx, "case")?;
        ty.nullable |= otherwise.is_none();
        ty.own_digits |= ty.kind == TypeKind::Decimal;
        let mut branches: Vec<(Expr, Expr)> = branches.into_iter().map(|(w, t)| (w, result_branch(t, &ty))).collect();
        branches.shrink_to_fit();
        let otherwise = otherwise.map(|o| Box::new(result_branch(o, &ty)));
        let kind =
            ExprKind::Case { operand: operand.map(Box::new), branches: branches.into(), cmp: cmps.into(), otherwise };
        Ok(Expr { kind, ty, coer })
    }
}

/// A condition of IF and CASE: of JSON its number, unlike elsewhere.
pub(crate) fn json_number(e: Expr) -> Expr {
    if e.ty.kind != TypeKind::Json {
        return e;
    }
    let ty = SqlType::double().nullable(e.ty.nullable);
    Expr { coer: e.coer, ty, kind: ExprKind::Cast(Box::new(e)) }
}

/// CASE compares a text with the text of a date or time, unlike `=`, which makes the text a date.
fn date_text(when: Expr, operand: &Expr) -> Expr {
    if !when.ty.kind.is_temporal() || !super::compare::is_text(&operand.ty) {
        return when;
    }
    let ty = types::string_type(types::text_chars(&when.ty), operand.ty.collation).nullable(when.ty.nullable);
    Expr { coer: Coercibility::Numeric, ty, kind: ExprKind::Cast(Box::new(when)) }
}

/// CASE and BETWEEN compare a JSON operand with numbers as DOUBLE and with anything else as text (so that the JSON null equals 'null'), unlike `=`, which makes the
/// other side JSON.
pub(super) fn json_operand(e: Expr, other: &SqlType) -> Expr {
    if e.ty.kind != TypeKind::Json || other.kind.is_temporal() {
        return e;
    }
    let ty = match other.kind.is_numeric() {
        true => SqlType::new(TypeKind::Double),
        false => types::string_type(types::text_chars(&e.ty), CollationId::UTF8MB4_BIN),
    };
    Expr { coer: e.coer, ty: ty.nullable(e.ty.nullable), kind: ExprKind::Cast(Box::new(e)) }
}

/// A result branch converted to the common type where the values' representations differ.
pub(crate) fn convert_branch(e: Expr, ty: &SqlType) -> Expr {
    if e.ty.kind == TypeKind::Null || same_representation(&e.ty, ty) && !must_be_text(&e.ty, ty) {
        return e;
    }
    let mut to = ty.clone();
    to.nullable = e.ty.nullable || to.nullable;
    // a lifted literal may have more digits the next time, and the plan is kept
    let lifted = e.has_param();
    if to.kind == TypeKind::Decimal && lifted {
        to = SqlType::decimal(65, to.decimals).nullable(to.nullable);
    } else if to.kind.is_string() && lifted {
        to = types::string_type(super::compare::LIFTED_CHARS, to.collation).nullable(to.nullable);
    }
    // a function that hands on a number of its branch finds it in there
    let member = is_member(&e.ty) && (to.collation == CollationId::BINARY || to.charset() == e.ty.charset());
    let lossy = may_lose(&e, to.collation) || is_forced(&e, to.collation);
    if to.kind.is_string() && (lossy || must_be_text(&e.ty, &to) || member) {
        return Expr { coer: e.coer, ty: to, kind: ExprKind::Call(FuncId::InCharset, Box::new([e])) };
    }
    Expr { coer: e.coer, ty: to, kind: ExprKind::Cast(Box::new(e)) }
}

/// An ENUM or SET as the text that most functions make of it; what is read as a number in there is its number.
pub(crate) fn member_text(e: Expr) -> Expr {
    if !matches!(e.ty.kind, TypeKind::Enum | TypeKind::Set) {
        return e;
    }
    let ty = types::string_type(types::text_chars(&e.ty), e.ty.collation).nullable(e.ty.nullable);
    Expr { coer: e.coer, ty, kind: ExprKind::Call(FuncId::InCharset, Box::new([e])) }
}

/// A branch of IF or CASE: as [`convert_branch`] makes it, but a DECIMAL has the branch's own digits.
pub(crate) fn result_branch(e: Expr, ty: &SqlType) -> Expr {
    let exact = e.ty.kind == TypeKind::Decimal;
    let as_it_is = matches!(e.kind, ExprKind::Column { .. } | ExprKind::Const(_) | ExprKind::Param(_));
    if ty.kind != TypeKind::Decimal || exact && (as_it_is || e.ty.own_digits) {
        return convert_branch(e, ty);
    }
    let own = if exact { e.ty.clone() } else { SqlType { decimals: 0, ..ty.clone() } };
    if exact && !e.has_param() {
        return Expr { coer: e.coer, ty: own, kind: ExprKind::Cast(Box::new(e)) };
    }
    convert_branch(e, &own)
}

/// Whether the type is text whose values are numbers too.
fn is_member(t: &SqlType) -> bool {
    matches!(t.kind, TypeKind::Enum | TypeKind::Set | TypeKind::Bit)
}

/// Whether bytes become text: they must be some of its character set (3854).
fn must_be_text(from: &SqlType, to: &SqlType) -> bool {
    from.kind.is_binary_string() && to.kind.is_string() && to.is_character()
}

/// Whether a value of type `a` is already a value of type `b` (same `Value` variant, same character set, same scale).
fn same_representation(a: &SqlType, b: &SqlType) -> bool {
    if a.kind.is_integer() && b.kind.is_integer() {
        return a.unsigned == b.unsigned && !a.zerofill;
    }
    if a.kind.is_string() && b.kind.is_string() {
        return a.collation == CollationId::BINARY || b.collation == CollationId::BINARY || a.charset() == b.charset();
    }
    if a.kind == TypeKind::Decimal && b.kind == TypeKind::Decimal {
        return true;
    }
    if a.kind.is_float() && b.kind == TypeKind::Double {
        return true;
    }
    if a.kind.has_date() && b.kind.has_date() {
        return (a.kind == TypeKind::Date) == (b.kind == TypeKind::Date);
    }
    a.kind == b.kind && a.members == b.members
}
