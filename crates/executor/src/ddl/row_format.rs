//! ROW_FORMAT and KEY_BLOCK_SIZE of CREATE and ALTER TABLE: which go together, as errors with `innodb_strict_mode`, as warnings without it.
//!
//! Rows have one format here; both options are kept and shown, so that a definition survives. Tested: golden `strict_mode`, against a MySQL.

use super::DdlContext;
use super::tablespace::Statement;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;

const ROW_FORMAT: &str = "ROW_FORMAT";
const KEY_BLOCK_SIZE: &str = "KEY_BLOCK_SIZE";

/// What is wrong with the two.
enum Wrong {
    /// KEY_BLOCK_SIZE is none.
    Size,
    /// KEY_BLOCK_SIZE beside a format that is not COMPRESSED.
    Pair(String),
    /// A format that is not InnoDB's.
    Format,
    /// A temporary table is not compressed: by its format, by its size.
    Temporary(bool, bool),
}

fn get<'o>(options: &'o [(String, String)], name: &str) -> Option<&'o str> {
    options.iter().find(|(k, _)| k == name).map(|(_, v)| v.as_str())
}

fn judge(options: &[(String, String)], statement: Statement) -> Option<Wrong> {
    let format = get(options, ROW_FORMAT);
    let size = get(options, KEY_BLOCK_SIZE);
    let compressed = format == Some("COMPRESSED");
    if statement == Statement::CreateTemporary && (compressed || size.is_some()) {
        return Some(Wrong::Temporary(compressed, size.is_some()));
    }
    match (format, size) {
        (_, Some(n)) if !matches!(n, "1" | "2" | "4" | "8" | "16") => Some(Wrong::Size),
        (Some("FIXED"), _) => Some(Wrong::Format),
        (Some(f), Some(_)) if !compressed => Some(Wrong::Pair(f.to_owned())),
        _ => None,
    }
}

/// Checks a table's options. Without `innodb_strict_mode` what cannot be is dropped from them with a warning.
pub(super) fn check(
    ctx: &mut DdlContext<'_>,
    options: &mut Vec<(String, String)>,
    table: &str,
    statement: Statement,
) -> SqlResult<()> {
    let Some(wrong) = judge(options, statement) else { return Ok(()) };
    let strict = ctx.locks.env().vars.bool(Var::innodb_strict_mode);
    let size = get(options, KEY_BLOCK_SIZE).unwrap_or("0").to_owned();
    let mut warn = |text: String| {
        ctx.warned(SqlError::with_message(ErrorCode::ILLEGAL_HA_CREATE_OPTION, format!("InnoDB: {text}")))
    };
    if strict {
        let option = match &wrong {
            Wrong::Temporary(..) => return Err(SqlError::new(ErrorCode::UNSUPPORT_COMPRESSED_TEMPORARY_TABLE, &[])),
            Wrong::Size => {
                warn(format!("invalid KEY_BLOCK_SIZE = {size}. Valid values are [1, 2, 4, 8, 16]"));
                KEY_BLOCK_SIZE
            }
            Wrong::Pair(f) => {
                warn(format!("cannot specify ROW_FORMAT={f} with KEY_BLOCK_SIZE."));
                KEY_BLOCK_SIZE
            }
            Wrong::Format => {
                warn("invalid ROW_FORMAT specifier.".to_owned());
                "ROW_TYPE"
            }
        };
        return Err(match statement {
            Statement::Alter => SqlError::new(ErrorCode::ILLEGAL_HA_CREATE_OPTION, &[&"InnoDB", &option]),
            _ => SqlError::new(ErrorCode::ILLEGAL_HA, &[&table]),
        });
    }
    match wrong {
        Wrong::Temporary(format, size) => {
            if size {
                warn("KEY_BLOCK_SIZE is ignored for TEMPORARY TABLE.".to_owned());
            }
            if format {
                warn("ROW_FORMAT=COMPRESSED is ignored for TEMPORARY TABLE.".to_owned());
                warn("assuming ROW_FORMAT=DYNAMIC.".to_owned());
            }
        }
        Wrong::Size => warn(format!("ignoring KEY_BLOCK_SIZE={size}.")),
        Wrong::Pair(_) => warn(format!("ignoring KEY_BLOCK_SIZE={size} as ROW_FORMAT is not COMPRESSED.")),
        Wrong::Format => warn("assuming ROW_FORMAT=DYNAMIC.".to_owned()),
    }
    match judge(options, statement) {
        Some(Wrong::Size | Wrong::Pair(_)) => options.retain(|(k, _)| k != KEY_BLOCK_SIZE),
        Some(Wrong::Format) => {
            options.iter_mut().filter(|(k, _)| k == ROW_FORMAT).for_each(|(_, v)| "DYNAMIC".clone_into(v));
        }
        // kept and shown, as by InnoDB
        Some(Wrong::Temporary(..)) | None => return Ok(()),
    }
    // the other one may be wrong too
    check(ctx, options, table, statement)
}

/// What the options say of the format, as information_schema shows it.
pub fn shown(options: &[(String, String)]) -> &'static str {
    match (get(options, ROW_FORMAT), get(options, KEY_BLOCK_SIZE)) {
        (Some("COMPACT"), _) => "Compact",
        (Some("REDUNDANT"), _) => "Redundant",
        (Some("COMPRESSED"), _) | (None, Some(_)) => "Compressed",
        _ => "Dynamic",
    }
}
