//! memcmp order of keys = order of values; what is written is read back.

use std::cmp::Ordering;
use std::sync::Arc;

use bumpalo::Bump;
use proptest::prelude::*;
use value::{CollationId, Date, DateTime, Decimal, OwnedValue, SqlType, Time, TypeKind, Value};

use super::*;

fn unsigned(kind: TypeKind) -> SqlType {
    SqlType { unsigned: true, ..SqlType::new(kind) }
}

fn char_type(n: u32, collation: CollationId) -> SqlType {
    SqlType { kind: TypeKind::Char, ..SqlType::varchar(n, collation) }
}

/// Types with a strategy for their values.
fn typed() -> Vec<(SqlType, BoxedStrategy<OwnedValue>)> {
    let int = |bits: u32| {
        prop_oneof![any::<i64>(), -3i64..3].prop_map(move |v| OwnedValue::Int(v << (64 - bits) >> (64 - bits))).boxed()
    };
    let uint = |bits: u32| {
        prop_oneof![any::<u64>(), 0u64..4].prop_map(move |v| OwnedValue::UInt(v << (64 - bits) >> (64 - bits))).boxed()
    };
    let double = prop_oneof![any::<i32>().prop_map(|v| v as f64 / 8.0), -2.0..2.0f64, Just(0.0), Just(-0.0)];
    let float = prop_oneof![any::<i16>().prop_map(|v| v as f64 / 8.0), Just(-0.0f64), Just(0.0)];
    let decimal = prop_oneof![any::<i32>(), -20..20i32].prop_map(|v| {
        let d = Decimal::parse(format!("{}.{:02}", v / 100, (v % 100).abs()).as_bytes()).unwrap();
        OwnedValue::Decimal(Box::new(d))
    });
    let date = (0u32..10000, 0u32..13, 0u32..32).prop_map(|(y, m, d)| OwnedValue::Date(Date::new(y, m, d)));
    let micro = |fsp: u32| {
        let unit = 10u32.pow(6 - fsp);
        (0..10u32.pow(fsp)).prop_map(move |m| m * unit)
    };
    let time = |fsp: u32| {
        (any::<bool>(), prop_oneof![0u32..2, 0u32..839], 0u32..60, 0u32..60, micro(fsp))
            .prop_map(|(n, h, m, s, us)| OwnedValue::Time(Time::new(n, h, m, s, us)))
            .boxed()
    };
    let datetime = |fsp: u32, years: std::ops::Range<u32>, low: u32| {
        (years, low..13, low..29, 0u32..24, 0u32..60, 0u32..60, micro(fsp))
            .prop_map(|(y, mo, d, h, m, s, us)| OwnedValue::DateTime(DateTime::new(y, mo, d, h, m, s, us)))
            .boxed()
    };
    let bytes =
        prop::collection::vec(prop_oneof![Just(0u8), Just(1), Just(0xff), Just(b' '), Just(b'a'), any::<u8>()], 0..8)
            .prop_map(|v| OwnedValue::Str(v.into()));
    let text = prop::collection::vec(
        prop_oneof![
            Just('\t'),
            Just(' '),
            Just(' '),
            Just('a'),
            Just('B'),
            Just('b'),
            Just('é'),
            Just('Z'),
            any::<char>()
        ],
        0..8,
    )
    .prop_map(|v| OwnedValue::Str(v.into_iter().collect::<String>().into_bytes().into()));
    let stripped = text.clone().prop_map(|v| match v {
        OwnedValue::Str(s) => OwnedValue::Str(strip(&s).into()),
        other => other,
    });
    let members: Arc<[Box<[u8]>]> = (0..300).map(|i| format!("m{i}").into_bytes().into()).collect();
    let enumeration = SqlType { members: Some(members), ..SqlType::new(TypeKind::Enum) };
    let bit = SqlType { length: 13, ..SqlType::new(TypeKind::Bit) };
    vec![
        (SqlType::new(TypeKind::TinyInt), int(8)),
        (unsigned(TypeKind::TinyInt), uint(8)),
        (SqlType::new(TypeKind::SmallInt), int(16)),
        (SqlType::new(TypeKind::MediumInt), int(24)),
        (unsigned(TypeKind::MediumInt), uint(24)),
        (SqlType::new(TypeKind::Int), int(32)),
        (unsigned(TypeKind::Int), uint(32)),
        (SqlType::bigint(), int(64)),
        (SqlType::bigint_unsigned(), uint(64)),
        (SqlType::new(TypeKind::Float), float.prop_map(OwnedValue::Double).boxed()),
        (SqlType::double(), double.prop_map(OwnedValue::Double).boxed()),
        (SqlType::decimal(12, 2), decimal.boxed()),
        (SqlType::new(TypeKind::Date), date.boxed()),
        (SqlType::temporal(TypeKind::Time, 0), time(0)),
        (SqlType::temporal(TypeKind::Time, 1), time(1)),
        (SqlType::temporal(TypeKind::Time, 4), time(4)),
        (SqlType::temporal(TypeKind::Time, 6), time(6)),
        (SqlType::temporal(TypeKind::DateTime, 0), datetime(0, 0..10000, 0)),
        (SqlType::temporal(TypeKind::DateTime, 3), datetime(3, 0..10000, 0)),
        (SqlType::temporal(TypeKind::DateTime, 6), datetime(6, 0..10000, 0)),
        (SqlType::temporal(TypeKind::Timestamp, 0), datetime(0, 1971..2038, 1)),
        (SqlType::temporal(TypeKind::Timestamp, 6), datetime(6, 1971..2038, 1)),
        (SqlType::new(TypeKind::Year), prop_oneof![Just(0u64), 1901u64..2156].prop_map(OwnedValue::UInt).boxed()),
        (bit, uint(13)),
        (enumeration, (0u64..301).prop_map(OwnedValue::UInt).boxed()),
        (SqlType::varchar(20, CollationId::BINARY), bytes.boxed()),
        (SqlType::varchar(20, CollationId::UTF8MB4_BIN), text.clone().boxed()),
        (char_type(20, CollationId::UTF8MB4_BIN), stripped.boxed()),
        (SqlType::varchar(20, CollationId::UTF8MB4_0900_BIN), text.clone().boxed()),
        (SqlType::varchar(20, CollationId::UTF8MB4_GENERAL_CI), text.clone().boxed()),
        (SqlType::varchar(20, CollationId::UTF8MB4_UNICODE_CI), text.clone().boxed()),
        (SqlType::varchar(20, CollationId::UTF8MB4_0900_AI_CI), text.clone().boxed()),
        (SqlType::varchar(20, CollationId::UTF8MB4_0900_AS_CS), text.boxed()),
    ]
}

