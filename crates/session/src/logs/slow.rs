//! The slow query log: what comes into it (`long_query_time`, `min_examined_row_limit`, `log_slow_admin_statements`,
//! `log_queries_not_using_indexes` with its throttle) and how an entry looks (`log_slow_extra`).
//!
//! A statement pays one load while the log is off, and two looks at its own counters while it is on. The throttle's mutex is a leaf, taken only for
//! statements that used no index. Tested: `tests/clients/test_settings.py`.

use crate::logs::SessionLog;
use crate::logs::general::{FILE, NONE, TABLE, hex, stamp, user_host};
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlResult};
use catalog::client::ResultSink;
use catalog::connections::Kill;
use catalog::sysvar::Var;
use executor::Env;
use probe::Counter;
use std::time::{Duration, Instant};

/// What is counted over a statement.
const COUNTS: [Counter; 19] = [
    Counter::HandlerReadFirst,
    Counter::HandlerReadLast,
    Counter::HandlerReadKey,
    Counter::HandlerReadNext,
    Counter::HandlerReadPrev,
    Counter::HandlerReadRndNext,
    Counter::HandlerReadRnd,
    Counter::SortMergePasses,
    Counter::SortRange,
    Counter::SortRows,
    Counter::SortScan,
    Counter::CreatedTmpDiskTables,
    Counter::CreatedTmpTables,
    Counter::SelectScan,
    Counter::SelectFullJoin,
    // microseconds waited for locks of rows and metadata
    Counter::InnodbRowLockTime,
    Counter::MdlWaitTime,
    Counter::HandlerUpdate,
    Counter::RowsNotFound,
];
/// Bytes of a packet's header and command.
const COMMAND: usize = 5;
/// Bytes of an error's packet beside its text: header, mark, number, SQLSTATE with its own mark.
const ERROR: u64 = 13;

/// A statement that began while the slow log was on.
pub(crate) struct Began {
    at: Instant,
    wall_us: u64,
    counts: [u64; COUNTS.len()],
    sent: u64,
}

/// `log_throttle_queries_not_using_indexes`: a window of a minute, and what was left out in it.
#[derive(Default)]
pub(crate) struct Throttle {
    until: Option<Instant>,
    logged: u64,
    left_out: u64,
    took: Duration,
    locked_us: u64,
}

/// What was left out of a window that is over: number, time taken, microseconds of lock waits.
type LeftOut = (u64, Duration, u64);

impl Throttle {
    /// Whether a statement is written, with at most `limit` (0: any number) a minute; and what has to be told of the window before.
    fn admit(&mut self, now: Instant, limit: u64, took: Duration, locked_us: u64) -> (bool, Option<LeftOut>) {
        let mut told = None;
        if self.until.is_none_or(|u| now >= u) {
            if self.left_out > 0 {
                told = Some((self.left_out, self.took, self.locked_us));
            }
            *self = Throttle { until: Some(now + Duration::from_secs(60)), ..Throttle::default() };
        }
        if limit == 0 {
            return (true, told);
        }
        self.logged += 1;
        if self.logged <= limit {
            return (true, told);
        }
        self.left_out += 1;
        self.took += took;
        self.locked_us += locked_us;
        (false, told)
    }
}

/// An entry.
struct Entry<'a> {
    took: Duration,
    locked: f64,
    sent: u64,
    examined: u64,
    text: &'a [u8],
    /// `log_slow_extra`, as its fields are written.
    extra: String,
}

/// What a statement took.
pub(crate) struct Ended {
    began: Began,
    took: Duration,
    /// Of [`COUNTS`].
    counts: [u64; COUNTS.len()],
    /// 0: none.
    errno: u16,
    rows_sent: u64,
    /// Bytes of the error, which is sent later.
    unsent: u64,
}

impl Ended {
    /// Rows that were read, and those read once more after a sort.
    fn examined(&self) -> u64 {
        let [_, _, key, next, prev, rnd_next, .., not_found] = self.counts;
        let [_, _, _, _, _, _, _, _, _, sorted, ..] = self.counts;
        (key + next + prev + rnd_next).saturating_sub(not_found) + sorted
    }

