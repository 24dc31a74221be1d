//! CREATE TABLE ... SELECT: the definition that follows from the query's columns, and the table to be filled.
//!
//! The session plans the query, calls [`prepare`], runs an INSERT ... SELECT into the table, which nobody else can see,
//! and then [`Target::publish`]es it. Dropping a [`Target`] instead removes the table: so a failure leaves nothing.
//! What a binary log has of that statement, CREATE TABLE ... START TRANSACTION, makes its table here too
//! ([`prepare_written`]).
//!
//! Types (manual, "CREATE TABLE ... SELECT Statement"): a plain column of a stored table keeps type, NULL-ability,
//! default and comment, not AUTO_INCREMENT; an expression gets the narrowest type for its width, and a zero default if
//! it is NOT NULL.
//!
//! Tested: `tests/sql/golden/create_select.sql`.

use super::create::new_definition;
use super::{DdlContext, storage_error, temporary};
use crate::gate::ClearedDdl;
use crate::rows::env::Env;
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use planner::column_origin::{self, Grouped};
use planner::expr::{Expr, ExprKind};
use planner::plan::{Body, Plan, SlotDef};
use planner::types;
use std::sync::Arc;
use storage::dict::{ColumnDef, ColumnDefault, Ddl, TableDef, TempTable};
use storage::table::Table;
use value::types::NOT_FIXED_DEC;
use value::{CollationId, OwnedValue, SqlMode, SqlType, TypeKind};

/// A table that is being filled.
#[derive(Debug)]
pub struct Target {
    /// The table.
    pub table: Arc<Table>,
    home: Home,
}

#[derive(Debug)]
enum Home {
    Permanent(Box<Ddl>),
    Temporary(TempTable),
}

impl Target {
    /// Makes the filled table known; with it go the events of the binary log, and a replica's position.
    ///
    /// # Errors
    /// I/O; then the table is gone.
    pub fn publish(self, env: &mut Env, events: Option<Vec<u8>>) -> SqlResult<()> {
        match self.home {
            Home::Temporary(t) => env.temp.insert(t),
            Home::Permanent(mut ddl) => {
                ddl.add_table(TableDef::clone(&self.table.def)).map_err(storage_error)?;
                if let Some(events) = events {
                    ddl.attach(events);
                }
                env.attach_statement(&mut ddl)?;
                ddl.commit().map_err(storage_error)?;
                // the dictionary opens it by its own entry from now on
                self.table.retire();
            }
        }
        Ok(())
    }

    /// Removes it.
    pub fn discard(self, engine: &Arc<storage::engine::Engine>) {
        self.table.retire();
        match self.home {
            // what cannot be removed now is removed at the next start
            Home::Temporary(t) => drop(t.remove(engine)),
            Home::Permanent(ddl) => drop(ddl.rollback()),
        }
    }
}

/// Makes the empty table for the query's `plan`; `None`: it exists, and IF NOT EXISTS was said (a note). `logged`: the
/// binary log will have it.
///
/// # Errors
/// Those of CREATE TABLE, 1060 for two columns of one name, 3978 for foreign keys, which no replica would take.
pub fn prepare(
    ctx: &mut DdlContext<'_>,
    cleared: ClearedDdl<'_, '_>,
    plan: &Plan,
    logged: bool,
) -> SqlResult<Option<Target>> {
    let ast::Statement::CreateTable(s) = cleared.statement() else {
        return Err(SqlError::unsupported("this statement as CREATE TABLE ... SELECT"));
    };
    let (schema, name) = ctx.qualify(&s.table)?;
    if s.temporary {
        if temporary::exists(ctx, &schema, &name, s.if_not_exists)? {
            return Ok(None);
        }
    } else {
        ctx.schema(&schema)?;
        ctx.locks.schema_intention(&schema)?;
        ctx.locks.table_exclusive(&schema, &name)?;
        if super::create::exists(ctx, &schema, &name, s.if_not_exists)? {
            return Ok(None);
        }
    }
    let columns = query_columns(ctx, plan)?;
    let def = new_definition(ctx, s, &schema, &name, &columns)?;
    warn_of_types(ctx, &columns);
    if s.temporary {
        let t = TempTable::create(ctx.engine, ctx.session_id, def).map_err(storage_error)?;
        return Ok(Some(Target { table: t.table.clone(), home: Home::Temporary(t) }));
    }
    if logged {
        without_parents(&def)?;
    }
    unpublished(ctx, def).map(Some)
}

