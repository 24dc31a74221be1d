//! The scanning loop.

use super::{Kw, Lexed, LiteralKind, LiteralToken, Tk, Token, VERSION_ID};

/// Byte may be part of an unquoted identifier: letters, digits, `_`, `$` and all of 0x80..=0xff.
pub(super) const IDENT: u8 = 1;
const DIGIT: u8 = 2;
const SPACE: u8 = 4;
const HEX: u8 = 8;

#[allow(clippy::indexing_slicing)] // compile time
static CLASS: [u8; 256] = {
    let mut t = [0u8; 256];
    let mut i = 0;
    while i < 256 {
        let b = i as u8;
        if b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80 {
            t[i] |= IDENT;
        }
        if b.is_ascii_digit() {
            t[i] |= DIGIT;
        }
        if b.is_ascii_hexdigit() {
            t[i] |= HEX;
        }
        if matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c) {
            t[i] |= SPACE;
        }
        i += 1;
    }
    t
};

#[inline(always)]
#[allow(clippy::indexing_slicing)] // 256 entries, index is a byte
fn is(b: u8, class: u8) -> bool {
    CLASS[b as usize] & class != 0
}

struct Scanner<'s, 'l> {
    sql: &'s [u8],
    pos: usize,
    out: &'l mut Lexed,
    /// Start of the text not yet added to the key.
    segment: usize,
    in_version_comment: bool,
    /// `;` does not end the statement: body of a stored program.
    whole: bool,
}

pub(super) fn run(out: &mut Lexed, sql: &[u8], start: usize) {
    out.tokens.clear();
    out.literals.clear();
    out.has_comment = false;
    out.running.reset(out.mode.bits());
    let start = start.min(sql.len());
    out.start = start as u32;
    let mut s = Scanner { sql, pos: start, out, segment: start, in_version_comment: false, whole: false };
    s.pos = s.skip_space(start);
    s.segment = s.pos;
    s.all();
    s.out.key = s.out.running.finish();
}

impl Scanner<'_, '_> {
    /// 0 beyond the end; a real 0 byte is no token either.
    #[inline(always)]
    fn at(&self, i: usize) -> u8 {
        match self.sql.get(i) {
            Some(&b) => b,
            None => 0,
        }
    }

    #[inline(always)]
    fn run_of(&self, mut i: usize, class: u8) -> usize {
        while let Some(&b) = self.sql.get(i) {
            if !is(b, class) {
                break;
            }
            i += 1;
        }
        i
    }

    fn skip_space(&self, i: usize) -> usize {
        self.run_of(i, SPACE)
    }

    #[inline(always)]
    fn push(&mut self, kind: Tk, start: usize, end: usize) {
        self.out.tokens.push(Token {
            start: start as u32,
            end: end as u32,
            lit: u32::MAX,
            kw: Kw::NOT_A_KEYWORD,
            kind,
        });
        self.pos = end;
    }

    #[inline]
    fn push_literal(&mut self, kind: Tk, lk: LiteralKind, start: usize, end: usize, plain: bool) {
        let lit = self.out.literals.len() as u32;
        self.out.literals.push(LiteralToken { start: start as u32, end: end as u32, kind: lk, plain });
        self.out.tokens.push(Token { start: start as u32, end: end as u32, lit, kw: Kw::NOT_A_KEYWORD, kind });
        self.hash_to(start);
        let wide = if end - start < 19 || lk != LiteralKind::Int { 0 } else { self.magnitude(start, end) };
        self.out.running.word(0x6c69_7400 + lk as u64 + wide, lit as u64);
        self.segment = end;
        self.pos = end;
    }

    /// Integers are of three types, BIGINT, BIGINT UNSIGNED and DECIMAL: a plan made for one of them is none for the others.
    #[cold]
    fn magnitude(&self, start: usize, end: usize) -> u64 {
        let digits = self.sql.get(start..end).and_then(|b| std::str::from_utf8(b).ok());
        match digits.and_then(|d| d.parse::<u64>().ok()) {
            Some(n) if i64::try_from(n).is_ok() => 0,
            Some(_) => 0x100,
            None => 0x200,
        }
    }

