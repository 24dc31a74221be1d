//! The state of one execution: row slots, remembered constants, subqueries, and the session's [`Env`].
//!
//! Operators set slots; expressions read them. A slot owns the bytes of its current row, so an expression's value never
//! borrows from an operator: strings are copied into the arena it is evaluated with.

use std::rc::Rc;
use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::SubqueryUse;
use planner::plan::Plan;
use storage::table::{Row, TableHandle};
use value::context::Warned;
use value::temporal::locale::Locale;
use value::{DateTime, OwnedValue, TypeKind, Value};

use crate::gate::Cleared;
use crate::rows::env::Env;
use crate::rows::slot::{RowState, Saved, Slot, rehome};
use crate::rows::spill::Ticks;
use crate::rows::tuple;

/// Numbers the executions of correlated subqueries: rows kept for one execution must not be used in the next.
#[derive(Default)]
pub struct Round {
    /// Number of the innermost execution that is under way; 0: none.
    pub now: u64,
    last: u64,
}

impl Round {
    /// Begins an execution inside the present one. Returns the present one's number, to be put back at the end.
    pub fn begin(&mut self) -> u64 {
        self.last += 1;
        std::mem::replace(&mut self.now, self.last)
    }
}

/// The rows of a common table expression, for all its references.
pub struct SharedRows {
    /// The rows.
    pub rows: Arc<crate::rows::spill::tuples::Tuples>,
    /// Bytes accounted for.
    pub kept: usize,
    /// They depend on columns of enclosing blocks, so they are kept only until the subquery with the WITH clause is
    /// executed again.
    pub correlated: bool,
}

/// Computes the subqueries of a plan. The operators implement it (evaluation does not know them) and keep their state
/// behind it.
pub trait Subqueries<'e> {
    /// Value of subquery number `id` as the expression uses it.
    ///
    /// # Errors
    /// Those of its expressions; 1242 for more than one row where one is wanted.
    fn value<'a>(&self, id: u16, how: &'a SubqueryUse, cx: &mut Cx<'e>, arena: &'a Bump) -> SqlResult<Value<'a>>;
}

/// What expressions keep from one row of an execution to the next.
#[derive(Default)]
pub struct Memo {
    /// Long lists of IN, by their addresses.
    pub(super) in_sets: hashbrown::HashMap<usize, super::in_set::Known>,
    /// Regular expressions, compiled once.
    pub(super) regexps: super::regexp::Compiled,
    /// Full-text searches.
    pub(super) searches: super::fulltext::Searches,
}

/// State of an execution.
pub struct Cx<'e> {
    /// The plan.
    pub plan: &'e Plan,
    /// Parameters.
    pub params: &'e [OwnedValue],
    /// The session.
    pub env: &'e mut Env,
    /// Row slots.
    pub slots: Vec<Slot>,
    /// Opened base tables, parallel to the plan's.
    pub tables: Vec<TableHandle>,
    /// Values of `Once` expressions.
    pub once: Vec<Option<OwnedValue>>,
    /// Which execution of the enclosing correlated subqueries is under way.
    pub round: Round,
    /// Rows of common table expressions, by their numbers.
    pub shared: hashbrown::HashMap<u32, SharedRows>,
    /// Who computes subqueries; `None`: the plan has none.
    pub subqueries: Option<Rc<dyn Subqueries<'e> + 'e>>,
    /// Bytes kept by sorts, joins, groups.
    pub memory: usize,
    /// Limit of `memory`.
    pub memory_limit: usize,
    /// Rows since the last look at the kill flag.
    pub ticks: Ticks,
    /// The select list of the statement's result is being computed. SLEEP() and BENCHMARK() that are interrupted there
    /// give a value, and the statement ends when the next row is read.
    pub sending: bool,
    /// SQL_CALC_FOUND_ROWS: all rows of the result are wanted, whatever LIMIT says.
    pub counting: bool,
    /// UPDATE of one table: under READ COMMITTED and below its scan does not wait for a locked row whose committed
    /// version does not satisfy the condition (semi-consistent read).
    pub semi_consistent: bool,
    /// What expressions remember from row to row.
    pub memo: Memo,
    /// Comparisons, by the addresses of their operands, whose constant has already given its warning: it warns once.
    pub warned: hashbrown::HashSet<usize>,
    /// The locale of `lc_time_names`, once it has been looked up.
    pub locale: std::cell::OnceCell<Option<&'static Locale>>,
    /// Warnings that converting the constants of ranges gave, and whether a condition has given the same again: those
    /// are left out.
    pub foretold: Vec<(String, bool)>,
    /// The plan's constants have been read ([`crate::ops::early_constants`]).
    pub constants_read: bool,
    /// Texts in lists of IN that are no dates and have given their warning.
    pub listed: Vec<Box<[u8]>>,
    /// How many rows each GROUP_CONCAT (by its address) has taken so far: warnings name the row.
    pub concatenated: smallvec::SmallVec<[(usize, u64); 2]>,
    /// Columns that NULL was put into, with warning 1048: INSERT and REPLACE give it once for a statement and column,
    /// other changes (`None`) for each row.
    pub told_nulls: Option<smallvec::SmallVec<[usize; 4]>>,
    /// What is changed in JSON columns of the row at hand, where the binary log wants it.
    pub json_changes: crate::eval::json::changes::JsonChanges,
}