fn strip(s: &[u8]) -> &[u8] {
    let end = s.iter().rposition(|b| *b != b' ').map_or(0, |i| i + 1);
    &s[..end]
}

/// A type, whether descending, and three values of it, some NULL.
fn case() -> impl Strategy<Value = (SqlType, bool, Vec<OwnedValue>)> {
    let all = typed();
    (0..all.len(), any::<bool>()).prop_flat_map(move |(i, desc)| {
        let (ty, s) = all[i].clone();
        let value = prop_oneof![9 => s, 1 => Just(OwnedValue::Null)];
        (Just(ty), Just(desc), prop::collection::vec(value, 3))
    })
}

/// The reference order, NULL first.
fn compare(ty: &SqlType, a: &Value<'_>, b: &Value<'_>) -> Ordering {
    match (a, b) {
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Null, _) => Ordering::Less,
        (_, Value::Null) => Ordering::Greater,
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::UInt(a), Value::UInt(b)) => a.cmp(b),
        (Value::Double(a), Value::Double(b)) => a.partial_cmp(b).unwrap(),
        (Value::Decimal(a), Value::Decimal(b)) => a.cmp(b),
        (Value::Date(a), Value::Date(b)) => a.cmp(b),
        (Value::Time(a), Value::Time(b)) => a.cmp(b),
        (Value::DateTime(a), Value::DateTime(b)) => a.cmp(b),
        (Value::Str(a), Value::Str(b)) => match ty.collation {
            CollationId::UTF8MB4_BIN => {
                let n = a.len().max(b.len());
                let pad = |s: &[u8]| {
                    let mut v = s.to_vec();
                    v.resize(n, b' ');
                    v
                };
                pad(a).cmp(&pad(b))
            }
            c => c.get().compare(a, b),
        },
        _ => panic!("mixed values"),
    }
}

