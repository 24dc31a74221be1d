//! LOCK INSTANCE FOR BACKUP: a metadata lock of its own namespace, S for who takes a backup, until UNLOCK INSTANCE or
//! the end of the session. DDL and account statements take IX for their length and wait. Tested:
//! `tests/sql/golden/show_forms.sql`, `tests/clients/test_states.py`.

use crate::kernel::session::Session;
use base::SqlResult;
use mdl::{Duration, MdlKey, MdlType, Namespace};

impl Session {
    /// LOCK INSTANCE FOR BACKUP: 1227 without BACKUP_ADMIN.
    pub(crate) fn lock_instance(&mut self) -> SqlResult<()> {
        self.require_held("BACKUP_ADMIN")?;
        let deadline = self.ddl_deadline();
        self.env.mdl.release_explicit(|ns| matches!(ns, Namespace::BackupLock));
        self.env.mdl.acquire(MdlKey::backup(), MdlType::S, Duration::Explicit, deadline)?;
        Ok(())
    }

    /// UNLOCK INSTANCE; without a lock it does nothing.
    pub(crate) fn unlock_instance(&mut self) -> SqlResult<()> {
        self.require_held("BACKUP_ADMIN")?;
        self.env.mdl.release_explicit(|ns| matches!(ns, Namespace::BackupLock));
        Ok(())
    }
}