    /// The fields of `log_slow_extra`. `received`: bytes of the statement; `sent`: bytes sent by the connection so far.
    fn extra(&self, env: &Env, received: usize, sent: u64) -> String {
        let Ended { began, took, errno, counts, .. } = self;
        let [first, last, key, next, prev, rnd_next, rnd, passes, range, rows, scan, disk, tmp, ..] = counts;
        let killed = match env.client.connection.killed() {
            _ if *errno == 0 => 0,
            Kill::No => 0,
            Kill::Query => ErrorCode::QUERY_INTERRUPTED.number(),
            Kill::Connection => ErrorCode::SERVER_SHUTDOWN.number(),
        };
        let g = &env.shared.globals;
        format!(
            " Thread_id: {} Errno: {errno} Killed: {killed} Bytes_received: {} Bytes_sent: {} Read_first: {first} Read_last: {last} Read_key: {key} Read_next: {next} Read_prev: {prev} Read_rnd: {rnd} Read_rnd_next: {rnd_next} Sort_merge_passes: {passes} Sort_range_count: {range} Sort_rows: {rows} Sort_scan_count: {scan} Created_tmp_disk_tables: {disk} Created_tmp_tables: {tmp} Start: {} End: {}",
            env.client.connection.id(),
            received + COMMAND,
            sent.saturating_sub(began.sent) + self.unsent,
            stamp(began.wall_us, g),
            stamp(began.wall_us + took.as_micros() as u64, g),
        )
    }
}

/// Statements that `log_slow_admin_statements` is about.
fn is_admin(sql: &[u8]) -> bool {
    let mut words = sql.split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty());
    let first = words.next().unwrap_or(b"").to_ascii_lowercase();
    let second = words.next().unwrap_or(b"").to_ascii_lowercase();
    match first.as_slice() {
        b"alter" | b"analyze" | b"check" | b"optimize" | b"repair" => second != b"user",
        b"create" | b"drop" => second == b"index" || second == b"unique",
        _ => false,
    }
}

/// SHOW and its like read tables of the server's own.
fn is_status(sql: &[u8]) -> bool {
    let word = sql.trim_ascii_start().split(|b| !b.is_ascii_alphabetic()).next().unwrap_or(b"");
    [b"show".as_slice(), b"desc", b"describe", b"explain"].iter().any(|w| word.eq_ignore_ascii_case(w))
}

impl SessionLog {
    fn counts_now(&self) -> [u64; COUNTS.len()] {
        let c = self.sched.counters();
        COUNTS.map(|n| c.get(n))
    }

    /// A statement begins: the clock is read where the slow log is on.
    #[inline]
    pub(crate) fn slow_start(&self, env: &Env, out: &dyn ResultSink) -> Option<Began> {
        let on = env.shared.globals.bool(Var::slow_query_log) && !self.unlogged;
        on.then(|| Began {
            at: Instant::now(),
            wall_us: sys::clock::wall_micros(),
            counts: self.counts_now(),
            sent: out.bytes(),
        })
    }

    /// It has ended; the answer is not sent yet. `None`: it comes into no log.
    #[inline]
    pub(crate) fn slow_end(&self, env: &Env, began: Option<Began>, result: &SqlResult<Outcome>) -> Option<Ended> {
        began.and_then(|b| self.take_slow(env, b, result))
    }

    #[cold]
    fn take_slow(&self, env: &Env, began: Began, result: &SqlResult<Outcome>) -> Option<Ended> {
        if result.as_ref().is_err_and(|e| e.is(ErrorCode::PARSE_ERROR)) {
            return None;
        }
        let took = began.at.elapsed();
        let now = self.counts_now();
        let mut counts = [0; COUNTS.len()];
        for (d, (a, b)) in counts.iter_mut().zip(now.iter().zip(&began.counts)) {
            *d = a.saturating_sub(*b);
        }
        let error = result.as_ref().err();
        let rows_sent = if result.as_ref().is_ok_and(|o| o.rows) { env.counts.rows_sent } else { 0 };
        let unsent = error.map_or(0, |e| ERROR + e.message().len() as u64);
        Some(Ended { began, took, counts, errno: error.map_or(0, base::SqlError::code), rows_sent, unsent })
    }

    /// Its answer is sent: into the slow log if it was slow.
    #[inline]
    pub(crate) fn slow_answered(&self, env: &Env, ended: Option<Ended>, sql: &[u8], out: &dyn ResultSink) {
        if let Some(e) = ended {
            self.log_slow(env, &e, sql, out);
        }
    }

    /// Whether it read all of a table: a full scan or join of a query, or a change that found its rows without an index.
    fn no_index_used(&self, sql: &[u8], scans: u64, read: u64) -> bool {
        let change = matches!(
            self.instrument.kind,
            Some(Counter::ComUpdate | Counter::ComUpdateMulti | Counter::ComDelete | Counter::ComDeleteMulti)
        );
        (scans > 0 || change && read > 0) && !is_status(sql)
    }

