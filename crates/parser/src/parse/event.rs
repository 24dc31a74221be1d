//! CREATE EVENT and ALTER EVENT: schedules and what becomes of an event (manual: "CREATE EVENT Statement").
//!
//! Tested in `tests/statements.rs`, goldens `program_events`, `syntax_errors`.

use super::program_scope::ProgramScope;
use super::{Fail, PResult, Parser};
use crate::ast::{
    Account, AlterEvent, Characteristics, CreateProgram, EventHead, EventStatus, ProgramKind, Schedule, Span, Statement,
};
use crate::lexer::Kw;
use base::ErrorCode;

impl<'a> Parser<'a, '_> {
    pub(super) fn create_event(&mut self, definer: Option<Account<'a>>) -> PResult<Statement<'a>> {
        self.advance();
        let if_not_exists = self.if_not_exists()?;
        let name = self.program_table_name()?;
        self.expect_kws(&[Kw::ON, Kw::SCHEDULE])?;
        let schedule = self.schedule()?;
        let preserve = if self.is_kw(Kw::ON) { Some(self.on_completion()?) } else { None };
        let status = self.event_status()?;
        let comment = if self.accept_kw(Kw::COMMENT) { Some(self.string()?) } else { None };
        self.expect_kw(Kw::DO)?;
        let body = self.program_body()?;
        let head = self.alloc(EventHead { schedule, preserve, status, comment });
        let c = CreateProgram {
            kind: ProgramKind::Event,
            definer,
            if_not_exists,
            name,
            parameters: &[],
            parameters_span: Span::default(),
            returns: None,
            characteristics: Characteristics::default(),
            trigger: None,
            event: Some(head),
            body,
        };
        Ok(Statement::CreateProgram(self.alloc(c)))
    }

    /// `AT expr`, `EVERY expr unit [STARTS expr] [ENDS expr]`
    fn schedule(&mut self) -> PResult<Schedule<'a>> {
        if self.accept_kw(Kw::AT) {
            return Ok(Schedule::At(self.expr()?));
        }
        self.expect_kw(Kw::EVERY)?;
        let value = self.expr()?;
        let unit = self.interval_unit()?;
        let starts = if self.accept_word("STARTS") { Some(self.expr()?) } else { None };
        let ends = if self.accept_kw(Kw::ENDS) { Some(self.expr()?) } else { None };
        Ok(Schedule::Every { value, unit, starts, ends })
    }

    /// Whether the event is kept.
    fn on_completion(&mut self) -> PResult<bool> {
        self.expect_kws(&[Kw::ON, Kw::COMPLETION])?;
        let not = self.accept_kw(Kw::NOT);
        self.expect_kw(Kw::PRESERVE)?;
        Ok(!not)
    }

    fn event_status(&mut self) -> PResult<Option<EventStatus>> {
        if self.accept_kw(Kw::ENABLE) {
            return Ok(Some(EventStatus::Enable));
        }
        if !self.accept_kw(Kw::DISABLE) {
            return Ok(None);
        }
        if !self.accept_kw(Kw::ON) {
            return Ok(Some(EventStatus::Disable));
        }
        if !self.accept_kw(Kw::REPLICA) {
            self.expect_kw(Kw::SLAVE)?;
        }
        Ok(Some(EventStatus::DisableOnReplica))
    }

    /// ALTER EVENT changes at least one thing.
    pub(super) fn alter_event(&mut self, definer: Option<Account<'a>>) -> PResult<Statement<'a>> {
        self.advance();
        let name = self.program_table_name()?;
        let mut a = AlterEvent {
            definer,
            name,
            schedule: None,
            preserve: None,
            rename: None,
            status: None,
            comment: None,
            body: None,
        };
        if self.is_kws(&[Kw::ON, Kw::SCHEDULE]) {
            self.advance();
            self.advance();
            a.schedule = Some(self.schedule()?);
        }
        if self.is_kw(Kw::ON) {
            a.preserve = Some(self.on_completion()?);
        }
        if self.accept_kws(&[Kw::RENAME, Kw::TO]) {
            a.rename = Some(self.program_table_name()?);
        }
        a.status = self.event_status()?;
        if self.accept_kw(Kw::COMMENT) {
            a.comment = Some(self.string()?);
        }
        if self.accept_kw(Kw::DO) {
            let inner = std::mem::replace(&mut self.in_program, true);
            if inner {
                self.later.get_or_insert(Fail::Words(ErrorCode::EVENT_RECURSION_FORBIDDEN, ""));
            }
            let outer = self.program.replace(ProgramScope::new(ProgramKind::Event));
            let body = self.program_body();
            (self.program, self.in_program) = (outer, inner);
            a.body = Some(body?);
        }
        let changed = a.schedule.is_some() || a.preserve.is_some() || a.rename.is_some();
        let told = a.status.is_some() || a.comment.is_some() || a.body.is_some();
        if changed || told { Ok(Statement::AlterEvent(self.alloc(a))) } else { self.fail() }
    }
}
