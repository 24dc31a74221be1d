//! Statements about accounts, roles and privileges, and the rules that all of them ask.

pub(crate) mod definers;
pub(crate) mod granting;
pub(crate) mod mysql_db;
pub(crate) mod passwords;
pub(crate) mod privilege_list;
pub(crate) mod random_passwords;
pub(crate) mod roles;
pub(crate) mod rules;
pub(crate) mod show_grants;
pub(crate) mod users;
