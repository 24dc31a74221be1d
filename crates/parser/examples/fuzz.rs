//! Mutated statements in this process, until the time is over. Wrong are a panic, a statement that takes longer than a second, and spans outside the text; the statement is
//! shown. Wrong are also queries and expressions of tables that are printed and then cannot be parsed, or are printed differently the second time.
//!
//! ```text
//! cargo run -p parser --example fuzz -- /tmp/corpus.jsonl [seconds] [seed]
//! ```
//!
//! The corpus is that of `corpus.rs`; without a file (`-`) the statements of `tests/accepted.sql` and `refused.sql` are the seeds. Stack: 1 MiB, half of what a session has.
//! `tests/fuzz.rs` does the same for a second in CI.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout)] // a tool for developers

use bumpalo::Bump;
use parser::{Lexed, Mode, Statement, parse};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[path = "../tests/printed/mod.rs"]
mod printed;

const EDGES: &[&str] = &[
    "NULL",
    "''",
    "\"\"",
    "``",
    "0",
    "-1",
    "18446744073709551616",
    "1e400",
    ".",
    "..",
    "1.",
    ".1e",
    "0x",
    "x'1'",
    "b'2'",
    "N''",
    "_utf8mb4",
    "/*",
    "*/",
    "/*!",
    "/*!80000 ",
    "/*!99999 ",
    "/*+ ",
    "--",
    "-- ",
    "#",
    "\\",
    "\\N",
    "@",
    "@@",
    "@@a.b.c",
    "@`",
    "{",
    "}",
    "{d '2020-01-01'}",
    "?",
    ":=",
    "->",
    "->>",
    "||",
    "<=>",
    "!",
    ";",
    "DELIMITER",
    "'",
    "\"",
    "`",
    "\0",
    "\u{fffd}",
    "é",
    "(",
    ")",
    "((((((((",
    "))))))))",
    "BEGIN",
    "END",
    "OVER (",
    "WITH RECURSIVE",
    "INTERVAL",
    "CAST(",
    " AS ",
    "SELECT",
    "FROM",
    "JOIN",
    "LATERAL",
    "VALUES",
    "ROW(",
    "TABLE",
    "PARTITION",
    "CASE",
    "WHEN",
];

/// xorshift64*: the run is the same for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n.max(1)
    }
}

fn seeds(path: &str) -> Vec<Vec<u8>> {
    let own = include_str!("../tests/accepted.sql").lines().chain(include_str!("../tests/refused.sql").lines());
    let mut out: Vec<Vec<u8>> = own.map(|s| s.as_bytes().to_vec()).collect();
    if path != "-" {
        for line in std::fs::read_to_string(path).expect("readable file").lines() {
            let v: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
            out.extend(v["sql"].as_str().filter(|s| s.len() < 8000).map(|s| s.as_bytes().to_vec()));
        }
    }
    out.retain(|s| !s.is_empty());
    out
}

/// Where tokens begin, and the end.
fn places(sql: &[u8], lexed: &mut Lexed) -> Vec<usize> {
    lexed.tokenize(sql, 0, Mode::default());
    let mut at: Vec<usize> = lexed.tokens().iter().map(|t| t.start as usize).collect();
    at.push(sql.len());
    at
}

fn mutate(r: &mut Random, all: &[Vec<u8>], lexed: &mut Lexed) -> Vec<u8> {
    let mut sql = all[r.below(all.len())].clone();
    for _ in 0..[0, 1, 1, 1, 2, 3, 6][r.below(7)] {
        let at = places(&sql, lexed);
        let i = r.below(at.len().saturating_sub(1));
        let (from, to) = (at[i], at[(i + 1).min(at.len() - 1)]);
        let token = sql[from..to].to_vec();
        match r.below(20) {
            0..=3 => drop(sql.drain(from..at[(i + [1, 1, 2, 5][r.below(4)]).min(at.len() - 1)])),
            4 | 5 => drop(sql.splice(from..from, token)),
            6 => {
                let n = [2, 30, 300, 3000][r.below(4)].min(30_000 / token.len().max(1));
                drop(sql.splice(from..from, token.repeat(n)));
            }
            7..=11 => {
                let other = &all[r.below(all.len())];
                let places = places(other, lexed);
                let j = r.below(places.len().saturating_sub(1));
                let end = places[(j + [1, 1, 2, 6, 12][r.below(5)]).min(places.len() - 1)];
                let piece = [b" ", &other[places[j]..end], b" "].concat();
                drop(sql.splice(from..to, piece));
            }
            12..=15 => drop(sql.splice(from..to, EDGES[r.below(EDGES.len())].bytes())),
            16 => sql.truncate(from + r.below(to - from + 1)),
            _ => {
                for _ in 0..[1, 2, 5][r.below(3)] {
                    if !sql.is_empty() {
                        let k = r.below(sql.len());
                        sql[k] = r.next() as u8;
                    }
                }
            }
        }
        if sql.is_empty() || sql.len() > 100_000 {
            break;
        }
    }
    sql
}

