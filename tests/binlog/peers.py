"""Statements of `statements/*.sql` and the events that they leave: recorded from MySQL (`python tests/binlog/peers.py NAME`), compared with ours by
`test_logged_events.py`. Statements end with `;` at the end of a line."""
import itertools
import pathlib
import re
import sys
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from binlog import events  # noqa: E402
from lib.servers import MySQL  # noqa: E402


def statements(name):
    name = SAME.get(name, name)
    return [s.strip() for s in (HERE / f"statements/{name}.sql").read_text().split(";\n") if s.strip()]


def run(server, name, file):
    """Each statement with the lines of its events."""
    out, seen = [], 0
    with server.connect() as c, c.cursor() as cur:
        for q in statements(name):
            try:
                cur.execute(q)
                cur.fetchall()
            except Exception as e:  # noqa: BLE001
                out.append((q, [f"error {e.args[0]}"]))
                continue
            all_events = events.settled(file)
            out.append((q, [events.show(e) for e in all_events[seen:]]))
            seen = len(all_events)
    return out


# of which the answers are recorded, not the events, and with which options
OPTIONS = {"gtids": ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"],
           "given_gtids": ["--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--binlog-ignore-db=ignored"],
           "channels": ["--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--relay-log=r", "--skip-replica-start"],
           "replica_options": ["--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--relay-log=r", "--skip-replica-start"],
           "replica_options_files": ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF", "--relay-log=r", "--skip-replica-start"]}
# the statements of another name
SAME = {"replica_options_files": "replica_options"}
OTHER = "3e11fa47-71ca-11e1-9e33-c80aa9429562"


def answers(server, name="gtids"):
    """Each statement with the line of its answer; `UUID` stands for the server's own."""
    out = []
    with server.connect() as c, c.cursor() as cur:
        cur.execute("SELECT @@server_uuid")
        uuid = cur.fetchone()[0]
        for q in statements(name):
            try:
                cur.execute(q.replace("UUID", uuid).replace("OTHER", OTHER))
                said = repr(cur.fetchall())
            except Exception as e:  # noqa: BLE001
                said = f"error {e.args[0]} {e.args[1]}"
            said = said.replace(uuid, "UUID").replace(OTHER, "OTHER")
            if "\\n" in said:  # in the order of their UUIDs, of which one is made at random
                said = "(('" + ",\\n".join(sorted(said[3:-5].split(",\\n"))) + "',),)"
            out.append((q, [said]))
    return out


def told(server, name="channels", settled=()):
    """Each statement, in a session of its own, with the lines of its answer and its notes. A query of performance_schema is asked again for some seconds while its answer
    is not the one in `settled`: a channel's workers begin a moment after START REPLICA has been answered."""
    out = []
    for q, wanted in itertools.zip_longest(statements(name), settled):
        said, last = told_once(server, q), time.monotonic() + 20
        while "FROM performance_schema" in q and wanted not in (None, said) and time.monotonic() < last:
            time.sleep(0.05)
            said = told_once(server, q)
        out.append((q, said))
    return out


def told_once(server, q):
    with server.connect() as c, c.cursor() as cur:
        try:
            cur.execute(q)
            said = [repr(row) for row in cur.fetchall()]
            cur.execute("SHOW WARNINGS")
            return said + [f"{level} {code} {message}" for level, code, message in cur.fetchall()]
        except Exception as e:  # noqa: BLE001
            return [f"error {e.args[0]} {e.args[1]}"]


def text(ran):
    return "".join(">> " + q.replace("\n", "\\n") + "\n" + "".join(f"{line}\n" for line in lines) for q, lines in ran)


def recorded(name):
    out = []
    for part in re.split(r"^>> ", (HERE / f"recorded/{name}.txt").read_text(), flags=re.M)[1:]:
        first, *rest = part.splitlines()
        out.append((first.replace("\\n", "\n"), rest))
    return out


ASK = {"gtids": answers, "given_gtids": answers, "channels": told, "replica_options": told, "replica_options_files": told}

if __name__ == "__main__":
    for name in sys.argv[1:]:
        server = MySQL(options=["--log-bin=bin", "--server-id=1", *OPTIONS.get(name, [])])
        try:
            server.start()
            server.query("RESET BINARY LOGS AND GTIDS")
            (HERE / "recorded").mkdir(exist_ok=True)
            ran = ASK[name](server, name) if name in ASK else run(server, name, server.dir / "data/bin.000001")
            (HERE / f"recorded/{name}.txt").write_text(text(ran))
        finally:
            server.stop()
            server.remove()
