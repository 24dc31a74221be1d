//! Connections: accepting, TLS, limits, routes.
//!
//! One port takes both HTTP and HTTPS: the first byte tells (a TLS handshake begins with 0x16). HTTPS has the server's
//! certificate, as it is at that moment (ALTER INSTANCE RELOAD TLS counts). Without TLS only this machine is answered:
//! elsewhere the password would be readable on the way.
//!
//! Bounds: [`CONNECTIONS`] at once (more are closed), [`SESSIONS`] statements at once, [`PATIENCE`] for a TLS handshake
//! and for the head of a request, 16 KiB for that head; a request has no body.
//!
//! Stop: [`Running::stop`] ends the loop and waits for its thread; sessions that are still reading are killed with all
//! others at shutdown.

use crate::{basic, metrics};
use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, Response, StatusCode, Uri};
use axum::routing::get;
use base::{ErrorCode, SqlError};
use catalog::accounts::{ClientAddr, TlsPeer};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use wire::{Visitor, WireServer};

/// Connections at once.
pub const CONNECTIONS: usize = 64;
/// Threads that run statements.
pub const SESSIONS: usize = 4;
/// How long a client may take for what costs it nothing.
const PATIENCE: Duration = Duration::from_secs(10);

/// The running service.
pub struct Running {
    stop: watch::Sender<bool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Running {
    /// Answers nobody any more.
    pub fn stop(&mut self) {
        let _ = self.stop.send(true);
        if let Some(t) = self.thread.take() {
            let _ = t.join();
        }
    }
}

/// Who is at the other end.
#[derive(Clone)]
pub(crate) struct Peer {
    from: SocketAddr,
    /// TLS version, cipher and name; certificate.
    pub(crate) tls: Option<((String, String, String), TlsPeer)>,
}

impl Peer {
    pub(crate) fn addr(&self) -> ClientAddr {
        ClientAddr::Ip(self.from.ip())
    }
    pub(crate) fn host_port(&self) -> String {
        format!("{}:{}", self.addr().host_name(), self.from.port())
    }
    /// Whether a password may come from there as it is.
    pub(crate) fn is_safe(&self) -> bool {
        self.tls.is_some() || self.from.ip().to_canonical().is_loopback()
    }
}

/// What is served on a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Service {
    /// `/metrics`.
    Metrics,
    /// The page.
    Page,
}

/// Serves on a socket. `stack`: bytes of a session's stack (`thread_stack`).
///
/// # Errors
/// Those of the socket and of starting threads.
pub fn start(listener: TcpListener, server: Arc<WireServer>, stack: usize, what: Service) -> io::Result<Running> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(SESSIONS)
        .thread_stack_size(stack + sched::stack::SLACK)
        .thread_name("http-session")
        .on_thread_start(move || sched::stack::begin(stack))
        .build()?;
    let (stop, stopped) = watch::channel(false);
    let sampler = (what == Service::Page).then(|| crate::page::Sampler::start(&server, stack));
    let body = move || {
        let mut stopped = stopped;
        runtime.block_on(async {
            let routes = match &sampler {
                None => metrics_routes(server.clone()),
                Some(s) => crate::page::routes(server.clone(), s),
            };
            // ends with the runtime, and so do the connections
            let _serving = tokio::spawn(serve(listener, server, routes));
            let _ = stopped.changed().await;
        });
        // what runs on other threads has its sessions killed by the server
        runtime.shutdown_background();
        drop(sampler);
    };
    let thread = std::thread::Builder::new().name("http".into()).spawn(body)?;
    Ok(Running { stop, thread: Some(thread) })
}

fn metrics_routes(server: Arc<WireServer>) -> Router {
    Router::new().route("/metrics", get(metrics_page)).route("/", get(front)).with_state(server)
}

