"""Backups of a server at work: CLONE LOCAL, `evenkeel backup`, `evenkeel restore`.

Writers move money between accounts, and log each transfer with a number of their own; another session makes, changes
and drops tables. A copy must hold the sum, all that was acknowledged before the backup's end, nothing without its
partner, and, with the binary log, exactly what was executed at the GTID that it names.
"""
import os
import pathlib
import random
import shutil
import subprocess
import threading
import time

import pymysql
import pytest

from lib.servers import AS_USER, Server, binary

ACCOUNTS, EACH, WRITERS = 50, 1000, 3
GTIDS = ["--log-bin=bin", "--server-id=7", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]


class Load:
    """Writers on a server; `acked` is what each has been told is committed."""

    def __init__(self, server):
        self.server, self.stop = server, threading.Event()
        self.acked, self.begun = [0] * WRITERS, [0] * WRITERS
        server.query("CREATE DATABASE d")
        server.query("CREATE TABLE d.bank (id INT PRIMARY KEY, v INT NOT NULL)")
        server.query("CREATE TABLE d.moves (w INT, n INT, a INT, b INT, v INT, t TEXT, PRIMARY KEY (w, n), KEY (t(20)))")
        server.query("INSERT INTO d.bank VALUES " + ",".join(f"({i}, {EACH})" for i in range(ACCOUNTS)))
        self.threads = [threading.Thread(target=self.write, args=(w,)) for w in range(WRITERS)]
        self.threads.append(threading.Thread(target=self.define))

    def __enter__(self):
        [t.start() for t in self.threads]
        time.sleep(0.3)
        return self

    def __exit__(self, *_):
        self.stop.set()
        [t.join() for t in self.threads]

    def write(self, w):
        rng = random.Random(w)
        with self.server.connect(database="d", autocommit=False) as c, c.cursor() as cur:
            while not self.stop.is_set():
                a, b, v = rng.randrange(ACCOUNTS), rng.randrange(ACCOUNTS), rng.randrange(50)
                self.begun[w] = self.acked[w] + 1
                try:
                    cur.execute("UPDATE bank SET v = v - %s WHERE id = %s", (v, a))
                    cur.execute("INSERT INTO moves VALUES (%s, %s, %s, %s, %s, %s)", (w, self.acked[w], a, b, v, "x" * rng.randrange(3000)))
                    cur.execute("UPDATE bank SET v = v + %s WHERE id = %s", (v, b))
                    if rng.random() < 0.1:
                        c.rollback()
                        continue
                    c.commit()
                    self.acked[w] += 1
                except pymysql.err.OperationalError as e:
                    assert e.args[0] in (1205, 1213), e

    def define(self):
        for n in range(1 << 30):
            if self.stop.is_set():
                return
            self.server.query(f"CREATE TABLE d.more{n} (a INT PRIMARY KEY, b VARCHAR(100))")
            self.server.query(f"INSERT INTO d.more{n} SELECT w * 1000000 + n AS a, LEFT(t, 100) AS b FROM d.moves LIMIT 500")
            self.server.query(f"ALTER TABLE d.more{n} ADD KEY (b)")
            if n % 2:
                self.server.query(f"DROP TABLE d.more{n}")
            elif n % 4:
                self.server.query(f"TRUNCATE TABLE d.more{n}")


def run(*args, ok=True, **kw):
    done = subprocess.run([binary(), *map(str, args)], capture_output=True, text=kw.pop("text", True), timeout=600, **kw)
    assert (done.returncode == 0) == ok, done.stderr
    return done


def back_up(server, to, *more, **kw):
    return run("backup", f"--socket={server.socket}", "-uroot", f"--to={to}", *more, **kw)


def copy_of(folder, data, options=()):
    """A server on a data directory that a backup or clone has made."""
    folder.mkdir()
    shutil.move(data, folder / "data")
    return Server(folder, options=options).start()


