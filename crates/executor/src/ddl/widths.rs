//! How wide rows and columns are for MySQL's server, which its limits of rows (65,535 bytes, error 1118) and keys (3,072 bytes, 1071) count.
//! How the engine stores a row has nothing to do with it.
//!
//! Tested: `tests/sql/golden/alter_columns.sql`.

use storage::dict::ColumnDef;
use value::TypeKind;

/// Bytes of a row as MySQL's server holds it, which is what the limit of 65,535 counts: a BLOB is its length and an address of 8 bytes,
/// NULL is a bit and so are the bits of BIT that fill no byte; where every column has a fixed width one bit more.
pub(super) fn record_bytes(columns: &[ColumnDef]) -> u64 {
    let odd_bits = |c: &ColumnDef| if c.ty.kind == TypeKind::Bit { u64::from(c.ty.length) % 8 } else { 0 };
    let is_packed = |c: &ColumnDef| {
        c.ty.kind.is_lob() || matches!(c.ty.kind, TypeKind::Json | TypeKind::VarChar | TypeKind::VarBinary)
    };
    let bits = columns.iter().map(|c| u64::from(c.ty.nullable) + odd_bits(c)).sum::<u64>();
    let bits = bits + u64::from(!columns.iter().any(is_packed));
    bits.div_ceil(8) + columns.iter().map(column_bytes).sum::<u64>()
}

/// Bytes of a column there; what of BIT fills no byte is not counted.
pub(super) fn column_bytes(c: &ColumnDef) -> u64 {
    const ADDRESS: u64 = 8;
    let fraction = u64::from(c.ty.decimals).div_ceil(2);
    let members = c.ty.members.as_ref().map_or(0, |m| m.len() as u64);
    match c.ty.kind {
        TypeKind::Null => 0,
        TypeKind::TinyInt | TypeKind::Year => 1,
        TypeKind::SmallInt => 2,
        TypeKind::MediumInt | TypeKind::Date => 3,
        TypeKind::Int | TypeKind::Float => 4,
        TypeKind::BigInt | TypeKind::Double => 8,
        TypeKind::Decimal => value::decimal::binary_size(c.ty.length as u8, c.ty.decimals) as u64,
        TypeKind::Time => 3 + fraction,
        TypeKind::Timestamp => 4 + fraction,
        TypeKind::DateTime => 5 + fraction,
        TypeKind::Char | TypeKind::Binary => c.ty.max_bytes(),
        TypeKind::VarChar | TypeKind::VarBinary => c.ty.max_bytes() + if c.ty.max_bytes() > 255 { 2 } else { 1 },
        TypeKind::TinyText | TypeKind::TinyBlob => 1 + ADDRESS,
        TypeKind::Text | TypeKind::Blob => 2 + ADDRESS,
        TypeKind::MediumText | TypeKind::MediumBlob => 3 + ADDRESS,
        TypeKind::LongText | TypeKind::LongBlob | TypeKind::Json => 4 + ADDRESS,
        TypeKind::Bit => u64::from(c.ty.length) / 8,
        TypeKind::Enum => {
            if members < 256 {
                1
            } else {
                2
            }
        }
        TypeKind::Set => match members.div_ceil(8) {
            n if n > 4 => 8,
            n => n,
        },
    }
}