    #[inline]
    fn hash_to(&mut self, end: usize) {
        if let Some(text) = self.sql.get(self.segment..end) {
            self.out.running.bytes(text);
        }
    }

    fn all(&mut self) {
        while let Some(&b) = self.sql.get(self.pos) {
            let at = self.pos;
            match b {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => self.word(at),
                b'0'..=b'9' => self.number(at),
                b'\'' => self.string(at, at, Tk::Str),
                b'"' if self.out.mode.ansi_quotes => self.quoted_ident(at, b'"', Tk::DoubleQuoted),
                b'"' => self.string(at, at, Tk::Str),
                b'`' => self.quoted_ident(at, b'`', Tk::Backtick),
                b'.' => self.dot(at),
                b';' => {
                    if self.whole || self.starts_stored_program() {
                        self.whole = true;
                        self.out.several = true;
                        self.push(Tk::Semi, at, at + 1);
                    } else {
                        return self.finish(at, at + 1);
                    }
                }
                b'#' => self.line_comment(at),
                b'-' if self.at(at + 1) == b'-' && self.sql.get(at + 2).is_none_or(|&c| c <= b' ') => {
                    self.line_comment(at);
                }
                b'/' if self.at(at + 1) == b'*' => self.block_comment(at),
                b'*' if self.in_version_comment && self.at(at + 1) == b'/' => {
                    self.in_version_comment = false;
                    self.pos += 2;
                }
                b'@' => self.at_sign(at),
                _ => self.operator(at, b),
            }
        }
        if self.in_version_comment {
            self.push(Tk::Bad, self.sql.len(), self.sql.len());
        }
        self.finish(self.sql.len(), self.sql.len());
    }

    fn finish(&mut self, at: usize, end: usize) {
        let last = self.out.tokens.last().map_or(self.segment, |t| t.end as usize);
        if last > self.segment {
            self.hash_to(last);
        }
        self.push(Tk::Eof, at, at);
        self.out.end = end as u32;
    }

    #[inline]
    fn word(&mut self, at: usize) {
        let end = self.run_of(at + 1, IDENT);
        if self.at(at) == b'$'
            && let Some(n) = self.sql.get(at + 1..end).and_then(|rest| memchr::memchr(b'$', rest))
        {
            return self.dollar_quoted(at, at + n + 2);
        }
        let next = self.at(end);
        if end == at + 1 && next == b'\'' {
            match self.at(at) {
                b'x' | b'X' => return self.quoted_digits(at, Tk::Hex, LiteralKind::Hex),
                b'b' | b'B' => return self.quoted_digits(at, Tk::Bit, LiteralKind::Bit),
                b'n' | b'N' => return self.string(at, end, Tk::NationalStr),
                _ => {}
            }
        }
        let kind = if next == b'.' && is(self.at(end + 1), IDENT) { Tk::Ident } else { Tk::Word };
        self.push(kind, at, end);
    }

    fn number(&mut self, at: usize) {
        let second = self.at(at + 1);
        if self.at(at) == b'0' && (second == b'x' || second == b'b') {
            let digits = at + 2;
            let end = if second == b'x' {
                self.run_of(digits, HEX)
            } else {
                digits + self.sql.get(digits..).map_or(0, |s| s.iter().take_while(|&&c| c == b'0' || c == b'1').count())
            };
            if end > digits && !is(self.at(end), IDENT) {
                let (tk, lk) = if second == b'x' { (Tk::Hex, LiteralKind::Hex) } else { (Tk::Bit, LiteralKind::Bit) };
                return self.push_literal(tk, lk, at, end, true);
            }
        }
        let end = self.run_of(at, DIGIT);
        let c = self.at(end);
        if c == b'e' || c == b'E' {
            let sign = usize::from(matches!(self.at(end + 1), b'+' | b'-'));
            if is(self.at(end + 1 + sign), DIGIT) {
                let end = self.run_of(end + 1 + sign, DIGIT);
                return self.push_literal(Tk::Float, LiteralKind::Float, at, end, true);
            }
        }
        if is(c, IDENT) {
            let end = self.run_of(end, IDENT);
            let kind = if self.at(end) == b'.' && is(self.at(end + 1), IDENT) { Tk::Ident } else { Tk::Word };
            return self.push(kind, at, end);
        }
        if c == b'.' {
            return self.fraction(at, end + 1);
        }
        self.push_literal(Tk::Int, LiteralKind::Int, at, end, true);
    }

