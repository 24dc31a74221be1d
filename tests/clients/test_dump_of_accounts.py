"""`mysqldump --all-databases` of a real MySQL, accounts included, is loaded as it is: the tables of its schema `mysql` are taken, and FLUSH
PRIVILEGES puts the loaded grant tables in force."""
import subprocess

import pymysql
import pytest

from lib.servers import MySQL, Server

MADE = """
CREATE DATABASE shop; CREATE TABLE shop.t (a INT, b INT); CREATE PROCEDURE shop.p() SELECT 1; CREATE FUNCTION shop.F() RETURNS INT DETERMINISTIC RETURN 1;
CREATE ROLE reader, 'keeper'@'localhost'; GRANT SELECT ON shop.* TO reader; GRANT BACKUP_ADMIN ON *.* TO 'keeper'@'localhost';
CREATE USER 'ann'@'localhost' IDENTIFIED BY 'sesame' REQUIRE NONE WITH MAX_QUERIES_PER_HOUR 5000 MAX_USER_CONNECTIONS 7 PASSWORD EXPIRE INTERVAL 90 DAY
 PASSWORD HISTORY 3 PASSWORD REUSE INTERVAL 30 DAY FAILED_LOGIN_ATTEMPTS 4 PASSWORD_LOCK_TIME 2 ATTRIBUTE '{"team": "a''b\\\\\\\\c"}';
CREATE USER 'bob'@'10.%' IDENTIFIED BY 'x' REQUIRE SUBJECT '/CN=bob' AND ISSUER '/CN=ca' ACCOUNT LOCK; CREATE USER 'Käthe'@'%' IDENTIFIED BY 'k' REQUIRE X509 COMMENT 'ü';
GRANT SELECT (a), INSERT (a, b), UPDATE ON shop.t TO 'ann'@'localhost' WITH GRANT OPTION; GRANT EXECUTE ON PROCEDURE shop.p TO 'ann'@'localhost';
GRANT EXECUTE, ALTER ROUTINE ON FUNCTION shop.F TO 'bob'@'10.%' WITH GRANT OPTION; GRANT ALL ON `shop\\_%`.* TO 'bob'@'10.%'; GRANT RELOAD, PROCESS ON *.* TO 'Käthe'@'%';
GRANT reader TO 'ann'@'localhost' WITH ADMIN OPTION; GRANT 'keeper'@'localhost' TO 'ann'@'localhost'; SET DEFAULT ROLE reader TO 'ann'@'localhost';
GRANT PROXY ON 'ann'@'localhost' TO 'bob'@'10.%'; GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO 'Käthe'@'%' WITH GRANT OPTION
"""
pytestmark = pytest.mark.skipif(MySQL.folder() is None, reason="no MySQL here (scripts/mysql-peer.sh)")
# a plugin that there is none of here: nobody could log in
SOCKET = "INSERT INTO mysql.user (Host, User, plugin, ssl_cipher, x509_issuer, x509_subject) VALUES ('localhost', 'sock', 'auth_socket', '', '', '')"


def said_of(server):
    """SHOW CREATE USER and SHOW GRANTS of all accounts but MySQL's own and the administrator."""
    names = server.query("SELECT User, Host FROM mysql.user WHERE User NOT LIKE 'mysql.%' AND User NOT IN ('root', 'sock') ORDER BY 1, 2")
    shown = {}
    for user, host in names:
        create = server.query(f"SHOW CREATE USER '{user}'@'{host}'")[0][0]
        shown[user, host] = [create, *sorted(r[0] for r in server.query(f"SHOW GRANTS FOR '{user}'@'{host}'"))]
    return shown


def load(server, text):
    command = ["mysql", "--no-defaults", "-uroot", f"--socket={server.socket}"]
    return subprocess.run(command, input=text, capture_output=True)


DUMPS = {"mysqldump": ["--set-gtid-purged=OFF"], "mariadb-dump": []}


@pytest.fixture(scope="module", params=DUMPS)
def dump(request):
    """A dump of a MySQL server, and what it said of its accounts."""
    m = MySQL()
    m.start()
    try:
        for statement in MADE.split(";"):
            m.query(statement.strip())
        m.query("SET SESSION print_identified_with_as_hex = OFF")
        said = said_of(m)
        m.query(SOCKET)
        program = MySQL.program("usr/bin/mysqldump") if request.param == "mysqldump" else ["mariadb-dump"]
        command = [*program, "--no-defaults", "-uroot", f"--socket={m.socket}", "--all-databases", "--routines", "--events", *DUMPS[request.param]]
        yield subprocess.run(command, capture_output=True, check=True).stdout, said
    finally:
        m.kill()
        m.remove()


@pytest.fixture
def server():
    s = Server()
    s.start()
    yield s
    s.kill()
    s.remove()


def test_all_databases_of_mysql_are_loaded_and_flush_privileges_takes_its_accounts(dump, server):
    text, said = dump
    server.query("CREATE USER earlier@localhost")
    done = load(server, text)
    assert done.returncode == 0, done.stderr
    # loaded, not in force: the table has the rows, the server the accounts that it had
    assert ("ann",) in server.query("SELECT User FROM mysql.user")
    assert "earlier" in server.query("SHOW GRANTS FOR earlier@localhost")[0][0]
    with pytest.raises(pymysql.err.OperationalError):
        server.connect(user="ann", password="sesame")
    assert server.query("SELECT CONVERT_TZ('2024-07-01', 'UTC', 'Europe/Berlin')")[0][0].hour == 2

    connection = server.connect()
    with connection.cursor() as c:
        c.execute("FLUSH PRIVILEGES")
        c.execute("SHOW WARNINGS")
        assert [w[2] for w in c.fetchall()] == ["An account of the loaded table mysql.user is left out: 'sock'@'localhost': Plugin 'auth_socket' is not loaded"]
    ours = said_of(server)
    assert ours.keys() == said.keys()
    for who, shown in said.items():
        assert ours[who] == shown, who
    with pytest.raises(pymysql.err.OperationalError):
        server.query("SHOW GRANTS FOR earlier@localhost")
    # the tables are those that are made when they are read
    assert server.query("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'mysql' AND table_name LIKE '%priv'") == ((0,),)
    ann = server.connect(user="ann", password="sesame")
    with ann.cursor() as c:
        c.execute("SELECT CURRENT_ROLE(), (SELECT COUNT(*) FROM shop.t)")
        assert c.fetchall() == (("`reader`@`%`", 0),)
    # and again after a restart
    server.stop()
    server.start()
    assert said_of(server) == ours


