"""The event scheduler: what runs when and as whom, what is noted of it, what goes to the error log, its thread in the process list, restarts.

The counts of runs do not hang on how fast the machine is: an event's runs have numbers (the seconds of its grid), and none may be missing or twice.
"""
import re
import time

import pytest

from lib.servers import Server
from lib.wait import until


@pytest.fixture
def server():
    s = Server(options=["--log-error-verbosity=3"]).start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.log (at TIMESTAMP(6) DEFAULT CURRENT_TIMESTAMP(6), what VARCHAR(200))")
    yield s
    s.remove()


def log(server, like):
    return server.query(f"SELECT what FROM d.log WHERE what LIKE '{like}' ORDER BY at")


def event(server, name):
    rows = server.query(f"SELECT STATUS, LAST_EXECUTED FROM information_schema.EVENTS WHERE EVENT_NAME = '{name}'")
    return rows[0] if rows else None


def daemon(server):
    rows = server.query("SELECT HOST, COMMAND, STATE, INFO FROM information_schema.PROCESSLIST WHERE USER = 'event_scheduler'")
    return rows[0] if rows else None


def test_the_thread_is_shown_and_switched(server):
    assert until(lambda: daemon(server) == ("localhost", "Daemon", "Waiting on empty queue", None))
    server.query("CREATE EVENT d.far ON SCHEDULE EVERY 1 DAY STARTS NOW() + INTERVAL 1 DAY DO SELECT 1")
    assert until(lambda: daemon(server)[2] == "Waiting for next activation")
    server.query("SET GLOBAL event_scheduler = OFF")
    assert daemon(server) is None
    server.query("CREATE EVENT d.now ON SCHEDULE AT NOW() DO INSERT INTO d.log (what) VALUES ('now')")
    time.sleep(1.2)
    assert log(server, "now") == ()
    server.query("SET GLOBAL event_scheduler = ON")
    # what runs once runs late rather than never
    assert until(lambda: len(log(server, "now")) == 1)
    assert until(lambda: event(server, "now") is None)


def test_what_a_run_is_at_is_shown(server):
    def runs():
        return server.query("SELECT COMMAND, STATE, INFO FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT GET_LOCK%'")

    with server.connect() as c, c.cursor() as cur:
        cur.execute("SELECT GET_LOCK('held', 0)")
        server.query("CREATE EVENT d.one ON SCHEDULE AT NOW() DO SELECT GET_LOCK('held', 60)")
        server.query("CREATE EVENT d.inner ON SCHEDULE AT NOW() DO BEGIN SET @x = 1; SELECT GET_LOCK('held', 61); END")
        at = [("Connect", "User lock", f"SELECT GET_LOCK('held', {n})") for n in (60, 61)]
        assert until(lambda: sorted(runs(), key=str) == at), runs()
        cur.execute("SELECT RELEASE_LOCK('held')")
        assert until(lambda: runs() == ())
        # a client's text is shown without what ends it
        cur.execute("SELECT INFO FROM information_schema.PROCESSLIST WHERE ID = CONNECTION_ID();  ")
        assert cur.fetchone()[0].endswith("CONNECTION_ID()")


def test_runs_once_and_is_dropped_or_kept(server):
    server.query("CREATE EVENT d.once ON SCHEDULE AT NOW() + INTERVAL 1 SECOND DO INSERT INTO d.log (what) VALUES ('once')")
    server.query("CREATE EVENT d.kept ON SCHEDULE AT NOW() + INTERVAL 1 SECOND ON COMPLETION PRESERVE DO INSERT INTO d.log (what) VALUES ('kept')")
    server.query("CREATE EVENT d.ends ON SCHEDULE EVERY 1 SECOND STARTS NOW() + INTERVAL 1 SECOND ENDS NOW() + INTERVAL 3 SECOND "
                 "DO INSERT INTO d.log (what) VALUES ('ends')")
    server.query("CREATE EVENT d.off ON SCHEDULE AT NOW() + INTERVAL 1 SECOND ON COMPLETION PRESERVE DISABLE DO INSERT INTO d.log (what) VALUES ('off')")
    assert until(lambda: event(server, "once") is None and event(server, "ends") is None)
    assert len(log(server, "once")) == 1 and len(log(server, "ends")) == 3
    assert until(lambda: event(server, "kept")[0] == "DISABLED") and event(server, "kept")[1] is not None
    assert len(log(server, "kept")) == 1 and log(server, "off") == ()


def test_each_second_has_one_run(server):
    server.query("CREATE EVENT d.each ON SCHEDULE EVERY 1 SECOND DO INSERT INTO d.log (what) VALUES ('each')")
    assert until(lambda: len(log(server, "each")) >= 5)
    server.query("DROP EVENT d.each")
    time.sleep(1.2)
    n = len(log(server, "each"))
    first, last = server.query("SELECT MIN(at), MAX(at) FROM d.log WHERE what = 'each'")[0]
    # one in each second from the first's to the last's; a busy machine may carry one of them over into the next
    seconds = int(last.timestamp()) - int(first.timestamp()) + 1
    assert abs(seconds - n) <= 1
    time.sleep(1.1)
    assert len(log(server, "each")) == n


