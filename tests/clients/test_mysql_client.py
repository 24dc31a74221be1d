"""Debian's `mysql` client (MariaDB's), interactively on a terminal and in batch, and the tools beside it."""
import os
import re
import subprocess
import time

import pexpect
import pytest

from lib.servers import Server
from lib.wait import PATIENCE

PROMPT = "ek> "


@pytest.fixture(scope="module")
def shop(server):
    server.query("CREATE DATABASE shop")
    server.query("CREATE TABLE customers (customer_id INT PRIMARY KEY AUTO_INCREMENT, full_name VARCHAR(60) NOT NULL, born DATE,"
                 " credit DECIMAL(10,2) DEFAULT 0.00, note TEXT, picture BLOB, KEY by_name (full_name))", db="shop")
    server.query("INSERT INTO customers (full_name, born, credit, note, picture) VALUES ('Ann Ödegård', '1980-02-29', 12.50, 'it''s \"quoted\"\\n2nd line', 0x00ff27),"
                 " ('Bob', NULL, 0, NULL, NULL)", db="shop")
    server.query("CREATE TABLE orders (id BIGINT UNSIGNED PRIMARY KEY, customer INT, at DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3), state ENUM('new','paid') NOT NULL,"
                 " tags SET('a','b','c'), pad CHAR(200), KEY c (customer, at))", db="shop")
    for i in range(10):
        server.query("INSERT INTO orders VALUES " + ",".join(
            f"({i * 1000 + k}, {1 + k % 2}, '2026-01-02 03:04:05.678', 'paid', 'a,c', REPEAT('x', 200))" for k in range(1000)), db="shop")
    return server


def base(server, *more, tool="mysql"):
    # a client's own settings of the machine must not matter
    return [tool, "--no-defaults", "-uroot", f"--socket={server.socket}", "--default-character-set=utf8mb4", *more]


def batch(server, sql, *more, ok=True, tool="mysql", db="shop"):
    r = subprocess.run(base(server, *more, *([db] if db else []), tool=tool), input=sql, capture_output=True, text=True, timeout=120)
    if ok:
        assert r.returncode == 0, f"{sql}\n{r.stdout}\n{r.stderr}"
    return r


def tool(server, name, *args, ok=True):
    r = subprocess.run(base(server, *args, tool=name), capture_output=True, text=True, timeout=120)
    if ok:
        assert r.returncode == 0, f"{name} {args}\n{r.stdout}\n{r.stderr}"
    return r.stdout + r.stderr


class Terminal:
    """The interactive client on a pseudo terminal."""

    def __init__(self, server, *more, db="shop"):
        env = dict(os.environ, TERM="dumb", MYSQL_HISTFILE="/dev/null", HOME=str(server.dir), INPUTRC="/dev/null")
        cmd = base(server, f"--prompt={PROMPT}", *more, *([db] if db else []))
        self.p = pexpect.spawn(cmd[0], cmd[1:], env=env, encoding="utf-8", timeout=PATIENCE, dimensions=(50, 200))
        self.p.expect(PROMPT)

    def run(self, text):
        """Sends a line; what was printed until the next prompt, without the echo."""
        self.p.sendline(text)
        self.p.expect_exact("\n")
        self.p.expect(PROMPT)
        return self.p.before.replace("\r", "")

    def close(self):
        self.p.sendline("\\q")
        self.p.expect(pexpect.EOF)
        self.p.close()
        assert self.p.exitstatus == 0


@pytest.fixture
def term(shop):
    t = Terminal(shop)
    yield t
    t.close()


def test_status(shop, term):
    out = term.run("\\s")
    assert re.search(r"Connection id:\s+\d+", out), out
    assert re.search(r"Current database:\s+shop", out), out
    assert re.search(r"Current user:\s+root@localhost", out), out
    assert re.search(r"Server version:\s+8\.4\.\d+", out), out
    assert re.search(r"UNIX socket:\s+" + re.escape(shop.socket), out), out
    for what in ("Server", "Db", "Client", "Conn."):
        assert re.search(what + r"\s+characterset:\s+utf8mb4", out), out
    assert re.search(r"Uptime:\s+\d+ .*\n\nThreads: \d+\s+Questions: \d+\s+Slow queries: \d+\s+Opens: \d+\s+(?:Flush tables: \d+\s+)?Open tables: \d+\s+Queries per second avg: [\d.]+", out), out


