//! A query against documents: counting words, and the rank of a document.
//!
//! A query lives for one execution of a MATCH. First every document is counted ([`Query::count`]), then [`Query::finish`] fixes the weights
//! of the words, then any document has a rank. `rank = sum over its matching words of TF * IDF * IDF`, `IDF = log10(documents /
//! documents with the word)`, plus what the operators `> < ~` add or take (1 each, at most 1 in all); sums are single precision, as
//! InnoDB's. Where a word is in every document its IDF would be 0: InnoDB takes log10(1.0001). InnoDB counts the documents of a
//! word once for every time that the query looks it up, and those of a `word*` once for each different word found; so do we.
//!
//! WITH QUERY EXPANSION: the words of the documents found ([`Query::expand`]) become words of the query ([`Query::add_words`]), and
//! everything is counted again.

use std::collections::{BTreeMap, HashMap, HashSet};

use smallvec::SmallVec;

use super::Language;
use super::parse::{self, Oper, Operand, SyntaxError};
use super::words::{Analyzer, Word};

/// Number of a word of the query.
type Id = u32;
/// A word that the query does not have.
pub(super) const OTHER: Id = u32::MAX;
/// Spellings that a query remembers; after so many it begins anew.
const REMEMBERED: usize = 20_000;
/// Bytes of a word from which it is not remembered.
const LONG: usize = 400;

/// A word that occurs in the query.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// As the beginning of words: what they begin with.
    pub(super) prefix: Option<Prefix>,
    /// Documents with the word, and pairs of documents and words that begin with it.
    pub(super) documents: u64,
    pub(super) beginnings: u64,
    idf: f64,
    /// Whether the first lookup of it is as a beginning: that decides which word's frequency counts.
    prefix_first: Option<bool>,
}

#[derive(Debug)]
pub(super) enum Prefix {
    /// Primary weights.
    Weights(Vec<u8>),
    /// Characters, and the key of so many characters: collations with more levels.
    Key(usize, Vec<u8>),
}

#[derive(Debug)]
enum Leaf {
    Word(Id),
    Prefix(Id),
    Phrase(Phrase),
    Group(Vec<Step>),
}

#[derive(Debug)]
struct Step {
    oper: Oper,
    leaf: Leaf,
    /// Number in the query.
    n: usize,
}

#[derive(Debug)]
struct Phrase {
    /// The words that an index has.
    words: Vec<Id>,
    /// The words from the first such one on: they stand in a row in a column.
    run: Vec<Id>,
    /// Instead: all of `words` within so many words, over all columns.
    distance: Option<u64>,
}

/// Where a document has a word of the query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    /// Words before it, in all columns.
    pub(super) at: u32,
    pub(super) column: u32,
    pub(super) id: Id,
}

/// Words of a document that begin with a word of the query.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Beginnings {
    /// Different ones.
    pub(super) words: u32,
    /// Occurrences of the first of them in the order of the collation.
    pub(super) first: u32,
    /// Number of the last one, while the lists of an index are put together.
    pub(super) group: u32,
}

/// What a query sees of a document. Reused from one document to the next.
#[derive(Debug, Default)]
pub struct Document {
    /// The query's words in order.
    pub(super) row: Vec<Place>,
    /// Occurrences by word.
    pub(super) counts: Vec<u32>,
    /// By word; empty if the query has no beginnings.
    pub(super) beginnings: Vec<Beginnings>,
    /// The words behind `beginnings` with their occurrences, while a text is read.
    begun: Vec<BTreeMap<Box<[u8]>, u32>>,
}

/// What is known of a spelling: most words of documents are met again and again.
#[derive(Clone, Debug)]
struct Known {
    id: Id,
    indexed: bool,
    /// Words of the query that it begins with, and then its key.
    begins: SmallVec<[Id; 2]>,
    key: Box<[u8]>,
}

/// A document in the set, while a query is carried out.
#[derive(Debug)]
struct Found {
    rank: f32,
    words: SmallVec<[Id; 8]>,
}

