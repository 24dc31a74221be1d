//! Tables that are made when they are read, and those of `mysql` that a dump may put in their place.
//!
//! The grant tables are shown, not stored: accounts are kept elsewhere. A dump of MySQL's schema `mysql` drops
//! them, makes them anew and fills them; then such a table is stored, whoever names it means the stored one, and
//! what is in it is not in force before FLUSH PRIVILEGES, as in MySQL ([`crate::statements::loaded`]). Tested:
//! `tests/clients/test_dump_of_accounts.py`.

use executor::Env;
use planner::GRANT_TABLES;
use planner::resolve::VirtualTable;
use std::sync::Arc;

/// A table that is made when it is read. `None`: there is none of this name, or a dump's stands in its place.
pub(crate) fn computed(env: &Env, schema: &str, name: &str) -> Option<Arc<dyn VirtualTable>> {
    let table = views::virtual_table(schema, name)?;
    let def = table.def();
    let stored = def.schema == "mysql"
        && GRANT_TABLES.contains(&def.name.as_str())
        && env.shared_identity(&def.schema, &def.name).is_some();
    (!stored).then_some(table)
}
