//! Differential test: conversions compared with a real server by hand. `PEER_OUT=file cargo test peer -- --ignored`
//! writes lines `SQL expression <tab> our text`; run the expressions on MySQL or MariaDB and compare.

use super::*;
use crate::collation::CollationId;
use crate::context::{ConvCtx, SqlMode};
use crate::types::{SqlType, TypeKind};
use crate::value::Value;
use bumpalo::Bump;

#[test]
#[ignore = "writes a file for a comparison by hand"]
fn peer() {
    let arena = Bump::new();
    let text = SqlType::varchar(100, CollationId::UTF8MB4_BIN);
    let mut out = String::new();
    let inputs = [
        "0",
        "1",
        "-1",
        "1.5",
        "2.5",
        "-1.5",
        "0.5",
        "1e3",
        "1e-3",
        "abc",
        "",
        " 12 ",
        "12abc",
        "1.2.3",
        "99999999999999999999",
        "-99999999999999999999",
        "9223372036854775808",
        "1e400",
        "-",
        ".",
        ".5",
        "5.",
        "+7",
        "0x10",
        "1e15",
        "1e14",
        "123456789.987654321",
        "1.7976931348623157e308",
        "0.000001",
        "1e-15",
        "1e-16",
        "123456789012345678",
        "2020-01-02",
        "2020-1-2",
        "20-1-2",
        "70-1-2",
        "69-12-31",
        "20200102",
        "200102",
        "2020.01.02",
        "2020/1/2 3:4:5",
        "2020-01-02 03:04:05.6789",
        "2020-01-02 03:04:05.1234567",
        "2020-01-02T03:04:05",
        "20200102030405",
        "200102030405",
        "20200102T030405",
        "2020-02-30",
        "2020-00-01",
        "2020-01-00",
        "0000-00-00",
        "2020-13-01",
        "2020-01-02 25:00:00",
        "2020-01-02 03:04",
        "2020-01-02 03",
        "2020-01-02x",
        "2020-01-02 x",
        "10:11:12",
        "10:11",
        "101112",
        "1112",
        "12",
        "1 10:11:12",
        "1 10:11",
        "1 10",
        "-10:11:12",
        "838:59:59",
        "839:00:00",
        "-839:00:00",
        "10:60:00",
        "10:11:60",
        "10:11:12.5",
        "10:11:12.1234567",
        "10:11:12x",
        "1:2:3",
        "34 5:6:7",
        "2020-01-02 10:11:12.5",
        "20200102101112.5",
        "99991231235959",
        "9999-12-31 23:59:59.9999999",
        "10000-01-01",
        "2020-1",
        "1-1-1",
        "2020-01-02 ",
        "24:00:00",
    ];
    let casts: Vec<(&str, SqlType)> = vec![
        ("signed", SqlType::bigint()),
        ("unsigned", SqlType::bigint_unsigned()),
        ("decimal(10,3)", SqlType::decimal(10, 3)),
        ("double", SqlType::double()),
        ("date", SqlType::new(TypeKind::Date)),
        ("datetime", SqlType::temporal(TypeKind::DateTime, 0)),
        ("datetime(3)", SqlType::temporal(TypeKind::DateTime, 3)),
        ("time", SqlType::temporal(TypeKind::Time, 0)),
        ("time(4)", SqlType::temporal(TypeKind::Time, 4)),
        ("char(3)", SqlType::varchar(3, CollationId::UTF8MB4_BIN)),
    ];
    let render = |v: Value<'_>, ty: &SqlType| {
        let mut o = Vec::new();
        to_text(v, ty, &mut o);
        if v.is_null() { "NULL".to_string() } else { String::from_utf8(o).unwrap() }
    };
    for i in inputs {
        for (name, ty) in &casts {
            let mut ctx = ConvCtx::new(SqlMode(0));
            let v = Value::Str(arena.alloc_str(i).as_bytes());
            let r = cast(v, &text, ty, &mut ctx, &arena).unwrap();
            out.push_str(&format!("cast('{i}' as {name})\t{}\t{}\n", render(r, ty), ctx.warning_count));
        }
        if let Ok(n) = i.parse::<i64>() {
            for (name, ty) in casts.iter().skip(4).take(5) {
                let mut ctx = ConvCtx::new(SqlMode(0));
                let r = cast(Value::Int(n), &SqlType::bigint(), ty, &mut ctx, &arena).unwrap();
                out.push_str(&format!("cast({n} as {name})\t{}\t{}\n", render(r, ty), ctx.warning_count));
            }
        }
    }
    std::fs::write(std::env::var("PEER_OUT").unwrap(), out).unwrap();
}
