//! `/metrics`: logs the account in, runs the collectors, and answers with the text.
//!
//! Parameters as mysqld_exporter's: `collect[]=NAME`, any number of times, runs these collectors and no others. A
//! collector that the account may not read is told of by `mysql_exporter_collector_success` 0 and costs nothing else.

use crate::collect::{self, Collector};
use crate::families::{Families, Kind};
use crate::http::Peer;
use crate::sql;
use base::SqlError;
use std::sync::Arc;
use std::time::Instant;
use wire::{Visitor, WireServer};

/// Milliseconds that a statement of a scrape may take.
const LONGEST: u32 = 10_000;

/// The collectors that a query string names; all that run by default, if it names none that exist.
pub(crate) fn chosen(query: &str) -> Vec<&'static Collector> {
    let named: Vec<String> = query
        .split('&')
        .filter_map(|p| p.split_once('='))
        .filter(|(name, _)| matches!(percent_decoded(name).as_str(), "collect[]" | "collect"))
        .map(|(_, value)| percent_decoded(value))
        .collect();
    let of_them: Vec<_> = collect::all().filter(|c| named.iter().any(|n| n == c.name)).collect();
    if of_them.is_empty() { collect::all().filter(|c| c.by_default).collect() } else { of_them }
}

/// `%5B` and the like, byte by byte.
fn percent_decoded(text: &str) -> String {
    let (mut out, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((first, tail)) = rest.split_first() {
        let hex = tail.get(..2).filter(|_| *first == b'%').and_then(|h| std::str::from_utf8(h).ok());
        match hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                out.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Everything that was asked for, as text.
///
/// # Errors
/// Why the account cannot log in.
pub(crate) fn scrape(
    server: &Arc<WireServer>,
    peer: &Peer,
    (user, password): (&str, &[u8]),
    collectors: &[&'static Collector],
) -> Result<String, SqlError> {
    let began = Instant::now();
    let mut session = server.log_in_inside(Visitor {
        user,
        password,
        addr: peer.addr(),
        host_port: peer.host_port(),
        tls: peer.tls.clone(),
        program: "metrics",
    })?;
    let limits = format!("SET SESSION max_execution_time = {LONGEST}, lock_wait_timeout = 1, time_zone = DEFAULT");
    sql::rows(&mut session, &limits)?;
    let mut out = Families::default();
    let up = ("mysql_up", "Whether the server answers.", Kind::Gauge);
    out.add(up, &[], 1.0);
    let took = ("mysql_exporter_collector_duration_seconds", "Seconds that a collector took.", Kind::Gauge);
    let success = ("mysql_exporter_collector_success", "Whether a collector succeeded.", Kind::Gauge);
    out.add(took, &[("collector", "connection")], began.elapsed().as_secs_f64());
    for c in collectors {
        let began = Instant::now();
        let done = c.run(&mut session, &mut out);
        let name = [("collector", format!("collect.{}", c.name))];
        let name: Vec<(&str, &str)> = name.iter().map(|(a, b)| (*a, b.as_str())).collect();
        out.add(success, &name, if done.is_ok() { 1.0 } else { 0.0 });
        out.add(took, &name, began.elapsed().as_secs_f64());
    }
    Ok(out.text())
}

#[cfg(test)]
mod tests {
    use super::{chosen, percent_decoded};

    #[test]
    fn queries() {
        let names = |q: &str| chosen(q).iter().map(|c| c.name).collect::<Vec<_>>();
        assert_eq!(names("collect%5B%5D=global_status"), ["global_status"]);
        assert_eq!(
            names("x=1&collect[]=info_schema.tables&collect[]=global_status"),
            ["global_status", "info_schema.tables"]
        );
        assert_eq!(names(""), names("collect[]=nothing"));
        assert!(names("").contains(&"global_variables") && !names("").contains(&"info_schema.tables"));
        assert_eq!(percent_decoded("a%2eb%zz%"), "a.b%zz%");
    }
}