/// See the module.
#[derive(Debug)]
pub struct Query {
    pub(super) analyzer: Analyzer,
    steps: Vec<Step>,
    pub(super) entries: Vec<Entry>,
    pub(super) ids: HashMap<Box<[u8]>, Id>,
    pub(super) with_prefix: Vec<Id>,
    known: hashbrown::HashMap<Box<[u8]>, Known>,
    /// Number of steps.
    steps_in_all: usize,
    /// Whether some step has `+` or `-`.
    takes_away: bool,
    /// Whether some step is a phrase: the places of words matter.
    pub(super) has_phrases: bool,
    /// By step: whether any document had been found before it (counted only where it matters).
    pub(super) found_before: Vec<bool>,
    /// Words that some document was found by.
    credited: HashSet<Id>,
}

impl Query {
    /// A query for texts of the analyzer's collation; `text` is in its character set.
    ///
    /// # Errors
    /// Of boolean mode.
    pub fn new(analyzer: Analyzer, language: Language, text: &[u8]) -> Result<Query, SyntaxError> {
        let parsed = parse::parse(text, language, &analyzer)?;
        let mut q = Query {
            analyzer,
            steps: Vec::new(),
            entries: Vec::new(),
            ids: HashMap::new(),
            with_prefix: Vec::new(),
            known: hashbrown::HashMap::new(),
            steps_in_all: 0,
            takes_away: false,
            has_phrases: false,
            found_before: Vec::new(),
            credited: HashSet::new(),
        };
        q.steps = q.resolve(parsed);
        q.found_before = vec![false; q.steps_in_all];
        Ok(q)
    }

    fn id(&mut self, key: Vec<u8>) -> Id {
        if let Some(id) = self.ids.get(key.as_slice()) {
            return *id;
        }
        let id = self.entries.len() as Id;
        self.entries.push(Entry::default());
        self.ids.insert(key.into(), id);
        id
    }

    fn looked_up(&mut self, id: Id, as_prefix: bool) {
        if let Some(e) = self.entries.get_mut(id as usize) {
            e.prefix_first.get_or_insert(as_prefix);
        }
    }

    fn resolve(&mut self, steps: Vec<parse::Step>) -> Vec<Step> {
        let step = |s: parse::Step| {
            self.steps_in_all += 1;
            let n = self.steps_in_all - 1;
            self.takes_away |= matches!(s.oper, Oper::Exist | Oper::Ignore);
            Step { oper: s.oper, leaf: self.leaf(s.operand), n }
        };
        steps.into_iter().map(step).collect()
    }

    fn leaf(&mut self, operand: Operand) -> Leaf {
        match operand {
            Operand::Group(g) => Leaf::Group(self.resolve(g)),
            Operand::Word { text, prefix: false } => {
                let id = self.id(self.analyzer.key(&text));
                self.looked_up(id, false);
                Leaf::Word(id)
            }
            Operand::Word { text, prefix: true } => {
                let id = self.id(self.analyzer.key(&text));
                self.looked_up(id, true);
                let collation = self.analyzer.collation;
                let prefix = if collation.has_levels() {
                    Prefix::Key(collation.charset.char_count(&text), self.analyzer.key(&text))
                } else {
                    let mut weights = Vec::new();
                    collation.weights(&text, &mut weights);
                    Prefix::Weights(weights)
                };
                if let Some(e) = self.entries.get_mut(id as usize)
                    && e.prefix.is_none()
                {
                    e.prefix = Some(prefix);
                    self.with_prefix.push(id);
                }
                Leaf::Prefix(id)
            }
            Operand::Phrase { text, distance } => Leaf::Phrase(self.phrase(&text, distance)),
        }
    }

    fn phrase(&mut self, text: &[u8], distance: Option<u64>) -> Phrase {
        self.has_phrases = true;
        let mut list = Vec::new();
        self.analyzer.each(text, &mut |w| list.push(w));
        let mut p = Phrase { words: Vec::new(), run: Vec::new(), distance };
        for w in list {
            let key = self.analyzer.key(w.text);
            let indexed = self.analyzer.is_indexed(w, &key);
            if !indexed && p.words.is_empty() {
                continue;
            }
            let id = self.id(key);
            p.run.push(id);
            if indexed {
                p.words.push(id);
                self.looked_up(id, false);
            }
        }
        p
    }

