//! Making and describing views: canonical text, columns, what can be done with them.
//!
//! [`compile`] binds the query of CREATE VIEW while noting what its names mean and prints it ([`parser::print`]): that text,
//! with every name in full and `*` expanded, is what the dictionary keeps, so later columns of the tables change nothing.
//! [`describe`] binds a stored view to say which columns it has now.

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, QueryBody, SelectItem};
use parser::print::{Resolution, Style};
use storage::dict::{ColumnDef, ColumnDefault, TableDef, ViewDef};
use value::convert::implicit_default;
use value::{CollationId, SqlType, TypeKind};

use crate::bind::Binder;
use crate::bind::merge_derived::{Merged, Source};
use crate::bind::view::option;
use crate::block::{JoinTree, LeafKind, OutColumn};
use crate::column_origin::{self, Grouped};
use crate::expr::{Expr, ExprKind};
pub use crate::plan::Used;
use crate::plan::{Body, Node, Plan, QueryPlan, TableUse, Via, ViewUse};
use crate::resolve::Resolver;
use crate::same_name;
use crate::types;
use crate::{Request, finish};

/// A view's query as it will be stored.
pub struct Compiled {
    /// Canonical text with schemas.
    pub select: String,
    /// The algorithm MERGE is possible.
    pub mergeable: bool,
    /// UPDATE and DELETE are possible (IS_UPDATABLE).
    pub updatable: bool,
}

/// Longest name of a column.
const NAME_MAX: usize = 64;

/// Binds and prints the query of CREATE VIEW; the plan only says which tables and views are read, for locks and privileges. Errors: those of the query; 1351 for variables and parameters, 1060, 1353.
pub fn compile<'q>(v: &ast::CreateView<'q>, rq: &Request<'q>) -> SqlResult<(Compiled, Plan)> {
    if rq.params > 0 || has_variables(v.query) {
        return Err(SqlError::new(ErrorCode::VIEW_SELECT_VARIABLE, &[]));
    }
    let mut b = Binder::new(rq.resolver, (rq.sql, rq.from), false, &[], crate::opt::plan);
    b.rec = Some(Box::default());
    b.st.view_text = true;
    let source = b.source(v.query, true)?;
    if let Some(t) = b.draft.tables.iter().find(|t| t.def.is_temporary()) {
        return Err(SqlError::new(ErrorCode::VIEW_SELECT_TMPTABLE, &[&t.def.name]));
    }
    let mut rec = b.rec.take().map(|r| *r).unwrap_or_default();
    let columns = match &source {
        Source::Merged(m) => &m.columns,
        Source::Planned(p) => &p.columns,
    };
    if !v.columns.is_empty() && v.columns.len() != columns.len() {
        return Err(SqlError::new(ErrorCode::VIEW_WRONG_LIST, &[]));
    }
    name_columns(v, columns, &mut rec)?;
    let merged = match &source {
        Source::Merged(m) => Some(m.as_ref()),
        Source::Planned(_) => None,
    };
    let mergeable = merged.is_some();
    let updatable =
        merged.is_some_and(|m| updatable(m, &b.draft.tables, &b.draft.views)) && v.algorithm != Some("temptable");
    // a view's text is UTF-8, whoever made it
    let sent = crate::sent_by(b.tcx.client);
    let select = parser::print::query(v.query, &rec, Style { sent, ..Style::default() });
    let nothing =
        QueryPlan { root: Node::Empty, items: vec![], into_vars: vec![], direct: vec![], rows: 0.0, cost: 0.0 };
    let plan = finish(b, Body::Select(Box::new(nothing)), Vec::new(), false, rq);
    Ok((Compiled { select, mergeable, updatable }, plan))
}

/// The canonical text of a query with the numbers of its blocks: EXPLAIN's note 1003.
///
/// # Errors
/// Those of binding the query.
pub fn canonical<'q>(q: &ast::QueryExpr<'q>, rq: &Request<'q>) -> SqlResult<String> {
    let mut b = Binder::new(rq.resolver, (rq.sql, rq.from), false, rq.param_types, crate::opt::plan);
    b.rec = Some(Box::new(Resolution { schemas: true, ..Resolution::default() }));
    b.query(q)?;
    let rec = b.rec.take().map(|r| *r).unwrap_or_default();
    Ok(parser::print::query(q, &rec, Style { select_ids: true, ..Style::default() }))
}

