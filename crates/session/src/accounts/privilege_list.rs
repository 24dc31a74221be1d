//! SHOW PRIVILEGES: every privilege with what it is granted on (manual, "SHOW PRIVILEGES Statement"). The comments that the manual shows
//! are the manual's, the others our own.
//!
//! Tested: golden `show`.

use crate::results::columns;
use crate::results::table::Table;
use catalog::accounts::DYNAMIC;

const ADMIN: &str = "Server Admin";
const ROUTINES: &str = "Functions,Procedures";

/// Static privileges in MySQL's order: name, context, comment.
const STATIC: &[(&str, &str, &str)] = &[
    ("Alter", "Tables", "To alter the table"),
    ("Alter routine", ROUTINES, "To alter or drop stored functions/procedures"),
    ("Create", "Databases,Tables,Indexes", "To create new databases and tables"),
    ("Create routine", "Databases", "To use CREATE FUNCTION/PROCEDURE"),
    ("Create role", ADMIN, "To create new roles"),
    ("Create temporary tables", "Databases", "To use CREATE TEMPORARY TABLE"),
    ("Create view", "Tables", "Create views"),
    ("Create user", ADMIN, "Create, change and drop accounts"),
    ("Delete", "Tables", "Delete rows"),
    ("Drop", "Databases,Tables", "Drop databases, tables and views"),
    ("Drop role", ADMIN, "Drop roles"),
    ("Event", ADMIN, "Create, change, drop and run events"),
    ("Execute", ROUTINES, "Run stored routines"),
    ("File", "File access on server", "Read and write files on the server"),
    ("Grant option", "Databases,Tables,Functions,Procedures", "Give one's own privileges to others"),
    ("Index", "Tables", "Create and drop indexes"),
    ("Insert", "Tables", "Insert rows"),
    ("Lock tables", "Databases", "Use LOCK TABLES where one may SELECT"),
    ("Process", ADMIN, "See the statements of all sessions"),
    ("Proxy", ADMIN, "Act as another account"),
    ("References", "Databases,Tables", "Refer to a table in a foreign key"),
    ("Reload", ADMIN, "Use FLUSH"),
    ("Replication client", ADMIN, "Ask where the source and the replicas are"),
    ("Replication slave", ADMIN, "Read the source's binary log"),
    ("Select", "Tables", "Read rows"),
    ("Show databases", ADMIN, "See all databases"),
    ("Show view", "Tables", "See how views are defined"),
    ("Shutdown", ADMIN, "Stop the server"),
    ("Super", ADMIN, "End other sessions, set global variables and the like"),
    ("Trigger", "Tables", "Use triggers"),
    ("Create tablespace", ADMIN, "Create, change and drop tablespaces"),
    ("Update", "Tables", "Change rows"),
    ("Usage", ADMIN, "Connect and no more"),
];

/// The answer.
pub(crate) fn table() -> Table {
    let mut t = Table::new(columns::PRIVILEGES);
    let dynamic = DYNAMIC.iter().map(|name| (*name, ADMIN, ""));
    for (name, context, comment) in STATIC.iter().copied().chain(dynamic) {
        t.push(vec![name.into(), context.into(), comment.into()]);
    }
    t
}
