"""The slow, general and error log as tools read them: MySQL's lines and fields with true values, tables that agree with files, JSON beside
lines, pt-query-digest where it is installed."""
import json
import re
import shutil
import socket
import subprocess
import threading

import pymysql
import pytest

from lib.servers import Server
from lib.wait import until


def ask(conn, sql):
    with conn.cursor() as c:
        c.execute(sql)
        return c.fetchall()


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (a INT PRIMARY KEY, b INT, KEY (b))")
    s.query("INSERT INTO d.t VALUES (1,1),(2,2),(3,3),(4,4)")
    for name in ("slow", "general"):
        s.query(f"SET GLOBAL {'slow_query' if name == 'slow' else name}_log_file = '{s.dir}/{name}.log'")
    s.query("SET GLOBAL long_query_time = 0, log_slow_extra = ON, log_output = 'FILE,TABLE', slow_query_log = ON, general_log = ON")
    yield s
    s.remove()


FIELDS = ["Query_time", "Lock_time", "Rows_sent", "Rows_examined", "Thread_id", "Errno", "Killed", "Bytes_received", "Bytes_sent", "Read_first", "Read_last",
          "Read_key", "Read_next", "Read_prev", "Read_rnd", "Read_rnd_next", "Sort_merge_passes", "Sort_range_count", "Sort_rows", "Sort_scan_count",
          "Created_tmp_disk_tables", "Created_tmp_tables", "Start", "End"]


def entries(text):
    """The entries of a slow log as (fields, database of `use`, statement)."""
    out = []
    for part in text.split("# Time: ")[1:]:
        m = re.match(r"(\S+)\n# User@Host: (\S+) @ (\S*) \[(\S*)\]  Id: +(\d+)\n# ([^\n]*)\n(?:use (\S+);\n)?SET timestamp=(\d+);\n(.*)\Z", part, re.S)
        assert m, part
        fields = dict(re.findall(r"(\w+): (\S+)", m[6]))
        out.append(({"time": m[1], "user": m[2], "id": int(m[5]), **fields}, m[7], m[9].rstrip("\n")))
    return out


def slow(server, conn, sql):
    """The entry of a statement, whose marker comment makes it known."""
    slow.n += 1
    sql = f"{sql} /* n{slow.n} */"
    try:
        ask(conn, sql)
    except pymysql.MySQLError:
        pass
    found = [e for e in entries((server.dir / "slow.log").read_text()) if e[2] == sql + ";"]
    assert len(found) == 1, sql
    return found[0]


slow.n = 0


def test_slow_log_has_all_fields_with_true_values(server):
    with server.connect(database="d") as c:
        e, _, _ = slow(server, c, "SELECT * FROM t IGNORE INDEX (b)")
        assert list(e)[3:] == FIELDS
        numbers = lambda e: {k: int(e[k]) for k in FIELDS[2:-2]}
        zero = dict.fromkeys(FIELDS[9:-2], 0)
        n = numbers(e)
        assert n == {"Rows_sent": 4, "Rows_examined": 4, "Thread_id": c.thread_id(), "Errno": 0, "Killed": 0, "Bytes_received": n["Bytes_received"],
                     "Bytes_sent": n["Bytes_sent"], **zero, "Read_first": 1, "Read_key": 1, "Read_rnd_next": 5}
        # the packet of the command: header, command, text
        assert n["Bytes_received"] == 5 + len("SELECT * FROM t IGNORE INDEX (b) /* n1 */")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", e["Start"]) and e["Start"] < e["End"] <= e["time"]
        n = numbers(slow(server, c, "SELECT a FROM t IGNORE INDEX (b) ORDER BY a + 0 DESC")[0])
        # those read and, sorted, once more
        assert (n["Rows_examined"], n["Sort_rows"], n["Sort_scan_count"], n["Rows_sent"]) == (8, 4, 1, 4)
        n = numbers(slow(server, c, "SELECT * FROM t WHERE a = 2")[0])
        assert (n["Rows_examined"], n["Read_key"], n["Read_first"], n["Read_rnd_next"]) == (1, 1, 0, 0)
        n = numbers(slow(server, c, "SELECT * FROM t WHERE a = 77")[0])
        assert (n["Rows_examined"], n["Rows_sent"]) == (0, 0)
        n = numbers(slow(server, c, "SELECT b FROM t WHERE b BETWEEN 2 AND 3")[0])
        assert (n["Rows_examined"], n["Rows_sent"], n["Read_key"], n["Read_next"]) == (2, 2, 1, 2)
        n = numbers(slow(server, c, "INSERT INTO t VALUES (1, 1)")[0])
        assert n["Errno"] == 1062 and n["Bytes_sent"] == len("Duplicate entry '1' for key 't.PRIMARY'") + 13
        n = numbers(slow(server, c, "DO 1")[0])
        assert n["Bytes_sent"] == 11, "an OK packet"
        e, _, _ = slow(server, c, "SELECT SLEEP(0.05)")
        assert 0.05 <= float(e["Query_time"]) < 30 and float(e["Lock_time"]) == 0
        # a wait for a row is Lock_time
        with server.connect(database="d", autocommit=False) as other:
            ask(other, "UPDATE t SET b = b WHERE a = 1")
            waiter = threading.Thread(target=ask, args=(c, "UPDATE t SET b = b + 1 WHERE a = 1 /* waits */"))
            waiter.start()
            until(lambda: server.query("SELECT 1 FROM performance_schema.data_lock_waits"))
            other.rollback()
            waiter.join()
        e = next(e for e in entries((server.dir / "slow.log").read_text()) if "waits */" in e[2])[0]
        assert 0 < float(e["Lock_time"]) <= float(e["Query_time"])
        # performance_schema says the same
        ask(c, "SELECT * FROM t IGNORE INDEX (b)")
        assert ask(c, "SELECT ROWS_EXAMINED FROM performance_schema.events_statements_history WHERE THREAD_ID = CONNECTION_ID() ORDER BY EVENT_ID DESC LIMIT 1") == ((4,),)