def complete(term, text, expect):
    term.p.send(text + "\t")
    try:
        term.p.expect_exact(expect, timeout=PATIENCE)
    finally:
        term.p.sendcontrol("u")
        term.p.sendline("SELECT 'en' 'd';")
        term.p.expect(r"end.*" + PROMPT)


def test_completion_of_tables_and_columns(term):
    # two names share this beginning; what they share is completed
    complete(term, "SELECT * FROM cust", "FROM customer")
    complete(term, "SELECT * FROM customers, orde", "orders")
    complete(term, "SELECT full_n", "full_name")
    complete(term, "SELECT customers.cred", "customers.credit")
    complete(term, "SELECT orders.sta", "orders.state")
    # databases are in the list, too
    complete(term, "USE information_s", "information_schema")


def test_rehash_after_create(term):
    term.run("CREATE TABLE zebra_table (stripe_count INT);")
    term.run("\\#")
    complete(term, "SELECT stripe_c", "stripe_count")
    term.run("DROP TABLE zebra_table;")


def test_source_file(shop, term):
    path = shop.dir / "some.sql"
    path.write_text("CREATE TABLE sourced (a INT);\nINSERT INTO sourced VALUES (1),(2);\n-- a comment\nSELECT SUM(a) AS total\n  FROM sourced;\n")
    out = term.run(f"source {path}")
    assert "2 rows affected" in out and "Records: 2  Duplicates: 0  Warnings: 0" in out and re.search(r"\| total \|\n\+-+\+\n\|\s+3 \|", out), out
    out = term.run(f"\\. {path}")
    assert "ERROR 1050 (42S01)" in out and "Table 'sourced' already exists" in out, out
    term.run("DROP TABLE sourced;")


def test_vertical(term):
    out = term.run("SELECT customer_id, full_name, born FROM customers ORDER BY 1\\G")
    assert re.search(r"\*+ 1\. row \*+\ncustomer_id: 1\n  full_name: Ann Ödegård\n       born: 1980-02-29\n\*+ 2\. row \*+", out), out
    assert "2 rows in set" in out


def test_ctrl_c_kills_a_sleep(shop, term):
    term.p.sendline("SELECT SLEEP(1000);")
    deadline = time.time() + PATIENCE
    while not [r for r in shop.query("SHOW FULL PROCESSLIST") if r[7] == "SELECT SLEEP(1000)"]:
        assert time.time() < deadline, "the statement does not show in the process list"
        time.sleep(0.05)
    term.p.sendintr()
    term.p.expect(PROMPT, timeout=PATIENCE)
    out = term.p.before
    # SLEEP that is the whole statement answers 1 when it is killed, as in MySQL; the client prints no rows of what it has interrupted
    assert "1 row in set" in out, out
    assert term.run("SELECT 40 + 2;").count("42") == 1


def test_ctrl_c_kills_a_long_scan(shop, term):
    scan = "SELECT COUNT(*) FROM orders a JOIN orders b ON a.pad <> b.pad JOIN orders c ON c.pad <> b.state"
    term.p.sendline(scan + ";")
    deadline = time.time() + PATIENCE
    while not [r for r in shop.query("SHOW FULL PROCESSLIST") if r[7] == scan]:
        assert time.time() < deadline, "the statement does not show in the process list"
        time.sleep(0.05)
    time.sleep(0.3)
    term.p.sendintr()
    term.p.expect(PROMPT, timeout=PATIENCE)
    assert "1317" in term.p.before and "interrupted" in term.p.before, term.p.before
    assert "42" in term.run("SELECT 40 + 2;")


def test_clear_use_warnings_delimiter(term):
    term.p.send("SELECT broken FROM \\c\r")
    term.p.expect(PROMPT)
    assert "ERROR" not in term.p.before
    assert "Database changed" in term.run("\\u information_schema")
    assert "information_schema" in term.run("SELECT DATABASE();")
    assert "Database changed" in term.run("USE shop")
    assert "Show warnings enabled" in term.run("\\W")
    out = term.run("SELECT 1 / 0, CAST('12x' AS SIGNED);")
    assert "2 warnings" in out or "Warning (Code 1292)" in out, out
    assert "Warning (Code 1292): Truncated incorrect INTEGER value: '12x'" in out, out
    assert "Show warnings disabled" in term.run("\\w")
    term.run("delimiter //")
    out = term.run("SELECT 1; SELECT 2 //")
    assert re.search(r"\| 1 \|", out) and re.search(r"\| 2 \|", out), out
    term.run("delimiter ;")
    out = term.run("SELECT * FROM nosuch;")
    assert "ERROR 1146 (42S02): Table 'shop.nosuch' doesn't exist" in out, out
    out = term.run("SHOW WARNINGS;")
    assert "1146" in out, out


