//! From text to plan, with definitions and statistics in memory: no storage, no session, no execution.
//!
//! Each file of `cases/` has one subject. A case is a comment that says the rule, a statement, and what is planned:
//! EXPLAIN's tree without costs, then the tables whose rows are locked or changed; or the error. `set name value`
//! changes a setting for the rest of the file; `set counts 10,2000` says how many rows the ranges have that a plan
//! would rather have counted. `UPDATE_CASES=1 cargo test -p planner --test plans` writes what is planned now: read it
//! before you commit it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod world;

use world::World;

/// What is planned for every statement of a file, in the file's own form.
fn planned(text: &str) -> (String, usize) {
    let (mut world, mut out, mut cases) = (World::shop(), String::new(), 0);
    for block in text.split("\n\n").filter(|b| !b.trim().is_empty()) {
        let lines: Vec<&str> = block.trim().lines().collect();
        let head = lines.iter().take_while(|l| l.starts_with("--") || l.starts_with("set ")).count();
        for l in &lines[..head] {
            if let Some((name, value)) = l.strip_prefix("set ").and_then(|s| s.split_once(' ')) {
                world.set(name, value);
            }
        }
        let until = lines.iter().skip(head).take_while(|l| !l.starts_with("->") && !l.starts_with("ERROR")).count();
        // further lines of the statement are indented
        let sql: Vec<&str> = lines[head..head + until]
            .iter()
            .enumerate()
            .take_while(|(i, l)| *i == 0 || l.starts_with("  "))
            .map(|(_, l)| *l)
            .collect();
        out.push_str(&lines[..head + sql.len()].join("\n"));
        out.push('\n');
        if !sql.is_empty() {
            out.push_str(&world.plan(&sql.join("\n")));
            cases += 1;
        }
        out.push('\n');
    }
    (out, cases)
}

fn check(file: &str, least: usize) {
    let path = format!("{}/tests/plans/cases/{file}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let (now, cases) = planned(&text);
    assert!(cases >= least, "{file} has {cases} cases only");
    if std::env::var_os("UPDATE_CASES").is_some() {
        std::fs::write(&path, now.trim_end().to_owned() + "\n").unwrap();
        return;
    }
    for (was, is) in text.trim_end().split("\n\n").zip(now.trim_end().split("\n\n")) {
        assert_eq!(was, is, "\n{file}: planned differently; expected\n{was}\n\nplanned\n{is}\n");
    }
}

macro_rules! subjects {
    ($($name:ident $least:literal,)*) => { $(#[test] fn $name() { check(stringify!($name), $least); })* };
}

subjects! {
    names 10,
    access 12,
    counted 6,
    joins 8,
    semijoins 8,
    views 8,
    groups 8,
    windows 4,
    derived 6,
    locks 6,
    changes 5,
}
