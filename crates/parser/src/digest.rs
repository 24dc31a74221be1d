//! Performance Schema's DIGEST_TEXT: the statement with literals as `?`, lists and rows of literals collapsed, names in
//! backticks, keywords in upper case, one space between tokens.
//!
//! Rules (manual: "Performance Schema Statement Digests and Sampling"; what it does not say is measured): `?, ?` is `?, ...`; `(?, ?)` is `(...)`; rows
//! `(...), (...)` are `(...) /* , ... */`; `IN (?, ?)` is `IN (...)`; NULL counts as a literal where it is a value; a
//! sign before a number belongs to it; `@name` is `@?`, a position in ORDER BY and GROUP BY stays. Words: `words.rs`. The text is not cut at
//! max_digest_length (the caller does).
//!
//! Nothing is hashed here. Tested below.

mod words;

use crate::lexer::{Kw, Lexed, Mode, Tk, Token};

#[derive(Clone, Copy, PartialEq)]
enum Item {
    Value,
    Values,
    Row,
    LongRow,
    Rows,
    LongRows,
    InList,
    Token(Token),
}

impl Item {
    fn is(self, kind: Tk) -> bool {
        matches!(self, Item::Token(t) if t.kind == kind)
    }
}

/// The list of ORDER BY or GROUP BY that the loop is in.
#[derive(Default)]
struct ByList {
    /// Parentheses open.
    depth: u32,
    /// Those open at the list, one entry for each list that is open.
    lists: Vec<u32>,
}

impl ByList {
    /// Takes a token; `before`: the two tokens before it. Whether it stands at the beginning of the list's next member.
    fn take(&mut self, t: Token, (older, before): (Option<Token>, Option<Token>)) -> bool {
        let at_start = before.is_some_and(|p| match p.kind {
            Tk::Word if p.kw == Kw::BY => older.is_some_and(|o| matches!(o.kw, Kw::ORDER | Kw::GROUP)),
            Tk::Comma => self.lists.last() == Some(&self.depth),
            _ => false,
        });
        if at_start && before.is_some_and(|p| p.kind == Tk::Word) {
            if self.lists.last() == Some(&self.depth) {
                self.lists.pop();
            }
            self.lists.push(self.depth);
        }
        match t.kind {
            Tk::LParen => self.depth += 1,
            Tk::RParen => {
                self.depth = self.depth.saturating_sub(1);
                self.lists.retain(|l| *l <= self.depth);
            }
            Tk::Word if words::ends_by(t.kw) && self.lists.last() == Some(&self.depth) => {
                self.lists.pop();
            }
            _ => {}
        }
        at_start
    }
}

/// The normalised text of the statement that `lexed` holds.
pub fn digest_text(sql: &[u8], lexed: &mut Lexed) -> String {
    lexed.resolve(sql);
    let mut items: Vec<Item> = Vec::with_capacity(lexed.tokens().len());
    let (mut older, mut previous): (Option<Token>, Option<Token>) = (None, None);
    let mut by = ByList::default();
    for (n, &t) in lexed.tokens().iter().enumerate() {
        let starts = by.take(t, (older, previous));
        let next = || lexed.tokens().get(n + 1).map(|t| t.kind);
        match t.kind {
            Tk::Eof => break,
            // a position: nothing is computed from it
            Tk::Int if starts && matches!(next(), None | Some(Tk::Eof | Tk::Comma | Tk::RParen | Tk::Word)) => {
                items.push(Item::Token(t));
            }
            Tk::Int | Tk::Decimal | Tk::Float | Tk::Hex | Tk::Bit | Tk::Str | Tk::NationalStr | Tk::Param => {
                push_value(&mut items, t.kind)
            }
            Tk::Word if t.kw == Kw::NULL && is_value(previous) => push_value(&mut items, Tk::Str),
            Tk::Word | Tk::Ident | Tk::Hostname if previous.is_some_and(|p| p.kind == Tk::At) => {
                push_value(&mut items, Tk::Str);
            }
            Tk::RParen => close(&mut items, t),
            _ => items.push(Item::Token(t)),
        }
        (older, previous) = (previous, Some(t));
    }
    print(sql, &items)
}

