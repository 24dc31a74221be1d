//! `/metrics`: logs the account in, runs the collectors, and answers with the text.
//!
//! Parameters as mysqld_exporter's: `collect[]=NAME`, any number of times, runs these collectors and no others. A
//! collector that the account may not read is told of by `mysql_exporter_collector_success` 0 and costs nothing else.

use crate::collect::{self, Collector};
use crate::families::{Families, Kind};
use crate::http::Peer;
use crate::sql;
use base::{ErrorCode, SqlError};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wire::{Inside, Visitor, WireServer};

/// Milliseconds that a statement of a scrape may take.
const LONGEST: u32 = 10_000;
/// Of the time that Prometheus waits this much is left for the way (mysqld_exporter's `timeout-offset`).
const WAY: Duration = Duration::from_millis(250);

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

/// What `X-Prometheus-Scrape-Timeout-Seconds` leaves for the collectors.
pub(crate) fn patience(header: Option<&str>) -> Option<Duration> {
    let seconds = header?.parse::<f64>().ok().filter(|s| *s > 0.0)?;
    let all = Duration::try_from_secs_f64(seconds).ok()?;
    Some(all.saturating_sub(WAY).max(Duration::from_millis(1)))
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

/// Everything that was asked for, as text. Collectors for which `patience` leaves no time have no success.
///
/// # Errors
/// Why the account cannot log in.
pub(crate) fn scrape(
    server: &Arc<WireServer>,
    peer: &Peer,
    (user, password): (&str, &[u8]),
    collectors: &[&'static Collector],
    patience: Option<Duration>,
) -> Result<String, SqlError> {
    let began = Instant::now();
    let end = patience.map(|p| began + p);
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
        let done = end.map_or(Ok(()), |end| limit(&mut session, end)).and_then(|()| c.run(&mut session, &mut out));
        let name = [("collector", format!("collect.{}", c.name))];
        let name: Vec<(&str, &str)> = name.iter().map(|(a, b)| (*a, b.as_str())).collect();
        out.add(success, &name, if done.is_ok() { 1.0 } else { 0.0 });
        out.add(took, &name, began.elapsed().as_secs_f64());
    }
    Ok(out.text())
}

/// No statement may run beyond `end`.
fn limit(session: &mut Inside, end: Instant) -> Result<(), SqlError> {
    let left = end.saturating_duration_since(Instant::now()).as_millis();
    if left == 0 {
        return Err(SqlError::new(ErrorCode::QUERY_TIMEOUT, &[]));
    }
    let left = left.min(u128::from(LONGEST));
    sql::rows(session, &format!("SET SESSION max_execution_time = {left}")).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::{chosen, patience, percent_decoded};
    use std::time::Duration;

    #[test]
    fn what_prometheus_waits() {
        let ms = |h: &str| patience(Some(h)).map(|d| d.as_millis());
        assert_eq!((ms("10"), ms("0.5"), ms("0.1")), (Some(9750), Some(250), Some(1)));
        assert_eq!((ms("0"), ms("-1"), ms("x"), ms("inf"), ms("NaN")), (None, None, None, None, None));
        assert_eq!(patience(Some("1")).map(|d| d < Duration::from_secs(1)), Some(true));
        assert_eq!(patience(None), None);
    }

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
