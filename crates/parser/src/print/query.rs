//! Query expressions: SELECT lists, joins, set operations, WITH, windows.

use super::{Name, Printer, join_key};
use crate::ast::{
    Derived, Expr, ExprKind, Frame, FrameBound, FrameExclude, FrameOffset, FrameUnit, IndexHintKind, IndexHintScope,
    Into, IntoVar, Join, JoinCondition, JoinKind, JsonColumn, JsonOn, JsonTable, LitValue, Literal, LockStrength,
    LockWait, Locking, OrderItem, QueryBody, QueryExpr, Select, SelectItem, SetOp, SetOpKind, TableFactor, TableRef,
    UnaryOp, WindowRef, WindowSpec, With,
};

impl Printer<'_, '_> {
    /// A subquery of an expression.
    pub(super) fn subquery(&mut self, q: &QueryExpr<'_>) {
        let bare = std::mem::replace(&mut self.bare, true);
        self.query(q);
        self.bare = bare;
    }

    /// A query that is a table of FROM or WITH.
    fn table_query(&mut self, q: &QueryExpr<'_>) {
        let bare = std::mem::replace(&mut self.bare, false);
        self.query(q);
        self.bare = bare;
    }

    /// A query expression without parentheses around it.
    pub(super) fn query(&mut self, q: &QueryExpr<'_>) {
        let outer = std::mem::take(&mut self.items);
        if let Some(w) = q.with {
            self.with(w);
        }
        match q.body {
            QueryBody::Select(s) => self.select(s),
            QueryBody::SetOp(s) => self.set_op(s),
            other => self.operand(&other),
        }
        self.order_by(q.order_by);
        if let Some(l) = q.limit {
            self.put(" limit ");
            if let Some(o) = &l.offset {
                self.expr(o);
                self.put(",");
            }
            self.expr(&l.count);
        }
        if let Some(i) = q.into {
            self.into(i);
        }
        for l in q.locking {
            self.locking(l);
        }
        self.items = outer;
    }

    fn into(&mut self, i: &Into<'_>) {
        match i {
            Into::Outfile { path, .. } => {
                self.put(" into outfile ");
                self.file(path);
            }
            Into::Dumpfile(path) => {
                self.put(" into dumpfile ");
                self.file(path);
            }
            Into::Vars(vars) => {
                self.put(" into ");
                self.comma(vars, |p, v| match v {
                    IntoVar::User(n) => {
                        p.user_var(n);
                    }
                    IntoVar::Local { name, .. } => p.ident(name),
                });
            }
        }
    }

    fn locking(&mut self, l: &Locking<'_>) {
        if self.style.select_ids {
            return;
        }
        self.put(if l.strength == LockStrength::Update { " for update" } else { " for share" });
        if !l.of.is_empty() {
            self.put(" of ");
            self.comma(l.of, |p, t| p.ident(t.name));
        }
        match l.wait {
            LockWait::Wait => {}
            LockWait::NoWait => self.put(" nowait"),
            LockWait::SkipLocked => self.put(" skip locked"),
        }
    }

    pub(super) fn with(&mut self, w: &With<'_>) {
        self.put(if w.recursive { "with recursive " } else { "with " });
        self.comma(w.ctes, |p, c| {
            p.ident(c.name);
            if !c.columns.is_empty() {
                p.put(" ");
                p.idents(c.columns);
            }
            p.put(" as (");
            p.table_query(c.query);
            p.put(")");
        });
        self.put(" ");
    }

    fn set_op(&mut self, s: &SetOp<'_>) {
        self.operand(&s.first);
        let names = std::mem::take(&mut self.items);
        for t in s.rest {
            self.put(match t.op {
                SetOpKind::Union => " union ",
                SetOpKind::Except => " except ",
                SetOpKind::Intersect => " intersect ",
            });
            if t.all {
                self.put("all ");
            }
            self.operand(&t.body);
        }
        self.items = names;
    }

    /// An operand of a set operation.
    fn operand(&mut self, b: &QueryBody<'_>) {
        match b {
            QueryBody::Select(s) => {
                self.select(s);
                // ORDER BY 1 of the whole names the first operand's column
                self.items = self.result_names(s);
            }
            QueryBody::Values(rows) => {
                self.put("values ");
                self.comma(rows, |p, r| {
                    p.put("row(");
                    p.comma(r, |p, e| p.expr(e));
                    p.put(")");
                });
            }
            QueryBody::Table(t) => {
                self.put("table ");
                self.table_name(t);
            }
            QueryBody::SetOp(s) => {
                self.put("(");
                self.set_op(s);
                self.put(")");
            }
            QueryBody::Paren(q) => {
                self.put("(");
                self.query(q);
                self.put(")");
            }
        }
    }

