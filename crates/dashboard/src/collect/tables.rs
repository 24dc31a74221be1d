//! Collectors that are a statement, some columns that become labels, and some that become values.

use super::{Collector, Row, Rows, cell, number};
use crate::families::{Families, Kind};

/// What becomes of a statement's rows: the first columns are labels, the others values.
pub(super) struct Table {
    labels: &'static [&'static str],
    values: &'static [Value],
}

/// A column of numbers.
struct Value {
    metric: &'static str,
    help: &'static str,
    kind: Kind,
    /// What it is divided by: 10^12 where the table has picoseconds and the metric seconds.
    unit: f64,
    /// One more label, with its value.
    label: Option<(&'static str, &'static str)>,
}

const PICO: f64 = 1e12;

const fn value(metric: &'static str, help: &'static str, kind: Kind) -> Value {
    Value { metric, help, kind, unit: 1.0, label: None }
}
const fn total(metric: &'static str, help: &'static str) -> Value {
    value(metric, help, Kind::Counter)
}
const fn seconds(metric: &'static str, help: &'static str) -> Value {
    Value { unit: PICO, ..total(metric, help) }
}
const fn gauge(metric: &'static str, help: &'static str) -> Value {
    value(metric, help, Kind::Gauge)
}
/// The same metric with another value of a label.
const fn of(v: Value, label: &'static str, value: &'static str) -> Value {
    Value { label: Some((label, value)), ..v }
}

impl Table {
    pub(super) fn add(&self, rows: &[Row], out: &mut Families) {
        for (i, v) in self.values.iter().enumerate() {
            for row in rows {
                let Some(n) = number(row, self.labels.len() + i) else { continue };
                let own = self.labels.iter().enumerate().map(|(i, name)| (*name, cell(row, i)));
                let labels: Vec<(&str, &str)> = own.chain(v.label).collect();
                out.add((v.metric, v.help, v.kind), &labels, n / v.unit);
            }
        }
    }
}

