//! Who refers to whom: derives [`TableDef::referenced_by`] from the foreign keys of all tables.
//!
//! Pure functions over the maps of [`super::cache`], called while a new picture is built; the caller holds the publication mutex and,
//! for every parent whose list may change, an exclusive metadata lock. A parent is found by name: a foreign key may name a
//! table that is not there (`foreign_key_checks = 0`), and finds it when it comes.

use super::cache::{Entry, Maps, SchemaEntry};
use super::change::Change;
use super::def::{ForeignKeyDef, ReferencedBy, Relation, TableDef};
use hashbrown::HashSet;
use std::sync::Arc;

type Name = (String, String);

fn table<'m>(maps: &'m Maps, name: &Name) -> Option<&'m Arc<TableDef>> {
    match &maps.get(&name.0)?.relations.get(&name.1)?.relation {
        Relation::Table(t) => Some(t),
        Relation::View(_) => None,
    }
}

/// Names of tables that a list of changes puts or drops.
pub(super) fn touched(changes: &[Change]) -> HashSet<Name> {
    let names = changes.iter().filter_map(|c| match c {
        Change::PutRelation(r) => Some((r.name().0.to_owned(), r.name().1.to_owned())),
        Change::DropRelation(schema, name) => Some((schema.clone(), name.clone())),
        Change::PutSchema(_) | Change::DropSchema(_) | Change::PutProgram(_) | Change::DropProgram(..) => None,
    });
    names.collect()
}

/// Foreign keys that name this table as their parent, in order of child and key.
pub(super) fn children_of(maps: &Maps, schema: &str, name: &str) -> Vec<ReferencedBy> {
    let mut list: Vec<ReferencedBy> = Vec::new();
    for e in maps.values().flat_map(|s| s.relations.values()) {
        let Relation::Table(t) = &e.relation else { continue };
        for key in t.foreign_keys.iter().filter(|f| f.parent.0 == schema && f.parent.1 == name) {
            // positions are the child's own business: they may change without the parent
            let key = ForeignKeyDef { columns: Vec::new(), ..key.clone() };
            list.push(ReferencedBy { child: (t.schema.clone(), t.name.clone()), key });
        }
    }
    list.sort_by(|a, b| (&a.child, &a.key.name).cmp(&(&b.child, &b.key.name)));
    list
}

/// Sets every table's list after loading.
pub(super) fn derive_all(maps: &mut Maps) {
    let parents: HashSet<Name> = maps
        .values()
        .flat_map(|s| s.relations.values())
        .filter_map(|e| if let Relation::Table(t) = &e.relation { Some(t) } else { None })
        .flat_map(|t| t.foreign_keys.iter().map(|f| f.parent.clone()))
        .collect();
    for p in &parents {
        set(maps, p, None);
    }
}

/// After changes: the lists of the tables that changed and of the parents they had or have.
pub(super) fn derive(before: &Maps, maps: &mut Maps, touched: &HashSet<Name>, version: u64) {
    let mut affected = touched.clone();
    for name in touched {
        for t in [table(before, name), table(maps, name)].into_iter().flatten() {
            affected.extend(t.foreign_keys.iter().map(|f| f.parent.clone()));
        }
    }
    for name in &affected {
        set(maps, name, Some(version));
    }
}

/// Puts the right list into a table's definition; a published one is replaced by a copy with `version`.
fn set(maps: &mut Maps, name: &Name, version: Option<u64>) {
    let Some(old) = table(maps, name) else { return };
    let list = children_of(maps, &name.0, &name.1);
    if old.referenced_by == list {
        return;
    }
    let mut new = TableDef::clone(old);
    new.referenced_by = list;
    new.version = version.unwrap_or(new.version).max(new.version);
    let Some(schema) = maps.get_mut(&name.0) else { return };
    let schema: &mut SchemaEntry = Arc::make_mut(schema);
    let Some(entry) = schema.relations.get_mut(&name.1) else { return };
    // a parent's counter may be in use at this moment: it is found out anew
    let (visible_from, autoinc) = (entry.visible_from, if entry.opened.get().is_some() { 0 } else { entry.autoinc });
    entry.retire();
    *entry = Entry { relation: Relation::Table(Arc::new(new)), opened: Arc::default(), visible_from, autoinc };
}