    /// After the point of a number that starts at `at`.
    fn fraction(&mut self, at: usize, after_point: usize) {
        let end = self.run_of(after_point, DIGIT);
        if matches!(self.at(end), b'e' | b'E') {
            let sign = usize::from(matches!(self.at(end + 1), b'+' | b'-'));
            if is(self.at(end + 1 + sign), DIGIT) {
                let end = self.run_of(end + 1 + sign, DIGIT);
                return self.push_literal(Tk::Float, LiteralKind::Float, at, end, true);
            }
        }
        self.push_literal(Tk::Decimal, LiteralKind::Decimal, at, end, true);
    }

    fn dot(&mut self, at: usize) {
        let after_name = self.out.tokens.last().is_some_and(|t| {
            t.end as usize == at && matches!(t.kind, Tk::Word | Tk::Ident | Tk::Backtick | Tk::DoubleQuoted)
        });
        let next = self.at(at + 1);
        let quoted = self.out.tokens.last().is_some_and(|t| matches!(t.kind, Tk::Backtick | Tk::DoubleQuoted));
        if (!after_name || quoted) && is(next, DIGIT) {
            return self.fraction(at, at + 1);
        }
        self.push(Tk::Dot, at, at + 1);
        if is(next, IDENT) {
            let end = self.run_of(at + 1, IDENT);
            self.push(Tk::Ident, at + 1, end);
        }
    }

    /// `open` is the offset of the opening quote; `at` that of the token (before it stands N).
    fn string(&mut self, at: usize, open: usize, kind: Tk) {
        let quote = self.at(open);
        let mut i = open + 1;
        let mut plain = true;
        loop {
            let Some(rest) = self.sql.get(i..) else { return self.bad_to_end(at) };
            let hit = if self.out.mode.no_backslash_escapes {
                memchr::memchr(quote, rest)
            } else {
                memchr::memchr2(quote, b'\\', rest)
            };
            let Some(n) = hit else { return self.bad_to_end(at) };
            i += n;
            if self.at(i) == quote {
                if self.at(i + 1) != quote {
                    break;
                }
            } else if i + 1 >= self.sql.len() {
                return self.bad_to_end(at);
            }
            plain = false;
            i += 2;
        }
        let lk = if kind == Tk::NationalStr { LiteralKind::NationalStr } else { LiteralKind::Str };
        self.push_literal(kind, lk, at, i + 1, plain);
    }

    /// x'..' and b'..': an odd number of hex digits or another character is no token.
    fn quoted_digits(&mut self, at: usize, kind: Tk, lk: LiteralKind) {
        let digits = at + 2;
        let end = if lk == LiteralKind::Hex {
            self.run_of(digits, HEX)
        } else {
            digits + self.sql.get(digits..).map_or(0, |s| s.iter().take_while(|&&c| c == b'0' || c == b'1').count())
        };
        if self.at(end) != b'\'' || (lk == LiteralKind::Hex && (end - digits) % 2 == 1) {
            return self.bad_to_end(at);
        }
        self.push_literal(kind, lk, at, end + 1, true);
    }

    fn quoted_ident(&mut self, at: usize, quote: u8, kind: Tk) {
        let mut i = at + 1;
        loop {
            let Some(n) = self.sql.get(i..).and_then(|rest| memchr::memchr(quote, rest)) else {
                return self.bad_to_end(at);
            };
            i += n;
            if self.at(i + 1) != quote {
                break;
            }
            i += 2;
        }
        self.push(kind, at, i + 1);
    }

