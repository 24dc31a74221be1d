//! String functions with words between their arguments: TRIM, POSITION, SUBSTRING, and MATCH ... AGAINST.

use super::{PResult, Parser};
use crate::ast::{Expr, ExprKind, MatchMode, Span, TrimSide};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    pub(super) fn match_against(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        let parens = self.accept(Tk::LParen);
        let columns = self.comma_list(|p| {
            let s = p.cur.start;
            let c = p.column_ref()?;
            let c = p.alloc(c);
            Ok(Expr { span: p.span_from(s), kind: ExprKind::Column(c) })
        })?;
        if parens {
            self.expect(Tk::RParen)?;
        }
        self.expect_kw(Kw::AGAINST)?;
        self.expect(Tk::LParen)?;
        let e = self.expr_at(super::expr::BIT)?;
        let against = self.alloc(e);
        let mut mode = MatchMode::NaturalLanguage;
        if self.accept_kws(&[Kw::IN, Kw::BOOLEAN, Kw::MODE]) {
            mode = MatchMode::Boolean;
        } else {
            self.accept_kws(&[Kw::IN, Kw::NATURAL, Kw::LANGUAGE, Kw::MODE]);
            if self.accept_kws(&[Kw::WITH, Kw::QUERY, Kw::EXPANSION]) {
                mode = MatchMode::NaturalLanguageExpansion;
            }
        }
        self.expect(Tk::RParen)?;
        self.height += 1;
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Match { columns, against, mode } })
    }

    pub(super) fn trim(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let side = match self.kw() {
            Kw::BOTH => Some(TrimSide::Both),
            Kw::LEADING => Some(TrimSide::Leading),
            Kw::TRAILING => Some(TrimSide::Trailing),
            _ => None,
        };
        let mut remove = None;
        let expr;
        if side.is_some() {
            self.advance();
            if !self.is_kw(Kw::FROM) {
                remove = Some(self.expr_ref()?);
            }
            self.expect_kw(Kw::FROM)?;
            expr = self.expr_ref()?;
        } else {
            let first = self.expr_ref()?;
            if self.accept_kw(Kw::FROM) {
                remove = Some(first);
                expr = self.expr_ref()?;
            } else {
                expr = first;
            }
        }
        self.expect(Tk::RParen)?;
        self.height += 1;
        let side = side.unwrap_or(TrimSide::Both);
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Trim { side, remove, expr } })
    }

    /// `POSITION(a IN b)` is LOCATE(a, b).
    pub(super) fn position(&mut self) -> PResult<Expr<'a>> {
        let t = self.cur;
        self.advance();
        self.expect(Tk::LParen)?;
        let needle = self.expr_at(super::expr::BIT)?;
        self.expect_kw(Kw::IN)?;
        let hay = self.expr()?;
        self.expect(Tk::RParen)?;
        let args = self.arena.alloc_slice_copy(&[needle, hay]);
        Ok(self.call(t.start, Span::new(t.start, t.end), "locate", args))
    }

    pub(super) fn substring(&mut self) -> PResult<Expr<'a>> {
        let t = self.cur;
        self.advance();
        self.expect(Tk::LParen)?;
        let mut args = self.list();
        args.push(self.expr()?);
        if self.accept_kw(Kw::FROM) {
            args.push(self.expr()?);
            if self.accept_kw(Kw::FOR) {
                args.push(self.expr()?);
            }
        } else {
            self.expect(Tk::Comma)?;
            args.push(self.expr()?);
            if self.accept(Tk::Comma) {
                args.push(self.expr()?);
            }
        }
        self.expect(Tk::RParen)?;
        Ok(self.call(t.start, Span::new(t.start, t.end), "substring", args.into_bump_slice()))
    }
}
