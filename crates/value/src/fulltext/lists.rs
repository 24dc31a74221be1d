//! Going through the lists of an [`Inverted`]: the documents that have words of a query, one after the other.
//!
//! Of each document is made what [`Query::read`] makes of its text, as far as the query looks at it. Tested in
//! `inverted_tests.rs`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use smallvec::SmallVec;

use super::inverted::{Inverted, Term};
use super::query::{Beginnings, Document, OTHER, Place, Prefix, Query};

/// The end of a list.
pub(super) const END: u32 = u32::MAX;

/// Lists up to which their next documents are compared one by one.
const FEW: usize = 8;

/// Reads such a number; 0 at the end.
#[inline]
fn take(rest: &mut &[u8]) -> u32 {
    let (mut n, mut shift) = (0u32, 0);
    while let Some((b, tail)) = rest.split_first() {
        *rest = tail;
        n |= u32::from(b & 0x7F).wrapping_shl(shift);
        if *b < 0x80 {
            break;
        }
        shift += 7;
    }
    n
}

/// The list of a term that a query looks for.
struct List<'i> {
    rest: &'i [u8],
    /// The document it stands at, from 1 on; [`END`].
    doc: u32,
    /// Word of the query with the term's key, or [`OTHER`].
    id: u32,
    indexed: bool,
    /// Words of the query that it begins with.
    begins: SmallVec<[u32; 2]>,
    /// The same for equal keys, one after the other from 1 on.
    group: u32,
}

impl List<'_> {
    fn next_document(&mut self) {
        self.doc = if self.rest.is_empty() { END } else { self.doc + take(&mut self.rest) };
    }

    /// Calls `f` with the places in the document, and goes to the next one.
    #[inline]
    fn places(&mut self, mut f: impl FnMut(u32)) {
        let mut place = take(&mut self.rest);
        f(place);
        while !self.rest.is_empty() {
            match take(&mut self.rest) {
                0 => {
                    place = place.wrapping_add(take(&mut self.rest));
                    f(place);
                }
                n => {
                    self.doc += n;
                    return;
                }
            }
        }
        self.doc = END;
    }
}

impl Inverted {
    /// Numbers of the terms with this key.
    fn with_key(&self, key: &[u8]) -> std::ops::Range<usize> {
        let from = self.terms.partition_point(|t| *t.key < *key);
        let n = self.terms.get(from..).unwrap_or(&[]).iter().take_while(|t| *t.key == *key).count();
        from..from + n
    }

    /// Numbers of the indexed terms that begin with this word of a query.
    fn beginning(&self, q: &Query, id: u32, out: &mut Vec<(usize, Option<u32>)>) {
        let Some(prefix) = q.entries.get(id as usize).and_then(|e| e.prefix.as_ref()) else { return };
        let indexed = |n: usize| self.terms.get(n).is_some_and(|t| t.indexed);
        match prefix {
            Prefix::Weights(p) => {
                let weights = |n: &u32| self.terms.get(*n as usize).map_or(&[][..], Term::weights);
                let from = self.by_weights.partition_point(|n| weights(n) < p.as_slice());
                let rest = self.by_weights.get(from..).unwrap_or(&[]).iter();
                let found = rest.take_while(|n| weights(n).starts_with(p)).map(|n| *n as usize);
                out.extend(found.filter(|n| indexed(*n)).map(|n| (n, Some(id))));
            }
            Prefix::Key(..) => {
                let found = self.terms.iter().enumerate().filter(|(_, t)| t.indexed && q.begins(id, t.word(), &[]));
                out.extend(found.map(|(n, _)| (n, Some(id))));
            }
        }
    }