def test_killed_is_told(server):
    with server.connect(database="d") as c:
        sleeper = threading.Thread(target=slow, args=(server, c, "SELECT SLEEP(30) FROM t"))
        sleeper.start()
        until(lambda: server.query(f"SELECT 1 FROM information_schema.processlist WHERE id = {c.thread_id()} AND state = 'User sleep'"))
        server.query(f"KILL QUERY {c.thread_id()}")
        sleeper.join()
    e = [e for e in entries((server.dir / "slow.log").read_text()) if "SELECT SLEEP(30)" in e[2]][-1][0]
    assert (e["Errno"], e["Killed"]) == ("1317", "1317")


def test_use_only_where_the_database_changes(server):
    with server.connect(database="d") as a, server.connect(database="mysql") as b:
        first = slow(server, a, "SELECT 1")
        assert [slow(server, c, "SELECT 2")[1] for c in (a, b, b, a)] == [None, "mysql", None, "d"]
        assert first[1] in ("d", None)


def test_tables_agree_with_files(server):
    with server.connect(database="d") as c:
        e, _, sql = slow(server, c, "SELECT a FROM t WHERE b > 2")
        row = until(lambda: ask(c, "SELECT user_host, rows_sent, rows_examined, db, server_id, thread_id, MICROSECOND(query_time) "
                                   f"FROM mysql.slow_log WHERE sql_text = '{sql[:-1]}'"))[0]
        assert row[:6] == ("root[root] @ localhost []", int(e["Rows_sent"]), int(e["Rows_examined"]), "d", 1, c.thread_id())
        assert abs(row[6] - float(e["Query_time"]) % 1 * 1000000) < 1.5
        general = until(lambda: ask(c, f"SELECT user_host, thread_id, command_type FROM mysql.general_log WHERE argument = '{sql[:-1]}'"))
        assert general == (("root[root] @ localhost []", c.thread_id(), "Query"),)


