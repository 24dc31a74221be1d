//! The diagnostics area: errors and warnings of the last statement that used tables or failed (SHOW WARNINGS, GET
//! DIAGNOSTICS).
//!
//! A condition is a row: number, level and text; what SIGNAL gave its one besides is kept with it. A statement that
//! ends replaces the area, unless it says what it leaves of the one before ([`Held`]). Written where a statement ends
//! (`run.rs`) and by SIGNAL.

use base::SqlError;
use parser::ast::ConditionItem;
use value::{Level, Warning};

/// What a statement leaves of the diagnostics area of the one before.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Held {
    /// A new area.
    #[default]
    Nothing,
    /// The rows; an error is added to them.
    Rows,
    /// Everything; an error is only sent.
    All,
}

/// Items of a condition that SIGNAL raised.
#[derive(Debug)]
pub(crate) struct Signalled {
    pub(crate) sqlstate: [u8; 5],
    pub(crate) items: Vec<(ConditionItem, String)>,
}

/// Errors and warnings of the last statement that used tables or failed.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    pub(crate) rows: Vec<Warning>,
    /// What the running statement leaves of the one before.
    pub(crate) held: Held,
    /// What SIGNAL gave its condition beside number and text, and that condition's row.
    pub(crate) signalled: Option<(usize, Box<Signalled>)>,
    /// What the running SIGNAL raises, until its statement ends.
    pub(crate) raised: Option<Box<Signalled>>,
    /// All, also those beyond `max_error_count`.
    pub(crate) count: u64,
    pub(crate) errors: u64,
}

impl Diagnostics {
    /// Adds an error, or what stands behind one, as the last condition, if there may be one more row
    /// (`max_error_count`).
    pub(crate) fn add(&mut self, level: Level, e: &SqlError, max: usize) {
        if self.rows.len() < max {
            self.rows.push(Warning { level, code: e.code(), message: e.message().to_owned() });
        }
        self.count += 1;
        self.errors += u64::from(level == Level::Error);
    }
}
