//! Tables that a change reaches through foreign keys: their metadata locks, and whether a plan still knows all of them.
//!
//! As MySQL 8 does, a statement that writes a child takes SR on its parents; one that deletes or updates a parent takes SR on children
//! it only looks into, and SW on children that its actions change, whose own relatives follow. `foreign_key_checks` does not
//! matter: the plan is shared by sessions that set it differently.
//!
//! A plan remembers the definitions it found ([`Related`]): a foreign key that comes or goes anywhere on the way changes one of
//! them, and the plan is made anew ([`crate::kernel::locks`]).

use executor::Env;
use executor::gate::{Inside, MayKnow};
use mdl::{MdlKey, MdlType};
use planner::plan::{Body, OnDuplicate, Plan};
use storage::dict::{FkAction, Relation, TableDef};

/// A table reached through foreign keys and what it was when the plan was made.
pub(crate) struct Related {
    pub(crate) schema: String,
    pub(crate) name: String,
    /// Id and version; `None`: there was no such table.
    pub(crate) was: Option<(u64, u64)>,
}

/// What a statement does to a table's rows.
#[derive(Clone, Copy, Default)]
struct Changes {
    insert: bool,
    update: bool,
    delete: bool,
}

struct Walk<'d> {
    env: &'d Env,
    locks: Vec<(MdlKey, MdlType)>,
    found: Vec<Related>,
    /// Tables whose children were followed for updates and deletes.
    done: Vec<(String, String, bool, bool)>,
}

impl Walk<'_> {
    fn note(&mut self, schema: &str, name: &str, kind: MdlType) -> Option<std::sync::Arc<TableDef>> {
        let def = match self.env.shared_relation(MayKnow::inside(schema, name, Inside::Locks)) {
            Some(Relation::Table(t)) => Some(t),
            _ => None,
        };
        let key = MdlKey::table(schema, name);
        match self.locks.iter_mut().find(|(k, _)| *k == key) {
            Some((_, had)) if kind == MdlType::Sw => *had = MdlType::Sw,
            Some(_) => {}
            None => self.locks.push((key, kind)),
        }
        if !self.found.iter().any(|r| r.schema == schema && r.name == name) {
            let was = def.as_ref().map(|d| (d.id.0, d.version));
            self.found.push(Related { schema: schema.to_owned(), name: name.to_owned(), was });
        }
        def
    }

    fn table(&mut self, t: &TableDef, c: Changes) {
        if c.insert || c.update {
            for f in &t.foreign_keys {
                self.note(&f.parent.0, &f.parent.1, MdlType::Sr);
            }
        }
        let seen = (t.schema.clone(), t.name.clone(), c.update, c.delete);
        if t.referenced_by.is_empty() || self.done.contains(&seen) {
            return;
        }
        self.done.push(seen);
        for r in &t.referenced_by {
            let acts = |a: FkAction| matches!(a, FkAction::Cascade | FkAction::SetNull);
            let down = Changes {
                insert: false,
                update: c.update && acts(r.key.on_update) || c.delete && r.key.on_delete == FkAction::SetNull,
                delete: c.delete && r.key.on_delete == FkAction::Cascade,
            };
            if !(c.update || c.delete) {
                continue;
            }
            let kind = if down.update || down.delete { MdlType::Sw } else { MdlType::Sr };
            if let Some(child) = self.note(&r.child.0, &r.child.1, kind)
                && kind == MdlType::Sw
            {
                self.table(&child, down);
            }
        }
    }
}

/// Locks for the relatives of a table that may be changed in any way (LOCK TABLES ... WRITE).
pub(crate) fn of_table(t: &TableDef, env: &Env) -> Vec<(MdlKey, MdlType)> {
    let mut walk = Walk { env, locks: Vec::new(), found: Vec::new(), done: Vec::new() };
    walk.table(t, Changes { insert: true, update: true, delete: true });
    walk.locks
}

/// Locks for the relatives of the tables that a plan writes, and what they are now.
pub(crate) fn of(plan: &Plan, env: &Env) -> (Vec<(MdlKey, MdlType)>, Vec<Related>) {
    let changes = match &plan.body {
        Body::Insert(i) => {
            let mut c = Changes { insert: true, ..Changes::default() };
            c.update = matches!(i.on_duplicate, OnDuplicate::Update);
            c.delete = matches!(i.on_duplicate, OnDuplicate::Replace);
            c
        }
        Body::Update(_) => Changes { update: true, ..Changes::default() },
        Body::Delete(_) => Changes { delete: true, ..Changes::default() },
        _ => return (Vec::new(), Vec::new()),
    };
    let mut walk = Walk { env, locks: Vec::new(), found: Vec::new(), done: Vec::new() };
    for t in plan.tables.iter().filter(|t| t.write) {
        walk.table(&t.def, changes);
    }
    (walk.locks, walk.found)
}
