//! Expressions stored with a table: what they may contain.
//!
//! Each is bound on its own against the definition, then looked at: subqueries, variables and (except in defaults) functions whose
//! result depends on more than their arguments are refused, as are references to AUTO_INCREMENT columns and to generated columns
//! that come later (manual, "CREATE TABLE and Generated Columns", "CHECK Constraints", "Data Type Default Values"). The error
//! numbers differ by the kind of expression: [`Kind`].

use super::DdlContext;
use super::define::same_name;
use crate::dml::table_exprs::Stored;
use base::{ErrorCode, SqlError, SqlResult};
use planner::expr::{Expr, ExprKind};
use std::sync::Arc;
use storage::dict::{ColumnDefault, FkAction, TableDef};

/// What an expression belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `DEFAULT (expr)` of the column at this position.
    Default(usize),
    /// Generated column at this position.
    Generated(usize),
    /// CHECK at this position.
    Check(usize),
}

/// Functions whose value is not decided by their arguments.
const IMPURE: [&str; 34] = [
    "rand",
    "uuid",
    "uuid_short",
    "now",
    "sysdate",
    "curdate",
    "curtime",
    "utc_date",
    "utc_time",
    "utc_timestamp",
    "connection_id",
    "current_user",
    "user",
    "database",
    "version",
    "found_rows",
    "row_count",
    "last_insert_id",
    "sleep",
    "get_lock",
    "release_lock",
    "release_all_locks",
    "is_free_lock",
    "is_used_lock",
    "benchmark",
    "load_file",
    "current_role",
    "roles_graphml",
    "icu_version",
    "random_bytes",
    "master_pos_wait",
    "source_pos_wait",
    "statement_digest",
    "ps_current_thread_id",
];

/// All expressions of a definition in the order in which MySQL checks them.
fn all(def: &TableDef) -> Vec<Kind> {
    let mut out = Vec::new();
    for (i, c) in def.columns.iter().enumerate() {
        if c.generated.is_some() {
            out.push(Kind::Generated(i));
        }
        if matches!(c.default, ColumnDefault::Expr(_)) {
            out.push(Kind::Default(i));
        }
    }
    out.extend((0..def.checks.len()).map(Kind::Check));
    out
}

/// The definition without its stored expressions. What binds one expression after the other makes it once: there may be thousands of checks.
struct Bare(TableDef);

impl Bare {
    fn of(def: &TableDef) -> Self {
        let mut bare = def.clone();
        bare.checks.clear();
        for c in &mut bare.columns {
            c.generated = None;
            if matches!(c.default, ColumnDefault::Expr(_)) {
                c.default = ColumnDefault::None;
            }
        }
        Self(bare)
    }

    /// With one expression of the whole definition, an enforced one.
    fn with(&self, def: &TableDef, kind: Kind) -> TableDef {
        let mut one = self.0.clone();
        match kind {
            Kind::Generated(i) => {
                if let (Some(c), Some(from)) = (one.columns.get_mut(i), def.columns.get(i)) {
                    c.generated = from.generated.clone();
                }
            }
            Kind::Default(i) => {
                if let (Some(c), Some(from)) = (one.columns.get_mut(i), def.columns.get(i)) {
                    c.default = from.default.clone();
                }
            }
            Kind::Check(i) => one.checks.extend(def.checks.get(i).cloned()),
        }
        one.checks.iter_mut().for_each(|c| c.enforced = true);
        one
    }
}

/// Name for messages.
fn name(def: &TableDef, kind: Kind) -> &str {
    match kind {
        Kind::Default(i) | Kind::Generated(i) => {
            let c = def.columns.get(i).map_or("", |c| c.name.as_str());
            // `!hidden!index!part!n`: messages name the index
            c.strip_prefix("!hidden!").and_then(|n| n.split('!').next()).unwrap_or(c)
        }
        Kind::Check(i) => def.checks.get(i).map_or("", |c| c.name.as_str()),
    }
}

fn hidden(def: &TableDef, kind: Kind) -> bool {
    matches!(kind, Kind::Generated(i) if def.columns.get(i).is_some_and(|c| c.is_hidden()))
}

/// Binds one expression.
pub fn bind(ctx: &mut DdlContext<'_>, def: &TableDef, kind: Kind) -> SqlResult<Expr> {
    bind_in(ctx, def, &Bare::of(def), kind)
}

