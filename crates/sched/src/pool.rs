//! Threads for connections: a thread of its own for each while there are few, and otherwise a few threads that serve whichever
//! connection has sent something.
//!
//! * **Few** (at most [`FEW`] sessions for each run token; 16 on two CPUs): a thread stays with its connection and blocks in its read. One system call less per
//!   statement in each direction, and the shortest way for a single client. While clients mostly commit, only one
//!   session for each run token is few ([`commits`]).
//! * **Many**: a connection that has been answered is put aside ([`park`]) and armed in an epoll set; *active* threads take
//!   ready ones from there, first come first served. At most as many threads are active as there are run tokens. They are never
//!   handed over: an active thread runs, or waits in `epoll_wait`, so a busy server goes from one statement to the next without
//!   a context switch and without a queue of its own.
//! * A statement that **sleeps** (lock, log, page) takes its thread out of the active ones ([`suspend`]) and lets a spare one in; when it
//!   wakes it goes on at once (it holds locks that others wait for) and steps back when its statement is done and there are too many.
//! * As many threads as are **reading pages** on average may stay active beyond the run tokens ([`EXTRA`]): when a pool misses all the time, a
//!   thread that comes back from its read goes to `epoll_wait` instead of to the spares, and nobody is called each time one leaves.
//! * A statement that runs **long** (10 ms) while nobody is left to look for ready connections is taken out likewise
//!   ([`tick`]): the kernel shares the CPUs between it and short ones from then on.
//!
//! * A session inside a transaction that **holds locks** comes before the others, with a bound ([`crate::ready`]).
//! * A connection is served on the CPU where its client runs, as far as can be known ([`crate::ready::homes`]).
//! * While a connection is served the memory of the next one is asked for ([`crate::ready::warm`]).
//! * While the next command is there already answers wait for each other and leave together ([`answers`]).
//! * A command that has run and waits for the log only ([`Served::Later`]) waits without a thread: its connection goes to a
//!   [`Completer`], and comes back to be answered by whichever active thread is next ([`finish_all`]).
//!
//! Which session runs on which thread is nobody else's business: sessions are attached to the thread for each command
//! ([`crate::Session::attach`]).
//!
//! Rules. A seat is in `PARKED` before its descriptor is armed, and whoever takes it out owns it (a worker, or the reaper of idle
//! connections). The last to leave `epoll_wait` and the last to leave the active threads both look whether the other side needs a
//! replacement (sequentially consistent counters), so ready connections are never left without a thread that waits for them.
//! A connection with a [`Completer`] counts as parked. Who queues answers looks for pollers afterwards, who goes to poll looks for answers afterwards.
//! Locks: a shard of `PARKED`, `FINISHED`, the queue of ready connections, a thread's unsent answers, `SPARES`, `WORKERS`; never two at once, nothing else taken under them.
//! Tested here and by `tests/load` (1,024 clients).

mod answers;
mod commits;
mod ticks;

use crate::Parker;
use crate::ready::homes::untag;
use crate::ready::{Known, RUNG, Ready, warm};
use hashbrown::HashMap;
use latch::{Mutex, classes};
use probe::{Counter, Gauge};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::os::fd::RawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use sys::clock::{Deadline, now_ns};
use sys::epoll::Bell;
use sys::prefetch::Lines;

/// What follows a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Served {
    /// The next command has been received already.
    More,
    /// Nothing to do until the client sends something.
    Idle,
    /// The command has run, but it may not be answered before something happens that needs no thread (the log is durable):
    /// [`Task::hand_over`] is called, and later [`Task::finish`].
    Later,
    /// The connection is over.
    End,
}

pub use answers::may_wait;
pub(crate) use answers::{send_due, send_mine};
pub use commits::{note_commit, note_sync};
pub(crate) use ticks::{reap, tick};

/// What became of an answer that was sent with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sending {
    /// It is out.
    Done,
    /// The socket did not take all of it: [`Task::send_rest`].
    Rest,
    /// The connection is over.
    Lost,
}

