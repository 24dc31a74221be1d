//! Tables of performance_schema about what Evenkeel has none of, with MySQL 8.4's columns and, as on a MySQL where the feature is not in
//! use, without rows: replication, keyring components, and the single stages and waits that
//! MySQL does not collect by default either. What MySQL fills by default and we cannot is left out (docs/compat.md).

use super::super::column_types::{ASCII, BIN4, GENERAL};
use super::super::{Columns, Spec, T, none};
use super::PS;

pub(in super::super) const TABLES: &[Spec] = &[
    Spec { schema: PS, name: "keyring_component_status", columns: KEYRING_COMPONENT_STATUS, rows: none },
    Spec {
        schema: PS,
        name: "replication_asynchronous_connection_failover",
        columns: REPLICATION_ASYNCHRONOUS_CONNECTION_FAILOVER,
        rows: none,
    },
    Spec {
        schema: PS,
        name: "replication_asynchronous_connection_failover_managed",
        columns: REPLICATION_ASYNCHRONOUS_CONNECTION_FAILOVER_MANAGED,
        rows: none,
    },
    Spec { schema: PS, name: "replication_group_member_stats", columns: REPLICATION_GROUP_MEMBER_STATS, rows: none },
];

const KEYRING_COMPONENT_STATUS: Columns = &[("STATUS_KEY", T::S(256), false), ("STATUS_VALUE", T::S(1024), false)];

const REPLICATION_ASYNCHRONOUS_CONNECTION_FAILOVER: Columns = &[
    ("CHANNEL_NAME", T::In(&T::Char(64), GENERAL), false),
    ("HOST", T::In(&T::Char(255), ASCII), false),
    ("PORT", T::Int, false),
    ("NETWORK_NAMESPACE", T::Char(64), true),
    ("WEIGHT", T::UInt, false),
    ("MANAGED_NAME", T::Or(&T::In(&T::Char(64), GENERAL), ""), false),
];

const REPLICATION_ASYNCHRONOUS_CONNECTION_FAILOVER_MANAGED: Columns = &[
    ("CHANNEL_NAME", T::In(&T::Char(64), GENERAL), false),
    ("MANAGED_NAME", T::Or(&T::In(&T::Char(64), GENERAL), ""), false),
    ("MANAGED_TYPE", T::Or(&T::In(&T::Char(64), GENERAL), ""), false),
    ("CONFIGURATION", T::Json, true),
];

const REPLICATION_GROUP_MEMBER_STATS: Columns = &[
    ("CHANNEL_NAME", T::Char(64), false),
    ("VIEW_ID", T::In(&T::Char(60), BIN4), false),
    ("MEMBER_ID", T::In(&T::Char(36), BIN4), false),
    ("COUNT_TRANSACTIONS_IN_QUEUE", T::U, false),
    ("COUNT_TRANSACTIONS_CHECKED", T::U, false),
    ("COUNT_CONFLICTS_DETECTED", T::U, false),
    ("COUNT_TRANSACTIONS_ROWS_VALIDATING", T::U, false),
    ("TRANSACTIONS_COMMITTED_ALL_MEMBERS", T::Text, false),
    ("LAST_CONFLICT_FREE_TRANSACTION", T::Short, false),
    ("COUNT_TRANSACTIONS_REMOTE_IN_APPLIER_QUEUE", T::U, false),
    ("COUNT_TRANSACTIONS_REMOTE_APPLIED", T::U, false),
    ("COUNT_TRANSACTIONS_LOCAL_PROPOSED", T::U, false),
    ("COUNT_TRANSACTIONS_LOCAL_ROLLBACK", T::U, false),
];
