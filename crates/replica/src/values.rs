//! What single options of CHANGE REPLICATION SOURCE TO may say, and what they mean. Of which kind a value is (a number,
//! a text) the parser has seen to. Pure code. Tested: `settings_tests.rs`, `tests/binlog/test_replica_options.py`.

use crate::settings::Settings;
use base::{ErrorCode, SqlError, SqlResult, hex};
use binlog::Sid;
use session::Unnamed;
use session::replica::{Given, Remark, Setting};
use value::Level;

/// Characters of a password, as in MySQL.
const LONGEST_PASSWORD: usize = 32;
/// Seconds.
const LONGEST_HEARTBEAT: u64 = 4_294_967;
/// Seconds.
const LONGEST_DELAY: u64 = i32::MAX as u64;

/// Whether the tables that are made must have a primary key (`sql_require_primary_key` while statements are applied).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PrimaryKeys {
    /// As on the source.
    #[default]
    Stream,
    /// They must.
    On,
    /// They need not.
    Off,
    /// They get one that is not seen (`sql_generate_invisible_primary_key`).
    Generate,
}

impl PrimaryKeys {
    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            PrimaryKeys::Stream => "STREAM",
            PrimaryKeys::On => "ON",
            PrimaryKeys::Off => "OFF",
            PrimaryKeys::Generate => "GENERATE",
        }
    }

    /// By its word.
    pub fn named(word: &str) -> Option<PrimaryKeys> {
        let all = [PrimaryKeys::Stream, PrimaryKeys::On, PrimaryKeys::Off, PrimaryKeys::Generate];
        all.into_iter().find(|p| p.name().eq_ignore_ascii_case(word))
    }

    pub(crate) fn read(v: &Setting) -> SqlResult<PrimaryKeys> {
        const NAME: &str = "REQUIRE_TABLE_PRIMARY_KEY_CHECK";
        match v {
            Setting::Word(w) => PrimaryKeys::named(w).ok_or_else(|| wrong(NAME, v)),
            _ => Err(wrong(NAME, v)),
        }
    }
}

/// ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS: which GTIDs transactions get that have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AssignGtids {
    /// None.
    #[default]
    Off,
    /// This server's.
    Local,
    /// Those of this UUID.
    Of(Sid),
}

impl AssignGtids {
    /// As performance_schema calls it.
    pub fn kind(self) -> &'static str {
        match self {
            AssignGtids::Off => "OFF",
            AssignGtids::Local => "LOCAL",
            AssignGtids::Of(_) => "UUID",
        }
    }

    /// Of which UUID they are; `own`: this server's.
    pub fn uuid(self, own: &str) -> Option<String> {
        match self {
            AssignGtids::Off => None,
            AssignGtids::Local => Some(own.to_owned()),
            AssignGtids::Of(sid) => Some(sid.to_string()),
        }
    }

    /// The same for the session that applies.
    pub fn unnamed(self) -> Unnamed {
        match self {
            AssignGtids::Off => Unnamed::Anonymous,
            AssignGtids::Local => Unnamed::Local,
            AssignGtids::Of(sid) => Unnamed::Of(sid),
        }
    }

    /// As it is kept.
    pub fn line(self) -> String {
        match self {
            AssignGtids::Off => String::new(),
            AssignGtids::Local => "LOCAL".to_owned(),
            AssignGtids::Of(sid) => sid.to_string(),
        }
    }

    /// Reads that.
    pub fn of_line(line: &str) -> AssignGtids {
        match (line, Sid::parse(line)) {
            ("LOCAL", _) => AssignGtids::Local,
            (_, Some(sid)) => AssignGtids::Of(sid),
            _ => AssignGtids::Off,
        }
    }

    /// 1525 for what is no UUID.
    pub(crate) fn read(v: &Setting) -> SqlResult<AssignGtids> {
        match v {
            Setting::Word(w) if w.eq_ignore_ascii_case("OFF") => Ok(AssignGtids::Off),
            Setting::Word(w) if w.eq_ignore_ascii_case("LOCAL") => Ok(AssignGtids::Local),
            Setting::Text(t) => match Sid::parse(t).filter(|_| t.len() == 36) {
                Some(sid) => Ok(AssignGtids::Of(sid)),
                None => Err(SqlError::new(ErrorCode::WRONG_VALUE, &[&"UUID", t])),
            },
            _ => Err(wrong("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS", v)),
        }
    }
}

