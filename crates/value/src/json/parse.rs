//! Text to a tree.
//!
//! Accepts exactly RFC 8259's grammar; positions (bytes from the start of the text) and messages are those that MySQL's clients know.
//! Integers of 64 bits keep their type, all other numbers are doubles. Recursion is bounded by the depth limit.

use std::borrow::Cow;

use super::{Dom, MAX_DEPTH};

/// Why a text is no JSON document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error {
    /// Message and position, for errors 3140 and 3141.
    Syntax(&'static str, usize),
    /// Error 3157.
    TooDeep,
}

struct Parser<'a> {
    s: &'a [u8],
    at: usize,
}

type Res<T> = Result<T, Error>;

/// The document that `s` (UTF-8) holds.
pub fn parse(s: &[u8]) -> Res<Dom<'_>> {
    let mut p = Parser { s, at: 0 };
    p.space();
    if p.at >= s.len() {
        return Err(Error::Syntax("The document is empty.", p.at));
    }
    let d = p.value(0)?;
    p.space();
    if p.at < s.len() {
        return Err(Error::Syntax("The document root must not be followed by other values.", p.at));
    }
    Ok(d)
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.s.get(self.at).copied()
    }

    fn eat(&mut self, b: u8) -> bool {
        let yes = self.peek() == Some(b);
        self.at += usize::from(yes);
        yes
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn fail<T>(&self, text: &'static str) -> Res<T> {
        Err(Error::Syntax(text, self.at))
    }

    fn value(&mut self, depth: usize) -> Res<Dom<'a>> {
        match self.peek() {
            Some(b'n') => self.word(b"null", Dom::Null),
            Some(b't') => self.word(b"true", Dom::Bool(true)),
            Some(b'f') => self.word(b"false", Dom::Bool(false)),
            Some(b'"') => Ok(Dom::Str(self.string()?)),
            Some(b'{' | b'[') if depth == MAX_DEPTH => Err(Error::TooDeep),
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(depth + 1),
            _ => self.number(),
        }
    }

    fn word(&mut self, w: &[u8], d: Dom<'a>) -> Res<Dom<'a>> {
        for b in w {
            if !self.eat(*b) {
                return self.fail("Invalid value.");
            }
        }
        Ok(d)
    }

    fn object(&mut self, depth: usize) -> Res<Dom<'a>> {
        self.at += 1;
        self.space();
        let mut members = Vec::new();
        if self.eat(b'}') {
            return Ok(Dom::Object(members));
        }
        loop {
            if self.peek() != Some(b'"') {
                return self.fail("Missing a name for object member.");
            }
            let key = self.string()?;
            self.space();
            if !self.eat(b':') {
                return self.fail("Missing a colon after a name of object member.");
            }
            self.space();
            let v = self.value(depth)?;
            members.push((key, v));
            self.space();
            if self.eat(b'}') {
                return Ok(Dom::object(members));
            }
            if !self.eat(b',') {
                return self.fail("Missing a comma or } after an object member.");
            }
            self.space();
        }
    }

    fn array(&mut self, depth: usize) -> Res<Dom<'a>> {
        self.at += 1;
        self.space();
        let mut list = Vec::new();
        if self.eat(b']') {
            return Ok(Dom::Array(list));
        }
        loop {
            list.push(self.value(depth)?);
            self.space();
            if self.eat(b']') {
                return Ok(Dom::Array(list));
            }
            if !self.eat(b',') {
                return self.fail("Missing a comma or ] after an array element.");
            }
            self.space();
        }
    }

    /// A string with its quotes; borrowed if it has no escapes.
    fn string(&mut self) -> Res<Cow<'a, [u8]>> {
        self.at += 1;
        let start = self.at;
        let mut owned: Option<Vec<u8>> = None;
        loop {
            let run = self.at;
            while self.peek().is_some_and(|b| b >= 0x20 && b != b'"' && b != b'\\') {
                self.at += 1;
            }
            let part = self.s.get(run..self.at).unwrap_or(&[]);
            if let Err(e) = std::str::from_utf8(part) {
                return Err(Error::Syntax("Invalid encoding in string.", run + e.valid_up_to()));
            }
            if let Some(o) = &mut owned {
                o.extend_from_slice(part);
            }
            match self.peek() {
                Some(b'"') => {
                    let end = self.at;
                    self.at += 1;
                    return Ok(match owned {
                        Some(o) => Cow::Owned(o),
                        None => Cow::Borrowed(self.s.get(start..end).unwrap_or(&[])),
                    });
                }
                Some(b'\\') => {
                    let mut o = owned.take().unwrap_or_else(|| self.s.get(start..self.at).unwrap_or(&[]).to_vec());
                    self.escape(&mut o)?;
                    owned = Some(o);
                }
                None => return self.fail("Missing a closing quotation mark in string."),
                Some(_) => return self.fail("Invalid encoding in string."),
            }
        }
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Res<()> {
        let at = self.at;
        self.at += 1;
        let b = self.peek();
        self.at += 1;
        out.push(match b {
            Some(c @ (b'"' | b'\\' | b'/')) => c,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let c = self.code_unit(at)?;
                let surrogate = Error::Syntax("The surrogate pair in string is invalid.", at);
                let c = match c {
                    0xd800..=0xdbff => {
                        if !self.eat(b'\\') || !self.eat(b'u') {
                            return Err(surrogate);
                        }
                        match self.code_unit(at)? {
                            low @ 0xdc00..=0xdfff => 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00),
                            _ => return Err(surrogate),
                        }
                    }
                    c => c,
                };
                let c = char::from_u32(c).ok_or(surrogate)?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(Error::Syntax("Invalid escape character in string.", at)),
        });
        Ok(())
    }

    fn code_unit(&mut self, escape: usize) -> Res<u32> {
        let mut n = 0;
        for _ in 0..4 {
            let d = self.peek().and_then(|b| (b as char).to_digit(16));
            let d = d.ok_or(Error::Syntax("Incorrect hex digit after \\u escape in string.", escape))?;
            n = n << 4 | d;
            self.at += 1;
        }
        Ok(n)
    }

    fn digits(&mut self) -> usize {
        let from = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - from
    }

    fn number(&mut self) -> Res<Dom<'a>> {
        let start = self.at;
        let negative = self.eat(b'-');
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => {
                self.digits();
            }
            _ => return self.fail("Invalid value."),
        }
        let mut whole = true;
        if self.eat(b'.') {
            whole = false;
            if self.digits() == 0 {
                return self.fail("Miss fraction part in number.");
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            whole = false;
            self.at += 1;
            if !self.eat(b'+') {
                self.eat(b'-');
            }
            if self.digits() == 0 {
                return self.fail("Miss exponent in number.");
            }
        }
        let text = self.s.get(start..self.at).and_then(|t| std::str::from_utf8(t).ok()).unwrap_or("0");
        if whole {
            if let Ok(n) = text.parse::<i64>() {
                return Ok(Dom::Int(n));
            }
            if !negative && let Ok(n) = text.parse::<u64>() {
                return Ok(Dom::UInt(n));
            }
        }
        match text.parse::<f64>() {
            Ok(f) if f.is_finite() => Ok(Dom::Double(f)),
            _ => Err(Error::Syntax("Number too big to be stored in double.", start)),
        }
    }
}
