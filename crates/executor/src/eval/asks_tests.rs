//! Work on one long value asks about KILL at least once in a few MiB, and ends with the error when it is told to
//! stop.

use super::{crypto, encoded, like, md5, string, zlib};
use base::{ErrorCode, SqlError, SqlResult, interrupt};
use std::cell::Cell;
use value::Charset;

const MB: usize = 1 << 20;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
    /// The question that is answered with KILL; 0: none.
    static STOP: Cell<usize> = const { Cell::new(0) };
}

fn ask() -> SqlResult<()> {
    ASKED.set(ASKED.get() + 1);
    if ASKED.get() == STOP.get() { Err(SqlError::new(ErrorCode::QUERY_INTERRUPTED, &[])) } else { Ok(()) }
}

/// Runs the work once to its end, counting, and once until its second question.
fn asks<T>(what: &str, at_least: usize, work: impl Fn() -> SqlResult<T>) {
    interrupt::install_here(ask);
    ASKED.set(0);
    STOP.set(0);
    assert!(work().is_ok(), "{what}");
    assert!(ASKED.get() >= at_least, "{what} asks {} times", ASKED.get());
    ASKED.set(0);
    STOP.set(2);
    assert!(work().is_err_and(|e| e.is(ErrorCode::QUERY_INTERRUPTED)), "{what} goes on");
    assert_eq!(ASKED.get(), 2, "{what}");
    STOP.set(0);
}

#[test]
fn long_texts() {
    let (ascii, mixed) = (b"abcd ".repeat(8 * MB / 5), "äbc€ ".as_bytes().repeat(MB));
    let arena = bumpalo::Bump::new();
    for cs in [Charset::Utf8mb4, Charset::Latin1, Charset::Sjis] {
        asks("counting", 4, || string::count(Some(cs), &mixed));
    }
    asks("joining", 4, || super::joined(&[&ascii, b",", &ascii], 2 * ascii.len() + 1, &arena));
    asks("MD5", 4, || md5::md5(&ascii));
    asks("SHA", 4, || crypto::digest(&aws_lc_rs::digest::SHA512, &ascii));
    asks("COMPRESS", 4, || zlib::compress(&ascii));
    let packed = zlib::compress(&ascii).unwrap().unwrap();
    asks("UNCOMPRESS", 4, || zlib::uncompress(&packed, u64::MAX));
    asks("UNHEX", 4, || {
        encoded::unhex(&ascii.iter().map(|b| b"0123456789abcdef"[usize::from(b & 15)]).collect::<Vec<_>>())
    });
    asks("TO_BASE64", 4, || encoded::to_base64(&ascii));
    asks("SOUNDEX", 4, || encoded::soundex(&ascii));
    asks("SUBSTRING_INDEX", 4, || string::substring_index(&ascii, b"d", i64::MAX));
    asks("LIKE", 4, || like::matches(&ascii, b"%x_z%y", None, |a, b| a == b, ask));
}
