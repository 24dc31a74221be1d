//! `sql_quote_show_create = OFF`: SHOW CREATE prints identifiers without backticks where they need none; ANSI_QUOTES: it prints double quotes.
//!
//! The text is made with backticks everywhere and they are taken off here, outside of string literals, from words of letters, digits, `_` and `$`
//! that are not reserved and not digits alone. Tested: `tests/clients/test_settings.py`.

use parser::lexer::Kw;

/// Whether the name must be quoted.
fn needs_quotes(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii();
    name.is_empty()
        || !name.chars().all(plain)
        || name.chars().all(|c| c.is_ascii_digit())
        || Kw::lookup(name.as_bytes()).is_reserved()
}

/// A name in these quotes, or, where they are not wanted, only if it needs them.
pub(crate) fn quoted(name: &str, quote: char, always: bool) -> String {
    if always || needs_quotes(name) { parser::print::ident(name, quote) } else { name.to_owned() }
}

/// The text without superfluous backticks.
pub(crate) fn unquoted(text: &str) -> String {
    each_quoted(text, |word, out| {
        let name = word.trim_start_matches('`').trim_end_matches('`');
        out.push_str(if word.starts_with('`') && !needs_quotes(name) { name } else { word });
    })
}

/// The text with double quotes around names in place of backticks.
pub(crate) fn ansi(text: &str) -> String {
    each_quoted(text, |word, out| match word.strip_prefix('`').and_then(|w| w.strip_suffix('`')) {
        Some(name) => {
            out.push('"');
            out.push_str(&name.replace("``", "`").replace('"', "\"\""));
            out.push('"');
        }
        None => out.push_str(word),
    })
}

/// The text with `write` writing each string literal and name in backticks.
fn each_quoted(text: &str, write: impl Fn(&str, &mut String)) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '`']) {
        let (head, tail) = rest.split_at(at);
        out.push_str(head);
        let quote = if tail.starts_with('`') { '`' } else { '\'' };
        let (word, after) = tail.split_at(end_of(tail, quote));
        write(word, &mut out);
        rest = after;
    }
    out + rest
}

/// Bytes of the quoted word that `s` begins with.
fn end_of(s: &str, quote: char) -> usize {
    let mut chars = s.char_indices().skip(1).peekable();
    while let Some((i, c)) = chars.next() {
        if c == '\\' && quote == '\'' {
            chars.next();
        } else if c == quote {
            match chars.peek() {
                Some((_, n)) if *n == quote => drop(chars.next()),
                _ => return i + 1,
            }
        }
    }
    s.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_need_no_quotes() {
        let text =
            "CREATE TABLE `t` (\n  `select` int DEFAULT '`a`''\\'`b`',\n  `a b` int, `1` int, `x``y` int, `é1` int)";
        let want = "CREATE TABLE t (\n  `select` int DEFAULT '`a`''\\'`b`',\n  `a b` int, `1` int, `x``y` int, é1 int)";
        assert_eq!(unquoted(text), want);
    }

    #[test]
    fn double_quotes() {
        let text = "CREATE TABLE `t` (\n  `a``b\"c` int DEFAULT '`a`''\\'`b`')";
        assert_eq!(ansi(text), "CREATE TABLE \"t\" (\n  \"a`b\"\"c\" int DEFAULT '`a`''\\'`b`')");
    }
}
