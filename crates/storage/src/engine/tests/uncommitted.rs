//! READ UNCOMMITTED and purge read what may be rolled back meanwhile: its long columns stay until they have.

use super::support::*;
use crate::engine::Engine;
use crate::space::usage;
use crate::stop_on_drop::StopOnDrop;
use crate::table::{Direction, KeyRange, ReadMode, Table, TableCursor};
use crate::txn::{Isolation, Trx};
use bumpalo::Bump;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use value::Value;

const LONG: usize = 60_000;

fn long(byte: u8) -> Vec<u8> {
    vec![byte; LONG]
}

fn pages(e: &Arc<Engine>, tab: &Arc<Table>) -> u64 {
    usage(e.store().pool(), tab.def.space).unwrap().0
}

fn reader(e: &Arc<Engine>) -> Trx {
    let mut t = e.new_trx(9).unwrap();
    t.set_isolation(Isolation::ReadUncommitted);
    t.begin_statement();
    t
}

/// Reads the row through index `n`, lets `meanwhile` happen, and then looks at the long column.
fn read_slowly(t: &mut Trx, tab: &Arc<Table>, n: usize, want: u8, meanwhile: impl FnOnce()) {
    let mut c = TableCursor::open(tab, n, ReadMode::Consistent, false);
    c.seek(t, KeyRange::ALL, Direction::Forward).unwrap();
    let row = c.next(t).unwrap().unwrap();
    meanwhile();
    let arena = Bump::new();
    let Value::Str(got) = row.column(4, &arena).unwrap() else { panic!("no text") };
    assert!(got == long(want), "index {n}");
}

#[test]
fn long_columns_of_versions_rolled_back_wait_for_their_readers() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut w = e.new_trx(1).unwrap();
    insert_blob(&mut w, &tab, &r(1, 1, Some(1), "x"), Some(&long(b'a'))).unwrap();
    w.commit().unwrap();
    drain_purge(&e);
    let before = pages(&e, &tab);
    for n in 0..4 {
        let mut t = reader(&e);
        update(&mut w, &tab, 1, &[(1, Value::Int(2)), (4, Value::Str(&long(b'b')))]).unwrap();
        read_slowly(&mut t, &tab, n, b'b', || {
            w.rollback().unwrap();
            drain_purge(&e);
            assert_eq!(e.kept_versions(), 1);
        });
        assert!(pages(&e, &tab) > before);
        t.end_statement();
        drain_purge(&e);
        assert_eq!((e.kept_versions(), pages(&e, &tab)), (0, before), "index {n}");
    }
    // an insert; and a savepoint, after which the number goes on only when the transaction ends
    delete(&mut w, &tab, 1).unwrap();
    w.commit().unwrap();
    drain_purge(&e);
    let empty = pages(&e, &tab);
    let mut t = reader(&e);
    let point = w.begin_statement();
    insert_blob(&mut w, &tab, &r(1, 1, Some(1), "x"), Some(&long(b'c'))).unwrap();
    read_slowly(&mut t, &tab, 0, b'c', || {
        w.rollback_to(point).unwrap();
        drain_purge(&e);
        w.commit().unwrap();
        drain_purge(&e);
    });
    // one that comes later does not keep what it cannot have read
    let mut later = reader(&e);
    assert!(read(&mut later, &tab, 1).is_none());
    assert_eq!(e.kept_versions(), 1);
    t.end_statement();
    drain_purge(&e);
    assert_eq!((e.kept_versions(), pages(&e, &tab)), (0, empty));
    drop(later);
    check(&e, &tab);
}

#[test]
fn long_columns_that_purge_may_take_wait_too() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut w = e.new_trx(1).unwrap();
    insert_blob(&mut w, &tab, &r(1, 1, Some(1), "x"), Some(&long(b'a'))).unwrap();
    w.commit().unwrap();
    for n in 0..4 {
        let mut t = reader(&e);
        let (old, new) = (b'a' + n as u8, b'b' + n as u8);
        read_slowly(&mut t, &tab, n, old, || {
            update(&mut w, &tab, 1, &[(1, Value::Int(new.into())), (4, Value::Str(&long(new)))]).unwrap();
            w.commit().unwrap();
            drain_purge(&e);
        });
    }
    let mut t = reader(&e);
    read_slowly(&mut t, &tab, 0, b'e', || {
        delete(&mut w, &tab, 1).unwrap();
        w.commit().unwrap();
        drain_purge(&e);
    });
    drop(t);
    drain_purge(&e);
    check(&e, &tab);
}

