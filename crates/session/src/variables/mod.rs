//! System variables beyond their table in `catalog`: values that SET refuses, and settings of which others keep copies.

pub(crate) mod engine;
pub(crate) mod gtids;
pub(crate) mod metrics;
pub(crate) mod refused;
pub(crate) mod shown;
