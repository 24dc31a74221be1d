#![allow(unsafe_code)]
//! Mini-transactions (InnoDB's mtr): changes of several pages that a crash leaves complete or not made at all. The
//! split of an index page, for example, changes the page and the new one in one mini-transaction.
//!
//! An [`Mtr`] latches the pages exclusively and changes them by [`PageOp`]s, which it also writes down.
//! [`Mtr::commit`] appends what was written down to the redo log as one frame, sets the pages' LSN, marks them
//! dirty and unlatches them. Recovery replays a frame as a whole or not at all.
//!
//! Rules:
//! * [`Mtr::start`] may wait until the log has room. It must be called without a latch. [`Mtr::nested`] starts a
//!   second mini-transaction inside another one and does not wait.
//! * Between start and commit a thread waits only for page latches and for pages to be read.
//! * The caller decides the order in which pages are latched (see btree, undo, space).
//! * If [`Mtr::apply`] fails, the page is as it was. What the mtr has changed before must still be committed. If it
//!   is dropped instead, the process aborts: memory holds a change that the log does not know, and only a restart
//!   gets back to a consistent state.
//!
//! Tests: `mtr` in `crash_tests.rs`.

use crate::attached::{MAX_ATTACHED, Place};
use crate::buffer::{BufferPool, ExclPage, order};
use crate::error::{Result, StorageError};
use crate::page::{FileRec, PageBuf, PageOp, op};
use crate::redo::{Log, MAX_MTR_BYTES, Ticket};
use crate::store::Store;
use base::{Lsn, PageId};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;

/// A page of a mini-transaction. Valid for the mtr it came from, until released or committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct XRef(u16);

struct Held {
    frame: u32,
    id: PageId,
    changed: bool,
    released: bool,
}

/// A running mini-transaction.
pub struct Mtr<'a> {
    store: &'a Store,
    pool: &'a BufferPool,
    log: &'a Log,
    /// Page latches belong to the thread that took them.
    _not_send: PhantomData<*const ()>,
    held: SmallVec<[Held; 6]>,
    body: Vec<u8>,
    last: Option<PageId>,
    /// Length of the record at the front of `body` that [`Mtr::attach`] made; 0 without one.
    attached: usize,
    _ticket: Option<Ticket<'a>>,
}

thread_local! {
    /// Log bodies are built in a buffer that the thread keeps.
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    /// How many mini-transactions this thread has open. Debug builds refuse [`Mtr::start`] while there is one: it
    /// might wait for log space that only becomes free when the other's pages are written, and those it keeps
    /// latched.
    static OPEN: Cell<u32> = const { Cell::new(0) };
}

impl<'a> Mtr<'a> {
    /// Begins. Waits until the log has room; refuses when the log has failed. No latch may be held.
    pub fn start(store: &'a Store) -> Result<Mtr<'a>> {
        debug_assert_eq!(OPEN.get(), 0, "Mtr::start inside a mini-transaction of this thread: use Mtr::nested");
        let ticket = store.admit()?;
        Ok(Mtr::with(store, Some(ticket)))
    }

    /// Begins inside another mini-transaction of this thread. Never waits: the log space that the other one has
    /// reserved is enough for both.
    pub fn nested(store: &'a Store) -> Mtr<'a> {
        Mtr::with(store, None)
    }

    fn with(store: &'a Store, ticket: Option<Ticket<'a>>) -> Mtr<'a> {
        let mut body = SPARE.with(|s| s.borrow_mut().pop()).unwrap_or_default();
        body.clear();
        OPEN.set(OPEN.get() + 1);
        Mtr {
            store,
            pool: store.pool(),
            log: store.log(),
            _not_send: PhantomData,
            held: SmallVec::new(),
            body,
            last: None,
            attached: 0,
            _ticket: ticket,
        }
    }

    /// The store, to start a nested mini-transaction.
    pub fn store(&self) -> &'a Store {
        self.store
    }