def look(server, least, most):
    """What a copy must hold."""
    assert server.query("SELECT SUM(v), COUNT(*) FROM d.bank") == ((ACCOUNTS * EACH, ACCOUNTS),)
    for w in range(WRITERS):
        (n, top), = server.query(f"SELECT COUNT(*), COALESCE(MAX(n) + 1, 0) FROM d.moves WHERE w = {w}")
        assert n == top and least[w] <= n <= most[w], (w, n, top, least[w], most[w])
    balances = {i: EACH for i in range(ACCOUNTS)}
    for a, b, v in server.query("SELECT a, b, v FROM d.moves"):
        balances[a] -= v
        balances[b] += v
    assert dict(server.query("SELECT id, v FROM d.bank")) == balances
    for name, in server.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'd'"):
        assert server.query(f"CHECK TABLE d.`{name}`")[-1][3] == "OK", name


@pytest.fixture
def source():
    s = Server(options=GTIDS).start()
    yield s
    s.remove()


def test_clone_local_of_a_server_at_work(source, tmp_path):
    with Load(source) as load:
        least = list(load.acked)
        source.query(f"CLONE LOCAL DATA DIRECTORY = '{tmp_path}/clone/data'")
        most = [n + 1 for n in load.acked]
    source.query("CREATE USER later@localhost")
    copy = copy_of(tmp_path / "copy", tmp_path / "clone/data", [*GTIDS, "--server-id=8"])
    try:
        look(copy, least, most)
        assert copy.query("SELECT COUNT(*) FROM mysql.user WHERE user = 'later'") == ((0,),)
        mine, its = (s.query("SELECT @@server_uuid")[0][0] for s in (source, copy))
        assert mine != its
        executed = copy.query("SELECT @@gtid_executed, @@gtid_purged")[0]
        assert executed[0] == executed[1] and executed[0].startswith(mine)
        # the clone follows its original from there
        copy.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = {source.port}, SOURCE_USER = 'root', SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1")
        copy.query("START REPLICA")
        wanted = source.query("SELECT @@gtid_executed")[0][0]
        assert copy.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{wanted}', 120)") == ((0,),)
        copy.query("STOP REPLICA")
        for table in ("d.bank", "d.moves"):
            assert copy.query(f"CHECKSUM TABLE {table}") == source.query(f"CHECKSUM TABLE {table}")
        assert copy.stop() == 0
    finally:
        copy.remove()


def test_backup_and_a_chain(source, tmp_path):
    chain, states = [], []
    with Load(source) as load:
        for i in range(3):
            least = list(load.acked)
            more = [f"--incremental-from={chain[-1]}"] if chain else []
            said = back_up(source, tmp_path / f"b{i}", *more).stderr
            assert "gtid_executed" in said
            chain.append(tmp_path / f"b{i}")
            states.append((least, [n + 1 for n in load.acked]))
            time.sleep(0.3)
    for i in (0, 2):
        run("restore", "--verify", *chain[:i + 1])
        run("restore", *chain[:i + 1], f"--datadir={tmp_path}/r{i}")
        copy = copy_of(tmp_path / f"copy{i}", tmp_path / f"r{i}", GTIDS)
        try:
            look(copy, *states[i])
        finally:
            copy.remove()
    # a chain with a gap, or without its beginning: nothing is made, and nothing is said to be whole
    for links, why in (((0, 2), "no chain"), ((1,), "restore that one first"), ((1, 0), "restore that one first"), ((0, 0), "no chain")):
        folders = [chain[n] for n in links]
        for where in ("--verify", f"--datadir={tmp_path}/gap"):
            e = run("restore", *folders, where, ok=False).stderr
            assert why in e and f"/b{links[-1] if links[0] == 0 else links[0]}'" in e, e
        assert not (tmp_path / "gap").exists()


