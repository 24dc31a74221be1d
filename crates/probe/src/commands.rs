//! The instruments of commands of the protocol, and of what has no kind (yet): names and classes. Their places are
//! their numbers ([`crate::instruments`]).
//!
//! A command that the server refuses (1047) is an event, too. Tested: `tests/clients/test_statement_events.py`.

use crate::instruments::Class;

/// Instruments that no table of names has: those of commands and of what has no kind yet.
pub(crate) const OTHER: [(&str, Class); 40] = [
    ("statement/abstract/Query", Class::Statement),
    ("statement/com/Execute", Class::Statement),
    ("statement/com/Prepare", Class::Statement),
    ("statement/sql/error", Class::Statement),
    ("statement/com/Close stmt", Class::Statement),
    ("statement/com/Init DB", Class::Statement),
    ("statement/com/Change user", Class::Statement),
    ("statement/com/Reset Connection", Class::Statement),
    ("transaction", Class::Transaction),
    ("idle", Class::Idle),
    ("error", Class::Error),
    ("statement/scheduler/event", Class::Statement),
    ("statement/com/Quit", Class::Statement),
    ("statement/com/Field List", Class::Statement),
    ("statement/com/Refresh", Class::Statement),
    ("statement/com/Statistics", Class::Statement),
    ("statement/com/Kill", Class::Statement),
    ("statement/com/Debug", Class::Statement),
    ("statement/com/Binlog Dump", Class::Statement),
    ("statement/com/Register Replica", Class::Statement),
    ("statement/com/Long Data", Class::Statement),
    ("statement/com/Ping", Class::Statement),
    ("statement/com/Reset stmt", Class::Statement),
    ("statement/com/Set option", Class::Statement),
    ("statement/com/Fetch", Class::Statement),
    ("statement/com/Binlog Dump GTID", Class::Statement),
    ("statement/com/clone", Class::Statement),
    // these are refused
    ("statement/com/Sleep", Class::Statement),
    ("statement/com/Create DB", Class::Statement),
    ("statement/com/Drop DB", Class::Statement),
    ("statement/com/Shutdown", Class::Statement),
    ("statement/com/Processlist", Class::Statement),
    ("statement/com/Connect", Class::Statement),
    ("statement/com/Time", Class::Statement),
    ("statement/com/Delayed insert", Class::Statement),
    ("statement/com/Table Dump", Class::Statement),
    ("statement/com/Connect Out", Class::Statement),
    ("statement/com/Daemon", Class::Statement),
    ("statement/com/Group Replication Data Stream subscription", Class::Statement),
    ("statement/com/Error", Class::Statement),
];