    /// Reads a document: the texts of the columns in the collation's character set.
    pub fn read<'t>(&mut self, doc: &mut Document, columns: impl Iterator<Item = Option<&'t [u8]>>) {
        self.clear(doc);
        let mut known = std::mem::take(&mut self.known);
        let mut at = 0;
        for (column, text) in columns.enumerate() {
            self.analyzer.each(text.unwrap_or(b""), &mut |w| {
                at += 1;
                let long;
                let k = match known.get(w.text) {
                    Some(k) => k,
                    None if w.text.len() > LONG => {
                        long = self.know(w);
                        &long
                    }
                    None => {
                        if known.len() >= REMEMBERED {
                            known.clear();
                        }
                        known.entry(w.text.into()).or_insert_with(|| self.know(w))
                    }
                };
                if k.id != OTHER {
                    doc.row.push(Place { at, column: column as u32, id: k.id });
                    if k.indexed
                        && let Some(n) = doc.counts.get_mut(k.id as usize)
                    {
                        *n += 1;
                    }
                }
                for p in &k.begins {
                    if let Some(found) = doc.begun.get_mut(*p as usize) {
                        *found.entry(k.key.clone()).or_default() += 1;
                    }
                }
            });
        }
        self.known = known;
        for p in &self.with_prefix {
            if let (Some(to), Some(b)) = (doc.beginnings.get_mut(*p as usize), doc.begun.get_mut(*p as usize)) {
                *to = Beginnings { words: b.len() as u32, first: b.values().next().copied().unwrap_or(0), group: 0 };
                b.clear();
            }
        }
    }

    /// An empty document.
    pub(super) fn clear(&self, doc: &mut Document) {
        doc.row.clear();
        doc.counts.clear();
        doc.counts.resize(self.entries.len(), 0);
        if !self.with_prefix.is_empty() {
            doc.beginnings.clear();
            doc.beginnings.resize(self.entries.len(), Beginnings::default());
            doc.begun.resize_with(self.entries.len(), BTreeMap::new);
        }
    }

    fn know(&self, w: Word<'_>) -> Known {
        let key = self.analyzer.key(w.text);
        let id = self.ids.get(key.as_slice()).copied().unwrap_or(OTHER);
        let mut k = Known { id, indexed: false, begins: SmallVec::new(), key: Box::default() };
        if id == OTHER && self.with_prefix.is_empty() {
            return k;
        }
        k.indexed = self.analyzer.is_indexed(w, &key);
        if k.indexed && !self.with_prefix.is_empty() {
            let mut weights = Vec::new();
            self.analyzer.collation.weights(w.text, &mut weights);
            k.begins = self.with_prefix.iter().copied().filter(|p| self.begins(*p, w, &weights)).collect();
            if !k.begins.is_empty() {
                k.key = key.into();
            }
        }
        k
    }

    pub(super) fn begins(&self, id: Id, w: Word<'_>, weights: &[u8]) -> bool {
        match self.entries.get(id as usize).and_then(|e| e.prefix.as_ref()) {
            Some(Prefix::Weights(p)) => weights.starts_with(p),
            Some(Prefix::Key(chars, key)) => {
                w.chars >= *chars
                    && self.analyzer.key(self.analyzer.collation.charset.substring(w.text, 0, *chars)) == *key
            }
            None => false,
        }
    }

    /// Counts a document's words.
    pub fn count(&mut self, doc: &Document) {
        for (e, n) in self.entries.iter_mut().zip(&doc.counts) {
            e.documents += u64::from(*n > 0);
        }
        for p in &self.with_prefix {
            if let (Some(e), Some(b)) = (self.entries.get_mut(*p as usize), doc.beginnings.get(*p as usize)) {
                e.beginnings += u64::from(b.words);
            }
        }
        if self.takes_away {
            let mut before = std::mem::take(&mut self.found_before);
            self.note_found(doc, &mut before);
            self.found_before = before;
        }
    }

    /// Notes at which steps the document had been found before.
    pub(super) fn note_found(&self, doc: &Document, before: &mut [bool]) {
        self.run(&self.steps, doc, before);
    }

    /// The steps of which it matters whether any document had been found before ([`Query::tally`]).
    pub(super) fn asking(&self) -> Vec<usize> {
        fn of(steps: &[Step], out: &mut Vec<usize>) {
            let mut exist = false;
            for s in steps {
                if is_pointless(s, exist) && matches!(s.leaf, Leaf::Word(_) | Leaf::Prefix(_)) {
                    out.push(s.n);
                }
                exist |= s.oper == Oper::Exist;
                if let Leaf::Group(g) = &s.leaf {
                    of(g, out);
                }
            }
        }
        let mut out = Vec::new();
        of(&self.steps, &mut out);
        out
    }

    /// After all of `documents` documents have been counted.
    pub fn finish(&mut self, documents: u64) {
        let mut lookups = vec![0; self.entries.len()];
        self.tally(&self.steps, &mut lookups);
        for (e, n) in self.entries.iter_mut().zip(lookups) {
            e.idf = match n {
                0 => 0.0,
                n if n == documents => 1.0001f64.log10(),
                n => (documents as f64 / n as f64).log10(),
            };
        }
    }

    /// Adds the documents of all words looked up.
    fn tally(&self, steps: &[Step], out: &mut [u64]) {
        let mut exist = false;
        for s in steps {
            let pointless = is_pointless(s, exist);
            let found = self.found_before.get(s.n).is_none_or(|f| *f);
            exist |= s.oper == Oper::Exist;
            let mut add = |id: Id, n: u64| {
                if let Some(o) = out.get_mut(id as usize) {
                    *o += n;
                }
            };
            let entry = |id: &Id| self.entries.get(*id as usize);
            match &s.leaf {
                Leaf::Word(_) | Leaf::Prefix(_) if pointless && !found => {}
                Leaf::Word(id) => add(*id, entry(id).map_or(0, |e| e.documents)),
                Leaf::Prefix(id) => add(*id, entry(id).map_or(0, |e| e.beginnings)),
                Leaf::Phrase(p) => {
                    // up to the first word that is nowhere
                    for id in &p.words {
                        let n = entry(id).map_or(0, |e| e.documents);
                        add(*id, n);
                        if n == 0 {
                            break;
                        }
                    }
                }
                Leaf::Group(g) => self.tally(g, out),
            }
        }
    }

    /// Rank of a document; `None` if it does not match.
    pub fn rank(&self, doc: &Document) -> Option<f32> {
        let mut found = self.run(&self.steps, doc, &mut [])?;
        found.words.sort_unstable();
        found.words.dedup();
        for id in &found.words {
            let Some(e) = self.entries.get(*id as usize) else { continue };
            let weight = f64::from(self.frequency(*id, e, doc)) * e.idf;
            found.rank += (weight * e.idf) as f32;
        }
        Some(found.rank)
    }

    fn frequency(&self, id: Id, e: &Entry, doc: &Document) -> u32 {
        let exact = doc.counts.get(id as usize).copied().unwrap_or(0);
        let first = || doc.beginnings.get(id as usize).filter(|b| b.words > 0).map(|b| b.first);
        if e.prefix_first == Some(true) || exact == 0 { first().unwrap_or(exact) } else { exact }
    }

    /// Carries steps out for one document; notes in `before` at which steps it had been found.
    fn run(&self, steps: &[Step], doc: &Document, before: &mut [bool]) -> Option<Found> {
        let mut set: Option<Found> = None;
        let mut exist = false;
        for s in steps {
            if set.is_some()
                && let Some(b) = before.get_mut(s.n)
            {
                *b = true;
            }
            let mut group = None;
            let times = match &s.leaf {
                Leaf::Word(id) => usize::from(doc.counts.get(*id as usize).is_some_and(|n| *n > 0)),
                Leaf::Prefix(id) => doc.beginnings.get(*id as usize).map_or(0, |b| b.words as usize),
                Leaf::Phrase(p) => usize::from(p.matches(doc)),
                Leaf::Group(g) => {
                    group = self.run(g, doc, before);
                    usize::from(group.is_some())
                }
            };
            let rank = group.as_ref().map_or(0.0, |f| f.rank);
            if s.oper == Oper::Exist {
                set = if times == 0 { None } else { meet(set, exist, rank) };
                exist = true;
            } else {
                (0..times).for_each(|_| apply(s.oper, &mut set, rank));
            }
            let Some(f) = set.as_mut().filter(|_| times > 0) else { continue };
            match &s.leaf {
                Leaf::Word(id) | Leaf::Prefix(id) => f.words.push(*id),
                Leaf::Phrase(p) => f.words.extend_from_slice(&p.words),
                Leaf::Group(_) => f.words.extend(group.into_iter().flat_map(|g| g.words)),
            }
        }
        set
    }

    /// Whether a document matches; notes the words it is found by, for [`Query::add_words`].
    pub fn finds(&mut self, doc: &Document) -> bool {
        let found = self.run(&self.steps, doc, &mut []);
        self.credited.extend(found.iter().flat_map(|f| &f.words));
        found.is_some()
    }

    /// Adds the words of a document to `words`; the bytes they take.
    pub fn expand<'t>(&self, columns: impl Iterator<Item = Option<&'t [u8]>>, words: &mut HashSet<Box<[u8]>>) -> usize {
        let mut bytes = 0;
        for text in columns {
            self.analyzer.each(text.unwrap_or(b""), &mut |w| {
                let key = self.analyzer.key(w.text);
                if !self.analyzer.is_indexed(w, &key) {
                    return;
                }
                let size = key.len();
                if words.insert(key.into()) {
                    bytes += size + 64;
                }
            });
        }
        bytes
    }

    /// Makes the words that no document was found by part of the query, as if they stood at its end. Counting starts anew.
    pub fn add_words(&mut self, words: HashSet<Box<[u8]>>) {
        let mut words: Vec<_> = words.into_iter().collect();
        words.sort_unstable();
        for key in words {
            let id = self.id(key.into_vec());
            if self.credited.contains(&id) {
                continue;
            }
            self.looked_up(id, false);
            self.steps.push(Step { oper: Oper::None, leaf: Leaf::Word(id), n: self.steps_in_all });
        }
        self.known.clear();
        self.entries.iter_mut().for_each(|e| (e.documents, e.beginnings) = (0, 0));
    }
}

