//! LOAD DATA: fields of a file become rows.
//!
//! The session feeds [`Loader::row`] with the fields of one line after the other; each is stored like a row of INSERT. Warnings as the manual
//! describes them: 1261 for missing fields (their columns get zeros), 1262 for fields too many, 1263 for NULL in a NOT NULL column; in
//! strict mode, without IGNORE and LOCAL, they are errors.
//!
//! Tested: `tests/sql/test_load_data.py`.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::load::{LoadField, LoadPlan};
use planner::plan::{Body, InsertSource};
use storage::dict::{ColumnDefault, TableDef};
use value::{CollationId, Level, OwnedValue, SqlType, TypeKind, Value, convert};

use super::insert::{Insert, put};
use super::new_row::{column_value, convert_value, default_value, is_default};
use super::swallow;
use crate::eval::Cx;
use crate::gate::Cleared;
use crate::ops::select::open_tables;
use crate::rows::env::Env;
use crate::rows::user_vars::UserVar;

/// One field of a line.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// Bytes with escapes resolved.
    pub bytes: Vec<u8>,
    /// `\N`, or the bare word NULL.
    pub null: bool,
}

/// Outcome of a load.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// Rows inserted and deleted.
    pub affected: u64,
    /// First generated id.
    pub last_insert_id: u64,
    /// Info string.
    pub info: String,
}

/// A running LOAD DATA.
pub struct Loader<'e> {
    cx: Cx<'e>,
    ins: Insert<'e>,
    fields: &'e [LoadField],
    text: SqlType,
    arena: Bump,
    n: u64,
}

