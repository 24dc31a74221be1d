//! Plans: what the executor runs. Owned, shareable, without any state of an execution.
//!
//! Rows are never passed from operator to operator: every table or intermediate result has a *slot* in the executor's row
//! context, an operator's `next` moves its slots to the next row, and expressions read columns of slots. Operators that
//! keep rows (sort, aggregate, derived tables) write the values they are asked for into tuples of a slot of their own.

mod changes;
mod dives;
mod early;
mod uses;

use std::sync::Arc;

use catalog::client::ResultMeta;
use value::SqlType;

pub use changes::*;
pub use dives::*;
pub use early::*;
pub use uses::*;

use crate::expr::{AggCall, Expr, SlotId};

/// A planned statement.
#[derive(Debug)]
pub struct Plan {
    /// What to do.
    pub body: Body,
    /// Base tables in the order of first use; nodes refer to them by index.
    pub tables: Vec<TableUse>,
    /// Views read, each once per use.
    pub views: Vec<ViewUse>,
    /// Computed tables whose rows need SELECT.
    pub virtuals: Vec<VirtualUse>,
    /// Stored functions that its expressions call, by their numbers.
    pub functions: Vec<FunctionUse>,
    /// Row slots.
    pub slots: Vec<SlotDef>,
    /// Slots whose row INSERT or UPDATE is still building while expressions of the table (generated columns, CHECK)
    /// are evaluated on it, with the names of the columns: errors name them.
    pub built: Vec<(SlotId, Box<[Box<str>]>)>,
    /// Subqueries used in expressions.
    pub subqueries: Vec<SubPlan>,
    /// Full-text searches.
    pub matches: Vec<Match>,
    /// Number of [`crate::expr::ExprKind::Once`] places.
    pub once: u32,
    /// Number of parameters (lifted literals and `?`).
    pub params: u32,
    /// Result set columns; empty for statements without one.
    pub columns: Arc<ResultMeta>,
    /// Types of the result columns.
    pub column_types: Vec<SqlType>,
    /// SQL_CALC_FOUND_ROWS.
    pub calc_found_rows: bool,
    /// How scans read that have no lock of their own ([`LockMode::None`]).
    pub reads: Reads,
    /// Ranges of constants whose number of rows decided something: counted before an execution ([`Dive`]).
    pub dives: Vec<Dive>,
    /// What of the session the plan was made for; compared by the plan cache besides the statement's hash.
    pub notes: Notes,
}

impl Plan {
    /// Whether a change has IGNORE; `None` for a query.
    pub fn ignores(&self) -> Option<bool> {
        match &self.body {
            Body::Insert(i) => Some(i.ignore),
            Body::Update(u) => Some(u.ignore),
            Body::Delete(d) => Some(d.ignore),
            Body::Select(_) => None,
        }
    }
}

/// A function of a schema that a statement calls: whoever asks, or the definer of the view on the way, needs EXECUTE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutineUse {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// The view whose text calls it.
    pub via: Option<Arc<Via>>,
}

/// Facts about a plan that the session wants to know without looking into the tree.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Reads only, takes no row locks: may run as a consistent read.
    pub read_only: bool,
    /// Literals that decided the plan's shape or its metadata, as (ordinal, text), ordered by ordinal: the plan fits
    /// only a statement that has the same text there. Example: the 2 in `ORDER BY 2` ([`Notes::pin`]).
    pub pinned: Vec<(u32, Box<[u8]>)>,
    /// DECIMAL literals that became parameters, as (ordinal, digits behind the point). The types of expressions follow
    /// from the digits (`1.50 * 2` has two), so a plan fits only literals with as many.
    pub scales: Vec<(u32, u8)>,
    /// Its parameters are variables of a program, not literals or what a client sends.
    pub of_program: bool,
    /// Must be planned anew each time.
    pub uncacheable: bool,
    /// Warnings raised while planning (for example 1739), repeated on every execution.
    pub warnings: Vec<value::Warning>,
    /// MAX_EXECUTION_TIME hint, milliseconds; 0 = no limit.
    pub max_execution_time: Option<u64>,
    /// Functions of schemas that it calls.
    pub routines: Vec<RoutineUse>,
    /// Calls a function whose value another server would not repeat (`session_track_transaction_info`).
    pub unsafe_statement: bool,
    /// What the binary log asks.
    pub logging: Logging,
    /// SET_VAR hints: variables and values.
    pub set_vars: Vec<(String, String)>,
    /// How often it reads grant tables without saying how to lock them.
    pub grant_tables: u32,
    /// Some table is scanned without a usable index.
    pub no_index_used: bool,
    /// Types that each `?` gets from its surroundings when the plan is made before any value is known: in `id = ?` the
    /// column's type. The type of NULL where nothing decides.
    pub derived: Vec<SqlType>,
    /// The `?` whose values MySQL reads before it reads any row, so that a wrong one is an error even for an empty
    /// table: those compared with a column in a condition, and conditions that are nothing but a `?`.
    pub early: Vec<u32>,
    /// The `?` that count rows of a window frame (`ROWS ? PRECEDING`): they take integers only.
    pub counts: Vec<u32>,
    /// The `?` that are assigned to columns (`INSERT INTO t VALUES (?)`), with the column's type: the value is stored
    /// as it is sent, without a detour by a derived type.
    pub assigned: Vec<(u32, SqlType)>,
    /// Constants that are evaluated before any row is read, in the order of the statement's text.
    pub constants: Vec<EarlyConstant>,
}

