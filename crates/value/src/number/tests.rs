use super::*;

fn f64_text(v: f64) -> String {
    let mut out = Vec::new();
    format_f64(v, &mut out);
    String::from_utf8(out).unwrap()
}

fn f32_text(v: f32) -> String {
    let mut out = Vec::new();
    format_f32(v, &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn doubles() {
    for (v, t) in [
        (1e14, "100000000000000"),
        (1e15, "1e15"),
        (-1e20, "-1e20"),
        (123456789012345.6, "123456789012345.6"),
        (1234567890123456.0, "1.234567890123456e15"),
        (1e15 + 0.25, "1000000000000000.2"),
        (1e15 + 0.375, "1000000000000000.4"),
        (1e15 + 0.75, "1000000000000000.8"),
        (-1e15 - 0.5, "-1000000000000000.5"),
        (1e-15, "0.000000000000001"),
        (1e-16, "1e-16"),
        (1.5e-10, "0.00000000015"),
        (0.1, "0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1.0 / 3.0, "0.3333333333333333"),
        (1.7976931348623157e308, "1.7976931348623157e308"),
        (100.0, "100"),
        (-2.5, "-2.5"),
    ] {
        assert_eq!(f64_text(v), t);
    }
    for (v, t) in
        [(1.2345678, "1.23457"), (16777216.0, "16777200"), (1e10, "10000000000"), (1e20, "1e20"), (0.1, "0.1")]
    {
        assert_eq!(f32_text(v), t);
    }
}

#[test]
fn integers() {
    for v in [0, 7, 10, 99, 100, 12345, i64::MAX, i64::MIN, -1] {
        let mut out = Vec::new();
        format_i64(v, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), v.to_string());
    }
    let mut out = Vec::new();
    format_padded(42, 5, &mut out);
    assert_eq!(out, b"00042");
}

#[test]
fn text_to_number() {
    assert_eq!(parse_f64_prefix(b" 1.5e3abc"), (1500.0, 6, false));
    assert_eq!(parse_f64_prefix(b"abc"), (0.0, 0, false));
    assert_eq!(parse_f64_prefix(b"."), (0.0, 0, false));
    assert_eq!(parse_f64_prefix(b"1e"), (1.0, 1, false));
    assert_eq!(parse_f64_prefix(b"1e400"), (f64::MAX, 5, true));
    assert_eq!(parse_f64_prefix(b"-12"), (-12.0, 3, false));
    assert_eq!(parse_int_prefix(b"1.9").value, 1);
    assert_eq!((parse_int_prefix(b"\t 7\n").value, parse_int_prefix(b"\n7").consumed), (7, 0));
    assert_eq!((parse_int_rounded(b"\n1.5").consumed, parse_f64_prefix(b"\n1.5").0), (0, 1.5));
    assert_eq!(parse_int_rounded(b"1.5").value, 2);
    assert_eq!(parse_int_rounded(b"-1.5").value, -2);
    assert_eq!(parse_int_rounded(b"1e3").value, 1000);
    assert_eq!(parse_int_rounded(b".5").value, 1);
    assert!(parse_int_rounded(b"1e50").overflow && parse_int_prefix(b"18446744073709551616").overflow);
    assert_eq!(bytes_to_u64(b"\x01\x02"), 258);
}
