//! The seam to the SQL engine.
//!
//! [`open`] is the one place that knows which crate makes sessions. Until the `session` crate provides them, connections are accepted and
//! authenticated, and every statement answers error 1235: nothing pretends to work.

use catalog::accounts::Accounts;
use catalog::client::SessionFactory;
use catalog::connections::Connections;
use catalog::sysvar::GlobalVars;
use std::path::Path;
use std::sync::Arc;

/// What the engine is opened with.
pub struct EngineConfig<'a> {
    /// Data directory, locked by this process.
    pub datadir: &'a Path,
    /// Whether the data directory was just created.
    pub is_new: bool,
    /// Global variables.
    pub globals: Arc<GlobalVars>,
    /// Accounts.
    pub accounts: Arc<Accounts>,
    /// Registry of connections.
    pub connections: Arc<Connections>,
}

/// An opened engine.
pub trait Engine: Send + Sync {
    /// Opens sessions.
    fn sessions(&self) -> Arc<dyn SessionFactory>;
    /// Clean shutdown; no session is left when it is called.
    fn shutdown(&self) -> Result<(), String>;
}

/// Opens (at first start: creates) the engine in the data directory, with recovery if need be.
pub fn open(config: EngineConfig<'_>) -> Result<Arc<dyn Engine>, String> {
    Ok(Arc::new(none::NoEngine { connections: config.connections }))
}

mod none;