    /// `$tag$ ... $tag$`, the text of a program in another language; `body`: where what is quoted begins.
    fn dollar_quoted(&mut self, at: usize, body: usize) {
        let tag = self.sql.get(at..body).unwrap_or(&[]);
        match self.sql.get(body..).and_then(|rest| memchr::memmem::find(rest, tag)) {
            Some(n) => self.push(Tk::Dollar, at, body + n + tag.len()),
            None => self.bad_to_end(at),
        }
    }

    fn bad_to_end(&mut self, at: usize) {
        self.push(Tk::Bad, at, self.sql.len());
    }

    fn at_sign(&mut self, at: usize) {
        if self.at(at + 1) == b'@' {
            return self.push(Tk::AtAt, at, at + 2);
        }
        self.push(Tk::At, at, at + 1);
        let mut end = at + 1;
        while is(self.at(end), IDENT) || self.at(end) == b'.' {
            end += 1;
        }
        // the name may be empty
        if end > at + 1 || !matches!(self.at(end), b'\'' | b'"' | b'`') {
            self.push(Tk::Hostname, at + 1, end);
        }
    }

    fn line_comment(&mut self, at: usize) {
        let end = self.sql.get(at..).and_then(|rest| memchr::memchr(b'\n', rest)).map_or(self.sql.len(), |n| at + n);
        self.skip_comment(at, end);
    }

    /// Leaves `at..end` out of the key.
    fn skip_comment(&mut self, at: usize, end: usize) {
        // White space before the comment is left out too, so that a trailing comment does not change the key.
        let text_end = self.out.tokens.last().map_or(self.segment, |t| t.end as usize).max(self.segment).min(at);
        if text_end > self.segment {
            self.hash_to(text_end);
        }
        self.out.has_comment = true;
        self.pos = self.skip_space(end);
        self.segment = self.pos;
    }

    fn block_comment(&mut self, at: usize) {
        match self.at(at + 2) {
            b'!' => {
                let digits = at + 3;
                let n = self.run_of(digits, DIGIT) - digits;
                // six digits only where white space follows them
                let take = match n {
                    0..=4 => 0,
                    5 => 5,
                    _ if is(self.at(digits + 6), SPACE) => 6,
                    _ => 5,
                };
                let version = self
                    .sql
                    .get(digits..digits + take)
                    .unwrap_or(&[])
                    .iter()
                    .fold(0u32, |v, &d| v * 10 + u32::from(d - b'0'));
                if version <= VERSION_ID && !self.in_version_comment {
                    self.in_version_comment = true;
                    // with nothing inside it is a comment like any other
                    self.out.has_comment = true;
                    self.pos = digits + take;
                    return;
                }
                self.skip_block(at, true);
            }
            b'+' if self.after_hint_verb() => {
                match self.sql.get(at + 3..).and_then(|rest| memchr::memmem::find(rest, b"*/")) {
                    Some(n) => self.push(Tk::Hint, at, at + 3 + n + 2),
                    None => self.bad_to_end(at),
                }
            }
            _ => self.skip_block(at, false),
        }
    }

    /// Skips a comment; `nested`: comments inside it are skipped with it.
    fn skip_block(&mut self, at: usize, nested: bool) {
        let mut i = at + 2;
        let mut depth = 1usize;
        loop {
            let Some(n) = self.sql.get(i..).and_then(|rest| memchr::memchr2(b'*', b'/', rest)) else {
                return self.bad_to_end(at);
            };
            i += n;
            if self.at(i) == b'*' && self.at(i + 1) == b'/' {
                i += 2;
                depth -= 1;
                if depth == 0 {
                    break;
                }
            } else if nested && self.at(i) == b'/' && self.at(i + 1) == b'*' {
                i += 2;
                depth += 1;
            } else {
                i += 1;
            }
        }
        self.skip_comment(at, i);
    }

