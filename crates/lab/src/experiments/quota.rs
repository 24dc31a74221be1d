//! Updates under a CPU quota: the article about spinning in the cloud, whose server saw 6 CPUs where its quota gave
//! one, spent 21 % of its time in PAUSE, and had its 95 % quantile at the kernel's period.

use super::{figure, key, loaded, middle, plain, servers};
use crate::args::{Options, Which};
use crate::groups::{Controller, Group};
use crate::lab::{Lab, Step};
use crate::outcome::Outcome;
use crate::peers::{Level, SCHEMA, Server, Subject, Wanted};
use crate::report::{Chart, Line, Section, Table};
use crate::sysbench::Load;
use crate::{Result, Trouble, stats};
use std::time::Duration;

const WHICH: Which = Which::Quota;
/// Quotas in percent of one CPU, and how the report calls them.
const QUOTAS: [(Option<u32>, &str); 3] = [(None, "none"), (Some(100), "100 %"), (Some(50), "50 %")];
/// A server may look at its limits once a second.
const SETTLES: Duration = Duration::from_millis(2500);
const THREADS: u32 = 64;

struct Plan {
    rounds: u32,
    seconds: u32,
    rows: u64,
}

fn plan(o: &Options) -> Plan {
    let (rounds, seconds, rows) = if o.quick { (1, 3, 10_000) } else { (5, 20, 100_000) };
    Plan { rounds: o.rounds.unwrap_or(rounds), seconds: o.seconds.unwrap_or(seconds), rows: o.rows.unwrap_or(rows) }
}

pub(super) fn steps(o: &Options) -> Vec<Step> {
    let p = plan(o);
    let mut out = Vec::new();
    for round in 1..=p.rounds {
        for (_, point) in QUOTAS {
            // the group of a server that runs already is not the lab's to change
            for s in Subject::all(o).iter().filter(|s| !matches!(s, Subject::Target(_))) {
                let seconds = f64::from(p.seconds) + SETTLES.as_secs_f64() + 1.0;
                out.push(Step { key: key(WHICH, s.name(), point, round), seconds });
            }
        }
    }
    out
}

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let p = plan(&lab.options);
    for s in Subject::all(&lab.options) {
        if matches!(s, Subject::Target(_)) {
            lab.leave_out(WHICH, s.name(), "the control group of a server that runs already is left alone");
        }
    }
    match Group::new(Controller::Cpu) {
        Ok(_) => {}
        Err(Trouble::Stopped) => return Err(Trouble::Stopped),
        Err(Trouble::Failed(why)) => {
            lab.leave_out(WHICH, "everything", &why);
            return Ok(());
        }
    }
    let load = Load {
        script: "oltp_update_index",
        schema: SCHEMA.into(),
        tables: 10,
        rows: p.rows,
        threads: THREADS,
        seconds: p.seconds,
        more: Vec::new(),
    };
    let wanted = Wanted { pool_mb: 512, connections: THREADS + 50, in_memory: true, level: Level::Untold };
    let mut servers = servers(lab, WHICH, &wanted, &load)?;
    for server in &mut servers {
        // counted only when it is asked for, in MySQL too; MariaDB has no such counters
        if let Err(Trouble::Stopped) = server.client.query("SET GLOBAL innodb_monitor_enable = 'cpu%'") {
            return Err(Trouble::Stopped);
        }
        let group = Group::new(Controller::Cpu)?;
        if let Some(pid) = server.pid {
            group.enter(pid)?;
        }
        server.group = Some(group);
    }
    for step in steps(&lab.options) {
        let Some(server) = servers.iter().find(|s| s.name == step.key.server) else { continue };
        let quota = QUOTAS.iter().find(|q| q.1 == step.key.point).and_then(|q| q.0);
        lab.step(&step, &mut |lab| {
            let Some(group) = &server.group else { return crate::failed("no control group") };
            group.limit_cpu(quota)?;
            lab.pause(SETTLES)?;
            let before = group.throttled();
            let half = Duration::from_millis(u64::from(p.seconds) * 500);
            let mut asked = quota != Some(50);
            let (mut found, _) = loaded(server, &load, &mut |since| {
                if !asked && since >= half {
                    asked = true;
                    for q in questions(server) {
                        lab.ask(WHICH, server, &format!("quota {}", step.key.point), &q)?;
                    }
                }
                Ok(())
            })?;
            let after = group.throttled();
            let second = 1.0 / f64::from(p.seconds);
            found.value("throttled", (after.times - before.times) * second);
            found.value("stopped", (after.seconds - before.seconds) * second);
            let cpu = found.values.get("cpu_us").copied().unwrap_or(f64::NAN);
            found.value("per_cpu", 1e6 / cpu);
            // without a quota until it is measured again, so that others do not wait for it
            group.limit_cpu(None)?;
            Ok(found)
        })?;
    }
    Ok(())
}

