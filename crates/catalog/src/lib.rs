//! What every part above the engine needs to know about names that are not tables: the client's vocabulary, the
//! connections, the accounts, the system variables.
//!
//! * [`client`]: what `session` and `wire` say to each other: column definitions, the sink for result rows, parameters of
//!   prepared statements, and [`client::SessionHandler`], the trait through which `wire` drives a session without knowing
//!   SQL.
//! * [`connections`]: the registry behind SHOW PROCESSLIST and KILL.
//! * [`sysvar`]: system variables: one table, global and session values, SET.
//! * [`accounts`]: users, passwords, privileges.

pub mod accounts;
pub mod client;
pub mod connections;
pub mod digest;
pub mod server_keys;
pub mod sysvar;
