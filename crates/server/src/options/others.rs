//! MySQL's options that are no variables here: what each is to a start.
//!
//! One rule: an option of 8.4 that means nothing here is told in the log and ignored; one whose loss would leave somebody less protected than they think
//! ([`Meaning::Protects`]) stops the start by name, unless it is switched off or written with `loose-`. Pure tables. Tested: `tests.rs` beside this
//! file and `tests/clients/test_option_files.py`.

/// Whether an option takes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// A switch: `--x`, `--x=0`, `--skip-x`.
    Switch,
    /// `--x=value`, or the next argument.
    Value,
    /// `--x` or `--x=value`.
    Maybe,
}

/// What becomes of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// It does something: `options::apply_extra`.
    Acts,
    /// There is nothing to do and nothing is lost.
    Nothing,
    /// Ignored with a warning; the reason.
    NoEffect(&'static str),
    /// Refused; what would be missing.
    Protects(&'static str),
}

/// One option, or all whose names begin so.
pub struct Other {
    /// With dashes; a `*` at the end stands for any rest.
    pub name: &'static str,
    /// Its value.
    pub takes: Takes,
    /// What becomes of it.
    pub meaning: Meaning,
    /// What `--verbose --help` shows without it.
    pub shown: &'static str,
    /// One line of help; empty: not listed.
    pub doc: &'static str,
}

const fn acts(name: &'static str, takes: Takes, shown: &'static str, doc: &'static str) -> Other {
    Other { name, takes, meaning: Meaning::Acts, shown, doc }
}
const fn none(name: &'static str, takes: Takes, shown: &'static str, why: &'static str) -> Other {
    Other { name, takes, meaning: Meaning::NoEffect(why), shown, doc: "" }
}
const fn guard(name: &'static str, takes: Takes, what: &'static str) -> Other {
    Other { name, takes, meaning: Meaning::Protects(what), shown: "", doc: "" }
}

use Takes::{Maybe, Switch, Value};
const UNSET: &str = "(No default value)";
const X: &str = "there is no X Plugin";
const NDB: &str = "there is no NDB";
const ENGINE: &str = "there is no such storage engine";
const BINLOG: &str = "it is for tests of MySQL's own";
const BUILT_IN: &str = "it is built in";
const API: &str = "there is no memcached interface";
const TC: &str = "transactions are completed by recovery";

/// All of them.
pub const TABLE: &[Other] = &[
    acts("daemonize", Switch, "FALSE", "Go to the background when the server is ready"),
    acts("dashboard-bind", Value, "127.0.0.1", "Addresses where the dashboard is served"),
    acts("dashboard-port", Value, UNSET, "Serve the dashboard for browsers on this port; 0: any free one"),
    acts("default-time-zone", Value, UNSET, "Same as --time-zone"),
    acts("help", Switch, "TRUE", "Print this help; with --verbose also all variables and their values"),
    acts(
        "initialize",
        Switch,
        "FALSE",
        "Create the data directory and exit; root's first password is in the error log",
    ),
    acts("initialize-insecure", Switch, "FALSE", "Create the data directory and exit; root has no password"),
    acts("binlog-do-db", Value, UNSET, "Log only changes of this schema"),
    acts("binlog-ignore-db", Value, UNSET, "Do not log changes of this schema"),
    acts("replicate-do-db", Value, UNSET, "Apply only changes of this schema"),
    acts("replicate-do-table", Value, UNSET, "Apply only changes of this table (schema.table)"),
    acts("replicate-ignore-db", Value, UNSET, "Do not apply changes of this schema"),
    acts("replicate-ignore-table", Value, UNSET, "Do not apply changes of this table (schema.table)"),
    acts("replicate-rewrite-db", Value, UNSET, "Apply changes of a schema in another one (from->to)"),
    acts("replicate-wild-do-table", Value, UNSET, "Apply only changes of tables like this (schema.table with % and _)"),
    acts(
        "replicate-wild-ignore-table",
        Value,
        UNSET,
        "Do not apply changes of tables like this (schema.table with % and _)",
    ),
    acts("log-bin", Maybe, UNSET, "Files of the binary log are called so (binlog); it is on: --skip-log-bin"),
    acts("log-bin-index", Value, UNSET, "Name of the list of those files"),
    acts("metrics-bind", Value, "127.0.0.1", "Addresses where metrics are served"),
    acts("metrics-port", Value, UNSET, "Serve metrics for Prometheus on this port; 0: any free one"),
    acts("mysql-native-password", Maybe, "OFF", "Let accounts of the plugin mysql_native_password log in"),
    acts("print-defaults", Switch, "FALSE", "Print the arguments with those of option files and exit"),
    acts(
        "skip-grant-tables",
        Switch,
        "FALSE",
        "Let everybody do everything, from this machine only, until FLUSH PRIVILEGES",
    ),
    acts("ssl", Switch, "TRUE", "Allow TLS (on by default)"),
    acts("sysdate-is-now", Switch, "FALSE", "Not supported: SYSDATE() is the time of its call"),
    acts("user", Value, UNSET, "The user to run as; needed when started by root"),
    acts("validate-config", Switch, "FALSE", "Check the options and exit"),
    acts("verbose", Switch, "TRUE", "With --help: all variables and their values"),
    acts("version", Switch, "FALSE", "Print the version and exit"),
    Other {
        name: "console",
        takes: Switch,
        meaning: Meaning::Nothing,
        shown: "FALSE",
        doc: "Write the error log to stderr",
    },
    Other { name: "no-monitor", takes: Switch, meaning: Meaning::Nothing, shown: "FALSE", doc: "" },
    Other { name: "symbolic-links", takes: Switch, meaning: Meaning::Nothing, shown: "FALSE", doc: "" },
    none("admin-ssl", Switch, "TRUE", "the administrative port has the same TLS"),
    none("allow-suspicious-udfs", Switch, "FALSE", "there are no loadable functions"),
    none("archive", Maybe, "OFF", ENGINE),
    none("blackhole", Maybe, "OFF", ENGINE),
    none("check-table-functions", Value, "ABORT", "tables of other versions do not exist"),
    none("external-locking", Switch, "FALSE", "there is no MyISAM"),
    none("federated", Maybe, "OFF", ENGINE),
    none("gdb", Switch, "FALSE", "signals work under a debugger as they are"),
    none("innodb-api-*", Maybe, "", API),
    none("innodb-status-file", Switch, "FALSE", "SHOW ENGINE INNODB STATUS has it"),
    none("log-isam", Maybe, "myisam.log", "there is no MyISAM"),
    none("log-short-format", Switch, "FALSE", "the slow log has one format"),
    none("log-tc", Value, "tc.log", TC),
    none("log-tc-size", Value, "24576", TC),
    none("master-retry-count", Value, "10", "CHANGE REPLICATION SOURCE TO SOURCE_RETRY_COUNT says it"),
    none("max-binlog-dump-events", Value, "0", BINLOG),
    none("memlock", Switch, "FALSE", "memory is not locked"),
    none("myisam-block-size", Value, "1024", "there is no MyISAM"),
    none("mysqlx", Maybe, "OFF", X),
    none("mysqlx-*", Maybe, "", X),
    none("ndbcluster", Maybe, "OFF", NDB),
    none("ndbinfo", Maybe, "OFF", NDB),
    none("ngram", Maybe, "OFF", "there is no ngram parser"),
    none("port-open-timeout", Value, "0", "a port that is taken is told at once"),
    none("replicate-same-server-id", Switch, "FALSE", "a server does not apply its own changes"),
    none("safe-user-create", Switch, "FALSE", "GRANT makes no accounts"),
    none("show-replica-auth-info", Switch, "FALSE", "SHOW REPLICAS shows no passwords"),
    none("show-slave-auth-info", Switch, "FALSE", "SHOW REPLICAS shows no passwords"),
    none("sporadic-binlog-dump-fail", Switch, "FALSE", BINLOG),
    none("super-large-pages", Switch, "FALSE", "pages are the system's"),
    none("tc-heuristic-recover", Value, "OFF", TC),
    none("upgrade", Value, "AUTO", "a data directory needs no upgrade"),
    none("validate-user-plugins", Switch, "TRUE", "accounts have only the plugins that are built in"),
    acts(
        "performance-schema-instrument",
        Value,
        "",
        "Instruments that are on: pattern=ON, OFF or COUNTED (may be given more than once)",
    ),
    acts("performance-schema-consumer-*", Switch, "", ""),
    acts("early-plugin-load", Value, UNSET, ""),
    acts("plugin-load", Value, UNSET, ""),
    acts("plugin-load-add", Value, UNSET, ""),
    guard("audit-log*", Maybe, "an audit log"),
    guard("chroot", Value, "another root directory for the server"),
    guard(
        "connection-control*",
        Maybe,
        "connection control (failed logins are not slowed down; FAILED_LOGIN_ATTEMPTS of CREATE USER locks accounts)",
    ),
    guard("keyring*", Maybe, "a keyring (nothing is encrypted)"),
    guard("mysql-firewall*", Maybe, "a firewall for statements"),
    guard("validate-password*", Maybe, "password validation (PASSWORD HISTORY and REUSE of CREATE USER are there)"),
];

/// The option of this name (dashes, lower case).
pub fn find(name: &str) -> Option<&'static Other> {
    let fits = |o: &&Other| match o.name.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == o.name,
    };
    TABLE.iter().find(fits)
}

