//! What CHANGE REPLICATION SOURCE TO can say (manual, "CHANGE REPLICATION SOURCE TO Statement").
//!
//! An option that is not built is taken with the value that it has without it, and refused by its name with any other.

use base::{ErrorCode, SqlError, SqlResult, hex};
use session::replica::{Given, Setting};

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
}

impl PrimaryKeys {
    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            PrimaryKeys::Stream => "STREAM",
            PrimaryKeys::On => "ON",
            PrimaryKeys::Off => "OFF",
        }
    }

    fn named(word: &str) -> Option<PrimaryKeys> {
        let all = [PrimaryKeys::Stream, PrimaryKeys::On, PrimaryKeys::Off];
        all.into_iter().find(|p| p.name().eq_ignore_ascii_case(word))
    }

    fn read(v: &Setting) -> SqlResult<PrimaryKeys> {
        const NAME: &str = "REQUIRE_TABLE_PRIMARY_KEY_CHECK";
        match v {
            Setting::Word(w) if w.eq_ignore_ascii_case("GENERATE") => {
                Err(SqlError::unsupported(format!("{NAME} = GENERATE")))
            }
            Setting::Word(w) => PrimaryKeys::named(w).ok_or_else(|| wrong(NAME, v)),
            _ => Err(wrong(NAME, v)),
        }
    }
}

/// Where and how the source is reached, and where its log is read from.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// SOURCE_HOST.
    pub host: String,
    /// SOURCE_USER.
    pub user: String,
    /// SOURCE_PASSWORD.
    pub password: String,
    /// SOURCE_PORT.
    pub port: u16,
    /// Seconds between attempts to connect.
    pub connect_retry: u64,
    /// Attempts; 0: without end.
    pub retry_count: u64,
    /// Milliseconds between heartbeats, 0: none. `None`: half of `replica_net_timeout`.
    pub heartbeat: Option<u64>,
    /// SOURCE_AUTO_POSITION.
    pub auto_position: bool,
    /// Where the source's log was to be read from when that was said; empty: its first file.
    pub log_file: String,
    /// Where in it.
    pub log_pos: u64,
    /// Seconds that a transaction waits before it is applied.
    pub delay: u64,
    /// SOURCE_SSL: the connection is encrypted.
    pub ssl: bool,
    /// SOURCE_SSL_CA: a file.
    pub ssl_ca: String,
    /// SOURCE_SSL_CERT: a file.
    pub ssl_cert: String,
    /// SOURCE_SSL_KEY: a file.
    pub ssl_key: String,
    /// SOURCE_SSL_VERIFY_SERVER_CERT.
    pub ssl_verify: bool,
    /// SOURCE_PUBLIC_KEY_PATH.
    pub public_key_path: String,
    /// GET_SOURCE_PUBLIC_KEY.
    pub get_public_key: bool,
    /// SOURCE_COMPRESSION_ALGORITHMS: names between commas, as they were given.
    pub compression: String,
    /// SOURCE_ZSTD_COMPRESSION_LEVEL
    pub zstd_level: u8,
    /// REQUIRE_TABLE_PRIMARY_KEY_CHECK.
    pub primary_keys: PrimaryKeys,
    /// PRIVILEGE_CHECKS_USER: user and host of the account without whose rights nothing is applied.
    pub checks_user: Option<(String, String)>,
    /// REQUIRE_ROW_FORMAT: no changes of rows as text.
    pub row_format: bool,
    /// Changes of servers with these ids are not applied.
    pub ignored_ids: Vec<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            host: String::new(),
            user: String::new(),
            password: String::new(),
            port: 3306,
            connect_retry: 60,
            retry_count: 10,
            heartbeat: None,
            auto_position: false,
            log_file: String::new(),
            log_pos: 4,
            delay: 0,
            ssl: false,
            ssl_ca: String::new(),
            ssl_cert: String::new(),
            ssl_key: String::new(),
            ssl_verify: false,
            public_key_path: String::new(),
            get_public_key: false,
            compression: "uncompressed".to_owned(),
            zstd_level: 3,
            primary_keys: PrimaryKeys::Stream,
            checks_user: None,
            row_format: false,
            ignored_ids: Vec::new(),
        }
    }
}

