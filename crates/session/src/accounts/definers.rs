//! Accounts that views name as their definer: dropping, renaming or making one is refused (4006) or, for accounts with
//! ALLOW_NONEXISTENT_DEFINER or SUPER, warned about (4005), as the manual says in "Orphan Stored Objects".
//!
//! Only views have definers here. Nothing is locked: what is asked is the dictionary as it is now. Tested: golden `mysql_files`, `tests/clients/test_dynamic_privileges.py`.

use crate::accounts::rules::Act;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use executor::gate::{Gate, Inside, MayKnow};
use parser::ast::Statement;
use storage::dict::Relation;

impl Session {
    /// 4006 or 4005 for each of the accounts that is a view's definer; `what`: the statement.
    pub(crate) fn check_definers(&mut self, what: &str, names: &[(String, String)]) -> SqlResult<()> {
        let mut used = vec![false; names.len()];
        for schema in self.env.shared.engine.dict().schemas() {
            for r in self.env.relations(&schema.name, Inside::Definers) {
                let Relation::View(v) = r else { continue };
                let definer = views::schema::views::property(&v, "DEFINER");
                for ((u, h), used) in names.iter().zip(&mut used) {
                    *used |= definer.strip_prefix(u.as_str()).and_then(|d| d.strip_prefix('@')) == Some(h.as_str());
                }
            }
        }
        let allowed = self.env.security.account.privileges.has_dynamic("ALLOW_NONEXISTENT_DEFINER");
        for ((u, h), _) in names.iter().zip(used).filter(|(_, used)| *used) {
            let shown = format!("'{u}'@'{h}'");
            if !allowed {
                let code = ErrorCode::CANNOT_USER_REFERENCED_AS_DEFINER;
                return Err(SqlError::new(code, &[&what, &shown, &"a view"]));
            }
            let e = SqlError::new(ErrorCode::USER_REFERENCED_AS_DEFINER, &[&shown, &"a view"]);
            self.env.conv.push(value::Level::Warning, e);
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
