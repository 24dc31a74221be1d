//! Strings of ucs2, utf16, utf16le and utf32, and of the East Asian sets: what would look into their bytes gets them in utf8mb4.
//!
//! [`Binder::adapt`] is called for every bound expression. Operations that know such strings (comparison within one set, LIKE, HEX, LENGTH ...)
//! stay as they are; of the others the operands are converted to utf8mb4 and a text result back, so that its character set and collation are
//! those that the operands gave it.

use base::{ErrorCode, SqlError, SqlResult};
use value::compare::Comparator;
use value::{Charset, CollationId};

use parser::ast::LitValue;

use super::super::Binder;
use super::charset;
use crate::expr::{Coercibility, Expr, ExprKind as K, SubqueryUse};
use crate::func::FuncId as F;
use crate::types::{self, nearest};

/// Whether an expression is such a string.
pub(super) fn is(e: &Expr) -> bool {
    e.ty.is_character() && e.ty.charset().is_wide()
}

/// The same, or of an East Asian set, or of swe7.
fn foreign(e: &Expr) -> bool {
    is(e) || (e.ty.is_character() && narrow_bytes(e.ty.charset()))
}

/// Sets of single bytes or more in which a byte of ASCII may be something else.
fn narrow_bytes(cs: Charset) -> bool {
    cs.is_multibyte() || (!cs.has_ascii() && !cs.is_wide())
}

/// The bytes of a literal with an introducer, made whole; `None`: they are. 1300 for what is no text of the set, where only a warning is not
/// MySQL's answer (`doubt`).
pub(super) fn whole(cs: Charset, bytes: &[u8], hexadecimal: bool) -> SqlResult<Option<Vec<u8>>> {
    let whole = cs.is_wide().then(|| value::charset::aligned(cs, bytes));
    let strict = cs.is_wide() || (hexadecimal && cs != Charset::Ascii);
    match ill_formed(cs, whole.as_deref().unwrap_or(bytes)) {
        Some(e) if strict => Err(e),
        _ => Ok(whole),
    }
}

/// The warning for a literal with an introducer that is no text of the set: written between quotes it is taken as it is, as is anything in ascii.
/// `client`: the set in which the client sent it.
pub(super) fn doubt(l: &LitValue<'_>, client: Charset) -> Option<SqlError> {
    match *l {
        LitValue::Str { bytes, charset: Some(set) } => {
            let cs = charset(set).ok().filter(|cs| !cs.is_wide())?;
            ill_formed(cs, &value::charset::client::depart(client, bytes))
        }
        LitValue::Hex { bytes, charset: Some("ascii") } | LitValue::Bit { bytes, charset: Some("ascii") } => {
            ill_formed(Charset::Ascii, bytes)
        }
        _ => None,
    }
}

/// 1300, with at most three bytes from the first that is no text of the set.
fn ill_formed(cs: Charset, bytes: &[u8]) -> Option<SqlError> {
    let (_, hex) = cs.ill_formed(bytes)?;
    Some(SqlError::new(ErrorCode::INVALID_CHARACTER_STRING, &[&cs.name(), &hex]))
}

/// Functions whose text MySQL limits to `max_allowed_packet` in its own character set (that of HEX, say, it limits before it is converted).
fn within_packet(f: F) -> bool {
    matches!(
        f,
        F::Repeat
            | F::Space
            | F::Lpad
            | F::Rpad
            | F::Concat
            | F::ConcatWs
            | F::Replace
            | F::Insert
            | F::ExportSet
            | F::RegexpReplace
    )
}

