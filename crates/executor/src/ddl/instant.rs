//! ALTER TABLE without touching the rows: columns that are added, dropped, moved or widened.
//!
//! The dictionary keeps how rows looked before ([`FormerRow`]); every row carries the version of its layout in one byte, readers turn
//! older ones into the present layout, and an UPDATE writes the present one. So such a change costs the same for any number of
//! rows, and a crash leaves either definition with rows that it can read. A rebuild begins again with version 0. As in InnoDB a
//! table takes at most 64 such changes; then it is rebuilt (manual, "Online DDL Operations").
//!
//! A VIRTUAL column that is added is computed when rows from before are read ([`storage::table::computed`]), by the server's global settings: one whose
//! value depends on a session's time zone or language is left to a rebuild where this session has others.
//!
//! Left to a rebuild: what must be computed or counted for each row and kept (STORED columns, AUTO_INCREMENT, expression defaults), and changes of
//! keys at the same time, or on a column that rows lack. The overflow pages of a dropped column stay until its row is changed or removed, as in InnoDB.
//!
//! Tested by golden `alter_instant` and `alter_virtual`, `tests/sql/alter_random.py` and `storage/src/row/tests.rs`.

use super::DdlContext;
use super::alter::Draft;
use super::copy::default_of;
use super::keys::indexed;
use base::SqlResult;
use catalog::sysvar::Var;
use planner::expr::{Expr, ExprKind};
use planner::func::FuncId;
use std::sync::Arc;
use storage::dict::{ColumnDef, ColumnDefault, FormerRow, IndexDef, TableDef};
use storage::row::codec::Codec;
use storage::row::{RowLayout, RowView};
use value::{OwnedValue, SqlType, TypeKind};

/// Changes of the row layout that one table takes between two rebuilds, as InnoDB's.
const MAX_ROW_VERSIONS: usize = 64;

/// Whether stored bytes and keys of one type are those of the other, nullability aside.
fn same_bytes(a: &SqlType, b: &SqlType) -> bool {
    let mut same = a.clone();
    same.nullable = b.nullable;
    if matches!(a.kind, TypeKind::VarChar | TypeKind::VarBinary) && b.length >= a.length {
        same.length = b.length;
    }
    if matches!(a.kind, TypeKind::Enum | TypeKind::Set)
        && let (Some(old), Some(new)) = (&a.members, &b.members)
        && new.starts_with(old)
        && Codec::of(a) == Codec::of(b)
    {
        same.members.clone_from(&b.members);
        same.length = b.length;
    }
    same == *b
}

/// The same key on the same columns, wherever those are now.
pub(super) fn same_key(old: &IndexDef, new: &IndexDef, source: &[Option<usize>]) -> bool {
    let from = |column: u16| source.get(column as usize).copied().flatten();
    (old.root, old.kind, old.parts.len()) == (new.root, new.kind, new.parts.len())
        && old
            .parts
            .iter()
            .zip(&new.parts)
            .all(|(o, n)| from(n.column) == Some(o.column as usize) && (o.prefix, o.desc) == (n.prefix, n.desc))
}

/// A column that stays: whether its bytes can stay too.
fn can_stay(d: &Draft<'_>, at: usize, old: &ColumnDef, new: &ColumnDef) -> bool {
    let nullable = old.ty.nullable == new.ty.nullable || (new.ty.nullable && !indexed(&d.new, at));
    nullable
        && same_bytes(&old.ty, &new.ty)
        && old.generated == new.generated
        && old.auto_increment == new.auto_increment
}

/// Whether rows of the old definition have the bytes of the new one.
pub(super) fn same_layout(d: &Draft<'_>) -> bool {
    d.old.columns.len() == d.new.columns.len()
        && d.source.iter().enumerate().all(|(i, s)| *s == Some(i))
        && d.old.columns.iter().zip(&d.new.columns).all(|(o, n)| o.ty.nullable == n.ty.nullable)
        && d.old.columns.iter().zip(&d.new.columns).enumerate().all(|(at, (o, n))| can_stay(d, at, o, n))
}