/// What shows the cause, asked while the smallest quota is in force.
fn questions(server: &Server) -> Vec<(String, String)> {
    let q = |title: &str, sql: &str| (title.to_owned(), sql.to_owned());
    let cpus = q(
        "How many CPUs the server thinks it has, and how much of them it uses",
        "SELECT NAME, COUNT FROM information_schema.INNODB_METRICS WHERE NAME LIKE 'cpu\\_%'",
    );
    if server.is_own() {
        return vec![q("Effective CPUs, quota, and who holds the server back", "SELECT * FROM sys.cpu_limits"), cpus];
    }
    let spin = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('innodb_log_spin_cpu_abs_lwm', \
                'innodb_log_spin_cpu_pct_hwm', 'innodb_log_writer_threads', 'innodb_sync_spin_loops', \
                'innodb_spin_wait_delay')";
    let spin = q("Who decides on spinning: variables that are set by hand", spin);
    if server.is_old() { vec![spin] } else { vec![cpus, spin] }
}

pub(super) fn section(o: &Outcome) -> Section {
    let name = WHICH.name();
    let servers = o.servers_of(name);
    let points: Vec<String> = QUOTAS.iter().map(|q| q.1.to_owned()).collect();
    let bars = |title: &str, unit: &str, value: &str| {
        let mut c = Chart::bars(title, "CPU quota in percent of one CPU", unit, points.clone());
        for s in &servers {
            c = c.bar(s, points.iter().map(|p| stats::median(&o.values(name, s, p, value))).collect());
        }
        c
    };
    let mut table = Table::new("Updates under a CPU quota, 64 connections", &["quota"]);
    table.head.extend(
        ["server", "tps", "per CPU second", "p50 ms", "p95 ms", "p99 ms", "CPUs", "stopped/s", "s/s"]
            .map(str::to_owned),
    );
    for p in &points {
        for s in &servers {
            let v = |what: &str| o.values(name, s, p, what);
            let mut row = vec![p.clone(), s.clone(), middle(&v("tps"), &figure), plain(&v("per_cpu"), &figure)];
            let rest = ["p50", "p95", "p99", "cpus", "throttled", "stopped"];
            row.extend(rest.map(|w| plain(&v(w), &figure)));
            table.rows.push(row);
        }
    }
    // second by second under the smallest quota, first round
    let last = |s: &String| {
        let m = o.measured.iter().find(|m| m.key.experiment == name && m.key.server == *s && m.key.point == "50 %")?;
        let tps = m.lines.get("tps")?;
        Some(Line::of(s, tps.iter().enumerate().map(|(i, v)| (i as f64 + 1.0, *v)).collect()))
    };
    Section {
        experiment: name.into(),
        title: "CPU quota".into(),
        text: "Updates of an indexed column, 10 tables in memory (/dev/shm), 64 connections, autocommit; the server alone \
               is in a control group with a quota, and the period is 100 ms. In the article MySQL 8.0 sees 6 CPUs where \
               the quota gives one, spends 21 % of its CPU in PAUSE, and half of its latency is waiting for the next \
               period: its 95 % quantile is 83 to 86 ms."
            .into(),
        charts: vec![
            bars("Transactions per second", "transactions per second", "tps"),
            bars("Transactions per second of CPU", "transactions", "per_cpu"),
            bars("95 % answer within", "ms", "p95").growing(),
            bars("Time for which the kernel stopped the server", "seconds per second", "stopped"),
            Chart::lines("Second by second, quota 50 %", "seconds", "transactions per second", servers.iter().filter_map(last).collect()),
        ],
        tables: vec![table],
    }
}
