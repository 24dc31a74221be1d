//! Locks and records as InnoDB's monitor prints them: `RECORD LOCKS space id 2 page no 4 n bits 72 index PRIMARY of
//! table ...`,
//! and below it the records with their fields in InnoDB's bytes.
//!
//! Locks are kept by key here, so page, heap number and number of bits are those of the place where the key is now
//! (slot and
//! number of records of its leaf). A record that is gone is named by its key. DB_ROLL_PTR and JSON are Evenkeel's own
//! bytes.

use base::hex;
use std::fmt::Write;
use std::sync::Arc;
use storage::dict::TableDef;
use storage::engine::{Engine, Field, PhysicalRecord};
use storage::rowlock::{LockInfo, LockKind, LockMode};
use value::{OwnedValue, SqlType, TypeKind};

/// Bytes of a field that are printed.
const SHOWN: usize = 30;
/// Heap numbers 0 and 1 are infimum and supremum.
const FIRST_HEAP_NO: usize = 2;

/// Table and number of the index that a lock is on.
pub(super) type Place = (Arc<TableDef>, Option<usize>);

pub(super) fn lock_mode(l: &LockInfo) -> &'static str {
    match (l.mode, l.kind, l.key.is_none()) {
        (LockMode::IS, ..) => "lock mode IS",
        (LockMode::IX, ..) => "lock mode IX",
        (LockMode::AutoInc, ..) => "lock mode AUTO-INC",
        (LockMode::S, LockKind::Table, _) => "lock mode S",
        (LockMode::X, LockKind::Table, _) => "lock mode X",
        (LockMode::S, LockKind::Record, _) => "lock mode S locks rec but not gap",
        (LockMode::X, LockKind::Record, _) => "lock_mode X locks rec but not gap",
        (_, LockKind::InsertIntention, true) => "lock_mode X insert intention",
        (_, LockKind::InsertIntention, false) => "lock_mode X locks gap before rec insert intention",
        (LockMode::S, LockKind::Gap, false) => "lock mode S locks gap before rec",
        (LockMode::X, LockKind::Gap, false) => "lock_mode X locks gap before rec",
        (LockMode::S, ..) => "lock mode S",
        (LockMode::X, ..) => "lock_mode X",
    }
}

/// A lock as InnoDB's monitor prints one, and the record it is on. Row locks of one kind on one page stand together
/// below one
/// line, as InnoDB keeps them: `before` is the line of the lock printed last, and becomes this one's.
pub(super) fn lock(out: &mut String, engine: &Engine, l: &LockInfo, place: Option<&Place>, before: &mut String) {
    let waiting = if l.waiting { " waiting" } else { "" };
    let mode = lock_mode(l);
    let table = match place {
        Some((t, _)) => format!("`{}`.`{}`", t.schema, t.name),
        None => format!("(dropped, id {})", l.object),
    };
    if l.table {
        let _ = writeln!(out, "TABLE LOCK table {table} trx id {} {mode}{waiting}", l.trx_id);
        return;
    }
    let at = place.and_then(|(t, n)| Some((t, (*n)?)));
    let (space, index) = at.map_or((0, ""), |(t, n)| (t.space.0, t.indexes.get(n).map_or("", |i| i.name.as_str())));
    let record = at.and_then(|(t, n)| engine.physical_record(t.id, n, l.key.as_deref()?).ok()?);
    let (page, slots) = match (&record, at) {
        (Some(r), _) => (r.page, r.slot.1),
        (None, Some((t, n))) if l.key.is_none() => engine.supremum(t.id, n).ok().flatten().unwrap_or_default(),
        _ => (0, 0),
    };
    let bits = (slots + FIRST_HEAP_NO).next_multiple_of(8) + 64;
    let line = format!(
        "RECORD LOCKS space id {space} page no {page} n bits {bits} index {index} of table {table} trx id {} {mode}{waiting}\n",
        l.trx_id
    );
    if line != *before {
        out.push_str(&line);
        *before = line;
    }
    match (&l.key, record, at) {
        (None, ..) => out.push_str(
            "Record lock, heap no 1 PHYSICAL RECORD: n_fields 1; compact format; info bits 0\n 0: len 8; hex 73757072656d756d; asc supremum;;\n\n",
        ),
        (Some(_), Some(r), Some((t, _))) => {
            let _ = write!(out, "Record lock, heap no {} ", r.slot.0 + FIRST_HEAP_NO);
            physical(out, t, &r);
        }
        (Some(k), ..) => {
            let _ = writeln!(out, "Record lock, the record is gone; key {}\n", hex::encode(k));
        }
    }
    if let Some(to) = &l.to {
        let _ = writeln!(out, "Record locks on {} records from there to key {}\n", l.count, hex::encode(to));
    }
}

