//! Who inserts the rows of `mysql.general_log` and `mysql.slow_log`: a session of the server's own in the logs' thread,
//! because the running statement may be inside a transaction or hold locks. What it runs is in no log. Tested:
//! `tests/clients/test_settings.py`.

use crate::kernel::server::Server;
use crate::kernel::session::{Session, own_context};
use crate::logs::general::LogTables;
use crate::results::collector::Collector;
use std::sync::Weak;

struct Writer(Session);

/// Opens the session.
pub(crate) fn open(server: &Weak<Server>) -> Option<Box<dyn LogTables>> {
    let s = server.upgrade()?;
    let opened = Session::open(&s, own_context(&s, "root"));
    drop(s);
    let mut session = opened.ok()?;
    session.log.unlogged = true;
    session.leave_binary_log();
    let start =
        "SET time_zone = '+00:00', autocommit = 1, sql_mode = '', lock_wait_timeout = 1, innodb_lock_wait_timeout = 1";
    let mut writer = Writer(session);
    writer.insert(start);
    Some(Box::new(writer))
}

impl LogTables for Writer {
    fn insert(&mut self, sql: &str) -> bool {
        let sched = self.0.sched.clone();
        let _attached = sched.attach();
        let _ = self.0.run_text(sql.as_bytes(), &mut Collector::default());
        !self.0.server.is_stopping()
    }
}
