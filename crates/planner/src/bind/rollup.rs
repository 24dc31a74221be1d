//! Items of a select list with the same expression that GROUP BY ... WITH ROLLUP names one by one: `SELECT a AS x, a AS y ... GROUP BY x, y`.
//! Each is rolled up at its own place, so they must be told apart: all but the one named first become [`FuncId::GroupItem`]s, which the
//! aggregation replaces by the columns of its groups.
//!
//! Tested by golden `rollup`.

use base::SqlResult;
use parser::ast;

use super::Binder;
use super::items::position;
use crate::block::OutColumn;
use crate::expr::{Expr, ExprKind};
use crate::func::FuncId;
use crate::types;

impl Binder<'_, '_> {
    /// Tells such items apart. The items' place in GROUP BY decides which one stays as it is.
    pub(super) fn part_rolled_up(
        &mut self,
        s: &ast::Select<'_>,
        items: &mut [Expr],
        columns: &[OutColumn],
    ) -> SqlResult<()> {
        if !s.rollup || s.group_by.len() < 2 {
            return Ok(());
        }
        let mut named: Vec<usize> = Vec::new();
        for g in s.group_by {
            let at = self.named_item(&g.expr, items, columns)?;
            named.extend(at.filter(|at| !named.contains(at)));
        }
        // what is named, with its expression before and after
        let mut seen: Vec<(&str, Expr, Expr)> = Vec::new();
        for at in named {
            let (Some(e), Some(column)) = (items.get_mut(at), columns.get(at)) else { continue };
            let own = e.clone();
            let twins = || seen.iter().filter(|x| x.1.alike(&own));
            // items of one name are one
            if let Some(twin) = twins().find(|x| crate::same_name(x.0, &column.name)) {
                *e = twin.2.clone();
            } else if twins().next().is_some() {
                let (f, args) = (FuncId::GroupItem(at as u16), [own.clone()]);
                let (ty, coer) = types::function(f, &args, &self.tcx)?;
                *e = Expr { kind: ExprKind::Call(f, Box::new(args)), ty, coer };
            }
            seen.push((&column.name, own, e.clone()));
        }
        Ok(())
    }

    /// The item that an expression of GROUP BY names: by its position or its name, unless that is another column of FROM.
    fn named_item(&mut self, e: &ast::Expr<'_>, items: &[Expr], columns: &[OutColumn]) -> SqlResult<Option<usize>> {
        if let Some(n) = position(e) {
            return Ok(Some((n as usize).wrapping_sub(1)).filter(|n| *n < items.len()));
        }
        let ast::ExprKind::Column(c) = e.unparen().kind else { return Ok(None) };
        let scope = self.scope()?;
        let column = scope.find(c).ok().flatten().and_then(|(t, i)| scope.column_expr(t, i));
        let fits = |(i, o): (usize, &OutColumn)| {
            let item = items.get(i)?;
            let same = column.as_ref().map_or(c.table.is_none(), |x| x.alike(item));
            (crate::same_name(&o.name, c.column) && same).then_some(i)
        };
        Ok(columns.iter().enumerate().find_map(fits))
    }

    /// An item that was told apart, for the expression of GROUP BY that names it.
    pub(super) fn rolled_up_item(
        &mut self,
        e: &ast::Expr<'_>,
        items: &[Expr],
        columns: &[OutColumn],
    ) -> SqlResult<Option<Expr>> {
        let parted = |e: &Expr| matches!(e.kind, ExprKind::Call(FuncId::GroupItem(_), _));
        if !items.iter().any(parted) {
            return Ok(None);
        }
        // what is told apart is no longer the column
        let plain: Vec<Expr> = items
            .iter()
            .map(|i| match &i.kind {
                ExprKind::Call(FuncId::GroupItem(_), args) => args.first().unwrap_or(i).clone(),
                _ => i.clone(),
            })
            .collect();
        Ok(self.named_item(e, &plain, columns)?.and_then(|at| items.get(at)).cloned())
    }
}
