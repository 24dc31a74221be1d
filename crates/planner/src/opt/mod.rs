//! Access paths and join order.
//!
//! * [`needed`]: which columns of which slot a block reads; [`sarg`]: conditions an index can serve; [`access`]: the cheapest
//!   way to read one table; [`merge`]: through several of its indexes; [`joins`]: the order of tables, [`place`]: what a table costs at a place in it, [`build`]: the operators between them; [`search`]: the
//!   cheapest order of a few tables; [`semi`], [`strategy`], [`pullout`]: subqueries that
//!   became joins; [`constant`]: conditions without rows; [`dive`]: ranges that
//!   are counted.

pub(crate) mod access;
mod build;
mod constant;
pub(crate) mod disjunction;
pub mod dive;
mod histogram;
pub(crate) mod joins;
mod memo;
mod merge;
pub(crate) mod needed;
pub(crate) mod outer;
mod place;
mod pullout;
mod pushdown;
pub(crate) mod sarg;
mod search;
mod selectivity;
mod semi;
mod strategy;
