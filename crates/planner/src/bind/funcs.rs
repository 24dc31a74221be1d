//! Function calls: names, argument counts, argument conversions.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use value::{CollationId, OwnedValue, TypeKind};

use super::Binder;
use super::expr::{convert_branch, hex_number, member_text, result_branch};
use super::refused::{INTERNAL, LATER};
use super::scope::Clause;
use crate::expr::{CmpOp, Expr, ExprKind};
use crate::func::{self, FuncId};
use crate::types;

/// Functions whose value depends on more than statement and data (MySQL manual, "Determination of Safe and Unsafe Statements").
const UNSAFE: &[&str] = &[
    "found_rows",
    "get_lock",
    "is_free_lock",
    "is_used_lock",
    "load_file",
    "rand",
    "release_lock",
    "row_count",
    "session_user",
    "sleep",
    "sysdate",
    "system_user",
    "user",
    "uuid",
    "uuid_short",
    "random_bytes",
    "release_all_locks",
    "current_user",
    "version",
    "icu_version",
    "aes_encrypt",
    "aes_decrypt",
    "wait_for_executed_gtid_set",
];

/// 1305, or 1630 for a name that is a keyword.
fn missing(f: &ast::FuncCall<'_>, schema: &str, name: &str) -> SqlError {
    let full = format!("{schema}.{name}");
    match f.keyword {
        true => SqlError::new(ErrorCode::FUNC_INEXISTENT_NAME_COLLISION, &[&full]),
        false => SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&"FUNCTION", &full]),
    }
}

