//! Text to a tree, or straight to a document ([`super::stream`]).
//!
//! Accepts exactly RFC 8259's grammar; positions (bytes from the start of the text) and messages are those that MySQL's clients know.
//! Integers of 64 bits keep their type, all other numbers are doubles. Recursion is bounded by the depth limit.

use std::borrow::Cow;

use base::SqlResult;

use super::stream::{Build, Check, Tree, Writer};
use super::{Dom, MAX_DEPTH};

/// Why a text is no JSON document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error {
    /// Message and position, for errors 3140 and 3141.
    Syntax(&'static str, usize),
    /// Error 3157.
    TooDeep,
    /// The statement may not go on: the connection may hold no more (4082, 4081), or it has been told to stop
    /// (1317). [`base::memory`] and [`base::interrupt`] say which.
    Stopped,
}

/// A value of a document takes as long as other work on so many bytes.
const WEIGHT: usize = 32;
/// Bytes from which a document is long.
const LONG: usize = 1 << 16;

struct Parser<'a, B> {
    s: &'a [u8],
    at: usize,
    build: B,
}

type Res<T> = Result<T, Error>;

/// The document that `s` (UTF-8) holds, as a tree: for what is changed or looked into at once. A tree takes many times the memory of its text.
pub fn parse(s: &[u8]) -> Res<Dom<'_>> {
    run(s, Tree).map(|r| r.0)
}

/// The encoded document that `s` holds. The errors inside are those of [`Dom::encode`].
pub fn parse_document(s: &[u8]) -> Res<SqlResult<Vec<u8>>> {
    let (root, w) = run(s, Writer::new(s))?;
    Ok(w.finish(root))
}

/// Whether `s` is a document.
pub fn check(s: &[u8]) -> Res<()> {
    run(s, Check).map(|_| ())
}

fn run<'a, B: Build<'a>>(s: &'a [u8], build: B) -> Res<(B::Value, B)> {
    let mut p = Parser { s, at: 0, build };
    p.space();
    if p.at >= s.len() {
        return Err(Error::Syntax("The document is empty.", p.at));
    }
    let d = p.value(0)?;
    p.space();
    if p.at < s.len() {
        return Err(Error::Syntax("The document root must not be followed by other values.", p.at));
    }
    Ok((d, p.build))
}

impl<'a, B: Build<'a>> Parser<'a, B> {
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

    /// Asks after `bytes` of work. A short document is read to its end in any case: some callers take a failure for "no
    /// document".
    fn may_go_on(&self, bytes: usize) -> Res<()> {
        if self.s.len() >= LONG {
            base::interrupt::worked(bytes).map_err(|_| Error::Stopped)?;
        }
        base::memory::check().map_err(|_| Error::Stopped)
    }

    fn fail<T>(&self, text: &'static str) -> Res<T> {
        Err(Error::Syntax(text, self.at))
    }

    fn value(&mut self, depth: usize) -> Res<B::Value> {
        self.may_go_on(WEIGHT)?;
        let scalar = match self.peek() {
            Some(b'n') => self.word(b"null", Dom::Null)?,
            Some(b't') => self.word(b"true", Dom::Bool(true))?,
            Some(b'f') => self.word(b"false", Dom::Bool(false))?,
            Some(b'"') => Dom::Str(self.string()?),
            Some(b'{' | b'[') if depth == MAX_DEPTH => return Err(Error::TooDeep),
            Some(b'{') => return self.object(depth + 1),
            Some(b'[') => return self.array(depth + 1),
            _ => self.number()?,
        };
        Ok(self.build.scalar(scalar))
    }

    fn word(&mut self, w: &[u8], d: Dom<'a>) -> Res<Dom<'a>> {
        for b in w {
            if !self.eat(*b) {
                return self.fail("Invalid value.");
            }
        }
        Ok(d)
    }

    fn object(&mut self, depth: usize) -> Res<B::Value> {
        self.at += 1;
        self.space();
        let mut open = self.build.open();
        if self.eat(b'}') {
            return Ok(self.build.object(open));
        }
        loop {
            if self.peek() != Some(b'"') {
                return self.fail("Missing a name for object member.");
            }
            let at = self.at;
            let key = self.string()?;
            self.build.key(&mut open, key, at);
            self.space();
            if !self.eat(b':') {
                return self.fail("Missing a colon after a name of object member.");
            }
            self.space();
            let v = self.value(depth)?;
            self.build.member(&mut open, v);
            self.space();
            if self.eat(b'}') {
                return Ok(self.build.object(open));
            }
            if !self.eat(b',') {
                return self.fail("Missing a comma or '}' after an object member.");
            }
            self.space();
        }
    }

    fn array(&mut self, depth: usize) -> Res<B::Value> {
        self.at += 1;
        self.space();
        let mut open = self.build.open();
        if self.eat(b']') {
            return Ok(self.build.array(open));
        }
        loop {
            let v = self.value(depth)?;
            self.build.element(&mut open, v);
            self.space();
            if self.eat(b']') {
                return Ok(self.build.array(open));
            }
            if !self.eat(b',') {
                return self.fail("Missing a comma or ']' after an array element.");
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
            self.may_go_on(part.len())?;
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
            // beyond 32 bits MySQL's reader takes a number without a sign for an unsigned one (JSON_TYPE tells)
            if !negative && let Ok(n) = text.parse::<u64>() {
                return Ok(match u32::try_from(n) {
                    Ok(n) => Dom::Int(i64::from(n)),
                    Err(_) => Dom::UInt(n),
                });
            }
            if let Ok(n) = text.parse::<i64>() {
                return Ok(Dom::Int(n));
            }
        }
        match text.parse::<f64>() {
            Ok(f) if f.is_finite() => Ok(Dom::Double(f)),
            _ => Err(Error::Syntax("Number too big to be stored in double.", start)),
        }
    }
}