def test_batch_formats(shop):
    sql = "SELECT customer_id, full_name, note FROM customers ORDER BY 1;"
    assert batch(shop, sql).stdout == "customer_id\tfull_name\tnote\n1\tAnn Ödegård\tit's \"quoted\"\\n2nd line\n2\tBob\tNULL\n"
    assert batch(shop, sql, "-N", "-s").stdout.splitlines()[1] == "2\tBob\tNULL"
    table = batch(shop, "SELECT customer_id, credit FROM customers ORDER BY 1;", "-t").stdout
    # numbers are right-aligned: the client goes by the column's type and length
    assert table == ("+-------------+--------+\n| customer_id | credit |\n+-------------+--------+\n|           1 |  12.50 |\n"
                     "|           2 |   0.00 |\n+-------------+--------+\n"), table
    xml = batch(shop, "SELECT customer_id, born FROM customers ORDER BY 1;", "--xml").stdout
    assert '<field name="customer_id">1</field>' in xml and '<field name="born" xsi:nil="true" />' in xml, xml
    html = batch(shop, "SELECT 1 AS one;", "--html").stdout
    assert html == "<TABLE BORDER=1><TR><TH>one</TH></TR><TR><TD>1</TD></TR></TABLE>", html
    assert "Field   1:  `customer_id`" in batch(shop, sql, "--column-type-info", "-t").stdout


def test_batch_stops_at_the_first_error_unless_forced(shop):
    r = batch(shop, "SELECT 1;\nSELECT nope;\nSELECT 3;\n", ok=False)
    assert r.returncode == 1 and "3" not in r.stdout
    assert "ERROR 1054 (42S22) at line 2: Unknown column 'nope' in 'field list'" in r.stderr, r.stderr
    r = batch(shop, "SELECT 1;\nSELECT nope;\nSELECT 3;\n", "--force", ok=False)
    assert "3" in r.stdout


def test_protocols(shop):
    """TCP, TLS and compression with the real client."""
    r = subprocess.run(["mysql", "--no-defaults", "-uroot", "-h127.0.0.1", f"-P{shop.port}", "--ssl", "-e", "\\s", "shop"], capture_output=True, text=True, timeout=30)
    assert r.returncode == 0, r.stderr
    assert re.search(r"SSL:\s+Cipher in use is \S+", r.stdout) and "via TCP/IP" in r.stdout, r.stdout
    r = subprocess.run(["mysql", "--no-defaults", "-uroot", "-h127.0.0.1", f"-P{shop.port}", "--compress", "-e", "SELECT REPEAT('a', 100000); \\s", "shop"], capture_output=True, text=True, timeout=30)
    assert r.returncode == 0 and "a" * 100000 in r.stdout and re.search(r"Protocol:\s+Compressed", r.stdout), r.stdout[-2000:] + r.stderr


def test_quick_and_large_result(shop):
    out = batch(shop, "SELECT * FROM orders ORDER BY id;", "--quick", "-N").stdout
    assert out.count("\n") == 10000 and out.splitlines()[9999].startswith("9999\t2\t2026-01-02 03:04:05.678\tpaid\ta,c\txxx")


