//! `evenkeel restore --to-...`: brings a restored directory forward along the binary log (docs/backup.md).
//!
//! [`point`] reads the options, [`Log`] the files ([`backup::forward`] says which part of them). [`Log::apply`] opens
//! the server's engine in the directory, without sockets, clients or events of its own, and lets the replica's applier
//! work ([`replica::Replica::replay`]). The engine has a binary log meanwhile, because GTIDs are kept there; it is
//! thrown away at the end, and what was executed stands in the note of a copy, as behind any restore.
//!
//! The directory has the restore's marker all the time: after an error or a crash no server starts on it. Tested:
//! `tests/backup/test_to_time.py`, `tests/backup/pitr_random.py`.

use crate::backup_options::Arguments;
use crate::engine::{self, EngineConfig};
use crate::{datadir, options, run, sizes};
use backup::forward::{Plan, Point, plan};
use backup::restore::Made;
use backup::{End, Error, Result};
use catalog::accounts::{Accounts, FileStore};
use catalog::connections::Connections;
use catalog::sysvar::{GlobalVars, Raw, Var};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use storage::file::FileSystem;
use storage::file::real::RealFs;
use value::TimeZone;
use value::temporal::DateFlags;
use value::temporal::parse::parse_datetime;

/// Buffer pool, unless the settings that came with the backup say more.
const POOL: u64 = 512 << 20;
/// Name of the relay log.
const RELAY: &str = "#replay";

fn refused(text: impl Into<String>) -> Error {
    Error::Refused(text.into())
}

/// The point that the options name; `None`: the backup's own end.
///
/// # Errors
/// `Refused`: more than one, no folder of the log, what is no time, position or set.
pub fn point(args: &Arguments) -> Result<Option<Point>> {
    let given: Vec<_> = ["to-time", "to-gtid", "to-position"].into_iter().filter(|n| args.has(n)).collect();
    let (name, text) = match (given.as_slice(), args.has("binlog-dir")) {
        ([], false) => return Ok(None),
        ([], true) => return Ok(Some(Point::End)),
        ([name], true) => (*name, args.value(name).unwrap_or_default()),
        ([name], false) => {
            return Err(refused(format!(
                "--{name} needs --binlog-dir=FOLDER: where the server's binary log files are"
            )));
        }
        _ => return Err(refused("--to-time, --to-gtid and --to-position: only one of them")),
    };
    let wrong = |what: &str| refused(format!("--{name}: '{text}' is no {what}"));
    Ok(Some(match name {
        "to-time" => Point::Time(time(text).ok_or_else(|| wrong("time: write 'YYYY-MM-DD hh:mm:ss'"))?),
        "to-gtid" => {
            let set = binlog::GtidSet::parse(text).filter(|s| !s.is_empty());
            Point::Gtids(set.ok_or_else(|| wrong("set of GTIDs"))?)
        }
        _ => {
            let place = text.rsplit_once(':').and_then(|(file, at)| Some((file.to_owned(), at.parse().ok()?)));
            let (file, at) = place.ok_or_else(|| wrong("position: write FILE:NUMBER"))?;
            Point::Position(file, at)
        }
    }))
}

/// Seconds since 1970 of a date and a time of day: of this machine's time zone, as mysqlbinlog reads it, unless it ends
/// in an offset such as +00:00. The log knows whole seconds only.
fn time(text: &str) -> Option<u64> {
    let (text, utc) = text.strip_suffix('Z').map_or((text, false), |t| (t, true));
    let flags = DateFlags { no_zero_date: true, no_zero_in_date: true, allow_invalid: false };
    let t = parse_datetime(text.as_bytes(), flags).filter(|t| !t.trailing && !t.date_only && t.fraction_digits == 0)?;
    let zone = match (t.offset, utc) {
        (Some(_), true) => return None,
        (Some(seconds), false) => TimeZone::Offset(seconds),
        (None, true) => TimeZone::Offset(0),
        (None, false) => TimeZone::by_name("SYSTEM").ok()?,
    };
    u64::try_from(zone.to_unix(t.value)).ok()
}

/// The files of a binary log.
pub struct Log {
    fs: RealFs,
    folder: PathBuf,
    point: Point,
}

impl Log {
    /// In the folder that `--binlog-dir` names.
    ///
    /// # Errors
    /// `Refused`: there is no such folder.
    pub fn open(args: &Arguments, point: Point) -> Result<Log> {
        let folder = PathBuf::from(args.value("binlog-dir").unwrap_or_default());
        if !folder.is_dir() {
            return Err(refused(format!("--binlog-dir: there is no folder '{}'", folder.display())));
        }
        Ok(Log { fs: RealFs::new(&folder, false)?, folder, point })
    }

    /// What is to be applied to a backup with this end.
    ///
    /// # Errors
    /// `Refused`: what is missing or does not fit, by name.
    pub fn plan(&self, end: &End) -> Result<Plan> {
        plan(&self.fs, end, &self.point).map_err(|e| match e {
            Error::Refused(text) => refused(format!("{text} (--binlog-dir={})", self.folder.display())),
            e => e,
        })
    }

