//! Accounts that views and stored programs name as their definer: dropping, renaming or making one is refused (4006)
//! or, for accounts with ALLOW_NONEXISTENT_DEFINER or SUPER, warned about (4005), as the manual says in "Orphan
//! Stored Objects".
//!
//! Nothing is locked: what is asked is the dictionary as it is now. Tested: golden `mysql_files`,
//! `tests/clients/test_dynamic_privileges.py`, golden `program_definers`.

use crate::accounts::rules::Act;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use executor::gate::{Gate, Inside, MayKnow};
use parser::ast::Statement;
use storage::dict::{ProgramKind, Relation};

impl Session {
    /// The account of a DEFINER clause: 1227 for another than one's own without SET_ANY_DEFINER; 1449 (a note) for one
    /// that is not there, which needs ALLOW_NONEXISTENT_DEFINER.
    pub(crate) fn named_definer(&mut self, a: &parser::ast::Account<'_>) -> SqlResult<(String, String)> {
        let name = self.account_name(a);
        if !self.is_own(&name) {
            self.require_dynamic("SET_ANY_DEFINER", "SUPER or SET_ANY_DEFINER")?;
            self.may(&Act::Define(std::slice::from_ref(&name)))?;
        }
        if self.server.accounts.get(&name.0, &name.1).is_none() {
            self.require_dynamic("ALLOW_NONEXISTENT_DEFINER", "SUPER or ALLOW_NONEXISTENT_DEFINER")?;
            self.env.conv.push(value::Level::Note, SqlError::new(ErrorCode::NO_SUCH_USER, &[&name.0, &name.1]));
        }
        Ok(name)
    }

    /// 4006 or 4005 for each of the accounts that is a view's definer; `what`: the statement.
    pub(crate) fn check_definers(&mut self, what: &str, names: &[(String, String)]) -> SqlResult<()> {
        const KINDS: [&str; 4] = ["an event", "a view", "a stored routine", "a trigger"];
        // per account, of which kinds it defines something
        let mut used = vec![[false; 4]; names.len()];
        let mut note = |kind: usize, user: &str, host: &str| {
            for ((u, h), used) in names.iter().zip(&mut used) {
                if let Some(known) = used.get_mut(kind).filter(|_| u == user && h == host) {
                    *known = true;
                }
            }
        };
        for schema in self.env.shared.engine.dict().schemas() {
            for r in self.env.relations(&schema.name, Inside::Definers) {
                let Relation::View(v) = r else { continue };
                let (user, host) = views::schema::views::property(&v, "DEFINER").rsplit_once('@').unwrap_or_default();
                note(1, user, host);
            }
            for p in self.env.programs(&schema.name, Inside::Definers) {
                let kind = match p.kind {
                    ProgramKind::Procedure | ProgramKind::Function => 2,
                    ProgramKind::Trigger => 3,
                    ProgramKind::Event => 0,
                };
                note(kind, &p.definer.0, &p.definer.1);
            }
        }
        let allowed = self.env.security.account.privileges.has_dynamic("ALLOW_NONEXISTENT_DEFINER");
        for ((u, h), used) in names.iter().zip(used) {
            let shown = format!("'{u}'@'{h}'");
            for (kind, _) in KINDS.iter().zip(used).filter(|(_, used)| *used) {
                if !allowed {
                    let code = ErrorCode::CANNOT_USER_REFERENCED_AS_DEFINER;
                    return Err(SqlError::new(code, &[&what, &shown, kind]));
                }
                let e = SqlError::new(ErrorCode::USER_REFERENCED_AS_DEFINER, &[&shown, kind]);
                self.env.conv.push(value::Level::Warning, e);
            }
        }
        Ok(())
    }

    /// A view of a system user is dropped by system users only: 1227, once DROP itself is granted.
    pub(crate) fn may_drop_definers(&self, s: &Statement<'_>) -> SqlResult<()> {
        let Statement::DropView(v) = s else { return Ok(()) };
        Gate::new(&self.env).ddl(s)?;
        let mut definers = Vec::new();
        for t in v.views {
            let schema = self.schema_of(t);
            if let Some(Relation::View(w)) = self.env.relation(MayKnow::inside(&schema, t.name, Inside::Definers))
                && let Some((user, host)) = views::schema::views::property(&w, "DEFINER").rsplit_once('@')
            {
                definers.push((user.to_owned(), host.to_owned()));
            }
        }
        self.may(&Act::Define(&definers))
    }
}
