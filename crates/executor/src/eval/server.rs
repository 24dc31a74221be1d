//! FORMAT_BYTES, FORMAT_PICO_TIME, PS_THREAD_ID, PS_CURRENT_THREAD_ID, STATEMENT_DIGEST(_TEXT), ICU_VERSION, ROLES_GRAPHML, LOAD_FILE, GET_FORMAT.
//!
//! Source: manual, "Performance Schema Functions", "Encryption and Compression Functions", "String Functions". Tested:
//! `tests/sql/golden/functions.sql`.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Privs, graphml};
use catalog::sysvar::Var;
use planner::func::family::Server;
use probe::files::{FileUse, Op};
use std::io::Read as _;
use value::Value;

use super::Args;
use crate::eval::Cx;
use crate::rows::files::allowed;

/// The functions of this family.
pub(super) fn call<'a>(f: Server, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    use Server as F;
    Ok(match f {
        F::FormatBytes => match a.double(0, cx)? {
            Some(n) => a.str(bytes(n).as_bytes()),
            None => Value::Null,
        },
        F::FormatPicoTime => match a.double(0, cx)? {
            Some(n) => a.str(pico_time(n).as_bytes()),
            None => Value::Null,
        },
        F::PsCurrentThreadId => Value::UInt(cx.env.client.connection.id()),
        F::PsThreadId => match a.uint(0, cx)? {
            Some(id) if cx.env.shared.connections.get(id).is_some() => Value::UInt(id),
            _ => Value::Null,
        },
        F::IcuVersion => a.str(b"73.1"),
        F::RolesGraphml => {
            let mine = &cx.env.security.account.privileges;
            if mine.has_global(Privs::SUPER) || mine.has_dynamic("ROLE_ADMIN") {
                a.str(graphml::document(&cx.env.shared.accounts.table()).as_bytes())
            } else {
                a.str(b"<graphml />")
            }
        }
        F::StatementDigest | F::StatementDigestText => {
            let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
            let mut lexed = parser::Lexed::new();
            lexed.tokenize(s, 0, parser::Mode::default());
            let arena = bumpalo::Bump::new();
            if let Err(e) = one_statement(&arena, s, &mut lexed) {
                // what is wrong with a text that the statement does not show is not told
                if !a.is_literal(0) {
                    return Err(SqlError::new(ErrorCode::UNDISCLOSED_PARSE_ERROR_IN_DIGEST_FN, &[]));
                }
                return Err(SqlError::with_message(
                    ErrorCode::PARSE_ERROR_IN_DIGEST_FN,
                    format!("Could not parse argument to digest function: \"{}\".", e.message()),
                ));
            }
            let text = parser::digest::digest_text(s, &mut lexed);
            if f == F::StatementDigestText {
                a.str(text.as_bytes())
            } else {
                a.str(catalog::digest::hex(&text).as_bytes())
            }
        }
        F::LoadFile => match a.text(0, cx)? {
            Some(name) => load_file(name, cx).map_or(Value::Null, |b| a.str(&b)),
            None => Value::Null,
        },
        F::GetFormat(kind) => match a.text(0, cx)? {
            Some(region) => planner::func::format_of_region(kind, region).map_or(Value::Null, |s| a.str(s.as_bytes())),
            None => Value::Null,
        },
        F::ValidatePasswordStrength => match a.text(0, cx)? {
            Some(_) => Value::Int(0),
            None => Value::Null,
        },
    })
}

/// LOAD_FILE: NULL for whatever may not or cannot be read, or is longer than `max_allowed_packet`.
fn load_file(name: &[u8], cx: &Cx<'_>) -> Option<Vec<u8>> {
    let path = allowed(cx.env, name, false).ok()?;
    let size = std::fs::metadata(&path).ok().filter(|m| m.is_file())?.len();
    if size > cx.env.vars.num(Var::max_allowed_packet) {
        return None;
    }
    let began = sys::clock::now_ns();
    let mut file = std::fs::File::open(&path).ok()?;
    let took = sys::clock::now_ns().saturating_sub(began);
    let told = probe::files::opened(&path.to_string_lossy(), FileUse::LoadFile, took);
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    let moved = |done: &std::io::Result<usize>| done.as_ref().map_or(0, |n| *n as u64);
    told.run(Op::Read, "read", moved, || file.read_to_end(&mut bytes)).ok()?;
    Some(bytes)
}

/// `512 bytes`, `1.50 KiB`, ... `1.00e+5 EiB`.
pub(super) fn bytes(n: f64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut scale = 1024.0;
    if n.abs() < scale {
        return format!("{:4} bytes", n as i64);
    }
    for (i, u) in UNITS.iter().enumerate() {
        let x = n / scale;
        if x.abs() < 1024.0 || i + 1 == UNITS.len() {
            return number(x, u);
        }
        scale *= 1024.0;
    }
    String::new()
}

/// `1 ps`, `1.50 us`, ... `1.00 d`.
fn pico_time(n: f64) -> String {
    const UNITS: [(f64, &str); 7] =
        [(1e3, "ns"), (1e6, "us"), (1e9, "ms"), (1e12, "s"), (60e12, "min"), (3600e12, "h"), (86400e12, "d")];
    let Some((scale, unit)) = UNITS.iter().rev().find(|(s, _)| n.abs() >= *s) else {
        return format!("{:3} ps", n as i64);
    };
    number(n / scale, unit)
}

fn number(x: f64, unit: &str) -> String {
    if x.abs() >= 100_000.0 {
        let exponent = x.abs().log10().floor() as i32;
        return format!("{:.2}e{exponent:+03} {unit}", x / 10f64.powi(exponent));
    }
    format!("{x:4.2} {unit}")
}

/// Parses the text, which must be one statement without `?`.
fn one_statement(arena: &bumpalo::Bump, s: &[u8], lexed: &mut parser::Lexed) -> SqlResult<()> {
    let parsed = parser::parse(arena, s, lexed)?;
    if parsed.params > 0 {
        return Err(parser::syntax_error(s, 0, parsed.first_param as usize));
    }
    let rest = s.get(parsed.end..).unwrap_or(b"");
    match rest.iter().position(|b| !b.is_ascii_whitespace()) {
        Some(n) => Err(parser::syntax_error(s, 0, parsed.end + n)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manual_s_examples() {
        assert_eq!(bytes(512.0), " 512 bytes");
        assert_eq!(bytes(18_446_644_073_709_551_615.0), "16.00 EiB");
        assert_eq!(pico_time(3501.0), "3.50 ns");
        assert_eq!(pico_time(188_732_396_662_000.0), "3.15 min");
    }
}
