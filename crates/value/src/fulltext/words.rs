//! Words of a text, and which of them an index has.
//!
//! A word is a run of letters, digits and underscores (the manual's apostrophe inside words is MyISAM's; InnoDB ends the word there).
//! An index has words of `innodb_ft_min_token_size` to `innodb_ft_max_token_size` characters that are no stopwords. With the
//! ngram parser every run of `ngram_token_size` characters inside such a word is one, whatever its length, unless it
//! contains a stopword.

use std::collections::HashSet;

use crate::{Charset, Collation, CollationId};

/// How texts of an index's columns become words.
#[derive(Debug)]
pub struct Analyzer {
    pub(super) collation: &'static Collation,
    min: usize,
    max: usize,
    /// Characters of a token of the ngram parser.
    pub(super) ngram: Option<usize>,
    /// Keys of the stopwords.
    stop: HashSet<Box<[u8]>>,
}

/// A word in a text: its bytes and number of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word<'a> {
    pub(super) text: &'a [u8],
    pub(super) chars: usize,
}

/// Whether a character belongs to words.
fn is_word(c: u32) -> bool {
    // letters, numbers and the common combining marks
    c == u32::from(b'_')
        || char::from_u32(c).is_some_and(char::is_alphanumeric) && c < 0x10000
        || matches!(c, 0x300..=0x36F | 0x483..=0x487 | 0x591..=0x5BD | 0x64B..=0x65F | 0x93C | 0x94D | 0xE31..=0xE3A | 0xE47..=0xE4E)
}

/// Which ASCII characters do.
const ASCII: [bool; 128] = {
    let mut t = [false; 128];
    let mut c = 0u8;
    while c < 128 {
        if let Some(to) = t.split_at_mut(c as usize).1.first_mut() {
            *to = c == b'_' || c.is_ascii_alphanumeric();
        }
        c += 1;
    }
    t
};

/// The words of a text in order.
pub(super) struct Words<'a> {
    charset: Charset,
    /// Bytes below 128 are the ASCII characters.
    ascii: bool,
    rest: &'a [u8],
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;
    fn next(&mut self) -> Option<Word<'a>> {
        let (mut at, mut chars, mut start) = (0, 0, 0);
        loop {
            let tail = self.rest.get(at..).unwrap_or(b"");
            let plain = tail.first().filter(|_| self.ascii).and_then(|b| ASCII.get(*b as usize));
            let (word, len) = match plain {
                Some(word) => (*word, 1),
                None => match self.charset.decode(tail) {
                    Some((c, n)) => (is_word(c), n.max(1)),
                    None => (false, 1),
                },
            };
            if word {
                if chars == 0 {
                    start = at;
                }
                chars += 1;
            } else if chars > 0 || tail.is_empty() {
                let text = self.rest.get(start..at).unwrap_or(b"");
                self.rest = tail;
                return (chars > 0).then_some(Word { text, chars });
            }
            at += len;
        }
    }
}

/// The words of a text.
pub(super) fn words(charset: Charset, text: &[u8]) -> Words<'_> {
    let ascii = matches!(charset, Charset::Utf8mb4 | Charset::Utf8mb3 | Charset::Latin1 | Charset::Ascii);
    Words { charset, ascii, rest: text }
}

impl Analyzer {
    /// For columns of a collation, with the sizes of words that are indexed, the ngram parser's size if it is used, and the
    /// stopwords (utf8mb4).
    pub fn new<'s>(
        collation: CollationId,
        (min, max): (usize, usize),
        ngram: Option<usize>,
        stopwords: impl IntoIterator<Item = &'s str>,
    ) -> Analyzer {
        let mut a = Analyzer { collation: collation.get(), min, max, ngram, stop: HashSet::new() };
        let mut text = Vec::new();
        for word in stopwords {
            text.clear();
            crate::charset::convert(word.as_bytes(), Charset::Utf8mb4, a.collation.charset, &mut text);
            a.stop.insert(a.key(&text).into());
        }
        a
    }

    /// What equal words have in common.
    pub(super) fn key(&self, word: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(word.len() * 2);
        self.collation.sort_key(word, &mut out);
        out
    }

    pub(super) fn max(&self) -> usize {
        self.max
    }

    pub(super) fn min(&self) -> usize {
        self.min
    }

    /// Whether an index has this word.
    pub(super) fn is_indexed(&self, word: Word<'_>, key: &[u8]) -> bool {
        if self.ngram.is_some() {
            return !self.contains_stopword(word);
        }
        word.chars >= self.min && word.chars <= self.max && !self.stop.contains(key)
    }

    /// Whether some part of an ngram is a stopword.
    fn contains_stopword(&self, word: Word<'_>) -> bool {
        let cs = self.collation.charset;
        (0..word.chars).any(|from| {
            (1..=word.chars - from).any(|n| self.stop.contains(self.key(cs.substring(word.text, from, n)).as_slice()))
        })
    }

    /// Calls `f` with all words of a text in order, the ngrams if there is a size for them; stopwords included.
    pub(super) fn each<'t>(&self, text: &'t [u8], f: &mut dyn FnMut(Word<'t>)) {
        let cs = self.collation.charset;
        for w in words(cs, text) {
            let Some(n) = self.ngram else {
                f(w);
                continue;
            };
            for from in 0..(w.chars + 1).saturating_sub(n) {
                f(Word { text: cs.substring(w.text, from, n), chars: n });
            }
        }
    }
}
