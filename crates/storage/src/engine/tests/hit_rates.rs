//! The pool's replacement beside LRU, InnoDB's midpoint list, CLOCK and S3-FIFO: on generated traces, and on what a
//! real engine asks its pool for. See `buffer/hit_rates` for policies and parameters.
//!
//! Two bounds: on no trace more than a point below the midpoint list, and in the mean within 3 points of whichever of the
//! four is best on each trace. `cargo test -p storage hit_rates -- --nocapture` prints the table;
//! `EVENKEEL_HIT_RATES=large` replays larger ones.

use super::support::*;
use crate::buffer::hit_rates::recorder::record;
use crate::buffer::hit_rates::traces::{
    RANGE_ROWS, RECORDED_FRAMES, RECORDED_ROWS, RECORDED_STATEMENTS, ROW_BYTES, Trace, Zipf, generated, large,
};
use crate::buffer::hit_rates::{POLICIES, replay};
use crate::dict::IndexKind;
use crate::engine::{Engine, EngineConfig};
use crate::file::sim::{Rng, SimFs};
use crate::table::{Direction, KeyRange, OnDuplicate, ReadMode, Table, TableCursor};
use crate::txn::{Durability, Trx};
use std::ops::Bound;
use std::sync::Arc;
use value::{CollationId, SqlType, TypeKind, Value};

/// A table several times the replayed pool, in an engine whose pool holds all of it.
struct Bench {
    e: Arc<Engine>,
    tab: Arc<Table>,
    trx: Trx,
    rng: Rng,
    zipf: Zipf,
    rows: usize,
    text: Vec<u8>,
}

/// What is looked up in the secondary index: 180 bytes, so that the index is some hundred pages.
fn name_of(id: usize) -> Vec<u8> {
    let mut s = format!("{:08}", id.wrapping_mul(7_919) % 99_999_989).into_bytes();
    s.resize(180, b'x');
    s
}

impl Bench {
    /// `t(id BIGINT PRIMARY KEY, k BIGINT, s VARCHAR(200), p LONGBLOB, KEY(k), KEY(s))`
    fn new(rows: usize) -> Bench {
        let mut config = EngineConfig::on(Arc::new(SimFs::new()));
        config.durability = Durability::Lazy;
        config.buffer_pool_size = 5 * (rows * ROW_BYTES) as u64;
        config.redo_capacity = 1 << 30;
        let e = Engine::open(config).unwrap();
        let big = || SqlType::new(TypeKind::BigInt).nullable(false);
        let columns = vec![
            column("id", big()),
            column("k", big()),
            column("s", SqlType::varchar(200, CollationId::UTF8MB4_0900_AI_CI).nullable(false)),
            column("p", SqlType::new(TypeKind::LongBlob).nullable(false)),
        ];
        let indexes = vec![
            index("PRIMARY", IndexKind::Primary, &[0]),
            index("k", IndexKind::Plain, &[1]),
            index("s", IndexKind::Plain, &[2]),
        ];
        let tab = create(&e, def("h", columns, indexes));
        let trx = e.new_trx(1).unwrap();
        let mut b = Bench { e, tab, trx, rng: Rng(7), zipf: Zipf::new(rows), rows: 0, text: vec![b'p'; ROW_BYTES] };
        for _ in 0..rows {
            b.insert();
        }
        b
    }

    fn insert(&mut self) {
        let (id, k, s) = (self.rows, self.rng.below(1 << 40) as i64, name_of(self.rows));
        let row = [Value::Int(id as i64), Value::Int(k), Value::Str(&s), Value::Str(&self.text)];
        self.trx.insert(&self.tab, &row, OnDuplicate::Error).unwrap();
        self.trx.commit().unwrap();
        self.rows += 1;
    }

    /// A row by zipf, the frequent ones scattered over the table.
    fn some_row(&mut self) -> usize {
        let rank = self.zipf.next(&mut self.rng);
        (rank * 1_000_003) % self.rows
    }

    fn by_primary(&mut self, id: usize) {
        self.trx.begin_statement();
        let mut c = TableCursor::open(&self.tab, 0, ReadMode::Consistent, false);
        assert!(c.point(&mut self.trx, &key(&self.tab, id as i64)).unwrap().is_some());
        self.trx.commit().unwrap();
    }

    fn by_secondary(&mut self, id: usize) {
        self.trx.begin_statement();
        let mut c = TableCursor::open(&self.tab, 2, ReadMode::Consistent, false);
        let k = index_key(&self.tab, 2, &[Value::Str(&name_of(id))]);
        c.seek(&mut self.trx, KeyRange::prefix(&k), Direction::Forward).unwrap();
        assert!(c.next(&mut self.trx).unwrap().is_some());
        self.trx.commit().unwrap();
    }

    /// One point read in five goes through the secondary index.
    fn read(&mut self) {
        let id = self.some_row();
        if self.rng.below(5) == 0 { self.by_secondary(id) } else { self.by_primary(id) }
    }

