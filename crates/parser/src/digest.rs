//! Performance Schema's DIGEST_TEXT: the statement with literals as `?`, lists and rows of literals collapsed, names in
//! backticks, keywords in upper case, one space between tokens.
//!
//! Rules (manual: "Performance Schema Statement Digests and Sampling"): `?, ?` is `?, ...`; `(?, ?)` is `(...)`; rows
//! `(...), (...)` are `(...) /* , ... */`; `IN (?, ?)` is `IN (...)`; NULL counts as a literal except after IS and NOT; a
//! sign before a number belongs to it. Differences from MySQL: the text is not cut at max_digest_length (the caller
//! does), and non-reserved words that our grammar never asks for are printed as identifiers.
//!
//! Nothing is hashed here. Tested below.

use crate::lexer::{Kw, Lexed, Tk, Token};

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

/// The normalised text of the statement that `lexed` holds.
pub fn digest_text(sql: &[u8], lexed: &mut Lexed) -> String {
    lexed.resolve(sql);
    let mut items: Vec<Item> = Vec::with_capacity(lexed.tokens().len());
    let mut previous: Option<Token> = None;
    for &t in lexed.tokens() {
        match t.kind {
            Tk::Eof => break,
            Tk::Hint => continue,
            Tk::Int | Tk::Decimal | Tk::Float | Tk::Hex | Tk::Bit | Tk::Str | Tk::NationalStr | Tk::Param => {
                push_value(&mut items, t.kind)
            }
            Tk::Word if t.kw == Kw::NULL && !previous.is_some_and(|p| matches!(p.kw, Kw::IS | Kw::NOT)) => {
                push_value(&mut items, Tk::Str);
            }
            Tk::RParen => close(&mut items, t),
            _ => items.push(Item::Token(t)),
        }
        previous = Some(t);
    }
    print(sql, &items)
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
            Item::Value => out.push('?'),
            Item::Values => out.push_str("?, ..."),
            Item::Row => out.push_str("(?)"),
            Item::LongRow => out.push_str("(...)"),
            Item::Rows => out.push_str("(?) /* , ... */"),
            Item::LongRows => out.push_str("(...) /* , ... */"),
            Item::InList => out.push_str("IN (...)"),
            Item::Token(t) => {
                let text = sql.get(t.start as usize..t.end as usize).unwrap_or(&[]);
                let text = String::from_utf8_lossy(text);
                match t.kind {
                    Tk::Word if t.kw != Kw::NOT_A_KEYWORD => out.push_str(&text.to_ascii_uppercase()),
                    Tk::Word | Tk::Ident | Tk::Hostname => {
                        out.push('`');
                        out.push_str(&text);
                        out.push('`');
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
        check("select @@version_comment limit 1", "SELECT @@`version_comment` LIMIT ?");
    }
}
