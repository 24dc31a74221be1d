//! KILL, FLUSH, and the maintenance statements: CHECK, ANALYZE, OPTIMIZE, REPAIR, CHECKSUM TABLE.

use crate::results::{Kind, Table};
use crate::session::Session;
use crate::statement::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::client::ResultSink;
use catalog::connections::Kill;
use mdl::{Duration, MdlKey, MdlType};
use parser::ast::{self, AdminKind, FlushItem, TableAdmin};
use value::OwnedValue;

impl Session {
    /// KILL [QUERY | CONNECTION] id.
    pub(crate) fn kill_statement(&mut self, sql: &[u8], k: &ast::Kill<'_>) -> SqlResult<()> {
        let id = match self.scalars(sql, std::slice::from_ref(&k.id))?.pop() {
            Some((OwnedValue::Int(n), _)) if n >= 0 => n as u64,
            Some((OwnedValue::UInt(n), _)) => n,
            _ => return Err(SqlError::new(ErrorCode::NO_SUCH_THREAD, &[&0])),
        };
        self.statement_succeeded()?;
        self.kill_connection(id, k.query)
    }

    /// Kills a connection or its statement: 1094 unknown, 1095 not yours.
    pub(crate) fn kill_connection(&mut self, id: u64, query: bool) -> SqlResult<()> {
        let target = self.server.connections.get(id).ok_or_else(|| SqlError::new(ErrorCode::NO_SUCH_THREAD, &[&id]))?;
        let own = target.who().user == self.env.user.0;
        let p = &self.env.account.privileges;
        if !own && !p.has_global(Privs::SUPER) && !p.has_dynamic("CONNECTION_ADMIN") {
            return Err(SqlError::new(ErrorCode::KILL_DENIED_ERROR, &[&id]));
        }
        self.server.connections.kill(id, if query { Kill::Query } else { Kill::Connection })
    }

    /// FLUSH.
    pub(crate) fn flush(&mut self, f: &ast::Flush<'_>) -> SqlResult<()> {
        self.require(Privs::RELOAD, "RELOAD")?;
        for item in f.items {
            match item {
                FlushItem::Tables { with_read_lock: true, .. } => {
                    return Err(SqlError::unsupported("FLUSH TABLES WITH READ LOCK"));
                }
                FlushItem::Tables { for_export: true, .. } => {
                    return Err(SqlError::unsupported("FLUSH TABLES ... FOR EXPORT"));
                }
                // tables are always what the dictionary says, privileges always what the accounts say, logs unbuffered
                _ => {}
            }
        }
        self.commit_transaction()
    }

    /// CHECK TABLE and its siblings: one row per table.
    pub(crate) fn table_admin(&mut self, a: &TableAdmin<'_>, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        if a.histogram.is_some() {
            return Err(SqlError::unsupported("histograms"));
        }
        self.commit_transaction()?;
        if a.kind == AdminKind::Checksum {
            return Err(SqlError::unsupported("CHECKSUM TABLE"));
        }
        let op = match a.kind {
            AdminKind::Check => "check",
            AdminKind::Analyze => "analyze",
            AdminKind::Optimize => "optimize",
            _ => "repair",
        };
        let mut t = Table::new(&[
            ("Table", Kind::Text(128)),
            ("Op", Kind::Text(10)),
            ("Msg_type", Kind::Text(10)),
            ("Msg_text", Kind::Text(8192)),
        ]);
        for name in a.tables {
            let schema = name.schema.or(self.env.schema.as_deref());
            let schema = schema.ok_or_else(|| SqlError::new(ErrorCode::NO_DB_ERROR, &[]))?.to_owned();
            let shown = format!("{schema}.{}", name.name);
            self.require_on_table(Privs::SELECT, &schema, name.name)?;
            self.env.mdl.acquire(
                &MdlKey::table(&schema, name.name),
                MdlType::Sr,
                Duration::Transaction,
                self.ddl_deadline(),
            )?;
            for (kind, text) in self.maintain(a.kind, &schema, name.name) {
                t.push(vec![shown.clone().into(), op.into(), kind.into(), text.into()]);
            }
            self.env.mdl.release_transaction();
        }
        t.send(out)?;
        self.statement_succeeded()?;
        Ok(Outcome::rows())
    }

    fn maintain(&mut self, kind: AdminKind, schema: &str, name: &str) -> Vec<(&'static str, String)> {
        let engine = self.env.engine.clone();
        let table = match engine.dict().open_table(&engine, schema, name) {
            Ok(Some(t)) => t,
            Ok(None) => {
                return vec![
                    ("Error", format!("Table '{schema}.{name}' doesn't exist")),
                    ("status", "Operation failed".into()),
                ];
            }
            Err(e) => return vec![("error", e.to_string()), ("status", "Operation failed".into())],
        };
        match kind {
            AdminKind::Check => match engine.check_table(&table) {
                Ok(problems) if problems.is_empty() => vec![("status", "OK".into())],
                Ok(problems) => {
                    problems.into_iter().map(|p| ("error", p)).chain([("error", "Corrupt".to_owned())]).collect()
                }
                Err(e) => vec![("error", e.to_string()), ("error", "Corrupt".into())],
            },
            AdminKind::Analyze => match engine.analyze_table(&table) {
                Ok(()) => vec![("status", "OK".into())],
                Err(e) => vec![("error", e.to_string()), ("status", "Operation failed".into())],
            },
            AdminKind::Optimize => vec![
                ("note", "Table does not support optimize, doing recreate + analyze instead".into()),
                ("error", "This version of MySQL doesn't yet support 'OPTIMIZE TABLE'".into()),
                ("status", "Operation failed".into()),
            ],
            _ => vec![("note", "The storage engine for the table doesn't support repair".into())],
        }
    }
}
