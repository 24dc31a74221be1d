//! Sizes of files: small tables are small, and grow as MySQL's do.

use super::support::*;
use crate::page::PAGE_SIZE;

#[test]
fn a_table_without_rows_takes_128_kib_and_grows_in_extents() {
    let (fs, e) = engine();
    let tab = create(&e, standard("a"));
    let size = || e.store().files().size(tab.def.space).unwrap();
    assert!(size() <= 128 << 10, "{} bytes without a row", size());
    let mut t = e.new_trx(1).unwrap();
    let mut sizes = vec![size()];
    for i in 0..20_000i64 {
        insert(&mut t, &tab, &r(i, i, Some(i), &"x".repeat(60))).unwrap();
        if *sizes.last().unwrap() != size() {
            sizes.push(size());
        }
    }
    t.commit().unwrap();
    let (used, have) = crate::space::usage(e.store().pool(), tab.def.space).unwrap();
    assert!(have < used + 6 * 64, "{used} pages of {have}");
    for pair in sizes.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let step = if from < 1 << 20 { 128 << 10 } else { 1 << 20 };
        assert!(to - from <= step && to.is_multiple_of(128 << 10), "from {from} to {to}");
    }
    check(&e, &tab);
    // the same after a crash that keeps the sizes
    e.store().flush_and_checkpoint().unwrap();
    drop((t, tab, e));
    fs.crash(3);
    let e = open(&fs);
    let tab = table(&e, "a");
    check(&e, &tab);
    assert!(e.store().files().size(tab.def.space).unwrap() >= used * PAGE_SIZE as u64);
}

#[test]
fn few_files_are_open_and_everything_goes_on() {
    let (fs, e) = engine();
    e.store().files().set_limit(12);
    let tables: Vec<_> = (0..40).map(|n| create(&e, standard(&format!("t{n}")))).collect();
    let mut t = e.new_trx(1).unwrap();
    for round in 0..3 {
        for tab in &tables {
            insert(&mut t, tab, &r(round, round, None, "x")).unwrap();
        }
        t.commit().unwrap();
        e.store().flush_and_checkpoint().unwrap();
        assert!(e.status().open_files <= 12, "{} files", e.status().open_files);
    }
    drop((t, tables, e));
    fs.crash(1);
    let mut config = crate::engine::EngineConfig::on(fs.boot());
    config.open_files = 12;
    let e = crate::engine::Engine::open(config).unwrap();
    let mut t = e.new_trx(1).unwrap();
    for n in 0..40 {
        let tab = table(&e, &format!("t{n}"));
        assert_eq!(all(&mut t, &tab).len(), 3);
    }
    assert!(e.status().open_files <= 12);
}
