//! Queries as trees, and the order in which InnoDB carries out their parts.
//!
//! The grammar, for boolean mode: a list of `[+ - < > ~] ( list )`, `[op] "phrase" [@ number]` and `[op] term [*]`; a `*` before a
//! term means nothing. A term with several words (`don't.panic`) is a list of its own. Errors read as those of InnoDB's parser.
//!
//! InnoDB does not carry a list out from left to right: what has no `+` or `-` comes first, then what has `+`, then what has `-`.
//! That holds for operators on single operands; the words of a term with several words are dealt with in their place, and what
//! stands before a list in parentheses is dealt with before it. The order matters (`~` and `<` change ranks of documents found so
//! far, `a +b (c)` adds the documents with `c`), so [`steps`] makes the same one.

use super::Language;
use super::lexer::{Lexer, Token};
use super::words::{Analyzer, words};

/// Deepest nesting of parentheses.
const MAX_DEPTH: u32 = 31;

/// A query that is none, with the text of error 1064.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError(pub String);

/// Operators before an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Oper {
    None,
    /// `+`
    Exist,
    /// `-`
    Ignore,
    /// `~`
    Negate,
    /// `>`
    Raise,
    /// `<`
    Lower,
}

/// What an operator stands before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    /// A word, or the beginning of one.
    Word { text: Vec<u8>, prefix: bool },
    /// A quoted phrase, with the number behind its `@`.
    Phrase { text: Vec<u8>, distance: Option<u64> },
    /// A list in parentheses.
    Group(Vec<Step>),
}

/// One operation on the set of documents found so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) oper: Oper,
    pub(super) operand: Operand,
}

/// An element of a list.
enum Item {
    /// An operator (if any) and what it stands before: none for a term without words.
    One(Oper, Option<Operand>),
    /// The words of one term.
    Words(Oper, Vec<Operand>),
    /// What stands before a list in parentheses: dealt with for itself.
    Before(Vec<Step>),
}

struct Parser<'a, 'q> {
    lexer: Lexer<'q>,
    token: Token<'q>,
    analyzer: &'a Analyzer,
    language: Language,
}

/// The steps of a query.
pub(super) fn parse(text: &[u8], language: Language, analyzer: &Analyzer) -> Result<Vec<Step>, SyntaxError> {
    let mut lexer = Lexer::new(text, language);
    let token = lexer.next();
    let mut p = Parser { lexer, token, analyzer, language };
    Ok(steps(p.list(0)?))
}

fn oper(token: Token<'_>) -> Option<Oper> {
    Some(match token {
        Token::Op(b'+') => Oper::Exist,
        Token::Op(b'-') => Oper::Ignore,
        Token::Op(b'~') => Oper::Negate,
        Token::Op(b'>') => Oper::Raise,
        Token::Op(b'<') => Oper::Lower,
        _ => return None,
    })
}

