//! Window specifications: names, inheritance, frames (manual, "Window Function Concepts and Syntax").
//!
//! Specifications are bound while the select list is; the calls that use them collect in the scope. `window_nodes` turns both into plan nodes.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, FrameUnit, LitValue, WindowRef};
use value::OwnedValue;

use super::scope::{Clause, same_name};
use super::{Binder, unsupported};
use crate::expr::{Expr, ExprKind};
use crate::func::Unit;
use crate::window::WindowFunc;

/// How messages call a window without a name.
const UNNAMED: &str = "<unnamed window>";

/// A bound specification.
#[derive(Clone, Debug)]
pub(crate) struct BoundWindow {
    /// Name, or what messages print instead.
    pub(crate) name: String,
    pub(crate) partition: Vec<Expr>,
    pub(crate) order: Vec<(Expr, bool)>,
    pub(crate) frame: Option<BoundFrame>,
}

/// A frame as written.
#[derive(Clone, Debug)]
pub(crate) struct BoundFrame {
    pub(crate) rows: bool,
    pub(crate) start: BoundEnd,
    pub(crate) end: BoundEnd,
}

/// An end of a frame.
#[derive(Clone, Debug)]
pub(crate) enum BoundEnd {
    Unbounded,
    Current,
    Offset { preceding: bool, value: Expr, unit: Option<Unit> },
}

/// A call found in the select list or ORDER BY.
#[derive(Clone, Debug)]
pub(crate) struct BoundCall {
    pub(crate) func: WindowFunc,
    pub(crate) args: Vec<Expr>,
    /// Index into the scope's windows.
    pub(crate) window: usize,
    pub(crate) ty: value::SqlType,
}

/// Windows and calls of a block.
pub(crate) struct Over<'w> {
    pub(crate) windows: &'w [BoundWindow],
    pub(crate) calls: &'w [BoundCall],
}

impl<'w> Over<'w> {
    /// Arguments, partitions and orders of all of them.
    pub(crate) fn exprs(&self) -> impl Iterator<Item = &'w Expr> {
        let args = self.calls.iter().flat_map(|c| c.args.iter());
        args.chain(self.windows.iter().flat_map(|w| w.partition.iter().chain(w.order.iter().map(|o| &o.0))))
    }

    /// The arguments of the calls inside an expression.
    pub(crate) fn arguments(&self, e: &Expr) -> Vec<&'w Expr> {
        let mut out = Vec::new();
        e.walk(&mut |x| {
            if let ExprKind::Win(n) = x.kind {
                out.extend(self.calls.get(n as usize).iter().flat_map(|c| c.args.iter()));
            }
        });
        out
    }

    /// Those of the calls inside an expression, with their windows' partitions and orders.
    pub(crate) fn below(&self, e: &Expr) -> Vec<&'w Expr> {
        let mut out = Vec::new();
        e.walk(&mut |x| {
            if let ExprKind::Win(n) = x.kind
                && let Some(c) = self.calls.get(n as usize)
            {
                let w = self.windows.get(c.window);
                out.extend(c.args.iter());
                out.extend(w.iter().flat_map(|w| w.partition.iter().chain(w.order.iter().map(|o| &o.0))));
            }
        });
        out
    }
}

impl BoundWindow {
    /// Same partitioning and ordering: one sort does for both.
    pub(crate) fn same_keys(&self, o: &BoundWindow) -> bool {
        self.partition.len() == o.partition.len()
            && self.order.len() == o.order.len()
            && self.partition.iter().zip(&o.partition).all(|(a, b)| a.same(b))
            && self.order.iter().zip(&o.order).all(|(a, b)| a.1 == b.1 && a.0.same(&b.0))
    }
}

