//! The routines of `sys` in the dictionary: functions, which are built in, and procedures, which are programs.
//!
//! Made when somebody first asks for one, and the same from then on. Tested: `tests/clients/test_sys.py`,
//! `test_sys_procedures.py`.

use super::{functions, procedures};
use crate::create::column_type;
use std::sync::{Arc, OnceLock};
use storage::dict::{Parameter, ParameterMode, ProgramDefinition, ProgramKind};
use value::{CollationId, SqlType, TypeKind};

/// All of them in the order of kind and name.
fn all() -> &'static [Arc<ProgramDefinition>] {
    static ALL: OnceLock<Vec<Arc<ProgramDefinition>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mode = value::SqlMode::DEFAULT.0;
        let made = (0..).zip(procedures::procedures().chain(functions::functions())).map(|(n, mut p)| {
            p.id = ProgramDefinition::builtin_id(n);
            p.version = 1;
            p.definer = ("mysql.sys".to_owned(), "localhost".to_owned());
            p.invoker = true;
            p.sql_mode = mode;
            p.returns = p.result.as_ref().map(returns).unwrap_or_default();
            Arc::new(p)
        });
        let mut all: Vec<_> = made.collect();
        all.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        all
    })
}

/// One by its name in small letters.
pub(super) fn find(kind: ProgramKind, name: &str) -> Option<Arc<ProgramDefinition>> {
    let at = all().binary_search_by(|p| (p.kind, p.name.as_str()).cmp(&(kind, name))).ok()?;
    all().get(at).cloned()
}

/// All of them, as made at a moment (microseconds since 1970).
pub(crate) fn routines(made_at: i64) -> Vec<Arc<ProgramDefinition>> {
    all().iter().map(|p| Arc::new(ProgramDefinition { created: made_at, altered: made_at, ..(**p).clone() })).collect()
}

/// RETURNS of a function.
fn returns(ty: &SqlType) -> String {
    let set = if ty.is_character() { format!(" CHARSET {}", ty.charset().name()) } else { String::new() };
    column_type(ty) + &set
}

/// A parameter out of `[IN|OUT|INOUT] name type`.
pub(super) fn parameter(declared: &str) -> Option<Parameter> {
    let declared = declared.trim().trim_end_matches(',');
    let (first, rest) = declared.split_once(' ')?;
    let mode = match first {
        "IN" => Some(ParameterMode::In),
        "OUT" => Some(ParameterMode::Out),
        "INOUT" => Some(ParameterMode::InOut),
        _ => None,
    };
    let (name, ty) = if mode.is_some() { rest.split_once(' ')? } else { (first, rest) };
    Some(Parameter { mode: mode.unwrap_or_default(), name: name.to_owned(), ty: type_named(ty)? })
}

/// A type as these texts write it.
pub(super) fn type_named(text: &str) -> Option<SqlType> {
    let utf8 = CollationId::UTF8MB4_0900_AI_CI;
    let (text, collation) = match text.split_once(" CHARACTER SET ") {
        Some((t, "latin1")) => (t, CollationId::LATIN1_SWEDISH_CI),
        Some((t, _)) => (t, utf8),
        None => (text, utf8),
    };
    let (kind, inside) = match text.split_once('(') {
        Some((k, i)) => (k, i.trim_end_matches(')')),
        None => (text, ""),
    };
    let lob = |kind, length| SqlType { length, collation, ..SqlType::new(kind) };
    let choice = |kind| {
        let members: Vec<&str> = inside.split(',').map(|m| m.trim().trim_matches('\'')).collect();
        let lengths = members.iter().map(|m| m.len() as u32);
        let length = match kind {
            TypeKind::Set => lengths.sum::<u32>() + members.len().saturating_sub(1) as u32,
            _ => lengths.max().unwrap_or(0),
        };
        let members = Some(members.iter().map(|m| m.as_bytes().into()).collect());
        SqlType { members, length, collation, ..SqlType::new(kind) }
    };
    let ty = match kind {
        "VARCHAR" => SqlType::varchar(inside.parse().ok()?, utf8),
        "TEXT" => lob(TypeKind::Text, 65_535),
        "LONGTEXT" => lob(TypeKind::LongText, u32::MAX),
        "BIGINT UNSIGNED" => SqlType::bigint_unsigned(),
        "BIGINT" => SqlType::bigint(),
        "INT" => SqlType::new(TypeKind::Int),
        "INT UNSIGNED" => SqlType { unsigned: true, length: 10, ..SqlType::new(TypeKind::Int) },
        "TINYINT UNSIGNED" => SqlType { unsigned: true, length: 3, ..SqlType::new(TypeKind::TinyInt) },
        "BOOLEAN" => SqlType { length: 1, ..SqlType::new(TypeKind::TinyInt) },
        "DECIMAL" => {
            let (precision, scale) = inside.split_once(',')?;
            let (length, decimals) = (precision.trim().parse().ok()?, scale.trim().parse().ok()?);
            SqlType { length, decimals, ..SqlType::new(TypeKind::Decimal) }
        }
        "ENUM" => choice(TypeKind::Enum),
        "SET" => choice(TypeKind::Set),
        _ => return None,
    };
    Some(ty.nullable(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use parser::ast::Statement;

    #[test]
    fn every_text_is_a_program_with_typed_parameters() {
        for p in all() {
            let source = p.source().0;
            let arena = bumpalo::Bump::new();
            let mut lexed = parser::Lexed::new();
            lexed.tokenize(&source, 0, parser::Mode::default());
            let parsed = parser::parse(&arena, &source, &mut lexed);
            let Ok(Statement::CreateProgram(c)) = parsed.map(|p| p.statement) else { panic!("{}", p.name) };
            assert_eq!(c.parameters.len(), p.parameters.len(), "{}", p.name);
            assert!(p.kind != ProgramKind::Function || p.result.is_some(), "{}", p.name);
            assert!(find(p.kind, &p.name).is_some());
        }
    }
}
