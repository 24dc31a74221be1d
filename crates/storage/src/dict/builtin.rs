//! Views and routines that the server brings along (`sys`): they are in the dictionary like stored ones, but are made
//! when somebody names them, and no statement changes or drops them.
//!
//! Whoever opens the engine says once which they are ([`Dict::set_builtin`]). A stored one of the same name comes
//! first; there can be none where the built-in one was known when it was made. Tested: `tests/clients/test_sys.py`,
//! `test_sys_procedures.py`.

use super::cache::Dict;
use super::def::{Relation, ViewDef};
use super::programs::{ProgramDefinition, ProgramKind};
use std::sync::Arc;

/// Object ids from here on are built-in views' and routines'; stored objects are counted from below.
const FIRST: u64 = 1 << 62;

/// The built-in views and routines of a schema.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// The schema.
    pub schema: &'static str,
    /// The names of all of them.
    pub names: fn() -> Vec<String>,
    /// One by name; the same `Arc` each time.
    pub find: fn(&str) -> Option<Arc<ViewDef>>,
    /// A routine by its name in small letters; the same `Arc` each time.
    pub routine: fn(ProgramKind, &str) -> Option<Arc<ProgramDefinition>>,
}

impl ProgramDefinition {
    /// The id of the built-in routine of this number.
    pub fn builtin_id(number: u64) -> u64 {
        FIRST + (1 << 32) + number
    }

    /// Whether the server brings it along.
    pub fn is_builtin(&self) -> bool {
        self.id >= FIRST
    }
}

impl ViewDef {
    /// The id of the built-in view of this number.
    pub fn builtin_id(number: u64) -> u64 {
        FIRST + number
    }

    /// Whether the server brings it along.
    pub fn is_builtin(&self) -> bool {
        self.id >= FIRST
    }
}

impl Dict {
    /// Says what is built in. Once; later calls change nothing.
    pub fn set_builtin(&self, builtin: Builtin) {
        let _ = self.builtin.set(builtin);
    }

    /// The built-in view of this name.
    pub(super) fn built_in(&self, schema: &str, name: &str) -> Option<Relation> {
        let b = self.builtin.get().filter(|b| b.schema == schema)?;
        (b.find)(name).map(Relation::View)
    }

    /// The built-in routine of this name, in small letters.
    pub(super) fn built_in_routine(
        &self,
        kind: ProgramKind,
        schema: &str,
        name: &str,
    ) -> Option<Arc<ProgramDefinition>> {
        let b = self.builtin.get().filter(|b| b.schema == schema)?;
        (b.routine)(kind, name)
    }

    /// Those of a schema whose names are wanted.
    pub(super) fn built_in_where(&self, schema: &str, wanted: impl Fn(&str) -> bool) -> Vec<Relation> {
        let Some(b) = self.builtin.get().filter(|b| b.schema == schema) else { return Vec::new() };
        let names = (b.names)();
        names.iter().filter(|n| wanted(n)).filter_map(|n| self.built_in(schema, n)).collect()
    }
}
