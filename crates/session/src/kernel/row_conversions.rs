//! Columns of row events whose type is not the table's here (manual, "Replication with Differing Table Definitions on
//! Source and Replica"): which of them `replica_type_conversions` allows, and their values.
//!
//! Columns are told by their places. Types are the same, or of one family (integers; numbers; strings), where the
//! larger is ALL_NON_LOSSY's and the smaller ALL_LOSSY's; anything else is 1677. A value is converted as one that is
//! assigned to the column without strict mode. Integers of another size are read as signed, with ALL_UNSIGNED as not;
//! those of the same size as the column here says.
//!
//! Pure code. Tested: `tests/binlog/test_replica_columns.py`, beside MySQL's recorded answers.

use base::SqlResult;
use binlog::WireType;
use binlog::table_map::Column;
use bumpalo::Bump;
use std::cmp::Ordering;
use storage::dict::ColumnDef;
use value::{CollationId, ConvCtx, OwnedValue, SqlType, TypeKind, Value};

/// `replica_type_conversions`
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Allowed {
    lossy: bool,
    non_lossy: bool,
    unsigned: bool,
}

impl Allowed {
    /// Of the variable's bits.
    pub(crate) fn of(bits: u64) -> Allowed {
        let (signed, unsigned) = (bits & 4 != 0, bits & 8 != 0);
        Allowed { lossy: bits & 1 != 0, non_lossy: bits & 2 != 0, unsigned: unsigned && !signed }
    }

    fn takes(self, order: Ordering) -> bool {
        match order {
            Ordering::Less => self.non_lossy,
            Ordering::Equal => true,
            Ordering::Greater => self.lossy,
        }
    }
}

/// Most bytes of a string of this type.
fn longest(w: WireType) -> Option<u64> {
    match w {
        WireType::VarChar(n) | WireType::Char(n) => Some(u64::from(n)),
        WireType::Blob(n) => Some((1 << (8 * u64::from(n))) - 1),
        _ => None,
    }
}

/// Bytes of a fraction of a second.
fn fraction(digits: u8) -> u8 {
    digits.div_ceil(2)
}

/// How `from` compares with `to`: a smaller one fits. `None`: values of one are none of the other.
fn order(from: WireType, to: WireType) -> Option<Ordering> {
    use WireType as W;
    Some(match (from, to) {
        (W::Int(a), W::Int(b)) | (W::Enum(a), W::Enum(b)) | (W::Set(a), W::Set(b)) => a.cmp(&b),
        (W::Decimal(p, s), W::Decimal(q, t)) => p.cmp(&q).then(s.cmp(&t)),
        (W::Float | W::Double, W::Decimal(..)) | (W::Decimal(..), W::Float | W::Double) => Ordering::Greater,
        (W::Float, W::Double) => Ordering::Less,
        (W::Double, W::Float) => Ordering::Greater,
        (W::Time(a), W::Time(b)) | (W::DateTime(a), W::DateTime(b)) | (W::Timestamp(a), W::Timestamp(b)) => {
            fraction(a).cmp(&fraction(b))
        }
        (W::Bit(a), W::Bit(b)) | (W::Geometry(a), W::Geometry(b)) => a.cmp(&b),
        (a, b) if longest(a).is_some() && longest(b).is_some() => {
            let same = std::mem::discriminant(&a) == std::mem::discriminant(&b);
            match longest(a).cmp(&longest(b)) {
                // another way to keep strings needs permission, if they are as long
                Ordering::Equal if !same => Ordering::Less,
                order => order,
            }
        }
        (a, b) if a == b => Ordering::Equal,
        _ => return None,
    })
}

/// The type as 1677 names the source's.
fn source_type(c: &Column) -> String {
    use WireType as W;
    match c.wire {
        W::Int(1) => "tinyint".to_owned(),
        W::Int(2) => "smallint".to_owned(),
        W::Int(3) => "mediumint".to_owned(),
        W::Int(4) => "int".to_owned(),
        W::Int(_) => "bigint".to_owned(),
        W::Float => "float".to_owned(),
        W::Double => "double".to_owned(),
        W::Decimal(p, s) => format!("decimal({p},{s})"),
        W::Year => "year".to_owned(),
        W::Date => "date".to_owned(),
        W::Time(_) => "time".to_owned(),
        W::DateTime(_) => "datetime".to_owned(),
        W::Timestamp(_) => "timestamp".to_owned(),
        W::VarChar(n) => format!("varchar({n}(bytes))"),
        W::Char(n) => format!("char({n}(bytes))"),
        W::Enum(_) => "enum".to_owned(),
        W::Set(_) => "set".to_owned(),
        W::Blob(1) => "tinyblob".to_owned(),
        W::Blob(2) => "blob".to_owned(),
        W::Blob(3) => "mediumblob".to_owned(),
        W::Blob(_) => "longblob".to_owned(),
        W::Json => "json".to_owned(),
        W::Geometry(_) => "geometry".to_owned(),
        W::Bit(n) => format!("bit({n})"),
    }
}

