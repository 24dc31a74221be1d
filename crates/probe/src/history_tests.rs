//! Tests of [`crate::history`].

use crate::history::*;

/// Connection, number, marks.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct N(u64, u64, u8);
impl Event for N {
    fn marks(&mut self) -> &mut u8 {
        &mut self.2
    }
    fn marked(&self) -> u8 {
        self.2
    }
    fn number(&self) -> (u64, u64) {
        (self.0, self.1)
    }
    fn ended(&self) -> u64 {
        self.1
    }
}

fn numbers(all: &[N]) -> Vec<u64> {
    all.iter().map(|n| n.1).collect()
}

fn add(r: &mut Ring<N>, long: &Long<N>, size: usize, marks: u8, all: std::ops::RangeInclusive<u64>) {
    all.for_each(|n| {
        let e = r.next(size, marks, long);
        (e.0, e.1) = (1, n);
    });
}

#[test]
fn the_oldest_goes_first() {
    let (mut r, long) = (Ring::default(), Long::new());
    let state = |r: &Ring<N>| (numbers(&r.all()), r.last().map(|n| n.1));
    assert_eq!(state(&r), (vec![], None));
    add(&mut r, &long, 5, KEPT, 1..=12);
    assert_eq!(state(&r), (vec![8, 9, 10, 11, 12], Some(12)));
    add(&mut r, &long, 5, 0, 13..=20);
    assert_eq!(state(&r), (vec![8, 9, 10, 11, 12], Some(20)), "without the consumer");
    add(&mut r, &long, 5, KEPT, 21..=21);
    assert_eq!(state(&r), (vec![9, 10, 11, 12, 21], Some(21)));
    r.clear();
    assert_eq!(state(&r), (vec![], Some(21)));
    add(&mut r, &long, 5, KEPT, 1..=3);
    assert_eq!(numbers(&r.all()), [1, 2, 3]);
    r.hide();
    assert_eq!(state(&r), (vec![1, 2, 3], None));
    add(&mut r, &long, 5, KEPT, 4..=4);
    assert_eq!(state(&r), (vec![1, 2, 3, 4], Some(4)));
    let mut none = Ring::default();
    add(&mut none, &long, 0, KEPT, 1..=3);
    assert_eq!(state(&none), (vec![], Some(3)));
}

#[test]
fn an_event_is_in_both_histories_while_both_are_on() {
    let (mut r, long) = (Ring::default(), Long::new());
    long.set_size(100);
    let all = |r: &Ring<N>, long: &Long<N>| numbers(&long.all(std::iter::once(r.unfilled())));
    add(&mut r, &long, 3, KEPT, 1..=5);
    add(&mut r, &long, 3, KEPT | LONG, 6..=6);
    assert_eq!((numbers(&r.all()), all(&r, &long)), (vec![4, 5, 6], vec![6]), "the history goes on");
    add(&mut r, &long, 3, KEPT | LONG, 7..=69);
    assert_eq!((numbers(&r.all()), all(&r, &long)), (vec![67, 68, 69], (6..=69).collect()), "a full chunk");
    add(&mut r, &long, 3, KEPT | LONG, 70..=70);
    assert_eq!((numbers(&r.all()), all(&r, &long)), (vec![68, 69, 70], (6..=70).collect()), "handed over");
    add(&mut r, &long, 3, LONG, 71..=71);
    assert_eq!((numbers(&r.all()), r.last().map(|n| n.1)), (vec![68, 69, 70], Some(71)), "the long one alone");
    add(&mut r, &long, 3, KEPT, 72..=72);
    assert_eq!((numbers(&r.all()), all(&r, &long)), (vec![69, 70, 72], (6..=71).collect()), "switched off");
    add(&mut r, &long, 3, KEPT | LONG, 73..=400);
    assert_eq!((numbers(&r.all()), all(&r, &long)), (vec![398, 399, 400], (301..=400).collect()), "the last ones");
    r.clear();
    assert_eq!((numbers(&r.all()), all(&r, &long).len()), (vec![], 100));
    r.leave(&long);
    assert_eq!((r.unfilled().len(), all(&r, &long)), (0, (301..=400).collect()), "what a session leaves");
    assert_eq!((r.last().map(|n| n.1), r.all()), (Some(400), vec![]), "and what it shows until the next");
    add(&mut r, &long, 3, KEPT | LONG, 401..=402);
    long.clear();
    r.clear_unfilled();
    assert_eq!((numbers(&r.all()), all(&r, &long)), (vec![401, 402], vec![]));
}

#[test]
fn a_session_that_becomes_another_account_keeps_its_history() {
    let (mut r, long) = (Ring::default(), Long::new());
    add(&mut r, &long, 4, KEPT | LONG, 1..=6);
    r.leave(&long);
    assert_eq!((numbers(&r.all()), r.unfilled().len()), (vec![3, 4, 5, 6], 0));
    add(&mut r, &long, 4, KEPT | LONG, 7..=7);
    assert_eq!(numbers(&r.all()), [4, 5, 6, 7]);
    assert_eq!(numbers(&long.all(std::iter::once(r.unfilled()))), [1, 2, 3, 4, 5, 6, 7]);
    r.leave(&long);
    add(&mut r, &long, 4, KEPT, 8..=9);
    assert_eq!(numbers(&r.all()), [6, 7, 8, 9], "the long one switched off meanwhile");
    add(&mut r, &long, 4, KEPT | LONG, 10..=10);
    assert_eq!(numbers(&r.all()), [7, 8, 9, 10], "and on again");
}

#[test]
fn the_long_one_takes_from_all_threads() {
    static LONGEST: Long<N> = Long::new();
    LONGEST.set_size(1000);
    std::thread::scope(|s| {
        for t in 1..=4u64 {
            s.spawn(move || {
                let mut r = Ring::default();
                for n in 1..=200 {
                    let e = r.next(10, KEPT | LONG, &LONGEST);
                    (e.0, e.1) = (t, n);
                }
                r.leave(&LONGEST);
            });
        }
    });
    let all = LONGEST.all(std::iter::empty());
    assert_eq!(all.len(), 800, "none lost, none twice");
    LONGEST.clear();
    assert!(LONGEST.all(std::iter::empty()).is_empty() && LONGEST.memory().0 == 0);
}
