//! Calls of stored functions: their arguments, then whoever stands above this crate
//! ([`crate::programs::NestedStatements`]).
//!
//! Tested: golden `programs_functions`.

use base::{ErrorCode, SqlError, SqlResult};
use planner::func::family::Program;
use planner::plan::FunctionUse;
use value::{OwnedValue, SqlType, Value, convert};

use super::{Args, eval, is_field};
use crate::eval::Cx;

type Arguments = smallvec::SmallVec<[(OwnedValue, SqlType); 4]>;

fn arguments(function: &FunctionUse, a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<Arguments> {
    let mut args = Arguments::new();
    let fails_later = cx.plan.functions.len() > 1 || !cx.plan.subqueries.is_empty();
    let asks_early = a.list.len() > 1 && fails_later;
    for e in a.list.iter() {
        let before = cx.env.conv.warnings.len();
        let v = eval(e, cx, a.arena)?;
        if cx.env.assigns_strictly() || cx.env.is_strict_around() {
            cx.env.fail_of_warnings(before)?;
        }
        if cx.env.assigns_strictly() {
            // functions and subqueries behind it are not evaluated once it does not fit its parameter
            let copied = is_field(e, cx.plan);
            if (asks_early || copied)
                && let Some(p) = function.def.parameters.get(args.len())
            {
                let mark = cx.env.conv.warned();
                cx.env.conv.copied = copied;
                let stored = convert::convert_for_column(v, &e.ty, &p.ty, &mut cx.env.conv, &p.name, 1, a.arena);
                cx.env.conv.copied = false;
                stored?;
                cx.env.conv.forget_since(mark);
            }
        }
        args.push((v.to_owned(), e.ty.clone()));
    }
    Ok(args)
}

/// What a function lacks that a view calls is an error of the view.
fn seen_through_view(function: &planner::plan::FunctionUse, e: SqlError) -> SqlError {
    let hidden = [
        ErrorCode::BAD_FIELD_ERROR,
        ErrorCode::SP_DOES_NOT_EXIST,
        ErrorCode::PROCACCESS_DENIED_ERROR,
        ErrorCode::COLUMNACCESS_DENIED_ERROR,
        ErrorCode::TABLEACCESS_DENIED_ERROR,
        ErrorCode::NO_SUCH_TABLE,
    ];
    match &function.via {
        Some(v) if hidden.iter().any(|c| e.is(*c)) => SqlError::new(ErrorCode::VIEW_INVALID, &[&v.schema, &v.name]),
        _ => e,
    }
}

/// The functions of this family.
pub(super) fn call<'a>(f: Program, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (Program::Stored(n) | Program::StoredConstant(n)) = f;
    let plan = cx.plan;
    let Some(function) = plan.functions.get(n as usize) else { return Err(SqlError::unsupported("this function")) };
    // said before the arguments are evaluated, as in MySQL
    if cx.env.kernel.programs.iter().any(|p| p.id == function.def.id) {
        return Err(SqlError::new(ErrorCode::SP_NO_RECURSION, &[]));
    }
    cx.env.fail_before_program()?;
    // parameters are assigned to, so a strict mode is strict with arguments, in SELECT too
    let outer = (cx.env.begin_assignment(), cx.env.conv.strict);
    cx.env.conv.strict |= cx.env.assigns_strictly();
    let args = arguments(function, a, cx);
    (cx.env.statement.strictness, cx.env.conv.strict) = outer;
    let args = args?;
    let nested = cx.env.kernel.nested.clone();
    let v = nested.function(function, &args, plan, cx.env);
    cx.env.statement.failed_in_function = v.is_err();
    let v = v.map_err(|e| seen_through_view(function, e))?;
    Ok(v.as_value().copy_into(a.arena))
}
