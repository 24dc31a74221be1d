//! Sets and ranks as MariaDB 10.11's InnoDB gave them for these documents.

use super::*;
use crate::CollationId;

const DOCS: [(&str, &str); 11] = [
    ("apple banana cherry", "date elder"),
    ("banana the cherry", "apple"),
    ("database of the tutorial about the database", "x"),
    ("the database", "fig fig fig"),
    ("apple apples applet apply apple", "apricot"),
    ("cherry is cherry", "xx banana"),
    ("don't panic, Apple", ""),
    ("", "grape'fruit"),
    ("a-b apple-banana", "_under score_"),
    ("über straße café", "naïve"),
    ("Über STRASSE CAFE", "日本語 テスト"),
];

fn analyzer(ngram: Option<usize>) -> Analyzer {
    Analyzer::new(CollationId(45), (3, 84), ngram, STOPWORDS)
}

fn columns(d: &(&'static str, &'static str)) -> impl Iterator<Item = Option<&'static [u8]>> {
    [Some(d.0.as_bytes()), Some(d.1.as_bytes())].into_iter()
}

/// Numbers of the documents found, with ranks.
fn search(language: Language, text: &str) -> Result<Vec<(usize, f32)>, String> {
    let mut q = Query::new(analyzer(None), language, text.as_bytes()).map_err(|e| e.0)?;
    let mut doc = Document::default();
    for d in &DOCS {
        q.read(&mut doc, columns(d));
        q.count(&doc);
    }
    q.finish(DOCS.len() as u64);
    let ranked = DOCS.iter().enumerate().filter_map(|(i, d)| {
        q.read(&mut doc, columns(d));
        Some((i + 1, q.rank(&doc)?))
    });
    Ok(ranked.collect())
}

fn check(language: Language, text: &str, expected: &[(usize, f32)]) {
    let found = search(language, text).unwrap();
    let ids: Vec<usize> = found.iter().map(|f| f.0).collect();
    let wanted: Vec<usize> = expected.iter().map(|f| f.0).collect();
    assert_eq!(ids, wanted, "{text}");
    for (f, w) in found.iter().zip(expected) {
        assert!((f.1 - w.1).abs() < 1e-5, "{text}: {f:?} {w:?}");
    }
}

#[test]
fn words_and_ranks() {
    let all = [(1, 0.117_253_29), (2, 0.117_253_29), (5, 0.234_506_58), (7, 0.117_253_29), (9, 0.117_253_29)];
    for language in [Language::Natural, Language::Boolean] {
        check(language, "apple", &all);
        check(language, "APPLE the", &all);
        check(language, "the", &[]);
        check(language, "xx", &[]);
        check(language, "grape'fruit", &[(8, 2.168_997_5)]);
        check(language, "score score_", &[(9, 1.084_498_8)]);
        check(language, "日本語", &[(11, 1.084_498_8)]);
        check(language, "uber", &[(10, 0.548_136_9), (11, 0.548_136_9)]);
    }
    check(Language::Natural, "app*", &[]);
    check(Language::Natural, "+apple", &all);
}

#[test]
fn a_word_looked_up_twice_counts_twice() {
    let twice = [(1, 0.001_713), (2, 0.001_713), (5, 0.003_427), (7, 0.001_713), (9, 0.001_713)];
    check(Language::Boolean, "apple apple", &twice);
    check(Language::Boolean, "+apple +apple", &twice);
    check(Language::Boolean, "\"apple zzz\" apple", &twice);
    let once = [(1, 0.117_253), (2, 0.117_253), (5, 0.234_507), (7, 0.117_253), (9, 0.117_253)];
    check(Language::Boolean, "\"zzz apple\" apple", &once);
    check(Language::Boolean, "(-apple) apple", &once);
}

