//! Time zones: `SYSTEM`, fixed offsets ('+05:30') and named zones: those of mysql.time_zone* (`zone_tables.rs`), else through `jiff`, which reads the
//! system's tzdata or its bundled copy.
//!
//! Local times that do not exist (spring forward) map to the first instant after the gap, and ambiguous ones to the
//! earlier offset, as MySQL does, unless they are marked as the later moment ([`DateTime::later`]).

use base::{ErrorCode, SqlError, SqlResult};

use super::types::DateTime;

/// A time zone; cheap to clone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TimeZone {
    /// The server's zone.
    System(jiff::tz::TimeZone),
    /// Seconds east of UTC, -13:59 to +14:00.
    Offset(i32),
    /// A zone of the tz database.
    Named(jiff::tz::TimeZone),
}

impl TimeZone {
    /// '+00:00'.
    pub const UTC: TimeZone = TimeZone::Offset(0);

    /// By MySQL's names: 'SYSTEM' (any case), '+HH:MM', or a tz database name. Error 1298 for others.
    pub fn by_name(name: &str) -> SqlResult<TimeZone> {
        if name.eq_ignore_ascii_case("SYSTEM") {
            return Ok(TimeZone::System(jiff::tz::TimeZone::system()));
        }
        if let Some(offset) = parse_offset(name.as_bytes()) {
            return Ok(TimeZone::Offset(offset));
        }
        if let Some(z) = super::zone_tables::find(name) {
            return Ok(TimeZone::Named(z));
        }
        match jiff::tz::TimeZone::get(name) {
            Ok(z) if !name.starts_with(['+', '-']) => Ok(TimeZone::Named(z)),
            _ => Err(SqlError::new(ErrorCode::UNKNOWN_TIME_ZONE, &[&name])),
        }
    }

    /// The name as @@time_zone shows it.
    pub fn name(&self) -> String {
        match self {
            TimeZone::System(_) => "SYSTEM".to_string(),
            TimeZone::Offset(s) => {
                let a = s.unsigned_abs();
                format!("{}{:02}:{:02}", if *s < 0 { '-' } else { '+' }, a / 3600, a / 60 % 60)
            }
            TimeZone::Named(z) => z.iana_name().unwrap_or("SYSTEM").to_string(),
        }
    }

    /// What the server's zone is called at an instant, as `system_time_zone` shows it: `CET`, `UTC`.
    pub fn system_abbreviation(unix_seconds: i64) -> String {
        let at = jiff::Timestamp::from_second(unix_seconds).unwrap_or_default();
        let zone = jiff::tz::TimeZone::system();
        // neither TZ nor /etc/localtime: counted in UTC, and so called by the C library
        if zone.is_unknown() { "UTC".to_owned() } else { zone.to_offset_info(at).abbreviation().to_owned() }
    }

    /// Seconds east of UTC at an instant (seconds since 1970).
    pub fn offset_at(&self, unix_seconds: i64) -> i32 {
        match self {
            TimeZone::Offset(s) => *s,
            TimeZone::System(z) | TimeZone::Named(z) => match jiff::Timestamp::from_second(unix_seconds) {
                Ok(t) => z.to_offset(t).seconds(),
                Err(_) => 0,
            },
        }
    }

    /// Seconds since 1970 of a valid local time (the fraction is dropped).
    pub fn to_unix(&self, local: DateTime) -> i64 {
        self.instant(local).0
    }

    /// The same, and whether the clocks never showed that time: it lies in the gap of a change to summer time.
    fn instant(&self, local: DateTime) -> (i64, bool) {
        let days = super::calendar::days_from_civil(local.year(), local.month(), local.day());
        let naive =
            days * 86_400 + i64::from(local.hour()) * 3600 + i64::from(local.minute()) * 60 + i64::from(local.second());
        match self {
            TimeZone::Offset(s) => (naive - i64::from(*s), false),
            TimeZone::System(z) | TimeZone::Named(z) => {
                let civil = jiff::civil::DateTime::new(
                    local.year() as i16,
                    local.month() as i8,
                    local.day() as i8,
                    local.hour() as i8,
                    local.minute() as i8,
                    local.second() as i8,
                    0,
                );
                let Ok(civil) = civil else { return (naive, false) };
                match z.to_ambiguous_timestamp(civil).offset() {
                    jiff::tz::AmbiguousOffset::Unambiguous { offset } => (naive - i64::from(offset.seconds()), false),
                    jiff::tz::AmbiguousOffset::Fold { before, after } => {
                        let meant = if local.is_later() { after } else { before };
                        (naive - i64::from(meant.seconds()), false)
                    }
                    // first instant after the gap
                    jiff::tz::AmbiguousOffset::Gap { before, after } => {
                        let candidate = naive - i64::from(before.seconds());
                        let mut t =
                            jiff::Timestamp::from_second(naive - i64::from(after.seconds())).unwrap_or_default();
                        // the transition lies between the two readings
                        if let Some(tr) = z.following(t).next() {
                            t = tr.timestamp();
                        }
                        (t.as_second().min(candidate), true)
                    }
                }
            }
        }
    }

