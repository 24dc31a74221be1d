"""SHOW ENGINE INNODB STATUS: MySQL's sections and lines, whose numbers agree with SHOW STATUS and INNODB_METRICS; what is told of
foreign keys and deadlocks with their records; youngs and non-youngs; Percona's names of the pool's tables, so that the query of the
article about side loads runs as printed."""
import re
import threading
import time

import pymysql
import pytest

from lib.servers import MySQL, Server
from lib.wait import until

SECTIONS = ["BACKGROUND THREAD", "SEMAPHORES", "LATEST FOREIGN KEY ERROR", "LATEST DETECTED DEADLOCK", "TRANSACTIONS", "FILE I/O",
            "INSERT BUFFER AND ADAPTIVE HASH INDEX", "LOG", "BUFFER POOL AND MEMORY", "INDIVIDUAL BUFFER POOL INFO", "ROW OPERATIONS"]


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (a INT PRIMARY KEY, b INT, c VARCHAR(50), d DECIMAL(10,2), e DATETIME, k BIGINT, KEY (k))")
    s.query("INSERT INTO d.t VALUES (1,0,'abc',1.5,'2026-11-27 03:29:10',-3), (2,0,NULL,-2.25,NULL,5), (3,0,REPEAT('x',40),0,NULL,NULL)")
    s.query("CREATE TABLE d.p (a INT PRIMARY KEY)")
    s.query("CREATE TABLE d.c (a INT PRIMARY KEY, p INT, CONSTRAINT fkc FOREIGN KEY (p) REFERENCES p (a))")
    s.query("INSERT INTO d.p VALUES (1)")
    s.query("INSERT INTO d.c VALUES (1, 1)")
    yield s
    s.remove()


def ask(conn, sql):
    with conn.cursor() as c:
        c.execute(sql)
        return c.fetchall()


def monitor(server):
    return server.query("SHOW ENGINE INNODB STATUS")[0][2]


def sections(text):
    """The text by section, as tools cut it: a title between two lines of as many dashes."""
    parts = re.split(r"^(-+)\n([A-Z][A-Z/ ]+)\n\1\n", text, flags=re.M)
    return dict(zip(parts[2::3], parts[3::3]))


def fails(server, sql):
    with pytest.raises(pymysql.MySQLError) as e:
        server.query(sql)
    return e.value.args[0]


def deadlock(server):
    with server.connect(database="d", autocommit=False) as a, server.connect(database="d", autocommit=False) as b:
        ask(a, "UPDATE t SET b = b + 1 WHERE a = 1")
        ask(b, "UPDATE t SET b = b + 10 WHERE a = 2")

        def run(conn, sql, out):
            try:
                ask(conn, sql)
            except pymysql.MySQLError as e:
                out.append(e.args[0])
        errors = []
        waiter = threading.Thread(target=run, args=(a, "UPDATE t SET b = 77 WHERE a = 2", errors))
        waiter.start()
        until(lambda: server.query("SELECT 1 FROM performance_schema.data_lock_waits"))
        run(b, "UPDATE t SET b = 88 WHERE a = 1", errors)
        b.rollback()
        waiter.join()
        a.rollback()
    assert errors == [1213]


def shape(line):
    """A line with its numbers, times and names of states taken out."""
    line = re.sub(r"\d+(\.\d+)?", "N", line)
    return re.sub(r"state: .*", "state: S", line)


def test_all_sections_in_mysqls_order(server):
    fails(server, "INSERT INTO d.c VALUES (2, 7)")
    deadlock(server)
    text = monitor(server)
    assert list(sections(text)) == SECTIONS
    assert re.match(r"\n={37}\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \d+ INNODB MONITOR OUTPUT\n={37}\nPer second averages calculated from the last \d+ seconds\n-----------------\n", text)
    assert text.endswith("----------------------------\nEND OF INNODB MONITOR OUTPUT\n============================\n")


