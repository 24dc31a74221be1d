//! The last CLONE of which this server was the recipient: performance_schema.clone_status and clone_progress.
//!
//! One runs at a time (3634). [`Run`] is told of each block and of the end; dropped before that it has failed. A clone
//! that ends before the first block (it cannot connect) has no stages, as in MySQL. MySQL copies files, then pages that
//! changed meanwhile, then redo; here pages come once, so PAGE COPY has nothing to do, and DROP DATA neither, because
//! what is made is made beside the data.
//!
//! In place of this server's data the clone goes on across a restart: [`Run::restarts`] says what [`Clones::resume`] is
//! given when the server has opened what was cloned. The mutex is a leaf. A crash loses what is in memory.
//! Tested: `tests/backup/test_clone_tables.py`, `tests/backup/test_clone_in_place.py`.

use backup::{Begin, Block, End, Kind};
use base::{ErrorCode, SqlError, SqlResult};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::sync::Arc;
use sys::clock::wall_micros;
use views::{Told, ToldRow, ToldTables};

/// Stages in their order.
const STAGES: [&str; 7] = ["DROP DATA", "FILE COPY", "PAGE COPY", "REDO COPY", "FILE SYNC", "RESTART", "RECOVERY"];
const FILES: usize = 1;
const REDO: usize = 3;
const SYNC: usize = 4;
const RESTART: usize = 5;
const RECOVERY: usize = 6;

/// How far a stage or the whole is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Step {
    #[default]
    NotStarted,
    InProgress,
    Completed,
    Failed,
}

impl Step {
    const ALL: [(Step, &'static str); 4] = [
        (Step::NotStarted, "Not Started"),
        (Step::InProgress, "In Progress"),
        (Step::Completed, "Completed"),
        (Step::Failed, "Failed"),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(s, _)| *s == self).map_or("", |(_, n)| n)
    }
}

/// Times in microseconds since 1970, 0: not yet; bytes.
#[derive(Clone, Default, Debug)]
struct Stage {
    step: Step,
    begin: u64,
    end: u64,
    estimate: u64,
    data: u64,
    network: u64,
}

#[derive(Clone, Default, Debug)]
struct State {
    /// There was one.
    any: bool,
    step: Step,
    pid: u64,
    begin: u64,
    end: u64,
    source: String,
    destination: String,
    error: (u16, String),
    log: (String, u64),
    executed: String,
    /// Empty before the first block.
    stages: Vec<Stage>,
}

/// See the module.
#[derive(Default)]
pub(crate) struct Clones(Mutex<State>);

/// A clone that runs.
pub(crate) struct Run(Arc<Clones>);

impl Clones {
    /// One begins. `destination`: where it is made.
    ///
    /// # Errors
    /// 3634: another one runs.
    pub(crate) fn begin(self: &Arc<Self>, pid: u64, source: String, destination: String) -> SqlResult<Run> {
        let mut s = self.0.lock();
        if s.step == Step::InProgress {
            return Err(SqlError::new(ErrorCode::CLONE_TOO_MANY_CONCURRENT_CLONES, &[&1]));
        }
        let begin = wall_micros();
        *s = State { any: true, step: Step::InProgress, pid, begin, source, destination, ..State::default() };
        Ok(Run(self.clone()))
    }

    /// What is known of the last clone in place of this server's data. `restarted`: it is this start that has put it
    /// there; when the start began, microseconds since 1970, and the data is open. What is to be kept.
    pub(crate) fn resume(&self, kept: &Value, restarted: Option<u64>) -> Value {
        let mut s = self.0.lock();
        *s = of_json(kept);
        if let Some(began) = restarted {
            let now = wall_micros();
            for (i, from, to) in [(RESTART, None, began), (RECOVERY, Some(began), now)] {
                if let Some(stage) = s.stages.get_mut(i) {
                    (stage.step, stage.end) = (Step::Completed, to);
                    stage.begin = from.unwrap_or(stage.begin);
                }
            }
            (s.step, s.end, s.pid) = (Step::Completed, now, 0);
        }
        to_json(&s)
    }
}

fn to_json(s: &State) -> Value {
    let stages: Vec<_> =
        s.stages.iter().map(|s| json!([s.step.name(), s.begin, s.end, s.estimate, s.data, s.network])).collect();
    json!({
        "state": s.step.name(), "begin": s.begin, "end": s.end, "source": s.source, "destination": s.destination,
        "log_file": s.log.0, "log_position": s.log.1, "executed": s.executed, "stages": stages,
    })
}

/// What is not there is empty.
fn of_json(v: &Value) -> State {
    let number = |name| v.get(name).and_then(Value::as_u64).unwrap_or_default();
    let text = |name| v.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let step = |v: Option<&Value>| {
        let name = v.and_then(Value::as_str).unwrap_or_default();
        Step::ALL.iter().find(|(_, n)| *n == name).map_or(Step::NotStarted, |(s, _)| *s)
    };
    let stage = |v: &Value| {
        let n = |i: usize| v.get(i).and_then(Value::as_u64).unwrap_or_default();
        Stage { step: step(v.get(0)), begin: n(1), end: n(2), estimate: n(3), data: n(4), network: n(5) }
    };
    State {
        any: true,
        step: step(v.get("state")),
        begin: number("begin"),
        end: number("end"),
        source: text("source"),
        destination: text("destination"),
        log: (text("log_file"), number("log_position")),
        executed: text("executed"),
        stages: v.get("stages").and_then(Value::as_array).map(|a| a.iter().map(stage).collect()).unwrap_or_default(),
        ..State::default()
    }
}