/// The same of a statement that changes rows. `schema`: the default one.
///
/// # Errors
/// Those of binding it.
pub fn canonical_dml<'q>(s: &ast::Statement<'q>, rq: &Request<'q>, schema: &str) -> SqlResult<Option<String>> {
    let mut b = Binder::new(rq.resolver, (rq.sql, rq.from), false, rq.param_types, crate::opt::plan);
    b.rec = Some(Box::new(Resolution { schemas: true, ..Resolution::default() }));
    match s {
        ast::Statement::Insert(i) => b.insert(i).map(drop)?,
        ast::Statement::Update(u) => b.update(u).map(drop)?,
        ast::Statement::Delete(d) => b.delete(d).map(drop)?,
        _ => return Ok(None),
    }
    let rec = b.rec.take().map(|r| *r).unwrap_or_default();
    Ok(parser::print::dml(s, &rec, schema))
}

/// Whether the query names a variable or parameter anywhere. (The tree's debug text names its kinds of nodes.)
fn has_variables(q: &ast::QueryExpr<'_>) -> bool {
    let text = format!("{q:?}");
    ["UserVar(", "AssignUserVar {", "SysVar(", "Param("].iter().any(|w| text.contains(w))
}

/// Every table is a base table (through views too), no join is an outer join, and no subquery reads one of the tables.
/// Of a view in FROM its own mark counts, as in MySQL: there a subquery may read what the view reads (an UPDATE is
/// refused then, 1288).
fn updatable(m: &Merged, uses: &[TableUse], views: &[ViewUse]) -> bool {
    fn inner(t: &JoinTree) -> bool {
        match t {
            JoinTree::Leaf(_) => true,
            JoinTree::Inner { parts, .. } => parts.iter().all(inner),
            JoinTree::Left { .. } | JoinTree::Semi { .. } => false,
        }
    }
    let is_marked = |v: &Via| {
        let named = |w: &&ViewUse| w.via.is_none() && (&w.def.schema, &w.def.name) == (&v.schema, &v.name);
        views.iter().find(named).is_some_and(|w| option(&w.def, "UPDATABLE") == Some("1"))
    };
    let (mut own, mut direct) = (Vec::new(), Vec::new());
    for l in &m.leaves {
        let LeafKind::Base { table, def, .. } = &l.kind else { return false };
        own.push(*table as usize);
        match uses.get(*table as usize).and_then(|u| u.via.as_ref()) {
            Some(v) if !is_marked(v) => return false,
            Some(_) => {}
            None => direct.push(def.id),
        }
    }
    let again = |at: usize, t: &TableUse| !own.contains(&at) && direct.contains(&t.def.id);
    inner(&m.tree) && !uses.iter().enumerate().any(|(at, t)| again(at, t))
}

/// Gives expressions whose text is no name another one, and makes made-up names unique: 1060 for names that were written.
fn name_columns(v: &ast::CreateView<'_>, columns: &[OutColumn], rec: &mut Resolution) -> SqlResult<()> {
    let alias = |i: &SelectItem<'_>| match i {
        SelectItem::Expr { alias, .. } => alias.map(str::to_owned),
        _ => None,
    };
    if v.columns.is_empty()
        && let QueryBody::Select(s) = v.query.body
        && let Some(a) = s.items.iter().filter_map(alias).find(|a| a.is_empty() || a.ends_with(' '))
    {
        return Err(SqlError::new(ErrorCode::WRONG_COLUMN_NAME, &[&a]));
    }
    if !v.columns.is_empty() {
        for (i, n) in v.columns.iter().enumerate() {
            check_column_name(n)?;
            if v.columns.iter().take(i).any(|o| same_name(o, n)) {
                return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[n]));
            }
        }
    }
    let mut body = v.query.body;
    let select = loop {
        match body {
            QueryBody::Select(s) => break s,
            QueryBody::SetOp(s) => body = s.first,
            QueryBody::Paren(q) => body = q.body,
            QueryBody::Values(_) | QueryBody::Table(_) => return Ok(()),
        }
    };
    // (name, span of the expression if its name was made up)
    let mut names: Vec<(String, Option<u32>)> = Vec::new();
    for i in select.items {
        match i {
            SelectItem::Wildcard(span) | SelectItem::TableWildcard { span, .. } => {
                let list = rec.wildcards.get(&span.start).cloned().unwrap_or_default();
                names.extend(list.into_iter().map(|(_, n)| (n, None)));
            }
            SelectItem::Expr { expr, alias } => {
                let made = alias.is_none() && !matches!(expr.unparen().kind, ast::ExprKind::Column(_));
                let name = columns.get(names.len()).map_or(String::new(), |c| c.name.clone());
                names.push((name, made.then_some(expr.span.start)));
            }
        }
    }
    for i in 0..names.len() {
        let Some((name, Some(at))) = names.get(i).cloned() else { continue };
        let mut new = name.clone();
        if check_column_name(&name).is_err() {
            new = format!("Name_exp_{}", i + 1);
        }
        let taken =
            |n: &str| names.iter().enumerate().any(|(j, o)| j != i && (j < i || o.1.is_none()) && same_name(&o.0, n));
        if v.columns.is_empty() {
            let mut attempt = 0;
            while taken(&new) {
                new = if attempt == 0 { format!("My_exp_{name}") } else { format!("My_exp_{attempt}_{name}") };
                attempt += 1;
            }
        }
        rec.items.insert(at, new.clone());
        if let Some(n) = names.get_mut(i) {
            n.0 = new;
        }
    }
    if v.columns.is_empty() {
        for (i, n) in names.iter().enumerate() {
            check_column_name(&n.0)?;
            if names.iter().take(i).any(|o| same_name(&o.0, &n.0)) {
                return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[&n.0]));
            }
        }
    }
    Ok(())
}