async fn serve(listener: TcpListener, server: Arc<WireServer>, routes: Router) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        match listener.accept().await {
            Ok((stream, from)) => {
                // nobody who is already served waits for one more
                let Ok(place) = places.clone().try_acquire_owned() else { continue };
                let (routes, server) = (routes.clone(), server.clone());
                tokio::spawn(async move {
                    let _place = place;
                    connection(stream, from, routes, server).await;
                });
            }
            // no descriptor: the next may find one
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

async fn connection(stream: TcpStream, from: SocketAddr, routes: Router, server: Arc<WireServer>) {
    let mut first = [0u8; 1];
    let Ok(Ok(1)) = tokio::time::timeout(PATIENCE, stream.peek(&mut first)).await else { return };
    if first != [0x16] {
        return requests(stream, Peer { from, tls: None }, routes).await;
    }
    let Some(config) = server.tls.read().clone() else { return };
    let acceptor = tokio_rustls::TlsAcceptor::from(config);
    let Ok(Ok(stream)) = tokio::time::timeout(PATIENCE, acceptor.accept(stream)).await else { return };
    let tls = Visitor::tls_of(stream.get_ref().1);
    if tls.is_some() {
        requests(stream, Peer { from, tls }, routes).await;
    }
}

async fn requests<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(stream: S, peer: Peer, routes: Router) {
    let routes = routes.layer(Extension(peer));
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(16 << 10)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes))
        .await;
}

pub(crate) fn answer(status: StatusCode, kind: &'static str, text: String) -> Response<Body> {
    let mut r = Response::new(Body::from(text));
    *r.status_mut() = status;
    let headers = r.headers_mut();
    headers.insert(CONTENT_TYPE, axum::http::HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, axum::http::HeaderValue::from_static("no-store"));
    headers.insert("x-content-type-options", axum::http::HeaderValue::from_static("nosniff"));
    r
}

pub(crate) fn plain(status: StatusCode, text: impl Into<String>) -> Response<Body> {
    answer(status, "text/plain; charset=utf-8", text.into() + "\n")
}

async fn front() -> Response<Body> {
    plain(StatusCode::OK, "Evenkeel: metrics for Prometheus are at /metrics")
}

async fn metrics_page(
    State(server): State<Arc<WireServer>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    if !peer.is_safe() {
        let why = "Use https: a password in clear is taken from this machine only";
        return plain(StatusCode::FORBIDDEN, why);
    }
    let given = headers.get(AUTHORIZATION).and_then(|h| basic::credentials(h.as_bytes()));
    let Some((user, password)) = given else {
        return unauthorized("Name and password of a database account are needed");
    };
    let collectors = metrics::chosen(uri.query().unwrap_or(""));
    let patience = headers.get("x-prometheus-scrape-timeout-seconds").and_then(|h| h.to_str().ok());
    let patience = metrics::patience(patience);
    let work = move || metrics::scrape(&server, &peer, (&user, &password), &collectors, patience);
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(text)) => answer(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", text),
        Ok(Err(e)) => refused(&e),
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "The request failed"),
    }
}

fn unauthorized(why: &str) -> Response<Body> {
    let mut r = plain(StatusCode::UNAUTHORIZED, why);
    r.headers_mut()
        .insert(WWW_AUTHENTICATE, axum::http::HeaderValue::from_static("Basic realm=\"Evenkeel\", charset=\"UTF-8\""));
    r
}

/// What a client of the database would be told, with a status that fits.
fn refused(e: &SqlError) -> Response<Body> {
    let text = format!("ERROR {}: {}", e.code(), e.message());
    let busy = [ErrorCode::CON_COUNT_ERROR, ErrorCode::SERVER_SHUTDOWN, ErrorCode::TOO_MANY_USER_CONNECTIONS];
    if busy.iter().any(|c| e.is(*c)) || e.is(ErrorCode::USER_LIMIT_REACHED) {
        return plain(StatusCode::SERVICE_UNAVAILABLE, text);
    }
    unauthorized(&text)
}
