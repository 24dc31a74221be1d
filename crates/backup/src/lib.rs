//! Backups as blocks (docs/backup.md): taken from a running engine, kept in a folder or a stream, made into a data
//! directory again.
//!
//! * [`block`]: one block as bytes: number, checksum, compression. [`manifest`]: what the first and the last block say.
//! * [`take`]: from a running engine to blocks. [`keep`]: blocks into a folder or a stream. [`read`]: back, verified.
//! * [`taken`]: on which backups another one may build.
//! * [`forward`]: which part of a binary log brings what was restored to a point in time.
//! * [`restore`]: from the blocks of one backup, or of a chain, to a data directory.
//! * [`replace`]: a clone in the place of a server's own data.
//!
//! No locks of its own. A crash while a backup is kept leaves a folder without `backup.json`, which is none. Tested:
//! beside the code, `tests/backup`.

pub mod block;
pub mod error;
pub mod forward;
#[cfg(test)]
mod forward_tests;
pub mod keep;
pub mod manifest;
pub mod read;
pub mod replace;
pub mod restore;
pub mod take;
pub mod taken;

pub use block::{Block, Kind};
pub use error::{Error, Result};
pub use manifest::{Begin, End};
