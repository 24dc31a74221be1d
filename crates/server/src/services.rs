//! Services over HTTP beside the database's own protocol: off unless an option asks for them (docs/dashboard.md).
//!
//! They are TCP, so `skip_networking` (and `--skip-grant-tables`, which means it) turns them off. Tested:
//! `tests/clients/test_metrics.py`.

use crate::log;
use crate::options::listen_addresses;
use catalog::sysvar::{GlobalVars, Var};
use dashboard::Running;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use wire::WireServer;

/// Those that run.
pub(crate) struct Services(Vec<Running>);

/// Binds the addresses for metrics; `check` refuses some.
pub(crate) fn bind(
    bind: &str,
    port: u16,
    globals: &GlobalVars,
    check: impl FnOnce(&[SocketAddr]) -> Result<(), String>,
) -> Result<Vec<TcpListener>, String> {
    if globals.bool(Var::skip_networking) {
        log::warning(10_000, "--metrics-port has no effect: skip_networking is ON");
        return Ok(Vec::new());
    }
    let list = listen_addresses(bind, port)?;
    check(&list)?;
    let fail = |a: &SocketAddr, e: std::io::Error| {
        format!("Can't start server: bind on the port for metrics {a}: {e}. {}", crate::advice::port(a.port(), &e))
    };
    list.iter().map(|a| TcpListener::bind(a).map_err(|e| fail(a, e))).collect()
}

impl Services {
    /// Starts answering.
    pub(crate) fn start(metrics: Vec<TcpListener>, server: &Arc<WireServer>) -> Result<Services, String> {
        let stack = server.globals.num(Var::thread_stack) as usize;
        let mut out = Services(Vec::new());
        for l in metrics {
            let fail = |e: std::io::Error| format!("Can't start the service for metrics: {e}");
            let at = l.local_addr().map_err(fail)?;
            out.0.push(dashboard::start(l, server.clone(), stack).map_err(fail)?);
            log::system(10_000, &format!("Metrics ready for Prometheus, address: '{}'  port: {}", at.ip(), at.port()));
        }
        Ok(out)
    }

    /// Answers nobody any more.
    pub(crate) fn stop(&mut self) {
        self.0.iter_mut().for_each(Running::stop);
    }
}
