//! Access paths and join order.
//!
//! * [`sarg`]: conditions an index can serve; [`access`]: the cheapest way to read one table; [`index_merge`]: through
//!   several of its indexes; [`joins`]: the order of tables, [`join_cost`]: what a table costs at a place in it,
//!   [`build`]: the operators between them; [`search`]: the cheapest order of a few tables; [`effort`]: how long is
//!   searched;
//! * [`semi`], [`strategy`], [`pullout`]: subqueries that became joins; [`outer_to_inner`]: outer joins that may be
//!   inner ones; [`constant`]: conditions without rows; [`dive`]: ranges that are counted.
//!
//! Binding gives a block as a [`Job`](crate::block::Job); what the two share stands in `block`, and neither imports the
//! other.

mod access;
mod build;
mod constant;
mod dive;
mod effort;
mod histogram;
mod index_merge;
mod join_cost;
mod joins;
mod memo;
mod outer_to_inner;
mod pullout;
mod pushdown;
mod sarg;
mod search;
mod selectivity;
mod semi;
mod skip;
mod strategy;
mod traced;
mod traced_ranges;

pub(crate) use joins::plan;
