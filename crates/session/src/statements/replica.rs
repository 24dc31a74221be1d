//! CHANGE REPLICATION SOURCE, START REPLICA, STOP REPLICA, RESET REPLICA, SHOW REPLICA STATUS: who may, and the way to
//! the threads that do it ([`crate::kernel::replica`]). Tested: `tests/binlog/test_replica.py`, golden `replica`.

use crate::kernel::replica::{Given, Replication, Setting, Shown, Threads};
use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::table::{Cell, Kind, Table};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
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

/// There are no channels with names: 3074.
fn unnamed(channel: Option<&[u8]>) -> SqlResult<()> {
    channel.map_or(Ok(()), crate::statements::admin::no_channel)
}

impl Session {
    /// CHANGE REPLICATION SOURCE, START REPLICA, STOP REPLICA.
    pub(super) fn replica_statement(&mut self, what: &ReplicaStatement<'_>, channel: Option<&[u8]>) -> SqlResult<()> {
        let p = &self.env.security.account.privileges;
        if !p.has_dynamic("REPLICATION_SLAVE_ADMIN") {
            let which = "SUPER or REPLICATION_SLAVE_ADMIN";
            return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&which]));
        }
        let replication = self.replication()?;
        let notes = match what {
            ReplicaStatement::Change { options } => {
                if channel.is_some_and(|c| !c.is_empty()) {
                    return Err(SqlError::unsupported("CHANGE REPLICATION SOURCE FOR CHANNEL"));
                }
                self.commit_transaction()?;
                replication.change(&given(options))?
            }
            ReplicaStatement::Filter { rules } => {
                unnamed(channel)?;
                self.commit_transaction()?;
                replication.filter(&rules.iter().map(filter).collect::<Vec<_>>())?;
                Vec::new()
            }
            ReplicaStatement::Start { threads: t, until, login } => {
                unnamed(channel)?;
                self.commit_transaction()?;
                replication.start(threads(t), &given(until), &given(login))?
            }
            ReplicaStatement::Stop { threads: t } => {
                unnamed(channel)?;
                self.commit_transaction()?;
                replication.stop(threads(t))?
            }
        };
        notes.into_iter().for_each(|n| self.env.conv.push(Level::Note, n));
        Ok(())
    }

    /// RESET REPLICA.
    pub(super) fn reset_replica(&mut self, r: &ResetReplica<'_>) -> SqlResult<()> {
        self.require(Privs::RELOAD, "RELOAD")?;
        unnamed(r.channel)?;
        self.commit_transaction()?;
        self.server.replica.get().map_or(Ok(()), |replication| replication.reset(r.all))
    }

    fn replication(&self) -> SqlResult<Arc<dyn Replication>> {
        self.server.replica.get().cloned().ok_or_else(|| SqlError::new(ErrorCode::REPLICA_CONFIGURATION, &[]))
    }

    /// SHOW REPLICA STATUS.
    pub(super) fn show_replica_status(&mut self, channel: Option<&[u8]>) -> SqlResult<Table> {
        self.require(Privs::REPLICATION_CLIENT, "REPLICATION CLIENT")?;
        unnamed(channel)?;
        let mut t = Table::new(columns::REPLICA_STATUS);
        let Some(shown) = self.server.replica.get().and_then(|r| r.status()) else { return Ok(t) };
        let cell = |(name, kind): &(&str, Kind)| match shown.iter().find(|(n, _)| n == name).map(|(_, v)| v) {
            Some(Shown::Null) => Cell::Null,
            Some(Shown::Number(n)) => Cell::UInt(*n),
            Some(Shown::Text(s)) => Cell::Text(s.clone()),
            None if *kind == Kind::UInt => Cell::UInt(0),
            None => Cell::Text(String::new()),
        };
        t.push(columns::REPLICA_STATUS.iter().map(cell).collect());
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
        unnamed(channel)?;
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
        let file = match replication.relay_events(&name, &mut each)? {
            Some(file) => file,
            // without a source there are no files that could be missing
            None if name.is_empty() || replication.status().is_none() => return Ok(t),
            None => return Err(not_shown("Could not find target log")),
        };
        for (at, e) in rows {
            let (id, end) = (u64::from(e.server_id), e.end);
            t.push(vec![file.as_str().into(), at.into(), e.kind.into(), id.into(), end.into(), e.info.into()]);
        }
        Ok(t)
    }
}
