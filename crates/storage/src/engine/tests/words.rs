//! Words that full-text searches keep ([`crate::table::Words`]): with them a search finds, in every transaction, what
//! reading the table finds.

use super::support::*;
use crate::dict::{FulltextDef, Stopwords};
use crate::engine::Engine;
use crate::table::{ReadMode, Table, TableCursor};
use crate::txn::{Isolation, Trx};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use value::fulltext::{Analyzer, Document, InvertedBuilder, Language, Query};
use value::{CollationId, Value};

const WORDS: [&str; 5] = ["apple", "banana", "cherry", "date", "elder"];
const QUERIES: [&str; 4] = ["apple", "+banana -apple", "\"apple banana\" date", "e* ~(cherry)"];
const ROOM: usize = 100 << 20;

fn analyzer() -> Analyzer {
    Analyzer::new(CollationId::UTF8MB4_0900_AI_CI, (3, 84), None, [])
}

fn query(text: &str) -> Query {
    Query::new(analyzer(), Language::Boolean, text.as_bytes()).unwrap()
}

/// `standard`, with a FULLTEXT index on `s`.
fn searched(e: &Arc<Engine>, name: &str) -> Arc<Table> {
    let mut d = standard(name);
    d.fulltext.push(FulltextDef {
        name: "s".into(),
        columns: vec![3],
        parser: String::new(),
        visible: true,
        comment: String::new(),
        stopwords: Stopwords::Default,
    });
    create(e, d)
}

/// Some words, always the same for a number.
fn text(n: i64) -> String {
    let word = |i: i64| WORDS[((n * (7 + i) + n / 11 + i * i) % 5) as usize];
    (0..1 + n % 4).map(word).collect::<Vec<_>>().join(" ")
}

fn row(id: i64, n: i64) -> R {
    r(id, n, None, &text(n))
}

type Found = Vec<(i64, u32)>;

fn by_reading(trx: &mut Trx, t: &Arc<Table>, q: &str) -> Found {
    let rows = all(trx, t);
    let (mut q, mut doc) = (query(q), Document::default());
    for r in &rows {
        q.read(&mut doc, std::iter::once(Some(r.3.as_bytes())));
        q.count(&doc);
    }
    q.finish(rows.len() as u64);
    let mut out = Vec::new();
    for r in &rows {
        q.read(&mut doc, std::iter::once(Some(r.3.as_bytes())));
        out.extend(q.rank(&doc).map(|rank| (r.0, rank.to_bits())));
    }
    out
}

fn make(trx: &mut Trx, t: &Arc<Table>, limit: usize) {
    t.make_words(0, trx, || InvertedBuilder::new(analyzer(), 1), limit).unwrap();
}

/// With the words that are kept, if there are any.
fn by_words(trx: &mut Trx, t: &Arc<Table>, q: &str) -> Option<Found> {
    let (words, changed) = t.kept_words(0, trx)?;
    let mut q = query(q);
    let gone: Vec<u32> = changed.iter().filter_map(|k| words.find(k)).collect();
    let mut cursor = TableCursor::open(t, 0, ReadMode::Consistent, false);
    let mut own = Vec::new();
    for k in &changed {
        let Some(row) = cursor.point(trx, k).unwrap() else { continue };
        let r = to_r(&row);
        let mut doc = Document::default();
        q.read(&mut doc, std::iter::once(Some(r.3.as_bytes())));
        q.count(&doc);
        own.push((r.0, doc));
    }
    q.count_all(&words.index, &gone);
    q.finish(u64::from(words.index.documents()) - gone.len() as u64 + own.len() as u64);
    let mut out: Found = own.iter().filter_map(|(id, doc)| Some((*id, q.rank(doc)?.to_bits()))).collect();
    let mut found = Vec::new();
    q.rank_all(&words.index, &gone, &mut |n, rank| {
        found.push((words.key(n).to_vec(), rank.to_bits()));
        true
    });
    for (k, rank) in found {
        out.push((cursor.point(trx, &k).unwrap().map(|r| to_r(&r).0).expect("a row that is found is there"), rank));
    }
    out.sort_unstable();
    Some(out)
}

