//! SHOW REPLICA STATUS, as mysqld_exporter's collector `slave_status`: a metric for each column whose value is a
//! number, Yes or No, or the name of a log file (its number), with a sample for each channel.
//!
//! Metrics are named after the columns; where MySQL 8.4 says replica and source, the older name with slave and master
//! has the value too, because alerts and dashboards ask for `mysql_slave_status_slave_sql_running` and
//! `mysql_slave_status_seconds_behind_master`. A server that is no replica has no row. Tested: below and by
//! `tests/clients/test_metrics.py`.

use super::global::value_of;
use super::{Collector, Row, Rows, cell};
use crate::families::{Families, Kind, name_of};

pub(super) static COLLECTORS: &[Collector] =
    &[Collector { name: "slave_status", by_default: true, sql: "SHOW REPLICA STATUS", rows: Rows::Named(channels) }];

fn channels(names: &[String], rows: &[Row], out: &mut Families) {
    for row in rows {
        let of = |name: &str| names.iter().position(|n| n == name).map_or("", |i| cell(row, i));
        let labels = [
            ("master_host", of("Source_Host")),
            ("master_uuid", of("Source_UUID")),
            ("channel_name", of("Channel_Name")),
            ("connection_name", ""),
        ];
        for (i, name) in names.iter().enumerate() {
            let name = name_of(&name.to_ascii_lowercase());
            let Some(value) = number(&name, cell(row, i)) else { continue };
            let mut add = |name: &str| {
                let family = format!("mysql_slave_status_{name}");
                out.add((&family, "From SHOW REPLICA STATUS.", Kind::Untyped), &labels, value);
            };
            add(&name);
            let old = old_name(&name);
            if old != name {
                add(&old);
            }
        }
    }
}

/// The name of before 8.4.
fn old_name(name: &str) -> String {
    let old = |word| match word {
        "replica" => "slave",
        "source" => "master",
        w => w,
    };
    name.split('_').map(old).collect::<Vec<_>>().join("_")
}

/// A column's value. A thread that connects does not run.
fn number(name: &str, text: &str) -> Option<f64> {
    if name.ends_with("_log_file") {
        return text.rsplit_once('.')?.1.parse().ok();
    }
    if text.eq_ignore_ascii_case("connecting") { Some(0.0) } else { value_of(text) }
}

#[cfg(test)]
mod tests {
    use super::channels;
    use crate::families::Families;

    #[test]
    fn a_channel_that_does_not_run() {
        let row = [
            ("Replica_IO_State", "Connecting to source"),
            ("Source_Host", "h"),
            ("Source_Log_File", "bin.000012"),
            ("Replica_IO_Running", "Connecting"),
            ("Replica_SQL_Running", "Yes"),
            ("Seconds_Behind_Source", ""),
            ("Replicate_Do_DB", ""),
            ("Channel_Name", ""),
            ("Last_IO_Errno", "2003"),
        ];
        let names: Vec<String> = row.iter().map(|(n, _)| (*n).to_owned()).collect();
        let mut f = Families::default();
        channels(&names, &[row.iter().map(|(_, v)| Some((*v).to_owned())).collect()], &mut f);
        let labels = "{master_host=\"h\",master_uuid=\"\",channel_name=\"\",connection_name=\"\"}";
        let text = f.text();
        let got: Vec<&str> = text.lines().filter(|l| !l.starts_with('#')).collect();
        let wanted = [
            ("source_log_file", 12),
            ("master_log_file", 12),
            ("replica_io_running", 0),
            ("slave_io_running", 0),
            ("replica_sql_running", 1),
            ("slave_sql_running", 1),
            ("last_io_errno", 2003),
        ];
        assert_eq!(got, wanted.map(|(n, v)| format!("mysql_slave_status_{n}{labels} {v}")));
    }
}
