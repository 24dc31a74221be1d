//! Compiled programs, kept per thread by id and version of their definition (of a trigger, with its table's): a new
//! version is compiled anew, and a program that is changed while it runs goes on as it was.

use crate::kernel::ddl::ddl_of;
use crate::kernel::programs::Program;
use crate::kernel::programs::context::with_settings;
use crate::kernel::set_var::Hinted;
use crate::text;
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::sysvar::Var;
use executor::Env;
use executor::gate::Inside;
use hashbrown::HashMap;
use parser::ast::{Body, SlotKind, Statement};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use storage::dict::ProgramDefinition;
use value::SqlType;

/// Id and version of a program, and of a trigger's table.
type Identity = (u64, u64, u64);

thread_local! {
    static MINE: RefCell<HashMap<Identity, Rc<Program>>> = RefCell::default();
}

/// The compiled form of a definition.
///
/// # Errors
/// Those of reading its text; 1054 for a column of NEW or OLD that its table has not.
pub(crate) fn load(env: &mut Env, d: &Arc<ProgramDefinition>) -> SqlResult<Rc<Program>> {
    let table = d.trigger.as_ref().and_then(|t| env.trigger_table(d, t, Inside::Program));
    load_of(env, d, table.as_deref())
}

/// The same for who has the definition of a trigger's table.
///
/// # Errors
/// As [`load`].
pub(crate) fn load_of(
    env: &mut Env,
    d: &Arc<ProgramDefinition>,
    table: Option<&storage::dict::TableDef>,
) -> SqlResult<Rc<Program>> {
    let identity = (d.id, d.version, table.map_or(0, |t| t.version));
    if let Some(p) = MINE.with_borrow(|m| m.get(&identity).cloned()) {
        return Ok(p);
    }
    let before = base::memory::live();
    let made = Rc::new(with_settings(env, d, |env| compiled(env, d, table))?);
    made.footprint.get_or_init(|| probe::programs::Footprint::new(base::memory::taken_since(before)));
    let limit = env.shared.globals.num(Var::stored_program_cache) as usize;
    MINE.with_borrow_mut(|m| {
        if m.len() >= limit.max(1) {
            // rarely reached, and all entries are worth the same: start over
            m.clear();
        }
        m.insert(identity, made.clone());
    });
    Ok(made)
}

/// Whether a definition that is about to be stored can be compiled; nothing is kept. What is to be told of the hints of
/// its statements.
///
/// # Errors
/// As [`load`].
pub(crate) fn check(env: &mut Env, d: &Arc<ProgramDefinition>) -> SqlResult<Vec<value::Warning>> {
    let table = d.trigger.as_ref().and_then(|t| env.trigger_table(d, t, Inside::Program));
    let unit = with_settings(env, d, |env| compiled(env, d, table.as_deref()))?;
    let before = std::mem::take(&mut env.conv.warnings);
    for s in &unit.code.spans {
        let text = unit.source.get(s.start as usize..s.end as usize).unwrap_or_default();
        let vars = planner::set_vars(text);
        if !vars.is_empty() {
            Hinted::set(&vars, env).set_back(env);
        }
    }
    Ok(std::mem::replace(&mut env.conv.warnings, before))
}

/// Reads a program's text and hands its body to `f`.
pub(crate) fn with_body<T>(
    env: &mut Env,
    arena: &Bump,
    source: &[u8],
    f: impl FnOnce(&mut Env, &Body<'_>) -> SqlResult<T>,
) -> SqlResult<T> {
    let body = body(env, arena, source)?;
    f(env, &body)
}

/// The body of a program, read from its text under the settings that hold now.
pub(crate) fn body<'a>(env: &Env, arena: &'a Bump, source: &[u8]) -> SqlResult<Body<'a>> {
    let mut lexed = parser::Lexed::new();
    text::tokenize(env, &mut lexed, source, 0);
    match parser::parse(arena, source, &mut lexed)?.statement {
        Statement::CreateProgram(c) => Ok(c.body),
        _ => Err(SqlError::unsupported("this text as a program")),
    }
}

fn compiled(env: &mut Env, d: &Arc<ProgramDefinition>, table: Option<&storage::dict::TableDef>) -> SqlResult<Program> {
    let source: Rc<[u8]> = d.source().0.into();
    let arena = Bump::new();
    with_body(env, &arena, &source, |env, body| {
        let (code, _) = program::compile(&arena, body);
        let mut types = types(env, d, body, table, &source)?;
        // places without a declared type follow what is kept in them
        types.resize(code.slots.len(), SqlType::bigint());
        let mut made = Program::new(d.clone(), source.clone(), code, types);
        for (n, s) in (0..).zip(&made.code.slots) {
            let column = |t: &storage::dict::TableDef| t.columns.iter().position(|c| same(&c.name, &s.name));
            if let (Some(new), Some(at)) = (s.row, table.and_then(column)) {
                made.rows.push((n, new, at as u16));
            }
        }
        Ok(made)
    })
}

/// Whether two names are one column's.
fn same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

fn types(
    env: &mut Env,
    d: &ProgramDefinition,
    body: &Body<'_>,
    table: Option<&storage::dict::TableDef>,
    source: &[u8],
) -> SqlResult<Vec<SqlType>> {
    let (made, _) = ddl_of(env, source, |ctx| {
        let mut out = Vec::with_capacity(body.slots.len());
        for (n, s) in body.slots.iter().enumerate() {
            out.push(match &s.kind {
                SlotKind::Parameter(_) if n < d.parameters.len() => {
                    d.parameters.get(n).map_or_else(SqlType::bigint, |p| p.ty.clone())
                }
                SlotKind::Parameter(t) | SlotKind::Variable(t) => {
                    executor::ddl::types::column_type(&t.ty, s.name, t.collation, d.database, ctx)?
                }
                SlotKind::New | SlotKind::Old => {
                    let row = if matches!(s.kind, SlotKind::New) { "NEW" } else { "OLD" };
                    let column = table.and_then(|t| t.columns.iter().find(|c| same(&c.name, s.name)));
                    match column {
                        Some(c) => c.ty.clone(),
                        None => return Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&s.name, &row])),
                    }
                }
            });
        }
        Ok(out)
    });
    made
}
