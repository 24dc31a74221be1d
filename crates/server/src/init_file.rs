//! `init_file`: SQL statements run as root@localhost after recovery and before the first client.
//!
//! The file is one text of statements separated by `;`, as in COM_QUERY with several statements. Result sets are dropped. A failing
//! statement stops the start: half of the set-up is worse than none. Tested: `tests/sql/test_start.py`.

use base::SqlResult;
use catalog::client::{Capabilities, ResultSink, SessionContext, SessionFactory, TextRows};
use catalog::connections::Connections;
use catalog::sysvar::{GlobalVars, Var};
use std::path::Path;

/// Runs the file if one is set. The error says what failed.
pub fn run(
    globals: &GlobalVars,
    datadir: &Path,
    connections: &Connections,
    sessions: &dyn SessionFactory,
) -> Result<(), String> {
    let name = globals.string(Var::init_file);
    if name.is_empty() {
        return Ok(());
    }
    let path = datadir.join(&name);
    let text = std::fs::read(&path).map_err(|e| format!("cannot read init_file '{}': {e}", path.display()))?;
    let conn = connections.register("localhost");
    let result = statements(globals, &conn, sessions, &text);
    connections.unregister(conn.id());
    result.map_err(|e| format!("init_file '{}': error {}: {}", path.display(), e.code(), e.message()))
}

const CAPABILITIES: Capabilities = Capabilities(Capabilities::MULTI_STATEMENTS);

/// Rows of a query as text; NULL is empty.
pub(crate) type Rows = Vec<Vec<String>>;

/// Runs one query as root@localhost.
pub(crate) fn query(
    globals: &GlobalVars,
    conn: &std::sync::Arc<catalog::connections::Connection>,
    sessions: &dyn SessionFactory,
    text: &[u8],
) -> SqlResult<Rows> {
    let mut rows = Rows::new();
    let keep = |row: Vec<Option<String>>| {
        rows.push(row.into_iter().map(Option::unwrap_or_default).collect());
        Ok(())
    };
    run_into(globals, conn, sessions, text, &mut TextRows::new(CAPABILITIES, keep))?;
    Ok(rows)
}

/// Runs statements as root@localhost.
pub(crate) fn statements(
    globals: &GlobalVars,
    conn: &std::sync::Arc<catalog::connections::Connection>,
    sessions: &dyn SessionFactory,
    text: &[u8],
) -> SqlResult<()> {
    run_into(globals, conn, sessions, text, &mut TextRows::new(CAPABILITIES, |_| Ok(())))
}

fn run_into(
    globals: &GlobalVars,
    conn: &std::sync::Arc<catalog::connections::Connection>,
    sessions: &dyn SessionFactory,
    text: &[u8],
    sink: &mut dyn ResultSink,
) -> SqlResult<()> {
    let root = || "root".to_owned();
    let local = || "localhost".to_owned();
    let mut session = sessions.open(SessionContext {
        conn: conn.clone(),
        account: (root(), local()),
        user: root(),
        host: local(),
        database: None,
        collation: globals.num(Var::collation_server) as u16,
        capabilities: CAPABILITIES,
        attributes: Vec::new(),
        tls: None,
        unix_socket: true,
    })?;
    if text.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    session.query(text, &[], sink)
}
