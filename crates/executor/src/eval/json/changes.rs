//! What an UPDATE changes in its JSON columns, step by step, for the binary log
//! (`binlog_row_value_options=PARTIAL_JSON`).
//!
//! Steps are known where a column is assigned JSON_SET, JSON_REPLACE or JSON_REMOVE of itself, or several of these one
//! inside the other. The calls are told apart from others in the same expression by their addresses: `JSON_SET(j, '$.a',
//! JSON_SET('{}', '$.b', 1))` changes `j` in one step.
//!
//! Belongs to one execution; the steps are those of the row at hand. Tested: `tests/binlog/test_partial_json.py`.

use planner::expr::{Expr, ExprKind};
use planner::func::FuncId;
use smallvec::SmallVec;
use value::Value;
use value::json::diff::Diff;

/// See the module.
#[derive(Debug, Default)]
pub struct JsonChanges {
    /// Steps are wanted.
    pub on: bool,
    /// Addresses of the arguments of the calls that change the column at hand.
    calls: SmallVec<[usize; 2]>,
    /// Steps of the assignment that is being computed.
    pub done: Vec<Diff>,
    /// Columns, the documents that they have become (address and length), and the steps there.
    columns: Vec<(u16, (usize, usize), Vec<Diff>)>,
}

fn place(v: Value<'_>) -> Option<(usize, usize)> {
    match v {
        Value::Json(d) => Some((d.as_ptr() as usize, d.len())),
        _ => None,
    }
}

/// The argument lists of calls that change this column of a row in one of these slots, the innermost last; empty: it is
/// assigned something else.
fn calls(e: &Expr, column: u16, slots: (u16, u16)) -> SmallVec<[usize; 2]> {
    let mut out = SmallVec::new();
    let mut e = e;
    loop {
        match &e.kind {
            ExprKind::Call(FuncId::JsonSet | FuncId::JsonReplace | FuncId::JsonRemove, args) => {
                let Some(first) = args.first() else { return SmallVec::new() };
                out.push(args.as_ptr() as usize);
                e = first;
            }
            ExprKind::Column { slot, column: c } if *c == column && (*slot == slots.0 || *slot == slots.1) => {
                return out;
            }
            _ => return SmallVec::new(),
        }
    }
}

impl JsonChanges {
    /// A row's assignments begin; `on`: steps are wanted.
    pub fn begin_row(&mut self, on: bool) {
        self.on = on;
        self.columns.clear();
    }

    /// A column is assigned.
    pub fn begin(&mut self, e: &Expr, column: u16, slots: (u16, u16)) {
        self.done.clear();
        self.calls = calls(e, column, slots);
    }

    /// It has become `v`.
    pub fn end(&mut self, column: u16, v: Value<'_>, first: bool) {
        let known = !std::mem::take(&mut self.calls).is_empty();
        let before = self.columns.iter().position(|c| c.0 == column).map(|at| self.columns.swap_remove(at));
        let mut steps = std::mem::take(&mut self.done);
        match (place(v).filter(|_| known), before) {
            (Some(at), Some((_, _, mut earlier))) => {
                earlier.append(&mut steps);
                self.columns.push((column, at, earlier));
            }
            (Some(at), None) if first => self.columns.push((column, at, steps)),
            _ => {}
        }
    }

    /// Whether a call with these arguments is to tell its steps.
    #[inline]
    pub fn concerns(&self, args: &[Expr]) -> bool {
        !self.calls.is_empty() && self.calls.contains(&(args.as_ptr() as usize))
    }

    /// The steps that have made column `column` what it is, `v`; `None`: they are not known.
    pub fn of(&self, column: u16, v: Value<'_>) -> Option<&[Diff]> {
        let found = self.columns.iter().find(|c| c.0 == column && Some(c.1) == place(v))?;
        Some(&found.2)
    }
}
