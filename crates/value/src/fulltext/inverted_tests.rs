//! Random documents and queries: an index finds and ranks what reading every text does, bit for bit.

use super::*;
use crate::CollationId;

const WORDS: [&str; 26] = [
    "apple",
    "apples",
    "applet",
    "app",
    "APP",
    "banana",
    "band",
    "ban",
    "cherry",
    "cherry_pie",
    "the",
    "of",
    "xx",
    "x",
    "2023",
    "20",
    "Ärger",
    "arger",
    "date",
    "DATE",
    "straße",
    "strasse",
    "STRASSE",
    "ße",
    "sse",
    "élan",
];
const GLUE: [&str; 5] = [" ", " ", ", ", ". ", "-"];

/// A generator that needs no crate.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
    fn text(&mut self, n: usize) -> String {
        (0..n).map(|_| format!("{}{}", self.one(&WORDS), self.one(&GLUE))).collect()
    }
    fn term(&mut self, depth: usize) -> String {
        let word = self.one(&WORDS);
        match self.below(8) {
            0 if depth < 3 => format!("({})", self.query(depth + 1)),
            1 => format!("\"{} {}\"", word, self.one(&WORDS)),
            2 => format!("\"{} {} {}\" @{}", word, self.one(&WORDS), self.one(&WORDS), 1 + self.below(6)),
            3 | 4 => format!("{}*", word.chars().take(1 + self.below(3)).collect::<String>()),
            _ => word.into(),
        }
    }
    fn query(&mut self, depth: usize) -> String {
        let n = 1 + self.below(4);
        let list: Vec<String> = (0..n)
            .map(|_| format!("{}{}", self.one(&["", "", "+", "+", "-", "~", "<", ">"]), self.term(depth)))
            .collect();
        list.join(" ")
    }
}

type Row = [Option<String>; 2];

fn columns(r: &Row) -> impl Iterator<Item = Option<&[u8]>> {
    r.iter().map(|c| c.as_ref().map(|t| t.as_bytes()))
}

/// By reading the texts of the rows that are not gone.
fn read(q: &mut Query, rows: &[Row], gone: &[u32]) -> Vec<(u32, u32)> {
    let mut doc = Document::default();
    let there = || rows.iter().zip(0u32..).filter(|(_, n)| !gone.contains(n));
    for (r, _) in there() {
        q.read(&mut doc, columns(r));
        q.count(&doc);
    }
    q.finish(there().count() as u64);
    let mut out = Vec::new();
    for (r, n) in there() {
        q.read(&mut doc, columns(r));
        out.extend(q.rank(&doc).map(|rank| (n, rank.to_bits())));
    }
    out
}

fn by_index(q: &mut Query, index: &Inverted, gone: &[u32]) -> Vec<(u32, u32)> {
    q.count_all(index, gone);
    q.finish(u64::from(index.documents()) - gone.len() as u64);
    let mut out = Vec::new();
    q.rank_all(index, gone, &mut |n, rank| {
        out.push((n, rank.to_bits()));
        true
    });
    out
}

#[test]
fn an_index_finds_what_reading_does() {
    let mut r = Random(7);
    let mut found = 0;
    // utf8mb4: general_ci (pads), 0900_ai_ci, 0900_as_cs (levels), bin; with and without ngrams
    for (collation, ngram) in [(45, None), (255, None), (278, None), (46, None), (255, Some(2)), (45, Some(3))] {
        let analyzer = || Analyzer::new(CollationId(collation), (3, 84), ngram, STOPWORDS);
        for docs in [1, 3, 30, 200] {
            let rows: Vec<Row> = (0..docs)
                .map(|_| {
                    let (n, m) = (r.below(9), r.below(5));
                    [Some(r.text(n)), (m > 0).then(|| r.text(m))]
                })
                .collect();
            let mut b = InvertedBuilder::new(analyzer(), 2);
            assert!(rows.iter().all(|r| b.add(columns(r))));
            let index = b.finish();
            assert_eq!(index.documents() as usize, rows.len());
            for round in 0..60 {
                let language = if round % 3 == 0 { Language::Natural } else { Language::Boolean };
                let text = if round % 3 == 0 { r.text(1 + round % 4) } else { r.query(0) };
                let query = || Query::new(analyzer(), language, text.as_bytes());
                let (Ok(mut a), Ok(mut b)) = (query(), query()) else { continue };
                let gone: Vec<u32> =
                    if round % 2 == 0 { vec![] } else { (0..docs).filter(|_| r.below(4) == 0).collect() };
                let (a, b) = (read(&mut a, &rows, &gone), by_index(&mut b, &index, &gone));
                assert_eq!(a, b, "{text:?} {language:?} collation {collation} ngram {ngram:?} gone {gone:?}");
                found += usize::from(!a.is_empty());
            }
        }
    }
    assert!(found > 500, "{found}");
}

#[test]
fn beginnings_of_many_words_need_the_heap() {
    let analyzer = || Analyzer::new(CollationId(255), (1, 84), None, STOPWORDS);
    let rows: Vec<Row> = (0..400).map(|i| [Some(format!("w{} w{} v{}", i % 37, i % 11, i % 3)), None]).collect();
    let mut b = InvertedBuilder::new(analyzer(), 2);
    assert!(rows.iter().all(|r| b.add(columns(r))));
    let index = b.finish();
    for text in ["w*", "+w1* -v2", "w* v*", "w3 w*", "\"w3 w3\" w1*"] {
        let query = || Query::new(analyzer(), Language::Boolean, text.as_bytes()).unwrap();
        assert_eq!(read(&mut query(), &rows, &[3, 5, 77]), by_index(&mut query(), &index, &[3, 5, 77]), "{text}");
        assert_eq!(read(&mut query(), &rows, &[]), by_index(&mut query(), &index, &[]), "{text}");
    }
}
