//! Scopes: which tables and columns a name may mean.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use value::SqlType;

use super::Binder;
use crate::block::Origin;
use crate::expr::{AggCall, Coercibility, Expr, ExprKind, SlotId};
use crate::plan::SlotDef;

/// Clause being bound, for messages and rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clause {
    Fields,
    Where,
    On,
    Group,
    Having,
    Order,
    WindowPartition,
    WindowOrder,
}

impl Clause {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Clause::Fields => "field list",
            Clause::Where => "where clause",
            Clause::On => "on clause",
            Clause::Group => "group statement",
            Clause::Having => "having clause",
            Clause::Order => "order clause",
            Clause::WindowPartition => "window partition by",
            Clause::WindowOrder => "window order by",
        }
    }
}

/// A column of a table in scope.
#[derive(Clone, Debug)]
pub(crate) struct ScopeColumn {
    pub(crate) name: String,
    pub(crate) ty: SqlType,
    pub(crate) invisible: bool,
    pub(crate) coer: Coercibility,
    pub(crate) origin: Option<Origin>,
}

/// A table in scope.
#[derive(Clone, Debug)]
pub(crate) struct ScopeTable {
    pub(crate) schema: Option<String>,
    pub(crate) alias: String,
    /// The alias was written (the table does not go by its own name).
    pub(crate) aliased: bool,
    pub(crate) slot: SlotId,
    pub(crate) columns: Vec<ScopeColumn>,
    /// Inner side of an outer join: its columns may be NULL.
    pub(crate) nullable: bool,
    /// A query that was merged into this block: what its columns stand for.
    pub(crate) merged: Option<Box<super::merge_derived::MergedTable>>,
    /// Position among the statement's views, if it is one.
    pub(crate) view: Option<usize>,
}

/// Names of one query block.
#[derive(Default, Debug)]
pub(crate) struct Scope {
    pub(crate) tables: Vec<ScopeTable>,
    /// (table, column) in the order of `*`, without the duplicates of USING and NATURAL joins.
    pub(crate) visible: Vec<(usize, usize)>,
    /// Select list aliases with their bound expressions, for GROUP BY, HAVING and ORDER BY.
    pub(crate) aliases: Vec<(String, Expr)>,
    /// Aliases that the select list gives, those that are not bound yet included.
    pub(crate) written: Vec<String>,
    /// Items of the select list that the ORDER BY expression being bound names by their aliases.
    pub(crate) named: Vec<Expr>,
    /// GROUP BY, for HAVING.
    pub(crate) groups: Vec<Expr>,
    pub(crate) aggs: Vec<AggCall>,
    pub(crate) clause: Option<Clause>,
    /// Aggregates may appear now.
    pub(crate) agg_ok: bool,
    /// Inside an aggregate's arguments.
    pub(crate) in_agg: bool,
    /// Inside the arguments of an aggregate of HAVING or ORDER BY.
    pub(crate) names_items: bool,
    /// Windows of the WINDOW clause and of OVER clauses so far, and the calls over them.
    pub(crate) windows: Vec<super::window::BoundWindow>,
    pub(crate) wins: Vec<super::window::BoundCall>,
    /// Window functions may appear now.
    pub(crate) win_ok: bool,
    /// Inside the specification of this window.
    pub(crate) in_spec: Option<String>,
    /// The tables (from, to) of the join whose ON is being bound: names of tables outside of it mean nothing there.
    pub(crate) on: Option<(usize, usize)>,
    /// No name may say its table here (1250): what the place is called.
    pub(crate) no_tables: Option<&'static str>,
    /// Some name was found in an enclosing scope.
    pub(crate) correlated: bool,
    /// MERGE (true) and NO_MERGE about these tables; about all: without name.
    pub(crate) merges: Vec<(String, bool)>,
    /// A block of EXISTS: what it selects does not matter.
    pub(crate) any_list: bool,
}

/// What [`Scope::leave_first`] took away.
pub(crate) type Others = (Vec<ScopeTable>, Vec<(usize, usize)>);

impl Scope {
    /// Takes all tables but the first away, for names that can only be columns of that one.
    pub(crate) fn leave_first(&mut self) -> Others {
        let all = self.visible.clone();
        self.visible.retain(|(t, _)| *t == 0);
        (self.tables.split_off(self.tables.len().min(1)), all)
    }

