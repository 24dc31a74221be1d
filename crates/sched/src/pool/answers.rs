//! Answers that go out together.
//!
//! A send wakes its client, and on its way out of the kernel the server's thread often loses the processor to it: with many clients on few CPUs every answer
//! cost two context switches and a cold cache. While the next command is there already ([`may_wait`]) an answer stays in its connection's buffer, the
//! connection in its thread's [`Unsent`], and up to [`MOST`] leave with one system call (`sys::ring`; one call each where the kernel does not allow it).
//!
//! Commands that have run and wait for the log ([`super::Served::Later`]) stand there too where the log is quick: one sync for all of them, before they are answered together.
//!
//! An answer waits for commands that are short, and not for long: it leaves at the latest after [`LONGEST_NS`] at the next look, that is before the thread waits or
//! rests, sleeps inside a statement, at the next interrupt check of a long statement, or, when that fails, at the next `tick`. Nobody waits for a client that
//! does not read: what its socket does not take at once goes to the queue of finished commands, to be written by a thread that serves that connection.
//!
//! Rules. Whoever takes a seat out of [`Unsent`] owns it. No latch of this crate is held while sending. Where the caller may hold page latches the seats are
//! handed on instead ([`give_away`]). Tested by `pool_tests.rs` and `tests/load`.

use super::{
    Completer, FINISHED_COUNT, ME, Owed, Seat, Sending, Served, Unfinished, Worker, finish, finish_all, park, work_with,
};
use crate::ready::Ready;
use latch::{Mutex, classes};
use probe::Counter;
use std::cell::{Cell, RefCell};
use std::io;
use std::os::fd::RawFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use sys::clock::now_ns;
use sys::ring::{SendRing, send_now};

/// So many leave together at most; under a quota those of a whole round ([`crate::pace`]), since who sends one by one loses the CPU to each client.
const MOST: usize = 16;
const MOST_IN_ROUNDS: usize = 64;
/// An answer waits no longer than that where somebody looks.
const LONGEST_NS: u64 = 300_000;
const LONGEST_IN_ROUNDS_NS: u64 = 3_000_000;
/// After that the ticker sends it.
const FORGOTTEN_NS: u64 = 3_000_000;

fn longest() -> u64 {
    if crate::pace::in_rounds() { LONGEST_IN_ROUNDS_NS } else { LONGEST_NS }
}

/// A connection that has something to be sent.
struct Held {
    seat: Seat,
    /// What has to happen first.
    after: Option<(Arc<dyn Completer>, u64)>,
}

/// A thread's answered connections whose answers have not left.
pub(super) struct Unsent {
    seats: Mutex<Vec<Held>>,
    /// When the first of them was put there, ns; 0: none.
    since: AtomicU64,
}

impl Default for Unsent {
    fn default() -> Self {
        Unsent { seats: Mutex::new(&classes::SCHED, Vec::new()), since: AtomicU64::new(0) }
    }
}

impl Unsent {
    pub(super) fn is_empty(&self) -> bool {
        self.since.load(Ordering::Relaxed) == 0
    }

    fn is_due(&self, after_ns: u64) -> bool {
        let since = self.since.load(Ordering::Relaxed);
        since != 0 && now_ns().saturating_sub(since) >= after_ns
    }

    /// True when it is time to send.
    fn add(&self, held: Held) -> bool {
        let n = {
            let mut seats = self.seats.lock();
            seats.push(held);
            if seats.len() == 1 {
                self.since.store(now_ns(), Ordering::Relaxed);
            }
            seats.len()
        };
        n >= if crate::pace::in_rounds() { MOST_IN_ROUNDS } else { MOST } || self.is_due(longest())
    }

    fn take(&self) -> Vec<Held> {
        let mut seats = self.seats.lock();
        self.since.store(0, Ordering::Relaxed);
        // The owner fills it again at once.
        let room = Vec::with_capacity(seats.len());
        std::mem::replace(&mut *seats, room)
    }

    /// Forgotten by a thread that runs something long.
    pub(super) fn is_forgotten(&self) -> bool {
        self.is_due(FORGOTTEN_NS)
    }
}

thread_local! {
    static RING: RefCell<Option<SendRing>> = const { RefCell::new(None) };
    /// This thread may have something unsent.
    static HOLDING: Cell<bool> = const { Cell::new(false) };
    /// It is about to send what is answered now.
    static SENDING: Cell<bool> = const { Cell::new(false) };
}
/// The kernel does not allow them.
pub(super) static NO_RINGS: AtomicBool = AtomicBool::new(false);

/// A command is there that this thread will serve next.
pub(super) fn more_is_ready() -> bool {
    FINISHED_COUNT.load(Ordering::SeqCst) > 0 || Ready::get().is_some_and(Ready::has_more_here)
}

