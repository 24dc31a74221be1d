//! FOR UPDATE and FOR SHARE: which tables a query locks and how.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;

use super::Leaf;
use crate::plan::{LockMode, LockWait};

/// One locking clause.
pub(crate) struct LockClause {
    pub(crate) mode: LockMode,
    pub(crate) wait: LockWait,
    /// Aliases it is restricted to.
    pub(crate) of: Option<Vec<String>>,
}

/// Row locks of the block's tables.
#[derive(Default)]
pub(crate) struct Locks {
    pub(crate) clauses: Vec<LockClause>,
}

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
        };
        Locks { clauses: list.iter().map(clause).collect() }
    }

    /// 3568 for a name that is no table of the block, 3569 for a table in two clauses.
    pub(crate) fn check(&self, leaves: &[Leaf]) -> SqlResult<()> {
        for name in self.clauses.iter().filter_map(|c| c.of.as_ref()).flatten() {
            if !leaves.iter().any(|l| l.alias == *name) {
                return Err(SqlError::new(ErrorCode::UNRESOLVED_TABLE_LOCK, &[name]));
            }
        }
        for l in leaves {
            if self.clauses.iter().filter(|c| c.covers(&l.alias)).count() > 1 {
                return Err(SqlError::new(ErrorCode::DUPLICATE_TABLE_LOCK, &[&l.alias]));
            }
        }
        Ok(())
    }

    /// Lock of a table.
    pub(crate) fn of(&self, alias: &str) -> (LockMode, LockWait) {
        self.clauses.iter().find(|c| c.covers(alias)).map_or((LockMode::None, LockWait::Wait), |c| (c.mode, c.wait))
    }
}

impl LockClause {
    fn covers(&self, alias: &str) -> bool {
        self.of.as_ref().is_none_or(|of| of.iter().any(|n| n == alias))
    }
}
