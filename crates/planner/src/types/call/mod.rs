//! Result types of function calls: what the families share, and the choice of the family.

mod codes;
mod control;
mod crypto;
mod inet;
mod json;
mod numeric;
mod operators;
mod server;
mod sys_schema;
mod temporal;
mod text;

use base::SqlResult;
use value::types::NOT_FIXED_DEC;
use value::{CollationId, SqlType, TypeKind};

use super::{TypeCtx, arith, result_collation, string_type, text_bytes, text_chars};
use crate::expr::{Coercibility, Expr, ExprKind};
use crate::func::FuncId;
use crate::func::family::{self, Family};

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

    /// A number that is never NULL.
    pub(super) fn not_null(&self, t: SqlType) -> Typed {
        Ok((t.nullable(false), Coercibility::Numeric))
    }

    /// Coercibility of the first argument.
    pub(super) fn coercibility(&self) -> Coercibility {
        self.args.first().map_or(Coercibility::Numeric, |e| e.coer)
    }

    /// What a function of texts gives: in strict mode a text that it makes may always be NULL, as in MySQL, because it
    /// could be ill-formed.
    pub(super) fn made(&self, typed: Typed) -> Typed {
        typed.map(|(t, k)| {
            let nullable = t.nullable || self.cx.strict && t.kind.is_string();
            (t.nullable(nullable), k)
        })
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

    /// Longest text of an argument, in bytes.
    pub(super) fn bytes(&self, i: usize) -> u64 {
        self.arg(i).map_or(0, text_bytes)
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

/// Result type and coercibility of a function call. Each family has its enum, which its function matches without a rest:
/// the compiler names a new function that has no type.
pub fn function(f: FuncId, args: &[Expr], cx: &TypeCtx) -> SqlResult<(SqlType, Coercibility)> {
    let c = Call { f, args, refs: args.iter().collect(), cx, nullable: args.iter().any(|e| e.ty.nullable) };
    match f.family() {
        Family::Arithmetic(f) => operators::arithmetic_call(f, &c),
        Family::Bits(f) => operators::bits(f, &c),
        Family::Control(f) => control::control(f, &c),
        Family::Math(f) => numeric::math(f, &c),
        Family::Real(f) => numeric::real(f, &c),
        Family::Built(f) => c.made(text::built(f, &c)),
        Family::Text(f) => c.made(text::text(f, &c)),
        Family::Codes(f) => codes::codes(f, &c),
        Family::Encoded(f) => c.made(codes::encoded(f, &c)),
        Family::Regexp(f) => c.made(text::regexp(f, &c)),
        Family::Moment(f) => temporal::moment(f, &c),
        Family::Day(f) => temporal::day(f, &c),
        Family::Session(f) => server::session(f, &c),
        Family::Crypto(f) => crypto::crypto(f, &c),
        Family::Aes(f) => crypto::aes(f, &c),
        Family::Zlib(f) => crypto::zlib(f, &c),
        Family::Uuid(f) => crypto::uuid(f, &c),
        Family::Locks(f) => server::locks(f, &c),
        Family::Gtids(f) => server::gtids(f, &c),
        Family::Ipv4(f) => inet::ipv4(f, &c),
        Family::Ipv6(f) => inet::ipv6(f, &c),
        Family::Server(f) => server::server(f, &c),
        Family::SysSchema(f) => sys_schema::sys_schema(f),
        Family::Fulltext(family::Fulltext::Match(_)) => c.null_num(arith::fixed_double(NOT_FIXED_DEC)),
        Family::JsonMade(f) => json::made(f, &c),
        Family::JsonFound(f) => json::found(f, &c),
        Family::JsonChanged(f) => json::changed(f),
        Family::JsonSchema(f) => json::schema(f, &c),
        // its type is its definition's (`bind/stored.rs`)
        Family::Program(_) => c.null_num(super::longlong(21)),
    }
}
