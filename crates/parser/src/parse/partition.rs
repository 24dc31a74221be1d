//! PARTITION BY and partition definitions.

use super::expr::BIT;
use super::{Fail, PResult, Parser};
use crate::ast::{Expr, PartitionBy, PartitionDef, PartitionMethod, PartitionValues, TableOption};
use crate::lexer::{Kw, Tk, Token};
use bumpalo::collections::Vec as BVec;

/// Words whose value is another one each time.
const UNSTABLE_WORDS: [&[u8]; 9] = [
    b"current_user",
    b"current_date",
    b"current_time",
    b"current_timestamp",
    b"localtime",
    b"localtimestamp",
    b"utc_date",
    b"utc_time",
    b"utc_timestamp",
];
/// Functions of the same kind.
const UNSTABLE: [&[u8]; 29] = [
    b"benchmark",
    b"connection_id",
    b"curdate",
    b"current_role",
    b"curtime",
    b"database",
    b"found_rows",
    b"get_lock",
    b"is_free_lock",
    b"is_used_lock",
    b"last_insert_id",
    b"load_file",
    b"now",
    b"rand",
    b"random_bytes",
    b"release_all_locks",
    b"release_lock",
    b"row_count",
    b"schema",
    b"session_user",
    b"sleep",
    b"source_pos_wait",
    b"sysdate",
    b"system_user",
    b"user",
    b"uuid",
    b"uuid_short",
    b"wait_for_executed_gtid_set",
    b"current_user",
];

const INCONSISTENT: &str = "Inconsistency in usage of column lists for partitioning";

/// What each definition has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    LessThan,
    In,
}

impl Needs {
    fn text(self) -> &'static str {
        match self {
            Needs::LessThan => {
                "Syntax error: RANGE PARTITIONING requires definition of VALUES LESS THAN for each partition"
            }
            Needs::In => "Syntax error: LIST PARTITIONING requires definition of VALUES IN for each partition",
        }
    }
}

/// What the head of PARTITION BY says of its definitions.
struct Shape {
    /// Columns of COLUMNS (..); 0: an expression; `None`: not known.
    columns: Option<usize>,
    needs: Option<Needs>,
    /// SUBPARTITIONS n
    parts: Option<u64>,
}

impl Shape {
    /// A definition has values of this kind. One that does not fit is another error than a missing one, and not the parser's.
    fn kind_is(&mut self, kind: Needs) {
        self.needs = match self.needs {
            Some(needs) if needs != kind => None,
            _ => Some(kind),
        };
    }
}

