//! Expressions that begin with a keyword: special function syntax, aggregates, CASE, CAST, temporal literals.

use super::expr::OR;
use super::{PResult, Parser};
use crate::ast::{
    AggFunc, Aggregate, Case, Cast, CastType, Expr, ExprKind, FuncCall, IntervalUnit, JsonOn, JsonValue, LitValue,
    MatchMode, NOT_LIFTED, Span, TemporalKind, TrimSide, UnaryOp, WeightCast, WindowFn, WindowFunc,
};
use crate::ast::{ColumnRef, Literal};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    #[inline(never)]
    pub(super) fn keyword_primary(&mut self) -> PResult<Expr<'a>> {
        let t = self.cur;
        let span = Span::new(t.start, t.end);
        match t.kw {
            Kw::NULL => Ok(self.word_literal(LitValue::Null)),
            Kw::TRUE => Ok(self.word_literal(LitValue::Bool(true))),
            Kw::FALSE => Ok(self.word_literal(LitValue::Bool(false))),
            Kw::DATE | Kw::TIME | Kw::TIMESTAMP if self.peek(1).kind == Tk::Str => self.temporal_literal(),
            Kw::CASE => self.case(),
            Kw::EXISTS => {
                self.advance();
                let query = self.subquery()?;
                Ok(Expr { span: self.span_from(t.start), kind: ExprKind::Exists(query) })
            }
            Kw::INTERVAL => self.interval(),
            Kw::MATCH => self.match_against(),
            Kw::DEFAULT => {
                self.advance();
                self.expect(Tk::LParen)?;
                let c = self.column_ref()?;
                self.expect(Tk::RParen)?;
                let c = self.alloc(c);
                Ok(Expr { span: self.span_from(t.start), kind: ExprKind::Default(Some(c)) })
            }
            Kw::CURRENT_USER
            | Kw::CURRENT_DATE
            | Kw::UTC_DATE
            | Kw::CURRENT_TIME
            | Kw::CURRENT_TIMESTAMP
            | Kw::LOCALTIME
            | Kw::LOCALTIMESTAMP
            | Kw::UTC_TIME
            | Kw::UTC_TIMESTAMP => self.moment(),
            Kw::ROW if self.peek(1).kind == Tk::LParen => {
                self.advance();
                self.advance();
                let first = self.expr_at(OR)?;
                if !self.is(Tk::Comma) {
                    return self.fail();
                }
                self.height += 1;
                self.row_rest(t.start, first)
            }
            _ if self.peek(1).kind == Tk::LParen => self.special_call(),
            kw if kw.is_reserved() => {
                let _ = span;
                self.fail()
            }
            _ => self.name(),
        }
    }

    fn word_literal(&mut self, value: LitValue<'a>) -> Expr<'a> {
        let span = Span::new(self.cur.start, self.cur.end);
        self.advance();
        self.make_literal(span, NOT_LIFTED, value)
    }

    fn temporal_literal(&mut self) -> PResult<Expr<'a>> {
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

    fn case(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        let operand = if self.is_kw(Kw::WHEN) { None } else { Some(self.expr()?) };
        let mut whens = self.list();
        while self.accept_kw(Kw::WHEN) {
            let when = self.expr()?;
            self.expect_kw(Kw::THEN)?;
            let then = self.expr()?;
            whens.push((when, then));
        }
        if whens.is_empty() {
            return self.fail();
        }
        let otherwise = if self.accept_kw(Kw::ELSE) { Some(self.expr()?) } else { None };
        self.expect_kw(Kw::END)?;
        self.height += 1;
        let case = self.alloc(Case { operand, whens: whens.into_bump_slice(), otherwise });
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Case(case) })
    }

    /// `BINARY expr`
    #[inline(never)]
    pub(super) fn binary_prefix(&mut self) -> PResult<Expr<'a>> {
        self.enter()?;
        let start = self.cur.start;
        self.advance();
        let expr = self.prefixed()?;
        let cast = Cast { expr, ty: CastType::Binary(None), array: false, at_time_zone: None };
        let cast = self.alloc(cast);
        self.height += 1;
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Cast(cast) })
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
    fn interval(&mut self) -> PResult<Expr<'a>> {
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
            _ => return self.fail(),
        };
        self.advance();
        Ok(unit)
    }

    /// Units of TIMESTAMPADD and TIMESTAMPDIFF, with the SQL_TSI_ prefix too.
    fn timestamp_unit(&mut self) -> PResult<IntervalUnit> {
        use IntervalUnit as U;
        let t = self.cur;
        let name = self.text(t).to_ascii_uppercase();
        let unit = match name.strip_prefix(b"SQL_TSI_").unwrap_or(&name) {
            b"MICROSECOND" | b"FRAC_SECOND" => U::Microsecond,
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

    fn match_against(&mut self) -> PResult<Expr<'a>> {
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

    /// CURRENT_DATE and the like, with or without `()` or `(fsp)`.
    fn moment(&mut self) -> PResult<Expr<'a>> {
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
    fn fsp_arg(&mut self) -> PResult<&'a [Expr<'a>]> {
        self.no_lift += 1;
        let e = self.literal_token(self.cur, None);
        self.no_lift -= 1;
        self.advance();
        Ok(std::slice::from_ref(self.alloc(e)))
    }

    fn call(&mut self, start: u32, name_span: Span, name: &'a str, args: &'a [Expr<'a>]) -> Expr<'a> {
        self.height += 1;
        let f = self.alloc(FuncCall { schema: None, name, name_span, args, aliases: &[] });
        Expr { span: self.span_from(start), kind: ExprKind::Func(f) }
    }

    /// `WORD(args)` as the function `name`.
    fn plain_call(&mut self, name: &'a str) -> PResult<Expr<'a>> {
        let t = self.cur;
        self.advance();
        self.expect(Tk::LParen)?;
        let args = self.expr_list_or_nothing()?;
        self.expect(Tk::RParen)?;
        Ok(self.call(t.start, Span::new(t.start, t.end), name, args))
    }

    /// `name(args)`, arguments with aliases for loadable functions.
    pub(super) fn generic_call(&mut self, schema: Option<&'a str>) -> PResult<Expr<'a>> {
        let t = self.cur;
        let name = match t.kind {
            Tk::Backtick | Tk::DoubleQuoted => {
                let n = self.unquote(t)?;
                let copy = self.arena.alloc_str(n);
                copy.make_ascii_lowercase();
                &*copy
            }
            _ => self.lower(t)?,
        };
        self.advance();
        self.call_args(t.start, Span::new(t.start, t.end), schema, name)
    }

    pub(super) fn generic_call_rest(&mut self, schema: Option<&'a str>, name: ColumnRef<'a>) -> PResult<Expr<'a>> {
        let copy = self.arena.alloc_str(name.column);
        copy.make_ascii_lowercase();
        self.call_args(name.span.start, name.span, schema, copy)
    }

    fn call_args(&mut self, start: u32, name_span: Span, schema: Option<&'a str>, name: &'a str) -> PResult<Expr<'a>> {
        self.expect(Tk::LParen)?;
        let mut args = self.list();
        let mut aliases = self.list();
        while !self.is(Tk::RParen) {
            args.push(self.expr()?);
            if schema.is_none() && (self.is_kw(Kw::AS) || self.is_ident()) {
                self.accept_kw(Kw::AS);
                aliases.resize(args.len() - 1, None);
                aliases.push(Some(self.ident_or_text()?));
            }
            if !self.accept(Tk::Comma) {
                break;
            }
            if self.is(Tk::RParen) {
                return self.fail();
            }
        }
        self.expect(Tk::RParen)?;
        self.height += 1;
        let f = FuncCall { schema, name, name_span, args: args.into_bump_slice(), aliases: aliases.into_bump_slice() };
        let f = self.alloc(f);
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Func(f) })
    }

    /// A keyword before `(`.
    fn special_call(&mut self) -> PResult<Expr<'a>> {
        let t = self.cur;
        // Names that are keywords only directly before the parenthesis.
        if t.kw.is_function_word() && !self.is_function_word(t, self.peek(1)) {
            return self.generic_call(None);
        }
        if let Some(func) = aggregate_of(t.kw) {
            return self.aggregate(func);
        }
        if let Some(func) = window_of(t.kw) {
            return self.window_func(func);
        }
        match t.kw {
            Kw::CAST => self.cast(),
            Kw::CONVERT => self.convert(),
            Kw::EXTRACT => self.extract(),
            Kw::TRIM => self.trim(),
            Kw::POSITION => self.position(),
            Kw::SUBSTRING | Kw::SUBSTR | Kw::MID => self.substring(),
            Kw::DATE_ADD | Kw::ADDDATE | Kw::DATE_SUB | Kw::SUBDATE => self.date_arith(),
            Kw::TIMESTAMPADD | Kw::TIMESTAMPDIFF => self.timestamp_arith(),
            Kw::GET_FORMAT => self.get_format(),
            Kw::VALUES => {
                self.advance();
                self.advance();
                let c = self.column_ref()?;
                self.expect(Tk::RParen)?;
                let c = self.alloc(c);
                Ok(Expr { span: self.span_from(t.start), kind: ExprKind::Values(c) })
            }
            Kw::CHAR => self.char_function(),
            Kw::WEIGHT_STRING => self.weight_string(),
            Kw::JSON_VALUE => self.json_value(),
            Kw::MOD => self.modulo(),
            Kw::NOW | Kw::SYSDATE | Kw::CURTIME => {
                self.advance();
                self.advance();
                let args: &[Expr<'_>] = if self.is(Tk::Int) { self.fsp_arg()? } else { &[] };
                self.expect(Tk::RParen)?;
                let name = self.lower(t)?;
                Ok(self.call(t.start, Span::new(t.start, t.end), name, args))
            }
            Kw::SCHEMA => self.plain_call("database"),
            Kw::SESSION_USER | Kw::SYSTEM_USER => self.plain_call("user"),
            Kw::CURDATE
            | Kw::IF
            | Kw::LEFT
            | Kw::RIGHT
            | Kw::REPLACE
            | Kw::INSERT
            | Kw::REPEAT
            | Kw::DATABASE
            | Kw::GROUPING => {
                let name = self.lower(t)?;
                self.plain_call(name)
            }
            kw if kw.is_reserved() => self.fail(),
            _ => self.generic_call(None),
        }
    }

    /// `MOD(a, b)` is the operator.
    fn modulo(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let left = self.expr_ref()?;
        self.expect(Tk::Comma)?;
        let right = self.expr_ref()?;
        self.expect(Tk::RParen)?;
        self.height += 1;
        let kind = ExprKind::Binary { op: crate::ast::BinaryOp::Mod, left, right };
        Ok(Expr { span: self.span_from(start), kind })
    }

    fn aggregate(&mut self, func: AggFunc) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let mut agg = Aggregate { func, distinct: false, args: &[], order_by: &[], separator: None, over: None };
        match func {
            AggFunc::Count if self.accept(Tk::Star) => {}
            AggFunc::Count if self.accept_kws(&[Kw::ALL]) && self.accept(Tk::Star) => {}
            AggFunc::Count if self.accept_kw(Kw::DISTINCT) => {
                agg.distinct = true;
                agg.args = self.expr_list()?;
            }
            AggFunc::GroupConcat => {
                agg.distinct = self.accept_kw(Kw::DISTINCT);
                agg.args = self.expr_list()?;
                if self.accept_kw(Kw::ORDER) {
                    self.expect_kw(Kw::BY)?;
                    agg.order_by = self.order_items()?;
                }
                if self.accept_kw(Kw::SEPARATOR) {
                    agg.separator = Some(self.string_or_hex()?);
                }
            }
            AggFunc::JsonObjectagg => {
                self.accept_kw(Kw::ALL);
                let key = self.expr()?;
                self.expect(Tk::Comma)?;
                self.accept_kw(Kw::ALL);
                let value = self.expr()?;
                agg.args = self.arena.alloc_slice_copy(&[key, value]);
            }
            _ => {
                let may_distinct =
                    matches!(func, AggFunc::Avg | AggFunc::Min | AggFunc::Max | AggFunc::Sum | AggFunc::StCollect);
                agg.distinct = may_distinct && self.accept_kw(Kw::DISTINCT);
                self.accept_kw(Kw::ALL);
                agg.args = std::slice::from_ref(self.expr_ref()?);
            }
        }
        self.expect(Tk::RParen)?;
        self.height += 1;
        if self.accept_kw(Kw::OVER) {
            agg.over = Some(self.window_ref()?);
        }
        let agg = self.alloc(agg);
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Aggregate(agg) })
    }

    fn window_func(&mut self, func: WindowFn) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let args = match func {
            WindowFn::RowNumber | WindowFn::Rank | WindowFn::DenseRank | WindowFn::PercentRank | WindowFn::CumeDist => {
                &[]
            }
            WindowFn::Ntile | WindowFn::FirstValue | WindowFn::LastValue => std::slice::from_ref(self.expr_ref()?),
            _ => self.expr_list()?,
        };
        let most = if matches!(func, WindowFn::Lead | WindowFn::Lag) { 3 } else { 2 };
        if args.len() > most || (func == WindowFn::NthValue && args.len() != 2) {
            return self.fail();
        }
        self.expect(Tk::RParen)?;
        let mut from_last = false;
        if func == WindowFn::NthValue && self.accept_kw(Kw::FROM) {
            from_last = self.accept_kw(Kw::LAST);
            if !from_last {
                self.expect_kw(Kw::FIRST)?;
            }
        }
        let ignore_nulls = self.accept_kws(&[Kw::IGNORE, Kw::NULLS]);
        if !ignore_nulls {
            self.accept_kws(&[Kw::RESPECT, Kw::NULLS]);
        }
        self.expect_kw(Kw::OVER)?;
        let over = self.window_ref()?;
        self.height += 1;
        let f = self.alloc(WindowFunc { func, args, from_last, ignore_nulls, over });
        Ok(Expr { span: self.span_from(start), kind: ExprKind::WindowFunc(f) })
    }

    fn cast(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let expr = self.expr()?;
        let mut at_time_zone = None;
        if self.accept_kws(&[Kw::AT, Kw::TIME, Kw::ZONE]) {
            self.accept_kw(Kw::INTERVAL);
            at_time_zone = Some(self.string()?);
        }
        self.expect_kw(Kw::AS)?;
        let ty = self.cast_type()?;
        let array = self.accept_kw(Kw::ARRAY);
        self.expect(Tk::RParen)?;
        self.height += 1;
        let cast = self.alloc(Cast { expr, ty, array, at_time_zone });
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Cast(cast) })
    }

    fn convert(&mut self) -> PResult<Expr<'a>> {
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

    fn extract(&mut self) -> PResult<Expr<'a>> {
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

    fn trim(&mut self) -> PResult<Expr<'a>> {
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
    fn position(&mut self) -> PResult<Expr<'a>> {
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

    fn substring(&mut self) -> PResult<Expr<'a>> {
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

    fn date_arith(&mut self) -> PResult<Expr<'a>> {
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

    fn timestamp_arith(&mut self) -> PResult<Expr<'a>> {
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

    fn get_format(&mut self) -> PResult<Expr<'a>> {
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

    fn char_function(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let args = self.expr_list()?;
        let charset = if self.accept_kw(Kw::USING) { Some(self.charset_name()?) } else { None };
        self.expect(Tk::RParen)?;
        self.height += 1;
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Char { args, charset } })
    }

    fn weight_string(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let expr = self.expr_ref()?;
        let (mut cast, mut flags) = (None, 0);
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
            self.number(false)?;
            self.expect(Tk::Comma)?;
            self.number(false)?;
            self.expect(Tk::Comma)?;
            flags = self.number(false)? as u32;
        }
        self.expect(Tk::RParen)?;
        self.height += 1;
        Ok(Expr { span: self.span_from(start), kind: ExprKind::WeightString { expr, cast, flags } })
    }

    fn json_value(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let doc = self.simple_layer()?;
        self.expect(Tk::Comma)?;
        if !self.is(Tk::Str) {
            return self.fail();
        }
        self.no_lift += 1;
        let path = self.string_literal(None)?;
        self.no_lift -= 1;
        let returning = if self.accept_kw(Kw::RETURNING) { Some(self.cast_type()?) } else { None };
        let (on_empty, on_error) = self.json_on()?;
        self.expect(Tk::RParen)?;
        self.height += 1;
        let v = self.alloc(JsonValue { doc, path, returning, on_empty, on_error });
        Ok(Expr { span: self.span_from(start), kind: ExprKind::JsonValue(v) })
    }

    /// `[.. ON EMPTY] [.. ON ERROR]`
    pub(super) fn json_on(&mut self) -> PResult<(Option<JsonOn<'a>>, Option<JsonOn<'a>>)> {
        let (mut empty, mut error) = (None, None);
        loop {
            let value = match self.kw() {
                Kw::NULL => {
                    self.advance();
                    JsonOn::Null
                }
                Kw::ERROR => {
                    self.advance();
                    JsonOn::Error
                }
                Kw::DEFAULT => {
                    self.advance();
                    self.no_lift += 1;
                    let e = self.signed_literal();
                    self.no_lift -= 1;
                    JsonOn::Default(e?)
                }
                _ => return Ok((empty, error)),
            };
            self.expect_kw(Kw::ON)?;
            if empty.is_none() && error.is_none() && self.accept_kw(Kw::EMPTY) {
                empty = Some(value);
            } else if error.is_none() && self.accept_kw(Kw::ERROR) {
                error = Some(value);
                return Ok((empty, error));
            } else {
                return self.fail();
            }
        }
    }

    /// A literal, a number perhaps with a sign.
    pub(super) fn signed_literal(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        if self.is(Tk::Minus) || self.is(Tk::Plus) {
            let op = if self.is(Tk::Minus) { UnaryOp::Neg } else { UnaryOp::Plus };
            self.advance();
            if !matches!(self.cur.kind, Tk::Int | Tk::Decimal | Tk::Float) {
                return self.fail();
            }
            let e = self.literal_token(self.cur, None);
            self.advance();
            let expr = self.alloc(e);
            return Ok(Expr { span: self.span_from(start), kind: ExprKind::Unary { op, expr } });
        }
        let e = self.primary()?;
        match e.kind {
            ExprKind::Literal(Literal { .. }) => Ok(e),
            _ => Err(super::Fail::Syntax(start)),
        }
    }
}

