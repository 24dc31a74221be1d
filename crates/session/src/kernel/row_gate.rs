//! Which rows of a binary log an account may change: of the BINLOG statement, of a channel with PRIVILEGE_CHECKS_USER.
//!
//! INSERT, UPDATE or DELETE is asked for on the event's table before whether there is such a table (1142). Where the
//! account has the privilege on some columns only, each row is looked at: INSERT on the columns of its image, UPDATE on
//! those that have another value than before (1143); MySQL takes the privilege on any column for all. To put a row in
//! the place of another one (IDEMPOTENT) it takes DELETE, too. SELECT is needed for nothing. Generated columns count as
//! no change: their values are computed here.
//!
//! Reads the session's account alone. Tested: `tests/binlog/test_privilege_checks.py`.

use crate::kernel::row_plans::Target;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::EventType;
use binlog::rows::Row;
use binlog::table_map::TableMap;
use catalog::accounts::{Account, Privs};
use executor::Env;
use executor::gate::Gate;
use std::sync::Arc;
use value::OwnedValue;

/// An account that has the privilege on columns of the table only: each row is to be looked at.
pub(crate) struct RowGate {
    account: Arc<Account>,
    need: Privs,
}

impl RowGate {
    /// Asks for the event's table. `None`: the account may change all of it.
    ///
    /// # Errors
    /// 1142.
    pub(crate) fn ask(env: &Env, map: &TableMap, kind: EventType, idempotent: bool) -> SqlResult<Option<RowGate>> {
        let [schema, name] = [&map.schema, &map.table].map(|n| String::from_utf8_lossy(n));
        let p = &env.security.account.privileges;
        let have = p.on_table(&schema, &name);
        let need = match kind {
            EventType::WriteRows if idempotent && !have.has(Privs::DELETE) => {
                return Err(Gate::new(env).denied(Privs::INSERT.with(Privs::DELETE).without(have), &name));
            }
            EventType::WriteRows => Privs::INSERT,
            EventType::UpdateRows | EventType::PartialUpdateRows => Privs::UPDATE,
            _ => Privs::DELETE,
        };
        if have.has(need) {
            return Ok(None);
        }
        if need == Privs::DELETE || !p.on_any_column(&schema, &name).has(need) {
            return Err(Gate::new(env).denied(need, &name));
        }
        Ok(Some(RowGate { account: env.security.account.clone(), need }))
    }

    /// Asks for the columns of a row that are changed.
    ///
    /// # Errors
    /// 1143.
    pub(crate) fn check(&self, target: &Target, row: &Row) -> SqlResult<()> {
        let kept = |(place, v): &&(usize, OwnedValue)| row.before.iter().any(|(i, old)| i == place && same(old, v));
        let differs = row.diffs.iter().map(|(place, _)| *place);
        let changed: Vec<usize> = match &row.after {
            None => row.before.iter().map(|(place, _)| *place).collect(),
            Some(after) => {
                let other = after.iter().filter(|v| !kept(v));
                other.map(|(place, _)| *place).chain(differs).collect()
            }
        };
        let a = &self.account;
        for column in changed.iter().filter_map(|place| target.columns.get(*place)) {
            let has = a.privileges.on_column(&target.def.schema, &target.def.name, &column.name).has(self.need);
            if column.generated.is_none() && !has {
                let what = self.need.names().next().unwrap_or_default();
                let shown: [&dyn std::fmt::Display; 5] = [&what, &a.user, &a.host, &column.name, &target.def.name];
                return Err(SqlError::new(ErrorCode::COLUMNACCESS_DENIED_ERROR, &shown));
            }
        }
        Ok(())
    }
}

/// Whether a value is stored as the other one is. Values of different kinds are not.
fn same(a: &OwnedValue, b: &OwnedValue) -> bool {
    match (a, b) {
        (OwnedValue::Null, OwnedValue::Null) => true,
        (OwnedValue::Int(a), OwnedValue::Int(b)) => a == b,
        (OwnedValue::UInt(a), OwnedValue::UInt(b)) => a == b,
        (OwnedValue::Double(a), OwnedValue::Double(b)) => a.to_bits() == b.to_bits(),
        (OwnedValue::Decimal(a), OwnedValue::Decimal(b)) => a == b,
        (OwnedValue::Str(a), OwnedValue::Str(b)) | (OwnedValue::Json(a), OwnedValue::Json(b)) => a == b,
        (OwnedValue::Date(a), OwnedValue::Date(b)) => a == b,
        (OwnedValue::DateTime(a), OwnedValue::DateTime(b)) => a == b,
        (OwnedValue::Time(a), OwnedValue::Time(b)) => a == b,
        _ => false,
    }
}
