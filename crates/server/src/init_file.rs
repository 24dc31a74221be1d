//! `init_file`: SQL statements run as root@localhost after recovery and before the first client.
//!
//! The file is one text of statements separated by `;`, as in COM_QUERY with several statements. Result sets are dropped. A failing
//! statement stops the start: half of the set-up is worse than none. Tested: `tests/sql/test_start.py`.

use base::{SqlError, SqlResult};
use catalog::client::{
    Capabilities, EndRows, OkInfo, ResultMeta, ResultSink, RowFormat, SessionContext, SessionFactory,
};
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

/// Runs statements as root@localhost.
pub(crate) fn statements(
    globals: &GlobalVars,
    conn: &std::sync::Arc<catalog::connections::Connection>,
    sessions: &dyn SessionFactory,
    text: &[u8],
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
    session.query(text, &[], &mut Nowhere::default())
}

/// Takes rows and forgets them.
#[derive(Default)]
struct Nowhere {
    row: Vec<u8>,
}

impl ResultSink for Nowhere {
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
        self.row.clear();
        Ok(())
    }
    fn abandon_row(&mut self) {
        self.row.clear();
    }
    fn end_rows(&mut self, _: &EndRows<'_>) -> SqlResult<()> {
        Ok(())
    }
    fn end_cursor_open(&mut self, _: &EndRows<'_>) -> SqlResult<()> {
        Ok(())
    }
    fn begin_fetch(&mut self, _: usize) -> SqlResult<()> {
        Ok(())
    }
    fn ok(&mut self, _: &OkInfo<'_>) -> SqlResult<()> {
        Ok(())
    }
    fn local_infile(&mut self, _: &[u8], _: &mut dyn FnMut(&[u8]) -> SqlResult<()>) -> SqlResult<()> {
        Err(SqlError::unsupported("LOAD DATA LOCAL in init_file"))
    }
    fn flush(&mut self) -> SqlResult<()> {
        Ok(())
    }
}
