//! The schema `sys`: views over performance_schema, information_schema and InnoDB's tables, as in MySQL, and some
//! of ours; its routines are in [`routines`].
//!
//! Each view is a text in `texts/`, written for this project after MySQL's manual ("sys Schema Views"). Most of
//! them exist twice in MySQL: `NAME` with times and sizes for people, and `x$NAME` with the plain numbers. Both
//! come from one text:
//!
//! * `as_time(x)`, `as_bytes(x)`, `as_path(x)`, `as_statement(x)` are `format_pico_time`, `format_bytes`,
//!   `sys.format_path` and `sys.format_statement` in the first, and `(x)` in the second;
//! * what stands between `[x$` and `]]` is in the second alone, between `[[` and `]]` in the first alone.
//!
//! A view is made when it is first named, and parsed and bound whenever a statement is planned that reads it, like
//! a stored one: with SQL SECURITY INVOKER, so whoever reads it needs the privileges on what it reads. Names in the
//! texts are written in full. Nothing here happens at start or for a connection. Tested:
//! `tests/clients/test_sys.py` compares columns with a list recorded from MySQL and values with what was done.

mod functions;
mod procedures;
pub(crate) mod routines;
mod texts;

use std::sync::{Arc, OnceLock};
use storage::dict::{Builtin, ViewDef};
use texts::{Kind, TEXTS};

/// The schema's name.
pub const SYS: &str = "sys";

/// What the dictionary is told of the views.
pub const BUILTIN: Builtin = Builtin { schema: SYS, names, find, routine: routines::find };

/// One name: its text and whether it is the `x$` one.
struct Entry {
    name: String,
    text: &'static str,
    plain: bool,
    made: OnceLock<Arc<ViewDef>>,
}

fn entries() -> &'static [Entry] {
    static ALL: OnceLock<Vec<Entry>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Vec::new();
        for &(name, kind, text) in TEXTS {
            let mut add = |name: String, plain| all.push(Entry { name, text, plain, made: OnceLock::new() });
            if kind != Kind::Plain {
                add(name.to_owned(), false);
            }
            if kind != Kind::Single {
                add(format!("x${name}"), true);
            }
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    })
}

fn names() -> Vec<String> {
    entries().iter().map(|e| e.name.clone()).collect()
}

fn find(name: &str) -> Option<Arc<ViewDef>> {
    let at = entries().binary_search_by(|e| e.name.as_str().cmp(name)).ok()?;
    let e = entries().get(at)?;
    Some(e.made.get_or_init(|| Arc::new(definition(at, e))).clone())
}

fn definition(number: usize, e: &Entry) -> ViewDef {
    let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    ViewDef {
        id: ViewDef::builtin_id(number as u64),
        version: 1,
        schema: SYS.to_owned(),
        name: e.name.clone(),
        select: expanded(e.text, e.plain),
        options: vec![
            option("ALGORITHM", "UNDEFINED"),
            option("DEFINER", "mysql.sys@localhost"),
            option("SECURITY", "INVOKER"),
            option("CLIENT", "utf8mb4"),
            option("COLLATION", "255"),
        ],
        columns: Vec::new(),
    }
}

/// The functions of the formatted views.
const FORMATS: [(&str, &str); 4] = [
    ("as_time(", "format_pico_time("),
    ("as_bytes(", "format_bytes("),
    ("as_path(", "sys.format_path("),
    ("as_statement(", "sys.format_statement("),
];

/// A view's query out of its text.
fn expanded(text: &str, plain: bool) -> String {
    let mut out: String = String::new();
    for line in text.lines().filter(|l| !l.trim_start().starts_with("--")) {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    for (open, keep) in [("[x$", plain), ("[[", !plain)] {
        let mut rest = std::mem::take(&mut out);
        while let Some((before, (inside, after))) =
            rest.split_once(open).and_then(|(b, r)| Some((b, r.split_once("]]")?)))
        {
            out.push_str(before);
            if keep {
                out.push_str(inside);
            }
            rest = after.to_owned();
        }
        out.push_str(&rest);
    }
    for (name, function) in FORMATS {
        out = out.replace(name, if plain { "(" } else { function });
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_a_text() {
        let text = "-- what it is\nSELECT as_time(a) AS a[x$, b]], as_path(c) AS c[[, d]]\nFROM t\n";
        let formatted = "SELECT format_pico_time(a) AS a, sys.format_path(c) AS c, d\nFROM t";
        assert_eq!(expanded(text, false), formatted);
        assert_eq!(expanded(text, true), "SELECT (a) AS a, b, (c) AS c\nFROM t");
    }

    #[test]
    fn every_text_parses_in_both_forms() {
        for name in names() {
            let view = find(&name).unwrap();
            let arena = bumpalo::Bump::new();
            let mut lexed = parser::Lexed::new();
            lexed.tokenize(view.select.as_bytes(), 0, parser::Mode::default());
            let parsed = parser::parse(&arena, view.select.as_bytes(), &mut lexed);
            assert!(parsed.is_ok_and(|p| matches!(p.statement, parser::ast::Statement::Query(_))), "{name}");
        }
    }
}
