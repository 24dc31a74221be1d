//! CHANGE REPLICATION SOURCE TO, CHANGE REPLICATION FILTER, START REPLICA, STOP REPLICA (manual, "SQL Statements for
//! Controlling Replica Servers").
//!
//! Options are read by their names; what each may be is the session's to say. Tested:
//! `tests/binlog/test_replica_channels.py`.

use super::{PResult, Parser};
use crate::ast::{
    Account, FilterList, FilterRule, ReplicaStatement, ReplicaThreads, SourceOption, SourceValue, Statement,
};
use crate::lexer::{Kw, Tk};

/// Options of CHANGE REPLICATION SOURCE TO.
const SOURCE: &[&str] = &[
    "SOURCE_BIND",
    "SOURCE_HOST",
    "SOURCE_USER",
    "SOURCE_PASSWORD",
    "SOURCE_PORT",
    "PRIVILEGE_CHECKS_USER",
    "REQUIRE_ROW_FORMAT",
    "REQUIRE_TABLE_PRIMARY_KEY_CHECK",
    "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS",
    "SOURCE_LOG_FILE",
    "SOURCE_LOG_POS",
    "SOURCE_AUTO_POSITION",
    "RELAY_LOG_FILE",
    "RELAY_LOG_POS",
    "SOURCE_HEARTBEAT_PERIOD",
    "SOURCE_CONNECT_RETRY",
    "SOURCE_RETRY_COUNT",
    "SOURCE_CONNECTION_AUTO_FAILOVER",
    "SOURCE_DELAY",
    "SOURCE_COMPRESSION_ALGORITHMS",
    "SOURCE_ZSTD_COMPRESSION_LEVEL",
    "SOURCE_SSL",
    "SOURCE_SSL_CA",
    "SOURCE_SSL_CAPATH",
    "SOURCE_SSL_CERT",
    "SOURCE_SSL_CRL",
    "SOURCE_SSL_CRLPATH",
    "SOURCE_SSL_KEY",
    "SOURCE_SSL_CIPHER",
    "SOURCE_SSL_VERIFY_SERVER_CERT",
    "SOURCE_TLS_VERSION",
    "SOURCE_TLS_CIPHERSUITES",
    "SOURCE_PUBLIC_KEY_PATH",
    "GET_SOURCE_PUBLIC_KEY",
    "NETWORK_NAMESPACE",
    "IGNORE_SERVER_IDS",
    "GTID_ONLY",
];

/// What stands in a filter's list.
#[derive(Clone, Copy)]
enum Filter {
    Names,
    /// `schema.table`
    Tables,
    /// `'schema.table'` with wildcards
    Patterns,
    /// `(from, to)`
    Pairs,
}

/// Filters of CHANGE REPLICATION FILTER.
const FILTERS: &[(&str, Filter)] = &[
    ("REPLICATE_DO_DB", Filter::Names),
    ("REPLICATE_IGNORE_DB", Filter::Names),
    ("REPLICATE_DO_TABLE", Filter::Tables),
    ("REPLICATE_IGNORE_TABLE", Filter::Tables),
    ("REPLICATE_WILD_DO_TABLE", Filter::Patterns),
    ("REPLICATE_WILD_IGNORE_TABLE", Filter::Patterns),
    ("REPLICATE_REWRITE_DB", Filter::Pairs),
];

/// Options of START REPLICA UNTIL.
const UNTIL: &[&str] =
    &["SQL_BEFORE_GTIDS", "SQL_AFTER_GTIDS", "SOURCE_LOG_FILE", "SOURCE_LOG_POS", "RELAY_LOG_FILE", "RELAY_LOG_POS"];

/// Options of START REPLICA about its login.
const LOGIN: &[&str] = &["USER", "PASSWORD", "DEFAULT_AUTH", "PLUGIN_DIR"];

