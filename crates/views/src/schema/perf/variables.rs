//! Variables of every session, and the redo log's file: user_variables_by_thread, variables_by_thread,
//! innodb_redo_log_files.
//!
//! A session hands in who tells its values (`Connection::values`): copies that it writes when it sets a variable and
//! whoever reads the tables looks at. Tested: `tests/clients/test_mysql_tables.py`.

use super::super::{Hints, NULL, Row, SessionView, Spec, T, i, s, u};
use super::PS;
use base::SqlResult;
use catalog::sysvar::{Flags, Var};
use value::OwnedValue;

pub(in super::super) const TABLES: &[Spec] = &[
    Spec {
        schema: PS,
        name: "innodb_redo_log_files",
        columns: &[
            ("FILE_ID", T::I, false),
            ("FILE_NAME", T::S(2000), false),
            ("START_LSN", T::I, false),
            ("END_LSN", T::I, false),
            ("SIZE_IN_BYTES", T::I, false),
            ("IS_FULL", T::Tiny, false),
            ("CONSUMER_LEVEL", T::Int, false),
        ],
        rows: redo_files,
    },
    Spec {
        schema: PS,
        name: "user_variables_by_thread",
        columns: &[
            ("THREAD_ID", T::U, false),
            ("VARIABLE_NAME", T::S(64), false),
            ("VARIABLE_VALUE", T::LongBlob, true),
        ],
        rows: user_variables,
    },
    Spec {
        schema: PS,
        name: "variables_by_thread",
        columns: &[
            ("THREAD_ID", T::U, false),
            ("VARIABLE_NAME", T::S(64), false),
            ("VARIABLE_VALUE", T::S(1024), true),
        ],
        rows: session_variables,
    },
];

/// The log is one file written round and round. It holds what the last checkpoint still needs and has room for its
/// length from there on.
fn redo_files(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let e = v.engine.status();
    let end = e.checkpoint_lsn.0 + e.log_capacity;
    let full = e.lsn.0 >= end;
    let name = format!("./{}", storage::redo::logfile::REDO_FILE);
    let bytes = probe::Gauge::RedoPhysicalSize.get();
    let numbers = [i(e.checkpoint_lsn.0 as i64), i(end as i64), i(bytes)];
    Ok(vec![[&[i(0), s(name)], &numbers[..], &[i(i64::from(full)), i(0)]].concat()])
}

fn user_variables(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for c in v.connections.all() {
        let Some(values) = c.values.lock().clone() else { continue };
        for (name, value) in values.user_variables() {
            out.push(vec![u(c.id()), s(name), value.map_or(NULL, |b| OwnedValue::Str(b.into()))]);
        }
    }
    Ok(out)
}

/// Variables with a session's value; of those that are computed, only the asking session's are known.
fn session_variables(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let listed = |var: &Var| var.def().in_session() && !var.def().flags.has(Flags::HIDDEN);
    let mut out = Vec::new();
    for c in v.connections.all() {
        let Some(values) = c.values.lock().clone() else { continue };
        let own = c.id() == v.connection.id();
        let vars = if own { v.vars.clone() } else { values.variables() };
        for var in Var::all().filter(listed) {
            let name = var.def().name;
            let computed = v.computed.iter().find(|(n, _)| *n == name);
            let value = match computed {
                Some(_) if name == "pseudo_thread_id" => s(c.id().to_string()),
                Some((_, value)) if own => s(value),
                Some(_) => NULL,
                None => s(vars.get(var, &v.globals).show()),
            };
            out.push(vec![u(c.id()), s(name), value]);
        }
    }
    Ok(out)
}
