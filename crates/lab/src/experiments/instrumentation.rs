//! What Performance Schema costs: the article about MDL contention and PFS overhead, which lost 2 % of its throughput
//! with everything off, 4.5 % by default and 9.5 % with all synchronisation recorded.
//!
//! Two servers of a kind run at a time, one with `performance_schema=OFF`, the other one at a level. They take turns,
//! and what counts is the difference of a pair in CPU per query, which the machine's drift touches least.

use super::{figure, key, loaded, middle};
use crate::args::{Options, Peer, Which};
use crate::lab::{Found, Lab, Step};
use crate::outcome::Outcome;
use crate::peers::{Level, SCHEMA, Server, Subject, Wanted};
use crate::report::{Chart, Section, Table};
use crate::sysbench::Load;
use crate::{Result, Trouble, stats};
use std::time::Duration;

const WHICH: Which = Which::Instrumentation;
/// Levels, and what the article lost by each, in percent of the throughput.
const LEVELS: [(Level, &str, f64); 5] = [
    (Level::None, "none", 2.0),
    (Level::Tables, "tables", 3.0),
    (Level::Statements, "statements", 3.0),
    (Level::Default, "default", 4.5),
    (Level::Everything, "everything", 9.5),
];
/// Autocommit, or a hundred selects in a transaction.
const AUTOCOMMIT: &str = "autocommit";
const MODES: [&str; 2] = [AUTOCOMMIT, "100 selects a transaction"];

struct Plan {
    levels: Vec<(Level, &'static str)>,
    threads: Vec<u32>,
    modes: usize,
    rounds: u32,
    seconds: u32,
    rows: u64,
}

fn plan(o: &Options) -> Plan {
    let (threads, modes, rounds, seconds): (&[u32], _, _, _) =
        if o.quick { (&[8], 1, 2, 2) } else { (&[8, 64, 256], MODES.len(), 15, 6) };
    let in_quick = |l: Level| matches!(l, Level::None | Level::Default | Level::Everything);
    Plan {
        levels: LEVELS.iter().filter(|l| !o.quick || in_quick(l.0)).map(|l| (l.0, l.1)).collect(),
        threads: o.threads.clone().unwrap_or_else(|| threads.to_vec()),
        modes,
        rounds: o.rounds.unwrap_or(rounds),
        seconds: o.seconds.unwrap_or(seconds),
        rows: o.rows.unwrap_or(10_000),
    }
}

/// Why a server takes no part.
fn left_out(s: &Subject) -> Option<&'static str> {
    match s {
        Subject::Target(_) => Some("the levels need options at the start, and a second server beside it"),
        Subject::Peer(Peer::MySql55) => Some("5.5 has no options for instruments"),
        _ => None,
    }
}

fn point(level: &str, threads: u32, mode: &str) -> String {
    format!("{level}, {threads} connections, {mode}")
}

pub(super) fn steps(o: &Options) -> Vec<Step> {
    let p = plan(o);
    let mut out = Vec::new();
    for s in Subject::all(o).iter().filter(|s| left_out(s).is_none()) {
        for (_, level) in &p.levels {
            for mode in MODES.iter().take(p.modes) {
                for threads in &p.threads {
                    for round in 1..=p.rounds {
                        let key = key(WHICH, s.name(), &point(level, *threads, mode), round);
                        out.push(Step { key, seconds: 2.0 * f64::from(p.seconds) + 1.0 });
                    }
                }
            }
        }
    }
    out
}

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    for s in Subject::all(&lab.options) {
        let done = match left_out(&s) {
            Some(why) => Err(Trouble::Failed(why.into())),
            None => one(lab, &s),
        };
        match done {
            Err(Trouble::Failed(why)) => lab.leave_out(WHICH, s.name(), &why),
            other => other?,
        }
    }
    Ok(())
}

