//! The lexer. One pass over the bytes of a statement finds its tokens and literals and computes its plan key.
//!
//! It follows the rules of MySQL's lexer. What stands beside a word decides whether it may be a keyword: in
//! `t.select` the word `select` is a name, and `count` is the function only directly before `(`. The text inside
//! `/*!80000 ... */` is read if the number is not above [`VERSION_ID`]. `/*+ ... */` is an optimizer hint only
//! after SELECT, INSERT, REPLACE, UPDATE and DELETE; elsewhere it is a comment.
//!
//! The lexer does not look up which words are keywords, because a statement whose plan is cached needs only key and
//! literals. [`Lexed::resolve`] does that when the parser begins.
//!
//! The key is a hash of the statement's text in which each literal is replaced by its kind, and comments are left
//! out: `SELECT 1` and `SELECT 2` have the same key. `select 1` has another one, since the text of an expression is
//! the name of its result column. The lexer never fails: bytes that cannot be a token become [`Tk::Bad`], which the
//! grammar refuses.
//!
//! No locks. Tested below, in `lexer/tests.rs` and by the property tests.

mod key;
mod keywords;
mod scan;
mod value;

pub use keywords::{Kw, keywords};
pub use value::decode_string;
pub(crate) use value::literal_value;

use key::Key;

/// `/*!NNNNN ... */` is read as part of the statement if its number is not above this one.
pub const VERSION_ID: u32 = 80400;

/// The flags of sql_mode that change how a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Mode {
    /// `"x"` is an identifier.
    pub ansi_quotes: bool,
    /// `\` is an ordinary character in strings.
    pub no_backslash_escapes: bool,
    /// `||` concatenates.
    pub pipes_as_concat: bool,
    /// White space is allowed between a built-in function's name and `(`.
    pub ignore_space: bool,
    /// NOT binds as closely as `!` does: `NOT 1 BETWEEN 2 AND 3` is `(NOT 1) BETWEEN 2 AND 3`.
    pub high_not_precedence: bool,
}

impl Mode {
    /// The flags as bits of one number.
    pub const fn bits(self) -> u64 {
        self.ansi_quotes as u64
            | (self.no_backslash_escapes as u64) << 1
            | (self.pipes_as_concat as u64) << 2
            | (self.ignore_space as u64) << 3
            | (self.high_not_precedence as u64) << 4
    }

    /// The flags that [`Mode::bits`] made the number of; higher bits are ignored.
    pub const fn from_bits(bits: u64) -> Mode {
        Mode {
            ansi_quotes: bits & 1 != 0,
            no_backslash_escapes: bits & 2 != 0,
            pipes_as_concat: bits & 4 != 0,
            ignore_space: bits & 8 != 0,
            high_not_precedence: bits & 16 != 0,
        }
    }
}

/// Turns bytes of the client's character set into UTF-8.
pub type Decode = fn(charset: u16, bytes: &[u8]) -> Vec<u8>;

/// Kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // the names say it
pub enum Tk {
    /// End of the statement (`;` or end of text).
    Eof,
    /// What can be no token: a string or comment without end, a byte that no token starts with.
    Bad,
    /// Unquoted word: keyword or identifier.
    Word,
    /// Unquoted word that cannot be a keyword (beside a `.`).
    Ident,
    /// In backticks.
    Backtick,
    /// In double quotes under ANSI_QUOTES.
    DoubleQuoted,
    /// The word directly after `@`, which may hold points: `example.com` in `me@example.com`.
    Hostname,
    Str,
    /// `$tag$ ... $tag$`
    Dollar,
    NationalStr,
    Int,
    Decimal,
    Float,
    Hex,
    Bit,
    Param,
    At,
    AtAt,
    LParen,
    RParen,
    LBrace,
    RBrace,
    Comma,
    /// Only inside the body of a stored program.
    Semi,
    Dot,
    Colon,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Caret,
    Amp,
    AmpAmp,
    Pipe,
    PipePipe,
    Tilde,
    Bang,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    NullEq,
    Shl,
    Shr,
    Assign,
    Arrow,
    Arrow2,
    /// `/*+ ... */`
    Hint,
}

/// A token: 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Offset in the text.
    pub start: u32,
    /// Offset after it.
    pub end: u32,
    /// Which literal of the statement it is, counted from 0.
    pub lit: u32,
    /// Which keyword a `Word` is; known after [`Lexed::resolve`].
    pub kw: Kw,
    /// Kind.
    pub kind: Tk,
}

