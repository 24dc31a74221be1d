//! UPDATE, INSERT and DELETE of performance_schema's setup tables, which are computed: `UPDATE
//! performance_schema.setup_consumers SET ENABLED = 'YES' WHERE NAME LIKE 'events_stages%'`.
//!
//! The rows that UPDATE and DELETE mean, and the new values, are found by a query with the statement's own WHERE, ORDER
//! BY and LIMIT, so names, conversions and privileges on columns are those of any query (UPDATE needs SELECT on what it
//! reads, as everywhere). Each row is then changed by `views::schema::perf::switches`. Nothing belongs to a
//! transaction: what was changed before an error stays, as in MySQL. Tested: `tests/clients/test_setup_tables.py`.

use crate::kernel::plans::CachedPlan;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use parser::ast::{
    Assignment, Delete, DeleteTarget, Expr, ExprKind, Insert, InsertSource, Limit, OrderItem, QueryBody, QueryExpr,
    Select, SelectItem, SelectOptions, Span, Statement, TableFactor, TableName, TableRef, Update,
};
use planner::Request;
use probe::Counter;
use value::OwnedValue;
use views::schema::perf::switches::{self, Setup};

const PS: &str = "performance_schema";

/// The rows that a statement means.
struct Meant<'a> {
    table: TableFactor<'a>,
    where_clause: Option<&'a Expr<'a>>,
    order_by: &'a [OrderItem<'a>],
    limit: Option<&'a Limit<'a>>,
}

impl Session {
    /// Runs the statement if it changes a setup table; `None`: it is another one.
    pub(crate) fn change_setup(&mut self, sql: &[u8], s: &Statement<'_>) -> Option<SqlResult<Outcome>> {
        match s {
            Statement::Update(u) => {
                let [TableRef::Table(t)] = u.tables else { return None };
                let setup = self.setup_of(&t.name)?;
                self.counts(Counter::ComUpdate);
                Some(self.update_setup(sql, setup, t, u))
            }
            Statement::Delete(d) => {
                let DeleteTarget::Single { table, alias, partitions } = d.target else { return None };
                let setup = self.setup_of(&table)?;
                let factor = TableFactor { name: table, partitions, alias, hints: &[] };
                self.counts(Counter::ComDelete);
                Some(self.delete_setup(sql, setup, factor, d))
            }
            Statement::Insert(i) => {
                let setup = self.setup_of(&i.table)?;
                self.counts(if i.replace { Counter::ComReplace } else { Counter::ComInsert });
                Some(self.insert_setup(sql, setup, i))
            }
            _ => None,
        }
    }

    fn setup_of(&self, t: &TableName<'_>) -> Option<Setup> {
        let own = self.schema_of(t).eq_ignore_ascii_case(PS);
        if own { switches::setup(t.name) } else { None }
    }

    fn counts(&mut self, kind: Counter) {
        self.log.instrument.kind = Some(kind);
        probe::inc(kind);
    }

    fn changed(&mut self, rows: u64, info: String) -> SqlResult<Outcome> {
        self.statement_succeeded()?;
        Ok(Outcome { affected: rows, row_count: rows as i64, info, ..Outcome::ok() })
    }

