//! The pool with echo connections over socket pairs. One test at a time: the pool is the process's.

use super::*;
use crate::Session;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

static SERIAL: std::sync::Mutex<()> = std::sync::Mutex::new(());
static RUNNING: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
/// While it is set, `h` sleeps.
static HELD: AtomicBool = AtomicBool::new(false);
/// While it is set, `S` sleeps and `l` spins.
static LONG: AtomicBool = AtomicBool::new(false);
/// Who sleeps inside a counted wait, or waits for [`Slow`], and how many did at once.
static AWAY: AtomicUsize = AtomicUsize::new(0);
static MOST_AWAY: AtomicUsize = AtomicUsize::new(0);
/// What has not happened by then never will.
const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until `what`, for at most [`PATIENCE`].
fn until(what: impl Fn() -> bool) -> bool {
    let t = Instant::now();
    while !what() {
        if t.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

/// Goes away, and comes back when three have been away at once (or, once that did not happen, at once).
fn away_with_others() {
    MOST_AWAY.fetch_max(AWAY.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
    if !until(|| MOST_AWAY.load(Ordering::SeqCst) > 2) {
        MOST_AWAY.fetch_max(1000, Ordering::SeqCst); // the test says so
    }
    std::thread::sleep(Duration::from_millis(5));
    AWAY.fetch_sub(1, Ordering::SeqCst);
}

/// Answers each byte by itself, later if it may. `k` is answered when the test says so ([`Kept`]). `q` and `Q` are as `d` and `D` with something that is [`Quick`]. `w` answers with 8 MiB. `d` is answered when [`Slow`] says so (`D`: it says that it failed, which is answered by `F`). `s` sleeps 5 ms, `S` does inside a counted wait and goes on while [`LONG`], `l` spins while [`LONG`], `h` sleeps while [`HELD`]. `b` sleeps inside a counted wait until three do.
struct Echo {
    id: u64,
    socket: UnixStream,
    session: Arc<Session>,
    idle: Duration,
    /// What is to be answered when it has happened.
    owed: u8,
    /// Not sent yet.
    left: Vec<u8>,
}

impl Echo {
    fn answer(&mut self, b: u8) -> Served {
        let bytes = vec![b; if b == b'w' { LARGE } else { 1 }];
        if may_wait() {
            self.left = bytes;
            return Served::Idle;
        }
        match self.socket.write_all(&bytes) {
            Ok(()) => Served::Idle,
            Err(_) => Served::End,
        }
    }
}

const LARGE: usize = 8 << 20;

/// Finishes what it is given 5 ms later, from a thread of its own, the first ones when there are three of them; `at` 0 fails.
struct Slow;

impl Completer for Slow {
    fn submit(&self, at: u64, task: Unfinished) {
        std::thread::spawn(move || {
            away_with_others();
            finish_all([task.done(at > 0)]);
        });
    }
}

/// Keeps what it is given until the test finishes all of it.
struct Kept;
static KEPT: std::sync::Mutex<Vec<Unfinished>> = std::sync::Mutex::new(Vec::new());

impl Completer for Kept {
    fn submit(&self, _at: u64, task: Unfinished) {
        KEPT.lock().unwrap().push(task.done(true));
    }
}

/// A log in memory: waiting for it takes no time. How often somebody did.
struct Quick;
static QUICK_WAITS: AtomicUsize = AtomicUsize::new(0);

impl Completer for Quick {
    fn submit(&self, at: u64, task: Unfinished) {
        Slow.submit(at, task);
    }
    fn is_quick(&self) -> bool {
        true
    }
    fn wait(&self, at: u64) -> Option<bool> {
        // now and then somebody else is at it
        (QUICK_WAITS.fetch_add(1, Ordering::SeqCst) % 8 != 7).then_some(at > 0)
    }
}

impl Task for Echo {
    fn id(&self) -> u64 {
        self.id
    }
    fn fd(&self) -> RawFd {
        self.socket.as_raw_fd()
    }
    fn has_input(&mut self) -> bool {
        false
    }
    fn hand_over(&mut self) -> Option<(Arc<dyn Completer>, u64)> {
        let at = u64::from(self.owed.is_ascii_lowercase());
        Some(match self.owed {
            b'q' | b'Q' => (Arc::new(Quick), at),
            b'k' => (Arc::new(Kept), at),
            _ => (Arc::new(Slow), at),
        })
    }
    fn finish(&mut self, happened: bool) -> Served {
        assert!(counts().1 <= 2, "answered by an active thread: {:?}", counts());
        self.answer(if happened { self.owed } else { b'F' })
    }
    fn serve(&mut self) -> Served {
        let _a = self.session.attach();
        let mut b = [0u8];
        if self.socket.read(&mut b).unwrap_or(0) == 0 {
            return Served::End;
        }
        MOST.fetch_max(RUNNING.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        if matches!(b[0], b'd' | b'D' | b'k' | b'q' | b'Q') {
            RUNNING.fetch_sub(1, Ordering::SeqCst);
            self.owed = b[0];
            return Served::Later;
        }
        let five = || std::thread::sleep(Duration::from_millis(5));
        match b[0] {
            b's' => five(),
            b'h' => assert!(until(|| !HELD.load(Ordering::SeqCst))),
            b'S' | b'b' => {
                RUNNING.fetch_sub(1, Ordering::SeqCst);
                crate::blocking_wait(probe::WaitClass::RowLock, || match b[0] {
                    b'b' => away_with_others(),
                    _ => {
                        five();
                        assert!(until(|| !LONG.load(Ordering::SeqCst)));
                    }
                });
                RUNNING.fetch_add(1, Ordering::SeqCst);
            }
            b'l' => {
                let t = Instant::now();
                while LONG.load(Ordering::SeqCst) && t.elapsed() < PATIENCE {
                    std::hint::spin_loop();
                }
            }
            _ => {}
        }
        RUNNING.fetch_sub(1, Ordering::SeqCst);
        self.answer(b[0])
    }
    fn unsent(&self) -> &[u8] {
        &self.left
    }
    fn sent(&mut self, outcome: io::Result<usize>) -> Sending {
        match outcome {
            Ok(n) => drop(self.left.drain(..n)),
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => return Sending::Lost,
        }
        if self.left.is_empty() { Sending::Done } else { Sending::Rest }
    }
    fn send_rest(&mut self) -> Served {
        let left = std::mem::take(&mut self.left);
        match self.socket.write_all(&left) {
            Ok(()) => Served::Idle,
            Err(_) => Served::End,
        }
    }
    fn idle_limit(&self) -> Duration {
        self.idle
    }
    fn expire(mut self: Box<Self>) {
        let _ = self.socket.write_all(b"T");
    }
}

fn connect(id: u64, idle: Duration) -> UnixStream {
    let (client, socket) = UnixStream::pair().unwrap();
    client.set_read_timeout(Some(PATIENCE)).unwrap();
    let task = Box::new(Echo { id, socket, session: Session::new(id), idle, owed: 0, left: Vec::new() });
    std::thread::spawn(move || run(task));
    client
}

fn ask(c: &mut UnixStream, what: u8) {
    let mut b = [0u8];
    c.write_all(&[what]).unwrap();
    c.read_exact(&mut b).unwrap();
    assert_eq!(b[0], what);
}

fn settle_down() {
    let t = Instant::now();
    while counts().2 > 0 && t.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(counts().2, 0, "every closed connection has been taken out");
    MOST.store(0, Ordering::SeqCst);
}

const LONG_IDLE: Duration = Duration::from_secs(600);

/// Many clients are all served, never by more threads at once than there are tokens; connections without work have no thread.
#[test]
fn few_threads_serve_many() {
    let _one = SERIAL.lock().unwrap_or_else(|e| e.into_inner());
    set_tokens(2);
    let mut clients: Vec<UnixStream> = (0..50).map(|i| connect(1000 + i, LONG_IDLE)).collect();
    clients.iter_mut().for_each(|c| ask(c, b'a')); // all have been parked once
    MOST.store(0, Ordering::SeqCst);
    let threads: Vec<_> = clients
        .into_iter()
        .map(|mut c| {
            std::thread::spawn(move || {
                (0..20).for_each(|n| ask(&mut c, if n == 7 { b's' } else { b'x' }));
                c
            })
        })
        .collect();
    let clients: Vec<_> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    assert!(MOST.load(Ordering::SeqCst) <= 2, "{MOST:?} at once");
    let t = Instant::now();
    while counts().2 < 50 && t.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(counts().2, 50, "idle connections are parked");
    drop(clients);
    settle_down();
}

/// Sleepers let others in: more of them sleep at once than there are tokens.
#[test]
fn sleepers_let_others_in() {
    let _one = SERIAL.lock().unwrap_or_else(|e| e.into_inner());
    set_tokens(2);
    let mut clients: Vec<UnixStream> = (0..20).map(|i| connect(2000 + i, LONG_IDLE)).collect();
    clients.iter_mut().for_each(|c| ask(c, b'a'));
    MOST_AWAY.store(0, Ordering::SeqCst);
    clients.iter_mut().for_each(|c| c.write_all(b"b").unwrap());
    clients.iter_mut().for_each(|c| c.read_exact(&mut [0]).unwrap());
    let most = MOST_AWAY.load(Ordering::SeqCst);
    assert!((3..=20).contains(&most), "sleeping statements keep others from running: {most}");
    drop(clients);
    settle_down();
}

/// Commands that wait for something else wait without a thread, all at once, and are answered in the end.
#[test]
fn commands_finish_later() {
    let _one = SERIAL.lock().unwrap_or_else(|e| e.into_inner());
    set_tokens(2);
    let mut clients: Vec<UnixStream> = (0..40).map(|i| connect(5000 + i, LONG_IDLE)).collect();
    clients.iter_mut().for_each(|c| ask(c, b'a'));
    MOST_AWAY.store(0, Ordering::SeqCst);
    for _ in 0..10 {
        clients.iter_mut().for_each(|c| c.write_all(b"d").unwrap());
        clients.iter_mut().for_each(|c| {
            let mut b = [0u8];
            c.read_exact(&mut b).unwrap();
            assert_eq!(b[0], b'd');
        });
    }
    let most = MOST_AWAY.load(Ordering::SeqCst);
    assert!((3..=40).contains(&most), "they wait for each other: {most}");
    let mut b = [0u8];
    clients[3].write_all(b"D").unwrap();
    clients[3].read_exact(&mut b).unwrap();
    assert_eq!(b[0], b'F', "what failed is answered too");
    // a client that goes away meanwhile
    clients[4].write_all(b"d").unwrap();
    drop(clients);
    settle_down();
}

/// Starts the ticker; what is returned ends it.
fn ticking() -> impl FnOnce() {
    let stop = Arc::new(AtomicBool::new(false));
    let ticker = std::thread::spawn({
        let stop = stop.clone();
        move || {
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(10));
                tick();
            }
        }
    });
    move || {
        stop.store(true, Ordering::Relaxed);
        ticker.join().unwrap();
    }
}

fn together() -> u64 {
    probe::global(Counter::SchedAnswersTogether)
}

/// While the only thread sleeps its neighbours' commands pile up; then all of them are there at once, with one that is long, sleeps or is large, and that does
/// not end before all others have been answered.
fn one_round(clients: &mut [UnixStream], odd: u8) {
    LONG.store(true, Ordering::SeqCst);
    hold(&mut clients[0]);
    for (i, c) in clients.iter_mut().enumerate().skip(1) {
        c.write_all(&[if i == 20 { odd } else { b'x' }]).unwrap();
    }
    HELD.store(false, Ordering::SeqCst);
    for (i, c) in clients.iter_mut().enumerate().filter(|(i, _)| *i != 20) {
        let mut b = [0u8];
        c.read_exact(&mut b).unwrap_or_else(|e| panic!("{i} waits for {}: {e}", char::from(odd)));
        assert_eq!(b[0], if i == 0 { b'h' } else { b'x' });
    }
    LONG.store(false, Ordering::SeqCst);
    let mut answer = vec![0; if odd == b'w' { LARGE } else { 1 }];
    clients[20].read_exact(&mut answer).unwrap();
    assert!(answer.iter().all(|b| *b == odd));
}

/// The only thread sleeps until [`HELD`] is taken back.
fn hold(client: &mut UnixStream) {
    HELD.store(true, Ordering::SeqCst);
    client.write_all(b"h").unwrap();
    assert!(until(|| RUNNING.load(Ordering::SeqCst) == 1));
}

/// Commands that are there at once are answered together, and an answer does not wait for a neighbour that sleeps, is long, or whose client does not read.
#[test]
fn answers_leave_together_and_in_time() {
    let _one = SERIAL.lock().unwrap_or_else(|e| e.into_inner());
    set_tokens(1);
    let tick = ticking();
    let mut clients: Vec<UnixStream> = (0..40).map(|i| connect(6000 + i, LONG_IDLE)).collect();
    clients.iter_mut().for_each(|c| ask(c, b'a'));
    let before = together();
    for odd in *b"xSlw" {
        one_round(&mut clients, odd);
    }
    // where the kernel does not allow io_uring
    let allowed = !answers::NO_RINGS.swap(true, Ordering::SeqCst);
    for _ in 0..5 {
        one_round(&mut clients, b'x');
    }
    answers::NO_RINGS.store(!allowed, Ordering::SeqCst);
    assert!(together() - before >= 20, "{} answers left together", together() - before);
    // clients that go away without reading
    clients.iter_mut().for_each(|c| c.write_all(b"x").unwrap());
    drop(clients);
    settle_down();
    tick();
    set_tokens(2);
}

/// What waits for something quick waits on its thread, together, and is answered; also when the thread goes to sleep meanwhile.
#[test]
fn quick_waits_are_shared() {
    let _one = SERIAL.lock().unwrap_or_else(|e| e.into_inner());
    set_tokens(1);
    let mut clients: Vec<UnixStream> = (0..40).map(|i| connect(7000 + i, LONG_IDLE)).collect();
    clients.iter_mut().for_each(|c| ask(c, b'a'));
    ask(&mut clients[7], b'q');
    let before = QUICK_WAITS.load(Ordering::SeqCst);
    for odd in *b"qxS" {
        hold(&mut clients[0]);
        clients.iter_mut().skip(1).for_each(|c| c.write_all(b"q").unwrap());
        HELD.store(false, Ordering::SeqCst);
        clients[0].read_exact(&mut [0]).unwrap();
        ask(&mut clients[0], odd);
        for c in clients.iter_mut().skip(1) {
            let mut b = [0u8];
            c.read_exact(&mut b).unwrap();
            assert_eq!(b[0], b'q');
        }
    }
    let waits = QUICK_WAITS.load(Ordering::SeqCst) - before;
    assert!((1..60).contains(&waits), "{waits} waits for 117 commands");
    let mut b = [0u8];
    clients[3].write_all(b"Q").unwrap();
    clients[3].read_exact(&mut b).unwrap();
    assert_eq!(b[0], b'F', "what failed is answered too");
    drop(clients);
    settle_down();
    set_tokens(2);
}

/// Two endless statements do not keep a short one waiting, and become ordinary again afterwards.
#[test]
fn long_statements_lose_their_token() {
    let _one = SERIAL.lock().unwrap_or_else(|e| e.into_inner());
    set_tokens(2);
    let tick = ticking();
    let mut clients: Vec<UnixStream> = (0..8).map(|i| connect(3000 + i, LONG_IDLE)).collect();
    clients.iter_mut().for_each(|c| ask(c, b'a'));
    LONG.store(true, Ordering::SeqCst);
    clients[0].write_all(b"l").unwrap();
    clients[1].write_all(b"l").unwrap();
    assert!(until(|| RUNNING.load(Ordering::SeqCst) == 2));
    ask(&mut clients[5], b'x');
    LONG.store(false, Ordering::SeqCst);
    clients[0].read_exact(&mut [0]).unwrap();
    clients[1].read_exact(&mut [0]).unwrap();
    tick();
    clients.iter_mut().for_each(|c| ask(c, b'a'));
    assert!(counts().1 <= 2, "{:?}", counts());
    drop(clients);
    settle_down();
}

/// A parked connection ends when its idle limit is reached, and hears of it.
#[test]
fn idle_connections_expire() {
    let _one = SERIAL.lock().unwrap_or_else(|e| e.into_inner());
    set_tokens(2);
    let mut clients: Vec<UnixStream> =
        (0..24).map(|i| connect(4000 + i, if i == 0 { Duration::from_millis(50) } else { LONG_IDLE })).collect();
    clients.iter_mut().for_each(|c| ask(c, b'a'));
    std::thread::sleep(Duration::from_millis(80));
    reap();
    let mut b = [0u8];
    clients[0].read_exact(&mut b).unwrap();
    assert_eq!(b[0], b'T');
    clients.iter_mut().skip(1).for_each(|c| ask(c, b'x'));
    drop(clients);
    settle_down();
}

/// While it is set, who is about to wait for connections, and has looked whether an answer is there, stops before.
static STOP_POLLERS: AtomicBool = AtomicBool::new(false);
static STOPPED_POLLERS: AtomicUsize = AtomicUsize::new(0);

/// Called by the pool there.
pub(super) fn before_polling() {
    if STOP_POLLERS.load(Ordering::SeqCst) {
        STOPPED_POLLERS.fetch_add(1, Ordering::SeqCst);
        assert!(until(|| !STOP_POLLERS.load(Ordering::SeqCst)));
        STOPPED_POLLERS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Two threads are about to wait for connections when a command comes and another one can be answered. The first that
/// goes on is told of both; there are few sessions again, so it stays with the command's connection. The other one
/// waits, and must be told of the answer: by who leaves, or, where the command is a long one, by the ticker.
#[test]
fn an_answer_is_not_left_behind_by_who_stays_with_another() {
    let _one = SERIAL.lock().unwrap_or_else(|e| e.into_inner());
    set_tokens(2);
    for (round, command) in (0..10).zip([b'x', b'l'].into_iter().cycle()) {
        let mut clients: Vec<UnixStream> = (0..20).map(|i| connect(9000 + round * 100 + i, LONG_IDLE)).collect();
        clients.iter_mut().for_each(|c| ask(c, b'a'));
        clients[0].write_all(b"k").unwrap();
        assert!(until(|| KEPT.lock().unwrap().len() == 1));
        clients.truncate(4);
        assert!(until(|| SESSIONS.load(Ordering::SeqCst) == 4 && counts().2 == 4));
        STOP_POLLERS.store(true, Ordering::SeqCst);
        assert!(until(|| {
            bell().unwrap().ring();
            STOPPED_POLLERS.load(Ordering::SeqCst) == 2
        }));
        LONG.store(true, Ordering::SeqCst);
        clients[1].write_all(&[command]).unwrap();
        finish_all(std::mem::take(&mut *KEPT.lock().unwrap()));
        let stop = (command == b'l').then(ticking);
        STOP_POLLERS.store(false, Ordering::SeqCst);
        for (client, what) in [(0, b'k'), (1, command)] {
            let mut b = [0u8];
            let read = clients[client].read_exact(&mut b);
            LONG.store(false, Ordering::SeqCst);
            read.unwrap_or_else(|e| panic!("round {round}: no answer to {}: {e}", char::from(what)));
            assert_eq!(b[0], what);
        }
        stop.into_iter().for_each(|stop| stop());
        drop(clients);
        settle_down();
    }
}