/// Whether the answer of this thread's command may stay in the connection's buffer ([`super::Task::unsent`]): the thread serves many connections and has another
/// command to run at once, or others' answers to send.
pub fn may_wait() -> bool {
    SENDING.get()
        || ME.with(|m| {
            m.borrow().as_ref().is_some_and(|me| me.is_active() && (!me.unsent.is_empty() || more_is_ready()))
        })
}

/// Keeps a connection until its answer is sent: that of `after`, if that is to happen first.
pub(super) fn hold(me: &Worker, seat: Seat, after: Option<(Arc<dyn Completer>, u64)>) {
    HOLDING.set(true);
    if me.unsent.add(Held { seat, after }) {
        send(me);
    }
}

/// Answers and sends what a thread has kept and puts the connections aside. Called without latches.
pub(super) fn send(me: &Worker) {
    let held = me.unsent.take();
    if held.is_empty() {
        return;
    }
    let seats = answered(held);
    if let [_, _, ..] = seats.as_slice() {
        probe::add(Counter::SchedAnswersTogether, seats.len() as u64);
    }
    let mut sent = Vec::with_capacity(seats.len());
    for some in seats.chunks(sys::ring::MOST) {
        let pieces: Vec<_> = some.iter().map(|s| (s.task.fd(), s.task.unsent())).collect();
        sent.extend(send_pieces(&pieces));
    }
    for (mut seat, outcome) in seats.into_iter().zip(sent) {
        match seat.task.sent(outcome) {
            Sending::Done => put_aside(seat),
            Sending::Rest => finish_all([Unfinished::owing(seat, Owed::Rest)]),
            Sending::Lost => drop(seat),
        }
    }
}

fn put_aside(seat: Seat) {
    if let Err(back) = park(seat) {
        work_with(back);
    }
}

/// Waits for what has to happen before some of them can be answered, once for all, and answers these; hands them over if another thread does that already. What is left has
/// bytes to be sent.
fn answered(held: Vec<Held>) -> Vec<Seat> {
    let last = held.iter().filter_map(|h| h.after.as_ref()).max_by_key(|(_, at)| *at);
    let happened = last.map_or(Some(true), |(to, at)| to.wait(*at));
    let mut seats = Vec::with_capacity(held.len());
    SENDING.set(true);
    for Held { mut seat, after } in held {
        let Some((to, at)) = after else {
            seats.push(seat);
            continue;
        };
        let Some(happened) = happened else {
            to.submit(at, Unfinished::owing(seat, Owed::Answer(false)));
            continue;
        };
        match finish(&mut seat, Owed::Answer(happened)) {
            Served::Idle if !seat.task.unsent().is_empty() => seats.push(seat),
            Served::Idle => put_aside(seat),
            // It has sent more already, or says what cannot be: the one who takes it up goes on with it.
            Served::More => finish_all([Unfinished::owing(seat, Owed::Command)]),
            Served::Later | Served::End => drop(seat),
        }
    }
    SENDING.set(false);
    seats
}

fn send_pieces(pieces: &[(RawFd, &[u8])]) -> Vec<io::Result<usize>> {
    let mut sent = Vec::with_capacity(pieces.len());
    if pieces.len() > 1 && !NO_RINGS.load(Ordering::Relaxed) {
        RING.with(|ring| {
            let mut ring = ring.borrow_mut();
            if ring.is_none() {
                match SendRing::new() {
                    Ok(r) => *ring = Some(r),
                    Err(_) => NO_RINGS.store(true, Ordering::Relaxed),
                }
            }
            if let Some(ring) = ring.as_mut() {
                ring.send(pieces, &mut sent);
            }
        });
    }
    if sent.is_empty() {
        sent.extend(pieces.iter().map(|(fd, bytes)| send_now(*fd, bytes)));
    }
    sent
}

/// For a thread that goes to sleep in the middle of a statement, perhaps with page latches: somebody else sends.
pub(super) fn give_away(me: &Worker) {
    if me.unsent.is_empty() {
        return;
    }
    for Held { seat, after } in me.unsent.take() {
        match after {
            Some((to, at)) => to.submit(at, Unfinished::owing(seat, Owed::Answer(false))),
            None => finish_all([Unfinished::owing(seat, Owed::Rest)]),
        }
    }
}

/// Before this thread rests: everything. Called without latches.
pub(crate) fn send_mine() {
    if HOLDING.replace(false) {
        ME.with(|m| {
            if let Some(me) = m.borrow().as_ref() {
                send(me);
            }
        });
    }
}

/// In the middle of a statement that may be long: what has waited for long enough. Called without latches.
#[inline]
pub(crate) fn send_due() {
    if HOLDING.get() && ME.with(|m| m.borrow().as_ref().is_some_and(|me| me.unsent.is_due(longest()))) {
        send_mine();
    }
}
