//! The optimizer trace (MySQL's manual, "Tracing the Optimizer"): what planning tells while a statement is traced, and
//! its JSON.
//!
//! A trace belongs to the thread that plans, between [`start`] and [`finish`]; nothing is written, and nothing but one
//! flag of the
//! thread is read, while there is none. `bind` says which SELECT is being bound ([`enter`]), `opt::traced` fills its
//! [`Block`]. A block
//! that is planned again replaces what was told of it. The shape is MySQL's: `join_preparation`, `join_optimization`,
//! `join_execution`, of each SELECT by its number in the text; SELECTs of views follow.
//!
//! Tested: `tests/clients/test_optimizer_trace.py`.

use crate::expr::Expr;
use std::cell::{Cell, RefCell};
use std::fmt::Write;

/// A value of the trace.
#[derive(Clone, Debug)]
pub enum Json {
    /// Members in order.
    Object(Vec<(&'static str, Json)>),
    /// Elements.
    Array(Vec<Json>),
    /// Text.
    Text(String),
    /// An estimate or a count.
    Number(f64),
    /// Truth.
    Bool(bool),
}

impl From<&str> for Json {
    fn from(s: &str) -> Json {
        Json::Text(s.to_owned())
    }
}
impl From<String> for Json {
    fn from(s: String) -> Json {
        Json::Text(s)
    }
}
impl From<bool> for Json {
    fn from(b: bool) -> Json {
        Json::Bool(b)
    }
}
impl From<f64> for Json {
    fn from(n: f64) -> Json {
        Json::Number(n)
    }
}
impl From<Vec<Json>> for Json {
    fn from(list: Vec<Json>) -> Json {
        Json::Array(list)
    }
}

/// An object of these members.
#[macro_export]
#[doc(hidden)]
macro_rules! trace_object {
    ($($name:literal : $value:expr),* $(,)?) => {
        $crate::trace::Json::Object(vec![$(($name, $crate::trace::Json::from($value))),*])
    };
}

impl From<Vec<(&'static str, Json)>> for Json {
    fn from(members: Vec<(&'static str, Json)>) -> Json {
        Json::Object(members)
    }
}

/// How an expression is printed: with columns named by slot and position.
pub(crate) type Print = fn(&Expr, &dyn Fn(u16, u16) -> String) -> String;

/// What is wanted (`optimizer_trace`, `optimizer_trace_features`).
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// No line breaks.
    pub one_line: bool,
    /// The search for a join order in detail.
    pub greedy_search: bool,
    /// The ranges that were weighed.
    pub range_optimizer: bool,
}

/// A SELECT.
#[derive(Clone, Debug, Default)]
struct Block {
    /// Where its text begins; SELECTs of views behind all others.
    at: usize,
    /// Steps of its optimization.
    steps: Vec<Json>,
}

struct Trace {
    options: Options,
    print: Print,
    /// Where the statement's text lies: other texts are views'.
    text: usize,
    blocks: Vec<Block>,
    /// SELECTs being bound, as positions in `blocks`.
    open: Vec<usize>,
    /// Access paths that were weighed since they were asked for last.
    paths: Vec<Json>,
    /// The statement reads traces itself.
    discarded: bool,
}

thread_local! {
    static ON: Cell<bool> = const { Cell::new(false) };
    static TRACE: RefCell<Option<Trace>> = const { RefCell::new(None) };
}

/// Whether a trace is being written.
#[inline]
pub(crate) fn on() -> bool {
    ON.get()
}

/// Begins one on this thread, of a statement with this text.
pub(crate) fn begin(options: Options, print: Print, text: &[u8]) {
    let text = text.as_ptr().addr();
    let trace =
        Trace { options, print, text, blocks: Vec::new(), open: Vec::new(), paths: Vec::new(), discarded: false };
    TRACE.set(Some(trace));
    ON.set(true);
}

fn with<R>(f: impl FnOnce(&mut Trace) -> R) -> Option<R> {
    TRACE.with_borrow_mut(|t| t.as_mut().map(f))
}

/// A SELECT is being bound until the guard goes.
pub(crate) struct Entered(bool);

impl Drop for Entered {
    fn drop(&mut self) {
        if self.0 {
            with(|t| t.open.pop());
        }
    }
}

/// A SELECT whose text begins at `at` of `text` is bound from here on.
#[inline]
pub(crate) fn enter(text: &[u8], at: usize) -> Entered {
    if on() {
        let text = text.as_ptr().addr();
        with(|t| {
            let at = if text == t.text { at } else { usize::MAX / 2 + at };
            let known = t.blocks.iter().position(|b| b.at == at);
            let place = known.unwrap_or_else(|| {
                t.blocks.push(Block { at, steps: Vec::new() });
                t.blocks.len() - 1
            });
            t.open.push(place);
        });
        return Entered(true);
    }
    Entered(false)
}

/// What is wanted of the trace that is being written.
pub(crate) fn options() -> Options {
    with(|t| t.options).unwrap_or(Options { one_line: false, greedy_search: false, range_optimizer: false })
}

/// The text of an expression.
pub(crate) fn text(e: &Expr, name: &dyn Fn(u16, u16) -> String) -> String {
    with(|t| t.print).map_or(String::new(), |print| print(e, name))
}

/// The steps of the SELECT that is being bound: what was told of it before is replaced.
pub(crate) fn optimized(steps: Vec<Json>) {
    with(|t| {
        let place = t.open.last().copied().unwrap_or_else(|| {
            t.blocks.push(Block::default());
            t.blocks.len() - 1
        });
        if let Some(b) = t.blocks.get_mut(place) {
            b.steps = steps;
        }
    });
}

/// The statement reads OPTIMIZER_TRACE: nothing is told of it.
pub(crate) fn discard() {
    with(|t| t.discarded = true);
}

/// An access path was weighed.
pub(crate) fn path(p: Json) {
    with(|t| t.paths.push(p));
}

/// Those that were weighed since they were asked for last.
pub(crate) fn paths() -> Vec<Json> {
    with(|t| std::mem::take(&mut t.paths)).unwrap_or_default()
}

/// What was told of a statement.
pub struct Told(Trace);

/// Ends the thread's trace; nothing that is planned from here on is in it.
pub fn finish() -> Option<Told> {
    ON.set(false);
    TRACE.take().filter(|t| !t.discarded).map(Told)
}

impl Told {
    /// Its JSON. `expanded`: the statement's canonical text; `verb`: what prepares it, such as `join_preparation`;
    /// `ran`: it
    /// was executed too.
    pub fn json(self, expanded: Option<&str>, verb: &'static str, ran: bool) -> String {
        json(self.0, expanded, verb, ran)
    }
}

fn json(mut t: Trace, expanded: Option<&str>, verb: &'static str, ran: bool) -> String {
    t.blocks.sort_by_key(|b| b.at);
    let number = |n: usize| Json::Number((n + 1) as f64);
    let mut steps = Vec::new();
    let mut prepared: Vec<Json> = Vec::new();
    for n in 1..t.blocks.len() {
        let text = expanded.and_then(|text| inner(text, n + 1));
        let own = text.map(|text| trace_object! {"expanded_query": text}).into_iter().collect::<Vec<_>>();
        prepared.push(trace_object! {"join_preparation": trace_object! {"select#": number(n), "steps": own}});
    }
    if let Some(text) = expanded {
        prepared.push(trace_object! {"expanded_query": text});
    }
    steps.push(Json::Object(vec![(verb, trace_object! {"select#": number(0), "steps": prepared})]));
    let own: Vec<(usize, Vec<Json>)> = t.blocks.drain(..).map(|b| b.steps).enumerate().collect();
    for (n, list) in own.into_iter().filter(|b| !b.1.is_empty()) {
        steps.push(trace_object! {"join_optimization": trace_object! {"select#": number(n), "steps": list}});
    }
    if ran {
        steps.push(trace_object! {"join_execution": trace_object! {"select#": number(0), "steps": Vec::<Json>::new()}});
    }
    let mut out = String::new();
    write(&trace_object! {"steps": steps}, 0, t.options.one_line, &mut out);
    out
}

/// The part `/* select#n */ ...` of a canonical text, up to the parenthesis that ends it.
fn inner(text: &str, n: usize) -> Option<&str> {
    let from = text.find(&format!("/* select#{n} */"))?;
    let rest = text.get(from..)?;
    let (mut depth, mut quote) = (0, None);
    for (at, c) in rest.char_indices() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '`' | '"') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => return rest.get(..at),
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    Some(rest)
}

/// Six digits that count, as C's `%g`.
fn number(n: f64) -> String {
    if n.fract() == 0.0 && n.abs() < 1e15 {
        return format!("{n:.0}");
    }
    let digits = 5 - n.abs().log10().floor() as i32;
    let text = format!("{n:.*}", digits.clamp(0, 12) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn quoted(s: &str, out: &mut String) {
    let mut b = Vec::new();
    value::json::print::quoted(s.as_bytes(), &mut b);
    out.push_str(&String::from_utf8_lossy(&b));
}

/// MySQL's layout: two blanks for each level, also of what is empty.
fn write(j: &Json, depth: usize, one_line: bool, out: &mut String) {
    let line = |out: &mut String, depth: usize| {
        if !one_line {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", depth));
        }
    };
    match j {
        Json::Text(s) => quoted(s, out),
        Json::Number(n) => {
            let _ = write!(out, "{}", number(*n));
        }
        Json::Bool(b) => {
            let _ = write!(out, "{b}");
        }
        Json::Object(members) => {
            out.push('{');
            for (n, (name, value)) in members.iter().enumerate() {
                if n > 0 {
                    out.push(',');
                }
                line(out, depth + 1);
                let _ = write!(out, "\"{name}\": ");
                write_value(value, depth + 1, one_line, out);
            }
            line(out, depth);
            out.push('}');
        }
        Json::Array(list) => {
            out.push('[');
            for (n, value) in list.iter().enumerate() {
                if n > 0 {
                    out.push(',');
                }
                line(out, depth + 1);
                write_value(value, depth + 1, one_line, out);
            }
            line(out, depth);
            out.push(']');
        }
    }
}

fn write_value(j: &Json, depth: usize, one_line: bool, out: &mut String) {
    write(j, depth, one_line, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits() {
        let texts = [0.35, 2.65, 33.333_33, 0.350_103, 1.0, 1_234_567.0, 123.456_789, 0.000_012_345_678].map(number);
        assert_eq!(texts, ["0.35", "2.65", "33.3333", "0.350103", "1", "1234567", "123.457", "0.0000123457"]);
    }

    #[test]
    fn layout() {
        let j = trace_object! {"steps": vec![trace_object! {"a": 1.0, "b": Vec::<Json>::new()}, Json::from("x\"")]};
        let mut out = String::new();
        write(&j, 0, false, &mut out);
        assert_eq!(
            out,
            "{\n  \"steps\": [\n    {\n      \"a\": 1,\n      \"b\": [\n      ]\n    },\n    \"x\\\"\"\n  ]\n}"
        );
        out.clear();
        write(&j, 0, true, &mut out);
        assert_eq!(out, "{\"steps\": [{\"a\": 1,\"b\": []},\"x\\\"\"]}");
    }

    #[test]
    fn parts_of_a_canonical_text() {
        let text = "/* select#1 */ select (/* select#2 */ select ')' AS `)` from (`t`)) AS `x`";
        assert_eq!(inner(text, 2), Some("/* select#2 */ select ')' AS `)` from (`t`)"));
        assert_eq!(inner(text, 3), None);
    }
}
