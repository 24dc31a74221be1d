//! SHOW ENGINE: InnoDB's monitor, the latches that made threads wait, what performance_schema keeps. Reads counters and
//! copies of lists as they are at the moment. Tested: `tests/sql/golden/show_forms.sql`, `tests/clients/test_gate.py`.

use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::table::Table;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::Var;
use parser::ast::EngineWhat;

impl Session {
    /// SHOW ENGINE: 1286 for unknown ones.
    pub(super) fn show_engine(&mut self, name: Option<&str>, what: EngineWhat) -> SqlResult<Table> {
        let is = |n: &str| name.is_none_or(|given| given.eq_ignore_ascii_case(n));
        if !is("InnoDB") && !is("performance_schema") {
            return Err(SqlError::new(ErrorCode::UNKNOWN_STORAGE_ENGINE, &[&name.unwrap_or("")]));
        }
        self.require(Privs::PROCESS, "PROCESS")?;
        let mut t = Table::new(columns::ENGINE_STATUS);
        if is("InnoDB") {
            match what {
                EngineWhat::Status => {
                    t.push(vec!["InnoDB".into(), "".into(), self.server.monitor().into()]);
                }
                // those that made threads wait
                EngineWhat::Mutex => {
                    for c in latch::class::ALL {
                        let waits = c.waits.snapshot().count;
                        if waits > 0 {
                            t.push(vec!["InnoDB".into(), c.name.into(), format!("waits={waits}").into()]);
                        }
                    }
                }
                EngineWhat::Logs => {}
            }
        }
        if is("performance_schema") && what == EngineWhat::Status {
            let digests = probe::statements::all().len();
            let limit = self.env.shared.globals.num(Var::performance_schema_digests_size);
            for (what, n) in [("count", digests.to_string()), ("size", (limit as i64).to_string())] {
                let name = format!("events_statements_summary_by_digest.{what}");
                t.push(vec!["performance_schema".into(), name.into(), n.into()]);
            }
        }
        Ok(t)
    }
}