pub(crate) fn wrong(name: &str, v: &Setting) -> SqlError {
    let shown = match v {
        // errors are kept, and shown to others
        _ if name == "SOURCE_PASSWORD" => "<secret>".to_owned(),
        Setting::Text(s) | Setting::Number(s) | Setting::Word(s) => s.clone(),
        Setting::Null => "NULL".to_owned(),
        Setting::Account(user, host) => format!("{user}@{host}"),
        Setting::Numbers(list) => format!("{list:?}"),
    };
    SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&name, &shown])
}

/// 1525 for one of several lines.
pub(crate) fn text(name: &str, v: &Setting) -> SqlResult<String> {
    match v {
        Setting::Text(s) if s.contains('\n') => {
            let shown = if name == "SOURCE_PASSWORD" { "<secret>" } else { s };
            Err(SqlError::new(ErrorCode::WRONG_VALUE, &[&"argument contains not-allowed LF", &shown]))
        }
        Setting::Text(s) if !s.contains('\r') => Ok(s.clone()),
        _ => Err(wrong(name, v)),
    }
}

/// The whole part of a number; one that is too large is the largest.
pub(crate) fn number(name: &str, v: &Setting) -> SqlResult<u64> {
    let Setting::Number(s) = v else { return Err(wrong(name, v)) };
    let digits = s.bytes().take_while(u8::is_ascii_digit);
    Ok(digits.fold(0u64, |n, d| n.saturating_mul(10).saturating_add(u64::from(d - b'0'))))
}

/// 1742 for a number that the column for it has no room for.
pub(crate) fn column(name: &str, v: &Setting, column: &str, max: u64) -> SqlResult<u64> {
    let too_long = || SqlError::new(ErrorCode::RPL_INFO_DATA_TOO_LONG, &[&column]);
    number(name, v).and_then(|n| if n <= max { Ok(n) } else { Err(too_long()) })
}

pub(crate) fn switch(name: &str, v: &Setting) -> SqlResult<bool> {
    number(name, v).map(|n| n != 0)
}

/// SOURCE_DELAY. 1729.
pub(crate) fn delay(v: &Setting) -> SqlResult<u64> {
    let n = number("SOURCE_DELAY", v)?;
    let Setting::Number(given) = v else { return Ok(n) };
    match n <= LONGEST_DELAY {
        true => Ok(n),
        false => Err(SqlError::new(ErrorCode::SOURCE_DELAY_VALUE_OUT_OF_RANGE, &[given, &LONGEST_DELAY])),
    }
}

/// SOURCE_HEARTBEAT_PERIOD in seconds. 1624.
fn heartbeat_seconds(v: &Setting) -> SqlResult<f64> {
    let given = match v {
        Setting::Number(s) => s.parse::<f64>().ok(),
        _ => None,
    };
    let seconds = given.ok_or_else(|| wrong("SOURCE_HEARTBEAT_PERIOD", v))?;
    match (0.0..=LONGEST_HEARTBEAT as f64).contains(&seconds) {
        true => Ok(seconds),
        false => Err(SqlError::new(ErrorCode::REPLICA_HEARTBEAT_VALUE_OUT_OF_RANGE, &[&LONGEST_HEARTBEAT])),
    }
}

/// The same in milliseconds.
pub(crate) fn heartbeat(v: &Setting) -> SqlResult<u64> {
    heartbeat_seconds(v).map(|s| (s * 1000.0) as u64)
}

