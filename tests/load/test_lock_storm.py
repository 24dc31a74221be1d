"""The short form of lock_storm.py."""
from lib.servers import Server
from load.lock_storm import storm


def test_locks_come_and_go_under_64_sessions():
    server = Server(options=["--max-connections=500"]).start()
    try:
        s = storm(server, sessions=64, seconds=6, seed=1)
        assert not s.problems, "\n".join(s.problems)
        for work in ("transfer", "read", "beside", "long_read", "alter", "truncate", "rename", "lock_tables", "read_lock"):
            assert s.done[work] > 0, s.done
        assert s.looks > 0 and s.named > 0 and s.inserted > 0
    finally:
        server.remove()
