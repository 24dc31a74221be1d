//! Query expressions, SELECT, ORDER BY, LIMIT, INTO, locking.

use super::deprecated::Old;
use super::{Fail, PResult, Parser};
use crate::ast::{
    ColumnRef, Cte, Expr, ExprKind, FileFormat, Into, IntoVar, Limit, LockStrength, LockWait, Locking, OrderItem,
    QueryBody, QueryExpr, Select, SelectItem, SelectOptions, SetOp, SetOpKind, SetOpTerm, Span, TableFactor, TableRef,
    With,
};
use crate::lexer::{Kw, Tk};
use base::ErrorCode;
use bumpalo::collections::Vec as BVec;

impl<'a> Parser<'a, '_> {
    /// Whether the token begins a query expression (not in parentheses).
    fn starts_query(&self, n: usize) -> bool {
        match self.peek(n).kw {
            Kw::SELECT | Kw::WITH => true,
            Kw::TABLE => true,
            Kw::VALUES => self.peek(n + 1).kw == Kw::ROW,
            _ => false,
        }
    }

    /// Whether the parenthesis at `n` tokens from here holds a query expression: `((SELECT 1) UNION SELECT 2)` does,
    /// `((SELECT 1) + 1)` and `((SELECT 1) AS t JOIN u)` do not.
    pub(super) fn starts_query_in_paren(&self, n: usize) -> bool {
        if self.peek(n).kind != Tk::LParen {
            return false;
        }
        let mut i = n + 1;
        while self.peek(i).kind == Tk::LParen {
            i += 1;
        }
        if !self.starts_query(i) {
            return false;
        }
        // Parentheses that only open queries; what follows each closing one decides.
        let mut opened = i - n;
        let mut depth = opened;
        while opened > 1 {
            match self.peek(i).kind {
                Tk::LParen => depth += 1,
                Tk::RParen => {
                    depth -= 1;
                    if depth < opened {
                        opened = depth;
                        let next = self.peek(i + 1);
                        let continues = next.kind == Tk::RParen
                            || matches!(
                                next.kw,
                                Kw::UNION
                                    | Kw::EXCEPT
                                    | Kw::INTERSECT
                                    | Kw::ORDER
                                    | Kw::LIMIT
                                    | Kw::FOR
                                    | Kw::LOCK
                                    | Kw::INTO
                            );
                        if !continues {
                            return false;
                        }
                    }
                }
                Tk::Eof => return true,
                _ => {}
            }
            i += 1;
        }
        true
    }

    /// `( query expression )`
    pub(super) fn subquery(&mut self) -> PResult<&'a QueryExpr<'a>> {
        if self.no_subquery {
            return self.fail();
        }
        let intos = self.intos;
        let outer = self.last_into.take();
        let q = self.paren_query()?;
        if let Some(at) = std::mem::replace(&mut self.last_into, outer) {
            return Err(Fail::Syntax(at));
        }
        if self.intos != intos {
            self.misplaced_into();
        }
        Ok(q)
    }

    /// 3954 once the whole statement is read.
    fn misplaced_into(&mut self) {
        let here = Span::new(self.cur.start, self.cur.start);
        self.later.get_or_insert(Fail::Other(ErrorCode::MISPLACED_INTO, here));
    }

    fn paren_query(&mut self) -> PResult<&'a QueryExpr<'a>> {
        self.enter()?;
        self.expect(Tk::LParen)?;
        let before = std::mem::take(&mut self.height);
        let q = self.query_expr()?;
        self.height = before.max(self.height + 1);
        self.expect(Tk::RParen)?;
        Ok(q)
    }

    #[inline(never)]
    pub(super) fn query_expr(&mut self) -> PResult<&'a QueryExpr<'a>> {
        self.enter()?;
        let with = if self.is_kw(Kw::WITH) { Some(self.with()?) } else { None };
        self.query_expr_after_with(with)
    }

    pub(super) fn query_expr_after_with(&mut self, with: Option<&'a With<'a>>) -> PResult<&'a QueryExpr<'a>> {
        let start = self.cur.start;
        let mut early_into = None;
        let body = self.query_body(&mut early_into)?;
        let mut q = QueryExpr {
            span: Span::new(start, start),
            with,
            body,
            order_by: &[],
            limit: None,
            into: early_into,
            locking: &[],
        };
        if self.accept_kws(&[Kw::ORDER, Kw::BY]) {
            q.order_by = self.order_items()?;
        }
        q.limit = self.limit()?;
        let before_locking = self.is_kw(Kw::INTO);
        if before_locking {
            self.trailing_into(&mut q.into)?;
        }
        q.locking = self.locking()?;
        if before_locking && !q.locking.is_empty() {
            self.old(Old::InnerInto);
        } else if !before_locking && self.is_kw(Kw::INTO) {
            self.trailing_into(&mut q.into)?;
        }
        q.span = self.span_from(start);
        q.with = self.closed_with(q.with);
        if let (QueryBody::Paren(inner), None) = (q.body, q.with)
            && q.order_by.is_empty()
            && q.limit.is_none()
            && q.into.is_none()
            && q.locking.is_empty()
        {
            return Ok(inner);
        }
        Ok(self.alloc(q))
    }

    /// The query of a view, of CREATE TABLE and of INSERT has no INTO at its end.
    pub(super) fn no_trailing_into(&self) -> PResult<()> {
        self.last_into.map_or(Ok(()), |at| Err(Fail::Syntax(at)))
    }

    fn trailing_into(&mut self, into: &mut Option<&'a Into<'a>>) -> PResult<()> {
        let here = Span::new(self.cur.start, self.cur.start);
        let read = self.select_into()?;
        if into.is_some() {
            self.later.get_or_insert(Fail::Other(ErrorCode::MULTIPLE_INTO_CLAUSES, here));
        }
        self.last_into = Some(here.start);
        *into = Some(read);
        Ok(())
    }

    pub(super) fn with(&mut self) -> PResult<&'a With<'a>> {
        self.expect_kw(Kw::WITH)?;
        self.reads_wanted = true;
        let recursive = self.accept_kw(Kw::RECURSIVE);
        let ctes = self.comma_list(|p| {
            let name = p.relation_ident()?;
            let columns = if p.is(Tk::LParen) { p.ident_list()? } else { &[] };
            p.expect_kw(Kw::AS)?;
            let query = p.subquery()?;
            Ok(Cte { name, columns, query })
        })?;
        Ok(self.alloc(With { recursive, ctes, reads: &[] }))
    }

    /// A WITH clause at the end of what it belongs to: the tables that are read are known.
    pub(super) fn closed_with(&self, with: Option<&'a With<'a>>) -> Option<&'a With<'a>> {
        let w = with?;
        let start = w.ctes.first().map_or(u32::MAX, |c| c.query.whole().start);
        let from = self.table_reads.partition_point(|r| r.at < start);
        let reads = self.table_reads.get(from..).unwrap_or_default();
        Some(self.alloc(With { reads: self.arena.alloc_slice_copy(reads), ..*w }))
    }

    /// UNION and EXCEPT, left-associative, over INTERSECT.
    fn query_body(&mut self, into: &mut Option<&'a Into<'a>>) -> PResult<QueryBody<'a>> {
        let first = self.intersect_body(into, false)?;
        if !matches!(self.kw(), Kw::UNION | Kw::EXCEPT) {
            return Ok(first);
        }
        let mut rest = self.list();
        loop {
            let op = match self.kw() {
                Kw::UNION => SetOpKind::Union,
                Kw::EXCEPT => SetOpKind::Except,
                _ => break,
            };
            if into.is_some() {
                self.misplaced_into();
            }
            self.advance();
            let all = self.set_quantifier();
            let body = self.intersect_body(into, true)?;
            rest.push(SetOpTerm { op, all, body });
        }
        Ok(QueryBody::SetOp(self.alloc(SetOp { first, rest: rest.into_bump_slice() })))
    }

    fn set_quantifier(&mut self) -> bool {
        let all = self.accept_kw(Kw::ALL);
        if !all {
            self.accept_distinct();
        }
        all
    }

    fn intersect_body(&mut self, into: &mut Option<&'a Into<'a>>, operand: bool) -> PResult<QueryBody<'a>> {
        let first = self.query_primary(into, operand)?;
        if !self.is_kw(Kw::INTERSECT) {
            return Ok(first);
        }
        let mut rest = self.list();
        while self.is_kw(Kw::INTERSECT) {
            if into.is_some() {
                self.misplaced_into();
            }
            self.advance();
            let all = self.set_quantifier();
            let body = self.query_primary(into, true)?;
            rest.push(SetOpTerm { op: SetOpKind::Intersect, all, body });
        }
        Ok(QueryBody::SetOp(self.alloc(SetOp { first, rest: rest.into_bump_slice() })))
    }

    fn query_primary(&mut self, into: &mut Option<&'a Into<'a>>, operand: bool) -> PResult<QueryBody<'a>> {
        match self.kw() {
            Kw::SELECT => {
                let select = self.select(into)?;
                if operand && into.is_some() && self.later.is_none() {
                    self.old(Old::InnerInto);
                }
                Ok(QueryBody::Select(select))
            }
            Kw::TABLE => {
                let start = self.cur.start;
                self.advance();
                let name = self.table_name()?;
                self.reads(&name);
                // `TABLE t` is SELECT * FROM t
                let table = self.alloc(TableFactor { name, partitions: &[], alias: None, hints: &[] });
                let from = self.alloc(TableRef::Table(table));
                let span = self.span_from(start);
                let item = self.alloc(SelectItem::Wildcard(span));
                Ok(QueryBody::Select(self.alloc(Select {
                    span,
                    options: SelectOptions::default(),
                    hints: None,
                    items: std::slice::from_ref(item),
                    from: std::slice::from_ref(from),
                    where_clause: None,
                    group_by: &[],
                    rollup: false,
                    having: None,
                    windows: &[],
                    qualify: None,
                    secondary: false,
                })))
            }
            Kw::VALUES => {
                self.advance();
                let rows = self.comma_list(|p| {
                    p.expect_kw(Kw::ROW)?;
                    p.row_values()
                })?;
                Ok(QueryBody::Values(rows))
            }
            _ if self.is(Tk::LParen) => {
                let mut q = self.paren_query()?;
                if let Some(at) = self.last_into {
                    if operand {
                        return Err(Fail::Syntax(at));
                    }
                    if matches!(self.kw(), Kw::UNION | Kw::EXCEPT | Kw::INTERSECT) {
                        return self.fail();
                    }
                }
                if q.into.is_some() {
                    // what the last operand's INTO takes is the whole's result
                    *into = q.into;
                    q = self.alloc(QueryExpr { into: None, ..*q });
                    if operand && self.later.is_none() {
                        self.old(Old::InnerInto);
                    }
                }
                Ok(QueryBody::Paren(q))
            }
            _ => self.fail(),
        }
    }

    /// The expression that only the text of an optimizer hint is.
    pub(super) fn hints(&mut self) -> Option<&'a [u8]> {
        if !self.is(Tk::Hint) {
            return None;
        }
        let text = self.text(self.cur);
        let text = text.get(3..text.len().saturating_sub(2)).unwrap_or(&[]);
        self.advance();
        Some(self.arena.alloc_slice_copy(text))
    }

    #[inline(never)]
    fn select(&mut self, into: &mut Option<&'a Into<'a>>) -> PResult<&'a Select<'a>> {
        let start = self.cur.start;
        self.expect_kw(Kw::SELECT)?;
        let outer = std::mem::take(&mut self.secondary);
        let hints = self.hints();
        let options = self.select_options()?;
        let items = self.select_items()?;
        if self.is_kw(Kw::INTO) {
            *into = Some(self.select_into()?);
        }
        let mut s = Select {
            span: Span::new(start, start),
            options,
            hints,
            items,
            from: &[],
            where_clause: None,
            group_by: &[],
            rollup: false,
            having: None,
            windows: &[],
            qualify: None,
            secondary: false,
        };
        if self.accept_kw(Kw::FROM) {
            if self.is_kw(Kw::DUAL) {
                self.advance();
            } else {
                s.from = self.table_refs()?;
            }
        }
        if self.accept_kw(Kw::WHERE) {
            s.where_clause = Some(self.expr_ref()?);
        }
        if self.accept_kw(Kw::GROUP) {
            self.expect_kw(Kw::BY)?;
            if self.is_kw(Kw::ROLLUP) && self.peek(1).kind == Tk::LParen {
                self.advance();
                self.advance();
                s.group_by = self.group_items()?;
                self.expect(Tk::RParen)?;
                s.rollup = true;
            } else if self.accept_kw(Kw::CUBE) {
                self.expect(Tk::LParen)?;
                s.group_by = self.group_items()?;
                self.expect(Tk::RParen)?;
                self.secondary = true;
            } else {
                s.group_by = self.group_items()?;
                s.rollup = self.accept_kws(&[Kw::WITH, Kw::ROLLUP]);
            }
        }
        if self.accept_kw(Kw::HAVING) {
            s.having = Some(self.expr_ref()?);
        }
        if self.accept_kw(Kw::WINDOW) {
            s.windows = self.comma_list(|p| {
                let name = p.ident()?;
                p.expect_kw(Kw::AS)?;
                Ok((name, p.window_spec()?))
            })?;
        }
        if self.accept_kw(Kw::QUALIFY) {
            s.qualify = Some(self.expr_ref()?);
        }
        s.secondary = std::mem::replace(&mut self.secondary, outer);
        s.span = self.span_from(start);
        Ok(self.alloc(s))
    }

    fn select_options(&mut self) -> PResult<SelectOptions> {
        let mut o = SelectOptions::default();
        let mut all = false;
        loop {
            match self.kw() {
                Kw::ALL if !o.distinct => all = true,
                Kw::DISTINCT | Kw::DISTINCTROW if !all => o.distinct = true,
                Kw::STRAIGHT_JOIN => o.straight_join = true,
                Kw::HIGH_PRIORITY => o.high_priority = true,
                Kw::SQL_SMALL_RESULT => o.small_result = true,
                Kw::SQL_BIG_RESULT => o.big_result = true,
                Kw::SQL_BUFFER_RESULT => o.buffer_result = true,
                Kw::SQL_NO_CACHE => {
                    self.old(Old::NoCache);
                    o.no_cache = true;
                }
                Kw::SQL_CALC_FOUND_ROWS => {
                    self.old(Old::CalcFoundRows);
                    o.calc_found_rows = true;
                }
                Kw::ALL | Kw::DISTINCT | Kw::DISTINCTROW => {
                    return Err(Fail::Usage("ALL", "DISTINCT"));
                }
                _ => return Ok(o),
            }
            self.advance();
        }
    }

    fn select_items(&mut self) -> PResult<&'a [SelectItem<'a>]> {
        let mut items = BVec::with_capacity_in(4, self.arena);
        if self.is(Tk::Star) {
            items.push(SelectItem::Wildcard(Span::new(self.cur.start, self.cur.end)));
            self.advance();
            if !self.accept(Tk::Comma) {
                return Ok(items.into_bump_slice());
            }
        }
        loop {
            items.push(self.select_item()?);
            if !self.accept(Tk::Comma) {
                return Ok(items.into_bump_slice());
            }
        }
    }

    fn select_item(&mut self) -> PResult<SelectItem<'a>> {
        if let Some(w) = self.table_wildcard()? {
            return Ok(w);
        }
        let (pos, params, height) = (self.pos, self.params, self.height);
        let remarks = self.remarks_so_far();
        let expr = self.expr()?;
        let end = self.pos;
        let alias = self.select_alias()?;
        // Without an alias the text names the column, so its literals belong to the plan.
        if alias.is_none() && self.no_lift == 0 && self.has_literals(pos, end) {
            self.rewind(pos);
            self.forget_remarks(remarks);
            self.params = params;
            self.height = height;
            self.forget_lifted(pos, end);
            self.no_lift += 1;
            let expr = self.expr();
            self.no_lift -= 1;
            return Ok(SelectItem::Expr { expr: expr?, alias: None });
        }
        Ok(SelectItem::Expr { expr, alias })
    }

    fn has_literals(&self, from: usize, to: usize) -> bool {
        self.tokens.get(from..to).unwrap_or(&[]).iter().any(|t| t.lit != u32::MAX)
    }

    fn forget_lifted(&mut self, from: usize, to: usize) {
        for t in self.tokens.get(from..to).unwrap_or(&[]) {
            if let Some(l) = self.lifted.get_mut(t.lit as usize) {
                *l = false;
            }
        }
    }

    pub(super) fn select_alias(&mut self) -> PResult<Option<&'a str>> {
        if self.accept_kw(Kw::AS) {
            return Ok(Some(self.ident_or_text()?));
        }
        if self.is(Tk::Str) || self.is_ident() {
            return Ok(Some(self.ident_or_text()?));
        }
        Ok(None)
    }

    /// `t.*`, `db.t.*`
    fn table_wildcard(&mut self) -> PResult<Option<SelectItem<'a>>> {
        let n = if self.peek(1).kind == Tk::Dot && self.peek(2).kind == Tk::Star {
            1
        } else if self.peek(1).kind == Tk::Dot && self.peek(3).kind == Tk::Dot && self.peek(4).kind == Tk::Star {
            2
        } else {
            return Ok(None);
        };
        let start = self.cur.start;
        let first = self.relation_ident()?;
        self.expect(Tk::Dot)?;
        let (schema, table) = if n == 2 {
            let t = self.relation_ident()?;
            self.expect(Tk::Dot)?;
            (Some(first), t)
        } else {
            (None, first)
        };
        self.expect(Tk::Star)?;
        Ok(Some(SelectItem::TableWildcard { span: self.span_from(start), schema, table }))
    }

    // ---- clauses

    /// A position (`ORDER BY 2`) is never lifted.
    fn order_expr(&mut self) -> PResult<Expr<'a>> {
        if self.is(Tk::Int)
            && (matches!(self.peek(1).kind, Tk::Comma | Tk::Eof | Tk::RParen | Tk::Semi)
                || self.peek(1).kw != Kw::NOT_A_KEYWORD)
        {
            self.no_lift += 1;
            let e = self.expr();
            self.no_lift -= 1;
            return e;
        }
        self.expr()
    }

    pub(super) fn order_items(&mut self) -> PResult<&'a [OrderItem<'a>]> {
        self.comma_list(|p| {
            let expr = p.order_expr()?;
            let desc = p.accept_kw(Kw::DESC);
            if !desc {
                p.accept_kw(Kw::ASC);
            }
            Ok(OrderItem { expr, desc })
        })
    }

    fn group_items(&mut self) -> PResult<&'a [OrderItem<'a>]> {
        self.comma_list(|p| Ok(OrderItem { expr: p.order_expr()?, desc: false }))
    }

    pub(super) fn limit(&mut self) -> PResult<Option<&'a Limit<'a>>> {
        if !self.accept_kw(Kw::LIMIT) {
            return Ok(None);
        }
        let first = self.limit_value()?;
        let limit = if self.accept(Tk::Comma) {
            Limit { count: self.limit_value()?, offset: Some(first) }
        } else if self.accept_kw(Kw::OFFSET) {
            Limit { count: first, offset: Some(self.limit_value()?) }
        } else {
            Limit { count: first, offset: None }
        };
        Ok(Some(self.alloc(limit)))
    }

    pub(super) fn limit_value(&mut self) -> PResult<Expr<'a>> {
        match self.cur.kind {
            Tk::Int | Tk::Hex | Tk::Bit | Tk::Param => self.simple_layer_literal(),
            _ if self.is_ident() => {
                let start = self.cur.start;
                let column = self.ident()?;
                // the name of a stored program's variable
                if !self.in_program {
                    self.later.get_or_insert(Fail::Name(ErrorCode::SP_UNDECLARED_VAR, start));
                }
                let span = self.span_from(start);
                let kind = match self.local(column, span) {
                    Some(kind) if self.is_whole_number(column) => kind,
                    Some(_) => return Err(Fail::NotInteger(start)),
                    None if self.in_program => return Err(Fail::Name(ErrorCode::SP_UNDECLARED_VAR, start)),
                    None => ExprKind::Column(self.alloc(ColumnRef { span, schema: None, table: None, column })),
                };
                Ok(Expr { span, kind })
            }
            _ => self.fail(),
        }
    }

    /// Exactly one literal or parameter.
    fn simple_layer_literal(&mut self) -> PResult<Expr<'a>> {
        let t = self.cur;
        self.advance();
        if t.kind == Tk::Param {
            let n = self.params;
            self.params += 1;
            self.variables += 1;
            return Ok(Expr { span: Span::new(t.start, t.end), kind: ExprKind::Param(n) });
        }
        Ok(self.literal_token(t, None))
    }

    fn select_into(&mut self) -> PResult<&'a Into<'a>> {
        self.intos += 1;
        self.expect_kw(Kw::INTO)?;
        let into = match self.kw() {
            Kw::OUTFILE => {
                self.advance();
                let path = self.string()?;
                let charset = self.optional_charset()?;
                let format = self.file_format()?;
                Into::Outfile { path, charset, format }
            }
            Kw::DUMPFILE => {
                self.advance();
                Into::Dumpfile(self.string()?)
            }
            _ => Into::Vars(self.comma_list(|p| {
                if p.is(Tk::At) {
                    return Ok(IntoVar::User(p.user_var_name()?));
                }
                let at = p.cur.start;
                let name = p.ident()?;
                let slot = p.local_slot(name);
                if slot.is_none() && p.in_program {
                    return Err(Fail::Name(ErrorCode::SP_UNDECLARED_VAR, at));
                }
                Ok(IntoVar::Local { name, slot })
            })?),
        };
        Ok(self.alloc(into))
    }

    /// `[CHARACTER SET name]`
    pub(super) fn optional_charset(&mut self) -> PResult<Option<&'a str>> {
        if self.accept_kws(&[Kw::CHARACTER, Kw::SET])
            || self.accept_kw(Kw::CHARSET)
            || self.accept_kws(&[Kw::CHAR, Kw::SET])
        {
            return Ok(Some(self.charset_name()?));
        }
        Ok(None)
    }

    /// `[FIELDS|COLUMNS ..] [LINES ..]`
    pub(super) fn file_format(&mut self) -> PResult<FileFormat<'a>> {
        let mut f = FileFormat::default();
        if self.accept_kw(Kw::FIELDS) || self.accept_kw(Kw::COLUMNS) {
            let mut any = false;
            loop {
                if self.accept_kws(&[Kw::TERMINATED, Kw::BY]) {
                    f.fields_terminated = Some(self.string_or_hex()?);
                } else if self.accept_kws(&[Kw::OPTIONALLY, Kw::ENCLOSED, Kw::BY]) {
                    f.optionally_enclosed = true;
                    f.enclosed = Some(self.string_or_hex()?);
                } else if self.accept_kws(&[Kw::ENCLOSED, Kw::BY]) {
                    f.enclosed = Some(self.string_or_hex()?);
                } else if self.accept_kws(&[Kw::ESCAPED, Kw::BY]) {
                    f.escaped = Some(self.string_or_hex()?);
                } else if any {
                    break;
                } else {
                    return self.fail();
                }
                any = true;
            }
        }
        if self.accept_kw(Kw::LINES) {
            let mut any = false;
            loop {
                if self.accept_kws(&[Kw::TERMINATED, Kw::BY]) {
                    f.lines_terminated = Some(self.string_or_hex()?);
                } else if self.accept_kws(&[Kw::STARTING, Kw::BY]) {
                    f.lines_starting = Some(self.string_or_hex()?);
                } else if any {
                    break;
                } else {
                    return self.fail();
                }
                any = true;
            }
        }
        Ok(f)
    }

    fn locking(&mut self) -> PResult<&'a [Locking<'a>]> {
        if self.accept_kws(&[Kw::LOCK, Kw::IN, Kw::SHARE, Kw::MODE]) {
            let l = Locking { strength: LockStrength::Share, of: &[], wait: LockWait::Wait };
            return Ok(std::slice::from_ref(self.alloc(l)));
        }
        if !self.is_kw(Kw::FOR) {
            return Ok(&[]);
        }
        let mut all = self.list();
        while self.accept_kw(Kw::FOR) {
            let strength = match self.kw() {
                Kw::UPDATE => LockStrength::Update,
                Kw::SHARE => LockStrength::Share,
                _ => return self.fail(),
            };
            self.advance();
            let of = if self.accept_kw(Kw::OF) { self.comma_list(|p| p.table_name())? } else { &[] };
            let wait = if self.accept_kw(Kw::NOWAIT) {
                LockWait::NoWait
            } else if self.accept_kws(&[Kw::SKIP, Kw::LOCKED]) {
                LockWait::SkipLocked
            } else {
                LockWait::Wait
            };
            all.push(Locking { strength, of, wait });
        }
        Ok(all.into_bump_slice())
    }
}