impl Notes {
    /// Adds a literal to those that must agree, if it is not there.
    pub fn pin(&mut self, ordinal: u32, text: &[u8]) {
        if let Err(at) = self.pinned.binary_search_by_key(&ordinal, |p| p.0) {
            self.pinned.insert(at, (ordinal, text.into()));
        }
    }

    /// Whether the plan is for a statement of the same shape whose literals have these texts.
    pub fn fits<'s>(&self, text: impl Fn(u32) -> &'s [u8]) -> bool {
        self.pinned.iter().all(|(n, t)| text(*n) == &**t)
            && self.scales.iter().all(|(n, s)| scale_of(text(*n)) == usize::from(*s))
    }

    /// Whether it is for the same literals as another one.
    pub fn fit_the_same(&self, other: &Notes) -> bool {
        self.pinned == other.pinned && self.scales == other.scales
    }
}

/// Digits behind the point of a DECIMAL literal.
fn scale_of(text: &[u8]) -> usize {
    text.iter().rev().position(|b| *b == b'.').unwrap_or(0)
}

/// A MATCH ... AGAINST of a statement: which table, index and words.
#[derive(Clone, Debug)]
pub struct Match {
    /// Index into [`Plan::tables`].
    pub table: u16,
    /// Its row slot.
    pub slot: SlotId,
    /// The FULLTEXT index (position in the definition's list).
    pub index: u16,
    /// Query language.
    pub language: value::fulltext::Language,
    /// WITH QUERY EXPANSION.
    pub expansion: bool,
    /// What is searched for.
    pub text: Option<Expr>,
    /// The index alone can answer: the statement uses no column of the table except in this one MATCH (as in
    /// `SELECT COUNT(*) FROM t WHERE MATCH (c) AGAINST ('x')`).
    pub alone: bool,
}

/// What a slot holds.
#[derive(Clone, Debug)]
pub enum SlotDef {
    /// Row of a base table (index into [`Plan::tables`]).
    Table(u16),
    /// Tuple of values of these types.
    Tuple(Vec<SqlType>),
}

/// Kinds of statements with plans.
#[derive(Debug)]
pub enum Body {
    /// SELECT (also TABLE, VALUES, unions).
    Select(Box<QueryPlan>),
    /// INSERT, REPLACE.
    Insert(Box<InsertPlan>),
    /// UPDATE.
    Update(Box<UpdatePlan>),
    /// DELETE.
    Delete(Box<DeletePlan>),
}

/// A query: an operator tree and what to output for each of its rows.
#[derive(Debug)]
pub struct QueryPlan {
    /// Operators.
    pub root: Node,
    /// Output columns, evaluated for each row of `root`.
    pub items: Vec<Expr>,
    /// SELECT ... INTO @variables: their names.
    pub into_vars: Vec<Box<str>>,
    /// When not empty: output column i is plain column `direct[i]` of the single scan's slot, so that rows can go from
    /// their bytes to the wire without evaluation.
    pub direct: Vec<u16>,
    /// Estimated rows.
    pub rows: f64,
    /// Estimated cost.
    pub cost: f64,
}

