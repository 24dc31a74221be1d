"""Latches as instances: the article's query about the partitions of metadata locks, which count each use by the slow path."""
import threading

from lib.servers import Server
from lib.wait import waits

PS = "performance_schema."
MDL = "wait/synch/mutex/sql/MDL_map::mutex"


def all_of(c, sql):
    with c.cursor() as cur:
        cur.execute(sql)
        return list(cur.fetchall())


def test_partitions_of_metadata_locks():
    s = Server(options=["--performance-schema-instrument=%synch%=on"]).start()
    try:
        with s.connect() as c:
            all_of(c, "CREATE DATABASE d")
            all_of(c, "USE performance_schema")
            article = "select event_name, count_star from events_waits_summary_by_instance where event_name like '%mdl%mutex%'"
            before = all_of(c, article)
            assert len(before) > 1 and {name for name, _ in before} == {MDL}
            for n in range(20):
                all_of(c, f"CREATE TABLE d.t{n} (a INT)")
            after = all_of(c, article)
            grown = [b - a for (_, a), (_, b) in zip(before, after)]
            assert sum(grown) >= 20 and sum(g > 0 for g in grown) > 1, "strong locks, over several partitions"
            weak = sum(n for _, n in all_of(c, article))
            for n in range(10):
                all_of(c, "SELECT * FROM d.t0")
            assert sum(n for _, n in all_of(c, article)) == weak, "statements that read take the fast path"
            assert len(all_of(c, f"SELECT * FROM mutex_instances WHERE name = '{MDL}' AND locked_by_thread_id IS NULL")) == len(before)
            total = all_of(c, f"SELECT count_star FROM events_waits_summary_global_by_event_name WHERE event_name = '{MDL}'")
            assert total[0][0] >= sum(n for _, n in after)
            assert all_of(c, "SELECT COUNT(*) FROM rwlock_instances WHERE name NOT LIKE 'wait/synch/%lock/%'") == [(0,)]
            conds = {name for name, _ in all_of(c, "SELECT name, object_instance_begin FROM cond_instances")}
            assert "wait/synch/cond/sql/sleep" in conds
            all_of(c, "TRUNCATE events_waits_summary_by_instance")
            assert {n for _, n in all_of(c, article)} == {0}
    finally:
        s.remove()


def test_off_by_default_and_what_a_metadata_wait_is_about():
    s = Server().start()
    try:
        with s.connect() as c, s.connect() as other:
            all_of(c, "CREATE DATABASE d")
            all_of(c, "CREATE TABLE d.t (a INT)")
            assert {n for n, in all_of(c, f"SELECT count_star FROM {PS}events_waits_summary_by_instance WHERE event_name = '{MDL}'")} == {0}
            all_of(c, f"UPDATE {PS}setup_consumers SET ENABLED = 'YES' WHERE NAME LIKE 'events_waits%'")
            all_of(c, "BEGIN")
            all_of(c, "SELECT * FROM d.t")
            me = all_of(other, "SELECT CONNECTION_ID()")[0][0]
            t = threading.Thread(target=all_of, args=(other, "ALTER TABLE d.t ADD b INT"))
            t.start()
            waits(s, me)
            all_of(c, "COMMIT")
            t.join()
            rows = all_of(c, f"SELECT object_type, object_schema, object_name, operation FROM {PS}events_waits_history WHERE thread_id = {me} AND event_name = 'wait/lock/metadata/sql/mdl'")
            assert ("TABLE", "d", "t", "metadata lock") in rows
            lost = dict(all_of(c, "SHOW GLOBAL STATUS LIKE 'Performance_schema%instances_lost'"))
            assert lost["Performance_schema_file_instances_lost"] == "0" and lost["Performance_schema_mutex_instances_lost"] == "0"
    finally:
        s.remove()


def test_lost_instances_are_told():
    s = Server(options=["--performance-schema-max-file-instances=3", "--performance-schema-max-mutex-instances=2"]).start()
    try:
        with s.connect() as c:
            for n in range(5):
                all_of(c, f"CREATE DATABASE d{n}")
                all_of(c, f"CREATE TABLE d{n}.t (a INT)")
            lost = dict(all_of(c, "SHOW GLOBAL STATUS LIKE 'Performance_schema%instances_lost'"))
            assert int(lost["Performance_schema_file_instances_lost"]) > 0 and int(lost["Performance_schema_mutex_instances_lost"]) > 0
            assert all_of(c, f"SELECT COUNT(*) FROM {PS}mutex_instances") == [(2,)]
    finally:
        s.remove()


def test_nothing_is_recorded_when_off():
    s = Server(options=["--performance-schema=OFF"]).start()
    try:
        with s.connect() as c:
            all_of(c, "CREATE DATABASE d")
            all_of(c, "CREATE TABLE d.t (a INT PRIMARY KEY)")
            all_of(c, "INSERT INTO d.t VALUES (1)")
            for table in ["file_instances", "file_summary_by_event_name", "mutex_instances", "cond_instances", "events_waits_summary_by_instance", "table_io_waits_summary_by_table", "table_handles", "setup_objects", "setup_threads", "memory_summary_global_by_event_name"]:
                assert all_of(c, f"SELECT * FROM {PS}{table}") == [], table
    finally:
        s.remove()
