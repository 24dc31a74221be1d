//! What is written and counted about statements: the general and the slow query log, the measures of performance_schema.

pub(crate) mod general;
pub(crate) mod measures;
pub(crate) mod slow;
