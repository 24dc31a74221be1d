//! The page (`--dashboard-port`): live graphs, waits, locks, statements, processlist with KILL.
//!
//! The browser logs in once with a database account; [`logins`] keeps the session behind a random cookie. [`now`] is
//! what the page asks for every second. Files are compiled in; the page needs nothing from elsewhere.
//!
//! Against other pages in the same browser: the cookie is HttpOnly and SameSite=Strict, changes need a token that only
//! this page's script has been told, the Host header must be an address, `localhost` or the machine's name (a foreign
//! name that leads here is refused), and the Content-Security-Policy allows scripts and styles of this server only.
//! Tested: `tests/clients/test_dashboard.py`.

mod history;
mod logins;
mod now;

use crate::http::{Peer, answer, plain};
use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::http::header::{CONTENT_TYPE, COOKIE, HOST, HeaderName, HeaderValue, SET_COOKIE};
use axum::http::{HeaderMap, Response, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::routing::{get, post};
use base::SqlError;
use catalog::sysvar::Var;
use history::History;
pub(crate) use history::Sampler;
use logins::{Login, Logins};
use serde_json::{Value, json};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use wire::WireServer;

/// Longest body of a request.
const BODY: usize = 4096;
/// What a failed login costs at least.
const FAILED: Duration = Duration::from_millis(500);

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// Files of the page: path, type, text.
const FILES: [(&str, &str, &str); 5] = [
    ("/", "text/html; charset=utf-8", include_str!("../../assets/index.html")),
    ("/app.js", "text/javascript; charset=utf-8", include_str!("../../assets/app.js")),
    ("/app.css", "text/css; charset=utf-8", include_str!("../../assets/app.css")),
    ("/uplot.js", "text/javascript; charset=utf-8", include_str!("../../assets/uplot.js")),
    ("/uplot.css", "text/css; charset=utf-8", include_str!("../../assets/uplot.css")),
];

struct Page {
    server: Arc<WireServer>,
    history: Arc<History>,
    logins: Logins,
}

type Shared = State<Arc<Page>>;

/// The routes of the page. Called inside the runtime: sessions that nobody uses any more end by a task of their own.
pub(crate) fn routes(server: Arc<WireServer>, sampler: &Sampler) -> Router {
    let page = Arc::new(Page { server, history: sampler.history.clone(), logins: Logins::default() });
    let mut routes = Router::new();
    for (path, kind, text) in FILES {
        routes = routes.route(path, get(move || async move { answer(StatusCode::OK, kind, text.to_owned()) }));
    }
    let swept = Arc::downgrade(&page);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_secs(5)).await;
            let Some(page) = swept.upgrade() else { return };
            page.logins.sweep();
        }
    });
    routes
        // browsers ask for it by themselves
        .route("/favicon.ico", get(async || StatusCode::NO_CONTENT))
        .route("/api/login", post(login))
        .route("/api/logout", post(logout))
        .route("/api/again", get(again))
        .route("/api/history", get(history_page))
        .route("/api/now", get(now_page))
        .route("/api/plan", get(plan))
        .route("/api/kill", post(kill))
        .layer(from_fn_with_state(page.clone(), guard))
        .with_state(page)
}

/// What holds for every request and every answer.
async fn guard(State(page): Shared, Extension(peer): Extension<Peer>, request: Request, next: Next) -> Response<Body> {
    let machine = page.server.globals.string(Var::hostname);
    let mut response = if !peer.is_safe() {
        plain(StatusCode::FORBIDDEN, "Use https: a password in clear is taken from this machine only")
    } else if !request.headers().get(HOST).is_some_and(|h| is_own_host(h, &machine)) {
        plain(StatusCode::FORBIDDEN, "Use an address of this server, localhost, or its host name")
    } else {
        next.run(request).await
    };
    let fixed = [
        ("content-security-policy", POLICY),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ];
    for (name, value) in fixed {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// Whether a Host header names this server in a way that no foreign page can bring about.
fn is_own_host(host: &HeaderValue, machine: &str) -> bool {
    let Ok(host) = host.to_str() else { return false };
    let name = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.parse::<IpAddr>().is_ok() || name.eq_ignore_ascii_case("localhost") || name.eq_ignore_ascii_case(machine)
}

fn json_answer(status: StatusCode, value: &Value) -> Response<Body> {
    answer(status, "application/json", value.to_string())
}

fn refused(status: StatusCode, e: &SqlError) -> Response<Body> {
    json_answer(status, &json!({ "error": format!("{}: {}", e.code(), e.message()) }))
}

/// The login that the cookie stands for.
fn logged_in(page: &Page, headers: &HeaderMap) -> Option<Arc<Login>> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|c| c.to_str().ok()).flat_map(|c| c.split(';'));
    let mut own = cookies.filter_map(|c| c.trim().strip_prefix("evenkeel="));
    own.find_map(|token| page.logins.find(token))
}

fn not_logged_in() -> Response<Body> {
    json_answer(StatusCode::UNAUTHORIZED, &json!({ "error": "log in" }))
}

/// The body of a change as JSON. Pages of others cannot send this type without being asked first.
async fn body_of(request: Request) -> Option<Value> {
    let kind = request.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    if !kind.eq_ignore_ascii_case("application/json") {
        return None;
    }
    let bytes = axum::body::to_bytes(request.into_body(), BODY).await.ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Runs something with a session on a thread that may wait.
async fn with_session<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(f).await.ok()
}

fn failed() -> Response<Body> {
    json_answer(StatusCode::INTERNAL_SERVER_ERROR, &json!({ "error": "the request failed" }))
}