/// What is to be said about a list of plugins (`name=library;library;...`): warnings, or the error about one that would protect.
pub fn plugins(list: &str) -> Result<Vec<String>, String> {
    let mut said = Vec::new();
    for one in list.split(';').map(str::trim).filter(|p| !p.is_empty()) {
        let called = one.to_ascii_lowercase().replace('-', "_");
        let plain = called.split('=').next().unwrap_or_default().trim_end_matches(".so");
        let protects = ["keyring", "audit", "firewall", "connection_control", "validate_password"];
        if protects.iter().any(|p| called.contains(p)) {
            return Err(format!(
                "the plugin '{one}' cannot be loaded, and the server would start without what it protects. Remove it, or write the option with \
                 loose- in front to start without it"
            ));
        }
        let why = if ["mysql_native_password", "caching_sha2_password", "innodb"].contains(&plain) {
            BUILT_IN
        } else {
            "there are no loadable plugins"
        };
        said.push(format!("plugin '{one}' is not loaded: {why}"));
    }
    Ok(said)
}

/// Variables that take only the value they have, and where another one in an option file loses nothing.
pub const MEANS_NOTHING: &[(&str, &str)] = &[
    ("enforce_gtid_consistency", "there are no GTIDs"),
    ("gtid_executed_compression_period", "there are no GTIDs"),
    ("innodb_checksum_algorithm", "checksums are always crc32, and always checked"),
    ("innodb_file_per_table", "every table has a file of its own"),
    ("innodb_log_checksums", "the log always has checksums"),
    ("temptable_use_mmap", "long temporary tables are in files"),
];

