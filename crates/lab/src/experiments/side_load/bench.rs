//! One measurement of the side load: the phases, one after the other, and what runs in each.

use super::{BYTES, IOPS, LARGE, LONGEST, Plan, WHICH, hot_megabytes, questions, with_dump};
use crate::groups::{Group, device_of};
use crate::lab::{Found, Lab};
use crate::peers::{SCHEMA, Server};
use crate::program::{self, Running};
use crate::sysbench::Load;
use crate::{Result, Trouble, failed};
use std::process::Command;
use std::time::{Duration, Instant};

/// What runs beside the load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Nothing.
    Alone,
    /// `mysqldump` of the large table, again and again.
    Dump,
    /// `SELECT *` of it, again and again.
    Select,
    /// Two processes outside the server that burn CPU: what is lost because processors are shared.
    Burn,
    /// One of [`STATEMENTS`], again and again.
    Statement(&'static Statement),
}

/// Work inside the server that is no scan for a client.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Statement {
    pub(super) name: &'static str,
    sql: &'static str,
}

/// Only on the plain disk, not in a quick run, and not on a target.
pub(super) static STATEMENTS: [Statement; 4] = [
    Statement {
        name: "hash join",
        sql: "SELECT COUNT(*) FROM evenkeel_lab_large.sbtest1 a JOIN evenkeel_lab_large.sbtest1 b ON a.c = b.c",
    },
    Statement {
        name: "INSERT ... SELECT",
        sql: "CREATE TABLE IF NOT EXISTS evenkeel_lab_large.copied LIKE evenkeel_lab_large.sbtest1; \
              TRUNCATE TABLE evenkeel_lab_large.copied; \
              INSERT INTO evenkeel_lab_large.copied SELECT * FROM evenkeel_lab_large.sbtest1",
    },
    Statement { name: "ALTER TABLE", sql: "ALTER TABLE evenkeel_lab_large.sbtest1 ENGINE = InnoDB" },
    Statement { name: "CHECK TABLE", sql: "CHECK TABLE evenkeel_lab_large.sbtest1" },
];

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Phase::Alone => "alone",
            Phase::Dump => "dump",
            Phase::Select => "select",
            Phase::Burn => "burn",
            Phase::Statement(s) => s.name,
        }
    }
}

/// One measurement.
pub(super) struct Bench<'a> {
    pub(super) server: &'a Server,
    pub(super) hot: &'a Load,
    pub(super) plan: &'a Plan,
    pub(super) slow: bool,
    /// Also the phases of [`STATEMENTS`].
    pub(super) statements: bool,
    pub(super) point: &'a str,
}

