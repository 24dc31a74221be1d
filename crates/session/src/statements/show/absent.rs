//! SHOW of what Evenkeel has none of: events of relay logs; SHOW PROFILES. MySQL's columns
//! without rows, or its error for something unknown. Tested: `tests/sql/golden/show_forms.sql`, `system_tables.sql`.

use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::table::Table;
use base::{SqlError, SqlResult};
use parser::ast::Show;

impl Session {
    /// SHOW of what there is none of.
    pub(super) fn show_absent(&mut self, show: &Show<'_>) -> SqlResult<Table> {
        match show {
            Show::Profiles => Ok(self.profiles()),
            _ => Err(SqlError::unsupported("this SHOW statement")),
        }
    }

    /// SHOW PROFILES.
    fn profiles(&self) -> Table {
        let mut t = Table::new(columns::PROFILES);
        for p in self.env.client.connection.activity.recorder.kept_profiles() {
            let seconds = format!("{:.8}", p.duration() as f64 / 1e9);
            let text = String::from_utf8_lossy(&p.text).into_owned();
            t.push(vec![p.id.into(), seconds.into(), text.into()]);
        }
        t
    }
}
