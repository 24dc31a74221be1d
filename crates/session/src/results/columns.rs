//! What each statement answers with that has rows but no plan: names and types of its columns, in one list.
//!
//! A SHOW that is a query over virtual tables has its columns from there (`views::show`); one whose only column is
//! named after its argument (SHOW GRANTS, SHOW CREATE USER, SHOW COUNT(*) ...) makes it where it answers. Names are the
//! manual's; types and lengths what MySQL sends. Tested: `tests/clients/test_show_metadata.py`, golden `show_forms`.

use crate::results::table::Kind;

/// Name and type.
pub(crate) type Column = (&'static str, Kind);

/// CHECK, ANALYZE, OPTIMIZE and REPAIR TABLE, histograms too.
pub(crate) const MAINTENANCE: &[Column] =
    &[("Table", Kind::Text(128)), ("Op", Kind::Text(10)), ("Msg_type", Kind::Text(10)), ("Msg_text", Kind::Text(8192))];

/// CHECKSUM TABLE.
pub(crate) const CHECKSUM: &[Column] = &[("Table", Kind::Text(128)), ("Checksum", Kind::UInt)];

/// CREATE USER and ALTER USER with IDENTIFIED BY RANDOM PASSWORD.
pub(crate) const GENERATED_PASSWORDS: &[Column] = &[
    ("user", Kind::Text(32)),
    ("host", Kind::Text(255)),
    ("generated password", Kind::Text(255)),
    ("auth_factor", Kind::UInt),
];

/// XA RECOVER.
pub(crate) const XA_RECOVER: &[Column] = &[
    ("formatID", Kind::Int(11)),
    ("gtrid_length", Kind::Int(11)),
    ("bqual_length", Kind::Int(11)),
    ("data", Kind::Text(258)),
];

/// EXPLAIN in the traditional format.
pub(crate) const EXPLAIN: &[Column] = &[
    ("id", Kind::UInt),
    ("select_type", Kind::Text(19)),
    ("table", Kind::Text(64)),
    ("partitions", Kind::Medium(2_105_344)),
    ("type", Kind::Text(10)),
    ("possible_keys", Kind::Text(4096)),
    ("key", Kind::Text(64)),
    ("key_len", Kind::Text(4096)),
    ("ref", Kind::Text(1024)),
    ("rows", Kind::UInt),
    ("filtered", Kind::Double),
    ("Extra", Kind::Text(255)),
];

/// EXPLAIN FORMAT=TREE, FORMAT=JSON and ANALYZE.
pub(crate) const EXPLAIN_TEXT: &[Column] = &[("EXPLAIN", Kind::Long)];

/// HELP of one topic.
pub(crate) const HELP_TOPIC: &[Column] =
    &[("name", Kind::Text(64)), ("description", Kind::Long), ("example", Kind::Long)];

/// HELP of several topics.
pub(crate) const HELP_TOPICS: &[Column] = &[("name", Kind::Text(64)), ("is_it_category", Kind::Text(1))];

/// HELP of a category.
pub(crate) const HELP_CATEGORY: &[Column] =
    &[("source_category_name", Kind::Text(64)), ("name", Kind::Text(64)), ("is_it_category", Kind::Text(1))];

/// SHOW WARNINGS and SHOW ERRORS.
pub(crate) const WARNINGS: &[Column] = &[("Level", Kind::Text(7)), ("Code", Kind::UInt), ("Message", Kind::Text(512))];

/// SHOW CREATE TABLE of a table.
pub(crate) const CREATE_TABLE: &[Column] = &[("Table", Kind::Text(64)), ("Create Table", Kind::Long)];

/// SHOW CREATE VIEW, and SHOW CREATE TABLE of a view.
pub(crate) const CREATE_VIEW: &[Column] = &[
    ("View", Kind::Text(64)),
    ("Create View", Kind::Long),
    ("character_set_client", Kind::Text(64)),
    ("collation_connection", Kind::Text(64)),
];

/// SHOW CREATE DATABASE.
pub(crate) const CREATE_DATABASE: &[Column] = &[("Database", Kind::Text(64)), ("Create Database", Kind::Text(1024))];

/// SHOW CREATE PROCEDURE.
pub(crate) const CREATE_PROCEDURE: &[Column] = &create_program("Procedure", "Create Procedure");

/// SHOW CREATE FUNCTION.
pub(crate) const CREATE_FUNCTION: &[Column] = &create_program("Function", "Create Function");

const fn create_program(kind: &'static str, text: &'static str) -> [Column; 6] {
    [
        (kind, Kind::Text(64)),
        ("sql_mode", Kind::Text(512)),
        (text, Kind::Long),
        ("character_set_client", Kind::Text(64)),
        ("collation_connection", Kind::Text(64)),
        ("Database Collation", Kind::Text(64)),
    ]
}

/// SHOW CREATE TRIGGER.
pub(crate) const CREATE_TRIGGER: &[Column] = &[
    ("Trigger", Kind::Text(64)),
    ("sql_mode", Kind::Text(512)),
    ("SQL Original Statement", Kind::Long),
    ("character_set_client", Kind::Text(64)),
    ("collation_connection", Kind::Text(64)),
    ("Database Collation", Kind::Text(64)),
    ("Created", Kind::Timestamp),
];

/// SHOW CREATE EVENT.
pub(crate) const CREATE_EVENT: &[Column] = &[
    ("Event", Kind::Text(64)),
    ("sql_mode", Kind::Text(512)),
    ("time_zone", Kind::Text(64)),
    ("Create Event", Kind::Long),
    ("character_set_client", Kind::Text(64)),
    ("collation_connection", Kind::Text(64)),
    ("Database Collation", Kind::Text(64)),
];

/// SHOW PRIVILEGES.
pub(crate) const PRIVILEGES: &[Column] =
    &[("Privilege", Kind::Text(30)), ("Context", Kind::Text(60)), ("Comment", Kind::Text(120))];

/// SHOW ENGINE.
pub(crate) const ENGINE_STATUS: &[Column] =
    &[("Type", Kind::Text(10)), ("Name", Kind::Text(512)), ("Status", Kind::Long)];

/// SHOW PROFILES.
pub(crate) const PROFILES: &[Column] =
    &[("Query_ID", Kind::UInt), ("Duration", Kind::Double), ("Query", Kind::Text(300))];

/// SHOW BINLOG EVENTS and SHOW RELAYLOG EVENTS.
pub(crate) const BINLOG_EVENTS: &[Column] = &[
    ("Log_name", Kind::Text(255)),
    ("Pos", Kind::UInt),
    ("Event_type", Kind::Text(255)),
    ("Server_id", Kind::UInt),
    ("End_log_pos", Kind::UInt),
    ("Info", Kind::Text(255)),
];

/// SHOW BINARY LOGS.
pub(crate) const BINARY_LOGS: &[Column] =
    &[("Log_name", Kind::Text(255)), ("File_size", Kind::UInt), ("Encrypted", Kind::Text(3))];

/// SHOW BINARY LOG STATUS.
pub(crate) const BINARY_LOG_STATUS: &[Column] = &[
    ("File", Kind::Text(255)),
    ("Position", Kind::UInt),
    ("Binlog_Do_DB", Kind::Text(255)),
    ("Binlog_Ignore_DB", Kind::Text(255)),
    ("Executed_Gtid_Set", Kind::Long),
];

/// SHOW REPLICAS.
pub(crate) const REPLICAS: &[Column] = &[
    ("Server_Id", Kind::UInt),
    ("Host", Kind::Text(255)),
    ("Port", Kind::UInt),
    ("Source_Id", Kind::UInt),
    ("Replica_UUID", Kind::Text(255)),
];

/// SHOW REPLICA STATUS.
pub(crate) const REPLICA_STATUS: &[Column] = &[
    ("Replica_IO_State", Kind::Text(255)),
    ("Source_Host", Kind::Text(255)),
    ("Source_User", Kind::Text(255)),
    ("Source_Port", Kind::UInt),
    ("Connect_Retry", Kind::UInt),
    ("Source_Log_File", Kind::Text(255)),
    ("Read_Source_Log_Pos", Kind::UInt),
    ("Relay_Log_File", Kind::Text(255)),
    ("Relay_Log_Pos", Kind::UInt),
    ("Relay_Source_Log_File", Kind::Text(255)),
    ("Replica_IO_Running", Kind::Text(255)),
    ("Replica_SQL_Running", Kind::Text(255)),
    ("Replicate_Do_DB", Kind::Text(255)),
    ("Replicate_Ignore_DB", Kind::Text(255)),
    ("Replicate_Do_Table", Kind::Text(255)),
    ("Replicate_Ignore_Table", Kind::Text(255)),
    ("Replicate_Wild_Do_Table", Kind::Text(255)),
    ("Replicate_Wild_Ignore_Table", Kind::Text(255)),
    ("Last_Errno", Kind::UInt),
    ("Last_Error", Kind::Text(255)),
    ("Skip_Counter", Kind::UInt),
    ("Exec_Source_Log_Pos", Kind::UInt),
    ("Relay_Log_Space", Kind::UInt),
    ("Until_Condition", Kind::Text(255)),
    ("Until_Log_File", Kind::Text(255)),
    ("Until_Log_Pos", Kind::UInt),
    ("Source_SSL_Allowed", Kind::Text(255)),
    ("Source_SSL_CA_File", Kind::Text(255)),
    ("Source_SSL_CA_Path", Kind::Text(255)),
    ("Source_SSL_Cert", Kind::Text(255)),
    ("Source_SSL_Cipher", Kind::Text(255)),
    ("Source_SSL_Key", Kind::Text(255)),
    ("Seconds_Behind_Source", Kind::UInt),
    ("Source_SSL_Verify_Server_Cert", Kind::Text(255)),
    ("Last_IO_Errno", Kind::UInt),
    ("Last_IO_Error", Kind::Text(255)),
    ("Last_SQL_Errno", Kind::UInt),
    ("Last_SQL_Error", Kind::Text(255)),
    ("Replicate_Ignore_Server_Ids", Kind::Text(255)),
    ("Source_Server_Id", Kind::UInt),
    ("Source_UUID", Kind::Text(255)),
    ("Source_Info_File", Kind::Text(255)),
    ("SQL_Delay", Kind::UInt),
    ("SQL_Remaining_Delay", Kind::UInt),
    ("Replica_SQL_Running_State", Kind::Text(255)),
    ("Source_Retry_Count", Kind::UInt),
    ("Source_Bind", Kind::Text(255)),
    ("Last_IO_Error_Timestamp", Kind::Text(255)),
    ("Last_SQL_Error_Timestamp", Kind::Text(255)),
    ("Source_SSL_Crl", Kind::Text(255)),
    ("Source_SSL_Crlpath", Kind::Text(255)),
    ("Retrieved_Gtid_Set", Kind::Text(255)),
    ("Executed_Gtid_Set", Kind::Text(255)),
    ("Auto_Position", Kind::UInt),
    ("Replicate_Rewrite_DB", Kind::Text(255)),
    ("Channel_Name", Kind::Text(255)),
    ("Source_TLS_Version", Kind::Text(255)),
    ("Source_public_key_path", Kind::Text(255)),
    ("Get_Source_public_key", Kind::UInt),
    ("Network_Namespace", Kind::Text(255)),
];
