//! The topics of HELP: what the server knows of itself (its variables with their meaning, its functions with their
//! arguments), and for statements the page of MySQL's manual, whose text is not ours to give. HELP answers from them
//! (`session/src/statements/help.rs`), and mysql.help_* list them ([`crate::schema`]). Tables in memory only. Tested:
//! `tests/clients/test_first_hour.py`, `tests/clients/test_mysql_tables.py`.

use catalog::sysvar::{Scope, Var};
use probe::Counter;

const MANUAL: &str = "https://dev.mysql.com/doc/refman/8.4/en/";
/// The categories of topics.
pub const CATEGORIES: [&str; 3] = ["Statements", "Status Variables", "System Variables"];

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
pub struct Topic {
    /// By which it is asked for.
    pub name: String,
    /// What there is to say.
    pub text: String,
    /// The page of MySQL's manual; may be empty.
    pub url: String,
}

fn statement(name: &&str) -> Topic {
    let page = match *name {
        // pages that cover several
        "ROLLBACK" => "commit".to_owned(),
        other => other.to_lowercase().replace(' ', "-"),
    };
    let url = format!("{MANUAL}{page}.html");
    let text = format!(
        "Syntax and meaning are those of MySQL 8.4:\n{url}\nWhat differs in Evenkeel is listed in docs/compat.md."
    );
    Topic { name: (*name).to_owned(), text, url }
}

fn variable(v: Var) -> Topic {
    let d = v.def();
    let scope = match d.scope {
        Scope::Global => "global",
        Scope::Session => "session",
        Scope::Both => "global and session",
    };
    let set = if d.is_dynamic() { "SET changes it" } else { "it cannot be changed while the server runs" };
    let text = format!("{}.\nScope: {scope}; {set}. Default: '{}'.", d.doc, d.default);
    Topic { name: d.name.to_owned(), text, url: format!("{MANUAL}server-system-variables.html") }
}

fn counter(c: &Counter) -> Topic {
    let text = format!("{}.\nShown by SHOW STATUS.", c.doc());
    Topic { name: c.name().to_owned(), text, url: format!("{MANUAL}server-status-variables.html") }
}

/// What is known of a function.
pub fn function(name: &str) -> Option<Topic> {
    let (_, least, most) = planner::func::lookup(&name.to_lowercase())?;
    let arguments = match (least, most) {
        (a, 255) => format!("{a} or more arguments"),
        (1, 1) => "1 argument".to_owned(),
        (a, b) if a == b => format!("{a} arguments"),
        (a, b) => format!("{a} to {b} arguments"),
    };
    let url = format!("{MANUAL}built-in-function-reference.html");
    let text = format!("A function with {arguments}. It does what MySQL 8.4's manual says:\n{url}");
    Some(Topic { name: name.to_uppercase(), text, url })
}

/// The topics of one of [`CATEGORIES`].
pub fn of_category(name: &str) -> Vec<Topic> {
    match name {
        "Statements" => STATEMENTS.iter().map(statement).collect(),
        "Status Variables" => Counter::ALL.iter().map(counter).collect(),
        _ => Var::all().map(variable).collect(),
    }
}
