//! Columns of the tables about files, sockets, tables' rows and latches, as MySQL 8.4 and 9.7 have them.

use super::super::{Columns, T, joined};
use super::sum_columns::{ALL_TIMED, timed};

pub(super) const FILE_INSTANCES: Columns =
    &[("FILE_NAME", T::S(512), false), ("EVENT_NAME", T::S(128), false), ("OPEN_COUNT", T::UInt, false)];

pub(super) const FILE_BY_INSTANCE: Columns = &joined::<25>(&[
    &[("FILE_NAME", T::S(512), false), ("EVENT_NAME", T::S(128), false), ("OBJECT_INSTANCE_BEGIN", T::U, false)],
    &ALL_TIMED,
    &timed!("READ"),
    &[("SUM_NUMBER_OF_BYTES_READ", T::I, false)],
    &timed!("WRITE"),
    &[("SUM_NUMBER_OF_BYTES_WRITE", T::I, false)],
    &timed!("MISC"),
]);

pub(super) const SOCKET_INSTANCES: Columns = &[
    ("EVENT_NAME", T::S(128), false),
    ("OBJECT_INSTANCE_BEGIN", T::U, false),
    ("THREAD_ID", T::U, true),
    ("SOCKET_ID", T::Int, false),
    ("IP", T::S(64), false),
    ("PORT", T::Int, false),
    ("STATE", T::Enum(&["IDLE", "ACTIVE"]), false),
];

pub(super) const SOCKET_BY_INSTANCE: Columns = &joined::<24>(&[
    &[("EVENT_NAME", T::S(128), false), ("OBJECT_INSTANCE_BEGIN", T::U, false)],
    &ALL_TIMED,
    &timed!("READ"),
    &[("SUM_NUMBER_OF_BYTES_READ", T::U, false)],
    &timed!("WRITE"),
    &[("SUM_NUMBER_OF_BYTES_WRITE", T::U, false)],
    &timed!("MISC"),
]);

pub(super) const TABLE_HANDLES: Columns = &[
    ("OBJECT_TYPE", T::S(64), false),
    ("OBJECT_SCHEMA", T::S(64), false),
    ("OBJECT_NAME", T::S(64), false),
    ("OBJECT_INSTANCE_BEGIN", T::U, false),
    ("OWNER_THREAD_ID", T::U, true),
    ("OWNER_EVENT_ID", T::U, true),
    ("INTERNAL_LOCK", T::S(64), true),
    ("EXTERNAL_LOCK", T::S(64), true),
];

pub(super) const TABLE_IO: Columns = &joined::<39>(&[
    &[
        ("OBJECT_TYPE", T::S(64), true),
        ("OBJECT_SCHEMA", T::S(64), true),
        ("OBJECT_NAME", T::S(64), true),
        ("INDEX_NAME", T::S(64), true),
    ],
    &ALL_TIMED,
    &timed!("READ"),
    &timed!("WRITE"),
    &timed!("FETCH"),
    &timed!("INSERT"),
    &timed!("UPDATE"),
    &timed!("DELETE"),
]);

pub(super) const TABLE_LOCKS: Columns = &joined::<68>(&[
    &[("OBJECT_TYPE", T::S(64), true), ("OBJECT_SCHEMA", T::S(64), true), ("OBJECT_NAME", T::S(64), true)],
    &ALL_TIMED,
    &timed!("READ"),
    &timed!("WRITE"),
    &timed!("READ_NORMAL"),
    &timed!("READ_WITH_SHARED_LOCKS"),
    &timed!("READ_HIGH_PRIORITY"),
    &timed!("READ_NO_INSERT"),
    &timed!("READ_EXTERNAL"),
    &timed!("WRITE_ALLOW_WRITE"),
    &timed!("WRITE_CONCURRENT_INSERT"),
    &timed!("WRITE_LOW_PRIORITY"),
    &timed!("WRITE_NORMAL"),
    &timed!("WRITE_EXTERNAL"),
]);

pub(super) const OBJECTS: Columns = &joined::<8>(&[
    &[("OBJECT_TYPE", T::S(64), true), ("OBJECT_SCHEMA", T::S(64), true), ("OBJECT_NAME", T::S(64), true)],
    &ALL_TIMED,
]);

pub(super) const MUTEXES: Columns =
    &[("NAME", T::S(128), false), ("OBJECT_INSTANCE_BEGIN", T::U, false), ("LOCKED_BY_THREAD_ID", T::U, true)];

pub(super) const RWLOCKS: Columns = &[
    ("NAME", T::S(128), false),
    ("OBJECT_INSTANCE_BEGIN", T::U, false),
    ("WRITE_LOCKED_BY_THREAD_ID", T::U, true),
    ("READ_LOCKED_BY_COUNT", T::UInt, false),
];

pub(super) const CONDS: Columns = &[("NAME", T::S(128), false), ("OBJECT_INSTANCE_BEGIN", T::U, false)];

pub(super) const WAITS_BY_INSTANCE: Columns =
    &joined::<7>(&[&[("EVENT_NAME", T::S(128), false), ("OBJECT_INSTANCE_BEGIN", T::U, false)], &ALL_TIMED]);

pub(super) const MEMORY: Columns = &[
    ("EVENT_NAME", T::S(128), false),
    ("COUNT_ALLOC", T::U, false),
    ("COUNT_FREE", T::U, false),
    ("SUM_NUMBER_OF_BYTES_ALLOC", T::U, false),
    ("SUM_NUMBER_OF_BYTES_FREE", T::U, false),
    ("LOW_COUNT_USED", T::I, false),
    ("CURRENT_COUNT_USED", T::I, false),
    ("HIGH_COUNT_USED", T::I, false),
    ("LOW_NUMBER_OF_BYTES_USED", T::I, false),
    ("CURRENT_NUMBER_OF_BYTES_USED", T::I, false),
    ("HIGH_NUMBER_OF_BYTES_USED", T::I, false),
];