    /// Applies it to a directory that was restored. What else there is to say.
    ///
    /// # Errors
    /// Of the engine, of what is applied.
    pub fn apply(
        &self,
        made: &Made,
        datadir: &Path,
        plan: &Plan,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<String>> {
        let dir = datadir::open(&datadir.to_string_lossy()).map_err(refused)?;
        let globals = settings(&dir, made)?;
        let store = FileStore::new(dir.path.join(datadir::ACCOUNTS));
        let accounts = Accounts::open(Box::new(store)).map_err(|e| refused(e.message()))?;
        let connections = Arc::new(Connections::default());
        let base = made.end.log_file.rsplit_once('.').map_or("", |(base, _)| base);
        let binary_log = options::BinaryLog { on: true, name: Some(base.to_owned()), ..Default::default() };
        let engine = engine::open(EngineConfig {
            datadir: &dir.path,
            is_new: false,
            globals: globals.clone(),
            accounts: Arc::new(accounts),
            connections: connections.clone(),
            binary_log: &binary_log,
        })
        .map_err(refused)?;
        run::settle_system_tables(&globals, &connections, &*engine.sessions());
        let mut said = Vec::new();
        let done = (|| -> Result<()> {
            for part in &plan.parts {
                engine.replica().replay(&self.fs, &part.file, part.from, part.to).map_err(Error::Sql)?;
                progress(part.to - part.from);
            }
            if engine.replica().forget_position().map_err(Error::Sql)? {
                said.push("the server was a replica by file and position: that position is forgotten, name one before START REPLICA".to_owned());
            }
            Ok(())
        })();
        let executed = engine.gtid_executed();
        engine.stop();
        let closed = engine.shutdown().map_err(refused);
        done.and(closed)?;
        let mut wanted = plan.executed.clone();
        wanted.remove_all(&plan.purged);
        if executed != wanted {
            let text = "what was applied has other GTIDs than the binary log";
            return Err(refused(format!("{text}: '{executed}' instead of '{wanted}'")));
        }
        let fs = RealFs::new(&dir.path, false)?;
        binlog::log::names::end_log_of_copy(&fs, base, &plan.executed)?;
        fs.remove(&format!("{RELAY}.index"))?;
        Ok(said)
    }
}

/// Settings of the engine: those that came with the backup, apart from what would stand in the way.
fn settings(dir: &datadir::DataDir, made: &Made) -> Result<Arc<GlobalVars>> {
    let globals = Arc::new(GlobalVars::new());
    run::apply_persisted(&dir.path, &globals).map_err(refused)?;
    sizes::settle(&globals);
    sizes::settle_files(&globals);
    crate::computed::names(dir, &globals);
    let number = |v: Var, n: u64| globals.store(v, Raw::Num(n));
    number(Var::lower_case_table_names, u64::from(made.begin.folded));
    datadir::fill_facts(dir, &globals).map_err(refused)?;
    number(Var::innodb_buffer_pool_size, globals.num(Var::innodb_buffer_pool_size).max(POOL));
    // the directory is thrown away if this machine stops now: nothing is synced before the end
    number(Var::innodb_flush_log_at_trx_commit, 2);
    number(Var::sync_binlog, 0);
    // what was allowed there is allowed here
    for v in [Var::restrict_fk_on_non_standard_key, Var::innodb_read_only, Var::innodb_force_recovery] {
        number(v, 0);
    }
    for v in [Var::general_log, Var::slow_query_log, Var::innodb_buffer_pool_dump_at_shutdown] {
        number(v, 0);
    }
    // transactions with GTIDs and without
    number(Var::enforce_gtid_consistency, 0);
    number(Var::gtid_mode, GTID_ON_PERMISSIVE);
    number(Var::replica_exec_mode, 0);
    number(Var::server_id, globals.num(Var::server_id).max(1));
    number(Var::relay_log_recovery, 1);
    globals.store(Var::relay_log, Raw::Text(Some(RELAY.into())));
    globals.store(Var::replica_skip_errors, Raw::Text(Some("OFF".into())));
    Ok(globals)
}

/// `gtid_mode` ON_PERMISSIVE.
const GTID_ON_PERMISSIVE: u64 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, seconds) in [
            ("2026-11-27 20:00:00Z", Some(1_795_809_600)),
            ("2026-11-27 20:00:00+00:00", Some(1_795_809_600)),
            ("2026-11-27T21:00:00+01:00", Some(1_795_809_600)),
            ("2026-11-27 20:00:00.5Z", None),
            ("2026-11-27", None),
            ("2026-13-27 20:00:00", None),
            ("2026-11-27 20:00:00 x", None),
            ("2026-11-27 20:00:00+01:00Z", None),
            ("yesterday", None),
        ] {
            assert_eq!(time(text), seconds, "{text}");
        }
        assert!(time("2026-11-27 20:00:00").is_some());
    }
}
