//! Table references and joins.

use base::ErrorCode;

use super::{Fail, PResult, Parser};
use crate::ast::{
    Derived, IndexHint, IndexHintKind, IndexHintScope, Join, JoinCondition, JoinKind, JsonColumn, JsonTable, Span,
    TableFactor, TableRef,
};
use crate::lexer::{Kw, Tk};

/// Joins in one chain.
const MAX_JOINS: u32 = 255;

impl<'a> Parser<'a, '_> {
    /// `a, b JOIN c ..`
    pub(super) fn table_refs(&mut self) -> PResult<&'a [TableRef<'a>]> {
        self.comma_list(|p| p.table_ref())
    }

    /// One table reference with its joins.
    ///
    /// `a JOIN b JOIN c ON x ON y`: a join without a condition whose right side is followed by another join takes that
    /// join into its right side when a condition for the outer one follows; otherwise joins are left-associative.
    pub(super) fn table_ref(&mut self) -> PResult<TableRef<'a>> {
        self.enter()?;
        if self.is(Tk::LBrace) {
            // ODBC: {OJ table_reference}
            self.advance();
            self.expect_kw(Kw::OJ)?;
            let t = self.table_ref()?;
            self.expect(Tk::RBrace)?;
            return self.joins(t);
        }
        let start = self.cur.start;
        let left = self.table_factor()?;
        let _ = start;
        self.joins(left)
    }

    fn joins(&mut self, mut left: TableRef<'a>) -> PResult<TableRef<'a>> {
        let (mut n, start) = (0, self.cur.start);
        while let Some((kind, natural, must_join)) = self.join_word()? {
            // the tree is as deep as the chain is long, and nobody may join so many (the binder's limit is MySQL's)
            n += 1;
            if n > MAX_JOINS {
                return Err(Fail::Other(ErrorCode::TOO_MANY_TABLES, Span::new(start, start)));
            }
            left = self.join_rest(left, kind, natural, must_join)?;
        }
        Ok(left)
    }

    /// Reads the words of a join.
    fn join_word(&mut self) -> PResult<Option<(JoinKind, bool, bool)>> {
        let found = match self.kw() {
            Kw::JOIN => {
                self.advance();
                (JoinKind::Inner, false, false)
            }
            Kw::INNER | Kw::CROSS => {
                self.advance();
                self.expect_kw(Kw::JOIN)?;
                (JoinKind::Inner, false, false)
            }
            Kw::STRAIGHT_JOIN => {
                self.advance();
                (JoinKind::Straight, false, false)
            }
            Kw::LEFT | Kw::RIGHT => {
                let kind = self.outer_kind()?;
                (kind, false, true)
            }
            Kw::NATURAL => {
                self.advance();
                let kind = match self.kw() {
                    Kw::LEFT | Kw::RIGHT => self.outer_kind()?,
                    Kw::INNER => {
                        self.advance();
                        self.expect_kw(Kw::JOIN)?;
                        JoinKind::Inner
                    }
                    _ => {
                        self.expect_kw(Kw::JOIN)?;
                        JoinKind::Inner
                    }
                };
                (kind, true, false)
            }
            _ => return Ok(None),
        };
        Ok(Some(found))
    }

    fn outer_kind(&mut self) -> PResult<JoinKind> {
        let kind = if self.is_kw(Kw::LEFT) { JoinKind::Left } else { JoinKind::Right };
        self.advance();
        self.accept_kw(Kw::OUTER);
        self.expect_kw(Kw::JOIN)?;
        Ok(kind)
    }

    fn join_rest(
        &mut self,
        left: TableRef<'a>,
        kind: JoinKind,
        natural: bool,
        needs_condition: bool,
    ) -> PResult<TableRef<'a>> {
        self.enter()?;
        let start = self.cur.start;
        let mut right = self.table_factor()?;
        let mut condition = JoinCondition::None;
        if !natural {
            condition = self.join_condition(kind)?;
            // ON may come after inner joins of the right side: a LEFT JOIN b JOIN c ON .. ON ..
            while matches!(condition, JoinCondition::None) && self.inner_join_takes_right(needs_condition) {
                let Some((k, n, must)) = self.join_word()? else { break };
                right = self.join_rest(right, k, n, must)?;
                condition = self.join_condition(kind)?;
            }
            if needs_condition && matches!(condition, JoinCondition::None) {
                return self.fail();
            }
        }
        let join = Join { span: Span::new(start, self.prev_end()), kind, natural, left, right, condition };
        Ok(TableRef::Join(self.alloc(join)))
    }

    fn at_join_word(&self) -> bool {
        matches!(self.kw(), Kw::JOIN | Kw::INNER | Kw::CROSS | Kw::STRAIGHT_JOIN | Kw::LEFT | Kw::RIGHT | Kw::NATURAL)
    }

    /// Whether the join that follows belongs to the right side of a join that has no condition yet: always for an outer
    /// join (it needs one), for an inner join when as many conditions follow as are needed.
    fn inner_join_takes_right(&self, needs_condition: bool) -> bool {
        if !self.at_join_word() {
            return false;
        }
        if needs_condition {
            return true;
        }
        // Count joins that want a condition against conditions, up to the end of this reference.
        let (mut i, mut depth, mut open) = (0, 0usize, 1i32);
        loop {
            let t = self.peek(i);
            match t.kind {
                Tk::LParen => depth += 1,
                Tk::RParen if depth == 0 => return false,
                Tk::RParen => depth -= 1,
                Tk::Comma if depth == 0 => return false,
                Tk::Eof | Tk::Semi => return false,
                _ if depth > 0 => {}
                _ => match t.kw {
                    Kw::NATURAL => open -= 1,
                    Kw::JOIN | Kw::STRAIGHT_JOIN => open += 1,
                    Kw::ON if self.peek(i + 1).kw == Kw::DUPLICATE => return false,
                    Kw::ON | Kw::USING => {
                        open -= 1;
                        if open <= 0 {
                            return true;
                        }
                    }
                    Kw::WHERE | Kw::GROUP | Kw::HAVING | Kw::ORDER | Kw::LIMIT | Kw::UNION | Kw::SET | Kw::WINDOW => {
                        return false;
                    }
                    _ => {}
                },
            }
            i += 1;
        }
    }

    fn join_condition(&mut self, kind: JoinKind) -> PResult<JoinCondition<'a>> {
        match self.kw() {
            // INSERT .. SELECT .. FROM a JOIN b ON DUPLICATE KEY UPDATE
            Kw::ON if self.peek(1).kw == Kw::DUPLICATE && self.peek(2).kw == Kw::KEY => Ok(JoinCondition::None),
            Kw::ON => {
                self.advance();
                Ok(JoinCondition::On(self.expr_ref()?))
            }
            Kw::USING if kind != JoinKind::Straight => {
                self.advance();
                Ok(JoinCondition::Using(self.ident_list()?))
            }
            Kw::USING => {
                self.advance();
                Ok(JoinCondition::Using(self.ident_list()?))
            }
            _ => Ok(JoinCondition::None),
        }
    }

    fn table_factor(&mut self) -> PResult<TableRef<'a>> {
        self.enter()?;
        if self.is(Tk::LParen) {
            if self.starts_query_in_paren(0) {
                return self.derived(false);
            }
            self.advance();
            let inner = self.table_refs()?;
            // of the tables only a plain one may stand in parentheses alone
            if let [TableRef::Derived(_) | TableRef::JsonTable(_)] = inner {
                return self.fail();
            }
            self.expect(Tk::RParen)?;
            return Ok(TableRef::Paren(inner));
        }
        match self.kw() {
            Kw::LATERAL => {
                self.advance();
                self.derived(true)
            }
            Kw::JSON_TABLE if self.peek(1).kind == Tk::LParen => self.json_table(),
            _ => self.named_table(),
        }
    }

    fn derived(&mut self, lateral: bool) -> PResult<TableRef<'a>> {
        let start = self.cur.start;
        let query = self.subquery()?;
        // Error 1248 (every derived table must have its own alias) comes from name resolution.
        let alias = match self.table_alias()? {
            Some(alias) => alias,
            None => {
                if matches!(self.cur.kind, Tk::Word | Tk::Comma | Tk::RParen) {
                    self.notice(Fail::Other(ErrorCode::DERIVED_MUST_HAVE_ALIAS, Span::new(start, start)));
                }
                ""
            }
        };
        let columns = if !alias.is_empty() && self.is(Tk::LParen) { self.ident_list()? } else { &[] };
        let d = Derived { span: self.span_from(start), lateral, query, alias, columns };
        Ok(TableRef::Derived(self.alloc(d)))
    }

    /// `[AS] alias`; no string here.
    pub(super) fn table_alias(&mut self) -> PResult<Option<&'a str>> {
        if self.accept_kw(Kw::AS) {
            return Ok(Some(self.relation_ident()?));
        }
        if self.is_ident() { Ok(Some(self.relation_ident()?)) } else { Ok(None) }
    }

    pub(super) fn partition_names(&mut self) -> PResult<&'a [&'a str]> {
        if self.accept_kw(Kw::PARTITION) { self.ident_list() } else { Ok(&[]) }
    }

    fn named_table(&mut self) -> PResult<TableRef<'a>> {
        let name = self.table_name()?;
        self.reads(&name);
        let partitions = self.partition_names()?;
        let alias = self.table_alias()?;
        let hints = self.index_hints()?;
        if self.accept_kw(Kw::TABLESAMPLE) {
            self.table_sample()?;
        }
        Ok(TableRef::Table(self.alloc(TableFactor { name, partitions, alias, hints })))
    }

    /// `SYSTEM|BERNOULLI (percentage)`: no engine here samples.
    fn table_sample(&mut self) -> PResult<()> {
        if !self.accept_kw(Kw::SYSTEM) {
            if !self.text(self.cur).eq_ignore_ascii_case(b"BERNOULLI") {
                return self.fail();
            }
            self.advance();
        }
        self.expect(Tk::LParen)?;
        let here = Span::new(self.cur.start, self.cur.start);
        match self.cur.kind {
            Tk::At => {
                self.user_var_name()?;
            }
            Tk::Param => {
                self.params += 1;
                self.advance();
            }
            _ if self.is_ident() => {
                self.ident()?;
            }
            _ => {
                if self.number(true)? > 100 {
                    self.later.get_or_insert(Fail::Other(ErrorCode::TABLESAMPLE_PERCENTAGE, here));
                }
            }
        }
        self.expect(Tk::RParen)?;
        self.secondary = true;
        Ok(())
    }

    fn index_hints(&mut self) -> PResult<&'a [IndexHint<'a>]> {
        if !matches!(self.kw(), Kw::USE | Kw::IGNORE | Kw::FORCE) {
            return Ok(&[]);
        }
        let mut hints = self.list();
        loop {
            let kind = match self.kw() {
                Kw::USE => IndexHintKind::Use,
                Kw::IGNORE => IndexHintKind::Ignore,
                Kw::FORCE => IndexHintKind::Force,
                _ => break,
            };
            self.advance();
            if !self.accept_kw(Kw::INDEX) {
                self.expect_kw(Kw::KEY)?;
            }
            let mut scope = IndexHintScope::All;
            if self.accept_kw(Kw::FOR) {
                scope = if self.accept_kw(Kw::JOIN) {
                    IndexHintScope::Join
                } else if self.accept_kws(&[Kw::ORDER, Kw::BY]) {
                    IndexHintScope::OrderBy
                } else if self.accept_kws(&[Kw::GROUP, Kw::BY]) {
                    IndexHintScope::GroupBy
                } else {
                    return self.fail();
                };
            }
            self.expect(Tk::LParen)?;
            let indexes = if self.is(Tk::RParen) && kind == IndexHintKind::Use {
                &[]
            } else {
                self.comma_list(|p| if p.accept_kw(Kw::PRIMARY) { Ok("PRIMARY") } else { p.ident() })?
            };
            self.expect(Tk::RParen)?;
            hints.push(IndexHint { kind, scope, indexes });
        }
        Ok(hints.into_bump_slice())
    }

    fn json_table(&mut self) -> PResult<TableRef<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let doc = self.expr()?;
        self.expect(Tk::Comma)?;
        let path = self.json_path()?;
        let columns = self.json_columns()?;
        self.expect(Tk::RParen)?;
        let here = Span::new(self.cur.start, self.cur.start);
        let alias = self.table_alias()?.unwrap_or_else(|| {
            self.later.get_or_insert(Fail::Other(ErrorCode::TF_MUST_HAVE_ALIAS, here));
            ""
        });
        let t = JsonTable { span: self.span_from(start), doc, path, columns, alias };
        Ok(TableRef::JsonTable(self.alloc(t)))
    }

    /// 1300 where the text is not UTF-8: a path is, and a view's definition could not show another.
    fn json_path(&mut self) -> PResult<&'a [u8]> {
        let introduced = self.is_introducer();
        if introduced {
            self.introducer()?;
            self.rewind(self.pos.saturating_sub(1));
        }
        let t = self.cur;
        let bytes = self.string()?;
        Ok(self.utf8(bytes, t)?.as_bytes())
    }

    fn json_columns(&mut self) -> PResult<&'a [JsonColumn<'a>]> {
        self.enter()?;
        self.expect_kw(Kw::COLUMNS)?;
        self.paren_list(|p| p.json_column())
    }

    fn json_column(&mut self) -> PResult<JsonColumn<'a>> {
        if self.is_kw(Kw::NESTED) && (self.peek(1).kw == Kw::PATH || self.peek(1).kind == Tk::Str) {
            self.advance();
            self.accept_kw(Kw::PATH);
            let path = self.json_path()?;
            let columns = self.json_columns()?;
            return Ok(JsonColumn::Nested { path, columns });
        }
        let name = self.ident()?;
        if self.accept_kw(Kw::FOR) {
            self.expect_kw(Kw::ORDINALITY)?;
            return Ok(JsonColumn::Ordinality(name));
        }
        let mut ty = self.data_type()?;
        if self.accept_kw(Kw::COLLATE) {
            ty.collation = Some(self.collation_name()?);
        }
        let exists = self.accept_kw(Kw::EXISTS);
        self.expect_kw(Kw::PATH)?;
        let path = self.json_path()?;
        let (on_empty, on_error) = if exists { (None, None) } else { self.json_table_on()? };
        Ok(JsonColumn::Value { name, ty, exists, path, on_empty, on_error })
    }
}
