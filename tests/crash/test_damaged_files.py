"""Each file of a data directory deleted, cut, zeroed, overwritten, swapped or put back from an older copy: the start is refused, or what is wrong
is named in the error log or in the error of the statement that meets it. Never a wrong answer, never an end by a signal, and nothing that is
committed afterwards may be lost at the next crash. A start that is refused changes no file, so the good file can be put back: then everything is there.

One directory is made once, in three states, and copied for each case. Run by hand with other binaries: EVENKEEL=... pytest tests/crash/test_damaged_files.py
"""
import shutil
import subprocess
import time

import pymysql
import pytest

from lib.servers import Server

OPTIONS = ("--innodb-redo-log-capacity=8M", "--innodb-buffer-pool-size=16M", "--innodb-flush-method=fsync")
PAGE = 16384
DICT, UNDO, REDO, COPIES = "#spaces/00000001.ibd", "#spaces/00000002.ibd", "#innodb_redo/#ib_redo0", "#ib_16384_0.dblwr"
CHECK = "SELECT COUNT(*), SUM(CRC32(CONCAT_WS('-', id, pad))) FROM d.{}"


def sums(server):
    """What the tables hold: an answer, or the error."""
    found = {}
    for table in ("t", "u"):
        try:
            found[table] = server.query(CHECK.format(table))[0]
        except pymysql.err.MySQLError as e:
            assert e.args[0] not in (2006, 2013), f"the connection was lost: {e}"
            found[table] = e
    return found


class World:
    """The states: `old` (a clean end), `clean` (a later one), `killed` (kill -9 after that); what is right in each, and the tables' files."""

    def __init__(self, folder):
        self.folder, self.right = folder, {}
        s = Server(folder / "made", OPTIONS).start()
        s.query("CREATE DATABASE d")
        files = lambda: {p.name for p in (s.dir / "data" / "#spaces").iterdir()}
        before = files()
        for table in ("t", "u"):
            s.query(f"CREATE TABLE d.{table} (id INT PRIMARY KEY, pad VARCHAR(200))")
            self.fill(s, table, 0, 2000)
        self.t, self.u = (f"#spaces/{name}" for name in sorted(files() - before))
        s.query("CREATE USER small@localhost IDENTIFIED BY 'first'")
        s.query("SET PERSIST max_connections = 77")
        self.keep("old", s)
        s.start()
        self.fill(s, "t", 2000, 1500)
        s.query("UPDATE d.u SET pad = REPEAT('z', 150)")
        s.query("CREATE TABLE d.v (id INT PRIMARY KEY)")
        s.query("ALTER USER small@localhost IDENTIFIED BY 'second'")
        self.keep("clean", s)
        s.start()
        self.fill(s, "t", 4000, 500)
        self.fill(s, "u", 4000, 500)
        time.sleep(1.3)  # the log notes each second how far it is durable
        self.keep("killed", s, kill=True)

    @staticmethod
    def fill(s, table, first, n):
        s.query(f"INSERT INTO d.{table} VALUES " + ",".join(f"({first + i}, REPEAT(CHAR({97 + i % 26}), 150))" for i in range(n)))

    def keep(self, state, s, kill=False):
        self.right[state] = sums(s)
        assert not any(isinstance(v, Exception) for v in self.right[state].values())
        s.kill() if kill else s.stop()
        shutil.copytree(s.dir / "data", self.folder / state)

    def copy(self, state, to):
        subprocess.run(["cp", "-a", "--sparse=always", self.folder / state, to], check=True)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return World(tmp_path_factory.mktemp("damaged"))


# ---- what is done to a file ----

def delete(path, _):
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def cut(length):
    def do(path, _):
        with open(path, "r+b") as f:
            f.truncate(length)
    return do


