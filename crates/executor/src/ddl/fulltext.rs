//! FULLTEXT indexes in definitions: what they may be on, their names, and what becomes of them when columns change.
//!
//! Such an index is an entry of the dictionary alone ([`FulltextDef`]): making or dropping one never touches rows or trees. Tested by
//! golden `fulltext_ddl`.

use super::alter::Draft;
use super::keys::KeySpec;
use super::{DdlContext, algorithm, storage_error};
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::sysvar::Var;
use parser::ast::IndexOption;
use std::sync::Arc;
use storage::dict::{ColumnDef, FulltextDef, Stopwords, TableDef};
use storage::engine::Engine;
use storage::table::{Direction, KeyRange, ReadMode, Table, TableCursor};
use value::{TypeKind, Value};

/// InnoDB's limit of columns.
const MAX_PARTS: usize = 16;
/// Words of a table of stopwords: they are kept with the index.
const MAX_STOPWORDS: usize = 10_000;

/// What a key specification says besides the columns of a FULLTEXT index.
#[derive(Clone, Debug)]
pub struct Fulltext {
    /// `WITH PARSER`; empty: the built-in one.
    parser: String,
    stopwords: Stopwords,
}

/// The options of a FULLTEXT key, with what the session's variables say: 1128 for an unknown parser.
pub(super) fn options(ctx: &mut DdlContext<'_>, list: &[IndexOption<'_>]) -> SqlResult<Fulltext> {
    let mut parser = String::new();
    for o in list {
        if let IndexOption::WithParser(name) = o {
            if !name.eq_ignore_ascii_case("ngram") {
                return Err(SqlError::new(ErrorCode::FUNCTION_NOT_DEFINED, &[name]));
            }
            parser = "ngram".into();
        }
    }
    let env = ctx.locks.env();
    let enabled = env.vars.bool(Var::innodb_ft_enable_stopword);
    let user = env.vars.text(Var::innodb_ft_user_stopword_table).cloned();
    let table = user.or_else(|| env.shared.globals.text(Var::innodb_ft_server_stopword_table));
    let stopwords = match table {
        _ if !enabled => Stopwords::List(Vec::new()),
        None => Stopwords::Default,
        Some(name) => Stopwords::List(words_of(ctx, &name)?),
    };
    Ok(Fulltext { parser, stopwords })
}

/// The table that a value `schema/table` of the variables means, if it is one of stopwords: its first column is `value`, a VARCHAR.
pub fn stopword_table(engine: &Arc<Engine>, name: &str) -> Option<Arc<Table>> {
    let (schema, table) = name.split_once('/')?;
    let opened = engine.dict().open_table(engine, schema, table).ok().flatten()?;
    let first = opened.def.columns.first()?;
    (first.name == "value" && first.ty.kind == TypeKind::VarChar).then_some(opened)
}

/// The words of a table of stopwords. 1231 if it is none any more, 1235 for too many words.
fn words_of(ctx: &mut DdlContext<'_>, name: &str) -> SqlResult<Vec<String>> {
    let wrong = || SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&"innodb_ft_user_stopword_table", &name]);
    let table = stopword_table(ctx.engine, name).ok_or_else(wrong)?;
    let from = table.def.columns.first().map(|c| c.ty.charset()).ok_or_else(wrong)?;
    let mut trx = ctx.engine.new_trx(ctx.session_id).map_err(storage_error)?;
    let mut cursor = TableCursor::open(&table, 0, ReadMode::Consistent, false);
    cursor.seek(&mut trx, KeyRange::ALL, Direction::Forward).map_err(storage_error)?;
    let (mut arena, mut out) = (Bump::new(), Vec::new());
    while let Some(row) = cursor.next(&mut trx).map_err(storage_error)? {
        arena.reset();
        let Value::Str(word) = row.column(0, &arena).map_err(storage_error)? else { continue };
        if out.len() == MAX_STOPWORDS {
            return Err(SqlError::unsupported(format_args!("more than {MAX_STOPWORDS} stopwords")));
        }
        let mut utf8 = Vec::new();
        value::charset::convert(word, from, value::Charset::Utf8mb4, &mut utf8);
        out.push(String::from_utf8_lossy(&utf8).into_owned());
    }
    Ok(out)
}

/// The definition of a key with its name.
pub(super) fn define(s: &KeySpec, f: &Fulltext, columns: &[ColumnDef]) -> SqlResult<FulltextDef> {
    if s.parts.len() > MAX_PARTS {
        return Err(SqlError::new(ErrorCode::TOO_MANY_KEY_PARTS, &[&MAX_PARTS]));
    }
    let mut out = FulltextDef {
        name: String::new(),
        columns: Vec::new(),
        parser: f.parser.clone(),
        visible: s.visible,
        comment: s.comment.clone(),
        stopwords: f.stopwords.clone(),
    };
    // a length has no meaning here
    for (name, _, desc) in &s.parts {
        let at = columns
            .iter()
            .position(|c| c.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| SqlError::new(ErrorCode::KEY_COLUMN_DOES_NOT_EXITS, &[name]))?;
        if *desc {
            return Err(SqlError::new(
                ErrorCode::WRONG_USAGE,
                &[&"spatial/fulltext/hash index", &"explicit index order"],
            ));
        }
        if out.columns.contains(&(at as u16)) {
            return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[name]));
        }
        out.columns.push(at as u16);
    }
    check_columns(&out, columns)?;
    Ok(out)
}