fn same(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Double(a), Value::Double(b)) => a.to_bits() == b.to_bits(),
        _ => compare(&SqlType::bigint(), a, b) == Ordering::Equal,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn key_order_is_value_order((ty, desc, v) in case()) {
        let key = KeyEncoder::new([KeyPart { ty: ty.clone(), prefix: 0, desc }, KeyPart::asc(SqlType::bigint())]);
        let encode = |v: &OwnedValue| {
            let mut k = Vec::new();
            key.encode(&[v.as_value(), Value::Int(7)], &mut k).unwrap();
            k
        };
        let (a, b) = (encode(&v[0]), encode(&v[1]));
        let mut want = compare(&ty, &v[0].as_value(), &v[1].as_value());
        if desc { want = want.reverse(); }
        prop_assert_eq!(a.cmp(&b), want, "{:?} {:?} {:?} {:x?} {:x?}", ty, v[0], v[1], a, b);
        // The second part is found behind the first, and reversible parts come back.
        let arena = Bump::new();
        prop_assert_eq!(key.part_bytes(&a, 1).unwrap().len(), 9);
        prop_assert!(same(&key.decode_part(&a, 1, &arena).unwrap(), &Value::Int(7)));
        prop_assert_eq!(key.any_null(&a, 1).unwrap(), v[0].as_value().is_null());
        if key.is_reversible(0) {
            let back = key.decode_part(&a, 0, &arena).unwrap();
            prop_assert!(same(&back, &v[0].as_value()), "{:?} {:?} {:x?}", back, v[0], a);
        }
        // The range [prefix, successor) holds the key and not another value's.
        let mut lo = Vec::new();
        key.encode(&[v[0].as_value()], &mut lo).unwrap();
        let mut hi = lo.clone();
        // (a descending NULL is all 0xFF: an open range).
        let open = !prefix_successor(&mut hi);
        prop_assert!(lo <= a && (open || a < hi));
        prop_assert_eq!(lo <= b && (open || b < hi), want == Ordering::Equal);
    }

    #[test]
    fn rows_round_trip(cases in prop::collection::vec(case(), 1..20)) {
        let types: Vec<SqlType> = cases.iter().enumerate().map(|(i, c)| c.0.clone().nullable(i % 3 != 0)).collect();
        let values: Vec<OwnedValue> = cases.iter().zip(&types)
            .map(|(c, t)| c.2.iter().find(|v| t.nullable || !v.as_value().is_null()).cloned())
            .collect::<Option<_>>().unwrap_or_default();
        prop_assume!(values.len() == types.len());
        let values: Vec<Value<'_>> = values.iter().map(|v| v.as_value()).collect();
        let layout = RowLayout::new(&types);
        let mut row = vec![];
        layout.encode(&values, &[], &mut row).unwrap();
        prop_assert_eq!(row.len(), layout.encoded_len(&values));
        let view = RowView::new(&layout, &row).unwrap();
        let arena = Bump::new();
        for (i, v) in values.iter().enumerate() {
            prop_assert_eq!(view.is_null(i), v.is_null());
            let back = view.value(i, &arena).unwrap();
            prop_assert!(same(&back, v), "{:?} {:?} {:?}", types[i], back, v);
        }
        row.push(0);
        prop_assert!(RowView::new(&layout, &row).is_err());
    }
}