    /// The names of a block's columns as identifiers.
    fn result_names(&mut self, s: &Select<'_>) -> Vec<String> {
        let mut out = Vec::new();
        for i in s.items {
            match i {
                SelectItem::Wildcard(span) | SelectItem::TableWildcard { span, .. } => {
                    let list = self.names.wildcards.get(&span.start).cloned().unwrap_or_default();
                    out.extend(list.iter().map(|(_, n)| super::ident(n, self.style.quote)));
                }
                SelectItem::Expr { expr, alias } => {
                    let name = alias.map(str::to_owned).or_else(|| self.names.items.get(&expr.span.start).cloned());
                    out.push(name.map(|n| super::ident(&n, self.style.quote)).unwrap_or_default());
                }
            }
        }
        out
    }

    fn select(&mut self, s: &Select<'_>) {
        if self.style.select_ids {
            self.blocks += 1;
            self.put(&format!("/* select#{} */ ", self.blocks));
        }
        self.put("select ");
        if let Some(h) = s.hints {
            self.put("/*+ ");
            self.put(String::from_utf8_lossy(h).trim());
            self.put(" */ ");
        }
        let o = s.options;
        for (on, word) in [
            (o.distinct, "distinct "),
            (o.straight_join, "straight_join "),
            (o.high_priority, "high_priority "),
            (o.small_result, "sql_small_result "),
            (o.big_result, "sql_big_result "),
            (o.buffer_result, "sql_buffer_result "),
            (o.no_cache, "sql_no_cache "),
            (o.calc_found_rows, "sql_calc_found_rows "),
        ] {
            if on {
                self.put(word);
            }
        }
        let items = self.select_items(s);
        if !s.from.is_empty() {
            self.put(" from ");
        }
        self.tables_where(s.from, s.where_clause);
        self.items = items;
        if !s.group_by.is_empty() {
            self.put(" group by ");
            self.order_items(s.group_by);
            if s.rollup {
                self.put(" with rollup");
            }
        }
        if let Some(h) = s.having {
            self.put(" having ");
            self.condition(h);
        }
        if !s.windows.is_empty() {
            self.put(" window ");
            self.comma(s.windows, |p, (name, spec)| {
                p.ident(name);
                p.put(" AS ");
                p.window_spec(spec);
            });
        }
        if let Some(q) = s.qualify {
            self.put(" qualify ");
            self.expr(q);
        }
    }

    /// Prints the select list; the texts of its items.
    fn select_items(&mut self, s: &Select<'_>) -> Vec<String> {
        let mut texts = Vec::new();
        for (n, i) in s.items.iter().enumerate() {
            if n > 0 {
                self.put(",");
            }
            match i {
                SelectItem::Wildcard(span) | SelectItem::TableWildcard { span, .. } => {
                    let Some(list) = self.names.wildcards.get(&span.start).cloned() else {
                        self.wildcard(i);
                        texts.push(String::new());
                        continue;
                    };
                    self.comma(&list, |p, (name, alias): &(Name, String)| {
                        let text = p.apart(|p| p.name(name));
                        p.put(&text);
                        if !p.bare {
                            p.put(" AS ");
                            p.ident(alias);
                        }
                        texts.push(text);
                    });
                }
                SelectItem::Expr { expr, alias } => {
                    let text = self.apart(|p| p.expr(expr));
                    self.put(&text);
                    texts.push(text);
                    let found = self.names.items.get(&expr.span.start).filter(|_| !self.bare).cloned();
                    if let Some(a) = found.or(alias.map(str::to_owned)) {
                        self.put(" AS ");
                        if a.is_empty() {
                            self.put("''");
                        } else {
                            self.ident(&a);
                        }
                    }
                }
            }
        }
        texts
    }

    fn wildcard(&mut self, i: &SelectItem<'_>) {
        if let SelectItem::TableWildcard { schema, table, .. } = i {
            if let Some(s) = schema {
                self.ident(s);
                self.put(".");
            }
            self.ident(table);
            self.put(".");
        }
        self.put("*");
    }

