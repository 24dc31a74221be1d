//! Column definitions, keys, references, checks.

use super::{PResult, Parser};
use crate::ast::{
    CheckDef, ColumnAttr, ColumnDef, Expr, ExprKind, ForeignKey, IndexDef, IndexKind, IndexOption, KeyPart, KeyTarget,
    RefAction, References, TableElement,
};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    /// A column, key or constraint of CREATE TABLE.
    pub(super) fn table_element(&mut self) -> PResult<TableElement<'a>> {
        match self.kw() {
            Kw::CONSTRAINT => {
                self.advance();
                let name = if matches!(self.kw(), Kw::PRIMARY | Kw::UNIQUE | Kw::FOREIGN | Kw::CHECK) {
                    None
                } else {
                    Some(self.ident()?)
                };
                self.constraint(name)
            }
            Kw::PRIMARY | Kw::UNIQUE | Kw::FOREIGN | Kw::CHECK => self.constraint(None),
            Kw::INDEX | Kw::KEY | Kw::FULLTEXT | Kw::SPATIAL => {
                let index = self.plain_key()?;
                Ok(TableElement::Index(self.alloc(index)))
            }
            _ => Ok(TableElement::Column(self.column_def()?)),
        }
    }

    /// INDEX, KEY, FULLTEXT, SPATIAL.
    fn plain_key(&mut self) -> PResult<IndexDef<'a>> {
        let kind = match self.kw() {
            Kw::FULLTEXT => IndexKind::Fulltext,
            Kw::SPATIAL => IndexKind::Spatial,
            _ => IndexKind::Plain,
        };
        if kind != IndexKind::Plain {
            self.advance();
            if !self.accept_kw(Kw::INDEX) {
                self.accept_kw(Kw::KEY);
            }
        } else {
            self.advance();
        }
        self.key_rest(kind, None)
    }

    /// `[name] [USING type] (parts) options`
    fn key_rest(&mut self, kind: IndexKind, constraint: Option<&'a str>) -> PResult<IndexDef<'a>> {
        let mut options = self.list();
        let name = if self.is_ident() && !(self.is_kw(Kw::TYPE) && self.peek(1).kind != Tk::LParen) {
            Some(self.ident()?)
        } else {
            None
        };
        if !matches!(kind, IndexKind::Fulltext | IndexKind::Spatial)
            && let Some(u) = self.index_using()?
        {
            options.push(u);
        }
        let parts = self.key_parts()?;
        self.index_options(kind, &mut options)?;
        Ok(IndexDef { kind, name, constraint, parts, options: options.into_bump_slice() })
    }

    pub(super) fn index_using(&mut self) -> PResult<Option<IndexOption<'a>>> {
        if !self.accept_kw(Kw::USING) && !self.accept_kw(Kw::TYPE) {
            return Ok(None);
        }
        if !matches!(self.kw(), Kw::BTREE | Kw::HASH | Kw::RTREE) {
            return self.fail();
        }
        let name = self.lower(self.cur)?;
        self.advance();
        Ok(Some(IndexOption::Using(name)))
    }

    pub(super) fn index_options(
        &mut self,
        kind: IndexKind,
        out: &mut bumpalo::collections::Vec<'a, IndexOption<'a>>,
    ) -> PResult<()> {
        let tree = !matches!(kind, IndexKind::Fulltext | IndexKind::Spatial);
        loop {
            let option = match self.kw() {
                Kw::USING | Kw::TYPE if tree => match self.index_using()? {
                    Some(u) => u,
                    None => return Ok(()),
                },
                Kw::KEY_BLOCK_SIZE => {
                    self.advance();
                    self.accept_eq();
                    IndexOption::KeyBlockSize(self.number(true)?)
                }
                Kw::COMMENT => {
                    self.advance();
                    IndexOption::Comment(self.string()?)
                }
                Kw::WITH if kind == IndexKind::Fulltext => {
                    self.advance();
                    self.expect_kw(Kw::PARSER)?;
                    IndexOption::WithParser(self.ident()?)
                }
                Kw::VISIBLE => {
                    self.advance();
                    IndexOption::Visible(true)
                }
                Kw::INVISIBLE => {
                    self.advance();
                    IndexOption::Visible(false)
                }
                Kw::ENGINE_ATTRIBUTE => {
                    self.advance();
                    self.accept_eq();
                    IndexOption::EngineAttribute(self.string()?)
                }
                Kw::SECONDARY_ENGINE_ATTRIBUTE => {
                    self.advance();
                    self.accept_eq();
                    IndexOption::SecondaryEngineAttribute(self.string()?)
                }
                _ => return Ok(()),
            };
            out.push(option);
        }
    }

    pub(super) fn key_parts(&mut self) -> PResult<&'a [KeyPart<'a>]> {
        self.paren_list(|p| {
            let target = if p.is(Tk::LParen) {
                p.advance();
                let e = p.expr_ref()?;
                p.expect(Tk::RParen)?;
                KeyTarget::Expr(e)
            } else {
                let name = p.ident()?;
                let mut length = None;
                if p.accept(Tk::LParen) {
                    length = Some(p.small_number()?);
                    p.expect(Tk::RParen)?;
                }
                KeyTarget::Column { name, length }
            };
            let desc = p.accept_kw(Kw::DESC);
            let ordered = desc || p.accept_kw(Kw::ASC);
            Ok(KeyPart { target, desc, ordered })
        })
    }

    /// PRIMARY KEY, UNIQUE, FOREIGN KEY, CHECK.
    pub(super) fn constraint(&mut self, name: Option<&'a str>) -> PResult<TableElement<'a>> {
        match self.kw() {
            Kw::PRIMARY => {
                self.advance();
                self.expect_kw(Kw::KEY)?;
                let index = self.key_rest(IndexKind::Primary, name)?;
                Ok(TableElement::Index(self.alloc(index)))
            }
            Kw::UNIQUE => {
                self.advance();
                if !self.accept_kw(Kw::INDEX) {
                    self.accept_kw(Kw::KEY);
                }
                let index = self.key_rest(IndexKind::Unique, name)?;
                Ok(TableElement::Index(self.alloc(index)))
            }
            Kw::FOREIGN => {
                self.advance();
                self.expect_kw(Kw::KEY)?;
                let index_name = if self.is_ident() { Some(self.ident()?) } else { None };
                let columns = self.key_parts()?;
                let references = self.references()?;
                let fk = ForeignKey { constraint: name, index_name, columns, references };
                Ok(TableElement::ForeignKey(self.alloc(fk)))
            }
            Kw::CHECK => Ok(TableElement::Check(self.check(name)?)),
            _ => self.fail(),
        }
    }

    /// `CHECK (expr) [[NOT] ENFORCED]`
    pub(super) fn check(&mut self, name: Option<&'a str>) -> PResult<CheckDef<'a>> {
        self.expect_kw(Kw::CHECK)?;
        self.expect(Tk::LParen)?;
        let expr = self.expr_ref()?;
        self.expect(Tk::RParen)?;
        let mut enforced = true;
        if self.accept_kws(&[Kw::NOT, Kw::ENFORCED]) {
            enforced = false;
        } else {
            self.accept_kw(Kw::ENFORCED);
        }
        Ok(CheckDef { name, expr, enforced })
    }

    pub(super) fn references(&mut self) -> PResult<References<'a>> {
        self.expect_kw(Kw::REFERENCES)?;
        let table = self.table_name()?;
        let columns = if self.is(Tk::LParen) { self.key_parts()? } else { &[] };
        let mut match_kind = None;
        if self.accept_kw(Kw::MATCH) {
            if !matches!(self.kw(), Kw::FULL | Kw::PARTIAL | Kw::SIMPLE) {
                return self.fail();
            }
            match_kind = Some(self.lower(self.cur)?);
            self.advance();
        }
        let (mut on_delete, mut on_update) = (None, None);
        while self.is_kw(Kw::ON) {
            match self.peek(1).kw {
                Kw::DELETE if on_delete.is_none() => {
                    self.advance();
                    self.advance();
                    on_delete = Some(self.ref_action()?);
                }
                Kw::UPDATE if on_update.is_none() => {
                    self.advance();
                    self.advance();
                    on_update = Some(self.ref_action()?);
                }
                _ => {
                    self.advance();
                    return self.fail();
                }
            }
        }
        Ok(References { table, columns, match_kind, on_delete, on_update })
    }

    fn ref_action(&mut self) -> PResult<RefAction> {
        if self.accept_kw(Kw::RESTRICT) {
            Ok(RefAction::Restrict)
        } else if self.accept_kw(Kw::CASCADE) {
            Ok(RefAction::Cascade)
        } else if self.accept_kws(&[Kw::SET, Kw::NULL]) {
            Ok(RefAction::SetNull)
        } else if self.accept_kws(&[Kw::SET, Kw::DEFAULT]) {
            Ok(RefAction::SetDefault)
        } else {
            self.expect_kws(&[Kw::NO, Kw::ACTION])?;
            Ok(RefAction::NoAction)
        }
    }

    /// A column of CREATE TABLE and ADD COLUMN: what MySQL's grammar calls a `column_def`, with REFERENCES at its end.
    pub(super) fn column_def(&mut self) -> PResult<&'a ColumnDef<'a>> {
        self.column(true)
    }

    /// A column of CHANGE and MODIFY, which have no REFERENCES.
    pub(super) fn changed_column(&mut self) -> PResult<&'a ColumnDef<'a>> {
        self.column(false)
    }

    fn column(&mut self, references: bool) -> PResult<&'a ColumnDef<'a>> {
        let start = self.cur.start;
        let name = self.ident()?;
        let ty = self.data_type()?;
        let mut attributes = self.list();
        let mut collated = ty.collation.is_some();
        loop {
            let collate = self.is_kw(Kw::COLLATE);
            if collate && collated {
                return Err(super::Fail::Says("Multiple COLLATE clauses", self.cur.start));
            }
            collated |= collate;
            // of the attributes only COLLATE may stand before it
            if matches!(self.kw(), Kw::GENERATED | Kw::AS)
                && !attributes.iter().all(|a| matches!(a, ColumnAttr::Collate(_)))
            {
                break;
            }
            match self.column_attr()? {
                Some(a) => attributes.push(a),
                None => break,
            }
        }
        if references && self.is_kw(Kw::REFERENCES) {
            let r = self.references()?;
            attributes.push(ColumnAttr::References(self.alloc(r)));
            // MySQL ends the column here, except that CHECK may follow
            while matches!(self.kw(), Kw::CHECK | Kw::CONSTRAINT) {
                match self.column_attr()? {
                    Some(a) => attributes.push(a),
                    None => break,
                }
            }
        }
        let attributes = attributes.into_bump_slice();
        Ok(self.alloc(ColumnDef { span: self.span_from(start), name, ty, attributes }))
    }

    fn column_attr(&mut self) -> PResult<Option<ColumnAttr<'a>>> {
        let attr = match self.kw() {
            Kw::NULL => self.attr_word(ColumnAttr::Null),
            Kw::NOT => self.not_attr()?,
            Kw::DEFAULT => {
                self.advance();
                ColumnAttr::Default(self.default_value()?)
            }
            Kw::ON => {
                self.advance();
                self.expect_kw(Kw::UPDATE)?;
                ColumnAttr::OnUpdateNow(self.now_fsp()?)
            }
            Kw::AUTO_INCREMENT => self.attr_word(ColumnAttr::AutoIncrement),
            Kw::SERIAL => {
                self.advance();
                self.expect_kws(&[Kw::DEFAULT, Kw::VALUE])?;
                ColumnAttr::SerialDefaultValue
            }
            Kw::PRIMARY => {
                self.advance();
                self.expect_kw(Kw::KEY)?;
                ColumnAttr::PrimaryKey
            }
            Kw::KEY => self.attr_word(ColumnAttr::PrimaryKey),
            Kw::UNIQUE => {
                self.advance();
                self.accept_kw(Kw::KEY);
                ColumnAttr::Unique
            }
            Kw::COMMENT => {
                self.advance();
                ColumnAttr::Comment(self.string()?)
            }
            Kw::COLLATE => {
                self.advance();
                ColumnAttr::Collate(self.collation_name()?)
            }
            Kw::GENERATED | Kw::AS => self.generated()?,
            Kw::CONSTRAINT => {
                self.advance();
                let name = if self.is_kw(Kw::CHECK) { None } else { Some(self.ident()?) };
                ColumnAttr::Check(self.check(name)?)
            }
            Kw::CHECK => ColumnAttr::Check(self.check(None)?),
            Kw::VISIBLE => self.attr_word(ColumnAttr::Visible(true)),
            Kw::INVISIBLE => self.attr_word(ColumnAttr::Visible(false)),
            Kw::COLUMN_FORMAT => {
                self.advance();
                ColumnAttr::ColumnFormat(self.one_of(&[Kw::DEFAULT, Kw::FIXED, Kw::DYNAMIC])?)
            }
            Kw::STORAGE => {
                self.advance();
                ColumnAttr::Storage(self.one_of(&[Kw::DEFAULT, Kw::DISK, Kw::MEMORY])?)
            }
            Kw::ENGINE_ATTRIBUTE | Kw::SECONDARY_ENGINE_ATTRIBUTE => self.engine_attr()?,
            Kw::SRID => {
                self.advance();
                ColumnAttr::Srid(self.number(false)?)
            }
            _ => return Ok(None),
        };
        Ok(Some(attr))
    }

    /// NOT NULL and NOT SECONDARY.
    fn not_attr(&mut self) -> PResult<ColumnAttr<'a>> {
        self.advance();
        if self.accept_kw(Kw::SECONDARY) {
            return Ok(ColumnAttr::NotSecondary);
        }
        self.expect_kw(Kw::NULL)?;
        Ok(ColumnAttr::NotNull)
    }

    /// ENGINE_ATTRIBUTE and SECONDARY_ENGINE_ATTRIBUTE.
    fn engine_attr(&mut self) -> PResult<ColumnAttr<'a>> {
        let secondary = self.is_kw(Kw::SECONDARY_ENGINE_ATTRIBUTE);
        self.advance();
        self.accept_eq();
        let text = self.string()?;
        Ok(if secondary { ColumnAttr::SecondaryEngineAttribute(text) } else { ColumnAttr::EngineAttribute(text) })
    }

    fn attr_word(&mut self, attr: ColumnAttr<'a>) -> ColumnAttr<'a> {
        self.advance();
        attr
    }

    /// One of these words, lower case.
    pub(super) fn one_of(&mut self, words: &[Kw]) -> PResult<&'a str> {
        if !words.contains(&self.kw()) {
            return self.fail();
        }
        let s = self.lower(self.cur)?;
        self.advance();
        Ok(s)
    }

    pub(super) fn collation_name(&mut self) -> PResult<&'a str> {
        if self.accept_kw(Kw::BINARY) {
            return Ok("binary");
        }
        let name = self.ident_or_text()?;
        let name = self.lower_str(name);
        self.old_collation(name);
        Ok(name)
    }

    fn generated(&mut self) -> PResult<ColumnAttr<'a>> {
        if self.accept_kw(Kw::GENERATED) {
            self.expect_kw(Kw::ALWAYS)?;
        }
        self.expect_kw(Kw::AS)?;
        self.expect(Tk::LParen)?;
        let expr = self.expr_ref()?;
        self.expect(Tk::RParen)?;
        let stored = self.accept_kw(Kw::STORED);
        if !stored {
            self.accept_kw(Kw::VIRTUAL);
        }
        Ok(ColumnAttr::Generated { expr, stored })
    }

    pub(super) fn is_now(&self) -> bool {
        matches!(self.kw(), Kw::CURRENT_TIMESTAMP | Kw::LOCALTIME | Kw::LOCALTIMESTAMP)
            || (self.is_kw(Kw::NOW) && self.is_function_word(self.cur, self.peek(1)))
    }

    /// NOW() and its synonyms; the fractional digits.
    fn now_fsp(&mut self) -> PResult<u32> {
        if !self.is_now() {
            return self.fail();
        }
        self.advance();
        let mut fsp = 0;
        if self.accept(Tk::LParen) {
            if self.is(Tk::Int) {
                fsp = u32::try_from(self.small_number()?).unwrap_or(u32::MAX);
            }
            self.expect(Tk::RParen)?;
        }
        Ok(fsp)
    }

    /// After DEFAULT: a literal, NOW() or `(expr)`.
    pub(super) fn default_value(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        if self.is_now() {
            return self.keyword_primary();
        }
        if self.is(Tk::LParen) {
            self.advance();
            let inner = self.expr_ref()?;
            self.expect(Tk::RParen)?;
            return Ok(Expr { span: self.span_from(start), kind: ExprKind::Paren(inner) });
        }
        self.signed_literal()
    }
}
