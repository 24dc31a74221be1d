//! Units of intervals and of EXTRACT (manual, "Temporal Intervals"): what the parser reads and `value` calculates with.
//!
//! Constant. Tested with both: `parser/tests`, `value/src/temporal/tests.rs`.

/// Unit of an INTERVAL or of EXTRACT.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum IntervalUnit {
    Microsecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
    SecondMicrosecond,
    MinuteMicrosecond,
    MinuteSecond,
    HourMicrosecond,
    HourSecond,
    HourMinute,
    DayMicrosecond,
    DaySecond,
    DayMinute,
    DayHour,
    YearMonth,
}

use IntervalUnit as U;

impl IntervalUnit {
    /// Its keyword, lower case.
    pub const fn name(self) -> &'static str {
        match self {
            U::Microsecond => "microsecond",
            U::Second => "second",
            U::Minute => "minute",
            U::Hour => "hour",
            U::Day => "day",
            U::Week => "week",
            U::Month => "month",
            U::Quarter => "quarter",
            U::Year => "year",
            U::SecondMicrosecond => "second_microsecond",
            U::MinuteMicrosecond => "minute_microsecond",
            U::MinuteSecond => "minute_second",
            U::HourMicrosecond => "hour_microsecond",
            U::HourSecond => "hour_second",
            U::HourMinute => "hour_minute",
            U::DayMicrosecond => "day_microsecond",
            U::DaySecond => "day_second",
            U::DayMinute => "day_minute",
            U::DayHour => "day_hour",
            U::YearMonth => "year_month",
        }
    }
    /// Changes only the date part: DAY, WEEK, MONTH, QUARTER, YEAR, YEAR_MONTH (a DATE stays a DATE).
    pub const fn is_date_unit(self) -> bool {
        matches!(self, U::Day | U::Week | U::Month | U::Quarter | U::Year | U::YearMonth)
    }
    /// Has microseconds (the result has six digits of fraction).
    pub const fn has_micros(self) -> bool {
        matches!(
            self,
            U::Microsecond | U::SecondMicrosecond | U::MinuteMicrosecond | U::HourMicrosecond | U::DayMicrosecond
        )
    }
    /// Written as text with several fields ('1:30').
    pub const fn is_compound(self) -> bool {
        self as u8 >= U::SecondMicrosecond as u8
    }
}