# lines of MySQL 9.7, numbers and states taken out; what it prints of its own threads, of more log capacity and of eight hash tables left out
LINES = {
    "BACKGROUND THREAD": ["srv_master_thread loops: N srv_active, N srv_shutdown, N srv_idle", "srv_master_thread log flush and writes: N"],
    "SEMAPHORES": ["OS WAIT ARRAY INFO: reservation count N", "OS WAIT ARRAY INFO: signal count N", "RW-shared spins N, rounds N, OS waits N",
                   "RW-excl spins N, rounds N, OS waits N", "RW-sx spins N, rounds N, OS waits N", "Spin rounds per wait: N RW-shared, N RW-excl, N RW-sx"],
    "FILE I/O": ["I/O thread N state: S", "I/O thread N state: S", "Pending normal aio reads: [N] , aio writes: [N] ,", " ibuf aio reads:",
                 "Pending flushes (fsync) log: N; buffer pool: N", "N OS file reads, N OS file writes, N OS fsyncs",
                 "N reads/s, N avg bytes/read, N writes/s, N fsyncs/s"],
    "INSERT BUFFER AND ADAPTIVE HASH INDEX": [
        "Ibuf: size N, free list len N, seg size N, N merges", "merged operations:", " insert N, delete mark N, delete N",
        "discarded operations:", " insert N, delete mark N, delete N", "Hash table size N, node heap has N buffer(s)", "N hash searches/s, N non-hash searches/s"],
    "LOG": ["Log sequence number          N", "Log buffer assigned up to    N", "Log buffer completed up to   N", "Log written up to            N",
            "Log flushed up to            N", "Added dirty pages up to      N", "Pages flushed up to          N", "Last checkpoint at           N",
            "Log minimum file id is       N", "Log maximum file id is       N", "N log i/o's done, N log i/o's/second"],
    "BUFFER POOL AND MEMORY": [
        "Total large memory allocated N", "Dictionary memory allocated N", "Buffer pool size   N", "Free buffers       N", "Database pages     N",
        "Old database pages N", "Modified db pages  N", "Pending reads      N", "Pending writes: LRU N, flush list N, single page N",
        "Pages made young N, not young N", "N youngs/s, N non-youngs/s", "Pages read N, created N, written N", "N reads/s, N creates/s, N writes/s",
        "Buffer pool hit rate N / N, young-making rate N / N not N / N", "Pages read ahead N/s, evicted without access N/s, Random read ahead N/s",
        "LRU len: N, unzip_LRU len: N", "I/O sum[N]:cur[N], unzip sum[N]:cur[N]"],
    "ROW OPERATIONS": ["N queries inside InnoDB, N queries in queue", "N read views open inside InnoDB", "Process ID=N, Main thread ID=N , state=sleeping",
                       "Number of rows inserted N, updated N, deleted N, read N", "N inserts/s, N updates/s, N deletes/s, N reads/s",
                       "Number of system rows inserted N, updated N, deleted N, read N", "N inserts/s, N updates/s, N deletes/s, N reads/s"],
}


def shapes(text):
    found = {}
    for name, body in sections(text).items():
        body = body.split("----------------------------\nEND")[0]
        found[name] = [shape(line) for line in body.splitlines() if line]
    return found


def test_lines_of_each_section(server):
    server.query("SELECT COUNT(*) FROM d.t")
    found = shapes(monitor(server))
    for name, lines in LINES.items():
        assert found[name] == lines, name
    assert found["INDIVIDUAL BUFFER POOL INFO"] == ["---BUFFER POOL N", *LINES["BUFFER POOL AND MEMORY"][2:]]


