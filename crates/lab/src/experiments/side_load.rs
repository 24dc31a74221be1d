//! A hot table in memory beside a scan of a table that is larger than the pool: the article about side load, whose
//! server fell from 330 requests a second to 2 while `mysqldump` ran, until `innodb_old_blocks_time` was set by hand.
//!
//! One measurement has several phases, one after the other ([`bench`]). On the slow disk the server is in a control
//! group that gives its device 500 operations and 20 MB a second.

mod bench;
mod show;

use self::bench::{Bench, STATEMENTS};
use super::key;
use crate::args::{Options, Peer, Which};
use crate::groups::{Controller, Group, device_of};
use crate::lab::{Lab, Step};
use crate::outcome::Outcome;
use crate::peers::{Level, SCHEMA, Server, Subject, Wanted};
use crate::report::Section;
use crate::sysbench::Load;
use crate::{Result, Trouble, failed};
use std::time::{Duration, Instant};

const WHICH: Which = Which::SideLoad;
/// Where the large table lies.
const LARGE: &str = "evenkeel_lab_large";
/// Bytes of a row of sysbench's table in its clustered index (the article: 216 MB for 1,100,000 rows).
const ROW: u64 = 206;
/// The slow disk.
const IOPS: u64 = 500;
const BYTES: u64 = 20_000_000;
/// A target's pool may be so large at most: its scanned table is a multiple of it.
const LARGEST_POOL: u64 = 1 << 30;
/// Longest time of a dump, and of the end of a killed statement.
const LONGEST: Duration = Duration::from_secs(1800);

const PLAIN: &str = "plain disk";
const SLOW: &str = "slow disk";
const DISKS: [&str; 2] = [PLAIN, SLOW];

struct Plan {
    pool_mb: u64,
    /// Pools that the scanned table fills.
    times: u64,
    rounds: u32,
    seconds: u32,
    disks: Vec<&'static str>,
}

fn plan(o: &Options) -> Plan {
    let (pool_mb, times, rounds, seconds) = if o.quick { (32, 2, 1, 3) } else { (64, 8, 3, 30) };
    let slow = Group::new(Controller::Disk).is_ok() && device_of(&o.temp).is_ok();
    let disks = match (o.quick, slow) {
        (true, true) => vec![SLOW],
        (_, false) => vec![PLAIN],
        (false, true) => DISKS.to_vec(),
    };
    Plan { pool_mb, times, rounds: o.rounds.unwrap_or(rounds), seconds: o.seconds.unwrap_or(seconds), disks }
}

/// Values of `innodb_old_blocks_time` that a server is measured with; `None`: it is not touched.
fn variants(s: &Subject) -> &'static [Option<u32>] {
    match s {
        Subject::Peer(Peer::MariaDb | Peer::MySql) => &[Some(0), Some(1000)],
        Subject::Peer(Peer::MySql55) => &[Some(0)],
        Subject::Own | Subject::Target(_) => &[None],
    }
}

fn point(disk: &str, old_blocks_time: Option<u32>) -> String {
    old_blocks_time.map_or_else(|| disk.to_owned(), |t| format!("{disk}, innodb_old_blocks_time={t}"))
}

pub(super) fn steps(o: &Options) -> Vec<Step> {
    let p = plan(o);
    // the slow disk gives a page an operation; a plain one that two processors share is not much quicker with a load
    let dump = (p.pool_mb * p.times) as f64 * 64.0 / IOPS as f64;
    let statements = if o.quick { 0.0 } else { STATEMENTS.len() as f64 * (f64::from(p.seconds) + 5.0) };
    let seconds = statements + f64::from(p.seconds) * 3.0 + dump + f64::from(with_dump(&p, dump)) + 12.0;
    let mut out = Vec::new();
    for s in Subject::all(o) {
        for round in 1..=p.rounds {
            // the group of a server that runs already is not the lab's to change
            let disks = if matches!(s, Subject::Target(_)) { vec![PLAIN] } else { p.disks.clone() };
            for disk in disks {
                for v in variants(&s) {
                    out.push(Step { key: key(WHICH, s.name(), &point(disk, *v), round), seconds });
                }
            }
        }
    }
    out
}

/// Seconds of the load beside a dump that takes so long alone.
fn with_dump(p: &Plan, alone: f64) -> u32 {
    p.seconds.max((alone * 1.6).min(1000.0) as u32 + 1)
}

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let p = plan(&lab.options);
    if !p.disks.contains(&SLOW) {
        let why = match (Group::new(Controller::Disk), device_of(&lab.options.temp)) {
            (Err(Trouble::Failed(why)), _) | (_, Err(Trouble::Failed(why))) => why,
            _ => String::new(),
        };
        lab.leave_out(WHICH, SLOW, &why);
    }
    for s in Subject::all(&lab.options) {
        match one(lab, &s, &p) {
            Err(Trouble::Failed(why)) => lab.leave_out(WHICH, s.name(), &why),
            other => other?,
        }
    }
    Ok(())
}

