//! VALUES(c) and DEFAULT(c).

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self};
use value::{OwnedValue, SqlType, TypeKind};

use super::super::{Binder, Scope, unsupported};
use crate::expr::{Expr, ExprKind};
use crate::func::FuncId;

impl<'a> Binder<'a, '_> {
    pub(super) fn inserted_value(&mut self, c: &ast::ColumnRef<'a>) -> SqlResult<Expr> {
        let Some((target, slot)) = self.values_slot else {
            return Ok(Expr::null());
        };
        // the new row's alias and the SELECT's tables have no part in it
        let home = self.scopes.iter().position(|s| s.tables.first().is_some_and(|t| t.slot == target));
        let others = home.and_then(|i| self.scopes.get_mut(i)).map(Scope::leave_first);
        let found = self.column(c);
        if let (Some(scope), Some(others)) = (home.and_then(|i| self.scopes.get_mut(i)), others) {
            scope.put_back(others);
        }
        let e = found?;
        self.source.forget_found();
        let outside = self.scopes.last().is_some_and(|s| s.tables.first().is_some_and(|t| t.slot == target));
        match e.kind {
            // a table of the subquery has such a column
            ExprKind::Column { slot: s, .. } if s != target && !outside => Ok(Expr::null()),
            ExprKind::Column { slot: s, .. } if s != target => {
                let name = super::super::scope::written(c);
                Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&name, &"field list"]))
            }
            ExprKind::Column { column, .. } => {
                Ok(Expr { kind: ExprKind::Column { slot, column }, ty: e.ty.nullable(true), coer: e.coer })
            }
            _ => unsupported("VALUES() of an expression"),
        }
    }

    pub(super) fn default_of(&mut self, c: &ast::ColumnRef<'a>) -> SqlResult<Expr> {
        let e = self.column(c)?;
        let ExprKind::Column { slot, column } = e.kind else { return unsupported("DEFAULT() of an expression") };
        let def = match self.draft.slots.get(slot as usize) {
            Some(crate::plan::SlotDef::Table(t)) => self.draft.tables.get(*t as usize).map(|t| t.def.clone()),
            // the row that INSERT builds
            Some(crate::plan::SlotDef::Tuple(_)) if self.insert_slots.contains(&slot) => {
                self.draft.tables.first().map(|t| t.def.clone())
            }
            _ => None,
        };
        let Some(col) = def.as_ref().and_then(|d| d.columns.get(column as usize)) else {
            return unsupported("DEFAULT() of a derived column");
        };
        match &col.default {
            storage::dict::ColumnDefault::Value(v) => Ok(Expr { kind: ExprKind::Const(v.clone()), ..e }),
            // plans are shared by sessions of any time zone
            storage::dict::ColumnDefault::Moment { utc, .. } => {
                let ty = SqlType::temporal(TypeKind::DateTime, col.ty.decimals);
                let utc = Expr { kind: ExprKind::Const(OwnedValue::DateTime(*utc)), ty, coer: e.coer };
                Ok(Expr { kind: ExprKind::Call(FuncId::FromUtc, [utc].into()), ..e })
            }
            storage::dict::ColumnDefault::None => Err(SqlError::new(ErrorCode::NO_DEFAULT_FOR_FIELD, &[&col.name])),
            _ => Err(SqlError::new(ErrorCode::DEFAULT_AS_VAL_GENERATED, &[])),
        }
    }
}
