//! Expressions: MySQL's precedence, exactly as its grammar layers it.
//!
//! The manual's table ("Operator Precedence") is the summary of these layers: expr (OR, XOR, AND, NOT, IS TRUE) over
//! comparisons and IS NULL, over predicates (IN, BETWEEN, LIKE, REGEXP, MEMBER OF) which do not chain, over bit
//! expressions, over simple expressions. A left operand must be of the operator's own layer or a closer one, otherwise
//! the text is an error: `a LIKE b + c`, `NOT` inside arithmetic.

use super::deprecated::Old;
use super::{Fail, PResult, Parser};
use crate::ast::{
    BinaryOp, ColumnRef, Expr, ExprKind, IsTest, LitValue, Literal, NOT_LIFTED, Span, SysVar, SysVarName, UnaryOp,
    VarScope,
};
use crate::lexer::{Kw, Tk, Token};
use base::ErrorCode;
use bumpalo::collections::Vec as BVec;

/// Layers, loosest first.
pub(super) const OR: u8 = 1;
pub(super) const XOR: u8 = 2;
pub(super) const AND: u8 = 3;
pub(super) const NOT: u8 = 4;
pub(super) const COMPARE: u8 = 5;
pub(super) const PREDICATE: u8 = 6;
pub(super) const BIT: u8 = 7;
const BIT_AND: u8 = 8;
const SHIFT: u8 = 9;
const SUM: u8 = 10;
const PRODUCT: u8 = 11;
const POWER: u8 = 12;
pub(super) const SIMPLE: u8 = 13;

/// What an infix token does.
enum Infix {
    Binary(BinaryOp),
    Logic,
    Compare(BinaryOp),
    Is,
    Predicate,
    Concat,
}

