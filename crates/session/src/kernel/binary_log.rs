//! The binary log as the server has it: its files, who reads them, which schemas are logged.
//!
//! Set once, before the first session, where `log_bin` is on. Sessions write through [`binlog::service`]; what shows,
//! changes and sends files is in `statements/binary_log.rs` and `protocol/dump.rs`.

use base::SqlError;
use binlog::log::Log;
use catalog::accounts::Account;
use catalog::connections::Connections;
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// What a replica has said of itself (COM_REGISTER_SLAVE).
#[derive(Clone, Debug, Default)]
pub(crate) struct Replica {
    pub(crate) server_id: u32,
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) uuid: String,
}

/// `replica_skip_errors`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SkippedErrors {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// Those with these numbers.
    Some(Vec<u16>),
}

impl SkippedErrors {
    /// Whether an error is one of them.
    pub fn has(&self, e: &SqlError) -> bool {
        match self {
            SkippedErrors::None => false,
            SkippedErrors::All => true,
            SkippedErrors::Some(list) => list.contains(&e.code()),
        }
    }
}

/// What a session has been told by BINLOG statements: whether events have checksums, tables that row events name.
#[derive(Default)]
pub(crate) struct Applier {
    pub(crate) checksum: Option<bool>,
    pub(crate) maps: BTreeMap<u64, Arc<binlog::table_map::TableMap>>,
    pub(crate) plans: super::row_plans::RowPlans,
    /// Rows that fail with one of these are passed over.
    pub(crate) skips: SkippedErrors,
    /// Where the session is that of an account (PRIVILEGE_CHECKS_USER): what the server itself may do. In its name is
    /// done what that account has been asked for otherwise.
    pub(crate) server: Option<Arc<Account>>,
    /// What is applied is this server's own past: events that it made stay enabled.
    pub(crate) own_past: bool,
    /// Files of LOAD DATA that the source has sent, by its numbers; the one of the statement that runs.
    pub(crate) files: BTreeMap<u32, executor::TempFile>,
    pub(crate) loads: Option<executor::TempFile>,
}

/// See the module.
#[derive(Default)]
pub(crate) struct BinaryLogs {
    log: OnceLock<Arc<Log>>,
    /// `binlog-do-db` and `binlog-ignore-db`, joined with commas.
    filters: OnceLock<[String; 2]>,
    /// By connection.
    replicas: Mutex<BTreeMap<u64, Replica>>,
    /// Plugins that INSTALL PLUGIN has named, those of the source's half of semi-sync apart. What they do is built in.
    plugins: Mutex<BTreeSet<&'static str>>,
    /// Connections that are being sent the log, with the replica's UUID and number.
    dumps: Mutex<BTreeMap<u64, (String, u32)>>,
}

impl BinaryLogs {
    /// The log, if it is on.
    pub(crate) fn log(&self) -> Option<&Arc<Log>> {
        self.log.get()
    }

    /// INSTALL PLUGIN, UNINSTALL PLUGIN: whether it was installed before.
    pub(crate) fn install(&self, name: &'static str, on: bool) -> bool {
        let mut all = self.plugins.lock();
        if on { !all.insert(name) } else { all.remove(name) }
    }

    pub(crate) fn set(&self, log: Arc<Log>, do_db: String, ignore_db: String) {
        let _ = self.log.set(log);
        let _ = self.filters.set([do_db, ignore_db]);
    }

    /// `binlog-do-db`, `binlog-ignore-db`.
    pub(crate) fn filters(&self) -> (&str, &str) {
        self.filters.get().map_or(("", ""), |[a, b]| (a, b))
    }

    pub(crate) fn register(&self, connection: u64, replica: Replica) {
        self.replicas.lock().insert(connection, replica);
    }

    /// Those whose connection is open.
    pub(crate) fn replicas(&self, connections: &Connections) -> Vec<Replica> {
        let mut all = self.replicas.lock();
        all.retain(|id, _| connections.get(*id).is_some());
        all.values().cloned().collect()
    }

    /// This connection is being sent the log from now on; the connections of the same replica that were, and no longer
    /// count. Without a UUID a replica is known by its number, unless that is 0.
    pub(crate) fn begin_dump(&self, connection: u64, uuid: String, server_id: u32) -> Vec<u64> {
        let mut dumps = self.dumps.lock();
        let same =
            |(u, id): &(String, u32)| if uuid.is_empty() { *id == server_id && u.is_empty() } else { *u == uuid };
        let old = match uuid.is_empty() && server_id == 0 {
            true => Vec::new(),
            false => dumps.iter().filter(|(_, d)| same(d)).map(|(id, _)| *id).collect(),
        };
        dumps.insert(connection, (uuid, server_id));
        old
    }

    pub(crate) fn end_dump(&self, connection: u64) {
        self.dumps.lock().remove(&connection);
    }
}