def test_what_comes_into_the_slow_log(server):
    """Its conditions, each alone."""
    def logged(sql, **settings):
        with server.connect(database="d") as c:
            before = {}
            for name, value in settings.items():
                before[name] = ask(c, f"SELECT @@GLOBAL.{name}")[0][0]
                server.query(f"SET GLOBAL {name} = {value}")
            try:
                with server.connect(database="d") as fresh:
                    text = len((server.dir / "slow.log").read_text())
                    ask(fresh, sql)
                    return sql in (server.dir / "slow.log").read_text()[text:]
            finally:
                for name, value in before.items():
                    server.query(f"SET GLOBAL {name} = {value!r}" if isinstance(value, str) else f"SET GLOBAL {name} = {value}")

    assert logged("SELECT COUNT(*) FROM t")
    assert not logged("SELECT COUNT(*) FROM t", long_query_time=10)
    assert logged("SELECT SUM(a) FROM t IGNORE INDEX (b)", long_query_time=10, log_queries_not_using_indexes=1)
    assert not logged("SELECT * FROM t WHERE a = 1", long_query_time=10, log_queries_not_using_indexes=1)
    assert not logged("SELECT COUNT(*) FROM t IGNORE INDEX (b)", min_examined_row_limit=5)
    assert logged("SELECT COUNT(b) FROM t IGNORE INDEX (b)", min_examined_row_limit=4)
    assert not logged("ANALYZE TABLE t")
    assert logged("ANALYZE TABLE t", log_slow_admin_statements=1)
    assert not logged("SELECT 5", log_output="'NONE'")
    # at most one a minute, and what was left out is told of when the minute is over
    server.query("SET GLOBAL long_query_time = 10, log_queries_not_using_indexes = ON, log_throttle_queries_not_using_indexes = 1")
    try:
        with server.connect(database="d") as c:
            start = len((server.dir / "slow.log").read_text())
            for _ in range(5):
                ask(c, "SELECT MAX(a + b) FROM t IGNORE INDEX (b)")
            assert (server.dir / "slow.log").read_text()[start:].count("MAX(a + b)") <= 1
    finally:
        server.query("SET GLOBAL long_query_time = 0, log_queries_not_using_indexes = OFF, log_throttle_queries_not_using_indexes = 0")


def test_general_log_lines(server):
    tcp = server.connect(host="127.0.0.1", database="d", ssl_disabled=True)
    id = tcp.thread_id()
    ask(tcp, "SELECT 1,\n 2")
    tcp.select_db("mysql")
    tcp.ping()
    tcp.close()
    own = lambda: re.findall(rf"^(\S+)\t +{id} (\w+(?: DB)?)\t(.*(?:\n .*)?)$", (server.dir / "general.log").read_text(), re.M)
    until(lambda: own() and own()[-1][1] == "Quit")
    lines = [(command, text) for _, command, text in own()]
    assert lines[0] == ("Connect", "root@localhost on d using TCP/IP"), lines
    assert lines[2:] == [("Query", "SELECT 1,\n 2"), ("Init DB", "mysql"), ("Quit", "")], lines
    head = (server.dir / "general.log").read_text().split("\n")[:3]
    assert re.search(r", Version: \S+ \(.*\)\. started with:$", head[0]) and head[1].startswith("Tcp port: ")
    assert head[2] == "Time                 Id Command    Argument"