/// Every statement of the text. What is wrong is told by panicking. The second value is how many could be parsed.
fn feed(sql: &[u8], mode: Mode, lexed: &mut Lexed, arena: &mut Bump) -> usize {
    let (mut at, mut parsed) = (0, 0);
    for _ in 0..20 {
        arena.reset();
        lexed.tokenize(sql, at, mode);
        let mut last = at as u32;
        for t in lexed.tokens() {
            assert!(t.start <= t.end && t.end as usize <= sql.len() && t.start >= last, "token outside the text");
            last = t.end;
        }
        for i in 0..lexed.literals().len() as u32 {
            lexed.value(arena, sql, i);
        }
        parser::digest::digest_text(sql, lexed);
        at = match parse(arena, sql, lexed) {
            Ok(p) => {
                parsed += 1;
                assert!(p.end > at && p.end <= sql.len(), "end outside the text");
                if p.depth < 200 {
                    check_printed(sql, &p.statement);
                }
                p.end
            }
            Err(e) => {
                e.to_string();
                lexed.end()
            }
        };
        if at >= sql.len() {
            break;
        }
    }
    parsed
}

/// Printed text has to be parsed and printed the same.
fn check_printed(sql: &[u8], s: &Statement<'_>) {
    for (way, text) in printed::texts(s) {
        if let Err(e) = printed::again(way, &text) {
            PRINTED.with(|p| {
                let mut p = p.borrow_mut();
                if p.len() < 300 {
                    p.push(format!("{way:?} {e}\n   {text}\n   of {}", String::from_utf8_lossy(sql)));
                }
            });
        }
    }
}

thread_local! {
    static PRINTED: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
}

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_else(|| "-".into());
    let seconds: u64 = args.next().and_then(|n| n.parse().ok()).unwrap_or(60);
    let seed: u64 = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let now: Arc<Mutex<(Instant, Vec<u8>)>> = Arc::new(Mutex::new((Instant::now(), Vec::new())));
    let shared = Arc::clone(&now);
    let work = std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(move || run(&path, seconds, seed, &shared))
        .expect("a thread");
    while !work.is_finished() {
        std::thread::sleep(Duration::from_millis(100));
        let (began, sql) = now.lock().unwrap().clone();
        if began.elapsed() > Duration::from_secs(10) && !sql.is_empty() {
            println!("HANG after {:?}: {:?}", began.elapsed(), String::from_utf8_lossy(&sql));
            std::process::exit(1);
        }
    }
    std::process::exit(i32::from(!work.join().unwrap_or(false)));
}

fn run(path: &str, seconds: u64, seed: u64, now: &Mutex<(Instant, Vec<u8>)>) -> bool {
    let all = seeds(path);
    let mut r = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut lexed, mut arena) = (Lexed::new(), Bump::new());
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut n, mut parsed, mut panics, mut slowest) = (0u64, 0, 0, (Duration::ZERO, Vec::new()));
    while Instant::now() < end && panics < 10 {
        let sql = mutate(&mut r, &all, &mut lexed);
        let bits = if r.below(2) == 0 { 0 } else { r.below(32) };
        let mode = Mode::from_bits(bits as u64);
        let began = Instant::now();
        *now.lock().unwrap() = (began, sql.clone());
        let result =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| feed(&sql, mode, &mut lexed, &mut arena)));
        let mut took = began.elapsed();
        if took > Duration::from_millis(500) && result.is_ok() {
            // on a busy machine the thread may have had to wait
            let began = Instant::now();
            feed(&sql, mode, &mut lexed, &mut arena);
            took = took.min(began.elapsed());
        }
        n += 1;
        match result {
            Ok(k) => parsed += k as u64,
            Err(_) => {
                panics += 1;
                println!("PANIC with {mode:?}: {:?}", String::from_utf8_lossy(&sql));
            }
        }
        if took > slowest.0 {
            slowest = (took, sql);
        }
    }
    let printed = PRINTED.with(|p| std::mem::take(&mut *p.borrow_mut()));
    for p in &printed {
        println!("PRINTED {p}");
    }
    println!("{n} texts, {parsed} statements parsed, {panics} panics, {} printed and not parsed again", printed.len());
    println!(
        "slowest {:?}, {} bytes: {:?}",
        slowest.0,
        slowest.1.len(),
        String::from_utf8_lossy(&slowest.1).chars().take(300).collect::<String>()
    );
    panics == 0 && printed.is_empty() && slowest.0 < Duration::from_secs(1)
}
