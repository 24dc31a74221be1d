//! The draft of a statement's plan: lists and facts to which binding and optimizing of all its blocks add, and which
//! end up in the [`Plan`](crate::plan::Plan).

use std::cell::RefCell;

use base::SqlResult;
use hashbrown::{HashMap, HashSet};
use value::SqlType;

use super::hints::TableHints;
use super::interrupt::Interrupt;
use crate::expr::{Expr, ExprKind, SlotId};
use crate::func::FuncId;
use crate::plan::{Dive, FunctionUse, Match, Notes, RangeKey, SlotDef, SubPlan, TableUse, ViewUse, VirtualUse};
use crate::types::num_class;

/// See the module.
#[derive(Default)]
pub(crate) struct Draft {
    /// Base tables.
    pub(crate) tables: Vec<TableUse>,
    /// Row slots.
    pub(crate) slots: Vec<SlotDef>,
    /// Names that columns of derived tables have, by slot.
    pub(crate) built: Vec<(SlotId, Box<[Box<str>]>)>,
    /// Subqueries of expressions.
    pub(crate) subs: Vec<SubPlan>,
    /// Full-text searches.
    pub(crate) matches: Vec<Match>,
    /// Ranges that are counted.
    pub(crate) dives: Dives,
    /// How many expressions are evaluated once per execution.
    pub(crate) once: u32,
    /// User variables that an expression of the statement assigns to.
    pub(crate) assigned: HashSet<Box<str>>,
    /// What is said of the plan as a whole.
    pub(crate) notes: Notes,
    /// Views read, outermost first.
    pub(crate) views: Vec<ViewUse>,
    /// Computed tables that need SELECT.
    pub(crate) virtuals: Vec<VirtualUse>,
    /// Stored functions.
    pub(crate) functions: Vec<FunctionUse>,
    /// What hints say about tables.
    pub(crate) table_hints: HashMap<SlotId, TableHints>,
    /// The rows that the statement reads are locked, whatever clause is there.
    pub(crate) locks_reads: bool,
    /// The statement is HANDLER ... READ.
    pub(crate) handler: bool,
    /// Whether planning must stop.
    pub(crate) interrupt: Interrupt,
    /// Columns that derived tables read from tables to their left.
    pub(crate) lateral_refs: Vec<(SlotId, u16)>,
}

/// A statement's dives.
#[derive(Default)]
pub(crate) struct Dives {
    /// Counts of the round before.
    pub(crate) counted: Vec<(RangeKey, f64)>,
    /// Asked for in this one.
    pub(crate) asked: RefCell<Vec<Dive>>,
    /// `eq_range_index_dive_limit`; 0: no limit.
    pub(crate) limit: u64,
}

impl Draft {
    /// Slots an expression reads, through its subqueries too.
    pub(crate) fn expr_slots(&self, e: &Expr) -> HashSet<SlotId> {
        let mut out = HashSet::new();
        e.walk(&mut |x| match x.kind {
            ExprKind::Column { slot, .. } => {
                out.insert(slot);
            }
            ExprKind::Subquery(id, _) => {
                if let Some(s) = self.subs.get(id as usize) {
                    out.extend(s.refs.iter().map(|r| r.0));
                }
            }
            _ => {}
        });
        out
    }

    /// 1317 or 3024 if the statement is to end: asked wherever planning may take long.
    pub(crate) fn check_interrupt(&self) -> SqlResult<()> {
        self.interrupt.check(self.notes.max_execution_time)
    }

    /// Number for an expression evaluated once per execution.
    pub(crate) fn next_once(&mut self) -> u32 {
        self.once += 1;
        self.once - 1
    }

    /// AND of conditions with constants hoisted.
    pub(crate) fn conjunction(&mut self, conds: Vec<Expr>) -> Option<Expr> {
        let mut conds = conds;
        for c in &mut conds {
            self.hoist(c);
        }
        match conds.len() {
            0 => None,
            1 => conds.pop(),
            _ => {
                let nullable = conds.iter().any(|c| c.ty.nullable);
                let ty = crate::types::longlong(1).nullable(nullable);
                Some(Expr { kind: ExprKind::And(conds.into()), ty, coer: crate::expr::Coercibility::Numeric })
            }
        }
    }

    /// [`Draft::hoist`] of what is computed for each row, not asked of it: functions of a schema are called each time,
    /// DETERMINISTIC ones with constant arguments too, as in MySQL. What they do besides is seen. Once is what a
    /// comparison converts.
    pub(crate) fn hoist_value(&mut self, e: &mut Expr) {
        if let ExprKind::Compare { args, .. } = &mut e.kind {
            let [a, b] = args.as_mut();
            let types = [b.ty.clone(), a.ty.clone()];
            for (x, other) in [a, b].into_iter().zip(types) {
                if self.is_converted(x, &other) {
                    let n = self.next_once();
                    let inner = std::mem::replace(x, Expr::null());
                    *x = Expr { ty: inner.ty.clone(), coer: inner.coer, kind: ExprKind::Once(n, Box::new(inner)) };
                }
            }
        }
        match e.any(&mut |x| matches!(x.kind, ExprKind::Call(FuncId::StoredConstant(_), _))) {
            false => self.hoist(e),
            true => e.children_mut(&mut |c| self.hoist_value(c)),
        }
    }

    /// Whether a call has one value for an execution, which comparing it with `other` converts.
    fn is_converted(&self, e: &Expr, other: &SqlType) -> bool {
        let varies = |x: &Expr| match &x.kind {
            // it changes only where LAST_INSERT_ID(n) or a program does that
            ExprKind::Call(FuncId::LastInsertId, args) if args.is_empty() => false,
            // nor does MySQL ask again for one that only a function assigns to
            ExprKind::UserVar(name) => self.assigned.contains(name.to_lowercase().as_str()),
            _ => x.varies(|id| self.subs.get(id as usize).is_none_or(SubPlan::repeated)),
        };
        let converted = match e.ty.kind.is_string() {
            true => other.kind.is_numeric(),
            false => num_class(&e.ty) < num_class(other),
        };
        converted && matches!(e.kind, ExprKind::Call(FuncId::StoredConstant(_), _)) && !e.any(&mut |x| varies(x))
    }

    /// Wraps the largest constant sub-expressions that are worth remembering.
    pub(crate) fn hoist(&mut self, e: &mut Expr) {
        let leaf = matches!(
            e.kind,
            ExprKind::Const(_)
                | ExprKind::Param(_)
                | ExprKind::Column { .. }
                | ExprKind::Once(..)
                | ExprKind::Subquery(..)
                | ExprKind::UserVar(_)
                | ExprKind::InsertedValue(_)
                | ExprKind::DefaultValue
        );
        if leaf {
            return;
        }
        if e.is_const() {
            let n = self.next_once();
            let inner = std::mem::replace(e, Expr::null());
            *e = Expr { ty: inner.ty.clone(), coer: inner.coer, kind: ExprKind::Once(n, Box::new(inner)) };
            return;
        }
        e.children_mut(&mut |c| self.hoist(c));
    }
}
