"""kill -9 with the binary log on: afterwards it holds exactly the committed transactions, in the order in which they were committed.

Every transaction raises the counter of one row, which it locks, and inserts a row that carries it; some insert rows enough to be written beside the redo
log first, some are rolled back, some statements create and drop tables. After each kill the files are read with `lib/binlog.py`: the counters in them must
be 1, 2, 3 ... as in the table, row by row, and the tables created and dropped must be those that are there.

CI runs a few rounds; more by hand: `PYTHONPATH=tests .venv/bin/python tests/crash/test_kill_binlog.py ROUNDS [SEED]`.
"""
import random
import re
import sys
import threading
import time

import pymysql

from lib import binlog
from lib.servers import Server

WORKERS = 4
OPTIONS = ["--log-bin=bin", "--max-binlog-size=65536", "--server-id=5"]


def worker(server, me, rng, acked, tables):
    try:
        with server.connect(database="w", autocommit=False) as c, c.cursor() as cur:
            n = 0
            while True:
                n += 1
                if rng.random() < 0.03:
                    name = f"d{me}_{time.time_ns()}"
                    cur.execute(f"CREATE TABLE {name} (a INT)")
                    tables[me].append(name)
                    if rng.random() < 0.5:
                        cur.execute(f"DROP TABLE {name}")
                    continue
                cur.execute("UPDATE t SET k = k + 1 WHERE id = 0")
                cur.execute("SELECT k FROM t WHERE id = 0")
                k = cur.fetchone()[0]
                ident = k * 10 + me
                cur.execute("INSERT INTO t VALUES (%s, %s, 'own')", (ident, k))
                if rng.random() < 0.05:
                    rows = ",".join(f"({ident}, {i}, '{'x' * 200}')" for i in range(3000))
                    cur.execute(f"INSERT INTO big VALUES {rows}")
                if rng.random() < 0.1:
                    c.rollback()
                    continue
                c.commit()
                acked.append(ident)
    except (pymysql.err.MySQLError, OSError):
        pass


def read(server):
    """Counters with ids as logged, rows of `big` by id, tables that were created and not dropped."""
    order, big, tables = [], {}, set()
    for (name, *_) in server.query("SHOW BINARY LOGS"):
        events = binlog.read((server.dir / "data" / name).read_bytes())
        maps = binlog.Tables()
        sequence = 0
        for e in events:
            if e.kind in (binlog.GTID, binlog.ANONYMOUS):
                sequence += 1
                assert e.numbers == (sequence - 1, sequence), (name, e.at)
            elif e.kind == binlog.TABLE_MAP:
                maps.map(e)
            elif e.kind in (binlog.WRITE_ROWS, binlog.UPDATE_ROWS) and maps.name(e).startswith("w."):
                table, rows = maps.rows(e)
                if table == "w.t" and e.kind == binlog.WRITE_ROWS:
                    order += [(k, ident) for ident, k, _ in rows]
                elif table == "w.big":
                    for ident, *_ in rows:
                        big[ident] = big.get(ident, 0) + 1
            elif e.kind == binlog.QUERY and (named := re.search(r"^(CREATE|DROP) TABLE.*\b(d\d_\d+)", e.query)):
                (tables.add if named[1] == "CREATE" else tables.discard)(named[2])
    return order, big, tables


def verify(server, acked, tried):
    order, big, tables = read(server)
    rows = [(k, ident) for ident, k, _ in server.query("SELECT * FROM t WHERE id <> 0 ORDER BY k", db="w")]
    logged = [pair for pair in order if pair != (0, 0)]
    assert logged == rows, (len(logged), len(rows), [p for p in logged if p not in set(rows)][:5], [p for p in rows if p not in set(logged)][:5])
    # a counter whose transaction was rolled back is given again
    assert [k for k, _ in rows] == list(range(1, len(rows) + 1))
    lost = set(acked) - {ident for _, ident in rows}
    assert not lost, lost
    assert big == dict(server.query("SELECT id, COUNT(*) FROM big GROUP BY id", db="w"))
    there = {r[0] for r in server.query("SHOW TABLES", db="w")} - {"t", "big"}
    assert tables == there, tables ^ there


def rounds(count, seed):
    rng = random.Random(seed)
    server = Server(options=OPTIONS)
    try:
        server.start()
        server.query("CREATE DATABASE w")
        server.query("CREATE TABLE w.t (id INT PRIMARY KEY, k INT NOT NULL, s VARCHAR(20))")
        server.query("CREATE TABLE w.big (id INT, n INT, s VARCHAR(250))")
        server.query("INSERT INTO w.t VALUES (0, 0, 'hot')")
        acked, tables = [], {me: [] for me in range(WORKERS)}
        for n in range(count):
            threads = [threading.Thread(target=worker, args=(server, me, random.Random(rng.random()), acked, tables)) for me in range(WORKERS)]
            for t in threads:
                t.start()
            time.sleep(rng.uniform(0.2, 1.5))
            server.kill()
            for t in threads:
                t.join()
            server.start()
            verify(server, acked, tables)
        assert len(acked) > count, "nothing was committed"
        assert server.stop() == 0
        server.start()
        verify(server, acked, tables)
        return len(acked)
    finally:
        server.remove()


def test_kill_with_binary_log():
    rounds(3, 1)


if __name__ == "__main__":
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()
    print(f"seed {seed}: {rounds(count, seed)} transactions in {count} rounds")