/// Stands among the addresses of [`Cx::warned`] once the warning about sorting JSON arrays and objects was given.
const SORTED_JSON: usize = 1;

impl<'e> Cx<'e> {
    /// Warning 1235, once a statement: arrays and objects have no order that means anything (manual, "The JSON Data Type": Comparison and
    /// Ordering of JSON Values).
    pub fn sorts(&mut self, v: Value<'_>) {
        if let Value::Json(d) = v
            && !value::json::Ref::trusted(d).is_scalar()
            && self.warned.insert(SORTED_JSON)
        {
            let e = SqlError::unsupported("sorting of non-scalar JSON values");
            self.env.conv.push(value::Level::Warning, e);
        }
    }

    /// State for one execution of `plan` on opened tables.
    pub fn new(cleared: Cleared<'e>, params: &'e [OwnedValue], tables: Vec<TableHandle>, env: &'e mut Env) -> Cx<'e> {
        let plan = cleared.plan();
        let slots = plan.slots.iter().map(|s| Slot::new(s, &tables)).collect();
        let memory_limit = env.vars.num(catalog::sysvar::Var::max_heap_table_size).max(256 << 20) as usize;
        Cx {
            plan,
            params,
            env,
            slots,
            tables,
            once: if plan.once == 0 { Vec::new() } else { vec![None; plan.once as usize] },
            round: Round::default(),
            shared: hashbrown::HashMap::new(),
            subqueries: None,
            memory: 0,
            memory_limit,
            ticks: Ticks::default(),
            sending: false,
            semi_consistent: false,
            counting: false,
            memo: Memo::default(),
            warned: hashbrown::HashSet::new(),
            locale: std::cell::OnceCell::new(),
            foretold: Vec::new(),
            constants_read: false,
            listed: Vec::new(),
            concatenated: smallvec::SmallVec::new(),
            json_changes: Default::default(),
            told_nulls: None,
        }
    }

    /// Conversions for a scan's ranges, or for a list of IN, have warned since `before`: MySQL converts the constant of
    /// a comparison once, so what the ranges of an earlier opening said is not said again.
    #[cold]
    pub fn foretell_once(&mut self, before: Warned) {
        let new = self.env.conv.warnings.get(before.shown()..).unwrap_or(&[]);
        if !new.is_empty() && new.iter().all(|w| self.foretold.iter().any(|f| f.0 == w.message)) {
            // the scan was opened before
            self.env.conv.forget_since(before);
            return;
        }
        self.foretell(before);
    }

    /// Keeps the warnings given since `before`: later conversions do not repeat them.
    pub fn foretell(&mut self, before: Warned) {
        let new = self.env.conv.warnings.get(before.shown()..).unwrap_or(&[]);
        self.foretold.extend(new.iter().map(|w| (w.message.clone(), false)));
    }

    /// Begins an execution ([`Round::begin`]) of a query that has these common table expressions inside.
    pub fn begin_round(&mut self, inside: planner::plan::Ctes) -> u64 {
        if inside.0 < inside.1 && !self.shared.is_empty() {
            let memory = &mut self.memory;
            self.shared.retain(|id, s| {
                let stays = !s.correlated || *id < inside.0 || *id >= inside.1;
                if !stays {
                    *memory = memory.saturating_sub(s.kept);
                }
                stays
            });
        }
        self.round.begin()
    }

    /// Accounts for `bytes` kept; error 3170-like when the statement keeps too much.
    pub fn keep(&mut self, bytes: usize) -> SqlResult<()> {
        self.memory += bytes;
        if self.memory > self.memory_limit {
            return Err(SqlError::new(
                ErrorCode::CAPACITY_EXCEEDED,
                &[&self.memory_limit, &"statement", &"Keeping these rows on disk is not supported yet."],
            ));
        }
        Ok(())
    }

    /// Bytes an operator may keep in memory under one of the variables that say so, before it uses a temporary file.
    pub fn spill_limit(&self, var: catalog::sysvar::Var) -> usize {
        usize::try_from(self.env.vars.num(var)).unwrap_or(usize::MAX).min(self.memory_limit / 2)
    }

    /// Bytes that an internal temporary table may hold in memory, which holds `kept` already: `tmp_table_size`, or less
    /// if the statement keeps much elsewhere.
    #[inline]
    pub fn table_limit(&self, kept: usize) -> usize {
        let left = self.memory_limit.saturating_sub(self.memory) / 4;
        self.spill_limit(catalog::sysvar::Var::tmp_table_size).min(left + kept)
    }

    /// To be called once per row: looks now and then whether the statement was killed or holds too much memory.
    #[inline]
    pub fn tick(&mut self) -> SqlResult<()> {
        self.ticks.next(self.env)
    }

    /// Error 1317 if the statement was killed, 3024 if its time (`max_execution_time`) is over.
    #[cold]
    pub fn check_killed(&mut self) -> SqlResult<()> {
        self.env.check_killed()?;
        sched::check_interrupt()
    }

    /// Calls `f` for a row of what is read for the select list that is being computed, or below it.
    #[inline]
    pub fn reading<T>(&mut self, f: impl FnOnce(&mut Self) -> SqlResult<T>) -> SqlResult<T> {
        let sending = std::mem::replace(&mut self.sending, false);
        let r = f(self);
        self.sending = sending;
        r
    }

    /// Whether a function that is interrupted (KILL QUERY, `max_execution_time`) gives a value instead of an error.
    pub fn forgives(&self) -> bool {
        let statement = |k: sched::Kill| matches!(k, sched::Kill::Timeout | sched::Kill::Query);
        self.sending
            && self.env.client.connection.killed() != catalog::connections::Kill::Connection
            && sched::killed().is_none_or(statement)
    }

    /// A slot.
    #[inline]
    pub fn slot(&mut self, i: u16) -> SqlResult<&mut Slot> {
        self.slots.get_mut(i as usize).ok_or_else(|| SqlError::unsupported("row slot"))
    }

    /// Value of a column of a slot's current row.
    #[inline]
    pub fn column<'a>(&self, slot: u16, column: u16, arena: &'a Bump) -> SqlResult<Value<'a>> {
        let Some(s) = self.slots.get(slot as usize) else { return Err(SqlError::unsupported("row slot")) };
        let column = column as usize;
        match s.state {
            RowState::Empty | RowState::Null => Ok(Value::Null),
            RowState::Tuple => rehome(tuple::get(&s.row, s.columns, column, arena), arena),
            RowState::Table | RowState::Covered => Ok(match s.stored_column(column, arena)? {
                Value::DateTime(d) if s.is_timestamp(column) => {
                    Value::DateTime(self.env.conv.time_zone.utc_to_local(d))
                }
                v => v,
            }),
        }
    }

    /// The moment (UTC) that a TIMESTAMP column of a table's row holds; in the hour that is repeated in autumn the
    /// local time does not say which of two moments it is. `None`: it is NULL, or the row is not a table's.
    pub fn moment(&self, slot: u16, column: u16, arena: &Bump) -> SqlResult<Option<DateTime>> {
        let column = column as usize;
        let Some(s) = self.slots.get(slot as usize) else { return Err(SqlError::unsupported("row slot")) };
        if !matches!(s.state, RowState::Table | RowState::Covered) || !s.is_timestamp(column) {
            return Ok(None);
        }
        Ok(match s.stored_column(column, arena)? {
            Value::DateTime(d) => Some(d),
            _ => None,
        })
    }

    /// A column's value for a change that may store it again: a TIMESTAMP stays the same moment
    /// ([`DateTime::later`]).
    pub fn kept<'a>(&self, slot: u16, column: u16, arena: &'a Bump) -> SqlResult<Value<'a>> {
        match self.moment(slot, column, arena)? {
            Some(utc) => Ok(Value::DateTime(self.env.conv.time_zone.utc_to_stored(utc))),
            None => self.column(slot, column, arena),
        }
    }

    /// Value of a column of a cursor's row, TIMESTAMP in the session's zone.
    #[inline]
    pub fn row_column<'a>(&self, r: &Row<'a>, column: usize, arena: &'a Bump) -> SqlResult<Value<'a>> {
        let v = r.column(column, arena)?;
        Ok(match v {
            Value::DateTime(d)
                if r.table().def.columns.get(column).is_some_and(|c| c.ty.kind == TypeKind::Timestamp) =>
            {
                Value::DateTime(self.env.conv.time_zone.utc_to_local(d))
            }
            v => v,
        })
    }

    /// Keeps the current row of a slot.
    pub fn save(&self, slot: u16) -> Saved {
        self.slots.get(slot as usize).map_or_else(Saved::empty, Slot::save)
    }

    /// Brings a kept row back.
    pub fn restore(&mut self, slot: u16, r: &Saved) {
        if let Some(s) = self.slots.get_mut(slot as usize) {
            s.restore(r);
        }
    }
}