    /// The pool, for reads beside the mini-transaction.
    pub fn pool(&self) -> &'a BufferPool {
        self.pool
    }

    /// Latches a page exclusively; a page that this mtr holds already gives the same handle.
    pub fn x(&mut self, id: PageId) -> Result<XRef> {
        match self.find(id) {
            Some(x) => Ok(x),
            None => {
                let page = self.pool.write(id)?;
                Ok(self.adopt(page))
            }
        }
    }

    /// As [`Mtr::x`] without waiting for the latch or the disk.
    pub fn try_x(&mut self, id: PageId) -> Option<XRef> {
        match self.find(id) {
            Some(x) => Some(x),
            None => self.pool.try_write(id).map(|p| self.adopt(p)),
        }
    }

    /// Latches a page whose old contents do not matter (just allocated) without reading it; the first op must be `Init`.
    pub fn new_page(&mut self, id: PageId) -> Result<XRef> {
        match self.find(id) {
            Some(x) => Ok(x),
            None => {
                let page = self.pool.create(id)?;
                Ok(self.adopt(page))
            }
        }
    }

    /// Takes over a page that the caller has latched exclusively.
    pub fn adopt(&mut self, page: ExclPage<'a>) -> XRef {
        let id = page.id();
        self.held.push(Held { frame: page.into_frame(), id, changed: false, released: false });
        XRef((self.held.len() - 1) as u16)
    }

    /// The handle of a page that this mtr holds.
    pub fn find(&self, id: PageId) -> Option<XRef> {
        self.held.iter().position(|h| h.id == id && !h.released).map(|i| XRef(i as u16))
    }

    /// Which page the handle stands for.
    pub fn id(&self, x: XRef) -> PageId {
        self.slot(x).id
    }

    #[allow(clippy::indexing_slicing)] // handles come from this mtr
    fn slot(&self, x: XRef) -> &Held {
        let h = &self.held[x.0 as usize];
        assert!(!h.released, "page {} was released", h.id);
        h
    }

    /// The page's bytes.
    #[inline]
    pub fn page(&self, x: XRef) -> &PageBuf {
        // SAFETY: this mtr holds the frame exclusively until release or commit, and `apply`, the only writer, takes &mut self.
        unsafe { &*self.pool.page_ptr(self.slot(x).frame) }
    }

    /// Changes the page and writes the change down for the log.
    ///
    /// # Errors
    /// `PageFull`, and the errors of a change that does not fit the page's contents. `RecordTooLong`: the log of
    /// this mini-transaction would exceed [`MAX_MTR_BYTES`]. The page is unchanged then.
    pub fn apply(&mut self, x: XRef, change: PageOp<'_>) -> Result<()> {
        let (frame, id) = {
            let h = self.slot(x);
            (h.frame, h.id)
        };
        let (old_len, old_last) = (self.body.len(), self.last);
        // SAFETY: held exclusively by this mtr; no other reference to the frame is alive, `page()` borrows self.
        let page = unsafe { &mut *self.pool.page_ptr(frame) };
        op::encode(&mut self.body, &mut self.last, id, &change, page);
        let r = if self.body.len() as u64 + 16 > MAX_MTR_BYTES {
            Err(StorageError::RecordTooLong)
        } else {
            op::apply(page, &change)
        };
        match r {
            Ok(()) => {
                if let Some(h) = self.held.get_mut(x.0 as usize) {
                    h.changed = true;
                }
                Ok(())
            }
            Err(e) => {
                self.body.truncate(old_len);
                self.last = old_last;
                Err(e)
            }
        }
    }

    /// Writes down that a file is made, renamed or removed (see [`FileRec`]). It must be the first change: recovery
    /// looks for file changes only at the beginning of a frame.
    pub fn file_rec(&mut self, rec: FileRec) {
        assert!(self.held.is_empty(), "file changes come before page changes");
        op::encode_file(&mut self.body, rec);
    }

    /// Puts bytes, at most [`MAX_ATTACHED`], in front of the log record. The log's [`crate::attached::CommitSink`]
    /// (the binary log) gets them at commit, and again at recovery. Must be called before any change.
    ///
    /// # Errors
    /// `RecordTooLong`.
    pub fn attach(&mut self, bytes: &[u8]) -> Result<()> {
        assert!(self.body.is_empty(), "attached bytes come before changes");
        if bytes.len() > MAX_ATTACHED {
            return Err(StorageError::RecordTooLong);
        }
        op::encode_attached(&mut self.body, bytes);
        self.attached = self.body.len();
        Ok(())
    }

    /// Drops the attached bytes, if nothing has been changed yet.
    pub fn detach(&mut self) {
        if self.body.len() == self.attached {
            self.body.clear();
            self.attached = 0;
        }
    }

    /// As [`Mtr::commit`]; `publish` is what the caller does to make the commit visible. If bytes are attached,
    /// commits happen one after the other: each gets its place in the binary log, is written to the redo log and
    /// published before the next one begins.
    pub fn commit_in_order<T>(mut self, publish: impl FnOnce(Lsn) -> T) -> (Lsn, T) {
        let order = self.log.order();
        let Some(sink) = order.sink().filter(|_| self.attached > 0) else {
            let lsn = self.commit();
            return (lsn, publish(lsn));
        };
        let guard = order.lock();
        let place = match op::attached(&mut self.body) {
            Some(bytes) => sink.place(bytes),
            None => Place::default(),
        };
        op::set_place(&mut self.body, place);
        let end = self.log_changes();
        if let Some(bytes) = op::attached(&mut self.body) {
            sink.logged(place, bytes, end);
        }
        let done = publish(end);
        drop(guard);
        self.body.clear();
        self.unlatch(Some(end));
        (end, done)
    }

    /// Logs nothing but attached bytes, at a place that the caller names. The caller holds the lock on the order of
    /// commits.
    pub(crate) fn commit_at(mut self, place: Place, bytes: &[u8]) -> Result<Lsn> {
        self.attach(bytes)?;
        op::set_place(&mut self.body, place);
        let end = self.log_changes();
        if let Some(sink) = self.log.order().sink() {
            sink.logged(place, bytes, end);
        }
        self.body.clear();
        Ok(end)
    }

    /// Unlatches a page that this mtr has not changed; a changed one stays latched until commit.
    pub fn release_clean(&mut self, x: XRef) {
        let Some(h) = self.held.get_mut(x.0 as usize) else { return };
        if !h.changed && !h.released {
            h.released = true;
            order::left(h.frame);
            // The page may have come from disk under this latch: a new version keeps optimistic readers honest.
            self.pool.frame(h.frame).latch.unlock_exclusive();
        }
    }

    /// Whether anything was changed.
    pub fn has_changes(&self) -> bool {
        !self.body.is_empty()
    }

    /// Bytes of log so far.
    pub fn log_len(&self) -> usize {
        self.body.len()
    }

    /// Appends the changes to the log and unlatches the pages. Returns the LSN up to which the log must be on disk
    /// for the changes to survive a crash; this function does not wait for that. Without changes it only unlatches,
    /// and returns the log's end.
    pub fn commit(mut self) -> Lsn {
        if self.body.is_empty() {
            let lsn = self.log.current_lsn();
            self.unlatch(None);
            return lsn;
        }
        let end = self.log_changes();
        self.body.clear();
        self.unlatch(Some(end));
        end
    }

    /// Marks the changed pages dirty and appends `body`, padded to 8 bytes, to the log. `body` keeps its contents.
    fn log_changes(&mut self) -> Lsn {
        let padded = self.body.len().next_multiple_of(8);
        self.body.resize(padded, 0);
        // A bound below the LSN that is about to be reserved: see `Frame::mark_dirty` and `checkpoint`.
        let bound = self.log.current_lsn();
        let mut changed = 0;
        for h in self.held.iter().filter(|h| h.changed) {
            self.pool.frame(h.frame).mark_dirty(bound);
            changed += 1;
        }
        probe::add(probe::Counter::InnodbBufferPoolWriteRequests, changed);
        self.log.append(&self.body)
    }

    fn unlatch(&mut self, lsn: Option<Lsn>) {
        for h in self.held.drain(..).rev() {
            if h.released {
                continue;
            }
            order::left(h.frame);
            let latch = &self.pool.frame(h.frame).latch;
            if let (true, Some(lsn)) = (h.changed, lsn) {
                // SAFETY: still held exclusively.
                unsafe { &mut *self.pool.page_ptr(h.frame) }.set_lsn(lsn);
            }
            latch.unlock_exclusive();
        }
    }
}

impl Drop for Mtr<'_> {
    fn drop(&mut self) {
        if !self.body.is_empty() {
            eprintln!(
                "fatal: a mini-transaction with changes was dropped; the process ends to keep memory and log the same"
            );
            std::process::abort();
        }
        self.unlatch(None);
        OPEN.set(OPEN.get().saturating_sub(1));
        let body = std::mem::take(&mut self.body);
        SPARE.with(|s| {
            let mut s = s.borrow_mut();
            if s.len() < 4 && body.capacity() <= 64 << 10 {
                s.push(body);
            }
        });
    }
}
