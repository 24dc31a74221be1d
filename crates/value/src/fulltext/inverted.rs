//! The words of many documents, by word: what a query needs to find and rank documents without reading them.
//!
//! An [`Inverted`] is made once from all documents ([`InvertedBuilder`]) and never changes. It has every word,
//! stopwords too, since phrases have them; of each word the documents with the places in them, as numbers that are
//! small mostly: for an occurrence in the same document as the one before a 0 and how much further on it is, else how
//! much further on the document is and the place. Words that are equal by the collation and are both indexed, or both
//! not, are one word here; where the beginning of a word is not the beginning of its key
//! ([`crate::Collation::has_levels`]) each spelling is one.
//!
//! [`Query::count_all`] and [`Query::rank_all`] go through the lists of the query's words together, document by
//! document, and make of each what [`Query::read`] makes of its text: counting and ranking are the same code, so that a
//! rank does not depend on the way it was found.
//!
//! Tested in `inverted_tests.rs` against reading the texts.

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::lists::END;
use super::words::{Analyzer, Word};

/// A word of the documents.
#[derive(Debug)]
pub(super) struct Term {
    pub(super) key: Box<[u8]>,
    /// Primary weights, if they are not the same as the key.
    weights: Option<Box<[u8]>>,
    /// One spelling (all there are, where spellings matter).
    text: Box<[u8]>,
    chars: usize,
    pub(super) indexed: bool,
    pub(super) documents: u32,
    pub(super) places: Vec<u8>,
}

impl Term {
    pub(super) fn weights(&self) -> &[u8] {
        self.weights.as_deref().unwrap_or(&self.key)
    }

    pub(super) fn word(&self) -> Word<'_> {
        Word { text: &self.text, chars: self.chars }
    }
}

/// See the module.
#[derive(Debug)]
pub struct Inverted {
    pub(super) columns: u32,
    documents: u32,
    /// In the order of their keys.
    pub(super) terms: Vec<Term>,
    /// In the order of their weights; empty where those do not tell beginnings.
    pub(super) by_weights: Vec<u32>,
    bytes: usize,
}

/// What a term costs beside its bytes, and a spelling while the index is made.
const TERM: usize = 160;
const SPELLING: usize = 48;

/// Makes an [`Inverted`].
#[derive(Debug)]
pub struct InvertedBuilder {
    analyzer: Analyzer,
    index: Inverted,
    spellings: HashMap<Box<[u8]>, u32>,
    by_key: HashMap<Box<[u8]>, SmallVec<[u32; 2]>>,
    /// By term: the number (from 1 on) of the last document, and the last place in it.
    last: Vec<(u32, u32)>,
}

impl InvertedBuilder {
    /// For documents of so many columns, with words as the analyzer says.
    pub fn new(analyzer: Analyzer, columns: usize) -> InvertedBuilder {
        InvertedBuilder {
            analyzer,
            index: Inverted {
                columns: columns.max(1) as u32,
                documents: 0,
                terms: Vec::new(),
                by_weights: Vec::new(),
                bytes: 0,
            },
            spellings: HashMap::new(),
            by_key: HashMap::new(),
            last: Vec::new(),
        }
    }

    /// The next document: the texts of its columns in the collation's character set. `false`: it has more words than
    /// can be counted, and the index is of no use.
    #[must_use]
    pub fn add<'t>(&mut self, columns: impl Iterator<Item = Option<&'t [u8]>>) -> bool {
        self.index.documents += 1;
        let (doc, width) = (self.index.documents, self.index.columns);
        let (mut at, mut fits) = (0u32, doc < END);
        for (column, text) in columns.enumerate() {
            // `each` borrows the analyzer, `term` needs all of the builder
            let mut words: SmallVec<[Word<'_>; 64]> = SmallVec::new();
            self.analyzer.each(text.unwrap_or(b""), &mut |w| words.push(w));
            for w in words {
                let n = match self.spellings.get(w.text) {
                    Some(n) => *n,
                    None => self.term(w),
                };
                at += 1;
                fits &= at < END / width;
                let place = at.wrapping_mul(width).wrapping_add(column as u32);
                let (Some(t), Some(last)) = (self.index.terms.get_mut(n as usize), self.last.get_mut(n as usize))
                else {
                    continue;
                };
                let before = t.places.len();
                if last.0 == doc {
                    put(0, &mut t.places);
                    put(place.wrapping_sub(last.1), &mut t.places);
                } else {
                    t.documents += 1;
                    put(doc - last.0, &mut t.places);
                    put(place, &mut t.places);
                }
                *last = (doc, place);
                self.index.bytes += t.places.len() - before;
            }
        }
        fits
    }

    /// The term of a spelling that is new.
    fn term(&mut self, w: Word<'_>) -> u32 {
        let key = self.analyzer.key(w.text);
        let indexed = self.analyzer.is_indexed(w, &key);
        let levels = self.analyzer.collation.has_levels();
        let terms = &mut self.index.terms;
        let of_key = self.by_key.entry(key.as_slice().into()).or_default();
        let same =
            |n: &&u32| terms.get(**n as usize).is_some_and(|t| t.indexed == indexed && (!levels || *t.text == *w.text));
        let n = match of_key.iter().find(same) {
            Some(n) => *n,
            None => {
                let n = terms.len() as u32;
                of_key.push(n);
                let mut weights = Vec::new();
                if !levels {
                    self.analyzer.collation.weights(w.text, &mut weights);
                }
                let weights = (!levels && weights != key).then(|| weights.into());
                self.index.bytes += TERM + 3 * key.len() + w.text.len();
                terms.push(Term {
                    key: key.into(),
                    weights,
                    text: w.text.into(),
                    chars: w.chars,
                    indexed,
                    documents: 0,
                    places: Vec::new(),
                });
                self.last.push((0, 0));
                n
            }
        };
        self.index.bytes += SPELLING + w.text.len();
        self.spellings.insert(w.text.into(), n);
        n
    }

    /// Bytes it takes, roughly.
    pub fn bytes(&self) -> usize {
        self.index.bytes
    }

    /// All documents are in.
    pub fn finish(mut self) -> Inverted {
        let levels = self.analyzer.collation.has_levels();
        let mut i = self.index;
        i.bytes = i.bytes.saturating_sub(self.spellings.iter().map(|(s, _)| SPELLING + s.len()).sum());
        self.spellings = HashMap::new();
        i.terms.sort_unstable_by(|a, b| (&a.key, !a.indexed, &a.text).cmp(&(&b.key, !b.indexed, &b.text)));
        i.terms.iter_mut().for_each(|t| t.places.shrink_to_fit());
        i.terms.shrink_to_fit();
        if !levels {
            let mut order: Vec<(u32, &[u8])> =
                i.terms.iter().enumerate().map(|(n, t)| (n as u32, t.weights())).collect();
            order.sort_by_key(|o| o.1);
            i.by_weights = order.into_iter().map(|o| o.0).collect();
        }
        i
    }
}

/// A number in as few groups of 7 bits as it needs, the lowest first.
fn put(mut n: u32, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

impl Inverted {
    /// Documents.
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// Bytes it takes, roughly.
    pub fn bytes(&self) -> usize {
        self.bytes + self.by_weights.len() * 4
    }
}