impl<'a> Parser<'a, '_> {
    /// CHANGE REPLICATION SOURCE TO option, ... [FOR CHANNEL '..']
    pub(super) fn change_replication(&mut self) -> PResult<Statement<'a>> {
        self.advance();
        self.expect_kw(Kw::REPLICATION)?;
        if self.accept_word("FILTER") {
            let rules = self.comma_list(Self::filter_rule)?;
            return Ok(Statement::Replica { what: ReplicaStatement::Filter { rules }, channel: self.channel()? });
        }
        self.expect_kws(&[Kw::SOURCE, Kw::TO])?;
        let options = self.comma_list(|p| p.source_option(SOURCE))?;
        Ok(Statement::Replica { what: ReplicaStatement::Change { options }, channel: self.channel()? })
    }

    /// `REPLICATE_DO_DB = (a, b)`
    fn filter_rule(&mut self) -> PResult<FilterRule<'a>> {
        let Some(&(name, kind)) = FILTERS.iter().find(|(n, _)| self.is_word(n)) else { return self.fail() };
        self.advance();
        if !self.accept(Tk::Eq) {
            return self.fail();
        }
        self.expect(Tk::LParen)?;
        let empty = self.is(Tk::RParen);
        let list = match kind {
            _ if empty => FilterList::Names(&[]),
            Filter::Names => FilterList::Names(self.comma_list(|p| p.ident())?),
            Filter::Tables => FilterList::Pairs(self.comma_list(|p| {
                let t = p.table_name()?;
                t.schema.map_or_else(|| p.fail(), |s| Ok((s, t.name)))
            })?),
            Filter::Patterns => FilterList::Patterns(self.comma_list(|p| p.string())?),
            Filter::Pairs => FilterList::Pairs(self.comma_list(|p| {
                p.expect(Tk::LParen)?;
                let from = p.ident()?;
                p.expect(Tk::Comma)?;
                let to = p.ident()?;
                p.expect(Tk::RParen)?;
                Ok((from, to))
            })?),
        };
        self.expect(Tk::RParen)?;
        Ok(FilterRule { name, list })
    }

    /// START REPLICA [threads] [UNTIL ...] [USER = ...] [FOR CHANNEL '..']
    pub(super) fn start_replica(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::REPLICA)?;
        let threads = self.replica_threads()?;
        let mut until: &'a [SourceOption<'a>] = &[];
        if self.accept_word("UNTIL") {
            until = match self.accept_word("SQL_AFTER_MTS_GAPS") {
                true => self.arena.alloc([SourceOption { name: "SQL_AFTER_MTS_GAPS", value: SourceValue::Null }]),
                false => self.comma_list(|p| p.source_option(UNTIL))?,
            };
        }
        let mut login = bumpalo::collections::Vec::new_in(self.arena);
        while !self.at_end() && !self.is_kw(Kw::FOR) {
            login.push(self.source_option(LOGIN)?);
        }
        let what = ReplicaStatement::Start { threads, until, login: login.into_bump_slice() };
        Ok(Statement::Replica { what, channel: self.channel()? })
    }

    /// STOP REPLICA [threads] [FOR CHANNEL '..']
    pub(super) fn stop_replica(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::REPLICA)?;
        let what = ReplicaStatement::Stop { threads: self.replica_threads()? };
        Ok(Statement::Replica { what, channel: self.channel()? })
    }

    /// IO_THREAD, SQL_THREAD; none: both.
    fn replica_threads(&mut self) -> PResult<ReplicaThreads> {
        let mut t = ReplicaThreads { receiver: false, applier: false };
        loop {
            if self.accept_words(&["IO_THREAD", "RELAY_THREAD"]) {
                t.receiver = true;
            } else if self.accept_word("SQL_THREAD") {
                t.applier = true;
            } else if t.receiver || t.applier {
                return self.fail();
            } else {
                return Ok(ReplicaThreads { receiver: true, applier: true });
            }
            if !self.accept(Tk::Comma) {
                return Ok(t);
            }
        }
    }

    /// `NAME = value`
    fn source_option(&mut self, names: &[&'static str]) -> PResult<SourceOption<'a>> {
        let Some(&name) = names.iter().find(|n| self.is_word(n)) else { return self.fail() };
        self.advance();
        if !self.accept(Tk::Eq) {
            return self.fail();
        }
        let value = match name {
            "PRIVILEGE_CHECKS_USER" if !self.is_kw(Kw::NULL) => self.source_account()?,
            _ => self.source_value()?,
        };
        Ok(SourceOption { name, value })
    }

    /// An account, by its name only.
    fn source_account(&mut self) -> PResult<SourceValue<'a>> {
        if self.is_kw(Kw::CURRENT_USER) {
            return self.fail();
        }
        match self.account()? {
            Account::CurrentUser => self.fail(),
            Account::Name { user, host } => Ok(SourceValue::Account(user, host.unwrap_or("%"))),
        }
    }

    fn source_value(&mut self) -> PResult<SourceValue<'a>> {
        let t = self.cur;
        match t.kind {
            Tk::Str => Ok(SourceValue::Text(self.string()?)),
            Tk::Int | Tk::Decimal => {
                let s = self.utf8(self.text(t), t)?;
                self.advance();
                Ok(SourceValue::Number(s))
            }
            Tk::LParen => {
                self.advance();
                let mut list: &'a [u64] = &[];
                if !self.is(Tk::RParen) {
                    list = self.comma_list(|p| p.number(false))?;
                }
                self.expect(Tk::RParen)?;
                Ok(SourceValue::Numbers(list))
            }
            Tk::Word if self.accept_kw(Kw::NULL) => Ok(SourceValue::Null),
            Tk::Word => {
                let s = self.utf8(self.text(t), t)?;
                self.advance();
                Ok(SourceValue::Word(s))
            }
            _ => self.fail(),
        }
    }
}
