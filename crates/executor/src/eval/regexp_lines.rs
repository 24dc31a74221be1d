//! What ICU means by lines where the library means something else: `$` matches before a line terminator at the end of the text too, `.` takes
//! no line terminator (carriage return, vertical tab, form feed, U+0085, U+2028, U+2029 as well as the line feed), and with the flag `m`
//! `^` does not match behind the last one. Flags that are set inside a group (`(a(?i)b)`) end with it. `\Q...\E` quotes.
//!
//! A pattern is only written anew for texts in which that makes a difference, and where flags are set inside of groups: the library runs what
//! it was given as fast as it can, and what is written here with lookahead slower.
//!
//! Source: ICU User Guide, "Regular Expressions" (operators and flags). Tested: golden `regexp_lines`.

use std::borrow::Cow;

/// In a bracket expression.
const TERMINATORS: &str = "\\n\\r\\x0b\\x0c\\x{85}\\x{2028}\\x{2029}";

/// Line terminators of ICU.
pub(super) fn is_terminator(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Flags at a place of the pattern.
#[derive(Clone, Copy, Default)]
struct Flags {
    multi: bool,
    dot: bool,
    /// White space and `#` comments.
    extended: bool,
}

/// An open group, with the flags before it and the flag groups that were opened inside of it.
struct Group {
    before: Flags,
    opened: Vec<String>,
}

/// A pattern for a text. `lines`: whether what is special about lines matters to it ([`matter`]).
pub(super) fn translated(p: &str, multi: bool, dot: bool, lines: bool) -> Cow<'_, str> {
    if !lines && !inside_flags(p) && !p.contains("\\Q") {
        return Cow::Borrowed(p);
    }
    let mut out = String::with_capacity(p.len() * 2);
    let mut flags = Flags { multi, dot, extended: false };
    let mut groups = vec![Group { before: flags, opened: Vec::new() }];
    let mut rest = p;
    while let Some(c) = rest.chars().next() {
        if let Some(quoted) = rest.strip_prefix("\\Q") {
            let (text, tail) = quoted.split_once("\\E").unwrap_or((quoted, ""));
            for c in text.chars() {
                if c.is_ascii() && !c.is_ascii_alphanumeric() {
                    out.push('\\');
                }
                out.push(c);
            }
            rest = tail;
            continue;
        }
        if let Some(n) = copied(rest) {
            let (head, tail) = rest.split_at_checked(n).unwrap_or((rest, ""));
            out.push_str(head);
            rest = tail;
            continue;
        }
        let (head, tail) = rest.split_at(c.len_utf8());
        rest = tail;
        match c {
            '#' if flags.extended => {
                let end = tail.find('\n').unwrap_or(tail.len());
                rest = tail.get(end..).unwrap_or("");
            }
            '(' => match flag_group(tail) {
                // `(?i)`: until the end of the group around it
                Some((set, len, ')')) => {
                    flags = with(flags, set);
                    let text = format!("(?{set}:");
                    out.push_str(&text);
                    if let Some(g) = groups.last_mut() {
                        g.opened.push(text);
                    }
                    rest = tail.get(len..).unwrap_or("");
                }
                Some((set, len, _)) => {
                    groups.push(Group { before: flags, opened: Vec::new() });
                    flags = with(flags, set);
                    out.push('(');
                    out.push_str(tail.get(..len).unwrap_or(""));
                    rest = tail.get(len..).unwrap_or("");
                }
                None => {
                    groups.push(Group { before: flags, opened: Vec::new() });
                    out.push('(');
                }
            },
            ')' => {
                if groups.len() > 1
                    && let Some(g) = groups.pop()
                {
                    out.extend(g.opened.iter().map(|_| ')'));
                    flags = g.before;
                }
                out.push(')');
            }
            // an alternative of the whole group: its flags hold behind the bar too
            '|' => {
                let opened = groups.last().map(|g| g.opened.as_slice()).unwrap_or_default();
                out.extend(opened.iter().map(|_| ')'));
                out.push('|');
                out.extend(opened.iter().map(String::as_str));
            }
            '$' if lines && flags.multi => out.push_str(&format!("(?=[{TERMINATORS}]|\\z)")),
            '$' if lines => out.push_str(&format!("(?=(?:\\r\\n|[{TERMINATORS}])?\\z)")),
            '^' if lines && flags.multi => out.push_str(&format!("(?:\\A|(?<=[{TERMINATORS}])(?!\\z))")),
            '.' if lines && !flags.dot => out.push_str(&format!("[^{TERMINATORS}]")),
            _ => out.push_str(head),
        }
    }
    if let Some(g) = groups.first() {
        out.extend(g.opened.iter().map(|_| ')'));
    }
    Cow::Owned(out)
}

/// Whether lines may matter: the pattern names them and the text has more than line feeds inside.
pub(super) fn matter(p: &str, text: &str) -> bool {
    p.contains(['$', '.', '^']) && (text.ends_with('\n') || text.contains(|c: char| c != '\n' && is_terminator(c)))
}

/// Length of what is copied as it is: an escape, a bracket expression.
fn copied(rest: &str) -> Option<usize> {
    if rest.starts_with('\\') {
        return Some(1 + rest.chars().nth(1).map_or(0, char::len_utf8));
    }
    if !rest.starts_with('[') {
        return None;
    }
    let (mut depth, mut at) = (0usize, 0usize);
    let mut chars = rest.char_indices();
    while let Some((i, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '[' => depth += 1,
            // the first member of a set
            ']' if depth == 1 && matches!(rest.get(1..i), Some("" | "^")) => {}
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            at = i + 1;
            break;
        }
    }
    Some(if at == 0 { rest.len() } else { at })
}

/// `?flags)` or `?flags:` behind a parenthesis: the flags, the length, how it ends.
fn flag_group(tail: &str) -> Option<(&str, usize, char)> {
    let flags = tail.strip_prefix('?')?;
    let n = flags.find(|c: char| !matches!(c, 'i' | 'm' | 's' | 'x' | '-'))?;
    let end = flags.get(n..)?.chars().next().filter(|c| matches!(c, ')' | ':'))?;
    if n == 0 && end == ')' {
        return None;
    }
    Some((flags.get(..n)?, n + 2, end))
}

fn with(mut f: Flags, set: &str) -> Flags {
    let mut on = true;
    for c in set.chars() {
        match c {
            '-' => on = false,
            'm' => f.multi = on,
            's' => f.dot = on,
            'x' => f.extended = on,
            _ => {}
        }
    }
    f
}

/// Whether flags are set inside of a group.
fn inside_flags(p: &str) -> bool {
    p.match_indices("(?").any(|(i, _)| i > 0 && matches!(flag_group(p.get(i + 1..).unwrap_or("")), Some((_, _, ')'))))
}