    /// Undoes [`Scope::leave_first`].
    pub(crate) fn put_back(&mut self, (tables, visible): Others) {
        self.tables.extend(tables);
        self.visible = visible;
    }

    pub(crate) fn find(&self, c: &ast::ColumnRef<'_>) -> Result<Option<(usize, usize)>, ()> {
        if c.column.is_empty() {
            return Ok(None); // that is how columns are called that have no name
        }
        let mut found = None;
        match c.table {
            None => {
                for &(t, i) in &self.visible {
                    if self.tables.get(t).and_then(|t| t.columns.get(i)).is_some_and(|k| same_name(&k.name, c.column)) {
                        if found.is_some() {
                            return Err(());
                        }
                        found = Some((t, i));
                    }
                }
                if found.is_none() {
                    // invisible columns can be named
                    for (t, table) in self.tables.iter().enumerate() {
                        for (i, k) in table.columns.iter().enumerate() {
                            if k.invisible && same_name(&k.name, c.column) {
                                if found.is_some() {
                                    return Err(());
                                }
                                found = Some((t, i));
                            }
                        }
                    }
                }
            }
            Some(name) => {
                for (t, table) in self.tables.iter().enumerate() {
                    if self.on.is_some_and(|(from, to)| t < from || t >= to) {
                        continue;
                    }
                    if table.alias != name {
                        continue;
                    }
                    if let (Some(want), Some(have)) = (c.schema, &table.schema)
                        && want != have
                    {
                        continue;
                    }
                    if c.schema.is_some() && table.schema.is_none() {
                        continue;
                    }
                    if let Some(i) = table.columns.iter().position(|k| same_name(&k.name, c.column)) {
                        if found.is_some() {
                            return Err(());
                        }
                        found = Some((t, i));
                    }
                }
            }
        }
        Ok(found)
    }

    /// The expression for a column of this scope.
    pub(crate) fn column_expr(&self, t: usize, i: usize) -> Option<Expr> {
        let table = self.tables.get(t)?;
        let c = table.columns.get(i)?;
        let mut ty = crate::types::widened(c.ty.clone().settled());
        ty.nullable |= table.nullable;
        if let Some(m) = &table.merged {
            let mut e = m.exprs.get(i)?.clone();
            e.ty.nullable |= table.nullable;
            return Some(e);
        }
        Some(Expr { kind: ExprKind::Column { slot: table.slot, column: i as u16 }, ty, coer: c.coer })
    }
}

/// Names of columns, aliases, indexes and constraints compare without regard to case.
pub fn same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b) || (!(a.is_ascii() && b.is_ascii()) && a.to_lowercase() == b.to_lowercase())
}

/// `c`, `t.c` or `db.t.c` as in messages.
pub(crate) fn written(c: &ast::ColumnRef<'_>) -> String {
    match (c.schema, c.table) {
        (Some(s), Some(t)) => format!("{s}.{t}.{}", c.column),
        (_, Some(t)) => format!("{t}.{}", c.column),
        _ => c.column.to_owned(),
    }
}

impl Binder<'_, '_> {
    pub(crate) fn scope(&mut self) -> SqlResult<&mut Scope> {
        self.scopes.last_mut().ok_or_else(|| SqlError::new(ErrorCode::NO_TABLES_USED, &[]))
    }

    pub(crate) fn clause(&self) -> Clause {
        self.scopes.last().and_then(|s| s.clause).unwrap_or(Clause::Fields)
    }

