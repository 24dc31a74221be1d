//! REGEXP and its functions. What automata can search for runs on `regex-automata` (through `fancy_regex`, which
//! knows ICU's common syntax):
//! in time proportional to the text, with nothing to limit; where that may be long, on automata that can be
//! interrupted ([`regexp_long`](super::regexp_long)). The rest, and everything while one of the limits is
//! below its default, runs on
//! [`regexp_match`], which counts as ICU does. `regexp_error` says what is wrong with a pattern.

use base::{ErrorCode, SqlError, SqlResult};
use fancy_regex::{Regex, RegexBuilder};
use planner::func::family::Regexp;
use std::sync::Arc;
use value::{CollationId, SqlType, Value};

use super::regexp_engine::{Automaton, Bounds, Engine, Matches, Pattern, behind, expand};
use super::regexp_program::{NoProgram, Program};
use super::{Args, regexp_error, regexp_lines, regexp_long};
use crate::eval::Cx;

/// The match type, empty if the call has none; `None`: it is NULL.
fn match_type<'a>(f: Regexp, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Option<&'a [u8]>> {
    let at = match f {
        Regexp::RegexpLike => 2,
        Regexp::RegexpReplace | Regexp::RegexpInstr => 5,
        Regexp::RegexpSubstr => 4,
        Regexp::Rlike => usize::MAX,
    };
    if at < a.len() { a.text(at, cx) } else { Ok(Some(b"")) }
}

/// Bytes of the longest pattern. To make a program of it takes up to the square of its length.
const LONGEST: usize = 32 << 10;

/// How many compiled patterns a statement keeps: enough for a handful of calls, a column of a few patterns, a JSON
/// schema.
const KEPT: usize = 64;

/// What a compiled pattern depends on.
#[derive(PartialEq, Eq)]
struct Written {
    pattern: Box<[u8]>,
    flags: Box<[u8]>,
    /// Ignore case; over binary strings.
    modes: (bool, bool),
    /// Line terminators matter to the text that is searched ([`regexp_lines`]).
    lines: bool,
    counted: bool,
}

/// The patterns that a statement has compiled, the one used last in front. To compile one takes a hundred times as
/// long as to search a short text.
#[derive(Default)]
pub struct Compiled(Vec<(Written, Arc<Pattern>)>);

impl Compiled {
    /// The pattern ready for a search in `text`, compiled unless it was before.
    fn get(
        &mut self,
        pattern: &[u8],
        flags: &[u8],
        modes: (bool, bool),
        text: &str,
        counted: bool,
    ) -> SqlResult<Arc<Pattern>> {
        // a text that is not well-formed is refused by `compile`
        let lines = std::str::from_utf8(pattern).is_ok_and(|p| regexp_lines::matter(p, text));
        let same = |w: &Written| {
            *w.pattern == *pattern && *w.flags == *flags && (w.modes, w.lines, w.counted) == (modes, lines, counted)
        };
        if let Some(at) = self.0.iter().position(|(w, _)| same(w)) {
            self.0.get_mut(..=at).unwrap_or_default().rotate_right(1);
            if let Some((_, re)) = self.0.first() {
                return Ok(re.clone());
            }
        }
        // shared, not cloned: a clone would begin with empty working memory
        let re = Arc::new(compile(pattern, flags, modes, lines, counted)?);
        let written = Written { pattern: pattern.into(), flags: flags.into(), modes, lines, counted };
        self.0.truncate(KEPT - 1);
        self.0.insert(0, (written, re.clone()));
        Ok(re)
    }
}

