//! Whether a value that a foreign file has is one that its column can have. The row's codec only knows how many bytes
//! it takes: a month 15 or half a character would go through it and be met by code that rules them out. Pure code;
//! tested below.

use value::{SqlType, TypeKind, Value};

/// See the module.
pub(super) fn fits(ty: &SqlType, v: &Value<'_>) -> bool {
    match *v {
        Value::Null => ty.nullable,
        Value::Str(s) => text(ty, s),
        Value::UInt(n) => number(ty, n),
        Value::Double(d) => d.is_finite(),
        Value::Date(d) => d.month() <= 12 && d.day() <= 31 && d.year() <= 9999,
        Value::DateTime(d) => {
            let date = d.month() <= 12 && d.day() <= 31 && d.year() <= 9999;
            date && d.hour() < 24 && d.minute() < 60 && d.second() < 60 && d.micro() < 1_000_000
        }
        Value::Time(t) => {
            let within = t.hour() < 838 || (t.hour() == 838 && (t.minute(), t.second(), t.micro()) <= (59, 59, 0));
            within && t.minute() < 60 && t.second() < 60 && t.micro() < 1_000_000
        }
        // the codec has looked at all of them
        Value::Int(_) | Value::Decimal(_) | Value::Json(_) => true,
    }
}

fn text(ty: &SqlType, s: &[u8]) -> bool {
    let (length, charset) = (ty.length as usize, ty.charset());
    match ty.kind {
        TypeKind::Binary | TypeKind::VarBinary => s.len() <= length,
        TypeKind::TinyBlob | TypeKind::Blob | TypeKind::MediumBlob | TypeKind::LongBlob => s.len() <= length,
        TypeKind::TinyText | TypeKind::Text | TypeKind::MediumText | TypeKind::LongText => {
            s.len() <= length && charset.valid_prefix(s) == s.len()
        }
        TypeKind::Char | TypeKind::VarChar => {
            charset.valid_prefix(s) == s.len() && (s.len() <= length || charset.char_count(s) <= length)
        }
        _ => false,
    }
}

fn number(ty: &SqlType, n: u64) -> bool {
    let members = ty.members.as_ref().map_or(0, |m| m.len());
    match ty.kind {
        TypeKind::Enum => n <= members as u64,
        TypeKind::Set => members >= 64 || n < 1 << members,
        TypeKind::Bit => ty.length >= 64 || n < 1 << ty.length,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use value::{CollationId, Date, DateTime, Time};

    #[test]
    fn only_what_a_column_can_have() {
        let mut chars = SqlType::new(TypeKind::VarChar);
        (chars.length, chars.collation) = (2, CollationId(255));
        assert!(fits(&chars, &Value::Str("öö".as_bytes())) && fits(&chars, &Value::Str(b"")));
        assert!(!fits(&chars, &Value::Str("ööö".as_bytes())) && !fits(&chars, &Value::Str(b"\xc3")));
        assert!(fits(&chars.clone().nullable(true), &Value::Null) && !fits(&chars.nullable(false), &Value::Null));
        let date = SqlType::new(TypeKind::Date);
        assert!(fits(&date, &Value::Date(Date::new(2020, 2, 31))) && fits(&date, &Value::Date(Date(0))));
        assert!(!fits(&date, &Value::Date(Date(2020 << 9 | 15 << 5 | 1))));
        let at = SqlType::temporal(TypeKind::DateTime, 6);
        assert!(fits(&at, &Value::DateTime(DateTime::new(2020, 1, 1, 23, 59, 59, 999_999))));
        assert!(!fits(&at, &Value::DateTime(DateTime::new(2020, 1, 1, 24, 0, 0, 0))));
        let time = SqlType::temporal(TypeKind::Time, 0);
        assert!(fits(&time, &Value::Time(Time::new(true, 838, 59, 59, 0))));
        assert!(!fits(&time, &Value::Time(Time::new(false, 839, 0, 0, 0))));
        let mut bit = SqlType::new(TypeKind::Bit);
        bit.length = 3;
        assert!(fits(&bit, &Value::UInt(7)) && !fits(&bit, &Value::UInt(8)));
        assert!(!fits(&SqlType::new(TypeKind::Double), &Value::Double(f64::NAN)));
    }
}
