//! Definitions that are asked for by name, and the proof that whoever asks may know them.
//!
//! A statement with a plan gets definitions from the planner's resolver, which has asked [`Gate::admit`]; one of data
//! definition from [`crate::ddl`], which takes a [`ClearedDdl`](super::ClearedDdl). What is left are statements that
//! look a relation up themselves (SHOW CREATE, CHECK TABLE, LOCK TABLES, COM_FIELD_LIST ...). They get a definition, or
//! a table to read, for a [`MayKnow`] and for nothing else, and a [`MayKnow`] comes from a question to the gate, or
//! names in [`Inside`] why the answer stays inside the server. Whether a name is taken, and by which version of what,
//! is [`Identity`], which says nothing of a definition and is free.
//!
//! Nothing here locks or waits. `scripts/check_house.py` refuses the dictionary's own functions inside `session`.
//! Tested: `tests/clients/test_gate.py`.

use std::sync::Arc;

use base::{SqlError, SqlResult};
use catalog::accounts::Privs;
use planner::resolve::Wish;
use storage::dict::Relation;
use storage::table::Table;

use super::Gate;
use crate::rows::env::Env;

/// The session's account may know the relation of this name: it has a privilege on it, or the relation is the session's
/// own, or the answer stays inside.
#[derive(Clone, Copy, Debug)]
pub struct MayKnow<'n> {
    schema: &'n str,
    name: &'n str,
}

/// Why the server looks a relation up without asking what the account may: nothing of the definition reaches a client.
#[derive(Clone, Copy, Debug)]
pub enum Inside {
    /// Which metadata locks a statement takes: relatives by foreign keys, what a view reads that was asked for.
    Locks,
    /// In whose name views run: an account that is one's definer is not dropped silently.
    Definers,
    /// What lies behind a table that the statement may use: a foreign key's child, the table of a view's column.
    Behind,
    /// GRANT on columns, whose right to grant on the relation has been asked for.
    Grant,
    /// A program that is changed, dropped, shown or run: what the account may is asked with the definition in hand.
    Program,
    /// Grant tables that a dump has made, for FLUSH PRIVILEGES of an account that has all privileges.
    Grants,
    /// A variable names a table, which who may not read it cannot set.
    Setting,
}

impl<'n> MayKnow<'n> {
    /// Schema and name.
    pub fn name(self) -> (&'n str, &'n str) {
        (self.schema, self.name)
    }

    /// For the server's own use.
    pub fn inside(schema: &'n str, name: &'n str, _why: Inside) -> MayKnow<'n> {
        MayKnow { schema, name }
    }
}

/// What a name stands for, without anything of its definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Of the table or view.
    pub id: u64,
    /// Counted up by each change of the definition.
    pub version: u64,
    /// It is a view.
    pub is_view: bool,
}

impl Identity {
    fn of(r: &Relation) -> Identity {
        match r {
            Relation::Table(t) => Identity { id: t.id.0, version: t.version, is_view: false },
            Relation::View(v) => Identity { id: v.id, version: v.version, is_view: true },
        }
    }
}

impl Gate<'_> {
    /// As [`Gate::admit`], with the proof.
    ///
    /// # Errors
    /// 1142; through a view 1356, 1449, 1045.
    pub fn admitted<'n>(&self, schema: &'n str, name: &'n str, wish: &Wish<'_>) -> SqlResult<MayKnow<'n>> {
        self.admit(schema, name, wish)?;
        Ok(MayKnow { schema, name })
    }

    /// The account has all of these privileges on the relation as a whole.
    ///
    /// # Errors
    /// 1142 naming those that are missing.
    pub fn holds<'n>(&self, need: Privs, schema: &'n str, name: &'n str) -> SqlResult<MayKnow<'n>> {
        let have = self.env.security.account.privileges.on_table(schema, name);
        if have.has(need) { Ok(MayKnow { schema, name }) } else { Err(self.denied(need.without(have), name)) }
    }

    /// The account has one of these privileges on the relation as a whole.
    pub fn holds_any<'n>(&self, of: Privs, schema: &'n str, name: &'n str) -> Option<MayKnow<'n>> {
        let have = self.env.security.account.privileges.on_table(schema, name);
        (!have.and(of).is_none()).then_some(MayKnow { schema, name })
    }

    /// Something is granted on the relation itself, whatever it is.
    pub fn is_granted<'n>(&self, schema: &'n str, name: &'n str) -> Option<MayKnow<'n>> {
        self.env.security.account.privileges.names_table(schema, name).then_some(MayKnow { schema, name })
    }

    /// The account has a privilege that shows the names of the relation's columns.
    pub fn sees<'n>(&self, schema: &'n str, name: &'n str) -> Option<MayKnow<'n>> {
        self.env.security.account.privileges.can_see_columns(schema, name).then_some(MayKnow { schema, name })
    }

    /// It is a temporary table of the session.
    pub fn own<'n>(&self, schema: &'n str, name: &'n str) -> Option<MayKnow<'n>> {
        self.env.temp.find(schema, name).map(|_| MayKnow { schema, name })
    }

    /// Relations of a schema whose columns the account may see.
    pub fn seen_in(&self, schema: &str) -> Vec<Relation> {
        let mut all = self.env.shared.engine.dict().relations(schema);
        let p = &self.env.security.account.privileges;
        all.retain(|r| match r {
            Relation::Table(t) => p.can_see_columns(&t.schema, &t.name),
            Relation::View(v) => p.can_see_columns(&v.schema, &v.name),
        });
        all
    }
}

impl Env {
    /// What a name means to this session: its temporary table, or the table or view.
    pub fn relation(&self, may: MayKnow<'_>) -> Option<Relation> {
        match self.temp.named(may.schema, may.name) {
            Some(t) => Some(Relation::Table(t.def.clone())),
            None => self.shared_relation(may),
        }
    }

    /// The table or view of this name, whatever temporary table hides it.
    pub fn shared_relation(&self, may: MayKnow<'_>) -> Option<Relation> {
        self.shared.engine.dict().relation(may.schema, may.name)
    }

    /// All relations of a schema.
    pub fn relations(&self, schema: &str, _why: Inside) -> Vec<Relation> {
        self.shared.engine.dict().relations(schema)
    }

    /// Opens the table that a name means to this session; `None`: there is none, or it is a view.
    ///
    /// # Errors
    /// Those of opening its file.
    pub fn open_named(&self, may: MayKnow<'_>) -> SqlResult<Option<Arc<Table>>> {
        match self.temp.find(may.schema, may.name) {
            Some(t) => Ok(Some(t.clone())),
            None => {
                self.shared.engine.dict().open_table(&self.shared.engine, may.schema, may.name).map_err(SqlError::from)
            }
        }
    }

    /// Which relation a name means to this session; `None`: none.
    pub fn identity(&self, schema: &str, name: &str) -> Option<Identity> {
        match self.temp.find(schema, name) {
            Some(t) => Some(Identity { id: t.def.id.0, version: t.def.version, is_view: false }),
            None => self.shared_identity(schema, name),
        }
    }

    /// The same, whatever temporary table hides it.
    #[inline]
    pub fn shared_identity(&self, schema: &str, name: &str) -> Option<Identity> {
        self.shared.engine.dict().relation(schema, name).as_ref().map(Identity::of)
    }
}