/// `lines`: whether line terminators matter to what will be searched. `counted`: the search is, even where an
/// automaton could do it. `bytes`:
/// over binary strings, which are compared byte by byte even with the flag `i`.
fn compile(
    pattern: &[u8],
    flags: &[u8],
    (case_insensitive, bytes): (bool, bool),
    lines: bool,
    counted: bool,
) -> SqlResult<Pattern> {
    if pattern.len() > LONGEST {
        return Err(SqlError::new(ErrorCode::REGEXP_PATTERN_TOO_BIG, &[]));
    }
    // text that is not well-formed does not come from columns: no expression of it is legal
    let p = std::str::from_utf8(pattern).map_err(|_| SqlError::new(ErrorCode::REGEXP_ILLEGAL_ARGUMENT, &[]))?;
    let mut ci = case_insensitive;
    let (mut multi, mut dot) = (false, false);
    for b in flags {
        match b {
            b'c' => ci = false,
            b'i' => ci = !bytes,
            b'm' => multi = true,
            b'n' => dot = true,
            _ => {}
        }
    }
    if let Some(e) = regexp_error::taken(p) {
        return Err(e);
    }
    let written = p;
    let p = &*regexp_lines::translated(p, multi, dot, lines);
    let mut prefix = String::new();
    if ci || multi || dot {
        prefix.push_str("(?");
        if ci {
            prefix.push('i');
        }
        if multi {
            prefix.push('m');
        }
        if dot {
            prefix.push('s');
        }
        prefix.push(')');
    }
    let p = if bytes { std::borrow::Cow::Borrowed(p) } else { unicode_classes(p) };
    let whole = format!("{prefix}{p}");
    let refused = || regexp_error::of(written);
    let re = RegexBuilder::new(&whole).build().map_err(|_| refused())?;
    let names = re.capture_names().enumerate().filter_map(|(i, n)| Some((n?.to_owned(), i))).collect();
    let groups = re.captures_len();
    let engine = match Program::new(&whole) {
        Ok(steps) if counted || !is_automaton(&re) || !regexp_long::can(&whole) => Engine::Steps(steps),
        Err(NoProgram::Endless) => return Err(SqlError::new(ErrorCode::REGEXP_LOOK_BEHIND_LIMIT, &[])),
        // what neither can do does not exist in ICU
        Err(_) if !is_automaton(&re) => return Err(refused()),
        _ => Engine::Automaton(Box::new(Automaton { re, pattern: whole, long: std::sync::OnceLock::new() })),
    };
    Ok(Pattern { engine, names, groups })
}

/// Whether the library searches with an automaton, and not by trying.
fn is_automaton(re: &Regex) -> bool {
    struct Shown<'r>(&'r Regex);
    impl std::fmt::Display for Shown<'_> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            self.0.debug_print(f)
        }
    }
    /// Takes the first bytes and no more.
    struct Head(String);
    impl std::fmt::Write for Head {
        fn write_str(&mut self, s: &str) -> std::fmt::Result {
            self.0.push_str(s);
            if self.0.len() < 16 { Ok(()) } else { Err(std::fmt::Error) }
        }
    }
    let mut head = Head(String::new());
    // the error only says that there is enough
    let _ = std::fmt::write(&mut head, format_args!("{}", Shown(re)));
    head.0.starts_with("wrapped Regex")
}

/// `[:alpha:]` and so on mean the letters of all scripts (ICU), which the library takes for those of ASCII.
fn unicode_classes(p: &str) -> std::borrow::Cow<'_, str> {
    const CLASSES: [(&str, &str); 8] = [
        ("alpha", "\\p{Alphabetic}"),
        ("lower", "\\p{Lowercase}"),
        ("upper", "\\p{Uppercase}"),
        ("alnum", "\\p{Alphabetic}\\p{Nd}"),
        ("digit", "\\p{Nd}"),
        ("space", "\\p{White_Space}"),
        ("blank", "\\t\\p{Zs}"),
        ("punct", "[:punct:]\\p{P}"),
    ];
    if !p.contains("[:") {
        return p.into();
    }
    let (mut out, mut rest) = (String::with_capacity(p.len() + 16), p);
    while let Some(c) = rest.chars().next() {
        let class = rest.strip_prefix("[:").and_then(|r| {
            let (not, r) = r.strip_prefix('^').map_or((false, r), |r| (true, r));
            CLASSES.iter().find_map(|(name, set)| Some((not, set, r.strip_prefix(name)?.strip_prefix(":]")?)))
        });
        if let Some((not, set, after)) = class {
            out.push_str(if not { "[^" } else { "[" });
            out.push_str(set);
            out.push(']');
            rest = after;
            continue;
        }
        // an escaped bracket opens nothing
        let n = if c == '\\' { 1 + rest.chars().nth(1).map_or(0, char::len_utf8) } else { c.len_utf8() };
        let (head, tail) = rest.split_at(n);
        out.push_str(head);
        rest = tail;
    }
    out.into()
}

