//! The list of the buffer pool's pages: written at the end (`innodb_buffer_pool_dump_at_shutdown`) or on request, read at the start
//! (`innodb_buffer_pool_load_at_startup`) or on request, so that a restarted server is warm.
//!
//! The file (`innodb_buffer_pool_filename` in the data directory) has a line `space,page` for each page, the hottest first, as MySQL's has. It is written
//! beside its name and then renamed: a crash leaves the old list or none. It is only a hint: pages that are gone are passed over, and what the
//! pages hold is checked as at any read. Loading takes free frames only at the start, reads in the order of the files, and keeps to `innodb_io_capacity`.
//! One thread works at a time (`ib_buf_dump`); the status variables say how far it is. Locks: the status' mutex is a leaf. Tested:
//! `tests/clients/test_pool_list.py`.

use crate::kernel::server::Server;
use base::{PageId, PageNo, SpaceId};
use catalog::sysvar::{Raw, Var};
use parking_lot::Mutex;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use value::TimeZone;

/// Pages between two looks at whether to go on.
const STEP: usize = 256;

/// What the status variables show; empty: nothing has been done.
#[derive(Default)]
struct Progress {
    dump: String,
    load: String,
}

/// The state of both.
#[derive(Default)]
pub(crate) struct PoolList {
    progress: Mutex<Progress>,
    thread: Mutex<Option<JoinHandle<()>>>,
    abort: AtomicBool,
    /// A load at the start that was not finished: the list on disk is better than what the pool has.
    incomplete: AtomicBool,
}

