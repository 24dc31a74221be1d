"""EXPLAIN FOR CONNECTION tells of a statement only who might run it: PROCESS or the own account (manual), and the rights on its tables. LOAD DATA ... SET c = (SELECT ...) reads
with the rights of whoever loads. MySQL refuses the first with 1045, we say what is missing."""
import threading

import pymysql
import pytest

from lib.servers import Server
from lib.wait import runs


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--secure-file-priv="]).start()
    for q in ("CREATE DATABASE vault", "CREATE TABLE vault.t (id INT PRIMARY KEY, secret VARCHAR(20), v INT, KEY (v))", "INSERT INTO vault.t VALUES (1, 'canary', 5)",
              "CREATE DATABASE own", "CREATE TABLE own.l (a INT, b VARCHAR(20))", "CREATE SQL SECURITY DEFINER VIEW own.dv AS SELECT * FROM vault.t", "CREATE SQL SECURITY INVOKER VIEW own.iv AS SELECT * FROM vault.t",
              "CREATE USER none@localhost, proc@localhost, sel@localhost, two@localhost, loads@localhost, view@localhost",
              "GRANT PROCESS ON *.* TO proc@localhost, two@localhost, view@localhost", "GRANT SELECT ON vault.* TO sel@localhost, two@localhost", "GRANT SELECT ON own.* TO view@localhost",
              "GRANT FILE ON *.* TO loads@localhost", "GRANT ALL ON own.* TO loads@localhost"):
        s.query(q)
    yield s
    s.stop()
    s.remove()


def outcome(server, user, sql):
    with server.connect(user=user) as c, c.cursor() as cur:
        try:
            cur.execute(sql)
            return 0, repr(cur.fetchall())
        except pymysql.MySQLError as e:
            return e.args[0], e.args[1]


@pytest.mark.parametrize("text, who, allowed", [
    ("SELECT * FROM vault.t WHERE v = 5 AND SLEEP(100)", "root", {"two"}),
    ("SELECT * FROM vault.t WHERE v = 5 AND SLEEP(100)", "sel", {"two", "sel"}),
    ("SELECT * FROM own.iv WHERE v = 5 AND SLEEP(100)", "root", set()),
    ("UPDATE vault.t SET secret = 'canary2' WHERE v = 5 AND SLEEP(100)", "root", set()),
])
def test_who_is_told_the_plan(server, text, who, allowed):
    other = server.connect(user=who)

    def wait():
        with pytest.raises(pymysql.MySQLError):
            other.cursor().execute(text)
            raise pymysql.MySQLError
    t = threading.Thread(target=wait)
    t.start()
    try:
        runs(server, other, text[:20])
        for user in ("none", "proc", "sel", "two", "loads", "view"):
            for form in ("", "FORMAT=JSON ", "FORMAT=TREE "):
                code, said = outcome(server, user, f"EXPLAIN {form}FOR CONNECTION {other.thread_id()}")
                assert (code == 0) == (user in allowed), (user, form, code, said)
                assert "canary" not in said and (code == 0 or "secret" not in said), (user, said)
    finally:
        server.query(f"KILL {other.thread_id()}")
        t.join()


def test_load_data_reads_with_the_loaders_rights(server, tmp_path):
    tmp_path.chmod(0o755)
    file = tmp_path / "lines"
    file.write_text("1\n2\n")
    file.chmod(0o644)
    for value in ("(SELECT secret FROM vault.t LIMIT 1)", "(SELECT MAX(secret) FROM own.iv)", "CONCAT('x', (SELECT v FROM vault.t WHERE id = 1))", "(WITH c AS (SELECT secret s FROM vault.t) SELECT MAX(s) FROM c)"):
        code, said = outcome(server, "loads", f"LOAD DATA INFILE '{file}' INTO TABLE own.l (a) SET b = {value}")
        assert code in (1142, 1356), (value, code, said)
    assert server.query("SELECT COUNT(*) FROM own.l") == ((0,),)
    # through a view of a definer who may
    assert outcome(server, "loads", f"LOAD DATA INFILE '{file}' INTO TABLE own.l (a) SET b = (SELECT MAX(secret) FROM own.dv)")[0] == 0
    assert server.query("SELECT DISTINCT b FROM own.l") == (("canary",),)