@pytest.mark.skipif(MySQL.folder() is None, reason="no MySQL here (scripts/mysql-peer.sh)")
def test_lines_are_mysqls(server):
    peer = MySQL().start()
    try:
        theirs = shapes(monitor(peer))
    finally:
        peer.remove()
    for name, lines in LINES.items():
        left_out = {"Log capacity                 N", "Log capacity used            N"}
        no_gets = "No buffer pool page gets since the last printout"
        for line in lines:
            known = [re.sub(r"\[N(, N)*\]", "[N]", x) for x in theirs[name]]
            assert line in known or no_gets in known, (name, line)
        more = {re.sub(r"\[N(, N)*\]", "[N]", x) for x in theirs[name]} - set(lines) - left_out - {no_gets}
        # a thread of MySQL's may wait for a mutex in that very moment
        more = {x for x in more if not x.startswith(("--Thread N has waited at", "Mutex at"))}
        assert not more, (name, more)


def number(pattern, text):
    return int(re.search(pattern, text)[1])


def test_numbers_agree_with_status_and_metrics(server):
    """Taken between two readings of the counters: what only rises lies between them."""
    server.query("SET GLOBAL innodb_monitor_enable = 'all'")
    for i in range(50):
        server.query(f"INSERT INTO d.t (a) VALUES ({1000 + i})")
    status = lambda: {k: int(v) for k, v in server.query("SHOW GLOBAL STATUS LIKE 'Innodb%'") if v.isdigit()}
    before = status()
    text = monitor(server)
    after = status()
    for pattern, name in [
        (r"(\d+) OS file reads", "Innodb_data_reads"), (r"(\d+) OS file writes", "Innodb_data_writes"), (r"(\d+) OS fsyncs", "Innodb_data_fsyncs"),
        (r"Log sequence number +(\d+)", "Innodb_redo_log_current_lsn"), (r"Log flushed up to +(\d+)", "Innodb_redo_log_flushed_to_disk_lsn"),
        (r"Last checkpoint at +(\d+)", "Innodb_redo_log_checkpoint_lsn"), (r"(\d+) log i/o's done", "Innodb_log_writes"),
        (r"Pages read (\d+)", "Innodb_pages_read"), (r"created (\d+), written", "Innodb_pages_created"), (r", written (\d+)", "Innodb_pages_written"),
        (r"Number of rows inserted (\d+)", "Innodb_rows_inserted"), (r"Number of rows .*read (\d+)", "Innodb_rows_read"),
        (r"Pages made young (\d+)", "Innodb_buffer_pool_pages_made_young"), (r"not young (\d+)", "Innodb_buffer_pool_pages_made_not_young"),
    ]:
        assert before[name] <= number(pattern, text) <= after[name], (name, before[name], number(pattern, text), after[name])
    assert before["Innodb_rows_inserted"] >= 50 and before["Innodb_log_writes"] > 0
    assert number(r"Buffer pool size +(\d+)", text) == after["Innodb_buffer_pool_pages_total"]
    metrics = dict(server.query("SELECT NAME, COUNT FROM information_schema.INNODB_METRICS"))
    later = monitor(server)
    for pattern, name in [(r"RW-shared spins (\d+)", "innodb_rwlock_s_spin_waits"), (r"RW-excl .*OS waits (\d+)", "innodb_rwlock_x_os_waits"),
                          (r"RW-shared .*rounds (\d+)", "innodb_rwlock_s_spin_rounds"), (r"loops: (\d+)", "innodb_master_active_loops"),
                          (r"(\d+) OS file writes", "os_data_writes")]:
        assert number(pattern, text) <= metrics[name] + (name == "innodb_master_active_loops") * 10 ** 9
        assert metrics[name] <= number(pattern, later), name
    assert number(r"loops: (\d+)", later) + number(r"(\d+) srv_idle", later) <= 24 * 3600


def test_master_loops_and_averages(server):
    loops = lambda: [number(p, monitor(server)) for p in (r"loops: (\d+) srv_active", r"(\d+) srv_idle")]
    began = loops()
    until(lambda: loops()[1] > began[1])
    server.query("UPDATE d.t SET b = 5 WHERE a = 3")
    until(lambda: loops()[0] > began[0])
    # an average is over the time since the monitor was looked at before
    monitor(server)
    at = time.monotonic()
    with server.connect(database="d") as c:
        for i in range(200):
            ask(c, f"INSERT INTO d.t (a) VALUES ({2000 + i})")
    text = monitor(server)
    took = time.monotonic() - at
    rate = float(re.findall(r"([\d.]+) inserts/s", text)[0])
    # both looks lie within the measured time, and the inserts between them
    assert rate >= 200 / (took + 0.01), (rate, took)
    assert rate <= 200 / max(took - 5, 0.0001)
    assert number(r"averages calculated from the last (\d+) seconds", text) <= took + 1