/// All levels of one server.
fn one(lab: &mut Lab, subject: &Subject) -> Result<()> {
    let p = plan(&lab.options);
    let all = steps(&lab.options);
    let left = |lab: &Lab, level: &str| {
        let begins = format!("{level}, ");
        let of = |s: &&Step| s.key.server == subject.name() && s.key.point.starts_with(&begins);
        !all.iter().filter(of).all(|s| lab.outcome.has(&s.key))
    };
    if !p.levels.iter().any(|l| left(lab, l.1)) {
        return Ok(());
    }
    let most = p.threads.iter().copied().max().unwrap_or(1);
    let load = Load {
        script: "oltp_point_select",
        schema: SCHEMA.into(),
        tables: 8,
        rows: p.rows,
        threads: most.min(8),
        seconds: p.seconds.min(2),
        more: Vec::new(),
    };
    let wanted = |level| Wanted { pool_mb: 256, connections: most + 50, in_memory: false, level };
    lab.says(&format!("instrumentation: starts {} twice and fills its tables", subject.name()));
    let ready = |lab: &mut Lab, level| -> Result<Server> {
        let mut s = Server::start(lab, subject, &wanted(level))?;
        s.make_schema()?;
        s.sysbench.prepare(&load)?;
        s.sysbench.run(&load, &mut |_| Ok(()))?;
        Ok(s)
    };
    let off = ready(lab, Level::Off)?;
    let mut on = ready(lab, Level::Default)?;
    for (level, name) in &p.levels {
        if !left(lab, name) {
            continue;
        }
        lab.says(&format!("instrumentation: {}, level {name}", subject.name()));
        on.again(lab, &wanted(*level))?;
        on.sysbench.run(&load, &mut |_| Ok(()))?;
        for step in all.iter().filter(|s| s.key.server == subject.name()) {
            let Some((threads, mode)) = of_point(&p, name, &step.key.point) else { continue };
            let more = if mode == AUTOCOMMIT { vec![] } else { vec!["--point-selects=100", "--range-selects=off"] };
            let script = if mode == AUTOCOMMIT { load.script } else { "oltp_read_only" };
            let load = Load { threads, seconds: p.seconds, script, more, ..load.clone() };
            lab.step(step, &mut |lab| pair(lab, [&off, &on], &load, step.key.round))?;
        }
        for q in questions(*level) {
            lab.ask(WHICH, &on, &format!("level {name}"), &q)?;
        }
    }
    Ok(())
}

/// Connections and mode of a point, if it belongs to the level.
fn of_point(p: &Plan, level: &str, text: &str) -> Option<(u32, &'static str)> {
    let modes = MODES.iter().take(p.modes);
    modes.flat_map(|m| p.threads.iter().map(move |t| (*t, *m))).find(|(t, m)| point(level, *t, m) == text)
}

/// One pair: without and with; which one comes first alternates.
fn pair(lab: &mut Lab, servers: [&Server; 2], load: &Load, round: u32) -> Result<Found> {
    let mut out = Found::default();
    let order = if round % 2 == 1 { [0, 1] } else { [1, 0] };
    for i in order {
        let (Some(server), Some(name)) = (servers.get(i), ["off", "on"].get(i)) else { continue };
        let (found, _) = loaded(server, load, &mut |_| Ok(()))?;
        for what in ["qps", "cpu_us", "p99"] {
            if let Some(v) = found.values.get(what) {
                out.value(&format!("{what}_{name}"), *v);
            }
        }
        lab.pause(Duration::from_millis(50))?;
    }
    let of = |name: &str| out.values.get(name).copied().unwrap_or(f64::NAN);
    let (cpu, qps) = (of("cpu_us_on") / of("cpu_us_off") - 1.0, 1.0 - of("qps_on") / of("qps_off"));
    out.value("cpu_more", cpu * 100.0);
    out.value("qps_less", qps * 100.0);
    Ok(out)
}

/// What shows what is recorded.
fn questions(level: Level) -> Vec<(String, String)> {
    let q = |title: &str, sql: &str| (title.to_owned(), sql.to_owned());
    let instruments = q(
        "What is recorded at this level",
        "SELECT SUBSTRING_INDEX(NAME, '/', 2) AS class, COUNT(*) AS instruments, SUM(ENABLED = 'YES') AS enabled, \
         SUM(TIMED = 'YES') AS timed FROM performance_schema.setup_instruments GROUP BY 1 HAVING enabled > 0 ORDER BY 1",
    );
    if level != Level::Everything {
        return vec![instruments];
    }
    vec![
        instruments,
        q(
            "The article's query: how evenly the partitions of the metadata locks are used",
            "SELECT EVENT_NAME, COUNT_STAR FROM performance_schema.events_waits_summary_by_instance \
             WHERE EVENT_NAME LIKE '%MDL_map%' ORDER BY COUNT_STAR DESC LIMIT 16",
        ),
        q(
            "Events by class since the start",
            "SELECT SUBSTRING_INDEX(EVENT_NAME, '/', 3) AS class, SUM(COUNT_STAR) AS events \
             FROM performance_schema.events_waits_summary_global_by_event_name WHERE COUNT_STAR > 0 GROUP BY 1 ORDER BY 2 DESC",
        ),
    ]
}

