//! HELP: what the server knows of itself (its variables with their meaning, its functions with their arguments), and for statements the page of MySQL's
//! manual, whose text is not ours to give. The tables mysql.help_* do not exist.
//!
//! The four forms of an answer are those of the manual, "HELP Statement": nothing found, one topic, several topics, a category. Reads tables in memory
//! only. Tested: `tests/clients/test_first_hour.py`.

use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::outcome::Outcome;
use crate::results::table::Table;
use base::SqlResult;
use catalog::client::ResultSink;
use catalog::sysvar::{Scope, Var};
use probe::Counter;

const MANUAL: &str = "https://dev.mysql.com/doc/refman/8.4/en/";
const CATEGORIES: [&str; 3] = ["Statements", "Status Variables", "System Variables"];

/// Statements with a page of the manual of their own; its name is theirs with dashes.
const STATEMENTS: &[&str] = &[
    "ALTER DATABASE",
    "ALTER TABLE",
    "ALTER USER",
    "ALTER VIEW",
    "ANALYZE TABLE",
    "CHECK TABLE",
    "CHECKSUM TABLE",
    "COMMIT",
    "CREATE DATABASE",
    "CREATE INDEX",
    "CREATE ROLE",
    "CREATE TABLE",
    "CREATE USER",
    "CREATE VIEW",
    "DEALLOCATE PREPARE",
    "DELETE",
    "DESCRIBE",
    "DO",
    "DROP DATABASE",
    "DROP INDEX",
    "DROP ROLE",
    "DROP TABLE",
    "DROP USER",
    "DROP VIEW",
    "EXECUTE",
    "EXPLAIN",
    "FLUSH",
    "GET DIAGNOSTICS",
    "GRANT",
    "HANDLER",
    "HELP",
    "INSERT",
    "KILL",
    "LOAD DATA",
    "LOAD XML",
    "LOCK TABLES",
    "OPTIMIZE TABLE",
    "PREPARE",
    "RENAME TABLE",
    "RENAME USER",
    "REPLACE",
    "RESIGNAL",
    "REVOKE",
    "ROLLBACK",
    "SAVEPOINT",
    "SELECT",
    "SET PASSWORD",
    "SET ROLE",
    "SET TRANSACTION",
    "SHOW",
    "SHUTDOWN",
    "SIGNAL",
    "TRUNCATE TABLE",
    "UPDATE",
    "USE",
    "VALUES",
    "WITH",
    "XA",
];

/// A topic: its name and what there is to say.
struct Topic {
    name: String,
    text: String,
}

fn statement(name: &&str) -> Topic {
    let page = match *name {
        // pages that cover several
        "ROLLBACK" => "commit".to_owned(),
        other => other.to_lowercase().replace(' ', "-"),
    };
    let text = format!(
        "Syntax and meaning are those of MySQL 8.4:\n{MANUAL}{page}.html\nWhat differs in Evenkeel is listed in docs/compat.md."
    );
    Topic { name: (*name).to_owned(), text }
}

fn variable(v: Var) -> Topic {
    let d = v.def();
    let scope = match d.scope {
        Scope::Global => "global",
        Scope::Session => "session",
        Scope::Both => "global and session",
    };
    let set = if d.is_dynamic() { "SET changes it" } else { "it cannot be changed while the server runs" };
    Topic { name: d.name.to_owned(), text: format!("{}.\nScope: {scope}; {set}. Default: '{}'.", d.doc, d.default) }
}

fn counter(c: &Counter) -> Topic {
    Topic { name: c.name().to_owned(), text: format!("{}.\nShown by SHOW STATUS.", c.doc()) }
}

fn function(name: &str) -> Option<Topic> {
    let (_, least, most) = planner::func::lookup(&name.to_lowercase())?;
    let arguments = match (least, most) {
        (a, 255) => format!("{a} or more arguments"),
        (1, 1) => "1 argument".to_owned(),
        (a, b) if a == b => format!("{a} arguments"),
        (a, b) => format!("{a} to {b} arguments"),
    };
    let text = format!(
        "A function with {arguments}. It does what MySQL 8.4's manual says:\n{MANUAL}built-in-function-reference.html"
    );
    Some(Topic { name: name.to_uppercase(), text })
}

fn of_category(name: &str) -> Vec<Topic> {
    match name {
        "Statements" => STATEMENTS.iter().map(statement).collect(),
        "Status Variables" => Counter::ALL.iter().map(counter).collect(),
        _ => Var::all().map(variable).collect(),
    }
}

impl Session {
    /// HELP 'what'; `%` and `_` are those of LIKE.
    pub(crate) fn help(&mut self, what: &[u8], out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let what = String::from_utf8_lossy(what).trim().to_owned();
        let t = self.help_table(&what);
        t.send(self.env.vars.collation(Var::character_set_results), out)?;
        self.statement_succeeded()?;
        Ok(Outcome::rows())
    }

    fn help_table(&self, what: &str) -> Table {
        let mut listed = Table::new(columns::HELP_CATEGORY);
        if what.eq_ignore_ascii_case("contents") {
            for c in CATEGORIES {
                listed.push(vec!["Contents".into(), c.into(), "Y".into()]);
            }
            return listed;
        }
        if let Some(c) = CATEGORIES.iter().find(|c| c.eq_ignore_ascii_case(what)) {
            for topic in of_category(c) {
                listed.push(vec![(*c).into(), topic.name.into(), "N".into()]);
            }
            return listed;
        }
        let collation = value::CollationId::UTF8MB4_0900_AI_CI.get();
        let fits = |t: &Topic| collation.like(t.name.as_bytes(), what.as_bytes(), b"\\");
        let all = CATEGORIES.iter().flat_map(|c| of_category(c));
        let mut found: Vec<Topic> = all.filter(fits).collect();
        found.extend(function(what));
        found.dedup_by(|a, b| a.name.eq_ignore_ascii_case(&b.name));
        match found.pop() {
            Some(only) if found.is_empty() => {
                let mut t = Table::new(columns::HELP_TOPIC);
                t.push(vec![only.name.into(), only.text.into(), "".into()]);
                t
            }
            last => {
                let mut t = Table::new(columns::HELP_TOPICS);
                for topic in found.into_iter().chain(last) {
                    t.push(vec![topic.name.into(), "N".into()]);
                }
                t
            }
        }
    }
}
