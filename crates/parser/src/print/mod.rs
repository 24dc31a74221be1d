//! MySQL's canonical text of a query: what SHOW CREATE VIEW and information_schema.VIEWS print.
//!
//! What it is: [`query`] walks a syntax tree and writes backquoted names, lower-case keywords and functions, parentheses
//! around every operator, joins in nested parentheses, RIGHT JOIN turned into LEFT JOIN. What names mean is not known here:
//! a [`Resolution`], filled by the planner while it binds the same tree (keys are places in the statement's text), says
//! which table a column belongs to, what `*` stands for, what USING compares and how a result column is called. Without
//! entries names are printed as they were written.
//!
//! Rules: printing what the printed text parses to gives the same text again (`tests.rs`, and `examples/print_corpus.rs`
//! over the corpus). Bytes that are not UTF-8 become hexadecimal literals, so the text is always UTF-8 whatever the
//! character set of the client was. No locks, no globals.
//!
//! Source: the manual's SHOW CREATE VIEW and "The INFORMATION_SCHEMA VIEWS Table", and MariaDB's answers beside us (which
//! leave out the parentheses that precedence makes superfluous).

mod dml;
mod expr;
mod flat;
mod func;
mod query;
#[cfg(test)]
mod tests;

pub use dml::dml;

use crate::ast::{Expr, LitValue, QueryExpr, Span, TableName};
use std::collections::HashMap;

/// How a column reference is printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Name {
    /// Schema of the table, when it is known by its own name.
    pub schema: Option<String>,
    /// Table or its alias; `None` for an alias of the select list.
    pub table: Option<String>,
    /// Column or alias.
    pub column: String,
}

/// What binding found out about the places of a query's text.
#[derive(Clone, Debug, Default)]
pub struct Resolution {
    /// Column references by the start of their span.
    pub columns: HashMap<u32, Name>,
    /// `*` and `t.*` by the start of their span: the columns with their names.
    pub wildcards: HashMap<u32, Vec<(Name, String)>>,
    /// Names of the result columns of expressions, by the start of the expression's span.
    pub items: HashMap<u32, String>,
    /// Schemas of the tables of FROM, by the start of the name's span; `None` for a common table expression.
    pub tables: HashMap<u32, Option<String>>,
    /// What USING and NATURAL compare, by the span of the join.
    pub joins: HashMap<(u32, u32), Vec<(Name, Name)>>,
    /// Columns of tables with aliases are noted with the schema, as EXPLAIN shows them.
    pub schemas: bool,
}

/// How to print.
#[derive(Clone, Copy, Debug)]
pub struct Style<'s> {
    /// Names of this schema are printed without it.
    pub hide_schema: Option<&'s str>,
    /// Quote of identifiers: `` ` `` or, under ANSI_QUOTES, `"`.
    pub quote: char,
    /// `/* select#N */` before each query block, counted in the order of the text (EXPLAIN's note).
    pub select_ids: bool,
    /// The expression belongs to a table's definition: columns are printed without their table, strings and casts to CHAR
    /// name the character set that they have by default, which is this one.
    pub stored: Option<&'s str>,
    /// Literals are what a client sent: number of its collation, and what makes of a literal's bytes those in another
    /// character set, or (`None`: it has an introducer) those that the client sent.
    pub sent: Option<Sent>,
}

/// See [`Style::sent`].
pub type Sent = (u16, fn(u16, Option<&str>, &[u8]) -> Vec<u8>);

impl Default for Style<'_> {
    fn default() -> Self {
        Style { hide_schema: None, quote: '`', select_ids: false, stored: None, sent: None }
    }
}

/// The canonical text of a query.
pub fn query(q: &QueryExpr<'_>, names: &Resolution, style: Style<'_>) -> String {
    let mut p = Printer::new(names, style);
    p.query(q);
    p.out
}

/// The canonical text without schemas, if all names are of the schema `own`; otherwise with them.
pub fn compact(q: &QueryExpr<'_>, own: &str, quote: char) -> String {
    let names = Resolution::default();
    let mut p = Printer::new(&names, Style { hide_schema: Some(own), quote, ..Style::default() });
    p.query(q);
    if !p.foreign {
        return p.out;
    }
    query(q, &names, Style { quote, ..Style::default() })
}

/// The canonical text of an expression.
pub fn expr(e: &Expr<'_>, names: &Resolution, style: Style<'_>) -> String {
    let mut p = Printer::new(names, style);
    p.expr(e);
    p.out
}

/// The canonical text of an expression of a table's definition (generated column, default, CHECK, functional key part):
/// what it means does not depend on the session any more. `charset` is the connection's character set.
pub fn stored(e: &Expr<'_>, charset: &str, sent: Option<Sent>) -> String {
    expr(e, &Resolution::default(), Style { stored: Some(charset), sent, ..Style::default() })
}

/// An identifier in quotes.
pub fn ident(name: &str, quote: char) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    push_ident(&mut out, name, quote);
    out
}

fn push_ident(out: &mut String, name: &str, quote: char) {
    out.push(quote);
    for c in name.chars() {
        if c == quote {
            out.push(quote);
        }
        out.push(c);
    }
    out.push(quote);
}

/// The text under way.
struct Printer<'n, 's> {
    out: String,
    names: &'n Resolution,
    style: Style<'s>,
    /// Texts of the select list's items of the block being printed, for ORDER BY 1.
    items: Vec<String>,
    /// The block is a subquery of an expression: names of its columns are printed only where they were written.
    bare: bool,
    /// A schema was printed.
    foreign: bool,
    /// Query blocks printed.
    blocks: u32,
}

