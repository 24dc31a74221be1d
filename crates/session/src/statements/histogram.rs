//! ANALYZE TABLE ... UPDATE HISTOGRAM, DROP HISTOGRAM: one row per column.
//!
//! Rows are read under a shared metadata lock, as many as `histogram_generation_max_mem_size` has room for (each row with the same chance), and
//! the result is published under the exclusive one ([`executor::ddl::histogram`]). Histograms made with AUTO UPDATE are made anew by a plain
//! ANALYZE TABLE.
//! Tested by golden `histograms` and `tests/sql/test_histograms.py`.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::client::ResultSink;
use catalog::sysvar::Var;
use executor::gate::MayKnow;
use parser::ast::{self, TableAdmin};
use storage::dict::{Relation, TableDef};
use value::histogram::{Circumstances, DEFAULT_BUCKETS, DataType, Histogram, check_buckets, kept};
use value::temporal::DateTime;
use value::{OwnedValue, SqlType, TimeZone};

use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::outcome::Outcome;
use crate::results::table::Table;

/// What to make of one column.
struct Wanted {
    name: String,
    ty: SqlType,
    buckets: u64,
    auto: bool,
}

/// Message of a column (or, without one, of the table); the last says whether it is an error.
type Messages = BTreeMap<String, (bool, String)>;

