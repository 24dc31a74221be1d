"""AUTO_INCREMENT goes on where it was after a table was built anew, whether the server ends well or is killed: no value comes twice that a client has
seen, though its row is gone."""
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from lib.servers import Server
from lib.wait import until


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


@pytest.mark.parametrize("end", ["stop", "kill"])
@pytest.mark.parametrize("purged", [False, True])
def test_counter_that_was_set_back(end, purged):
    """What was given since ALTER TABLE ... AUTO_INCREMENT = n does not come again; the deleted rows from before stand in nobody's way while the server runs."""
    s = Server().start()
    try:
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (id INT AUTO_INCREMENT PRIMARY KEY, v INT)")
        s.query("INSERT INTO d.t (v) VALUES (1), (2), (3), (4), (5), (6)")
        with s.connect() as holder, holder.cursor() as cur:
            # purge waits for this snapshot
            cur.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT")
            s.query("DELETE FROM d.t WHERE id > 1")
            s.query("ALTER TABLE d.t AUTO_INCREMENT = 2")
            s.query("ALTER TABLE d.t ADD w INT, ALGORITHM=INSTANT")
            s.query("INSERT INTO d.t (v) VALUES (7), (8)")
            assert s.query("SELECT id FROM d.t ORDER BY id") == ((1,), (2,), (3,))
            s.query("DELETE FROM d.t WHERE id > 1")
        if purged:
            until(lambda: s.query("SELECT COUNT FROM information_schema.INNODB_METRICS WHERE NAME = 'trx_rseg_history_len'") == ((0,),), "purge has work left")
        getattr(s, end)()
        s.start()
        s.query("INSERT INTO d.t (v) VALUES (9)")
        assert s.query("SELECT MAX(id) FROM d.t") >= ((4,),)
    finally:
        s.remove()