pub(super) static COLLECTORS: &[Collector] = &[
    Collector {
        name: "perf_schema.eventswaits",
        by_default: true,
        sql: "SELECT EVENT_NAME, COUNT_STAR, SUM_TIMER_WAIT \
              FROM performance_schema.events_waits_summary_global_by_event_name WHERE COUNT_STAR > 0",
        rows: Rows::Table(&WAITS),
    },
    Collector {
        name: "perf_schema.file_events",
        by_default: true,
        sql: "SELECT EVENT_NAME, COUNT_READ, COUNT_WRITE, COUNT_MISC, SUM_TIMER_READ, SUM_TIMER_WRITE, SUM_TIMER_MISC, \
              SUM_NUMBER_OF_BYTES_READ, SUM_NUMBER_OF_BYTES_WRITE \
              FROM performance_schema.file_summary_by_event_name WHERE COUNT_STAR > 0",
        rows: Rows::Table(&FILES),
    },
    Collector {
        name: "perf_schema.memory_events",
        by_default: true,
        sql: "SELECT EVENT_NAME, SUM_NUMBER_OF_BYTES_ALLOC, SUM_NUMBER_OF_BYTES_FREE, CURRENT_NUMBER_OF_BYTES_USED \
              FROM performance_schema.memory_summary_global_by_event_name WHERE COUNT_ALLOC > 0",
        rows: Rows::Table(&MEMORY),
    },
    Collector {
        name: "perf_schema.eventsstatements",
        by_default: true,
        sql: "SELECT IFNULL(SCHEMA_NAME, 'NONE'), DIGEST, LEFT(DIGEST_TEXT, 120), COUNT_STAR, SUM_TIMER_WAIT, SUM_LOCK_TIME, \
              SUM_CPU_TIME, SUM_ERRORS, SUM_WARNINGS, SUM_ROWS_AFFECTED, SUM_ROWS_SENT, SUM_ROWS_EXAMINED, \
              SUM_CREATED_TMP_TABLES, SUM_CREATED_TMP_DISK_TABLES, SUM_SORT_MERGE_PASSES, SUM_SORT_ROWS, SUM_NO_INDEX_USED \
              FROM performance_schema.events_statements_summary_by_digest \
              WHERE DIGEST IS NOT NULL AND IFNULL(SCHEMA_NAME, '') NOT IN ('mysql', 'performance_schema', 'information_schema') \
              AND LAST_SEEN > NOW() - INTERVAL 1 DAY ORDER BY SUM_TIMER_WAIT DESC LIMIT 250",
        rows: Rows::Table(&STATEMENTS),
    },
    Collector {
        name: "info_schema.innodb_cmp",
        by_default: true,
        sql: "SELECT PAGE_SIZE, COMPRESS_OPS, COMPRESS_OPS_OK, COMPRESS_TIME, UNCOMPRESS_OPS, UNCOMPRESS_TIME \
              FROM information_schema.INNODB_CMP",
        rows: Rows::Table(&CMP),
    },
    Collector {
        name: "info_schema.innodb_cmpmem",
        by_default: true,
        sql: "SELECT PAGE_SIZE, BUFFER_POOL_INSTANCE, PAGES_USED, PAGES_FREE, RELOCATION_OPS, RELOCATION_TIME \
              FROM information_schema.INNODB_CMPMEM",
        rows: Rows::Table(&CMPMEM),
    },
    Collector {
        name: "perf_schema.tableiowaits",
        by_default: false,
        sql: "SELECT OBJECT_SCHEMA, OBJECT_NAME, COUNT_FETCH, COUNT_INSERT, COUNT_UPDATE, COUNT_DELETE, SUM_TIMER_FETCH, \
              SUM_TIMER_INSERT, SUM_TIMER_UPDATE, SUM_TIMER_DELETE FROM performance_schema.table_io_waits_summary_by_table \
              WHERE OBJECT_SCHEMA NOT IN ('mysql', 'performance_schema')",
        rows: Rows::Table(&TABLE_IO),
    },
    Collector {
        name: "perf_schema.indexiowaits",
        by_default: false,
        sql: "SELECT OBJECT_SCHEMA, OBJECT_NAME, IFNULL(INDEX_NAME, 'NONE'), COUNT_FETCH, COUNT_INSERT, COUNT_UPDATE, \
              COUNT_DELETE, SUM_TIMER_FETCH, SUM_TIMER_INSERT, SUM_TIMER_UPDATE, SUM_TIMER_DELETE \
              FROM performance_schema.table_io_waits_summary_by_index_usage \
              WHERE OBJECT_SCHEMA NOT IN ('mysql', 'performance_schema')",
        rows: Rows::Table(&INDEX_IO),
    },
    Collector {
        name: "info_schema.tables",
        by_default: false,
        sql: "SELECT TABLE_SCHEMA, TABLE_NAME, IFNULL(TABLE_ROWS, 0), IFNULL(DATA_LENGTH, 0), IFNULL(INDEX_LENGTH, 0), \
              IFNULL(DATA_FREE, 0) FROM information_schema.TABLES \
              WHERE TABLE_SCHEMA NOT IN ('mysql', 'performance_schema', 'information_schema', 'sys')",
        rows: Rows::Table(&TABLES),
    },
    Collector {
        name: "auto_increment.columns",
        by_default: false,
        sql: "SELECT C.TABLE_SCHEMA, C.TABLE_NAME, C.COLUMN_NAME, T.AUTO_INCREMENT, \
              POW(2, CASE C.DATA_TYPE WHEN 'tinyint' THEN 7 WHEN 'smallint' THEN 15 WHEN 'mediumint' THEN 23 WHEN 'int' THEN 31 \
              ELSE 63 END + (C.COLUMN_TYPE LIKE '% unsigned%')) - 1 \
              FROM information_schema.COLUMNS C JOIN information_schema.TABLES T USING (TABLE_SCHEMA, TABLE_NAME) \
              WHERE C.EXTRA = 'auto_increment' AND T.AUTO_INCREMENT IS NOT NULL",
        rows: Rows::Table(&AUTO_INCREMENT),
    },
];

static WAITS: Table = Table {
    labels: &["event_name"],
    values: &[
        total("mysql_perf_schema_events_waits_total", "Waits by event."),
        seconds("mysql_perf_schema_events_waits_seconds_total", "Seconds of waits by event."),
    ],
};

const FILE: Value = total("mysql_perf_schema_file_events_total", "Operations on files by event and mode.");
const FILE_SECONDS: Value = seconds("mysql_perf_schema_file_events_seconds_total", "Their seconds.");
const FILE_BYTES: Value = total("mysql_perf_schema_file_events_bytes_total", "Their bytes.");

static FILES: Table = Table {
    labels: &["event_name"],
    values: &[
        of(FILE, "mode", "read"),
        of(FILE, "mode", "write"),
        of(FILE, "mode", "misc"),
        of(FILE_SECONDS, "mode", "read"),
        of(FILE_SECONDS, "mode", "write"),
        of(FILE_SECONDS, "mode", "misc"),
        of(FILE_BYTES, "mode", "read"),
        of(FILE_BYTES, "mode", "write"),
    ],
};

static MEMORY: Table = Table {
    labels: &["event_name"],
    values: &[
        total("mysql_perf_schema_memory_events_alloc_bytes_total", "Bytes allocated by event."),
        total("mysql_perf_schema_memory_events_free_bytes_total", "Bytes freed by event."),
        gauge("mysql_perf_schema_memory_events_used_bytes", "Bytes in use by event."),
    ],
};

