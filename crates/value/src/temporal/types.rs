//! The packed types themselves. Packed layouts are MySQL's (`TIME_to_longlong_datetime_packed` and relatives), shifted
//! so that integer order is value order.

use std::fmt;

/// Largest hour of a TIME; the maximum is 838:59:59.000000.
pub const MAX_TIME_HOURS: u32 = 838;

/// A DATE: `year << 9 | month << 5 | day`. Zero parts are representable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Date(pub u32);

impl Date {
    /// '0000-00-00'.
    pub const ZERO: Date = Date(0);
    /// '9999-12-31'.
    pub const MAX: Date = Date::new(9999, 12, 31);

    /// From parts, unchecked (see [`super::calendar::valid_date`]).
    #[inline]
    pub const fn new(year: u32, month: u32, day: u32) -> Date {
        Date(year << 9 | month << 5 | day)
    }
    /// 0-9999.
    #[inline]
    pub const fn year(self) -> u32 {
        self.0 >> 9
    }
    /// 0-12.
    #[inline]
    pub const fn month(self) -> u32 {
        (self.0 >> 5) & 15
    }
    /// 0-31.
    #[inline]
    pub const fn day(self) -> u32 {
        self.0 & 31
    }
    /// Whether this is '0000-00-00'.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
    /// Month or day is zero (also true for the zero date).
    #[inline]
    pub const fn has_zero_part(self) -> bool {
        self.month() == 0 || self.day() == 0
    }
    /// YYYYMMDD.
    #[inline]
    pub const fn to_number(self) -> u32 {
        self.year() * 10_000 + self.month() * 100 + self.day()
    }
    /// Midnight of the day.
    #[inline]
    pub const fn to_datetime(self) -> DateTime {
        DateTime::new(self.year(), self.month(), self.day(), 0, 0, 0, 0)
    }
}

/// A DATETIME or TIMESTAMP: `(((year * 13 + month) << 5 | day) << 17 | hour << 12 | minute << 6 | second) << 24 | micro`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct DateTime(pub u64);

/// A bit of the microseconds that none needs: [`DateTime::later`].
const LATER: u64 = 1 << 23;

impl DateTime {
    /// '0000-00-00 00:00:00'.
    pub const ZERO: DateTime = DateTime(0);
    /// '9999-12-31 23:59:59.999999'.
    pub const MAX: DateTime = DateTime::new(9999, 12, 31, 23, 59, 59, 999_999);

    /// From parts, unchecked.
    #[inline]
    pub const fn new(year: u32, month: u32, day: u32, hour: u32, minute: u32, second: u32, micro: u32) -> DateTime {
        let ymd = ((year as u64 * 13 + month as u64) << 5) | day as u64;
        let hms = (hour as u64) << 12 | (minute as u64) << 6 | second as u64;
        DateTime((ymd << 17 | hms) << 24 | micro as u64)
    }
    #[inline]
    const fn ym(self) -> u32 {
        (self.0 >> 46) as u32
    }
    /// 0-9999.
    #[inline]
    pub const fn year(self) -> u32 {
        self.ym() / 13
    }
    /// 0-12.
    #[inline]
    pub const fn month(self) -> u32 {
        self.ym() % 13
    }
    /// 0-31.
    #[inline]
    pub const fn day(self) -> u32 {
        (self.0 >> 41) as u32 & 31
    }
    /// 0-23.
    #[inline]
    pub const fn hour(self) -> u32 {
        (self.0 >> 36) as u32 & 31
    }
    /// 0-59.
    #[inline]
    pub const fn minute(self) -> u32 {
        (self.0 >> 30) as u32 & 63
    }
    /// 0-59.
    #[inline]
    pub const fn second(self) -> u32 {
        (self.0 >> 24) as u32 & 63
    }
    /// 0-999999.
    #[inline]
    pub const fn micro(self) -> u32 {
        self.0 as u32 & 0x0f_ffff
    }
    /// The same local time, as the second of the two moments at which clocks show it in the hour that autumn repeats. Only values on their way into a
    /// TIMESTAMP column have this mark, which [`super::TimeZone::local_to_utc`] understands; no expression ever sees it ([`DateTime::shown`]).
    #[inline]
    pub const fn later(self) -> DateTime {
        DateTime(self.0 | LATER)
    }
    /// Whether it has the mark of [`DateTime::later`].
    #[inline]
    pub const fn is_later(self) -> bool {
        self.0 & LATER != 0
    }
    /// Without the mark of [`DateTime::later`].
    #[inline]
    pub const fn shown(self) -> DateTime {
        DateTime(self.0 & !LATER)
    }
    /// Whether all parts are zero.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
    /// The date part.
    #[inline]
    pub const fn date(self) -> Date {
        Date::new(self.year(), self.month(), self.day())
    }
    /// The time of day.
    #[inline]
    pub const fn time(self) -> Time {
        Time((self.0 & 0x1ff_ffff_ffff) as i64)
    }
    /// The date at another time of day; `t` must be within a day and not negative.
    #[inline]
    pub const fn with_time(self, t: Time) -> DateTime {
        DateTime((self.0 & !0x1ff_ffff_ffff) | (t.0 as u64 & 0x1ff_ffff_ffff))
    }
    /// YYYYMMDDhhmmss (without the fraction).
    #[inline]
    pub const fn to_number(self) -> u64 {
        self.date().to_number() as u64 * 1_000_000 + self.time().to_number() as u64
    }
    /// Five to eight bytes of storage are enough for the packed form; the row codec uses the plain u64.
    #[inline]
    pub const fn packed(self) -> u64 {
        self.0
    }
    /// Inverse of [`DateTime::packed`].
    #[inline]
    pub const fn from_packed(v: u64) -> DateTime {
        DateTime(v)
    }
}

