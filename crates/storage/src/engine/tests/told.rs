//! Every fault of the disk is a line of the error log, once, with the file and what to do.

use super::support::*;
use crate::engine::Engine;
use crate::file::FileSystem;
use crate::file::sim::{Fault, SimFs};
use std::sync::Arc;

/// Rows, commits and everything written out; errors are somebody else's business.
fn work(e: &Arc<Engine>, from: i64) {
    let Ok(Some(tab)) = e.dict().open_table(e, "t", "a") else { return };
    let Ok(mut t) = e.new_trx(1) else { return };
    for i in from..from + 300 {
        if insert_blob(&mut t, &tab, &r(i, i, Some(i), "x"), Some(&[7; 5000])).is_err() {
            break;
        }
        if i % 50 == 0 && t.commit().and_then(|lsn| e.wait_durable(lsn)).is_err() {
            break;
        }
    }
    let _ = t.commit();
    let _ = e.store().flush_and_checkpoint();
}

#[test]
fn each_kind_is_told_once() {
    let kinds = [
        (Fault::Io, 0, "#ib_redo0", "'#innodb_redo/#ib_redo0': Input/output error (OS error 5)"),
        (Fault::Io, 1, "#ib_redo0", "'#innodb_redo/#ib_redo0': Input/output error (OS error 5)"),
        (Fault::ShortWrite, 0, "#ib_redo0", "Operation 'write' on '#innodb_redo/#ib_redo0'"),
        (Fault::NoSpace, 0, "#ib_redo0", "No space left on the device for '#innodb_redo/#ib_redo0'"),
        (Fault::NoSpace, 0, "00000066.ibd", "No space left on the device for '#spaces/00000066.ibd'"),
        (Fault::Io, 0, "00000066.ibd", "on '#spaces/00000066.ibd'"),
        (Fault::Io, 0, "00000002.ibd", "on '#spaces/00000002.ibd' (the undo log)"),
        (Fault::ShortWrite, 1, "00000066.ibd", "on '#spaces/00000066.ibd'"),
        (Fault::Io, 0, "dblwr", "on '#ib_16384_0.dblwr'"),
    ];
    for (fault, after, file, text) in kinds {
        let fs = Arc::new(SimFs::new());
        let e = open(&fs);
        let tab = create(&e, standard("a"));
        assert_eq!(tab.def.space.0, 0x66);
        work(&e, 0);
        let last = || e.store().files().reporter().last();
        assert_eq!(last(), []);
        fs.fail_after(after, fault, true, file);
        work(&e, 1000);
        let _ = e.store().flush_and_checkpoint();
        let said = last();
        assert!(said.iter().any(|(_, t)| t.contains(text)), "{fault:?} {file}: {said:?}");
        let lines = said.len();
        for _ in 0..20 {
            work(&e, 2000);
        }
        // each operation once
        assert!(last().len() <= lines + 3, "{:?}", last());
        let all = probe::errorlog::lines();
        let read_only = all.iter().any(|l| l.label == "Error" && l.text.contains("read-only from now on"));
        assert!(read_only || file != "#ib_redo0");
    }
}

#[test]
fn damage_and_lost_files_are_told_when_a_statement_meets_them() {
    let (fs, e) = engine();
    let tab = create(&e, standard("a"));
    work(&e, 0);
    e.shutdown(true).unwrap();
    drop((tab, e));
    let name = "#spaces/00000066.ibd";
    for page in 1..6 {
        assert!(fs.flip(name, page * 16384 + 9000, 0x55));
    }
    let e = open(&fs);
    // the first to read it is who opens the table, for its counter
    let error = e.dict().open_table(&e, "t", "a").expect_err("the pages are damaged");
    let shown = base::SqlError::from(error);
    assert!(shown.is(base::ErrorCode::INDEX_CORRUPT), "{}", shown.message());
    let told = |part: &str| probe::errorlog::lines().iter().any(|l| l.label == "Error" && l.text.contains(part));
    assert!(told("of '#spaces/00000066.ibd' is damaged: "), "{:?}", probe::errorlog::lines());
    let missing = crate::StorageError::NoSuchSpace { space: base::SpaceId(0x0abc_def0) };
    let _ = base::SqlError::from(missing);
    assert!(told("'#spaces/0abcdef0.ibd' is missing."));
}
