use super::*;
use fastnum::D512;
use proptest::prelude::*;

fn d(s: &str) -> Decimal {
    Decimal::parse(s.as_bytes()).unwrap()
}

#[test]
fn text_forms() {
    for (from, to) in [
        ("0", "0"),
        ("-0.00", "0.00"),
        ("007.50", "7.50"),
        (".5", "0.5"),
        ("-.5", "-0.5"),
        ("5.", "5"),
        ("1e3", "1000"),
        ("1.5e-3", "0.0015"),
        (
            "12345678901234567890123456789012345678901234567890.123456789",
            "12345678901234567890123456789012345678901234567890.123456789",
        ),
        (" 12.5 ", "12.5"),
    ] {
        assert_eq!(d(from).to_string(), to, "{from}");
    }
    assert!(Decimal::parse(b"abc").is_none() && Decimal::parse(b"").is_none() && Decimal::parse(b"1x").is_none());
    let p = Decimal::parse_prefix(b"12.5abc");
    assert_eq!((p.value.to_string().as_str(), p.consumed), ("12.5", 4));
    assert!(Decimal::parse_prefix(b"1e100").overflow);
    assert_eq!(Decimal::parse_prefix(b"1e-100").value.to_string().len(), 78);
    assert_eq!(Decimal::parse_prefix(b"1e").consumed, 1);
}

#[test]
fn rounding() {
    for (v, s, r) in [
        ("1.5", 0, "2"),
        ("2.5", 0, "3"),
        ("-1.5", 0, "-2"),
        ("1.449", 1, "1.4"),
        ("149.9", -2, "100"),
        ("150", -2, "200"),
        ("99.99", 1, "100.0"),
        ("5", -1, "10"),
        ("4", -1, "0"),
        ("4", -80, "0"),
        ("1.2", 4, "1.2000"),
    ] {
        assert_eq!(d(v).round(s).to_string(), r, "{v} {s}");
    }
    assert_eq!(d("-1.2").ceil().to_string(), "-1");
    assert_eq!(d("-1.2").floor().to_string(), "-2");
    assert_eq!(d("1.2").ceil().to_string(), "2");
    assert_eq!(d("-1.99").truncate(1).to_string(), "-1.9");
    assert_eq!(d("999.996").fit(5, 2).unwrap_err().to_string(), "999.99");
    assert_eq!(d("999.994").fit(5, 2).unwrap().to_string(), "999.99");
}

#[test]
fn division_as_mysql() {
    let q = d("1").div(&d("3"), 4).unwrap().unwrap();
    assert_eq!(q.to_string(), "0.333333333");
    assert_eq!(q.mul(&d("3")).unwrap().round(4).to_string(), "1.0000");
    assert!(d("1").div(&d("0.0"), 4).unwrap().is_none());
    assert_eq!(d("7.5").rem(&d("-2")).unwrap().unwrap().to_string(), "1.5");
    assert_eq!(d("-7.5").rem(&d("2")).unwrap().unwrap().to_string(), "-1.5");
    assert_eq!(d("7.5").div_int(&d("2")).unwrap().unwrap().to_string(), "3");
}

#[test]
fn limits() {
    let m = Decimal::max_value(65, 0, false);
    assert_eq!(m.add(&Decimal::ONE).unwrap().to_string(), format!("1{}", "0".repeat(65)));
    assert!(m.mul(&m).is_err());
    assert_eq!(d("9223372036854775807.4").to_i64(), Ok(i64::MAX));
    assert_eq!(d("9223372036854775807.5").to_i64(), Err(i64::MAX));
    assert_eq!(d("-9223372036854775808").to_i64(), Ok(i64::MIN));
    assert_eq!(d("18446744073709551615").to_u64(), Ok(u64::MAX));
    assert_eq!(d("-0.4").to_u64(), Ok(0));
    assert_eq!(Decimal::from_f64(0.1).unwrap().to_string(), "0.1");
    assert_eq!(Decimal::from_f64(1e20).unwrap().to_string(), "100000000000000000000");
}

#[test]
fn binary_known() {
    // manual's example in decimal.c's comment form: 1234567890.1234 as DECIMAL(14,4)
    let mut out = Vec::new();
    encode_binary(&d("1234567890.1234"), 14, 4, &mut out).unwrap();
    assert_eq!(out, [0x81, 0x0D, 0xFB, 0x38, 0xD2, 0x04, 0xD2]);
    out.clear();
    encode_binary(&d("-1234567890.1234"), 14, 4, &mut out).unwrap();
    assert_eq!(out, [0x7E, 0xF2, 0x04, 0xC7, 0x2D, 0xFB, 0x2D]);
}

