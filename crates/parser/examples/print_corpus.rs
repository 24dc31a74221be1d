//! The unparser's gate: every query of the corpus is printed, parsed and printed again; both texts must be equal.
//!
//! ```text
//! cargo run -p parser --example print_corpus -- /work/corpus/corpus.jsonl [sample count]
//! ```

#![allow(clippy::expect_used, clippy::indexing_slicing)] // a tool for developers

use bumpalo::Bump;
use parser::print::{Resolution, Style};
use parser::{Lexed, Mode, Statement, parse};

fn print(sql: &str) -> Result<Option<String>, String> {
    let arena = Bump::new();
    let mut lexed = Lexed::new();
    lexed.tokenize(sql.as_bytes(), 0, Mode::default());
    let p = parse(&arena, sql.as_bytes(), &mut lexed).map_err(|e| e.message().to_string())?;
    let q = match p.statement {
        Statement::Query(q) => q,
        Statement::CreateView(v) => v.query,
        _ => return Ok(None),
    };
    Ok(Some(parser::print::query(q, &Resolution::default(), Style::default())))
}

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("path of the .jsonl file");
    let samples: usize = args.next().and_then(|n| n.parse().ok()).unwrap_or(20);
    let text = std::fs::read_to_string(path).expect("readable file");
    let (mut n, mut refused, mut different) = (0, 0, 0);
    for line in text.lines() {
        let Ok(v) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let Some(sql) = v["sql"].as_str() else { continue };
        let Ok(Some(first)) = print(sql) else { continue };
        n += 1;
        match print(&first) {
            Ok(Some(second)) if second == first => {}
            Ok(second) => {
                different += 1;
                if different <= samples {
                    println!("DIFFERENT {sql}\n   1 {first}\n   2 {second:?}");
                }
            }
            Err(e) => {
                refused += 1;
                if refused <= samples {
                    println!("REFUSED {sql}\n   {first}\n   {e}");
                }
            }
        }
    }
    println!("{n} queries, {refused} not parsed again, {different} printed differently");
}
