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

/// What an option's value may be; anything else is no such statement (1064).
#[derive(Clone, Copy)]
enum Kind {
    Text,
    TextOrNull,
    /// Of any way to write one; what it means is the session's to say.
    Number,
    /// 0 or 1.
    Switch,
    Word(&'static [&'static str]),
    WordOrText(&'static [&'static str]),
    Account,
    Numbers,
}

/// Options of CHANGE REPLICATION SOURCE TO.
const SOURCE: &[(&str, Kind)] = &[
    ("SOURCE_BIND", Kind::Text),
    ("SOURCE_HOST", Kind::Text),
    ("SOURCE_USER", Kind::Text),
    ("SOURCE_PASSWORD", Kind::Text),
    ("SOURCE_PORT", Kind::Number),
    ("PRIVILEGE_CHECKS_USER", Kind::Account),
    ("REQUIRE_ROW_FORMAT", Kind::Number),
    ("REQUIRE_TABLE_PRIMARY_KEY_CHECK", Kind::Word(&["STREAM", "ON", "OFF", "GENERATE"])),
    ("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS", Kind::WordOrText(&["OFF", "LOCAL"])),
    ("SOURCE_LOG_FILE", Kind::Text),
    ("SOURCE_LOG_POS", Kind::Number),
    ("SOURCE_AUTO_POSITION", Kind::Number),
    ("RELAY_LOG_FILE", Kind::Text),
    ("RELAY_LOG_POS", Kind::Number),
    ("SOURCE_HEARTBEAT_PERIOD", Kind::Number),
    ("SOURCE_CONNECT_RETRY", Kind::Number),
    ("SOURCE_RETRY_COUNT", Kind::Number),
    ("SOURCE_CONNECTION_AUTO_FAILOVER", Kind::Switch),
    ("SOURCE_DELAY", Kind::Number),
    ("SOURCE_COMPRESSION_ALGORITHMS", Kind::Text),
    ("SOURCE_ZSTD_COMPRESSION_LEVEL", Kind::Number),
    ("SOURCE_SSL", Kind::Number),
    ("SOURCE_SSL_CA", Kind::Text),
    ("SOURCE_SSL_CAPATH", Kind::Text),
    ("SOURCE_SSL_CERT", Kind::Text),
    ("SOURCE_SSL_CRL", Kind::Text),
    ("SOURCE_SSL_CRLPATH", Kind::Text),
    ("SOURCE_SSL_KEY", Kind::Text),
    ("SOURCE_SSL_CIPHER", Kind::Text),
    ("SOURCE_SSL_VERIFY_SERVER_CERT", Kind::Number),
    ("SOURCE_TLS_VERSION", Kind::Text),
    ("SOURCE_TLS_CIPHERSUITES", Kind::TextOrNull),
    ("SOURCE_PUBLIC_KEY_PATH", Kind::Text),
    ("GET_SOURCE_PUBLIC_KEY", Kind::Number),
    ("NETWORK_NAMESPACE", Kind::Text),
    ("IGNORE_SERVER_IDS", Kind::Numbers),
    ("GTID_ONLY", Kind::Switch),
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

/// Options of START REPLICA UNTIL, the first.
const UNTIL: &[(&str, Kind)] = &[
    ("SQL_BEFORE_GTIDS", Kind::Text),
    ("SQL_AFTER_GTIDS", Kind::Text),
    ("SOURCE_LOG_FILE", Kind::Text),
    ("SOURCE_LOG_POS", Kind::Number),
    ("RELAY_LOG_FILE", Kind::Text),
    ("RELAY_LOG_POS", Kind::Number),
];

/// Those that may follow.
const UNTIL_PLACE: &[(&str, Kind)] = &[
    ("SOURCE_LOG_FILE", Kind::Text),
    ("SOURCE_LOG_POS", Kind::Number),
    ("RELAY_LOG_FILE", Kind::Text),
    ("RELAY_LOG_POS", Kind::Number),
];

/// Options of START REPLICA about its login.
const LOGIN: &[(&str, Kind)] =
    &[("USER", Kind::Text), ("PASSWORD", Kind::Text), ("DEFAULT_AUTH", Kind::Text), ("PLUGIN_DIR", Kind::Text)];

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
        let mut until = bumpalo::collections::Vec::new_in(self.arena);
        if self.accept_word("UNTIL") {
            until.push(match self.accept_word("SQL_AFTER_MTS_GAPS") {
                true => SourceOption { name: "SQL_AFTER_MTS_GAPS", value: SourceValue::Null },
                false => self.source_option(UNTIL)?,
            });
            while self.accept(Tk::Comma) {
                until.push(self.source_option(UNTIL_PLACE)?);
            }
        }
        let mut login = bumpalo::collections::Vec::new_in(self.arena);
        while !self.at_end() && !self.is_kw(Kw::FOR) {
            login.push(self.source_option(LOGIN)?);
        }
        let (until, login) = (until.into_bump_slice(), login.into_bump_slice());
        let what = ReplicaStatement::Start { threads, until, login };
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
    fn source_option(&mut self, names: &[(&'static str, Kind)]) -> PResult<SourceOption<'a>> {
        let Some(&(name, kind)) = names.iter().find(|(n, _)| self.is_word(n)) else { return self.fail() };
        self.advance();
        if !self.accept(Tk::Eq) {
            return self.fail();
        }
        Ok(SourceOption { name, value: self.source_value(kind)? })
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

    fn source_value(&mut self, kind: Kind) -> PResult<SourceValue<'a>> {
        let t = self.cur;
        let number = matches!(t.kind, Tk::Int | Tk::Decimal | Tk::Float);
        let null = t.kind == Tk::Word && self.is_kw(Kw::NULL);
        match kind {
            Kind::Account if !null => self.source_account(),
            Kind::Account | Kind::TextOrNull if null => {
                self.advance();
                Ok(SourceValue::Null)
            }
            Kind::Text | Kind::TextOrNull | Kind::WordOrText(_) if t.kind == Tk::Str => {
                Ok(SourceValue::Text(self.string()?))
            }
            Kind::Number if number => self.source_number(),
            Kind::Switch if t.kind == Tk::Int && matches!(self.text(t), b"0" | b"1") => self.source_number(),
            Kind::Word(words) | Kind::WordOrText(words) => {
                let Some(&word) = words.iter().find(|w| self.is_word(w)) else { return self.fail() };
                self.advance();
                Ok(SourceValue::Word(word))
            }
            Kind::Numbers => {
                self.expect(Tk::LParen)?;
                let mut list: &'a [u64] = &[];
                if !self.is(Tk::RParen) {
                    list = self.comma_list(|p| p.number(false))?;
                }
                self.expect(Tk::RParen)?;
                Ok(SourceValue::Numbers(list))
            }
            _ => self.fail(),
        }
    }

    fn source_number(&mut self) -> PResult<SourceValue<'a>> {
        let t = self.cur;
        let s = self.utf8(self.text(t), t)?;
        self.advance();
        Ok(SourceValue::Number(s))
    }
}
