//! `init_file`: SQL statements run as root@localhost after recovery and before the first client.
//!
//! The file is one text of statements separated by `;`, as in COM_QUERY with several statements. Result sets are dropped. A failing
//! statement stops the start: half of the set-up is worse than none. Tested: `tests/sql/test_start.py`.

use base::{SqlError, SqlResult};
use catalog::client::row::text_cells;
use catalog::client::{Capabilities, ResultMeta, ResultSink, RowFormat, SessionContext, SessionFactory};
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

/// Rows of a query as text; NULL is empty.
pub(crate) type Rows = Vec<Vec<String>>;

/// Runs one query as root@localhost.
pub(crate) fn query(
    globals: &GlobalVars,
    conn: &std::sync::Arc<catalog::connections::Connection>,
    sessions: &dyn SessionFactory,
    text: &[u8],
) -> SqlResult<Rows> {
    let mut sink = Sink { keep: true, ..Sink::default() };
    run_into(globals, conn, sessions, text, &mut sink)?;
    Ok(sink.rows)
}

/// Runs statements as root@localhost.
pub(crate) fn statements(
    globals: &GlobalVars,
    conn: &std::sync::Arc<catalog::connections::Connection>,
    sessions: &dyn SessionFactory,
    text: &[u8],
) -> SqlResult<()> {
    run_into(globals, conn, sessions, text, &mut Sink::default())
}

fn run_into(
    globals: &GlobalVars,
    conn: &std::sync::Arc<catalog::connections::Connection>,
    sessions: &dyn SessionFactory,
    text: &[u8],
    sink: &mut Sink,
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
        capabilities: Capabilities(Capabilities::MULTI_STATEMENTS),
        attributes: Vec::new(),
        tls: None,
        unix_socket: true,
    })?;
    if text.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    session.query(text, &[], sink)
}

/// Takes rows and forgets them, or keeps them.
#[derive(Default)]
struct Sink {
    row: Vec<u8>,
    keep: bool,
    rows: Rows,
}

impl ResultSink for Sink {
    fn format(&self) -> RowFormat {
        RowFormat::Text
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities(Capabilities::MULTI_STATEMENTS)
    }
    fn begin(&mut self, _: &ResultMeta) -> SqlResult<()> {
        Ok(())
    }
    fn row(&mut self) -> &mut Vec<u8> {
        self.row.clear();
        &mut self.row
    }
    fn end_row(&mut self) -> SqlResult<()> {
        if self.keep {
            self.rows.push(text_cells(&self.row).into_iter().map(Option::unwrap_or_default).collect());
        }
        self.row.clear();
        Ok(())
    }
    fn abandon_row(&mut self) {
        self.row.clear();
    }
    fn local_infile(&mut self, _: &[u8], _: &mut dyn FnMut(&[u8]) -> SqlResult<()>) -> SqlResult<()> {
        Err(SqlError::unsupported("LOAD DATA LOCAL in init_file"))
    }
}
