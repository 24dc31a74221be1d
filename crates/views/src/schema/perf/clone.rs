//! clone_status and clone_progress: the last CLONE of which this server was the recipient (manual, "Monitoring Cloning
//! Operations Using Performance Schema Clone Tables"). MySQL has them while its plugin is installed, here they are
//! always there. What is shown: `session::kernel::clones`. Tested: `tests/backup/test_clone_tables.py`.

use super::super::{Columns, Spec, T};
use super::PS;
use super::replication::shown;

pub(in super::super) const TABLES: &[Spec] = &[
    Spec {
        schema: PS,
        name: "clone_status",
        columns: STATUS,
        rows: |v, _| Ok(shown(v, &v.clones.rows("clone_status"), STATUS)),
    },
    Spec {
        schema: PS,
        name: "clone_progress",
        columns: PROGRESS,
        rows: |v, _| Ok(shown(v, &v.clones.rows("clone_progress"), PROGRESS)),
    },
];

const STATUS: Columns = &[
    ("ID", T::Int, true),
    ("PID", T::Int, true),
    ("STATE", T::Char(16), true),
    ("BEGIN_TIME", T::Stamp(3), true),
    ("END_TIME", T::Stamp(3), true),
    ("SOURCE", T::S(512), true),
    ("DESTINATION", T::S(512), true),
    ("ERROR_NO", T::Int, true),
    ("ERROR_MESSAGE", T::S(512), true),
    ("BINLOG_FILE", T::S(512), true),
    ("BINLOG_POSITION", T::I, true),
    ("GTID_EXECUTED", T::Text, true),
];

const PROGRESS: Columns = &[
    ("ID", T::Int, true),
    ("STAGE", T::Char(32), true),
    ("STATE", T::Char(16), true),
    ("BEGIN_TIME", T::Stamp(6), true),
    ("END_TIME", T::Stamp(6), true),
    ("THREADS", T::Int, true),
    ("ESTIMATE", T::I, true),
    ("DATA", T::I, true),
    ("NETWORK", T::I, true),
    ("DATA_SPEED", T::Int, true),
    ("NETWORK_SPEED", T::Int, true),
];