/// Nothing is taken from nothing: the step's word is not looked up if nothing has been found. `exist`: a step before
/// had a `+`.
fn is_pointless(s: &Step, exist: bool) -> bool {
    s.oper == Oper::Ignore || s.oper == Oper::Exist && exist
}

/// `+`: what was found so far stays, with its rank; what was not, only before the first `+`.
fn meet(set: Option<Found>, exist: bool, rank: f32) -> Option<Found> {
    match set {
        Some(f) => Some(Found { rank: (rank + f.rank).clamp(-1.0, 1.0), words: f.words }),
        None if exist => None,
        None => Some(Found { rank, words: SmallVec::new() }),
    }
}

/// The other operators.
fn apply(oper: Oper, set: &mut Option<Found>, rank: f32) {
    if oper == Oper::Ignore {
        *set = None;
        return;
    }
    if set.is_none() && oper != Oper::Negate {
        *set = Some(Found { rank, words: SmallVec::new() });
    }
    if let Some(f) = set {
        match oper {
            Oper::Raise => f.rank = (f.rank + 1.0).clamp(-1.0, 1.0),
            Oper::Lower | Oper::Negate => f.rank = (f.rank - 1.0).clamp(-1.0, 1.0),
            Oper::None | Oper::Exist | Oper::Ignore => {}
        }
    }
}

impl Phrase {
    fn matches(&self, doc: &Document) -> bool {
        if self.words.is_empty() {
            return false;
        }
        match self.distance {
            None => doc.row.windows(self.run.len()).any(|w| {
                let Some(first) = w.first() else { return false };
                let mut next = first.at..;
                w.iter()
                    .zip(&self.run)
                    .all(|(p, id)| p.id == *id && p.column == first.column && next.next() == Some(p.at))
            }),
            Some(n) => self.near(doc, n),
        }
    }

    /// Whether all words begin within `distance` words, the first and the last included.
    fn near(&self, doc: &Document, distance: u64) -> bool {
        let mut last: Vec<Option<u64>> = vec![None; self.words.len()];
        for place in &doc.row {
            let at = u64::from(place.at);
            let mut any = false;
            for (w, l) in self.words.iter().zip(&mut last) {
                if *w == place.id {
                    *l = Some(at);
                    any = true;
                }
            }
            if any
                && let Some(first) = last.iter().copied().min().flatten()
                && at - first < distance
            {
                return true;
            }
        }
        false
    }
}