fn wrong(name: &str, v: &Setting) -> SqlError {
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

fn text(name: &str, v: &Setting) -> SqlResult<String> {
    match v {
        Setting::Text(s) if !s.contains(['\n', '\t']) => Ok(s.clone()),
        _ => Err(wrong(name, v)),
    }
}

fn number(name: &str, v: &Setting, max: u64) -> SqlResult<u64> {
    match v {
        Setting::Number(s) => s.parse().ok().filter(|n| *n <= max).ok_or_else(|| wrong(name, v)),
        _ => Err(wrong(name, v)),
    }
}

fn switch(name: &str, v: &Setting) -> SqlResult<bool> {
    number(name, v, u64::MAX).map(|n| n != 0)
}

/// PRIVILEGE_CHECKS_USER. 3925.
fn checks_user(v: &Setting, channel: &str) -> SqlResult<Option<(String, String)>> {
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
fn row_format(v: &Setting) -> SqlResult<bool> {
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
fn account_line(a: Option<&(String, String)>) -> String {
    let digits = |s: &str| hex::encode(s.as_bytes());
    a.map_or_else(String::new, |(user, host)| format!("{}@{}", digits(user), digits(host)))
}

/// Reads that. What cannot be read is an account that does not exist, not none: nothing is applied then.
fn read_account(line: &str) -> Option<(String, String)> {
    let text = |s: &str| String::from_utf8(hex::decode(s)?).ok();
    if line.is_empty() {
        return None;
    }
    let read = line.split_once('@').and_then(|(user, host)| Some((text(user)?, text(host)?)));
    Some(read.unwrap_or_default())
}

fn host(v: &Setting) -> SqlResult<String> {
    let given = text("SOURCE_HOST", v)?;
    match given.is_empty() {
        true => Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"SOURCE_HOST"])),
        false => Ok(given),
    }
}

