//! Which part of a binary log brings what a backup holds forward to a point (`evenkeel restore --to-...`).
//!
//! [`plan`] reads the files from the backup's position on, every event with its checksum, and answers the [`Part`]s to
//! apply. It changes nothing, so what is missing or does not fit is refused before anything is made:
//!
//! * The first file must be the one in which the backup's position is: made before the backup's end, with an event (or
//!   its end) at that position, and with exactly the GTIDs before it that the backup has executed.
//! * Each following file must have its number, and begin with the GTIDs that the one before ended with. More may be
//!   there only behind a ROTATE: that is `SET GLOBAL gtid_purged`. Otherwise files are missing or of another log.
//! * Only whole transactions are applied. A file that ends inside one, or inside an event, is refused by its place.
//!
//! Points are those of mysqlbinlog. [`Point::Time`]: as with `--stop-datetime`, the first event whose time (seconds, of
//! its header) is that time or later ends it, whatever stands behind, and the transaction that the event is in is left
//! out. [`Point::Position`]: as with `--stop-position`. [`Point::Gtids`]: up to the last transaction of the set, with
//! all that stand before it in the log.
//!
//! No locks. Tested: `forward_tests.rs`, `tests/backup/test_to_time.py`, `tests/backup/pitr_random.py`.

use crate::error::{Error, Result};
use crate::manifest::End;
use binlog::boundary::{Boundary, Step};
use binlog::event::{Event, FLAG_IN_USE, Header};
use binlog::log::Names;
use binlog::log::read::Walk;
use binlog::transaction::GtidEvent;
use binlog::{EventType, Gtid, GtidSet, Malformed, control};
use storage::file::{FileKind, FileSystem, OpenMode};

/// Where to stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Point {
    /// At the log's end.
    End,
    /// Before the first event of this second, or of a later one; seconds since 1970.
    Time(u64),
    /// Behind the last transaction of these.
    Gtids(GtidSet),
    /// Before the transaction that the first event at or behind this place is in.
    Position(String, u64),
}

/// Part of a file: whole transactions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Name in the folder.
    pub file: String,
    /// First byte; 0: the file's beginning.
    pub from: u64,
    /// Behind the last byte.
    pub to: u64,
}

/// What is to be applied.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// In order.
    pub parts: Vec<Part>,
    /// `gtid_executed` afterwards.
    pub executed: GtidSet,
    /// Of those, what SET gtid_purged added meanwhile: it is in no file.
    pub purged: GtidSet,
    /// Transactions in the parts.
    pub transactions: u64,
    /// Seconds since 1970 of the last of them; 0: there is none.
    pub last_time: u32,
    /// The log ends before the time that was asked for.
    pub short: bool,
    /// Everything up to the log's end is applied, and its server had not closed its last file.
    pub unfinished: bool,
}

/// Of a log whose last file is not closed.
pub const NOT_CLOSED: &str = "The server that wrote this binary log has not been shut down in order, or runs: its last \
                              transactions may be in its redo log only. Start that server on its directory, shut it \
                              down, and take the files again to have them too";

fn refused(text: String) -> Error {
    Error::Refused(text)
}

fn damaged(file: &str, e: impl std::fmt::Display) -> Error {
    Error::Refused(format!("the binary log is damaged: '{file}': {e}"))
}

fn flat(set: &GtidSet) -> String {
    set.to_string().replace('\n', "")
}

/// How a file ended.
#[derive(PartialEq, Eq, Debug)]
enum Ended {
    /// The point is here.
    Point(u64),
    /// The log goes on in that file.
    Rotates(String),
    /// Without a word, or with STOP.
    Here,
}

/// The walk over the files.
struct Scan<'a> {
    fs: &'a dyn FileSystem,
    end: &'a End,
    point: &'a Point,
    /// Of [`Point::Gtids`]: what has not come yet.
    wanted: GtidSet,
    /// Executed at the end of the last whole transaction.
    executed: GtidSet,
    /// The file before ended in ROTATE.
    rotated: bool,
    /// The last file that was begun is not marked as closed.
    in_use: bool,
    boundary: Boundary,
    /// The transaction that is open: where it begins, its GTID.
    open: Option<(u64, Option<Gtid>)>,
    plan: Plan,
}

