//! OVER and WINDOW.

use super::{PResult, Parser};
use crate::ast::{Frame, FrameBound, FrameExclude, FrameOffset, FrameUnit, WindowRef, WindowSpec};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    /// After OVER.
    pub(super) fn window_ref(&mut self) -> PResult<WindowRef<'a>> {
        if self.is(Tk::LParen) {
            let spec = self.window_spec()?;
            return Ok(WindowRef::Spec(self.alloc(spec)));
        }
        Ok(WindowRef::Named(self.ident()?))
    }

    /// `( [name] [PARTITION BY ..] [ORDER BY ..] [frame] )`
    pub(super) fn window_spec(&mut self) -> PResult<WindowSpec<'a>> {
        self.enter()?;
        self.expect(Tk::LParen)?;
        let base = if self.is_ident() { Some(self.ident()?) } else { None };
        let partition_by = if self.accept_kws(&[Kw::PARTITION, Kw::BY]) { self.expr_list()? } else { &[] };
        let order_by = if self.accept_kws(&[Kw::ORDER, Kw::BY]) { self.order_items()? } else { &[] };
        let unit = match self.kw() {
            Kw::ROWS => Some(FrameUnit::Rows),
            Kw::RANGE => Some(FrameUnit::Range),
            Kw::GROUPS => Some(FrameUnit::Groups),
            _ => None,
        };
        let mut frame = None;
        if let Some(unit) = unit {
            self.advance();
            frame = Some(self.frame(unit)?);
        }
        self.expect(Tk::RParen)?;
        Ok(WindowSpec { base, partition_by, order_by, frame })
    }

    fn frame(&mut self, unit: FrameUnit) -> PResult<&'a Frame<'a>> {
        let (start, end);
        if self.accept_kw(Kw::BETWEEN) {
            start = self.frame_bound()?;
            self.expect_kw(Kw::AND)?;
            end = self.frame_bound()?;
        } else {
            start = self.frame_bound()?;
            end = FrameBound::CurrentRow;
        }
        let mut exclude = None;
        if self.accept_kw(Kw::EXCLUDE) {
            exclude = Some(if self.accept_kws(&[Kw::CURRENT, Kw::ROW]) {
                FrameExclude::CurrentRow
            } else if self.accept_kw(Kw::GROUP) {
                FrameExclude::Group
            } else if self.accept_kw(Kw::TIES) {
                FrameExclude::Ties
            } else if self.accept_kws(&[Kw::NO, Kw::OTHERS]) {
                FrameExclude::NoOthers
            } else {
                return self.fail();
            });
        }
        Ok(self.alloc(Frame { unit, start, end, exclude }))
    }

    fn frame_bound(&mut self) -> PResult<FrameBound<'a>> {
        if self.accept_kw(Kw::UNBOUNDED) {
            return if self.accept_kw(Kw::PRECEDING) {
                Ok(FrameBound::UnboundedPreceding)
            } else {
                self.expect_kw(Kw::FOLLOWING)?;
                Ok(FrameBound::UnboundedFollowing)
            };
        }
        if self.accept_kws(&[Kw::CURRENT, Kw::ROW]) {
            return Ok(FrameBound::CurrentRow);
        }
        let offset = if self.accept_kw(Kw::INTERVAL) {
            let value = self.expr_ref()?;
            FrameOffset { value, unit: Some(self.interval_unit()?) }
        } else {
            if !matches!(self.cur.kind, Tk::Int | Tk::Decimal | Tk::Float | Tk::Param) {
                return self.fail();
            }
            // a number or a parameter, and nothing behind it
            let number = self.primary()?;
            FrameOffset { value: self.alloc(number), unit: None }
        };
        if self.accept_kw(Kw::PRECEDING) {
            Ok(FrameBound::Preceding(offset))
        } else {
            self.expect_kw(Kw::FOLLOWING)?;
            Ok(FrameBound::Following(offset))
        }
    }
}