/// Makes the table that CREATE TABLE ... START TRANSACTION writes; `None`: it exists, and IF NOT EXISTS was said.
///
/// # Errors
/// Those of CREATE TABLE, 3978 for foreign keys.
pub fn prepare_written(ctx: &mut DdlContext<'_>, cleared: ClearedDdl<'_, '_>) -> SqlResult<Option<Target>> {
    let ast::Statement::CreateTable(s) = cleared.statement() else {
        return Err(SqlError::unsupported("this statement as CREATE TABLE ... START TRANSACTION"));
    };
    let (schema, name) = ctx.qualify(&s.table)?;
    ctx.schema(&schema)?;
    ctx.locks.schema_intention(&schema)?;
    ctx.locks.table_exclusive(&schema, &name)?;
    if super::create::exists(ctx, &schema, &name, s.if_not_exists)? {
        return Ok(None);
    }
    let def = new_definition(ctx, s, &schema, &name, &[])?;
    without_parents(&def)?;
    unpublished(ctx, def).map(Some)
}

/// 3978 for foreign keys.
fn without_parents(def: &TableDef) -> SqlResult<()> {
    match def.foreign_keys.is_empty() {
        true => Ok(()),
        false => Err(SqlError::new(ErrorCode::FOREIGN_KEY_WITH_ATOMIC_CREATE_SELECT, &[])),
    }
}

/// The table's files, which nobody else knows.
fn unpublished(ctx: &mut DdlContext<'_>, def: TableDef) -> SqlResult<Target> {
    super::foreign::check_children(ctx, &def)?;
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    let def = ddl.create_files(def).map_err(storage_error)?;
    let table = ddl.open_unpublished(&def).map_err(storage_error)?;
    Ok(Target { table, home: Home::Permanent(Box::new(ddl)) })
}

/// The columns that a query gives a table.
fn query_columns(ctx: &DdlContext<'_>, plan: &Plan) -> SqlResult<Vec<ColumnDef>> {
    let Body::Select(q) = &plan.body else { return Err(SqlError::unsupported("this query in CREATE TABLE")) };
    let mut out: Vec<ColumnDef> = Vec::with_capacity(q.items.len());
    for (e, shown) in q.items.iter().zip(plan.columns.columns()) {
        let name = shown.name.clone();
        super::columns::check_name(&name, ErrorCode::WRONG_COLUMN_NAME)?;
        if out.iter().any(|c| super::define::same_name(&c.name, &name)) {
            return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[&name]));
        }
        out.push(match column_origin::stored_column(plan, q, e) {
            Some(s) if s.extreme => {
                ColumnDef { charset_written: false, ..from_column(ctx, name, &bare(s.column), true) }
            }
            Some(s) if merged(plan, e, &shown.table) => {
                let mut made = from_column(ctx, name, &bare(s.column), e.ty.nullable);
                // its character set was written for another table
                made.charset_written = false;
                if !made.ty.nullable && !has_no_default(s.column) {
                    made.default = zero(ctx, &made.ty, false);
                }
                made
            }
            Some(s) => {
                let made = from_column(ctx, name, s.column, e.ty.nullable);
                ColumnDef { charset_written: made.charset_written && !s.derived, ..made }
            }
            None => {
                let how = Made {
                    column: column_origin::set_operation(plan, q, e),
                    // a column of a merged query stands for it
                    reference: !shown.table.is_empty(),
                    grouped: column_origin::grouped(q, e),
                };
                from_expression(ctx, name, column_origin::expression(q, e), e.ty.nullable, &how)
            }
        });
    }
    Ok(out)
}

/// 1681 of the types that the new columns have from the query, as if they had been written.
fn warn_of_types(ctx: &mut DdlContext<'_>, columns: &[ColumnDef]) {
    for t in columns.iter().map(|c| &c.ty) {
        let real = t.kind.is_float();
        let old = [
            (real && t.decimals != NOT_FIXED_DEC, REAL_DIGITS),
            ((real || t.kind == TypeKind::Decimal) && t.unsigned, UNSIGNED_REAL),
            (t.kind.is_integer() && t.zerofill, ZEROFILL),
        ];
        for (_, text) in old.iter().filter(|o| o.0) {
            ctx.warned(SqlError::with_message(ErrorCode::WARN_DEPRECATED_SYNTAX_NO_REPLACEMENT, *text));
        }
    }
}

const REAL_DIGITS: &str =
    "Specifying number of digits for floating point data types is deprecated and will be removed in a future release.";
const UNSIGNED_REAL: &str = "UNSIGNED for decimal and floating point data types is deprecated and support for it will be removed in a future release.";
const ZEROFILL: &str = "The ZEROFILL attribute is deprecated and will be removed in a future release. \
    Use the LPAD function to zero-pad numbers, or store the formatted numbers in a CHAR column.";

