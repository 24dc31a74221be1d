//! Tables that a session has opened with HANDLER (`statements/handler.rs`), by the names that it gave them.

use executor::handler::Place;

/// An open handler.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) alias: String,
    pub(crate) schema: String,
    pub(crate) name: String,
    pub(crate) id: base::TableId,
    pub(crate) version: u64,
    pub(crate) place: Place,
}