def test_record_of_a_lock(server):
    with server.connect(database="d", autocommit=False) as c:
        ask(c, "SELECT * FROM t WHERE a = 1 FOR UPDATE")
        ask(c, "SELECT * FROM t FORCE INDEX (k) WHERE k = 5 FOR UPDATE")
        ask(c, "SELECT * FROM t WHERE a = 3 FOR UPDATE")
        server.query("SET GLOBAL innodb_status_output_locks = ON")
        try:
            own = sections(monitor(server))["TRANSACTIONS"]
        finally:
            server.query("SET GLOBAL innodb_status_output_locks = OFF")
        id = c.thread_id()
    own = next(part for part in own.split("---TRANSACTION")[1:] if f"thread id {id}," in part)
    assert re.search(r"\d+ lock struct\(s\), heap size \d+, 5 row lock\(s\)\n", own), own
    assert "TABLE LOCK table `d`.`t` trx id " in own
    assert re.search(r"RECORD LOCKS space id \d+ page no \d+ n bits \d+ index PRIMARY of table `d`.`t` trx id \d+ lock_mode X locks rec but not gap\n"
                     r"Record lock, heap no \d+ PHYSICAL RECORD: n_fields 8; compact format; info bits 0\n"
                     r" 0: len 4; hex 80000001; asc     ;;\n 1: len 6; hex [0-9a-f]{12}; asc .{6};;\n 2: len 7; hex [0-9a-f]{14}; asc .{7};;\n"
                     r" 3: len 4; hex 8\d{7}; asc     ;;\n 4: len 3; hex 616263; asc abc;;\n 5: len 5; hex 8000000132; asc     2;;\n"
                     r" 6: len 5; hex 99bb76374a; asc   v7J;;\n 7: len 8; hex 7ffffffffffffffd; asc         ;;\n\n", own), own
    assert " 4: len 30; hex " + "78" * 30 + "; asc " + "x" * 30 + "; (total 40 bytes);\n" in own
    assert re.search(r"index k of table `d`.`t` trx id \d+ lock_mode X\nRecord lock, heap no 1 PHYSICAL RECORD: n_fields 1; compact format; info bits 0\n"
                     r" 0: len 8; hex 73757072656d756d; asc supremum;;\n\nRecord lock, heap no \d+ PHYSICAL RECORD: n_fields 2; compact format; info bits 0\n"
                     r" 0: len 8; hex 8000000000000005; asc         ;;\n 1: len 4; hex 80000002; asc     ;;\n\n", own), own
    # one line for the row locks of one kind on one page
    assert len(re.findall(r"RECORD LOCKS .* index PRIMARY .* locks rec but not gap", own)) == 1