/// A subquery in an expression.
#[derive(Debug)]
pub struct SubPlan {
    /// The query.
    pub query: QueryPlan,
    /// Whether it reads slots of enclosing blocks.
    pub correlated: bool,
    /// Whether it calls what gives another value each time.
    pub volatile: bool,
    /// EXPLAIN's select number.
    pub select_id: u32,
    /// Columns it reads, those of enclosing blocks included.
    pub refs: Vec<(SlotId, u16)>,
    /// Common table expressions inside it.
    pub inside: Ctes,
    /// The same as lookups in rows computed once.
    pub keyed: Option<Box<Keyed>>,
    /// IN: the same as a lookup of one value.
    pub probe: Option<Box<Probe>>,
}

impl SubPlan {
    /// Whether it is evaluated for each row; otherwise its result is computed once per execution.
    pub fn repeated(&self) -> bool {
        self.correlated || self.volatile
    }
}

/// `a IN (SELECT b ...)` as the query `SELECT ... WHERE b = <a's value>`: the value is put into `slot`, and IN is true
/// if the query has a row. Only for items that are never NULL.
#[derive(Debug)]
pub struct Probe {
    /// The query; what its items are does not matter.
    pub query: QueryPlan,
    /// Slot that the values are put into.
    pub slot: SlotId,
    /// Common table expressions inside it.
    pub inside: Ctes,
}

/// A correlated scalar subquery, computed once for all keys: `(SELECT SUM(x) FROM o WHERE o.c = t.id)` becomes
/// `SELECT SUM(x), o.c FROM o GROUP BY o.c`, whose rows are looked up by `t.id`.
#[derive(Debug)]
pub struct Keyed {
    /// Items: the subquery's value, then its keys. Its root is an aggregation into [`Keyed::slot`].
    pub query: QueryPlan,
    /// Keys of the rows outside.
    pub keys: Vec<KeyedPart>,
    /// Slot that the value reads.
    pub slot: SlotId,
    /// The subquery's value where the grouped query has no row of the key: COUNT is 0 there, SUM is NULL.
    pub empty: Vec<value::OwnedValue>,
}

/// A key of [`Keyed`].
#[derive(Debug)]
pub struct KeyedPart {
    /// Its value outside.
    pub outer: Expr,
    /// How it is compared (left: outside).
    pub cmp: value::compare::Comparator,
}

/// Row lock of a scan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LockMode {
    /// Consistent read.
    #[default]
    None,
    /// FOR SHARE / LOCK IN SHARE MODE.
    Share,
    /// FOR UPDATE, UPDATE, DELETE.
    Update,
}

/// How a statement reads the tables that it does not change and that no locking clause names (manual, "Locks Set by Different SQL
/// Statements in InnoDB"): what is written from what was read must be of now, and stay so until the commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reads {
    /// SELECT, and CREATE TABLE ... SELECT, whose snapshot is its own: what the snapshot sees.
    #[default]
    Consistent,
    /// INSERT ... SELECT, REPLACE ... SELECT and UPDATE of one table: like `Locked`; under READ COMMITTED and READ
    /// UNCOMMITTED like `Consistent`.
    Source,
    /// All other changes, SET and DO: newest rows under shared locks.
    Locked,
}

/// What to do when a row is locked by another transaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum LockWait {
    #[default]
    Wait,
    NoWait,
    SkipLocked,
}

/// Condition on one index part within a range alternative.
#[derive(Clone, Debug)]
pub enum PartCond {
    /// Equal to a value known before the scan opens. `null_safe`: NULL matches NULL (`<=>`, IS NULL).
    Eq {
        /// Value.
        value: Expr,
        /// NULL matches NULL.
        null_safe: bool,
    },
    /// Any of these values.
    In(Vec<Expr>),
    /// Between bounds; only as the last condition.
    Range {
        /// Lower bound and whether it is included.
        low: Option<(Expr, bool)>,
        /// Upper bound and whether it is included.
        high: Option<(Expr, bool)>,
    },
    /// No condition on this part: a skip scan reads the ranges of the parts behind it once for each value that the
    /// index has here (manual, "Skip Scan Range Access Method").
    Any,
    /// Not NULL (`IS NOT NULL`); only as the last condition.
    NotNull,
    /// None of these values, and not NULL (`<>`, NOT IN): the ranges below, between and above them are read; only as
    /// the last condition.
    NotIn(Vec<Expr>),
    /// Starts like the fixed beginning of a LIKE pattern; only as the last condition.
    Like {
        /// Pattern.
        pattern: Expr,
        /// Escape character; 0 = none.
        escape: u32,
    },
}

