//! Prelocking: what a statement uses through functions and triggers is locked before it starts.
//!
//! The set is closed over what functions, the triggers of changed tables, and the procedures that these call name. It
//! is computed for each run from the compiled programs, under the locks of the statement's own tables and functions,
//! and taken in the order of the keys, so that two statements that reach the same tables through programs do not wait
//! for each other crosswise. A name that means nothing (a temporary table that a procedure would make, a common table
//! expression) is left out; what is locked too much is given back with the transaction. A nested statement still takes
//! the locks of its own plan and is planned again when one is stale, so the set need not be complete to be safe.
//!
//! Tested: golden `programs_functions`, `tests.rs`.

use crate::kernel::programs::{Program, load};
use base::SqlResult;
use executor::Env;
use executor::gate::{Inside, MayKnow};
use mdl::{Duration, MdlKey, MdlType, Namespace};
use planner::plan::Plan;
use sched::Deadline;
use std::rc::Rc;
use std::sync::Arc;
use storage::dict::programs::folded;
use storage::dict::{ProgramDefinition, ProgramKind, Relation, TableDef};

/// A table that programs reach.
struct Reached {
    schema: String,
    name: String,
    changed: bool,
    /// By functions alone: under LOCK TABLES it must be locked.
    by_function: bool,
}

/// What is still to be looked at.
struct Work {
    programs: Vec<(Arc<ProgramDefinition>, bool)>,
    seen: Vec<u64>,
    tables: Vec<Reached>,
    keys: Vec<(MdlKey, MdlType)>,
}

/// Whether a plan reaches anything through programs.
pub(crate) fn reaches(plan: &Plan) -> bool {
    !plan.functions.is_empty() || plan.tables.iter().any(|t| t.write && !t.def.triggers.is_empty())
}

/// Locks what a plan reaches through programs. `locked`: under LOCK TABLES, whether a table is among the locked ones.
///
/// # Errors
/// 1100 for a table that a function uses and LOCK TABLES does not name; 1205, 1213 while waiting.
pub(crate) fn lock(
    env: &mut Env,
    plan: &Plan,
    deadline: Deadline,
    locked: Option<&dyn Fn(&str, &str) -> bool>,
) -> SqlResult<()> {
    let mut work = Work { programs: Vec::new(), seen: Vec::new(), tables: Vec::new(), keys: Vec::new() };
    work.programs.extend(plan.functions.iter().map(|f| (f.def.clone(), true)));
    for t in plan.tables.iter().filter(|t| t.write) {
        work.programs.extend(t.def.triggers.iter().map(|p| (p.clone(), false)));
    }
    while let Some((d, by_function)) = work.programs.pop() {
        if work.seen.contains(&d.id) {
            continue;
        }
        work.seen.push(d.id);
        // one that cannot be read says so where it is run
        if let Ok(unit) = load::load(env, &d) {
            follow(env, &unit, by_function, &mut work);
        }
    }
    if let Some(is_locked) = locked
        && let Some(t) = work.tables.iter().find(|t| t.by_function && !is_locked(&t.schema, &t.name))
    {
        return Err(base::SqlError::new(base::ErrorCode::TABLE_NOT_LOCKED, &[&t.name]));
    }
    let mut keys = work.keys;
    for t in &work.tables {
        keys.push((MdlKey::table(&t.schema, &t.name), if t.changed { MdlType::Sw } else { MdlType::Sr }));
    }
    if work.tables.iter().any(|t| t.changed) {
        env.mdl.acquire(&MdlKey::global(), MdlType::Ix, Duration::Statement, deadline)?;
    }
    keys.sort_by(|a, b| (a.0.db(), a.0.object()).cmp(&(b.0.db(), b.0.object())));
    for (key, kind) in &keys {
        env.mdl.acquire(key, *kind, Duration::Transaction, deadline)?;
    }
    if env.binlog.on() {
        let own = plan.tables.iter().filter(|t| t.write && !t.def.is_temporary());
        let own = own.map(|t| (t.def.schema.clone(), t.def.name.clone()));
        let changed = work.tables.into_iter().filter(|t| t.changed).map(|t| (t.schema, t.name));
        env.binlog.foresee(own.chain(changed).collect());
    }
    Ok(())
}

/// What one program names.
fn follow(env: &Env, unit: &Rc<Program>, by_function: bool, work: &mut Work) {
    let own = &unit.definition.schema;
    for (schema, name, changed) in &unit.code.tables {
        let schema = schema.as_deref().unwrap_or(own);
        if env.temp.find(schema, name).is_some() {
            continue;
        }
        match env.shared_relation(MayKnow::inside(schema, name, Inside::Locks)) {
            Some(Relation::Table(t)) => {
                if *changed {
                    follow_triggers(&t, by_function, work);
                }
                let (schema, name) = (t.schema.clone(), t.name.clone());
                work.tables.push(Reached { schema, name, changed: *changed, by_function });
            }
            Some(Relation::View(v)) => work.keys.push((MdlKey::table(&v.schema, &v.name), MdlType::Sr)),
            None => {}
        }
    }
    for (function, schema, name) in &unit.code.routines {
        let schema = schema.as_deref().unwrap_or(own);
        let (kind, namespace) = match function {
            true => (ProgramKind::Function, Namespace::Function),
            false => (ProgramKind::Procedure, Namespace::Procedure),
        };
        if let Some(d) = env.program(kind, schema, name, Inside::Locks) {
            work.keys.push((MdlKey::new(namespace, schema, &folded(name)), MdlType::S));
            work.programs.push((d, by_function));
        }
    }
}

fn follow_triggers(t: &TableDef, by_function: bool, work: &mut Work) {
    work.programs.extend(t.triggers.iter().map(|p| (p.clone(), by_function)));
}