#[test]
fn operators() {
    let b = Language::Boolean;
    check(b, "+apple -banana", &[(5, 0.234_506_6), (7, 0.117_253_3)]);
    check(b, "-banana", &[]);
    let lower = -0.689_733_5;
    check(b, "apple ~(banana)", &[(1, lower), (2, lower), (5, 0.234_506_6), (7, 0.117_253_3), (9, lower)]);
    check(
        b,
        "+apple >banana",
        &[(1, 1.310_266_5), (2, 1.310_266_5), (5, 0.234_506_6), (7, 0.117_253_3), (9, 1.310_266_5)],
    );
    check(b, "+(+apple -banana) cherry", &[(5, 0.234_506_6), (7, 0.117_253_3)]);
    // what stands before a list in parentheses does not restrict it
    check(b, "+grape (fig)", &[(4, 3.253_496_3), (8, 1.084_498_8)]);
    check(b, "+(apple) -apple fig", &[]);
    // a term of two words is dealt with where it stands
    check(b, "-grape'zzz fruit", &[(8, 1.084_498_8)]);
    check(b, "+apple.ban*", &[(1, 0.310_266_5), (2, 0.310_266_5), (9, 0.310_266_5)]);
    check(b, "x* cherry", &[(1, 0.318_402_3), (2, 0.318_402_3), (6, 0.636_804_5)]);
    let starts = 0.007_595_15;
    check(b, "ap*", &[(1, starts), (2, starts), (5, 2.0 * starts), (7, starts), (9, starts)]);
}

#[test]
fn phrases() {
    let b = Language::Boolean;
    check(b, "\"banana cherry\"", &[(1, 0.511_415_5)]);
    check(b, "\"banana the cherry\"", &[(2, 0.511_415_5)]);
    check(b, "\"banana of cherry\"", &[]);
    check(b, "\"the database\"", &[(3, 1.096_273_8), (4, 0.548_136_9)]);
    check(b, "\"database of\"", &[(3, 1.096_273_8)]);
    check(b, "\"cherry date\"", &[]);
    check(b, "\"cherry elder\" @3", &[(1, 1.402_901)]);
    check(b, "\"database tutorial\" @4", &[(3, 2.180_772_5)]);
    check(b, "\"database tutorial\" @3", &[]);
    check(b, "\"fig fig\" @1", &[(4, 1.644_410_7)]);
    check(b, "\"fig fig fig fig\"", &[]);
    check(b, "\"\"", &[]);
}

#[test]
fn syntax_errors() {
    let error = |s: &str| search(Language::Boolean, s).unwrap_err();
    assert_eq!(error("+-apple"), "syntax error, unexpected '-'");
    assert_eq!(error("apple +"), "syntax error, unexpected $end");
    assert_eq!(error("(apple"), "syntax error, unexpected $end");
    assert_eq!(error("apple)"), "syntax error, unexpected ')', expecting $end");
    assert_eq!(error("apple @3"), "syntax error, unexpected '@', expecting $end");
    assert_eq!(error("*"), "syntax error, unexpected $end, expecting FTS_TERM or FTS_NUMB or '*'");
    assert_eq!(error("\"banana\"@x"), "syntax error, unexpected FTS_TERM, expecting FTS_NUMB");
    assert_eq!(error(&"(".repeat(1000)), "memory exhausted");
}

#[test]
fn ngrams() {
    let docs = ["数据库管理", "信息系统 database", "数据 库", "ab cd"];
    let find = |language, text: &str| {
        let mut q = Query::new(analyzer(Some(2)), language, text.as_bytes()).unwrap();
        let mut doc = Document::default();
        for d in docs {
            q.read(&mut doc, std::iter::once(Some(d.as_bytes())));
            q.count(&doc);
        }
        q.finish(docs.len() as u64);
        let hit = |d: &&str| {
            q.read(&mut doc, std::iter::once(Some(d.as_bytes())));
            q.rank(&doc).is_some()
        };
        docs.iter().map(hit).collect::<Vec<_>>()
    };
    assert_eq!(find(Language::Natural, "数据库"), [true, false, true, false]);
    assert_eq!(find(Language::Boolean, "数据库"), [true, false, false, false]);
    assert_eq!(find(Language::Boolean, "数*"), [true, false, true, false]);
    assert_eq!(find(Language::Boolean, "系统"), [false, true, false, false]);
    // "a" is a stopword
    assert_eq!(find(Language::Natural, "ab"), [false; 4]);
    assert_eq!(find(Language::Natural, "cd"), [false, false, false, true]);
}

#[test]
fn odd_bytes_never_panic() {
    let texts: [&[u8]; 6] = [b"\xff\xfe", b"\"\xc3", b"a\xff*", b"(\"@", b"\"a\" @99999999999999999999 b", b"\0+\0"];
    for t in texts {
        for l in [Language::Natural, Language::Boolean] {
            if let Ok(mut q) = Query::new(analyzer(None), l, t) {
                let mut doc = Document::default();
                q.read(&mut doc, [None, Some(t)].into_iter());
                q.count(&doc);
                q.finish(1);
                let _ = q.rank(&doc);
            }
        }
    }
}
