use super::*;
use crate::collation::CollationId;
use crate::context::{ConvCtx, SqlMode};
use crate::types::{SqlType, TypeKind};
use crate::value::Value;
use bumpalo::Bump;
use std::sync::Arc;

fn text() -> SqlType {
    SqlType::varchar(100, CollationId::UTF8MB4_BIN)
}

/// Stores and renders: Ok(text, warning codes) or Err(code).
fn store(v: Value<'_>, from: &SqlType, to: &SqlType, strict: bool) -> Result<(String, Vec<u16>), u16> {
    let arena = Bump::new();
    let mut ctx = ConvCtx::new(if strict { SqlMode::DEFAULT } else { SqlMode(0) });
    ctx.strict = strict;
    let r = convert_for_column(v.copy_into(&arena), from, to, &mut ctx, "c", 1, &arena).map_err(|e| e.code())?;
    let mut out = Vec::new();
    to_text(r, to, &mut out);
    Ok((String::from_utf8_lossy(&out).into_owned(), ctx.warnings.iter().map(|w| w.code).collect()))
}

fn s(v: &str, to: &SqlType, strict: bool) -> Result<(String, Vec<u16>), u16> {
    store(Value::Str(v.as_bytes()), &text(), to, strict)
}

fn ok(t: &str, w: &[u16]) -> Result<(String, Vec<u16>), u16> {
    Ok((t.to_string(), w.to_vec()))
}

#[test]
fn integers() {
    let tiny = SqlType::new(TypeKind::TinyInt);
    assert_eq!(s("12", &tiny, true), ok("12", &[]));
    assert_eq!(s("1.5", &tiny, true), ok("2", &[]));
    assert_eq!(s("128", &tiny, true), Err(1264));
    assert_eq!(s("128", &tiny, false), ok("127", &[1264]));
    assert_eq!(s("abc", &tiny, true), Err(1366));
    assert_eq!(s("abc", &tiny, false), ok("0", &[1366]));
    assert_eq!(s("12abc", &tiny, true), Err(1265));
    let u = SqlType::bigint_unsigned();
    assert_eq!(store(Value::Int(-1), &SqlType::bigint(), &u, true), Err(1264));
    assert_eq!(store(Value::Double(1e30), &SqlType::double(), &u, false), ok("18446744073709551615", &[1264]));
    let mut z = SqlType::new(TypeKind::Int);
    (z.zerofill, z.unsigned, z.length) = (true, true, 5);
    assert_eq!(s("42", &z, true), ok("00042", &[]));
}

#[test]
fn decimals_and_doubles() {
    let d = SqlType::decimal(5, 2);
    assert_eq!(s("1.239", &d, true), ok("1.24", &[1265]));
    assert_eq!(s("1000", &d, true), Err(1264));
    assert_eq!(s("-1000", &d, false), ok("-999.99", &[1264]));
    assert_eq!(s("x", &d, true), Err(1366));
    assert_eq!(store(Value::Int(7), &SqlType::bigint(), &d, true), ok("7.00", &[]));
    assert_eq!(s("x", &SqlType::double(), true), Err(1265));
    assert_eq!(s("1e400", &SqlType::double(), true), Err(1264));
    assert_eq!(s("3.14159265", &SqlType::new(TypeKind::Float), true), ok("3.14159", &[]));
}

#[test]
fn strings() {
    let v3 = SqlType::varchar(3, CollationId::UTF8MB4_BIN);
    assert_eq!(s("abc", &v3, true), ok("abc", &[]));
    assert_eq!(s("äöüx", &v3, true), Err(1406));
    assert_eq!(s("äöüx", &v3, false), ok("äöü", &[1265]));
    assert_eq!(s("abc   ", &v3, true), ok("abc", &[1265]));
    let mut c3 = v3.clone();
    c3.kind = TypeKind::Char;
    assert_eq!(s("ab ", &c3, true), ok("ab", &[]));
    let mut b3 = SqlType::new(TypeKind::Binary);
    b3.length = 3;
    assert_eq!(s("a", &b3, true), ok("a\0\0", &[]));
    assert_eq!(store(Value::Str(b"a\xFFb"), &SqlType::varchar(9, CollationId::BINARY), &v3, true), Err(1366));
    let latin = SqlType::varchar(3, CollationId::LATIN1_BIN);
    assert_eq!(s("Ж", &latin, true), Err(1366));
    assert_eq!(store(Value::Int(123), &SqlType::bigint(), &v3, true), ok("123", &[]));
}