impl<'a> Binder<'a, '_> {
    /// A call by name.
    pub(crate) fn function_at(&mut self, f: &ast::FuncCall<'a>, span: ast::Span) -> SqlResult<Expr> {
        self.st.call = span;
        self.function(f)
    }

    /// The same, with its place noted.
    fn function(&mut self, f: &ast::FuncCall<'a>) -> SqlResult<Expr> {
        if f.schema.is_some() {
            if let Some(e) = self.sys_function(f)? {
                return Ok(e);
            }
            if let Some(e) = self.stored_function(f)? {
                return Ok(e);
            }
            base::names::routine(f.schema, f.name)?;
            return Err(missing(f, f.schema.unwrap_or_default(), f.name));
        }
        if f.stored {
            return match self.stored_function(f)? {
                Some(e) => Ok(e),
                None => Err(self.no_function(f)),
            };
        }
        if f.name == "name_const" {
            return self.name_const(f);
        }
        self.draft.notes.unsafe_statement |= UNSAFE.contains(&f.name);
        self.draft.notes.logging.last_insert_id |= f.name == "last_insert_id" && f.args.is_empty();
        self.draft.notes.logging.connection_id |= f.name == "connection_id";
        let Some((mut id, min, max)) = func::lookup(f.name) else {
            if let Some(e) = self.sys_function(f)? {
                return Ok(e);
            }
            return match self.stored_function(f)? {
                Some(e) => Ok(e),
                None => Err(self.no_function(f)),
            };
        };
        if id == FuncId::JsonMerge {
            let names: [&dyn std::fmt::Display; 2] = [&"JSON_MERGE", &"JSON_MERGE_PRESERVE/JSON_MERGE_PATCH"];
            self.warn(&SqlError::new(ErrorCode::WARN_DEPRECATED_SYNTAX, &names));
            id = FuncId::JsonMergePreserve;
        }
        if id == FuncId::MasterPosWait {
            let names: [&dyn std::fmt::Display; 2] = [&"MASTER_POS_WAIT", &"SOURCE_POS_WAIT"];
            self.warn(&SqlError::new(ErrorCode::WARN_DEPRECATED_SYNTAX, &names));
        }
        let n = f.args.len();
        if n < min as usize || (max != 255 && n > max as usize) {
            return Err(SqlError::new(ErrorCode::WRONG_PARAMCOUNT_TO_NATIVE_FCT, &[&self.text(f.name_span)]));
        }
        let pin = self.pinning;
        self.pinning |= is_structural(id);
        let args = f.args.iter().map(|x| self.scalar(x)).collect::<SqlResult<Vec<_>>>();
        self.pinning = pin;
        let args = self.json_args(id, f, args?)?;
        match id {
            FuncId::NullIf => self.null_if(args),
            FuncId::IsNullFn => {
                let x = args.into_iter().next().unwrap_or_else(Expr::null);
                Ok(super::uncalled::is_null(x, false))
            }
            FuncId::Grouping if self.clause() == Clause::Group => {
                Err(SqlError::new(ErrorCode::WRONG_GROUP_FIELD, &[&"GROUPING function"]))
            }
            FuncId::Grouping if matches!(self.clause(), Clause::Where | Clause::On) => {
                Err(SqlError::new(ErrorCode::INVALID_GROUP_FUNC_USE, &[]))
            }
            // its value has a bit for each of them
            FuncId::Grouping if args.len() > 64 => {
                Err(SqlError::new(ErrorCode::INVALID_NO_OF_ARGS, &[&"GROUPING", &args.len(), &64]))
            }
            FuncId::CurrentUser => self.current_user(),
            _ => self.call(id, args),
        }
    }

    /// CURRENT_USER(): in a view with the definer's rights the definer (manual, "Information Functions").
    fn current_user(&mut self) -> SqlResult<Expr> {
        let e = self.call(FuncId::CurrentUser, vec![])?;
        let definer = self.st.via.as_ref().and_then(|v| v.definer.as_ref());
        Ok(match definer {
            Some((user, host)) => {
                let text = format!("{user}@{host}").into_bytes();
                Expr { kind: ExprKind::Const(OwnedValue::Str(text.into())), ..e }
            }
            None => e,
        })
    }

    /// Why a name is no function: it is not supported (1235), reserved for the server (3778), or unknown (1305).
    fn no_function(&self, f: &ast::FuncCall<'a>) -> SqlError {
        if LATER.contains(&f.name) || f.name.starts_with("st_") || f.name.starts_with("mbr") {
            return SqlError::unsupported(f.name.to_uppercase());
        }
        if INTERNAL.contains(&f.name) {
            return SqlError::new(ErrorCode::NO_ACCESS_TO_NATIVE_FCT, &[&self.text(f.name_span)]);
        }
        if let Err(e) = base::names::routine(None, f.name) {
            return e;
        }
        let shown = self.text(f.name_span);
        let shown = shown.trim_matches('`');
        match self.r.current_schema() {
            Some(s) => missing(f, s, shown),
            None => SqlError::new(ErrorCode::NO_DB_ERROR, &[]),
        }
    }

    /// NULLIF: a comparison whose left operand is the value, or CASE where that is converted to be compared.
    fn null_if(&mut self, args: Vec<Expr>) -> SqlResult<Expr> {
        let [mut a, mut b]: [Expr; 2] =
            args.try_into().map_err(|_| SqlError::new(ErrorCode::WRONG_PARAMCOUNT_TO_NATIVE_FCT, &[&"nullif"]))?;
        self.derive(&mut [&mut a, &mut b]);
        let year = a.ty.kind == TypeKind::Year && self.is_sent(&b);
        let cond = self.compare(CmpOp::Eq, a.clone(), b)?;
        let single = compares_as_it_is(&cond, &a);
        let mut ty = types::null_if(&a.ty);
        ty.own_digits |= year;
        let coer = a.coer;
        if single {
            let kind = ExprKind::Call(FuncId::NullIf, Box::new([cond]));
            return Ok(member_text(Expr { kind, ty, coer }));
        }
        // compared in another form than it is returned in: it is there twice
        self.copied(&a)?;
        let kind = ExprKind::Case {
            operand: None,
            branches: Box::new([(cond, Expr { kind: ExprKind::Const(OwnedValue::Null), ..Expr::null() })]),
            cmp: Box::new([]),
            otherwise: Some(Box::new(a)),
        };
        Ok(member_text(Expr { kind, ty, coer }))
    }

    /// NAME_CONST(name, value): the value; both must be literals (1210).
    fn name_const(&mut self, f: &ast::FuncCall<'a>) -> SqlResult<Expr> {
        let [name, value] = f.args else {
            return Err(SqlError::new(ErrorCode::WRONG_PARAMCOUNT_TO_NATIVE_FCT, &[&self.text(f.name_span)]));
        };
        let pin = std::mem::replace(&mut self.pinning, true);
        let bound = self.scalar(name).and_then(|n| self.scalar(value).map(|v| (n, v)));
        self.pinning = pin;
        let (name, value) = bound?;
        let literal = |e: &Expr| match &e.kind {
            // DATE'...' and the like are functions to MySQL
            ExprKind::Const(v) => !matches!(v, OwnedValue::Date(_) | OwnedValue::DateTime(_) | OwnedValue::Time(_)),
            ExprKind::Call(FuncId::Neg | FuncId::Collate, a) => {
                a.iter().all(|x| matches!(x.kind, ExprKind::Const(_) | ExprKind::Param(_)))
            }
            _ => false,
        };
        if !literal(&name) || !literal(&value) {
            return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"NAME_CONST"]));
        }
        // a literal's value that a function gives may be NULL
        Ok(Expr { ty: value.ty.clone().nullable(true), ..value })
    }

    /// A call with bound arguments: derives the type, converts arguments that must agree.
    pub(crate) fn call(&mut self, f: FuncId, mut args: Vec<Expr>) -> SqlResult<Expr> {
        hex_number::arguments(f, &mut args);
        self.derive_arguments(f, &mut args);
        if args.iter().any(|e| matches!(e.kind, ExprKind::Row(_))) {
            return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&1]));
        }
        let (ty, coer) = types::function(f, &args, &self.tcx)?;
        let args = match f {
            FuncId::If => {
                let mut it = args.into_iter();
                let cond = it.next().map_or_else(Expr::null, super::expr::json_number);
                std::iter::once(cond).chain(it.map(|e| result_branch(e, &ty))).collect()
            }
            FuncId::Interval => args.into_iter().map(super::expr::json_number).collect(),
            FuncId::IfNull | FuncId::Coalesce | FuncId::Greatest | FuncId::Least => {
                if matches!(f, FuncId::Greatest | FuncId::Least) && args.iter().any(|e| e.ty.kind == TypeKind::Json) {
                    self.warn_of_json("LEAST and GREATEST operators");
                }
                args.into_iter().map(|e| convert_branch(e, &ty)).collect()
            }
            FuncId::Concat | FuncId::ConcatWs => args.into_iter().map(|e| self.in_charset(e, ty.collation)).collect(),
            FuncId::Replace
            | FuncId::Insert
            | FuncId::TrimBoth
            | FuncId::TrimLeading
            | FuncId::TrimTrailing
            | FuncId::Lpad
            | FuncId::Rpad
            | FuncId::SubstringIndex => args.into_iter().map(|e| self.in_main(e, ty.collation)).collect(),
            FuncId::Elt | FuncId::MakeSet => args
                .into_iter()
                .enumerate()
                .map(|(i, e)| if i == 0 { e } else { self.in_charset(e, ty.collation) })
                .collect(),
            FuncId::ExportSet => args
                .into_iter()
                .enumerate()
                .map(|(i, e)| if (1..4).contains(&i) { self.in_charset(e, ty.collation) } else { e })
                .collect(),
            FuncId::Locate | FuncId::Instr | FuncId::Strcmp | FuncId::FindInSet => self.same_strings(f, args)?,
            FuncId::RegexpLike | FuncId::Rlike | FuncId::RegexpInstr | FuncId::RegexpReplace | FuncId::RegexpSubstr => {
                both_binary(f, &args)?;
                self.same_strings(f, args)?
            }
            FuncId::Field => {
                let text = |k: TypeKind| {
                    let other = matches!(k, TypeKind::Null | TypeKind::Enum | TypeKind::Set | TypeKind::Json);
                    k.is_string() || k.is_temporal() || other
                };
                match args.iter().all(|e| text(e.ty.kind)) {
                    true => self.same_strings(f, args)?,
                    // numbers all of them then
                    false => args.into_iter().map(super::expr::json_number).collect(),
                }
            }
            _ => args,
        };
        Ok(Expr { kind: ExprKind::Call(f, args.into()), ty, coer })
    }

    /// String arguments (the first two, or all for FIELD) get one collation; numbers are left alone.
    fn same_strings(&mut self, f: FuncId, args: Vec<Expr>) -> SqlResult<Vec<Expr>> {
        let n = if f == FuncId::Field { args.len() } else { 2 };
        let refs: Vec<&Expr> = args.iter().take(n).collect();
        // what is looked in decides alone; FIELD: what is looked for
        let main = match f {
            FuncId::Locate => refs.get(1..2),
            FuncId::Instr | FuncId::Field => refs.get(..1),
            _ => None,
        };
        let (c, _) = types::mix_collations(main.unwrap_or(&refs), &self.tcx, f.name())?;
        let alone = main.is_some();
        Ok(args
            .into_iter()
            .enumerate()
            .map(|(i, e)| {
                let member = matches!(e.ty.kind, TypeKind::Enum | TypeKind::Set) && f != FuncId::FindInSet;
                if i < n && member && (c == CollationId::BINARY || e.ty.charset() == c.charset()) {
                    return with_collation(e, c);
                }
                if i < n && alone && (member || e.ty.kind == TypeKind::Bit) {
                    return self.in_main(e, c);
                }
                if i >= n || !e.ty.kind.is_string() {
                    return e;
                }
                let mut e = match f {
                    _ if alone => self.in_main(e, c),
                    FuncId::FindInSet => self.as_any_text_of(e, c),
                    _ => self.as_text_of(e, c),
                };
                // LOCATE counts to where it begins in characters
                let bytes = c == CollationId::BINARY && !matches!(f, FuncId::Locate | FuncId::Instr);
                if bytes || e.ty.charset() == c.charset() {
                    e = with_collation(e, c);
                }
                e
            })
            .collect())
    }
}

