"""LOAD DATA that a source logs as text (BEGIN_LOAD_QUERY, APPEND_BLOCK, EXECUTE_LOAD_QUERY): what a replica makes of MySQL's events, and whether it may.

The events are a file of MySQL's log, recorded by `python tests/binlog/test_load_as_text.py` with the rows that MySQL has then; here a source has that file."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import pymysql  # noqa: E402
import pytest  # noqa: E402

from binlog.test_replica import applier_failed, caught_up, make, point  # noqa: E402
from lib.servers import MySQL, Server  # noqa: E402

GTIDS = ["--gtid-mode=ON", "--enforce-gtid-consistency=ON"]
EVENTS, ROWS = HERE / "recorded/load_as_text.binlog", HERE / "recorded/load_as_text.json"
LARGE = "".join(f"{n}\tl{n}{'x' * 60}\n" for n in range(1000, 1140))
FILES = {"plain": b"1\tone\n2\ttwo\n", "again": b"2\tZWEI\n3\tdrei\n", "comma": b"'7',\"se,ven\"\r\n'8',\"eight\"\r\n", "latin": b"20\tgr\xfcn\n", "large": LARGE.encode(),
         "wide": "h\n40\t€𝄞\n".encode(), "gbk '\\ .txt": b"50\t\xb1\x5c\n"}
TEXTS = [
    "LOAD DATA INFILE '{plain}' INTO TABLE t", "LOAD DATA INFILE '{again}' REPLACE INTO TABLE t", "LOAD DATA INFILE '{plain}' IGNORE INTO TABLE t", "LOAD DATA LOCAL INFILE '{again}' INTO TABLE d.t",
    "LOAD DATA INFILE '{comma}' INTO TABLE t FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' LINES STARTING BY '' TERMINATED BY '\\r\\n' (@a, b) SET a = TRIM(BOTH '''' FROM @a)",
    "LOAD DATA INFILE '{latin}' INTO TABLE t", "LOAD DATA INFILE '{wide}' INTO TABLE t CHARACTER SET utf8mb4 IGNORE 1 LINES", "LOAD DATA INFILE '{large}' INTO TABLE t",
    "LOAD DATA INFILE '{plain}' INTO TABLE t", "SET @`o'q`` = 1; --x` = 30", "LOAD DATA INFILE '{plain}' INTO TABLE t (a, b) SET a = a + @`o'q`` = 1; --x`, b = CONCAT(b, LAST_INSERT_ID())",
    "SET sql_mode = 'ANSI_QUOTES,NO_AUTO_VALUE_ON_ZERO'", 'LOAD DATA INFILE \'{plain}\' REPLACE INTO TABLE "t`""2"', "SET sql_mode = DEFAULT", "BEGIN", "INSERT INTO t VALUES (60, 'before')",
    "LOAD DATA INFILE '{comma}' INTO TABLE n FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' LINES TERMINATED BY '\\r\\n' (@x, b)", "LOAD DATA INFILE '{plain}' INTO TABLE n (@x, b)", "UPDATE t SET b = 'after' WHERE a = 60", "COMMIT", "SET NAMES gbk",
    "LOAD DATA INFILE '{gbk '\\ .txt}' INTO TABLE t CHARACTER SET gbk", "SET NAMES utf8mb4", "SET binlog_transaction_compression = 1", "DELETE FROM t WHERE a < 3", "LOAD DATA INFILE '{plain}' INTO TABLE t",
]
TABLES = ["CREATE DATABASE d CHARACTER SET latin1", "CREATE TABLE d.t (a INT PRIMARY KEY, b VARCHAR(99) CHARACTER SET utf8mb4)", "CREATE TABLE d.`t``\"2` LIKE d.t",
          "CREATE TABLE d.n (a INT PRIMARY KEY AUTO_INCREMENT, b VARCHAR(20))"]
SELECTS = ["SELECT a, LEFT(HEX(b), 24), CRC32(b) FROM d.t ORDER BY a", "SELECT a, LEFT(HEX(b), 24), CRC32(b) FROM d.`t``\"2` ORDER BY a", "SELECT a, LEFT(HEX(b), 24), CRC32(b) FROM d.n ORDER BY a"]


def rows(server):
    return [[list(row) for row in server.query(q)] for q in SELECTS]


def load(server):
    """Runs the statements on a server that logs them as text; how many it refused."""
    refused = 0
    for name, data in FILES.items():
        (server.dir / name).write_bytes(data)
    names = {name: str(server.dir / name).replace("\\", "\\\\").replace("'", "\\'") for name in FILES}
    with server.connect(local_infile=True) as c, c.cursor() as cur:
        for q in [*TABLES, "USE d", "SET binlog_format = 'STATEMENT'"]:
            cur.execute(q)
        for q in TEXTS:
            for name, path in names.items():
                q = q.replace("{" + name + "}", path)
            try:
                c.encoding = "gbk" if "gbk " in q else "utf8"
                cur.execute(q)
            except pymysql.err.MySQLError as e:
                print(q, e)
                refused += 1
    return refused


@pytest.fixture
def recorded():
    """A source whose log is MySQL's, and a replica that is yet to follow it."""
    s, r = make(Server, 1, "--skip-log-bin"), make(Server, 2, *GTIDS, "--skip-replica-start")
    try:
        s.start()
        s.query("CREATE USER repl@'%' IDENTIFIED BY 'p w'")
        s.query("GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
        s.stop()
        (s.dir / "data/bin.000001").write_bytes(EVENTS.read_bytes())
        (s.dir / "data/bin.index").write_text("./bin.000001\n")
        s.options = ["--log-bin=bin", "--server-id=1", *GTIDS]
        s.start()
        r.start()
        point(s, r)
        yield s, r
    finally:
        s.remove()
        r.remove()


def test_what_mysql_logged(recorded):
    """The rows are MySQL's, also of a replica of the replica, which gets rows; events are shown as MySQL does; nothing of the files is left."""
    s, r = recorded
    r.query("START REPLICA")
    caught_up(s, r)
    assert rows(r) == json.loads(ROWS.read_text())
    shown = [(kind, info) for _, _, kind, _, _, info in s.query("SHOW BINLOG EVENTS IN 'bin.000001'")]
    assert ("Append_block", ";file_id=8;block_len=4096") in shown and any(k == "Execute_load_query" and i.endswith(" ;file_id=8") for k, i in shown), shown
    logged = {kind for name, *_ in r.query("SHOW BINARY LOGS") for _, _, kind, *_ in r.query(f"SHOW BINLOG EVENTS IN '{name}'")}
    assert "Write_rows" in logged and not logged & {"Append_block", "Begin_load_query", "Execute_load_query"}
    deleted = [p for p in pathlib.Path(f"/proc/{r.process.pid}/fd").iterdir() if "(deleted)" in str(p.resolve()) and "/tmp" in str(p.resolve())]
    assert not deleted


@pytest.mark.parametrize("grants, error, table", [
    ("CREATE ON *.*; INSERT, UPDATE, DELETE, SELECT ON d.*", 4117, 0), ("CREATE, FILE ON *.*; UPDATE ON d.*", 1142, 0),
    ("CREATE, FILE ON *.*; INSERT, CREATE, SELECT ON d.t", 1142, 2), ("CREATE, FILE, INSERT, UPDATE, DELETE, SELECT ON *.*", None, None)])
def test_with_whose_rights(recorded, grants, error, table):
    """FILE, and what LOAD DATA needs on the table: INSERT, with REPLACE DELETE as well."""
    s, r = recorded
    with r.connect() as c, c.cursor() as cur:
        for q in ["SET sql_log_bin = 0", "CREATE USER app@localhost", *(f"GRANT {g} TO app@localhost" for g in ["REPLICATION_APPLIER, SESSION_VARIABLES_ADMIN ON *.*", *grants.split("; ")])]:
            cur.execute(q)
    r.query("CHANGE REPLICATION SOURCE TO PRIVILEGE_CHECKS_USER = app@localhost")
    r.query("START REPLICA")
    if error is None:
        caught_up(s, r)
        assert rows(r) == json.loads(ROWS.read_text())
        return
    applier_failed(r, error)
    assert r.query("SELECT COUNT(*) FROM d.t") == ((table,),)


def test_require_row_format(recorded):
    s, r = recorded
    r.query("CHANGE REPLICATION SOURCE TO REQUIRE_ROW_FORMAT = 1")
    r.query("START REPLICA")
    applier_failed(r, 3944)


def record():
    s = MySQL(options=["--log-bin=bin", "--server-id=1", *GTIDS, "--local-infile", "--secure-file-priv=", "--max-allowed-packet=4096"])
    try:
        s.start()
        s.query("RESET BINARY LOGS AND GTIDS")
        assert load(s) == 1
        s.query("FLUSH BINARY LOGS")
        EVENTS.write_bytes((s.dir / "data/bin.000001").read_bytes())
        ROWS.write_text(json.dumps(rows(s)) + "\n")
    finally:
        s.stop()
        s.remove()


if __name__ == "__main__":
    record()