/// Finds the part of the log in the folder `fs` that follows the backup that ends with `end`.
///
/// # Errors
/// `Refused`: see the module; I/O errors.
pub fn plan(fs: &dyn FileSystem, end: &End, point: &Point) -> Result<Plan> {
    let base = end.log_file.rsplit_once('.').map_or("", |(base, _)| base);
    let names = Names::new(base, None);
    let first = names.number(&end.log_file).ok_or_else(|| {
        refused(
            "the backup has no position in a binary log: its server had none, so nothing can be applied to it".into(),
        )
    })?;
    let executed =
        GtidSet::parse(&end.executed).ok_or_else(|| Error::damaged("ends.ekb", "gtid_executed is no set of GTIDs"))?;
    let wanted = check_point(end, &names, first, &executed, point)?;
    let plan = Plan { executed: executed.clone(), ..Plan::default() };
    if matches!(point, Point::Gtids(_)) && wanted.is_empty() {
        return Ok(plan);
    }
    let (rotated, in_use, boundary, open) = (false, false, Boundary::default(), None);
    let mut scan = Scan { fs, end, point, wanted, executed, rotated, in_use, boundary, open, plan };
    let last = fs.list("")?.iter().filter_map(|n| names.number(n)).max().unwrap_or(0);
    let mut number = first;
    loop {
        let file = names.file(number);
        if !fs.exists(&file) {
            let what = if number == first { " (the backup's position is in it)" } else { "" };
            return Err(refused(format!("the binary log is not complete: '{file}'{what} is missing")));
        }
        let from = if number == first { end.log_position } else { 0 };
        let ended = scan.file(&file, from)?;
        let to = match ended {
            Ended::Point(to) => to,
            _ => scan.length(&file)?,
        };
        scan.plan.parts.push(Part { file: file.clone(), from, to });
        let next = match &ended {
            Ended::Point(_) => break,
            Ended::Rotates(to) => Some(to.as_str()),
            Ended::Here => None,
        };
        if number >= last {
            scan.no_more(&file, next)?;
            break;
        }
        scan.rotated = next.is_some();
        // above its number by more than one where files of somebody else lie between
        let named = next.map_or(Some(number + 1), |to| names.number(to)).filter(|n| *n > number);
        number = named.ok_or_else(|| damaged(&file, "it ends with the name of a file that cannot follow it"))?;
    }
    scan.plan.executed = scan.executed;
    Ok(scan.plan)
}

/// A point that lies before the backup's own end is refused. Of [`Point::Gtids`] what the backup does not have.
fn check_point(end: &End, names: &Names, first: u32, executed: &GtidSet, point: &Point) -> Result<GtidSet> {
    let later = |what: &str| {
        let (file, at) = (&end.log_file, end.log_position);
        refused(format!("the backup is later than {what}: it was complete at {file}:{at}. An earlier backup is needed"))
    };
    match point {
        Point::Time(t) if *t <= end.time => Err(later("that time")),
        Point::Position(file, at) => match names.number(file) {
            None => {
                Err(refused(format!("'{file}' is no file of the binary log of the backup, '{}.NNNNNN'", names.base)))
            }
            Some(n) if (n, *at) < (first, end.log_position) => Err(later("that position")),
            Some(_) => Ok(GtidSet::default()),
        },
        Point::Gtids(set) => {
            let mut wanted = set.clone();
            wanted.remove_all(executed);
            let top = |s: &GtidSet, sid| s.iter().find(|(id, _)| *id == sid).and_then(|(_, v)| v.last()).map(|r| r.1);
            // all of them are there: right only if the backup ends with them
            if wanted.is_empty() && set.iter().any(|(sid, _)| top(set, sid) != top(executed, sid)) {
                return Err(later("those GTIDs"));
            }
            Ok(wanted)
        }
        Point::End | Point::Time(_) => Ok(GtidSet::default()),
    }
}