pub(super) fn section(o: &Outcome) -> Section {
    let name = WHICH.name();
    let servers = o.servers_of(name);
    let mut points: Vec<(u32, &str)> = Vec::new();
    for m in o.measured.iter().filter(|m| m.key.experiment == name) {
        let mut parts = m.key.point.splitn(3, ", ").skip(1);
        let threads = parts.next().and_then(|t| t.split(' ').next()?.parse().ok());
        let mode = parts.next().and_then(|m| MODES.into_iter().find(|k| *k == m));
        if let (Some(t), Some(m)) = (threads, mode)
            && !points.contains(&(t, m))
        {
            points.push((t, m));
        }
    }
    points.sort_unstable();
    let has =
        |l: &str| o.measured.iter().any(|m| m.key.experiment == name && m.key.point.starts_with(&format!("{l}, ")));
    let levels: Vec<(&str, f64)> = LEVELS.iter().filter(|l| has(l.1)).map(|l| (l.1, l.2)).collect();
    let groups: Vec<String> = levels.iter().map(|l| l.0.to_owned()).collect();
    let mut charts = Vec::new();
    let mut table = Table::new(
        "Against performance_schema=OFF: CPU of the server per query, and throughput lost",
        &["server", "level", "connections", "transactions", "CPU more, %", "throughput less, %", "µs off", "µs on"],
    );
    for (threads, mode) in &points {
        let values = |s: &str, level: &str, what: &str| o.values(name, s, &point(level, *threads, mode), what);
        let title = format!("CPU per query more than with OFF: {threads} connections, {mode}");
        let mut c = Chart::bars(&title, "what is recorded", "%", groups.clone());
        for s in &servers {
            c = c.bar(s, levels.iter().map(|l| stats::median(&values(s, l.0, "cpu_more"))).collect());
        }
        charts.push(c.bar("the article: MySQL 5.6, throughput lost", levels.iter().map(|l| Some(l.1)).collect()));
        for s in &servers {
            for (level, _) in &levels {
                let v = |what: &str| values(s, level, what);
                let mut row = vec![s.clone(), (*level).to_owned(), threads.to_string(), (*mode).to_owned()];
                row.extend(["cpu_more", "qps_less", "cpu_us_off", "cpu_us_on"].map(|w| middle(&v(w), &figure)));
                table.rows.push(row);
            }
        }
    }
    let enough = o.measured.iter().any(|m| m.key.experiment == name && stats::is_interval(m.key.round as usize));
    let brackets = if enough {
        "In brackets: where the median lies with 95 %."
    } else {
        "In brackets: the smallest and the largest value; for an interval there are too few pairs."
    };
    Section {
        experiment: name.into(),
        title: "Instrumentation".into(),
        text: format!(
            "Point selects on 8 tables; at each level a server beside one with performance_schema=OFF, in turns, pair by \
             pair. In the article MySQL 5.6 loses 2 % with nothing recorded, 4.5 % by default, 9.5 % with all \
             synchronisation. {brackets}"
        ),
        charts,
        tables: vec![table],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_say_what_they_are() {
        let all = ["instrumentation".to_owned()];
        let Ok(crate::args::Wish::Run(o)) = crate::args::parse(&all, &|_| None) else { panic!() };
        let p = plan(&o);
        for s in steps(&o) {
            let found = p.levels.iter().filter_map(|l| of_point(&p, l.1, &s.key.point)).count();
            assert_eq!(found, 1, "{}", s.key.point);
        }
        assert_eq!(steps(&o).len(), 5 * 2 * 3 * 15);
    }
}
