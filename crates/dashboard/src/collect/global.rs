//! SHOW GLOBAL STATUS and SHOW GLOBAL VARIABLES: every value that is a number, ON or OFF, or a moment.

use super::{Collector, Row, Rows, cell};
use crate::families::{Families, Kind, name_of};

pub(super) static COLLECTORS: &[Collector] = &[
    Collector { name: "global_status", by_default: true, sql: "SHOW GLOBAL STATUS", rows: Rows::Code(status) },
    Collector { name: "global_variables", by_default: true, sql: "SHOW GLOBAL VARIABLES", rows: Rows::Code(variables) },
];

/// What a beginning of a status variable's name becomes: a family with the rest of the name as its label.
struct Group {
    begins: &'static str,
    family: &'static str,
    label: &'static str,
    help: &'static str,
}

const GROUPS: [Group; 5] = [
    Group {
        begins: "com_",
        family: "mysql_global_status_commands_total",
        label: "command",
        help: "Statements by kind (Com_xxx).",
    },
    Group {
        begins: "handler_",
        family: "mysql_global_status_handlers_total",
        label: "handler",
        help: "Calls of the storage engine (Handler_xxx).",
    },
    Group {
        begins: "connection_errors_",
        family: "mysql_global_status_connection_errors_total",
        label: "error",
        help: "Connections that failed, by cause.",
    },
    Group {
        begins: "innodb_rows_",
        family: "mysql_global_status_innodb_row_ops_total",
        label: "operation",
        help: "Operations on rows of InnoDB tables.",
    },
    Group {
        begins: "performance_schema_",
        family: "mysql_global_status_performance_schema_lost_total",
        label: "instrumentation",
        help: "Instruments that could not be created for want of memory.",
    },
];

const PAGES: &str = "innodb_buffer_pool_pages_";

fn status(rows: &[Row], out: &mut Families) {
    for row in rows {
        let name = cell(row, 0).to_ascii_lowercase();
        let Some(value) = value_of(cell(row, 1)) else { continue };
        if let Some(what) = name.strip_prefix(PAGES) {
            pages(what, value, out);
        } else if let Some((g, rest)) = GROUPS.iter().find_map(|g| Some((g, name.strip_prefix(g.begins)?))) {
            out.add((g.family, g.help, Kind::Counter), &[(g.label, rest)], value);
        } else {
            let family = format!("mysql_global_status_{}", name_of(&name));
            out.add((&family, "From SHOW GLOBAL STATUS.", Kind::Untyped), &[], value);
        }
    }
}

/// Innodb_buffer_pool_pages_xxx: states of pages, dirty pages apart (they are data too), and what was done to pages.
/// The total is their sum and not shown.
fn pages(what: &str, value: f64, out: &mut Families) {
    match what {
        "total" => {}
        "dirty" => {
            let family = "mysql_global_status_buffer_pool_dirty_pages";
            out.add((family, "Dirty pages in the buffer pool.", Kind::Gauge), &[], value);
        }
        "data" | "free" | "misc" | "old" => {
            let family = "mysql_global_status_buffer_pool_pages";
            out.add((family, "Pages of the buffer pool by state.", Kind::Gauge), &[("state", what)], value);
        }
        _ => {
            let family = "mysql_global_status_buffer_pool_page_changes_total";
            out.add((family, "Changes of states of pages.", Kind::Counter), &[("operation", what)], value);
        }
    }
}

fn variables(rows: &[Row], out: &mut Families) {
    let text = |name: &str| rows.iter().find(|r| cell(r, 0) == name).map_or("", |r| cell(r, 1));
    for row in rows {
        if let Some(value) = value_of(cell(row, 1)) {
            let family = format!("mysql_global_variables_{}", name_of(cell(row, 0)));
            out.add((&family, "From SHOW GLOBAL VARIABLES.", Kind::Gauge), &[], value);
        }
    }
    let labels = ["innodb_version", "version", "version_comment"].map(|n| (n, text(n)));
    out.add(("mysql_version_info", "Version of the server.", Kind::Gauge), &labels, 1.0);
    let level = ("level", text("transaction_isolation"));
    out.add(("mysql_transaction_isolation", "Isolation level of new sessions.", Kind::Gauge), &[level], 1.0);
}

/// The number that a value stands for.
pub(super) fn value_of(text: &str) -> Option<f64> {
    match text.to_ascii_lowercase().as_str() {
        "on" | "yes" => return Some(1.0),
        "off" | "no" | "disabled" => return Some(0.0),
        // what Rust takes for a number and MySQL means as a word
        "inf" | "infinity" | "nan" => return None,
        _ => {}
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{status, value_of, variables};
    use crate::families::Families;

    fn rows(list: &[(&str, &str)]) -> Vec<Vec<Option<String>>> {
        list.iter().map(|(a, b)| vec![Some((*a).to_owned()), Some((*b).to_owned())]).collect()
    }

    #[test]
    fn groups_of_status_variables() {
        let mut f = Families::default();
        status(
            &rows(&[
                ("Com_select", "3"),
                ("Innodb_buffer_pool_pages_data", "10"),
                ("Innodb_buffer_pool_pages_dirty", "2"),
                ("Innodb_buffer_pool_pages_flushed", "7"),
                ("Innodb_buffer_pool_pages_total", "99"),
                ("Innodb_rows_read", "5"),
                ("Ssl_cipher", "TLS"),
                ("Threads_running", "1"),
            ]),
            &mut f,
        );
        let text: String = f
            .text()
            .lines()
            .filter(|l| !l.starts_with('#'))
            .map(|l| l.replace("mysql_global_status_", "") + "\n")
            .collect();
        let wanted = "commands_total{command=\"select\"} 3\nbuffer_pool_pages{state=\"data\"} 10\nbuffer_pool_dirty_pages 2\n\
                      buffer_pool_page_changes_total{operation=\"flushed\"} 7\ninnodb_row_ops_total{operation=\"read\"} 5\n\
                      threads_running 1\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn values() {
        let cases = [
            ("ON", Some(1.0)),
            ("no", Some(0.0)),
            ("-1.5", Some(-1.5)),
            ("1e3", Some(1000.0)),
            ("NaN", None),
            ("", None),
        ];
        for (text, value) in cases {
            assert_eq!(value_of(text), value, "{text}");
        }
        let mut f = Families::default();
        variables(&rows(&[("version", "8.4"), ("autocommit", "ON")]), &mut f);
        assert!(f.text().contains("mysql_global_variables_autocommit 1\n"));
        assert!(f.text().contains("mysql_version_info{innodb_version=\"\",version=\"8.4\",version_comment=\"\"} 1\n"));
    }
}
