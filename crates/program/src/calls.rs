//! CALL in a program: arguments, the procedure, what OUT parameters give back.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use executor::{Env, user_vars};
use parser::ast::{Call, Expr, ExprKind, Statement};
use storage::dict::{ParameterMode, ProgramDefinition};
use value::{OwnedValue, SqlType, Value};

use crate::code::Target;
use crate::host::{Evaluated, Host, Place};
use crate::run::{Argument, Run, lost, procedure};
use crate::store::fits;

impl<H: Host> Run<'_, H> {
    pub(crate) fn call(&mut self, n: u32) -> SqlResult<()> {
        let Statement::Call(call) = self.tree_of_statement(n)? else { return Err(lost()) };
        let types = self.unit.types.borrow().clone();
        let place = Place { source: &self.unit.source, types: &types, values: &self.slots, span: None };
        let beside = self.host.tables_of(place, call.args)?;
        let unit = self.host.procedure(call)?;
        self.host.begin_list(beside);
        let arguments = self.arguments(call, &unit.definition);
        let ended = self.host.end_list(arguments.as_ref().err());
        let arguments = arguments?;
        ended?;
        check_arguments(&unit.definition, call)?;
        let strictness = self.host.env().statement.strictness;
        let out = procedure(&unit, &arguments, self.host, self.areas)?;
        // OUT parameters are assigned by CALL, whatever the procedure's last statement was
        self.host.env().statement.strictness = strictness;
        for (a, value) in arguments.iter().zip(out) {
            if let (Some(target), Some((v, ty))) = (&a.target, value) {
                self.host.env().conv.copied = true;
                let stored = self.give_back(target, v.as_value(), &ty);
                self.host.env().conv.copied = false;
                stored?;
            }
        }
        Ok(())
    }

    /// An OUT parameter's value. A column of NEW takes what fits of it, and nothing is said of the rest.
    fn give_back(&mut self, target: &Target, v: Value<'_>, from: &SqlType) -> SqlResult<()> {
        match target {
            Target::Slot(slot) if self.is_column(*slot) => self.give_silently(*slot, v, from),
            _ => self.assign_to(target, v, from),
        }
    }

    /// Values of the arguments, each fit for its parameter.
    fn arguments(&mut self, call: &Call<'_>, d: &ProgramDefinition) -> SqlResult<Vec<Argument>> {
        let mut arguments = Vec::new();
        let at_first = user_types(call, self.host.env());
        for (i, (e, p)) in call.args.iter().zip(&d.parameters).enumerate() {
            let out = p.mode != ParameterMode::In;
            let target = target_of(e);
            let target = match target {
                Some(Target::Slot(s)) if out && !self.may_change(s) => None,
                t => t,
            };
            if out && target.is_none() {
                let name = format!("{}.{}", d.schema, d.name);
                return Err(SqlError::new(ErrorCode::SP_NOT_VAR_ARG, &[&(i + 1), &name]));
            }
            let value = match p.mode {
                ParameterMode::Out => (OwnedValue::Null, p.ty.clone()),
                _ => read_at_first(self.argument(e)?, at_first.get(i), self.host.env())?,
            };
            self.host.env().conv.copied = matches!(e.unparen().kind, ExprKind::Local(_));
            let fits = fits(&value, p, self.host.env());
            self.host.env().conv.copied = false;
            fits?;
            arguments.push(Argument { value, target });
        }
        Ok(arguments)
    }

    /// OLD is never changed, NEW only before the row is.
    fn may_change(&self, slot: u32) -> bool {
        match self.unit.code.slots.get(slot as usize).and_then(|s| s.row) {
            None => true,
            Some(new) => new && self.unit.definition.trigger.as_ref().is_some_and(|t| t.before),
        }
    }

    fn argument(&mut self, e: &Expr<'_>) -> SqlResult<Evaluated> {
        let unit = self.unit;
        let types = unit.types.borrow().clone();
        if let ExprKind::Local(l) = e.kind {
            let at = l.slot as usize;
            if let (Some(v), Some(ty)) = (self.slots.get(at), types.get(at)) {
                return Ok((v.clone(), ty.clone()));
            }
        }
        let place = Place { source: &unit.source, types: &types, values: &self.slots, span: None };
        let kept = std::cell::RefCell::new(None);
        let mut out = (OwnedValue::Null, SqlType::bigint());
        let outer = self.host.env().begin_assignment();
        let before = self.host.env().conv.warnings.len();
        let done = self.host.evaluate(place, &kept, Some(e), &mut |v, ty, env| {
            out = (v.to_owned(), ty.clone());
            match env.assigns_strictly() {
                true => env.fail_of_warnings(before),
                false => Ok(()),
            }
        });
        self.host.env().statement.strictness = outer;
        done.map(|_| out)
    }
}

/// Types of those arguments of a CALL that are user variables, before one of them is evaluated.
pub fn user_types(call: &Call<'_>, env: &Env) -> Vec<Option<SqlType>> {
    let name = |e: &Expr<'_>| match e.unparen().kind {
        ExprKind::UserVar(name) => Some(name.to_owned()),
        _ => None,
    };
    let names: Vec<_> = call.args.iter().map(name).collect();
    user_vars::types_of(names.iter().map(Option::as_deref), &env.user_vars)
}

/// An argument in the type that it had at first (a function among those before it may have assigned to the variable).
///
/// # Errors
/// Those of the conversion.
pub fn read_at_first((v, from): Evaluated, at_first: Option<&Option<SqlType>>, env: &mut Env) -> SqlResult<Evaluated> {
    let Some(to) = at_first.and_then(Option::as_ref).filter(|to| !user_vars::is_read_alike(&from, to)) else {
        return Ok((v, from));
    };
    let arena = Bump::new();
    let read = user_vars::read_as(v.as_value(), &from, to, &mut env.conv, &arena)?.to_owned();
    Ok((read, to.clone()))
}

/// 1318 for another number of arguments.
///
/// # Errors
/// 1318.
pub fn check_arguments(d: &ProgramDefinition, call: &Call<'_>) -> SqlResult<()> {
    if d.parameters.len() == call.args.len() {
        return Ok(());
    }
    let name = format!("{}.{}", d.schema, d.name);
    let code = ErrorCode::SP_WRONG_NO_OF_ARGS;
    Err(SqlError::new(code, &[&d.kind.name(), &name, &d.parameters.len(), &call.args.len()]))
}

/// What may take the value of an OUT parameter.
pub fn target_of(e: &Expr<'_>) -> Option<Target> {
    match e.unparen().kind {
        ExprKind::UserVar(name) => Some(Target::User(name.to_lowercase().into())),
        ExprKind::Local(l) => Some(Target::Slot(l.slot)),
        _ => None,
    }
}