/// The functions of this family.
pub(super) fn call<'a>(f: Regexp, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let flags = match_type(f, a, cx)?;
    if flags.is_some_and(|list| list.iter().any(|b| !b"cimnu".contains(b))) {
        return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&f.name()]));
    }
    let end = if f == Regexp::RegexpInstr && a.len() > 4 { a.int(4, cx)? } else { Some(0) };
    if end.is_some_and(|n| !(0..=1).contains(&n)) {
        let wrong = "regexp_instr: return_option must be 1 or 0.";
        return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&wrong]));
    }
    let (Some(flags), Some(end)) = (flags, end) else { return Ok(Value::Null) };
    let (Some(s), Some(p)) = (a.text(0, cx)?, a.text(1, cx)?) else { return Ok(Value::Null) };
    let t = a.ty(0)?;
    let collation = t.collation.get();
    let ci = t.is_character() && collation.compare(b"a", b"A").is_eq();
    if p.is_empty() {
        return Err(SqlError::new(ErrorCode::REGEXP_ILLEGAL_ARGUMENT, &[]));
    }
    // other character sets are searched as UTF-8
    let cs = t.charset();
    let foreign = t.is_character() && !cs.is_utf8();
    let (mut s8, mut p8) = (Vec::new(), Vec::new());
    let bytes = is_binary(t) || is_binary(a.ty(1)?);
    if bytes {
        // each byte is a character of its own
        (s8, p8) = (widened(s)?, widened(p)?);
    } else if foreign {
        for piece in super::string::pieces(cs, s) {
            value::charset::convert(piece?, cs, value::Charset::Utf8mb4, &mut s8);
        }
        value::charset::convert(p, cs, value::Charset::Utf8mb4, &mut p8);
    }
    let (s, p) = if foreign || bytes { (s8.as_slice(), p8.as_slice()) } else { (s, p) };
    let well_formed = String::from_utf8_lossy(s);
    let text: &str = &well_formed;
    let bounds = Bounds::new(cx);
    let re = cx.memo.regexps.get(p, flags, (ci && !bytes, bytes), text, bounds.lowered())?;
    if matches!(f, Regexp::Rlike | Regexp::RegexpLike) {
        return Ok(Value::from_bool(matches(&re, text, bounds, cx)?));
    }
    // REGEXP_REPLACE has the replacement before position and occurrence
    let base = if f == Regexp::RegexpReplace { 3 } else { 2 };
    let pos = if a.len() > base { a.int(base, cx)? } else { Some(1) };
    let default = if f == Regexp::RegexpReplace { 0 } else { 1 };
    let occurrence = if a.len() > base + 1 { a.int(base + 1, cx)? } else { Some(default) };
    let (Some(pos), Some(occurrence)) = (pos, occurrence) else { return Ok(Value::Null) };
    let total = text.chars().count() as i64;
    if pos < 1 || pos > total + 1 {
        return Err(SqlError::new(ErrorCode::REGEXP_INDEX_OUTOFBOUNDS_ERROR, &[]));
    }
    let start = text.char_indices().nth(pos as usize - 1).map_or(text.len(), |c| c.0);
    let (head, tail) = text.split_at_checked(start).unwrap_or((text, ""));
    if f == Regexp::RegexpReplace {
        let Some(r) = a.text(2, cx)? else { return Ok(Value::Null) };
        let r = String::from_utf8_lossy(&if bytes { widened(r)? } else { r.to_vec() }).into_owned();
        let out = replaced(&re, (head, tail), &r, occurrence, bounds, cx)?;
        return Ok(result(a, out.as_bytes(), bytes));
    }
    let Some((from, to)) = nth_match(&re, tail, occurrence, bounds, cx)? else {
        return Ok(if f == Regexp::RegexpInstr { Value::Int(0) } else { Value::Null });
    };
    if f == Regexp::RegexpSubstr {
        return Ok(result(a, tail.get(from..to).unwrap_or("").as_bytes(), bytes));
    }
    let at = if end == 1 { to } else { from };
    let chars = tail.get(..at).unwrap_or("").chars().count() as i64;
    Ok(Value::Int(pos + chars))
}

