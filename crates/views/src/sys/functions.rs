//! The functions of `sys` as ROUTINES, PARAMETERS and SHOW CREATE FUNCTION show them. They are built in: the body that
//! is shown calls the function itself.
//!
//! Names, parameters and types are those of MySQL's manual ("sys Schema Stored Functions"); what the functions do is in
//! `executor::eval::sys_schema`. Tested: `tests/clients/test_sys.py`.

use super::routines::{parameter, type_named};
use storage::dict::{DataAccess, ProgramDefinition, ProgramKind};

/// A parameter: name and type.
type Input = (&'static str, T);

/// A type of a parameter or a result.
#[derive(Clone, Copy)]
enum T {
    Var(u32),
    Text,
    Long,
    Latin,
    Big,
    Tiny,
    Flag,
    Yes,
    YesOrUnknown,
}

use DataAccess::{ContainsSql, NoSql, ReadsSqlData};
use T::*;

/// A function: name, result, whether it is DETERMINISTIC and what it does with data, parameters.
struct Head(&'static str, T, (bool, DataAccess), &'static [Input]);

const HEADS: &[Head] = &[
    Head("extract_schema_from_file_name", Var(64), (true, NoSql), &[("path", Var(512))]),
    Head("extract_table_from_file_name", Var(64), (true, NoSql), &[("path", Var(512))]),
    Head("format_bytes", Text, (true, NoSql), &[("bytes", Text)]),
    Head("format_path", Var(512), (true, NoSql), &[("in_path", Var(512))]),
    Head("format_statement", Long, (true, NoSql), &[("statement", Long)]),
    Head("format_time", Text, (true, NoSql), &[("picoseconds", Text)]),
    Head("list_add", Text, (true, ContainsSql), &[("in_list", Text), ("in_add_value", Text)]),
    Head("list_drop", Text, (true, ContainsSql), &[("in_list", Text), ("in_drop_value", Text)]),
    Head("ps_is_account_enabled", Yes, (true, ReadsSqlData), &[("in_host", Var(255)), ("in_user", Var(32))]),
    Head("ps_is_consumer_enabled", Yes, (true, ReadsSqlData), &[("in_consumer", Var(64))]),
    Head("ps_is_instrument_default_enabled", Yes, (true, ReadsSqlData), &[("in_instrument", Var(128))]),
    Head("ps_is_instrument_default_timed", Yes, (true, ReadsSqlData), &[("in_instrument", Var(128))]),
    Head("ps_is_thread_instrumented", YesOrUnknown, (false, ReadsSqlData), &[("in_connection_id", Big)]),
    Head("ps_thread_account", Text, (false, ReadsSqlData), &[("in_thread_id", Big)]),
    Head("ps_thread_id", Big, (false, ReadsSqlData), &[("in_connection_id", Big)]),
    Head("ps_thread_stack", Latin, (false, ReadsSqlData), &[("thd_id", Big), ("debug", Flag)]),
    Head("ps_thread_trx_info", Long, (false, ReadsSqlData), &[("in_thread_id", Big)]),
    Head("quote_identifier", Text, (true, NoSql), &[("in_identifier", Text)]),
    Head(
        "sys_get_config",
        Var(128),
        (true, ReadsSqlData),
        &[("in_variable_name", Var(128)), ("in_default_value", Var(128))],
    ),
    Head("version_major", Tiny, (false, NoSql), &[]),
    Head("version_minor", Tiny, (false, NoSql), &[]),
    Head("version_patch", Tiny, (false, NoSql), &[]),
];

fn type_text(t: T) -> String {
    match t {
        Var(n) => format!("VARCHAR({n})"),
        Text => "TEXT".to_owned(),
        Long => "LONGTEXT".to_owned(),
        Latin => "LONGTEXT CHARACTER SET latin1".to_owned(),
        Big => "BIGINT UNSIGNED".to_owned(),
        Tiny => "TINYINT UNSIGNED".to_owned(),
        Flag => "BOOLEAN".to_owned(),
        Yes => "ENUM('YES', 'NO')".to_owned(),
        YesOrUnknown => "ENUM('YES', 'NO', 'UNKNOWN')".to_owned(),
    }
}

/// All functions.
pub(super) fn functions() -> impl Iterator<Item = ProgramDefinition> {
    HEADS.iter().map(|Head(name, result, (deterministic, access), inputs)| {
        let mut p = ProgramDefinition::new(ProgramKind::Function, super::SYS, name);
        (p.deterministic, p.access) = (*deterministic, *access);
        let declared: Vec<String> = inputs.iter().map(|(name, t)| format!("{name} {}", type_text(*t))).collect();
        let given: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
        p.params = declared.join(", ").into_bytes();
        p.parameters = declared.iter().filter_map(|d| parameter(d)).collect();
        p.result = type_named(&type_text(*result));
        p.comment = "Built into the server.".to_owned();
        p.body = format!("RETURN sys.{name}({})", given.join(", ")).into_bytes();
        p
    })
}