impl Session {
    /// The statement with a HISTOGRAM clause. 1690 for a bad number of buckets, 1060 for a column named twice; everything else is a row.
    pub(crate) fn histogram_statement(
        &mut self,
        a: &TableAdmin<'_>,
        h: &ast::Histogram<'_>,
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        for (n, t) in a.tables.iter().enumerate() {
            if a.tables.iter().take(n).any(|o| (o.schema, o.name) == (t.schema, t.name)) {
                return Err(SqlError::new(ErrorCode::NONUNIQ_TABLE, &[&t.name]));
            }
            if t.schema.is_some_and(|s| s.eq_ignore_ascii_case("information_schema")) {
                return Err(self.database_denied("information_schema"));
            }
        }
        let buckets = h.buckets.unwrap_or(DEFAULT_BUCKETS);
        check_buckets(buckets)?;
        for (n, c) in h.columns.iter().enumerate() {
            let before = h.columns.get(..n).unwrap_or(&[]);
            if before.iter().any(|b| b.eq_ignore_ascii_case(c)) {
                return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[c]));
            }
        }
        self.commit_transaction()?;
        let mut shown = String::new();
        let messages = match a.tables {
            [table] => {
                let schema = self.named_schema(table)?;
                shown = format!("{schema}.{}", table.name);
                self.require_on_table(Privs::SELECT, &schema, table.name)?;
                let may = self.require_on_table(Privs::INSERT, &schema, table.name)?;
                let done = self.histograms(may, h, buckets);
                self.env.mdl.release_transaction();
                done?
            }
            _ => whole(true, "Only one table can be specified while modifying histogram statistics."),
        };
        let mut t = Table::new(columns::MAINTENANCE);
        for (error, text) in messages.into_values() {
            let kind = if error { "Error" } else { "status" };
            t.push(vec![shown.clone().into(), "histogram".into(), kind.into(), text.into()]);
        }
        t.send(self.env.vars.collation(Var::character_set_results), out)?;
        self.statement_succeeded()?;
        Ok(Outcome::rows())
    }

    fn named_schema(&self, t: &ast::TableName<'_>) -> SqlResult<String> {
        let schema = t.schema.or(self.env.schema.as_deref());
        Ok(schema.ok_or_else(|| SqlError::new(ErrorCode::NO_DB_ERROR, &[]))?.to_owned())
    }

    fn histograms(&mut self, may: MayKnow<'_>, h: &ast::Histogram<'_>, buckets: u64) -> SqlResult<Messages> {
        let (schema, name) = may.name();
        if self.check_read_only().is_err() {
            return Ok(whole(true, "The server is in read-only mode."));
        }
        self.check_global_read_lock()?;
        let def = match self.env.relation(may) {
            Some(Relation::Table(t)) if t.is_temporary() => {
                return Ok(whole(true, "Cannot create histogram statistics for a temporary table."));
            }
            Some(Relation::Table(t)) => t,
            Some(Relation::View(_)) => {
                return Ok(whole(true, "Cannot create histogram statistics for a view."));
            }
            None => return Ok(whole(true, &format!("Table '{schema}.{name}' doesn't exist"))),
        };
        let mut messages = Messages::new();
        let mut found = Vec::new();
        for c in h.columns {
            match def.column(c).and_then(|i| Some((i, def.columns.get(i)?))).filter(|(_, d)| !d.is_hidden()) {
                Some((i, d)) => found.push((i, d.name.clone(), d.ty.clone())),
                None => {
                    messages.insert((*c).to_owned(), (true, format!("The column '{c}' does not exist.")));
                }
            }
        }
        if h.drop {
            let gone = to_drop(&def, found, &mut messages);
            return self.publish(schema, name, gone).map(|()| messages);
        }
        let wanted = to_make(&def, found, (buckets, h.auto), &mut messages);
        let made = match (h.using_data, wanted.as_slice()) {
            (Some(data), [w]) if h.columns.len() == 1 => match given(data, &w.ty, self.now_utc()) {
                Ok(h) => vec![(w.name.clone(), Some(Arc::new(h)))],
                Err((syntax, text)) => {
                    let column = &w.name;
                    // comes first in the order of the names
                    messages.extend(syntax.map(|s| (String::new(), (true, s))));
                    let failed = format!(
                        "Unable to build histogram statistics for column '{column}' in table '{schema}'.'{name}'"
                    );
                    messages.insert(column.clone(), (true, failed));
                    // next in the order of the names
                    messages.insert(format!("{column}\0"), (true, text));
                    Vec::new()
                }
            },
            (Some(_), []) => Vec::new(),
            (Some(_), _) => {
                return Ok(whole(
                    true,
                    "Only one column can be specified while modifying histogram statistics with JSON data.",
                ));
            }
            (None, []) => Vec::new(),
            (None, _) if def.discarded => {
                let of = format!("{schema}/{name}");
                let e = SqlError::new(ErrorCode::TABLESPACE_DISCARDED, &[&of]);
                return Ok(whole(true, e.message()));
            }
            (None, _) => self.read_histograms(may, &def, &wanted)?,
        };
        for (column, _) in &made {
            messages.insert(column.clone(), (false, format!("Histogram statistics created for column '{column}'.")));
        }
        self.publish(schema, name, made).map(|()| messages)
    }

    fn publish(&mut self, schema: &str, name: &str, list: Vec<(String, Option<Arc<Histogram>>)>) -> SqlResult<()> {
        if list.is_empty() {
            return Ok(());
        }
        // the shared lock is given back first: two of these statements would wait for each other
        self.env.mdl.release_transaction();
        self.with_ddl(b"", |ctx| executor::ddl::histogram::change(ctx, schema, name, list)).0
    }

    /// The statement's clock, as a histogram keeps it.
    fn now_utc(&self) -> DateTime {
        let us = self.env.clock.now_us;
        TimeZone::UTC.from_unix(us.div_euclid(1_000_000), us.rem_euclid(1_000_000) as u32)
    }

    /// Reads the columns and makes their histograms.
    fn read_histograms(
        &mut self,
        may: MayKnow<'_>,
        def: &TableDef,
        wanted: &[Wanted],
    ) -> SqlResult<Vec<(String, Option<Arc<Histogram>>)>> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let quote = views::create::quote;
        let columns: Vec<String> = wanted.iter().map(|w| quote(&w.name)).collect();
        let text = format!("SELECT {} FROM {}.{}", columns.join(","), quote(&def.schema), quote(&def.name));
        let rows = self.env.open_named(may)?.map_or(0, |t| t.row_estimate());
        let memory = self.env.vars.num(Var::histogram_generation_max_mem_size) as f64;
        let row: u64 = wanted.iter().map(|w| room(&w.ty)).sum();
        let rate = (memory / (row as f64 * rows.max(1) as f64)).min(1.0);
        let mut values: Vec<(Vec<OwnedValue>, u64)> = wanted.iter().map(|_| Default::default()).collect();
        let mut chance = Chance(0x9E37_79B9_7F4A_7C15 ^ def.version);
        self.each_row_of(&text, &mut |row| {
            if rate >= 1.0 || chance.next() < rate {
                for ((list, nulls), (v, w)) in values.iter_mut().zip(row.iter().zip(wanted)) {
                    match v.is_null() {
                        true => *nulls += 1,
                        false => list.push(kept(*v, &w.ty)),
                    }
                }
            }
            Ok(true)
        })?;
        let now = self.now_utc();
        let made = wanted.iter().zip(values).filter_map(|(w, (list, nulls))| {
            let c = Circumstances { buckets: w.buckets, sampling_rate: rate, now, auto_update: w.auto };
            let h = Histogram::build(list, nulls, &w.ty, c)?;
            Some((w.name.clone(), Some(Arc::new(h))))
        });
        Ok(made.collect())
    }

    /// Runs a query of this server's own; its rows go to `f`.
    fn each_row_of(&mut self, text: &str, f: &mut dyn FnMut(&[value::Value<'_>]) -> SqlResult<bool>) -> SqlResult<()> {
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(text.as_bytes(), 0, parser::Mode::default());
        let arena = bumpalo::Bump::new();
        let parsed = parser::parse(&arena, text.as_bytes(), &mut lexed)?;
        let plan = self.ready(|s| {
            let resolver = crate::kernel::resolver::SessionResolver(&s.env);
            let plan = planner::plan(&parsed.statement, &planner::Request::plain(text.as_bytes(), &resolver))?;
            Ok(crate::kernel::plans::CachedPlan::new(plan, &s.env))
        })?;
        executor::each_value_row(plan.cleared(&self.env)?, &[], &mut self.env, f).map(drop)
    }

    /// ANALYZE TABLE: makes the histograms with AUTO UPDATE anew.
    pub(crate) fn renew_histograms(&mut self, may: MayKnow<'_>) -> SqlResult<()> {
        let Some(Relation::Table(def)) = self.env.relation(may) else { return Ok(()) };
        if def.is_temporary() || self.check_read_only().is_err() {
            return Ok(());
        }
        let automatic = def.columns.iter().filter_map(|c| {
            let h = c.histogram.as_ref().filter(|h| h.auto_update)?;
            Some(Wanted { name: c.name.clone(), ty: c.ty.clone(), buckets: h.specified, auto: true })
        });
        let automatic: Vec<Wanted> = automatic.collect();
        let made = self.read_histograms(may, &def, &automatic)?;
        self.publish(&def.schema, &def.name, made)
    }
}

/// Position, name and type of a column that a statement names.
type Found = (usize, String, SqlType);

/// DROP HISTOGRAM: which of the columns have one.
fn to_drop(def: &TableDef, found: Vec<Found>, messages: &mut Messages) -> Vec<(String, Option<Arc<Histogram>>)> {
    let mut gone = Vec::new();
    for (i, column, _) in found {
        if def.columns.get(i).is_some_and(|c| c.histogram.is_some()) {
            messages.insert(column.clone(), (false, removed(&column)));
            gone.push((column, None));
        } else {
            let text = format!("No histogram statistics found for column '{column}'.");
            messages.insert(column, (true, text));
        }
    }
    gone
}

/// UPDATE HISTOGRAM: which of the columns can have one. `how`: buckets, AUTO UPDATE.
fn to_make(def: &TableDef, found: Vec<Found>, how: (u64, bool), messages: &mut Messages) -> Vec<Wanted> {
    let (buckets, auto) = how;
    let mut wanted = Vec::new();
    for (i, column, ty) in found {
        if DataType::of(&ty).is_none() {
            let text = format!("The column '{column}' has an unsupported data type.");
            messages.insert(column, (true, text));
        } else if executor::ddl::histogram::covered(def, i) {
            let text = format!("The column '{column}' is covered by a single-part unique index.");
            messages.insert(column, (true, text));
        } else {
            wanted.push(Wanted { name: column, ty, buckets, auto });
        }
    }
    wanted
}

fn whole(error: bool, text: &str) -> Messages {
    Messages::from([(String::new(), (error, text.to_owned()))])
}

fn removed(column: &str) -> String {
    format!("Histogram statistics removed for column '{column}'.")
}

/// Bytes a value takes while a histogram is made, at most.
fn room(ty: &SqlType) -> u64 {
    let own = size_of::<OwnedValue>() as u64;
    match DataType::of(ty) {
        Some(DataType::String) => own + ty.max_bytes().min(4 * value::histogram::STRING_CHARS as u64),
        Some(DataType::Decimal) => own + size_of::<value::Decimal>() as u64,
        _ => own,
    }
}

/// `USING DATA`. The error: what is no JSON text, and what is wrong.
fn given(data: &[u8], ty: &SqlType, now: DateTime) -> Result<Histogram, (Option<String>, String)> {
    let format = || "JSON format error.".to_owned();
    let dom = value::json::parse(data).map_err(|e| {
        let syntax = value::json::convert::parse_error(e, 1, "UPDATE HISTOGRAM");
        (Some(syntax.message().to_owned()), format())
    })?;
    let doc = dom.to_document().map_err(|e| (None, e.message().to_owned()))?;
    let root = value::json::Ref::open(&doc).map_err(|_| (None, format()))?;
    let mut h = Histogram::from_document(root, Some(ty)).map_err(|text| (None, text))?;
    if h.last_updated.is_zero() {
        h.last_updated = now;
    }
    Ok(h)
}

/// Numbers from 0 to 1 (xorshift; the same rows for the same table version).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
