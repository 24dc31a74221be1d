//! The vocabulary shared by `session` (which runs statements) and `wire` (which talks the protocol).
//!
//! `wire` knows no SQL and `session` knows no packets. `server` opens a session through [`SessionFactory`] after the
//! handshake; `wire` then calls one method of [`SessionHandler`] per command and passes a [`ResultSink`], into whose
//! buffer rows are written *in place* in wire format (text or binary, see [`row`]).
//!
//! Rules: an `Err` of a handler's method becomes one ERR packet (also after rows have been sent); a method that returns
//! `Ok(())` has finished its answer with [`ResultSink::ok`] or [`ResultSink::end_rows`]. The sink never blocks while rows
//! fit its buffer; when it writes to the socket it may block, so a caller must hold no latch (invariant 1).
//!
//! Tested through `wire` (crates/wire/tests).

pub mod column;
pub mod flags;
pub mod handler;
pub mod params;
pub mod row;
pub mod sink;
pub mod text_rows;
pub mod track;

pub use column::{ColumnDef, ColumnFlags, FieldType, ResultMeta, in_charset};
pub use flags::{Capabilities, StatusFlags};
pub use handler::{Command, CursorType, NetParams, Prepared, SessionContext, SessionFactory, SessionHandler};
pub use params::{Param, QueryAttribute};
pub use sink::{EndRows, OkInfo, PacketSink, ResultSink, RowFormat};
pub use text_rows::TextRows;
pub use track::StateChanges;
