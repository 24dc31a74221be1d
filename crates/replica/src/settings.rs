//! What CHANGE REPLICATION SOURCE TO can say (manual, "CHANGE REPLICATION SOURCE TO Statement").
//!
//! An option that is not built is taken with the value that it has without it, and refused by its name with any other.
//! What single options may say is in [`crate::values`].

use crate::values::{self, AssignGtids, PrimaryKeys, number, switch, text};
use base::{ErrorCode, SqlError, SqlResult};
use session::replica::{Given, Setting};

/// Options that are refused by their names, unless they say nothing.
const UNBUILT: [&str; 3] = ["SOURCE_CONNECTION_AUTO_FAILOVER", "RELAY_LOG_FILE", "RELAY_LOG_POS"];

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
    /// SOURCE_BIND: the address of this machine that connections leave from; empty: any.
    pub bind: String,
    /// NETWORK_NAMESPACE: where connections are made; empty: where the server is.
    pub namespace: String,
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
    /// SOURCE_SSL_CAPATH: a folder.
    pub ssl_capath: String,
    /// SOURCE_SSL_CRL: a file.
    pub ssl_crl: String,
    /// SOURCE_SSL_CRLPATH: a folder.
    pub ssl_crlpath: String,
    /// SOURCE_SSL_CIPHER: names between colons; empty: all.
    pub ssl_cipher: String,
    /// SOURCE_TLS_VERSION: names between commas; empty: all.
    pub tls_version: String,
    /// SOURCE_TLS_CIPHERSUITES: names between colons; `None`: all.
    pub tls_suites: Option<String>,
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
    /// ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS.
    pub assign_gtids: AssignGtids,
    /// Not said by anybody: the place in the source's log of what the applier has begun with an XA branch
    /// (`applier/branches.rs`).
    pub branch: String,
    /// GTID_ONLY: what with SOURCE_AUTO_POSITION is so here anyhow, kept to be shown and to be held to.
    pub gtid_only: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            host: String::new(),
            user: String::new(),
            password: String::new(),
            port: 3306,
            bind: String::new(),
            namespace: String::new(),
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
            ssl_capath: String::new(),
            ssl_crl: String::new(),
            ssl_crlpath: String::new(),
            ssl_cipher: String::new(),
            tls_version: String::new(),
            tls_suites: None,
            public_key_path: String::new(),
            get_public_key: false,
            compression: "uncompressed".to_owned(),
            zstd_level: 3,
            primary_keys: PrimaryKeys::Stream,
            checks_user: None,
            row_format: false,
            ignored_ids: Vec::new(),
            assign_gtids: AssignGtids::Off,
            branch: String::new(),
            gtid_only: false,
        }
    }
}

impl Settings {
    /// With these options. Naming a host or a port means another source, as in MySQL even where both are as they were:
    /// its log is read from the beginning, and the heartbeat's period is what it is without one.
    ///
    /// # Errors
    /// 1231 and others for a value that cannot be, 1235 for what is not built, 1776, 1777 (`no_gtids`: `gtid_mode` is
    /// OFF).
    pub fn changed(&self, options: &[Given], channel: &str, no_gtids: bool) -> SqlResult<Settings> {
        let mut s = self.clone();
        let says = |names: &[&str]| options.iter().any(|(name, _)| names.contains(name));
        let position = says(&["SOURCE_LOG_FILE", "SOURCE_LOG_POS"]);
        if says(&["SOURCE_HOST", "SOURCE_PORT"]) {
            s.heartbeat = None;
            if !position {
                (s.log_file, s.log_pos) = (String::new(), 4);
            }
        }
        for (name, v) in options {
            s.set(name, v, channel)?;
        }
        if s.auto_position && no_gtids {
            return Err(SqlError::new(ErrorCode::AUTO_POSITION_REQUIRES_GTID_MODE_NOT_OFF, &[]));
        }
        if s.auto_position && (position || says(&["RELAY_LOG_FILE", "RELAY_LOG_POS"])) {
            return Err(SqlError::new(ErrorCode::BAD_REPLICA_AUTO_POSITION, &[]));
        }
        let refused = options.iter().find(|(name, v)| UNBUILT.contains(name) && !values::says_nothing(v));
        refused.map_or(Ok(s), |(name, _)| Err(SqlError::unsupported(*name)))
    }

