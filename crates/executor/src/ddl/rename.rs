//! RENAME TABLE, of tables and views.
//!
//! Only the dictionary changes, in one transaction of it: after a crash all names are new or all are old. Metadata locks on every name of
//! the list are taken first, in the order of the names. Foreign keys follow ([`super::foreign_relatives`]).
//! Tested by `tests/sql/golden` (`ddl`, `foreign_keys`, `views`).

use super::{DdlContext, DdlResult, foreign_relatives, storage_error};
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::TableName;
use std::sync::Arc;
use storage::dict::{Ddl, Relation, TableDef, ViewDef};

/// Triggers stay in their schema: 1435.
fn may_move(t: &TableDef, schema: &str) -> SqlResult<()> {
    match t.schema == schema || t.triggers.is_empty() {
        true => Ok(()),
        false => Err(SqlError::new(ErrorCode::TRG_IN_WRONG_SCHEMA, &[])),
    }
}

/// RENAME TABLE a TO b, c TO d: left to right, all or nothing.
pub(super) fn rename(ctx: &mut DdlContext<'_>, pairs: &[(TableName<'_>, TableName<'_>)]) -> SqlResult<DdlResult> {
    let mut names = Vec::new();
    for (from, to) in pairs {
        names.push((ctx.qualify(from)?, ctx.qualify(to)?));
    }
    let mut all: Vec<_> = names.iter().flat_map(|(a, b)| [a.clone(), b.clone()]).collect();
    all.sort();
    all.dedup();
    for (schema, name) in &all {
        ctx.locks.schema_intention(schema)?;
        ctx.locks.table_exclusive(schema, name)?;
    }
    // where each name leads at this point of the list; the dictionary itself changes at the commit
    let mut now: Vec<((String, String), Option<Relation>)> = Vec::new();
    for n in &all {
        now.push((n.clone(), ctx.dict().relation(&n.0, &n.1)));
    }
    for (from, to) in &names {
        ctx.schema(&to.0)?;
        let take = |now: &mut Vec<((String, String), Option<Relation>)>, n: &(String, String)| {
            now.iter_mut().find(|(name, _)| name == n).and_then(|(_, t)| t.take())
        };
        // asked before the table itself, which may have the very name
        if now.iter().any(|(name, there)| name == to && there.is_some()) {
            return Err(SqlError::new(ErrorCode::TABLE_EXISTS_ERROR, &[&to.1]));
        }
        let missing = || SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&from.0, &from.1]);
        let table = take(&mut now, from).ok_or_else(missing)?;
        super::changeable(&table)?;
        if let Some((_, slot)) = now.iter_mut().find(|(name, _)| name == to) {
            *slot = Some(table);
        }
    }
    let all: Vec<(Relation, (String, String))> = now
        .into_iter()
        .filter_map(|(name, r)| r.map(|r| (r, name)))
        .filter(|(r, (schema, name))| (schema.as_str(), name.as_str()) != r.name())
        .collect();
    let mut moved: Vec<(Arc<TableDef>, TableDef)> = Vec::new();
    let mut views: Vec<(Arc<ViewDef>, ViewDef)> = Vec::new();
    for (old, (schema, name)) in all {
        match old {
            Relation::Table(t) => {
                may_move(&t, &schema)?;
                let new = TableDef { schema, name, ..TableDef::clone(&t) };
                moved.push((t, new));
            }
            Relation::View(v) if v.schema != schema => {
                return Err(SqlError::new(ErrorCode::FORBID_SCHEMA_CHANGE, &[&v.schema, &schema]));
            }
            Relation::View(v) => {
                let new = ViewDef { schema, name, ..ViewDef::clone(&v) };
                views.push((v, new));
            }
        }
    }
    let followers = foreign_relatives::follow_renames(ctx, &mut moved)?;
    store(ctx, moved, views, followers)
}

/// What is called otherwise, all in one change of the dictionary.
fn store(
    ctx: &mut DdlContext<'_>,
    moved: Vec<(Arc<TableDef>, TableDef)>,
    views: Vec<(Arc<ViewDef>, ViewDef)>,
    followers: Vec<(Arc<TableDef>, TableDef)>,
) -> SqlResult<DdlResult> {
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    // swapped names would collide one by one in the unique index on names: move all aside first
    for (old, _) in &moved {
        let aside = TableDef { name: format!("#rename-{}", old.id), ..TableDef::clone(old) };
        ddl.replace_table(old, aside).map_err(storage_error)?;
    }
    for (old, _) in &views {
        let aside = ViewDef { name: format!("#rename-{}", old.id), ..ViewDef::clone(old) };
        ddl.replace_view(old, aside).map_err(storage_error)?;
    }
    for (old, new) in moved {
        let aside = TableDef { name: format!("#rename-{}", old.id), ..TableDef::clone(&old) };
        ddl.replace_table(&aside, new).map_err(storage_error)?;
    }
    for (old, new) in views {
        let aside = ViewDef { name: format!("#rename-{}", old.id), ..ViewDef::clone(&old) };
        ddl.replace_view(&aside, new).map_err(storage_error)?;
    }
    for (child, new) in followers {
        ddl.replace_table(&child, new).map_err(storage_error)?;
    }
    ctx.commit(ddl)?;
    Ok(DdlResult::default())
}