/// Whether literals among the arguments decide the type: its length, its scale. They stay in the plan.
fn is_structural(f: FuncId) -> bool {
    matches!(
        f,
        FuncId::Round
            | FuncId::Truncate
            | FuncId::Now
            | FuncId::Curtime
            | FuncId::Sysdate
            | FuncId::UtcTime
            | FuncId::UtcTimestamp
            | FuncId::Left
            | FuncId::Right
            | FuncId::Substring
            | FuncId::Lpad
            | FuncId::Rpad
            | FuncId::Repeat
            | FuncId::Space
            | FuncId::StrToDate
            | FuncId::Sha2
            | FuncId::StatementDigest
            | FuncId::StatementDigestText
            | FuncId::UnixTimestamp
            | FuncId::Time
            | FuncId::Timestamp
            | FuncId::TimeDiff
            | FuncId::ConvertTz
    )
}

/// Whether `cond` is a comparison whose left operand is `a` as it was before.
fn compares_as_it_is(cond: &Expr, a: &Expr) -> bool {
    let ExprKind::Compare { args, .. } = &cond.kind else { return false };
    let [l, _] = args.as_ref();
    // what is converted is within something else then; a constant may become another one
    !matches!(a.kind, ExprKind::Const(_))
        && l.nodes() == a.nodes()
        && l.ty.kind == a.ty.kind
        && l.ty.collation == a.ty.collation
}