/// The type as 1677 names the column's here.
pub(crate) fn target_type(ty: &SqlType) -> String {
    let charset = ty.charset();
    let text = |name: &str, bytes: u64| format!("{name}({bytes}(bytes) {})", charset.name());
    let lengths = || ty.members.iter().flat_map(|m| m.iter()).map(|m| m.len() as u64);
    let widest = charset.max_len() as u64;
    match ty.kind {
        TypeKind::Char => text("char", ty.max_bytes()),
        TypeKind::VarChar => text("varchar", ty.max_bytes()),
        TypeKind::Enum => text("char", lengths().max().unwrap_or(0) * widest),
        TypeKind::Set => text("char", (lengths().sum::<u64>() + lengths().count().saturating_sub(1) as u64) * widest),
        _ => views::create::column_type(ty),
    }
}

/// What becomes of the values of a column.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Conversion {
    /// They are the column's.
    None,
    /// They are the column's but for zero bytes at their end, up to this length: the log leaves those out of BINARY.
    Pad(usize),
    /// Their sign is the column's.
    Sign,
    /// They are assigned, as values of this type.
    From(SqlType),
}

/// What becomes of the values of the source's column here; the source's type by name, if they cannot be taken.
pub(crate) fn conversion(theirs: &Column, ours: &ColumnDef, allowed: Allowed) -> Result<Conversion, String> {
    let to = WireType::of(&ours.ty);
    if !order(theirs.wire, to).is_some_and(|o| allowed.takes(o)) {
        return Err(source_type(theirs));
    }
    if theirs.wire == to {
        if ours.ty.kind == TypeKind::Binary {
            return Ok(Conversion::Pad(ours.ty.length as usize));
        }
        let turns = matches!(to, WireType::Int(_)) && theirs.unsigned != ours.ty.unsigned;
        return Ok(if turns { Conversion::Sign } else { Conversion::None });
    }
    let collation = match CollationId(theirs.collation) {
        CollationId(0) => ours.ty.collation,
        c => c,
    };
    Ok(Conversion::From(match theirs.wire {
        WireType::Int(_) if allowed.unsigned => SqlType::bigint_unsigned(),
        WireType::Int(_) => SqlType::bigint(),
        WireType::Decimal(p, s) => SqlType::decimal(p, s),
        WireType::Float | WireType::Double => SqlType::double(),
        WireType::Time(fsp) => SqlType::temporal(TypeKind::Time, fsp),
        WireType::DateTime(fsp) | WireType::Timestamp(fsp) => SqlType::temporal(TypeKind::DateTime, fsp),
        WireType::VarChar(n) | WireType::Char(n) => SqlType::varchar(u32::from(n), collation),
        WireType::Blob(_) => SqlType::varchar(u32::MAX, collation),
        // numbers of members, bits: as they are, as far as there is room
        _ => return Ok(Conversion::None),
    }))
}

/// An integer of `bytes` bytes, read as signed or not.
fn signed_as(v: OwnedValue, unsigned: bool, bytes: u8) -> OwnedValue {
    let unused = 64 - 8 * u32::from(bytes);
    let bits = match v {
        OwnedValue::Int(n) => n as u64,
        OwnedValue::UInt(n) => n,
        other => return other,
    };
    match unsigned {
        true => OwnedValue::UInt(bits << unused >> unused),
        false => OwnedValue::Int((bits << unused) as i64 >> unused),
    }
}

fn padded(v: OwnedValue, n: usize) -> OwnedValue {
    match v {
        OwnedValue::Str(s) if s.len() < n => {
            let mut s = s.into_vec();
            s.resize(n, 0);
            OwnedValue::Str(s.into())
        }
        v => v,
    }
}

impl Conversion {
    /// A value of the source's column as the column here has it.
    pub(crate) fn apply(&self, v: OwnedValue, theirs: &Column, ours: &ColumnDef) -> SqlResult<OwnedValue> {
        let bytes = if let WireType::Int(n) = theirs.wire { n } else { 8 };
        let from = match self {
            Conversion::None => return Ok(v),
            Conversion::Pad(n) => return Ok(padded(v, *n)),
            Conversion::Sign => return Ok(signed_as(v, ours.ty.unsigned, bytes)),
            Conversion::From(from) => from,
        };
        if matches!(v, OwnedValue::Null) {
            return Ok(v);
        }
        let v = if from.kind == TypeKind::BigInt { signed_as(v, from.unsigned, bytes) } else { v };
        let (arena, mut ctx) = (Bump::new(), ConvCtx::new(super::row_plans::AS_STORED));
        let value: Value<'_> = v.as_value();
        let done = value::convert::convert_for_column(value, from, &ours.ty, &mut ctx, &ours.name, 1, &arena)?;
        Ok(OwnedValue::from(done))
    }
}
