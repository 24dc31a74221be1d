//! SHOW of what Evenkeel has none of (binary and relay logs, replicas, stored programs, profiles): MySQL's columns without rows, or its error
//! for something unknown; SHOW ENGINE; HELP, whose tables are empty; LOCK INSTANCE FOR BACKUP.
//!
//! The backup lock is a metadata lock of its own namespace: S for who takes a backup, until UNLOCK INSTANCE or the end of the session;
//! DDL and account statements take IX for their length and wait. Tested: `tests/sql/golden/show_forms.sql`, `system_tables.sql`.

use crate::kernel::session::Session;
use crate::results::table::{Kind, Table};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use mdl::{Duration, MdlKey, MdlType, Namespace};
use parser::ast::{EngineWhat, Show, TableName};

/// The columns of SHOW REPLICA STATUS; true: a number.
const REPLICA_STATUS: &[(&str, bool)] = &[
    ("Replica_IO_State", false),
    ("Source_Host", false),
    ("Source_User", false),
    ("Source_Port", true),
    ("Connect_Retry", true),
    ("Source_Log_File", false),
    ("Read_Source_Log_Pos", true),
    ("Relay_Log_File", false),
    ("Relay_Log_Pos", true),
    ("Relay_Source_Log_File", false),
    ("Replica_IO_Running", false),
    ("Replica_SQL_Running", false),
    ("Replicate_Do_DB", false),
    ("Replicate_Ignore_DB", false),
    ("Replicate_Do_Table", false),
    ("Replicate_Ignore_Table", false),
    ("Replicate_Wild_Do_Table", false),
    ("Replicate_Wild_Ignore_Table", false),
    ("Last_Errno", true),
    ("Last_Error", false),
    ("Skip_Counter", true),
    ("Exec_Source_Log_Pos", true),
    ("Relay_Log_Space", true),
    ("Until_Condition", false),
    ("Until_Log_File", false),
    ("Until_Log_Pos", true),
    ("Source_SSL_Allowed", false),
    ("Source_SSL_CA_File", false),
    ("Source_SSL_CA_Path", false),
    ("Source_SSL_Cert", false),
    ("Source_SSL_Cipher", false),
    ("Source_SSL_Key", false),
    ("Seconds_Behind_Source", true),
    ("Source_SSL_Verify_Server_Cert", false),
    ("Last_IO_Errno", true),
    ("Last_IO_Error", false),
    ("Last_SQL_Errno", true),
    ("Last_SQL_Error", false),
    ("Replicate_Ignore_Server_Ids", false),
    ("Source_Server_Id", true),
    ("Source_UUID", false),
    ("Source_Info_File", false),
    ("SQL_Delay", true),
    ("SQL_Remaining_Delay", true),
    ("Replica_SQL_Running_State", false),
    ("Source_Retry_Count", true),
    ("Source_Bind", false),
    ("Last_IO_Error_Timestamp", false),
    ("Last_SQL_Error_Timestamp", false),
    ("Source_SSL_Crl", false),
    ("Source_SSL_Crlpath", false),
    ("Retrieved_Gtid_Set", false),
    ("Executed_Gtid_Set", false),
    ("Auto_Position", true),
    ("Replicate_Rewrite_DB", false),
    ("Channel_Name", false),
    ("Source_TLS_Version", false),
    ("Source_public_key_path", false),
    ("Get_Source_public_key", true),
    ("Network_Namespace", false),
];

const BINLOG_EVENTS: &[(&str, bool)] = &[
    ("Log_name", false),
    ("Pos", true),
    ("Event_type", false),
    ("Server_id", true),
    ("End_log_pos", true),
    ("Info", false),
];

const REPLICAS: &[(&str, bool)] =
    &[("Server_Id", true), ("Host", false), ("Port", true), ("Source_Id", true), ("Replica_UUID", false)];

fn empty(columns: &[(&str, bool)]) -> Table {
    let kinds: Vec<(&str, Kind)> =
        columns.iter().map(|(name, number)| (*name, if *number { Kind::UInt } else { Kind::Text(255) })).collect();
    Table::new(&kinds)
}

