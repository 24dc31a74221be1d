//! Tables for a terminal.

use super::{Section, Table};
use crate::outcome::Outcome;
use crate::progress::span;

/// Everything as text.
pub(crate) fn terminal(o: &Outcome, sections: &[Section]) -> String {
    let mut out = String::new();
    if o.quick {
        out += "QUICK: small and short; for figures to quote run without --quick.\n";
    }
    for s in sections {
        for t in &s.tables {
            out += &format!("\n{}: {}\n{}", s.experiment, t.title, table(t));
        }
    }
    let failures: Vec<_> = o.measured.iter().filter_map(|m| m.error.as_ref().map(|e| (&m.key, e))).collect();
    if !failures.is_empty() {
        out += "\nFailed:\n";
        for (k, e) in failures {
            let first = e.lines().collect::<Vec<_>>().join(" | ");
            out += &format!("  {}, {}, {}, round {}: {first}\n", k.experiment, k.server, k.point, k.round);
        }
    }
    if !o.left_out.is_empty() {
        out += "\nLeft out:\n";
        for l in &o.left_out {
            out += &format!("  {}: {}: {}\n", l.experiment, l.what, l.why);
        }
    }
    out + &format!("\nIt took {}.", span(o.seconds))
}

/// Columns as wide as they must be; all but the first to the right.
fn table(t: &Table) -> String {
    let all = || std::iter::once(&t.head).chain(&t.rows);
    let columns = all().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| all().filter_map(|r| r.get(c)).map(|v| v.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in all() {
        for (i, (cell, w)) in row.iter().zip(&widths).enumerate() {
            let space = " ".repeat(w.saturating_sub(cell.chars().count()));
            if i == 0 { out += &format!("  {cell}{space}") } else { out += &format!("  {space}{cell}") }
        }
        out = out.trim_end().to_owned() + "\n";
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other() {
        let mut t = Table::new("x", &["name", "value"]);
        t.rows = vec![vec!["a".into(), "1".into()], vec!["longer".into(), "12,345 µs".into()]];
        assert_eq!(table(&t), "  name        value\n  a               1\n  longer  12,345 µs\n");
    }
}
