//! The statements about channels, and their threads' begin and end with the server.
//!
//! Statements are done one after the other, under the mutex `turn`, which is held while threads begin and end. What
//! threads and SHOW REPLICA STATUS share ([`crate::shared`]) has mutexes of its own, held for moments. Tested:
//! `tests/binlog/test_replica.py`, `tests/binlog/test_replica_channels.py`.

use crate::channels::{Channels, folded, new_name, not_of_groups, relay_log_in, several};
use crate::checks;
use crate::filters::Filters;
use crate::relay::{Position, Relay};
use crate::running::{check_threads, start, stop};
use crate::shared::Shared;
use crate::{globals, reader, state, status, tables, values};
use base::{ErrorCode, SqlError, SqlResult};
use binlog::Stamp;
use catalog::sysvar::{GlobalVars, Raw, Var};
use parking_lot::Mutex;
use session::replica::{
    Channel, Donor, EachBlock, EachEvent, Given, Remark, Replication, ShownRow, SourceWait, Start, Threads,
};
use session::{ApplierSession, Server};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Instant;

/// See the module.
pub struct Replica {
    server: Weak<Server>,
    globals: Arc<GlobalVars>,
    folder: PathBuf,
    /// The relay log's name.
    name: String,
    /// `replicate-do-db` and its kin: names and values.
    options: Vec<(String, String)>,
    /// Filters of channels to come.
    filters: Mutex<Filters>,
    channels: Channels,
    /// The channel without a name, which is one of these and always there.
    pub(crate) x: Arc<Shared>,
    pub(crate) turn: Mutex<()>,
}

fn relay_failed(e: io::Error) -> SqlError {
    SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("relay log: {e}"))
}

impl Replica {
    /// Made at the start of the server, before its first session. `filters`: options such as `replicate-do-db`, and
    /// their values.
    ///
    /// # Errors
    /// Of the relay log's files.
    pub fn open(
        server: &Arc<Server>,
        datadir: &Path,
        globals: &Arc<GlobalVars>,
        filters: &[(String, String)],
    ) -> io::Result<Arc<Replica>> {
        let given = globals.string(Var::relay_log).to_string();
        let name = if given.is_empty() { format!("{}-relay-bin", globals.string(Var::hostname)) } else { given };
        let text = |t: String| Raw::Text(Some(t.into()));
        globals.store(Var::relay_log_basename, text(datadir.join(&name).to_string_lossy().into_owned()));
        let index = datadir.join(format!("{name}.index"));
        globals.store(Var::relay_log_index, text(index.to_string_lossy().into_owned()));
        let (of, folder) = (Arc::downgrade(server), datadir.to_owned());
        let global = Filters::of_options(filters, None);
        let anew = globals.bool(Var::relay_log_recovery);
        let relay = Relay::open(folder.clone(), name.clone(), globals.string(Var::version).to_string(), anew)?;
        let own = Filters::of_options(filters, Some("")).over(&global);
        let x = Arc::new(Shared::new("", (of.clone(), globals.clone()), relay, own));
        let channels = Channels::default();
        channels.add(x.clone());
        Ok(Arc::new(Replica {
            server: of,
            globals: globals.clone(),
            folder,
            name,
            options: filters.to_owned(),
            filters: Mutex::new(global),
            channels,
            x,
            turn: Mutex::default(),
        }))
    }

    /// A channel; `anew`: without what there may be of its relay log.
    fn channel(&self, name: &str, anew: bool) -> io::Result<Arc<Shared>> {
        let version = self.globals.string(Var::version).to_string();
        let relay = Relay::open(self.folder.clone(), relay_log_in(&self.folder, &self.name, name), version, anew)?;
        let filters = Filters::of_options(&self.options, Some(name)).over(&self.filters.lock());
        Ok(Arc::new(Shared::new(name, (self.server.clone(), self.globals.clone()), relay, filters)))
    }

    /// Reads what there was before the server's start, and starts the threads (unless `skip_replica_start`).
    pub fn begin(&self) {
        let say = |e: &SqlError| probe::errorlog::say("Error", "Repl", u32::from(e.code()), e.message());
        let anew = self.globals.bool(Var::relay_log_recovery);
        for (name, settings, at) in self.session(state::load).unwrap_or_default() {
            let opened = self.channels.get(&name).map_or_else(|| self.channel(&name, anew), Ok);
            match opened {
                Ok(x) => {
                    *x.settings.lock() = Some(settings);
                    *x.applied.lock() = at;
                    self.channels.add(x);
                }
                Err(e) => {
                    let text = format!("Failed to initialize channel '{name}': relay log: {e}");
                    say(&SqlError::with_message(ErrorCode::UNKNOWN_ERROR, text));
                }
            }
        }
        if self.globals.bool(Var::skip_replica_start) {
            return;
        }
        let _turn = self.turn.lock();
        let both = Start {
            threads: Threads { receiver: true, applier: true },
            until: Vec::new(),
            login: Vec::new(),
            plain: false,
        };
        for x in self.channels.all() {
            if let Some(Err(e)) = x.configured().map(|s| start(&x, s, &both)) {
                say(&e);
            }
        }
    }