impl Access {
    /// For a skip scan: how many leading index parts have each of their values visited. `None`: it is no skip scan.
    pub fn skipped(&self) -> Option<usize> {
        let Access::Ranges(list) = self else { return None };
        let [conds] = list.as_slice() else { return None };
        Some(conds.iter().rposition(|c| matches!(c, PartCond::Any))? + 1)
    }
}

/// How a base table is read.
#[derive(Clone, Debug)]
pub enum Access {
    /// The whole index.
    Full,
    /// At most one row: every part of a unique index, none NULL.
    Point(Vec<Expr>),
    /// Union of key ranges, each a conjunction over a prefix of the index parts. The executor sorts and merges them.
    Ranges(Vec<Vec<PartCond>>),
    /// Index merge: each of several indexes gives the clustered keys of its ranges. The keys are sorted; those that any
    /// index gave (union) or that every index gave (intersection, `all`) are read from the clustered index, where all
    /// conditions are checked.
    Merge {
        /// Indexes and their ranges ([`Access::Ranges`] or [`Access::Point`]).
        parts: Vec<(u16, Access)>,
        /// Intersection.
        all: bool,
    },
}

/// Access to a base table.
#[derive(Clone, Debug)]
pub struct Scan {
    /// Row slot.
    pub slot: SlotId,
    /// Index into [`Plan::tables`].
    pub table: u16,
    /// Index of the table read (0 = clustered).
    pub index: u16,
    /// Access path.
    pub access: Access,
    /// The access depends on slots of tables before this one in a join (MySQL's ref / eq_ref).
    pub dependent: bool,
    /// Index entries hold all needed columns.
    pub covering: bool,
    /// Backwards.
    pub reverse: bool,
    /// Columns needed, ascending.
    pub columns: Vec<u16>,
    /// Condition checked on each row (all of the table's conjuncts that the access does not guarantee).
    pub filter: Option<Expr>,
    /// Index condition pushdown: the part of the condition that reads columns of the index only. It is checked on the
    /// index entry, before the clustered row is looked up.
    pub pushed: Option<Expr>,
    /// Index condition pushdown applies (EXPLAIN says so where the ranges themselves are such a condition).
    pub icp: bool,
    /// Row lock.
    pub lock: LockMode,
    /// Behaviour at locked rows.
    pub wait: LockWait,
    /// Name shown by EXPLAIN.
    pub alias: Box<str>,
    /// Estimated rows read per opening.
    pub rows: f64,
    /// Estimated cost of one opening.
    pub cost: f64,
    /// Estimated share of them that passes the filter, 0..=1.
    pub selectivity: f64,
    /// Names of indexes that were usable (EXPLAIN's possible_keys).
    pub possible: Vec<u16>,
    /// Loose index scan: the number of leading index parts of which each combination of values is read once, by its
    /// first row; 0 = all rows are read.
    pub loose: u16,
    /// The order of the index is needed: it replaces a sort for ORDER BY or GROUP BY.
    pub ordered: bool,
}

/// Kind of a join.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum JoinKind {
    Inner,
    /// All left rows; right slots become NULL rows without a match.
    Left,
    /// Left rows with a match.
    Semi,
    /// Left rows without a match.
    Anti,
}

/// A sort key.
#[derive(Clone, Debug)]
pub struct SortKey {
    /// Value.
    pub expr: Expr,
    /// DESC.
    pub desc: bool,
}

/// JSON_TABLE: rows of `slot` from a document.
#[derive(Debug)]
pub struct JsonTable {
    /// Slot, a tuple of all columns.
    pub slot: SlotId,
    /// The document; may read slots of tables to the left.
    pub doc: Expr,
    /// The row path and its columns.
    pub root: JsonLevel,
    /// Names and types of all columns.
    pub columns: Vec<(String, value::SqlType)>,
    /// EXPLAIN's name.
    pub alias: Box<str>,
}

/// A path of JSON_TABLE, the columns that are read at what it finds, and the paths nested in it.
#[derive(Debug)]
pub struct JsonLevel {
    /// Path, from the value that the outer level found.
    pub path: value::json::Path,
    /// Column numbers and what they hold.
    pub cells: Vec<(u16, JsonCell)>,
    /// NESTED PATH.
    pub nested: Vec<JsonLevel>,
}