/// Whether NULL behind this token is a value.
fn is_value(before: Option<Token>) -> bool {
    !before.is_some_and(|p| match p.kind {
        Tk::Word => words::before_null(p.kw) || p.kw == Kw::NOT_A_KEYWORD,
        Tk::RParen | Tk::Ident | Tk::Backtick | Tk::DoubleQuoted | Tk::Str => true,
        _ => false,
    })
}

/// The words of an optimizer hint: its names in upper case, what they are about as identifiers.
fn print_hint(out: &mut String, text: &str) {
    const STRATEGIES: [&str; 6] =
        ["FIRSTMATCH", "LOOSESCAN", "MATERIALIZATION", "DUPSWEEDOUT", "INTOEXISTS", "NO_INTOEXISTS"];
    let inside = text.strip_prefix("/*+").unwrap_or(text);
    let inside = inside.strip_suffix("*/").unwrap_or(inside).as_bytes();
    let mut lexed = Lexed::new();
    lexed.tokenize(inside, 0, Mode::default());
    lexed.resolve(inside);
    let mut items = Vec::new();
    let tokens = lexed.tokens();
    for t in tokens.iter().take_while(|t| t.kind != Tk::Eof) {
        match t.kind {
            Tk::Int | Tk::Decimal | Tk::Float | Tk::Str => push_value(&mut items, t.kind),
            Tk::RParen => close(&mut items, *t),
            _ => items.push(Item::Token(*t)),
        }
    }
    out.push_str("/*+");
    let mut glued = false;
    for (n, item) in items.iter().enumerate() {
        let Item::Token(t) = item else {
            out.push(' ');
            print_values(out, *item);
            continue;
        };
        let word = String::from_utf8_lossy(inside.get(t.start as usize..t.end as usize).unwrap_or(&[]));
        if t.kind == Tk::At {
            // the name of a block: behind a table's name without a space
            let behind = n.checked_sub(1).and_then(|n| items.get(n));
            if behind.is_some_and(|b| b.is(Tk::LParen) || b.is(Tk::Comma)) {
                out.push(' ');
            }
            out.push('@');
            glued = true;
            continue;
        }
        if !std::mem::take(&mut glued) {
            out.push(' ');
        }
        let called = items.get(n + 1).is_some_and(|i| i.is(Tk::LParen) || matches!(i, Item::Row | Item::LongRow));
        match t.kind {
            Tk::Word | Tk::Ident | Tk::Hostname => {
                let upper = word.to_ascii_uppercase();
                if called || STRATEGIES.contains(&upper.as_str()) {
                    out.push_str(&upper);
                } else {
                    out.extend(["`", &word, "`"]);
                }
            }
            _ => out.push_str(&word),
        }
    }
    out.push_str(" */");
}

fn print_values(out: &mut String, item: Item) {
    out.push_str(match item {
        Item::Value => "?",
        Item::Values => "?, ...",
        Item::Row => "(?)",
        Item::LongRow => "(...)",
        Item::Rows => "(?) /* , ... */",
        Item::LongRows => "(...) /* , ... */",
        Item::InList => "IN (...)",
        Item::Token(_) => "",
    });
}

fn push_value(items: &mut Vec<Item>, kind: Tk) {
    // A sign after an operator, keyword or parenthesis belongs to the number.
    if matches!(kind, Tk::Int | Tk::Decimal | Tk::Float)
        && let [before @ .., Item::Token(sign)] = items.as_slice()
        && matches!(sign.kind, Tk::Minus | Tk::Plus)
    {
        let unary = match before.last() {
            None => true,
            Some(Item::Token(t)) => match t.kind {
                Tk::Word => t.kw.is_reserved(),
                Tk::RParen | Tk::Ident | Tk::Backtick | Tk::DoubleQuoted | Tk::Hostname => false,
                _ => true,
            },
            Some(_) => false,
        };
        if unary {
            items.pop();
        }
    }
    if let [.., Item::Value | Item::Values, comma] = items.as_slice()
        && comma.is(Tk::Comma)
    {
        items.pop();
        if let Some(last) = items.last_mut() {
            *last = Item::Values;
        }
        return;
    }
    items.push(Item::Value);
}

