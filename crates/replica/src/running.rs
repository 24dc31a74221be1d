//! When threads of a channel begin and end: what START REPLICA needs, UNTIL, and what may not change while they run.
//!
//! Called by the statements ([`crate::control`]) under their mutex. Tested: `tests/binlog/test_replica_operators.py`,
//! `test_replica_channels.py`.

use crate::globals;
use crate::relay::{At, Position};
use crate::settings::Settings;
use crate::shared::{Shared, Until};
use crate::thread::Thread;
use crate::values::AssignGtids;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::GtidSet;
use catalog::sysvar::{Raw, Var};
use session::replica::{Given, Setting, Start, Threads};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What only the applier has to do with; it must not run while one of these changes.
const APPLIERS: [&str; 6] = [
    "SOURCE_DELAY",
    "RELAY_LOG_FILE",
    "RELAY_LOG_POS",
    "PRIVILEGE_CHECKS_USER",
    "REQUIRE_ROW_FORMAT",
    "REQUIRE_TABLE_PRIMARY_KEY_CHECK",
];

/// Starts threads of a channel. Notes: they run already.
pub fn start(x: &Arc<Shared>, mut s: Settings, how: &Start) -> SqlResult<Vec<SqlError>> {
    if s.auto_position && x.server()?.binary_log().is_none() {
        return Err(SqlError::unsupported("SOURCE_AUTO_POSITION without log_bin"));
    }
    if x.globals.bool(Var::log_bin) && !x.globals.bool(Var::log_replica_updates) {
        return Err(SqlError::unsupported("log_replica_updates = OFF"));
    }
    if s.assign_gtids != AssignGtids::Off && x.globals.num(Var::gtid_mode) != globals::ON {
        return Err(SqlError::new(ErrorCode::ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_REQUIRES_GTID_MODE_ON, &[]));
    }
    // one position cannot say which of those behind it are applied
    let workers = x.globals.num(Var::replica_parallel_workers);
    if !s.auto_position && workers > 1 && !x.globals.bool(Var::replica_preserve_commit_order) {
        let what = "replica_preserve_commit_order = OFF with several workers and without SOURCE_AUTO_POSITION";
        return Err(SqlError::unsupported(what));
    }
    let threads = how.threads;
    if !how.login.is_empty() && !threads.receiver {
        return Err(SqlError::new(ErrorCode::SQLTHREAD_WITH_SECURE_REPLICA, &[]));
    }
    for (name, v) in &how.login {
        match (*name, v) {
            ("USER", Setting::Text(t)) => s.user = t.clone(),
            ("PASSWORD", Setting::Text(t)) => s.password = t.clone(),
            _ => return Err(SqlError::unsupported(format!("START REPLICA {name}"))),
        }
    }
    let end = until(&how.until, x)?;
    if s.assign_gtids != AssignGtids::Off && matches!(end, Until::Before(_) | Until::After(_)) {
        let code = ErrorCode::CANT_SET_SQL_AFTER_OR_BEFORE_GTIDS_WITH_ANONYMOUS_TO_GTID;
        return Err(SqlError::new(code, &[]));
    }
    let ignored = !threads.applier && !matches!(end, Until::None | Until::NoGaps);
    let plain = !how.login.is_empty() && how.plain;
    let notes = [(ignored, ErrorCode::UNTIL_COND_IGNORED), (plain, ErrorCode::INSECURE_PLAIN_TEXT)];
    let notes = notes.into_iter().filter(|(tell, _)| *tell).map(|(_, code)| SqlError::new(code, &[]));
    let already = |wanted: bool, t: &Thread| !wanted || t.runs();
    if already(threads.receiver, &x.receiver) && already(threads.applier, &x.applier) {
        return Ok(notes.chain([x.says(ErrorCode::REPLICA_CHANNEL_WAS_RUNNING)]).collect());
    }
    if threads.applier && !x.applier.runs() {
        *x.until.lock() = end;
        take_skip_counter(x, &s);
        x.start_applier(s.clone())?;
    }
    if threads.receiver && !x.receiver.runs() {
        x.start_receiver(s)?;
    }
    Ok(notes.collect())
}

/// `sql_replica_skip_counter` goes to the applier that starts, and is 0 then. Where every transaction has a GTID it is
/// nothing, as in MySQL.
fn take_skip_counter(x: &Shared, s: &Settings) {
    let with_gtids = x.globals.num(Var::gtid_mode) == globals::ON && s.assign_gtids == AssignGtids::Off;
    let events = if with_gtids { 0 } else { x.globals.num(Var::sql_replica_skip_counter) };
    x.skip.store(events, Ordering::Relaxed);
    x.globals.store(Var::sql_replica_skip_counter, Raw::Num(0));
}

