//! Tests of [`crate::instruments`].

use crate::counters::Counter;
use crate::files::FileUse;
use crate::instruments::*;
use crate::stage::Stage;

#[test]
fn names_are_mysqls_and_unique() {
    let mut names: Vec<&str> = Instrument::all().map(|(_, d)| d.name.as_str()).collect();
    assert!(names.contains(&"statement/sql/select") && names.contains(&"stage/sql/executing"));
    assert!(!names.iter().any(|n| n.contains("stmt_")));
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    assert_eq!(Instrument::TRANSACTION.name(), "transaction");
    assert_eq!(Instrument::ERRORS.name(), "error");
    assert_eq!(Instrument::ERROR_STATEMENT.name(), "statement/sql/error");
    assert_eq!(Instrument::statement(Counter::ComSelect).name(), "statement/sql/select");
    assert_eq!(Instrument::stage(Stage::UserSleep).name(), "stage/sql/User sleep");
    assert!(Instrument::all().all(|(i, _)| Instrument::of(i.number()) == Some(i)));
}

#[test]
fn patterns_of_options() {
    let _alone = switching();
    assert!(like(b"wait/%/x%", b"wait/a/b/x") && !like(b"wait/%/y", b"wait/a/x") && like(b"%", b""));
    for (i, d) in Instrument::all() {
        assert_eq!((i.enabled(), i.timed()), (d.default_on, d.default_on && d.class.has_time()), "{}", d.name);
    }
    assert!(!set_by_option("nothing") && !set_by_option("a=perhaps"));
    let i = Instrument::file(FileUse::Temporary);
    assert!(set_by_option("wait/io/file/sql/IO_cache = counted"));
    assert_eq!((i.enabled(), i.timed()), (true, false));
    assert!(set_by_option("wait/io/file/sql/%=off"));
    assert_eq!((i.enabled(), i.timed()), (false, false));
    assert!(set_by_option("wait/io/file/sql/%=on"));
}
