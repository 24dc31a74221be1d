//! MATCH (columns) AGAINST (text): which index it uses, and the order that a search in natural language gives.
//!
//! The columns are those of one base table and of one of its visible FULLTEXT indexes, in any order (1210, 1191, 1214); the text is
//! the same for all rows (1210). The call's arguments are the text, then the columns: its value is computed from the values of the
//! columns wherever they are at hand, and the plan's list of searches says which table is counted for it.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, MatchMode};
use value::fulltext::Language;

use super::Binder;
use crate::expr::{CmpOp, Expr, ExprKind};
use crate::func::FuncId;
use crate::plan::{Match, Plan, SlotDef};
use crate::types;

fn wrong(what: &str) -> SqlError {
    SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&what])
}

impl<'a> Binder<'a, '_> {
    pub(super) fn match_against(
        &mut self,
        columns: &'a [ast::Expr<'a>],
        against: &ast::Expr<'a>,
        mode: MatchMode,
    ) -> SqlResult<Expr> {
        let text = self.scalar(against)?;
        if self.varies(&text) {
            return Err(wrong("AGAINST"));
        }
        let mut args = vec![text];
        let (mut slot, mut wanted) = (None, Vec::new());
        for c in columns {
            let e = self.scalar(c)?;
            let ExprKind::Column { slot: s, column } = e.kind else { return Err(wrong("MATCH")) };
            if *slot.get_or_insert(s) != s {
                return Err(wrong("MATCH"));
            }
            wanted.push(column);
            args.push(e);
        }
        let slot = slot.ok_or_else(|| wrong("MATCH"))?;
        let Some(SlotDef::Table(table)) = self.draft.slots.get(slot as usize) else {
            return Err(SqlError::new(ErrorCode::TABLE_CANT_HANDLE_FT, &[]));
        };
        let table = *table;
        let def = self.draft.tables.get(table as usize).map(|t| t.def.clone());
        let fits =
            |columns: &[u16]| columns.iter().all(|c| wanted.contains(c)) && wanted.iter().all(|c| columns.contains(c));
        let index = def
            .and_then(|d| d.fulltext.iter().position(|i| i.visible && fits(&i.columns)))
            .ok_or_else(|| SqlError::new(ErrorCode::FT_MATCHING_KEY_NOT_FOUND, &[]))?;
        let language = if mode == MatchMode::Boolean { Language::Boolean } else { Language::Natural };
        let expansion = mode == MatchMode::NaturalLanguageExpansion;
        let n = self.search(Match {
            table,
            slot,
            index: index as u16,
            language,
            expansion,
            text: args.first().cloned(),
            alone: false,
        });
        let (ty, coer) = types::function(FuncId::Match(n), &args, &self.tcx)?;
        Ok(Expr { kind: ExprKind::Call(FuncId::Match(n), args.into()), ty, coer })
    }

    /// The search's number: the same search has the same one.
    fn search(&mut self, m: Match) -> u16 {
        let same = |o: &Match| {
            let texts = matches!((&o.text, &m.text), (Some(a), Some(b)) if a.same(b));
            (o.slot, o.index, o.language, o.expansion) == (m.slot, m.index, m.language, m.expansion) && texts
        };
        if let Some(n) = self.draft.matches.iter().position(same) {
            return n as u16;
        }
        self.draft.matches.push(m);
        (self.draft.matches.len() - 1) as u16
    }

    /// Whether a value differs between the rows of a statement.
    fn varies(&self, e: &Expr) -> bool {
        e.any(&mut |x| match &x.kind {
            ExprKind::Column { .. }
            | ExprKind::Agg { .. }
            | ExprKind::Win(_)
            | ExprKind::InsertedValue(_)
            | ExprKind::DefaultValue
            | ExprKind::Row(_) => true,
            ExprKind::Subquery(id, _) => self.draft.subs.get(*id as usize).is_none_or(|s| s.repeated()),
            ExprKind::Call(f, _) => !f.is_deterministic(),
            _ => false,
        })
    }

    /// The search in natural language whose rank orders the rows, if no other order is asked for: one that must match.
    pub(in crate::bind) fn ranking(&self, conds: &[Expr]) -> Option<Expr> {
        conds.iter().find_map(|c| searched(c, &self.draft.matches, Language::Natural)).cloned()
    }
}

/// The MATCH that a condition demands, alone or compared with a bound below.
fn searched<'e>(cond: &'e Expr, matches: &[Match], language: Language) -> Option<&'e Expr> {
    let is = |e: &Expr| match &e.kind {
        ExprKind::Call(FuncId::Match(n), _) => matches.get(*n as usize).is_some_and(|m| m.language == language),
        _ => false,
    };
    match &cond.kind {
        ExprKind::Call(..) if is(cond) => Some(cond),
        ExprKind::Compare { op: CmpOp::Gt | CmpOp::Ge, args, .. } => {
            let [a, b] = args.as_ref();
            (is(a) && !matches!(b.kind, ExprKind::Column { .. })).then_some(a)
        }
        ExprKind::Compare { op: CmpOp::Lt | CmpOp::Le, args, .. } => {
            let [a, b] = args.as_ref();
            (is(b) && !matches!(a.kind, ExprKind::Column { .. })).then_some(b)
        }
        // `0 <> MATCH ...`: what a view's text has for a MATCH that stands alone
        ExprKind::Compare { op: CmpOp::Ne, args, .. } => {
            let [a, b] = args.as_ref();
            (is(b) && matches!(a.kind, ExprKind::Const(_) | ExprKind::Param(_))).then_some(b)
        }
        ExprKind::And(list) => list.iter().find_map(|c| searched(c, matches, language)),
        _ => None,
    }
}

/// The search's number, if an expression is one.
pub(crate) fn number(e: &Expr) -> Option<u16> {
    match e.kind {
        ExprKind::Call(FuncId::Match(n), _) => Some(n),
        _ => None,
    }
}

/// For EXPLAIN: the search that a scan's condition demands.
pub(crate) fn search_of<'p>(filter: &Expr, plan: &'p Plan) -> Option<&'p Match> {
    let e = searched(filter, &plan.matches, Language::Natural)
        .or_else(|| searched(filter, &plan.matches, Language::Boolean))?;
    match &e.kind {
        ExprKind::Call(FuncId::Match(n), _) => plan.matches.get(*n as usize),
        _ => None,
    }
}
