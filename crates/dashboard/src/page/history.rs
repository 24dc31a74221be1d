//! The last hour, so that a page that is opened (or loaded again) shows it.
//!
//! While the page is served a thread of its own ([`Sampler`]) looks at the server every [`STEP`] with a session of the
//! server's ([`wire::Watching`]: PROCESS, and SELECT on performance_schema) and keeps numbers, no texts but names of
//! wait classes and indexes. Who asks for them gets a part only if his own session may read the tables that it came
//! from: [`History::shown`] asks for that first, in his name.
//!
//! Memory: [`SAMPLES`] of some 300 bytes, and each fifth with [`INDEXES`] names: below 2 MB. Looking at the pool takes
//! time in proportion to it, so the next look waits for [`REST`] times what the last one took.
//!
//! Lock: the ring's, for a push and while JSON is made of it. Tested: `tests/clients/test_dashboard.py`, and below.

use super::now::{LATENCY, SPIN, WAITS};
use crate::sql::{Row, rows};
use base::SqlResult;
use parking_lot::{Condvar, Mutex};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use wire::{Inside, Watching, WireServer};

/// Between two looks.
const STEP: Duration = Duration::from_secs(2);
/// An hour of them.
const SAMPLES: usize = 1800;
/// Between two looks at the pool, at least.
const POOL_STEP: Duration = Duration::from_secs(10);
/// A look at the pool that takes a second is repeated after so many.
const REST: u32 = 100;
/// Indexes that are kept of a look at the pool.
const INDEXES: usize = 6;

/// Status variables that the page draws.
const STATUS: [&str; 19] = [
    "Queries",
    "Com_select",
    "Com_insert",
    "Com_update",
    "Com_delete",
    "Com_replace",
    "Innodb_cpu_utime_abs",
    "Innodb_cpu_stime_abs",
    "Innodb_cpu_n",
    "Cgroup_throttled_usec",
    "Innodb_buffer_pool_pages_data",
    "Innodb_buffer_pool_pages_old",
    "Innodb_buffer_pool_pages_dirty",
    "Innodb_buffer_pool_pages_free",
    "Innodb_redo_log_current_lsn",
    "Innodb_redo_log_checkpoint_lsn",
    "Threads_connected",
    "Threads_running",
    "Innodb_row_lock_current_waits",
];

/// Which index holds how much of the pool: name, young pages, old pages; the largest first.
const POOL: &str = "SELECT CONCAT(REPLACE(TABLE_NAME, '`', ''), '.', INDEX_NAME), SUM(IS_OLD = 'NO'), SUM(IS_OLD = 'YES') \
                    FROM information_schema.INNODB_BUFFER_PAGE WHERE TABLE_NAME IS NOT NULL GROUP BY 1 \
                    ORDER BY COUNT(*) DESC LIMIT 6";
/// Whether one may read that, without looking at a page: all of InnoDB's tables want PROCESS, when their rows are made
/// (with LIMIT 0 nothing would be asked).
const MAY_POOL: &str = "SELECT COUNT(*) FROM information_schema.INNODB_BUFFER_POOL_STATS";
const MAY_SPIN: &str = "SELECT COUNT(*) FROM information_schema.INNODB_METRICS WHERE NAME = 'latch_spin_ns'";
/// Of these the statement itself is refused.
const MAY_WAITS: &str = "SELECT 1 FROM performance_schema.events_waits_summary_global_by_event_name LIMIT 0";
const MAY_LATENCY: &str = "SELECT 1 FROM performance_schema.events_statements_histogram_global LIMIT 0";

/// An index's part of the pool: young and old pages.
#[derive(Clone, PartialEq, Debug)]
struct Part {
    name: String,
    pages: [f64; 2],
}

/// One look.
#[derive(Clone, Default, Debug)]
struct Sample {
    time: f64,
    status: Vec<f64>,
    /// Seconds spun so far.
    spin: f64,
    /// Seconds waited so far, by class.
    waits: Vec<(u16, f64)>,
    /// Milliseconds within which 50, 95 and 99 % of the statements since the last look ended.
    latency: [Option<f32>; 3],
    pool: Option<Arc<Vec<Part>>>,
}

/// The ring.
#[derive(Default)]
struct Ring {
    samples: VecDeque<Sample>,
    /// Names of wait classes.
    classes: Vec<String>,
}

impl Ring {
    fn class(&mut self, name: &str) -> Option<u16> {
        let at = self.classes.iter().position(|c| c == name).or_else(|| {
            // classes are few; a bound all the same
            (self.classes.len() < 64).then(|| {
                self.classes.push(name.to_owned());
                self.classes.len() - 1
            })
        });
        at.and_then(|i| u16::try_from(i).ok())
    }

    fn push(&mut self, sample: Sample) {
        if self.samples.len() >= SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
    }
}

/// What the thread and those who ask share.
#[derive(Default)]
pub(crate) struct History {
    ring: Mutex<Ring>,
    stop: Mutex<bool>,
    stopped: Condvar,
}