/// At `)`: rows of literals become one item.
fn close(items: &mut Vec<Item>, t: Token) {
    let row = match items.as_slice() {
        [.., open, Item::Value] if open.is(Tk::LParen) => Item::Row,
        [.., open, Item::Values] if open.is(Tk::LParen) => Item::LongRow,
        _ => return items.push(Item::Token(t)),
    };
    items.truncate(items.len() - 2);
    match items.as_slice() {
        [.., Item::Token(word)] if word.kw == Kw::IN => {
            items.pop();
            items.push(Item::InList);
        }
        [.., Item::Row | Item::Rows, comma] if comma.is(Tk::Comma) && row == Item::Row => {
            items.truncate(items.len() - 2);
            items.push(Item::Rows);
        }
        [.., Item::LongRow | Item::LongRows, comma] if comma.is(Tk::Comma) && row == Item::LongRow => {
            items.truncate(items.len() - 2);
            items.push(Item::LongRows);
        }
        _ => items.push(row),
    }
}

fn print(sql: &[u8], items: &[Item]) -> String {
    let mut out = String::with_capacity(sql.len());
    let mut glued = true;
    for item in items {
        if !glued {
            out.push(' ');
        }
        glued = false;
        match item {
            Item::Token(t) => {
                let text = sql.get(t.start as usize..t.end as usize).unwrap_or(&[]);
                let text = String::from_utf8_lossy(text);
                match t.kind {
                    Tk::Hint => print_hint(&mut out, &text),
                    Tk::Ne => out.push_str("!="),
                    Tk::Word | Tk::Ident | Tk::Hostname => {
                        let called = sql.get(t.end as usize) == Some(&b'(');
                        let shown = if t.kind == Tk::Word { words::printed(t.kw, &text, called) } else { None };
                        match shown {
                            Some(word) => out.push_str(&word),
                            None => out.extend(["`", &text, "`"]),
                        }
                    }
                    Tk::DoubleQuoted => {
                        out.push('`');
                        out.push_str(text.trim_matches('"'));
                        out.push('`');
                    }
                    Tk::At | Tk::AtAt => {
                        out.push_str(&text);
                        glued = true;
                    }
                    _ => out.push_str(&text),
                }
            }
            values => print_values(&mut out, *values),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::Mode;

    #[test]
    fn texts() {
        let check = |sql: &str, expected: &str| {
            let mut l = Lexed::new();
            l.tokenize(sql.as_bytes(), 0, Mode::default());
            assert_eq!(digest_text(sql.as_bytes(), &mut l), expected);
        };
        check("select c from sbtest1 where id=5", "SELECT `c` FROM `sbtest1` WHERE `id` = ?");
        check("SELECT 1, 2, 'x'", "SELECT ?, ...");
        check("insert into t values (1,'a')", "INSERT INTO `t` VALUES (...)");
        check("insert into t values (1,'a'),(2,null),(-3,x'4a')", "INSERT INTO `t` VALUES (...) /* , ... */");
        check("insert into t values (1),(2)", "INSERT INTO `t` VALUES (?) /* , ... */");
        check("select * from db.t where a in (1,2,3)", "SELECT * FROM `db` . `t` WHERE `a` IN (...)");
        check("select * from t where a in (1) limit 5, 10", "SELECT * FROM `t` WHERE `a` IN (...) LIMIT ?, ...");
        check("select count(*) from t where a is null", "SELECT COUNT ( * ) FROM `t` WHERE `a` IS NULL");
        check("select a - 1, -1 /* c */ from t", "SELECT `a` - ?, ... FROM `t`");
        check("select a from t order by 1, 2 desc limit 1, 2", "SELECT `a` FROM `t` ORDER BY 1 , 2 DESC LIMIT ?, ...");
        check(
            "select f(a, 1), a <> @x from t group by f(1, 2), 3",
            "SELECT `f` ( `a` , ? ) , `a` != @? FROM `t` GROUP BY `f` (...) , 3",
        );
        check("create table t (a int null default null)", "CREATE TABLE `t` ( `a` INTEGER NULL DEFAULT ? )");
        check("select count from t", "SELECT `count` FROM `t`");
        check(
            "select /*+ semijoin(@s firstmatch) bka(t@q) set_var(a=1) */ _utf8mb4'x'",
            "SELECT /*+ SEMIJOIN ( @`s` FIRSTMATCH ) BKA ( `t`@`q` ) SET_VAR ( `a` = ? ) */ (_charset) ?",
        );
        check("select @@version_comment limit 1", "SELECT @@`version_comment` LIMIT ?");
    }
}
