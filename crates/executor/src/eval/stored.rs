//! Calls of stored functions: their arguments, then whoever stands above this crate
//! ([`crate::programs::NestedStatements`]).
//!
//! Tested: golden `programs_functions`.

use base::{SqlError, SqlResult};
use planner::func::family::Program;
use value::Value;

use super::{Args, eval};
use crate::eval::Cx;

/// The functions of this family.
pub(super) fn call<'a>(f: Program, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (Program::Stored(n) | Program::StoredConstant(n)) = f;
    let plan = cx.plan;
    let Some(function) = plan.functions.get(n as usize) else { return Err(SqlError::unsupported("this function")) };
    let mut args = smallvec::SmallVec::<[_; 4]>::new();
    for e in a.list.iter() {
        args.push((eval(e, cx, a.arena)?.to_owned(), e.ty.clone()));
    }
    let nested = cx.env.kernel.nested.clone();
    let v = nested.function(function, &args, plan, cx.env)?;
    Ok(v.as_value().copy_into(a.arena))
}
