//! Privileges as bit sets, per level: global, database, table, column, routine; plus dynamic privileges and roles by name.

use super::host::like;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// A set of static privileges.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Privs(pub u64);

macro_rules! privileges {
    ($($name:ident = $bit:literal $text:literal $column:literal;)*) => {
        #[allow(missing_docs)]
        impl Privs {
            $(pub const $name: Privs = Privs(1 << $bit);)*
            /// Every static privilege.
            pub const ALL: Privs = Privs($(1 << $bit)|*);
            /// (privilege, name in GRANT, column of `mysql.user`) in MySQL's order.
            pub const LIST: &'static [(Privs, &'static str, &'static str)] = &[$((Privs(1 << $bit), $text, $column),)*];
        }
    };
}

privileges! {
    SELECT = 0 "SELECT" "Select_priv";
    INSERT = 1 "INSERT" "Insert_priv";
    UPDATE = 2 "UPDATE" "Update_priv";
    DELETE = 3 "DELETE" "Delete_priv";
    CREATE = 4 "CREATE" "Create_priv";
    DROP = 5 "DROP" "Drop_priv";
    RELOAD = 6 "RELOAD" "Reload_priv";
    SHUTDOWN = 7 "SHUTDOWN" "Shutdown_priv";
    PROCESS = 8 "PROCESS" "Process_priv";
    FILE = 9 "FILE" "File_priv";
    GRANT_OPTION = 10 "GRANT OPTION" "Grant_priv";
    REFERENCES = 11 "REFERENCES" "References_priv";
    INDEX = 12 "INDEX" "Index_priv";
    ALTER = 13 "ALTER" "Alter_priv";
    SHOW_DATABASES = 14 "SHOW DATABASES" "Show_db_priv";
    SUPER = 15 "SUPER" "Super_priv";
    CREATE_TEMPORARY_TABLES = 16 "CREATE TEMPORARY TABLES" "Create_tmp_table_priv";
    LOCK_TABLES = 17 "LOCK TABLES" "Lock_tables_priv";
    EXECUTE = 18 "EXECUTE" "Execute_priv";
    REPLICATION_SLAVE = 19 "REPLICATION SLAVE" "Repl_slave_priv";
    REPLICATION_CLIENT = 20 "REPLICATION CLIENT" "Repl_client_priv";
    CREATE_VIEW = 21 "CREATE VIEW" "Create_view_priv";
    SHOW_VIEW = 22 "SHOW VIEW" "Show_view_priv";
    CREATE_ROUTINE = 23 "CREATE ROUTINE" "Create_routine_priv";
    ALTER_ROUTINE = 24 "ALTER ROUTINE" "Alter_routine_priv";
    CREATE_USER = 25 "CREATE USER" "Create_user_priv";
    EVENT = 26 "EVENT" "Event_priv";
    TRIGGER = 27 "TRIGGER" "Trigger_priv";
    CREATE_TABLESPACE = 28 "CREATE TABLESPACE" "Create_tablespace_priv";
    CREATE_ROLE = 29 "CREATE ROLE" "Create_role_priv";
    DROP_ROLE = 30 "DROP ROLE" "Drop_role_priv";
}

impl Privs {
    /// USAGE.
    pub const NONE: Privs = Privs(0);
    /// What `GRANT ALL ON db.*` gives (without GRANT OPTION).
    pub const DB_ALL: Privs = Privs(
        Self::SELECT.0
            | Self::INSERT.0
            | Self::UPDATE.0
            | Self::DELETE.0
            | Self::CREATE.0
            | Self::DROP.0
            | Self::REFERENCES.0
            | Self::INDEX.0
            | Self::ALTER.0
            | Self::CREATE_TEMPORARY_TABLES.0
            | Self::LOCK_TABLES.0
            | Self::EXECUTE.0
            | Self::CREATE_VIEW.0
            | Self::SHOW_VIEW.0
            | Self::CREATE_ROUTINE.0
            | Self::ALTER_ROUTINE.0
            | Self::EVENT.0
            | Self::TRIGGER.0,
    );
    /// What `GRANT ALL ON db.table` gives (without GRANT OPTION).
    pub const TABLE_ALL: Privs = Privs(
        Self::SELECT.0
            | Self::INSERT.0
            | Self::UPDATE.0
            | Self::DELETE.0
            | Self::CREATE.0
            | Self::DROP.0
            | Self::REFERENCES.0
            | Self::INDEX.0
            | Self::ALTER.0
            | Self::CREATE_VIEW.0
            | Self::SHOW_VIEW.0
            | Self::TRIGGER.0,
    );
    /// What `GRANT ALL ON PROCEDURE` gives (without GRANT OPTION), and who makes a routine gets.
    pub const ROUTINE_ALL: Privs = Privs(Self::EXECUTE.0 | Self::ALTER_ROUTINE.0);
    /// What can be granted on a column.
    pub const COLUMN_ALL: Privs = Privs(Self::SELECT.0 | Self::INSERT.0 | Self::UPDATE.0 | Self::REFERENCES.0);