async fn login(State(page): Shared, Extension(peer): Extension<Peer>, request: Request) -> Response<Body> {
    let secure = peer.tls.is_some();
    let body = body_of(request).await;
    let text = |name: &str| body.as_ref().and_then(|b| b.get(name)).and_then(Value::as_str).map(str::to_owned);
    let (Some(user), Some(password)) = (text("user"), text("password")) else {
        return json_answer(StatusCode::BAD_REQUEST, &json!({ "error": "user and password are wanted" }));
    };
    let done = with_session(move || page.logins.log_in(&page.server, &peer, &user, &password)).await;
    match done {
        Some(Ok((token, change))) => {
            let mut r = json_answer(StatusCode::OK, &json!({ "token": change }));
            let rest = if secure { "; Secure" } else { "" };
            let cookie = format!("evenkeel={token}; HttpOnly; SameSite=Strict; Path=/{rest}");
            if let Ok(cookie) = HeaderValue::from_str(&cookie) {
                r.headers_mut().insert(SET_COOKIE, cookie);
            }
            r
        }
        Some(Err(e)) => {
            tokio::time::sleep(FAILED).await;
            refused(StatusCode::UNAUTHORIZED, &e)
        }
        None => failed(),
    }
}

/// The login of a change, which must bring its token.
fn may_change(page: &Page, headers: &HeaderMap) -> Result<Arc<Login>, Box<Response<Body>>> {
    let login = logged_in(page, headers).ok_or_else(|| Box::new(not_logged_in()))?;
    let token = headers.get("x-evenkeel-token").map_or(&[][..], HeaderValue::as_bytes);
    if !login.is_token(token) {
        let missing = json_answer(StatusCode::FORBIDDEN, &json!({ "error": "the token is missing" }));
        return Err(Box::new(missing));
    }
    Ok(login)
}

async fn logout(State(page): Shared, headers: HeaderMap) -> Response<Body> {
    match may_change(&page, &headers) {
        Ok(login) => {
            page.logins.forget(&login);
            json_answer(StatusCode::OK, &json!({}))
        }
        Err(r) => *r,
    }
}

/// Who has a login's cookie (the page was loaded again) is told its token. Other pages cannot read the answer.
async fn again(State(page): Shared, headers: HeaderMap) -> Response<Body> {
    let Some(login) = logged_in(&page, &headers) else { return not_logged_in() };
    match with_session(move || login.with(|_| login.change().to_owned())).await {
        Some(Some(token)) => json_answer(StatusCode::OK, &json!({ "token": token })),
        Some(None) => not_logged_in(),
        None => failed(),
    }
}

async fn history_page(State(page): Shared, headers: HeaderMap) -> Response<Body> {
    let Some(login) = logged_in(&page, &headers) else { return not_logged_in() };
    match with_session(move || login.with(|s| page.history.shown(s))).await {
        Some(Some(value)) => json_answer(StatusCode::OK, &value),
        Some(None) => not_logged_in(),
        None => failed(),
    }
}

async fn now_page(State(page): Shared, headers: HeaderMap) -> Response<Body> {
    let Some(login) = logged_in(&page, &headers) else { return not_logged_in() };
    match with_session(move || login.with(|s| now::everything(s, &page.history))).await {
        Some(Some(value)) => json_answer(StatusCode::OK, &value),
        Some(None) => not_logged_in(),
        None => failed(),
    }
}

async fn plan(State(page): Shared, headers: HeaderMap, uri: Uri) -> Response<Body> {
    let Some(login) = logged_in(&page, &headers) else { return not_logged_in() };
    let digest = uri.query().and_then(|q| q.strip_prefix("digest=")).unwrap_or_default().to_owned();
    if digest.len() != 64 || !digest.bytes().all(|b| b.is_ascii_hexdigit()) {
        return json_answer(StatusCode::BAD_REQUEST, &json!({ "error": "digest is wanted" }));
    }
    match with_session(move || login.with(|s| now::plan(s, &digest))).await {
        Some(Some(Ok(text))) => json_answer(StatusCode::OK, &json!({ "plan": text })),
        Some(Some(Err(e))) => refused(StatusCode::OK, &e),
        Some(None) => not_logged_in(),
        None => failed(),
    }
}

async fn kill(State(page): Shared, request: Request) -> Response<Body> {
    let login = match may_change(&page, request.headers()) {
        Ok(login) => login,
        Err(r) => return *r,
    };
    let body = body_of(request).await;
    let Some(id) = body.as_ref().and_then(|b| b.get("id")).and_then(Value::as_u64) else {
        return json_answer(StatusCode::BAD_REQUEST, &json!({ "error": "id is wanted" }));
    };
    let what = if body.as_ref().and_then(|b| b.get("query")) == Some(&Value::Bool(true)) { "QUERY " } else { "" };
    match with_session(move || login.with(|s| crate::sql::rows(s, &format!("KILL {what}{id}")))).await {
        Some(Some(Ok(_))) => json_answer(StatusCode::OK, &json!({})),
        Some(Some(Err(e))) => refused(StatusCode::OK, &e),
        Some(None) => not_logged_in(),
        None => failed(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_own_host;
    use axum::http::HeaderValue;

    #[test]
    fn hosts() {
        let is = |h: &str| is_own_host(&HeaderValue::from_str(h).unwrap(), "db1");
        assert!(is("127.0.0.1:8080") && is("[::1]:8080") && is("localhost") && is("DB1:80") && is("10.1.2.3"));
        assert!(!is("evil.example:8080") && !is("") && !is("127.0.0.1.evil.example") && !is("localhost.evil.example"));
    }
}
