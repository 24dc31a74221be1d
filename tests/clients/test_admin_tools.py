"""What dumps of a current MySQL and the administrators' programs send: GTIDs, languages, locks on mysql's tables, COM_REFRESH."""
import shutil
import subprocess

import pymysql
import pytest

SOURCE = "3e11fa47-71ca-11e1-9e33-c80aa9429562"


def ask(c, sql):
    with c.cursor() as cur:
        cur.execute(sql)
        return cur.fetchall()


def error(c, sql):
    with pytest.raises(pymysql.err.MySQLError) as e:
        ask(c, sql)
    return e.value.args


def warnings(c, sql):
    ask(c, sql)
    return [(w[1], w[2]) for w in ask(c, "SHOW WARNINGS")]


def test_gtid_purged_of_a_dump(server):
    with server.connect() as c:
        ask(c, "SET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN")
        ask(c, "SET @@SESSION.SQL_LOG_BIN= 0")
        said = warnings(c, f"SET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ '{SOURCE}:1-5:7'")
        assert [code for code, _ in said] == [1235] and "gtid_purged" in said[0][1]
        assert warnings(c, f"SET @@GLOBAL.GTID_PURGED='{SOURCE}:1-5,\n{SOURCE}:tag:3'") == said
        assert warnings(c, "SET @@GLOBAL.GTID_PURGED=''") == []
        assert ask(c, "SELECT @@GLOBAL.gtid_purged") == (("",),)
        ask(c, "SET @@SESSION.SQL_LOG_BIN = @MYSQLDUMP_TEMP_LOG_BIN")
        for wrong in ("x", f"{SOURCE}:0", f"{SOURCE}"):
            assert error(c, f"SET @@GLOBAL.GTID_PURGED='{wrong}'")[0] == 1231


def test_languages(server):
    with server.connect() as c:
        said = warnings(c, "SET lc_messages = 'de_DE'")
        assert [code for code, _ in said] == [1235] and "English" in said[0][1]
        assert ask(c, "SELECT @@lc_messages") == (("de_DE",),)
        assert warnings(c, "SET lc_messages = 'de_DE'") == []
        assert error(c, "SELECT * FROM mysql.such") == (1146, "Table 'mysql.such' doesn't exist")
        assert warnings(c, "SET lc_messages = 'en_GB'") == []
        assert error(c, "SET lc_messages = 'xx_XX'")[0] == 1649


def test_tables_of_mysql_can_be_locked(server):
    with server.connect() as c, server.connect() as other:
        ask(c, "LOCK TABLES mysql.user READ, mysql.db READ, mysql.general_log READ")
        assert ask(c, "SELECT COUNT(*) FROM mysql.user WHERE user='root'")[0][0] == 1
        ask(c, "LOCK TABLES mysql.user WRITE")
        ask(other, "SET lock_wait_timeout = 1")
        assert error(other, "LOCK TABLES mysql.user READ")[0] == 1205
        ask(c, "UNLOCK TABLES")
        ask(other, "LOCK TABLES mysql.user READ")
        ask(other, "UNLOCK TABLES")
        assert error(c, "LOCK TABLES mysql.no_such_table READ")[0] == 1146
        ask(c, "CREATE USER nobody@localhost")
    with server.connect(user="nobody") as c:
        assert error(c, "LOCK TABLES mysql.user READ")[0] == 1044


def test_reset_without_replication(server):
    with server.connect() as c:
        ask(c, "RESET REPLICA, BINARY LOGS AND GTIDS")
        ask(c, "RESET BINARY LOGS AND GTIDS")
        ask(c, "RESET REPLICA ALL")
        assert error(c, "RESET REPLICA FOR CHANNEL 'x'")[0] == 3074
        assert error(c, "RESET REPLICA,")[0] == 1064


def test_delete_from_mysql_db(server):
    """What mysql_secure_installation and clean-ups send."""
    with server.connect() as c:
        for statement in ("CREATE USER one@localhost, two@'10.%'", "GRANT ALL ON test.* TO one@localhost", "GRANT SELECT ON `test\\_%`.* TO two@'10.%'", "GRANT SELECT ON kept.* TO one@localhost"):
            ask(c, statement)
        with c.cursor() as cur:
            assert cur.execute("DELETE FROM mysql.db WHERE Db='test' OR Db='test\\_%' -- both") == 2
            assert cur.execute("DELETE FROM mysql.db WHERE Db='test' OR Db='test\\_%';") == 0
        assert ask(c, "SELECT User, Db FROM mysql.db WHERE User IN ('one', 'two')") == (("one", "kept"),)
        assert ask(c, "SHOW GRANTS FOR one@localhost")[1:] == (("GRANT SELECT ON `kept`.* TO `one`@`localhost`",),)
        assert error(c, "DELETE FROM mysql.db WHERE no_such_column = 1")[0] == 1054
        ask(c, "GRANT CREATE USER, SELECT ON *.* TO two@'10.%'")
        ask(c, "CREATE USER low@localhost")
        ask(c, "GRANT SELECT, DELETE ON mysql.* TO low@localhost")
        ask(c, "GRANT SYSTEM_USER ON *.* TO one@localhost")
    with server.connect(user="low") as c:
        # an account that is protected
        assert error(c, "DELETE FROM mysql.db WHERE Db = 'kept'")[0] == 1227
        assert error(c, "DELETE FROM mysql.user")[0] == 1142
    with server.connect() as c:
        ask(c, "CREATE USER lower@localhost")
        ask(c, "GRANT DELETE ON mysql.db TO lower@localhost")
        ask(c, "REVOKE SYSTEM_USER ON *.* FROM one@localhost")
    with server.connect(user="lower") as c:
        # to find the rows is to read them
        assert error(c, "DELETE FROM mysql.db WHERE Db = 'kept'")[0] == 1142
    with server.connect(user="low") as c:
        ask(c, "USE mysql")
        ask(c, "DELETE FROM db WHERE Db = 'kept' ORDER BY User LIMIT 5")
    with server.connect() as c:
        assert ask(c, "SHOW GRANTS FOR one@localhost")[1:] == ()


def refresh(c, bits):
    c._execute_command(7, bytes([bits]))
    return c._read_packet()


def test_com_refresh(server):
    with server.connect() as c:
        for bits in (1, 2, 4, 8, 16, 32, 1 | 2 | 4 | 8 | 16 | 32, 0):
            assert refresh(c, bits).is_ok_packet()
        flushed = int(dict(ask(c, "SHOW GLOBAL STATUS LIKE 'Flush_commands'"))["Flush_commands"])
        refresh(c, 4)
        assert int(dict(ask(c, "SHOW GLOBAL STATUS LIKE 'Flush_commands'"))["Flush_commands"]) == flushed + 1
        ask(c, "CREATE USER IF NOT EXISTS nobody@localhost")
    with server.connect(user="nobody") as c:
        with pytest.raises(pymysql.err.MySQLError) as e:
            refresh(c, 1)
        assert e.value.args[0] == 1227


ADMIN = ["ping", "status", "extended-status", "processlist", "debug", "flush-logs", "flush-privileges", "flush-status", "flush-tables", "refresh",
         "flush-threads", "reload", "variables", "version"]


@pytest.mark.skipif(not shutil.which("mariadb-admin"), reason="no mysqladmin")
@pytest.mark.parametrize("command", ADMIN)
def test_mysqladmin(server, command):
    done = subprocess.run(["mariadb-admin", "--no-defaults", "-uroot", "-S", server.socket, command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