/// 1166 for what cannot name a column.
fn check_column_name(name: &str) -> SqlResult<()> {
    if name.is_empty() || name.ends_with(' ') || name.chars().count() > NAME_MAX {
        return Err(SqlError::new(ErrorCode::WRONG_COLUMN_NAME, &[&name]));
    }
    Ok(())
}

/// What a stored view is now.
pub struct Described {
    /// Its columns as a definition: names, types, defaults. It has no indexes and no id.
    pub def: TableDef,
    /// Tables and views it names itself.
    pub uses: Vec<Used>,
    /// Stored functions that it calls itself, as its text names them.
    pub called: Vec<(Arc<storage::dict::ProgramDefinition>, String)>,
    /// Stored functions that it calls, and those of the views in it.
    pub functions: Vec<Arc<storage::dict::ProgramDefinition>>,
}

/// Columns of a stored view. 1356 when it is no longer valid.
pub fn describe(view: &Arc<ViewDef>, r: &dyn Resolver) -> SqlResult<Described> {
    let mut b = Binder::new(r, (b"", 0), false, &[], crate::opt::plan);
    b.st.keep_uses = true;
    let source = b.view_source(view, &view.name, crate::bind::SELECT, true)?;
    let (columns, exprs) = match &source {
        Source::Merged(m) => (&m.columns, m.table.exprs.as_slice()),
        Source::Planned(p) => (&p.columns, &[][..]),
    };
    let mut out = Vec::with_capacity(columns.len());
    for (i, c) in columns.iter().enumerate() {
        let mut outer = false;
        let (base, ty) = match &source {
            Source::Merged(m) => {
                outer = exprs.get(i).is_some_and(|e| is_null_outside(m, e));
                let made = exprs.get(i).filter(|e| !matches!(e.kind, ExprKind::Column { .. }));
                (exprs.get(i).and_then(|e| base_column(m, e)), made.map_or_else(|| c.ty.clone(), |_| shown_type(&c.ty)))
            }
            Source::Planned(p) => {
                let ty = match p.plan.items.get(i).and_then(|e| column_origin::grouped(&p.plan, e)) {
                    _ if is_set_operation(&p.plan.root) && c.ty.kind == TypeKind::VarChar => shown_type(&c.ty),
                    _ if !c.is_expression() => c.ty.clone(),
                    Some(Grouped::ExtremeColumn) => c.ty.clone(),
                    Some(Grouped::Extreme) if c.ty.kind.is_integer() || c.ty.kind == TypeKind::Year => {
                        let base = SqlType { unsigned: c.ty.unsigned, ..SqlType::bigint() };
                        base.nullable(c.ty.nullable)
                    }
                    _ => shown_type(&c.ty),
                };
                (by_name(c, r), ty)
            }
        };
        let name = view.columns.get(i).unwrap_or(&c.name).clone();
        out.push(definition(name, &ty, base, outer));
    }
    let uses = std::mem::take(&mut b.st.uses);
    let called = std::mem::take(&mut b.st.called);
    let def = TableDef {
        id: base::TableId(0),
        version: view.version,
        schema: view.schema.clone(),
        name: view.name.clone(),
        space: base::SpaceId(0),
        columns: out,
        indexes: Vec::new(),
        foreign_keys: Vec::new(),
        referenced_by: Vec::new(),
        triggers: Vec::new(),
        checks: Vec::new(),
        collation: CollationId(255),
        comment: String::new(),
        options: Vec::new(),
        auto_increment: 0,
        created: 0,
        fulltext: Vec::new(),
        former: Vec::new(),
        discarded: false,
    };
    let functions = b.draft.functions.iter().map(|f| f.def.clone()).collect();
    Ok(Described { def, uses, called, functions })
}