    fn last_word(&self) -> &[u8] {
        match self.out.tokens.last() {
            Some(t) if t.kind == Tk::Word => self.sql.get(t.start as usize..t.end as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    fn after_hint_verb(&self) -> bool {
        matches!(Kw::lookup(self.last_word()), Kw::SELECT | Kw::INSERT | Kw::REPLACE | Kw::UPDATE | Kw::DELETE)
    }

    /// Whether the tokens so far begin CREATE ... PROCEDURE | FUNCTION | TRIGGER | EVENT or ALTER EVENT.
    #[cold]
    fn starts_stored_program(&self) -> bool {
        let word = |t: &Token| match t.kind {
            Tk::Word => Kw::lookup(self.sql.get(t.start as usize..t.end as usize).unwrap_or(&[])),
            _ => Kw::NOT_A_KEYWORD,
        };
        let mut words = self.out.tokens.iter();
        if !words.next().is_some_and(|t| matches!(word(t), Kw::CREATE | Kw::ALTER)) {
            return false;
        }
        for t in words.take(12) {
            match word(t) {
                Kw::PROCEDURE | Kw::FUNCTION | Kw::TRIGGER | Kw::EVENT => return true,
                Kw::TABLE | Kw::VIEW | Kw::INDEX | Kw::DATABASE | Kw::SCHEMA | Kw::USER | Kw::SELECT => return false,
                _ => {}
            }
        }
        false
    }

    /// Comparisons take all signs that could belong to them, as MySQL's lexer does: `=!` and `<!` are no token, and `!` eats the sign
    /// behind it (`!!a` is `!a`).
    fn comparison(&mut self, at: usize, b: u8) {
        let sign = |i| matches!(self.at(i), b'<' | b'>' | b'=' | b'!');
        let mut len = 1 + usize::from(sign(at + 1));
        if b == b'<' && len == 2 && sign(at + 2) && self.at(at + 2) != b'<' {
            len = 3;
        }
        let kind = match self.sql.get(at..at + len).unwrap_or(&[]) {
            b"<" => Tk::Lt,
            b">" => Tk::Gt,
            b"=" => Tk::Eq,
            b"<=>" => Tk::NullEq,
            b"<=" => Tk::Le,
            b">=" => Tk::Ge,
            b"<>" | b"!=" => Tk::Ne,
            b"<<" => Tk::Shl,
            b">>" => Tk::Shr,
            _ if b == b'!' => Tk::Bang,
            _ => Tk::Bad,
        };
        self.push(kind, at, at + len);
    }

    fn operator(&mut self, at: usize, b: u8) {
        if matches!(b, b'<' | b'>' | b'=' | b'!') {
            return self.comparison(at, b);
        }
        let (n1, n2) = (self.at(at + 1), self.at(at + 2));
        let (kind, len) = match (b, n1, n2) {
            (b'-', b'>', b'>') => (Tk::Arrow2, 3),
            (b'-', b'>', _) => (Tk::Arrow, 2),
            (b':', b'=', _) => (Tk::Assign, 2),
            (b'&', b'&', _) => (Tk::AmpAmp, 2),
            (b'|', b'|', _) => (Tk::PipePipe, 2),
            (b'(', ..) => (Tk::LParen, 1),
            (b')', ..) => (Tk::RParen, 1),
            (b'{', ..) => (Tk::LBrace, 1),
            (b'}', ..) => (Tk::RBrace, 1),
            (b',', ..) => (Tk::Comma, 1),
            (b'+', ..) => (Tk::Plus, 1),
            (b'-', ..) => (Tk::Minus, 1),
            (b'*', ..) => (Tk::Star, 1),
            (b'/', ..) => (Tk::Slash, 1),
            (b'%', ..) => (Tk::Percent, 1),
            (b'^', ..) => (Tk::Caret, 1),
            (b'&', ..) => (Tk::Amp, 1),
            (b'|', ..) => (Tk::Pipe, 1),
            (b'~', ..) => (Tk::Tilde, 1),
            // a placeholder does not touch what could be a name
            (b'?', next, _) if !is(next, IDENT) => (Tk::Param, 1),
            (b':', ..) => (Tk::Colon, 1),
            _ => (Tk::Bad, 1),
        };
        self.push(kind, at, at + len);
    }
}
