//! Computes VIRTUAL columns for rows that were written before an instant ADD COLUMN ([`storage::table::computed`]).
//!
//! Expressions are evaluated by sessions of the server's own, with the global settings and no client: the running statement's session is busy with
//! reading the row. A few of them are kept; the mutex is a leaf and held only to take one or to give it back.
//! Tested by golden `alter_virtual`, `tests/sql/test_alter_virtual.py`.

use crate::kernel::server::Server;
use crate::kernel::session::Session;
use base::SqlError;
use bumpalo::Bump;
use executor::table_exprs::Lacking;
use parking_lot::Mutex;
use std::sync::{Arc, Weak};
use storage::dict::TableDef;
use storage::table::computed::{ColumnComputer, ComputedColumns};
use value::Value;

/// Sessions kept for later.
const KEPT: usize = 16;

/// The server's sessions for computing columns.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// Counts how often the global settings have changed: a session has those of its beginning.
    settings: u64,
    sessions: Vec<Session>,
}

impl Pool {
    /// Global settings have changed, or the engine is about to go.
    pub(crate) fn forget(&self) {
        let old = {
            let mut kept = self.0.lock();
            kept.settings += 1;
            std::mem::take(&mut kept.sessions)
        };
        drop(old);
    }
}

/// What the engine is given at the start.
pub(crate) struct Computer(pub(crate) Weak<Server>);

struct Columns {
    bound: Lacking,
    server: Weak<Server>,
}

/// Runs `f` with one of the server's sessions.
fn with_session<R>(server: &Weak<Server>, f: impl FnOnce(&mut Session) -> R) -> Result<R, SqlError> {
    let server = server.upgrade().ok_or_else(|| SqlError::new(base::ErrorCode::SERVER_SHUTDOWN, &[]))?;
    let (settings, kept) = {
        let mut kept = server.computing.0.lock();
        (kept.settings, kept.sessions.pop())
    };
    let mut session = match kept {
        Some(s) => s,
        None => Session::internal(&server)?,
    };
    let done = f(&mut session);
    let mut kept = server.computing.0.lock();
    if kept.settings == settings && kept.sessions.len() < KEPT && !server.is_stopping() {
        kept.sessions.push(session);
    }
    Ok(done)
}

impl ColumnComputer for Computer {
    fn bind(&self, def: &Arc<TableDef>) -> Result<Box<dyn ComputedColumns>, SqlError> {
        let bound = with_session(&self.0, |s| Lacking::new(def, &s.env))??;
        Ok(Box::new(Columns { bound, server: self.0.clone() }))
    }
}

impl ComputedColumns for Columns {
    fn compute<'a>(&'a self, columns: &[u16], row: &mut [Value<'a>], arena: &'a Bump) -> Result<(), (u16, SqlError)> {
        let first = columns.first().copied().unwrap_or(0);
        let done = with_session(&self.server, |s| {
            s.env.begin_statement();
            self.bound.compute(columns, row, &mut s.env, arena)
        });
        done.unwrap_or_else(|e| Err((first, e)))
    }
}
