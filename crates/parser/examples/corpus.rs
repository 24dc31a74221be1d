//! The corpus gate: how much of the statements of the Debian packages mariadb-test and mariadb-test-data parses.
//!
//! ```text
//! mtr_extract.py /tmp/corpus.jsonl /usr/share/mysql/mysql-test/main/*.test
//! cargo run -p parser --example corpus -- /tmp/corpus.jsonl [kind] [sample count]
//! ```
//!
//! The corpus is GPL text and is never committed. It is MariaDB's: what only MariaDB has is rightly refused, so the
//! figures are a lower bound. With `kind` (for example `SELECT`) the refused statements are printed, grouped by the
//! words at the error; `BAD` prints accepted statements that the tests expect to fail. With `VERDICTS [sql modes]` one line is printed per
//! line of the corpus, `ok`, `unsupported` or the error: what `tests/suites/parser_oracle.py` compares with MariaDB.

#![allow(clippy::expect_used, clippy::indexing_slicing)] // a tool for developers

use bumpalo::Bump;
use parser::{Lexed, Mode, parse};
use std::collections::BTreeMap;

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("path of the .jsonl file");
    let kind = args.next();
    let samples: usize = args.next().and_then(|n| n.parse().ok()).unwrap_or(3);
    let text = std::fs::read_to_string(path).expect("readable file");
    if kind.as_deref() == Some("VERDICTS") {
        return verdicts(&text, &std::env::args().nth(3).unwrap_or_default());
    }
    let mut lexed = Lexed::new();
    let mut arena = Bump::new();
    // category -> (statements, accepted, unsupported)
    let mut table: BTreeMap<String, (u32, u32, u32)> = BTreeMap::new();
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut bad, mut bad_refused) = (0u32, 0u32);
    for line in text.lines() {
        let Ok(v) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let (Some(sql), Some(cat)) = (v["sql"].as_str(), v["cat"].as_str()) else { continue };
        arena.reset();
        lexed.tokenize(sql.as_bytes(), 0, Mode::default());
        let result = parse(&arena, sql.as_bytes(), &mut lexed);
        if v["bad"].as_bool() == Some(true) {
            bad += 1;
            match result {
                Err(_) => bad_refused += 1,
                Ok(_) if kind.as_deref() == Some("BAD") => {
                    groups.entry(String::new()).or_default().push(sql.to_string());
                }
                Ok(_) => {}
            }
            continue;
        }
        let row = table.entry(cat.to_string()).or_default();
        row.0 += 1;
        match result {
            Ok(p) => {
                row.1 += 1;
                row.2 += u32::from(matches!(p.statement, parser::Statement::Unsupported { .. }));
            }
            Err(e) => {
                if kind.as_deref() == Some(cat) {
                    let message = e.message().to_string();
                    let near: String = match message.split_once("near '") {
                        Some((_, near)) => near.split_whitespace().take(1).collect::<Vec<_>>().join(" "),
                        None => message,
                    };
                    let first = sql.split_whitespace().next().unwrap_or("").to_uppercase();
                    groups.entry(format!("{first} .. {near}")).or_default().push(sql.to_string());
                }
            }
        }
    }
    let mut all = (0, 0, 0);
    for (cat, (n, ok, un)) in &table {
        println!("{cat:10} {n:7} {:6.2} %  (unsupported {un})", f64::from(*ok) * 100.0 / f64::from(*n));
        all = (all.0 + n, all.1 + ok, all.2 + un);
    }
    println!("{:10} {:7} {:6.2} %  (unsupported {})", "ALL", all.0, f64::from(all.1) * 100.0 / f64::from(all.0), all.2);
    println!("expected to fail: {bad}, refused {bad_refused}");
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, v)| std::cmp::Reverse(v.len()));
    for (near, list) in groups {
        println!("== {} {near}", list.len());
        for sql in list.iter().take(samples) {
            println!("     {}", sql.replace('\n', " ").chars().take(230).collect::<String>());
        }
    }
}

fn verdicts(text: &str, modes: &str) {
    let has = |m: &str| modes.split(',').any(|x| x == m);
    let mode = Mode {
        ansi_quotes: has("ANSI_QUOTES"),
        no_backslash_escapes: has("NO_BACKSLASH_ESCAPES"),
        pipes_as_concat: has("PIPES_AS_CONCAT"),
        ignore_space: has("IGNORE_SPACE"),
        high_not_precedence: has("HIGH_NOT_PRECEDENCE"),
    };
    let mut lexed = Lexed::new();
    let mut arena = Bump::new();
    for line in text.lines() {
        let v: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
        let sql = v["sql"].as_str().unwrap_or("");
        arena.reset();
        lexed.tokenize(sql.as_bytes(), 0, mode);
        match parse(&arena, sql.as_bytes(), &mut lexed) {
            // PREPARE takes one statement
            Ok(p) if follows(&sql.as_bytes()[p.end.min(sql.len())..]) => println!("1064 another statement"),
            Ok(p) if matches!(p.statement, parser::Statement::Unsupported { .. }) => println!("unsupported"),
            Ok(_) => println!("ok"),
            Err(e) => println!("{} {}", e.code(), e.message().replace(['\n', '\r'], " ")),
        }
    }
}

/// Whether another statement follows (a comment is none).
fn follows(rest: &[u8]) -> bool {
    let mut rest = rest.trim_ascii_start();
    rest = rest.strip_prefix(b";").unwrap_or(rest).trim_ascii();
    loop {
        let end = match rest {
            [b'#', ..] | [b'-', b'-', ..] => rest.iter().position(|b| *b == b'\n'),
            [b'/', b'*', ..] => rest.windows(2).position(|w| w == b"*/").map(|n| n + 1),
            _ => return !rest.is_empty(),
        };
        rest = end.and_then(|n| rest.get(n + 1..)).unwrap_or(&[]).trim_ascii_start();
    }
}
