"""FLUSH, KILL, SHUTDOWN, replication and other statements of administrators."""
from . import S
from accounts import ACCOUNTS

STOPPERS = ("root", "g_shutdown", "admin", "g_all", "p_all", "r_everything", "g_super")
PROTECTED = ("rol_sys",)


def statements():
    out = [S(f"FLUSH {w}") for w in ("PRIVILEGES", "STATUS", "USER_RESOURCES", "OPTIMIZER_COSTS", "LOGS", "BINARY LOGS", "ENGINE LOGS", "ERROR LOGS", "GENERAL LOGS", "SLOW LOGS", "RELAY LOGS", "RELAY LOGS FOR CHANNEL 'x'", "LOCAL STATUS", "NO_WRITE_TO_BINLOG PRIVILEGES", "STATUS, USER_RESOURCES", "LOGS, STATUS", "PRIVILEGES, OPTIMIZER_COSTS")]
    for t in ("", " mxa.t1", " mxb.s1", " mxa.gone", " gone.gone", " mxa.vd", " mxa.t1, mxb.s1"):
        out += [S([f"FLUSH TABLES{t}", "UNLOCK TABLES"], fresh=True), S([f"FLUSH TABLES{t} WITH READ LOCK", "UNLOCK TABLES"], fresh=True)]
    out += [S(["FLUSH TABLES mxa.t1 FOR EXPORT", "UNLOCK TABLES"], fresh=True), S(["FLUSH TABLES mxb.s1 FOR EXPORT", "UNLOCK TABLES"], fresh=True), S(["FLUSH LOCAL TABLES", "UNLOCK TABLES"], fresh=True), S(["FLUSH TABLE mxa.t1", "UNLOCK TABLES"], fresh=True), S("FLUSH GONE"), S("FLUSH HOSTS")]
    for who in ("tgt", "tgt_sys", "root"):
        if who != "root":
            out.append(S(f"KILL {{id_{who}}}"))
            out.append(S(f"KILL CONNECTION {{id_{who}}}", name=f"KILL CONNECTION {who}"))
        out.append(S(f"KILL QUERY {{id_{who}}}"))
    out += [S("KILL {id_me}"), S("KILL QUERY {id_me}"), S("KILL 999999999"), S("KILL QUERY 999999999"), S("KILL 'x'"), S("KILL NULL"), S("KILL @gone")]
    out += [S("SHUTDOWN", without=STOPPERS), S("RESTART", without=STOPPERS), S(["LOCK INSTANCE FOR BACKUP", "UNLOCK INSTANCE"], fresh=True), S("UNLOCK INSTANCE"), S("ALTER INSTANCE RELOAD TLS"), S("ALTER INSTANCE RELOAD TLS NO ROLLBACK ON ERROR"), S("ALTER INSTANCE RELOAD TLS FOR CHANNEL mysql_admin"),
            S("ALTER INSTANCE ROTATE INNODB MASTER KEY"), S("ALTER INSTANCE DISABLE INNODB REDO_LOG", undo=("ALTER INSTANCE ENABLE INNODB REDO_LOG",)), S("ALTER INSTANCE RELOAD KEYRING"), S("RESET REPLICA"), S("RESET REPLICA ALL"), S("RESET BINARY LOGS AND GTIDS"), S("PURGE BINARY LOGS TO 'x'"), S("START REPLICA"), S("STOP REPLICA"),
            S("CHANGE REPLICATION SOURCE TO SOURCE_HOST = 'x'"), S("CHANGE REPLICATION FILTER REPLICATE_DO_DB = (x)", undo=("CHANGE REPLICATION FILTER REPLICATE_DO_DB = ()",)), S("START GROUP_REPLICATION"), S("STOP GROUP_REPLICATION"), S("INSTALL PLUGIN gone SONAME 'gone.so'"), S("UNINSTALL PLUGIN gone"), S("INSTALL COMPONENT 'file://gone'"), S("UNINSTALL COMPONENT 'file://gone'"),
            S("IMPORT TABLE FROM '/gone'"), S("BINLOG 'x'"), S("CREATE RESOURCE GROUP mxg TYPE = USER", undo=("DROP RESOURCE GROUP mxg",)), S("DROP RESOURCE GROUP gone"), S("ALTER RESOURCE GROUP gone DISABLE"), S("CREATE SPATIAL REFERENCE SYSTEM 1000000 NAME 'a' DEFINITION 'b'"), S("DROP SPATIAL REFERENCE SYSTEM 1000000"), S("CREATE UNDO TABLESPACE mxu ADD DATAFILE 'mxu.ibu'"), S("DROP UNDO TABLESPACE gone"),
            S("ALTER UNDO TABLESPACE gone SET INACTIVE"), S("CREATE FUNCTION gone RETURNS STRING SONAME 'gone.so'"), S("CREATE LOGFILE GROUP x ADD UNDOFILE 'y'"), S("HELP 'gone'")]
    assert set(STOPPERS) <= set(ACCOUNTS)
    return out