    /// Resolves a column name: 1054, 1052.
    pub(crate) fn column(&mut self, c: &ast::ColumnRef<'_>) -> SqlResult<Expr> {
        let clause = self.clause();
        if let Some(place) = self.scopes.last().and_then(|s| s.no_tables)
            && let Some(table) = c.table
        {
            return Err(SqlError::new(ErrorCode::TABLENAME_NOT_ALLOWED_HERE, &[&table, &place]));
        }
        let place = match clause {
            // a condition of HANDLER is no clause of its own there
            Clause::Where if self.draft.handler => Clause::Fields.name(),
            _ => clause.name(),
        };
        let ambiguous = || Err(SqlError::new(ErrorCode::NON_UNIQ_ERROR, &[&written(c), &place]));
        let last = self.scopes.len().wrapping_sub(1);
        for depth in (0..self.scopes.len()).rev() {
            let Some(scope) = self.scopes.get(depth) else { continue };
            let in_agg = scope.in_agg;
            if clause == Clause::Having && depth == last && !in_agg {
                match having_column(scope, c) {
                    Err(()) => return ambiguous(),
                    Ok(Some(e)) => {
                        if other_item(scope, c, &e) {
                            self.warn_ambiguous(c, Clause::Having);
                        }
                        return Ok(e);
                    }
                    Ok(None) => continue,
                }
            }
            let hit = match scope.find(c) {
                Ok(None) if c.column.eq_ignore_ascii_case("_rowid") => self.row_id(scope, c),
                hit => hit,
            };
            match hit {
                // GROUP BY looks into the select list where FROM does not say which
                Err(()) if clause == Clause::Group && depth == last && c.table.is_none() => {
                    return alias_of(scope, c.column).flatten().ok_or(()).or_else(|()| ambiguous());
                }
                Err(()) => return ambiguous(),
                Ok(Some(at)) => return self.found_column(c, depth, at),
                Ok(None) => {}
            }
            if depth < last
                && c.table.is_none()
                && let Some(e) = self.outer_alias(depth, c.column)
            {
                let Some(e) = e else { return ambiguous() };
                self.check_outer_item(depth, c, &e)?;
                self.scopes.iter_mut().skip(depth + 1).for_each(|s| s.correlated = true);
                self.note_item(depth, &e);
                return Ok(e);
            }
            let Some(scope) = self.scopes.get(depth) else { continue };
            if c.table.is_none()
                && scope.names_items
                && depth == last
                && let Some(e) = alias_of(scope, c.column)
            {
                let Some(e) = e else { return ambiguous() };
                self.aggregated_item(depth, c, &e)?;
                return Ok(e);
            }
            // within an expression FROM comes first in ORDER BY too
            let named = matches!(clause, Clause::Group | Clause::Order);
            let alias_then = c.table.is_none() && !in_agg && depth == last && named;
            if alias_then && let Some(e) = alias_of(scope, c.column) {
                let Some(e) = e else { return ambiguous() };
                self.record_alias(c, depth, &e);
                self.note_item(depth, &e);
                return Ok(e);
            }
        }
        self.no_column(c, last, place)
    }

    /// The column `at` (table, column) of the block at this depth is what the name means: all that must know of it is
    /// told.
    fn found_column(&mut self, c: &ast::ColumnRef<'_>, depth: usize, (t, i): (usize, usize)) -> SqlResult<Expr> {
        let scope = self.scopes.get(depth).ok_or_else(|| SqlError::unsupported("column"))?;
        let e = scope.column_expr(t, i).ok_or_else(|| SqlError::unsupported("column"))?;
        // a column that stands for a constant or a subquery is its table's nevertheless
        let of_table = scope.tables.get(t).and_then(|t| t.merged.as_ref()?.slots.first().copied());
        for s in self.scopes.iter_mut().skip(depth + 1) {
            s.correlated = true;
        }
        if let Some(b) = self.below.last_mut() {
            b.slots.extend(of_table);
            e.walk(&mut |x| b.slots.extend(if let ExprKind::Column { slot, .. } = x.kind { Some(slot) } else { None }));
        }
        self.use_column(depth, t, i);
        self.record_column(c, depth, t, i);
        if !self.st.assigning && depth == 0 {
            self.source.note_found(c);
        }
        Ok(e)
    }