impl<'q> Parser<'_, 'q> {
    fn advance(&mut self) -> Token<'q> {
        let next = self.lexer.next();
        std::mem::replace(&mut self.token, next)
    }

    fn unexpected<T>(&self, expecting: &str) -> Result<T, SyntaxError> {
        let expecting = if expecting.is_empty() { String::new() } else { format!(", expecting {expecting}") };
        Err(SyntaxError(format!("syntax error, unexpected {}{expecting}", self.token.name())))
    }

    fn list(&mut self, depth: u32) -> Result<Vec<Item>, SyntaxError> {
        if depth > MAX_DEPTH {
            return Err(SyntaxError("memory exhausted".into()));
        }
        let mut out = Vec::new();
        loop {
            let op = oper(self.token);
            if op.is_some() {
                self.advance();
            }
            let o = op.unwrap_or(Oper::None);
            let item = match self.token {
                Token::Op(b'(') => {
                    self.advance();
                    let inner = self.list(depth + 1)?;
                    if self.token != Token::Op(b')') {
                        return self.unexpected("");
                    }
                    self.advance();
                    let before = std::mem::take(&mut out);
                    out.push(Item::Before(steps(before)));
                    Item::One(o, (!inner.is_empty()).then(|| Operand::Group(steps(inner))))
                }
                Token::Text(text) => {
                    self.advance();
                    let distance = self.distance()?;
                    Item::One(o, (!text.is_empty()).then(|| Operand::Phrase { text: text.to_vec(), distance }))
                }
                Token::Term(_) | Token::Number(_) | Token::Op(b'*') => self.term(o)?,
                Token::End if op.is_none() && depth == 0 => return Ok(out),
                Token::Op(b')') if op.is_none() && depth > 0 => return Ok(out),
                _ if op.is_none() && depth == 0 => return self.unexpected("$end"),
                _ => return self.unexpected(""),
            };
            out.push(item);
        }
    }

    /// `@ number` behind a phrase.
    fn distance(&mut self) -> Result<Option<u64>, SyntaxError> {
        let mut distance = None;
        while self.token == Token::Op(b'@') {
            self.advance();
            let Token::Number(n) = self.token else { return self.unexpected("FTS_NUMB") };
            distance = Some(n.iter().fold(0u64, |n, d| n.saturating_mul(10).saturating_add(u64::from(d - b'0'))));
            self.advance();
        }
        Ok(distance)
    }

    fn term(&mut self, o: Oper) -> Result<Item, SyntaxError> {
        while self.token == Token::Op(b'*') {
            self.advance();
        }
        let (Token::Term(text) | Token::Number(text)) = self.token else {
            return self.unexpected("FTS_TERM or FTS_NUMB or '*'");
        };
        self.advance();
        let wild = self.token == Token::Op(b'*');
        if wild {
            self.advance();
        }
        if let Some(n) = self.analyzer.ngram {
            return Ok(self.ngrams(o, text, wild, n));
        }
        let mut list: Vec<Operand> = Vec::new();
        for w in words(self.analyzer.collation.charset, text) {
            // of the words behind the first, those that no index has are left out
            if w.chars > self.analyzer.max() || !list.is_empty() && w.chars < self.analyzer.min() {
                continue;
            }
            list.push(Operand::Word { text: w.text.to_vec(), prefix: false });
        }
        if wild && let Some(Operand::Word { prefix, .. }) = list.last_mut() {
            *prefix = true;
        }
        Ok(if list.len() > 1 { Item::Words(o, list) } else { Item::One(o, list.pop()) })
    }

    /// A term for the ngram parser: in natural language mode any of its ngrams, in boolean mode all of them in a row; the beginning of
    /// an ngram where it is shorter than one and has a `*`.
    fn ngrams(&self, o: Oper, text: &[u8], wild: bool, n: usize) -> Item {
        let cs = self.analyzer.collation.charset;
        if self.language == Language::Boolean {
            let short = words(cs, text).all(|w| w.chars < n);
            let one = words(cs, text).last();
            return Item::One(
                o,
                match one {
                    Some(w) if short && wild => Some(Operand::Word { text: w.text.to_vec(), prefix: true }),
                    Some(_) => Some(Operand::Phrase { text: text.to_vec(), distance: None }),
                    None => None,
                },
            );
        }
        let mut list = Vec::new();
        self.analyzer.each(text, &mut |w| list.push(Operand::Word { text: w.text.to_vec(), prefix: false }));
        Item::Words(o, list)
    }
}

/// A list in the order in which it is carried out.
fn steps(list: Vec<Item>) -> Vec<Step> {
    let mut out = Vec::new();
    let (mut exist, mut ignore) = (Vec::new(), Vec::new());
    for item in list {
        match item {
            Item::Before(s) => out.extend(s),
            Item::One(_, None) => {}
            Item::One(oper, Some(operand)) => match oper {
                Oper::Exist => exist.push(Step { oper, operand }),
                Oper::Ignore => ignore.push(Step { oper, operand }),
                _ => out.push(Step { oper, operand }),
            },
            Item::Words(oper, words) => out.extend(words.into_iter().map(|operand| Step { oper, operand })),
        }
    }
    out.extend(exist);
    out.extend(ignore);
    out
}
