//! DATE, TIME, DATETIME: packed civil types and MySQL's rules for them.
//!
//! The types are packed integers whose integer order is the order of the values, so keys and comparisons need no
//! decoding. They hold what MySQL can store: zero dates, zero months and days, TIME up to +-838:59:59. Whether such a
//! value is *allowed* is decided where it enters ([`parse`], `convert`), by sql_mode.
//!
//! * [`parse`]: text and number literals; [`format`]: text, DATE_FORMAT, STR_TO_DATE's counterpart.
//! * [`calendar`]: day arithmetic, week modes, periods; [`interval`]: adding and subtracting INTERVALs.
//! * [`zone`]: time zones.

pub mod calendar;
mod types;

pub mod zone;

pub use types::{Date, DateTime, MAX_TIME_HOURS, Time};
pub use zone::TimeZone;
