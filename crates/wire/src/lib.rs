//! The MySQL client/server protocol: packets, handshake, authentication, TLS, compression, commands, result sets. This
//! crate knows no SQL.
//!
//! `server` accepts a socket and calls [`serve`] on the connection's own thread. That runs the handshake
//! ([`handshake`], [`auth`]), opens a session through [`catalog::client::SessionFactory`], and then executes commands
//! ([`command`]) until the client quits, is killed or breaks the protocol.
//!
//! Layers, inner to outer: [`transport`] (socket or TLS), [`channel`] (buffers, packets, compression), [`sink`] (result
//! sets into the output buffer). A command whose data has arrived takes one `read`, an answer one `write`. Buffers are
//! used again; nothing is allocated per query.
//!
//! Locks: none is held across a read or a write. An error of the network ends the connection. Nothing that a client sends
//! may cause a panic: [`codec::Reader`] checks lengths, and before authentication a packet may have at most 64 KiB.
//!
//! Source: MySQL Source Code Documentation, "Client/Server Protocol". Tests: beside the code, and `tests/` with a client
//! of its own.

pub mod auth;
mod certificate;
pub mod channel;
mod codec;
pub mod command;
pub mod handshake;
mod inside;
pub mod keys;
pub mod params;
pub mod serve;
pub mod sink;
mod socket;
pub mod transport;

pub use auth::PasswordCache;
pub use inside::{Inside, Visitor, Watching};
pub use keys::{RsaKey, TlsFiles};
/// TLS settings as loaded by [`TlsFiles::load`].
pub use rustls::ServerConfig as TlsConfig;
pub use serve::{End, Served, WireServer, greet, refuse};
pub use transport::Socket;
