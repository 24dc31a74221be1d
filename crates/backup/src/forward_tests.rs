//! Logs out of a few transactions on the simulated disk, and what is to be applied of them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use crate::forward::{Part, Plan, Point, plan};
use crate::manifest::End;
use binlog::query::Query;
use binlog::transaction::{GtidEvent, xid};
use binlog::{FormatDescription, Gtid, GtidSet, MAGIC, Sid, Stamp, control, event};
use storage::file::sim::SimFs;
use storage::file::{FileKind, FileSystem, OpenMode};

const SID: &str = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
/// When the first file was made.
const T: u32 = 1_700_000_000;

fn at(seconds: u32) -> Stamp {
    Stamp { timestamp: T + seconds, server_id: 7 }
}

fn set(numbers: &str) -> GtidSet {
    if numbers.is_empty() { GtidSet::default() } else { GtidSet::parse(&format!("{SID}:{numbers}")).unwrap() }
}

/// A file of a log.
struct LogFile(Vec<u8>);

impl LogFile {
    fn new(seconds: u32, before: &GtidSet) -> LogFile {
        let mut bytes = MAGIC.to_vec();
        let format = FormatDescription { server_version: "8.4.0".into(), created: 0, checksum: true, in_use: false };
        format.write(at(seconds), &mut bytes);
        let mut file = LogFile(bytes);
        file.add(|out| control::previous_gtids(before, at(seconds), true, out));
        file
    }

    fn add(&mut self, f: impl FnOnce(&mut Vec<u8>)) -> u64 {
        let mut out = Vec::new();
        f(&mut out);
        let begin = self.0.len() as u64;
        event::place(&mut out, begin, true);
        self.0.extend(out);
        begin
    }

    /// A transaction, whose statement began in that second. Where it begins.
    fn transaction(&mut self, seconds: u32, gno: Option<u64>) -> u64 {
        let gtid = gno.map(|gno| Gtid { sid: Sid::parse(SID).unwrap(), gno });
        self.add(|out| {
            let e = GtidEvent {
                gtid,
                may_have_statements: false,
                last_committed: 0,
                sequence_number: 1,
                immediate_commit: 1,
                original_commit: 1,
                transaction_length: 1,
                immediate_version: 80400,
                original_version: 80400,
            };
            e.write(at(seconds), true, out);
            Query { text: b"BEGIN", ..Query::default() }.write(at(seconds), true, out);
            xid(1, at(seconds), true, out);
        })
    }

    fn rotate(&mut self, to: &str, seconds: u32) {
        self.add(|out| control::rotate(to.as_bytes(), 4, false, at(seconds), true, out));
    }

    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn store(&self, fs: &SimFs, name: &str) {
        fs.open(name, OpenMode::Truncate, FileKind::Log).unwrap().write_at(0, &self.0).unwrap();
    }
}

/// Two files: transactions 1 to 3 of the seconds 10 to 12, the backup behind the first; 4 and 5 of 20 and 15.
struct Case {
    fs: SimFs,
    first: LogFile,
    second: LogFile,
    begins: [u64; 5],
    end: End,
}

fn case(gtids: bool) -> Case {
    let no = |n| gtids.then_some(n);
    let numbers = |n: &str| set(if gtids { n } else { "" });
    let (mut first, fs) = (LogFile::new(0, &set("")), SimFs::new());
    let mut begins = [0; 5];
    for (n, begin) in (0..3).zip(&mut begins) {
        *begin = first.transaction(10 + n, no(u64::from(n) + 1));
    }
    first.rotate("bin.000008", 12);
    let mut second = LogFile::new(12, &numbers("1-3"));
    begins[3] = second.transaction(20, no(4));
    begins[4] = second.transaction(15, no(5));
    first.store(&fs, "bin.000007");
    second.store(&fs, "bin.000008");
    let executed = numbers("1").to_string();
    let time = u64::from(T) + 10;
    let end = End { log_file: "bin.000007".into(), log_position: begins[1], executed, time, ..End::default() };
    Case { fs, first, second, begins, end }
}

impl Case {
    fn plan(&self, point: Point) -> Plan {
        plan(&self.fs, &self.end, &point).unwrap()
    }