def test_only_on_backups_of_its_own_data(source, tmp_path):
    """What was not changed since is taken from the backups before: they must be of the same history."""
    def refused(server, base):
        e = back_up(server, tmp_path / "no", f"--incremental-from={base}", ok=False).stderr
        assert "3862" in e and "whole backup" in e, e
        assert not (tmp_path / "no").exists()

    source.query("CREATE DATABASE d")
    source.query("CREATE TABLE d.t (a INT PRIMARY KEY, b INT)")
    source.query("CREATE TABLE d.still (a INT PRIMARY KEY)")
    source.query("INSERT INTO d.t VALUES (1, 1)")
    back_up(source, tmp_path / "full")
    source.stop()
    shutil.copytree(source.dir / "data", tmp_path / "copy")
    source.start()
    source.query("INSERT INTO d.still VALUES (7)")  # in a page that what is put back never writes
    back_up(source, tmp_path / "lost", f"--incremental-from={tmp_path}/full")
    other = Server(options=GTIDS).start()
    try:
        refused(other, tmp_path / "full")
    finally:
        other.remove()
    source.stop()
    # put back from a copy: what the copy knows goes on, what came after it was another history
    shutil.rmtree(source.dir / "data")
    shutil.move(tmp_path / "copy", source.dir / "data")
    source.start()
    source.query("UPDATE d.t SET b = 2")
    refused(source, tmp_path / "lost")
    back_up(source, tmp_path / "more", f"--incremental-from={tmp_path}/full")
    run("restore", tmp_path / "full", tmp_path / "more", f"--datadir={tmp_path}/restored")
    copy = copy_of(tmp_path / "r", tmp_path / "restored", GTIDS)
    try:
        assert copy.query("SELECT * FROM d.t") == ((1, 2),) and copy.query("SELECT * FROM d.still") == ()
        # restored: a chain of its own
        refused(copy, tmp_path / "more")
        back_up(copy, tmp_path / "new")
        back_up(copy, tmp_path / "new1", f"--incremental-from={tmp_path}/new")
        run("restore", "--verify", tmp_path / "new", tmp_path / "new1")
    finally:
        copy.remove()


def test_a_stream_and_its_damage(source, tmp_path):
    source.query("CREATE DATABASE d")
    source.query("CREATE TABLE d.t (a INT PRIMARY KEY, b VARCHAR(200)) AS WITH RECURSIVE r(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM r WHERE a < 900) SELECT a, REPEAT(MD5(a), 6) AS b FROM r")
    source.query("SET PERSIST max_connections = 77")
    stream = back_up(source, "-", text=False).stdout
    whole = tmp_path / "whole.ekb"
    whole.write_bytes(stream)
    run("restore", whole, f"--datadir={tmp_path}/from_file")
    run("restore", "-", f"--datadir={tmp_path}/from_stdin", input=stream, text=False)
    copy = copy_of(tmp_path / "copy", tmp_path / "from_stdin")
    try:
        assert copy.query("CHECKSUM TABLE d.t") == source.query("CHECKSUM TABLE d.t")
        assert copy.query("SELECT @@max_connections") == ((77,),)
    finally:
        copy.remove()
    rng, broken = random.Random(5), tmp_path / "broken.ekb"
    for n in range(30):
        damaged = bytearray(stream)
        if n % 3:
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        else:
            del damaged[rng.randrange(len(damaged)):]
        broken.write_bytes(damaged)
        e = run("restore", "--verify", broken, ok=False).stderr
        assert "broken.ekb" in e, e
    e = run("restore", broken, f"--datadir={tmp_path}/never", ok=False).stderr
    assert "broken.ekb" in e or "damaged" in e
    # what was begun says so, to a server and to the next restore
    refused = subprocess.run([binary(), "serve", "--no-defaults", AS_USER, f"--datadir={tmp_path}/never", "--port=0"], capture_output=True, text=True, timeout=60)
    assert refused.returncode != 0 and "not complete" in refused.stdout + refused.stderr
    assert "was not completed" in run("restore", whole, f"--datadir={tmp_path}/never", ok=False).stderr
    # a gap is found in streams as well
    source.query("INSERT INTO d.t VALUES (-1, 'x')")
    for n in (1, 2):
        back_up(source, tmp_path / f"f{n}", *([f"--incremental-from={tmp_path}/f1"] if n == 2 else []))
    more = tmp_path / "more.ekb"
    more.write_bytes(back_up(source, "-", f"--incremental-from={tmp_path}/f2", text=False).stdout)
    run("restore", "--verify", tmp_path / "f1", tmp_path / "f2", more)
    for links in ((whole, more), (tmp_path / "f1", more), (more,)):
        assert "no chain" in (e := run("restore", "--verify", *links, ok=False).stderr) or "restore that one first" in e


