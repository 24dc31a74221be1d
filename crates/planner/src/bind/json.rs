//! JSON: booleans in arguments, `->`, MEMBER OF, JSON_VALUE, JSON_TABLE.
//!
//! A comparison, a logical operator, TRUE and FALSE are JSON booleans where a JSON value is made of them or compared with them; as SQL
//! values they are integers. The binder marks them with [`FuncId::JsonBool`].

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, ExprKind as A, JsonColumn, LitValue, TypeName};
use value::json::{Path, convert as conv};
use value::{CollationId, SqlType, TypeKind};

use super::query::BoundQuery;
use super::{Binder, unsupported};
use crate::block::Origin;
use crate::block::OutColumn;
use crate::block::{JoinTree, Leaf};
use crate::expr::{Coercibility, Expr, ExprKind, SubqueryUse};
use crate::func::{FuncId, OnMissing};
use crate::plan::{JsonCell, JsonDefault, JsonLevel, JsonTable, Node, QueryPlan, SlotDef};

/// Whether the argument at `i` of the function is an SQL value that becomes a JSON value.
fn makes_json(f: FuncId, i: usize) -> bool {
    match f {
        FuncId::JsonArray => true,
        FuncId::JsonObject => i % 2 == 1,
        FuncId::JsonMemberOf => i == 0,
        FuncId::JsonSet
        | FuncId::JsonInsert
        | FuncId::JsonReplace
        | FuncId::JsonArrayAppend
        | FuncId::JsonArrayInsert => i >= 2 && i.is_multiple_of(2),
        _ => false,
    }
}

/// Whether an expression is a truth value.
fn is_boolean(e: &Expr) -> bool {
    match &e.kind {
        k if k.is_condition() => true,
        ExprKind::Subquery(_, u) => !matches!(u, SubqueryUse::Scalar | SubqueryUse::Column(_)),
        ExprKind::Once(_, x) => is_boolean(x),
        ExprKind::Call(f, _) => matches!(
            f,
            FuncId::Rlike
                | FuncId::LikeEscape
                | FuncId::RegexpLike
                | FuncId::JsonContains
                | FuncId::JsonContainsPath
                | FuncId::JsonOverlaps
                | FuncId::JsonMemberOf
                | FuncId::JsonValid
                | FuncId::JsonSchemaValid
                | FuncId::IsUuid
                | FuncId::IsIpv4
                | FuncId::IsIpv6
        ),
        _ => false,
    }
}

