//! What ROUTINES and PARAMETERS show of the functions of `sys`, which are built in: their heads, but no body.
//!
//! Names, parameters and types are those of MySQL's manual ("sys Schema Stored Functions"); what the functions do is in
//! `executor::eval::sys_schema`. Tested: `tests/clients/test_sys.py`.

use std::sync::Arc;
use storage::dict::{DataAccess, Parameter, ProgramDefinition, ProgramKind};
use value::{CollationId, SqlType, TypeKind};

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

fn type_of(t: T) -> SqlType {
    let utf8 = CollationId::UTF8MB4_0900_AI_CI;
    let lob = |kind, length, collation| SqlType { length, collation, ..SqlType::new(kind) };
    let choice = |members: &[&str]| SqlType {
        members: Some(members.iter().map(|m| m.as_bytes().into()).collect()),
        length: members.iter().map(|m| m.len()).max().unwrap_or(0) as u32,
        collation: utf8,
        ..SqlType::new(TypeKind::Enum)
    };
    match t {
        Var(n) => SqlType::varchar(n, utf8),
        Text => lob(TypeKind::Text, 65_535, utf8),
        Long => lob(TypeKind::LongText, u32::MAX, utf8),
        Latin => lob(TypeKind::LongText, u32::MAX, CollationId::LATIN1_SWEDISH_CI),
        Big => SqlType::bigint_unsigned(),
        Tiny => SqlType { unsigned: true, length: 3, ..SqlType::new(TypeKind::TinyInt) },
        Flag => SqlType { length: 1, ..SqlType::new(TypeKind::TinyInt) },
        Yes => choice(&["YES", "NO"]),
        YesOrUnknown => choice(&["YES", "NO", "UNKNOWN"]),
    }
}

/// All functions, made at a moment (microseconds since 1970).
pub(crate) fn functions(made_at: i64) -> Vec<Arc<ProgramDefinition>> {
    let made = |Head(name, result, (deterministic, access), inputs): &Head| {
        let mut p = ProgramDefinition::new(ProgramKind::Function, super::SYS, name);
        p.definer = ("mysql.sys".to_owned(), "localhost".to_owned());
        (p.created, p.altered) = (made_at, made_at);
        p.result = Some(type_of(*result).nullable(true));
        (p.deterministic, p.access, p.invoker) = (*deterministic, *access, true);
        let parameter = |(name, t): &Input| Parameter {
            mode: Default::default(),
            name: (*name).to_owned(),
            ty: type_of(*t).nullable(true),
        };
        p.parameters = inputs.iter().map(parameter).collect();
        Arc::new(p)
    };
    HEADS.iter().map(made).collect()
}

/// Whether a name means a function of `sys`.
pub fn is_function(schema: &str, name: &str) -> bool {
    schema == super::SYS && HEADS.iter().any(|h| h.0.eq_ignore_ascii_case(name))
}
