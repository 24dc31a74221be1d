//! EXPLAIN.

use crate::resolver::SessionResolver;
use crate::results::{Cell, Kind, Table};
use crate::session::Session;
use crate::statement::Outcome;
use base::{SqlError, SqlResult};
use catalog::client::ResultSink;
use parser::ast::{Explain, ExplainFormat, ExplainTarget};
use planner::Request;

impl Session {
    /// EXPLAIN [FORMAT = ...] statement.
    pub(crate) fn explain(&mut self, sql: &[u8], e: &Explain<'_>, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let ExplainTarget::Statement(s) = &e.target else {
            return Err(SqlError::unsupported("EXPLAIN FOR CONNECTION"));
        };
        if e.analyze {
            return Err(SqlError::unsupported("EXPLAIN ANALYZE"));
        }
        if e.into.is_some() {
            return Err(SqlError::unsupported("EXPLAIN INTO"));
        }
        let plan = planner::plan(s, &Request::plain(sql, &SessionResolver(&self.env)))?;
        let table = match e.format.unwrap_or(ExplainFormat::Traditional) {
            ExplainFormat::Json => return Err(SqlError::unsupported("EXPLAIN FORMAT=JSON")),
            ExplainFormat::Tree => {
                let mut t = Table::new(&[("EXPLAIN", Kind::Long)]);
                t.push(vec![planner::explain::tree(&plan).into()]);
                t
            }
            ExplainFormat::Traditional => {
                let mut t = Table::new(&[
                    ("id", Kind::UInt),
                    ("select_type", Kind::Text(19)),
                    ("table", Kind::Text(64)),
                    ("partitions", Kind::Long),
                    ("type", Kind::Text(10)),
                    ("possible_keys", Kind::Text(4096)),
                    ("key", Kind::Text(64)),
                    ("key_len", Kind::Text(4096)),
                    ("ref", Kind::Text(1024)),
                    ("rows", Kind::UInt),
                    ("filtered", Kind::Text(10)),
                    ("Extra", Kind::Text(255)),
                ]);
                for r in planner::explain::rows(&plan) {
                    t.push(r.into_iter().map(|c| c.map_or(Cell::Null, Cell::Text)).collect());
                }
                t
            }
        };
        table.send(out)?;
        self.statement_succeeded()?;
        Ok(Outcome::rows())
    }
}
