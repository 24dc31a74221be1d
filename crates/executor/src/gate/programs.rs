//! Who may know of stored programs, and how the session finds them by name.
//!
//! A routine is seen by who has CREATE ROUTINE, ALTER ROUTINE or EXECUTE on it, its schema or everything, its body only
//! by its definer and by who has SHOW_ROUTINE or SELECT on everything (manual, "SHOW CREATE PROCEDURE Statement").
//! Triggers need TRIGGER on their table, events EVENT on their schema. [`Env::program`] wants the reason for which a
//! definition is looked up, as [`super::by_name`] does for tables. Nothing here locks or waits.
//! Tested: `tests/access`, golden `program_privileges`.

use std::sync::Arc;

use catalog::accounts::{Account, Privs};
use storage::dict::{ProgramDefinition, ProgramKind};
use storage::engine::Engine;

use super::Inside;
use crate::rows::env::Env;

/// What an account may know of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// Not even that there is one.
    Nothing,
    /// All but its body.
    Head,
    /// All of it.
    Everything,
}

/// Whether this account is the program's definer.
pub fn is_definer(a: &Account, p: &ProgramDefinition) -> bool {
    a.is_named(&p.definer.0, &p.definer.1)
}

/// What an account may know of a program.
pub fn sees(a: &Account, p: &ProgramDefinition) -> Sees {
    let all = |may: bool| if may { Sees::Everything } else { Sees::Nothing };
    match (p.kind, &p.trigger) {
        (ProgramKind::Event, _) => all(a.privileges.on_database(&p.schema).has(Privs::EVENT)),
        (ProgramKind::Trigger, Some(t)) => all(a.privileges.on_table(&p.schema, &t.table).has(Privs::TRIGGER)),
        (ProgramKind::Trigger, None) => Sees::Nothing,
        (ProgramKind::Procedure | ProgramKind::Function, _) => {
            // what is withheld there (partial revokes) does not count
            let own = &a.privileges;
            let withheld = own.restrictions.get(&p.schema).copied().unwrap_or_default();
            let whole = own.holds_dynamic("SHOW_ROUTINE") || own.global.without(withheld).has(Privs::SELECT);
            if whole || is_definer(a, p) {
                return Sees::Everything;
            }
            let some = Privs::CREATE_ROUTINE.with(Privs::ROUTINE_ALL);
            let have = a.privileges.on_routine(&p.schema, &p.name, p.kind == ProgramKind::Function);
            if have.and(some).is_none() { Sees::Nothing } else { Sees::Head }
        }
    }
}

/// All events, for the server's own scheduler.
pub fn events(engine: &Engine, _why: Inside) -> Vec<Arc<ProgramDefinition>> {
    let dict = engine.dict();
    let all = dict.schemas();
    all.iter().flat_map(|s| dict.programs(&s.name)).filter(|p| p.kind == ProgramKind::Event).collect()
}

/// An event by name, likewise.
pub fn event(engine: &Engine, schema: &str, name: &str, _why: Inside) -> Option<Arc<ProgramDefinition>> {
    engine.dict().program(ProgramKind::Event, schema, name)
}

impl Env {
    /// A program by name, for a reason that tells nobody of it, or after a question to [`sees`] about what is found.
    pub fn program(&self, kind: ProgramKind, schema: &str, name: &str, _why: Inside) -> Option<Arc<ProgramDefinition>> {
        self.shared.engine.dict().program(kind, schema, name)
    }

    /// The table of a trigger.
    pub fn trigger_table(
        &self,
        d: &ProgramDefinition,
        t: &storage::dict::TriggerOf,
        _why: Inside,
    ) -> Option<Arc<storage::dict::TableDef>> {
        match self.shared.engine.dict().relation(&d.schema, &t.table) {
            Some(storage::dict::Relation::Table(t)) => Some(t),
            _ => None,
        }
    }

    /// All programs of a schema, likewise.
    pub fn programs(&self, schema: &str, _why: Inside) -> Vec<Arc<ProgramDefinition>> {
        self.shared.engine.dict().programs(schema)
    }

    /// Whether a name is taken: id and version of the program.
    pub fn program_identity(&self, kind: ProgramKind, schema: &str, name: &str) -> Option<(u64, u64)> {
        self.shared.engine.dict().program(kind, schema, name).map(|p| (p.id, p.version))
    }
}