impl PartitionMethod<'_> {
    fn width(&self) -> Option<usize> {
        match self {
            PartitionMethod::RangeColumns(c) | PartitionMethod::ListColumns(c) => Some(c.len()),
            _ => Some(0),
        }
    }

    fn needs(&self) -> Option<Needs> {
        match self {
            PartitionMethod::Range(_) | PartitionMethod::RangeColumns(_) => Some(Needs::LessThan),
            PartitionMethod::List(_) | PartitionMethod::ListColumns(_) => Some(Needs::In),
            _ => None,
        }
    }
}

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
        let at = self.cur.start;
        let shape = Shape { columns: method.width(), needs: method.needs(), parts: subpartition.and_then(|s| s.1) };
        let definitions = if self.is(Tk::LParen) { self.partition_list(shape)? } else { &[] };
        if partitions.is_some_and(|n| !definitions.is_empty() && n != definitions.len() as u64) {
            return Err(Fail::Says("Wrong number of partitions defined, mismatch with previous setting", at));
        }
        let p = PartitionBy { span: self.span_from(start), method, partitions, subpartition, definitions };
        Ok(self.alloc(p))
    }

    fn paren_bit_expr(&mut self) -> PResult<&'a Expr<'a>> {
        self.expect(Tk::LParen)?;
        let e = self.stable_expr()?;
        self.expect(Tk::RParen)?;
        Ok(self.alloc(e))
    }

    /// An expression whose value depends on columns only: no subquery (a syntax error at its place), no variable and none of
    /// the functions that MySQL refuses to keep results of.
    fn stable_expr(&mut self) -> PResult<Expr<'a>> {
        let from = self.pos;
        let outer = std::mem::replace(&mut self.no_subquery, true);
        let e = self.expr_at(BIT);
        self.no_subquery = outer;
        let e = e?;
        let read = self.tokens.get(from..self.pos).unwrap_or(&[]);
        let next = self.tokens.get(from + 1..).unwrap_or(&[]);
        let unstable = read.iter().zip(next).any(|(t, n)| match t.kind {
            Tk::At | Tk::AtAt => true,
            Tk::Word => {
                let word = self.text(*t).to_ascii_lowercase();
                let call = n.kind == Tk::LParen;
                UNSTABLE_WORDS.contains(&word.as_slice())
                    || (call && UNSTABLE.contains(&word.as_slice()))
                    || (word == b"unix_timestamp" && self.empty_call(n))
            }
            _ => false,
        });
        if unstable {
            let text =
                "Constant, random or timezone-dependent expressions in (sub)partitioning function are not allowed";
            return Err(Fail::Says(text, self.tokens.get(from).map_or(0, |t| t.start)));
        }
        Ok(e)
    }

    /// `()`
    fn empty_call(&self, paren: &Token) -> bool {
        let at = self.tokens.iter().position(|t| t.start == paren.start).unwrap_or(usize::MAX - 1);
        self.tokens.get(at + 1).is_some_and(|t| t.kind == Tk::RParen)
    }

    fn names(&mut self, may_be_empty: bool) -> PResult<&'a [&'a str]> {
        self.expect(Tk::LParen)?;
        let names = if may_be_empty && self.is(Tk::RParen) { &[] } else { self.comma_list(|p| p.ident())? };
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
                    let at = self.cur.start;
                    let n = self.number(false)?;
                    if !matches!(n, 1 | 2) {
                        return Err(Fail::Syntax(at));
                    }
                    algorithm = Some(n);
                }
                let columns = self.names(!sub)?;
                Ok(PartitionMethod::Key { linear, algorithm, columns })
            }
            Kw::RANGE | Kw::LIST if !linear && !sub => {
                let range = self.is_kw(Kw::RANGE);
                self.advance();
                if self.accept_kw(Kw::COLUMNS) {
                    let columns = self.names(false)?;
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

    /// Definitions of ALTER TABLE, where the table's own partitioning is not known yet.
    pub(super) fn partition_defs(&mut self) -> PResult<&'a [PartitionDef<'a>]> {
        self.partition_list(Shape { columns: None, needs: None, parts: None })
    }

    /// `( PARTITION .., ... )`: all with the same kind of values, and all with as many subpartitions.
    fn partition_list(&mut self, mut shape: Shape) -> PResult<&'a [PartitionDef<'a>]> {
        let mut at = self.cur.start;
        self.expect(Tk::LParen)?;
        let mut all: BVec<'a, PartitionDef<'a>> = self.list();
        loop {
            let def = self.partition_def(&mut shape, at, all.first())?;
            all.push(def);
            at = self.cur.start;
            if !self.accept(Tk::Comma) {
                break;
            }
        }
        self.expect(Tk::RParen)?;
        Ok(all.into_bump_slice())
    }

    /// `before`: where what comes before the definition stands.
    fn partition_def(
        &mut self,
        shape: &mut Shape,
        before: u32,
        first: Option<&PartitionDef<'a>>,
    ) -> PResult<PartitionDef<'a>> {
        self.expect_kw(Kw::PARTITION)?;
        let name = self.ident()?;
        let mut values = PartitionValues::None;
        let at = self.cur.start;
        if self.accept_kw(Kw::VALUES) {
            if self.accept_kws(&[Kw::LESS, Kw::THAN]) {
                shape.kind_is(Needs::LessThan);
                values = self.less_than(shape, at)?;
            } else {
                self.expect_kw(Kw::IN)?;
                shape.kind_is(Needs::In);
                values = PartitionValues::In(self.values_in(shape)?);
            }
        } else if let Some(needs) = shape.needs {
            return Err(Fail::Says(needs.text(), before));
        }
        let options = self.partition_options()?;
        let wrong = "Wrong number of subpartitions defined, mismatch with previous setting";
        let at = self.cur.start;
        let mut subpartitions: &'a [(&'a str, &'a [TableOption<'a>])] = &[];
        if self.is(Tk::LParen) {
            if first.is_some_and(|f| f.subpartitions.is_empty()) {
                return Err(Fail::Says(wrong, at + 1));
            }
            subpartitions = self.paren_list(|p| {
                p.expect_kw(Kw::SUBPARTITION)?;
                Ok((p.ident_or_text()?, p.partition_options()?))
            })?;
            let expected = first.map(|f| f.subpartitions.len() as u64).or(shape.parts);
            if expected.is_some_and(|n| n != subpartitions.len() as u64) {
                return Err(Fail::Says(wrong, at));
            }
        } else if first.is_some_and(|f| !f.subpartitions.is_empty()) {
            return Err(Fail::Says(wrong, at));
        }
        Ok(PartitionDef { name, values, options, subpartitions })
    }

    /// After LESS THAN; `at`: where VALUES stands.
    fn less_than(&mut self, shape: &Shape, at: u32) -> PResult<PartitionValues<'a>> {
        let several = shape.columns.is_some_and(|n| n > 1);
        if self.accept_kw(Kw::MAXVALUE) {
            return if several { Err(Fail::Says(INCONSISTENT, at)) } else { Ok(PartitionValues::LessThan(&[None])) };
        }
        self.expect(Tk::LParen)?;
        let values = self.comma_list(|p| p.partition_value())?;
        if several && values.len() == 1 {
            return Err(Fail::Says(INCONSISTENT, self.cur.start));
        }
        self.expect(Tk::RParen)?;
        Ok(PartitionValues::LessThan(values))
    }

    /// After IN: values, or rows of values where there are several columns.
    fn values_in(&mut self, shape: &Shape) -> PResult<&'a [&'a [Option<Expr<'a>>]]> {
        let start = self.cur.start;
        self.expect(Tk::LParen)?;
        let rows = self.is(Tk::LParen);
        let list = self.comma_list(|p| {
            if !rows {
                let v = p.listed_value()?;
                return Ok(std::slice::from_ref(p.alloc(v)));
            }
            p.expect(Tk::LParen)?;
            let row = p.comma_list(|p| p.listed_value())?;
            p.expect(Tk::RParen)?;
            let one = row.len() == 1 && shape.columns.is_none_or(|n| n <= 1);
            if one || shape.columns == Some(0) {
                let text = "Row expressions in VALUES IN only allowed for multi-field column partitioning";
                return Err(Fail::Says(text, p.cur.start));
            }
            Ok(row)
        })?;
        if !rows && shape.columns.is_some_and(|n| n > 1) {
            return Err(Fail::Says(INCONSISTENT, start));
        }
        self.expect(Tk::RParen)?;
        Ok(list)
    }

    fn listed_value(&mut self) -> PResult<Option<Expr<'a>>> {
        if self.is_kw(Kw::MAXVALUE) {
            return Err(Fail::Says("Cannot use MAXVALUE as value in VALUES IN", self.cur.start));
        }
        self.partition_value()
    }

    fn partition_value(&mut self) -> PResult<Option<Expr<'a>>> {
        if self.accept_kw(Kw::MAXVALUE) {
            return Ok(None);
        }
        Ok(Some(self.stable_expr()?))
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