    /// The columns that the assignments change: 1054 for one there is not, 1683 for one that must not be changed.
    fn places(setup: Setup, list: &[Assignment<'_>]) -> SqlResult<Vec<usize>> {
        let place = |a: &Assignment<'_>| {
            let at = column_place(setup, a.column.column)
                .ok_or_else(|| SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&a.column.column, &"field list"]))?;
            if setup.changes.contains(&at) {
                Ok(at)
            } else {
                Err(SqlError::new(ErrorCode::WRONG_PERFSCHEMA_USAGE, &[]))
            }
        };
        list.iter().map(place).collect()
    }

    fn update_setup(&mut self, sql: &[u8], setup: Setup, t: &TableFactor<'_>, u: &Update<'_>) -> SqlResult<Outcome> {
        self.require_on_table(Privs::UPDATE, PS, setup.name)?;
        if u.with.is_some() {
            return Err(SqlError::unsupported("WITH before UPDATE of a setup table"));
        }
        let places = Session::places(setup, u.assignments)?;
        let values: Vec<&Expr<'_>> = u.assignments.iter().map(|a| &a.value).collect();
        let meant = Meant { table: *t, where_clause: u.where_clause, order_by: u.order_by, limit: u.limit };
        let rows = self.rows_of(sql, &meant, &values)?;
        let (found, mut changed) = (rows.len(), 0);
        for (n, row) in rows.into_iter().enumerate() {
            let (old, new) = row.split_at(row.len().saturating_sub(places.len()));
            let new: Vec<(usize, OwnedValue)> = places.iter().copied().zip(new.iter().cloned()).collect();
            changed += u64::from(switches::update(&setup, old, &new, n as u64 + 1, &self.server.connections)?);
        }
        let warnings = self.env.conv.warning_count;
        self.changed(changed, format!("Rows matched: {found}  Changed: {changed}  Warnings: {warnings}"))
    }

    fn delete_setup(&mut self, sql: &[u8], setup: Setup, table: TableFactor<'_>, d: &Delete<'_>) -> SqlResult<Outcome> {
        if !setup.rows {
            return Err(self.table_denied(Privs::DELETE, setup.name));
        }
        self.require_on_table(Privs::DELETE, PS, setup.name)?;
        if d.with.is_some() {
            return Err(SqlError::unsupported("WITH before DELETE of a setup table"));
        }
        let meant = Meant { table, where_clause: d.where_clause, order_by: d.order_by, limit: d.limit };
        let rows = self.rows_of(sql, &meant, &[])?;
        rows.iter().for_each(|row| switches::delete(&setup, row));
        self.changed(rows.len() as u64, String::new())
    }

    fn insert_setup(&mut self, sql: &[u8], setup: Setup, i: &Insert<'_>) -> SqlResult<Outcome> {
        if !setup.rows {
            return Err(self.table_denied(Privs::INSERT, setup.name));
        }
        self.require_on_table(Privs::INSERT, PS, setup.name)?;
        if !i.on_duplicate.is_empty() {
            return Err(SqlError::unsupported("ON DUPLICATE KEY UPDATE at a setup table"));
        }
        let mut added = 0;
        let all = views::virtual_table(PS, setup.name).map_or(0, |t| t.def().columns.len());
        let mut places = Vec::new();
        for c in i.columns {
            places.push(
                column_place(setup, c.column)
                    .ok_or_else(|| SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&c.column, &"field list"]))?,
            );
        }
        if !i.has_columns {
            places = (0..all).collect();
        }
        let rows = match i.source {
            InsertSource::Values(rows) => self.rows_given(sql, rows, &places)?,
            InsertSource::Query(query) => {
                let rows = self.rows_of_query(sql, query)?;
                let fits = |row: &Vec<OwnedValue>| row.len() == places.len();
                if !rows.iter().all(fits) {
                    return Err(SqlError::new(ErrorCode::WRONG_VALUE_COUNT_ON_ROW, &[&1]));
                }
                rows.into_iter().map(|row| places.iter().copied().zip(row).collect()).collect()
            }
        };
        for (n, row) in rows.into_iter().enumerate() {
            let number = n as u64 + 1;
            let mut values: Vec<Option<OwnedValue>> = vec![None; all];
            for (place, value) in row {
                values.get_mut(place).into_iter().for_each(|to| *to = Some(value.clone()));
            }
            match switches::insert(&setup, &values, number) {
                Ok(()) => added += 1,
                Err(e) if i.ignore => self.env.conv.push(value::Level::Warning, e),
                Err(e) => return Err(e),
            }
        }
        self.changed(added, String::new())
    }

    /// The rows of VALUES: places and values, without those that are DEFAULT.
    fn rows_given(
        &mut self,
        sql: &[u8],
        rows: &[&[Expr<'_>]],
        places: &[usize],
    ) -> SqlResult<Vec<Vec<(usize, OwnedValue)>>> {
        let mut out = Vec::new();
        for (n, row) in rows.iter().enumerate() {
            if !row.is_empty() && row.len() != places.len() {
                return Err(SqlError::new(ErrorCode::WRONG_VALUE_COUNT_ON_ROW, &[&(n + 1)]));
            }
            let given = || places.iter().zip(*row).filter(|(_, e)| !matches!(e.kind, ExprKind::Default(None)));
            let list: Vec<Expr<'_>> = given().map(|(_, e)| *e).collect();
            let values = self.scalars(sql, &list)?;
            out.push(given().zip(values).map(|((place, _), (value, _))| (*place, value)).collect());
        }
        Ok(out)
    }

    /// Whether a statement changes a setup table, so that it has no plan.
    pub(crate) fn changes_setup(&self, s: &Statement<'_>) -> bool {
        let setup = match s {
            Statement::Update(u) => match u.tables {
                [TableRef::Table(t)] => self.setup_of(&t.name),
                _ => None,
            },
            Statement::Delete(Delete { target: DeleteTarget::Single { table, .. }, .. }) => self.setup_of(table),
            Statement::Insert(i) => self.setup_of(&i.table),
            _ => None,
        };
        setup.is_some()
    }

    /// The rows that a statement means: all columns, then `more` evaluated for each.
    fn rows_of(&mut self, sql: &[u8], meant: &Meant<'_>, more: &[&Expr<'_>]) -> SqlResult<Vec<Vec<OwnedValue>>> {
        let span = meant.table.name.span;
        let mut items = vec![SelectItem::Wildcard(span)];
        items.extend(more.iter().map(|e| SelectItem::Expr { expr: **e, alias: None }));
        let from = [TableRef::Table(&meant.table)];
        let select = Select {
            span,
            options: SelectOptions::default(),
            hints: None,
            items: &items,
            from: &from,
            where_clause: meant.where_clause,
            group_by: &[],
            rollup: false,
            having: None,
            windows: &[],
            qualify: None,
            secondary: false,
        };
        let query = QueryExpr {
            span: Span { start: span.start, end: sql.len() as u32 },
            with: None,
            body: QueryBody::Select(&select),
            order_by: meant.order_by,
            limit: meant.limit,
            into: None,
            locking: &[],
        };
        self.rows_of_query(sql, &query)
    }

    /// The rows of a query.
    pub(crate) fn rows_of_query(&mut self, sql: &[u8], query: &QueryExpr<'_>) -> SqlResult<Vec<Vec<OwnedValue>>> {
        let statement = Statement::Query(query);
        let (types, values) = self.parameters();
        let plan = self.ready(|s| {
            let resolver = SessionResolver(&s.env);
            let plan = planner::plan(&statement, &Request::plain(sql, &resolver).with(&types))?;
            Ok(CachedPlan::new(plan, &s.env))
        })?;
        let mut rows = Vec::new();
        executor::each_value_row(plan.cleared(&self.env)?, &values, &mut self.env, &mut |row| {
            rows.push(row.iter().map(|v| OwnedValue::from(*v)).collect());
            Ok(true)
        })?;
        Ok(rows)
    }
}

/// The place of a column by its name.
fn column_place(setup: Setup, name: &str) -> Option<usize> {
    let table = views::virtual_table(PS, setup.name)?;
    table.def().columns.iter().position(|c| c.name.eq_ignore_ascii_case(name))
}