def test_every_session_is_there(server):
    with server.connect(database="d", autocommit=False) as a, server.connect() as b, server.connect(database="d", autocommit=False) as c:
        ask(a, "UPDATE t SET b = 1 WHERE a = 1")
        ask(b, "SELECT 1")
        waiter = threading.Thread(target=lambda: ask(c, "UPDATE t SET b = 2 WHERE a = 1"))
        waiter.start()
        until(lambda: "TRX HAS BEEN WAITING" in monitor(server))
        own = sections(monitor(server))["TRANSACTIONS"]
        a.rollback()
        waiter.join()
        c.rollback()
    assert re.search(r"^---TRANSACTION \d+, not started\n0 lock struct\(s\), heap size 0, 0 row lock\(s\)$", own, re.M)
    assert re.search(rf"^---TRANSACTION \d+, ACTIVE \d+ sec\n\d+ lock struct\(s\), heap size \d+, \d+ row lock\(s\), undo log entries 1\n"
                     rf"MySQL thread id {a.thread_id()}, OS thread handle \d+, query id \d+ localhost root\n", own, re.M), own
    assert re.search(rf"^---TRANSACTION \d+, ACTIVE \d+ sec starting index read\nmysql tables in use 1, locked 1\nLOCK WAIT \d+ lock struct\(s\), heap size \d+, 1 row lock\(s\)\n"
                     rf"MySQL thread id {c.thread_id()}, OS thread handle \d+, query id \d+ localhost root updating\nUPDATE t SET b = 2 WHERE a = 1\n"
                     r"------- TRX HAS BEEN WAITING \d+ SEC FOR THIS LOCK TO BE GRANTED:\nRECORD LOCKS space id .* waiting\nRecord lock, heap no", own, re.M), own


def test_foreign_key_errors(server):
    told = lambda: sections(monitor(server))["LATEST FOREIGN KEY ERROR"]
    assert fails(server, "INSERT INTO d.c VALUES (2, 7)") == 1452
    text = told()
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \d+ Transaction:\nTRANSACTION \d+, ACTIVE 0 sec inserting\n", text), text
    assert "localhost root update\nINSERT INTO d.c VALUES (2, 7)\nForeign key constraint fails for table `d`.`c`:\n,\n  CONSTRAINT `fkc` FOREIGN KEY (`p`) REFERENCES `p` (`a`)\n" in text
    assert ("Trying to add in child table, in index fkc tuple:\nDATA TUPLE: 2 fields;\n 0: len 4; hex 80000007; asc     ;;\n 1: len 4; hex 80000002; asc     ;;\n\n"
            "But in parent table `d`.`p`, in index PRIMARY,\nthe closest match we can find is record:\nPHYSICAL RECORD: n_fields 3; compact format; info bits 0\n"
            " 0: len 4; hex 80000001; asc     ;;\n") in text, text
    for sql, what in [("DELETE FROM d.p", "delete"), ("UPDATE d.p SET a = 2", "update")]:
        assert fails(server, sql) == 1451
        text = told()
        assert f"Trying to {what} in parent table, in index PRIMARY tuple:\n" in text, text
        assert ("But in child table `d`.`c`, in index fkc, there is a record:\nPHYSICAL RECORD: n_fields 2; compact format; info bits 0\n"
                " 0: len 4; hex 80000001; asc     ;;\n 1: len 4; hex 80000001; asc     ;;\n") in text, text
    with server.connect() as c:
        ask(c, "SET foreign_key_checks = 0")
        ask(c, "DROP TABLE IF EXISTS d.orphan")
        ask(c, "CREATE TABLE d.orphan (a INT PRIMARY KEY, p INT, CONSTRAINT fko FOREIGN KEY (p) REFERENCES nowhere (a))")
    assert fails(server, "INSERT INTO d.orphan VALUES (1, 1)") == 1452
    assert "But the parent table `d`.`nowhere`\nor its .ibd file or the required index does not currently exist!\n" in told()
    # with IGNORE the row is refused all the same
    server.query("INSERT IGNORE INTO d.c VALUES (3, 8)")
    assert "hex 80000008" in told()


