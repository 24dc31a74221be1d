//! What statements answer: small results that no plan produces, and the sink that keeps rows for the server itself.

pub(crate) mod collector;
pub(crate) mod table;