impl<'a> Binder<'a, '_> {
    /// Warning 3986 for a JSON value as a condition, which is a comparison with the JSON number 0.
    pub(in crate::bind) fn warn_json_condition(&mut self, e: &Expr) {
        if e.ty.kind == TypeKind::Json {
            self.warn(&SqlError::new(ErrorCode::IMPLICIT_COMPARISON_FOR_JSON, &[]));
        }
    }

    /// Marks an SQL value that becomes a JSON value if it is a truth value.
    pub(crate) fn json_operand(&self, written: &ast::Expr<'a>, e: Expr) -> Expr {
        let literal = matches!(written.unparen().kind, A::Literal(l) if matches!(l.value, LitValue::Bool(_)));
        if !literal && !is_boolean(&e) {
            return e;
        }
        let ty = SqlType::new(TypeKind::Json).nullable(e.ty.nullable);
        Expr { kind: ExprKind::Call(FuncId::JsonBool, Box::new([e])), ty, coer: Coercibility::Implicit }
    }

    /// Operands of a comparison one of which is JSON.
    pub(crate) fn json_comparison(
        &self,
        left: &ast::Expr<'a>,
        right: &ast::Expr<'a>,
        l: Expr,
        r: Expr,
    ) -> (Expr, Expr) {
        match (l.ty.kind, r.ty.kind) {
            (TypeKind::Json, k) if k != TypeKind::Json => (l, self.json_operand(right, r)),
            (k, TypeKind::Json) if k != TypeKind::Json => (self.json_operand(left, l), r),
            _ => (l, r),
        }
    }

    /// Arguments of a call by name: their number where min and max do not say it all, and booleans.
    pub(crate) fn json_args(&self, f: FuncId, call: &ast::FuncCall<'a>, args: Vec<Expr>) -> SqlResult<Vec<Expr>> {
        let bad = match f {
            FuncId::JsonObject => args.len() % 2 == 1,
            FuncId::JsonSet
            | FuncId::JsonInsert
            | FuncId::JsonReplace
            | FuncId::JsonArrayAppend
            | FuncId::JsonArrayInsert => args.len().is_multiple_of(2),
            _ => return Ok(if f == FuncId::JsonArray { self.marked(f, call.args, args) } else { args }),
        };
        if bad {
            return Err(SqlError::new(ErrorCode::WRONG_PARAMCOUNT_TO_NATIVE_FCT, &[&self.text(call.name_span)]));
        }
        Ok(self.marked(f, call.args, args))
    }

    fn marked(&self, f: FuncId, written: &[ast::Expr<'a>], args: Vec<Expr>) -> Vec<Expr> {
        let mark = |(i, e): (usize, Expr)| match written.get(i) {
            Some(w) if makes_json(f, i) => self.json_operand(w, e),
            _ => e,
        };
        args.into_iter().enumerate().map(mark).collect()
    }

    /// `value MEMBER OF (array)`.
    pub(crate) fn member_of(&mut self, expr: &ast::Expr<'a>, array: &ast::Expr<'a>) -> SqlResult<Expr> {
        let x = self.scalar(expr)?;
        let x = self.json_operand(expr, x);
        let list = self.scalar(array)?;
        self.call(FuncId::JsonMemberOf, vec![x, list])
    }

    /// `column -> path`, `column ->> path`.
    pub(crate) fn json_arrow(
        &mut self,
        document: &ast::Expr<'a>,
        path: &ast::Literal<'a>,
        unquote: bool,
    ) -> SqlResult<Expr> {
        let args = vec![self.scalar(document)?, self.literal(path)?];
        let e = self.call(FuncId::JsonExtract, args)?;
        if unquote { self.call(FuncId::JsonUnquote, vec![e]) } else { Ok(e) }
    }

    /// JSON_VALUE.
    pub(crate) fn json_value(&mut self, v: &ast::JsonValue<'a>) -> SqlResult<Expr> {
        let (doc, ty) = match v.returning {
            None => {
                let mut ty = SqlType::varchar(512, CollationId::UTF8MB4_BIN);
                ty.nullable = true;
                (self.scalar(&v.doc)?, ty)
            }
            Some(t) => {
                let cast = ast::Cast { expr: v.doc, ty: t, array: false, at_time_zone: None };
                let e = self.cast(&cast)?;
                let mut ty = e.ty.nullable(true);
                if matches!(t, ast::CastType::Char { charset: None, .. }) {
                    ty.collation = CollationId::UTF8MB4_BIN;
                }
                match e.kind {
                    ExprKind::Cast(x) => (*x, ty),
                    ExprKind::Call(FuncId::CastDate(_), x) => match x.into_vec().pop() {
                        Some(x) => (x, ty),
                        None => return unsupported("JSON_VALUE of this expression"),
                    },
                    _ => return unsupported("JSON_VALUE of this expression"),
                }
            }
        };
        let mut args = vec![doc, self.scalar(&v.path)?];
        let mut on = |b: &mut Self, on: &Option<ast::JsonOn<'a>>| -> SqlResult<OnMissing> {
            Ok(match on {
                None | Some(ast::JsonOn::Null) => OnMissing::Null,
                Some(ast::JsonOn::Error) => OnMissing::Error,
                Some(ast::JsonOn::Default(e)) => {
                    let x = b.scalar(e)?;
                    super::json_default::check(&x, &ty)?;
                    let coer = x.coer;
                    let mut to = ty.clone();
                    if to.kind == TypeKind::Binary {
                        to.kind = TypeKind::VarBinary;
                    }
                    args.push(Expr { kind: ExprKind::Cast(Box::new(x)), ty: to, coer });
                    OnMissing::Default
                }
            })
        };
        let (empty, error) = (on(self, &v.on_empty)?, on(self, &v.on_error)?);
        let kind = ExprKind::Call(FuncId::JsonValue(empty, error), args.into());
        let coer = if ty.kind.is_string() { Coercibility::Coercible } else { Coercibility::Implicit };
        Ok(Expr { kind, ty, coer })
    }

    /// JSON_TABLE: a derived table whose rows come from a document; the document may name tables to the left.
    pub(crate) fn json_table(
        &mut self,
        t: &ast::JsonTable<'a>,
        leaves: &mut Vec<Leaf>,
    ) -> SqlResult<(JoinTree, Vec<(usize, usize)>)> {
        if t.alias.is_empty() {
            return Err(SqlError::new(ErrorCode::TF_MUST_HAVE_ALIAS, &[]));
        }
        let doc = match self.scalar(&t.doc) {
            Err(e) if e.is(ErrorCode::BAD_FIELD_ERROR) || e.is(ErrorCode::UNKNOWN_TABLE) => {
                return Err(self.unknown_document(&t.doc, e));
            }
            doc => doc?,
        };
        if doc.any(&mut |e| matches!(e.kind, ExprKind::Subquery(..))) {
            return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"JSON_TABLE"]));
        }
        let lateral = doc.any(&mut |e| matches!(e.kind, ExprKind::Column { .. }));
        let mut columns = Vec::new();
        let root = self.json_level(t.path, t.columns, &mut columns)?;
        let types: Vec<SqlType> = columns.iter().map(|c| c.ty.clone()).collect();
        let slot = self.new_slot(SlotDef::Tuple(types))?;
        let items = columns.iter().enumerate().map(|(i, c)| Expr::column(slot, i as u16, c.ty.clone())).collect();
        let named = columns.iter().map(|c| (c.name.clone(), c.ty.clone())).collect();
        let table = JsonTable { slot, doc, root, columns: named, alias: t.alias.into() };
        let plan = QueryPlan {
            root: Node::JsonTable(Box::new(table)),
            items,
            into_vars: vec![],
            direct: vec![],
            rows: 10.0,
            cost: 1.0,
        };
        let bound =
            BoundQuery { plan, columns, correlated: lateral, calc_found_rows: false, through: vec![], within: None };
        self.derived_leaf(bound, t.alias.to_owned(), &[], lateral, leaves)
    }

    /// The error for a document that names what is not there: 1109 where no table stands before JSON_TABLE, 1054 otherwise.
    fn unknown_document(&self, doc: &ast::Expr<'a>, e: SqlError) -> SqlError {
        const PLACE: &str = "a table function argument";
        let ast::ExprKind::Column(c) = &doc.kind else { return e };
        match c.table {
            Some(table) if self.scopes.last().is_none_or(|s| s.visible.is_empty()) => {
                SqlError::new(ErrorCode::UNKNOWN_TABLE, &[&table, &PLACE])
            }
            _ => SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&super::scope::written(c), &PLACE]),
        }
    }

    fn json_level(
        &mut self,
        path: &[u8],
        list: &[JsonColumn<'a>],
        columns: &mut Vec<OutColumn>,
    ) -> SqlResult<JsonLevel> {
        let mut level = JsonLevel { path: json_path(path)?, cells: Vec::new(), nested: Vec::new() };
        for c in list {
            let (name, ty, cell) = match c {
                JsonColumn::Nested { path, columns: inner } => {
                    let l = self.json_level(path, inner, columns)?;
                    level.nested.push(l);
                    continue;
                }
                JsonColumn::Ordinality(name) => {
                    let mut ty = SqlType::new(TypeKind::Int);
                    ty.unsigned = true;
                    (*name, ty, JsonCell::Ordinality)
                }
                JsonColumn::Value { name, ty, exists, path, on_empty, on_error } => {
                    let ty = self.json_column_type(ty, name)?;
                    let path = json_path(path)?;
                    let cell = if *exists {
                        JsonCell::Exists(path)
                    } else {
                        JsonCell::Value(path, self.json_on(on_empty, name, &ty)?, self.json_on(on_error, name, &ty)?)
                    };
                    (*name, ty, cell)
                }
            };
            if columns.iter().any(|o| super::scope::same_name(&o.name, name)) {
                return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[&name]));
            }
            level.cells.push((columns.len() as u16, cell));
            columns.push(OutColumn {
                name: name.to_owned(),
                ty: ty.nullable(true),
                origin: Some(Origin::of_table(name)),
            });
        }
        Ok(level)
    }

    /// ON EMPTY and ON ERROR of a column. DEFAULT is JSON text (3141), for columns that are not JSON that of a scalar (1067).
    fn json_on(&mut self, on: &Option<ast::JsonOn<'a>>, name: &str, ty: &SqlType) -> SqlResult<JsonDefault> {
        Ok(match on {
            None | Some(ast::JsonOn::Null) => JsonDefault::Null,
            Some(ast::JsonOn::Error) => JsonDefault::Error,
            Some(ast::JsonOn::Default(e)) => {
                let invalid = || SqlError::new(ErrorCode::INVALID_DEFAULT, &[&name]);
                let text = match e.unparen().kind {
                    A::Literal(l) => match l.value {
                        LitValue::Str { bytes, .. } => bytes,
                        LitValue::Hex { .. } | LitValue::Bit { .. } => {
                            return Err(SqlError::new(ErrorCode::INVALID_JSON_CHARSET, &[&"binary"]));
                        }
                        LitValue::Null => return Err(invalid()),
                        _ => return unsupported("non-string DEFAULT value for a column in a JSON_TABLE expression"),
                    },
                    _ => return unsupported("non-string DEFAULT value for a column in a JSON_TABLE expression"),
                };
                let d = value::json::parse(text).map_err(|e| value::json::convert::parse_error(e, 1, "JSON_TABLE"))?;
                if ty.kind != TypeKind::Json && matches!(d, value::json::Dom::Array(_) | value::json::Dom::Object(_)) {
                    return Err(invalid());
                }
                JsonDefault::Value(d.to_document()?.into())
            }
        })
    }

    fn json_column_type(&self, t: &ast::DataType<'a>, name: &str) -> SqlResult<SqlType> {
        let limit = |n: u64, max: u64| {
            if n > max {
                return Err(SqlError::new(ErrorCode::TOO_BIG_FIELDLENGTH, &[&name, &max]));
            }
            Ok(n as u32)
        };
        let binary = t.byte || t.charset == Some("binary");
        let collation = match (t.collation, t.charset) {
            (Some(c), _) => {
                value::collation::by_name(c).ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_COLLATION, &[&c]))?.id
            }
            (None, Some(cs)) if !binary => super::expr::charset(cs)?.default_collation(),
            _ => self.tcx.connection,
        };
        let collation = if t.binary { collation.charset().bin_collation() } else { collation };
        let plain = |kind| SqlType::new(kind);
        let text = |kind: TypeKind, blob: TypeKind| {
            let mut ty = SqlType::new(if binary { blob } else { kind });
            ty.collation = if binary { CollationId::BINARY } else { collation };
            ty
        };
        let mut ty = match t.kind {
            TypeName::TinyInt | TypeName::Bool => plain(TypeKind::TinyInt),
            TypeName::SmallInt => plain(TypeKind::SmallInt),
            TypeName::MediumInt => plain(TypeKind::MediumInt),
            TypeName::Int => plain(TypeKind::Int),
            TypeName::BigInt => plain(TypeKind::BigInt),
            TypeName::Float if t.length.is_some_and(|p| p > 24) => plain(TypeKind::Double),
            TypeName::Float => plain(TypeKind::Float),
            TypeName::Double | TypeName::Real => plain(TypeKind::Double),
            TypeName::Decimal => {
                let (p, s) = (t.length.unwrap_or(10), t.decimals.unwrap_or(0));
                if s > 30 {
                    return Err(SqlError::new(ErrorCode::TOO_BIG_SCALE, &[&s, &name, &30]));
                }
                if p > 65 {
                    return Err(SqlError::new(ErrorCode::TOO_BIG_PRECISION, &[&p, &name, &65]));
                }
                if u64::from(s) > p {
                    return Err(SqlError::new(ErrorCode::M_BIGGER_THAN_D, &[&name]));
                }
                SqlType::decimal(p as u8, s as u8)
            }
            TypeName::Date => plain(TypeKind::Date),
            TypeName::Year => plain(TypeKind::Year),
            TypeName::Time | TypeName::DateTime | TypeName::Timestamp => {
                let fsp = t.length.unwrap_or(0);
                if fsp > 6 {
                    return Err(SqlError::new(ErrorCode::TOO_BIG_PRECISION, &[&fsp, &name, &6]));
                }
                let kind = if t.kind == TypeName::Time { TypeKind::Time } else { TypeKind::DateTime };
                SqlType::temporal(kind, fsp as u8)
            }
            TypeName::Char => {
                let mut ty = text(TypeKind::Char, TypeKind::Binary);
                ty.length = limit(t.length.unwrap_or(1), 255)?;
                ty
            }
            TypeName::VarChar => {
                let mut ty = text(TypeKind::VarChar, TypeKind::VarBinary);
                ty.length = limit(t.length.unwrap_or(1), 65_535 / u64::from(ty.charset().max_len().max(1)))?;
                ty
            }
            TypeName::Binary => {
                let mut ty = plain(TypeKind::Binary);
                ty.length = limit(t.length.unwrap_or(1), 255)?;
                ty
            }
            TypeName::VarBinary => {
                let mut ty = plain(TypeKind::VarBinary);
                ty.length = limit(t.length.unwrap_or(1), 65_535)?;
                ty
            }
            TypeName::TinyText => text(TypeKind::TinyText, TypeKind::TinyBlob),
            TypeName::Text => text(TypeKind::Text, TypeKind::Blob),
            TypeName::MediumText => text(TypeKind::MediumText, TypeKind::MediumBlob),
            TypeName::LongText => text(TypeKind::LongText, TypeKind::LongBlob),
            TypeName::Json => plain(TypeKind::Json),
            _ => return unsupported("this type in JSON_TABLE"),
        };
        ty.unsigned |= t.unsigned || t.zerofill;
        Ok(ty)
    }
}

/// A path in the statement's text.
fn json_path(text: &[u8]) -> SqlResult<Path> {
    Path::parse(text).map_err(|at| SqlError::new(ErrorCode::INVALID_JSON_PATH, &[&at]))
}

/// `CAST(x AS JSON)`, for the binder of casts.
pub(crate) fn json_type() -> SqlType {
    SqlType::new(TypeKind::Json)
}

/// A JSON expression as its text; other expressions as they are.
pub(crate) fn json_as_text(e: Expr) -> Expr {
    if e.ty.kind != TypeKind::Json {
        return e;
    }
    let ty = conv::text_type().nullable(e.ty.nullable);
    Expr { coer: e.coer, ty, kind: ExprKind::Cast(Box::new(e)) }
}