fn any_decimal() -> impl Strategy<Value = Decimal> {
    (proptest::collection::vec(0u8..10, 1..60), 0usize..31, any::<bool>()).prop_map(|(ds, scale, neg)| {
        let mut s: String = ds.iter().map(|d| (d + b'0') as char).collect();
        let scale = scale.min(s.len());
        s.insert(s.len() - scale, '.');
        let v = Decimal::parse(s.as_bytes()).unwrap();
        if neg { v.neg() } else { v }
    })
}

fn big(v: &Decimal) -> D512 {
    D512::from_str(&v.to_string(), fastnum::decimal::Context::default()).unwrap()
}

proptest! {
    #[test]
    fn add_sub_mul_agree(a in any_decimal(), b in any_decimal()) {
        if let Ok(s) = a.add(&b) && s.scale() == a.scale().max(b.scale()) {
            prop_assert_eq!(big(&s), big(&a) + big(&b));
        }
        if let Ok(s) = a.sub(&b) && s.scale() == a.scale().max(b.scale()) {
            prop_assert_eq!(big(&s), big(&a) - big(&b));
        }
        if let Ok(s) = a.mul(&b) && s.scale() as u32 == a.scale() as u32 + b.scale() as u32 {
            prop_assert_eq!(big(&s), big(&a) * big(&b));
        }
        prop_assert_eq!(a.cmp(&b), big(&a).partial_cmp(&big(&b)).unwrap());
    }

    #[test]
    fn division_law(a in any_decimal(), b in any_decimal(), inc in 0u8..8) {
        // q*b <= a < (q + 1 unit)*b in magnitude
        if let Ok(Some(q)) = a.div(&b, inc) {
            let unit = Decimal::raw([1, 0, 0, 0], q.scale() as usize, false);
            let (qa, ba, aa) = (big(&q.abs()), big(&b.abs()), big(&a.abs()));
            prop_assert!(qa * ba <= aa);
            prop_assert!((qa + big(&unit)) * ba > aa);
        }
        if let Ok(Some(r)) = a.rem(&b) {
            prop_assert!(r.abs() < b.abs());
            if let Ok(Some(q)) = a.div_int(&b) {
                prop_assert_eq!(big(&q) * big(&b) + big(&r), big(&a));
            }
        }
    }

    #[test]
    fn small_agrees_with_i128(a in any::<i64>(), b in any::<i64>(), sa in 0u8..10, sb in 0u8..10) {
        let x = Decimal::from_i128(a.into(), sa);
        let y = Decimal::from_i128(b.into(), sb);
        let m = sa.max(sb);
        let (ai, bi) = (a as i128 * 10i128.pow((m - sa).into()), b as i128 * 10i128.pow((m - sb).into()));
        prop_assert_eq!(x.add(&y).unwrap().to_i128(), Some(ai + bi));
        prop_assert_eq!(x.mul(&y).unwrap().to_i128(), Some(a as i128 * b as i128));
        prop_assert_eq!(x.cmp(&y), ai.cmp(&bi));
        if b != 0 {
            prop_assert_eq!(x.div_int(&y).unwrap().unwrap().to_i128(), Some(ai / bi));
            prop_assert_eq!(x.rem(&y).unwrap().unwrap().to_i128(), Some(ai % bi));
        }
        prop_assert_eq!(x.to_f64(), x.to_string().parse::<f64>().unwrap());
    }

    #[test]
    fn text_round_trip(a in any_decimal()) {
        prop_assert_eq!(Decimal::parse(a.to_string().as_bytes()).unwrap().to_string(), a.to_string());
    }

    #[test]
    fn binary_round_trip_and_order(a in any_decimal(), b in any_decimal(), p in 1u8..=65, s in 0u8..=30) {
        let s = s.min(p);
        let clip = |v: &Decimal| v.fit(p, s).unwrap_or_else(|m| m);
        let (a, b) = (clip(&a), clip(&b));
        let (mut x, mut y) = (Vec::new(), Vec::new());
        encode_binary(&a, p, s, &mut x).unwrap();
        encode_binary(&b, p, s, &mut y).unwrap();
        prop_assert_eq!(x.len(), binary_size(p, s));
        prop_assert_eq!(decode_binary(&x, p, s).unwrap().to_string(), a.to_string());
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
    }

    #[test]
    fn sort_keys_order_all_scales(a in any_decimal(), b in any_decimal()) {
        let key = |d: &Decimal| {
            let mut k = Vec::new();
            sort_key(d, &mut k);
            k
        };
        let (a, b) = (a.round(30), b.round(30));
        prop_assert_eq!(key(&a).cmp(&key(&b)), a.cmp(&b));
        prop_assert_eq!(key(&a) == key(&a.round(30)), true);
        prop_assert!(a == b || !key(&a).starts_with(&key(&b)));
    }
}