#[test]
fn external_and_defaults() {
    let types = [
        SqlType::bigint(),
        SqlType::new(TypeKind::LongBlob),
        SqlType::new(TypeKind::LongText),
        char_type(9, CollationId::UTF8MB4_BIN),
    ];
    let layout = RowLayout::new(&types);
    let (big, small) = (vec![1u8; 20_000], vec![2u8; 3_000]);
    let values = [Value::Int(1), Value::Str(&big), Value::Str(&small), Value::Str(b"abc  ")];
    let chosen = layout.choose_external(&values, 8000);
    assert_eq!(chosen.as_slice(), &[1]);
    let r = BlobRef { first: base::PageNo(77), length: 20_000, owner: 9 };
    let mut row = Vec::new();
    layout.encode(&values, &[None, Some(r), None, None], &mut row).unwrap();
    let view = RowView::new(&layout, &row).unwrap();
    let arena = Bump::new();
    assert_eq!(view.external(1), Some(r));
    assert_eq!(view.externals().collect::<Vec<_>>(), [r]);
    let gone =
        RowLayout::former([(&types[0], Some(0)), (&types[1], None), (&types[2], Some(1)), (&types[3], None)], &[], 2);
    let old = RowView::new(&gone, &row).unwrap();
    assert_eq!(old.externals().collect::<Vec<_>>(), [r], "of a column that was dropped");
    assert_eq!((old.raw(1), old.external(1)), (&small[..], None));
    assert_eq!(view.value(1, &arena).err(), Some(RowError::External));
    assert_eq!(view.external(2), None);
    assert_eq!(view.raw(2), &small[..]);
    assert_eq!(view.raw(3), b"abc");
    assert_eq!(layout.column_count(), 4);
}

#[test]
fn former_rows_are_read_as_columns_of_now() {
    let (int, tiny) = (SqlType::bigint(), SqlType::new(TypeKind::TinyInt).nullable(false));
    let text = SqlType::varchar(20, CollationId::UTF8MB4_BIN);
    let then = RowLayout::new([&int, &text, &tiny]);
    let mut row = Vec::new();
    then.encode(&[Value::Null, Value::Str(b"abc"), Value::Int(7)], &[], &mut row).unwrap();
    // the middle column is first now, the last one was dropped, two are new
    let stored = [(&int, Some(2)), (&text, Some(0)), (&tiny, None)];
    let layout = RowLayout::former(stored, &[(1, OwnedValue::Int(5))], 4);
    let view = RowView::new(&layout, &row).unwrap();
    let arena = Bump::new();
    let expect = [Value::Str(b"abc"), Value::Int(5), Value::Null, Value::Null];
    for (i, e) in expect.iter().enumerate() {
        assert!(same(&view.value(i, &arena).unwrap(), e), "column {i}");
        assert_eq!(view.is_null(i), e.is_null(), "column {i}");
    }
    assert_eq!(layout.column_count(), 4);
    assert_eq!(view.value(4, &arena).err(), Some(RowError::Corrupt));
    assert_eq!(layout.encode(&expect, &[], &mut Vec::new()), Err(RowError::WrongType), "they are only read");
}

#[test]
fn values_that_do_not_fit() {
    let key = |ty| KeyEncoder::new([KeyPart::asc(ty)]);
    let mut k = Vec::new();
    assert_eq!(key(SqlType::new(TypeKind::TinyInt)).encode(&[Value::Int(128)], &mut k), Err(RowError::OutOfRange));
    assert_eq!(key(unsigned(TypeKind::Int)).encode(&[Value::Int(-1)], &mut k), Err(RowError::OutOfRange));
    assert_eq!(key(SqlType::new(TypeKind::Float)).encode(&[Value::Double(0.1)], &mut k), Err(RowError::OutOfRange));
    let d = Decimal::parse(b"1.25").unwrap();
    assert_eq!(key(SqlType::decimal(5, 1)).encode(&[Value::Decimal(&d)], &mut k), Err(RowError::OutOfRange));
    assert_eq!(key(SqlType::bigint()).encode(&[Value::Str(b"1")], &mut k), Err(RowError::WrongType));
    assert_eq!(key(SqlType::bigint().nullable(false)).encode(&[Value::Null], &mut k), Err(RowError::WrongType));
}

#[test]
fn prefix_and_like() {
    let ty = SqlType::varchar(20, CollationId::UTF8MB4_0900_BIN).nullable(false);
    let key = KeyEncoder::new([KeyPart { ty, prefix: 3, desc: false }]);
    assert!(!key.is_reversible(0));
    let (mut a, mut b) = (Vec::new(), Vec::new());
    key.encode(&[Value::Str("aéxyz".as_bytes())], &mut a).unwrap();
    key.encode(&[Value::Str("aéx".as_bytes())], &mut b).unwrap();
    assert_eq!(a, b);
    b.clear();
    assert!(key.encode_like_prefix(0, b"a", &mut b));
    assert!(a.starts_with(&b));
    let mut all = vec![0xff, 0xff];
    assert!(!prefix_successor(&mut all));
}