impl<'a> Binder<'a, '_> {
    /// Binds the WINDOW clause.
    pub(crate) fn define_windows(&mut self, list: &[(&'a str, ast::WindowSpec<'a>)]) -> SqlResult<()> {
        for (i, (name, _)) in list.iter().enumerate() {
            if list.iter().take(i).any(|(n, _)| same_name(n, name)) {
                return Err(SqlError::new(ErrorCode::WINDOW_DUPLICATE_NAME, &[name]));
            }
        }
        // every chain of references ends at a window without one
        for (start, first) in list {
            let mut at = first.base;
            let mut steps = 0;
            while let Some(b) = at {
                let Some((_, next)) = list.iter().find(|(n, _)| same_name(n, b)) else {
                    return Err(SqlError::new(ErrorCode::WINDOW_NO_SUCH_WINDOW, &[&b]));
                };
                steps += 1;
                if steps > list.len() || same_name(b, start) {
                    return Err(SqlError::new(ErrorCode::WINDOW_CIRCULARITY_IN_WINDOW_GRAPH, &[]));
                }
                at = next.base;
            }
        }
        let mut left: Vec<&(&'a str, ast::WindowSpec<'a>)> = list.iter().collect();
        while !left.is_empty() {
            let known: Vec<String> = self.scope()?.windows.iter().map(|w| w.name.clone()).collect();
            let ready = |s: &ast::WindowSpec<'a>| s.base.is_none_or(|b| known.iter().any(|k| same_name(k, b)));
            let Some(at) = left.iter().position(|(_, s)| ready(s)) else { break };
            let (name, spec) = left.remove(at);
            let w = self.window_spec(spec, Some(name))?;
            self.scope()?.windows.push(w);
        }
        Ok(())
    }

    /// The window of OVER: index into the scope's windows.
    pub(super) fn window_of(&mut self, over: &WindowRef<'a>) -> SqlResult<usize> {
        match over {
            WindowRef::Named(n) => self.named_window(n),
            WindowRef::Spec(s) => {
                let w = self.window_spec(s, None)?;
                let windows = &mut self.scope()?.windows;
                windows.push(w);
                Ok(windows.len() - 1)
            }
        }
    }

    fn named_window(&mut self, name: &str) -> SqlResult<usize> {
        self.scope()?
            .windows
            .iter()
            .position(|w| same_name(&w.name, name))
            .ok_or_else(|| SqlError::new(ErrorCode::WINDOW_NO_SUCH_WINDOW, &[&name]))
    }

    fn window_spec(&mut self, s: &ast::WindowSpec<'a>, name: Option<&str>) -> SqlResult<BoundWindow> {
        let name = name.unwrap_or(UNNAMED).to_owned();
        let mut w = BoundWindow { name, partition: Vec::new(), order: Vec::new(), frame: None };
        if let Some(base) = s.base {
            let at = self.named_window(base)?;
            let parent = self.scope()?.windows.get(at).cloned();
            if let Some(p) = parent {
                if !s.partition_by.is_empty() {
                    return Err(SqlError::new(ErrorCode::WINDOW_NO_CHILD_PARTITIONING, &[]));
                }
                if p.frame.is_some() {
                    return Err(SqlError::new(ErrorCode::WINDOW_NO_INHERIT_FRAME, &[&p.name]));
                }
                if !p.order.is_empty() && !s.order_by.is_empty() {
                    return Err(SqlError::new(ErrorCode::WINDOW_NO_REDEFINE_ORDER_BY, &[&w.name, &p.name]));
                }
                w.partition = p.partition;
                w.order = p.order;
            }
        }
        for e in s.partition_by {
            let e = self.spec_expr(e, &w.name, Clause::WindowPartition)?;
            w.partition.push(e);
        }
        for o in s.order_by {
            let e = self.spec_expr(&o.expr, &w.name, Clause::WindowOrder)?;
            w.order.push((e, o.desc));
        }
        if let Some(f) = s.frame {
            w.frame = Some(self.frame(f, &w)?);
        }
        Ok(w)
    }

    fn spec_expr(&mut self, e: &ast::Expr<'a>, window: &str, clause: Clause) -> SqlResult<Expr> {
        if matches!(e.kind, ast::ExprKind::Literal(ast::Literal { value: LitValue::Int(_), .. })) {
            return Err(SqlError::new(ErrorCode::WINDOW_ILLEGAL_ORDER_BY, &[&window]));
        }
        let scope = self.scope()?;
        let before = scope.in_spec.replace(window.to_owned());
        let clause = scope.clause.replace(clause);
        let bound = self.scalar(e);
        let scope = self.scope()?;
        scope.in_spec = before;
        scope.clause = clause;
        bound
    }

    fn frame(&mut self, f: &ast::Frame<'a>, w: &BoundWindow) -> SqlResult<BoundFrame> {
        if f.unit == FrameUnit::Groups {
            return unsupported("GROUPS");
        }
        if f.exclude.is_some() {
            return unsupported("EXCLUDE");
        }
        let rows = f.unit == FrameUnit::Rows;
        use ast::FrameBound as B;
        match (f.start, f.end) {
            (B::UnboundedFollowing, _) => return Err(SqlError::new(ErrorCode::WINDOW_FRAME_START_ILLEGAL, &[&w.name])),
            (_, B::UnboundedPreceding) => return Err(SqlError::new(ErrorCode::WINDOW_FRAME_END_ILLEGAL, &[&w.name])),
            (B::CurrentRow, B::Preceding(_)) | (B::Following(_), B::Preceding(_) | B::CurrentRow) => {
                return Err(SqlError::new(ErrorCode::WINDOW_FRAME_ILLEGAL, &[&w.name]));
            }
            _ => {}
        }
        Ok(BoundFrame { rows, start: self.frame_end(&f.start, rows, w)?, end: self.frame_end(&f.end, rows, w)? })
    }

    fn frame_end(&mut self, b: &ast::FrameBound<'a>, rows: bool, w: &BoundWindow) -> SqlResult<BoundEnd> {
        use ast::FrameBound as B;
        let (offset, preceding) = match b {
            B::UnboundedPreceding | B::UnboundedFollowing => return Ok(BoundEnd::Unbounded),
            B::CurrentRow => return Ok(BoundEnd::Current),
            B::Preceding(o) => (o, true),
            B::Following(o) => (o, false),
        };
        let err = |c: ErrorCode| Err(SqlError::new(c, &[&w.name]));
        let value = self.scalar(offset.value)?;
        if rows {
            self.derive_rows(&value)
        } else {
            self.derive_count(&value)
        };
        let u = offset.unit;
        if !value.is_const() && !matches!(value.kind, ExprKind::UserVar(_)) {
            return err(ErrorCode::WINDOW_RANGE_BOUND_NOT_CONSTANT);
        }
        if matches!(value.kind, ExprKind::Const(OwnedValue::Null)) {
            return err(ErrorCode::WINDOW_FRAME_ILLEGAL);
        }
        if rows {
            if u.is_some() {
                return err(ErrorCode::WINDOW_ROWS_INTERVAL_USE);
            }
            if !value.ty.kind.is_integer() && !matches!(value.kind, ExprKind::Param(_)) {
                return err(ErrorCode::WINDOW_FRAME_ILLEGAL);
            }
            return Ok(BoundEnd::Offset { preceding, value, unit: None });
        }
        let [(order, _)] = w.order.as_slice() else { return err(ErrorCode::WINDOW_RANGE_FRAME_ORDER_TYPE) };
        let temporal = order.ty.kind.is_temporal() && order.ty.kind != value::TypeKind::Year;
        let numeric = order.ty.kind.is_numeric() || order.ty.kind == value::TypeKind::Year;
        match (temporal, u) {
            (true, None) => err(ErrorCode::WINDOW_RANGE_FRAME_TEMPORAL_TYPE),
            (false, _) if !numeric => err(ErrorCode::WINDOW_RANGE_FRAME_ORDER_TYPE),
            (false, Some(_)) => err(ErrorCode::WINDOW_RANGE_FRAME_NUMERIC_TYPE),
            _ => Ok(BoundEnd::Offset { preceding, value, unit: u }),
        }
    }
}
