//! CREATE, ALTER and DROP: which object, then indexes, databases and views.

use super::{PResult, Parser};
use crate::ast::{
    Account, AlterDatabase, CheckOption, CreateDatabase, CreateIndex, CreateView, DatabaseOption, DropIndex, DropView,
    IndexDef, IndexKind, ProgramKind, Statement,
};
use crate::lexer::{Kw, Tk};

/// What may stand between CREATE and the object's word.
#[derive(Default)]
struct Prefix<'a> {
    or_replace: bool,
    algorithm: Option<&'a str>,
    definer: Option<Account<'a>>,
    security_invoker: Option<bool>,
}

impl<'a> Parser<'a, '_> {
    pub(super) fn create(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::CREATE)?;
        match self.kw() {
            Kw::TABLE => {
                self.advance();
                self.create_table(false)
            }
            Kw::TEMPORARY => {
                self.advance();
                self.expect_kw(Kw::TABLE)?;
                self.create_table(true)
            }
            Kw::UNIQUE | Kw::FULLTEXT | Kw::INDEX => self.create_index(),
            Kw::SPATIAL if self.peek(1).kw == Kw::INDEX => self.create_index(),
            Kw::DATABASE | Kw::SCHEMA => {
                self.advance();
                let if_not_exists = self.if_not_exists()?;
                let name = self.relation_ident()?;
                let options = self.database_options(false)?;
                let c = CreateDatabase { if_not_exists, name, options };
                Ok(Statement::CreateDatabase(self.alloc(c)))
            }
            Kw::USER => self.create_user(),
            Kw::ROLE => {
                self.advance();
                let if_not_exists = self.if_not_exists()?;
                let roles = self.roles()?;
                Ok(Statement::CreateRole { if_not_exists, roles })
            }
            Kw::SERVER => self.unsupported("CREATE SERVER"),
            Kw::TABLESPACE | Kw::UNDO | Kw::LOGFILE => self.tablespace(Kw::CREATE),
            Kw::RESOURCE => self.resource_group(true),
            Kw::SPATIAL => self.reference_system(true),
            _ => self.create_with_prefix(),
        }
    }

    /// Views and stored programs: OR REPLACE, ALGORITHM, DEFINER, SQL SECURITY first.
    fn create_with_prefix(&mut self) -> PResult<Statement<'a>> {
        let mut p = Prefix { or_replace: self.accept_kws(&[Kw::OR, Kw::REPLACE]), ..Prefix::default() };
        if p.or_replace && self.is_kw(Kw::SPATIAL) {
            return self.reference_system(true);
        }
        self.prefix(&mut p)?;
        match self.kw() {
            Kw::VIEW => self.view(p, false),
            _ if p.or_replace || p.algorithm.is_some() => self.fail(),
            _ if p.definer.is_some() && self.peek(2).kw == Kw::RETURNS => self.fail(),
            _ => self.create_program(p.definer),
        }
    }

    fn prefix(&mut self, p: &mut Prefix<'a>) -> PResult<()> {
        if self.is_kw(Kw::ALGORITHM) {
            self.advance();
            self.expect(Tk::Eq)?;
            p.algorithm = Some(self.one_of(&[Kw::UNDEFINED, Kw::MERGE, Kw::TEMPTABLE])?);
        }
        if self.accept_kw(Kw::DEFINER) {
            self.expect(Tk::Eq)?;
            p.definer = Some(self.account()?);
        }
        if self.accept_kws(&[Kw::SQL, Kw::SECURITY]) {
            p.security_invoker = Some(self.one_of(&[Kw::DEFINER, Kw::INVOKER])? == "invoker");
        }
        Ok(())
    }

    fn view(&mut self, p: Prefix<'a>, alter: bool) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::VIEW)?;
        let view = self.table_name()?;
        let columns = if self.is(Tk::LParen) { self.ident_list()? } else { &[] };
        self.expect_kw(Kw::AS)?;
        let (intos, variables) = (self.intos, self.variables);
        let query = self.query_statement()?;
        self.no_trailing_into()?;
        if self.intos != intos {
            let here = crate::ast::Span::new(self.cur.start, self.cur.start);
            self.later = Some(super::Fail::Other(base::ErrorCode::VIEW_SELECT_CLAUSE, here));
        } else if self.variables != variables {
            self.later.get_or_insert(super::Fail::Words(base::ErrorCode::VIEW_SELECT_VARIABLE, ""));
        }
        let mut check_option = None;
        if self.accept_kw(Kw::WITH) {
            check_option = Some(if self.accept_kw(Kw::LOCAL) {
                CheckOption::Local
            } else {
                self.accept_kw(Kw::CASCADED);
                CheckOption::Cascaded
            });
            self.expect_kws(&[Kw::CHECK, Kw::OPTION])?;
        }
        let v = CreateView {
            or_replace: p.or_replace,
            alter,
            algorithm: p.algorithm,
            definer: p.definer,
            security_invoker: p.security_invoker,
            view,
            columns,
            query,
            check_option,
        };
        Ok(Statement::CreateView(self.alloc(v)))
    }

    fn create_index(&mut self) -> PResult<Statement<'a>> {
        let kind = match self.kw() {
            Kw::UNIQUE => IndexKind::Unique,
            Kw::FULLTEXT => IndexKind::Fulltext,
            Kw::SPATIAL => IndexKind::Spatial,
            _ => IndexKind::Plain,
        };
        if kind != IndexKind::Plain {
            self.advance();
        }
        self.expect_kw(Kw::INDEX)?;
        let name = self.ident()?;
        let mut options = self.list();
        if !matches!(kind, IndexKind::Fulltext | IndexKind::Spatial)
            && let Some(u) = self.index_using()?
        {
            options.push(u);
        }
        self.expect_kw(Kw::ON)?;
        let table = self.table_name()?;
        let parts = self.key_parts()?;
        self.index_options(kind, &mut options)?;
        let index = IndexDef { kind, name: Some(name), constraint: None, parts, options: options.into_bump_slice() };
        let (algorithm, lock) = self.algorithm_and_lock()?;
        Ok(Statement::CreateIndex(self.alloc(CreateIndex { table, index, algorithm, lock })))
    }

    fn algorithm_and_lock(&mut self) -> PResult<(Option<&'a str>, Option<&'a str>)> {
        let (mut algorithm, mut lock) = (None, None);
        loop {
            match self.kw() {
                Kw::ALGORITHM if algorithm.is_none() => algorithm = Some(self.algorithm()?),
                Kw::LOCK if lock.is_none() => lock = Some(self.lock_option()?),
                _ => return Ok((algorithm, lock)),
            }
        }
    }

    fn database_options(&mut self, alter: bool) -> PResult<&'a [DatabaseOption<'a>]> {
        let mut out = self.list();
        loop {
            let default = self.accept_kw(Kw::DEFAULT);
            let option = match self.kw() {
                Kw::COLLATE => {
                    self.advance();
                    self.accept_eq();
                    DatabaseOption::Collate(self.collation_name()?)
                }
                Kw::CHARACTER | Kw::CHARSET | Kw::CHAR => {
                    self.charset_words()?;
                    self.accept_eq();
                    DatabaseOption::Charset(self.charset_name()?)
                }
                Kw::ENCRYPTION => {
                    self.advance();
                    self.accept_eq();
                    DatabaseOption::Encryption(self.string()?)
                }
                Kw::READ if alter && !default => {
                    self.advance();
                    self.expect_kw(Kw::ONLY)?;
                    self.accept_eq();
                    DatabaseOption::ReadOnly(if self.accept_kw(Kw::DEFAULT) {
                        None
                    } else {
                        let at = self.cur.start;
                        match self.number(false)? {
                            n @ 0..=1 => Some(n == 1),
                            _ => return Err(super::Fail::Syntax(at)),
                        }
                    })
                }
                _ if default => return self.fail(),
                _ => return Ok(out.into_bump_slice()),
            };
            out.push(option);
        }
    }

    pub(super) fn alter(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::ALTER)?;
        match self.kw() {
            Kw::TABLE => {
                self.advance();
                self.alter_table()
            }
            Kw::DATABASE | Kw::SCHEMA => {
                self.advance();
                let name = if self.is_ident() && !matches!(self.kw(), Kw::CHARSET | Kw::ENCRYPTION) {
                    Some(self.relation_ident()?)
                } else {
                    None
                };
                let options = self.database_options(true)?;
                if options.is_empty() {
                    return self.fail();
                }
                Ok(Statement::AlterDatabase(self.alloc(AlterDatabase { name, options })))
            }
            Kw::USER => self.alter_user(),
            Kw::VIEW | Kw::ALGORITHM | Kw::SQL | Kw::DEFINER => {
                self.not_in_program("ALTER VIEW");
                let mut p = Prefix::default();
                self.prefix(&mut p)?;
                match self.kw() {
                    Kw::EVENT if p.algorithm.is_none() => self.alter_event(p.definer),
                    _ => self.view(p, true),
                }
            }
            Kw::PROCEDURE => self.alter_routine(ProgramKind::Procedure),
            Kw::FUNCTION => self.alter_routine(ProgramKind::Function),
            Kw::EVENT => self.alter_event(None),
            Kw::INSTANCE => self.alter_instance(),
            Kw::SERVER => self.unsupported("ALTER SERVER"),
            Kw::TABLESPACE | Kw::UNDO | Kw::LOGFILE => self.tablespace(Kw::ALTER),
            Kw::RESOURCE => self.resource_group(false),
            // whatever it is, it could have been a view
            _ => {
                self.not_in_program("ALTER VIEW");
                self.fail()
            }
        }
    }

    pub(super) fn drop(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::DROP)?;
        match self.kw() {
            Kw::TABLE | Kw::TABLES => {
                self.advance();
                self.drop_table(false)
            }
            Kw::TEMPORARY => {
                self.advance();
                if !self.accept_kw(Kw::TABLE) {
                    self.expect_kw(Kw::TABLES)?;
                }
                self.drop_table(true)
            }
            Kw::DATABASE | Kw::SCHEMA => {
                self.advance();
                let if_exists = self.if_exists()?;
                Ok(Statement::DropDatabase { if_exists, name: self.relation_ident()? })
            }
            Kw::VIEW => {
                self.advance();
                let if_exists = self.if_exists()?;
                let views = self.comma_list(|p| p.table_name())?;
                self.restrict_or_cascade();
                Ok(Statement::DropView(self.alloc(DropView { if_exists, views })))
            }
            Kw::INDEX => {
                self.advance();
                let name = if self.accept_kw(Kw::PRIMARY) { "PRIMARY" } else { self.ident()? };
                self.expect_kw(Kw::ON)?;
                let table = self.table_name()?;
                let (algorithm, lock) = self.algorithm_and_lock()?;
                Ok(Statement::DropIndex(self.alloc(DropIndex { table, name, algorithm, lock })))
            }
            Kw::USER => {
                self.advance();
                let if_exists = self.if_exists()?;
                Ok(Statement::DropUser { if_exists, users: self.accounts()? })
            }
            Kw::ROLE => {
                self.advance();
                let if_exists = self.if_exists()?;
                Ok(Statement::DropRole { if_exists, roles: self.roles()? })
            }
            Kw::PREPARE => {
                self.advance();
                Ok(Statement::Deallocate(self.ident()?))
            }
            Kw::PROCEDURE => self.drop_program(ProgramKind::Procedure),
            Kw::FUNCTION => self.drop_program(ProgramKind::Function),
            Kw::TRIGGER => self.drop_program(ProgramKind::Trigger),
            Kw::EVENT => self.drop_program(ProgramKind::Event),
            Kw::SERVER => self.unsupported("DROP SERVER"),
            Kw::TABLESPACE | Kw::UNDO | Kw::LOGFILE => self.tablespace(Kw::DROP),
            Kw::RESOURCE => self.unsupported("DROP RESOURCE GROUP"),
            Kw::SPATIAL => self.reference_system(false),
            _ => self.fail(),
        }
    }

    fn drop_program(&mut self, kind: ProgramKind) -> PResult<Statement<'a>> {
        self.advance();
        self.not_dropped_in_program(kind);
        let if_exists = self.if_exists()?;
        Ok(Statement::DropProgram { kind, if_exists, name: self.table_name()? })
    }
}
