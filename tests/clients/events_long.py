#!/usr/bin/env python3
"""Events that run each second beside load, across both changes of clocks and a change of time zone:

    tests/clients/events_long.py [--seconds 600] [--clients 8]

By hand; the short form is test_events.py. One event is made in a zone of this script's own (written into mysql.time_zone*), whose clocks go forward after a quarter
of the time and back after a half; the other in UTC. After three quarters `time_zone` is set to +09:00 for everybody. Clients change and read rows all the time.
The n-th run of an event belongs to the n-th second: none may be missing or twice, and each begins within the next second. Exit status 1 if not.
"""
import argparse
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import Server  # noqa: E402

ZONE = "Test/Clocks"


def make_zone(server, forward, back):
    """A zone one hour ahead of UTC, two from `forward` until `back` (seconds since 1970)."""
    with server.connect(database="mysql") as c, c.cursor() as cur:
        cur.execute("INSERT INTO time_zone (Use_leap_seconds) VALUES ('N')")
        n = cur.lastrowid
        cur.execute(f"INSERT INTO time_zone_name (Name, Time_zone_id) VALUES ('{ZONE}', {n})")
        cur.execute("INSERT INTO time_zone_transition_type (Time_zone_id, Transition_type_id, `Offset`, Is_DST, Abbreviation) VALUES"
                    f" ({n}, 0, 3600, 0, 'TST'), ({n}, 1, 7200, 1, 'TDT')")
        cur.execute(f"INSERT INTO time_zone_transition (Time_zone_id, Transition_time, Transition_type_id) VALUES ({n}, 0, 0), ({n}, {forward}, 1), ({n}, {back}, 0)")
        c.commit()


def load(server, until, n, counts):
    """One client's changes and reads; how many statements it made."""
    with server.connect(database="d") as c, c.cursor() as cur:
        while time.time() < until:
            cur.execute(f"UPDATE t SET n = n + 1 WHERE id = {counts[n] * 7 % 1000}")
            cur.execute("SELECT SUM(n) FROM t WHERE id BETWEEN 100 AND 300")
            counts[n] += 2


def offset(server):
    """By how many hours the zone's clock is ahead now."""
    return server.query(f"SELECT ROUND(TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), CONVERT_TZ(UTC_TIMESTAMP(), '+00:00', '{ZONE}')) / 3600)")[0][0]


def judge(server, what):
    """What is wrong with an event's runs; prints how late they were."""
    at = [float(x) for (x,) in server.query(f"SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', at) / 1000000 FROM d.log WHERE what = '{what}' ORDER BY n")]
    late = [t - (int(at[0]) + i) for i, t in enumerate(at)]
    print(f"{what}: {len(at)} runs, the latest began {max(late) * 1000:.0f} ms after its second, the first one {late[0] * 1000:.0f} ms", flush=True)
    return [f"{what}: run {i} at {at[i]}, {x:.3f} s from its second" for i, x in enumerate(late) if not 0 <= x < 1]


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    a.add_argument("--seconds", type=int, default=600)
    a.add_argument("--clients", type=int, default=8)
    a = a.parse_args()
    s = Server().start()
    try:
        begin = int(time.time()) + 6
        quarter = a.seconds // 4
        make_zone(s, begin + quarter, begin + 2 * quarter)
        s.stop()
        s.start()  # the tables of zones are read at the start
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.log (n INT AUTO_INCREMENT PRIMARY KEY, at DATETIME(6), what VARCHAR(20))")
        s.query("CREATE TABLE d.t (id INT PRIMARY KEY, n INT)")
        s.query("INSERT INTO d.t WITH RECURSIVE r AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 999) SELECT i, 0 FROM r")
        for what, zone in [("clocks", ZONE), ("utc", "+00:00")]:
            with s.connect(database="d") as c, c.cursor() as cur:
                cur.execute(f"SET time_zone = '{zone}'")
                cur.execute(f"CREATE EVENT {what} ON SCHEDULE EVERY 1 SECOND DO INSERT INTO log (at, what) VALUES (UTC_TIMESTAMP(6), '{what}')")
        counts, end = [0] * a.clients, begin + a.seconds
        clients = [threading.Thread(target=load, args=(s, end, n, counts)) for n in range(a.clients)]
        [t.start() for t in clients]
        offsets = []
        for n in range(4):
            time.sleep(max(0, begin + n * quarter + 1.5 - time.time()))
            offsets.append(int(offset(s)))
            if n == 3:
                s.query("SET GLOBAL time_zone = '+09:00'")
        [t.join() for t in clients]
        for what in ("clocks", "utc"):
            s.query(f"DROP EVENT d.{what}")
        time.sleep(1.5)
        wrong = judge(s, "clocks") + judge(s, "utc")
        if offsets != [1, 2, 1, 1]:
            wrong.append(f"the clocks went otherwise: {offsets}")
        print(f"{a.seconds} s beside {sum(counts)} statements of {a.clients} clients; {len(wrong)} runs wrong {wrong[:5]}", flush=True)
        return 1 if wrong else 0
    finally:
        s.stop()
        s.remove()


if __name__ == "__main__":
    sys.exit(main())
