"""AUTO_INCREMENT goes on where it was after a table was built anew, whether the server ends well or is killed: no value comes twice that a client has
seen, though its row is gone."""
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from lib.servers import Server


@pytest.mark.parametrize("rebuild", ["OPTIMIZE TABLE d.t", "ALTER TABLE d.t FORCE", "ALTER TABLE d.t FORCE, ALGORITHM=COPY", "ALTER TABLE d.t MODIFY v BIGINT"])
@pytest.mark.parametrize("end", ["stop", "kill"])
def test_counter_after_a_rebuild_and_a_restart(rebuild, end):
    s = Server().start()
    try:
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (id INT AUTO_INCREMENT PRIMARY KEY, v INT)")
        s.query("INSERT INTO d.t (v) VALUES (1), (2), (3), (4)")
        s.query("DELETE FROM d.t WHERE id > 1")
        s.query(rebuild)
        getattr(s, end)()
        s.start()
        s.query("INSERT INTO d.t (v) VALUES (9)")
        assert s.query("SELECT id FROM d.t ORDER BY id") == ((1,), (5,))
        # the new table's own removed rows are remembered as well
        s.query("DELETE FROM d.t WHERE id > 1")
        getattr(s, end)()
        s.start()
        s.query("INSERT INTO d.t (v) VALUES (9)")
        assert s.query("SELECT id FROM d.t ORDER BY id") == ((1,), (6,))
    finally:
        s.remove()
