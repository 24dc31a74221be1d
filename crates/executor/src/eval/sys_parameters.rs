//! Parameters of the functions of the schema `sys`: in MySQL these are stored functions, so an argument is assigned to
//! a parameter of some type and fails, or is warned of, as what is stored in a column of that name.
//!
//! `views::sys::functions` shows these. Tested: golden `sys_functions`, `tests/clients/test_sys.py`.

use base::SqlResult;
use planner::func::family::SysSchema;
use value::convert::convert_for_column;
use value::{CollationId, SqlType, TypeKind, Value};

use super::{Args, text_of};
use crate::eval::Cx;

const UTF8: CollationId = CollationId::UTF8MB4_0900_AI_CI;

/// The types that parameters have.
#[derive(Clone, Copy, Debug)]
pub enum ParameterType {
    /// VARCHAR of so many characters.
    Chars(u32),
    /// TEXT
    Text,
    /// LONGTEXT
    Long,
    /// BIGINT UNSIGNED
    Id,
    /// BOOLEAN
    Flag,
}

use ParameterType as Is;

impl ParameterType {
    fn sql_type(self) -> SqlType {
        let lob = |kind, length| SqlType { length, collation: UTF8, ..SqlType::new(kind) };
        match self {
            Is::Chars(n) => SqlType::varchar(n, UTF8),
            Is::Text => lob(TypeKind::Text, 65_535),
            Is::Long => lob(TypeKind::LongText, u32::MAX),
            Is::Id => SqlType::bigint_unsigned(),
            Is::Flag => SqlType::new(TypeKind::TinyInt),
        }
    }
}

/// Names and types, those of MySQL's manual ("sys Schema Stored Functions").
pub fn parameters(f: SysSchema) -> &'static [(&'static str, ParameterType)] {
    use SysSchema as F;
    match f {
        F::SysFileSchema | F::SysFileTable => &[("path", Is::Chars(512))],
        F::SysFormatBytes => &[("bytes", Is::Text)],
        F::SysFormatPath => &[("in_path", Is::Chars(512))],
        F::SysFormatStatement => &[("statement", Is::Long)],
        F::SysFormatTime => &[("picoseconds", Is::Text)],
        F::SysListAdd => &[("in_list", Is::Text), ("in_add_value", Is::Text)],
        F::SysListDrop => &[("in_list", Is::Text), ("in_drop_value", Is::Text)],
        F::SysAccountEnabled => &[("in_host", Is::Chars(255)), ("in_user", Is::Chars(32))],
        F::SysConsumerEnabled => &[("in_consumer", Is::Chars(64))],
        F::SysInstrumentEnabled | F::SysInstrumentTimed => &[("in_instrument", Is::Chars(128))],
        F::SysThreadInstrumented | F::SysThreadId => &[("in_connection_id", Is::Id)],
        F::SysThreadAccount | F::SysThreadTransactions => &[("in_thread_id", Is::Id)],
        F::SysThreadStack => &[("thd_id", Is::Id), ("debug", Is::Flag)],
        F::SysQuoteIdentifier => &[("in_identifier", Is::Text)],
        F::SysConfig => &[("in_variable_name", Is::Chars(128)), ("in_default_value", Is::Chars(128))],
        F::SysVersion(_) => &[],
    }
}

/// Argument `i` as its parameter has it.
///
/// # Errors
/// Those of the assignment in a strict mode: 1264, 1366, 1406.
pub(super) fn given<'a>(f: SysSchema, i: usize, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<(Value<'a>, SqlType)> {
    let e = a.expr(i)?;
    let v = super::eval(e, cx, a.arena)?;
    let Some((name, is)) = parameters(f).get(i) else { return Ok((v, e.ty.clone())) };
    let ty = is.sql_type();
    if v.is_null() {
        return Ok((v, ty));
    }
    let strict = cx.env.assigns_strictly();
    let before = std::mem::replace(&mut cx.env.conv.strict, strict);
    let stored = convert_for_column(v, &e.ty, &ty, &mut cx.env.conv, name, 1, a.arena);
    cx.env.conv.strict = before;
    Ok((stored?, ty))
}

/// The same as text.
pub(super) fn text<'a>(f: SysSchema, i: usize, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Option<&'a [u8]>> {
    let (v, ty) = given(f, i, a, cx)?;
    Ok(text_of(v, &ty, a.arena))
}