def test_article_query_runs_as_printed():
    """Of the article about side loads; the pool of 16 MB holds the small table and what is left of the big one."""
    s = Server(options=["--innodb-buffer-pool-size=16M", "--innodb-old-blocks-time=100000"]).start()
    try:
        s.query("CREATE DATABASE test")
        for name, rows in [("md_cache_test_small", 2000), ("md_cache_test_big", 40000)]:
            s.query(f"CREATE TABLE test.{name} (id INT PRIMARY KEY AUTO_INCREMENT, k INT, c VARCHAR(250), KEY k (k)) DEFAULT CHARSET latin1")
            s.query(f"INSERT INTO test.{name} (k, c) SELECT 1, REPEAT('x', 250) FROM (VALUES ROW(1), ROW(1), ROW(1), ROW(1)) a")
            while int(s.query(f"SELECT COUNT(*) FROM test.{name}")[0][0]) < rows:
                s.query(f"INSERT INTO test.{name} (k, c) SELECT k + id, c FROM test.{name}")
        article = ("select concat_ws('.', t.schema, t.name, i.name) as index_name, sum(data_size)/1024/1024 as data_size_mb from innodb_sys_tables as t "
                   "inner join innodb_sys_indexes as i using(table_id) inner join innodb_buffer_pool_pages_index as p using(index_id) "
                   "where t.schema='test' group by i.index_id")
        small = lambda: float(dict(s.query(article, "information_schema")).get("test.md_cache_test_small.PRIMARY", 0))
        s.query("SELECT SUM(k) FROM test.md_cache_test_small FORCE INDEX (PRIMARY) WHERE c <> ''")
        rows = dict(s.query(article, "information_schema"))
        assert set(rows) >= {"test.md_cache_test_small.PRIMARY", "test.md_cache_test_big.PRIMARY"}, rows
        assert 0.4 < float(rows["test.md_cache_test_small.PRIMARY"]) < 1, rows
        assert float(rows["test.md_cache_test_big.PRIMARY"]) > 3, rows
        # the tables agree with MySQL's own
        assert s.query("SELECT COUNT(*) FROM information_schema.INNODB_SYS_TABLES") == s.query("SELECT COUNT(*) FROM information_schema.INNODB_TABLES")
        assert s.query("SELECT INDEX_ID, NAME FROM information_schema.INNODB_SYS_INDEXES ORDER BY 1") == \
            s.query("SELECT INDEX_ID, NAME FROM information_schema.INNODB_INDEXES ORDER BY 1")
        young(s, small)
        with s.connect() as c:
            ask(c, "CREATE USER nobody")
        with s.connect(user="nobody", database="information_schema") as c:
            for t in ("innodb_sys_tables", "innodb_sys_indexes", "innodb_buffer_pool_pages", "innodb_buffer_pool_pages_index"):
                with pytest.raises(pymysql.MySQLError) as e:
                    ask(c, f"SELECT * FROM {t}")
                assert e.value.args[0] == 1227
    finally:
        s.remove()


def young(s, small):
    """Scans make nothing young within innodb_old_blocks_time and are counted; without it they do."""
    count = lambda: [int(v) for _, v in s.query("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_made%'")]
    scan = "SELECT SUM(k) FROM test.md_cache_test_big FORCE INDEX (PRIMARY) WHERE c <> ''"
    s.query("SET GLOBAL innodb_old_blocks_time = 100000")
    not_young, made = count()
    s.query(scan)
    after = count()
    assert after[0] > not_young and after[1] == made, (not_young, made, after)
    s.query("SET GLOBAL innodb_old_blocks_time = 0")
    s.query(scan)
    s.query(scan)
    last = count()
    assert last[1] > after[1] and last[0] == after[0], (after, last)
    data = number(r"Database pages +(\d+)", monitor(s))
    for pct in (37, 5, 80):
        s.query(f"SET GLOBAL innodb_old_blocks_pct = {pct}")
        old = number(r"Old database pages +(\d+)", monitor(s))
        assert old <= data * pct // 100 + 1, (pct, old, data)
        lru = s.query("SELECT IS_OLD, COUNT(*), MIN(LRU_POSITION), MAX(LRU_POSITION) FROM information_schema.INNODB_BUFFER_PAGE_LRU GROUP BY 1 ORDER BY 1")
        assert [r[0] for r in lru] == ["NO", "YES"] and lru[1][3] < lru[0][2], "the old ones go first"
    s.query("SET GLOBAL innodb_old_blocks_pct = 37")
    assert number(r"Old database pages +(\d+)", monitor(s)) >= data * 30 // 100
