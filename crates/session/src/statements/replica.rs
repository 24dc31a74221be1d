//! CHANGE REPLICATION SOURCE, START REPLICA, STOP REPLICA, RESET REPLICA, SHOW REPLICA STATUS: who may, and the way to
//! the threads that do it ([`crate::kernel::replica`]). Tested: `tests/binlog/test_replica.py`,
//! `test_replica_channels.py`.

use crate::kernel::replica::{Channel, Given, Replication, Setting, Shown, Start, Threads};
use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::table::{Cell, Kind, Table};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::{Raw, SetScope, Var};
use parser::ast::{
    FilterList, FilterRule, Limit, ReplicaStatement, ReplicaThreads, ResetReplica, SourceOption, SourceValue,
};
use std::sync::Arc;
use value::Level;

fn setting(v: &SourceValue<'_>) -> Setting {
    match v {
        SourceValue::Text(t) => Setting::Text(String::from_utf8_lossy(t).into_owned()),
        SourceValue::Number(n) => Setting::Number((*n).to_owned()),
        SourceValue::Word(w) => Setting::Word((*w).to_owned()),
        SourceValue::Account(user, host) => Setting::Account((*user).to_owned(), host.to_ascii_lowercase()),
        SourceValue::Null => Setting::Null,
        SourceValue::Numbers(list) => Setting::Numbers(list.to_vec()),
    }
}

