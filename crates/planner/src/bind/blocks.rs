//! The hints of a whole statement, by query block: what QB_NAME, `@name` and SET_VAR need before the blocks are bound.
//!
//! A block may be told something by a hint of another one (`INDEX(@qb t i)`, `NO_INDEX(t@qb i)`), which may stand before or behind it. So
//! the statement's text is looked through once: words SELECT in their order are the blocks `select#1`, `select#2` ...; UPDATE and DELETE are
//! block 1 themselves, INSERT and REPLACE share it with their SELECT. Texts without hints cost one search for `/*+`.

use super::hints::{Hint, read};

/// A query block.
#[derive(Debug)]
pub(crate) struct Block {
    /// Place of its verb in the text.
    pub(crate) start: usize,
    /// UPDATE, DELETE, INSERT or REPLACE.
    pub(crate) dml: bool,
    /// `select#number`.
    pub(crate) number: u32,
    /// QB_NAME.
    pub(crate) name: Option<String>,
    pub(crate) hints: Vec<Hint>,
    /// What could not be read.
    pub(crate) bad: Option<String>,
}

impl Block {
    /// Whether a name means this block.
    pub(crate) fn is(&self, name: &str) -> bool {
        let own = self.name.as_deref().is_some_and(|n| super::scope::same_name(n, name));
        own || name.strip_prefix("select#").and_then(|n| n.parse().ok()) == Some(self.number)
    }
}

/// All blocks of a text that has hints; nothing for a text without.
pub(crate) fn blocks(sql: &[u8]) -> Vec<Block> {
    if !sql.windows(3).any(|w| w == b"/*+") {
        return Vec::new();
    }
    let mut s = Scan { sql, at: 0 };
    let mut out: Vec<Block> = Vec::new();
    // INSERT ... SELECT: both are block 1
    let mut shared = false;
    while let Some(word) = s.word() {
        let start = s.at - word.len();
        let is = |w: &str| word.eq_ignore_ascii_case(w.as_bytes());
        let select = is("SELECT");
        let verb = is("UPDATE") || is("DELETE") || is("INSERT") || is("REPLACE");
        // behind WITH only a hint shows that it is the statement's
        let first = verb && (out.is_empty() || s.at_hint());
        if !select && !first {
            continue;
        }
        let number = match out.last() {
            Some(b) if select && std::mem::take(&mut shared) => b.number,
            Some(b) => b.number + 1,
            None => 1,
        };
        shared |= first && (is("INSERT") || is("REPLACE"));
        let (hints, bad) = s.hint().map_or((Vec::new(), None), read);
        let name = hints.iter().find(|h| h.name == "QB_NAME").and_then(|h| h.words.first().cloned());
        out.push(Block { start, dml: first, number, name, hints, bad });
    }
    out
}

/// `SET_VAR(variable = value)` of a statement's first block, as (variable, value without quotes).
pub fn set_vars(sql: &[u8]) -> Vec<(String, String)> {
    let blocks = blocks(sql);
    let own = blocks.iter().find(|b| b.dml).or(blocks.first()).map_or(&[][..], |b| &b.hints);
    own.iter().filter(|h| h.name == "SET_VAR").filter_map(|h| assignment(&h.body)).collect()
}

/// `name = value`.
pub(crate) fn assignment(body: &str) -> Option<(String, String)> {
    let (name, value) = body.split_once('=')?;
    let value = value.trim();
    let quoted = |q: char| value.strip_prefix(q).and_then(|v| v.strip_suffix(q));
    let value = quoted('\'').or_else(|| quoted('"')).unwrap_or(value);
    Some((name.trim().trim_matches('`').to_ascii_lowercase(), value.to_owned()))
}

struct Scan<'s> {
    sql: &'s [u8],
    at: usize,
}

impl<'s> Scan<'s> {
    fn byte(&self, ahead: usize) -> u8 {
        self.sql.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// The next word outside of strings, quoted names and comments; `at` is behind it.
    fn word(&mut self) -> Option<&'s [u8]> {
        loop {
            match (self.byte(0), self.byte(1)) {
                _ if self.at >= self.sql.len() => return None,
                (q @ (b'\'' | b'"' | b'`'), _) => self.quoted(q),
                (b'/', b'*') => self.comment(),
                (b'#', _) => self.line(),
                (b'-', b'-') if self.byte(2) <= b' ' => self.line(),
                (c, _) if c.is_ascii_alphabetic() || c == b'_' || c == b'$' || c >= 0x80 => {
                    let start = self.at;
                    let part = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c >= 0x80;
                    while part(self.byte(0)) {
                        self.at += 1;
                    }
                    return self.sql.get(start..self.at);
                }
                (c, _) if c.is_ascii_digit() || c == b'@' || c == b'.' => {
                    // numbers, variables and names behind a dot are no keywords
                    self.at += 1;
                    while self.byte(0).is_ascii_alphanumeric() || self.byte(0) == b'_' {
                        self.at += 1;
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    fn quoted(&mut self, q: u8) {
        self.at += 1;
        while self.at < self.sql.len() {
            match self.byte(0) {
                b'\\' if q != b'`' => self.at += 2,
                c if c == q => {
                    self.at += 1;
                    return;
                }
                _ => self.at += 1,
            }
        }
    }

    /// A comment; of a version comment (`/*!80000 ...`) only its beginning.
    fn comment(&mut self) {
        if self.byte(2) == b'!' {
            self.at += 3;
            return;
        }
        let rest = self.sql.get(self.at + 2..).unwrap_or(&[]);
        let end = rest.windows(2).position(|w| w == b"*/").map_or(rest.len(), |n| n + 2);
        self.at += 2 + end;
    }

    fn line(&mut self) {
        while self.at < self.sql.len() && self.byte(0) != b'\n' {
            self.at += 1;
        }
    }

    /// Whether a hint follows.
    fn at_hint(&mut self) -> bool {
        while self.byte(0).is_ascii_whitespace() {
            self.at += 1;
        }
        self.sql.get(self.at..).is_some_and(|r| r.starts_with(b"/*+"))
    }

    /// The text of the hint that follows the verb.
    fn hint(&mut self) -> Option<&'s [u8]> {
        if !self.at_hint() {
            return None;
        }
        let rest = self.sql.get(self.at..)?.strip_prefix(b"/*+")?;
        let end = rest.windows(2).position(|w| w == b"*/")?;
        self.at += end + 5;
        rest.get(..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_numbered_in_the_order_of_the_text() {
        let sql = b"SELECT /*+ QB_NAME(a) */ 'select' FROM (SELECT /*+ NO_INDEX(t i) */ 1) d, `select` WHERE @select -- select\n = 1";
        let b = blocks(sql);
        assert_eq!(b.len(), 2);
        assert_eq!((b[0].number, b[0].start, b[0].name.as_deref()), (1, 0, Some("a")));
        assert_eq!((b[1].number, b[1].hints.len()), (2, 1));
        assert!(b[1].is("select#2") && !b[1].is("a") && b[0].is("A"));
        assert!(blocks(b"SELECT 1").is_empty());
    }

    #[test]
    fn insert_shares_its_block_with_its_select() {
        let b = blocks(b"INSERT /*+ SET_VAR(sql_mode = 'A,B') */ INTO t SELECT 1 FROM (SELECT 2) x");
        assert_eq!(b.iter().map(|b| b.number).collect::<Vec<_>>(), [1, 1, 2]);
        assert_eq!(set_vars(b"INSERT /*+ SET_VAR(sql_mode = 'A,B') */ INTO t"), [("sql_mode".into(), "A,B".into())]);
    }
}
