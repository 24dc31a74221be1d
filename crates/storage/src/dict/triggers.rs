//! Programs in the dictionary's maps, and which triggers a table has: [`TableDef::triggers`], derived from the
//! triggers' definitions when they are loaded and when something changes.
//!
//! Pure functions over the maps of [`super::cache`], called while a new picture is built; the caller holds the
//! publication mutex and, for every table whose list may change, an exclusive metadata lock. A trigger finds its table
//! by the id, in its own schema. Tested: `storage/tests/programs.rs`.

use super::cache::{Entry, Maps, SchemaEntry};
use super::def::{Relation, TableDef};
use super::programs::{ProgramDefinition, ProgramKind, folded};
use super::programs_by_name::of_kind;
use base::TableId;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

type Name = (String, String);

/// Puts a program in its place.
pub(super) fn put(maps: &mut Maps, def: ProgramDefinition) {
    let Some(s) = maps.get_mut(&def.schema) else { return };
    let programs = &mut Arc::make_mut(s).programs;
    of_kind(programs, def.kind).insert(folded(&def.name), Arc::new(def));
}

/// Puts all programs in their places and gives tables their triggers; the ids of those that have no schema or table any
/// more, which only a server that knows no programs leaves behind.
pub(super) fn load(maps: &mut Maps, programs: Vec<ProgramDefinition>) -> Vec<u64> {
    let mut orphans = Vec::new();
    for p in programs {
        let table = |id| maps.get(&p.schema).is_some_and(|s| table_of(s, id).is_some());
        let lives = maps.contains_key(&p.schema) && p.trigger.as_ref().is_none_or(|t| table(t.table_id));
        if lives { put(maps, p) } else { orphans.push(p.id) }
    }
    let schemas: Vec<String> = maps.keys().cloned().collect();
    schemas.iter().for_each(|s| derive_schema(maps, s, None, None));
    orphans
}

fn table_of(s: &SchemaEntry, id: TableId) -> Option<&Arc<TableDef>> {
    s.relations.values().find_map(|e| match &e.relation {
        Relation::Table(t) if t.id == id => Some(t),
        _ => None,
    })
}

/// After changes: the lists of the tables that changed and, where triggers did, of all tables of their schemas.
pub(super) fn derive(before: &Maps, maps: &mut Maps, touched: &HashSet<Name>, programs: bool, version: u64) {
    let changed = |name: &String| match (before.get(name), maps.get(name)) {
        (Some(old), Some(new)) => !Arc::ptr_eq(old, new),
        (None, Some(_)) => true,
        _ => false,
    };
    let schemas: Vec<String> = maps.keys().filter(|s| changed(s)).cloned().collect();
    for s in schemas {
        let own = |(schema, name): &Name| (*schema == s).then(|| name.clone());
        let names: HashSet<String> = touched.iter().filter_map(own).collect();
        derive_schema(maps, &s, Some(version), (!programs).then_some(&names));
    }
}

/// `only`: the tables to look at, else all of the schema.
fn derive_schema(maps: &mut Maps, schema: &str, version: Option<u64>, only: Option<&HashSet<String>>) {
    let Some(s) = maps.get(schema) else { return };
    let [_, _, triggers, _] = &s.programs;
    let mut of: HashMap<TableId, Vec<Arc<ProgramDefinition>>> = HashMap::new();
    for p in triggers.values() {
        p.trigger.iter().for_each(|t| of.entry(t.table_id).or_default().push(p.clone()));
    }
    let mut new: Vec<(String, Vec<Arc<ProgramDefinition>>)> = Vec::new();
    for (name, e) in &s.relations {
        let Relation::Table(t) = &e.relation else { continue };
        if only.is_some_and(|only| !only.contains(name)) || t.triggers.is_empty() && !of.contains_key(&t.id) {
            continue;
        }
        let mut list = of.remove(&t.id).unwrap_or_default();
        list.iter_mut().for_each(|p| *p = named(p, name));
        list.sort_by_key(|p| p.trigger.as_ref().map(|t| (t.event, !t.before, t.order)));
        if list != t.triggers {
            new.push((name.clone(), list));
        }
    }
    if new.is_empty() {
        return;
    }
    let Some(s) = maps.get_mut(schema) else { return };
    let s: &mut SchemaEntry = Arc::make_mut(s);
    for (name, list) in new {
        for p in &list {
            of_kind(&mut s.programs, ProgramKind::Trigger).insert(folded(&p.name), p.clone());
        }
        if let Some(entry) = s.relations.get_mut(&name) {
            give(entry, list, version);
        }
    }
}

/// The trigger with its table's present name.
fn named(p: &Arc<ProgramDefinition>, table: &str) -> Arc<ProgramDefinition> {
    match &p.trigger {
        Some(t) if t.table != table => {
            let mut new = ProgramDefinition::clone(p);
            new.trigger.iter_mut().for_each(|t| table.clone_into(&mut t.table));
            Arc::new(new)
        }
        _ => p.clone(),
    }
}

/// Nobody uses the table now, its metadata lock is exclusive: its counter goes on where it stands.
fn give(entry: &mut Entry, list: Vec<Arc<ProgramDefinition>>, version: Option<u64>) {
    let Relation::Table(old) = &entry.relation else { return };
    let mut new = TableDef::clone(old);
    new.triggers = list;
    new.version = version.unwrap_or(new.version).max(new.version);
    let autoinc = entry.opened.get().map_or(entry.autoinc, |t| t.autoinc_next());
    let visible_from = entry.visible_from;
    entry.retire();
    *entry = Entry { relation: Relation::Table(Arc::new(new)), opened: Arc::default(), visible_from, autoinc };
}
