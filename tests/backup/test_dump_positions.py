"""Dumps that carry positions: of MySQL's mysqldump (`--source-data`, `--set-gtid-purged`, `--dump-replica`), and the
accounts that `--users` writes. From what each says a new server follows the source, and ends with the same tables.

Writers go on while the dump is taken: a position that is a transaction early or late would show as 1062, 1032 or
another sum. mariadb-dump and mydumper ask with the statements that MySQL 8.4 has dropped (SHOW MASTER STATUS).
"""
import random
import re
import subprocess
import threading

import pytest

from lib.servers import MySQL, Server
from lib.wait import until

LOG = ["--log-bin=bin", "--server-id=7"]
GTIDS = [*LOG, "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]
NEW = "--server-id=8"

pytestmark = pytest.mark.skipif(MySQL.folder() is None, reason="no MySQL: scripts/mysql-peer.sh")


class Writers:
    """Move money between accounts, and note each transfer."""

    def __init__(self, server, n=3):
        self.server, self.stop, self.done = server, threading.Event(), [0] * n
        server.query("CREATE DATABASE d")
        server.query("CREATE TABLE d.bank (id INT PRIMARY KEY, v INT NOT NULL)")
        server.query("CREATE TABLE d.moves (w INT, n INT, a INT, b INT, PRIMARY KEY (w, n))")
        server.query("INSERT INTO d.bank VALUES " + ",".join(f"({i}, 1000)" for i in range(20)))
        self.threads = [threading.Thread(target=self.write, args=(w,)) for w in range(n)]

    def __enter__(self):
        [t.start() for t in self.threads]
        self.more()
        return self

    def __exit__(self, *_):
        self.stop.set()
        [t.join() for t in self.threads]

    def more(self):
        """Waits until each has committed again."""
        before = list(self.done)
        until(lambda: all(b > a for a, b in zip(before, self.done)))

    def write(self, w):
        rng = random.Random(w)
        with self.server.connect(database="d", autocommit=False) as c, c.cursor() as cur:
            while not self.stop.is_set():
                a, b = sorted(rng.sample(range(20), 2))
                cur.execute("UPDATE bank SET v = v - 1 WHERE id = %s", (a,))
                cur.execute("UPDATE bank SET v = v + 1 WHERE id = %s", (b,))
                cur.execute("INSERT INTO moves VALUES (%s, %s, %s, %s)", (w, self.done[w], a, b))
                c.commit()
                self.done[w] += 1


def mysqldump(server, *args):
    r = subprocess.run([*MySQL.program("usr/bin/mysqldump"), "--no-defaults", "-uroot", f"--socket={server.socket}", *args], capture_output=True, timeout=300)
    assert r.returncode == 0, r.stderr.decode()
    return r.stdout


def load(server, text):
    r = subprocess.run([*MySQL.program("usr/bin/mysql"), "--no-defaults", "-uroot", f"--socket={server.socket}", "--binary-mode"], input=text, capture_output=True, timeout=300)
    assert r.returncode == 0, r.stderr.decode()


def sums(server):
    return server.query("CHECKSUM TABLE d.bank, d.moves")


def follow(server, source, more):
    server.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = {source.port}, SOURCE_USER = 'repl', SOURCE_PASSWORD = 'p', GET_SOURCE_PUBLIC_KEY = 1, {more}")
    server.query("START REPLICA")


def same(server, source):
    """The replica has come to the source's state."""
    def status():
        with server.connect() as c, c.cursor() as cur:
            cur.execute("SHOW REPLICA STATUS")
            return dict(zip([d[0] for d in cur.description], cur.fetchall()[0]))
    want = sums(source)

    def there():
        s = status()
        assert s["Last_Errno"] == 0, s["Last_Error"]
        return sums(server) == want
    until(there, status)
    assert server.query("SELECT SUM(v) FROM d.bank") == ((20_000,),)


def source(options):
    s = Server(options=options).start()
    s.query("CREATE USER repl@'127.0.0.1' IDENTIFIED BY 'p'")
    s.query("GRANT REPLICATION SLAVE ON *.* TO repl@'127.0.0.1'")
    return s


# options of the dump; whether the position is by GTIDs
KINDS = [(["--single-transaction", "--source-data=2", "--set-gtid-purged=OFF"], False), (["--source-data=1", "--set-gtid-purged=OFF"], False),
         (["--single-transaction", "--flush-logs", "--source-data=2", "--set-gtid-purged=COMMENTED"], False), (["--single-transaction", "--set-gtid-purged=ON"], True),
         (["--single-transaction", "--set-gtid-purged=AUTO", "--source-data=2", "--all-databases", "--triggers", "--routines", "--events"], True)]


def test_what_a_dump_says_is_where_it_is():
    s = source(GTIDS)
    try:
        with Writers(s) as w:
            dumps = []
            for options, gtids in KINDS:
                dumps.append((mysqldump(s, *([] if "--all-databases" in options else ["--databases", "d"]), *options), options, gtids))
                w.more()
        for text, options, gtids in dumps:
            place = re.search(rb"SOURCE_LOG_FILE='([^']+)', SOURCE_LOG_POS=(\d+)", text)
            assert bool(place) == any(o.startswith("--source-data") for o in options)
            fresh = Server(options=[*GTIDS, NEW]).start()
            try:
                if "--source-data=1" in options:
                    # the statement itself is in it, and wants a source
                    fresh.query("CHANGE REPLICATION SOURCE TO SOURCE_HOST = 'nobody'")
                load(fresh, text)
                # nothing of a transaction that is not whole
                assert fresh.query("SELECT SUM(v) FROM d.bank") == ((20_000,),)
                if gtids:
                    assert fresh.query("SELECT @@gtid_purged") == fresh.query("SELECT @@gtid_executed") != (("",),)
                    follow(fresh, s, "SOURCE_AUTO_POSITION = 1")
                else:
                    follow(fresh, s, f"SOURCE_LOG_FILE = '{place.group(1).decode()}', SOURCE_LOG_POS = {place.group(2).decode()}")
                same(fresh, s)
            finally:
                fresh.remove()
    finally:
        s.remove()


def test_a_dump_of_a_replica_says_where_the_source_is():
    s = source(LOG)
    replica = Server(options=[NEW]).start()
    try:
        follow(replica, s, "SOURCE_LOG_FILE = 'bin.000001', SOURCE_LOG_POS = 4")
        with Writers(s) as w:
            until(lambda: replica.query("SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'moves'") == ((1,),))
            w.more()
            text = mysqldump(replica, "--databases", "d", "--dump-replica=2", "--include-source-host-port", "--single-transaction")
            w.more()
        place = re.search(rb"SOURCE_HOST='127.0.0.1', SOURCE_PORT='?(\d+)'?, SOURCE_LOG_FILE='([^']+)', SOURCE_LOG_POS=(\d+)", text)
        assert place and int(place.group(1)) == s.port, text[:3000]
        # it stopped the applier for that, and started it again
        same(replica, s)
        third = Server(options=["--server-id=9"]).start()
        try:
            load(third, text)
            follow(third, s, f"SOURCE_LOG_FILE = '{place.group(2).decode()}', SOURCE_LOG_POS = {place.group(3).decode()}")
            same(third, s)
        finally:
            third.remove()
    finally:
        replica.remove()
        s.remove()


ACCOUNTS = ["CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY, b INT)", "CREATE FUNCTION d.f() RETURNS INT DETERMINISTIC RETURN 1", "CREATE ROLE r, `odd role`@`10.%`",
            "CREATE USER u@localhost IDENTIFIED BY 'x' DEFAULT ROLE r REQUIRE SSL WITH MAX_USER_CONNECTIONS 3 PASSWORD EXPIRE INTERVAL 90 DAY COMMENT 'a ''comment'''",
            "CREATE USER `a b`@`%` IDENTIFIED BY 'y' ACCOUNT LOCK ATTRIBUTE '{\"k\": 1}'", "CREATE USER old@localhost IDENTIFIED WITH mysql_native_password BY 'z'",
            "GRANT SELECT ON d.* TO r", "GRANT r TO u@localhost WITH ADMIN OPTION", "GRANT SELECT (a), INSERT ON d.t TO u@localhost", "GRANT EXECUTE ON FUNCTION d.f TO `a b`@`%`",
            "GRANT BACKUP_ADMIN ON *.* TO u@localhost WITH GRANT OPTION", "GRANT PROXY ON u@localhost TO old@localhost"]


def accounts(server):
    names = server.query("SELECT CONCAT(QUOTE(user), '@', QUOTE(host)) FROM mysql.user WHERE user NOT IN ('root') AND user NOT LIKE 'mysql.%' ORDER BY 1")
    return [(n, server.query(f"SHOW CREATE USER {n}"), server.query(f"SHOW GRANTS FOR {n}")) for n, in names]


def test_accounts_come_back():
    """`mysqldump --users`: passwords as hashes, roles, what is granted. In the dump of a schema or of all."""
    s = Server().start()
    try:
        for q in ACCOUNTS:
            s.query(q)
        want = accounts(s)
        assert len(want) == 5
        for options in (["--databases", "d", "--routines"], ["--all-databases", "--routines", "--single-transaction"]):
            text = mysqldump(s, "--users", "--exclude-user=root@localhost", *options)
            fresh = Server().start()
            try:
                load(fresh, text)
                assert accounts(fresh) == want
                # again, over them
                load(fresh, mysqldump(s, "--users", "--add-drop-user", "--exclude-user=root@localhost", *options))
                assert accounts(fresh) == want
            finally:
                fresh.remove()
        # without the option there is none of them in it
        assert b"`old`" not in mysqldump(s, "--all-databases")
    finally:
        s.remove()
