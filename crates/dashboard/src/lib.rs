//! Services over HTTP: `/metrics` for Prometheus, and a page to look at (docs/dashboard.md).
//!
//! Whoever asks gives the name and password of a database account (Basic authentication) and is logged in as a client
//! would be ([`wire::WireServer::log_in_inside`]). Everything that is answered comes from SQL statements that run as
//! this account, so nothing is shown that it could not SELECT. No other crate knows HTTP, tokio or axum, and this one
//! knows neither storage nor session.
//!
//! * [`http`]: connections, TLS, limits, start and stop.
//! * [`metrics`]: the page for Prometheus; [`collect`]: what is read for it; [`families`]: the text format.
//! * [`page`]: the page.
//! * [`sql`]: a session and its rows.
//!
//! Threads: one named `http` moves bytes; statements run on at most [`http::SESSIONS`] threads beside it. The page has
//! one more, `http-sampler`, that keeps the last hour.
//! Tested: `tests/clients/test_metrics.py`.

mod basic;
mod collect;
mod families;
pub mod http;
mod metrics;
mod page;
mod sql;

pub use http::{Running, Service, start};
