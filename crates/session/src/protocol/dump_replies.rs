//! A dump to a semi-synchronous replica: what it answers ([`binlog::semi_sync`] says who waits for that).
//!
//! The thread that sends also reads the answers: it asks after the last event that there is, and waits before it sends
//! the next. Tested: `tests/binlog/test_semi_sync.py`.

use super::dump::{Sender, fatal};
use base::SqlResult;
use binlog::event::{EventType, Header};
use binlog::log::Log;
use binlog::semi_sync;
use std::sync::Arc;
use std::time::{Duration, Instant};
use storage::attached::Place;

/// How long a replica that was asked is waited for before the next event is sent.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a dump that waits for such an answer looks whether it was killed.
const LOOK: Duration = Duration::from_millis(500);

/// A replica that acknowledges what it has received: each packet begins with two bytes more, of which the second asks
/// for it. It is asked after the last event that there is, so one answer is for all that came together.
pub(super) struct SemiSyncReplica {
    pub(super) log: Arc<Log>,
    /// Of the replica.
    pub(super) connection: u64,
    /// Answers that have not come.
    pub(super) owed: u32,
}

impl Sender<'_> {
    /// Waits until the replica has said what it has, but not much longer than commits do: one that says nothing gets
    /// the log all the same. False: the connection is to end.
    pub(super) fn take_replies(&mut self, at: (&str, u64)) -> SqlResult<bool> {
        let began = Instant::now();
        while self.semi.as_ref().is_some_and(|s| s.owed > 0) && began.elapsed() < PATIENCE {
            if self.out.killed() {
                return Ok(false);
            }
            match (self.out.reply(LOOK)?, &mut self.semi) {
                (Some(packet), Some(semi)) => {
                    let (name, position) = semi_sync::read_reply(&packet)
                        .ok_or_else(|| fatal("bad reply of a semi-synchronous replica"))?;
                    semi.owed = semi.owed.saturating_sub(1);
                    if let Some(file) = semi.log.names().number(&name) {
                        semi.log.semi_sync.acknowledged(semi.connection, Place { file, offset: position }, true);
                    }
                }
                _ if self.heartbeat.is_some_and(|p| self.sent.elapsed() >= p) => {
                    self.send_heartbeat(at.0, at.1)?;
                    self.out.flush()?;
                }
                _ => {}
            }
        }
        Ok(true)
    }
}

/// Events about files: replicas do not keep them as they keep others.
pub(super) fn is_of_file(event: &[u8]) -> bool {
    let kind = Header::read(event).ok().and_then(|h| EventType::from_u8(h.kind));
    matches!(kind, Some(EventType::Rotate | EventType::Stop | EventType::FormatDescription))
}
