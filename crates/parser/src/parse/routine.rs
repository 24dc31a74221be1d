//! CREATE and ALTER of procedures, functions, triggers and events: their heads. Bodies: `body.rs`.
//!
//! What follows the body is the next statement. Tested in `tests/statements.rs`, `tests/programs.rs` and by golden
//! `syntax_errors`.

use super::program_scope::ProgramScope;
use super::{Fail, PResult, Parser};
use crate::ast::{
    Account, AlterRoutine, Characteristics, CreateProgram, DataAccess, Parameter, ParameterMode, ProgramKind, SlotKind,
    Span, Statement, TableName, TriggerEvent, TriggerHead, TriggerOrder, VariableType,
};
use crate::lexer::{Kw, Tk};
use base::ErrorCode;

/// What a body may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Sql,
    Other,
}

impl<'a> Parser<'a, '_> {
    /// Takes everything up to the end of the statement; the rest of it is not checked.
    pub(super) fn unsupported(&mut self, feature: &'static str) -> PResult<Statement<'a>> {
        while !self.at_end() {
            if self.is(Tk::Bad) {
                return self.fail();
            }
            self.advance();
        }
        Ok(Statement::Unsupported { feature })
    }

    /// CREATE PROCEDURE and its kind, from the object's word on.
    pub(super) fn create_program(&mut self, definer: Option<Account<'a>>) -> PResult<Statement<'a>> {
        let inner = std::mem::replace(&mut self.in_program, true);
        let kind = match self.kw() {
            Kw::PROCEDURE => ProgramKind::Procedure,
            Kw::FUNCTION | Kw::AGGREGATE => ProgramKind::Function,
            Kw::TRIGGER => ProgramKind::Trigger,
            Kw::EVENT => ProgramKind::Event,
            _ => return self.fail(),
        };
        if inner {
            let fail = match kind {
                ProgramKind::Event => Fail::Words(ErrorCode::EVENT_RECURSION_FORBIDDEN, ""),
                _ => Fail::Words(ErrorCode::SP_NO_RECURSIVE_CREATE, word(kind)),
            };
            self.notice(fail);
            self.later.get_or_insert(fail);
        }
        let outer = self.program.replace(ProgramScope::new(kind));
        let made = match kind {
            ProgramKind::Procedure => self.create_routine(kind, definer),
            ProgramKind::Function => self.create_function(definer),
            ProgramKind::Trigger => self.create_trigger(definer),
            ProgramKind::Event => self.create_event(definer),
        };
        self.program = outer;
        self.in_program = inner;
        made
    }

    fn create_function(&mut self, definer: Option<Account<'a>>) -> PResult<Statement<'a>> {
        let aggregate = self.accept_kw(Kw::AGGREGATE);
        // `FUNCTION name RETURNS type SONAME` has no parameters
        let mut name = 1;
        if self.peek(1).kw == Kw::IF {
            name = 4;
        }
        let loadable = self.peek(name + 1).kw == Kw::RETURNS;
        if !aggregate && !loadable {
            return self.create_routine(ProgramKind::Function, definer);
        }
        self.expect_kw(Kw::FUNCTION)?;
        self.if_not_exists()?;
        self.ident()?;
        self.expect_kw(Kw::RETURNS)?;
        if !matches!(self.kw(), Kw::STRING | Kw::REAL | Kw::DECIMAL | Kw::INTEGER | Kw::INT | Kw::DEC | Kw::NUMERIC) {
            return self.fail();
        }
        self.advance();
        self.expect_kw(Kw::SONAME)?;
        self.string()?;
        Ok(Statement::Unsupported { feature: "CREATE FUNCTION ... SONAME" })
    }

    fn create_routine(&mut self, kind: ProgramKind, definer: Option<Account<'a>>) -> PResult<Statement<'a>> {
        self.advance();
        let function = kind == ProgramKind::Function;
        let if_not_exists = self.if_not_exists()?;
        let name = self.program_table_name()?;
        self.expect(Tk::LParen)?;
        let from = self.prev_end();
        let parameters = if self.is(Tk::RParen) { &[][..] } else { self.comma_list(|p| p.parameter(function))? };
        let parameters_span = Span::new(from, self.cur.start);
        self.expect(Tk::RParen)?;
        let mut returns = None;
        if function {
            self.expect_kw(Kw::RETURNS)?;
            returns = Some(self.variable_type()?);
        }
        let (mut language, mut characteristics) = (Language::Sql, Characteristics::default());
        while self.characteristic(true, &mut language, &mut characteristics)? {}
        if language == Language::Other {
            self.expect_kw(Kw::AS)?;
            if !self.is(Tk::Str) && !self.is(Tk::Dollar) {
                return self.fail();
            }
            self.advance();
            let feature =
                if function { "CREATE FUNCTION in this LANGUAGE" } else { "CREATE PROCEDURE in this LANGUAGE" };
            return Ok(Statement::Unsupported { feature });
        }
        let body = self.program_body()?;
        let c = CreateProgram {
            kind,
            definer,
            if_not_exists,
            name,
            parameters,
            parameters_span,
            returns,
            characteristics,
            trigger: None,
            event: None,
            body,
        };
        Ok(Statement::CreateProgram(self.alloc(c)))
    }

    fn parameter(&mut self, function: bool) -> PResult<Parameter<'a>> {
        let mut mode = ParameterMode::In;
        if !function && matches!(self.kw(), Kw::IN | Kw::OUT | Kw::INOUT) {
            mode = match self.kw() {
                Kw::OUT => ParameterMode::Out,
                Kw::INOUT => ParameterMode::InOut,
                _ => ParameterMode::In,
            };
            self.advance();
        }
        let at = self.cur.start;
        let name = self.ident()?;
        let ty = self.variable_type()?;
        if self.local_slot(name).is_some() {
            return Err(Fail::Name(ErrorCode::SP_DUP_PARAM, at));
        }
        self.declare(name, SlotKind::Parameter(ty));
        Ok(Parameter { mode, name, ty })
    }

    /// A program's name as a pair.
    pub(super) fn program_table_name(&mut self) -> PResult<TableName<'a>> {
        let start = self.cur.start;
        let (schema, name) = self.program_name()?;
        let schema = schema.map(|s| self.folded(s));
        Ok(TableName { span: self.span_from(start), schema, name })
    }

    /// The name of a program, with or without its schema.
    pub(super) fn program_name(&mut self) -> PResult<(Option<&'a str>, &'a str)> {
        let mut at = self.cur.start;
        let (mut schema, mut name) = (None, self.ident()?);
        if self.accept(Tk::Dot) {
            self.check_schema(name, at, true)?;
            at = self.cur.start;
            (schema, name) = (Some(name), self.ident()?);
        }
        if name.is_empty() || name.ends_with(' ') {
            return Err(Fail::Name(ErrorCode::SP_WRONG_NAME, at));
        }
        Ok((schema, name))
    }

    /// A parameter's or a variable's type.
    pub(super) fn variable_type(&mut self) -> PResult<VariableType<'a>> {
        let start = self.cur.start;
        let ty = self.data_type()?;
        let mut collation = None;
        if self.is_kw(Kw::COLLATE) {
            if ty.collation.is_some() {
                return Err(Fail::Says("Multiple COLLATE clauses", self.cur.start));
            }
            self.advance();
            collation = Some(self.collation_name()?);
            if ty.charset.is_none() {
                let what = "COLLATE with no CHARACTER SET in SP parameters, RETURNS, DECLARE";
                return Err(Fail::Words(ErrorCode::NOT_SUPPORTED_YET, what));
            }
        }
        Ok(VariableType { span: self.span_from(start), ty, collation })
    }

    /// One characteristic, if one stands here.
    fn characteristic(&mut self, create: bool, language: &mut Language, c: &mut Characteristics<'a>) -> PResult<bool> {
        match self.kw() {
            Kw::COMMENT => {
                self.advance();
                c.comment = Some(self.string()?);
            }
            Kw::LANGUAGE => {
                self.advance();
                *language = if self.accept_kw(Kw::SQL) {
                    c.language_sql = true;
                    Language::Sql
                } else {
                    self.ident()?;
                    Language::Other
                };
            }
            Kw::NO => {
                self.advance();
                self.expect_kw(Kw::SQL)?;
                c.data_access = Some(DataAccess::NoSql);
            }
            Kw::READS | Kw::MODIFIES => {
                let reads = self.is_kw(Kw::READS);
                self.advance();
                self.expect_kws(&[Kw::SQL, Kw::DATA])?;
                c.data_access = Some(if reads { DataAccess::ReadsSqlData } else { DataAccess::ModifiesSqlData });
            }
            Kw::SQL => {
                self.advance();
                self.expect_kw(Kw::SECURITY)?;
                c.security_invoker = Some(self.one_of(&[Kw::DEFINER, Kw::INVOKER])? == "invoker");
            }
            Kw::DETERMINISTIC if create => {
                self.advance();
                c.deterministic = Some(true);
            }
            Kw::NOT if create => {
                self.advance();
                self.expect_kw(Kw::DETERMINISTIC)?;
                c.deterministic = Some(false);
            }
            _ if self.is_word("CONTAINS") => {
                self.advance();
                self.expect_kw(Kw::SQL)?;
                c.data_access = Some(DataAccess::ContainsSql);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A word that the lexer does not know.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.is(Tk::Word) && self.text(self.cur).eq_ignore_ascii_case(word.as_bytes())
    }

    /// The same, taken if it stands here.
    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let hit = self.is_word(word);
        if hit {
            self.advance();
        }
        hit
    }

    /// One of these words.
    pub(super) fn accept_words(&mut self, words: &[&str]) -> bool {
        words.iter().any(|w| self.accept_word(w))
    }

    /// 1357: a program drops or alters no routine.
    pub(super) fn not_dropped_in_program(&mut self, kind: ProgramKind) {
        if self.in_program && matches!(kind, ProgramKind::Procedure | ProgramKind::Function) {
            let fail = Fail::Words(ErrorCode::SP_NO_DROP_SP, word(kind));
            self.notice(fail);
            self.later.get_or_insert(fail);
        }
    }

    /// ALTER PROCEDURE and FUNCTION: characteristics only.
    pub(super) fn alter_routine(&mut self, kind: ProgramKind) -> PResult<Statement<'a>> {
        self.advance();
        self.not_dropped_in_program(kind);
        let name = self.program_table_name()?;
        let (mut language, mut characteristics) = (Language::Sql, Characteristics::default());
        while self.characteristic(false, &mut language, &mut characteristics)? {}
        if language == Language::Other {
            return Ok(Statement::Unsupported { feature: "ALTER of a routine to this LANGUAGE" });
        }
        Ok(Statement::AlterRoutine(self.alloc(AlterRoutine { kind, name, characteristics })))
    }

    fn create_trigger(&mut self, definer: Option<Account<'a>>) -> PResult<Statement<'a>> {
        self.advance();
        let if_not_exists = self.if_not_exists()?;
        let name = self.program_table_name()?;
        let after = self.one_of(&[Kw::BEFORE, Kw::AFTER])? == "after";
        let event = match self.one_of(&[Kw::INSERT, Kw::UPDATE, Kw::DELETE])? {
            "insert" => TriggerEvent::Insert,
            "update" => TriggerEvent::Update,
            _ => TriggerEvent::Delete,
        };
        if let Some(p) = &mut self.program {
            p.trigger = Some((event, after));
        }
        self.expect_kw(Kw::ON)?;
        let table = self.table_name()?;
        self.expect_kws(&[Kw::FOR, Kw::EACH, Kw::ROW])?;
        let mut order = None;
        if matches!(self.kw(), Kw::FOLLOWS | Kw::PRECEDES) {
            let precedes = self.is_kw(Kw::PRECEDES);
            self.advance();
            order = Some(TriggerOrder { precedes, other: self.ident_or_text()? });
        }
        let body = self.program_body()?;
        let head = self.alloc(TriggerHead { after, event, table, order });
        let c = CreateProgram {
            kind: ProgramKind::Trigger,
            definer,
            if_not_exists,
            name,
            parameters: &[],
            parameters_span: Span::default(),
            returns: None,
            characteristics: Characteristics::default(),
            trigger: Some(head),
            event: None,
            body,
        };
        Ok(Statement::CreateProgram(self.alloc(c)))
    }
}

/// As errors say it.
fn word(kind: ProgramKind) -> &'static str {
    match kind {
        ProgramKind::Procedure => "PROCEDURE",
        ProgramKind::Function => "FUNCTION",
        ProgramKind::Trigger => "TRIGGER",
        ProgramKind::Event => "EVENT",
    }
}