#[test]
fn nobody_reads_so_pages_go_at_once() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let before = pages(&e, &tab);
    let mut w = e.new_trx(1).unwrap();
    insert_blob(&mut w, &tab, &r(1, 1, Some(1), "x"), Some(&long(b'a'))).unwrap();
    assert!(pages(&e, &tab) > before);
    w.rollback().unwrap();
    assert_eq!((e.kept_versions(), pages(&e, &tab)), (0, before));
    // kept for a table that is dropped before its reader has ended
    let mut t = reader(&e);
    insert_blob(&mut w, &tab, &r(1, 1, Some(1), "x"), Some(&long(b'a'))).unwrap();
    assert!(read(&mut t, &tab, 1).is_some());
    w.rollback().unwrap();
    assert_eq!(e.kept_versions(), 1);
    tab.retire();
    drop(t);
    drain_purge(&e);
    assert_eq!(e.kept_versions(), 0);
}

#[test]
fn what_was_kept_goes_when_the_server_stops() {
    let (fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut w = e.new_trx(1).unwrap();
    insert_blob(&mut w, &tab, &r(1, 1, Some(1), "x"), Some(&long(b'a'))).unwrap();
    w.commit().unwrap();
    let before = pages(&e, &tab);
    let mut t = reader(&e);
    assert!(point(&mut t, &tab, 1, ReadMode::Consistent).unwrap().is_some());
    update(&mut w, &tab, 1, &[(4, Value::Str(&long(b'b')))]).unwrap();
    w.rollback().unwrap();
    assert_eq!(e.kept_versions(), 1);
    drop((t, w, tab));
    e.shutdown(true).unwrap();
    drop(e);
    let e = open(&fs);
    assert_eq!(pages(&e, &table(&e, "a")), before);
}

#[test]
fn a_semi_consistent_read_sees_no_version_that_is_rolled_back() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut w = e.new_trx(1).unwrap();
    insert_blob(&mut w, &tab, &r(1, 1, Some(1), "x"), Some(&long(b'a'))).unwrap();
    w.commit().unwrap();
    let (stop, looked) = (AtomicBool::new(false), AtomicUsize::new(0));
    // several, so that one of them is stopped between two steps
    let look = |n| {
        let mut t = e.new_trx(n).unwrap();
        t.set_isolation(Isolation::ReadCommitted);
        let began = std::time::Instant::now();
        let mut wrong = None;
        // so long, and until something has been tested
        while (began.elapsed().as_millis() < 1500 || looked.load(Ordering::Relaxed) <= 10)
            && began.elapsed().as_secs() < 120
            && wrong.is_none()
        {
            t.begin_statement();
            let mut c = TableCursor::open(&tab, 0, ReadMode::FOR_UPDATE, false);
            c.set_semi_consistent(true);
            c.seek(&mut t, KeyRange::ALL, Direction::Forward).unwrap();
            let arena = Bump::new();
            if let Some(row) = c.next(&mut t).unwrap() {
                let (k, b) = (get_i64(&row, 1), row.column(4, &arena));
                let whole = matches!(b, Ok(Value::Str(b)) if b == long(b'a'));
                if k != Some(1) || !whole {
                    wrong = Some(format!("k is {k:?}, the long column as committed: {whole}"));
                }
                looked.fetch_add(usize::from(c.was_semi_consistent()), Ordering::Relaxed);
            }
            t.rollback().unwrap();
        }
        wrong
    };
    std::thread::scope(|s| {
        s.spawn(|| {
            for n in 0.. {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let longer = long(b'b');
                let changes = [(1, Value::Int(2)), (4, Value::Str(&longer))];
                update(&mut w, &tab, 1, &changes[..1 + usize::from(n % 8 == 0)]).unwrap();
                w.rollback().unwrap();
            }
        });
        let readers: Vec<_> = (0..6)
            .map(|n| {
                s.spawn({
                    let look = &look;
                    move || look(10 + n)
                })
            })
            .collect();
        let _ended = StopOnDrop(&stop);
        let wrong: Vec<_> = readers.into_iter().filter_map(|r| r.join().unwrap()).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    });
    assert!(looked.load(Ordering::Relaxed) > 10, "{looked:?}");
}