impl State {
    /// Stages up to this one are over, it begins.
    fn enter(&mut self, stage: usize) {
        let now = wall_micros();
        for (i, s) in self.stages.iter_mut().enumerate().take(stage + 1) {
            if s.step == Step::NotStarted {
                s.begin = now;
            }
            if i == stage {
                s.step = Step::InProgress;
            } else if s.step != Step::Completed {
                (s.step, s.end) = (Step::Completed, now);
            }
        }
    }

    fn leave(&mut self, stage: usize, how: Step) {
        if let Some(s) = self.stages.get_mut(stage) {
            (s.step, s.end) = (how, wall_micros());
        }
    }

    fn current(&mut self) -> Option<(usize, &mut Stage)> {
        self.stages.iter_mut().enumerate().find(|(_, s)| s.step == Step::InProgress)
    }
}

impl Run {
    /// A block has come, over the network in so many bytes (0: of this server).
    pub(crate) fn block(&self, block: &Block, network: usize) {
        let mut s = self.0.0.lock();
        let stage = match block.kind {
            Kind::Begin => {
                s.stages = vec![Stage::default(); STAGES.len()];
                s.enter(FILES);
                if let Some(files) = s.stages.get_mut(FILES) {
                    files.estimate = Begin::parse(&block.bytes, "").map_or(0, |b| b.bytes);
                }
                FILES
            }
            Kind::Pages | Kind::Length => FILES,
            Kind::Redo | Kind::File | Kind::End => REDO,
        };
        if s.current().is_none_or(|(i, _)| i < stage) {
            s.enter(stage);
        }
        if let Some(stage) = s.stages.get_mut(stage) {
            if matches!(block.kind, Kind::Pages | Kind::Redo) {
                stage.data += block.bytes.len() as u64;
            }
            stage.network += network as u64;
            stage.estimate = stage.estimate.max(stage.data);
        }
    }

    /// All blocks have come.
    pub(crate) fn copied(&self) {
        self.0.0.lock().enter(SYNC);
    }

    /// It is complete, and the server restarts to put it in its data's place. For [`Clones::resume`].
    pub(crate) fn restarts(&self, end: &End) -> Value {
        let mut s = self.0.0.lock();
        s.enter(RESTART);
        s.log = (end.log_file.clone(), end.log_position);
        s.executed.clone_from(&end.executed);
        to_json(&s)
    }

    /// How it ended.
    pub(crate) fn end(self, done: &SqlResult<End>) {
        let mut s = self.0.0.lock();
        s.end = wall_micros();
        match done {
            Ok(end) => {
                s.leave(SYNC, Step::Completed);
                s.log = (end.log_file.clone(), end.log_position);
                s.executed.clone_from(&end.executed);
                s.step = Step::Completed;
            }
            Err(e) => {
                if let Some((stage, _)) = s.current() {
                    s.leave(stage, Step::Failed);
                }
                s.error = (e.code(), e.message().to_owned());
                s.step = Step::Failed;
            }
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let mut s = self.0.0.lock();
        if s.step == Step::InProgress {
            (s.step, s.end) = (Step::Failed, wall_micros());
        }
    }
}

/// Bytes for each second while a stage runs.
fn speed(s: &Stage, bytes: u64) -> u64 {
    match s.step {
        Step::InProgress => bytes.saturating_mul(1_000_000) / wall_micros().saturating_sub(s.begin).max(1),
        _ => 0,
    }
}

fn status(s: &State) -> ToldRow {
    let text = |t: &str| Told::Text(t.to_owned());
    vec![
        ("ID", Told::Number(1)),
        ("PID", Told::Number(s.pid)),
        ("STATE", text(s.step.name())),
        ("BEGIN_TIME", Told::Time(s.begin / 1000 * 1000)),
        ("END_TIME", Told::Time(s.end / 1000 * 1000)),
        ("SOURCE", text(&s.source)),
        ("DESTINATION", text(&s.destination)),
        ("ERROR_NO", Told::Number(s.error.0.into())),
        ("ERROR_MESSAGE", text(&s.error.1)),
        ("BINLOG_FILE", text(&s.log.0)),
        ("BINLOG_POSITION", Told::Number(s.log.1)),
        ("GTID_EXECUTED", text(&s.executed)),
    ]
}

fn progress(name: &str, s: &Stage) -> ToldRow {
    vec![
        ("ID", Told::Number(1)),
        ("STAGE", Told::Text(name.to_owned())),
        ("STATE", Told::Text(s.step.name().to_owned())),
        ("BEGIN_TIME", Told::Time(s.begin)),
        ("END_TIME", Told::Time(s.end)),
        ("THREADS", Told::Number(u64::from(s.step != Step::NotStarted))),
        ("ESTIMATE", Told::Number(s.estimate)),
        ("DATA", Told::Number(s.data)),
        ("NETWORK", Told::Number(s.network)),
        ("DATA_SPEED", Told::Number(speed(s, s.data))),
        ("NETWORK_SPEED", Told::Number(speed(s, s.network))),
    ]
}

impl ToldTables for Clones {
    fn rows(&self, table: &str) -> Vec<ToldRow> {
        let s = self.0.lock().clone();
        match table {
            "clone_status" if s.any => vec![status(&s)],
            "clone_progress" => STAGES.iter().zip(&s.stages).map(|(name, s)| progress(name, s)).collect(),
            _ => Vec::new(),
        }
    }
}