def test_it_acts_as_the_definer(server):
    server.query("CREATE USER u@localhost")
    server.query("GRANT INSERT, EVENT ON d.* TO u@localhost")
    server.query("SET GLOBAL time_zone = '+00:00'")
    with server.connect(database="d") as c, c.cursor() as cur:
        cur.execute("SET time_zone = '+03:00', sql_mode = 'ANSI_QUOTES'")
        cur.execute('CREATE DEFINER = u@localhost EVENT "who" ON SCHEDULE AT NOW() DO BEGIN '
                    "INSERT INTO log (what) VALUES (CONCAT_WS('|', 'who', CURRENT_USER(), USER(), @@time_zone, @@sql_mode, DATABASE(), @@autocommit)); END")
        cur.execute("CREATE DEFINER = u@localhost EVENT may_not ON SCHEDULE AT NOW() DO SELECT * INTO @a FROM secret")
        cur.execute("CREATE DEFINER = gone@localhost EVENT nobody ON SCHEDULE AT NOW() ON COMPLETION PRESERVE DO SELECT 1")
    assert until(lambda: log(server, "who%") == (("who|u@localhost|event_scheduler@localhost|+03:00|ANSI_QUOTES|d|1",),))
    assert until(lambda: "Event Scheduler: [u@localhost][d.may_not] SELECT command denied" in server.log_tail(20000))
    assert until(lambda: "Event Scheduler: [gone@localhost].[d.nobody] execution failed, failed to authenticate the user." in server.log_tail(20000))
    assert until(lambda: event(server, "nobody")[0] == "DISABLED")
    server.query("REVOKE EVENT ON d.* FROM u@localhost")
    server.query("CREATE DEFINER = u@localhost EVENT d.lost ON SCHEDULE AT NOW() DO INSERT INTO d.log (what) VALUES ('lost')")
    assert until(lambda: "[u@localhost].[d.lost] execution failed, user no longer has EVENT privilege." in server.log_tail(20000))
    assert log(server, "lost") == ()


def test_what_it_says_goes_to_the_error_log(server):
    server.query("CREATE EVENT d.fails ON SCHEDULE AT NOW() DO BEGIN INSERT INTO d.log (what) VALUES ('before'); INSERT INTO d.nosuch VALUES (1); END")
    server.query("CREATE EVENT d.warns ON SCHEDULE AT NOW() DO BEGIN SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT = 'careful'; END")
    assert until(lambda: "Event Scheduler: [root@localhost][d.fails] Table 'd.nosuch' doesn't exist" in server.log_tail(20000))
    assert until(lambda: "Event Scheduler: [root@localhost].[d.fails] event execution failed." in server.log_tail(20000))
    assert until(lambda: re.search(r"\[Warning\] .*Event Scheduler: \[root@localhost\]\[d.warns\] careful", server.log_tail(20000)))
    assert log(server, "before") == (("before",),)


def test_a_running_event_is_shown_and_killed(server):
    server.query("CREATE EVENT d.long ON SCHEDULE AT NOW() ON COMPLETION PRESERVE DO DO SLEEP(100)")

    def running():
        return server.query("SELECT ID, USER, DB, COMMAND FROM information_schema.PROCESSLIST WHERE USER = 'root' AND COMMAND = 'Connect'")

    assert until(lambda: len(running()) == 1)
    assert running()[0][1:] == ("root", "d", "Connect")
    server.query(f"KILL {running()[0][0]}")
    assert until(lambda: running() == ())
    # a stop does not wait for one either
    server.query("ALTER EVENT d.long ON SCHEDULE AT NOW() ENABLE")
    assert until(lambda: len(running()) == 1)
    start = time.time()
    assert server.stop() == 0
    assert time.time() - start < 60


def test_a_restart(server):
    server.query("CREATE EVENT d.late ON SCHEDULE AT NOW() + INTERVAL 2 SECOND DO INSERT INTO d.log (what) VALUES ('late')")
    server.query("CREATE EVENT d.future ON SCHEDULE EVERY 1 HOUR STARTS NOW() + INTERVAL 2 SECOND DO INSERT INTO d.log (what) VALUES ('future')")
    server.query("CREATE EVENT d.hourly ON SCHEDULE EVERY 1 HOUR DO INSERT INTO d.log (what) VALUES ('hourly')")
    server.query("CREATE EVENT d.over ON SCHEDULE EVERY 1 HOUR STARTS NOW() + INTERVAL 1 HOUR ENDS NOW() + INTERVAL 2 HOUR DISABLE DO SELECT 1")
    assert until(lambda: len(log(server, "hourly")) == 1)
    until(lambda: event(server, "hourly")[1] is not None)
    server.kill()
    time.sleep(3.2)  # not in the second in which it was due: times of events are whole seconds
    server.start()
    # what runs once runs now, what repeats goes on with its next time
    assert until(lambda: len(log(server, "late")) == 1)
    assert until(lambda: event(server, "late") is None)
    time.sleep(1.2)
    assert log(server, "future") == () and len(log(server, "hourly")) == 1
    assert event(server, "over")[0] == "DISABLED"


def test_disabled_for_good():
    s = Server(options=["--event-scheduler=DISABLED"]).start()
    try:
        assert daemon(s) is None
        with pytest.raises(Exception) as e:
            s.query("SET GLOBAL event_scheduler = ON")
        assert e.value.args[0] == 1290
    finally:
        s.remove()