    /// Ends the threads: the server stops.
    pub fn shut_down(&self) {
        let _turn = self.turn.lock();
        let all = self.channels.all();
        for x in &all {
            x.receiver.tell();
            x.applier.tell();
        }
        for x in &all {
            x.receiver.end(&x.relay);
            x.applier.end(&x.relay);
        }
    }

    pub(crate) fn session<R>(&self, f: impl FnOnce(&mut ApplierSession) -> R) -> SqlResult<R> {
        self.x.server()?.with_applier("replica_state", None, f)
    }

    fn reset_channel(&self, x: &Shared, all: bool) -> SqlResult<()> {
        let Some(mut s) = x.settings.lock().clone() else { return Ok(()) };
        if !s.auto_position {
            x.server()?.accounts.forget_marks(Some(&x.channel))?;
        }
        if all {
            self.session(|session| state::forget(session, &x.channel))??;
            *x.settings.lock() = None;
        } else {
            (s.log_file, s.log_pos) = (String::new(), 4);
            self.session(|session| state::store(session, &x.channel, &s, Some(&Position::default())))??;
            *x.settings.lock() = Some(s);
        }
        *x.applied.lock() = Position::default();
        x.skip.store(0, Ordering::Relaxed);
        x.source.lock().1.clear();
        x.receiver.clear_error();
        x.applier.clear_error();
        x.workers.lock().clear();
        x.forget_received()?;
        if all && !x.channel.is_empty() {
            self.channels.remove(&x.channel);
        }
        Ok(())
    }

    /// The channel that CHANGE REPLICATION SOURCE TO is about, and whether it is new.
    fn changed_channel(&self, name: Channel<'_>) -> SqlResult<(Arc<Shared>, bool)> {
        let Some(name) = name else { return Ok((self.channels.only(None)?, false)) };
        if let Some(x) = self.channels.get(&folded(name)) {
            return Ok((x, false));
        }
        let name = new_name(name)?;
        self.channels.check_room()?;
        Ok((self.channel(&name, true).map_err(relay_failed)?, true))
    }
}

impl Replication for Replica {
    fn donate(&self, donor: &Donor, request: &[u8], each: &mut EachBlock<'_>) -> SqlResult<()> {
        crate::donor::donate(donor, request, each)
    }

    fn change(&self, options: &[Given], channel: Channel<'_>) -> SqlResult<Vec<Remark>> {
        let _turn = self.turn.lock();
        let (x, is_new) = self.changed_channel(channel)?;
        let old = x.settings.lock().clone().unwrap_or_default();
        let says = |n: &[&str]| options.iter().any(|(name, _)| n.contains(name));
        let moved = says(&["SOURCE_HOST", "SOURCE_PORT", "SOURCE_LOG_FILE", "SOURCE_LOG_POS"]);
        check_threads(&x, options, moved)?;
        let mode = self.globals.num(Var::gtid_mode);
        let new = x.where_it_reads(&old).changed(options, &x.channel, mode == 0)?;
        if new.checks_user != old.checks_user || says(&["PRIVILEGE_CHECKS_USER"]) {
            checks::check_exists(&x, &new)?;
        }
        values::check_gtids(&old, &new, mode == globals::ON, &x.channel)?;
        if moved {
            x.server()?.accounts.forget_marks(Some(&x.channel))?;
        }
        if x.runs() {
            self.session(|s| state::store(s, &x.channel, &new, None))??;
        } else {
            let mut at = x.applied.lock().clone();
            if moved || new.auto_position {
                at = match new.log_file.is_empty() || new.auto_position {
                    true => Position::default(),
                    false => Position { file: new.log_file.clone(), offset: new.log_pos },
                };
            }
            self.session(|s| state::store(s, &x.channel, &new, Some(&at)))??;
            // what was received and not applied is received again
            x.forget_received()?;
            // with GTIDs it is no more than shown
            if moved || !new.auto_position {
                *x.applied.lock() = at;
            }
        }
        let (timeout, on) = (self.globals.num(Var::replica_net_timeout), mode == globals::ON);
        let remarks = values::remarks(options, &new, timeout, on);
        *x.settings.lock() = Some(new);
        if is_new {
            self.channels.add(x);
        }
        Ok(remarks)
    }

    fn check_global(&self, var: Var, to: Option<u64>) -> SqlResult<Vec<SqlError>> {
        globals::check(&self.channels, &self.globals, var, to)
    }

    fn start(&self, how: &Start, channel: Channel<'_>) -> SqlResult<Vec<SqlError>> {
        let _turn = self.turn.lock();
        let all = self.channels.named(channel)?;
        if self.globals.num(Var::server_id) == 0 {
            return Err(SqlError::new(ErrorCode::REPLICA_CONFIGURATION, &[]));
        }
        let starts = all.iter().filter(|x| x.configured().is_some()).count();
        if how.threads.applier && starts > 1 && self.globals.num(Var::sql_replica_skip_counter) > 0 {
            return Err(SqlError::new(ErrorCode::REPLICA_CHANNEL_SQL_SKIP_COUNTER, &[]));
        }
        if let [x] = all.as_slice() {
            let s = x.configured().ok_or_else(|| SqlError::new(ErrorCode::BAD_REPLICA, &[]))?;
            return start(x, s, how);
        }
        if !how.until.is_empty() {
            return Err(several());
        }
        // each is tried, and the first error told
        let started = all.iter().filter_map(|x| Some(start(x, x.configured()?, how)));
        let done: Vec<_> = started.collect();
        Ok(done.into_iter().collect::<SqlResult<Vec<_>>>()?.into_iter().flatten().collect())
    }

