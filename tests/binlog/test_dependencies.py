"""`last_committed`, which tells a parallel applier what may run side by side, is MySQL's for the same statements. `python tests/binlog/test_dependencies.py`
records MySQL's (recorded/dependencies.txt)."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from binlog import peers  # noqa: E402
from lib import binlog  # noqa: E402
from lib.servers import MySQL, Server  # noqa: E402

RECORDED = pathlib.Path(__file__).parent / "recorded/dependencies.txt"


def answers(server):
    """A line for each statement: sequence number and last_committed of what it committed."""
    with server.connect() as c, c.cursor() as cur:
        cur.execute("RESET BINARY LOGS AND GTIDS")
        for q in peers.statements("dependencies"):
            cur.execute(q)
            cur.execute("SHOW BINARY LOG STATUS")
            yield q, cur.fetchone()[1]


def numbers(server):
    ends = list(answers(server))
    found = []
    for e in binlog.read((server.dir / "data/bin.000001").read_bytes()):
        if e.kind in (binlog.GTID, binlog.ANONYMOUS):
            last, sequence = e.numbers
            found.append((e.end, f"{sequence} after {last}"))
    out, before = [], 0
    for q, end in ends:
        out.append(f"{q} -- {', '.join(n for at, n in found if before < at <= end) or 'nothing'}")
        before = end
    return out


def test_last_committed():
    server = Server(options=["--log-bin=bin", "--server-id=1"])
    try:
        server.start()
        ours, theirs = numbers(server), RECORDED.read_text().splitlines()
        wrong = [f"{a}\n  mysql {re.split(' -- ', b)[-1]}" for a, b in zip(ours, theirs) if a != b]
        assert not wrong and len(ours) == len(theirs), "\n".join(wrong)
    finally:
        server.stop()
        server.remove()


if __name__ == "__main__":
    server = MySQL(options=["--log-bin=bin", "--server-id=1"])
    try:
        server.start()
        RECORDED.write_text("".join(line + "\n" for line in numbers(server)))
    finally:
        server.stop()
        server.remove()