fn bind_in(ctx: &mut DdlContext<'_>, def: &TableDef, bare: &Bare, kind: Kind) -> SqlResult<Expr> {
    let one = Arc::new(bare.with(def, kind));
    let bound = Stored::new(&one, ctx.locks.env());
    let e = match bound {
        Ok(s) => {
            let mut e = s.exprs;
            let first = match kind {
                Kind::Default(_) => e.defaults.pop().map(|d| d.1),
                Kind::Generated(_) => e.generated.pop().map(|d| d.1),
                Kind::Check(_) => e.checks.pop().map(|d| d.1),
            };
            first.ok_or_else(|| SqlError::unsupported("stored expression"))?
        }
        Err(e) => return Err(bind_error(def, kind, e)),
    };
    Ok(e)
}

fn bind_error(def: &TableDef, kind: Kind, e: SqlError) -> SqlError {
    let subject = name(def, kind);
    if e.is(ErrorCode::BAD_FIELD_ERROR) {
        let column = e.message().split('\'').nth(1).unwrap_or("").to_owned();
        return match kind {
            Kind::Check(_) => SqlError::new(ErrorCode::CHECK_CONSTRAINT_REFERS_UNKNOWN_COLUMN, &[&subject, &column]),
            Kind::Default(_) => SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&column, &"default value expression"]),
            Kind::Generated(_) if hidden(def, kind) => {
                SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&column, &"functional index"])
            }
            Kind::Generated(_) => SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&column, &"generated column function"]),
        };
    }
    if e.is(ErrorCode::UNKNOWN_SYSTEM_VARIABLE) {
        return variables(def, kind);
    }
    if e.is(ErrorCode::NO_SUCH_TABLE) || e.is(ErrorCode::BAD_DB_ERROR) {
        return not_allowed(def, kind, None);
    }
    // a stored function it would be
    if e.is(ErrorCode::SP_DOES_NOT_EXIST) {
        let shown = e.message().strip_prefix("FUNCTION ").and_then(|m| m.strip_suffix(" does not exist")).unwrap_or("");
        let f = shown.rsplit('.').next().unwrap_or("");
        return match kind {
            Kind::Check(i) if def.checks.get(i).is_some_and(|c| is_call(&c.expr, f)) => {
                SqlError::new(ErrorCode::NON_BOOLEAN_EXPR_FOR_CHECK_CONSTRAINT, &[&subject])
            }
            // a function of a schema that there is
            _ if shown.starts_with("sys.") => not_allowed(def, kind, Some(&format!("`sys`.`{f}`"))),
            _ => not_allowed(def, kind, Some(&format!("`{f}`"))),
        };
    }
    // only MATCH asks for more of a table than it has here
    if e.is(ErrorCode::TABLE_CANT_HANDLE_FT) {
        return not_allowed(def, kind, Some("match"));
    }
    e
}

/// Whether the text is one call of this function.
fn is_call(text: &str, function: &str) -> bool {
    let text = text.trim().trim_start_matches('(').trim_end_matches(')').trim_start_matches('`');
    let rest = text.get(function.len()..).unwrap_or("").trim_start_matches('`');
    // no closing parenthesis is left where it was the last
    text.get(..function.len()).is_some_and(|t| t.eq_ignore_ascii_case(function))
        && rest.starts_with('(')
        && !rest.contains(')')
}

fn variables(def: &TableDef, kind: Kind) -> SqlError {
    let code = match kind {
        // MySQL has a number for generated columns too and does not use it
        Kind::Default(_) | Kind::Generated(_) => ErrorCode::DEFAULT_VAL_GENERATED_VARIABLES,
        Kind::Check(_) => ErrorCode::CHECK_CONSTRAINT_VARIABLES,
    };
    SqlError::new(code, &[&name(def, kind)])
}

fn not_allowed(def: &TableDef, kind: Kind, function: Option<&str>) -> SqlError {
    let subject = name(def, kind);
    if hidden(def, kind) {
        return SqlError::new(ErrorCode::FUNCTIONAL_INDEX_FUNCTION_IS_NOT_ALLOWED, &[&subject]);
    }
    let codes = match kind {
        Kind::Default(_) => (
            ErrorCode::DEFAULT_VAL_GENERATED_FUNCTION_IS_NOT_ALLOWED,
            ErrorCode::DEFAULT_VAL_GENERATED_NAMED_FUNCTION_IS_NOT_ALLOWED,
        ),
        Kind::Generated(_) => (
            ErrorCode::GENERATED_COLUMN_FUNCTION_IS_NOT_ALLOWED,
            ErrorCode::GENERATED_COLUMN_NAMED_FUNCTION_IS_NOT_ALLOWED,
        ),
        Kind::Check(_) => (
            ErrorCode::CHECK_CONSTRAINT_FUNCTION_IS_NOT_ALLOWED,
            ErrorCode::CHECK_CONSTRAINT_NAMED_FUNCTION_IS_NOT_ALLOWED,
        ),
    };
    match function {
        None => SqlError::new(codes.0, &[&subject]),
        Some(f) => SqlError::new(codes.1, &[&subject, &f]),
    }
}

