//! INSERT, REPLACE, UPDATE, DELETE, LOAD DATA, DO, CALL, HANDLER.

use super::{PResult, Parser};
use crate::ast::{
    Assignment, BinaryOp, Call, ColumnRef, Delete, DeleteTarget, Events, Expr, ExprKind, FileFormat, Handler,
    HandlerAction, HandlerPosition, Insert, InsertSource, LoadData, LoadTarget, Priority, QueryBody, QueryExpr, Span,
    Statement, TableName, Update, With,
};
use crate::lexer::{Kw, Tk};
use bumpalo::collections::Vec as BVec;

/// Why a bulk load, or a part of its syntax without the rest, is refused.
fn bulk_load(bulk: bool, local: bool, count: bool) -> super::Fail {
    let what = match (bulk, local, count) {
        (true, true, _) => ("LOAD DATA with BULK Algorithm", "LOCAL client file"),
        (true, ..) => return super::Fail::Unsupported("Bulk Load"),
        (_, _, true) => ("LOAD DATA without BULK Algorithm", "multiple files"),
        _ => ("LOAD DATA without BULK Algorithm", "URL source"),
    };
    super::Fail::Usage(what.0, what.1)
}

impl<'a> Parser<'a, '_> {
    pub(super) fn insert(&mut self) -> PResult<Statement<'a>> {
        let replace = self.is_kw(Kw::REPLACE);
        self.advance();
        let hints = self.hints();
        let priority = match self.kw() {
            Kw::LOW_PRIORITY => Priority::Low,
            Kw::DELAYED => Priority::Delayed,
            Kw::HIGH_PRIORITY if !replace => Priority::High,
            _ => Priority::Normal,
        };
        if priority != Priority::Normal {
            self.advance();
        }
        let ignore = !replace && self.accept_kw(Kw::IGNORE);
        self.accept_kw(Kw::INTO);
        let named = self.named_tables();
        self.changing(if replace { Events::INSERT.and(Events::DELETE) } else { Events::INSERT });
        let table = self.table_name()?;
        self.changing(Events::NONE);
        let partitions = self.partition_names()?;
        let mut ins = Insert {
            replace,
            priority,
            ignore,
            hints,
            table,
            partitions,
            columns: &[],
            has_columns: false,
            source: InsertSource::Values(&[]),
            row_alias: None,
            column_aliases: &[],
            on_duplicate: &[],
        };
        if self.is(Tk::LParen) && !self.starts_query_in_paren(0) {
            self.advance();
            ins.has_columns = true;
            if !self.is(Tk::RParen) {
                ins.columns = self.comma_list(|p| p.column_ref())?;
            }
            self.expect(Tk::RParen)?;
        }
        match self.kw() {
            Kw::SET if !ins.has_columns => {
                self.advance();
                let sets = self.assignments()?;
                ins.has_columns = true;
                ins.columns = self.arena.alloc_slice_fill_iter(sets.iter().map(|s| s.column));
                let row = &*self.arena.alloc_slice_fill_iter(sets.iter().map(|s| s.value));
                ins.source = InsertSource::Values(std::slice::from_ref(self.alloc(row)));
                self.row_alias(&mut ins)?;
            }
            Kw::VALUES | Kw::VALUE if self.peek(1).kind == Tk::LParen || self.kw() == Kw::VALUE => {
                self.advance();
                ins.source = InsertSource::Values(self.value_rows()?);
                self.row_alias(&mut ins)?;
            }
            _ => {
                let q = self.query_expr()?;
                // a table value constructor and nothing else holds values as VALUES without ROW does
                ins.source = match q.body {
                    QueryBody::Values(rows)
                        if q.with.is_none() && q.order_by.is_empty() && q.limit.is_none() && q.into.is_none() =>
                    {
                        InsertSource::Values(rows)
                    }
                    _ => {
                        self.no_trailing_into()?;
                        InsertSource::Query(q)
                    }
                };
            }
        }
        if !replace && self.accept_kws(&[Kw::ON, Kw::DUPLICATE, Kw::KEY, Kw::UPDATE]) {
            self.on_duplicate = true;
            self.changing_too(named, Events::UPDATE);
            ins.on_duplicate = self.assignments()?;
        }
        Ok(Statement::Insert(self.alloc(ins)))
    }

    fn row_alias(&mut self, ins: &mut Insert<'a>) -> PResult<()> {
        if !ins.replace && self.accept_kw(Kw::AS) {
            ins.row_alias = Some(self.relation_ident()?);
            if self.is(Tk::LParen) {
                ins.column_aliases = self.ident_list()?;
            }
        }
        Ok(())
    }

    fn value_rows(&mut self) -> PResult<&'a [&'a [Expr<'a>]]> {
        let first = self.row_values()?;
        if !self.is(Tk::Comma) {
            return Ok(std::slice::from_ref(self.alloc(first)));
        }
        let mut rows = BVec::with_capacity_in(16, self.arena);
        let mut width = first.len();
        rows.push(first);
        while self.accept(Tk::Comma) {
            let row = self.row_values_sized(width)?;
            width = row.len();
            rows.push(row);
        }
        Ok(rows.into_bump_slice())
    }

    /// `(expr | DEFAULT, ...)`, also `()`.
    pub(super) fn row_values(&mut self) -> PResult<&'a [Expr<'a>]> {
        self.row_values_sized(4)
    }

    fn row_values_sized(&mut self, width: usize) -> PResult<&'a [Expr<'a>]> {
        self.expect(Tk::LParen)?;
        let mut row = BVec::with_capacity_in(width, self.arena);
        if !self.is(Tk::RParen) {
            loop {
                row.push(self.expr_or_default()?);
                if !self.accept(Tk::Comma) {
                    break;
                }
            }
        }
        self.expect(Tk::RParen)?;
        Ok(row.into_bump_slice())
    }

    /// A plain literal is by far the most frequent value.
    #[inline]
    fn expr_or_default(&mut self) -> PResult<Expr<'a>> {
        let t = self.cur;
        if matches!(t.kind, Tk::Int | Tk::Str | Tk::Decimal) && matches!(self.peek(1).kind, Tk::Comma | Tk::RParen) {
            let e = self.literal_token(t, None);
            self.advance();
            return Ok(e);
        }
        if t.kw == Kw::DEFAULT && self.peek(1).kind != Tk::LParen {
            self.advance();
            return Ok(Expr { span: Span::new(t.start, t.end), kind: ExprKind::Default(None) });
        }
        self.expr()
    }

    pub(super) fn assignments(&mut self) -> PResult<&'a [Assignment<'a>]> {
        self.comma_list(|p| {
            let column = p.column_ref()?;
            p.assign_op()?;
            let value = p.expr_or_default()?;
            Ok(Assignment { column, value })
        })
    }

    pub(super) fn update(&mut self, with: Option<&'a With<'a>>) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::UPDATE)?;
        let hints = self.hints();
        let low_priority = self.accept_kw(Kw::LOW_PRIORITY);
        let ignore = self.accept_kw(Kw::IGNORE);
        self.changing(Events::UPDATE);
        let tables = self.table_refs()?;
        self.changing(Events::NONE);
        self.expect_kw(Kw::SET)?;
        let assignments = self.assignments()?;
        let where_clause = if self.accept_kw(Kw::WHERE) { Some(self.expr_ref()?) } else { None };
        let order_by = if self.accept_kws(&[Kw::ORDER, Kw::BY]) { self.order_items()? } else { &[] };
        let limit = self.simple_limit()?;
        let with = self.closed_with(with);
        let u = Update { with, low_priority, ignore, hints, tables, assignments, where_clause, order_by, limit };
        Ok(Statement::Update(self.alloc(u)))
    }

    /// LIMIT with a count only.
    fn simple_limit(&mut self) -> PResult<Option<&'a crate::ast::Limit<'a>>> {
        let at = self.peek(2).start;
        let limit = self.limit()?;
        match limit {
            Some(l) if l.offset.is_some() => Err(super::Fail::Syntax(at)),
            l => Ok(l),
        }
    }

    pub(super) fn delete(&mut self, with: Option<&'a With<'a>>) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::DELETE)?;
        let hints = self.hints();
        let (mut low_priority, mut quick, mut ignore) = (false, false, false);
        loop {
            match self.kw() {
                Kw::LOW_PRIORITY => low_priority = true,
                Kw::QUICK => quick = true,
                Kw::IGNORE => ignore = true,
                _ => break,
            }
            self.advance();
        }
        let mut d = Delete {
            with,
            low_priority,
            quick,
            ignore,
            hints,
            target: DeleteTarget::Multi { tables: &[], from: &[] },
            where_clause: None,
            order_by: &[],
            limit: None,
        };
        let mut multi = true;
        self.changing(Events::DELETE);
        if self.accept_kw(Kw::FROM) {
            let first = self.delete_table()?;
            if self.is(Tk::Comma) || self.is_kw(Kw::USING) || first.1 {
                let tables = self.delete_tables_from(first.0)?;
                self.expect_kw(Kw::USING)?;
                d.target = DeleteTarget::Multi { tables, from: self.table_refs()? };
            } else {
                let alias = self.table_alias()?;
                let partitions = self.partition_names()?;
                d.target = DeleteTarget::Single { table: first.0, alias, partitions };
                multi = false;
            }
        } else {
            let first = self.delete_table()?;
            let tables = self.delete_tables_from(first.0)?;
            self.expect_kw(Kw::FROM)?;
            d.target = DeleteTarget::Multi { tables, from: self.table_refs()? };
        }
        self.changing(Events::NONE);
        if self.accept_kw(Kw::WHERE) {
            d.where_clause = Some(self.expr_ref()?);
        }
        if !multi {
            if self.accept_kws(&[Kw::ORDER, Kw::BY]) {
                d.order_by = self.order_items()?;
            }
            d.limit = self.simple_limit()?;
        }
        d.with = self.closed_with(with);
        Ok(Statement::Delete(self.alloc(d)))
    }

    /// `t`, `db.t`, either with `.*`; the flag says whether that was there.
    fn delete_table(&mut self) -> PResult<(TableName<'a>, bool)> {
        if self.peek(1).kind == Tk::Dot && self.peek(2).kind == Tk::Star {
            let start = self.cur.start;
            let name = self.relation_ident()?;
            let name = TableName { span: self.span_from(start), schema: None, name };
            self.advance();
            self.advance();
            return Ok((name, true));
        }
        let name = self.table_name()?;
        let wild = self.accept(Tk::Dot);
        if wild {
            self.expect(Tk::Star)?;
        }
        Ok((name, wild))
    }

    fn delete_tables_from(&mut self, first: TableName<'a>) -> PResult<&'a [TableName<'a>]> {
        let mut all = self.list();
        all.push(first);
        while self.accept(Tk::Comma) {
            all.push(self.delete_table()?.0);
        }
        Ok(all.into_bump_slice())
    }

    pub(super) fn load(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::LOAD)?;
        match self.kw() {
            Kw::INDEX => return self.unsupported("LOAD INDEX INTO CACHE"),
            Kw::XML | Kw::DATA => {}
            _ => return self.fail(),
        }
        let xml = self.is_kw(Kw::XML);
        self.advance();
        let priority = match self.kw() {
            Kw::LOW_PRIORITY => Priority::Low,
            Kw::CONCURRENT => Priority::Concurrent,
            _ => Priority::Normal,
        };
        if priority != Priority::Normal {
            self.advance();
        }
        self.accept_kw(Kw::FROM);
        let local = self.accept_kw(Kw::LOCAL);
        let url = self.text(self.cur).eq_ignore_ascii_case(b"URL");
        if url || self.is_kw(Kw::S3) {
            // where a bulk load would read from; without it S3 is a file like any other
            self.advance();
        } else {
            self.expect_kw(Kw::INFILE)?;
        }
        let path = self.string()?;
        let count = self.load_count()?;
        // the engine sorts anyway
        self.accept_kws(&[Kw::IN, Kw::PRIMARY, Kw::KEY, Kw::ORDER]);
        let replace = self.accept_kw(Kw::REPLACE);
        let ignore = !replace && self.accept_kw(Kw::IGNORE);
        self.expect_kws(&[Kw::INTO, Kw::TABLE])?;
        let table = self.table_name()?;
        let partitions = self.partition_names()?;
        let charset = self.optional_charset()?;
        let xml = if xml { Some(self.row_tag()?) } else { None };
        let format = if xml.is_some() { FileFormat::default() } else { self.file_format()? };
        let mut ignore_lines = 0;
        if self.accept_kw(Kw::IGNORE) {
            ignore_lines = self.number(false)?;
            if !self.accept_kw(Kw::LINES) {
                self.expect_kw(Kw::ROWS)?;
            }
        }
        let targets = self.load_targets()?;
        let assignments = if self.accept_kw(Kw::SET) { self.assignments()? } else { &[] };
        let bulk = self.load_bulk()?;
        if bulk || count || url {
            return Err(bulk_load(bulk, local, count));
        }
        let l = LoadData {
            priority,
            local,
            path,
            replace,
            ignore,
            table,
            partitions,
            charset,
            format,
            ignore_lines,
            targets,
            assignments,
            xml,
        };
        Ok(Statement::LoadData(self.alloc(l)))
    }

    /// `(columns and variables)`.
    fn load_targets(&mut self) -> PResult<&'a [LoadTarget<'a>]> {
        let mut targets: &'a [LoadTarget<'a>] = &[];
        if self.accept(Tk::LParen) {
            if !self.is(Tk::RParen) {
                targets = self.comma_list(|p| {
                    if p.is(Tk::At) {
                        Ok(LoadTarget::UserVar(p.user_var_name()?))
                    } else {
                        Ok(LoadTarget::Column(p.column_ref()?))
                    }
                })?;
            }
            self.expect(Tk::RParen)?;
        }
        Ok(targets)
    }

    /// `[COUNT n]`: files of a bulk load.
    fn load_count(&mut self) -> PResult<bool> {
        if !self.is_ident() || self.peek(1).kind != Tk::Int {
            return Ok(false);
        }
        if !self.text(self.cur).eq_ignore_ascii_case(b"COUNT") {
            return Err(super::Fail::Says("COUNT expected", self.cur.start));
        }
        self.advance();
        self.advance();
        Ok(true)
    }

    /// `[PARALLEL [=] n] [MEMORY [=] size] [ALGORITHM [=] BULK]`: the first two mean something to a bulk load only.
    fn load_bulk(&mut self) -> PResult<bool> {
        if self.accept_kw(Kw::PARALLEL) {
            self.accept_eq();
            self.number(false)?;
        }
        if self.accept_kw(Kw::MEMORY) {
            self.accept_eq();
            self.size()?;
        }
        let bulk = self.accept_kw(Kw::ALGORITHM);
        if bulk {
            self.accept_eq();
            if !self.text(self.cur).eq_ignore_ascii_case(b"BULK") {
                return self.fail();
            }
            self.advance();
        }
        Ok(bulk)
    }

    /// `[ROWS IDENTIFIED BY '<tag>']`: the tag without its brackets.
    fn row_tag(&mut self) -> PResult<&'a [u8]> {
        if !self.accept_kw(Kw::ROWS) {
            return Ok(b"row");
        }
        self.expect_kws(&[Kw::IDENTIFIED, Kw::BY])?;
        let tag = self.string()?;
        Ok(tag.get(1..tag.len().saturating_sub(1)).unwrap_or(&[]))
    }

    pub(super) fn do_statement(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::DO)?;
        let list = self.comma_list(|p| {
            let e = p.expr()?;
            p.select_alias()?;
            Ok(e)
        })?;
        Ok(Statement::Do(list))
    }

    pub(super) fn call_statement(&mut self) -> PResult<Statement<'a>> {
        let start = self.cur.start;
        self.expect_kw(Kw::CALL)?;
        let (schema, name) = self.program_name()?;
        let mut args: &'a [Expr<'a>] = &[];
        if self.accept(Tk::LParen) {
            args = self.expr_list_or_nothing()?;
            self.expect(Tk::RParen)?;
        }
        self.note_routine(false, schema, name);
        let c = Call { span: self.span_from(start), schema, name, args };
        Ok(Statement::Call(self.alloc(c)))
    }

    pub(super) fn handler(&mut self) -> PResult<Statement<'a>> {
        self.not_in_program("HANDLER");
        self.expect_kw(Kw::HANDLER)?;
        let start = self.cur.start;
        // only OPEN takes a schema
        let table = if self.peek(1).kind == Tk::Dot {
            let table = self.table_name()?;
            if !self.is_kw(Kw::OPEN) {
                return self.fail();
            }
            table
        } else {
            let name = self.relation_ident()?;
            TableName { span: self.span_from(start), schema: None, name }
        };
        self.no_subquery = true;
        let action = match self.kw() {
            Kw::OPEN => {
                self.advance();
                HandlerAction::Open { alias: self.table_alias()? }
            }
            Kw::CLOSE => {
                self.advance();
                HandlerAction::Close
            }
            _ => {
                self.expect_kw(Kw::READ)?;
                self.handler_read()?
            }
        };
        Ok(Statement::Handler(self.alloc(Handler { table, action })))
    }

    fn handler_read(&mut self) -> PResult<HandlerAction<'a>> {
        let scan = |kw| match kw {
            Kw::FIRST => Some(HandlerPosition::First),
            Kw::NEXT => Some(HandlerPosition::Next),
            _ => None,
        };
        let (index, position);
        if let Some(p) = scan(self.kw()).filter(|_| {
            let next = self.peek(1);
            matches!(next.kind, Tk::Eof | Tk::Semi) || matches!(next.kw, Kw::WHERE | Kw::LIMIT)
        }) {
            self.advance();
            (index, position) = (None, p);
        } else {
            index = Some(self.ident()?);
            let op = match self.cur.kind {
                Tk::Eq => Some(BinaryOp::Eq),
                Tk::Ge => Some(BinaryOp::Ge),
                Tk::Le => Some(BinaryOp::Le),
                Tk::Gt => Some(BinaryOp::Gt),
                Tk::Lt => Some(BinaryOp::Lt),
                _ => None,
            };
            position = match (op, self.kw()) {
                (Some(op), _) => {
                    self.advance();
                    if self.peek(1).kind == Tk::RParen {
                        self.advance();
                        return self.fail();
                    }
                    HandlerPosition::Key(op, self.row_values()?)
                }
                (_, Kw::FIRST) => HandlerPosition::First,
                (_, Kw::NEXT) => HandlerPosition::Next,
                (_, Kw::PREV) => HandlerPosition::Prev,
                (_, Kw::LAST) => HandlerPosition::Last,
                _ => return self.fail(),
            };
            if op.is_none() {
                self.advance();
            }
        }
        let where_clause = if self.accept_kw(Kw::WHERE) { Some(self.expr_ref()?) } else { None };
        let limit = self.limit()?;
        Ok(HandlerAction::Read { index, position, where_clause, limit })
    }

    /// Used by CREATE TABLE .. SELECT and CREATE VIEW.
    pub(super) fn query_statement(&mut self) -> PResult<&'a QueryExpr<'a>> {
        self.query_expr()
    }

    pub(super) fn simple_column(&mut self) -> PResult<ColumnRef<'a>> {
        self.column_ref()
    }
}
