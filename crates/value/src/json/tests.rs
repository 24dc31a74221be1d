//! Text, encoding, order, paths, changes; damaged documents.

use std::cmp::Ordering;

use proptest::prelude::*;

use super::order::{compare, weights};
use super::*;
use crate::decimal::Decimal;
use crate::temporal::{Date, DateTime, Time};

fn doc(s: &str) -> Vec<u8> {
    let d = parse(s.as_bytes()).unwrap().to_document().unwrap();
    assert_eq!(parse_document(s.as_bytes()).unwrap().unwrap(), d, "without a tree: {s}");
    d
}

fn text(d: &[u8]) -> String {
    let mut out = Vec::new();
    print::compact(Ref::open(d).unwrap(), &mut out);
    String::from_utf8(out).unwrap()
}

fn again(s: &str) -> String {
    text(&doc(s))
}

#[test]
fn printing() {
    assert_eq!(again(r#" {"bb":1, "a" : [1,2.0,-3e2, 1e300,"x\u00e9\n\"\u0001/"],"c":{}} "#), {
        r#"{"a": [1, 2.0, -300.0, 1e300, "xé\n\"\u0001/"], "c": {}, "bb": 1}"#
    });
    assert_eq!(again(r#"{"x": 17, "x": "red", "x": [3, 5, 7]}"#), r#"{"x": [3, 5, 7]}"#);
    assert_eq!(again(r#"{"b":1,"a":2,"b":3,"a":4}"#), r#"{"a": 4, "b": 3}"#);
    assert_eq!(again("[]"), "[]");
    assert_eq!(again("18446744073709551615"), "18446744073709551615");
    assert_eq!(again("18446744073709551616"), "1.8446744073709552e19");
    assert_eq!(again("-9223372036854775808"), "-9223372036854775808");
    assert_eq!(again(r#""\ud83d\ude00""#), "\"😀\"");
    let mut out = Vec::new();
    print::pretty(Ref::trusted(&doc(r#"{"a":[1,{}],"b":[]}"#)), 0, &mut out);
    assert_eq!(String::from_utf8(out).unwrap(), "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}");
    let t = |d: Dom<'_>| text(&d.to_document().unwrap());
    assert_eq!(t(Dom::Opaque(252, b"abcd"[..].into())), "\"base64:type252:YWJjZA==\"");
    assert_eq!(t(Dom::DateTime(DateTime::new(2015, 1, 15, 23, 24, 25, 120_000))), "\"2015-01-15 23:24:25.120000\"");
    assert_eq!(t(Dom::Decimal(Decimal::from_i128(-150, 2))), "-1.50");
}

/// Without a tree the same bytes come out: both widths, members out of order and twice, numbers that only large containers hold themselves.
#[test]
fn documents_straight_from_text() {
    for n in [0, 1, 9_000, 13_107, 13_108, 16_383, 22_000, 70_000] {
        doc(&format!("[{}0]", "1,".repeat(n)));
        doc(&format!("[{}0]", "70000,".repeat(n)));
        doc(&format!("[{}[70000, -1.5, \"x\"]]", "[],".repeat(n)));
        let members = |f: &dyn Fn(usize) -> String| format!("{{{}}}", (0..n).map(f).collect::<Vec<_>>().join(","));
        doc(&members(&|i| format!("\"k{i}\":{i}")));
        doc(&members(&|i| format!("\"k{}\":[{i},\"{i}\",{{}}]", n - i)));
        doc(&members(&|i| format!("\"\\u0041{}\":70000", i % 100)));
    }
    doc(r#"{"b":1,"a":2,"b":{"z":70000,"y":[70000]},"a":[1]}"#);
    doc(r#"{"\n":{"\t":{"\r":1,"\b":2}},"":{"":{"":""}}}"#);
    let long = format!("{{\"{}\":1}}", "k".repeat(MAX_KEY + 1));
    assert_eq!(parse_document(long.as_bytes()).unwrap().unwrap_err().code(), 3151);
    assert_eq!(check(b"[1,{\"a\":2}]"), Ok(()));
    assert_eq!(check(b"[1,{\"a\":}]"), parse(b"[1,{\"a\":}]").map(|_| ()));
    assert_eq!(parse_document(b"[1,").map(|_| ()).unwrap_err(), parse(b"[1,").unwrap_err());
}

#[test]
fn errors_with_positions() {
    let e = |s: &str| match parse(s.as_bytes()) {
        Err(Error::Syntax(t, at)) => format!("{at} {t}"),
        r => format!("{r:?}"),
    };
    assert_eq!(e("[1, 2,"), "6 Invalid value.");
    assert_eq!(e("hello"), "0 Invalid value.");
    assert_eq!(e(""), "0 The document is empty.");
    assert_eq!(e("1 2"), "2 The document root must not be followed by other values.");
    assert_eq!(e("{1:2}"), "1 Missing a name for object member.");
    assert_eq!(e(r#"{"a" 1}"#), "5 Missing a colon after a name of object member.");
    assert_eq!(e(r#"{"a":1 "b"}"#), "7 Missing a comma or '}' after an object member.");
    assert_eq!(e("[1 2]"), "3 Missing a comma or ']' after an array element.");
    assert_eq!(e("\"abc"), "4 Missing a closing quotation mark in string.");
    assert_eq!(e("\"a\\x\""), "2 Invalid escape character in string.");
    assert_eq!(e("1e"), "2 Miss exponent in number.");
    assert_eq!(e("1e999"), "0 Number too big to be stored in double.");
    assert_eq!(e(r#""\ud800""#), "1 The surrogate pair in string is invalid.");
    let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
    assert!(parse(deep(100).as_bytes()).is_ok());
    assert_eq!(parse(deep(101).as_bytes()).unwrap_err(), Error::TooDeep);
    assert_eq!(Ref::open(&doc(&deep(100))).unwrap().depth(), 100);
    let hundred = deep(100);
    let d = Dom::Array(vec![parse(hundred.as_bytes()).unwrap()]);
    assert_eq!(d.to_document().unwrap_err().code(), 3157);
}

#[test]
fn sizes_of_the_manual() {
    let size = |s: &str| Ref::trusted(&doc(s)).document_size();
    assert_eq!(size(r#"{"a": 1000, "b": "wxyz", "c": "[1, 3, 5, 7]"}"#), 47);
    assert_eq!(size("[100, \"sakila\", [1, 3, 5], 425.05]"), 45);
    assert_eq!(size(r#"{"a": 1000, "b": "a", "c": "[1, 3, 5, 7]"}"#), 44);
    assert_eq!(size("{}"), 5);
}

#[test]
fn order_of_types_and_numbers() {
    let cmp = |a: &str, b: &str| {
        let (x, y) = (doc(a), doc(b));
        compare(Ref::trusted(&x), Ref::trusted(&y))
    };
    for w in
        ["null", "-1e3", "1", "\"\"", "\"1\"", "{}", "{\"a\": 1}", "[]", "[1]", "[1, 2]", "false", "true"].windows(2)
    {
        assert_eq!(cmp(w[0], w[1]), Ordering::Less, "{w:?}");
    }
    assert_eq!(cmp("9223372036854775806", "9223372036854775807"), Ordering::Less);
    assert_eq!(cmp("1", "1.0"), Ordering::Equal);
    assert_eq!(cmp("0", "-0.0"), Ordering::Equal);
    assert_eq!(cmp("100", "1e2"), Ordering::Equal);
    assert_eq!(cmp("-2", "-1.5"), Ordering::Less);
    assert_eq!(cmp("{\"a\": 1, \"b\": 2}", "{\"b\": 2, \"a\": 1}"), Ordering::Equal);
}

#[test]
fn path_syntax() {
    let p = |s: &str| match Path::parse(s.as_bytes()) {
        Ok(p) => {
            let mut out = Vec::new();
            p.print(&mut out);
            String::from_utf8(out).unwrap()
        }
        Err(at) => format!("error {at}"),
    };
    assert_eq!(p("$"), "$");
    assert_eq!(p(" $ . a [ 1 ] .* [*] ** .b"), "$.a[1].*[*]**.b");
    assert_eq!(p("$.\"a b\".\"c\""), "$.\"a b\".c");
    assert_eq!(p("$[last-1][last][1 to last-2]"), "$[last-1][last][1 to last-2]");
    assert_eq!(p("a"), "error 1");
    assert_eq!(p("$.a-b"), "error 5");
    assert_eq!(p("$**"), "error 3");
    assert_eq!(p("$[a]"), "error 2");
    assert_eq!(p("$[2 to 1]"), "error 8");
    assert_eq!(p("$."), "error 2");
    assert_eq!(p(""), "error 0");
}

#[test]
fn path_matches() {
    let d = doc(r#"{"a": {"b": 1}, "c": {"b": 2}, "d": [3, [4, 5], {"b": 6}]}"#);
    let f = |p: &str| {
        let mut out = Vec::new();
        Ref::trusted(&d).find(&Path::parse(p.as_bytes()).unwrap(), false, &mut out).unwrap();
        text(&Dom::Array(out.into_iter().map(Dom::Part).collect()).to_document().unwrap())
    };
    assert_eq!(f("$**.b"), "[1, 2, 6]");
    assert_eq!(f("$.d[*]"), r#"[3, [4, 5], {"b": 6}]"#);
    assert_eq!(f("$.d[last]"), r#"[{"b": 6}]"#);
    assert_eq!(f("$.d[last-3]"), "[]");
    assert_eq!(f("$.d[1 to last]"), r#"[[4, 5], {"b": 6}]"#);
    assert_eq!(f("$.a.b[0]"), "[1]");
    assert_eq!(f("$.a.b[1]"), "[]");
    assert_eq!(f("$.*.b"), "[1, 2]");
}

#[test]
fn changes_of_the_manual() {
    let set = |d: &str, p: &str, v: &str, insert, replace| {
        let d = doc(d);
        let mut root = Dom::Part(Ref::trusted(&d));
        let p = Path::parse(p.as_bytes()).unwrap();
        modify::set(&mut root, &p, parse(v.as_bytes()).unwrap(), insert, replace);
        text(&root.to_document().unwrap())
    };
    let d = r#"{"a": 1, "b": [2, 3]}"#;
    assert_eq!(set(d, "$.a", "10", true, true), r#"{"a": 10, "b": [2, 3]}"#);
    assert_eq!(set(d, "$.c", "[true]", true, true), r#"{"a": 1, "b": [2, 3], "c": [true]}"#);
    assert_eq!(set(d, "$.a", "10", true, false), d);
    assert_eq!(set(d, "$.c", "10", false, true), d);
    assert_eq!(set(d, "$.b[9]", "4", true, true), r#"{"a": 1, "b": [2, 3, 4]}"#);
    assert_eq!(set("1", "$[1]", "2", true, true), "[1, 2]");
    assert_eq!(set("1", "$[0]", "2", true, true), "2");
    let merge = |a: &str, b: &str| {
        let (a, b) = (parse(a.as_bytes()).unwrap(), parse(b.as_bytes()).unwrap());
        text(&modify::merge_preserve(a, b).to_document().unwrap())
    };
    assert_eq!(merge("[1, 2]", "[true, false]"), "[1, 2, true, false]");
    assert_eq!(merge(r#"{"a": 1, "b": 2}"#, r#"{"a": 3, "c": 4}"#), r#"{"a": [1, 3], "b": 2, "c": 4}"#);
    assert_eq!(merge("1", "true"), "[1, true]");
    let patch = |a: &str, b: &str| {
        let (a, b) = (parse(a.as_bytes()).unwrap(), parse(b.as_bytes()).unwrap());
        text(&modify::merge_patch(a, b).to_document().unwrap())
    };
    assert_eq!(patch(r#"{"a": 1, "b": 2}"#, r#"{"b": null}"#), r#"{"a": 1}"#);
    assert_eq!(patch(r#"{"a":{"x":1}}"#, r#"{"a":{"y":2}}"#), r#"{"a": {"x": 1, "y": 2}}"#);
    assert_eq!(patch("[1, 2]", r#"{"id": 47}"#), r#"{"id": 47}"#);
}

/// Frozen: the bytes of documents on disk (docs/format.md). A change here needs a new version of the format.
#[test]
fn the_encoding_is_frozen() {
    assert_eq!(doc("null"), [4, 0]);
    assert_eq!(doc("true"), [4, 1]);
    assert_eq!(doc("-2"), [5, 0xfe, 0xff]);
    assert_eq!(doc("70000"), [7, 0x70, 0x11, 1, 0]);
    assert_eq!(doc("\"ab\""), [12, 2, b'a', b'b']);
    assert_eq!(doc("[1, \"x\"]"), [2, 2, 0, 12, 0, 5, 1, 0, 12, 10, 0, 1, b'x']);
    assert_eq!(doc("{\"k\": false}"), [0, 1, 0, 12, 0, 11, 0, 1, 0, 4, 2, 0, b'k']);
    let d = Dom::Decimal(Decimal::from_i128(15, 1)).to_document().unwrap();
    assert_eq!(d, [15, 246, 4, 2, 1, 0x81, 5]);
    let large = "[".to_string() + &"70000,".repeat(20_000) + "1]";
    let d = doc(&large);
    assert_eq!(d[..16], [3, 0x21, 0x4e, 0, 0, 0xad, 0x86, 1, 0, 7, 0x70, 0x11, 1, 0, 7, 0x70]);
}

fn dom() -> impl Strategy<Value = Dom<'static>> {
    let s = "[a-cé\\x00\"]{0,6}".prop_map(|s: String| s.into_bytes());
    let leaf = prop_oneof![
        Just(Dom::Null),
        any::<bool>().prop_map(Dom::Bool),
        any::<i64>().prop_map(Dom::Int),
        (-70_000i64..70_000).prop_map(Dom::Int),
        any::<u64>().prop_map(Dom::UInt),
        any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Dom::Double),
        (any::<i64>(), 0u8..19).prop_map(|(n, s)| Dom::Decimal(Decimal::from_i128(n.into(), s))),
        s.clone().prop_map(|s| Dom::Str(s.into())),
        (1u32..9999, 1u32..13, 1u32..29).prop_map(|(y, m, d)| Dom::Date(Date::new(y, m, d))),
        (0u32..23, 0u32..60).prop_map(|(h, m)| Dom::Time(Time::new(h % 2 == 0, h, m, 1, 0))),
        proptest::collection::vec(any::<u8>(), 0..200).prop_map(|b| Dom::Opaque(252, b.into())),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Dom::Array),
            proptest::collection::vec((s.clone(), inner), 0..6)
                .prop_map(|m| Dom::object(m.into_iter().map(|(k, v)| (k.into(), v)).collect())),
        ]
    })
}

proptest! {
    #[test]
    fn documents_round_trip(d in dom()) {
        let bytes = d.to_document().unwrap();
        let r = Ref::open(&bytes).unwrap();
        // taking it apart completely and encoding again gives the same bytes
        fn apart<'a>(d: &mut Dom<'a>) {
            d.expand();
            match d {
                Dom::Array(v) => v.iter_mut().for_each(apart),
                Dom::Object(v) => v.iter_mut().for_each(|m| apart(&mut m.1)),
                _ => {}
            }
        }
        let mut back = Dom::Part(r);
        apart(&mut back);
        prop_assert_eq!(back.to_document().unwrap(), bytes.clone());
        prop_assert_eq!(compare(r, r), Ordering::Equal);
        // so does its text, with a tree and without
        let t = text(&bytes);
        prop_assert_eq!(parse_document(t.as_bytes()).unwrap().unwrap(), parse(t.as_bytes()).unwrap().to_document().unwrap());
    }

    #[test]
    fn text_round_trips(d in dom()) {
        let bytes = d.to_document().unwrap();
        // decimals come back as doubles, everything else as it was
        let t = again(&text(&bytes));
        prop_assert_eq!(again(&t), t);
    }

    #[test]
    fn weights_agree_with_comparison(a in dom(), b in dom()) {
        let (x, y) = (a.to_document().unwrap(), b.to_document().unwrap());
        let (x, y) = (Ref::trusted(&x), Ref::trusted(&y));
        let (mut p, mut q) = (Vec::new(), Vec::new());
        weights(x, &mut p);
        weights(y, &mut q);
        prop_assert_eq!(compare(x, y), p.cmp(&q));
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic(d in dom(), changes in proptest::collection::vec((any::<u16>(), any::<u8>()), 1..4), cut in any::<u16>()) {
        let mut bytes = d.to_document().unwrap();
        for (at, b) in changes {
            let n = bytes.len();
            bytes[at as usize % n] = b;
        }
        let n = bytes.len();
        for b in [&bytes[..], &bytes[..cut as usize % n]] {
            // what is still a document can be used; reading the rest unchecked must not panic either
            let _ = Ref::open(b).map(|r| (r.depth(), r.len()));
            let mut out = Vec::new();
            if Ref::open(b).is_ok() {
                print::compact(Ref::trusted(b), &mut out);
                weights(Ref::trusted(b), &mut out);
            }
        }
    }

    #[test]
    fn any_text_parses_or_is_refused(s in "[\\[\\]{}:,\"0-9a-f.eE+-]{0,40}") {
        if let Ok(d) = parse(s.as_bytes()) {
            let _ = d.to_document();
        }
        let _ = Path::parse(s.as_bytes());
    }
}

/// MySQL's own bytes: a DATE, and a document that was changed in place and has a gap.
#[test]
fn as_mysql_writes_them() {
    let date = [15, 10, 8, 0, 0, 0, 0, 0, 0x44, 0xa5, 0x19];
    let mut out = Vec::new();
    Dom::Date(Date::new(2020, 1, 2)).encode(&mut out).unwrap();
    assert_eq!(out, date);
    let is = |doc: &[u8]| matches!(Ref::open(doc).unwrap().kind(), Kind::Date(d) if d == Date::new(2020, 1, 2));
    assert!(is(&date));
    // as servers wrote it before
    let day = (2020u32 << 9 | 1 << 5 | 2).to_le_bytes();
    let old = [&[15, 10, 8][..], &day, &[0; 4]].concat();
    assert!(is(&old));
    // ["abc", 7], in which "abc" has become "z": its place is as long as it was
    let gap = [2, 2, 0, 14, 0, 12, 10, 0, 5, 7, 0, 1, b'z', b'b', b'c'];
    assert!(Ref::open(&gap).is_err());
    let tight = without_gaps(&gap).unwrap();
    let mut text = Vec::new();
    print::compact(Ref::open(&tight).unwrap(), &mut text);
    assert_eq!((text.as_slice(), tight.len()), (&b"[\"z\", 7]"[..], gap.len() - 2));
    assert_eq!(without_gaps(&tight), Some(tight));
    assert_eq!(without_gaps(&[2, 200]), None);
}