impl<'n, 's> Printer<'n, 's> {
    fn new(names: &'n Resolution, style: Style<'s>) -> Self {
        Printer { out: String::new(), names, style, items: Vec::new(), bare: false, foreign: false, blocks: 0 }
    }

    fn put(&mut self, s: &str) {
        self.out.push_str(s);
    }

    fn ident(&mut self, name: &str) {
        push_ident(&mut self.out, name, self.style.quote);
    }

    /// `@name`; the empty name only exists in the form of a string.
    fn user_var(&mut self, name: &str) {
        self.put("@");
        if name.is_empty() { self.put("''") } else { self.ident(name) }
    }

    /// Name of a character set or collation: a word, or a string when it is none (which names nothing).
    fn set_name(&mut self, name: &str) {
        if !name.is_empty()
            && (name == "binary" || !crate::lexer::Kw::lookup(name.as_bytes()).is_reserved())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && !name.starts_with(|c: char| c.is_ascii_digit())
        {
            self.put(name);
        } else {
            self.quoted(name);
        }
    }

    /// Name of a file, which no view has: what is not UTF-8 is shown as such.
    fn file(&mut self, path: &[u8]) {
        self.quoted(&String::from_utf8_lossy(path));
    }

    fn name(&mut self, n: &Name) {
        if let Some(s) = &n.schema
            && self.style.hide_schema != Some(s.as_str())
        {
            self.foreign = true;
            self.ident(s);
            self.put(".");
        }
        if let Some(t) = &n.table {
            self.ident(t);
            self.put(".");
        }
        self.ident(&n.column);
    }

    fn table_name(&mut self, t: &TableName<'_>) {
        let found = self.names.tables.get(&t.span.start);
        let schema = match found {
            Some(s) => s.clone(),
            None => t.schema.map(str::to_owned),
        };
        self.name(&Name { schema, table: None, column: t.name.to_owned() });
    }

    fn idents(&mut self, list: &[&str]) {
        self.put("(");
        self.comma(list, |p, n| p.ident(n));
        self.put(")");
    }

    fn comma<T>(&mut self, list: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (i, x) in list.iter().enumerate() {
            if i > 0 {
                self.put(",");
            }
            each(self, x);
        }
    }

    /// What `f` prints, as a text of its own.
    fn apart(&mut self, f: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.out);
        f(self);
        std::mem::replace(&mut self.out, before)
    }

    fn number(&mut self, n: impl std::fmt::Display) {
        self.out.push_str(&n.to_string());
    }

    /// `'text'`, or hexadecimal when the bytes are no text.
    fn string(&mut self, bytes: &[u8], charset: Option<&str>) {
        let ascii_only = charset.is_some_and(|c| !c.starts_with("utf8"));
        let text = std::str::from_utf8(bytes).ok().filter(|t| !ascii_only || t.is_ascii());
        if let Some(c) = charset {
            self.put("_");
            self.put(c);
        }
        match text {
            Some(t) => self.quoted(t),
            None => {
                if charset.is_some() {
                    self.put(" ");
                }
                self.hex(bytes);
            }
        }
    }

    fn quoted(&mut self, text: &str) {
        self.put("'");
        for c in text.chars() {
            match c {
                '\0' => self.put("\\0"),
                '\n' => self.put("\\n"),
                '\r' => self.put("\\r"),
                '\x1a' => self.put("\\Z"),
                '\\' => self.put("\\\\"),
                '\'' => self.put("\\'"),
                c => self.out.push(c),
            }
        }
        self.put("'");
    }

    fn bytes(&mut self, b: &[u8]) {
        self.string(b, None);
    }

    fn hex(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            self.put("x''");
            return;
        }
        self.put("0x");
        for b in bytes {
            self.out.push_str(&format!("{b:02x}"));
        }
    }

    fn literal(&mut self, v: &LitValue<'_>) {
        match v {
            LitValue::Null => self.put("NULL"),
            LitValue::Bool(true) => self.put("true"),
            LitValue::Bool(false) => self.put("false"),
            LitValue::Int(n) => self.number(n),
            LitValue::Decimal(t) | LitValue::Float(t) => self.put(t),
            LitValue::Str { bytes, charset } => {
                let set = charset.or(self.style.stored);
                match self.style.sent {
                    Some((client, to)) => {
                        let to_set = if charset.is_some() { None } else { Some(set.unwrap_or("utf8mb4")) };
                        self.string(&to(client, to_set, bytes), set);
                    }
                    None => self.string(bytes, set),
                }
            }
            LitValue::Hex { bytes, charset } | LitValue::Bit { bytes, charset } => {
                if let Some(c) = charset {
                    self.put("_");
                    self.put(c);
                    self.put(" ");
                }
                self.hex(bytes);
            }
            LitValue::Date(b) => self.temporal("DATE", b),
            LitValue::Time(b) => self.temporal("TIME", b),
            LitValue::Timestamp(b) => self.temporal("TIMESTAMP", b),
        }
    }

    fn temporal(&mut self, word: &str, b: &[u8]) {
        self.put(word);
        self.quoted(&String::from_utf8_lossy(b));
    }
}

/// Key of a join in [`Resolution::joins`].
pub fn join_key(span: Span) -> (u32, u32) {
    (span.start, span.end)
}