/// Subject and pattern (and replacement) of a regular expression must be all binary strings or all text (3995); parameters, the literal NULL,
/// numbers and times are either.
fn both_binary(f: FuncId, args: &[Expr]) -> SqlResult<()> {
    let fixed = |e: &&Expr| {
        let open = e.ty.kind == TypeKind::Null || e.ty.kind.is_numeric() || e.ty.kind.is_temporal();
        !open && !matches!(e.kind, ExprKind::Param(_)) || e.ty.kind.is_binary_string()
    };
    let n = if f == FuncId::RegexpReplace { 3 } else { 2 };
    let mut texts = args.iter().take(n).filter(fixed);
    let Some(first) = texts.next() else { return Ok(()) };
    let collation = |e: &Expr| if e.ty.kind.is_string() { e.ty.collation } else { CollationId::UTF8MB4_0900_AI_CI };
    let name = |e: &Expr| collation(e).get().name;
    match texts.find(|e| e.ty.kind.is_binary_string() != first.ty.kind.is_binary_string()) {
        None => Ok(()),
        Some(other) => {
            let called = if f == FuncId::Rlike { "regexp_like" } else { f.name() };
            Err(SqlError::new(ErrorCode::CHARACTER_SET_MISMATCH, &[&name(first), &name(other), &called]))
        }
    }
}

/// The same string under another collation of its character set.
pub(crate) fn with_collation(e: Expr, c: CollationId) -> Expr {
    if e.ty.collation == c {
        return e;
    }
    let mut ty = e.ty.clone();
    ty.collation = c;
    Expr { coer: e.coer, ty, kind: ExprKind::Call(FuncId::Collate, Box::new([e])) }
}