/// Both agree; whether there were words.
fn agree(trx: &mut Trx, t: &Arc<Table>, q: &str) -> bool {
    let with = by_words(trx, t, q);
    if let Some(with) = &with {
        assert_eq!(*with, by_reading(trx, t, q), "{q}");
    }
    with.is_some()
}

#[test]
fn whoever_searches_sees_its_snapshot() {
    let (_fs, e) = engine();
    let t = searched(&e, "t");
    let mut w = e.new_trx(1).unwrap();
    for i in 0..300 {
        insert(&mut w, &t, &row(i, i)).unwrap();
    }
    w.commit().unwrap();
    let mut old = e.new_trx(2).unwrap();
    old.start_with_snapshot();
    // what is under way when the words are made
    insert(&mut w, &t, &row(1000, 3)).unwrap();
    update(&mut w, &t, 5, &[(3, Value::Str(b"apple apple"))]).unwrap();
    delete(&mut w, &t, 6).unwrap();
    let mut s = e.new_trx(3).unwrap();
    make(&mut s, &t, ROOM);
    let everywhere = |list: &mut [&mut Trx]| {
        let mut with = 0;
        for q in QUERIES {
            for trx in list.iter_mut() {
                with += usize::from(agree(trx, &t, q));
            }
        }
        with
    };
    assert_eq!(everywhere(&mut [&mut w, &mut s, &mut old]), 3 * QUERIES.len(), "nothing was committed in between");
    // partly taken back, more of it, and committed: `s` keeps its snapshot
    let before = w.savepoint();
    delete(&mut w, &t, 7).unwrap();
    update(&mut w, &t, 8, &[(0, Value::Int(2000)), (3, Value::Str(b"elder"))]).unwrap();
    everywhere(&mut [&mut w, &mut s, &mut old]);
    w.rollback_to(before).unwrap();
    everywhere(&mut [&mut w, &mut s, &mut old]);
    w.commit().unwrap();
    let mut new = e.new_trx(4).unwrap();
    assert_eq!(everywhere(&mut [&mut w, &mut s, &mut old, &mut new]), 4 * QUERIES.len());
    // a row that comes back after purge, and one that is rolled back
    new.commit().unwrap();
    old.commit().unwrap();
    s.commit().unwrap();
    w.commit().unwrap();
    drain_purge(&e);
    insert(&mut w, &t, &row(6, 9)).unwrap();
    insert(&mut w, &t, &row(3000, 9)).unwrap();
    everywhere(&mut [&mut w, &mut s, &mut new]);
    w.rollback().unwrap();
    assert_eq!(everywhere(&mut [&mut w, &mut s, &mut new]), 3 * QUERIES.len());
    new.set_isolation(Isolation::ReadUncommitted);
    insert(&mut w, &t, &row(4000, 1)).unwrap();
    assert_eq!(everywhere(&mut [&mut new]), QUERIES.len());
}

#[test]
fn words_of_a_younger_snapshot_are_not_for_an_older_one() {
    let (_fs, e) = engine();
    let t = searched(&e, "t");
    let mut old = e.new_trx(1).unwrap();
    old.start_with_snapshot();
    let mut w = e.new_trx(2).unwrap();
    insert(&mut w, &t, &row(1, 1)).unwrap();
    w.commit().unwrap();
    make(&mut w, &t, ROOM);
    assert!(agree(&mut w, &t, "apple"));
    assert!(t.kept_words(0, &mut old).is_none());
    make(&mut old, &t, ROOM);
    assert!(agree(&mut w, &t, "apple"), "the older one has left them alone");
}

#[test]
fn a_change_of_other_columns_is_none() {
    let (_fs, e) = engine();
    let t = searched(&e, "t");
    let mut w = e.new_trx(1).unwrap();
    let long = vec![b'x'; 20_000];
    for i in 0..100 {
        insert_blob(&mut w, &t, &row(i, i), (i % 3 == 0).then_some(&long)).unwrap();
    }
    w.commit().unwrap();
    make(&mut w, &t, ROOM);
    let noted = |w: &mut Trx| t.kept_words(0, w).map(|u| u.1.len());
    for i in 0..100 {
        update(&mut w, &t, i, &[(1, Value::Int(7))]).unwrap();
    }
    assert_eq!(noted(&mut w), Some(0));
    update(&mut w, &t, 3, &[(3, Value::Str(b"date"))]).unwrap();
    delete(&mut w, &t, 4).unwrap();
    insert(&mut w, &t, &row(4, 4)).unwrap();
    update(&mut w, &t, 5, &[(0, Value::Int(500))]).unwrap();
    insert(&mut w, &t, &row(600, 1)).unwrap();
    assert_eq!(noted(&mut w), Some(5), "3, 4, 5, 500, 600");
    for q in QUERIES {
        assert!(agree(&mut w, &t, q));
    }
    w.rollback().unwrap();
    for q in QUERIES {
        assert!(agree(&mut w, &t, q));
    }
}