/// Whether the file is one of these lists (or none, or empty): others are not ours to replace.
fn is_list(path: &std::path::Path) -> std::io::Result<bool> {
    let mut first = String::new();
    match std::fs::File::open(path) {
        Ok(f) => {
            // what is not text is no list
            let read = BufReader::new(std::io::Read::take(f, 64)).read_line(&mut first);
            let number = |n: &str| n.parse::<u32>().is_ok();
            Ok(read.is_ok()
                && (first.is_empty() || first.trim_end().split_once(',').is_some_and(|(a, b)| number(a) && number(b))))
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(e) => Err(e),
    }
}

/// `251125  3:04:05` in the machine's zone.
fn stamp() -> String {
    let us = sys::clock::wall_micros();
    let zone = TimeZone::by_name("SYSTEM").unwrap_or(TimeZone::UTC);
    let t = value::temporal::format::log_stamp(us, &zone);
    let part = |a: usize, b: usize| t.get(a..b).unwrap_or("");
    let hour: u32 = part(11, 13).parse().unwrap_or(0);
    format!("{}{}{} {hour:2}{}", part(2, 4), part(5, 7), part(8, 10), part(13, 19))
}

impl Server {
    fn list_path(&self) -> PathBuf {
        PathBuf::from(self.globals.string(Var::datadir)).join(self.globals.string(Var::innodb_buffer_pool_filename))
    }

    fn say_dump(&self, text: String) {
        self.pool_list.progress.lock().dump = text;
    }

    fn say_load(&self, text: String) {
        self.pool_list.progress.lock().load = text;
    }

    /// Innodb_buffer_pool_dump_status and Innodb_buffer_pool_load_status, where there is something to say.
    pub(crate) fn pool_list_status(&self) -> [(&'static str, String); 2] {
        let p = self.pool_list.progress.lock();
        let or = |text: &str, none: &str| if text.is_empty() { none.to_owned() } else { text.to_owned() };
        [
            ("Innodb_buffer_pool_dump_status", or(&p.dump, "Dumping of buffer pool not started")),
            ("Innodb_buffer_pool_load_status", or(&p.load, "Loading of buffer pool not started")),
        ]
    }

    /// SET GLOBAL of the three variables that are requests: done, and the variable stays OFF.
    pub(crate) fn pool_list_request(self: &Arc<Self>, var: Var, raw: Raw) -> Raw {
        let work: fn(&Server) = match var {
            Var::innodb_buffer_pool_dump_now => |s| s.dump_pool(),
            Var::innodb_buffer_pool_load_now => |s| s.load_pool(false),
            Var::innodb_buffer_pool_load_abort => {
                if raw == Raw::Num(1) {
                    self.pool_list.abort.store(true, Ordering::Release);
                }
                return Raw::Num(0);
            }
            _ => return raw,
        };
        if raw == Raw::Num(1) {
            self.start_list_thread(work);
        }
        Raw::Num(0)
    }

    /// Does nothing while the thread is at work.
    fn start_list_thread(self: &Arc<Self>, work: fn(&Server)) {
        let mut thread = self.pool_list.thread.lock();
        if thread.as_ref().is_some_and(|t| !t.is_finished()) {
            return;
        }
        self.pool_list.abort.store(false, Ordering::Release);
        let server = self.clone();
        *thread = std::thread::Builder::new().name("ib_buf_dump".into()).spawn(move || work(&server)).ok();
    }

    /// The start: loads the list, if it is to be loaded.
    pub(crate) fn pool_list_at_start(self: &Arc<Self>) {
        let requests =
            [Var::innodb_buffer_pool_dump_now, Var::innodb_buffer_pool_load_now, Var::innodb_buffer_pool_load_abort];
        let asked = self.globals.bool(Var::innodb_buffer_pool_load_now);
        requests.into_iter().for_each(|v| self.globals.store(v, Raw::Num(0)));
        if asked || self.globals.bool(Var::innodb_buffer_pool_load_at_startup) {
            self.pool_list.incomplete.store(true, Ordering::Release);
            self.start_list_thread(|s| s.load_pool(true));
        }
    }

    /// The end: stops a load, and writes the list if it is to be written. No session is left.
    pub fn pool_list_at_end(&self) {
        self.pool_list.abort.store(true, Ordering::Release);
        if let Some(t) = self.pool_list.thread.lock().take() {
            let _ = t.join();
        }
        let wanted = self.globals.bool(Var::innodb_buffer_pool_dump_at_shutdown)
            && self.globals.num(Var::innodb_fast_shutdown) < 2
            && !self.globals.bool(Var::innodb_read_only);
        if wanted && !self.pool_list.incomplete.load(Ordering::Acquire) {
            self.dump_pool();
        }
    }

    fn dump_pool(&self) {
        let path = self.list_path();
        self.say_dump(format!("Dumping buffer pool(s) to {}", path.display()));
        let pool = self.engine.store().pool();
        let mut pages = pool.pages_by_heat();
        let most = pool.frame_count() * self.globals.num(Var::innodb_buffer_pool_dump_pct) as usize / 100;
        pages.truncate(most.max(1));
        let beside = PathBuf::from(format!("{}.incomplete", path.display()));
        let write = || -> std::io::Result<()> {
            if !is_list(&path)? {
                return Err(std::io::Error::other("the file exists and is not a list of pages; it is left as it is"));
            }
            let mut to = BufWriter::new(std::fs::File::create(&beside)?);
            for p in &pages {
                writeln!(to, "{},{}", p.space.0, p.page.0)?;
            }
            to.into_inner()?.sync_data()?;
            std::fs::rename(&beside, &path)
        };
        self.say_dump(match write() {
            Ok(()) => format!("Buffer pool(s) dump completed at {}", stamp()),
            Err(e) => format!("Cannot write '{}': {e}", path.display()),
        });
    }

    /// `into_free`: only as far as frames are free.
    fn load_pool(&self, into_free: bool) {
        let path = self.list_path();
        let file = match std::fs::File::open(&path) {
            Ok(f) => f,
            Err(e) => {
                self.pool_list.incomplete.store(false, Ordering::Release);
                let why = if e.kind() == std::io::ErrorKind::NotFound {
                    "No such file or directory".to_owned()
                } else {
                    e.to_string()
                };
                return self.say_load(format!("Cannot open '{}' for reading: {why}", path.display()));
            }
        };
        let pool = self.engine.store().pool();
        let mut pages = Vec::new();
        for line in BufReader::new(file).lines() {
            let Some(page) = line.ok().as_deref().and_then(page_of) else {
                self.pool_list.incomplete.store(false, Ordering::Release);
                return self.say_load(format!("Error parsing '{}', unable to load buffer pool", path.display()));
            };
            if pages.len() < pool.frame_count() {
                pages.push(page);
            }
        }
        pages.sort_unstable();
        pages.dedup();
        let (total, mut done) = (pages.len(), 0);
        let (mut second, mut in_second) = (Instant::now(), 0);
        for part in pages.chunks(STEP) {
            if self.pool_list.abort.load(Ordering::Acquire) {
                return self.say_load("Buffer pool(s) load aborted on request".to_owned());
            }
            if into_free && !pool.has_free(STEP) {
                break;
            }
            pool.prefetch(part);
            done += part.len();
            in_second += part.len() as u64;
            self.say_load(format!("Loaded {done}/{total} pages"));
            if in_second >= self.globals.num(Var::innodb_io_capacity) {
                std::thread::sleep(Duration::from_secs(1).saturating_sub(second.elapsed()));
                (second, in_second) = (Instant::now(), 0);
            }
        }
        self.pool_list.incomplete.store(false, Ordering::Release);
        self.say_load(format!("Buffer pool(s) load completed at {}", stamp()));
    }
}

/// `space,page`.
fn page_of(line: &str) -> Option<PageId> {
    let (space, page) = line.split_once(',')?;
    Some(PageId { space: SpaceId(space.trim().parse().ok()?), page: PageNo(page.trim().parse().ok()?) })
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines() {
        let id = super::page_of("7, 12").map(|p| (p.space.0, p.page.0));
        assert_eq!(id, Some((7, 12)));
        assert!(super::page_of("7").is_none() && super::page_of("a,1").is_none() && super::page_of("1,-1").is_none());
    }
}