    /// Whether all of `p` are in the set.
    #[inline]
    pub const fn has(self, p: Privs) -> bool {
        self.0 & p.0 == p.0
    }
    /// Both sets.
    #[must_use]
    pub const fn with(self, p: Privs) -> Privs {
        Privs(self.0 | p.0)
    }
    /// What both sets have.
    #[must_use]
    pub const fn and(self, p: Privs) -> Privs {
        Privs(self.0 & p.0)
    }
    /// `self` without `p`.
    #[must_use]
    pub const fn without(self, p: Privs) -> Privs {
        Privs(self.0 & !p.0)
    }
    /// Whether the set is empty.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
    /// The privilege GRANT calls so (any case).
    pub fn by_name(name: &str) -> Option<Privs> {
        Self::LIST.iter().find(|(_, n, _)| n.eq_ignore_ascii_case(name)).map(|(p, _, _)| *p)
    }
    /// Names in MySQL's order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::LIST.iter().filter(move |(p, _, _)| self.has(*p)).map(|(_, n, _)| *n)
    }
}

/// Dynamic privileges that `GRANT ALL ON *.*` includes.
pub const DYNAMIC: &[&str] = &[
    "ALLOW_NONEXISTENT_DEFINER",
    "APPLICATION_PASSWORD_ADMIN",
    "AUDIT_ABORT_EXEMPT",
    "AUDIT_ADMIN",
    "AUTHENTICATION_POLICY_ADMIN",
    "BACKUP_ADMIN",
    "BINLOG_ADMIN",
    "BINLOG_ENCRYPTION_ADMIN",
    "CLONE_ADMIN",
    "CONNECTION_ADMIN",
    "ENCRYPTION_KEY_ADMIN",
    "FIREWALL_EXEMPT",
    "FLUSH_OPTIMIZER_COSTS",
    "FLUSH_PRIVILEGES",
    "FLUSH_STATUS",
    "FLUSH_TABLES",
    "FLUSH_USER_RESOURCES",
    "GROUP_REPLICATION_ADMIN",
    "GROUP_REPLICATION_STREAM",
    "INNODB_REDO_LOG_ARCHIVE",
    "INNODB_REDO_LOG_ENABLE",
    "OPTIMIZE_LOCAL_TABLE",
    "PASSWORDLESS_USER_ADMIN",
    "PERSIST_RO_VARIABLES_ADMIN",
    "REPLICATION_APPLIER",
    "REPLICATION_SLAVE_ADMIN",
    "RESOURCE_GROUP_ADMIN",
    "RESOURCE_GROUP_USER",
    "ROLE_ADMIN",
    "SENSITIVE_VARIABLES_OBSERVER",
    "SERVICE_CONNECTION_ADMIN",
    "SESSION_VARIABLES_ADMIN",
    "SET_ANY_DEFINER",
    "SHOW_ROUTINE",
    "SYSTEM_USER",
    "SYSTEM_VARIABLES_ADMIN",
    "TABLE_ENCRYPTION_ADMIN",
    "TELEMETRY_LOG_ADMIN",
    "TRANSACTION_GTID_TAG",
    "XA_RECOVER_ADMIN",
];

/// Privileges on one table.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TablePrivileges {
    /// On the whole table.
    pub table: Privs,
    /// On columns.
    pub columns: BTreeMap<String, Privs>,
}

/// GRANT PROXY.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Proxy {
    /// WITH GRANT OPTION.
    pub grantable: bool,
    /// `user@host` of who granted it.
    pub grantor: String,
}

/// `partial_revokes`: names in grants on databases are no patterns then (manual, "GRANT Statement").
static EXACT_NAMES: AtomicBool = AtomicBool::new(false);

/// Sets what `partial_revokes` means for names of databases.
pub fn set_exact_names(on: bool) {
    EXACT_NAMES.store(on, Ordering::Relaxed);
}

