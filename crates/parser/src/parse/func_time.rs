//! Date and time syntax of its own: temporal literals, INTERVAL and its units, NOW() and its kin, EXTRACT, DATE_ADD, TIMESTAMPADD, GET_FORMAT.

use super::{PResult, Parser};
use crate::ast::{Expr, ExprKind, IntervalUnit, LitValue, NOT_LIFTED, Span, TemporalKind};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    pub(super) fn temporal_literal(&mut self) -> PResult<Expr<'a>> {
        let (start, kw) = (self.cur.start, self.cur.kw);
        self.advance();
        let bytes = self.string()?;
        let value = match kw {
            Kw::DATE => LitValue::Date(bytes),
            Kw::TIME => LitValue::Time(bytes),
            _ => LitValue::Timestamp(bytes),
        };
        Ok(self.make_literal(self.span_from(start), NOT_LIFTED, value))
    }

    /// After `INTERVAL`, at `(`: whether this is the function INTERVAL(n, a, b, ..).
    pub(super) fn interval_is_function(&self) -> bool {
        if self.peek(1).kind != Tk::LParen {
            return false;
        }
        let (mut i, mut depth) = (1, 0usize);
        loop {
            match self.peek(i).kind {
                Tk::LParen => depth += 1,
                Tk::RParen => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return false;
                    }
                }
                Tk::Comma if depth == 1 => return true,
                Tk::Eof => return false,
                _ => {}
            }
            i += 1;
        }
    }

    /// `INTERVAL n unit + expr`, or the function.
    pub(super) fn interval(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        if self.interval_is_function() {
            return self.plain_call("interval");
        }
        self.advance();
        let value = self.expr_ref()?;
        let unit = self.interval_unit()?;
        self.expect(Tk::Plus)?;
        let e = self.expr_at(super::expr::NOT)?;
        self.height += 1;
        let expr = self.alloc(e);
        Ok(Expr { span: self.span_from(start), kind: ExprKind::DateArith { expr, value, unit, subtract: false } })
    }

    pub(super) fn interval_unit(&mut self) -> PResult<IntervalUnit> {
        use IntervalUnit as U;
        let unit = match self.kw() {
            Kw::MICROSECOND => U::Microsecond,
            Kw::SECOND => U::Second,
            Kw::MINUTE => U::Minute,
            Kw::HOUR => U::Hour,
            Kw::DAY => U::Day,
            Kw::WEEK => U::Week,
            Kw::MONTH => U::Month,
            Kw::QUARTER => U::Quarter,
            Kw::YEAR => U::Year,
            Kw::SECOND_MICROSECOND => U::SecondMicrosecond,
            Kw::MINUTE_MICROSECOND => U::MinuteMicrosecond,
            Kw::MINUTE_SECOND => U::MinuteSecond,
            Kw::HOUR_MICROSECOND => U::HourMicrosecond,
            Kw::HOUR_SECOND => U::HourSecond,
            Kw::HOUR_MINUTE => U::HourMinute,
            Kw::DAY_MICROSECOND => U::DayMicrosecond,
            Kw::DAY_SECOND => U::DaySecond,
            Kw::DAY_MINUTE => U::DayMinute,
            Kw::DAY_HOUR => U::DayHour,
            Kw::YEAR_MONTH => U::YearMonth,
            // the words of TIMESTAMPADD stand for the plain ones everywhere
            _ if self.text(self.cur).get(..8).is_some_and(|b| b.eq_ignore_ascii_case(b"SQL_TSI_")) => {
                return self.timestamp_unit();
            }
            _ => return self.fail(),
        };
        self.advance();
        Ok(unit)
    }

    /// Units of TIMESTAMPADD and TIMESTAMPDIFF, with the SQL_TSI_ prefix too.
    pub(super) fn timestamp_unit(&mut self) -> PResult<IntervalUnit> {
        use IntervalUnit as U;
        let t = self.cur;
        let name = self.text(t).to_ascii_uppercase();
        let prefixed = name.strip_prefix(b"SQL_TSI_");
        let unit = match prefixed.unwrap_or(&name) {
            b"MICROSECOND" if prefixed.is_none() => U::Microsecond,
            b"SECOND" => U::Second,
            b"MINUTE" => U::Minute,
            b"HOUR" => U::Hour,
            b"DAY" => U::Day,
            b"WEEK" => U::Week,
            b"MONTH" => U::Month,
            b"QUARTER" => U::Quarter,
            b"YEAR" => U::Year,
            _ => return self.fail(),
        };
        self.advance();
        Ok(unit)
    }

    /// CURRENT_DATE and the like, with or without `()` or `(fsp)`.
    pub(super) fn moment(&mut self) -> PResult<Expr<'a>> {
        let t = self.cur;
        let (name, fsp) = match t.kw {
            Kw::CURRENT_USER => ("current_user", false),
            Kw::CURRENT_DATE => ("curdate", false),
            Kw::UTC_DATE => ("utc_date", false),
            Kw::CURRENT_TIME => ("curtime", true),
            Kw::UTC_TIME => ("utc_time", true),
            Kw::UTC_TIMESTAMP => ("utc_timestamp", true),
            _ => ("now", true),
        };
        self.advance();
        let mut args: &'a [Expr<'a>] = &[];
        if self.accept(Tk::LParen) {
            if fsp && self.is(Tk::Int) {
                args = self.fsp_arg()?;
            }
            self.expect(Tk::RParen)?;
        }
        Ok(self.call(t.start, Span::new(t.start, t.end), name, args))
    }

    /// The fractional digits of NOW(6): part of the type, so not lifted.
    pub(super) fn fsp_arg(&mut self) -> PResult<&'a [Expr<'a>]> {
        self.no_lift += 1;
        let e = self.literal_token(self.cur, None);
        self.no_lift -= 1;
        self.advance();
        Ok(std::slice::from_ref(self.alloc(e)))
    }

    pub(super) fn extract(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let unit = self.interval_unit()?;
        self.expect_kw(Kw::FROM)?;
        let expr = self.expr_ref()?;
        self.expect(Tk::RParen)?;
        self.height += 1;
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Extract { unit, expr } })
    }

    pub(super) fn date_arith(&mut self) -> PResult<Expr<'a>> {
        let (start, kw) = (self.cur.start, self.cur.kw);
        self.advance();
        self.expect(Tk::LParen)?;
        let expr = self.expr_ref()?;
        self.expect(Tk::Comma)?;
        let days = matches!(kw, Kw::ADDDATE | Kw::SUBDATE);
        let (value, unit);
        if self.is_kw(Kw::INTERVAL) && !(days && self.interval_is_function()) {
            self.advance();
            value = self.expr_ref()?;
            unit = self.interval_unit()?;
        } else if days {
            value = self.expr_ref()?;
            unit = IntervalUnit::Day;
        } else {
            return self.fail();
        }
        self.expect(Tk::RParen)?;
        self.height += 1;
        let subtract = matches!(kw, Kw::DATE_SUB | Kw::SUBDATE);
        Ok(Expr { span: self.span_from(start), kind: ExprKind::DateArith { expr, value, unit, subtract } })
    }

    pub(super) fn timestamp_arith(&mut self) -> PResult<Expr<'a>> {
        let (start, kw) = (self.cur.start, self.cur.kw);
        self.advance();
        self.expect(Tk::LParen)?;
        let unit = self.timestamp_unit()?;
        self.expect(Tk::Comma)?;
        let a = self.expr_ref()?;
        self.expect(Tk::Comma)?;
        let b = self.expr_ref()?;
        self.expect(Tk::RParen)?;
        self.height += 1;
        let kind = if kw == Kw::TIMESTAMPADD {
            ExprKind::TimestampAdd { unit, value: a, expr: b }
        } else {
            ExprKind::TimestampDiff { unit, from: a, to: b }
        };
        Ok(Expr { span: self.span_from(start), kind })
    }

    pub(super) fn get_format(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let kind = match self.kw() {
            Kw::DATE => TemporalKind::Date,
            Kw::TIME => TemporalKind::Time,
            Kw::DATETIME | Kw::TIMESTAMP => TemporalKind::DateTime,
            _ => return self.fail(),
        };
        self.advance();
        self.expect(Tk::Comma)?;
        let format = self.expr_ref()?;
        self.expect(Tk::RParen)?;
        self.height += 1;
        Ok(Expr { span: self.span_from(start), kind: ExprKind::GetFormat { kind, format } })
    }
}