/// `PHYSICAL RECORD: ...`, the fields, an empty line.
pub(super) fn physical(out: &mut String, t: &TableDef, r: &PhysicalRecord) {
    let info = if r.deleted { 32 } else { 0 };
    let _ = writeln!(out, "PHYSICAL RECORD: n_fields {}; compact format; info bits {info}", r.fields.len());
    fields(out, t, &r.fields);
}

/// The fields, one a line, and an empty line.
pub(super) fn fields(out: &mut String, t: &TableDef, all: &[Field]) {
    for (n, field) in all.iter().enumerate() {
        let bytes = match field {
            Field::System(b) => Some(b.to_vec()),
            Field::Column(_, Some(OwnedValue::Null)) => None,
            Field::Column(c, Some(v)) => t.columns.get(*c).map(|c| stored(v, &c.ty)),
            Field::Column(_, None) => Some(Vec::new()),
        };
        match bytes {
            None => {
                let _ = writeln!(out, " {n}: SQL NULL;");
            }
            Some(b) => {
                let _ = write!(out, " {n}:");
                buffer(out, b.get(..SHOWN).unwrap_or(&b));
                if b.len() > SHOWN {
                    let _ = write!(out, " (total {} bytes)", b.len());
                }
                out.push_str(";\n");
            }
        }
    }
    out.push('\n');
}

/// ` len 4; hex 80000001; asc     ;`
fn buffer(out: &mut String, b: &[u8]) {
    let text: String =
        b.iter().map(|c| if c.is_ascii_graphic() || *c == b' ' { char::from(*c) } else { ' ' }).collect();
    let _ = write!(out, " len {}; hex {}; asc {text};", b.len(), hex::encode(b));
}

/// A value as InnoDB stores it: integers with the sign bit turned, the highest byte first.
fn stored(v: &OwnedValue, ty: &SqlType) -> Vec<u8> {
    let tail = |b: &[u8], n: usize| b.get(b.len().saturating_sub(n)..).unwrap_or(&[]).to_vec();
    let whole = |n: u64, bytes: usize| tail(&n.to_be_bytes(), bytes);
    match v {
        OwnedValue::Null => Vec::new(),
        OwnedValue::Int(n) if ty.kind == TypeKind::Year => whole(if *n == 0 { 0 } else { (*n - 1900) as u64 }, 1),
        OwnedValue::UInt(n) if ty.kind == TypeKind::Year => whole(n.saturating_sub(1900), 1),
        OwnedValue::Int(n) => {
            let bytes = width(ty);
            let sign = if ty.unsigned { 0 } else { 1u64 << (8 * bytes - 1) };
            whole(*n as u64 ^ sign, bytes)
        }
        OwnedValue::UInt(n) => whole(*n, width(ty)),
        OwnedValue::Double(f) if ty.kind == TypeKind::Float => (*f as f32).to_le_bytes().to_vec(),
        OwnedValue::Double(f) => f.to_le_bytes().to_vec(),
        OwnedValue::Decimal(d) => {
            let mut out = Vec::new();
            let precision = u8::try_from(ty.length).unwrap_or(u8::MAX);
            if value::decimal::encode_binary(d, precision, ty.decimals, &mut out).is_err() {
                d.format(&mut out);
            }
            out
        }
        OwnedValue::Str(s) => {
            let mut s = s.to_vec();
            if ty.kind == TypeKind::Char && s.len() < ty.length as usize {
                s.resize(ty.length as usize, b' ');
            }
            s
        }
        OwnedValue::Date(d) => {
            let n = (d.year() << 9) | (d.month() << 5) | d.day();
            whole(u64::from(n) | 0x80_0000, 3)
        }
        OwnedValue::DateTime(d) if ty.kind == TypeKind::Timestamp => {
            let seconds = value::TimeZone::UTC.to_unix(*d);
            let mut out = whole(seconds as u64, 4);
            out.extend(fraction(d.micro(), ty.decimals));
            out
        }
        OwnedValue::DateTime(d) => {
            let mut out = whole((d.packed() >> 24) | 0x80_0000_0000, 5);
            out.extend(fraction(d.micro(), ty.decimals));
            out
        }
        OwnedValue::Time(t) => {
            let bytes = 3 + usize::from(ty.decimals.div_ceil(2));
            let n = (u64::from(t.hour()) << 12) | (u64::from(t.minute()) << 6) | u64::from(t.second());
            let mut all = n;
            for b in fraction(t.micro(), ty.decimals) {
                all = (all << 8) | u64::from(b);
            }
            let middle = 1u64 << (8 * bytes - 1);
            whole(if t.is_negative() { middle.wrapping_sub(all) } else { middle + all }, bytes)
        }
        OwnedValue::Json(b) => b.to_vec(),
    }
}