    #[cold]
    fn log_slow(&self, env: &Env, ended: &Ended, sql: &[u8], out: &dyn ResultSink) {
        let g = &env.shared.globals;
        let [_, _, _, _, _, rnd_next, _, _, _, _, _, _, _, full, join, row_us, mdl_us, ..] = ended.counts;
        let (took, examined) = (ended.took, ended.examined());
        let slow = took.as_secs_f64() >= env.vars.double(Var::long_query_time);
        let no_index = g.bool(Var::log_queries_not_using_indexes) && self.no_index_used(sql, full + join, rnd_next);
        if !(slow || no_index)
            || examined < env.vars.num(Var::min_examined_row_limit)
            || (is_admin(sql) && !g.bool(Var::log_slow_admin_statements))
        {
            return;
        }
        if slow {
            probe::inc(Counter::SlowQueries);
        }
        if no_index && !self.admit_without_index(env, took, row_us + mdl_us) {
            return;
        }
        let extra = if g.bool(Var::log_slow_extra) { ended.extra(env, sql.len(), out.bytes()) } else { String::new() };
        let text = crate::text::showable(env, sql.trim_ascii());
        let text = text.bytes();
        self.slow_entry(
            env,
            &Entry {
                took,
                locked: (row_us + mdl_us) as f64 / 1e6,
                sent: ended.rows_sent,
                examined,
                text: text.strip_suffix(b";").unwrap_or(text),
                extra,
            },
        );
    }

    /// Whether a statement that uses no index is written (`log_throttle_queries_not_using_indexes`). Tells what
    /// the minute before left out.
    fn admit_without_index(&self, env: &Env, took: Duration, locked_us: u64) -> bool {
        let limit = env.shared.globals.num(Var::log_throttle_queries_not_using_indexes);
        let (admitted, told) = self.files.throttle.lock().admit(Instant::now(), limit, took, locked_us);
        if let Some((n, took, locked_us)) = told {
            let text = format!("throttle: {n:10} 'index not used' warning(s) suppressed.");
            let (locked, text) = (locked_us as f64 / 1e6, text.as_bytes());
            self.slow_entry(env, &Entry { took, locked, sent: 0, examined: 0, text, extra: String::new() });
        }
        admitted
    }

    fn slow_entry(&self, env: &Env, e: &Entry<'_>) {
        let g = &env.shared.globals;
        let to = g.num(Var::log_output);
        if to & NONE != 0 {
            return;
        }
        let (now, id, user) = (sys::clock::wall_micros(), env.client.connection.id(), user_host(env));
        let Entry { took, locked, sent, examined, text, extra } = e;
        let took = took.as_secs_f64();
        let db = env.schema.as_deref().unwrap_or("");
        if to & FILE != 0 {
            let line = format!(
                "# Time: {}\n# User@Host: {user}  Id: {id:5}\n# Query_time: {took:.6}  Lock_time: {locked:.6} Rows_sent: {sent}  Rows_examined: {examined}{extra}\n",
                stamp(now, g),
            );
            let mut rest = format!("SET timestamp={};\n", env.clock.now_us / 1_000_000).into_bytes();
            rest.extend_from_slice(text);
            rest.extend_from_slice(b";\n");
            self.files.slow_entry(g, line, db, &rest);
        }
        if to & TABLE != 0 {
            let sql = format!(
                "INSERT INTO mysql.slow_log VALUES (FROM_UNIXTIME({}.{:06}), {}, SEC_TO_TIME({took:.6}), SEC_TO_TIME({locked:.6}), {sent}, {examined}, {}, 0, 0, {}, {}, {id})",
                now / 1_000_000,
                now % 1_000_000,
                hex(user.as_bytes()),
                hex(db.as_bytes()),
                g.num(Var::server_id),
                hex(text)
            );
            self.files.insert(sql);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        assert!(is_admin(b"ALTER  TABLE t") && is_admin(b"create index i") && !is_admin(b"create table t"));
        assert!(
            is_status(b" show tables") && is_status(b"DESC t") && !is_status(b"select 1") && !is_status(b"(select 1)")
        );
    }

    #[test]
    fn a_window_lets_through_its_number_and_then_tells() {
        let (mut t, start) = (Throttle::default(), Instant::now());
        let second = Duration::from_secs(1);
        let mut at = |s, limit| t.admit(start + second * s, limit, second, 7);
        assert_eq!(at(0, 2), (true, None));
        assert_eq!(at(1, 2), (true, None));
        assert_eq!(at(2, 2), (false, None));
        assert_eq!(at(59, 2), (false, None));
        assert_eq!(at(60, 2), (true, Some((2, second * 2, 14))));
        assert_eq!(at(61, 0), (true, None));
    }
}
