use super::build::{Circumstances, kept};
use super::*;
use crate::json::Ref;

fn with(buckets: u64) -> Circumstances {
    let now = DateTime::new(2026, 11, 22, 6, 0, 0, 123);
    Circumstances { buckets, sampling_rate: 1.0, now, auto_update: false }
}

fn ints(list: impl IntoIterator<Item = i64>, buckets: u64, nulls: u64) -> Histogram {
    let values = list.into_iter().map(OwnedValue::Int).collect();
    Histogram::build(values, nulls, &SqlType::bigint(), with(buckets)).unwrap()
}

fn share(h: &Histogram, t: Test, c: i64) -> f64 {
    h.share(t, Some(Value::Int(c)), &mut |v| match v {
        Value::Int(n) => Some(n.cmp(&c)),
        _ => None,
    })
}

fn text(h: &Histogram) -> String {
    let doc = h.to_document().unwrap();
    let mut out = Vec::new();
    crate::json::print::compact(Ref::open(&doc).unwrap(), &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn few_values_have_a_bucket_each() {
    let h = ints([3, 1, 2, 2], 4, 4);
    assert!(h.singleton);
    assert_eq!(
        text(&h),
        "{\"buckets\": [[1, 0.125], [2, 0.375], [3, 0.5]], \"data-type\": \"int\", \"auto-update\": false, \"null-values\": 0.5, \
         \"collation-id\": 8, \"last-updated\": \"2026-11-22 06:00:00.000123\", \"sampling-rate\": 1.0, \"histogram-type\": \"singleton\", \
         \"number-of-buckets-specified\": 4}"
    );
    assert_eq!(share(&h, Test::Eq, 2), 0.25);
    assert_eq!(share(&h, Test::Lt, 2), 0.125);
    assert_eq!(share(&h, Test::Le, 2), 0.375);
    assert_eq!(share(&h, Test::Eq, 9), 0.0);
    assert_eq!(share(&h, Test::Le, 9), 0.5);
}

#[test]
fn many_values_have_buckets_of_equal_height() {
    let h = ints((0..1000).chain(std::iter::repeat_n(500, 1000)), 10, 0);
    assert!(!h.singleton && h.buckets.len() <= 10);
    // the frequent value is alone
    assert!((share(&h, Test::Eq, 500) - 0.5005).abs() < 1e-9);
    assert!((share(&h, Test::Eq, 7) - 0.0005).abs() < 1e-4);
    assert!((share(&h, Test::Lt, 250) - 0.125).abs() < 0.002);
    assert!((share(&h, Test::Lt, 500) - 0.25).abs() < 0.002);
    assert_eq!(h.distinct(), 1000.0);
    assert!((h.buckets.last().unwrap().cumulative - 1.0).abs() < 1e-9);
    assert_eq!(ints(0..2000, 1, 0).buckets.len(), 1);
}

#[test]
fn nothing_and_nulls() {
    let h = ints([], 10, 5);
    assert!(h.singleton && h.buckets.is_empty() && h.null_values == 1.0);
    assert_eq!(share(&h, Test::Eq, 1), 0.0);
    let h = ints([], 10, 0);
    assert_eq!(h.null_values, 0.0);
    round_trip(&h, &SqlType::bigint());
}

fn round_trip(h: &Histogram, ty: &SqlType) {
    let doc = h.to_document().unwrap();
    let back = Histogram::from_document(Ref::open(&doc).unwrap(), None).unwrap();
    assert_eq!(format!("{h:?}"), format!("{back:?}"));
    // through text, as USING DATA reads it
    let dom = text(h);
    let doc = crate::json::parse(dom.as_bytes()).unwrap().to_document().unwrap();
    let back = Histogram::from_document(Ref::open(&doc).unwrap(), Some(ty)).unwrap();
    assert_eq!(text(&back), dom);
}

#[test]
fn every_type_comes_back() {
    let s = SqlType::varchar(100, CollationId(255));
    for text in ["", "a", "ab", "abc", "äöü€"] {
        let v = vec![OwnedValue::Str(text.as_bytes().into()), OwnedValue::Str("zz".as_bytes().into())];
        round_trip(&Histogram::build(v, 1, &s, with(5)).unwrap(), &s);
    }
    let d = SqlType { decimals: 2, length: 10, ..SqlType::new(TypeKind::Decimal) };
    let v = (0..300).map(|n| OwnedValue::Decimal(Box::new(crate::decimal::Decimal::from_i64(n)))).collect();
    round_trip(&Histogram::build(v, 0, &d, with(7)).unwrap(), &d);
    let at = DateTime::new(2020, 2, 29, 23, 59, 59, 5);
    for (kind, v) in [
        (TypeKind::Double, OwnedValue::Double(0.1)),
        (TypeKind::Date, OwnedValue::Date(at.date())),
        (TypeKind::DateTime, OwnedValue::DateTime(at)),
        (TypeKind::Time, OwnedValue::Time(at.time())),
        (TypeKind::Enum, OwnedValue::UInt(3)),
        (TypeKind::Bit, OwnedValue::UInt(u64::MAX)),
    ] {
        let ty = SqlType::new(kind);
        round_trip(&Histogram::build(vec![v], 3, &ty, with(7)).unwrap(), &ty);
    }
    assert!(Histogram::build(vec![], 0, &SqlType::new(TypeKind::Json), with(7)).is_none());
}

#[test]
fn bad_documents_are_refused() {
    let good = text(&ints([1, 2], 4, 0));
    let refused = |s: String| {
        let Ok(dom) = crate::json::parse(s.as_bytes()) else { return true };
        let doc = dom.to_document().unwrap();
        Histogram::from_document(Ref::open(&doc).unwrap(), Some(&SqlType::bigint())).is_err()
    };
    assert!(!refused(good.clone()));
    for (from, to) in [
        ("int", "uint"),
        ("0.5", "1.5"),
        ("[1, 0.5]", "[1]"),
        ("[1, 0.5]", "[\"a\", 0.5]"),
        ("0.5]", "1.0]"),
        ("singleton", "x"),
        ("2026", "x"),
        (": 4}", ": 0}"),
        ("buckets", "b"),
        ("\"null-values\": 0.0", "\"null-values\": 0.5"),
    ] {
        assert!(good.contains(from), "{from}");
        assert!(refused(good.replacen(from, to, 1)), "{from} {to}");
    }
    assert!(refused("[]".into()) && refused("{}".into()));
}

#[test]
fn long_strings_are_cut_and_samples_scaled() {
    let s = SqlType::varchar(100, CollationId(255));
    let OwnedValue::Str(b) = kept(Value::Str("ä".repeat(100).as_bytes()), &s) else { panic!() };
    assert_eq!(b.len(), 84);
    let c = Circumstances { sampling_rate: 0.1, ..with(2) };
    let v = (0..1000).map(OwnedValue::Int).collect();
    let h = Histogram::build(v, 0, &SqlType::bigint(), c).unwrap();
    assert!(h.distinct() > 5000.0, "{}", h.distinct());
    assert_eq!(check_buckets(1025).unwrap_err().code(), 1690);
    assert!(check_buckets(0).is_err() && check_buckets(1).is_ok());
}
