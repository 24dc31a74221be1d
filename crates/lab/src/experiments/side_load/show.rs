//! What the report shows of the side load.

use super::{DISKS, WHICH};
use crate::experiments::{figure, middle, plain};
use crate::outcome::Outcome;
use crate::report::{Chart, Line, Section, Table};
use crate::stats;

/// A server with a variant, as lines are called: "mariadb", "mariadb, innodb_old_blocks_time=0".
struct Row {
    server: String,
    point: String,
    name: String,
}

fn rows(o: &Outcome, disk: &str) -> Vec<Row> {
    let mut out: Vec<Row> = Vec::new();
    for server in o.servers_of(WHICH.name()) {
        let mut of = |point: &str| {
            let rest = point.strip_prefix(disk)?;
            let name = format!("{server}{rest}");
            if out.iter().all(|r| r.name != name) {
                out.push(Row { server: server.clone(), point: point.into(), name });
            }
            Some(())
        };
        for m in o.measured.iter().filter(|m| m.key.experiment == WHICH.name() && m.key.server == server) {
            of(&m.key.point);
        }
    }
    out
}

/// Second by second: alone, beside the dump, beside SELECT *, one after the other.
fn timeline(o: &Outcome, disk: &str, rows: &[Row]) -> Chart {
    let (mut lines, mut shade) = (Vec::new(), None);
    for r in rows {
        let of = |m: &&crate::outcome::Measured| {
            (m.key.experiment.as_str(), &m.key.server, &m.key.point) == (WHICH.name(), &r.server, &r.point)
                && m.error.is_none()
        };
        let Some(m) = o.measured.iter().find(of) else { continue };
        let empty = Vec::new();
        let [alone, dump] = ["alone", "dump"].map(|n| m.lines.get(n).unwrap_or(&empty));
        let start = alone.len() as f64;
        let end = start + dump.len() as f64;
        if shade.as_ref().is_none_or(|s: &(f64, f64, String)| s.1 < end) {
            shade = Some((start, end, "mysqldump runs".to_owned()));
        }
        let points = alone.iter().chain(dump).enumerate().map(|(i, v)| (i as f64 + 1.0, *v)).collect();
        lines.push(Line::of(&r.name, points));
    }
    let title = format!("The hot table's load, second by second: {disk}");
    let mut c = Chart::lines(&title, "seconds", "transactions per second", lines);
    c.shade = shade;
    c
}

pub(super) fn section(o: &Outcome) -> Section {
    let name = WHICH.name();
    let (mut charts, mut tables) = (Vec::new(), Vec::new());
    for disk in DISKS {
        let rows = rows(o, disk);
        if rows.is_empty() {
            continue;
        }
        charts.push(timeline(o, disk, &rows));
        let share = |r: &Row, phase: &str| -> Vec<f64> {
            let v = |n: &str| o.values(name, &r.server, &r.point, n);
            let with = v(&format!("tps_{phase}"));
            v("tps_alone").iter().zip(&with).map(|(a, w)| 100.0 * w / a).collect()
        };
        let named = |s: &'static super::bench::Statement| (s.name, s.name);
        let phases = [("dump", "mysqldump"), ("select", "SELECT *"), ("burn", "busy processes outside")];
        let phases = phases.into_iter().chain(super::bench::STATEMENTS.iter().map(named));
        let has = |p: &str| rows.iter().any(|r| !share(r, p).is_empty());
        let phases: Vec<_> = phases.filter(|p| has(p.0)).collect();
        let groups = phases.iter().map(|p| p.1.to_owned()).collect();
        let mut kept = Chart::bars(&format!("What the load keeps of its throughput beside: {disk}"), "", "%", groups);
        let groups = vec!["alone".to_owned(), "while mysqldump runs".to_owned()];
        let mut pool = Chart::bars(&format!("The hot table's pages in the pool: {disk}"), "", "MB", groups);
        let mut table = Table::new(
            &format!("One connection of uniform reads of a hot table: {disk}"),
            &[
                "server",
                "tps alone",
                "% beside dump",
                "% beside SELECT *",
                "% beside busy",
                "p99 ms alone",
                "p99 beside dump",
                "dump alone s",
                "dump with load s",
                "hot MB alone",
                "hot MB beside",
            ],
        );
        for r in &rows {
            kept = kept.bar(&r.name, phases.iter().map(|p| stats::median(&share(r, p.0))).collect());
            let v = |what: &str| o.values(name, &r.server, &r.point, what);
            pool = pool.bar(&r.name, ["hot_mb_alone", "hot_mb_dump"].iter().map(|w| stats::median(&v(w))).collect());
            let mut row = vec![r.name.clone(), middle(&v("tps_alone"), &figure)];
            row.extend(["dump", "select", "burn"].map(|p| middle(&share(r, p), &figure)));
            row.extend(["p99_alone", "p99_dump", "dump_alone_s"].map(|w| plain(&v(w), &figure)));
            let more = if v("dump_unfinished").contains(&1.0) { "> " } else { "" };
            row.push(format!("{more}{}", plain(&v("dump_with_s"), &figure)));
            row.extend(["hot_mb_alone", "hot_mb_dump"].map(|w| plain(&v(w), &figure)));
            table.rows.push(row);
        }
        charts.extend([kept, pool]);
        tables.push(table);
    }
    Section {
        experiment: name.into(),
        title: "Side load".into(),
        text: "One connection reads a hot table of 40 % of the buffer pool, uniformly, in transactions of 14 selects; \
               beside it mysqldump, or SELECT *, reads a table of several pools, again and again. O_DIRECT. The slow \
               disk gives 500 operations and 20 MB a second. In the article the load falls from 330 requests a second \
               to 2, because the scan washes the hot table out of the pool: 216 MB of it become 12."
            .into(),
        charts,
        tables,
    }
}