def test_what_a_dump_says_of_the_servers_own_tables_changes_nothing(dump, server):
    text, _ = dump
    before = [server.query(f"SELECT * FROM mysql.{t}") for t in ("help_topic", "engine_cost", "component")]
    views = server.query("SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = 'sys' ORDER BY 1")
    assert load(server, text).returncode == 0
    assert [server.query(f"SELECT * FROM mysql.{t}") for t in ("help_topic", "engine_cost", "component")] == before
    assert server.query("SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = 'sys' ORDER BY 1") == views
    # without the DROP of a dump they are refused as ever
    for statement in ("INSERT INTO mysql.help_topic VALUES (1, 'x', 1, '', '', '')", "INSERT INTO mysql.engine_cost (engine_name) VALUES ('x')",
                      "CREATE TABLE mysql.component (a INT)", "CREATE TABLE mysql.user (a INT)"):
        with pytest.raises((pymysql.err.OperationalError, pymysql.err.InternalError)):
            server.query(statement)


def test_loaded_grant_tables_need_an_administrator(server):
    for statement in ("CREATE USER half@localhost", "GRANT RELOAD, CREATE, DROP, INSERT, SELECT, CREATE USER ON *.* TO half@localhost WITH GRANT OPTION"):
        server.query(statement)
    connection = server.connect(user="half")
    with connection.cursor() as c:
        c.execute("FLUSH PRIVILEGES")
        c.execute("DROP TABLE IF EXISTS mysql.user")
        c.execute("CREATE TABLE mysql.user (Host CHAR(255), User CHAR(32), plugin CHAR(64), Super_priv CHAR(1))")
        c.execute("INSERT INTO mysql.user VALUES ('localhost', 'half', 'caching_sha2_password', 'Y')")
        with pytest.raises(pymysql.err.OperationalError) as e:
            c.execute("FLUSH PRIVILEGES")
        assert e.value.args[0] == 1227
    assert "SUPER" not in server.query("SHOW GRANTS FOR half@localhost")[0][0]
    # a table without anybody who could make accounts is not taken either
    with pytest.raises(pymysql.err.MySQLError) as e:
        server.query("FLUSH PRIVILEGES")
    assert "no account that could make accounts" in e.value.args[1]
    server.query("DROP TABLE mysql.user")
    server.query("FLUSH PRIVILEGES")
    assert ("half",) in server.query("SELECT User FROM mysql.user")


def test_what_show_create_user_says_can_be_run(server):
    """A hash with every character that a text may need an escape for, a subject and an attribute with quotes and backslashes."""
    digest = b"$A$005$" + b"ab'\"\\\n\r\t\x1a\x01\x7fabcdefghi" + b"JmIzYFWpc6U28RDxPfMNpWil3mDCOLHDQK.frjATly7"
    create = f"CREATE USER a@localhost IDENTIFIED WITH caching_sha2_password AS 0x{digest[:70].hex()}" + r""" REQUIRE SUBJECT '/CN=x''y\\z' ATTRIBUTE '{"a": "q''q\\\\ \\n"}'"""
    what = "SELECT HEX(authentication_string), User_attributes, x509_subject FROM mysql.user WHERE user = 'a'"
    with server.connect() as c, c.cursor() as cur:
        cur.execute(create)
        cur.execute(what)
        before = cur.fetchall()
        assert before[0][0] == digest[:70].hex().upper()
        for mode in ("", "NO_BACKSLASH_ESCAPES", "ANSI_QUOTES"):
            cur.execute(f"SET sql_mode = '{mode}'")
            cur.execute("SHOW CREATE USER a@localhost")
            text = cur.fetchone()[0]
            cur.execute("DROP USER a@localhost")
            cur.execute(text)
            cur.execute(what)
            assert cur.fetchall() == before, mode


def test_plans_that_are_kept_know_which_table_is_meant(server):
    """The same text, a prepared statement and a view before a dump's table is made, while it is there, and behind it; in two sessions."""
    count = "SELECT COUNT(*) FROM mysql.user"
    sessions = [server.connect(), server.connect()]
    server.query("CREATE DATABASE d")
    server.query("CREATE VIEW d.v AS SELECT user FROM mysql.user")

    def seen():
        out = []
        for c in sessions:
            with c.cursor() as cur:
                for text in (count, count, "EXECUTE s", "SELECT COUNT(*) FROM d.v"):
                    cur.execute(text)
                    out.append(cur.fetchall()[0][0])
        return out

    for c in sessions:
        c.query(f"PREPARE s FROM '{count}'")
    assert seen() == [1] * 8
    sessions[0].query("DROP TABLE IF EXISTS mysql.user")
    sessions[0].query("CREATE TABLE mysql.user (Host CHAR(10), User CHAR(10))")
    assert seen() == [0] * 8
    sessions[1].query("DROP TABLE mysql.user")
    assert seen() == [1] * 8