    fn refused(&self, point: Point, why: &str) {
        let e = plan(&self.fs, &self.end, &point).unwrap_err().to_string();
        assert!(e.contains(why), "{e}");
    }

    /// Transactions that are to be applied, and where the last part ends.
    fn ends(&self, point: Point, transactions: u64, file: &str, to: u64) {
        let p = self.plan(point.clone());
        let last = p.parts.last().unwrap();
        assert_eq!((p.transactions, last.file.as_str(), last.to), (transactions, file, to), "{point:?}");
        assert_eq!(p.parts[0].from, self.begins[1]);
    }
}

fn second(n: u32) -> Point {
    Point::Time(u64::from(T + n))
}

fn place(file: &str, at: u64) -> Point {
    Point::Position(file.into(), at)
}

fn gtids(numbers: &str) -> Point {
    Point::Gtids(set(numbers))
}

#[test]
fn points() {
    for with in [true, false] {
        let c = case(with);
        c.ends(Point::End, 4, "bin.000008", c.second.len());
        c.ends(second(11), 0, "bin.000007", c.begins[1]);
        c.ends(second(12), 1, "bin.000007", c.begins[2]);
        // the second file is made in second 12, its first transaction is of 20
        c.ends(second(13), 2, "bin.000008", c.begins[3]);
        // what stands behind the first event of that second is left out, even if it is older
        c.ends(second(20), 2, "bin.000008", c.begins[3]);
        c.ends(second(21), 4, "bin.000008", c.second.len());
        assert!(c.plan(second(21)).short && !c.plan(second(20)).short);
        for i in [1, 2] {
            c.ends(place("bin.000007", c.begins[i]), i as u64 - 1, "bin.000007", c.begins[i]);
        }
        // inside a transaction
        c.ends(place("bin.000007", c.begins[2] + 1), 1, "bin.000007", c.begins[2]);
        c.ends(place("bin.000007", c.first.len()), 2, "bin.000007", c.first.len());
        c.ends(place("bin.000008", 4), 2, "bin.000008", 4 + u64::from(header_size(&c.second)));
        c.ends(place("bin.000008", c.begins[4]), 3, "bin.000008", c.begins[4]);
        c.ends(place("bin.000008", c.second.len()), 4, "bin.000008", c.second.len());
    }
}

/// Of the format description, which is always read.
fn header_size(f: &LogFile) -> u32 {
    event::Header::read(&f.0[4..]).unwrap().size
}

#[test]
fn gtids_are_ends() {
    let c = case(true);
    c.ends(gtids("2"), 1, "bin.000007", c.begins[2]);
    c.ends(gtids("1-3"), 2, "bin.000007", c.begins[2] + (c.begins[2] - c.begins[1]));
    c.ends(gtids("3:4"), 3, "bin.000008", c.begins[4]);
    assert_eq!(c.plan(gtids("3:4")).executed, set("1-4"));
    assert_eq!(c.plan(gtids("1")), Plan { executed: set("1"), ..Plan::default() });
    c.refused(gtids("4-6"), "'3e11fa47-71ca-11e1-9e33-c80aa9429562:6' are neither");
    case(false).refused(gtids("2"), "are neither");
    let mut c = case(true);
    (c.end.log_position, c.end.executed) = (c.begins[2], set("1-2").to_string());
    c.refused(gtids("1"), "the backup is later");
}

#[test]
fn points_before_the_backup() {
    let c = case(true);
    for point in [second(9), second(10), place("bin.000006", 4), place("bin.000007", c.begins[0])] {
        c.refused(point, "the backup is later");
    }
    c.refused(place("log.000009", 4), "is no file of the binary log");
    c.refused(place("bin.000007", c.first.len() + 1), "ends at byte");
    c.refused(place("bin.000009", 4), "'bin.000009' is missing");
    let mut c = case(true);
    c.end.log_file = String::new();
    c.refused(Point::End, "no position in a binary log");
}