/// Ends threads of a channel. A note where none runs.
///
/// # Errors
/// 1875, 1876: after `rpl_stop_replica_timeout` one still runs. It ends by itself.
pub fn stop(x: &Shared, threads: Threads) -> SqlResult<Option<SqlError>> {
    // a server without a source has the same threads, and they do not run: MySQL answers with a note, too
    let stopped = |wanted: bool, t: &Thread| !wanted || !t.runs();
    if stopped(threads.receiver, &x.receiver) && stopped(threads.applier, &x.applier) {
        return Ok(Some(x.says(ErrorCode::REPLICA_CHANNEL_WAS_NOT_RUNNING)));
    }
    let long = Duration::from_secs(x.globals.num(Var::rpl_stop_replica_timeout));
    if threads.receiver && !x.receiver.end_within(&x.relay, long) {
        return Err(SqlError::new(ErrorCode::STOP_REPLICA_IO_THREAD_TIMEOUT, &[]));
    }
    if threads.applier && !x.applier.end_within(&x.relay, long) {
        return Err(SqlError::new(ErrorCode::STOP_REPLICA_SQL_THREAD_TIMEOUT, &[]));
    }
    Ok(None)
}

/// START REPLICA UNTIL.
fn until(given: &[Given], x: &Shared) -> SqlResult<Until> {
    let wrong = || SqlError::new(ErrorCode::BAD_REPLICA_UNTIL_COND, &[]);
    let found = |names: [&str; 2]| match given {
        [(a, Setting::Text(file)), (b, Setting::Number(at))] if [*a, *b] == names => Some((file.clone(), at.parse())),
        [(b, Setting::Number(at)), (a, Setting::Text(file))] if [*a, *b] == names => Some((file.clone(), at.parse())),
        _ => None,
    };
    match given {
        [] => return Ok(Until::None),
        [("SQL_AFTER_MTS_GAPS", _)] => return Ok(Until::NoGaps),
        [(name @ ("SQL_BEFORE_GTIDS" | "SQL_AFTER_GTIDS"), Setting::Text(t))] => {
            let malformed = || SqlError::new(ErrorCode::MALFORMED_GTID_SET_SPECIFICATION, &[t]);
            let set = GtidSet::parse(t).ok_or_else(malformed)?;
            return Ok(if *name == "SQL_BEFORE_GTIDS" { Until::Before(set) } else { Until::After(set) });
        }
        _ => {}
    }
    let by_file = [["SOURCE_LOG_FILE", "SOURCE_LOG_POS"], ["RELAY_LOG_FILE", "RELAY_LOG_POS"]];
    if by_file.into_iter().any(|names| found(names).is_some()) && x.applier.runs() {
        // nothing begins, so nobody asks for the file
        return Ok(Until::None);
    }
    // a file's number says where it stands among the others
    let number = |file: &str| file.rsplit_once('.').and_then(|(_, n)| n.parse::<u64>().ok()).ok_or_else(wrong);
    if let Some((file, Ok(offset))) = found(["SOURCE_LOG_FILE", "SOURCE_LOG_POS"]) {
        number(&file)?;
        return Ok(Until::Source(Position { file, offset }));
    }
    if let Some((file, Ok(offset))) = found(["RELAY_LOG_FILE", "RELAY_LOG_POS"]) {
        let number = number(&file)?;
        if x.relay.file_name(number) == file {
            return Ok(Until::Relay(file, At { number, offset }));
        }
    }
    Err(wrong())
}

/// 3021, 3081, 3085: what may not change while a thread runs.
pub fn check_threads(x: &Shared, options: &[Given], moved: bool) -> SqlResult<()> {
    let says = |n: &[&str]| options.iter().any(|(name, _)| n.contains(name));
    let receives = options.iter().any(|(name, _)| !APPLIERS.contains(name) || *name == "REQUIRE_ROW_FORMAT");
    let both = [
        "SOURCE_AUTO_POSITION",
        "GTID_ONLY",
        "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS",
        "SOURCE_CONNECTION_AUTO_FAILOVER",
    ];
    if x.runs() && says(&both) {
        return Err(x.says(ErrorCode::REPLICA_CHANNEL_MUST_STOP));
    }
    if receives && x.receiver.runs() {
        return Err(x.says(ErrorCode::REPLICA_CHANNEL_IO_THREAD_MUST_STOP));
    }
    if says(&APPLIERS) && x.applier.runs() {
        return Err(x.says(ErrorCode::REPLICA_CHANNEL_SQL_THREAD_MUST_STOP));
    }
    // MySQL lets the applier go on with what was received from the place before; here that would be thrown away
    if moved && x.applier.runs() {
        return Err(x.says(ErrorCode::REPLICA_CHANNEL_MUST_STOP));
    }
    Ok(())
}
