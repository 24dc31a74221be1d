//! Strings of ucs2, utf16, utf16le and utf32, and of the East Asian sets: only functions that know that their characters are no
//! bytes may have them as operands.

use base::{ErrorCode, SqlError, SqlResult};
use value::Charset;

use crate::expr::{Expr, ExprKind as K};
use crate::func::FuncId as F;

/// Whether an expression is such a string.
pub(super) fn is(e: &Expr) -> bool {
    e.ty.is_character() && e.ty.charset().is_wide()
}

/// The bytes of a literal with an introducer, made whole; `None`: they are. 1300 for what is no text of the set.
pub(super) fn whole(cs: Charset, bytes: &[u8]) -> SqlResult<Option<Vec<u8>>> {
    if !cs.is_wide() {
        return Ok(None);
    }
    let whole = value::charset::aligned(cs, bytes);
    if !cs.is_valid(&whole) {
        let hex: String = bytes.iter().take(32).map(|b| format!("{b:02X}")).collect();
        return Err(SqlError::new(ErrorCode::INVALID_CHARACTER_STRING, &[&cs.name(), &hex]));
    }
    Ok(Some(whole))
}

/// Refuses (1235) what would look at the bytes of such an operand.
pub(super) fn check(e: &Expr) -> SqlResult<()> {
    let mut found = None;
    e.children(&mut |c| {
        if c.ty.is_character() && (is(c) || c.ty.charset().is_multibyte()) {
            found = Some(c.ty.charset());
        }
    });
    let Some(cs) = found else { return Ok(()) };
    let known = match &e.kind {
        K::Cast(_) => e.ty.kind.is_string(),
        K::IsNull(..) | K::Once(..) => true,
        K::Compare { args, .. } => args.iter().all(|a| a.ty.is_character() && a.ty.charset() == cs),
        K::Call(f, _) => matches!(
            f,
            F::Hex
                | F::Length
                | F::BitLength
                | F::CharLength
                | F::Charset
                | F::Collation
                | F::CoercibilityFn
                | F::Collate
                | F::Ascii
                | F::Md5
                | F::Sha1
                | F::Sha2
                | F::ToBase64
        ),
        _ => false,
    };
    let by_characters = match &e.kind {
        K::Call(f, _) => matches!(
            f,
            F::Upper
                | F::Lower
                | F::Left
                | F::Right
                | F::Substring
                | F::Concat
                | F::ConcatWs
                | F::Lpad
                | F::Rpad
                | F::Repeat
                | F::Reverse
                | F::Insert
                | F::Locate
                | F::Instr
                | F::Ltrim
                | F::Rtrim
                | F::IfNull
                | F::Coalesce
                | F::If
                | F::NullIf
        ),
        _ => true,
    };
    let known = known || (cs.is_multibyte() && by_characters);
    if known { Ok(()) } else { Err(SqlError::unsupported(format!("this operation on strings of {}", cs.name()))) }
}
