//! Views in FROM: their stored text is bound in their own schema, with the collation and the account they were made with.
//!
//! What a view reads is noted in [`State::views`](super::State): the session takes metadata locks on the views too, drops a
//! cached plan when one has changed, and checks privileges: of the asking account on the view it names, and of the definer
//! (SQL SECURITY DEFINER) or again of the asking account (INVOKER) on what the view reads.

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use storage::dict::ViewDef;
use value::{CollationId, SqlMode};

use super::Binder;
use super::merge_derived::Source;
use crate::plan::{Via, ViewUse};

/// Views within views (MySQL has no such limit but its stack).
const MAX_DEPTH: u32 = 64;

/// A property of a view.
pub(crate) fn option<'v>(view: &'v ViewDef, name: &str) -> Option<&'v str> {
    view.options.iter().find(|o| o.0 == name).map(|o| o.1.as_str())
}

/// 1356.
fn invalid(schema: &str, name: &str) -> SqlError {
    SqlError::new(ErrorCode::VIEW_INVALID, &[&schema, &name])
}

/// The account in `user@host`.
pub(crate) fn account(definer: &str) -> (String, String) {
    let (user, host) = definer.rsplit_once('@').unwrap_or((definer, "%"));
    (user.to_owned(), host.to_owned())
}

/// ALGORITHM=MERGE: whatever `derived_merge` says.
pub(super) fn merges_always(view: &ViewDef) -> bool {
    option(view, "ALGORITHM") == Some("MERGE")
}

impl Binder<'_, '_> {
    /// Binds a view's query. `merge`: it may become part of the enclosing block. `privileges`: what the statement needs on
    /// the view. 1356 when something it names is not there, 1462 for a view that contains itself.
    pub(crate) fn view_source(
        &mut self,
        view: &Arc<ViewDef>,
        alias: &str,
        privileges: u32,
        merge: bool,
    ) -> SqlResult<Source> {
        let name = (view.schema.clone(), view.name.clone());
        if self.st.view_stack.contains(&name) {
            return Err(SqlError::new(ErrorCode::VIEW_RECURSIVE, &[&view.schema, &view.name]));
        }
        let outer = self.st.via.clone();
        let (top_schema, top_name) = match &outer {
            Some(v) => (v.schema.clone(), v.name.clone()),
            None => name.clone(),
        };
        if self.st.depth + 1 > MAX_DEPTH {
            return Err(invalid(&top_schema, &top_name));
        }
        if outer.is_none() {
            self.st.view_instances += 1;
            let (schema, name) = name.clone();
            let instance = self.st.view_instances;
            self.st.top_view =
                Some(super::changed_and_read::TopView { schema, name, alias: alias.to_owned(), instance });
        }
        let instance = self.st.top_view.as_ref().map_or(0, |v| v.instance);
        self.draft.views.push(ViewUse::new(view.clone(), privileges, outer.clone()));
        let definer = match option(view, "SECURITY") {
            Some("INVOKER") => outer.as_ref().and_then(|v| v.definer.clone()),
            _ => option(view, "DEFINER").map(account),
        };
        let via = Via { schema: top_schema.clone(), name: top_name.clone(), definer };
        let arena = bumpalo::Bump::new();
        let mut lexed = parser::Lexed::new();
        let sql = view.select.as_bytes();
        lexed.tokenize(sql, 0, parser::Mode::default());
        let parsed = parser::parse(&arena, sql, &mut lexed)?;
        let ast::Statement::Query(q) = parsed.statement else { return Err(invalid(&top_schema, &top_name)) };
        let merge = merge && option(view, "ALGORITHM") != Some("TEMPTABLE");
        let mut tcx = self.tcx;
        if let Some(c) = option(view, "COLLATION").and_then(|n| n.parse().ok()) {
            tcx.connect(CollationId(c));
        }
        let mut inner = self.for_text(sql, &view.schema);
        inner.tcx = tcx;
        // the view was accepted under the mode of its creation
        inner.mode = SqlMode(self.mode.0 & !SqlMode::ONLY_FULL_GROUP_BY.0);
        inner.nullable_side = self.nullable_side;
        inner.st.depth += 1;
        inner.st.view_stack.push(name);
        inner.st.via = Some(Arc::new(via));
        let bound = inner.source(q, merge);
        inner.st.depth -= 1;
        inner.st.view_stack.pop();
        if outer.is_none() {
            inner.st.top_view = None;
        }
        inner.st.via = outer;
        self.resume(inner);
        let mut source = bound.map_err(|e| {
            let hidden = [
                ErrorCode::BAD_FIELD_ERROR,
                ErrorCode::NO_SUCH_TABLE,
                ErrorCode::BAD_DB_ERROR,
                ErrorCode::UNKNOWN_TABLE,
                ErrorCode::NON_UNIQ_ERROR,
                ErrorCode::SP_DOES_NOT_EXIST,
            ];
            if hidden.iter().any(|c| e.is(*c)) { invalid(&top_schema, &top_name) } else { e }
        })?;
        if let Source::Merged(m) = &mut source {
            m.table.view = Some(view.clone());
            m.table.instance = instance;
            match option(view, "CHECK") {
                Some("CASCADED") => m.table.checks.clone_from(&m.table.conds),
                Some("LOCAL") => {
                    let own = m.table.own_conds.clone();
                    m.table.checks.extend(own);
                }
                _ => {}
            }
        }
        Ok(source)
    }
}