/// The text `head` and `tail`, in whose second part the match number `occurrence` (0: each match) has given way to `r`,
/// whose `$1` stands for what the first group matched. Error 3684 beyond max_allowed_packet.
fn replaced(
    re: &Pattern,
    (head, tail): (&str, &str),
    r: &str,
    occurrence: i64,
    bounds: Bounds,
    cx: &mut Cx<'_>,
) -> SqlResult<String> {
    let limit = cx.env.vars.num(catalog::sysvar::Var::max_allowed_packet) as usize;
    let too_long = |n: usize| {
        let e = || SqlError::new(ErrorCode::REGEXP_BUFFER_OVERFLOW, &[]);
        if n > limit { Err(e()) } else { Ok(()) }
    };
    let groups = r.bytes().filter(|b| *b == b'$').count();
    let plain = !r.contains(['$', '\\']);
    let mut interrupt = || cx.check_killed();
    let mut matches = Matches::new(re, tail, bounds, &mut interrupt)?;
    let mut out = String::from(head);
    let (mut last, mut next, mut i) = (0, 0, 0);
    while next <= tail.len()
        && let Some(m) = matches.from(next, !plain)?
        && let Some(whole) = m.first().copied().flatten()
    {
        next = behind(tail, whole);
        i += 1;
        if occurrence != 0 && occurrence.max(1) != i {
            continue;
        }
        out.push_str(tail.get(last..whole.0).unwrap_or(""));
        too_long(out.len().saturating_add(r.len()).saturating_add((whole.1 - whole.0).saturating_mul(groups)))?;
        // a template is read character by character
        if plain {
            out.push_str(r);
        } else {
            expand(re, r, tail, &m, &mut out)?;
        }
        last = whole.1;
        if occurrence != 0 {
            break;
        }
    }
    out.push_str(tail.get(last..).unwrap_or(""));
    Ok(out)
}

/// Where the match number `n` begins and ends.
fn nth_match(re: &Pattern, text: &str, n: i64, bounds: Bounds, cx: &mut Cx<'_>) -> SqlResult<Option<(usize, usize)>> {
    let mut interrupt = || cx.check_killed();
    let mut matches = Matches::new(re, text, bounds, &mut interrupt)?;
    let (mut next, mut found) = (0, None);
    for _ in 0..n.max(1) {
        found = if next <= text.len() { matches.from(next, false)?.and_then(|m| *m.first()?) } else { None };
        let Some(place) = found else { break };
        next = behind(text, place);
    }
    Ok(found)
}

/// Whether a pattern matches somewhere.
fn matches(re: &Pattern, text: &str, bounds: Bounds, cx: &mut Cx<'_>) -> SqlResult<bool> {
    let mut interrupt = || cx.check_killed();
    Matches::new(re, text, bounds, &mut interrupt)?.any()
}

fn is_binary(t: &SqlType) -> bool {
    t.kind.is_string() && t.collation == CollationId::BINARY
}

/// Bytes as the characters U+0000 to U+00FF, in UTF-8.
fn widened(s: &[u8]) -> SqlResult<Vec<u8>> {
    let mut out = String::with_capacity(s.len());
    for piece in s.chunks(base::interrupt::SHARE) {
        base::interrupt::worked(piece.len())?;
        out.extend(piece.iter().copied().map(char::from));
    }
    Ok(out.into_bytes())
}

/// UTF-8 text in the character set of the call's result; `bytes`: it was [`widened`].
fn result<'a>(a: &Args<'a>, text: &[u8], bytes: bool) -> Value<'a> {
    if bytes {
        let narrow: Vec<u8> = String::from_utf8_lossy(text).chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
        return a.str(&narrow);
    }
    let cs = a.ty.charset();
    if !a.ty.is_character() || cs.is_utf8() {
        return a.str(text);
    }
    let mut out = Vec::new();
    value::charset::convert(text, value::Charset::Utf8mb4, cs, &mut out);
    a.str(&out)
}

/// Whether a pattern matches somewhere in a UTF-8 text, case-sensitively (JSON Schema's `pattern`).
pub(super) fn finds(pattern: &[u8], text: &[u8], cx: &mut Cx<'_>) -> SqlResult<bool> {
    let text: &str = &String::from_utf8_lossy(text);
    // MySQL searches here without its variables
    let bounds = Bounds { time: 32, stack: 8_000_000 };
    let re = cx.memo.regexps.get(pattern, b"", (false, false), text, false)?;
    matches(&re, text, bounds, cx)
}
