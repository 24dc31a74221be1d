//! Expressions that begin with a keyword: special function syntax, aggregates, CASE, CAST, temporal literals.

use super::deprecated::Old;
use super::expr::OR;
use super::{Fail, PResult, Parser};
use crate::ast::{
    AggFunc, Case, ColumnRef, Expr, ExprKind, FuncCall, LitValue, Literal, NOT_LIFTED, Span, UnaryOp, WindowFn,
};
use crate::lexer::{Kw, Tk};
use base::ErrorCode;

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
                let at = self.cur.start;
                let c = self.column_ref()?;
                if c.table.is_none() && self.local_slot(c.column).is_some() {
                    return Err(Fail::Name(ErrorCode::WRONG_COLUMN_NAME, at));
                }
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

    pub(super) fn word_literal(&mut self, value: LitValue<'a>) -> Expr<'a> {
        let span = Span::new(self.cur.start, self.cur.end);
        self.advance();
        self.make_literal(span, NOT_LIFTED, value)
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

    pub(super) fn call(&mut self, start: u32, name_span: Span, name: &'a str, args: &'a [Expr<'a>]) -> Expr<'a> {
        self.height += 1;
        let f =
            self.alloc(FuncCall { schema: None, name, name_span, args, aliases: &[], keyword: false, stored: false });
        Expr { span: self.span_from(start), kind: ExprKind::Func(f) }
    }

    /// `WORD(args)` as the function `name`.
    pub(super) fn plain_call(&mut self, name: &'a str) -> PResult<Expr<'a>> {
        let t = self.cur;
        self.advance();
        self.call_args(t.start, Span::new(t.start, t.end), None, name, arity(name))
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
        let mut fixed = None;
        if t.kind == Tk::Word {
            if t.kw.names_no_function() || super::not_functions::names_no_function(name) {
                return self.fail();
            }
            fixed = arity(name);
        }
        self.call_args(t.start, Span::new(t.start, t.end), schema, name, fixed)
    }

    pub(super) fn generic_call_rest(&mut self, schema: Option<&'a str>, name: ColumnRef<'a>) -> PResult<Expr<'a>> {
        let copy = self.arena.alloc_str(name.column);
        copy.make_ascii_lowercase();
        self.call_args(name.span.start, name.span, schema, copy, None)
    }

    /// `fixed`: how many arguments the grammar takes, where it says so.
    fn call_args(
        &mut self,
        start: u32,
        name_span: Span,
        schema: Option<&'a str>,
        name: &'a str,
        fixed: Option<(usize, usize)>,
    ) -> PResult<Expr<'a>> {
        let name_token = self.pos.checked_sub(1).and_then(|i| self.tokens.get(i)).copied().unwrap_or(self.cur);
        let name_at = name_token.start;
        let apart = name_token.kind == Tk::Word && !self.calls(name_token, self.cur);
        self.expect(Tk::LParen)?;
        let mut args = self.list();
        let mut aliases = self.list();
        let (least, most) = fixed.unwrap_or((0, usize::MAX));
        while !self.is(Tk::RParen) {
            if args.len() == most {
                return self.fail();
            }
            args.push(self.expr()?);
            if self.is(Tk::Comma) && args.len() == most {
                return self.fail();
            }
            if fixed.is_none() && schema.is_none() && (self.is_kw(Kw::AS) || self.is_ident() || self.is(Tk::Str)) {
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
        if args.len() < least {
            return self.fail();
        }
        self.expect(Tk::RParen)?;
        if let Some(schema) = schema {
            self.check_schema(schema, start, true)?;
        }
        if name.is_empty() || name.ends_with(' ') {
            return Err(Fail::Name(ErrorCode::SP_WRONG_NAME, name_at));
        }
        self.old_function(name);
        if self.in_program {
            self.note_routine(true, schema, name);
        }
        self.height += 1;
        let kw = Kw::lookup(name.as_bytes());
        let quoted = matches!(self.text(name_token).first(), Some(b'`' | b'"'));
        let f = FuncCall {
            schema,
            name,
            name_span,
            args: args.into_bump_slice(),
            aliases: aliases.into_bump_slice(),
            keyword: kw != Kw::NOT_A_KEYWORD,
            stored: kw.is_function_word() && schema.is_none() && (quoted || apart),
        };
        let f = self.alloc(f);
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Func(f) })
    }

    /// A keyword before `(`.
    fn special_call(&mut self) -> PResult<Expr<'a>> {
        let t = self.cur;
        // Names that are keywords only directly before the parenthesis.
        if t.kw.is_function_word() && !self.calls(t, self.peek(1)) {
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
                self.old(if self.on_duplicate { Old::ValuesOnDuplicate } else { Old::Values });
                let c = self.alloc(c);
                Ok(Expr { span: self.span_from(t.start), kind: ExprKind::Values(c) })
            }
            Kw::CHAR | Kw::CHARACTER => self.char_function(),
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
        // ODBC's form of a literal is an expression
        if self.is(Tk::LBrace) {
            return self.fail();
        }
        let e = self.primary()?;
        match e.kind {
            ExprKind::Literal(Literal { .. }) => Ok(e),
            _ => Err(super::Fail::Syntax(start)),
        }
    }
}

/// The least and the most arguments of functions that MySQL's grammar names, so that another number is a syntax error
/// (and not 1582).
fn arity(name: &str) -> Option<(usize, usize)> {
    const ANY: usize = usize::MAX;
    Some(match name {
        "row_count" | "database" | "user" | "curdate" => (0, 0),
        "ascii" | "charset" | "collation" | "microsecond" | "quarter" | "reverse" | "date" | "day" | "hour"
        | "minute" | "month" | "second" | "time" | "year" => (1, 1),
        "log" | "timestamp" | "week" => (1, 2),
        "coalesce" | "grouping" | "linestring" | "multilinestring" | "multipoint" | "multipolygon" | "polygon" => {
            (1, ANY)
        }
        "truncate" | "point" | "repeat" | "left" | "right" => (2, 2),
        "format" => (2, 3),
        "interval" => (2, ANY),
        "if" | "replace" => (3, 3),
        "insert" => (4, 4),
        _ => return None,
    })
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
