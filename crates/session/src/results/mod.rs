//! What statements answer: how one ended, small results that no plan produces, and the sink that keeps rows for the
//! server itself. Plain values; nothing here knows a session.

pub(crate) mod collector;
pub(crate) mod columns;
pub(crate) mod outcome;
pub(crate) mod table;