/// A column without what it is set to, unless that is an expression.
fn bare(c: &ColumnDef) -> ColumnDef {
    let default = match &c.default {
        d @ ColumnDefault::Expr(_) => d.clone(),
        _ if has_no_default(c) => ColumnDefault::None,
        _ => ColumnDefault::Value(OwnedValue::Null),
    };
    ColumnDef { default, on_update_now: false, auto_increment: false, ..c.clone() }
}

/// Whether a row needs a value for it. (The copy of a BIT has zero for its default.)
fn has_no_default(c: &ColumnDef) -> bool {
    let none = matches!(c.default, ColumnDefault::None) && !c.auto_increment && c.generated.is_none();
    none && !c.ty.nullable && c.ty.kind != TypeKind::Bit
}

/// Whether a column of a stored table comes from a derived table or view that was merged into the query: it has no default then. `table`: what
/// the query calls the column's table.
fn merged(plan: &Plan, e: &Expr, table: &str) -> bool {
    let ExprKind::Column { slot, .. } = e.kind else { return false };
    let Some(SlotDef::Table(t)) = plan.slots.get(slot as usize) else { return false };
    plan.tables.get(usize::from(*t)).is_some_and(|t| t.via.is_some() || (!table.is_empty() && *t.alias != *table))
}

fn from_column(ctx: &DdlContext<'_>, name: String, c: &ColumnDef, nullable: bool) -> ColumnDef {
    let mut ty = c.ty.clone();
    ty.nullable |= nullable;
    let mut default = match &c.default {
        _ if c.auto_increment => zero(ctx, &ty, true),
        ColumnDefault::None if !nullable && ty.kind == TypeKind::Bit => zero(ctx, &ty, true),
        // NULL is no default where the column had none
        ColumnDefault::None if has_no_default(c) => ColumnDefault::None,
        ColumnDefault::None if nullable => ColumnDefault::Value(OwnedValue::Null),
        d => d.clone(),
    };
    default.show_in(&ctx.time_zone);
    ColumnDef {
        name,
        ty,
        default,
        on_update_now: c.on_update_now,
        auto_increment: false,
        invisible: false,
        generated: None,
        comment: c.comment.clone(),
        charset_written: c.charset_written,
        histogram: None,
        elements: None,
    }
}

/// How a query comes by an expression.
struct Made {
    /// It is a column already, of a set operation.
    column: bool,
    /// It is written as the name of a merged query's column.
    reference: bool,
    grouped: Option<Grouped>,
}

impl Made {
    /// Whether it has the type of a column, whatever that is.
    fn is_column(&self) -> bool {
        self.column || self.grouped == Some(Grouped::ExtremeColumn)
    }
}

fn from_expression(ctx: &DdlContext<'_>, name: String, e: &Expr, nullable: bool, made: &Made) -> ColumnDef {
    let mut ty = expression_type(ctx, e, made);
    ty.nullable |= nullable;
    // a hexadecimal literal is both; its column is a string
    ty.unsigned &= ty.kind.is_numeric();
    // a string that a function makes may turn out too long or ill-formed: NULL in strict mode
    ty.nullable |= ctx.sql_mode.is_strict() && makes_string(e);
    let derived = matches!(e.kind, ExprKind::Column { .. }) && !made.column;
    let default = if ty.nullable { ColumnDefault::Value(OwnedValue::Null) } else { zero(ctx, &ty, derived) };
    ColumnDef { default, ..ColumnDef::new(name, ty) }
}

