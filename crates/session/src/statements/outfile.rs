//! SELECT ... INTO OUTFILE and INTO DUMPFILE.
//!
//! The query is planned without its INTO and its rows go to a file that must not exist (1086). A failure leaves the file incomplete, as
//! MySQL does; it removes it where the query fails. `select_into_buffer_size` bytes are written at a time and, with `select_into_disk_sync`, synced. Tested: `tests/sql/test_load_data.py`.

use crate::kernel::plans::CachedPlan;
use crate::kernel::session::Session;
use crate::logs::told_file::{self, ToldFile};
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use executor::files::{allowed, os_error};
use executor::textfile::{Format, fixed_width, write};
use parser::ast::{Into, QueryExpr, Statement};
use planner::Request;
use probe::files::FileUse;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;
use value::convert::to_text;
use value::{Charset, Level, SqlType, Value};

/// How rows become bytes.
enum Shape {
    Lines(Format, Option<Charset>),
    Dump,
}

impl Session {
    /// Runs the query into the file.
    pub(crate) fn select_into_file(&mut self, sql: &[u8], q: &QueryExpr<'_>, into: &Into<'_>) -> SqlResult<Outcome> {
        let (name, mut shape) = match into {
            Into::Outfile { path, charset, format } => {
                let charset = match *charset {
                    Some(n) => Some(
                        Charset::by_name(n).ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_CHARACTER_SET, &[&n]))?,
                    ),
                    None => None,
                };
                let backslash = !self.env.vars.sql_mode().has(value::SqlMode::NO_BACKSLASH_ESCAPES);
                let mut format = Format::new(format, backslash)?;
                format.wide = charset.filter(|c| c.is_wide());
                (*path, Shape::Lines(format, charset))
            }
            Into::Dumpfile(path) => (*path, Shape::Dump),
            Into::Vars(_) => return Err(SqlError::unsupported("INTO variables here")),
        };
        let path = allowed(&self.env, name, true)?;
        let mut plain = *q;
        plain.into = None;
        let plan = self.lock_file_query(sql, &plain)?;
        self.check_access(&plan)?;
        self.check_guards(&plan.plan)?;
        if let Shape::Lines(f, _) = &mut shape {
            let types = &plan.plan.column_types;
            let foreign = f.has_foreign_separator();
            let number = |t: &SqlType| t.kind.is_numeric();
            let ambiguous = f.mark_ambiguous(!types.iter().all(number), types.iter().any(number));
            let codes = [
                (foreign, ErrorCode::WARN_NON_ASCII_SEPARATOR_NOT_IMPLEMENTED),
                (ambiguous, ErrorCode::AMBIGUOUS_FIELD_TERM),
            ];
            for (_, code) in codes.into_iter().filter(|c| c.0) {
                self.env.conv.push(Level::Warning, SqlError::new(code, &[]));
            }
        }
        let start = self.statement_start(!plan.plan.tables.is_empty());
        let done = self.write_rows(&plan, &path, &shape);
        match done.and_then(|n| self.statement_succeeded().map(|()| n)) {
            Ok(n) => Ok(Outcome { affected: n, row_count: n as i64, ..Outcome::ok() }),
            Err(e) => {
                self.statement_failed(Some(start), &e);
                Err(e)
            }
        }
    }

    fn lock_file_query(&mut self, sql: &[u8], q: &QueryExpr<'_>) -> SqlResult<CachedPlan> {
        let (types, values) = self.parameters();
        self.ready(|s| {
            let plan = s.plan_counted(&values, |resolver, counted| {
                let request = Request { counted, ..Request::plain(sql, resolver).with(&types) };
                planner::plan(&Statement::Query(q), &request)
            })?;
            Ok(CachedPlan::new(plan, &s.env))
        })
    }

    fn write_rows(&mut self, plan: &CachedPlan, path: &Path, shape: &Shape) -> SqlResult<u64> {
        let cleared = plan.cleared(&self.env)?;
        let new = OpenOptions::new().write(true).create_new(true).mode(0o640).clone();
        let mut file = match ToldFile::open(path, FileUse::IntoFile, &new) {
            Ok(f) => f,
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
                return Err(SqlError::new(ErrorCode::FILE_EXISTS_ERROR, &[&path.display()]));
            }
            Err(e) => return Err(os_error(ErrorCode::EE_CANTCREATEFILE, path, &e)),
        };
        let types = plan.plan.column_types.clone();
        let piece = self.env.vars.num(Var::select_into_buffer_size) as usize;
        let sync = self.env.vars.bool(Var::select_into_disk_sync);
        let pause = Duration::from_millis(self.env.vars.num(Var::select_into_disk_sync_delay));
        let mut put = |bytes: &[u8]| -> std::io::Result<()> {
            file.write_all(bytes)?;
            if sync {
                file.sync_data()?;
                if !pause.is_zero() {
                    // KILL is seen at the next row
                    let _ = sched::sleep(pause);
                }
            }
            Ok(())
        };
        let mut buf = Vec::with_capacity(piece.min(1 << 20) + 4096);
        let mut text = Vec::new();
        let failed = |e: std::io::Error| os_error(ErrorCode::EE_WRITE, path, &e);
        let mut rows = 0;
        let (_, values) = self.parameters();
        let done = executor::each_value_row(cleared, &values, &mut self.env, &mut |row| {
            rows += 1;
            match shape {
                Shape::Lines(f, Some(cs)) if cs.hides_ascii() => {
                    // written in utf8mb4, where no separator is part of a character
                    let mut whole = Vec::new();
                    line(f, Some(Charset::Utf8mb4), row, &types, &mut text, &mut whole);
                    buf.extend_from_slice(&value::charset::client::depart(*cs, &whole));
                }
                Shape::Lines(f, charset) => line(f, *charset, row, &types, &mut text, &mut buf),
                Shape::Dump if rows > 1 => {
                    return Err(SqlError::with_message(
                        ErrorCode::TOO_MANY_ROWS,
                        "Result consisted of more than one row",
                    ));
                }
                Shape::Dump => {
                    for (v, t) in row.iter().zip(&types).filter(|(v, _)| !v.is_null()) {
                        to_text(*v, t, &mut buf);
                    }
                }
            }
            if buf.len() >= piece {
                put(&buf).map_err(failed)?;
                buf.clear();
            }
            Ok(true)
        });
        let done = done.and_then(|n| put(&buf).map(|()| n).map_err(failed));
        if done.is_err() {
            let _ = std::fs::remove_file(path);
            told_file::removed(path);
        }
        done
    }
}