/// The thread that looks; it ends with this value.
pub(crate) struct Sampler {
    pub(super) history: Arc<History>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Sampler {
    /// Starts it. Without a thread there is no history, and the page is served all the same.
    pub(crate) fn start(server: &Arc<WireServer>, stack: usize) -> Sampler {
        let history = Arc::new(History::default());
        let (own, server) = (history.clone(), server.clone());
        let body = move || {
            sched::stack::begin(stack);
            own.watch(&server);
        };
        let thread = std::thread::Builder::new().name("http-sampler".into()).stack_size(stack + sched::stack::SLACK);
        Sampler { history, thread: thread.spawn(body).ok() }
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        *self.history.stop.lock() = true;
        self.history.stopped.notify_all();
        if let Some(t) = self.thread.take() {
            let _ = t.join();
        }
    }
}

impl History {
    fn watch(&self, server: &WireServer) {
        let Ok(mut session) = server.watch_inside() else { return };
        let mut eye = Eye::default();
        loop {
            if let Ok(sample) = eye.look(&mut session, &self.ring) {
                self.ring.lock().push(sample);
            }
            let mut stop = self.stop.lock();
            if !*stop {
                self.stopped.wait_for(&mut stop, STEP);
            }
            if *stop {
                return;
            }
        }
    }

    /// What the account may see of the last hour.
    pub(super) fn shown(&self, session: &mut Inside) -> Value {
        let mut may = |sql: &str| rows(session, sql).map(|_| ()).map_err(|e| format!("{}: {}", e.code(), e.message()));
        let rights =
            Rights { pool: may(MAY_POOL), spin: may(MAY_SPIN), waits: may(MAY_WAITS), latency: may(MAY_LATENCY) };
        self.ring.lock().json(&rights)
    }

    /// The last look at the pool, if the account may see it.
    pub(super) fn pool(&self, session: &mut Inside) -> SqlResult<Value> {
        rows(session, MAY_POOL)?;
        let ring = self.ring.lock();
        let last = ring.samples.iter().rev().find_map(|s| s.pool.clone()).unwrap_or_default();
        Ok(json!(last.iter().map(Part::json).collect::<Vec<_>>()))
    }
}

/// Which parts an account may see, or the error that it would get.
struct Rights {
    pool: Result<(), String>,
    spin: Result<(), String>,
    waits: Result<(), String>,
    latency: Result<(), String>,
}

impl Part {
    fn json(&self) -> Value {
        let [young, old] = self.pages;
        json!([self.name, young, old])
    }
}

impl Ring {
    /// Columns: a list of values by time for each name.
    fn json(&self, rights: &Rights) -> Value {
        let each = |f: &dyn Fn(&Sample) -> Value| Value::Array(self.samples.iter().map(f).collect());
        let mut status = Map::new();
        for (i, name) in STATUS.iter().enumerate() {
            status.insert((*name).into(), each(&|s| json!(s.status.get(i).copied())));
        }
        let part = |right: &Result<(), String>, value: &dyn Fn() -> Value| match right {
            Ok(()) => value(),
            Err(e) => json!({ "error": e }),
        };
        let waits = || {
            let mut out = Map::new();
            for (i, name) in self.classes.iter().enumerate() {
                let of = |s: &Sample| json!(s.waits.iter().find(|w| usize::from(w.0) == i).map(|w| w.1));
                out.insert(name.clone(), each(&of));
            }
            Value::Object(out)
        };
        let latency = || {
            let at = |i: usize| each(&|s: &Sample| json!(s.latency.get(i).copied().flatten()));
            json!({ "50 %": at(0), "95 %": at(1), "99 %": at(2) })
        };
        let pool =
            || each(&|s| s.pool.as_ref().map_or(Value::Null, |p| json!(p.iter().map(Part::json).collect::<Vec<_>>())));
        json!({
            "times": each(&|s| json!(s.time)),
            "status": status,
            "spin": part(&rights.spin, &|| each(&|s| json!(s.spin))),
            "waits": part(&rights.waits, &waits),
            "latency": part(&rights.latency, &latency),
            "pool": part(&rights.pool, &pool),
        })
    }
}

/// What is remembered from one look to the next.
#[derive(Default)]
struct Eye {
    latency: Option<BTreeMap<u64, f64>>,
    pool_next: Option<Instant>,
}

fn number(cell: Option<&Option<String>>) -> Option<f64> {
    cell?.as_ref()?.parse().ok()
}

impl Eye {
    fn look(&mut self, session: &mut Watching, ring: &Mutex<Ring>) -> SqlResult<Sample> {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64());
        let names = STATUS.join("','");
        let found = rows(session, &format!("SHOW GLOBAL STATUS WHERE Variable_name IN ('{names}')"))?;
        let of = |name: &&str| {
            let row = found.iter().find(|r| r.first().is_some_and(|n| n.as_deref() == Some(*name)));
            number(row.and_then(|r| r.get(1))).unwrap_or_default()
        };
        let status = STATUS.iter().map(of).collect();
        let spin = number(rows(session, SPIN)?.first().and_then(|r| r.first())).unwrap_or_default();
        let waited = rows(session, WAITS)?;
        let waits = {
            let mut ring = ring.lock();
            let one = |r: &Row| Some((ring.class(r.first()?.as_deref()?)?, number(r.get(1))?));
            waited.iter().filter_map(one).collect()
        };
        let latency = self.latency(&rows(session, LATENCY)?);
        Ok(Sample { time, status, spin, waits, latency, pool: self.pool(session)? })
    }

