//! User variables and system variables in expressions.
//!
//! Tested: goldens `user_variables`, `system_variables`, `deprecated`.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use value::{CollationId, SqlType, TypeKind};

use super::super::Binder;
use crate::expr::{Coercibility, Expr, ExprKind, VarScope};
use crate::types;

/// System variables that have the same value on a replica, because events bring it (recorded from MySQL 9.7: reading
/// others makes a statement unsafe).
const LOGGED: &[&str] = &[
    "auto_increment_increment",
    "auto_increment_offset",
    "character_set_client",
    "character_set_connection",
    "character_set_database",
    "character_set_server",
    "collation_connection",
    "collation_database",
    "collation_server",
    "default_collation_for_utf8mb4",
    "default_table_encryption",
    "foreign_key_checks",
    "identity",
    "last_insert_id",
    "lc_time_names",
    "pseudo_thread_id",
    "rand_seed1",
    "rand_seed2",
    "sql_auto_is_null",
    "sql_require_primary_key",
    "time_zone",
    "timestamp",
    "unique_checks",
];

impl<'a> Binder<'a, '_> {
    /// `@name`.
    pub(in crate::bind) fn user_variable(&mut self, name: &str) -> Expr {
        self.draft.notes.uncacheable = true;
        let name = name.to_lowercase();
        self.draft.notes.logging.reads(&name);
        let ty = self
            .r
            .user_variable(&name)
            .map(types::variable)
            .unwrap_or_else(|| types::string_type(65_535 / 4, self.tcx.connection).nullable(true));
        // one that is NULL now may be something else when the next row is read
        let (ty, coer) = match ty.kind {
            TypeKind::Null => (types::variable(SqlType::varchar(0, CollationId::BINARY)), Coercibility::Ignorable),
            _ => (ty, Coercibility::Implicit),
        };
        Expr { kind: ExprKind::UserVar(name.into()), ty: ty.nullable(true), coer }
    }

    /// A variable of a stored program: its value is the parameter of its slot's number.
    pub(super) fn local(&mut self, l: &ast::LocalRef<'_>) -> SqlResult<Expr> {
        let unknown = || SqlError::new(ErrorCode::SP_UNDECLARED_VAR, &[&l.name]);
        let ty = self.r.local(l.slot).ok_or_else(unknown)?.nullable(true);
        let coer = if ty.kind.is_string() { Coercibility::Implicit } else { Coercibility::Numeric };
        Ok(Expr { kind: ExprKind::Param(l.slot), ty, coer })
    }

    /// `@name := value`.
    pub(super) fn assign_user_variable(&mut self, name: &str, value: &ast::Expr<'a>) -> SqlResult<Expr> {
        self.draft.notes.uncacheable = true;
        self.st.assigns = true;
        let v = super::super::json::json_as_text(self.scalar(value)?);
        // as of the variable (manual, "Collation Coercibility in Expressions"), but for numbers and NULL
        let coer = if v.ty.kind.is_string() { Coercibility::Implicit } else { v.coer };
        let ty = v.ty.clone();
        let name: Box<str> = name.to_lowercase().into();
        self.draft.assigned.insert(name.clone());
        Ok(Expr { kind: ExprKind::AssignUserVar(name, Box::new(v)), ty, coer })
    }

    /// `@@name`.
    pub(super) fn system_variable(&mut self, v: &ast::SysVar<'a>) -> SqlResult<Expr> {
        let scope = match v.scope {
            ast::VarScope::Default => VarScope::Default,
            ast::VarScope::Session => VarScope::Session,
            _ => VarScope::Global,
        };
        let name = match v.name.base {
            Some(b) => format!("{b}.{}", v.name.name),
            None => v.name.name.to_owned(),
        };
        let name = name.to_lowercase();
        let ty = self.r.system_variable(scope, &name)?;
        let logging = &mut self.draft.notes.logging;
        logging.last_insert_id |= matches!(&*name, "last_insert_id" | "identity");
        logging.connection_id |= name == "pseudo_thread_id";
        logging.system_variable |= scope == VarScope::Global || !LOGGED.contains(&&*name);
        if let Some(w) = catalog::sysvar::deprecated::deprecation(&name) {
            // a plan that is used again says nothing
            self.draft.notes.uncacheable = true;
            let message = w.message().to_owned();
            self.draft.notes.warnings.push(value::Warning { level: value::Level::Warning, code: w.code(), message });
        }
        Ok(Expr { kind: ExprKind::SysVar(scope, name.into()), ty, coer: Coercibility::SysConst })
    }
}
