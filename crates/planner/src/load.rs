//! LOAD DATA: an INSERT whose row comes from the fields of a file.
//!
//! The plan's body is an INSERT of one row that holds the SET clause only; [`LoadPlan::fields`] says where the file's fields go. A SET
//! expression sees the columns filled so far and the user variables that fields were assigned to.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;

use crate::bind::{Binder, unsupported};
use crate::plan::{Body, Plan, Reads};
use crate::{Request, finish};

/// Where a field of the file goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadField {
    /// A column.
    Column(u16),
    /// A generated column, named only because all columns are: the field is dropped.
    Dropped,
    /// `@name`, lower case.
    UserVar(Box<str>),
}

/// A planned LOAD DATA.
#[derive(Debug)]
pub struct LoadPlan {
    /// INSERT of the SET clause.
    pub plan: Plan,
    /// One per field of a line.
    pub fields: Vec<LoadField>,
}

/// Plans LOAD DATA. `ignore`: IGNORE was said, or LOCAL without REPLACE implies it.
///
/// # Errors
/// Those of INSERT; 3105 for a field into a generated column.
pub fn plan_load<'q>(l: &ast::LoadData<'q>, ignore: bool, rq: &Request<'q>) -> SqlResult<LoadPlan> {
    if !l.partitions.is_empty() {
        return unsupported("LOAD DATA ... PARTITION");
    }
    let mut b = Binder::new(rq.resolver, (rq.sql, rq.from), rq.lift, rq.param_types, crate::opt::plan);
    let columns: Vec<ast::ColumnRef<'q>> = l.assignments.iter().map(|a| a.column).collect();
    let row: Vec<ast::Expr<'q>> = l.assignments.iter().map(|a| a.value).collect();
    let body = b.load_insert(l, ignore, &columns, &row)?;
    let mut plan = Plan { reads: Reads::Locked, ..finish(b, body, Vec::new(), false, rq) };
    let Body::Insert(i) = &plan.body else { return unsupported("LOAD DATA without a table") };
    let table = i.table as usize;
    let Some(def) = plan.tables.get(table).map(|t| t.def.clone()) else {
        return unsupported("LOAD DATA without a table");
    };
    let mut fields = Vec::new();
    if l.targets.is_empty() {
        for (n, c) in def.columns.iter().enumerate().filter(|(_, c)| !c.invisible) {
            fields.push(if c.generated.is_some() { LoadField::Dropped } else { LoadField::Column(n as u16) });
        }
    }
    for t in l.targets {
        match t {
            ast::LoadTarget::UserVar(v) => fields.push(LoadField::UserVar(v.to_lowercase().into())),
            ast::LoadTarget::Column(c) => {
                let missing = || SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&c.column, &"field list"]);
                let at = def.named_column(c.column).ok_or_else(missing)?;
                // its field is passed over, as where no columns are named
                if def.columns.get(at).is_some_and(|c| c.generated.is_some()) {
                    fields.push(LoadField::Dropped);
                    continue;
                }
                if fields.contains(&LoadField::Column(at as u16)) {
                    return Err(SqlError::new(ErrorCode::FIELD_SPECIFIED_TWICE, &[&c.column]));
                }
                fields.push(LoadField::Column(at as u16));
            }
        }
    }
    // what the fields fill counts for column privileges, as what SET assigns
    if let Some(t) = plan.tables.get_mut(table) {
        t.columns.all_inserted = false;
        for f in &fields {
            if let LoadField::Column(c) = f
                && !t.columns.inserts.contains(c)
            {
                t.columns.inserts.push(*c);
            }
        }
    }
    Ok(LoadPlan { plan, fields })
}
