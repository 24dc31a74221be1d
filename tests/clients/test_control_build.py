"""The build without instruments (`cargo build --features without-instruments`, docs/instruments.md), and that any other build has them.

Run with each build's binary in EVENKEEL: what must hold follows from what `evenkeel --version` says.
"""
import subprocess

import pytest

from lib.servers import Server, binary

ASKED = "SELECT @@performance_schema, @@version_comment LIKE '%, without instruments', COUNT(*) > 0 FROM performance_schema.setup_instruments"


@pytest.fixture(scope="module")
def control():
    out = subprocess.run([binary(), "--version"], capture_output=True, text=True, check=True).stdout
    assert "(Evenkeel, a MySQL-compatible server" in out
    return "without instruments" in out


def test_default(control, tmp_path):
    s = Server(tmp_path).start()
    try:
        assert s.query(ASKED) == ((0, 1, 0) if control else (1, 0, 1),)
        events = s.query("SELECT COUNT(*) > 0 FROM performance_schema.events_statements_history")
        assert events == ((0 if control else 1,),)
        # counters and SHOW PROFILE are no instruments
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET profiling = 1")
            cur.execute("SELECT 1")
            cur.execute("SHOW PROFILES")
            assert [row[2] for row in cur.fetchall()] == ["SELECT 1"]
            cur.execute("SHOW STATUS LIKE 'Com_select'")
            assert cur.fetchall() == (("Com_select", "1"),)
    finally:
        assert s.stop() == 0


def test_on_is_refused(control, tmp_path):
    s = Server(tmp_path, options=["--performance-schema=ON"])
    if control:
        with pytest.raises(RuntimeError, match="built without instruments \\(feature 'without-instruments'\\): performance_schema can only be OFF"):
            s.start()
        assert not (tmp_path / "data").exists()
        return
    try:
        assert s.start().query(ASKED) == ((1, 0, 1),)
    finally:
        assert s.stop() == 0
