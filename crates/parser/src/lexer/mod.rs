//! Tokens, plan key and literals of one statement, in one pass over its bytes.
//!
//! Follows the rules of MySQL's lexer: what is an identifier and what a keyword depends on the bytes around a word (a
//! word before or after `.` is never a keyword, a built-in function's name only counts as such directly before `(`),
//! version comments are read when their number is not above ours, `/*+` is a hint only after the five verbs.
//!
//! Words are not looked up here: a statement whose plan is cached needs only the key and the literals. The parser calls
//! [`Lexed::resolve`] first.
//!
//! The key is a hash of the text itself with every literal replaced by its kind and ordinary comments left out. Case and
//! white space stay in, because the names of result columns are text of the statement. Nothing here fails: what cannot be
//! a token becomes [`Tk::Bad`], which no rule of the grammar accepts.
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

/// Version comments up to this number are read.
pub const VERSION_ID: u32 = 80400;

/// Lexical bits of sql_mode.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Mode {
    /// `"x"` is an identifier.
    pub ansi_quotes: bool,
    /// `\` is an ordinary character in strings.
    pub no_backslash_escapes: bool,
    /// `||` concatenates.
    pub pipes_as_concat: bool,
    /// White space between a built-in function's name and `(`.
    pub ignore_space: bool,
    /// NOT binds like `!`.
    pub high_not_precedence: bool,
}

impl Mode {
    /// A number that differs between modes.
    pub const fn bits(self) -> u64 {
        self.ansi_quotes as u64
            | (self.no_backslash_escapes as u64) << 1
            | (self.pipes_as_concat as u64) << 2
            | (self.ignore_space as u64) << 3
            | (self.high_not_precedence as u64) << 4
    }

    /// The mode of such a number; higher bits are ignored.
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
    /// Unterminated string or comment, a byte that starts nothing.
    Bad,
    /// Unquoted word: keyword or identifier.
    Word,
    /// Unquoted word that cannot be a keyword (beside a `.`).
    Ident,
    /// In backticks.
    Backtick,
    /// In double quotes under ANSI_QUOTES.
    DoubleQuoted,
    /// Directly after `@`: `[A-Za-z0-9._$]+`.
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
    /// Ordinal of a literal.
    pub lit: u32,
    /// Keyword of a `Word`, after [`Lexed::resolve`].
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
    /// A string without escapes and doubled quotes: its value is the text between the quotes.
    pub plain: bool,
}

/// Tokens of one statement; keeps its buffers between statements.
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
    has_comment: bool,
    /// How names become UTF-8 when the text is in another character set.
    names: Option<(u16, Decode)>,
}

impl Lexed {
    /// Empty buffers.
    pub fn new() -> Lexed {
        Lexed::default()
    }

    /// Reads the tokens of the statement at `sql[start..]`, up to and with its `;`. A text beyond 4 GiB is read as empty
    /// (max_allowed_packet is 1 GiB at most).
    pub fn tokenize(&mut self, sql: &[u8], start: usize, mode: Mode) {
        self.mode = mode;
        self.resolved = false;
        scan::run(self, if u32::try_from(sql.len()).is_ok() { sql } else { &[] }, start);
    }

    /// The character set of the text when it is not UTF-8 (names in it are decoded), for this and the following statements.
    pub fn set_names(&mut self, names: Option<(u16, Decode)>) {
        self.names = names;
    }

    /// Bytes of a name as UTF-8; `None` where they are fine as they are.
    pub(crate) fn decoded_name(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let (charset, decode) = self.names.filter(|_| !bytes.is_ascii())?;
        Some(decode(charset, bytes))
    }

    /// Hash of the text with literals replaced by their kind and comments left out; also of the mode.
    pub fn key(&self) -> u128 {
        self.key
    }

    /// Hash of the key and of the text of the given literals, for a plan that has [`crate::Parsed::fixed`] ones.
    pub fn key_with_fixed(&self, sql: &[u8], fixed: &[u32]) -> u128 {
        let mut k = self.running;
        k.reset(self.mode.bits());
        k.word(self.key as u64, (self.key >> 64) as u64);
        for &i in fixed {
            k.bytes(self.literal_text(sql, i));
        }
        k.finish()
    }

    /// In the order of the text.
    pub fn literals(&self) -> &[LiteralToken] {
        &self.literals
    }

    /// The literal as written; empty when there is no such ordinal.
    pub fn literal_text<'s>(&self, sql: &'s [u8], ordinal: u32) -> &'s [u8] {
        self.literals.get(ordinal as usize).and_then(|l| sql.get(l.start as usize..l.end as usize)).unwrap_or(&[])
    }

    /// Tokens; the last one is `Eof`.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Offset after the statement and its `;`.
    pub fn end(&self) -> usize {
        self.end as usize
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

    /// Looks up the keywords.
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
