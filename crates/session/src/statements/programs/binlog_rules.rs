//! Who may make which function and trigger while there is a binary log (manual, "Stored Program Binary Logging"): 1418
//! and 1419. `log_bin` is the switch; it reads OFF until there is one, as on a MySQL with `--skip-log-bin`, and nothing
//! is refused. Pure code, tested below.

use base::{ErrorCode, SqlError, SqlResult};
use storage::dict::{DataAccess, ProgramDefinition, ProgramKind};

/// The settings that decide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// `log_bin`
    pub(super) log: bool,
    /// `log_bin_trust_function_creators`
    pub(super) trust: bool,
    /// The session's account has SUPER.
    pub(super) privileged: bool,
}

impl Rules {
    /// Whether the program may be made or changed to this.
    pub(super) fn allow(self, p: &ProgramDefinition) -> SqlResult<()> {
        if !self.log || self.trust {
            return Ok(());
        }
        let changes = matches!(p.access, DataAccess::ContainsSql | DataAccess::ModifiesSqlData);
        match p.kind {
            ProgramKind::Function if !p.deterministic && changes => {
                Err(SqlError::new(ErrorCode::BINLOG_UNSAFE_ROUTINE, &[]))
            }
            ProgramKind::Function | ProgramKind::Trigger if !self.privileged => {
                Err(SqlError::new(ErrorCode::BINLOG_CREATE_ROUTINE_NEED_SUPER, &[]))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_triggers_under_a_binary_log() {
        let code = |r: Rules, kind, deterministic, access| {
            let p = ProgramDefinition { deterministic, access, ..ProgramDefinition::new(kind, "d", "p") };
            r.allow(&p).err().map_or(0, |e| e.code())
        };
        let (function, trigger) = (ProgramKind::Function, ProgramKind::Trigger);
        let strict = Rules { log: true, trust: false, privileged: true };
        assert_eq!(code(strict, function, false, DataAccess::ContainsSql), 1418);
        assert_eq!(code(strict, function, false, DataAccess::ModifiesSqlData), 1418);
        assert_eq!(code(strict, function, true, DataAccess::ModifiesSqlData), 0);
        assert_eq!(code(strict, function, false, DataAccess::ReadsSqlData), 0);
        assert_eq!(code(strict, function, false, DataAccess::NoSql), 0);
        assert_eq!(code(strict, trigger, false, DataAccess::ContainsSql), 0);
        let anybody = Rules { privileged: false, ..strict };
        assert_eq!(code(anybody, function, true, DataAccess::NoSql), 1419);
        assert_eq!(code(anybody, trigger, false, DataAccess::ContainsSql), 1419);
        assert_eq!(code(anybody, ProgramKind::Procedure, false, DataAccess::ModifiesSqlData), 0);
        assert_eq!(code(anybody, ProgramKind::Event, false, DataAccess::ModifiesSqlData), 0);
        for off in [Rules { log: false, ..anybody }, Rules { trust: true, ..anybody }] {
            assert_eq!(code(off, function, false, DataAccess::ContainsSql), 0);
            assert_eq!(code(off, trigger, false, DataAccess::ContainsSql), 0);
        }
    }
}
