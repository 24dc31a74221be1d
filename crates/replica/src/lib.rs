//! Being a replica (docs/replica.md): receives a source's binary log, keeps it in the relay log, applies it.
//!
//! * [`channels`], [`shared`]: the channels, of which each follows a source.
//! * [`settings`], [`values`]: what CHANGE REPLICATION SOURCE TO has said. [`state`]: that and positions, in a table of
//!   the engine.
//! * [`client`], [`dial`], [`packets`], [`tls`], [`packed`]: a connection to the source, as a client of MySQL's
//!   protocol.
//! * [`relay`], [`reader`]: the relay log's files.
//! * [`receiver`]: the thread that fills them. [`applier`], [`events`]: the thread that applies them.
//! * [`filters`]: which changes are applied. [`checks`]: with whose rights. [`globals`]: what SET GLOBAL may.
//! * [`control`], [`running`], [`thread`]: what START REPLICA and its like do; [`status`]: SHOW REPLICA STATUS;
//!   [`tables`], [`progress`]: performance_schema.
//!
//! Locks: the mutex of [`control`] is held while threads are started and ended, those of [`relay`] and [`state`] for
//! moments, never across a read from the source or a statement. A crash loses what is in the relay log beyond its last
//! whole transaction; it is received again. What is applied is in the engine with its position.
//!
//! Tested: `tests/binlog/test_replica.py` with MySQL and Evenkeel as source.

mod applier;
mod channels;
mod checks;
mod client;
mod control;
mod dial;
mod donor;
mod events;
mod filters;
mod globals;
mod packed;
mod packets;
mod progress;
mod reader;
mod receiver;
mod relay;
mod replay;
mod running;
mod settings;
mod shared;
mod state;
mod status;
mod tables;
mod telling;
mod thread;
mod tls;
mod values;

pub use client::Client;
pub use control::Replica;
pub use packets::Failed;
pub use settings::Settings;