/// A TIME: `(hour << 12 | minute << 6 | second) << 24 | micro`, negated for negative times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Time(pub i64);

impl Time {
    /// '00:00:00'.
    pub const ZERO: Time = Time(0);
    /// '838:59:59'.
    pub const MAX: Time = Time::new(false, MAX_TIME_HOURS, 59, 59, 0);
    /// '-838:59:59'.
    pub const MIN: Time = Time::new(true, MAX_TIME_HOURS, 59, 59, 0);

    /// From parts, unchecked.
    #[inline]
    pub const fn new(negative: bool, hour: u32, minute: u32, second: u32, micro: u32) -> Time {
        let v = (((hour as i64) << 12 | (minute as i64) << 6 | second as i64) << 24) | micro as i64;
        Time(if negative { -v } else { v })
    }
    /// Below zero.
    #[inline]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }
    /// 0-838.
    #[inline]
    pub const fn hour(self) -> u32 {
        (self.0.unsigned_abs() >> 36) as u32
    }
    /// 0-59.
    #[inline]
    pub const fn minute(self) -> u32 {
        (self.0.unsigned_abs() >> 30) as u32 & 63
    }
    /// 0-59.
    #[inline]
    pub const fn second(self) -> u32 {
        (self.0.unsigned_abs() >> 24) as u32 & 63
    }
    /// 0-999999.
    #[inline]
    pub const fn micro(self) -> u32 {
        self.0.unsigned_abs() as u32 & 0xff_ffff
    }
    /// Signed hhhmmss (without the fraction).
    #[inline]
    pub const fn to_number(self) -> i64 {
        let v = self.hour() as i64 * 10_000 + self.minute() as i64 * 100 + self.second() as i64;
        if self.0 < 0 { -v } else { v }
    }
    /// Signed microseconds.
    #[inline]
    pub const fn to_micros(self) -> i64 {
        let s = (self.hour() as i64 * 60 + self.minute() as i64) * 60 + self.second() as i64;
        let v = s * 1_000_000 + self.micro() as i64;
        if self.0 < 0 { -v } else { v }
    }
    /// From signed microseconds, without a range check.
    #[inline]
    pub const fn from_micros_unchecked(us: i64) -> Time {
        let a = us.unsigned_abs();
        let s = a / 1_000_000;
        Time::new(us < 0, (s / 3600) as u32, (s / 60 % 60) as u32, (s % 60) as u32, (a % 1_000_000) as u32)
    }
    /// From signed microseconds; `Err` holds the nearest limit when outside +-838:59:59.
    pub const fn from_micros(us: i64) -> Result<Time, Time> {
        const LIMIT: i64 = ((838 * 60 + 59) * 60 + 59) * 1_000_000;
        if us > LIMIT {
            Err(Time::MAX)
        } else if us < -LIMIT {
            Err(Time::MIN)
        } else {
            Ok(Time::from_micros_unchecked(us))
        }
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year(), self.month(), self.day())
    }
}

impl fmt::Debug for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.date(), self.time())
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{:02}:{:02}:{:02}.{:06}", self.hour(), self.minute(), self.second(), self.micro())
    }
}
