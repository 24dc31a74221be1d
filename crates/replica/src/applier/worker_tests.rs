//! The circle of mutexes in which four workers hung once, and which their order forbids now: each of its edges is made
//! here on purpose, with the one that must not be.
//!
//! * Who waits for its turn asks, under the mutex of its lock owner, whether the transaction whose turn it is waits for
//!   a lock ([`whose_turn_waits`]): the queue's mutex, the workers', a thread's, a connection's.
//! * Who takes a transaction says under the queue's mutex that its number begins: the turns' mutex.
//! * Who ends its turn grants the next one's under the turns' mutex: the mutex of the lock owner that waits.
//!
//! So the first must not wait for any of its mutexes; it looks again a moment later.

use super::job::job;
use super::queue::{Queue, Taken};
use super::worker::whose_turn_waits;
use crate::thread::Thread;
use catalog::connections::Connections;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;
use storage::rowlock::LockSys;

/// Longer than any machine needs for what does not wait.
const PATIENCE: Duration = Duration::from_secs(20);

/// Numbers 0 to 2 are in the queue, and as many as said are taken, each by the worker of its number.
fn taken(how_many: u64, begins: impl Fn(u64)) -> Queue {
    let q = Queue::new(true, 1 << 20);
    for n in 0..3 {
        assert!(q.push(job(n, 0, n + 1), &|| false));
    }
    for n in 0..how_many {
        assert!(matches!(q.take(n as usize, PATIENCE, &begins, |_| {}), Taken::Job(j) if j.n == n));
    }
    q
}

#[test]
fn who_waits_for_its_turn_never_waits_for_the_queue() {
    let locks = LockSys::new();
    let owners: Vec<_> = (0..3).map(|_| locks.new_owner()).collect();
    let q = taken(2, |_| {});
    let turns = q.turns.as_ref().unwrap();
    (0..2).for_each(|n| turns.begin(n, &owners[n as usize]));
    let workers = Mutex::default();
    let (in_queue, is_in_queue) = sync_channel(3);
    let (answers, is_answered) = sync_channel(1000);
    let (asks, is_asked) = sync_channel(1000);
    let (q, owners) = (&q, &owners);
    std::thread::scope(|scope| {
        // takes number 2, and stays under the queue's mutex until the other has been answered
        scope.spawn(move || {
            let begins = |n: u64| {
                in_queue.send(()).unwrap();
                is_answered.recv_timeout(PATIENCE).expect("who waits for its turn waits for the queue");
                turns.begin(n, &owners[2]);
            };
            assert!(matches!(q.take(2, PATIENCE, begins, |_| {}), Taken::Job(j) if j.n == 2));
        });
        is_in_queue.recv().unwrap();
        // waits for its turn, and asks under its owner's mutex
        let waits = scope.spawn(|| {
            let stuck = || {
                let _ = asks.try_send(());
                let stuck = whose_turn_waits(&workers, q);
                let _ = answers.try_send(());
                stuck
            };
            turns.wait(&locks, 1, &stuck)
        });
        // ends number 0: under the turns' mutex it grants the other its turn
        is_asked.recv().unwrap();
        turns.end(&locks, 0);
        assert_eq!(waits.join().unwrap(), Ok(()));
    });
    assert_eq!(turns.now(), 1);
}

#[test]
fn nor_for_any_other() {
    let q = Arc::new(taken(1, |_| {}));
    let thread = Arc::new(Thread::default());
    let workers = Arc::new(Mutex::new(vec![thread.clone()]));
    let connection = Connections::default().register("");
    *thread.connection.lock() = Some(connection.clone());
    let answers = |what: &str| {
        let (tell, told) = sync_channel(1);
        let (workers, q) = (workers.clone(), q.clone());
        std::thread::spawn(move || tell.send(whose_turn_waits(&workers, &q)));
        assert_eq!(told.recv_timeout(PATIENCE), Ok(false), "{what}");
    };
    {
        let _held = workers.lock();
        answers("the workers' mutex");
    }
    {
        let _held = thread.connection.lock();
        answers("the thread's mutex");
    }
    let _held = connection.sched.lock();
    answers("the connection's mutex");
}