/// A connection as the pool sees it.
pub trait Task: Send {
    /// Unique among live tasks (the connection's id).
    fn id(&self) -> u64;
    /// Becomes readable when the client sends something. Closed when the task is dropped, not before.
    fn fd(&self) -> RawFd;
    /// Reads one command (waiting for it), runs it, answers.
    fn serve(&mut self) -> Served;
    /// After [`Served::Later`]: who will call [`Unfinished::done`], and what it is told.
    fn hand_over(&mut self) -> Option<(Arc<dyn Completer>, u64)> {
        None
    }
    /// What the command waited for has happened (or failed): answers it.
    fn finish(&mut self, happened: bool) -> Served {
        let _ = happened;
        Served::End
    }
    /// What [`Task::serve`] or [`Task::finish`] has left to be sent, saying [`Served::Idle`]: only if [`may_wait`] and little.
    fn unsent(&self) -> &[u8] {
        &[]
    }
    /// So much of that has been sent (`send(2)`'s answer).
    fn sent(&mut self, outcome: io::Result<usize>) -> Sending {
        let _ = outcome;
        Sending::Lost
    }
    /// Sends what is left of it, waiting for the client.
    fn send_rest(&mut self) -> Served {
        Served::End
    }
    /// Something of the next command has been received already: [`Task::fd`] need not become readable again.
    fn has_input(&mut self) -> bool;
    /// Where lies what its next command needs, as far as that stays where it is: asked for ahead of it.
    fn lines(&self, to: &mut Lines) {
        let _ = to;
    }
    /// Its session is inside a transaction that holds locks: its next command goes before those of others.
    fn holds_locks(&self) -> bool {
        false
    }
    /// How long it may be idle (`wait_timeout`).
    fn idle_limit(&self) -> Duration;
    /// It has been idle for too long: tells the client.
    fn expire(self: Box<Self>);
}

/// Sees to it that tasks are finished when what they wait for has happened.
pub trait Completer: Send + Sync {
    /// Keeps `task` until `at` has happened, then calls [`finish_all`] (perhaps at once, perhaps on another thread).
    fn submit(&self, at: u64, task: Unfinished);
    /// It takes so little time that a thread had better wait for it ([`Completer::wait`]) than hand tasks over.
    fn is_quick(&self) -> bool {
        false
    }
    /// Waits until `at` has happened; false: it has failed; `None`: another thread is at it, tasks had better be handed over. Called without latches.
    fn wait(&self, at: u64) -> Option<bool> {
        let _ = at;
        None
    }
}

/// A connection whose command has run and is not answered. Dropping it ends the connection.
pub struct Unfinished {
    seat: Option<Seat>,
    owed: Owed,
}

/// What a connection that waits in [`FINISHED`] is owed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owed {
    /// Its answer: what it waited for has happened, or failed.
    Answer(bool),
    /// To have its answer sent.
    Rest,
    /// Its next command, received already, to be served.
    Command,
}

impl Unfinished {
    /// Counts as parked until taken.
    fn owing(seat: Seat, owed: Owed) -> Unfinished {
        PARKED_COUNT.fetch_add(1, Ordering::SeqCst);
        Unfinished { seat: Some(seat), owed }
    }

