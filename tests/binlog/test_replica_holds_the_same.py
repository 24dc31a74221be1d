"""What a source has and its log says by the way only: a replica, and a restore along the log, hold the same.

Values that only some sql_mode lets in, keys and rights that nobody wrote, events that end by themselves, definitions
that wait for a schema which is dropped meanwhile. Also who may read what a replica has received.
"""
import pathlib
import threading
import time

import pymysql
import pytest

from binlog.test_replica import errors, point
from lib.servers import MySQL, Server
from lib.wait import until, waits

OPTIONS = ["--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--event-scheduler=OFF"]

KINDS = [Server, pytest.param(MySQL, marks=pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run"))]


@pytest.fixture(params=KINDS, ids=lambda k: k.name)
def pair(request):
    """A source and a replica: Evenkeel and Evenkeel, and each with MySQL."""
    source, replica = Server(options=[*OPTIONS, "--server-id=1"]), request.param(options=[*OPTIONS, "--server-id=2"])
    try:
        for s in (source, replica):
            s.start()
        for q in ("CREATE USER repl@'%' IDENTIFIED BY 'p w'", "GRANT REPLICATION SLAVE ON *.* TO repl@'%'", "CREATE DATABASE d"):
            source.query(q)
        point(source, replica)
        replica.query("START REPLICA")
        yield source, replica
    finally:
        for s in (source, replica):
            if s.process:
                s.remove()


def caught_up(source, replica):
    done, = source.query("SELECT @@gtid_executed")
    until(lambda: replica.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{done[0]}', 1)") == ((0,),) or errors(replica))
    assert errors(replica) == ()


def both(pair, statements, shown):
    source, replica = pair
    with source.connect() as c, c.cursor() as cur:
        for q in statements:
            cur.execute(q)
    caught_up(source, replica)
    for q in shown:
        assert source.query(q) == replica.query(q), q
    return source.query(shown[0])


def test_values_of_another_sql_mode(pair):
    found = both(pair, ["SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES'",
                        "CREATE TABLE d.v (a INT PRIMARY KEY AUTO_INCREMENT, b DATE, c DATETIME(3), UNIQUE (b))",
                        "INSERT INTO d.v VALUES (0, '2020-02-31', '2021-04-31 10:00:00.5'), (1, '0000-00-00', '2020-00-00'), (2, '2020-06-31', NULL)",
                        "UPDATE d.v SET b = '2021-02-30' WHERE a = 0", "DELETE FROM d.v WHERE a = 2"],
                 ["SELECT a, CAST(b AS CHAR), CAST(c AS CHAR) FROM d.v ORDER BY a"])
    assert found == ((0, "2021-02-30", "2021-04-31 10:00:00.500"), (1, "0000-00-00", "2020-00-00 00:00:00.000"))


def test_dates_inside_documents(pair):
    found = both(pair, ["CREATE TABLE d.j (a INT PRIMARY KEY, j JSON)",
                        "INSERT INTO d.j VALUES (1, JSON_OBJECT('d', CAST('2020-01-31' AS DATE), 't', CAST('-12:00:00.5' AS TIME(3)), 'm', CAST('9999-12-31 23:59:59.999999' AS DATETIME(6)), 'n', CAST('0001-01-01' AS DATE)))",
                        "UPDATE d.j SET j = JSON_SET(j, '$.e', CAST('1999-12-31' AS DATE))"],
                 ["SELECT CAST(j AS CHAR) FROM d.j", "SELECT j->'$.d' < j->'$.m', JSON_TYPE(j->'$.e'), j->'$.e' = CAST('1999-12-31' AS DATE) FROM d.j"])
    assert '"d": "2020-01-31"' in found[0][0] and '"n": "0001-01-01"' in found[0][0]


def test_generated_primary_keys(pair):
    both(pair, ["SET sql_generate_invisible_primary_key = ON", "USE d", "CREATE TABLE /* ( */ k (a INT COMMENT 'x(')", "CREATE TABLE IF NOT EXISTS d.k2 (`my col` TEXT, KEY (`my col`(5)))",
                "INSERT INTO k VALUES (7), (8)", "DELETE FROM k WHERE a = 7", "INSERT INTO k2 VALUES ('x')"],
         ["SELECT my_row_id, a FROM d.k", "SELECT my_row_id, `my col` FROM d.k2", "SELECT column_name, extra, column_comment FROM information_schema.columns WHERE table_schema = 'd' AND table_name LIKE 'k%' ORDER BY table_name, ordinal_position"])


def test_who_makes_a_routine_may_use_it(pair):
    source, _ = pair
    source.query("CREATE USER maker@localhost IDENTIFIED BY 'x'")
    source.query("GRANT CREATE ROUTINE ON d.* TO maker@localhost")
    with source.connect(user="maker", password="x") as c, c.cursor() as cur:
        cur.execute("CREATE PROCEDURE d.made() SELECT 1")
    found = both(pair, [], ["SHOW GRANTS FOR maker@localhost"])
    assert any("ALTER ROUTINE ON PROCEDURE `d`.`made`" in g for g, in found)


def test_an_event_that_ended_while_nobody_looked(pair):
    source, replica = pair
    for n, preserve in (("gone", "NOT PRESERVE"), ("kept", "PRESERVE")):
        source.query(f"CREATE EVENT d.{n} ON SCHEDULE EVERY 1 SECOND ENDS NOW() + INTERVAL 1 SECOND ON COMPLETION {preserve} DO SET @a = 1")
    caught_up(source, replica)
    # the scheduler is off: their time passes
    ends = source.query("SELECT MAX(UNIX_TIMESTAMP(ends)) FROM information_schema.events")[0][0]
    until(lambda: time.time() > ends + 1)
    source.query("SET GLOBAL event_scheduler = ON")
    until(lambda: source.query("SELECT event_name, status FROM information_schema.events") == (("kept", "DISABLED"),))
    source.query("SET GLOBAL event_scheduler = OFF")
    both(pair, ["CREATE EVENT d.gone ON SCHEDULE EVERY 1 DAY DO SET @a = 2"], ["SELECT event_name, event_definition FROM information_schema.events ORDER BY 1"])


@pytest.mark.parametrize("statement", ["CREATE VIEW w.n AS SELECT 1", "ALTER TABLE d.moved RENAME w.n", "RENAME TABLE d.moved TO w.n", "CREATE TABLE w.n (a INT)", "CREATE TABLE w.n LIKE d.moved",
                                       "CREATE TABLE w.n AS SELECT 1 AS a", "CREATE PROCEDURE w.n() SELECT 1", "CREATE EVENT w.n ON SCHEDULE EVERY 1 DAY DO SET @a = 1"])
def test_a_schema_that_is_dropped_meanwhile(pair, statement):
    """What waits for a schema's lock does not bring something into a schema that is no more."""
    source, _ = pair
    for q in ("CREATE DATABASE w", "CREATE TABLE w.t (a INT)", "CREATE TABLE IF NOT EXISTS d.moved (a INT)"):
        source.query(q)
    reader, dropper, maker = source.connect(autocommit=False), source.connect(), source.connect()
    said = []

    def run(c, q):
        try:
            c.cursor().execute(q)
        except pymysql.err.Error as e:
            said.append(e.args[0])

    with reader, dropper, maker:
        reader.cursor().execute("SELECT * FROM w.t")
        threads = []
        for c, q in ((dropper, "DROP DATABASE w"), (maker, statement)):
            threads.append(threading.Thread(target=run, args=(c, q)))
            threads[-1].start()
            waits(source, c.thread_id())
        reader.rollback()
        for t in threads:
            t.join()
    assert said == [1049]
    both(pair, ["CREATE DATABASE w", "DROP DATABASE w"], ["SELECT table_name FROM information_schema.tables WHERE table_schema = 'd' ORDER BY 1"])


def test_what_was_received_is_not_for_everybody(pair):
    _, replica = pair
    if replica.name != "evenkeel":
        pytest.skip("of Evenkeel's files")
    files = until(lambda: [p for p in pathlib.Path(replica.dir, "data").iterdir() if "relay-bin" in p.name])
    assert [p.name for p in files if p.stat().st_mode & 0o007] == []


def test_the_beginning_of_a_file_is_a_place_to_wait_for(pair):
    """Before a source is left, it is stopped or its log is rotated: nothing follows, and the replica has it all."""
    source, replica = pair
    source.query("FLUSH BINARY LOGS")
    file, position = source.query("SHOW BINARY LOG STATUS")[0][:2]
    assert replica.query(f"SELECT SOURCE_POS_WAIT('{file}', {position}, 20)")[0][0] >= 0
    with replica.connect(cursorclass=pymysql.cursors.DictCursor) as c, c.cursor() as cur:
        cur.execute("SHOW REPLICA STATUS")
        status = cur.fetchone()
    assert (status["Relay_Source_Log_File"], status["Exec_Source_Log_Pos"], status["Read_Source_Log_Pos"]) == (file, position, position)


def test_foreign_keys_act_as_the_rows_say(pair):
    """The last statement in the log was made without checks; the rows behind it with them, and the other way round."""
    for q in ("STOP REPLICA", "SET GLOBAL replica_parallel_workers = 1", "START REPLICA"):
        pair[1].query(q)
    found = both(pair, ["SET foreign_key_checks = 0",
                        "CREATE TABLE d.c (a INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES d.p (b) ON UPDATE CASCADE ON DELETE CASCADE)",
                        "CREATE TABLE d.p (a INT PRIMARY KEY, b INT UNIQUE)", "SET foreign_key_checks = 1",
                        "INSERT INTO d.p VALUES (1, 1), (2, 2), (3, 3)", "INSERT INTO d.c VALUES (1, 1), (2, 2), (3, 3)",
                        "UPDATE d.p SET b = 11 WHERE a = 1", "DELETE FROM d.p WHERE a = 2",
                        "CREATE TABLE d.other (a INT)", "SET foreign_key_checks = 0", "UPDATE d.p SET b = 33 WHERE a = 3"],
                 ["SELECT a, b FROM d.c ORDER BY a", "SELECT a, b FROM d.p ORDER BY a"])
    assert found == ((1, 11), (3, 3))


# what a replica's own defaults for new sessions must not change
OWN_DEFAULTS = ["autocommit = 0", "completion_type = CHAIN", "transaction_isolation = 'SERIALIZABLE'", "sql_safe_updates = 1",
                "sql_select_limit = 1", "max_join_size = 1", "sql_big_selects = 0", "foreign_key_checks = 0", "sql_require_primary_key = 1", "unique_checks = 0",
                "sql_mode = 'ANSI,NO_UNSIGNED_SUBTRACTION,PAD_CHAR_TO_FULL_LENGTH'", "time_zone = '+09:00'", "character_set_server = latin1",
                "character_set_client = latin1", "collation_connection = latin1_bin", "auto_increment_increment = 7", 
                "max_allowed_packet = 1024", "sql_auto_is_null = 1", "div_precision_increment = 0", "lc_time_names = 'de_DE'", "big_tables = 1", "binlog_row_image = MINIMAL",
                "group_concat_max_len = 4", "default_week_format = 3", "cte_max_recursion_depth = 1", "sql_generate_invisible_primary_key = 1",
                "innodb_strict_mode = 0", "max_execution_time = 1", "old_alter_table = 1", "windowing_use_high_precision = 0"]


def test_defaults_of_the_replica_change_nothing(pair):
    source, replica = pair
    with replica.connect() as c, c.cursor() as look:
        for n, text in enumerate(OWN_DEFAULTS):
            name = text.split(" ")[0]
            for q in ("STOP REPLICA", f"SET @own = @@GLOBAL.{name}"):
                look.execute(q)
            try:
                look.execute(f"SET GLOBAL {text}")
            except pymysql.err.NotSupportedError:  # 1235: nobody can have it so here
                assert replica.name == "evenkeel"
            look.execute("START REPLICA")
            until(lambda: look.execute("SELECT 1 FROM performance_schema.replication_applier_status_by_worker WHERE service_state = 'ON'"))
            look.execute(f"SET GLOBAL {name} = @own")
            changes_of(source, n)
            try:
                caught_up(source, replica)
            except AssertionError as e:
                raise AssertionError(f"with {text}: {errors(replica)}") from e
            for q in (f"SELECT * FROM d.p{n} ORDER BY a", f"SELECT * FROM d.c{n} ORDER BY b", f"SELECT * FROM d.k{n} ORDER BY b", f"SHOW CREATE TABLE d.p{n}",
                      f"SHOW CREATE TABLE d.c{n}", f"SHOW CREATE TABLE d.k{n}"):
                assert source.query(q) == replica.query(q), (text, q)


def changes_of(source, n):
    """Tables of number `n`, with rows, changes of rows and of the definition."""
    with source.connect() as c, c.cursor() as cur:
        for q in [f"CREATE TABLE d.p{n} (a INT PRIMARY KEY AUTO_INCREMENT, b INT, s CHAR(9), x LONGTEXT, g INT UNSIGNED AS (b + 1) STORED, UNIQUE (b))",
                  f"CREATE TABLE d.c{n} (b INT, t TIMESTAMP NULL DEFAULT CURRENT_TIMESTAMP, FOREIGN KEY (b) REFERENCES d.p{n} (b) ON UPDATE CASCADE)",
                  f"INSERT INTO d.p{n} (b, s, x) VALUES (1, 'a', REPEAT('x', 5000)), (2, 'b ', 'é'), (3, NULL, '')",
                  f"INSERT INTO d.c{n} (b) VALUES (1), (2), (2)", f"UPDATE d.p{n} SET b = 4 WHERE b = 2", f"UPDATE d.c{n} SET b = NULL WHERE b = 1 LIMIT 2",
                  f"ALTER TABLE d.p{n} ADD v VARCHAR(20) DEFAULT (UPPER('q')), ADD y TIMESTAMP NULL", f"UPDATE d.p{n} SET y = '2026-11-28 10:00:00'",
                  f"CREATE TABLE d.k{n} AS SELECT b, t, 1 / 3 AS third, DATE_FORMAT('2020-01-01', '%M') AS m FROM d.c{n}", f"DELETE FROM d.p{n} WHERE b = 3"]:
            cur.execute(q)
