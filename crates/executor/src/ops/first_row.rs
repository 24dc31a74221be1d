//! SELECT ... INTO variables: the first row, item by item.
//!
//! MySQL gives each variable its value before it evaluates the next item, so an item that fails leaves those in front
//! of it with their new values and those behind it with their old ones; a second row is 1172 before its items are
//! evaluated. Here the values are collected ([`FirstRow`]), in the types of their variables (one that does not fit is
//! the query's failure, and what functions have written is undone with it), and assigned by the caller when the query
//! has ended, however it ended: while it runs the variables are lent to it. Nothing of this reaches the disk.
//! Tested: golden `programs_into`.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use value::{OwnedValue, Value};

use crate::eval::{eval, is_field};
use crate::gate::Cleared;
use crate::ops::select::counted_rows;
use crate::rows::env::Env;

/// What is known of the first row.
#[derive(Default, Debug)]
pub struct FirstRow {
    /// Its values, up to the item that has failed.
    pub values: Vec<OwnedValue>,
    /// Rows found: none, or one.
    pub found: u64,
    /// Whether the item behind the last value has failed.
    pub failed: bool,
}

/// How a program takes the rows of a query.
pub enum Wanted<'f> {
    /// All of them; it says whether to go on.
    Each(&'f mut dyn FnMut(&[Value<'_>]) -> SqlResult<bool>),
    /// The first one.
    First(&'f mut FirstRow, &'f Takes<'f>),
}

/// Takes the value of an item, with its number and how many warnings there were in front of it: the variable's value.
pub type Takes<'f> = dyn Fn(usize, usize, Value<'_>, &mut Env) -> SqlResult<OwnedValue> + 'f;

/// Runs a query for a program.
///
/// # Errors
/// Those of the query and of the functions; 1172 for a second row where the first one is wanted.
pub fn wanted_rows(
    cleared: Cleared<'_>,
    params: &[OwnedValue],
    env: &mut Env,
    wanted: &mut Wanted<'_>,
) -> SqlResult<()> {
    match wanted {
        Wanted::Each(f) => super::select::each_value_row(cleared, params, env, *f).map(drop),
        Wanted::First(row, takes) => first_row(cleared, params, env, row, takes),
    }
}

/// The first row of a query.
pub(super) fn first_row(
    cleared: Cleared<'_>,
    params: &[OwnedValue],
    env: &mut Env,
    row: &mut FirstRow,
    takes: &Takes<'_>,
) -> SqlResult<()> {
    let read = counted_rows(cleared, params, env, |op, q, cx| {
        cx.reading(|cx| op.open(cx))?;
        let arena = Bump::new();
        while cx.reading(|cx| op.next(cx))? {
            cx.tick()?;
            if row.found > 0 {
                return Err(SqlError::new(ErrorCode::TOO_MANY_ROWS, &[]));
            }
            row.found = 1;
            for (n, item) in q.items.iter().enumerate() {
                let before = cx.env.conv.warnings.len();
                let copied = is_field(item, cx.plan);
                let value = eval(item, cx, &arena).and_then(|v| {
                    cx.env.conv.copied = copied;
                    takes(n, before, v, cx.env)
                });
                cx.env.conv.copied = false;
                row.failed = value.is_err();
                row.values.push(value?);
            }
            base::memory::check()?;
        }
        Ok(row.found)
    });
    read.map(drop)
}
