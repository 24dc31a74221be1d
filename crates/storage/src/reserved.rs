//! Numbers that are nobody's to give: the tablespaces of the dictionary and of undo logs, the pages that each start
//! changes, and the first id of what users make. Here, below everything, because files, errors and recovery know them
//! too.

use base::{PageId, PageNo, SpaceId};

/// Tablespace of the dictionary.
pub const SYSTEM_SPACE: SpaceId = SpaceId(1);
/// Tablespace of undo logs.
pub const UNDO_SPACE: SpaceId = SpaceId(2);
/// First id that is given to a user's object (table, index, space).
pub const FIRST_USER_ID: u64 = 100;
/// The page of the dictionary's space that the engine keeps roots and counters in.
pub(crate) const SYSTEM_PAGE: PageId = PageId::new(SYSTEM_SPACE, PageNo(1));
/// What each start changes first: the system page, and the first page of the undo directory.
pub(crate) const START_PAGES: [PageId; 2] = [SYSTEM_PAGE, PageId::new(UNDO_SPACE, PageNo(1))];
/// Folder of what backups keep of the redo log while they run. A start removes what is in it.
pub(crate) const BACKUP_DIR: &str = "#backup";
