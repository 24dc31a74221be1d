//! What the page asks for every second, as JSON: SHOW GLOBAL STATUS, and the rows of [`PARTS`]. A part that the account
//! may not read has its error in place of rows.

use super::history::History;
use crate::sql::rows;
use base::SqlResult;
use serde_json::{Map, Value, json};
use std::time::{SystemTime, UNIX_EPOCH};
use wire::Inside;

/// Seconds waited by class of wait.
pub(super) const WAITS: &str = "SELECT SUBSTRING_INDEX(EVENT_NAME, '/', 3), SUM(SUM_TIMER_WAIT) / 1e12 \
     FROM performance_schema.events_waits_summary_global_by_event_name \
     WHERE COUNT_STAR > 0 AND EVENT_NAME <> 'idle' GROUP BY 1";
/// Upper bounds of buckets in seconds, and statements in each.
pub(super) const LATENCY: &str = "SELECT BUCKET_TIMER_HIGH / 1e12, COUNT_BUCKET \
     FROM performance_schema.events_statements_histogram_global WHERE COUNT_BUCKET > 0 ORDER BY 1";
/// Seconds that threads have spun for latches.
pub(super) const SPIN: &str = "SELECT SUM(COUNT) / 1e9 FROM information_schema.INNODB_METRICS \
     WHERE NAME LIKE 'latch\\_%\\_spin\\_ns'";

/// Parts of the answer: name and statement.
const PARTS: [(&str, &str); 7] = [
    (
        "processes",
        "SELECT ID, USER, HOST, DB, COMMAND, TIME, STATE, LEFT(INFO, 300) FROM information_schema.PROCESSLIST \
         WHERE ID <> CONNECTION_ID() ORDER BY COMMAND = 'Sleep', TIME DESC LIMIT 200",
    ),
    ("waits", WAITS),
    ("latency", LATENCY),
    ("spin", SPIN),
    // who waits, for whom, for what
    (
        "locks",
        "SELECT r.PROCESSLIST_ID, b.PROCESSLIST_ID, l.OBJECT_SCHEMA, l.OBJECT_NAME, l.INDEX_NAME, l.LOCK_MODE, \
         LEFT(r.PROCESSLIST_INFO, 300) FROM performance_schema.data_lock_waits w \
         JOIN performance_schema.data_locks l ON l.ENGINE_LOCK_ID = w.REQUESTING_ENGINE_LOCK_ID \
         JOIN performance_schema.threads r ON r.THREAD_ID = w.REQUESTING_THREAD_ID \
         JOIN performance_schema.threads b ON b.THREAD_ID = w.BLOCKING_THREAD_ID LIMIT 500",
    ),
    // what somebody waits for
    (
        "metadata",
        "SELECT t.PROCESSLIST_ID, m.OBJECT_TYPE, m.OBJECT_SCHEMA, m.OBJECT_NAME, m.LOCK_TYPE, m.LOCK_STATUS \
         FROM performance_schema.metadata_locks m JOIN performance_schema.threads t ON t.THREAD_ID = m.OWNER_THREAD_ID \
         WHERE (m.OBJECT_TYPE, m.OBJECT_SCHEMA, m.OBJECT_NAME) IN (SELECT OBJECT_TYPE, OBJECT_SCHEMA, OBJECT_NAME \
         FROM performance_schema.metadata_locks WHERE LOCK_STATUS = 'PENDING') LIMIT 200",
    ),
    (
        "digests",
        "SELECT SCHEMA_NAME, DIGEST, LEFT(DIGEST_TEXT, 300), COUNT_STAR, SUM_TIMER_WAIT / 1e12, QUANTILE_99 / 1e12, \
         SUM_ROWS_EXAMINED, SUM_ROWS_SENT FROM performance_schema.events_statements_summary_by_digest \
         WHERE DIGEST IS NOT NULL ORDER BY SUM_TIMER_WAIT DESC LIMIT 20",
    ),
];

/// Everything for one look.
pub(super) fn everything(session: &mut Inside, history: &History) -> Value {
    let mut out = Map::new();
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64());
    out.insert("time".into(), json!(time));
    let status = rows(session, "SHOW GLOBAL STATUS").map(|rows| {
        let number = |row: &Vec<Option<String>>| {
            let [Some(name), Some(value)] = row.as_slice() else { return None };
            Some((name.clone(), json!(value.parse::<f64>().ok()?)))
        };
        Value::Object(rows.iter().filter_map(number).collect())
    });
    out.insert("status".into(), status.unwrap_or(Value::Null));
    for (name, sql) in PARTS {
        let part = match rows(session, sql) {
            Ok(rows) => json!({ "rows": rows }),
            Err(e) => json!({ "error": format!("{}: {}", e.code(), e.message()) }),
        };
        out.insert(name.into(), part);
    }
    let pool = match history.pool(session) {
        Ok(rows) => json!({ "rows": rows }),
        Err(e) => json!({ "error": format!("{}: {}", e.code(), e.message()) }),
    };
    out.insert("pool".into(), pool);
    Value::Object(out)
}

/// The plan of a digest's sample, as EXPLAIN tells it to the account.
///
/// # Errors
/// Those of reading the sample and of EXPLAIN.
pub(super) fn plan(session: &mut Inside, digest: &str) -> SqlResult<String> {
    let sample = format!(
        "SELECT SCHEMA_NAME, QUERY_SAMPLE_TEXT FROM performance_schema.events_statements_summary_by_digest \
         WHERE DIGEST = '{digest}' AND QUERY_SAMPLE_TEXT IS NOT NULL LIMIT 1"
    );
    let found = rows(session, &sample)?;
    let Some([schema, Some(text)]) = found.first().map(Vec::as_slice) else { return Ok(String::new()) };
    if let Some(schema) = schema {
        rows(session, &format!("USE `{}`", schema.replace('`', "``")))?;
    }
    let lines = rows(session, &format!("EXPLAIN FORMAT=TREE {text}"))?;
    Ok(lines.into_iter().flatten().flatten().collect::<Vec<_>>().join("\n"))
}
