//! Tokens of the two query languages.
//!
//! Boolean mode knows the operators `+ - < > ( ) ~ * @`, quoted phrases, numbers (what follows `@` must be one) and terms. Natural
//! language mode has terms, phrases and a `*` that stands alone. A quote without its partner, and `%`, mean nothing.

use super::Language;

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    End,
    Op(u8),
    Number(&'a [u8]),
    Term(&'a [u8]),
    /// Without its quotes.
    Text(&'a [u8]),
}

impl Token<'_> {
    /// As messages name it.
    pub(super) fn name(self) -> String {
        match self {
            Token::End => "$end".into(),
            Token::Op(c) => format!("'{}'", char::from(c)),
            Token::Number(_) => "FTS_NUMB".into(),
            Token::Term(_) => "FTS_TERM".into(),
            Token::Text(_) => "FTS_TEXT".into(),
        }
    }
}

/// Reads tokens.
pub(super) struct Lexer<'a> {
    rest: &'a [u8],
    language: Language,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8], language: Language) -> Lexer<'a> {
        Lexer { rest: text, language }
    }

    fn ends_term(&self, c: u8) -> bool {
        match self.language {
            Language::Boolean => b"\" \n\r\t()+-<>~*@%".contains(&c),
            Language::Natural => b"\" \n%".contains(&c),
        }
    }

    fn take(&mut self, n: usize) -> &'a [u8] {
        let (head, tail) = self.rest.split_at_checked(n).unwrap_or((self.rest, b""));
        self.rest = tail;
        head
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        loop {
            let Some(&c) = self.rest.first() else { return Token::End };
            if c == b'"' {
                let inside = self.rest.iter().skip(1).position(|c| *c == b'"' || *c == b'\n');
                match inside {
                    Some(n) if self.rest.get(n + 1) == Some(&b'"') => {
                        let all = self.take(n + 2);
                        return Token::Text(all.get(1..=n).unwrap_or(b""));
                    }
                    _ => self.take(1),
                };
                continue;
            }
            let len = self.rest.iter().position(|c| self.ends_term(*c)).unwrap_or(self.rest.len());
            match (self.language, len) {
                (Language::Boolean, 0) if b"()+-<>~*@".contains(&c) => {
                    self.take(1);
                    return Token::Op(c);
                }
                (_, 0) => drop(self.take(1)),
                (Language::Natural, 1) if c == b'*' => {
                    self.take(1);
                    return Token::Op(c);
                }
                (Language::Natural, _) if c == b'\t' => drop(self.take(1)),
                (language, _) => {
                    let term = self.take(len);
                    let number = language == Language::Boolean && term.iter().all(u8::is_ascii_digit);
                    return if number { Token::Number(term) } else { Token::Term(term) };
                }
            }
        }
    }
}