/// Everything granted to one account.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Privileges {
    /// ON *.*
    pub global: Privs,
    /// Dynamic privileges; the value says WITH GRANT OPTION.
    pub dynamic: BTreeMap<String, bool>,
    /// ON db.*: the name may be a pattern with `%` and `_`.
    pub databases: BTreeMap<String, Privs>,
    /// ON db.table.
    pub tables: BTreeMap<(String, String), TablePrivileges>,
    /// ON PROCEDURE / FUNCTION db.name, the name in lower case (true = function).
    pub routines: BTreeMap<(String, String, bool), Privs>,
    /// Roles granted, (user, host); the value says WITH ADMIN OPTION.
    pub roles: BTreeMap<(String, String), bool>,
    /// SET DEFAULT ROLE.
    pub default_roles: BTreeSet<(String, String)>,
    /// What of the global privileges does not count on a database (partial revokes).
    pub restrictions: BTreeMap<String, Privs>,
    /// Accounts that it may act as, (user, host); two empty names are any.
    pub proxies: BTreeMap<(String, String), Proxy>,
    /// They are the server's own: no account's, whatever is granted to it. Then [`SERVERS_OWN`] is a table like others.
    pub of_server: bool,
}

/// The table that a replica's state lies in. No account has anything on it: it holds the password of the source, a dump
/// with it would make another server a replica where it is loaded, and who could change it could have a source of his
/// own applied with all rights. CHANGE REPLICATION SOURCE, RESET REPLICA ALL, SHOW REPLICA STATUS are the ways to it.
const SERVERS_OWN: (&str, &str) = ("mysql", "evenkeel_replica");

