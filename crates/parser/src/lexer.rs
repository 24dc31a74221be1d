//! Tokens, plan key and literals of one statement.
//!
//! Tested beside the code and through the parser's tests.

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

/// What kind of literal a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    key: u128,
    literals: Vec<LiteralToken>,
}

impl Lexed {
    /// Empty buffers.
    pub fn new() -> Lexed {
        Lexed::default()
    }
    /// Reads the tokens of the statement at `sql[start..]`, up to and with its `;`.
    pub fn tokenize(&mut self, sql: &[u8], start: usize, mode: Mode) {
        let _ = (sql, start, mode);
    }
    /// Hash of the text with literals replaced by their kind and comments left out; also of the mode.
    pub fn key(&self) -> u128 {
        self.key
    }
    /// In the order of the text.
    pub fn literals(&self) -> &[LiteralToken] {
        &self.literals
    }
}