/// Columns an expression reads.
pub fn columns(e: &Expr) -> Vec<u16> {
    let mut out = Vec::new();
    e.walk(&mut |x| {
        if let ExprKind::Column { slot: 0, column } = x.kind
            && !out.contains(&column)
        {
            out.push(column);
        }
    });
    out
}

/// Checks one expression; the columns it reads.
fn check(def: &TableDef, kind: Kind, e: &Expr) -> SqlResult<Vec<u16>> {
    let mut wrong = None;
    e.walk(&mut |x| {
        let error = match &x.kind {
            ExprKind::Subquery(..) | ExprKind::Agg { .. } => not_allowed(def, kind, None),
            ExprKind::UserVar(_) | ExprKind::AssignUserVar(..) | ExprKind::SysVar(..) => variables(def, kind),
            ExprKind::Call(f, args) if !matches!(kind, Kind::Default(_)) => {
                let bare = f.name() == "unix_timestamp" && args.is_empty();
                if !bare && !IMPURE.contains(&f.name()) {
                    return;
                }
                not_allowed(def, kind, Some(f.name()))
            }
            _ => return,
        };
        wrong.get_or_insert(error);
    });
    if let Some(e) = wrong {
        return Err(e);
    }
    let used = columns(e);
    for c in &used {
        let Some(column) = def.columns.get(*c as usize) else { continue };
        if column.auto_increment {
            let code = match kind {
                Kind::Default(_) => ErrorCode::DEFAULT_VAL_GENERATED_REF_AUTO_INC,
                Kind::Generated(_) if hidden(def, kind) => ErrorCode::FUNCTIONAL_INDEX_REF_AUTO_INCREMENT,
                Kind::Generated(_) => ErrorCode::GENERATED_COLUMN_REF_AUTO_INC,
                Kind::Check(_) => ErrorCode::CHECK_CONSTRAINT_REFERS_AUTO_INCREMENT_COLUMN,
            };
            return Err(SqlError::new(code, &[&name(def, kind)]));
        }
        match kind {
            Kind::Generated(i) if column.generated.is_some() && *c as usize >= i => {
                return Err(SqlError::new(ErrorCode::GENERATED_COLUMN_NON_PRIOR, &[]));
            }
            Kind::Default(i)
                if *c as usize >= i
                    && (column.generated.is_some() || matches!(column.default, ColumnDefault::Expr(_))) =>
            {
                return Err(SqlError::new(ErrorCode::DEFAULT_VAL_GENERATED_NON_PRIOR, &[&name(def, kind)]));
            }
            _ => {}
        }
    }
    Ok(used)
}

/// Whether an expression is a condition.
fn boolean(e: &Expr, text: &str) -> bool {
    match &e.kind {
        k if k.is_condition() => true,
        ExprKind::Once(_, e) => boolean(e, text),
        ExprKind::Call(f, _) => {
            matches!(
                f.name(),
                "isnull"
                    | "regexp"
                    | "regexp_like"
                    | "json_valid"
                    | "json_contains"
                    | "is_uuid"
                    | "json_schema_valid"
                    | "json_overlaps"
                    | "json_contains_path"
                    | "member of"
            )
        }
        ExprKind::Const(_) => matches!(text.to_ascii_lowercase().trim_matches(['(', ')', ' ']), "true" | "false"),
        _ => false,
    }
}