    /// No block has the name: the source of an INSERT may have it; otherwise the error says why.
    fn no_column(&mut self, c: &ast::ColumnRef<'_>, last: usize, place: &str) -> SqlResult<Expr> {
        if self.source.note(c) {
            return Ok(Expr::null());
        }
        let forward = |s: &Scope| s.may_name_items() && s.written.iter().any(|a| same_name(a, c.column));
        if c.table.is_none() && self.scopes.iter().take(last).skip(self.fence).any(forward) {
            return Err(SqlError::new(ErrorCode::ILLEGAL_REFERENCE, &[&c.column, &"forward reference in item list"]));
        }
        if let Some(e) = self.hidden_column(c) {
            return Err(e);
        }
        // MySQL's error of a query that stands in no other and reads no table
        if let Some(table) = c.table
            && let [only] = self.scopes.as_slice()
            && only.tables.is_empty()
        {
            return Err(SqlError::new(ErrorCode::UNKNOWN_TABLE, &[&table, &place]));
        }
        Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&written(c), &place]))
    }

    /// 1143 where the name could be a column of a table that the account has not as a whole: which columns there are is not told then.
    fn hidden_column(&self, c: &ast::ColumnRef<'_>) -> Option<SqlError> {
        let here = self.scopes.last()?;
        let named = here.tables.iter().filter(|t| c.table.is_none_or(|n| same_name(&t.alias, n)));
        let used = named.filter_map(|t| match self.draft.slots.get(t.slot as usize) {
            Some(SlotDef::Table(n)) => self.draft.tables.get(*n as usize).filter(|u| u.via.is_none()),
            _ => None,
        });
        let mut told = used.filter(|u| !u.def.is_temporary());
        told.find_map(|u| self.r.hidden_column(&u.def.schema, &u.def.name, c.column, self.st.assigning))
    }

    /// What `_rowid` means: the integer column that is alone in the primary key, or in the first UNIQUE key without NULL where there is
    /// none (manual, "CREATE INDEX Statement").
    fn row_id(&self, scope: &Scope, c: &ast::ColumnRef<'_>) -> Result<Option<(usize, usize)>, ()> {
        let column = |t: &ScopeTable| {
            let SlotDef::Table(n) = self.draft.slots.get(t.slot as usize)? else { return None };
            let def = &self.draft.tables.get(*n as usize)?.def;
            let [part] = def.indexes.get(def.candidate_key()?)?.parts.as_slice() else { return None };
            def.columns.get(part.column as usize).filter(|c| c.ty.kind.is_integer()).map(|_| part.column as usize)
        };
        let meant = |t: &&ScopeTable| {
            c.table.is_none_or(|name| t.alias == name) && c.schema.is_none_or(|s| t.schema.as_deref() == Some(s))
        };
        // without a table's name only where there is one table
        if c.table.is_none() && scope.tables.len() != 1 {
            return Ok(None);
        }
        let mut found = None;
        for (n, t) in
            scope.tables.iter().enumerate().filter(|(_, t)| t.merged.is_none() && t.view.is_none() && meant(t))
        {
            if let Some(i) = column(t) {
                if found.is_some() {
                    return Err(());
                }
                found = Some((n, i));
            }
        }
        Ok(found)
    }

    /// An item of the select list is named in an aggregate of HAVING or ORDER BY: it has no aggregate (1111) and no window function (3594) itself.
    fn aggregated_item(&mut self, depth: usize, c: &ast::ColumnRef<'_>, e: &Expr) -> SqlResult<()> {
        if e.any(&mut |x| matches!(x.kind, ExprKind::Win(_))) {
            return Err(SqlError::new(ErrorCode::WINDOW_INVALID_WINDOW_FUNC_ALIAS_USE, &[&c.column]));
        }
        if super::group::aggregate_of(e, depth, &[], &[]) || self.aggregates_within(e, depth) {
            return Err(SqlError::new(ErrorCode::INVALID_GROUP_FUNC_USE, &[]));
        }
        if let Some(b) = self.below.last_mut() {
            e.walk(&mut |x| b.slots.extend(if let ExprKind::Column { slot, .. } = x.kind { Some(slot) } else { None }));
        }
        self.record_alias(c, depth, e);
        Ok(())
    }

    /// An item of the select list at that depth was named by its alias.
    fn note_item(&mut self, depth: usize, e: &Expr) {
        if let Some(s) = self.scopes.get_mut(depth).filter(|s| s.clause == Some(Clause::Order)) {
            s.named.push(e.clone());
        }
    }

    /// A subquery cannot name an item with a window function (3594), and one with an aggregate (1247) only in HAVING, and not where
    /// the enclosing block groups.
    fn check_outer_item(&mut self, depth: usize, c: &ast::ColumnRef<'_>, e: &Expr) -> SqlResult<()> {
        if e.any(&mut |x| matches!(x.kind, ExprKind::Win(_))) {
            return Err(SqlError::new(ErrorCode::WINDOW_INVALID_WINDOW_FUNC_ALIAS_USE, &[&c.column]));
        }
        let grouping = self.scopes.get(depth).is_some_and(|s| s.clause == Some(Clause::Group));
        if self.clause() == Clause::Having && !grouping {
            return Ok(());
        }
        if super::group::aggregate_of(e, depth, &[], &[]) || self.aggregates_within(e, depth) {
            return Err(SqlError::new(ErrorCode::ILLEGAL_REFERENCE, &[&c.column, &"reference to group function"]));
        }
        Ok(())
    }

    /// What a name in a subquery means in the select list of an enclosing block; `Some(None)` if two different items have it. A derived
    /// table may read columns of enclosing blocks, but no items of theirs.
    fn outer_alias(&self, depth: usize, name: &str) -> Option<Option<Expr>> {
        let scope = self.scopes.get(depth).filter(|s| depth >= self.fence && s.may_name_items())?;
        alias_of(scope, name)
    }
}

