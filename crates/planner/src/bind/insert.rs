//! INSERT, REPLACE and the INSERT that LOAD DATA is: rows or a query as the source, ON DUPLICATE KEY UPDATE, the new row's alias.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use storage::dict::TableDef;

use super::dml::{DELETE, INSERT, SELECT, UPDATE, reject_generated};
use super::duplicate::add_source;
use super::scope::{Clause, written};
use super::target::InsertTarget;
use super::{Binder, Scope};
use crate::expr::{Expr, SlotId};
use crate::plan::{Assignment, Body, InsertPlan, InsertSource, OnDuplicate, QueryPlan, SlotDef};

/// What happens to a row whose key is there already.
fn on_duplicate(i: &ast::Insert<'_>) -> OnDuplicate {
    if i.replace {
        OnDuplicate::Replace
    } else if !i.on_duplicate.is_empty() {
        OnDuplicate::Update
    } else if i.ignore {
        OnDuplicate::Ignore
    } else {
        OnDuplicate::Error
    }
}

impl<'a> Binder<'a, '_> {
    /// INSERT and REPLACE.
    pub(crate) fn insert(&mut self, i: &ast::Insert<'a>) -> SqlResult<Body> {
        if !i.partitions.is_empty() {
            return Err(SqlError::new(ErrorCode::PARTITION_CLAUSE_ON_NONPARTITIONED, &[]));
        }
        let mut privileges = INSERT;
        if i.replace {
            privileges |= DELETE;
        }
        if !i.on_duplicate.is_empty() {
            privileges |= UPDATE | SELECT;
        }
        self.st.dml = true;
        if let ast::InsertSource::Values(_) = i.source {
            self.dml_hints(i.hints, &mut [])?;
        }
        let target = self.insert_target(i, privileges)?;
        self.keep_target(i.table.name, &target.def);
        if let ast::InsertSource::Query(_) = i.source {
            self.st.reads.clear(); // the target's own
        }
        let (table, def, slot) = (target.table, target.def.clone(), target.slot);
        let types: Vec<_> = def.columns.iter().map(|c| c.ty.clone()).collect();
        let new_slot = self.new_slot(SlotDef::Tuple(types.clone()))?;
        let updated_slot = self.new_slot(SlotDef::Tuple(types))?;
        self.insert_slots = vec![new_slot, updated_slot];
        let mut columns = self.target_columns(i, &target)?;
        check_row_alias(i, columns.len())?;
        self.inserted_columns(table, &columns, !i.columns.is_empty());
        self.inserted_into_view(&target, &columns, !i.columns.is_empty());
        let view = target.view.as_ref().map(|v| v.0.clone());
        let (mut names, mut source_slot) = (Vec::new(), None);
        let source = match i.source {
            ast::InsertSource::Values(rows) => {
                InsertSource::Values(self.values_source(i, rows, &target, new_slot, &mut columns)?)
            }
            ast::InsertSource::Query(q) => {
                if !i.on_duplicate.is_empty() {
                    names = self.source_names(q, |b| {
                        let scope = b.duplicate_scope(i, &target, new_slot, &columns);
                        // an error comes again in the second pass
                        let _ = b.duplicate_updates(i, &def, (slot, new_slot, updated_slot), scope);
                    });
                }
                let (plan, slot) = self.query_source(q, &def, &columns, &names)?;
                source_slot = slot;
                InsertSource::Select(Box::new(plan))
            }
        };
        let on_duplicate = on_duplicate(i);
        let mut updates = Vec::new();
        if !i.on_duplicate.is_empty() {
            let mut scope = self.duplicate_scope(i, &target, new_slot, &columns);
            if let Some(slot) = source_slot
                && let InsertSource::Select(q) = &source
            {
                add_source(&mut scope, &names, slot, q.items.get(columns.len()..).unwrap_or(&[]));
            }
            updates = self.duplicate_updates(i, &def, (slot, new_slot, updated_slot), scope)?;
            if let InsertSource::Values(_) = source {
                self.check_insert_reads(&target, i.table.name)?;
            }
        }
        let mut stored = self.table_exprs(&def, new_slot)?;
        if let Some((view, checks, _)) = &target.view {
            stored.view_checks = self.view_checks(view, checks, slot, new_slot, &target.absent)?;
        }
        let mut visible = if i.replace { target.visible } else { Vec::new() };
        visible.iter_mut().for_each(|c| self.draft.hoist(c));
        Ok(Body::Insert(Box::new(InsertPlan {
            table,
            slot,
            new_slot,
            updated_slot,
            columns,
            source,
            on_duplicate,
            ignore: i.ignore,
            updates,
            source_slot,
            stored,
            visible,
            view,
        })))
    }

    /// The columns that the statement lists, or all.
    fn target_columns(&mut self, i: &ast::Insert<'a>, target: &InsertTarget) -> SqlResult<Vec<u16>> {
        let mut columns: Vec<u16> = Vec::new();
        // `()` names all columns
        if !i.columns.is_empty() {
            let schema = self.schema_of(i.table.schema)?;
            for c in i.columns {
                let elsewhere = c.table.is_some_and(|t| t != i.table.name) || c.schema.is_some_and(|s| s != schema);
                if elsewhere {
                    return Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&written(c), &"field list"]));
                }
                let at = target.column(c)?;
                if columns.contains(&at) {
                    return Err(SqlError::new(ErrorCode::FIELD_SPECIFIED_TWICE, &[&c.column]));
                }
                columns.push(at);
            }
        } else {
            columns = target.columns();
        }
        Ok(columns)
    }

    /// The rows of VALUES.
    fn values_source(
        &mut self,
        i: &ast::Insert<'a>,
        rows: &[&'a [ast::Expr<'a>]],
        target: &InsertTarget,
        new_slot: SlotId,
        columns: &mut Vec<u16>,
    ) -> SqlResult<Vec<Vec<Expr>>> {
        if rows.len() > 1 {
            self.draft.notes.uncacheable = true;
        }
        let mut scope = Scope::block();
        let mut t = self.table_scope(&target.def, i.table.name, new_slot);
        target.rename(&mut t);
        scope.visible = (0..t.columns.len()).map(|c| (0, c)).collect();
        scope.tables.push(t);
        scope.clause = Some(Clause::Fields);
        self.scopes.push(scope);
        let r = self.insert_rows(rows, columns, &target.def, !i.columns.is_empty());
        self.scopes.pop();
        let r = r?;
        self.check_insert_reads(target, i.table.name)?;
        Ok(r)
    }

    /// The query of INSERT ... SELECT, and the slot of its columns that only ON DUPLICATE KEY UPDATE reads (`names`).
    fn query_source(
        &mut self,
        q: &ast::QueryExpr<'a>,
        def: &TableDef,
        columns: &[u16],
        names: &[super::duplicate::Name],
    ) -> SqlResult<(QueryPlan, Option<SlotId>)> {
        let mut b = self.query(q)?;
        for (e, c) in b.plan.items.iter_mut().zip(columns) {
            if def.columns.get(*c as usize).is_some_and(|c| c.ty.kind.is_string()) {
                *e = self.time_as_text(std::mem::replace(e, Expr::null()));
            }
        }
        if b.columns.len() != columns.len() + names.len() {
            return Err(SqlError::new(ErrorCode::WRONG_VALUE_COUNT_ON_ROW, &[&1]));
        }
        let mut source_slot = None;
        if !names.is_empty() {
            let types = b.columns.iter().skip(columns.len()).map(|c| c.ty.clone()).collect();
            source_slot = Some(self.new_slot(SlotDef::Tuple(types))?);
        }
        for c in columns {
            reject_generated(def, *c, None)?;
        }
        self.st.calc_found_rows = b.calc_found_rows;
        Ok((b.plan, source_slot))
    }

    /// What ON DUPLICATE KEY UPDATE can name: the table's row and, where it has an alias, the new row.
    fn duplicate_scope(&self, i: &ast::Insert<'a>, target: &InsertTarget, new_slot: SlotId, columns: &[u16]) -> Scope {
        let (def, slot) = (&target.def, target.slot);
        let mut scope = Scope::block();
        let mut t = self.table_scope(def, i.table.name, slot);
        target.rename(&mut t);
        t.view = target.view_at;
        scope.visible = (0..t.columns.len()).map(|c| (0, c)).collect();
        scope.tables.push(t);
        if let Some(alias) = i.row_alias {
            let mut t = self.table_scope(def, alias, new_slot);
            target.rename(&mut t);
            t.schema = None;
            // it has the columns that are inserted, and no others
            let mut named = t.columns.clone();
            named.iter_mut().for_each(|c| c.name = String::new());
            for (n, at) in columns.iter().enumerate() {
                if let (Some(c), Some(own)) = (named.get_mut(*at as usize), t.columns.get(*at as usize)) {
                    c.name = i.column_aliases.get(n).map_or_else(|| own.name.clone(), |a| (*a).to_owned());
                }
            }
            scope.visible.extend(columns.iter().map(|c| (scope.tables.len(), *c as usize)));
            t.columns = named;
            scope.tables.push(t);
        }
        scope.clause = Some(Clause::Fields);
        scope
    }

    /// The assignments of ON DUPLICATE KEY UPDATE. `slots`: row in the way, new row, changed row.
    fn duplicate_updates(
        &mut self,
        i: &ast::Insert<'a>,
        def: &TableDef,
        slots: (SlotId, SlotId, SlotId),
        scope: Scope,
    ) -> SqlResult<Vec<Assignment>> {
        self.scopes.push(scope);
        self.values_slot = Some((slots.0, slots.1));
        self.st.in_duplicates = true;
        let r = self
            .check_assigned(i.on_duplicate, slots.0)
            .and_then(|()| self.assignments(i.on_duplicate, def, slots.0, slots.2, None));
        self.st.in_duplicates = false;
        self.values_slot = None;
        self.scopes.pop();
        r
    }

    /// The INSERT that LOAD DATA is, with the SET clause as its row.
    pub(crate) fn load_insert(
        &mut self,
        l: &ast::LoadData<'a>,
        ignore: bool,
        columns: &[ast::ColumnRef<'a>],
        row: &[ast::Expr<'a>],
    ) -> SqlResult<Body> {
        // the list of columns and the row live as long as this call only: bound expressions own what they need
        let (table, def) = self.base_table(
            &l.table,
            if l.replace { crate::resolve::Verb::Replace } else { crate::resolve::Verb::Insert },
        )?;
        if let Some(u) = self.draft.tables.get_mut(table as usize) {
            u.privileges = INSERT | if l.replace { DELETE } else { 0 };
        }
        let slot = self.new_slot(SlotDef::Table(table))?;
        let types: Vec<_> = def.columns.iter().map(|c| c.ty.clone()).collect();
        let new_slot = self.new_slot(SlotDef::Tuple(types.clone()))?;
        let updated_slot = self.new_slot(SlotDef::Tuple(types))?;
        self.insert_slots = vec![new_slot, updated_slot];
        let mut at: Vec<u16> = Vec::new();
        for c in columns {
            let missing = || SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&written(c), &"field list"]);
            at.push(def.named_column(c.column).ok_or_else(missing)? as u16);
        }
        self.inserted_columns(table, &at, !columns.is_empty());
        let mut scope = Scope::block();
        let t = self.table_scope(&def, l.table.name, new_slot);
        scope.visible = (0..t.columns.len()).map(|c| (0, c)).collect();
        scope.tables.push(t);
        scope.clause = Some(Clause::Fields);
        self.scopes.push(scope);
        let mut values = Vec::with_capacity(row.len());
        let mut assigned: Vec<u16> = Vec::with_capacity(at.len());
        for (e, c) in row.iter().zip(&at) {
            match self.scalar(e) {
                // as a field does, an assignment leaves a generated column what it is
                Ok(_) if def.columns.get(*c as usize).is_some_and(|c| c.generated.is_some()) => {}
                Ok(v) => {
                    values.push(v);
                    assigned.push(*c);
                }
                Err(e) => {
                    self.scopes.pop();
                    return Err(e);
                }
            }
        }
        self.scopes.pop();
        let stored = self.table_exprs(&def, new_slot)?;
        Ok(Body::Insert(Box::new(InsertPlan {
            table,
            slot,
            new_slot,
            updated_slot,
            columns: assigned,
            source: InsertSource::Values(vec![values]),
            on_duplicate: match (l.replace, ignore) {
                (true, _) => OnDuplicate::Replace,
                (_, true) => OnDuplicate::Ignore,
                _ => OnDuplicate::Error,
            },
            ignore,
            updates: Vec::new(),
            source_slot: None,
            stored,
            visible: Vec::new(),
            view: None,
        })))
    }

    fn insert_rows(
        &mut self,
        rows: &[&'a [ast::Expr<'a>]],
        columns: &mut Vec<u16>,
        def: &TableDef,
        named: bool,
    ) -> SqlResult<Vec<Vec<Expr>>> {
        let mut out = Vec::with_capacity(rows.len());
        if rows.iter().all(|r| r.is_empty()) && !named {
            columns.clear();
        }
        for (n, row) in rows.iter().enumerate() {
            if row.len() != columns.len() {
                return Err(SqlError::new(ErrorCode::WRONG_VALUE_COUNT_ON_ROW, &[&(n + 1)]));
            }
            let mut values = Vec::with_capacity(row.len());
            for (e, c) in row.iter().zip(columns.iter()) {
                let v = self.stored_operand(e, def, *c)?;
                if let Some(c) = def.columns.get(*c as usize) {
                    self.note_assigned(&v, &c.ty);
                }
                reject_generated(def, *c, Some(&v))?;
                values.push(v);
            }
            out.push(values);
        }
        Ok(out)
    }
}

/// `VALUES ... AS alias(columns)`: 1066 for the table's own name, 1353 for another number of columns than are inserted, 1060 for a name
/// given twice.
fn check_row_alias(i: &ast::Insert<'_>, inserted: usize) -> SqlResult<()> {
    let Some(alias) = i.row_alias else { return Ok(()) };
    if alias == i.table.name {
        return Err(SqlError::new(ErrorCode::NONUNIQ_TABLE, &[&alias]));
    }
    if !i.column_aliases.is_empty() && i.column_aliases.len() != inserted {
        return Err(SqlError::with_message(
            ErrorCode::VIEW_WRONG_LIST,
            "In definition of view, derived table or common table expression, SELECT list and column names list have different column counts",
        ));
    }
    let mut before = i.column_aliases.iter().enumerate();
    match before.find(|(n, a)| i.column_aliases.iter().take(*n).any(|b| crate::same_name(a, b))) {
        Some((_, name)) => Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[name])),
        None => Ok(()),
    }
}
