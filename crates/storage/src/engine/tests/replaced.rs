//! DDL replaces a table's definition while purge is at work on its rows.

use super::support::*;
use crate::dict::{Ddl, TableDef};
use crate::engine::Engine;
use crate::table::Table;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Another definition of the same rows.
fn replace(e: &Arc<Engine>, tab: &Table) {
    let mut new = TableDef::clone(&tab.def);
    new.comment.push('!');
    let mut ddl = Ddl::begin(e, 1).unwrap();
    ddl.replace_table(&tab.def, new).unwrap();
    ddl.commit().unwrap();
}

#[test]
fn purge_goes_on_by_the_new_definition() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut known = Some(tab.clone());
    replace(&e, &tab);
    let comment = e.with_table(tab.id(), &mut known, |t| Ok(t.def.comment.clone())).unwrap();
    assert_eq!(comment.as_deref(), Some("!"));
    assert!(!Arc::ptr_eq(&tab, known.as_ref().unwrap()));
    let mut ddl = Ddl::begin(&e, 1).unwrap();
    ddl.drop_table(&table(&e, "a").def).unwrap();
    ddl.commit().unwrap();
    assert_eq!(e.with_table(tab.id(), &mut known, |_| Ok(())).unwrap(), None);
    assert!(known.is_none());
}

#[test]
fn ddl_waits_until_purge_has_left_the_table() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let (inside, done) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|s| {
        s.spawn(|| {
            e.with_table(tab.id(), &mut Some(tab.clone()), |_| {
                inside.store(true, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(100));
                assert!(!done.load(Ordering::SeqCst), "the trees may be gone");
                Ok(())
            })
            .unwrap();
        });
        while !inside.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        replace(&e, &tab);
        done.store(true, Ordering::SeqCst);
    });
}