/// Whether the operation works on strings of `cs` as they are.
fn native(e: &Expr, cs: Charset) -> bool {
    let mut one_set = true;
    e.children(&mut |c| one_set &= c.ty.is_character() && c.ty.charset() == cs);
    let same =
        |c: &Comparator| c.left.charset() == c.right.charset() && c.left.is_character() && c.right.is_character();
    match &e.kind {
        K::Cast(_) => e.ty.kind.is_string(),
        K::IsNull(..) | K::Once(..) | K::Row(_) | K::AssignUserVar(..) => true,
        K::Compare { .. } | K::Like { .. } | K::Between { .. } | K::InList { .. } => one_set,
        K::CompareRow { cmp, .. } => cmp.iter().all(same),
        K::Subquery(_, SubqueryUse::In { cmp, .. }) => cmp.iter().all(same),
        K::Subquery(_, SubqueryUse::Quantified { cmp, .. }) => same(cmp),
        K::Call(f, _) => {
            let bytes = matches!(
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
                    | F::Ord
                    | F::Md5
                    | F::Sha1
                    | F::Sha2
                    | F::ToBase64
                    | F::Crc32
                    | F::WeightString
            );
            let by_characters = matches!(
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
            );
            // what compares strings of one set does so by its collation
            let compares = one_set && matches!(f, F::Strcmp | F::Field);
            bytes || compares || (narrow_bytes(cs) && by_characters)
        }
        _ => narrow_bytes(cs),
    }
}

/// Comparators fit the operands' present types.
fn renew(kind: &mut K) -> SqlResult<()> {
    match kind {
        K::Compare { args, cmp, .. } => {
            let [l, r] = args.as_ref();
            **cmp = Comparator::new(&l.ty, &r.ty)?;
        }
        K::Between { args, cmp, .. } => {
            let [x, low, high] = args.as_ref();
            **cmp = match super::compare::as_numbers(args) {
                Some(numbers) => numbers,
                None => [Comparator::new(&x.ty, &low.ty)?, Comparator::new(&x.ty, &high.ty)?],
            };
        }
        K::InList { left, list, cmp, .. } => {
            for (i, (e, c)) in list.iter().zip(cmp.iter_mut()).enumerate() {
                if let Some(l) = left.get(i % left.len().max(1)) {
                    *c = Comparator::new(&l.ty, &e.ty)?;
                }
            }
        }
        K::Case { operand: Some(o), branches, cmp, .. } => {
            for ((when, _), c) in branches.iter().zip(cmp.iter_mut()) {
                *c = Comparator::new(&o.ty, &when.ty)?;
            }
        }
        K::CompareRow { left, right, cmp, .. } => {
            for ((l, r), c) in left.iter().zip(right.iter()).zip(cmp.iter_mut()) {
                *c = Comparator::new(&l.ty, &r.ty)?;
            }
        }
        K::Like { collation, .. } => *collation = nearest(*collation),
        _ => {}
    }
    Ok(())
}

impl Binder<'_, '_> {
    /// An expression of utf8mb4 in place of one that cannot work on its operands' bytes.
    pub(super) fn adapt(&mut self, e: Expr) -> SqlResult<Expr> {
        let to = self.tcx.wide.filter(|_| self.of_connection(&e));
        let e = self.adapted(e)?;
        Ok(match to {
            Some(c) if e.ty.collation == self.tcx.connection => self.widened(e, c),
            _ => e,
        })
    }

    /// A text in the wide set that it belongs to. Functions that keep within `max_allowed_packet` do so there.
    fn widened(&self, e: Expr, c: CollationId) -> Expr {
        let limited = matches!(&e.kind, K::Call(f, _) if within_packet(*f)) && c.charset().is_wide();
        let e = self.in_charset_or_marks(e, c);
        match e.kind {
            K::Cast(made) if limited => Expr { kind: K::Call(F::Widened, Box::new([*made])), ..e },
            kind => Expr { kind, ..e },
        }
    }

    /// A literal without introducer, or a text made in the connection's collation.
    fn of_connection(&self, e: &Expr) -> bool {
        let ours = |e: &Expr| e.ty.is_character() && e.ty.kind.is_string() && e.ty.collation == self.tcx.connection;
        let made = match e.kind {
            K::Const(_) | K::Param(_) => e.coer == Coercibility::Coercible,
            K::Call(..) | K::Case { .. } => true,
            _ => false,
        };
        let mut given = false;
        e.children(&mut |c| given |= ours(c));
        made && ours(e) && !given
    }

