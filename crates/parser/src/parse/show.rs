//! SHOW.

use super::deprecated::Old;
use super::{PResult, Parser};
use crate::ast::{EngineWhat, Show, ShowFilter, Statement, VarScope};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    pub(super) fn show(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::SHOW)?;
        let show = self.show_what()?;
        Ok(Statement::Show(self.alloc(show)))
    }

    fn filter(&mut self) -> PResult<ShowFilter<'a>> {
        if self.accept_kw(Kw::LIKE) {
            return Ok(ShowFilter::Like(self.string()?));
        }
        if self.accept_kw(Kw::WHERE) {
            return Ok(ShowFilter::Where(self.expr_ref()?));
        }
        Ok(ShowFilter::None)
    }

    /// `[FROM|IN db]`
    fn schema_clause(&mut self) -> PResult<Option<&'a str>> {
        if !self.accept_kw(Kw::FROM) && !self.accept_kw(Kw::IN) {
            return Ok(None);
        }
        let at = self.cur.start;
        let name = self.relation_ident()?;
        self.check_schema(name, at, false)?;
        if base::names::short(name).is_err() {
            self.later.get_or_insert(super::Fail::Name(base::ErrorCode::TOO_LONG_IDENT, at));
        }
        Ok(Some(name))
    }

    pub(super) fn channel(&mut self) -> PResult<Option<&'a [u8]>> {
        if self.accept_kws(&[Kw::FOR, Kw::CHANNEL]) { Ok(Some(self.string()?)) } else { Ok(None) }
    }

    fn word(&mut self, s: Show<'a>) -> PResult<Show<'a>> {
        self.advance();
        Ok(s)
    }

    fn show_what(&mut self) -> PResult<Show<'a>> {
        let show = match self.kw() {
            Kw::DATABASES | Kw::SCHEMAS => {
                self.advance();
                Show::Databases(self.filter()?)
            }
            Kw::EXTENDED
            | Kw::FULL
            | Kw::TABLES
            | Kw::COLUMNS
            | Kw::FIELDS
            | Kw::INDEX
            | Kw::INDEXES
            | Kw::KEYS
            | Kw::TRIGGERS
            | Kw::PROCESSLIST => return self.show_schema_objects(),
            Kw::TABLE | Kw::OPEN | Kw::EVENTS => self.show_of_schema()?,
            Kw::GLOBAL | Kw::SESSION | Kw::LOCAL | Kw::VARIABLES | Kw::STATUS => {
                return self.show_variables();
            }
            Kw::PROCEDURE | Kw::FUNCTION => self.show_routines()?,
            Kw::CHARACTER | Kw::CHARSET | Kw::CHAR => {
                self.charset_words()?;
                Show::CharacterSet(self.filter()?)
            }
            Kw::COLLATION => {
                self.advance();
                Show::Collation(self.filter()?)
            }
            Kw::CREATE => return self.show_create(),
            Kw::ENGINES => return self.word(Show::Engines),
            Kw::STORAGE => {
                self.advance();
                self.expect_kw(Kw::ENGINES)?;
                Show::Engines
            }
            Kw::ENGINE => self.show_engine()?,
            Kw::PLUGINS => return self.word(Show::Plugins),
            Kw::PRIVILEGES => return self.word(Show::Privileges),
            Kw::PROFILES => {
                self.old(Old::Profiles);
                return self.word(Show::Profiles);
            }
            Kw::REPLICAS => return self.word(Show::Replicas),
            Kw::GRANTS => self.show_grants()?,
            Kw::WARNINGS => {
                self.advance();
                Show::Warnings(self.limit()?)
            }
            Kw::ERRORS => {
                self.advance();
                Show::Errors(self.limit()?)
            }
            Kw::COUNT => self.show_count()?,
            Kw::PROFILE => self.show_profile()?,
            Kw::BINARY => self.show_binary_logs()?,
            Kw::BINLOG | Kw::RELAYLOG => self.show_log_events()?,
            Kw::REPLICA => {
                self.advance();
                self.expect_kw(Kw::STATUS)?;
                Show::ReplicaStatus { channel: self.channel()? }
            }
            _ => return self.fail(),
        };
        Ok(show)
    }

    /// TABLE STATUS, OPEN TABLES and EVENTS, of a schema.
    fn show_of_schema(&mut self) -> PResult<Show<'a>> {
        let kw = self.kw();
        self.advance();
        match kw {
            Kw::TABLE => self.expect_kw(Kw::STATUS)?,
            Kw::OPEN => self.expect_kw(Kw::TABLES)?,
            _ => {}
        }
        let (schema, filter) = (self.schema_clause()?, self.filter()?);
        Ok(match kw {
            Kw::TABLE => Show::TableStatus { schema, filter },
            Kw::OPEN => Show::OpenTables { schema, filter },
            _ => Show::Events { schema, filter },
        })
    }

    /// PROCEDURE and FUNCTION: STATUS or CODE.
    fn show_routines(&mut self) -> PResult<Show<'a>> {
        let kw = self.kw();
        self.advance();
        if self.accept_kw(Kw::CODE) {
            let name = self.table_name()?;
            Ok(if kw == Kw::PROCEDURE { Show::ProcedureCode(name) } else { Show::FunctionCode(name) })
        } else {
            self.expect_kw(Kw::STATUS)?;
            let f = self.filter()?;
            Ok(if kw == Kw::PROCEDURE { Show::ProcedureStatus(f) } else { Show::FunctionStatus(f) })
        }
    }

    /// ENGINE name STATUS, MUTEX or LOGS.
    fn show_engine(&mut self) -> PResult<Show<'a>> {
        self.advance();
        let name = if self.accept_kw(Kw::ALL) { None } else { Some(self.ident_or_text()?) };
        let what = match self.kw() {
            Kw::STATUS => EngineWhat::Status,
            Kw::MUTEX => EngineWhat::Mutex,
            Kw::LOGS => EngineWhat::Logs,
            _ => return self.fail(),
        };
        self.advance();
        Ok(Show::Engine { name, what })
    }

    /// COUNT(*) WARNINGS or ERRORS.
    fn show_count(&mut self) -> PResult<Show<'a>> {
        self.advance();
        self.expect(Tk::LParen)?;
        self.expect(Tk::Star)?;
        self.expect(Tk::RParen)?;
        if self.accept_kw(Kw::WARNINGS) {
            return Ok(Show::CountWarnings);
        }
        self.expect_kw(Kw::ERRORS)?;
        Ok(Show::CountErrors)
    }

    /// BINARY LOGS and BINARY LOG STATUS.
    fn show_binary_logs(&mut self) -> PResult<Show<'a>> {
        self.advance();
        if self.accept_kw(Kw::LOGS) {
            return Ok(Show::BinaryLogs);
        }
        self.expect_kws(&[Kw::LOG, Kw::STATUS])?;
        Ok(Show::BinaryLogStatus)
    }

    /// BINLOG EVENTS and RELAYLOG EVENTS.
    fn show_log_events(&mut self) -> PResult<Show<'a>> {
        let kw = self.kw();
        self.advance();
        self.expect_kw(Kw::EVENTS)?;
        let log = if self.accept_kw(Kw::IN) { Some(self.string()?) } else { None };
        let from = if self.accept_kw(Kw::FROM) { Some(self.number(false)?) } else { None };
        let limit = self.limit()?;
        Ok(if kw == Kw::BINLOG {
            Show::BinlogEvents { log, from, limit }
        } else {
            Show::RelaylogEvents { log, from, limit, channel: self.channel()? }
        })
    }

    /// Forms with EXTENDED and FULL.
    fn show_schema_objects(&mut self) -> PResult<Show<'a>> {
        let extended = self.accept_kw(Kw::EXTENDED);
        let full = self.accept_kw(Kw::FULL);
        let kw = self.kw();
        self.advance();
        match kw {
            Kw::TABLES => Ok(Show::Tables { extended, full, schema: self.schema_clause()?, filter: self.filter()? }),
            Kw::COLUMNS | Kw::FIELDS => {
                let table = self.table_clause()?;
                Ok(Show::Columns { extended, full, table, filter: self.filter()? })
            }
            Kw::INDEX | Kw::INDEXES | Kw::KEYS if !full => {
                let table = self.table_clause()?;
                let filter = if self.is_kw(Kw::WHERE) { self.filter()? } else { ShowFilter::None };
                Ok(Show::Indexes { extended, table, filter })
            }
            Kw::TRIGGERS if !extended => {
                Ok(Show::Triggers { full, schema: self.schema_clause()?, filter: self.filter()? })
            }
            Kw::PROCESSLIST if !extended => {
                self.old(Old::Processlist);
                Ok(Show::Processlist { full })
            }
            _ => {
                self.rewind(self.pos.saturating_sub(1));
                self.fail()
            }
        }
    }

    /// `FROM|IN table [FROM|IN db]`
    fn table_clause(&mut self) -> PResult<crate::ast::TableName<'a>> {
        if !self.accept_kw(Kw::FROM) {
            self.expect_kw(Kw::IN)?;
        }
        let mut table = self.table_name()?;
        if let Some(db) = self.schema_clause()? {
            table.schema = Some(db);
        }
        Ok(table)
    }

    fn show_variables(&mut self) -> PResult<Show<'a>> {
        let scope = match self.kw() {
            Kw::GLOBAL => VarScope::Global,
            Kw::SESSION | Kw::LOCAL => VarScope::Session,
            _ => VarScope::Default,
        };
        if scope != VarScope::Default {
            self.advance();
        }
        if self.accept_kw(Kw::VARIABLES) {
            return Ok(Show::Variables { scope, filter: self.filter()? });
        }
        self.expect_kw(Kw::STATUS)?;
        Ok(Show::Status { scope, filter: self.filter()? })
    }

    fn show_create(&mut self) -> PResult<Show<'a>> {
        self.advance();
        let kw = self.kw();
        match kw {
            Kw::DATABASE | Kw::SCHEMA => {
                self.advance();
                let if_not_exists = self.if_not_exists()?;
                Ok(Show::CreateDatabase { if_not_exists, name: self.relation_ident()? })
            }
            Kw::USER => {
                self.advance();
                Ok(Show::CreateUser(self.account()?))
            }
            Kw::TABLE | Kw::VIEW | Kw::PROCEDURE | Kw::FUNCTION | Kw::TRIGGER | Kw::EVENT => {
                self.advance();
                let name = self.table_name()?;
                Ok(match kw {
                    Kw::TABLE => Show::CreateTable(name),
                    Kw::VIEW => Show::CreateView(name),
                    Kw::PROCEDURE => Show::CreateProcedure(name),
                    Kw::FUNCTION => Show::CreateFunction(name),
                    Kw::TRIGGER => Show::CreateTrigger(name),
                    _ => Show::CreateEvent(name),
                })
            }
            _ => self.fail(),
        }
    }

    fn show_grants(&mut self) -> PResult<Show<'a>> {
        self.advance();
        let user = if self.accept_kw(Kw::FOR) { Some(self.account()?) } else { None };
        let using = if user.is_some() && self.accept_kw(Kw::USING) { self.accounts()? } else { &[] };
        Ok(Show::Grants { user, using })
    }

    fn show_profile(&mut self) -> PResult<Show<'a>> {
        self.advance();
        let mut types = self.list();
        while matches!(
            self.kw(),
            Kw::ALL | Kw::BLOCK | Kw::CONTEXT | Kw::CPU | Kw::IPC | Kw::MEMORY | Kw::PAGE | Kw::SOURCE | Kw::SWAPS
        ) {
            let name = match self.kw() {
                Kw::BLOCK => {
                    self.advance();
                    self.expect_kw(Kw::IO)?;
                    "block io"
                }
                Kw::CONTEXT => {
                    self.advance();
                    self.expect_kw(Kw::SWITCHES)?;
                    "context switches"
                }
                Kw::PAGE => {
                    self.advance();
                    self.expect_kw(Kw::FAULTS)?;
                    "page faults"
                }
                _ => {
                    let n = self.lower(self.cur)?;
                    self.advance();
                    n
                }
            };
            types.push(name);
            if !self.accept(Tk::Comma) {
                break;
            }
        }
        let query = if self.accept_kws(&[Kw::FOR, Kw::QUERY]) { Some(self.number(false)?) } else { None };
        Ok(Show::Profile { types: types.into_bump_slice(), query, limit: self.limit()? })
    }
}
