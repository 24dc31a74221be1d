//! Tables that a session has opened with HANDLER (`statements/handler.rs`), by the names that it gave them.
//!
//! Each has a metadata lock, S of explicit duration, as in MySQL: the table's definition stays. Who wants to change it
//! waits until the session closes the handler or runs another statement, which gives way ([`Session::give_way`]): the
//! lock goes, and the next READ takes it again and begins anew.

use crate::kernel::session::Session;
use executor::handler::Place;
use mdl::Ticket;

/// An open handler.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) alias: String,
    pub(crate) schema: String,
    pub(crate) name: String,
    pub(crate) id: base::TableId,
    pub(crate) version: u64,
    pub(crate) place: Place,
    /// Its lock; `None`: it has given way, or nobody else sees the table.
    pub(crate) lock: Option<Ticket>,
}

impl Session {
    /// Locks of open handlers that others wait for go. Handlers of tables that the session itself has changed or
    /// dropped (nobody else can) are closed.
    #[cold]
    pub(crate) fn give_way(&mut self) {
        let mut handlers = std::mem::take(&mut self.tables.handlers);
        handlers.retain_mut(|h| {
            let Some(ticket) = h.lock else { return true };
            let now = self.env.shared_identity(&h.schema, &h.name).map(|i| (i.id, i.version));
            let is_same = now == Some((h.id.0, h.version));
            if !is_same || self.env.mdl.is_in_the_way(ticket) {
                self.env.mdl.release(ticket);
                h.lock = None;
            }
            is_same
        });
        self.tables.handlers = handlers;
    }

    /// A handler is closed.
    pub(crate) fn close_handler(&mut self, at: usize) {
        if let Some(ticket) = self.tables.handlers.remove(at).lock {
            self.env.mdl.release(ticket);
        }
    }
}
