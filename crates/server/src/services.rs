//! Services over HTTP beside the database's own protocol: off unless an option asks for them (docs/dashboard.md).
//!
//! They are TCP, so `skip_networking` (and `--skip-grant-tables`, which means it) turns them off. Tested:
//! `tests/clients/test_metrics.py`.

use crate::log;
use crate::options::listen_addresses;
use catalog::sysvar::{GlobalVars, Var};
use dashboard::{Running, Service};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use wire::WireServer;

/// Those that run.
pub(crate) struct Services(Vec<Running>);

/// A bound socket and what is to be served there.
pub(crate) type Socket = (TcpListener, Service);

/// Binds the addresses for a service; `check` refuses some. Without a port there is nothing to bind.
pub(crate) fn bind(
    what: Service,
    bind: &str,
    port: Option<u16>,
    globals: &GlobalVars,
    check: impl FnOnce(&[SocketAddr]) -> Result<(), String>,
) -> Result<Vec<Socket>, String> {
    let Some(port) = port else { return Ok(Vec::new()) };
    let name = match what {
        Service::Metrics => "metrics",
        Service::Page => "dashboard",
    };
    if globals.bool(Var::skip_networking) {
        log::warning(10_000, &format!("--{name}-port has no effect: skip_networking is ON"));
        return Ok(Vec::new());
    }
    let list = listen_addresses(bind, port)?;
    check(&list)?;
    let fail = |a: &SocketAddr, e: std::io::Error| {
        format!("Can't start server: bind on --{name}-port {a}: {e}. {}", crate::advice::port(a.port(), &e))
    };
    list.iter().map(|a| TcpListener::bind(a).map(|l| (l, what)).map_err(|e| fail(a, e))).collect()
}

impl Services {
    /// Starts answering.
    pub(crate) fn start(sockets: Vec<Socket>, server: &Arc<WireServer>) -> Result<Services, String> {
        let stack = server.globals.num(Var::thread_stack) as usize;
        let mut out = Services(Vec::new());
        for (l, what) in sockets {
            let fail = |e: std::io::Error| format!("Can't start a service over HTTP: {e}");
            let at = l.local_addr().map_err(fail)?;
            out.0.push(dashboard::start(l, server.clone(), stack, what).map_err(fail)?);
            let name = match what {
                Service::Metrics => "Metrics ready for Prometheus",
                Service::Page => "Dashboard ready for browsers",
            };
            log::system(10_000, &format!("{name}, address: '{}'  port: {}", at.ip(), at.port()));
        }
        Ok(out)
    }

    /// Answers nobody any more.
    pub(crate) fn stop(&mut self) {
        self.0.iter_mut().for_each(Running::stop);
    }
}
