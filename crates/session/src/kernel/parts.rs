//! Parts of a [`Session`](crate::kernel::session::Session) that have no module of their own. Each is written by the
//! session's thread alone.

use crate::kernel::identity::Generated;
use crate::kernel::virtual_tables::Texts;
use base::Lsn;
use catalog::client::{Capabilities, SessionContext};
use sched::pool::Completer;
use std::sync::Arc;
use value::{OwnedValue, SqlType};

/// The client behind the session: what it can do, and what its connection is to do after the answer.
pub(crate) struct Client {
    pub(crate) capabilities: Capabilities,
    /// A text may hold several statements (COM_SET_OPTION).
    pub(crate) multi_statements: bool,
    /// Collation of the handshake, for COM_RESET_CONNECTION.
    pub(crate) collation: u16,
    /// The running statement is the last of its packet, on a thread that serves many: its commit may leave the wait for
    /// the log to the connection ([`catalog::client::SessionHandler::take_unflushed`]).
    pub(crate) may_finish_later: bool,
    /// What the answer to the client must wait for.
    pub(crate) unflushed: Option<(Arc<dyn Completer>, u64)>,
    /// A replica's applier: commits are not waited for one by one.
    pub(crate) deferred: Option<Deferred>,
    /// SHUTDOWN was answered: the server ends with this connection, not before, so that the client hears it.
    pub(crate) shuts_down: bool,
    /// It has been told of `offline_mode`: the next refusal ends the connection.
    pub(crate) told_offline: bool,
    /// How it is connected, as status variables.
    pub(crate) texts: Texts,
}

impl Client {
    pub(crate) fn of(ctx: &SessionContext, texts: Texts) -> Client {
        Client {
            capabilities: ctx.capabilities,
            multi_statements: ctx.capabilities.has(Capabilities::MULTI_STATEMENTS),
            collation: ctx.collation,
            may_finish_later: false,
            unflushed: None,
            deferred: None,
            shuts_down: false,
            told_offline: false,
            texts,
        }
    }
}

impl Client {
    /// Whether packets are compressed.
    pub(crate) fn is_compressed(&self) -> bool {
        self.capabilities.has(Capabilities::COMPRESS) || self.capabilities.has(Capabilities::ZSTD_COMPRESSION_ALGORITHM)
    }
}
/// End of the last commit that has not been waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deferred(pub(crate) Option<Lsn>);

/// What holds for the running statement alone; empty between statements.
#[derive(Default)]
pub(crate) struct Running {
    /// Parameters of the running prepared statement that has no plan (SET, DO): value and type.
    pub(crate) arguments: Vec<(OwnedValue, SqlType)>,
    /// The user variables that they are, in lower case, where EXECUTE names them.
    pub(crate) using: Vec<Box<str>>,
    /// Where the statement stands in the text, if that is a program's.
    pub(crate) span: Option<parser::Span>,
    /// Where the statement stands in its text, if it may be logged as text.
    pub(crate) logged: Option<parser::Span>,
    /// It is CALL: time limits are not for the statements of its programs.
    pub(crate) calls: bool,
    /// Variables have the values of SET_VAR hints.
    pub(crate) set_var: bool,
    /// Passwords that the statement has made, its result.
    pub(crate) made_passwords: Vec<Generated>,
    /// Runs after the plan's body and before the statement ends, where an AFTER trigger would.
    #[cfg(test)]
    pub(crate) double: Option<crate::kernel::nested_tests::Double>,
}
