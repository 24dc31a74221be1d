//! Full-text search without tables: words of a document, queries, ranks.
//!
//! The rules are InnoDB's (manual, "Full-Text Search Functions"): what a word is and which words are indexed
//! ([`words`]), the two query languages ([`parse`]), and the rank of a document ([`query`]). A rank is a function of
//! the document's own words and of a few numbers per word of the query that depend on all documents. Those, and the
//! documents found, come from reading all documents or from an [`inverted`] list of their words that was made before:
//! see docs/decisions/0018-fulltext.md. Pure code, no locks; equality of words is the collation's.
//!
//! Tested in `tests.rs`, `inverted_tests.rs` and, against MariaDB's InnoDB, by golden `fulltext` and
//! `tests/sql/fulltext_random.py`.

mod inverted;
#[cfg(test)]
mod inverted_tests;
mod lexer;
mod lists;
mod parse;
mod query;
#[cfg(test)]
mod tests;
mod words;

pub use inverted::{Inverted, InvertedBuilder};
pub use parse::SyntaxError;
pub use query::{Document, Query};
pub use words::Analyzer;

/// InnoDB's built-in stopwords in the order of `INFORMATION_SCHEMA.INNODB_FT_DEFAULT_STOPWORD`, which has "the" twice.
pub const STOPWORDS: [&str; 36] = [
    "a", "about", "an", "are", "as", "at", "be", "by", "com", "de", "en", "for", "from", "how", "i", "in", "is", "it",
    "la", "of", "on", "or", "that", "the", "this", "to", "was", "what", "when", "where", "who", "will", "with", "und",
    "the", "www",
];

/// The query language of a MATCH.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// IN NATURAL LANGUAGE MODE: words and quoted phrases.
    Natural,
    /// IN BOOLEAN MODE: with operators.
    Boolean,
}
