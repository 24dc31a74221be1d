//! EXPLAIN, KILL, FLUSH, table maintenance, PREPARE.

use super::{PResult, Parser};
use crate::ast::{
    AdminKind, Explain, ExplainFormat, ExplainTarget, Flush, FlushItem, Histogram, Kill, Prepare, PrepareSource,
    Statement, TableAdmin,
};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    /// EXPLAIN, DESCRIBE, DESC
    pub(super) fn explain(&mut self) -> PResult<Statement<'a>> {
        self.enter()?;
        self.advance();
        let mut e =
            Explain { analyze: false, format: None, into: None, target: ExplainTarget::Statement(Statement::Shutdown) };
        let mut options = false;
        if self.is_kw(Kw::ANALYZE) {
            self.advance();
            e.analyze = true;
            options = true;
        }
        if self.is_kw(Kw::FORMAT) && self.peek(1).kind == Tk::Eq {
            self.advance();
            self.advance();
            e.format = Some(self.explain_format()?);
            options = true;
        }
        if self.is_kw(Kw::INTO) && e.format.is_none() {
            let here = crate::ast::Span::new(self.cur.start, self.cur.start);
            let code = base::ErrorCode::EXPLAIN_INTO_IMPLICIT_FORMAT_NOT_SUPPORTED;
            self.later.get_or_insert(super::Fail::Other(code, here));
        }
        if self.is_kw(Kw::INTO) && matches!(e.format, Some(ExplainFormat::Traditional | ExplainFormat::Tree)) {
            let named = self.tokens.get(self.pos.saturating_sub(1)).copied().unwrap_or(self.cur);
            let code = base::ErrorCode::EXPLAIN_INTO_FORMAT_NOT_SUPPORTED;
            self.later.get_or_insert(super::Fail::Other(code, crate::ast::Span::new(named.start, named.end)));
        }
        if self.accept_kw(Kw::INTO) {
            options = true;
            e.into = Some(self.at_name()?);
        }
        if self.accept_kw(Kw::FOR) {
            return self.explain_for(e);
        }
        if self.is_explainable() {
            e.target = ExplainTarget::Statement(self.statement()?);
            return Ok(Statement::Explain(self.alloc(e)));
        }
        if options {
            return self.fail();
        }
        let table = self.table_name()?;
        let mut column = None;
        if self.is(Tk::Str) {
            column = Some(self.string()?);
        } else if self.is_ident() {
            column = Some(self.ident()?.as_bytes());
        }
        Ok(Statement::Describe { table, column })
    }

    /// The name behind FORMAT =.
    fn explain_format(&mut self) -> PResult<ExplainFormat> {
        let name = self.ident_or_text()?;
        Ok(match self.lower_str(name) {
            "traditional" => ExplainFormat::Traditional,
            "json" => ExplainFormat::Json,
            "tree" => ExplainFormat::Tree,
            _ => {
                let at = self.tokens.get(self.pos.saturating_sub(1)).copied().unwrap_or(self.cur);
                let span = crate::ast::Span::new(at.start, at.end);
                return Err(super::Fail::Other(base::ErrorCode::UNKNOWN_EXPLAIN_FORMAT, span));
            }
        })
    }

    /// Whether a statement begins here that can be explained.
    fn is_explainable(&self) -> bool {
        matches!(
            self.kw(),
            Kw::SELECT | Kw::TABLE | Kw::VALUES | Kw::WITH | Kw::INSERT | Kw::REPLACE | Kw::UPDATE | Kw::DELETE
        ) || self.is(Tk::LParen)
    }

    /// EXPLAIN FOR CONNECTION, and FOR SCHEMA, which is not supported.
    fn explain_for(&mut self, mut e: Explain<'a>) -> PResult<Statement<'a>> {
        if self.accept_kw(Kw::CONNECTION) {
            if e.into.is_some() {
                let here = crate::ast::Span::new(self.cur.start, self.cur.start);
                let code = base::ErrorCode::EXPLAIN_INTO_FOR_CONNECTION_NOT_SUPPORTED;
                self.later.get_or_insert(super::Fail::Other(code, here));
            }
            e.target = ExplainTarget::Connection(self.number(false)?);
            return Ok(Statement::Explain(self.alloc(e)));
        }
        if !self.accept_kw(Kw::SCHEMA) {
            self.expect_kw(Kw::DATABASE)?;
        }
        self.ident()?;
        if !self.is_explainable() {
            return self.fail();
        }
        self.statement()?;
        Ok(Statement::Unsupported { feature: "EXPLAIN FOR SCHEMA" })
    }

    pub(super) fn kill(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::KILL)?;
        let query = self.accept_kw(Kw::QUERY);
        if !query {
            self.accept_kw(Kw::CONNECTION);
        }
        let k = Kill { query, id: self.expr()? };
        Ok(Statement::Kill(self.alloc(k)))
    }

    fn no_binlog(&mut self) -> bool {
        self.accept_kw(Kw::NO_WRITE_TO_BINLOG) || self.accept_kw(Kw::LOCAL)
    }

    pub(super) fn flush(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::FLUSH)?;
        let local = self.no_binlog();
        let items = if matches!(self.kw(), Kw::TABLE | Kw::TABLES) {
            let item = self.flush_tables()?;
            std::slice::from_ref(self.alloc(item))
        } else {
            self.comma_list(|p| p.flush_item())?
        };
        Ok(Statement::Flush(self.alloc(Flush { local, items })))
    }

    fn flush_tables(&mut self) -> PResult<FlushItem<'a>> {
        self.advance();
        let tables = if self.is_ident() { self.comma_list(|p| p.table_name())? } else { &[] };
        let with_read_lock = self.accept_kws(&[Kw::WITH, Kw::READ, Kw::LOCK]);
        let for_export = !with_read_lock && !tables.is_empty() && self.accept_kws(&[Kw::FOR, Kw::EXPORT]);
        Ok(FlushItem::Tables { tables, with_read_lock, for_export })
    }

    fn flush_item(&mut self) -> PResult<FlushItem<'a>> {
        let kw = self.kw();
        self.advance();
        let item = match kw {
            Kw::LOGS => FlushItem::Logs,
            Kw::PRIVILEGES => FlushItem::Privileges,
            Kw::STATUS => FlushItem::Status,
            Kw::USER_RESOURCES => FlushItem::UserResources,
            Kw::OPTIMIZER_COSTS => FlushItem::OptimizerCosts,
            Kw::BINARY | Kw::ENGINE | Kw::ERROR | Kw::GENERAL | Kw::SLOW => {
                self.expect_kw(Kw::LOGS)?;
                match kw {
                    Kw::BINARY => FlushItem::BinaryLogs,
                    Kw::ENGINE => FlushItem::EngineLogs,
                    Kw::ERROR => FlushItem::ErrorLogs,
                    Kw::GENERAL => FlushItem::GeneralLogs,
                    _ => FlushItem::SlowLogs,
                }
            }
            _ if self.is_kw(Kw::LOGS) && self.is_word_before("RELAY") => {
                self.advance();
                let channel = if self.accept_kws(&[Kw::FOR, Kw::CHANNEL]) { Some(self.string()?) } else { None };
                FlushItem::RelayLogs { channel }
            }
            _ => {
                self.rewind(self.pos.saturating_sub(1));
                return self.fail();
            }
        };
        Ok(item)
    }

    fn is_word_before(&self, word: &str) -> bool {
        self.pos
            .checked_sub(1)
            .and_then(|i| self.tokens.get(i))
            .is_some_and(|t| self.text(*t).eq_ignore_ascii_case(word.as_bytes()))
    }

    /// ANALYZE, CHECK, OPTIMIZE, REPAIR, CHECKSUM.
    pub(super) fn table_admin(&mut self, kind: AdminKind) -> PResult<Statement<'a>> {
        if matches!(kind, AdminKind::Check) {
            self.not_in_program("CHECK");
        }
        self.advance();
        let local = !matches!(kind, AdminKind::Check | AdminKind::Checksum) && self.no_binlog();
        if !self.accept_kw(Kw::TABLE) {
            self.expect_kw(Kw::TABLES)?;
        }
        let tables = self.comma_list(|p| p.table_name())?;
        let mut options = self.list();
        loop {
            let allowed = match kind {
                AdminKind::Check => {
                    matches!(self.kw(), Kw::QUICK | Kw::FAST | Kw::MEDIUM | Kw::EXTENDED | Kw::CHANGED | Kw::FOR)
                }
                AdminKind::Repair => matches!(self.kw(), Kw::QUICK | Kw::EXTENDED | Kw::USE_FRM),
                AdminKind::Checksum => matches!(self.kw(), Kw::QUICK | Kw::EXTENDED),
                _ => false,
            };
            if !allowed {
                break;
            }
            if self.accept_kw(Kw::FOR) {
                self.expect_kw(Kw::UPGRADE)?;
                options.push("for upgrade");
            } else {
                options.push(self.lower(self.cur)?);
                self.advance();
            }
        }
        let histogram = if kind == AdminKind::Analyze { self.histogram()? } else { None };
        let t = TableAdmin { kind, local, tables, options: options.into_bump_slice(), histogram };
        Ok(Statement::TableAdmin(self.alloc(t)))
    }

    fn histogram(&mut self) -> PResult<Option<Histogram<'a>>> {
        let drop = match self.kw() {
            Kw::UPDATE => false,
            Kw::DROP => true,
            _ => return Ok(None),
        };
        self.advance();
        self.expect_kws(&[Kw::HISTOGRAM, Kw::ON])?;
        let columns = self.comma_list(|p| p.ident())?;
        let mut h = Histogram { drop, columns, buckets: None, using_data: None, auto: false };
        if !drop {
            if self.accept_kw(Kw::USING) {
                self.expect_kw(Kw::DATA)?;
                h.using_data = Some(self.string()?);
            } else if self.is_kw(Kw::WITH) && self.peek(1).kind == Tk::Int {
                self.advance();
                h.buckets = Some(self.number(false)?);
                self.expect_kw(Kw::BUCKETS)?;
            }
            // {MANUAL|AUTO} UPDATE; AUTO is no keyword of the lexer
            let auto = self.is_ident() && self.lower(self.cur).is_ok_and(|w| w == "auto");
            if h.using_data.is_none() && (auto || self.is_kw(Kw::MANUAL)) {
                self.advance();
                self.expect_kw(Kw::UPDATE)?;
                h.auto = auto;
            }
        }
        Ok(Some(h))
    }

    pub(super) fn prepare(&mut self) -> PResult<Statement<'a>> {
        let start = self.cur.start;
        self.expect_kw(Kw::PREPARE)?;
        let name = self.ident()?;
        self.expect_kw(Kw::FROM)?;
        let source = if self.is(Tk::At) {
            PrepareSource::UserVar(self.user_var_name()?)
        } else {
            PrepareSource::Text(self.string()?)
        };
        let p = Prepare { name, source, span: self.span_from(start) };
        Ok(Statement::Prepare(self.alloc(p)))
    }

    pub(super) fn execute(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::EXECUTE)?;
        let name = self.ident()?;
        let using = if self.accept_kw(Kw::USING) { self.comma_list(|p| p.at_name())? } else { &[] };
        Ok(Statement::Execute { name, using })
    }
}
