//! XA without GTIDs. What prepares a branch, or ends a prepared one, cannot take the source's position along: the
//! position is in a transaction of its own behind it. So a crash may come between the two, and the same comes again.
//!
//! Therefore the place of such a transaction is noted before it is begun, in a commit of its own, which is in the
//! engine's log before what follows. The transaction that comes first after a crash and stands at that place has been
//! done if its branch is prepared (XA START ... XA PREPARE) or is not (XA COMMIT, XA ROLLBACK): it is passed over, with
//! its position. An error takes the note away, so nothing that has failed is taken for done.
//!
//! XA COMMIT ... ONE PHASE is a transaction like others: the position is changed in it.
//! Tested: `tests/binlog/test_replica_branches.py`.

use super::job::Job;
use super::worker::Work;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::state;
use base::SqlResult;

/// What a transaction does with a branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// XA START: it prepares one. Otherwise it ends a prepared one.
    prepares: bool,
    /// Bytes of both parts of its name, as XA RECOVER CONVERT XID shows them.
    name: String,
}

impl Branch {
    /// Of the statement that a transaction begins with; `None`: it has to do with no branch.
    pub fn of(text: &[u8]) -> Option<Branch> {
        let text = std::str::from_utf8(text).ok()?;
        let (verb, xid) = text.strip_prefix("XA ")?.split_once(' ')?;
        let prepares = verb == "START";
        if !prepares && !matches!(verb, "COMMIT" | "ROLLBACK") {
            return None;
        }
        let name: Vec<&str> = xid.split('\'').skip(1).step_by(2).take(2).collect();
        Some(Branch { prepares, name: format!("0x{}", name.concat().to_ascii_uppercase()) })
    }
}

impl Shared {
    /// Keeps the place of what is begun with a branch; empty: nothing is.
    fn note_branch(&self, place: &str) -> SqlResult<()> {
        let noted = {
            let mut kept = self.settings.lock();
            let Some(s) = kept.as_mut() else { return Ok(()) };
            place.clone_into(&mut s.branch);
            s.clone()
        };
        let store = |s: &mut session::ApplierSession| state::store(s, &self.channel, &noted, None);
        self.server()?.with_applier("replica_state", None, store)?
    }
}

impl Work<'_> {
    /// Before a transaction that has to do with a branch: whether it was done before a crash.
    pub(super) fn was_done(&mut self, job: &Job) -> SqlResult<bool> {
        let Some(branch) = job.branch.as_ref().filter(|_| !self.settings.auto_position) else { return Ok(false) };
        let place = format!("{}:{}", job.from.file, job.from.offset);
        let noted = |s: &Settings| s.branch == place;
        if !self.x.settings.lock().as_ref().is_some_and(noted) {
            self.x.note_branch(&place)?;
            return Ok(false);
        }
        let recover = |s: &mut session::ApplierSession| s.rows_of(b"XA RECOVER CONVERT XID");
        let prepared = self.x.server()?.with_applier("replica_state", None, recover)??;
        let is_there = prepared.iter().any(|row| row.last().and_then(Option::as_deref) == Some(&*branch.name));
        Ok(is_there == branch.prepares)
    }

    /// It has failed, or is not to be done now.
    pub(super) fn forget_branch(&mut self, job: &Job) -> SqlResult<()> {
        match job.branch.is_some() && !self.settings.auto_position {
            true => self.x.note_branch(""),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let of = |text: &str| Branch::of(text.as_bytes()).map(|b| (b.prepares, b.name));
        assert_eq!(of("XA START X'61',X'62',1"), Some((true, "0x6162".to_owned())));
        assert_eq!(of("XA COMMIT X'6f',X'',1"), Some((false, "0x6F".to_owned())));
        assert_eq!(of("XA ROLLBACK X'61',X'',7"), Some((false, "0x61".to_owned())));
        assert_eq!((of("XA END X'61',X'',1"), of("BEGIN"), of("XA"), of("\u{e4}")), (None, None, None, None));
    }
}
