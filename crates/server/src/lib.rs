//! The server: options, data directory, listeners, start-up and shutdown; the binary `evenkeel`.
//!
//! * [`options`]: command line and option files into global variables.
//! * [`datadir`]: creating, locking, what must be there, identity; `keys`: TLS and RSA keys.
//! * `initialize`: the first start; `user`: `--user`; `writable`: places that options name.
//! * [`log`]: the error log in MySQL's format.
//! * [`listen`]: sockets, one thread per connection, max_connections.
//! * [`notify`]: what a service manager is told.
//! * `sizes`: sizes that follow from other options.
//! * [`engine`]: the seam to the SQL engine: opens it, makes sessions, shuts it down.
//! * [`run`]: start-up in order, signals, shutdown in order.
//!
//! Locks: none of its own beyond the registry's. A crash at any point of start-up leaves files that the next start completes.

pub mod advice;
pub mod backup_command;
mod backup_options;
mod binary_log;
mod computed;
pub mod datadir;
pub mod engine;
mod forward;
mod init_file;
mod initialize;
mod keys;
pub mod listen;
pub mod log;
pub mod notify;
pub mod options;
mod plugins;
pub mod run;
mod services;
mod sizes;
mod system_tables;
mod time_zones;
mod user;
mod writable;

/// `@@version`.
pub const VERSION: &str = "8.4.7-evenkeel-0.1.0";
/// `@@version_comment`.
pub const VERSION_COMMENT: &str = if probe::instruments::BUILT {
    "Evenkeel, a MySQL-compatible server"
} else {
    "Evenkeel, a MySQL-compatible server, without instruments"
};