/// Checks all stored expressions of a definition. `own_column`: for each CHECK, the column it was written at.
pub fn validate(
    ctx: &mut DdlContext<'_>,
    def: &TableDef,
    own_column: &dyn Fn(usize) -> Option<String>,
) -> SqlResult<()> {
    let bare = Bare::of(def);
    for kind in all(def) {
        let e = bind_in(ctx, def, &bare, kind).map_err(|e| match kind {
            // what a column's own CHECK names is another column, whether it exists or not
            Kind::Check(i) if own_column(i).is_some() && e.is(ErrorCode::CHECK_CONSTRAINT_REFERS_UNKNOWN_COLUMN) => {
                SqlError::new(ErrorCode::COLUMN_CHECK_CONSTRAINT_REFERENCES_OTHER_COLUMN, &[&name(def, kind)])
            }
            _ => e,
        })?;
        let used = check(def, kind, &e)?;
        // a foreign key that changes what a STORED column is computed from (manual, "FOREIGN KEY Constraints")
        let computed = matches!(kind, Kind::Generated(i) if def.columns.get(i).and_then(|c| c.generated.as_ref()).is_some_and(|g| g.stored));
        let acting = |k: &storage::dict::ForeignKeyDef| acts(k.on_update) || acts(k.on_delete);
        let keyed = |u: &u16| def.foreign_keys.iter().any(|k| k.columns.contains(u) && acting(k));
        if computed && used.iter().any(keyed) {
            return Err(SqlError::new(ErrorCode::CANNOT_ADD_FOREIGN, &[]));
        }
        let Kind::Check(i) = kind else { continue };
        let Some(c) = def.checks.get(i) else { continue };
        if !boolean(&e, &c.expr) {
            return Err(SqlError::new(ErrorCode::NON_BOOLEAN_EXPR_FOR_CHECK_CONSTRAINT, &[&c.name]));
        }
        for u in &used {
            let column = def.columns.get(*u as usize).map_or("", |c| c.name.as_str());
            if own_column(i).is_some_and(|own| !same_name(&own, column)) {
                return Err(SqlError::new(ErrorCode::COLUMN_CHECK_CONSTRAINT_REFERENCES_OTHER_COLUMN, &[&c.name]));
            }
            if let Some(fk) = changing_key(def, *u) {
                let code = ErrorCode::CHECK_CONSTRAINT_CLAUSE_USING_FK_REFER_ACTION_COLUMN;
                return Err(SqlError::new(code, &[&column, &c.name, &fk.name]));
            }
        }
    }
    Ok(())
}

fn acts(a: FkAction) -> bool {
    matches!(a, FkAction::Cascade | FkAction::SetNull)
}

/// A foreign key whose actions change this column: ON UPDATE CASCADE, SET NULL of both.
fn changing_key(def: &TableDef, column: u16) -> Option<&storage::dict::ForeignKeyDef> {
    def.foreign_keys
        .iter()
        .find(|k| k.columns.contains(&column) && (acts(k.on_update) || k.on_delete == FkAction::SetNull))
}

/// Error for a column that is to be dropped or renamed while an expression reads it: 3108, 3959, 3837, 3766. `gone`: expressions
/// that go in the same statement.
pub fn check_dependents(
    ctx: &mut DdlContext<'_>,
    def: &TableDef,
    column: usize,
    dropped: bool,
    gone: &dyn Fn(Kind) -> bool,
) -> SqlResult<()> {
    let shown = def.columns.get(column).map_or(String::new(), |c| c.name.clone());
    let bare = Bare::of(def);
    for kind in all(def) {
        if gone(kind) {
            continue;
        }
        let used = columns(&bind_in(ctx, def, &bare, kind)?);
        if !used.contains(&(column as u16)) {
            continue;
        }
        return Err(match kind {
            Kind::Generated(_) if hidden(def, kind) => {
                SqlError::new(ErrorCode::DEPENDENT_BY_FUNCTIONAL_INDEX, &[&shown])
            }
            Kind::Generated(_) => SqlError::new(ErrorCode::DEPENDENT_BY_GENERATED_COLUMN, &[&shown]),
            Kind::Default(i) if dropped && i == column => continue,
            Kind::Default(_) => SqlError::new(ErrorCode::DEPENDENT_BY_DEFAULT_GENERATED_VALUE, &[&shown, &def.name]),
            // a check on the dropped column alone goes with it
            Kind::Check(_) if dropped && used.len() == 1 => continue,
            Kind::Check(_) => SqlError::new(ErrorCode::DEPENDENT_BY_CHECK_CONSTRAINT, &[&name(def, kind), &shown]),
        });
    }
    Ok(())
}

/// Positions of checks that read this column and no other: they go when it is dropped.
pub fn checks_on_alone(ctx: &mut DdlContext<'_>, def: &TableDef, column: usize) -> SqlResult<Vec<usize>> {
    let mut out = Vec::new();
    let bare = Bare::of(def);
    for i in 0..def.checks.len() {
        if columns(&bind_in(ctx, def, &bare, Kind::Check(i))?) == [column as u16] {
            out.push(i);
        }
    }
    Ok(out)
}
