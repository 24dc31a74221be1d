//! Calls of stored functions.
//!
//! The plan has the definitions that it calls ([`crate::plan::FunctionUse`]); the expression their number. One that is
//! DETERMINISTIC is a constant where its arguments are, others are evaluated for each row. What a table stores
//! (generated columns, checks, defaults) never comes here: no stored function is known to it.
//!
//! Tested: golden `programs_functions`.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use value::SqlType;

use super::Binder;
use crate::expr::{Coercibility, Expr, ExprKind};
use crate::func::FuncId;
use crate::plan::FunctionUse;

impl<'a> Binder<'a, '_> {
    /// The call of a stored function, if there is one of this name. 1318 for another number of arguments.
    pub(super) fn stored_function(&mut self, f: &ast::FuncCall<'a>) -> SqlResult<Option<Expr>> {
        // an item of a select list is named by its text, as its column is; other calls by the function alone
        let item = self.st.item.0 == self.st.call;
        let text: Box<str> = match &self.st.item {
            (span, alias) if item => alias.clone().unwrap_or_else(|| self.text(*span).into()),
            _ => f.name.into(),
        };
        let schema = f.schema.or(self.view_schema.as_deref());
        let of = schema.or(self.r.current_schema());
        // inside of a view its definer is asked, by the gate
        if self.st.via.is_none()
            && let Some(e) = of.and_then(|s| self.r.hidden_function(s, f.name))
        {
            return Err(e);
        }
        let Some(def) = self.r.stored_function(schema, f.name)? else { return Ok(None) };
        if self.st.keep_uses && self.st.view_stack.len() == 1 {
            self.st.called.push((def.clone(), f.name.to_owned()));
        }
        if let Some(Some(_)) = f.aliases.iter().find(|a| a.is_some()) {
            return Err(SqlError::new(ErrorCode::WRONG_PARAMETERS_TO_STORED_FCT, &[&def.name]));
        }
        if f.schema.is_some() && crate::func::lookup(f.name).is_some() {
            let e = SqlError::new(ErrorCode::NATIVE_FCT_NAME_COLLISION, &[&def.name]);
            let (code, message) = (e.code(), e.message().to_owned());
            self.draft.notes.warnings.push(value::Warning { level: value::Level::Note, code, message });
        }
        let name = format!("{}.{}", def.schema, def.name);
        if def.parameters.len() != f.args.len() {
            let counts = [def.parameters.len(), f.args.len()];
            let [want, have] = &counts;
            return Err(SqlError::new(ErrorCode::SP_WRONG_NO_OF_ARGS, &[&"FUNCTION", &name, want, have]));
        }
        // arguments are named by their texts, too
        let mut args = Vec::with_capacity(f.args.len());
        for x in f.args {
            self.st.item = (x.span, None);
            args.push(self.scalar(x)?);
        }
        let Some(ty) = def.result.clone() else { return Ok(None) };
        let via = self.st.via.clone();
        // GROUP BY f(a) means the item f(a), however that is named: calls with one number are one expression
        let same = |u: &FunctionUse| {
            u.def.id == def.id && u.def.version == def.version && u.via == via && (u.text == text || !item)
        };
        let number = match self.draft.functions.iter().rposition(same) {
            Some(n) => n,
            None => {
                self.draft.functions.push(FunctionUse { def: def.clone(), via: via.clone(), text: text.clone() });
                self.draft.functions.len() - 1
            }
        };
        let number = u16::try_from(number).map_err(|_| SqlError::unsupported("so many functions in a statement"))?;
        let id = if def.deterministic { FuncId::StoredConstant(number) } else { FuncId::Stored(number) };
        Ok(Some(of_type(id, args, ty.nullable(true))))
    }
}

fn of_type(id: FuncId, args: Vec<Expr>, ty: SqlType) -> Expr {
    let coer = if ty.kind.is_string() { Coercibility::Coercible } else { Coercibility::Numeric };
    Expr { kind: ExprKind::Call(id, args.into()), ty, coer }
}