/// What kind of literal a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum LiteralKind {
    /// Decimal digits.
    Int,
    /// With a point.
    Decimal,
    /// With an exponent.
    Float,
    /// Quoted.
    Str,
    /// N'..'
    NationalStr,
    /// 0x.. or x'..'
    Hex,
    /// 0b.. or b'..'
    Bit,
}

/// A literal in the token stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiteralToken {
    /// Where it stands in the text, quotes included.
    pub start: u32,
    /// End offset.
    pub end: u32,
    /// Its kind.
    pub kind: LiteralKind,
    /// Whether a string's value is the text between its quotes: it has neither escapes (`\n`) nor doubled quotes
    /// (`''`).
    pub plain: bool,
}

/// The tokens of one statement. A session has one and keeps its buffers from statement to statement.
#[derive(Default, Debug)]
pub struct Lexed {
    tokens: Vec<Token>,
    literals: Vec<LiteralToken>,
    running: Key,
    key: u128,
    mode: Mode,
    start: u32,
    end: u32,
    resolved: bool,
    /// Semicolons are among the tokens: what begins it may be a program.
    several: bool,
    has_comment: bool,
    /// How names become UTF-8, if the text is in another character set.
    names: Option<(u16, Decode)>,
}

impl Lexed {
    /// Empty buffers.
    pub fn new() -> Lexed {
        Lexed::default()
    }

    /// Reads the tokens of the statement that begins at `sql[start..]`, up to its `;`. A text of more than 4 GiB is
    /// read as empty; none comes, since max_allowed_packet is 1 GiB at most.
    pub fn tokenize(&mut self, sql: &[u8], start: usize, mode: Mode) {
        self.mode = mode;
        self.resolved = false;
        self.several = false;
        scan::run(self, if u32::try_from(sql.len()).is_ok() { sql } else { &[] }, start);
    }

    /// Says that this and the following statements are not in UTF-8: names in them are decoded with this function.
    pub fn set_names(&mut self, names: Option<(u16, Decode)>) {
        self.names = names;
    }

    /// A name in UTF-8; `None` if its bytes are UTF-8 already.
    pub(crate) fn decoded_name(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let (charset, decode) = self.names.filter(|_| !bytes.is_ascii())?;
        Some(decode(charset, bytes))
    }

    /// The plan key: a hash of the mode and of the text without literals and comments (see above).
    pub fn key(&self) -> u128 {
        self.key
    }

    /// The plan key if the text of some literals is part of the plan ([`crate::Parsed::fixed`]): a hash of the key
    /// and of these texts.
    pub fn key_with_fixed(&self, sql: &[u8], fixed: &[u32]) -> u128 {
        let mut k = self.running;
        k.reset(self.mode.bits());
        k.word(self.key as u64, (self.key >> 64) as u64);
        for &i in fixed {
            k.bytes(self.literal_text(sql, i));
        }
        k.finish()
    }

    /// The literals, in the order of the text.
    pub fn literals(&self) -> &[LiteralToken] {
        &self.literals
    }

    /// The literal as written; empty when there is no such ordinal.
    pub fn literal_text<'s>(&self, sql: &'s [u8], ordinal: u32) -> &'s [u8] {
        self.literals.get(ordinal as usize).and_then(|l| sql.get(l.start as usize..l.end as usize)).unwrap_or(&[])
    }

    /// The tokens; the last one is always `Eof`.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Where its `?` stand.
    pub fn question_marks(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let marks = self.tokens.iter().filter(|t| t.kind == Tk::Param);
        marks.map(|t| t.start as usize..t.end as usize)
    }

    /// Offset at which the next statement begins: after this one and its `;`.
    pub fn end(&self) -> usize {
        self.end as usize
    }

    /// Whether semicolons are among its tokens, because it begins as a program does. Where such a statement ends the
    /// parser knows ([`crate::Parsed::end`]).
    pub fn has_semicolons(&self) -> bool {
        self.several
    }

    /// Offset where reading started.
    pub fn start(&self) -> usize {
        self.start as usize
    }

    /// The mode it was read in.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Whether nothing but white space and comments was found.
    pub fn is_empty(&self) -> bool {
        self.tokens.first().is_none_or(|t| t.kind == Tk::Eof)
    }

    /// Whether a comment was left out.
    pub fn has_comment(&self) -> bool {
        self.has_comment
    }

    /// Looks up which words are keywords; does nothing the second time.
    pub fn resolve(&mut self, sql: &[u8]) {
        if self.resolved {
            return;
        }
        self.resolved = true;
        for t in &mut self.tokens {
            if t.kind == Tk::Word
                && let Some(word) = sql.get(t.start as usize..t.end as usize)
            {
                t.kw = Kw::lookup(word);
            }
        }
    }
}

#[cfg(test)]
mod tests;