impl Scan<'_> {
    fn length(&self, file: &str) -> Result<u64> {
        Ok(self.fs.open(file, OpenMode::ReadOnly, FileKind::Log)?.len()?)
    }

    /// Reads a file from byte `from` on; 0: it follows another one.
    fn file(&mut self, file: &str, from: u64) -> Result<Ended> {
        let limit = self.length(file)?;
        let mut walk = Walk::open(self.fs, file, limit)?;
        let checksum = walk.format().0.checksum;
        let head = Header::read(walk.format().1).map_err(|e| damaged(file, e))?;
        let made = head.stamp.timestamp;
        self.in_use = head.flags & FLAG_IN_USE != 0;
        if from > 0 && u64::from(made) > self.end.time {
            let text = "it was made after the backup, so it is a file of another log (RESET BINARY LOGS AND GTIDS?)";
            return Err(refused(format!("'{file}' is not the file in which the backup's position is: {text}")));
        }
        if from == 0 && self.is_past(made) {
            return Ok(Ended::Point(walk.position()));
        }
        // what the file says before the backup's position
        let mut before = GtidSet::default();
        let (mut ended, mut entered) = (Ended::Here, from == 0);
        loop {
            let at = walk.position();
            if !entered && at >= from {
                self.check_entry(file, from, at, &before)?;
                entered = true;
            }
            // looked at before the event there is read: what it is does not matter
            if entered && matches!(self.point, Point::Position(f, p) if f == file && at >= *p) {
                return Ok(Ended::Point(self.open.map_or(at, |(begin, _)| begin)));
            }
            let Some(bytes) = walk.next(limit)? else { break };
            let e = Event::read(bytes, checksum).map_err(|e| damaged(file, format!("byte {at}: {e}")))?;
            let next = at + u64::from(e.header.size);
            if at < from {
                note(&e, &mut before).map_err(|e| damaged(file, format!("byte {at}: {e}")))?;
            } else if let Some(done) = self.event(file, &e, at, next)? {
                match done {
                    Ended::Point(_) => return Ok(done),
                    _ => ended = done,
                }
            }
        }
        self.at_end(file, walk.position(), limit, from)?;
        match self.point {
            Point::Position(f, at) if f == file => {
                Err(refused(format!("'{file}' ends at byte {limit}, before {at}{}", self.not_closed())))
            }
            _ => Ok(ended),
        }
    }

    /// Whether this second is not wanted any more.
    fn is_past(&self, second: u32) -> bool {
        matches!(self.point, Point::Time(t) if u64::from(second) >= *t)
    }

    /// The backup's position must be where an event begins, and all that it has executed must stand before it.
    fn check_entry(&self, file: &str, from: u64, at: u64, before: &GtidSet) -> Result<()> {
        let why = if at != from {
            format!("no event begins at byte {from}")
        } else if *before != self.executed {
            let (here, there) = (flat(before), flat(&self.executed));
            format!("before that position it has the GTIDs '{here}', the backup '{there}'")
        } else {
            return Ok(());
        };
        Err(refused(format!("'{file}' is not the file in which the backup's position is: {why}")))
    }

    /// An event behind the backup's position. What it says of the file's end, if it does.
    fn event(&mut self, file: &str, e: &Event<'_>, at: u64, next: u64) -> Result<Option<Ended>> {
        let wrong = |e: Malformed| damaged(file, format!("byte {at}: {e}"));
        if self.is_past(e.header.stamp.timestamp) {
            return Ok(Some(Ended::Point(self.open.map_or(at, |(begin, _)| begin))));
        }
        let Some(kind) = e.kind() else { return Ok(None) };
        match kind {
            EventType::PreviousGtids => {
                let set = GtidSet::decode(e.body).map_err(wrong)?;
                self.begins(file, &set)?;
                return Ok(None);
            }
            EventType::Rotate => {
                let (to, _) = control::read_rotate(e.body).map_err(wrong)?;
                return Ok(Some(Ended::Rotates(String::from_utf8_lossy(to).into_owned())));
            }
            _ => {}
        }
        match self.boundary.step(kind, e.header.flags, e.body) {
            Step::Begins => self.open = Some((at, GtidEvent::read(kind, e.body).map_err(wrong)?.gtid)),
            Step::Inside => {}
            Step::Ends => {
                let gtid = self.open.take().and_then(|(_, g)| g);
                self.plan.transactions += 1;
                self.plan.last_time = e.header.stamp.timestamp;
                if let Some(g) = gtid {
                    self.executed.add(g);
                    let any = !self.wanted.is_empty();
                    self.wanted.remove_range(g.sid, g.gno, g.gno + 1);
                    if any && self.wanted.is_empty() {
                        return Ok(Some(Ended::Point(next)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// PREVIOUS_GTIDS of a file that follows another one.
    fn begins(&mut self, file: &str, set: &GtidSet) -> Result<()> {
        let mut lost = self.executed.clone();
        lost.remove_all(set);
        if !lost.is_empty() {
            let text = format!("it begins without the GTIDs '{}' of the files before it", flat(&lost));
            return Err(refused(format!("'{file}' is a file of another log: {text}")));
        }
        let mut more = set.clone();
        more.remove_all(&self.executed);
        if more.is_empty() {
            return Ok(());
        }
        if !self.rotated {
            let text = format!("before '{file}' the GTIDs '{}' are missing", flat(&more));
            return Err(refused(format!("the binary log is not complete: {text}")));
        }
        self.executed.add_all(&more);
        self.plan.purged.add_all(&more);
        self.wanted.remove_all(&more);
        Ok(())
    }

    /// A file has been read to its end.
    fn at_end(&self, file: &str, at: u64, limit: u64, from: u64) -> Result<()> {
        if at < from {
            let text = format!("it ends at byte {at}, and the backup's position is {from}");
            return Err(refused(format!("'{file}' is not the file in which the backup's position is: {text}")));
        }
        let cut = self.open.map(|(begin, _)| (begin, "inside a transaction"));
        let cut = cut.or((at < limit).then_some((at, "inside an event")));
        match cut {
            None => Ok(()),
            Some((from, what)) => Err(refused(format!(
                "'{file}' is cut off: it ends {what} that begins at byte {from}. --to-position={file}:{from} restores what is whole"
            ))),
        }
    }

    /// Why there may be less than somebody expects.
    fn not_closed(&self) -> String {
        if self.in_use { format!(". {NOT_CLOSED}") } else { String::new() }
    }

    /// The last file has been read, and the point has not come. `to`: the file in which the log went on.
    fn no_more(&mut self, file: &str, to: Option<&str>) -> Result<()> {
        let missing = |to: &str| format!("the binary log is not complete: it goes on in '{to}', which is missing");
        let more = self.not_closed();
        self.plan.unfinished = self.in_use;
        match (self.point, to) {
            (Point::End, _) => Ok(()),
            (Point::Time(_), None) => {
                self.plan.short = true;
                Ok(())
            }
            (Point::Time(_), Some(to)) => Err(refused(missing(to))),
            (Point::Gtids(_), _) => {
                let set = flat(&self.wanted);
                Err(refused(format!(
                    "the GTIDs '{set}' are neither in the backup nor in the binary log up to '{file}'{more}"
                )))
            }
            (Point::Position(f, _), _) => {
                Err(refused(format!("the binary log ends with '{file}': '{f}' is missing{more}")))
            }
        }
    }
}

/// GTIDs of an event before the backup's position.
fn note(e: &Event<'_>, before: &mut GtidSet) -> binlog::Result<()> {
    match e.kind() {
        Some(EventType::PreviousGtids) => before.add_all(&GtidSet::decode(e.body)?),
        Some(kind @ EventType::Gtid) => {
            if let Some(g) = GtidEvent::read(kind, e.body)?.gtid {
                before.add(g);
            }
        }
        _ => {}
    }
    Ok(())
}
