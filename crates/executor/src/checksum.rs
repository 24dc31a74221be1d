//! CHECKSUM TABLE.
//!
//! The sum (modulo 2^32) of a CRC-32 of every row, so that the order of rows does not matter. MySQL's manual promises a value that depends on
//! the row format only; ours depends on values and their order of columns, and differs from MySQL's.

use base::SqlResult;
use planner::plan::Plan;

use crate::env::Env;

/// Checksum of a query's rows.
///
/// # Errors
/// Those of the query.
pub fn checksum(plan: &Plan, env: &mut Env) -> SqlResult<u32> {
    let mut sum = 0u32;
    let mut bytes = Vec::new();
    crate::select::each_value_row(plan, &[], env, &mut |row| {
        bytes.clear();
        crate::tuple::encode(row, &mut bytes);
        sum = sum.wrapping_add(crc32fast::hash(&bytes));
        Ok(true)
    })?;
    Ok(sum)
}
