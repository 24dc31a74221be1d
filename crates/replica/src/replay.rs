//! Applies files of a binary log on the server whose past they are: `evenkeel restore --to-...` (docs/backup.md).
//!
//! A part of a file becomes the relay log, and the applier runs until it has read all of it: what is applied, and how,
//! is what a replica does with it. Different is only that events stay enabled.
//!
//! Holds the statements' mutex `turn`. A crash leaves a directory that is half-way: whoever calls this must have marked
//! it as one that no server starts on. Tested: `tests/backup/test_to_time.py`, `tests/backup/pitr_random.py`.

use crate::control::Replica;
use crate::events::with_checksum;
use crate::relay::Position;
use crate::settings::Settings;
use crate::shared::Until;
use crate::{applier, state};
use base::{ErrorCode, SqlError, SqlResult};
use binlog::Stamp;
use binlog::log::read::Walk;
use storage::file::FileSystem;

fn failed(e: std::io::Error) -> SqlError {
    SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("relay log: {e}"))
}

impl Replica {
    /// Applies the whole transactions that stand in bytes `from` to `to` of a file. `from` 0: its beginning.
    ///
    /// # Errors
    /// The applier's, with the transaction's place; of reading the file.
    pub fn replay(&self, fs: &dyn FileSystem, file: &str, from: u64, to: u64) -> SqlResult<()> {
        let _turn = self.turn.lock();
        let relay = &self.x.relay;
        relay.reset().map_err(failed)?;
        let mut walk = Walk::open(fs, file, to)?;
        let checksum = walk.format().0.checksum;
        let start = from.max(walk.position());
        walk.seek(start);
        relay.begin_file(&Position { file: file.to_owned(), offset: start }, Stamp::default()).map_err(failed)?;
        while let Some(event) = walk.next(to)? {
            with_checksum(event, checksum).and_then(|e| relay.append(&e)).map_err(failed)?;
        }
        *self.x.until.lock() = Until::Received;
        self.x.applier.clear_error();
        let (x, server) = (self.x.clone(), self.x.server()?);
        let settings = Settings { auto_position: true, ..Settings::default() };
        let started = self.x.applier.start("replica_sql", move || applier::run(&x, &server, &settings));
        started.map_err(failed)?;
        self.x.applier.join();
        let told = self.x.applier.error();
        relay.reset().map_err(failed)?;
        match told.code {
            0 => Ok(()),
            code => {
                let text = format!("the binary log cannot be applied: {file}: error {code}: {}", told.text);
                Err(SqlError::with_message(ErrorCode::UNKNOWN_ERROR, text))
            }
        }
    }

    /// The restored server was a replica that follows a source by file and position: that position is the backup's, and
    /// what was applied since has none, so it does not follow it any more. Whether that was so of any channel.
    ///
    /// # Errors
    /// Of the engine.
    pub fn forget_position(&self) -> SqlResult<bool> {
        let mut by_file = false;
        for (channel, settings, _) in self.session(state::load)? {
            if !settings.auto_position {
                by_file = true;
                self.session(|s| state::forget(s, &channel))??;
            }
        }
        Ok(by_file)
    }
}
