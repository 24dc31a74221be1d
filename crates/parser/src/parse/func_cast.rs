//! CAST, CONVERT, BINARY, CHAR(... USING ...), WEIGHT_STRING: conversions whose arguments name a type or a character set.

use super::deprecated::Old;
use super::{PResult, Parser};
use crate::ast::{Cast, CastType, Expr, ExprKind, WeightCast};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    /// `BINARY expr`
    #[inline(never)]
    pub(super) fn binary_prefix(&mut self) -> PResult<Expr<'a>> {
        self.enter()?;
        let start = self.cur.start;
        self.advance();
        let expr = self.prefixed()?;
        self.old(Old::BinaryExpr);
        let cast = Cast { expr, ty: CastType::Binary(None), array: false, at_time_zone: None };
        let cast = self.alloc(cast);
        self.height += 1;
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Cast(cast) })
    }

    pub(super) fn cast(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let expr = self.expr()?;
        let mut at_time_zone = None;
        if self.accept_kws(&[Kw::AT, Kw::LOCAL]) {
            self.expect_kw(Kw::AS)?;
            self.cast_type()?;
            self.accept_kw(Kw::ARRAY);
            self.expect(Tk::RParen)?;
            return Err(super::Fail::Unsupported("AT LOCAL"));
        }
        if self.accept_kws(&[Kw::AT, Kw::TIME, Kw::ZONE]) {
            let interval = self.accept_kw(Kw::INTERVAL);
            at_time_zone = Some((self.string()?, interval));
        }
        self.expect_kw(Kw::AS)?;
        if at_time_zone.is_some() && !self.is_kw(Kw::DATETIME) {
            return self.fail();
        }
        let ty = self.cast_type()?;
        let array = at_time_zone.is_none() && self.accept_kw(Kw::ARRAY);
        self.expect(Tk::RParen)?;
        if array && matches!(ty, CastType::Year) {
            self.notice(super::Fail::Unsupported("CAST-ing data to array of YEAR"));
        }
        self.height += 1;
        let cast = self.alloc(Cast { expr, ty, array, at_time_zone });
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Cast(cast) })
    }

    pub(super) fn convert(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let expr = self.expr()?;
        self.height += 1;
        if self.accept_kw(Kw::USING) {
            let charset = self.charset_name()?;
            self.expect(Tk::RParen)?;
            let expr = self.alloc(expr);
            return Ok(Expr { span: self.span_from(start), kind: ExprKind::ConvertUsing { expr, charset } });
        }
        self.expect(Tk::Comma)?;
        let ty = self.cast_type()?;
        self.expect(Tk::RParen)?;
        let cast = self.alloc(Cast { expr, ty, array: false, at_time_zone: None });
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Cast(cast) })
    }

    pub(super) fn char_function(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let args = self.expr_list()?;
        let charset = if self.accept_kw(Kw::USING) { Some(self.charset_name()?) } else { None };
        self.expect(Tk::RParen)?;
        self.height += 1;
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Char { args, charset } })
    }

    pub(super) fn weight_string(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let expr = self.expr_ref()?;
        let (mut cast, mut raw) = (None, None);
        if self.accept_kw(Kw::AS) {
            let kind = match self.kw() {
                Kw::CHAR | Kw::CHARACTER => WeightCast::Char,
                Kw::BINARY => WeightCast::Binary,
                _ => return self.fail(),
            };
            self.advance();
            self.expect(Tk::LParen)?;
            let at = self.cur.start;
            cast = Some((kind, self.number(false)?));
            if matches!(cast, Some((_, 0))) {
                return Err(super::Fail::Syntax(at));
            }
            self.expect(Tk::RParen)?;
        } else if self.accept(Tk::Comma) {
            // WEIGHT_STRING(expr, result length, codepoints, flags): only the server's own tools write it
            let length = self.number(true)?;
            self.expect(Tk::Comma)?;
            let points = self.number(true)?;
            self.expect(Tk::Comma)?;
            let flags = self.number(true)?;
            raw = Some(self.alloc((length, points, flags)));
        }
        self.expect(Tk::RParen)?;
        self.height += 1;
        Ok(Expr { span: self.span_from(start), kind: ExprKind::WeightString { expr, cast, raw } })
    }
}
