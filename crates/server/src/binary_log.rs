//! The binary log at the start: opened before the engine, whose sink it is, begun when the engine is open.
//!
//! A data directory that has had a log is opened with it even where `log_bin` is off: what a crash has left in the
//! redo log belongs to its files. Tested: `tests/clients/test_binary_log.py`, `tests/crash/test_kill_binlog.py`.

use crate::options::BinaryLog as Given;
use binlog::gtid::Sid;
use binlog::log::{Log, Names, Options};
use catalog::sysvar::{GlobalVars, Raw, Var};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use storage::engine::Engine;
use storage::file::FileSystem;
use storage::file::real::RealFs;

/// What the files are called where no option says anything, as in MySQL.
const DEFAULT_NAME: &str = "binlog";
/// `binlog_checksum` CRC32.
const CRC32: u64 = 1;

fn failed(e: storage::StorageError) -> String {
    format!("Cannot open the binary log: {}", base::SqlError::from(e).message())
}

/// Whether what an option names can only be a folder.
fn is_folder(name: &str) -> bool {
    matches!(name.rsplit('/').next(), Some("" | "." | ".."))
}

/// The log, or None where there is none and never was one.
pub fn open(datadir: &Path, globals: &GlobalVars, given: &Given) -> Result<Option<Arc<Log>>, String> {
    let fs: Arc<dyn FileSystem> = Arc::new(RealFs::new(datadir, false).map_err(failed)?);
    let names = match given.on {
        true => {
            for (option, name) in [("log-bin", &given.name), ("log-bin-index", &given.index)] {
                if let Some(name) = name.as_deref().filter(|n| is_folder(n)) {
                    return Err(format!(
                        "Path '--{option}' is a directory name, please specify a file name for {name} option"
                    ));
                }
            }
            let default = || match given.asked {
                true => format!("{}-bin", globals.string(Var::hostname)),
                false => DEFAULT_NAME.to_owned(),
            };
            Names::new(&given.name.clone().unwrap_or_else(default), given.index.as_deref())
        }
        false => match Log::was_there(&*fs).map_err(failed)? {
            Some(names) => names,
            None => return Ok(None),
        },
    };
    let uuid = globals.string(Var::server_uuid);
    let options = Options {
        names,
        uuid: Sid::parse(&uuid).ok_or_else(|| format!("server_uuid '{uuid}' is no UUID"))?,
        version: globals.string(Var::version).to_string(),
        server_id: globals.num(Var::server_id) as u32,
        max_size: globals.num(Var::max_binlog_size),
        checksum: globals.num(Var::binlog_checksum) == CRC32,
    };
    Log::open(fs, options).map(Some).map_err(failed)
}

/// Whether it is to be on: not where the engine only reads.
pub fn may_be_on(globals: &GlobalVars, given: &Given) -> bool {
    let reads = globals.bool(Var::innodb_read_only) || globals.num(Var::innodb_force_recovery) > 0;
    if given.asked && reads {
        crate::log::warning(10_000, "log_bin is off: with innodb_read_only or innodb_force_recovery nothing is logged");
    }
    let on = given.on && !reads;
    if !on {
        if globals.origin(Var::log_replica_updates).source != "COMPILED" && globals.bool(Var::log_replica_updates) {
            let text = "You need to use --log-bin to make --log-replica-updates work.";
            crate::log::warning(10_161, text);
        }
        globals.settle(Var::log_replica_updates, Raw::Num(0));
    }
    on
}

/// Begins this start's first file, or, where the log is off, leaves what there was.
pub fn begin(
    log: &Arc<Log>,
    engine: &Arc<Engine>,
    globals: &GlobalVars,
    on: bool,
    tasks: &sched::Tasks,
) -> Result<(), String> {
    if !on {
        return log.leave().map_err(failed);
    }
    log.settings.expire_seconds.store(expiry(globals), Ordering::Relaxed);
    let history = globals.num(Var::binlog_transaction_dependency_history_size);
    log.settings.history.store(history as usize, Ordering::Relaxed);
    log.semi_sync.set(session::semi_sync_wanted(globals));
    engine.set_always_synced(globals.num(Var::sync_binlog) == 1);
    log.begin(engine).map_err(failed)?;
    // nothing is cleaned up: the redo log has all that is committed
    log.when_it_fails(|| std::process::exit(1));
    log.start_writer(tasks).map_err(|e| format!("cannot start the binary log's thread: {e}"))?;
    log.purge_expired();
    let whole = |name: &str| Raw::Text(Some(log.file_system().whole_name(name).into()));
    globals.store(Var::log_bin, Raw::Num(1));
    globals.store(Var::log_bin_basename, whole(&log.names().base));
    globals.store(Var::log_bin_index, whole(&log.names().index));
    Ok(())
}

/// Seconds after which files go, 0: never.
pub fn expiry(globals: &GlobalVars) -> u64 {
    match globals.bool(Var::binlog_expire_logs_auto_purge) {
        true => globals.num(Var::binlog_expire_logs_seconds),
        false => 0,
    }
}
