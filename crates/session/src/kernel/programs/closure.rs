//! Prelocking: what a statement uses through functions, triggers and views is locked before it starts.
//!
//! The set is closed over what functions, the triggers that a change of a table may fire, the procedures that these call, and the views
//! that any of them use name. It is made from the compiled programs, under the locks of the statement's own tables,
//! views and functions, kept with the plan as long as no definition changes at all, and taken in the order of the keys,
//! so that two statements that reach the same tables through programs do not wait for each other crosswise. A name that
//! means nothing (a temporary table that a procedure would make, a common table expression) is left out; what is locked
//! too much is given back with the transaction. A nested statement still takes the locks of its own plan and is planned
//! again when one is stale, so the set need not be complete to be safe.
//!
//! LOCK TABLES closes its tables in the same way ([`of_locked`]; manual, "LOCK TABLES and Triggers").
//!
//! Tested: goldens `programs_functions`, `programs_prelocking`; `tests/clients/test_program_limits.py`.

use crate::kernel::global_intention::enter_change;
use crate::kernel::programs::{Program, load};
use crate::kernel::resolver::SessionResolver;
use base::{ErrorCode, SqlError, SqlResult};
use executor::Env;
use executor::gate::{Inside, MayKnow};
use mdl::{Duration, MdlKey, MdlType, Namespace};
use parser::ast::Events;
use planner::plan::{Body, OnDuplicate, Plan};
use sched::Deadline;
use std::rc::Rc;
use std::sync::Arc;
use storage::dict::programs::{TriggerEvent, folded};
use storage::dict::{ProgramDefinition, ProgramKind, Relation, TableDef, ViewDef};

/// A table or view that programs reach.
#[derive(Debug)]
pub(crate) struct Reached {
    pub(crate) schema: String,
    pub(crate) name: String,
    pub(crate) changed: bool,
}

/// What a statement reaches through programs.
#[derive(Debug, Default)]
pub(crate) struct Closed {
    pub(crate) tables: Vec<Reached>,
    /// Locks of these and of routines.
    pub(crate) keys: Vec<(MdlKey, MdlType)>,
    /// Version of the dictionary that it is true of, and what names of temporary tables meant.
    version: (u64, u64),
}

/// What is still to be looked at.
#[derive(Default)]
struct Work {
    programs: Vec<Arc<ProgramDefinition>>,
    seen: Vec<u64>,
    /// Views, and what is done through them.
    views: Vec<(Arc<ViewDef>, Events)>,
    seen_views: Vec<(u64, Events)>,
    closed: Closed,
}

/// Whether a plan reaches anything through programs.
pub(crate) fn reaches(plan: &Plan) -> bool {
    !plan.functions.is_empty() || plan.tables.iter().any(|t| t.write && !t.def.triggers.is_empty())
}

fn version(env: &Env) -> (u64, u64) {
    (env.shared.engine.dict().version(), env.temp.epoch())
}

/// What a plan reaches.
fn of_plan(env: &mut Env, plan: &Plan) -> Closed {
    let mut work = Work::default();
    work.programs.extend(plan.functions.iter().map(|f| f.def.clone()));
    let events = events(&plan.body);
    for t in plan.tables.iter().filter(|t| t.write) {
        work.triggers(&t.def, events);
    }
    work.close(env)
}

/// What a plan does to the tables that it changes.
fn events(body: &Body) -> Events {
    match body {
        Body::Select(_) => Events::NONE,
        Body::Insert(i) => match i.on_duplicate {
            OnDuplicate::Error | OnDuplicate::Ignore => Events::INSERT,
            OnDuplicate::Replace => Events::INSERT.and(Events::DELETE),
            OnDuplicate::Update => Events::INSERT.and(Events::UPDATE),
        },
        Body::Update(_) => Events::UPDATE,
        Body::Delete(_) => Events::DELETE,
    }
}

/// What changes of tables that are locked for writing, and views that are locked, reach through triggers and functions.
pub(crate) fn of_locked<'l>(env: &mut Env, locked: impl Iterator<Item = (&'l str, &'l str, bool)>) -> Closed {
    let mut work = Work::default();
    for (schema, name, write) in locked {
        match env.shared_relation(MayKnow::inside(schema, name, Inside::Locks)) {
            Some(Relation::Table(t)) if write => work.triggers(&t, Events::ALL),
            Some(Relation::View(v)) => work.views.push((v, if write { Events::ALL } else { Events::NONE })),
            _ => {}
        }
    }
    work.close(env)
}

/// A table that programs of a statement change.
pub(crate) fn changed(env: &mut Env, plan: &Plan) -> Option<String> {
    let closed = reaches(plan).then(|| of_plan(env, plan))?;
    closed.tables.into_iter().find(|t| t.changed).map(|t| t.name)
}