    /// Two updates in three change a column without an index, the third one with an index.
    fn update(&mut self) {
        let id = self.some_row();
        let k = self.rng.below(1 << 40) as i64;
        let text = vec![b'a' + (k % 26) as u8; ROW_BYTES];
        self.trx.begin_statement();
        let found = point_of(&mut self.trx, &self.tab, id);
        assert!(found);
        let change = if self.rng.below(3) == 0 { (1, Value::Int(k)) } else { (3, Value::Str(&text)) };
        self.trx.update(&self.tab, &key(&self.tab, id as i64), &[change]).unwrap();
        self.trx.commit().unwrap();
    }

    fn range(&mut self) {
        let id = self.some_row();
        let from = key(&self.tab, id as i64);
        self.trx.begin_statement();
        let mut c = TableCursor::open(&self.tab, 0, ReadMode::Consistent, false);
        let range = KeyRange { lower: Bound::Included(&from), upper: Bound::Unbounded };
        c.seek(&mut self.trx, range, Direction::Forward).unwrap();
        for _ in 0..RANGE_ROWS {
            if c.next(&mut self.trx).unwrap().is_none() {
                break;
            }
        }
        self.trx.commit().unwrap();
    }

    /// One statement a round, of all rounds.
    fn mix(&mut self, name: &'static str, frames: usize, mut statement: impl FnMut(&mut Bench, usize)) -> Trace {
        record(name, frames, || {
            for i in 0..RECORDED_STATEMENTS * frames / RECORDED_FRAMES {
                statement(self, i);
                if i % 1000 == 999 {
                    drain_purge(&self.e);
                }
            }
        })
    }

    /// Beside point reads a session reads the whole table, row by row, again and again.
    fn full_scan(&mut self, frames: usize) -> Trace {
        let mut other = self.e.new_trx(2).unwrap();
        let mut c = TableCursor::open(&self.tab, 0, ReadMode::Consistent, false);
        let mut ended = true;
        self.mix("recorded: full scan beside point reads", frames, move |b, _| {
            for _ in 0..ROWS_A_READ {
                if ended {
                    other.begin_statement();
                    c.seek(&mut other, KeyRange::ALL, Direction::Forward).unwrap();
                }
                ended = c.next(&mut other).unwrap().is_none();
            }
            b.read();
        })
    }
}

/// Rows that the full scan reads between two point reads.
const ROWS_A_READ: usize = 4;

fn point_of(t: &mut Trx, tab: &Arc<Table>, id: usize) -> bool {
    let mut c = TableCursor::open(tab, 0, ReadMode::FOR_UPDATE, false);
    c.point(t, &key(tab, id as i64)).unwrap().is_some()
}

fn recorded() -> Vec<Trace> {
    let times = if large() { 4 } else { 1 };
    let frames = RECORDED_FRAMES * times;
    let mut b = Bench::new(RECORDED_ROWS * times);
    vec![
        b.mix("recorded: point reads", frames, |b, _| b.read()),
        b.mix("recorded: reads and updates", frames, |b, i| if i % 10 < 7 { b.read() } else { b.update() }),
        b.mix("recorded: ranges and point reads", frames, |b, i| if i % 10 < 7 { b.read() } else { b.range() }),
        b.full_scan(frames),
        // New rows are read most, the newest before all.
        b.mix("recorded: inserts at the end", frames, |b, i| {
            if i % 4 == 0 {
                b.insert();
            } else {
                let back = b.zipf.next(&mut b.rng);
                b.by_primary(b.rows - 1 - back);
            }
        }),
    ]
}

#[test]
fn hit_rates_are_those_of_the_midpoint_list_or_better() {
    let mut traces = generated();
    traces.extend(recorded());
    println!("| trace | pages | accesses | frames | {} |", POLICIES.join(" | "));
    println!("|---|---|---|---|{}", "---|".repeat(POLICIES.len()));
    let mut sums = [0.0; POLICIES.len()];
    let (mut behind_best, mut low) = (0.0, Vec::new());
    for trace in &traces {
        let rates = replay(trace);
        let pages = trace.accesses.iter().map(|a| a.page).collect::<std::collections::HashSet<_>>().len();
        let shown = rates.map(|r| format!("{r:.1}")).join(" | ");
        println!("| {} | {pages} | {} | {} | {shown} |", trace.name, trace.accesses.len(), trace.frames);
        let [ours, lru, midpoint, clock, s3] = rates;
        behind_best += [lru, midpoint, clock, s3].into_iter().fold(0.0, f64::max) - ours;
        if ours < midpoint - 1.0 {
            low.push(format!("{}: {ours:.1} against {midpoint:.1}", trace.name));
        }
        for (sum, rate) in sums.iter_mut().zip(rates) {
            *sum += rate;
        }
    }
    let n = traces.len() as f64;
    behind_best /= n;
    println!("| mean | | | | {} |", sums.map(|s| format!("{:.1}", s / n)).join(" | "));
    println!("behind the best of each trace, in the mean: {behind_best:.1} points");
    assert!(low.is_empty(), "more than a point below the midpoint list: {low:?}");
    assert!(behind_best <= 3.0, "{behind_best:.1} points below the best in the mean");
}