impl Session {
    /// SHOW of a kind that [`Session::show`] does not know.
    pub(crate) fn show_more(&mut self, show: &Show<'_>) -> SqlResult<Table> {
        match show {
            Show::BinlogEvents { .. } | Show::RelaylogEvents { .. } => {
                self.require(Privs::REPLICATION_SLAVE, "REPLICATION SLAVE")?;
                Ok(empty(BINLOG_EVENTS))
            }
            Show::ReplicaStatus { channel } => {
                self.require(Privs::REPLICATION_CLIENT, "REPLICATION CLIENT")?;
                channel.map_or(Ok(()), crate::statements::admin::no_channel)?;
                Ok(empty(REPLICA_STATUS))
            }
            Show::Replicas => {
                self.require(Privs::REPLICATION_SLAVE, "REPLICATION SLAVE")?;
                Ok(empty(REPLICAS))
            }
            // `profiling` cannot be switched on
            Show::Profile { .. } => Ok(Table::new(&[("Status", Kind::Text(30)), ("Duration", Kind::Text(10))])),
            Show::CreateProcedure(t) => Err(self.no_program(t, "PROCEDURE")),
            Show::CreateFunction(t) => Err(self.no_program(t, "FUNCTION")),
            Show::CreateTrigger(t) => Err(self.no_program(t, "TRIGGER")),
            Show::CreateEvent(t) => {
                let schema = self.schema_of(t);
                if !schema.is_empty() {
                    self.require_on_schema(Privs::EVENT, &schema)?;
                }
                Err(self.no_program(t, "EVENT"))
            }
            Show::Engine { name, what } => self.show_engine(*name, *what),
            _ => Err(SqlError::unsupported("this SHOW statement")),
        }
    }

    /// There are no stored programs: 1046 without a database, otherwise unknown.
    fn no_program(&self, t: &TableName<'_>, kind: &str) -> SqlError {
        if self.schema_of(t).is_empty() {
            return SqlError::new(ErrorCode::NO_DB_ERROR, &[]);
        }
        match kind {
            "TRIGGER" if self.env.shared.engine.dict().schema(&self.schema_of(t)).is_none() => {
                SqlError::new(ErrorCode::BAD_DB_ERROR, &[&self.schema_of(t)])
            }
            "TRIGGER" => SqlError::new(ErrorCode::TRG_DOES_NOT_EXIST, &[]),
            "EVENT" => SqlError::new(ErrorCode::EVENT_DOES_NOT_EXIST, &[&t.name]),
            _ => SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&kind, &t.name]),
        }
    }

    /// SHOW ENGINE: 1286 for unknown ones.
    fn show_engine(&mut self, name: Option<&str>, what: EngineWhat) -> SqlResult<Table> {
        let is = |n: &str| name.is_none_or(|given| given.eq_ignore_ascii_case(n));
        if !is("InnoDB") && !is("performance_schema") {
            return Err(SqlError::new(ErrorCode::UNKNOWN_STORAGE_ENGINE, &[&name.unwrap_or("")]));
        }
        self.require(Privs::PROCESS, "PROCESS")?;
        let mut t = Table::new(&[("Type", Kind::Text(10)), ("Name", Kind::Text(512)), ("Status", Kind::Long)]);
        if is("InnoDB") {
            match what {
                EngineWhat::Status => {
                    let locks = self.env.shared.globals.bool(catalog::sysvar::Var::innodb_status_output_locks);
                    let text = views::monitor::text(&self.server.engine, &self.server.connections, locks);
                    t.push(vec!["InnoDB".into(), "".into(), text.into()]);
                }
                // those that made threads wait
                EngineWhat::Mutex => {
                    for c in latch::class::ALL {
                        let waits = c.waits.snapshot().count;
                        if waits > 0 {
                            t.push(vec!["InnoDB".into(), c.name.into(), format!("waits={waits}").into()]);
                        }
                    }
                }
                EngineWhat::Logs => {}
            }
        }
        if is("performance_schema") && what == EngineWhat::Status {
            let digests = probe::statements::all().len();
            let limit = self.env.shared.globals.num(catalog::sysvar::Var::performance_schema_digests_size);
            for (what, n) in [("count", digests.to_string()), ("size", (limit as i64).to_string())] {
                let name = format!("events_statements_summary_by_digest.{what}");
                t.push(vec!["performance_schema".into(), name.into(), n.into()]);
            }
        }
        Ok(t)
    }

    /// LOCK INSTANCE FOR BACKUP: 1227 without BACKUP_ADMIN.
    pub(crate) fn lock_instance(&mut self) -> SqlResult<()> {
        self.require_backup_admin()?;
        let deadline = self.ddl_deadline();
        self.env.mdl.release_explicit(|ns| matches!(ns, Namespace::BackupLock));
        self.env.mdl.acquire(&MdlKey::backup(), MdlType::S, Duration::Explicit, deadline)?;
        Ok(())
    }

    /// UNLOCK INSTANCE; without a lock it does nothing.
    pub(crate) fn unlock_instance(&mut self) -> SqlResult<()> {
        self.require_backup_admin()?;
        self.env.mdl.release_explicit(|ns| matches!(ns, Namespace::BackupLock));
        Ok(())
    }

    fn require_backup_admin(&self) -> SqlResult<()> {
        if self.env.security.account.privileges.holds_dynamic("BACKUP_ADMIN") {
            return Ok(());
        }
        Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"BACKUP_ADMIN"]))
    }
}
