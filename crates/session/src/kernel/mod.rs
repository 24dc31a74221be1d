//! The life of a statement: session and server, texts and plans, locks, transactions, the diagnostics area.

pub(crate) mod backup_lock;
pub(crate) mod binary_log;
#[cfg(test)]
mod binlog_tests;
pub(crate) mod buffers;
pub(crate) mod com_counters;
pub(crate) mod ddl;
pub(crate) mod definitions;
pub(crate) mod diagnostics;
pub(crate) mod event_switch;
pub(crate) mod forbidding_settings;
pub(crate) mod foreign_key_tables;
pub(crate) mod global_read_lock;
pub(crate) mod gtids;
pub(crate) mod handlers;
pub(crate) mod identity;
pub(crate) mod literals;
pub(crate) mod locks;
pub(crate) mod log_tables;
pub(crate) mod logged;
pub(crate) mod logged_texts;
pub(crate) mod memory;
pub(crate) mod nested;
#[cfg(test)]
mod nested_tests;
pub(crate) mod parts;
pub(crate) mod plan_lines;
pub(crate) mod plans;
pub(crate) mod pool_list;
pub(crate) mod prepared;
pub(crate) mod privileges;
pub(crate) mod programs;
pub(crate) mod range_counts;
pub(crate) mod read_only_errors;
pub(crate) mod resolver;
pub(crate) mod run;
pub(crate) mod server;
pub(crate) mod session;
pub(crate) mod set_var;
pub(crate) mod statement_kinds;
mod traces;
pub(crate) mod track;
pub(crate) mod txn;
pub(crate) mod unplanned;
pub(crate) mod virtual_columns;
pub(crate) mod virtual_tables;
pub(crate) mod xa;