    fn set(&mut self, name: &str, v: &Setting, channel: &str) -> SqlResult<()> {
        match name {
            "SOURCE_HOST" => self.host = values::host(v)?,
            "SOURCE_USER" => self.user = text(name, v)?,
            "SOURCE_PASSWORD" => self.password = values::password(v)?,
            "SOURCE_PORT" => self.port = values::column(name, v, "Port", 65_535)? as u16,
            "SOURCE_BIND" => self.bind = text(name, v)?,
            "NETWORK_NAMESPACE" => self.namespace = text(name, v)?,
            "SOURCE_CONNECT_RETRY" => {
                self.connect_retry = values::column(name, v, "Connect_retry", u64::from(u32::MAX) - 1)?;
            }
            "SOURCE_RETRY_COUNT" => self.retry_count = number(name, v)?,
            "SOURCE_HEARTBEAT_PERIOD" => self.heartbeat = Some(values::heartbeat(v)?),
            "SOURCE_AUTO_POSITION" => self.auto_position = switch(name, v)?,
            "SOURCE_LOG_FILE" => self.log_file = text(name, v)?,
            "SOURCE_LOG_POS" => self.log_pos = number(name, v)?.max(4),
            "SOURCE_DELAY" => self.delay = values::delay(v)?,
            "SOURCE_SSL" => self.ssl = switch(name, v)?,
            "SOURCE_SSL_CA" => self.ssl_ca = text(name, v)?,
            "SOURCE_SSL_CAPATH" => self.ssl_capath = text(name, v)?,
            "SOURCE_SSL_CERT" => self.ssl_cert = text(name, v)?,
            "SOURCE_SSL_KEY" => self.ssl_key = text(name, v)?,
            "SOURCE_SSL_CRL" => self.ssl_crl = text(name, v)?,
            "SOURCE_SSL_CRLPATH" => self.ssl_crlpath = text(name, v)?,
            "SOURCE_SSL_CIPHER" => self.ssl_cipher = text(name, v)?,
            "SOURCE_SSL_VERIFY_SERVER_CERT" => self.ssl_verify = switch(name, v)?,
            "SOURCE_TLS_VERSION" => self.tls_version = text(name, v)?,
            "SOURCE_TLS_CIPHERSUITES" if *v == Setting::Null => self.tls_suites = None,
            "SOURCE_TLS_CIPHERSUITES" => self.tls_suites = Some(text(name, v)?),
            "SOURCE_PUBLIC_KEY_PATH" => self.public_key_path = text(name, v)?,
            "GET_SOURCE_PUBLIC_KEY" => self.get_public_key = switch(name, v)?,
            "SOURCE_COMPRESSION_ALGORITHMS" => self.compression = values::compression(v, channel)?,
            "SOURCE_ZSTD_COMPRESSION_LEVEL" => {
                self.zstd_level = values::zstd_level(v, channel)?.unwrap_or(self.zstd_level);
            }
            "REQUIRE_TABLE_PRIMARY_KEY_CHECK" => self.primary_keys = PrimaryKeys::read(v)?,
            "PRIVILEGE_CHECKS_USER" => self.checks_user = values::checks_user(v, channel)?,
            "REQUIRE_ROW_FORMAT" => self.row_format = values::row_format(v)?,
            "IGNORE_SERVER_IDS" => self.ignored_ids = values::server_ids(v)?,
            "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS" => self.assign_gtids = AssignGtids::read(v)?,
            "GTID_ONLY" => self.gtid_only = switch(name, v)?,
            _ => {}
        }
        Ok(())
    }

    /// As text: lines of name and value.
    pub fn encode(&self) -> String {
        let ids: Vec<String> = self.ignored_ids.iter().map(u64::to_string).collect();
        let lines = [
            ("host", self.host.clone()),
            ("user", self.user.clone()),
            ("password", self.password.clone()),
            ("port", self.port.to_string()),
            ("bind", self.bind.clone()),
            ("namespace", self.namespace.clone()),
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
            ("ssl_capath", self.ssl_capath.clone()),
            ("ssl_crl", self.ssl_crl.clone()),
            ("ssl_crlpath", self.ssl_crlpath.clone()),
            ("ssl_cipher", self.ssl_cipher.clone()),
            ("tls_version", self.tls_version.clone()),
            ("tls_suites", self.tls_suites.as_ref().map_or_else(String::new, |s| format!("={s}"))),
            ("public_key_path", self.public_key_path.clone()),
            ("get_public_key", u8::from(self.get_public_key).to_string()),
            ("compression", self.compression.clone()),
            ("zstd_level", self.zstd_level.to_string()),
            ("primary_keys", self.primary_keys.name().to_owned()),
            ("checks_user", values::account_line(self.checks_user.as_ref())),
            ("row_format", u8::from(self.row_format).to_string()),
            ("ignored_ids", ids.join(",")),
            ("assign_gtids", self.assign_gtids.line()),
            ("branch", self.branch.clone()),
            ("gtid_only", u8::from(self.gtid_only).to_string()),
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
                "bind" => s.bind = v.to_owned(),
                "namespace" => s.namespace = v.to_owned(),
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
                "ssl_capath" => s.ssl_capath = v.to_owned(),
                "ssl_crl" => s.ssl_crl = v.to_owned(),
                "ssl_crlpath" => s.ssl_crlpath = v.to_owned(),
                "ssl_cipher" => s.ssl_cipher = v.to_owned(),
                "tls_version" => s.tls_version = v.to_owned(),
                "tls_suites" => s.tls_suites = v.strip_prefix('=').map(str::to_owned),
                "public_key_path" => s.public_key_path = v.to_owned(),
                "get_public_key" => s.get_public_key = n() != 0,
                "compression" => s.compression = v.to_owned(),
                "zstd_level" => s.zstd_level = n() as u8,
                "primary_keys" => s.primary_keys = PrimaryKeys::named(v).unwrap_or_default(),
                "checks_user" => s.checks_user = values::read_account(v),
                "row_format" => s.row_format = n() != 0,
                "assign_gtids" => s.assign_gtids = AssignGtids::of_line(v),
                "branch" => s.branch = v.to_owned(),
                "gtid_only" => s.gtid_only = n() != 0,
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