#[test]
fn many_changes_and_little_room_drop_them() {
    let (_fs, e) = engine();
    let t = searched(&e, "t");
    let mut w = e.new_trx(1).unwrap();
    for i in 0..100 {
        insert(&mut w, &t, &row(i, i)).unwrap();
    }
    w.commit().unwrap();
    make(&mut w, &t, 500);
    assert!(t.kept_words(0, &mut w).is_none(), "too large");
    let other = searched(&e, "other");
    insert(&mut w, &other, &row(1, 1)).unwrap();
    w.commit().unwrap();
    make(&mut w, &other, ROOM);
    assert!(agree(&mut w, &other, "apple") && agree(&mut w, &other, "banana"));
    for i in 100..300 {
        insert(&mut w, &other, &row(i, i)).unwrap();
    }
    assert!(other.kept_words(0, &mut w).is_none(), "more changes than documents");
    w.commit().unwrap();
    make(&mut w, &other, ROOM);
    assert!(agree(&mut w, &other, "apple"));
    // hardly used: it pays to wait now
    for i in 300..500 {
        insert(&mut w, &other, &row(i, i)).unwrap();
    }
    w.commit().unwrap();
    make(&mut w, &other, ROOM);
    assert!(other.kept_words(0, &mut w).is_none());
    make(&mut w, &other, ROOM);
    assert!(agree(&mut w, &other, "apple"));
    other.mark_obsolete();
    assert!(other.kept_words(0, &mut w).is_none());
}

/// Writers and searchers at once: nothing that is committed is missed.
#[test]
fn nothing_is_missed_while_others_write() {
    let (_fs, e) = engine();
    let t = searched(&e, "t");
    let mut w = e.new_trx(1).unwrap();
    for i in 0..1000 {
        insert(&mut w, &t, &row(i, i)).unwrap();
    }
    w.commit().unwrap();
    let (end, with) = (AtomicBool::new(false), AtomicUsize::new(0));
    let search = |n: u64| {
        let mut s = e.new_trx(20 + n).unwrap();
        for i in 0..150 {
            s.begin_statement();
            make(&mut s, &t, ROOM);
            with.fetch_add(usize::from(agree(&mut s, &t, QUERIES[i % QUERIES.len()])), Ordering::Relaxed);
            s.commit().unwrap();
        }
    };
    std::thread::scope(|scope| {
        let search = &search;
        for n in 0..2i64 {
            let (e, t, end) = (&e, &t, &end);
            scope.spawn(move || {
                let mut w = e.new_trx(10 + n as u64).unwrap();
                let mut i = n;
                while !end.load(Ordering::Relaxed) {
                    i += 2;
                    let id = i * 37 % 1000 / 2 * 2 + n;
                    match i % 3 {
                        0 => drop(update(&mut w, t, id, &[(3, Value::Str(text(i).as_bytes()))]).unwrap()),
                        1 => drop(delete(&mut w, t, id).unwrap()),
                        _ => drop(insert(&mut w, t, &row(id, i)).unwrap()),
                    }
                    if i % 5 == 0 {
                        w.rollback().unwrap()
                    } else {
                        let _ = w.commit().unwrap();
                    }
                }
            });
        }
        let searchers: Vec<_> = (0..2).map(|n| scope.spawn(move || search(n))).collect();
        let ended: Vec<_> = searchers.into_iter().map(|s| s.join()).collect();
        end.store(true, Ordering::Relaxed);
        ended.into_iter().for_each(|r| r.unwrap());
    });
    assert!(with.load(Ordering::Relaxed) > 0, "no search had words");
    check(&e, &t);
}