    fn stop(&self, threads: Threads, channel: Channel<'_>) -> SqlResult<Vec<SqlError>> {
        let _turn = self.turn.lock();
        let all = self.channels.named(channel)?;
        let one = all.len() == 1;
        let counts = |x: &&Arc<Shared>| one || x.configured().is_some();
        let said: SqlResult<Vec<_>> = all.iter().filter(counts).map(|x| stop(x, threads)).collect();
        Ok(said?.into_iter().flatten().collect())
    }

    fn reset(&self, all: bool, channel: Channel<'_>) -> SqlResult<()> {
        let _turn = self.turn.lock();
        let which = self.channels.named(channel)?;
        if let Some(x) = which.iter().find(|x| x.runs()) {
            return Err(x.says(ErrorCode::REPLICA_CHANNEL_MUST_STOP));
        }
        which.iter().try_for_each(|x| self.reset_channel(x, all))
    }

    fn filter(&self, rules: &[(&'static str, Vec<String>)], channel: Channel<'_>) -> SqlResult<()> {
        let _turn = self.turn.lock();
        not_of_groups(channel, "CHANGE REPLICATION FILTER")?;
        let unknown = |_| SqlError::new(ErrorCode::REPLICA_CONFIGURATION, &[]);
        let which = self.channels.named(channel).map_err(unknown)?;
        if let Some(x) = which.iter().find(|x| x.applier.runs()) {
            return Err(x.says(ErrorCode::REPLICA_CHANNEL_SQL_THREAD_MUST_STOP));
        }
        let changed = |f: &Filters| f.changed(rules, channel.is_some());
        if channel.is_none() {
            let mut all = self.filters.lock();
            *all = changed(&all)?;
        }
        for x in which {
            let mut filters = x.filters.lock();
            *filters = Arc::new(changed(&filters)?);
        }
        Ok(())
    }

    fn relay_events(&self, file: &str, each: &mut EachEvent<'_>, channel: Channel<'_>) -> SqlResult<Option<String>> {
        reader::events(&self.channels.only(channel)?.relay, file, each)
    }

    fn flush_logs(&self, channel: Channel<'_>) -> SqlResult<()> {
        let stamp = Stamp { timestamp: 0, server_id: self.globals.num(Var::server_id) as u32 };
        self.channels.named(channel)?.iter().try_for_each(|x| x.relay.flush(stamp).map_err(relay_failed))
    }

    fn has_source(&self, channel: Channel<'_>) -> SqlResult<bool> {
        Ok(self.channels.named(channel)?.iter().any(|x| x.configured().is_some()))
    }

    fn status_variables(&self) -> Vec<(&'static str, String)> {
        let all = self.channels.all();
        let on = all.iter().any(|x| x.receiver.semi_sync.load(Ordering::Acquire));
        let tables: u64 = all.iter().map(|x| x.temp_tables.load(Ordering::Relaxed)).sum();
        vec![
            ("Replica_open_temp_tables", tables.to_string()),
            ("Rpl_semi_sync_replica_status", if on { "ON" } else { "OFF" }.to_owned()),
            ("Slave_open_temp_tables", tables.to_string()),
        ]
    }

    fn status(&self, channel: Channel<'_>) -> SqlResult<Vec<ShownRow>> {
        let all = self.channels.named(channel)?;
        Ok(all.iter().filter_map(|x| x.configured().map(|s| status::rows(x, &s))).collect())
    }
}

impl views::ToldTables for Replica {
    fn rows(&self, table: &str) -> Vec<views::ToldRow> {
        match table {
            "replication_applier_global_filters" => tables::global_filters(&self.filters.lock()),
            table => self.channels.all().iter().flat_map(|x| tables::rows(x, table)).collect(),
        }
    }
}

impl SourceWait for Replica {
    fn wait(
        &self,
        channel: Option<&str>,
        (file, offset): (&str, i64),
        deadline: Option<Instant>,
        stop: &dyn Fn() -> bool,
    ) -> SqlResult<Option<i64>> {
        let x = match channel {
            None => self.channels.only(None)?,
            Some(name) => match self.channels.get(&folded(name)) {
                Some(x) => x,
                None => return Ok(None),
            },
        };
        // a name without a number is no file of a log
        let number = file.rsplit_once('.').map_or("", |(_, n)| n);
        if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            return Ok(None);
        }
        let wanted = Position { file: file.to_owned(), offset: offset.max(0) as u64 };
        Ok(x.wait_applied(&wanted, deadline, stop))
    }
}
