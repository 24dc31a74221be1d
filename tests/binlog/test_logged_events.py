"""Our binary log beside MySQL's: the same statements leave the same events, byte by byte (`peers.py` recorded MySQL 9.7's; what may differ:
`events.plain`)."""
import pytest
from binlog import events, peers
from lib.servers import Server
from lib.wait import until


@pytest.mark.parametrize("name", ["definitions", "rows", "create_select", "partial_json"])
def test_same_events(name):
    server = Server(options=["--log-bin=bin", "--server-id=1"])
    try:
        server.start()
        wanted = peers.recorded(name)
        seen, wrong = 0, []
        with server.connect() as c, c.cursor() as cur:
            for q, lines in wanted:
                try:
                    cur.execute(q)
                    cur.fetchall()
                    failed = []
                except Exception as e:  # noqa: BLE001
                    failed = [f"error {e.args[0]}"]
                file = server.dir / "data/bin.000001"
                count = len([line for line in lines if not line.startswith("error")])
                try:
                    until(lambda: len(events.settled(file)) >= seen + count, seconds=2)
                except AssertionError:
                    pass
                got = [events.show(e) for e in events.settled(file)[seen:]]
                seen += len(got)
                mine, theirs = [events.plain(x) for x in failed + got], [events.plain(x) for x in lines]
                if mine != theirs:
                    wrong.append("\n".join([f">> {q}", *(f"  ours   {x}" for x in mine), *(f"  mysql  {x}" for x in theirs)]))
        assert not wrong, "\n".join(wrong)
    finally:
        server.stop()
        server.remove()


@pytest.mark.parametrize("name", ["gtids", "given_gtids"])
def test_gtids(name):
    """What statements about GTIDs answer, and what `gtid_next` does (also to what fails), is what MySQL does."""
    server = Server(options=["--log-bin=bin", "--server-id=1", *peers.OPTIONS[name]])
    try:
        server.start()
        server.query("RESET BINARY LOGS AND GTIDS")
        got = peers.answers(server, name)
        pairs = zip(got, peers.recorded(name), strict=True)
        wrong = [f">> {q}\n  ours   {mine[0]}\n  mysql  {theirs[0]}" for (q, mine), (_, theirs) in pairs if mine != theirs]
        assert not wrong, "\n".join(wrong)
    finally:
        server.stop()
        server.remove()
