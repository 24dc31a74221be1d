//! Why a statement must stop.

use base::{ErrorCode, SqlError};

/// Ordered by weight: a heavier one replaces a lighter one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kill {
    /// `max_execution_time` is over.
    Timeout = 1,
    /// `KILL QUERY`.
    Query = 2,
    /// `KILL [CONNECTION]`: the connection ends too.
    Connection = 3,
    /// The server shuts down.
    Shutdown = 4,
}

impl Kill {
    pub(crate) fn from_u8(v: u8) -> Option<Kill> {
        match v {
            1 => Some(Kill::Timeout),
            2 => Some(Kill::Query),
            3 => Some(Kill::Connection),
            4 => Some(Kill::Shutdown),
            _ => None,
        }
    }
    /// Whether the connection ends with the statement.
    pub fn ends_connection(self) -> bool {
        self >= Kill::Connection
    }
}

impl From<Kill> for SqlError {
    fn from(k: Kill) -> SqlError {
        let code = match k {
            Kill::Timeout => ErrorCode::QUERY_TIMEOUT,
            Kill::Query | Kill::Connection => ErrorCode::QUERY_INTERRUPTED,
            Kill::Shutdown => ErrorCode::SERVER_SHUTDOWN,
        };
        SqlError::new(code, &[])
    }
}