/// A column of JSON_TABLE.
#[derive(Debug)]
pub enum JsonCell {
    /// FOR ORDINALITY.
    Ordinality,
    /// EXISTS PATH.
    Exists(value::json::Path),
    /// PATH with ON EMPTY and ON ERROR.
    Value(value::json::Path, JsonDefault, JsonDefault),
}

/// What a column of JSON_TABLE gets where there is no value, or a bad one.
#[derive(Debug)]
pub enum JsonDefault {
    /// NULL.
    Null,
    /// An error.
    Error,
    /// A document.
    Value(Box<[u8]>),
}

/// How long the rows of a derived table are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// They read nothing outside: for the whole execution.
    Statement,
    /// They read columns of enclosing blocks: until the subquery around them is executed again.
    Subquery,
    /// LATERAL: they are computed whenever they are asked for.
    Never,
}

/// Numbers of common table expressions: from the first to before the second.
pub type Ctes = (u32, u32);

/// The common table expression that a derived table refers to. Each reference has a plan of its own; the reference that
/// is opened first computes the rows for all.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Its number in the statement.
    pub id: u32,
    /// Its name.
    pub name: Box<str>,
}

/// An operator.
#[derive(Debug)]
pub enum Node {
    /// One row without columns.
    Dual,
    /// No row (impossible WHERE).
    Empty,
    /// Base table.
    Scan(Box<Scan>),
    /// Rows of an information_schema or performance_schema table.
    Virtual {
        /// Slot, a tuple of all columns.
        slot: SlotId,
        /// The table.
        table: Arc<dyn crate::resolve::VirtualTable>,
        /// Equality conditions column = value the table may use to produce fewer rows (they are checked again).
        hints: Vec<(u16, Expr)>,
        /// Columns that the query reads, ascending: the table need not know the values of others.
        columns: Box<[u16]>,
        /// Condition.
        filter: Option<Expr>,
        /// EXPLAIN's name.
        alias: Box<str>,
    },
    /// A derived table, view or CTE: rows of `query` become tuples of `slot`.
    Derived {
        /// Slot.
        slot: SlotId,
        /// Query.
        query: Box<QueryPlan>,
        /// Condition on the slot's columns.
        filter: Option<Expr>,
        /// How long its rows are kept.
        keep: Keep,
        /// A reference of a common table expression, all of whose references read the same rows.
        shared: Option<Box<Shared>>,
        /// LATERAL: common table expressions inside, whose rows are forgotten when this is computed again.
        inside: Ctes,
        /// EXPLAIN's name.
        alias: Box<str>,
    },
    /// JSON_TABLE.
    JsonTable(Box<JsonTable>),
    /// MIN and MAX by index: the first row of each of these scans of one table, all into the same slot. For
    /// `SELECT MIN(a), MAX(a)` one scan reads forwards and one backwards.
    Ends(Vec<Node>),
    /// VALUES ROW(...), ...
    Values {
        /// Slot.
        slot: SlotId,
        /// Rows.
        rows: Vec<Vec<Expr>>,
    },
    /// Rows of `input` for which `cond` is true.
    Filter {
        /// Input.
        input: Box<Node>,
        /// Condition.
        cond: Expr,
        /// The condition reads no row (`WHERE @x > 3`): it is evaluated once, before `input` is opened.
        once: bool,
    },
    /// Nested loop: `inner` is opened anew for every row of `outer`.
    NestedLoop {
        /// Kind.
        kind: JoinKind,
        /// Left side.
        outer: Box<Node>,
        /// Right side.
        inner: Box<Node>,
        /// ON condition not pushed into `inner`.
        on: Option<Expr>,
        /// Slots of `inner`, set to NULL rows by outer joins.
        inner_slots: Vec<SlotId>,
    },
    /// Hash join: `inner` is read once into a hash table.
    HashJoin {
        /// Kind.
        kind: JoinKind,
        /// Probe side.
        outer: Box<Node>,
        /// Build side.
        inner: Box<Node>,
        /// Equal keys: (outer expression, inner expression, how they compare).
        keys: Vec<(Expr, Expr, value::compare::Comparator)>,
        /// Condition besides the keys.
        on: Option<Expr>,
        /// Slots of `inner`.
        inner_slots: Vec<SlotId>,
    },
    /// Grouping and aggregation into tuples (group values, aggregates, carried values) of `slot`.
    Aggregate {
        /// Input.
        input: Box<Node>,
        /// Output slot.
        slot: SlotId,
        /// GROUP BY; empty = one row for all.
        group: Vec<Expr>,
        /// Aggregates.
        aggs: Vec<AggCall>,
        /// Expressions evaluated on the group's first row: columns that GROUP BY does not name.
        carry: Vec<Expr>,
        /// Input comes ordered by the group expressions: no hash table.
        streaming: bool,
        /// WITH ROLLUP.
        rollup: bool,
    },
    /// Sort. Output tuples are `payload`, or the input's rows (`rows`).
    Sort {
        /// Input.
        input: Box<Node>,
        /// Output slot.
        slot: SlotId,
        /// Values kept.
        payload: Vec<Expr>,
        /// Keys. Empty: nothing is sorted, the rows are only stored, as MySQL stores them in a temporary table.
        keys: Vec<SortKey>,
        /// Rows needed at most (LIMIT + OFFSET), for top-N.
        limit: Option<Box<(Option<Expr>, Expr)>>,
        /// The keys read the input's slots, not this one: rows beyond the LIMIT are dropped before their payload is
        /// computed.
        early: bool,
        /// Not empty: whole rows are sorted instead of a payload, and these slots of the input get them back in the new
        /// order. So the select list is evaluated after the sort (`@n := @n + 1` numbers sorted rows).
        rows: Vec<SlotId>,
    },
    /// First row of each set of rows equal in `exprs`.
    Distinct {
        /// Input.
        input: Box<Node>,
        /// Compared values.
        exprs: Vec<Expr>,
        /// Equal rows come one after the other.
        streaming: bool,
    },
    /// Rows of a semijoin without their duplicates.
    Unique {
        /// Input.
        input: Box<Node>,
        /// What is a duplicate.
        by: Unique,
        /// Estimated rows that are left.
        rows: f64,
    },
    /// OFFSET, LIMIT.
    Limit {
        /// Input.
        input: Box<Node>,
        /// OFFSET.
        offset: Option<Expr>,
        /// LIMIT.
        count: Expr,
    },
    /// Window functions over one partitioning and ordering, into tuples of `slot`.
    Window {
        /// Input.
        input: Box<Node>,
        /// Output slot.
        slot: SlotId,
        /// What is kept, sorted and computed.
        plan: Box<crate::window::WindowPlan>,
    },
    /// WITH RECURSIVE: all rows of the table, as tuples of `slot`.
    Recursive {
        /// Output slot.
        slot: SlotId,
        /// Members.
        plan: Box<RecursivePlan>,
    },
    /// Inside a recursive member: the rows of the round before.
    Working {
        /// Output slot.
        slot: SlotId,
        /// [`RecursivePlan::id`].
        id: u16,
    },
    /// UNION / INTERSECT / EXCEPT into tuples of `slot`.
    SetOp {
        /// Output slot.
        slot: SlotId,
        /// First query, then (operation, query).
        first: Box<QueryPlan>,
        /// Further queries.
        rest: Vec<(SetOpKind, QueryPlan)>,
    },
}

