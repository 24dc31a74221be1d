use super::*;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// No more than the tokens run at once, everybody gets through, and the pool is whole afterwards, also when it is resized.
#[test]
fn never_too_many_and_nobody_lost() {
    let pool = Arc::new(TokenPool::new(3));
    let (running, most) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let threads: Vec<_> = (0..12)
        .map(|i| {
            let (pool, running, most) = (pool.clone(), running.clone(), most.clone());
            std::thread::spawn(move || {
                for n in 0..400 {
                    pool.take((i + n) % 3 == 0);
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    if n % 16 == 0 {
                        std::thread::yield_now();
                    }
                    running.fetch_sub(1, Ordering::SeqCst);
                    pool.give();
                }
            })
        })
        .collect();
    for n in [5, 1, 3, 2, 4, 1, 3] {
        std::thread::sleep(Duration::from_millis(3));
        pool.resize(n);
    }
    threads.into_iter().for_each(|t| t.join().unwrap());
    assert!(most.load(Ordering::SeqCst) <= 5);
    assert_eq!(pool.counts(), (3, 3, 0));
    let q = pool.queues.lock();
    assert_eq!((q.debt, q.grants, pool.free.load(Ordering::SeqCst)), (0, 0, 3));
}

#[test]
fn shrinking_takes_effect_when_tokens_come_back() {
    let pool = TokenPool::new(4);
    (0..4).for_each(|_| assert!(!pool.take(false)));
    pool.resize(1);
    (0..3).for_each(|_| pool.give());
    assert_eq!(pool.counts().1, 0, "three were owed");
    pool.give();
    assert_eq!(pool.counts(), (1, 1, 0));
    pool.take(false);
    pool.resize(3);
    assert!(!pool.take(false) && !pool.take(false));
    (0..3).for_each(|_| pool.give());
    assert_eq!(pool.counts(), (3, 3, 0));
}

#[test]
fn inside_first_with_bounded_bypass() {
    let pool = Arc::new(TokenPool::new(1));
    pool.take(false);
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut threads = Vec::new();
    for i in 0..20 {
        let inside = i >= 2; // the two outsiders come first
        let (p, order) = (pool.clone(), order.clone());
        threads.push(std::thread::spawn(move || {
            p.take(inside);
            order.lock().unwrap().push(inside);
            p.give();
        }));
        while pool.counts().2 != i + 1 {
            std::thread::yield_now();
        }
    }
    pool.give();
    threads.into_iter().for_each(|t| t.join().unwrap());
    let order = order.lock().unwrap();
    let outsiders: Vec<_> = order.iter().enumerate().filter(|(_, inside)| !**inside).map(|(i, _)| i).collect();
    assert_eq!(outsiders, [8, 17]);
}