    pub(super) fn order_by(&mut self, list: &[OrderItem<'_>]) {
        if !list.is_empty() {
            self.put(" order by ");
            self.order_items(list);
        }
    }

    fn order_items(&mut self, list: &[OrderItem<'_>]) {
        self.comma(list, |p, o| {
            p.order_item(&o.expr);
            if o.desc {
                p.put(" desc");
            }
        });
    }

    /// A position becomes the expression it stands for; a constant there is written as `''`, which orders nothing.
    fn order_item(&mut self, e: &Expr<'_>) {
        let e = unsigned(e);
        if let ExprKind::Literal(Literal { value: LitValue::Int(n), .. }) = e.kind {
            let item = self.items.get((*n as usize).wrapping_sub(1)).filter(|t| !t.is_empty()).cloned();
            match item {
                Some(t) if t.bytes().all(|b| b.is_ascii_digit()) => self.put("''"),
                Some(t) => self.put(&t),
                None => self.number(n),
            }
            return;
        }
        self.expr(e);
    }

    /// The comma list of FROM.
    pub(super) fn from(&mut self, refs: &[TableRef<'_>]) {
        if let [one] = refs {
            let t = self.apart(|p| p.table_ref(one));
            self.put(&t);
            return;
        }
        // `a, b, c` is `((a join b) join c)`
        let parts: Vec<String> = refs.iter().map(|r| self.apart(|p| p.table_ref(r))).collect();
        let mut text = String::new();
        for (i, p) in parts.iter().enumerate() {
            if i == 0 {
                text.clone_from(p);
            } else {
                text = format!("({text} join {p})");
            }
        }
        self.put(&text);
    }

    pub(super) fn table_ref(&mut self, r: &TableRef<'_>) {
        match r {
            TableRef::Table(t) => self.table_factor(t),
            TableRef::Derived(d) => self.derived(d),
            TableRef::JsonTable(j) => self.json_table(j),
            TableRef::Join(j) => self.join(j),
            TableRef::Paren(list) => self.from(list),
        }
    }

    fn table_factor(&mut self, t: &TableFactor<'_>) {
        self.table_name(&t.name);
        if !t.partitions.is_empty() {
            self.put(" PARTITION ");
            self.idents(t.partitions);
        }
        if let Some(a) = t.alias {
            self.put(" ");
            self.ident(a);
        }
        for h in t.hints {
            self.put(match h.kind {
                IndexHintKind::Use => " USE INDEX ",
                IndexHintKind::Ignore => " IGNORE INDEX ",
                IndexHintKind::Force => " FORCE INDEX ",
            });
            self.put(match h.scope {
                IndexHintScope::All => "",
                IndexHintScope::Join => "FOR JOIN ",
                IndexHintScope::OrderBy => "FOR ORDER BY ",
                IndexHintScope::GroupBy => "FOR GROUP BY ",
            });
            self.idents(h.indexes);
        }
    }

    fn derived(&mut self, d: &Derived<'_>) {
        if d.lateral {
            self.put("lateral ");
        }
        self.put("(");
        self.table_query(d.query);
        self.put(")");
        if !d.alias.is_empty() {
            self.put(" ");
            self.ident(d.alias);
        }
        if !d.columns.is_empty() {
            self.put(" ");
            self.idents(d.columns);
        }
    }

    fn join(&mut self, j: &Join<'_>) {
        let swap = j.kind == JoinKind::Right;
        let (left, right) = if swap { (&j.right, &j.left) } else { (&j.left, &j.right) };
        self.put("(");
        self.table_ref(left);
        let resolved = self.names.joins.get(&join_key(j.span)).cloned();
        let natural = j.natural && resolved.is_none();
        if natural {
            self.put(" natural");
        }
        self.put(match j.kind {
            JoinKind::Inner => " join ",
            JoinKind::Straight => " straight_join ",
            JoinKind::Left | JoinKind::Right => " left join ",
        });
        self.table_ref(right);
        match (resolved, j.condition) {
            (Some(pairs), _) if !pairs.is_empty() => {
                self.put(" on(");
                self.equalities(&pairs);
                self.put(")");
            }
            // a NATURAL outer join without common columns still needs a condition
            (Some(_), JoinCondition::None) if !matches!(j.kind, JoinKind::Inner | JoinKind::Straight) => {
                self.put(" on(true)");
            }
            (_, JoinCondition::On(e)) => {
                self.put(" on(");
                self.condition(e);
                self.put(")");
            }
            (None, JoinCondition::Using(cols)) => {
                self.put(" using ");
                self.idents(cols);
            }
            _ => {}
        }
        self.put(")");
    }

    pub(super) fn equalities(&mut self, pairs: &[(Name, Name)]) {
        if pairs.len() > 1 {
            self.put("(");
        }
        for (i, (a, b)) in pairs.iter().enumerate() {
            if i > 0 {
                self.put(" and ");
            }
            self.put("(");
            self.name(a);
            self.put(" = ");
            self.name(b);
            self.put(")");
        }
        if pairs.len() > 1 {
            self.put(")");
        }
    }

    fn json_table(&mut self, j: &JsonTable<'_>) {
        self.put("json_table(");
        self.expr(&j.doc);
        self.put(", ");
        self.bytes(j.path);
        self.put(" columns ");
        self.json_columns(j.columns);
        self.put(") ");
        self.ident(j.alias);
    }

    fn json_columns(&mut self, list: &[JsonColumn<'_>]) {
        self.put("(");
        for (i, c) in list.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            match c {
                JsonColumn::Ordinality(n) => {
                    self.ident(n);
                    self.put(" for ordinality");
                }
                JsonColumn::Value { name, ty, exists, path, on_empty, on_error } => {
                    self.ident(name);
                    self.put(" ");
                    self.data_type(ty);
                    self.put(if *exists { " exists path " } else { " path " });
                    self.bytes(path);
                    self.json_on(*on_empty, "empty");
                    self.json_on(*on_error, "error");
                }
                JsonColumn::Nested { path, columns } => {
                    self.put("nested path ");
                    self.bytes(path);
                    self.put(" columns ");
                    self.json_columns(columns);
                }
            }
        }
        self.put(")");
    }

    pub(super) fn json_on(&mut self, on: Option<JsonOn<'_>>, what: &str) {
        match on {
            None => return,
            Some(JsonOn::Null) => self.put(" null"),
            Some(JsonOn::Error) => self.put(" error"),
            Some(JsonOn::Default(e)) => {
                self.put(" default ");
                // a literal with its sign, which no parentheses may part
                match &e.kind {
                    ExprKind::Unary { op: UnaryOp::Neg, expr } => {
                        self.put("-");
                        self.expr(expr);
                    }
                    _ => self.expr(&e),
                }
            }
        }
        self.put(" on ");
        self.put(what);
    }

    /// ` OVER name` or ` OVER (..) `.
    pub(super) fn over(&mut self, w: &WindowRef<'_>) {
        self.put(" OVER ");
        match w {
            WindowRef::Named(n) => self.ident(n),
            WindowRef::Spec(s) => self.window_spec(s),
        }
    }

    fn window_spec(&mut self, s: &WindowSpec<'_>) {
        self.put("(");
        if let Some(b) = s.base {
            self.ident(b);
            self.put(" ");
        }
        if !s.partition_by.is_empty() {
            self.put("PARTITION BY ");
            self.comma(s.partition_by, |p, e| p.expr(e));
            self.put(" ");
        }
        if !s.order_by.is_empty() {
            self.put("ORDER BY ");
            self.comma(s.order_by, |p, o| {
                p.expr(&o.expr);
                if o.desc {
                    p.put(" desc");
                }
            });
            self.put(" ");
        }
        if let Some(f) = s.frame {
            self.frame(f);
        }
        self.put(") ");
    }

    fn frame(&mut self, f: &Frame<'_>) {
        self.put(match f.unit {
            FrameUnit::Rows => "ROWS BETWEEN ",
            FrameUnit::Range => "RANGE BETWEEN ",
            FrameUnit::Groups => "GROUPS BETWEEN ",
        });
        self.bound(&f.start);
        self.put(" AND ");
        self.bound(&f.end);
        match f.exclude {
            None => {}
            Some(FrameExclude::CurrentRow) => self.put(" EXCLUDE CURRENT ROW"),
            Some(FrameExclude::Group) => self.put(" EXCLUDE GROUP"),
            Some(FrameExclude::Ties) => self.put(" EXCLUDE TIES"),
            Some(FrameExclude::NoOthers) => self.put(" EXCLUDE NO OTHERS"),
        }
    }

    fn bound(&mut self, b: &FrameBound<'_>) {
        let offset = |p: &mut Self, o: &FrameOffset<'_>, word: &str| {
            match o.unit {
                Some(u) => {
                    p.put("INTERVAL ");
                    p.expr(o.value);
                    p.put(" ");
                    p.put(u.name());
                }
                None => p.expr(o.value),
            }
            p.put(word);
        };
        match b {
            FrameBound::UnboundedPreceding => self.put("UNBOUNDED PRECEDING"),
            FrameBound::UnboundedFollowing => self.put("UNBOUNDED FOLLOWING"),
            FrameBound::CurrentRow => self.put("CURRENT ROW"),
            FrameBound::Preceding(o) => offset(self, o, " PRECEDING"),
            FrameBound::Following(o) => offset(self, o, " FOLLOWING"),
        }
    }
}

/// What stands in parentheses and behind `+`, which the grammar leaves out: `ORDER BY +(2)` is a position too.
pub(super) fn unsigned<'e, 'a>(e: &'e Expr<'a>) -> &'e Expr<'a> {
    match &e.kind {
        ExprKind::Paren(inner) | ExprKind::Unary { op: UnaryOp::Plus, expr: inner } => unsigned(inner),
        _ => e,
    }
}