def test_a_damaged_folder_names_its_file(source, tmp_path):
    source.query("CREATE DATABASE d")
    source.query("CREATE TABLE d.t (a INT PRIMARY KEY)")
    folder = tmp_path / "b"
    back_up(source, folder)
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    run("restore", folder, f"--datadir={tmp_path}/restored")
    source.query(f"CLONE LOCAL DATA DIRECTORY '{tmp_path}/cloned'")
    for made in (folder, tmp_path / "restored", tmp_path / "cloned"):
        assert [p for p in [made, *made.rglob("*")] if p.stat().st_mode & 0o007] == []
    assert {p.name for p in files} >= {"backup.json", "redo.ekb", "files.ekb", "ends.ekb"}
    for p in files:
        good = p.read_bytes()
        for bad in (good[:-3], good[:len(good) // 2] + bytes([good[len(good) // 2] ^ 4]) + good[len(good) // 2 + 1:], None):
            p.unlink() if bad is None else p.write_bytes(bad)
            e = run("restore", "--verify", folder, ok=False).stderr
            assert p.name in e, (p.name, e)
            p.write_bytes(good)
    run("restore", "--verify", folder)
    # not empty, no backup at all
    assert "not empty" in back_up(source, folder, ok=False).stderr
    assert "no complete backup" in run("restore", tmp_path, f"--datadir={tmp_path}/x", ok=False).stderr


def test_who_may(source, tmp_path):
    source.query("CREATE USER u@localhost, v@localhost IDENTIFIED BY 'secret'")
    source.query("GRANT BACKUP_ADMIN ON *.* TO v@localhost")
    with source.connect(user="u") as c, c.cursor() as cur:
        for sql in (f"CLONE LOCAL DATA DIRECTORY '{tmp_path}/no'", "CLONE INSTANCE FROM root@127.0.0.1:1 IDENTIFIED BY 'x'"):
            with pytest.raises(pymysql.err.OperationalError) as e:
                cur.execute(sql)
            assert e.value.args[0] == 1227
    e = run("backup", f"--socket={source.socket}", "-uu", f"--to={tmp_path}/no", ok=False).stderr
    assert "1227" in e and not (tmp_path / "no").exists()  # nothing is in the way of the next attempt
    run("backup", f"--socket={source.socket}", "-uv", f"--to={tmp_path}/yes", env={**os.environ, "MYSQL_PWD": "secret"})
    run("backup", "-h127.0.0.1", f"-P{source.port}", "--ssl", "-uv", "--password=secret", f"--to={tmp_path}/tls", "--compress=none")
    e = run("backup", "-h127.0.0.1", f"-P{source.port}", "--ssl", "-uv", "--password=wrong", f"--to={tmp_path}/wrong", ok=False).stderr
    assert "1045" in e
    for sql, code in ((f"CLONE LOCAL DATA DIRECTORY '{tmp_path}/yes'", 1007), ("CLONE LOCAL DATA DIRECTORY 'here'", 1525), ("CLONE LOCAL DATA DIRECTORY ''", 1525)):
        with pytest.raises(pymysql.err.MySQLError) as e:
            source.query(sql)
        assert e.value.args[0] == code, e.value


def test_a_killed_clone_leaves_nothing(source, tmp_path):
    source.query("CREATE DATABASE k")
    source.query("CREATE TABLE k.t (a INT PRIMARY KEY, b LONGBLOB)")
    for i in range(12):
        source.query(f"INSERT INTO k.t VALUES ({i}, REPEAT('x', 4000000))")
    data = pathlib.Path(source.dir) / "data"
    with source.connect() as c:
        me = c.thread_id()
        killer = threading.Timer(0.02, lambda: source.query(f"KILL {me}"))
        killer.start()
        try:
            c.cursor().execute(f"CLONE LOCAL DATA DIRECTORY '{tmp_path}/k'")
        except pymysql.err.OperationalError:
            # the client is told before the session has ended
            deadline = time.time() + 60
            while (tmp_path / "k").exists() and time.time() < deadline:
                time.sleep(0.05)
            assert not (tmp_path / "k").exists()
        killer.join()
    assert list((data / "#backup").iterdir()) == []
    # a server that is killed in the middle: what was made is never started, its own folder is clean after the next start
    t = threading.Thread(target=lambda: back_up(source, tmp_path / "cut", ok=False))
    with Load(source):
        pass
    t.start()
    time.sleep(0.05)
    source.kill()
    t.join()
    assert not (tmp_path / "cut/backup.json").exists()
    source.start()
    assert not (data / "#backup").exists() or list((data / "#backup").iterdir()) == []


def test_clone_instance(source, tmp_path):
    source.query("CREATE DATABASE d")
    source.query("CREATE TABLE d.t (a INT PRIMARY KEY, b TEXT)")
    source.query("INSERT INTO d.t VALUES (1, REPEAT('x', 60000)), (2, NULL)")
    source.query("CREATE USER donor@'127.0.0.1' IDENTIFIED BY 'p', weak@'127.0.0.1' IDENTIFIED BY 'p'")
    source.query("GRANT BACKUP_ADMIN ON *.* TO donor@'127.0.0.1'")
    recipient = Server().start()
    try:
        statement = lambda user, port, more: f"CLONE INSTANCE FROM {user}@'127.0.0.1':{port} IDENTIFIED BY 'p' {more}"
        at = f"DATA DIRECTORY = '{tmp_path}/c'"

        def fails(code, sql):
            with pytest.raises(pymysql.err.MySQLError) as e:
                recipient.query(sql)
            assert e.value.args[0] == code, e.value
            assert not (tmp_path / "c").exists()
            return e.value.args[1]
        fails(3869, statement("donor", source.port, at))
        for wrong in ("127.0.0.1", "127.0.0.1:1,", ":1", "a:1, b:2", "a:x"):
            fails(3869, f"SET GLOBAL clone_valid_donor_list = '{wrong}'")
        recipient.query(f"SET GLOBAL clone_valid_donor_list = '127.0.0.1:1,127.0.0.1:{source.port}'")
        assert "2003" in fails(3862, statement("donor", 1, at))
        assert "1045" in fails(3862, statement("nobody", source.port, at))
        assert "1227" in fails(3862, statement("weak", source.port, at))
        for i, more in enumerate(("", "REQUIRE SSL", "REQUIRE NO SSL")):
            recipient.query(statement("donor", source.port, f"DATA DIRECTORY '{tmp_path}/clone{i}/data' {more}"))
            copy = copy_of(tmp_path / f"copy{i}", tmp_path / f"clone{i}/data", GTIDS)
            try:
                assert copy.query("CHECKSUM TABLE d.t") == source.query("CHECKSUM TABLE d.t")
                assert copy.query("SELECT @@gtid_purged") == source.query("SELECT @@gtid_executed")
                copy.connect(host="127.0.0.1", user="donor", password="p").close()
            finally:
                copy.remove()
        # the password is in no list of statements
        assert [t for t, in recipient.query("SELECT sql_text FROM performance_schema.events_statements_history_long WHERE sql_text LIKE '%CLONE INSTANCE%IDENTIFIED BY ''p''%'")] == []
    finally:
        recipient.remove()
