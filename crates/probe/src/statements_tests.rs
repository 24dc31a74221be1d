//! Tests of [`crate::statements`].

use crate::statements::*;
use std::sync::Arc;

fn one(ns: u64) -> One {
    let mut one = One::default();
    one.begin(ns, 1);
    one.rows = [0, 2, 0];
    one
}

#[test]
fn counts_survive_their_thread_and_not_truncate() {
    // digests are the process's too
    let _alone = crate::instruments::switching();
    let make = || ("h".to_owned(), "SELECT ?".to_owned());
    let (mut a, mut b) = (ThreadDigests::default(), ThreadDigests::default());
    assert!(a.find(1).is_none());
    let record = |slot: Arc<Slot>, ns| slot.add_run(&crate::measures::Run::of(std::iter::once(&one(ns))), 0);
    record(a.enter(1, Some("d"), make), 5000);
    record(a.enter(2, Some("d"), make), 1000);
    record(b.enter(1, Some("d"), || unreachable!()), 9000);
    let sum = || {
        let d = all().into_iter().find(|d| d.text.as_ref().is_some_and(|t| t.0 == "h")).unwrap();
        let t = d.totals();
        (t.get(Measure::Count), t.get(Measure::TimeNs), t.get(Measure::MinNs), t.get(Measure::MaxNs))
    };
    assert_eq!(sum(), (3, 15000, 1000, 9000));
    assert!(a.find(1).is_some() && a.find(2).is_some() && a.find(3).is_none());
    drop(a);
    assert_eq!(sum(), (3, 15000, 1000, 9000));
    truncate();
    assert!(all().is_empty() && b.find(1).is_none());
}