/// What a statement with these options is told of: 1703, 1704, 3023, 1287, 4017. `timeout`: `replica_net_timeout` in
/// seconds; `gtids`: `gtid_mode` is ON.
pub(crate) fn remarks(options: &[Given], new: &Settings, timeout: u64, gtids: bool) -> Vec<Remark> {
    let given = |n: &str| options.iter().rev().find(|(name, _)| *name == n).map(|(_, v)| v);
    let seconds = given("SOURCE_HEARTBEAT_PERIOD").and_then(|v| heartbeat_seconds(v).ok()).unwrap_or(0.0);
    let told = [
        (seconds > 0.0 && seconds < 0.001, ErrorCode::REPLICA_HEARTBEAT_VALUE_OUT_OF_RANGE_MIN),
        (seconds > timeout as f64, ErrorCode::REPLICA_HEARTBEAT_VALUE_OUT_OF_RANGE_MAX),
        (
            given("SOURCE_LOG_FILE").is_some() && given("SOURCE_LOG_POS").is_none(),
            ErrorCode::WARN_ONLY_SOURCE_LOG_FILE_NO_POS,
        ),
    ];
    let told = told.into_iter().filter(|(tell, _)| *tell);
    let mut told: Vec<Remark> = told.map(|(_, code)| (Level::Warning, SqlError::new(code, &[]))).collect();
    if gtids && given("IGNORE_SERVER_IDS").is_some() && !new.ignored_ids.is_empty() {
        let what = "'CHANGE REPLICATION SOURCE TO ... IGNORE_SERVER_IDS='...' (when @@GLOBAL.GTID_MODE = ON)'";
        let text = format!("{what} is deprecated and will be removed in a future release.");
        told.push((Level::Warning, SqlError::with_message(ErrorCode::WARN_DEPRECATED_SYNTAX, text)));
    }
    if given("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS").is_some() && new.assign_gtids != AssignGtids::Off {
        let code = ErrorCode::USING_ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_AS_LOCAL_OR_UUID;
        told.push((Level::Note, SqlError::new(code, &[])));
    }
    told
}

/// SOURCE_PASSWORD. 3056.
pub(crate) fn password(v: &Setting) -> SqlResult<String> {
    let given = text("SOURCE_PASSWORD", v)?;
    match given.chars().count() <= LONGEST_PASSWORD {
        true => Ok(given),
        false => Err(SqlError::new(ErrorCode::CHANGE_SOURCE_PASSWORD_LENGTH, &[])),
    }
}

/// PRIVILEGE_CHECKS_USER. 3925.
pub(crate) fn checks_user(v: &Setting, channel: &str) -> SqlResult<Option<(String, String)>> {
    match v {
        Setting::Null => Ok(None),
        Setting::Account(user, host) if user.is_empty() => {
            Err(SqlError::new(ErrorCode::CLIENT_PRIVILEGE_CHECKS_USER_CANNOT_BE_ANONYMOUS, &[&channel, host]))
        }
        Setting::Account(user, host) => Ok(Some((user.clone(), host.clone()))),
        _ => Err(wrong("PRIVILEGE_CHECKS_USER", v)),
    }
}

/// REQUIRE_ROW_FORMAT. 3945.
pub(crate) fn row_format(v: &Setting) -> SqlResult<bool> {
    match v {
        Setting::Number(n) if n.bytes().all(|b| b.is_ascii_digit()) => match n.parse() {
            Ok(0u8) => Ok(false),
            Ok(1) => Ok(true),
            _ => Err(SqlError::new(ErrorCode::REQUIRE_ROW_FORMAT_INVALID_VALUE, &[n])),
        },
        _ => Err(wrong("REQUIRE_ROW_FORMAT", v)),
    }
}

/// An account on one line, whatever is in its name.
pub(crate) fn account_line(a: Option<&(String, String)>) -> String {
    let digits = |s: &str| hex::encode(s.as_bytes());
    a.map_or_else(String::new, |(user, host)| format!("{}@{}", digits(user), digits(host)))
}

/// Reads that. What cannot be read is an account that does not exist, not none: nothing is applied then.
pub(crate) fn read_account(line: &str) -> Option<(String, String)> {
    let text = |s: &str| String::from_utf8(hex::decode(s)?).ok();
    if line.is_empty() {
        return None;
    }
    let read = line.split_once('@').and_then(|(user, host)| Some((text(user)?, text(host)?)));
    Some(read.unwrap_or_default())
}

