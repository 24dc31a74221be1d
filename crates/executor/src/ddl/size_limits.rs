//! What MySQL's limits of size count: how wide rows (65,535 bytes, error 1118) and keys (3,072 bytes, error 1071) are
//! for its server. How the engine stores a row has nothing to do with it.
//!
//! Tested: `tests/sql/golden/alter_columns.sql`.

use super::DdlContext;
use catalog::sysvar::Var;
use storage::dict::{ColumnDef, TableDef};
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

/// Most bytes of a row in half of InnoDB's page of 16 KB.
pub(super) const MAX_PAGE_BYTES: u64 = 8_126;

/// Whether rows of the table may be too long for half a page, which `innodb_strict_mode` does not let be.
pub(super) fn overfills_page(ctx: &mut DdlContext<'_>, def: &TableDef) -> bool {
    let dynamic = def.options.iter().all(|(k, v)| k != "ROW_FORMAT" || matches!(v.as_str(), "DYNAMIC" | "DEFAULT"));
    dynamic && page_bytes(def) >= MAX_PAGE_BYTES && ctx.locks.env().vars.bool(Var::innodb_strict_mode)
}

/// Bytes that a row of ROW_FORMAT=DYNAMIC keeps in its page at most, as InnoDB counts them: of what has no fixed width 40 bytes, the rest of it goes to pages of
/// its own.
fn page_bytes(def: &TableDef) -> u64 {
    const LOCAL: u64 = 40;
    const HEADER: u64 = 5;
    const TRX_ID_AND_ROLL_PTR: u64 = 13;
    const ROW_ID: u64 = 6;
    let kept = || def.columns.iter().filter(|c| c.generated.as_ref().is_none_or(|g| g.stored));
    let nulls = kept().filter(|c| c.ty.nullable).count() as u64;
    let of = |c: &ColumnDef| {
        let whole = column_bytes(c);
        match c.ty.kind {
            // BIT is a string of whole bytes there
            TypeKind::Bit => u64::from(c.ty.length).div_ceil(8),
            TypeKind::Char if c.ty.charset().min_len() == c.ty.charset().max_len() => whole,
            TypeKind::Char if whole >= LOCAL => LOCAL + 1,
            TypeKind::Char => whole + 1,
            TypeKind::VarChar | TypeKind::VarBinary if c.ty.max_bytes() < LOCAL => whole,
            TypeKind::VarChar | TypeKind::VarBinary => LOCAL + 1,
            k if k.is_lob() || k == TypeKind::Json => LOCAL + 1,
            _ => whole,
        }
    };
    let hidden = def.indexes.first().is_some_and(|i| i.name == "GEN_CLUST_INDEX");
    let fixed = HEADER + TRX_ID_AND_ROLL_PTR + if hidden { ROW_ID } else { 0 };
    fixed + nulls.div_ceil(8) + kept().map(of).sum::<u64>()
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