    /// Local time at an instant; seconds must lie in year 0-9999.
    pub fn from_unix(&self, unix_seconds: i64, micro: u32) -> DateTime {
        let local = unix_seconds + i64::from(self.offset_at(unix_seconds));
        let (y, m, d) = super::calendar::civil_from_days(local.div_euclid(86_400));
        let s = local.rem_euclid(86_400) as u32;
        DateTime::new(y, m, d, s / 3600, s / 60 % 60, s % 60, micro)
    }

    /// UTC of a local time; zero dates stay as they are.
    pub fn local_to_utc(&self, local: DateTime) -> DateTime {
        if matches!(self, TimeZone::Offset(0)) || local.date().has_zero_part() {
            return local.shown();
        }
        TimeZone::UTC.from_unix(self.to_unix(local), local.micro())
    }

    /// UTC of a local time that is no zero date, and whether it lies in the gap of a change to summer time.
    pub fn utc_and_gap(&self, local: DateTime) -> (DateTime, bool) {
        if matches!(self, TimeZone::Offset(0)) {
            return (local, false);
        }
        let (at, gap) = self.instant(local);
        (TimeZone::UTC.from_unix(at, local.micro()), gap)
    }

    /// Local time of a UTC time on its way into a TIMESTAMP column: marked ([`DateTime::later`]) where it would mean the earlier moment.
    pub fn utc_to_stored(&self, utc: DateTime) -> DateTime {
        let local = self.utc_to_local(utc);
        match self {
            TimeZone::Offset(_) => local,
            _ if utc.is_zero() || self.to_unix(local) == TimeZone::UTC.to_unix(utc) => local,
            _ => local.later(),
        }
    }

    /// Local time of a UTC time; zero dates stay as they are.
    pub fn utc_to_local(&self, utc: DateTime) -> DateTime {
        if matches!(self, TimeZone::Offset(0)) || utc.date().has_zero_part() {
            return utc;
        }
        self.from_unix(TimeZone::UTC.to_unix(utc), utc.micro())
    }
}

/// '[+-]H[H]:MM' to seconds; -13:59 to +14:00.
pub fn parse_offset(s: &[u8]) -> Option<i32> {
    offset(s).filter(|s| *s > -14 * 3600)
}

/// '[+-]H[H]:MM' to seconds, at most 14 hours either way.
fn offset(s: &[u8]) -> Option<i32> {
    let (sign, rest) = match s.split_first()? {
        (b'+', r) => (1, r),
        (b'-', r) => (-1, r),
        _ => return None,
    };
    let colon = rest.iter().position(|&b| b == b':')?;
    let (h, m) = rest.split_at_checked(colon)?;
    let m = m.get(1..)?;
    if h.is_empty() || h.len() > 2 || m.len() != 2 || !h.iter().chain(m).all(u8::is_ascii_digit) {
        return None;
    }
    let num = |d: &[u8]| d.iter().fold(0i32, |a, b| a * 10 + i32::from(b - b'0'));
    let (h, m) = (num(h), num(m));
    let secs = sign * (h * 3600 + m * 60);
    (m < 60 && secs.abs() <= 14 * 3600).then_some(secs)
}

/// The offset at the end of a DATETIME literal: '[+-]HH:MM' with two digits each, '-14:00' too; '-00:00' is not allowed.
pub fn parse_literal_offset(s: &[u8]) -> Option<i32> {
    if s.len() != 6 || s == b"-00:00" {
        return None;
    }
    offset(s)
}