/// All measurements of one server; one at a time, because two would share the disk.
fn one(lab: &mut Lab, subject: &Subject, p: &Plan) -> Result<()> {
    let steps: Vec<Step> = steps(&lab.options).into_iter().filter(|s| s.key.server == subject.name()).collect();
    if steps.iter().all(|s| lab.outcome.has(&s.key)) {
        return Ok(());
    }
    lab.says(&format!("side-load: starts {} and fills its tables", subject.name()));
    let wanted = Wanted { pool_mb: p.pool_mb, connections: 100, in_memory: false, level: Level::Untold };
    let mut server = Server::start(lab, subject, &wanted)?;
    let pool = server.client.query("SELECT @@innodb_buffer_pool_size")?;
    let pool: u64 = pool.one().and_then(|v| v.parse().ok()).unwrap_or(p.pool_mb << 20);
    if pool > LARGEST_POOL {
        return failed(format!("its pool has {} MB; the scanned table would have {} times that", pool >> 20, p.times));
    }
    if server.is_old() {
        lab.leave_out(
            WHICH,
            &format!("mysqldump of {}", server.name),
            "it does not know 5.5: its SELECT runs in its place",
        );
    }
    server.make_schema()?;
    server.make_second_schema(LARGE)?;
    let hot = Load {
        script: "oltp_read_only",
        schema: SCHEMA.into(),
        tables: 1,
        rows: lab.options.rows.unwrap_or(pool * 2 / 5 / ROW),
        threads: 1,
        seconds: p.seconds,
        more: Vec::new(),
    };
    let rows = lab.options.rows.map_or(pool * p.times / ROW, |r| r * 20);
    let large = Load { schema: LARGE.into(), rows, more: vec!["--create_secondary=off"], ..hot.clone() };
    server.sysbench.prepare(&hot)?;
    server.sysbench.prepare(&large)?;
    settle(lab, &server)?;
    if p.disks.contains(&SLOW)
        && let Some(pid) = server.pid
        && server.folder().is_some()
    {
        let group = Group::new(Controller::Disk)?;
        group.enter(pid)?;
        server.group = Some(group);
    }
    let statements = !lab.options.quick && !matches!(subject, Subject::Target(_));
    for step in &steps {
        let all = DISKS.into_iter().flat_map(|d| variants(subject).iter().map(move |v| (d, *v)));
        let Some((disk, old)) = all.into_iter().find(|(d, v)| point(d, *v) == step.key.point) else { continue };
        let bench =
            Bench { server: &server, hot: &hot, plan: p, slow: disk == SLOW, statements, point: &step.key.point };
        lab.step(step, &mut |lab| {
            if let Some(old) = old {
                server.client.query(&format!("SET GLOBAL innodb_old_blocks_time = {old}"))?;
            }
            bench.run(lab)
        })?;
    }
    Ok(())
}

/// Waits until what the tables' filling left has been written.
fn settle(lab: &mut Lab, server: &Server) -> Result<()> {
    let began = Instant::now();
    while server.client.status("Innodb_buffer_pool_pages_dirty").is_some_and(|d| d > 50.0) {
        if began.elapsed() > Duration::from_secs(20) {
            break;
        }
        lab.pause(Duration::from_millis(500))?;
    }
    Ok(())
}

/// What shows the cause: whose pages are in the pool.
fn questions(server: &Server) -> Vec<(String, String)> {
    if server.is_own() {
        return vec![(
            "The article's query: which index holds how much of the pool, in MB".into(),
            "select concat_ws('.', t.schema, t.name, i.name) as index_name, sum(data_size)/1024/1024 as data_size_mb \
             from information_schema.innodb_sys_tables as t \
             inner join information_schema.innodb_sys_indexes as i using(table_id) \
             inner join information_schema.innodb_buffer_pool_pages_index as p using(index_id) \
             where t.schema like 'evenkeel_lab%' group by i.index_id"
                .into(),
        )];
    }
    vec![(
        "Which index holds how much of the pool, in MB".into(),
        "SELECT CONCAT(TABLE_NAME, '.', INDEX_NAME) AS index_name, SUM(DATA_SIZE)/1024/1024 AS data_size_mb \
         FROM information_schema.INNODB_BUFFER_PAGE WHERE TABLE_NAME LIKE '%evenkeel\\_lab%' GROUP BY 1"
            .into(),
    )]
}

/// The hot table's primary key in such an answer.
fn hot_megabytes(a: &crate::client::Answer) -> Option<f64> {
    let name = |r: &[Option<String>]| r.first().and_then(|n| n.clone()).unwrap_or_default().replace('`', "");
    let hot = |r: &&Vec<Option<String>>| {
        let n = name(r);
        n.starts_with(&format!("{SCHEMA}.")) && n.to_ascii_uppercase().ends_with(".PRIMARY")
    };
    // a pool without a page of it has no row
    match a.rows.iter().find(hot) {
        Some(r) => r.get(1)?.as_ref()?.parse().ok(),
        None => (!a.columns.is_empty()).then_some(0.0),
    }
}

pub(super) fn section(o: &Outcome) -> Section {
    show::section(o)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Answer;

    #[test]
    fn the_hot_table_is_found_in_both_forms() {
        let row = |n: &str, v: &str| vec![Some(n.to_owned()), Some(v.to_owned())];
        let a = |rows| Answer { columns: vec!["index_name".into(), "data_size_mb".into()], rows };
        let own = a(vec![row("evenkeel_lab_large.sbtest1.PRIMARY", "20"), row("evenkeel_lab.sbtest1.PRIMARY", "12.5")]);
        assert_eq!(hot_megabytes(&own), Some(12.5));
        let peer = a(vec![row("`evenkeel_lab`.`sbtest1`.PRIMARY", "3"), row("`evenkeel_lab`.`sbtest1`.k_1", "9")]);
        assert_eq!(hot_megabytes(&peer), Some(3.0));
        assert_eq!(hot_megabytes(&a(vec![row("`evenkeel_lab_large`.`sbtest1`.PRIMARY", "3")])), Some(0.0));
        assert_eq!(hot_megabytes(&Answer::default()), None);
    }
}