fn given(options: &[SourceOption<'_>]) -> Vec<Given> {
    options.iter().map(|o| (o.name, setting(&o.value))).collect()
}

/// A rule as its names are shown: `a`, `a.t`, `(from,to)`.
fn filter(rule: &FilterRule<'_>) -> (&'static str, Vec<String>) {
    let list = match rule.list {
        FilterList::Names(list) => list.iter().map(|s| (*s).to_owned()).collect(),
        FilterList::Pairs(list) if rule.name == "REPLICATE_REWRITE_DB" => {
            list.iter().map(|(from, to)| format!("({from},{to})")).collect()
        }
        FilterList::Pairs(list) => list.iter().map(|(schema, table)| format!("{schema}.{table}")).collect(),
        FilterList::Patterns(list) => list.iter().map(|p| String::from_utf8_lossy(p).into_owned()).collect(),
    };
    (rule.name, list)
}

fn threads(t: &ReplicaThreads) -> Threads {
    Threads { receiver: t.receiver, applier: t.applier }
}

/// The name behind FOR CHANNEL. 1525 for one of several lines.
fn named(channel: Option<&[u8]>) -> SqlResult<Option<String>> {
    let name = channel.map(|c| String::from_utf8_lossy(c).into_owned());
    match name.filter(|n| n.contains('\n')) {
        Some(n) => Err(SqlError::new(ErrorCode::WRONG_VALUE, &[&"argument contains not-allowed LF", &n])),
        None => Ok(channel.map(|c| String::from_utf8_lossy(c).into_owned())),
    }
}

impl Session {
    /// CHANGE REPLICATION SOURCE, START REPLICA, STOP REPLICA.
    pub(super) fn replica_statement(&mut self, what: &ReplicaStatement<'_>, channel: Option<&[u8]>) -> SqlResult<()> {
        let p = &self.env.security.account.privileges;
        if !p.has_dynamic("REPLICATION_SLAVE_ADMIN") {
            let which = "SUPER or REPLICATION_SLAVE_ADMIN";
            return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&which]));
        }
        let name = named(channel)?;
        let channel: Channel<'_> = name.as_deref();
        let replication = self.replication()?;
        let plain = self.env.client.connection.tls.lock().is_none();
        self.commit_transaction()?;
        let notes = match what {
            ReplicaStatement::Change { options } => {
                for (level, remark) in replication.change(&given(options), channel)? {
                    self.env.conv.push(level, remark);
                }
                let login = options.iter().any(|o| matches!(o.name, "SOURCE_USER" | "SOURCE_PASSWORD"));
                let codes = [(plain, ErrorCode::INSECURE_PLAIN_TEXT), (true, ErrorCode::INSECURE_CHANGE_SOURCE)];
                codes.into_iter().filter(|(tell, _)| login && *tell).map(|(_, code)| SqlError::new(code, &[])).collect()
            }
            ReplicaStatement::Filter { rules } => {
                replication.filter(&rules.iter().map(filter).collect::<Vec<_>>(), channel)?;
                Vec::new()
            }
            ReplicaStatement::Start { threads: t, until, login } => {
                let how = Start { threads: threads(t), until: given(until), login: given(login), plain };
                replication.start(&how, channel)?
            }
            ReplicaStatement::Stop { threads: t } => replication.stop(threads(t), channel)?,
        };
        notes.into_iter().for_each(|n| self.env.conv.push(Level::Note, n));
        Ok(())
    }

    /// SET GLOBAL beside channels: whether it may be, and what is warned of.
    pub(super) fn check_with_replica(&mut self, scope: SetScope, var: Var, raw: Option<&Raw>) -> SqlResult<()> {
        let (Some(replication), SetScope::Global | SetScope::Persist) = (self.server.replica.get(), scope) else {
            return Ok(());
        };
        let to = if let Some(Raw::Num(n)) = raw { Some(*n) } else { None };
        for warning in replication.check_global(var, to)? {
            self.env.conv.push(Level::Warning, warning);
        }
        Ok(())
    }

    /// RESET REPLICA.
    pub(super) fn reset_replica(&mut self, r: &ResetReplica<'_>) -> SqlResult<()> {
        self.require(Privs::RELOAD, "RELOAD")?;
        let channel = named(r.channel)?;
        self.commit_transaction()?;
        self.server.replica.get().map_or(Ok(()), |replication| replication.reset(r.all, channel.as_deref()))
    }

    /// FLUSH RELAY LOGS; FLUSH LOGS does it for all channels, too.
    pub(super) fn flush_relay_logs(&self, channel: Option<&[u8]>) -> SqlResult<()> {
        let channel = named(channel)?;
        self.server.replica.get().map_or(Ok(()), |replication| replication.flush_logs(channel.as_deref()))
    }

    fn replication(&self) -> SqlResult<Arc<dyn Replication>> {
        self.server.replica.get().cloned().ok_or_else(|| SqlError::new(ErrorCode::REPLICA_CONFIGURATION, &[]))
    }

    /// SHOW REPLICA STATUS.
    pub(super) fn show_replica_status(&mut self, channel: Option<&[u8]>) -> SqlResult<Table> {
        self.require(Privs::REPLICATION_CLIENT, "REPLICATION CLIENT")?;
        let channel = named(channel)?;
        let mut t = Table::new(columns::REPLICA_STATUS);
        let Some(replication) = self.server.replica.get() else { return Ok(t) };
        let cell = |shown: &[(&str, Shown)], (name, kind): &(&str, Kind)| match shown
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v)
        {
            Some(Shown::Null) => Cell::Null,
            Some(Shown::Number(n)) => Cell::UInt(*n),
            Some(Shown::Text(s)) => Cell::Text(s.clone()),
            None if *kind == Kind::UInt => Cell::UInt(0),
            None => Cell::Text(String::new()),
        };
        for row in replication.status(channel.as_deref())? {
            t.push(columns::REPLICA_STATUS.iter().map(|c| cell(&row, c)).collect());
        }
        Ok(t)
    }

    /// SHOW RELAYLOG EVENTS [IN name] [FROM position] [LIMIT] [FOR CHANNEL].
    pub(super) fn show_relaylog_events(
        &mut self,
        (name, channel): (Option<&[u8]>, Option<&[u8]>),
        from: Option<u64>,
        limit: Option<&Limit<'_>>,
    ) -> SqlResult<Table> {
        self.require(Privs::REPLICATION_SLAVE, "REPLICATION SLAVE")?;
        let channel = named(channel)?;
        let channel: Channel<'_> = channel.as_deref();
        let (skip, take) = limit.map_or(Ok((0, usize::MAX)), super::show::literal_limit)?;
        // as MySQL: no row at all is not asked for
        let take = if take == 0 { usize::MAX } else { take };
        let mut t = Table::new(columns::BINLOG_EVENTS);
        let not_shown =
            |why: &str| SqlError::new(ErrorCode::ERROR_WHEN_EXECUTING_COMMAND, &[&"SHOW RELAYLOG EVENTS", &why]);
        let Some(replication) = self.server.replica.get().cloned() else { return Ok(t) };
        let (mut shown, mut n, from) = (binlog::show::Shown::default(), 0, from.unwrap_or(0));
        let mut rows = Vec::new();
        let mut each = |at: u64, event: &[u8]| {
            sched::check_interrupt()?;
            for e in shown.read(event, true).map_err(|_| not_shown("Wrong offset or I/O error"))? {
                n += usize::from(at >= from);
                if at >= from && n > skip && rows.len() < take {
                    rows.push((at, e));
                }
            }
            base::memory::check()?;
            Ok(rows.len() < take)
        };
        let name = name.map(String::from_utf8_lossy).unwrap_or_default();
        let file = match replication.relay_events(&name, &mut each, channel)? {
            Some(file) => file,
            // without a source there are no files that could be missing
            None if name.is_empty() || !replication.has_source(channel)? => return Ok(t),
            None => return Err(not_shown("Could not find target log")),
        };
        for (at, e) in rows {
            let (id, end) = (u64::from(e.server_id), e.end);
            t.push(vec![file.as_str().into(), at.into(), e.kind.into(), id.into(), end.into(), e.info.into()]);
        }
        Ok(t)
    }
}
