//! information_schema.INNODB_METRICS and the processlist, whose names and labels are made of values.

use super::{Collector, Row, Rows, cell, number};
use crate::families::{Families, Kind, name_of};
use std::collections::BTreeMap;

pub(super) static COLLECTORS: &[Collector] = &[
    Collector {
        name: "info_schema.innodb_metrics",
        by_default: true,
        sql: "SELECT NAME, SUBSYSTEM, TYPE, COMMENT, COUNT FROM information_schema.INNODB_METRICS WHERE STATUS = 'enabled'",
        rows: Rows::Code(metrics),
    },
    Collector {
        name: "info_schema.processlist",
        by_default: true,
        sql: "SELECT USER, SUBSTRING_INDEX(HOST, ':', 1), COMMAND, STATE, TIME FROM information_schema.PROCESSLIST \
              WHERE ID <> CONNECTION_ID()",
        rows: Rows::Code(processes),
    },
];

/// `mysql_info_schema_innodb_metrics_SUBSYSTEM_NAME`, with `_total` for counters; pages of the pool and page reads by
/// kind are families with a label.
fn metrics(rows: &[Row], out: &mut Families) {
    for row in rows {
        let Some(value) = number(row, 4) else { continue };
        let (name, subsystem, help) = (cell(row, 0), cell(row, 1), cell(row, 3));
        let prefix = "mysql_info_schema_innodb_metrics_";
        if subsystem == "buffer_page_io" {
            let kinds = [
                ("buffer_page_read_", "buffer_page_read_total"),
                ("buffer_page_written_", "buffer_page_written_total"),
            ];
            if let Some((family, kind)) = kinds.iter().find_map(|(b, f)| Some((f, name.strip_prefix(b)?))) {
                let family = format!("{prefix}{family}");
                out.add((&family, "Pages read or written by their type.", Kind::Counter), &[("type", kind)], value);
            }
            continue;
        }
        if let Some(state) = name.strip_prefix("buffer_pool_pages_").filter(|_| subsystem == "buffer") {
            let (family, label) = (format!("{prefix}buffer_pool_pages"), [("state", state)]);
            let dirty = format!("{prefix}buffer_pool_dirty_pages");
            match state {
                "total" => {}
                "dirty" => out.add((&dirty, "Dirty pages in the buffer pool.", Kind::Gauge), &[], value),
                _ => out.add((&family, "Pages of the buffer pool by state.", Kind::Gauge), &label, value),
            }
            continue;
        }
        let family = format!("{prefix}{}_{}", name_of(subsystem), name_of(name));
        let counter = matches!(cell(row, 2), "counter" | "status_counter") && value >= 0.0;
        if counter {
            out.add((&format!("{family}_total"), help, Kind::Counter), &[], value);
        } else {
            out.add((&family, help, Kind::Gauge), &[], value);
        }
    }
}

/// Sums over connections: by command and state, by user, by host.
fn processes(rows: &[Row], out: &mut Families) {
    let mut states: BTreeMap<(String, String), (f64, f64)> = BTreeMap::new();
    let (mut users, mut hosts): (BTreeMap<&str, f64>, BTreeMap<&str, f64>) = Default::default();
    for row in rows {
        let s = states.entry((state_of(cell(row, 2)), state_of(cell(row, 3)))).or_default();
        *s = (s.0 + 1.0, s.1 + number(row, 4).unwrap_or(0.0));
        *users.entry(cell(row, 0)).or_default() += 1.0;
        *hosts.entry(Some(cell(row, 1)).filter(|h| !h.is_empty()).unwrap_or("unknown")).or_default() += 1.0;
    }
    let prefix = "mysql_info_schema_processlist_";
    for ((command, state), (count, seconds)) in &states {
        let labels = [("command", command.as_str()), ("state", state.as_str())];
        out.add((&format!("{prefix}threads"), "Connections by command and state.", Kind::Gauge), &labels, *count);
        out.add((&format!("{prefix}seconds"), "Seconds they are in it.", Kind::Gauge), &labels, *seconds);
    }
    for (user, n) in users {
        let family = format!("{prefix}processes_by_user");
        out.add((&family, "Connections by user.", Kind::Gauge), &[("mysql_user", user)], n);
    }
    for (host, n) in hosts {
        let family = format!("{prefix}processes_by_host");
        out.add((&family, "Connections by host.", Kind::Gauge), &[("client_host", host)], n);
    }
}

/// A command or state as a label: lower case, `_` between words, without punctuation.
fn state_of(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, ';' | ',' | ':' | '.' | '(' | ')'))
        .map(|c| if matches!(c, ' ' | '-') { '_' } else { c.to_ascii_lowercase() })
        .collect();
    if plain.is_empty() { "unknown".to_owned() } else { plain }
}

#[cfg(test)]
mod tests {
    use super::{metrics, processes};
    use crate::families::Families;

    fn text(rows: &[&[&str]], f: fn(&[Vec<Option<String>>], &mut Families)) -> String {
        let rows: Vec<_> = rows.iter().map(|r| r.iter().map(|c| Some((*c).to_owned())).collect()).collect();
        let mut out = Families::default();
        f(&rows, &mut out);
        out.text().lines().filter(|l| !l.starts_with('#')).map(|l| l.replace("mysql_info_schema_", "") + "\n").collect()
    }

    #[test]
    fn innodb_metrics() {
        let rows: &[&[&str]] = &[
            &["buffer_page_read_index_leaf", "buffer_page_io", "counter", "", "3"],
            &["buffer_pool_pages_data", "buffer", "value", "", "4"],
            &["buffer_pool_pages_dirty", "buffer", "value", "", "5"],
            &["buffer_pool_reads", "buffer", "status_counter", "", "6"],
            &["trx_rseg_history_len", "transaction", "value", "", "7"],
        ];
        let wanted = "innodb_metrics_buffer_page_read_total{type=\"index_leaf\"} 3\ninnodb_metrics_buffer_pool_pages{state=\"data\"} 4\n\
                      innodb_metrics_buffer_pool_dirty_pages 5\ninnodb_metrics_buffer_buffer_pool_reads_total 6\n\
                      innodb_metrics_transaction_trx_rseg_history_len 7\n";
        assert_eq!(text(rows, metrics), wanted);
    }

    #[test]
    fn processlist() {
        let rows: &[&[&str]] = &[
            &["a", "h", "Query", "Waiting for table metadata lock", "2"],
            &["a", "", "Query", "Waiting for table metadata lock", "3"],
            &["b", "h", "Sleep", "", "9"],
        ];
        let wanted = "processlist_threads{command=\"query\",state=\"waiting_for_table_metadata_lock\"} 2\n\
                      processlist_threads{command=\"sleep\",state=\"unknown\"} 1\n\
                      processlist_seconds{command=\"query\",state=\"waiting_for_table_metadata_lock\"} 5\n\
                      processlist_seconds{command=\"sleep\",state=\"unknown\"} 9\n\
                      processlist_processes_by_user{mysql_user=\"a\"} 2\nprocesslist_processes_by_user{mysql_user=\"b\"} 1\n\
                      processlist_processes_by_host{client_host=\"h\"} 2\nprocesslist_processes_by_host{client_host=\"unknown\"} 1\n";
        assert_eq!(text(rows, processes), wanted);
    }
}
