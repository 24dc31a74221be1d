//! Stored programs in a schema's entry of the picture that [`Dict`] keeps, by kind and name.
//!
//! Read without locks, as the rest of [`super::cache`], which publishes them.
//! Tested: `storage/tests/programs.rs`.

use super::cache::Dict;
use super::programs::{ProgramDefinition, ProgramKind, folded};
use hashbrown::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A schema's programs by folded name, the kinds in the order of [`ProgramKind::ALL`].
pub(super) type Programs = [HashMap<String, Arc<ProgramDefinition>>; 4];

/// Where those of a kind are.
pub(super) fn of_kind(programs: &mut Programs, kind: ProgramKind) -> &mut HashMap<String, Arc<ProgramDefinition>> {
    let [procedures, functions, triggers, events] = programs;
    match kind {
        ProgramKind::Procedure => procedures,
        ProgramKind::Function => functions,
        ProgramKind::Trigger => triggers,
        ProgramKind::Event => events,
    }
}

impl Dict {
    /// Rises when any program is made, changed or dropped: what was found out of programs before may be old then.
    pub fn programs_version(&self) -> u64 {
        self.programs_version.load(Ordering::Acquire)
    }

    /// A program by name, in any case of letters.
    pub fn program(&self, kind: ProgramKind, schema: &str, name: &str) -> Option<Arc<ProgramDefinition>> {
        let maps = self.maps.load();
        let s = maps.get(schema)?;
        let [procedures, functions, triggers, events] = &s.programs;
        let map = match kind {
            ProgramKind::Procedure => procedures,
            ProgramKind::Function => functions,
            ProgramKind::Trigger => triggers,
            ProgramKind::Event => events,
        };
        let find = |name: &str| map.get(name).cloned().or_else(|| self.built_in_routine(kind, schema, name));
        let lower = |b: u8| b.is_ascii() && !b.is_ascii_uppercase();
        if name.bytes().all(lower) { find(name) } else { find(&folded(name)) }
    }

    /// All stored programs of a schema in the order of kind and name; what is built in is not among them.
    pub fn programs(&self, schema: &str) -> Vec<Arc<ProgramDefinition>> {
        let maps = self.maps.load();
        let Some(s) = maps.get(schema) else { return Vec::new() };
        let mut all: Vec<_> = s.programs.iter().flat_map(|m| m.values().cloned()).collect();
        all.sort_by_cached_key(|p| (p.kind, folded(&p.name)));
        all
    }
}
