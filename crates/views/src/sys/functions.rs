//! The functions of `sys` as ROUTINES, PARAMETERS and SHOW CREATE FUNCTION show them. They are built in: the body that
//! is shown calls the function itself.
//!
//! Names and types are those of MySQL's manual ("sys Schema Stored Functions"); what the functions do is in
//! `executor::eval::sys_schema`, their parameters are in `executor::sys_parameters`. Tested:
//! `tests/clients/test_sys.py`.

use super::routines::{parameter, type_named};
use executor::sys_parameters::{ParameterType, parameters};
use planner::func::family::SysSchema as F;
use storage::dict::{DataAccess, ProgramDefinition, ProgramKind};

/// A type of a result.
#[derive(Clone, Copy)]
enum T {
    Var(u32),
    Text,
    Long,
    Latin,
    Big,
    Tiny,
    Yes,
    YesOrUnknown,
}

use DataAccess::{ContainsSql, NoSql, ReadsSqlData};
use T::*;

/// A function: name, result, whether it is DETERMINISTIC and what it does with data, which it is.
struct Head(&'static str, T, (bool, DataAccess), F);

const HEADS: &[Head] = &[
    Head("extract_schema_from_file_name", Var(64), (true, NoSql), F::SysFileSchema),
    Head("extract_table_from_file_name", Var(64), (true, NoSql), F::SysFileTable),
    Head("format_bytes", Text, (true, NoSql), F::SysFormatBytes),
    Head("format_path", Var(512), (true, NoSql), F::SysFormatPath),
    Head("format_statement", Long, (true, NoSql), F::SysFormatStatement),
    Head("format_time", Text, (true, NoSql), F::SysFormatTime),
    Head("list_add", Text, (true, ContainsSql), F::SysListAdd),
    Head("list_drop", Text, (true, ContainsSql), F::SysListDrop),
    Head("ps_is_account_enabled", Yes, (true, ReadsSqlData), F::SysAccountEnabled),
    Head("ps_is_consumer_enabled", Yes, (true, ReadsSqlData), F::SysConsumerEnabled),
    Head("ps_is_instrument_default_enabled", Yes, (true, ReadsSqlData), F::SysInstrumentEnabled),
    Head("ps_is_instrument_default_timed", Yes, (true, ReadsSqlData), F::SysInstrumentTimed),
    Head("ps_is_thread_instrumented", YesOrUnknown, (false, ReadsSqlData), F::SysThreadInstrumented),
    Head("ps_thread_account", Text, (false, ReadsSqlData), F::SysThreadAccount),
    Head("ps_thread_id", Big, (false, ReadsSqlData), F::SysThreadId),
    Head("ps_thread_stack", Latin, (false, ReadsSqlData), F::SysThreadStack),
    Head("ps_thread_trx_info", Long, (false, ReadsSqlData), F::SysThreadTransactions),
    Head("quote_identifier", Text, (true, NoSql), F::SysQuoteIdentifier),
    Head("sys_get_config", Var(128), (true, ReadsSqlData), F::SysConfig),
    Head("version_major", Tiny, (false, NoSql), F::SysVersion(0)),
    Head("version_minor", Tiny, (false, NoSql), F::SysVersion(1)),
    Head("version_patch", Tiny, (false, NoSql), F::SysVersion(2)),
];

fn type_text(t: T) -> String {
    match t {
        Var(n) => format!("VARCHAR({n})"),
        Text => "TEXT".to_owned(),
        Long => "LONGTEXT".to_owned(),
        Latin => "LONGTEXT CHARACTER SET latin1".to_owned(),
        Big => "BIGINT UNSIGNED".to_owned(),
        Tiny => "TINYINT UNSIGNED".to_owned(),
        Yes => "ENUM('YES', 'NO')".to_owned(),
        YesOrUnknown => "ENUM('YES', 'NO', 'UNKNOWN')".to_owned(),
    }
}

fn parameter_text(t: ParameterType) -> String {
    match t {
        ParameterType::Chars(n) => type_text(Var(n)),
        ParameterType::Text => type_text(Text),
        ParameterType::Long => type_text(Long),
        ParameterType::Id => type_text(Big),
        ParameterType::Flag => "BOOLEAN".to_owned(),
    }
}

/// All functions.
pub(super) fn functions() -> impl Iterator<Item = ProgramDefinition> {
    HEADS.iter().map(|Head(name, result, (deterministic, access), f)| {
        let inputs = parameters(*f);
        let mut p = ProgramDefinition::new(ProgramKind::Function, super::SYS, name);
        (p.deterministic, p.access) = (*deterministic, *access);
        let declared: Vec<String> = inputs.iter().map(|(name, t)| format!("{name} {}", parameter_text(*t))).collect();
        let given: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
        p.params = declared.join(", ").into_bytes();
        p.parameters = declared.iter().filter_map(|d| parameter(d)).collect();
        p.result = type_named(&type_text(*result));
        p.comment = "Built into the server.".to_owned();
        p.body = format!("RETURN sys.{name}({})", given.join(", ")).into_bytes();
        p
    })
}