#[test]
fn what_is_missing() {
    let c = case(true);
    c.fs.remove("bin.000008").unwrap();
    c.refused(second(20), "'bin.000008', which is missing");
    // it comes before that
    c.ends(second(12), 1, "bin.000007", c.begins[2]);
    c.ends(Point::End, 2, "bin.000007", c.first.len());
    let c = case(true);
    c.fs.remove("bin.000007").unwrap();
    c.refused(second(20), "'bin.000007' (the backup's position is in it) is missing");
    // a file between two
    let c = case(true);
    c.second.store(&c.fs, "bin.000009");
    c.fs.remove("bin.000008").unwrap();
    c.refused(Point::End, "'bin.000008' is missing");
    // transactions between two files
    let c = case(true);
    LogFile::new(12, &set("1-2")).store(&c.fs, "bin.000008");
    c.refused(Point::End, ":3' of the files before it");
    let mut first = LogFile::new(0, &set(""));
    for n in 0..3 {
        first.transaction(10 + n, Some(u64::from(n) + 1));
    }
    first.store(&c.fs, "bin.000007");
    LogFile::new(12, &set("1-5")).store(&c.fs, "bin.000008");
    c.refused(Point::End, ":4-5' are missing");
    // behind a ROTATE they were given by hand
    let c = case(true);
    LogFile::new(12, &set("1-5")).store(&c.fs, "bin.000008");
    let p = c.plan(Point::End);
    assert_eq!((p.executed, p.purged), (set("1-5"), set("4-5")));
}

#[test]
fn files_of_another_log() {
    let mut c = case(true);
    c.end.log_position += 1;
    c.refused(Point::End, "no event begins at byte");
    c.end.log_position = c.begins[2];
    c.refused(Point::End, "it has the GTIDs");
    c.end.log_position = c.first.len() + 1;
    c.refused(Point::End, "it ends at byte");
    let mut c = case(false);
    c.end.time = u64::from(T) - 1;
    c.refused(Point::End, "it was made after the backup");
}

#[test]
fn damage() {
    let c = case(true);
    for cut in [1, 20, (c.second.len() - c.begins[4]) as usize - 1] {
        let mut f = LogFile(c.second.0.clone());
        f.0.truncate(f.0.len() - cut);
        f.store(&c.fs, "bin.000008");
        c.refused(Point::End, &format!("--to-position=bin.000008:{} restores", c.begins[4]));
        c.ends(place("bin.000008", c.begins[4]), 3, "bin.000008", c.begins[4]);
    }
    for n in 0..c.second.0.len() {
        let mut f = LogFile(c.second.0.clone());
        f.0[n] ^= 4;
        f.store(&c.fs, "bin.000008");
        c.refused(Point::End, "bin.000008");
        // what lies behind the point does not matter
        if n as u64 >= c.begins[3] + 100 {
            assert_eq!(
                c.plan(second(13)).parts.last(),
                Some(&Part { file: "bin.000008".into(), from: 0, to: c.begins[3] })
            );
        }
    }
}

/// Where a file of somebody else has a number between, the log goes on behind it.
#[test]
fn a_number_that_the_log_passed_over() {
    let c = case(true);
    let mut first = LogFile::new(0, &set(""));
    for n in 0..3 {
        first.transaction(10 + n, Some(u64::from(n) + 1));
    }
    first.rotate("bin.000009", 12);
    first.store(&c.fs, "bin.000007");
    c.fs.remove("bin.000008").unwrap();
    c.refused(second(30), "it goes on in 'bin.000009', which is missing");
    c.second.store(&c.fs, "bin.000009");
    for mine in [false, true] {
        if mine {
            c.fs.open("bin.000008", OpenMode::Truncate, FileKind::Log).unwrap().write_at(0, b"mine").unwrap();
        }
        c.ends(Point::End, 4, "bin.000009", c.second.len());
    }
}

/// A server that was killed, or runs: its last file is not marked as closed.
#[test]
fn a_log_that_is_not_closed() {
    let mut c = case(true);
    assert!(!c.plan(Point::End).unfinished);
    // the flag of the last file's first event, which is in no checksum
    c.second.0[4 + 17] |= event::FLAG_IN_USE as u8;
    c.second.store(&c.fs, "bin.000008");
    assert!(c.plan(Point::End).unfinished && c.plan(second(21)).unfinished);
    assert!(!c.plan(second(20)).unfinished && !c.plan(gtids("1-3")).unfinished);
    c.refused(gtids("1-9"), "has not been shut down in order");
    c.refused(place("bin.000009", 4), "has not been shut down in order");
    c.refused(place("bin.000008", 4_000_000), "has not been shut down in order");
}