/// What makes two rows duplicates, where a semijoin reads the subquery's tables before tables outside it (and so may
/// find an outer row more than once).
#[derive(Debug)]
pub enum Unique {
    /// MaterializeScan: one row for each combination of these values without NULL.
    Values {
        /// Columns of the subquery.
        keys: Vec<Expr>,
        /// Number of its SELECT.
        select: u32,
    },
    /// LooseScan: the same where equal rows come one after the other.
    Runs(Vec<Expr>),
    /// DuplicateWeedout: one row for each combination of rows of base tables.
    Rows {
        /// Their slots.
        slots: Vec<SlotId>,
        /// Slots of the subquery's tables.
        inner: Vec<SlotId>,
    },
}

/// A recursive common table expression.
#[derive(Debug)]
pub struct RecursivePlan {
    /// Number in the statement.
    pub id: u16,
    /// Columns: name (for messages) and type, which the first members give.
    pub columns: Vec<(Box<str>, SqlType)>,
    /// The members that do not name the table.
    pub seed: QueryPlan,
    /// Those that do.
    pub members: Vec<QueryPlan>,
    /// UNION DISTINCT: a row that is there already is dropped.
    pub distinct: bool,
    /// OFFSET and LIMIT: no more rounds than they need.
    pub limit: Option<Box<(Option<Expr>, Expr)>>,
}

/// Set operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum SetOpKind {
    UnionAll,
    UnionDistinct,
    Intersect,
    IntersectAll,
    Except,
    ExceptAll,
}
