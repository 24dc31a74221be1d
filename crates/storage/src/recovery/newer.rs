//! Files newer than the log: looked for before the log is replayed, where it costs little.
//!
//! Looked at: the copies in the doublewrite file (the newest pages there are), the system page (each start and each clean end changes it, so an older log
//! beside newer files shows), and, if there is log to replay, page 0 of every file. All other pages are checked when they are read.
//!
//! And files older than the log: the pages that each start changes ([`START_PAGES`]) are in their files when the log's checkpoints say so.

use super::{RecoveryReport, Scan};
use crate::doublewrite;
use crate::error::{Result, StorageError};
use crate::file::Files;
use crate::page::{PAGE_SIZE, PageBuf};
use crate::reserved::START_PAGES;
use base::{Lsn, PageId, PageNo};

/// The newest LSN found, or the error that names a page beyond the log's end. `forced`: they are only noted.
pub(super) fn look(files: &Files, scan: &Scan, forced: bool, report: &mut RecoveryReport) -> Result<Lsn> {
    let (mut newest, run) = (scan.end, report.run);
    let mut found = Vec::new();
    let mut check = |page: PageId, lsn: Lsn| {
        if lsn <= scan.end {
            return Ok(());
        }
        let e = StorageError::PageBeyondLog { page, lsn, end: scan.end };
        if !forced {
            return Err(e);
        }
        newest = newest.max(lsn);
        found.push(e);
        Ok(())
    };
    for (page, lsn) in doublewrite::copies(files)? {
        check(page, lsn)?;
    }
    let mut pages = START_PAGES.to_vec();
    if scan.frames > 0 {
        let all = files.spaces()?.into_iter().filter(|s| !scan.deleted.contains(s));
        pages.extend(all.map(|s| PageId::new(s, PageNo(0))));
    }
    let mut buf = PageBuf::zeroed();
    let mut stale = Vec::new();
    for page in pages {
        if !files.exists(page.space) {
            continue;
        }
        let n = files.get(page.space)?.read_up_to(u64::from(page.page.0) * PAGE_SIZE as u64, buf.bytes_mut())?;
        // what does not verify is told of when it is needed: the log may make it anew
        if n == PAGE_SIZE && buf.check(page).is_ok() {
            check(page, buf.lsn())?;
            if START_PAGES.contains(&page) && buf.lsn() < run {
                let e = StorageError::stale(page, buf.lsn(), run);
                if !forced {
                    return Err(e);
                }
                stale.push(e);
            }
        }
    }
    report.beyond = found;
    report.beyond.extend(stale);
    Ok(newest)
}
