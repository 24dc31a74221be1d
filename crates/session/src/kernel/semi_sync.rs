//! Semi-synchronous replication as sessions see it: the wait behind a commit, `rpl_semi_sync_source_*`, INSTALL PLUGIN.
//!
//! Who waits for what is in [`binlog::semi_sync`]. Its variables are always there; INSTALL PLUGIN says only that they
//! are wanted, and a start forgets it. Without a binary log nothing waits. Tested: `tests/binlog/test_semi_sync.py`.

use super::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::semi_sync::Wanted;
use catalog::accounts::Privs;
use catalog::sysvar::{GlobalVars, Raw, Var};
use std::time::Duration;
use storage::txn::Durability;

/// Plugins that INSTALL PLUGIN takes, with the names of their libraries.
const PLUGINS: &[(&str, &str)] = &[
    ("rpl_semi_sync_source", "semisync_source.so"),
    ("rpl_semi_sync_replica", "semisync_replica.so"),
    ("clone", "mysql_clone.so"),
];

/// The values of `rpl_semi_sync_source_*`.
pub fn wanted(globals: &GlobalVars) -> Wanted {
    Wanted {
        enabled: globals.bool(Var::rpl_semi_sync_source_enabled),
        timeout: Duration::from_millis(globals.num(Var::rpl_semi_sync_source_timeout)),
        replicas: globals.num(Var::rpl_semi_sync_source_wait_for_replica_count) as usize,
        without: globals.bool(Var::rpl_semi_sync_source_wait_no_replica),
    }
}

impl Session {
    /// Whether the client of a commit hears of it once replicas have it.
    #[inline]
    pub(crate) fn waits_for_replicas(&self) -> bool {
        self.server.source.log().is_some_and(|log| log.semi_sync.is_enabled())
    }

    /// At a statement's end: waits until replicas have what it has committed.
    pub(crate) fn wait_for_replicas(&mut self) {
        let Some(log) = self.server.source.log().cloned() else { return };
        let Some(end) = binlog::dependency::take_end() else { return };
        let _at = probe::stage::enter(probe::Stage::WaitingForSemiSyncAck);
        if self.server.engine.durability() != Durability::Synced {
            // nobody else makes it durable soon, and before that no replica is sent it
            let _ = log.catch_up();
        }
        log.semi_sync.wait(end);
    }

    /// INSTALL PLUGIN, UNINSTALL PLUGIN.
    pub(crate) fn plugin_statement(&mut self, install: bool, name: &str, library: Option<&str>) -> SqlResult<()> {
        self.require_on_table(if install { Privs::INSERT } else { Privs::DELETE }, "mysql", "plugin")?;
        let known = PLUGINS.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
        let Some((name, file)) = known else {
            return Err(SqlError::unsupported(if install { "INSTALL PLUGIN" } else { "UNINSTALL PLUGIN" }));
        };
        if library.is_some_and(|l| l != *file) {
            return Err(SqlError::unsupported("INSTALL PLUGIN"));
        }
        let source = *name == "rpl_semi_sync_source";
        let before = match self.server.source.log() {
            Some(log) if source => log.semi_sync.install(install),
            _ => self.server.source.install(name, install),
        };
        if install && before {
            return Err(SqlError::new(ErrorCode::UDF_EXISTS, &[name]));
        }
        if !install && !before {
            return Err(SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&"PLUGIN", name]));
        }
        if !install && source {
            self.env.shared.globals.store(Var::rpl_semi_sync_source_enabled, Raw::Num(0));
            self.apply_semi_sync();
        }
        Ok(())
    }

    /// The variables have been set.
    pub(crate) fn apply_semi_sync(&self) {
        if let Some(log) = self.server.source.log() {
            log.semi_sync.set(wanted(&self.env.shared.globals));
        }
    }
}