    fn adapted(&mut self, e: Expr) -> SqlResult<Expr> {
        if let K::Not(inner) = e.kind {
            let inner = self.adapted(*inner)?;
            let inner = if foreign(&inner) { self.narrow(inner) } else { inner };
            return Ok(Expr { kind: K::Not(Box::new(inner)), ..e });
        }
        let mut found = None;
        e.children(&mut |c| {
            if foreign(c) {
                found = Some(c.ty.charset());
            }
        });
        let Some(cs) = found else { return Ok(e) };
        if native(&e, cs) {
            return Ok(e);
        }
        let back = (e.ty.kind.is_string() && foreign(&e)).then_some(e.ty.collation);
        let coer = e.coer;
        let out = match e.kind {
            K::Subquery(id, used) => {
                let used = self.narrowed_use(used)?;
                return Ok(Expr { kind: K::Subquery(id, used), ..e });
            }
            // its type is what RETURNING says
            K::Call(f @ F::JsonValue(..), args) => {
                let args = args.into_vec().into_iter().map(|a| self.narrow(a)).collect();
                let ty = match back {
                    Some(c) => types::string_type(types::text_chars(&e.ty), nearest(c)).nullable(e.ty.nullable),
                    None => e.ty,
                };
                Expr { kind: K::Call(f, args), ty, coer }
            }
            K::Call(f, args) => {
                let args = args.into_vec().into_iter().map(|a| self.narrow(a)).collect();
                self.call(f, args)?
            }
            kind => {
                let mut out = Expr { kind, ..e };
                out.children_mut(&mut |c| {
                    let old = std::mem::replace(c, Expr::null());
                    *c = self.narrow(old);
                });
                renew(&mut out.kind)?;
                if let Some(c) = back {
                    out.ty = types::string_type(types::text_chars(&out.ty), nearest(c)).nullable(out.ty.nullable);
                }
                out
            }
        };
        Ok(match back {
            Some(c) if out.ty.is_character() && out.ty.charset().is_utf8() => Expr { coer, ..self.widened(out, c) },
            _ => out,
        })
    }

    /// The operands of a subquery in utf8mb4, but for those beside binary strings, which are compared by their bytes, and beside their own set.
    fn narrowed_use(&self, used: SubqueryUse) -> SqlResult<SubqueryUse> {
        let one = |l: Expr, c: Comparator| -> SqlResult<(Expr, Comparator)> {
            if !foreign(&l) || c.right.kind.is_binary_string() || l.ty.charset() == c.right.charset() {
                return Ok((l, c));
            }
            let l = self.narrow(l);
            let c = Comparator::new(&l.ty, &c.right)?;
            Ok((l, c))
        };
        Ok(match used {
            SubqueryUse::In { left, cmp } => {
                let pairs = left.into_vec().into_iter().zip(cmp.into_vec());
                let (left, cmp): (Vec<_>, Vec<_>) =
                    pairs.map(|(l, c)| one(l, c)).collect::<SqlResult<Vec<_>>>()?.into_iter().unzip();
                SubqueryUse::In { left: left.into(), cmp: cmp.into() }
            }
            SubqueryUse::Quantified { left, op, all, cmp } => {
                let (l, c) = one(*left, *cmp)?;
                SubqueryUse::Quantified { left: Box::new(l), op, all, cmp: Box::new(c) }
            }
            other => other,
        })
    }

    /// An operand in utf8mb4, where it is a string of such a set.
    pub(in crate::bind) fn narrow(&self, e: Expr) -> Expr {
        if foreign(&e) {
            let c = nearest(e.ty.collation);
            self.in_charset_or_marks(e, c)
        } else {
            e
        }
    }
}
