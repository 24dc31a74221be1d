//! INSERT and REPLACE: what a row is made of. What happens when it meets a row that is there: `insert/duplicates.rs`.

mod duplicates;

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::Expr;
use planner::plan::{Assignment, InsertPlan, InsertSource, OnDuplicate, TableExprs};
use storage::dict::{ColumnDef, ColumnDefault, TableDef, TriggerEvent};
use storage::table::TableHandle;
use value::{SqlMode, SqlType, TypeKind, Value, convert};

use super::autoinc::AutoRun;
use super::foreign::Neighbours;
use super::new_row::{
    Computing, Nulls, check_constraints, check_views, column_value, convert_value, default_value, is_default,
    now_value, readable_default,
};
use super::{fail_strictly, logged, swallow, triggers};
use crate::dml::DmlResult;
use crate::eval::{Cx, is_field};
use crate::ops::{Operators, each_row};
use crate::rows::spill::tuples::{Cursor, Tuples};

/// Counts of one statement.
#[derive(Default)]
struct Counts {
    records: u64,
    /// Rows inserted or changed as the client counts them.
    affected: u64,
    duplicates: u64,
    /// Rows that stay as they are, which `affected` counts for a client with CLIENT_FOUND_ROWS.
    found: u64,
    first_id: u64,
    last_explicit: u64,
}

pub(super) struct Insert<'e> {
    pub(super) plan: &'e InsertPlan,
    pub(super) table: TableHandle,
    auto: Option<usize>,
    run: AutoRun,
    counts: Counts,
    types: Vec<SqlType>,
    single: bool,
    /// How many warnings have been looked at.
    said: usize,
    /// What a NULL is that a generated column or an expression default cannot hold.
    nulls: Nulls,
    /// Rows of the statement; 0: unknown.
    rows: u64,
    /// Columns without a default were told of.
    told_lacking: bool,
    neighbours: Neighbours,
    /// What values are converted for: the table, or with BEFORE INSERT triggers one whose columns may all be NULL.
    pub(super) takes: Arc<TableDef>,
    /// There are BEFORE INSERT triggers.
    triggered: bool,
    /// Columns that the row is given values for, where the binary log asks for them.
    pub(super) given: Option<Vec<bool>>,
    /// The error that storing the row gave is a trigger's, which IGNORE leaves an error.
    trigger_failed: bool,
}

/// Why a row is not stored.
enum Refused {
    /// By a trigger.
    Trigger(SqlError),
    /// By what its columns must be.
    Row(SqlError),
}

/// Runs the statement.
pub(super) fn run<'e>(plan: &'e InsertPlan, ops: &Operators<'e>, cx: &mut Cx<'e>) -> SqlResult<DmlResult> {
    let mut ins = Insert::new(plan, cx)?;
    ins.single = matches!(&plan.source, InsertSource::Values(v) if v.len() == 1);
    let single = ins.single;
    ins.nulls = if single && !plan.ignore { Nulls::Refused } else { Nulls::Told };
    cx.told_nulls = Some(smallvec::SmallVec::new());
    match &plan.source {
        InsertSource::Values(rows) => {
            let mut arena = Bump::new();
            ins.rows = rows.len() as u64;
            for (n, exprs) in rows.iter().enumerate() {
                ins.values_row(exprs, n as u64 + 1, cx, &arena)?;
                arena.reset();
                cx.tick()?;
            }
        }
        InsertSource::Select(q) => {
            // the source may read the table itself: all rows are found first
            let reads_target = cx
                .plan
                .tables
                .iter()
                .enumerate()
                .any(|(i, t)| i != plan.table as usize && t.def.id == ins.table.def.id);
            let mut op = ops.build(&q.root, cx);
            cx.counting = cx.plan.calc_found_rows;
            op.count_rows(cx.counting);
            let mut n = 0;
            if reads_target {
                let mut found = Tuples::default();
                each_row(&mut op, q, cx, &mut |cx, row| {
                    crate::rows::tuple::encode(row, found.begin());
                    found.end(cx.table_limit(found.size()), cx.env)?;
                    Ok(true)
                })?;
                let mut cursor = Cursor::default();
                let mut arena = Bump::new();
                n = found.len() as u64;
                for n in 0..found.len() {
                    let Some(t) = found.get(n, &mut cursor)? else { break };
                    let row: Vec<Value<'_>> =
                        (0..q.items.len()).map(|i| crate::rows::tuple::get(t, q.items.len(), i, &arena)).collect();
                    ins.select_row(&row, q.items.iter(), n as u64 + 1, cx, &arena)?;
                    drop(row);
                    arena.reset();
                    cx.tick()?;
                }
            } else {
                each_row(&mut op, q, cx, &mut |cx, row| {
                    n += 1;
                    let arena = Bump::new();
                    ins.select_row(row, q.items.iter(), n, cx, &arena)?;
                    cx.env.conv.row = n + 1;
                    Ok(true)
                })?;
            }
            cx.env.counts.found_rows = op.found(n);
        }
    }
    Ok(ins.told(cx))
}