/// Fractions of a second in one to three bytes.
fn fraction(micro: u32, decimals: u8) -> Vec<u8> {
    let bytes = usize::from(decimals.div_ceil(2));
    let unit = 10u32.pow(6 - 2 * bytes.min(3) as u32);
    let b = (micro / unit).to_be_bytes();
    b.get(4 - bytes..).unwrap_or(&[]).to_vec()
}

/// Bytes of a number.
fn width(ty: &SqlType) -> usize {
    match ty.kind {
        TypeKind::TinyInt | TypeKind::Year => 1,
        TypeKind::SmallInt => 2,
        TypeKind::MediumInt => 3,
        TypeKind::Int => 4,
        TypeKind::Bit => (ty.length as usize).div_ceil(8),
        TypeKind::Enum if ty.members.as_ref().is_none_or(|m| m.len() < 256) => 1,
        TypeKind::Enum => 2,
        TypeKind::Set => match ty.members.as_ref().map_or(0, |m| m.len()).div_ceil(8) {
            n @ 0..=4 => n.max(1),
            _ => 8,
        },
        _ => 8,
    }
}

/// The values of a row as the entry of an index would have them.
pub(super) fn entry(t: &TableDef, n: usize, row: &[OwnedValue]) -> Vec<Field> {
    let parts = |n: usize| t.indexes.get(n).map_or(&[][..], |i| &i.parts);
    let clustered = if n == 0 || t.primary_key().is_none() { &[] } else { parts(0) };
    let mut seen: Vec<usize> = Vec::new();
    for c in parts(n).iter().chain(clustered).map(|p| p.column as usize) {
        if !seen.contains(&c) {
            seen.push(c);
        }
    }
    seen.into_iter().map(|c| Field::Column(c, row.get(c).cloned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use value::{DateTime, Time};

    #[test]
    fn values_are_stored_as_innodb_does() {
        let of = |v: OwnedValue, kind| hex::encode(&stored(&v, &SqlType::new(kind)));
        assert_eq!(of(OwnedValue::Int(1), TypeKind::Int), "80000001");
        assert_eq!(of(OwnedValue::Int(-3), TypeKind::BigInt), "7ffffffffffffffd");
        let mut d = SqlType::new(TypeKind::Decimal);
        (d.length, d.decimals) = (10, 2);
        let text = |s: &[u8]| OwnedValue::Decimal(Box::new(value::Decimal::parse(s).unwrap()));
        assert_eq!(hex::encode(&stored(&text(b"1.50"), &d)), "8000000132");
        assert_eq!(hex::encode(&stored(&text(b"-2.25"), &d)), "7ffffffde6");
        // seen in MySQL 9.7
        let at = DateTime::new(2026, 11, 27, 3, 29, 10, 0);
        assert_eq!(of(OwnedValue::DateTime(at), TypeKind::DateTime), "99bb76374a");
        let mut t = SqlType::new(TypeKind::Time);
        assert_eq!(hex::encode(&stored(&OwnedValue::Time(Time::new(false, 1, 2, 3, 0)), &t)), "801083");
        assert_eq!(hex::encode(&stored(&OwnedValue::Time(Time::new(true, 1, 2, 3, 0)), &t)), "7fef7d");
        t.decimals = 3;
        assert_eq!(hex::encode(&stored(&OwnedValue::Time(Time::new(false, 1, 2, 3, 450_000)), &t)), "8010831194");
    }
}