/// Options of other versions and servers: what to write instead.
pub const FORMER: &[(&str, &str)] = &[
    ("character-set-client-handshake", "removed from MySQL 8.4: delete the line; clients say their character set"),
    (
        "default-authentication-plugin",
        "removed from MySQL 8.4: write authentication_policy, or name the plugin in CREATE USER; mysql_native_password=ON lets old accounts log in",
    ),
    ("default-character-set", "write character_set_server"),
    ("expire-logs-days", "removed from MySQL 8.4: write binlog_expire_logs_seconds"),
    ("innodb-file-format", "removed from MySQL 8.0: delete the line"),
    ("innodb-large-prefix", "removed from MySQL 8.0: delete the line"),
    ("log", "write general_log and general_log_file"),
    ("log-slow-queries", "write slow_query_log and slow_query_log_file"),
    ("log-warnings", "write log_error_verbosity"),
    ("master-info-repository", "removed from MySQL 8.4: delete the line"),
    ("old-passwords", "removed from MySQL 8.0: delete the line"),
    ("query-cache-limit", "removed from MySQL 8.0: delete the line, there is no query cache"),
    ("query-cache-size", "removed from MySQL 8.0: delete the line, there is no query cache"),
    ("query-cache-type", "removed from MySQL 8.0: delete the line, there is no query cache"),
    ("relay-log-info-repository", "removed from MySQL 8.4: delete the line"),
    ("secure-auth", "removed from MySQL 8.0: delete the line"),
    ("skip-host-cache", "removed from MySQL 8.4: write host_cache_size=0"),
    ("skip-locking", "write skip_external_locking"),
    ("sync-frm", "removed from MySQL 8.0: delete the line"),
    ("transaction-write-set-extraction", "removed from MySQL 8.4: delete the line"),
    ("tx-isolation", "write transaction_isolation"),
    ("tx-read-only", "write transaction_read_only"),
];