fn expression_type(ctx: &DdlContext<'_>, e: &Expr, made: &Made) -> SqlType {
    let function = made.grouped == Some(Grouped::Rolled) || is_function(e) && !made.reference;
    let call = function || matches!(e.kind, ExprKind::Call(..)) && !made.reference;
    match &e.kind {
        ExprKind::UserVar(_) if e.ty.kind == TypeKind::Null => SqlType::new(TypeKind::LongBlob).nullable(true),
        ExprKind::Param(_) if !ctx.in_program => held_type(&e.ty, ctx.connection_collation),
        // a program's variable has the type that it is declared with, but for integers
        ExprKind::Param(_) if e.ty.kind.is_integer() => {
            let wide = matches!(e.ty.kind, TypeKind::Int | TypeKind::BigInt);
            let base = SqlType::new(if wide { TypeKind::BigInt } else { TypeKind::Int });
            SqlType { nullable: e.ty.nullable, unsigned: e.ty.unsigned, ..base }
        }
        _ if made.grouped == Some(Grouped::Extreme) && e.ty.kind == TypeKind::Float => {
            let length = if e.ty.decimals == NOT_FIXED_DEC { SqlType::double().length } else { e.ty.length };
            SqlType { kind: TypeKind::Double, length, ..e.ty.clone() }
        }
        _ if made.grouped == Some(Grouped::Extreme)
            && (e.ty.kind.is_integer() || matches!(e.ty.kind, TypeKind::Year | TypeKind::Bit)) =>
        {
            SqlType { nullable: e.ty.nullable, unsigned: e.ty.unsigned, ..SqlType::new(TypeKind::BigInt) }
        }
        _ if made.column && e.ty.kind.is_integer() => {
            SqlType { nullable: e.ty.nullable, unsigned: e.ty.unsigned, ..SqlType::new(e.ty.kind) }
        }
        _ if made.column && e.ty.kind == TypeKind::Binary => e.ty.clone(),
        _ if made.column && e.ty.kind.is_lob() => lob(&e.ty, types::text_bytes(&e.ty)),
        _ if function && e.ty.kind == TypeKind::Bit => {
            let base = SqlType::new(if e.ty.length > FUNCTION_DIGITS { TypeKind::BigInt } else { TypeKind::Int });
            SqlType { nullable: e.ty.nullable, unsigned: true, ..base }
        }
        _ if e.ty.kind.is_integer() && made.reference && !matches!(e.kind, ExprKind::Column { .. }) => {
            let base = SqlType::new(types::stored(&e.ty).kind);
            SqlType { nullable: e.ty.nullable, unsigned: e.ty.unsigned, ..base }
        }
        _ if e.ty.kind == TypeKind::Year && !call && !made.is_column() => types::stored(&e.ty),
        // DEFAULT() has the column's type
        _ if matches!(e.ty.kind, TypeKind::Enum | TypeKind::Set)
            && !made.is_column()
            && !matches!(e.kind, ExprKind::Const(_)) =>
        {
            let text = types::string_type(types::text_chars(&e.ty), e.ty.collation);
            stored_type(&text.nullable(e.ty.nullable))
        }
        ExprKind::Subquery(..) if e.ty.kind.is_integer() => {
            let base = SqlType::new(if e.ty.length >= INT_DIGITS { TypeKind::BigInt } else { TypeKind::Int });
            SqlType { nullable: e.ty.nullable, unsigned: e.ty.unsigned, ..base }
        }
        ExprKind::Call(planner::func::FuncId::Year, _) if !made.reference => {
            SqlType::new(TypeKind::Year).nullable(e.ty.nullable)
        }
        _ if function && e.ty.kind.is_integer() => {
            let wide = e.ty.length > FUNCTION_DIGITS || rounds(e);
            let base = SqlType::new(if wide { TypeKind::BigInt } else { TypeKind::Int });
            SqlType { nullable: e.ty.nullable, unsigned: e.ty.unsigned, ..base }
        }
        // what a function makes may be as long as can be
        _ if e.ty.kind.is_lob() && call => lob(&e.ty, u64::from(u32::MAX)),
        _ if e.ty.kind.is_lob() => match types::text_chars(&e.ty) {
            chars if chars <= u64::from(MAX_VARCHAR) => {
                SqlType::varchar(chars as u32, e.ty.collation).nullable(e.ty.nullable)
            }
            // as many characters as bytes, each of the longest
            _ => lob(&e.ty, types::text_bytes(&e.ty)),
        },
        _ if e.ty.kind == TypeKind::Char && !made.is_column() => {
            stored_type(&SqlType { kind: TypeKind::VarChar, ..e.ty.clone() })
        }
        _ => stored_type(&e.ty),
    }
}

/// What MySQL has a function for, operators and CAST included, which is less careful about the width of integers than the rest. IFNULL has the type
/// of its arguments.
fn is_function(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Once(_, inner) => is_function(inner),
        ExprKind::Call(f, _) => *f != planner::func::FuncId::IfNull,
        ExprKind::Compare { .. } | ExprKind::Case { .. } | ExprKind::Cast(_) => true,
        _ => false,
    }
}

/// What rounds has a BIGINT whatever it is given.
fn rounds(e: &Expr) -> bool {
    use planner::func::FuncId as F;
    match &e.kind {
        ExprKind::Once(_, inner) => rounds(inner),
        ExprKind::Call(f, _) => matches!(f, F::Ceil | F::Floor | F::Round | F::Truncate),
        _ => false,
    }
}

/// A function that makes a string, not one that chooses among its arguments.
fn makes_string(e: &Expr) -> bool {
    use planner::func::FuncId as F;
    e.ty.kind.is_string()
        && match &e.kind {
            ExprKind::Cast(_) => true,
            ExprKind::Call(f, _) => !matches!(f, F::If | F::IfNull | F::NullIf | F::Coalesce | F::Greatest | F::Least),
            _ => false,
        }
}