/// Locks what a plan reaches through programs. `kept`: where the plan keeps it. `locked`: under LOCK TABLES, whether a
/// table is among the locked ones (and for writing).
///
/// # Errors
/// 1100 for a table that LOCK TABLES does not name, 1099 for one that it has locked for reading and that is changed;
/// 1205, 1213 while waiting.
pub(crate) fn lock(
    env: &mut Env,
    plan: &Plan,
    kept: &parking_lot::Mutex<Option<Arc<Closed>>>,
    deadline: Deadline,
    locked: Option<&dyn Fn(&str, &str) -> Option<bool>>,
) -> SqlResult<()> {
    let had = kept.lock().clone();
    let closed = match had.filter(|c| c.version == version(env)) {
        Some(c) => c,
        None => {
            let made = Arc::new(of_plan(env, plan));
            *kept.lock() = Some(made.clone());
            made
        }
    };
    if let Some(locked) = locked {
        for t in &closed.tables {
            match locked(&t.schema, &t.name) {
                None => return Err(SqlError::new(ErrorCode::TABLE_NOT_LOCKED, &[&t.name])),
                Some(false) if t.changed => {
                    return Err(SqlError::new(ErrorCode::TABLE_NOT_LOCKED_FOR_WRITE, &[&t.name]));
                }
                Some(_) => {}
            }
        }
    }
    if closed.tables.iter().any(|t| t.changed) {
        enter_change(env, deadline)?;
    }
    for (key, kind) in &closed.keys {
        env.mdl.acquire(key, *kind, Duration::Transaction, deadline)?;
    }
    if env.binlog.on() {
        let own = plan.tables.iter().filter(|t| t.write && !t.def.is_temporary());
        let own = own.map(|t| (t.def.schema.clone(), t.def.name.clone()));
        let changed = closed.tables.iter().filter(|t| t.changed).map(|t| (t.schema.clone(), t.name.clone()));
        env.binlog.foresee(own.chain(changed).collect());
    }
    Ok(())
}

impl Work {
    fn close(mut self, env: &mut Env) -> Closed {
        self.closed.version = version(env);
        loop {
            if let Some(d) = self.programs.pop() {
                if self.seen.contains(&d.id) {
                    continue;
                }
                self.seen.push(d.id);
                // one that cannot be read says so where it is run
                if let Ok(unit) = load::load(env, &d) {
                    self.follow(env, &unit);
                }
            } else if let Some((v, events)) = self.views.pop() {
                if self.seen_views.contains(&(v.id, events)) {
                    continue;
                }
                self.seen_views.push((v.id, events));
                self.view(env, &v, events);
            } else {
                break;
            }
        }
        let mut closed = self.closed;
        for t in &closed.tables {
            closed.keys.push((MdlKey::table(&t.schema, &t.name), if t.changed { MdlType::Sw } else { MdlType::Sr }));
        }
        closed.keys.sort_by(|a, b| (a.0.db(), a.0.object()).cmp(&(b.0.db(), b.0.object())));
        closed
    }

    /// What one program names.
    fn follow(&mut self, env: &Env, unit: &Rc<Program>) {
        let own = &unit.definition.schema;
        for (schema, name, events) in &unit.code.tables {
            let schema = schema.as_deref().unwrap_or(own);
            if env.temp.find(schema, name).is_none() {
                self.named(env, schema, name, *events);
            }
        }
        for (function, schema, name) in &unit.code.routines {
            let schema = schema.as_deref().unwrap_or(own);
            let kind = if *function { ProgramKind::Function } else { ProgramKind::Procedure };
            self.routine(env, kind, schema, name);
        }
    }

    fn routine(&mut self, env: &Env, kind: ProgramKind, schema: &str, name: &str) {
        let namespace = if kind == ProgramKind::Function { Namespace::Function } else { Namespace::Procedure };
        if let Some(d) = env.program(kind, schema, name, Inside::Locks) {
            self.closed.keys.push((MdlKey::new(namespace, schema, &folded(name)), MdlType::S));
            self.programs.push(d);
        }
    }

    fn named(&mut self, env: &Env, schema: &str, name: &str, events: Events) {
        let changed = !events.is_none();
        match env.shared_relation(MayKnow::inside(schema, name, Inside::Locks)) {
            Some(Relation::Table(t)) => {
                self.triggers(&t, events);
                let (schema, name) = (t.schema.clone(), t.name.clone());
                self.closed.tables.push(Reached { schema, name, changed });
            }
            Some(Relation::View(v)) => {
                let (schema, name) = (v.schema.clone(), v.name.clone());
                self.closed.tables.push(Reached { schema, name, changed: false });
                self.views.push((v, events));
            }
            None => {}
        }
    }

    /// What a view names. One that is invalid says so where it is read.
    fn view(&mut self, env: &Env, v: &Arc<ViewDef>, events: Events) {
        let Ok(d) = planner::view::describe(v, &SessionResolver(env)) else { return };
        for u in &d.uses {
            self.named(env, &u.schema, &u.name, if u.in_subquery { Events::NONE } else { events });
        }
        for f in &d.functions {
            self.routine(env, ProgramKind::Function, &f.schema, &f.name);
        }
    }

    /// The triggers that these events fire.
    fn triggers(&mut self, t: &TableDef, events: Events) {
        let fires = |d: &ProgramDefinition| d.trigger.as_ref().is_some_and(|t| events.meets(of(t.event)));
        self.programs.extend(t.triggers.iter().filter(|d| fires(d)).cloned());
    }
}

fn of(event: TriggerEvent) -> Events {
    match event {
        TriggerEvent::Insert => Events::INSERT,
        TriggerEvent::Update => Events::UPDATE,
        TriggerEvent::Delete => Events::DELETE,
    }
}