impl Bench<'_> {
    pub(super) fn run(&self, lab: &mut Lab) -> Result<Found> {
        let mut found = Found::default();
        self.free()?;
        self.warm()?;
        self.limit()?;
        self.phase(lab, Phase::Alone, self.plan.seconds, &mut found)?;
        // how long a dump takes alone
        let dump = self.dump()?.wait_timed(&lab.stop, LONGEST)?;
        found.value("dump_alone_s", dump);
        for (phase, seconds) in [(Phase::Dump, with_dump(self.plan, dump)), (Phase::Select, self.plan.seconds)] {
            self.free()?;
            self.warm()?;
            self.limit()?;
            self.phase(lab, phase, seconds, &mut found)?;
        }
        if !self.slow {
            self.phase(lab, Phase::Burn, self.plan.seconds, &mut found)?;
        }
        self.free()?;
        if self.statements && !self.slow {
            for s in &STATEMENTS {
                self.warm()?;
                self.phase(lab, Phase::Statement(s), self.plan.seconds, &mut found)?;
            }
        }
        Ok(found)
    }

    /// The disk as it is.
    fn free(&self) -> Result<()> {
        self.disk(&|g, device| g.free_disk(device))
    }

    /// The slow disk, if this measurement wants it.
    fn limit(&self) -> Result<()> {
        if self.slow { self.disk(&|g, device| g.limit_disk(device, IOPS, BYTES)) } else { Ok(()) }
    }

    fn disk(&self, act: &dyn Fn(&Group, &str) -> Result<()>) -> Result<()> {
        match (&self.server.group, self.server.folder()) {
            (Some(g), Some(folder)) => act(g, &device_of(folder)?),
            _ => Ok(()),
        }
    }

    /// The hot table comes into memory, and is used for longer than a second, so that its pages are young.
    fn warm(&self) -> Result<()> {
        self.server.client.query(&format!("SELECT COUNT(*), SUM(LENGTH(c)) FROM {SCHEMA}.sbtest1"))?;
        let load = Load { seconds: self.plan.seconds.min(4), threads: 2, ..self.hot.clone() };
        self.server.sysbench.run(&load, &mut |_| Ok(())).map(|_| ())
    }

    fn dump(&self) -> Result<Running> {
        if self.server.is_old() {
            // what mysqldump would ask; today's does not know a server so old
            return self.server.client.reads(&format!("SELECT /*!40001 SQL_NO_CACHE */ * FROM {LARGE}.sbtest1"));
        }
        self.server.client.dumps(LARGE, "sbtest1")
    }

    fn side(&self, phase: Phase) -> Result<Vec<Running>> {
        Ok(match phase {
            Phase::Alone => Vec::new(),
            Phase::Dump => vec![self.dump()?],
            Phase::Select => vec![self.server.client.reads(&format!("SELECT * FROM {LARGE}.sbtest1"))?],
            Phase::Burn => vec![self.burn()?, self.burn()?],
            Phase::Statement(s) => vec![self.server.client.reads(s.sql)?],
        })
    }

    /// Ends what a client that is gone has left: a join does not notice that nobody waits for it.
    fn end_statements(&self, lab: &Lab) -> Result<()> {
        let of =
            "FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID() AND INFO LIKE '%evenkeel\\_lab\\_large%'";
        let began = Instant::now();
        loop {
            let left = self.server.client.query(&format!("SELECT ID {of}"))?;
            if left.rows.is_empty() {
                return Ok(());
            }
            if began.elapsed() > LONGEST {
                return failed("a side load does not end when it is killed");
            }
            for id in left.rows.iter().filter_map(|r| r.first()?.as_deref()?.parse::<u64>().ok()) {
                // it may have ended meanwhile
                match self.server.client.query(&format!("KILL {id}")) {
                    Err(Trouble::Stopped) => return Err(Trouble::Stopped),
                    _ => lab.pause(Duration::from_millis(100))?,
                }
            }
        }
    }

    fn burn(&self) -> Result<Running> {
        let Some(cat) = program::find(&["sha1sum"]) else { return failed("sha1sum is not installed") };
        let mut c = Command::new(cat);
        c.arg("/dev/zero");
        Running::start(c, "burn", self.server.client.folder(), true)
    }

    /// Runs the load for so many seconds beside what the phase says.
    fn phase(&self, lab: &mut Lab, phase: Phase, seconds: u32, found: &mut Found) -> Result<()> {
        let mut side = self.side(phase)?;
        let mut times = Vec::new();
        let load = Load { seconds, ..self.hot.clone() };
        let late = Duration::from_millis(u64::from(seconds) * 800);
        let mut asked = !matches!(phase, Phase::Alone | Phase::Dump);
        let figures = self.server.sysbench.run(&load, &mut |since| {
            for one in &mut side {
                match one.ended()? {
                    None => {}
                    Some(s) if !s.success() => {
                        return failed(format!("the {} ended with {s}:\n{}", phase.name(), one.tail()));
                    }
                    Some(_) => {
                        times.push(one.runs_for().as_secs_f64());
                        let Some(again) = self.side(phase)?.into_iter().next() else { continue };
                        *one = again;
                    }
                }
            }
            if !asked && since >= late {
                asked = true;
                let (mb, point) = (format!("hot_mb_{}", phase.name()), format!("{}: {}", self.point, phase.name()));
                for q in questions(self.server) {
                    lab.ask(WHICH, self.server, &point, &q)?;
                    if let Some(v) = lab.outcome.told.last().and_then(|t| hot_megabytes(t.answer.as_ref().ok()?)) {
                        found.value(&mb, v);
                    }
                }
            }
            Ok(())
        })?;
        let late = side.first().map(|s| s.runs_for().as_secs_f64()).unwrap_or_default();
        drop(side);
        if matches!(phase, Phase::Dump | Phase::Select | Phase::Statement(_)) {
            self.end_statements(lab)?;
        }
        if phase == Phase::Dump {
            // one that has not ended took at least so long
            found.value("dump_with_s", times.first().copied().unwrap_or(late));
            found.value("dump_unfinished", f64::from(u8::from(times.is_empty())));
        }
        let name = phase.name();
        for (what, value) in [("tps", figures.tps), ("p99", figures.p99)] {
            found.value(&format!("{what}_{name}"), value);
        }
        found.line(name, &figures.each);
        Ok(())
    }
}

impl Running {
    /// Waits for the end; the seconds that it took.
    fn wait_timed(mut self, stop: &crate::stop::Stop, longest: Duration) -> Result<f64> {
        self.wait(stop, longest, &mut |_| Ok(()))?;
        Ok(self.runs_for().as_secs_f64())
    }
}
