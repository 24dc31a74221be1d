//! Result type of a function call: what the families share, and the dispatch over them.

mod control;
mod json;
mod numeric;
mod server;
mod temporal;
mod text;

use base::{SqlError, SqlResult};
use value::{CollationId, SqlType, TypeKind};

use super::{TypeCtx, result_collation, string_type, text_chars};
use crate::expr::{Coercibility, Expr, ExprKind};
use crate::func::FuncId;

pub use control::null_if;
pub use temporal::fsp_of;

/// Type and coercibility of a result.
pub(super) type Typed = SqlResult<(SqlType, Coercibility)>;

/// A call whose type is wanted.
pub(super) struct Call<'e> {
    /// The function.
    pub(super) f: FuncId,
    /// Bound arguments.
    pub(super) args: &'e [Expr],
    /// The same, as the collation rules take them.
    pub(super) refs: Vec<&'e Expr>,
    /// Settings.
    pub(super) cx: &'e TypeCtx,
    /// Some argument may be NULL.
    pub(super) nullable: bool,
}

impl Call<'_> {
    /// Type of an argument.
    pub(super) fn arg(&self, i: usize) -> Option<&SqlType> {
        self.args.get(i).map(|e| &e.ty)
    }

    /// Type of the first argument.
    pub(super) fn a0(&self) -> SqlType {
        self.arg(0).cloned().unwrap_or(SqlType::new(TypeKind::Null))
    }

    /// A number, NULL if an argument may be.
    pub(super) fn num(&self, t: SqlType) -> Typed {
        Ok((t.nullable(self.nullable), Coercibility::Numeric))
    }

    /// A number that may always be NULL.
    pub(super) fn null_num(&self, t: SqlType) -> Typed {
        Ok((t.nullable(true), Coercibility::Numeric))
    }

    /// A string in the connection's collation.
    pub(super) fn text(&self, chars: u64) -> Typed {
        Ok((string_type(chars, self.cx.connection).nullable(self.nullable), Coercibility::Coercible))
    }

    /// The same, always nullable.
    pub(super) fn null_text(&self, chars: u64) -> Typed {
        Ok((string_type(chars, self.cx.connection).nullable(true), Coercibility::Coercible))
    }

    /// Bytes.
    pub(super) fn binary(&self, bytes: u64) -> Typed {
        Ok((string_type(bytes, CollationId::BINARY).nullable(true), Coercibility::Coercible))
    }

    /// Text of the system (names, versions).
    pub(super) fn sys_text(&self, chars: u64, nullable: bool) -> Typed {
        Ok((string_type(chars, CollationId::UTF8MB3_GENERAL_CI).nullable(nullable), Coercibility::SysConst))
    }

    /// Longest text of an argument, in characters.
    pub(super) fn chars(&self, i: usize) -> u64 {
        self.arg(i).map_or(0, text_chars)
    }

    /// The same as it counts in a string with that collation.
    pub(super) fn chars_in(&self, i: usize, collation: CollationId) -> u64 {
        self.arg(i).map_or(0, |t| super::chars_in(t, collation))
    }

    /// A string with the first argument's collation, of a number one with the connection's. Those of what is looked for in it or goes
    /// into it do not count.
    pub(super) fn like_first(&self, n: u64) -> Typed {
        let (c, k) = self.mixed(self.refs.get(..1).unwrap_or(&[]))?;
        let k = if k == Coercibility::Numeric { Coercibility::Coercible } else { k };
        Ok((string_type(n, c).nullable(self.nullable), k))
    }

    /// The collation of these arguments; of nothing but NULLs come bytes, but QUOTE makes a text of it, as do the functions of REGEXP.
    fn mixed(&self, args: &[&Expr]) -> SqlResult<(CollationId, Coercibility)> {
        let null = |e: &&Expr| matches!(e.kind, ExprKind::Const(_)) && e.ty.kind == TypeKind::Null;
        let text = matches!(self.f, FuncId::Quote | FuncId::RegexpReplace | FuncId::RegexpSubstr);
        if !text && !args.is_empty() && args.iter().all(null) {
            return Ok((CollationId::BINARY, Coercibility::Ignorable));
        }
        result_collation(args, self.cx, self.f.name())
    }

    /// A string with the collation of all arguments. Numbers make a text of the connection's.
    pub(super) fn like_all(&self, chars: impl FnOnce(&Self, CollationId) -> u64) -> Typed {
        let (c, k) = self.mixed(&self.refs)?;
        let k = if k == Coercibility::Numeric { Coercibility::Coercible } else { k };
        Ok((string_type(chars(self, c), c).nullable(self.nullable), k))
    }
}

/// The string functions. Their text may be NULL in strict mode whatever the arguments are, as in MySQL.
fn strict_text(f: FuncId, c: &Call<'_>) -> SqlResult<Option<(SqlType, Coercibility)>> {
    let found = text::types(f, c)?;
    Ok(found.map(|(t, k)| {
        let made = c.cx.strict && t.kind.is_string() && !matches!(f, FuncId::Charset | FuncId::Collation);
        let nullable = t.nullable || made;
        (t.nullable(nullable), k)
    }))
}

/// Result type and coercibility of a function call.
pub fn function(f: FuncId, args: &[Expr], cx: &TypeCtx) -> SqlResult<(SqlType, Coercibility)> {
    let c = Call { f, args, refs: args.iter().collect(), cx, nullable: args.iter().any(|e| e.ty.nullable) };
    for family in [control::types, strict_text, numeric::types, temporal::types, json::types, server::types] {
        if let Some(found) = family(f, &c)? {
            return Ok(found);
        }
    }
    Err(SqlError::unsupported(f.name()))
}