/// Whether the column needs a value in every statement.
fn lacks_default(c: &ColumnDef) -> bool {
    !c.ty.nullable
        && !c.auto_increment
        && c.generated.is_none()
        && c.ty.kind != TypeKind::Enum
        && matches!(c.default, ColumnDefault::None)
}

impl<'e> Insert<'e> {
    /// An insert of many rows into the plan's table.
    pub(super) fn new(plan: &'e InsertPlan, cx: &Cx<'_>) -> SqlResult<Insert<'e>> {
        let table = cx.tables.get(plan.table as usize).cloned().ok_or_else(|| SqlError::unsupported("table"))?;
        let triggered = triggers::any(&table.def, TriggerEvent::Insert, true);
        Ok(Insert {
            takes: if triggered { Arc::new(triggers::widened(&table.def)) } else { table.def.clone() },
            triggered,
            trigger_failed: false,
            given: None,
            plan,
            auto: table.def.auto_increment_column(),
            types: table.def.columns.iter().map(|c| c.ty.clone()).collect(),
            table,
            run: AutoRun::default(),
            counts: Counts::default(),
            single: false,
            said: cx.env.conv.warnings.len(),
            nulls: Nulls::Told,
            rows: 0,
            told_lacking: false,
            neighbours: Neighbours::default(),
        })
    }

    /// What the client is told: changed rows, the text beside them, the value of the AUTO_INCREMENT column.
    fn told(&self, cx: &mut Cx<'_>) -> DmlResult {
        let (c, plan) = (&self.counts, self.plan);
        if c.first_id != 0 {
            cx.env.insert_ids.next = c.first_id;
        }
        cx.env.insert_ids.wanted = 0;
        let values = matches!(plan.source, InsertSource::Values(_));
        let info = if self.single {
            String::new()
        } else {
            // with IGNORE all that were neither inserted nor changed; a changed one counts twice in `affected`
            let carried = c.affected.saturating_sub(c.duplicates + c.found);
            // rows that stay as they are count for a client that asks for found rows (CLIENT_FOUND_ROWS), but not those of a query
            let met = if values { c.duplicates + c.found } else { c.duplicates };
            let dup = if plan.ignore { c.records.saturating_sub(carried) } else { met };
            format!("Records: {}  Duplicates: {}  Warnings: {}", c.records, dup, cx.env.conv.warning_count)
        };
        let updates = matches!(plan.on_duplicate, OnDuplicate::Update);
        let last = match c.first_id {
            0 if cx.env.insert_ids.given => cx.env.given_insert_id(),
            // nothing was stored; a query's value is put back to the default after each row that may have been a duplicate
            0 if c.affected == c.found || (updates && !values) => 0,
            0 => c.last_explicit,
            n => n,
        };
        DmlResult { affected: c.affected, last_insert_id: last, info }
    }

    /// A row that could not be built counts too.
    pub(super) fn leave_out(&mut self) {
        self.counts.records += 1;
    }

    /// Rows seen, rows inserted or deleted, rows deleted, first generated id.
    pub(super) fn totals(&self) -> (u64, u64, u64, u64) {
        let c = &self.counts;
        (c.records, c.affected, c.duplicates, c.first_id)
    }

    fn values_row<'a>(
        &mut self,
        exprs: &'a [planner::expr::Expr],
        n: u64,
        cx: &mut Cx<'e>,
        arena: &'a Bump,
    ) -> SqlResult<()>
    where
        'e: 'a,
    {
        let def = self.takes.clone();
        let plan = self.plan;
        cx.env.conv.row = n;
        let mut row = vec![Value::Null; def.columns.len()];
        let mut given = vec![false; def.columns.len()];
        // earlier columns can be read by later values
        let default_of = |c: u16| plan.stored.defaults.iter().find(|d| d.0 == c).map(|d| &d.1);
        let reads_row = exprs.iter().zip(&plan.columns).any(|(e, c)| {
            (is_default(e) && default_of(*c).is_some())
                || e.any(
                    &mut |x| matches!(x.kind, planner::expr::ExprKind::Column { slot, .. } if slot == plan.new_slot),
                )
        });
        if reads_row {
            for (i, r) in row.iter_mut().enumerate() {
                *r = readable_default(&def, i, cx, arena);
            }
        }
        for (e, c) in exprs.iter().zip(&self.plan.columns) {
            let default = default_of(*c).filter(|_| is_default(e));
            let c = *c as usize;
            // DEFAULT that is an expression is evaluated here, before the values that come later
            if let Some(d) = default {
                cx.slot(plan.new_slot)?.set_values(&row);
                let v = column_value(d, &def, c, n, self.single && !plan.ignore, cx, arena)?;
                put(&mut row, &mut given, c, v);
                continue;
            }
            if is_default(e) && Some(c) == self.auto && cx.env.conv.sql_mode.has(SqlMode::NO_AUTO_VALUE_ON_ZERO) {
                // DEFAULT is the type's zero, which then is a value like others
                if let Some(ty) = self.types.get(c) {
                    put(&mut row, &mut given, c, convert::implicit_default(ty).copy_into(arena));
                }
                continue;
            }
            if is_default(e) {
                if let Some(v) = default_value(&def, c, cx, arena, true)? {
                    put(&mut row, &mut given, c, v);
                }
                continue;
            }
            if reads_row {
                cx.slot(self.plan.new_slot)?.set_values(&row);
            }
            let v = if Some(c) == self.auto {
                let v = crate::eval::eval(e, cx, arena)?;
                if v.is_null() { continue } else { convert_value(v, &e.ty, &def, c, n, self.single, cx, arena)? }
            } else {
                match column_value(e, &def, c, n, self.single && !self.plan.ignore, cx, arena) {
                    Ok(v) => v,
                    Err(e) => {
                        swallow(e, self.plan.ignore, cx)?;
                        self.counts.records += 1;
                        return Ok(());
                    }
                }
            };
            put(&mut row, &mut given, c, v);
        }
        self.finish_row(row, given, n, cx, arena)
    }

    fn select_row<'a, 't>(
        &mut self,
        values: &[Value<'a>],
        items: impl Iterator<Item = &'t Expr>,
        n: u64,
        cx: &mut Cx<'e>,
        arena: &'a Bump,
    ) -> SqlResult<()>
    where
        'e: 'a,
    {
        fail_strictly(&mut self.said, cx)?;
        let def = self.takes.clone();
        let mut row = vec![Value::Null; def.columns.len()];
        let mut given = vec![false; def.columns.len()];
        for ((v, e), c) in values.iter().zip(items).zip(&self.plan.columns) {
            let c = *c as usize;
            if Some(c) == self.auto && v.is_null() {
                continue;
            }
            cx.env.conv.copied = is_field(e, cx.plan);
            let v = convert_value(*v, &e.ty, &def, c, n, false, cx, arena);
            cx.env.conv.copied = false;
            let v = v?;
            put(&mut row, &mut given, c, v);
        }
        if let Some(slot) = self.plan.source_slot {
            cx.slot(slot)?.set_values(values.get(self.plan.columns.len()..).unwrap_or(&[]));
        }
        self.finish_row(row, given, n, cx, arena)
    }

    /// Default of a column that gets no value; where it has none and a view is named, that is told of the view (1423, not 1364).
    fn default_of<'a>(
        &self,
        def: &TableDef,
        c: usize,
        cx: &mut Cx<'e>,
        arena: &'a Bump,
    ) -> SqlResult<Option<Value<'a>>> {
        let before = cx.env.conv.warnings.len();
        let found = default_value(def, c, cx, arena, false);
        let Some(v) = &self.plan.view else { return found };
        let of_view = || SqlError::new(ErrorCode::NO_DEFAULT_FOR_VIEW_FIELD, &[&v.schema, &v.name]);
        let lacks = ErrorCode::NO_DEFAULT_FOR_FIELD;
        if let Some(w) = cx.env.conv.warnings.get_mut(before).filter(|w| w.code == lacks.number()) {
            let e = of_view();
            (w.code, w.message) = (e.code(), e.message().into());
        }
        found.map_err(|e| if e.is(lacks) { of_view() } else { e })
    }

    /// Defaults, AUTO_INCREMENT, generated columns, checks, storing.
    pub(super) fn finish_row<'a>(
        &mut self,
        mut row: Vec<Value<'a>>,
        given: Vec<bool>,
        n: u64,
        cx: &mut Cx<'e>,
        arena: &'a Bump,
    ) -> SqlResult<()>
    where
        'e: 'a,
    {
        self.counts.records += 1;
        if logged::partial(cx) {
            self.given = Some(given.clone());
        }
        let def = self.table.def.clone();
        let missing = self.fill(&def, &mut row, &given, cx, arena)?;
        let mut generates = self.auto.is_some_and(|c| self.generates(row.get(c), cx));
        if self.triggered {
            match self.run_before(&mut row, (&given, &missing), (n, generates), cx, arena) {
                Ok(g) => generates = g,
                Err(Refused::Trigger(e)) => return Err(e),
                Err(Refused::Row(e)) => return swallow(e, self.plan.ignore, cx),
            }
        }
        let missing = if self.triggered { Vec::new() } else { missing };
        if let Err(e) = self.complete(&mut row, &missing, (n, generates), cx, arena) {
            if e.is(ErrorCode::VIEW_CHECK_FAILED) || e.is(ErrorCode::CHECK_CONSTRAINT_VIOLATED) {
                // left out before it counts as a record
                self.counts.records = self.counts.records.saturating_sub(1);
            }
            return swallow(e, self.plan.ignore, cx);
        }
        let mark = self.run.mark();
        let generated = self.number(&mut row, (n, generates), cx)?;
        match self.store(&row, (n, generated), cx, arena) {
            Ok(true) => {
                if generated != 0 && self.counts.first_id == 0 {
                    self.counts.first_id = generated;
                }
                self.observe(&row, cx)?;
                triggers::after(&self.table, TriggerEvent::Insert, None, Some(&row), cx)
            }
            Ok(false) => {
                self.run.restore(mark, generated);
                Ok(())
            }
            Err(e) => {
                self.run.restore(mark, generated);
                if std::mem::take(&mut self.trigger_failed) {
                    return Err(e);
                }
                swallow(e, self.plan.ignore, cx)
            }
        }
    }

    /// BEFORE INSERT triggers, and what must hold behind them. Whether a value is generated for the AUTO_INCREMENT
    /// column, which they see as 0.
    fn run_before<'a>(
        &mut self,
        row: &mut [Value<'a>],
        (given, missing): (&[bool], &[u16]),
        (n, generates): (u64, bool),
        cx: &mut Cx<'e>,
        arena: &'a Bump,
    ) -> Result<bool, Refused>
    where
        'e: 'a,
    {
        let def = self.table.def.clone();
        if let Some(c) = self.auto.filter(|_| generates)
            && let (Some(to), Some(ty)) = (row.get_mut(c), self.types.get(c))
        {
            *to = convert::implicit_default(ty).copy_into(arena);
        }
        self.computing(&self.takes.clone(), n).compute(row, missing, cx, arena).map_err(Refused::Row)?;
        let assigned =
            triggers::before(&self.table, TriggerEvent::Insert, None, row, cx, arena).map_err(Refused::Trigger)?;
        triggers::refuse_assigned_nulls(&def, row, &assigned).map_err(Refused::Row)?;
        for (c, _) in given.iter().enumerate().filter(|(_, g)| !**g) {
            // nobody has given it anything: 1364
            if def.columns.get(c).is_some_and(lacks_default)
                && let Some(to) = row.get_mut(c).filter(|v| v.is_null())
                && let Some(v) = self.default_of(&def, c, cx, arena).map_err(Refused::Row)?
            {
                *to = v;
            }
        }
        let single = self.single && !self.plan.ignore;
        triggers::refuse_nulls(&def, row, self.auto, (n, single), cx, arena).map_err(Refused::Row)?;
        let zero = self.auto.is_some_and(|c| matches!(row.get(c), Some(Value::Int(0) | Value::UInt(0) | Value::Null)));
        Ok(if generates && zero { true } else { self.auto.is_some_and(|c| self.generates(row.get(c), cx)) })
    }

    /// Gives the columns that the statement leaves out their defaults; those whose defaults are expressions come back. What is wrong with
    /// the first is the error, what is wrong with others stands behind it in SHOW WARNINGS.
    fn fill<'a>(
        &mut self,
        def: &TableDef,
        row: &mut [Value<'a>],
        given: &[bool],
        cx: &mut Cx<'e>,
        arena: &'a Bump,
    ) -> SqlResult<Vec<u16>>
    where
        'e: 'a,
    {
        let (mut missing, mut failed) = (Vec::new(), None);
        // a column without default is told of (1364) once, with the first row, when that row's values have been converted
        let told = self.told_lacking && !cx.env.conv.strict;
        for (c, _) in given.iter().enumerate().filter(|(_, g)| !**g) {
            let value = match def.columns.get(c) {
                // a BEFORE trigger may give it something
                Some(col) if self.triggered && lacks_default(col) => Ok(Some(Value::Null)),
                Some(col) if told && lacks_default(col) => {
                    Ok(Some(convert::implicit_default(&col.ty).copy_into(arena)))
                }
                _ => self.default_of(def, c, cx, arena),
            };
            match (value, row.get_mut(c)) {
                (Ok(Some(v)), Some(r)) => *r = v,
                (Ok(Some(_)), None) => {}
                (Ok(None), _) => missing.push(c as u16),
                // each column without default is named
                (Err(e), _) if failed.is_some() => cx.env.statement.further.push((value::Level::Error, e)),
                (Err(e), _) => failed = Some(e),
            }
        }
        self.told_lacking = true;
        failed.map_or(Ok(missing), Err)
    }

    /// The AUTO_INCREMENT column of a row that is otherwise complete; returns the value that was generated for it, or 0. A row that a constraint
    /// refuses has got none.
    fn number(&mut self, row: &mut [Value<'_>], (n, generates): (u64, bool), cx: &mut Cx<'e>) -> SqlResult<u64> {
        let Some(c) = self.auto else { return Ok(0) };
        if !generates {
            if self.table.autoinc_next() == 0 {
                // known before the row is there: it does not count if it is taken back
                self.table.autoinc_value(&cx.env.shared.engine)?;
            }
            let id = match row.get(c) {
                // a negative one's bits: what clients read back as negative
                Some(Value::Int(v)) => *v as u64,
                Some(Value::UInt(v)) => *v,
                Some(Value::Double(v)) => *v as i64 as u64,
                _ => 0,
            };
            self.counts.last_explicit = id;
            if !matches!(row.get(c), Some(Value::Int(..=0))) {
                self.run.given(id, &self.table, c, cx);
            }
            return Ok(0);
        }
        let generated = self.run.take(&self.table, c, self.rows, n, cx)?;
        // of a row that IGNORE leaves out, too
        self.counts.last_explicit = generated;
        let v = match self.types.get(c) {
            Some(t) if t.kind.is_float() => Value::Double(generated as f64),
            Some(t) if t.unsigned => Value::UInt(generated),
            _ => Value::Int(generated as i64),
        };
        if let Some(r) = row.get_mut(c) {
            *r = v;
        }
        Ok(generated)
    }

    /// Expression defaults, generated columns and constraints of a row. A value that will be generated for its AUTO_INCREMENT column is 0 by now:
    /// nothing but a view's WITH CHECK OPTION can read that column.
    fn complete<'a>(
        &self,
        row: &mut [Value<'a>],
        missing: &[u16],
        (n, generates): (u64, bool),
        cx: &mut Cx<'e>,
        arena: &'a Bump,
    ) -> SqlResult<()>
    where
        'e: 'a,
    {
        let stored = &self.plan.stored;
        if let Some(c) = self.auto.filter(|_| generates && !stored.view_checks.is_empty())
            && let (Some(to), Some(ty)) = (row.get_mut(c), self.types.get(c))
        {
            *to = convert::implicit_default(ty).copy_into(arena);
        }
        self.computing(&self.table.def, n).compute(row, missing, cx, arena)?;
        check_views(stored, row, cx, arena)?;
        check_constraints(stored, cx, arena)
    }

    fn computing<'d>(&self, def: &'d TableDef, n: u64) -> Computing<'e, 'd> {
        Computing { stored: &self.plan.stored, def, slot: self.plan.new_slot, n, nulls: self.nulls }
    }

    /// Whether a value is generated for an AUTO_INCREMENT column that would have this one.
    fn generates(&self, given: Option<&Value<'_>>, cx: &Cx<'_>) -> bool {
        match given {
            Some(Value::Int(0) | Value::UInt(0)) => !cx.env.conv.sql_mode.has(SqlMode::NO_AUTO_VALUE_ON_ZERO),
            Some(Value::Null) | None => true,
            Some(_) => false,
        }
    }

    /// A row met a duplicate. In statements of these kinds its value moves the counter all the same, whatever becomes of the row then.
    fn refused(&self, row: &[Value<'_>], cx: &mut Cx<'_>) -> SqlResult<()> {
        let moves = match (&self.plan.source, self.plan.on_duplicate) {
            (InsertSource::Select(_), _) | (_, OnDuplicate::Replace) => true,
            (InsertSource::Values(_), _) => false,
        };
        if moves { self.observe(row, cx) } else { Ok(()) }
    }

    fn observe(&self, row: &[Value<'_>], cx: &mut Cx<'_>) -> SqlResult<()> {
        let Some(c) = self.auto else { return Ok(()) };
        let id = match row.get(c) {
            Some(Value::Int(v)) => u64::try_from(*v).unwrap_or(0),
            Some(Value::UInt(v)) => *v,
            _ => 0,
        };
        // 0 too: the counter is known from then on
        self.run.stored(id, &self.table, c, self.rows, cx)
    }
}

pub(super) fn put<'a>(row: &mut [Value<'a>], given: &mut [bool], c: usize, v: Value<'a>) {
    if let (Some(r), Some(g)) = (row.get_mut(c), given.get_mut(c)) {
        *r = v;
        *g = true;
    }
}

