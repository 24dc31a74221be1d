//! What all changes share: the table that is changed, assignments, what is computed with a row, and for UPDATE and DELETE the plan of the rows
//! to be changed. The statements are in [`super::insert`], [`super::update`] and [`super::delete`].

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use storage::dict::{ColumnDefault, TableDef};

use super::from::base_columns;
use super::query::OrderKey;
use super::scope::{Clause, ScopeTable};
use super::{Binder, Scope, unsupported};
use crate::block::{Job, Wanted, needed_columns};
use crate::block::{JoinTree, Leaf, LockClause, Locks};
use crate::expr::{Coercibility, Expr, ExprKind, SlotId};
use crate::plan::{Assignment, LockMode, LockWait, Node, SortKey, TableExprs};
use crate::resolve::{Resolved, Verb, Wish};

/// Privilege bits of [`crate::plan::TableUse::privileges`].
pub(crate) const SELECT: u32 = 1;
pub(super) const INSERT: u32 = 2;
pub(super) const UPDATE: u32 = 4;
pub(super) const DELETE: u32 = 8;

/// `block_nested_loop` of `optimizer_switch`.
const HASH_JOINS: u64 = 1 << 8;

impl<'a> Binder<'a, '_> {
    /// The relation of a name: 1142 for who may not do that to it.
    pub(super) fn relation(&self, schema: &str, name: &str, verb: Verb) -> SqlResult<Resolved> {
        self.r.table(schema, name, &Wish { verb, via: self.st.via.as_deref() })
    }

    pub(super) fn base_table(&mut self, name: &ast::TableName<'_>, what: Verb) -> SqlResult<(u16, Arc<TableDef>)> {
        let verb = match what {
            Verb::Insert | Verb::InsertOrUpdate => "INSERT",
            Verb::Replace => "REPLACE",
            Verb::Delete => "DELETE",
            _ => "UPDATE",
        };
        let schema = self.schema_of(name.schema)?;
        match self.relation(&schema, name.name, what)? {
            Resolved::Base(def) => {
                let t = self.use_table(&def, name.name, name.span);
                if let Some(u) = self.draft.tables.last_mut() {
                    u.write = true;
                }
                Ok((t, def))
            }
            Resolved::View(_) => Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&name.name, &verb])),
            Resolved::Virtual(_) => {
                if schema.eq_ignore_ascii_case("information_schema") {
                    let (user, host) = self.r.account();
                    return Err(SqlError::new(
                        ErrorCode::DBACCESS_DENIED_ERROR,
                        &[&user, &host, &"information_schema"],
                    ));
                }
                let (user, host) = self.r.user();
                let denied = SqlError::new(ErrorCode::TABLEACCESS_DENIED_ERROR, &[&verb, &user, &host, &name.name]);
                Err(instead(&schema, name.name, ErrorCode::TABLEACCESS_DENIED_ERROR, denied))
            }
        }
    }

    pub(super) fn table_scope(&self, def: &TableDef, alias: &str, slot: SlotId) -> ScopeTable {
        ScopeTable {
            schema: Some(def.schema.clone()),
            alias: alias.to_owned(),
            aliased: alias != def.name,
            slot,
            columns: base_columns(def, alias, false),
            nullable: false,
            merged: None,
            view: None,
        }
    }

    /// Assignments in order; a column assigned before is read from `new_slot` (MySQL evaluates from left to right).
    pub(super) fn assignments(
        &mut self,
        list: &[ast::Assignment<'a>],
        def: &TableDef,
        slot: SlotId,
        new_slot: SlotId,
        only: Option<&[Expr]>,
    ) -> SqlResult<Vec<Assignment>> {
        let _ = only;
        let mut out: Vec<Assignment> = Vec::new();
        for a in list {
            let target = self.assigned_column(&a.column)?;
            let ExprKind::Column { slot: s, column } = target.kind else {
                return Err(SqlError::new(ErrorCode::NONUPDATEABLE_COLUMN, &[&a.column.column]));
            };
            if s != slot {
                continue;
            }
            let mut value = self.stored_operand(&a.value, def, column)?;
            if let Some(c) = def.columns.get(column as usize) {
                self.note_assigned(&value, &c.ty);
            }
            reject_generated(def, column, Some(&value))?;
            let done: Vec<u16> = out.iter().map(|a| a.column).collect();
            redirect(&mut value, slot, new_slot, &done);
            self.draft.hoist_value(&mut value);
            out.push(Assignment { column, value });
        }
        Ok(out)
    }

    /// Expressions stored with a table, bound to a slot that holds a complete row.
    pub(crate) fn table_exprs(&mut self, def: &TableDef, slot: SlotId) -> SqlResult<TableExprs> {
        let mut out = TableExprs::default();
        let mut scope = Scope::block();
        let t = self.table_scope(def, &def.name, slot);
        scope.visible = (0..t.columns.len()).map(|c| (0, c)).collect();
        scope.tables.push(t);
        let mut list: Vec<(&str, usize, u8)> = Vec::new();
        for (i, c) in def.columns.iter().enumerate() {
            if let ColumnDefault::Expr(text) = &c.default {
                list.push((text, i, 0));
            }
            if let Some(g) = &c.generated {
                list.push((&g.expr, i, 1));
            }
        }
        for (i, c) in def.checks.iter().enumerate() {
            if c.enforced {
                list.push((&c.expr, i, 2));
            }
        }
        if list.is_empty() {
            return Ok(out);
        }
        self.draft.built.push((slot, def.columns.iter().map(|c| c.name.as_str().into()).collect()));
        let mut scope = Some(scope);
        for (text, i, what) in list {
            let arena = bumpalo::Bump::new();
            let sql = format!("SELECT {text}");
            let mut lexed = parser::Lexed::new();
            lexed.tokenize(sql.as_bytes(), 0, parser::Mode::default());
            let parsed = parser::parse(&arena, sql.as_bytes(), &mut lexed)?;
            let ast::Statement::Query(ast::QueryExpr { body: ast::QueryBody::Select(s), .. }) = parsed.statement else {
                return unsupported("stored expression");
            };
            let Some(ast::SelectItem::Expr { expr, .. }) = s.items.first() else {
                return unsupported("stored expression");
            };
            let mut b = self.for_text(sql.as_bytes(), &def.schema);
            b.scopes.extend(scope.take());
            let nested = std::mem::replace(&mut b.st.table_expr, true);
            let multi = what == 1 && def.columns.get(i).is_some_and(|c| c.elements.is_some());
            let e = match &expr.unparen().kind {
                // what is cast; the elements are made when the value is stored
                ast::ExprKind::Cast(c) if multi && c.array => b.scalar(&c.expr),
                _ if multi => unsupported("stored expression"),
                _ => b.scalar(expr),
            };
            scope = b.scopes.pop();
            b.st.table_expr = nested;
            self.resume(b);
            let e = e?;
            match what {
                0 => out.defaults.push((i as u16, e)),
                1 => out.generated.push((i as u16, e)),
                _ => out.checks.push((def.checks.get(i).map_or("", |c| &c.name).into(), e)),
            }
        }
        Ok(out)
    }

    /// A number of LIMIT. That of a program's variable is taken as unsigned: a negative one means all rows.
    pub(super) fn row_count(&mut self, e: &ast::Expr<'a>) -> SqlResult<Expr> {
        let n = self.scalar(e)?;
        if !matches!(e.kind, ast::ExprKind::Local(_)) {
            return Ok(n);
        }
        let ty = crate::types::ulonglong(20).nullable(true);
        Ok(Expr { kind: ExprKind::Cast(Box::new(n)), ty, coer: Coercibility::Numeric })
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn dml_source(
        &mut self,
        tree: Option<JoinTree>,
        leaves: Vec<Leaf>,
        where_clause: Option<&ast::Expr<'a>>,
        order_by: &[ast::OrderItem<'a>],
        limit: Option<&ast::Limit<'a>>,
        locked: Vec<SlotId>,
        (fixed, hinted): (bool, crate::block::hints::Order),
    ) -> SqlResult<DmlSource> {
        self.draft.notes.logging.limit |= limit.is_some();
        let (mut conds, mut semi) = (Vec::new(), Vec::new());
        if let Some(w) = where_clause {
            self.scope()?.clause = Some(Clause::Where);
            let join = order_by.is_empty() && limit.is_none();
            semi = self.where_clause(w, &leaves, join, &mut conds)?;
        }
        self.scope()?.clause = Some(Clause::Order);
        let order: Vec<OrderKey> = self.order_keys(order_by, &[])?;
        let wanted = Wanted {
            order: order.iter().map(|k| (k.expr.clone(), k.desc)).collect(),
            limit: limit.map(|_| 100.0),
            ..Wanted::default()
        };
        let own: Vec<(SlotId, u16)> = leaves.iter().map(|l| (l.slot, l.columns as u16)).collect();
        let joined = leaves.len() > 1;
        let mut leaves = leaves;
        let tree = tree.map(|t| super::semi::joined(t, semi, &mut leaves));
        // a changed row is needed as a whole
        let mut needed = {
            let roots: Vec<&Expr> = conds.iter().chain(order.iter().map(|k| &k.expr)).collect();
            needed_columns::columns(&self.draft, &roots, tree.as_ref())
        };
        for (slot, columns) in own {
            needed.entry(slot).or_default().extend(0..columns);
        }
        let clause = LockClause { mode: LockMode::Update, wait: LockWait::Wait, of: None, slots: Some(locked) };
        let locks = Locks { clauses: vec![clause] };
        let switch = self.switch;
        if joined && self.cascades_into_join() {
            self.switch &= !HASH_JOINS;
        }
        let job = Job { tree, leaves, conds, wanted: &wanted, locks: &locks, needed: &needed, straight: fixed, hinted };
        let j = self.plan_joins(job);
        self.switch = switch;
        let j = j?;
        let mut node = j.node;
        let count = match limit {
            Some(l) => {
                if l.offset.is_some() {
                    return unsupported("OFFSET in UPDATE or DELETE");
                }
                Some(self.row_count(&l.count)?)
            }
            None => None,
        };
        if j.ordered || order.is_empty() {
            if let Some(count) = count {
                node = Node::Limit { input: Box::new(node), offset: None, count };
            }
            return Ok(DmlSource { node, order: vec![], limit: None });
        }
        let order = order.into_iter().map(|k| SortKey { expr: k.expr, desc: k.desc }).collect();
        Ok(DmlSource { node, order, limit: count })
    }
}

/// The rows to be changed: sorted and limited by `node`, or else by what stands beside it.
pub(super) struct DmlSource {
    pub(super) node: Node,
    pub(super) order: Vec<SortKey>,
    pub(super) limit: Option<Expr>,
}

/// 3105: a generated column takes DEFAULT only.
pub(super) fn reject_generated(def: &TableDef, column: u16, value: Option<&Expr>) -> SqlResult<()> {
    let Some(c) = def.columns.get(column as usize) else { return Ok(()) };
    if c.generated.is_none() || value.is_some_and(|v| matches!(v.kind, ExprKind::DefaultValue)) {
        return Ok(());
    }
    Err(SqlError::with_message(
        ErrorCode::NON_DEFAULT_VALUE_FOR_GENERATED_COLUMN,
        format!("The value specified for generated column '{}' in table '{}' is not allowed.", c.name, def.name),
    ))
}

/// Reads of columns that were assigned before go to the new row.
fn redirect(e: &mut Expr, slot: SlotId, new_slot: SlotId, done: &[u16]) {
    if let ExprKind::Column { slot: s, column } = &mut e.kind {
        if *s == slot && done.contains(column) {
            *s = new_slot;
        }
        return;
    }
    e.children_mut(&mut |c| redirect(c, slot, new_slot, done));
}

/// The tables of `mysql` that show accounts and privileges, in the order of their names.
pub const GRANT_TABLES: [&str; 10] = [
    "columns_priv",
    "db",
    "default_roles",
    "global_grants",
    "password_history",
    "procs_priv",
    "proxies_priv",
    "role_edges",
    "tables_priv",
    "user",
];

/// Whether it is one of [`GRANT_TABLES`].
pub(super) fn is_grant_table(schema: &str, name: &str) -> bool {
    schema == "mysql" && GRANT_TABLES.contains(&name)
}

/// What to do instead of changing a table of mysql that is made when it is read.
pub(super) fn instead(schema: &str, name: &str, code: ErrorCode, e: SqlError) -> SqlError {
    let name = name.to_ascii_lowercase();
    let why = match name.as_str() {
        _ if schema != "mysql" => return e,
        n if is_grant_table(schema, n) => {
            "accounts are changed by CREATE USER, ALTER USER, DROP USER, GRANT and REVOKE"
        }
        "server_cost" | "engine_cost" => "the optimizer's costs are those of its build and cannot be set",
        "innodb_table_stats" | "innodb_index_stats" => "statistics are what was sampled; ANALYZE TABLE samples anew",
        n if n.starts_with("help_") => "the topics of HELP are those of the server",
        _ => "it lists what Evenkeel doesn't yet support",
    };
    SqlError::with_message(code, format!("{}: {why}", e.message()))
}