/// The type that a view shows of an expression: a temporary table's, but a YEAR is one. A text longer than
/// [`types::LONGEST_VARCHAR`] is shown as the smallest TEXT that holds it.
fn shown_type(t: &SqlType) -> SqlType {
    match t.kind {
        TypeKind::Char | TypeKind::Binary | TypeKind::VarChar | TypeKind::VarBinary => types::stored(t),
        TypeKind::LongText | TypeKind::LongBlob if t.length < u32::MAX => {
            let width = t.charset().max_len().max(1);
            let shown = types::lob_type(u64::from(t.length / width as u32), t.collation);
            SqlType { nullable: t.nullable, ..shown }
        }
        k if k.is_integer() => types::stored(t),
        _ => t.clone(),
    }
}

/// Whether the rows are those of UNION, EXCEPT or INTERSECT: their texts are shown as those of expressions are.
fn is_set_operation(n: &Node) -> bool {
    match n {
        Node::SetOp { .. } => true,
        Node::Sort { input, .. } | Node::Limit { input, .. } => is_set_operation(input),
        _ => false,
    }
}

/// What a column of a table that is computed gives a view: where it has a default of its own, MySQL shows the implicit
/// one of the type.
fn of_virtual(c: &ColumnDef) -> Option<ColumnDef> {
    matches!(c.default, ColumnDefault::None).then(|| c.clone())
}

fn base_column(m: &Merged, e: &Expr) -> Option<ColumnDef> {
    let ExprKind::Column { slot, column } = e.kind else { return None };
    let leaf = m.leaves.iter().find(|l| l.slot == slot)?;
    match &leaf.kind {
        LeafKind::Base { def, .. } => def.columns.get(column as usize).cloned(),
        LeafKind::Virtual(v) => v.def().columns.get(column as usize).and_then(of_virtual),
        LeafKind::Derived { .. } => None,
    }
}

/// Whether a column of a derived table that is kept is never NULL in its own rows, only where an outer join has none:
/// as in MySQL it keeps the default that it has there.
fn is_null_outside(m: &Merged, e: &Expr) -> bool {
    let ExprKind::Column { slot, column } = e.kind else { return false };
    let of = m.leaves.iter().find(|l| l.slot == slot).map(|l| &l.kind);
    let Some(LeafKind::Derived { query: Some(q), .. }) = of else { return false };
    e.ty.nullable && q.items.get(column as usize).is_some_and(|x| !x.ty.nullable)
}

fn by_name(c: &OutColumn, r: &dyn Resolver) -> Option<ColumnDef> {
    let o = c.origin.as_ref().filter(|o| !o.org_name.is_empty())?;
    let def = r.behind(&o.schema, &o.org_table)?;
    let column = def.columns.get(def.column(&o.org_name)?)?;
    if def.id.0 == 0 { of_virtual(column) } else { Some(column.clone()) }
}

/// A view's column: the default of its base column, or the implicit one of an expression that cannot be NULL, or is so
/// only because of an `outer` join.
fn definition(name: String, ty: &SqlType, base: Option<ColumnDef>, outer: bool) -> ColumnDef {
    let comment = base.as_ref().map(|b| b.comment.clone()).unwrap_or_default();
    let implicit = |ty: &SqlType| {
        if ty.nullable && !outer || ty.kind == TypeKind::Json || ty.kind.is_lob() {
            return ColumnDefault::None;
        }
        ColumnDefault::Value(implicit_default(ty).to_owned())
    };
    let default = match &base {
        Some(b) if b.auto_increment => implicit(ty),
        Some(b) => b.default.clone(),
        None => implicit(ty),
    };
    ColumnDef {
        name,
        ty: ty.clone(),
        default,
        on_update_now: base.as_ref().is_some_and(|b| b.on_update_now),
        auto_increment: false,
        invisible: false,
        generated: None,
        comment,
        charset_written: false,
        histogram: None,
        elements: None,
    }
}