    /// Quantiles of what ended since the last look. A histogram that was emptied meanwhile begins anew.
    fn latency(&mut self, found: &[Row]) -> [Option<f32>; 3] {
        let bucket = |r: &Row| Some((number(r.first())?.to_bits(), number(r.get(1))?));
        let now: BTreeMap<u64, f64> = found.iter().filter_map(bucket).collect();
        let was = self.latency.replace(now.clone());
        let Some(was) = was else { return [None; 3] };
        let grown: Vec<(f64, f64)> = now
            .iter()
            .map(|(high, n)| (f64::from_bits(*high), n - was.get(high).copied().unwrap_or_default()))
            .filter(|b| b.1 > 0.0)
            .collect();
        let all: f64 = grown.iter().map(|b| b.1).sum();
        [0.5, 0.95, 0.99].map(|q| {
            let mut seen = 0.0;
            let high = grown.iter().find(|(_, n)| {
                seen += n;
                seen >= q * all
            })?;
            Some((high.0 * 1000.0) as f32)
        })
    }

    fn pool(&mut self, session: &mut Watching) -> SqlResult<Option<Arc<Vec<Part>>>> {
        let began = Instant::now();
        if self.pool_next.is_some_and(|t| began < t) {
            return Ok(None);
        }
        let found = rows(session, POOL)?;
        self.pool_next = Some(Instant::now() + POOL_STEP.max(began.elapsed() * REST));
        let part = |r: &Row| {
            let name = r.first()?.as_ref()?.chars().take(200).collect();
            Some(Part { name, pages: [number(r.get(1))?, number(r.get(2))?] })
        };
        Ok(Some(Arc::new(found.iter().take(INDEXES).filter_map(part).collect())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Row {
        cells.iter().map(|c| Some((*c).to_owned())).collect()
    }

    #[test]
    fn quantiles_of_what_is_new() {
        let mut e = Eye::default();
        assert_eq!(e.latency(&[row(&["0.001", "1000"])]), [None; 3]);
        assert_eq!(e.latency(&[row(&["0.001", "1000"])]), [None; 3]);
        let now = [row(&["0.001", "1090"]), row(&["0.01", "9"]), row(&["1", "1"])];
        assert_eq!(e.latency(&now), [Some(1.0), Some(10.0), Some(10.0)]);
        // emptied, and one more
        assert_eq!(e.latency(&[row(&["0.001", "1"])]), [None; 3]);
    }

    #[test]
    fn an_hour_and_no_more() {
        let mut r = Ring::default();
        for i in 0..SAMPLES + 10 {
            r.push(Sample { time: i as f64, ..Sample::default() });
        }
        assert_eq!((r.samples.len(), r.samples.front().unwrap().time), (SAMPLES, 10.0));
        let many = (0..100).filter(|i| r.class(&format!("c{i}")).is_some()).count();
        assert_eq!((many, r.class("c3")), (64, Some(3)));
    }

    #[test]
    fn a_part_needs_its_right() {
        let mut r = Ring::default();
        let class = r.class("wait/io").unwrap();
        let pool = Some(Arc::new(vec![Part { name: "shop.secret.PRIMARY".into(), pages: [3.0, 1.0] }]));
        r.push(Sample {
            status: vec![5.0],
            spin: 2.5,
            waits: vec![(class, 1.5)],
            latency: [Some(1.0), None, None],
            pool,
            ..Sample::default()
        });
        let no = || Err("1142: denied".to_owned());
        let all = r.json(&Rights { pool: Ok(()), spin: Ok(()), waits: Ok(()), latency: Ok(()) });
        assert_eq!(all["status"]["Queries"], json!([5.0]));
        assert_eq!((&all["spin"], &all["waits"]["wait/io"]), (&json!([2.5]), &json!([1.5])));
        assert_eq!(
            (&all["latency"]["50 %"], &all["pool"][0][0]),
            (&json!([1.0]), &json!(["shop.secret.PRIMARY", 3.0, 1.0]))
        );
        let none = r.json(&Rights { pool: no(), spin: no(), waits: no(), latency: no() });
        for part in ["spin", "waits", "latency", "pool"] {
            assert_eq!(none[part], json!({ "error": "1142: denied" }), "{part}");
        }
        assert!(!none.to_string().contains("secret") && !none.to_string().contains("wait/io"));
    }
}
