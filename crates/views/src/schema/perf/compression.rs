//! binary_log_transaction_compression_stats: what transactions take in the binary log ([`binlog::compression`]). MySQL
//! has lines for the relay log, too.
//!
//! Tested: `tests/binlog/test_compression.py`.

use super::super::{Columns, Hints, NULL, Row, SessionView, Spec, T, s, u};
use super::{PS, stamp};
use base::SqlResult;
use binlog::compression::{self, One, Sums};
use value::OwnedValue;

pub(in super::super) const TABLES: &[Spec] =
    &[Spec { schema: PS, name: "binary_log_transaction_compression_stats", columns: COLUMNS, rows }];

const COLUMNS: Columns = &[
    ("LOG_TYPE", T::Enum(&["BINARY", "RELAY"]), false),
    ("COMPRESSION_TYPE", T::S(64), false),
    ("TRANSACTION_COUNTER", T::U, false),
    ("COMPRESSED_BYTES_COUNTER", T::U, false),
    ("UNCOMPRESSED_BYTES_COUNTER", T::U, false),
    ("COMPRESSION_PERCENTAGE", T::Small, false),
    ("FIRST_TRANSACTION_ID", T::Short, true),
    ("FIRST_TRANSACTION_COMPRESSED_BYTES", T::U, false),
    ("FIRST_TRANSACTION_UNCOMPRESSED_BYTES", T::U, false),
    ("FIRST_TRANSACTION_TIMESTAMP", T::Stamp(6), true),
    ("LAST_TRANSACTION_ID", T::Short, true),
    ("LAST_TRANSACTION_COMPRESSED_BYTES", T::U, false),
    ("LAST_TRANSACTION_UNCOMPRESSED_BYTES", T::U, false),
    ("LAST_TRANSACTION_TIMESTAMP", T::Stamp(6), true),
];

fn rows(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let one = |o: One| {
        let name = o.gtid.map_or_else(|| "ANONYMOUS".to_owned(), |g| g.to_string());
        [s(name), u(o.packed), u(o.unpacked), if o.at_us == 0 { NULL } else { stamp(v, o.at_us) }]
    };
    let row = |kind: &str, sums: Sums| -> Row {
        let all =
            [s("BINARY"), s(kind), u(sums.count), u(sums.packed), u(sums.unpacked), OwnedValue::Int(sums.percentage())];
        all.into_iter().chain(one(sums.first)).chain(one(sums.last)).collect()
    };
    let [packed, plain] = compression::all();
    Ok([("ZSTD", packed), ("NONE", plain)].into_iter().filter_map(|(k, s)| s.map(|s| row(k, s))).collect())
}

/// TRUNCATE TABLE.
pub(super) fn truncate(table: &str) -> bool {
    let own = table == "binary_log_transaction_compression_stats";
    if own {
        compression::reset();
    }
    own
}
