//! The page: one file, light or dark as the reader's system is, for wide and narrow windows.

use super::svg::{SIZES, draw};
use super::{Chart, Section, Table, escape};
use crate::client::Answer;
use crate::outcome::{Outcome, Told};
use crate::progress::span;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

/// The whole page.
pub(crate) fn html(o: &Outcome, sections: &[Section]) -> String {
    let mut names: Vec<String> = o.servers.iter().map(|s| s.0.clone()).collect();
    for (name, quoted) in sections.iter().flat_map(|s| &s.charts).flat_map(Chart::names) {
        if !quoted && !names.iter().any(|n| n == name) {
            names.push(name.to_owned());
        }
    }
    let color = |name: &str| names.iter().position(|n| n == name).unwrap_or(0) % 8;
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>Evenkeel lab</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<header><h1>Evenkeel lab</h1>"
    );
    if o.quick {
        out += "<p class=\"mark\">quick: small and short, not for quoting</p>";
    }
    if !o.finished {
        out += "<p class=\"mark\">not finished</p>";
    }
    out += "</header>\n<main>\n";
    out += &facts(o);
    for s in sections {
        out += &section(o, s, &color);
    }
    out + "</main>\n</body>\n</html>\n"
}

/// Where and how it was measured.
fn facts(o: &Outcome) -> String {
    let mut t = Table::new("", &[]);
    let row = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
    for (name, version) in &o.servers {
        t.rows.push(row(name, version));
    }
    t.rows.push(row("measured by", &format!("evenkeel {}", o.program)));
    t.rows.push(row("command", &format!("evenkeel lab {}", o.written.join(" "))));
    t.rows.push(row("took", &span(o.seconds)));
    t.rows.extend(o.machine.iter().map(|(a, b)| row(a, b)));
    format!("<section id=\"facts\">{}</section>\n", table(&t))
}

fn section(o: &Outcome, s: &Section, color: &dyn Fn(&str) -> usize) -> String {
    let mut out = format!(
        "<section id=\"{}\">\n<h2>{}</h2>\n<p>{}</p>\n",
        escape(&s.experiment),
        escape(&s.title),
        escape(&s.text)
    );
    for l in o.left_out.iter().filter(|l| l.experiment == s.experiment) {
        let _ = writeln!(out, "<p class=\"bad\">Left out: {}: {}</p>", escape(&l.what), escape(&l.why));
    }
    for m in o.measured.iter().filter(|m| m.key.experiment == s.experiment) {
        if let Some(e) = &m.error {
            let k = &m.key;
            let what = format!("{}, {}, round {}: {e}", k.server, k.point, k.round);
            let _ = writeln!(out, "<p class=\"bad\">Failed: {}</p>", escape(&what));
        }
    }
    out += "<div class=\"charts\">\n";
    for c in s.charts.iter().filter(|c| !c.names().is_empty()) {
        out += &chart(c, color);
    }
    out += "</div>\n";
    for t in s.tables.iter().filter(|t| !t.rows.is_empty()) {
        let _ = writeln!(out, "<h3>{}</h3>\n{}", escape(&t.title), table(t));
    }
    let told: Vec<&Told> = o.told.iter().filter(|t| t.experiment == s.experiment).collect();
    if !told.is_empty() {
        out += "<h3>Where one sees the cause</h3>\n";
    }
    for t in told {
        out += &answer(t);
    }
    out + "</section>\n"
}

fn chart(c: &Chart, color: &dyn Fn(&str) -> usize) -> String {
    let mut out = format!("<figure>\n<figcaption>{}</figcaption>\n", escape(&c.title));
    for size in SIZES {
        out += &draw(c, size, color);
    }
    out += "<ul class=\"legend\">";
    for (name, quoted) in c.names() {
        let class = if quoted { "quoted".to_owned() } else { format!("c{}", color(name)) };
        let _ = write!(out, "<li><i class=\"{class}\"></i>{}</li>", escape(name));
    }
    out + "</ul>\n</figure>\n"
}

fn table(t: &Table) -> String {
    let mut out = String::from("<div class=\"scroll\"><table>\n");
    if !t.head.is_empty() {
        out += "<tr>";
        t.head.iter().for_each(|h| out += &format!("<th>{}</th>", escape(h)));
        out += "</tr>\n";
    }
    for row in &t.rows {
        out += "<tr>";
        row.iter().for_each(|c| out += &format!("<td>{}</td>", escape(c)));
        out += "</tr>\n";
    }
    out + "</table></div>\n"
}

/// A question and what the server said.
fn answer(t: &Told) -> String {
    let mut out = format!(
        "<details open>\n<summary>{}: {} <span>({})</span></summary>\n<pre class=\"sql\">{}</pre>\n",
        escape(&t.server),
        escape(&t.title),
        escape(&t.point),
        escape(&t.sql)
    );
    match &t.answer {
        Err(e) => out += &format!("<p class=\"bad\">{}</p>\n", escape(e)),
        Ok(a) if a.rows.is_empty() => out += "<p>No rows.</p>\n",
        Ok(a) => out += &rows(a),
    }
    out + "</details>\n"
}

/// Rows as a table; texts of many lines (SHOW ENGINE INNODB STATUS, EXPLAIN) as they are.
fn rows(a: &Answer) -> String {
    let long = |c: &Option<String>| c.as_ref().is_some_and(|c| c.contains('\n'));
    if a.rows.iter().flatten().any(long) {
        let texts: Vec<&str> =
            a.rows.iter().flatten().flatten().map(String::as_str).filter(|t| t.contains('\n')).collect();
        return format!("<pre>{}</pre>\n", escape(texts.join("\n").trim()));
    }
    let cell = |c: &Option<String>| c.clone().unwrap_or_else(|| "NULL".into());
    let rows = a.rows.iter().map(|r| r.iter().map(cell).collect()).collect();
    table(&Table { title: String::new(), head: a.columns.clone(), rows })
}