/// One row as a line. Character values are converted where CHARACTER SET says so.
fn line(
    f: &Format,
    charset: Option<Charset>,
    row: &[Value<'_>],
    types: &[SqlType],
    text: &mut Vec<u8>,
    out: &mut Vec<u8>,
) {
    write::begin_line(f, out);
    for (n, (v, t)) in row.iter().zip(types).enumerate() {
        let quoted = !t.kind.is_numeric();
        if f.fixed {
            text.clear();
            if !v.is_null() {
                to_text(*v, t, text);
            }
            write::fixed_field(Some(text), fixed_width(t), out);
            continue;
        }
        if v.is_null() {
            write::field(f, n, None, quoted, out);
            continue;
        }
        text.clear();
        to_text(*v, t, text);
        // numbers and dates are ASCII, which is another text in the wide sets
        let source = match t.kind {
            _ if t.is_character() => Some(t.charset()),
            k if k.is_string() || k == value::TypeKind::Bit => None,
            _ if f.wide.is_some() => Some(Charset::Utf8mb4),
            _ => None,
        };
        let mut converted = Vec::new();
        let bytes = match (charset, source) {
            (Some(to), Some(from)) if to != from => {
                value::charset::convert(text, from, to, &mut converted);
                &converted
            }
            _ => &*text,
        };
        if f.wide.is_some() && source.is_some() {
            write::wide_field(f, n, bytes, quoted, out);
        } else {
            write::field(f, n, Some(bytes), quoted, out);
        }
    }
    write::end_line(f, out);
}