static STATEMENTS: Table = Table {
    labels: &["schema", "digest", "digest_text"],
    values: &[
        total("mysql_perf_schema_events_statements_total", "Executions by digest."),
        seconds("mysql_perf_schema_events_statements_seconds_total", "Seconds by digest."),
        seconds(
            "mysql_perf_schema_events_statements_lock_time_seconds_total",
            "Seconds of waiting for locks by digest.",
        ),
        seconds("mysql_perf_schema_events_statements_cpu_time_seconds_total", "Seconds of CPU by digest."),
        total("mysql_perf_schema_events_statements_errors_total", "Errors by digest."),
        total("mysql_perf_schema_events_statements_warnings_total", "Warnings by digest."),
        total("mysql_perf_schema_events_statements_rows_affected_total", "Rows changed by digest."),
        total("mysql_perf_schema_events_statements_rows_sent_total", "Rows sent by digest."),
        total("mysql_perf_schema_events_statements_rows_examined_total", "Rows read by digest."),
        total("mysql_perf_schema_events_statements_tmp_tables_total", "Temporary tables by digest."),
        total("mysql_perf_schema_events_statements_tmp_disk_tables_total", "Temporary tables on disk by digest."),
        total("mysql_perf_schema_events_statements_sort_merge_passes_total", "Merges of sorts by digest."),
        total("mysql_perf_schema_events_statements_sort_rows_total", "Rows sorted by digest."),
        total("mysql_perf_schema_events_statements_no_index_used_total", "Executions without an index by digest."),
    ],
};

static CMP: Table = Table {
    labels: &["page_size"],
    values: &[
        total("mysql_info_schema_innodb_cmp_compress_ops_total", "Pages compressed."),
        total("mysql_info_schema_innodb_cmp_compress_ops_ok_total", "Pages compressed with success."),
        total("mysql_info_schema_innodb_cmp_compress_time_seconds_total", "Seconds of compressing."),
        total("mysql_info_schema_innodb_cmp_uncompress_ops_total", "Pages uncompressed."),
        total("mysql_info_schema_innodb_cmp_uncompress_time_seconds_total", "Seconds of uncompressing."),
    ],
};

static CMPMEM: Table = Table {
    labels: &["page_size", "buffer_pool"],
    values: &[
        total("mysql_info_schema_innodb_cmpmem_pages_used_total", "Compressed pages in use."),
        total("mysql_info_schema_innodb_cmpmem_pages_free_total", "Free blocks for compressed pages."),
        total("mysql_info_schema_innodb_cmpmem_relocation_ops_total", "Blocks moved."),
        Value {
            unit: 1e3,
            ..total("mysql_info_schema_innodb_cmpmem_relocation_time_seconds_total", "Seconds of moving blocks.")
        },
    ],
};

const TABLE_WAITS: Value = total("mysql_perf_schema_table_io_waits_total", "Row operations by table.");
const TABLE_SECONDS: Value = seconds("mysql_perf_schema_table_io_waits_seconds_total", "Their seconds.");
const INDEX_WAITS: Value = total("mysql_perf_schema_index_io_waits_total", "Row operations by index.");
const INDEX_SECONDS: Value = seconds("mysql_perf_schema_index_io_waits_seconds_total", "Their seconds.");

static TABLE_IO: Table = Table {
    labels: &["schema", "name"],
    values: &[
        of(TABLE_WAITS, "operation", "fetch"),
        of(TABLE_WAITS, "operation", "insert"),
        of(TABLE_WAITS, "operation", "update"),
        of(TABLE_WAITS, "operation", "delete"),
        of(TABLE_SECONDS, "operation", "fetch"),
        of(TABLE_SECONDS, "operation", "insert"),
        of(TABLE_SECONDS, "operation", "update"),
        of(TABLE_SECONDS, "operation", "delete"),
    ],
};

static INDEX_IO: Table = Table {
    labels: &["schema", "name", "index"],
    values: &[
        of(INDEX_WAITS, "operation", "fetch"),
        of(INDEX_WAITS, "operation", "insert"),
        of(INDEX_WAITS, "operation", "update"),
        of(INDEX_WAITS, "operation", "delete"),
        of(INDEX_SECONDS, "operation", "fetch"),
        of(INDEX_SECONDS, "operation", "insert"),
        of(INDEX_SECONDS, "operation", "update"),
        of(INDEX_SECONDS, "operation", "delete"),
    ],
};

const TABLE_SIZE: Value = gauge("mysql_info_schema_table_size", "Bytes by table and part.");

static TABLES: Table = Table {
    labels: &["schema", "table"],
    values: &[
        gauge("mysql_info_schema_table_rows", "Estimated rows by table."),
        of(TABLE_SIZE, "component", "data_length"),
        of(TABLE_SIZE, "component", "index_length"),
        of(TABLE_SIZE, "component", "data_free"),
    ],
};

static AUTO_INCREMENT: Table = Table {
    labels: &["schema", "table", "column"],
    values: &[
        gauge("mysql_info_schema_auto_increment_column", "Next value of an AUTO_INCREMENT column."),
        gauge("mysql_info_schema_auto_increment_column_max", "Its largest possible value."),
    ],
};
