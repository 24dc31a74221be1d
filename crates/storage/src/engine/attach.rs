//! Attached bytes without a transaction of the engine: see [`crate::attached`].

use super::Engine;
use crate::attached::Place;
use crate::error::Result;
use crate::mtr::Mtr;
use base::Lsn;

impl Engine {
    /// Logs bytes in the order of commits, for a change that the engine does not hold. Up to the LSN that it gives the
    /// log must be durable.
    ///
    /// # Errors
    /// The log has failed; `RecordTooLong` above [`crate::attached::MAX_ATTACHED`].
    pub fn attach(&self, bytes: &[u8]) -> Result<Lsn> {
        let mut mtr = self.store.mtr()?;
        mtr.attach(bytes)?;
        Ok(mtr.commit_in_order(|_| ()).0)
    }

    /// Runs `f` in the order of commits: nothing is given a place meanwhile. What it passes on is logged for the place
    /// that it names (the end of one file and the beginning of the next).
    ///
    /// # Errors
    /// The log has failed.
    pub fn in_commit_order<T>(
        &self,
        f: impl FnOnce(&mut dyn FnMut(Place, &[u8]) -> Result<Lsn>) -> Result<T>,
    ) -> Result<T> {
        // its ticket covers what follows
        let ticket = self.store.mtr()?;
        let _guard = self.store.log().order().lock();
        let done = f(&mut |place, bytes| Mtr::nested(&self.store).commit_at(place, bytes));
        ticket.commit();
        done
    }
}