def test_mysqladmin(shop):
    assert "mysqld is alive" in tool(shop, "mysqladmin", "ping")
    assert re.search(r"^Uptime: \d+ +Threads: \d+ +Questions: \d+ +Slow queries: \d+ +Opens: \d+ +(?:Flush tables: \d+ +)?Open tables: \d+ +Queries per second avg: [\d.]+", tool(shop, "mysqladmin", "status"))
    out = tool(shop, "mysqladmin", "processlist")
    assert re.search(r"\| Id +\| User", out) and "root" in out, out
    assert "show processlist" in out.lower(), out
    out = tool(shop, "mysqladmin", "variables")
    assert re.search(r"\| innodb_buffer_pool_size +\| \d+", out) and re.search(r"\| version +\| 8\.4", out)
    out = tool(shop, "mysqladmin", "extended-status")
    assert re.search(r"\| Threads_connected +\| \d+", out) and re.search(r"\| Innodb_rows_read +\| \d+", out)
    out = tool(shop, "mysqladmin", "version")
    assert re.search(r"Server version\s+8\.4", out) and re.search(r"Protocol version\s+10", out), out
    tool(shop, "mysqladmin", "create", "made_by_admin")
    assert ("made_by_admin",) in shop.query("SHOW DATABASES")
    tool(shop, "mysqladmin", "--force", "drop", "made_by_admin")
    assert ("made_by_admin",) not in shop.query("SHOW DATABASES")
    tool(shop, "mysqladmin", "flush-tables")
    tool(shop, "mysqladmin", "flush-privileges")
    with shop.connect() as c:
        tool(shop, "mysqladmin", "kill", str(c.thread_id()))
        with pytest.raises(Exception):
            c.ping(reconnect=False)
    # twice with --relative: what monitoring scripts do
    assert tool(shop, "mysqladmin", "-i1", "-c2", "ping").count("alive") == 2


def test_mysqladmin_with_password_and_shutdown():
    s = Server().start()
    try:
        # not `mysqladmin password`: MariaDB's sends the hash of old as if it were the password; so MySQL 8.4, too, would store that text
        s.query("ALTER USER root@localhost IDENTIFIED WITH mysql_native_password BY 's3cret'")
        assert "Access denied for user 'root'@'localhost' (using password: NO)" in tool(s, "mysqladmin", "status", ok=False)
        tool(s, "mysqladmin", "-ps3cret", "ping")
        tool(s, "mysqladmin", "-ps3cret", "shutdown")
        assert s.process.wait(20) == 0, s.log_tail()
        assert "Shutdown complete" in s.log_tail()
    finally:
        s.remove()


def test_mysqlshow(shop):
    assert re.search(r"\| shop ", tool(shop, "mysqlshow"))
    out = tool(shop, "mysqlshow", "shop")
    assert re.search(r"\| customers ", out) and re.search(r"\| orders ", out)
    out = tool(shop, "mysqlshow", "shop", "customers")
    assert re.search(r"\| full_name +\| varchar\(60\)", out), out
    out = tool(shop, "mysqlshow", "--keys", "shop", "orders")
    assert re.search(r"\| orders +\| 1 +\| c +\| 2 +\| at", out), out
    out = tool(shop, "mysqlshow", "--count", "shop")
    assert re.search(r"\| orders +\| +6 \| +10000 \|", out), out
    tool(shop, "mysqlshow", "--status", "shop")


def rows_of(server, db):
    return {t: server.query(f"SELECT * FROM {t} ORDER BY 1", db=db) for t in ("customers", "orders")}


@pytest.mark.parametrize("options", [(), ("--single-transaction", "--hex-blob", "--skip-lock-tables"), ("--skip-opt", "--create-options", "--extended-insert", "--complete-insert", "--skip-tz-utc")],
                         ids=["default", "single-transaction", "skip-opt"])
def test_dump_and_reload(shop, options):
    """mariadb-dump of a database and its reload; the copy equals the original, DDL included."""
    dump = subprocess.run(base(shop, *options, "shop", tool="mysqldump"), capture_output=True, timeout=120)
    assert dump.returncode == 0, dump.stderr.decode()
    assert b"-- Dump completed" in dump.stdout
    shop.query("CREATE DATABASE copy")
    try:
        r = subprocess.run(base(shop, "copy"), input=dump.stdout, capture_output=True, timeout=120)
        assert r.returncode == 0, r.stderr.decode()
        assert rows_of(shop, "copy") == rows_of(shop, "shop")
        for t in ("customers", "orders"):
            a, b = (shop.query(f"SHOW CREATE TABLE {t}", db=d)[0][1] for d in ("shop", "copy"))
            assert a == b
    finally:
        shop.query("DROP DATABASE copy")


def test_dump_all_databases_and_by_xml(shop):
    out = tool(shop, "mysqldump", "--xml", "--hex-blob", "shop", "customers")
    assert '<field name="full_name">Bob</field>' in out, out[:2000]
    out = tool(shop, "mysqldump", "--no-data", "--databases", "shop")
    assert "CREATE DATABASE" in out and "USE `shop`" in out and "INSERT" not in out