impl Scope {
    /// Subqueries in the clause being bound may name items of this block's select list.
    fn may_name_items(&self) -> bool {
        use Clause as C;
        let names = [C::Fields, C::Group, C::Having, C::Order, C::WindowPartition, C::WindowOrder]
            .map(Some)
            .contains(&self.clause);
        names && !self.in_agg
    }
}

/// Whether a name that was taken for a column of FROM is an alias in the select list too, of something else.
pub(super) fn other_item(scope: &Scope, c: &ast::ColumnRef<'_>, e: &Expr) -> bool {
    let other = |(alias, item): &(String, Expr)| same_name(alias, c.column) && !item.alike(e);
    c.table.is_none() && scope.aliases.iter().any(other) && matches!(scope.find(c), Ok(Some(_)))
}

/// What a name in HAVING means: a GROUP BY column, else an item of the select list, and nothing else of this query block (manual, "SELECT
/// Statement": HAVING). `Err` when two different items have the name.
fn having_column(scope: &Scope, c: &ast::ColumnRef<'_>) -> Result<Option<Expr>, ()> {
    let column = scope.find(c).ok().flatten().and_then(|(t, i)| scope.column_expr(t, i));
    if let Some(e) = &column
        && scope.groups.iter().any(|g| g.alike(e))
    {
        return Ok(column);
    }
    if c.table.is_none()
        && let Some(e) = alias_of(scope, c.column)
    {
        return e.map(Some).ok_or(());
    }
    if column.is_none() && c.table.is_none() {
        return item_of_tables(scope, c.column);
    }
    Ok(column.filter(|e| scope.aliases.iter().any(|(_, item)| item.alike(e))))
}

/// The item of the select list that is a column with this name, under whatever alias, where several tables have such a column. `Err` for two.
fn item_of_tables(scope: &Scope, name: &str) -> Result<Option<Expr>, ()> {
    let mut found: Option<Expr> = None;
    for (t, table) in scope.tables.iter().enumerate() {
        for (i, _) in table.columns.iter().enumerate().filter(|(_, c)| same_name(&c.name, name)) {
            let item = scope.column_expr(t, i).filter(|e| scope.aliases.iter().any(|(_, item)| item.alike(e)));
            match (&found, item) {
                (Some(f), Some(e)) if !f.alike(&e) => return Err(()),
                (None, item) => found = item,
                _ => {}
            }
        }
    }
    Ok(found)
}

/// The select list expression with this alias; `Some(None)` if two different ones have it.
fn alias_of(scope: &Scope, name: &str) -> Option<Option<Expr>> {
    match alias_at(scope, name)? {
        Some(i) => scope.aliases.get(i).map(|(_, e)| Some(e.clone())),
        None => Some(None),
    }
}

/// Where an alias stands in the select list; `Some(None)` if two different columns have it. An expression that is no column wins over
/// columns, as MySQL looks no further there.
pub(super) fn alias_at(scope: &Scope, name: &str) -> Option<Option<usize>> {
    let mut found: Option<(usize, &Expr)> = None;
    let mut ambiguous = false;
    for (i, (a, e)) in scope.aliases.iter().enumerate() {
        if same_name(a, name) {
            if !matches!(e.kind, ExprKind::Column { .. }) {
                return Some(if ambiguous { None } else { Some(i) });
            }
            match found {
                Some((_, f)) if !f.alike(e) => ambiguous = true,
                Some(_) => {}
                None => found = Some((i, e)),
            }
        }
    }
    if ambiguous { Some(None) } else { found.map(|(i, _)| Some(i)) }
}