fn aggregate_of(kw: Kw) -> Option<AggFunc> {
    Some(match kw {
        Kw::COUNT => AggFunc::Count,
        Kw::SUM => AggFunc::Sum,
        Kw::AVG => AggFunc::Avg,
        Kw::MIN => AggFunc::Min,
        Kw::MAX => AggFunc::Max,
        Kw::BIT_AND => AggFunc::BitAnd,
        Kw::BIT_OR => AggFunc::BitOr,
        Kw::BIT_XOR => AggFunc::BitXor,
        Kw::STD | Kw::STDDEV | Kw::STDDEV_POP => AggFunc::StddevPop,
        Kw::STDDEV_SAMP => AggFunc::StddevSamp,
        Kw::VARIANCE | Kw::VAR_POP => AggFunc::VarPop,
        Kw::VAR_SAMP => AggFunc::VarSamp,
        Kw::GROUP_CONCAT => AggFunc::GroupConcat,
        Kw::JSON_ARRAYAGG => AggFunc::JsonArrayagg,
        Kw::JSON_OBJECTAGG => AggFunc::JsonObjectagg,
        Kw::ST_COLLECT => AggFunc::StCollect,
        Kw::ANY_VALUE => AggFunc::AnyValue,
        _ => return None,
    })
}

fn window_of(kw: Kw) -> Option<WindowFn> {
    Some(match kw {
        Kw::ROW_NUMBER => WindowFn::RowNumber,
        Kw::RANK => WindowFn::Rank,
        Kw::DENSE_RANK => WindowFn::DenseRank,
        Kw::PERCENT_RANK => WindowFn::PercentRank,
        Kw::CUME_DIST => WindowFn::CumeDist,
        Kw::NTILE => WindowFn::Ntile,
        Kw::LEAD => WindowFn::Lead,
        Kw::LAG => WindowFn::Lag,
        Kw::FIRST_VALUE => WindowFn::FirstValue,
        Kw::LAST_VALUE => WindowFn::LastValue,
        Kw::NTH_VALUE => WindowFn::NthValue,
        _ => return None,
    })
}
