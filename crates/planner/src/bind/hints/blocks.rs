//! The hints of a whole statement, by query block: what QB_NAME, `@name` and SET_VAR need before the blocks are bound.
//!
//! A block may be told something by a hint of another one (`INDEX(@qb t i)`, `NO_INDEX(t@qb i)`), which may stand before or behind it. So
//! the statement's text is looked through once: words SELECT in their order are the blocks `select#1`, `select#2` ...; UPDATE and DELETE are
//! block 1 themselves, INSERT and REPLACE share it with their SELECT. Texts without hints cost one search for `/*+`.
//! MySQL looks at the hints of a block when its text has ended, so those of the blocks inside come first: [`Block::ended`].

use super::read::{Hint, Kind, read};

/// A query block.
#[derive(Debug)]
pub(crate) struct Block {
    /// Place of its verb in the text.
    pub(crate) start: usize,
    /// UPDATE, DELETE, INSERT or REPLACE.
    pub(crate) dml: bool,
    /// `select#number`.
    pub(crate) number: u32,
    pub(crate) hints: Vec<Hint>,
    /// What could not be read: its place in the statement, and why.
    pub(crate) bad: Vec<(usize, &'static str)>,
    /// How many blocks ended before this one.
    pub(crate) ended: usize,
}

/// All blocks of a text that has hints, from byte `from` on; nothing for a text without. `ansi`: `"` quotes names.
pub(crate) fn blocks(sql: &[u8], from: usize, ansi: bool) -> Vec<Block> {
    if !sql.get(from..).unwrap_or_default().windows(3).any(|w| w == b"/*+") {
        return Vec::new();
    }
    let mut s = Scan { sql, at: from, depth: 0, low: 0 };
    let mut out: Vec<Block> = Vec::new();
    // blocks that have not ended: how deep in parentheses, and which
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut ended = 0;
    let mut end = |out: &mut Vec<Block>, at: usize| {
        if let Some(b) = out.get_mut(at) {
            b.ended = ended;
            ended += 1;
        }
    };
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
        // a block ends at the parenthesis that closes what it stands in, or where UNION begins the next one
        let low = std::mem::replace(&mut s.low, s.depth);
        while let Some((depth, at)) = open.last().copied() {
            if depth <= low && (depth != s.depth || out.get(at).is_some_and(|b| b.dml)) {
                break;
            }
            open.pop();
            end(&mut out, at);
        }
        open.push((s.depth, out.len()));
        let (mut hints, mut bad) = (Vec::new(), Vec::new());
        if let Some(text) = s.hint() {
            let begin = s.at - 2 - text.len();
            (hints, bad) = read(&String::from_utf8_lossy(text), ansi);
            bad.iter_mut().for_each(|b| b.0 += begin);
        }
        out.push(Block { start, dml: first, number, hints, bad, ended: 0 });
    }
    while let Some((_, at)) = open.pop() {
        end(&mut out, at);
    }
    out
}

/// The blocks in the order in which they end.
pub(crate) fn as_ended(blocks: &[Block]) -> Vec<&Block> {
    let mut list: Vec<&Block> = blocks.iter().collect();
    list.sort_by_key(|b| b.ended);
    list
}

/// `SET_VAR(variable = value)` of a statement's first block, as (variable, value without quotes).
pub fn set_vars(sql: &[u8]) -> Vec<(String, String)> {
    let blocks = blocks(sql, 0, false);
    let own = blocks.iter().find(|b| b.dml).or(blocks.first()).map_or(&[][..], |b| &b.hints);
    own.iter().filter(|h| h.kind == Kind::SetVar).filter_map(|h| assignment(&h.body)).collect()
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
    /// Parentheses around what is read, and the fewest since the last block began.
    depth: usize,
    low: usize,
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
                (b'(', _) => {
                    self.depth += 1;
                    self.at += 1;
                }
                (b')', _) => {
                    self.depth = self.depth.saturating_sub(1);
                    self.low = self.low.min(self.depth);
                    self.at += 1;
                }
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
        let b = blocks(sql, 0, false);
        assert_eq!(b.len(), 2);
        assert_eq!((b[0].number, b[0].start, b[0].ended), (1, 0, 1));
        assert_eq!((b[1].number, b[1].hints.len(), b[1].ended), (2, 1, 0));
        assert!(blocks(b"SELECT 1", 0, false).is_empty());
    }

    #[test]
    fn blocks_end_inside_out() {
        let sql = b"(SELECT /*+ BKA() */ (SELECT 1)) UNION (SELECT 2) UNION SELECT 3 IN (SELECT 4 UNION SELECT 5) UNION SELECT 6";
        let ended: Vec<usize> = blocks(sql, 0, false).iter().map(|b| b.ended).collect();
        assert_eq!(ended, [1, 0, 2, 5, 3, 4, 6]);
        let ended: Vec<usize> =
            blocks(b"DELETE /*+ BKA() */ FROM t WHERE a IN (SELECT 1)", 0, false).iter().map(|b| b.ended).collect();
        assert_eq!(ended, [1, 0]);
    }

    #[test]
    fn insert_shares_its_block_with_its_select() {
        let b = blocks(b"INSERT /*+ SET_VAR(sql_mode = 'A,B') */ INTO t SELECT 1 FROM (SELECT 2) x", 0, false);
        assert_eq!(b.iter().map(|b| b.number).collect::<Vec<_>>(), [1, 1, 2]);
        assert_eq!(set_vars(b"INSERT /*+ SET_VAR(sql_mode = 'A,B') */ INTO t"), [("sql_mode".into(), "A,B".into())]);
    }
}