/// The zero of a NOT NULL column's type as its default; none for types that cannot have one, or for dates where a zero is forbidden: by strict mode, and
/// of what is a `column` already by NO_ZERO_DATE.
fn zero(ctx: &DdlContext<'_>, ty: &SqlType, column: bool) -> ColumnDefault {
    let forbidden = if column { ctx.sql_mode.has(SqlMode::NO_ZERO_DATE) } else { ctx.sql_mode.is_strict() };
    if ty.kind.is_lob() || ty.kind == TypeKind::Json || ty.kind.has_date() && forbidden {
        return ColumnDefault::None;
    }
    if ty.kind == TypeKind::Decimal {
        let zero = value::decimal::Decimal::from_i128(0, ty.decimals);
        return ColumnDefault::Value(OwnedValue::Decimal(Box::new(zero)));
    }
    ColumnDefault::Value(value::convert::implicit_default(ty).to_owned())
}

/// Digits and sign of an INT that a function gives: wider ones become BIGINT.
const FUNCTION_DIGITS: u32 = 11;
/// Digits of an INT: wider integers become BIGINT.
const INT_DIGITS: u32 = 10;
/// Longer character expressions become TEXT (characters).
const MAX_VARCHAR: u32 = 512;

/// The type of a column that stores an expression of type `t`.
fn stored_type(t: &SqlType) -> SqlType {
    let mut out = t.clone();
    match t.kind {
        TypeKind::Null => {
            out = SqlType::new(TypeKind::VarBinary).nullable(true);
            out.length = 0;
        }
        k if k.is_integer() => {
            let wide = k == TypeKind::BigInt && t.length >= INT_DIGITS;
            let base = SqlType::new(if wide {
                TypeKind::BigInt
            } else if k == TypeKind::BigInt {
                TypeKind::Int
            } else {
                k
            });
            out.kind = base.kind;
            out.length = base.length;
            out.zerofill = false;
        }
        TypeKind::Char | TypeKind::VarChar | TypeKind::Binary | TypeKind::VarBinary => {
            let binary = t.collation == CollationId::BINARY;
            if t.length == 0 {
                out.kind = if binary { TypeKind::VarBinary } else { TypeKind::VarChar };
            } else if t.length > MAX_VARCHAR {
                return lob(t, u64::from(t.length) * if binary { 1 } else { t.charset().max_len() as u64 });
            } else if t.kind != TypeKind::Char || binary {
                out.kind = if binary { TypeKind::VarBinary } else { TypeKind::VarChar };
            }
        }
        // what an expression makes is as long as can be
        TypeKind::LongText | TypeKind::LongBlob if t.length > 65_535 => return lob(t, u64::from(u32::MAX)),
        k if k.is_lob() => return lob(t, u64::from(t.length)),
        _ => {}
    }
    out
}

/// The type of a column for a parameter's value: wide enough for any other of its kind; texts are in `collation`.
fn held_type(t: &SqlType, collation: CollationId) -> SqlType {
    let mut out = match t.kind {
        k if k.is_integer() || k == TypeKind::Year => SqlType::new(TypeKind::BigInt),
        k if k.is_float() => SqlType::new(TypeKind::Double),
        TypeKind::Decimal => SqlType { length: 65, decimals: 30, ..SqlType::new(TypeKind::Decimal) },
        k => {
            let bytes = k.is_string() && t.collation == CollationId::BINARY;
            let kind = if bytes { TypeKind::Blob } else { TypeKind::Text };
            SqlType { collation: if bytes { CollationId::BINARY } else { collation }, ..SqlType::new(kind) }
        }
    };
    out.unsigned = t.unsigned && out.kind == TypeKind::BigInt;
    out.nullable = true;
    out
}

/// TEXT or BLOB of the smallest kind for `bytes`.
fn lob(t: &SqlType, bytes: u64) -> SqlType {
    let kinds = if t.collation == CollationId::BINARY {
        [TypeKind::TinyBlob, TypeKind::Blob, TypeKind::MediumBlob, TypeKind::LongBlob]
    } else {
        [TypeKind::TinyText, TypeKind::Text, TypeKind::MediumText, TypeKind::LongText]
    };
    let [.., widest] = kinds;
    let kind = kinds.into_iter().find(|k| k.lob_limit().is_some_and(|n| bytes <= u64::from(n))).unwrap_or(widest);
    let mut out = SqlType::new(kind);
    out.collation = t.collation;
    out.nullable = t.nullable;
    out
}