/// The layouts of rows written so far as the new definition reads them; `None` if the rows must be written anew.
pub(super) fn formers(ctx: &mut DdlContext<'_>, d: &Draft<'_>) -> SqlResult<Option<Vec<FormerRow>>> {
    if d.old.former.len() >= MAX_ROW_VERSIONS {
        return Ok(None);
    }
    let (mut filled, mut computed) = (Vec::new(), Vec::new());
    for (at, (c, source)) in d.new.columns.iter().zip(&d.source).enumerate() {
        match source.and_then(|s| d.old.columns.get(s)) {
            Some(old) if can_stay(d, at, old, c) => {}
            Some(_) => return Ok(None),
            None if c.generated.as_ref().is_some_and(|g| !g.stored) && !c.is_hidden() => computed.push(at as u16),
            None if c.generated.is_some() || c.auto_increment => return Ok(None),
            None if matches!(c.default, ColumnDefault::Expr(_)) => return Ok(None),
            None => match stored_form(&c.ty, default_of(ctx, c)?) {
                Some(v) => filled.push((at as u16, v)),
                None => return Ok(None),
            },
        }
    }
    if !computed.is_empty() && !can_be_lacking(ctx, d, &computed)? {
        return Ok(None);
    }
    let now = |old: usize| d.source.iter().position(|s| *s == Some(old)).map(|n| n as u16);
    let mut out = Vec::with_capacity(d.old.former.len() + 1);
    for f in &d.old.former {
        let stored = f.stored.iter().map(|(ty, at)| (ty.clone(), at.and_then(|a| now(a as usize)))).collect();
        let kept = f.filled.iter().filter_map(|(at, v)| Some((now(*at as usize)?, v.clone())));
        let mut lacked: Vec<u16> =
            f.computed.iter().filter_map(|at| now(*at as usize)).chain(computed.iter().copied()).collect();
        lacked.sort_unstable();
        out.push(FormerRow { stored, filled: kept.chain(filled.iter().cloned()).collect(), computed: lacked });
    }
    let stored = d.old.columns.iter().enumerate().map(|(i, c)| (c.ty.clone(), now(i))).collect();
    out.push(FormerRow { stored, filled, computed });
    Ok(Some(out))
}

/// Whether rows may go without these VIRTUAL columns: the server's own sessions compute what this one would.
fn can_be_lacking(ctx: &mut DdlContext<'_>, d: &Draft<'_>, columns: &[u16]) -> SqlResult<bool> {
    let env = ctx.locks.env();
    let told = [Var::time_zone, Var::lc_time_names, Var::default_week_format, Var::block_encryption_mode];
    if told.iter().all(|v| env.vars.get(*v, &env.shared.globals) == env.shared.globals.get(*v)) {
        return Ok(true);
    }
    let stored = crate::dml::table_exprs::Stored::new(&Arc::new(d.new.clone()), env)?;
    let speaks = |f: FuncId| {
        let languages = matches!(f, FuncId::DayName | FuncId::MonthName | FuncId::DateFormat | FuncId::Format);
        languages || matches!(f, FuncId::Week | FuncId::StrToDate) || !f.is_pure()
    };
    let depends = |e: &Expr| match &e.kind {
        ExprKind::Call(f, _) if speaks(*f) => true,
        _ => e.ty.kind == TypeKind::Timestamp,
    };
    if columns.iter().filter_map(|c| d.new.columns.get(*c as usize)).any(|c| c.ty.kind == TypeKind::Timestamp) {
        return Ok(false);
    }
    let generated = stored.exprs.generated.iter().filter(|(c, _)| columns.contains(c));
    Ok(!generated.into_iter().any(|(_, e)| e.any(&mut |e| depends(e))))
}

/// Whether some rows lack a column that one of these indexes has: an index needs all values.
pub(super) fn lacks(def: &TableDef, fresh: &[usize]) -> bool {
    let parts = fresh.iter().filter_map(|i| def.indexes.get(*i)).flat_map(|i| &i.parts);
    let lacking = |c: u16| def.former.iter().any(|f| f.computed.contains(&c));
    parts.into_iter().any(|p| lacking(p.column))
}

/// A value as a row would give it back (CHAR without trailing spaces, BINARY padded); `None` if a row cannot have it.
fn stored_form(ty: &SqlType, v: OwnedValue) -> Option<OwnedValue> {
    let layout = RowLayout::new([ty]);
    let mut row = Vec::new();
    layout.encode(&[v.as_value()], &[], &mut row).ok()?;
    let arena = bumpalo::Bump::new();
    let view = RowView::new(&layout, &row).ok()?;
    view.value(0, &arena).ok().map(|v| v.to_owned())
}