pub(crate) fn host(v: &Setting) -> SqlResult<String> {
    let given = text("SOURCE_HOST", v)?;
    if given.is_empty() {
        return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"SOURCE_HOST"]));
    }
    // as MySQL, which keeps it in a column of ASCII
    match given.is_ascii() {
        true => Ok(given),
        false => Err(SqlError::new(ErrorCode::RPL_INFO_DATA_TOO_LONG, &[&"Host"])),
    }
}

/// At most three names of algorithms. 3920, 3924.
pub(crate) fn compression(v: &Setting, channel: &str) -> SqlResult<String> {
    let given = text("SOURCE_COMPRESSION_ALGORITHMS", v)?;
    let names: Vec<&str> = given.strip_suffix(',').unwrap_or(&given).split(',').collect();
    if names.len() > 3 {
        let code = ErrorCode::CHANGE_SOURCE_WRONG_COMPRESSION_ALGORITHM_LIST_CLIENT;
        return Err(SqlError::new(code, &[&given, &channel]));
    }
    let known = |n: &&str| ["zlib", "zstd", "uncompressed"].iter().any(|k| k.eq_ignore_ascii_case(n));
    match names.iter().find(|n| !known(n)) {
        Some(name) => {
            let code = ErrorCode::CHANGE_SOURCE_WRONG_COMPRESSION_ALGORITHM_CLIENT;
            Err(SqlError::new(code, &[name, &channel]))
        }
        None => Ok(given),
    }
}

/// SOURCE_ZSTD_COMPRESSION_LEVEL; `None`: it stays, as in MySQL. 3921.
pub(crate) fn zstd_level(v: &Setting, channel: &str) -> SqlResult<Option<u8>> {
    match number("SOURCE_ZSTD_COMPRESSION_LEVEL", v)? {
        0 => Ok(None),
        n @ 1..=22 => Ok(Some(n as u8)),
        n => Err(SqlError::new(ErrorCode::CHANGE_SOURCE_WRONG_COMPRESSION_LEVEL_CLIENT, &[&n, &channel])),
    }
}

/// IGNORE_SERVER_IDS, in order.
pub(crate) fn server_ids(v: &Setting) -> SqlResult<Vec<u64>> {
    let Setting::Numbers(list) = v else { return Err(wrong("IGNORE_SERVER_IDS", v)) };
    let mut list = list.clone();
    list.sort_unstable();
    list.dedup();
    Ok(list)
}

/// What options without an effect here may say: nothing, 0, OFF.
pub(crate) fn says_nothing(v: &Setting) -> bool {
    match v {
        Setting::Null => true,
        Setting::Text(s) => s.is_empty(),
        Setting::Number(n) => n.parse() == Ok(0u64),
        Setting::Word(w) => w.eq_ignore_ascii_case("OFF"),
        Setting::Account(..) => false,
        Setting::Numbers(list) => list.is_empty(),
    }
}

/// What only fits together, or with `gtid_mode` (`on`: it is ON): 4014, 4015, 4065 to 4067.
pub(crate) fn check_gtids(old: &Settings, new: &Settings, on: bool, channel: &str) -> SqlResult<()> {
    let assigns = new.assign_gtids != AssignGtids::Off;
    let code = if assigns && new.auto_position {
        ErrorCode::CANT_COMBINE_ANONYMOUS_TO_GTID_AND_AUTOPOSITION
    } else if assigns && !on {
        ErrorCode::ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_REQUIRES_GTID_MODE_ON
    } else if !new.gtid_only || on && new.auto_position && new.row_format {
        return Ok(());
    } else if old.gtid_only && !new.auto_position {
        ErrorCode::CHANGE_REP_SOURCE_CANT_DISABLE_AUTO_POSITION_WITH_GTID_ONLY
    } else if old.gtid_only && !new.row_format {
        ErrorCode::CHANGE_REP_SOURCE_CANT_DISABLE_REQ_ROW_FORMAT_WITH_GTID_ONLY
    } else {
        ErrorCode::CHANGE_REP_SOURCE_GTID_ONLY_NEEDS_OTHERS
    };
    Err(SqlError::new(code, &[&channel]))
}
