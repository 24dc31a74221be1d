//! What is printed can be parsed, and printing that gives the same text: views, generated columns, defaults and CHECKs are kept as printed text.
//!
//! Used as a module by `tests/reprint.rs` and `examples/fuzz.rs`.

use bumpalo::Bump;
use parser::ast::{ColumnAttr, IndexDef, KeyTarget, QueryBody, QueryExpr, SelectItem, TableElement};
use parser::print::{Resolution, Style, compact, query, stored};
use parser::{Expr, Lexed, Mode, Statement, parse};

/// What of a statement may be kept as text, printed each way there is.
pub fn texts(s: &Statement<'_>) -> Vec<(Way, String)> {
    let mut out = Vec::new();
    match s {
        Statement::Query(q) => of_query(q, &mut out),
        Statement::CreateView(v) => of_query(v.query, &mut out),
        Statement::CreateTable(t) => {
            t.elements.iter().for_each(|e| of_element(e, &mut out));
            if let Some(q) = t.select {
                of_query(q, &mut out);
            }
        }
        _ => {}
    }
    out
}

/// How a text was printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// `print::query`: a view in the dictionary.
    Query,
    /// `print::compact`: SHOW CREATE VIEW.
    Compact,
    /// `print::stored` of an expression.
    Stored,
}

fn of_query(q: &QueryExpr<'_>, out: &mut Vec<(Way, String)>) {
    let text = query(q, &Resolution::default(), Style::default());
    // what ends in INTO is in no view
    if text.contains(" into ") {
        return;
    }
    out.push((Way::Query, text));
    out.push((Way::Compact, compact(q, "test", '`')));
    if let QueryBody::Select(s) = q.body {
        for i in s.items {
            if let SelectItem::Expr { expr, .. } = i {
                of_expr(expr, out);
            }
        }
    }
}

fn of_expr(e: &Expr<'_>, out: &mut Vec<(Way, String)>) {
    let text = stored(e, "utf8mb4", None);
    // a table's definition holds no subquery
    if !text.contains("(select ") {
        out.push((Way::Stored, format!("select {text}")));
    }
}

fn of_index(i: &IndexDef<'_>, out: &mut Vec<(Way, String)>) {
    for p in i.parts {
        if let KeyTarget::Expr(e) = p.target {
            of_expr(e, out);
        }
    }
}

fn of_element(e: &TableElement<'_>, out: &mut Vec<(Way, String)>) {
    match e {
        TableElement::Column(c) => {
            for a in c.attributes {
                match a {
                    ColumnAttr::Default(e) => of_expr(e, out),
                    ColumnAttr::Generated { expr, .. } => of_expr(expr, out),
                    ColumnAttr::Check(c) => of_expr(c.expr, out),
                    _ => {}
                }
            }
        }
        TableElement::Index(i) => of_index(i, out),
        TableElement::Check(c) => of_expr(c.expr, out),
        TableElement::ForeignKey(_) => {}
    }
}

/// Parses what was printed and prints it again. `Err`: what is wrong.
pub fn again(way: Way, text: &str) -> Result<(), String> {
    let arena = Bump::new();
    let mut lexed = Lexed::new();
    lexed.tokenize(text.as_bytes(), 0, Mode::default());
    let p = match parse(&arena, text.as_bytes(), &mut lexed) {
        Ok(p) => p,
        // parentheses may be too deep for the small stack
        Err(e) if e.to_string().contains("1436") => return Ok(()),
        Err(e) => return Err(e.to_string()),
    };
    if p.end != text.len() {
        return Err(format!("ends at {} of {}", p.end, text.len()));
    }
    let Statement::Query(q) = p.statement else { return Err("no query".to_owned()) };
    let second = match (way, q.body) {
        (Way::Query, _) => query(q, &Resolution::default(), Style::default()),
        (Way::Compact, _) => compact(q, "test", '`'),
        (Way::Stored, QueryBody::Select(s)) => match s.items {
            [SelectItem::Expr { expr, .. }] => format!("select {}", stored(expr, "utf8mb4", None)),
            _ => return Err("not one expression".to_owned()),
        },
        (Way::Stored, _) => return Err("no select".to_owned()),
    };
    if second == text { Ok(()) } else { Err(format!("printed again: {second}")) }
}
