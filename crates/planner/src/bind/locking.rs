//! FOR UPDATE and FOR SHARE: which tables a query locks and how.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;

use super::Scope;
use crate::block::Leaf;
use crate::block::LockClause;
use crate::block::Locks;
use crate::plan::{LockMode, LockWait};

impl Locks {
    /// As written.
    pub(crate) fn new(list: &[ast::Locking<'_>]) -> Locks {
        let clause = |l: &ast::Locking<'_>| LockClause {
            mode: match l.strength {
                ast::LockStrength::Update => LockMode::Update,
                ast::LockStrength::Share => LockMode::Share,
            },
            wait: match l.wait {
                ast::LockWait::Wait => LockWait::Wait,
                ast::LockWait::NoWait => LockWait::NoWait,
                ast::LockWait::SkipLocked => LockWait::SkipLocked,
            },
            of: (!l.of.is_empty()).then(|| l.of.iter().map(|t| t.name.to_owned()).collect()),
            slots: None,
        };
        Locks { clauses: list.iter().map(clause).collect() }
    }

    /// The tables that names stand for: 3568 for a name that is no table of the block, 3569 for a table in two clauses.
    pub(crate) fn resolve(&mut self, scope: &Scope, leaves: &[Leaf]) -> SqlResult<()> {
        for c in &mut self.clauses {
            let Some(of) = &c.of else { continue };
            let mut slots = Vec::new();
            for name in of {
                let found = scope.slots_of(name);
                if found.is_empty() {
                    return Err(SqlError::new(ErrorCode::UNRESOLVED_TABLE_LOCK, &[&format_args!("`{name}`")]));
                }
                slots.extend(found);
            }
            c.slots = Some(slots);
        }
        for l in leaves {
            if self.clauses.iter().filter(|c| c.covers(l.slot)).count() > 1 {
                return Err(SqlError::new(ErrorCode::DUPLICATE_TABLE_LOCK, &[&format_args!("`{}`", l.alias)]));
            }
        }
        Ok(())
    }
}
