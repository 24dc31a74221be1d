//! Result types of the functions of `sys`: what their RETURNS says, whatever the arguments are (manual, "sys Schema
//! Stored Functions").

use value::{CollationId, SqlType, TypeKind};

use super::Typed;
use crate::expr::Coercibility;
use crate::func::family::SysSchema;

/// A text of a function; like every value of a stored function it may be NULL.
fn text(kind: TypeKind, length: u32, collation: CollationId) -> Typed {
    Ok((SqlType { length, collation, ..SqlType::new(kind) }.nullable(true), Coercibility::Coercible))
}

/// Type and coercibility of a function of `sys`.
pub(super) fn sys_schema(f: SysSchema) -> Typed {
    use SysSchema as F;
    let utf8 = CollationId::UTF8MB4_0900_AI_CI;
    match f {
        F::SysFileSchema | F::SysFileTable => text(TypeKind::VarChar, 64, utf8),
        F::SysFormatPath => text(TypeKind::VarChar, 512, utf8),
        F::SysConfig => text(TypeKind::VarChar, 128, utf8),
        F::SysFormatBytes | F::SysFormatTime | F::SysListAdd | F::SysListDrop => text(TypeKind::Text, 65_535, utf8),
        F::SysThreadAccount | F::SysQuoteIdentifier => text(TypeKind::Text, 65_535, utf8),
        F::SysFormatStatement | F::SysThreadTransactions => text(TypeKind::LongText, u32::MAX, utf8),
        F::SysThreadStack => text(TypeKind::LongText, u32::MAX, CollationId::LATIN1_SWEDISH_CI),
        F::SysAccountEnabled | F::SysConsumerEnabled | F::SysInstrumentEnabled | F::SysInstrumentTimed => {
            text(TypeKind::Char, 3, utf8)
        }
        F::SysThreadInstrumented => text(TypeKind::Char, 7, utf8),
        F::SysThreadId => {
            Ok((SqlType { length: 20, ..SqlType::bigint_unsigned() }.nullable(true), Coercibility::Coercible))
        }
        F::SysVersion(_) => {
            let t = SqlType { unsigned: true, length: 3, ..SqlType::new(TypeKind::TinyInt) };
            Ok((t.nullable(true), Coercibility::Coercible))
        }
    }
}
