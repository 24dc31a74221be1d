//! Conversions between types.
//!
//! Reading a value as another type inside an expression (`to_*`, [`cast`]) warns and never fails for bad text; storing
//! into a column ([`convert_for_column`]) fails when the context is strict. Every function takes the value together with
//! its static type, because ENUM, SET, BIT, YEAR, FLOAT and ZEROFILL live in the type only.
//!
//! * `text`: value to text; `numeric`: to numbers and truth; `json_int`: JSON to integers; `temporal`: to dates and times; `cast`: CAST;
//!   `column`: assignment to number, ENUM, SET, BIT, YEAR columns; `column_text`: to strings; `column_time`: to dates.

mod cast;
mod column;
mod column_text;
mod column_time;
mod json_int;
mod numeric;
mod temporal;
mod text;

#[cfg(test)]
mod peer;
#[cfg(test)]
mod tests;

pub use cast::cast;
pub use column::{convert_for_column, implicit_default, null_replacement};
pub use column_text::assign_to_column;
pub use numeric::{rounds_up, to_bool, to_decimal, to_f64, to_i64, to_u64};
pub use temporal::{stored_time, to_date, to_datetime, to_datetime_flags, to_time};
pub use text::{set_text, to_text};
