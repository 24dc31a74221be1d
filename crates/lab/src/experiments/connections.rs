//! Point selects by more and more connections: the article about kernel_mutex and spin loops, whose server fell from
//! 164,884 queries a second at 32 connections to 22,166 at 1,024.

use super::{figure, key, loaded, middle, plain, servers};
use crate::Result;
use crate::args::{Options, Which};
use crate::lab::{Lab, Step};
use crate::outcome::Outcome;
use crate::peers::{Level, SCHEMA, Server, Subject, Wanted};
use crate::report::{Chart, Line, Section, Table};
use crate::stats;
use crate::sysbench::Load;
use std::time::Duration;

const WHICH: Which = Which::Connections;
/// What the article measured: connections, and queries a second (Percona Server 5.5.17, 12 cores).
const ARTICLE: [(f64, f64); 11] = [
    (1.0, 11178.34),
    (2.0, 27741.06),
    (4.0, 53364.52),
    (8.0, 92546.73),
    (16.0, 144619.58),
    (32.0, 164884.03),
    (64.0, 154235.73),
    (128.0, 147456.33),
    (256.0, 68369.02),
    (512.0, 40509.67),
    (1024.0, 22166.94),
];

struct Plan {
    threads: Vec<u32>,
    rounds: u32,
    seconds: u32,
    rows: u64,
}

fn plan(o: &Options) -> Plan {
    let (threads, rounds, seconds, rows): (&[u32], _, _, _) = if o.quick {
        (&[1, 8, 64, 256, 1024], 1, 2, 10_000)
    } else {
        (&[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], 5, 8, 100_000)
    };
    Plan {
        threads: o.threads.clone().unwrap_or_else(|| threads.to_vec()),
        rounds: o.rounds.unwrap_or(rounds),
        seconds: o.seconds.unwrap_or(seconds),
        rows: o.rows.unwrap_or(rows),
    }
}

/// Every server, then the next number of connections: servers take turns, because a machine's speed drifts.
pub(super) fn steps(o: &Options) -> Vec<Step> {
    let p = plan(o);
    let mut out = Vec::new();
    for round in 1..=p.rounds {
        for threads in &p.threads {
            for s in Subject::all(o) {
                let key = key(WHICH, s.name(), &threads.to_string(), round);
                out.push(Step { key, seconds: f64::from(p.seconds) + 1.0 });
            }
        }
    }
    out
}

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let p = plan(&lab.options);
    let most = p.threads.iter().copied().max().unwrap_or(1);
    let load = Load {
        script: "oltp_point_select",
        schema: SCHEMA.into(),
        tables: 8,
        rows: p.rows,
        threads: 1,
        seconds: p.seconds,
        more: Vec::new(),
    };
    let wanted = Wanted { pool_mb: 512, connections: most + 50, in_memory: false, level: Level::Untold };
    let servers = servers(lab, WHICH, &wanted, &load)?;
    for server in &servers {
        // everything into memory, plans made
        lab.says(&format!("connections: warms {}", server.name));
        let warm = Load { threads: most.min(8), seconds: p.seconds.min(3), ..load.clone() };
        if let Err(crate::Trouble::Stopped) = server.sysbench.run(&warm, &mut |_| Ok(())) {
            return Err(crate::Trouble::Stopped);
        }
    }
    for step in steps(&lab.options) {
        let Some(server) = servers.iter().find(|s| s.name == step.key.server) else { continue };
        let threads = step.key.point.parse().unwrap_or(1);
        let load = Load { threads, ..load.clone() };
        lab.step(&step, &mut |lab| {
            let mut asked = threads != most;
            let half = Duration::from_millis(u64::from(p.seconds) * 500);
            let (found, _) = loaded(server, &load, &mut |since| {
                if !asked && since >= half {
                    asked = true;
                    for q in questions(server) {
                        lab.ask(WHICH, server, &threads.to_string(), &q)?;
                    }
                }
                Ok(())
            })?;
            Ok(found)
        })?;
    }
    Ok(())
}

/// What shows the cause, asked while the most connections run.
fn questions(server: &Server) -> Vec<(String, String)> {
    let q = |title: &str, sql: &str| (title.to_owned(), sql.to_owned());
    if server.is_own() {
        return vec![
            q(
                "Where threads wait for each other: spins and sleeps by class of latch",
                "SELECT * FROM sys.latch_waits WHERE spins + sleeps > 0 LIMIT 10",
            ),
            q(
                "Connections, and how many of them run at a time",
                "SELECT VARIABLE_NAME, VARIABLE_VALUE FROM performance_schema.global_status WHERE VARIABLE_NAME IN \
                 ('Threads_connected', 'Threads_running', 'Effective_cpus_milli', 'Sched_run_tokens')",
            ),
        ];
    }
    vec![
        q("Waits for mutexes: the section SEMAPHORES", "SHOW ENGINE INNODB STATUS"),
        q("Mutexes by waits", "SHOW ENGINE INNODB MUTEX"),
        q("Connections, and how many of them run at a time", "SHOW GLOBAL STATUS LIKE 'Threads\\_%'"),
    ]
}

pub(super) fn section(o: &Outcome) -> Section {
    let name = WHICH.name();
    let servers = o.servers_of(name);
    let mut points: Vec<u32> =
        o.measured.iter().filter(|m| m.key.experiment == name).filter_map(|m| m.key.point.parse().ok()).collect();
    points.sort_unstable();
    points.dedup();
    let line = |server: &str, value: &str| -> Vec<(f64, f64)> {
        let at = |p: &u32| Some((f64::from(*p), stats::median(&o.values(name, server, &p.to_string(), value))?));
        points.iter().filter_map(at).collect()
    };
    let lines = |value: &str| -> Vec<Line> { servers.iter().map(|s| Line::of(s, line(s, value))).collect() };
    let mut shares: Vec<Line> = lines("qps").into_iter().map(|l| l.in_percent_of_its_peak()).collect();
    shares
        .push(Line::quoted("the article: Percona Server 5.5.17, 12 cores", ARTICLE.to_vec()).in_percent_of_its_peak());
    let chart = |title: &str, unit: &str, lines: Vec<Line>| Chart::lines(title, "connections", unit, lines).doubling();
    let mut table =
        Table::new("Queries a second, with 99 % quantile in ms and the server's CPU in µs a query", &["connections"]);
    for s in &servers {
        table.head.extend([s.clone(), "p99".into(), "CPU".into()]);
    }
    for p in &points {
        let mut row = vec![p.to_string()];
        for s in &servers {
            let v = |what: &str| o.values(name, s, &p.to_string(), what);
            row.extend([middle(&v("qps"), &figure), plain(&v("p99"), &figure), plain(&v("cpu_us"), &figure)]);
        }
        table.rows.push(row);
    }
    Section {
        experiment: name.into(),
        title: "Connections".into(),
        text:
            "Point selects by primary key on 8 tables in memory, text protocol, autocommit. In the article the server \
               falls from 164,884 queries a second at 32 connections to 22,166 at 1,024, because every transaction \
               takes one mutex and looks through all the others."
                .into(),
        charts: vec![
            chart("Queries per second", "queries per second", lines("qps")),
            chart("Share of the server's own best", "% of its best", shares),
            chart("99 % of the queries answer within", "ms", lines("p99")).growing(),
            chart("CPU of the server per query", "µs", lines("cpu_us")),
        ],
        tables: vec![table],
    }
}
