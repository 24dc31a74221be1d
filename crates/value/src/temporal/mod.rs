//! DATE, TIME, DATETIME: packed civil types and MySQL's rules for them.
//!
//! The types are packed integers whose integer order is the order of the values, so keys and comparisons need no
//! decoding. They hold what MySQL can store: zero dates, zero months and days, TIME up to +-838:59:59. Whether such a
//! value is *allowed* is decided where it enters ([`parse`], `convert`), by sql_mode ([`DateFlags`]).
//!
//! * [`parse`]: text and number literals, rounding to an fsp; [`format`]: text.
//! * [`pattern`]: DATE_FORMAT, TIME_FORMAT, STR_TO_DATE; [`calendar`]: day arithmetic, week modes, periods.
//! * [`interval`]: adding INTERVALs, EXTRACT, differences; [`zone`]: time zones.

pub mod calendar;
pub mod format;
pub mod interval;
pub mod locale;
pub mod parse;
pub mod pattern;
#[cfg(test)]
mod tests;
mod types;
pub mod zone;
pub mod zone_tables;

pub use interval::{Interval, Unit};
pub use parse::DateFlags;
pub use types::{Date, DateTime, MAX_TIME_HOURS, Time};
pub use zone::TimeZone;
