use super::*;
use crate::decimal::Decimal;
use crate::temporal::{Date, DateTime};

fn cmp(a: Value<'_>, ta: &SqlType, b: Value<'_>, tb: &SqlType) -> Option<Ordering> {
    Comparator::new(ta, tb).unwrap().compare(a, b, &mut ConvCtx::default())
}

#[test]
fn mixed_types() {
    let int = SqlType::bigint();
    let uint = SqlType::bigint_unsigned();
    let text = SqlType::varchar(10, CollationId::UTF8MB4_BIN);
    let dec = SqlType::decimal(10, 2);
    let dt = SqlType::temporal(TypeKind::DateTime, 0);
    let date = SqlType::new(TypeKind::Date);
    assert_eq!(cmp(Value::Int(-1), &int, Value::UInt(u64::MAX), &uint), Some(Ordering::Less));
    assert_eq!(cmp(Value::Int(1), &int, Value::Null, &int), None);
    let d = Decimal::parse(b"1.50").unwrap();
    assert_eq!(cmp(Value::Int(2), &int, Value::Decimal(&d), &dec), Some(Ordering::Greater));
    assert_eq!(cmp(Value::Str(b"10x"), &text, Value::Int(10), &int), Some(Ordering::Equal));
    let v = DateTime::new(2020, 1, 2, 0, 0, 0, 0);
    assert_eq!(cmp(Value::DateTime(v), &dt, Value::Str(b"2020-1-2"), &text), Some(Ordering::Equal));
    assert_eq!(cmp(Value::Date(Date::new(2020, 1, 2)), &date, Value::DateTime(v), &dt), Some(Ordering::Equal));
    assert_eq!(cmp(Value::Date(Date::new(2020, 1, 2)), &date, Value::Int(20200102), &int), Some(Ordering::Equal));
    // the zero date
    assert_eq!(cmp(Value::DateTime(v), &dt, Value::Str(b"rubbish"), &text), Some(Ordering::Greater));
}
