//! From a running engine to blocks.

use crate::block::{Block, Kind, space_key};
use crate::error::{Error, Result};
use crate::manifest::{Begin, End};
use base::Lsn;
use binlog::log::Log;
use std::path::PathBuf;
use std::sync::Arc;
use storage::backup::Backup;
use storage::backup::pages::Piece;
use storage::engine::Engine;

/// What is read, and what is said of it.
pub struct Source<'a> {
    /// The engine.
    pub engine: &'a Arc<Engine>,
    /// The binary log, if it is on.
    pub log: Option<&'a Arc<Log>>,
    /// Small files that go with it: their name in a data directory, and where they are. One that is not there is left
    /// out.
    pub files: Vec<(&'static str, PathBuf)>,
    /// `server_uuid`.
    pub server_uuid: String,
    /// `version`.
    pub version: String,
    /// Names are kept in lower case.
    pub folded: bool,
}

/// Seconds since 1970.
fn now() -> u64 {
    sys::clock::wall_micros() / 1_000_000
}

/// A number for a backup that no other has.
fn new_id() -> Result<String> {
    let mut b = [0u8; 16];
    sys::process::random_bytes(&mut b).map_err(|e| Error::io("random bytes", e))?;
    Ok(base::hex::encode(&b))
}

/// The engine's error, unless it is the one that stands for what `out` has said.
fn unwrapped(e: storage::StorageError, said: &mut Option<Error>) -> Error {
    said.take().unwrap_or(Error::Engine(e))
}

/// Takes a backup: gives its blocks to `out`, one after the other. `since`: the backup on which it builds, and where
/// that one's recovery starts.
///
/// # Errors
/// Of the engine, of the files, what `out` says.
pub fn take(
    source: &Source<'_>,
    since: Option<(&str, Lsn)>,
    out: &mut dyn FnMut(Block) -> Result<()>,
) -> Result<(Begin, End)> {
    let mut number = 0;
    let mut give = |kind: Kind, key: u64, bytes: Vec<u8>| {
        number += 1;
        out(Block { kind, number: number - 1, key, bytes })
    };
    let mut backup = Backup::begin(source.engine)?;
    let spaces = backup.spaces()?;
    let files = source.engine.store().files();
    let begin = Begin {
        id: new_id()?,
        base: since.map_or(String::new(), |(id, _)| id.to_owned()),
        start: backup.start(),
        since: since.map_or(Lsn(0), |(_, lsn)| lsn),
        server_uuid: source.server_uuid.clone(),
        version: source.version.clone(),
        folded: source.folded,
        time: now(),
        bytes: spaces.iter().map(|s| files.size(*s).unwrap_or(0)).sum(),
    };
    give(Kind::Begin, 0, begin.to_bytes())?;
    let mut said = None;
    // what the receiver says passes through the engine as an interruption
    let interrupted = storage::StorageError::Interrupted;
    for space in spaces {
        let mut piece = |p: Piece<'_>| {
            let given = match p {
                Piece::Length(pages) => give(Kind::Length, space_key(space, pages), Vec::new()),
                Piece::Pages(first, bytes) => give(Kind::Pages, space_key(space, first.0), bytes.to_vec()),
            };
            given.map_err(|e| {
                said = Some(e);
                interrupted.clone()
            })
        };
        backup.copy_space(space, begin.since, &mut piece).map_err(|e| unwrapped(e, &mut said))?;
    }
    // accounts before the end: what a change of them has done to the engine is in the redo then
    let small: Vec<_> =
        source.files.iter().filter_map(|(name, path)| Some((name, std::fs::read(path).ok()?))).collect();
    let (lsn, (log, time)) = backup.finish(|| (source.log.map(|l| l.state()), now()))?;
    let mut redo = |lsn: Lsn, bytes: &[u8]| {
        give(Kind::Redo, lsn.0, bytes.to_vec()).map_err(|e| {
            said = Some(e);
            interrupted.clone()
        })
    };
    backup.redo(&mut redo).map_err(|e| unwrapped(e, &mut said))?;
    for (name, contents) in small {
        give(Kind::File, 0, [name.as_bytes(), &[0], &contents].concat())?;
    }
    let (log_file, log_position, executed) = log.unwrap_or_default();
    let end = End { end: lsn, log_file, log_position, executed: executed.to_string().replace('\n', ""), time };
    give(Kind::End, 0, end.to_bytes())?;
    Ok((begin, end))
}