#[test]
fn dates() {
    let d = SqlType::new(TypeKind::Date);
    let dt = SqlType::temporal(TypeKind::DateTime, 0);
    for (from, to) in [
        ("2020-1-2", "2020-01-02"),
        ("20200102", "2020-01-02"),
        ("200102", "2020-01-02"),
        ("70-1-2", "1970-01-02"),
        ("1-1-1", "0001-01-01"),
    ] {
        assert_eq!(s(from, &d, true), ok(to, &[]), "{from}");
    }
    assert_eq!(s("2020/01.02", &d, true), ok("2020-01-02", &[4095]));
    assert_eq!(s("2020-01-02 10:00:00", &d, true), ok("2020-01-02", &[1292]));
    for bad in ["0000-00-00", "2020-00-01", "2020-02-30", "abc", "", "2020-01", "2020-01-02x"] {
        assert_eq!(s(bad, &d, true), Err(1292), "{bad}");
    }
    assert_eq!(s("2020-02-30", &d, false), ok("0000-00-00", &[1264]));
    assert_eq!(s("2020-00-01", &d, false), ok("2020-00-01", &[]));
    for (from, to) in [
        ("2020-01-02T03:04:05", "2020-01-02 03:04:05"),
        ("2020-01-02 03:04:05.5", "2020-01-02 03:04:06"),
        ("2020-12-31 23:59:59.9", "2021-01-01 00:00:00"),
        ("20200102030405", "2020-01-02 03:04:05"),
        ("200102030405", "2020-01-02 03:04:05"),
        ("20200102T030405", "2020-01-02 03:04:05"),
        ("2020-01-02 03:04", "2020-01-02 03:04:00"),
        ("2020-01-02 03:04:05+02:00", "2020-01-02 01:04:05"),
        ("2020-01-02", "2020-01-02 00:00:00"),
    ] {
        assert_eq!(s(from, &dt, true), ok(to, &[]), "{from}");
    }
    let int = SqlType::bigint();
    assert_eq!(store(Value::Int(20200102), &int, &dt, true), ok("2020-01-02 00:00:00", &[]));
    assert_eq!(store(Value::Int(20201302), &int, &dt, true), Err(1292));
    let ts = SqlType::temporal(TypeKind::Timestamp, 0);
    assert_eq!(s("2039-01-01", &ts, true), Err(1292));
    assert_eq!(s("2020-01-02 03:04:05", &ts, true), ok("2020-01-02 03:04:05", &[]));
}

#[test]
fn times() {
    let t = SqlType::temporal(TypeKind::Time, 0);
    let t2 = SqlType::temporal(TypeKind::Time, 2);
    for (from, to) in [
        ("10:11:12", "10:11:12"),
        ("10:11", "10:11:00"),
        ("101112", "10:11:12"),
        ("12", "00:00:12"),
        ("1 10:11:12", "34:11:12"),
        ("2 3", "51:00:00"),
        ("-838:59:59", "-838:59:59"),
        ("10:11:12.7", "10:11:13"),
    ] {
        assert_eq!(s(from, &t, true), ok(to, &[]), "{from}");
    }
    assert_eq!(s("10:11:12.345", &t2, true), ok("10:11:12.35", &[]));
    assert_eq!(s("839:00:00", &t, false), ok("838:59:59", &[1264]));
    assert_eq!(s("839:00:00", &t, true), Err(1292));
    assert_eq!(s("10:61:00", &t, true), Err(1292));
    assert_eq!(s("20200102T101112", &t, false), ok("10:11:12", &[1265]));
    for bad in ["1e3", "2020-01-02 25:00:00", "99999999999999999999", "abc", "+7"] {
        assert_eq!(s(bad, &t, true), Err(1292), "{bad}");
    }
    assert_eq!(s("2020-01-02 10:11:12", &t, true), ok("10:11:12", &[1292]));
}

#[test]
fn members() {
    let mut e = SqlType::new(TypeKind::Enum);
    e.collation = CollationId::UTF8MB4_BIN;
    e.members = Some(Arc::from(vec![Box::from(&b"a"[..]), Box::from(&b"b"[..])]));
    assert_eq!(s("b", &e, true), ok("b", &[]));
    assert_eq!(s("2", &e, true), ok("b", &[]));
    assert_eq!(s("z", &e, true), Err(1265));
    assert_eq!(s("z", &e, false), ok("", &[1265]));
    assert_eq!(store(Value::Int(1), &SqlType::bigint(), &e, true), ok("a", &[]));
    let mut set = e.clone();
    set.kind = TypeKind::Set;
    assert_eq!(s("b,a", &set, true), ok("a,b", &[]));
    assert_eq!(s("a,x", &set, false), ok("a", &[1265]));
    assert_eq!(s("", &set, true), ok("", &[]));
    let mut bit = SqlType::new(TypeKind::Bit);
    bit.length = 10;
    assert_eq!(store(Value::Int(258), &SqlType::bigint(), &bit, true), ok("\u{1}\u{2}", &[]));
    assert_eq!(store(Value::Int(1024), &SqlType::bigint(), &bit, true), Err(1406));
    let y = SqlType::new(TypeKind::Year);
    assert_eq!(s("99", &y, true), ok("1999", &[]));
    assert_eq!(s("0", &y, true), ok("2000", &[]));
    assert_eq!(s("1900", &y, true), Err(1264));
}

#[test]
fn nulls_and_casts() {
    let t = SqlType::bigint().nullable(false);
    assert_eq!(store(Value::Null, &t, &t, true), Err(1048));
    assert_eq!(store(Value::Null, &t, &t, false), ok("0", &[1048]));
    let arena = Bump::new();
    let mut ctx = ConvCtx::default();
    let mut c = |v: &str, to: &SqlType| {
        let arena2: &Bump = &arena;
        let v = Value::Str(arena2.alloc_str(v).as_bytes());
        let r = cast(v, &text(), to, &mut ctx, arena2).unwrap();
        let mut out = Vec::new();
        to_text(r, to, &mut out);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(c("1.9", &SqlType::bigint()), "1");
    assert_eq!(c("-1", &SqlType::bigint_unsigned()), "18446744073709551615");
    assert_eq!(c("1.567", &SqlType::decimal(4, 1)), "1.6");
    assert_eq!(c("äöü", &SqlType::varchar(2, CollationId::UTF8MB4_BIN)), "äö");
    assert_eq!(c("2020-02-03 4:5:6", &SqlType::new(TypeKind::Date)), "2020-02-03");
    assert_eq!(c("abc", &SqlType::new(TypeKind::Date)), "");
    assert_eq!(ctx.warnings.last().unwrap().message, "Incorrect datetime value: 'abc'");
}