@pytest.mark.skipif(shutil.which("pt-query-digest") is None, reason="no percona-toolkit")
def test_pt_query_digest(server):
    with server.connect(database="d") as c:
        for n in range(7):
            slow(server, c, f"SELECT COUNT(*) AS digested FROM t WHERE a > {n}")
    for kind, options in (("slowlog", ["slow.log"]), ("genlog", ["--type=genlog", "general.log"])):
        done = subprocess.run(["pt-query-digest", "--no-version-check", "--limit=100%", "--output=json", *options], cwd=server.dir, capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done.stderr
        if kind == "slowlog":
            found = [q for q in json.loads(done.stdout)["classes"] if "digested" in q["fingerprint"]]
            assert len(found) == 1 and found[0]["query_count"] == 7
            metrics = found[0]["metrics"]
            assert int(metrics["Rows_sent"]["sum"]) == 7 and metrics["db"]["value"] == "d"
            assert int(metrics["Rows_examined"]["sum"]) == 4 + 3 + 2 + 1


def error_lines(text):
    line = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (\d+) \[(System|ERROR|Warning|Note)\] \[MY-(\d{6})\] \[(Server|InnoDB)\] (.*)")
    return [line.fullmatch(x) for x in text.splitlines()]


def test_error_log_lines_json_and_table():
    s = Server(options=["--log-error=error.log", "--log-error-verbosity=3"]).start()
    try:
        log, beside = s.dir / "data/error.log", s.dir / "data/error.log.00.json"
        with pytest.raises(pymysql.MySQLError):
            s.connect(user="nobody", password="x")
        lost = s.connect(host="127.0.0.1")
        id = lost.thread_id()
        lost._sock.shutdown(socket.SHUT_RDWR)
        until(lambda: f"Aborted connection {id} to db: 'unconnected' user: 'root' host: 'localhost' (Got an error reading communication packets)." in log.read_text())
        lines = error_lines(log.read_text())
        assert all(lines), log.read_text()
        assert {("System", "010116"), ("System", "010931"), ("Note", "010926"), ("Note", "010914")} <= {(m[3], m[4]) for m in lines}
        table = s.query("SELECT THREAD_ID, PRIO, ERROR_CODE, SUBSYSTEM, DATA FROM performance_schema.error_log")
        assert [(int(m[2]), m[3].capitalize(), f"MY-{m[4]}", m[5], m[6]) for m in lines] == list(table)
        assert not beside.exists()
        # both forms from now on
        s.query("SET GLOBAL log_error_services = 'log_filter_internal; log_sink_internal; log_sink_json'")
        refused = lambda: pytest.raises(pymysql.MySQLError, s.connect, user="nobody", password="x")
        refused()
        [event] = [json.loads(x) for x in beside.read_text().splitlines()]
        last = error_lines(log.read_text())[-1]
        assert (event["prio"], event["err_code"], event["subsystem"], event["label"], event["err_symbol"], event["SQL_state"]) == \
            (3, 10926, "Server", "Note", "ER_ACCESS_DENIED_ERROR_WITH_PASSWORD", "HY000")
        assert (event["msg"], event["time"], event["thread"]) == (last[6], last[1], int(last[2]))
        # JSON alone; the first sink's form is in the table
        s.query("SET GLOBAL log_error_services = 'log_sink_json'")
        size = log.stat().st_size
        refused()
        assert log.stat().st_size == size and len(beside.read_text().splitlines()) == 2
        assert json.loads(s.query("SELECT DATA FROM performance_schema.error_log ORDER BY LOGGED DESC LIMIT 1")[0][0])["err_code"] == 10926
        # a filter only where it is named
        s.query("SET GLOBAL log_error_suppression_list = 'ER_ACCESS_DENIED_ERROR_WITH_PASSWORD'")
        refused()
        assert len(beside.read_text().splitlines()) == 3
        s.query("SET GLOBAL log_error_services = 'log_filter_internal, log_sink_json'")
        refused()
        assert len(beside.read_text().splitlines()) == 3, "suppressed"
        s.query("SET GLOBAL log_error_suppression_list = '', log_error_verbosity = 2")
        refused()
        assert len(beside.read_text().splitlines()) == 3, "a note"
        s.query("SET GLOBAL log_error_verbosity = 3")
        beside.rename(s.dir / "data/moved.json")
        s.query("FLUSH ERROR LOGS")
        refused()
        assert len(beside.read_text().splitlines()) == 1, "opened anew"
        refused_values(s)
    finally:
        s.remove()


def refused_values(s):
    with s.connect() as c:
        for name, value, code in [("log_error_services", "log_sink_syseventlog", 3701), ("log_error_services", "log_sink_internal; log_filter_internal, log_sink_json", 3701),
                                  ("log_error_suppression_list", "foo", 3735)]:
            value_before = ask(c, f"SELECT @@GLOBAL.{name}")
            with pytest.raises(pymysql.MySQLError) as e:
                ask(c, f"SET GLOBAL {name} = '{value}'")
            assert e.value.args[0] == 1231
            assert [w[1] for w in ask(c, "SHOW WARNINGS")] == [code, 1231]
            assert ask(c, f"SELECT @@GLOBAL.{name}") == value_before
        ask(c, "SET GLOBAL log_error_services = ''")
        assert [w[1] for w in ask(c, "SHOW WARNINGS")] == [3702]


def test_json_from_the_start_on():
    s = Server(options=["--log-error=error.log", "--log-error-services=log_filter_internal;log_sink_json"]).start()
    try:
        s.stop()
        events = [json.loads(x) for x in (s.dir / "data/error.log.00.json").read_text().splitlines()]
        assert [e["err_code"] for e in events][0] == 10116 and [e["err_code"] for e in events][-2:] == [13172, 10910]
        assert all(e["subsystem"] in ("Server", "InnoDB") and {"prio", "msg", "time", "ts", "label", "err_symbol"} <= set(e) for e in events)
        assert (s.dir / "data/error.log").read_text() == ""
    finally:
        s.remove()