/// 1283 for a column without text or with another collation than the first; 3152, 3106.
fn check_columns(i: &FulltextDef, columns: &[ColumnDef]) -> SqlResult<()> {
    let mut collation = None;
    for c in i.columns.iter().filter_map(|c| columns.get(*c as usize)) {
        if c.ty.kind == TypeKind::Json {
            return Err(SqlError::new(ErrorCode::JSON_USED_AS_KEY, &[&c.name]));
        }
        let text = c.ty.is_character() && !matches!(c.ty.kind, TypeKind::Enum | TypeKind::Set);
        if !text || c.ty.charset().is_wide() || *collation.get_or_insert(c.ty.collation) != c.ty.collation {
            return Err(SqlError::new(ErrorCode::BAD_FT_COLUMN, &[&c.name]));
        }
        if c.generated.as_ref().is_some_and(|g| !g.stored) {
            let what = "Fulltext index on virtual generated column";
            return Err(SqlError::new(ErrorCode::UNSUPPORTED_ACTION_ON_GENERATED_COLUMN, &[&what]));
        }
    }
    Ok(())
}

/// After all changes of a definition. InnoDB reserves the name FTS_DOC_ID for one kind of column: 1166.
pub(super) fn check(def: &TableDef) -> SqlResult<()> {
    for i in &def.fulltext {
        check_columns(i, &def.columns)?;
    }
    if def.fulltext.is_empty() {
        return Ok(());
    }
    let bad = |c: &&ColumnDef| {
        c.name.eq_ignore_ascii_case("FTS_DOC_ID")
            && !(c.name == "FTS_DOC_ID" && c.ty.kind == TypeKind::BigInt && c.ty.unsigned && !c.ty.nullable)
    };
    match def.columns.iter().find(bad) {
        Some(c) => Err(SqlError::new(ErrorCode::WRONG_COLUMN_NAME, &[&c.name])),
        None => Ok(()),
    }
}

/// 1796: temporary tables have none.
pub(super) fn check_temporary(def: &TableDef) -> SqlResult<()> {
    if def.fulltext.is_empty() { Ok(()) } else { Err(SqlError::new(ErrorCode::INNODB_NO_FT_TEMP_TABLE, &[])) }
}

/// A column came at `at`.
pub(super) fn column_inserted(def: &mut TableDef, at: usize) {
    for c in def.fulltext.iter_mut().flat_map(|i| i.columns.iter_mut()) {
        if *c as usize >= at && *c != u16::MAX {
            *c += 1;
        }
    }
}

/// The column at `at` went: it becomes `u16::MAX`.
pub(super) fn column_removed(def: &mut TableDef, at: usize) {
    for c in def.fulltext.iter_mut().flat_map(|i| i.columns.iter_mut()) {
        match (*c as usize).cmp(&at) {
            std::cmp::Ordering::Equal => *c = u16::MAX,
            std::cmp::Ordering::Greater if *c != u16::MAX => *c -= 1,
            std::cmp::Ordering::Greater | std::cmp::Ordering::Less => {}
        }
    }
}

/// The column that went is back at `to`; or it is gone for good: an index loses it, and goes with its last one.
pub(super) fn settle(def: &mut TableDef, to: Option<usize>) {
    for i in &mut def.fulltext {
        match to {
            Some(to) => i.columns.iter_mut().filter(|c| **c == u16::MAX).for_each(|c| *c = to as u16),
            None => i.columns.retain(|c| *c != u16::MAX),
        }
    }
    def.fulltext.retain(|i| !i.columns.is_empty());
}

/// Drops the index of this name, if there is one.
pub(super) fn drop_index(def: &mut TableDef, name: &str) -> bool {
    let at = def.fulltext(name);
    if let Some(at) = at {
        def.fulltext.remove(at);
    }
    at.is_some()
}

/// What MySQL does for the difference: an index is built in place under a lock, several only by copying.
pub(super) fn way(d: &Draft<'_>) -> Option<algorithm::Way> {
    let same = |o: &FulltextDef, n: &FulltextDef| {
        let from = |c: &u16| d.source.get(*c as usize).copied().flatten();
        o.parser == n.parser && n.columns.iter().map(from).eq(o.columns.iter().map(|c| Some(*c as usize)))
    };
    let new = d.new.fulltext.iter().filter(|n| !d.old.fulltext.iter().any(|o| same(o, n))).count();
    let gone = d.old.fulltext.iter().any(|o| !d.new.fulltext.iter().any(|n| same(o, n)));
    match new {
        0 => gone.then_some(algorithm::Way::Inplace),
        1 => Some(algorithm::Way::InplaceShared("Fulltext index creation requires a lock")),
        _ => Some(algorithm::Way::Copy("InnoDB presently supports one FULLTEXT index creation at a time")),
    }
}
