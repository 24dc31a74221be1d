//! From syntax trees to plans: binding, types, rewrite rules, costs, EXPLAIN.
//!
//! * [`expr`], [`func`]: bound expressions; [`plan`]: what the executor runs; [`resolve`]: what is asked of the session.
//!
//! A plan is immutable and shared by all sessions that run the same statement; see `session::plan_cache`. The planner
//! reads definitions and statistics, takes no lock and does no I/O.

pub mod expr;
pub mod func;
pub mod plan;
pub mod resolve;