impl<'e> Loader<'e> {
    /// Opens the table. `collation` of the file's character set; `binary`: bytes are taken as the column's own.
    ///
    /// # Errors
    /// 1146, 1412, those of [`Cleared::check`].
    pub fn new(load: &'e LoadPlan, collation: CollationId, env: &'e mut Env) -> SqlResult<Loader<'e>> {
        let cleared = Cleared::check(&load.plan, env)?;
        let tables = open_tables(cleared, env)?;
        let Body::Insert(plan) = &load.plan.body else { return Err(SqlError::unsupported("LOAD DATA into this")) };
        let strict = super::begin_strictness(plan.ignore, env);
        let cx = crate::ops::context(cleared, &[], tables, env);
        cx.env.conv.strict = strict;
        let ins = Insert::new(plan, &cx)?;
        Ok(Loader {
            cx,
            ins,
            fields: &load.fields,
            text: SqlType::varchar(u32::MAX, collation),
            arena: Bump::new(),
            n: 0,
        })
    }

    fn complain(&mut self, e: SqlError) -> SqlResult<()> {
        if self.cx.env.conv.strict {
            return Err(e);
        }
        self.cx.env.conv.push(Level::Warning, e);
        Ok(())
    }

    /// Stores one line. `cut`: it has more than a field for each column.
    ///
    /// # Errors
    /// Those of INSERT.
    pub fn row(&mut self, fields: &[Field], cut: bool) -> SqlResult<()> {
        let mut arena = std::mem::take(&mut self.arena);
        self.n += 1;
        let done = self.store(fields, &arena);
        arena.reset();
        self.arena = arena;
        done?;
        if cut {
            // told of when the row is stored
            self.complain(SqlError::new(ErrorCode::WARN_TOO_MANY_RECORDS, &[&self.n]))?;
        }
        self.cx.tick()
    }

    fn store(&mut self, fields: &[Field], arena: &Bump) -> SqlResult<()> {
        let def = self.ins.takes.clone();
        let n = self.n;
        let mut row = vec![Value::Null; def.columns.len()];
        let mut given = vec![false; def.columns.len()];
        let plan = self.ins.plan;
        let sets: &[planner::expr::Expr] = match &plan.source {
            InsertSource::Values(rows) => rows.first().map_or(&[], Vec::as_slice),
            InsertSource::Select(_) => &[],
        };
        if !sets.is_empty() {
            // what SET may read before a field or an assignment gives it; nothing is said of columns without a default yet
            let before = self.cx.env.conv.warned();
            for (i, r) in row.iter_mut().enumerate() {
                *r = default_value(&def, i, &mut self.cx, arena, false).ok().flatten().unwrap_or(Value::Null);
            }
            self.cx.env.conv.forget_since(before);
        }
        for (i, target) in self.fields.iter().enumerate() {
            let field = fields.get(i);
            if field.is_none() && !matches!(target, LoadField::UserVar(_)) {
                self.complain(SqlError::new(ErrorCode::WARN_TOO_FEW_RECORDS, &[&n]))?;
                if let LoadField::Column(c) = target
                    && let Some(v) = self.missing(*c as usize, &def)
                {
                    put(&mut row, &mut given, *c as usize, v.copy_into(arena));
                }
                continue;
            }
            match target {
                LoadField::Dropped => {}
                LoadField::UserVar(name) => {
                    let value = match field {
                        Some(f) if !f.null => OwnedValue::Str(f.bytes.as_slice().into()),
                        _ => OwnedValue::Null,
                    };
                    self.cx.env.user_vars.insert(name.clone(), UserVar { value, ty: self.text.clone().nullable(true) });
                }
                LoadField::Column(c) => {
                    let v = match self.column(*c as usize, field, &def, arena) {
                        Ok(v) => v,
                        Err(e) => {
                            self.ins.leave_out();
                            return swallow(e, plan.ignore, &mut self.cx);
                        }
                    };
                    if let Some(v) = v {
                        put(&mut row, &mut given, *c as usize, v);
                    }
                }
            }
        }
        self.fill(&def, &mut row, &mut given, arena);
        for (e, c) in sets.iter().zip(&plan.columns) {
            let c = *c as usize;
            if is_default(e) {
                match default_value(&def, c, &mut self.cx, arena, true)? {
                    Some(v) => put(&mut row, &mut given, c, v),
                    // AUTO_INCREMENT gives it, whatever the field held
                    None => {
                        put(&mut row, &mut given, c, Value::Null);
                        given.iter_mut().skip(c).take(1).for_each(|g| *g = false);
                    }
                }
                continue;
            }
            self.cx.slot(plan.new_slot)?.set_values(&row);
            self.cx.once.iter_mut().for_each(|o| *o = None);
            match column_value(e, &def, c, n, false, &mut self.cx, arena) {
                Ok(v) => put(&mut row, &mut given, c, v.copy_into(arena)),
                Err(e) => {
                    self.ins.leave_out();
                    return swallow(e, plan.ignore, &mut self.cx);
                }
            }
        }
        self.ins.finish_row(row, given, n, &mut self.cx, arena)
    }

    /// Columns without a default that no field gives a value get their type's: nothing is said of them (1364), in strict mode neither.
    fn fill<'a>(&self, def: &TableDef, row: &mut [Value<'a>], given: &mut [bool], arena: &'a Bump) {
        let named = |c: usize| self.fields.iter().any(|f| matches!(f, LoadField::Column(n) if *n as usize == c));
        for (c, col) in def.columns.iter().enumerate() {
            let none = matches!(col.default, ColumnDefault::None) && col.generated.is_none() && !col.auto_increment;
            if none && !named(c) {
                let first = col.ty.kind == TypeKind::Enum && !col.ty.nullable;
                let v = match col.ty.nullable {
                    true => Value::Null,
                    false if first => Value::UInt(1),
                    false => convert::implicit_default(&col.ty).copy_into(arena),
                };
                put(row, given, c, v);
            }
        }
    }

    /// What a column gets whose field is missing: the zero of its type, or its default where that is NULL or the current time. `None`: its
    /// default.
    fn missing(&self, c: usize, def: &TableDef) -> Option<Value<'static>> {
        let col = def.columns.get(c)?;
        let stays = match &col.default {
            ColumnDefault::Value(OwnedValue::Null) | ColumnDefault::Now => true,
            _ => col.auto_increment,
        };
        (!stays).then(|| convert::implicit_default(&col.ty))
    }

    /// The field as the column's value; `None`: AUTO_INCREMENT gives it.
    fn column<'a>(
        &mut self,
        c: usize,
        field: Option<&Field>,
        def: &TableDef,
        arena: &'a Bump,
    ) -> SqlResult<Option<Value<'a>>> {
        let Some(col) = def.columns.get(c) else { return Err(SqlError::unsupported("column")) };
        let Some(f) = field.filter(|f| !f.null) else {
            if col.ty.nullable {
                return Ok(Some(Value::Null));
            }
            if col.auto_increment {
                return Ok(None);
            }
            self.complain(SqlError::new(ErrorCode::WARN_NULL_TO_NOTNULL, &[&col.name, &self.n]))?;
            return Ok(Some(convert::null_replacement(&col.ty).copy_into(arena)));
        };
        let bytes: &[u8] = arena.alloc_slice_copy(&f.bytes);
        let mut from = self.text.clone();
        if from.collation == CollationId::BINARY && col.ty.is_character() {
            from = SqlType::varchar(u32::MAX, col.ty.collation);
        }
        convert_value(Value::Str(bytes), &from, def, c, self.n, false, &mut self.cx, arena).map(Some)
    }

    /// Counts.
    ///
    /// # Errors
    /// Errors of strict mode that expressions left as warnings.
    pub fn finish(self) -> SqlResult<Loaded> {
        let (records, affected, deleted, first) = self.ins.totals();
        let env = &mut *self.cx.env;
        if first != 0 {
            env.insert_ids.next = first;
        }
        env.insert_ids.wanted = 0;
        let strict = std::mem::replace(&mut env.conv.strict, false);
        if strict && let Some(e) = env.conv.take_strict_error(0) {
            return Err(e);
        }
        let copied = affected.saturating_sub(deleted);
        let info = format!(
            "Records: {records}  Deleted: {deleted}  Skipped: {}  Warnings: {}",
            records.saturating_sub(copied),
            env.conv.warning_count
        );
        Ok(Loaded { affected, last_insert_id: first, info })
    }
}
