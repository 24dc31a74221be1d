//! The MySQL client/server protocol: packets, handshake, authentication, TLS, compression, commands, result sets. Knows no SQL.
//!
//! `server` accepts a socket and calls [`serve`] on the connection's own thread; that runs the handshake ([`handshake`], [`auth`]), opens a
//! session through [`catalog::client::SessionFactory`] and then executes commands ([`command`]) until the client quits, is killed or breaks the
//! protocol.
//!
//! Layers, inner to outer: [`transport`] (socket or TLS), [`channel`] (buffers, packets, compression), [`sink`] (result sets into the output
//! buffer). One `read` per command when its data has arrived, one `write` per answer; buffers are reused, nothing is allocated per query.
//!
//! Locks: none held across a read or write. Errors of the network end the connection; nothing a client sends may panic: lengths are
//! checked by [`codec::Reader`], and before authentication a packet may have 64 KiB at most.
//!
//! Source: MySQL Source Code Documentation, "Client/Server Protocol". Tests: beside the code, and `tests/` with a client of its own.

pub mod auth;
mod certificate;
pub mod channel;
mod codec;
pub mod command;
pub mod handshake;
pub mod keys;
pub mod params;
pub mod serve;
pub mod sink;
pub mod transport;

pub use auth::PasswordCache;
pub use keys::{RsaKey, TlsFiles};
/// TLS settings as loaded by [`TlsFiles::load`].
pub use rustls::ServerConfig as TlsConfig;
pub use serve::{End, Served, WireServer, greet, refuse};
pub use transport::Socket;