    /// What it waited for has happened, or has failed.
    #[must_use]
    pub fn done(mut self, happened: bool) -> Unfinished {
        self.owed = Owed::Answer(happened);
        self
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if self.seat.is_some() {
            PARKED_COUNT.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

struct Seat {
    task: Box<dyn Task>,
    /// Where its descriptor is known.
    known: Known,
    /// The CPU where it is served first ([`crate::ready::homes`]), once it has been parked.
    home: Option<u8>,
    /// It was parked holding locks.
    urgent: bool,
    /// How often it has been parked, up to one more than [`SETTLED`].
    parks: u8,
    /// When the idle limit is reached, ns.
    deadline: u64,
}

impl Seat {
    fn new(task: Box<dyn Task>) -> Seat {
        Seat { task, known: Known::default(), home: None, urgent: false, parks: 0, deadline: 0 }
    }

    /// When it is parked for the first time, and once more when it has everything that repeated commands use: leaves its lines.
    fn note_lines(&mut self) {
        if self.parks == 0 || self.parks == SETTLED {
            let mut lines = Lines::default();
            self.task.lines(&mut lines);
            warm::note(self.task.id(), lines);
        }
        self.parks = (self.parks + 1).min(SETTLED + 1);
    }
}

const DETACHED: u8 = 0;
const ACTIVE: u8 = 1;
const SUSPENDED: u8 = 2;
const LONG: u8 = 3;

/// A thread.
struct Worker {
    state: AtomicU8,
    /// In `epoll_wait`, or about to be.
    polling: AtomicBool,
    /// Commands served; `seen` is what it was at the last [`tick`].
    served: AtomicU64,
    seen: AtomicU64,
    /// Commands that waited for the log.
    commits: AtomicU64,
    /// Set by who takes it out of the spares.
    called: AtomicBool,
    parker: Parker,
    unsent: answers::Unsent,
}

impl Worker {
    fn is_active(&self) -> bool {
        self.state.load(Ordering::Relaxed) == ACTIVE
    }
}

/// So many sessions for each run token may have a thread of their own.
const FEW: i64 = 8;
const SHARDS: usize = 32;
/// After so many commands a session has met the statements that it repeats.
const SETTLED: u8 = 32;
/// So many answers that wait are worth calling another thread.
const WORTH_A_CALL: i64 = 8;
/// A thread with nothing to do ends if there are so many spares already: clients that come and go by the thousand would leave one each.
const ENOUGH_SPARES: usize = 32;
/// How long a spare thread is kept.
const KEEP: Duration = Duration::from_secs(10);

/// Most threads that are active at once (run tokens).
static TARGET: AtomicI64 = AtomicI64::new(2);
static ACTIVES: AtomicI64 = AtomicI64::new(0);
/// Active threads beyond the tokens that need not step back: those that sleep in page reads, averaged over some ticks.
static EXTRA: AtomicI64 = AtomicI64::new(0);
/// Threads that sleep in page reads now.
static READING: AtomicI64 = AtomicI64::new(0);
/// The average of [`READING`], in 1/256.
static READING_MEAN: AtomicI64 = AtomicI64::new(0);
static POLLING: AtomicI64 = AtomicI64::new(0);
static PARKED_COUNT: AtomicI64 = AtomicI64::new(0);
static SESSIONS: AtomicI64 = AtomicI64::new(0);
/// More than a few sessions.
static MANY: AtomicBool = AtomicBool::new(false);

/// Commands that can be answered now. The count is that of the queue, or above it for a moment.
static FINISHED: LazyLock<Mutex<VecDeque<Unfinished>>> = LazyLock::new(|| Mutex::new(&classes::SCHED, VecDeque::new()));
static FINISHED_COUNT: AtomicI64 = AtomicI64::new(0);

type Shard = Mutex<HashMap<u64, Seat>>;
static PARKED: LazyLock<[Shard; SHARDS]> =
    LazyLock::new(|| std::array::from_fn(|_| Mutex::new(&classes::SCHED, HashMap::new())));
static SPARES: LazyLock<Mutex<Vec<Arc<Worker>>>> = LazyLock::new(|| Mutex::new(&classes::SCHED, Vec::new()));
static WORKERS: LazyLock<Mutex<Vec<Arc<Worker>>>> = LazyLock::new(|| Mutex::new(&classes::SCHED, Vec::new()));

thread_local! {
    static ME: RefCell<Option<Arc<Worker>>> = const { RefCell::new(None) };
}

fn bell() -> Option<&'static Bell> {
    Ready::get()?.bell()
}

fn shard(id: u64) -> Option<&'static Shard> {
    PARKED.get(id as usize % SHARDS)
}

pub(crate) fn session_added() {
    SESSIONS.fetch_add(1, Ordering::Relaxed);
    update();
}

pub(crate) fn session_removed() {
    SESSIONS.fetch_sub(1, Ordering::Relaxed);
    update();
}

fn update() {
    let few = if commits::are_most() { 1 } else { FEW };
    let many = SESSIONS.load(Ordering::Relaxed) > few * TARGET.load(Ordering::Relaxed);
    if MANY.load(Ordering::Relaxed) != many {
        MANY.store(many, Ordering::Relaxed);
    }
}

/// Called by the monitor.
pub(crate) fn set_tokens(n: u32) {
    let before = TARGET.swap(i64::from(n), Ordering::SeqCst);
    crate::ready::homes::set_tokens(n);
    update();
    if i64::from(n) > before {
        replenish_if_unwatched();
    }
    let active = ACTIVES.load(Ordering::Relaxed);
    Gauge::RunTokens.set(i64::from(n));
    Gauge::RunTokensFree.set((i64::from(n) - active).max(0));
    Gauge::ParkedConnections.set(PARKED_COUNT.load(Ordering::Relaxed));
}

/// Whether connections share threads now.
pub(crate) fn is_shared() -> bool {
    MANY.load(Ordering::Relaxed) || PARKED_COUNT.load(Ordering::Relaxed) > 0
}

/// Threads in all, active threads, parked connections.
pub fn counts() -> (usize, i64, i64) {
    (WORKERS.lock().len(), ACTIVES.load(Ordering::SeqCst), PARKED_COUNT.load(Ordering::SeqCst))
}

/// Serves a connection that has logged in, on a thread made for it, until it ends or the thread serves others. The thread may end when this
/// returns.
pub fn run(task: Box<dyn Task>) {
    let mut seat = Seat::new(task);
    if MANY.load(Ordering::Relaxed) && !seat.task.has_input() {
        // Its first statement may be long in coming, and this thread is not needed for it.
        match park(seat) {
            Ok(()) => {
                replenish_if_unwatched();
                if SPARES.lock().len() < ENOUGH_SPARES {
                    work(Start::Idle);
                }
                return;
            }
            Err(back) => seat = back,
        }
    }
    work(Start::With(seat));
}

/// How a thread begins.
enum Start {
    /// With a connection of its own.
    With(Seat),
    /// As one that has been counted among the active ones.
    Active,
    /// With nothing to do.
    Idle,
}

fn work(start: Start) {
    let mut active = matches!(start, Start::Active);
    let mut own = match start {
        Start::With(seat) => Some(seat),
        Start::Active | Start::Idle => None,
    };
    let me = Arc::new(Worker {
        state: AtomicU8::new(if active { ACTIVE } else { DETACHED }),
        polling: AtomicBool::new(false),
        served: AtomicU64::new(0),
        seen: AtomicU64::new(0),
        commits: AtomicU64::new(0),
        called: AtomicBool::new(false),
        parker: Parker::new(),
        unsent: answers::Unsent::default(),
    });
    WORKERS.lock().push(me.clone());
    ME.with(|m| *m.borrow_mut() = Some(me.clone()));
    loop {
        if let Some(seat) = own.take() {
            alone(&me, seat);
        }
        if !active && !join(&me) && !wait_as_spare(&me) {
            break;
        }
        own = serve_ready(&me);
        active = false;
    }
    ME.with(|m| *m.borrow_mut() = None);
    WORKERS.lock().retain(|w| !Arc::ptr_eq(w, &me));
    me.leave_counts();
}

/// Stays with one connection until it ends or there are many.
fn alone(me: &Worker, mut seat: Seat) {
    loop {
        let next = serve(&mut seat);
        me.note_served();
        match next {
            Served::End => return,
            Served::Idle if MANY.load(Ordering::Relaxed) => match park(seat) {
                Ok(()) => return,
                Err(back) => seat = back,
            },
            Served::Idle | Served::More => {}
            Served::Later => return hand_over(seat, None),
        }
    }
}

/// A command that has run waits for its answer without a thread; or, where that takes no time, with others on this thread, which serves many.
fn hand_over(mut seat: Seat, me: Option<&Worker>) {
    // A task that says `Later` and names nobody is over.
    let Some((to, at)) = seat.task.hand_over() else { return };
    note_commit();
    if let Some(me) = me.filter(|_| to.is_quick()) {
        return answers::hold(me, seat, Some((to, at)));
    }
    to.submit(at, Unfinished::owing(seat, Owed::Answer(false)));
}

/// Whether a command of this thread may end with [`Served::Later`]: the thread serves many connections.
pub fn may_finish_later() -> bool {
    MANY.load(Ordering::Relaxed)
        && ME.with(|m| m.borrow().as_ref().is_some_and(|me| me.is_active()))
        && bell().is_some()
}

/// Lets active threads answer commands that can be answered now. Called by a [`Completer`] without latches.
pub fn finish_all(tasks: impl IntoIterator<Item = Unfinished>) {
    let n = {
        let mut queue = FINISHED.lock();
        let before = queue.len();
        queue.extend(tasks);
        let n = (queue.len() - before) as i64;
        FINISHED_COUNT.fetch_add(n, Ordering::SeqCst);
        n
    };
    if n > 0 {
        wake_for_finished();
    }
}

/// Somebody must come for what is in [`FINISHED`]: one who waits for connections, or a spare one, or, when as many run as may, one of
/// those after its command.
fn wake_for_finished() {
    if POLLING.load(Ordering::SeqCst) > 0 {
        if let Some(bell) = bell() {
            bell.ring();
        }
    } else {
        replenish_if_unwatched();
    }
}

fn take_finished() -> Option<(Seat, Owed)> {
    if FINISHED_COUNT.load(Ordering::SeqCst) <= 0 {
        return None;
    }
    let mut done = FINISHED.lock().pop_front()?;
    let left = FINISHED_COUNT.fetch_sub(1, Ordering::SeqCst) - 1;
    if left >= WORTH_A_CALL && POLLING.load(Ordering::SeqCst) > 0 {
        wake_for_finished();
    }
    let seat = done.seat.take()?;
    PARKED_COUNT.fetch_sub(1, Ordering::SeqCst);
    Some((seat, done.owed))
}

fn serve(seat: &mut Seat) -> Served {
    crate::pace::pace();
    // `wire` answers panics of a session; what comes as far as this ends the connection without a word.
    catch_unwind(AssertUnwindSafe(|| seat.task.serve())).unwrap_or(Served::End)
}

fn finish(seat: &mut Seat, owed: Owed) -> Served {
    let what = || match owed {
        Owed::Answer(happened) => seat.task.finish(happened),
        Owed::Rest => seat.task.send_rest(),
        Owed::Command => seat.task.serve(),
    };
    catch_unwind(AssertUnwindSafe(what)).unwrap_or(Served::End)
}

/// Stays with a connection that cannot be put aside, on a thread made for it; without one the connection ends.
fn work_with(seat: Seat) {
    spawn(Start::With(seat));
}

/// Puts a connection aside. Gives it back if it cannot be watched.
fn park(mut seat: Seat) -> Result<(), Seat> {
    seat.note_lines();
    let (Some(ready), Some(shard)) = (Ready::get(), shard(seat.task.id())) else { return Err(seat) };
    let (id, fd, known, urgent) = (seat.task.id(), seat.task.fd(), seat.known, seat.task.holds_locks());
    (seat.known, seat.urgent) = (known.with(urgent), urgent);
    let home = *seat.home.get_or_insert_with(|| ready.homes.here());
    seat.deadline = now_ns().saturating_add(u64::try_from(seat.task.idle_limit().as_nanos()).unwrap_or(u64::MAX));
    shard.lock().insert(id, seat);
    PARKED_COUNT.fetch_add(1, Ordering::SeqCst);
    match ready.arm(fd, id, home, known, urgent) {
        Ok(()) => {
            probe::inc(Counter::SchedParks);
            Ok(())
        }
        Err(_) => match take(id) {
            Some(mut seat) => {
                seat.known = known;
                Err(seat)
            }
            None => Ok(()),
        },
    }
}

fn take(id: u64) -> Option<Seat> {
    let seat = shard(id)?.lock().remove(&id)?;
    taken(&seat);
    Some(seat)
}

/// A seat is not parked any more.
fn taken(seat: &Seat) {
    PARKED_COUNT.fetch_sub(1, Ordering::SeqCst);
    if seat.urgent
        && let Some(ready) = Ready::get()
    {
        ready.taken();
    }
}

/// As an active thread: serves ready connections. Returns one to stay with when there are few again; `None` when there are too many active
/// threads. Not active any more in both cases.
fn serve_ready(me: &Arc<Worker>) -> Option<Seat> {
    loop {
        if !settle(me) {
            answers::send(me);
            pass_on();
            return None;
        }
        let (mut seat, mut finished) = match take_finished() {
            Some((seat, owed)) => (seat, Some(owed)),
            None => match wait_ready(me) {
                Some(seat) => (seat, None),
                None => continue,
            },
        };
        loop {
            let next = match finished.take() {
                Some(owed) => finish(&mut seat, owed),
                None => serve(&mut seat),
            };
            me.note_served();
            match next {
                Served::More => continue,
                Served::End => drop(seat),
                Served::Later => hand_over(seat, Some(me)),
                Served::Idle if !seat.task.unsent().is_empty() => answers::hold(me, seat, None),
                Served::Idle if MANY.load(Ordering::Relaxed) => match park(seat) {
                    Ok(()) => {}
                    Err(back) => return stay_with(me, back),
                },
                Served::Idle => return stay_with(me, seat),
            }
            break;
        }
    }
}

fn stay_with(me: &Worker, seat: Seat) -> Option<Seat> {
    answers::send(me);
    leave(me);
    Some(seat)
}

fn wait_ready(me: &Worker) -> Option<Seat> {
    let set = Ready::get()?;
    if !me.unsent.is_empty() && !answers::more_is_ready() {
        answers::send(me);
    }
    if me.unsent.is_empty() && !answers::more_is_ready() {
        crate::pace::rest_between();
    }
    me.polling.store(true, Ordering::Relaxed);
    POLLING.fetch_add(1, Ordering::SeqCst);
    // Whoever put something there before has not seen that somebody waits here.
    let ready = if FINISHED_COUNT.load(Ordering::SeqCst) > 0 {
        Ok(None)
    } else {
        #[cfg(test)]
        tests::before_polling();
        set.next(me.unsent.is_empty())
    };
    POLLING.fetch_sub(1, Ordering::SeqCst);
    me.polling.store(false, Ordering::Relaxed);
    // What came with the one taken: for whoever waits there, too.
    if set.homes.len() > 0 && POLLING.load(Ordering::SeqCst) > 0 {
        wake_for_finished();
    }
    replenish_if_unwatched();
    let (id, home) = untag(ready.ok()?.filter(|id| *id != RUNG)?);
    if let Some(next) = set.homes.coming() {
        warm::warm(next);
    }
    let mut seat = take(id)?;
    seat.home = Some(home);
    Some(seat)
}

/// An active thread may go on unless there are too many.
fn settle(me: &Worker) -> bool {
    if me.state.swap(ACTIVE, Ordering::SeqCst) != ACTIVE {
        ACTIVES.fetch_add(1, Ordering::SeqCst);
    }
    if ACTIVES.load(Ordering::SeqCst) <= TARGET.load(Ordering::Relaxed) + EXTRA.load(Ordering::Relaxed) {
        return true;
    }
    // Out of the active ones first; back in if others have left meanwhile.
    step_out(me);
    step_in(me)
}

/// No longer active.
fn leave(me: &Worker) {
    step_out(me);
    pass_on();
}

/// This thread takes nothing more for now: one ring of the bell may have been for several, of which it has taken one or
/// none, and those who wait for connections do not know of the others.
fn pass_on() {
    if FINISHED_COUNT.load(Ordering::SeqCst) > 0 || Ready::get().is_some_and(|set| set.homes.len() > 0) {
        wake_for_finished();
    } else {
        replenish_if_unwatched();
    }
}

/// Gives up its place among the active ones, unless [`tick`] has taken it already.
fn step_out(me: &Worker) {
    if me.state.swap(DETACHED, Ordering::SeqCst) == ACTIVE {
        ACTIVES.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Becomes active if there is room among the active ones.
fn step_in(me: &Worker) -> bool {
    let room = one_more();
    if room {
        me.state.store(ACTIVE, Ordering::SeqCst);
    }
    room
}

fn one_more() -> bool {
    let more = |a: i64| (a < TARGET.load(Ordering::Relaxed)).then_some(a + 1);
    ACTIVES.fetch_update(Ordering::SeqCst, Ordering::Relaxed, more).is_ok()
}

/// Becomes active if there is room and something to look after.
fn join(me: &Worker) -> bool {
    PARKED_COUNT.load(Ordering::SeqCst) > 0 && step_in(me)
}

/// Sleeps until called to be active (already counted). False: there are enough spares, or nobody called for [`KEEP`].
fn wait_as_spare(me: &Arc<Worker>) -> bool {
    {
        let mut spares = SPARES.lock();
        if spares.len() >= ENOUGH_SPARES {
            return false;
        }
        spares.push(me.clone());
    }
    // Somebody may have looked for a spare just before.
    replenish_if_unwatched();
    let until = Deadline::after(KEEP);
    loop {
        if me.called.swap(false, Ordering::Acquire) {
            return true;
        }
        if now_ns() >= until.ns() {
            let mut spares = SPARES.lock();
            if let Some(at) = spares.iter().position(|w| Arc::ptr_eq(w, me)) {
                spares.remove(at);
                return false;
            }
            drop(spares);
        }
        me.parker.park(until);
    }
}

/// Lets another thread in if connections are parked, nobody waits for them, and there is room.
fn replenish_if_unwatched() {
    if POLLING.load(Ordering::SeqCst) > 0 || PARKED_COUNT.load(Ordering::SeqCst) == 0 || !one_more() {
        return;
    }
    let spare = SPARES.lock().pop();
    if let Some(w) = spare {
        w.state.store(ACTIVE, Ordering::SeqCst);
        w.called.store(true, Ordering::Release);
        w.parker.unpark();
        return;
    }
    // A thread that cannot be made is not an error yet: those that run will come back to the ready connections.
    if !spawn(Start::Active) {
        ACTIVES.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Threads that wait for a connection to serve.
pub fn spares() -> usize {
    SPARES.lock().len()
}

fn spawn(start: Start) -> bool {
    probe::inc(Counter::ThreadsCreated);
    let stack = STACK.load(Ordering::Relaxed) as usize;
    let body = move || {
        crate::stack::begin(stack);
        work(start);
    };
    std::thread::Builder::new().name("worker".into()).stack_size(stack + crate::stack::SLACK).spawn(body).is_ok()
}

static STACK: AtomicU64 = AtomicU64::new(1 << 20);

/// Stack size of threads made here, bytes (`thread_stack`); see [`crate::stack`].
pub fn set_stack_size(bytes: u64) {
    STACK.store(bytes, Ordering::Relaxed);
}

/// This thread is going to sleep inside a statement, or in a read of a page; true if it was active (then [`resume`] must follow).
pub(crate) fn suspend(page_read: bool) -> bool {
    ME.with(|m| {
        let me = m.borrow();
        let Some(me) = me.as_ref() else { return false };
        if me.state.compare_exchange(ACTIVE, SUSPENDED, Ordering::SeqCst, Ordering::Relaxed).is_err() {
            return false;
        }
        if page_read {
            READING.fetch_add(1, Ordering::Relaxed);
        }
        ACTIVES.fetch_sub(1, Ordering::SeqCst);
        answers::give_away(me);
        pass_on();
        true
    })
}

pub(crate) fn resume(page_read: bool) {
    ME.with(|m| {
        if let Some(me) = m.borrow().as_ref() {
            if page_read {
                READING.fetch_sub(1, Ordering::Relaxed);
            }
            ACTIVES.fetch_add(1, Ordering::SeqCst);
            me.state.store(ACTIVE, Ordering::SeqCst);
        }
    });
}

#[cfg(test)]
#[path = "pool_tests.rs"]
mod tests;