impl<'a> Parser<'a, '_> {
    pub(super) fn expr(&mut self) -> PResult<Expr<'a>> {
        self.expr_at(OR)
    }

    pub(super) fn expr_ref(&mut self) -> PResult<&'a Expr<'a>> {
        self.expr_ref_at(OR)
    }

    /// [`Parser::expr_at`] into the arena: a lone leaf goes there without being copied on the way.
    #[inline]
    fn expr_ref_at(&mut self, min: u8) -> PResult<&'a Expr<'a>> {
        let start = self.cur.start;
        let Some(e) = self.leaf() else {
            let e = self.expr_at(min)?;
            return Ok(self.alloc(e));
        };
        if self.infix().is_none() {
            return Ok(self.alloc(e));
        }
        let before = std::mem::take(&mut self.height);
        let e = self.climb(min, e, SIMPLE, start, before)?;
        Ok(self.alloc(e))
    }

    /// A number, a string or a column's name that nothing follows which belongs to it: most operands are that.
    #[inline(always)]
    fn leaf(&mut self) -> Option<Expr<'a>> {
        let (t, next) = (self.cur, self.peek(1));
        let span = Span::new(t.start, t.end);
        if next.kw == Kw::COLLATE {
            return None;
        }
        let kind = match t.kind {
            Tk::Word if t.kw == Kw::NOT_A_KEYWORD => {
                let more =
                    matches!(next.kind, Tk::LParen | Tk::Dot | Tk::Arrow | Tk::Arrow2 | Tk::Str | Tk::Hex | Tk::Bit);
                if more || self.text(t).first() == Some(&b'$') {
                    return None;
                }
                let column = std::str::from_utf8(self.arena.alloc_slice_copy(self.text(t))).ok()?;
                match if self.in_program { self.local(column, span) } else { None } {
                    Some(kind) => {
                        self.variables += 1;
                        kind
                    }
                    None => ExprKind::Column(self.alloc(ColumnRef { span, schema: None, table: None, column })),
                }
            }
            Tk::Int => return Some(self.take_literal(t)),
            Tk::Str if next.kind != Tk::Str => return Some(self.take_literal(t)),
            _ => return None,
        };
        self.advance();
        Some(Expr { span, kind })
    }

    #[inline(always)]
    fn take_literal(&mut self, t: Token) -> Expr<'a> {
        let value = match self.literals.get(t.lit as usize) {
            Some(l) => crate::lexer::literal_value(self.arena, self.sql, l, self.mode.no_backslash_escapes),
            None => LitValue::Null,
        };
        let lit = self.lift(t.lit);
        self.advance();
        self.make_literal(Span::new(t.start, t.end), lit, value)
    }

    pub(super) fn expr_list(&mut self) -> PResult<&'a [Expr<'a>]> {
        self.comma_list(|p| p.expr_at(OR))
    }

    /// `[expr, ...]` up to `)`
    pub(super) fn expr_list_or_nothing(&mut self) -> PResult<&'a [Expr<'a>]> {
        if self.is(Tk::RParen) { Ok(&[]) } else { self.expr_list() }
    }

    /// An expression whose operators are of layer `min` or closer.
    pub(super) fn expr_at(&mut self, min: u8) -> PResult<Expr<'a>> {
        self.enter()?;
        let before = std::mem::take(&mut self.height);
        let start = self.cur.start;
        if let Some(left) = self.leaf() {
            return self.climb(min, left, SIMPLE, start, before);
        }
        if min <= NOT && self.is_kw(Kw::NOT) && !self.mode.high_not_precedence {
            let left = self.not()?;
            return self.climb(min, left, NOT, start, before);
        }
        let left = self.prefixed()?;
        self.climb(min, left, SIMPLE, start, before)
    }

    /// The operators behind `left`, which is of `layer` and began at `start`; `before`: height outside.
    #[inline(always)]
    fn climb(&mut self, min: u8, left: Expr<'a>, layer: u8, start: u32, before: u32) -> PResult<Expr<'a>> {
        let (mut left, mut layer) = (left, layer);
        while let Some((infix, of, need)) = self.infix() {
            if of < min || layer < need {
                break;
            }
            left = match infix {
                Infix::Binary(op) => {
                    self.advance();
                    self.binary(op, left, of + 1)?
                }
                Infix::Logic => self.logic(of, left)?,
                Infix::Compare(op) => {
                    self.advance();
                    self.comparison(op, left)?
                }
                Infix::Is => self.is_test(left, &mut layer)?,
                Infix::Predicate => self.predicate(left)?,
                Infix::Concat => {
                    self.advance();
                    let right = self.prefixed()?;
                    self.make_binary(BinaryOp::Concat, left, right)
                }
            };
            self.height += 1;
            layer = if matches!(infix, Infix::Is) { layer } else { of };
            left.span.start = start;
        }
        self.height = self.height.max(before);
        Ok(left)
    }

    fn not(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        let e = self.expr_at(NOT)?;
        self.height += 1;
        let expr = self.alloc(e);
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Unary { op: UnaryOp::Not, expr } })
    }

    /// The operator at the current token, its layer and the layer its left operand needs at least.
    #[inline]
    fn infix(&self) -> Option<(Infix, u8, u8)> {
        use BinaryOp as B;
        let bin = |op, layer| Some((Infix::Binary(op), layer, layer));
        let cmp = |op| Some((Infix::Compare(op), COMPARE, COMPARE));
        match self.cur.kind {
            Tk::Plus => bin(B::Add, SUM),
            Tk::Minus => bin(B::Sub, SUM),
            Tk::Star => bin(B::Mul, PRODUCT),
            Tk::Slash => bin(B::Div, PRODUCT),
            Tk::Percent => bin(B::Mod, PRODUCT),
            Tk::Caret => bin(B::BitXor, POWER),
            Tk::Amp => bin(B::BitAnd, BIT_AND),
            Tk::Pipe => bin(B::BitOr, BIT),
            Tk::Shl => bin(B::Shl, SHIFT),
            Tk::Shr => bin(B::Shr, SHIFT),
            Tk::Eq => cmp(B::Eq),
            Tk::NullEq => cmp(B::NullSafeEq),
            Tk::Ne => cmp(B::Ne),
            Tk::Lt => cmp(B::Lt),
            Tk::Le => cmp(B::Le),
            Tk::Gt => cmp(B::Gt),
            Tk::Ge => cmp(B::Ge),
            Tk::AmpAmp => Some((Infix::Logic, AND, AND)),
            Tk::PipePipe if self.mode.pipes_as_concat => Some((Infix::Concat, SIMPLE, SIMPLE)),
            Tk::PipePipe => Some((Infix::Logic, OR, OR)),
            Tk::Word => match self.cur.kw {
                Kw::AND => Some((Infix::Logic, AND, AND)),
                Kw::OR => Some((Infix::Logic, OR, OR)),
                Kw::XOR => bin(B::Xor, XOR),
                Kw::DIV => bin(B::IntDiv, PRODUCT),
                Kw::MOD => bin(B::Mod, PRODUCT),
                Kw::IS => Some((Infix::Is, COMPARE, COMPARE)),
                Kw::IN | Kw::BETWEEN | Kw::LIKE | Kw::REGEXP | Kw::RLIKE => Some((Infix::Predicate, PREDICATE, BIT)),
                Kw::NOT if matches!(self.peek(1).kw, Kw::IN | Kw::BETWEEN | Kw::LIKE | Kw::REGEXP | Kw::RLIKE) => {
                    Some((Infix::Predicate, PREDICATE, BIT))
                }
                // nothing else can go on with NOT: the error is at what follows it
                Kw::NOT => Some((Infix::Predicate, PREDICATE, BIT)),
                Kw::SOUNDS if self.peek(1).kw == Kw::LIKE => Some((Infix::Predicate, PREDICATE, BIT)),
                Kw::MEMBER if self.peek(1).kw == Kw::OF || self.peek(1).kind == Tk::LParen => {
                    Some((Infix::Predicate, PREDICATE, BIT))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn make_binary(&mut self, op: BinaryOp, left: Expr<'a>, right: Expr<'a>) -> Expr<'a> {
        let right = self.alloc(right);
        self.binary_of(op, left, right)
    }

    #[inline]
    fn binary_of(&mut self, op: BinaryOp, left: Expr<'a>, right: &'a Expr<'a>) -> Expr<'a> {
        let span = left.span.to(right.span);
        Expr { span, kind: ExprKind::Binary { op, left: self.alloc(left), right } }
    }

    fn binary(&mut self, op: BinaryOp, left: Expr<'a>, min: u8) -> PResult<Expr<'a>> {
        if matches!(op, BinaryOp::Add | BinaryOp::Sub) && self.is_kw(Kw::INTERVAL) && !self.interval_is_function() {
            self.advance();
            let value = self.expr_ref()?;
            let unit = self.interval_unit()?;
            let expr = self.alloc(left);
            let kind = ExprKind::DateArith { expr, value, unit, subtract: op == BinaryOp::Sub };
            return Ok(Expr { span: self.span_from(left.span.start), kind });
        }
        let right = self.expr_ref_at(min)?;
        Ok(self.binary_of(op, left, right))
    }

    /// A run of AND or of OR.
    fn logic(&mut self, layer: u8, first: Expr<'a>) -> PResult<Expr<'a>> {
        let mut all = BVec::with_capacity_in(4, self.arena);
        all.push(first);
        loop {
            let more = match layer {
                AND => self.is_kw(Kw::AND) || self.is(Tk::AmpAmp),
                _ => self.is_kw(Kw::OR) || (self.is(Tk::PipePipe) && !self.mode.pipes_as_concat),
            };
            if !more {
                break;
            }
            match self.cur.kind {
                Tk::AmpAmp => self.old(Old::AmpAmp),
                Tk::PipePipe => self.old(Old::PipePipe),
                _ => {}
            }
            self.advance();
            all.push(self.expr_at(layer + 1)?);
        }
        let span = self.span_from(first.span.start);
        let all = all.into_bump_slice();
        Ok(Expr { span, kind: if layer == AND { ExprKind::And(all) } else { ExprKind::Or(all) } })
    }

    fn comparison(&mut self, op: BinaryOp, left: Expr<'a>) -> PResult<Expr<'a>> {
        let quantifier = match self.kw() {
            Kw::ALL => Some(true),
            Kw::ANY | Kw::SOME if self.peek(1).kind == Tk::LParen && self.starts_query_in_paren(1) => Some(false),
            _ => None,
        };
        if let Some(all) = quantifier {
            if op == BinaryOp::NullSafeEq {
                self.rewind(self.pos.saturating_sub(1));
                return self.fail();
            }
            self.advance();
            let query = self.subquery()?;
            let left = self.alloc(left);
            let kind = ExprKind::Quantified { op, all, left, query };
            return Ok(Expr { span: self.span_from(left.span.start), kind });
        }
        let right = self.expr_ref_at(PREDICATE)?;
        Ok(self.binary_of(op, left, right))
    }

    fn is_test(&mut self, left: Expr<'a>, layer: &mut u8) -> PResult<Expr<'a>> {
        self.advance();
        let negated = self.accept_kw(Kw::NOT);
        let (test, result) = match self.kw() {
            Kw::NULL => (IsTest::Null, COMPARE),
            Kw::TRUE => (IsTest::True, NOT),
            Kw::FALSE => (IsTest::False, NOT),
            Kw::UNKNOWN => (IsTest::Unknown, NOT),
            _ => return self.fail(),
        };
        self.advance();
        *layer = result;
        let expr = self.alloc(left);
        Ok(Expr { span: self.span_from(left.span.start), kind: ExprKind::Is { expr, test, negated } })
    }

    fn predicate(&mut self, left: Expr<'a>) -> PResult<Expr<'a>> {
        let expr = self.alloc(left);
        let negated = self.accept_kw(Kw::NOT);
        let word = self.kw();
        if negated && !matches!(word, Kw::IN | Kw::BETWEEN | Kw::LIKE | Kw::REGEXP | Kw::RLIKE) {
            return self.fail();
        }
        self.advance();
        let kind = match word {
            Kw::IN => return self.in_predicate(expr, negated),
            Kw::BETWEEN => {
                let low = self.expr_at(BIT)?;
                self.expect_kw(Kw::AND)?;
                let high = self.expr_at(PREDICATE)?;
                ExprKind::Between { expr, low: self.alloc(low), high: self.alloc(high), negated }
            }
            Kw::LIKE => {
                let pattern = self.simple_layer()?;
                let escape = if self.accept_kw(Kw::ESCAPE) {
                    let e = self.simple_layer()?;
                    Some(self.alloc(e))
                } else {
                    None
                };
                ExprKind::Like { expr, pattern: self.alloc(pattern), escape, negated }
            }
            Kw::REGEXP | Kw::RLIKE => {
                let pattern = self.expr_at(BIT)?;
                ExprKind::Regexp { expr, pattern: self.alloc(pattern), negated }
            }
            Kw::SOUNDS => {
                self.expect_kw(Kw::LIKE)?;
                let right = self.expr_at(BIT)?;
                return Ok(self.make_binary(BinaryOp::SoundsLike, left, right));
            }
            _ => {
                self.accept_kw(Kw::OF);
                self.expect(Tk::LParen)?;
                let array = self.simple_layer()?;
                self.expect(Tk::RParen)?;
                ExprKind::MemberOf { expr, array: self.alloc(array) }
            }
        };
        Ok(Expr { span: self.span_from(left.span.start), kind })
    }

    #[inline(never)]
    fn in_predicate(&mut self, expr: &'a Expr<'a>, negated: bool) -> PResult<Expr<'a>> {
        let kind = if self.is(Tk::LParen) && self.starts_query_in_paren(0) {
            ExprKind::InSubquery { expr, query: self.subquery()?, negated }
        } else {
            self.expect(Tk::LParen)?;
            let list = self.expr_list()?;
            self.expect(Tk::RParen)?;
            ExprKind::InList { expr, list, negated }
        };
        Ok(Expr { span: self.span_from(expr.span.start), kind })
    }

    /// MySQL's simple_expr with `||` of PIPES_AS_CONCAT.
    pub(super) fn simple_layer(&mut self) -> PResult<Expr<'a>> {
        self.expr_at(SIMPLE)
    }

    /// Prefix operators and what they apply to; COLLATE binds closer than a prefix.
    pub(super) fn prefixed(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        let op = match self.cur.kind {
            Tk::Minus => UnaryOp::Neg,
            Tk::Plus => UnaryOp::Plus,
            Tk::Tilde => UnaryOp::BitNot,
            Tk::Bang => {
                self.old(Old::Bang);
                UnaryOp::Not
            }
            Tk::Word if self.cur.kw == Kw::NOT && self.mode.high_not_precedence => UnaryOp::Not,
            Tk::Word if self.cur.kw == Kw::BINARY => return self.binary_prefix(),
            _ => {
                let e = self.primary()?;
                return if self.is_kw(Kw::COLLATE) { self.collate(e) } else { Ok(e) };
            }
        };
        self.enter()?;
        self.advance();
        let e = self.prefixed()?;
        self.height += 1;
        let expr = self.alloc(e);
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Unary { op, expr } })
    }

    #[inline(never)]
    fn collate(&mut self, mut e: Expr<'a>) -> PResult<Expr<'a>> {
        while self.accept_kw(Kw::COLLATE) {
            let collation = if self.is_kw(Kw::BINARY) {
                self.advance();
                "binary"
            } else {
                self.ident_or_text()?
            };
            self.height += 1;
            let expr = self.alloc(e);
            e = Expr { span: self.span_from(e.span.start), kind: ExprKind::Collate { expr, collation } };
        }
        Ok(e)
    }

    pub(super) fn primary(&mut self) -> PResult<Expr<'a>> {
        let t = self.cur;
        match t.kind {
            Tk::Int | Tk::Decimal | Tk::Float | Tk::Hex | Tk::Bit => {
                let e = self.literal_token(t, None);
                self.advance();
                Ok(e)
            }
            Tk::Str | Tk::NationalStr => self.string_literal(None),
            Tk::LParen => self.paren(),
            Tk::Param => {
                self.advance();
                let n = self.params;
                self.params += 1;
                self.variables += 1;
                Ok(Expr { span: Span::new(t.start, t.end), kind: ExprKind::Param(n) })
            }
            Tk::At => self.user_var(),
            Tk::AtAt => self.sys_var(),
            Tk::LBrace => self.odbc(),
            Tk::Word if t.kw != Kw::NOT_A_KEYWORD => self.keyword_primary(),
            Tk::Word if self.is_introducer() => self.introducer(),
            Tk::Word | Tk::Ident | Tk::Backtick | Tk::DoubleQuoted | Tk::Dot => self.name(),
            _ => self.fail(),
        }
    }

    fn paren(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        if self.starts_query_in_paren(0) {
            return self.scalar_subquery();
        }
        self.advance();
        let e = self.expr_at(OR)?;
        self.height += 1;
        if self.is(Tk::Comma) {
            return self.row_rest(start, e);
        }
        self.expect(Tk::RParen)?;
        let inner = self.alloc(e);
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Paren(inner) })
    }

    #[inline(never)]
    fn scalar_subquery(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        let query = self.subquery()?;
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Subquery(query) })
    }

    #[inline(never)]
    pub(super) fn row_rest(&mut self, start: u32, first: Expr<'a>) -> PResult<Expr<'a>> {
        let mut all = BVec::with_capacity_in(4, self.arena);
        all.push(first);
        while self.accept(Tk::Comma) {
            all.push(self.expr()?);
        }
        self.expect(Tk::RParen)?;
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Row(all.into_bump_slice()) })
    }

    // ---- literals

    /// The literal that token `t` is; with an introducer it is not lifted.
    pub(super) fn literal_token(&mut self, t: Token, charset: Option<&'a str>) -> Expr<'a> {
        let mut value = match self.literals.get(t.lit as usize) {
            Some(l) => crate::lexer::literal_value(self.arena, self.sql, l, self.mode.no_backslash_escapes),
            None => LitValue::Null,
        };
        if let LitValue::Float(text) = value
            && text.parse().is_ok_and(f64::is_infinite)
        {
            self.notice(Fail::Other(ErrorCode::ILLEGAL_VALUE_FOR_TYPE, Span::new(t.start, t.end)));
        }
        if charset.is_some() {
            value = match value {
                LitValue::Str { bytes, .. } => LitValue::Str { bytes, charset },
                LitValue::Hex { bytes, .. } => LitValue::Hex { bytes, charset },
                LitValue::Bit { bytes, .. } => LitValue::Bit { bytes, charset },
                other => other,
            };
        }
        let lit = if charset.is_some() { NOT_LIFTED } else { self.lift(t.lit) };
        self.make_literal(Span::new(t.start, t.end), lit, value)
    }

    #[inline]
    fn lift(&mut self, lit: u32) -> u32 {
        if self.no_lift > 0 {
            return NOT_LIFTED;
        }
        match self.lifted.get_mut(lit as usize) {
            Some(l) => {
                *l = true;
                lit
            }
            None => NOT_LIFTED,
        }
    }

    pub(super) fn make_literal(&self, span: Span, lit: u32, value: LitValue<'a>) -> Expr<'a> {
        Expr { span, kind: ExprKind::Literal(self.alloc(Literal { span, lit, value, first: None })) }
    }

    /// `'a'`, and `'a' 'b'` which is one string.
    pub(super) fn string_literal(&mut self, charset: Option<&'a str>) -> PResult<Expr<'a>> {
        let t = self.cur;
        if t.kind == Tk::NationalStr {
            self.old(Old::National);
        }
        if self.peek(1).kind != Tk::Str {
            let e = self.literal_token(t, charset);
            self.advance();
            return Ok(e);
        }
        let mut bytes = BVec::new_in(self.arena);
        let charset = if t.kind == Tk::NationalStr { Some("utf8mb3") } else { charset };
        bytes.extend_from_slice(self.token_bytes(t));
        let first = Some(bytes.len() as u32);
        self.advance();
        while self.is(Tk::Str) {
            bytes.extend_from_slice(self.token_bytes(self.cur));
            self.advance();
        }
        let value = LitValue::Str { bytes: bytes.into_bump_slice(), charset };
        let span = self.span_from(t.start);
        Ok(Expr { span, kind: ExprKind::Literal(self.alloc(Literal { span, lit: NOT_LIFTED, value, first })) })
    }

    /// `_charset` before a literal.
    pub(super) fn is_introducer(&self) -> bool {
        matches!(self.peek(1).kind, Tk::Str | Tk::Hex | Tk::Bit)
            && self.text(self.cur).strip_prefix(b"_").is_some_and(super::types::is_charset_name)
    }

    pub(super) fn introducer(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        let name = self.lower(self.cur)?;
        let name = name.get(1..).unwrap_or(name);
        self.old_charset(name);
        let charset = Some(name);
        self.advance();
        let mut e = if self.is(Tk::Str) {
            self.string_literal(charset)?
        } else {
            let e = self.literal_token(self.cur, charset);
            self.advance();
            e
        };
        e.span.start = start;
        Ok(e)
    }

    // ---- variables

    /// The name after `@`: word, quoted name or string, directly behind it.
    pub(super) fn user_var_name(&mut self) -> PResult<&'a str> {
        let at = self.cur;
        self.expect(Tk::At)?;
        let t = self.cur;
        if t.start != at.end {
            return self.fail();
        }
        let name = match t.kind {
            Tk::Hostname => self.utf8(self.text(t), t)?,
            Tk::Backtick | Tk::DoubleQuoted => self.unquote(t)?,
            Tk::Str => self.utf8(self.token_bytes(t), t)?,
            _ => return self.fail(),
        };
        self.advance();
        Ok(name)
    }

    fn user_var(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.variables += 1;
        let name = self.user_var_name()?;
        let kind = if self.accept(Tk::Assign) {
            let value = self.expr_ref()?;
            self.old(Old::SetVariable);
            self.height += 1;
            ExprKind::AssignUserVar { name, value }
        } else {
            ExprKind::UserVar(name)
        };
        Ok(Expr { span: self.span_from(start), kind })
    }

    /// GLOBAL, SESSION, LOCAL, PERSIST, PERSIST_ONLY by text, because words beside a point are no keywords.
    pub(super) fn scope_word(&self, t: Token) -> Option<VarScope> {
        if !matches!(t.kind, Tk::Word | Tk::Ident) {
            return None;
        }
        match Kw::lookup(self.text(t)) {
            Kw::GLOBAL => Some(VarScope::Global),
            Kw::SESSION | Kw::LOCAL => Some(VarScope::Session),
            Kw::PERSIST => Some(VarScope::Persist),
            Kw::PERSIST_ONLY => Some(VarScope::PersistOnly),
            _ => None,
        }
    }

    /// After `@@`: `[scope.] [base.] name`.
    /// `read`: not to be assigned to.
    pub(super) fn sys_var_name(&mut self, read: bool) -> PResult<SysVar<'a>> {
        self.expect(Tk::AtAt)?;
        let mut scope = VarScope::Default;
        if self.peek(1).kind == Tk::Dot
            && let Some(s) = self.scope_word(self.cur)
        {
            scope = s;
            self.advance();
            self.advance();
        }
        let start = self.cur.start;
        if self.scope_word(self.cur).is_some() && (scope == VarScope::Default || self.peek(1).kind == Tk::Dot) {
            if scope == VarScope::Default {
                self.advance();
            }
            return self.fail();
        }
        let name = if read && scope != VarScope::Default && self.is(Tk::Str) {
            let first = self.ident_or_text()?;
            self.rest_of_var_name(start, first)?
        } else {
            self.var_name_from(start)?
        };
        Ok(SysVar { scope, name })
    }

    /// `[base.] name`, also `default.name`.
    pub(super) fn var_name_from(&mut self, start: u32) -> PResult<SysVarName<'a>> {
        let first = if self.is_kw(Kw::DEFAULT) {
            if self.peek(1).kind != Tk::Dot {
                return self.fail();
            }
            self.advance();
            "default"
        } else {
            self.ident()?
        };
        self.rest_of_var_name(start, first)
    }

    fn rest_of_var_name(&mut self, start: u32, first: &'a str) -> PResult<SysVarName<'a>> {
        let (base, name) = if self.accept(Tk::Dot) { (Some(first), self.ident_after_dot()?) } else { (None, first) };
        let scope = |s: &str| ["global", "session", "local"].iter().any(|w| s.eq_ignore_ascii_case(w));
        if base.is_some_and(scope) {
            return Err(Fail::Syntax(start));
        }
        Ok(SysVarName { span: self.span_from(start), base, name })
    }

    fn sys_var(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.variables += 1;
        // words are words here as everywhere, and only an assignment takes DEFAULT
        let reserved = self.peek(1).kind == Tk::Ident && Kw::lookup(self.text(self.peek(1))).is_reserved();
        let var = self.sys_var_name(true)?;
        if matches!(var.scope, VarScope::Persist | VarScope::PersistOnly) || reserved {
            return Err(Fail::Syntax(start + 2));
        }
        let var = self.alloc(var);
        Ok(Expr { span: self.span_from(start), kind: ExprKind::SysVar(var) })
    }

    // ---- names

    /// A column, or a call of a function without special syntax.
    #[inline(never)]
    pub(super) fn name(&mut self) -> PResult<Expr<'a>> {
        let t = self.cur;
        if t.kind != Tk::Dot && self.peek(1).kind == Tk::LParen && self.is_ident() {
            return self.generic_call(None);
        }
        let column = self.column_ref()?;
        if self.is(Tk::LParen) && column.schema.is_none() {
            // db.f(..)
            if let Some(schema) = column.table {
                return self.generic_call_rest(Some(schema), column);
            }
        }
        let kind = match self.cur.kind {
            Tk::Arrow | Tk::Arrow2 => {
                let span = column.span;
                let kind = self.column_or_local(column)?;
                let document = self.alloc(Expr { span, kind });
                let unquote = self.is(Tk::Arrow2);
                self.advance();
                if !self.is(Tk::Str) {
                    return self.fail();
                }
                self.no_lift += 1;
                let e = self.literal_token(self.cur, None);
                self.no_lift -= 1;
                self.advance();
                let ExprKind::Literal(path) = e.kind else { return self.fail() };
                ExprKind::JsonArrow { document, path, unquote }
            }
            _ => self.column_or_local(column)?,
        };
        Ok(Expr { span: self.span_from(t.start), kind })
    }

    /// `c`, `t.c`, `db.t.c`
    pub(super) fn column_ref(&mut self) -> PResult<ColumnRef<'a>> {
        let start = self.cur.start;
        let first = self.ident()?;
        if !self.is(Tk::Dot) {
            return Ok(ColumnRef { span: self.span_from(start), schema: None, table: None, column: first });
        }
        self.advance();
        let second = self.ident_after_dot()?;
        if !self.accept(Tk::Dot) {
            let table = Some(self.folded(first));
            return Ok(ColumnRef { span: self.span_from(start), schema: None, table, column: second });
        }
        let third = self.ident_after_dot()?;
        let (schema, table) = (Some(self.folded(first)), Some(self.folded(second)));
        Ok(ColumnRef { span: self.span_from(start), schema, table, column: third })
    }

    /// `{d '..'}`, `{t '..'}`, `{ts '..'}`, `{name expr}`.
    #[inline(never)]
    fn odbc(&mut self) -> PResult<Expr<'a>> {
        self.enter()?;
        let start = self.cur.start;
        self.expect(Tk::LBrace)?;
        let ident = self.ident()?;
        let expr = self.expr_ref()?;
        self.height += 1;
        self.expect(Tk::RBrace)?;
        let span = self.span_from(start);
        if let ExprKind::Literal(Literal { value: LitValue::Str { bytes, .. }, lit, .. }) = expr.kind {
            let value = match ident.to_ascii_lowercase().as_str() {
                "d" => Some(LitValue::Date(bytes)),
                "t" => Some(LitValue::Time(bytes)),
                "ts" => Some(LitValue::Timestamp(bytes)),
                _ => None,
            };
            if let Some(value) = value {
                if let Some(l) = self.lifted.get_mut(*lit as usize) {
                    *l = false;
                }
                return Ok(self.make_literal(span, NOT_LIFTED, value));
            }
        }
        Ok(Expr { span, kind: ExprKind::Odbc { ident, expr } })
    }
}
