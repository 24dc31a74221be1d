//! What the thread `replica_sql` does with a transaction itself: applies it beside nothing else, or passes it over.
//!
//! Tested: `tests/binlog/test_replica.py`, `tests/binlog/test_skip_counter.py`.

use super::job::Job;
use super::worker::Failure;
use super::{Coordinator, Trouble};
use probe::Stage;
use std::sync::atomic::Ordering;

impl Coordinator<'_> {
    /// `sql_replica_skip_counter`: passes a transaction over, by itself. Its events count, and a transaction that has
    /// begun is passed over as a whole. When none is to come any more, the position behind it is durable: after a crash
    /// nobody would know that it was to be passed over.
    pub(super) fn skip(&mut self, job: &Job) -> Result<bool, Trouble> {
        if !self.apply(job)? {
            return Ok(false);
        }
        let left = self.x.skip.load(Ordering::Relaxed).saturating_sub(job.count);
        if left == 0 {
            self.work.flush()?;
        }
        let (from, to) = (&job.from, &job.to);
        let text = format!(
            "sql_replica_skip_counter: {} events of transaction '{}' were skipped, source log {}, position {} to {}",
            job.count,
            job.name(),
            from.file,
            from.offset,
            to.offset
        );
        probe::errorlog::say("Note", "Repl", 0, &text);
        self.x.skip.store(left, Ordering::Relaxed);
        Ok(true)
    }

    /// Applies a transaction itself, when all before are applied. False: the thread ends before it.
    pub(super) fn apply(&mut self, job: &Job) -> Result<bool, Trouble> {
        let x = self.x;
        if !self.threads.is_empty() {
            self.at(Stage::WaitingForWorkers);
            if !self.q.drain(&|| x.applier.stops()) {
                return Ok(false);
            }
        }
        self.at(Stage::ApplyingBatch);
        self.q.begin_alone(job);
        if let Some(turns) = &self.q.turns {
            self.work.s.begin_turn(turns, job.n);
        }
        let done = self.work.run(job);
        x.temp_tables.store(self.work.s.open_temporary_tables(), Ordering::Relaxed);
        match (done, self.threads.first()) {
            (Ok(()), first) => {
                if first.is_some() {
                    x.applier.progress.ends();
                }
                Ok(true)
            }
            (Err(trouble), Some(first)) if !x.applier.stops() => {
                x.applier.progress.ends();
                Failure { trouble, n: job.n, name: job.name(), at: self.work.at.clone() }.tell(x, self.q, 0, first);
                Ok(false)
            }
            (Err(trouble), _) => {
                self.q.fail(job.n);
                Err(trouble)
            }
        }
    }
}
