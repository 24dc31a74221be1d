//! PARTITION BY and partition definitions.

use super::expr::BIT;
use super::{PResult, Parser};
use crate::ast::{Expr, PartitionBy, PartitionDef, PartitionMethod, PartitionValues, TableOption};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    pub(super) fn partition_by(&mut self) -> PResult<&'a PartitionBy<'a>> {
        let start = self.cur.start;
        self.expect_kws(&[Kw::PARTITION, Kw::BY])?;
        let method = self.partition_method(false)?;
        let partitions = if self.accept_kw(Kw::PARTITIONS) { Some(self.number(false)?) } else { None };
        let mut subpartition = None;
        if self.accept_kws(&[Kw::SUBPARTITION, Kw::BY]) {
            let m = self.partition_method(true)?;
            let n = if self.accept_kw(Kw::SUBPARTITIONS) { Some(self.number(false)?) } else { None };
            subpartition = Some((m, n));
        }
        let definitions = if self.is(Tk::LParen) { self.partition_defs()? } else { &[] };
        let p = PartitionBy { span: self.span_from(start), method, partitions, subpartition, definitions };
        Ok(self.alloc(p))
    }

    fn paren_bit_expr(&mut self) -> PResult<&'a Expr<'a>> {
        self.expect(Tk::LParen)?;
        let e = self.expr_at(BIT)?;
        self.expect(Tk::RParen)?;
        Ok(self.alloc(e))
    }

    fn names_or_nothing(&mut self) -> PResult<&'a [&'a str]> {
        self.expect(Tk::LParen)?;
        let names = if self.is(Tk::RParen) { &[] } else { self.comma_list(|p| p.ident())? };
        self.expect(Tk::RParen)?;
        Ok(names)
    }

    fn partition_method(&mut self, sub: bool) -> PResult<PartitionMethod<'a>> {
        let linear = self.accept_kw(Kw::LINEAR);
        match self.kw() {
            Kw::HASH => {
                self.advance();
                Ok(PartitionMethod::Hash { linear, expr: self.paren_bit_expr()? })
            }
            Kw::KEY => {
                self.advance();
                let mut algorithm = None;
                if self.accept_kw(Kw::ALGORITHM) {
                    self.expect(Tk::Eq)?;
                    algorithm = Some(self.number(false)?);
                }
                let columns = self.names_or_nothing()?;
                Ok(PartitionMethod::Key { linear, algorithm, columns })
            }
            Kw::RANGE | Kw::LIST if !linear && !sub => {
                let range = self.is_kw(Kw::RANGE);
                self.advance();
                if self.accept_kw(Kw::COLUMNS) {
                    let columns = self.names_or_nothing()?;
                    return Ok(if range {
                        PartitionMethod::RangeColumns(columns)
                    } else {
                        PartitionMethod::ListColumns(columns)
                    });
                }
                let e = self.paren_bit_expr()?;
                Ok(if range { PartitionMethod::Range(e) } else { PartitionMethod::List(e) })
            }
            _ => self.fail(),
        }
    }

    pub(super) fn partition_defs(&mut self) -> PResult<&'a [PartitionDef<'a>]> {
        self.paren_list(|p| p.partition_def())
    }

    fn partition_def(&mut self) -> PResult<PartitionDef<'a>> {
        self.expect_kw(Kw::PARTITION)?;
        let name = self.ident()?;
        let mut values = PartitionValues::None;
        if self.accept_kw(Kw::VALUES) {
            if self.accept_kws(&[Kw::LESS, Kw::THAN]) {
                values = if self.is_kw(Kw::MAXVALUE) {
                    self.advance();
                    PartitionValues::LessThan(&[None])
                } else {
                    PartitionValues::LessThan(self.paren_list(|p| p.partition_value())?)
                };
            } else {
                self.expect_kw(Kw::IN)?;
                values = PartitionValues::In(self.paren_list(|p| {
                    if p.is(Tk::LParen) {
                        p.paren_list(|p| p.partition_value())
                    } else {
                        let v = p.partition_value()?;
                        Ok(std::slice::from_ref(p.alloc(v)))
                    }
                })?);
            }
        }
        let options = self.partition_options()?;
        let mut subpartitions: &'a [(&'a str, &'a [TableOption<'a>])] = &[];
        if self.is(Tk::LParen) {
            subpartitions = self.paren_list(|p| {
                p.expect_kw(Kw::SUBPARTITION)?;
                Ok((p.ident_or_text()?, p.partition_options()?))
            })?;
        }
        Ok(PartitionDef { name, values, options, subpartitions })
    }

    fn partition_value(&mut self) -> PResult<Option<Expr<'a>>> {
        if self.accept_kw(Kw::MAXVALUE) {
            return Ok(None);
        }
        Ok(Some(self.expr_at(BIT)?))
    }

    fn partition_options(&mut self) -> PResult<&'a [TableOption<'a>]> {
        let mut out = self.list();
        while !self.is(Tk::Comma) && !self.is(Tk::RParen) {
            if self.text(self.cur).eq_ignore_ascii_case(b"NODEGROUP") {
                // NDB only; means nothing to InnoDB
                self.advance();
                self.accept_eq();
                self.number(false)?;
                continue;
            }
            match self.kw() {
                Kw::ENGINE
                | Kw::STORAGE
                | Kw::COMMENT
                | Kw::DATA
                | Kw::INDEX
                | Kw::MAX_ROWS
                | Kw::MIN_ROWS
                | Kw::TABLESPACE => {}
                _ => break,
            }
            match self.table_option()? {
                Some(o) => out.push(o),
                None => break,
            }
        }
        Ok(out.into_bump_slice())
    }
}
