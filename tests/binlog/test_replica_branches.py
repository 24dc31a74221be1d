"""XA on a replica by file and position: a crash between what is done with a branch and the position behind it does not do it twice, and does not take a failure
for done. The state that such a crash leaves is made by setting the position back."""
import pytest

from binlog.test_replica import KINDS, applier_failed, caught_up, pair, point, status
from lib.wait import until

FILES = ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"]


def here(s):
    file, at = s.query("SHOW BINARY LOG STATUS")[0][:2]
    return f"SOURCE_LOG_FILE='{file}', SOURCE_LOG_POS={at}"


def run(s, *statements):
    with s.connect() as c, c.cursor() as cur:
        for q in statements:
            cur.execute(q)


def branch(number):
    return [f"XA START 'b', 'q{number}'", f"INSERT INTO d.t VALUES ({number})", f"XA END 'b', 'q{number}'"]


def prepared(r):
    return sorted(x[3] for x in r.query("XA RECOVER"))


def back_to(r, where):
    """As after a crash that has lost the position behind what was done."""
    r.query("STOP REPLICA")
    r.query(f"CHANGE REPLICATION SOURCE TO {where}")
    r.kill()
    r.start()


@pytest.mark.parametrize("workers", [0, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_done_once(kind, workers):
    with pair(kind, options=FILES, replica=[f"--replica-parallel-workers={workers}"]) as (s, r):
        point(s, r, here(s))
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d", "CREATE TABLE d.t (a INT)")
        caught_up(s, r)
        for number, end in ((1, "COMMIT"), (2, "ROLLBACK")):
            before = here(s)
            run(s, *branch(number), f"XA PREPARE 'b', 'q{number}'")
            caught_up(s, r)
            assert prepared(r) == [f"bq{number}"]
            back_to(r, before)
            caught_up(s, r)
            assert prepared(r) == [f"bq{number}"]
            before = here(s)
            run(s, f"XA {end} 'b', 'q{number}'")
            caught_up(s, r)
            back_to(r, before)
            caught_up(s, r)
            assert prepared(r) == []
        assert r.query("SELECT a FROM d.t") == ((1,),)
        # what has never been done is done, though its place was noted
        before = here(s)
        run(s, *branch(3), "XA PREPARE 'b', 'q3'")
        caught_up(s, r)
        run(r, "SET SESSION sql_log_bin = 0", "XA ROLLBACK 'b', 'q3'")
        back_to(r, before)
        caught_up(s, r)
        assert prepared(r) == ["bq3"]
        # a failure is none that was done: it fails again after a restart
        run(r, "SET SESSION sql_log_bin = 0", "XA ROLLBACK 'b', 'q3'")
        run(s, "XA COMMIT 'b', 'q3'")
        for _ in range(2):
            applier_failed(r, 1397)
            r.kill()
            r.start()
        applier_failed(r, 1397)


@pytest.mark.parametrize("kind", KINDS)
def test_one_phase(kind):
    """The position is in the transaction."""
    with pair(kind, options=FILES) as (s, r):
        point(s, r, here(s))
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d", "CREATE TABLE d.t (a INT)")
        caught_up(s, r)
        for n in range(5):
            run(s, *branch(n), f"XA COMMIT 'b', 'q{n}' ONE PHASE")
            until(lambda: r.query(f"SELECT COUNT(*) FROM d.t WHERE a = {n}") == ((1,),), why=lambda: status(r))
            r.kill()
            r.start()
            caught_up(s, r)
        assert sorted(r.query("SELECT a FROM d.t")) == [(n,) for n in range(5)]
