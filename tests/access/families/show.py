"""SHOW in all its forms."""
from . import S

OURS = {"mxa", "mxb", "information_schema", "performance_schema"}
INDEX = ("Non_unique", "Seq_in_index", "Column_name", "Collation", "Cardinality", "Sub_part", "Packed", "Null", "Index_type", "Comment", "Index_comment", "Visible", "Expression")


def mine(r):
    """Of lists of connections: those of the matrix, not the server's own threads."""
    return r.get("USER") not in (None, "event_scheduler", "system user", "N", "keeper")


def statements():
    out = [S("SHOW DATABASES", only=lambda r: r["DATABASE"] in OURS), S("SHOW DATABASES LIKE 'mx%'"), S("SHOW SCHEMAS WHERE `Database` = 'mxb'")]
    for d in ("mxa", "mxb", "gone", "information_schema", "performance_schema", "mysql"):
        system = d not in ("mxa", "mxb")
        # when a table changed is not known here
        out += [S(f"SHOW {what} FROM {d}", any=system, keys=keys, drop=("Update_time",)) for what, keys in (
            ("TABLES", None), ("FULL TABLES", None), ("TABLE STATUS", ("Name",)), ("OPEN TABLES", ("Database",)), ("TRIGGERS", ("Trigger",)), ("FULL TRIGGERS", ("Trigger",)), ("EVENTS", ("Name",)))
            if not (what == "OPEN TABLES" and system)]
        out.append(S(f"SHOW CREATE DATABASE {d}", keys=("Database",)))
        out.append(S(f"SHOW CREATE SCHEMA IF NOT EXISTS {d}", keys=("Database",)))
    out += [S("SHOW TABLES FROM mxa LIKE 't%'"), S("SHOW TABLE STATUS FROM mxa LIKE 'v%'", keys=("Name", "Comment"), drop=("Update_time",)), S("SHOW EXTENDED TABLES FROM mxa"), S("SHOW TABLES"), S("SHOW TABLE STATUS WHERE Name = 't1'"), S("SHOW OPEN TABLES LIKE 'gone'"),
            S(["USE mxa", "SHOW TABLES"], fresh=True), S(["USE information_schema", "SHOW TABLES LIKE 'TABLES'"], fresh=True)]
    for t in ("mxa.t1", "mxa.t2", "mxa.child", "mxb.s1", "mxa.vd", "mxa.vi", "mxa.vid", "mxa.vdi", "mxa.vx", "mxa.vb", "mxa.vs", "mxa.gone", "gone.gone", "mysql.user", "information_schema.tables", "performance_schema.threads"):
        keys = () if t[:3] != "mxa" and t[:3] != "mxb" else ("Field", "Privileges", "Key_name", "Table", "View")
        system = not t.startswith(("mxa", "mxb"))
        out += [S(f"SHOW {what} {t}", keys=keys, any=system) for what in ("COLUMNS FROM", "FULL COLUMNS FROM", "INDEX FROM", "CREATE TABLE", "CREATE VIEW")]
        if t in ("mxa.t1", "mxb.s1", "mxa.vd", "mxa.vi", "mxa.gone"):
            out += [S(f"{what} {t}", keys=keys) for what in ("DESCRIBE", "EXPLAIN", "SHOW FIELDS FROM", "SHOW KEYS FROM")]
            # EXTENDED shows InnoDB's own columns, which there are none of here
            out += [S(f"SHOW EXTENDED COLUMNS FROM {t}", keys=keys, only=lambda r: not r["FIELD"].startswith("DB_")), S(f"SHOW EXTENDED INDEX FROM {t}", keys=keys, drop=INDEX)]
    out += [S("DESCRIBE mxa.t1 secret"), S("DESCRIBE mxa.t1 'p%'", keys=("Field",)), S("SHOW COLUMNS FROM mxa.t1 LIKE 'secret'", keys=("Field",)), S("SHOW COLUMNS FROM t1 FROM mxa WHERE Field = 'id'", keys=("Field",)), S("SHOW INDEX FROM t1 FROM mxa WHERE Key_name = 'k_pub'", keys=("Key_name",))]
    # accounts
    for who in ("CURRENT_USER", "{me}", "root@localhost", "tgt@localhost", "tgt_sys@localhost", "rol_read", "rol_all", "gone@localhost", "admin@localhost", "nobody@localhost"):
        out += [S(f"SHOW GRANTS FOR {who}", any=who in ("root@localhost", "admin@localhost", "rol_all"), drop=()), S(f"SHOW CREATE USER {who}", any=True)]
    out += [S("SHOW GRANTS", without=("root", "admin", "g_all", "r_everything", "p_all")), S("SHOW GRANTS FOR CURRENT_USER()", any=True), S("SHOW GRANTS FOR tgt_role@localhost USING rol_sys"), S("SHOW GRANTS FOR tgt@localhost USING rol_read"), S("SHOW GRANTS FOR CURRENT_USER USING rol_read"), S("SHOW GRANTS FOR CURRENT_USER USING rol_all", any=True),
            S(["SET ROLE NONE", "SHOW GRANTS"], fresh=True, any=True), S(["SET ROLE ALL", "SHOW GRANTS"], fresh=True, any=True), S("SHOW GRANTS FOR tgt_role@localhost")]
    # the server
    out += [S("SHOW PROCESSLIST", keys=("User",), only=mine, drop=("Id", "Host", "db", "Command", "Time", "State", "Info")), S("SHOW FULL PROCESSLIST", keys=("User",), only=mine, drop=("Id", "Host", "db", "Command", "Time", "State", "Info"))]
    out += [S(s, any=True) for s in (
        "SHOW ENGINE INNODB STATUS", "SHOW ENGINE INNODB MUTEX", "SHOW ENGINE PERFORMANCE_SCHEMA STATUS", "SHOW ENGINE ALL STATUS", "SHOW ENGINE gone STATUS", "SHOW ENGINES", "SHOW PLUGINS", "SHOW PRIVILEGES", "SHOW BINARY LOGS", "SHOW BINARY LOG STATUS", "SHOW BINLOG EVENTS", "SHOW RELAYLOG EVENTS",
        "SHOW REPLICA STATUS", "SHOW REPLICAS", "SHOW PROFILES", "SHOW PROFILE", "SHOW WARNINGS", "SHOW ERRORS", "SHOW COUNT(*) WARNINGS", "SHOW COUNT(*) ERRORS", "SHOW CHARACTER SET", "SHOW COLLATION", "SHOW PROCEDURE STATUS LIKE 'gone'", "SHOW FUNCTION STATUS LIKE 'gone'",
        "SHOW CREATE PROCEDURE mxa.gone", "SHOW CREATE FUNCTION mxa.gone", "SHOW CREATE TRIGGER mxa.gone", "SHOW CREATE EVENT mxa.gone", "SHOW CREATE PROCEDURE gone", "SHOW CREATE TRIGGER gone.gone", "SHOW CREATE EVENT gone.gone", "SHOW CREATE PROCEDURE mxb.gone", "SHOW CREATE TRIGGER mxb.gone", "SHOW CREATE EVENT mxb.gone",
        "SHOW GLOBAL VARIABLES LIKE 'max_connections'", "SHOW SESSION VARIABLES LIKE 'autocommit'", "SHOW GLOBAL STATUS LIKE 'Uptime'", "SHOW SESSION STATUS LIKE 'Com_select'", "SHOW GLOBAL VARIABLES LIKE 'ssl_key'", "SHOW REPLICA STATUS FOR CHANNEL 'x'", "SHOW RELAYLOG EVENTS IN 'x'", "SHOW BINLOG EVENTS IN 'x'",
        "SHOW PROCEDURE CODE mxa.gone", "SHOW MASTER STATUS", "SHOW SLAVE STATUS", "SHOW PARSE_TREE SELECT 1", "HELP 'select'", "SHOW STATUS LIKE 'Ssl_server_not_after'")]
    return out