    /// The lists of the query's words, in the order of their keys.
    fn lists(&self, q: &Query) -> Vec<List<'_>> {
        let mut wanted: Vec<(usize, Option<u32>)> = Vec::new();
        for key in q.ids.keys() {
            wanted.extend(self.with_key(key).map(|n| (n, None)));
        }
        for p in &q.with_prefix {
            self.beginning(q, *p, &mut wanted);
        }
        wanted.sort_unstable();
        let mut out: Vec<List<'_>> = Vec::new();
        let (mut last, mut group, mut key) = (None, 0, None);
        for (n, begins) in wanted {
            let Some(t) = self.terms.get(n) else { continue };
            if last.replace(n) != Some(n) {
                if key.replace(&*t.key) != Some(&*t.key) {
                    group += 1;
                }
                let id = q.ids.get(&*t.key).copied().unwrap_or(OTHER);
                let mut list = List { rest: &t.places, doc: 0, id, indexed: t.indexed, begins: SmallVec::new(), group };
                list.next_document();
                out.push(list);
            }
            if let Some(l) = out.last_mut() {
                l.begins.extend(begins);
            }
        }
        out
    }

    /// Calls `f` with every document that has a word of the query, but those of `gone` (ascending), until it says no.
    fn each(&self, q: &Query, gone: &[u32], doc: &mut Document, f: &mut dyn FnMut(u32, &Document) -> bool) {
        let mut lists = self.lists(q);
        let mut heap: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
        let many = lists.len() > FEW;
        if many {
            heap.extend(lists.iter().enumerate().map(|(i, l)| Reverse((l.doc, i))));
        }
        let mut gone = gone.iter().copied().peekable();
        loop {
            let next = if many { heap.peek().map(|r| r.0.0) } else { lists.iter().map(|l| l.doc).min() }.unwrap_or(END);
            if next == END {
                return;
            }
            q.clear(doc);
            if many {
                while let Some(mut top) = heap.peek_mut()
                    && top.0.0 == next
                {
                    let i = top.0.1;
                    let Some(l) = lists.get_mut(i) else { return };
                    self.put_in(l, q, doc);
                    top.0.0 = l.doc;
                }
            } else {
                for l in lists.iter_mut().filter(|l| l.doc == next) {
                    self.put_in(l, q, doc);
                }
            }
            let number = next - 1;
            while gone.next_if(|g| *g < number).is_some() {}
            if gone.peek() == Some(&number) {
                continue;
            }
            if q.has_phrases {
                doc.row.sort_unstable();
            }
            if !f(number, doc) {
                return;
            }
        }
    }

    /// Puts what a list has of the document it stands at into `doc`.
    #[inline]
    fn put_in(&self, l: &mut List<'_>, q: &Query, doc: &mut Document) {
        let (mut n, id) = (0u32, l.id);
        if q.has_phrases && id != OTHER {
            let (width, row) = (self.columns, &mut doc.row);
            l.places(|p| {
                n += 1;
                row.push(Place { at: p / width, column: p % width, id });
            });
        } else {
            l.places(|_| n += 1);
        }
        if l.indexed
            && let Some(c) = doc.counts.get_mut(id as usize)
        {
            *c += n;
        }
        for p in &l.begins {
            if let Some(b) = doc.beginnings.get_mut(*p as usize) {
                b.add(l.group, n);
            }
        }
    }
}

impl Beginnings {
    /// `n` occurrences of the word number `group`; words come in the order of the collation.
    fn add(&mut self, group: u32, n: u32) {
        if self.words == 0 || self.group != group {
            self.words += 1;
            self.group = group;
        }
        if self.words == 1 {
            self.first += n;
        }
    }
}

impl Query {
    /// Counts the documents of an index, without those of `gone` (numbers, ascending), as [`Query::count`] counts each.
    pub fn count_all(&mut self, index: &Inverted, gone: &[u32]) {
        let mut doc = Document::default();
        if !gone.is_empty() || !self.count_terms(index) {
            let mut counted: Vec<(u64, u64)> = vec![(0, 0); self.entries.len()];
            let with_prefix = self.with_prefix.clone();
            index.each(self, gone, &mut doc, &mut |_, doc| {
                for (c, n) in counted.iter_mut().zip(&doc.counts) {
                    c.0 += u64::from(*n > 0);
                }
                for p in &with_prefix {
                    if let (Some(c), Some(b)) = (counted.get_mut(*p as usize), doc.beginnings.get(*p as usize)) {
                        c.1 += u64::from(b.words);
                    }
                }
                true
            });
            for (e, c) in self.entries.iter_mut().zip(counted) {
                e.documents += c.0;
                e.beginnings += c.1;
            }
        }
        // once every step that asks for it has found something, no other document changes the answer
        let mut asking = self.asking();
        let mut before = std::mem::take(&mut self.found_before);
        asking.retain(|n| before.get(*n) == Some(&false));
        if !asking.is_empty() {
            index.each(self, gone, &mut doc, &mut |_, doc| {
                self.note_found(doc, &mut before);
                asking.retain(|n| before.get(*n) == Some(&false));
                !asking.is_empty()
            });
        }
        self.found_before = before;
    }

    /// Counts by what the terms say of themselves. `false`: a document may have several terms of one key.
    fn count_terms(&mut self, index: &Inverted) -> bool {
        let mut counted: Vec<(u64, u64)> = vec![(0, 0); self.entries.len()];
        for (key, id) in &self.ids {
            let terms = index.terms.get(index.with_key(key)).unwrap_or(&[]);
            let mut indexed = terms.iter().filter(|t| t.indexed);
            let first = indexed.next().map_or(0, |t| t.documents);
            if indexed.next().is_some() {
                return false;
            }
            if let Some(c) = counted.get_mut(*id as usize) {
                c.0 = u64::from(first);
            }
        }
        for p in &self.with_prefix {
            let mut terms = Vec::new();
            index.beginning(self, *p, &mut terms);
            terms.sort_unstable();
            let mut key = None;
            for t in terms.iter().filter_map(|(n, _)| index.terms.get(*n)) {
                if key.replace(&*t.key) == Some(&*t.key) {
                    return false;
                }
                if let Some(c) = counted.get_mut(*p as usize) {
                    c.1 += u64::from(t.documents);
                }
            }
        }
        for (e, c) in self.entries.iter_mut().zip(counted) {
            e.documents += c.0;
            e.beginnings += c.1;
        }
        true
    }

    /// Calls `found` with the number and rank of every document of an index that matches, in order, but those of
    /// `gone`.
    pub fn rank_all(&self, index: &Inverted, gone: &[u32], found: &mut dyn FnMut(u32, f32) -> bool) {
        let mut doc = Document::default();
        index.each(self, gone, &mut doc, &mut |n, doc| match self.rank(doc) {
            Some(rank) => found(n, rank),
            None => true,
        });
    }
}
