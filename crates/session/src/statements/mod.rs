//! Statements that have no plan, one file per kind; `dispatch` is their list.

pub(crate) mod admin;
mod apply_events;
mod binary_log;
pub(crate) mod call;
mod changed;
pub(crate) mod clone;
pub(crate) mod create_select;
pub(crate) mod diagnostics;
pub(crate) mod dispatch;
pub(crate) mod dumped;
pub(crate) mod explain;
pub(crate) mod handler;
pub(crate) mod help;
pub(crate) mod histogram;
pub(crate) mod load;
mod loaded;
pub(crate) mod outfile;
pub(crate) mod programs;
pub(crate) mod reload_tls;
mod replica;
pub(crate) mod set;
pub(crate) mod setup_tables;
pub(crate) mod show;
pub(crate) mod table_admin;
pub(crate) mod view;
pub(crate) mod xa;

pub use changed::Changed;