impl Privileges {
    /// Whether the table is none that accounts know of.
    fn is_hidden(&self, db: &str, table: &str) -> bool {
        (db, table) == SERVERS_OWN && !self.of_server
    }
    /// Everything with GRANT OPTION.
    pub fn all() -> Privileges {
        let dynamic = DYNAMIC.iter().map(|n| ((*n).to_owned(), true)).collect();
        let anybody = ((String::new(), String::new()), Proxy { grantable: true, grantor: "boot@".into() });
        Privileges { global: Privs::ALL, dynamic, proxies: [anybody].into(), ..Privileges::default() }
    }
    /// Whether the privilege is held on *.*.
    pub fn has_global(&self, p: Privs) -> bool {
        self.global.has(p)
    }
    /// Whether a dynamic privilege is held; SUPER does not stand for it.
    pub fn holds_dynamic(&self, name: &str) -> bool {
        self.dynamic.contains_key(name)
    }
    /// Whether a dynamic privilege, or SUPER in its place, is held.
    pub fn has_dynamic(&self, name: &str) -> bool {
        self.dynamic.contains_key(name) || self.global.has(Privs::SUPER)
    }
    /// Global and database privileges together for one database.
    pub fn on_database(&self, db: &str) -> Privs {
        let restricted = self.restrictions.get(db).copied().unwrap_or_default();
        self.global.without(restricted).with(self.granted_on_database(db))
    }
    /// What is granted on the database, not on everything. An exact name wins over a pattern, the most specific pattern over others.
    fn granted_on_database(&self, db: &str) -> Privs {
        let exact = self.databases.get(db).copied();
        let by_pattern = || {
            if EXACT_NAMES.load(Ordering::Relaxed) {
                return None;
            }
            let hits = self.databases.iter().filter(|(pat, _)| like(pat.as_bytes(), db.as_bytes()));
            hits.max_by_key(|(pat, _)| pat.find(['%', '_']).unwrap_or(usize::MAX)).map(|(_, p)| *p)
        };
        exact.or_else(by_pattern).unwrap_or_default()
    }
    /// Makes this what of the global privileges does not count on a database.
    pub fn restrict(&mut self, db: &str, p: Privs) {
        if p.is_none() {
            self.restrictions.remove(db);
        } else {
            self.restrictions.insert(db.to_owned(), p);
        }
    }
    /// Privileges on a whole table.
    pub fn on_table(&self, db: &str, table: &str) -> Privs {
        if self.is_hidden(db, table) {
            return Privs::default();
        }
        let own = if self.tables.is_empty() { None } else { self.tables.get(&(db.to_owned(), table.to_owned())) };
        self.on_database(db).with(own.map(|t| t.table).unwrap_or_default())
    }
    /// Privileges on one column.
    pub fn on_column(&self, db: &str, table: &str, column: &str) -> Privs {
        let own = if self.tables.is_empty() { None } else { self.tables.get(&(db.to_owned(), table.to_owned())) };
        let own = own.filter(|_| !self.is_hidden(db, table));
        let column = own.and_then(|t| t.columns.iter().find(|(c, _)| c.eq_ignore_ascii_case(column)).map(|(_, p)| *p));
        self.on_table(db, table).with(column.unwrap_or_default())
    }
    /// Privileges on some column of a table.
    pub fn on_any_column(&self, db: &str, table: &str) -> Privs {
        if self.is_hidden(db, table) {
            return Privs::default();
        }
        let own = if self.tables.is_empty() { None } else { self.tables.get(&(db.to_owned(), table.to_owned())) };
        own.into_iter().flat_map(|t| t.columns.values()).fold(Privs::default(), |all, p| all.with(*p))
    }
    /// Whether it may know of a table: it has something on it or a column of it that can be granted on tables.
    pub fn can_see_table(&self, db: &str, table: &str) -> bool {
        let seen = !self.on_database(db).and(Privs::TABLE_ALL).is_none() || self.names_table(db, table);
        seen && !self.is_hidden(db, table)
    }
    /// Whether it may know of a table's columns: SELECT from wherever, or something on the very table.
    pub fn can_see_columns(&self, db: &str, table: &str) -> bool {
        (self.on_database(db).has(Privs::SELECT) || self.names_table(db, table)) && !self.is_hidden(db, table)
    }
    /// Whether anything is granted on the very table or a column of it, not on its database or on everything.
    pub fn names_table(&self, db: &str, table: &str) -> bool {
        self.tables.contains_key(&(db.to_owned(), table.to_owned())) && !self.is_hidden(db, table)
    }
    /// Privileges on a routine; `name` in any case.
    pub fn on_routine(&self, db: &str, name: &str, function: bool) -> Privs {
        let above = self.on_database(db);
        if self.routines.is_empty() {
            return above;
        }
        let own = self.routines.get(&(db.to_owned(), name.to_lowercase(), function));
        above.with(own.copied().unwrap_or_default())
    }
    /// Whether it may make it the default database (1044 otherwise): as [`Self::can_see_database`], but GRANT OPTION on a table is not enough.
    pub fn can_use_database(&self, db: &str) -> bool {
        let only_grants = |t: &TablePrivileges| t.columns.is_empty() && t.table == Privs::GRANT_OPTION;
        !self.on_database(db).and(Privs::DB_ALL).is_none()
            || self.tables.iter().any(|((d, _), t)| d == db && !only_grants(t))
            || self.routines.keys().any(|(d, _, _)| d == db)
    }
    /// Whether it may know what is in a database (1044 otherwise): it has something there that can be granted on databases.
    pub fn can_see_database(&self, db: &str) -> bool {
        !self.on_database(db).and(Privs::DB_ALL).is_none()
            || self.tables.keys().any(|(d, _)| d == db)
            || self.routines.keys().any(|(d, _, _)| d == db)
    }
    /// Whether it may know that there is such a database; everybody knows of performance_schema.
    pub fn can_list_database(&self, db: &str) -> bool {
        db == "performance_schema"
            || self.has_global(Privs::SHOW_DATABASES)
            || !self.granted_on_database(db).is_none()
            || self.can_see_database(db)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_add_up() {
        let mut p = Privileges::default();
        p.databases.insert("a\\_b".into(), Privs::SELECT);
        p.databases.insert("x%".into(), Privs::INSERT);
        p.tables.insert(
            ("d".into(), "t".into()),
            TablePrivileges { table: Privs::DELETE, columns: [("c".into(), Privs::UPDATE)].into() },
        );
        assert!(p.on_database("a_b").has(Privs::SELECT) && p.on_database("aXb").is_none());
        assert!(p.on_database("xyz").has(Privs::INSERT));
        assert!(p.on_table("d", "t").has(Privs::DELETE) && !p.on_table("d", "u").has(Privs::DELETE));
        assert!(p.on_column("d", "t", "C").has(Privs::UPDATE) && !p.on_column("d", "t", "e").has(Privs::UPDATE));
        assert!(p.can_see_database("d") && !p.can_see_database("e"));
        assert!(Privileges::all().has_dynamic("BACKUP_ADMIN"));
        // a table of the server's own, whatever is granted
        let (db, table) = SERVERS_OWN;
        let mut p = Privileges::all();
        p.tables.insert((db.into(), table.into()), TablePrivileges { table: Privs::SELECT, ..Default::default() });
        assert!(p.on_table(db, table).is_none() && p.on_column(db, table, "c").is_none());
        assert!(!p.can_see_table(db, table) && !p.can_see_columns(db, table) && !p.names_table(db, table));
        assert!(p.on_table(db, "time_zone").has(Privs::SELECT) && p.on_table("d", table).has(Privs::SELECT));
        p.of_server = true;
        assert!(p.on_table(db, table).has(Privs::ALL) && p.can_see_table(db, table));
        p.global = Privs::SELECT.with(Privs::INSERT);
        p.restrict("d", Privs::SELECT);
        assert!(!p.on_database("d").has(Privs::SELECT) && p.on_database("d").has(Privs::INSERT));
        assert!(p.on_database("e").has(Privs::SELECT));
        p.restrict("d", Privs::NONE);
        assert!(p.restrictions.is_empty() && p.on_database("d").has(Privs::SELECT));
    }
}