/// Evaluates assignments from left to right into `row`; the second slot shows them to later ones, the first holds the row before. A column set
/// to itself is left alone, whatever it holds. With the row's number goes whether NULL for a column that is NOT NULL is its type's
/// zero with a warning. A default that is an expression (`stored`, which reads the slot beside it) is computed of the row as it is by then.
/// NULL for an AUTO_INCREMENT column is zero in ON DUPLICATE KEY UPDATE, as MySQL has it (UPDATE refuses it).
#[allow(clippy::too_many_arguments)]
pub(super) fn assign<'a>(
    list: &'a [Assignment],
    def: &storage::dict::TableDef,
    (read, slot): (u16, u16),
    (stored, own): (&'a TableExprs, u16),
    row: &mut [Value<'a>],
    (n, zeros): (u64, bool),
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<()> {
    for (i, a) in list.iter().enumerate() {
        let c = a.column as usize;
        if let planner::expr::ExprKind::Column { slot: s, column } = a.value.kind
            && column == a.column
            && (s == read || s == slot)
        {
            continue;
        }
        let watched = cx.json_changes.on && def.columns.get(c).is_some_and(|c| c.ty.kind == value::TypeKind::Json);
        if watched {
            cx.json_changes.begin(&a.value, a.column, (read, slot));
        }
        let v = if is_default(&a.value) {
            match default_value(def, c, cx, arena, true)? {
                Some(v) => v,
                None => match def.columns.get(c) {
                    Some(col) if col.generated.is_some() => continue,
                    Some(col) if col.auto_increment => convert::implicit_default(&col.ty).copy_into(arena),
                    _ => {
                        // VALUES() of later assignments reads that slot (UPDATE of one column has put no row there)
                        let given: SqlResult<Vec<Value<'a>>> =
                            (0..row.len()).map(|i| cx.column(own, i as u16, arena)).collect();
                        let nulls = if zeros { Nulls::Told } else { Nulls::Refused };
                        Computing { stored, def, slot: own, n, nulls }.fill(row, &[a.column], cx, arena)?;
                        if let Ok(given) = given {
                            cx.slot(own)?.set_values(&given);
                        }
                        row.get(c).copied().unwrap_or(Value::Null)
                    }
                },
            }
        } else if let Some(col) = def.columns.get(c).filter(|col| col.auto_increment && own != slot) {
            // only INSERT has a slot of its own for the row that was to be inserted
            match crate::eval::eval(&a.value, cx, arena)? {
                Value::Null => convert::implicit_default(&col.ty).copy_into(arena),
                v => convert_value(v, &a.value.ty, def, c, n, !zeros, cx, arena)?,
            }
        } else {
            column_value(&a.value, def, c, n, !zeros, cx, arena)?
        };
        if watched {
            let first = list.iter().take(i).all(|b| b.column != a.column);
            cx.json_changes.end(a.column, v, first);
        }
        if let Some(r) = row.get_mut(c) {
            *r = v;
        }
        if i + 1 < list.len() {
            cx.slot(slot)?.set_values(row);
        }
    }
    Ok(())
}

/// ON UPDATE CURRENT_TIMESTAMP columns that are not assigned.
pub(super) fn on_update_now(def: &storage::dict::TableDef, explicit: &[u16], row: &mut [Value<'_>], cx: &Cx<'_>) {
    for (i, c) in def.columns.iter().enumerate() {
        if c.on_update_now
            && !explicit.contains(&(i as u16))
            && let Some(r) = row.get_mut(i)
        {
            *r = now_value(&c.ty, cx);
        }
    }
}
