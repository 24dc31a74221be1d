//! After a crash: is the last statement on accounts in the binary log?
//!
//! The accounts' journal is durable before the statement's event is. What a crash in between leaves was never
//! acknowledged, and a replica would never see it: it is taken back, before anybody can log in. The journal's last line
//! names the place behind which the event must be ([`catalog::accounts::place`]), so what is read of the log is what
//! others have committed between the two; events on accounts name the schema `mysql` alone. Where the file is gone
//! (purged, reset, the log has another name, the data directory is a copy) the statement counts as logged. What came
//! along with a routine is asked of the dictionary instead, binary log or none.
//!
//! Runs at the start, alone. A crash in it: the next start does it again. Tested:
//! `tests/binlog/test_replica_accounts.py`, by hand `tests/binlog/kill_random.py`.

use crate::kernel::server::Server;
use crate::kernel::session::Session;
use base::SqlResult;
use binlog::event::EventType;
use binlog::log::follow::End;
use binlog::query::Query;
use catalog::accounts::place::{LogPlace, OfRoutine, Proof};
use catalog::sysvar::Var;
use std::sync::Arc;
use storage::dict::ProgramKind;

impl Server {
    /// See the module. True: a statement was taken back.
    ///
    /// # Errors
    /// Of the log and of the accounts' file.
    pub fn settle_accounts(self: &Arc<Self>) -> SqlResult<bool> {
        let done = match self.accounts.unsure() {
            None => true,
            Some(Proof::Event(place)) => self.is_logged(&place)?,
            Some(Proof::Routine(r)) => Session::internal(self)?.has_routine(&r) != r.drops,
        };
        if !done {
            self.accounts.take_back()?;
        }
        Ok(!done)
    }

    /// Whether an event on accounts stands there or behind.
    fn is_logged(&self, place: &LogPlace) -> SqlResult<bool> {
        let Some(log) = self.source.log().filter(|_| *self.globals.string(Var::server_uuid) == *place.server) else {
            return Ok(true);
        };
        let Some(mut reader) = log.follow(&place.file)? else { return Ok(true) };
        if reader.readable()? < place.at {
            return Ok(true);
        }
        reader.walk().seek(place.at);
        loop {
            let found = match reader.read()? {
                Err(End::OfLog) => return Ok(false),
                Err(End::OfFile) => None,
                Ok(bytes) => Some(bytes.to_vec()),
            };
            match found {
                None => reader.next_file()?,
                Some(bytes) if is_of_accounts(reader.walk().parse(&bytes).ok()) => return Ok(true),
                Some(_) => {}
            }
        }
    }
}

impl Session {
    fn has_routine(&self, r: &OfRoutine) -> bool {
        let kind = if r.function { ProgramKind::Function } else { ProgramKind::Procedure };
        let found = self.env.program_identity(kind, &r.schema, &r.name);
        found.is_some_and(|(id, _)| r.id == 0 || id == r.id)
    }
}

/// A statement that changes nothing but the schema of accounts.
fn is_of_accounts(event: Option<binlog::event::Event<'_>>) -> bool {
    let Some(e) = event.filter(|e| EventType::from_u8(e.header.kind) == Some(EventType::Query)) else { return false };
    let Ok(q) = Query::read(e.header.flags, e.body) else { return false };
    let schemas = q.vars.updated_schemas.and_then(|s| s.0).unwrap_or_default();
    schemas.iter().any(|s| **s == *b"mysql")
}