def cut_half(path, _):
    cut(path.stat().st_size // 2)(path, _)


def overwrite(byte, at=0, length=None):
    def do(path, _):
        n = path.stat().st_size - at if length is None else length
        with open(path, "r+b") as f:
            f.seek(at)
            f.write(byte * n)
    return do


zero = overwrite(b"\0")


def page(n):
    return overwrite(b"\xa5", at=n * PAGE + 100, length=2000)


def write(text):
    return lambda path, _: path.write_text(text)


def of(state):
    """The file as it is in another state."""
    def do(path, world):
        data = next(p for p in path.parents if p.name == "data")
        source = world.folder / state / path.relative_to(data)
        path.unlink()
        shutil.copy2(source, path)
    return do


def swap(other):
    def do(path, world):
        data = next(p for p in path.parents if p.name == "data")
        second, third = data / getattr(world, other, other), path.with_name("third")
        path.rename(third)
        second.rename(path)
        third.rename(second)
    return do


def files_of(folder):
    """The whole directory; the lock has the number of the process."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name != "evenkeel.lock"}


# REPAIRED: refused, or, where the doublewrite file still holds every page, repaired from it with right answers, which the log tells; what is not is named
REFUSED, NAMED, FINE, REPAIRED = "refused", "named", "fine", "repaired"
# state, file (or the name of an attribute of World), what is done, what must come of it, what must be named
CASES = {
    "dictionary deleted": ("clean", DICT, delete, REFUSED, "00000001.ibd"),
    "dictionary deleted, log to replay": ("killed", DICT, delete, REFUSED, "00000001.ibd"),
    "dictionary cut to nothing": ("clean", DICT, cut(0), REFUSED, "00000001.ibd"),
    "dictionary cut to three pages": ("clean", DICT, cut(3 * PAGE), REPAIRED, "00000001.ibd"),
    "dictionary zeroed": ("clean", DICT, zero, REFUSED, "00000001.ibd"),
    "dictionary's system page overwritten": ("clean", DICT, page(1), REPAIRED, "00000001.ibd"),
    "dictionary's tree overwritten": ("clean", DICT, page(2), REPAIRED, "00000001.ibd"),
    "dictionary cut within its fourth page": ("clean", DICT, cut(3 * PAGE + 100), REFUSED, "00000001.ibd"),
    "dictionary cut within its fourth page, log to replay": ("killed", DICT, cut(3 * PAGE + 100), REFUSED, "00000001.ibd"),
    "dictionary's first page zeroed": ("clean", DICT, overwrite(b"\0", length=PAGE), REFUSED, "00000001.ibd"),
    "dictionary swapped with undo": ("clean", DICT, swap(UNDO), REFUSED, "#spaces/0000000"),
    "dictionary swapped with a table": ("clean", DICT, swap("t"), REFUSED, "00000001.ibd"),
    "dictionary of an older copy": ("clean", DICT, of("old"), REFUSED, "00000001.ibd"),
    "dictionary of an older copy, log to replay": ("killed", DICT, of("old"), REFUSED, "00000001.ibd"),
    "dictionary of a newer copy": ("old", DICT, of("clean"), REFUSED, "00000001.ibd"),
    "undo deleted": ("clean", UNDO, delete, REFUSED, "00000002.ibd"),
    "undo deleted, log to replay": ("killed", UNDO, delete, REFUSED, "00000002.ibd"),
    "undo cut to nothing": ("clean", UNDO, cut(0), REFUSED, "00000002.ibd"),
    "undo cut to three pages": ("clean", UNDO, cut(3 * PAGE), REFUSED, "00000002.ibd"),
    "undo zeroed": ("clean", UNDO, zero, REPAIRED, "00000002.ibd"),
    "undo directory overwritten": ("clean", UNDO, page(1), REPAIRED, "00000002.ibd"),
    "undo swapped with a table": ("clean", UNDO, swap("u"), REFUSED, "00000002.ibd"),
    "undo of an older copy": ("clean", UNDO, of("old"), REFUSED, "00000002.ibd"),
    "undo of a newer copy": ("old", UNDO, of("clean"), REFUSED, "00000002.ibd"),
    "redo log deleted": ("clean", REDO, delete, REFUSED, "ib_redo0"),
    "redo log deleted, log to replay": ("killed", REDO, delete, REFUSED, "ib_redo0"),
    "redo log cut": ("clean", REDO, cut_half, REFUSED, "ib_redo0"),
    "redo log zeroed": ("clean", REDO, zero, REFUSED, "ib_redo0"),
    "redo log's header overwritten": ("clean", REDO, overwrite(b"\xa5", length=512), REFUSED, "ib_redo0"),
    "redo log's checkpoints zeroed": ("clean", REDO, overwrite(b"\0", at=4096, length=12288), REFUSED, "ib_redo0"),
    "redo log's stream zeroed, log to replay": ("killed", REDO, overwrite(b"\0", at=PAGE), REFUSED, "ib_redo0"),
    "redo log of an older copy": ("clean", REDO, of("old"), REFUSED, "redo log"),
    "redo log of an older copy, killed": ("killed", REDO, of("clean"), REFUSED, "redo log"),
    "redo log of a newer copy": ("old", REDO, of("killed"), REFUSED, "#spaces/"),
    "folder of the redo log deleted": ("clean", "#innodb_redo", delete, REFUSED, "ib_redo0"),
    "folder of the tablespaces deleted": ("clean", "#spaces", delete, REFUSED, "00000001.ibd"),
    "table deleted": ("clean", "t", delete, NAMED, "d.t"),
    "table cut to nothing": ("clean", "t", cut(0), NAMED, "t.ibd"),
    "table cut": ("clean", "t", cut(6 * PAGE), NAMED, "t.ibd"),
    "table zeroed": ("clean", "t", zero, NAMED, "t.ibd"),
    "table's page overwritten": ("clean", "t", page(5), NAMED, "t.ibd"),
    "tables swapped": ("clean", "t", swap("u"), NAMED, "t.ibd"),
    "table of a newer copy": ("old", "t", of("clean"), NAMED, "t.ibd"),
    "table of a copy newer than the log's end": ("clean", "u", of("killed"), FINE, ""),
    "table deleted, log to replay": ("killed", "t", delete, REFUSED, "t.ibd"),
    "table zeroed, log to replay": ("killed", "t", zero, REPAIRED, "t.ibd"),
    "doublewrite deleted": ("killed", COPIES, delete, FINE, ""),
    "doublewrite zeroed": ("killed", COPIES, zero, FINE, ""),
    "doublewrite overwritten": ("killed", COPIES, overwrite(b"\xa5"), FINE, ""),
    "doublewrite cut": ("killed", COPIES, cut(PAGE * 3 + 5), FINE, ""),
    "doublewrite of a newer copy": ("old", COPIES, of("clean"), REFUSED, "newer than the redo log"),
    "accounts deleted": ("clean", "accounts.json", delete, REFUSED, "accounts.json"),
    "accounts cut to nothing": ("clean", "accounts.json", cut(0), REFUSED, "accounts.json"),
    "accounts cut": ("clean", "accounts.json", cut_half, REFUSED, "accounts.json"),
    "accounts zeroed": ("clean", "accounts.json", zero, REFUSED, "accounts.json"),
    "accounts without a list": ("clean", "accounts.json", write("{}"), REFUSED, "accounts.json"),
    "identity deleted": ("clean", "auto.cnf", delete, NAMED, "auto.cnf"),
    "identity cut to nothing": ("clean", "auto.cnf", cut(0), REFUSED, "auto.cnf"),
    "identity overwritten": ("clean", "auto.cnf", overwrite(b"\xa5"), REFUSED, "auto.cnf"),
    "identity of another kind": ("clean", "auto.cnf", write("[auto]\nserver-uuid=none\n"), REFUSED, "auto.cnf"),
    "persisted variables cut": ("clean", "mysqld-auto.cnf", cut_half, REFUSED, "mysqld-auto.cnf"),
    "persisted variables zeroed": ("clean", "mysqld-auto.cnf", zero, REFUSED, "mysqld-auto.cnf"),
    "server's key deleted": ("clean", "server-key.pem", delete, NAMED, "server-key.pem"),
    "server's key swapped": ("clean", "server-key.pem", swap("client-key.pem"), NAMED, "server-key.pem"),
    "server's certificate cut": ("clean", "server-cert.pem", cut_half, NAMED, "server-cert.pem"),
    "CA certificate zeroed": ("clean", "ca.pem", zero, NAMED, "ca.pem"),
    "RSA key deleted": ("clean", "private_key.pem", delete, NAMED, "private_key.pem"),
    "RSA public key deleted": ("clean", "public_key.pem", delete, NAMED, "public_key.pem"),
    "list of the pool overwritten": ("clean", "ib_buffer_pool", overwrite(b"\xa5"), FINE, ""),
    "lock deleted": ("clean", "evenkeel.lock", delete, FINE, ""),
}


def put_back(world, state, damaged, data):
    """What was damaged as it is in a backup, and nothing else."""
    good = files_of(world.folder / state)
    for name in good.keys() | damaged.keys():
        if good.get(name) == damaged.get(name):
            continue
        path = data / name
        path.unlink(missing_ok=True)
        if name in good:
            path.parent.mkdir(exist_ok=True)
            shutil.copy2(world.folder / state / name, path)


@pytest.mark.parametrize("case", CASES)
def test_damage_is_refused_or_named(world, tmp_path, case):
    state, name, damage, expected, named = CASES[case]
    s = Server(tmp_path, OPTIONS)
    world.copy(state, tmp_path / "data")
    path = tmp_path / "data" / getattr(world, name, name)
    if named == "t.ibd":
        named = getattr(world, name).split("/")[1]
    damage(path, world)
    before = list((tmp_path / "data" / "#spaces").glob("*.ibd"))
    damaged = files_of(tmp_path / "data")
    try:
        s.start(wait=30)
    except RuntimeError as e:
        if s.alive():
            s.kill()
        text = s.log_tail(100_000)
        assert s.process.returncode == 1, f"ended with {s.process.returncode}: {e}"
        assert "[ERROR]" in text and named in text, text
        assert expected in (REFUSED, REPAIRED), text
        now = files_of(tmp_path / "data")
        changed = [name for name in damaged.keys() | now.keys() if damaged.get(name) != now.get(name)]
        # pages that the doublewrite file still has are put back before anything else is known
        assert not changed or changed == [str(path.relative_to(tmp_path / "data"))] and "repaired from the doublewrite file" in text, f"changed by a start that was refused: {changed}"
        put_back(world, state, damaged, tmp_path / "data")
        s.start(wait=30)
        assert sums(s) == world.right[state]
        s.stop()
        s.remove()
        return
    try:
        found = sums(s)
        errors = [e for e in found.values() if isinstance(e, Exception)]
        for table, value in found.items():
            assert isinstance(value, Exception) or value == world.right[state][table], f"a wrong answer from d.{table}: {value}"
        text = s.log_tail(100_000) + " ".join(map(str, errors))
        assert expected != REFUSED, f"started: {text}"
        if expected == REPAIRED:
            assert (named in text) if errors else "repaired from the doublewrite file" in text, text
        elif expected == NAMED:
            assert named in text and ("[ERROR]" in text or "[Warning]" in text or errors), text
        else:
            assert not errors, errors
        # what is committed now outlives a crash
        s.query("CREATE TABLE d.w (id INT PRIMARY KEY)")
        s.query("INSERT INTO d.w VALUES (1),(2),(3)")
        s.kill()
        try:
            s.start(wait=30)
        except RuntimeError:
            # after a crash every file is looked at
            assert s.process.returncode == 1 and expected == NAMED and "newer than the redo log" in s.log_tail(), s.log_tail()
            return
        assert s.query("SELECT COUNT(*) FROM d.w") == ((3,),)
        again = sums(s)
        for table, value in again.items():
            assert isinstance(value, Exception) or value == world.right[state][table], f"a wrong answer from d.{table} after a crash: {value}"
        assert not any(p.stem != "third" and not p.exists() for p in before), "a file is gone"
    finally:
        s.remove()


def test_forced_recovery_reads_and_names(world, tmp_path):
    """innodb_force_recovery=1: an older log beside newer files starts read-only, and each page that is newer is named."""
    world.copy("clean", tmp_path / "data")
    of("old")(tmp_path / "data" / REDO, world)
    s = Server(tmp_path, (*OPTIONS, "--innodb-force-recovery=1")).start()
    try:
        assert sums(s) == world.right["clean"]
        with pytest.raises(pymysql.err.MySQLError) as e:
            s.query("INSERT INTO d.t VALUES (99999, 'x')")
        assert e.value.args[0] == 1881, e.value
        text = s.log_tail(100_000)
        assert "innodb_force_recovery" in text and "newer than the redo log" in text and world.t.split("/")[1] in text, text
    finally:
        s.stop()
    # and is not taken for sound afterwards
    s.options = list(OPTIONS)
    try:
        s.start(wait=30)
        found = sums(s)
        assert all(isinstance(v, Exception) and v.args[0] == 1712 for v in found.values()), found
    except RuntimeError:
        assert s.process.returncode == 1
    finally:
        s.remove()


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6])
def test_forced_recovery_of_a_sound_directory(world, tmp_path, level):
    """Every level reads what is committed (and at 5 and 6, where undo is not looked at, there is nothing unfinished here), writes nothing, and
    leaves a directory that starts."""
    world.copy("killed", tmp_path / "data")
    s = Server(tmp_path, (*OPTIONS, f"--innodb-force-recovery={level}")).start()
    try:
        assert sums(s) == world.right["killed"]
        for sql in ("INSERT INTO d.t VALUES (99999, 'x')", "DELETE FROM d.t", "CREATE TABLE d.x (a INT)", "DROP TABLE d.t"):
            with pytest.raises(pymysql.err.MySQLError) as e:
                s.query(sql)
            assert e.value.args[0] == 1881, e.value
        assert s.stop() == 0
        s.options = list(OPTIONS)
        s.start()
        assert sums(s) == world.right["killed"]
    finally:
        s.remove()