/// At most three names of algorithms. 3920, 3924.
fn compression(v: &Setting, channel: &str) -> SqlResult<String> {
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

/// What options without an effect here may say: nothing, 0, OFF.
fn says_nothing(v: &Setting) -> bool {
    match v {
        Setting::Null => true,
        Setting::Text(s) => s.is_empty(),
        Setting::Number(n) => n.parse() == Ok(0u64),
        Setting::Word(w) => w.eq_ignore_ascii_case("OFF"),
        Setting::Account(..) => false,
        Setting::Numbers(list) => list.is_empty(),
    }
}

impl Settings {
    /// With these options. Another source means another log: positions of the old one are forgotten.
    ///
    /// # Errors
    /// 1231 for a value that cannot be, 1235 for what is not built, 1776.
    pub fn changed(&self, options: &[Given], channel: &str) -> SqlResult<Settings> {
        let mut s = self.clone();
        let mut position = false;
        for (name, v) in options {
            match *name {
                "SOURCE_HOST" => s.host = host(v)?,
                "SOURCE_USER" => s.user = text(name, v)?,
                "SOURCE_PASSWORD" => s.password = text(name, v)?,
                "SOURCE_PORT" => s.port = number(name, v, 65_535)? as u16,
                "SOURCE_CONNECT_RETRY" => s.connect_retry = number(name, v, u64::from(u32::MAX))?,
                "SOURCE_RETRY_COUNT" => s.retry_count = number(name, v, u64::MAX)?,
                "SOURCE_HEARTBEAT_PERIOD" => match v {
                    Setting::Number(n) => {
                        let seconds: f64 = n.parse().map_err(|_| wrong(name, v))?;
                        s.heartbeat = Some((seconds * 1000.0) as u64);
                    }
                    _ => return Err(wrong(name, v)),
                },
                "SOURCE_AUTO_POSITION" => s.auto_position = switch(name, v)?,
                "SOURCE_LOG_FILE" => (s.log_file, position) = (text(name, v)?, true),
                "SOURCE_LOG_POS" => (s.log_pos, position) = (number(name, v, u64::MAX)?.max(4), true),
                "SOURCE_DELAY" => s.delay = number(name, v, i32::MAX as u64)?,
                "SOURCE_SSL" => s.ssl = switch(name, v)?,
                "SOURCE_SSL_CA" => s.ssl_ca = text(name, v)?,
                "SOURCE_SSL_CERT" => s.ssl_cert = text(name, v)?,
                "SOURCE_SSL_KEY" => s.ssl_key = text(name, v)?,
                "SOURCE_SSL_VERIFY_SERVER_CERT" => s.ssl_verify = switch(name, v)?,
                "SOURCE_PUBLIC_KEY_PATH" => s.public_key_path = text(name, v)?,
                "GET_SOURCE_PUBLIC_KEY" => s.get_public_key = switch(name, v)?,
                "SOURCE_COMPRESSION_ALGORITHMS" => s.compression = compression(v, channel)?,
                "SOURCE_ZSTD_COMPRESSION_LEVEL" => match number(name, v, u64::MAX)? {
                    // as MySQL: the level stays
                    0 => {}
                    n @ 1..=22 => s.zstd_level = n as u8,
                    n => {
                        let code = ErrorCode::CHANGE_SOURCE_WRONG_COMPRESSION_LEVEL_CLIENT;
                        return Err(SqlError::new(code, &[&n, &channel]));
                    }
                },
                "REQUIRE_TABLE_PRIMARY_KEY_CHECK" => s.primary_keys = PrimaryKeys::read(v)?,
                "PRIVILEGE_CHECKS_USER" => s.checks_user = checks_user(v, channel)?,
                "REQUIRE_ROW_FORMAT" => s.row_format = row_format(v)?,
                "IGNORE_SERVER_IDS" => match v {
                    Setting::Numbers(list) => s.ignored_ids = list.clone(),
                    _ => return Err(wrong(name, v)),
                },
                _ if says_nothing(v) => {}
                other => return Err(SqlError::unsupported(other)),
            }
        }
        if s.auto_position && position {
            return Err(SqlError::new(ErrorCode::BAD_REPLICA_AUTO_POSITION, &[]));
        }
        let elsewhere = (&s.host, s.port) != (&self.host, self.port);
        if elsewhere && !position {
            (s.log_file, s.log_pos) = (String::new(), 4);
        }
        Ok(s)
    }

    /// As text: lines of name and value.
    pub fn encode(&self) -> String {
        let ids: Vec<String> = self.ignored_ids.iter().map(u64::to_string).collect();
        let lines = [
            ("host", self.host.clone()),
            ("user", self.user.clone()),
            ("password", self.password.clone()),
            ("port", self.port.to_string()),
            ("connect_retry", self.connect_retry.to_string()),
            ("retry_count", self.retry_count.to_string()),
            ("heartbeat", self.heartbeat.map_or_else(String::new, |n| n.to_string())),
            ("auto_position", u8::from(self.auto_position).to_string()),
            ("log_file", self.log_file.clone()),
            ("log_pos", self.log_pos.to_string()),
            ("delay", self.delay.to_string()),
            ("ssl", u8::from(self.ssl).to_string()),
            ("ssl_ca", self.ssl_ca.clone()),
            ("ssl_cert", self.ssl_cert.clone()),
            ("ssl_key", self.ssl_key.clone()),
            ("ssl_verify", u8::from(self.ssl_verify).to_string()),
            ("public_key_path", self.public_key_path.clone()),
            ("get_public_key", u8::from(self.get_public_key).to_string()),
            ("compression", self.compression.clone()),
            ("zstd_level", self.zstd_level.to_string()),
            ("primary_keys", self.primary_keys.name().to_owned()),
            ("checks_user", account_line(self.checks_user.as_ref())),
            ("row_format", u8::from(self.row_format).to_string()),
            ("ignored_ids", ids.join(",")),
        ];
        lines.iter().map(|(k, v)| format!("{k}\t{v}\n")).collect()
    }

    /// Reads that; unknown names are passed over.
    pub fn decode(text: &str) -> Settings {
        let mut s = Settings::default();
        for (name, v) in text.lines().filter_map(|l| l.split_once('\t')) {
            let n = || v.parse::<u64>().unwrap_or(0);
            match name {
                "host" => s.host = v.to_owned(),
                "user" => s.user = v.to_owned(),
                "password" => s.password = v.to_owned(),
                "port" => s.port = n() as u16,
                "connect_retry" => s.connect_retry = n(),
                "retry_count" => s.retry_count = n(),
                "heartbeat" => s.heartbeat = v.parse().ok(),
                "auto_position" => s.auto_position = n() != 0,
                "log_file" => s.log_file = v.to_owned(),
                "log_pos" => s.log_pos = n(),
                "delay" => s.delay = n(),
                "ssl" => s.ssl = n() != 0,
                "ssl_ca" => s.ssl_ca = v.to_owned(),
                "ssl_cert" => s.ssl_cert = v.to_owned(),
                "ssl_key" => s.ssl_key = v.to_owned(),
                "ssl_verify" => s.ssl_verify = n() != 0,
                "public_key_path" => s.public_key_path = v.to_owned(),
                "get_public_key" => s.get_public_key = n() != 0,
                "compression" => s.compression = v.to_owned(),
                "zstd_level" => s.zstd_level = n() as u8,
                "primary_keys" => s.primary_keys = PrimaryKeys::named(v).unwrap_or_default(),
                "checks_user" => s.checks_user = read_account(v),
                "row_format" => s.row_format = n() != 0,
                "ignored_ids" => s.ignored_ids = v.split(',').filter_map(|n| n.parse().ok()).collect(),
                _ => {}
            }
        }
        s
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
