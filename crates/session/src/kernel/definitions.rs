//! Definitions that a session may know of: a view's columns, and whether a text can be planned and run.

use crate::kernel::session::Session;
use base::SqlResult;

impl Session {
    /// Columns of a view that the account may know of, and what it names, whatever its definer may.
    pub(crate) fn described(&self, v: &std::sync::Arc<storage::dict::ViewDef>) -> SqlResult<planner::view::Described> {
        planner::view::describe(v, &self.view())
    }

    /// Whether a query can be planned and run.
    pub(crate) fn plan_text(&self, text: &str) -> SqlResult<planner::plan::Plan> {
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(text.as_bytes(), 0, parser::Mode::default());
        let arena = bumpalo::Bump::new();
        let parsed = parser::parse(&arena, text.as_bytes(), &mut lexed)?;
        let resolver = crate::kernel::resolver::SessionResolver(&self.env);
        let plan = planner::plan(&parsed.statement, &planner::Request::plain(text.as_bytes(), &resolver))?;
        executor::gate::Cleared::check(&plan, &self.env)?;
        Ok(plan)
    }
}
